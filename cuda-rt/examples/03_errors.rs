//! Shows what errors say, and how a program branches on them: by their kind, their code, and typed details. No failure here ends the
//! use of the device.
//!
//! ```text
//! cargo run --release --example 03_errors
//! ```

#![allow(clippy::print_stdout)]

use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::launch::LaunchProblem;
use cuda_rt::module::JitLog;
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Error, LaunchConfig, Module, Stream};

type Args = (DevicePtr<f32>, DevicePtr<f32>, DevicePtr<f32>, u32);

/// Shows the error of a call that has to fail, and returns it.
fn show<T>(outcome: Result<T, Error>) -> Result<Error, &'static str> {
    let error = outcome.err().ok_or("the call succeeded")?;
    let code = error.code().map_or("no code".to_owned(), |code| format!("{code:?}"));
    println!("{:?}, {code}: {error}", error.kind());
    Ok(error)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(reason) = cuda_sim::install_unless_gpu(cuda_sim::Config::from_env()?)? {
        println!("no usable GPU ({reason}): this runs on cuda-sim");
    }
    let context = Context::primary(Device::get(0)?)?;
    let stream = Stream::new(&context)?;

    // The driver refused the call: the error has the call, the code and the value.
    show(Device::get(99))?;

    // The driver's compiler found a mistake. Its log is a typed detail.
    let error = show(Module::from_ptx(&context, ".version 6.4\n.target sm_50\nnonsense"))?;
    println!("  lines of the log: {}", error.context::<JitLog>().map_or(0, |log| log.error.lines().count()));

    // A name is wrong: the error has a similar one.
    let module = Module::from_ptx(&context, include_str!("vector_add.ptx"))?;
    show(module.function("vector_ad"))?;

    // A check of this crate failed: the driver was not asked to launch.
    let function = module.function("vector_add")?;
    show(function.typed::<(DevicePtr<f32>, DevicePtr<f32>, DevicePtr<f32>, u64)>())?;

    // The driver answers `InvalidValue` for most of the limits that a launch can exceed. The detail
    // names the limit.
    let (add, buffer) = (function.typed::<Args>()?, DeviceBuf::<f32>::zeroed(&stream, 1)?);
    let args = (buffer.ptr(), buffer.ptr(), buffer.ptr(), 1);
    // SAFETY: only the first thread is within the length of 1, and the buffer has 1 element and lives on the stream.
    let error = show(unsafe { add.launch(LaunchConfig::new(1, 4096), &stream, args) })?;
    println!("  {:?}", error.context::<LaunchProblem>());

    // A program that can go on branches on the code.
    match DeviceBuf::<u8>::uninit(&stream, 1 << 50) {
        Err(error) if error.code() == Some(Code::OutOfMemory) => println!("out of memory: smaller parts"),
        Err(error) if error.kind() == ErrorKind::DriverUnavailable => println!("no driver: the CPU does it"),
        Err(error) => return Err(error.into()),
        Ok(_) => println!("a device of more than 1024 TiB"),
    }
    // After a sticky error every later call fails, too: only a new process helps.
    println!("is the refused launch sticky? {}", error.is_sticky());
    Ok(())
}
