//! Allocating the memory of buffers, moving it between streams, and freeing it.
#![allow(unsafe_code)]

use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat, MipmappedArray};
use cuda_rt::bytemuck::{AnyBitPattern, Zeroable};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::memory::{AccessSize, CachingPool, MemoryRelease, MemorySource, PitchedBuf};
use cuda_rt::memory::{OutOfMemory, set_out_of_memory_hook};
use cuda_rt::{Context, DeviceBuf, DevicePtr, DeviceSlice, DeviceSliceMut, Error, Event, PinnedBuf, Stream};
use cuda_suite::{context, device, invalid, stream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

#[test]
fn plain_memory_is_allocated_on_request() {
    let stream = stream();
    let numbers: Vec<u32> = (0..1000).collect();
    let mut plain = DeviceBuf::from_host_in(&stream, &numbers, MemorySource::Plain).unwrap();
    assert!(plain.is_plain());
    let mut zeros = DeviceBuf::<u32>::zeroed_in(&stream, 1000, MemorySource::Plain).unwrap();
    assert_eq!(zeros.to_vec().unwrap(), [0; 1000]);
    zeros.copy_from_device(plain.as_slice()).unwrap();
    plain.fill_zero().unwrap();
    drop(plain);
    assert_eq!(zeros.to_vec().unwrap(), numbers);
    std::thread::spawn(move || zeros.close().unwrap()).join().unwrap();
    let uninit = DeviceBuf::<u8>::uninit_in(&stream, 5, MemorySource::Plain).unwrap();
    assert_eq!((uninit.len(), uninit.ptr().is_null()), (5, false));
}

#[test]
fn plain_memory_of_a_page_or_more_begins_at_a_page() {
    const PAGE: usize = 2 << 20;
    let stream = stream();
    let allocate = |bytes| DeviceBuf::<u8>::uninit_in(&stream, bytes, MemorySource::Plain).unwrap();
    let sizes = [3 << 20, 100, PAGE, 900 << 10, 5 << 20, 700 << 10, PAGE + 1];
    let mut held: Vec<_> = sizes.into_iter().map(allocate).collect();
    // Among holes.
    for (place, size) in [PAGE, 3 << 20, 100, PAGE, 512 << 10, 3 << 20, PAGE].into_iter().enumerate() {
        held[place] = allocate(size);
    }
    for buffer in &held {
        let address = buffer.ptr().as_raw();
        assert!(
            buffer.len() < PAGE || address.is_multiple_of(PAGE as u64),
            "{} at {address:#x}",
            buffer.len()
        );
    }
}

#[test]
fn empty_buffer_has_no_memory() {
    let stream = stream();
    for source in [MemorySource::Default, MemorySource::Plain] {
        let mut empty = DeviceBuf::<u64>::zeroed_in(&stream, 0, source).unwrap();
        assert!(empty.ptr().is_null());
        empty.move_to(&Stream::new(&context()).unwrap()).unwrap();
        let unsized_ = DeviceBuf::<[u64; 0]>::from_host_in(&stream, &[[]; 7], source).unwrap();
        assert_eq!((unsized_.len(), unsized_.size_bytes(), unsized_.ptr().is_null()), (7, 0, true));
        let (ptr, len, release) = unsized_.into_raw();
        assert!(ptr.is_null());
        // SAFETY: 7 elements of no size.
        let again = unsafe { DeviceBuf::from_raw(ptr, len, &stream, release) };
        again.close().unwrap();
        let error = DeviceBuf::<u64>::uninit_in(&stream, usize::MAX / 8, source).unwrap_err();
        assert_eq!(
            error,
            invalid(format!("{} elements of 8 bytes exceed the address space", usize::MAX / 8)),
            "more than an `isize` holds"
        );
    }
}

#[test]
fn a_buffer_moves_to_another_stream_after_its_work() {
    let (first, second) = (stream(), stream());
    for source in [MemorySource::Default, MemorySource::Plain] {
        for round in 1..20_u8 {
            let mut buffer = DeviceBuf::<u8>::zeroed_in(&first, 100_000, source).unwrap();
            let from = DeviceBuf::from_host(&first, &[round; 100_000]).unwrap();
            buffer.copy_from_device(from.as_slice()).unwrap();
            buffer.move_to(&second).unwrap();
            assert_eq!(buffer.stream(), &second);
            // Without the order, this would read before the copy above.
            assert_eq!(buffer.to_vec().unwrap(), [round; 100_000]);
            // The buffer is freed on the second stream, after this copy.
            let mut last = DeviceBuf::<u8>::zeroed_in(&second, 100_000, source).unwrap();
            last.copy_from_device(buffer.as_slice()).unwrap();
            drop(buffer);
            let _other = DeviceBuf::from_host(&first, &[0xff_u8; 100_000]).unwrap();
            assert_eq!(last.to_vec().unwrap(), [round; 100_000]);
        }
    }
    let mut legacy = DeviceBuf::from_host(&Stream::legacy(&context()), &[1_u8, 2]).unwrap();
    legacy.move_to(&first).unwrap();
    legacy.move_to(&first).unwrap();
    assert_eq!(legacy.to_vec().unwrap(), [1, 2]);
    legacy.move_to(&Stream::legacy(&context())).unwrap();
    legacy.close().unwrap();
}

#[test]
fn a_buffer_stays_in_its_context() {
    let own = Context::new(device(), ContextFlags::default()).unwrap();
    let elsewhere = Stream::new(&own).unwrap();
    let mut buffer = DeviceBuf::from_host(&stream(), &[1_u8]).unwrap();
    let before = buffer.stream().clone();
    let error = buffer.move_to(&elsewhere).unwrap_err();
    let (first, second) = ("the buffer", "the stream");
    assert_eq!(error, invalid(format!("{first} and {second} belong to different contexts;")));
    assert_eq!(buffer.stream(), &before);
    assert_eq!(buffer.to_vec().unwrap(), [1]);
}

#[test]
fn memory_parts_make_the_same_buffer_again() {
    let stream = stream();
    for source in [MemorySource::Default, MemorySource::Plain] {
        let buffer = DeviceBuf::from_host_in(&stream, &[1_u32, 2, 3], source).unwrap();
        let address = buffer.ptr();
        let (ptr, len, release) = buffer.into_raw();
        assert_eq!((ptr, len), (address, 3));
        // SAFETY: the parts of a buffer on this stream, with bytes as elements.
        let bytes = unsafe { DeviceBuf::<u8>::from_raw(ptr.cast(), 4 * len, &stream, release) };
        assert_eq!(bytes.to_vec().unwrap()[..4], 1_u32.to_ne_bytes());
        bytes.close().unwrap();
    }
}

#[test]
fn raw_memory_of_either_kind_is_taken_over() {
    let stream = stream();
    let mut plain = 0;
    {
        let _entered = stream.context().enter().unwrap();
        // SAFETY: valid for a write; the context is current.
        assert!(unsafe { cuda_sys::cuMemAlloc_v2(&raw mut plain, 64) }.is_success());
    }
    let ptr = DevicePtr::<u64>::from_raw(plain);
    // SAFETY: allocated above for as many elements, and without another owner.
    let mut buffer = unsafe { DeviceBuf::from_raw(ptr, 8, &stream, MemoryRelease::Plain) };
    assert!(buffer.is_plain());
    buffer.copy_from_host(&[7; 8]).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [7; 8]);
    buffer.close().unwrap();

    let mut ordered = 0;
    let code = {
        let _entered = stream.context().enter().unwrap();
        // SAFETY: valid for a write; stream and context are live, and the context is current.
        unsafe { cuda_sys::cuMemAllocAsync(&raw mut ordered, 64, stream.as_raw()) }
    };
    if Code::new(code) == Some(Code::NotSupported) {
        return cuda_suite::note_skip(
            "raw_memory_of_either_kind_is_taken_over (pools)",
            "there are no pools",
        );
    }
    assert!(code.is_success());
    let ptr = DevicePtr::<u64>::from_raw(ordered);
    // SAFETY: allocated above on the stream for as many elements, and without another owner.
    let mut buffer = unsafe { DeviceBuf::from_raw(ptr, 8, &stream, MemoryRelease::StreamOrdered) };
    assert!(!buffer.is_plain());
    buffer.fill_zero().unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [0; 8]);
    buffer.close().unwrap();
}

/// Owner of memory. Its drop records whether all work before the event is done.
struct Owner {
    memory: DeviceBuf<u32>,
    reached: Arc<Mutex<Option<Event>>>,
    was_done: Arc<Mutex<Option<bool>>>,
}

impl Drop for Owner {
    fn drop(&mut self) {
        assert!(!self.memory.is_empty());
        let reached = self.reached.lock().unwrap();
        *self.was_done.lock().unwrap() = reached.as_ref().map(|event| event.is_done().unwrap());
    }
}

#[test]
fn owner_is_dropped_after_device_work() {
    for moved in [false, true] {
        let (home, other) = (stream(), stream());
        let (reached, was_done) = (Arc::new(Mutex::new(None)), Arc::new(Mutex::new(None)));
        let memory = DeviceBuf::<u32>::zeroed(&other, 1 << 20).unwrap();
        other.synchronize().unwrap();
        let (ptr, len) = (memory.ptr(), memory.len());
        let owner = Owner { memory, reached: reached.clone(), was_done: was_done.clone() };
        // SAFETY: the owner keeps the memory, and does not use it.
        let mut buffer =
            unsafe { DeviceBuf::from_raw(ptr, len, &home, MemoryRelease::Owner(Box::new(owner))) };
        let source = DeviceBuf::<u32>::zeroed(&home, 1 << 20).unwrap();
        buffer.copy_from_device(source.as_slice()).unwrap();
        let last = if moved { stream() } else { home };
        buffer.move_to(&last).unwrap();
        buffer.copy_from_device(source.as_slice()).unwrap();
        let event = Event::new(&context()).unwrap();
        event.record(&last).unwrap();
        *reached.lock().unwrap() = Some(event);
        assert_eq!(*was_done.lock().unwrap(), None);
        drop(buffer);
        assert_eq!(*was_done.lock().unwrap(), Some(true));
    }
}

#[test]
fn owner_in_raw_parts_is_dropped_after_queued_work() {
    let (home, stream) = (stream(), stream());
    let words = DeviceBuf::from_host(&home, &[1_u32; 4]).unwrap();
    let ptr = words.ptr().cast::<u8>();
    // SAFETY: the owner keeps the memory, and does not use it.
    let mut bytes = unsafe { DeviceBuf::from_raw(ptr, 16, &stream, MemoryRelease::Owner(Box::new(words))) };
    let (go, wait) = std::sync::mpsc::channel::<()>();
    stream.launch_host_function(move || wait.recv().unwrap_or_default()).unwrap();
    bytes.as_slice_mut().fill(0xee).unwrap();
    let (out, len, release) = bytes.into_raw();
    assert_eq!((out, len), (ptr, 16));
    let is_done = Arc::new(AtomicBool::new(false));
    let done = is_done.clone();
    let releasing = std::thread::spawn(move || {
        drop(release);
        done.store(true, Ordering::SeqCst);
    });
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert!(!is_done.load(Ordering::SeqCst), "the fill is queued");
    go.send(()).unwrap();
    releasing.join().unwrap();
    assert!(stream.is_done().unwrap());
}

#[test]
fn memory_of_others_is_borrowed() {
    let stream = stream();
    let buffer = DeviceBuf::from_host(&stream, &[[1_u8, 2], [3, 4]]).unwrap();
    let bytes = buffer.ptr().cast::<u8>();
    {
        // SAFETY: all of the buffer, which is not used meanwhile.
        let mut view = unsafe { DeviceSliceMut::from_raw_parts(bytes, 4, &stream) };
        view.slice_mut(2..).unwrap().copy_from_host(&[30, 40]).unwrap();
    }
    // SAFETY: the last bytes of the buffer, which is not written meanwhile.
    let view = unsafe { DeviceSlice::from_raw_parts(bytes.add(1), 3, &stream) };
    let mut copy = DeviceBuf::<u8>::zeroed(&stream, 3).unwrap();
    copy.copy_from_device(view).unwrap();
    assert_eq!(copy.to_vec().unwrap(), [2, 30, 40]);
    // SAFETY: no elements.
    let empty = unsafe { DeviceSlice::<u64>::from_raw_parts(DevicePtr::null(), 0, &stream) };
    assert_eq!(empty.to_vec().unwrap(), [0_u64; 0]);
}

/// More bytes than a device has. The number differs from those of other tests that exhaust memory on purpose.
const TOO_MUCH: usize = (1 << 50) + 12_345;

/// Runs `work` with the hook set. Only one thread at a time sets a hook.
fn with_hook(hook: impl Fn(&OutOfMemory<'_>) -> bool + Send + Sync + 'static, work: impl FnOnce()) {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let before = set_out_of_memory_hook(hook);
    work();
    before.restore();
}

fn is_too_much(error: &Error) -> bool {
    let text = error.to_string();
    let asked = format!(": {TOO_MUCH} bytes, where ");
    error.code() == Some(Code::OutOfMemory) && text.contains(&asked) && text.ends_with(" are free")
}

#[test]
fn the_hook_is_asked_once_for_each_failing_allocation() {
    let stream = stream();
    for (again, source) in [
        (false, MemorySource::Default),
        (true, MemorySource::Default),
        (false, MemorySource::Plain),
        (true, MemorySource::Plain),
    ] {
        let asked = Arc::new(AtomicUsize::new(0));
        let (count, inside) = (asked.clone(), stream.clone());
        let hook = move |short: &OutOfMemory<'_>| {
            if short.bytes() == TOO_MUCH {
                assert_eq!(short.context(), inside.context());
                assert_eq!(short.device(), inside.context().device());
                // The hook is not called for its own allocations.
                let error = DeviceBuf::<u8>::uninit_in(&inside, TOO_MUCH, source).unwrap_err();
                assert!(is_too_much(&error), "{error}");
                // The hook may use the driver. As before the allocation, no context is current.
                DeviceBuf::<u8>::zeroed(&inside, 100).unwrap().close().unwrap();
                assert_eq!(Context::current_raw().unwrap(), None);
                // A panic of the hook counts as a refusal, so this comes last.
                count.fetch_add(1, Ordering::Relaxed);
            }
            again
        };
        with_hook(hook, || {
            let error = DeviceBuf::<u8>::uninit_in(&stream, TOO_MUCH, source).unwrap_err();
            assert!(is_too_much(&error), "{error}");
            assert_eq!(asked.load(Ordering::Relaxed), 1);
        });
        let error = DeviceBuf::<u8>::uninit_in(&stream, TOO_MUCH, source).unwrap_err();
        assert!(is_too_much(&error), "{error}");
        assert_eq!(asked.load(Ordering::Relaxed), 1);
    }
}

#[test]
fn the_hook_is_asked_for_arrays_and_pitched_memory() {
    let stream = stream();
    let image = ArrayDescriptor::volume(16_384, 16_384, 16_384, ArrayFormat::FLOAT, 4);
    const ROWS: usize = TOO_MUCH.div_ceil(1 << 30);
    let attempts: [(usize, &dyn Fn() -> Option<Error>); 3] = [
        (ROWS << 30, &|| PitchedBuf::<u8>::uninit(&stream, 1 << 30, ROWS, AccessSize::Four).err()),
        (1 << 46, &|| Array::new(&stream, image).err()),
        (1 << 46, &|| MipmappedArray::new(&stream, image, 2).err()),
    ];
    for (bytes, attempt) in attempts {
        for again in [false, true] {
            let asked = Arc::new(AtomicUsize::new(0));
            let (count, own) = (asked.clone(), std::thread::current().id());
            let hook = move |short: &OutOfMemory<'_>| {
                if std::thread::current().id() == own {
                    assert_eq!(short.bytes(), bytes);
                    count.fetch_add(1, Ordering::Relaxed);
                }
                again
            };
            with_hook(hook, || {
                assert_eq!(attempt().unwrap().code(), Some(Code::OutOfMemory));
                assert_eq!(asked.load(Ordering::Relaxed), 1);
            });
        }
    }
}

#[test]
fn a_panic_in_the_out_of_memory_hook_is_contained() {
    let stream = stream();
    let asked = Arc::new(AtomicUsize::new(0));
    // Another test asks for as much, also without a hook of its own.
    let (count, own) = (asked.clone(), std::thread::current().id());
    let hook = move |short: &OutOfMemory<'_>| {
        if short.bytes() == TOO_MUCH && std::thread::current().id() == own {
            count.fetch_add(1, Ordering::Relaxed);
            panic!("a hook that panics, which a test wants");
        }
        false
    };
    with_hook(hook, || {
        for round in 1..3 {
            let error = DeviceBuf::<u8>::uninit(&stream, TOO_MUCH).unwrap_err();
            assert!(is_too_much(&error), "{error}");
            assert_eq!(asked.load(Ordering::Relaxed), round, "asked again after a panic");
        }
    });
}

#[test]
fn buffers_are_cloned_with_their_kind_of_memory() {
    let stream = stream();
    let numbers: Vec<u32> = (0..1000).collect();
    for source in [MemorySource::Default, MemorySource::Plain] {
        let mut first = DeviceBuf::from_host_in(&stream, &numbers, source).unwrap();
        let second = first.try_clone().unwrap();
        assert_eq!((second.is_plain(), second.stream()), (first.is_plain(), &stream));
        assert_ne!(second.ptr(), first.ptr());
        first.fill_zero().unwrap();
        drop(first);
        assert_eq!(second.to_vec().unwrap(), numbers);
    }
    assert_eq!(DeviceBuf::<u8>::zeroed(&stream, 0).unwrap().try_clone().unwrap().len(), 0);
    let pool = cuda_rt::memory::CachingPool::new(stream.context());
    let cached = DeviceBuf::from_host_in(&stream, &numbers, &pool).unwrap();
    let clone = cached.try_clone().unwrap();
    assert_eq!(pool.usage().active_blocks, 1, "the clone is of the device's own pool");
    assert_eq!(clone.to_vec().unwrap(), numbers);
    let again = DeviceBuf::from_device_in(&stream, cached.as_slice(), &pool).unwrap();
    assert_eq!(again.to_vec().unwrap(), numbers);
    assert_eq!(pool.usage().active_blocks, 2);
}

#[test]
fn buffers_are_made_of_device_memory() {
    let (one, other) = (stream(), stream());
    let numbers = DeviceBuf::from_host(&one, &[1, 2, 3, 4]).unwrap();
    let part = DeviceBuf::from_device(&other, numbers.slice(1..3).unwrap()).unwrap();
    assert_eq!(part.stream(), &other);
    let own = Context::new(device(), ContextFlags::default()).unwrap();
    let there = DeviceBuf::from_device(&Stream::new(&own).unwrap(), numbers.as_slice()).unwrap();
    drop(numbers);
    assert_eq!(part.to_vec().unwrap(), [2, 3]);
    assert_eq!(there.to_vec().unwrap(), [1, 2, 3, 4]);
    let Some(device) = cuda_suite::second_device() else { cuda_suite::skip!("there is one device") };
    let peer = Stream::new(&Context::primary(device).unwrap()).unwrap();
    assert_eq!(DeviceBuf::from_device(&peer, part.as_slice()).unwrap().to_vec().unwrap(), [2, 3]);
}

#[derive(Debug, Clone, Copy)]
#[repr(C, align(256))]
struct Aligned(#[allow(dead_code)] [u8; 256]);
// SAFETY: all values of bytes are valid.
unsafe impl Zeroable for Aligned {}
// SAFETY: as above.
unsafe impl AnyBitPattern for Aligned {}

#[derive(Debug, Clone, Copy)]
#[repr(C, align(4096))]
struct Page(#[allow(dead_code)] [u8; 4096]);
// SAFETY: as above.
unsafe impl Zeroable for Page {}
// SAFETY: as above.
unsafe impl AnyBitPattern for Page {}

#[test]
fn elements_begin_at_their_alignment_or_not_at_all() {
    let (context, stream) = (context(), stream());
    let pool = CachingPool::new(&context);
    let refusal = invalid("an alignment of 4096 bytes exceeds that of device memory, 256");
    for source in [MemorySource::Default, MemorySource::Plain, (&pool).into()] {
        let _small = DeviceBuf::<u8>::uninit_in(&stream, 1, source).unwrap();
        let aligned = DeviceBuf::<Aligned>::zeroed_in(&stream, 3, source).unwrap();
        assert_eq!(aligned.ptr().as_raw() % 256, 0);
        assert_eq!(DeviceBuf::<Page>::uninit_in(&stream, 1, source).unwrap_err(), refusal);
    }
    assert_eq!(PitchedBuf::<Page>::uninit(&stream, 1, 2, AccessSize::Four).unwrap_err(), refusal);
    // Pinned memory begins at the alignment of its elements.
    assert_eq!(PinnedBuf::<Page>::zeroed(&context, 1).unwrap().as_ptr().addr() % 4096, 0);
}
