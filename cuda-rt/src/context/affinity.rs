//! Contexts on a part of their device.

#![allow(unsafe_code)]

use super::Context;
use crate::device::Device;
use crate::error::Result;
use core::ffi::c_uint;
use cuda_sys::{
    CUexecAffinityParam, CUexecAffinityParam_st__bindgen_ty_1, CUexecAffinitySmCount,
    CUexecAffinityType_enum as Type, Symbol,
};

/// Part of its device on which a context's kernels run.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::context::ExecAffinity;
///
/// // An ordinary context uses the whole device.
/// let all = context.device().multiprocessor_count()?.cast_unsigned();
/// assert_eq!(context.exec_affinity()?, ExecAffinity::SmCount(all));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUexecAffinityParam")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExecAffinity {
    /// Number of multiprocessors.
    #[doc(alias = "CU_EXEC_AFFINITY_TYPE_SM_COUNT")]
    SmCount(u32),
}

impl ExecAffinity {
    pub(super) fn to_raw(self) -> CUexecAffinityParam {
        let ExecAffinity::SmCount(val) = self;
        CUexecAffinityParam {
            type_: Type::CU_EXEC_AFFINITY_TYPE_SM_COUNT,
            param: CUexecAffinityParam_st__bindgen_ty_1 { smCount: CUexecAffinitySmCount { val } },
        }
    }
}

impl Device {
    /// Returns whether contexts can have a [part](Context::with_exec_affinity) of the device. Some devices support this under the
    /// Multi-Process Service. Wraps `cuDeviceGetExecAffinitySupport`.
    ///
    /// # Errors
    ///
    /// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.4.
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
    /// Returns the part of the device that the context's kernels run on. Wraps `cuCtxGetExecAffinity`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.4.
    /// - An earlier failure.
    #[doc(alias = "cuCtxGetExecAffinity")]
    pub fn exec_affinity(&self) -> Result<ExecAffinity> {
        let _bound = self.bind(Symbol::cuCtxGetExecAffinity)?;
        let mut affinity = ExecAffinity::SmCount(0).to_raw();
        let kind = Type::CU_EXEC_AFFINITY_TYPE_SM_COUNT;
        // SAFETY: `affinity` is valid for a write; this context is current.
        unsafe { check!(cuCtxGetExecAffinity(&raw mut affinity, kind)) }?;
        // SAFETY: the requested kind has this member, which is a number.
        let count: c_uint = unsafe { affinity.param.smCount.val };
        Ok(ExecAffinity::SmCount(count))
    }
}
