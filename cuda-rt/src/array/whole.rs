//! Copies of whole arrays.

use super::{Array, ArrayDescriptor};
use crate::error::{Error, Result};
use crate::memory::{CopyDestination, CopySource, DeviceSlice, DeviceSliceMut, Memcpy3D};
use bytemuck::{AnyBitPattern, NoUninit};

impl ArrayDescriptor {
    /// Returns the bytes of an element, or of a block. Refuses another size than `element_bytes`.
    pub(super) fn takes_elements_of(&self, element_bytes: usize) -> Result<usize> {
        let array_bytes = self.shape().unit_bytes.ok_or_else(|| self.unknown_size())?;
        if element_bytes == array_bytes {
            Ok(array_bytes)
        } else {
            Err(Error::invalid(
                "array",
                format_args!(
                    "elements of {element_bytes} bytes do not fit an array whose elements, or blocks of them, have {array_bytes} bytes"
                ),
            ))
        }
    }

    #[cold]
    fn unknown_size(&self) -> Error {
        let format = self.format;
        Error::invalid(
            "array",
            format_args!(
                "the size of elements of format {format} is not known; copy rows of bytes, or planes"
            ),
        )
    }

    /// Returns the number of elements, or of blocks of a block-compressed format. Refuses another size than that of `T`.
    fn len_of<T>(&self) -> Result<usize> {
        let array_bytes = self.takes_elements_of(size_of::<T>())?;
        let shape = self.shape();
        let len = shape.width.checked_mul(shape.rows).and_then(|len| len.checked_mul(shape.slices));
        let fits = len.filter(|len| len.checked_mul(array_bytes).is_some());
        fits.ok_or_else(|| Error::size_overflow("array", len.unwrap_or(usize::MAX), array_bytes))
    }

    /// Refuses another number of elements of type `T` than the array has.
    pub(super) fn takes_all<T>(&self, len: usize, is_source: bool) -> Result<()> {
        let own = self.len_of::<T>()?;
        let (source_len, destination_len) = if is_source { (len, own) } else { (own, len) };
        if source_len == destination_len {
            Ok(())
        } else {
            Err(Error::length_mismatch("array", source_len, destination_len))
        }
    }
}

impl Array {
    /// Overwrites the whole array with host memory: row after row, slice after slice, layer after layer, without gaps. For a
    /// block-compressed format the elements are blocks. Wraps `cuMemcpy2DAsync` and `cuMemcpy3DAsync`.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done, including the copy. If another thread is unregistering the
    /// host memory, the call first waits for that.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): `T` has another size than
    ///   an element of the array, or `elements` has another length than the array.
    /// - The same kind: this crate does not know the size of an element, as for video formats with
    ///   planes.
    /// - Same as [`Memcpy3D::copy`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    ///
    /// let layers = ArrayDescriptor::layered_line(2, 2, ArrayFormat::FLOAT, 2);
    /// let layers = Array::new(&stream, layers)?;
    /// layers.copy_all_from_host(&[[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])?;
    /// let mut on_device = DeviceBuf::<[f32; 2]>::zeroed(&stream, 4)?;
    /// layers.copy_all_to_device(on_device.as_slice_mut())?;
    /// layers.copy_all_from_host(&[[0.0_f32; 2]; 4])?;
    /// layers.copy_all_from_device(on_device.as_slice())?;
    /// let mut on_host = [[0.0_f32; 2]; 4];
    /// layers.copy_all_to_host(&mut on_host)?;
    /// assert_eq!(on_host[3], [7.0, 8.0]);
    ///
    /// let error = layers.copy_all_from_host(&[1.0_f32; 8]).unwrap_err();
    /// let text = error.to_string();
    /// assert!(text.starts_with("array: elements of 4 bytes do not fit an array"), "{text}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuMemcpy2D", "cuMemcpy3D"))]
    pub fn copy_all_from_host<T: NoUninit>(&self, elements: &[T]) -> Result<()> {
        self.0.descriptor.takes_all::<T>(elements.len(), true)?;
        self.all(CopyDestination::array(self), CopySource::host(elements))
    }

    /// Copies the whole array to host memory, in the order of [`Array::copy_all_from_host`].
    ///
    /// # Blocking
    ///
    /// Same as [`Array::copy_all_from_host`].
    ///
    /// # Errors
    ///
    /// Same as [`Array::copy_all_from_host`].
    #[doc(alias("cuMemcpy2D", "cuMemcpy3D"))]
    pub fn copy_all_to_host<T: AnyBitPattern>(&self, elements: &mut [T]) -> Result<()> {
        self.0.descriptor.takes_all::<T>(elements.len(), false)?;
        self.all(CopyDestination::host(elements), CopySource::array(self))
    }

    /// Overwrites the whole array with device memory, in the order of [`Array::copy_all_from_host`]. Wraps
    /// `cuMemcpy2DAsync` and `cuMemcpy3DAsync`; `cuMemcpy3DPeerAsync` between contexts.
    ///
    /// # Blocking
    ///
    /// Does not wait, except between devices: while another thread disables access between them.
    ///
    /// # Errors
    ///
    /// Same as [`Array::copy_all_from_host`].
    #[doc(alias("cuMemcpy2D", "cuMemcpy3D"))]
    pub fn copy_all_from_device<T>(&self, elements: DeviceSlice<'_, T>) -> Result<()> {
        self.0.descriptor.takes_all::<T>(elements.len(), true)?;
        self.all(CopyDestination::array(self), CopySource::device(elements))
    }

    /// Copies the whole array to device memory, in the order of [`Array::copy_all_from_host`].
    ///
    /// # Blocking
    ///
    /// Same as [`Array::copy_all_from_device`].
    ///
    /// # Errors
    ///
    /// Same as [`Array::copy_all_from_host`].
    #[doc(alias("cuMemcpy2D", "cuMemcpy3D"))]
    pub fn copy_all_to_device<T: AnyBitPattern>(&self, elements: DeviceSliceMut<'_, T>) -> Result<()> {
        self.0.descriptor.takes_all::<T>(elements.len(), false)?;
        self.all(CopyDestination::device(elements), CopySource::array(self))
    }

    /// Copies all elements to a vector, in the order of [`Array::copy_all_from_host`].
    ///
    /// # Blocking
    ///
    /// Same as [`Array::copy_all_from_host`].
    ///
    /// # Errors
    ///
    /// - [`OutOfHostMemory`](crate::error::ErrorKind::OutOfHostMemory): the process has too little memory.
    /// - Same as [`Array::copy_all_from_host`].
    #[doc(alias("cuMemcpy2D", "cuMemcpy3D"))]
    pub fn to_vec<T: AnyBitPattern>(&self) -> Result<Vec<T>> {
        let len = self.0.descriptor.len_of::<T>()?;
        let mut elements = Vec::new();
        let bytes = len.saturating_mul(size_of::<T>());
        elements.try_reserve_exact(len).map_err(|_| Error::host_memory(bytes))?;
        elements.resize(len, T::zeroed());
        self.copy_all_to_host(&mut elements)?;
        Ok(elements)
    }

    /// Overwrites the whole array with numbers, several per element. The numbers must fill the array.
    pub(super) fn copy_numbers_from_host<T: NoUninit>(&self, numbers: &[T]) -> Result<()> {
        self.all(CopyDestination::array(self), CopySource::host(numbers))
    }

    fn all(&self, to: CopyDestination<'_>, from: CopySource<'_>) -> Result<()> {
        let descriptor = &self.0.descriptor;
        let [width, height, depth] = descriptor.copy_size().ok_or_else(|| descriptor.unknown_size())?;
        Memcpy3D::new(to, from, width, height, depth).copy()
    }
}
