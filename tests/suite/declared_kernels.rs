//! Kernels that are declared by `kernels!`, and borrowed memory as arguments.

#![allow(unsafe_code)]

use crate::raw::{begin_capture, end_capture};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::launch::{In, KernelArg, Out};
use cuda_rt::stream::PerThreadStream;
use cuda_rt::{Context, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};
use cuda_suite::{capturing, context, second_device, skip, stream};
use std::sync::Arc;

#[derive(Debug, Clone, Copy, KernelArg)]
#[repr(C)]
struct Triple {
    first: u32,
    second: u32,
    third: u32,
}

cuda_rt::kernels! {
    struct Declared from ptx_file("declared_kernels.ptx");
    extern {
        fn add(a: &[u32], b: &[u32], out: &mut [u32], n: u32);
        #[name = "add"]
        #[block(64)]
        fn add_in_blocks(a: DevicePtr<u32>, b: DevicePtr<u32>, out: DevicePtr<u32>, n: u32);
        fn number(out: &mut [u32], width: u32, height: u32);
        fn every(out: &mut [u64], a: u8, b: i16, c: u32, d: i64, e: f32, f: f64, pair: [f32; 2], triple: Triple);
        fn sum();
        fn shared(out: &mut [u32], bytes: u32, value: u32);
        fn late(from: &[u32], to: &mut [u32], cycles: u64);
        static factors: [u32; 4];
        static total: u64;
    }
}

#[derive(Debug, Clone, Copy, KernelArg)]
#[repr(C)]
struct Size {
    width: u32,
    height: u32,
}

/// A constant in a relation.
const LEAST: usize = 1;

cuda_rt::kernels! {
    struct Safe from ptx_file("declared_kernels.ptx");
    unsafe extern {
        #[block(64)]
        #[dynamic_shared(0)]
        safe fn add(a: &[u32], b: &[u32], out: &mut [u32], n: u32)
        where
            n <= a.len(),
            n <= b.len(),
            n <= out.len();
        #[grid(2)]
        #[dynamic_shared(0)]
        safe fn number(out: &mut [u32], width: u32, height: u32) where width * height <= out.len();
        #[block(1)]
        #[dynamic_shared(65536)]
        safe fn shared(out: &mut [u32], bytes: u32, value: u32)
        where
            1 <= out.len(),
            bytes == 65536,
            bytes % 4 == 0;
        #[block(1)]
        #[dynamic_shared(20480)]
        safe fn crowded(out: &mut [u32]) where 1 <= out.len();
        #[block(1)]
        #[dynamic_shared(0)]
        safe fn sized(out: &mut [u32], size: Size)
        where
            size.width * (size.height - 1) < out.len() / 2 + LEAST,
            out.len() > 0,
            size.width % size.height >= 0;
        #[name = "add"]
        #[block(64)]
        fn add_unsafe(a: &[u32], b: &[u32], out: &mut [u32], n: u32);
    }
}

cuda_rt::kernels! { struct Undeclared from ptx_file("declared_kernels.ptx"); }

fn kernels() -> Declared {
    Declared::load(&context()).unwrap()
}

/// One thread.
const ONE: LaunchConfig = LaunchConfig::new(1, 1);

/// Long enough that work without an order comes first.
const CYCLES: u64 = 2_000_000;

#[test]
fn arguments_of_each_type_arrive() {
    let (kernels, stream) = (kernels(), stream());
    let mut out = DeviceBuf::<u64>::zeroed(&stream, 8).unwrap();
    let triple = Triple { first: 1, second: 2, third: 3 };
    let expected = [
        200,
        0xfffe,
        70_000,
        u64::MAX,
        u64::from(1.5_f32.to_bits()),
        2.5_f64.to_bits(),
        { u64::from((-2.0_f32).to_bits()) << 32 | u64::from(0.5_f32.to_bits()) },
        3,
    ];
    let call = kernels.every(&mut out, 200, -2, 70_000, -1, 1.5, 2.5, [0.5, -2.0], triple);
    // SAFETY: the kernel writes the 8 elements of `out`.
    unsafe { call.launch(ONE, &stream) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), expected);

    out.fill_zero().unwrap();
    let all = Undeclared::load(&context()).unwrap();
    let call = all.every(out.ptr(), 200_u8, -2_i16, 70_000_u32, -1_i64, 1.5, 2.5, [0.5_f32, -2.0], triple);
    // SAFETY: as above; `out` lives on the same stream.
    unsafe { call.launch(ONE, &stream) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), expected);
}

#[test]
fn variables_are_fields() {
    let (kernels, stream) = (kernels(), stream());
    kernels.factors.copy_from_host(&stream, &[30, 0, 0, 12]).unwrap();
    // SAFETY: the kernel reads one variable and writes the other, on the stream that uses them.
    unsafe { kernels.sum().launch(ONE, &stream) }.unwrap();
    assert_eq!(kernels.total.to_vec(&stream).unwrap(), [42]);
    // Another module has variables of its own.
    assert_eq!(self::kernels().total.to_vec(&stream).unwrap(), [0]);
}

#[test]
fn block_of_kernel_is_block_of_launch() {
    let (kernels, stream) = (kernels(), stream());
    let (width, height) = (19, 6);
    let mut out = DeviceBuf::<u32>::zeroed(&stream, width * height).unwrap();
    // SAFETY: a thread writes each of the elements, others none.
    unsafe { kernels.number(&mut out, 19, 6).launch_for([width, height], &stream) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), (0..19 * 6).collect::<Vec<_>>());
    out.fill_zero().unwrap();
    // SAFETY: as above.
    unsafe { kernels.number(&mut out, 19, 6).launch_blocks([1, 2, 1], &stream) }.unwrap();
    assert_eq!(out.to_vec().unwrap().iter().filter(|number| **number % 19 < 8).sum::<u32>(), {
        (0..19 * 6).filter(|number| number % 19 < 8).sum::<u32>()
    });
    // SAFETY: nothing is launched.
    let refused = unsafe { kernels.number(&mut out, 19, 6).launch_for([0, 1], &stream) }.unwrap_err();
    assert_eq!(refused.code(), Some(Code::InvalidValue));

    let (a, b) = (
        DeviceBuf::from_host(&stream, &[1; 100]).unwrap(),
        DeviceBuf::from_host(&stream, &[2; 100]).unwrap(),
    );
    let out = DeviceBuf::<u32>::zeroed(&stream, 100).unwrap();
    let call = kernels.add_in_blocks(a.ptr(), b.ptr(), out.ptr(), 100);
    // SAFETY: as many threads as elements keep to them; all live on this stream.
    unsafe { call.launch_for(100, &stream) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), [3; 100]);
}

#[test]
fn dynamic_shared_memory_is_asked_for() {
    let (kernels, stream) = (kernels(), stream());
    let mut out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let call = kernels.shared(&mut out, 4096, 7).with_shared_bytes(4096);
    // SAFETY: the kernel uses as much shared memory as it is given, and writes one element.
    unsafe { call.launch_blocks([1, 1, 1], &stream) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), [7]);
}

#[test]
fn safe_kernel_is_launched_without_unsafe() {
    let (kernels, stream, other) = (Safe::load(&context()).unwrap(), stream(), stream());
    let a = Arc::new(DeviceBuf::from_host(&stream, &[1_u32; 100]).unwrap());
    let mut out = DeviceBuf::<u32>::zeroed(&stream, 120).unwrap();
    kernels.add(&a, &a, &mut out, 100).launch_for(100, &other).unwrap();
    assert_eq!(out.to_vec().unwrap(), [[2; 100].as_slice(), &[0; 20]].concat());
    // The last of these blocks have nothing to do.
    out.fill_zero().unwrap();
    kernels.add(&a, &a, &mut out.slice_mut(20..).unwrap(), 100).launch_blocks(7, &stream).unwrap();
    assert_eq!(out.to_vec().unwrap(), [[0; 20].as_slice(), &[2; 100]].concat());
    // The kernel itself has the other forms of launch.
    let args = (a.ptr(), a.ptr(), out.ptr(), 1);
    // SAFETY: one thread changes one element, and all memory lives on the stream.
    unsafe { kernels.clone().add.launch(ONE, &stream, args) }.unwrap();
    assert_eq!(out.to_vec().unwrap()[..2], [2, 0]);
}

#[test]
fn relation_that_does_not_hold_refuses_the_launch() {
    let (kernels, stream) = (Safe::load(&context()).unwrap(), stream());
    let (short, long) =
        (DeviceBuf::from_host(&stream, &[1; 4]).unwrap(), DeviceBuf::from_host(&stream, &[1; 5]).unwrap());
    let mut out = DeviceBuf::<u32>::zeroed(&stream, 5).unwrap();
    kernels.add(&short, &long, &mut out, 4).launch_for(4, &stream).unwrap();
    for (refused, relation, left, right) in [
        (kernels.add(&short, &long, &mut out, 5).launch_for(5, &stream), "n <= a.len()", "5", "4"),
        (kernels.add(&long, &short, &mut out, 5).launch_blocks(1, &stream), "n <= b.len()", "5", "4"),
        (
            kernels.add(&short, &long, &mut out, u32::MAX).launch_for(0, &stream),
            "n <= a.len()",
            "4294967295",
            "4",
        ),
    ] {
        let refused = refused.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
        let text = format!("`{relation}` of kernel `add` does not hold: {left} and {right} are compared");
        assert!(refused.to_string().contains(&text), "{refused}");
    }
    // Products are exact.
    let refused = kernels.number(&mut out, 1 << 31, 1 << 31).launch_for([1, 1], &stream).unwrap_err();
    let text = "`width * height <= out.len()` of kernel `number` does not hold: 4611686018427387904 and 5 are compared";
    assert!(refused.to_string().contains(text), "{refused}");
    assert_eq!(out.to_vec().unwrap(), [2, 2, 2, 2, 0]);
}

#[test]
fn relations_compute_with_fields_and_constants() {
    let (kernels, stream) = (Safe::load(&context()).unwrap(), stream());
    let mut out = DeviceBuf::<u32>::zeroed(&stream, 10).unwrap();
    kernels.sized(&mut out, Size { width: 5, height: 2 }).launch_for(1, &stream).unwrap();
    assert_eq!(out.to_vec().unwrap()[..2], [10, 0]);
    let mut refusal = |width, height| {
        kernels.sized(&mut out, Size { width, height }).launch_for(1, &stream).unwrap_err().to_string()
    };
    let relation = "`size.width * (size.height - 1) < out.len() / 2 + LEAST` of kernel `sized` does not hold";
    assert!(refusal(6, 2).contains(&format!("{relation}: 6 and 6 are compared")));
    // A negative number is less than each length, and nothing is divided by 0.
    let remainder = "`size.width % size.height >= 0` of kernel `sized` does not hold";
    let refused = refusal(u32::MAX, 0);
    assert!(
        refused.contains(&format!("{remainder}: a number that cannot be computed and 0 are compared")),
        "{refused}"
    );
    let mut none = DeviceBuf::<u32>::zeroed(&stream, 0).unwrap();
    let refused = kernels.sized(&mut none, Size { width: 0, height: 1 }).launch_for(1, &stream).unwrap_err();
    assert!(refused.to_string().contains("`out.len() > 0` of kernel `sized`"), "{refused}");
}

#[test]
fn grid_of_safe_kernel_has_the_declared_axes() {
    let (kernels, stream) = (Safe::load(&context()).unwrap(), stream());
    let mut out = DeviceBuf::<u32>::zeroed(&stream, 19 * 6).unwrap();
    kernels.number(&mut out, 19, 6).launch_for([19, 6], &stream).unwrap();
    assert_eq!(out.to_vec().unwrap(), (0..19 * 6).collect::<Vec<_>>());
    out.fill_zero().unwrap();
    // A number is a row.
    kernels.number(&mut out, 19, 6).launch_for(19, &stream).unwrap();
    kernels.number(&mut out, 19, 6).launch_blocks([3, 2], &stream).unwrap();
    assert_eq!(out.to_vec().unwrap(), (0..19 * 6).collect::<Vec<_>>());
}

#[test]
fn safe_launch_keeps_indices_within_int() {
    let (kernels, stream) = (Safe::load(&context()).unwrap(), stream());
    let mut out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    for (refused, blocks) in [
        (
            kernels.number(&mut out, 1, 1).launch_for((1 << 31) + 1, &stream),
            "268435457 blocks of 8 threads along x",
        ),
        (
            kernels.number(&mut out, 1, 1).launch_for(usize::MAX, &stream),
            "4294967295 or more blocks of 8 threads along x",
        ),
        (
            kernels.number(&mut out, 1, 1).launch_blocks([1, (1 << 29) + 1], &stream),
            "536870913 blocks of 4 threads along y",
        ),
    ] {
        let refused = refused.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
        let text =
            format!("kernel `number`: {blocks} are more than 2147483648 threads, the limit of a safe launch");
        assert!(refused.to_string().contains(&text), "{refused}");
    }
    assert_eq!(out.to_vec().unwrap(), [0]);
}

cuda_rt::kernels! {
    struct InClusters from ptx("
        .version 9.0
        .target sm_90
        .address_size 64
        .visible .entry count(.param .u64 out) .blocksareclusters .reqntid 1024, 1, 1 .reqnctapercluster 2, 4, 1
        {
            .reg .b64 %out; .reg .b32 %t, %n; .reg .pred %first;
            mov.u32 %t, %tid.x; setp.eq.u32 %first, %t, 0;
            ld.param.u64 %out, [out]; mov.u32 %n, %nctaid.x;
            @%first red.global.add.u32 [%out], 1; st.global.u32 [%out+4], %n;
            ret;
        }
    ");
    unsafe extern {
        #[grid(2)]
        safe fn count(out: &mut [u32])
        where
            2 <= out.len();
    }
}

/// Conformance fact V1187.
#[test]
fn grid_of_safe_kernel_may_count_clusters() {
    use cuda_rt::device::ComputeCapability;
    if cuda_suite::device().compute_capability().unwrap() < ComputeCapability::new(9, 0)
        || !crate::is_since(13, 0)
    {
        skip!("the device has no clusters, or the driver does not know PTX 9.0");
    }
    let (kernels, stream) = (InClusters::load(&context()).unwrap(), stream());
    let mut out = DeviceBuf::<u32>::zeroed(&stream, 2).unwrap();
    kernels.count(&mut out).launch_blocks([3, 5], &stream).unwrap();
    assert_eq!(out.to_vec().unwrap(), [3 * 5 * 8, 6]);
    let refused = kernels.count(&mut out).launch_blocks([(1 << 20) + 1, 1], &stream).unwrap_err();
    let text = "kernel `count`: 1048577 blocks of 1024 threads in clusters of 2, which the grid may count, along x are more than";
    assert!(refused.to_string().contains(text), "{refused}");
}

#[test]
fn declared_dynamic_shared_memory_is_given() {
    let (kernels, stream) = (Safe::load(&context()).unwrap(), stream());
    let mut out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let most = kernels.shared.function().max_dynamic_shared_size_bytes().unwrap();
    assert!(most >= 65_536, "{most}");
    kernels.shared(&mut out, 65_536, 9).launch_for(1, &stream).unwrap();
    assert_eq!(out.to_vec().unwrap(), [9]);
    // Together with declared memory, it is more than 48 KiB.
    kernels.crowded(&mut out).launch_for(1, &stream).unwrap();
    assert_eq!(out.to_vec().unwrap(), [20_480]);
}

/// Launches `late` on `other` with memory that lives on two more streams, and reads and frees the memory at once.
fn orders_both_ways(kernels: &Declared, other: &impl cuda_rt::stream::AsStream) {
    let (first, second) = (stream(), stream());
    let source = DeviceBuf::from_host(&first, &[0_u32; 32]).unwrap();
    let mut middle = DeviceBuf::<u32>::zeroed(&first, 32).unwrap();
    let mut out = DeviceBuf::<u32>::zeroed(&second, 32).unwrap();
    let block = LaunchConfig::new(1, 32);
    // SAFETY: 32 threads read the elements of one buffer and write those of another.
    unsafe { kernels.late(&source, &mut middle, CYCLES).launch(block, &first) }.unwrap();
    // SAFETY: as above.
    unsafe { kernels.late(&middle, &mut out, CYCLES).launch(block, other) }.unwrap();
    middle.as_slice_mut().fill(100).unwrap(); // comes after the second kernel, on the home stream
    drop(middle);
    drop(source);
    assert_eq!(out.to_vec().unwrap(), [2; 32]);
}

#[test]
fn borrowed_memory_is_ordered_both_ways() {
    let kernels = kernels();
    orders_both_ways(&kernels, &stream());
    orders_both_ways(&kernels, &PerThreadStream::new(&context()));
    orders_both_ways(&kernels, &stream().as_stream_ref());
}

#[test]
fn borrowed_memory_has_many_forms() {
    let (kernels, stream) = (kernels(), stream());
    let shared = Arc::new(DeviceBuf::from_host(&stream, &[1, 2, 3, 4]).unwrap());
    let mut out = DeviceBuf::<u32>::zeroed(&stream, 4).unwrap();
    let config = LaunchConfig::new(1, 32);
    let mut view = out.as_slice_mut();
    let (mut left, right) = view.reborrow().split_at(2).unwrap();
    // SAFETY: each launch keeps to the elements that its last argument counts.
    unsafe { kernels.add(&shared, &shared.slice(2..).unwrap(), &mut left, 2).launch(config, &stream) }
        .unwrap();
    // SAFETY: as above.
    unsafe { kernels.add(&right, &*shared, &mut left, 1).launch(config, &stream) }.unwrap();
    // SAFETY: as above.
    unsafe { kernels.add(&&*shared, &shared, &mut out.slice_mut(3..).unwrap(), 1).launch(config, &stream) }
        .unwrap();
    assert_eq!(out.to_vec().unwrap(), [1, 6, 0, 2]);

    // The same in a tuple, beside host memory and pointers.
    let mut host = [0; 4];
    let add = kernels.add.with(config);
    // SAFETY: as above.
    unsafe { add.launch(&stream, (&*shared, In(&[10, 20, 30, 40]), Out(&mut host), 4_u32)) }.unwrap();
    assert_eq!(host, [11, 22, 33, 44]);
    // SAFETY: as above.
    unsafe { add.launch(&stream, (shared.slice(1..).unwrap(), shared.ptr(), &mut out, 3_u32)) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), [3, 5, 7, 2]);
    // SAFETY: as above.
    let time =
        unsafe { add.timed(&stream, (&*shared, &*shared, out.slice_mut(..1).unwrap(), 1_u32)) }.unwrap();
    time.wait().unwrap();
    assert_eq!(out.to_vec().unwrap(), [2, 5, 7, 2]);
}

#[test]
fn capture_takes_no_borrowed_memory() {
    let kernels = kernels();
    let stream = Stream::new(&context()).unwrap();
    let from = DeviceBuf::from_host(&stream, &[1, 2]).unwrap();
    let mut to = DeviceBuf::<u32>::zeroed(&stream, 2).unwrap();
    if begin_capture(&stream).is_none() {
        skip!("the driver captures nothing");
    }
    // SAFETY: nothing is launched.
    let refused = unsafe { kernels.late(&from, &mut to, 0).launch(ONE, &stream) }.unwrap_err();
    let _ = end_capture(&stream);
    assert_eq!(refused, capturing());
    assert_eq!(to.to_vec().unwrap(), [0, 0]);
}

#[test]
fn memory_of_another_device_needs_access() {
    let near = context();
    let Some(second) = second_device().filter(|second| near.device().can_access_peer(*second).unwrap())
    else {
        skip!("there are no two devices that reach each other");
    };
    let far = Context::new(second, ContextFlags::default()).unwrap();
    let (here, there) = (Stream::new(&near).unwrap(), Stream::new(&far).unwrap());
    let kernels = Declared::load(&near).unwrap();
    let from = DeviceBuf::from_host(&there, &[1_u32, 2]).unwrap();
    let mut to = DeviceBuf::<u32>::zeroed(&here, 2).unwrap();
    // SAFETY: nothing is launched.
    let refused =
        unsafe { kernels.late(&from, &mut to, 0).launch(LaunchConfig::new(1, 2), &here) }.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::AccessDenied, "{refused}");
    let _access = near.peer_access(&far).unwrap();
    // SAFETY: 2 threads keep to 2 elements.
    unsafe { kernels.late(&from, &mut to, 0).launch(LaunchConfig::new(1, 2), &here) }.unwrap();
    assert_eq!(to.to_vec().unwrap(), [2, 3]);
}

#[test]
fn loader_tells_of_the_driver() {
    let kernels = kernels();
    assert_eq!((kernels.add.function().name(), kernels.add_in_blocks.function().name()), ("add", "add"));
    assert_eq!(kernels.module().context(), &context());
    assert!(Declared::PTX.starts_with(".version 6.4"));
    let options = cuda_rt::module::JitOptions::new();
    assert_eq!(Declared::load_with(&context(), &options).unwrap().sum.function().name(), "sum");
    let text = format!(
        "{:?}",
        kernels.add(
            &DeviceBuf::zeroed(&stream(), 1).unwrap(),
            &DeviceBuf::zeroed(&stream(), 1).unwrap(),
            &mut DeviceBuf::zeroed(&stream(), 1).unwrap(),
            1
        )
    );
    assert!(text.starts_with("KernelCall { function: Function {"), "{text}");
    // The macro accepts these types, and so does `typed`.
    let module: &Module = kernels.module();
    module.function("add").unwrap().typed::<(DevicePtr<u32>, DevicePtr<u32>, DevicePtr<u32>, u32)>().unwrap();
}

#[derive(Debug, Clone, Copy, KernelArg)]
#[repr(C)]
struct Range {
    low: f32,
    high: f32,
}

cuda_rt::kernels! {
    struct FromNvcc from ptx_file("declared_nvcc.ptx");
    extern {
        #[name = "stats::scale<float>"]
        fn scale_f32(from: &[f32], to: &mut [f32], n: u32, by: f32);
        #[name = "stats::scale<double>"]
        fn scale_f64(from: &[f64], to: &mut [f64], n: u32, by: f64);
        #[name = "stats::count"]
        #[block(128)]
        fn count(values: &[f32], n: u32, range: Range, found: &mut [u64]);
    }
}

cuda_rt::kernels! {
    struct FromNvrtc from ptx_file("../kernels/saxpy.ptx");
    extern {
        fn saxpy(n: i32, a: f32, x: &[f32], y: &mut [f32]);
    }
}

#[test]
fn kernels_of_nvcc_and_nvrtc_run() {
    if !crate::is_since(13, 0) {
        skip!("the driver takes no PTX of CUDA 13.0");
    }
    let stream = stream();
    let nvcc = FromNvcc::load(&context()).unwrap();
    let from = DeviceBuf::from_host(&stream, &[1.0_f32, 2.0, 3.0]).unwrap();
    let mut to = DeviceBuf::<f32>::zeroed(&stream, 3).unwrap();
    let config = LaunchConfig::new(1, 32);
    // SAFETY: the kernel keeps to 3 elements of each.
    unsafe { nvcc.scale_f32(&from, &mut to, 3, 2.5).launch(config, &stream) }.unwrap();
    assert_eq!(to.to_vec().unwrap(), [2.5, 5.0, 7.5]);
    let doubles = DeviceBuf::from_host(&stream, &[1.0_f64, 2.0]).unwrap();
    let mut products = DeviceBuf::<f64>::zeroed(&stream, 2).unwrap();
    // SAFETY: the kernel keeps to 2 elements of each.
    unsafe { nvcc.scale_f64(&doubles, &mut products, 2, -1.5).launch(config, &stream) }.unwrap();
    assert_eq!(products.to_vec().unwrap(), [-1.5, -3.0]);
    let mut found = DeviceBuf::<u64>::zeroed(&stream, 1).unwrap();
    // SAFETY: the kernel reads 3 elements and changes one.
    unsafe { nvcc.count(&to, 3, Range { low: 3.0, high: 7.5 }, &mut found).launch_for(3, &stream) }.unwrap();
    assert_eq!(found.to_vec().unwrap(), [1]);

    let nvrtc = FromNvrtc::load(&context()).unwrap();
    // SAFETY: the kernel keeps to 3 elements of each.
    unsafe { nvrtc.saxpy(3, 10.0, &from, &mut to).launch(config, &stream) }.unwrap();
    assert_eq!(to.to_vec().unwrap(), [12.5, 25.0, 37.5]);
}
