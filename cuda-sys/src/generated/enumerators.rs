// Generated from the interface of CUDA 13.5 by `cargo build --features regenerate`. Do not edit.

//! The enumerators under their own names, as C has them. The constants of their types are the same.
//!
//! ```
//! use cuda_sys::*;
//!
//! assert_eq!(CUDA_ERROR_NOT_FOUND, CUresult::CUDA_ERROR_NOT_FOUND);
//! ```

use super::types::*;

pub const CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS: CUipcMem_flags_enum =
    CUipcMem_flags_enum::CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS;
pub const CU_MEM_ATTACH_GLOBAL: CUmemAttach_flags_enum = CUmemAttach_flags_enum::CU_MEM_ATTACH_GLOBAL;
pub const CU_MEM_ATTACH_HOST: CUmemAttach_flags_enum = CUmemAttach_flags_enum::CU_MEM_ATTACH_HOST;
pub const CU_MEM_ATTACH_SINGLE: CUmemAttach_flags_enum = CUmemAttach_flags_enum::CU_MEM_ATTACH_SINGLE;
pub const CU_CTX_SCHED_AUTO: CUctx_flags_enum = CUctx_flags_enum::CU_CTX_SCHED_AUTO;
pub const CU_CTX_SCHED_SPIN: CUctx_flags_enum = CUctx_flags_enum::CU_CTX_SCHED_SPIN;
pub const CU_CTX_SCHED_YIELD: CUctx_flags_enum = CUctx_flags_enum::CU_CTX_SCHED_YIELD;
pub const CU_CTX_SCHED_BLOCKING_SYNC: CUctx_flags_enum = CUctx_flags_enum::CU_CTX_SCHED_BLOCKING_SYNC;
pub const CU_CTX_BLOCKING_SYNC: CUctx_flags_enum = CUctx_flags_enum::CU_CTX_BLOCKING_SYNC;
pub const CU_CTX_SCHED_MASK: CUctx_flags_enum = CUctx_flags_enum::CU_CTX_SCHED_MASK;
pub const CU_CTX_MAP_HOST: CUctx_flags_enum = CUctx_flags_enum::CU_CTX_MAP_HOST;
pub const CU_CTX_LMEM_RESIZE_TO_MAX: CUctx_flags_enum = CUctx_flags_enum::CU_CTX_LMEM_RESIZE_TO_MAX;
pub const CU_CTX_COREDUMP_ENABLE: CUctx_flags_enum = CUctx_flags_enum::CU_CTX_COREDUMP_ENABLE;
pub const CU_CTX_USER_COREDUMP_ENABLE: CUctx_flags_enum = CUctx_flags_enum::CU_CTX_USER_COREDUMP_ENABLE;
pub const CU_CTX_SYNC_MEMOPS: CUctx_flags_enum = CUctx_flags_enum::CU_CTX_SYNC_MEMOPS;
pub const CU_CTX_FLAGS_MASK: CUctx_flags_enum = CUctx_flags_enum::CU_CTX_FLAGS_MASK;
pub const CU_EVENT_SCHED_AUTO: CUevent_sched_flags_enum = CUevent_sched_flags_enum::CU_EVENT_SCHED_AUTO;
pub const CU_EVENT_SCHED_SPIN: CUevent_sched_flags_enum = CUevent_sched_flags_enum::CU_EVENT_SCHED_SPIN;
pub const CU_EVENT_SCHED_YIELD: CUevent_sched_flags_enum = CUevent_sched_flags_enum::CU_EVENT_SCHED_YIELD;
pub const CU_EVENT_SCHED_BLOCKING_SYNC: CUevent_sched_flags_enum =
    CUevent_sched_flags_enum::CU_EVENT_SCHED_BLOCKING_SYNC;
pub const NVCL_EVENT_SCHED_AUTO: cl_event_flags_enum = cl_event_flags_enum::NVCL_EVENT_SCHED_AUTO;
pub const NVCL_EVENT_SCHED_SPIN: cl_event_flags_enum = cl_event_flags_enum::NVCL_EVENT_SCHED_SPIN;
pub const NVCL_EVENT_SCHED_YIELD: cl_event_flags_enum = cl_event_flags_enum::NVCL_EVENT_SCHED_YIELD;
pub const NVCL_EVENT_SCHED_BLOCKING_SYNC: cl_event_flags_enum =
    cl_event_flags_enum::NVCL_EVENT_SCHED_BLOCKING_SYNC;
pub const NVCL_CTX_SCHED_AUTO: cl_context_flags_enum = cl_context_flags_enum::NVCL_CTX_SCHED_AUTO;
pub const NVCL_CTX_SCHED_SPIN: cl_context_flags_enum = cl_context_flags_enum::NVCL_CTX_SCHED_SPIN;
pub const NVCL_CTX_SCHED_YIELD: cl_context_flags_enum = cl_context_flags_enum::NVCL_CTX_SCHED_YIELD;
pub const NVCL_CTX_SCHED_BLOCKING_SYNC: cl_context_flags_enum =
    cl_context_flags_enum::NVCL_CTX_SCHED_BLOCKING_SYNC;
pub const CU_HOST_TASK_BLOCKING: CUhostTaskSyncMode_enum = CUhostTaskSyncMode_enum::CU_HOST_TASK_BLOCKING;
pub const CU_HOST_TASK_SPINWAIT: CUhostTaskSyncMode_enum = CUhostTaskSyncMode_enum::CU_HOST_TASK_SPINWAIT;
pub const CU_STREAM_DEFAULT: CUstream_flags_enum = CUstream_flags_enum::CU_STREAM_DEFAULT;
pub const CU_STREAM_NON_BLOCKING: CUstream_flags_enum = CUstream_flags_enum::CU_STREAM_NON_BLOCKING;
pub const CU_EVENT_DEFAULT: CUevent_flags_enum = CUevent_flags_enum::CU_EVENT_DEFAULT;
pub const CU_EVENT_BLOCKING_SYNC: CUevent_flags_enum = CUevent_flags_enum::CU_EVENT_BLOCKING_SYNC;
pub const CU_EVENT_DISABLE_TIMING: CUevent_flags_enum = CUevent_flags_enum::CU_EVENT_DISABLE_TIMING;
pub const CU_EVENT_INTERPROCESS: CUevent_flags_enum = CUevent_flags_enum::CU_EVENT_INTERPROCESS;
pub const CU_EVENT_RECORD_DEFAULT: CUevent_record_flags_enum =
    CUevent_record_flags_enum::CU_EVENT_RECORD_DEFAULT;
pub const CU_EVENT_RECORD_EXTERNAL: CUevent_record_flags_enum =
    CUevent_record_flags_enum::CU_EVENT_RECORD_EXTERNAL;
pub const CU_EVENT_WAIT_DEFAULT: CUevent_wait_flags_enum = CUevent_wait_flags_enum::CU_EVENT_WAIT_DEFAULT;
pub const CU_EVENT_WAIT_EXTERNAL: CUevent_wait_flags_enum = CUevent_wait_flags_enum::CU_EVENT_WAIT_EXTERNAL;
pub const CU_ATOMIC_OPERATION_INTEGER_ADD: CUatomicOperation_enum =
    CUatomicOperation_enum::CU_ATOMIC_OPERATION_INTEGER_ADD;
pub const CU_ATOMIC_OPERATION_INTEGER_MIN: CUatomicOperation_enum =
    CUatomicOperation_enum::CU_ATOMIC_OPERATION_INTEGER_MIN;
pub const CU_ATOMIC_OPERATION_INTEGER_MAX: CUatomicOperation_enum =
    CUatomicOperation_enum::CU_ATOMIC_OPERATION_INTEGER_MAX;
pub const CU_ATOMIC_OPERATION_INTEGER_INCREMENT: CUatomicOperation_enum =
    CUatomicOperation_enum::CU_ATOMIC_OPERATION_INTEGER_INCREMENT;
pub const CU_ATOMIC_OPERATION_INTEGER_DECREMENT: CUatomicOperation_enum =
    CUatomicOperation_enum::CU_ATOMIC_OPERATION_INTEGER_DECREMENT;
pub const CU_ATOMIC_OPERATION_AND: CUatomicOperation_enum = CUatomicOperation_enum::CU_ATOMIC_OPERATION_AND;
pub const CU_ATOMIC_OPERATION_OR: CUatomicOperation_enum = CUatomicOperation_enum::CU_ATOMIC_OPERATION_OR;
pub const CU_ATOMIC_OPERATION_XOR: CUatomicOperation_enum = CUatomicOperation_enum::CU_ATOMIC_OPERATION_XOR;
pub const CU_ATOMIC_OPERATION_EXCHANGE: CUatomicOperation_enum =
    CUatomicOperation_enum::CU_ATOMIC_OPERATION_EXCHANGE;
pub const CU_ATOMIC_OPERATION_CAS: CUatomicOperation_enum = CUatomicOperation_enum::CU_ATOMIC_OPERATION_CAS;
pub const CU_ATOMIC_OPERATION_FLOAT_ADD: CUatomicOperation_enum =
    CUatomicOperation_enum::CU_ATOMIC_OPERATION_FLOAT_ADD;
pub const CU_ATOMIC_OPERATION_FLOAT_MIN: CUatomicOperation_enum =
    CUatomicOperation_enum::CU_ATOMIC_OPERATION_FLOAT_MIN;
pub const CU_ATOMIC_OPERATION_FLOAT_MAX: CUatomicOperation_enum =
    CUatomicOperation_enum::CU_ATOMIC_OPERATION_FLOAT_MAX;
pub const CU_ATOMIC_OPERATION_MAX: CUatomicOperation_enum = CUatomicOperation_enum::CU_ATOMIC_OPERATION_MAX;
pub const CU_ATOMIC_CAPABILITY_SIGNED: CUatomicOperationCapability_enum =
    CUatomicOperationCapability_enum::CU_ATOMIC_CAPABILITY_SIGNED;
pub const CU_ATOMIC_CAPABILITY_UNSIGNED: CUatomicOperationCapability_enum =
    CUatomicOperationCapability_enum::CU_ATOMIC_CAPABILITY_UNSIGNED;
pub const CU_ATOMIC_CAPABILITY_REDUCTION: CUatomicOperationCapability_enum =
    CUatomicOperationCapability_enum::CU_ATOMIC_CAPABILITY_REDUCTION;
pub const CU_ATOMIC_CAPABILITY_SCALAR_32: CUatomicOperationCapability_enum =
    CUatomicOperationCapability_enum::CU_ATOMIC_CAPABILITY_SCALAR_32;
pub const CU_ATOMIC_CAPABILITY_SCALAR_64: CUatomicOperationCapability_enum =
    CUatomicOperationCapability_enum::CU_ATOMIC_CAPABILITY_SCALAR_64;
pub const CU_ATOMIC_CAPABILITY_SCALAR_128: CUatomicOperationCapability_enum =
    CUatomicOperationCapability_enum::CU_ATOMIC_CAPABILITY_SCALAR_128;
pub const CU_ATOMIC_CAPABILITY_VECTOR_32x4: CUatomicOperationCapability_enum =
    CUatomicOperationCapability_enum::CU_ATOMIC_CAPABILITY_VECTOR_32x4;
pub const CU_STREAM_WAIT_VALUE_GEQ: CUstreamWaitValue_flags_enum =
    CUstreamWaitValue_flags_enum::CU_STREAM_WAIT_VALUE_GEQ;
pub const CU_STREAM_WAIT_VALUE_EQ: CUstreamWaitValue_flags_enum =
    CUstreamWaitValue_flags_enum::CU_STREAM_WAIT_VALUE_EQ;
pub const CU_STREAM_WAIT_VALUE_AND: CUstreamWaitValue_flags_enum =
    CUstreamWaitValue_flags_enum::CU_STREAM_WAIT_VALUE_AND;
pub const CU_STREAM_WAIT_VALUE_NOR: CUstreamWaitValue_flags_enum =
    CUstreamWaitValue_flags_enum::CU_STREAM_WAIT_VALUE_NOR;
pub const CU_STREAM_WAIT_VALUE_FLUSH: CUstreamWaitValue_flags_enum =
    CUstreamWaitValue_flags_enum::CU_STREAM_WAIT_VALUE_FLUSH;
pub const CU_STREAM_WRITE_VALUE_DEFAULT: CUstreamWriteValue_flags_enum =
    CUstreamWriteValue_flags_enum::CU_STREAM_WRITE_VALUE_DEFAULT;
pub const CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER: CUstreamWriteValue_flags_enum =
    CUstreamWriteValue_flags_enum::CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER;
pub const CU_STREAM_MEM_OP_WAIT_VALUE_32: CUstreamBatchMemOpType_enum =
    CUstreamBatchMemOpType_enum::CU_STREAM_MEM_OP_WAIT_VALUE_32;
pub const CU_STREAM_MEM_OP_WRITE_VALUE_32: CUstreamBatchMemOpType_enum =
    CUstreamBatchMemOpType_enum::CU_STREAM_MEM_OP_WRITE_VALUE_32;
pub const CU_STREAM_MEM_OP_WAIT_VALUE_64: CUstreamBatchMemOpType_enum =
    CUstreamBatchMemOpType_enum::CU_STREAM_MEM_OP_WAIT_VALUE_64;
pub const CU_STREAM_MEM_OP_WRITE_VALUE_64: CUstreamBatchMemOpType_enum =
    CUstreamBatchMemOpType_enum::CU_STREAM_MEM_OP_WRITE_VALUE_64;
pub const CU_STREAM_MEM_OP_BARRIER: CUstreamBatchMemOpType_enum =
    CUstreamBatchMemOpType_enum::CU_STREAM_MEM_OP_BARRIER;
pub const CU_STREAM_MEM_OP_ATOMIC_REDUCTION: CUstreamBatchMemOpType_enum =
    CUstreamBatchMemOpType_enum::CU_STREAM_MEM_OP_ATOMIC_REDUCTION;
pub const CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES: CUstreamBatchMemOpType_enum =
    CUstreamBatchMemOpType_enum::CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES;
pub const CU_STREAM_MEMORY_BARRIER_TYPE_SYS: CUstreamMemoryBarrier_flags_enum =
    CUstreamMemoryBarrier_flags_enum::CU_STREAM_MEMORY_BARRIER_TYPE_SYS;
pub const CU_STREAM_MEMORY_BARRIER_TYPE_GPU: CUstreamMemoryBarrier_flags_enum =
    CUstreamMemoryBarrier_flags_enum::CU_STREAM_MEMORY_BARRIER_TYPE_GPU;
pub const CU_STREAM_ATOMIC_REDUCTION_OP_OR: CUstreamAtomicReductionOpType_enum =
    CUstreamAtomicReductionOpType_enum::CU_STREAM_ATOMIC_REDUCTION_OP_OR;
pub const CU_STREAM_ATOMIC_REDUCTION_OP_AND: CUstreamAtomicReductionOpType_enum =
    CUstreamAtomicReductionOpType_enum::CU_STREAM_ATOMIC_REDUCTION_OP_AND;
pub const CU_STREAM_ATOMIC_REDUCTION_OP_ADD: CUstreamAtomicReductionOpType_enum =
    CUstreamAtomicReductionOpType_enum::CU_STREAM_ATOMIC_REDUCTION_OP_ADD;
pub const CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_32: CUstreamAtomicReductionDataType_enum =
    CUstreamAtomicReductionDataType_enum::CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_32;
pub const CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_64: CUstreamAtomicReductionDataType_enum =
    CUstreamAtomicReductionDataType_enum::CU_STREAM_ATOMIC_REDUCTION_UNSIGNED_64;
pub const CU_OCCUPANCY_DEFAULT: CUoccupancy_flags_enum = CUoccupancy_flags_enum::CU_OCCUPANCY_DEFAULT;
pub const CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE: CUoccupancy_flags_enum =
    CUoccupancy_flags_enum::CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE;
pub const CU_STREAM_ADD_CAPTURE_DEPENDENCIES: CUstreamUpdateCaptureDependencies_flags_enum =
    CUstreamUpdateCaptureDependencies_flags_enum::CU_STREAM_ADD_CAPTURE_DEPENDENCIES;
pub const CU_STREAM_SET_CAPTURE_DEPENDENCIES: CUstreamUpdateCaptureDependencies_flags_enum =
    CUstreamUpdateCaptureDependencies_flags_enum::CU_STREAM_SET_CAPTURE_DEPENDENCIES;
pub const CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET: CUasyncNotificationType_enum =
    CUasyncNotificationType_enum::CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET;
pub const CU_AD_FORMAT_UNSIGNED_INT8: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT8;
pub const CU_AD_FORMAT_UNSIGNED_INT16: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT16;
pub const CU_AD_FORMAT_UNSIGNED_INT32: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT32;
pub const CU_AD_FORMAT_SIGNED_INT8: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_SIGNED_INT8;
pub const CU_AD_FORMAT_SIGNED_INT16: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_SIGNED_INT16;
pub const CU_AD_FORMAT_SIGNED_INT32: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_SIGNED_INT32;
pub const CU_AD_FORMAT_HALF: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_HALF;
pub const CU_AD_FORMAT_FLOAT: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_FLOAT;
pub const CU_AD_FORMAT_NV12: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_NV12;
pub const CU_AD_FORMAT_UNORM_INT8X1: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_UNORM_INT8X1;
pub const CU_AD_FORMAT_UNORM_INT8X2: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_UNORM_INT8X2;
pub const CU_AD_FORMAT_UNORM_INT8X4: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_UNORM_INT8X4;
pub const CU_AD_FORMAT_UNORM_INT16X1: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_UNORM_INT16X1;
pub const CU_AD_FORMAT_UNORM_INT16X2: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_UNORM_INT16X2;
pub const CU_AD_FORMAT_UNORM_INT16X4: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_UNORM_INT16X4;
pub const CU_AD_FORMAT_SNORM_INT8X1: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_SNORM_INT8X1;
pub const CU_AD_FORMAT_SNORM_INT8X2: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_SNORM_INT8X2;
pub const CU_AD_FORMAT_SNORM_INT8X4: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_SNORM_INT8X4;
pub const CU_AD_FORMAT_SNORM_INT16X1: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_SNORM_INT16X1;
pub const CU_AD_FORMAT_SNORM_INT16X2: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_SNORM_INT16X2;
pub const CU_AD_FORMAT_SNORM_INT16X4: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_SNORM_INT16X4;
pub const CU_AD_FORMAT_BC1_UNORM: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC1_UNORM;
pub const CU_AD_FORMAT_BC1_UNORM_SRGB: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC1_UNORM_SRGB;
pub const CU_AD_FORMAT_BC2_UNORM: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC2_UNORM;
pub const CU_AD_FORMAT_BC2_UNORM_SRGB: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC2_UNORM_SRGB;
pub const CU_AD_FORMAT_BC3_UNORM: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC3_UNORM;
pub const CU_AD_FORMAT_BC3_UNORM_SRGB: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC3_UNORM_SRGB;
pub const CU_AD_FORMAT_BC4_UNORM: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC4_UNORM;
pub const CU_AD_FORMAT_BC4_SNORM: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC4_SNORM;
pub const CU_AD_FORMAT_BC5_UNORM: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC5_UNORM;
pub const CU_AD_FORMAT_BC5_SNORM: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC5_SNORM;
pub const CU_AD_FORMAT_BC6H_UF16: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC6H_UF16;
pub const CU_AD_FORMAT_BC6H_SF16: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC6H_SF16;
pub const CU_AD_FORMAT_BC7_UNORM: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC7_UNORM;
pub const CU_AD_FORMAT_BC7_UNORM_SRGB: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_BC7_UNORM_SRGB;
pub const CU_AD_FORMAT_P010: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_P010;
pub const CU_AD_FORMAT_P016: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_P016;
pub const CU_AD_FORMAT_NV16: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_NV16;
pub const CU_AD_FORMAT_P210: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_P210;
pub const CU_AD_FORMAT_P216: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_P216;
pub const CU_AD_FORMAT_YUY2: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_YUY2;
pub const CU_AD_FORMAT_Y210: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_Y210;
pub const CU_AD_FORMAT_Y216: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_Y216;
pub const CU_AD_FORMAT_AYUV: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_AYUV;
pub const CU_AD_FORMAT_Y410: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_Y410;
pub const CU_AD_FORMAT_Y416: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_Y416;
pub const CU_AD_FORMAT_Y444_PLANAR8: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_Y444_PLANAR8;
pub const CU_AD_FORMAT_Y444_PLANAR10: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_Y444_PLANAR10;
pub const CU_AD_FORMAT_YUV444_8bit_SemiPlanar: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_YUV444_8bit_SemiPlanar;
pub const CU_AD_FORMAT_YUV444_16bit_SemiPlanar: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_YUV444_16bit_SemiPlanar;
pub const CU_AD_FORMAT_UNORM_INT_101010_2: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UNORM_INT_101010_2;
pub const CU_AD_FORMAT_UINT8_PACKED_422: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT8_PACKED_422;
pub const CU_AD_FORMAT_UINT8_PACKED_444: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT8_PACKED_444;
pub const CU_AD_FORMAT_UINT8_SEMIPLANAR_420: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT8_SEMIPLANAR_420;
pub const CU_AD_FORMAT_UINT16_SEMIPLANAR_420: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT16_SEMIPLANAR_420;
pub const CU_AD_FORMAT_UINT8_SEMIPLANAR_422: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT8_SEMIPLANAR_422;
pub const CU_AD_FORMAT_UINT16_SEMIPLANAR_422: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT16_SEMIPLANAR_422;
pub const CU_AD_FORMAT_UINT8_SEMIPLANAR_444: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT8_SEMIPLANAR_444;
pub const CU_AD_FORMAT_UINT16_SEMIPLANAR_444: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT16_SEMIPLANAR_444;
pub const CU_AD_FORMAT_UINT8_PLANAR_420: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT8_PLANAR_420;
pub const CU_AD_FORMAT_UINT16_PLANAR_420: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT16_PLANAR_420;
pub const CU_AD_FORMAT_UINT8_PLANAR_422: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT8_PLANAR_422;
pub const CU_AD_FORMAT_UINT16_PLANAR_422: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT16_PLANAR_422;
pub const CU_AD_FORMAT_UINT8_PLANAR_444: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT8_PLANAR_444;
pub const CU_AD_FORMAT_UINT16_PLANAR_444: CUarray_format_enum =
    CUarray_format_enum::CU_AD_FORMAT_UINT16_PLANAR_444;
pub const CU_AD_FORMAT_MAX: CUarray_format_enum = CUarray_format_enum::CU_AD_FORMAT_MAX;
pub const CU_TR_ADDRESS_MODE_WRAP: CUaddress_mode_enum = CUaddress_mode_enum::CU_TR_ADDRESS_MODE_WRAP;
pub const CU_TR_ADDRESS_MODE_CLAMP: CUaddress_mode_enum = CUaddress_mode_enum::CU_TR_ADDRESS_MODE_CLAMP;
pub const CU_TR_ADDRESS_MODE_MIRROR: CUaddress_mode_enum = CUaddress_mode_enum::CU_TR_ADDRESS_MODE_MIRROR;
pub const CU_TR_ADDRESS_MODE_BORDER: CUaddress_mode_enum = CUaddress_mode_enum::CU_TR_ADDRESS_MODE_BORDER;
pub const CU_TR_FILTER_MODE_POINT: CUfilter_mode_enum = CUfilter_mode_enum::CU_TR_FILTER_MODE_POINT;
pub const CU_TR_FILTER_MODE_LINEAR: CUfilter_mode_enum = CUfilter_mode_enum::CU_TR_FILTER_MODE_LINEAR;
pub const CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
pub const CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X;
pub const CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y;
pub const CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z;
pub const CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X;
pub const CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y;
pub const CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z;
pub const CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK;
pub const CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK;
pub const CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY;
pub const CU_DEVICE_ATTRIBUTE_WARP_SIZE: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_WARP_SIZE;
pub const CU_DEVICE_ATTRIBUTE_MAX_PITCH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_PITCH;
pub const CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK;
pub const CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK;
pub const CU_DEVICE_ATTRIBUTE_CLOCK_RATE: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CLOCK_RATE;
pub const CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT;
pub const CU_DEVICE_ATTRIBUTE_GPU_OVERLAP: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_GPU_OVERLAP;
pub const CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
pub const CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT;
pub const CU_DEVICE_ATTRIBUTE_INTEGRATED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_INTEGRATED;
pub const CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY;
pub const CU_DEVICE_ATTRIBUTE_COMPUTE_MODE: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_COMPUTE_MODE;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES;
pub const CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT;
pub const CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS;
pub const CU_DEVICE_ATTRIBUTE_ECC_ENABLED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_ECC_ENABLED;
pub const CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_PCI_BUS_ID;
pub const CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID;
pub const CU_DEVICE_ATTRIBUTE_TCC_DRIVER: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_TCC_DRIVER;
pub const CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE;
pub const CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE;
pub const CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR;
pub const CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT;
pub const CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS;
pub const CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE;
pub const CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID;
pub const CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT;
pub const CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
pub const CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
pub const CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH;
pub const CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR;
pub const CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR;
pub const CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY;
pub const CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD;
pub const CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID;
pub const CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO;
pub const CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS;
pub const CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS;
pub const CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM;
pub const CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1;
pub const CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1;
pub const CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1;
pub const CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH;
pub const CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH;
pub const CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
pub const CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES;
pub const CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES;
pub const CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST;
pub const CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR;
pub const CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE;
pub const CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE;
pub const CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK;
pub const CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS;
pub const CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING;
pub const CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES;
pub const CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH;
pub const CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS;
pub const CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR;
pub const CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT;
pub const CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS;
pub const CU_DEVICE_ATTRIBUTE_NUMA_CONFIG: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_NUMA_CONFIG;
pub const CU_DEVICE_ATTRIBUTE_NUMA_ID: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_NUMA_ID;
pub const CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_MPS_ENABLED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MPS_ENABLED;
pub const CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID;
pub const CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK;
pub const CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH;
pub const CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID;
pub const CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID;
pub const CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_ATOMIC_REDUCTION_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_ATOMIC_REDUCTION_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT;
pub const CU_DEVICE_ATTRIBUTE_MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_OVERSIZED_SHARED_MEMORY_PER_BLOCK;
pub const CU_DEVICE_ATTRIBUTE_D3D12_CIG_STREAMS_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_D3D12_CIG_STREAMS_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_DMA_BUF_MMAP_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_DMA_BUF_MMAP_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_MULTICAST_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_MULTICAST_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_COUNTED_OPS_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED:
    CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_ACCESS_ON_OWNER_DEVICE_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_MULTIPROCESSOR_COUNT;
pub const CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_SUPPORTED_HANDLE_TYPES;
pub const CU_DEVICE_ATTRIBUTE_VULKAN_CIG_STREAMS_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_VULKAN_CIG_STREAMS_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_TENSOR_MAP_LARGE_TENSOR_MIN_SIZE: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_TENSOR_MAP_LARGE_TENSOR_MIN_SIZE;
pub const CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED: CUdevice_attribute_enum =
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_LOCALIZED_MEMORY_SUPPORTED;
pub const CU_DEVICE_ATTRIBUTE_MAX: CUdevice_attribute_enum = CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX;
pub const CU_POINTER_ATTRIBUTE_CONTEXT: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_CONTEXT;
pub const CU_POINTER_ATTRIBUTE_MEMORY_TYPE: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
pub const CU_POINTER_ATTRIBUTE_DEVICE_POINTER: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_DEVICE_POINTER;
pub const CU_POINTER_ATTRIBUTE_HOST_POINTER: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_HOST_POINTER;
pub const CU_POINTER_ATTRIBUTE_P2P_TOKENS: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_P2P_TOKENS;
pub const CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS;
pub const CU_POINTER_ATTRIBUTE_BUFFER_ID: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_BUFFER_ID;
pub const CU_POINTER_ATTRIBUTE_IS_MANAGED: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_IS_MANAGED;
pub const CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
pub const CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE;
pub const CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR;
pub const CU_POINTER_ATTRIBUTE_RANGE_SIZE: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_RANGE_SIZE;
pub const CU_POINTER_ATTRIBUTE_MAPPED: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MAPPED;
pub const CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES;
pub const CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE;
pub const CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS;
pub const CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
pub const CU_POINTER_ATTRIBUTE_MAPPING_SIZE: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MAPPING_SIZE;
pub const CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR;
pub const CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID;
pub const CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE;
pub const CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL: CUpointer_attribute_enum =
    CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL;
pub const CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
pub const CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
pub const CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES;
pub const CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES;
pub const CU_FUNC_ATTRIBUTE_NUM_REGS: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NUM_REGS;
pub const CU_FUNC_ATTRIBUTE_PTX_VERSION: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_PTX_VERSION;
pub const CU_FUNC_ATTRIBUTE_BINARY_VERSION: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_BINARY_VERSION;
pub const CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_CACHE_MODE_CA;
pub const CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
pub const CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
pub const CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET;
pub const CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH;
pub const CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT;
pub const CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH;
pub const CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
pub const CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE;
pub const CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED;
pub const CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE;
pub const CU_FUNC_ATTRIBUTE_MAX: CUfunction_attribute_enum = CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX;
pub const CU_FUNC_CACHE_PREFER_NONE: CUfunc_cache_enum = CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_NONE;
pub const CU_FUNC_CACHE_PREFER_SHARED: CUfunc_cache_enum = CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_SHARED;
pub const CU_FUNC_CACHE_PREFER_L1: CUfunc_cache_enum = CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_L1;
pub const CU_FUNC_CACHE_PREFER_EQUAL: CUfunc_cache_enum = CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_EQUAL;
pub const CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE: CUsharedconfig_enum =
    CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE;
pub const CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE: CUsharedconfig_enum =
    CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
pub const CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE: CUsharedconfig_enum =
    CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE;
pub const CU_SHAREDMEM_CARVEOUT_DEFAULT: CUshared_carveout_enum =
    CUshared_carveout_enum::CU_SHAREDMEM_CARVEOUT_DEFAULT;
pub const CU_SHAREDMEM_CARVEOUT_MAX_SHARED: CUshared_carveout_enum =
    CUshared_carveout_enum::CU_SHAREDMEM_CARVEOUT_MAX_SHARED;
pub const CU_SHAREDMEM_CARVEOUT_MAX_L1: CUshared_carveout_enum =
    CUshared_carveout_enum::CU_SHAREDMEM_CARVEOUT_MAX_L1;
pub const CU_MEMORYTYPE_HOST: CUmemorytype_enum = CUmemorytype_enum::CU_MEMORYTYPE_HOST;
pub const CU_MEMORYTYPE_DEVICE: CUmemorytype_enum = CUmemorytype_enum::CU_MEMORYTYPE_DEVICE;
pub const CU_MEMORYTYPE_ARRAY: CUmemorytype_enum = CUmemorytype_enum::CU_MEMORYTYPE_ARRAY;
pub const CU_MEMORYTYPE_UNIFIED: CUmemorytype_enum = CUmemorytype_enum::CU_MEMORYTYPE_UNIFIED;
pub const CU_COMPUTEMODE_DEFAULT: CUcomputemode_enum = CUcomputemode_enum::CU_COMPUTEMODE_DEFAULT;
pub const CU_COMPUTEMODE_PROHIBITED: CUcomputemode_enum = CUcomputemode_enum::CU_COMPUTEMODE_PROHIBITED;
pub const CU_COMPUTEMODE_EXCLUSIVE_PROCESS: CUcomputemode_enum =
    CUcomputemode_enum::CU_COMPUTEMODE_EXCLUSIVE_PROCESS;
pub const CU_MEM_ADVISE_SET_READ_MOSTLY: CUmem_advise_enum = CUmem_advise_enum::CU_MEM_ADVISE_SET_READ_MOSTLY;
pub const CU_MEM_ADVISE_UNSET_READ_MOSTLY: CUmem_advise_enum =
    CUmem_advise_enum::CU_MEM_ADVISE_UNSET_READ_MOSTLY;
pub const CU_MEM_ADVISE_SET_PREFERRED_LOCATION: CUmem_advise_enum =
    CUmem_advise_enum::CU_MEM_ADVISE_SET_PREFERRED_LOCATION;
pub const CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION: CUmem_advise_enum =
    CUmem_advise_enum::CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
pub const CU_MEM_ADVISE_SET_ACCESSED_BY: CUmem_advise_enum = CUmem_advise_enum::CU_MEM_ADVISE_SET_ACCESSED_BY;
pub const CU_MEM_ADVISE_UNSET_ACCESSED_BY: CUmem_advise_enum =
    CUmem_advise_enum::CU_MEM_ADVISE_UNSET_ACCESSED_BY;
pub const CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY: CUmem_range_attribute_enum =
    CUmem_range_attribute_enum::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY;
pub const CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION: CUmem_range_attribute_enum =
    CUmem_range_attribute_enum::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION;
pub const CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY: CUmem_range_attribute_enum =
    CUmem_range_attribute_enum::CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
pub const CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION: CUmem_range_attribute_enum =
    CUmem_range_attribute_enum::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION;
pub const CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE: CUmem_range_attribute_enum =
    CUmem_range_attribute_enum::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE;
pub const CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID: CUmem_range_attribute_enum =
    CUmem_range_attribute_enum::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID;
pub const CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE: CUmem_range_attribute_enum =
    CUmem_range_attribute_enum::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE;
pub const CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID: CUmem_range_attribute_enum =
    CUmem_range_attribute_enum::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID;
pub const CU_JIT_MAX_REGISTERS: CUjit_option_enum = CUjit_option_enum::CU_JIT_MAX_REGISTERS;
pub const CU_JIT_THREADS_PER_BLOCK: CUjit_option_enum = CUjit_option_enum::CU_JIT_THREADS_PER_BLOCK;
pub const CU_JIT_WALL_TIME: CUjit_option_enum = CUjit_option_enum::CU_JIT_WALL_TIME;
pub const CU_JIT_INFO_LOG_BUFFER: CUjit_option_enum = CUjit_option_enum::CU_JIT_INFO_LOG_BUFFER;
pub const CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: CUjit_option_enum =
    CUjit_option_enum::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES;
pub const CU_JIT_ERROR_LOG_BUFFER: CUjit_option_enum = CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER;
pub const CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: CUjit_option_enum =
    CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
pub const CU_JIT_OPTIMIZATION_LEVEL: CUjit_option_enum = CUjit_option_enum::CU_JIT_OPTIMIZATION_LEVEL;
pub const CU_JIT_TARGET_FROM_CUCONTEXT: CUjit_option_enum = CUjit_option_enum::CU_JIT_TARGET_FROM_CUCONTEXT;
pub const CU_JIT_TARGET: CUjit_option_enum = CUjit_option_enum::CU_JIT_TARGET;
pub const CU_JIT_FALLBACK_STRATEGY: CUjit_option_enum = CUjit_option_enum::CU_JIT_FALLBACK_STRATEGY;
pub const CU_JIT_GENERATE_DEBUG_INFO: CUjit_option_enum = CUjit_option_enum::CU_JIT_GENERATE_DEBUG_INFO;
pub const CU_JIT_LOG_VERBOSE: CUjit_option_enum = CUjit_option_enum::CU_JIT_LOG_VERBOSE;
pub const CU_JIT_GENERATE_LINE_INFO: CUjit_option_enum = CUjit_option_enum::CU_JIT_GENERATE_LINE_INFO;
pub const CU_JIT_CACHE_MODE: CUjit_option_enum = CUjit_option_enum::CU_JIT_CACHE_MODE;
pub const CU_JIT_NEW_SM3X_OPT: CUjit_option_enum = CUjit_option_enum::CU_JIT_NEW_SM3X_OPT;
pub const CU_JIT_FAST_COMPILE: CUjit_option_enum = CUjit_option_enum::CU_JIT_FAST_COMPILE;
pub const CU_JIT_GLOBAL_SYMBOL_NAMES: CUjit_option_enum = CUjit_option_enum::CU_JIT_GLOBAL_SYMBOL_NAMES;
pub const CU_JIT_GLOBAL_SYMBOL_ADDRESSES: CUjit_option_enum =
    CUjit_option_enum::CU_JIT_GLOBAL_SYMBOL_ADDRESSES;
pub const CU_JIT_GLOBAL_SYMBOL_COUNT: CUjit_option_enum = CUjit_option_enum::CU_JIT_GLOBAL_SYMBOL_COUNT;
pub const CU_JIT_LTO: CUjit_option_enum = CUjit_option_enum::CU_JIT_LTO;
pub const CU_JIT_FTZ: CUjit_option_enum = CUjit_option_enum::CU_JIT_FTZ;
pub const CU_JIT_PREC_DIV: CUjit_option_enum = CUjit_option_enum::CU_JIT_PREC_DIV;
pub const CU_JIT_PREC_SQRT: CUjit_option_enum = CUjit_option_enum::CU_JIT_PREC_SQRT;
pub const CU_JIT_FMA: CUjit_option_enum = CUjit_option_enum::CU_JIT_FMA;
pub const CU_JIT_REFERENCED_KERNEL_NAMES: CUjit_option_enum =
    CUjit_option_enum::CU_JIT_REFERENCED_KERNEL_NAMES;
pub const CU_JIT_REFERENCED_KERNEL_COUNT: CUjit_option_enum =
    CUjit_option_enum::CU_JIT_REFERENCED_KERNEL_COUNT;
pub const CU_JIT_REFERENCED_VARIABLE_NAMES: CUjit_option_enum =
    CUjit_option_enum::CU_JIT_REFERENCED_VARIABLE_NAMES;
pub const CU_JIT_REFERENCED_VARIABLE_COUNT: CUjit_option_enum =
    CUjit_option_enum::CU_JIT_REFERENCED_VARIABLE_COUNT;
pub const CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES: CUjit_option_enum =
    CUjit_option_enum::CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES;
pub const CU_JIT_POSITION_INDEPENDENT_CODE: CUjit_option_enum =
    CUjit_option_enum::CU_JIT_POSITION_INDEPENDENT_CODE;
pub const CU_JIT_MIN_CTA_PER_SM: CUjit_option_enum = CUjit_option_enum::CU_JIT_MIN_CTA_PER_SM;
pub const CU_JIT_MAX_THREADS_PER_BLOCK: CUjit_option_enum = CUjit_option_enum::CU_JIT_MAX_THREADS_PER_BLOCK;
pub const CU_JIT_OVERRIDE_DIRECTIVE_VALUES: CUjit_option_enum =
    CUjit_option_enum::CU_JIT_OVERRIDE_DIRECTIVE_VALUES;
pub const CU_JIT_SPLIT_COMPILE: CUjit_option_enum = CUjit_option_enum::CU_JIT_SPLIT_COMPILE;
pub const CU_JIT_BINARY_LOADER_THREAD_COUNT: CUjit_option_enum =
    CUjit_option_enum::CU_JIT_BINARY_LOADER_THREAD_COUNT;
pub const CU_JIT_NUM_OPTIONS: CUjit_option_enum = CUjit_option_enum::CU_JIT_NUM_OPTIONS;
pub const CU_TARGET_COMPUTE_30: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_30;
pub const CU_TARGET_COMPUTE_32: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_32;
pub const CU_TARGET_COMPUTE_35: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_35;
pub const CU_TARGET_COMPUTE_37: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_37;
pub const CU_TARGET_COMPUTE_50: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_50;
pub const CU_TARGET_COMPUTE_52: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_52;
pub const CU_TARGET_COMPUTE_53: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_53;
pub const CU_TARGET_COMPUTE_60: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_60;
pub const CU_TARGET_COMPUTE_61: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_61;
pub const CU_TARGET_COMPUTE_62: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_62;
pub const CU_TARGET_COMPUTE_70: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_70;
pub const CU_TARGET_COMPUTE_72: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_72;
pub const CU_TARGET_COMPUTE_75: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_75;
pub const CU_TARGET_COMPUTE_80: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_80;
pub const CU_TARGET_COMPUTE_86: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_86;
pub const CU_TARGET_COMPUTE_87: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_87;
pub const CU_TARGET_COMPUTE_89: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_89;
pub const CU_TARGET_COMPUTE_90: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_90;
pub const CU_TARGET_COMPUTE_100: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_100;
pub const CU_TARGET_COMPUTE_110: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_110;
pub const CU_TARGET_COMPUTE_103: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_103;
pub const CU_TARGET_COMPUTE_107: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_107;
pub const CU_TARGET_COMPUTE_120: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_120;
pub const CU_TARGET_COMPUTE_121: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_121;
pub const CU_TARGET_COMPUTE_90A: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_90A;
pub const CU_TARGET_COMPUTE_100A: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_100A;
pub const CU_TARGET_COMPUTE_110A: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_110A;
pub const CU_TARGET_COMPUTE_103A: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_103A;
pub const CU_TARGET_COMPUTE_107A: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_107A;
pub const CU_TARGET_COMPUTE_120A: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_120A;
pub const CU_TARGET_COMPUTE_121A: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_121A;
pub const CU_TARGET_COMPUTE_100F: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_100F;
pub const CU_TARGET_COMPUTE_110F: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_110F;
pub const CU_TARGET_COMPUTE_103F: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_103F;
pub const CU_TARGET_COMPUTE_107F: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_107F;
pub const CU_TARGET_COMPUTE_120F: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_120F;
pub const CU_TARGET_COMPUTE_121F: CUjit_target_enum = CUjit_target_enum::CU_TARGET_COMPUTE_121F;
pub const CU_PREFER_PTX: CUjit_fallback_enum = CUjit_fallback_enum::CU_PREFER_PTX;
pub const CU_PREFER_BINARY: CUjit_fallback_enum = CUjit_fallback_enum::CU_PREFER_BINARY;
pub const CU_JIT_CACHE_OPTION_NONE: CUjit_cacheMode_enum = CUjit_cacheMode_enum::CU_JIT_CACHE_OPTION_NONE;
pub const CU_JIT_CACHE_OPTION_CG: CUjit_cacheMode_enum = CUjit_cacheMode_enum::CU_JIT_CACHE_OPTION_CG;
pub const CU_JIT_CACHE_OPTION_CA: CUjit_cacheMode_enum = CUjit_cacheMode_enum::CU_JIT_CACHE_OPTION_CA;
pub const CU_JIT_INPUT_CUBIN: CUjitInputType_enum = CUjitInputType_enum::CU_JIT_INPUT_CUBIN;
pub const CU_JIT_INPUT_PTX: CUjitInputType_enum = CUjitInputType_enum::CU_JIT_INPUT_PTX;
pub const CU_JIT_INPUT_FATBINARY: CUjitInputType_enum = CUjitInputType_enum::CU_JIT_INPUT_FATBINARY;
pub const CU_JIT_INPUT_OBJECT: CUjitInputType_enum = CUjitInputType_enum::CU_JIT_INPUT_OBJECT;
pub const CU_JIT_INPUT_LIBRARY: CUjitInputType_enum = CUjitInputType_enum::CU_JIT_INPUT_LIBRARY;
pub const CU_JIT_INPUT_NVVM: CUjitInputType_enum = CUjitInputType_enum::CU_JIT_INPUT_NVVM;
pub const CU_JIT_NUM_INPUT_TYPES: CUjitInputType_enum = CUjitInputType_enum::CU_JIT_NUM_INPUT_TYPES;
pub const CU_GRAPHICS_REGISTER_FLAGS_NONE: CUgraphicsRegisterFlags_enum =
    CUgraphicsRegisterFlags_enum::CU_GRAPHICS_REGISTER_FLAGS_NONE;
pub const CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY: CUgraphicsRegisterFlags_enum =
    CUgraphicsRegisterFlags_enum::CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY;
pub const CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD: CUgraphicsRegisterFlags_enum =
    CUgraphicsRegisterFlags_enum::CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD;
pub const CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST: CUgraphicsRegisterFlags_enum =
    CUgraphicsRegisterFlags_enum::CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST;
pub const CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER: CUgraphicsRegisterFlags_enum =
    CUgraphicsRegisterFlags_enum::CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER;
pub const CU_GRAPHICS_MAP_RESOURCE_FLAGS_NONE: CUgraphicsMapResourceFlags_enum =
    CUgraphicsMapResourceFlags_enum::CU_GRAPHICS_MAP_RESOURCE_FLAGS_NONE;
pub const CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY: CUgraphicsMapResourceFlags_enum =
    CUgraphicsMapResourceFlags_enum::CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY;
pub const CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD: CUgraphicsMapResourceFlags_enum =
    CUgraphicsMapResourceFlags_enum::CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD;
pub const CU_CUBEMAP_FACE_POSITIVE_X: CUarray_cubemap_face_enum =
    CUarray_cubemap_face_enum::CU_CUBEMAP_FACE_POSITIVE_X;
pub const CU_CUBEMAP_FACE_NEGATIVE_X: CUarray_cubemap_face_enum =
    CUarray_cubemap_face_enum::CU_CUBEMAP_FACE_NEGATIVE_X;
pub const CU_CUBEMAP_FACE_POSITIVE_Y: CUarray_cubemap_face_enum =
    CUarray_cubemap_face_enum::CU_CUBEMAP_FACE_POSITIVE_Y;
pub const CU_CUBEMAP_FACE_NEGATIVE_Y: CUarray_cubemap_face_enum =
    CUarray_cubemap_face_enum::CU_CUBEMAP_FACE_NEGATIVE_Y;
pub const CU_CUBEMAP_FACE_POSITIVE_Z: CUarray_cubemap_face_enum =
    CUarray_cubemap_face_enum::CU_CUBEMAP_FACE_POSITIVE_Z;
pub const CU_CUBEMAP_FACE_NEGATIVE_Z: CUarray_cubemap_face_enum =
    CUarray_cubemap_face_enum::CU_CUBEMAP_FACE_NEGATIVE_Z;
pub const CU_LIMIT_STACK_SIZE: CUlimit_enum = CUlimit_enum::CU_LIMIT_STACK_SIZE;
pub const CU_LIMIT_PRINTF_FIFO_SIZE: CUlimit_enum = CUlimit_enum::CU_LIMIT_PRINTF_FIFO_SIZE;
pub const CU_LIMIT_MALLOC_HEAP_SIZE: CUlimit_enum = CUlimit_enum::CU_LIMIT_MALLOC_HEAP_SIZE;
pub const CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH: CUlimit_enum = CUlimit_enum::CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH;
pub const CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT: CUlimit_enum =
    CUlimit_enum::CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT;
pub const CU_LIMIT_MAX_L2_FETCH_GRANULARITY: CUlimit_enum = CUlimit_enum::CU_LIMIT_MAX_L2_FETCH_GRANULARITY;
pub const CU_LIMIT_PERSISTING_L2_CACHE_SIZE: CUlimit_enum = CUlimit_enum::CU_LIMIT_PERSISTING_L2_CACHE_SIZE;
pub const CU_LIMIT_SHMEM_SIZE: CUlimit_enum = CUlimit_enum::CU_LIMIT_SHMEM_SIZE;
pub const CU_LIMIT_CIG_ENABLED: CUlimit_enum = CUlimit_enum::CU_LIMIT_CIG_ENABLED;
pub const CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED: CUlimit_enum =
    CUlimit_enum::CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED;
pub const CU_LIMIT_PER_BLOCK_MEMORY_SIZE: CUlimit_enum = CUlimit_enum::CU_LIMIT_PER_BLOCK_MEMORY_SIZE;
pub const CU_LIMIT_MAX: CUlimit_enum = CUlimit_enum::CU_LIMIT_MAX;
pub const CU_RESOURCE_TYPE_ARRAY: CUresourcetype_enum = CUresourcetype_enum::CU_RESOURCE_TYPE_ARRAY;
pub const CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: CUresourcetype_enum =
    CUresourcetype_enum::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
pub const CU_RESOURCE_TYPE_LINEAR: CUresourcetype_enum = CUresourcetype_enum::CU_RESOURCE_TYPE_LINEAR;
pub const CU_RESOURCE_TYPE_PITCH2D: CUresourcetype_enum = CUresourcetype_enum::CU_RESOURCE_TYPE_PITCH2D;
pub const CU_ACCESS_PROPERTY_NORMAL: CUaccessProperty_enum = CUaccessProperty_enum::CU_ACCESS_PROPERTY_NORMAL;
pub const CU_ACCESS_PROPERTY_STREAMING: CUaccessProperty_enum =
    CUaccessProperty_enum::CU_ACCESS_PROPERTY_STREAMING;
pub const CU_ACCESS_PROPERTY_PERSISTING: CUaccessProperty_enum =
    CUaccessProperty_enum::CU_ACCESS_PROPERTY_PERSISTING;
pub const CU_GRAPH_COND_TYPE_IF: CUgraphConditionalNodeType_enum =
    CUgraphConditionalNodeType_enum::CU_GRAPH_COND_TYPE_IF;
pub const CU_GRAPH_COND_TYPE_WHILE: CUgraphConditionalNodeType_enum =
    CUgraphConditionalNodeType_enum::CU_GRAPH_COND_TYPE_WHILE;
pub const CU_GRAPH_COND_TYPE_SWITCH: CUgraphConditionalNodeType_enum =
    CUgraphConditionalNodeType_enum::CU_GRAPH_COND_TYPE_SWITCH;
pub const CU_GRAPH_NODE_TYPE_KERNEL: CUgraphNodeType_enum = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_KERNEL;
pub const CU_GRAPH_NODE_TYPE_MEMCPY: CUgraphNodeType_enum = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_MEMCPY;
pub const CU_GRAPH_NODE_TYPE_MEMSET: CUgraphNodeType_enum = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_MEMSET;
pub const CU_GRAPH_NODE_TYPE_HOST: CUgraphNodeType_enum = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_HOST;
pub const CU_GRAPH_NODE_TYPE_GRAPH: CUgraphNodeType_enum = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_GRAPH;
pub const CU_GRAPH_NODE_TYPE_EMPTY: CUgraphNodeType_enum = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_EMPTY;
pub const CU_GRAPH_NODE_TYPE_WAIT_EVENT: CUgraphNodeType_enum =
    CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_WAIT_EVENT;
pub const CU_GRAPH_NODE_TYPE_EVENT_RECORD: CUgraphNodeType_enum =
    CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_EVENT_RECORD;
pub const CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL: CUgraphNodeType_enum =
    CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL;
pub const CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT: CUgraphNodeType_enum =
    CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
pub const CU_GRAPH_NODE_TYPE_MEM_ALLOC: CUgraphNodeType_enum =
    CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_MEM_ALLOC;
pub const CU_GRAPH_NODE_TYPE_MEM_FREE: CUgraphNodeType_enum =
    CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_MEM_FREE;
pub const CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: CUgraphNodeType_enum =
    CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
pub const CU_GRAPH_NODE_TYPE_CONDITIONAL: CUgraphNodeType_enum =
    CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_CONDITIONAL;
pub const CU_GRAPH_NODE_TYPE_MEMCPY_BATCH: CUgraphNodeType_enum =
    CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_MEMCPY_BATCH;
pub const CU_GRAPH_NODE_TYPE_RESERVED_16: CUgraphNodeType_enum =
    CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_RESERVED_16;
pub const CU_GRAPH_NODE_TYPE_EXTERNAL_ENGINE: CUgraphNodeType_enum =
    CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_EXTERNAL_ENGINE;
pub const CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH: CUgraphNodeType_enum =
    CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH;
pub const CU_GRAPH_DEPENDENCY_TYPE_DEFAULT: CUgraphDependencyType_enum =
    CUgraphDependencyType_enum::CU_GRAPH_DEPENDENCY_TYPE_DEFAULT;
pub const CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC: CUgraphDependencyType_enum =
    CUgraphDependencyType_enum::CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
pub const CUDA_GRAPH_INSTANTIATE_SUCCESS: CUgraphInstantiateResult_enum =
    CUgraphInstantiateResult_enum::CUDA_GRAPH_INSTANTIATE_SUCCESS;
pub const CUDA_GRAPH_INSTANTIATE_ERROR: CUgraphInstantiateResult_enum =
    CUgraphInstantiateResult_enum::CUDA_GRAPH_INSTANTIATE_ERROR;
pub const CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE: CUgraphInstantiateResult_enum =
    CUgraphInstantiateResult_enum::CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
pub const CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED: CUgraphInstantiateResult_enum =
    CUgraphInstantiateResult_enum::CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED;
pub const CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED: CUgraphInstantiateResult_enum =
    CUgraphInstantiateResult_enum::CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED;
pub const CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED: CUgraphInstantiateResult_enum =
    CUgraphInstantiateResult_enum::CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED;
pub const CU_SYNC_POLICY_AUTO: CUsynchronizationPolicy_enum =
    CUsynchronizationPolicy_enum::CU_SYNC_POLICY_AUTO;
pub const CU_SYNC_POLICY_SPIN: CUsynchronizationPolicy_enum =
    CUsynchronizationPolicy_enum::CU_SYNC_POLICY_SPIN;
pub const CU_SYNC_POLICY_YIELD: CUsynchronizationPolicy_enum =
    CUsynchronizationPolicy_enum::CU_SYNC_POLICY_YIELD;
pub const CU_SYNC_POLICY_BLOCKING_SYNC: CUsynchronizationPolicy_enum =
    CUsynchronizationPolicy_enum::CU_SYNC_POLICY_BLOCKING_SYNC;
pub const CU_CLUSTER_SCHEDULING_POLICY_DEFAULT: CUclusterSchedulingPolicy_enum =
    CUclusterSchedulingPolicy_enum::CU_CLUSTER_SCHEDULING_POLICY_DEFAULT;
pub const CU_CLUSTER_SCHEDULING_POLICY_SPREAD: CUclusterSchedulingPolicy_enum =
    CUclusterSchedulingPolicy_enum::CU_CLUSTER_SCHEDULING_POLICY_SPREAD;
pub const CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING: CUclusterSchedulingPolicy_enum =
    CUclusterSchedulingPolicy_enum::CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING;
pub const CU_CLUSTER_SCHEDULING_POLICY_RUBIN_DSMEM_LOCALITY: CUclusterSchedulingPolicy_enum =
    CUclusterSchedulingPolicy_enum::CU_CLUSTER_SCHEDULING_POLICY_RUBIN_DSMEM_LOCALITY;
pub const CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT: CUlaunchMemSyncDomain_enum =
    CUlaunchMemSyncDomain_enum::CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT;
pub const CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE: CUlaunchMemSyncDomain_enum =
    CUlaunchMemSyncDomain_enum::CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE;
pub const CU_LAUNCH_PORTABLE_CLUSTER_MODE_DEFAULT: CUlaunchAttributePortableClusterMode_enum =
    CUlaunchAttributePortableClusterMode_enum::CU_LAUNCH_PORTABLE_CLUSTER_MODE_DEFAULT;
pub const CU_LAUNCH_PORTABLE_CLUSTER_MODE_REQUIRE_PORTABLE: CUlaunchAttributePortableClusterMode_enum =
    CUlaunchAttributePortableClusterMode_enum::CU_LAUNCH_PORTABLE_CLUSTER_MODE_REQUIRE_PORTABLE;
pub const CU_LAUNCH_PORTABLE_CLUSTER_MODE_ALLOW_NON_PORTABLE: CUlaunchAttributePortableClusterMode_enum =
    CUlaunchAttributePortableClusterMode_enum::CU_LAUNCH_PORTABLE_CLUSTER_MODE_ALLOW_NON_PORTABLE;
pub const CU_SHARED_MEMORY_MODE_DEFAULT: CUsharedMemoryMode_enum =
    CUsharedMemoryMode_enum::CU_SHARED_MEMORY_MODE_DEFAULT;
pub const CU_SHARED_MEMORY_MODE_REQUIRE_PORTABLE: CUsharedMemoryMode_enum =
    CUsharedMemoryMode_enum::CU_SHARED_MEMORY_MODE_REQUIRE_PORTABLE;
pub const CU_SHARED_MEMORY_MODE_ALLOW_NON_PORTABLE: CUsharedMemoryMode_enum =
    CUsharedMemoryMode_enum::CU_SHARED_MEMORY_MODE_ALLOW_NON_PORTABLE;
pub const CU_SHARED_MEMORY_MODE_ALLOW_OVERSIZED_SHARED_MEMORY: CUsharedMemoryMode_enum =
    CUsharedMemoryMode_enum::CU_SHARED_MEMORY_MODE_ALLOW_OVERSIZED_SHARED_MEMORY;
pub const CU_SHARED_MEMORY_MODE_PREFER_OVERSIZED_SHARED_MEMORY: CUsharedMemoryMode_enum =
    CUsharedMemoryMode_enum::CU_SHARED_MEMORY_MODE_PREFER_OVERSIZED_SHARED_MEMORY;
pub const CU_LAUNCH_ATTRIBUTE_IGNORE: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_IGNORE;
pub const CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW;
pub const CU_LAUNCH_ATTRIBUTE_COOPERATIVE: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
pub const CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY;
pub const CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
pub const CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE;
pub const CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
pub const CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT;
pub const CU_LAUNCH_ATTRIBUTE_PRIORITY: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_PRIORITY;
pub const CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP;
pub const CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN;
pub const CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION;
pub const CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
pub const CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE;
pub const CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
pub const CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING;
pub const CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE;
pub const CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE: CUlaunchAttributeID_enum =
    CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE;
pub const CU_STREAM_CAPTURE_STATUS_NONE: CUstreamCaptureStatus_enum =
    CUstreamCaptureStatus_enum::CU_STREAM_CAPTURE_STATUS_NONE;
pub const CU_STREAM_CAPTURE_STATUS_ACTIVE: CUstreamCaptureStatus_enum =
    CUstreamCaptureStatus_enum::CU_STREAM_CAPTURE_STATUS_ACTIVE;
pub const CU_STREAM_CAPTURE_STATUS_INVALIDATED: CUstreamCaptureStatus_enum =
    CUstreamCaptureStatus_enum::CU_STREAM_CAPTURE_STATUS_INVALIDATED;
pub const CU_STREAM_CAPTURE_MODE_GLOBAL: CUstreamCaptureMode_enum =
    CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_GLOBAL;
pub const CU_STREAM_CAPTURE_MODE_THREAD_LOCAL: CUstreamCaptureMode_enum =
    CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
pub const CU_STREAM_CAPTURE_MODE_RELAXED: CUstreamCaptureMode_enum =
    CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_RELAXED;
pub const CU_GET_PROC_ADDRESS_DEFAULT: CUdriverProcAddress_flags_enum =
    CUdriverProcAddress_flags_enum::CU_GET_PROC_ADDRESS_DEFAULT;
pub const CU_GET_PROC_ADDRESS_LEGACY_STREAM: CUdriverProcAddress_flags_enum =
    CUdriverProcAddress_flags_enum::CU_GET_PROC_ADDRESS_LEGACY_STREAM;
pub const CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM: CUdriverProcAddress_flags_enum =
    CUdriverProcAddress_flags_enum::CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
pub const CU_GET_PROC_ADDRESS_SUCCESS: CUdriverProcAddressQueryResult_enum =
    CUdriverProcAddressQueryResult_enum::CU_GET_PROC_ADDRESS_SUCCESS;
pub const CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND: CUdriverProcAddressQueryResult_enum =
    CUdriverProcAddressQueryResult_enum::CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
pub const CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT: CUdriverProcAddressQueryResult_enum =
    CUdriverProcAddressQueryResult_enum::CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
pub const CU_EXEC_AFFINITY_TYPE_SM_COUNT: CUexecAffinityType_enum =
    CUexecAffinityType_enum::CU_EXEC_AFFINITY_TYPE_SM_COUNT;
pub const CU_EXEC_AFFINITY_TYPE_MAX: CUexecAffinityType_enum =
    CUexecAffinityType_enum::CU_EXEC_AFFINITY_TYPE_MAX;
pub const CIG_DATA_TYPE_D3D12_COMMAND_QUEUE: CUcigDataType_enum =
    CUcigDataType_enum::CIG_DATA_TYPE_D3D12_COMMAND_QUEUE;
pub const CIG_DATA_TYPE_NV_BLOB: CUcigDataType_enum = CUcigDataType_enum::CIG_DATA_TYPE_NV_BLOB;
pub const STREAM_CIG_DATA_TYPE_D3D12_COMMAND_LIST: CUstreamCigDataType_enum =
    CUstreamCigDataType_enum::STREAM_CIG_DATA_TYPE_D3D12_COMMAND_LIST;
pub const STREAM_CIG_DATA_TYPE_VULKAN_COMMAND_BUFFER_HANDLE_NV: CUstreamCigDataType_enum =
    CUstreamCigDataType_enum::STREAM_CIG_DATA_TYPE_VULKAN_COMMAND_BUFFER_HANDLE_NV;
pub const CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE: CUlibraryOption_enum =
    CUlibraryOption_enum::CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE;
pub const CU_LIBRARY_BINARY_IS_PRESERVED: CUlibraryOption_enum =
    CUlibraryOption_enum::CU_LIBRARY_BINARY_IS_PRESERVED;
pub const CU_LIBRARY_NUM_OPTIONS: CUlibraryOption_enum = CUlibraryOption_enum::CU_LIBRARY_NUM_OPTIONS;
pub const CUDA_SUCCESS: cudaError_enum = cudaError_enum::CUDA_SUCCESS;
pub const CUDA_ERROR_INVALID_VALUE: cudaError_enum = cudaError_enum::CUDA_ERROR_INVALID_VALUE;
pub const CUDA_ERROR_OUT_OF_MEMORY: cudaError_enum = cudaError_enum::CUDA_ERROR_OUT_OF_MEMORY;
pub const CUDA_ERROR_NOT_INITIALIZED: cudaError_enum = cudaError_enum::CUDA_ERROR_NOT_INITIALIZED;
pub const CUDA_ERROR_DEINITIALIZED: cudaError_enum = cudaError_enum::CUDA_ERROR_DEINITIALIZED;
pub const CUDA_ERROR_PROFILER_DISABLED: cudaError_enum = cudaError_enum::CUDA_ERROR_PROFILER_DISABLED;
pub const CUDA_ERROR_PROFILER_NOT_INITIALIZED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_PROFILER_NOT_INITIALIZED;
pub const CUDA_ERROR_PROFILER_ALREADY_STARTED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_PROFILER_ALREADY_STARTED;
pub const CUDA_ERROR_PROFILER_ALREADY_STOPPED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_PROFILER_ALREADY_STOPPED;
pub const CUDA_ERROR_STUB_LIBRARY: cudaError_enum = cudaError_enum::CUDA_ERROR_STUB_LIBRARY;
pub const CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER: cudaError_enum =
    cudaError_enum::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER;
pub const CUDA_ERROR_DEVICE_UNAVAILABLE: cudaError_enum = cudaError_enum::CUDA_ERROR_DEVICE_UNAVAILABLE;
pub const CUDA_ERROR_MULTICAST_RESOURCE_FULL: cudaError_enum =
    cudaError_enum::CUDA_ERROR_MULTICAST_RESOURCE_FULL;
pub const CUDA_ERROR_NO_DEVICE: cudaError_enum = cudaError_enum::CUDA_ERROR_NO_DEVICE;
pub const CUDA_ERROR_INVALID_DEVICE: cudaError_enum = cudaError_enum::CUDA_ERROR_INVALID_DEVICE;
pub const CUDA_ERROR_DEVICE_NOT_LICENSED: cudaError_enum = cudaError_enum::CUDA_ERROR_DEVICE_NOT_LICENSED;
pub const CUDA_ERROR_INVALID_IMAGE: cudaError_enum = cudaError_enum::CUDA_ERROR_INVALID_IMAGE;
pub const CUDA_ERROR_INVALID_CONTEXT: cudaError_enum = cudaError_enum::CUDA_ERROR_INVALID_CONTEXT;
pub const CUDA_ERROR_CONTEXT_ALREADY_CURRENT: cudaError_enum =
    cudaError_enum::CUDA_ERROR_CONTEXT_ALREADY_CURRENT;
pub const CUDA_ERROR_MAP_FAILED: cudaError_enum = cudaError_enum::CUDA_ERROR_MAP_FAILED;
pub const CUDA_ERROR_UNMAP_FAILED: cudaError_enum = cudaError_enum::CUDA_ERROR_UNMAP_FAILED;
pub const CUDA_ERROR_ARRAY_IS_MAPPED: cudaError_enum = cudaError_enum::CUDA_ERROR_ARRAY_IS_MAPPED;
pub const CUDA_ERROR_ALREADY_MAPPED: cudaError_enum = cudaError_enum::CUDA_ERROR_ALREADY_MAPPED;
pub const CUDA_ERROR_NO_BINARY_FOR_GPU: cudaError_enum = cudaError_enum::CUDA_ERROR_NO_BINARY_FOR_GPU;
pub const CUDA_ERROR_ALREADY_ACQUIRED: cudaError_enum = cudaError_enum::CUDA_ERROR_ALREADY_ACQUIRED;
pub const CUDA_ERROR_NOT_MAPPED: cudaError_enum = cudaError_enum::CUDA_ERROR_NOT_MAPPED;
pub const CUDA_ERROR_NOT_MAPPED_AS_ARRAY: cudaError_enum = cudaError_enum::CUDA_ERROR_NOT_MAPPED_AS_ARRAY;
pub const CUDA_ERROR_NOT_MAPPED_AS_POINTER: cudaError_enum = cudaError_enum::CUDA_ERROR_NOT_MAPPED_AS_POINTER;
pub const CUDA_ERROR_ECC_UNCORRECTABLE: cudaError_enum = cudaError_enum::CUDA_ERROR_ECC_UNCORRECTABLE;
pub const CUDA_ERROR_UNSUPPORTED_LIMIT: cudaError_enum = cudaError_enum::CUDA_ERROR_UNSUPPORTED_LIMIT;
pub const CUDA_ERROR_CONTEXT_ALREADY_IN_USE: cudaError_enum =
    cudaError_enum::CUDA_ERROR_CONTEXT_ALREADY_IN_USE;
pub const CUDA_ERROR_PEER_ACCESS_UNSUPPORTED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
pub const CUDA_ERROR_INVALID_PTX: cudaError_enum = cudaError_enum::CUDA_ERROR_INVALID_PTX;
pub const CUDA_ERROR_INVALID_GRAPHICS_CONTEXT: cudaError_enum =
    cudaError_enum::CUDA_ERROR_INVALID_GRAPHICS_CONTEXT;
pub const CUDA_ERROR_NVLINK_UNCORRECTABLE: cudaError_enum = cudaError_enum::CUDA_ERROR_NVLINK_UNCORRECTABLE;
pub const CUDA_ERROR_JIT_COMPILER_NOT_FOUND: cudaError_enum =
    cudaError_enum::CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
pub const CUDA_ERROR_UNSUPPORTED_PTX_VERSION: cudaError_enum =
    cudaError_enum::CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
pub const CUDA_ERROR_JIT_COMPILATION_DISABLED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_JIT_COMPILATION_DISABLED;
pub const CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY: cudaError_enum =
    cudaError_enum::CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
pub const CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC: cudaError_enum =
    cudaError_enum::CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC;
pub const CUDA_ERROR_CONTAINED: cudaError_enum = cudaError_enum::CUDA_ERROR_CONTAINED;
pub const CUDA_ERROR_INSUFFICIENT_LOADER_VERSION: cudaError_enum =
    cudaError_enum::CUDA_ERROR_INSUFFICIENT_LOADER_VERSION;
pub const CUDA_ERROR_INVALID_SOURCE: cudaError_enum = cudaError_enum::CUDA_ERROR_INVALID_SOURCE;
pub const CUDA_ERROR_FILE_NOT_FOUND: cudaError_enum = cudaError_enum::CUDA_ERROR_FILE_NOT_FOUND;
pub const CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND: cudaError_enum =
    cudaError_enum::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND;
pub const CUDA_ERROR_SHARED_OBJECT_INIT_FAILED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
pub const CUDA_ERROR_OPERATING_SYSTEM: cudaError_enum = cudaError_enum::CUDA_ERROR_OPERATING_SYSTEM;
pub const CUDA_ERROR_INVALID_HANDLE: cudaError_enum = cudaError_enum::CUDA_ERROR_INVALID_HANDLE;
pub const CUDA_ERROR_ILLEGAL_STATE: cudaError_enum = cudaError_enum::CUDA_ERROR_ILLEGAL_STATE;
pub const CUDA_ERROR_LOSSY_QUERY: cudaError_enum = cudaError_enum::CUDA_ERROR_LOSSY_QUERY;
pub const CUDA_ERROR_NOT_FOUND: cudaError_enum = cudaError_enum::CUDA_ERROR_NOT_FOUND;
pub const CUDA_ERROR_NOT_READY: cudaError_enum = cudaError_enum::CUDA_ERROR_NOT_READY;
pub const CUDA_ERROR_ILLEGAL_ADDRESS: cudaError_enum = cudaError_enum::CUDA_ERROR_ILLEGAL_ADDRESS;
pub const CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: cudaError_enum =
    cudaError_enum::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
pub const CUDA_ERROR_LAUNCH_TIMEOUT: cudaError_enum = cudaError_enum::CUDA_ERROR_LAUNCH_TIMEOUT;
pub const CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING: cudaError_enum =
    cudaError_enum::CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING;
pub const CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
pub const CUDA_ERROR_PEER_ACCESS_NOT_ENABLED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
pub const CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE: cudaError_enum =
    cudaError_enum::CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE;
pub const CUDA_ERROR_CONTEXT_IS_DESTROYED: cudaError_enum = cudaError_enum::CUDA_ERROR_CONTEXT_IS_DESTROYED;
pub const CUDA_ERROR_ASSERT: cudaError_enum = cudaError_enum::CUDA_ERROR_ASSERT;
pub const CUDA_ERROR_TOO_MANY_PEERS: cudaError_enum = cudaError_enum::CUDA_ERROR_TOO_MANY_PEERS;
pub const CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
pub const CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
pub const CUDA_ERROR_HARDWARE_STACK_ERROR: cudaError_enum = cudaError_enum::CUDA_ERROR_HARDWARE_STACK_ERROR;
pub const CUDA_ERROR_ILLEGAL_INSTRUCTION: cudaError_enum = cudaError_enum::CUDA_ERROR_ILLEGAL_INSTRUCTION;
pub const CUDA_ERROR_MISALIGNED_ADDRESS: cudaError_enum = cudaError_enum::CUDA_ERROR_MISALIGNED_ADDRESS;
pub const CUDA_ERROR_INVALID_ADDRESS_SPACE: cudaError_enum = cudaError_enum::CUDA_ERROR_INVALID_ADDRESS_SPACE;
pub const CUDA_ERROR_INVALID_PC: cudaError_enum = cudaError_enum::CUDA_ERROR_INVALID_PC;
pub const CUDA_ERROR_LAUNCH_FAILED: cudaError_enum = cudaError_enum::CUDA_ERROR_LAUNCH_FAILED;
pub const CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: cudaError_enum =
    cudaError_enum::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
pub const CUDA_ERROR_TENSOR_MEMORY_LEAK: cudaError_enum = cudaError_enum::CUDA_ERROR_TENSOR_MEMORY_LEAK;
pub const CUDA_ERROR_NOT_PERMITTED: cudaError_enum = cudaError_enum::CUDA_ERROR_NOT_PERMITTED;
pub const CUDA_ERROR_NOT_SUPPORTED: cudaError_enum = cudaError_enum::CUDA_ERROR_NOT_SUPPORTED;
pub const CUDA_ERROR_SYSTEM_NOT_READY: cudaError_enum = cudaError_enum::CUDA_ERROR_SYSTEM_NOT_READY;
pub const CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: cudaError_enum =
    cudaError_enum::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
pub const CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE: cudaError_enum =
    cudaError_enum::CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE;
pub const CUDA_ERROR_MPS_CONNECTION_FAILED: cudaError_enum = cudaError_enum::CUDA_ERROR_MPS_CONNECTION_FAILED;
pub const CUDA_ERROR_MPS_RPC_FAILURE: cudaError_enum = cudaError_enum::CUDA_ERROR_MPS_RPC_FAILURE;
pub const CUDA_ERROR_MPS_SERVER_NOT_READY: cudaError_enum = cudaError_enum::CUDA_ERROR_MPS_SERVER_NOT_READY;
pub const CUDA_ERROR_MPS_MAX_CLIENTS_REACHED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_MPS_MAX_CLIENTS_REACHED;
pub const CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED;
pub const CUDA_ERROR_MPS_CLIENT_TERMINATED: cudaError_enum = cudaError_enum::CUDA_ERROR_MPS_CLIENT_TERMINATED;
pub const CUDA_ERROR_CDP_NOT_SUPPORTED: cudaError_enum = cudaError_enum::CUDA_ERROR_CDP_NOT_SUPPORTED;
pub const CUDA_ERROR_CDP_VERSION_MISMATCH: cudaError_enum = cudaError_enum::CUDA_ERROR_CDP_VERSION_MISMATCH;
pub const CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
pub const CUDA_ERROR_STREAM_CAPTURE_INVALIDATED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
pub const CUDA_ERROR_STREAM_CAPTURE_MERGE: cudaError_enum = cudaError_enum::CUDA_ERROR_STREAM_CAPTURE_MERGE;
pub const CUDA_ERROR_STREAM_CAPTURE_UNMATCHED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
pub const CUDA_ERROR_STREAM_CAPTURE_UNJOINED: cudaError_enum =
    cudaError_enum::CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
pub const CUDA_ERROR_STREAM_CAPTURE_ISOLATION: cudaError_enum =
    cudaError_enum::CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
pub const CUDA_ERROR_STREAM_CAPTURE_IMPLICIT: cudaError_enum =
    cudaError_enum::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
pub const CUDA_ERROR_CAPTURED_EVENT: cudaError_enum = cudaError_enum::CUDA_ERROR_CAPTURED_EVENT;
pub const CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD: cudaError_enum =
    cudaError_enum::CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
pub const CUDA_ERROR_TIMEOUT: cudaError_enum = cudaError_enum::CUDA_ERROR_TIMEOUT;
pub const CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE: cudaError_enum =
    cudaError_enum::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
pub const CUDA_ERROR_EXTERNAL_DEVICE: cudaError_enum = cudaError_enum::CUDA_ERROR_EXTERNAL_DEVICE;
pub const CUDA_ERROR_INVALID_CLUSTER_SIZE: cudaError_enum = cudaError_enum::CUDA_ERROR_INVALID_CLUSTER_SIZE;
pub const CUDA_ERROR_FUNCTION_NOT_LOADED: cudaError_enum = cudaError_enum::CUDA_ERROR_FUNCTION_NOT_LOADED;
pub const CUDA_ERROR_INVALID_RESOURCE_TYPE: cudaError_enum = cudaError_enum::CUDA_ERROR_INVALID_RESOURCE_TYPE;
pub const CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION: cudaError_enum =
    cudaError_enum::CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
pub const CUDA_ERROR_KEY_ROTATION: cudaError_enum = cudaError_enum::CUDA_ERROR_KEY_ROTATION;
pub const CUDA_ERROR_STREAM_DETACHED: cudaError_enum = cudaError_enum::CUDA_ERROR_STREAM_DETACHED;
pub const CUDA_ERROR_GRAPH_RECAPTURE_FAILURE: cudaError_enum =
    cudaError_enum::CUDA_ERROR_GRAPH_RECAPTURE_FAILURE;
pub const CUDA_ERROR_FABRIC_NOT_READY: cudaError_enum = cudaError_enum::CUDA_ERROR_FABRIC_NOT_READY;
pub const CUDA_ERROR_UNKNOWN: cudaError_enum = cudaError_enum::CUDA_ERROR_UNKNOWN;
pub const CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK: CUdevice_P2PAttribute_enum =
    CUdevice_P2PAttribute_enum::CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK;
pub const CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED: CUdevice_P2PAttribute_enum =
    CUdevice_P2PAttribute_enum::CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED;
pub const CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED: CUdevice_P2PAttribute_enum =
    CUdevice_P2PAttribute_enum::CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED;
pub const CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED: CUdevice_P2PAttribute_enum =
    CUdevice_P2PAttribute_enum::CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED;
pub const CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED: CUdevice_P2PAttribute_enum =
    CUdevice_P2PAttribute_enum::CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED;
pub const CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED: CUdevice_P2PAttribute_enum =
    CUdevice_P2PAttribute_enum::CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED;
pub const CU_RES_VIEW_FORMAT_NONE: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_NONE;
pub const CU_RES_VIEW_FORMAT_UINT_1X8: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UINT_1X8;
pub const CU_RES_VIEW_FORMAT_UINT_2X8: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UINT_2X8;
pub const CU_RES_VIEW_FORMAT_UINT_4X8: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UINT_4X8;
pub const CU_RES_VIEW_FORMAT_SINT_1X8: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_SINT_1X8;
pub const CU_RES_VIEW_FORMAT_SINT_2X8: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_SINT_2X8;
pub const CU_RES_VIEW_FORMAT_SINT_4X8: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_SINT_4X8;
pub const CU_RES_VIEW_FORMAT_UINT_1X16: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UINT_1X16;
pub const CU_RES_VIEW_FORMAT_UINT_2X16: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UINT_2X16;
pub const CU_RES_VIEW_FORMAT_UINT_4X16: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UINT_4X16;
pub const CU_RES_VIEW_FORMAT_SINT_1X16: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_SINT_1X16;
pub const CU_RES_VIEW_FORMAT_SINT_2X16: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_SINT_2X16;
pub const CU_RES_VIEW_FORMAT_SINT_4X16: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_SINT_4X16;
pub const CU_RES_VIEW_FORMAT_UINT_1X32: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UINT_1X32;
pub const CU_RES_VIEW_FORMAT_UINT_2X32: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UINT_2X32;
pub const CU_RES_VIEW_FORMAT_UINT_4X32: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UINT_4X32;
pub const CU_RES_VIEW_FORMAT_SINT_1X32: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_SINT_1X32;
pub const CU_RES_VIEW_FORMAT_SINT_2X32: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_SINT_2X32;
pub const CU_RES_VIEW_FORMAT_SINT_4X32: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_SINT_4X32;
pub const CU_RES_VIEW_FORMAT_FLOAT_1X16: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_FLOAT_1X16;
pub const CU_RES_VIEW_FORMAT_FLOAT_2X16: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_FLOAT_2X16;
pub const CU_RES_VIEW_FORMAT_FLOAT_4X16: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_FLOAT_4X16;
pub const CU_RES_VIEW_FORMAT_FLOAT_1X32: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_FLOAT_1X32;
pub const CU_RES_VIEW_FORMAT_FLOAT_2X32: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_FLOAT_2X32;
pub const CU_RES_VIEW_FORMAT_FLOAT_4X32: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_FLOAT_4X32;
pub const CU_RES_VIEW_FORMAT_UNSIGNED_BC1: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UNSIGNED_BC1;
pub const CU_RES_VIEW_FORMAT_UNSIGNED_BC2: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UNSIGNED_BC2;
pub const CU_RES_VIEW_FORMAT_UNSIGNED_BC3: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UNSIGNED_BC3;
pub const CU_RES_VIEW_FORMAT_UNSIGNED_BC4: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UNSIGNED_BC4;
pub const CU_RES_VIEW_FORMAT_SIGNED_BC4: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_SIGNED_BC4;
pub const CU_RES_VIEW_FORMAT_UNSIGNED_BC5: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UNSIGNED_BC5;
pub const CU_RES_VIEW_FORMAT_SIGNED_BC5: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_SIGNED_BC5;
pub const CU_RES_VIEW_FORMAT_UNSIGNED_BC6H: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UNSIGNED_BC6H;
pub const CU_RES_VIEW_FORMAT_SIGNED_BC6H: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_SIGNED_BC6H;
pub const CU_RES_VIEW_FORMAT_UNSIGNED_BC7: CUresourceViewFormat_enum =
    CUresourceViewFormat_enum::CU_RES_VIEW_FORMAT_UNSIGNED_BC7;
pub const CU_TENSOR_MAP_DATA_TYPE_UINT8: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_UINT8;
pub const CU_TENSOR_MAP_DATA_TYPE_UINT16: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_UINT16;
pub const CU_TENSOR_MAP_DATA_TYPE_UINT32: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_UINT32;
pub const CU_TENSOR_MAP_DATA_TYPE_INT32: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_INT32;
pub const CU_TENSOR_MAP_DATA_TYPE_UINT64: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_UINT64;
pub const CU_TENSOR_MAP_DATA_TYPE_INT64: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_INT64;
pub const CU_TENSOR_MAP_DATA_TYPE_FLOAT16: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
pub const CU_TENSOR_MAP_DATA_TYPE_FLOAT32: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
pub const CU_TENSOR_MAP_DATA_TYPE_FLOAT64: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
pub const CU_TENSOR_MAP_DATA_TYPE_BFLOAT16: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
pub const CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ;
pub const CU_TENSOR_MAP_DATA_TYPE_TFLOAT32: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
pub const CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
pub const CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B;
pub const CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B;
pub const CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B: CUtensorMapDataType_enum =
    CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B;
pub const CU_TENSOR_MAP_INTERLEAVE_NONE: CUtensorMapInterleave_enum =
    CUtensorMapInterleave_enum::CU_TENSOR_MAP_INTERLEAVE_NONE;
pub const CU_TENSOR_MAP_INTERLEAVE_16B: CUtensorMapInterleave_enum =
    CUtensorMapInterleave_enum::CU_TENSOR_MAP_INTERLEAVE_16B;
pub const CU_TENSOR_MAP_INTERLEAVE_32B: CUtensorMapInterleave_enum =
    CUtensorMapInterleave_enum::CU_TENSOR_MAP_INTERLEAVE_32B;
pub const CU_TENSOR_MAP_SWIZZLE_NONE: CUtensorMapSwizzle_enum =
    CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_NONE;
pub const CU_TENSOR_MAP_SWIZZLE_32B: CUtensorMapSwizzle_enum =
    CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_32B;
pub const CU_TENSOR_MAP_SWIZZLE_64B: CUtensorMapSwizzle_enum =
    CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_64B;
pub const CU_TENSOR_MAP_SWIZZLE_128B: CUtensorMapSwizzle_enum =
    CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_128B;
pub const CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B: CUtensorMapSwizzle_enum =
    CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B;
pub const CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B: CUtensorMapSwizzle_enum =
    CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B;
pub const CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B: CUtensorMapSwizzle_enum =
    CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B;
pub const CU_TENSOR_MAP_L2_PROMOTION_NONE: CUtensorMapL2promotion_enum =
    CUtensorMapL2promotion_enum::CU_TENSOR_MAP_L2_PROMOTION_NONE;
pub const CU_TENSOR_MAP_L2_PROMOTION_L2_64B: CUtensorMapL2promotion_enum =
    CUtensorMapL2promotion_enum::CU_TENSOR_MAP_L2_PROMOTION_L2_64B;
pub const CU_TENSOR_MAP_L2_PROMOTION_L2_128B: CUtensorMapL2promotion_enum =
    CUtensorMapL2promotion_enum::CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
pub const CU_TENSOR_MAP_L2_PROMOTION_L2_256B: CUtensorMapL2promotion_enum =
    CUtensorMapL2promotion_enum::CU_TENSOR_MAP_L2_PROMOTION_L2_256B;
pub const CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE: CUtensorMapFloatOOBfill_enum =
    CUtensorMapFloatOOBfill_enum::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
pub const CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA: CUtensorMapFloatOOBfill_enum =
    CUtensorMapFloatOOBfill_enum::CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
pub const CU_TENSOR_MAP_IM2COL_WIDE_MODE_W: CUtensorMapIm2ColWideMode_enum =
    CUtensorMapIm2ColWideMode_enum::CU_TENSOR_MAP_IM2COL_WIDE_MODE_W;
pub const CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128: CUtensorMapIm2ColWideMode_enum =
    CUtensorMapIm2ColWideMode_enum::CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128;
pub const CU_TENSOR_MAP_ALLOC_CLASS_AUTO: CUtensorMapAllocClass_enum =
    CUtensorMapAllocClass_enum::CU_TENSOR_MAP_ALLOC_CLASS_AUTO;
pub const CU_TENSOR_MAP_ALLOC_CLASS_SMALL: CUtensorMapAllocClass_enum =
    CUtensorMapAllocClass_enum::CU_TENSOR_MAP_ALLOC_CLASS_SMALL;
pub const CU_TENSOR_MAP_ALLOC_CLASS_LARGE: CUtensorMapAllocClass_enum =
    CUtensorMapAllocClass_enum::CU_TENSOR_MAP_ALLOC_CLASS_LARGE;
pub const CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE: CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum =
    CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum::CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE;
pub const CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ: CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum =
    CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum::CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ;
pub const CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE: CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum =
    CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum::CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
pub const CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD: CUexternalMemoryHandleType_enum =
    CUexternalMemoryHandleType_enum::CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
pub const CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32: CUexternalMemoryHandleType_enum =
    CUexternalMemoryHandleType_enum::CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32;
pub const CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT: CUexternalMemoryHandleType_enum =
    CUexternalMemoryHandleType_enum::CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT;
pub const CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP: CUexternalMemoryHandleType_enum =
    CUexternalMemoryHandleType_enum::CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP;
pub const CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE: CUexternalMemoryHandleType_enum =
    CUexternalMemoryHandleType_enum::CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE;
pub const CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE: CUexternalMemoryHandleType_enum =
    CUexternalMemoryHandleType_enum::CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE;
pub const CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT: CUexternalMemoryHandleType_enum =
    CUexternalMemoryHandleType_enum::CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT;
pub const CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF: CUexternalMemoryHandleType_enum =
    CUexternalMemoryHandleType_enum::CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF;
pub const CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD: CUexternalMemoryHandleType_enum =
    CUexternalMemoryHandleType_enum::CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD;
pub const CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD: CUexternalSemaphoreHandleType_enum =
    CUexternalSemaphoreHandleType_enum::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD;
pub const CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32: CUexternalSemaphoreHandleType_enum =
    CUexternalSemaphoreHandleType_enum::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32;
pub const CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT: CUexternalSemaphoreHandleType_enum =
    CUexternalSemaphoreHandleType_enum::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT;
pub const CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE: CUexternalSemaphoreHandleType_enum =
    CUexternalSemaphoreHandleType_enum::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE;
pub const CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE: CUexternalSemaphoreHandleType_enum =
    CUexternalSemaphoreHandleType_enum::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE;
pub const CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC: CUexternalSemaphoreHandleType_enum =
    CUexternalSemaphoreHandleType_enum::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC;
pub const CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX: CUexternalSemaphoreHandleType_enum =
    CUexternalSemaphoreHandleType_enum::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX;
pub const CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT: CUexternalSemaphoreHandleType_enum =
    CUexternalSemaphoreHandleType_enum::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT;
pub const CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD: CUexternalSemaphoreHandleType_enum =
    CUexternalSemaphoreHandleType_enum::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
pub const CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32: CUexternalSemaphoreHandleType_enum =
    CUexternalSemaphoreHandleType_enum::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32;
pub const CU_MEM_HANDLE_TYPE_NONE: CUmemAllocationHandleType_enum =
    CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_NONE;
pub const CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR: CUmemAllocationHandleType_enum =
    CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
pub const CU_MEM_HANDLE_TYPE_WIN32: CUmemAllocationHandleType_enum =
    CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_WIN32;
pub const CU_MEM_HANDLE_TYPE_WIN32_KMT: CUmemAllocationHandleType_enum =
    CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_WIN32_KMT;
pub const CU_MEM_HANDLE_TYPE_FABRIC: CUmemAllocationHandleType_enum =
    CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_FABRIC;
pub const CU_MEM_HANDLE_TYPE_MAX: CUmemAllocationHandleType_enum =
    CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_MAX;
pub const CU_MEM_ACCESS_FLAGS_PROT_NONE: CUmemAccess_flags_enum =
    CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_NONE;
pub const CU_MEM_ACCESS_FLAGS_PROT_READ: CUmemAccess_flags_enum =
    CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READ;
pub const CU_MEM_ACCESS_FLAGS_PROT_READWRITE: CUmemAccess_flags_enum =
    CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
pub const CU_MEM_ACCESS_FLAGS_PROT_MAX: CUmemAccess_flags_enum =
    CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_MAX;
pub const CU_MEM_LOCATION_TYPE_INVALID: CUmemLocationType_enum =
    CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_INVALID;
pub const CU_MEM_LOCATION_TYPE_NONE: CUmemLocationType_enum =
    CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_NONE;
pub const CU_MEM_LOCATION_TYPE_DEVICE: CUmemLocationType_enum =
    CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
pub const CU_MEM_LOCATION_TYPE_HOST: CUmemLocationType_enum =
    CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST;
pub const CU_MEM_LOCATION_TYPE_HOST_NUMA: CUmemLocationType_enum =
    CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST_NUMA;
pub const CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT: CUmemLocationType_enum =
    CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
pub const CU_MEM_LOCATION_TYPE_INVISIBLE: CUmemLocationType_enum =
    CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_INVISIBLE;
pub const CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN: CUmemLocationType_enum =
    CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN;
pub const CU_MEM_LOCATION_TYPE_MAX: CUmemLocationType_enum = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_MAX;
pub const CU_MEM_ALLOCATION_TYPE_INVALID: CUmemAllocationType_enum =
    CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_INVALID;
pub const CU_MEM_ALLOCATION_TYPE_PINNED: CUmemAllocationType_enum =
    CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED;
pub const CU_MEM_ALLOCATION_TYPE_MANAGED: CUmemAllocationType_enum =
    CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_MANAGED;
pub const CU_MEM_ALLOCATION_TYPE_MAX: CUmemAllocationType_enum =
    CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_MAX;
pub const CU_MEM_ALLOC_GRANULARITY_MINIMUM: CUmemAllocationGranularity_flags_enum =
    CUmemAllocationGranularity_flags_enum::CU_MEM_ALLOC_GRANULARITY_MINIMUM;
pub const CU_MEM_ALLOC_GRANULARITY_RECOMMENDED: CUmemAllocationGranularity_flags_enum =
    CUmemAllocationGranularity_flags_enum::CU_MEM_ALLOC_GRANULARITY_RECOMMENDED;
pub const CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD: CUmemRangeHandleType_enum =
    CUmemRangeHandleType_enum::CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD;
pub const CU_MEM_RANGE_HANDLE_TYPE_MAX: CUmemRangeHandleType_enum =
    CUmemRangeHandleType_enum::CU_MEM_RANGE_HANDLE_TYPE_MAX;
pub const CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE: CUmemRangeFlags_enum =
    CUmemRangeFlags_enum::CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE;
pub const CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL: CUarraySparseSubresourceType_enum =
    CUarraySparseSubresourceType_enum::CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL;
pub const CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL: CUarraySparseSubresourceType_enum =
    CUarraySparseSubresourceType_enum::CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL;
pub const CU_MEM_OPERATION_TYPE_MAP: CUmemOperationType_enum =
    CUmemOperationType_enum::CU_MEM_OPERATION_TYPE_MAP;
pub const CU_MEM_OPERATION_TYPE_UNMAP: CUmemOperationType_enum =
    CUmemOperationType_enum::CU_MEM_OPERATION_TYPE_UNMAP;
pub const CU_MEM_HANDLE_TYPE_GENERIC: CUmemHandleType_enum = CUmemHandleType_enum::CU_MEM_HANDLE_TYPE_GENERIC;
pub const CU_MEM_ALLOCATION_COMP_NONE: CUmemAllocationCompType_enum =
    CUmemAllocationCompType_enum::CU_MEM_ALLOCATION_COMP_NONE;
pub const CU_MEM_ALLOCATION_COMP_GENERIC: CUmemAllocationCompType_enum =
    CUmemAllocationCompType_enum::CU_MEM_ALLOCATION_COMP_GENERIC;
pub const CU_MULTICAST_GRANULARITY_MINIMUM: CUmulticastGranularity_flags_enum =
    CUmulticastGranularity_flags_enum::CU_MULTICAST_GRANULARITY_MINIMUM;
pub const CU_MULTICAST_GRANULARITY_RECOMMENDED: CUmulticastGranularity_flags_enum =
    CUmulticastGranularity_flags_enum::CU_MULTICAST_GRANULARITY_RECOMMENDED;
pub const CU_GRAPH_EXEC_UPDATE_SUCCESS: CUgraphExecUpdateResult_enum =
    CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_SUCCESS;
pub const CU_GRAPH_EXEC_UPDATE_ERROR: CUgraphExecUpdateResult_enum =
    CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_ERROR;
pub const CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED: CUgraphExecUpdateResult_enum =
    CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
pub const CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED: CUgraphExecUpdateResult_enum =
    CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
pub const CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED: CUgraphExecUpdateResult_enum =
    CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED;
pub const CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED: CUgraphExecUpdateResult_enum =
    CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
pub const CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED: CUgraphExecUpdateResult_enum =
    CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
pub const CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE: CUgraphExecUpdateResult_enum =
    CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE;
pub const CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED: CUgraphExecUpdateResult_enum =
    CUgraphExecUpdateResult_enum::CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
pub const CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES;
pub const CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC;
pub const CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
pub const CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
pub const CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT;
pub const CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH;
pub const CU_MEMPOOL_ATTR_USED_MEM_CURRENT: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_USED_MEM_CURRENT;
pub const CU_MEMPOOL_ATTR_USED_MEM_HIGH: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_USED_MEM_HIGH;
pub const CU_MEMPOOL_ATTR_ALLOCATION_TYPE: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_ALLOCATION_TYPE;
pub const CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES;
pub const CU_MEMPOOL_ATTR_LOCATION_ID: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_LOCATION_ID;
pub const CU_MEMPOOL_ATTR_LOCATION_TYPE: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_LOCATION_TYPE;
pub const CU_MEMPOOL_ATTR_MAX_POOL_SIZE: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_MAX_POOL_SIZE;
pub const CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED;
pub const CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID: CUmemPool_attribute_enum =
    CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID;
pub const CU_MEMCPY_FLAG_DEFAULT: CUmemcpyFlags_enum = CUmemcpyFlags_enum::CU_MEMCPY_FLAG_DEFAULT;
pub const CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE: CUmemcpyFlags_enum =
    CUmemcpyFlags_enum::CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE;
pub const CU_MEMCPY_SRC_ACCESS_ORDER_INVALID: CUmemcpySrcAccessOrder_enum =
    CUmemcpySrcAccessOrder_enum::CU_MEMCPY_SRC_ACCESS_ORDER_INVALID;
pub const CU_MEMCPY_SRC_ACCESS_ORDER_STREAM: CUmemcpySrcAccessOrder_enum =
    CUmemcpySrcAccessOrder_enum::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
pub const CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL: CUmemcpySrcAccessOrder_enum =
    CUmemcpySrcAccessOrder_enum::CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
pub const CU_MEMCPY_SRC_ACCESS_ORDER_ANY: CUmemcpySrcAccessOrder_enum =
    CUmemcpySrcAccessOrder_enum::CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
pub const CU_MEMCPY_SRC_ACCESS_ORDER_MAX: CUmemcpySrcAccessOrder_enum =
    CUmemcpySrcAccessOrder_enum::CU_MEMCPY_SRC_ACCESS_ORDER_MAX;
pub const CU_MEMCPY_OPERAND_TYPE_POINTER: CUmemcpy3DOperandType_enum =
    CUmemcpy3DOperandType_enum::CU_MEMCPY_OPERAND_TYPE_POINTER;
pub const CU_MEMCPY_OPERAND_TYPE_ARRAY: CUmemcpy3DOperandType_enum =
    CUmemcpy3DOperandType_enum::CU_MEMCPY_OPERAND_TYPE_ARRAY;
pub const CU_MEMCPY_OPERAND_TYPE_MAX: CUmemcpy3DOperandType_enum =
    CUmemcpy3DOperandType_enum::CU_MEMCPY_OPERAND_TYPE_MAX;
pub const CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT: CUgraphMem_attribute_enum =
    CUgraphMem_attribute_enum::CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT;
pub const CU_GRAPH_MEM_ATTR_USED_MEM_HIGH: CUgraphMem_attribute_enum =
    CUgraphMem_attribute_enum::CU_GRAPH_MEM_ATTR_USED_MEM_HIGH;
pub const CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT: CUgraphMem_attribute_enum =
    CUgraphMem_attribute_enum::CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT;
pub const CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH: CUgraphMem_attribute_enum =
    CUgraphMem_attribute_enum::CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
pub const CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE: CUgraphChildGraphNodeOwnership_enum =
    CUgraphChildGraphNodeOwnership_enum::CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE;
pub const CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE: CUgraphChildGraphNodeOwnership_enum =
    CUgraphChildGraphNodeOwnership_enum::CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
pub const CU_GRAPH_CHILD_GRAPH_OWNERSHIP_INVALID: CUgraphChildGraphNodeOwnership_enum =
    CUgraphChildGraphNodeOwnership_enum::CU_GRAPH_CHILD_GRAPH_OWNERSHIP_INVALID;
pub const CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST: CUflushGPUDirectRDMAWritesOptions_enum =
    CUflushGPUDirectRDMAWritesOptions_enum::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST;
pub const CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_MEMOPS: CUflushGPUDirectRDMAWritesOptions_enum =
    CUflushGPUDirectRDMAWritesOptions_enum::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_MEMOPS;
pub const CU_GPU_DIRECT_RDMA_WRITES_ORDERING_NONE: CUGPUDirectRDMAWritesOrdering_enum =
    CUGPUDirectRDMAWritesOrdering_enum::CU_GPU_DIRECT_RDMA_WRITES_ORDERING_NONE;
pub const CU_GPU_DIRECT_RDMA_WRITES_ORDERING_OWNER: CUGPUDirectRDMAWritesOrdering_enum =
    CUGPUDirectRDMAWritesOrdering_enum::CU_GPU_DIRECT_RDMA_WRITES_ORDERING_OWNER;
pub const CU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES: CUGPUDirectRDMAWritesOrdering_enum =
    CUGPUDirectRDMAWritesOrdering_enum::CU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES;
pub const CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER: CUflushGPUDirectRDMAWritesScope_enum =
    CUflushGPUDirectRDMAWritesScope_enum::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER;
pub const CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES: CUflushGPUDirectRDMAWritesScope_enum =
    CUflushGPUDirectRDMAWritesScope_enum::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES;
pub const CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX: CUflushGPUDirectRDMAWritesTarget_enum =
    CUflushGPUDirectRDMAWritesTarget_enum::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_BATCH_NODE_PARAMS: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_BATCH_NODE_PARAMS;
pub const CU_GRAPH_DEBUG_DOT_FLAGS_FABRIC_CPY_BATCH_NODE_PARAMS: CUgraphDebugDot_flags_enum =
    CUgraphDebugDot_flags_enum::CU_GRAPH_DEBUG_DOT_FLAGS_FABRIC_CPY_BATCH_NODE_PARAMS;
pub const CU_USER_OBJECT_NO_DESTRUCTOR_SYNC: CUuserObject_flags_enum =
    CUuserObject_flags_enum::CU_USER_OBJECT_NO_DESTRUCTOR_SYNC;
pub const CU_GRAPH_USER_OBJECT_MOVE: CUuserObjectRetain_flags_enum =
    CUuserObjectRetain_flags_enum::CU_GRAPH_USER_OBJECT_MOVE;
pub const CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH: CUgraphInstantiate_flags_enum =
    CUgraphInstantiate_flags_enum::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
pub const CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD: CUgraphInstantiate_flags_enum =
    CUgraphInstantiate_flags_enum::CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
pub const CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH: CUgraphInstantiate_flags_enum =
    CUgraphInstantiate_flags_enum::CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
pub const CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY: CUgraphInstantiate_flags_enum =
    CUgraphInstantiate_flags_enum::CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
pub const CU_DEVICE_NUMA_CONFIG_NONE: CUdeviceNumaConfig_enum =
    CUdeviceNumaConfig_enum::CU_DEVICE_NUMA_CONFIG_NONE;
pub const CU_DEVICE_NUMA_CONFIG_NUMA_NODE: CUdeviceNumaConfig_enum =
    CUdeviceNumaConfig_enum::CU_DEVICE_NUMA_CONFIG_NUMA_NODE;
pub const CU_PROCESS_STATE_RUNNING: CUprocessState_enum = CUprocessState_enum::CU_PROCESS_STATE_RUNNING;
pub const CU_PROCESS_STATE_LOCKED: CUprocessState_enum = CUprocessState_enum::CU_PROCESS_STATE_LOCKED;
pub const CU_PROCESS_STATE_CHECKPOINTED: CUprocessState_enum =
    CUprocessState_enum::CU_PROCESS_STATE_CHECKPOINTED;
pub const CU_PROCESS_STATE_FAILED: CUprocessState_enum = CUprocessState_enum::CU_PROCESS_STATE_FAILED;
pub const CU_PROCESS_STATE_CHECKPOINTING: CUprocessState_enum =
    CUprocessState_enum::CU_PROCESS_STATE_CHECKPOINTING;
pub const CU_PROCESS_STATE_RESTORING: CUprocessState_enum = CUprocessState_enum::CU_PROCESS_STATE_RESTORING;
pub const CU_MODULE_EAGER_LOADING: CUmoduleLoadingMode_enum =
    CUmoduleLoadingMode_enum::CU_MODULE_EAGER_LOADING;
pub const CU_MODULE_LAZY_LOADING: CUmoduleLoadingMode_enum = CUmoduleLoadingMode_enum::CU_MODULE_LAZY_LOADING;
pub const CU_MEM_DECOMPRESS_UNSUPPORTED: CUmemDecompressAlgorithm_enum =
    CUmemDecompressAlgorithm_enum::CU_MEM_DECOMPRESS_UNSUPPORTED;
pub const CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE: CUmemDecompressAlgorithm_enum =
    CUmemDecompressAlgorithm_enum::CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE;
pub const CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY: CUmemDecompressAlgorithm_enum =
    CUmemDecompressAlgorithm_enum::CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY;
pub const CU_MEM_DECOMPRESS_ALGORITHM_LZ4: CUmemDecompressAlgorithm_enum =
    CUmemDecompressAlgorithm_enum::CU_MEM_DECOMPRESS_ALGORITHM_LZ4;
pub const CU_CLIQUE_TYPE_UNICAST_POINTER: CUcliqueType_enum =
    CUcliqueType_enum::CU_CLIQUE_TYPE_UNICAST_POINTER;
pub const CU_CLIQUE_TYPE_MULTICAST_POINTER: CUcliqueType_enum =
    CUcliqueType_enum::CU_CLIQUE_TYPE_MULTICAST_POINTER;
pub const CU_CLIQUE_TYPE_UNICAST_LOGICAL_ENDPOINT: CUcliqueType_enum =
    CUcliqueType_enum::CU_CLIQUE_TYPE_UNICAST_LOGICAL_ENDPOINT;
pub const CU_CLIQUE_TYPE_MULTICAST_LOGICAL_ENDPOINT: CUcliqueType_enum =
    CUcliqueType_enum::CU_CLIQUE_TYPE_MULTICAST_LOGICAL_ENDPOINT;
pub const CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_NONE: CUlogicalEndpointIpcHandleType_enum =
    CUlogicalEndpointIpcHandleType_enum::CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_NONE;
pub const CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC: CUlogicalEndpointIpcHandleType_enum =
    CUlogicalEndpointIpcHandleType_enum::CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC;
pub const CU_LOGICAL_ENDPOINT_TYPE_INVALID: CUlogicalEndpointType_enum =
    CUlogicalEndpointType_enum::CU_LOGICAL_ENDPOINT_TYPE_INVALID;
pub const CU_LOGICAL_ENDPOINT_TYPE_UNICAST: CUlogicalEndpointType_enum =
    CUlogicalEndpointType_enum::CU_LOGICAL_ENDPOINT_TYPE_UNICAST;
pub const CU_LOGICAL_ENDPOINT_TYPE_MULTICAST: CUlogicalEndpointType_enum =
    CUlogicalEndpointType_enum::CU_LOGICAL_ENDPOINT_TYPE_MULTICAST;
pub const CU_LOGICAL_ENDPOINT_FLAG_NONE: CUlogicalEndpointFlag_enum =
    CUlogicalEndpointFlag_enum::CU_LOGICAL_ENDPOINT_FLAG_NONE;
pub const CU_LOGICAL_ENDPOINT_FLAG_COUNTED_OPS: CUlogicalEndpointFlag_enum =
    CUlogicalEndpointFlag_enum::CU_LOGICAL_ENDPOINT_FLAG_COUNTED_OPS;
pub const CU_FABRIC_COPY_OPERAND_TYPE_POINTER: CUfabricCpyOperandType_enum =
    CUfabricCpyOperandType_enum::CU_FABRIC_COPY_OPERAND_TYPE_POINTER;
pub const CU_FABRIC_COPY_OPERAND_TYPE_LOGICAL_ENDPOINT: CUfabricCpyOperandType_enum =
    CUfabricCpyOperandType_enum::CU_FABRIC_COPY_OPERAND_TYPE_LOGICAL_ENDPOINT;
pub const CU_FABRIC_COPY_OPERAND_TYPE_MAX: CUfabricCpyOperandType_enum =
    CUfabricCpyOperandType_enum::CU_FABRIC_COPY_OPERAND_TYPE_MAX;
pub const CU_GRAPH_RECAPTURE_ELIGIBLE_FOR_UPDATE: CUgraphRecaptureStatus_enum =
    CUgraphRecaptureStatus_enum::CU_GRAPH_RECAPTURE_ELIGIBLE_FOR_UPDATE;
pub const CU_GRAPH_RECAPTURE_INELIGIBLE_FOR_UPDATE: CUgraphRecaptureStatus_enum =
    CUgraphRecaptureStatus_enum::CU_GRAPH_RECAPTURE_INELIGIBLE_FOR_UPDATE;
pub const CU_GRAPH_RECAPTURE_ERROR: CUgraphRecaptureStatus_enum =
    CUgraphRecaptureStatus_enum::CU_GRAPH_RECAPTURE_ERROR;
pub const CU_FUNCTION_LOADING_STATE_UNLOADED: CUfunctionLoadingState_enum =
    CUfunctionLoadingState_enum::CU_FUNCTION_LOADING_STATE_UNLOADED;
pub const CU_FUNCTION_LOADING_STATE_LOADED: CUfunctionLoadingState_enum =
    CUfunctionLoadingState_enum::CU_FUNCTION_LOADING_STATE_LOADED;
pub const CU_FUNCTION_LOADING_STATE_MAX: CUfunctionLoadingState_enum =
    CUfunctionLoadingState_enum::CU_FUNCTION_LOADING_STATE_MAX;
pub const CU_COREDUMP_ENABLE_ON_EXCEPTION: CUcoredumpSettings_enum =
    CUcoredumpSettings_enum::CU_COREDUMP_ENABLE_ON_EXCEPTION;
pub const CU_COREDUMP_TRIGGER_HOST: CUcoredumpSettings_enum =
    CUcoredumpSettings_enum::CU_COREDUMP_TRIGGER_HOST;
pub const CU_COREDUMP_LIGHTWEIGHT: CUcoredumpSettings_enum = CUcoredumpSettings_enum::CU_COREDUMP_LIGHTWEIGHT;
pub const CU_COREDUMP_ENABLE_USER_TRIGGER: CUcoredumpSettings_enum =
    CUcoredumpSettings_enum::CU_COREDUMP_ENABLE_USER_TRIGGER;
pub const CU_COREDUMP_FILE: CUcoredumpSettings_enum = CUcoredumpSettings_enum::CU_COREDUMP_FILE;
pub const CU_COREDUMP_PIPE: CUcoredumpSettings_enum = CUcoredumpSettings_enum::CU_COREDUMP_PIPE;
pub const CU_COREDUMP_GENERATION_FLAGS: CUcoredumpSettings_enum =
    CUcoredumpSettings_enum::CU_COREDUMP_GENERATION_FLAGS;
pub const CU_COREDUMP_MAX: CUcoredumpSettings_enum = CUcoredumpSettings_enum::CU_COREDUMP_MAX;
pub const CU_COREDUMP_DEFAULT_FLAGS: CUCoredumpGenerationFlags =
    CUCoredumpGenerationFlags::CU_COREDUMP_DEFAULT_FLAGS;
pub const CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES: CUCoredumpGenerationFlags =
    CUCoredumpGenerationFlags::CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES;
pub const CU_COREDUMP_SKIP_GLOBAL_MEMORY: CUCoredumpGenerationFlags =
    CUCoredumpGenerationFlags::CU_COREDUMP_SKIP_GLOBAL_MEMORY;
pub const CU_COREDUMP_SKIP_SHARED_MEMORY: CUCoredumpGenerationFlags =
    CUCoredumpGenerationFlags::CU_COREDUMP_SKIP_SHARED_MEMORY;
pub const CU_COREDUMP_SKIP_LOCAL_MEMORY: CUCoredumpGenerationFlags =
    CUCoredumpGenerationFlags::CU_COREDUMP_SKIP_LOCAL_MEMORY;
pub const CU_COREDUMP_SKIP_ABORT: CUCoredumpGenerationFlags =
    CUCoredumpGenerationFlags::CU_COREDUMP_SKIP_ABORT;
pub const CU_COREDUMP_SKIP_CONSTBANK_MEMORY: CUCoredumpGenerationFlags =
    CUCoredumpGenerationFlags::CU_COREDUMP_SKIP_CONSTBANK_MEMORY;
pub const CU_COREDUMP_GZIP_COMPRESS: CUCoredumpGenerationFlags =
    CUCoredumpGenerationFlags::CU_COREDUMP_GZIP_COMPRESS;
pub const CU_COREDUMP_FAULTED_CONTEXTS_ONLY: CUCoredumpGenerationFlags =
    CUCoredumpGenerationFlags::CU_COREDUMP_FAULTED_CONTEXTS_ONLY;
pub const CU_COREDUMP_SKIP_TENSOR_MEMORY: CUCoredumpGenerationFlags =
    CUCoredumpGenerationFlags::CU_COREDUMP_SKIP_TENSOR_MEMORY;
pub const CU_COREDUMP_NO_ERRBAR_AT_EXIT: CUCoredumpGenerationFlags =
    CUCoredumpGenerationFlags::CU_COREDUMP_NO_ERRBAR_AT_EXIT;
pub const CU_COREDUMP_LOG_ONLY: CUCoredumpGenerationFlags = CUCoredumpGenerationFlags::CU_COREDUMP_LOG_ONLY;
pub const CU_COREDUMP_LIGHTWEIGHT_FLAGS: CUCoredumpGenerationFlags =
    CUCoredumpGenerationFlags::CU_COREDUMP_LIGHTWEIGHT_FLAGS;
pub const CU_GREEN_CTX_NONE: CUgreenCtxCreate_flags = CUgreenCtxCreate_flags::CU_GREEN_CTX_NONE;
pub const CU_GREEN_CTX_DEFAULT_STREAM: CUgreenCtxCreate_flags =
    CUgreenCtxCreate_flags::CU_GREEN_CTX_DEFAULT_STREAM;
pub const CU_DEV_SM_RESOURCE_GROUP_DEFAULT: CUdevSmResourceGroup_flags =
    CUdevSmResourceGroup_flags::CU_DEV_SM_RESOURCE_GROUP_DEFAULT;
pub const CU_DEV_SM_RESOURCE_GROUP_BACKFILL: CUdevSmResourceGroup_flags =
    CUdevSmResourceGroup_flags::CU_DEV_SM_RESOURCE_GROUP_BACKFILL;
pub const CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID: CUdevSmResourceGroup_flags =
    CUdevSmResourceGroup_flags::CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID;
pub const CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_SUPPLEMENTAL_SMS: CUdevSmResourceGroup_flags =
    CUdevSmResourceGroup_flags::CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_SUPPLEMENTAL_SMS;
pub const CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING: CUdevSmResourceSplitByCount_flags =
    CUdevSmResourceSplitByCount_flags::CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING;
pub const CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE: CUdevSmResourceSplitByCount_flags =
    CUdevSmResourceSplitByCount_flags::CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE;
pub const CU_DEV_RESOURCE_TYPE_INVALID: CUdevResourceType = CUdevResourceType::CU_DEV_RESOURCE_TYPE_INVALID;
pub const CU_DEV_RESOURCE_TYPE_SM: CUdevResourceType = CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM;
pub const CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG: CUdevResourceType =
    CUdevResourceType::CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG;
pub const CU_DEV_RESOURCE_TYPE_WORKQUEUE: CUdevResourceType =
    CUdevResourceType::CU_DEV_RESOURCE_TYPE_WORKQUEUE;
pub const CU_WORKQUEUE_SCOPE_DEVICE_CTX: CUdevWorkqueueConfigScope =
    CUdevWorkqueueConfigScope::CU_WORKQUEUE_SCOPE_DEVICE_CTX;
pub const CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED: CUdevWorkqueueConfigScope =
    CUdevWorkqueueConfigScope::CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED;
pub const CU_LOG_LEVEL_ERROR: CUlogLevel_enum = CUlogLevel_enum::CU_LOG_LEVEL_ERROR;
pub const CU_LOG_LEVEL_WARNING: CUlogLevel_enum = CUlogLevel_enum::CU_LOG_LEVEL_WARNING;
