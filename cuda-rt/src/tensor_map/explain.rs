//! The rule that a refused descriptor breaks. The driver has one code for all rules.

use super::map::MOST_DIMENSIONS;
use super::{
    Im2col, Im2colWide, Im2colWideMode, Tensor, TensorDataType, TensorFill, TensorInterleave,
    TensorL2Promotion, TensorSwizzle, TiledBox,
};
use crate::device::{Device, DeviceAttribute};
use crate::memory::DevicePtr;

/// The part of a tensor that a copy transfers.
pub(super) enum Part<'a> {
    Tiled(&'a TiledBox<'a>),
    Im2col(&'a Im2col<'a>),
    Im2colWide(&'a Im2colWide<'a>),
}

impl<'a> From<&'a TiledBox<'a>> for Part<'a> {
    fn from(tiled: &'a TiledBox<'a>) -> Self {
        Part::Tiled(tiled)
    }
}

impl<'a> From<&'a Im2col<'a>> for Part<'a> {
    fn from(columns: &'a Im2col<'a>) -> Self {
        Part::Im2col(columns)
    }
}

impl<'a> From<&'a Im2colWide<'a>> for Part<'a> {
    fn from(columns: &'a Im2colWide<'a>) -> Self {
        Part::Im2colWide(columns)
    }
}

/// Returns the first broken rule, with the value and the limit.
#[cold]
pub(super) fn explain(device: Device, tensor: &Tensor<'_>, part: &Part<'_>) -> String {
    let rules = no_tensor_maps(device)
        .or_else(|| unknown_number(device, tensor, part))
        .or_else(|| broken_by_tensor(tensor))
        .or_else(|| match part {
            Part::Tiled(tiled) => broken_by_box(tensor, tiled),
            Part::Im2col(columns) => broken_by_columns(
                tensor,
                columns.lower_corner,
                columns.upper_corner,
                (columns.channels_per_pixel, columns.pixels_per_column),
                columns.element_strides,
            ),
            Part::Im2colWide(columns) => broken_by_columns(
                tensor,
                &[columns.lower_corner],
                &[columns.upper_corner],
                (columns.channels_per_pixel, columns.pixels_per_column),
                columns.element_strides,
            ),
        })
        .or_else(|| too_many_bytes(device, tensor, part))
        .or_else(|| broken_where_documented(device, tensor, part));
    rules.unwrap_or_else(|| "the driver gives no reason, and no rule that is known here is broken".to_owned())
}

/// Returns why the driver refused an address for a map whose other values are not known.
#[cold]
pub(super) fn explain_address(device: Device, address: DevicePtr<()>) -> String {
    no_tensor_maps(device)
        .or_else(|| broken_by_address(address, 16))
        .unwrap_or_else(|| format!("address {:#x} is not one that a tensor can have", address.as_raw()))
}

fn no_tensor_maps(device: Device) -> Option<String> {
    // Only called to explain an existing error.
    let has_maps = device.attribute(DeviceAttribute::TENSOR_MAP_ACCESS_SUPPORTED) != Ok(0);
    (!has_maps).then(|| "the device has no tensor maps; they need compute capability 9.0".to_owned())
}

/// Returns whether the numbers of a packed type lie in groups with gaps.
fn has_gaps(data_type: TensorDataType) -> bool {
    matches!(data_type, TensorDataType::PACKED_16U4_ALIGN16B | TensorDataType::PACKED_16U6_ALIGN16B)
}

fn is_packed(data_type: TensorDataType) -> bool {
    has_gaps(data_type) || data_type == TensorDataType::PACKED_16U4_ALIGN8B
}

fn is_float(data_type: TensorDataType) -> bool {
    matches!(
        data_type,
        TensorDataType::FLOAT16
            | TensorDataType::FLOAT32
            | TensorDataType::FLOAT64
            | TensorDataType::BFLOAT16
            | TensorDataType::FLOAT32_FTZ
            | TensorDataType::TFLOAT32
            | TensorDataType::TFLOAT32_FTZ
    )
}

/// Returns a number that no release names, or that needs a newer device.
fn unknown_number(device: Device, tensor: &Tensor<'_>, part: &Part<'_>) -> Option<String> {
    let Tensor { data_type, interleave, swizzle, l2_promotion, fill, .. } = *tensor;
    let unknown = |what: &dyn core::fmt::Display| Some(format!("{what} is not one that CUDA 13.5 names"));
    if TensorDataType::all().all(|known| known != data_type) {
        return unknown(&data_type);
    }
    if TensorInterleave::all().all(|known| known != interleave) {
        return unknown(&interleave);
    }
    if TensorSwizzle::all().all(|known| known != swizzle) {
        return unknown(&swizzle);
    }
    if TensorL2Promotion::all().all(|known| known != l2_promotion) {
        return unknown(&l2_promotion);
    }
    if TensorFill::all().all(|known| known != fill) {
        return unknown(&fill);
    }
    if let Part::Im2colWide(columns) = part
        && Im2colWideMode::all().all(|known| known != columns.mode)
    {
        return unknown(&columns.mode);
    }
    if fill == TensorFill::NAN && !is_float(data_type) {
        return Some(format!("fill NAN is for floating-point types, and not for {data_type}"));
    }
    let capability = device.compute_capability().ok()?;
    if (capability.major, capability.minor) >= (10, 0) {
        return None;
    }
    let needs = |what: &dyn core::fmt::Display| {
        Some(format!("{what} needs compute capability 10.0; the device has {capability}"))
    };
    if is_packed(data_type) {
        return needs(&data_type);
    }
    let newer = [
        TensorSwizzle::SPAN_128_ATOM_32,
        TensorSwizzle::SPAN_128_ATOM_32_FLIP_8,
        TensorSwizzle::SPAN_128_ATOM_64,
    ];
    if newer.contains(&swizzle) {
        return needs(&format_args!("swizzle {swizzle}"));
    }
    None
}

fn broken_by_address(address: DevicePtr<()>, multiple: u64) -> Option<String> {
    let address = address.as_raw();
    if !address.is_multiple_of(multiple) {
        return Some(format!("address {address:#x} is not a multiple of {multiple}"));
    }
    (address >> 57 != 0).then(|| format!("address {address:#x} exceeds 2^57"))
}

fn broken_by_tensor(tensor: &Tensor<'_>) -> Option<String> {
    let Tensor { data_type, address, dims, strides, interleave, .. } = *tensor;
    let rank = dims.len();
    if interleave != TensorInterleave::NONE && rank < 3 {
        return Some(format!("{rank} dimensions are too few for interleave {interleave}, which needs 3"));
    }
    let multiple = if interleave == TensorInterleave::BYTES_32 || has_gaps(data_type) { 32 } else { 16 };
    if let Some(text) = broken_by_address(address, multiple) {
        return Some(text);
    }
    for (index, dim) in dims.iter().enumerate() {
        if *dim == 0 || *dim > 1 << 32 {
            return Some(format!("{dim} elements along dimension {index} are not within 1 to 2^32"));
        }
    }
    let first = dims.first().copied().unwrap_or_default();
    let whole = if has_gaps(data_type) { 128 } else { 2 };
    if is_packed(data_type) && !first.is_multiple_of(whole) {
        return Some(format!(
            "{first} elements along dimension 0 are not a multiple of {whole}, which {data_type} needs"
        ));
    }
    for (index, stride) in (1..).zip(strides) {
        if !stride.is_multiple_of(multiple) {
            return Some(format!("stride {stride} of dimension {index} is not a multiple of {multiple}"));
        }
        if *stride >= 1 << 40 {
            return Some(format!("stride {stride} of dimension {index} is not less than 2^40"));
        }
    }
    None
}

fn broken_by_element_strides(element_strides: &[u32]) -> Option<String> {
    let (index, stride) =
        element_strides.iter().enumerate().find(|(_, stride)| !(1..=8).contains(*stride))?;
    Some(format!("element stride {stride} of dimension {index} is not within 1 to 8"))
}

/// Returns a broken rule of the adjacent elements that a copy transfers.
fn broken_by_row(tensor: &Tensor<'_>, elements: u32) -> Option<String> {
    let Tensor { data_type, interleave, swizzle, .. } = *tensor;
    if has_gaps(data_type) && elements != 128 {
        return Some(format!("{elements} elements of a row are not the 128 that {data_type} needs"));
    }
    let bits = u64::from(elements) * u64::from(data_type.element_bits()?);
    if !bits.is_multiple_of(128) {
        return Some(format!("{elements} elements of a row have {} bytes, not a multiple of 16", bits / 8));
    }
    let span = swizzle.span_bytes().filter(|_| interleave == TensorInterleave::NONE)?;
    // In shared memory, groups with gaps take a byte for each number.
    let bytes = if has_gaps(data_type) { u64::from(elements) } else { bits / 8 };
    (bytes > u64::from(span)).then(|| {
        format!("{elements} elements of a row have {bytes} bytes, more than swizzle {swizzle} allows")
    })
}

fn broken_by_box(tensor: &Tensor<'_>, tiled: &TiledBox<'_>) -> Option<String> {
    for (index, dim) in tiled.dims.iter().enumerate() {
        if !(1..=256).contains(dim) {
            return Some(format!(
                "{dim} elements of the box along dimension {index} are not within 1 to 256"
            ));
        }
    }
    broken_by_element_strides(tiled.element_strides)
        .or_else(|| broken_by_row(tensor, tiled.dims.first().copied()?))
}

fn broken_by_columns(
    tensor: &Tensor<'_>,
    lower: &[i32],
    upper: &[i32],
    (channels, pixels): (u32, u32),
    element_strides: &[u32],
) -> Option<String> {
    let rank = tensor.dims.len();
    if rank < 3 {
        return Some(format!("{rank} dimensions are not within 3 to {MOST_DIMENSIONS}, as images need"));
    }
    let limit = match rank {
        3 => 1 << 15,
        4 => 1 << 7,
        _ => 1 << 4,
    };
    for offset in lower.iter().chain(upper) {
        if !(-limit..limit).contains(offset) {
            return Some(format!(
                "offset {offset} of a corner is not within {} to {}, the limits of {rank} dimensions",
                -limit,
                limit - 1
            ));
        }
    }
    // Interleaved images begin with the width, others with the channels.
    let width = usize::from(tensor.interleave == TensorInterleave::NONE);
    for (index, ((lower, upper), dim)) in
        lower.iter().zip(upper).zip(tensor.dims.iter().skip(width)).enumerate()
    {
        let pixels = i128::from(*dim) + i128::from(*upper) - i128::from(*lower);
        if pixels < 1 || pixels > i128::from(i32::MAX) {
            return Some(format!(
                "the bounding box has {pixels} pixels along dimension {}, which are not within 1 to 2^31 - 1",
                index + width
            ));
        }
    }
    if !(1..=256).contains(&channels) {
        return Some(format!("{channels} channels per pixel are not within 1 to 256"));
    }
    if !(1..=1024).contains(&pixels) {
        return Some(format!("{pixels} pixels per column are not within 1 to 1024"));
    }
    broken_by_element_strides(element_strides).or_else(|| broken_by_row(tensor, channels))
}

/// Returns whether a copy exceeds the shared memory of a multiprocessor, as drivers require.
fn too_many_bytes(device: Device, tensor: &Tensor<'_>, part: &Part<'_>) -> Option<String> {
    let element_bits = u128::from(tensor.data_type.element_bits()?);
    let elements: u128 = match part {
        Part::Tiled(tiled) => {
            let step = |index| tiled.element_strides.get(index).copied().unwrap_or(1).max(1);
            tiled.dims.iter().enumerate().map(|(index, dim)| u128::from(dim / step(index))).product()
        }
        Part::Im2col(Im2col { channels_per_pixel, pixels_per_column, .. })
        | Part::Im2colWide(Im2colWide { channels_per_pixel, pixels_per_column, .. }) => {
            u128::from(*channels_per_pixel) * u128::from(*pixels_per_column)
        }
    };
    let limit = DeviceAttribute::MAX_SHARED_MEMORY_PER_MULTIPROCESSOR;
    let most = device.attribute(limit).ok().and_then(|most| u128::try_from(most).ok())?;
    let bytes = elements * element_bits / 8;
    (bytes > most).then(|| format!("a copy takes {bytes} bytes, more than {limit}, which is {most}"))
}

/// Returns a broken rule of those that drivers were seen not to apply. Another driver may apply them.
fn broken_where_documented(device: Device, tensor: &Tensor<'_>, part: &Part<'_>) -> Option<String> {
    let Tensor { dims, interleave, swizzle, .. } = *tensor;
    if let Some((index, dim)) = dims.iter().enumerate().find(|(_, dim)| **dim > 1 << 31) {
        return Some(format!("{dim} elements along dimension {index} exceed 2^31"));
    }
    if interleave == TensorInterleave::BYTES_32 && swizzle != TensorSwizzle::SPAN_32 {
        return Some(format!("interleave {interleave} needs swizzle SPAN_32, not {swizzle}"));
    }
    let for_wide = [TensorSwizzle::SPAN_64, TensorSwizzle::SPAN_128, TensorSwizzle::SPAN_128_ATOM_32];
    if matches!(part, Part::Im2colWide(_)) && !for_wide.contains(&swizzle) {
        return Some(format!("swizzle {swizzle} is not for columns along the width"));
    }
    let is_older = || device.compute_capability().is_ok_and(|capability| capability.major < 10);
    if matches!(part, Part::Im2colWide(_)) && is_older() {
        return Some("columns along the width need compute capability 10.0".to_owned());
    }
    None
}
