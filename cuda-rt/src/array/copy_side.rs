//! Arrays as the sides of structured copies.

use super::{Array, ArrayDescriptor, MAPPED_BY_PROGRAM, Part};
use crate::error::Result;
use crate::memory::{ArrayStorage, CopyArray, CopyDestination, CopySource, Shape};
use crate::stream::Stream;
use core::any::Any;
use cuda_sys::CUarray;
use std::sync::Arc;

impl CopyArray for Array {
    fn as_raw(&self) -> CUarray {
        Array::as_raw(self)
    }

    fn stream(&self) -> &Stream {
        Array::stream(self)
    }

    fn shape(&self) -> Shape {
        Array::shape(self)
    }

    fn usable(&self) -> Result<()> {
        Array::usable(self)
    }

    fn storage(&self) -> ArrayStorage {
        match &self.0.part {
            Part::Level(whole) if whole.may_share_memory() => ArrayStorage::SHARED,
            // Other handles to its memory are unknown.
            Part::Foreign(_) => ArrayStorage::SHARED,
            Part::Whole if self.descriptor().flags.intersects(MAPPED_BY_PROGRAM) => ArrayStorage::SHARED,
            Part::Whole => ArrayStorage { whole: self.as_raw().expose_provenance(), level: None },
            Part::Level(whole) => {
                let ArrayDescriptor { width, height, depth, .. } = self.0.descriptor;
                ArrayStorage {
                    whole: whole.as_raw().expose_provenance(),
                    level: Some([width, height, depth]),
                }
            }
            Part::Plane(whole) => whole.storage(),
        }
    }

    fn share(&self) -> Arc<dyn Any + Send + Sync> {
        Arc::new(self.clone())
    }
}

impl<'memory> CopySource<'memory> {
    /// Returns an array as a source. A buffer is no array:
    ///
    /// ```compile_fail,E0308
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0).unwrap()).unwrap();
    /// # let stream = cuda_rt::Stream::new(&context).unwrap();
    /// let buffer = cuda_rt::DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
    /// cuda_rt::memory::CopySource::array(&buffer);
    /// ```
    #[doc(alias("srcArray", "CU_MEMORYTYPE_ARRAY"))]
    pub fn array(array: &'memory Array) -> Self {
        Self::of_array(array)
    }
}

impl<'memory> CopyDestination<'memory> {
    /// Returns an array as a destination. It may also be the array of the source: if the two blocks overlap, the result is
    /// undefined.
    #[doc(alias("dstArray", "CU_MEMORYTYPE_ARRAY"))]
    pub fn array(array: &'memory Array) -> Self {
        Self::of_array(array)
    }
}
