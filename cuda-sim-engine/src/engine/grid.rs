//! A launch as its blocks see it.

use super::block::BlockIndex;
use super::constants::{fill, fixed, is_fixed, is_of_block};
use super::observation::access_to;
use super::registers::{LANES, Registers, lanes};
use super::simd_level::SimdLevel;
use super::warp_memory::LaneFault;
use crate::fault::{Assertion, Fault, FaultInstruction};
use crate::function::{Constant, Function};
use crate::injected::Countdown;
use crate::launch::Launch;
use crate::memory::Memory;
use crate::observer::Site;
use crate::op::Place;
use crate::program::{Global, Kernel};

/// Initial state of every call of a function.
#[derive(Debug)]
pub(super) struct Image {
    /// Registers that hold the constants of the launch.
    pub(super) registers: Registers,
    /// Constants that depend on the thread or the call.
    pub(super) varying: Vec<(Place, Constant)>,
    /// Constants among them that depend on the block.
    pub(super) of_block: Vec<(Place, Constant)>,
    pub(super) local: u32,
}

/// Launch in progress, and the memory that it works on for now.
#[derive(Debug)]
pub(super) struct Grid<'a> {
    pub(super) functions: &'a [Function],
    pub(super) variables: &'a [Global],
    pub(super) kernel: &'a Kernel,
    pub(super) kernel_function: usize,
    pub(super) launch: &'a Launch,
    pub(super) memory: &'a Memory,
    pub(super) level: SimdLevel,
    /// Initial states by function, for functions that the kernel can reach.
    pub(super) images: &'a [Option<Image>],
    pub(super) warps: u32,
    pub(super) threads: u32,
    pub(super) shared_bytes: u32,
    /// Blocks in a cluster along each axis, at least one.
    pub(super) cluster: [u32; 3],
    /// The steps until an injected fault, if the launch has one.
    pub(super) countdown: Option<&'a Countdown>,
    /// True if steps run one by one, to be counted.
    pub(super) stepwise: bool,
}

impl Grid<'_> {
    pub(super) fn image(&self, function: &Function) -> Image {
        let mut registers = Registers::new(function.words, function.longs, function.predicates);
        let mut varying = Vec::new();
        for &(place, constant) in &function.constants {
            if is_fixed(self, constant) {
                let value = fixed(self, constant);
                fill(&mut registers, place, value);
            } else {
                varying.push((place, constant));
            }
        }
        let of_block = varying.iter().copied().filter(|(_, constant)| is_of_block(*constant)).collect();
        Image { registers, varying, of_block, local: function.local }
    }

    /// Returns the index of a thread in its block.
    pub(super) fn thread(&self, number: u32) -> [u32; 3] {
        let [x, y, _] = self.launch.block.map(|size| size.max(1));
        [number % x, number / x % y, number / x / y]
    }

    /// Returns the number of threads of a warp.
    pub(super) fn lanes_of(&self, warp: u32) -> u32 {
        (self.threads - (warp * LANES as u32).min(self.threads)).min(LANES as u32)
    }

    /// Returns the lines of a step as a text.
    pub(super) fn place(&self, site: Site) -> String {
        let lines = self.functions.get(site.function).map(|function| function.lines(site.step));
        match lines {
            Some((line, Some(source))) => format!("{source} (PTX line {line})"),
            Some((line, None)) => format!("PTX line {line}"),
            None => String::new(),
        }
    }

    /// Returns the first step of the kernel.
    pub(super) fn first_site(&self) -> Site {
        Site { function: self.kernel_function, step: 0 }
    }

    /// Returns the number of blocks of a cluster.
    pub(super) fn cluster_blocks(&self) -> u32 {
        self.cluster.iter().product()
    }

    /// Returns the number of clusters along each axis.
    pub(super) fn clusters(&self) -> [u32; 3] {
        std::array::from_fn(|axis| self.launch.grid[axis] / self.cluster[axis])
    }

    /// Returns the index of a block, from its cluster and its rank.
    pub(super) fn block_index(&self, cluster: u64, rank: u32) -> BlockIndex {
        let [x, y, _] = self.clusters().map(|clusters| u64::from(clusters.max(1)));
        let first = [cluster % x, cluster / x % y, cluster / x / y].map(|part| part as u32);
        let [width, height, _] = self.cluster;
        let in_cluster = [rank % width, rank / width % height, rank / width / height];
        let index: [u32; 3] = std::array::from_fn(|axis| first[axis] * self.cluster[axis] + in_cluster[axis]);
        let [columns, rows, _] = self.launch.grid.map(u64::from);
        let number = u64::from(index[0]) + columns * (u64::from(index[1]) + rows * u64::from(index[2]));
        BlockIndex { index, number, cluster, in_cluster, rank }
    }

    pub(super) fn fault(&self, block: &BlockIndex, warp: u32, trouble: LaneFault, site: Site) -> Fault {
        let thread = |lane: usize| self.thread(warp * LANES as u32 + lane as u32);
        let assertion = trouble.assertion.map(|assertion| {
            let (place, condition, mask) = *assertion;
            Box::new(Assertion { place, condition, threads: lanes(mask).map(thread).collect() })
        });
        let function = self.functions.get(site.function);
        let (line, source) = function.map_or((0, None), |function| function.lines(site.step));
        let instruction = function.map(|function| {
            let op = function.steps.get(site.step as usize).map(|step| &step.op);
            Box::new(FaultInstruction {
                source,
                function: (site.function != self.kernel_function).then(|| function.name.clone()),
                access: op.and_then(|op| access_to(op, trouble.address)),
            })
        });
        Fault {
            kind: trouble.kind,
            kernel: self.kernel.name.clone(),
            line,
            instruction,
            block: block.index,
            thread: thread(trouble.lane),
            address: trouble.address,
            detail: trouble.detail,
            assertion,
        }
    }
}
