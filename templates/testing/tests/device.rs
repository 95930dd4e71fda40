//! Tests without a GPU. The plain ones also run on hardware: `CUDA_DRIVER=real cargo test`.

#![allow(clippy::unwrap_used, unsafe_code)]

use cuda_rt::{Context, Device, DeviceBuf, LaunchConfig, Module, PinnedBuf, Result, Stream};
use cuda_sim::explore::Exploration;
use cuda_sim::sweep::Sweep;
use cuda_sim::{Config, FaultRule, Machine};
use device_sum::{DeviceSum, PTX, SumKernel};
use proptest::prelude::*;
use std::sync::OnceLock;

/// Chooses the driver of this process, once: `CUDA_DRIVER=real` takes the machine's own. Returns whether it is that one.
fn on_hardware() -> bool {
    static CHOICE: OnceLock<bool> = OnceLock::new();
    *CHOICE.get_or_init(|| {
        let is_real = std::env::var("CUDA_DRIVER").is_ok_and(|value| value == "real");
        if !is_real {
            // `CUDA_SIM` describes the machine, for example the order of work that an exploration has found.
            cuda_sim::install(Config::from_env().unwrap()).unwrap();
        }
        is_real
    })
}

/// Small kernels are faster on one thread of the host.
fn config() -> Config {
    Config { host_threads: 1, ..Config::default() }
}

/// Runs everything from the device to the result.
fn sum(numbers: &[u32]) -> Result<u64> {
    DeviceSum::new(&Context::primary(Device::get(0)?)?)?.sum(numbers)
}

const NUMBERS: [u32; 5] = [1, 2, 3, u32::MAX, 5];
const SUM: u64 = u32::MAX as u64 + 11;

/// Runs on both drivers.
#[test]
fn sum_of_numbers_is_right() {
    on_hardware();
    assert_eq!(sum(&NUMBERS).unwrap(), SUM);
    assert_eq!(sum(&[]).unwrap(), 0);
}

/// Every driver call fails in every documented way. There are no panics, no leaks, no wrong results, and errors name the call.
#[test]
fn failing_call_is_an_error_that_names_it() {
    if on_hardware() {
        return;
    }
    let before = cuda_rt::handle::set_drop_hook(|_| ());
    let report = Sweep::new(|| sum(&NUMBERS))
        .config(config())
        .check(|run| match (run.case(), run.result()) {
            // The failed call was one of a destructor, or was not needed.
            (_, Ok(SUM)) => Ok(()),
            (Some(case), Err(error)) if error.to_string().contains(case.function()) => Ok(()),
            // Other calls report a sticky error, too.
            (Some(_), Err(error)) if error.is_sticky() => Ok(()),
            (_, result) => Err(format!("it returned {result:?}")),
        })
        .run();
    before.restore();
    assert!(report.is_ok(), "{report}");
    assert!(report.runs > 100, "{report}");
}

/// The sum is right under every order of queued work.
#[test]
fn sum_is_right_in_every_order() {
    if on_hardware() {
        return;
    }
    let check = || -> std::result::Result<(), String> {
        let found = sum(&NUMBERS).map_err(|error| error.to_string())?;
        if found == SUM { Ok(()) } else { Err(format!("{found} in place of {SUM}")) }
    };
    let report = Exploration::new(check).config(config()).run();
    assert!(report.is_ok(), "{report}");
}

/// A mistake: no stream waits for the upload, which is on another stream than the kernel.
fn sum_without_wait(numbers: &[u32]) -> Result<u64> {
    let context = Context::primary(Device::get(0)?)?;
    let (uploads, work) = (Stream::new(&context)?, Stream::new(&context)?);
    let kernel: SumKernel = Module::from_ptx(&context, PTX)?.function("sum")?.typed()?;
    let mut input = DeviceBuf::<u32>::zeroed(&uploads, numbers.len())?;
    let total = DeviceBuf::<u64>::zeroed(&work, 1)?;
    context.synchronize()?;
    let upload = input.copy_from_pinned(PinnedBuf::from_slice(&context, numbers)?)?;
    let arguments = (input.ptr(), numbers.len() as u32, total.ptr());
    // SAFETY: the memory is large enough, and stays until the result is there. The missing order is the mistake: the kernel may
    // read zeros.
    unsafe { kernel.launch(LaunchConfig::new(1, 64), &work, arguments) }?;
    let total = total.to_vec()?;
    upload.wait()?;
    Ok(total[0])
}

/// The exploration finds the mistake, and names the two calls that have no order.
#[test]
fn missing_wait_is_found_and_named() {
    if on_hardware() {
        return;
    }
    let check = || match sum_without_wait(&NUMBERS) {
        Ok(SUM) => Ok(()),
        Ok(found) => Err(format!("{found} in place of {SUM}")),
        Err(error) => Err(error.to_string()),
    };
    let report = Exploration::new(check).config(config()).run();
    let text = report.to_string();
    assert!(!report.is_ok());
    assert!(text.contains("kernel `sum` on stream 2 (call "), "{text}");
    assert!(text.contains(") before cuMemcpyHtoDAsync_v2 on stream 1 (call "), "{text}");

    // A run in the normal order computes the right sum. The check of streams reports the mistake all the same.
    let machine = Machine::new(Config { streamcheck: true, ..config() });
    let entered = machine.enter();
    assert_eq!(sum_without_wait(&NUMBERS).unwrap(), SUM);
    assert_eq!(machine.take_reports().len(), 1);
    drop(entered);
}

/// Nothing is alive after the last object was dropped, and no kernel made a mistake.
#[test]
fn sum_leaves_nothing_behind() {
    if on_hardware() {
        return;
    }
    let machine = Machine::new(Config {
        memcheck: true,
        initcheck: true,
        racecheck: true,
        streamcheck: true,
        ..config()
    });
    let entered = machine.enter();
    assert_eq!(sum(&NUMBERS).unwrap(), SUM);
    assert!(machine.live().is_empty(), "{}: {:?}", machine.live(), machine.live_objects());
    assert_eq!(machine.take_reports(), []);
    drop(entered);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Runs on both drivers.
    #[test]
    fn device_and_host_agree(numbers in prop::collection::vec(any::<u32>(), 0..300)) {
        on_hardware();
        prop_assert_eq!(sum(&numbers).unwrap(), numbers.iter().copied().map(u64::from).sum::<u64>());
    }

    /// If memory is short at any call, the result is an error or right.
    #[test]
    fn shortage_at_any_call_gives_no_wrong_sum(skip in 0_u32..60, numbers in prop::collection::vec(any::<u32>(), 1..50)) {
        if on_hardware() {
            return Ok(());
        }
        let machine = Machine::new(config());
        let entered = machine.enter();
        let code = cuda_rt::error::Code::OutOfMemory.as_raw();
        machine.inject(FaultRule::any(code).skip(skip).times(1));
        match sum(&numbers) {
            Ok(found) => prop_assert_eq!(found, numbers.iter().copied().map(u64::from).sum::<u64>()),
            Err(error) => prop_assert!(error.is_out_of_memory(), "{}", error),
        }
        drop(entered);
    }
}
