//! Graphs, executable graphs, and host memory of graphs.

use super::Catalogue;
use crate::world::{NUMBERS, World};
use cuda_rt::PinnedBuf;
use cuda_rt::graph::{AnyNode, CaptureMode, CaptureOptions, Graph, GraphExec, HostCell, InstantiateOptions};

type Cell = HostCell<PinnedBuf<u32>>;

fn graph(world: &World) -> Graph {
    let captured = Graph::capture(&world.context, CaptureOptions::new(), |capture| {
        capture.keep(&world.buffer)?;
        capture.host(|| ())
    });
    captured.unwrap().0
}

fn has_node(graph: &mut Graph, world: &World) {
    assert_eq!(graph.nodes().unwrap().len(), 1);
    assert_eq!(*graph.context(), world.context);
}

fn program(world: &World) -> GraphExec {
    graph(world).instantiate(InstantiateOptions::new()).unwrap()
}

fn launches(program: &mut GraphExec, world: &World) {
    program.launch(&world.stream).unwrap();
    world.settle();
}

fn cell(world: &World) -> Cell {
    HostCell::new(PinnedBuf::from_slice(&world.context, &NUMBERS).unwrap())
}

fn holds(cell: &mut Cell, _: &World) {
    assert_eq!(*cell.lock().unwrap(), NUMBERS);
}

fn node(world: &World) -> (AnyNode, Graph) {
    let mut graph = graph(world);
    (graph.nodes().unwrap()[0], graph)
}

pub(super) fn add(c: &mut Catalogue) {
    c.free()
        .refuses("Graph::new", |_, w| Graph::new(&w.context))
        .refuses("Graph::capture", |_, w| Graph::capture(&w.context, CaptureOptions::new(), |_| Ok(())))
        .answers("CaptureOptions::{new, mode, priority}", |_, _| {
            let options = CaptureOptions::default().mode(CaptureMode::Global).priority(0);
            format!("{:?}", options == CaptureOptions::new())
        })
        .answers("InstantiateOptions::{new, auto_free, node_priority, device_launch, upload}", |_, w| {
            let options = InstantiateOptions::default().auto_free().node_priority().device_launch();
            format!("{:?}", options.upload(&w.stream))
        });
    c.of(graph, has_node)
        .answers("Graph::context; Graph: Debug", |g, w| format!("{g:?} {}", *g.context() == w.context))
        .refuses("Graph::as_raw", |g, _| g.as_raw())
        .refuses("Graph::nodes", |g, _| g.nodes())
        .refuses("Graph::edges", |g, _| g.edges())
        .refuses("Graph::capture_into", |g, _| g.capture_into(&[], CaptureOptions::new(), |_| Ok(())))
        .refuses("Graph::recapture", |g, _| g.recapture(CaptureOptions::new(), |_| Ok(())))
        .refuses("Graph::instantiate", |g, _| g.instantiate(InstantiateOptions::new()))
        .consumes("Graph::close", |g, _| g.close())
        .drops("Graph: Drop");
    c.of(program, launches)
        .answers("GraphExec::{context, is_poisoned, as_raw}; GraphExec: Debug", |p, w| {
            format!("{p:?} {} {} {:?}", *p.context() == w.context, p.is_poisoned(), p.as_raw())
        })
        .refuses("GraphExec::launch", |p, w| p.launch(&w.stream))
        .refuses("GraphExec::upload", |p, w| p.upload(&w.stream))
        .refuses("GraphExec::id", |p, _| p.id())
        .refuses("GraphExec::flags", |p, _| p.flags())
        .consumes("GraphExec::close", |p, _| p.close())
        .drops("GraphExec: Drop");
    c.of(|w| (program(w), graph(w)), |(p, _), w| launches(p, w))
        .refuses("GraphExec::update", |(program, graph), _| program.update(graph));
    c.of(node, |(node, graph), _| assert_eq!(graph.nodes().unwrap(), [*node]))
        .answers("AnyNode: Debug", |(node, _), _| format!("{node:?}"));
    c.of(cell, holds)
        .answers("HostCell::{len, is_empty}; HostCell: {Debug, Clone, Drop}", |cell, _| {
            format!("{:?} {} {}", cell.clone(), cell.len(), cell.is_empty())
        })
        .refuses("HostCell::lock", |cell, _| cell.lock().map(drop))
        .refuses("HostCell::try_lock", |cell, _| cell.try_lock().map(drop))
        .hands_over(
            "HostCell::try_into_inner",
            |cell, _| cell.try_into_inner().unwrap(),
            |memory, _| assert_eq!(memory[..], NUMBERS),
        )
        .drops("HostCell: Drop of the last");
    c.of(|w| PinnedBuf::from_slice(&w.context, &NUMBERS).ok(), |_, _| ()).hands_over(
        "HostCell::new",
        |memory, _| HostCell::new(memory.unwrap()),
        |mut cell, w| holds(&mut cell, w),
    );
}
