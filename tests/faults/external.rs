//! Memory and semaphores of other APIs: the order of releases, and semaphores whose operations are not done.

use crate::layer::{Call, Fault, no_fault, record};
use crate::{failing, primary, symbols};
use cuda_rt::Stream;
use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
use cuda_rt::error::Code;
use cuda_rt::external::{
    ExternalMemory, ExternalMemoryFlags, ExternalMemoryHandle, ExternalSemaphore, ExternalSemaphoreHandle,
    SemaphoreWait,
};
use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions, ShareableHandleTypes};
use cuda_sim::external::Semaphore;
use cuda_suite::reports;
use cuda_sys::Symbol;

fn import() -> ExternalMemory {
    let context = primary();
    let options = PhysicalMemoryOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    let bytes = PhysicalMemory::granularity(context.device(), options).unwrap();
    let theirs = PhysicalMemory::new(context.device(), bytes, options).unwrap();
    let handle = ExternalMemoryHandle::OpaqueFd(theirs.export_fd().unwrap());
    // SAFETY: memory of this size, which nothing else uses.
    unsafe { ExternalMemory::import(&context, handle, bytes as u64, ExternalMemoryFlags::default()) }.unwrap()
}

#[test]
fn mappings_are_released_before_their_memory() {
    const RELEASES: [Symbol; 3] =
        [Symbol::cuMemFree_v2, Symbol::cuMipmappedArrayDestroy, Symbol::cuDestroyExternalMemory];
    let (memory, stream) = (import(), Stream::new(&primary()).unwrap());
    // SAFETY: the only mapping of these bytes.
    let buffer = unsafe { memory.buffer::<u8>(&stream, 1 << 20, 64) }.unwrap();
    let descriptor = ArrayDescriptor::plane(8, 4, ArrayFormat::UNSIGNED_INT8, 1);
    // SAFETY: as above.
    let image = unsafe { memory.mipmapped_array(&stream, 0, descriptor, 2) }.unwrap();
    let ((), calls) = record(no_fault, move || drop((memory, buffer, image)));
    let released: Vec<Symbol> = symbols(&calls).into_iter().filter(|call| RELEASES.contains(call)).collect();
    assert_eq!(released, RELEASES);
}

#[test]
fn mapping_that_is_not_released_keeps_its_memory() {
    for release in [Symbol::cuMemFree_v2, Symbol::cuMipmappedArrayDestroy] {
        let (memory, stream) = (import(), Stream::new(&primary()).unwrap());
        // SAFETY: the only mapping of these bytes.
        let buffer = unsafe { memory.buffer::<u8>(&stream, 1 << 20, 64) }.unwrap();
        let descriptor = ArrayDescriptor::plane(8, 4, ArrayFormat::UNSIGNED_INT8, 1);
        // SAFETY: as above.
        let image = unsafe { memory.mipmapped_array(&stream, 0, descriptor, 2) }.unwrap();
        let told = reports(|| {
            let plan = failing(release, 0, Fault::Refused(Code::OutOfMemory));
            let ((), calls) = record(plan, move || drop((memory, buffer, image)));
            let calls = symbols(&calls);
            assert!(calls.contains(&release), "{calls:?}");
            assert!(!calls.contains(&Symbol::cuDestroyExternalMemory), "{calls:?}");
        });
        assert!(told.len() == 1 && told[0].starts_with(release.name()), "{told:?}");
    }
}

fn semaphore() -> (Semaphore, ExternalSemaphore) {
    let context = primary();
    let theirs = Semaphore::timeline(0).unwrap();
    let handle = ExternalSemaphoreHandle::TimelineFd(theirs.export().unwrap());
    // SAFETY: the stand-in allows every order of signals and waits.
    (theirs, unsafe { ExternalSemaphore::import(&context, handle) }.unwrap())
}

fn destroys(calls: &[Call]) -> bool {
    symbols(calls).contains(&Symbol::cuDestroyExternalSemaphore)
}

#[test]
fn semaphore_of_a_pending_wait_is_not_destroyed() {
    let ((theirs, ours), stream) = (semaphore(), Stream::new(&primary()).unwrap());
    let wait = SemaphoreWait::value(&ours, 1);
    let waiting = stream.clone();
    let (answer, calls) = record(no_fault, move || {
        let answer = waiting.wait_semaphores(&[wait]);
        drop(ours);
        answer
    });
    answer.unwrap();
    assert!(!destroys(&calls), "{calls:?}");
    theirs.signal(1);
    stream.synchronize().unwrap();
}

#[test]
fn pending_wait_without_a_mark_keeps_its_semaphore() {
    let ((theirs, ours), stream) = (semaphore(), Stream::new(&primary()).unwrap());
    let wait = SemaphoreWait::value(&ours, 1);
    let waiting = stream.clone();
    let plan = failing(Symbol::cuEventRecord, 0, Fault::Refused(Code::OutOfMemory));
    let (answer, calls) = record(plan, move || {
        let answer = waiting.wait_semaphores(&[wait]);
        drop(ours);
        answer
    });
    let error = answer.unwrap_err();
    assert_eq!((error.call(), error.code()), (Some("cuEventRecord"), Some(Code::OutOfMemory)));
    assert!(!destroys(&calls), "{calls:?}");
    theirs.signal(1);
    stream.synchronize().unwrap();
}

#[test]
fn semaphore_is_kept_after_a_sticky_failure() {
    let ((theirs, ours), stream) = (semaphore(), Stream::new(&primary()).unwrap());
    // The semaphore is signalled, so that a wrong release does not wait for ever.
    theirs.signal(1);
    let wait = SemaphoreWait::value(&ours, 1);
    let waiting = stream.clone();
    let plan = Box::new(|_, call| match call {
        Symbol::cuEventRecord | Symbol::cuStreamQuery => Some(Fault::Refused(Code::IllegalAddress)),
        _ => None,
    });
    let (answer, calls) = record(plan, move || {
        let answer = waiting.wait_semaphores(&[wait]);
        drop(ours);
        answer
    });
    let error = answer.unwrap_err();
    assert_eq!((error.call(), error.is_sticky()), (Some("cuEventRecord"), true));
    assert!(symbols(&calls).contains(&Symbol::cuStreamQuery), "{calls:?}");
    assert!(!destroys(&calls), "{calls:?}");
    stream.synchronize().unwrap();
}

#[test]
fn semaphore_whose_operations_are_done_is_destroyed() {
    let ((theirs, ours), stream) = (semaphore(), Stream::new(&primary()).unwrap());
    theirs.signal(1);
    let (answer, calls) = record(no_fault, move || {
        let answer = stream.wait_semaphores(&[SemaphoreWait::value(&ours, 1)]);
        stream.synchronize().unwrap();
        drop(ours);
        answer
    });
    answer.unwrap();
    assert!(destroys(&calls), "{calls:?}");
}
