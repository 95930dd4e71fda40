//! Queries of the driver about arrays.

#![allow(unsafe_code)]

use super::{Array, ArrayDescriptor, ArrayFlags, MipmappedArray, Part};
use crate::device::Device;
use crate::error::{Code, OrDetail, Result};
use core::ffi::c_uint;
use core::ptr::null_mut;
use cuda_sys::{
    CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY_MEMORY_REQUIREMENTS, CUDA_ARRAY_SPARSE_PROPERTIES,
    CUDA_ARRAY3D_DESCRIPTOR, Symbol,
};

flags! {
    /// Flags of the memory layout of a sparse array. See [`SparseProperties`].
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct SparseFlags {
        /// One mip tail for all layers; otherwise each layer has its own.
        #[doc(alias = "CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL")]
        const SINGLE_MIPTAIL = cuda_sys::CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL;
        const _ = !0;
    }
}

/// Layout of the memory of an array that was made with [`ArrayFlags::SPARSE`].
#[doc(alias = "CUDA_ARRAY_SPARSE_PROPERTIES")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SparseProperties {
    /// Size of a tile, in elements: width, height, depth. Memory is mapped to whole tiles.
    pub tile_size: [u32; 3],
    /// First level of the mip tail, which has no tiles. Not meaningful if `tail_bytes` is 0.
    pub first_tail_level: u32,
    /// Size of one mip tail, in bytes; 0 if there is none. Without [`SparseFlags::SINGLE_MIPTAIL`] each layer has a tail of this
    /// size.
    pub tail_bytes: u64,
    /// Flags of the layout.
    pub flags: SparseFlags,
}

/// Memory that an array needs that was made with [`ArrayFlags::DEFERRED_MAPPING`].
#[doc(alias = "CUDA_ARRAY_MEMORY_REQUIREMENTS")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryRequirements {
    /// Size in bytes.
    pub bytes: usize,
    /// Alignment of its offset in physical memory, in bytes.
    pub alignment: usize,
}

impl SparseProperties {
    fn of(raw: &CUDA_ARRAY_SPARSE_PROPERTIES) -> Self {
        SparseProperties {
            tile_size: [raw.tileExtent.width, raw.tileExtent.height, raw.tileExtent.depth],
            first_tail_level: raw.miptailFirstLevel,
            tail_bytes: raw.miptailSize,
            flags: SparseFlags::from_bits_retain(raw.flags),
        }
    }
}

impl MemoryRequirements {
    fn of(raw: &CUDA_ARRAY_MEMORY_REQUIREMENTS) -> Self {
        MemoryRequirements { bytes: raw.size, alignment: raw.alignment }
    }
}

impl Array {
    /// Returns the descriptor that the driver reports. Wraps `cuArray3DGetDescriptor`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    ///
    /// let descriptor = ArrayDescriptor::layered_plane(8, 4, 3, ArrayFormat::FLOAT, 2).surface();
    /// let array = Array::new(&stream, descriptor)?;
    /// assert_eq!(array.query_descriptor()?, descriptor);
    /// assert_eq!(array.query_descriptor_2d()?, ArrayDescriptor::plane(8, 4, ArrayFormat::FLOAT, 2));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuArray3DGetDescriptor", "get_descriptor_3d"))]
    pub fn query_descriptor(&self) -> Result<ArrayDescriptor> {
        let _bound = self.context().bind(Symbol::cuArray3DGetDescriptor_v2)?;
        let mut full = CUDA_ARRAY3D_DESCRIPTOR::default();
        // SAFETY: the descriptor is valid for a write; the array is live.
        unsafe { check!(cuArray3DGetDescriptor_v2(&raw mut full, self.as_raw())) }?;
        Ok(ArrayDescriptor::of(&full))
    }

    /// Returns the descriptor that the driver reports, without depth and flags. Wraps `cuArrayGetDescriptor`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias("cuArrayGetDescriptor", "get_descriptor"))]
    pub fn query_descriptor_2d(&self) -> Result<ArrayDescriptor> {
        let _bound = self.context().bind(Symbol::cuArrayGetDescriptor_v2)?;
        let mut flat = CUDA_ARRAY_DESCRIPTOR::default();
        // SAFETY: as above.
        unsafe { check!(cuArrayGetDescriptor_v2(&raw mut flat, self.as_raw())) }?;
        Ok(ArrayDescriptor::of_flat(&flat))
    }

    /// Returns the memory layout of a sparse array. Wraps `cuArrayGetSparseProperties`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the array was not made with [`ArrayFlags::SPARSE`], or is a level or a plane.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.1.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
    ///
    /// let array = Array::new(&stream, ArrayDescriptor::plane(64, 64, ArrayFormat::FLOAT, 1))?;
    /// let error = array.sparse_properties().unwrap_err();
    /// assert!(error.to_string().contains("the array must be made with flags 0x40, and has 0x0"), "{error}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuArrayGetSparseProperties")]
    pub fn sparse_properties(&self) -> Result<SparseProperties> {
        let _bound = self.context().bind(Symbol::cuArrayGetSparseProperties)?;
        let mut raw = CUDA_ARRAY_SPARSE_PROPERTIES::default();
        // SAFETY: `raw` is valid for a write; the array is live.
        unsafe { check!(cuArrayGetSparseProperties(&raw mut raw, self.as_raw())) }
            .or_detail(&[Code::InvalidValue], &|| self.lacks(ArrayFlags::SPARSE))?;
        Ok(SparseProperties::of(&raw))
    }

    /// Returns the memory of a device that an array with deferred mapping needs. Wraps `cuArrayGetMemoryRequirements`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the array was not made with [`ArrayFlags::DEFERRED_MAPPING`], or is a level or a
    ///   plane.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.6.
    /// - An earlier failure.
    #[doc(alias = "cuArrayGetMemoryRequirements")]
    pub fn memory_requirements(&self, device: Device) -> Result<MemoryRequirements> {
        let _bound = self.context().bind(Symbol::cuArrayGetMemoryRequirements)?;
        let mut raw = CUDA_ARRAY_MEMORY_REQUIREMENTS::default();
        // SAFETY: `raw` is valid for a write; the array is live.
        unsafe { check!(cuArrayGetMemoryRequirements(&raw mut raw, self.as_raw(), device.as_raw())) }
            .or_detail(&[Code::InvalidValue], &|| self.lacks(ArrayFlags::DEFERRED_MAPPING))?;
        Ok(MemoryRequirements::of(&raw))
    }

    /// Returns a plane of an array of video, as an array that keeps the whole alive. The first plane is 0. Wraps
    /// `cuArrayGetPlane` and `cuArray3DGetDescriptor`.
    ///
    /// Only formats with [several planes](super::ArrayFormat::planes) have planes.
    ///
    /// # Driver notes
    ///
    /// Driver 580 mixes up the bytes of a row beyond the first 64 if a plane of up to 16 rows is copied. This happens if the
    /// other side is device memory or another array. Copies of such planes to and from host memory are correct. Copies of planes
    /// with more rows are correct, too.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the plane does not exist.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.2.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat};
    ///
    /// let frame = ArrayDescriptor::plane(64, 64, ArrayFormat::NV12, 3);
    /// if let Ok(frame) = Array::new(&stream, frame.with_flags(ArrayFlags::VIDEO_ENCODE_DECODE)) {
    ///     frame.plane(0)?.copy_all_from_host(&[128_u8; 64 * 64])?; // brightness
    ///     frame.plane(1)?.copy_all_from_host(&[[128_u8; 2]; 32 * 32])?; // colour
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuArrayGetPlane")]
    pub fn plane(&self, index: u32) -> Result<Array> {
        let _bound = self.context().bind(Symbol::cuArrayGetPlane)?;
        let format = self.0.descriptor.format;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write; the array is live.
        unsafe { check!(cuArrayGetPlane(&raw mut raw, self.as_raw(), index as c_uint)) }.or_detail(
            &[Code::InvalidValue],
            &|| match format.planes() {
                Some(planes) => format!("plane {index} of format {format}, which has {planes}"),
                None => format!("plane {index} of format {format}"),
            },
        )?;
        let mut full = CUDA_ARRAY3D_DESCRIPTOR::default();
        // SAFETY: the descriptor is valid for a write; the plane lives as long as the whole (T123; T168 is about copies).
        unsafe { check!(cuArray3DGetDescriptor_v2(&raw mut full, raw)) }?;
        Ok(Array::wrap(raw, ArrayDescriptor::of(&full), self.stream(), Part::Plane(self.clone())))
    }

    /// Returns the reason for a refusal: the driver refuses levels and planes, too.
    fn lacks(&self, needed: ArrayFlags) -> String {
        match self.0.part {
            Part::Level(_) | Part::Plane(_) => {
                "the array is a level or a plane; use the whole array".to_owned()
            }
            Part::Whole | Part::Foreign(_) => self.0.descriptor.lacks(needed),
        }
    }
}

impl MipmappedArray {
    /// Returns the memory layout of a sparse mipmapped array. Wraps `cuMipmappedArrayGetSparseProperties`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the array was not made with [`ArrayFlags::SPARSE`].
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.1.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::array::{ArrayDescriptor, ArrayFlags, ArrayFormat, MipmappedArray};
    ///
    /// let image = ArrayDescriptor::plane(1024, 1024, ArrayFormat::FLOAT, 1).with_flags(ArrayFlags::SPARSE);
    /// if let Ok(image) = MipmappedArray::new(&stream, image, 11) {
    ///     let properties = image.sparse_properties()?;
    ///     println!("levels from {} on have no tiles", properties.first_tail_level);
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMipmappedArrayGetSparseProperties")]
    pub fn sparse_properties(&self) -> Result<SparseProperties> {
        let _bound = self.context().bind(Symbol::cuMipmappedArrayGetSparseProperties)?;
        let mut raw = CUDA_ARRAY_SPARSE_PROPERTIES::default();
        // SAFETY: `raw` is valid for a write; the mipmapped array is live.
        unsafe { check!(cuMipmappedArrayGetSparseProperties(&raw mut raw, self.as_raw())) }
            .or_detail(&[Code::InvalidValue], &|| self.lacks(ArrayFlags::SPARSE))?;
        Ok(SparseProperties::of(&raw))
    }

    /// Returns the memory of a device that a mipmapped array with deferred mapping needs. Wraps
    /// `cuMipmappedArrayGetMemoryRequirements`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the array was not made with [`ArrayFlags::DEFERRED_MAPPING`].
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.6.
    /// - An earlier failure.
    #[doc(alias = "cuMipmappedArrayGetMemoryRequirements")]
    pub fn memory_requirements(&self, device: Device) -> Result<MemoryRequirements> {
        let _bound = self.context().bind(Symbol::cuMipmappedArrayGetMemoryRequirements)?;
        let mut raw = CUDA_ARRAY_MEMORY_REQUIREMENTS::default();
        let own = self.as_raw();
        // SAFETY: `raw` is valid for a write; the mipmapped array is live.
        unsafe { check!(cuMipmappedArrayGetMemoryRequirements(&raw mut raw, own, device.as_raw())) }
            .or_detail(&[Code::InvalidValue], &|| self.lacks(ArrayFlags::DEFERRED_MAPPING))?;
        Ok(MemoryRequirements::of(&raw))
    }

    fn lacks(&self, needed: ArrayFlags) -> String {
        self.descriptor().lacks(needed)
    }
}
