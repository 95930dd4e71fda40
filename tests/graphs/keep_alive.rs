//! Objects that graphs keep alive until the last launch is done.

use crate::setup::{capture, instantiate, is_since, kernel, module, place, words};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
use cuda_rt::error::ErrorKind;
use cuda_rt::graph::{CaptureOptions, Graph, HostCell};
use cuda_rt::launch::Arg;
use cuda_rt::memory::{
    AccessSize, MemAttach, MemoryRelease, PhysicalMemory, PhysicalMemoryOptions, PitchedBuf, VirtualMemory,
};
use cuda_rt::texture::{TexObject, TextureDescriptor};
use cuda_rt::{
    DeviceBuf, DevicePtr, DeviceSlice, Event, LaunchConfig, ManagedBuf, Module, PinnedBuf, Stream,
};
use cuda_suite::{context, skip, stream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Buffers that take the addresses of memory that was freed by mistake, and overwrite it.
fn reuse(stream: &Stream, len: usize) -> Vec<DeviceBuf<u32>> {
    let mut others: Vec<_> = (0..64).map(|_| DeviceBuf::<u32>::zeroed(stream, len).unwrap()).collect();
    others.iter_mut().for_each(|buffer| buffer.as_slice_mut().fill(0xdead).unwrap());
    stream.synchronize().unwrap();
    others
}

/// Waits until nothing keeps `value` but this handle.
pub(crate) fn until_alone<T: ?Sized>(value: &Arc<T>) {
    let start = Instant::now();
    while Arc::strong_count(value) > 1 {
        assert!(start.elapsed() < Duration::from_secs(20), "it is kept for ever");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn dropped_buffers_live_on_in_a_graph() {
    let (_, stream) = place();
    let (from, result) = (words(&stream, &[1, 2, 3, 4]), words(&stream, &[0; 4]));
    let (mut middle, mut to) = (words(&stream, &[0; 4]), result);
    let mut graph = capture(|c| {
        c.copy(&mut middle, &from)?;
        c.copy(&mut to, &middle)
    });
    let address = from.ptr();
    drop((from, middle));
    let others = reuse(&stream, 4);
    assert!(others.iter().all(|other| other.ptr() != address), "the memory was freed");
    let mut program = instantiate(&mut graph);
    drop(graph);
    for _ in 0..100 {
        to.as_slice_mut().fill(0).unwrap();
        program.launch(&stream).unwrap();
        assert_eq!(to.to_vec().unwrap(), [1, 2, 3, 4]);
    }
}

#[test]
fn buffers_are_freed_with_the_last_graph() {
    let (_, stream) = place();
    let (mut first, second) = (words(&stream, &[0; 4]), words(&stream, &[7; 4]));
    let mut graph = capture(|c| c.copy(&mut first, &second));
    let program = instantiate(&mut graph);
    let mut child_of = if is_since(11, 3) { Some(capture(|c| c.child(&mut graph).map(drop))) } else { None };
    drop((first, graph, program));
    if let Some(parent) = &mut child_of {
        // The parent alone keeps the memory.
        instantiate(parent).launch(&stream).unwrap();
        stream.synchronize().unwrap();
    }
    drop(child_of);
    // Nothing holds it any more.
    let mut second = second;
    let other = Stream::new(stream.context()).unwrap();
    eventually(|| second.move_to(&other).is_ok());
    second.close().unwrap();
}

/// Waits until executable graphs that were dropped have let go of what they keep.
fn eventually(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "it is held for ever");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn children_and_copies_keep_in_any_order() {
    if !is_since(11, 3) {
        skip!("captures have no children before CUDA 11.3");
    }
    let (_, stream) = place();
    for order in 0..6 {
        let source = words(&stream, &[order + 1; 4]);
        let mut to = words(&stream, &[0; 4]);
        let mut child = capture(|c| c.copy(&mut to, &source));
        let mut parent = capture(|c| c.child(&mut child).map(drop));
        let mut programs = vec![instantiate(&mut child), instantiate(&mut parent), instantiate(&mut parent)];
        drop(source);
        let mut rest: Vec<Box<dyn std::any::Any>> = vec![Box::new(child), Box::new(parent)];
        rest.swap_remove((order % 2) as usize);
        drop(programs.swap_remove((order / 2) as usize));
        let _others = reuse(&stream, 4);
        for program in &mut programs {
            to.as_slice_mut().fill(0).unwrap();
            program.launch(&stream).unwrap();
            assert_eq!(to.to_vec().unwrap(), [order + 1; 4]);
        }
    }
}

#[test]
fn modules_live_on_in_a_graph() {
    let (context, stream) = place();
    let buffer = words(&stream, &[0]);
    let module = module(&context);
    let mut graph = capture(|c| {
        let put = kernel(&module, "put");
        // SAFETY: one thread writes one number, and the graph keeps the buffer.
        unsafe { put.with(LaunchConfig::new(1, 1)).launch(c, (Arg(buffer.ptr(), &buffer), 9_u32)) }
    });
    drop(module);
    let mut program = instantiate(&mut graph);
    program.launch(&stream).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [9]);
}

#[test]
fn named_owners_of_arguments_are_kept() {
    let (context, stream) = place();
    let module = module(&context);
    let copy = module.function("move").unwrap().typed::<(DevicePtr<u32>, DevicePtr<u32>)>().unwrap();
    let (to, from) = (words(&stream, &[0]), words(&stream, &[6]));
    let mut graph = capture(|c| {
        let source = from.as_slice();
        let args = (Arg(to.ptr(), &to), Arg(from.ptr(), &source));
        // SAFETY: one thread reads one number and writes another, and the graph keeps both.
        unsafe { copy.with(LaunchConfig::new(1, 1)).launch(c, args) }
    });
    drop(from);
    let _others = reuse(&stream, 1);
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!(to.to_vec().unwrap(), [6]);
}

#[test]
fn variables_are_kept_with_their_module() {
    let (context, stream) = place();
    let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .global .align 4 .u32 counter = 5;";
    let variable = Module::from_ptx(&context, ptx).unwrap().global::<u32>("counter").unwrap();
    let module = module(&context);
    let copy = module.function("move").unwrap().typed::<(DevicePtr<u32>, DevicePtr<u32>)>().unwrap();
    let to = words(&stream, &[0]);
    let mut graph = capture(|c| {
        let args = (Arg(to.ptr(), &to), Arg(variable.ptr(), &variable));
        // SAFETY: one thread reads one number and writes another, and the graph keeps both.
        unsafe { copy.with(LaunchConfig::new(1, 1)).launch(c, args) }
    });
    drop(variable);
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!(to.to_vec().unwrap(), [5]);
}

#[test]
fn owners_that_cannot_be_kept_are_refused() {
    let (context, stream) = place();
    let module = module(&context);
    let put = kernel(&module, "put");
    let pinned = PinnedBuf::<u32>::zeroed(&context, 1).unwrap();
    let managed = ManagedBuf::<u32>::zeroed(&stream, 1, MemAttach::Global).ok();
    let launch = put.with(LaunchConfig::new(1, 1));
    let refused = Graph::capture(&context, CaptureOptions::new(), |c| {
        // SAFETY: nothing is launched.
        unsafe { launch.launch(c, (Arg(DevicePtr::null(), &pinned), 1_u32)) }
    });
    let error = refused.unwrap_err();
    assert!(error.to_string().contains("the owner of an argument cannot be kept"), "{error}");
    // SAFETY: the slice is not used.
    let slice = unsafe { DeviceSlice::<u32>::from_raw_parts(DevicePtr::from_raw(256), 1, &stream) };
    let mut to = words(&stream, &[0]);
    let refused = Graph::capture(&context, CaptureOptions::new(), |c| c.copy(&mut to, slice));
    assert!(refused.unwrap_err().to_string().contains("memory of a slice"));
    if let Some(managed) = managed {
        let refused =
            Graph::capture(&context, CaptureOptions::new(), |c| c.copy(&mut to, managed.as_slice()));
        assert!(refused.unwrap_err().to_string().contains("managed memory"));
    }
}

#[test]
fn events_live_on_in_a_graph() {
    if !is_since(11, 1) {
        skip!("the driver has no event nodes");
    }
    let (context, stream) = place();
    let mut buffer = words(&stream, &[0; 4]);
    let reached = Event::new(&context).unwrap();
    let mut graph = capture(|c| {
        c.wait_external(&reached)?;
        c.fill(&mut buffer, 3)?;
        c.record_external(&reached)
    });
    reached.close().unwrap();
    let mut program = instantiate(&mut graph);
    (0..3).for_each(|_| program.launch(&stream).unwrap());
    assert_eq!(buffer.to_vec().unwrap(), [3; 4]);
}

#[test]
fn objects_of_all_kinds_are_kept() {
    let (context, stream) = place();
    let array = Array::new(&stream, ArrayDescriptor::line(4, ArrayFormat::UNSIGNED_INT32, 1)).unwrap();
    let texture = TexObject::new(&context, array.clone(), &TextureDescriptor::default()).unwrap();
    let pitched = PitchedBuf::<u32>::uninit(&stream, 4, 4, AccessSize::Four).unwrap();
    let value = Arc::new(5);
    let cell = HostCell::new(PinnedBuf::<u32>::zeroed(&context, 1).unwrap());
    let module = module(&context);
    let graph = capture(|c| {
        c.keep(&array)?;
        c.keep(&texture)?;
        c.keep(&pitched)?;
        c.keep(&value)?;
        c.keep(&cell)?;
        c.keep(&module)?;
        c.keep(&module.function("put")?)
    });
    drop((array, texture, pitched, module));
    let cell = cell.try_into_inner().unwrap_err();
    assert_eq!(Arc::strong_count(&value), 2);
    drop(graph);
    assert_eq!(Arc::strong_count(&value), 1);
    assert_eq!(*cell.try_into_inner().unwrap(), [0]);
}

#[test]
fn changes_of_what_a_graph_holds_are_refused() {
    let (_, stream) = place();
    let mut buffer = words(&stream, &[1; 4]);
    let other = Stream::new(stream.context()).unwrap();
    let graph = capture(|c| c.keep(&buffer));
    let error = buffer.move_to(&other).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::HeldByGraph);
    assert!(error.to_string().contains("buffer: a graph, an executable graph"), "{error}");
    buffer.move_to(&stream).unwrap();
    buffer.as_slice_mut().fill(2).unwrap();
    drop(graph);
    buffer.move_to(&other).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [2; 4]);
}

#[test]
fn mappings_that_a_graph_holds_stay() {
    let (context, stream) = place();
    let device = context.device();
    let Ok(physical) = PhysicalMemory::new(device, 1 << 21, PhysicalMemoryOptions::new()) else {
        skip!("the device maps no memory")
    };
    let mut range = VirtualMemory::reserve(&stream, 1 << 21).unwrap();
    range.map(0, &physical).unwrap();
    range.set_access(.., &[device], cuda_rt::memory::AccessFlags::READ_WRITE).unwrap();
    let mut graph = capture(|c| c.fill(range.slice_mut::<u32>(..1024)?, 4));
    assert_eq!(range.unmap(..).unwrap_err().kind(), ErrorKind::HeldByGraph);
    let access = range.set_access(.., &[], cuda_rt::memory::AccessFlags::READ_WRITE);
    assert_eq!(access.unwrap_err().kind(), ErrorKind::HeldByGraph);
    assert_eq!(range.move_to(&Stream::legacy(&context)).unwrap_err().kind(), ErrorKind::HeldByGraph);
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!(range.slice::<u32>(..1024).unwrap().to_vec().unwrap(), vec![4; 1024]);
    drop(graph);
    eventually(|| range.unmap(..).is_ok());
    drop(physical);
}

#[test]
fn memory_given_away_is_freed_after_the_graph() {
    let (_, stream) = place();
    let source = words(&stream, &[8; 4]);
    let mut to = words(&stream, &[0; 4]);
    let mut graph = capture(|c| c.copy(&mut to, &source));
    let (address, len, release) = source.into_raw();
    assert!(matches!(release, MemoryRelease::Owner(_)));
    // SAFETY: as it was given away.
    let source = unsafe { DeviceBuf::<u32>::from_raw(address, len, &stream, release) };
    assert_eq!(source.to_vec().unwrap(), [8; 4]);
    drop(source);
    let _others = reuse(&stream, 4);
    instantiate(&mut graph).launch(&stream).unwrap();
    assert_eq!(to.to_vec().unwrap(), [8; 4]);
}

#[test]
fn executable_dropped_in_flight_keeps_until_the_end() {
    let (_, stream) = place();
    let (source, mut to) = (words(&stream, &[3; 4]), words(&stream, &[0; 4]));
    let count = Arc::new(std::sync::atomic::AtomicU32::new(0));
    for _ in 0..20 {
        let counted = Arc::clone(&count);
        let own = words(&stream, &[5; 4]);
        let mut graph = capture(|c| {
            c.host(move || {
                std::thread::sleep(Duration::from_millis(1));
                counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            })?;
            c.copy(&mut to, &own)?;
            c.copy(&mut to, &source)
        });
        let mut program = instantiate(&mut graph);
        program.launch(&stream).unwrap();
        drop((program, graph, own));
    }
    stream.synchronize().unwrap();
    assert_eq!(count.load(std::sync::atomic::Ordering::SeqCst), 20);
    assert_eq!(to.to_vec().unwrap(), [3; 4]);
    until_alone(&count);
}

#[test]
fn objects_dropped_inside_host_functions_are_kept() {
    let stream = stream();
    let source = words(&stream, &[4; 4]);
    let mut to = words(&stream, &[0; 4]);
    let mut graph =
        Graph::capture(&context(), CaptureOptions::new(), |c| c.copy(&mut to, &source)).unwrap().0;
    stream.launch_host_function(move || drop(source)).unwrap();
    stream.synchronize().unwrap();
    let mut program = instantiate(&mut graph);
    program.launch(&stream).unwrap();
    assert_eq!(to.to_vec().unwrap(), [4; 4]);
    stream.launch_host_function(move || drop((program, graph))).unwrap();
    stream.synchronize().unwrap();
}
