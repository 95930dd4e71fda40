//! Names of a module, and hints about names that were not found.

#![allow(unsafe_code)]

use super::{Function, Module};
use crate::error::{Code, ErrorKind, Result, filled};
use crate::list::CollectVec;
use core::ffi::CStr;
use core::fmt;
use core::ptr::{null, null_mut};
use cuda_sys::{CUfunction, Symbol};

/// Hint about a name that was looked up and not found.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::Module;
/// use cuda_rt::module::NameHint;
///
/// let module = Module::from_ptx(&context, "
///     .version 6.4
///     .target sm_50
///     .address_size 64
///     .visible .entry _Z5scalePff(.param .u64 numbers, .param .f32 by) { ret; }
/// ")?;
/// # if cuda_rt::driver_version()? >= cuda_rt::driver::DriverVersion::new(12, 4) {
/// let error = module.function("scale").unwrap_err();
/// assert_eq!(error.context(), Some(&NameHint::Similar { kernels: ["_Z5scalePff".into()].into() }));
/// # }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum NameHint {
    /// No hint is known.
    #[default]
    None,
    /// No list of the kernels. The driver is older than CUDA 12.4, or the query failed.
    Untold,
    /// Kernels whose names contain the looked-up name, as mangled names do. Case is ignored. Namespaces, template arguments and
    /// parameters of the looked-up name are ignored, too.
    Similar {
        /// Their names, 8 at most.
        kernels: Box<[Box<str>]>,
    },
    /// Kernels of the module or the library. No kernel has a similar name.
    Kernels {
        /// Their names, 8 at most.
        kernels: Box<[Box<str>]>,
        /// Number of further kernels.
        more: usize,
    },
    /// Name of a kernel, looked up as something else.
    Kernel,
    /// Name of a variable, looked up as something else.
    Variable,
}

/// Writes the end of a message whose last word is the looked-up name. Writes nothing for [`NameHint::None`].
impl fmt::Display for NameHint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted =
            |names: &[Box<str>]| names.iter().map(|name| format!("`{name}`")).collect_vec().join(", ");
        match self {
            NameHint::None => Ok(()),
            NameHint::Untold => formatter.write_str(
                " (a C++ name is mangled, unless it is declared extern \"C\": the PTX has it after `.entry`)",
            ),
            NameHint::Similar { kernels } => {
                let verb = if kernels.len() == 1 { "is" } else { "are" };
                write!(formatter, ", but there {verb} {}", quoted(kernels))?;
                if kernels.iter().any(|name| name.starts_with("_Z")) {
                    formatter.write_str(
                        ": C++ mangles names; look up the mangled name, or declare the kernel extern \"C\"",
                    )?;
                }
                Ok(())
            }
            NameHint::Kernels { kernels, .. } if kernels.is_empty() => formatter
                .write_str(", and there are no kernels: __global__ functions, which are `.entry` in PTX"),
            NameHint::Kernels { kernels, more } => {
                write!(formatter, ", where the kernels are {}", quoted(kernels))?;
                match more {
                    0 => Ok(()),
                    more => write!(formatter, " and {more} more"),
                }
            }
            NameHint::Kernel => formatter.write_str(", which is the name of a kernel"),
            NameHint::Variable => formatter.write_str(", which is the name of a variable"),
        }
    }
}

impl NameHint {
    /// Returns the hint for the name of a kernel, with the kernels that the driver lists.
    #[cold]
    pub(super) fn of_kernel(name: &str, kernels: Result<Vec<String>>) -> NameHint {
        /// Largest number of names in an error.
        const SHOWN: usize = 8;
        let Ok(kernels) = kernels else { return NameHint::Untold };
        let wanted = base(name).to_ascii_lowercase();
        let contain = |known: &&String| !wanted.is_empty() && known.to_ascii_lowercase().contains(&wanted);
        let boxed = |name: &String| name.as_str().into();
        let similar: Box<[Box<str>]> =
            kernels.iter().filter(contain).take(SHOWN).map(boxed).collect_vec().into();
        if !similar.is_empty() {
            return NameHint::Similar { kernels: similar };
        }
        let more = kernels.len().saturating_sub(SHOWN);
        NameHint::Kernels { kernels: kernels.iter().take(SHOWN).map(boxed).collect_vec().into(), more }
    }
}

/// Returns a C++ name without namespaces, template arguments and parameters.
fn base(name: &str) -> &str {
    let name = name.split(['<', '(']).next().unwrap_or(name).trim();
    name.rsplit("::").next().unwrap_or(name)
}

/// Adds the name that was not found, and a hint, to an error.
pub(crate) fn named(found: Result<()>, name: &str, hint: impl FnOnce() -> NameHint) -> Result<()> {
    match found {
        Err(error) if matches!(error.unexplained_code(), Some(Code::NotFound | Code::InvalidValue)) => {
            let hint = hint();
            let error = error.with_kind(ErrorKind::NotFound).with_detail(format_args!("`{name}`{hint}"));
            Err(error.with_context(hint))
        }
        found => found,
    }
}

/// Queries of a name that was looked up as something else. Failures of these calls have nothing to do with the lookup.
impl Module {
    pub(super) fn hint_for_kernel(&self, name: &str) -> NameHint {
        let names =
            |kernels: Vec<Function>| kernels.iter().map(|kernel| kernel.name().to_owned()).collect_vec();
        match NameHint::of_kernel(name, self.functions().map(names)) {
            similar @ NameHint::Similar { .. } => similar,
            _ if self.has_variable(name) => NameHint::Variable,
            others => others,
        }
    }

    pub(super) fn hint_for_variable(&self, name: &str) -> NameHint {
        if self.has_kernel(name) { NameHint::Kernel } else { NameHint::None }
    }

    pub(crate) fn hint_for_reference(&self, name: &str) -> NameHint {
        match self.hint_for_variable(name) {
            NameHint::None if self.has_variable(name) => NameHint::Variable,
            hint => hint,
        }
    }

    #[cold]
    fn has_kernel(&self, name: &str) -> bool {
        let Ok(name) = crate::text::c_string(name) else { return false };
        let Ok(_bound) = self.context().bind(Symbol::cuModuleGetFunction) else { return false };
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, the module is live, the name is a C string.
        unsafe { check!(cuModuleGetFunction(&raw mut raw, self.as_raw(), name.as_ptr())) }.is_ok()
    }

    #[cold]
    fn has_variable(&self, name: &str) -> bool {
        let Ok(name) = crate::text::c_string(name) else { return false };
        let Ok(_bound) = self.context().bind(Symbol::cuModuleGetGlobal_v2) else { return false };
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: both are valid for a write, the module is live, the name is a C string.
        unsafe {
            check!(cuModuleGetGlobal_v2(&raw mut address, &raw mut bytes, self.as_raw(), name.as_ptr()))
        }
        .is_ok()
    }
}

impl Module {
    /// Returns the functions of the module. Wraps `cuModuleGetFunctionCount`, `cuModuleEnumerateFunctions` and `cuFuncGetName`.
    ///
    /// Their names are those in PTX: C++ names are mangled.
    ///
    /// If modules are loaded [lazily](super::loading_mode), the call loads no kernel.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.4.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
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
    /// // The error of an unknown name lists the names that contain it. If none does, it lists the first 8 names.
    /// let error = module.function("scale").unwrap_err().to_string();
    /// assert!(error.contains(": `scale`, but there is `_Z5scalePff`: C++ mangles names; "), "{error}");
    /// let error = module.function("blur").unwrap_err().to_string();
    /// assert!(error.ends_with(": `blur`, where the kernels are `_Z5scalePff`, `_Z5shiftPff`"), "{error}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuModuleEnumerateFunctions", "cuModuleGetFunctionCount", "cuFuncGetName"))]
    pub fn functions(&self) -> Result<Vec<Function>> {
        let _bound = self.context().bind(Symbol::cuModuleGetFunctionCount)?;
        let mut count = 0;
        // SAFETY: `count` is valid for a write, the module is live.
        unsafe { check!(cuModuleGetFunctionCount(&raw mut count, self.as_raw())) }?;
        let mut handles: Vec<CUfunction> = filled(null_mut(), count as usize)?;
        if handles.is_empty() {
            return Ok(Vec::new());
        }
        // SAFETY: there is room for `count` handles, the module is live.
        unsafe { check!(cuModuleEnumerateFunctions(handles.as_mut_ptr(), count, self.as_raw())) }?;
        handles.into_iter().filter(|raw| !raw.is_null()).map(|raw| self.function_of(raw)).try_collect_vec()
    }

    fn function_of(&self, raw: CUfunction) -> Result<Function> {
        let mut name = null();
        // SAFETY: `name` is valid for a write; the function is of this module, which is live.
        unsafe { check!(cuFuncGetName(&raw mut name, raw)) }?;
        if name.is_null() {
            return Ok(Function::new(raw, "", self));
        }
        // SAFETY: the driver has answered with a C string, which lives as long as the module.
        let name = unsafe { CStr::from_ptr(name) };
        Ok(Function::new(raw, &name.to_string_lossy(), self))
    }
}
