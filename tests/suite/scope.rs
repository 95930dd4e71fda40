//! Several copies in flight with borrowed host memory.

use crate::alone;
use crate::busy::Busy;
use crate::raw::{begin_capture, end_capture};
use cuda_rt::context::ContextFlags;
use cuda_rt::memory::{RegisterFlags, RegisteredBuf};
use cuda_rt::{Context, DeviceBuf, Error, PinnedBuf, Stream};
use cuda_suite::{capturing, context, device, invalid, skip, stream};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};

#[test]
fn copies_are_done_when_the_scope_ends() {
    let (context, stream) = (context(), stream());
    let upload = PinnedBuf::from_fn(&context, 4096, |index| index as u32).unwrap();
    let pageable: Vec<u32> = (0..4096).map(|index| index * 2).collect();
    let mut first = DeviceBuf::<u32>::zeroed(&stream, 4096).unwrap();
    let mut second = DeviceBuf::<u32>::zeroed(&stream, 4096).unwrap();
    let mut pinned = PinnedBuf::<u32>::zeroed(&context, 4096).unwrap();
    let mut registered = RegisteredBuf::new(&context, vec![0_u32; 4096], RegisterFlags::empty()).unwrap();
    let mut plain = vec![0_u32; 4096];
    let (left, right) = pinned.split_at_mut(2048);
    let counted = stream.scope(|scope| {
        scope.copy_from_host(first.as_slice_mut(), &upload)?;
        scope.copy_from_host(second.as_slice_mut(), &pageable)?;
        scope.copy_to_host(first.slice(2048..)?, left)?;
        scope.copy_to_host(second.slice(..2048)?, right)?;
        scope.copy_to_host(second.as_slice(), &mut registered)?;
        scope.copy_to_host(first.as_slice(), &mut plain)?;
        // The same memory can be read by several copies, and by the host.
        scope.copy_from_host(second.as_slice_mut(), &upload)?;
        Ok(upload.len())
    });
    assert_eq!(counted, Ok(4096));
    assert!(left.iter().copied().eq(2048..4096));
    assert!(right.iter().copied().eq((0..2048).map(|index| index * 2)));
    assert_eq!(registered[..], pageable[..]);
    assert_eq!(plain[..], upload[..]);
    assert_eq!(second.to_vec().unwrap(), upload[..]);
}

#[test]
fn the_device_memory_can_live_on_another_stream() {
    let (context, uploads) = (context(), stream());
    let homes = [stream(), stream(), Stream::legacy(&context)];
    let mut device = homes.map(|home| DeviceBuf::<u32>::zeroed(&home, 1000).unwrap());
    let numbers = PinnedBuf::from_fn(&context, 1000, |index| index as u32).unwrap();
    let mut seen = [(); 3].map(|()| PinnedBuf::<u32>::zeroed(&context, 1000).unwrap());
    let mut copy = DeviceBuf::<u32>::zeroed(&stream(), 1000).unwrap();
    uploads
        .scope(|scope| {
            for (device, seen) in device.iter_mut().zip(&mut seen) {
                // After queued work of the home stream, and before later work of it.
                device.slice_mut(..500)?.fill_zero()?;
                scope.copy_from_host(device.slice_mut(500..)?, &numbers[500..])?;
                device.slice_mut(900..)?.fill_zero()?;
                scope.copy_to_host(device.as_slice(), seen)?;
                device.as_slice_mut().fill_zero()?;
            }
            let [first, ..] = &mut device;
            scope.copy_from_host(first.as_slice_mut(), &numbers)?;
            copy.copy_from_device(first.as_slice())
        })
        .unwrap();
    let [first, second, third] = &device;
    for seen in &seen {
        assert!(seen[..500].iter().all(|number| *number == 0));
        assert_eq!(seen[500..900], numbers[500..900]);
        assert!(seen[900..].iter().all(|number| *number == 0));
    }
    assert_eq!(first.to_vec().unwrap(), numbers[..]);
    assert_eq!(second.to_vec().unwrap(), [0; 1000]);
    assert_eq!(third.to_vec().unwrap(), [0; 1000]);
    assert_eq!(copy.to_vec().unwrap(), numbers[..]);
}

#[test]
fn device_memory_can_be_dropped_in_the_scope() {
    let (context, uploads) = (context(), stream());
    let mut seen = PinnedBuf::<u32>::zeroed(&context, 1000).unwrap();
    uploads
        .scope(|scope| {
            let short = DeviceBuf::from_host(&stream(), &[7_u32; 1000])?;
            scope.copy_to_host(short.as_slice(), &mut seen)?;
            drop(short);
            // The copies may use the same memory.
            DeviceBuf::from_host(&stream(), &[8_u32; 1000]).map(drop)
        })
        .unwrap();
    assert_eq!(seen[..], [7; 1000]);
}

/// Other crates read pinned memory of a scope too early.
#[test]
fn copies_of_a_scope_wait_only_at_its_end() {
    alone("scope::copies_of_a_scope_wait_only_at_its_end", || {
        let (context, home, copies) = (context(), stream(), stream());
        let device = DeviceBuf::from_host(&home, &vec![0xaa_u8; 1 << 20]).unwrap();
        let mut host = PinnedBuf::<u8>::zeroed(&context, 1 << 20).unwrap();
        let upload = PinnedBuf::from_fn(&context, 1 << 20, |_| 1_u8).unwrap();
        let mut target = DeviceBuf::<u8>::zeroed(&home, 1 << 20).unwrap();
        let busy = Busy::new(&home);
        copies
            .scope(|scope| {
                scope.copy_to_host(device.as_slice(), &mut host)?;
                scope.copy_from_host(target.as_slice_mut(), &upload)?;
                assert!(!scope.stream().is_done()?, "both are under way");
                busy.go();
                Ok(())
            })
            .unwrap();
        assert!(copies.is_done().unwrap());
        assert!(host.iter().all(|byte| *byte == 0xaa));
        drop(upload);
        assert!(target.to_vec().unwrap().iter().all(|byte| *byte == 1));
    });
}

#[test]
fn panic_in_a_scope_waits() {
    alone("scope::panic_in_a_scope_waits", || {
        let (context, home, copies) = (context(), stream(), stream());
        let device = DeviceBuf::from_host(&home, &vec![0xaa_u8; 1 << 20]).unwrap();
        let mut host = PinnedBuf::<u8>::zeroed(&context, 1 << 20).unwrap();
        let busy = Busy::new(&home);
        let work = || {
            copies.scope(|scope| -> Result<(), Error> {
                scope.copy_to_host(device.as_slice(), &mut host)?;
                assert!(!scope.stream().is_done()?);
                busy.go();
                panic_any(7)
            })
        };
        let payload = catch_unwind(AssertUnwindSafe(work)).unwrap_err();
        assert_eq!(payload.downcast_ref(), Some(&7));
        assert!(copies.is_done().unwrap());
        assert!(host.iter().all(|byte| *byte == 0xaa));
    });
}

#[test]
fn scopes_can_be_nested() {
    let (context, first, second) = (context(), stream(), stream());
    let numbers = PinnedBuf::from_fn(&context, 1000, |index| index as u32).unwrap();
    let mut seen = PinnedBuf::<u32>::zeroed(&context, 1000).unwrap();
    let mut device = DeviceBuf::<u32>::zeroed(&first, 1000).unwrap();
    let (left, right) = seen.split_at_mut(300);
    first
        .scope(|up| {
            up.copy_from_host(device.as_slice_mut(), &numbers)?;
            second.scope(|down| {
                down.copy_to_host(device.slice(..300)?, left)?;
                up.copy_to_host(device.slice(300..)?, right)
            })
        })
        .unwrap();
    assert_eq!(seen[..], numbers[..]);
}

#[test]
fn errors_are_returned_after_the_copies() {
    let (context, stream) = (context(), stream());
    let device = DeviceBuf::from_host(&stream, &[1_u32, 2, 3]).unwrap();
    let mut seen = PinnedBuf::<u32>::zeroed(&context, 3).unwrap();
    let mut short = [0; 2];
    let refused = stream.scope(|scope| {
        scope.copy_to_host(device.as_slice(), &mut seen)?;
        scope.copy_to_host(device.as_slice(), &mut short)
    });
    let mismatch = invalid("the source has 3 elements, the destination 2;");
    assert_eq!(refused, mismatch);
    assert_eq!(seen[..], [1, 2, 3]);
    // An empty scope does not wait.
    assert_eq!(stream.scope(|_| Ok(7)), Ok(7));
    let empty = DeviceBuf::<u32>::zeroed(&stream, 0).unwrap();
    assert_eq!(stream.scope(|scope| scope.copy_to_host(empty.as_slice(), &mut [])), Ok(()));
}

#[test]
fn one_context_at_a_time() {
    let stream = stream();
    let other = Context::new(device(), ContextFlags::default()).unwrap();
    let mut foreign = DeviceBuf::<u32>::zeroed(&Stream::new(&other).unwrap(), 3).unwrap();
    let refused = stream.scope(|scope| scope.copy_from_host(foreign.as_slice_mut(), &[1, 2, 3]));
    let (first, second) = ("the scope's stream", "the device memory");
    assert_eq!(refused, invalid(format!("{first} and {second} belong to different contexts;")));
    assert_eq!(foreign.to_vec().unwrap(), [0; 3]);
}

#[test]
fn scope_on_a_captured_stream_is_refused() {
    let (home, copies) = (stream(), stream());
    let mut device = DeviceBuf::<u32>::zeroed(&home, 3).unwrap();
    let numbers = PinnedBuf::from_slice(&context(), &[1_u32, 2, 3]).unwrap();
    home.synchronize().unwrap();
    for captured in [&home, &copies] {
        let Some(()) = begin_capture(captured) else { skip!("this driver cannot capture") };
        let refused = copies.scope(|scope| scope.copy_from_host(device.as_slice_mut(), &numbers));
        assert_eq!(refused, capturing());
        assert!(end_capture(captured), "the capture goes on");
    }
    // A capture of another stream does not matter.
    let capturing = stream();
    let Some(()) = begin_capture(&capturing) else { skip!("this driver cannot capture") };
    assert_eq!(copies.scope(|scope| scope.copy_from_host(device.as_slice_mut(), &numbers)), Ok(()));
    assert!(end_capture(&capturing));
    assert_eq!(device.to_vec().unwrap(), [1, 2, 3]);
}
