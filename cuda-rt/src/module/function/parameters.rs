//! What a driver knows of a kernel's parameters: where they lie, not of which type they are.

#![allow(unsafe_code)]

use super::Function;
use crate::error::{Code, Error, ErrorKind, Result};
use cuda_sys::Symbol;

/// No kernel takes more bytes of parameters: since CUDA 12.1, from compute capability 7.0 on; 4096 otherwise.
const MOST_BYTES: usize = 32764;

/// Where a parameter lies among the parameters of its kernel.
///
/// ```
/// # let context = cuda_doc::context()?;
/// # let ptx = ".version 6.4 .target sm_50 .address_size 64
/// #     .visible .entry scale(.param .u32 n, .param .u64 data) { ret; }";
/// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
/// use cuda_rt::module::ParameterInfo;
///
/// let scale = module.function("scale")?; // (unsigned n, float *data)
/// let expected = [ParameterInfo { offset: 0, size: 4 }, ParameterInfo { offset: 8, size: 8 }];
/// assert_eq!(scale.parameters()?, expected);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParameterInfo {
    /// Where it begins, in bytes.
    pub offset: usize,
    /// Its size in bytes.
    pub size: usize,
}

/// Returns whether it is what drivers answer for a parameter beyond the last one.
fn is_end(error: &Error) -> bool {
    error.code() == Some(Code::InvalidValue)
}

impl Function {
    /// Where the kernel's parameters lie, in order. Wraps `cuFuncGetParamInfo`, and `cuFuncGetParamCount` on drivers for CUDA
    /// 13.2 or newer.
    ///
    /// Older drivers do not tell how many parameters there are. They refuse the question about the one after the last with
    /// [`Code::InvalidValue`], which is asked twice. So a driver that answers this code twice in a row for another reason is
    /// taken to say that there are no more.
    ///
    /// # Errors
    ///
    /// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) on drivers before CUDA 12.4, or an earlier failure.
    #[doc(alias("cuFuncGetParamInfo", "cuFuncGetParamCount"))]
    pub fn parameters(&self) -> Result<Vec<ParameterInfo>> {
        let _bound = self.context().bind(Symbol::cuFuncGetParamInfo)?;
        let count = self.known_count()?;
        let mut parameters = Vec::new();
        // Each has a byte at least.
        while parameters.len() < count.unwrap_or(MOST_BYTES) {
            match self.parameter(parameters.len()) {
                Ok(parameter) => parameters.push(parameter),
                // Measured: this is how the driver says that there are no more. A failure may say the same, so it is asked
                // again.
                Err(error) if count.is_none() && is_end(&error) => match self.parameter(parameters.len()) {
                    Ok(parameter) => parameters.push(parameter),
                    Err(error) if is_end(&error) => break,
                    Err(error) => return Err(error),
                },
                Err(error) => return Err(error),
            }
        }
        Ok(parameters)
    }

    /// How many parameters the kernel takes. Wraps `cuFuncGetParamCount`; drivers before CUDA 13.2 do not have it, and are
    /// asked for one parameter after the other.
    ///
    /// # Errors
    ///
    /// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) on drivers before CUDA 12.4, or an earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64
    /// #     .visible .entry scale(.param .u64 data, .param .u32 n) { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// assert_eq!(module.function("scale")?.parameter_count()?, 2); // (float *data, unsigned n)
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuFuncGetParamCount", "cuFuncGetParamInfo"))]
    pub fn parameter_count(&self) -> Result<usize> {
        let bound = self.context().bind(Symbol::cuFuncGetParamInfo)?;
        let count = self.known_count()?;
        drop(bound);
        match count {
            Some(count) => Ok(count),
            None => Ok(self.parameters()?.len()),
        }
    }

    /// The number of parameters, if this driver tells it. The context is current.
    fn known_count(&self) -> Result<Option<usize>> {
        let mut count = 0;
        // SAFETY: `count` is valid for a write; the module keeps the function live.
        match unsafe { check!(cuFuncGetParamCount(self.raw, &raw mut count)) } {
            Ok(()) => Ok(Some(count)),
            Err(error) if error.kind() == ErrorKind::FunctionMissing => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A parameter by its number. The context is current.
    fn parameter(&self, index: usize) -> Result<ParameterInfo> {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: both are valid for a write; the module keeps the function live; the index may be any number.
        unsafe { check!(cuFuncGetParamInfo(self.raw, index, &raw mut offset, &raw mut size)) }?;
        Ok(ParameterInfo { offset, size })
    }
}
