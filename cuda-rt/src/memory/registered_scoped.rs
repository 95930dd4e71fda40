//! Registration of the program's own memory while a closure runs.

#![allow(unsafe_code)]

use super::registered::{RegisterFlags, RegisteredBuf, only_safe};
use crate::context::Context;
use crate::error::Result;

/// Registers borrowed memory while `work` runs, and returns the result of `work`. Wraps `cuMemHostRegister` and
/// `cuMemHostUnregister`.
///
/// # Blocking
///
/// At the end, until all work queued in `context` is done. If safe functions of this crate are copying the memory in other
/// contexts, also until the streams of these copies are done. The call does not wait for kernels of other contexts, or for their
/// copies by raw calls or by `unsafe` functions of this crate.
///
/// # Errors
///
/// - Same as [`RegisteredBuf::new`]. In this case, `work` has not run.
/// - The memory cannot be unregistered. In this case, the result of `work` is dropped. Some failures abort the process: see
///   [`RegisteredBuf`](RegisteredBuf#failed-unregistration).
///
/// # Panics
///
/// If `work` panics, after the memory was unregistered.
///
/// # Examples
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{RegisterFlags, register_scoped};
///
/// let device = DeviceBuf::from_host(&stream, &[1, 2, 3, 4])?;
/// let mut numbers = [0; 4];
/// register_scoped(&context, &mut numbers, RegisterFlags::empty(), |numbers| {
///     device.slice(..2)?.copy_to_host(&mut numbers[2..])
/// })??;
/// assert_eq!(numbers, [0, 0, 1, 2]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// The registered memory does not leave the closure:
///
/// ```compile_fail,E0521
/// # use cuda_rt::Context;
/// # use cuda_rt::memory::{RegisterFlags, register_scoped};
/// fn escape(context: &Context, numbers: &mut [u32]) {
///     let mut kept = None;
///     register_scoped(context, numbers, RegisterFlags::empty(), |numbers| kept = Some(numbers)).unwrap();
///     kept.unwrap()[0] = 1; // no longer registered
/// }
/// ```
#[doc(alias("cuMemHostRegister", "cuMemHostUnregister"))]
pub fn register_scoped<T, R>(
    context: &Context,
    memory: &mut [T],
    flags: RegisterFlags,
    work: impl FnOnce(&mut RegisteredBuf<&mut [T]>) -> R,
) -> Result<R> {
    only_safe(flags)?;
    // SAFETY: this function owns the value, and closes it, or drops it if `work` panics.
    let mut registered = unsafe { RegisteredBuf::borrowed(context, memory, flags) }?;
    let result = work(&mut registered);
    registered.close()?;
    Ok(result)
}

/// Registers memory that is borrowed for reading, while `work` runs. With [`READ_ONLY`](RegisterFlags::READ_ONLY), this includes
/// memory that no code may write to, such as constants. Wraps `cuMemHostRegister` and `cuMemHostUnregister`.
///
/// # Blocking
///
/// At the beginning, while another thread is registering or unregistering part of the memory.
///
/// At the end, until all work queued in `context` is done. If safe functions of this crate are copying the memory in other
/// contexts, also until the streams of these copies are done. The call does not wait for kernels of other contexts, or for their
/// copies by raw calls or by `unsafe` functions of this crate.
///
/// # Errors
///
/// Same as [`register_scoped`].
///
/// # Panics
///
/// If `work` panics, after the memory was unregistered.
///
/// # Examples
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{RegisterFlags, register_shared_scoped};
///
/// let numbers = vec![1, 2, 3, 4];
/// let device = register_shared_scoped(&context, &numbers, RegisterFlags::empty(), |numbers| {
///     DeviceBuf::from_host(&stream, numbers)
/// })??;
/// assert_eq!(device.to_vec()?, numbers);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("cuMemHostRegister", "cuMemHostUnregister"))]
pub fn register_shared_scoped<T, R>(
    context: &Context,
    memory: &[T],
    flags: RegisterFlags,
    work: impl FnOnce(&RegisteredBuf<&[T]>) -> R,
) -> Result<R> {
    only_safe(flags)?;
    // SAFETY: this function owns the value, and closes it, or drops it if `work` panics.
    let registered = unsafe { RegisteredBuf::borrowed(context, memory, flags) }?;
    let result = work(&registered);
    registered.close()?;
    Ok(result)
}
