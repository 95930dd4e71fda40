//! `cudarc`, as it is by default: with its tracking of events.

use crate::Ways;
use crate::measure::{Way, rounds};
use crate::operations::*;
use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use std::hint::black_box;

pub(crate) fn ways() -> Ways {
    let context = CudaContext::new(0).unwrap();
    let stream = context.new_stream().unwrap();
    let module = context.load_module(PTX.into()).unwrap();
    let (three, sixteen) = (module.load_function("three").unwrap(), module.load_function("sixteen").unwrap());
    let config = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (32, 1, 1), shared_mem_bytes: 0 };
    let event = context.new_event(None).unwrap();
    let source = stream.clone_htod(&[7_u8; BYTES]).unwrap();
    let mut device = stream.alloc_zeros::<u8>(BYTES).unwrap();
    let mut copy = stream.alloc_zeros::<u8>(BYTES).unwrap();

    let way = |name, run| (name, Way { library: "cudarc 0.19.10", run });
    let (s, f) = (stream.clone(), three.clone());
    let launch_3 = rounds(move || {
        let (a, b, n) = (black_box(1_u64), black_box(2_u64), black_box(3_u32));
        let mut builder = s.launch_builder(&f);
        builder.arg(&a).arg(&b).arg(&n);
        // SAFETY: the kernel does nothing.
        unsafe { builder.launch(black_box(config)) }.unwrap();
    });
    let s = stream.clone();
    let launch_16 = rounds(move || {
        let (a, b, c, d) = (black_box(1_u64), black_box(2_u64), black_box(3_u64), black_box(4_u64));
        let (e, f, m, o) = (black_box(5_u32), black_box(6_f32), black_box(7_f64), black_box(8_u64));
        let mut builder = s.launch_builder(&sixteen);
        builder.arg(&a).arg(&b).arg(&c).arg(&d).arg(&e).arg(&e).arg(&e).arg(&e);
        builder.arg(&f).arg(&f).arg(&f).arg(&f).arg(&m).arg(&m).arg(&o).arg(&o);
        // SAFETY: the kernel does nothing.
        unsafe { builder.launch(black_box(config)) }.unwrap();
    });
    let s = stream.clone();
    // SAFETY: the contents are not read.
    let alloc = rounds(move || drop(black_box(unsafe { s.alloc::<u8>(BYTES) }.unwrap())));
    let s = stream.clone();
    let host = vec![1_u8; BYTES];
    let to_device = rounds(move || {
        s.memcpy_htod(&host, &mut device).unwrap();
        s.synchronize().unwrap();
    });
    let s = stream.clone();
    let mut host = vec![1_u8; BYTES];
    let from = source.clone();
    let from_device = rounds(move || {
        s.memcpy_dtoh(&from, &mut host).unwrap();
        s.synchronize().unwrap();
    });
    let s = stream.clone();
    let on_device = rounds(move || s.memcpy_dtod(&source, &mut copy).unwrap());
    let record = rounds(move || event.record(&stream).unwrap());
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
