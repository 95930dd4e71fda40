//! A launch: every block of a grid, one after another on the calling thread.

use std::collections::VecDeque;

use super::super::Launch;
use super::super::fault::{Fault, FaultKind};
use super::super::function::{Constant, Function};
use super::super::memory::Memory;
use super::super::op::Place;
use super::super::program::{Kernel, Program};
use super::block::{Block, BlockIndex, Progress};
use super::constants::{fill, fixed, is_fixed};
use super::registers::{LANES, Registers};
use super::space::Trouble;

/// What every call of a function starts with.
#[derive(Debug)]
pub(super) struct Image {
    /// Registers with the constants of the launch filled in.
    pub(super) registers: Registers,
    /// Constants that depend on the thread or the call.
    pub(super) varying: Vec<(Place, Constant)>,
    pub(super) local: u32,
}

/// A launch in progress.
#[derive(Debug)]
pub(super) struct Grid<'a> {
    pub(super) functions: &'a [Function],
    pub(super) kernel: &'a Kernel,
    pub(super) kernel_function: usize,
    pub(super) launch: &'a Launch<'a>,
    pub(super) memory: &'a Memory,
    /// By function; only those that the kernel can reach have one.
    pub(super) images: Vec<Option<Image>>,
    pub(super) warps: u32,
    pub(super) threads: u32,
    pub(super) shared_bytes: u32,
}

/// No device takes more threads than this in a block.
const MAX_THREADS: u64 = 1024;
/// Nor more shared memory; the limit only keeps nonsense from allocating gigabytes.
const MAX_SHARED: u32 = 16 << 20;
/// How many unfinished blocks there may be at once, as many as a large device would run.
const RESIDENT: usize = 132 * 16;

/// Runs a kernel to its end on the calling thread.
///
/// # Errors
///
/// The first fault of any thread, and [`FaultKind::Timeout`]. What other threads stored before it stays stored.
pub(crate) fn launch(
    program: &Program,
    kernel: &Kernel,
    launch: &Launch<'_>,
    memory: &Memory,
) -> Result<(), Fault> {
    let refuse = |detail: String| {
        Err(Fault {
            kind: FaultKind::Unsupported,
            kernel: kernel.name.clone(),
            line: 0,
            block: [0; 3],
            thread: [0; 3],
            address: None,
            detail,
        })
    };
    if let Some(reason) = kernel.unsupported() {
        return refuse(reason.to_owned());
    }
    let threads = launch.block.iter().map(|&size| u64::from(size)).product::<u64>();
    if launch.block.iter().any(|&size| u64::from(size) > MAX_THREADS) || threads > MAX_THREADS {
        return refuse(format!("{threads} threads in a block"));
    }
    let shared_bytes = kernel.shared_end.saturating_add(launch.dynamic_shared);
    if shared_bytes > MAX_SHARED {
        return refuse(format!("{shared_bytes} bytes of shared memory"));
    }
    let threads = threads as u32;
    let mut grid = Grid {
        functions: &program.functions,
        kernel,
        kernel_function: kernel.function,
        launch,
        memory,
        images: (0..program.functions.len()).map(|_| None).collect(),
        warps: threads.div_ceil(LANES as u32),
        threads,
        shared_bytes,
    };
    for &index in &kernel.functions {
        let image = program
            .functions
            .get(index)
            .filter(|function| function.defined)
            .map(|function| grid.image(function));
        if let Some(slot) = grid.images.get_mut(index) {
            *slot = image;
        }
    }
    if threads == 0 {
        return Ok(());
    }
    grid.run()
}

impl Grid<'_> {
    fn image(&self, function: &Function) -> Image {
        let mut registers = Registers::new(function.words, function.longs, function.predicates);
        let mut varying = Vec::new();
        for &(place, constant) in &function.constants {
            if is_fixed(constant) {
                let value = fixed(self, constant);
                fill(&mut registers, place, value);
            } else {
                varying.push((place, constant));
            }
        }
        Image { registers, varying, local: function.local }
    }

    /// The index of a thread in its block.
    pub(super) fn thread(&self, number: u32) -> [u32; 3] {
        let [x, y, _] = self.launch.block.map(|size| size.max(1));
        [number % x, number / x % y, number / x / y]
    }

    /// How many threads a warp has.
    pub(super) fn lanes_of(&self, warp: u32) -> u32 {
        (self.threads - (warp * LANES as u32).min(self.threads)).min(LANES as u32)
    }

    /// The line of a step.
    pub(super) fn line(&self, function: usize, step: u32) -> u32 {
        let function = self.functions.get(function);
        function.and_then(|function| function.steps.get(step as usize)).map_or(0, |step| step.line)
    }

    fn block_index(&self, number: u64) -> BlockIndex {
        let [x, y, _] = self.launch.grid.map(u64::from);
        let index = [number % x, number / x % y, number / x / y].map(|part| part as u32);
        BlockIndex { index, number }
    }

    fn run(&self) -> Result<(), Fault> {
        let count = self.launch.grid.iter().map(|&size| u64::from(size)).product::<u64>();
        let mut suspended: VecDeque<Block> = VecDeque::new();
        let mut spare: Option<Block> = None;
        let mut next = 0;
        loop {
            let mut block = if next < count && suspended.len() < RESIDENT {
                let index = self.block_index(next);
                next += 1;
                match spare.take() {
                    Some(mut block) => {
                        block.restart(self, index);
                        block
                    }
                    None => Block::new(self, index),
                }
            } else {
                match suspended.pop_front() {
                    Some(block) => block,
                    None => return Ok(()),
                }
            };
            match block.run(self) {
                Ok(Progress::Finished) => spare = Some(block),
                Ok(Progress::Suspended) => suspended.push_back(block),
                Err((warp, trouble, line)) => return Err(self.fault(&block.index, warp, trouble, line)),
            }
        }
    }

    fn fault(&self, block: &BlockIndex, warp: u32, trouble: Trouble, line: u32) -> Fault {
        Fault {
            kind: trouble.kind,
            kernel: self.kernel.name.clone(),
            line,
            block: block.index,
            thread: self.thread(warp * LANES as u32 + trouble.lane as u32),
            address: trouble.address,
            detail: trouble.detail,
        }
    }
}
