//! Executable graphs: making, launching, and changing them as a whole.

use crate::setup::{capture, instantiate, is_since, place, words};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::{CaptureOptions, Graph, GraphExec, InstantiateOptions, UpdateReason, UpdateRefused};
use cuda_rt::stream::PerThreadStream;
use cuda_rt::{Context, Stream};
use cuda_suite::{device, skip};
use std::sync::{Arc, Mutex};

#[test]
fn executables_outlive_their_graph() {
    let (_, stream) = place();
    let mut buffer = words(&stream, &[0; 4]);
    let mut graph = capture(|c| c.fill(&mut buffer, 6));
    let mut programs = [instantiate(&mut graph), instantiate(&mut graph)];
    graph.close().unwrap();
    for program in &mut programs {
        buffer.as_slice_mut().fill(0).unwrap();
        program.launch(&stream).unwrap();
        assert_eq!(buffer.to_vec().unwrap(), [6; 4]);
    }
    programs.into_iter().for_each(|program| program.close().unwrap());
}

#[test]
fn later_changes_of_the_graph_do_not_matter() {
    if !is_since(12, 3) {
        skip!("the driver does not capture into graphs");
    }
    let (_, stream) = place();
    let (mut first, mut second) = (words(&stream, &[0]), words(&stream, &[0]));
    let mut graph = capture(|c| c.fill(&mut first, 1));
    let mut program = instantiate(&mut graph);
    graph.capture_into(&[], CaptureOptions::new(), |c| c.fill(&mut second, 1)).unwrap();
    program.launch(&stream).unwrap();
    assert_eq!((first.to_vec().unwrap(), second.to_vec().unwrap()), (vec![1], vec![0]));
}

#[test]
fn one_executable_is_launched_on_any_stream() {
    let (context, stream) = place();
    let mut buffer = words(&stream, &[0; 4]);
    let mut graph = capture(|c| c.fill(&mut buffer, 2));
    let mut program = instantiate(&mut graph);
    let other = Stream::new(&context).unwrap();
    let per_thread = PerThreadStream::new(&context);
    let legacy = Stream::legacy(&context);
    for round in 0..3 {
        buffer.as_slice_mut().fill(round).unwrap();
        program.launch(&per_thread).unwrap();
        assert_eq!(buffer.to_vec().unwrap(), [2; 4], "per thread");
        buffer.as_slice_mut().fill(round).unwrap();
        program.launch(&other).unwrap();
        assert_eq!(buffer.to_vec().unwrap(), [2; 4], "other");
        buffer.as_slice_mut().fill(round).unwrap();
        program.launch(&legacy).unwrap();
        assert_eq!(buffer.to_vec().unwrap(), [2; 4], "legacy");
        buffer.as_slice_mut().fill(round).unwrap();
        program.launch(&stream.as_stream_ref()).unwrap();
        assert_eq!(buffer.to_vec().unwrap(), [2; 4], "borrowed");
    }
    // The last launch was on a stream of this thread, and the executable is dropped on another.
    program.launch(&per_thread).unwrap();
    std::thread::spawn(move || drop((program, graph))).join().unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [2; 4]);
}

#[test]
fn streams_of_other_contexts_are_refused() {
    let mut program = {
        let mut graph = capture(|c| c.host(|| ()));
        instantiate(&mut graph)
    };
    let other = Context::new(device(), Default::default()).unwrap();
    let stream = Stream::new(&other).unwrap();
    let error = program.launch(&stream).unwrap_err();
    assert_eq!((error.kind(), error.call()), (ErrorKind::InvalidArgument, Some("cuGraphLaunch")));
    assert_eq!(program.upload(&stream).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let mut elsewhere = Graph::capture(&other, CaptureOptions::new(), |c| c.host(|| ())).unwrap().0;
    assert_eq!(program.update(&mut elsewhere).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn options_are_as_new_as_the_driver() {
    let (_, stream) = place();
    let mut graph = capture(|c| c.host(|| ()));
    let auto_free = graph.instantiate(InstantiateOptions::new().auto_free());
    let upload = graph.instantiate(InstantiateOptions::new().upload(&stream));
    if is_since(11, 4) {
        auto_free.unwrap().launch(&stream).unwrap();
    } else {
        assert_eq!(auto_free.unwrap_err().kind(), ErrorKind::FunctionMissing);
    }
    if is_since(12, 0) {
        upload.unwrap().launch(&stream).unwrap();
        let flags = graph.instantiate(InstantiateOptions::new().auto_free()).unwrap().flags();
        assert_eq!(flags.unwrap() & 1, 1);
    } else {
        assert_eq!(upload.unwrap_err().kind(), ErrorKind::FunctionMissing);
        assert_eq!(instantiate(&mut graph).flags().unwrap_err().kind(), ErrorKind::FunctionMissing);
    }
    let id = instantiate(&mut graph).id();
    if is_since(13, 1) {
        assert_ne!(id.unwrap(), instantiate(&mut graph).id().unwrap());
    } else {
        assert_eq!(id.unwrap_err().kind(), ErrorKind::FunctionMissing);
    }
    stream.synchronize().unwrap();
}

#[test]
fn upload_runs_nothing() {
    if !is_since(11, 1) {
        skip!("the driver does not upload graphs");
    }
    let (_, stream) = place();
    let mut buffer = words(&stream, &[0; 4]);
    let mut graph = capture(|c| c.fill(&mut buffer, 6));
    let mut program = instantiate(&mut graph);
    program.upload(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [0; 4]);
    program.launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [6; 4]);
}

#[test]
fn update_changes_later_launches() {
    let (_, stream) = place();
    let mut buffer = words(&stream, &[0; 4]);
    let mut program = instantiate(&mut capture(|c| c.fill(&mut buffer, 1)));
    program.launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [1; 4]);
    program.update(&mut capture(|c| c.fill(&mut buffer, 2))).unwrap();
    program.launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [2; 4]);
}

#[test]
fn update_moves_the_keep_alives() {
    let (_, stream) = place();
    let mut to = words(&stream, &[0; 4]);
    let (old, new) = (words(&stream, &[1; 4]), words(&stream, &[2; 4]));
    let mut program = instantiate(&mut capture(|c| c.copy(&mut to, &old)));
    program.update(&mut capture(|c| c.copy(&mut to, &new))).unwrap();
    let address = new.ptr();
    drop(new);
    let others: Vec<_> = (0..32).map(|_| words(&stream, &[9; 4])).collect();
    assert!(others.iter().all(|other| other.ptr() != address));
    program.launch(&stream).unwrap();
    assert_eq!(to.to_vec().unwrap(), [2; 4]);
    // The executable no longer keeps the old memory.
    let (mut old, other) = (old, Stream::new(stream.context()).unwrap());
    let start = std::time::Instant::now();
    while old.move_to(&other).is_err() {
        assert!(start.elapsed().as_secs() < 20);
    }
}

#[test]
fn refused_update_tells_why_and_changes_nothing() {
    let (_, stream) = place();
    let mut buffer = words(&stream, &[0; 4]);
    let mut program = instantiate(&mut capture(|c| c.fill(&mut buffer, 1)));
    let mut longer = capture(|c| {
        c.fill(&mut buffer, 2)?;
        c.fill(&mut buffer, 3)
    });
    let error = program.update(&mut longer).unwrap_err();
    assert_eq!(error.code(), Some(Code::GraphExecUpdateFailure), "{error}");
    let refused = error.context::<UpdateRefused>().unwrap();
    assert_eq!(refused.reason, UpdateReason::TopologyChanged);
    assert!(error.to_string().contains("the graph has other nodes or edges"), "{error}");
    assert!(!program.is_poisoned());
    program.launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [1; 4]);
    let mut host = capture(|c| c.host(|| ()));
    let error = program.update(&mut host).unwrap_err();
    let refused = error.context::<UpdateRefused>().unwrap();
    assert_eq!(refused.reason, UpdateReason::NodeTypeChanged, "{error}");
    if let Some(node) = refused.node {
        assert_eq!(host.nodes().unwrap(), [node]);
    }
    program.update(&mut capture(|c| c.fill(&mut buffer, 5))).unwrap();
    program.launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [5; 4]);
}

#[test]
fn threads_take_turns_with_an_executable() {
    let (_, stream) = place();
    let mut buffer = words(&stream, &[0; 4]);
    let mut graph = capture(|c| c.fill(&mut buffer, 1));
    let program = Mutex::new((instantiate(&mut graph), graph));
    std::thread::scope(|scope| {
        for thread in 0..16 {
            let (program, context) = (&program, stream.context());
            scope.spawn(move || {
                let own = Stream::new(context).unwrap();
                for round in 0..10 {
                    let mut program = program.lock().unwrap();
                    let (program, graph): &mut (GraphExec, Graph) = &mut program;
                    match (thread + round) % 3 {
                        0 => program.launch(&own).unwrap(),
                        1 => program.update(graph).unwrap(),
                        _ if is_since(11, 1) => program.upload(&own).unwrap(),
                        _ => {}
                    }
                }
            });
        }
    });
    assert_eq!(buffer.to_vec().unwrap(), [1; 4]);
}

#[test]
fn executables_of_a_context_that_ended_are_left_alone() {
    let context = Context::new(device(), Default::default()).unwrap();
    if context.id().is_none() {
        skip!("the driver does not number contexts");
    }
    let stream = Stream::new(&context).unwrap();
    let mut graph = Graph::capture(&context, CaptureOptions::new(), |c| c.host(|| ())).unwrap().0;
    let mut program = instantiate(&mut graph);
    program.launch(&stream).unwrap();
    stream.synchronize().unwrap();
    // SAFETY: the driver numbers contexts, so `cuda-rt` notices that this one is destroyed.
    // Closing and dropping its objects then leaves the handles alone.
    let code = unsafe { cuda_sys::cuCtxDestroy_v2(context.as_raw()) };
    assert!(code.is_success());
    assert_eq!(program.close().unwrap_err().kind(), ErrorKind::ContextLost);
    assert_eq!(graph.close().unwrap_err().kind(), ErrorKind::ContextLost);
}

#[test]
fn refused_updates_keep_nothing() {
    let (_, stream) = place();
    let mut program = instantiate(&mut capture(|c| c.host(|| ())));
    let value = Arc::new(());
    for _ in 0..10 {
        let mut other = capture(|c| {
            c.keep(&value)?;
            c.host(|| ())?;
            c.host(|| ())
        });
        let error = program.update(&mut other).unwrap_err();
        assert_eq!(error.code(), Some(Code::GraphExecUpdateFailure));
    }
    assert_eq!(Arc::strong_count(&value), 1, "the executable graph keeps what it does not use");
    program.launch(&stream).unwrap();
    stream.synchronize().unwrap();
}
