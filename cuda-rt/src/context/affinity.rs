//! Contexts that have a share of their device.

#![allow(unsafe_code)]

use super::{Context, ContextFlags};
use crate::device::Device;
use crate::error::{Code, OrDetail, Result};
use core::ffi::c_uint;
use cuda_sys::{
    CUctxCreateParams, CUexecAffinityParam, CUexecAffinityParam_st__bindgen_ty_1, CUexecAffinitySmCount,
    CUexecAffinityType_enum as Type, Symbol,
};

/// On what part of its device a context's kernels run.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::context::ExecAffinity;
///
/// // An ordinary context has all of it.
/// let all = context.device().multiprocessor_count()?.cast_unsigned();
/// assert_eq!(context.exec_affinity()?, ExecAffinity::SmCount(all));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUexecAffinityParam")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExecAffinity {
    /// So many multiprocessors.
    #[doc(alias = "CU_EXEC_AFFINITY_TYPE_SM_COUNT")]
    SmCount(u32),
}

impl ExecAffinity {
    fn to_raw(self) -> CUexecAffinityParam {
        let ExecAffinity::SmCount(val) = self;
        CUexecAffinityParam {
            type_: Type::CU_EXEC_AFFINITY_TYPE_SM_COUNT,
            param: CUexecAffinityParam_st__bindgen_ty_1 { smCount: CUexecAffinitySmCount { val } },
        }
    }
}

impl Device {
    /// Returns whether contexts can have a [share](Context::with_exec_affinity) of the device: under the Multi-Process
    /// Service on some. Wraps `cuDeviceGetExecAffinitySupport`.
    ///
    /// # Errors
    ///
    /// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) with drivers before CUDA 11.4.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// assert!(!cuda_rt::Device::get(0)?.supports_exec_affinity()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuDeviceGetExecAffinitySupport")]
    pub fn supports_exec_affinity(self) -> Result<bool> {
        let mut supported = 0;
        let kind = Type::CU_EXEC_AFFINITY_TYPE_SM_COUNT;
        // SAFETY: `supported` is valid for a write.
        unsafe { check!(cuDeviceGetExecAffinitySupport(&raw mut supported, kind, self.as_raw())) }?;
        Ok(supported != 0)
    }
}

impl Context {
    /// Makes a context of one's own on a part of `device`. The driver may give it more than was asked for:
    /// [`exec_affinity`](Context::exec_affinity) tells.
    ///
    /// The thread's current context stays as it was. Wraps `cuCtxCreate_v4`, and `cuCtxCreate_v3` with drivers before CUDA
    /// 12.5.
    ///
    /// # Errors
    ///
    /// [`Code::UnsupportedExecAffinity`] where the device [does not support it](Device::supports_exec_affinity),
    /// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) with drivers before CUDA 11.4, and those of [`Context::new`].
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

    /// Returns the part of the device that the context's kernels run on. Wraps `cuCtxGetExecAffinity`.
    ///
    /// # Errors
    ///
    /// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) with drivers before CUDA 11.4, or an earlier failure.
    #[doc(alias = "cuCtxGetExecAffinity")]
    pub fn exec_affinity(&self) -> Result<ExecAffinity> {
        let _bound = self.bind(Symbol::cuCtxGetExecAffinity)?;
        let mut affinity = ExecAffinity::SmCount(0).to_raw();
        let kind = Type::CU_EXEC_AFFINITY_TYPE_SM_COUNT;
        // SAFETY: `affinity` is valid for a write; this context is current.
        unsafe { check!(cuCtxGetExecAffinity(&raw mut affinity, kind)) }?;
        // SAFETY: the kind that was asked for has this member, which is a number.
        let count: c_uint = unsafe { affinity.param.smCount.val };
        Ok(ExecAffinity::SmCount(count))
    }
}
