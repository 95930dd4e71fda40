//! Questions about memory of other APIs, which CUDA itself exports here, and about semaphores that are none.

use super::pools::FILE;
use super::virtual_memory::{UNIT, created, properties};
use super::{Answers, Question, capturing_stream, initialised};
use cuda_suite::code;
use cuda_suite::raw::{context, stream};
use cuda_sys::*;
use std::os::fd::IntoRawFd;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "external-memory-arguments", devices: 1, ask: memory_arguments },
    Question { name: "external-memory-types", devices: 1, ask: memory_types },
    Question { name: "external-memory-files", devices: 1, ask: memory_files },
    Question { name: "external-memory-sizes", devices: 1, ask: memory_sizes },
    Question { name: "external-buffer-ranges", devices: 1, ask: buffer_ranges },
    Question { name: "external-buffer-ends", devices: 1, ask: buffer_ends },
    Question { name: "external-buffer-attributes", devices: 1, ask: buffer_attributes },
    Question { name: "external-contexts", devices: 1, ask: contexts },
    Question { name: "external-capture", devices: 1, ask: capture },
    Question { name: "external-images", devices: 1, ask: images },
    Question { name: "external-image-levels", devices: 1, ask: image_levels },
    Question { name: "external-images-alias", devices: 1, ask: images_alias },
    Question { name: "external-semaphore-types", devices: 1, ask: semaphore_types },
    Question { name: "external-semaphore-arguments", devices: 1, ask: semaphore_arguments },
    Question { name: "external-semaphore-none", devices: 1, ask: semaphore_none },
    Question { name: "external-semaphore-capture", devices: 1, ask: semaphore_capture },
];

/// A descriptor of a file that is no memory.
fn other_file() -> i32 {
    std::fs::File::open("/dev/null").unwrap().into_raw_fd()
}

fn is_open(file: i32) -> bool {
    std::fs::read_link(format!("/proc/self/fd/{file}")).is_ok()
}

fn described(kind: u32, file: i32, size: u64, flags: u32) -> CUDA_EXTERNAL_MEMORY_HANDLE_DESC {
    let mut of: CUDA_EXTERNAL_MEMORY_HANDLE_DESC = code!(std::mem::zeroed());
    (of.type_, of.handle.fd, of.size, of.flags) = (CUexternalMemoryHandleType_enum(kind), file, size, flags);
    of
}

fn import(to: &mut CUexternalMemory, of: CUDA_EXTERNAL_MEMORY_HANDLE_DESC) -> CUresult {
    code!(cuImportExternalMemory(to, &raw const of))
}

/// A descriptor of new memory of one unit.
fn exported(answers: &mut Answers) -> i32 {
    let (mut file, kind) = (-1_i32, CUmemAllocationHandleType(FILE));
    let (code, handle) = created(UNIT, &properties(FILE));
    answers.must(code);
    answers.must(code!(cuMemExportToShareableHandle((&raw mut file).cast(), handle, kind, 0)));
    file
}

/// Imported memory of one unit.
fn imported(answers: &mut Answers) -> CUexternalMemory {
    let mut memory = null_mut();
    let file = exported(answers);
    answers.must(import(&mut memory, described(1, file, UNIT as u64, 0)));
    memory
}

fn map(to: &mut CUdeviceptr, memory: CUexternalMemory, offset: u64, size: u64, flags: u32) -> CUresult {
    let of = CUDA_EXTERNAL_MEMORY_BUFFER_DESC { offset, size, flags, reserved: [0; 16] };
    code!(cuExternalMemoryGetMappedBuffer(to, memory, &raw const of))
}

fn mapped(answers: &mut Answers, memory: CUexternalMemory, size: u64) -> CUdeviceptr {
    let mut address = 0;
    answers.must(map(&mut address, memory, 0, size, 0));
    address
}

fn memory_arguments(answers: &mut Answers) {
    initialised();
    context(0);
    let (mut memory, usual) = (null_mut(), described(1, -1, 4096, 0));
    answers.code(code!(cuImportExternalMemory(null_mut(), &raw const usual)));
    answers.code(code!(cuImportExternalMemory(&raw mut memory, null())));
    let file = other_file();
    for of in [usual, described(1, 999, 4096, 0), described(1, file, 0, 0), described(1, file, 4096, 2)] {
        answers.code(import(&mut memory, of));
    }
    answers.code(code!(cuDestroyExternalMemory(null_mut())));
    let mut address = 0;
    answers.code(map(&mut address, null_mut(), 0, 64, 0));
    answers.code(code!(cuCtxSetCurrent(null_mut())));
    answers.code(import(&mut memory, described(1, file, 4096, 0)));
    answers.value(is_open(file));
}

fn memory_types(answers: &mut Answers) {
    initialised();
    context(0);
    let (mut memory, file) = (null_mut(), other_file());
    for kind in [0, 2, 3, 4, 5, 6, 7, 8, 9, 10] {
        answers.code(import(&mut memory, described(kind, file, 4096, 0)));
    }
    for kind in [5, 6, 7, 9] {
        answers.code(import(&mut memory, described(kind, file, 4096, 1)));
    }
    for kind in [2, 8] {
        answers.code(import(&mut memory, described(kind, 0, 4096, 0)));
    }
    answers.value(is_open(file));
}

fn memory_files(answers: &mut Answers) {
    initialised();
    context(0);
    let mut memory = null_mut();
    let file = other_file();
    answers.code(import(&mut memory, described(1, file, 4096, 0)));
    answers.value(is_open(file));
    let file = exported(answers);
    answers.code(import(&mut memory, described(1, file, 0, 0)));
    answers.value(is_open(file));
    answers.code(import(&mut memory, described(1, file, 4096, 1)));
    answers.value(is_open(file));
    answers.code(code!(cuDestroyExternalMemory(memory)));
}

fn memory_sizes(answers: &mut Answers) {
    initialised();
    context(0);
    let (mut memory, mut address) = (null_mut(), 0);
    for (size, ranges) in [(1, [1, 2]), (1 << 40, [UNIT as u64, UNIT as u64 + 1])] {
        let file = exported(answers);
        answers.code(import(&mut memory, described(1, file, size, 0)));
        for range in ranges {
            answers.code(map(&mut address, memory, 0, range, 0));
        }
    }
}

fn buffer_ranges(answers: &mut Answers) {
    initialised();
    context(0);
    let (memory, unit) = (imported(answers), UNIT as u64);
    let mut first = 0;
    answers.code(map(&mut first, memory, 0, unit, 0));
    for (offset, size, flags) in [
        (0, unit, 0),
        (1, unit, 0),
        (unit - 1, 1, 0),
        (unit, 1, 0),
        (0, 0, 0),
        (5, 1, 0),
        (0, 64, 1),
        (u64::MAX, 2, 0),
    ] {
        let mut address = 0;
        let code = map(&mut address, memory, offset, size, flags);
        answers.given(code, address != first && address % unit == offset);
    }
}

fn buffer_ends(answers: &mut Answers) {
    initialised();
    context(0);
    let memory = imported(answers);
    let address = mapped(answers, memory, 4096);
    let mut handle = CUipcMemHandle::default();
    answers.code(code!(cuIpcGetMemHandle(&raw mut handle, address)));
    answers.code(code!(cuMemFreeAsync(address, null_mut())));
    answers.code(code!(cuDestroyExternalMemory(memory)));
    answers.code(code!(cuMemsetD32_v2(address, 7, 1)));
    answers.word(address);
    answers.code(code!(cuMemFree_v2(address)));
    answers.code(code!(cuMemFree_v2(address)));
}

fn buffer_attributes(answers: &mut Answers) {
    use CUpointer_attribute_enum as Attribute;
    initialised();
    let own = context(0);
    let memory = imported(answers);
    let mut address = 0;
    answers.must(map(&mut address, memory, 65536, 4096, 0));
    let mut ask = |attribute: CUpointer_attribute, minus: u64| {
        let mut value = 0_u64;
        let code = code!(cuPointerGetAttribute((&raw mut value).cast(), attribute, address));
        answers.given(code, value.wrapping_sub(minus));
    };
    ask(Attribute::CU_POINTER_ATTRIBUTE_CONTEXT, own.addr() as u64);
    for attribute in [
        Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        Attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED,
        Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
        Attribute::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
        Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE,
        Attribute::CU_POINTER_ATTRIBUTE_MAPPED,
        Attribute::CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE,
        Attribute::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS,
        Attribute::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE,
        Attribute::CU_POINTER_ATTRIBUTE_MAPPING_SIZE,
    ] {
        ask(attribute, 0);
    }
    ask(Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address);
}

fn contexts(answers: &mut Answers) {
    initialised();
    let own = context(0);
    let memory = imported(answers);
    let other = context(0);
    let (mut address, mut of) = (0, 0_u64);
    for set in [null_mut(), other] {
        answers.must(code!(cuCtxSetCurrent(set)));
        answers.code(map(&mut address, memory, 0, 64, 0));
        let attribute = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_CONTEXT;
        let code = code!(cuPointerGetAttribute((&raw mut of).cast(), attribute, address));
        answers.given(code, of == own.addr() as u64);
        answers.code(code!(cuMemFree_v2(address)));
    }
    answers.code(code!(cuDestroyExternalMemory(memory)));
}

/// An image of 64 times 32 texels of 4 bytes, with one level.
fn image() -> CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC {
    let mut of: CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC = code!(std::mem::zeroed());
    (of.arrayDesc.Width, of.arrayDesc.Height, of.arrayDesc.NumChannels) = (64, 32, 4);
    (of.arrayDesc.Format, of.numLevels) = (CU_AD_FORMAT_UNSIGNED_INT8, 1);
    of
}

fn map_image(
    to: &mut CUmipmappedArray,
    memory: CUexternalMemory,
    of: CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC,
) -> CUresult {
    code!(cuExternalMemoryGetMappedMipmappedArray(to, memory, &raw const of))
}

fn capture(answers: &mut Answers) {
    initialised();
    context(0);
    let (memory, file) = (imported(answers), exported(answers));
    let address = mapped(answers, memory, 64);
    let (mut other, mut second, mut array) = (null_mut(), 0, null_mut());
    capturing_stream(answers, |answers, _| {
        answers.code(import(&mut other, described(1, file, 4096, 0)));
        answers.value(is_open(file));
    });
    capturing_stream(answers, |answers, _| {
        answers.code(map(&mut second, memory, 0, 64, 0));
        answers.code(map_image(&mut array, memory, image()));
    });
    capturing_stream(answers, |answers, _| {
        answers.code(code!(cuMemFree_v2(address)));
    });
    capturing_stream(answers, |answers, _| {
        answers.code(code!(cuDestroyExternalMemory(memory)));
    });
}

fn images(answers: &mut Answers) {
    initialised();
    context(0);
    let (memory, mut array) = (imported(answers), null_mut());
    let mut ask = |change: &dyn Fn(&mut CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC)| {
        let mut of = image();
        change(&mut of);
        answers.code(map_image(&mut array, memory, of));
    };
    for levels in [1, 7, 8] {
        ask(&|of| of.numLevels = levels);
    }
    for offset in [1, UNIT as u64 - 4096, UNIT as u64] {
        ask(&|of| of.offset = offset);
    }
    ask(&|of| of.arrayDesc.Width = 0);
    ask(&|of| (of.arrayDesc.Width, of.arrayDesc.Height) = (4096, 4096));
    ask(&|of| of.arrayDesc.NumChannels = 3);
    ask(&|of| of.arrayDesc.Format = CUarray_format(99));
    ask(&|of| of.arrayDesc.Height = 0);
    ask(&|of| of.arrayDesc.Depth = 4);
    ask(&|of| (of.arrayDesc.Depth, of.arrayDesc.Flags) = (2, CUDA_ARRAY3D_LAYERED));
    for flags in [
        CUDA_ARRAY3D_SURFACE_LDST,
        CUDA_ARRAY3D_TEXTURE_GATHER,
        CUDA_ARRAY3D_COLOR_ATTACHMENT,
        CUDA_ARRAY3D_DEPTH_TEXTURE,
        CUDA_ARRAY3D_SPARSE,
        CUDA_ARRAY3D_DEFERRED_MAPPING,
        0x4000,
    ] {
        ask(&|of| of.arrayDesc.Flags = flags);
    }
}

fn image_levels(answers: &mut Answers) {
    initialised();
    context(0);
    let (memory, mut whole, mut level) = (imported(answers), null_mut(), null_mut());
    let mut of = image();
    (of.numLevels, of.arrayDesc.Flags) = (3, CUDA_ARRAY3D_COLOR_ATTACHMENT);
    answers.code(map_image(&mut whole, memory, of));
    for index in [0, 2] {
        answers.code(code!(cuMipmappedArrayGetLevel(&raw mut level, whole, index)));
        let mut shown = CUDA_ARRAY3D_DESCRIPTOR::default();
        let code = code!(cuArray3DGetDescriptor_v2(&raw mut shown, level));
        answers.given(code, format_args!("{}x{}/{:#x}", shown.Width, shown.Height, shown.Flags));
    }
    answers.code(code!(cuMipmappedArrayGetLevel(&raw mut level, whole, 3)));
    let mut needed = CUDA_ARRAY_MEMORY_REQUIREMENTS::default();
    answers.code(code!(cuMipmappedArrayGetMemoryRequirements(&raw mut needed, whole, 0)));
    answers.code(code!(cuDestroyExternalMemory(memory)));
    answers.code(code!(cuMipmappedArrayDestroy(whole)));
}

fn images_alias(answers: &mut Answers) {
    initialised();
    context(0);
    let memory = imported(answers);
    let mut level = || {
        let (mut whole, mut level) = (null_mut(), null_mut());
        answers.code(map_image(
            &mut whole,
            memory,
            CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC { numLevels: 3, ..image() },
        ));
        answers.must(code!(cuMipmappedArrayGetLevel(&raw mut level, whole, 1)));
        level
    };
    let (to, from) = (level(), level());
    let (row, mut seen) = (std::array::from_fn::<u8, 128, _>(|index| index as u8), [0_u8; 128]);
    answers.code(code!(cuMemcpyHtoA_v2(to, 0, row.as_ptr().cast(), 128)));
    answers.code(code!(cuMemcpyAtoH_v2(seen.as_mut_ptr().cast(), from, 0, 128)));
    answers.value(seen == row);
}

fn import_semaphore(to: &mut CUexternalSemaphore, kind: u32, file: i32, flags: u32) -> CUresult {
    let mut of: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC = code!(std::mem::zeroed());
    (of.type_, of.handle.fd, of.flags) = (CUexternalSemaphoreHandleType_enum(kind), file, flags);
    code!(cuImportExternalSemaphore(to, &raw const of))
}

fn semaphore_types(answers: &mut Answers) {
    initialised();
    context(0);
    let (mut semaphore, file) = (null_mut(), other_file());
    for kind in 0..=12 {
        answers.code(import_semaphore(&mut semaphore, kind, file, 0));
    }
    answers.value(is_open(file));
}

fn semaphore_arguments(answers: &mut Answers) {
    initialised();
    context(0);
    let (mut semaphore, file) = (null_mut(), other_file());
    answers.code(code!(cuImportExternalSemaphore(&raw mut semaphore, null())));
    for (kind, file, flags) in [(1, -1, 0), (9, -1, 0), (1, 999, 0), (9, 999, 0), (1, file, 1), (9, file, 4)]
    {
        answers.code(import_semaphore(&mut semaphore, kind, file, flags));
    }
    answers.code(code!(cuDestroyExternalSemaphore(null_mut())));
    answers.code(code!(cuCtxSetCurrent(null_mut())));
    answers.code(import_semaphore(&mut semaphore, 1, file, 0));
}

fn semaphore_none(answers: &mut Answers) {
    initialised();
    context(0);
    let (own, semaphore) = (stream(1), null_mut());
    let signal: CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS = code!(std::mem::zeroed());
    let wait: CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS = code!(std::mem::zeroed());
    answers.code(code!(cuSignalExternalSemaphoresAsync(null(), null(), 0, own)));
    answers.code(code!(cuWaitExternalSemaphoresAsync(null(), null(), 0, own)));
    answers.code(code!(cuSignalExternalSemaphoresAsync(&raw const semaphore, &raw const signal, 0, own)));
    answers.code(code!(cuWaitExternalSemaphoresAsync(&raw const semaphore, &raw const wait, 0, own)));
    answers.code(code!(cuSignalExternalSemaphoresAsync(null(), null(), 1, own)));
}

fn semaphore_capture(answers: &mut Answers) {
    initialised();
    context(0);
    let (mut semaphore, file) = (null_mut(), other_file());
    capturing_stream(answers, |answers, _| {
        answers.code(import_semaphore(&mut semaphore, 9, file, 0));
        answers.value(is_open(file));
    });
    capturing_stream(answers, |answers, on| {
        answers.code(code!(cuSignalExternalSemaphoresAsync(null(), null(), 0, on)));
    });
}
