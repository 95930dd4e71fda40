//! Loading code from files.

#![allow(unsafe_code)]

use super::jit::JitArguments;
use super::{JitLog, JitOptions, Module};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use std::path::Path;

impl Module {
    /// Loads a cubin, a fat binary or PTX from a file, distinguished by the first bytes.
    ///
    /// `nvcc -cubin`, `nvcc -fatbin` and `nvcc -ptx` write such files. The name of the file does not matter. `cuda_rt::nvrtc`
    /// compiles CUDA C++ (`.cu`), and a [`Linker`](super::Linker) takes objects and archives (`.o`, `.a`). A relative path begins
    /// in the working directory of the process, as for [`std::fs::read`]: not in the directory of the program or of its source. A
    /// file that exists when the program is compiled can be a part of the program: `Module::from_ptx(&context,
    /// include_str!("kernels.ptx"))`.
    ///
    /// This function reads the file itself and does not call `cuModuleLoad`, which takes no options and returns no log. The path
    /// may be any path of the system.
    ///
    /// # Blocking
    ///
    /// Until the file is read, the driver has loaded the image, perhaps compiled it, and all running kernels of the context are
    /// done.
    ///
    /// # Errors
    ///
    /// - [`File`](crate::error::ErrorKind::File), which names the path: the file cannot be read, or its content is not
    ///   one that [`from_image`](Module::from_image) accepts.
    /// - Otherwise same as [`from_image`](Module::from_image).
    ///
    /// # Safety
    ///
    /// Same as [`from_cubin`](Module::from_cubin), unless the file is PTX. For PTX, [`from_ptx`](Module::from_ptx) with the
    /// result of `std::fs::read` is safe.
    ///
    /// # Driver notes
    ///
    /// `cuModuleLoad` of driver 580 crashed on a truncated cubin.
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

    /// Loads a file with options. Otherwise the same as [`from_file`](Module::from_file).
    ///
    /// # Blocking
    ///
    /// Same as [`from_file`](Module::from_file).
    ///
    /// # Errors
    ///
    /// Same as [`from_file`](Module::from_file), and for the options the same as [`from_ptx_with`](Module::from_ptx_with).
    ///
    /// # Safety
    ///
    /// Same as [`from_file`](Module::from_file).
    #[doc(alias("cuModuleLoad", "CUjit_option"))]
    pub unsafe fn from_file_with(
        context: &Context,
        path: impl AsRef<Path>,
        options: &JitOptions,
    ) -> Result<Module> {
        let path = path.as_ref();
        // A refusal of the options is no error of the file.
        drop(JitArguments::new(options)?);
        let image =
            std::fs::read(path).map_err(|error| Error::file(path, error.kind(), format_args!("{error}")))?;
        // SAFETY: the caller's promise.
        unsafe { Self::from_image_with(context, image, options) }
            .map_err(|error| of_content(error, path))
            .map_err(|error| of_compilation(error, path))
    }
}

/// Makes an error of the file of a refusal of its content.
#[cold]
pub(super) fn of_content(error: Error, path: &Path) -> Error {
    match error.kind() {
        ErrorKind::InvalidArgument => {
            Error::file(path, std::io::ErrorKind::InvalidData, format_args!("{error}"))
        }
        _ => error,
    }
}

/// Adds the name of a file to the compiler's messages about its content.
#[cold]
pub(super) fn of_compilation(error: Error, path: &Path) -> Error {
    match error.context::<JitLog>() {
        Some(_) if error.kind() == ErrorKind::Compilation => {
            error.with_subject(format_args!("loading `{}`", path.display()))
        }
        _ => error,
    }
}
