//! Properties of contexts.

#![allow(unsafe_code)]

use super::{Context, ContextFlags};
use crate::error::{Code, OrDetail, Result};
use core::ops::RangeInclusive;
use cuda_sys::Symbol;

impl Context {
    /// Returns the context's flags, including flags that the driver added. Wraps `cuCtxGetFlags`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// println!("{:?}", context.flags()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetFlags")]
    pub fn flags(&self) -> Result<ContextFlags> {
        let _bound = self.bind(Symbol::cuCtxGetFlags)?;
        let mut flags = 0;
        // SAFETY: `flags` is valid for a write; this context is current.
        unsafe { check!(cuCtxGetFlags(&raw mut flags)) }?;
        Ok(ContextFlags::from_bits_retain(flags))
    }

    /// Sets the flags: how host threads wait from now on. Wraps `cuCtxSetFlags`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: flags exclude each other, or the driver does not know a flag.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.1.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Context, Device};
    /// use cuda_rt::context::ContextFlags;
    ///
    /// let context = Context::new(Device::get(0)?, ContextFlags::SCHED_SPIN)?;
    /// context.set_flags(ContextFlags::SCHED_YIELD)?;
    /// assert_eq!(context.flags()?, ContextFlags::SCHED_YIELD);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxSetFlags")]
    pub fn set_flags(&self, flags: ContextFlags) -> Result<()> {
        let _bound = self.bind(Symbol::cuCtxSetFlags)?;
        // SAFETY: the flags may be any number; this context is current and alive: the driver crashes on a context that is not
        // alive (measured).
        unsafe { check!(cuCtxSetFlags(flags.bits())) }
            .or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()))
    }

    /// Returns the version of the driver interface for which the context was created, 3020 for example. It is not the driver's
    /// version. Wraps `cuCtxGetApiVersion`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// assert!(context.api_version()? >= 3000);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetApiVersion")]
    pub fn api_version(&self) -> Result<u32> {
        let _bound = self.bind(Symbol::cuCtxGetApiVersion)?;
        let mut version = 0;
        // SAFETY: the context is live, because this handle keeps it alive; `version` is valid for a write.
        unsafe { check!(cuCtxGetApiVersion(self.0.raw, &raw mut version)) }?;
        Ok(version)
    }

    /// Returns the priorities that streams can have.
    ///
    /// The range begins with the greatest priority, which is the lowest number, and ends with the least one. It is `0..=0` if the
    /// device has no priorities. Wraps `cuCtxGetStreamPriorityRange`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let priorities = context.stream_priority_range()?;
    /// assert!(priorities.contains(&0));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuCtxGetStreamPriorityRange")]
    pub fn stream_priority_range(&self) -> Result<RangeInclusive<i32>> {
        let _bound = self.bind(Symbol::cuCtxGetStreamPriorityRange)?;
        let (mut least, mut greatest) = (0, 0);
        // SAFETY: both are valid for a write; this context is current.
        unsafe { check!(cuCtxGetStreamPriorityRange(&raw mut least, &raw mut greatest)) }?;
        Ok(greatest..=least)
    }
}
