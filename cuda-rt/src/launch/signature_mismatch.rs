//! Differences between argument types and kernels.

use super::Parameter;
use super::packed_args::BYTES;
use crate::error::{Error, ErrorKind};
use crate::module::ParameterInfo;
use crate::text::ordinal;

/// First difference between a kernel's parameters and the given argument types.
///
/// Only number, sizes and offsets can be compared: a driver does not know the types.
///
/// ```
/// # let (context, _, module) = cuda_doc::module()?;
/// use cuda_rt::launch::SignatureMismatch;
///
/// let error = module.function("nothing")?.typed::<(u32,)>().unwrap_err();
/// assert_eq!(error.context(), Some(&SignatureMismatch::Count { kernel: 0, given: 1 }));
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SignatureMismatch {
    /// Another number of parameters.
    #[error("it takes {kernel} parameters, the argument types give {given}")]
    Count {
        /// Number of parameters of the kernel.
        kernel: usize,
        /// Number of argument types.
        given: usize,
    },
    /// Another size of a parameter.
    #[error("parameter {index} ({}) takes {kernel} bytes, `{given_type}` has {given}", ordinal(*index))]
    Size {
        /// Number of the parameter, from 0.
        index: u32,
        /// Size in the kernel, in bytes.
        kernel: u32,
        /// Size of the argument type, in bytes.
        given: u32,
        /// Argument type.
        given_type: &'static str,
    },
    /// Another offset of a parameter than C would choose: the kernel's type has another alignment.
    #[error(
        "parameter {index} ({}) lies at byte {kernel}, `{given_type}` would lie at byte {given}: {}",
        ordinal(*index), advice(*align, *needed, given_type)
    )]
    Alignment {
        /// Number of the parameter, from 0.
        index: u32,
        /// Offset in the kernel, in bytes.
        kernel: u32,
        /// Offset by the argument types, in bytes.
        given: u32,
        /// Argument type.
        given_type: &'static str,
        /// Alignment of the argument type, in bytes.
        align: u32,
        /// Alignment that the argument type would need, in bytes; 0 if none is right.
        needed: u32,
    },
}

impl SignatureMismatch {
    /// Returns the error of the kernel with a name.
    #[cold]
    pub(crate) fn into_error(self, kernel: &str) -> Error {
        let error =
            Error::about(ErrorKind::TypeMismatch, format_args!("kernel `{kernel}`"), format_args!("{self}"));
        error.with_context(self)
    }
}

fn advice(align: u32, needed: u32, given_type: &str) -> String {
    let is = format!("it is aligned to {align}");
    match needed {
        0 => format!("{is}, and no alignment leads there"),
        needed if given_type == BYTES => format!("{is}, and has to be aligned to {needed}"),
        needed if needed > align => format!("{is}, and needs `#[repr(C, align({needed}))]`"),
        needed => format!("{is}, and needs a type that is aligned to {needed}"),
    }
}

/// Beyond this alignment, drivers count from an address that only they know: the first parameter is at a multiple of this.
pub(super) const COMMON: usize = 16;

/// Returns the first difference. C places parameters like the members of a structure.
pub(crate) fn compare(kernel: &[ParameterInfo], given: &[Parameter]) -> Option<SignatureMismatch> {
    if kernel.len() != given.len() {
        return Some(SignatureMismatch::Count { kernel: kernel.len(), given: given.len() });
    }
    let mut end = 0_usize;
    for (index, (kernel, &Parameter { size, align, allows_stricter_align, name })) in
        kernel.iter().zip(given).enumerate()
    {
        let index = number(index);
        if kernel.size != size {
            let (kernel, given) = (number(kernel.size), number(size));
            return Some(SignatureMismatch::Size { index, kernel, given, given_type: name });
        }
        let all = || (0..usize::BITS).map(|bit| 1 << bit).filter(|align| leads(end, *align, kernel.offset));
        // In C, the size of a type is a multiple of its alignment.
        let is_stricter = |other: usize| other > align && size.is_multiple_of(other);
        let fits = leads(end, align, kernel.offset) || allows_stricter_align && all().any(is_stricter);
        if !fits {
            let place = end.checked_next_multiple_of(align);
            // The alignment that is nearest to the type's.
            let needed = if place.is_some_and(|place| place < kernel.offset) {
                all().next()
            } else {
                all().next_back()
            };
            return Some(SignatureMismatch::Alignment {
                index,
                kernel: number(kernel.offset),
                given: place.map_or(u32::MAX, number),
                given_type: name,
                align: number(align),
                needed: needed.map_or(0, number),
            });
        }
        end = kernel.offset.saturating_add(size);
    }
    None
}

/// Returns whether a parameter with this alignment, after `end`, can be at `offset`.
fn leads(end: usize, align: usize, offset: usize) -> bool {
    if align <= COMMON {
        return end.checked_next_multiple_of(align) == Some(offset);
    }
    offset.checked_sub(end).is_some_and(|gap| gap < align) && offset.is_multiple_of(COMMON)
}

/// Converts to `u32`. A value that does not fit exceeds every kernel's parameters, and becomes the largest number.
fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DevicePtr;
    use crate::launch::KernelArgs;

    /// Compares an argument of this type with a parameter at `offset`, which follows a byte.
    fn compare_at<T>(offset: usize) -> Option<SignatureMismatch>
    where
        (u8, T): KernelArgs,
    {
        let kernel = [(0, 1), (offset, size_of::<T>())].map(|(offset, size)| ParameterInfo { offset, size });
        compare(&kernel, &<(u8, T)>::parameters())
    }

    #[test]
    fn numbers_fit_types_of_stricter_alignment() {
        // `float2`, `float4`, `uchar4`, an array of three `float2`, and `double4`.
        assert_eq!(compare_at::<[f32; 2]>(4), None);
        assert_eq!(compare_at::<[f32; 2]>(8), None);
        assert_eq!(compare_at::<[f32; 4]>(16), None);
        assert_eq!(compare_at::<[u8; 4]>(4), None);
        assert_eq!(compare_at::<[[f32; 2]; 3]>(8), None);
        assert_eq!(compare_at::<[f64; 4]>(16), None);
    }

    #[test]
    fn numbers_do_not_fit_other_places() {
        let needed = |mismatch| match mismatch {
            Some(SignatureMismatch::Alignment { index: 1, needed, .. }) => needed,
            _ => 0,
        };
        // No type of C with these sizes has an alignment with this offset.
        assert_eq!(needed(compare_at::<[f32; 2]>(16)), 16);
        assert_eq!(needed(compare_at::<[f32; 3]>(8)), 8);
        assert_eq!(needed(compare_at::<u32>(8)), 8);
        // The kernel's type is aligned less strictly.
        assert_eq!(needed(compare_at::<u64>(4)), 4);
        assert_eq!(needed(compare_at::<[u64; 2]>(1)), 1);
    }

    #[test]
    fn other_arguments_need_the_alignment_of_the_kernel() {
        assert!(compare_at::<[DevicePtr<f32>; 2]>(16).is_some());
        let packed = [1, 8].map(|size| Parameter {
            size,
            align: size.min(4),
            allows_stricter_align: false,
            name: "T",
        });
        let kernel = |offset| [(0, 1), (offset, 8)].map(|(offset, size)| ParameterInfo { offset, size });
        assert_eq!(compare(&kernel(4), &packed), None);
        assert!(compare(&kernel(8), &packed).is_some());
    }
}
