//! Layout of a kernel's parameters. Drivers know their places, not their types.

#![allow(unsafe_code)]

use super::Function;
use crate::error::{Code, Error, ErrorKind, Result};
use cuda_sys::{CUfunction, CUkernel, Symbol};

/// Most bytes of parameters that a kernel can have: since CUDA 12.1, from compute capability 7.0 on. Otherwise the limit is 4096.
const MOST_BYTES: usize = 32764;

/// Place of a parameter among the parameters of its kernel.
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
    /// Offset in bytes.
    pub offset: usize,
    /// Size in bytes.
    pub size: usize,
}

/// Returns whether an error is the answer of a driver for a parameter beyond the last one.
fn is_end(error: &Error) -> bool {
    error.code() == Some(Code::InvalidValue)
}

impl Function {
    /// Returns the places of the kernel's parameters, in order. Wraps `cuFuncGetParamInfo`. On drivers for CUDA 13.2 or
    /// newer, also wraps `cuFuncGetParamCount`, which was not run on hardware.
    ///
    /// # Driver notes
    ///
    /// Drivers before CUDA 13.2 do not report the number of parameters. They refuse a query of the parameter after the last one
    /// with [`Code::InvalidValue`]. This method queries it twice. If a driver answers with this code twice in a row for another
    /// reason, the list ends too early.
    ///
    /// Drivers before CUDA 12.4 do not report parameters. There, the parameters are read from the loaded code: from PTX, and from
    /// the tables in cubins. In a fat binary the code for the device is read.
    ///
    /// # Errors
    ///
    /// - An earlier failure.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.4, and the parameters
    ///   cannot be read from the code. For example, the code in a fat binary is compressed.
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

    /// Returns the parameters that the driver reports; `None` if it is too old. If the driver does not report their number, only the
    /// first `expected` ones are queried. A query after the last one would be in the driver's log.
    #[cfg(feature = "macros")]
    pub(crate) fn reported_parameters(&self, expected: usize) -> Result<Option<Vec<ParameterInfo>>> {
        let _bound = self.context().bind(Symbol::cuFuncGetParamInfo)?;
        // SAFETY: the module keeps the function live.
        let count = unsafe { count_of_function(self.raw) }?.unwrap_or(expected);
        let query = |index| {
            // SAFETY: as above.
            unsafe { parameter_of_function(self.raw, index) }
        };
        match listed(Some(count), query) {
            Err(error) if error.kind() == ErrorKind::FunctionMissing => Ok(None),
            reported => reported.map(Some),
        }
    }

    fn parameters_by_driver(&self) -> Result<Vec<ParameterInfo>> {
        let _bound = self.context().bind(Symbol::cuFuncGetParamInfo)?;
        // SAFETY: the module keeps the function live.
        unsafe { parameters_of_function(self.raw) }
    }

    /// Returns the number of the kernel's parameters. Wraps `cuFuncGetParamCount`, which was not run on hardware.
    /// Drivers before CUDA 13.2 do not have this function: there the method counts the
    /// [`parameters`](Function::parameters).
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
        // SAFETY: the caller's promise.
        unsafe { parameter_of_function(function, index) }
    })
}

/// Returns the place of a parameter of a function.
///
/// # Safety
///
/// The function is live.
unsafe fn parameter_of_function(function: CUfunction, index: usize) -> Result<ParameterInfo> {
    let (mut offset, mut size) = (0, 0);
    // SAFETY: the caller's promise; both are valid for a write; the index may be any number.
    unsafe { check!(cuFuncGetParamInfo(function, index, &raw mut offset, &raw mut size)) }?;
    Ok(ParameterInfo { offset, size })
}

/// Returns the number of parameters of a function; `None` if the driver does not report it.
///
/// # Safety
///
/// The function is live.
unsafe fn count_of_function(function: CUfunction) -> Result<Option<usize>> {
    let mut count = 0;
    // SAFETY: the caller's promise, and `count` is valid for a write.
    Ok(if_known(unsafe { check!(cuFuncGetParamCount(function, &raw mut count)) })?.map(|()| count))
}

/// Returns the places of the parameters of a kernel of a library. A context is current.
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

/// Returns `None` if the driver lacks the called function.
fn if_known(answer: Result<()>) -> Result<Option<()>> {
    match answer {
        Err(error) if error.kind() == ErrorKind::FunctionMissing => Ok(None),
        answer => answer.map(Some),
    }
}

/// Returns all parameters. `ask` queries one by its number.
fn listed(count: Option<usize>, ask: impl Fn(usize) -> Result<ParameterInfo>) -> Result<Vec<ParameterInfo>> {
    let mut parameters = Vec::new();
    // Each parameter has at least one byte.
    while parameters.len() < count.unwrap_or(MOST_BYTES) {
        match ask(parameters.len()) {
            Ok(parameter) => parameters.push(parameter),
            // Measured: with this code the driver reports the end of the list. A failure may have the same code, so the query is
            // repeated.
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
