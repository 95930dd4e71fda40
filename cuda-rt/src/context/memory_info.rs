//! The memory of a context's device.

#![allow(unsafe_code)]

use super::Context;
use crate::error::Result;
use core::fmt;
use cuda_sys::Symbol;

/// Memory of a device, in bytes. Returned by [`Context::memory_info`].
///
/// ```
/// # let context = cuda_doc::context()?;
/// let memory = context.memory_info()?;
/// println!("{memory}");
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct MemoryInfo {
    /// Number of bytes that are free now.
    pub free: usize,
    /// Number of bytes in all.
    pub total: usize,
}

impl fmt::Display for MemoryInfo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} of {} bytes free", self.free, self.total)
    }
}

impl Context {
    /// Returns the free and the total memory of the device. Wraps `cuMemGetInfo`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// let memory = context.memory_info()?;
    /// assert!(memory.free <= memory.total);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemGetInfo")]
    pub fn memory_info(&self) -> Result<MemoryInfo> {
        let _bound = self.bind(Symbol::cuMemGetInfo_v2)?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: both are valid for a write; this context is current.
        unsafe { check!(cuMemGetInfo_v2(&raw mut free, &raw mut total)) }?;
        Ok(MemoryInfo { free, total })
    }
}
