//! Nodes that are added one by one: their effects, the objects that the graph keeps, and refusals.

use crate::setup::{instantiate, is_since, kernel, module, place, words};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat, ArrayMappings};
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::graph::{AddNodes, CaptureOptions, EdgeData, Graph, HostCell, Nodes, SetNodes};
use cuda_rt::launch::Arg;
use cuda_rt::memory::{
    AccessSize, CopyDestination, CopySource, Memcpy3D, MemorySource, PhysicalMemory, PhysicalMemoryOptions,
    PitchedBuf, RegisterFlags, RegisteredBuf, WriteValueFlags,
};
use cuda_rt::{Context, DeviceBuf, Event, LaunchConfig, PinnedBuf, Result, Stream};
use cuda_suite::{context, device, invalid, second_device, skip, stream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

fn graph() -> Graph {
    Graph::new(&context()).unwrap()
}

fn cell(values: &[u32]) -> HostCell<PinnedBuf<u32>> {
    HostCell::new(PinnedBuf::from_slice(&context(), values).unwrap())
}

fn run(graph: &mut Graph, stream: &Stream) {
    instantiate(graph).launch(stream).unwrap();
}

#[test]
fn kernel_node_runs_after_its_owners_were_dropped() {
    let (context, stream) = place();
    let (numbers, result) = (words(&stream, &[1]), cell(&[0]));
    let mut graph = graph();
    {
        let module = module(&context);
        let (put, add) = (kernel(&module, "put"), kernel(&module, "add"));
        let one = LaunchConfig::new(1, 1);
        let argument = Arg(numbers.ptr(), &numbers);
        // SAFETY: one thread writes the only number, which the graph keeps.
        let first = unsafe { graph.kernel(&[], &put, one, (argument, 5)) }.unwrap();
        // SAFETY: as above, afterwards.
        let second = unsafe { graph.kernel(&[first.any()], &add, one, (argument, 7)) }.unwrap();
        graph.download(&[second.any()], &result, &numbers).unwrap();
    }
    let mut program = instantiate(&mut graph);
    drop((graph, numbers));
    for _ in 0..2 {
        // The first kernel writes the number anew in each launch.
        program.launch(&stream).unwrap();
        assert_eq!(*result.lock().unwrap(), [12]);
    }
}

#[test]
fn kernel_of_another_context_is_refused() {
    let other = Context::new(device(), Default::default()).unwrap();
    let put = kernel(&module(&other), "put");
    let (mut graph, stream) = (graph(), Stream::new(&other).unwrap());
    let numbers = words(&stream, &[1]);
    // SAFETY: the node is refused.
    let error = unsafe { graph.kernel(&[], &put, LaunchConfig::new(1, 1), (numbers.ptr(), 5)) }.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert_eq!(graph.nodes().unwrap(), []);
}

#[test]
fn copies_and_fills_come_in_the_order_of_edges() {
    let (_, stream) = place();
    let (mut a, mut b) = (words(&stream, &[1, 2, 3]), words(&stream, &[0; 3]));
    let (input, output) = (cell(&[4, 5, 6]), cell(&[0; 3]));
    let mut graph = graph();
    let fill = graph.fill(&[], &mut a, 9).unwrap();
    let upload = graph.upload(&[fill.any()], a.slice_mut(1..).unwrap(), &cell(&[7, 8])).unwrap();
    let copy = graph.copy(&[upload.any()], &mut b, &a).unwrap();
    let back = graph.download(&[copy.any()], &output, &b).unwrap();
    graph.upload(&[back.any()], &mut b, &input).unwrap();
    let mut program = instantiate(&mut graph);
    program.launch(&stream).unwrap();
    assert_eq!(*output.lock().unwrap(), [9, 7, 8]);
    assert_eq!(b.to_vec().unwrap(), [4, 5, 6]);
}

#[test]
fn fill_takes_values_that_repeat_four_bytes() {
    let (_, stream) = place();
    let mut wide = DeviceBuf::<u64>::zeroed(&stream, 3).unwrap();
    let mut halves = DeviceBuf::<u16>::zeroed(&stream, 3).unwrap();
    let mut graph = graph();
    graph.fill(&[], &mut wide, 0x0102_0304_0102_0304).unwrap();
    graph.fill(&[], halves.slice_mut(1..).unwrap(), 0x506).unwrap();
    run(&mut graph, &stream);
    assert_eq!(wide.to_vec().unwrap(), [0x0102_0304_0102_0304; 3]);
    assert_eq!(halves.to_vec().unwrap(), [0, 0x506, 0x506]);
    let error = graph.fill(&[], &mut wide, 7).unwrap_err();
    assert_eq!(error, invalid("a value of 8 bytes at"));
    let error = graph.fill(&[], wide.slice_mut(..0).unwrap(), 0).unwrap_err();
    assert_eq!(error, invalid("a node of a graph fills at least one byte"));
}

#[test]
fn fill_of_rows_leaves_the_rest_alone() {
    let (_, stream) = place();
    let mut matrix = PitchedBuf::<u16>::uninit(&stream, 4, 3, AccessSize::Four).unwrap();
    matrix.fill(1).unwrap();
    let mut graph = graph();
    graph.fill_rows(&[], &mut matrix.part_mut([1, 1, 0], [2, 2, 1]).unwrap(), 7).unwrap();
    run(&mut graph, &stream);
    assert_eq!(matrix.to_vec().unwrap(), [1, 1, 1, 1, 1, 7, 7, 1, 1, 7, 7, 1]);
}

#[test]
fn blocks_are_copied_between_rows_arrays_and_cells() {
    let (_, stream) = place();
    let from = DeviceBuf::from_host(&stream, &(0..24_u8).collect::<Vec<_>>()).unwrap();
    let mut column = DeviceBuf::<u8>::zeroed(&stream, 6).unwrap();
    let array = Array::new(&stream, ArrayDescriptor::plane(4, 2, ArrayFormat::UNSIGNED_INT8, 1)).unwrap();
    let bytes = |len| HostCell::new(PinnedBuf::<u8>::zeroed(&context(), len).unwrap());
    let (of_array, of_rows) = (bytes(8), bytes(6));
    let mut graph = graph();
    // The first column of two slices of three rows.
    let volume = CopySource::device(from.as_slice()).pitch(4).height(3);
    let to = CopyDestination::device(column.as_slice_mut());
    let first = graph.copy_block(&[], &Memcpy3D::new(to, volume, 1, 3, 2)).unwrap();
    let rows = CopySource::device(from.as_slice()).pitch(4);
    let second = graph.copy_block(&[], &Memcpy3D::plane(CopyDestination::array(&array), rows, 4, 2)).unwrap();
    let to = CopyDestination::cell(&of_array);
    let copy = Memcpy3D::plane(to, CopySource::array(&array), 4, 2);
    graph.copy_block(&[second.any()], &copy).unwrap();
    let to = CopyDestination::cell(&of_rows);
    let copy = Memcpy3D::plane(to, CopySource::device(column.as_slice()), 6, 1);
    graph.copy_block(&[first.any()], &copy).unwrap();
    let mut program = instantiate(&mut graph);
    drop((from, column, array, graph));
    program.launch(&stream).unwrap();
    assert_eq!(*of_rows.lock().unwrap(), [0, 4, 8, 12, 16, 20]);
    assert_eq!(*of_array.lock().unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn copies_that_no_graph_can_keep_are_refused() {
    let (_, stream) = place();
    let mut numbers = DeviceBuf::<u8>::zeroed(&stream, 4).unwrap();
    let (mut graph, host) = (graph(), [1_u8; 4]);
    let to = CopyDestination::device(numbers.as_slice_mut());
    let error = graph.copy_block(&[], &Memcpy3D::plane(to, CopySource::host(&host), 4, 1)).unwrap_err();
    assert_eq!(error, invalid("host memory of a slice"));
    let to = CopyDestination::device(numbers.as_slice_mut());
    let error = graph.copy_block(&[], &Memcpy3D::plane(to, CopySource::host(&host), 0, 1)).unwrap_err();
    assert_eq!(error, invalid("a node of a graph copies at least one byte"));
    let (short, long) = (words(&stream, &[0; 2]), words(&stream, &[0; 3]));
    let mut short = short;
    assert_eq!(graph.copy(&[], &mut short, &long).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let empty = short.slice(..0).unwrap();
    let error = graph.copy(&[], words(&stream, &[0]).slice_mut(..0).unwrap(), empty).unwrap_err();
    assert_eq!(error, invalid("a node of a graph needs at least one"));
    assert_eq!(graph.nodes().unwrap(), []);
}

#[test]
fn cell_side_is_refused_outside_of_graphs() {
    let (_, stream) = place();
    let (numbers, cell) = (words(&stream, &[1, 2]), cell(&[0, 0]));
    let copy = Memcpy3D::plane(CopyDestination::cell(&cell), CopySource::device(numbers.as_slice()), 8, 1);
    assert_eq!(copy.copy().unwrap_err(), invalid("add the copy to a graph as a node"));
    assert_eq!(*cell.lock().unwrap(), [0, 0]);
}

#[test]
fn host_nodes_run_once_for_each_launch() {
    let (_, stream) = place();
    let (count, cell) = (Arc::new(AtomicU32::new(0)), cell(&[0, 0]));
    let mut graph = graph();
    let first = {
        let count = Arc::clone(&count);
        graph.host(&[], move || _ = count.fetch_add(1, Ordering::Relaxed)).unwrap()
    };
    graph.host_with(&[first.any()], &cell, |numbers: &mut [u32]| numbers[1] += 2).unwrap();
    let mut program = instantiate(&mut graph);
    drop(graph);
    for _ in 0..3 {
        program.launch(&stream).unwrap();
    }
    assert_eq!(*cell.lock().unwrap(), [0, 6]);
    assert_eq!(count.load(Ordering::Relaxed), 3);
    drop(program);
}

#[test]
fn child_is_a_copy_of_a_graph() {
    let (_, stream) = place();
    let mut numbers = words(&stream, &[0; 2]);
    let (mut part, mut whole) = (graph(), graph());
    let fill = part.fill(&[], numbers.slice_mut(..1).unwrap(), 1).unwrap();
    let first = whole.child(&[], &mut part).unwrap();
    // Later nodes of the part are not those of the whole.
    part.fill(&[fill.any()], numbers.slice_mut(1..).unwrap(), 1).unwrap();
    assert_eq!(whole.node_count().unwrap(), 1);
    drop(part);
    let error = whole.fill(&[fill.any()], &mut numbers, 3).unwrap_err();
    assert_eq!(error, invalid("it belongs to another graph than graph "));
    let _ = first;
    run(&mut whole, &stream);
    assert_eq!(numbers.to_vec().unwrap(), [1, 0]);
}

#[test]
fn moved_child_takes_its_restrictions_along() {
    let (_, stream) = place();
    let mut numbers = words(&stream, &[0; 2]);
    let (mut part, mut whole) = (graph(), graph());
    if !is_since(12, 9) {
        let error = whole.child_moved(&[], part).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FunctionMissing);
        assert!(error.to_string().contains("needs CUDA 12.9"), "{error}");
        return;
    }
    part.temporary::<u32, _>(&[], 2, |nodes, scratch| {
        let fill = nodes.fill(&[], scratch, 4)?;
        nodes.copy(&[fill.any()], &mut numbers, scratch)
    })
    .unwrap();
    whole.child_moved(&[], part).unwrap();
    assert_eq!(whole.try_clone().unwrap_err().kind(), ErrorKind::InvalidArgument);
    run(&mut whole, &stream);
    assert_eq!(numbers.to_vec().unwrap(), [4, 4]);
}

#[test]
fn event_nodes_record_and_wait() {
    if !is_since(11, 1) {
        let error = graph().event_record(&[], &Event::new(&context()).unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FunctionMissing);
        return;
    }
    let (context, stream) = place();
    let (before, after) = (Event::new(&context).unwrap(), Event::new(&context).unwrap());
    let (mut numbers, output) = (words(&stream, &[0]), cell(&[0]));
    let mut graph = graph();
    let wait = graph.event_wait(&[], &before).unwrap();
    let fill = graph.fill(&[wait.any()], &mut numbers, 3).unwrap();
    let back = graph.download(&[fill.any()], &output, &numbers).unwrap();
    graph.event_record(&[back.any()], &after).unwrap();
    let mut program = instantiate(&mut graph);
    drop((before, graph));
    program.launch(&stream).unwrap();
    after.synchronize().unwrap();
    assert_eq!(*output.lock().unwrap(), [3]);
}

#[test]
fn nodes_of_another_graph_are_refused() {
    let (mut first, mut second) = (graph(), graph());
    let node = first.empty(&[]).unwrap().any();
    let foreign = second.empty(&[]).unwrap().any();
    let named =
        format!("{foreign:?}").replace("AnyNode(", "node ").replace(')', ": it belongs to another graph");
    assert_eq!(first.empty(&[foreign]).unwrap_err(), invalid(named));
    first.remove_node(node).unwrap();
    assert_eq!(first.empty(&[node]).unwrap_err(), invalid(": it was removed from its graph"));
    assert_eq!(first.remove_node(node).unwrap_err(), invalid(": it was removed from its graph"));
    assert_eq!(first.nodes().unwrap(), []);
}

#[test]
fn unordered_writes_are_refused_until_ordered() {
    let (_, stream) = place();
    let (mut numbers, other) = (words(&stream, &[0; 4]), words(&stream, &[1; 4]));
    let mut graph = graph();
    let fill = graph.fill(&[], &mut numbers, 2).unwrap().any();
    let copy = graph.copy(&[], numbers.slice_mut(2..).unwrap(), other.slice(2..).unwrap()).unwrap().any();
    let error = graph.instantiate(Default::default()).unwrap_err();
    assert_eq!(error, invalid("touch the same memory, and neither comes after the other"));
    graph.add_edge(fill, copy, EdgeData::new()).unwrap();
    run(&mut graph, &stream);
    assert_eq!(numbers.to_vec().unwrap(), [2, 2, 1, 1]);
}

#[test]
fn disjoint_halves_and_common_reads_need_no_edge() {
    let (_, stream) = place();
    let (mut numbers, other) = (words(&stream, &[0; 4]), words(&stream, &[1, 2]));
    let mut graph = graph();
    let (left, right) = numbers.as_slice_mut().split_at(2).unwrap();
    graph.copy(&[], left, &other).unwrap();
    graph.copy(&[], right, &other).unwrap();
    run(&mut graph, &stream);
    assert_eq!(numbers.to_vec().unwrap(), [1, 2, 1, 2]);
}

#[test]
fn cell_uses_without_an_order_are_refused() {
    let (_, stream) = place();
    let (numbers, cell) = (words(&stream, &[1]), cell(&[0]));
    let (mut whole, mut part) = (graph(), graph());
    whole.download(&[], &cell, &numbers).unwrap();
    part.host_with(&[], &cell, |numbers: &mut [u32]| numbers[0] += 1).unwrap();
    whole.child(&[], &mut part).unwrap();
    let error = whole.instantiate(Default::default()).unwrap_err();
    assert_eq!(error, invalid("touch the same memory"));
    let nodes = whole.nodes().unwrap();
    whole.add_edge(nodes[0], nodes[1], EdgeData::new()).unwrap();
    run(&mut whole, &stream);
    assert_eq!(*cell.lock().unwrap(), [2]);
}

#[test]
fn functions_on_a_cell_without_bytes_need_an_order() {
    struct Token;
    let context = context();
    let token = RegisteredBuf::new(&context, vec![Token], RegisterFlags::default()).unwrap();
    let (cell, other) = (HostCell::new(token), cell(&[0]));
    let mut graph = graph();
    let tokens = |tokens: &mut [Token]| assert_eq!(tokens.len(), 1);
    let first = graph.host_with(&[], &cell, tokens).unwrap().any();
    let second = graph.host_with(&[], &cell, tokens).unwrap().any();
    graph.host_with(&[], &other, |_: &mut [u32]| {}).unwrap();
    assert!(graph.instantiate(Default::default()).is_err(), "both may run at once");
    graph.add_edge(first, second, EdgeData::new()).unwrap();
    graph.instantiate(Default::default()).unwrap();
}

#[test]
fn arrays_that_may_share_memory_need_an_order() {
    let (context, stream) = place();
    let flags = ArrayFlags::DEFERRED_MAPPING;
    let plane = ArrayDescriptor::plane(64, 64, ArrayFormat::UNSIGNED_INT8, 1).with_flags(flags);
    let [first, second] = match [(); 2].map(|()| Array::new(&stream, plane)) {
        [Ok(first), Ok(second)] => [first, second],
        [first, _] => skip!("no arrays with deferred mapping: {:?}", first.err()),
    };
    let memory = PhysicalMemory::new(context.device(), 2 << 20, PhysicalMemoryOptions::new().tile_pool(true));
    let memory = match memory {
        Ok(memory) => memory,
        Err(error) => skip!("no tile pools: {error}"),
    };
    let mut mappings = ArrayMappings::new();
    mappings.map_whole(&first, &memory, 0).unwrap();
    mappings.map_whole(&second, &memory, 0).unwrap();
    if let Err(error) = mappings.submit(&stream) {
        assert!(!is_since(11, 6), "{error}");
        skip!("the driver tells no requirements of arrays: {error}");
    }
    let from = DeviceBuf::<u8>::zeroed(&stream, 4096).unwrap();
    let mut graph = graph();
    let nodes = [&first, &second].map(|array| {
        let to = CopyDestination::array(array);
        let copy = Memcpy3D::plane(to, CopySource::device(from.as_slice()).pitch(64), 64, 64);
        graph.copy_block(&[], &copy).unwrap().any()
    });
    assert_eq!(graph.instantiate(Default::default()).unwrap_err(), invalid("touch the same memory"));
    graph.add_edge(nodes[0], nodes[1], EdgeData::new()).unwrap();
    graph.instantiate(Default::default()).unwrap();
}

#[test]
fn foreign_handles_of_an_array_are_the_same_array() {
    let (_, stream) = place();
    let plane = ArrayDescriptor::plane(64, 64, ArrayFormat::UNSIGNED_INT8, 1);
    let array = Array::new(&stream, plane).unwrap();
    // SAFETY: a live array of this stream, which its owner keeps.
    let foreign = unsafe { Array::from_raw_with_owner(array.as_raw(), &stream, Box::new(array.clone())) };
    let from = DeviceBuf::<u8>::zeroed(&stream, 4096).unwrap();
    let mut graph = graph();
    for array in [&array, &foreign.unwrap()] {
        let to = CopyDestination::array(array);
        let copy = Memcpy3D::plane(to, CopySource::device(from.as_slice()).pitch(64), 64, 64);
        graph.copy_block(&[], &copy).unwrap();
    }
    assert_eq!(graph.instantiate(Default::default()).unwrap_err(), invalid("touch the same memory"));
}

#[test]
fn memory_of_a_peer_is_copied() {
    let Some(second) = second_device() else { skip!("there is one device") };
    let (_, stream) = place();
    let far = Stream::new(&Context::primary(second).unwrap()).unwrap();
    // Memory of a pool would need access between the devices.
    let from = DeviceBuf::from_host_in(&far, &[1, 2, 3], MemorySource::Plain).unwrap();
    let mut to = words(&stream, &[0; 3]);
    let mut graph = graph();
    graph.copy(&[], &mut to, &from).unwrap();
    run(&mut graph, &stream);
    assert_eq!(to.to_vec().unwrap(), [1, 2, 3]);
}

#[test]
fn memory_operations_write_values_that_are_kept() {
    let (_, stream) = place();
    let (output, mut graph) = (cell(&[0; 2]), graph());
    let mut numbers = DeviceBuf::<u32>::zeroed_in(&stream, 2, MemorySource::Plain).unwrap();
    let (first, second) = numbers.as_slice_mut().split_at(1).unwrap();
    let flags = WriteValueFlags::DEFAULT;
    let batch = stream.mem_ops().write(first, 5, flags).unwrap().write(second, 6, flags).unwrap();
    let node = match graph.memory_operations(&[], &batch) {
        Err(error) if !is_since(11, 7) => return assert_eq!(error.kind(), ErrorKind::FunctionMissing),
        Err(error) if error.code() == Some(Code::NotSupported) => {
            skip!("the driver has no batches of memory operations: {error}")
        }
        node => node.unwrap(),
    };
    let back = graph.download(&[], &output, &numbers).unwrap();
    let error = graph.instantiate(Default::default()).unwrap_err();
    assert_eq!(error, invalid("touch the same memory"));
    graph.add_edge(node.any(), back.any(), EdgeData::new()).unwrap();
    let mut program = instantiate(&mut graph);
    program.launch(&stream).unwrap();
    assert_eq!(*output.lock().unwrap(), [5, 6]);
    let (first, second) = numbers.as_slice_mut().split_at(1).unwrap();
    let batch = stream.mem_ops().write(first, 7, flags).unwrap().write(second, 8, flags).unwrap();
    program.set_memory_operations(node, &batch).unwrap();
    drop(numbers);
    program.launch(&stream).unwrap();
    assert_eq!(*output.lock().unwrap(), [7, 8]);
}

#[test]
fn memory_operation_on_pool_memory_fails_the_launch() {
    let (_, stream) = place();
    let (mut number, mut graph) = (words(&stream, &[0]), graph());
    let batch = stream.mem_ops().write(number.as_slice_mut(), 5, WriteValueFlags::DEFAULT).unwrap();
    match graph.memory_operations(&[], &batch) {
        Err(error) if !is_since(11, 7) => return assert_eq!(error.kind(), ErrorKind::FunctionMissing),
        Err(error) if error.code() == Some(Code::NotSupported) => {
            skip!("the driver has no batches of memory operations: {error}")
        }
        node => drop(node.unwrap()),
    }
    let error = instantiate(&mut graph).launch(&stream).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
}

#[test]
fn memory_operation_on_a_bare_address_is_refused() {
    let (_, stream) = place();
    let numbers = words(&stream, &[0]);
    // SAFETY: the batch is not queued.
    let batch = unsafe { stream.mem_ops().write_at(numbers.ptr(), 5, WriteValueFlags::DEFAULT) };
    let error = graph().memory_operations(&[], &batch).unwrap_err();
    assert_eq!(error, invalid("by its address alone"));
}

#[test]
fn semaphore_nodes_before_11_2_are_missing() {
    if is_since(11, 2) {
        skip!("this driver has semaphore nodes");
    }
    let signal = graph().semaphore_signal(&[], &[]);
    assert_eq!(signal.unwrap_err().kind(), ErrorKind::FunctionMissing);
    let wait = graph().semaphore_wait(&[], &[]);
    assert_eq!(wait.unwrap_err().kind(), ErrorKind::FunctionMissing);
}

#[test]
fn removed_nodes_keep_nothing_alive() {
    let (_, stream) = place();
    let value = Arc::new(());
    let mut graph = graph();
    {
        let value = Arc::clone(&value);
        graph.host(&[], move || drop(Arc::clone(&value))).unwrap();
    }
    assert_eq!(Arc::strong_count(&value), 2);
    let node = graph.nodes().unwrap()[0];
    graph.remove_node(node).unwrap();
    assert_eq!(Arc::strong_count(&value), 1, "a removed node keeps nothing");
    run(&mut graph, &stream);
}

/// Conformance fact V1190.
#[test]
fn graphs_inside_one_another_have_a_limit() {
    const MOST: usize = 64;
    let refusal = format!("{} graphs would be inside one another; at most {MOST} may be", MOST + 1);
    let graph = || Graph::new(&context()).unwrap();
    let deepest = |put: fn(&mut Graph, &mut Graph) -> Result<()>| {
        let mut inner = graph();
        for _ in 1..MOST {
            let mut outer = graph();
            put(&mut outer, &mut inner).unwrap();
            inner = outer;
        }
        let error = put(&mut graph(), &mut inner).unwrap_err();
        assert!(error.to_string().contains(&refusal), "{error}");
        inner
    };
    let mut copied = deepest(|outer, inner| outer.child(&[], inner).map(drop));
    let mut cloned = copied.try_clone().unwrap();
    let captured = Graph::capture(&context(), CaptureOptions::new(), |c| c.child(&mut cloned).map(drop));
    assert!(captured.unwrap_err().to_string().contains(&refusal));
    instantiate(&mut copied).launch(&stream()).unwrap();
    if is_since(12, 9) {
        let mut moved = graph();
        for _ in 1..MOST {
            let mut outer = graph();
            outer.child_moved(&[], moved).unwrap();
            moved = outer;
        }
        let error = graph().child_moved(&[], moved).unwrap_err();
        assert!(error.to_string().contains(&refusal), "{error}");
    }
    if is_since(12, 4) {
        let (mut outermost, mut depth) = (graph(), 1);
        let error = add_bodies(&mut outermost, &mut depth).unwrap_err();
        assert!(error.to_string().contains(&refusal), "{error}");
        assert_eq!(depth, MOST);
    }
}

/// Adds a body, a body to this one, and so on.
fn add_bodies(nodes: &mut impl AddNodes, depth: &mut usize) -> Result<()> {
    let condition = nodes.condition(0)?;
    nodes.if_(&[], condition, |body| add_within(body, depth)).map(drop)
}

fn add_within(body: &mut Nodes<'_>, depth: &mut usize) -> Result<()> {
    *depth += 1;
    add_bodies(body, depth)
}

/// Conformance fact V1191.
#[test]
fn bodies_of_a_node_have_a_limit() {
    if !is_since(12, 8) {
        skip!("nodes with many bodies need CUDA 12.8");
    }
    let mut graph = Graph::new(&context()).unwrap();
    let condition = graph.condition(0).unwrap();
    let error = graph.switch(&[], condition, u32::MAX, |_, _| Ok(())).unwrap_err();
    assert!(error.to_string().contains("4294967295 bodies; at most 65536 are possible"), "{error}");
    let mut graph = Graph::new(&context()).unwrap();
    let condition = graph.condition(0).unwrap();
    graph.switch(&[], condition, 3, |_, _| Ok(())).unwrap();
    instantiate(&mut graph).launch(&stream()).unwrap();
}

#[test]
fn removed_child_graphs_do_not_count() {
    let graph = || Graph::new(&context()).unwrap();
    let mut inner = graph();
    for _ in 0..61 {
        let mut outer = graph();
        outer.child(&[], &mut inner).unwrap();
        inner = outer;
    }
    let mut middle = graph();
    let child = middle.child(&[], &mut inner).unwrap();
    assert!(graph().child(&[], &mut middle.try_clone().unwrap()).is_ok());
    let mut outer = graph();
    outer.child(&[], &mut middle).unwrap();
    assert!(graph().child(&[], &mut outer).is_err());
    assert!(graph().child(&[], &mut outer.try_clone().unwrap()).is_err());
    middle.remove_node(child.any()).unwrap();
    // Without the child, the graph may be deep inside others again.
    let mut outer = middle;
    for _ in 0..63 {
        let mut next = graph();
        next.child(&[], &mut outer).unwrap();
        outer = next;
    }
    assert!(graph().child(&[], &mut outer).is_err());
}

#[test]
fn graphs_inside_a_graph_have_a_limit() {
    if !is_since(12, 8) {
        skip!("nodes with many bodies need CUDA 12.8");
    }
    let mut graph = Graph::new(&context()).unwrap();
    for _ in 0..4 {
        let condition = graph.condition(0).unwrap();
        graph.switch(&[], condition, 65_536, |_, _| Ok(())).unwrap();
    }
    let error = graph.child(&[], &mut Graph::new(&context()).unwrap()).unwrap_err();
    let text = "262145 graphs would be inside one graph; at most 262144 may be";
    assert!(error.to_string().contains(text), "{error}");
}
