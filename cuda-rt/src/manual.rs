//! The manual, a chapter for each subject.
//!
//! The modules have documentation and no items. Their programs run as tests.

pub mod quick_start {
    #![doc = include_str!("../docs/manual/quick-start.md")]
}

pub mod memory {
    #![doc = include_str!("../docs/manual/memory.md")]
}

pub mod streams {
    #![doc = include_str!("../docs/manual/streams.md")]
}

pub mod kernels {
    #![doc = include_str!("../docs/manual/kernels.md")]
}

pub mod textures {
    #![doc = include_str!("../docs/manual/textures.md")]
}

pub mod several_devices {
    #![doc = include_str!("../docs/manual/several-devices.md")]

    #[allow(unused_imports)]
    use crate::{
        access::{AccessCheck, can_access},
        array::Array,
        context::Context,
        device::Device,
        error::Code,
        event::Event,
        graph::Graph,
        green::GreenContext,
        memory::{DeviceBuf, MemPool, Memcpy3D, MemorySource, PhysicalMemory, PitchedBuf, VirtualMemory},
        peer::{PeerAccessState, PeerCapabilities, PeerChange},
        stream::Stream,
    };
}

pub mod graphs_and_async {
    #![doc = include_str!("../docs/manual/graphs-and-async.md")]

    #[allow(unused_imports)]
    use crate::{
        completion::{Finished, WakeBy},
        device::Device,
        error::Code,
        event::Event,
        graph::{AddNodes, Capture, CaptureMode, Graph, GraphExec, HostCell, Node, SetNodes, UpdateRefused},
        memory::PendingCopy,
        stream::{AsStream, Stream},
    };
}

pub mod errors {
    #![doc = include_str!("../docs/manual/errors.md")]

    #[allow(unused_imports)]
    use crate::{
        access::AccessCheck,
        context::Context,
        error::{Code, Error, ErrorKind, Extent, Result, check},
        event::Event,
        handle::set_drop_hook,
        memory::{CachingPool, DeviceBuf, HandoverError, MemPool, PendingCopy, set_out_of_memory_hook},
        stream::Stream,
    };
}

pub mod testing {
    #![doc = include_str!("../docs/manual/testing.md")]

    #[allow(unused_imports)]
    use crate::memory::DevicePtr;
}

pub mod run_time_compilation {
    #![cfg_attr(feature = "nvrtc", doc = include_str!("../docs/manual/run-time-compilation.md"))]
    #![cfg_attr(
        not(feature = "nvrtc"),
        doc = "The chapter on run-time compilation needs the feature `nvrtc`."
    )]

    #[cfg(feature = "nvrtc")]
    #[allow(unused_imports)]
    use crate::{
        error::Error,
        module::{Function, Linker},
        nvrtc::{Cache, CompileLog, CompileOptions, Compiled, Program, SourceModule, Target, Uncached},
    };
}

pub mod interoperation {
    #![doc = include_str!("../docs/manual/interoperation.md")]

    #[allow(unused_imports)]
    use crate::{
        access::ForeignMemory,
        array::Array,
        context::Context,
        error::{Error, check},
        event::Event,
        external::{ExternalMemory, ExternalSemaphore},
        memory::{DeviceBuf, DevicePtr, DeviceSlice, DeviceSliceMut, MemPool, Memcpy3D, MemoryRelease},
        module::{Function, Module},
        stream::{AsStream, PerThreadStream, Stream, StreamRef, expect_foreign_captures},
    };
}

pub mod performance {
    #![doc = include_str!("../docs/manual/performance.md")]

    #[allow(unused_imports)]
    use crate::{
        access::AccessCheck,
        completion::WakeBy,
        context::{Context, ContextFlags},
        device::Device,
        event::{Event, EventFlags},
        launch::{Arg, Kernel, Launch},
        memory::{
            CachingPool, DeviceBuf, MemPool, MemcpyBatch, MemorySource, PinnedBuf, PinnedPool, RegisteredBuf,
        },
        module::Function,
        profiler::ProfilerGuard,
        stream::Stream,
    };
}

pub mod troubleshooting {
    #![doc = include_str!("../docs/troubleshooting.md")]

    #[allow(unused_imports)]
    use crate::{
        access::AccessCheck,
        launch::LaunchConfig,
        memory::{DeviceBuf, MemPool},
        module::{Function, Module},
    };
}

pub mod safety {
    #![doc = include_str!("../docs/manual/safety.md")]

    #[allow(unused_imports)]
    use crate::{
        bytemuck::{AnyBitPattern, NoUninit},
        context::Context,
        device::Device,
        error::Code,
        graph::HostCell,
        handle::set_drop_hook,
        launch::{Kernel, KernelArg, Launch},
        memory::{DeviceBuf, DevicePtr, PendingCopy, RegisteredBuf, Scope},
        module::{Function, Module},
        peer::PeerAccessGuard,
    };
}
