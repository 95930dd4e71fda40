//! Codes of failures that end a process's use of CUDA.

use cuda_sys::CUresult;

/// Returns whether this code is of a failure after which no call of the process works.
pub(crate) fn is_sticky(code: CUresult) -> bool {
    STICKY.contains(&code)
}

/// The failures that end a process's use of CUDA, which every later call may report.
const STICKY: &[CUresult] = &[
    // NVIDIA's "GPU Memory Error Management": the application that meets such an error is terminated.
    CUresult::CUDA_ERROR_ECC_UNCORRECTABLE,
    CUresult::CUDA_ERROR_CONTAINED,
    CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
    CUresult::CUDA_ERROR_LAUNCH_TIMEOUT,
    CUresult::CUDA_ERROR_ASSERT,
    CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR,
    CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION,
    CUresult::CUDA_ERROR_MISALIGNED_ADDRESS,
    CUresult::CUDA_ERROR_INVALID_ADDRESS_SPACE,
    CUresult::CUDA_ERROR_INVALID_PC,
    CUresult::CUDA_ERROR_LAUNCH_FAILED,
    CUresult::CUDA_ERROR_TENSOR_MEMORY_LEAK,
];
