//! Host memory as an argument of a kernel; prepared and timed launches.

use crate::raw::{begin_capture, end_capture};
use crate::{alone, typed};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::launch::{In, InOut, LaunchProblem, Out};
use cuda_rt::stream::PerThreadStream;
use cuda_rt::{Context, DeviceBuf, DevicePtr, Kernel, LaunchConfig, Module, PinnedBuf, Stream};
use cuda_suite::{capturing, context, device, invalid, skip, stream};
use std::time::Duration;

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    // to[i] = from[i] + more, for i < n
    .visible .entry add(.param .u64 to, .param .u64 from, .param .u32 more, .param .u32 n) {
    .reg .b64 %to, %from, %offset; .reg .b32 %i, %n, %value, %more, %block; .reg .pred %p;
    ld.param.u32 %n, [n]; ld.param.u32 %more, [more]; ld.param.u64 %to, [to]; ld.param.u64 %from, [from];
    mov.u32 %i, %tid.x; mov.u32 %block, %ctaid.x; mov.u32 %value, %ntid.x; mad.lo.u32 %i, %block, %value, %i;
    setp.ge.u32 %p, %i, %n; @%p bra done;
    mul.wide.u32 %offset, %i, 4; add.u64 %from, %from, %offset; add.u64 %to, %to, %offset;
    ld.global.u32 %value, [%from]; add.u32 %value, %value, %more; st.global.u32 [%to], %value;
    done: ret; }
    // where[0] = 1 if the pointer is null
    .visible .entry is_null(.param .u64 pointer, .param .u64 where) {
    .reg .b64 %a, %where; .reg .b32 %r; .reg .pred %p;
    ld.param.u64 %a, [pointer]; ld.param.u64 %where, [where];
    setp.eq.u64 %p, %a, 0; selp.u32 %r, 1, 0, %p; st.global.u32 [%where], %r; ret; }
    .visible .entry wrong(.param .u64 to) { .reg .b64 %a; mov.u64 %a, 16; st.global.u64 [%a], %a; ret; }
    // until so many cycles have passed
    .visible .entry spin(.param .u64 cycles) {
    .reg .b64 %start, %now, %cycles; .reg .pred %p;
    ld.param.u64 %cycles, [cycles]; mov.u64 %start, %clock64;
    again: mov.u64 %now, %clock64; sub.u64 %now, %now, %start;
    setp.lt.u64 %p, %now, %cycles; @%p bra again; ret; }
    .visible .entry nothing() { ret; }";

type Add = (DevicePtr<u32>, DevicePtr<u32>, u32, u32);

fn kernel<A: cuda_rt::launch::KernelArgs>(name: &str) -> Kernel<A> {
    typed(&Module::from_ptx(&context(), PTX).unwrap().function(name).unwrap())
}

#[test]
fn host_memory_goes_there_and_back() {
    let (add, stream) = (kernel::<Add>("add"), stream());
    let from: Vec<u32> = (0..1000).collect();
    let mut to = vec![0; 1000];
    let config = LaunchConfig::for_elements(1000, 128);
    // SAFETY: `add` changes as many elements as its last argument says.
    unsafe { add.with(config).launch(&stream, (Out(&mut to), In(&from), 7_u32, 1000_u32)) }.unwrap();
    assert!(to.iter().copied().eq(7..1007));
    assert!(from.iter().copied().eq(0..1000));
}

#[test]
fn inout_arguments_return_with_changes() {
    let (add, stream) = (kernel::<Add>("add"), stream());
    let mut numbers = [1, 2, 3, 4];
    let device = DeviceBuf::from_host(&stream, &[10, 20, 30, 40]).unwrap();
    // The first two are overwritten with those of a buffer, the others are left alone: they come back as they were.
    let args = (InOut(&mut numbers), device.ptr(), 0_u32, 2_u32);
    // SAFETY: two elements of each are used.
    unsafe { add.with(LaunchConfig::new(1, 4)).launch(&stream, args) }.unwrap();
    assert_eq!(numbers, [10, 20, 3, 4]);
}

#[test]
fn pinned_memory_is_accepted() {
    let (add, stream) = (kernel::<Add>("add"), stream());
    let from = PinnedBuf::from_fn(&context(), 4096, |index| index as u32).unwrap();
    let mut to = PinnedBuf::<u32>::zeroed(&context(), 4096).unwrap();
    let prepared = add.with(LaunchConfig::for_elements(4096, 256));
    for more in 1..4 {
        // SAFETY: `add` changes as many elements as its last argument says.
        unsafe { prepared.launch(&stream, (Out(&mut to), In(&from), more, 4096_u32)) }.unwrap();
        assert!(to.iter().copied().eq(more..more + 4096));
    }
}

#[test]
fn empty_slice_is_a_null_pointer() {
    let (is_null, stream) = (kernel::<(DevicePtr<u64>, DevicePtr<u32>)>("is_null"), stream());
    let (nothing, mut seen) = ([0_u64; 0], [7]);
    // SAFETY: one thread writes one number.
    unsafe { is_null.with(LaunchConfig::new(1, 1)).launch(&stream, (In(&nothing), Out(&mut seen))) }.unwrap();
    assert_eq!(seen, [1]);
    // SAFETY: as above.
    unsafe { is_null.with(LaunchConfig::new(1, 1)).launch(&stream, (In(&[1]), InOut(&mut seen))) }.unwrap();
    assert_eq!(seen, [0]);
}

#[test]
fn refused_launch_says_why_and_copies_nothing() {
    let (add, stream) = (kernel::<Add>("add"), stream());
    let mut numbers = [1, 2, 3];
    let args = (InOut(&mut numbers), DevicePtr::null(), 0_u32, 0_u32);
    // SAFETY: nothing is launched.
    let refused = unsafe { add.with(LaunchConfig::new(1, 1 << 20)).launch(&stream, args) }.unwrap_err();
    assert!(refused.context::<LaunchProblem>().is_some(), "{refused}");
    let other = Context::new(device(), ContextFlags::default()).unwrap();
    let args = (InOut(&mut numbers), DevicePtr::null(), 0_u32, 0_u32);
    // SAFETY: nothing is launched.
    let refused = unsafe { add.with(LaunchConfig::new(1, 1)).launch(&Stream::new(&other).unwrap(), args) };
    assert_eq!(refused, invalid("the kernel and the stream belong to different contexts;"));
    assert_eq!(numbers, [1, 2, 3]);
}

#[test]
fn a_stream_that_is_captured_takes_no_calls() {
    let (add, stream) = (kernel::<Add>("add"), stream());
    if begin_capture(&stream).is_none() {
        skip!("the driver has no captures");
    }
    let mut numbers = [1, 2, 3];
    let args = (InOut(&mut numbers), DevicePtr::null(), 0_u32, 0_u32);
    // SAFETY: nothing is launched.
    let refused = unsafe { add.with(LaunchConfig::new(1, 1)).launch(&stream, args) };
    assert_eq!(refused, capturing());
    assert!(end_capture(&stream), "the capture goes on");
}

/// Launches a failing kernel with lent memory, and expects its error.
fn failing(memory: &mut [u32]) {
    let (wrong, stream) = (kernel::<(DevicePtr<u32>,)>("wrong"), stream());
    // SAFETY: nothing is used after it.
    let failed = unsafe { wrong.with(LaunchConfig::new(1, 1)).launch(&stream, (InOut(memory),)) };
    assert_eq!(failed.unwrap_err().code(), Some(Code::IllegalAddress));
}

#[test]
fn kernel_failure_is_reported() {
    alone("kernel_call::kernel_failure_is_reported", || failing(&mut [1, 2, 3]));
}

#[test]
fn kernel_failure_is_reported_with_pinned_memory() {
    alone("kernel_call::kernel_failure_is_reported_with_pinned_memory", || {
        let mut memory = std::mem::ManuallyDrop::new(PinnedBuf::<u32>::zeroed(&context(), 1 << 20).unwrap());
        failing(&mut memory);
    });
}

#[test]
fn a_timed_launch_with_host_memory_waits_and_copies() {
    let (add, stream) = (kernel::<Add>("add"), stream());
    let (from, mut to) = ([1, 2, 3, 4], [0; 4]);
    let launch = add.with(LaunchConfig::new(1, 4));
    // SAFETY: four elements of each are used.
    let time = unsafe { launch.timed(&stream, (Out(&mut to), In(&from), 7_u32, 4_u32)) }.unwrap();
    assert!(time.is_done().unwrap());
    assert_eq!(to, [8, 9, 10, 11]);
    time.wait().unwrap();
    // Also a reference to a stream is one.
    // SAFETY: as above.
    unsafe { launch.launch(&&stream, (InOut(&mut to), In(&from), 0_u32, 4_u32)) }.unwrap();
    assert_eq!(to, from);
}

/// The least time that a kernel takes which spins for so many cycles.
fn least_time(cycles: u64) -> Duration {
    // The clock does not go faster than this, in kHz.
    let rate = u64::try_from(device().clock_rate().unwrap()).unwrap();
    // Events have steps of half a microsecond.
    Duration::from_nanos(cycles * 1_000_000 / rate - 1000)
}

#[test]
fn a_timed_launch_takes_as_long_as_its_kernel() {
    let (spin, stream) = (kernel::<(u64,)>("spin"), stream());
    let config = LaunchConfig::new(1, 1);
    const CYCLES: u64 = 4_000_000;
    // SAFETY: the kernel touches nothing.
    let time = unsafe { spin.with(config).timed(&stream, (CYCLES,)) }.unwrap();
    stream.synchronize().unwrap();
    assert!(time.is_done().unwrap());
    let prepared = spin.with(config);
    // SAFETY: the kernel touches nothing.
    let others = [1, 2, 3].map(|times| unsafe { prepared.timed(&stream, (times * CYCLES,)) }.unwrap());
    let per_thread = PerThreadStream::new(&context());
    // SAFETY: the kernel touches nothing.
    let last = unsafe { prepared.timed(&per_thread, (CYCLES,)) }.unwrap();
    let taken = [time].into_iter().chain(others).chain([last]).map(|time| time.wait().unwrap());
    for (time, times) in taken.zip([1, 1, 2, 3, 1]) {
        let least = least_time(times * CYCLES);
        assert!(time >= least, "{time:?}, at least {least:?}");
    }
}

#[test]
fn a_prepared_kernel_is_launched_many_times() {
    let (add, stream) = (kernel::<Add>("add"), stream());
    let prepared = add.with(LaunchConfig::new(1, 64));
    let counters = DeviceBuf::<u32>::zeroed(&stream, 64).unwrap();
    drop(add);
    for _ in 0..10 {
        // SAFETY: 64 threads change the 64 elements, which live on this stream.
        unsafe { prepared.launch(&stream, (counters.ptr(), counters.ptr(), 3, 64)) }.unwrap();
    }
    assert_eq!(counters.to_vec().unwrap(), [30; 64]);
    assert_eq!(prepared.clone().config().block, [64, 1, 1]);
}
