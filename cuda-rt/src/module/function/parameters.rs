//! What a driver knows of a kernel's parameters: where they lie, not of which type they are.

#![allow(unsafe_code)]

use super::Function;
use crate::error::{Code, Error, ErrorKind, Result};
use cuda_sys::{CUfunction, CUkernel, Symbol};

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
    /// Returns the places of the kernel's parameters, in order. Wraps `cuFuncGetParamInfo`, and `cuFuncGetParamCount` on
    /// drivers for CUDA 13.2 or newer.
    ///
    /// # Driver notes
    ///
    /// Drivers before CUDA 13.2 do not tell how many parameters there are. They refuse the question about the one after the
    /// last with [`Code::InvalidValue`]. This method asks twice. So a driver that answers this code twice in a row for another
    /// reason is taken to say that there are no more.
    ///
    /// Drivers before CUDA 12.4 do not tell the parameters. There they are read from the code that was loaded: from PTX, and
    /// from the tables in cubins. In a fat binary it is the code for the device.
    ///
    /// # Errors
    ///
    /// An earlier failure. On drivers before CUDA 12.4, [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) if the
    /// code does not tell the parameters: for example if the code in a fat binary is compressed.
    #[doc(alias("cuFuncGetParamInfo", "cuFuncGetParamCount"))]
    pub fn parameters(&self) -> Result<Vec<ParameterInfo>> {
        match self.parameters_by_driver() {
            Err(error) if error.kind() == ErrorKind::FunctionMissing => {
                self.module.signature(&self.name.symbol).map_err(|reason| {
                    let (name, missing) = (self.name(), error.to_string());
                    error.with_detail(format_args!(
                        "{missing}: the parameters of `{name}` are not known: {reason}; `Function::typed_unchecked` gives it types \
                         without a check"
                    ))
                })
            }
            told => told,
        }
    }

    fn parameters_by_driver(&self) -> Result<Vec<ParameterInfo>> {
        let _bound = self.context().bind(Symbol::cuFuncGetParamInfo)?;
        // SAFETY: the module keeps the function live.
        unsafe { parameters_of_function(self.raw) }
    }

    /// Returns the number of the kernel's parameters. Wraps `cuFuncGetParamCount`. Drivers before CUDA 13.2 do not have it:
    /// there the [`parameters`](Function::parameters) are counted.
    ///
    /// # Errors
    ///
    /// Same as [`parameters`](Function::parameters).
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
        // SAFETY: the module keeps the function live.
        let count = unsafe { count_of_function(self.raw) }?;
        drop(bound);
        match count {
            Some(count) => Ok(count),
            None => Ok(self.parameters()?.len()),
        }
    }
}

/// Returns the places of the parameters of a function.
///
/// # Safety
///
/// The function is live.
pub(crate) unsafe fn parameters_of_function(function: CUfunction) -> Result<Vec<ParameterInfo>> {
    // SAFETY: the caller's promise.
    let count = unsafe { count_of_function(function) }?;
    listed(count, |index| {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: the caller's promise; both are valid for a write; the index may be any number.
        unsafe { check!(cuFuncGetParamInfo(function, index, &raw mut offset, &raw mut size)) }?;
        Ok(ParameterInfo { offset, size })
    })
}

/// Returns the number of parameters of a function, if this driver tells it.
///
/// # Safety
///
/// The function is live.
unsafe fn count_of_function(function: CUfunction) -> Result<Option<usize>> {
    let mut count = 0;
    // SAFETY: the caller's promise, and `count` is valid for a write.
    Ok(if_known(unsafe { check!(cuFuncGetParamCount(function, &raw mut count)) })?.map(|()| count))
}

/// Returns the places of the parameters of a kernel of a library, with a context current.
///
/// # Safety
///
/// The kernel is live.
pub(in crate::module) unsafe fn parameters_of_kernel(kernel: CUkernel) -> Result<Vec<ParameterInfo>> {
    let mut count = 0;
    // SAFETY: the caller's promise, and `count` is valid for a write.
    let count = if_known(unsafe { check!(cuKernelGetParamCount(kernel, &raw mut count)) })?.map(|()| count);
    listed(count, |index| {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: the caller's promise; both are valid for a write; the index may be any number.
        unsafe { check!(cuKernelGetParamInfo(kernel, index, &raw mut offset, &raw mut size)) }?;
        Ok(ParameterInfo { offset, size })
    })
}

/// Returns `None` if the driver lacks the function that was called.
fn if_known(answer: Result<()>) -> Result<Option<()>> {
    match answer {
        Err(error) if error.kind() == ErrorKind::FunctionMissing => Ok(None),
        answer => answer.map(Some),
    }
}

/// Returns all parameters. `ask` asks for one by its number.
fn listed(count: Option<usize>, ask: impl Fn(usize) -> Result<ParameterInfo>) -> Result<Vec<ParameterInfo>> {
    let mut parameters = Vec::new();
    // Each has a byte at least.
    while parameters.len() < count.unwrap_or(MOST_BYTES) {
        match ask(parameters.len()) {
            Ok(parameter) => parameters.push(parameter),
            // Measured: this is how the driver says that there are no more. A failure may say the same, so it is asked again.
            Err(error) if count.is_none() && is_end(&error) => match ask(parameters.len()) {
                Ok(parameter) => parameters.push(parameter),
                Err(error) if is_end(&error) => break,
                Err(error) => return Err(error),
            },
            Err(error) => return Err(error),
        }
    }
    Ok(parameters)
}
