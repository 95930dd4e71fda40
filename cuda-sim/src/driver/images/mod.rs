//! Arrays, and the texture and surface references and objects that kernels read them through.

pub(crate) mod array;
pub(crate) mod array_format;
pub(crate) mod array_limits;
pub(crate) mod array_memory;
pub(crate) mod external_image;
pub(crate) mod image_tables;
pub(crate) mod linear_texture_limits;
pub(crate) mod mapped_memory;
pub(crate) mod object_ids;
pub(crate) mod surface_reference;
pub(crate) mod tensor_map;
pub(crate) mod texture_descriptor;
pub(crate) mod texture_object;
pub(crate) mod texture_reference;
pub(crate) mod texture_reference_queries;
