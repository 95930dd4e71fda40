//! Memory and semaphores of other APIs. The memory comes from CUDA itself, which exports it as Vulkan does. The semaphores come from
//! the stand-in of cuda-sim: on hardware `interop/tests/vulkan.rs` does the same with Vulkan.
#![allow(unsafe_code)]

use crate::is_since;
use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::external::{
    ExternalMemory, ExternalMemoryFlags, ExternalMemoryHandle, ExternalSemaphore, ExternalSemaphoreHandle,
    SemaphoreKind, SemaphoreSignal, SemaphoreWait,
};
use cuda_rt::graph::{AddNodes, CaptureOptions, Graph, NodeParams, SetNodes};
use cuda_rt::memory::{
    AccessFlags, MemoryRelease, PhysicalMemory, PhysicalMemoryOptions, ShareableHandleTypes, VirtualMemory,
};
use cuda_rt::{Context, DeviceBuf, DevicePtr, Error, LaunchConfig, Module, Result, Stream};
use cuda_sim::external::Semaphore;
use cuda_suite::{Choice, code, context, device, driver, skip, stream};
use cuda_sys::CUresult;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr::null_mut;

const NO_FLAGS: ExternalMemoryFlags = ExternalMemoryFlags::empty();

fn options() -> PhysicalMemoryOptions {
    PhysicalMemoryOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR)
}

/// The memory of the other side. `None` where memory has no file descriptors.
fn exportable() -> Option<PhysicalMemory> {
    if !is_since(11, 0) {
        return None;
    }
    let bytes = PhysicalMemory::granularity(device(), options()).ok()?;
    PhysicalMemory::new(device(), bytes, options()).ok()
}

macro_rules! exportable {
    () => {{
        let Some(memory) = exportable() else { skip!("memory cannot be exported here") };
        memory
    }};
}

fn import(theirs: &PhysicalMemory, context: &Context) -> ExternalMemory {
    let handle = ExternalMemoryHandle::OpaqueFd(theirs.export_fd().unwrap());
    // SAFETY: memory of this size, which the tests use in order.
    unsafe { ExternalMemory::import(context, handle, theirs.size_bytes() as u64, NO_FLAGS) }.unwrap()
}

fn map<T: bytemuck::AnyBitPattern>(
    memory: &ExternalMemory,
    stream: &Stream,
    offset: u64,
    len: usize,
) -> DeviceBuf<T> {
    // SAFETY: the tests use the mappings of one memory on one stream.
    unsafe { memory.buffer(stream, offset, len) }.unwrap()
}

/// The memory as the other side sees it.
fn their_view(theirs: &PhysicalMemory, stream: &Stream) -> VirtualMemory {
    let bytes = theirs.size_bytes();
    let mut view = VirtualMemory::reserve(stream, bytes).unwrap();
    view.map(0, theirs).unwrap();
    view.set_access(..bytes, &[device()], AccessFlags::READ_WRITE).unwrap();
    view
}

fn refused<T>(answer: Result<T>, code: Code) -> Error {
    let error = answer.err().unwrap();
    assert_eq!(error.code(), Some(code), "{error}");
    error
}

fn invalid<T>(answer: Result<T>, text: &str) {
    let error = answer.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    assert!(error.to_string().contains(text), "{error}");
}

#[test]
fn buffer_and_other_side_share_their_bytes() {
    let (theirs, stream) = (exportable!(), stream());
    let mut view = their_view(&theirs, &stream);
    let memory = import(&theirs, &context());
    assert_eq!((memory.size_bytes(), memory.context()), (theirs.size_bytes() as u64, &context()));
    view.slice_mut::<u32>(..4).unwrap().copy_from_host(&[1, 2, 3, 4]).unwrap();
    let mut words = map::<u32>(&memory, &stream, 0, 4);
    assert_eq!(words.to_vec().unwrap(), [1, 2, 3, 4]);
    words.slice_mut(1..3).unwrap().copy_from_host(&[7, 8]).unwrap();
    assert_eq!(view.slice::<u32>(..4).unwrap().to_vec().unwrap(), [1, 7, 8, 4]);
    let mut bytes = map::<u8>(&memory, &stream, 5, 6);
    assert_eq!(bytes.ptr().as_raw() % 8, 5, "the place in the page is that in the memory");
    bytes.as_slice_mut().fill(0xff).unwrap();
    assert_eq!(words.to_vec().unwrap(), [1, 0xffff_ff07, 0x00ff_ffff, 4]);
}

#[test]
fn kernel_writes_a_mapped_buffer() {
    const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
        .visible .entry numbers(.param .u64 to) {
            .reg .b64 %a; .reg .b64 %o; .reg .b32 %i;
            ld.param.u64 %a, [to]; mov.u32 %i, %tid.x; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o;
            st.global.u32 [%a], %i; ret; }";
    let (theirs, stream) = (exportable!(), stream());
    let buffer = map::<u32>(&import(&theirs, &context()), &stream, 4096, 32);
    let kernel = Module::from_ptx(&context(), PTX).unwrap().function("numbers").unwrap();
    let kernel = crate::typed::<(DevicePtr<u32>,)>(&kernel);
    // SAFETY: 32 threads write 32 words, on the stream of the buffer.
    unsafe { kernel.launch(LaunchConfig::new(1, 32), &stream, (buffer.ptr(),)) }.unwrap();
    let view = their_view(&theirs, &stream);
    let seen = view.slice_bytes::<u32>(4096..4096 + 128).unwrap().to_vec().unwrap();
    assert_eq!(seen, (0..32).collect::<Vec<u32>>());
}

#[test]
fn buffer_keeps_the_memory() {
    let (theirs, stream) = (exportable!(), stream());
    let memory = import(&theirs, &context());
    let kept = memory.clone();
    assert_eq!(memory, kept);
    let mut buffer = map::<u8>(&memory, &stream, 0, 64);
    memory.close().unwrap(); // not the last handle
    drop((kept, theirs));
    buffer.as_slice_mut().fill(3).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [3; 64]);
    assert!(!buffer.is_plain());
    invalid(buffer.ipc_handle(), "memory of another API");
    let (ptr, len, release) = buffer.into_raw();
    assert!(matches!(release, MemoryRelease::Owner(_)), "{release:?}");
    // SAFETY: what a buffer on this stream was.
    let buffer = unsafe { DeviceBuf::from_raw(ptr, len, &stream, release) };
    assert_eq!(buffer.to_vec().unwrap(), [3; 64]);
    buffer.close().unwrap();
}

#[test]
fn graph_keeps_a_mapped_buffer() {
    let (theirs, stream) = (exportable!(), stream());
    let mut view = their_view(&theirs, &stream);
    let buffer = map::<u8>(&import(&theirs, &context()), &stream, 0, 8);
    let mut seen = DeviceBuf::<u8>::zeroed(&stream, 8).unwrap();
    let (mut graph, ()) =
        Graph::capture(&context(), CaptureOptions::new(), |capture| capture.copy(&mut seen, &buffer))
            .unwrap();
    drop(buffer);
    let mut program = graph.instantiate(Default::default()).unwrap();
    for round in 1..4 {
        view.slice_mut::<u8>(..8).unwrap().fill(round).unwrap();
        program.launch(&stream).unwrap();
        assert_eq!(seen.to_vec().unwrap(), [round; 8]);
    }
}

#[test]
fn ranges_outside_of_the_memory_are_refused() {
    let (theirs, stream) = (exportable!(), stream());
    let (memory, bytes) = (import(&theirs, &context()), theirs.size_bytes());
    let buffer = |offset, len| {
        // SAFETY: it is refused.
        unsafe { memory.buffer::<u32>(&stream, offset, len) }
    };
    invalid(buffer(0, bytes / 4 + 1), "beyond the");
    invalid(buffer(bytes as u64, 1), "beyond the");
    invalid(buffer(u64::MAX, 1), "beyond the");
    invalid(buffer(0, usize::MAX), "exceed");
    invalid(buffer(0, 0), "has 0 bytes");
    invalid(buffer(2, 1), "multiple of 4");
    assert_eq!(map::<u32>(&memory, &stream, bytes as u64 - 4, 1).len(), 1);
    let line = ArrayDescriptor::line(4, ArrayFormat::UNSIGNED_INT8, 1);
    // SAFETY: as above.
    invalid(unsafe { memory.mipmapped_array(&stream, bytes as u64, line, 1) }, "is not inside");
    let other = Stream::new(&Context::new(device(), ContextFlags::default()).unwrap()).unwrap();
    // SAFETY: as above.
    invalid(unsafe { memory.buffer::<u8>(&other, 0, 1) }, "different contexts");
    // SAFETY: as above.
    invalid(unsafe { memory.mipmapped_array(&other, 0, line, 1) }, "different contexts");
}

#[test]
fn size_of_an_import_limits_mappings() {
    let (theirs, stream) = (exportable!(), stream());
    let import = |bytes| {
        let handle = ExternalMemoryHandle::OpaqueFd(theirs.export_fd().unwrap());
        // SAFETY: the driver maps no more than there is.
        unsafe { ExternalMemory::import(&context(), handle, bytes, ExternalMemoryFlags::DEDICATED) }
    };
    let error = refused(import(0), Code::InvalidValue);
    assert!(error.to_string().contains("0 bytes, flags 0x1"), "{error}");
    assert_eq!(map::<u8>(&import(1).unwrap(), &stream, 0, 1).len(), 1);
    let large = import(1 << 40).unwrap();
    // SAFETY: the driver refuses it.
    let answer = unsafe { large.buffer::<u8>(&stream, 0, 2 * theirs.size_bytes()) };
    refused(answer, Code::InvalidValue);
}

#[test]
fn images_on_the_same_memory_share_their_texels() {
    let (theirs, stream) = (exportable!(), stream());
    let memory = import(&theirs, &context());
    let descriptor = ArrayDescriptor::plane(64, 32, ArrayFormat::UNSIGNED_INT8, 4).surface();
    let image = || {
        // SAFETY: all of them are of the same form, and are used on one stream.
        unsafe { memory.mipmapped_array(&stream, 0, descriptor, 3) }.unwrap()
    };
    let (first, second) = (image(), image());
    assert_eq!((first.levels(), first.descriptor()), (3, descriptor));
    let level = first.level(1).unwrap();
    assert_eq!((level.descriptor().width, level.descriptor().height), (32, 16));
    let texels: Vec<[u8; 4]> = (0..32 * 16).map(|index| [index as u8; 4]).collect();
    level.copy_all_from_host(&texels).unwrap();
    assert_eq!(second.level(1).unwrap().to_vec::<[u8; 4]>().unwrap(), texels);
    let first = first.into_raw().unwrap_err();
    drop((memory, first, second));
    assert_eq!(
        level.to_vec::<[u8; 4]>().unwrap(),
        texels,
        "the level keeps the image, and the image the memory"
    );
}

#[test]
fn image_that_does_not_fit_is_refused() {
    let (theirs, stream) = (exportable!(), stream());
    let memory = import(&theirs, &context());
    let large = ArrayDescriptor::plane(4096, 4096, ArrayFormat::UNSIGNED_INT8, 4);
    // SAFETY: it is refused.
    let error = refused(unsafe { memory.mipmapped_array(&stream, 0, large, 1) }, Code::InvalidValue);
    assert!(error.to_string().contains("1 levels at offset 0"), "{error}");
    let small = ArrayDescriptor::plane(64, 32, ArrayFormat::UNSIGNED_INT8, 4);
    // SAFETY: as above.
    refused(unsafe { memory.mipmapped_array(&stream, 0, small, 8) }, Code::InvalidValue);
    // SAFETY: as above.
    invalid(unsafe { memory.mipmapped_array(&stream, 0, small, 0) }, "at least one level");
}

/// In a process of its own, where no other thread opens files.
#[test]
fn import_takes_its_descriptor_in_any_case() {
    crate::alone("external::import_takes_its_descriptor_in_any_case", || {
        let Some(theirs) = exportable() else { return };
        let context = context();
        let open = || std::fs::read_dir("/proc/self/fd").unwrap().count();
        let import = |file: OwnedFd, bytes| {
            // SAFETY: the driver refuses what is not memory.
            unsafe { ExternalMemory::import(&context, ExternalMemoryHandle::OpaqueFd(file), bytes, NO_FLAGS) }
        };
        let other = || OwnedFd::from(std::fs::File::open("/dev/null").unwrap());
        drop(import(theirs.export_fd().unwrap(), 4096).unwrap());
        drop(import(other(), 4096).unwrap_err());
        let before = open();
        for _ in 0..3 {
            drop(import(theirs.export_fd().unwrap(), 4096).unwrap());
            assert_eq!(open(), before, "taken by the driver");
            refused(import(theirs.export_fd().unwrap(), 0), Code::InvalidValue);
            assert_eq!(open(), before, "refused before the file is looked at");
            refused(import(other(), 4096), Code::UnknownError);
            assert_eq!(open(), before, "not memory");
            let handle = ExternalSemaphoreHandle::OpaqueFd(other());
            // SAFETY: as above.
            refused(unsafe { ExternalSemaphore::import(&context, handle) }, Code::UnknownError);
            assert_eq!(open(), before, "not a semaphore");
            if driver() == Choice::Sim {
                let theirs = Semaphore::binary().unwrap();
                drop(import_semaphore(&context, &theirs, true));
                drop(theirs);
                assert_eq!(open(), before, "a semaphore");
            }
        }
    });
}

/// A semaphore, and the other side's.
struct Shared {
    theirs: Semaphore,
    ours: ExternalSemaphore,
}

fn import_semaphore(context: &Context, theirs: &Semaphore, is_binary: bool) -> ExternalSemaphore {
    let file = theirs.export().unwrap();
    let handle = match is_binary {
        true => ExternalSemaphoreHandle::OpaqueFd(file),
        false => ExternalSemaphoreHandle::TimelineFd(file),
    };
    // SAFETY: the stand-in allows every order of signals and waits.
    unsafe { ExternalSemaphore::import(context, handle) }.unwrap()
}

/// Returns `None` on the machine's own driver, where Vulkan would be needed.
fn shared(is_binary: bool) -> Option<Shared> {
    if driver() == Choice::Real {
        return None;
    }
    let theirs = if is_binary { Semaphore::binary() } else { Semaphore::timeline(0) }?;
    Some(Shared { ours: import_semaphore(&context(), &theirs, is_binary), theirs })
}

macro_rules! semaphore {
    ($is_binary:expr) => {{
        let Some(shared) = shared($is_binary) else {
            skip!("needs semaphores of Vulkan: see interop/tests/vulkan.rs")
        };
        shared
    }};
}

#[test]
fn signal_comes_after_the_work_of_the_stream() {
    let (semaphore, stream) = (semaphore!(false), stream());
    let mut buffer = DeviceBuf::<u8>::zeroed(&stream, 1 << 20).unwrap();
    for round in 1..4 {
        buffer.as_slice_mut().fill(round).unwrap();
        stream.signal_semaphores(&[SemaphoreSignal::value(&semaphore.ours, round.into())]).unwrap();
        assert!(semaphore.theirs.wait(round.into()));
        assert_eq!(semaphore.theirs.value(), u64::from(round));
    }
    assert_eq!(buffer.to_vec().unwrap()[1 << 19], 3);
    assert!(!semaphore.theirs.wait(4), "nothing is queued that signals it");
}

#[test]
fn wait_holds_the_stream_until_the_other_side_signals() {
    let (semaphore, stream) = (semaphore!(false), stream());
    let mut buffer = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
    stream.synchronize().unwrap();
    stream.wait_semaphores(&[SemaphoreWait::value(&semaphore.ours, 2)]).unwrap();
    buffer.as_slice_mut().fill(9).unwrap();
    assert!(!stream.is_done().unwrap());
    semaphore.theirs.signal(1);
    assert!(!stream.is_done().unwrap());
    std::thread::scope(|scope| {
        scope.spawn(|| semaphore.theirs.signal(2));
        stream.synchronize().unwrap();
    });
    assert_eq!(buffer.to_vec().unwrap(), [9; 16]);
    stream.wait_semaphores(&[SemaphoreWait::value(&semaphore.ours, 1)]).unwrap();
    stream.synchronize().unwrap();
}

#[test]
fn each_signal_of_a_binary_semaphore_ends_one_wait() {
    let (semaphore, stream, other) = (semaphore!(true), stream(), stream());
    assert_eq!(semaphore.ours.kind(), SemaphoreKind::Binary);
    let (signal, wait) =
        ([SemaphoreSignal::binary(&semaphore.ours)], [SemaphoreWait::binary(&semaphore.ours)]);
    stream.wait_semaphores(&wait).unwrap();
    assert!(!stream.is_done().unwrap());
    other.signal_semaphores(&signal).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(semaphore.theirs.value(), 0, "reset by the wait");
    other.signal_semaphores(&signal).unwrap();
    assert!(semaphore.theirs.wait(1));
    semaphore.theirs.signal(1);
    stream.wait_semaphores(&wait).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(semaphore.theirs.value(), 0);
}

#[test]
fn batch_signals_and_waits_for_all() {
    let (first, second, stream) = (semaphore!(false), semaphore!(true), stream());
    let signals = [SemaphoreSignal::value(&first.ours, 7), SemaphoreSignal::binary(&second.ours)];
    stream.signal_semaphores(&signals).unwrap();
    assert_eq!(signals[1].semaphore(), &second.ours);
    let waits = [SemaphoreWait::value(&first.ours, 7), SemaphoreWait::binary(&second.ours)];
    stream.wait_semaphores(&waits).unwrap();
    stream.synchronize().unwrap();
    assert_eq!((first.theirs.value(), second.theirs.value()), (7, 0));
    stream.signal_semaphores(&[]).unwrap();
    stream.wait_semaphores(&[]).unwrap();
}

#[test]
fn operations_for_another_kind_are_refused() {
    let (value, binary, stream) = (semaphore!(false), semaphore!(true), stream());
    for signal in [
        SemaphoreSignal::binary(&value.ours),
        SemaphoreSignal::key(&value.ours, 1),
        SemaphoreSignal::value(&binary.ours, 1),
        // SAFETY: it is refused.
        unsafe { SemaphoreSignal::nv_sci_sync(&binary.ours, null_mut()) },
    ] {
        invalid(stream.signal_semaphores(&[signal]), "the semaphore is of kind");
    }
    for wait in [
        SemaphoreWait::binary(&value.ours),
        SemaphoreWait::value(&binary.ours, 1),
        SemaphoreWait::key(&binary.ours, 1, None),
        // SAFETY: as above.
        unsafe { SemaphoreWait::nv_sci_sync(&value.ours, null_mut()) },
    ] {
        invalid(stream.wait_semaphores(&[wait]), "the semaphore is of kind");
    }
    let other = Stream::new(&Context::new(device(), ContextFlags::default()).unwrap()).unwrap();
    invalid(other.signal_semaphores(&[SemaphoreSignal::value(&value.ours, 1)]), "different contexts");
    let mut graph = Graph::new(other.context()).unwrap();
    invalid(graph.semaphore_wait(&[], &[SemaphoreWait::value(&value.ours, 1)]), "different contexts");
}

#[test]
fn captured_stream_takes_no_semaphores() {
    let (semaphore, stream) = (semaphore!(false), stream());
    let mode = cuda_sys::CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_RELAXED;
    assert_eq!(code!(cuda_sys::cuStreamBeginCapture_v2(stream.as_raw(), mode)), CUresult::CUDA_SUCCESS);
    let error = stream.signal_semaphores(&[SemaphoreSignal::value(&semaphore.ours, 1)]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StreamCapturing, "{error}");
    let mut graph = null_mut();
    let ended = code!(cuda_sys::cuStreamEndCapture(stream.as_raw(), &raw mut graph));
    assert_eq!(ended, CUresult::CUDA_SUCCESS, "the capture goes on");
}

#[test]
fn dropped_semaphore_lives_until_its_wait_ends() {
    let (Shared { theirs, ours }, stream) = (semaphore!(false), stream());
    stream.wait_semaphores(&[SemaphoreWait::value(&ours, 1)]).unwrap();
    ours.close().unwrap(); // does not wait
    assert!(!stream.is_done().unwrap());
    theirs.signal(1);
    stream.synchronize().unwrap();
}

#[test]
fn semaphore_of_several_imports_is_one() {
    let (first, stream) = (semaphore!(false), stream());
    let again = import_semaphore(&context(), &first.theirs, false);
    assert_ne!(first.ours, again);
    stream.signal_semaphores(&[SemaphoreSignal::value(&again, 3)]).unwrap();
    stream.wait_semaphores(&[SemaphoreWait::value(&first.ours, 3)]).unwrap();
    stream.synchronize().unwrap();
}

#[test]
fn graph_signals_and_waits_at_each_launch() {
    let (Shared { theirs, ours }, stream) = (semaphore!(false), stream());
    if !is_since(11, 2) {
        skip!("the driver has no nodes with external semaphores");
    }
    let mut graph = Graph::new(&context()).unwrap();
    let wait = graph.semaphore_wait(&[], &[SemaphoreWait::value(&ours, 1)]).unwrap();
    let signal = graph.semaphore_signal(&[wait.any()], &[SemaphoreSignal::value(&ours, 5)]).unwrap();
    let NodeParams::SemaphoreSignal(shown) = graph.node_params(signal.any()).unwrap() else { unreachable!() };
    let values: Vec<_> = shown.iter().map(|(handle, params)| (*handle, params.params.fence.value)).collect();
    assert_eq!(values, [(ours.as_raw(), 5)]);
    let NodeParams::SemaphoreWait(shown) = graph.node_params(wait.any()).unwrap() else { unreachable!() };
    assert_eq!(shown.len(), 1);
    let mut program = graph.instantiate(Default::default()).unwrap();
    let next = |value| [SemaphoreSignal::value(&ours, value)];
    program.set_semaphore_signal(signal, &next(6)).unwrap();
    program.set_semaphore_wait(wait, &[SemaphoreWait::value(&ours, 2)]).unwrap();
    let two = [next(7), next(8)].concat();
    refused(program.set_semaphore_signal(signal, &two), Code::InvalidValue);
    graph.set_semaphore_signal(signal, &two).unwrap();
    graph.set_semaphore_wait(wait, &[]).unwrap();
    let mut second = graph.instantiate(Default::default()).unwrap();
    drop((ours, graph)); // the programs keep the semaphore
    program.launch(&stream).unwrap();
    assert!(!stream.is_done().unwrap());
    theirs.signal(2);
    stream.synchronize().unwrap();
    assert_eq!(theirs.value(), 6);
    second.launch(&stream).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(theirs.value(), 8);
    program.launch(&stream).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(theirs.value(), 6);
}

#[test]
fn captured_signals_and_waits_keep_the_semaphore() {
    let (Shared { theirs, ours }, stream) = (semaphore!(false), stream());
    if !is_since(11, 2) {
        skip!("the driver has no nodes with external semaphores");
    }
    let mut buffer = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
    let (mut graph, ()) = Graph::capture(&context(), CaptureOptions::new(), |capture| {
        capture.wait_semaphores(&[SemaphoreWait::value(&ours, 1)])?;
        capture.fill(&mut buffer, 4)?;
        capture.signal_semaphores(&[SemaphoreSignal::value(&ours, 2)])?;
        capture.signal_semaphores(&[])?;
        capture.wait_semaphores(&[])
    })
    .unwrap();
    assert_eq!(graph.nodes().unwrap().len(), 3);
    drop(ours);
    let mut program = graph.instantiate(Default::default()).unwrap();
    program.launch(&stream).unwrap();
    assert!(!stream.is_done().unwrap());
    theirs.signal(1);
    assert!(theirs.wait(2));
    assert_eq!(buffer.to_vec().unwrap(), [4; 16]);
    program.launch(&stream).unwrap();
    stream.synchronize().unwrap();
}

#[test]
fn capture_of_another_kind_or_context_is_refused() {
    let semaphore = semaphore!(false);
    let other = Context::new(device(), ContextFlags::default()).unwrap();
    let captured = |context: &Context, signal: &SemaphoreSignal| {
        let work = |capture: &mut cuda_rt::graph::Capture<'_>| {
            capture.signal_semaphores(std::slice::from_ref(signal))
        };
        Graph::capture(context, CaptureOptions::new(), work).map(drop)
    };
    invalid(captured(&other, &SemaphoreSignal::value(&semaphore.ours, 1)), "different contexts");
    invalid(captured(&context(), &SemaphoreSignal::binary(&semaphore.ours)), "of kind");
}

#[test]
fn semaphores_before_11_2_are_in_no_capture() {
    if is_since(11, 2) {
        skip!("this driver has semaphore nodes");
    }
    let captured =
        Graph::capture(&context(), CaptureOptions::new(), |capture| capture.signal_semaphores(&[]));
    assert_eq!(captured.map(drop).unwrap_err().kind(), ErrorKind::FunctionMissing);
}

/// A file that no API has exported.
#[test]
fn semaphore_of_another_file_is_refused() {
    let file = std::fs::File::open("/dev/null").unwrap();
    assert!(file.as_raw_fd() >= 0);
    // SAFETY: the driver refuses it.
    let answer =
        unsafe { ExternalSemaphore::import(&context(), ExternalSemaphoreHandle::TimelineFd(file.into())) };
    refused(answer, Code::UnknownError);
}
