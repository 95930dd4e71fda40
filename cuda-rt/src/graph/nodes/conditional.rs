//! Conditions, and the nodes that choose or repeat their bodies by them.

#![allow(unsafe_code)]

use super::add::{Nodes, To};
use super::child::uses_of;
use super::kinds::ConditionalNode;
use super::params::{AddNode, OfKind, Place, Uses, add_by_params};
use crate::context::Context;
use crate::error::{Code, Error, OrDetail, Result};
use crate::graph::ConditionalType;
use crate::graph::node::{AnyNode, GraphTag, Node, NodeTable};
use crate::graph::since::ensure_since;
use crate::graph::source::{GraphHandle, Shared, Source, lock};
use crate::launch::KernelArg;
use core::marker::PhantomData;
use core::ptr::null_mut;
use cuda_sys::{
    CU_GRAPH_COND_ASSIGN_DEFAULT, CUDA_CONDITIONAL_NODE_PARAMS, CUgraph, CUgraphConditionalHandle,
    CUgraphConditionalNodeType_enum, CUgraphNode, CUgraphNodeParams, CUgraphNodeType_enum as Type,
    DriverVersion, Symbol,
};
use std::sync::Arc;

/// The reason why a graph with such nodes is restricted.
const CONDITIONAL_NODES: &str = "conditional nodes";

/// A number by which one conditional node chooses or repeats its bodies. Made by
/// [`AddNodes::condition`](crate::graph::AddNodes::condition).
///
/// Each launch of the graph begins with the default value. Kernels of the graph set the number by `cudaGraphSetConditional`, with
/// the handle that they get as [`arg`](Condition::arg). Exactly one node must use the condition: the driver refuses to instantiate
/// a graph with an unused condition. A condition stays unused if the call that should add its node is refused.
#[doc(alias = "CUgraphConditionalHandle")]
#[derive(Debug)]
pub struct Condition {
    handle: CUgraphConditionalHandle,
    tag: GraphTag,
}

impl Condition {
    /// Returns the handle for kernels of the same graph, which may set the condition.
    pub fn arg(&self) -> ConditionArg {
        ConditionArg(self.handle)
    }
}

/// Kernel argument with the handle of a [`Condition`]: a `cudaGraphConditionalHandle`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct ConditionArg(CUgraphConditionalHandle);

// SAFETY: a `cudaGraphConditionalHandle` is a number of 64 bits, and this is nothing else.
unsafe impl KernelArg for ConditionArg {}

/// Makes a condition.
pub(super) fn condition(to: &To<'_>, default: u32) -> Result<Condition> {
    const CALL: Symbol = Symbol::cuGraphConditionalHandleCreate;
    let bound = to.context.bind(CALL)?;
    let locked = to.lock();
    let (graph, tag) = (locked.source.raw()?, locked.source.nodes.tag());
    let (context, mut handle) = (to.context.as_raw(), 0);
    let flags = CU_GRAPH_COND_ASSIGN_DEFAULT;
    // SAFETY: the graph is live and locked, its context is current, and `handle` is valid for a write.
    let created =
        unsafe { check!(cuGraphConditionalHandleCreate(&raw mut handle, graph, context, default, flags)) };
    drop(locked);
    drop(bound);
    created.map(|()| Condition { handle, tag })
}

/// Parameters of a conditional node.
struct ConditionalParams {
    handle: CUgraphConditionalHandle,
    kind: ConditionalType,
    count: u32,
    context: Context,
    bodies: Vec<CUgraph>,
}

impl OfKind for ConditionalParams {
    type Kind = ConditionalNode;
}

impl AddNode for ConditionalParams {
    fn add_call(&self) -> Symbol {
        Symbol::cuGraphAddNode
    }

    unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()> {
        let mut params =
            CUgraphNodeParams { type_: Type::CU_GRAPH_NODE_TYPE_CONDITIONAL, ..CUgraphNodeParams::default() };
        params.__bindgen_anon_1.conditional = CUDA_CONDITIONAL_NODE_PARAMS {
            handle: self.handle,
            type_: CUgraphConditionalNodeType_enum(self.kind.0),
            size: self.count,
            phGraph_out: null_mut(),
            ctx: self.context.as_raw(),
        };
        // SAFETY: the caller's promise of the graph and the nodes. The condition is of the graph, or of one around it, and no other node
        // has it.
        let added = unsafe { add_by_params(place, &mut params, node) };
        // SAFETY: parameters of this type have this field, and the driver has written it or left it alone.
        let bodies = unsafe { params.__bindgen_anon_1.conditional.phGraph_out };
        if added.is_ok() && !bodies.is_null() {
            // SAFETY: the driver returned the array of as many bodies. It lives as long as the node.
            self.bodies = unsafe { core::slice::from_raw_parts(bodies, self.count as usize) }.to_vec();
        }
        added.or_detail(&[Code::InvalidValue, Code::NotSupported], &|| {
            format!("a conditional node of the type {} with {} bodies", self.kind, self.count)
        })
    }

    fn uses(&self) -> Result<Uses> {
        Ok(Uses::default())
    }
}

/// Limit of the bodies of a node. The driver needs time and memory for each (fact V1191).
const MOST_BODIES: u32 = 1 << 16;

/// Adds a conditional node, and calls `build` for each body.
pub(super) fn conditional(
    mut to: To<'_>,
    after: &[AnyNode],
    condition: Condition,
    (kind, count): (ConditionalType, u32),
    mut build: impl FnMut(u32, &mut Nodes<'_>) -> Result<()>,
) -> Result<Node<ConditionalNode>> {
    if !to.tags.contains(&condition.tag) {
        let text = "it belongs to another graph; call `condition` of the graph whose node uses it";
        return Err(Error::invalid("condition", format_args!("{text}")));
    }
    if count > MOST_BODIES {
        return Err(Error::invalid_for(
            Symbol::cuGraphAddNode,
            format_args!("a node with {count} bodies; at most {MOST_BODIES} are possible"),
        ));
    }
    let since = if kind == ConditionalType::SWITCH || kind == ConditionalType::IF && count > 1 {
        DriverVersion::new(12, 8)
    } else {
        DriverVersion::new(12, 4)
    };
    ensure_since(Symbol::cuGraphAddNode, &format!("{kind} node with {count} bodies"), since)?;
    let (handle, context) = (condition.handle, to.context.clone());
    let mut params = ConditionalParams { handle, kind, count, context, bodies: Vec::new() };
    let uses = Uses { depth: 1, ..Uses::default() };
    let node = to.add_with(after, &mut params, uses, &mut |source, _| {
        source.restrict(Some(CONDITIONAL_NODES));
    })?;
    let mut building = Building { to: &to, node: node.any(), body: None, is_complete: false };
    if params.bodies.len() != count as usize || params.bodies.iter().any(|body| body.is_null()) {
        return Err(Error::invalid_for(
            Symbol::cuGraphAddNode,
            format_args!("the driver has named {} of {count} bodies", params.bodies.len()),
        ));
    }
    for (index, body) in (0..count).zip(&params.bodies) {
        building.build(*body, |nodes| build(index, nodes))?;
    }
    building.is_complete = true;
    Ok(node)
}

/// The bodies of a new node. A graph with incomplete bodies is poisoned.
struct Building<'a, 'b> {
    to: &'a To<'b>,
    node: AnyNode,
    /// The body that is built now.
    body: Option<Shared>,
    is_complete: bool,
}

impl Building<'_, '_> {
    fn build(&mut self, raw: CUgraph, build: impl FnOnce(&mut Nodes<'_>) -> Result<()>) -> Result<()> {
        let context = self.to.context;
        let body = Source::new(GraphHandle::part(raw, context), NodeTable::new());
        let mut tags = self.to.tags.clone();
        tags.push(body.nodes.tag());
        let body = body.share();
        self.body = Some(Arc::clone(&body));
        let mut nodes = Nodes {
            source: Arc::clone(&body),
            root: Some(Arc::clone(self.to.root.unwrap_or(self.to.source))),
            context: context.clone(),
            tags,
            scope: None,
            _brand: PhantomData,
        };
        build(&mut nodes)?;
        {
            // The driver has no lock for the graph and its bodies.
            let _root = self.to.root.map(lock);
            let _around = lock(self.to.source);
            lock(&body).refuse_unordered()?;
        }
        self.keep_body()
    }

    /// Adds the objects of the body to the graph around it. In the end they reach the outermost graph, which keeps them alive.
    fn keep_body(&mut self) -> Result<()> {
        let Some(body) = self.body.take() else { return Ok(()) };
        let (uses, usable) = {
            let body = lock(&body);
            (uses_of(&body), body.raw().map(drop))
        };
        lock(self.to.source).add_uses(self.node, uses);
        usable
    }
}

impl Drop for Building<'_, '_> {
    fn drop(&mut self) {
        if !self.is_complete {
            // The nodes of the body exist, and use their objects.
            let _ = self.keep_body();
            lock(self.to.source).poison();
        }
    }
}
