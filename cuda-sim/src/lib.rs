//! A software CUDA driver: the driver API in host memory, with an engine that runs PTX.
//!
//! It replaces the real driver behind [`cuda_sys`], so that programs and tests run on machines without a GPU. Its
//! answers are those of hardware, as measured on real devices where that was possible. A function that it does not have
//! yet returns [`CUDA_ERROR_NOT_SUPPORTED`](cuda_sys::cudaError_enum::CUDA_ERROR_NOT_SUPPORTED) and reports this on the
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
//! # Supported functions
//!
//! - Devices, contexts and their stacks, primary contexts, limits, peer access.
//! - Streams, events, host functions, kernel launches of all kinds, also cooperative launches on several devices,
//!   occupancy.
//! - Device memory, memory pools and stream-ordered memory, page-locked, registered and managed memory, virtual memory
//!   management, copies and fills, batches of copies.
//! - Arrays, mipmapped arrays, texture and surface objects, texture and surface references.
//! - Modules, libraries and the linker, for PTX.
//! - Stream capture and graphs: see [Captures and graphs](#captures-and-graphs).
//! - Green contexts.
//! - Memory, pools and events that processes share.
//! - Functions by name (`cuGetProcAddress`), error names, primary context states.
//!
//! [`Config`] describes the machine: the number of devices, their [profiles](Profile) and [connections](Peers), and the
//! CUDA release that the driver emulates. A program can create further machines, see [`Machine`]. A machine also
//! injects failures of [calls](FaultRule) and of [kernels](KernelFault), records calls, counts the instructions of
//! kernels, and counts [live handles](LiveHandles).
//!
//! # When work is done
//!
//! Streams are queues, and [`Schedule`] determines when queued work is done. Normally it is done before the call that
//! queued it returns, and in the background if it takes long. Other schedules do it only when the program waits for it,
//! or in an order determined by a seed. The table of [`Schedule`] lists the forgotten waits that each schedule finds.
//! [`explore`](mod@explore) runs a scenario under many orders, and names the shortest one that fails.
//! [`Schedule::Replay`] repeats it. Work that uses stream-ordered memory after it was freed [faults](FreedPoolMemory).
//!
//! All state of a machine is behind one lock. A kernel runs on several threads of the host. Two kernels never run at the
//! same time: long kernels of several streams take turns.
//!
//! Lanes of a warp that have taken different branches come together again where the branches meet. After 4,096 backward
//! branches and calls of some lanes, the others continue without them, because the first may wait for the others. PTX
//! does not promise that lanes come together. After such a loop, `__activemask()` and `coalesced_threads()` may see fewer
//! lanes than on hardware.
//!
//! # Time
//!
//! A machine has one virtual time, which does not depend on the speed of the host. Times between events, `%clock64`,
//! `%globaltimer` and `nanosleep` all follow it:
//!
//! - An operation on a stream begins when those before it have ended, and when the events that the stream waits for are
//!   reached. It does not begin before it was queued. Queueing an operation takes the program 1 µs. After a wait for work,
//!   or a query that finds it done, the program's time is at least that of the work.
//! - The duration of a copy or a fill depends on its number of bytes.
//! - A launch takes 2 µs before its blocks begin, all of them at once. A kernel takes as long as its longest block. If
//!   it has more blocks than the device runs at once, there is a second limit. The kernel takes at least the sum of the
//!   times of its blocks, divided by the number that run at once.
//! - A block takes one cycle for each instruction that one of its warps executes, and additional cycles for atomic
//!   operations and similar instructions. Reading a clock takes 64 additional cycles. While all threads of a block
//!   sleep, time passes as `nanosleep` says, up to 1 ms.
//! - `%clock64` counts cycles of the device's clock rate
//!   ([`CU_DEVICE_ATTRIBUTE_CLOCK_RATE`](cuda_sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)),
//!   `%globaltimer` nanoseconds. Both begin with the machine, and continue from kernel to kernel.
//!
//! A kernel that waits 19.8 million cycles by `%clock64` therefore takes 10 ms on a device of 1.98 GHz, by events too.
//! A program of one thread has the same times in every run, unless its kernels wait for the host or for other blocks.
//! The host's speed determines how often such a kernel checks its condition. Virtual times differ from those of
//! hardware.
//!
//! # Captures and graphs
//!
//! A stream can be captured in each of the three modes. Calls during a capture return the codes of an H200. A call that
//! invalidates a capture on hardware does so here.
//!
//! A launch of a graph queues one operation for each node. Under [`Schedule::Random`], each node has a pace of its own.
//! A missing edge is therefore found by some seeds. The work of a node fails if the node names memory that was freed, or
//! page-locked memory that was replaced. A launch is refused if the module of one of its kernels was unloaded.
//!
//! Kernels set the value of a condition with `cudaGraphSetConditional`. The value counts from the end of the kernel on.
//!
//! # When kernels end
//!
//! A kernel that never ends would hang a test. If the warps of a kernel have executed
//! [`kernel_limit`](Config::kernel_limit) instructions, and none of its blocks has ended meanwhile, the kernel fails
//! with [`CUDA_ERROR_LAUNCH_TIMEOUT`](cuda_sys::cudaError_enum::CUDA_ERROR_LAUNCH_TIMEOUT). Hardware's watchdog has the
//! same effect. The failure is sticky. Its [report](#reports) names the kernel, and the PTX line of a thread.
//!
//! Only instructions count, not time. A slow host, a debug build, or a wait for other kernels never makes a kernel
//! fail. A kernel that spins until the host writes to memory executes instructions continuously. If the host may take a
//! minute for the write, choose a larger limit, or none. Some operations count as several instructions, because they
//! take the engine longer. These are atomic operations, accesses that other threads may observe (`volatile`, `relaxed`,
//! `acquire`, `release`), and `nanosleep`. Each change of the engine from one warp to another counts, too.
//!
//! # Reports
//!
//! The driver reports mistakes of a program at the line of the kernel that makes them. [`Report`] lists the contents of
//! a report. A report changes nothing else: calls return the same codes as on hardware.
//!
//! A switch is a field of [`Config`], or an entry of the environment variable `CUDA_SIM`, such as
//! `CUDA_SIM=memcheck=on,leaks=on`. [`Config::from_env`] reads this variable. [`Config::default`] does not.
//!
//! | mistake | switch | found without the switch |
//! |---|---|---|
//! | an access that faults: out of bounds, freed, misaligned, without access | | yes |
//! | a block whose threads all wait | | yes |
//! | another fault: a trap, a failed assertion, a kernel that runs too long | | yes |
//! | a fault that the program has [injected](KernelFault), as a report of its own kind | | yes |
//! | an access outside of allocations that does not fault | [`Config::memcheck`], `memcheck=on` | no |
//! | memory that is freed twice | [`Config::memcheck`], `memcheck=on` | no |
//! | a memory pool that is destroyed while its memory is in use or a free is queued | [`Config::memcheck`], `memcheck=on` | no |
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
//!   right after 1000 bytes of device memory at 0x1000000000000, made by cuMemAlloc_v2 (call 3)
//! ```
//!
//! - The checks ignore bytes of a load that the program does not use, as `.pragma "used_bytes_mask …"` states:
//!   [`Config::memcheck`].
//! - The driver writes the text to the standard error. [`Machine::take_reports`] returns the reports to tests.
//!   [`Config::reports`] (`reports=PATH`) names a file that receives one JSON object for each.
//! - For a failed assertion, the standard error has the line that a driver on hardware prints, and not the text of the
//!   report.
//! - [`Config::backtraces`] (`backtraces=on`) adds the functions of the program that called the driver.
//! - Source lines are known if the PTX has them: compile with `-lineinfo`, with NVRTC `--generate-line-info`.
//! - An instruction of a launch has one report for all its threads.
//! - The number of a call counts the calls of its machine from 1. In a program of one thread, it is the line of the
//!   call in the file of [`Config::calls`].
//! - Kernels that are checked run on one host thread, one instruction at a time. Reports are therefore the same in
//!   every run. Checked kernels are slower than unchecked kernels on one thread, by a factor of 6 to 22. With
//!   `racecheck`, the factor is 80 to 140. The factors were measured with two kernels in a debug build with the profile
//!   of the README. Checks that are off have no overhead.
//! - A race between streams has one report for each pair of operations, which names both calls, their streams and the
//!   bytes. It is found under every [`Schedule`], even if the operations run one after the other.
//!   [`Config::streamcheck`] lists the orders that the check knows.
//! - `streamcheck` and `racecheck` are separate switches, because `streamcheck` costs less and also checks programs
//!   without kernels.
//!
//! # Other processes
//!
//! On Linux, processes of the same user can share device memory and events by handles (such as those of
//! `cuIpcGetMemHandle`). Each process has a machine of its own. Devices are the same if they have the same position in
//! their machines. Work waits for events of another process, regardless of the schedules of both. Opened memory does
//! not count as memory in use. Its bytes remain after the end of the process that has allocated it. Concurrent kernels
//! of two processes are not ordered, not even by atomic operations.
//!
//! # Testing error paths
//!
//! A [`sweep`] runs a scenario once for each of its calls and each code that CUDA documents for the call. It checks the
//! objects that remain. Each failure has the value of `CUDA_SIM` that reproduces it. The feature `nvrtc` adds a
//! stand-in for NVRTC, whose calls fail in the same way: the module `nvrtc`.
//!
//! # Differences from hardware
//!
//! - *Memory.* A device reports its profile's memory. Programs can allocate [`Config::memory_bytes`] of it. The
//!   default is 4 GiB, because the memory comes from the host. If an allocation fails for this reason, the standard
//!   error says so once.
//! - *Handles.* A call with an invalid handle returns an error, where hardware may crash. The handle may belong to a
//!   destroyed object or to another kind of object, or be an arbitrary number. With [`HandleReuse::AtOnce`], a
//!   destroyed handle may name a newer object. Pointers to memory of the host must be valid, as on hardware.
//! - *Graphs.* Graphs nest up to 1024 deep. A machine holds up to 4194304 nodes and graphs. Hardware's limits are not
//!   known.
//! - *Registers.* The number of registers of a kernel (`CU_FUNC_ATTRIBUTE_NUM_REGS`) is an estimate from its PTX, and
//!   not the result of `ptxas`. If registers limit occupancy, `cuOccupancy*` may return more or fewer blocks than
//!   hardware. A program that chooses kernels or block sizes by occupancy may then choose others. If threads, blocks or
//!   shared memory limit occupancy, the results are as measured on an H200.
//! - *Compiler log.* With `CU_JIT_LOG_VERBOSE`, every compilation writes a log, because there is no compile cache.
//!   Hardware's driver writes nothing about a text that is in its cache. The log has the estimates of registers, no
//!   spilled registers, and the barriers of code that never runs. All functions of a text have the same compile time.
//! - *Speed.* In a debug build the engine is unoptimised, and kernels run 50 to 100 times slower. The README of this
//!   crate has the lines for `Cargo.toml` that optimise it.
//!
//! # Unsupported functions
//!
//! A function that is not simulated returns `CUDA_ERROR_NOT_SUPPORTED`. Examples are:
//!
//! - Parts of graphs: launches by kernels, nodes that kernels update, and recapture of child graphs.
//! - Captured allocations from pools of managed memory, and sparse arrays in memory of the host.
//! - `cuOccupancyMaxActiveClusters`, and large cooperative launches, for clusters of more than two blocks. This concerns
//!   devices other than an H200, and parts of an H200. The result depends on the individual device.
//! - Machine code. The driver takes the PTX in a fat binary. The linker links PTX only.
//! - Mappings of multicast objects, decompression, and locality domains of multiprocessors.
//! - External memory and semaphores other than by file descriptors. Semaphores come from a [stand-in](external).
//! - Resources of EGL and VDPAU. Resources of OpenGL come from a [stand-in](graphics).
//! - Core dumps, although their settings are stored, and checkpoints of other processes. The log of the driver contains
//!   few reasons.
//!
//! If a kernel uses a PTX instruction that the engine lacks, its launch returns `CUDA_ERROR_NOT_SUPPORTED`, and the
//! standard error names the instruction and its line. Some instructions are found to be unsupported only when they run,
//! for example a texture instruction for another kind of texture. The next call then reports the failure, and the
//! context is lost as after a fault. The README of this crate lists the families of instructions that the engine lacks,
//! for example `mma.sp`. `conformance/families.tsv` in the repository lists those that it has.
//!
//! # Output of kernels
//!
//! The driver writes the output of `printf` in kernels to the standard output when the program waits. The first call that
//! reports the failure of a kernel writes it, too.

#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod cancellation;
mod collections;
mod config;
mod console;
mod counts;
mod decimal;
mod driver;
pub mod explore;
pub mod external;
mod faults;
mod float_environment;
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
