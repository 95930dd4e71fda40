//! The table of the kinds of nodes: each is built and captured, as far as it can be, and updated.

use crate::setup::{instantiate, is_since, kernel, module, place};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::{AddNodes, AnyNode, Capture, CaptureOptions, Graph, NodeType};
use cuda_rt::launch::Arg;
use cuda_rt::{Context, DeviceBuf, DevicePtr, Event, Kernel, LaunchConfig, Module, Result, Stream};

/// Objects that the nodes use.
struct World {
    context: Context,
    stream: Stream,
    from: DeviceBuf<u32>,
    to: DeviceBuf<u32>,
    put: Kernel<(DevicePtr<u32>, u32)>,
    event: Event,
    _module: Module,
}

impl World {
    fn new() -> World {
        let (context, stream) = place();
        let module = module(&context);
        World {
            from: DeviceBuf::from_host(&stream, &[1, 2]).unwrap(),
            to: DeviceBuf::zeroed(&stream, 2).unwrap(),
            put: kernel(&module, "put"),
            event: Event::new(&context).unwrap(),
            _module: module,
            context,
            stream,
        }
    }
}

/// A kind of nodes.
struct Kind {
    node_type: NodeType,
    since: (u16, u16),
    build: fn(&mut World, &mut Graph) -> Result<AnyNode>,
    /// `None` if captures make no such nodes.
    capture: Option<fn(&mut World, &Capture<'_>) -> Result<()>>,
    /// True if an executable graph can be updated from a graph that is built in the same way.
    is_updated: bool,
}

const ONE: LaunchConfig = LaunchConfig::new(1, 1);

const KINDS: &[Kind] = &[
    Kind {
        node_type: NodeType::KERNEL,
        since: (11, 0),
        build: |w, graph| {
            // SAFETY: one thread writes the first number, which the graph keeps.
            Ok(unsafe { graph.kernel(&[], &w.put, ONE, (Arg(w.to.ptr(), &w.to), 7)) }?.any())
        },
        // SAFETY: as above.
        capture: Some(|w, capture| unsafe {
            w.put.with(ONE).launch(capture, (Arg(w.to.ptr(), &w.to), 7_u32))
        }),
        is_updated: true,
    },
    Kind {
        node_type: NodeType::MEMCPY,
        since: (11, 0),
        build: |w, graph| Ok(graph.copy(&[], &mut w.to, &w.from)?.any()),
        capture: Some(|w, capture| capture.copy(&mut w.to, &w.from)),
        is_updated: true,
    },
    Kind {
        node_type: NodeType::MEMSET,
        since: (11, 0),
        build: |w, graph| Ok(graph.fill(&[], &mut w.to, 7)?.any()),
        capture: Some(|w, capture| capture.fill(&mut w.to, 7)),
        is_updated: true,
    },
    Kind {
        node_type: NodeType::HOST,
        since: (11, 0),
        build: |_, graph| Ok(graph.host(&[], || ())?.any()),
        capture: Some(|_, capture| capture.host(|| ())),
        is_updated: true,
    },
    Kind {
        node_type: NodeType::GRAPH,
        since: (11, 0),
        build: |w, graph| {
            let mut child = Graph::new(&w.context)?;
            child.fill(&[], &mut w.to, 7)?;
            Ok(graph.child(&[], &mut child)?.any())
        },
        capture: Some(|w, capture| {
            if !is_since(11, 3) {
                // Captures take children from this release on.
                return capture.fill(&mut w.to, 7);
            }
            let mut child = Graph::new(&w.context)?;
            child.fill(&[], &mut w.to, 7)?;
            capture.child(&mut child).map(drop)
        }),
        is_updated: true,
    },
    Kind {
        node_type: NodeType::EMPTY,
        since: (11, 0),
        build: |_, graph| Ok(graph.empty(&[])?.any()),
        capture: None,
        is_updated: true,
    },
    Kind {
        node_type: NodeType::WAIT_EVENT,
        since: (11, 1),
        build: |w, graph| Ok(graph.event_wait(&[], &w.event)?.any()),
        capture: Some(|w, capture| capture.wait_external(&w.event)),
        is_updated: true,
    },
    Kind {
        node_type: NodeType::EVENT_RECORD,
        since: (11, 1),
        build: |w, graph| Ok(graph.event_record(&[], &w.event)?.any()),
        capture: Some(|w, capture| capture.record_external(&w.event)),
        is_updated: true,
    },
    Kind {
        node_type: NodeType::CONDITIONAL,
        since: (12, 4),
        build: |w, graph| {
            let condition = graph.condition(1)?;
            Ok(graph.if_(&[], condition, |body| body.fill(&[], &mut w.to, 7).map(drop))?.any())
        },
        capture: None,
        is_updated: false,
    },
];

/// Builds a graph with one node. `None` if the driver does not have the kind.
fn built(kind: &Kind, world: &mut World) -> Option<Graph> {
    let mut graph = Graph::new(&world.context).unwrap();
    match (kind.build)(world, &mut graph) {
        Err(error) if error.code() == Some(Code::NotSupported) => None,
        Err(error) if !is_since(kind.since.0, kind.since.1) => {
            assert_eq!(error.kind(), ErrorKind::FunctionMissing, "{}", kind.node_type);
            let (major, minor) = kind.since;
            let text = error.to_string();
            // A condition comes a release before the nodes that take it.
            let known = [format!("{major}.{minor}"), format!("{major}.{}", minor.saturating_sub(1))];
            assert!(known.iter().any(|since| text.contains(since)), "{text}");
            None
        }
        node => {
            assert_eq!(graph.node_type(node.unwrap()).unwrap(), kind.node_type);
            Some(graph)
        }
    }
}

#[test]
fn each_kind_is_built_captured_and_updated() {
    let mut world = World::new();
    for kind in KINDS {
        let Some(mut graph) = built(kind, &mut world) else { continue };
        let mut program = instantiate(&mut graph);
        program.launch(&world.stream).unwrap();
        if kind.is_updated {
            let mut same = built(kind, &mut world).unwrap();
            program.update(&mut same).unwrap_or_else(|error| panic!("{}: {error}", kind.node_type));
            program.launch(&world.stream).unwrap();
        }
        world.stream.synchronize().unwrap();
        let Some(capture) = kind.capture else { continue };
        let context = world.context.clone();
        let captured = Graph::capture(&context, CaptureOptions::new(), |c| capture(&mut world, c));
        let mut captured = captured.unwrap().0;
        let nodes = captured.nodes().unwrap();
        assert_eq!(nodes.len(), 1, "{}", kind.node_type);
        if kind.node_type != NodeType::GRAPH || is_since(11, 3) {
            assert_eq!(captured.node_type(nodes[0]).unwrap(), kind.node_type);
        }
        instantiate(&mut captured).launch(&world.stream).unwrap();
        world.stream.synchronize().unwrap();
    }
}

#[test]
fn executable_refuses_an_update_to_another_kind() {
    let mut world = World::new();
    let mut graph = built(&KINDS[2], &mut world).unwrap();
    let mut program = instantiate(&mut graph);
    for kind in KINDS.iter().filter(|kind| kind.node_type != NodeType::MEMSET) {
        let Some(mut other) = built(kind, &mut world) else { continue };
        let error = program.update(&mut other).unwrap_err();
        assert_eq!(error.code(), Some(Code::GraphExecUpdateFailure), "{}: {error}", kind.node_type);
    }
    assert!(!program.is_poisoned());
    program.launch(&world.stream).unwrap();
    assert_eq!(world.to.to_vec().unwrap(), [7, 7]);
}
