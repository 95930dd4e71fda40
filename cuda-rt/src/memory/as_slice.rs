//! Memory that can be borrowed as a view.

use super::buffer::DeviceBuf;
use super::view::{DeviceSlice, DeviceSliceMut};
use std::sync::Arc;

/// Device memory that can be borrowed for reading: a buffer, a view, or a reference or an `Arc` to either.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::memory::AsDeviceSlice;
/// use cuda_rt::DeviceBuf;
/// use std::sync::Arc;
///
/// fn bytes(memory: &impl AsDeviceSlice<f32>) -> usize {
///     memory.as_device_slice().size_bytes()
/// }
///
/// let buffer = Arc::new(DeviceBuf::<f32>::zeroed(&stream, 8)?);
/// assert_eq!((bytes(&buffer), bytes(&buffer.slice(1..)?)), (32, 28));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not device memory with elements `{T}`",
    label = "not device memory of this element type",
    note = "a `DeviceBuf<{T}>`, a view of one, or an `Arc` of one is"
)]
pub trait AsDeviceSlice<T> {
    /// Borrows the elements for reading.
    fn as_device_slice(&self) -> DeviceSlice<'_, T>;
}

/// Device memory that can be borrowed for writing: a buffer, or a mutable view.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not device memory with elements `{T}` that can be written",
    label = "not device memory of this element type that can be written",
    note = "a `DeviceBuf<{T}>` and a `DeviceSliceMut<{T}>` are"
)]
pub trait AsDeviceSliceMut<T>: AsDeviceSlice<T> {
    /// Borrows the elements for writing.
    fn as_device_slice_mut(&mut self) -> DeviceSliceMut<'_, T>;
}

impl<T> AsDeviceSlice<T> for DeviceBuf<T> {
    #[inline]
    fn as_device_slice(&self) -> DeviceSlice<'_, T> {
        self.as_slice()
    }
}

impl<T> AsDeviceSliceMut<T> for DeviceBuf<T> {
    #[inline]
    fn as_device_slice_mut(&mut self) -> DeviceSliceMut<'_, T> {
        self.as_slice_mut()
    }
}

impl<T> AsDeviceSlice<T> for DeviceSlice<'_, T> {
    #[inline]
    fn as_device_slice(&self) -> DeviceSlice<'_, T> {
        *self
    }
}

impl<T> AsDeviceSlice<T> for DeviceSliceMut<'_, T> {
    #[inline]
    fn as_device_slice(&self) -> DeviceSlice<'_, T> {
        self.as_slice()
    }
}

impl<T> AsDeviceSliceMut<T> for DeviceSliceMut<'_, T> {
    #[inline]
    fn as_device_slice_mut(&mut self) -> DeviceSliceMut<'_, T> {
        self.reborrow()
    }
}

impl<T, M: AsDeviceSlice<T> + ?Sized> AsDeviceSlice<T> for Arc<M> {
    #[inline]
    fn as_device_slice(&self) -> DeviceSlice<'_, T> {
        (**self).as_device_slice()
    }
}

impl<T, M: AsDeviceSlice<T> + ?Sized> AsDeviceSlice<T> for &M {
    #[inline]
    fn as_device_slice(&self) -> DeviceSlice<'_, T> {
        (**self).as_device_slice()
    }
}

impl<T, M: AsDeviceSlice<T> + ?Sized> AsDeviceSlice<T> for &mut M {
    #[inline]
    fn as_device_slice(&self) -> DeviceSlice<'_, T> {
        (**self).as_device_slice()
    }
}

impl<T, M: AsDeviceSliceMut<T> + ?Sized> AsDeviceSliceMut<T> for &mut M {
    #[inline]
    fn as_device_slice_mut(&mut self) -> DeviceSliceMut<'_, T> {
        (**self).as_device_slice_mut()
    }
}
