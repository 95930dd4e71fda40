//! Open sets of numbers in descriptors.

/// Type of the elements of a tensor.
///
/// ```
/// use cuda_rt::tensor_map::TensorDataType;
///
/// assert_eq!(TensorDataType::FLOAT16.element_bits(), Some(16));
/// assert_eq!(TensorDataType::PACKED_16U6_ALIGN16B.element_bits(), Some(6));
/// assert_eq!(TensorDataType(999).element_bits(), None);
/// ```
#[doc(alias = "CUtensorMapDataType")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TensorDataType(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/tensor_data_type.rs");

impl TensorDataType {
    /// Returns the bits of an element in global memory, or `None` for an unknown type.
    pub const fn element_bits(self) -> Option<u32> {
        Some(match self {
            Self::UINT8 => 8,
            Self::UINT16 | Self::FLOAT16 | Self::BFLOAT16 => 16,
            Self::UINT32
            | Self::INT32
            | Self::FLOAT32
            | Self::FLOAT32_FTZ
            | Self::TFLOAT32
            | Self::TFLOAT32_FTZ => 32,
            Self::UINT64 | Self::INT64 | Self::FLOAT64 => 64,
            Self::PACKED_16U4_ALIGN8B | Self::PACKED_16U4_ALIGN16B => 4,
            Self::PACKED_16U6_ALIGN16B => 6,
            _ => return None,
        })
    }

    /// Returns the strides of a tensor without padding, in bytes: one for each dimension but the first.
    ///
    /// They are valid as [`Tensor::strides`](super::Tensor::strides) if they meet the conditions there: each is below 2^40, and a
    /// multiple of 16, or of 32 for some layouts and types.
    ///
    /// Returns `None` for an unknown type, if a row is not a whole number of bytes, and if a stride in bits exceeds
    /// `u64`.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::tensor_map::TensorDataType;
    ///
    /// assert_eq!(TensorDataType::FLOAT32.packed_strides(&[64, 32, 4]), Some(vec![256, 8192]));
    /// assert_eq!(TensorDataType::FLOAT32.packed_strides(&[64]), Some(vec![]));
    /// ```
    pub fn packed_strides(self, dims: &[u64]) -> Option<Vec<u64>> {
        let bits = u64::from(self.element_bits()?);
        let outer = dims.len().saturating_sub(1);
        let mut row = 1_u64;
        dims.iter()
            .take(outer)
            .map(|dim| {
                row = row.checked_mul(*dim)?;
                let row_bits = row.checked_mul(bits)?;
                row_bits.is_multiple_of(8).then_some(row_bits / 8)
            })
            .collect()
    }
}

/// Layout of channels in slices.
///
/// ```
/// use cuda_rt::tensor_map::TensorInterleave;
///
/// assert_eq!(TensorInterleave::BYTES_16.to_string(), "BYTES_16");
/// ```
#[doc(alias = "CUtensorMapInterleave")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TensorInterleave(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/tensor_interleave.rs");

/// Order of the chunks of a row in shared memory, which spreads a column over the banks.
///
/// ```
/// use cuda_rt::tensor_map::TensorSwizzle;
///
/// assert_eq!(TensorSwizzle::SPAN_64.span_bytes(), Some(64));
/// assert_eq!(TensorSwizzle::NONE.span_bytes(), None);
/// ```
#[doc(alias = "CUtensorMapSwizzle")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TensorSwizzle(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/tensor_swizzle.rs");

impl TensorSwizzle {
    /// Returns the size in bytes of the span in which chunks are exchanged. `None` without swizzling, and for an unknown number.
    pub const fn span_bytes(self) -> Option<u32> {
        Some(match self {
            Self::SPAN_32 => 32,
            Self::SPAN_64 => 64,
            Self::SPAN_128
            | Self::SPAN_128_ATOM_32
            | Self::SPAN_128_ATOM_32_FLIP_8
            | Self::SPAN_128_ATOM_64 => 128,
            _ => return None,
        })
    }
}

/// Size of the requests by which the level-2 cache reads device memory.
///
/// ```
/// use cuda_rt::tensor_map::TensorL2Promotion;
///
/// assert_eq!(TensorL2Promotion::BYTES_256.to_string(), "BYTES_256");
/// ```
#[doc(alias = "CUtensorMapL2promotion")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TensorL2Promotion(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/tensor_l2_promotion.rs");

/// Value of elements outside the tensor.
///
/// ```
/// use cuda_rt::tensor_map::TensorFill;
///
/// assert_eq!(TensorFill::NAN.to_string(), "NAN");
/// ```
#[doc(alias = "CUtensorMapFloatOOBfill")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TensorFill(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/tensor_fill.rs");

/// Number of pixels that a copy of an [`Im2colWide`](super::Im2colWide) map takes along the width.
///
/// ```
/// use cuda_rt::tensor_map::Im2colWideMode;
///
/// assert_eq!(Im2colWideMode::W128.to_string(), "W128");
/// ```
#[doc(alias = "CUtensorMapIm2ColWideMode")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Im2colWideMode(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/im2col_wide_mode.rs");

/// Range of the addresses that hardware makes for elements out of bounds.
///
/// ```
/// use cuda_rt::tensor_map::TensorAllocationClass;
///
/// assert_eq!(TensorAllocationClass::SMALL.to_string(), "SMALL");
/// ```
#[doc(alias = "CUtensorMapAllocClass")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TensorAllocationClass(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../generated/tensor_allocation_class.rs");
