//! Code: modules, libraries, the linker, and the functions of kernels.

pub(crate) mod fat_binary;
pub(crate) mod function;
pub(crate) mod image_source;
pub(crate) mod jit_options;
pub(crate) mod library;
pub(crate) mod library_kernel;
pub(crate) mod library_load;
pub(crate) mod linked_image;
pub(crate) mod linker;
pub(crate) mod module;
pub(crate) mod occupancy;
pub(crate) mod verbose_log;
