//! Questions about memory pools.

use super::{
    Answers, DEVICE, HOST, NUMA_NODE, NUMA_NODE_CURRENT, PTX, Question, capturing, default_pool, fill,
    initialised, location, synchronize, while_running,
};
use cuda_suite::raw::{allocate, context, function, launch, page_locked, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};
use std::sync::atomic::Ordering;

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "pool-create", devices: 1, ask: create_all },
    Question { name: "pool-no-context", devices: 1, ask: no_context },
    Question { name: "pool-attributes", devices: 1, ask: attributes_at_first },
    Question { name: "pool-attributes-set", devices: 1, ask: attributes_set },
    Question { name: "pool-attributes-no-value", devices: 1, ask: attributes_no_value },
    Question { name: "pool-use", devices: 1, ask: use_it },
    Question { name: "pool-threshold", devices: 1, ask: threshold },
    Question { name: "pool-trim", devices: 1, ask: trim },
    Question { name: "pool-released", devices: 1, ask: released },
    Question { name: "pool-free", devices: 1, ask: free },
    Question { name: "pool-nothing", devices: 1, ask: nothing },
    Question { name: "pool-refused", devices: 1, ask: refused },
    Question { name: "pool-most", devices: 1, ask: most },
    Question { name: "pool-reuse", devices: 1, ask: reuse },
    Question { name: "pool-destroy", devices: 1, ask: destroy },
    Question { name: "pool-destroy-used", devices: 1, ask: destroy_used },
    Question { name: "pool-context-destroyed", devices: 1, ask: context_destroyed },
    Question { name: "pool-running", devices: 1, ask: running },
    Question { name: "pool-capture", devices: 1, ask: capture },
];

const MIB: usize = 1 << 20;
pub(super) const NO_HANDLE: u32 = 0;
pub(super) const FILE: u32 = 1;

/// Properties of a pool on a device.
pub(super) fn properties(device: CUdevice, handles: u32) -> CUmemPoolProps {
    CUmemPoolProps {
        allocType: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        handleTypes: CUmemAllocationHandleType(handles),
        location: location(DEVICE, device),
        ..CUmemPoolProps::default()
    }
}

pub(super) fn made(properties: &CUmemPoolProps) -> CUmemoryPool {
    let mut pool = null_mut();
    call!(cuMemPoolCreate(&raw mut pool, properties));
    pool
}

/// A new context of the first device, and a pool there.
pub(super) fn pool() -> CUmemoryPool {
    initialised();
    context(0);
    made(&properties(0, NO_HANDLE))
}

pub(super) fn try_from(pool: CUmemoryPool, bytes: usize, stream: CUstream) -> (CUresult, CUdeviceptr) {
    let mut address = 0;
    (code!(cuMemAllocFromPoolAsync(&raw mut address, bytes, pool, stream)), address)
}

pub(super) fn from(pool: CUmemoryPool, bytes: usize, stream: CUstream) -> CUdeviceptr {
    let (code, address) = try_from(pool, bytes, stream);
    assert_eq!(code, CUresult::CUDA_SUCCESS);
    address
}

fn freed(address: CUdeviceptr, stream: CUstream) -> CUresult {
    code!(cuMemFreeAsync(address, stream))
}

fn waited(stream: CUstream) -> CUresult {
    code!(cuStreamSynchronize(stream))
}

pub(super) fn trimmed(pool: CUmemoryPool, keep: usize) -> CUresult {
    code!(cuMemPoolTrimTo(pool, keep))
}

/// An attribute of a pool: four bytes of the first three, eight of the others.
pub(super) fn get(pool: CUmemoryPool, attribute: u32) -> (CUresult, u64) {
    let mut value = 0_u64;
    let place = (&raw mut value).cast();
    let code = code!(cuMemPoolGetAttribute(pool, CUmemPool_attribute(attribute), place));
    (code, if attribute < 4 { value & 0xffff_ffff } else { value })
}

fn set(pool: CUmemoryPool, attribute: u32, mut value: u64) -> CUresult {
    let value = (&raw mut value).cast();
    code!(cuMemPoolSetAttribute(pool, CUmemPool_attribute(attribute), value))
}

/// Bytes that a pool holds, the most it held, bytes in use, the most of them.
pub(super) fn usage(answers: &mut Answers, pool: CUmemoryPool) {
    answers.value([5, 6, 7, 8].map(|attribute| get(pool, attribute).1.to_string()).join("/"));
}

/// Bytes that a pool holds, and those in use.
pub(super) fn held(answers: &mut Answers, pool: CUmemoryPool) {
    answers.value(format_args!("{}/{}", get(pool, 5).1, get(pool, 7).1));
}

fn create_all(answers: &mut Answers) {
    initialised();
    context(0);
    let usual = properties(0, NO_HANDLE);
    let handles = |handles: u32| properties(0, handles);
    let at = |kind: u32, id: i32| CUmemPoolProps { location: location(kind, id), ..usual };
    let kind = |kind: u32| CUmemPoolProps { allocType: CUmemAllocationType_enum(kind), ..usual };
    let most = |most: usize| CUmemPoolProps { maxSize: most, ..usual };
    let used = |usage: u16| CUmemPoolProps { usage, ..usual };
    let all = [
        usual,
        handles(FILE),
        handles(8),
        handles(9),
        handles(2),
        handles(16),
        most(1),
        most(4 * MIB),
        most(1 << 50),
        kind(0),
        kind(2),
        kind(3),
        used(1),
        used(2),
        used(4),
        CUmemPoolProps { gpuDirectRDMACapable: 1, ..usual },
        at(DEVICE, 99),
        at(HOST, 0),
        CUmemPoolProps { location: location(HOST, 0), ..handles(FILE) },
        at(NUMA_NODE, 0),
        at(NUMA_NODE, 99),
        at(NUMA_NODE_CURRENT, 0),
        at(0, 0),
    ];
    let mut pool = null_mut();
    for properties in &all {
        if answers.code(code!(cuMemPoolCreate(&raw mut pool, properties))) {
            call!(cuMemPoolDestroy(pool));
        }
    }
    answers.code(code!(cuMemPoolCreate(null_mut(), &raw const usual)));
    answers.code(code!(cuMemPoolCreate(&raw mut pool, null())));
    answers.code(code!(cuMemPoolDestroy(null_mut())));
}

fn no_context(answers: &mut Answers) {
    initialised();
    let (mut pool, usual) = (null_mut(), properties(0, NO_HANDLE));
    answers.code(code!(cuMemPoolCreate(&raw mut pool, &raw const usual)));
    answers.code(code!(cuMemPoolDestroy(pool)));
}

fn attributes_at_first(answers: &mut Answers) {
    let own = pool();
    for attribute in 1..18 {
        let (code, value) = get(own, attribute);
        answers.given(code, value);
    }
    usage(answers, default_pool(0));
}

fn attributes_set(answers: &mut Answers) {
    initialised();
    context(0);
    let pool = default_pool(0);
    answers.codes([5, 7].map(|attribute| set(pool, attribute, 0)));
    answers.codes([6, 8].map(|attribute| set(pool, attribute, 0)));
    answers.codes([6, 8].map(|attribute| set(pool, attribute, 1)));
    answers.codes([17, 0, 9].map(|attribute| set(pool, attribute, 1)));
    for (attribute, value) in [(1, 5), (2, 0xffff_ffff), (4, u64::MAX)] {
        answers.code(set(pool, attribute, value));
        let (code, value) = get(pool, attribute);
        answers.given(code, value);
    }
    let (attribute, mut value) = (CUmemPool_attribute(1), 0_u64);
    answers.code(code!(cuMemPoolGetAttribute(pool, attribute, null_mut())));
    answers.code(code!(cuMemPoolGetAttribute(null_mut(), attribute, (&raw mut value).cast())));
}

fn attributes_no_value(answers: &mut Answers) {
    let pool = pool();
    answers.code(code!(cuMemPoolSetAttribute(pool, CUmemPool_attribute(1), null_mut())));
}

fn use_it(answers: &mut Answers) {
    let (pool, on) = (pool(), stream(1));
    let first = from(pool, 1, on);
    usage(answers, pool);
    let second = from(pool, 3 * MIB, on);
    usage(answers, pool);
    answers.code(freed(second, on));
    usage(answers, pool);
    answers.code(waited(on));
    usage(answers, pool);
    answers.codes([freed(first, on), waited(on)]);
    usage(answers, pool);
}

fn threshold(answers: &mut Answers) {
    let (pool, on) = (pool(), stream(1));
    answers.code(set(pool, 4, 1 << 40));
    let memory = from(pool, 64 * MIB, on);
    usage(answers, pool);
    answers.codes([freed(memory, on), waited(on)]);
    usage(answers, pool);
    for keep in [40 * MIB, 0] {
        answers.code(trimmed(pool, keep));
        usage(answers, pool);
    }
    answers.codes([set(pool, 6, 0), set(pool, 8, 0)]);
    usage(answers, pool);
}

fn trim(answers: &mut Answers) {
    let (pool, on) = (pool(), stream(1));
    answers.code(set(pool, 4, 1 << 40));
    let (_kept, memory) = (from(pool, 10, on), from(pool, 64 * MIB, on));
    answers.code(trimmed(pool, 0));
    usage(answers, pool);
    answers.codes([freed(memory, on), trimmed(pool, 0), waited(on)]);
    usage(answers, pool);
    answers.code(trimmed(pool, 0));
    usage(answers, pool);
}

/// Calls that release unused memory once its stream is done, without a threshold.
fn released(answers: &mut Answers) {
    initialised();
    context(0);
    let (on, other, plain) = (stream(1), stream(1), allocate(64));
    let mut mark = null_mut();
    call!(cuEventCreate(&raw mut mark, 0));
    let mut word = 0_u32;
    let calls: [&mut dyn FnMut(CUmemoryPool) -> CUresult; 9] = [
        &mut |_| code!(cuStreamQuery(on)),
        &mut |_| code!(cuEventQuery(mark)),
        &mut |_| waited(other),
        &mut |_| code!(cuMemcpyDtoH_v2((&raw mut word).cast(), plain, 4)),
        &mut |_| code!(cuMemFree_v2(allocate(64))),
        &mut |pool| trimmed(pool, 0),
        &mut |_| code!(cuEventSynchronize(mark)),
        &mut |_| waited(on),
        &mut |_| synchronize(),
    ];
    for call in calls {
        let pool = made(&properties(0, NO_HANDLE));
        let memory = from(pool, 64, on);
        call!(cuMemFreeAsync(memory, on));
        call!(cuEventRecord(mark, on));
        while code!(cuStreamQuery(on)) == CUresult::CUDA_ERROR_NOT_READY {}
        answers.code(call(pool));
        held(answers, pool);
    }
}

/// By the function for plain memory.
fn free(answers: &mut Answers) {
    let (pool, on) = (pool(), stream(1));
    let memory = from(pool, 64, on);
    answers.code(code!(cuMemFree_v2(memory)));
    held(answers, pool);
    answers.code(synchronize());
    held(answers, pool);
}

fn nothing(answers: &mut Answers) {
    let (pool, on) = (pool(), stream(1));
    let (code, address) = try_from(pool, 0, on);
    answers.given(code, address);
    answers.value(get(pool, 7).1);
    answers.code(freed(address, on));
    let mut address = 99;
    let code = code!(cuMemAllocAsync(&raw mut address, 0, on));
    answers.given(code, address);
}

fn refused(answers: &mut Answers) {
    let (pool, on) = (pool(), stream(1));
    answers.codes([try_from(pool, 1 << 50, on).0, try_from(null_mut(), 4, on).0]);
    answers.code(code!(cuMemAllocFromPoolAsync(null_mut(), 4, pool, on)));
    answers.code(try_from(pool, 4, null_mut()).0);
}

fn most(answers: &mut Answers) {
    initialised();
    context(0);
    let on = stream(1);
    let limited = |most: usize| made(&CUmemPoolProps { maxSize: most, ..properties(0, NO_HANDLE) });
    let pool = limited(4 * MIB);
    answers.codes([try_from(pool, 4 * MIB, on).0, try_from(pool, 1, on).0]);
    usage(answers, pool);
    let pool = limited(1);
    answers.value((0..80).filter(|_| try_from(pool, MIB, on).0.is_success()).count());
    usage(answers, pool);
    let pool = limited(4 * MIB);
    answers.codes([try_from(pool, 4 * MIB + 1, on).0, try_from(pool, 33 * MIB, on).0]);
}

/// Reuse of freed memory: by an unrelated stream, by a stream that waits for an event, and by one after waiting for everything.
fn reuse(answers: &mut Answers) {
    initialised();
    context(0);
    let off: [&[u32]; 5] = [&[], &[1, 3], &[3], &[1], &[1, 2, 3]];
    for off in off {
        let pool = made(&properties(0, NO_HANDLE));
        off.iter().for_each(|attribute| assert!(set(pool, *attribute, 0).is_success()));
        assert!(set(pool, 4, 1 << 40).is_success());
        let ((words, go), busy, other) = (page_locked(1), stream(1), stream(1));
        launch(function(PTX, c"hold"), busy, &[go]);
        let bytes = 32 * MIB;
        let first = from(pool, bytes, busy);
        call!(cuMemFreeAsync(first, busy));
        let second = from(pool, bytes, other);
        let unordered = second == first;
        call!(cuMemFreeAsync(second, other));
        let first = from(pool, bytes, busy);
        call!(cuMemFreeAsync(first, busy));
        let (mut mark, follows) = (null_mut(), stream(1));
        call!(cuEventCreate(&raw mut mark, 0));
        call!(cuEventRecord(mark, busy));
        call!(cuStreamWaitEvent(follows, mark, 0));
        let ordered = from(pool, bytes, follows) == first;
        words[0].store(1, Ordering::Release);
        call!(cuCtxSynchronize());
        answers.value(format_args!("{unordered}/{ordered}"));
    }
}

fn destroy(answers: &mut Answers) {
    let pool = pool();
    answers.codes([code!(cuMemPoolDestroy(pool)), code!(cuMemPoolDestroy(pool)), get(pool, 5).0]);
}

fn destroy_used(answers: &mut Answers) {
    let (pool, on) = (pool(), stream(1));
    let memory = from(pool, 64, on);
    answers.codes([code!(cuMemPoolDestroy(pool)), fill(memory, 5)]);
    answers.word(memory);
    answers.codes([get(pool, 5).0, try_from(pool, 4, on).0]);
    let (mut named, attribute) =
        (null_mut::<core::ffi::c_void>(), CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE);
    answers.code(code!(cuPointerGetAttribute(
        (&raw mut named).cast(),
        CUpointer_attribute(attribute.0),
        memory
    )));
    answers.value(named.addr() == pool.addr());
    answers.codes([freed(memory, on), waited(on), freed(memory, on)]);
}

fn context_destroyed(answers: &mut Answers) {
    initialised();
    let own = context(0);
    let (pool, on) = (made(&properties(0, NO_HANDLE)), stream(1));
    let memory = from(pool, 64, on);
    answers.codes([fill(memory, 3), synchronize(), code!(cuCtxDestroy_v2(own))]);
    context(0);
    answers.word(memory);
}

fn running(answers: &mut Answers) {
    let (pool, on, usual) = (pool(), stream(1), properties(0, NO_HANDLE));
    let mut more = null_mut();
    while_running(answers, || code!(cuMemPoolCreate(&raw mut more, &raw const usual)));
    while_running(answers, || try_from(pool, 64 * MIB, on).0);
    let memory = from(pool, 64, on);
    while_running(answers, || trimmed(pool, 0));
    while_running(answers, || code!(cuMemFree_v2(memory)));
    while_running(answers, || code!(cuMemPoolDestroy(pool)));
}

/// Each call in a capture of its own.
fn capture(answers: &mut Answers) {
    let (pool, other, usual) = (pool(), stream(1), properties(0, NO_HANDLE));
    let mut more = null_mut();
    let calls: [&mut dyn FnMut() -> CUresult; 6] = [
        &mut || code!(cuMemPoolCreate(&raw mut more, &raw const usual)),
        &mut || try_from(pool, 64, other).0,
        &mut || get(pool, 5).0,
        &mut || set(pool, 4, 5),
        &mut || trimmed(pool, 0),
        &mut || code!(cuMemPoolDestroy(pool)),
    ];
    for call in calls {
        capturing(answers, |answers| {
            answers.code(call());
        });
    }
}
