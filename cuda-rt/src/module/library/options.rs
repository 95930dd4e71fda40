//! Options of libraries.

use crate::module::JitOptions;

/// Options of a library, and of its compiler.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::module::{JitOptions, Library, LibraryOptions};
///
/// let options = LibraryOptions::new().jit(JitOptions::new().max_registers(32)).keep_image(true);
/// let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
/// let library = Library::from_ptx_with(ptx, &options)?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUlibraryOption")]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LibraryOptions {
    pub(super) jit: JitOptions,
    pub(super) keeps_image: bool,
}

impl LibraryOptions {
    /// Returns options without any setting.
    #[must_use]
    pub fn new() -> LibraryOptions {
        LibraryOptions::default()
    }

    /// Sets options for the driver's compiler.
    #[must_use]
    pub fn jit(self, jit: JitOptions) -> LibraryOptions {
        LibraryOptions { jit, ..self }
    }

    /// Sets whether the library keeps its image as long as it exists. The driver then knows that it need not copy the image. On
    /// drivers before CUDA 12.0 the library keeps its image in any case.
    #[doc(alias = "CU_LIBRARY_BINARY_IS_PRESERVED")]
    #[must_use]
    pub fn keep_image(self, keep: bool) -> LibraryOptions {
        LibraryOptions { keeps_image: keep, ..self }
    }
}
