//! Programs with memory and semaphores of other APIs.

use crate::scenarios::{Done, Scenario, own, plain};
use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
use cuda_rt::external::{
    ExternalMemory, ExternalMemoryFlags, ExternalMemoryHandle, ExternalSemaphore, ExternalSemaphoreHandle,
    SemaphoreSignal, SemaphoreWait,
};
use cuda_rt::graph::{AddNodes, CaptureOptions, Graph, SetNodes};
use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions, ShareableHandleTypes};
use cuda_rt::{Context, Result, Stream};
use cuda_sim::external::Semaphore;

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("buffers of external memory", buffers),
    plain("images of external memory", images),
    Scenario { retires: true, ..plain("external semaphores", semaphores) },
    Scenario { retires: true, ..plain("graphs with external semaphores", graphs) },
];

fn import(context: &Context) -> Result<ExternalMemory> {
    let options = PhysicalMemoryOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    let bytes = PhysicalMemory::granularity(context.device(), options)?;
    let theirs = PhysicalMemory::new(context.device(), bytes, options)?;
    let handle = ExternalMemoryHandle::OpaqueFd(theirs.export_fd()?);
    // SAFETY: memory of this size, which nothing else uses.
    let memory =
        unsafe { ExternalMemory::import(context, handle, bytes as u64, ExternalMemoryFlags::default()) }?;
    theirs.close()?;
    Ok(memory)
}

fn buffers() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let memory = import(&context)?;
    // SAFETY: the only mapping of these bytes.
    let mut first = unsafe { memory.buffer::<u32>(&stream, 0, 4) }?;
    // SAFETY: as above.
    let second = unsafe { memory.buffer::<u32>(&stream, 4096, 4) }?;
    first.copy_from_host(&[1, 2, 3, 4])?;
    assert_eq!(first.to_vec()?, [1, 2, 3, 4]);
    drop(first);
    memory.close()?;
    second.close()
}

fn images() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let memory = import(&context)?;
    let descriptor = ArrayDescriptor::plane(8, 4, ArrayFormat::UNSIGNED_INT8, 1);
    // SAFETY: the only mapping.
    let image = unsafe { memory.mipmapped_array(&stream, 0, descriptor, 2) }?;
    drop(memory);
    let level = image.level(1)?;
    level.copy_all_from_host(&[5_u8; 8])?;
    assert_eq!(level.to_vec::<u8>()?, [5; 8]);
    drop(level);
    image.close()
}

fn timeline(context: &Context) -> Result<(Semaphore, ExternalSemaphore)> {
    let theirs = Semaphore::timeline(0).unwrap();
    let handle = ExternalSemaphoreHandle::TimelineFd(theirs.export().unwrap());
    // SAFETY: the stand-in allows every order of signals and waits.
    Ok((theirs, unsafe { ExternalSemaphore::import(context, handle) }?))
}

fn semaphores() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let (theirs, semaphore) = timeline(&context)?;
    stream.signal_semaphores(&[SemaphoreSignal::value(&semaphore, 3)])?;
    stream.wait_semaphores(&[SemaphoreWait::value(&semaphore, 2)])?;
    stream.synchronize()?;
    assert_eq!(theirs.value(), 3);
    semaphore.close()
}

fn graphs() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let (theirs, semaphore) = timeline(&context)?;
    let (signal, wait) = ([SemaphoreSignal::value(&semaphore, 3)], [SemaphoreWait::value(&semaphore, 2)]);
    let (mut graph, ()) = Graph::capture(&context, CaptureOptions::new(), |capture| {
        capture.signal_semaphores(&signal)?;
        capture.wait_semaphores(&wait)
    })?;
    let first = graph.semaphore_signal(&[], &signal)?;
    let second = graph.semaphore_wait(&[first.any()], &wait)?;
    graph.set_semaphore_signal(first, &[SemaphoreSignal::value(&semaphore, 4)])?;
    graph.set_semaphore_wait(second, &[])?;
    graph.set_semaphore_wait(second, &wait)?;
    drop((semaphore, signal));
    let mut program = graph.instantiate(Default::default())?;
    program.set_semaphore_wait(second, &wait)?;
    drop(wait);
    program.launch(&stream)?;
    stream.synchronize()?;
    assert!(theirs.value() >= 3);
    program.close()
}
