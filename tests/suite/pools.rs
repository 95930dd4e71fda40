//! Memory pools through the raw API: default pools, and pools that programs make.

use crate::{alone, is_since};
use core::ffi::{c_int, c_void};
use cuda_rt::Context;
use cuda_rt::context::ContextFlags;
use cuda_suite::raw::{function, launch, read, stream};
use cuda_suite::{call, code, context, second_device, skip};
use cuda_sys::*;
use std::ptr::{null, null_mut};
use std::sync::mpsc::{Receiver, channel};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const DONE: CUresult = CUresult::CUDA_SUCCESS;
const MIB: usize = 1 << 20;

const COPY: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry copy(.param .u64 to, .param .u64 from) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u64 %b, [from]; ld.global.u32 %r, [%b]; st.global.u32 [%a], %r; ret; }";

/// Returns the properties of a pool of a device.
fn props(device: CUdevice) -> CUmemPoolProps {
    let mut props = CUmemPoolProps {
        allocType: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        ..CUmemPoolProps::default()
    };
    props.location = place(device);
    props
}

fn place(device: CUdevice) -> CUmemLocation {
    let type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    let mut location = CUmemLocation { type_, ..CUmemLocation::default() };
    location.__bindgen_anon_1.id = device;
    location
}

/// Returns the driver's answer to making a pool. A pool that it makes is destroyed.
fn answer_to(props: &CUmemPoolProps) -> CUresult {
    let mut pool = null_mut();
    let answer = code!(cuMemPoolCreate(&raw mut pool, props));
    if answer.is_success() {
        call!(cuMemPoolDestroy(pool));
    }
    answer
}

fn make(props: &CUmemPoolProps) -> CUmemoryPool {
    let mut pool = null_mut();
    call!(cuMemPoolCreate(&raw mut pool, props));
    pool
}

fn try_allocate(pool: CUmemoryPool, bytes: usize, stream: CUstream) -> Result<CUdeviceptr, CUresult> {
    let mut address = 1;
    match code!(cuMemAllocFromPoolAsync(&raw mut address, bytes, pool, stream)) {
        DONE => Ok(address),
        code => Err(code),
    }
}

fn allocate(pool: CUmemoryPool, bytes: usize, stream: CUstream) -> CUdeviceptr {
    try_allocate(pool, bytes, stream).unwrap()
}

const THRESHOLD: CUmemPool_attribute = CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
const HELD: CUmemPool_attribute = CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT;
const HELD_HIGH: CUmemPool_attribute = CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH;
const USED: CUmemPool_attribute = CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_USED_MEM_CURRENT;
const USED_HIGH: CUmemPool_attribute = CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_USED_MEM_HIGH;

fn get(pool: CUmemoryPool, attribute: CUmemPool_attribute) -> u64 {
    let mut value = 0_u64;
    call!(cuMemPoolGetAttribute(pool, attribute, (&raw mut value).cast()));
    value
}

fn set(pool: CUmemoryPool, attribute: CUmemPool_attribute, mut value: u64) -> CUresult {
    code!(cuMemPoolSetAttribute(pool, attribute, (&raw mut value).cast()))
}

/// The memory that a pool holds, the most that it has held, the memory in use, and the most that was in use.
fn bytes(pool: CUmemoryPool) -> [u64; 4] {
    [HELD, HELD_HIGH, USED, USED_HIGH].map(|attribute| get(pool, attribute))
}

fn grant(pool: CUmemoryPool, device: CUdevice, flags: CUmemAccess_flags) -> CUresult {
    let access = CUmemAccessDesc { location: place(device), flags };
    code!(cuMemPoolSetAccess(pool, &raw const access, 1))
}

const NONE: CUmemAccess_flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_NONE;
const READ: CUmemAccess_flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READ;
const READ_WRITE: CUmemAccess_flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;

fn access(pool: CUmemoryPool, device: CUdevice) -> CUmemAccess_flags {
    let (mut flags, mut location) = (READ, place(device));
    call!(cuMemPoolGetAccess(&raw mut flags, pool, &raw mut location));
    flags
}

/// A context of its own: no other test waits for its work.
fn own_context() -> Context {
    Context::new(cuda_suite::device(), ContextFlags::default()).unwrap()
}

/// Returns whether there are pools with all of the first attributes.
fn has_pools() -> bool {
    is_since(11, 3) && cuda_suite::device().memory_pools_supported().unwrap()
}

#[test]
fn pools_with_invalid_properties_are_refused() {
    let context = context();
    let _entered = context.enter().unwrap();
    if !has_pools() {
        skip!("the driver has no pools");
    }
    let device = cuda_suite::device().as_raw();
    let plain = || props(device);
    assert_eq!(answer_to(&plain()), DONE);
    let invalid = [
        CUmemPoolProps { allocType: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_INVALID, ..plain() },
        CUmemPoolProps { allocType: CUmemAllocationType_enum(3), ..plain() },
        CUmemPoolProps { handleTypes: CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_WIN32, ..plain() },
        CUmemPoolProps { handleTypes: CUmemAllocationHandleType_enum(16), ..plain() },
        CUmemPoolProps { location: place(99), ..plain() },
        CUmemPoolProps { location: CUmemLocation::default(), ..plain() },
        CUmemPoolProps {
            location: CUmemLocation {
                type_: CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT,
                ..CUmemLocation::default()
            },
            ..plain()
        },
        CUmemPoolProps {
            location: CUmemLocation {
                type_: CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST,
                ..CUmemLocation::default()
            },
            handleTypes: CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
            ..plain()
        },
    ];
    for props in invalid {
        assert_eq!(answer_to(&props), INVALID, "{props:?}");
    }
    let mut last = plain();
    last.reserved[52] = 1;
    assert_eq!(answer_to(&last), INVALID);
    assert_eq!(
        answer_to(&CUmemPoolProps { maxSize: 1 << 50, ..plain() }),
        CUresult::CUDA_ERROR_OUT_OF_MEMORY
    );
    let mut pool = null_mut();
    assert_eq!(code!(cuMemPoolCreate(null_mut(), &raw const last)), INVALID);
    assert_eq!(code!(cuMemPoolCreate(&raw mut pool, null())), INVALID);
    assert_eq!(code!(cuMemPoolDestroy(null_mut())), INVALID);
    // A pool is destroyed once, and cannot be queried afterwards.
    let pool = make(&plain());
    call!(cuMemPoolDestroy(pool));
    assert_eq!(code!(cuMemPoolDestroy(pool)), INVALID);
    assert_eq!(code!(cuMemPoolTrimTo(pool, 0)), INVALID);
}

#[test]
fn pools_need_no_context() {
    cuda_suite::driver();
    call!(cuInit(0));
    if !has_pools() {
        skip!("the driver has no pools");
    }
    let device = cuda_suite::device().as_raw();
    std::thread::spawn(move || assert_eq!(answer_to(&props(device)), DONE)).join().unwrap();
}

#[test]
fn pool_keeps_freed_memory_until_synchronization() {
    let context = own_context();
    let _entered = context.enter().unwrap();
    if !has_pools() {
        skip!("the driver has no pools");
    }
    let other = stream(1);
    let mut event = null_mut();
    call!(cuEventCreate(&raw mut event, 0));
    let plain = cuda_suite::raw::allocate(64);
    call!(cuMemsetD32_v2(plain, 1, 16));
    type Step<'step> = (&'step str, bool, &'step dyn Fn(CUstream));
    let query = |answer: CUresult| {
        assert!([DONE, CUresult::CUDA_ERROR_NOT_READY].contains(&answer), "{answer}");
    };
    let steps: [Step<'_>; 10] = [
        ("stream query", false, &|on| query(code!(cuStreamQuery(on)))),
        ("event query", false, &|_| query(code!(cuEventQuery(event)))),
        ("another stream", false, &|_| call!(cuStreamSynchronize(other))),
        ("a copy", false, &|_| assert_eq!(read(plain), read(plain))),
        ("nothing", false, &|_| ()),
        ("event", true, &|_| call!(cuEventSynchronize(event))),
        ("stream", true, &|on| call!(cuStreamSynchronize(on))),
        ("context", true, &|_| call!(cuCtxSynchronize())),
        ("a stream that waits for the event", true, &|_| {
            call!(cuStreamWaitEvent(other, event, 0));
            call!(cuStreamSynchronize(other));
        }),
        ("the end of the idle stream", true, &|on| {
            while code!(cuStreamQuery(on)) == CUresult::CUDA_ERROR_NOT_READY {
                std::thread::yield_now();
            }
            call!(cuStreamDestroy_v2(on));
        }),
    ];
    for (name, seen, step) in steps {
        let on = stream(1);
        let pool = make(&props(cuda_suite::device().as_raw()));
        let address = allocate(pool, 64, on);
        let unit = get(pool, HELD);
        assert!(unit >= 64 && get(pool, USED) == 64);
        call!(cuMemFreeAsync(address, on));
        call!(cuEventRecord(event, on));
        step(on);
        assert_eq!(bytes(pool), [if seen { 0 } else { unit }, unit, 0, 64], "{name}");
        // On demand it is the same.
        call!(cuMemPoolTrimTo(pool, 0));
        assert_eq!(get(pool, HELD), if seen { 0 } else { unit }, "{name}");
        // A driver may crash later if a pool is destroyed while a free is queued (fact V1107).
        call!(cuCtxSynchronize());
        call!(cuMemPoolDestroy(pool));
    }
    // Memory that is freed at once is released at once, although it still counts as used (measured).
    let pool = make(&props(cuda_suite::device().as_raw()));
    call!(cuMemFree_v2(allocate(pool, 64, other)));
    assert_eq!((get(pool, HELD), get(pool, USED)), (0, 64));
    call!(cuMemPoolDestroy(pool));
    call!(cuMemFree_v2(plain));
    call!(cuEventDestroy_v2(event));
}

/// Fact V1108.
#[test]
fn pool_releases_memory_of_an_ended_context() {
    let usual = context();
    let _entered = usual.enter().unwrap();
    if !has_pools() {
        skip!("the driver has no pools");
    }
    let pool = make(&props(cuda_suite::device().as_raw()));
    let mut own = null_mut();
    call!(cuCtxCreate_v2(&raw mut own, 0, cuda_suite::device().as_raw()));
    let on = stream(1);
    let address = allocate(pool, 64, on);
    let unit = get(pool, HELD);
    call!(cuMemFreeAsync(address, on));
    assert_eq!(bytes(pool), [unit, unit, 0, 64]);
    call!(cuCtxDestroy_v2(own));
    assert_eq!(bytes(pool), [0, unit, 0, 64]);
    call!(cuMemPoolDestroy(pool));
}

/// A stream is destroyed while a free is queued behind a host function (fact V1108).
#[test]
fn pool_releases_memory_of_an_ended_stream() {
    let context = own_context();
    let _entered = context.enter().unwrap();
    if !has_pools() {
        skip!("the driver has no pools");
    }
    extern "C" fn wait(end: *mut c_void) {
        // SAFETY: the pointer is of the box below, which is given to this one call.
        let end = unsafe { Box::from_raw(end.cast::<Receiver<()>>()) };
        let _ = end.recv();
    }
    let pool = make(&props(cuda_suite::device().as_raw()));
    let on = stream(1);
    let address = allocate(pool, 64, on);
    let unit = get(pool, HELD);
    let (go, gone) = channel::<()>();
    call!(cuLaunchHostFunc(on, Some(wait), Box::into_raw(Box::new(gone)).cast()));
    call!(cuMemFreeAsync(address, on));
    call!(cuStreamDestroy_v2(on));
    assert_eq!(get(pool, HELD), unit);
    call!(cuMemPoolTrimTo(pool, 0));
    assert_eq!(get(pool, HELD), unit);
    drop(go);
    call!(cuCtxSynchronize());
    assert_eq!(get(pool, HELD), 0);
    call!(cuMemPoolDestroy(pool));
}

#[test]
fn a_pool_keeps_as_much_as_it_is_told_to() {
    let context = own_context();
    let _entered = context.enter().unwrap();
    if !has_pools() {
        skip!("the driver has no pools");
    }
    let on = stream(1);
    let pool = make(&props(cuda_suite::device().as_raw()));
    let first = allocate(pool, 1, on);
    let unit = get(pool, HELD);
    let large = 2 * unit;
    assert_eq!(set(pool, THRESHOLD, u64::MAX), DONE);
    let second = allocate(pool, large as usize, on);
    assert_eq!(bytes(pool), [unit + large, unit + large, 1 + large, 1 + large]);
    // Memory in use is not released.
    call!(cuMemPoolTrimTo(pool, 0));
    call!(cuMemFreeAsync(second, on));
    call!(cuStreamSynchronize(on));
    assert_eq!(bytes(pool), [unit + large, unit + large, 1, 1 + large]);
    // It would be less than was asked for, or nothing would be left.
    call!(cuMemPoolTrimTo(pool, unit as usize + 1));
    // The size of the steps in which it is released differs (measured: 32 MiB).
    assert!((unit + 1..=unit + large).contains(&get(pool, HELD)));
    call!(cuMemPoolTrimTo(pool, unit as usize));
    assert_eq!(get(pool, HELD), unit);
    assert_eq!(set(pool, THRESHOLD, 0), DONE);
    call!(cuMemFreeAsync(first, on));
    call!(cuCtxSynchronize());
    assert_eq!(bytes(pool), [0, unit + large, 0, 1 + large]);
    // The high marks start again.
    assert_eq!([set(pool, HELD_HIGH, 1), set(pool, USED_HIGH, 1)], [INVALID; 2]);
    assert_eq!([set(pool, HELD, 0), set(pool, USED, 0)], [INVALID; 2]);
    assert_eq!([set(pool, HELD_HIGH, 0), set(pool, USED_HIGH, 0)], [DONE; 2]);
    assert_eq!(bytes(pool), [0; 4]);
    call!(cuMemPoolDestroy(pool));
    call!(cuStreamDestroy_v2(on));
}

#[test]
fn a_pool_may_be_limited() {
    let context = context();
    let _entered = context.enter().unwrap();
    if !has_pools() {
        skip!("the driver has no pools");
    }
    let on = stream(1);
    let device = cuda_suite::device().as_raw();
    // The limit is rounded up to what a pool takes at a time.
    let pool = make(&CUmemPoolProps { maxSize: 1, ..props(device) });
    let first = allocate(pool, MIB, on);
    let unit = get(pool, HELD) as usize;
    let mut all: Vec<CUdeviceptr> = (1..unit / MIB).map(|_| allocate(pool, MIB, on)).collect();
    all.push(first);
    let more = try_allocate(pool, MIB, on);
    assert_eq!(more, Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
    // Other pools are not affected, and freed memory can be allocated again.
    let other = make(&props(device));
    call!(cuMemFree_v2(allocate(other, 2 * unit, on)));
    call!(cuMemFreeAsync(all.pop().unwrap(), on));
    all.push(allocate(pool, MIB, on));
    for address in all {
        call!(cuMemFreeAsync(address, on));
    }
    assert_eq!(try_allocate(pool, unit + 1, on), Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
    call!(cuStreamSynchronize(on));
    for pool in [pool, other] {
        call!(cuMemPoolDestroy(pool));
    }
    call!(cuStreamDestroy_v2(on));
}

/// In a process of its own, which ends before the memory is freed: a driver may crash in a synchronization after that free (fact
/// V1107).
#[test]
fn memory_outlives_its_pool() {
    cuda_suite::driver();
    if !has_pools() {
        skip!("the driver has no pools");
    }
    alone("pools::memory_outlives_its_pool", || {
        let context = context();
        let _entered = context.enter().unwrap();
        let on = stream(1);
        let pool = make(&props(cuda_suite::device().as_raw()));
        let address = allocate(pool, 64, on);
        call!(cuMemPoolDestroy(pool));
        call!(cuMemsetD32Async(address, 5, 16, on));
        call!(cuStreamSynchronize(on));
        assert_eq!(read(address), 5);
        let mut value = 0_u64;
        assert_eq!(code!(cuMemPoolGetAttribute(pool, HELD, (&raw mut value).cast())), INVALID);
        assert_eq!(try_allocate(pool, 4, on), Err(INVALID));
    });
}

#[test]
fn zero_bytes_are_allocated_but_too_many_are_refused() {
    let context = context();
    let _entered = context.enter().unwrap();
    if !has_pools() {
        skip!("the driver has no pools");
    }
    let on = stream(1);
    let pool = make(&props(cuda_suite::device().as_raw()));
    assert_eq!(try_allocate(pool, 0, on), Ok(0));
    call!(cuMemFreeAsync(0, on));
    assert_eq!((get(pool, HELD), get(pool, USED)), (0, 0));
    assert_eq!(try_allocate(pool, 1 << 50, on), Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
    assert_eq!(try_allocate(null_mut(), 4, on), Err(INVALID));
    assert_eq!(code!(cuMemAllocFromPoolAsync(null_mut(), 4, pool, on)), INVALID);
    let [first, second] = [(); 2].map(|()| allocate(pool, 64, on));
    assert_eq!(second - first, 512);
    for address in [first, second] {
        call!(cuMemFreeAsync(address, on));
    }
    call!(cuStreamSynchronize(on));
    call!(cuMemPoolDestroy(pool));
    call!(cuStreamDestroy_v2(on));
}

#[test]
fn a_pool_says_how_it_uses_memory_again() {
    let context = context();
    let _entered = context.enter().unwrap();
    if !has_pools() {
        skip!("the driver has no pools");
    }
    let pool = make(&props(cuda_suite::device().as_raw()));
    for number in 1..=3 {
        let attribute = CUmemPool_attribute_enum(number);
        let get = || {
            let mut value: c_int = 7;
            call!(cuMemPoolGetAttribute(pool, attribute, (&raw mut value).cast()));
            value
        };
        let set = |mut value: c_int| {
            let value: *mut c_void = (&raw mut value).cast();
            call!(cuMemPoolSetAttribute(pool, attribute, value));
        };
        assert_eq!(get(), 1);
        set(0);
        assert_eq!(get(), 0);
        set(5);
        assert_eq!(get(), 1, "anything else is the same");
    }
    let first = CUmemPool_attribute_enum(1);
    let mut value = 0_u64;
    assert_eq!(code!(cuMemPoolGetAttribute(pool, first, null_mut())), INVALID);
    assert_eq!(code!(cuMemPoolGetAttribute(null_mut(), first, (&raw mut value).cast())), INVALID);
    let none = CUmemPool_attribute_enum(9999);
    assert_eq!(code!(cuMemPoolGetAttribute(pool, none, (&raw mut value).cast())), INVALID);
    assert_eq!(set(pool, none, 0), INVALID);
    call!(cuMemPoolDestroy(pool));
}

/// In a process of its own: the current pool is the device's.
#[test]
fn allocations_come_from_the_current_pool() {
    cuda_suite::driver();
    if !has_pools() {
        skip!("the driver has no pools");
    }
    alone("pools::allocations_come_from_the_current_pool", || {
        let context = context();
        let _entered = context.enter().unwrap();
        let device = cuda_suite::device().as_raw();
        let current = || {
            let mut pool = null_mut();
            call!(cuDeviceGetMemPool(&raw mut pool, device));
            pool
        };
        let mut default = null_mut();
        call!(cuDeviceGetDefaultMemPool(&raw mut default, device));
        assert_eq!(current(), default);
        let (on, pool) = (stream(1), make(&props(device)));
        call!(cuDeviceSetMemPool(device, pool));
        assert_eq!(current(), pool);
        let mut address = 0;
        call!(cuMemAllocAsync(&raw mut address, 100, on));
        assert_eq!((get(pool, USED), get(default, USED)), (100, 0));
        call!(cuMemPoolDestroy(pool));
        assert_eq!(current(), default, "in place of the one that is gone");
        call!(cuMemAllocAsync(&raw mut address, 50, on));
        assert_eq!(get(default, USED), 50);
        assert_eq!(code!(cuMemPoolDestroy(default)), INVALID);

        let mut pool = null_mut();
        assert_eq!(code!(cuDeviceSetMemPool(device, null_mut())), INVALID);
        assert_eq!(code!(cuDeviceSetMemPool(99, default)), INVALID);
        assert_eq!(code!(cuDeviceGetMemPool(&raw mut pool, 99)), INVALID);
        let missing = code!(cuDeviceGetDefaultMemPool(&raw mut pool, 99));
        assert_eq!(missing, CUresult::CUDA_ERROR_INVALID_DEVICE);
        assert_eq!(code!(cuDeviceGetMemPool(null_mut(), device)), INVALID);
        if let Some(other) = second_device() {
            let foreign = make(&props(other.as_raw()));
            assert_eq!(code!(cuDeviceSetMemPool(device, foreign)), INVALID);
            call!(cuMemPoolDestroy(foreign));
        }
        if !is_since(13, 0) {
            return;
        }
        // The same by place.
        let pinned = CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED;
        let (mut known, mut nowhere, mut unknown) = (place(device), CUmemLocation::default(), place(99));
        call!(cuMemGetDefaultMemPool(&raw mut pool, &raw mut known, pinned));
        assert_eq!(pool, default);
        let own = make(&props(device));
        call!(cuMemSetMemPool(&raw mut known, pinned, own));
        call!(cuMemGetMemPool(&raw mut pool, &raw mut known, pinned));
        assert_eq!((pool, current()), (own, own));
        for wrong in [&raw mut nowhere, &raw mut unknown, null_mut()] {
            assert_eq!(code!(cuMemGetDefaultMemPool(&raw mut pool, wrong, pinned)), INVALID);
            assert_eq!(code!(cuMemGetMemPool(&raw mut pool, wrong, pinned)), INVALID);
        }
        let invalid = CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_INVALID;
        assert_eq!(code!(cuMemGetMemPool(&raw mut pool, &raw mut known, invalid)), INVALID);
        call!(cuMemPoolDestroy(own));
    });
}

#[test]
fn access_of_the_own_device_is_always_there() {
    let context = context();
    let _entered = context.enter().unwrap();
    if !has_pools() {
        skip!("the driver has no pools");
    }
    let device = cuda_suite::device().as_raw();
    let pool = make(&props(device));
    assert_eq!(access(pool, device), READ_WRITE);
    assert_eq!(grant(pool, device, NONE), CUresult::CUDA_ERROR_INVALID_DEVICE);
    assert_eq!(grant(pool, device, READ), CUresult::CUDA_ERROR_NOT_SUPPORTED);
    assert_eq!(grant(pool, device, READ_WRITE), DONE);
    let type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST;
    let mut host = CUmemLocation { type_, ..CUmemLocation::default() };
    let wanted = CUmemAccessDesc { location: host, flags: READ_WRITE };
    assert_eq!(code!(cuMemPoolSetAccess(pool, &raw const wanted, 1)), CUresult::CUDA_ERROR_NOT_SUPPORTED);
    let mut flags = READ;
    call!(cuMemPoolGetAccess(&raw mut flags, pool, &raw mut host));
    assert_eq!(code!(cuMemPoolSetAccess(pool, null(), 1)), INVALID);
    assert_eq!(code!(cuMemPoolSetAccess(pool, &raw const wanted, 0)), DONE, "of an empty list");
    call!(cuMemPoolDestroy(pool));
}

/// Independent of what `cuCtxEnablePeerAccess` says.
#[test]
fn another_device_uses_a_pool_that_is_opened_for_it() {
    let own_context = context();
    let _entered = own_context.enter().unwrap();
    if !has_pools() {
        skip!("the driver has no pools");
    }
    let Some(other) = second_device() else { skip!("one device only") };
    let device = cuda_suite::device().as_raw();
    if !cuda_suite::device().can_access_peer(other).unwrap() {
        skip!("the devices do not reach each other");
    }
    // The other device has memory, and allocates from the pool; this one uses it.
    let on_own = stream(1);
    let pool = make(&props(other.as_raw()));
    let address = allocate(pool, 64, on_own);
    // Streams of the other device use the memory.
    call!(cuStreamSynchronize(on_own));
    let out = cuda_suite::raw::allocate(64);
    let set = |value| code!(cuMemsetD32_v2(address, value, 1));
    assert_eq!(access(pool, device), NONE);
    assert_eq!(set(1), INVALID);
    assert_eq!(code!(cuMemcpyDtoD_v2(out, address, 4)), INVALID);
    {
        let there = Context::primary(other).unwrap();
        let _entered = there.enter().unwrap();
        call!(cuMemsetD32_v2(address, 2, 1));
        call!(cuCtxSynchronize());
        // A copy with the right context works all the same.
        call!(cuMemcpyPeer(out, own_context.as_raw(), address, there.as_raw(), 4));
        call!(cuCtxSynchronize());
    }
    assert_eq!(read(out), 2);
    assert_eq!(grant(pool, device, READ_WRITE), DONE);
    assert_eq!((access(pool, device), set(3)), (READ_WRITE, DONE));
    call!(cuCtxSynchronize());
    launch(function(COPY, c"copy"), null_mut(), &[out, address]);
    assert_eq!(read(out), 3);
    assert_eq!(grant(pool, device, NONE), DONE);
    assert_eq!(set(4), INVALID);
    call!(cuMemFreeAsync(address, on_own));
    call!(cuStreamSynchronize(on_own));
    call!(cuMemPoolDestroy(pool));
    call!(cuMemFree_v2(out));
    call!(cuStreamDestroy_v2(on_own));
}

#[test]
fn pool_is_exported_only_with_its_handle_type() {
    let context = context();
    let _entered = context.enter().unwrap();
    if !has_pools() {
        skip!("the driver has no pools");
    }
    let on = stream(1);
    let device = cuda_suite::device().as_raw();
    let descriptor = CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    let windows = CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_WIN32;
    let private = make(&props(device));
    let shared = make(&CUmemPoolProps { handleTypes: descriptor, ..props(device) });
    let mut default = null_mut();
    call!(cuDeviceGetDefaultMemPool(&raw mut default, device));
    let mut file: c_int = -1;
    let mut export = |pool, kind, flags| {
        code!(cuMemPoolExportToShareableHandle((&raw mut file).cast(), pool, kind, flags))
    };
    assert_eq!([export(private, descriptor, 0), export(default, descriptor, 0)], [INVALID; 2]);
    assert_eq!([export(shared, descriptor, 1), export(shared, windows, 0)], [INVALID; 2]);
    assert_eq!(file, -1);
    let mut data = CUmemPoolPtrExportData::default();
    let mut export = |address| code!(cuMemPoolExportPointer(&raw mut data, address));
    let (address, plain) = (allocate(private, 64, on), cuda_suite::raw::allocate(64));
    assert_eq!([export(address), export(plain), export(8)], [INVALID; 3]);
    call!(cuMemFree_v2(plain));
    call!(cuMemFreeAsync(address, on));
    call!(cuStreamSynchronize(on));
    for pool in [private, shared] {
        call!(cuMemPoolDestroy(pool));
    }
    call!(cuStreamDestroy_v2(on));
}

/// Pools of the host and of managed memory: work that was queued before the memory was freed, and given out again, is done as
/// it was queued.
#[test]
fn located_memory_is_used_again_in_order() {
    let context = context();
    let _entered = context.enter().unwrap();
    if !is_since(13, 0) {
        skip!("the driver has pools of devices alone");
    }
    let host = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST;
    let managed = CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_MANAGED;
    let (mut of_host, mut of_managed) =
        (props(cuda_suite::device().as_raw()), props(cuda_suite::device().as_raw()));
    of_host.location = CUmemLocation { type_: host, ..CUmemLocation::default() };
    of_managed.allocType = managed;
    // Memory at other addresses of the host, before and after.
    let (before, _) = cuda_suite::raw::page_locked(4);
    for props in [of_managed, of_host, of_managed] {
        let (pool, on) = (make(&props), stream(1));
        assert_eq!(grant(pool, cuda_suite::device().as_raw(), READ_WRITE), DONE);
        let first = allocate(pool, 64, on);
        let mut of: CUmemoryPool = null_mut();
        let handle = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
        call!(cuPointerGetAttribute((&raw mut of).cast(), handle, first));
        assert_eq!(of, pool);
        let words = before.as_ptr().addr() as u64;
        call!(cuMemsetD32Async(first, 5, 16, on));
        call!(cuMemcpyAsync(words, first, 4, on));
        call!(cuMemFreeAsync(first, on));
        let second = allocate(pool, 16, on);
        call!(cuMemsetD32Async(second, 6, 4, on));
        call!(cuMemcpyAsync(words + 4, second, 4, on));
        call!(cuStreamSynchronize(on));
        let found = [0, 1].map(|word| before[word].load(std::sync::atomic::Ordering::Relaxed));
        assert_eq!((found, second), ([5, 6], first));
        call!(cuMemFreeAsync(second, on));
        call!(cuStreamSynchronize(on));
        assert_eq!(bytes(pool)[2], 0);
        call!(cuMemPoolDestroy(pool));
    }
}
