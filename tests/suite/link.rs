//! Linking PTX into an image, and kernels of libraries in place of functions. Only the raw API has these.

use cuda_rt::DeviceBuf;
use cuda_rt::error::Code;
use cuda_suite::{context, driver, stream};
use cuda_sys::{
    CUdevice, CUfunc_cache_enum as Cache, CUfunction, CUjit_option, CUjit_option_enum as Jit,
    CUjitInputType_enum as Input, CUkernel, CUlibrary, CUlinkState, CUmodule, CUresult, cuKernelGetName,
    cuKernelSetCacheConfig, cuLaunchKernel, cuLibraryGetKernel, cuLibraryLoadData, cuLibraryUnload,
    cuLinkAddData_v2, cuLinkComplete, cuLinkCreate_v2, cuLinkDestroy, cuModuleGetFunction, cuModuleLoadData,
    cuModuleUnload, cuOccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxPotentialBlockSize,
};
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;

const PUT: &CStr = c".version 6.4
    .target sm_50
    .address_size 64
    .visible .entry put(.param .u64 out) {
        .reg .b64 %a;
        ld.param.u64 %a, [out]; st.global.u32 [%a], 77; ret; }";

const LOG: [CUjit_option; 2] = [Jit::CU_JIT_ERROR_LOG_BUFFER, Jit::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];

/// A linker; its logs go to `log`, whose size is in the second of `values`.
fn linker(
    log: &mut [u8; 1000],
    options: &mut [CUjit_option; 2],
    values: &mut [*mut c_void; 2],
) -> CUlinkState {
    *values = [log.as_mut_ptr().cast(), std::ptr::without_provenance_mut(log.len())];
    let mut linker: CUlinkState = null_mut();
    // SAFETY: a context is current; the options and the buffer outlive the linker.
    let made = unsafe { cuLinkCreate_v2(2, options.as_mut_ptr(), values.as_mut_ptr(), &raw mut linker) };
    assert!(made.is_success(), "{made}");
    linker
}

fn add(linker: CUlinkState, text: &CStr) -> CUresult {
    add_sized(linker, text, text.to_bytes_with_nul().len())
}

fn add_sized(linker: CUlinkState, text: &CStr, size: usize) -> CUresult {
    // SAFETY: the linker is live, and the text is a C string of at least this size.
    unsafe {
        cuLinkAddData_v2(
            linker,
            Input::CU_JIT_INPUT_PTX,
            text.as_ptr().cast_mut().cast(),
            size,
            c"a text".as_ptr(),
            0,
            null_mut(),
            null_mut(),
        )
    }
}

fn launch(function: CUfunction) {
    let stream = stream();
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let mut address = out.ptr().as_raw();
    let mut arguments = [(&raw mut address).cast::<c_void>()];
    // SAFETY: one thread writes the one element of `out`, which is the one argument.
    let launched = unsafe {
        cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream.as_raw(), arguments.as_mut_ptr(), null_mut())
    };
    assert!(launched.is_success(), "{launched}");
    assert_eq!(out.to_vec().unwrap(), [77]);
}

#[test]
fn linked_image_is_loaded_and_runs() {
    link_and_run(&[(PUT, PUT.to_bytes_with_nul().len())]);
}

/// Conformance fact V1083.
#[test]
fn index_of_linked_unsized_array_counts_bytes() {
    let kernel = c".version 6.4 .target sm_50 .address_size 64
        .extern .global .u64 table[];
        .visible .entry put(.param .u64 out) {
            .reg .b64 %d<4>;
            ld.param.u64 %d0, [out]; mov.u64 %d1, table[77]; mov.u64 %d2, table; sub.u64 %d1, %d1, %d2;
            st.global.u32 [%d0], %d1; ret; }";
    let table = c".version 6.4 .target sm_50 .address_size 64
        .visible .global .u64 table[16];";
    for texts in [[kernel, table], [table, kernel]] {
        link_and_run(&texts.map(|text| (text, text.to_bytes_with_nul().len())));
    }
}

/// The driver reads a text up to its NUL.
#[test]
fn ptx_is_linked_whole_despite_a_smaller_size() {
    link_and_run(&[(PUT, PUT.to_bytes().len() - 60)]);
    link_and_run(&[(PUT, 1)]);
}

/// Links texts, with the size that the driver is told for each, and runs their kernel `put`.
fn link_and_run(texts: &[(&CStr, usize)]) {
    let context = context();
    let _entered = context.enter().unwrap();
    let (mut log, mut options, mut values) = ([0; 1000], LOG, [null_mut(); 2]);
    let linker = linker(&mut log, &mut options, &mut values);
    for (text, size) in texts {
        assert!(add_sized(linker, text, *size).is_success());
    }
    let (mut image, mut size) = (null_mut(), 0);
    // SAFETY: both are valid for writes, and the linker is live.
    assert!(unsafe { cuLinkComplete(linker, &raw mut image, &raw mut size) }.is_success());
    // SAFETY: the image lives until the linker is destroyed.
    let copy = unsafe { std::slice::from_raw_parts(image.cast::<u8>(), size) }.to_vec();
    // SAFETY: live until now.
    assert!(unsafe { cuLinkDestroy(linker) }.is_success());
    let mut module: CUmodule = null_mut();
    // SAFETY: the image is whole, and the module valid for a write.
    let loaded = unsafe { cuModuleLoadData(&raw mut module, copy.as_ptr().cast()) };
    assert!(loaded.is_success(), "{loaded}");
    let mut function: CUfunction = null_mut();
    // SAFETY: the module is live, the name a C string.
    assert!(unsafe { cuModuleGetFunction(&raw mut function, module, c"put".as_ptr()) }.is_success());
    launch(function);
    // SAFETY: nothing of it is in use.
    assert!(unsafe { cuModuleUnload(module) }.is_success());
}

#[test]
fn a_text_that_is_wrong_is_refused_when_it_is_added() {
    let context = context();
    let _entered = context.enter().unwrap();
    let (mut log, mut options, mut values) = ([0; 1000], LOG, [null_mut(); 2]);
    let linker = linker(&mut log, &mut options, &mut values);
    let wrong = c".version 6.4 .target sm_50 .address_size 64
        .visible .entry k() { bogus.u32 %r1, %r2; ret; }";
    assert_eq!(Code::new(add(linker, wrong)), Some(Code::InvalidPtx));
    // SAFETY: live until now.
    assert!(unsafe { cuLinkDestroy(linker) }.is_success());
    let text = CStr::from_bytes_until_nul(&log).unwrap().to_str().unwrap();
    assert!(text.contains("bogus"), "{text}");
}

#[test]
fn kernels_of_libraries_stand_for_functions() {
    driver();
    let context = context();
    let _entered = context.enter().unwrap();
    let (mut library, mut kernel): (CUlibrary, CUkernel) = (null_mut(), null_mut());
    let (image, none) = (PUT.as_ptr().cast(), null_mut());
    // SAFETY: the text ends with NUL; there are no options.
    let loaded =
        unsafe { cuLibraryLoadData(&raw mut library, image, null_mut(), none, 0, null_mut(), null_mut(), 0) };
    assert!(loaded.is_success(), "{loaded}");
    // SAFETY: the library is live, the name a C string.
    assert!(unsafe { cuLibraryGetKernel(&raw mut kernel, library, c"put".as_ptr()) }.is_success());
    let function: CUfunction = kernel.cast();
    let mut blocks = 0;
    // SAFETY: a kernel may stand in a function's place.
    let asked = unsafe { cuOccupancyMaxActiveBlocksPerMultiprocessor(&raw mut blocks, function, 128, 0) };
    assert!(asked.is_success(), "{asked}");
    assert!(blocks >= 1, "{blocks}");
    let (mut grid, mut block) = (0, 0);
    // SAFETY: as above; no function says how much shared memory there is to be.
    let asked =
        unsafe { cuOccupancyMaxPotentialBlockSize(&raw mut grid, &raw mut block, function, None, 0, 0) };
    assert!(asked.is_success(), "{asked}");
    assert!(grid >= 1 && block >= 32, "{grid} {block}");
    let device: CUdevice = cuda_suite::device().as_raw();
    // SAFETY: the kernel is live.
    let set = unsafe { cuKernelSetCacheConfig(kernel, Cache::CU_FUNC_CACHE_PREFER_L1, device) };
    assert!(set.is_success(), "{set}");
    let mut name: *const c_char = std::ptr::null();
    // SAFETY: the kernel is live, the name valid for a write.
    assert!(unsafe { cuKernelGetName(&raw mut name, kernel) }.is_success());
    // SAFETY: the name lives as long as the kernel.
    assert_eq!(unsafe { CStr::from_ptr(name) }, c"put");
    launch(function);
    // SAFETY: nothing of it is in use.
    assert!(unsafe { cuLibraryUnload(library) }.is_success());
}
