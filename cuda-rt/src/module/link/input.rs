//! What a linker can be given.

use core::fmt;
use cuda_sys::CUjitInputType_enum;

/// A kind of input of a linker: any number that some driver knows.
///
/// ```
/// use cuda_rt::JitInput;
///
/// assert_eq!(JitInput::LIBRARY.to_string(), "LIBRARY");
/// assert_eq!(JitInput(99).to_string(), "JitInput(99)");
/// assert_eq!(JitInput::all().len(), 6);
/// ```
#[doc(alias = "CUjitInputType")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JitInput(pub u32);

numbers! { JitInput of CUjitInputType_enum, "Every kind that CUDA 13.5 names.":
    CUBIN = CU_JIT_INPUT_CUBIN "CU_JIT_INPUT_CUBIN", "Machine code for one architecture.";
    PTX = CU_JIT_INPUT_PTX "CU_JIT_INPUT_PTX", "A text in PTX.";
    FATBINARY = CU_JIT_INPUT_FATBINARY "CU_JIT_INPUT_FATBINARY", "Several cubins and texts in PTX, of which the driver chooses.";
    OBJECT = CU_JIT_INPUT_OBJECT "CU_JIT_INPUT_OBJECT", "An object file of the host with device code in it.";
    LIBRARY = CU_JIT_INPUT_LIBRARY "CU_JIT_INPUT_LIBRARY", "An archive of such object files.";
    NVVM = CU_JIT_INPUT_NVVM "CU_JIT_INPUT_NVVM", "An intermediate form of compilers before CUDA 12.0, for link-time optimisation. Deprecated.";
}
