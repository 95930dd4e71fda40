//! Nodes of graphs, edges, conditions, and user objects.

use super::Catalogue;
use crate::world::{NUMBERS, World};
use cuda_rt::graph::{
    AddNodes, AnyNode, ChildNode, Condition, DotFlags, EdgeData, EdgeType, EventRecordNode, EventWaitNode,
    Graph, GraphExec, GraphMemAttribute, HostCell, HostNode, KernelNode, KernelPort, MemcpyNode,
    MemoryOperationsNode, MemsetNode, Node, NodeParams, SetNodes, UserObject,
};
use cuda_rt::launch::LaunchAttributes;
use cuda_rt::memory::{AccessSize, BarrierScope, CopyDestination, CopySource, Memcpy3D, PitchedBuf};
use cuda_rt::{DeviceBuf, DevicePtr, Kernel, LaunchConfig, PinnedBuf};

const ONE: LaunchConfig = LaunchConfig::new(1, 1);

type Put = Kernel<(DevicePtr<u32>, u32)>;

/// A chain of nodes of the kinds that can be changed, except the semaphore nodes of `external.rs`.
struct Nodes {
    graph: Graph,
    program: GraphExec,
    own: DeviceBuf<u32>,
    cell: HostCell<PinnedBuf<u32>>,
    put: Put,
    kernel: Node<KernelNode>,
    copy: Node<MemcpyNode>,
    fill: Node<MemsetNode>,
    host: Node<HostNode>,
    record: Node<EventRecordNode>,
    wait: Node<EventWaitNode>,
    child: Node<ChildNode>,
    operations: Node<MemoryOperationsNode>,
}

fn part(world: &World) -> Graph {
    let mut part = Graph::new(&world.context).unwrap();
    part.empty(&[]).unwrap();
    part
}

fn nodes(world: &World) -> Nodes {
    let (mut graph, context) = (Graph::new(&world.context).unwrap(), &world.context);
    let mut own = DeviceBuf::from_host(&world.stream, &NUMBERS).unwrap();
    let put: Put = world.function.typed().unwrap();
    let cell = HostCell::new(PinnedBuf::from_slice(context, &NUMBERS).unwrap());
    // SAFETY: one thread writes the first number, which lives until the end.
    let kernel = unsafe { graph.kernel(&[], &put, ONE, (own.ptr(), NUMBERS[0])) }.unwrap();
    let fill = graph.fill(&[kernel.any()], own.slice_mut(1..2).unwrap(), NUMBERS[1]).unwrap();
    let copy = graph.copy(&[fill.any()], &mut own, &world.buffer).unwrap();
    let host = graph.host(&[copy.any()], || ()).unwrap();
    let wait = graph.event_wait(&[host.any()], &world.event).unwrap();
    let record = graph.event_record(&[wait.any()], &world.event).unwrap();
    let child = graph.child(&[record.any()], &mut part(world)).unwrap();
    let barrier = world.stream.mem_ops().barrier(BarrierScope::System);
    let operations = graph.memory_operations(&[child.any()], &barrier).unwrap();
    let program = graph.instantiate(Default::default()).unwrap();
    Nodes { graph, program, own, cell, put, kernel, copy, fill, host, record, wait, child, operations }
}

/// Parameters of a child node, of an allocation, and of a conditional node.
fn other_node_params(world: &World) -> [NodeParams; 3] {
    let mut graph = Graph::new(&world.context).unwrap();
    let child = graph.child(&[], &mut part(world)).unwrap();
    // SAFETY: the graph is not launched.
    let (allocation, _) = unsafe { graph.memory_alloc(&[], 4) }.unwrap();
    let condition = graph.condition(1).unwrap();
    let decision = graph.if_(&[], condition, |_| Ok(())).unwrap();
    [child.any(), allocation.any(), decision.any()].map(|node| graph.node_params(node).unwrap())
}

fn works(nodes: &mut Nodes, world: &World) {
    assert_eq!(nodes.graph.node_count().unwrap(), 8);
    nodes.program.launch(&world.stream).unwrap();
    world.settle();
    assert_eq!(nodes.own.to_vec().unwrap(), NUMBERS);
    assert_eq!(*nodes.cell.lock().unwrap(), NUMBERS);
}

fn object(_: &World) -> UserObject<u32> {
    UserObject::new(7).unwrap()
}

fn object_works(object: &mut UserObject<u32>, _: &World) {
    object.try_clone().unwrap().close().unwrap();
}

fn pair(nodes: &Nodes) -> (AnyNode, AnyNode) {
    (nodes.kernel.any(), nodes.fill.any())
}

pub(super) fn add(c: &mut Catalogue) {
    c.free()
        .refuses("Device::graph_mem_attribute", |_, w| {
            w.near.graph_mem_attribute(GraphMemAttribute::USED_MEM_CURRENT)
        })
        .refuses("Device::set_graph_mem_attribute", |_, w| {
            w.near.set_graph_mem_attribute(GraphMemAttribute::USED_MEM_HIGH, 0)
        })
        .refuses("Device::graph_mem_usage", |_, w| w.near.graph_mem_usage())
        .refuses("Device::reset_graph_mem_high_marks", |_, w| w.near.reset_graph_mem_high_marks())
        .refuses("Device::trim_graph_memory", |_, w| w.near.trim_graph_memory())
        .answers("EdgeData::{new, programmatic, launch_order, from_parts}", |_, _| {
            let parts = EdgeData::from_parts(EdgeType::DEFAULT, KernelPort::DEFAULT, 0);
            [EdgeData::new(), EdgeData::programmatic(), EdgeData::launch_order(), parts]
        })
        .answers("EdgeData::{edge_type, from_port, to_port, is_full}; EdgeData: Default", |_, _| {
            let data = EdgeData::default();
            (data.edge_type(), data.from_port(), data.to_port(), data.is_full())
        })
        .refuses("UserObject::new", |_, _| UserObject::new(7));
    c.of(object, object_works)
        .answers("UserObject::as_raw; UserObject: Debug", |o, _| format!("{:?} {o:?}", o.as_raw()))
        .refuses("UserObject::try_clone", |o, _| o.try_clone())
        .consumes("UserObject::close", |o, _| o.close())
        .drops("UserObject: Drop");
    add_nodes(c);
    conditions(c);
    set_nodes(c);
    structure(c);
}

fn add_nodes(c: &mut Catalogue) {
    c.of(nodes, works)
        .refuses("AddNodes::kernel", |n, _| {
            // SAFETY: the node is refused.
            unsafe { n.graph.kernel(&[], &n.put, ONE, (n.own.ptr(), 9)) }
        })
        .refuses("AddNodes::copy", |n, w| n.graph.copy(&[], &mut n.own, &w.buffer))
        .refuses("AddNodes::copy_block", |n, w| {
            let to = CopyDestination::device(n.own.as_slice_mut());
            n.graph.copy_block(&[], &Memcpy3D::plane(to, CopySource::device(w.buffer.as_slice()), 4, 2))
        })
        .answers("CopySource::cell; CopyDestination::cell", |n, _| {
            format!("{:?} {:?}", CopySource::cell(&n.cell), CopyDestination::cell(&n.cell))
        })
        .refuses("AddNodes::upload", |n, _| n.graph.upload(&[], &mut n.own, &n.cell))
        .refuses("AddNodes::download", |n, _| n.graph.download(&[], &n.cell, &n.own))
        .refuses("AddNodes::fill", |n, _| n.graph.fill(&[], &mut n.own, 9))
        .refuses("AddNodes::host", |n, _| n.graph.host(&[], || ()))
        .refuses("AddNodes::host_with", |n, _| n.graph.host_with(&[], &n.cell, |_| ()))
        .refuses("AddNodes::empty", |n, _| n.graph.empty(&[]))
        .refuses("AddNodes::event_record", |n, w| n.graph.event_record(&[], &w.event))
        .refuses("AddNodes::event_wait", |n, w| n.graph.event_wait(&[], &w.event))
        .refuses("AddNodes::semaphore_signal", |n, _| n.graph.semaphore_signal(&[], &[]))
        .refuses("AddNodes::semaphore_wait", |n, _| n.graph.semaphore_wait(&[], &[]))
        .refuses("AddNodes::memory_operations", |n, w| n.graph.memory_operations(&[], &w.stream.mem_ops()))
        .refuses("AddNodes::memory_operations_raw", |n, _| {
            // SAFETY: there are no operations.
            unsafe { n.graph.memory_operations_raw(&[], &[]) }
        })
        .refuses("AddNodes::temporary", |n, _| n.graph.temporary::<u32, _>(&[], 4, |_, _| Ok(())))
        .refuses("AddNodes::memory_alloc", |n, _| {
            // SAFETY: nothing is allocated.
            unsafe { n.graph.memory_alloc(&[], 4) }
        })
        .refuses("AddNodes::memory_free", |n, _| {
            // SAFETY: nothing is freed.
            unsafe { n.graph.memory_free(&[], n.own.ptr().cast()) }
        })
        .refuses("AddNodes::condition", |n, _| n.graph.condition(0));
    c.of(|w| (nodes(w), nodes(w)), |(n, _), w| works(n, w))
        .refuses("AddNodes::child", |(n, other), _| n.graph.child(&[], &mut other.graph));
    c.of(
        |w| (nodes(w), PitchedBuf::<u32>::uninit(&w.stream, 4, 2, AccessSize::Four).unwrap()),
        |(n, _), w| works(n, w),
    )
    .refuses("AddNodes::fill_rows", |(n, rows), _| {
        n.graph.fill_rows(&[], &mut rows.part_mut([0, 0, 0], [2, 2, 1]).unwrap(), 9)
    })
    .refuses("SetNodes::set_fill_rows", |(n, rows), _| {
        n.graph.set_fill_rows(n.fill, &mut rows.part_mut([0, 0, 0], [2, 2, 1]).unwrap(), 9)
    });
    c.of(|w| (nodes(w), part(w)), |_, _| ())
        .consumes("AddNodes::child_moved", |(mut n, part), _| n.graph.child_moved(&[], part));
}

/// A graph and its condition. `None` after a call has consumed the condition.
fn conditional(world: &World) -> (Graph, Option<Condition>) {
    let mut graph = Graph::new(&world.context).unwrap();
    let condition = graph.condition(1).unwrap();
    (graph, Some(condition))
}

fn takes_no_node((graph, _): &mut (Graph, Option<Condition>), _: &World) {
    assert_eq!(graph.nodes().unwrap(), []);
}

fn conditions(c: &mut Catalogue) {
    c.of(conditional, takes_no_node)
        .answers("Condition::arg; Condition: {Debug, Drop}", |(_, condition), _| {
            let condition = condition.take().unwrap();
            format!("{condition:?} {:?}", condition.arg())
        })
        .once()
        .refuses("AddNodes::if_", |(g, c), _| g.if_(&[], c.take().unwrap(), |_| Ok(())))
        .once()
        .refuses("AddNodes::if_else", |(g, c), _| g.if_else(&[], c.take().unwrap(), |_| Ok(()), |_| Ok(())))
        .once()
        .refuses("AddNodes::while_", |(g, c), _| g.while_(&[], c.take().unwrap(), |_| Ok(())))
        .once()
        .refuses("AddNodes::switch", |(g, c), _| g.switch(&[], c.take().unwrap(), 2, |_, _| Ok(())))
        .once();
}

fn set_nodes(c: &mut Catalogue) {
    c.of(nodes, works)
        .refuses("SetNodes::set_kernel", |n, _| {
            // SAFETY: the change is refused.
            unsafe { n.program.set_kernel(n.kernel, &n.put, ONE, (n.own.ptr(), 9)) }
        })
        .refuses("SetNodes::set_kernel of a graph", |n, _| {
            // SAFETY: the change is refused.
            unsafe { n.graph.set_kernel(n.kernel, &n.put, ONE, (n.own.ptr(), 9)) }
        })
        .refuses("SetNodes::set_copy", |n, w| n.program.set_copy(n.copy, &mut n.own, &w.buffer))
        .refuses("SetNodes::set_copy_block", |n, w| {
            let to = CopyDestination::device(n.own.as_slice_mut());
            let copy = Memcpy3D::plane(to, CopySource::device(w.buffer.as_slice()), 4, 2);
            n.program.set_copy_block(n.copy, &copy)
        })
        .refuses("SetNodes::set_upload", |n, _| n.program.set_upload(n.copy, &mut n.own, &n.cell))
        .refuses("SetNodes::set_download", |n, _| n.program.set_download(n.copy, &n.cell, &n.own))
        .refuses("SetNodes::set_fill", |n, _| n.program.set_fill(n.fill, &mut n.own, 9))
        .refuses("SetNodes::set_host", |n, _| n.program.set_host(n.host, || ()))
        .refuses("SetNodes::set_host_with", |n, _| n.program.set_host_with(n.host, &n.cell, |_| ()))
        .refuses("SetNodes::set_event_record", |n, w| n.program.set_event_record(n.record, &w.event))
        .refuses("SetNodes::set_event_wait", |n, w| n.program.set_event_wait(n.wait, &w.event))
        .refuses("SetNodes::set_memory_operations", |n, w| {
            let barrier = w.stream.mem_ops().barrier(BarrierScope::Device);
            n.program.set_memory_operations(n.operations, &barrier)
        })
        .refuses("SetNodes::set_memory_operations_raw", |n, _| {
            // SAFETY: there are no operations.
            unsafe { n.program.set_memory_operations_raw(n.operations, &[]) }
        })
        .refuses("GraphExec::set_enabled", |n, _| n.program.set_enabled(n.fill, false))
        .refuses("GraphExec::is_enabled", |n, _| n.program.is_enabled(n.fill));
}

fn structure(c: &mut Catalogue) {
    c.of(nodes, works)
        .refuses("Graph::add_edge", |n, _| n.graph.add_edge(n.kernel.any(), n.host.any(), EdgeData::new()))
        .refuses("Graph::remove_edge", |n, _| {
            let (from, to) = pair(n);
            n.graph.remove_edge(from, to, EdgeData::new())
        })
        .refuses("Graph::remove_node", |n, _| n.graph.remove_node(n.host.any()))
        .refuses("Graph::roots", |n, _| n.graph.roots())
        .refuses("Graph::node_count", |n, _| n.graph.node_count())
        .refuses("Graph::edges_with_data", |n, _| n.graph.edges_with_data())
        .refuses("Graph::dependencies", |n, _| n.graph.dependencies(n.host.any()))
        .refuses("Graph::dependents", |n, _| n.graph.dependents(n.host.any()))
        .refuses("Graph::node_type", |n, _| n.graph.node_type(n.host.any()))
        .refuses("Graph::node_params", |n, _| n.graph.node_params(n.child.any()))
        .refuses("Graph::id", |n, _| n.graph.id())
        .refuses("Graph::node_id", |n, _| n.graph.node_id(n.host.any()))
        .refuses("Graph::node_tools_id", |n, _| n.graph.node_tools_id(n.host.any()))
        .refuses("Graph::try_clone", |n, _| n.graph.try_clone())
        .refuses("Graph::dot", |n, _| n.graph.dot(DotFlags::VERBOSE))
        .refuses("Graph::write_dot", |n, _| n.graph.write_dot("/no/such/file", DotFlags::VERBOSE))
        .refuses("Graph::kernel_attributes", |n, _| n.graph.kernel_attributes(n.kernel))
        .refuses("Graph::set_kernel_attributes", |n, _| {
            // SAFETY: the change is refused.
            unsafe { n.graph.set_kernel_attributes(n.kernel, &LaunchAttributes::new().priority(0)) }
        })
        .refuses("Graph::copy_kernel_attributes", |n, _| {
            // SAFETY: the change is refused.
            unsafe { n.graph.copy_kernel_attributes(n.kernel, n.kernel) }
        });
    c.of(
        |w| {
            let mut nodes = nodes(w);
            (nodes.graph.node_params(nodes.kernel.any()).unwrap(), nodes)
        },
        |(_, nodes), w| works(nodes, w),
    )
    .refuses("KernelNodeParams::arguments", |(params, _), _| {
        let NodeParams::Kernel(params) = params else { panic!("{params:?}") };
        // SAFETY: the call is refused.
        unsafe { params.arguments() }
    })
    .answers("NodeParams: {Debug, Clone, Drop}; KernelNodeParams: {Debug, Clone, Drop}", |(params, _), _| {
        format!("{:?}", params.clone())
    });
    c.of(other_node_params, |_, _| ())
        .answers("NestedGraph: {Debug, Clone, Drop}", |params, _| {
            let NodeParams::Child(inner) = &params[0] else { panic!("{params:?}") };
            format!("{:?}", inner.clone())
        })
        .answers("MemAllocNodeParams: {Debug, Clone, Drop}", |params, _| {
            let NodeParams::MemAlloc(params) = &params[1] else { panic!("{params:?}") };
            format!("{:?}", params.clone())
        })
        .answers("ConditionalNodeParams: {Debug, Clone, Drop}", |params, _| {
            match &params[2] {
                NodeParams::Conditional(params) => format!("{:?}", params.clone()),
                // Drivers before CUDA 13.2 do not report them.
                NodeParams::Other(kind) => format!("{kind:?}"),
                other => panic!("{other:?}"),
            }
        });
    c.of(
        |w| {
            let mut nodes = nodes(w);
            (nodes.graph.try_clone().unwrap(), nodes)
        },
        |(_, nodes), w| works(nodes, w),
    )
    .refuses("Graph::find_in_clone", |(clone, n), _| n.graph.find_in_clone(clone, n.host))
    .refuses("Graph::find_any_in_clone", |(clone, n), _| n.graph.find_any_in_clone(clone, n.host.any()));
    c.of(|w| (nodes(w), part(w)), |(n, _), w| works(n, w))
        .refuses("GraphExec::set_child", |(n, part), _| n.program.set_child(n.child, part));
    c.of(|w| (nodes(w), object(w)), |(n, _), w| works(n, w))
        .refuses("Graph::retain_user_object", |(n, object), _| n.graph.retain_user_object(object))
        .refuses("Graph::release_user_object", |(n, object), _| {
            // SAFETY: the call is refused.
            unsafe { n.graph.release_user_object(object, 1) }
        });
}
