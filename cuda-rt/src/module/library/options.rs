//! What the driver is told about a library.

use crate::module::JitOptions;

/// What the driver is told about a library, and its compiler.
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
    /// No options.
    #[must_use]
    pub fn new() -> LibraryOptions {
        LibraryOptions::default()
    }

    /// Options for the driver's compiler.
    #[must_use]
    pub fn jit(self, jit: JitOptions) -> LibraryOptions {
        LibraryOptions { jit, ..self }
    }

    /// Keeps the image as long as the library, and tells the driver so, which may then do without a copy of its own.
    /// Drivers before CUDA 12.0 are given the image of the library in any case.
    #[doc(alias = "CU_LIBRARY_BINARY_IS_PRESERVED")]
    #[must_use]
    pub fn keep_image(self, keep: bool) -> LibraryOptions {
        LibraryOptions { keeps_image: keep, ..self }
    }
}
