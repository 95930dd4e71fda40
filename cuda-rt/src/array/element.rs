//! Host types that are elements of arrays.

use super::format::ArrayFormat;

/// A type with the layout of an array's element: it names the format and the number of channels of the array.
///
/// The trait is implemented for numbers, and for arrays of two and four of them. A type of the program can implement it. If the
/// type has another size than its format and channels, making an array of it fails.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::array::{Array, ArrayElement, ArrayFormat, Order};
/// use cuda_rt::bytemuck::{Pod, Zeroable, self};
///
/// #[derive(Clone, Copy)]
/// #[repr(C)]
/// struct Colour {
///     red: u8,
///     green: u8,
///     blue: u8,
///     alpha: u8,
/// }
/// // SAFETY: bytes without gaps, of which all are valid.
/// unsafe impl Zeroable for Colour {}
/// // SAFETY: as above.
/// unsafe impl Pod for Colour {}
/// impl ArrayElement for Colour {
///     const FORMAT: ArrayFormat = ArrayFormat::UNSIGNED_INT8;
///     const CHANNELS: u32 = 4;
/// }
///
/// let orange = Colour { red: 255, green: 165, blue: 0, alpha: 255 };
/// let image = Array::from_matrix(&stream, &[orange; 6], 2, 3, Order::RowMajor)?;
/// assert_eq!(image.descriptor().channels, 4);
///
/// // Textures have no numbers of 64 bits. They are arrays of two halves each, which a kernel combines.
/// let numbers = [1.0_f64, 2.0, 3.0];
/// let line = Array::from_line(&stream, bytemuck::cast_slice::<f64, [i32; 2]>(&numbers))?;
/// let back = line.to_vec::<[i32; 2]>()?;
/// assert_eq!(bytemuck::cast_slice::<[i32; 2], f64>(&back), numbers);
/// // The same holds for complex numbers: `[i32; 2]` or `[f32; 2]` for two `f32`, `[i32; 4]` for two `f64`.
/// let complex = [[1.0_f64, -1.0], [0.0, 2.0]];
/// Array::from_line(&stream, bytemuck::cast_slice::<[f64; 2], [i32; 4]>(&complex))?;
///
/// // Half-precision numbers: their bits, with a matching descriptor.
/// use cuda_rt::array::ArrayDescriptor;
/// let (one, two) = (0x3c00_u16, 0x4000);
/// Array::from_host(&stream, ArrayDescriptor::line(2, ArrayFormat::HALF, 1), &[one, two])?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub trait ArrayElement {
    /// Format of a channel.
    const FORMAT: ArrayFormat;
    /// Number of channels.
    const CHANNELS: u32;
}

macro_rules! elements {
    ($($scalar:ty: $format:ident,)*) => {$(
        impl ArrayElement for $scalar {
            const FORMAT: ArrayFormat = ArrayFormat::$format;
            const CHANNELS: u32 = 1;
        }

        impl ArrayElement for [$scalar; 2] {
            const FORMAT: ArrayFormat = ArrayFormat::$format;
            const CHANNELS: u32 = 2;
        }

        impl ArrayElement for [$scalar; 4] {
            const FORMAT: ArrayFormat = ArrayFormat::$format;
            const CHANNELS: u32 = 4;
        }
    )*};
}
elements! {
    u8: UNSIGNED_INT8,
    u16: UNSIGNED_INT16,
    u32: UNSIGNED_INT32,
    i8: SIGNED_INT8,
    i16: SIGNED_INT16,
    i32: SIGNED_INT32,
    f32: FLOAT,
}

/// Order of a matrix or a volume in memory, for [`Array::from_matrix`](super::Array::from_matrix). The elements stay where they
/// are: the order decides which of the sizes is the width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The last index varies fastest: C's order, PyCUDA's `"C"`.
    RowMajor,
    /// The first index varies fastest: Fortran's order, PyCUDA's `"F"`.
    ColumnMajor,
}
