//! Streams that wait for each other, and borrowed streams.
#![allow(unsafe_code)]

use crate::typed;
use cuda_rt::context::ContextFlags;
use cuda_rt::stream::{AsStream, PerThreadStream, StreamRef};
use cuda_rt::{Context, DeviceBuf, DevicePtr, Event, Kernel, LaunchConfig, Module, Result, Stream};
use cuda_suite::{Choice, context, device, second_device, skip, stream};
use std::collections::HashSet;

/// Adds the last of `count` numbers to each of `count` others.
const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry add_last(.param .u64 from, .param .u64 to, .param .u32 count) {
        .reg .b64 %from, %to, %at; .reg .b32 %r<5>; .reg .pred %p;
        ld.param.u64 %from, [from]; ld.param.u64 %to, [to]; ld.param.u32 %r0, [count];
        mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
        mad.lo.u32 %r1, %r1, %r2, %r3;
        setp.ge.u32 %p, %r1, %r0; @%p bra done;
        sub.u32 %r2, %r0, 1; mul.wide.u32 %at, %r2, 4; add.u64 %at, %from, %at; ld.global.u32 %r3, [%at];
        mul.wide.u32 %at, %r1, 4; add.u64 %at, %to, %at; ld.global.u32 %r4, [%at];
        add.u32 %r4, %r4, %r3; st.global.u32 [%at], %r4;
        done: ret; }";

type AddLast = Kernel<(DevicePtr<u32>, DevicePtr<u32>, u32)>;

fn add_last(context: &Context) -> AddLast {
    typed(&Module::from_ptx(context, PTX).unwrap().function("add_last").unwrap())
}

/// Returns the length of the buffers. Filling them takes a real device longer than launching a
/// kernel. The software driver holds work back under schedules other than `eager`, at any length.
fn count() -> usize {
    match cuda_suite::driver() {
        Choice::Real => 1 << 20,
        Choice::Sim => 1 << 14,
    }
}

/// Queues fills that take a while. The last one sets all numbers to `value`.
fn fill_slowly(buffer: &mut DeviceBuf<u32>, value: u32) {
    for round in (0..20).rev() {
        buffer.as_slice_mut().fill(value + round).unwrap();
    }
}

fn launch(kernel: &AddLast, stream: &impl AsStream, from: DevicePtr<u32>, to: DevicePtr<u32>) {
    let config = LaunchConfig::for_elements(count(), 256);
    // SAFETY: both buffers have `count()` numbers; the callers order the streams.
    unsafe { kernel.launch(config, stream, (from, to, count() as u32)) }.unwrap();
}

#[test]
fn a_guard_orders_memory_on_another_stream() {
    let (uploads, work, results) = (stream(), stream(), stream());
    let kernel = add_last(uploads.context());
    for round in 1..4 {
        let mut from = DeviceBuf::<u32>::uninit(&uploads, count()).unwrap();
        let mut to = DeviceBuf::<u32>::uninit(&results, count()).unwrap();
        fill_slowly(&mut from, round);
        fill_slowly(&mut to, 100);
        {
            let (from, to) = (from.use_on(&work).unwrap(), to.use_on_mut(&work).unwrap());
            assert_eq!((from.len(), from.is_empty()), (count(), false));
            launch(&kernel, &work, from.ptr(), to.ptr());
        }
        // Both follow the kernel: the fill, and the free. `next` may get the memory of `from`.
        fill_slowly(&mut from, 77);
        drop(from);
        let mut next = DeviceBuf::<u32>::uninit(&uploads, count()).unwrap();
        fill_slowly(&mut next, 88);
        assert!(to.to_vec().unwrap().iter().all(|number| *number == 100 + round));
    }
}

#[test]
fn parts_of_memory_are_guarded_alone() {
    let (home, first, second) = (stream(), stream(), stream());
    let kernel = add_last(home.context());
    let mut both = DeviceBuf::<u32>::uninit(&home, 2 * count()).unwrap();
    fill_slowly(&mut both, 5);
    let source = DeviceBuf::from_host(&home, &vec![1; count()]).unwrap();
    {
        let (left, right) = both.as_slice_mut().split_at(count()).unwrap();
        // Both kernels read `source` at the same time.
        let (one, other) = (source.use_on(&first).unwrap(), source.as_slice().use_on(&second).unwrap());
        let (left, right) = (left.use_on(&first).unwrap(), right.use_on(&second).unwrap());
        launch(&kernel, &first, one.ptr(), left.ptr());
        launch(&kernel, &second, other.ptr(), right.ptr());
        left.close().unwrap();
    }
    assert_eq!(both.to_vec().unwrap(), vec![6; 2 * count()]);
}

#[test]
fn guards_accept_streams_of_all_kinds() {
    let home = stream();
    let mut buffer = DeviceBuf::from_host(&home, &[1_u8, 2, 3]).unwrap();
    let own = PerThreadStream::new(home.context());
    buffer.use_on(&own).unwrap().close().unwrap();
    buffer.use_on(&Stream::legacy(home.context())).unwrap().close().unwrap();
    let other = stream();
    let borrowed = other.as_stream_ref();
    buffer.use_on_mut(&borrowed).unwrap().close().unwrap();
    // The memory's own stream, and memory of no bytes.
    buffer.slice(1..).unwrap().use_on(&home).unwrap().close().unwrap();
    assert!(buffer.slice(3..).unwrap().use_on(&other).unwrap().is_empty());
    assert_eq!(buffer.to_vec().unwrap(), [1, 2, 3]);
}

#[test]
fn guard_dropped_by_a_panic_orders_streams() {
    let (home, work) = (stream(), stream());
    let kernel = add_last(home.context());
    let from = DeviceBuf::from_host(&home, &vec![3_u32; count()]).unwrap();
    let mut to = DeviceBuf::<u32>::uninit(&home, count()).unwrap();
    fill_slowly(&mut to, 0);
    let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let (from, to) = (from.use_on(&work).unwrap(), to.use_on_mut(&work).unwrap());
        launch(&kernel, &work, from.ptr(), to.ptr());
        panic!("a panic that the test expects");
    }));
    assert!(unwound.is_err());
    assert_eq!(to.to_vec().unwrap(), vec![3; count()]);
}

#[test]
fn a_stream_waits_for_another_stream() {
    let (first, second) = (stream(), stream());
    let kernel = add_last(first.context());
    let mut from = DeviceBuf::<u32>::uninit(&first, count()).unwrap();
    let to = DeviceBuf::<u32>::zeroed(&second, count()).unwrap();
    fill_slowly(&mut from, 9);
    second.wait_stream(&first).unwrap();
    launch(&kernel, &second, from.ptr(), to.ptr());
    first.as_stream_ref().wait_stream(&second).unwrap();
    drop(from);
    assert_eq!(to.to_vec().unwrap(), vec![9; count()]);
    // A stream waits for itself, for a reference to a stream, and for the per-thread stream.
    first.wait_stream(&first).unwrap();
    first.wait_stream(&&second).unwrap();
    PerThreadStream::new(first.context()).wait_stream(&first).unwrap();
    first.wait_stream(&PerThreadStream::new(first.context())).unwrap();
    first.synchronize().unwrap();
    second.synchronize().unwrap();
}

#[test]
fn streams_of_other_contexts_are_waited_for() {
    let own = Context::new(device(), ContextFlags::default()).unwrap();
    let (first, second) = (Stream::new(&own).unwrap(), stream());
    first.wait_stream(&second).unwrap();
    second.wait_stream(&first).unwrap();
    let Some(device) = second_device() else { skip!("there is one device") };
    let peer = Stream::new(&Context::primary(device).unwrap()).unwrap();
    peer.wait_stream(&second).unwrap();
    second.wait_stream(&peer).unwrap();
    let buffer = DeviceBuf::from_host(&second, &[1, 2, 3]).unwrap();
    buffer.use_on(&peer).unwrap().close().unwrap();
    second.synchronize().unwrap();
}

#[test]
fn borrowed_streams_are_copied_and_compared() {
    let (first, second) = (stream(), stream());
    let (one, copy) = (first.as_stream_ref(), first.as_stream_ref());
    assert_eq!((one, one), (copy, StreamRef::from(&first)));
    assert_ne!(one, second.as_stream_ref());
    #[allow(clippy::mutable_key_type)] // the mutable part is not hashed
    let seen: HashSet<StreamRef<'_>> = [one, copy, second.as_stream_ref()].into();
    assert_eq!(seen.len(), 2);
    // The legacy stream has the same handle in each context.
    let own = Context::new(device(), ContextFlags::default()).unwrap();
    let (here, there) = (Stream::legacy(first.context()), Stream::legacy(&own));
    assert_eq!(here.as_raw(), there.as_raw());
    assert_ne!(here.as_stream_ref(), there.as_stream_ref());
    assert_eq!(HashSet::from([here.clone(), here, there]).len(), 2);
    assert!(format!("{one:?}").starts_with("StreamRef { raw: "));
    // On several threads at a time.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(move || {
                one.synchronize().unwrap();
                assert!(one.is_done().unwrap());
            });
        }
    });
}

#[test]
fn a_borrowed_stream_is_made_of_a_handle() {
    fn mark(stream: impl AsStream) -> Result<Event> {
        let event = Event::new(stream.context())?;
        event.record(&stream)?;
        Ok(event)
    }
    let context = context();
    let entered = context.enter().unwrap();
    let mut raw = std::ptr::null_mut();
    // SAFETY: `raw` is valid for a write, and the context is current.
    assert!(unsafe { cuda_sys::cuStreamCreate(&raw mut raw, 1) }.is_success());
    drop(entered);
    {
        // SAFETY: made above, and destroyed below.
        let borrowed = unsafe { StreamRef::from_raw(raw, &context) };
        assert_eq!((borrowed.as_raw(), borrowed.context()), (raw, &context));
        let kernel = add_last(&context);
        let home = stream();
        let from = DeviceBuf::from_host(&home, &vec![2_u32; count()]).unwrap();
        let mut to = DeviceBuf::<u32>::zeroed(&home, count()).unwrap();
        {
            let (from, to) = (from.use_on(&borrowed).unwrap(), to.use_on_mut(&borrowed).unwrap());
            launch(&kernel, &borrowed, from.ptr(), to.ptr());
            launch(&kernel, &&borrowed, from.ptr(), to.ptr());
        }
        assert_eq!(to.to_vec().unwrap(), vec![4; count()]);
        borrowed.wait_event(&mark(&home).unwrap()).unwrap();
        mark(borrowed).unwrap().synchronize().unwrap();
        mark(stream()).unwrap().synchronize().unwrap();
        borrowed.synchronize().unwrap();
    }
    // SAFETY: made above, and not used any more.
    assert!(unsafe { cuda_sys::cuStreamDestroy_v2(raw) }.is_success());
}
