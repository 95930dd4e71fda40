//! A software CUDA driver: the driver API in host memory, with an engine that runs PTX.
//!
//! It takes the real driver's place behind [`cuda_sys`], so that programs and tests run on machines
//! without a GPU. It is meant to answer as hardware does: what it answers was read off real devices where
//! that could be done, and a function that it does not have yet returns
//! [`CUDA_ERROR_NOT_SUPPORTED`](cuda_sys::cudaError_enum::CUDA_ERROR_NOT_SUPPORTED) and says so on the
//! standard error.
//!
//! ```
//! use cuda_sys::{CUresult, cuDeviceGetCount, cuInit};
//!
//! cuda_sim::install(cuda_sim::Config::default())?;
//! let mut count = 0;
//! // SAFETY: no flags, as the API demands.
//! assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
//! // SAFETY: `count` is valid for a write.
//! assert_eq!(unsafe { cuDeviceGetCount(&mut count) }, CUresult::CUDA_SUCCESS);
//! assert_eq!(count, 2);
//! # Ok::<(), cuda_sim::InstallError>(())
//! ```
//!
//! # What there is
//!
//! - Devices, primary and other contexts and their stacks, limits, peer access.
//! - Streams, events, host functions, kernel launches of all kinds except cooperative launches on several devices, occupancy.
//! - Device memory, memory pools and stream-ordered memory, page-locked, registered and managed memory, virtual memory
//!   management, copies and fills, batches of copies.
//! - Arrays, mipmapped arrays, texture and surface objects, texture and surface references.
//! - Modules, libraries and the linker, for PTX.
//! - Memory, pools and events that processes share.
//! - Functions by name (`cuGetProcAddress`), error names, primary context states.
//!
//! [`Config`] describes the machine: how many devices there are and [which](Profile), how they are [connected](Peers), and
//! which CUDA release the driver emulates. A program can make further machines, see [`Machine`]. A machine also injects
//! failures of [calls](FaultRule) and of [kernels](KernelFault), records calls, counts what kernels execute, and counts
//! [live handles](LiveHandles).
//!
//! # When work is done
//!
//! Streams are queues, and [`Schedule`] says when what is queued is done: normally before the call returns that queued
//! it, and in the background if it takes long; or only when something waits for it; or in an order that a seed decides.
//! Its table tells which schedule finds which forgotten wait. [`explore`](mod@explore) runs a scenario under many orders, and names the
//! shortest one that fails. [`Schedule::Replay`] brings it back. Work that uses stream-ordered memory after it was freed
//! [faults](FreedPoolMemory).
//!
//! All state of a machine is behind one lock. Kernels run on several threads of the host, but one after another.
//!
//! # Time
//!
//! A machine has one virtual time. It does not depend on how fast the host is. Times between events, `%clock64`,
//! `%globaltimer` and `nanosleep` all follow it:
//!
//! - An operation on a stream begins when those before it have ended, and the work before the events that the stream waits for.
//!   It does not begin before it was queued. Queueing an operation takes the program 1 µs. When the program has waited for work, or has asked whether it is done, it is as late as that
//!   work.
//! - A copy or a fill takes as long as its number of bytes says.
//! - A launch takes 2 µs before its blocks begin, all of them at once. A kernel takes as long as its longest block. If it
//!   has more blocks than the device runs at once, it takes at least as long as all blocks together, divided by how many
//!   run at once.
//! - A block takes one cycle for each instruction that one of its warps executes, and some more for atomic operations and
//!   the like. Reading a clock takes 64 cycles more.
//!   While all threads of a block sleep, only time passes: for as long as `nanosleep` says, and up to 1 ms.
//! - `%clock64` counts cycles of the device's clock rate
//!   ([`CU_DEVICE_ATTRIBUTE_CLOCK_RATE`](cuda_sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)),
//!   `%globaltimer` nanoseconds. Both begin with the machine, so that they go on from kernel to kernel.
//!
//! A kernel that waits 19.8 million cycles by `%clock64` therefore takes 10 ms on a device of 1.98 GHz, by events too. A
//! program of one thread sees the same times on every run, unless its kernels wait for the host or for other blocks. The
//! host's speed decides how often such a kernel looks. These are not the times that hardware would take.
//!
//! # Captures and graphs
//!
//! A stream can be captured in each of the three modes. The answers of calls during a capture are those of an H200. A call that
//! invalidates a capture on hardware does so here.
//!
//! A launch of a graph queues one operation for each node. Under [`Schedule::Random`], each node has a pace of its own. A missing
//! edge is therefore found by some seeds. The work of a node fails if the node names memory that was freed, or page-locked memory
//! that was replaced. A launch is refused if the module of one of its kernels was unloaded.
//!
//! Kernels set the value of a condition with `cudaGraphSetConditional`. The value counts from the end of the kernel on.
//!
//! # When kernels end
//!
//! A kernel that never ends would hang a test. If the warps of a kernel have executed
//! [`kernel_limit`](Config::kernel_limit) instructions, and none of its blocks has ended meanwhile, the kernel fails with
//! [`CUDA_ERROR_LAUNCH_TIMEOUT`](cuda_sys::cudaError_enum::CUDA_ERROR_LAUNCH_TIMEOUT), as one does that hardware's watchdog
//! ends. The failure is sticky. The standard error names the kernel, and the PTX line where a thread was.
//!
//! Only instructions count, not time: neither a slow host nor a debug build makes a kernel fail, nor does waiting while
//! other kernels run. A kernel that spins until the host writes to memory executes instructions all the while. If the host
//! may take a minute for that, choose a larger limit, or none. Atomic operations, accesses that other threads may watch
//! (`volatile`, `relaxed`, `acquire`, `release`), `nanosleep` and turns of warps count as several instructions, because the
//! engine is long about them.
//!
//! # Reports
//!
//! The driver reports mistakes of a program at the line of the kernel that makes them. [`Report`] lists what a report holds. A
//! report changes nothing else: calls return what they return on hardware.
//!
//! | mistake | switch | found without the switch |
//! |---|---|---|
//! | an access that faults: out of bounds, freed, misaligned, without access | | yes |
//! | a block whose threads all wait | | yes |
//! | an access outside of allocations that does not fault | [`Config::memcheck`], `memcheck=on` | no |
//! | memory that is freed twice | [`Config::memcheck`], `memcheck=on` | no |
//! | a buffer of arguments that is shorter than the parameters of the kernel | [`Config::memcheck`], `memcheck=on` | no |
//! | a read of device memory that was never written, by a kernel or a copy to the host | [`Config::initcheck`], `initcheck=on` | no |
//! | a data race between threads of a launch, in shared or global memory | [`Config::racecheck`], `racecheck=on` | no |
//! | a data race between kernels, copies and fills of several streams | [`Config::streamcheck`], `streamcheck=on` | no |
//! | stream-ordered memory that another stream uses before its allocation or after its free | [`Config::streamcheck`], `streamcheck=on` | no |
//! | a barrier that threads miss, or reach at different instructions | [`Config::synccheck`], `synccheck=on` | no |
//! | a thread that is not in the mask of lanes that it names | [`Config::synccheck`], `synccheck=on` | no |
//! | an object that is alive when the process ends | [`Config::report_leaks`], `leaks=on` | no |
//! | a failure that no call has returned when the process ends | [`Config::report_leaks`], `leaks=on` | no |
//!
//! ```text
//! cuda-sim: out of bounds: store of 4 bytes at 0x10000000003e8
//!   at fill.cu:7 (PTX line 37) in kernel `fill`, block (1, 0, 0), thread (122, 0, 0)
//!   and 5 more threads at this instruction
//!   right behind 1000 bytes of device memory at 0x1000000000000, made by cuMemAlloc_v2 (call 3)
//! ```
//!
//! - The standard error has the text. [`Machine::reports`] returns the reports to tests. [`Config::reports`]
//!   (`reports=PATH`) names a file that gets one JSON object for each.
//! - [`Config::backtraces`] (`backtraces=on`) adds which functions of the program called the driver.
//! - Source lines are known if the PTX has them: compile with `-lineinfo`, with NVRTC `--generate-line-info`.
//! - An instruction of a launch has one report for all its threads.
//! - The number of a call counts the calls of its machine from 1 on. In a program of one thread, it is the line of the call in the
//!   file of [`Config::calls`].
//! - Kernels that are checked run on one thread of the host, one instruction at a time, so that reports are the same in every run.
//!   They are slower than unchecked kernels on one thread, by a factor of 6 to 22. With `racecheck`, it is 80 to 140. The factors were
//!   measured with two kernels in a debug build with the profile of the README. Kernels pay nothing for checks that are off.
//! - A race between streams has one report for each pair of operations, which names both calls, their streams and the bytes. It is
//!   found under every [`Schedule`], also if the operations run one after the other. [`Config::streamcheck`] says which orders are
//!   known.
//! - `streamcheck` is a switch apart from `racecheck`, because it costs less and also looks at programs without kernels.
//!
//! # Other processes
//!
//! On Linux, processes share device memory and events by handles (`cuIpcGetMemHandle` and its like), each with a machine of
//! its own, if they run as the same user. Devices are the same if they have the same place in their machines. Work waits
//! for what another process records, whatever the schedules of both are. Memory that is opened does not count as memory in
//! use, and its bytes stay where they are, whatever becomes of the process that has allocated it. What kernels of two
//! processes do at the same time is not ordered, not even by atomic operations.
//!
//! # Testing error paths
//!
//! A [`sweep`] runs a scenario once for each of its calls and each code that CUDA documents for the call, and looks at what is
//! left. Each failure has the value of `CUDA_SIM` that brings it back. With the feature `nvrtc` there is a stand-in for NVRTC, whose calls fail in the same way: the module `nvrtc`.
//!
//! # Differences from hardware
//!
//! - *Memory.* A device reports its profile's memory, and gives out [`Config::memory_bytes`] of it: 4 GiB by default, since it
//!   comes from the host. If an allocation fails for that reason, the standard error says so once.
//! - *Handles.* A call with a handle that no live object has returns an error, where hardware may crash. The handle may be destroyed,
//!   of another kind of object, or any other bits. With [`HandleReuse::AtOnce`], a destroyed handle may name a newer object. Pointers
//!   to memory of the host must be valid, as on hardware.
//! - *Graphs.* Graphs nest up to 128 deep. A machine holds up to 4194304 nodes and graphs. Hardware's limits are not known.
//! - *Registers.* The number of registers of a kernel (`CU_FUNC_ATTRIBUTE_NUM_REGS`) is an estimate from its PTX, and not the
//!   work of `ptxas`. Occupancy differs where registers limit it: `cuOccupancy*` may give more or fewer blocks than hardware.
//!   A program that picks kernels or sizes of blocks by occupancy may pick others. Where threads, blocks or shared memory
//!   limit occupancy, the answers are as measured on an H200.
//! - *Speed.* In a debug build the engine is unoptimised, and kernels run 50 to 100 times slower. The README of this crate has the
//!   lines for `Cargo.toml` that optimise it.
//!
//! # What there is not
//!
//! A function that is not simulated returns `CUDA_ERROR_NOT_SUPPORTED`. Among them are:
//!
//! - Parts of graphs: launches by kernels, nodes that kernels update, and recapture of child graphs.
//! - Virtual memory on the host, pools of the host that are shared, and nodes that allocate managed memory.
//! - How many clusters of more than two blocks a device runs at a time. It depends on the very device.
//! - Machine code. The driver takes the PTX in a fat binary. The linker links PTX only.
//! - Mappings of multicast objects, decompression, and locality domains of multiprocessors.
//! - External memory and semaphores other than by file descriptors. Semaphores come from a [stand-in](external).
//! - Resources of EGL and VDPAU. Resources of OpenGL come from a [stand-in](graphics).
//! - Core dumps, whose settings are kept, and checkpoints of other processes. The log of the driver tells few reasons.
//!
//! If a kernel uses a PTX instruction that the engine lacks, its launch returns `CUDA_ERROR_NOT_SUPPORTED`, and the standard
//! error names the instruction and its line. Some instructions turn out to be unsupported only when they run, for example a
//! texture instruction for another kind of texture. Then the next call reports the failure, and the context is lost as after a
//! fault. `conformance/families.tsv` in the repository lists the families of instructions that the engine has.
//!
//! # What kernels print
//!
//! What kernels print with `printf` is written to the standard output when the program waits for something.

#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod collections;
mod config;
mod console;
mod counts;
mod decimal;
mod driver;
pub mod explore;
pub mod external;
mod faults;
mod generated;
pub mod graphics;
mod live;
#[cfg(feature = "nvrtc")]
pub mod nvrtc;
#[cfg(feature = "nvrtc")]
mod nvrtc_state;
mod panics;
mod reports;
mod scenario;
mod sticky;
pub mod sweep;
mod thread;

pub use config::{
    Config, ConfigError, DirectedLink, FreedPoolMemory, HandleReuse, PeerLink, Peers, Profile, Replay,
    Schedule,
};

#[doc(hidden)]
pub use console::print_with;
pub use counts::{KernelCount, LaunchCounts};
pub use driver::{
    InstallError, Machine, MachineGuard, documented_codes, install, install_once, install_unless_gpu,
    internal_errors, resolve,
};
#[doc(hidden)]
pub use driver::{not_simulated, per_thread_entry_points, v1_entry_points};
pub use explore::explore;
pub use faults::{CallRecord, FaultRule, KernelFault};
pub use live::LiveHandles;
pub use reports::{LiveObject, Report, ReportKind, ReportedCall, ReportedMemory, ReportedPlace};
