//! State of primary contexts.

#![allow(unsafe_code)]

use super::ContextFlags;
use super::releasing::reset_by;
use crate::device::Device;
use crate::error::{Code, OrDetail, Result};
use cuda_sys::Symbol;

/// State of a device's primary context.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{Context, Device};
///
/// let device = Device::get(1)?;
/// assert!(!device.primary_context_state()?.is_active);
/// let context = Context::primary(device)?;
/// assert!(device.primary_context_state()?.is_active);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PrimaryContextState {
    /// Flags that [`set_primary_context_flags`](Device::set_primary_context_flags) has set, or the initial flags.
    /// Changes by [`Context::set_flags`](crate::Context::set_flags) do not appear here.
    pub flags: ContextFlags,
    /// True if the context exists: code of the process retains it, and no code has reset it since.
    pub is_active: bool,
}

impl Device {
    /// Returns the state of the device's primary context, without creating it. Wraps `cuDevicePrimaryCtxGetState`.
    ///
    /// # Errors
    ///
    /// No failure is expected of a live driver.
    #[doc(alias = "cuDevicePrimaryCtxGetState")]
    pub fn primary_context_state(self) -> Result<PrimaryContextState> {
        let (mut flags, mut active) = (0, 0);
        // SAFETY: both are valid for a write.
        unsafe { check!(cuDevicePrimaryCtxGetState(self.as_raw(), &raw mut flags, &raw mut active)) }?;
        Ok(PrimaryContextState { flags: ContextFlags::from_bits_retain(flags), is_active: active != 0 })
    }

    /// Sets the flags of the device's primary context, which the whole process shares. Wraps `cuDevicePrimaryCtxSetFlags`.
    ///
    /// The flags hold until the context is destroyed or reset. Then the initial flags hold again.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`]: flags exclude each other, or the driver does not know a flag.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Context, Device};
    /// use cuda_rt::context::ContextFlags;
    ///
    /// let device = Device::get(0)?;
    /// device.set_primary_context_flags(ContextFlags::SCHED_BLOCKING_SYNC)?;
    /// let context = Context::primary(device)?;
    /// assert!(context.flags()?.contains(ContextFlags::SCHED_BLOCKING_SYNC));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDevicePrimaryCtxSetFlags")]
    pub fn set_primary_context_flags(self, flags: ContextFlags) -> Result<()> {
        // SAFETY: the flags may be any number.
        unsafe { check!(cuDevicePrimaryCtxSetFlags_v2(self.as_raw(), flags.bits())) }
            .or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()))
    }

    /// Destroys the device's primary context with everything that any code of the process made in it. Wraps
    /// `cuDevicePrimaryCtxReset`.
    ///
    /// [`Context::primary`](crate::Context::primary) then creates the context again: with the same handle, another
    /// [id](crate::Context::id) and the initial flags. The program uses this value in place of earlier
    /// [`Context`](crate::Context) values.
    ///
    /// The reset clears no [sticky error](Code::is_sticky): creating a context afterwards fails as well.
    ///
    /// # Blocking
    ///
    /// Until the device has done all work that was started in the context.
    ///
    /// # Errors
    ///
    /// [`Code::NotPermitted`]: the device has a [green context](crate::green).
    ///
    /// # Safety
    ///
    /// - No code of the process uses any object of the context any more: the driver crashes on such handles. The condition
    ///   includes libraries that use the CUDA runtime API.
    /// - Objects of this crate in the context are only dropped. With drivers before CUDA 12.0 they are forgotten instead. See
    ///   [`Context`](crate::Context#raw-calls).
    /// - No other thread uses the context meanwhile.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Context, Device};
    ///
    /// let device = Device::get(1)?;
    /// let context = Context::primary(device)?;
    /// let before = context.id();
    /// // SAFETY: nothing was made in it, and no other code uses it.
    /// unsafe { device.reset_primary_context() }?;
    /// assert_ne!(Context::primary(device)?.id(), before);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDevicePrimaryCtxReset")]
    pub unsafe fn reset_primary_context(self) -> Result<()> {
        // SAFETY: the caller answers for what is in the context.
        reset_by(Symbol::cuDevicePrimaryCtxReset_v2, || unsafe {
            check!(cuDevicePrimaryCtxReset_v2(self.as_raw()))
        })
    }
}
