//! Guides for programmers who know another CUDA interface.
//!
//! | guide | for programmers who know |
//! |---|---|
//! | [`c`] | the driver API in C or C++ |
//! | [`pycuda`] | PyCUDA |
//! | [`cudarc`] | the crate cudarc |
//! | [`cust`] | the crate cust |
//! | [`warp`] | the access model of NVIDIA Warp |
//!
//! The modules have documentation and no items. Their programs run as tests.

// Links to items of features: the documentation of the whole workspace, and that of docs.rs, has all features.
#![cfg_attr(
    not(all(feature = "macros", feature = "nvrtc", feature = "gl")),
    allow(rustdoc::broken_intra_doc_links)
)]

/// Names for the links of the guides.
mod names {
    #![allow(unused_imports)]

    pub(super) use crate::access::{
        Access, AccessCheck, AccessError, ForeignMemory, Memory, MemoryCapabilities, MemoryKind, Parts,
        Viewpoint, access, can_access, memory_kind, recorded_access, set_default_access_check,
        set_unverified_hook,
    };
    pub(super) use crate::array::{Array, ArrayDescriptor, ArrayElement, ArrayFlags, ArrayFormat, Order};
    pub(super) use crate::context::{CacheConfig, Context, ContextFlags, Limit, SharedMemConfig};
    pub(super) use crate::device::{ComputeMode, Device, DeviceAttribute};
    pub(super) use crate::driver_version;
    pub(super) use crate::error::{Code, Error, ErrorKind, PyCudaClass};
    pub(super) use crate::event::{Event, EventFlags};
    pub(super) use crate::graphics::{GraphicsResource, Mapping};
    pub(super) use crate::launch::{
        ByValue, In, InOut, Kernel, KernelArg, Launch, LaunchAttributes, LaunchConfig, LaunchProblem, Out,
        PackedArgs, PendingTime,
    };
    pub(super) use crate::memory::{
        AlignedBuf, CachingPool, CachingPoolUsage, CopyDestination, CopySource, DeviceBuf, DevicePtr,
        DeviceSlice, DeviceSliceMut, ManagedBuf, MemAttach, MemPool, Memcpy3D, MemcpyBatch, MemoryRelease,
        MemorySource, PendingCopy, PinnedBuf, PinnedFlags, PinnedPool, PitchedBuf, PitchedSliceMut,
        PointerAttribute, RegisteredBuf, Scope, UseOn,
    };
    pub(super) use crate::module::{
        Function, FunctionAttribute, Global, JitFallback, JitInput, JitLog, JitOptions, JitTarget, Linked,
        Linker, Module,
    };
    #[cfg(feature = "nvrtc")]
    pub(super) use crate::nvrtc::{Cache, CompileOptions, Compiled, Program, SourceModule, Target};
    pub(super) use crate::peer::PeerAccessState;
    pub(super) use crate::profiler::{OutputMode, ProfilerGuard};
    pub(super) use crate::stream::{PerThreadStream, Stream, StreamFlags, StreamRef};
    pub(super) use crate::surface::{SurfObject, SurfRef};
    pub(super) use crate::tensor_map::TensorMap;
    pub(super) use crate::texture::{
        AddressMode, FilterMode, TexObject, TexRef, TextureFlags, TextureOffset,
    };
}

pub mod c {
    #![doc = include_str!("../docs/coming-from/c.md")]

    use super::names::*;
}

pub mod pycuda {
    #![doc = include_str!("../docs/coming-from/pycuda.md")]

    use super::names::*;
}

pub mod cudarc {
    #![doc = include_str!("../docs/coming-from/cudarc.md")]

    use super::names::*;
}

pub mod cust {
    #![doc = include_str!("../docs/coming-from/cust.md")]

    use super::names::*;
}

pub mod warp {
    #![doc = include_str!("../docs/coming-from/warp.md")]

    use super::names::*;
}
