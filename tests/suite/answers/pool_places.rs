//! Questions about the current pool, access to pools, and pools of other devices and processes.

use super::memory::{attribute, attributes, of_default_pool};
use super::pools::{FILE, NO_HANDLE, from, get, held, made, pool, properties, trimmed, try_from};
use super::{
    Answers, DEVICE, HOST, NONE, NUMA_NODE, Question, READ, READ_WRITE, access, default_pool, fill,
    initialised, kernel_copies, location, synchronize,
};
use cuda_suite::raw::{allocate, context, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::{null, null_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "pool-current", devices: 1, ask: current },
    Question { name: "pool-places", devices: 1, ask: places },
    Question { name: "pool-located", devices: 1, ask: located },
    Question { name: "pool-access", devices: 1, ask: pool_access },
    Question { name: "pool-export", devices: 1, ask: export },
    Question { name: "pool-import", devices: 1, ask: import },
    Question { name: "pool-import-memory", devices: 1, ask: import_memory },
    Question { name: "pool-import-again", devices: 1, ask: import_again },
    Question { name: "pool-import-twice", devices: 1, ask: import_twice },
    Question { name: "pool-import-freed", devices: 1, ask: import_freed },
    Question { name: "pool-import-access", devices: 1, ask: import_access },
    Question { name: "pool-access-nobody", devices: 1, ask: access_of_other_locations },
    Question { name: "pool-other-device", devices: 2, ask: other_device },
    Question { name: "pool-granted", devices: 2, ask: granted },
];

fn current(answers: &mut Answers) {
    let (pool, on) = (pool(), stream(1));
    let mut now = null_mut();
    let place = &raw mut now;
    let (set, get) = (code!(cuDeviceSetMemPool(0, pool)), code!(cuDeviceGetMemPool(place, 0)));
    answers.codes([set, get]);
    answers.value(now == pool);
    let memory = of_default_pool(100, on);
    held(answers, pool);
    attribute(answers, 17, memory);
    answers.codes([code!(cuMemPoolDestroy(pool)), code!(cuDeviceGetMemPool(place, 0))]);
    answers.value(now == default_pool(0));
    let mut more = 0;
    answers.code(code!(cuMemAllocAsync(&raw mut more, 100, on)));
    answers.code(code!(cuDeviceSetMemPool(0, null_mut())));
    answers.code(code!(cuDeviceSetMemPool(99, default_pool(0))));
    answers.code(code!(cuDeviceGetMemPool(place, 99)));
    answers.code(code!(cuDeviceGetDefaultMemPool(place, 99)));
    answers.code(code!(cuDeviceGetMemPool(null_mut(), 0)));
}

/// Pools of places and types: whether they are the device's.
fn places(answers: &mut Answers) {
    initialised();
    context(0);
    for current in [false, true] {
        for (kind, id, of) in [
            (DEVICE, 0, 1),
            (DEVICE, 0, 2),
            (HOST, 0, 1),
            (HOST, 0, 2),
            (NUMA_NODE, 0, 1),
            (DEVICE, 99, 1),
            (0, 0, 1),
            (DEVICE, 0, 0),
        ] {
            let (mut pool, mut place) = (null_mut(), location(kind, id));
            let of = CUmemAllocationType_enum(of);
            let code = if current {
                code!(cuMemGetMemPool(&raw mut pool, &raw mut place, of))
            } else {
                code!(cuMemGetDefaultMemPool(&raw mut pool, &raw mut place, of))
            };
            answers.given(code, if pool == default_pool(0) { "same" } else { "another" });
        }
    }
}

/// The default pool of the host.
fn located(answers: &mut Answers) {
    initialised();
    let pinned = CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED;
    let managed = CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_MANAGED;
    let default = |kind, of| {
        let (mut pool, mut place) = (null_mut(), location(kind, 0));
        (code!(cuMemGetDefaultMemPool(&raw mut pool, &raw mut place, of)), pool)
    };
    let (code, pool) = default(HOST, pinned);
    answers.code(code);
    // Machines differ in whether its pool is the host's.
    answers.code(default(NUMA_NODE, pinned).0);
    for (kind, of) in [(HOST, pinned), (NUMA_NODE, pinned), (DEVICE, pinned), (HOST, managed)] {
        let mut place = location(kind, 0);
        answers.code(code!(cuMemSetMemPool(&raw mut place, of, pool)));
    }
    let mut place = location(HOST, 0);
    answers.code(code!(cuMemSetMemPool(&raw mut place, pinned, null_mut())));
    answers.codes([code!(cuDeviceSetMemPool(0, pool)), trimmed(pool, 0), get(pool, 4).0]);
    answers.code(code!(cuMemPoolDestroy(pool)));
    answers.code(code!(cuMemGetDefaultMemPool(null_mut(), &raw mut place, pinned)));
    let mut found = null_mut();
    answers.code(code!(cuMemGetDefaultMemPool(&raw mut found, null_mut(), pinned)));
}

fn grant(pool: CUmemoryPool, places: &[CUmemAccessDesc]) -> CUresult {
    code!(cuMemPoolSetAccess(pool, places.as_ptr(), places.len()))
}

fn pool_access(answers: &mut Answers) {
    let pool = pool();
    let (mut flags, mut own, mut host) = (NONE, location(DEVICE, 0), location(HOST, 0));
    let code = code!(cuMemPoolGetAccess(&raw mut flags, pool, &raw mut own));
    answers.given(code, flags.0);
    answers.codes([NONE, READ, READ_WRITE].map(|flags| grant(pool, &[access(own, flags)])));
    answers.code(grant(pool, &[access(host, READ_WRITE)]));
    answers.code(code!(cuMemPoolGetAccess(&raw mut flags, pool, &raw mut host)));
    let list = access(own, READ_WRITE);
    answers.code(code!(cuMemPoolSetAccess(pool, &raw const list, 0)));
    answers.code(code!(cuMemPoolSetAccess(pool, null(), 1)));
}

/// Access of a device that is not there, and of the host's node.
fn access_of_other_locations(answers: &mut Answers) {
    let pool = pool();
    for place in [location(DEVICE, 99), location(NUMA_NODE, 0), location(0, 0)] {
        let (mut flags, mut at) = (NONE, place);
        let code = code!(cuMemPoolGetAccess(&raw mut flags, pool, &raw mut at));
        answers.given(code, flags.0);
        answers.codes([READ_WRITE, READ, NONE].map(|flags| grant(pool, &[access(place, flags)])));
    }
}

fn exported(pool: CUmemoryPool, kind: u32, flags: u64) -> (CUresult, i32) {
    let (mut file, kind) = (-1, CUmemAllocationHandleType(kind));
    (code!(cuMemPoolExportToShareableHandle((&raw mut file).cast(), pool, kind, flags)), file)
}

fn export(answers: &mut Answers) {
    let (plain, on) = (pool(), stream(1));
    let shared = made(&properties(0, FILE));
    answers.code(exported(plain, FILE, 0).0);
    let (code, file) = exported(shared, FILE, 0);
    answers.given(code, file >= 0);
    answers.codes([exported(shared, FILE, 1).0, exported(shared, 2, 0).0]);
    answers.code(exported(default_pool(0), FILE, 0).0);
    let mut data = CUmemPoolPtrExportData::default();
    for memory in [from(shared, 64, on), from(plain, 64, on), allocate(4)] {
        answers.code(code!(cuMemPoolExportPointer(&raw mut data, memory)));
    }
}

fn imported(file: i32) -> (CUresult, CUmemoryPool) {
    let (mut pool, kind) = (null_mut(), CUmemAllocationHandleType(FILE));
    let file = std::ptr::without_provenance_mut(file as usize);
    (code!(cuMemPoolImportFromShareableHandle(&raw mut pool, file, kind, 0)), pool)
}

/// In the process that it is from.
fn import(answers: &mut Answers) {
    initialised();
    context(0);
    let (shared, on) = (made(&properties(0, FILE)), stream(1));
    let (code, file) = exported(shared, FILE, 0);
    if !answers.code(code) {
        return;
    }
    let memory = from(shared, 64, on);
    let mut data = CUmemPoolPtrExportData::default();
    call!(cuMemPoolExportPointer(&raw mut data, memory));
    let (code, pool) = imported(file);
    answers.code(code);
    let mut there = 0;
    let code = code!(cuMemPoolImportPointer(&raw mut there, pool, &raw mut data));
    answers.given(code, there == memory);
    answers.code(try_from(pool, 64, on).0);
    answers.codes([1, 4, 5, 7].map(|attribute| get(pool, attribute).0));
    answers.code(exported(pool, FILE, 0).0);
    let (mut flags, mut place) = (NONE, location(DEVICE, 0));
    answers.code(code!(cuMemPoolGetAccess(&raw mut flags, pool, &raw mut place)));
    answers.codes([trimmed(pool, 0), code!(cuMemPoolDestroy(pool))]);
    answers.codes([imported(other_file()).0, imported(999).0]);
}

/// A pool for files, and 64 bytes of it with the word 5; the pool as it was imported in the same process.
fn exporting() -> (CUmemoryPool, CUdeviceptr, CUmemoryPool) {
    initialised();
    context(0);
    let shared = made(&properties(0, FILE));
    let memory = from(shared, 64, stream(1));
    assert!([fill(memory, 5), synchronize()].iter().all(|code| code.is_success()));
    let (code, pool) = imported(exported(shared, FILE, 0).1);
    assert!(code.is_success());
    (shared, memory, pool)
}

fn pointer(pool: CUmemoryPool, memory: CUdeviceptr) -> (CUresult, CUdeviceptr) {
    let (mut there, mut data) = (0, CUmemPoolPtrExportData::default());
    let exported = code!(cuMemPoolExportPointer(&raw mut data, memory));
    if !exported.is_success() {
        return (exported, 0);
    }
    (code!(cuMemPoolImportPointer(&raw mut there, pool, &raw mut data)), there)
}

/// Memory of an imported pool: what is known of it, and its use.
fn import_memory(answers: &mut Answers) {
    let (shared, memory, pool) = exporting();
    let (code, there) = pointer(pool, memory);
    answers.code(code);
    answers.word(there);
    answers.codes([fill(there, 6), synchronize()]);
    answers.word(memory);
    attributes(answers, there);
    let mut of: CUmemoryPool = null_mut();
    let handle = CUpointer_attribute(17);
    answers.code(code!(cuPointerGetAttribute((&raw mut of).cast(), handle, there)));
    answers.value(of == pool);
    let to = allocate(4);
    kernel_copies(answers, to, there);
    answers.word(to);
    held(answers, shared);
    // Allocated after the import.
    let later = from(shared, 3 << 20, stream(1));
    answers.codes([fill(later, 9), synchronize()]);
    let (code, there) = pointer(pool, later);
    answers.code(code);
    answers.word(there);
    answers.codes([code!(cuMemsetD8_v2(there, 1, 3 << 20)), code!(cuMemsetD8_v2(there, 1, (3 << 20) + 1))]);
}

/// A pool and a pointer that are imported twice; data that was not exported, or of another pool.
fn import_again(answers: &mut Answers) {
    let (shared, memory, pool) = exporting();
    let (_, first) = pointer(pool, memory);
    let (code, second) = pointer(pool, memory);
    answers.given(code, second == first);
    let (code, other) = imported(exported(shared, FILE, 0).1);
    answers.given(code, other == pool);
    let (code, third) = pointer(other, memory);
    answers.given(code, third == first);
    let mut address = 0;
    let mut data = CUmemPoolPtrExportData::default();
    answers.code(code!(cuMemPoolImportPointer(&raw mut address, pool, &raw mut data)));
    let another = made(&properties(0, FILE));
    answers.code(pointer(pool, from(another, 64, stream(1))).0);
    answers.code(pointer(shared, memory).0);
    let (code, inside) = pointer(pool, memory + 8);
    answers.given(code, inside.wrapping_sub(first));
}

/// A pointer and a pool that were imported twice are freed and destroyed more than once.
fn import_twice(answers: &mut Answers) {
    let (shared, memory, pool) = exporting();
    let on = stream(1);
    let (_, there) = pointer(pool, memory);
    answers.must(pointer(pool, memory).0);
    answers.codes([code!(cuMemFreeAsync(there, on)), code!(cuStreamSynchronize(on))]);
    answers.word(there);
    answers.code(code!(cuMemFreeAsync(there, on)));
    answers.must(imported(exported(shared, FILE, 0).1).0);
    answers.codes([(); 3].map(|()| code!(cuMemPoolDestroy(pool))));
}

/// Freeing what was imported, and destroying the pool.
fn import_freed(answers: &mut Answers) {
    let (shared, memory, pool) = exporting();
    let on = stream(1);
    answers.code(code!(cuMemPoolDestroy(pool)));
    let (_, pool) = imported(exported(shared, FILE, 0).1);
    let (code, there) = pointer(pool, memory);
    answers.code(code);
    answers.code(code!(cuMemPoolDestroy(pool)));
    answers.word(there);
    answers.codes([code!(cuMemFreeAsync(there, on)), code!(cuStreamSynchronize(on))]);
    held(answers, shared);
    answers.codes([code!(cuMemFreeAsync(there, on)), code!(cuMemPoolDestroy(pool))]);
    answers.word(memory);
    let (code, pool) = imported(exported(shared, FILE, 0).1);
    answers.code(code);
    let (code, there) = pointer(pool, memory);
    answers.codes([code, code!(cuMemFree_v2(there)), code!(cuMemPoolDestroy(pool))]);
    // The exporting process frees first.
    let (code, pool) = imported(exported(shared, FILE, 0).1);
    answers.code(code);
    let (code, there) = pointer(pool, memory);
    answers.codes([code, code!(cuMemFreeAsync(memory, on)), code!(cuStreamSynchronize(on))]);
    held(answers, shared);
    answers.word(there);
    answers.codes([
        code!(cuMemPoolDestroy(shared)),
        code!(cuMemFreeAsync(there, on)),
        code!(cuStreamSynchronize(on)),
    ]);
    answers.code(code!(cuMemPoolDestroy(pool)));
}

fn import_access(answers: &mut Answers) {
    let (_, memory, pool) = exporting();
    for (kind, number) in [(DEVICE, 0), (HOST, 0), (DEVICE, 99)] {
        let (mut flags, mut place) = (NONE, location(kind, number));
        let code = code!(cuMemPoolGetAccess(&raw mut flags, pool, &raw mut place));
        answers.given(code, flags.0);
    }
    let own = location(DEVICE, 0);
    answers.codes([READ_WRITE, READ, NONE].map(|flags| grant(pool, &[access(own, flags)])));
    answers.code(code!(cuDeviceSetMemPool(0, pool)));
    for attribute in 1..9 {
        answers.code(get(pool, attribute).0);
    }
    let mut value = 0_u64;
    answers.code(code!(cuMemPoolSetAttribute(pool, CUmemPool_attribute(4), (&raw mut value).cast())));
    let (code, _) = pointer(pool, memory);
    answers.code(code);
}

/// A file that has nothing to do with memory.
pub(super) fn other_file() -> i32 {
    // SAFETY: a path that ends with a zero.
    let file = unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY) };
    assert!(file >= 0);
    file
}

/// Memory of a pool of the second device, allocated on a stream of the first.
fn other_device(answers: &mut Answers) {
    initialised();
    context(1);
    context(0);
    let (mut pool, there, on) = (null_mut(), properties(1, NO_HANDLE), stream(1));
    answers.code(code!(cuMemPoolCreate(&raw mut pool, &raw const there)));
    let (code, memory) = try_from(pool, 64, on);
    answers.code(code);
    attribute(answers, 9, memory);
    attribute(answers, 16, memory);
    answers.codes([fill(memory, 1), synchronize(), code!(cuDeviceSetMemPool(0, pool))]);
    let (mut flags, mut own) = (NONE, location(DEVICE, 0));
    let code = code!(cuMemPoolGetAccess(&raw mut flags, pool, &raw mut own));
    answers.given(code, flags.0);
    answers.code(grant(pool, &[access(own, READ_WRITE)]));
    answers.codes([fill(memory, 1), synchronize()]);
    answers.word(memory);
    let both = [access(own, READ_WRITE), access(location(DEVICE, 1), READ_WRITE)];
    answers.code(grant(pool, &both));
}

/// A pool that was made, whose memory is there already: a kernel of the other device copies from it.
fn granted(answers: &mut Answers) {
    initialised();
    let peer = context(1);
    let to = allocate(4);
    let pool = pool();
    let memory = from(pool, 64, stream(1));
    answers.codes([fill(memory, 3), synchronize()]);
    answers.code(grant(pool, &[access(location(DEVICE, 1), READ_WRITE)]));
    call!(cuCtxSetCurrent(peer));
    kernel_copies(answers, to, memory);
    answers.word(to);
    answers.code(grant(pool, &[access(location(DEVICE, 1), NONE)]));
    kernel_copies(answers, to, memory);
}
