//! Questions about descriptors of device memory for other devices.

use super::memory::{managed, of_default_pool, page_locked_bytes, pages};
use super::virtual_memory::{UNIT, created, properties};
use super::{Answers, DEVICE, Question, READ_WRITE, access, capturing, initialised, location};
use cuda_suite::code;
use cuda_suite::raw::{allocate, context, stream};
use cuda_sys::*;
use std::ptr::null_mut;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "dma-buf", devices: 1, ask: ranges },
    Question { name: "dma-buf-memory", devices: 1, ask: memory },
    Question { name: "dma-buf-mapped", devices: 1, ask: mapped },
    Question { name: "dma-buf-context", devices: 1, ask: contexts },
    Question { name: "dma-buf-uninitialised", devices: 1, ask: uninitialised },
];

const PAGE: u64 = 4096;
const BYTES: usize = 2 * UNIT;

fn asked(address: CUdeviceptr, bytes: usize, kind: u32, flags: u64) -> (CUresult, i32) {
    let mut file = -2;
    let (to, kind) = ((&raw mut file).cast(), CUmemRangeHandleType(kind));
    (code!(cuMemGetHandleForAddressRange(to, address, bytes, kind, flags)), file)
}

/// The answer, and the size of the file; of a refusal, what was written in place of a descriptor.
#[cfg(unix)]
fn give(answers: &mut Answers, (code, file): (CUresult, i32)) {
    use std::io::{Seek, SeekFrom};
    use std::os::fd::FromRawFd;
    if !answers.code(code) {
        return answers.value(if file == -2 { "nothing".to_owned() } else { file.to_string() });
    }
    // SAFETY: the driver has made it just now.
    let mut file = unsafe { std::fs::File::from_raw_fd(file) };
    answers.value(file.seek(SeekFrom::End(0)).unwrap());
}

#[cfg(not(unix))]
fn give(answers: &mut Answers, (code, _): (CUresult, i32)) {
    answers.code(code);
}

fn ranges(answers: &mut Answers) {
    initialised();
    context(0);
    let memory = allocate(BYTES);
    for (offset, bytes) in [(0, BYTES), (0, 4096), (PAGE, 8192), (0, 100), (100, 4096), (0, 0), (0, 64 << 20)]
    {
        give(answers, asked(memory + offset, bytes, 1, 0));
    }
    for (kind, flags) in [(0, 0), (2, 0), (1, 1), (1, 2), (1, 4)] {
        give(answers, asked(memory, 4096, kind, flags));
    }
    for address in [0, 0x10000] {
        give(answers, asked(address, 4096, 1, 0));
    }
    let kind = CUmemRangeHandleType(1);
    answers.code(code!(cuMemGetHandleForAddressRange(null_mut(), memory, 4096, kind, 0)));
    answers.code(code!(cuMemFree_v2(memory)));
    give(answers, asked(memory, 4096, 1, 0));
}

fn memory(answers: &mut Answers) {
    initialised();
    context(0);
    let small = allocate(100);
    for bytes in [4096, UNIT, 2 * UNIT] {
        give(answers, asked(small, bytes, 1, 0));
    }
    let pool = of_default_pool(UNIT, stream(1));
    answers.code(code!(cuCtxSynchronize()));
    give(answers, asked(pool, UNIT, 1, 0));
    for other in [managed(UNIT, 1), page_locked_bytes(UNIT, 0), pages(2).expose_provenance() as CUdeviceptr] {
        give(answers, asked(other, 4096, 1, 0));
    }
}

fn mapped(answers: &mut Answers) {
    initialised();
    context(0);
    let (code, handle) = created(UNIT, &properties(0));
    answers.must(code);
    let mut address = 0;
    answers.must(code!(cuMemAddressReserve(&raw mut address, 2 * UNIT, 0, 0, 0)));
    give(answers, asked(address, UNIT, 1, 0));
    answers.must(code!(cuMemMap(address, UNIT, 0, handle, 0)));
    give(answers, asked(address, UNIT, 1, 0));
    let list = access(location(DEVICE, 0), READ_WRITE);
    answers.must(code!(cuMemSetAccess(address, UNIT, &raw const list, 1)));
    for bytes in [UNIT, 2 * UNIT, UNIT / 2] {
        give(answers, asked(address, bytes, 1, 0));
    }
}

fn contexts(answers: &mut Answers) {
    initialised();
    context(0);
    let memory = allocate(BYTES);
    capturing(answers, |answers| give(answers, asked(memory, 4096, 1, 0)));
    answers.must(code!(cuCtxSetCurrent(null_mut())));
    give(answers, asked(memory, 4096, 1, 0));
}

fn uninitialised(answers: &mut Answers) {
    give(answers, asked(0x10_0000, 4096, 1, 0));
}
