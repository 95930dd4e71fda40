//! `cust`. It has no query of a stream.

use crate::Ways;
use crate::measure::{Way, rounds};
use crate::operations::*;
use cust::event::{Event, EventFlags};
use cust::memory::{AsyncCopyDestination, DeviceBuffer};
use cust::module::Module;
use cust::stream::{Stream, StreamFlags};
use std::hint::black_box;

/// Everything lives until the process ends, since functions borrow their modules.
fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

pub(crate) fn ways() -> Ways {
    keep(cust::quick_init().unwrap());
    let stream = keep(Stream::new(StreamFlags::NON_BLOCKING, None).unwrap());
    let module = keep(Module::from_ptx(PTX, &[]).unwrap());
    let three = module.get_function("three").unwrap();
    let sixteen = module.get_function("sixteen").unwrap();
    let event = Event::new(EventFlags::DEFAULT).unwrap();
    let source = keep(DeviceBuffer::from_slice(&[7_u8; BYTES]).unwrap());
    let mut device = DeviceBuffer::<u8>::zeroed(BYTES).unwrap();
    let mut copy = DeviceBuffer::<u8>::zeroed(BYTES).unwrap();

    let way = |name, run| (name, Way { library: "cust 0.3.2", run });
    let launch_3 = rounds(move || {
        let (a, b, n) = (black_box(1_u64), black_box(2_u64), black_box(3_u32));
        let grid = black_box(1_u32);
        // SAFETY: the kernel does nothing.
        unsafe { cust::launch!(three<<<grid, 32, 0, stream>>>(a, b, n)) }.unwrap();
    });
    let launch_16 = rounds(move || {
        let (a, b, c, d) = (black_box(1_u64), black_box(2_u64), black_box(3_u64), black_box(4_u64));
        let (e, f, m, o) = (black_box(5_u32), black_box(6_f32), black_box(7_f64), black_box(8_u64));
        let grid = black_box(1_u32);
        // SAFETY: the kernel does nothing.
        unsafe {
            cust::launch!(sixteen<<<grid, 32, 0, stream>>>(a, b, c, d, e, e, e, e, f, f, f, f, m, m, o, o))
        }
        .unwrap();
    });
    let alloc = rounds(move || {
        // SAFETY: the contents are not read.
        let buffer = black_box(unsafe { DeviceBuffer::<u8>::uninitialized_async(BYTES, stream) }.unwrap());
        buffer.drop_async(stream).unwrap();
    });
    let host = vec![1_u8; BYTES];
    let to_device = rounds(move || {
        // SAFETY: waited for below.
        unsafe { device.async_copy_from(&host, stream) }.unwrap();
        stream.synchronize().unwrap();
    });
    let mut host = vec![1_u8; BYTES];
    let from_device = rounds(move || {
        // SAFETY: waited for below.
        unsafe { source.async_copy_to(&mut host, stream) }.unwrap();
        stream.synchronize().unwrap();
    });
    // SAFETY: both live until the process ends.
    let on_device = rounds(move || unsafe { copy.async_copy_from(source, stream) }.unwrap());
    let record = rounds(move || event.record(stream).unwrap());
    vec![
        way(LAUNCH_3, launch_3),
        way(LAUNCH_16, launch_16),
        way(ALLOC, alloc),
        way(TO_DEVICE, to_device),
        way(FROM_DEVICE, from_device),
        way(ON_DEVICE, on_device),
        way(RECORD, record),
    ]
}
