//! Kernels of a module.

#![allow(unsafe_code)]

mod attributes;
mod cache;
mod cluster;
mod is_loaded;
mod occupancy;
mod parameters;

pub(super) use attributes::grow;
pub use cluster::ClusterSchedulingPolicy;
pub use occupancy::{OccupancyFlags, PotentialBlockSize};
pub(crate) use occupancy::{count, describe_blocks};
pub use parameters::ParameterInfo;
pub(crate) use parameters::parameters_of_function;
pub(in crate::module) use parameters::parameters_of_kernel;

use super::Module;
use crate::context::Context;
use crate::error::Result;
use core::ffi::CStr;
use core::fmt;
use cuda_sys::{CUfunction, Symbol};
use std::sync::Arc;

/// A kernel of a module, without argument types. [`typed`](Function::typed) adds them.
///
/// ```
/// # let (context, _, module) = cuda_doc::module()?;
/// use cuda_rt::module::FunctionAttribute;
///
/// let function = module.function("nothing")?;
/// drop(module); // the function keeps the module alive
/// println!("{}: {} registers", function.name(), function.attribute(FunctionAttribute::NUM_REGS)?);
/// let kernel = function.typed::<()>()?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUfunction")]
#[derive(Clone)]
pub struct Function {
    raw: CUfunction,
    name: Arc<Name>,
    module: Module,
}

struct Name {
    /// The name in the code.
    symbol: Box<str>,
    /// The name in the source, if the program looked the kernel up by it.
    source: Option<Box<str>>,
}

// SAFETY: a `CUfunction` names a part of a module, which the driver locks by itself.
unsafe impl Send for Function {}
// SAFETY: the driver synchronises calls that share a function, including calls that set its attributes.
unsafe impl Sync for Function {}

impl Function {
    pub(super) fn new(raw: CUfunction, name: &str, module: &Module) -> Function {
        let name = Arc::new(Name { symbol: name.into(), source: None });
        Function { raw, name, module: module.clone() }
    }

    /// Returns the same function, under its name in the source.
    #[cfg(feature = "nvrtc")]
    pub(crate) fn named(self, name: &str) -> Function {
        let name = Name { symbol: self.name.symbol.clone(), source: Some(name.into()) };
        Function { name: Arc::new(name), ..self }
    }

    /// Returns the name by which the kernel was looked up.
    pub fn name(&self) -> &str {
        self.name.source.as_ref().unwrap_or(&self.name.symbol)
    }

    /// Returns the name that the driver reports: the name in PTX, so C++ names are mangled. Wraps `cuFuncGetName`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.3.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// # let function = module.function("nothing")?;
    /// assert_eq!(function.query_name()?, "nothing");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuFuncGetName")]
    pub fn query_name(&self) -> Result<String> {
        let _bound = self.context().bind(Symbol::cuFuncGetName)?;
        let mut name = core::ptr::null();
        // SAFETY: `name` is valid for a write; the module keeps the function live.
        unsafe { check!(cuFuncGetName(&raw mut name, self.raw)) }?;
        if name.is_null() {
            return Ok(String::new());
        }
        // SAFETY: not null, so a C string, which is valid as long as the function is.
        Ok(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
    }

    /// Returns the module of the kernel.
    #[doc(alias = "cuFuncGetModule")]
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Returns the context of the module.
    pub fn context(&self) -> &Context {
        self.module.context()
    }

    /// Returns the raw handle. It is valid as long as the module is loaded.
    pub fn as_raw(&self) -> CUfunction {
        self.raw
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Function").field("name", &self.name()).field("module", &self.module).finish()
    }
}
