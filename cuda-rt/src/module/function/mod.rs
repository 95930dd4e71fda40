//! Kernels of a module.

#![allow(unsafe_code)]

pub(crate) mod access_check;
mod attributes;
mod cache;
mod cluster;
mod loading;
mod occupancy;
mod parameters;

use access_check::AccessCheck;
pub(super) use attributes::grow;
pub use cluster::ClusterSchedulingPolicy;
pub use occupancy::{OccupancyFlags, PotentialBlockSize};
pub(crate) use occupancy::{count, describe_blocks};
pub use parameters::ParameterInfo;

use super::Module;
use crate::context::Context;
use crate::error::Result;
use core::ffi::CStr;
use core::fmt;
use core::ptr::null;
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
    name: Arc<str>,
    module: Module,
    check: AccessCheck,
    /// The identity of the context whose streams can be launched on without a further look; null if launches are checked.
    unlooked: *const (),
}

// SAFETY: a `CUfunction` names a part of a module, which the driver locks by itself; the other pointer is only compared.
unsafe impl Send for Function {}
// SAFETY: the driver synchronises calls that share a function, those that set its properties too.
unsafe impl Sync for Function {}

impl Function {
    pub(super) fn new(raw: CUfunction, name: &str, module: &Module) -> Function {
        let function = Function {
            raw,
            name: name.into(),
            module: module.clone(),
            check: AccessCheck::Relaxed,
            unlooked: null(),
        };
        function.with_access_check(AccessCheck::of_process())
    }

    /// The same kernel, whose launches look at the memory of their arguments so.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// use cuda_rt::access::AccessCheck;
    ///
    /// let function = module.function("nothing")?;
    /// assert_eq!(function.access_check(), AccessCheck::Relaxed);
    /// let function = function.with_access_check(AccessCheck::Strict);
    /// assert_eq!(function.access_check(), AccessCheck::Strict);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[must_use]
    pub fn with_access_check(self, check: AccessCheck) -> Function {
        let unlooked = match check {
            AccessCheck::Relaxed => self.context().identity(),
            AccessCheck::Checked | AccessCheck::Strict => null(),
        };
        Function { check, unlooked, ..self }
    }

    /// How launches look at the memory of their arguments.
    pub fn access_check(&self) -> AccessCheck {
        self.check
    }

    /// Whether a launch on a stream of this context needs no further look.
    #[inline(always)]
    pub(crate) fn is_unlooked_on(&self, context: &Context) -> bool {
        core::ptr::eq(self.unlooked, context.identity())
    }

    /// The same, under the name that the source has for it.
    #[cfg(feature = "nvrtc")]
    pub(crate) fn named(self, name: &str) -> Function {
        Function { name: name.into(), ..self }
    }

    /// The name that it was looked up by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name as the driver tells it: what PTX has, so C++ names are mangled. Wraps `cuFuncGetName`.
    ///
    /// # Errors
    ///
    /// [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) on drivers before CUDA 12.3, or an earlier failure.
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
        formatter.debug_struct("Function").field("name", &self.name).field("module", &self.module).finish()
    }
}
