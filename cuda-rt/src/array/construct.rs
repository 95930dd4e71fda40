//! Arrays made of existing data.

use super::{Array, ArrayDescriptor, ArrayElement, ArrayFlags, Order};
use crate::error::{Error, Result};
use crate::memory::DeviceSlice;
use crate::stream::Stream;
use bytemuck::NoUninit;

impl Array {
    /// Makes an array with the elements of host memory: row after row, slice after slice, layer after layer, without gaps. If the
    /// format is block-compressed, the elements are blocks.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done, including the copy. If another thread is unregistering the
    /// host memory, the call first waits for that.
    ///
    /// # Errors
    ///
    /// Same as [`Array::new`] and [`Array::copy_all_from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    ///
    /// let faces: Vec<f32> = (0_u8..6).flat_map(|face| [f32::from(face); 4]).collect();
    /// let cube = ArrayDescriptor::cubemap(2, ArrayFormat::FLOAT, 1).surface();
    /// let cube = Array::from_host(&stream, cube, &faces)?;
    /// assert_eq!(cube.to_vec::<f32>()?, faces);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("np_to_array", "cuArrayCreate", "cuArray3DCreate"))]
    pub fn from_host<T: NoUninit>(
        stream: &Stream,
        descriptor: ArrayDescriptor,
        elements: &[T],
    ) -> Result<Array> {
        descriptor.takes_all::<T>(elements.len(), true)?;
        let array = Array::new(stream, descriptor)?;
        array.copy_all_from_host(elements)?;
        Ok(array)
    }

    /// Makes an array with elements of device memory, in the order of [`Array::from_host`].
    ///
    /// # Blocking
    ///
    /// Does not wait, except between devices: while another thread disables access between them.
    ///
    /// # Errors
    ///
    /// Same as [`Array::new`] and [`Array::copy_all_from_device`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    ///
    /// let numbers = DeviceBuf::from_host(&stream, &[1_i16, 2, 3, 4, 5, 6])?;
    /// let descriptor = ArrayDescriptor::plane(3, 2, ArrayFormat::SIGNED_INT16, 1);
    /// let array = Array::from_device(&stream, descriptor, numbers.as_slice())?;
    /// assert_eq!(array.to_vec::<i16>()?, [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("gpuarray_to_array"))]
    pub fn from_device<T>(
        stream: &Stream,
        descriptor: ArrayDescriptor,
        elements: DeviceSlice<'_, T>,
    ) -> Result<Array> {
        descriptor.takes_all::<T>(elements.len(), true)?;
        let array = Array::new(stream, descriptor)?;
        array.copy_all_from_device(elements)?;
        Ok(array)
    }

    /// Makes an array of one dimension with elements of host memory.
    ///
    /// # Blocking
    ///
    /// Same as [`Array::from_host`].
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there are no elements.
    /// - Same as [`Array::from_host`].
    pub fn from_line<T: ArrayElement + NoUninit>(stream: &Stream, elements: &[T]) -> Result<Array> {
        not_empty("line", &[elements.len()])?;
        Array::from_host(stream, ArrayDescriptor::line(elements.len(), T::FORMAT, T::CHANNELS), elements)
    }

    /// Makes an array of two dimensions with the elements of a matrix, in the same order.
    ///
    /// - In [row-major](Order::RowMajor) order, the element (x, y) lies in row y and column x.
    /// - In [column-major](Order::ColumnMajor) order, the element (x, y) lies in row x and column y.
    ///
    /// # Blocking
    ///
    /// Same as [`Array::from_host`].
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there are no rows or columns, or the number of elements
    ///   is not rows times columns.
    /// - Same as [`Array::from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{Array, Order};
    ///
    /// // Two rows of three columns, row after row.
    /// let array = Array::from_matrix(&stream, &[11.0_f32, 12.0, 13.0, 21.0, 22.0, 23.0], 2, 3, Order::RowMajor)?;
    /// assert_eq!((array.descriptor().width, array.descriptor().height), (3, 2));
    /// // The same matrix, column after column.
    /// let array = Array::from_matrix(&stream, &[11.0_f32, 21.0, 12.0, 22.0, 13.0, 23.0], 2, 3, Order::ColumnMajor)?;
    /// assert_eq!((array.descriptor().width, array.descriptor().height), (2, 3));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("matrix_to_array"))]
    pub fn from_matrix<T: ArrayElement + NoUninit>(
        stream: &Stream,
        elements: &[T],
        rows: usize,
        columns: usize,
        order: Order,
    ) -> Result<Array> {
        not_empty("matrix", &[rows, columns])?;
        let (width, height) = match order {
            Order::RowMajor => (columns, rows),
            Order::ColumnMajor => (rows, columns),
        };
        Array::from_host(stream, ArrayDescriptor::plane(width, height, T::FORMAT, T::CHANNELS), elements)
    }

    /// Makes an array of two dimensions from a matrix with channels. The channels of an element are adjacent.
    ///
    /// In [row-major](Order::RowMajor) order the shape is rows, columns, channels. In [column-major](Order::ColumnMajor) order
    /// the shape is channels, columns, rows. The layout in memory is the same for both: the element (x, y) is in row y and column
    /// x.
    ///
    /// # Blocking
    ///
    /// Same as [`Array::from_host`].
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a number of the shape is 0, or the product of the shape
    ///   is not the count of the numbers.
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue): there are not 1, 2 or 4 channels.
    /// - Same as [`Array::from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{Array, Order};
    ///
    /// let numbers = [1_u8, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    /// let rows = Array::from_channels(&stream, &numbers, [3, 2, 2], Order::RowMajor)?;
    /// assert_eq!(rows.to_vec::<[u8; 2]>()?[1], [3, 4]); // row 0, column 1
    /// let columns = Array::from_channels(&stream, &numbers, [2, 2, 3], Order::ColumnMajor)?;
    /// assert_eq!(columns.descriptor(), rows.descriptor());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("make_multichannel_2d_array"))]
    pub fn from_channels<T: ArrayElement + NoUninit>(
        stream: &Stream,
        numbers: &[T],
        shape: [usize; 3],
        order: Order,
    ) -> Result<Array> {
        not_empty("matrix with channels", &shape)?;
        let [height, width, channels] = match order {
            Order::RowMajor => shape,
            Order::ColumnMajor => [shape[2], shape[1], shape[0]],
        };
        // A number that does not fit exceeds every limit, and the driver refuses it.
        let in_all = u32::try_from(channels).unwrap_or(u32::MAX).saturating_mul(T::CHANNELS);
        let descriptor = ArrayDescriptor::plane(width, height, T::FORMAT, in_all);
        descriptor.takes_elements_of(size_of::<T>().saturating_mul(channels))?;
        let product = shape.into_iter().try_fold(1_usize, usize::checked_mul);
        let overflow = || Error::shape_overflow("array", &shape, size_of::<T>());
        let (source_len, destination_len) = (numbers.len(), product.ok_or_else(overflow)?);
        if source_len != destination_len {
            return Err(Error::length_mismatch("array", source_len, destination_len));
        }
        let array = Array::new(stream, descriptor)?;
        array.copy_numbers_from_host(numbers)?;
        Ok(array)
    }

    /// Makes an array of three dimensions with the elements of a volume. With [`ArrayFlags::LAYERED`] the array has layers. The
    /// elements stay in their order.
    ///
    /// - In [row-major](Order::RowMajor) order, the shape is slices, rows, columns. The element (x, y, z) lies in slice z,
    ///   row y and column x.
    /// - In [column-major](Order::ColumnMajor) order, the shape is width, height, depth.
    ///
    /// # Blocking
    ///
    /// Same as [`Array::from_host`].
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a number of the shape is 0, or the product of the shape
    ///   is not the count of the elements.
    /// - Same as [`Array::from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{Array, ArrayFlags, Order};
    ///
    /// let numbers: Vec<u16> = (0..24).collect();
    /// let volume = Array::from_volume(&stream, &numbers, [2, 3, 4], Order::RowMajor, ArrayFlags::SURFACE_LDST)?;
    /// assert_eq!((volume.descriptor().width, volume.descriptor().depth), (4, 2));
    /// let layers = Array::from_volume(&stream, &numbers, [4, 3, 2], Order::ColumnMajor, ArrayFlags::LAYERED)?;
    /// assert_eq!((layers.descriptor().width, layers.descriptor().depth), (4, 2));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("np_to_array"))]
    pub fn from_volume<T: ArrayElement + NoUninit>(
        stream: &Stream,
        elements: &[T],
        shape: [usize; 3],
        order: Order,
        flags: ArrayFlags,
    ) -> Result<Array> {
        not_empty("volume", &shape)?;
        let [width, height, depth] = match order {
            Order::RowMajor => [shape[2], shape[1], shape[0]],
            Order::ColumnMajor => shape,
        };
        let descriptor = ArrayDescriptor::volume(width, height, depth, T::FORMAT, T::CHANNELS);
        Array::from_host(stream, descriptor.with_flags(flags), elements)
    }
}

/// Refuses a size of 0, which would make an array of fewer dimensions.
fn not_empty(what: &'static str, shape: &[usize]) -> Result<()> {
    match shape.iter().position(|size| *size == 0) {
        Some(index) => Err(Error::empty_shape(what, shape, index)),
        None => Ok(()),
    }
}
