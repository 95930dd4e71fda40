//! Viewpoints: where code runs.

use crate::context::Context;
use crate::device::Device;
use core::fmt;

/// Place where code runs that uses memory: the host, or kernels of a context.
///
/// It names a context and not a device, because access to plain memory depends on the context. Functions take an `impl
/// Into<Viewpoint>`, so a `&Context` is accepted.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::access::{Viewpoint, can_access};
///
/// let numbers = vec![1, 2, 3];
/// assert!(can_access(Viewpoint::Host, &numbers)?);
/// assert!(!can_access(&context, &numbers)?); // an H200 beside an ordinary host
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewpoint<'context> {
    /// Code of this process on the host.
    Host,
    /// Kernels of a context.
    Device(&'context Context),
}

impl Viewpoint<'_> {
    /// Returns the device, if code runs on one.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_rt::access::Viewpoint::Host.device(), None);
    /// ```
    pub fn device(self) -> Option<Device> {
        match self {
            Viewpoint::Host => None,
            Viewpoint::Device(context) => Some(context.device()),
        }
    }
}

impl<'context> From<&'context Context> for Viewpoint<'context> {
    fn from(context: &'context Context) -> Self {
        Viewpoint::Device(context)
    }
}

impl fmt::Display for Viewpoint<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Viewpoint::Host => formatter.write_str("the host"),
            Viewpoint::Device(context) => write!(formatter, "device {}", context.device().as_raw()),
        }
    }
}
