//! Arrays as the sides of structured copies.

#![allow(unsafe_code)]

use super::Array;
use crate::memory::{CopyDestination, CopySource};

impl<'memory> CopySource<'memory> {
    /// An array. Memory with addresses is none:
    ///
    /// ```compile_fail,E0308
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0).unwrap()).unwrap();
    /// # let stream = cuda_rt::Stream::new(&context).unwrap();
    /// let buffer = cuda_rt::DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
    /// cuda_rt::CopySource::array(&buffer);
    /// ```
    ///
    /// # Examples
    ///
    /// See [`Array`].
    #[doc(alias("srcArray", "CU_MEMORYTYPE_ARRAY"))]
    pub fn array(array: &'memory Array) -> Self {
        let shape = array.usable().map(|()| array.shape());
        // SAFETY: the array is borrowed, and this is its home stream.
        unsafe { Self::of_array(array.as_raw(), shape, array.stream()) }
    }
}

impl<'memory> CopyDestination<'memory> {
    /// An array, which may be that of the source as well: where the two blocks overlap, what is there afterwards is not
    /// determined.
    ///
    /// # Examples
    ///
    /// See [`Array`].
    #[doc(alias("dstArray", "CU_MEMORYTYPE_ARRAY"))]
    pub fn array(array: &'memory Array) -> Self {
        let shape = array.usable().map(|()| array.shape());
        // SAFETY: the array is borrowed, and this is its home stream.
        unsafe { Self::of_array(array.as_raw(), shape, array.stream()) }
    }
}
