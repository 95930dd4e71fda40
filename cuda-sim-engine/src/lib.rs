//! The engine of `cuda-sim`, a software CUDA driver: compiles PTX and runs kernels on the CPU.
//!
//! [`Program::compile`] reads PTX and checks it as `ptxas` does. An [`Execution`] runs one of its kernels on the
//! segments of a [`Memory`], a warp at a time. It ends when all blocks have finished or the kernel [faults](Fault).
//!
//! This crate is a part of `cuda-sim` and has its version. Its items are those that the driver model needs, and change
//! with it. Programs use `cuda-sim`.
//!
//! Modules import only those below them:
//!
//! ```text
//! compile (from syntax tree to operations)     engine (the interpreter)
//! launch (the parameters of a launch)
//! injected (faults that a test injects)   observer (the interface for checkers)   child_launches (launches by kernels)
//! program (kernels, variables, references)
//! function (operations and their constants)
//! op (the operations)   fault   malloc_heap   memory   output   counter   texture   tensor_map   windows   number   source
//! ```

#![deny(unsafe_code)]

mod child_launches;
mod compile;
mod counter;
mod engine;
mod fault;
mod function;
mod injected;
mod launch;
mod malloc_heap;
mod memory;
mod number;
mod observer;
mod op;
mod output;
mod program;
mod source;
mod tensor_map;
mod texture;
mod windows;

pub use child_launches::{ChildLaunch, ChildLaunches};
pub use counter::Counter;
pub use engine::{Execution, MAX_THREADS, Progress, SpareBlocks};
pub use fault::{AccessKind, Fault, FaultAccess, FaultInstruction, FaultKind, InjectedCode};
pub use injected::{FaultPlace, InjectedFault};
pub use launch::{Launch, Multiprocessors, Timing};
pub use malloc_heap::{FreeError, MallocHeap};
pub use memory::{Memory, Segment};
pub use observer::{
    ObservedAccess, ObservedArrival, ObservedBlock, ObservedSpace, ObservedThread, Observer, Site,
};
pub use output::Output;
pub use program::{
    CompileError, CompileErrorKind, Global, GlobalSpace, Kernel, Linkage, Param, PartFunction, Program,
    Reference, ReferenceKind, Relocation, RelocationTarget, SharedName, Target, Text,
};
pub use source::SourceLine;
pub use tensor_map::{MOST_TENSOR_BYTES, TensorMap, TensorPart};
pub use texture::{
    AddressMode, BLOCK_SIDE, Codec, Filter, Format, Image, Level, Resource, Shape, Texel, Texture, Textures,
};
