//! Limits of contexts.

#![allow(unsafe_code)]

use super::Context;
use crate::error::{Code, OrDetail, Result};
use cuda_sys::{CUlimit_enum, Symbol};

/// A limit of a context: any number that some driver knows.
///
/// The constants are those of CUDA 13.5. A driver refuses numbers that it does not know. `Limit(number)` makes numbers that only
/// newer drivers know.
///
/// ```
/// use cuda_rt::context::Limit;
///
/// assert_eq!(Limit::STACK_SIZE.to_string(), "STACK_SIZE");
/// assert_eq!(Limit(99).to_string(), "Limit(99)");
/// ```
///
/// The limits that a driver knows:
///
/// ```
/// # let context = cuda_doc::context()?;
/// for limit in cuda_rt::context::Limit::all() {
///     match context.limit(limit) {
///         Ok(value) => println!("{limit}: {value}"),
///         Err(error) => println!("{error}"),
///     }
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUlimit")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Limit(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/limit.rs");

impl Context {
    /// Returns the present value of a limit. Wraps `cuCtxGetLimit`.
    ///
    /// # Errors
    ///
    /// - [`Code::UnsupportedLimit`]: the device does not have the limit.
    /// - [`Code::InvalidValue`]: the driver does not know the limit.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// assert!(context.limit(cuda_rt::context::Limit::STACK_SIZE)? >= 512);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetLimit")]
    pub fn limit(&self, limit: Limit) -> Result<usize> {
        let _bound = self.bind(Symbol::cuCtxGetLimit)?;
        let mut value = 0;
        // SAFETY: `value` is valid for a write, the limit may be any number, and this context is current.
        unsafe { check!(cuCtxGetLimit(&raw mut value, CUlimit_enum(limit.0))) }
            .or_detail(&[Code::UnsupportedLimit, Code::InvalidValue], &|| format!("limit {limit}"))?;
        Ok(value)
    }

    /// Requests a value of a limit. The driver rounds the value, and raises it to the minimum. For some limits, the
    /// driver also lowers it to the maximum. [`limit`](Context::limit) returns the result. Wraps `cuCtxSetLimit`.
    ///
    /// # Blocking
    ///
    /// For [`STACK_SIZE`](Limit::STACK_SIZE), the driver may wait until all earlier work of the context is done.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the value is too large, and the driver does not lower values of this limit.
    /// - [`Code::InvalidValue`]: the driver does not know the limit, or the limit cannot change any more. After the
    ///   first kernel that allocates, [`MALLOC_HEAP_SIZE`](Limit::MALLOC_HEAP_SIZE) cannot change.
    /// - [`Code::UnsupportedLimit`]: the device does not have the limit.
    /// - [`Code::NotPermitted`]: the limit cannot be set.
    /// - [`Code::OutOfMemory`]: too little device memory is free for the value.
    /// - An earlier failure.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::context::Limit;
    ///
    /// context.set_limit(Limit::STACK_SIZE, 2000)?;
    /// assert!(context.limit(Limit::STACK_SIZE)? >= 2000);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxSetLimit")]
    pub fn set_limit(&self, limit: Limit, value: usize) -> Result<()> {
        let _bound = self.bind(Symbol::cuCtxSetLimit)?;
        // SAFETY: the limit may be any number, and this context is current.
        let set = unsafe { check!(cuCtxSetLimit(CUlimit_enum(limit.0), value)) };
        set.or_detail(&[Code::InvalidValue, Code::OutOfMemory, Code::NotPermitted], &|| {
            format!("limit {limit}, value {value}")
        })
        .or_detail(&[Code::UnsupportedLimit], &|| format!("limit {limit}"))
    }
}
