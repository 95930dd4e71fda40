//! Parts that the fuzz targets share.

pub mod caller;
pub mod interface;
pub mod mutate;
pub mod session;
pub mod source;
