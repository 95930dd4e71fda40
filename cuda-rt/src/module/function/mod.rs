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

/// A kernel, without its types. [`typed`](Function::typed) gives it argument types.
///
/// ```
/// # let (context, _, module) = cuda_doc::module()?;
/// use cuda_rt::module::FunctionAttribute;
///
/// let function = module.function("nothing")?;
/// drop(module); // the function keeps it
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
    /// The name in the source, if the program looked that up.
    source: Option<Box<str>>,
}

// SAFETY: a `CUfunction` names a part of a module, which the driver locks by itself.
unsafe impl Send for Function {}
// SAFETY: the driver synchronises calls that share a function, those that set its properties too.
unsafe impl Sync for Function {}

impl Function {
    pub(super) fn new(raw: CUfunction, name: &str, module: &Module) -> Function {
        let name = Arc::new(Name { symbol: name.into(), source: None });
        Function { raw, name, module: module.clone() }
    }

    /// The same, under the name that the source has for it.
    #[cfg(feature = "nvrtc")]
    pub(crate) fn named(self, name: &str) -> Function {
        let name = Name { symbol: self.name.symbol.clone(), source: Some(name.into()) };
        Function { name: Arc::new(name), ..self }
    }

    /// The name that it was looked up by.
    pub fn name(&self) -> &str {
        self.name.source.as_ref().unwrap_or(&self.name.symbol)
    }

    /// The name as the driver tells it: what PTX has, so C++ names are mangled. Wraps `cuFuncGetName`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) on drivers before CUDA 12.3.
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
        // SAFETY: not null, so a C string, which is good as long as the function is.
        Ok(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
    }

    /// The module that it is part of.
    #[doc(alias = "cuFuncGetModule")]
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The context that it is loaded in.
    pub fn context(&self) -> &Context {
        self.module.context()
    }

    /// The handle. It is good as long as the module is loaded.
    pub fn as_raw(&self) -> CUfunction {
        self.raw
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Function").field("name", &self.name()).field("module", &self.module).finish()
    }
}
