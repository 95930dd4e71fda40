//! Memory and semaphores of other APIs.

use super::Catalogue;
use crate::world::World;
use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
use cuda_rt::external::{
    ExternalMemory, ExternalMemoryFlags, ExternalMemoryHandle, ExternalSemaphore, ExternalSemaphoreHandle,
    SemaphoreKind, SemaphoreSignal, SemaphoreWait, Win32Handle,
};
use cuda_rt::graph::{AddNodes, Graph, Node, SemaphoreSignalNode, SemaphoreWaitNode, SetNodes};
use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions, ShareableHandleTypes};
use cuda_sim::external::Semaphore;
use std::os::fd::{IntoRawFd, OwnedFd};
use std::ptr::null_mut;
use std::time::Duration;

const BYTES: u64 = 4096;

fn file() -> OwnedFd {
    std::fs::File::open("/dev/null").unwrap().into()
}

/// The memory of the other side.
fn theirs(world: &World) -> PhysicalMemory {
    let options = PhysicalMemoryOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    let bytes = PhysicalMemory::granularity(world.near, options).unwrap();
    PhysicalMemory::new(world.near, bytes, options).unwrap()
}

fn memory(world: &World) -> ExternalMemory {
    let handle = ExternalMemoryHandle::OpaqueFd(theirs(world).export_fd().unwrap());
    // SAFETY: larger memory, which nothing else uses.
    unsafe { ExternalMemory::import(&world.context, handle, BYTES, ExternalMemoryFlags::default()) }.unwrap()
}

fn is_memory(memory: &mut ExternalMemory, world: &World) {
    // SAFETY: the only mapping.
    let mut buffer = unsafe { memory.buffer::<u8>(&world.stream, 0, 16) }.unwrap();
    buffer.copy_from_host(&[7; 16]).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [7; 16]);
}

fn semaphore(world: &World) -> ExternalSemaphore {
    let handle = ExternalSemaphoreHandle::TimelineFd(Semaphore::timeline(0).unwrap().export().unwrap());
    // SAFETY: the stand-in allows every order of signals and waits.
    unsafe { ExternalSemaphore::import(&world.context, handle) }.unwrap()
}

fn is_semaphore(semaphore: &mut ExternalSemaphore, world: &World) {
    world.stream.signal_semaphores(&[SemaphoreSignal::value(semaphore, 1)]).unwrap();
    world.stream.wait_semaphores(&[SemaphoreWait::value(semaphore, 1)]).unwrap();
    world.stream.synchronize().unwrap();
}

/// A handle that goes to another thread, and is destroyed by a value that is made of it.
struct Raw<T>(*mut T);
// SAFETY: imported objects are not bound to a thread.
unsafe impl<T> Send for Raw<T> {}

fn raw_memory(world: &World) -> Raw<cuda_sys::CUextMemory_st> {
    // SAFETY: all members may be zero.
    let mut of: cuda_sys::CUDA_EXTERNAL_MEMORY_HANDLE_DESC = unsafe { std::mem::zeroed() };
    of.type_ = cuda_sys::CUexternalMemoryHandleType_enum::CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    (of.handle.fd, of.size) = (theirs(world).export_fd().unwrap().into_raw_fd(), BYTES);
    let (_entered, mut raw) = (world.context.enter().unwrap(), null_mut());
    // SAFETY: `raw` is valid for a write, and the driver takes the file.
    assert!(unsafe { cuda_sys::cuImportExternalMemory(&raw mut raw, &raw const of) }.is_success());
    Raw(raw)
}

fn raw_semaphore(world: &World) -> Raw<cuda_sys::CUextSemaphore_st> {
    type Type = cuda_sys::CUexternalSemaphoreHandleType_enum;
    // SAFETY: all members may be zero.
    let mut of: cuda_sys::CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC = unsafe { std::mem::zeroed() };
    of.type_ = Type::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
    of.handle.fd = Semaphore::timeline(0).unwrap().export().unwrap().into_raw_fd();
    let (_entered, mut raw) = (world.context.enter().unwrap(), null_mut());
    // SAFETY: as above.
    assert!(unsafe { cuda_sys::cuImportExternalSemaphore(&raw mut raw, &raw const of) }.is_success());
    Raw(raw)
}

/// A graph that signals and waits.
struct Nodes {
    graph: Graph,
    signal: Node<SemaphoreSignalNode>,
    wait: Node<SemaphoreWaitNode>,
    semaphore: ExternalSemaphore,
}

fn nodes(world: &World) -> Nodes {
    let (mut graph, semaphore) = (Graph::new(&world.context).unwrap(), semaphore(world));
    let signal = graph.semaphore_signal(&[], &[SemaphoreSignal::value(&semaphore, 1)]).unwrap();
    let wait = graph.semaphore_wait(&[signal.any()], &[SemaphoreWait::value(&semaphore, 1)]).unwrap();
    Nodes { graph, signal, wait, semaphore }
}

fn works(nodes: &mut Nodes, world: &World) {
    let mut program = nodes.graph.instantiate(Default::default()).unwrap();
    program.launch(&world.stream).unwrap();
    world.settle();
}

pub(crate) fn add(c: &mut Catalogue) {
    c.of(nodes, works)
        .refuses("SetNodes::set_semaphore_signal", |n, _| {
            n.graph.set_semaphore_signal(n.signal, &[SemaphoreSignal::value(&n.semaphore, 2)])
        })
        .refuses("SetNodes::set_semaphore_wait", |n, _| {
            n.graph.set_semaphore_wait(n.wait, &[SemaphoreWait::value(&n.semaphore, 2)])
        });
    c.free()
        .refuses("ExternalMemory::import", |(), w| {
            let handle = ExternalMemoryHandle::OpaqueFd(file());
            // SAFETY: no memory, which the driver refuses.
            unsafe { ExternalMemory::import(&w.context, handle, BYTES, ExternalMemoryFlags::default()) }
        })
        .refuses("ExternalSemaphore::import", |(), w| {
            // SAFETY: no semaphore, which the driver refuses.
            unsafe { ExternalSemaphore::import(&w.context, ExternalSemaphoreHandle::OpaqueFd(file())) }
        })
        .answers("ExternalSemaphoreHandle::kind; ExternalSemaphoreHandle: {Debug, Drop}", |(), _| {
            let handle = ExternalSemaphoreHandle::OpaqueFd(file());
            (handle.kind(), format!("{handle:?}"))
        })
        .answers("ExternalMemoryHandle: {Debug, Drop}", |(), _| {
            format!("{:?}", ExternalMemoryHandle::OpaqueFd(file()))
        })
        .answers("Win32Handle: {Clone, Debug, Drop, PartialEq}", |(), _| {
            let name = Win32Handle::Name("a".into());
            (name.clone() == name, format!("{name:?}"))
        });
    c.of(memory, is_memory)
        .answers("ExternalMemory::{as_raw, context, size_bytes}", |m, _| {
            (m.as_raw().is_null(), m.context().clone(), m.size_bytes()).2
        })
        .answers("ExternalMemory: Clone", |m, _| m.clone())
        .answers("ExternalMemory: Debug", |m, _| format!("{m:?}"))
        .answers("ExternalMemory: PartialEq", |m, _| *m == m.clone())
        // SAFETY: the only mapping.
        .refuses("ExternalMemory::buffer", |m, w| unsafe { m.buffer::<u8>(&w.stream, 0, 16) })
        .refuses("ExternalMemory::mipmapped_array", |m, w| {
            let descriptor = ArrayDescriptor::line(4, ArrayFormat::UNSIGNED_INT8, 1);
            // SAFETY: the only mapping.
            unsafe { m.mipmapped_array(&w.stream, 0, descriptor, 1) }
        })
        .consumes("ExternalMemory::close", |m, _| m.close())
        .drops("ExternalMemory: Drop");
    c.of(semaphore, is_semaphore)
        .answers("ExternalSemaphore::{as_raw, context, kind}", |s, _| {
            (s.as_raw().is_null(), s.context().clone(), s.kind()).2
        })
        .answers("ExternalSemaphore: Clone", |s, _| s.clone())
        .answers("ExternalSemaphore: Debug", |s, _| format!("{s:?}"))
        .answers("ExternalSemaphore: PartialEq", |s, _| *s == s.clone())
        .answers(
            "SemaphoreSignal::{binary, value, key, nv_sci_sync, skip_memory_sync, semaphore}; SemaphoreSignal: {Clone, Debug, Drop, PartialEq}",
            |s, _| {
                // SAFETY: it is not queued.
                let fence = unsafe { SemaphoreSignal::nv_sci_sync(s, null_mut()) };
                // SAFETY: as above.
                let fence = unsafe { fence.skip_memory_sync() };
                let all = [SemaphoreSignal::binary(s), SemaphoreSignal::value(s, 1), SemaphoreSignal::key(s, 1), fence];
                (all[0].clone() == all[1], all[2].semaphore() == s, format!("{all:?}")).2
            },
        )
        .answers(
            "SemaphoreWait::{binary, value, key, nv_sci_sync, skip_memory_sync, semaphore}; SemaphoreWait: {Clone, Debug, Drop, PartialEq}",
            |s, _| {
                // SAFETY: it is not queued.
                let fence = unsafe { SemaphoreWait::nv_sci_sync(s, null_mut()) };
                // SAFETY: as above.
                let fence = unsafe { fence.skip_memory_sync() };
                let key = SemaphoreWait::key(s, 1, Some(Duration::from_secs(1)));
                let all = [SemaphoreWait::binary(s), SemaphoreWait::value(s, 1), key, fence];
                (all[0].clone() == all[1], all[2].semaphore() == s, format!("{all:?}")).2
            },
        )
        .refuses("Stream::signal_semaphores", |s, w| w.stream.signal_semaphores(&[SemaphoreSignal::value(s, 1)]))
        .refuses("Stream::wait_semaphores", |s, w| w.stream.wait_semaphores(&[SemaphoreWait::value(s, 0)]))
        .consumes("ExternalSemaphore::close", |s, _| s.close())
        .drops("ExternalSemaphore: Drop");
    c.of(raw_memory, |_, _| ()).hands_over(
        "ExternalMemory::from_raw",
        // SAFETY: imported for this alone, and not used otherwise.
        |raw, w| unsafe { ExternalMemory::from_raw(raw.0, BYTES, &w.context) },
        |memory, _| memory.close().unwrap(),
    );
    c.of(raw_semaphore, |_, _| ()).hands_over(
        "ExternalSemaphore::from_raw",
        // SAFETY: as above.
        |raw, w| unsafe { ExternalSemaphore::from_raw(raw.0, SemaphoreKind::Value, &w.context) },
        |semaphore, _| semaphore.close().unwrap(),
    );
}
