//! Codes of sticky failures.

use cuda_sys::CUresult;

/// Returns whether a failure with this code is sticky: no later call of the process works.
pub(crate) fn is_sticky(code: CUresult) -> bool {
    STICKY.contains(&code)
}

/// Sticky failures, which every later call may report.
const STICKY: &[CUresult] = &[
    // According to NVIDIA's "GPU Memory Error Management", the application with such an error is terminated.
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
