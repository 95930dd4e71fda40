//! Event nodes, and empty nodes.

#![allow(unsafe_code)]

use super::kinds::{EmptyNode, EventRecordNode, EventWaitNode};
use super::params::{AddNode, OfKind, Place, SetExecutableNode, SetNode, Uses};
use crate::error::Result;
use crate::event::Event;
use crate::graph::keep::Kept;
use cuda_sys::{CUgraphExec, CUgraphNode, Symbol};

/// Parameters of an empty node.
pub(in crate::graph) struct EmptyParams;

impl OfKind for EmptyParams {
    type Kind = EmptyNode;
}

impl AddNode for EmptyParams {
    fn add_call(&self) -> Symbol {
        Symbol::cuGraphAddEmptyNode
    }

    unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()> {
        let Place { graph, after } = place;
        // SAFETY: the caller's promise.
        unsafe { check!(cuGraphAddEmptyNode(node, graph, after.as_ptr(), after.len())) }
    }

    fn uses(&self) -> Result<Uses> {
        Ok(Uses::default())
    }
}

macro_rules! event_nodes {
    ($(
        $(#[$about:meta])*
        $name:ident, $kind:ident: $add:ident $set:ident $set_executable:ident;
    )*) => {$(
        $(#[$about])*
        pub(in crate::graph) struct $name<'a>(pub(in crate::graph) &'a Event);

        impl OfKind for $name<'_> {
            type Kind = $kind;
        }

        impl AddNode for $name<'_> {
            fn add_call(&self) -> Symbol {
                Symbol::$add
            }

            unsafe fn add(&mut self, place: Place<'_>, node: &mut CUgraphNode) -> Result<()> {
                let Place { graph, after } = place;
                // SAFETY: the caller's promise of the graph and the nodes; the event is live.
                unsafe { check!($add(node, graph, after.as_ptr(), after.len(), self.0.raw())) }
            }

            fn uses(&self) -> Result<Uses> {
                Ok(Uses { kept: vec![Kept::slot(self.0.keep_slot(), None)], ..Uses::default() })
            }
        }

        impl SetNode for $name<'_> {
            fn set_call(&self) -> Symbol {
                Symbol::$set
            }

            unsafe fn set(&mut self, node: CUgraphNode) -> Result<()> {
                // SAFETY: the caller's promise of the node; the event is live.
                unsafe { check!($set(node, self.0.raw())) }
            }
        }

        impl SetExecutableNode for $name<'_> {
            fn set_executable_call(&self) -> Symbol {
                Symbol::$set_executable
            }

            unsafe fn set_executable(&mut self, executable: CUgraphExec, node: CUgraphNode) -> Result<()> {
                // SAFETY: the caller's promise of both; the event is live.
                unsafe { check!($set_executable(executable, node, self.0.raw())) }
            }
        }
    )*};
}
event_nodes! {
    /// Parameters of a node that records an event.
    EventRecordParams, EventRecordNode:
        cuGraphAddEventRecordNode cuGraphEventRecordNodeSetEvent cuGraphExecEventRecordNodeSetEvent;
    /// Parameters of a node that waits for an event.
    EventWaitParams, EventWaitNode:
        cuGraphAddEventWaitNode cuGraphEventWaitNodeSetEvent cuGraphExecEventWaitNodeSetEvent;
}
