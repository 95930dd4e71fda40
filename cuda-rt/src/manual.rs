//! The manual: a chapter for each subject, with programs that run.
//!
//! | chapter | content |
//! |---|---|
//! | [`quick_start`] | a first program, line by line; own kernels from CUDA C++ and PTX; the driver that a program runs on |
//! | [`memory`] | the kinds of memory, copies, element types, the home stream, addresses in and out |
//! | [`streams`] | order, events, what needs a wait, overlap, times, and how cuda-sim finds missing waits |
//! | [`kernels`] | declaring, launching, arguments, shapes, shared and constant memory, loading code, access checks |
//! | [`errors`] | texts, kinds and codes, failures of kernels, sticky errors, recovery |
//! | [`testing`] | tests without a GPU: machines, failures to order, sweeps, explorations, checks of kernels |
//! | [`graphs_and_async`] | captures and graphs, their memory and order; streams, events and copies as futures |
//! | [`several_devices`] | contexts and threads, copies between devices, peer access, processes, green contexts |
//! | [`textures`] | arrays, texture and surface objects, references, mipmaps |
//! | [`run_time_compilation`] | CUDA C++ that is compiled when the program runs, and its cache |
//! | [`interoperation`] | handles in and out, C libraries, other crates, Python, graphics, other processes |
//! | [`performance`] | costs of the crate and of the driver, overlap, launch shapes, how to measure |
//! | [`safety`] | guarantees and their limits, where `unsafe` is needed, threads, forks |
//! | [`troubleshooting`] | messages and symptoms: building, machines, modules, kernels, memory, wrong results |
//!
//! # Where to start
//!
//! | reader | start |
//! |---|---|
//! | new to CUDA | [`quick_start`], then [`memory`], [`streams`] and [`kernels`], in this order |
//! | knows C, PyCUDA, cudarc, cust or Warp | the table in [`quick_start`](quick_start#with-experience-in-cuda), then the guide in [`coming_from`](crate::coming_from) |
//! | knows the name of a C function | [`driver_functions`](crate::driver_functions), or the search of this documentation |
//! | has a message of an error | [`troubleshooting`] if no kernel has run yet, else [`errors`] |
//! | has wrong numbers | [the frequent mistakes](streams#frequent-mistakes), then [`testing`] |
//! | reviews `unsafe` code | [`safety`] |
//!
//! The modules have documentation and no items. All programs in them are run by `cargo test -p cuda-rt --doc manual`, on the software
//! driver. Lines that begin with `#` in the source of a chapter are hidden here: they prepare the program.

// The names that the links of the chapters use.
#![allow(unused_imports)]

pub mod quick_start {
    #![doc = include_str!("../docs/manual/quick-start.md")]

    use crate::{Context, Device, DeviceBuf, Error, Kernel, Module, Stream};
}

pub mod memory {
    #![doc = include_str!("../docs/manual/memory.md")]

    use crate::access::MemoryCapabilities;
    use crate::array::{Array, MipmappedArray};
    use crate::memory::{
        AlignedBuf, CachingPool, MemPool, Memcpy3D, MemcpyBatch, MemoryRelease, MemorySource,
        MulticastObject, PendingCopy, PhysicalMemory, PinnedPool, PitchedBuf, RegisteredBuf, VirtualMemory,
        register_scoped, set_out_of_memory_hook,
    };
    use crate::module::Global;
    use crate::{
        Context, DeviceBuf, DevicePtr, DeviceSlice, DeviceSliceMut, ManagedBuf, PinnedBuf, Stream, bytemuck,
    };
}

pub mod streams {
    #![doc = include_str!("../docs/manual/streams.md")]

    use crate::green::GreenContext;
    use crate::launch::{LaunchAttributes, PendingTime};
    use crate::memory::PendingCopy;
    use crate::stream::{PerThreadStream, StreamFlags, StreamRef};
    use crate::{Context, Device, DeviceBuf, DevicePtr, Event, Stream};
}

pub mod kernels {
    #![doc = include_str!("../docs/manual/kernels.md")]

    use crate::access::AccessCheck;
    use crate::launch::{LaunchAttributes, PackedArgs};
    use crate::module::{Global, JitOptions, Library, LibraryKernel, Linker};
    use crate::{Context, DevicePtr, Function, Kernel, LaunchConfig, Module};
}

pub mod textures {
    #![doc = include_str!("../docs/manual/textures.md")]

    use crate::array::{Array, ArrayDescriptor, ArrayElement, MipmappedArray};
    use crate::surface::SurfObject;
    use crate::texture::{
        AddressMode, FilterMode, ResourceView, TexObject, TexRef, TextureDescriptor, TextureFlags,
        TextureResource,
    };
}

pub mod several_devices {
    #![doc = include_str!("../docs/manual/several-devices.md")]

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

    use crate::memory::DevicePtr;
}

pub mod run_time_compilation {
    #![cfg_attr(feature = "nvrtc", doc = include_str!("../docs/manual/run-time-compilation.md"))]
    #![cfg_attr(
        not(feature = "nvrtc"),
        doc = "The chapter on run-time compilation needs the feature `nvrtc`."
    )]

    #[cfg(feature = "nvrtc")]
    use crate::{
        error::Error,
        module::{Function, Linker},
        nvrtc::{Cache, CompileLog, CompileOptions, Compiled, Program, SourceModule, Target, Uncached},
    };
}

pub mod interoperation {
    #![doc = include_str!("../docs/manual/interoperation.md")]

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

    use crate::{
        access::AccessCheck,
        launch::LaunchConfig,
        memory::{DeviceBuf, MemPool},
        module::{Function, Module},
    };
}

pub mod safety {
    #![doc = include_str!("../docs/manual/safety.md")]

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
