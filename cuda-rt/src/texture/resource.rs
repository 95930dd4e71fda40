//! Resources of texture objects.

use super::limit::{explain_line, explain_rows};
use super::memory::{LinearMemory, PitchedMemory};
use super::texel::plain_bytes;
use super::{ResourceView, RetainedResource};
use crate::array::{Array, ArrayFormat, MipmappedArray};
use crate::context::Context;
use crate::device::DeviceAttribute;
use crate::error::{Error, Limit, Result};
use crate::handle::ensure_not_in_host_function;
use crate::stream::Stream;
use cuda_sys::Symbol;
use cuda_sys::{CUDA_RESOURCE_DESC, CUarray_format, CUresourcetype_enum as Type};

/// Resource of a [texture object](super::TexObject): the array or memory that it samples. [`From`] converts arrays.
///
/// | resource | kernels read it by | filtered |
/// |---|---|---|
/// | array | `tex1D`, `tex2D`, `tex3D`, and the same for layers and cubes | yes |
/// | mipmapped array | the same, with a level of detail | yes |
/// | linear memory | `tex1Dfetch`, by the number of the texel | no |
/// | rows of memory | `tex2D` | yes |
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
/// use cuda_rt::texture::{TexObject, TextureDescriptor, TextureResource};
/// use cuda_rt::DeviceBuf;
/// use cuda_rt::memory::{AccessSize, PitchedBuf};
/// use std::sync::Arc;
///
/// let plain = TextureDescriptor::default();
/// let array = Array::new(&stream, ArrayDescriptor::plane(8, 8, ArrayFormat::FLOAT, 1))?;
/// TexObject::new(&context, &array, &plain)?;
///
/// let buffer = Arc::new(DeviceBuf::from_host(&stream, &[1.0_f32, 2.0])?);
/// TexObject::new(&context, TextureResource::linear(buffer, ArrayFormat::FLOAT, 1), &plain)?;
///
/// let rows = Arc::new(PitchedBuf::<[u8; 4]>::uninit(&stream, 20, 10, AccessSize::Four)?);
/// let rows = TextureResource::pitched(rows, ArrayFormat::UNSIGNED_INT8, 4);
/// TexObject::new(&context, rows, &plain)?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("CUDA_RESOURCE_DESC", "cudaResourceDesc"))]
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum TextureResource {
    /// An array, or one level of a mipmapped array.
    #[doc(alias = "CU_RESOURCE_TYPE_ARRAY")]
    Array(Array),
    /// An array with its levels.
    #[doc(alias = "CU_RESOURCE_TYPE_MIPMAPPED_ARRAY")]
    Mipmapped(MipmappedArray),
    /// A line of texels in plain memory.
    #[doc(alias = "CU_RESOURCE_TYPE_LINEAR")]
    Linear {
        /// The memory.
        memory: LinearMemory,
        /// Format of a channel: one of the first eight [formats](ArrayFormat).
        format: ArrayFormat,
        /// Number of channels of a texel: 1, 2 or 4.
        channels: u32,
    },
    /// Rows of texels in plain memory.
    #[doc(alias = "CU_RESOURCE_TYPE_PITCH2D")]
    Pitched {
        /// The memory.
        memory: PitchedMemory,
        /// Format of a channel: one of the first eight [formats](ArrayFormat).
        format: ArrayFormat,
        /// Number of channels of a texel: 1, 2 or 4.
        channels: u32,
    },
}

impl TextureResource {
    /// Makes a resource of one line of texels.
    pub fn linear(memory: impl Into<LinearMemory>, format: ArrayFormat, channels: u32) -> Self {
        TextureResource::Linear { memory: memory.into(), format, channels }
    }

    /// Makes a resource of rows of texels.
    pub fn pitched(memory: impl Into<PitchedMemory>, format: ArrayFormat, channels: u32) -> Self {
        TextureResource::Pitched { memory: memory.into(), format, channels }
    }

    /// Returns the context that the texels belong to.
    pub fn context(&self) -> &Context {
        match self {
            TextureResource::Array(array) => array.context(),
            TextureResource::Mipmapped(array) => array.context(),
            TextureResource::Linear { memory, .. } => memory.context(),
            TextureResource::Pitched { memory, .. } => memory.context(),
        }
    }

    /// Returns the home stream of an array. The home stream of plain memory is unknown.
    pub(crate) fn home(&self) -> Option<&Stream> {
        match self {
            TextureResource::Array(array) => Some(array.stream()),
            TextureResource::Mipmapped(array) => Some(array.stream()),
            TextureResource::Linear { .. } | TextureResource::Pitched { .. } => None,
        }
    }

    /// Keeps the resource alive for kernels of `context`.
    ///
    /// # Errors
    ///
    /// Same as [`RetainedResource::array`] and [`RetainedResource::demand_access`].
    pub(super) fn keep(&self, context: &Context) -> Result<RetainedResource> {
        const WHAT: &str = "the texture object";
        // Done before the record of access is locked, which other threads hold during driver calls.
        ensure_not_in_host_function(Symbol::cuTexObjectCreate)?;
        match self {
            TextureResource::Array(array) => RetainedResource::array(context, array, WHAT),
            TextureResource::Mipmapped(array) => {
                let kept = RetainedResource::mipmapped(context, array, WHAT)?;
                match kept.demand_access() {
                    Ok(()) => Ok(kept),
                    Err(error) => {
                        kept.release_unused();
                        Err(error)
                    }
                }
            }
            TextureResource::Linear { memory, .. } => Ok(RetainedResource::linear(context, memory)),
            TextureResource::Pitched { memory, .. } => Ok(RetainedResource::pitched(context, memory)),
        }
    }

    /// Returns the driver's form of the resource.
    ///
    /// # Errors
    ///
    /// - The memory, or its pitch, is not aligned for `context`'s device.
    /// - The memory is empty, or its rows are no whole texels.
    /// - Memory cannot have the format or the number of channels.
    /// - The query of an alignment fails.
    pub(super) fn as_raw(&self, context: &Context) -> Result<CUDA_RESOURCE_DESC> {
        let limit = |attribute| -> Result<usize> {
            let limit = context.device().attribute(attribute)?;
            Ok(usize::try_from(limit).unwrap_or(0).max(1))
        };
        let aligned = |address: u64| -> Result<()> {
            let alignment = limit(DeviceAttribute::TEXTURE_ALIGNMENT)?;
            // A remainder is less than the alignment.
            match (address % alignment as u64) as usize {
                0 => Ok(()),
                offset => Err(misaligned(offset, alignment)),
            }
        };
        let mut raw = CUDA_RESOURCE_DESC::default();
        match self {
            TextureResource::Array(array) => {
                raw.resType = Type::CU_RESOURCE_TYPE_ARRAY;
                raw.res.array.hArray = array.as_raw();
            }
            TextureResource::Mipmapped(array) => {
                raw.resType = Type::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
                raw.res.mipmap.hMipmappedArray = array.as_raw();
            }
            TextureResource::Linear { memory, format, channels } => {
                aligned(memory.address)?;
                let bytes = memory.size_bytes();
                whole_texels("size", bytes, *format, *channels)?;
                raw.resType = Type::CU_RESOURCE_TYPE_LINEAR;
                raw.res.linear.devPtr = memory.address;
                raw.res.linear.format = CUarray_format(format.0);
                raw.res.linear.numChannels = *channels;
                raw.res.linear.sizeInBytes = bytes;
            }
            TextureResource::Pitched { memory, format, channels } => {
                aligned(memory.address)?;
                let (pitch, unit) = (memory.pitch(), limit(DeviceAttribute::TEXTURE_PITCH_ALIGNMENT)?);
                if !pitch.is_multiple_of(unit) {
                    return Err(Error::beyond("texture", "pitch", pitch, Limit::MultipleOf(unit)));
                }
                let width = whole_texels("row", memory.row_bytes(), *format, *channels)?;
                if memory.height() == 0 {
                    return Err(Error::empty("texture memory"));
                }
                raw.resType = Type::CU_RESOURCE_TYPE_PITCH2D;
                raw.res.pitch2D.devPtr = memory.address;
                raw.res.pitch2D.format = CUarray_format(format.0);
                raw.res.pitch2D.numChannels = *channels;
                raw.res.pitch2D.width = width;
                raw.res.pitch2D.height = memory.height();
                raw.res.pitch2D.pitchInBytes = pitch;
            }
        }
        Ok(raw)
    }

    /// Refuses views of resources without views, and of levels or layers that do not exist.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the resource is memory, or the range is not inside.
    pub(super) fn check_view(&self, view: &ResourceView) -> Result<()> {
        match self {
            TextureResource::Array(array) => view.check(&array.descriptor(), 1),
            TextureResource::Mipmapped(array) => view.check(&array.descriptor(), array.levels()),
            TextureResource::Linear { .. } | TextureResource::Pitched { .. } => {
                let text = "a resource of memory has no views; use an array";
                Err(Error::invalid("view", format_args!("{text}")))
            }
        }
    }

    /// Adds the limit of `context`'s device that memory has broken to an error.
    pub(super) fn explain_limit(&self, context: &Context, error: Error) -> Error {
        let texels = |bytes, format, channels| whole_texels("", bytes, format, channels).unwrap_or(0);
        match self {
            TextureResource::Linear { memory, format, channels } => {
                let texels = texels(memory.size_bytes(), *format, *channels);
                explain_line(error, context.device(), (*format, *channels), texels)
            }
            TextureResource::Pitched { memory, format, channels } => {
                let width = texels(memory.row_bytes(), *format, *channels);
                let size = [width, memory.height(), memory.pitch()];
                explain_rows(error, context.device(), memory.address, size)
            }
            TextureResource::Array(_) | TextureResource::Mipmapped(_) => error,
        }
    }

    /// Describes the resource for errors.
    pub(super) fn detail(&self) -> String {
        match self {
            TextureResource::Array(array) => array.descriptor().detail(),
            TextureResource::Mipmapped(array) => array.descriptor().detail(),
            TextureResource::Linear { memory, format, channels } => {
                let bytes = memory.size_bytes();
                format!("{bytes} bytes as texels of {channels} channels, format {format}")
            }
            TextureResource::Pitched { memory, format, channels } => {
                let (rows, row_bytes, pitch) = (memory.height(), memory.row_bytes(), memory.pitch());
                format!(
                    "{rows} rows of {row_bytes} bytes, {pitch} bytes apart, as texels of {channels} channels, format {format}"
                )
            }
        }
    }
}

/// Returns the error of texture memory that begins between two addresses where textures can begin.
#[cold]
pub(super) fn misaligned(offset: usize, alignment: usize) -> Error {
    Error::invalid(
        "texture memory",
        format_args!("it begins {offset} bytes after a multiple of {alignment}, and must begin at one"),
    )
}

/// Returns the number of texels of these bytes.
///
/// # Errors
///
/// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the size of texels is unknown, or the last texel is not whole.
fn whole_texels(name: &'static str, bytes: usize, format: ArrayFormat, channels: u32) -> Result<usize> {
    let texel = plain_bytes(format, channels)?;
    if bytes == 0 {
        return Err(Error::empty("texture memory"));
    }
    if !bytes.is_multiple_of(texel) {
        return Err(Error::beyond("texture", name, bytes, Limit::MultipleOf(texel)));
    }
    Ok(bytes.checked_div(texel).unwrap_or(0))
}

impl From<Array> for TextureResource {
    fn from(array: Array) -> Self {
        TextureResource::Array(array)
    }
}

impl From<&Array> for TextureResource {
    fn from(array: &Array) -> Self {
        TextureResource::Array(array.clone())
    }
}

impl From<MipmappedArray> for TextureResource {
    fn from(array: MipmappedArray) -> Self {
        TextureResource::Mipmapped(array)
    }
}

impl From<&MipmappedArray> for TextureResource {
    fn from(array: &MipmappedArray) -> Self {
        TextureResource::Mipmapped(array.clone())
    }
}
