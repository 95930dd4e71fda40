//! Caching pools of this crate.
#![allow(unsafe_code)]

use crate::raw::{begin_capture, end_capture};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::memory::{CachingPool, CachingPoolUsage, MemoryRelease, MemorySource, PinnedFlags, PinnedPool};
use cuda_rt::{Context, DeviceBuf, PinnedBuf, Stream};
use cuda_suite::{capturing, context, device, invalid, skip, stream};

fn counts(usage: CachingPoolUsage) -> [usize; 4] {
    [usage.held_blocks, usage.active_blocks, usage.managed_bytes, usage.active_bytes]
}

#[test]
fn freed_block_is_reused() {
    let (pool, stream) = (CachingPool::new(&context()), stream());
    let first = DeviceBuf::from_host_in(&stream, &[1_u8; 1000], &pool).unwrap();
    assert!(!first.is_plain());
    let address = first.ptr();
    assert_eq!(counts(pool.usage()), [0, 1, 1023, 1000]);
    drop(first);
    assert_eq!(counts(pool.usage()), [1, 0, 1023, 0]);
    // The same size class, but no larger than the request.
    let second = DeviceBuf::<u8>::zeroed_in(&stream, 1023, &pool).unwrap();
    assert_eq!((second.ptr(), second.len()), (address, 1023));
    assert_eq!(second.to_vec().unwrap(), [0; 1023]);
    // Another size class.
    let third = DeviceBuf::<u8>::zeroed_in(&stream, 1024, &pool).unwrap();
    assert_ne!(third.ptr(), address);
    assert_eq!(counts(pool.usage()), [0, 2, 1023 + 1087, 1023 + 1024]);
    third.close().unwrap();
    pool.trim().unwrap();
    assert_eq!(counts(pool.usage()), [0, 1, 1023, 1023]);
    second.close().unwrap();
    assert_eq!(counts(pool.usage()), [1, 0, 1023, 0]);
    pool.disable_caching().unwrap();
    assert_eq!(counts(pool.usage()), [0; 4]);
    let last = DeviceBuf::<u32>::zeroed_in(&stream, 1, &pool).unwrap();
    drop(last);
    assert_eq!(counts(pool.usage()), [0; 4]);
}

#[test]
fn empty_buffer_takes_no_block() {
    let (pool, stream) = (CachingPool::new(&context()), stream());
    let empty = DeviceBuf::<u64>::zeroed_in(&stream, 0, &pool).unwrap();
    let sizeless = DeviceBuf::<[u64; 0]>::zeroed_in(&stream, 9, &pool).unwrap();
    assert!(empty.ptr().is_null() && sizeless.ptr().is_null());
    assert_eq!(pool.usage(), CachingPoolUsage::default());
    drop((empty, sizeless));
    assert_eq!(pool.usage(), CachingPoolUsage::default());
}

#[test]
fn block_on_another_stream_waits_for_earlier_work() {
    let pool = CachingPool::new(&context());
    let len = 1 << 20;
    for round in 1..20_u8 {
        let (first, second) = (stream(), stream());
        let ones = DeviceBuf::from_host(&first, &vec![round; len]).unwrap();
        let twos = DeviceBuf::from_host(&second, &vec![round + 100; len]).unwrap();
        let mut early = DeviceBuf::<u8>::uninit_in(&first, len, &pool).unwrap();
        let address = early.ptr();
        for _ in 0..4 {
            early.copy_from_device(ones.as_slice()).unwrap();
        }
        drop(early);
        let mut late = DeviceBuf::<u8>::uninit_in(&second, len, &pool).unwrap();
        assert_eq!(late.ptr(), address);
        late.copy_from_device(twos.as_slice()).unwrap();
        second.synchronize().unwrap();
        first.synchronize().unwrap();
        assert_eq!(late.to_vec().unwrap(), vec![round + 100; len]);
    }
    assert_eq!(counts(pool.usage())[..2], [1, 0]);
}

#[test]
fn moved_block_returns_where_it_was_moved_to() {
    let pool = CachingPool::new(&context());
    let (first, second, third) = (stream(), stream(), stream());
    let len = 1 << 18;
    let source = DeviceBuf::from_host(&second, &vec![1_u32; len]).unwrap();
    let sevens = DeviceBuf::from_host(&third, &vec![7_u32; len]).unwrap();
    for _ in 0..10 {
        let mut buffer = DeviceBuf::<u32>::zeroed_in(&first, len, &pool).unwrap();
        buffer.move_to(&second).unwrap();
        buffer.copy_from_device(source.as_slice()).unwrap();
        drop(buffer);
        let mut next = DeviceBuf::<u32>::uninit_in(&third, len, &pool).unwrap();
        next.copy_from_device(sevens.as_slice()).unwrap();
        third.synchronize().unwrap();
        second.synchronize().unwrap();
        assert_eq!(next.to_vec().unwrap(), vec![7; len]);
    }
    assert_eq!(counts(pool.usage())[..2], [1, 0]);
}

#[test]
fn a_pool_is_of_one_context() {
    let pool = CachingPool::new(&context());
    let own = Context::new(device(), ContextFlags::default()).unwrap();
    let error = DeviceBuf::<u8>::zeroed_in(&Stream::new(&own).unwrap(), 4, &pool).unwrap_err();
    let (first, second) = ("the pool", "the stream");
    assert_eq!(error, invalid(format!("{first} and {second} belong to different contexts;")));
    assert_eq!(pool.usage(), CachingPoolUsage::default());
}

#[test]
fn buffers_and_pools_end_in_any_order() {
    let own = Context::new(device(), ContextFlags::default()).unwrap();
    let (pool, stream) = (CachingPool::new(&own), Stream::new(&own).unwrap());
    let weak = pool.downgrade();
    let (first, second) = (
        DeviceBuf::from_host_in(&stream, &[1_u8, 2], &pool).unwrap(),
        DeviceBuf::from_host_in(&stream, &[3_u8], &pool).unwrap(),
    );
    drop(second);
    let other = pool.clone();
    drop((pool, stream, own));
    assert_eq!(counts(weak.upgrade().unwrap().usage())[..2], [1, 1]);
    drop(other);
    assert!(weak.upgrade().is_none());
    assert_eq!(first.to_vec().unwrap(), [1, 2]);
    std::thread::spawn(move || first.close().unwrap()).join().unwrap();
}

#[test]
fn exported_block_leaves_the_caching_pool() {
    let (pool, stream) = (CachingPool::new(&context()), stream());
    let buffer = DeviceBuf::from_host_in(&stream, &[5_u8, 6], &pool).unwrap();
    let (ptr, len, release) = buffer.into_raw();
    assert_eq!(pool.usage(), CachingPoolUsage::default());
    assert!(matches!(release, MemoryRelease::Plain));
    drop(pool);
    // SAFETY: what a buffer on this stream was.
    let buffer = unsafe { DeviceBuf::from_raw(ptr, len, &stream, release) };
    assert_eq!(buffer.to_vec().unwrap(), [5, 6]);
    buffer.close().unwrap();
}

#[test]
fn too_large_block_is_refused() {
    const TOO_MUCH: usize = (1 << 50) - 1;
    let (pool, stream) = (CachingPool::new(&context()), stream());
    drop(DeviceBuf::<u8>::zeroed_in(&stream, 100, &pool).unwrap());
    let error = DeviceBuf::<u8>::uninit_in(&stream, TOO_MUCH, &pool).unwrap_err();
    assert_eq!(error.code(), Some(Code::OutOfMemory));
    assert!(error.to_string().contains(&CachingPool::block_bytes(TOO_MUCH).to_string()), "{error}");
    // The held blocks are freed in vain.
    assert_eq!(pool.usage(), CachingPoolUsage::default());
    DeviceBuf::<u8>::zeroed_in(&stream, 100, &pool).unwrap().close().unwrap();
}

#[test]
fn threads_share_a_pool() {
    let pool = CachingPool::new(&context());
    std::thread::scope(|scope| {
        for thread in 1..5_u8 {
            let pool = &pool;
            scope.spawn(move || {
                let stream = stream();
                let source = DeviceBuf::from_host(&stream, &[thread; 5000]).unwrap();
                for round in 0..50 {
                    let len = 1000 + 37 * round;
                    let mut buffer = DeviceBuf::<u8>::uninit_in(&stream, len, pool).unwrap();
                    buffer.copy_from_device(source.slice(..len).unwrap()).unwrap();
                    assert_eq!(buffer.to_vec().unwrap(), vec![thread; len]);
                    let again = DeviceBuf::<u8>::zeroed_in(&stream, len, pool).unwrap();
                    drop(buffer);
                    assert_eq!(again.to_vec().unwrap(), vec![0; len]);
                }
            });
        }
    });
    assert_eq!(counts(pool.usage())[1], 0);
    pool.disable_caching().unwrap();
    assert_eq!(pool.usage(), CachingPoolUsage::default());
}

#[test]
fn page_locked_memory_is_used_again() {
    let pool = PinnedPool::new(&context(), PinnedFlags::empty());
    let first = PinnedBuf::from_slice_in(&pool, &[7_u8; 1000]).unwrap();
    assert_eq!(first[..], [7; 1000]);
    assert_eq!(counts(pool.usage()), [0, 1, 1023, 1000]);
    let address = first.as_ptr();
    first.close().unwrap();
    assert_eq!(counts(pool.usage()), [1, 0, 1023, 0]);
    let second = PinnedBuf::<u8>::zeroed_in(&pool, 1001).unwrap();
    assert_eq!((second.as_ptr(), &second[..]), (address, &[0; 1001][..]));
    let third = PinnedBuf::<u64>::zeroed_in(&pool, 4000).unwrap();
    assert!(third.iter().all(|number| *number == 0));
    drop(third);
    pool.trim().unwrap();
    assert_eq!(counts(pool.usage()), [0, 1, 1023, 1001]);
    pool.disable_caching().unwrap();
    drop(second);
    assert_eq!(pool.usage(), CachingPoolUsage::default());
    let empty = PinnedBuf::<u8>::zeroed_in(&pool, 0).unwrap();
    let sizeless = PinnedBuf::<[u8; 0]>::zeroed_in(&pool, 5).unwrap();
    assert_eq!((empty.len(), sizeless.len()), (0, 5));
    assert_eq!(pool.usage(), CachingPoolUsage::default());
    let error = PinnedBuf::<u64>::zeroed_in(&pool, usize::MAX / 8).unwrap_err();
    assert_eq!(error, invalid("bytes exceed the address space"));
}

/// Elements that begin at a rarer address than the driver gives.
#[derive(Clone, Copy)]
#[repr(C, align(4096))]
struct Page([u8; 4096]);

// SAFETY: bytes alone, for which zero is a value.
unsafe impl cuda_rt::bytemuck::Zeroable for Page {}

#[test]
fn pinned_block_returns_after_its_copy() {
    let (pool, stream) = (PinnedPool::new(&context(), PinnedFlags::PORTABLE), stream());
    let mut device = DeviceBuf::<u32>::zeroed(&stream, 5000).unwrap();
    for round in 0..10_u32 {
        let numbers = PinnedBuf::from_slice_in(&pool, &vec![round; 5000]).unwrap();
        // The copy is dropped in flight. The drop waits, and the block is reused after that.
        drop(device.copy_from_pinned(numbers).unwrap());
        let other = PinnedBuf::from_slice_in(&pool, &vec![u32::MAX; 5000]).unwrap();
        assert_eq!(device.to_vec().unwrap(), vec![round; 5000]);
        drop(other);
    }
    assert_eq!(counts(pool.usage())[..2], [1, 0]);
    let pages = PinnedBuf::<Page>::zeroed_in(&pool, 2).unwrap();
    assert_eq!(pages.as_ptr().addr() % 4096, 0);
    assert!(pages.iter().all(|page| page.0 == [0; 4096]));
    drop(pool);
    assert_eq!(pages.len(), 2);
    std::thread::spawn(move || drop(pages)).join().unwrap();
}

#[test]
fn capture_survives_return_of_its_blocks() {
    let (pool, captured, other) = (CachingPool::new(&context()), stream(), stream());
    let mut moved = DeviceBuf::from_host_in(&captured, &[1_u8], &pool).unwrap();
    let dropped = DeviceBuf::from_host_in(&captured, &[2_u8], &pool).unwrap();
    let plain = DeviceBuf::from_host_in(&captured, &[3_u8], MemorySource::Plain).unwrap();
    captured.synchronize().unwrap();
    let Some(()) = begin_capture(&captured) else { skip!("this driver cannot capture") };
    let refused = capturing();
    assert_eq!(moved.move_to(&other), refused);
    let text = moved.move_to(&other).unwrap_err().to_string();
    assert!(
        text.contains(&format!(": stream {:#x} is being captured, ", captured.as_raw().addr())),
        "{text}"
    );
    assert_eq!(DeviceBuf::<u8>::uninit_in(&captured, 1, &pool).unwrap_err(), refused);
    drop(plain);
    drop(dropped);
    assert!(end_capture(&captured), "a mark would be in the graph");
    // It was not held: there is no way to tell when it is free.
    assert_eq!(counts(pool.usage())[..2], [0, 1]);
    moved.move_to(&other).unwrap();
    assert_eq!(moved.to_vec().unwrap(), [1]);
}
