//! Parameters of nodes, as they are read from the driver.

use crate::setup::{Word, is_since, kernel, module, place, words};
use core::ffi::c_void;
use cuda_rt::error::ErrorKind;
use cuda_rt::graph::{AddNodes, AnyNode, CaptureOptions, EdgeData, Graph, NodeParams, NodeType};
use cuda_rt::memory::{AccessFlags, MemLocation, WriteValueFlags};
use cuda_rt::module::Library;
use cuda_rt::{Context, Event, Kernel, LaunchConfig, Stream};
use cuda_suite::{call, context, skip};
use cuda_sys::{
    CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END, CUresult,
    cuGraphAddChildGraphNode, cuGraphCreate, cuGraphDestroy,
};
use std::ptr::{null, null_mut};

fn put(context: &Context) -> Kernel<Word> {
    kernel(&module(context), "put")
}

/// Returns the bytes of the arguments of a kernel node.
fn arguments(graph: &mut Graph, node: AnyNode) -> Vec<Vec<u8>> {
    let NodeParams::Kernel(params) = graph.node_params(node).unwrap() else { panic!("no kernel") };
    // SAFETY: the graph has the node, and keeps its module.
    unsafe { params.arguments() }.unwrap()
}

#[test]
fn kernel_params_have_function_and_arguments() {
    let (context, stream) = place();
    let (put, numbers) = (put(&context), words(&stream, &[1]));
    let mut graph = Graph::new(&context).unwrap();
    let config = LaunchConfig { grid: [2, 3, 4], block: [5, 6, 1], shared_bytes: 128 };
    // SAFETY: it is not launched.
    let node = unsafe { graph.kernel(&[], &put, config, (numbers.ptr(), 7)) }.unwrap().any();
    let NodeParams::Kernel(params) = graph.node_params(node).unwrap() else { panic!("no kernel") };
    assert_eq!(params.config, config);
    assert_eq!(params.function, put.function().as_raw());
    assert!(params.kernel.is_null());
    if is_since(12, 0) {
        assert_eq!(params.context, context.as_raw());
    }
    if !is_since(12, 4) {
        skip!("sizes of parameters are known since CUDA 12.4");
    }
    let expected = [numbers.ptr().as_raw().to_ne_bytes().to_vec(), 7_u32.to_ne_bytes().to_vec()];
    assert_eq!(arguments(&mut graph, node), expected);
}

#[test]
fn packed_arguments_of_raw_launches_are_split() {
    if !is_since(12, 4) {
        skip!("sizes of parameters are known since CUDA 12.4");
    }
    let (context, stream) = place();
    let (put, numbers) = (put(&context), words(&stream, &[1]));
    let address = numbers.ptr().as_raw().to_ne_bytes();
    let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| {
        capture.keep(put.function())?;
        let mut bytes = [&address[..], &7_u32.to_ne_bytes()].concat();
        let mut len = bytes.len();
        let mut extra = [
            CU_LAUNCH_PARAM_BUFFER_POINTER,
            bytes.as_mut_ptr().cast(),
            CU_LAUNCH_PARAM_BUFFER_SIZE,
            (&raw mut len).cast(),
            CU_LAUNCH_PARAM_END,
        ];
        let (stream, none): (_, *mut *mut c_void) = (capture.raw_stream(), null_mut());
        let (function, extra) = (put.function().as_raw(), extra.as_mut_ptr());
        // SAFETY: the graph keeps the function, and the buffer has its parameters.
        let launched =
            unsafe { cuda_sys::cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, none, extra) };
        assert_eq!(launched, CUresult::CUDA_SUCCESS);
        Ok(())
    })
    .unwrap();
    let node = graph.nodes().unwrap()[0];
    assert_eq!(arguments(&mut graph, node), [address.to_vec(), 7_u32.to_ne_bytes().to_vec()]);
}

#[test]
fn kernel_of_a_library_is_named() {
    if !is_since(12, 0) {
        skip!("nodes name kernels of libraries since CUDA 12.0");
    }
    let context = context();
    let library =
        Library::from_ptx(".version 6.4 .target sm_50 .address_size 64 .visible .entry none() { ret; }")
            .unwrap();
    let kernel = library.kernel("none").unwrap();
    let none = kernel.function(&context).unwrap().typed::<()>().unwrap();
    let mut graph = Graph::new(&context).unwrap();
    // SAFETY: the kernel touches nothing.
    let node = unsafe { graph.kernel(&[], &none, LaunchConfig::new(1, 1), ()) }.unwrap().any();
    let NodeParams::Kernel(params) = graph.node_params(node).unwrap() else { panic!("no kernel") };
    assert_eq!(params.function, none.function().as_raw());
    assert_eq!(Some(params.kernel), kernel.as_raw());
}

#[test]
fn captured_copy_and_fill_have_their_addresses() {
    let (context, stream) = place();
    let (mut to, from) = (words(&stream, &[0; 4]), words(&stream, &[1; 4]));
    let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| {
        capture.copy(&mut to, &from)?;
        capture.fill(&mut to, 0x0102_0304)
    })
    .unwrap();
    let nodes = graph.nodes().unwrap();
    let NodeParams::Memcpy(copy) = graph.node_params(nodes[0]).unwrap() else { panic!("no copy") };
    assert_eq!((copy.dstDevice, copy.srcDevice), (to.ptr().as_raw(), from.ptr().as_raw()));
    assert_eq!((copy.WidthInBytes, copy.Height, copy.Depth), (16, 1, 1));
    let NodeParams::Memset(fill) = graph.node_params(nodes[1]).unwrap() else { panic!("no fill") };
    assert_eq!((fill.dst, fill.value, fill.elementSize), (to.ptr().as_raw(), 0x0102_0304, 4));
    assert_eq!((fill.width, fill.height), (4, 1));
}

#[test]
fn events_and_functions_are_those_of_the_nodes() {
    let (context, event) = (context(), Event::new(&context()).unwrap());
    let mut graph = Graph::new(&context).unwrap();
    let host = graph.host(&[], || ()).unwrap().any();
    let empty = graph.empty(&[]).unwrap().any();
    let NodeParams::Host(params) = graph.node_params(host).unwrap() else { panic!("no function") };
    assert!(params.fn_.is_some() && !params.userData.is_null());
    assert!(matches!(graph.node_params(empty).unwrap(), NodeParams::Empty));
    if !is_since(11, 1) {
        skip!("nodes with events are there since CUDA 11.1");
    }
    let record = graph.event_record(&[], &event).unwrap().any();
    let wait = graph.event_wait(&[record], &event).unwrap().any();
    assert!(
        matches!(graph.node_params(record).unwrap(), NodeParams::EventRecord(raw) if raw == event.as_raw())
    );
    assert!(matches!(graph.node_params(wait).unwrap(), NodeParams::EventWait(raw) if raw == event.as_raw()));
}

#[test]
fn child_params_have_nodes_and_edges() {
    let (context, stream) = place();
    let mut numbers = words(&stream, &[0; 4]);
    let (mut inner, mut middle, mut outer) =
        (Graph::new(&context).unwrap(), Graph::new(&context).unwrap(), Graph::new(&context).unwrap());
    let fill = inner.fill(&[], &mut numbers, 7).unwrap();
    inner.empty(&[fill.any()]).unwrap();
    middle.child(&[], &mut inner).unwrap();
    let node = outer.child(&[], &mut middle).unwrap().any();
    let NodeParams::Child(middle) = outer.node_params(node).unwrap() else { panic!("no graph") };
    let [NodeParams::Child(inner)] = &middle.nodes[..] else { panic!("{middle:?}") };
    let [NodeParams::Memset(fill), NodeParams::Empty] = &inner.nodes[..] else { panic!("{inner:?}") };
    assert_eq!((fill.dst, fill.value), (numbers.ptr().as_raw(), 7));
    assert_eq!(inner.edges, [(0, 1, EdgeData::new())]);
    assert!(middle.edges.is_empty() && middle.handle != inner.handle);
}

#[test]
fn graphs_nested_too_deep_are_refused() {
    let context = context();
    let _current = context.enter().unwrap();
    let nested = |depth: usize| {
        let (mut raw, mut node) = (null_mut(), null_mut());
        call!(cuGraphCreate(&raw mut raw, 0));
        for _ in 0..depth {
            let inner = raw;
            call!(cuGraphCreate(&raw mut raw, 0));
            call!(cuGraphAddChildGraphNode(&raw mut node, raw, null(), 0, inner));
            call!(cuGraphDestroy(inner));
        }
        // Other code may add nodes.
        let mut graph = Graph::new(&context).unwrap();
        call!(cuGraphAddChildGraphNode(&raw mut node, graph.as_raw().unwrap(), null(), 0, raw));
        call!(cuGraphDestroy(raw));
        let node = graph.nodes().unwrap()[0];
        graph.node_params(node)
    };
    nested(63).unwrap();
    let error = nested(64).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
}

#[test]
fn allocation_params_have_address_and_location() {
    if !is_since(11, 4) {
        skip!("graphs have memory since CUDA 11.4");
    }
    let context = context();
    let mut graph = Graph::new(&context).unwrap();
    let address = graph.temporary::<u32, _>(&[], 4, |_, memory| Ok(memory.ptr().as_raw()));
    let Ok(address) = address else { skip!("the device has no memory pools") };
    let nodes = graph.nodes().unwrap();
    let NodeParams::MemAlloc(params) = graph.node_params(nodes[0]).unwrap() else { panic!("no memory") };
    assert_eq!((params.address, params.bytes), (address, 16));
    assert_eq!(params.location, MemLocation::device(context.device()));
    assert!(params.access.iter().all(|(_, flags)| *flags == AccessFlags::READ_WRITE), "{params:?}");
    assert!(matches!(graph.node_params(nodes[1]).unwrap(), NodeParams::MemFree(freed) if freed == address));
}

#[test]
fn memory_operations_are_those_of_the_batch() {
    let (context, stream) = place();
    let mut numbers = words(&stream, &[0; 2]);
    let mut graph = Graph::new(&context).unwrap();
    let flags = WriteValueFlags::DEFAULT;
    let batch = stream.mem_ops().write(numbers.slice_mut(..1).unwrap(), 5, flags).unwrap();
    let Ok(node) = graph.memory_operations(&[], &batch) else {
        skip!("the driver has no nodes with memory operations");
    };
    let NodeParams::MemoryOperations(list) = graph.node_params(node.any()).unwrap() else {
        panic!("no list")
    };
    assert_eq!(list.len(), 1);
    // SAFETY: it is a write, whose parameters are of this form.
    let write = unsafe { list[0].writeValue };
    // SAFETY: as above, of 32 bits.
    let value = unsafe { write.__bindgen_anon_1.value };
    drop(batch);
    assert_eq!((write.address, value), (numbers.ptr().as_raw(), 5));
}

#[test]
fn conditional_params_have_the_bodies() {
    let context = context();
    let mut graph = Graph::new(&context).unwrap();
    let Ok(condition) = graph.condition(1) else { skip!("conditional nodes are there since CUDA 12.4") };
    let node = graph.if_(&[], condition, |body| body.empty(&[]).map(drop)).unwrap().any();
    match graph.node_params(node).unwrap() {
        NodeParams::Conditional(params) => {
            assert!(is_since(13, 2));
            let [body] = &params.bodies[..] else { panic!("{params:?}") };
            assert!(matches!(body.nodes[..], [NodeParams::Empty]), "{body:?}");
        }
        NodeParams::Other(found) => assert!(found == NodeType::CONDITIONAL && !is_since(13, 2)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn node_of_another_graph_or_a_removed_one_is_refused() {
    let context = context();
    let (mut graph, mut other) = (Graph::new(&context).unwrap(), Graph::new(&context).unwrap());
    let node = graph.empty(&[]).unwrap().any();
    assert_eq!(other.node_params(node).unwrap_err().kind(), ErrorKind::InvalidArgument);
    graph.remove_node(node).unwrap();
    assert_eq!(graph.node_params(node).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn nodes_can_be_read_while_another_stream_is_captured() {
    let (context, other) = (context(), Stream::new(&context()).unwrap());
    let mut numbers = words(&other, &[0; 4]);
    let mut graph = Graph::new(&context).unwrap();
    let fill = graph.fill(&[], &mut numbers, 7).unwrap().any();
    let (_, params) = Graph::capture(&context, CaptureOptions::new(), |_| graph.node_params(fill)).unwrap();
    assert!(matches!(params, NodeParams::Memset(_)), "{params:?}");
}

#[test]
fn semaphore_params_have_as_many_as_the_node() {
    let mut graph = Graph::new(&context()).unwrap();
    let signal = graph.semaphore_signal(&[], &[]);
    let Ok(signal) = signal else { skip!("the driver has no nodes with external semaphores") };
    let wait = graph.semaphore_wait(&[signal.any()], &[]).unwrap();
    let signal = graph.node_params(signal.any()).unwrap();
    assert!(matches!(&signal, NodeParams::SemaphoreSignal(list) if list.is_empty()), "{signal:?}");
    let wait = graph.node_params(wait.any()).unwrap();
    assert!(matches!(&wait, NodeParams::SemaphoreWait(list) if list.is_empty()), "{wait:?}");
}
