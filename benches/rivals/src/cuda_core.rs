//! NVIDIA's `cuda-core`.

use crate::Ways;
use crate::measure::{Way, rounds};
use crate::operations::*;
use cuda_core::{Context, DeviceBuffer};
use std::ffi::c_void;
use std::hint::black_box;

macro_rules! addresses {
    ($($argument:ident)*) => { [$((&raw mut $argument).cast::<c_void>()),*] };
}

pub(crate) fn ways() -> Ways {
    let context = Context::new(0).unwrap();
    let stream = context.new_stream().unwrap();
    let module = context.load_module_from_ptx_src(PTX).unwrap();
    let (three, sixteen) = (module.load_function("three").unwrap(), module.load_function("sixteen").unwrap());
    let event = context.new_event().unwrap();
    let source = DeviceBuffer::from_host(&stream, &[7_u8; BYTES]).unwrap();
    let mut device = DeviceBuffer::<u8>::zeroed(&stream, BYTES).unwrap();
    let mut copy = DeviceBuffer::<u8>::zeroed(&stream, BYTES).unwrap();
    let from = DeviceBuffer::from_host(&stream, &[7_u8; BYTES]).unwrap();

    let way = |name, run| (name, Way { library: "cuda-core 0.5.0", run });
    let s = stream.clone();
    let launch_3 = rounds(move || {
        let (mut a, mut b, mut n) = (black_box(1_u64), black_box(2_u64), black_box(3_u32));
        let (grid, block, shared) = black_box(((1, 1, 1), (32, 1, 1), 0));
        let mut args = addresses!(a b n);
        // SAFETY: the kernel does nothing.
        unsafe { cuda_core::launch_kernel_on_stream(&three, grid, block, shared, &s, &mut args) }.unwrap();
    });
    let s = stream.clone();
    let launch_16 = rounds(move || {
        let (mut a, mut b, mut c, mut d) =
            (black_box(1_u64), black_box(2_u64), black_box(3_u64), black_box(4_u64));
        let (mut e, mut f, mut m, mut o) =
            (black_box(5_u32), black_box(6_f32), black_box(7_f64), black_box(8_u64));
        let (grid, block, shared) = black_box(((1, 1, 1), (32, 1, 1), 0));
        let mut args = addresses!(a b c d e e e e f f f f m m o o);
        // SAFETY: the kernel does nothing.
        unsafe { cuda_core::launch_kernel_on_stream(&sixteen, grid, block, shared, &s, &mut args) }.unwrap();
    });
    let s = stream.clone();
    let alloc = rounds(move || {
        // SAFETY: the contents are not read.
        drop(black_box(unsafe { DeviceBuffer::<u8>::uninitialized_async(&s, BYTES) }.unwrap()));
    });
    let s = stream.clone();
    let host = vec![1_u8; BYTES];
    let to_device = rounds(move || device.copy_from_host(&s, &host).unwrap());
    let s = stream.clone();
    let mut host = vec![1_u8; BYTES];
    let from_device = rounds(move || from.copy_to_host(&s, &mut host).unwrap());
    let s = stream.clone();
    let on_device = rounds(move || copy.copy_from_device_async(&source, &s).unwrap());
    let s = stream.clone();
    let record = rounds(move || event.record(&s).unwrap());
    let query = rounds(move || {
        black_box(stream.query().unwrap());
    });
    vec![
        way(LAUNCH_3, launch_3),
        way(LAUNCH_16, launch_16),
        way(ALLOC, alloc),
        way(TO_DEVICE, to_device),
        way(FROM_DEVICE, from_device),
        way(ON_DEVICE, on_device),
        way(RECORD, record),
        way(QUERY, query),
    ]
}
