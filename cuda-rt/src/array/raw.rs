//! Conversion from and to raw handles.

#![allow(unsafe_code)]

use super::mipmapped::Ownership;
use super::{Array, ArrayDescriptor, ArrayFormat, MipmappedArray, Part};
use crate::error::{Code, Result};
use crate::stream::Stream;
use core::any::Any;
use cuda_sys::{CUDA_ARRAY3D_DESCRIPTOR, CUarray, CUmipmappedArray, Symbol};
use std::sync::Arc;

impl Array {
    /// Takes ownership of a raw array, whose home stream becomes `stream`. The array is destroyed with the last handle to it.
    /// Queries the descriptor by `cuArray3DGetDescriptor`; if that fails, the caller still owns the array.
    ///
    /// # Safety
    ///
    /// `raw` is a live array of the stream's context, and `cuArrayCreate` or `cuArray3DCreate` made it. It is not a level or a
    /// plane of another array. No other code destroys it. No other code uses it from now on, except work that comes before in the
    /// order of the stream.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::sys;
    /// use cuda_rt::array::Array;
    ///
    /// let mut descriptor = sys::CUDA_ARRAY_DESCRIPTOR::default();
    /// (descriptor.Width, descriptor.Height, descriptor.NumChannels) = (4, 2, 1);
    /// descriptor.Format = sys::CU_AD_FORMAT_FLOAT;
    /// let mut raw = std::ptr::null_mut();
    /// let entered = context.enter()?;
    /// // SAFETY: both are valid, and the context is current.
    /// assert!(unsafe { sys::cuArrayCreate_v2(&mut raw, &descriptor) }.is_success());
    /// // SAFETY: made above in this context, and no other code destroys it.
    /// let array = unsafe { Array::from_raw(raw, &stream) }?;
    /// array.copy_all_from_host(&[1.0_f32; 8])?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw(raw: CUarray, stream: &Stream) -> Result<Array> {
        // SAFETY: the caller's promise.
        let descriptor = unsafe { described(raw, stream) }?;
        Ok(Array::wrap(raw, descriptor, stream, Part::Whole))
    }

    /// Wraps a foreign array, whose home stream becomes `stream`. Keeps `owner` alive until the last handle is dropped and the
    /// stream is idle. If that cannot be found out, because waiting fails or the stream is being captured, the owner is kept
    /// forever, and the [hook](crate::handle::set_drop_hook) receives an error. Queries the descriptor by
    /// `cuArray3DGetDescriptor`; if that fails, the owner is released in the same way.
    ///
    /// # Safety
    ///
    /// `raw` is a live array of the stream's context, and stays live at least until `owner` is dropped. No other code uses it
    /// until then, except in the order of the stream.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::Array;
    ///
    /// let array = Array::from_line(&stream, &[1_u8, 2, 3])?;
    /// let (raw, owner) = (array.as_raw(), Box::new(array));
    /// // SAFETY: live, of this context, on the same stream, and kept so by its owner.
    /// let borrowed = unsafe { Array::from_raw_with_owner(raw, &stream, owner) }?;
    /// assert_eq!(borrowed.to_vec::<u8>()?, [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw_with_owner(
        raw: CUarray,
        stream: &Stream,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Result<Array> {
        // SAFETY: the caller's promise.
        let described = unsafe { described(raw, stream) };
        // After a failure, the handle releases the owner. Its descriptor is not used.
        let unknown = || ArrayDescriptor::line(0, ArrayFormat::UNSIGNED_INT8, 1);
        let descriptor = described.as_ref().copied().unwrap_or_else(|_| unknown());
        let array = Array::wrap(raw, descriptor, stream, Part::Foreign(Some(owner)));
        described.map(|_| array)
    }

    /// Takes the array out without destroying it. Work that is queued on the home stream may still use the array, and
    /// `cuArrayDestroy` does not wait for copies between devices. Memory that [`ArrayMappings`](super::ArrayMappings)
    /// has mapped to the array is never released.
    ///
    /// Clone the [`stream`](Array::stream) before: the array is destroyed with its context, which this handle has kept alive.
    ///
    /// # Errors
    ///
    /// The array itself, if there are other handles to it, if it is bound to an object, if it is a level or a plane, or if it is
    /// foreign.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::Array;
    ///
    /// let array = Array::from_line(&stream, &[1_u8, 2, 3])?;
    /// let shared = array.clone();
    /// let array = array.into_raw().unwrap_err();
    /// drop(shared);
    /// let raw = array.into_raw().unwrap();
    /// // SAFETY: what a handle on this stream was.
    /// let array = unsafe { Array::from_raw(raw, &stream) }?;
    /// assert_eq!(array.to_vec::<u8>()?, [1, 2, 3]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn into_raw(self) -> core::result::Result<CUarray, Array> {
        let inner = Arc::try_unwrap(self.0).map_err(Array)?;
        match inner.part {
            Part::Whole => {
                let inner = inner.into_inner();
                inner.memory.leak();
                Ok(inner.raw)
            }
            Part::Level(_) | Part::Plane(_) | Part::Foreign(_) => Err(Array(Arc::new(inner))),
        }
    }
}

/// Returns the descriptor that the driver reports.
///
/// # Safety
///
/// `raw` is a live array of the stream's context.
unsafe fn described(raw: CUarray, stream: &Stream) -> Result<ArrayDescriptor> {
    let _bound = stream.context().bind(Symbol::cuArray3DGetDescriptor_v2)?;
    let mut full = CUDA_ARRAY3D_DESCRIPTOR::default();
    // SAFETY: the descriptor is valid for a write; the array is live, as the caller promises.
    unsafe { check!(cuArray3DGetDescriptor_v2(&raw mut full, raw)) }?;
    Ok(ArrayDescriptor::of(&full))
}

impl MipmappedArray {
    /// Takes ownership of a raw mipmapped array, whose home stream becomes `stream`. It is destroyed with the last handle to it
    /// and to its levels. The driver has no query for the descriptor of a mipmapped array.
    ///
    /// # Safety
    ///
    /// `raw` is a live mipmapped array of the stream's context. `cuMipmappedArrayCreate` made it from this descriptor, with at
    /// least `levels` levels, or with the largest possible number. No other code destroys it. No other code uses it from now on,
    /// except work that comes before in the order of the stream.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{ArrayDescriptor, ArrayFormat, MipmappedArray};
    ///
    /// let descriptor = ArrayDescriptor::plane(8, 4, ArrayFormat::FLOAT, 1);
    /// let image = MipmappedArray::new(&stream, descriptor, 2)?;
    /// let raw = image.into_raw().unwrap();
    /// // SAFETY: what a handle on this stream was.
    /// let image = unsafe { MipmappedArray::from_raw(raw, descriptor, 2, &stream) };
    /// assert_eq!(image.level(1)?.descriptor().width, 4);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw(
        raw: CUmipmappedArray,
        descriptor: ArrayDescriptor,
        levels: u32,
        stream: &Stream,
    ) -> MipmappedArray {
        MipmappedArray::wrap(raw, descriptor, levels, stream, Ownership::Whole)
    }

    /// Wraps a foreign mipmapped array, whose home stream becomes `stream`. Keeps `owner` alive like
    /// [`Array::from_raw_with_owner`].
    ///
    /// # Safety
    ///
    /// `raw` is a live mipmapped array of the stream's context, with this descriptor and at least `levels` levels. It stays live
    /// at least until `owner` is dropped. No other code uses it until then, except in the order of the stream.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{ArrayDescriptor, ArrayFormat, MipmappedArray};
    ///
    /// let descriptor = ArrayDescriptor::plane(8, 4, ArrayFormat::FLOAT, 1);
    /// let image = MipmappedArray::new(&stream, descriptor, 2)?;
    /// let (raw, owner) = (image.as_raw(), Box::new(image));
    /// // SAFETY: live, of this context, on the same stream, and kept so by its owner.
    /// let borrowed = unsafe { MipmappedArray::from_raw_with_owner(raw, descriptor, 2, &stream, owner) };
    /// assert_eq!(borrowed.levels(), 2);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw_with_owner(
        raw: CUmipmappedArray,
        descriptor: ArrayDescriptor,
        levels: u32,
        stream: &Stream,
        owner: Box<dyn Any + Send + Sync>,
    ) -> MipmappedArray {
        MipmappedArray::wrap(raw, descriptor, levels, stream, Ownership::Foreign(Some(owner)))
    }

    /// Wraps a foreign mipmapped array of unknown size and number of levels, and finds them out.
    ///
    /// # Safety
    ///
    /// Same as for [`from_raw_with_owner`](Self::from_raw_with_owner), except for the descriptor.
    pub(crate) unsafe fn described_with_owner(
        raw: CUmipmappedArray,
        stream: &Stream,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Result<MipmappedArray> {
        let _bound = stream.context().bind(Symbol::cuMipmappedArrayGetLevel)?;
        let level = |level: u32| {
            let mut array = core::ptr::null_mut();
            // SAFETY: `array` is valid for a write; the mipmapped array is live.
            unsafe { check!(cuMipmappedArrayGetLevel(&raw mut array, raw, level)) }.map(|()| array)
        };
        // SAFETY: a level lives as long as the whole.
        let descriptor = unsafe { described(level(0)?, stream) }?;
        let mut levels = 1;
        while levels < descriptor.most_levels() {
            match level(levels) {
                Ok(_) => levels += 1,
                Err(error) if error.code() == Some(Code::InvalidValue) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(MipmappedArray::wrap(raw, descriptor, levels, stream, Ownership::Foreign(Some(owner))))
    }

    /// Takes the array out without destroying it. Work that is queued on the home stream may still use it. Clone the
    /// [`stream`](MipmappedArray::stream) before: the array is destroyed with its context, which this handle has kept alive.
    ///
    /// `cuMipmappedArrayDestroy` does not wait for copies between devices. Memory that
    /// [`ArrayMappings`](super::ArrayMappings) has mapped to the array is never released.
    ///
    /// # Errors
    ///
    /// The mipmapped array itself, in these cases:
    ///
    /// - There are other handles to it or to its levels.
    /// - It is bound to an object.
    /// - It is foreign, or lies in the memory of another object, such as
    ///   [`ExternalMemory`](crate::external::ExternalMemory).
    pub fn into_raw(self) -> core::result::Result<CUmipmappedArray, MipmappedArray> {
        self.disown()
    }
}
