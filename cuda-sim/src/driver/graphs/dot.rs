//! Graphs as text for Graphviz.

#![allow(unsafe_code)]

use crate::driver::graphs::graph::{Graph, Node};
use crate::driver::graphs::operation::Operation;
use crate::driver::handles::Handle;
use crate::driver::{Answer, Call, State};
use core::ffi::{CStr, c_char, c_uint};
use core::fmt::Write;
use cuda_sys::{CUgraph, CUresult};

/// Returns a name that no other node has.
fn name(node: Handle) -> String {
    format!("node_{:x}", node.0)
}

/// Names the operation of a node, with its main parameters.
fn label(operation: &Operation) -> String {
    match operation {
        Operation::Empty => "empty".to_owned(),
        Operation::Kernel(work) => {
            let name = work.kernel().map_or("?", |kernel| kernel.name.as_str());
            let [x, y, z] = work.shape.grid;
            let [a, b, c] = work.shape.block;
            format!("kernel {name}\\n{x}x{y}x{z} blocks of {a}x{b}x{c} threads")
        }
        Operation::Copy(work) => format!("memcpy\\n{} bytes", work.bytes()),
        Operation::Fill(work) => {
            format!(
                "memset {:#x}\\n{} x {} elements of {} bytes",
                work.value, work.width, work.height, work.element_size
            )
        }
        Operation::HostFunction(_) => "host function".to_owned(),
        Operation::RecordEvent(_) => "event record".to_owned(),
        Operation::WaitEvent(_) => "event wait".to_owned(),
        Operation::MemoryOperations { operations, .. } => format!("{} memory operations", operations.len()),
        Operation::SignalSemaphores(signals) => format!("{} semaphore signals", signals.len()),
        Operation::WaitSemaphores(waits) => format!("{} semaphore waits", waits.len()),
        Operation::Allocate(address) => format!("memory allocation\\n{address:#x}"),
        Operation::Free(address) => format!("memory free\\n{address:#x}"),
        Operation::Conditional(node) => {
            format!("conditional\\ntype {}, condition {:#x}", node.kind.0, node.handle)
        }
        Operation::Child(_) => "child graph".to_owned(),
    }
}

/// Part of the text that is not written yet, with its depth of nested graphs.
enum Part<'a> {
    /// Nodes of a graph, without the first `done`.
    Nodes { graph: &'a Graph, done: usize, depth: usize },
    /// Graph inside the node with the number `node`.
    Inner { graph: &'a Graph, node: u32, depth: usize },
    /// End of a graph inside a node.
    End { depth: usize },
}

impl State {
    /// Writes a node with its edges.
    fn draw_node(&self, handle: Handle, node: &Node, indent: &str, text: &mut String) -> core::fmt::Result {
        let (name, number, label) = (name(handle), node.number, label(&node.operation));
        writeln!(text, "{indent}{name} [label=\"{number}: {label}\"];")?;
        for earlier in &node.dependencies {
            let data = earlier.data;
            let ports = if data.is_plain() {
                String::new()
            } else {
                format!(" [label=\"port {}, type {}\"]", data.from_port, data.kind)
            };
            writeln!(text, "{indent}{} -> {name}{ports};", self::name(earlier.node))?;
        }
        Ok(())
    }

    /// Writes the nodes and edges of a graph, and of the graphs inside its nodes.
    fn draw(&self, graph: &Graph, text: &mut String) -> core::fmt::Result {
        // A stack: the part at the end is written next.
        let mut left = vec![Part::Nodes { graph, done: 0, depth: 1 }];
        while let Some(part) = left.pop() {
            match part {
                Part::Nodes { graph, done, depth } => {
                    let Some(handle) = graph.nodes.get(done) else { continue };
                    left.push(Part::Nodes { graph, done: done + 1, depth });
                    let Some(node) = self.nodes.get(*handle) else { continue };
                    self.draw_node(*handle, node, &"  ".repeat(depth), text)?;
                    let inner = node.operation.inner_graphs().into_iter().rev();
                    left.extend(inner.filter_map(|inner| {
                        Some(Part::Inner { graph: self.graphs.get(inner)?, node: node.number, depth })
                    }));
                }
                Part::Inner { graph, node, depth } => {
                    let (id, indent) = (graph.id, "  ".repeat(depth));
                    writeln!(text, "{indent}subgraph cluster_{id} {{")?;
                    writeln!(text, "{indent}  label=\"graph {id} of node {node}\";")?;
                    left.push(Part::End { depth });
                    left.push(Part::Nodes { graph, done: 0, depth: depth + 1 });
                }
                Part::End { depth } => writeln!(text, "{}}}", "  ".repeat(depth))?,
            }
        }
        Ok(())
    }
}

/// Writes a graph as text. Flags are ignored (measured).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn print(call: &mut Call<'_>, graph: CUgraph, path: *const c_char, _: c_uint) -> Answer {
    let graph = call.state.graph(graph)?;
    if path.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null; the program guarantees that it ends with a zero.
    let path = unsafe { CStr::from_ptr(path) };
    let path = path.to_str().map_err(|_| CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let mut text =
        format!("digraph graph_{} {{\n  label=\"graph {}\";\n  node [shape=box];\n", graph.id, graph.id);
    // Writing to a string cannot fail.
    let _ = call.state.draw(graph, &mut text);
    text.push_str("}\n");
    std::fs::write(path, text).map_err(|_| CUresult::CUDA_ERROR_OPERATING_SYSTEM)
}
