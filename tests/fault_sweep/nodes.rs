//! Programs with explicit graphs.
//!
//! Launches are waited for before parameters are changed and executable graphs are dropped: objects that live longer go to a
//! thread that is on no machine of the sweep.

use crate::graphs::Idle;
use crate::scenarios::{Done, Scenario, own, plain};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
use cuda_rt::error::ErrorKind;
use cuda_rt::graph::{
    AddNodes, DotFlags, EdgeData, Graph, HostCell, InstantiateOptions, NodeParams, NodeType, SetNodes,
    UserObject,
};
use cuda_rt::launch::{Arg, LaunchAttributes};
use cuda_rt::memory::{
    AccessSize, CopyDestination, CopySource, Memcpy3D, MemorySource, PitchedBuf, WriteValueFlags,
};
use cuda_rt::{Context, DeviceBuf, DevicePtr, Event, LaunchConfig, Module, PinnedBuf, Stream};

pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario { retires: true, ends_process: true, ..plain("explicit graphs", explicit) },
    Scenario { retires: true, ends_process: true, ..plain("nodes that are changed", changed) },
    Scenario { retires: true, ..plain("structure of graphs", structure) },
    Scenario { retires: true, ends_process: true, ..plain("parameters of nodes", parameters) },
    Scenario { retires: true, ..plain("clones and children of graphs", clones) },
    Scenario { retires: true, ends_process: true, ..plain("blocks in graphs", blocks) },
    Scenario { retires: true, ..plain("memory of graphs", memory) },
    Scenario { retires: true, ..plain("nodes that are refused", refused) },
    Scenario { retires: true, ..plain("conditional graphs", conditional) },
    Scenario { retires: true, ..plain("memory operations in graphs", operations) },
    plain("user objects", user_objects),
];

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry put(.param .u64 out, .param .u32 value) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [out]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret; }";

const ONE: LaunchConfig = LaunchConfig::new(1, 1);

type Cell = HostCell<PinnedBuf<u32>>;

fn cell(context: &Context, values: &[u32]) -> Result<Cell, cuda_rt::Error> {
    Ok(HostCell::new(PinnedBuf::from_slice(context, values)?))
}

fn launch(graph: &mut Graph, stream: &Stream) -> Done {
    let mut program = graph.instantiate(InstantiateOptions::new())?;
    let idle = Idle(stream);
    program.launch(stream)?;
    stream.synchronize()?;
    drop(idle);
    program.close()
}

fn explicit() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let module = Module::from_ptx(&context, PTX)?;
    let put = module.function("put")?.typed::<(DevicePtr<u32>, u32)>()?;
    let event = Event::new(&context)?;
    let (mut first, mut second) =
        (DeviceBuf::<u32>::zeroed(&stream, 2)?, DeviceBuf::<u32>::zeroed(&stream, 2)?);
    let (input, output) = (cell(&context, &[3, 4])?, cell(&context, &[0, 0])?);
    let mut graph = Graph::new(&context)?;
    let upload = graph.upload(&[], &mut first, &input)?;
    // SAFETY: one thread writes the first number, which the graph keeps, after the copy.
    let kernel = unsafe { graph.kernel(&[upload.any()], &put, ONE, (Arg(first.ptr(), &first), 7)) }?;
    let wait = graph.event_wait(&[kernel.any()], &event)?;
    let copy = graph.copy(&[wait.any()], &mut second, &first)?;
    let fill = graph.fill(&[copy.any()], &mut first, 1)?;
    let back = graph.download(&[copy.any()], &output, &second)?;
    let host = graph.host_with(&[back.any()], &output, |numbers: &mut [u32]| numbers[1] += 1)?;
    let end = graph.empty(&[fill.any(), host.any()])?;
    graph.event_record(&[end.any()], &event)?;
    drop((module, put, event));
    launch(&mut graph, &stream)?;
    assert_eq!(*output.lock()?, [7, 5]);
    assert_eq!(first.to_vec()?, [1, 1]);
    graph.close()
}

fn changed() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let module = Module::from_ptx(&context, PTX)?;
    let put = module.function("put")?.typed::<(DevicePtr<u32>, u32)>()?;
    let (event, other) = (Event::new(&context)?, Event::new(&context)?);
    let (mut first, mut second) =
        (DeviceBuf::<u32>::zeroed(&stream, 2)?, DeviceBuf::<u32>::zeroed(&stream, 2)?);
    let output = cell(&context, &[0, 0])?;
    let mut graph = Graph::new(&context)?;
    let mut part = Graph::new(&context)?;
    part.fill(&[], &mut second, 1)?;
    let fill = graph.fill(&[], &mut first, 1)?;
    // SAFETY: one thread writes the first number, which the graph keeps, after the fill.
    let kernel = unsafe { graph.kernel(&[fill.any()], &put, ONE, (Arg(first.ptr(), &first), 7)) }?;
    let copy = graph.download(&[kernel.any()], &output, &first)?;
    let host = graph.host(&[copy.any()], || ())?;
    let record = graph.event_record(&[host.any()], &event)?;
    let child = graph.child(&[record.any()], &mut part)?;
    let mut program = graph.instantiate(InstantiateOptions::new())?;
    let idle = Idle(&stream);
    program.set_fill(fill, &mut first, 2)?;
    // SAFETY: as above, with the second number.
    unsafe { program.set_kernel(kernel, &put, ONE, (Arg(first.ptr().add(1), &first), 8)) }?;
    program.set_download(copy, &output, &first)?;
    program.set_host_with(host, &output, |numbers: &mut [u32]| numbers[1] += 1)?;
    program.set_event_record(record, &other)?;
    let mut changed = Graph::new(&context)?;
    changed.fill(&[], &mut second, 5)?;
    program.set_child(child, &mut changed)?;
    program.set_enabled(fill, false)?;
    assert!(!program.is_enabled(fill)?);
    program.set_enabled(fill, true)?;
    graph.set_fill(fill, &mut first, 3)?;
    // SAFETY: as above.
    unsafe { graph.set_kernel(kernel, &put, ONE, (Arg(first.ptr(), &first), 9)) }?;
    graph.set_host(host, || ())?;
    graph.set_event_record(record, &other)?;
    program.launch(&stream)?;
    stream.synchronize()?;
    assert_eq!(*output.lock()?, [2, 9]);
    assert_eq!(second.to_vec()?, [5, 5]);
    drop(idle);
    program.close()
}

fn parameters() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let module = Module::from_ptx(&context, PTX)?;
    let put = module.function("put")?.typed::<(DevicePtr<u32>, u32)>()?;
    let event = Event::new(&context)?;
    let (mut first, mut second) =
        (DeviceBuf::<u32>::zeroed(&stream, 2)?, DeviceBuf::<u32>::zeroed(&stream, 2)?);
    let (mut graph, mut part) = (Graph::new(&context)?, Graph::new(&context)?);
    let fill = part.fill(&[], &mut second, 1)?;
    part.empty(&[fill.any()])?;
    // SAFETY: one thread writes the first number, which the graph keeps.
    let kernel = unsafe { graph.kernel(&[], &put, ONE, (Arg(first.ptr(), &first), 7)) }?.any();
    graph.copy(&[kernel], &mut first, &second)?;
    graph.host(&[], || ())?;
    let record = graph.event_record(&[], &event)?;
    graph.event_wait(&[record.any()], &event)?;
    graph.child(&[], &mut part)?;
    let write = stream.mem_ops().write(first.slice_mut(..1)?, 5, WriteValueFlags::DEFAULT)?;
    graph.memory_operations(&[], &write)?;
    graph.temporary::<u32, _>(&[], 4, |nodes, memory| nodes.fill(&[], memory, 1).map(drop))?;
    let nodes = graph.nodes()?;
    for node in nodes {
        let params = graph.node_params(node)?;
        if let NodeParams::Kernel(params) = params {
            // SAFETY: the graph has the node, and keeps its module.
            assert_eq!(unsafe { params.arguments() }?[1], 7_u32.to_ne_bytes());
        }
    }
    let when = graph.condition(1)?;
    let choice = graph.if_(&[], when, |body| body.empty(&[]).map(drop))?;
    graph.node_params(choice.any())?;
    graph.close()
}

fn structure() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let module = Module::from_ptx(&context, PTX)?;
    let put = module.function("put")?.typed::<(DevicePtr<u32>, u32)>()?;
    let numbers = DeviceBuf::<u32>::zeroed(&stream, 1)?;
    let mut graph = Graph::new(&context)?;
    // SAFETY: one thread writes the number, which the graph keeps.
    let kernel = unsafe { graph.kernel(&[], &put, ONE, (Arg(numbers.ptr(), &numbers), 7)) }?;
    let (first, last) = (graph.empty(&[])?.any(), graph.empty(&[])?.any());
    graph.add_edge(first, last, EdgeData::new())?;
    graph.add_edge(kernel.any(), last, EdgeData::new())?;
    assert_eq!((graph.node_count()?, graph.roots()?.len(), graph.edges_with_data()?.len()), (3, 2, 2));
    assert_eq!((graph.dependencies(last)?.len(), graph.dependents(first)?.len()), (2, 1));
    assert_eq!(graph.node_type(first)?, NodeType::EMPTY);
    graph.remove_edge(first, last, EdgeData::new())?;
    graph.remove_node(first)?;
    assert_ne!(graph.kernel_attributes(kernel)?.cooperative, Some(true));
    // SAFETY: a priority changes nothing that the kernel relies on.
    unsafe { graph.set_kernel_attributes(kernel, &LaunchAttributes::new().priority(-1)) }?;
    // SAFETY: as above.
    unsafe { graph.copy_kernel_attributes(kernel, kernel) }?;
    assert!(graph.dot(DotFlags::VERBOSE)?.starts_with("digraph"));
    launch(&mut graph, &stream)?;
    assert_eq!(numbers.to_vec()?, [7]);
    Ok(())
}

fn clones() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let mut numbers = DeviceBuf::<u32>::zeroed(&stream, 2)?;
    let mut graph = Graph::new(&context)?;
    let fill = graph.fill(&[], numbers.slice_mut(..1)?, 1)?;
    graph.fill(&[], numbers.slice_mut(1..)?, 2)?;
    let mut clone = graph.try_clone()?;
    let same = graph.find_in_clone(&mut clone, fill)?;
    clone.remove_node(same.any())?;
    let mut whole = Graph::new(&context)?;
    whole.child(&[], &mut clone)?;
    drop((graph, clone));
    launch(&mut whole, &stream)?;
    assert_eq!(numbers.to_vec()?, [0, 2]);
    Ok(())
}

fn blocks() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let bytes = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4, 5, 6, 7, 8])?;
    let array = Array::new(&stream, ArrayDescriptor::plane(4, 2, ArrayFormat::UNSIGNED_INT8, 1))?;
    let mut matrix = PitchedBuf::<u16>::uninit(&stream, 4, 2, AccessSize::Four)?;
    matrix.fill(1)?;
    let output = HostCell::new(PinnedBuf::<u8>::zeroed(&context, 2)?);
    let mut graph = Graph::new(&context)?;
    let rows = CopySource::device(bytes.as_slice()).pitch(4);
    let copy = graph.copy_block(&[], &Memcpy3D::plane(CopyDestination::array(&array), rows, 4, 2))?;
    let column = Memcpy3D::plane(CopyDestination::cell(&output), CopySource::array(&array).at(1, 0, 0), 1, 2);
    let back = graph.copy_block(&[copy.any()], &column)?;
    graph.fill_rows(&[back.any()], &mut matrix.part_mut([1, 0, 0], [2, 2, 1])?, 7)?;
    drop((bytes, array));
    launch(&mut graph, &stream)?;
    assert_eq!(*output.lock()?, [2, 6]);
    assert_eq!(matrix.to_vec()?, [1, 7, 7, 1, 1, 7, 7, 1]);
    Ok(())
}

fn memory() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let mut numbers = DeviceBuf::<u32>::zeroed(&stream, 4)?;
    let mut graph = Graph::new(&context)?;
    graph.temporary(&[], 4, |nodes, scratch| {
        let fill = nodes.fill(&[], scratch, 7_u32)?;
        nodes.copy(&[fill.any()], &mut numbers, scratch)
    })?;
    launch(&mut graph, &stream)?;
    assert_eq!(numbers.to_vec()?, [7; 4]);
    drop(graph);
    let device = context.device();
    device.graph_mem_usage()?;
    device.reset_graph_mem_high_marks()?;
    device.trim_graph_memory()
}

fn refused() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let mut numbers = DeviceBuf::<u32>::zeroed(&stream, 4)?;
    let mut graph = Graph::new(&context)?;
    let first = graph.fill(&[], &mut numbers, 1)?.any();
    let second = graph.fill(&[], &mut numbers, 2)?.any();
    match graph.instantiate(InstantiateOptions::new()) {
        Err(error) if error.kind() == ErrorKind::InvalidArgument => {}
        Err(error) => return Err(error),
        Ok(_) => panic!("the fills have no order"),
    }
    graph.add_edge(first, second, EdgeData::new())?;
    launch(&mut graph, &stream)?;
    assert_eq!(numbers.to_vec()?, [2; 4]);
    Ok(())
}

fn conditional() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let mut numbers = DeviceBuf::<u32>::zeroed(&stream, 3)?;
    let mut graph = Graph::new(&context)?;
    let condition = graph.condition(1)?;
    let first = graph.if_(&[], condition, |body| {
        let fill = body.fill(&[], numbers.slice_mut(..1)?, 1)?;
        let inner = body.condition(0)?;
        body.if_(&[fill.any()], inner, |body| body.empty(&[]).map(drop)).map(drop)
    })?;
    let condition = graph.condition(1)?;
    graph.switch(&[first.any()], condition, 2, |index, body| {
        let index = index as usize + 1;
        body.fill(&[], numbers.slice_mut(index..=index)?, 2).map(drop)
    })?;
    launch(&mut graph, &stream)?;
    assert_eq!(numbers.to_vec()?, [1, 0, 2]);
    Ok(())
}

fn operations() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    // Memory operations refuse memory of pools.
    let mut numbers = DeviceBuf::<u32>::zeroed_in(&stream, 1, MemorySource::Plain)?;
    let mut graph = Graph::new(&context)?;
    let write = stream.mem_ops().write(numbers.as_slice_mut(), 5, WriteValueFlags::DEFAULT)?;
    let node = graph.memory_operations(&[], &write)?;
    let write = stream.mem_ops().write(numbers.as_slice_mut(), 6, WriteValueFlags::DEFAULT)?;
    graph.set_memory_operations(node, &write)?;
    launch(&mut graph, &stream)?;
    assert_eq!(numbers.to_vec()?, [6]);
    let mut program = graph.instantiate(InstantiateOptions::new())?;
    let idle = Idle(&stream);
    let write = stream.mem_ops().write(numbers.as_slice_mut(), 7, WriteValueFlags::DEFAULT)?;
    program.set_memory_operations(node, &write)?;
    program.launch(&stream)?;
    stream.synchronize()?;
    drop(idle);
    program.close()?;
    assert_eq!(numbers.to_vec()?, [7]);
    Ok(())
}

fn user_objects() -> Done {
    let context = own()?;
    let object = UserObject::new(vec![1, 2, 3])?;
    let mut graph = Graph::new(&context)?;
    graph.retain_user_object(&object)?;
    // SAFETY: the graph has the reference.
    unsafe { graph.release_user_object(&object, 1) }?;
    object.close()?;
    graph.close()
}
