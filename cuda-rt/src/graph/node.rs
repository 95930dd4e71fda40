//! Values that name nodes of graphs.

#![allow(unsafe_code)]

use crate::error::{Error, Result};
use crate::list::CollectVec;
use crate::map::Numbers;
use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicU64, Ordering};
use cuda_sys::CUgraphNode;

/// Name of a graph, unique in the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct GraphTag(u64);

impl GraphTag {
    pub(super) fn new() -> GraphTag {
        static LAST: AtomicU64 = AtomicU64::new(0);
        GraphTag(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// A node of a graph, of any kind. The value only names the node and borrows nothing. Methods of a graph refuse nodes of other
/// graphs, and nodes that were removed.
#[doc(alias = "CUgraphNode")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnyNode {
    tag: GraphTag,
    index: u32,
    generation: u32,
}

impl AnyNode {
    /// Returns the index of the node in the table of its graph.
    pub(super) fn index(self) -> u32 {
        self.index
    }

    /// Names the node in errors.
    pub(super) fn describe(self) -> String {
        format!("node {} of graph {}", self.index, self.tag.0)
    }
}

impl fmt::Debug for AnyNode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "AnyNode({} of graph {})", self.index, self.tag.0)
    }
}

/// A node of a graph, of the kind `K`. Like an [`AnyNode`], the value only names the node.
pub struct Node<K> {
    node: AnyNode,
    _kind: PhantomData<fn() -> K>,
}

impl<K> Node<K> {
    pub(super) fn of(node: AnyNode) -> Node<K> {
        Node { node, _kind: PhantomData }
    }

    /// Returns the node without its kind.
    pub fn any(self) -> AnyNode {
        self.node
    }
}

impl<K> Clone for Node<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Node<K> {}

impl<K> PartialEq for Node<K> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl<K> Eq for Node<K> {}

impl<K> core::hash::Hash for Node<K> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.node.hash(state);
    }
}

impl<K> From<Node<K>> for AnyNode {
    fn from(node: Node<K>) -> AnyNode {
        node.node
    }
}

impl<K> fmt::Debug for Node<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node.fmt(formatter)
    }
}

/// Table of the nodes of a graph for which an [`AnyNode`] exists.
#[derive(Debug)]
pub(super) struct NodeTable {
    tag: GraphTag,
    places: Vec<Place>,
    /// Addresses that nodes have had.
    addresses: Numbers<usize>,
    /// The index of the latest node at each of the addresses.
    latest: Vec<u32>,
}

#[derive(Debug)]
struct Place {
    /// `None` once the node was removed.
    raw: Option<RawNode>,
    generation: u32,
}

#[derive(Debug, Clone, Copy)]
struct RawNode(CUgraphNode);

// SAFETY: it is an address, which is only used while the lock of its graph is held.
unsafe impl Send for RawNode {}

impl NodeTable {
    pub(super) fn new() -> NodeTable {
        NodeTable {
            tag: GraphTag::new(),
            places: Vec::new(),
            addresses: Numbers::default(),
            latest: Vec::new(),
        }
    }

    pub(super) fn tag(&self) -> GraphTag {
        self.tag
    }

    /// Returns the name of a node of the graph. Adds the node to the table if it has no name yet.
    pub(super) fn name(&mut self, raw: CUgraphNode) -> AnyNode {
        self.find(raw).unwrap_or_else(|| self.insert(raw))
    }

    fn insert(&mut self, raw: CUgraphNode) -> AnyNode {
        // A table never has 2³² entries.
        let index = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        self.places.push(Place { raw: Some(RawNode(raw)), generation: 0 });
        let number = self.addresses.number_of(raw.addr());
        match self.latest.get_mut(number) {
            Some(latest) => *latest = index,
            None => self.latest.push(index),
        }
        AnyNode { tag: self.tag, index, generation: 0 }
    }

    /// Returns the name of a node, if it has one.
    pub(super) fn find(&self, raw: CUgraphNode) -> Option<AnyNode> {
        let index = *self.latest.get(self.addresses.get(raw.addr())?)?;
        let place = self.places.get(index as usize).filter(|place| place.raw.is_some())?;
        Some(AnyNode { tag: self.tag, index, generation: place.generation })
    }

    /// Returns the handle of the node with an index.
    pub(super) fn raw_at(&self, index: u32) -> Option<CUgraphNode> {
        self.places.get(index as usize)?.raw.map(|RawNode(raw)| raw)
    }

    /// Returns the name of the node at an address.
    pub(super) fn find_by_address(&self, address: usize) -> Option<AnyNode> {
        self.find(core::ptr::without_provenance_mut(address))
    }

    /// Returns the handle of a node. Refuses nodes of other graphs, and nodes that were removed.
    pub(super) fn raw(&self, node: AnyNode) -> Result<CUgraphNode> {
        if node.tag != self.tag {
            let own = self.tag.0;
            return Err(Error::invalid(
                &node.describe(),
                format_args!("it belongs to another graph than graph {own}; a clone has nodes of its own"),
            ));
        }
        let place = self.places.get(node.index as usize).filter(|place| place.generation == node.generation);
        match place.and_then(|place| place.raw) {
            Some(RawNode(raw)) => Ok(raw),
            None => Err(Error::invalid(&node.describe(), format_args!("it was removed from its graph"))),
        }
    }

    /// Returns the address of the node with an index, unless it was removed.
    pub(super) fn address(&self, index: u32) -> Option<usize> {
        let RawNode(raw) = self.places.get(index as usize)?.raw?;
        Some(raw.addr())
    }

    /// Returns the handles of nodes, like [`raw`](NodeTable::raw).
    pub(super) fn raws(&self, nodes: &[AnyNode]) -> Result<Vec<CUgraphNode>> {
        nodes.iter().map(|node| self.raw(*node)).try_collect_vec()
    }

    /// Removes a node. The driver may reuse its address for another node.
    pub(super) fn remove(&mut self, node: AnyNode) {
        if let Some(place) = self.places.get_mut(node.index as usize)
            && place.raw.take().is_some()
        {
            place.generation = place.generation.wrapping_add(1);
        }
    }
}
