//! The limits of a context.

#![allow(unsafe_code)]

use super::Context;
use crate::error::{Code, OrDetail, Result};
use cuda_sys::{CUlimit_enum, Symbol};

/// Something that a context has only so much of: any number that some driver knows.
///
/// The constants are those of CUDA 13.5. A driver refuses the ones it does not know, and may know others: make those
/// with `Limit(number)`.
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
    /// - [`Code::UnsupportedLimit`] if the device does not have it.
    /// - [`Code::InvalidValue`] if this driver does not know it.
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

    /// Asks for a value of a limit. The driver rounds it, and raises it to the least that there is:
    /// [`limit`](Context::limit) tells what became of it. Wraps `cuCtxSetLimit`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`] if the value is too large or this driver does not know the limit.
    /// - [`Code::UnsupportedLimit`] if the device does not have it.
    /// - [`Code::NotPermitted`] for those that cannot be set.
    /// - [`Code::OutOfMemory`].
    /// - An earlier failure.
    ///
    /// While this thread, or in the global mode any, captures a graph, [`Code::StreamCaptureUnsupported`]. The failure
    /// invalidates the capture.
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
