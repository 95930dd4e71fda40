//! Registered memory of the program, and aligned memory for it.

use crate::alone;
use crate::busy::Busy;
use crate::raw::{begin_capture, end_capture};
use cuda_rt::context::ContextFlags;
use cuda_rt::device::DeviceAttribute;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::memory::{AlignedBuf, RegisterFlags, RegisteredBuf, register_scoped, register_shared_scoped};
use cuda_rt::{Context, DeviceBuf, PinnedBuf, Stream};
use cuda_suite::{context, device, host_page, invalid, reports, second_device, skip, stream};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

const NONE: RegisterFlags = RegisterFlags::empty();

/// Pages of its own, so that tests that run at the same time do not share any.
fn pages(len: usize) -> AlignedBuf<u32> {
    AlignedBuf::zeroed(len).unwrap()
}

/// Returns whether the driver knows memory as registered.
fn is_registered(memory: &[u32]) -> bool {
    let context = context();
    match register_shared_scoped(&context, memory, NONE, |_| ()) {
        Ok(()) => false,
        Err(error) if error.code() == Some(Code::HostMemoryAlreadyRegistered) => true,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn owned_memory_is_returned_by_unregister() {
    let context = context();
    let mut memory = pages(1000);
    memory[7] = 7;
    let mut registered = RegisteredBuf::new(&context, memory, NONE).unwrap();
    assert!(is_registered(&registered));
    assert_eq!((registered.len(), registered.size_bytes(), registered[7]), (1000, 4000, 7));
    registered[8] = 8;
    let at = registered.as_ptr();
    let memory = registered.unregister().unwrap();
    assert_eq!((memory[7], memory[8], memory.as_ptr()), (7, 8, at));
    assert!(!is_registered(&memory));
    // By dropping, too; and again.
    for _ in 0..2 {
        drop(RegisteredBuf::new(&context, pages(1000), NONE).unwrap());
    }
}

#[test]
fn vectors_and_boxes_can_be_registered() {
    let context = context();
    let vector: Vec<u32> = (0..100_000).collect();
    let mut registered = RegisteredBuf::new(&context, vector, RegisterFlags::DEVICEMAP).unwrap();
    let device = DeviceBuf::from_host(&stream(), &registered).unwrap();
    registered.fill(0);
    device.copy_to_host(&mut registered).unwrap();
    let mut vector = registered.unregister().unwrap();
    vector.push(100_000);
    assert!(vector.iter().copied().eq(0..=100_000));
    let boxed: Box<[u32]> = vector.into_boxed_slice();
    let registered = RegisteredBuf::new(&context, boxed, RegisterFlags::PORTABLE).unwrap();
    // The value moves while it is registered.
    let moved = std::thread::spawn(move || Box::new(registered)).join().unwrap();
    assert_eq!(moved.flags().unwrap(), RegisterFlags::PORTABLE | RegisterFlags::DEVICEMAP);
    assert!(!moved.device_ptr().unwrap().is_null());
    assert!(moved.unregister().unwrap().iter().copied().eq(0..=100_000));
}

#[test]
fn registered_pages_are_refused_again() {
    let context = context();
    let first = RegisteredBuf::new(&context, pages(2048), NONE).unwrap();
    let refused = register_shared_scoped(&context, &first[10..20], NONE, |_| ()).unwrap_err();
    let told = (refused.call(), refused.code());
    assert_eq!(told, (Some("cuMemHostRegister_v2"), Some(Code::HostMemoryAlreadyRegistered)));
    let detail = format!(": 40 bytes of host memory at {:#x}", first[10..].as_ptr().addr());
    assert!(refused.to_string().ends_with(&detail), "{refused}");
    // Memory of the driver is page-locked already.
    let pinned = PinnedBuf::<u32>::zeroed(&context, 1 << 18).unwrap();
    let refused = register_shared_scoped(&context, &pinned, NONE, |_| ()).unwrap_err();
    assert_eq!(refused.code(), Some(Code::InvalidValue));
}

#[test]
fn refused_vector_is_returned() {
    let context = context();
    let unknown = RegisterFlags::from_bits_retain(0x100);
    for flags in [RegisterFlags::IOMEMORY, unknown] {
        let memory = vec![1, 2, 3];
        let refused = RegisteredBuf::new(&context, memory, RegisterFlags::PORTABLE | flags).unwrap_err();
        assert_eq!(
            *refused.error(),
            invalid(format!("flags {:#x} require guarantees about the memory;", flags.bits()))
        );
        assert_eq!(refused.into_buffer(), Some(vec![1, 2, 3]));
        let refused = register_scoped(&context, &mut [1, 2, 3], flags, |_| panic!("called")).unwrap_err();
        assert_eq!(
            refused,
            invalid(format!("flags {:#x} require guarantees about the memory;", flags.bits()))
        );
    }
}

#[test]
fn buffer_unregistered_by_other_code_is_an_error() {
    let context = context();
    let registered = RegisteredBuf::new(&context, pages(10), NONE).unwrap();
    #[allow(unsafe_code)]
    // SAFETY: registered above.
    unsafe {
        assert!(cuda_sys::cuMemHostUnregister(registered.as_ptr().cast_mut().cast()).is_success());
    }
    let failure = registered.unregister().unwrap_err();
    assert_eq!(failure.error().code(), Some(Code::HostMemoryNotRegistered));
    assert!(failure.to_string().contains("40 bytes of host memory at 0x"), "{failure}");
    assert_eq!(failure.into_buffer().unwrap()[..], [0; 10]);
}

#[test]
fn borrowed_memory_is_registered_for_a_closure() {
    let (context, stream) = (context(), stream());
    let device = DeviceBuf::from_host(&stream, &[1_u32, 2, 3, 4]).unwrap();
    let mut memory = pages(4);
    let sum = register_scoped(&context, &mut memory, NONE, |registered| {
        assert!(is_registered(registered));
        assert!(!registered.device_ptr().unwrap().is_null());
        device.copy_to_host(registered).unwrap();
        registered.iter().sum::<u32>()
    });
    assert_eq!(sum, Ok(10));
    assert!(!is_registered(&memory));
    assert_eq!(memory[..], [1, 2, 3, 4]);
    let copy = register_shared_scoped(&context, &memory[1..], RegisterFlags::PORTABLE, |registered| {
        assert!(is_registered(registered));
        DeviceBuf::from_host(&stream, registered).unwrap()
    });
    assert_eq!(copy.unwrap().to_vec().unwrap(), [2, 3, 4]);
    assert!(!is_registered(&memory));
}

#[test]
fn a_panic_does_not_leave_it_registered() {
    let context = context();
    let mut memory = pages(4);
    let work = || register_scoped(&context, &mut memory, NONE, |_| panic_any(7));
    let payload = catch_unwind(AssertUnwindSafe(work)).unwrap_err();
    assert_eq!(payload.downcast_ref(), Some(&7));
    assert!(!is_registered(&memory));
}

#[test]
#[allow(unsafe_code)]
fn a_guard_ends_when_it_is_dropped() {
    let context = context();
    let mut memory = pages(4);
    {
        // SAFETY: dropped at the end of the block.
        let mut guard = unsafe { RegisteredBuf::borrowed(&context, &mut memory[..], NONE) }.unwrap();
        assert!(is_registered(&guard));
        guard[0] = 1;
    }
    assert!(!is_registered(&memory));
    // SAFETY: closed at once.
    unsafe { RegisteredBuf::borrowed(&context, &memory[..], NONE) }.unwrap().close().unwrap();
    assert_eq!(memory[0], 1);
}

#[test]
fn memory_that_may_only_be_read() {
    let context = context();
    if device().attribute(DeviceAttribute::READ_ONLY_HOST_REGISTER_SUPPORTED).unwrap_or(0) == 0 {
        skip!("needs memory registered as read-only");
    }
    let stream = stream();
    let mut memory = pages(4);
    memory.copy_from_slice(&[1, 2, 3, 4]);
    let copy = register_shared_scoped(&context, &memory, RegisterFlags::READ_ONLY, |registered| {
        DeviceBuf::from_host(&stream, registered)
    });
    assert_eq!(copy.unwrap().unwrap().to_vec().unwrap(), [1, 2, 3, 4]);
    // The device does not write to read-only memory, although the program may.
    let device = DeviceBuf::<u32>::zeroed(&stream, 4).unwrap();
    let refused = register_scoped(&context, &mut memory, RegisterFlags::READ_ONLY, |registered| {
        device.copy_to_host(registered)
    });
    assert_eq!(refused.unwrap().unwrap_err().code(), Some(Code::InvalidValue));
    assert_eq!(memory[..], [1, 2, 3, 4]);
}

#[test]
fn empty_buffer_makes_no_driver_call() {
    let context = context();
    let nothing = RegisteredBuf::new(&context, Vec::<u32>::new(), NONE).unwrap();
    assert!(nothing.device_ptr().unwrap().is_null() && nothing.flags().unwrap().is_empty());
    assert_eq!(nothing.unregister().unwrap(), [0_u32; 0]);
    let units = RegisteredBuf::new(&context, vec![(); 5], NONE).unwrap();
    assert_eq!((units.len(), units.size_bytes()), (5, 0));
    assert_eq!(register_scoped(&context, &mut [0_u8; 0], NONE, |registered| registered.len()), Ok(0));
}

#[test]
fn elements_are_dropped_once() {
    let context = context();
    let counted = std::sync::Arc::new(());
    let elements = || vec![counted.clone(), counted.clone(), counted.clone()];
    drop(RegisteredBuf::new(&context, elements(), NONE).unwrap());
    assert_eq!(std::sync::Arc::strong_count(&counted), 1);
    let back = RegisteredBuf::new(&context, elements(), NONE).unwrap().unregister().unwrap();
    assert_eq!(std::sync::Arc::strong_count(&counted), 4);
    drop(back);
    let refused = RegisteredBuf::new(&context, elements(), RegisterFlags::IOMEMORY).unwrap_err();
    assert_eq!(refused.into_buffer().unwrap().len(), 3);
    assert_eq!(std::sync::Arc::strong_count(&counted), 1);
}

#[test]
fn registered_memory_keeps_its_context() {
    let own = Context::new(device(), ContextFlags::default()).unwrap();
    let registered = RegisteredBuf::new(&own, pages(10), NONE).unwrap();
    drop(own);
    let told = reports(|| {
        std::thread::spawn(move || {
            assert_eq!(registered[..], [0; 10]);
            drop(registered);
        })
        .join()
        .unwrap();
    });
    assert!(!told.iter().any(|told| told.contains("Unregister")), "{told:?}");
}

#[test]
fn registration_leaves_a_capture_intact() {
    let (context, stream) = (context(), stream());
    let registered = RegisteredBuf::new(&context, pages(10), NONE).unwrap();
    let Some(()) = begin_capture(&stream) else { skip!("this driver cannot capture") };
    let other = RegisteredBuf::new(&context, pages(10), NONE).unwrap();
    let pinned = PinnedBuf::<u32>::zeroed(&context, 10).unwrap();
    registered.unregister().unwrap();
    drop((other, pinned));
    assert!(end_capture(&stream));
}

#[test]
fn memory_begins_where_it_should() {
    for alignment in [1, 2, 64, 4096, 1 << 16, 1 << 21] {
        let buffer = AlignedBuf::<u32>::with_alignment(100, alignment).unwrap();
        assert_eq!(buffer.as_ptr().addr() % alignment, 0);
        assert_eq!((buffer.alignment(), buffer.len()), (alignment.max(4), 100));
        assert_eq!(buffer[..], [0; 100]);
        let nothing = AlignedBuf::<u32>::with_alignment(0, alignment).unwrap();
        assert!(nothing.is_empty() && nothing.as_ptr().addr().is_multiple_of(alignment));
    }
    for alignment in [0, 3, 4097, usize::MAX] {
        let refused = AlignedBuf::<u8>::with_alignment(100, alignment).unwrap_err();
        assert_eq!(refused, invalid(format!("alignment: {alignment} bytes is not a power of two")));
    }
    let overflow = |len| invalid(format!("{len} elements of 4 bytes exceed the address space"));
    assert_eq!(AlignedBuf::<u32>::zeroed(usize::MAX / 4).unwrap_err(), overflow(usize::MAX / 4));
    // Rounded up to the alignment, it is too much.
    let most = isize::MAX as usize / 4;
    assert_eq!(AlignedBuf::<u32>::zeroed(most).unwrap_err(), overflow(most));
    let far = AlignedBuf::<u32>::zeroed(1 << 45).unwrap_err();
    assert_eq!(far.kind(), ErrorKind::OutOfHostMemory);
    assert_eq!(far.to_string(), format!("host memory: {} bytes could not be allocated", 1_u64 << 47));
}

#[test]
fn default_alignment_is_of_whole_host_pages() {
    let page = host_page();
    assert!(AlignedBuf::<u32>::DEFAULT_ALIGNMENT.is_multiple_of(page), "{page}");
    assert!(pages(1).as_ptr().addr().is_multiple_of(page));
}

/// Ends a registration while a copy of another context waits behind a kernel. On the same thread, or on another one.
fn end_under_a_copy(registering: &Context, copying: &Context, on_the_same_thread: bool) {
    let stream = Stream::new(copying).unwrap();
    let numbers: Vec<u32> = (0..1 << 20).collect();
    let mut memory = pages(numbers.len());
    memory.copy_from_slice(&numbers);
    let memory = &*memory;
    let mut device = DeviceBuf::<u32>::zeroed(&stream, memory.len()).unwrap();
    let busy = std::sync::Mutex::new(None::<Busy>);
    let (begun, has_begun) = channel();
    let (queued, is_queued) = channel();
    let release = || {
        // So long that the registration would have ended if it did not wait.
        thread::sleep(Duration::from_millis(100));
        busy.lock().unwrap().as_ref().unwrap().go();
    };
    thread::scope(|threads| {
        let mut registered = None;
        if !on_the_same_thread {
            let thread = threads.spawn(move || {
                register_shared_scoped(registering, memory, NONE, |_| {
                    begun.send(()).unwrap();
                    is_queued.recv().unwrap();
                })
            });
            if has_begun.recv().is_err() {
                panic!("not registered: {:?}", thread.join());
            }
            registered = Some(thread);
        }
        let copied = stream.scope(|scope| {
            let mut copy = || {
                // Work that was queued before the first copy is waited for.
                scope.copy_from_host(device.slice_mut(..1)?, &memory[..1])?;
                *busy.lock().unwrap() = Some(Busy::new(&stream));
                scope.copy_from_host(device.as_slice_mut(), memory)
            };
            if on_the_same_thread {
                register_shared_scoped(registering, memory, NONE, |_| {
                    let copied = copy();
                    threads.spawn(release);
                    copied
                })?
            } else {
                let copied = copy();
                queued.send(()).unwrap();
                release();
                copied
            }
        });
        copied.unwrap();
        if let Some(registered) = registered {
            registered.join().unwrap().unwrap();
        }
    });
    assert!(device.to_vec().unwrap() == numbers);
    assert!(!is_registered(memory));
}

fn end_under_copies(name: &str, on_the_same_thread: bool) {
    alone(name, || {
        let own = Context::new(device(), ContextFlags::default()).unwrap();
        end_under_a_copy(&context(), &own, on_the_same_thread);
        end_under_a_copy(&own, &context(), on_the_same_thread);
        // The driver waits for the copy.
        end_under_a_copy(&own, &own, on_the_same_thread);
        if let Some(second) = second_device() {
            let far = Context::primary(second).unwrap();
            end_under_a_copy(&context(), &far, on_the_same_thread);
            end_under_a_copy(&far, &context(), on_the_same_thread);
        }
    });
}

#[test]
fn unregistering_waits_for_other_contexts() {
    end_under_copies("registered::unregistering_waits_for_other_contexts", false);
}

#[test]
fn unregistering_in_a_scope_waits_for_its_copies() {
    end_under_copies("registered::unregistering_in_a_scope_waits_for_its_copies", true);
}
