//! What is in a module by which name, and what is said if nothing is.

#![allow(unsafe_code)]

use super::{Function, Module};
use crate::error::{Code, Error, Result};
use core::ffi::CStr;
use core::ptr::{null, null_mut};
use cuda_sys::CUfunction;

/// What was looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Kernel,
    Variable,
    Reference,
}

/// Names in an error, at most.
const SHOWN: usize = 8;

/// Says in the error which name was not found, and, of kernels, which names there are that contain it.
pub(super) fn named(found: Result<()>, name: &str, module: &Module, wanted: Wanted) -> Result<()> {
    match found {
        Err(Error::Driver(source)) if matches!(source.code, Code::NotFound | Code::InvalidValue) => {
            let similar = match wanted {
                Wanted::Kernel if !name.is_empty() => similar(name, module),
                _ => Box::default(),
            };
            Err(Error::NotFound { name: name.into(), similar, source })
        }
        found => found,
    }
}

/// Kernels whose names contain this one in whatever case, as mangled ones contain that of the source.
#[cold]
fn similar(name: &str, module: &Module) -> Box<[Box<str>]> {
    let name = name.to_ascii_lowercase();
    // What this fails for has nothing to do with what was asked for.
    let kernels = module.functions().unwrap_or_default();
    let names = kernels.iter().map(Function::name);
    names.filter(|known| known.to_ascii_lowercase().contains(&name)).take(SHOWN).map(Box::from).collect()
}

impl Module {
    /// The kernels of the module. Their names are those of PTX: of C++, mangled. Wraps `cuModuleEnumerateFunctions`.
    ///
    /// Where modules are loaded [lazily](super::loading_mode), this loads none of them.
    ///
    /// # Errors
    ///
    /// [`Error::MissingSymbol`] if the driver is for a release before 12.4; or an earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// use cuda_rt::Module;
    ///
    /// let module = Module::from_ptx(&context, "
    ///     .version 6.4
    ///     .target sm_50
    ///     .address_size 64
    ///     .visible .entry _Z5scalePff(.param .u64 numbers, .param .f32 by) { ret; }
    ///     .visible .entry _Z5shiftPff(.param .u64 numbers, .param .f32 by) { ret; }
    /// ")?;
    /// let names: Vec<String> = module.functions()?.iter().map(|kernel| kernel.name().to_owned()).collect();
    /// assert_eq!(names, ["_Z5scalePff", "_Z5shiftPff"]);
    ///
    /// // An error of a name that is not there tells of those that contain it.
    /// let error = module.function("scale").unwrap_err();
    /// assert!(error.to_string().ends_with(": `scale`, but there is `_Z5scalePff`"), "{error}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuModuleEnumerateFunctions", "cuModuleGetFunctionCount", "cuFuncGetName"))]
    pub fn functions(&self) -> Result<Vec<Function>> {
        let _bound = self.context().bind()?;
        let mut count = 0;
        // SAFETY: `count` is valid for a write, the module is live.
        unsafe { check!(cuModuleGetFunctionCount(&raw mut count, self.as_raw())) }?;
        let mut handles: Vec<CUfunction> = vec![null_mut(); count as usize];
        if handles.is_empty() {
            return Ok(Vec::new());
        }
        // SAFETY: there is room for `count` handles, the module is live.
        unsafe { check!(cuModuleEnumerateFunctions(handles.as_mut_ptr(), count, self.as_raw())) }?;
        handles.into_iter().filter(|raw| !raw.is_null()).map(|raw| self.function_of(raw)).collect()
    }

    fn function_of(&self, raw: CUfunction) -> Result<Function> {
        let mut name = null();
        // SAFETY: `name` is valid for a write; the function is of this module, which is live.
        unsafe { check!(cuFuncGetName(&raw mut name, raw)) }?;
        // SAFETY: the driver has answered with a C string, which lives as long as the module.
        let name = unsafe { CStr::from_ptr(name) };
        Ok(Function::new(raw, &name.to_string_lossy(), self))
    }
}
