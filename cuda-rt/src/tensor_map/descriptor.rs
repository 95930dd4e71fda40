//! Descriptions of tensors, and of the boxes that copies transfer.

use super::{Im2colWideMode, TensorDataType, TensorFill, TensorInterleave, TensorL2Promotion, TensorSwizzle};
use crate::memory::DevicePtr;

/// A tensor in global memory, and the way in which copies read and write it. The first dimension is the innermost: its elements
/// are adjacent.
///
/// ```
/// use cuda_rt::DevicePtr;
/// use cuda_rt::tensor_map::{Tensor, TensorDataType, TensorSwizzle};
///
/// let address = DevicePtr::<f32>::from_raw(0x1000);
/// let plain = Tensor::new(TensorDataType::FLOAT32, address, &[64, 32], &[256]); // 32 rows of 64 elements
/// let swizzled = Tensor { swizzle: TensorSwizzle::SPAN_128, ..plain };
/// assert_eq!(swizzled.dims, [64, 32]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tensor<'a> {
    /// Type of the elements. Types of 16 packed numbers need a device of compute capability 10.0 or higher.
    pub data_type: TensorDataType,
    /// Address of the first element: a multiple of 16. A multiple of 32 with [`TensorInterleave::BYTES_32`], and for types of 16
    /// packed numbers with gaps.
    pub address: DevicePtr<()>,
    /// Elements along each dimension: 1 to 5 numbers, each from 1 to 2^31. Drivers accept up to 2^32.
    ///
    /// For types of 16 packed numbers, the first dimension has an even number of elements. With gaps, it has a
    /// multiple of 128.
    ///
    /// Interleaved tensors have at least 3 dimensions: width, then height and depth if the image has them, slices of channels,
    /// images. An element of the width is a whole slice of channels.
    pub dims: &'a [u64],
    /// Bytes between neighbouring elements along each dimension except the first: multiples of 16 below 2^40. Multiples of 32
    /// with [`TensorInterleave::BYTES_32`], and for types of 16 packed numbers with gaps.
    pub strides: &'a [u64],
    /// Layout of the channels. [`NONE`](TensorInterleave::NONE) by default. The type
    /// [`PACKED_16U6_ALIGN16B`](TensorDataType::PACKED_16U6_ALIGN16B) allows no other layout.
    pub interleave: TensorInterleave,
    /// Order of the chunks of a row in shared memory. [`NONE`](TensorSwizzle::NONE) by default.
    ///
    /// [`TensorInterleave::BYTES_32`] needs [`SPAN_32`](TensorSwizzle::SPAN_32). Swizzles with `ATOM` in their names
    /// need a device of compute capability 10.0 or higher.
    ///
    /// Types of 16 packed numbers with gaps need [`NONE`](TensorSwizzle::NONE), [`SPAN_128`](TensorSwizzle::SPAN_128)
    /// or [`SPAN_128_ATOM_32`](TensorSwizzle::SPAN_128_ATOM_32). Stores of
    /// [`PACKED_16U6_ALIGN16B`](TensorDataType::PACKED_16U6_ALIGN16B) can also use
    /// [`SPAN_128_ATOM_64`](TensorSwizzle::SPAN_128_ATOM_64).
    pub swizzle: TensorSwizzle,
    /// Size of the requests to device memory. [`NONE`](TensorL2Promotion::NONE) by default.
    pub l2_promotion: TensorL2Promotion,
    /// Value of elements outside the tensor. [`ZERO`](TensorFill::ZERO) by default; [`NAN`](TensorFill::NAN) is for
    /// floating-point types.
    pub fill: TensorFill,
}

impl<'a> Tensor<'a> {
    /// Describes a tensor without interleaving and swizzling, with zeros outside.
    ///
    /// [`TensorDataType::packed_strides`] computes the strides of a tensor without padding.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::DevicePtr;
    /// use cuda_rt::tensor_map::{Tensor, TensorDataType, TensorFill};
    ///
    /// let tensor = Tensor::new(TensorDataType::UINT8, DevicePtr::<u8>::from_raw(0x1000), &[100], &[]);
    /// assert_eq!(tensor.fill, TensorFill::ZERO);
    /// ```
    pub const fn new<T>(
        data_type: TensorDataType,
        address: DevicePtr<T>,
        dims: &'a [u64],
        strides: &'a [u64],
    ) -> Tensor<'a> {
        Tensor {
            data_type,
            address: address.cast(),
            dims,
            strides,
            interleave: TensorInterleave::NONE,
            swizzle: TensorSwizzle::NONE,
            l2_promotion: TensorL2Promotion::NONE,
            fill: TensorFill::ZERO,
        }
    }
}

/// A box of elements, which one copy transfers. The kernel gives the coordinates of the box.
///
/// The elements of a copy have at most as many bytes as a multiprocessor has shared memory:
/// [`MAX_SHARED_MEMORY_PER_MULTIPROCESSOR`](crate::device::DeviceAttribute::MAX_SHARED_MEMORY_PER_MULTIPROCESSOR).
///
/// ```
/// use cuda_rt::tensor_map::TiledBox;
///
/// let every_other_row = TiledBox { element_strides: &[1, 2], ..TiledBox::new(&[32, 8]) };
/// assert_eq!(every_other_row.dims, [32, 8]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TiledBox<'a> {
    /// Elements along each dimension of the tensor: 1 to 256. A row has a multiple of 16 bytes. Without interleaving, it has at
    /// most as many bytes as [`TensorSwizzle::span_bytes`]. In shared memory, swizzled rows begin at multiples of the span.
    ///
    /// For types of 16 packed numbers with gaps, a row has exactly 128 elements.
    pub dims: &'a [u32],
    /// Step along each dimension of the tensor: 1 to 8. A copy transfers every `step`th element of the box. An empty slice stands
    /// for 1 along each dimension. Without interleaving, hardware ignores the first step.
    pub element_strides: &'a [u32],
}

impl<'a> TiledBox<'a> {
    /// Describes a box without steps.
    pub const fn new(dims: &'a [u32]) -> TiledBox<'a> {
        TiledBox { dims, element_strides: &[] }
    }
}

/// The columns of an image that a copy transfers, for convolutions. The tensor has 3 to 5 dimensions: channels, width, then
/// height and depth if the image has them, and images.
///
/// Each image has a bounding box, from `lower_corner` to the last pixel plus `upper_corner`. The box has at least one
/// pixel. A copy begins at the pixel that the kernel gives, and transfers `pixels_per_column` pixels of the box, row by
/// row and image by image. The kernel also gives offsets, which move all pixels. The size of a copy is limited as for a
/// [`TiledBox`].
///
/// ```
/// use cuda_rt::tensor_map::Im2col;
///
/// // the positions of the upper left corner of a filter of 3 by 3, with a border of 1
/// let columns = Im2col::new(&[-1, -1], &[-1, -1], 64, 128);
/// assert_eq!(columns.pixels_per_column, 128);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Im2col<'a> {
    /// First pixel of the bounding box: width, height, depth; two numbers fewer than the tensor has dimensions. Tensors with 3
    /// dimensions allow -32,768 to 32,767; with 4, -128 to 127; with 5, -16 to 15.
    pub lower_corner: &'a [i32],
    /// Last pixel of the bounding box, counted from the last pixel of the image. In the same order and within the same limits.
    pub upper_corner: &'a [i32],
    /// Channels of each pixel that a copy transfers: 1 to 256. Rules of a row: see [`TiledBox::dims`].
    pub channels_per_pixel: u32,
    /// Pixels that a copy transfers: 1 to 1024.
    pub pixels_per_column: u32,
    /// Step along each dimension of the tensor: 1 to 8. An empty slice stands for 1 along each dimension.
    pub element_strides: &'a [u32],
}

impl<'a> Im2col<'a> {
    /// Describes columns without steps.
    pub const fn new(
        lower_corner: &'a [i32],
        upper_corner: &'a [i32],
        channels_per_pixel: u32,
        pixels_per_column: u32,
    ) -> Im2col<'a> {
        Im2col { lower_corner, upper_corner, channels_per_pixel, pixels_per_column, element_strides: &[] }
    }
}

/// The columns that a copy transfers along the width of an image only. The tensor has the dimensions that
/// [`Im2col`] describes. Needs a device of compute capability 10.0 or higher.
///
/// ```
/// use cuda_rt::tensor_map::{Im2colWide, Im2colWideMode};
///
/// let columns = Im2colWide { mode: Im2colWideMode::W128, ..Im2colWide::new(-1, 1, 64, 128) };
/// assert_eq!(columns.lower_corner, -1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Im2colWide<'a> {
    /// First pixel of the bounding box along the width: -32,768 to 32,767.
    pub lower_corner: i32,
    /// Last pixel of the bounding box along the width, counted from the last pixel of the image: -32,768 to 32,767.
    pub upper_corner: i32,
    /// Channels of each pixel that a copy transfers: 1 to 256. Rules of a row: see [`TiledBox::dims`].
    pub channels_per_pixel: u32,
    /// Pixels that a copy transfers: 1 to 1024. [`Im2colWideMode::W128`] ignores this number.
    pub pixels_per_column: u32,
    /// Step along each dimension of the tensor: 1 to 8. An empty slice stands for 1 along each dimension.
    pub element_strides: &'a [u32],
    /// Number of pixels that a copy transfers. [`W`](Im2colWideMode::W) by default.
    pub mode: Im2colWideMode,
}

impl Im2colWide<'_> {
    /// Describes columns without steps, in mode [`W`](Im2colWideMode::W).
    pub const fn new(
        lower_corner: i32,
        upper_corner: i32,
        channels_per_pixel: u32,
        pixels_per_column: u32,
    ) -> Self {
        let mode = Im2colWideMode::W;
        Im2colWide {
            lower_corner,
            upper_corner,
            channels_per_pixel,
            pixels_per_column,
            element_strides: &[],
            mode,
        }
    }
}
