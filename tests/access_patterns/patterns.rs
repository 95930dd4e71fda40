//! The seven ways to use one piece of memory from several places, each as far as the machine at hand has it.
//!
//! It is the guide of `cuda_rt::access` as a program: for each pattern it prints the decision and the reason, and checks the work of
//! the kernels. `examples/18_access_patterns.rs` of cuda-rt is a short program on the same subject.

#![allow(clippy::print_stdout)]

use cuda_rt::access::{AccessCheck, MemoryCapabilities, Viewpoint, can_access};
use cuda_rt::error::ErrorKind;
use cuda_rt::launch::Arg;
use cuda_rt::memory::{MemAttach, MemorySource};
use cuda_rt::peer::PoolGrant;
use cuda_rt::{
    Context, Device, DeviceBuf, DevicePtr, Kernel, LaunchConfig, ManagedBuf, Module, PinnedBuf, Stream,
};
use std::fmt::Display;
use std::sync::atomic::{AtomicU32, Ordering};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Doubles as many numbers as there are threads.
const TWICE: &str = "
    .version 6.4
    .target sm_50
    .address_size 64
    .visible .entry twice(.param .u64 data) {
        .reg .b64 %a<3>;
        .reg .b32 %r<3>;
        mov.u32 %r0, %tid.x;
        mul.wide.u32 %a1, %r0, 4;
        ld.param.u64 %a0, [data];
        add.u64 %a2, %a0, %a1;
        ld.global.u32 %r1, [%a2];
        add.u32 %r2, %r1, %r1;
        st.global.u32 [%a2], %r2;
        ret;
    }";

/// Adds 1 for each thread, atomically for the whole system: that takes compute capability 6.0.
const COUNT: &str = "
    .version 6.4
    .target sm_60
    .address_size 64
    .visible .entry count(.param .u64 counter) {
        .reg .b64 %a;
        .reg .b32 %r;
        ld.param.u64 %a, [counter];
        atom.global.sys.add.u32 %r, [%a], 1;
        ret;
    }";

const NUMBERS: [u32; 4] = [1, 2, 3, 4];
const TWICE_NUMBERS: [u32; 4] = [2, 4, 6, 8];
const EACH: LaunchConfig = LaunchConfig::new(1, NUMBERS.len() as u32);

/// The objects that all patterns use.
struct Machine {
    context: Context,
    stream: Stream,
    capabilities: MemoryCapabilities,
    twice: Kernel<(DevicePtr<u32>,)>,
}

pub(crate) fn patterns() -> Outcome {
    let device = Device::get(0)?;
    let context = Context::primary(device)?;
    let machine = Machine {
        stream: Stream::new(&context)?,
        capabilities: device.memory_capabilities()?,
        twice: Module::from_ptx(&context, TWICE)?.function("twice")?.typed()?,
        context,
    };
    println!("device 0: {}, {:?}", device.name()?, machine.capabilities);
    pageable_memory(&machine)?;
    page_locked_memory(&machine)?;
    device_memory(&machine)?;
    managed_memory(&machine)?;
    atomics(&machine)?;
    memory_of_another_device(&machine)?;
    debugging(&machine)
}

/// A line for a pattern.
fn decided(number: u32, pattern: &str, decision: &str, why: impl Display) {
    println!("{number}. {pattern}: {decision}, because {why}");
}

impl Machine {
    /// Doubles the numbers on the device, where they are copied to.
    fn twice_of_a_copy(&self, numbers: &mut [u32]) -> Outcome {
        let copy = DeviceBuf::from_host(&self.stream, numbers)?;
        // SAFETY: a thread for each number, and the buffer lives on the stream.
        unsafe { self.twice.launch(EACH, &self.stream, (copy.ptr(),)) }?;
        Ok(copy.copy_to_host(numbers)?)
    }
}

fn pageable_memory(machine: &Machine) -> Outcome {
    let Machine { context, stream, capabilities, twice } = machine;
    let mut numbers = NUMBERS.to_vec();
    let is_reached = can_access(context, &numbers)?;
    if is_reached {
        let args = (Arg::host_mut(&mut numbers),);
        // SAFETY: there is a thread for each number. No other code uses the numbers until the kernel has ended.
        unsafe { twice.with(EACH).access_check(AccessCheck::Checked).launch(stream, args) }?;
        stream.synchronize()?;
    } else {
        machine.twice_of_a_copy(&mut numbers)?;
    }
    assert_eq!(numbers, TWICE_NUMBERS);
    let why = format!("pageable_memory_access is {}", capabilities.pageable_memory_access);
    decided(1, "pageable memory", if is_reached { "used in place" } else { "copied" }, why);
    Ok(())
}

fn page_locked_memory(machine: &Machine) -> Outcome {
    let Machine { context, stream, capabilities, twice } = machine;
    let mut numbers = PinnedBuf::from_slice(context, &NUMBERS)?;
    let is_reached = can_access(context, &numbers)?;
    if is_reached {
        let args = (Arg(numbers.device_ptr()?, &numbers),);
        // SAFETY: there is a thread for each number. No other code uses the numbers until the kernel has ended.
        unsafe { twice.with(EACH).access_check(AccessCheck::Checked).launch(stream, args) }?;
        stream.synchronize()?;
    } else {
        machine.twice_of_a_copy(&mut numbers)?;
    }
    assert_eq!(numbers[..], TWICE_NUMBERS);
    let why = if capabilities.unified_addressing {
        "unified_addressing is true".to_owned()
    } else {
        // Then it counts as any memory of the host.
        let pageable = capabilities.pageable_memory_access;
        format!("unified_addressing is false and pageable_memory_access is {pageable}")
    };
    decided(2, "page-locked memory", if is_reached { "used in place" } else { "copied" }, why);
    Ok(())
}

fn device_memory(machine: &Machine) -> Outcome {
    let Machine { stream, twice, .. } = machine;
    let numbers = DeviceBuf::from_host(stream, &NUMBERS)?;
    // SAFETY: a thread for each number, and the buffer lives on the stream.
    unsafe { twice.launch(EACH, stream, (numbers.ptr(),)) }?;
    assert!(!can_access(Viewpoint::Host, &numbers)?);
    // This waits for the kernel.
    assert_eq!(numbers.to_vec()?, TWICE_NUMBERS);
    decided(3, "device memory for the host", "copied", "the host reaches managed memory only");
    Ok(())
}

fn managed_memory(machine: &Machine) -> Outcome {
    const PATTERN: &str = "managed memory for the host";
    let Machine { stream, capabilities, twice, .. } = machine;
    if !capabilities.managed_memory {
        device_memory_instead(machine)?;
        decided(4, PATTERN, "copied", "managed_memory is false");
        return Ok(());
    }
    let mut numbers = ManagedBuf::from_host(stream, &NUMBERS, MemAttach::Global)?;
    // SAFETY: a thread for each number, and the buffer lives on the stream.
    unsafe { twice.launch(EACH, stream, (numbers.ptr(),)) }?;
    // This waits for the kernel.
    let decision = match numbers.host().map(|numbers| assert_eq!(numbers, TWICE_NUMBERS)) {
        Ok(()) => "used in place",
        Err(error) if error.kind() == ErrorKind::AccessDenied => {
            // The memory now belongs to the host, until another call attaches it.
            numbers.attach(stream, MemAttach::Host)?;
            assert_eq!(numbers.host()?, TWICE_NUMBERS);
            "attached to the host first"
        }
        Err(error) => return Err(error.into()),
    };
    let stays = if capabilities.direct_managed_access_from_host { "may stay there" } else { "comes here" };
    let concurrent = capabilities.concurrent_managed_access;
    let direct = capabilities.direct_managed_access_from_host;
    let why = format!(
        "concurrent_managed_access is {concurrent}; what lies on the device {stays}, as direct_managed_access_from_host is \
         {direct}"
    );
    decided(4, PATTERN, decision, why);
    Ok(())
}

fn device_memory_instead(machine: &Machine) -> Outcome {
    let mut numbers = NUMBERS;
    machine.twice_of_a_copy(&mut numbers)?;
    assert_eq!(numbers, TWICE_NUMBERS);
    Ok(())
}

fn atomics(machine: &Machine) -> Outcome {
    /// The number that each side adds.
    const STEPS: u32 = 4096;
    const PATTERN: &str = "atomics of both sides";
    let Machine { context, stream, capabilities, .. } = machine;
    let device = context.device();
    if device.compute_capability()?.major < 6 {
        decided(5, PATTERN, "left out", "the device has no atomics of system scope");
        return Ok(());
    }
    let count = Module::from_ptx(context, COUNT)?.function("count")?.typed::<(DevicePtr<u32>,)>()?;
    let threads = LaunchConfig::new(STEPS / 256, 256);
    let on_host = |counter: &AtomicU32| (0..STEPS).for_each(|_| _ = counter.fetch_add(1, Ordering::Relaxed));

    let counter = [AtomicU32::new(0)];
    let is_shared = capabilities.atomics_in_pageable_memory();
    let total = if is_shared {
        let shared = DevicePtr::from_raw(counter[0].as_ptr() as u64);
        // SAFETY: the kernel and the host both use the counter by atomics alone, until the kernel is waited for.
        unsafe {
            count.with(threads).access_check(AccessCheck::Checked).launch(stream, (Arg(shared, &counter),))
        }?;
        on_host(&counter[0]);
        stream.synchronize()?;
        counter[0].load(Ordering::Relaxed)
    } else {
        let own = DeviceBuf::<u32>::zeroed(stream, 1)?;
        // SAFETY: the kernel changes the one element, and the buffer lives on the stream.
        unsafe { count.launch(threads, stream, (own.ptr(),)) }?;
        on_host(&counter[0]);
        counter[0].load(Ordering::Relaxed) + own.to_vec()?.into_iter().sum::<u32>()
    };
    assert_eq!(total, 2 * STEPS);
    let why = format!(
        "pageable_memory_access is {} and host_native_atomics is {}",
        capabilities.pageable_memory_access, capabilities.host_native_atomics
    );
    decided(5, PATTERN, if is_shared { "one counter" } else { "a counter for each side" }, why);
    Ok(())
}

fn memory_of_another_device(machine: &Machine) -> Outcome {
    const PATTERN: &str = "memory of another device";
    let Machine { context, stream, twice, .. } = machine;
    let Ok(other) = Device::get(1) else {
        decided(6, PATTERN, "left out", "there is no second device");
        return Ok(());
    };
    let owner = Context::primary(other)?;
    let theirs = Stream::new(&owner)?;
    let plain = DeviceBuf::from_host_in(&theirs, &NUMBERS, MemorySource::Plain)?;
    let usual = DeviceBuf::from_host(&theirs, &NUMBERS)?;
    // Peer access opens plain memory, and access to the pool opens memory of the pool. The guard asks for both until it is dropped.
    let access = if context.peer_access_state(&owner).is_supported()? {
        Some(context.peer_access(&owner)?)
    } else {
        None
    };
    let mut decisions = Vec::new();
    for numbers in [&plain, &usual] {
        let is_reached = can_access(context, numbers)?;
        if is_reached {
            let args = (Arg(numbers.ptr(), numbers),);
            // SAFETY: there is a thread for each number. All work on the buffer's own stream is done, because the copies from the
            // host were waited for. No work is queued there until the kernel is done.
            unsafe { twice.with(EACH).access_check(AccessCheck::Checked).launch(stream, args) }?;
            stream.synchronize()?;
            assert_eq!(numbers.to_vec()?, TWICE_NUMBERS);
        } else {
            let mut ours = DeviceBuf::<u32>::zeroed(stream, NUMBERS.len())?;
            ours.copy_from_device(numbers.as_slice())?;
            // SAFETY: a thread for each number, and the buffer lives on the stream.
            unsafe { twice.launch(EACH, stream, (ours.ptr(),)) }?;
            assert_eq!(ours.to_vec()?, TWICE_NUMBERS);
        }
        decisions.push(if is_reached { "used in place" } else { "copied" });
    }
    let why = match access.as_ref().map(|access| access.pool()) {
        None => "the devices do not reach each other".to_owned(),
        Some(PoolGrant::Granted) => "peer access is on, and the pool is open".to_owned(),
        Some(other) => format!("peer access is on; the pool is {other:?}"),
    };
    decided(6, PATTERN, &format!("plain {}, of a pool {}", decisions[0], decisions[1]), why);
    Ok(())
}

fn debugging(machine: &Machine) -> Outcome {
    let Machine { stream, twice, .. } = machine;
    let mut numbers = NUMBERS.to_vec();
    let data = DevicePtr::from_raw(numbers.as_mut_ptr() as u64);
    // The launch is checked for memory of every kind. Without the check, a kernel that does not reach the memory would fault, and
    // the process would lose the device.
    // SAFETY: there is a thread for each number. No other code uses the numbers until the kernel has ended.
    let launched =
        unsafe { twice.with(EACH).access_check(AccessCheck::Checked).launch(stream, (Arg(data, &numbers),)) };
    match launched {
        Ok(()) => {
            stream.synchronize()?;
            assert_eq!(numbers, TWICE_NUMBERS);
            decided(7, "a launch that is checked", "launched", "all of its memory is within reach");
        }
        Err(error) if error.kind() == ErrorKind::AccessDenied => {
            decided(7, "a launch that is checked", "refused", format!("it says: {error}"));
            // Nothing was launched, and the device can still be used.
            machine.twice_of_a_copy(&mut numbers)?;
            assert_eq!(numbers, TWICE_NUMBERS);
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}
