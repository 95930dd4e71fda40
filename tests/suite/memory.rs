//! Buffers, views, copies.

use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::{Context, DeviceBuf, Stream};
use cuda_suite::{context, device, invalid, out_of_bounds, second_device, skip, stream};

#[test]
fn uploaded_elements_are_downloaded_again() {
    let stream = stream();
    for len in [1, 2, 31, 1000, 1 << 20] {
        let up: Vec<u64> = (0..len).map(|i| i * i).collect();
        let buffer = DeviceBuf::from_host(&stream, &up).unwrap();
        assert_eq!(buffer.len(), up.len());
        assert_eq!(buffer.size_bytes(), 8 * up.len());
        assert_eq!(buffer.to_vec().unwrap(), up);
    }
}

#[test]
fn an_empty_buffer_does_without_the_driver() {
    let stream = stream();
    let mut empty = DeviceBuf::<f64>::from_host(&stream, &[]).unwrap();
    assert!(empty.is_empty() && empty.ptr().is_null());
    empty.copy_from_host(&[]).unwrap();
    empty.as_slice_mut().fill_zero().unwrap();
    assert_eq!(empty.to_vec().unwrap(), [0_f64; 0]);
    let mut nothing = DeviceBuf::<[u8; 0]>::zeroed(&stream, 10).unwrap();
    assert_eq!((nothing.len(), nothing.size_bytes()), (10, 0));
    nothing.copy_from_device(DeviceBuf::zeroed(&stream, 10).unwrap().as_slice()).unwrap();
    empty.close().unwrap();
}

#[test]
fn overflowing_sizes_are_refused_before_the_driver() {
    let stream = stream();
    for len in [usize::MAX, usize::MAX / 8 + 1, isize::MAX as usize / 8 + 1] {
        let error = DeviceBuf::<u64>::uninit(&stream, len).unwrap_err();
        assert_eq!(error, invalid(format!("{len} elements of 8 bytes exceed the address space")));
    }
    let error = DeviceBuf::<u8>::uninit(&stream, 1 << 50).unwrap_err();
    assert_eq!(error.code(), Some(Code::OutOfMemory));
    // Not sticky: there is memory for the next.
    DeviceBuf::<u8>::uninit(&stream, 16).unwrap();
}

#[test]
fn ranges_are_checked() {
    let buffer = DeviceBuf::from_host(&stream(), &[0_u8, 1, 2, 3]).unwrap();
    assert_eq!(buffer.slice(..).unwrap().to_vec().unwrap(), [0, 1, 2, 3]);
    assert_eq!(buffer.slice(1..=2).unwrap().to_vec().unwrap(), [1, 2]);
    assert_eq!(buffer.slice(4..).unwrap().len(), 0);
    let nested = buffer.slice(1..).unwrap().slice(1..2).unwrap();
    assert_eq!(nested.to_vec().unwrap(), [2]);
    assert_eq!(nested.ptr().as_raw(), buffer.ptr().as_raw() + 2);
    #[allow(clippy::reversed_empty_ranges)]
    let bad = [3..2, 0..5, 5..5, 0..usize::MAX];
    for range in bad {
        let (start, end) = (range.start, range.end);
        let error = buffer.slice(range).unwrap_err();
        assert_eq!(error, out_of_bounds(start, end, 4));
    }
    assert!(buffer.slice(0..=usize::MAX).is_err());
    assert!(buffer.as_slice().split_at(5).is_err());
}

#[test]
fn parts_are_written_apart() {
    let mut buffer = DeviceBuf::<u32>::zeroed(&stream(), 6).unwrap();
    {
        let (mut left, mut right) = buffer.as_slice_mut().split_at(2).unwrap();
        left.copy_from_host(&[1, 2]).unwrap();
        right.slice_mut(1..3).unwrap().copy_from_host(&[3, 4]).unwrap();
        right
            .reborrow()
            .into_slice(3..)
            .unwrap()
            .copy_from_device(left.as_slice().slice(1..).unwrap())
            .unwrap();
    }
    assert_eq!(buffer.to_vec().unwrap(), [1, 2, 0, 3, 4, 2]);
    buffer.slice_mut(..4).unwrap().fill_zero().unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [0, 0, 0, 0, 4, 2]);
}

#[test]
fn lengths_must_agree() {
    let mut buffer = DeviceBuf::<u32>::zeroed(&stream(), 3).unwrap();
    let mismatch = |source_len, destination_len| {
        invalid(format!("the source has {source_len} elements, the destination {destination_len};"))
    };
    assert_eq!(buffer.copy_from_host(&[1, 2]).unwrap_err(), mismatch(2, 3));
    assert_eq!(buffer.copy_to_host(&mut [0; 4]).unwrap_err(), mismatch(3, 4));
    let other = DeviceBuf::<u32>::zeroed(&stream(), 5).unwrap();
    let error = buffer.copy_from_device(other.as_slice()).unwrap_err();
    assert_eq!(error, mismatch(5, 3));
}

#[test]
fn copies_between_streams_outlive_their_source() {
    for round in 0..50_u32 {
        let numbers: Vec<u32> = (0..50_000).map(|i| i ^ round).collect();
        let mut copy = DeviceBuf::<u32>::zeroed(&stream(), numbers.len()).unwrap();
        {
            let source = DeviceBuf::from_host(&stream(), &numbers).unwrap();
            copy.copy_from_device(source.as_slice()).unwrap();
        }
        // Would reuse the memory if it had been freed too early.
        let _other = DeviceBuf::from_host(&stream(), &vec![u32::MAX; numbers.len()]).unwrap();
        assert_eq!(copy.to_vec().unwrap(), numbers);
    }
}

#[test]
fn copies_go_between_contexts_and_devices() {
    let here = DeviceBuf::from_host(&stream(), &[1.5_f32, 2.5]).unwrap();
    let mut contexts = vec![Context::new(device(), ContextFlags::default()).unwrap()];
    match second_device() {
        Some(second) => contexts.push(Context::primary(second).unwrap()),
        None => cuda_suite::note_skip(
            "copies_go_between_contexts_and_devices (devices)",
            "there is one device only",
        ),
    }
    for context in contexts {
        let mut there = DeviceBuf::<f32>::zeroed(&Stream::new(&context).unwrap(), 2).unwrap();
        there.copy_from_device(here.as_slice()).unwrap();
        assert_eq!(there.to_vec().unwrap(), [1.5, 2.5]);
    }
}

#[test]
fn the_legacy_stream_can_be_a_home() {
    let legacy = Stream::legacy(&context());
    let buffer = DeviceBuf::from_host(&legacy, &[1_u8, 2, 3]).unwrap();
    let mut copy = DeviceBuf::<u8>::zeroed(&stream(), 3).unwrap();
    copy.copy_from_device(buffer.as_slice()).unwrap();
    drop(buffer);
    assert_eq!(copy.to_vec().unwrap(), [1, 2, 3]);
}

#[test]
fn buffers_work_on_threads_without_a_context() {
    let stream = stream();
    let buffer = DeviceBuf::from_host(&stream, &[7_i16; 100]).unwrap();
    let back = std::thread::spawn(move || {
        let numbers = buffer.to_vec().unwrap();
        drop(buffer);
        numbers
    });
    assert_eq!(back.join().unwrap(), [7; 100]);
    stream.synchronize().unwrap();
}

#[test]
fn a_buffer_keeps_its_stream_and_its_context() {
    let buffer = {
        let own = Context::new(device(), ContextFlags::default()).unwrap();
        DeviceBuf::from_host(&Stream::new(&own).unwrap(), &[5_u64]).unwrap()
    };
    assert_eq!(buffer.to_vec().unwrap(), [5]);
    assert!(buffer.stream().is_done().unwrap());
    buffer.close().unwrap();
}

#[test]
fn freed_memory_comes_back() {
    let own = Context::new(device(), ContextFlags::default()).unwrap();
    let stream = Stream::new(&own).unwrap();
    let size = 256 << 20;
    // Far more than the software driver has in all.
    for _ in 0..40 {
        DeviceBuf::<u8>::uninit(&stream, size).unwrap();
        stream.synchronize().unwrap();
    }
}

#[test]
fn page_locked_memory_is_copied_like_any_other() {
    let context = context();
    let mut raw = std::ptr::null_mut();
    {
        let _entered = context.enter().unwrap();
        // SAFETY: valid for a write; the context is current.
        let allocated = unsafe { cuda_sys::cuMemHostAlloc(&raw mut raw, 4096, 0) };
        if Code::new(allocated) == Some(Code::NotSupported) {
            skip!("no page-locked memory here");
        }
        assert!(allocated.is_success());
    }
    // SAFETY: 4096 bytes, which are zeroed here.
    unsafe { raw.cast::<u8>().write_bytes(3, 4096) };
    // SAFETY: initialised, and used by no other code until it is freed below.
    let pinned = unsafe { std::slice::from_raw_parts_mut(raw.cast::<u8>(), 4096) };
    let mut buffer = DeviceBuf::from_host(&stream(), pinned).unwrap();
    buffer.slice_mut(..2048).unwrap().fill_zero().unwrap();
    buffer.copy_to_host(pinned).unwrap();
    assert_eq!((pinned[0], pinned[2047], pinned[2048], pinned[4095]), (0, 0, 3, 3));
    // SAFETY: allocated above, and not used any more.
    assert!(unsafe { cuda_sys::cuMemFreeHost(raw) }.is_success());
}
