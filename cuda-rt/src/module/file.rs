//! Loading code from files.

#![allow(unsafe_code)]

use super::{JitLog, JitOptions, Module};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use std::path::Path;

impl Module {
    /// Loads a cubin, a fat binary or PTX from a file, whichever its first bytes say it is.
    ///
    /// These are what `nvcc -cubin`, `nvcc -fatbin` and `nvcc -ptx` write; how the file is called does not matter. CUDA C++
    /// (`.cu`) is for `cuda_rt::nvrtc`, and objects and archives (`.o`, `.a`) are for [`Linker`](super::Linker). A path that
    /// is not absolute begins in the folder that the process works in, as for [`std::fs::read`]: not in that of the program
    /// or of its source. What is there when the program is compiled can be part of it:
    /// `Module::from_ptx(&context, include_str!("kernels.ptx"))`.
    ///
    /// The file is read here, not by `cuModuleLoad`: that takes no options, keeps the compiler's log to itself, and crashed
    /// on a cubin that was cut (measured, driver 580). So paths may be any that the system takes.
    ///
    /// # Blocking
    ///
    /// Until the file is read, the driver has loaded it, compiled it perhaps, and all kernels of the context that run are done.
    ///
    /// # Errors
    ///
    /// [`File`](crate::error::ErrorKind::File), which names the path, if it cannot be read; and those of
    /// [`from_image`](Module::from_image).
    ///
    /// # Safety
    ///
    /// As for [`from_cubin`](Module::from_cubin), if it is not PTX. For a file that is PTX there is
    /// [`from_ptx`](Module::from_ptx) of what `std::fs::read` gives, which is safe.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Module;
    /// use cuda_rt::error::FileError;
    ///
    /// // SAFETY: there is no such file.
    /// let error = unsafe { Module::from_file(&context, "nowhere.cubin") }.unwrap_err();
    /// assert_eq!(error.context::<FileError>().unwrap().kind, std::io::ErrorKind::NotFound);
    /// assert!(error.to_string().starts_with("file `nowhere.cubin`: "), "{error}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuModuleLoad", "module_from_file"))]
    pub unsafe fn from_file(context: &Context, path: impl AsRef<Path>) -> Result<Module> {
        // SAFETY: the caller's promise.
        unsafe { Self::from_file_with(context, path, &JitOptions::new()) }
    }

    /// As [`from_file`](Module::from_file), with options.
    ///
    /// # Blocking
    ///
    /// Until the file is read, the driver has loaded it, compiled it perhaps, and all kernels of the context that run are done.
    ///
    /// # Errors
    ///
    /// Same as [`from_file`](Module::from_file) and of the options in [`from_ptx_with`](Module::from_ptx_with).
    ///
    /// # Safety
    ///
    /// As for [`from_file`](Module::from_file).
    #[doc(alias("cuModuleLoad", "CUjit_option"))]
    pub unsafe fn from_file_with(
        context: &Context,
        path: impl AsRef<Path>,
        options: &JitOptions,
    ) -> Result<Module> {
        let path = path.as_ref();
        let image =
            std::fs::read(path).map_err(|error| Error::file(path, error.kind(), format_args!("{error}")))?;
        // SAFETY: the caller's promise.
        unsafe { Self::from_image_with(context, image, options) }.map_err(|error| of_file(error, path))
    }
}

/// Returns the error of what was in a file, with its name.
#[cold]
pub(super) fn of_file(error: Error, path: &Path) -> Error {
    match error.kind() {
        ErrorKind::InvalidArgument => {
            Error::file(path, std::io::ErrorKind::InvalidData, format_args!("{error}"))
        }
        ErrorKind::Compilation if error.context::<JitLog>().is_some() => {
            error.with_subject(format_args!("loading `{}`", path.display()))
        }
        _ => error,
    }
}
