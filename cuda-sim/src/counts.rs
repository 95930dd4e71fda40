//! Counts of the instructions that kernels execute.

use crate::console::say;
use core::ops::AddAssign;
use cuda_sim_engine::Counter;
use cuda_sys::CUdevice;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Instructions that launches have executed. See [`LaunchCounts`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelCount {
    /// Launches that have ended, with or without a fault.
    pub launches: u64,
    /// Instructions, each counted once for all threads of a warp that execute it together.
    pub instructions: u64,
    /// Instructions, each counted once for every thread that executes it.
    pub thread_instructions: u64,
}

impl AddAssign for KernelCount {
    fn add_assign(&mut self, other: KernelCount) {
        self.launches += other.launches;
        self.instructions += other.instructions;
        self.thread_instructions += other.thread_instructions;
    }
}

/// Counts of the instructions that kernels have executed, from
/// [`Machine::take_launch_counts`](crate::Machine::take_launch_counts).
///
/// The counted instructions are those of the PTX text, not of the machine code for a device, which usually has more.
/// Directives and labels do not count. If the predicate of an instruction is false in all threads of a warp, the
/// instruction counts for the warp and for no thread. An instruction that waits counts each time that it checks its
/// condition. Instructions of called functions count for the kernel.
///
/// If threads of a warp take different paths, the engine decides how often they execute together. Hardware may
/// therefore have other counts for warps. The counts for threads depend on the kernel only, unless its threads wait for
/// each other or race.
///
/// # Examples
///
/// ```
/// use cuda_sim::{Config, Machine};
/// use cuda_sys::*;
/// use std::ptr::null_mut;
///
/// cuda_sim::install_once().unwrap();
/// let machine = Machine::new(Config::default());
/// let entered = machine.enter();
/// machine.count_instructions();
///
/// let ptx = c".version 6.4 .target sm_50 .address_size 64
///     .visible .entry some() {
///         .reg .u32 %i;
///         .reg .pred %p;
///         mov.u32 %i, %tid.x;
///         setp.lt.u32 %p, %i, 8;
///         @%p add.u32 %i, %i, 1;
///         ret;
///     }";
/// let (mut context, mut module, mut function) = (null_mut(), null_mut(), null_mut());
/// // SAFETY: no flags, as the API demands.
/// unsafe { cuInit(0) };
/// // SAFETY: `context` is valid for a write.
/// unsafe { cuCtxCreate_v2(&mut context, 0, 0) };
/// // SAFETY: `module` is valid for a write, and the text ends with a NUL.
/// unsafe { cuModuleLoadData(&mut module, ptx.as_ptr().cast()) };
/// // SAFETY: `function` is valid for a write, and the name a C string.
/// unsafe { cuModuleGetFunction(&mut function, module, c"some".as_ptr()) };
/// // SAFETY: the kernel has no parameters.
/// unsafe { cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, null_mut(), null_mut(), null_mut()) };
/// // SAFETY: it has no arguments.
/// unsafe { cuCtxSynchronize() };
///
/// let counts = machine.take_launch_counts();
/// let some = counts.kernels["some"];
/// assert_eq!(some.launches, 1);
/// assert_eq!(some.instructions, 2 * 2 * 4, "blocks, warps and instructions");
/// assert_eq!(some.thread_instructions, 2 * (3 * 64 + 8));
/// assert_eq!(counts.total, some);
/// # drop(entered);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LaunchCounts {
    /// Counts of all kernels.
    pub total: KernelCount,
    /// Counts by the name of the kernel, for all modules together.
    pub kernels: BTreeMap<String, KernelCount>,
}

/// Counts of a machine.
#[derive(Debug, Default)]
pub(crate) struct Counting {
    counts: Option<LaunchCounts>,
    log: Option<CountLog>,
}

impl Counting {
    /// Returns the counter for a launch that begins now.
    pub(crate) fn counter(&self) -> Option<Arc<Counter>> {
        (self.counts.is_some() || self.log.is_some()).then(Arc::default)
    }

    /// Adds the instructions that a launch has executed.
    pub(crate) fn end(&mut self, kernel: &str, device: CUdevice, counter: &Counter) {
        let count = KernelCount {
            launches: 1,
            instructions: counter.instructions(),
            thread_instructions: counter.of_threads(),
        };
        if let Some(log) = &mut self.log {
            log.write(kernel, device, count);
        }
        if let Some(counts) = &mut self.counts {
            counts.total += count;
            match counts.kernels.get_mut(kernel) {
                Some(known) => *known += count,
                None => _ = counts.kernels.insert(kernel.to_owned(), count),
            }
        }
    }

    /// Starts counting, from zero.
    pub(crate) fn begin(&mut self) {
        self.counts = Some(LaunchCounts::default());
    }

    /// Takes the counts. If counting has begun, it continues.
    pub(crate) fn take(&mut self) -> LaunchCounts {
        self.counts.as_mut().map(core::mem::take).unwrap_or_default()
    }

    /// Takes the file, which survives a reset of everything else.
    pub(crate) fn take_log(&mut self) -> Option<CountLog> {
        self.log.take()
    }

    pub(crate) fn set_log(&mut self, log: Option<CountLog>) {
        self.log = log;
    }
}

/// File for counts.
#[derive(Debug)]
pub(crate) struct CountLog {
    file: File,
    lines: u64,
}

impl CountLog {
    /// Creates a file. If this fails, writes the reason to the standard error and returns `None`.
    pub(crate) fn begin(path: &Path) -> Option<CountLog> {
        match File::create(path) {
            Ok(file) => Some(CountLog { file, lines: 0 }),
            Err(error) => {
                say(&format!("counts={}: {error}", path.display()));
                None
            }
        }
    }

    /// Writes a line. The line has reached the operating system when this returns. A failed write does not affect the
    /// launch.
    fn write(&mut self, kernel: &str, device: CUdevice, count: KernelCount) {
        self.lines += 1;
        let KernelCount { instructions, thread_instructions, .. } = count;
        let line = format!("{} {kernel} {device} {instructions} {thread_instructions}\n", self.lines);
        let _ = self.file.write_all(line.as_bytes());
    }
}
