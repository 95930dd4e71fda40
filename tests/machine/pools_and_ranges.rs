//! Features of memory pools and of address ranges that only the software driver shows: its budget, leaks, and late work.

#![allow(clippy::unwrap_used, unsafe_code)]

use cuda_sim::{Config, HandleReuse, Schedule};
use cuda_suite::raw::{context, machine, stream};
use cuda_suite::{call, code, invalid};
use cuda_sys::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::mpsc::{Receiver, channel};

const SHORT: CUresult = CUresult::CUDA_ERROR_OUT_OF_MEMORY;
const MIB: usize = 1 << 20;

fn place(device: CUdevice) -> CUmemLocation {
    let type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    let mut location = CUmemLocation { type_, ..CUmemLocation::default() };
    location.__bindgen_anon_1.id = device;
    location
}

fn pool(device: CUdevice) -> CUmemoryPool {
    let mut pool = null_mut();
    let props = CUmemPoolProps {
        allocType: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        location: place(device),
        ..CUmemPoolProps::default()
    };
    call!(cuMemPoolCreate(&raw mut pool, &raw const props));
    pool
}

fn from(pool: CUmemoryPool, bytes: usize, stream: CUstream) -> Result<CUdeviceptr, CUresult> {
    let mut address = 0;
    match code!(cuMemAllocFromPoolAsync(&raw mut address, bytes, pool, stream)) {
        CUresult::CUDA_SUCCESS => Ok(address),
        code => Err(code),
    }
}

fn plain(bytes: usize) -> CUresult {
    let mut address = 0;
    code!(cuMemAlloc_v2(&raw mut address, bytes))
}

fn free_bytes() -> usize {
    let (mut free, mut total) = (0, 0);
    call!(cuMemGetInfo_v2(&raw mut free, &raw mut total));
    free
}

fn config(mib: u64, schedule: Schedule) -> Config {
    Config { memory_bytes: mib << 20, schedule, ..Config::default() }
}

#[test]
fn pools_share_the_memory_of_their_device() {
    let (_, _entered) = machine(config(128, Schedule::Eager));
    context(0);
    let on = stream(1);
    let (first, second, elsewhere) = (pool(0), pool(0), pool(1));
    let held = from(first, 64 * MIB, on).unwrap();
    assert_eq!(free_bytes(), 64 * MIB);
    from(second, 33 * MIB, on).unwrap();
    assert_eq!(free_bytes(), 0);
    assert_eq!((from(second, 32 * MIB, on), plain(1)), (Err(SHORT), SHORT));
    from(elsewhere, 128 * MIB, on).unwrap();
    // Freed memory is held by the pool, but others can allocate it.
    call!(cuMemFreeAsync(held, on));
    assert_eq!(free_bytes(), 0);
    assert_eq!(plain(2 * MIB), CUresult::CUDA_SUCCESS);
    assert_eq!(free_bytes(), 62 * MIB);
    // If less than 32 MiB is free, a pool takes only as much as the allocation needs.
    from(first, 32 * MIB, on).unwrap();
    from(first, 30 * MIB, on).unwrap();
    assert_eq!(free_bytes(), 0);
}

#[test]
fn memory_of_destroyed_pool_returns_when_freed() {
    for schedule in [Schedule::Eager, Schedule::Lazy] {
        let (machine, _entered) = machine(config(64, schedule));
        let own = context(0);
        let on = stream(1);
        let before = machine.live();
        let pool = pool(0);
        assert_eq!(machine.live().memory_pools, 1);
        let address = from(pool, 8, on).unwrap();
        call!(cuMemPoolDestroy(pool));
        assert_eq!((machine.live().memory_pools, machine.live().pool_allocations), (0, 1));
        assert_eq!(free_bytes(), 32 * MIB);
        call!(cuMemFreeAsync(address, on));
        call!(cuStreamSynchronize(on));
        assert_eq!((free_bytes(), machine.live()), (64 * MIB, before));
        // A leaked pool is reported, and so is the memory that a context has allocated from it.
        let left = from(self::pool(0), 8, on).unwrap();
        call!(cuCtxDestroy_v2(own));
        assert_eq!(machine.live().to_string(), "1 pool allocation, 8 bytes of pools, 1 memory pool");
        context(0);
        call!(cuMemFree_v2(left));
    }
}

fn held(pool: CUmemoryPool) -> u64 {
    let mut held = 0_u64;
    let attribute = CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT;
    call!(cuMemPoolGetAttribute(pool, attribute, (&raw mut held).cast()));
    held
}

/// Memory is freed after its stream was destroyed. A trim then releases it (fact V1108).
#[test]
fn trim_releases_memory_of_an_ended_stream() {
    extern "C" fn wait(end: *mut c_void) {
        // SAFETY: the pointer is of the box below, which is given to this one call.
        let _ = unsafe { Box::from_raw(end.cast::<Receiver<()>>()) }.recv();
    }
    let (_, _entered) = machine(config(64, Schedule::Eager));
    context(0);
    let (on, pool) = (stream(1), pool(0));
    let address = from(pool, 64, on).unwrap();
    let (go, gone) = channel::<()>();
    call!(cuLaunchHostFunc(on, Some(wait), Box::into_raw(Box::new(gone)).cast()));
    call!(cuMemFreeAsync(address, on));
    // Unlike a synchronization, a query of an event does not make pools release memory.
    let mut event = null_mut();
    call!(cuEventCreate(&raw mut event, 0));
    call!(cuEventRecord(event, on));
    call!(cuStreamDestroy_v2(on));
    call!(cuMemPoolTrimTo(pool, 0));
    assert_eq!(held(pool), 32 << 20);
    drop(go);
    while code!(cuEventQuery(event)) == CUresult::CUDA_ERROR_NOT_READY {
        std::thread::yield_now();
    }
    assert_eq!(held(pool), 32 << 20);
    call!(cuMemPoolTrimTo(pool, 0));
    assert_eq!(held(pool), 0);
}

/// If a green context or the primary context ends, pools release memory that its streams freed.
#[test]
fn ends_of_contexts_release_freed_memory() {
    let (_, _entered) = machine(config(64, Schedule::Eager));
    let mut primary = null_mut();
    let (mut green, mut on) = (null_mut(), null_mut());
    call!(cuDevicePrimaryCtxRetain(&raw mut primary, 0));
    let ends: [(&str, &dyn Fn(CUgreenCtx)); 3] = [
        ("green context", &|green| call!(cuGreenCtxDestroy(green))),
        ("reset", &|_| call!(cuDevicePrimaryCtxReset_v2(0))),
        ("release", &|_| call!(cuDevicePrimaryCtxRelease_v2(0))),
    ];
    for (name, end) in ends {
        let pool = pool(0);
        call!(cuCtxSetCurrent(primary));
        if name == "green context" {
            let flags = CUgreenCtxCreate_flags::CU_GREEN_CTX_DEFAULT_STREAM.0;
            call!(cuGreenCtxCreate(&raw mut green, null_mut(), 0, flags));
            call!(cuGreenCtxStreamCreate(&raw mut on, green, CUstream_flags::CU_STREAM_NON_BLOCKING.0, 0));
        } else {
            on = stream(1);
        }
        call!(cuMemFreeAsync(from(pool, 64, on).unwrap(), on));
        call!(cuMemPoolTrimTo(pool, 0));
        assert_eq!(held(pool), 32 << 20, "{name}");
        end(green);
        assert_eq!(held(pool), 0, "{name}");
        call!(cuMemPoolDestroy(pool));
        if name == "reset" {
            // The context begins again. The reset has not changed the number of references.
            call!(cuDevicePrimaryCtxRetain(&raw mut primary, 0));
            call!(cuDevicePrimaryCtxRelease_v2(0));
        }
    }
}

/// A synchronization of a stream makes pools release memory: memory that was freed before an event
/// for which the stream has waited, and no other.
#[test]
fn stream_knows_frees_before_awaited_events() {
    for schedule in [Schedule::Eager, Schedule::Lazy] {
        let (_, _entered) = machine(config(256, schedule));
        context(0);
        let (on, other, third) = (stream(1), stream(1), stream(1));
        let mut event = null_mut();
        call!(cuEventCreate(&raw mut event, 0));
        let pools = [(); 3].map(|()| pool(0));
        let [early, late, elsewhere] = pools.map(|pool| from(pool, 64, on).unwrap());
        let held = || pools.map(held).map(|bytes| bytes >> 20);
        call!(cuMemFreeAsync(early, on));
        call!(cuEventRecord(event, on));
        call!(cuStreamWaitEvent(other, event, 0));
        call!(cuMemFreeAsync(late, on));
        call!(cuMemFreeAsync(elsewhere, third));
        assert_eq!(held(), [32; 3]);
        call!(cuStreamSynchronize(other));
        assert_eq!(held(), [0, 32, 32]);
        // A later event of another stream does not replace the first.
        call!(cuEventRecord(event, third));
        call!(cuStreamWaitEvent(other, event, 0));
        call!(cuStreamSynchronize(other));
        assert_eq!(held(), [0, 32, 0]);
        call!(cuEventRecord(event, on));
        call!(cuStreamWaitEvent(other, event, 0));
        call!(cuStreamSynchronize(other));
        assert_eq!(held(), [0; 3]);
    }
}

#[test]
fn pool_without_dependencies_waits_only_for_frees() {
    let (_, _entered) = machine(config(64, Schedule::Lazy));
    context(0);
    let (on, other) = (stream(1), stream(1));
    let pool = pool(0);
    let first = from(pool, 64 * MIB, on).unwrap();
    // Work to wait for: without it, memory is freed at once.
    call!(cuMemsetD8Async(first, 1, 4, on));
    call!(cuMemFreeAsync(first, on));
    // No memory is free, but the driver can reuse memory with a queued free.
    assert_eq!(from(pool, 64 * MIB, other), Ok(first));
    call!(cuMemFreeAsync(first, other));
    let mut never = 0_i32;
    let dependencies = CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
    call!(cuMemPoolSetAttribute(pool, dependencies, (&raw mut never).cast()));
    assert_eq!(code!(cuStreamQuery(on)), CUresult::CUDA_ERROR_NOT_READY);
    assert_eq!(from(pool, 64 * MIB, on), Ok(first), "the call waits for the free");
    assert_eq!(code!(cuStreamQuery(other)), CUresult::CUDA_SUCCESS);
}

const PAGE: usize = 2 * MIB;

fn create(size: usize) -> Result<CUmemGenericAllocationHandle, CUresult> {
    let prop = CUmemAllocationProp {
        type_: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        location: place(0),
        ..CUmemAllocationProp::default()
    };
    let mut handle = 0;
    match code!(cuMemCreate(&raw mut handle, size, &raw const prop, 0)) {
        CUresult::CUDA_SUCCESS => Ok(handle),
        code => Err(code),
    }
}

fn reserve(size: usize, wish: CUdeviceptr) -> CUdeviceptr {
    let mut address = 0;
    call!(cuMemAddressReserve(&raw mut address, size, 0, wish, 0));
    address
}

fn open(address: CUdeviceptr, size: usize, flags: CUmemAccess_flags) {
    let wanted = CUmemAccessDesc { location: place(0), flags };
    call!(cuMemSetAccess(address, size, &raw const wanted, 1));
}

const NONE: CUmemAccess_flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_NONE;
const WRITE: CUmemAccess_flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;

#[test]
fn memory_counts_when_it_is_made() {
    let (machine, _entered) = machine(config(64, Schedule::Eager));
    context(0);
    let before = machine.live();
    let more = || {
        let live = machine.live().to_string();
        live.strip_prefix(&before.to_string()).map(|rest| rest.trim_start_matches(", ").to_owned()).unwrap()
    };
    let handle = create(60 * MIB).unwrap();
    assert_eq!((free_bytes(), create(3 * PAGE), plain(6 * MIB)), (4 * MIB, Err(SHORT), SHORT));
    assert_eq!(more(), "1 memory handle, 62914560 bytes behind memory handles");
    let start = reserve(60 * MIB, 0);
    call!(cuMemMap(start, 60 * MIB, 0, handle, 0));
    call!(cuMemRelease(handle));
    assert_eq!(free_bytes(), 4 * MIB);
    let expected = "1 reserved range, 62914560 reserved addresses, 1 mapping, 62914560 mapped bytes";
    assert_eq!(more(), expected);
    call!(cuMemUnmap(start, 60 * MIB));
    assert_eq!((free_bytes(), more().as_str()), (64 * MIB, "1 reserved range, 62914560 reserved addresses"));
    call!(cuMemAddressFree(start, 60 * MIB));
    assert_eq!(machine.live(), before);
    // `cuMemCreate` can use memory that pools hold and do not use.
    let pool = pool(0);
    let on = stream(1);
    call!(cuMemFreeAsync(from(pool, 64 * MIB, on).unwrap(), on));
    call!(cuMemRelease(create(64 * MIB).unwrap()));
}

#[test]
fn a_range_grows_behind_itself() {
    let (_, _entered) = machine(config(64, Schedule::Eager));
    context(0);
    let first = reserve(PAGE, 0);
    let behind = first + PAGE as u64;
    assert_eq!(reserve(PAGE, behind), behind);
    let [one, two] = [(); 2].map(|()| create(PAGE).unwrap());
    for (address, handle) in [(first, one), (behind, two)] {
        call!(cuMemMap(address, PAGE, 0, handle, 0));
    }
    // Two adjacent reservations: one fill spans both.
    open(first, 2 * PAGE, WRITE);
    call!(cuMemsetD8_v2(first + 5, 1, 2 * PAGE - 10));
    call!(cuMemUnmap(first, 2 * PAGE));
    // New memory at the same address is zero, although the old memory was filled.
    call!(cuMemMap(first, PAGE, 0, create(PAGE).unwrap(), 0));
    open(first, PAGE, WRITE);
    assert_eq!(cuda_suite::raw::read(first + 8), 0);
}

#[test]
fn addresses_are_reused_only_if_configured() {
    for (handles, again) in [(HandleReuse::Never, false), (HandleReuse::AtOnce, true)] {
        let (_, _entered) = machine(Config { handles, ..config(64, Schedule::Eager) });
        // Large ranges can start elsewhere, where other machines have left addresses mapped.
        for sizes in [[1, 2, 3, 1, 2].map(|pages| pages * PAGE), [20 << 30; 5]] {
            let mut seen = std::collections::BTreeSet::new();
            for size in sizes {
                let address = reserve(size, 0);
                call!(cuMemAddressFree(address, size));
                seen.insert(address);
            }
            assert_eq!(seen.len() == 1, again, "{seen:x?}");
        }
    }
}

/// Returns the answer to a program that uses memory on a stream, and then unmaps it or disables access, with or without waiting.
fn after(schedule: Schedule, what: &str, waits: bool, unmaps: bool) -> CUresult {
    const PUT: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
        .visible .entry put(.param .u64 to) {
            .reg .b64 %a; .reg .b32 %r; ld.param.u64 %a, [to]; mov.u32 %r, 7; st.global.u32 [%a], %r; ret; }";
    let (_, _entered) = machine(config(64, schedule));
    context(0);
    let (on, out) = (stream(1), cuda_suite::raw::allocate(PAGE));
    let (start, handle) = (reserve(PAGE, 0), create(PAGE).unwrap());
    call!(cuMemMap(start, PAGE, 0, handle, 0));
    open(start, PAGE, WRITE);
    match what {
        "kernel" => cuda_suite::raw::launch(cuda_suite::raw::function(PUT, c"put"), on, &[start]),
        "fill" => call!(cuMemsetD2D8Async(start, PAGE / 2, 1, 10, 2, on)),
        _ => call!(cuMemcpyDtoDAsync_v2(out, start, PAGE, on)),
    }
    if waits {
        call!(cuStreamSynchronize(on));
    }
    if unmaps {
        call!(cuMemUnmap(start, PAGE));
    } else {
        open(start, PAGE, NONE);
    }
    code!(cuCtxSynchronize())
}

/// Neither unmapping nor disabling access waits, so earlier queued work fails.
#[test]
fn a_missing_synchronisation_shows() {
    const DONE: CUresult = CUresult::CUDA_SUCCESS;
    const FAULT: CUresult = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;
    const FAILED: CUresult = CUresult::CUDA_ERROR_LAUNCH_FAILED;
    for (what, closed) in [("kernel", FAULT), ("fill", FAILED), ("copy", FAILED)] {
        for (unmaps, expected) in [(true, FAULT), (false, closed)] {
            assert_eq!(after(Schedule::Lazy, what, false, unmaps), expected, "{what}");
            assert_eq!(after(Schedule::Lazy, what, true, unmaps), DONE, "{what}");
            // Some random schedules show the missing wait.
            let by_chance =
                |waits| (0..20).map(move |seed| after(Schedule::Random(seed), what, waits, unmaps));
            assert!(by_chance(true).all(|answer| answer == DONE), "{what}");
            assert!(by_chance(false).any(|answer| answer == expected), "{what}");
        }
    }
}

/// An export of one machine can be imported on another machine with the same devices, with its properties.
#[test]
#[cfg(unix)]
fn memory_goes_from_one_machine_to_another() {
    let descriptor = CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    let (_, _outer) = machine(config(64, Schedule::Eager));
    context(0);
    let prop = CUmemAllocationProp {
        type_: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        requestedHandleTypes: descriptor,
        location: place(1),
        ..CUmemAllocationProp::default()
    };
    let (mut handle, mut file, start) = (0, -1_i32, reserve(PAGE, 0));
    call!(cuMemCreate(&raw mut handle, PAGE, &raw const prop, 0));
    call!(cuMemMap(start, PAGE, 0, handle, 0));
    open(start, PAGE, WRITE);
    call!(cuMemsetD32_v2(start, 12, 1));
    call!(cuMemExportToShareableHandle((&raw mut file).cast(), handle, descriptor, 0));
    let file_handle = std::ptr::without_provenance_mut(file as usize);
    {
        let (machine, _inner) = machine(config(64, Schedule::Eager));
        context(0);
        let mut same = 0;
        call!(cuMemImportFromShareableHandle(&raw mut same, file_handle, descriptor));
        let mut found = CUmemAllocationProp::default();
        call!(cuMemGetAllocationPropertiesFromHandle(&raw mut found, same));
        // SAFETY: a location on a device holds its number.
        assert_eq!(unsafe { found.location.__bindgen_anon_1.id }, 1);
        let there = reserve(PAGE, 0);
        call!(cuMemMap(there, PAGE, 0, same, 0));
        open(there, PAGE, WRITE);
        assert_eq!(cuda_suite::raw::read(there), 12);
        call!(cuMemsetD32_v2(there, 13, 1));
        call!(cuMemUnmap(there, PAGE));
        call!(cuMemRelease(same));
        assert_eq!((machine.live().memory_handles, free_bytes()), (0, 64 * MIB));
    }
    assert_eq!(cuda_suite::raw::read(start), 13);
    {
        let (_, _inner) = machine(Config { devices: 1, ..config(64, Schedule::Eager) });
        let mut same = 0;
        let lacking = code!(cuMemImportFromShareableHandle(&raw mut same, file_handle, descriptor));
        assert_eq!(lacking, CUresult::CUDA_ERROR_NOT_SUPPORTED, "the device is not there");
    }
    // SAFETY: it was made for this program, which has nothing else of it.
    drop(unsafe { <std::os::fd::OwnedFd as std::os::fd::FromRawFd>::from_raw_fd(file) });
}

/// Memory that waits to be freed is reused in the order of streams, before the pool takes other memory.
#[test]
fn memory_serves_again_in_the_order_of_streams() {
    for schedule in [Schedule::Lazy, Schedule::Random(1)] {
        let (_, _entered) = machine(config(256, schedule));
        context(0);
        let (on, other) = (stream(1), stream(1));
        let (pool, out) = (pool(0), cuda_suite::raw::allocate(MIB));
        for round in 0..20_u8 {
            let memory = from(pool, MIB, on).unwrap();
            call!(cuMemsetD8Async(memory, round, MIB, on));
            call!(cuMemcpyDtoDAsync_v2(out, memory, MIB, on));
            call!(cuMemFreeAsync(memory, on));
            // A stream that does not wait for the work does not get memory in use.
            let others = from(pool, MIB, other).unwrap();
            call!(cuMemsetD8Async(others, 99, MIB, other));
            call!(cuMemFreeAsync(others, other));
        }
        call!(cuStreamSynchronize(on));
        assert_eq!(cuda_suite::raw::read(out + 4), u32::from_ne_bytes([19; 4]));
        let held = CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH;
        let mut most = 0_u64;
        call!(cuMemPoolGetAttribute(pool, held, (&raw mut most).cast()));
        assert_eq!(most, 32 << 20);
    }
}

/// `cuMemFree` frees memory of a pool without waiting, even if queued work uses it.
#[test]
fn early_freed_pool_memory_is_missing() {
    let (_, _entered) = machine(config(64, Schedule::Lazy));
    context(0);
    let on = stream(1);
    let memory = from(pool(0), MIB, on).unwrap();
    call!(cuMemsetD8Async(memory, 1, MIB, on));
    call!(cuMemFree_v2(memory));
    assert_eq!(code!(cuStreamSynchronize(on)), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
}

/// A pool of other code can have the handle of a closed `MemPool`. `current_of` refuses it.
#[test]
fn closed_pools_are_not_taken_for_later_ones() {
    let (_, _entered) = machine(Config { handles: HandleReuse::AtOnce, ..config(64, Schedule::Eager) });
    let device = cuda_rt::Device::get(0).unwrap();
    let options = cuda_rt::memory::MemPoolOptions::new();
    let endings: [fn(cuda_rt::memory::MemPool); 3] = [
        drop,
        |pool| pool.close().unwrap(),
        |pool| {
            let clone = pool.clone();
            pool.close().unwrap();
            clone.close().unwrap();
        },
    ];
    for end in endings {
        let pool = cuda_rt::memory::MemPool::new(device, options).unwrap();
        let handle = pool.as_raw();
        end(pool);
        let other = self::pool(0);
        assert_eq!(other, handle);
        call!(cuDeviceSetMemPool(0, other));
        let (answers, answered) = std::sync::mpsc::channel();
        let inside = cuda_sim::Machine::current();
        std::thread::spawn(move || {
            let _entered = inside.enter();
            let _ = answers.send(cuda_rt::memory::MemPool::current_of(device).map(drop));
        });
        let answer = answered.recv_timeout(std::time::Duration::from_secs(60)).unwrap();
        assert_eq!(answer, invalid("the current one of device 0 was made by other code"));
        call!(cuMemPoolDestroy(other));
    }
}
