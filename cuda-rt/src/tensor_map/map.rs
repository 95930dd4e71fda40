//! The descriptor that kernels take.

#![allow(unsafe_code)]

use super::explain::{explain, explain_address};
use super::{Im2col, Im2colWide, Tensor, TensorAllocationClass, TiledBox};
use crate::context::Context;
use crate::error::{Code, Error, OrDetail, Result};
use crate::memory::DevicePtr;
use core::ffi::{c_int, c_void};
use core::fmt;
use cuda_sys::{
    CUtensorMap, CUtensorMapAllocClass, CUtensorMapDataType, CUtensorMapFloatOOBfill,
    CUtensorMapIm2ColWideMode, CUtensorMapInterleave, CUtensorMapL2promotion, CUtensorMapSwizzle, Symbol,
};

/// The most dimensions that a tensor has.
pub(super) const MOST_DIMENSIONS: usize = 5;

/// A descriptor of a tensor, which a kernel takes as an argument to copy boxes of the tensor. See the [module](super).
///
/// A plain value: 128 bytes, aligned to 128, whose meaning only the driver and the device know. A buffer of maps is [copied from
/// the host](crate::DeviceBuf::from_host), for kernels that read the maps in global memory.
#[doc(alias("CUtensorMap", "CUtensorMap_st"))]
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct TensorMap(CUtensorMap);

/// The numbers of a tensor and of a box, in arrays of the length that the driver may read.
struct Arrays {
    rank: u32,
    dims: [u64; MOST_DIMENSIONS],
    strides: [u64; MOST_DIMENSIONS],
    element_strides: [u32; MOST_DIMENSIONS],
}

impl Arrays {
    fn new(call: Symbol, tensor: &Tensor<'_>, element_strides: &[u32]) -> Result<Arrays> {
        let rank = tensor.dims.len();
        if !(1..=MOST_DIMENSIONS).contains(&rank) {
            return Err(Error::invalid_for(
                call,
                format_args!("{rank} dimensions are not within 1 to {MOST_DIMENSIONS}"),
            ));
        }
        expect_len(call, "strides", tensor.strides.len(), rank, rank - 1)?;
        if !element_strides.is_empty() {
            expect_len(call, "element strides", element_strides.len(), rank, rank)?;
        }
        Ok(Arrays {
            rank: rank as u32,
            dims: filled(tensor.dims, 1),
            strides: filled(tensor.strides, 0),
            element_strides: filled(element_strides, 1),
        })
    }
}

/// Returns the numbers, filled up with `rest`.
fn filled<T: Copy>(numbers: &[T], rest: T) -> [T; MOST_DIMENSIONS] {
    let mut array = [rest; MOST_DIMENSIONS];
    array.iter_mut().zip(numbers).for_each(|(place, number)| *place = *number);
    array
}

fn expect_len(call: Symbol, numbers: &str, len: usize, rank: usize, expected: usize) -> Result<()> {
    if len == expected {
        return Ok(());
    }
    Err(Error::invalid_for(
        call,
        format_args!("{len} {numbers} do not fit {rank} dimensions, which need {expected}"),
    ))
}

impl Tensor<'_> {
    fn raw_address(&self) -> *mut c_void {
        raw_address(self.address)
    }
}

/// Converts an address to a pointer, which the host does not read through.
fn raw_address(address: DevicePtr<()>) -> *mut c_void {
    core::ptr::without_provenance_mut(address.as_raw() as usize)
}

impl TensorMap {
    /// Returns a map of zeros, to be encoded.
    fn blank() -> TensorMap {
        TensorMap(CUtensorMap { opaque: [0; 16] })
    }

    /// Encodes a map with which kernels copy boxes of a tensor. Wraps `cuTensorMapEncodeTiled`. Since CUDA 12.0.
    ///
    /// The map is for the device of `context`. The call does not access the memory of the tensor.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the number of dimensions is not from 1 to 5, or the
    ///   number of strides, box dimensions or element strides does not fit the tensor.
    /// - [`Code::InvalidValue`]: another rule of [`Tensor`] or [`TiledBox`] is broken, which the error names, or the device has
    ///   no tensor maps.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.0.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::DevicePtr;
    /// use cuda_rt::tensor_map::{Tensor, TensorDataType, TensorMap, TiledBox};
    ///
    /// let address = DevicePtr::<f32>::from_raw(0x1000);
    /// let tensor = Tensor::new(TensorDataType::FLOAT32, address, &[64, 32], &[260]);
    /// let error = TensorMap::tiled(&context, &tensor, &TiledBox::new(&[32, 8])).unwrap_err();
    /// assert!(error.to_string().contains("stride 260 of dimension 1 is not a multiple of 16"));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuTensorMapEncodeTiled")]
    pub fn tiled(context: &Context, tensor: &Tensor<'_>, tiled: &TiledBox<'_>) -> Result<TensorMap> {
        const CALL: Symbol = Symbol::cuTensorMapEncodeTiled;
        let arrays = Arrays::new(CALL, tensor, tiled.element_strides)?;
        expect_len(CALL, "box dimensions", tiled.dims.len(), tensor.dims.len(), tensor.dims.len())?;
        let box_dims = filled(tiled.dims, 1);
        let mut map = TensorMap::blank();
        let _bound = context.bind(CALL)?;
        // SAFETY: the map is valid for a write and aligned, and each array has as many numbers as any rank needs. The address
        // is only stored.
        let encoded = unsafe {
            check!(cuTensorMapEncodeTiled(
                &raw mut map.0,
                CUtensorMapDataType(tensor.data_type.0),
                arrays.rank,
                tensor.raw_address(),
                arrays.dims.as_ptr(),
                arrays.strides.as_ptr(),
                box_dims.as_ptr(),
                arrays.element_strides.as_ptr(),
                CUtensorMapInterleave(tensor.interleave.0),
                CUtensorMapSwizzle(tensor.swizzle.0),
                CUtensorMapL2promotion(tensor.l2_promotion.0),
                CUtensorMapFloatOOBfill(tensor.fill.0),
            ))
        };
        encoded
            .or_detail(&[Code::InvalidValue], &|| explain(context.device(), tensor, &tiled.into()))
            .map(|()| map)
    }

    /// Encodes a map with which kernels copy columns of images. Wraps `cuTensorMapEncodeIm2col`. Since CUDA 12.0.
    ///
    /// The map is for the device of `context`. The call does not access the memory of the tensor.
    ///
    /// # Errors
    ///
    /// Same as [`TensorMap::tiled`], with the rules of [`Im2col`]. A corner with too few or too many numbers is refused
    /// with [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::DevicePtr;
    /// use cuda_rt::tensor_map::{Im2col, Tensor, TensorDataType, TensorMap};
    ///
    /// let address = DevicePtr::<f32>::from_raw(0x1000);
    /// let (dims, strides) = ([64, 32, 16, 3], [256, 8192, 131_072]); // channels, width, height, images
    /// let tensor = Tensor::new(TensorDataType::FLOAT32, address, &dims, &strides);
    /// let map = TensorMap::im2col(&context, &tensor, &Im2col::new(&[-1, -1], &[-1, -1], 32, 128))?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuTensorMapEncodeIm2col")]
    pub fn im2col(context: &Context, tensor: &Tensor<'_>, columns: &Im2col<'_>) -> Result<TensorMap> {
        const CALL: Symbol = Symbol::cuTensorMapEncodeIm2col;
        let arrays = Arrays::new(CALL, tensor, columns.element_strides)?;
        let rank = tensor.dims.len();
        let corners = rank.saturating_sub(2);
        expect_len(CALL, "offsets of the lower corner", columns.lower_corner.len(), rank, corners)?;
        expect_len(CALL, "offsets of the upper corner", columns.upper_corner.len(), rank, corners)?;
        let lower: [c_int; MOST_DIMENSIONS] = filled(columns.lower_corner, 0);
        let upper: [c_int; MOST_DIMENSIONS] = filled(columns.upper_corner, 0);
        let mut map = TensorMap::blank();
        let _bound = context.bind(CALL)?;
        // SAFETY: the map is valid for a write and aligned, and each array has as many numbers as any rank needs. The address
        // is only stored.
        let encoded = unsafe {
            check!(cuTensorMapEncodeIm2col(
                &raw mut map.0,
                CUtensorMapDataType(tensor.data_type.0),
                arrays.rank,
                tensor.raw_address(),
                arrays.dims.as_ptr(),
                arrays.strides.as_ptr(),
                lower.as_ptr(),
                upper.as_ptr(),
                columns.channels_per_pixel,
                columns.pixels_per_column,
                arrays.element_strides.as_ptr(),
                CUtensorMapInterleave(tensor.interleave.0),
                CUtensorMapSwizzle(tensor.swizzle.0),
                CUtensorMapL2promotion(tensor.l2_promotion.0),
                CUtensorMapFloatOOBfill(tensor.fill.0),
            ))
        };
        encoded
            .or_detail(&[Code::InvalidValue], &|| explain(context.device(), tensor, &columns.into()))
            .map(|()| map)
    }

    /// Encodes a map with which kernels copy columns of images along the width only. Wraps `cuTensorMapEncodeIm2colWide`. Since
    /// CUDA 12.8.
    ///
    /// Only kernels on devices of compute capability 10.0 or higher can use the map. On other devices, the driver may encode
    /// the map nevertheless.
    ///
    /// The map is for the device of `context`. The call does not access the memory of the tensor.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.8.
    /// - Otherwise same as [`TensorMap::tiled`], with the rules of [`Im2colWide`].
    /// - [`Code::InvalidValue`], on some drivers: the swizzle is not [`SPAN_64`](super::TensorSwizzle::SPAN_64),
    ///   [`SPAN_128`](super::TensorSwizzle::SPAN_128) or [`SPAN_128_ATOM_32`](super::TensorSwizzle::SPAN_128_ATOM_32). CUDA
    ///   supports no other swizzle here, also not the default.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::DevicePtr;
    /// use cuda_rt::tensor_map::{Im2colWide, Tensor, TensorDataType, TensorMap, TensorSwizzle};
    ///
    /// let address = DevicePtr::<f32>::from_raw(0x1000);
    /// let (dims, strides) = ([64, 32, 16, 3], [256, 8192, 131_072]); // channels, width, height, images
    /// let tensor = Tensor {
    ///     swizzle: TensorSwizzle::SPAN_128,
    ///     ..Tensor::new(TensorDataType::FLOAT32, address, &dims, &strides)
    /// };
    /// let map = TensorMap::im2col_wide(&context, &tensor, &Im2colWide::new(-1, 1, 32, 128))?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuTensorMapEncodeIm2colWide")]
    pub fn im2col_wide(
        context: &Context,
        tensor: &Tensor<'_>,
        columns: &Im2colWide<'_>,
    ) -> Result<TensorMap> {
        const CALL: Symbol = Symbol::cuTensorMapEncodeIm2colWide;
        let arrays = Arrays::new(CALL, tensor, columns.element_strides)?;
        let mut map = TensorMap::blank();
        let _bound = context.bind(CALL)?;
        // SAFETY: the map is valid for a write and aligned, and each array has as many numbers as any rank needs. The address
        // is only stored.
        let encoded = unsafe {
            check!(cuTensorMapEncodeIm2colWide(
                &raw mut map.0,
                CUtensorMapDataType(tensor.data_type.0),
                arrays.rank,
                tensor.raw_address(),
                arrays.dims.as_ptr(),
                arrays.strides.as_ptr(),
                columns.lower_corner,
                columns.upper_corner,
                columns.channels_per_pixel,
                columns.pixels_per_column,
                arrays.element_strides.as_ptr(),
                CUtensorMapInterleave(tensor.interleave.0),
                CUtensorMapIm2ColWideMode(columns.mode.0),
                CUtensorMapSwizzle(tensor.swizzle.0),
                CUtensorMapL2promotion(tensor.l2_promotion.0),
                CUtensorMapFloatOOBfill(tensor.fill.0),
            ))
        };
        encoded
            .or_detail(&[Code::InvalidValue], &|| explain(context.device(), tensor, &columns.into()))
            .map(|()| map)
    }

    /// Replaces the address of the tensor. Wraps `cuTensorMapReplaceAddress`. Since CUDA 12.0.
    ///
    /// The new address must meet the rules of [`Tensor::address`]. The driver checks only that the address is a
    /// multiple of 16, not 0, and less than 2^57. Kernels that were launched earlier with the map use the old address.
    ///
    /// # Errors
    ///
    /// After a failure, the map is unchanged.
    ///
    /// - [`Code::InvalidValue`]: the driver refuses the address.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.0.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::DevicePtr;
    /// use cuda_rt::tensor_map::{Tensor, TensorDataType, TensorMap, TiledBox};
    ///
    /// let map_at = |address| {
    ///     let address = DevicePtr::<f32>::from_raw(address);
    ///     let tensor = Tensor::new(TensorDataType::FLOAT32, address, &[64, 32], &[256]);
    ///     TensorMap::tiled(&context, &tensor, &TiledBox::new(&[32, 8]))
    /// };
    /// let mut map = map_at(0x1000)?;
    /// map.set_address(&context, DevicePtr::<f32>::from_raw(0x2000))?;
    /// assert_eq!(map, map_at(0x2000)?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuTensorMapReplaceAddress")]
    pub fn set_address<T>(&mut self, context: &Context, address: DevicePtr<T>) -> Result<()> {
        let address = address.cast();
        // A copy, so that a failure leaves the map unchanged.
        let mut changed = *self;
        let _bound = context.bind(Symbol::cuTensorMapReplaceAddress)?;
        // SAFETY: the map is valid for reads and writes. The address is only stored.
        unsafe { check!(cuTensorMapReplaceAddress(&raw mut changed.0, raw_address(address))) }
            .or_detail(&[Code::InvalidValue], &|| explain_address(context.device(), address))?;
        *self = changed;
        Ok(())
    }

    /// Requests an allocation class, and returns the class in effect. The class limits the addresses that the hardware
    /// generates for elements outside the tensor. Wraps `cuTensorMapSetAllocationClass`. Since CUDA 13.5.
    ///
    /// On architectures without such a choice, the map is unchanged, and the result is [`SMALL`](TensorAllocationClass::SMALL).
    ///
    /// With [`LARGE`](TensorAllocationClass::LARGE) in effect, a kernel may use the map only if the allocation of the tensor is
    /// contiguous and accessible for at least
    /// [`tensor_map_large_tensor_min_size`](crate::Device::tensor_map_large_tensor_min_size) bytes. The caller of the launch
    /// guarantees this condition.
    ///
    /// No test has called this function on hardware: see [`driver_functions`](crate::driver_functions).
    ///
    /// # Errors
    ///
    /// After a failure, the map is unchanged.
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the class.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.5.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::DevicePtr;
    /// use cuda_rt::tensor_map::{Tensor, TensorAllocationClass, TensorDataType, TensorMap, TiledBox};
    ///
    /// let address = DevicePtr::<f32>::from_raw(0x1000);
    /// let tensor = Tensor::new(TensorDataType::FLOAT32, address, &[64, 32], &[256]);
    /// let mut map = TensorMap::tiled(&context, &tensor, &TiledBox::new(&[32, 8]))?;
    /// # if cuda_rt::driver_version()? >= cuda_rt::driver::DriverVersion::new(13, 5) {
    /// let class = map.set_allocation_class(&context, TensorAllocationClass::AUTO)?;
    /// assert_ne!(class, TensorAllocationClass::AUTO);
    /// # }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuTensorMapSetAllocationClass")]
    pub fn set_allocation_class(
        &mut self,
        context: &Context,
        class: TensorAllocationClass,
    ) -> Result<TensorAllocationClass> {
        // A copy, so that a failure leaves the map unchanged.
        let mut changed = *self;
        let _bound = context.bind(Symbol::cuTensorMapSetAllocationClass)?;
        let mut in_effect = CUtensorMapAllocClass(0);
        let requested = CUtensorMapAllocClass(class.0);
        // SAFETY: the map is valid for reads and writes, `in_effect` for a write.
        unsafe { check!(cuTensorMapSetAllocationClass(&raw mut changed.0, requested, &raw mut in_effect)) }
            .or_detail(&[Code::InvalidValue], &|| format!("class {class} is not one that the driver knows"))?;
        *self = changed;
        Ok(TensorAllocationClass(in_effect.0))
    }

    /// Returns the 128 bytes as a raw structure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::DevicePtr;
    /// use cuda_rt::tensor_map::{Tensor, TensorDataType, TensorMap, TiledBox};
    ///
    /// let tensor = Tensor::new(TensorDataType::UINT8, DevicePtr::<u8>::from_raw(0x1000), &[100], &[]);
    /// let map = TensorMap::tiled(&context, &tensor, &TiledBox::new(&[64]))?;
    /// assert_eq!(size_of_val(map.as_raw()), 128);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_raw(&self) -> &CUtensorMap {
        &self.0
    }

    /// Wraps a map that raw calls have made.
    ///
    /// # Safety
    ///
    /// The driver has encoded the map, or a kernel has changed an encoded map by `tensormap.replace`.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::DevicePtr;
    /// use cuda_rt::tensor_map::{Tensor, TensorDataType, TensorMap, TiledBox};
    ///
    /// let tensor = Tensor::new(TensorDataType::UINT8, DevicePtr::<u8>::from_raw(0x1000), &[100], &[]);
    /// let map = TensorMap::tiled(&context, &tensor, &TiledBox::new(&[64]))?;
    /// // SAFETY: the driver has encoded it.
    /// assert_eq!(unsafe { TensorMap::from_raw(*map.as_raw()) }, map);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw(raw: CUtensorMap) -> TensorMap {
        TensorMap(raw)
    }
}

// SAFETY: 16 numbers of 8 bytes, all of them initialised, and nothing between or behind them.
unsafe impl bytemuck::NoUninit for TensorMap {}

/// Compares all bytes.
impl PartialEq for TensorMap {
    fn eq(&self, other: &TensorMap) -> bool {
        self.0.opaque == other.0.opaque
    }
}

impl Eq for TensorMap {}

impl core::hash::Hash for TensorMap {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.0.opaque.hash(state);
    }
}

/// Writes no contents, which only the driver knows.
impl fmt::Debug for TensorMap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TensorMap").finish_non_exhaustive()
    }
}
