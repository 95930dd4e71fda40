//! Managed memory of the safe layer.

use crate::is_since;
use crate::raw::{begin_capture, end_capture};
use cuda_rt::context::ContextFlags;
use cuda_rt::device::DeviceAttribute;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::memory::{DiscardBatch, MemAdvise, MemAttach, MemLocation, PrefetchBatch, RangeAttribute};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, ManagedBuf, Module, PinnedBuf, Stream};
use cuda_suite::{
    call, capturing, code, context, device, invalid, out_of_bounds, second_device, skip, stream,
};

/// Returns whether the host may use managed memory at all times.
fn is_concurrent() -> bool {
    let of = |device: &Device| device.attribute(DeviceAttribute::CONCURRENT_MANAGED_ACCESS).unwrap() != 0;
    cuda_suite::driver();
    Device::all().unwrap().iter().all(of)
}

/// Nodes take the kind for managed memory, and allocate memory of the device (fact V1046).
#[test]
fn graph_nodes_allocate_no_managed_memory() {
    use cuda_sys::*;
    if !is_since(13, 0) || device().attribute(DeviceAttribute::MEMORY_POOLS_SUPPORTED).unwrap() == 0 {
        skip!("needs a driver for CUDA 13.0 with memory pools");
    }
    let context = context();
    let _entered = context.enter().unwrap();
    let mut graph = std::ptr::null_mut();
    call!(cuGraphCreate(&raw mut graph, 0));
    let add = |kind, place| {
        let mut node = std::ptr::null_mut();
        let mut params = CUDA_MEM_ALLOC_NODE_PARAMS { bytesize: 4096, ..Default::default() };
        params.poolProps.allocType = kind;
        params.poolProps.location.type_ = place;
        let added = code!(cuGraphAddMemAllocNode(&raw mut node, graph, std::ptr::null(), 0, &raw mut params));
        let mut told = CUDA_MEM_ALLOC_NODE_PARAMS::default();
        if added.is_success() {
            call!(cuGraphMemAllocNodeGetParams(node, &raw mut told));
        }
        (added, params.dptr, told.poolProps.allocType)
    };
    let managed = CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_MANAGED;
    let (added, address, told) = add(managed, CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE);
    assert_eq!((added, told), (CUresult::CUDA_SUCCESS, managed));
    for kind in [managed, CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED] {
        let (added, ..) = add(kind, CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST);
        assert_eq!(added, CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    let (mut executable, stream) = (std::ptr::null_mut(), stream());
    call!(cuGraphInstantiateWithFlags(&raw mut executable, graph, 1));
    call!(cuGraphLaunch(executable, stream.as_raw()));
    stream.synchronize().unwrap();
    let mut is_managed = 9_u32;
    let attribute = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_IS_MANAGED;
    call!(cuPointerGetAttribute((&raw mut is_managed).cast(), attribute, address));
    assert_eq!(is_managed, 0);
    call!(cuGraphExecDestroy(executable));
    call!(cuGraphDestroy(graph));
}

macro_rules! needs {
    (managed) => {
        if device().attribute(DeviceAttribute::MANAGED_MEMORY).unwrap() == 0 {
            skip!("needs managed memory");
        }
    };
    (concurrent) => {
        needs!(managed);
        if !is_concurrent() {
            skip!("needs concurrent managed access");
        }
    };
}

#[test]
fn the_host_and_the_device_use_the_same_memory() {
    needs!(concurrent);
    let (context, stream) = (context(), stream());
    let mut managed = ManagedBuf::<u32>::zeroed(&stream, 1000, MemAttach::Global).unwrap();
    assert_eq!(managed.host().unwrap(), [0; 1000]);
    managed.host_mut().unwrap()[7] = 7;
    let mut device = DeviceBuf::<u32>::zeroed(&Stream::new(&context).unwrap(), 1000).unwrap();
    device.copy_from_device(managed.as_slice()).unwrap();
    assert_eq!(device.to_vec().unwrap()[..9], [0, 0, 0, 0, 0, 0, 0, 7, 0]);
    device.as_slice_mut().copy_from_host(&[3; 1000]).unwrap();
    managed.slice_mut(10..20).unwrap().copy_from_device(device.slice(10..20).unwrap()).unwrap();
    drop(device);
    let seen = managed.host().unwrap();
    assert_eq!((seen[7], &seen[9..21]), (7, &[0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0][..]));
    assert_eq!(managed.ptr().as_raw(), seen.as_ptr().addr() as u64);
    managed.close().unwrap();
}

/// Host access waits for work that safe functions queued on other streams.
#[test]
fn the_host_waits_for_all_streams() {
    needs!(concurrent);
    let (context, home, copies) = (context(), stream(), stream());
    let numbers = PinnedBuf::from_fn(&context, 1 << 16, |index| index as u32).unwrap();
    let mut managed = ManagedBuf::<u32>::zeroed(&home, 1 << 16, MemAttach::Global).unwrap();
    // A scope of another stream.
    copies
        .scope(|scope| {
            scope.copy_from_host(managed.as_slice_mut(), &numbers)?;
            assert_eq!(managed.host()?, &numbers[..]);
            Ok(())
        })
        .unwrap();
    // A copy to a buffer of another stream. It must not see what the host writes afterwards.
    let mut device = DeviceBuf::<u32>::zeroed(&copies, 1 << 16).unwrap();
    device.copy_from_device(managed.as_slice()).unwrap();
    managed.host_mut().unwrap().fill(1);
    assert_eq!(device.to_vec().unwrap(), numbers[..]);
    // A copy that owns its memory.
    let pending = managed.as_slice_mut().copy_from_pinned(numbers).unwrap();
    assert!(managed.host().unwrap().iter().copied().eq(0..1 << 16));
    drop(pending);
    // And a copy to other memory in a scope.
    let mut seen = PinnedBuf::<u32>::zeroed(&context, 1 << 16).unwrap();
    copies
        .scope(|scope| {
            scope.copy_to_host(managed.as_slice(), &mut seen)?;
            managed.host_mut()?.fill(2);
            Ok(())
        })
        .unwrap();
    assert!(seen.iter().copied().eq(0..1 << 16));
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
fn kernels_use_managed_memory() {
    needs!(managed);
    let (context, stream) = (context(), stream());
    let module = Module::from_ptx(&context, PTX).unwrap();
    let double = crate::typed::<(DevicePtr<u32>,)>(&module.function("double").unwrap());
    let mut managed = ManagedBuf::from_host(&stream, &[1_u32, 2, 3, 4], MemAttach::Global).unwrap();
    // SAFETY: 4 threads change the 4 elements, on the memory's home stream.
    unsafe { double.launch(LaunchConfig::new(1, 4), &stream, (managed.ptr(),)) }.unwrap();
    managed.attach(&stream, MemAttach::Host).unwrap();
    assert_eq!(managed.host().unwrap(), [2, 4, 6, 8]);
    managed.host_mut().unwrap()[0] = 50;
    managed.attach(&stream, MemAttach::Single).unwrap();
    // SAFETY: as above.
    unsafe { double.launch(LaunchConfig::new(1, 4), &stream, (managed.ptr(),)) }.unwrap();
    assert_eq!(managed.to_vec().unwrap(), [100, 8, 12, 16]);
}

#[test]
fn memory_of_the_host_can_be_used_at_once() {
    needs!(managed);
    let stream = stream();
    let mut zeros = ManagedBuf::<u32>::zeroed(&stream, 100, MemAttach::Host).unwrap();
    assert_eq!(zeros.host().unwrap(), [0; 100]);
    zeros.host_mut().unwrap().fill(1);
    let numbers = ManagedBuf::from_host(&stream, &[1_u32, 2, 3], MemAttach::Host).unwrap();
    assert_eq!(numbers.host().unwrap(), [1, 2, 3]);
}

#[test]
#[allow(unsafe_code)]
fn memory_of_one_stream_is_initialised_when_created() {
    needs!(managed);
    let (context, stream) = (context(), stream());
    let module = Module::from_ptx(&context, PTX).unwrap();
    let double = crate::typed::<(DevicePtr<u32>,)>(&module.function("double").unwrap());
    let numbers = ManagedBuf::from_host(&stream, &[1_u32, 2, 3, 4], MemAttach::Single).unwrap();
    // SAFETY: 4 threads change the 4 elements, on the memory's home stream.
    unsafe { double.launch(LaunchConfig::new(1, 4), &stream, (numbers.ptr(),)) }.unwrap();
    assert_eq!(numbers.to_vec().unwrap(), [2, 4, 6, 8]);
    let zeros = ManagedBuf::<u32>::zeroed(&stream, 100, MemAttach::Single).unwrap();
    assert_eq!(zeros.to_vec().unwrap(), [0; 100]);
    let refused = ManagedBuf::<u32>::zeroed(&Stream::legacy(&context), 100, MemAttach::Single);
    assert_eq!(refused.map(drop), invalid("`MemAttach::Single` excludes default streams;"));
}

#[test]
fn managed_memory_that_was_used_is_zero_again() {
    needs!(managed);
    let stream = stream();
    for attach in [MemAttach::Host, MemAttach::Global, MemAttach::Single] {
        for _ in 0..4 {
            let mut bytes = ManagedBuf::<u8>::zeroed(&stream, 5000, attach).unwrap();
            assert_eq!(bytes.as_slice().to_vec().unwrap(), [0; 5000]);
            bytes.as_slice_mut().fill(0xff).unwrap();
            stream.synchronize().unwrap();
        }
    }
}

#[test]
fn attaching_moves_managed_memory_to_the_stream() {
    needs!(managed);
    let (context, first) = (context(), stream());
    let mut managed = ManagedBuf::<u32>::zeroed(&first, 1000, MemAttach::Global).unwrap();
    for attach in [MemAttach::Single, MemAttach::Global, MemAttach::Host, MemAttach::Single] {
        let next = Stream::new(&context).unwrap();
        managed.as_slice_mut().copy_from_host(&[5; 1000]).unwrap();
        managed.slice_mut(1..).unwrap().fill_zero().unwrap();
        managed.attach(&next, attach).unwrap();
        // The buffer keeps it.
        let raw = next.as_raw();
        drop(next);
        assert_eq!(managed.stream().as_raw(), raw);
        assert_eq!(managed.slice(..2).unwrap().to_vec().unwrap(), [5, 0]);
    }
    let legacy = Stream::legacy(&context);
    assert_eq!(
        managed.attach(&legacy, MemAttach::Single),
        invalid("`MemAttach::Single` excludes default streams;")
    );
    managed.attach(&legacy, MemAttach::Global).unwrap();
    assert_eq!(managed.stream(), &legacy);
    let other = Context::new(device(), ContextFlags::default()).unwrap();
    let refused = managed.attach(&Stream::new(&other).unwrap(), MemAttach::Host).unwrap_err();
    let (first, second) = ("the memory", "the stream");
    assert_eq!(refused, invalid(format!("{first} and {second} belong to different contexts;")));
    assert_eq!(managed.to_vec().unwrap()[..2], [5, 0]);
}

#[test]
fn host_access_during_a_capture_is_refused() {
    needs!(managed);
    let (stream, other) = (stream(), stream());
    let mut managed = ManagedBuf::<u32>::zeroed(&stream, 10, MemAttach::Host).unwrap();
    let Some(()) = begin_capture(&stream) else { skip!("this driver cannot capture") };
    assert_eq!(managed.host().map(drop), capturing());
    assert_eq!(managed.attach(&stream, MemAttach::Host), capturing());
    assert_eq!(managed.attach(&other, MemAttach::Host), capturing());
    let refused = ManagedBuf::<u32>::zeroed(&stream, 10, MemAttach::Global);
    assert_eq!(refused.map(drop), capturing());
    // On a stream that is not captured, managed memory can still be allocated.
    drop(ManagedBuf::<u32>::zeroed(&other, 10, MemAttach::Host).unwrap());
    assert!(end_capture(&stream));
    assert_eq!(managed.host().unwrap(), [0; 10]);
}

#[test]
fn empty_managed_buffer_makes_no_driver_call() {
    let stream = stream();
    let mut nothing = ManagedBuf::<u32>::zeroed(&stream, 0, MemAttach::Global).unwrap();
    assert!(nothing.ptr().is_null() && nothing.host().unwrap().is_empty());
    nothing.host_mut().unwrap().fill(1);
    nothing.attach(&stream, MemAttach::Host).unwrap();
    nothing.advise(.., MemAdvise::read_mostly()).unwrap();
    nothing.prefetch(.., MemLocation::HOST).unwrap();
    let nothing_told = invalid("range of managed memory: it has 0 bytes");
    assert_eq!(nothing.range_attribute(.., RangeAttribute::READ_MOSTLY), nothing_told);
    assert_eq!(nothing.to_vec().unwrap(), [0_u32; 0]);
    nothing.close().unwrap();
    let overflow = ManagedBuf::<u32>::zeroed(&stream, usize::MAX, MemAttach::Global).unwrap_err();
    assert_eq!(overflow, invalid(format!("{} elements of 4 bytes exceed the address space", usize::MAX)));
}

#[test]
fn elements_are_aligned() {
    #[derive(Clone, Copy)]
    #[repr(C, align(1024))]
    struct Wide([u8; 1024]);
    // SAFETY: bytes, and none between them.
    #[allow(unsafe_code)]
    unsafe impl cuda_rt::bytemuck::Zeroable for Wide {}
    // SAFETY: as above.
    #[allow(unsafe_code)]
    unsafe impl cuda_rt::bytemuck::Pod for Wide {}

    needs!(managed);
    let stream = stream();
    for len in 1..4 {
        let elements = vec![Wide([7; 1024]); len];
        let managed = ManagedBuf::from_host(&stream, &elements, MemAttach::Host).unwrap();
        assert_eq!(managed.ptr().as_raw() % 1024, 0);
        assert!(managed.host().unwrap().iter().all(|wide| wide.0 == [7; 1024]));
    }
}

#[test]
fn advice_is_taken_and_told() {
    needs!(concurrent);
    // Alone, since allocations of other tests share the pages, and freeing them also removes the advice.
    crate::alone("managed_memory::advice_is_taken_and_told", || {
        const LEN: usize = 1 << 18;
        let stream = stream();
        let managed = ManagedBuf::<u32>::zeroed(&stream, LEN, MemAttach::Global).unwrap();
        let here = MemLocation::device(device());
        assert!(!managed.is_read_mostly(..).unwrap());
        managed.advise(.., MemAdvise::read_mostly()).unwrap();
        assert!(managed.is_read_mostly(..).unwrap());
        managed.advise(LEN / 2.., MemAdvise::unset_read_mostly()).unwrap();
        assert!(!managed.is_read_mostly(..).unwrap(), "not all of it");
        assert!(managed.is_read_mostly(..LEN / 2).unwrap());

        assert_eq!(managed.preferred_location(..).unwrap(), None);
        for location in [here, MemLocation::HOST] {
            managed.advise(.., MemAdvise::preferred_location(location)).unwrap();
            assert_eq!(managed.preferred_location(..).unwrap(), Some(location));
        }
        managed.advise(.., MemAdvise::unset_preferred_location()).unwrap();
        assert_eq!(managed.preferred_location(..).unwrap(), None);

        assert_eq!(managed.accessed_by(..).unwrap(), []);
        managed.advise(.., MemAdvise::accessed_by(here)).unwrap();
        assert_eq!(managed.accessed_by(..).unwrap(), [here]);
        managed.advise(.., MemAdvise::accessed_by(MemLocation::HOST)).unwrap();
        let mut both = managed.accessed_by(..).unwrap();
        both.sort_by_key(|location| location.number());
        assert_eq!(both, [here, MemLocation::HOST]);
        if let Some(second) = second_device() {
            let there = MemLocation::device(second);
            managed.advise(.., MemAdvise::accessed_by(there)).unwrap();
            assert_eq!(managed.accessed_by(..).unwrap().len(), 3);
            managed.advise(.., MemAdvise::unset_accessed_by(there)).unwrap();
        }
        managed.advise(.., MemAdvise::unset_accessed_by(here)).unwrap();
        assert_eq!(managed.accessed_by(..).unwrap(), [MemLocation::HOST]);
    });
}

#[test]
fn memory_is_prefetched() {
    needs!(concurrent);
    // Alone, since allocations of other tests share the pages, and freeing them also removes the advice.
    crate::alone("managed_memory::memory_is_prefetched", || {
        let stream = stream();
        let mut managed = ManagedBuf::from_host(&stream, &vec![7_u32; 1 << 18], MemAttach::Global).unwrap();
        assert_eq!(managed.last_prefetch_location(..).unwrap(), None);
        for location in [MemLocation::device(device()), MemLocation::HOST] {
            managed.prefetch(.., location).unwrap();
            assert_eq!(managed.last_prefetch_location(..).unwrap(), Some(location));
            assert!(managed.host().unwrap().iter().all(|number| *number == 7));
            managed.host_mut().unwrap()[0] = 7;
        }
        assert_eq!(managed.to_vec().unwrap(), vec![7; 1 << 18]);
    });
}

#[test]
fn ranges_are_prefetched_by_one_call() {
    needs!(concurrent);
    // Alone, since allocations of other tests share the pages.
    crate::alone("managed_memory::ranges_are_prefetched_by_one_call", || {
        const PAGES: usize = 1 << 14;
        let (context, own) = (context(), stream());
        let here = MemLocation::device(device());
        for stream in [own, Stream::legacy(&context)] {
            let first = ManagedBuf::<u32>::zeroed(&stream, 2 * PAGES, MemAttach::Global).unwrap();
            let second = ManagedBuf::from_host(&stream, &vec![7_u64; PAGES], MemAttach::Global).unwrap();
            let mut batch = PrefetchBatch::new();
            batch.add(&first, ..PAGES, here).unwrap().add(&first, PAGES.., MemLocation::HOST).unwrap();
            batch.add(&second, 5..5, MemLocation::HOST).unwrap().add(&second, .., here).unwrap();
            let outside = out_of_bounds(0, PAGES + 1, PAGES);
            assert_eq!(batch.add(&second, ..PAGES + 1, here).unwrap_err(), outside);
            batch.prefetch(&stream).unwrap();
            assert_eq!(first.last_prefetch_location(..PAGES).unwrap(), Some(here));
            assert_eq!(first.last_prefetch_location(PAGES..).unwrap(), Some(MemLocation::HOST));
            assert_eq!(second.to_vec().unwrap(), vec![7; PAGES]);
        }
    });
}

#[test]
fn prefetch_batches_that_do_not_fit_are_refused() {
    needs!(concurrent);
    let (here, there) = (stream(), stream());
    let managed = ManagedBuf::<u32>::zeroed(&here, 1 << 12, MemAttach::Global).unwrap();
    let elsewhere = ManagedBuf::<u32>::zeroed(&there, 1 << 12, MemAttach::Global).unwrap();
    let nowhere = MemLocation::other(MemLocation::device(device()).number(), 99);
    let mut batch = PrefetchBatch::new();
    batch.add(&managed, .., MemLocation::HOST).unwrap().add(&elsewhere, .., MemLocation::HOST).unwrap();
    assert_eq!(batch.prefetch(&here).unwrap_err(), invalid("range 1 lives on another stream;"));
    let mut batch = PrefetchBatch::new();
    batch.add(&managed, ..1024, MemLocation::HOST).unwrap().add(&managed, 1024.., nowhere).unwrap();
    let refused = batch.prefetch(&here).unwrap_err();
    // Before CUDA 13.0 the ranges are prefetched one by one, and the driver returns another code.
    let expected = if is_since(13, 0) { Code::InvalidValue } else { Code::InvalidDevice };
    assert_eq!(refused.code(), Some(expected));
    assert!(refused.to_string().contains("device 99"), "{refused}");
    PrefetchBatch::new().prefetch(&here).unwrap();
}

#[test]
fn discarded_memory_can_be_written_again() {
    needs!(concurrent);
    let (stream, here) = (stream(), MemLocation::device(device()));
    let numbers: Vec<u32> = (0..1 << 13).collect();
    let mut managed = ManagedBuf::from_host(&stream, &numbers, MemAttach::Global).unwrap();
    let mut other = ManagedBuf::<u8>::zeroed(&stream, 1 << 13, MemAttach::Global).unwrap();
    for prefetches in [false, true] {
        let mut batch = DiscardBatch::new();
        batch.add(&mut managed, 1 << 12..).unwrap().add(&mut other, ..).unwrap();
        let queued = if prefetches {
            // SAFETY: the elements are written below, before they are read.
            unsafe { batch.discard_and_prefetch(&stream, here) }
        } else {
            // SAFETY: as above.
            unsafe { batch.discard(&stream) }
        };
        if !is_since(13, 0) {
            assert_eq!(queued.unwrap_err().kind(), ErrorKind::FunctionMissing);
            continue;
        }
        queued.unwrap();
        managed.slice_mut(1 << 12..).unwrap().copy_from_host(&numbers[1 << 12..]).unwrap();
        other.host_mut().unwrap().fill(9);
        assert_eq!(managed.to_vec().unwrap(), numbers);
        assert_eq!(other.to_vec().unwrap(), vec![9; 1 << 13]);
        if prefetches {
            assert_eq!(managed.last_prefetch_location(1 << 12..).unwrap(), Some(here));
        }
    }
}

#[test]
fn discards_that_do_not_fit_are_refused() {
    needs!(managed);
    let (context, here) = (context(), stream());
    let mut managed = ManagedBuf::<u32>::zeroed(&here, 16, MemAttach::Global).unwrap();
    let mut batch = DiscardBatch::new();
    batch.add(&mut managed, ..).unwrap();
    // SAFETY: it is refused, so that nothing is discarded.
    let refused = unsafe { batch.discard(&Stream::legacy(&context)) }.unwrap_err();
    assert_eq!(refused, invalid("the legacy stream cannot discard memory;"));
    let mut batch = DiscardBatch::new();
    batch.add(&mut managed, ..).unwrap();
    // SAFETY: as above.
    let refused = unsafe { batch.discard_and_prefetch(&stream(), MemLocation::HOST) }.unwrap_err();
    assert_eq!(refused, invalid("range 0 lives on another stream;"));
    let mut batch = DiscardBatch::new();
    assert_eq!(batch.add(&mut managed, ..17).unwrap_err(), out_of_bounds(0, 17, 16));
    // SAFETY: there are no ranges.
    unsafe { batch.discard(&here) }.unwrap();
}

#[test]
fn locations_are_told_region_by_region() {
    const REGION: usize = 2 << 20;
    needs!(concurrent);
    let (stream, here) = (stream(), MemLocation::device(device()));
    let managed = ManagedBuf::<u8>::zeroed(&stream, 2 * REGION + 100, MemAttach::Global).unwrap();
    managed.prefetch(..REGION, here).unwrap();
    managed.prefetch(REGION.., MemLocation::HOST).unwrap();
    stream.synchronize().unwrap();
    let limits = [
        (managed.locations(..10, 0, 0), "range bytes of a region: 0 is less than 1"),
        (managed.locations(..10, 11, 0), "range bytes of a region: 11 is more than 10"),
        (managed.locations(..10, 10, 11), "range bytes of a sample: 11 is more than 10"),
        (managed.locations(..0, 10, 0), "range of managed memory: it has 0 bytes"),
    ];
    for (refused, text) in limits {
        assert_eq!(refused.unwrap_err(), invalid(text));
    }
    match managed.locations(.., REGION, 4096) {
        Err(missing) if missing.kind() == ErrorKind::FunctionMissing => {
            assert!(!is_since(13, 4) && missing.to_string().contains("13.4"), "{missing}");
        }
        locations => {
            let host = Some(MemLocation::HOST);
            assert_eq!(locations.unwrap(), [Some(here), host, host]);
        }
    }
}

#[test]
fn unknown_memory_locations_are_refused() {
    needs!(concurrent);
    let stream = stream();
    let managed = ManagedBuf::<u32>::zeroed(&stream, 1 << 12, MemAttach::Global).unwrap();
    let nowhere = MemLocation::other(MemLocation::device(device()).number(), 99);
    let refused = managed.prefetch(.., nowhere).unwrap_err();
    assert_eq!(refused.code(), Some(Code::InvalidDevice));
    assert!(refused.to_string().ends_with(": location device 99"), "{refused}");
    let refused = managed.advise(.., MemAdvise::preferred_location(nowhere)).unwrap_err();
    assert!(refused.to_string().ends_with(": location device 99"), "{refused}");
    let refused = managed.advise(.., MemAdvise::other(99, MemLocation::HOST)).unwrap_err();
    assert_eq!(refused.code(), Some(Code::InvalidValue));
    let unknown = MemLocation::other(99, 1);
    match managed.prefetch(.., unknown).unwrap_err() {
        error if error.kind() == ErrorKind::FunctionMissing => {
            assert!(!is_since(12, 2), "{error}");
            assert_eq!(error.call(), Some("cuMemPrefetchAsync_v2"));
        }
        refused => assert_eq!(refused.code(), Some(Code::InvalidValue)),
    }
    let outside = out_of_bounds(0, 4097, 4096);
    assert_eq!(managed.prefetch(..4097, MemLocation::HOST), outside);
    assert_eq!(managed.advise(..4097, MemAdvise::read_mostly()), outside);
}

#[test]
fn range_attributes_are_returned() {
    needs!(concurrent);
    // Alone, since allocations of other tests share the pages, and freeing them also removes the advice.
    crate::alone("managed_memory::range_attributes_are_returned", || {
        use RangeAttribute as A;
        let stream = stream();
        let managed = ManagedBuf::<u32>::zeroed(&stream, 1 << 12, MemAttach::Global).unwrap();
        managed.advise(.., MemAdvise::read_mostly()).unwrap();
        assert_eq!(managed.range_attributes(.., &[A::READ_MOSTLY, A::PREFERRED_LOCATION]).unwrap(), [1, -2]);
        assert_eq!(managed.range_attributes(.., &[]).unwrap(), [0_i32; 0]);
        for attribute in RangeAttribute::all() {
            match managed.range_attribute(100..200, attribute) {
                Ok(_) => {}
                Err(error) => assert!(attribute.0 > 4 && !is_since(12, 2), "{attribute}: {error}"),
            }
        }
        let refused = managed.range_attribute(.., A(99)).unwrap_err();
        assert_eq!(refused.code(), Some(Code::InvalidValue));
        assert!(refused.to_string().ends_with(": attribute RangeAttribute(99)"), "{refused}");
        let refused = managed.range_attributes(.., &[A::READ_MOSTLY, A(99)]).unwrap_err();
        assert_eq!(refused.code(), Some(Code::InvalidValue));
        assert!(refused.to_string().ends_with(": attributes READ_MOSTLY, RangeAttribute(99)"), "{refused}");
    });
}

#[test]
fn another_device_copies_managed_memory() {
    needs!(concurrent);
    let Some(second) = second_device() else { skip!("needs a second device") };
    let second = Stream::new(&Context::primary(second).unwrap()).unwrap();
    let mut managed = ManagedBuf::from_host(&stream(), &[1_u32, 2, 3], MemAttach::Global).unwrap();
    let mut there = DeviceBuf::<u32>::zeroed(&second, 3).unwrap();
    there.copy_from_device(managed.as_slice()).unwrap();
    managed.host_mut().unwrap().fill(0);
    assert_eq!(there.to_vec().unwrap(), [1, 2, 3]);
    managed.slice_mut(1..).unwrap().copy_from_device(there.slice(..2).unwrap()).unwrap();
    assert_eq!(managed.host().unwrap(), [0, 1, 2]);
}

#[test]
fn managed_memory_outlives_its_context_handle() {
    needs!(managed);
    let own = Context::new(device(), ContextFlags::default()).unwrap();
    let managed =
        ManagedBuf::from_host(&Stream::new(&own).unwrap(), &[1_u32, 2, 3], MemAttach::Host).unwrap();
    drop(own);
    std::thread::spawn(move || {
        assert_eq!(managed.host().unwrap(), [1, 2, 3]);
        managed.close().unwrap();
    })
    .join()
    .unwrap();
}

#[test]
fn prefetches_on_a_captured_stream_are_refused() {
    needs!(managed);
    let stream = stream();
    let mut buffer = ManagedBuf::<u32>::zeroed(&stream, 16, MemAttach::Global).unwrap();
    let Some(()) = begin_capture(&stream) else { skip!("this driver cannot capture") };
    assert_eq!(buffer.prefetch(.., MemLocation::HOST).unwrap_err(), capturing());
    let mut prefetch = PrefetchBatch::new();
    prefetch.add(&buffer, .., MemLocation::HOST).unwrap();
    assert_eq!(prefetch.prefetch(&stream).unwrap_err(), capturing());
    let mut discard = DiscardBatch::new();
    discard.add(&mut buffer, ..).unwrap();
    // SAFETY: nothing reads the elements.
    assert_eq!(unsafe { discard.discard(&stream) }.unwrap_err(), capturing());
    let mut discard = DiscardBatch::new();
    discard.add(&mut buffer, ..).unwrap();
    // SAFETY: nothing reads the elements.
    let refused = unsafe { discard.discard_and_prefetch(&stream, MemLocation::HOST) }.unwrap_err();
    assert_eq!(refused, capturing());
    assert!(end_capture(&stream), "the capture goes on");
}
