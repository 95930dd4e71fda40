//! Creation of contexts.

#![allow(unsafe_code)]

use super::current_context::pop_current;
use super::owner::{Inner, Kind};
use super::{Context, ContextFlags, ExecAffinity};
use crate::device::Device;
use crate::error::{Code, OrDetail, Result};
use core::ffi::c_void;
use core::ptr::null_mut;
use cuda_sys::{CUcigDataType_enum as CigType, CUcontext, CUctxCigParam, CUctxCreateParams, Symbol};

/// Client of a graphics API with which a context shares its device.
#[doc(alias = "CUcigDataType")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphicsClient {
    /// An `ID3D12CommandQueue` of Direct3D 12.
    #[doc(alias = "CIG_DATA_TYPE_D3D12_COMMAND_QUEUE")]
    D3d12(*mut c_void),
    /// Data of NVIDIA's driver of Vulkan or of another API for this purpose.
    #[doc(alias = "CIG_DATA_TYPE_NV_BLOB")]
    NvBlob(*mut c_void),
}

impl Context {
    /// Creates a context on `device`.
    ///
    /// Unlike the C function, this function restores the thread's current context. Wraps `cuCtxCreate_v4`, and `cuCtxCreate_v2`
    /// on drivers before CUDA 12.5.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: flags exclude each other, or the driver does not know a flag.
    /// - Same as [`Context::primary`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::{Context, Device};
    /// use cuda_rt::context::ContextFlags;
    ///
    /// let context = Context::new(Device::get(0)?, ContextFlags::SCHED_BLOCKING_SYNC)?;
    /// assert!(context.flags()?.contains(ContextFlags::SCHED_BLOCKING_SYNC));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxCreate", "cuCtxCreate_v2", "cuCtxCreate_v4"))]
    pub fn new(device: Device, flags: ContextFlags) -> Result<Context> {
        let newest = cuda_sys::driver()?.has(Symbol::cuCtxCreate_v4);
        Context::create(device, |raw| {
            let created = if newest {
                // SAFETY: `raw` is valid for a write; no creation parameters means the defaults.
                unsafe { check!(cuCtxCreate_v4(raw, null_mut(), flags.bits(), device.as_raw())) }
            } else {
                // SAFETY: `raw` is valid for a write.
                unsafe { check!(cuCtxCreate_v2(raw, flags.bits(), device.as_raw())) }
            };
            created.or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()))
        })
    }

    /// Creates a context that shares the device with a client of a graphics API ("CUDA in graphics"). Since CUDA 12.5; not run on
    /// hardware.
    ///
    /// The thread's current context is restored. Wraps `cuCtxCreate_v4`.
    ///
    /// # Errors
    ///
    /// - [`Code::NotSupported`]: the device does not support it.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.5.
    /// - Same as [`Context::new`].
    ///
    /// # Safety
    ///
    /// `client` names a live object of the graphics API, which is of this device and outlives the context.
    #[doc(alias("cuCtxCreate", "cuCtxCreate_v4", "CUctxCigParam"))]
    pub unsafe fn with_graphics(
        device: Device,
        flags: ContextFlags,
        client: GraphicsClient,
    ) -> Result<Context> {
        let (kind, data) = match client {
            GraphicsClient::D3d12(queue) => (CigType::CIG_DATA_TYPE_D3D12_COMMAND_QUEUE, queue),
            GraphicsClient::NvBlob(blob) => (CigType::CIG_DATA_TYPE_NV_BLOB, blob),
        };
        Context::create(device, |raw| {
            let mut shared = CUctxCigParam { sharedDataType: kind, sharedData: data };
            let mut params = CUctxCreateParams { cigParams: &raw mut shared, ..CUctxCreateParams::default() };
            // SAFETY: `raw` is valid for a write, and the parameters are valid for reads. The rest is the caller's promise.
            unsafe { check!(cuCtxCreate_v4(raw, &raw mut params, flags.bits(), device.as_raw())) }
                .or_detail(&[Code::InvalidValue, Code::NotSupported], &|| format!("{client:?}"))
        })
    }

    /// Creates a context without leaving it current.
    pub(crate) fn create(
        device: Device,
        create: impl FnOnce(*mut CUcontext) -> Result<()>,
    ) -> Result<Context> {
        let mut raw = null_mut();
        let created = explain_refusal(create(&raw mut raw), device);
        if let (Err(error), true) = (&created, raw.is_null()) {
            return Err(error.clone());
        }
        // From here on, every failure destroys the context. This includes a call that has created the context and reports an
        // earlier failure.
        let made = Inner::new(raw, Kind::Owned);
        // The context is on top of the thread's stack.
        let left = pop_current(raw);
        created.and(left)?;
        made.on(device)
    }

    /// Creates a context on a part of `device`. The driver may give it more multiprocessors than requested:
    /// [`exec_affinity`](Context::exec_affinity) returns the result.
    ///
    /// The thread's current context is restored. Wraps `cuCtxCreate_v4`, and `cuCtxCreate_v3` with drivers before CUDA 12.5.
    ///
    /// # Errors
    ///
    /// - [`Code::UnsupportedExecAffinity`]: the device [does not support it](Device::supports_exec_affinity).
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.4.
    /// - Same as [`Context::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let device = cuda_rt::Device::get(0)?;
    /// use cuda_rt::Context;
    /// use cuda_rt::context::{ContextFlags, ExecAffinity};
    /// use cuda_rt::error::Code;
    ///
    /// let half = ExecAffinity::SmCount(66);
    /// match Context::with_exec_affinity(device, ContextFlags::default(), half) {
    ///     Ok(context) => println!("{:?}", context.exec_affinity()?),
    ///     Err(error) => assert_eq!(error.code(), Some(Code::UnsupportedExecAffinity)),
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuCtxCreate", "cuCtxCreate_v3", "cuCtxCreate_v4"))]
    pub fn with_exec_affinity(
        device: Device,
        flags: ContextFlags,
        affinity: ExecAffinity,
    ) -> Result<Context> {
        let ExecAffinity::SmCount(count) = affinity;
        let mut affinity = affinity.to_raw();
        let newest = cuda_sys::driver()?.has(Symbol::cuCtxCreate_v4);
        Context::create(device, |raw| {
            let created = if newest {
                let mut params = CUctxCreateParams {
                    execAffinityParams: &raw mut affinity,
                    numExecAffinityParams: 1,
                    ..CUctxCreateParams::default()
                };
                // SAFETY: `raw` is valid for a write; the parameters are valid for reads, and name one affinity.
                unsafe { check!(cuCtxCreate_v4(raw, &raw mut params, flags.bits(), device.as_raw())) }
            } else {
                // SAFETY: `raw` is valid for a write, and the affinity for a read.
                unsafe { check!(cuCtxCreate_v3(raw, &raw mut affinity, 1, flags.bits(), device.as_raw())) }
            };
            created
                .or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()))
                .or_detail(&[Code::UnsupportedExecAffinity], &|| format!("{count} multiprocessors"))
        })
    }
}

/// Adds the reason why a device has no context to an error.
pub(super) fn explain_refusal(made: Result<()>, device: Device) -> Result<()> {
    let ordinal = device.as_raw();
    made.or_detail(&[Code::DeviceUnavailable], &|| {
        let mode = device.compute_mode().map(|mode| format!(" has the compute mode {mode:?}"));
        format!(
            "device {ordinal}{}; end the process that uses it, or change its mode with nvidia-smi -c",
            mode.as_deref().unwrap_or(" is in use")
        )
    })
    .or_detail(&[Code::OutOfMemory], &|| {
        format!("device {ordinal} has too little free memory for a context; nvidia-smi shows which processes use it")
    })
}
