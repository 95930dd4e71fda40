//! Captures: their nodes, and their ends.

use crate::setup::{capture, instantiate, is_since, kernel, module, place, types_of, words};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::{
    AddNodes, Capture, CaptureMode, CaptureOptions, EdgeData, Graph, HostCell, InstantiateOptions,
};
use cuda_rt::launch::Arg;
use cuda_rt::memory::{AccessSize, CopyDestination, CopySource, Memcpy3D, PitchedBuf};
use cuda_rt::{DeviceBuf, Error, Event, LaunchConfig, PinnedBuf, Result};
use cuda_suite::{context, invalid, skip, stream};
use cuda_sys::CUgraphNodeType_enum as Type;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

const KERNEL: u32 = Type::CU_GRAPH_NODE_TYPE_KERNEL.0;
const MEMCPY: u32 = Type::CU_GRAPH_NODE_TYPE_MEMCPY.0;
const MEMSET: u32 = Type::CU_GRAPH_NODE_TYPE_MEMSET.0;
const HOST: u32 = Type::CU_GRAPH_NODE_TYPE_HOST.0;
const CHILD: u32 = Type::CU_GRAPH_NODE_TYPE_GRAPH.0;
const RECORD: u32 = Type::CU_GRAPH_NODE_TYPE_EVENT_RECORD.0;
const WAIT: u32 = Type::CU_GRAPH_NODE_TYPE_WAIT_EVENT.0;
const ALLOC: u32 = Type::CU_GRAPH_NODE_TYPE_MEM_ALLOC.0;
const FREE: u32 = Type::CU_GRAPH_NODE_TYPE_MEM_FREE.0;

fn cell(values: &[u32]) -> HostCell<PinnedBuf<u32>> {
    HostCell::new(PinnedBuf::from_slice(&context(), values).unwrap())
}

#[test]
fn each_call_makes_exactly_its_nodes() {
    let (context, stream) = place();
    let module = module(&context);
    let put = kernel(&module, "put");
    let (one, mut two) = (words(&stream, &[1; 4]), words(&stream, &[2; 4]));
    let mut wide = DeviceBuf::<u64>::zeroed(&stream, 2).unwrap();
    let (cell, event) = (cell(&[0; 4]), Event::new(&context).unwrap());
    let config = LaunchConfig::new(1, 1);
    let mut rows: Vec<(&str, Vec<u32>, Graph)> = Vec::new();
    macro_rules! row {
        ($name:expr, $nodes:expr, |$capture:ident| $work:expr) => {
            rows.push(($name, $nodes.to_vec(), capture(|$capture| $work)));
        };
    }
    row!("nothing", [], |_capture| Ok(()));
    // SAFETY: the graph is not launched.
    row!("launch", [KERNEL], |c| unsafe { put.launch(config, c, (one.ptr(), 7)) });
    // SAFETY: the graph is not launched.
    row!("launch of an owner", [KERNEL], |c| unsafe {
        put.with(config).launch(c, (Arg(one.ptr(), &one), 7_u32))
    });
    row!("copy", [MEMCPY], |c| c.copy(&mut two, &one));
    row!("copy of nothing", [], |c| c.copy(two.slice_mut(..0)?, one.slice(..0)?));
    let mut pitched = PitchedBuf::<u32>::uninit(&stream, 2, 2, AccessSize::Four).unwrap();
    let array = Array::new(&stream, ArrayDescriptor::plane(2, 2, ArrayFormat::UNSIGNED_INT32, 1)).unwrap();
    row!("copy of a block", [MEMCPY, MEMCPY], |c| {
        let source = CopySource::device(one.as_slice()).pitch(8);
        c.copy_block(Memcpy3D::plane(CopyDestination::array(&array), source, 8, 2))?;
        c.copy_block(Memcpy3D::plane(pitched.as_destination(), CopySource::array(&array), 8, 2))
    });
    row!("copy of no block", [], |c| {
        c.copy_block(Memcpy3D::plane(pitched.as_destination(), CopySource::array(&array), 0, 2))
    });
    row!("fill", [MEMSET], |c| c.fill(&mut two, 7));
    row!("fill of a wide value", [MEMSET, MEMSET], |c| c.fill(&mut wide, 1));
    row!("fill of equal bytes", [MEMSET], |c| c.fill(&mut wide, 0x0101_0101_0101_0101));
    row!("fill of nothing", [], |c| c.fill(two.slice_mut(..0)?, 7));
    row!("upload", [MEMCPY], |c| c.upload(&mut two, &cell));
    row!("download", [MEMCPY], |c| c.download(&cell, &two));
    row!("host", [HOST], |c| c.host(|| ()));
    row!("host with a cell", [HOST], |c| c.host_with(&cell, |_| ()));
    row!("fork", [MEMSET, MEMSET], |c| {
        c.fork(|c| c.fill(two.slice_mut(..2)?, 1), |c| c.fill(&mut wide, 0))?;
        Ok(())
    });
    row!("mark, wait, keep", [], |c| {
        let mark = c.mark()?;
        c.wait(&mark)?;
        c.keep(&one)
    });
    if is_since(11, 1) {
        row!("record", [RECORD], |c| c.record_external(&event));
        row!("wait", [WAIT], |c| c.wait_external(&event));
    }
    if is_since(11, 3) {
        let mut child = capture(|c| c.fill(&mut two, 7));
        row!("child", [CHILD], |c| c.child(&mut child).map(drop));
        row!("info", [], |c| c.info().map(drop).and_then(|()| c.last_node().map(drop)));
    }
    for (name, expected, mut graph) in rows {
        assert_eq!(types_of(&mut graph), expected, "{name}");
    }
}

#[test]
fn capture_runs_nothing_before_a_launch() {
    let (_, stream) = place();
    let mut buffer = words(&stream, &[1; 4]);
    let mut graph = capture(|c| c.fill(&mut buffer, 2));
    assert_eq!(buffer.to_vec().unwrap(), [1; 4]);
    let mut program = instantiate(&mut graph);
    assert_eq!(buffer.to_vec().unwrap(), [1; 4]);
    program.launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [2; 4]);
}

#[test]
fn blocks_are_copied_and_kept() {
    let (context, stream) = place();
    let from = words(&stream, &[1, 2, 3, 4]);
    let array = Array::new(&stream, ArrayDescriptor::plane(2, 2, ArrayFormat::UNSIGNED_INT32, 1)).unwrap();
    let mut to = PitchedBuf::<u32>::uninit(&stream, 2, 2, AccessSize::Four).unwrap();
    let mut graph = capture(|c| {
        let source = CopySource::device(from.as_slice()).pitch(8);
        c.copy_block(Memcpy3D::plane(CopyDestination::array(&array), source, 8, 2))?;
        c.copy_block(Memcpy3D::plane(to.as_destination(), CopySource::array(&array), 8, 2))
    });
    drop((from, array));
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!(to.to_vec().unwrap(), [1, 2, 3, 4]);
    let host = [0_u32; 4];
    let error = Graph::capture(&context, CaptureOptions::new(), |c| {
        c.copy_block(Memcpy3D::plane(to.as_destination(), CopySource::host(&host), 8, 2))
    });
    assert!(error.unwrap_err().to_string().contains("with a `HostCell`"));
}

#[test]
fn kernels_of_a_capture_run_in_order() {
    let (context, stream) = place();
    let module = module(&context);
    let (put, add) = (kernel(&module, "put"), kernel(&module, "add"));
    let buffer = words(&stream, &[0]);
    let config = LaunchConfig::new(1, 1);
    let mut graph = capture(|c| {
        c.keep(&buffer)?;
        // SAFETY: one thread writes one number, which the graph keeps.
        unsafe { put.launch(config, c, (buffer.ptr(), 5)) }?;
        // SAFETY: as above.
        unsafe { add.launch(config, c, (buffer.ptr(), 3)) }
    });
    let mut program = instantiate(&mut graph);
    (0..3).for_each(|_| program.launch(&stream).unwrap());
    assert_eq!(buffer.to_vec().unwrap(), [8]);
}

#[test]
fn forked_branches_are_joined() {
    let (_, stream) = place();
    let (mut left, mut right) = (words(&stream, &[0; 2]), words(&stream, &[0; 2]));
    let mut sum = words(&stream, &[0; 4]);
    let mut graph = capture(|c| {
        let (one, two) = c.fork(
            |c| {
                c.fill(&mut left, 1)?;
                c.mark()
            },
            |c| c.fork(|c| c.fill(&mut right, 2), |_| Ok(5)).map(|((), number)| number),
        )?;
        c.wait(&one)?;
        assert_eq!(two, 5);
        c.copy(sum.slice_mut(..2)?, &left)?;
        c.copy(sum.slice_mut(2..)?, &right)
    });
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!(sum.to_vec().unwrap(), [1, 1, 2, 2]);
    // Each copy waits for both branches, or for the copy before it.
    if is_since(11, 3) {
        assert_eq!(graph.edges().unwrap().len(), 3);
    }
}

/// Closures of a capture that return an error, each from another place.
fn endings() -> Vec<fn(&mut Capture<'_>) -> Result<()>> {
    vec![
        |_| Err(any_error()),
        |c| {
            c.fork(|_| Ok(()), |_| Err::<(), _>(any_error()))?;
            Ok(())
        },
        |c| {
            #[allow(clippy::mem_forget)] // the subject of the test
            std::mem::forget(c.mark());
            c.host(|| ())?;
            Err(any_error())
        },
    ]
}

/// An error that no driver gives.
fn any_error() -> Error {
    let cell = cell(&[0]);
    let _guard = cell.lock().unwrap();
    cell.lock().unwrap_err()
}

#[test]
fn failed_closures_leave_nothing_behind() {
    let (context, stream) = place();
    for mode in [CaptureMode::Relaxed, CaptureMode::ThreadLocal] {
        for ending in endings() {
            let outcome = Graph::capture(&context, CaptureOptions::new().mode(mode), ending);
            assert_eq!(outcome.unwrap_err().kind(), ErrorKind::HostCellLocked);
            assert!(!stream.is_capturing().unwrap());
        }
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            Graph::capture(&context, CaptureOptions::new().mode(mode), |c| {
                c.fork(|_| Ok(()), |_| -> Result<()> { panic!("inside a branch") })
            })
        }));
        let payload = panicked.unwrap_err();
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"inside a branch"));
        // Another capture works. So does an allocation, which a thread-local capture forbids.
        drop(capture(|c| c.host(|| ())));
        drop(words(&stream, &[1]));
    }
}

#[test]
fn ignored_errors_of_branches_do_not_fail_a_capture() {
    let (_, stream) = place();
    let mut buffer = words(&stream, &[0; 2]);
    let mut graph = capture(|c| {
        let failed = c.fork(|c| c.fill(&mut buffer, 3), |_| Err::<(), _>(any_error()));
        assert!(failed.is_err());
        Ok(())
    });
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [3; 2]);
}

#[test]
fn captures_nest_without_meeting() {
    let (_, stream) = place();
    let (mut outer, mut inner) = (words(&stream, &[0]), words(&stream, &[0]));
    let mut inside = None;
    let mut graph = capture(|c| {
        inside = Some(capture(|c| c.fill(&mut inner, 2)));
        c.fill(&mut outer, 1)
    });
    assert_eq!(types_of(&mut graph), [MEMSET]);
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!((outer.to_vec().unwrap(), inner.to_vec().unwrap()), (vec![1], vec![0]));
    instantiate(&mut inside.unwrap()).launch(&stream).unwrap();
    assert_eq!(inner.to_vec().unwrap(), [2]);
}

#[test]
fn other_threads_record_nothing_into_a_capture() {
    let (context, _) = place();
    let mut graph = capture(|c| {
        c.host(|| ())?;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let other = stream();
                let mut buffer = words(&other, &[1; 4]);
                buffer.fill_zero().unwrap();
                let event = Event::new(&context).unwrap();
                event.record(&other).unwrap().synchronize().unwrap();
                assert_eq!(buffer.to_vec().unwrap(), [0; 4]);
            });
        });
        c.host(|| ())
    });
    assert_eq!(types_of(&mut graph), [HOST, HOST]);
}

#[test]
fn refused_call_is_named_and_ends_the_capture() {
    let (context, stream) = place();
    let options = CaptureOptions::new().mode(CaptureMode::ThreadLocal);
    let mut inner = None;
    let error = Graph::capture(&context, options, |c| {
        c.host(|| ())?;
        // The mode forbids waiting.
        inner = stream.synchronize().err();
        Ok(())
    })
    .unwrap_err();
    let inner = inner.unwrap();
    assert_eq!(
        (inner.call(), inner.code()),
        (Some("cuStreamSynchronize"), Some(Code::StreamCaptureUnsupported))
    );
    assert_eq!(error.code(), Some(Code::StreamCaptureInvalidated));
    assert!(error.to_string().contains("a call outside the capture"), "{error}");
}

#[test]
fn later_errors_repeat_the_first() {
    let (context, _) = place();
    let error = Graph::capture(&context, CaptureOptions::new(), |c| {
        let raw = c.raw_stream();
        let _entered = context.enter()?;
        // SAFETY: the stream is live. The query is refused, and invalidates the capture.
        let query = unsafe { cuda_sys::cuStreamQuery(raw) };
        assert!(!query.is_success());
        let first = c.host(|| ()).unwrap_err();
        assert_eq!(first.code(), Some(Code::StreamCaptureInvalidated), "{first}");
        let second = c.host(|| ()).unwrap_err();
        assert!(second.to_string().contains("an earlier failure (cuLaunchHostFunc"), "{second}");
        Ok(())
    })
    .unwrap_err();
    assert!(error.to_string().contains("an earlier failure (cuLaunchHostFunc"), "{error}");
    drop(capture(|c| c.host(|| ())));
}

#[test]
fn captured_nodes_have_names() {
    if !is_since(11, 3) {
        skip!("captures report their nodes since CUDA 11.3");
    }
    let (_, stream) = place();
    let mut buffer = words(&stream, &[0; 4]);
    let mut named = Vec::new();
    let mut graph = capture(|c| {
        assert_eq!(c.last_node()?, None);
        c.fill(&mut buffer, 1)?;
        named.extend(c.last_node()?);
        c.host(|| ())?;
        named.extend(c.last_node()?);
        assert_eq!(c.info()?.dependencies, named[1..]);
        Ok(())
    });
    assert_eq!(graph.nodes().unwrap(), named);
    assert_eq!(graph.edges().unwrap(), [(named[0], named[1])]);
}

#[test]
fn dependencies_can_be_added() {
    if !is_since(11, 3) {
        skip!("the driver does not tell nodes of captures");
    }
    let mut graph = capture(|c| {
        let (first, ()) = c.fork(
            |c| {
                c.host(|| ())?;
                Ok(c.last_node()?.unwrap())
            },
            |c| c.host(|| ()),
        )?;
        c.add_dependencies(&[first])?;
        c.host(|| ())
    });
    assert_eq!(graph.edges().unwrap().len(), 2);
    let stranger = graph.nodes().unwrap()[0];
    let error =
        Graph::capture(&context(), CaptureOptions::new(), |c| c.add_dependencies(&[stranger])).unwrap_err();
    assert!(error.to_string().contains("belongs to another graph"), "{error}");
}

#[test]
fn capture_goes_on_in_a_graph() {
    let (context, stream) = place();
    let mut buffer = words(&stream, &[0; 4]);
    let options = CaptureOptions::new();
    let (mut graph, node) = Graph::capture(&context, options, |c| {
        c.fill(&mut buffer, 1)?;
        if is_since(11, 3) { c.last_node() } else { Ok(None) }
    })
    .unwrap();
    if !is_since(12, 3) {
        let error = graph.capture_into(&[], options, |_| Ok(())).unwrap_err();
        assert_eq!(
            (error.kind(), error.call()),
            (ErrorKind::FunctionMissing, Some("cuStreamBeginCaptureToGraph"))
        );
        skip!("the driver does not capture into graphs");
    }
    let node = node.unwrap();
    let added = graph
        .capture_into(&[node], options, |c| {
            assert_eq!(c.info()?.dependencies, [node]);
            c.fill(buffer.slice_mut(..2)?, 2)?;
            c.last_node()
        })
        .unwrap()
        .unwrap();
    assert_eq!(graph.nodes().unwrap(), [node, added]);
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [2, 2, 1, 1]);
}

#[test]
fn failed_capture_into_a_graph_poisons_it() {
    if !is_since(12, 3) {
        skip!("the driver does not capture into graphs");
    }
    let (_, stream) = place();
    let mut buffer = words(&stream, &[0; 4]);
    let mut graph = capture(|c| c.fill(&mut buffer, 1));
    let mut program = instantiate(&mut graph);
    let failed = graph.capture_into(&[], CaptureOptions::new(), |_| Err::<(), _>(any_error()));
    assert_eq!(failed.unwrap_err().kind(), ErrorKind::HostCellLocked);
    assert_eq!(graph.nodes().unwrap_err().kind(), ErrorKind::Poisoned);
    assert_eq!(graph.instantiate(InstantiateOptions::new()).unwrap_err().kind(), ErrorKind::Poisoned);
    program.launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [1; 4]);
}

/// Returns whether captures record allocations. Devices without memory pools refuse them.
fn has_memory_nodes() -> bool {
    let temporary = |c: &mut Capture<'_>| c.temporary::<u32, _>(4, |_, _| Ok(()));
    match Graph::capture(&context(), CaptureOptions::new(), temporary) {
        Ok((mut graph, ())) => {
            assert_eq!(types_of(&mut graph), [ALLOC, FREE]);
            true
        }
        Err(error) => {
            assert_eq!(error.code(), Some(Code::NotSupported), "{error}");
            false
        }
    }
}

#[test]
fn temporary_memory_is_freed_after_branches() {
    if !is_since(11, 4) {
        skip!("the driver has no nodes that allocate");
    }
    let (_, stream) = place();
    let (from, mut to) = (words(&stream, &[1, 2, 3, 4]), words(&stream, &[0; 4]));
    if !has_memory_nodes() {
        skip!("the driver records no allocations");
    }
    let mut graph = capture(|c| {
        c.temporary(4, |c, memory| {
            c.fork(
                |c| c.copy(memory.slice(..2)?, from.slice(..2)?),
                |c| c.copy(memory.slice(2..)?, from.slice(2..)?),
            )?;
            c.copy(&mut to, memory)
        })
    });
    // The free node comes last: no node depends on it, and it depends on every other node.
    let (nodes, edges) = (graph.nodes().unwrap(), graph.edges().unwrap());
    let ends: Vec<_> = nodes.iter().filter(|node| edges.iter().all(|(from, _)| from != *node)).collect();
    assert_eq!(ends.len(), 1);
    let mut program = instantiate(&mut graph);
    for _ in 0..100 {
        program.launch(&stream).unwrap();
    }
    assert_eq!(to.to_vec().unwrap(), [1, 2, 3, 4]);
    let error = graph.instantiate(InstantiateOptions::new()).unwrap_err();
    assert!(error.to_string().contains("one executable graph at a time"), "{error}");
    let error = Graph::capture(&context(), CaptureOptions::new(), |c| c.child(&mut graph)).unwrap_err();
    assert!(error.to_string().contains("no use as a child"), "{error}");
    drop(program);
    instantiate(&mut graph).launch(&stream).unwrap();
}

#[test]
fn memory_of_another_context_is_refused() {
    let (context, _) = place();
    let Some(second) = cuda_suite::second_device() else { skip!("there is one device") };
    let other = cuda_rt::Context::primary(second).unwrap();
    let mut far = words(&cuda_rt::Stream::new(&other).unwrap(), &[1]);
    let error = Graph::capture(&context, CaptureOptions::new(), |c| c.fill(&mut far, 1)).unwrap_err();
    assert!(error.to_string().contains("the memory and the capture belong to different contexts"), "{error}");
}

#[test]
fn drops_do_not_disturb_a_strict_capture() {
    let (context, stream) = place();
    let (mut buffer, spare) = (words(&stream, &[0; 4]), words(&stream, &[0; 4]));
    let mut other = capture(|c| c.keep(&spare));
    let mut program = instantiate(&mut other);
    program.launch(&stream).unwrap();
    let module = module(&context);
    let mut own = Some((spare, other, program, module, Event::new(&context).unwrap(), cell(&[0])));
    let options = CaptureOptions::new().mode(CaptureMode::ThreadLocal);
    let (mut graph, ()) = Graph::capture(&context, options, |c| {
        c.host(|| ())?;
        drop(own.take());
        c.fill(&mut buffer, 1)
    })
    .unwrap();
    assert_eq!(types_of(&mut graph), [MEMSET, HOST]);
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [1; 4]);
}

#[test]
fn branches_that_touch_the_same_memory_need_an_order() {
    if !is_since(11, 3) {
        skip!("the driver does not tell the nodes of a capture");
    }
    let (context, stream) = place();
    let buffer = RefCell::new(words(&stream, &[0; 8]));
    let other = words(&stream, &[1; 8]);
    let cell = HostCell::new(PinnedBuf::from_slice(&context, &[0_u32; 8]).unwrap());
    let mut target = words(&stream, &[0; 8]);
    let mut rows = PitchedBuf::<u32>::uninit(&stream, 4, 2, AccessSize::Four).unwrap();
    let mut part = capture(|c| c.fill(&mut *buffer.borrow_mut(), 3));
    type Branch<'a> = &'a mut dyn FnMut(&mut Capture<'_>) -> cuda_rt::Result<()>;
    let block = |from: &DeviceBuf<u32>, to: &mut PitchedBuf<u32>, c: &mut Capture<'_>| {
        let source = CopySource::device(from.as_slice()).pitch(16);
        c.copy_block(Memcpy3D::plane(to.as_destination(), source, 16, 2))
    };
    let others: [(&str, Branch<'_>); 6] = [
        ("fill", &mut |c| c.fill(&mut *buffer.borrow_mut(), 2)),
        ("copy to", &mut |c| c.copy(&mut *buffer.borrow_mut(), &other)),
        ("copy from", &mut |c| c.copy(&mut target, &*buffer.borrow())),
        ("copy of a block", &mut |c| block(&buffer.borrow(), &mut rows, c)),
        ("download", &mut |c| c.download(&cell, &*buffer.borrow())),
        ("child", &mut |c| c.child(&mut part).map(drop)),
    ];
    for (name, branch) in others {
        let fill = |c: &mut Capture<'_>| c.fill(buffer.borrow_mut().slice_mut(4..).unwrap(), 1);
        let mut graph = capture(|c| c.fork(fill, |c| branch(c)).map(drop));
        let made = graph.instantiate(Default::default());
        assert!(made.is_err(), "{name}");
        assert_eq!(made.unwrap_err(), invalid("touch the same memory"), "{name}");
        // One after the other they are fine.
        let mut graph = capture(|c| {
            c.fork(fill, |_| Ok(()))?;
            c.fork(|_| Ok(()), |c| branch(c)).map(drop)
        });
        instantiate(&mut graph);
    }
    let halves = |c: &mut Capture<'_>| {
        c.fork(
            |c| c.fill(buffer.borrow_mut().slice_mut(..4).unwrap(), 1),
            |c| c.fill(buffer.borrow_mut().slice_mut(4..).unwrap(), 2),
        )
        .map(drop)
    };
    instantiate(&mut capture(halves)).launch(&stream).unwrap();
    assert_eq!(buffer.borrow().to_vec().unwrap(), [1, 1, 1, 1, 2, 2, 2, 2]);
}

#[test]
fn branches_in_graph_memory_need_an_order() {
    if !is_since(11, 4) {
        skip!("memory of graphs needs CUDA 11.4");
    }
    let (context, _) = place();
    let outcome = Graph::capture(&context, CaptureOptions::new(), |c| {
        c.temporary::<u32, _>(4, |c, memory| c.fork(|c| c.fill(memory, 1), |c| c.fill(memory, 2)).map(drop))
    });
    let mut graph = match outcome {
        Err(error) if error.code() == Some(Code::NotSupported) => skip!("no memory of graphs: {error}"),
        outcome => outcome.unwrap().0,
    };
    assert_eq!(graph.instantiate(Default::default()).unwrap_err(), invalid("touch the same memory"));
}

#[test]
fn captured_and_added_nodes_need_an_order() {
    if !is_since(12, 3) {
        skip!("captures into a graph need CUDA 12.3");
    }
    let (context, stream) = place();
    let mut buffer = words(&stream, &[0; 4]);
    for is_ordered in [false, true] {
        let mut graph = Graph::new(&context).unwrap();
        let added = graph.fill(&[], &mut buffer, 1_u32).unwrap().any();
        let after = if is_ordered { vec![added] } else { Vec::new() };
        graph.capture_into(&after, CaptureOptions::new(), |c| c.fill(&mut buffer, 2)).unwrap();
        let made = graph.instantiate(Default::default());
        if is_ordered {
            made.unwrap().launch(&stream).unwrap();
        } else {
            assert_eq!(made.unwrap_err(), invalid("touch the same memory"));
        }
    }
    assert_eq!(buffer.to_vec().unwrap(), [2; 4]);
}

#[test]
fn edges_between_unnamed_uses_of_a_cell_stay() {
    if is_since(11, 3) {
        skip!("the driver tells the nodes of a capture");
    }
    let (context, _) = place();
    let cell = HostCell::new(PinnedBuf::from_slice(&context, &[0_u32; 4]).unwrap());
    let mut graph = capture(|c| {
        c.host_with(&cell, |_| ())?;
        c.host_with(&cell, |_| ())
    });
    let edges = graph.edges().unwrap();
    let &(from, to) = edges.first().unwrap();
    let stays = invalid("so their edges stay");
    assert_eq!(graph.remove_edge(from, to, EdgeData::default()).unwrap_err(), stays);
    assert_eq!(graph.remove_node(from).unwrap_err(), stays);
    assert_eq!(graph.edges().unwrap(), edges);
}
