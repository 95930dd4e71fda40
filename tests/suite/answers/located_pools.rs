//! Questions about pools of the host, of its NUMA nodes, and of managed memory.

use super::memory::attributes;
use super::pools::{FILE, NO_HANDLE, from, get, held, made, properties, trimmed, try_from, usage};
use super::{
    Answers, DEVICE, HOST, NONE, NUMA_NODE, Question, READ, READ_WRITE, access, capturing_stream,
    default_pool, fill, initialised, kernel_copies, location, synchronize,
};
use cuda_suite::code;
use cuda_suite::raw::{allocate, context, stream};
use cuda_sys::*;
use std::ptr::{null_mut, with_exposed_provenance_mut};

pub(super) const QUESTIONS: &[Question] = &[
    Question { name: "located-create", devices: 1, ask: create },
    Question { name: "located-attributes", devices: 1, ask: attributes_at_first },
    Question { name: "located-host", devices: 1, ask: |answers| memory(answers, HOST_POOL) },
    Question { name: "located-node", devices: 1, ask: |answers| memory(answers, NODE_POOL) },
    Question { name: "located-managed-host", devices: 1, ask: |answers| memory(answers, MANAGED_HOST_POOL) },
    Question { name: "located-managed-device", devices: 1, ask: |answers| memory(answers, MANAGED_POOL) },
    Question { name: "located-managed-node", devices: 1, ask: |answers| memory(answers, MANAGED_NODE_POOL) },
    Question {
        name: "located-managed-nowhere",
        devices: 1,
        ask: |answers| memory(answers, MANAGED_NOWHERE_POOL),
    },
    Question { name: "located-default", devices: 1, ask: of_default_pools },
    Question { name: "located-kernel", devices: 1, ask: |answers| kernel(answers, HOST_POOL) },
    Question { name: "located-kernel-node", devices: 1, ask: |answers| kernel(answers, NODE_POOL) },
    Question { name: "located-kernel-managed", devices: 1, ask: |answers| kernel(answers, MANAGED_POOL) },
    Question {
        name: "located-kernel-managed-host",
        devices: 1,
        ask: |answers| kernel(answers, MANAGED_HOST_POOL),
    },
    Question { name: "located-copies", devices: 1, ask: copies },
    Question { name: "located-access", devices: 1, ask: |answers| accesses(answers, HOST_POOL) },
    Question { name: "located-access-node", devices: 1, ask: |answers| accesses(answers, NODE_POOL) },
    Question { name: "located-access-managed", devices: 1, ask: |answers| accesses(answers, MANAGED_POOL) },
    Question {
        name: "located-access-managed-host",
        devices: 1,
        ask: |answers| accesses(answers, MANAGED_HOST_POOL),
    },
    Question { name: "located-granted", devices: 1, ask: granted },
    Question { name: "located-free", devices: 1, ask: free },
    Question { name: "located-free-host", devices: 1, ask: free_host },
    Question { name: "located-release", devices: 1, ask: |answers| release(answers, HOST_POOL) },
    Question { name: "located-release-managed", devices: 1, ask: |answers| release(answers, MANAGED_POOL) },
    Question { name: "located-most", devices: 1, ask: most },
    Question { name: "located-reuse", devices: 1, ask: reuse },
    Question { name: "located-current", devices: 1, ask: |answers| current(answers, HOST_POOL) },
    Question { name: "located-current-node", devices: 1, ask: |answers| current(answers, NODE_POOL) },
    Question { name: "located-current-managed", devices: 1, ask: |answers| current(answers, MANAGED_POOL) },
    Question { name: "located-destroy-used", devices: 1, ask: |answers| destroy_used(answers, HOST_POOL) },
    Question {
        name: "located-destroy-used-managed",
        devices: 1,
        ask: |answers| destroy_used(answers, MANAGED_POOL),
    },
    Question { name: "located-address-range", devices: 1, ask: address_range },
    Question { name: "located-host-functions", devices: 1, ask: host_functions },
    Question { name: "located-managed-calls", devices: 1, ask: managed_calls },
    Question { name: "located-capture", devices: 1, ask: |answers| capture(answers, HOST_POOL) },
    Question { name: "located-capture-managed", devices: 1, ask: |answers| capture(answers, MANAGED_POOL) },
    Question { name: "located-export", devices: 1, ask: export },
];

/// An allocation type, and the kind and number of a location.
type Place = (u32, u32, i32);

const PINNED: u32 = 1;
const MANAGED: u32 = 2;
const NOWHERE: u32 = 0;

const HOST_POOL: Place = (PINNED, HOST, 0);
const NODE_POOL: Place = (PINNED, NUMA_NODE, 0);
const MANAGED_POOL: Place = (MANAGED, DEVICE, 0);
const MANAGED_HOST_POOL: Place = (MANAGED, HOST, 0);
const MANAGED_NODE_POOL: Place = (MANAGED, NUMA_NODE, 0);
const MANAGED_NOWHERE_POOL: Place = (MANAGED, NOWHERE, 0);

fn located(place: Place, handles: u32) -> CUmemPoolProps {
    let (of, kind, number) = place;
    CUmemPoolProps {
        allocType: CUmemAllocationType_enum(of),
        location: location(kind, number),
        ..properties(0, handles)
    }
}

/// A new context of the first device, and a pool of a place; `None` where that cannot be made.
fn pool_of(answers: &mut Answers, place: Place) -> Option<CUmemoryPool> {
    initialised();
    context(0);
    let mut pool = null_mut();
    let properties = located(place, NO_HANDLE);
    answers.code(code!(cuMemPoolCreate(&raw mut pool, &raw const properties))).then_some(pool)
}

fn create(answers: &mut Answers) {
    initialised();
    context(0);
    let managed = |kind, number| located((MANAGED, kind, number), NO_HANDLE);
    let all = [
        managed(DEVICE, 0),
        managed(DEVICE, 99),
        managed(HOST, 0),
        managed(HOST, 99),
        managed(NUMA_NODE, 0),
        managed(NUMA_NODE, 99),
        managed(4, 0),
        managed(NOWHERE, 0),
        managed(NOWHERE, 99),
        managed(5, 0),
        located(MANAGED_POOL, FILE),
        located(MANAGED_HOST_POOL, FILE),
        located(NODE_POOL, FILE),
        located(NODE_POOL, 8),
        located((PINNED, HOST, 99), NO_HANDLE),
        located((PINNED, NUMA_NODE, -1), NO_HANDLE),
        CUmemPoolProps { maxSize: 1 << 50, ..located(HOST_POOL, NO_HANDLE) },
        CUmemPoolProps { maxSize: 1 << 50, ..located(NODE_POOL, NO_HANDLE) },
        CUmemPoolProps { maxSize: 1 << 50, ..located(MANAGED_POOL, NO_HANDLE) },
        CUmemPoolProps { maxSize: 1 << 20, ..located(HOST_POOL, NO_HANDLE) },
        CUmemPoolProps { maxSize: 1 << 20, ..located(MANAGED_POOL, NO_HANDLE) },
        CUmemPoolProps { usage: 2, ..located(HOST_POOL, NO_HANDLE) },
        CUmemPoolProps { usage: 2, ..located(MANAGED_POOL, NO_HANDLE) },
        CUmemPoolProps { gpuDirectRDMACapable: 1, ..located(HOST_POOL, NO_HANDLE) },
    ];
    let mut pool = null_mut();
    for properties in &all {
        if answers.code(code!(cuMemPoolCreate(&raw mut pool, properties))) {
            answers.code(code!(cuMemPoolDestroy(pool)));
        }
    }
}

fn attributes_at_first(answers: &mut Answers) {
    for place in [HOST_POOL, NODE_POOL, MANAGED_POOL, MANAGED_HOST_POOL] {
        let Some(pool) = pool_of(answers, place) else { continue };
        for attribute in 1..9 {
            let (code, value) = get(pool, attribute);
            answers.given(code, value);
        }
    }
}

/// A word of memory that the host accesses by its address.
fn host_word(address: CUdeviceptr) -> *mut u32 {
    with_exposed_provenance_mut(usize::try_from(address).unwrap())
}

/// The host writes a word and reads it.
fn host_writes(answers: &mut Answers, address: CUdeviceptr, value: u32) {
    let word = host_word(address);
    // SAFETY: memory of these pools is the host's too (measured), and no work uses it.
    unsafe { word.write_volatile(value) };
    // SAFETY: as above.
    answers.value(unsafe { word.read_volatile() });
}

fn memory(answers: &mut Answers, place: Place) {
    let Some(pool) = pool_of(answers, place) else { return };
    let on = stream(1);
    let (code, memory) = try_from(pool, 100, on);
    if !answers.code(code) {
        return;
    }
    usage(answers, pool);
    answers.code(code!(cuStreamSynchronize(on)));
    attributes(answers, memory);
    host_writes(answers, memory, 7);
    answers.codes([fill(memory, 5), synchronize()]);
    answers.word(memory);
    let more = try_from(pool, 3 << 20, on);
    answers.code(more.0);
    answers.value(more.1.wrapping_sub(memory));
    usage(answers, pool);
    answers.codes([
        code!(cuMemFreeAsync(memory, on)),
        code!(cuMemFreeAsync(more.1, on)),
        code!(cuStreamSynchronize(on)),
    ]);
    usage(answers, pool);
    answers.code(code!(cuMemPoolDestroy(pool)));
}

fn default_of((of, kind, number): Place) -> (CUresult, CUmemoryPool) {
    let (mut pool, mut place) = (null_mut(), location(kind, number));
    (code!(cuMemGetDefaultMemPool(&raw mut pool, &raw mut place, CUmemAllocationType_enum(of))), pool)
}

fn of_default_pools(answers: &mut Answers) {
    initialised();
    context(0);
    let on = stream(1);
    for place in
        [HOST_POOL, NODE_POOL, MANAGED_POOL, MANAGED_HOST_POOL, MANAGED_NODE_POOL, MANAGED_NOWHERE_POOL]
    {
        let (code, pool) = default_of(place);
        if !answers.code(code) {
            continue;
        }
        let (code, memory) = try_from(pool, 64, on);
        if !answers.code(code) {
            continue;
        }
        held(answers, pool);
        answers.code(code!(cuStreamSynchronize(on)));
        host_writes(answers, memory, 3);
        answers.word(memory);
        answers.codes([code!(cuMemFreeAsync(memory, on)), code!(cuStreamSynchronize(on))]);
        held(answers, pool);
    }
}

fn kernel(answers: &mut Answers, place: Place) {
    let Some(pool) = pool_of(answers, place) else { return };
    let to = allocate(4);
    let memory = from(pool, 64, stream(1));
    answers.codes([fill(memory, 3), synchronize()]);
    kernel_copies(answers, to, memory);
    answers.word(to);
}

fn copies(answers: &mut Answers) {
    let Some(pool) = pool_of(answers, HOST_POOL) else { return };
    let on = stream(1);
    let (memory, device) = (from(pool, 64, on), allocate(64));
    answers.codes([synchronize(), fill(device, 9)]);
    answers.code(code!(cuMemcpyDtoD_v2(memory, device, 4)));
    answers.word(memory);
    answers.code(code!(cuMemcpyDtoH_v2(host_word(memory).cast(), device, 4)));
    answers.code(code!(cuMemcpyHtoD_v2(device, host_word(memory).cast_const().cast(), 4)));
    answers.code(code!(cuMemcpy(device, memory, 4)));
    answers.code(code!(cuMemcpyAsync(device, memory, 64, on)));
    answers.code(code!(cuMemcpyAsync(device, memory, 65, on)));
    answers.codes([code!(cuMemsetD8_v2(memory, 0, 64)), code!(cuMemsetD8_v2(memory, 0, 65)), synchronize()]);
    let (mut base, mut size) = (0, 0);
    let code = code!(cuMemGetAddressRange_v2(&raw mut base, &raw mut size, memory + 8));
    answers.given(code, size);
}

fn grant(pool: CUmemoryPool, list: &[CUmemAccessDesc]) -> CUresult {
    code!(cuMemPoolSetAccess(pool, list.as_ptr(), list.len()))
}

fn access_of(answers: &mut Answers, pool: CUmemoryPool) {
    for (kind, number) in [(DEVICE, 0), (HOST, 0), (NUMA_NODE, 0), (DEVICE, 99)] {
        let (mut flags, mut place) = (NONE, location(kind, number));
        let code = code!(cuMemPoolGetAccess(&raw mut flags, pool, &raw mut place));
        answers.given(code, flags.0);
    }
}

fn accesses(answers: &mut Answers, place: Place) {
    let Some(pool) = pool_of(answers, place) else { return };
    access_of(answers, pool);
    for (kind, number) in [(DEVICE, 0), (HOST, 0), (NUMA_NODE, 0), (DEVICE, 99)] {
        let place = location(kind, number);
        answers.codes([READ_WRITE, READ, NONE, READ_WRITE].map(|flags| grant(pool, &[access(place, flags)])));
    }
    access_of(answers, pool);
    answers.code(grant(pool, &[access(location(DEVICE, 0), NONE)]));
    access_of(answers, pool);
}

/// A kernel copies, once the device has access, and once it was taken away.
fn granted(answers: &mut Answers) {
    let Some(pool) = pool_of(answers, HOST_POOL) else { return };
    let to = allocate(4);
    answers.code(grant(pool, &[access(location(DEVICE, 0), READ_WRITE)]));
    let memory = from(pool, 64, stream(1));
    answers.codes([fill(memory, 3), synchronize()]);
    kernel_copies(answers, to, memory);
    answers.word(to);
    kernel_copies(answers, memory, to);
    attributes(answers, memory);
    answers.code(grant(pool, &[access(location(DEVICE, 0), NONE)]));
    kernel_copies(answers, to, memory);
}

fn free(answers: &mut Answers) {
    for place in [HOST_POOL, MANAGED_POOL] {
        let Some(pool) = pool_of(answers, place) else { return };
        let on = stream(1);
        let memory = from(pool, 64, on);
        answers.codes([code!(cuStreamSynchronize(on)), code!(cuMemFree_v2(memory))]);
        held(answers, pool);
        answers.code(synchronize());
        held(answers, pool);
        answers.code(code!(cuMemFreeAsync(memory, on)));
    }
}

fn free_host(answers: &mut Answers) {
    let Some(pool) = pool_of(answers, HOST_POOL) else { return };
    let on = stream(1);
    let memory = from(pool, 64, on);
    answers.codes([code!(cuStreamSynchronize(on)), code!(cuMemFreeHost(host_word(memory).cast()))]);
    held(answers, pool);
    answers.code(code!(cuMemFreeAsync(memory, on)));
}

fn release(answers: &mut Answers, place: Place) {
    let Some(pool) = pool_of(answers, place) else { return };
    let on = stream(1);
    let mut threshold = 1_u64 << 40;
    let set = |value: *mut u64| code!(cuMemPoolSetAttribute(pool, CUmemPool_attribute(4), value.cast()));
    let memory = from(pool, 4 << 20, on);
    usage(answers, pool);
    answers.codes([code!(cuMemFreeAsync(memory, on)), code!(cuStreamSynchronize(on))]);
    usage(answers, pool);
    answers.code(set(&raw mut threshold));
    let memory = from(pool, 40 << 20, on);
    usage(answers, pool);
    answers.codes([code!(cuMemFreeAsync(memory, on)), code!(cuStreamSynchronize(on))]);
    usage(answers, pool);
    answers.code(trimmed(pool, 1));
    usage(answers, pool);
    answers.code(trimmed(pool, 0));
    usage(answers, pool);
}

fn most(answers: &mut Answers) {
    initialised();
    context(0);
    let on = stream(1);
    let pool = made(&CUmemPoolProps { maxSize: 4 << 20, ..located(HOST_POOL, NO_HANDLE) });
    let first = try_from(pool, 4 << 20, on);
    answers.codes([first.0, try_from(pool, 1, on).0, try_from(pool, 33 << 20, on).0]);
    usage(answers, pool);
    for place in [HOST_POOL, MANAGED_POOL] {
        let unlimited = made(&located(place, NO_HANDLE));
        answers.codes([try_from(unlimited, 1 << 50, on).0, try_from(unlimited, 0, on).0]);
    }
}

/// The range of memory of the host's pool, and of a managed pool.
fn address_range(answers: &mut Answers) {
    for place in [HOST_POOL, MANAGED_POOL] {
        let Some(pool) = pool_of(answers, place) else { return };
        let memory = from(pool, 64, stream(1));
        let (mut base, mut size) = (0, 0);
        let code = code!(cuMemGetAddressRange_v2(&raw mut base, &raw mut size, memory + 8));
        answers.given(code, format_args!("{}/{size}", base == memory));
    }
}

/// Freed memory may be given out again: on the same stream, on another stream.
fn reuse(answers: &mut Answers) {
    for place in [HOST_POOL, MANAGED_POOL] {
        let Some(pool) = pool_of(answers, place) else { return };
        let (on, other) = (stream(1), stream(1));
        let first = from(pool, 64, on);
        answers.code(code!(cuMemFreeAsync(first, on)));
        let second = from(pool, 64, on);
        answers.value(second == first);
        answers.codes([code!(cuMemFreeAsync(second, on)), code!(cuStreamSynchronize(on))]);
        answers.value(from(pool, 64, other) == first);
    }
}

fn current(answers: &mut Answers, place: Place) {
    let Some(pool) = pool_of(answers, place) else { return };
    let (of, kind, number) = place;
    let of = CUmemAllocationType_enum(of);
    let mut at = location(kind, number);
    let now = || {
        let (mut now, mut at) = (null_mut(), location(kind, number));
        (code!(cuMemGetMemPool(&raw mut now, &raw mut at, of)), now)
    };
    answers.code(code!(cuMemSetMemPool(&raw mut at, of, pool)));
    let (code, found) = now();
    answers.given(code, found == pool);
    answers.codes([code!(cuDeviceSetMemPool(0, pool)), code!(cuMemPoolDestroy(pool))]);
    let (code, found) = now();
    answers.given(code, found == default_of(place).1);
    answers.code(code!(cuMemSetMemPool(&raw mut at, of, default_pool(0))));
}

/// A pool that is destroyed while its memory is used. Accesses of the host come last.
fn destroy_used(answers: &mut Answers, place: Place) {
    let Some(pool) = pool_of(answers, place) else { return };
    let on = stream(1);
    answers.code(grant(pool, &[access(location(DEVICE, 0), READ_WRITE)]));
    let memory = from(pool, 64, on);
    answers.codes([fill(memory, 5), code!(cuStreamSynchronize(on)), code!(cuMemPoolDestroy(pool))]);
    answers.word(memory);
    answers.code(get(pool, 4).0);
    host_writes(answers, memory, 6);
    answers.codes([code!(cuMemFreeAsync(memory, on)), code!(cuStreamSynchronize(on))]);
}

/// Functions of page-locked memory, of memory of the pool.
fn host_functions(answers: &mut Answers) {
    let Some(pool) = pool_of(answers, HOST_POOL) else { return };
    let on = stream(1);
    let memory = from(pool, 4096, on);
    answers.code(code!(cuStreamSynchronize(on)));
    let (mut flags, mut address) = (0, 0);
    let word = host_word(memory).cast();
    let code = code!(cuMemHostGetFlags(&raw mut flags, word));
    answers.given(code, flags);
    let code = code!(cuMemHostGetDevicePointer_v2(&raw mut address, word, 0));
    answers.given(code, address == memory);
    answers.codes([code!(cuMemHostRegister_v2(word, 64, 0)), code!(cuMemHostUnregister(word))]);
    let mut handle = CUipcMemHandle::default();
    answers.code(code!(cuIpcGetMemHandle(&raw mut handle, memory)));
    let mut retained = 0;
    answers.code(code!(cuMemRetainAllocationHandle(&raw mut retained, word)));
}

/// Functions of managed memory, of memory of the pool.
fn managed_calls(answers: &mut Answers) {
    let Some(pool) = pool_of(answers, MANAGED_POOL) else { return };
    let on = stream(1);
    let memory = from(pool, 4096, on);
    answers.code(code!(cuStreamSynchronize(on)));
    let (device, host) = (location(DEVICE, 0), location(HOST, 0));
    answers.codes([device, host].map(|to| code!(cuMemPrefetchAsync_v2(memory, 4096, to, 0, on))));
    let advice = CUmem_advise(3);
    answers.code(code!(cuMemAdvise_v2(memory, 4096, advice, host)));
    for attribute in [1, 2, 4, 5, 6, 7, 8] {
        let mut value = -9_i32;
        let range = CUmem_range_attribute(attribute);
        answers.given(code!(cuMemRangeGetAttribute((&raw mut value).cast(), 4, range, memory, 4096)), value);
    }
    answers.code(code!(cuStreamAttachMemAsync(on, memory, 0, 1)));
    answers.code(code!(cuStreamSynchronize(on)));
}

fn capture(answers: &mut Answers, place: Place) {
    let Some(pool) = pool_of(answers, place) else { return };
    capturing_stream(answers, |answers, on| {
        let (code, memory) = try_from(pool, 64, on);
        answers.code(code);
        answers.code(code!(cuMemFreeAsync(memory, on)));
    });
}

fn export(answers: &mut Answers) {
    initialised();
    context(0);
    for place in [NODE_POOL, HOST_POOL, MANAGED_POOL] {
        let (mut pool, properties) = (null_mut(), located(place, FILE));
        if !answers.code(code!(cuMemPoolCreate(&raw mut pool, &raw const properties))) {
            continue;
        }
        let (mut file, kind) = (-1_i32, CUmemAllocationHandleType(FILE));
        answers.code(code!(cuMemPoolExportToShareableHandle((&raw mut file).cast(), pool, kind, 0)));
        let memory = from(pool, 64, stream(1));
        let mut data = CUmemPoolPtrExportData::default();
        answers.code(code!(cuMemPoolExportPointer(&raw mut data, memory)));
    }
}
