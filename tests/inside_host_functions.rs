//! Calls of the safe layer inside a host function: each is refused, and changes and loses nothing.

#![allow(clippy::unwrap_used, clippy::panic)]

use cuda_rt::{
    CachingPool, Context, ContextFlags, Device, DeviceBuf, Error, InvalidArgument, MemAccess, PhysicalMemory,
    PhysicalMemoryOptions, PinnedBuf, PinnedFlags, PinnedPool, Result, Stream, VirtualMemory,
};
use cuda_sim::Config;
use cuda_suite::raw::machine;
use std::sync::mpsc::channel;

/// Runs `work` inside a host function, and hands its result over.
fn inside<R: Send + 'static>(stream: &Stream, work: impl FnOnce() -> R + Send + 'static) -> R {
    let (results, result) = channel();
    stream.launch_host_function(move || results.send(work()).unwrap()).unwrap();
    stream.synchronize().unwrap();
    result.recv().unwrap()
}

fn is_refused<T>(answer: Result<T>) -> bool {
    matches!(answer, Err(Error::Invalid(InvalidArgument::InsideCallback { .. })))
}

#[test]
fn held_blocks_stay_in_their_pools() {
    let (machine, _entered) = machine(Config::default());
    let context = Context::new(Device::get(0).unwrap(), ContextFlags::default()).unwrap();
    let stream = Stream::new(&context).unwrap();
    let device = CachingPool::new(&context);
    let pinned = PinnedPool::new(&context, PinnedFlags::empty());
    drop(DeviceBuf::<u8>::zeroed_in(&stream, 1 << 20, &device).unwrap());
    drop(PinnedBuf::<u8>::zeroed_in(&pinned, 1 << 20).unwrap());
    stream.synchronize().unwrap();
    let before = (device.usage(), pinned.usage(), machine.live());
    assert_eq!((before.0.held_blocks, before.1.held_blocks), (1, 1));
    let (asked, asked_too) = (device.clone(), pinned.clone());
    let answers = inside(&stream, move || {
        [asked.free_held(), asked_too.free_held(), asked.stop_holding(), asked_too.stop_holding()]
    });
    assert!(answers.into_iter().all(is_refused));
    assert_eq!((device.usage(), pinned.usage(), machine.live()), before);
    // They are held as before, and freed where that can be done.
    drop(DeviceBuf::<u8>::zeroed_in(&stream, 1 << 20, &device).unwrap());
    assert_eq!(device.usage(), before.0);
    device.free_held().unwrap();
    pinned.free_held().unwrap();
    assert_eq!((device.usage().held_blocks, pinned.usage().held_blocks), (0, 0));
    let live = machine.live();
    assert_eq!((live.device_allocations, live.host_allocations), (0, 0));
}

#[test]
fn access_to_mappings_is_still_known() {
    let (_machine, _entered) = machine(Config::default());
    let device = Device::get(0).unwrap();
    let context = Context::new(device, ContextFlags::default()).unwrap();
    let stream = Stream::new(&context).unwrap();
    let options = PhysicalMemoryOptions::new();
    let unit = PhysicalMemory::granularity(device, options).unwrap();
    let mut memory = VirtualMemory::reserve(&stream, unit).unwrap();
    memory.map(0, &PhysicalMemory::new(device, unit, options).unwrap()).unwrap();
    memory.set_access(.., &[device], MemAccess::READ_WRITE).unwrap();
    let (memory, answer) = inside(&stream, move || {
        let answer = memory.set_access(.., &[device], MemAccess::READ_WRITE);
        (memory, answer)
    });
    assert!(is_refused(answer));
    assert_eq!(memory.access(0, device), Ok(MemAccess::READ_WRITE));
    assert!(memory.slice::<u8>(..).is_ok());
}
