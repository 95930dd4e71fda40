//! Prepares cuda-sim for the documentation examples of cuda-rt, in one hidden line each.

use cuda_rt::{Context, Device, Module, Result, Stream};

/// A module with one kernel, `nothing`, that has no parameters and does nothing.
const PTX: &str = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";

/// Returns the primary context of device 0 of cuda-sim.
///
/// # Errors
///
/// Same as [`Context::primary`].
pub fn context() -> Result<Context> {
    // If another driver is in use, the example runs on that driver.
    let _ = cuda_sim::install_once();
    Context::primary(Device::get(0)?)
}

/// Returns the primary context of device 0 of cuda-sim, and a new stream in it.
///
/// # Errors
///
/// Same as [`Context::primary`] and [`Stream::new`].
pub fn stream() -> Result<(Context, Stream)> {
    let context = context()?;
    let stream = Stream::new(&context)?;
    Ok((context, stream))
}

/// Returns the primary context of device 0 of cuda-sim, a new stream in it, and a module whose one kernel is `nothing`.
///
/// # Errors
///
/// Same as [`Context::primary`], [`Stream::new`] and [`Module::from_ptx`].
pub fn module() -> Result<(Context, Stream, Module)> {
    let (context, stream) = stream()?;
    let module = Module::from_ptx(&context, PTX)?;
    Ok((context, stream, module))
}

/// Returns the primary contexts of devices 0 and 1 of cuda-sim.
///
/// # Errors
///
/// Same as [`Context::primary`].
pub fn peers() -> Result<(Context, Context)> {
    Ok((context()?, Context::primary(Device::get(1)?)?))
}

/// Returns the primary context of device 0 of cuda-sim, a new stream in it, and the module of the example `vector_add`.
///
/// # Errors
///
/// Same as [`Context::primary`], [`Stream::new`] and [`Module::from_ptx`].
pub fn vector_add() -> Result<(Context, Stream, Module)> {
    let (context, stream) = stream()?;
    let module = Module::from_ptx(&context, include_str!("../../examples/vector_add.ptx"))?;
    Ok((context, stream, module))
}
