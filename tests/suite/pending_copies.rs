//! Asynchronous copies that own their pinned memory.

use crate::alone;
use crate::busy::Busy;
use crate::raw::{begin_capture, end_capture};
use cuda_rt::error::Code;
use cuda_rt::memory::{AlignedBuf, PendingCopy, RegisterFlags, RegisteredBuf};
use cuda_rt::{Context, DeviceBuf, PinnedBuf, Stream};
use cuda_suite::{capturing, context, invalid, second_device, skip, stream};

/// Other crates read pinned memory too early: before a copy to the host has ended.
#[test]
fn pinned_destination_is_complete_after_the_wait() {
    alone("pending_copies::pinned_destination_is_complete_after_the_wait", || {
        let (context, stream) = (context(), stream());
        let device = DeviceBuf::from_host(&stream, &vec![0xaa_u8; 1 << 20]).unwrap();
        let host = PinnedBuf::<u8>::zeroed(&context, 1 << 20).unwrap();
        let busy = Busy::new(&stream);
        let pending = device.copy_to_pinned(host).unwrap();
        // The copy is in flight and owns the memory.
        assert_eq!(pending.is_done(), Ok(false));
        busy.go();
        let host = pending.wait().unwrap();
        assert!(host.iter().all(|byte| *byte == 0xaa));
    });
}

/// Other crates write pinned memory too early: before a copy to the device has read it.
#[test]
fn pinned_source_is_read_before_it_returns() {
    alone("pending_copies::pinned_source_is_read_before_it_returns", || {
        let (context, stream) = (context(), stream());
        let host = PinnedBuf::from_fn(&context, 1 << 20, |_| 1_u8).unwrap();
        let mut device = DeviceBuf::<u8>::zeroed(&stream, 1 << 20).unwrap();
        let busy = Busy::new(&stream);
        let pending = device.copy_from_pinned(host).unwrap();
        assert_eq!(pending.is_done(), Ok(false));
        busy.go();
        let mut host = pending.wait().unwrap();
        host.fill(9);
        assert!(device.to_vec().unwrap().iter().all(|byte| *byte == 1));
    });
}

#[test]
fn dropped_pending_copy_waits() {
    alone("pending_copies::dropped_pending_copy_waits", || {
        let (context, stream) = (context(), stream());
        let host = RegisteredBuf::new(&context, vec![7_u8; 1 << 16], RegisterFlags::empty()).unwrap();
        let mut device = DeviceBuf::<u8>::zeroed(&stream, 1 << 16).unwrap();
        let busy = Busy::new(&stream);
        let pending = device.copy_from_pinned(host).unwrap();
        assert!(!pending.is_done().unwrap());
        let other = std::thread::spawn(move || drop(pending));
        busy.go();
        other.join().unwrap();
        assert!(stream.is_done().unwrap(), "it was waited for");
        assert_eq!(device.to_vec().unwrap(), [7; 1 << 16]);
    });
}

#[test]
fn forgotten_pending_copy_does_no_harm() {
    let (context, stream) = (context(), stream());
    let mut device = DeviceBuf::<u8>::zeroed(&stream, 4).unwrap();
    let pending = device.copy_from_pinned(PinnedBuf::from_slice(&context, &[1, 2, 3, 4]).unwrap()).unwrap();
    #[allow(clippy::mem_forget)] // what it is about
    std::mem::forget(pending);
    assert_eq!(device.to_vec().unwrap(), [1, 2, 3, 4]);
}

#[test]
fn copies_come_in_the_order_of_the_stream() {
    let (context, stream) = (context(), stream());
    let mut device = DeviceBuf::<u32>::zeroed(&stream, 1000).unwrap();
    let number = |number: u32| PinnedBuf::from_fn(&context, 1000, |_| number).unwrap();
    let first = device.copy_from_pinned(number(1)).unwrap();
    let seen_first = device.copy_to_pinned(number(0)).unwrap();
    let second =
        device.slice_mut(500..).unwrap().copy_from_pinned(PinnedBuf::from_fn(&context, 500, |_| 2).unwrap());
    let seen_second = device.copy_to_pinned(number(0)).unwrap();
    let mut copy = DeviceBuf::<u32>::zeroed(&Stream::new(&context).unwrap(), 1000).unwrap();
    copy.copy_from_device(device.as_slice()).unwrap();
    drop(device);
    let both = |numbers: &[u32]| numbers[..500] == [1; 500] && numbers[500..] == [2; 500];
    assert!(both(&seen_second.wait().unwrap()));
    assert!(seen_first.wait().unwrap().iter().all(|number| *number == 1));
    assert_eq!(second.unwrap().wait().unwrap().len(), 500);
    assert_eq!(first.wait().unwrap()[..], [1; 1000]);
    assert!(both(&copy.to_vec().unwrap()));
}

#[test]
fn pending_copy_owns_registered_memory() {
    let (context, stream) = (context(), stream());
    let mut memory = AlignedBuf::<u32>::zeroed(4096).unwrap();
    memory.fill(5);
    let memory = RegisteredBuf::new(&context, memory, RegisterFlags::empty()).unwrap();
    let mut device = DeviceBuf::<u32>::zeroed(&stream, 4096).unwrap();
    let mut memory = device.copy_from_pinned(memory).unwrap().wait().unwrap();
    memory.fill(0);
    let memory = device.copy_to_pinned(memory).unwrap().wait().unwrap().unregister().unwrap();
    assert_eq!(memory[..], [5; 4096]);
}

#[test]
fn pending_copies_go_to_other_threads() {
    let (context, stream) = (context(), stream());
    let device = DeviceBuf::from_host(&stream, &[1_u32, 2, 3]).unwrap();
    let pending: PendingCopy<_> =
        device.copy_to_pinned(PinnedBuf::<u32>::zeroed(&context, 3).unwrap()).unwrap();
    // The copy keeps its objects alive.
    drop((device, stream, context));
    let numbers = std::thread::spawn(move || pending.wait().unwrap()).join().unwrap();
    assert_eq!(numbers[..], [1, 2, 3]);
}

#[test]
fn refused_copy_returns_its_buffer() {
    let (context, stream) = (context(), stream());
    let mut device = DeviceBuf::<u32>::zeroed(&stream, 3).unwrap();
    let numbers = PinnedBuf::from_slice(&context, &[1_u32, 2]).unwrap();
    let refused = device.copy_from_pinned(numbers).unwrap_err();
    let mismatch = invalid("the source has 2 elements, the destination 3;");
    assert_eq!(*refused.error(), mismatch);
    let refused = device.copy_to_pinned(refused.into_buffer().unwrap()).unwrap_err();
    let mismatch = invalid("the source has 3 elements, the destination 2;");
    assert_eq!(*refused.error(), mismatch);
    let (error, numbers) = refused.into_parts();
    assert_eq!(error, mismatch);
    assert_eq!(numbers.unwrap()[..], [1, 2]);
}

#[test]
fn pending_copy_on_a_captured_stream_is_refused() {
    let (context, stream) = (context(), stream());
    let mut device = DeviceBuf::<u32>::zeroed(&stream, 3).unwrap();
    let before = device.copy_from_pinned(PinnedBuf::from_slice(&context, &[1, 2, 3]).unwrap()).unwrap();
    stream.synchronize().unwrap();
    let numbers = PinnedBuf::from_slice(&context, &[4_u32, 5, 6]).unwrap();
    let Some(()) = begin_capture(&stream) else { skip!("this driver cannot capture") };
    let refused = device.copy_from_pinned(numbers).unwrap_err();
    assert_eq!(*refused.error(), capturing());
    let refused = device.copy_to_pinned(refused.into_buffer().unwrap()).unwrap_err();
    assert_eq!(*refused.error(), capturing());
    // An earlier copy can be waited for.
    assert_eq!(before.wait().unwrap()[..], [1, 2, 3]);
    assert!(end_capture(&stream), "the capture goes on");
    assert_eq!(device.copy_to_pinned(refused.into_buffer().unwrap()).unwrap().wait().unwrap()[..], [1, 2, 3]);
}

/// A capture elsewhere is not ended by waiting.
#[test]
fn wait_leaves_a_capture_elsewhere_intact() {
    let (context, stream, capturing) = (context(), stream(), stream());
    let device = DeviceBuf::from_host(&stream, &[1_u32, 2, 3]).unwrap();
    let (first, second) = [(); 2].map(|()| PinnedBuf::<u32>::zeroed(&context, 3).unwrap()).into();
    let Some(()) = begin_capture(&capturing) else { skip!("this driver cannot capture") };
    let pending = device.copy_to_pinned(first).unwrap();
    while !pending.is_done().unwrap() {}
    assert_eq!(pending.wait().unwrap()[..], [1, 2, 3]);
    drop(device.copy_to_pinned(second).unwrap());
    assert!(end_capture(&capturing));
}

#[test]
fn empty_copy_makes_no_driver_call() {
    let (context, stream) = (context(), stream());
    let mut device = DeviceBuf::<u32>::zeroed(&stream, 0).unwrap();
    let nothing = || PinnedBuf::<u32>::zeroed(&context, 0).unwrap();
    let pending = device.copy_from_pinned(nothing()).unwrap();
    assert_eq!(pending.is_done(), Ok(true));
    assert!(pending.wait().unwrap().is_empty());
    drop(device.copy_to_pinned(nothing()).unwrap());
}

#[test]
fn memory_of_one_device_goes_with_copies_of_another() {
    let Some(second) = second_device() else { skip!("needs a second device") };
    let second = Context::primary(second).unwrap();
    let stream = Stream::new(&second).unwrap();
    let mut device = DeviceBuf::<u32>::zeroed(&stream, 3).unwrap();
    let numbers = PinnedBuf::from_slice(&context(), &[1, 2, 3]).unwrap();
    let numbers = device.copy_from_pinned(numbers).unwrap().wait().unwrap();
    assert_eq!(device.copy_to_pinned(numbers).unwrap().wait().unwrap()[..], [1, 2, 3]);
}

/// Memory that the device may be using after a fault is neither returned nor freed.
#[test]
#[allow(unsafe_code)]
fn after_a_fault_the_memory_stays_the_devices() {
    alone("pending_copies::after_a_fault_the_memory_stays_the_devices", || {
        let (context, stream) = (context(), stream());
        let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry stop() { trap; }";
        let stop = cuda_rt::Module::from_ptx(&context, ptx).unwrap().function("stop").unwrap();
        let stop = crate::typed::<()>(&stop);
        let device = DeviceBuf::from_host(&stream, &[1_u32, 2, 3]).unwrap();
        let numbers = PinnedBuf::<u32>::zeroed(&context, 3).unwrap();
        let again = PinnedBuf::<u32>::zeroed(&context, 3).unwrap();
        // SAFETY: the kernel has no arguments.
        unsafe { stop.launch(cuda_rt::LaunchConfig::new(1, 1), &stream, ()) }.unwrap();
        match device.copy_to_pinned(numbers) {
            Ok(pending) => {
                let failure = pending.wait().unwrap_err();
                assert_eq!(failure.error().code(), Some(Code::LaunchFailed));
                assert!(failure.into_buffer().is_none());
            }
            // The fault came first. No copy was queued, but the driver does not tell that.
            Err(failure) => assert_eq!(failure.error().code(), Some(Code::LaunchFailed)),
        }
        let failure = device.copy_to_pinned(again).unwrap_err();
        assert_eq!(failure.error().code(), Some(Code::LaunchFailed));
    });
}

#[test]
#[allow(unsafe_code)]
fn copies_without_checks() {
    let (context, stream) = (context(), stream());
    let numbers = PinnedBuf::from_slice(&context, &[1_u32, 2, 3, 4]).unwrap();
    let mut back = PinnedBuf::<u32>::zeroed(&context, 2).unwrap();
    let mut device = DeviceBuf::<u32>::zeroed(&stream, 4).unwrap();
    // SAFETY: `numbers` and `back` stay untouched until the stream is waited for.
    unsafe { device.as_slice_mut().copy_from_host_unchecked(&numbers) }.unwrap();
    // SAFETY: likewise.
    unsafe { device.slice(2..).unwrap().copy_to_host_unchecked(&mut back) }.unwrap();
    stream.synchronize().unwrap();
    assert_eq!(back[..], [3, 4]);
    // SAFETY: nothing is copied.
    let refused = unsafe { device.as_slice_mut().copy_from_host_unchecked(&back) }.unwrap_err();
    assert_eq!(refused, invalid("the source has 2 elements, the destination 4;"));
}
