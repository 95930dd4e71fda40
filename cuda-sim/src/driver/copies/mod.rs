//! Copies and fills of consecutive bytes and of blocks, and decompression.

pub(crate) mod copy_batch;
pub(crate) mod decompress;
pub(crate) mod fill;
pub(crate) mod linear_copy;
pub(crate) mod peer_way;
pub(crate) mod pitched_copy;
pub(crate) mod pitched_entry_points;
