//! A launch, which runs its blocks to the end or for a while.

use std::sync::Arc;

use super::block::Progress;
use super::cluster::Cluster;
use super::grid::{Grid, Image};
use super::registers::LANES;
use super::schedule::Schedule;
use super::simd_level::SimdLevel;
use super::worker_pool::advance;
use crate::fault::{Fault, FaultKind};
use crate::injected::{Countdown, FaultPlace};
use crate::launch::Launch;
use crate::memory::Memory;
use crate::program::{Kernel, Program};

/// Limit of the threads in a block on every device.
pub const MAX_THREADS: u64 = 1024;
/// Limit of the shared memory of a block. It only prevents huge allocations for invalid launches.
const MAX_SHARED: u32 = 16 << 20;

/// Memory of the blocks of a finished launch, which the next launch of the same form reuses.
#[derive(Debug, Default)]
pub struct SpareBlocks(Option<(Form, Cluster)>);

/// Sizes of the blocks of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Form {
    threads: u32,
    shared_bytes: u32,
    cluster: [u32; 3],
}

/// Limit of the state of the blocks of a launch whose memory a [`SpareBlocks`] keeps, in bytes.
const MOST_KEPT: u64 = 1 << 16;

/// Launch that has begun, and may not have finished.
#[derive(Debug)]
pub struct Execution {
    program: Arc<Program>,
    kernel: usize,
    launch: Launch,
    level: SimdLevel,
    images: Vec<Option<Image>>,
    threads: u32,
    shared_bytes: u32,
    schedule: Schedule,
    countdown: Option<Countdown>,
    /// Memory of a finished cluster, and whether a [`SpareBlocks`] may keep it.
    spare: Option<Cluster>,
    keeps_spare: bool,
}

/// Limit of the blocks in a cluster on every device.
const MAX_CLUSTER: u64 = 16;

/// Returns the fault that refuses a launch.
fn refusal(kernel: &str, detail: String) -> Fault {
    Fault {
        kind: FaultKind::Unsupported,
        kernel: kernel.to_owned(),
        line: 0,
        instruction: None,
        block: [0; 3],
        thread: [0; 3],
        address: None,
        detail,
        assertion: None,
    }
}

/// Returns the size of the state of a block if every warp is in every function once.
fn block_bytes(program: &Program, kernel: &Kernel, threads: u32, shared_bytes: u32) -> u64 {
    let functions = kernel.functions.iter().filter_map(|&index| program.functions.get(index));
    let lane = functions.map(|function| {
        u64::from(function.words) * 4 + u64::from(function.longs) * 8 + u64::from(function.local)
    });
    lane.sum::<u64>().saturating_mul(u64::from(threads)) + u64::from(shared_bytes)
}

impl Execution {
    /// Prepares a launch of the kernel of this index in [`Program::kernels`]. No thread runs yet.
    ///
    /// # Errors
    ///
    /// [`FaultKind::Unsupported`] if the engine cannot run the kernel, or not with this shape.
    pub fn new(program: Arc<Program>, kernel: usize, launch: Launch) -> Result<Self, Fault> {
        let Some(entry) = program.kernels.get(kernel) else {
            return Err(refusal("", format!("there is no kernel {kernel}")));
        };
        let refuse = |detail: String| Err(refusal(&entry.name, detail));
        if let Some(reason) = entry.unsupported() {
            return refuse(reason.to_owned());
        }
        let threads = launch.block.iter().map(|&size| u64::from(size)).product::<u64>();
        if launch.block.iter().any(|&size| u64::from(size) > MAX_THREADS) || threads > MAX_THREADS {
            return refuse(format!("{threads} threads in a block"));
        }
        let shared_bytes = entry.shared_end.saturating_add(launch.dynamic_shared);
        if shared_bytes > MAX_SHARED {
            return refuse(format!("{shared_bytes} bytes of shared memory"));
        }
        let sizes = launch.grid.iter().map(|&size| u64::from(size));
        let Some(blocks) = sizes.clone().try_fold(1u64, u64::checked_mul) else {
            return refuse(format!("a grid of {:?} blocks", launch.grid));
        };
        let cluster = launch.cluster.unwrap_or([1; 3]);
        let uneven = |(blocks, size): (u32, u32)| size == 0 || !blocks.is_multiple_of(size);
        let size = cluster.iter().map(|size| u64::from(*size)).product::<u64>();
        if launch.grid.into_iter().zip(cluster).any(uneven) || size > MAX_CLUSTER {
            return refuse(format!("clusters of {cluster:?} blocks in a grid of {:?}", launch.grid));
        }
        let clusters = if threads == 0 { 0 } else { blocks / size };
        let threads = threads as u32;
        let bytes = block_bytes(&program, entry, threads, shared_bytes).saturating_mul(size);
        let schedule = Schedule::new(clusters, bytes, launch.limit, launch.order, launch.workers);
        let (mut prepared, mut countdown) = (None, None);
        if let Some(injected) = launch.injected {
            match injected.place {
                FaultPlace::Line(line) => {
                    prepared = Some(Arc::new(program.with_fault_at(kernel, line, injected.code)));
                }
                FaultPlace::Step(step) => {
                    countdown = Some(Countdown::new(step, injected.code));
                }
            }
        }
        let mut execution = Self {
            level: if launch.vectors { SimdLevel::best() } else { SimdLevel::BASELINE },
            program: prepared.unwrap_or(program),
            kernel,
            launch,
            images: Vec::new(),
            threads,
            shared_bytes,
            schedule,
            countdown,
            spare: None,
            keeps_spare: bytes <= MOST_KEPT,
        };
        execution.images = execution.images();
        Ok(execution)
    }

    fn form(&self) -> Form {
        let cluster = self.launch.cluster.unwrap_or([1; 3]);
        Form { threads: self.threads, shared_bytes: self.shared_bytes, cluster }
    }

    /// Gives the launch the memory of an earlier one, before it runs. Memory of another form is discarded.
    pub fn reuse(&mut self, spare: SpareBlocks) {
        self.spare = spare.0.filter(|(form, _)| *form == self.form()).map(|(_, cluster)| cluster);
    }

    /// Takes the memory of a finished launch, unless it is large.
    pub fn take_spare_blocks(&mut self) -> SpareBlocks {
        let mut spare = self.spare.take().filter(|_| self.keeps_spare);
        spare.iter_mut().for_each(Cluster::forget_launch);
        SpareBlocks(spare.map(|cluster| (self.form(), cluster)))
    }

    /// Returns the initial registers of the functions that the kernel can reach.
    fn images(&self) -> Vec<Option<Image>> {
        let memory = Memory::default();
        let mut images: Vec<Option<Image>> = (0..self.program.functions.len()).map(|_| None).collect();
        let Some(kernel) = self.program.kernels.get(self.kernel) else { return images };
        let grid = self.grid(kernel, &memory);
        for &index in &kernel.functions {
            let function = self
                .program
                .functions
                .get(index)
                .filter(|function| function.defined && function.unsupported.is_none());
            if let Some(slot) = images.get_mut(index) {
                *slot = function.map(|function| grid.image(function));
            }
        }
        images
    }

    fn grid<'a>(&'a self, kernel: &'a Kernel, memory: &'a Memory) -> Grid<'a> {
        Grid {
            functions: &self.program.functions,
            variables: &self.program.globals,
            kernel,
            kernel_function: kernel.function,
            launch: &self.launch,
            memory,
            level: self.level,
            images: &self.images,
            warps: self.threads.div_ceil(LANES as u32),
            threads: self.threads,
            shared_bytes: self.shared_bytes,
            cluster: self.launch.cluster.unwrap_or([1; 3]),
            countdown: self.countdown.as_ref(),
            stepwise: self.countdown.is_some()
                || self.launch.counter.is_some()
                || self.launch.observer.is_some(),
        }
    }

    /// Sets the start of the kernel, in nanoseconds of virtual time.
    pub fn begin_at(&mut self, start: u64) {
        self.launch.timing.start = start;
    }

    /// Returns the time of the finished blocks on the device, in nanoseconds. The result is at least the time of the
    /// longest block. If there are more blocks than run at once, it is the time of all blocks divided by the number
    /// that run at once.
    pub fn nanoseconds(&self) -> u64 {
        self.launch.timing.nanoseconds(self.schedule.cycles(self.launch.at_once))
    }

    /// Continues until all blocks have finished, or about `quantum` steps of warps are executed. Some thread progresses
    /// even if `quantum` is 0.
    ///
    /// The memory may have other segments in each call.
    ///
    /// # Errors
    ///
    /// The first fault of any thread, and [`FaultKind::Timeout`] beyond [`Launch::limit`]. Memory keeps the stores that
    /// other threads made before the fault. The execution ends with the fault.
    pub fn run(&mut self, memory: &Memory, quantum: u64) -> Result<Progress, Fault> {
        let program = Arc::clone(&self.program);
        let Some(kernel) = program.kernels.get(self.kernel) else { return Ok(Progress::Finished) };
        // Taken out while blocks run, so that everything else can be borrowed.
        let mut schedule = std::mem::replace(&mut self.schedule, Schedule::new(0, 0, 0, None, 0));
        let mut spare = self.spare.take();
        let grid = self.grid(kernel, memory);
        let outcome = advance(&grid, &mut schedule, quantum, &mut spare);
        self.schedule = schedule;
        self.spare = spare;
        outcome
    }
}
