//! Objects that are kept for nodes of a graph, and the order of their memory accesses.

use super::access_order::{Touched, has_conflicts};
use super::keep::{KeepSet, Kept};
use super::node::AnyNode;
use super::nodes::Uses;
use super::source::{CellUse, Nested, Source};
use crate::error::{Error, Result};
use crate::map::Numbers;
use std::sync::Arc;

impl Source {
    /// Adds the uses of a new node.
    pub(super) fn add_uses(&mut self, node: AnyNode, uses: Uses) {
        let Uses { kept, touched, exclusive_cells, depth, inner } = uses;
        self.note_change();
        if depth > 0 {
            self.nested.push(Nested { node: node.index(), depth, inner });
        }
        if !kept.is_empty() {
            Arc::make_mut(&mut self.keep).add_for_node(node.index(), kept);
        }
        self.touched.extend(touched.into_iter().map(|touched| (node.index(), touched)));
        self.cell_uses.extend(exclusive_cells.into_iter().map(|cell| (Some(node.index()), cell)));
    }

    /// Replaces the uses of a node. Returns the previous ones, to be dropped with nothing locked.
    #[must_use = "dropped with nothing locked"]
    pub(super) fn replace_uses(&mut self, node: AnyNode, uses: Uses) -> Vec<Kept> {
        let before = self.remove_uses(node);
        self.add_uses(node, uses);
        before
    }

    /// Removes the uses of a node. Returns them, to be dropped with nothing locked.
    #[must_use = "dropped with nothing locked"]
    pub(super) fn remove_uses(&mut self, node: AnyNode) -> Vec<Kept> {
        self.note_change();
        self.touched.retain(|(of, _)| *of != node.index());
        self.cell_uses.retain(|(of, _)| *of != Some(node.index()));
        self.nested.retain(|nested| nested.node != node.index());
        if self.keep.has_for_node(node.index()) {
            return Arc::make_mut(&mut self.keep).take_node(node.index());
        }
        Vec::new()
    }

    /// Removes the accesses of nodes that have these accesses instead.
    pub(super) fn forget_accesses(&mut self, cell_uses: &[CellUse], touched: &[(u32, Touched)]) {
        let of_cells = cell_uses.iter().filter_map(|(node, _)| *node);
        let mut is_changed = Vec::new();
        for node in touched.iter().map(|(node, _)| *node).chain(of_cells) {
            let node = node as usize;
            if is_changed.len() <= node {
                is_changed.resize(node + 1, false);
            }
            if let Some(is_changed) = is_changed.get_mut(node) {
                *is_changed = true;
            }
        }
        let stays = |node: u32| is_changed.get(node as usize) != Some(&true);
        self.touched.retain(|(node, _)| stays(*node));
        self.cell_uses.retain(|(node, _)| node.is_none_or(stays));
    }

    /// Refuses to remove edges if nothing else reports the order of nodes that use one cell.
    pub(super) fn refuse_loss_of_order(&self) -> Result<()> {
        if self.cell_uses.iter().all(|(node, _)| node.is_some()) {
            return Ok(());
        }
        let text = "drivers before CUDA 11.3 do not tell which nodes of a capture use a `HostCell`, so their edges stay";
        Err(Error::invalid("graph", format_args!("{text}")))
    }

    /// Refuses a graph with two nodes that touch the same memory without an order, if at least one of them writes it.
    pub(super) fn refuse_unordered(&self) -> Result<()> {
        self.refuse_unordered_uses(&self.keep, &self.cell_uses, &self.touched)
    }

    /// Does the same as [`refuse_unordered`](Source::refuse_unordered), with these uses of the nodes.
    pub(super) fn refuse_unordered_uses(
        &self,
        keep: &KeepSet,
        cell_uses: &[(Option<u32>, usize)],
        touched: &[(u32, Touched)],
    ) -> Result<()> {
        self.refuse_unordered_cells(keep, cell_uses)?;
        if touched.len() < 2 {
            return Ok(());
        }
        // Numbers for the named nodes, by their addresses.
        let mut numbers = Numbers::default();
        let mut accesses = Vec::with_capacity(touched.len());
        for (index, touched) in touched {
            if let Some(raw) = self.nodes.raw_at(*index) {
                accesses.push((numbers.number_of(raw.addr()), *touched));
            }
        }
        if !has_conflicts(&accesses) {
            return Ok(());
        }
        let Some((first, second)) = self.unordered_pair(&mut numbers, &accesses)? else { return Ok(()) };
        let name = |number: usize| {
            let node = numbers.keys().get(number).and_then(|address| self.nodes.find_by_address(*address));
            node.map_or_else(|| "a node".to_owned(), |node| format!("{node:?}"))
        };
        Err(Error::invalid(
            "graph",
            format_args!(
                "{} and {} touch the same memory, and neither comes after the other; order them by an edge",
                name(first),
                name(second)
            ),
        ))
    }
}
