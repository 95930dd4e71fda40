//! Sources of memory, and its release.

use crate::on_another_thread;
use crate::scenarios::{Done, device, own, peers};
use cuda_rt::memory::set_out_of_memory_hook;
use cuda_rt::memory::{
    AccessFlags, CachingPool, LocatedPool, MemAllocationType, MemLocation, MemPool, MemPoolAttribute,
    MemPoolOptions, MemoryRelease, MemorySource, MulticastObject, PhysicalMemory, PhysicalMemoryOptions,
    PinnedFlags, PinnedPool, ShareableHandleTypes, VirtualMemory,
};
use cuda_rt::{Context, Device, DeviceBuf, Error, PinnedBuf, Stream};
use std::cell::RefCell;
use std::sync::Once;

pub(crate) fn plain_memory() -> Done {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let mut buffer = DeviceBuf::from_host_in(&stream, &[1_u32, 2, 3, 4], MemorySource::Plain)?;
    let zeros = DeviceBuf::<u32>::zeroed_in(&stream, 4, MemorySource::Plain)?;
    buffer.copy_from_device(zeros.as_slice())?;
    assert_eq!(buffer.to_vec()?, [0; 4]);
    buffer.close()
}

pub(crate) fn moved() -> Done {
    let context = own()?;
    let (first, second) = (Stream::new(&context)?, Stream::new(&context)?);
    let mut buffer = DeviceBuf::from_host(&first, &[1_u32, 2])?;
    buffer.move_to(&second)?;
    drop(first);
    buffer.move_to(&Stream::legacy(&context))?;
    assert_eq!(buffer.to_vec()?, [1, 2]);
    buffer.close()
}

pub(crate) fn raw_memory() -> Done {
    let stream = Stream::new(&own()?)?;
    for source in [MemorySource::Default, MemorySource::Plain] {
        let (ptr, len, release) = DeviceBuf::from_host_in(&stream, &[1_u32, 2], source)?.into_raw();
        // SAFETY: what a buffer on this stream was.
        let buffer = unsafe { DeviceBuf::from_raw(ptr, len, &stream, release) };
        assert_eq!(buffer.to_vec()?, [1, 2]);
    }
    Ok(())
}

/// Memory of a context that outlives the scenario. It is kept if the driver cannot tell whether it is in use.
pub(crate) fn memory_of_others() -> Done {
    let stream = Stream::new(&own()?)?;
    let memory = DeviceBuf::from_host(&stream, &[1_u32, 2])?;
    let ptr = memory.ptr();
    // SAFETY: the owner keeps the memory, and does not use it.
    let buffer = unsafe { DeviceBuf::from_raw(ptr, 2, &stream, MemoryRelease::Owner(Box::new(memory))) };
    assert_eq!(buffer.to_vec()?, [1, 2]);
    buffer.close()
}

thread_local! {
    static CACHE: RefCell<Option<DeviceBuf<u8>>> = const { RefCell::new(None) };
}

pub(crate) fn made_room() -> Done {
    const MOST: usize = 60 << 20;
    static ONCE: Once = Once::new();
    // Other threads have nothing in their cache.
    ONCE.call_once(|| {
        set_out_of_memory_hook(|_| CACHE.take().is_some());
    });
    let stream = Stream::new(&Context::primary(device()?)?)?;
    for source in [MemorySource::Default, MemorySource::Plain] {
        CACHE.set(Some(DeviceBuf::uninit_in(&stream, MOST, source)?));
        let wanted = DeviceBuf::<u8>::uninit_in(&stream, MOST, MemorySource::Plain);
        CACHE.take();
        wanted?.close()?;
    }
    Ok(())
}

pub(crate) fn pools() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let pool = MemPool::new(context.device(), MemPoolOptions::new().max_bytes(64 << 20))?;
    pool.set_release_threshold(1 << 20)?;
    pool.set_reuse(pool.reuse()?)?;
    let mut buffer = DeviceBuf::from_host_in(&stream, &[1_u32, 2], &pool)?;
    let other = DeviceBuf::<u32>::zeroed_in(&stream, 2, &pool)?;
    pool.usage()?;
    buffer.copy_from_device(other.as_slice())?;
    buffer.close()?;
    stream.synchronize()?;
    pool.trim_to(0)?;
    pool.reset_high_marks()?;
    drop(pool);
    assert_eq!(other.to_vec()?, [0, 0]);
    let (ptr, len, release) = other.into_raw();
    // SAFETY: what a buffer on this stream was.
    unsafe { DeviceBuf::from_raw(ptr, len, &stream, release) }.close()?;
    MemPool::new(context.device(), MemPoolOptions::new())?.close()
}

pub(crate) fn current_pools() -> Done {
    let context = own()?;
    let default = MemPool::default_of(context.device())?;
    let pool = MemPool::new(context.device(), MemPoolOptions::new())?;
    pool.make_current()?;
    let buffer = DeviceBuf::from_host(&Stream::new(&context)?, &[1_u32, 2]);
    let current = MemPool::current_of(context.device());
    // Whatever has failed.
    default.make_current()?;
    assert_eq!(current?, pool);
    assert_eq!(buffer?.to_vec()?, [1, 2]);
    assert_eq!(MemPool::current_of(context.device())?, default);
    pool.close()
}

pub(crate) fn located_pools() -> Done {
    let pool = LocatedPool::default_of(MemLocation::HOST, MemAllocationType::Pinned)?;
    pool.make_current()?;
    assert_eq!(LocatedPool::current_of(MemLocation::HOST, MemAllocationType::Pinned)?, pool);
    pool.set_attribute(MemPoolAttribute::RELEASE_THRESHOLD, 1 << 20)?;
    assert_eq!(pool.attribute(MemPoolAttribute::RELEASE_THRESHOLD)?, 1 << 20);
    pool.trim_to(0)
}

pub(crate) fn pool_access() -> Done {
    let (own, peer) = peers()?;
    let pool = MemPool::new(own.device(), MemPoolOptions::new())?;
    pool.set_access(peer.device(), AccessFlags::READ_WRITE)?;
    assert_eq!(pool.access(peer.device())?, AccessFlags::READ_WRITE);
    let source = DeviceBuf::from_host_in(&Stream::new(&own)?, &[1_u32, 2], &pool)?;
    let mut copy = DeviceBuf::<u32>::zeroed(&Stream::new(&peer)?, 2)?;
    copy.copy_from_device(source.as_slice())?;
    pool.set_access(peer.device(), AccessFlags::NONE)?;
    assert_eq!(copy.to_vec()?, [1, 2]);
    Ok(())
}

/// With a piece mapped at the beginning, and accessible.
fn mapped(stream: &Stream, units: usize) -> Result<(VirtualMemory, PhysicalMemory, usize), Error> {
    let (device, options) = (stream.context().device(), PhysicalMemoryOptions::new());
    let unit = PhysicalMemory::granularity(device, options)?;
    let piece = PhysicalMemory::new(device, unit, options)?;
    let mut memory = VirtualMemory::reserve(stream, units * unit)?;
    memory.map(0, &piece)?;
    memory.set_access(..unit, &[device], AccessFlags::READ_WRITE)?;
    Ok((memory, piece, unit))
}

pub(crate) fn virtual_memory() -> Done {
    let context = own()?;
    let (stream, other) = (Stream::new(&context)?, Stream::new(&context)?);
    let (mut memory, first, unit) = mapped(&stream, 4)?;
    let device = context.device();
    let second = PhysicalMemory::new(device, 2 * unit, PhysicalMemoryOptions::new())?;
    memory.map(unit, &second)?;
    memory.set_access(unit..3 * unit, &[device], AccessFlags::READ_WRITE)?;
    memory.slice_bytes_mut::<u32>(unit - 4..unit + 4)?.copy_from_host(&[1, 2])?;
    memory.move_to(&other)?;
    memory.set_access(..unit, &[device], AccessFlags::READ)?;
    assert_eq!(memory.access(0, device)?, AccessFlags::READ);
    assert_eq!(memory.slice_bytes::<u32>(unit - 4..unit + 4)?.to_vec()?, [1, 2]);
    memory.unmap(..unit)?;
    // SAFETY: the mapping above, which is not used meanwhile.
    let again = unsafe { PhysicalMemory::mapped_at(memory.ptr().add(unit), 2 * unit) }?;
    again.properties()?;
    memory.map(3 * unit, &first)?;
    second.close()?;
    memory.close()?;
    first.close()
}

pub(crate) fn virtual_memory_of_the_host() -> Done {
    let context = own()?;
    let (device, options) = (context.device(), PhysicalMemoryOptions::new());
    let unit = PhysicalMemory::granularity(device, options)?;
    let piece = PhysicalMemory::new_at(MemLocation::host_numa(0), unit, options)?;
    let mut memory = VirtualMemory::reserve(&Stream::new(&context)?, unit)?;
    memory.map(0, &piece)?;
    memory.set_access(.., &Device::all()?, AccessFlags::READ_WRITE)?;
    // SAFETY: the whole reservation is memory of the host.
    unsafe { memory.set_host_access(.., true) }?;
    assert_eq!(memory.host_access(0)?, AccessFlags::READ_WRITE);
    memory.slice_mut::<u32>(..2)?.copy_from_host(&[1, 2])?;
    // SAFETY: access ends.
    unsafe { memory.set_host_access(.., false) }?;
    assert_eq!(memory.slice::<u32>(..2)?.to_vec()?, [1, 2]);
    memory.close()?;
    piece.close()
}

pub(crate) fn multicast() -> Done {
    let devices = Device::all()?;
    let unit = MulticastObject::granularity(2, ShareableHandleTypes::NONE)?;
    let object = MulticastObject::new(2, unit, ShareableHandleTypes::NONE)?;
    for device in &devices {
        object.add_device(*device)?;
    }
    for device in &devices {
        let memory = PhysicalMemory::new(*device, unit, PhysicalMemoryOptions::new())?;
        object.bind(*device, 0, &memory, 0, unit)?;
    }
    // SAFETY: nothing uses the object.
    unsafe { object.unbind(devices[0], 0) }?;
    object.close()
}

pub(crate) fn virtual_memory_dropped() -> Done {
    let context = own()?;
    let (mut memory, first, unit) = mapped(&Stream::new(&context)?, 2)?;
    // SAFETY: no view of it is used.
    unsafe { memory.map_again(unit, &first) }?;
    drop((context, first));
    on_another_thread(move || drop(memory));
    let (memory, ..) = mapped(&Stream::legacy(&own()?), 1)?;
    drop(memory);
    Ok(())
}

pub(crate) fn virtual_memory_of_devices() -> Done {
    let (own, peer) = peers()?;
    let (mut memory, _, unit) = mapped(&Stream::new(&own)?, 1)?;
    memory.set_access(.., &[peer.device()], AccessFlags::READ_WRITE)?;
    memory.slice_bytes_mut::<u32>(..8)?.copy_from_host(&[1, 2])?;
    let mut copy = DeviceBuf::<u32>::zeroed(&Stream::new(&peer)?, 2)?;
    copy.copy_from_device(memory.slice(..2)?)?;
    memory.set_access(..unit, &[peer.device()], AccessFlags::NONE)?;
    assert_eq!(copy.to_vec()?, [1, 2]);
    Ok(())
}

pub(crate) fn caching() -> Done {
    let context = own()?;
    let (first, second) = (Stream::new(&context)?, Stream::new(&context)?);
    let pool = CachingPool::new(&context);
    drop(DeviceBuf::from_host_in(&first, &[1_u32, 2], &pool)?);
    let here = DeviceBuf::from_host_in(&first, &[3_u32, 4], &pool)?;
    assert_eq!(here.to_vec()?, [3, 4]);
    here.close()?;
    let there = DeviceBuf::from_host_in(&second, &[5_u32, 6], &pool)?;
    let legacy = DeviceBuf::from_host_in(&Stream::legacy(&context), &[7_u32], &pool)?;
    assert_eq!(there.to_vec()?, [5, 6]);
    there.close()?;
    legacy.close()?;
    pool.trim()?;
    drop(DeviceBuf::from_host_in(&first, &[8_u32], &pool)?);
    pool.disable_caching()
}

pub(crate) fn pinned_pool() -> Done {
    let context = own()?;
    let pool = PinnedPool::new(&context, PinnedFlags::empty());
    let first = PinnedBuf::from_slice_in(&pool, &[1_u32, 2])?;
    let mut device = DeviceBuf::<u32>::zeroed(&Stream::new(&context)?, 2)?;
    device.copy_from_host(&first)?;
    first.close()?;
    let second = PinnedBuf::<u32>::zeroed_in(&pool, 2)?;
    let third = PinnedBuf::<u32>::zeroed_in(&pool, 2)?;
    drop(second);
    pool.trim()?;
    pool.disable_caching()?;
    third.close()
}

pub(crate) fn caching_ends() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let pool = CachingPool::new(&context);
    let kept = DeviceBuf::from_host_in(&stream, &[1_u32, 2], &pool)?;
    drop(DeviceBuf::from_host_in(&stream, &[3_u32, 4], &pool)?);
    drop((context, stream, pool));
    assert_eq!(kept.to_vec()?, [1, 2]);
    on_another_thread(move || kept.close())
}

pub(crate) fn caching_makes_room() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let pool = CachingPool::new(&context);
    let make = |megabytes: usize| DeviceBuf::<u8>::uninit_in(&stream, megabytes << 20, &pool);
    let (small, large) = (make(10)?, make(50)?);
    drop((small, large));
    make(80)?.close()
}
