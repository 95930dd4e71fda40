//! Kernel nodes.

#![allow(unsafe_code)]

use super::kinds::KernelNode;
use super::params::{AddNode, OfKind, Place, SetExecutableNode, SetNode, Uses};
use crate::error::{Code, OrDetail, Result};
use crate::graph::keep::Kept;
use crate::launch::LaunchConfig;
use crate::module::Function;
use core::ffi::c_void;
use core::ptr::null_mut;
use cuda_sys::{CUDA_KERNEL_NODE_PARAMS_v1, CUDA_KERNEL_NODE_PARAMS_v2, CUgraphExec, CUgraphNode, Symbol};

/// Parameters of a kernel node. The arguments are read when the driver gets them.
pub(in crate::graph) struct KernelParams<'a> {
    function: &'a Function,
    config: LaunchConfig,
    arguments: *mut *mut c_void,
    /// Objects that the arguments name, which the graph keeps alive.
    kept: Vec<Kept>,
    /// True if the driver has the second version of the functions, which take the context.
    names_context: bool,
}

impl<'a> KernelParams<'a> {
    /// # Safety
    ///
    /// There are as many arguments as the kernel has parameters, of the same sizes. They are readable as long as this value is
    /// used. The caller is responsible for the kernel's effects.
    pub(in crate::graph) unsafe fn new(
        function: &'a Function,
        config: LaunchConfig,
        arguments: *mut *mut c_void,
        kept: Vec<Kept>,
    ) -> Result<Self> {
        let names_context = cuda_sys::driver()?.has(Symbol::cuGraphAddKernelNode_v2);
        Ok(KernelParams { function, config, arguments, kept, names_context })
    }

    fn first_version(&self) -> CUDA_KERNEL_NODE_PARAMS_v1 {
        let LaunchConfig { grid, block, shared_bytes } = self.config;
        CUDA_KERNEL_NODE_PARAMS_v1 {
            func: self.function.as_raw(),
            gridDimX: grid[0],
            gridDimY: grid[1],
            gridDimZ: grid[2],
            blockDimX: block[0],
            blockDimY: block[1],
            blockDimZ: block[2],
            sharedMemBytes: shared_bytes,
            kernelParams: self.arguments,
            extra: null_mut(),
        }
    }

    fn second_version(&self) -> CUDA_KERNEL_NODE_PARAMS_v2 {
        let LaunchConfig { grid, block, shared_bytes } = self.config;
        CUDA_KERNEL_NODE_PARAMS_v2 {
            func: self.function.as_raw(),
            gridDimX: grid[0],
            gridDimY: grid[1],
            gridDimZ: grid[2],
            blockDimX: block[0],
            blockDimY: block[1],
            blockDimZ: block[2],
            sharedMemBytes: shared_bytes,
            kernelParams: self.arguments,
            extra: null_mut(),
            kern: null_mut(),
            ctx: self.function.context().as_raw(),
        }
    }

    /// Adds the probable reason of the driver's refusal.
    fn explained(&self, outcome: Result<()>) -> Result<()> {
        outcome.or_detail(&[Code::InvalidValue, Code::NotSupported], &|| {
            let LaunchConfig { grid, block, shared_bytes } = self.config;
            format!(
                "kernel `{}`, grid {grid:?}, block {block:?}, {shared_bytes} bytes of shared memory; a kernel whose module has bound \
                 texture or surface references cannot be a node",
                self.function.name()
            )
        })
    }
}

impl OfKind for KernelParams<'_> {
    type Kind = KernelNode;
}

impl AddNode for KernelParams<'_> {
    fn add_call(&self) -> Symbol {
        if self.names_context { Symbol::cuGraphAddKernelNode_v2 } else { Symbol::cuGraphAddKernelNode }
    }

    unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()> {
        let Place { graph, after } = place;
        let added = if self.names_context {
            let params = self.second_version();
            // SAFETY: the caller's promise of the graph and the nodes; the function is live, and the arguments are readable.
            unsafe {
                check!(cuGraphAddKernelNode_v2(node, graph, after.as_ptr(), after.len(), &raw const params))
            }
        } else {
            let params = self.first_version();
            // SAFETY: as above; the function is of the current context.
            unsafe {
                check!(cuGraphAddKernelNode(node, graph, after.as_ptr(), after.len(), &raw const params))
            }
        };
        self.explained(added)
    }

    fn uses(&self) -> Result<Uses> {
        let mut kept = vec![Kept::module(self.function.module())];
        kept.extend(self.kept.iter().cloned());
        Ok(Uses { kept, ..Uses::default() })
    }
}

impl SetNode for KernelParams<'_> {
    fn set_call(&self) -> Symbol {
        if self.names_context {
            Symbol::cuGraphKernelNodeSetParams_v2
        } else {
            Symbol::cuGraphKernelNodeSetParams
        }
    }

    unsafe fn set(&mut self, node: CUgraphNode) -> Result<()> {
        let set = if self.names_context {
            let params = self.second_version();
            // SAFETY: the caller's promise of the node; the function is live, and the arguments are readable.
            unsafe { check!(cuGraphKernelNodeSetParams_v2(node, &raw const params)) }
        } else {
            let params = self.first_version();
            // SAFETY: as above; the function is of the current context.
            unsafe { check!(cuGraphKernelNodeSetParams(node, &raw const params)) }
        };
        self.explained(set)
    }
}

impl SetExecutableNode for KernelParams<'_> {
    fn set_executable_call(&self) -> Symbol {
        if self.names_context {
            Symbol::cuGraphExecKernelNodeSetParams_v2
        } else {
            Symbol::cuGraphExecKernelNodeSetParams
        }
    }

    unsafe fn set_executable(&mut self, executable: CUgraphExec, node: CUgraphNode) -> Result<()> {
        let set = if self.names_context {
            let params = self.second_version();
            // SAFETY: the caller's promise of both; the function is live, and the arguments are readable.
            unsafe { check!(cuGraphExecKernelNodeSetParams_v2(executable, node, &raw const params)) }
        } else {
            let params = self.first_version();
            // SAFETY: as above; the function is of the current context.
            unsafe { check!(cuGraphExecKernelNodeSetParams(executable, node, &raw const params)) }
        };
        self.explained(set)
    }
}
