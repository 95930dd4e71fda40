//! Memory that does not begin where textures can begin.

use super::TexRef;
use crate::device::DeviceAttribute;
use crate::error::Result;
use crate::texture::resource::misaligned;

/// Treatment of memory that does not begin where textures can begin, at a multiple of
/// [`TEXTURE_ALIGNMENT`](DeviceAttribute::TEXTURE_ALIGNMENT).
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// # let ptx = ".version 7.0 .target sm_50 .address_size 64 .global .texref line;";
/// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
/// # use cuda_rt::array::ArrayFormat;
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::texture::{LinearMemory, TextureOffset};
/// use std::sync::Arc;
///
/// let line = module.tex_ref("line")?;
/// let samples = Arc::new(DeviceBuf::<f32>::zeroed(&stream, 100)?);
/// let (address, context) = (samples.ptr().add(4), stream.context());
/// // SAFETY: the last 96 elements of the buffer, which is the owner.
/// let memory = unsafe { LinearMemory::from_raw(address, 384, context, samples) };
///
/// let refused = line.set_linear(memory.clone(), ArrayFormat::FLOAT, 1, TextureOffset::Refused).unwrap_err();
/// assert!(refused.to_string().starts_with("texture memory: it begins 16 bytes after"), "{refused}");
/// let offset = line.set_linear(memory, ArrayFormat::FLOAT, 1, TextureOffset::Allowed)?;
/// assert_eq!(offset / size_of::<f32>(), 4); // the number that the kernel must add to its coordinates
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TextureOffset {
    /// Refusal of such memory, with [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument).
    #[default]
    Refused,
    /// Texture that begins before the memory, at such a multiple. The binding call returns the offset of the memory in bytes.
    /// Kernels must add the offset to their coordinates, in texels. If the offset is not a whole number of texels, no texel
    /// begins where the memory begins.
    Allowed,
}

impl TexRef {
    /// Returns the beginning of a texture for memory at `address`.
    pub(super) fn start(&self, address: u64, offset: TextureOffset) -> Result<u64> {
        let alignment = self.context().device().attribute(DeviceAttribute::TEXTURE_ALIGNMENT)?;
        let alignment = u64::try_from(alignment).unwrap_or(0).max(1);
        let beyond = address % alignment;
        if beyond != 0 && offset == TextureOffset::Refused {
            // Both fit an `i32`.
            let (offset, alignment) = (beyond as usize, alignment as usize);
            return Err(misaligned(offset, alignment));
        }
        Ok(address - beyond)
    }
}
