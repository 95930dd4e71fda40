//! Copies to and from the first row of an array.

use super::Array;
use crate::error::Result;
use crate::memory::{CopyDestination, CopySource, DeviceSlice, DeviceSliceMut, Memcpy3D};
use bytemuck::{AnyBitPattern, NoUninit};

impl Array {
    /// Copies host memory to the first row, beginning at byte `offset_bytes` of the row. For a block-compressed format this is
    /// the first row of blocks.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done, including the copy. If another thread is unregistering the
    /// host memory, the call first waits for that.
    ///
    /// # Errors
    ///
    /// Same as [`Memcpy3D::copy`]. The offset and the length must be whole elements, or blocks, and inside the row.
    #[doc(alias("cuMemcpyHtoA", "cuMemcpyHtoAAsync"))]
    pub fn copy_from_host<T: NoUninit>(&self, offset_bytes: usize, elements: &[T]) -> Result<()> {
        let to = CopyDestination::array(self).at(offset_bytes, 0, 0);
        Memcpy3D::plane(to, CopySource::host(elements), size_of_val(elements), 1).copy()
    }

    /// Copies from the first row, beginning at byte `offset_bytes` of the row, to host memory.
    ///
    /// # Blocking
    ///
    /// Until all work queued on the home stream is done, including the copy. If another thread is unregistering the
    /// host memory, the call first waits for that.
    ///
    /// # Errors
    ///
    /// Same as [`Array::copy_from_host`].
    #[doc(alias("cuMemcpyAtoH", "cuMemcpyAtoHAsync"))]
    pub fn copy_to_host<T: AnyBitPattern>(&self, offset_bytes: usize, elements: &mut [T]) -> Result<()> {
        let (from, width) = (CopySource::array(self).at(offset_bytes, 0, 0), size_of_val(elements));
        Memcpy3D::plane(CopyDestination::host(elements), from, width, 1).copy()
    }

    /// Copies device memory to the first row, beginning at byte `offset_bytes` of the row.
    ///
    /// # Blocking
    ///
    /// Does not wait, except between devices: while another thread disables access between them.
    ///
    /// # Errors
    ///
    /// Same as [`Array::copy_from_host`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    ///
    /// let descriptor = ArrayDescriptor::line(4, ArrayFormat::UNSIGNED_INT8, 1);
    /// let (first, second) = (Array::new(&stream, descriptor)?, Array::new(&stream, descriptor)?);
    /// first.copy_from_device(0, DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4])?.as_slice())?;
    /// second.copy_from_array(1, &first, 0, 3)?;
    /// let mut copied = DeviceBuf::<u8>::zeroed(&stream, 3)?;
    /// second.copy_to_device(1, copied.as_slice_mut())?;
    /// assert_eq!(copied.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemcpyDtoA")]
    pub fn copy_from_device<T>(&self, offset_bytes: usize, elements: DeviceSlice<'_, T>) -> Result<()> {
        let width = elements.size_bytes();
        let to = CopyDestination::array(self).at(offset_bytes, 0, 0);
        Memcpy3D::plane(to, CopySource::device(elements), width, 1).copy()
    }

    /// Copies from the first row, beginning at byte `offset_bytes` of the row, to device memory.
    ///
    /// # Blocking
    ///
    /// Same as [`Array::copy_from_device`].
    ///
    /// # Errors
    ///
    /// Same as [`Array::copy_from_host`].
    #[doc(alias = "cuMemcpyAtoD")]
    pub fn copy_to_device<T: AnyBitPattern>(
        &self,
        offset_bytes: usize,
        elements: DeviceSliceMut<'_, T>,
    ) -> Result<()> {
        let (from, width) = (CopySource::array(self).at(offset_bytes, 0, 0), elements.size_bytes());
        Memcpy3D::plane(CopyDestination::device(elements), from, width, 1).copy()
    }

    /// Copies `bytes` bytes from the first row of another array to the first row of this one. If both are the same
    /// array and the bytes overlap, the result is undefined.
    ///
    /// # Blocking
    ///
    /// Same as [`Array::copy_from_device`].
    ///
    /// # Errors
    ///
    /// Same as [`Array::copy_from_host`].
    #[doc(alias = "cuMemcpyAtoA")]
    pub fn copy_from_array(
        &self,
        offset_bytes: usize,
        source: &Array,
        source_offset_bytes: usize,
        bytes: usize,
    ) -> Result<()> {
        let from = CopySource::array(source).at(source_offset_bytes, 0, 0);
        Memcpy3D::plane(CopyDestination::array(self).at(offset_bytes, 0, 0), from, bytes, 1).copy()
    }
}
