//! Copies and fills, of bytes in a row and of blocks; decompression.

pub(crate) mod copy_batch;
pub(crate) mod decompress;
pub(crate) mod fill;
pub(crate) mod linear_copy;
pub(crate) mod pitched_copy;
pub(crate) mod pitched_entry_points;
