//! Memory of pools that is used after it was freed.

use crate::{ENOUGH, SEEDS};
use cuda_rt::error::Code;
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Event, Kernel, LaunchConfig, Module, Result, Stream};
use cuda_sim::{Config, FreedPoolMemory, HandleReuse, Schedule};
use cuda_suite::raw::{allocate, context, function, launch, stream};
use cuda_suite::{call, code};
use cuda_sys::*;
use std::ptr::null_mut;

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry copy(.param .u64 to, .param .u64 from) {
        .reg .b64 %a; .reg .b64 %b; .reg .b64 %o; .reg .b32 %i; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u64 %b, [from];
        mov.u32 %i, %tid.x; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o; add.u64 %b, %b, %o;
        ld.global.u32 %r, [%b]; st.global.u32 [%a], %r; ret; }";
const LEN: usize = 64;
const FAULT: CUresult = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;
const DONE: CUresult = CUresult::CUDA_SUCCESS;

/// Eager, lazy, and many seeds.
fn schedules() -> impl Iterator<Item = Schedule> {
    [Schedule::Eager, Schedule::Lazy].into_iter().chain((0..SEEDS).map(Schedule::Random))
}

/// The order in which a program frees memory on one stream and uses it on another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// It waits for the stream that frees, and uses the memory then.
    FreedAndWaited,
    /// It uses the memory after the call that frees.
    Freed,
    /// It uses the memory, and frees it on the other stream without a wait.
    Used,
    /// The same with a wait, which is right.
    UsedAndWaited,
}

/// Returns whether the program has read the values that the memory held.
fn reads(config: Config, order: Order) -> Result<bool> {
    let (_, _entered) = cuda_suite::raw::machine(config);
    reads_on_this_machine(order)
}

/// Returns whether a kernel has read memory that another stream frees, with a wait for the kernel or without.
pub(crate) fn reads_used_memory(waits: bool) -> bool {
    reads_on_this_machine(if waits { Order::UsedAndWaited } else { Order::Used })
        .is_ok_and(|is_right| is_right)
}

fn reads_on_this_machine(order: Order) -> Result<bool> {
    let context = Context::primary(Device::get(0)?)?;
    let (first, second) = (Stream::new(&context)?, Stream::new(&context)?);
    let copy = Module::from_ptx(&context, PTX)?.function("copy")?;
    let copy: Kernel<(DevicePtr<u32>, DevicePtr<u32>)> = copy.typed()?;
    let out = DeviceBuf::<u32>::zeroed(&second, LEN)?;
    let memory = DeviceBuf::from_host(&first, &[7; LEN])?;
    context.synchronize()?;
    let address = memory.ptr();
    // SAFETY: as many threads as there are elements; that the memory may be gone is what this is about.
    let read = || unsafe { copy.launch(LaunchConfig::new(1, LEN as u32), &second, (out.ptr(), address)) };
    match order {
        Order::FreedAndWaited => {
            drop(memory);
            first.synchronize()?;
            read()?;
        }
        Order::Freed => {
            drop(memory);
            read()?;
        }
        Order::Used => {
            read()?;
            drop(memory);
        }
        Order::UsedAndWaited => {
            read()?;
            first.wait_event(Event::new(&context)?.record(&second)?)?;
            drop(memory);
        }
    }
    Ok(out.to_vec()? == [7; LEN])
}

fn is_fault(outcome: &Result<bool>) -> bool {
    outcome.as_ref().is_err_and(|error| error.code() == Some(Code::IllegalAddress))
}

#[test]
fn use_after_free_faults_under_every_schedule() {
    for schedule in schedules() {
        for order in [Order::FreedAndWaited, Order::Freed] {
            for handles in [HandleReuse::Never, HandleReuse::AtOnce] {
                let with = |freed_pool_memory| {
                    let config = Config { schedule, handles, freed_pool_memory, ..Config::default() };
                    reads(config, order)
                };
                assert!(is_fault(&with(FreedPoolMemory::Faults)), "{schedule:?}, {order:?}, {handles:?}");
                assert_eq!(
                    with(FreedPoolMemory::Mapped).ok(),
                    Some(true),
                    "{schedule:?}, {order:?}, {handles:?}"
                );
                let by_default = with(FreedPoolMemory::ByHandles);
                assert_eq!(is_fault(&by_default), handles == HandleReuse::Never, "{schedule:?}, {order:?}");
            }
        }
    }
}

#[test]
fn free_without_a_wait_for_its_use_is_found() {
    let outcome = |schedule, order| reads(Config { schedule, ..Config::default() }, order);
    assert_eq!(outcome(Schedule::Eager, Order::Used).ok(), Some(true), "the kernel is done before");
    assert!(is_fault(&outcome(Schedule::Lazy, Order::Used)));
    let found = (0..SEEDS).filter(|seed| is_fault(&outcome(Schedule::Random(*seed), Order::Used))).count();
    println!("freed before it was used: {found} of {SEEDS} seeds");
    assert!(found >= ENOUGH, "{found}");
    for schedule in schedules() {
        assert_eq!(outcome(schedule, Order::UsedAndWaited).ok(), Some(true), "{schedule:?}");
    }
}

fn from_pool(bytes: usize, on: CUstream) -> CUdeviceptr {
    let mut address = 0;
    call!(cuMemAllocAsync(&raw mut address, bytes, on));
    address
}

/// Work on the second stream that uses memory of the first.
type Use = fn(CUdeviceptr, CUstream);

const USES: [(&str, Use); 4] = [
    ("copy from", |address, on| call!(cuMemcpyDtoDAsync_v2(allocate(4096), address, 4096, on))),
    ("copy to", |address, on| call!(cuMemcpyDtoDAsync_v2(address, allocate(4096), 4096, on))),
    ("fill", |address, on| call!(cuMemsetD8Async(address, 1, 4096, on))),
    ("fill of rows", |address, on| call!(cuMemsetD2D8Async(address, 1024, 1, 10, 4, on))),
];

#[test]
fn copies_and_fills_of_freed_memory_fault() {
    for (name, work) in USES {
        for (waits, expected) in [(false, FAULT), (true, DONE)] {
            let (_, _entered) = crate::machine(Schedule::Lazy);
            context(0);
            let (first, second) = (stream(1), stream(1));
            // The pool keeps its pages.
            let _other = from_pool(4096, first);
            let address = from_pool(4096, first);
            work(address, second);
            if waits {
                call!(cuStreamSynchronize(second));
            }
            call!(cuMemFreeAsync(address, first));
            assert_eq!(code!(cuStreamSynchronize(second)), expected, "{name}");
            // The failure is sticky, as faults are.
            assert_eq!(code!(cuCtxSynchronize()), expected, "{name}");
        }
    }
}

/// The free needs no wait of the program.
#[test]
fn free_has_its_turn_when_work_before_it_is_done() {
    for schedule in schedules() {
        let (_, _entered) = crate::machine(schedule);
        context(0);
        let (first, second, mut event) = (stream(1), stream(1), null_mut());
        let _other = from_pool(4096, first);
        let address = from_pool(4096, first);
        call!(cuEventCreate(&raw mut event, 0));
        call!(cuMemsetD8Async(address, 1, 4096, first));
        call!(cuEventRecord(event, first));
        call!(cuStreamWaitEvent(second, event, 0));
        let text = std::ffi::CString::new(PTX).unwrap();
        let (copy, out) = (function(&text, c"copy"), allocate(4));
        call!(cuMemFreeAsync(address, first));
        launch(copy, second, &[out, address]);
        assert_eq!(code!(cuStreamSynchronize(second)), FAULT, "{schedule:?}");
    }
}

/// A free has its effect when the work before it on its stream is done.
#[test]
fn memory_is_there_until_the_free_has_its_turn() {
    for schedule in schedules() {
        let (_, _entered) = crate::machine(schedule);
        context(0);
        let (on, out) = (stream(1), allocate(4));
        let text = std::ffi::CString::new(PTX).unwrap();
        let copy = function(&text, c"copy");
        let _other = from_pool(4, on);
        let address = from_pool(4, on);
        call!(cuMemsetD32Async(address, 5, 1, on));
        launch(copy, on, &[out, address]);
        call!(cuMemFreeAsync(address, on));
        // A call may not name it any more.
        assert_eq!(code!(cuMemsetD32Async(address, 6, 1, on)), CUresult::CUDA_ERROR_INVALID_VALUE);
        call!(cuStreamSynchronize(on));
        assert_eq!(cuda_suite::raw::read(out), 5, "{schedule:?}");
    }
}

/// Memory in use, memory that was given out again, and memory that was never given out are there.
#[test]
fn memory_beside_freed_memory_stays() {
    let (_, _entered) = crate::machine(Schedule::Eager);
    context(0);
    let (on, out) = (stream(1), allocate(4));
    let text = std::ffi::CString::new(PTX).unwrap();
    let copy = function(&text, c"copy");
    let reads = |address| {
        launch(copy, on, &[out, address]);
        code!(cuStreamSynchronize(on))
    };
    let blocks = [(); 5].map(|()| from_pool(512, on));
    assert!(blocks.windows(2).all(|pair| pair[1] == pair[0] + 512), "{blocks:x?}");
    for freed in [blocks[1], blocks[2], blocks[4]] {
        call!(cuMemFreeAsync(freed, on));
    }
    // Two of the pieces, and a part of the third.
    assert_eq!(from_pool(700, on), blocks[1]);
    assert_eq!(from_pool(512, on), blocks[4]);
    for address in blocks {
        assert_eq!(reads(address), DONE);
    }
    assert_eq!(reads(blocks[4] + 512), DONE, "never given out");
    call!(cuMemFreeAsync(blocks[4], on));
    assert_eq!(reads(blocks[4]), FAULT);
}

/// The program hands memory from stream to stream by events, and frees it on the stream that used it last.
#[test]
fn correct_use_of_pools_never_faults() {
    for (number, schedule) in schedules().take(30).enumerate() {
        let (_, _entered) = crate::machine(schedule);
        context(0);
        let streams = [(); 3].map(|()| stream(1));
        let text = std::ffi::CString::new(PTX).unwrap();
        let (copy, out) = (function(&text, c"copy"), allocate(4 * 1000));
        let mut pool = null_mut();
        call!(cuDeviceGetDefaultMemPool(&raw mut pool, 0));
        // The reused memory, and the memory that the pool keeps, differ.
        for attribute in 1..=3 {
            let mut value = i32::from((number >> attribute).is_multiple_of(2));
            let attribute = CUmemPool_attribute_enum(attribute);
            call!(cuMemPoolSetAttribute(pool, attribute, (&raw mut value).cast()));
        }
        let mut keeps = if number.is_multiple_of(3) { u64::MAX } else { 0 };
        let threshold = CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        call!(cuMemPoolSetAttribute(pool, threshold, (&raw mut keeps).cast()));
        let mut numbers = number as u64;
        let mut next = |below: u64| {
            numbers = numbers.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((numbers >> 33) % below) as usize
        };
        let mut live: Vec<(CUdeviceptr, usize, u32)> = Vec::new();
        let mut expected = Vec::new();
        for step in 0..300_u32 {
            match next(8) {
                0..3 => {
                    let on = next(3);
                    let address = from_pool(4 + next(3000), streams[on]);
                    call!(cuMemsetD32Async(address, step, 1, streams[on]));
                    live.push((address, on, step));
                }
                3 if !live.is_empty() => {
                    // To another stream.
                    let (which, to, mut event) = (next(live.len() as u64), next(3), null_mut());
                    call!(cuEventCreate(&raw mut event, 0));
                    call!(cuEventRecord(event, streams[live[which].1]));
                    call!(cuStreamWaitEvent(streams[to], event, 0));
                    call!(cuEventDestroy_v2(event));
                    live[which].1 = to;
                }
                4..7 if !live.is_empty() => {
                    // Used, and freed behind that.
                    let (address, on, value) = live.swap_remove(next(live.len() as u64));
                    launch(copy, streams[on], &[out + 4 * expected.len() as u64, address]);
                    expected.push(value);
                    call!(cuMemFreeAsync(address, streams[on]));
                }
                7 => match next(4) {
                    0 => call!(cuStreamSynchronize(streams[next(3)])),
                    1 => call!(cuMemPoolTrimTo(pool, 0)),
                    _ => {}
                },
                _ => {}
            }
        }
        call!(cuCtxSynchronize());
        assert!(expected.len() > 50, "{}", expected.len());
        let mut seen = vec![0_u32; expected.len()];
        call!(cuMemcpyDtoH_v2(seen.as_mut_ptr().cast(), out, 4 * seen.len()));
        assert_eq!(seen, expected, "{schedule:?}");
    }
}
