//! Kinds of input of a linker.

/// A kind of input of a linker: any number that some driver knows.
///
/// ```
/// use cuda_rt::module::JitInput;
///
/// assert_eq!(JitInput::LIBRARY.to_string(), "LIBRARY");
/// assert_eq!(JitInput(99).to_string(), "JitInput(99)");
/// assert_eq!(JitInput::all().len(), 6);
/// ```
#[doc(alias = "CUjitInputType")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JitInput(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../../generated/jit_input.rs");
