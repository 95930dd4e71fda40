//! A device for tests: buffers at device addresses, and launches on them.

use super::super::memory::with_memory;
use super::super::{Fault, Kernel, Launch, Program, Target};

/// An H200 with driver 580.
pub(super) const TARGET: Target = Target { compute_capability: (9, 0), ptx_version: (9, 0) };

/// Where device memory begins.
const FIRST: u64 = 1 << 48;
/// Buffers are this far apart, so that running over the end of one is noticed.
const STRIDE: u64 = 1 << 32;

/// An argument of a kernel.
#[derive(Debug, Clone, Copy)]
pub(super) enum Arg {
    /// The address of a buffer.
    Buffer(usize),
    Address(u64),
    I32(i32),
}

/// The entry function called `name`.
pub(super) fn named<'program>(program: &'program Program, name: &str) -> &'program Kernel {
    program.kernels().iter().find(|kernel| kernel.name == name).unwrap()
}

/// Memory of a device and a program for it.
#[derive(Debug)]
pub(super) struct Device {
    pub(super) program: Program,
    buffers: Vec<(u64, Vec<u64>)>,
    globals: Vec<u64>,
}

impl Device {
    /// Compiles a module and places its variables.
    pub(super) fn new(ptx: &str) -> Self {
        let program = Program::compile(ptx.as_bytes(), &TARGET).unwrap_or_else(|error| panic!("{error}"));
        let mut device = Self { program, buffers: Vec::new(), globals: Vec::new() };
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

    /// A module with one kernel `k`, given its parameters and body.
    pub(super) fn kernel(params: &str, body: &str) -> Self {
        Self::new(&format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k({params})\n{{\n{body}\n}}\n"
        ))
    }

    /// A buffer with these bytes.
    pub(super) fn alloc(&mut self, bytes: &[u8]) -> usize {
        let index = self.buffers.len();
        self.buffers.push((FIRST + index as u64 * STRIDE, vec![0; bytes.len().div_ceil(8).max(1)]));
        self.write(index, bytes);
        index
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
        let program = &self.program;
        let kernel = named(program, name);
        let launch = Launch { grid, block, dynamic_shared, params, globals: &self.globals, steps: u64::MAX };
        with_memory(&mut self.buffers, |memory| super::super::launch(program, kernel, &launch, memory))
    }
}
