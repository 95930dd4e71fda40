//! Changes of single nodes of an executable graph.

#![allow(unsafe_code)]
#![allow(private_bounds, private_interfaces)] // methods of a sealed trait

use super::{ExecHandle, GraphExec};
use crate::context::{Context, RelaxedCaptureMode};
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::graph::access_order::Touched;
use crate::graph::keep::KeepSet;
use crate::graph::node::{AnyNode, Node};
use crate::graph::nodes::{
    ChildNode, ChildParams, OfKind, SetExecutableNode, SetNode, SetTarget, Switchable, has_changed_nothing,
};
use crate::graph::source::{CellUse, Source, lock};
use crate::handle::Quiet;
use core::ffi::c_uint;
use cuda_sys::Symbol;
use std::sync::Arc;

/// Memory that the nodes of an executable graph touch, by the indices of its graph.
#[derive(Debug, Clone, Default)]
pub(super) struct MemoryUse {
    touched: Vec<(u32, Touched)>,
    cell_uses: Vec<CellUse>,
    /// The state of the graph whose edges order the nodes.
    changes: u64,
}

impl MemoryUse {
    pub(super) fn of(source: &Source) -> MemoryUse {
        MemoryUse {
            touched: source.touched.clone(),
            cell_uses: source.cell_uses.clone(),
            changes: source.changes(),
        }
    }

    /// Removes the accesses of a node.
    fn without(&self, node: AnyNode) -> MemoryUse {
        let mut rest = self.clone();
        rest.touched.retain(|(of, _)| *of != node.index());
        rest.cell_uses.retain(|(of, _)| *of != Some(node.index()));
        rest
    }
}

impl ExecHandle {
    /// Sets other parameters of a node.
    fn set(&mut self, node: AnyNode, params: &mut dyn SetExecutableNode) -> Result<()> {
        self.refuse_poisoned()?;
        let uses = params.uses()?;
        let source = Arc::clone(&self.source);
        // The hook may use the graph, and runs when it is not locked.
        let quiet = Quiet::new();
        let bound = self.context.bind(params.set_executable_call())?;
        let mut kept_now = KeepSet::clone(&self.keep);
        let source = lock(&source);
        source.raw()?;
        let raw = source.nodes.raw(node)?;
        let mut memory = self.memory()?.without(node);
        let touches = !uses.touched.is_empty() || !uses.exclusive_cells.is_empty();
        kept_now.take_node(node.index());
        kept_now.add_for_node(node.index(), uses.kept.iter().cloned());
        if touches {
            if memory.changes != source.changes() {
                let text = "its graph has got other nodes or edges since; update it whole, or instantiate the graph again";
                return Err(Error::invalid("executable graph", format_args!("{text}")));
            }
            memory.touched.extend(uses.touched.iter().map(|touched| (node.index(), *touched)));
            let cells = uses.exclusive_cells.iter().map(|cell| (Some(node.index()), *cell));
            memory.cell_uses.extend(cells);
            source.refuse_unordered_uses(&kept_now, &memory.cell_uses, &memory.touched)?;
        }
        // A copy between devices keeps the way that it has now.
        let ticket = kept_now.ticket(&self.context);
        let set = {
            // Otherwise a capture that this or another thread makes could be invalidated.
            let _relaxed = RelaxedCaptureMode::new();
            // SAFETY: the executable graph is live, and borrowed mutably. The node is one of the graph from which it was made, of
            // this kind, and the graph is locked. The executable graph keeps the uses alive from now on.
            unsafe { params.set_executable(self.raw, raw) }
        };
        drop(ticket);
        drop(source);
        params.unlock();
        drop(bound);
        drop(quiet);
        match set {
            Ok(()) => {
                self.memory = Some(memory);
                self.replace_kept(kept_now)
            }
            Err(error) if has_changed_nothing(&error) => Err(error),
            Err(error) => {
                // The node may have the old or the new parameters.
                let mut both = KeepSet::clone(&self.keep);
                uses.kept.into_iter().for_each(|kept| both.add(kept));
                self.is_poisoned = true;
                // If this fails too, the first failure counts: the objects are released later, or never.
                let _kept = self.replace_kept(both);
                Err(error)
            }
        }
    }

    /// Returns the memory that the nodes touch. Refuses an executable graph in which nodes have other indices than in its graph.
    fn memory(&self) -> Result<&MemoryUse> {
        self.memory.as_ref().ok_or_else(nodes_without_names)
    }

    /// Keeps another set alive from now on. The old one is released after the last launch.
    fn replace_kept(&mut self, keep: KeepSet) -> Result<()> {
        let old = core::mem::replace(&mut self.keep, Arc::new(keep));
        self.look_at_kept();
        self.release_kept(old, Vec::new())
    }
}

#[cold]
fn nodes_without_names() -> Error {
    let text = "it was updated from another graph, or after nodes or edges of its own graph changed or were captured again, so its nodes have no names; update it whole, or instantiate the graph again";
    Error::invalid("executable graph", format_args!("{text}"))
}

impl SetTarget for GraphExec {
    fn target_context(&self) -> &Context {
        self.context()
    }

    fn choose(&self, _: Symbol, executable: Symbol) -> Symbol {
        executable
    }

    fn set<P: SetNode + SetExecutableNode + OfKind>(
        &mut self,
        node: Node<P::Kind>,
        params: &mut P,
    ) -> Result<()> {
        self.handle.set(node.any(), params)
    }
}

impl GraphExec {
    /// Sets the parameters of a child graph's node to those of another graph with the same nodes and edges. Wraps
    /// `cuGraphExecChildGraphNodeSetParams`.
    ///
    /// # Errors
    ///
    /// - Same as [`AddNodes::child`](crate::graph::AddNodes::child).
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): `graph` is the graph of the node.
    /// - The refusals of all changes of executable graphs: see [`SetNodes`](crate::graph::SetNodes).
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.1.
    /// - The driver's refusal of a graph with other nodes or edges.
    #[doc(alias = "cuGraphExecChildGraphNodeSetParams")]
    pub fn set_child(&mut self, node: Node<ChildNode>, graph: &mut Graph) -> Result<()> {
        if Arc::ptr_eq(graph.source(), &self.handle.source) {
            let text = "a graph is no child of itself; give another graph";
            return Err(Error::invalid("child graph", format_args!("{text}")));
        }
        // The hook may use the graphs, and runs when they are not locked.
        let _quiet = Quiet::new();
        let context = self.handle.context.clone();
        let mut params = ChildParams::in_turn(graph, &context, Symbol::cuGraphExecChildGraphNodeSetParams)?;
        self.handle.set(node.any(), &mut params)
    }

    /// Enables or disables a node for later launches. A disabled node does nothing, and nodes after it run as if it had run.
    /// Wraps `cuGraphNodeSetEnabled`.
    ///
    /// # Blocking
    ///
    /// Does not wait for launches. Waits while another thread uses the graph: see [`SetNodes`](crate::graph::SetNodes#blocking).
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.6.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the node belongs to another graph, or was removed.
    /// - The same kind: an [update](GraphExec::update) has paired the nodes with others, or the graph of the node was
    ///   [moved](crate::graph::AddNodes::child_moved) into another one.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): a closure records into the graph of the node.
    /// - [`Poisoned`](crate::error::ErrorKind::Poisoned): a failure has left the
    ///   [executable graph](GraphExec::is_poisoned) or the graph of the node in an unknown state.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # if cuda_rt::driver_version()? < cuda_rt::driver::DriverVersion::new(11, 6) { return Ok(()); }
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::graph::{AddNodes, Graph};
    ///
    /// let (mut numbers, mut graph) = (DeviceBuf::<u32>::zeroed(&stream, 2)?, Graph::new(&context)?);
    /// let fill = graph.fill(&[], &mut numbers, 7)?;
    /// let mut program = graph.instantiate(Default::default())?;
    /// program.set_enabled(fill, false)?;
    /// program.launch(&stream)?;
    /// assert_eq!(numbers.to_vec()?, [0; 2]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGraphNodeSetEnabled")]
    pub fn set_enabled<K: Switchable>(&mut self, node: Node<K>, is_on: bool) -> Result<()> {
        let _quiet = Quiet::new();
        let handle = &mut *self.handle;
        handle.refuse_poisoned()?;
        handle.memory()?;
        let _bound = handle.context.bind(Symbol::cuGraphNodeSetEnabled)?;
        let source = lock(&handle.source);
        source.raw()?;
        let raw = source.nodes.raw(node.any())?;
        let _relaxed = RelaxedCaptureMode::new();
        // SAFETY: the executable graph is live, and borrowed mutably; the node is one of the graph from which it was made, which
        // is locked.
        unsafe { check!(cuGraphNodeSetEnabled(handle.raw, raw, c_uint::from(is_on))) }
    }

    /// Returns whether a node is enabled. Wraps `cuGraphNodeGetEnabled`.
    ///
    /// # Blocking
    ///
    /// Same as [`set_enabled`](GraphExec::set_enabled).
    ///
    /// # Errors
    ///
    /// Same as [`set_enabled`](GraphExec::set_enabled).
    #[doc(alias = "cuGraphNodeGetEnabled")]
    pub fn is_enabled<K: Switchable>(&mut self, node: Node<K>) -> Result<bool> {
        let handle = &mut *self.handle;
        handle.refuse_poisoned()?;
        handle.memory()?;
        let _bound = handle.context.bind(Symbol::cuGraphNodeGetEnabled)?;
        let source = lock(&handle.source);
        source.raw()?;
        let (raw, mut is_on) = (source.nodes.raw(node.any())?, 0);
        // SAFETY: as in `set_enabled`, and `is_on` is valid for a write.
        unsafe { check!(cuGraphNodeGetEnabled(handle.raw, raw, &raw mut is_on)) }?;
        Ok(is_on != 0)
    }
}
