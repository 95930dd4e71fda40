//! Questions about physical memory without an address: making, querying and sharing it.

use super::pool_places::other_file;
use super::pools::{FILE, NO_HANDLE};
use super::virtual_memory::{
    TWO, UNIT, after, create, created, grant, mapped_at, properties, release, reserve,
};
use super::{
    Answers, DEVICE, HOST, NUMA_NODE, NUMA_NODE_CURRENT, Question, READ_WRITE, fill, initialised, location,
};
use cuda_suite::code;
use cuda_suite::raw::context;
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "virtual-granularity", devices: 1, ask: granularity },
    Question { name: "virtual-create", devices: 1, ask: create_all },
    Question { name: "virtual-properties", devices: 1, ask: properties_shown },
    Question { name: "virtual-handles", devices: 1, ask: handles },
    Question { name: "virtual-handle-unknown", devices: 1, ask: handle_unknown },
    Question { name: "virtual-share", devices: 1, ask: share },
];

fn granularity(answers: &mut Answers) {
    initialised();
    context(0);
    let usual = properties(NO_HANDLE);
    let at = |kind: u32, id: i32| CUmemAllocationProp { location: location(kind, id), ..usual };
    let kind = |kind: u32| CUmemAllocationProp { type_: CUmemAllocationType_enum(kind), ..usual };
    let mut bytes = 0;
    let place = &raw mut bytes;
    let mut ask = |properties: CUmemAllocationProp, option: u32| {
        let option = CUmemAllocationGranularity_flags(option);
        let code = code!(cuMemGetAllocationGranularity(place, &raw const properties, option));
        // SAFETY: the variable that the call wrote to.
        answers.given(code, unsafe { place.read() });
    };
    for option in [0, 1, 2] {
        ask(usual, option);
    }
    for properties in [
        properties(FILE),
        at(HOST, 0),
        at(NUMA_NODE, 0),
        at(NUMA_NODE_CURRENT, 0),
        at(DEVICE, 99),
        at(0, 0),
        kind(0),
        kind(2),
    ] {
        ask(properties, 0);
    }
    let option = CUmemAllocationGranularity_flags(0);
    answers.code(code!(cuMemGetAllocationGranularity(null_mut(), &raw const usual, option)));
    answers.code(code!(cuMemGetAllocationGranularity(place, null(), option)));
}

fn with_flags(compressed: u8, direct: u8, usage: u16) -> CUmemAllocationProp {
    let mut flagged = properties(NO_HANDLE);
    flagged.allocFlags.compressionType = compressed;
    flagged.allocFlags.gpuDirectRDMACapable = direct;
    flagged.allocFlags.usage = usage;
    flagged
}

fn create_all(answers: &mut Answers) {
    initialised();
    context(0);
    let usual = properties(NO_HANDLE);
    let at = |kind: u32, id: i32| CUmemAllocationProp { location: location(kind, id), ..usual };
    let kind = |kind: u32| CUmemAllocationProp { type_: CUmemAllocationType_enum(kind), ..usual };
    for bytes in [0, 1, UNIT, 3 * UNIT, UNIT + 4096, 1 << 50] {
        answers.code(created(bytes, &usual).0);
    }
    let all = [
        properties(FILE),
        properties(8),
        properties(2),
        properties(16),
        at(HOST, 0),
        at(NUMA_NODE, 0),
        at(NUMA_NODE_CURRENT, 0),
        at(DEVICE, 99),
        kind(0),
        kind(2),
        with_flags(1, 0, 0),
        with_flags(0, 1, 0),
        with_flags(0, 0, 1),
        with_flags(0, 0, 8),
    ];
    for properties in &all {
        answers.code(created(UNIT, properties).0);
    }
    let mut handle = 0;
    answers.code(code!(cuMemCreate(&raw mut handle, UNIT, &raw const usual, 1)));
    answers.code(code!(cuMemCreate(null_mut(), UNIT, &raw const usual, 0)));
    answers.code(code!(cuMemCreate(&raw mut handle, UNIT, null(), 0)));
}

fn shown(answers: &mut Answers, handle: CUmemGenericAllocationHandle) {
    let mut of = CUmemAllocationProp::default();
    if answers.code(code!(cuMemGetAllocationPropertiesFromHandle(&raw mut of, handle))) {
        // SAFETY: a number, whatever the kind of location.
        let id = unsafe { of.location.__bindgen_anon_1.id };
        let flags = of.allocFlags;
        answers.value(format_args!(
            "{}/{}/{}/{id}/{}/{}/{}",
            of.type_.0,
            of.requestedHandleTypes.0,
            of.location.type_.0,
            flags.compressionType,
            flags.gpuDirectRDMACapable,
            flags.usage
        ));
    }
}

fn properties_shown(answers: &mut Answers) {
    initialised();
    context(0);
    let usual = properties(NO_HANDLE);
    let at = |kind: u32| CUmemAllocationProp { location: location(kind, 0), ..usual };
    let all = [
        usual,
        properties(FILE),
        properties(16),
        at(HOST),
        at(NUMA_NODE),
        with_flags(1, 0, 0),
        with_flags(0, 1, 0),
        with_flags(0, 0, 1),
    ];
    for properties in &all {
        let (code, handle) = created(UNIT, properties);
        if answers.code(code) {
            shown(answers, handle);
        }
    }
}

fn handles(answers: &mut Answers) {
    initialised();
    context(0);
    let handle = create(NO_HANDLE);
    answers.codes([release(handle), release(handle), release(0)]);
    shown(answers, 0);
}

fn handle_unknown(answers: &mut Answers) {
    initialised();
    context(0);
    shown(answers, 0x123_4567);
}

pub(super) fn exported(handle: CUmemGenericAllocationHandle, kind: u32, flags: u64) -> (CUresult, i32) {
    let (mut file, kind) = (-1, CUmemAllocationHandleType(kind));
    (code!(cuMemExportToShareableHandle((&raw mut file).cast(), handle, kind, flags)), file)
}

fn imported(file: i32) -> (CUresult, CUmemGenericAllocationHandle) {
    let (mut handle, kind) = (0, CUmemAllocationHandleType(FILE));
    let file = std::ptr::without_provenance_mut(file as usize);
    (code!(cuMemImportFromShareableHandle(&raw mut handle, file, kind)), handle)
}

/// Exports a handle, and imports it in the same process.
fn share(answers: &mut Answers) {
    initialised();
    context(0);
    let (address, handle) = (reserve(8), create(FILE));
    answers.codes([
        mapped_at(address, TWO, 0, handle),
        grant(address, TWO, READ_WRITE, 0),
        fill(address, 77),
    ]);
    let (code, file) = exported(handle, FILE, 0);
    answers.given(code, file >= 0);
    answers.codes([exported(handle, FILE, 1).0, exported(handle, 2, 0).0]);
    let (code, again) = imported(file);
    answers.given(code, again == handle);
    shown(answers, again);
    let second = after(address, 2);
    answers.codes([mapped_at(second, TWO, 0, again), grant(second, TWO, READ_WRITE, 0)]);
    answers.word(second);
    answers.codes([release(again), release(handle), imported(other_file()).0, imported(999).0]);
}
