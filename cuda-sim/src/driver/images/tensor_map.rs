//! Tensor maps, as drivers encode them for compute capability 9.0 (conformance facts V990 and V991).
//!
//! The refusals were measured. Drivers do not enforce all rules of the documentation.

#![allow(unsafe_code)]

use crate::driver::{Answer, Call, check_out, put_if_wanted};
use core::ffi::{c_int, c_void};
use cuda_sim_engine::{MOST_TENSOR_BYTES, TensorMap, TensorPart};
use cuda_sys::{
    CUdevice_attribute_enum as Attribute, CUresult, CUtensorMap, CUtensorMapAllocClass, CUtensorMapDataType,
    CUtensorMapFloatOOBfill, CUtensorMapIm2ColWideMode, CUtensorMapInterleave, CUtensorMapL2promotion,
    CUtensorMapSwizzle, cuuint32_t, cuuint64_t,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const DIMENSIONS: usize = 5;

/// Hardware's number of each element type, and whether elements are rounded to `tf32`. The types of packed numbers are
/// for newer devices.
const ELEMENTS: [(u32, bool); 13] = [
    (0, false),
    (1, false),
    (2, false),
    (3, false),
    (4, false),
    (5, false),
    (6, false),
    (7, false),
    (9, false),
    (10, false),
    (8, false),
    (7, true),
    (8, true),
];
/// First floating-point type.
const FIRST_FLOAT: u32 = 6;

fn demand(holds: bool) -> Answer {
    if holds { Ok(()) } else { Err(INVALID) }
}

/// Arguments of all kinds of maps.
struct Common {
    data_type: CUtensorMapDataType,
    rank: cuuint32_t,
    address: *mut c_void,
    dims: *const cuuint64_t,
    strides: *const cuuint64_t,
    element_strides: *const cuuint32_t,
    interleave: CUtensorMapInterleave,
    swizzle: CUtensorMapSwizzle,
    l2_promotion: CUtensorMapL2promotion,
    fill: CUtensorMapFloatOOBfill,
}

/// Reads `count` numbers.
///
/// # Safety
///
/// `from` is null or valid for reads of `count` numbers.
unsafe fn read<T: Copy, const N: usize>(from: *const T, count: usize, rest: T) -> Answer<[T; N]> {
    demand(!from.is_null())?;
    let mut numbers = [rest; N];
    for (index, number) in numbers.iter_mut().enumerate().take(count) {
        // SAFETY: the caller's promise.
        *number = unsafe { from.wrapping_add(index).read_unaligned() };
    }
    Ok(numbers)
}

impl Common {
    /// Creates a map without a part. The other checks follow.
    ///
    /// # Safety
    ///
    /// As the driver API demands.
    unsafe fn read(&self, call: &Call<'_>, least_rank: usize) -> Answer<TensorMap> {
        let device = call.state.live_context(call.context)?.device;
        // Not measured: the code of devices without tensor maps.
        demand(call.state.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED) != 0)?;
        let rank = self.rank as usize;
        demand((least_rank..=DIMENSIONS).contains(&rank))?;
        demand(self.interleave.0 <= 2 && (self.interleave.0 == 0 || rank >= 3))?;
        let &(element, is_tf32) = ELEMENTS.get(self.data_type.0 as usize).ok_or(INVALID)?;
        // Other swizzles are for newer devices.
        demand(self.swizzle.0 <= 3 && self.l2_promotion.0 <= 3 && self.fill.0 <= 1)?;
        demand(self.fill.0 == 0 || self.data_type.0 >= FIRST_FLOAT)?;
        let address = self.address.addr() as u64;
        let multiple = if self.interleave.0 == 2 { 32 } else { 16 };
        demand(address >> 57 == 0 && address.is_multiple_of(multiple))?;
        // SAFETY: the program's promise: as many numbers as there are dimensions.
        let dims: [u64; DIMENSIONS] = unsafe { read(self.dims, rank, 1) }?;
        demand(dims.iter().all(|dim| (1..=1 << 32).contains(dim)))?;
        // SAFETY: the program's promise: one number less.
        let strides: [u64; DIMENSIONS - 1] = unsafe { read(self.strides, rank - 1, 0) }?;
        demand(strides.iter().all(|stride| stride.is_multiple_of(multiple) && stride >> 40 == 0))?;
        // SAFETY: the program's promise: as many numbers as there are dimensions.
        let steps: [u32; DIMENSIONS] = unsafe { read(self.element_strides, rank, 1) }?;
        demand(steps.iter().all(|step| (1..=8).contains(step)))?;
        Ok(TensorMap {
            rank,
            element,
            is_tf32,
            interleave: self.interleave.0,
            swizzle: self.swizzle.0,
            fills_with_nan: self.fill.0 != 0,
            l2_promotion: self.l2_promotion.0,
            address,
            dims,
            strides,
            steps,
            part: TensorPart::Box([1; DIMENSIONS]),
        })
    }
}

/// Checks the part that a copy transfers, with rows of `elements` elements, and writes the map.
///
/// # Safety
///
/// `to` is null or valid for a write.
unsafe fn write(to: *mut CUtensorMap, map: &TensorMap, elements: u32) -> Answer {
    check_out(to)?;
    let row = u64::from(elements) * map.element_bytes().unwrap_or(1);
    demand(row.is_multiple_of(16) && map.bytes() <= MOST_TENSOR_BYTES)?;
    let span = if map.interleave == 0 && map.swizzle != 0 { 16 << map.swizzle } else { u64::MAX };
    demand(row <= span)?;
    let words = map.encode();
    let mut raw = CUtensorMap { opaque: [0; 16] };
    for (long, [low, high]) in raw.opaque.iter_mut().zip(words.as_chunks::<2>().0) {
        *long = u64::from(*low) | u64::from(*high) << 32;
    }
    // SAFETY: not null, so valid for a write. Any alignment is accepted (measured).
    unsafe { to.write_unaligned(raw) };
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe fn encode_tiled(
    call: &mut Call<'_>,
    to: *mut CUtensorMap,
    data_type: CUtensorMapDataType,
    rank: cuuint32_t,
    address: *mut c_void,
    dims: *const cuuint64_t,
    strides: *const cuuint64_t,
    box_dims: *const cuuint32_t,
    element_strides: *const cuuint32_t,
    interleave: CUtensorMapInterleave,
    swizzle: CUtensorMapSwizzle,
    l2_promotion: CUtensorMapL2promotion,
    fill: CUtensorMapFloatOOBfill,
) -> Answer {
    let common = Common {
        data_type,
        rank,
        address,
        dims,
        strides,
        element_strides,
        interleave,
        swizzle,
        l2_promotion,
        fill,
    };
    // SAFETY: the program's promise.
    let mut map = unsafe { common.read(call, 1) }?;
    // SAFETY: the program's promise: as many numbers as there are dimensions.
    let box_dims: [u32; DIMENSIONS] = unsafe { read(box_dims, map.rank, 1) }?;
    demand(box_dims.iter().all(|dim| (1..=256).contains(dim)))?;
    map.part = TensorPart::Box(box_dims);
    // SAFETY: the program's promise.
    unsafe { write(to, &map, box_dims[0]) }
}

/// Adds the columns to a map, and writes it.
///
/// # Safety
///
/// `to` is null or valid for a write.
unsafe fn write_columns(
    to: *mut CUtensorMap,
    mut map: TensorMap,
    lower: [c_int; 3],
    upper: [c_int; 3],
    channels: u32,
    pixels: u32,
) -> Answer {
    demand((1..=256).contains(&channels) && (1..=1024).contains(&pixels))?;
    let limit = match map.rank {
        3 => 1 << 15,
        4 => 1 << 7,
        _ => 1 << 4,
    };
    demand(lower.iter().chain(&upper).all(|offset| (-limit..limit).contains(offset)))?;
    // Interleaved images begin with the width, and others with the channels.
    let width = usize::from(map.interleave == 0);
    for pixel in 0..map.rank - 2 {
        // Drivers compute with 32 bits here.
        let end = (map.dims[width + pixel] as u32).cast_signed().wrapping_add(upper[pixel]);
        demand(end > lower[pixel])?;
    }
    map.part = TensorPart::Columns { lower, upper, channels, pixels };
    // SAFETY: the caller's promise.
    unsafe { write(to, &map, channels) }
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe fn encode_columns(
    call: &mut Call<'_>,
    to: *mut CUtensorMap,
    data_type: CUtensorMapDataType,
    rank: cuuint32_t,
    address: *mut c_void,
    dims: *const cuuint64_t,
    strides: *const cuuint64_t,
    lower: *const c_int,
    upper: *const c_int,
    channels: cuuint32_t,
    pixels: cuuint32_t,
    element_strides: *const cuuint32_t,
    interleave: CUtensorMapInterleave,
    swizzle: CUtensorMapSwizzle,
    l2_promotion: CUtensorMapL2promotion,
    fill: CUtensorMapFloatOOBfill,
) -> Answer {
    let common = Common {
        data_type,
        rank,
        address,
        dims,
        strides,
        element_strides,
        interleave,
        swizzle,
        l2_promotion,
        fill,
    };
    // SAFETY: the program's promise.
    let map = unsafe { common.read(call, 3) }?;
    // Drivers crash without these two (measured).
    // SAFETY: the program's promise: two numbers less than there are dimensions.
    let lower = unsafe { read(lower, map.rank - 2, 0) }?;
    // SAFETY: the same.
    let upper = unsafe { read(upper, map.rank - 2, 0) }?;
    // SAFETY: the program's promise.
    unsafe { write_columns(to, map, lower, upper, channels, pixels) }
}

/// Encodes the same map as [`encode_columns`], with corners along the width only. On compute capability 9.0, drivers do
/// so and ignore the mode (measured).
///
/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe fn encode_wide_columns(
    call: &mut Call<'_>,
    to: *mut CUtensorMap,
    data_type: CUtensorMapDataType,
    rank: cuuint32_t,
    address: *mut c_void,
    dims: *const cuuint64_t,
    strides: *const cuuint64_t,
    lower: c_int,
    upper: c_int,
    channels: cuuint32_t,
    pixels: cuuint32_t,
    element_strides: *const cuuint32_t,
    interleave: CUtensorMapInterleave,
    mode: CUtensorMapIm2ColWideMode,
    swizzle: CUtensorMapSwizzle,
    l2_promotion: CUtensorMapL2promotion,
    fill: CUtensorMapFloatOOBfill,
) -> Answer {
    let common = Common {
        data_type,
        rank,
        address,
        dims,
        strides,
        element_strides,
        interleave,
        swizzle,
        l2_promotion,
        fill,
    };
    demand(mode.0 <= 1)?;
    // SAFETY: the program's promise.
    let map = unsafe { common.read(call, 3) }?;
    // SAFETY: the program's promise.
    unsafe { write_columns(to, map, [lower, 0, 0], [upper, 0, 0], channels, pixels) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn replace_address(
    _: &mut Call<'_>,
    map: *mut CUtensorMap,
    address: *mut c_void,
) -> Answer {
    check_out(map)?;
    let address = address.addr() as u64;
    demand(address != 0 && address >> 57 == 0 && address.is_multiple_of(16))?;
    let begin = map.cast::<u64>();
    // SAFETY: not null, so valid for a read.
    let old = unsafe { begin.read_unaligned() };
    // The address is the lower 57 bits (measured).
    // SAFETY: not null, so valid for a write.
    unsafe { begin.write_unaligned(old >> 57 << 57 | address) };
    Ok(())
}

/// Keeps the small allocation class, because compute capability 9.0 has no others (documented, not measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn set_allocation_class(
    _: &mut Call<'_>,
    map: *mut CUtensorMap,
    class: CUtensorMapAllocClass,
    in_effect: *mut CUtensorMapAllocClass,
) -> Answer {
    // SAFETY: the program's promise; the parameter may be null.
    unsafe { put_if_wanted(in_effect, CUtensorMapAllocClass::CU_TENSOR_MAP_ALLOC_CLASS_SMALL) };
    check_out(map)?;
    demand(class.0 <= 2)
}
