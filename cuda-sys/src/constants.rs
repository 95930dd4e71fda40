//! The macros of `cuda.h` that bindgen does not see, because they expand to a cast or to an enumerator, and the one
//! enumeration of `cudaProfiler.h`.

use crate::{CUdevice, CUlaunchAttributeID, CUstream};
use core::ffi::{c_uint, c_void};
use core::ptr::without_provenance_mut;

/// The legacy default stream of the current context, which orders itself with all blocking streams.
pub const CU_STREAM_LEGACY: CUstream = without_provenance_mut(0x1);
/// The calling thread's own default stream of the current context.
pub const CU_STREAM_PER_THREAD: CUstream = without_provenance_mut(0x2);

/// Host processor, in place of a device.
pub const CU_DEVICE_CPU: CUdevice = -1;
/// Invalid device.
pub const CU_DEVICE_INVALID: CUdevice = -2;

/// Ends the `extra` list of `cuLaunchKernel`.
pub const CU_LAUNCH_PARAM_END: *mut c_void = without_provenance_mut(0x0);
/// The next entry of the `extra` list points to the packed arguments.
pub const CU_LAUNCH_PARAM_BUFFER_POINTER: *mut c_void = without_provenance_mut(0x1);
/// The next entry of the `extra` list points to the size of the packed arguments, a `size_t`.
pub const CU_LAUNCH_PARAM_BUFFER_SIZE: *mut c_void = without_provenance_mut(0x2);

/// Names that older interfaces gave to launch attributes.
macro_rules! renamed_attributes {
    ($($old:ident = $new:ident;)*) => {$(
        #[doc = concat!("Another name of [`", stringify!($new), "`](crate::CUlaunchAttributeID_enum::", stringify!($new), ").")]
        pub const $old: CUlaunchAttributeID = CUlaunchAttributeID::$new;
    )*};
}
renamed_attributes! {
    CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW = CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW;
    CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE;
    CU_KERNEL_NODE_ATTRIBUTE_PRIORITY = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP = CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP;
    CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN = CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN;
    CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION = CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION;
    CU_KERNEL_NODE_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE = CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE;
    CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
    CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW = CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW;
    CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY = CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY;
    CU_STREAM_ATTRIBUTE_PRIORITY = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP = CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP;
    CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN = CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN;
}

/// Format of the profiler's output: the argument of [`cuProfilerInitialize`](crate::cuProfilerInitialize).
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(non_camel_case_types)]
pub struct CUoutput_mode_enum(pub c_uint);

#[allow(missing_docs)]
impl CUoutput_mode_enum {
    pub const CU_OUT_KEY_VALUE_PAIR: Self = Self(0);
    pub const CU_OUT_CSV: Self = Self(1);
}
pub use CUoutput_mode_enum as CUoutput_mode;
/// [`CUoutput_mode_enum::CU_OUT_KEY_VALUE_PAIR`] as C has it.
pub const CU_OUT_KEY_VALUE_PAIR: CUoutput_mode = CUoutput_mode::CU_OUT_KEY_VALUE_PAIR;
/// [`CUoutput_mode_enum::CU_OUT_CSV`] as C has it.
pub const CU_OUT_CSV: CUoutput_mode = CUoutput_mode::CU_OUT_CSV;

/// A GPU as Windows' `WGL_NV_gpu_affinity` names it: the argument of `cuWGLGetDevice`.
#[cfg(feature = "gl")]
pub type HGPUNV = *mut c_void;
