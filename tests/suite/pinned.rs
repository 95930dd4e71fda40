//! Page-locked memory of the driver.

use crate::is_since;
use cuda_rt::error::Code;
use cuda_rt::memory::PinnedFlags;
use cuda_rt::{Context, DeviceBuf, DevicePtr, LaunchConfig, Module, PinnedBuf};
use cuda_suite::{context, invalid, second_device, skip, stream};

#[test]
fn pinned_buffer_derefs_to_a_slice() {
    let context = context();
    let mut numbers = PinnedBuf::<u32>::zeroed(&context, 1000).unwrap();
    assert!(numbers.iter().all(|number| *number == 0));
    numbers[999] = 7;
    numbers[..3].copy_from_slice(&[1, 2, 3]);
    assert_eq!((numbers.len(), numbers.size_bytes(), numbers.iter().sum::<u32>()), (1000, 4000, 13));
    let squares = PinnedBuf::from_fn(&context, 5, |index| index * index).unwrap();
    assert_eq!(squares[..], [0, 1, 4, 9, 16]);
    assert_eq!(PinnedBuf::from_slice(&context, &squares[3..]).unwrap()[..], [9, 16]);
    squares.close().unwrap();
}

#[test]
fn memory_that_was_used_before_is_zero_again() {
    let context = context();
    for _ in 0..4 {
        let mut bytes = PinnedBuf::<u8>::zeroed(&context, 5000).unwrap();
        assert!(bytes.iter().all(|byte| *byte == 0));
        bytes.fill(0xff);
    }
}

#[test]
fn copies_of_borrowed_memory_wait() {
    let (context, stream) = (context(), stream());
    let host = PinnedBuf::from_fn(&context, 1 << 20, |index| index as u32).unwrap();
    let mut device = DeviceBuf::from_host(&stream, &host).unwrap();
    let mut back = PinnedBuf::<u32>::zeroed(&context, 1 << 20).unwrap();
    device.copy_to_host(&mut back).unwrap();
    assert!(back[..] == host[..]);
    // Copies with a part of the memory, which does not start at its beginning.
    let mut part = PinnedBuf::from_slice(&context, &[1, 2, 3, 4]).unwrap();
    device.slice_mut(5..7).unwrap().copy_from_host(&part[1..3]).unwrap();
    part.fill(0);
    device.slice(4..8).unwrap().copy_to_host(&mut part).unwrap();
    assert_eq!(part[..], [4, 2, 3, 7]);
}

#[test]
fn empty_pinned_buffer_makes_no_driver_call() {
    let context = context();
    let mut nothing = PinnedBuf::<f32>::zeroed(&context, 0).unwrap();
    assert!(nothing.is_empty() && nothing.device_ptr().unwrap().is_null());
    assert_eq!(nothing.flags().unwrap(), PinnedFlags::empty());
    nothing.fill(1.0);
    nothing.close().unwrap();
    // Elements without a size.
    let units = PinnedBuf::from_slice(&context, &[(); 1000]).unwrap();
    assert_eq!((units.len(), units.size_bytes()), (1000, 0));
    assert_eq!(PinnedBuf::<()>::zeroed(&context, usize::MAX).unwrap().len(), usize::MAX);
}

#[test]
fn too_much_is_refused() {
    let context = context();
    let refused = PinnedBuf::<u64>::zeroed(&context, usize::MAX / 4).unwrap_err();
    assert_eq!(refused, invalid(format!("{} elements of 8 bytes exceed the address space", usize::MAX / 4)));
    let refused = PinnedBuf::<u8>::zeroed(&context, 1 << 50).unwrap_err();
    assert_eq!(refused.code(), Some(Code::OutOfMemory));
    assert!(refused.to_string().starts_with("cuMemHostAlloc: "), "{refused}");
    assert!(refused.to_string().ends_with(&format!("{} bytes", 1_u64 << 50)), "{refused}");
    let unknown = PinnedFlags::from_bits_retain(0x100);
    let refused = PinnedBuf::<u8>::with_flags(&context, 1, unknown).unwrap_err();
    assert_eq!(refused.code(), Some(Code::InvalidValue));
    assert!(refused.to_string().ends_with("flags 0x100"), "{refused}");
}

#[test]
fn flags_are_those_of_the_driver() {
    let context = context();
    let flags = |flags| PinnedBuf::<u8>::with_flags(&context, 10, flags).unwrap().flags().unwrap();
    // Some machines tell of `PORTABLE` where it was asked for, some never, and some with other flags (measured).
    let flags = |asked| flags(asked) - PinnedFlags::PORTABLE;
    assert_eq!(flags(PinnedFlags::empty()), PinnedFlags::DEVICEMAP);
    assert_eq!(flags(PinnedFlags::PORTABLE), PinnedFlags::DEVICEMAP);
    assert_eq!(flags(PinnedFlags::WRITECOMBINED), PinnedFlags::DEVICEMAP | PinnedFlags::WRITECOMBINED);
}

#[test]
fn elements_are_aligned() {
    #[derive(Clone, Copy)]
    #[repr(C, align(8192))]
    struct Wide([u8; 8192]);

    let context = context();
    let wide: Vec<_> = (1..4)
        .map(|len| PinnedBuf::from_fn(&context, len, |index| Wide([index as u8; 8192])).unwrap())
        .collect();
    for (buffer, len) in wide.iter().zip(1..) {
        assert_eq!((buffer.as_ptr().addr() % 8192, buffer.len()), (0, len));
        assert!(buffer.iter().enumerate().all(|(index, wide)| wide.0 == [index as u8; 8192]));
        assert_eq!(buffer.device_ptr().unwrap().as_raw() % 8192, 0);
    }
}

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry double(.param .u64 at) {
        .reg .b64 %at, %offset; .reg .b32 %i, %n;
        ld.param.u64 %at, [at];
        mov.u32 %i, %tid.x;
        mul.wide.u32 %offset, %i, 4;
        add.u64 %at, %at, %offset;
        ld.global.u32 %n, [%at];
        add.u32 %n, %n, %n;
        st.global.u32 [%at], %n;
        ret; }";

#[test]
#[allow(unsafe_code)]
fn kernels_access_pinned_memory() {
    let (context, stream) = (context(), stream());
    let module = Module::from_ptx(&context, PTX).unwrap();
    let double = crate::typed::<(DevicePtr<u32>,)>(&module.function("double").unwrap());
    for flags in [PinnedFlags::DEVICEMAP, PinnedFlags::WRITECOMBINED | PinnedFlags::PORTABLE] {
        let mut numbers = PinnedBuf::<u32>::with_flags(&context, 4, flags).unwrap();
        numbers.copy_from_slice(&[1, 2, 3, 4]);
        let at = numbers.device_ptr().unwrap();
        // SAFETY: 4 threads change the 4 elements, and the host waits for them before it looks.
        unsafe { double.launch(LaunchConfig::new(1, 4), &stream, (at,)) }.unwrap();
        stream.synchronize().unwrap();
        assert_eq!(numbers[..], [2, 4, 6, 8]);
    }
}

#[test]
fn another_device_accesses_pinned_memory() {
    let Some(device) = second_device() else { skip!("needs a second device") };
    let second = Context::primary(device).unwrap();
    let numbers = PinnedBuf::from_slice(&context(), &[1_u32, 2, 3]).unwrap();
    assert!(!numbers.device_ptr_in(&second).unwrap().is_null());
    let other = cuda_rt::Stream::new(&second).unwrap();
    let device = DeviceBuf::from_host(&other, &numbers).unwrap();
    assert_eq!(device.to_vec().unwrap(), [1, 2, 3]);
}

/// It keeps its context, and is freed on any thread.
#[test]
fn pinned_buffer_is_freed_on_any_thread() {
    use cuda_rt::context::ContextFlags;
    let own = Context::new(cuda_suite::device(), ContextFlags::default()).unwrap();
    let id = own.id();
    let numbers = PinnedBuf::from_slice(&own, &[1_u32, 2, 3]).unwrap();
    drop(own);
    assert_eq!(numbers.context().id(), id);
    assert_eq!(id.is_some(), is_since(12, 0));
    std::thread::spawn(move || {
        assert_eq!(numbers[..], [1, 2, 3]);
        numbers.close().unwrap();
    })
    .join()
    .unwrap();
}

#[test]
fn panic_during_initialisation_frees_the_buffer() {
    let context = context();
    let work = || {
        PinnedBuf::from_fn(&context, 100, |index| if index == 50 { std::panic::panic_any(50) } else { index })
    };
    let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_err();
    assert_eq!(payload.downcast_ref(), Some(&50));
}

#[test]
#[allow(unsafe_code)]
fn memory_is_used_by_pointers_alone() {
    let context = context();
    let mut numbers = PinnedBuf::<u32>::zeroed(&context, 1000).unwrap();
    let (read, write) = (numbers.as_ptr().addr(), numbers.as_mut_ptr());
    assert_eq!(read, write.addr());
    // Each thread has a part of it.
    struct Place(*mut u32);
    // SAFETY: each thread uses other elements.
    unsafe impl Send for Place {}
    std::thread::scope(|scope| {
        for part in 0..4 {
            let place = Place(write.wrapping_add(250 * part));
            scope.spawn(move || {
                let place = place;
                for index in 0..250 {
                    // SAFETY: within the buffer, and no other thread's.
                    unsafe { place.0.wrapping_add(index).write(part as u32) };
                }
            });
        }
    });
    assert!(numbers.iter().enumerate().all(|(index, number)| *number == (index / 250) as u32));
    // It stays there when the buffer is moved.
    let moved = Box::new(numbers);
    assert_eq!(moved.as_ptr().addr(), read);
    assert!(!PinnedBuf::<u64>::zeroed(&context, 0).unwrap().as_ptr().is_null());
}

#[test]
#[allow(unsafe_code)]
fn uninitialised_memory_is_initialised_by_its_owner() {
    let context = context();
    let mut squares = PinnedBuf::<u64>::uninit(&context, 100).unwrap();
    assert_eq!((squares.len(), squares.size_bytes()), (100, 800));
    let at = squares.as_ptr().addr();
    for (index, place) in squares.iter_mut().enumerate() {
        place.write((index * index) as u64);
    }
    // SAFETY: all were written.
    let squares = unsafe { squares.assume_init() };
    assert_eq!((squares.as_ptr().addr(), squares[9], squares[99]), (at, 81, 9801));
    // Memory of a pool, which takes it back.
    let pool = cuda_rt::memory::PinnedPool::new(&context, PinnedFlags::empty());
    drop(PinnedBuf::<u8>::uninit_in(&pool, 1000).unwrap());
    let again = PinnedBuf::<u8>::uninit_in(&pool, 1000).unwrap();
    assert_eq!((pool.usage().active_blocks, pool.usage().held_blocks), (1, 0));
    drop(again);
    assert!(PinnedBuf::<u8>::uninit(&context, 0).unwrap().is_empty());
    assert!(PinnedBuf::<u64>::uninit(&context, usize::MAX).is_err());
}

#[test]
fn downloads_go_to_fresh_memory() {
    let stream = stream();
    let numbers: Vec<u32> = (0..10_000).collect();
    let device = DeviceBuf::from_host(&stream, &numbers).unwrap();
    let pending = device.to_pinned().unwrap();
    let part = device.slice(10..12).unwrap().to_pinned().unwrap();
    drop(device);
    assert!(pending.wait().unwrap()[..] == numbers[..]);
    assert_eq!(part.wait().unwrap()[..], [10, 11]);
    let pool = cuda_rt::memory::PinnedPool::new(stream.context(), PinnedFlags::empty());
    let device = DeviceBuf::from_host(&stream, &numbers).unwrap();
    for _ in 0..3 {
        assert!(device.as_slice().to_pinned_in(&pool).unwrap().wait().unwrap()[..] == numbers[..]);
    }
    assert_eq!(pool.usage().held_blocks, 1);
    assert!(device.slice(5..5).unwrap().to_pinned().unwrap().wait().unwrap().is_empty());
}
