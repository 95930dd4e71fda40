//! The program's own memory, page-locked while a closure runs.

#![allow(unsafe_code)]

use super::registered::{RegisterFlags, RegisteredBuf, only_safe};
use crate::context::Context;
use crate::error::Result;

/// Registers borrowed memory while `work` runs, and hands its result on. Wraps `cuMemHostRegister` and
/// `cuMemHostUnregister`.
///
/// # Blocking
///
/// At the end, until all work queued in `context` is done. If safe functions of this crate are copying the
/// memory in other contexts, until the streams of these copies are done, too. Kernels of other contexts are not waited for,
/// nor are copies there by raw calls or by `unsafe` functions of this crate.
///
/// # Errors
///
/// Same as [`RegisteredBuf::new`]; then `work` has not run. A failure to unregister: then the result of `work` is
/// dropped; see [`RegisteredBuf`](RegisteredBuf#if-it-cannot-be-unregistered), also for when it aborts.
///
/// # Panics
///
/// If `work` does, after the memory was unregistered.
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
///     kept.unwrap()[0] = 1; // not registered any more
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
    // SAFETY: it is this function's, which closes it, or drops it if `work` panics.
    let mut registered = unsafe { RegisteredBuf::borrowed(context, memory, flags) }?;
    let result = work(&mut registered);
    registered.close()?;
    Ok(result)
}

/// Does the same with memory that is only borrowed to read. With [`READ_ONLY`](RegisterFlags::READ_ONLY), it may also
/// be memory that no code may write to, such as constants. Wraps `cuMemHostRegister` and `cuMemHostUnregister`.
///
/// # Blocking
///
/// At the end, until all work queued in `context` is done. If safe functions of this crate are copying the
/// memory in other contexts, until the streams of these copies are done, too. Kernels of other contexts are not waited for,
/// nor are copies there by raw calls or by `unsafe` functions of this crate.
///
/// # Errors
///
/// Same as [`register_scoped`].
///
/// # Panics
///
/// If `work` does, after the memory was unregistered.
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
    // SAFETY: it is this function's, which closes it, or drops it if `work` panics.
    let registered = unsafe { RegisteredBuf::borrowed(context, memory, flags) }?;
    let result = work(&registered);
    registered.close()?;
    Ok(result)
}
