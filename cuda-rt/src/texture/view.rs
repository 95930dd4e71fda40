//! Views of arrays by texture objects.

use crate::array::{Array, ArrayDescriptor, ArrayFlags, MipmappedArray};
use crate::error::{Error, Result};
use core::ffi::c_uint;
use core::ops::RangeInclusive;
use cuda_sys::{CUDA_RESOURCE_VIEW_DESC, CUresourceViewFormat};

/// Format of the texels of a [view](ResourceView): any number that some driver knows. Names are those of C, without
/// `CU_RES_VIEW_FORMAT_`.
///
/// Texels of the array and of the view must have the same number of bytes. For a block-compressed format, a texel of the array is
/// a block of 4 × 4 texels of the view. Then the array has [`UNSIGNED_INT32`](crate::array::ArrayFormat::UNSIGNED_INT32). It has
/// 2 channels for [blocks](ViewFormat::block_bytes) of 8 bytes, and 4 channels for blocks of 16 bytes. An array whose own format is
/// block-compressed, such as [`BC1_UNORM`](crate::array::ArrayFormat::BC1_UNORM), cannot have a view.
///
/// ```
/// use cuda_rt::texture::ViewFormat;
///
/// assert_eq!(ViewFormat::UNSIGNED_BC1.to_string(), "UNSIGNED_BC1");
/// assert_eq!(ViewFormat::UNSIGNED_BC1.block_bytes(), Some(8));
/// assert_eq!(ViewFormat::FLOAT_1X32.block_bytes(), None);
/// assert_eq!(ViewFormat(99).to_string(), "ViewFormat(99)");
/// ```
#[doc(alias("CUresourceViewFormat", "cudaResourceViewFormat"))]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewFormat(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/view_format.rs");

impl ViewFormat {
    /// Returns the bytes of a block of 4 × 4 texels. `None` for formats that are not block-compressed, and numbers without a name
    /// here.
    pub fn block_bytes(self) -> Option<usize> {
        match self {
            Self::UNSIGNED_BC1 | Self::UNSIGNED_BC4 | Self::SIGNED_BC4 => Some(8),
            Self::UNSIGNED_BC2
            | Self::UNSIGNED_BC3
            | Self::UNSIGNED_BC5
            | Self::SIGNED_BC5
            | Self::UNSIGNED_BC6H
            | Self::SIGNED_BC6H
            | Self::UNSIGNED_BC7 => Some(16),
            _ => None,
        }
    }
}

/// View of an array by a [texture object](super::TexObject): another format of its texels, some of its levels, some of its
/// layers.
///
/// [`of_array`](ResourceView::of_array) and [`of_mipmapped`](ResourceView::of_mipmapped) view the whole array. The sizes must be
/// those of the array, also if only some levels or layers are viewed. For a block-compressed format the width and height are 4
/// times those of the array, because a texel of the array is a block.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat, MipmappedArray};
/// use cuda_rt::texture::{ResourceView, TexObject, TextureDescriptor, ViewFormat};
///
/// // The two smaller ones of three levels, floating-point numbers viewed as integers.
/// let image = MipmappedArray::new(&stream, ArrayDescriptor::plane(8, 8, ArrayFormat::FLOAT, 1), 3)?;
/// let view = ResourceView::of_mipmapped(&image, ViewFormat::UINT_1X32).with_levels(1..=2);
/// let object = TexObject::with_view(&context, &image, &TextureDescriptor::default(), &view)?;
/// assert_eq!(object.resource_view()?, Some(view));
///
/// // An image of 64 × 64 texels in 16 × 16 blocks.
/// let blocks = Array::new(&stream, ArrayDescriptor::plane(16, 16, ArrayFormat::UNSIGNED_INT32, 2))?;
/// let view = ResourceView::of_array(&blocks, ViewFormat::UNSIGNED_BC1);
/// assert_eq!((view.width, view.height, view.depth), (64, 64, 0));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("CUDA_RESOURCE_VIEW_DESC", "cudaResourceViewDesc"))]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceView {
    /// Format of the texels.
    pub format: ViewFormat,
    /// Number of texels of a row of the largest level.
    pub width: usize,
    /// Number of rows of texels, or 0.
    pub height: usize,
    /// Number of slices or layers of the array, or 0.
    pub depth: usize,
    /// First and last level of the view; 0 to 0 for an array without levels.
    pub levels: RangeInclusive<u32>,
    /// First and last layer of the view; 0 to 0 for an array without layers.
    pub layers: RangeInclusive<u32>,
}

impl ResourceView {
    /// Returns a view of a whole array.
    pub fn of_array(array: &Array, format: ViewFormat) -> Self {
        Self::whole(&array.descriptor(), 1, format)
    }

    /// Returns a view of a whole mipmapped array.
    pub fn of_mipmapped(array: &MipmappedArray, format: ViewFormat) -> Self {
        Self::whole(&array.descriptor(), array.levels(), format)
    }

    fn whole(array: &ArrayDescriptor, levels: u32, format: ViewFormat) -> Self {
        // A number that does not fit exceeds every array.
        let texels = |size: usize| size.saturating_mul(if format.block_bytes().is_some() { 4 } else { 1 });
        let last = u32::try_from(layers(array).saturating_sub(1)).unwrap_or(u32::MAX);
        ResourceView {
            format,
            width: texels(array.width),
            height: texels(array.height),
            depth: array.depth,
            levels: 0..=levels.saturating_sub(1),
            layers: 0..=last,
        }
    }

    /// Selects levels. The first of them becomes level 0.
    #[must_use]
    pub fn with_levels(self, levels: RangeInclusive<u32>) -> Self {
        ResourceView { levels, ..self }
    }

    /// Selects layers. The first of them becomes layer 0.
    ///
    /// In an array of several cubes, each face is a layer. The range must begin and end with a whole cube of six faces. An array
    /// of a single cube, without [`LAYERED`](ArrayFlags::LAYERED), has no layers: its range is 0 to 0.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    /// use cuda_rt::texture::{ResourceView, TexObject, TextureDescriptor, ViewFormat};
    ///
    /// let images = Array::new(&stream, ArrayDescriptor::layered_plane(8, 8, 5, ArrayFormat::FLOAT, 1))?;
    /// let view = ResourceView::of_array(&images, ViewFormat::FLOAT_1X32);
    /// assert_eq!(view.layers, 0..=4);
    /// let two = view.clone().with_layers(2..=3);
    /// TexObject::with_view(&context, &images, &TextureDescriptor::default(), &two)?;
    ///
    /// let beyond = view.with_layers(4..=5);
    /// let error = TexObject::with_view(&context, &images, &TextureDescriptor::default(), &beyond).unwrap_err();
    /// assert_eq!(error.to_string(), "view: range 4..6 exceeds the length 5");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[must_use]
    pub fn with_layers(self, layers: RangeInclusive<u32>) -> Self {
        ResourceView { layers, ..self }
    }

    /// Refuses levels and layers that do not exist, and parts of cubes, which drivers accept.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the range is not inside, or cuts a cube.
    pub(super) fn check(&self, array: &ArrayDescriptor, levels: u32) -> Result<()> {
        inside(&self.levels, levels as usize)?;
        inside(&self.layers, layers(array))?;
        let (first, last) = (*self.layers.start(), *self.layers.end());
        if array.flags.contains(ArrayFlags::LAYERED | ArrayFlags::CUBEMAP) {
            for value in [first, last.saturating_add(1)] {
                if !value.is_multiple_of(FACES) {
                    return Err(Error::invalid(
                        "view",
                        format_args!(
                            "layer {value}, where a cube begins or ends, is not a multiple of {FACES}"
                        ),
                    ));
                }
            }
        }
        Ok(())
    }

    /// Returns the driver's form of the view.
    pub(super) fn as_raw(&self) -> CUDA_RESOURCE_VIEW_DESC {
        CUDA_RESOURCE_VIEW_DESC {
            format: CUresourceViewFormat(self.format.0),
            width: self.width,
            height: self.height,
            depth: self.depth,
            firstMipmapLevel: *self.levels.start(),
            lastMipmapLevel: *self.levels.end(),
            firstLayer: *self.layers.start(),
            lastLayer: *self.layers.end(),
            reserved: [0 as c_uint; 16],
        }
    }

    /// Returns the view for the driver's form.
    pub(super) fn from_raw(raw: &CUDA_RESOURCE_VIEW_DESC) -> Self {
        ResourceView {
            format: ViewFormat(raw.format.0),
            width: raw.width,
            height: raw.height,
            depth: raw.depth,
            levels: raw.firstMipmapLevel..=raw.lastMipmapLevel,
            layers: raw.firstLayer..=raw.lastLayer,
        }
    }

    /// Describes the view for errors.
    pub(super) fn detail(&self) -> String {
        let ResourceView { format, width, height, depth, .. } = self;
        format!("a view of {width} x {height} x {depth} texels, format {format}")
    }
}

/// Number of layers of a cube.
const FACES: u32 = 6;

/// Returns the number of layers of an array; 1 without layers.
fn layers(array: &ArrayDescriptor) -> usize {
    if array.flags.contains(ArrayFlags::LAYERED) { array.depth } else { 1 }
}

fn inside(range: &RangeInclusive<u32>, len: usize) -> Result<()> {
    let (start, end) = (*range.start() as usize, (*range.end() as usize).saturating_add(1));
    if range.is_empty() {
        let end = *range.end() as usize;
        return Err(Error::out_of_bounds("view", start, end, len));
    }
    if end > len {
        return Err(Error::out_of_bounds("view", start, end, len));
    }
    Ok(())
}
