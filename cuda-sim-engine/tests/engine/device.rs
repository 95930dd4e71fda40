//! A device for tests: buffers at device addresses, and launches on them.

use cuda_sim_engine::{
    Execution, Fault, Kernel, Launch, Memory, Multiprocessors, Output, Program, Progress, Segment, Target,
    Timing,
};
use std::sync::Arc;

/// An H200 with driver 580.
pub(super) const TARGET: Target =
    Target { compute_capability: (9, 0), ptx_version: (9, 0), shared_bytes: 232_448 };

/// A clock of 2 GHz, and a kernel that begins after a millisecond.
pub(super) const TIMING: Timing = Timing { start: 1_000_000, kilohertz: 2_000_000 };
pub(super) const MULTIPROCESSORS: Multiprocessors = Multiprocessors { count: 132, part: None };

/// Start of device memory.
const FIRST: u64 = 1 << 48;
/// Distance between buffers. It is large enough to detect an overrun of one.
const STRIDE: u64 = 1 << 32;

/// Argument of a kernel.
#[derive(Debug, Clone, Copy)]
pub(super) enum Arg {
    /// The address of a buffer.
    Buffer(usize),
    Address(u64),
    I32(i32),
}

/// Returns the entry function called `name`.
pub(super) fn named<'program>(program: &'program Program, name: &str) -> &'program Kernel {
    program.kernels().iter().find(|kernel| kernel.name == name).unwrap()
}

/// Memory of a device and a program for it.
#[derive(Debug)]
pub(super) struct Device {
    pub(super) program: Arc<Program>,
    buffers: Vec<(u64, Vec<u64>)>,
    globals: Vec<u64>,
    pub(super) output: Arc<Output>,
}

impl Device {
    /// Compiles a module and places its variables.
    pub(super) fn new(ptx: &str) -> Self {
        Self::of(ptx, &TARGET)
    }

    /// Compiles for a driver with another PTX version, or for another device.
    pub(super) fn of(ptx: &str, target: &Target) -> Self {
        let program = Program::compile(ptx.as_bytes(), target).unwrap_or_else(|error| panic!("{error}"));
        let output = Arc::new(Output::new(64));
        let mut device =
            Self { program: Arc::new(program), buffers: Vec::new(), globals: Vec::new(), output };
        let sizes: Vec<u64> = device.program.globals().iter().map(|global| global.size).collect();
        for size in sizes {
            let index = device.alloc(&vec![0u8; size as usize]);
            device.globals.push(device.address(index));
        }
        for (index, &address) in device.globals.clone().iter().enumerate() {
            let bytes = device.program.initial_bytes(index, &device.globals);
            let buffer = ((address - FIRST) / STRIDE) as usize;
            device.write(buffer, &bytes);
        }
        device
    }

    /// Compiles a module with one kernel `k`, from its parameters and body.
    pub(super) fn kernel(params: &str, body: &str) -> Self {
        Self::new(&format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k({params})\n{{\n{body}\n}}\n"
        ))
    }

    /// Allocates a buffer with these bytes.
    pub(super) fn alloc(&mut self, bytes: &[u8]) -> usize {
        let index = self.buffers.len();
        self.buffers.push((FIRST + index as u64 * STRIDE, vec![0; bytes.len().div_ceil(8).max(1)]));
        self.write(index, bytes);
        index
    }

    /// Allocates further memory below all other addresses.
    pub(super) fn alloc_first(&mut self, words: &[u64]) {
        self.buffers.push((FIRST - STRIDE, words.to_vec()));
    }

    /// Frees the last buffer.
    pub(super) fn free_last(&mut self) {
        self.buffers.pop();
    }

    pub(super) fn alloc_u32(&mut self, values: &[u32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.alloc(&bytes)
    }

    pub(super) fn alloc_u64(&mut self, values: &[u64]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.alloc(&bytes)
    }

    pub(super) fn address(&self, buffer: usize) -> u64 {
        self.buffers[buffer].0
    }

    pub(super) fn write(&mut self, buffer: usize, bytes: &[u8]) {
        for (index, &byte) in bytes.iter().enumerate() {
            let word = &mut self.buffers[buffer].1[index / 8];
            let shift = index % 8 * 8;
            *word = *word & !(0xff << shift) | u64::from(byte) << shift;
        }
    }

    pub(super) fn u64s(&self, buffer: usize) -> Vec<u64> {
        self.buffers[buffer].1.clone()
    }

    /// Runs a kernel, which must succeed.
    pub(super) fn run(&mut self, name: &str, grid: [u32; 3], block: [u32; 3], args: &[Arg]) {
        self.try_run(name, grid, block, 0, args).unwrap_or_else(|fault| panic!("{fault}"));
    }

    /// Runs a kernel.
    pub(super) fn try_run(
        &mut self,
        name: &str,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_shared: u32,
        args: &[Arg],
    ) -> Result<(), Fault> {
        let kernel = named(&self.program, name).clone();
        assert_eq!(kernel.unsupported(), None);
        assert_eq!(kernel.params.len(), args.len(), "arguments of {name}");
        let mut params = vec![0; kernel.param_bytes as usize];
        for (param, arg) in kernel.params.iter().zip(args) {
            let bytes = match *arg {
                Arg::Buffer(buffer) => self.address(buffer).to_le_bytes().to_vec(),
                Arg::Address(value) => value.to_le_bytes().to_vec(),
                Arg::I32(value) => value.to_le_bytes().to_vec(),
            };
            assert_eq!(bytes.len(), param.size as usize, "size of an argument of {name}");
            let start = param.offset as usize;
            params[start..start + bytes.len()].copy_from_slice(&bytes);
        }
        self.launch_with(name, grid, block, dynamic_shared, &params)
    }

    /// Runs a kernel with a parameter space that is laid out already.
    pub(super) fn launch_with(
        &mut self,
        name: &str,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_shared: u32,
        params: &[u8],
    ) -> Result<(), Fault> {
        let launch = self.launch(grid, block, dynamic_shared, params.to_vec());
        let program = &self.program;
        with_memory(&mut self.buffers, |memory| launch_to_end(program, name, launch, memory))
    }

    /// Creates a launch with one worker, in ascending order.
    pub(super) fn launch(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_shared: u32,
        params: Vec<u8>,
    ) -> Launch {
        Launch {
            grid,
            block,
            dynamic_shared,
            params,
            globals: self.globals.clone(),
            textures: Arc::default(),
            output: Arc::clone(&self.output),
            malloc_heap: None,
            children: None,
            limit: u64::MAX,
            at_once: 1,
            multiprocessors: MULTIPROCESSORS,
            timing: TIMING,
            workers: 1,
            vectors: true,
            cluster: Some([1; 3]),
            workspace: 0,
            order: None,
            injected: None,
            counter: None,
            observer: None,
        }
    }

    /// Prepares a launch of a kernel whose parameters are addresses of buffers. The caller may have changed the launch.
    pub(super) fn begin(
        &self,
        name: &str,
        [grid, block]: [u32; 2],
        buffers: &[usize],
        change: impl FnOnce(&mut Launch),
    ) -> Execution {
        let params = buffers.iter().flat_map(|&buffer| self.address(buffer).to_le_bytes()).collect();
        let mut launch = self.launch([grid, 1, 1], [block, 1, 1], 0, params);
        change(&mut launch);
        Execution::new(Arc::clone(&self.program), index_of(&self.program, name), launch).unwrap()
    }

    /// Continues a launch.
    pub(super) fn go_on(&mut self, execution: &mut Execution, quantum: u64) -> Result<Progress, Fault> {
        with_memory(&mut self.buffers, |memory| execution.run(memory, quantum))
    }

    pub(super) fn u32s(&self, buffer: usize) -> Vec<u32> {
        self.buffers[buffer].1.iter().flat_map(|long| [*long as u32, (long >> 32) as u32]).collect()
    }
}

fn index_of(program: &Program, name: &str) -> usize {
    program.kernels().iter().position(|kernel| kernel.name == name).unwrap()
}

/// Runs a kernel to its end.
pub(super) fn launch_to_end(
    program: &Arc<Program>,
    name: &str,
    launch: Launch,
    memory: &Memory,
) -> Result<(), Fault> {
    let mut execution = Execution::new(Arc::clone(program), index_of(program, name), launch)?;
    assert_eq!(execution.run(memory, u64::MAX)?, Progress::Finished);
    Ok(())
}

/// Runs `scope` with a memory over borrowed bytes. Each buffer has its own device address.
pub(super) fn with_memory<T>(buffers: &mut [(u64, Vec<u64>)], scope: impl FnOnce(&Memory) -> T) -> T {
    let segments = buffers.iter_mut().map(|(base, bytes)| {
        let len = bytes.len() as u64 * 8;
        Segment { base: *base, len, bytes: bytes.as_mut_ptr().cast::<u8>(), read_only: false }
    });
    // SAFETY:
    // - the buffers are borrowed for as long as the memory lives, so they are valid and have no other users
    // - they are aligned to 8, as the addresses in the tests are
    // - they are separate allocations; the tests give them separate addresses
    let memory = unsafe { Memory::new(segments.collect()) };
    scope(&memory)
}
