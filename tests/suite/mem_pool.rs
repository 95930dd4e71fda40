//! Memory pools of the driver.
#![allow(unsafe_code)]

use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::memory::{
    AccessFlags, LocatedPool, MemAllocationType, MemLocation, MemPool, MemPoolAttribute, MemPoolOptions,
    MemPoolReuse, MemoryRelease, MemorySource,
};
use cuda_rt::{Context, Device, DeviceBuf, Stream};
use cuda_suite::{context, device, invalid, second_device, skip, stream};
use std::sync::atomic::{AtomicBool, Ordering};

const MEBI: u64 = 1 << 20;

/// A new pool; `None` where there are none.
fn pool(options: MemPoolOptions) -> Option<MemPool> {
    match MemPool::new(device(), options) {
        Err(error) if error.code() == Some(Code::NotSupported) => None,
        Err(error) if error.kind() == ErrorKind::FunctionMissing => None,
        pool => Some(pool.unwrap()),
    }
}

macro_rules! pool {
    () => {{
        let Some(pool) = pool(MemPoolOptions::new()) else { skip!("this driver has no pools of one's own") };
        pool
    }};
}

#[test]
fn located_pools_are_current_by_default() {
    use MemAllocationType as Type;
    cuda_suite::driver();
    let here = MemLocation::device(device());
    let places = [
        (MemLocation::HOST, Type::Pinned),
        (MemLocation::HOST, Type::Managed),
        (here, Type::Managed),
        (here, Type::Pinned),
    ];
    let mut found: Vec<LocatedPool> = Vec::new();
    for (location, kind) in places {
        let pool = match LocatedPool::default_of(location, kind) {
            Ok(pool) => pool,
            Err(missing) if missing.kind() == ErrorKind::FunctionMissing => {
                assert!(!crate::is_since(13, 0) && missing.to_string().contains("13.0"), "{missing}");
                continue;
            }
            Err(refused) => {
                assert_eq!(refused.code(), Some(Code::NotSupported), "{refused}");
                continue;
            }
        };
        assert_eq!((pool.location(), pool.allocation_type()), (location, kind));
        assert!(found.iter().all(|other| *other != pool));
        // Tests beside this one may make another pool of the device current.
        if (location, kind) != (here, Type::Pinned) {
            pool.make_current().unwrap();
            assert_eq!(LocatedPool::current_of(location, kind).unwrap(), pool);
        }
        assert!(pool.attribute(MemPoolAttribute::USED_MEM_CURRENT).is_ok());
        assert!(pool.attribute(MemPoolAttribute(99)).is_err());
        pool.trim_to(usize::MAX).unwrap();
        found.push(pool);
    }
    if let Some(pool) = found.iter().find(|pool| pool.allocation_type() == Type::Pinned) {
        let threshold = pool.attribute(MemPoolAttribute::RELEASE_THRESHOLD).unwrap();
        pool.set_attribute(MemPoolAttribute::RELEASE_THRESHOLD, threshold).unwrap();
    }
    if crate::is_since(13, 0) {
        let nowhere = MemLocation::other(here.number(), 99);
        let refused = LocatedPool::default_of(nowhere, Type::Managed).unwrap_err();
        assert_eq!(refused.code(), Some(Code::InvalidValue));
        assert!(refused.to_string().contains("managed memory of device 99"), "{refused}");
    }
}

#[test]
fn buffers_come_out_of_a_pool_and_keep_it() {
    let (pool, stream) = (pool!(), stream());
    let numbers: Vec<u32> = (0..1000).collect();
    let buffer = DeviceBuf::from_host_in(&stream, &numbers, &pool).unwrap();
    assert!(!buffer.is_plain());
    let usage = pool.usage().unwrap();
    assert!(usage.used >= 4000 && usage.reserved >= usage.used, "{usage:?}");
    let zeros = DeviceBuf::<u32>::zeroed_in(&stream, 1000, MemorySource::Pool(&pool)).unwrap();
    let empty = DeviceBuf::<u32>::zeroed_in(&stream, 0, &pool).unwrap();
    assert!(empty.ptr().is_null());
    assert!(matches!(empty.into_raw().2, MemoryRelease::Pool(other) if other == pool));
    drop(pool);
    assert_eq!(zeros.to_vec().unwrap(), [0; 1000]);
    zeros.close().unwrap();
    let mut buffer = buffer;
    let other = Stream::new(&context()).unwrap();
    buffer.move_to(&other).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), numbers);
    let (ptr, len, release) = buffer.into_raw();
    // SAFETY: what a buffer on this stream was.
    let again = unsafe { DeviceBuf::from_raw(ptr, len, &other, release) };
    assert_eq!(again.to_vec().unwrap(), numbers);
    std::thread::spawn(move || again.close().unwrap()).join().unwrap();
}

#[test]
fn pool_counts_its_bytes() {
    let (pool, stream) = (pool!(), stream());
    assert_eq!(pool.release_threshold().unwrap(), 0);
    pool.set_release_threshold(u64::MAX).unwrap();
    assert_eq!(pool.release_threshold().unwrap(), u64::MAX);
    let buffer = DeviceBuf::<u8>::uninit_in(&stream, 3 << 20, &pool).unwrap();
    let usage = pool.usage().unwrap();
    assert!(usage.used >= 3 * MEBI && usage.used_high == usage.used, "{usage:?}");
    buffer.close().unwrap();
    stream.synchronize().unwrap();
    let usage = pool.usage().unwrap();
    assert_eq!(usage.used, 0);
    assert!(usage.used_high >= 3 * MEBI && usage.reserved >= 3 * MEBI, "it is kept: {usage:?}");
    pool.reset_high_marks().unwrap();
    assert_eq!(pool.usage().unwrap().used_high, 0);
    pool.trim_to(0).unwrap();
    let usage = pool.usage().unwrap();
    assert_eq!((usage.reserved, usage.used), (0, 0));
    pool.reset_high_marks().unwrap();
    assert_eq!(pool.usage().unwrap().reserved_high, 0);
}

#[test]
fn properties_are_set_and_asked() {
    let pool = pool!();
    let all =
        MemPoolReuse { follow_event_dependencies: true, opportunistic: true, internal_dependencies: true };
    assert_eq!(pool.reuse().unwrap(), all);
    let some = MemPoolReuse { opportunistic: false, ..all };
    pool.set_reuse(some).unwrap();
    assert_eq!(pool.reuse().unwrap(), some);
    for attribute in [MemPoolAttribute(0), MemPoolAttribute(99)] {
        let error = pool.attribute(attribute).unwrap_err();
        assert!(error.to_string().ends_with(&format!(": attribute {attribute}")), "{error}");
    }
    let error = pool.set_attribute(MemPoolAttribute::USED_MEM_HIGH, 1).unwrap_err();
    assert!(error.to_string().ends_with(": attribute USED_MEM_HIGH, value 1"), "{error}");
}

#[test]
fn a_pool_has_a_limit_if_one_is_set() {
    let stream = stream();
    // The driver rounds up to 32 MiB (measured).
    let Some(pool) = pool(MemPoolOptions::new().max_bytes(4 << 20)) else {
        skip!("this driver has no pools of one's own")
    };
    let first = DeviceBuf::<u8>::uninit_in(&stream, 4 << 20, &pool).unwrap();
    let error = DeviceBuf::<u8>::uninit_in(&stream, 33 << 20, &pool).unwrap_err();
    assert_eq!(error.code(), Some(Code::OutOfMemory));
    assert!(error.to_string().contains(&format!(": {} bytes", 33 << 20)), "{error}");
    drop(first);
}

#[test]
fn the_default_pool_stays() {
    let device = device();
    let default = match MemPool::default_of(device) {
        Err(error) if matches!(error.code(), Some(Code::NotSupported) | None) => skip!("there are no pools"),
        default => default.unwrap(),
    };
    assert_eq!(default, MemPool::default_of(device).unwrap());
    assert_eq!(default.device(), device);
    default.clone().close().unwrap();
    let buffer = DeviceBuf::from_host_in(&stream(), &[1_u8, 2], &default).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [1, 2]);
    assert_eq!(default.access(device).unwrap(), AccessFlags::READ_WRITE);
}

#[test]
fn the_current_pool_is_where_memory_comes_from() {
    // Other tests allocate meanwhile.
    crate::alone("mem_pool::the_current_pool_is_where_memory_comes_from", || {
        let device = device();
        let Some(pool) = pool(MemPoolOptions::new()) else {
            cuda_suite::note_skip(
                "the_current_pool_is_where_memory_comes_from",
                "there are no pools of one's own",
            );
            return;
        };
        let default = MemPool::default_of(device).unwrap();
        assert_eq!(MemPool::current_of(device).unwrap(), default);
        pool.make_current().unwrap();
        let current = MemPool::current_of(device).unwrap();
        assert_eq!(current, pool);
        if crate::is_since(13, 0) {
            let here = MemLocation::device(device);
            let refused = LocatedPool::current_of(here, MemAllocationType::Pinned).unwrap_err();
            let text = format!("{:p}, a `MemPool` of this crate; use `MemPool::current_of`", pool.as_raw());
            assert_eq!(refused, invalid(&text));
        }
        let buffer = DeviceBuf::<u8>::zeroed(&stream(), 1000).unwrap();
        assert!(pool.usage().unwrap().used >= 1000);
        // A handle that was asked for keeps it, too.
        drop(pool);
        assert_eq!(MemPool::current_of(device).unwrap(), current);
        current.close().unwrap();
        assert_eq!(MemPool::current_of(device).unwrap(), default, "it is gone");
        assert_eq!(buffer.to_vec().unwrap(), [0; 1000], "but not its memory");
        buffer.close().unwrap();

        // A pool that this crate does not know, and so cannot keep alive.
        let mut properties = cuda_rt::sys::CUmemPoolProps {
            allocType: cuda_rt::sys::CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
            ..Default::default()
        };
        properties.location.type_ = cuda_rt::sys::CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
        let mut raw = std::ptr::null_mut();
        // SAFETY: valid for a write, and for a read.
        assert!(unsafe { cuda_sys::cuMemPoolCreate(&raw mut raw, &raw const properties) }.is_success());
        // SAFETY: live.
        assert!(unsafe { cuda_sys::cuDeviceSetMemPool(device.as_raw(), raw) }.is_success());
        let error = MemPool::current_of(device).unwrap_err();
        assert_eq!(
            error,
            invalid(format!("the current one of device {} was made by other code", device.as_raw()))
        );
        if crate::is_since(13, 0) {
            let here = MemLocation::device(device);
            let refused = LocatedPool::current_of(here, MemAllocationType::Pinned).unwrap_err();
            assert_eq!(
                refused,
                invalid(format!("{raw:p}, which was made by other code and may be destroyed"))
            );
        }
        // SAFETY: made above for this device, and no other code destroys it.
        let taken = unsafe { MemPool::from_raw(raw, device) };
        assert_eq!(MemPool::current_of(device).unwrap(), taken);
        default.make_current().unwrap();
        taken.close().unwrap();
    });
}

/// Returns the bytes that the driver has reserved for a pool, or `None` if the pool is destroyed.
fn reserved(raw: cuda_rt::sys::CUmemoryPool) -> Option<u64> {
    let mut bytes = 0_u64;
    let attribute = cuda_rt::sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT;
    // SAFETY: no other code of the process makes pools, so the handle names this pool or none; `bytes` is valid for a write.
    let answer = unsafe { cuda_sys::cuMemPoolGetAttribute(raw, attribute, (&raw mut bytes).cast()) };
    answer.is_success().then_some(bytes)
}

/// Writes to all freed blocks of the host's allocator, so that a driver that reads freed memory fails.
fn overwrite_freed_blocks() {
    let sizes = (1..=512).map(|size| size * 16);
    let blocks: Vec<Vec<u8>> = (0..30).flat_map(|_| sizes.clone()).map(|size| vec![0xa5; size]).collect();
    std::hint::black_box(&blocks);
}

#[test]
fn a_pool_is_destroyed_after_its_last_free() {
    crate::alone("mem_pool::a_pool_is_destroyed_after_its_last_free", || {
        let reports = cuda_suite::reports(|| {
            let context = Context::new(device(), cuda_rt::context::ContextFlags::default()).unwrap();
            for threshold in [0, u64::MAX] {
                let stream = Stream::new(&context).unwrap();
                let Some(pool) = pool(MemPoolOptions::new()) else {
                    cuda_suite::note_skip(
                        "a_pool_is_destroyed_after_its_last_free",
                        "there are no pools of one's own",
                    );
                    return;
                };
                pool.set_release_threshold(threshold).unwrap();
                let raw = pool.as_raw();
                let buffer = DeviceBuf::<u8>::zeroed_in(&stream, 1000, &pool).unwrap();
                let (go, gone) = std::sync::mpsc::channel::<()>();
                stream
                    .launch_host_function(move || {
                        let _end = gone.recv();
                    })
                    .unwrap();
                // The free is queued behind the function.
                drop(buffer);
                drop(pool);
                assert_ne!(reserved(raw).unwrap(), 0);
                overwrite_freed_blocks();
                drop(go);
                stream.synchronize().unwrap();
                assert_eq!(reserved(raw), None);
                // Without queued frees, a pool is destroyed at once.
                let pool = MemPool::new(device(), MemPoolOptions::new()).unwrap();
                let raw = pool.as_raw();
                let buffer = DeviceBuf::<u8>::zeroed_in(&stream, 1000, &pool).unwrap();
                drop(buffer);
                stream.synchronize().unwrap();
                pool.close().unwrap();
                assert_eq!(reserved(raw), None);
                // The end of the stream is the last use of a pool, too.
                let pool = MemPool::new(device(), MemPoolOptions::new()).unwrap();
                let raw = pool.as_raw();
                drop(DeviceBuf::<u8>::zeroed_in(&stream, 1000, &pool).unwrap());
                drop(pool);
                while !stream.is_done().unwrap() {
                    std::thread::yield_now();
                }
                drop(stream);
                assert_eq!(reserved(raw), None);
            }
        });
        assert_eq!(reports, Vec::<String>::new());
    });
}

#[test]
fn memory_of_a_former_current_pool_keeps_it() {
    crate::alone("mem_pool::memory_of_a_former_current_pool_keeps_it", || {
        let Some(pool) = pool(MemPoolOptions::new()) else {
            cuda_suite::note_skip(
                "memory_of_a_former_current_pool_keeps_it",
                "there are no pools of one's own",
            );
            return;
        };
        let stream = stream();
        pool.make_current().unwrap();
        let buffer = DeviceBuf::<u8>::zeroed(&stream, 1000).unwrap();
        let raw = pool.as_raw();
        drop(pool);
        assert_eq!(MemPool::current_of(device()).unwrap(), MemPool::default_of(device()).unwrap());
        stream.synchronize().unwrap();
        assert_ne!(reserved(raw).unwrap(), 0);
        assert_eq!(buffer.to_vec().unwrap(), [0; 1000]);
        drop(buffer);
        overwrite_freed_blocks();
        stream.synchronize().unwrap();
        // The pool itself stays: another thread may be about to allocate from it.
        assert_eq!(reserved(raw), Some(0));
    });
}

/// Conformance fact V1179.
#[test]
fn current_pools_end_while_other_threads_allocate() {
    crate::alone("mem_pool::current_pools_end_while_other_threads_allocate", || {
        let Ok(_) = MemPool::new(device(), MemPoolOptions::new()) else {
            cuda_suite::note_skip(
                "current_pools_end_while_other_threads_allocate",
                "there are no pools of one's own",
            );
            return;
        };
        let context = Context::primary(device()).unwrap();
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let stream = Stream::new(&context).unwrap();
                    while !is_over.load(Ordering::Relaxed) {
                        drop(DeviceBuf::<u8>::zeroed(&stream, 4096).unwrap());
                        stream.synchronize().unwrap();
                        // Otherwise the other thread waits long for the driver's locks.
                        std::thread::sleep(std::time::Duration::from_micros(200));
                    }
                });
            }
            for _ in 0..300 {
                let pool = MemPool::new(device(), MemPoolOptions::new()).unwrap();
                pool.make_current().unwrap();
            }
            is_over.store(true, Ordering::Relaxed);
        });
        assert_eq!(MemPool::current_of(device()).unwrap(), MemPool::default_of(device()).unwrap());
    });
}

#[test]
fn a_pool_is_of_one_device() {
    let Some(second) = second_device() else { skip!("there is one device only") };
    let pool = pool!();
    let stream = Stream::new(&Context::primary(second).unwrap()).unwrap();
    let error = DeviceBuf::<u8>::zeroed_in(&stream, 4, &pool).unwrap_err();
    let expected = invalid(format!(
        "the pool is of device {}, the stream of device {};",
        device().as_raw(),
        second.as_raw()
    ));
    assert_eq!(error, expected);
}

#[test]
fn access_is_given_to_devices() {
    let Some(second) = second_device() else { skip!("there is one device only") };
    let pool = pool!();
    if !second.can_access_peer(device()).unwrap() {
        skip!("the devices do not reach each other");
    }
    assert_eq!(pool.access(device()).unwrap(), AccessFlags::READ_WRITE);
    assert_eq!(pool.access(second).unwrap(), AccessFlags::NONE);
    for _ in 0..2 {
        pool.set_access(second, AccessFlags::READ_WRITE).unwrap();
        assert_eq!(pool.access(second).unwrap(), AccessFlags::READ_WRITE);
    }
    let there = Stream::new(&Context::primary(second).unwrap()).unwrap();
    for _ in 0..5 {
        let source = DeviceBuf::from_host_in(&stream(), &vec![9_u8; 1 << 20], &pool).unwrap();
        let mut copy = DeviceBuf::<u8>::zeroed(&there, 1 << 20).unwrap();
        copy.copy_from_device(source.as_slice()).unwrap();
        // Waits for the copy, which would end the process's use of the driver.
        pool.set_access(second, AccessFlags::NONE).unwrap();
        assert_eq!(pool.access(second).unwrap(), AccessFlags::NONE);
        // Copies need none.
        copy.copy_from_device(source.as_slice()).unwrap();
        assert_eq!(copy.to_vec().unwrap(), vec![9; 1 << 20]);
        pool.set_access(second, AccessFlags::READ_WRITE).unwrap();
    }
    let refused = |device: Device, access: AccessFlags, code: Code| {
        let error = pool.set_access(device, access).unwrap_err();
        assert_eq!(error.code(), Some(code), "{error}");
        let asked = format!(": access {access} for device {}", device.as_raw());
        assert!(error.to_string().ends_with(&asked), "{error}");
    };
    refused(device(), AccessFlags::NONE, Code::InvalidDevice);
    refused(second, AccessFlags::READ, Code::NotSupported);
}

#[test]
fn explicit_pool_access_outlives_contexts() {
    let Some(second) = second_device() else { skip!("there is one device only") };
    crate::alone("mem_pool::explicit_pool_access_outlives_contexts", || {
        if !second.can_access_peer(device()).unwrap() {
            return cuda_suite::note_skip(
                "access_that_the_program_gives",
                "the devices do not reach each other",
            );
        }
        let default = match MemPool::default_of(device()) {
            Err(_) => return cuda_suite::note_skip("access_that_the_program_gives", "there are no pools"),
            Ok(default) => default,
        };
        let consumer = Context::primary(second).unwrap();
        let guard = consumer.peer_access(&context()).unwrap();
        assert_eq!(default.access(second).unwrap(), AccessFlags::READ_WRITE);
        default.set_access(second, AccessFlags::READ_WRITE).unwrap();
        drop(guard);
        assert_eq!(default.access(second).unwrap(), AccessFlags::READ_WRITE);
        default.set_access(second, AccessFlags::NONE).unwrap();
        drop(consumer.peer_access(&context()).unwrap());
        assert_eq!(default.access(second).unwrap(), AccessFlags::NONE);
    });
}

/// In one process; the answers are the same.
#[cfg(unix)]
#[test]
fn a_pool_is_shared_by_a_file() {
    use cuda_rt::memory::ShareableHandleTypes;
    use std::os::fd::AsFd;

    let options = MemPoolOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    let theirs = match MemPool::new(device(), options) {
        Err(error) if matches!(error.code(), Some(Code::NotSupported | Code::InvalidValue) | None) => {
            skip!("pools cannot be shared here: {error}")
        }
        pool => pool.unwrap(),
    };
    let stream = stream();
    let exported = DeviceBuf::from_host_in(&stream, &[1_u32, 2, 3], &theirs).unwrap();
    let file = match theirs.export_fd() {
        Err(error) if error.code() == Some(Code::NotSupported) => {
            skip!("pools cannot be shared here: {error}")
        }
        file => file.unwrap(),
    };
    let ptr = exported.export_from_pool().unwrap();
    // SAFETY: exported by a pool of this device.
    let ours = unsafe { MemPool::import_fd(device(), file.as_fd()) }.unwrap();
    drop(file);
    // SAFETY: three numbers, which are written above, and freed last.
    let mut numbers = unsafe { ours.import_ptr::<u32>(&ptr, 3, &stream) }.unwrap();
    // An imported pool allocates no memory here.
    assert_eq!(numbers.try_clone().unwrap().len(), 3);
    assert_eq!(numbers.to_vec().unwrap(), [1, 2, 3]);
    numbers.copy_from_host(&[4, 5, 6]).unwrap();
    assert_eq!(exported.to_vec().unwrap(), [4, 5, 6]);
    assert!(DeviceBuf::<u8>::zeroed_in(&stream, 1, &ours).is_err(), "nothing can be allocated from it");
    numbers.close().unwrap();
    stream.synchronize().unwrap();
    drop(ours);
    assert_eq!(exported.to_vec().unwrap(), [4, 5, 6]);

    let private = pool!();
    let error = private.export_fd().unwrap_err();
    assert!(error.to_string().ends_with(": handle types 0x1"), "{error}");
    let own = DeviceBuf::<u8>::zeroed_in(&stream, 1, &private).unwrap();
    let error = own.export_from_pool().unwrap_err();
    assert!(error.to_string().contains(&format!(": 1 bytes at {:#x}: ", own.ptr().as_raw())), "{error}");
    let empty = DeviceBuf::<u8>::zeroed_in(&stream, 0, &theirs).unwrap();
    let error = empty.export_from_pool().unwrap_err();
    assert_eq!(error, invalid("buffer: it has 0 bytes"));
    let null = std::fs::File::open("/dev/null").unwrap();
    // SAFETY: the driver checks the file.
    assert!(unsafe { MemPool::import_fd(device(), null.as_fd()) }.is_err());
}
