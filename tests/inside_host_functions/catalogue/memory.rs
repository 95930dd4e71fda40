//! Device memory: buffers, views, pointers, and copies.

use super::Catalogue;
use crate::world::{NUMBERS, World};
use cuda_rt::memory::{
    AccessSize, AsDeviceSlice, AsDeviceSliceMut, CopyDestination, CopySource, DecompressAlgorithm,
    DecompressBatch, DmaBufMapping, MemLocation, Memcpy3D, MemcpyAttributes, MemcpyBatch, MemoryRelease,
    MemorySource, PitchedBuf, PitchedSliceMut, PointerAttribute,
};
use cuda_rt::{DeviceBuf, DevicePtr, DeviceSlice, DeviceSliceMut, PinnedBuf, Stream};
use cuda_suite::neighbour;

fn buffer(world: &World) -> DeviceBuf<u32> {
    DeviceBuf::from_host(&world.stream, &NUMBERS).unwrap()
}

fn holds(buffer: &mut DeviceBuf<u32>, world: &World) {
    assert_eq!(buffer.stream(), &world.stream);
    assert_eq!(buffer.to_vec().unwrap(), NUMBERS);
}

fn plain(world: &World) -> DeviceBuf<u32> {
    DeviceBuf::from_host_in(&world.stream, &NUMBERS, MemorySource::Plain).unwrap()
}

fn block(world: &World) -> DeviceBuf<u32> {
    DeviceBuf::from_host_in(&world.stream, &NUMBERS, &world.caching).unwrap()
}

fn of_pool(world: &World) -> DeviceBuf<u32> {
    DeviceBuf::from_host_in(&world.stream, &NUMBERS, &world.pool).unwrap()
}

fn opened(world: &World) -> DeviceBuf<u32> {
    let (memory, _) = neighbour::handles("shares");
    // SAFETY: memory of another process, which waits.
    unsafe { DeviceBuf::from_ipc_handle(&world.stream, &memory, NUMBERS.len()) }.unwrap()
}

/// A buffer of the other device.
fn far(world: &World) -> DeviceBuf<u32> {
    DeviceBuf::from_host(&world.far_stream, &NUMBERS).unwrap()
}

fn far_holds(buffer: &mut DeviceBuf<u32>, _: &World) {
    assert_eq!(buffer.to_vec().unwrap(), NUMBERS);
}

/// The parts that [`DeviceBuf::into_raw`] returns.
type Raw = (DevicePtr<u32>, usize, MemoryRelease);

fn raw(world: &World) -> Raw {
    buffer(world).into_raw()
}

fn take((ptr, len, release): Raw, world: &World) -> DeviceBuf<u32> {
    // SAFETY: `into_raw` of a buffer on this stream has returned the parts, and they are used once.
    unsafe { DeviceBuf::from_raw(ptr, len, &world.stream, release) }
}

fn with_pinned(world: &World) -> (DeviceBuf<u32>, Option<PinnedBuf<u32>>) {
    (buffer(world), Some(PinnedBuf::from_slice(&world.context, &[5; 4]).unwrap()))
}

fn has_both((buffer, pinned): &mut (DeviceBuf<u32>, Option<PinnedBuf<u32>>), world: &World) {
    holds(buffer, world);
    assert_eq!(pinned.as_ref().expect("it was given back")[..], [5; 4]);
}

fn rows(world: &World) -> PitchedBuf<u32> {
    let mut rows = PitchedBuf::uninit(&world.stream, 2, 2, AccessSize::Four).unwrap();
    rows.copy_from_host(&NUMBERS).unwrap();
    rows
}

fn rows_hold(rows: &mut PitchedBuf<u32>, _: &World) {
    assert_eq!(rows.to_vec().unwrap(), NUMBERS);
}

pub(super) fn add(c: &mut Catalogue) {
    buffers(c);
    views(c);
    copies(c);
    pitched(c);
    pointers(c);
}

fn buffers(c: &mut Catalogue) {
    c.free()
        .refuses("DeviceBuf::uninit", |_, w| DeviceBuf::<u32>::uninit(&w.stream, 4))
        .refuses("DeviceBuf::zeroed", |_, w| DeviceBuf::<u32>::zeroed(&w.stream, 4))
        .refuses("DeviceBuf::from_host", |_, w| DeviceBuf::from_host(&w.stream, &NUMBERS))
        .refuses("DeviceBuf::uninit_in", |_, w| DeviceBuf::<u8>::uninit_in(&w.stream, 1 << 20, &w.caching))
        .refuses("DeviceBuf::zeroed_in", |_, w| DeviceBuf::<u32>::zeroed_in(&w.stream, 4, &w.pool))
        .refuses("DeviceBuf::from_host_in; MemorySource: {From<&CachingPool>, From<&MemPool>}", |_, w| {
            DeviceBuf::from_host_in(&w.stream, &NUMBERS, MemorySource::Plain)
        })
        .answers("DeviceBuf::uninit of no elements", |_, w| DeviceBuf::<u32>::uninit(&w.stream, 0).unwrap());
    for make in [buffer, plain, block, of_pool, opened] {
        c.of(make, holds)
            .drops("DeviceBuf: Drop")
            .consumes("DeviceBuf::close", |b, _| b.close())
            .answers("DeviceBuf: Debug", |b, _| format!("{b:?}"));
    }
    for make in [buffer, plain, of_pool] {
        c.of(make, holds).hands_over(
            "DeviceBuf::into_raw",
            |b, _| b.into_raw(),
            |raw, w| {
                holds(&mut take(raw, w), w);
            },
        );
    }
    c.of(raw, |_, _| ()).hands_over("DeviceBuf::from_raw; MemoryRelease: Debug", take, |mut buffer, w| {
        holds(&mut buffer, w);
    });
    c.free().answers("MemoryRelease: Drop", |_, w| MemoryRelease::Pool(w.pool.clone()));
    c.of(buffer, holds)
        .answers("DeviceBuf::{len, is_empty, size_bytes, stream, is_plain, ptr}", |b, _| {
            (b.len(), b.is_empty(), b.size_bytes(), b.stream().clone(), b.is_plain(), b.ptr())
        })
        .answers("DeviceBuf::{as_slice, as_slice_mut, slice, slice_mut}", |b, _| {
            let len = b.as_slice().len() + b.slice(..2).unwrap().len();
            len + b.as_slice_mut().len() + b.slice_mut(..2).unwrap().len()
        })
        .refuses("DeviceBuf::move_to", |b, w| b.move_to(&Stream::legacy(&w.context)))
        .answers("DeviceBuf::move_to its own stream", |b, w| b.move_to(&w.stream).unwrap())
        .refuses("DeviceBuf::copy_from_host", |b, _| b.copy_from_host(&[0; 4]))
        .refuses("DeviceBuf::copy_from_device", |b, w| b.copy_from_device(w.buffer.as_slice()))
        .refuses("DeviceBuf::fill_zero", |b, _| b.fill_zero())
        .refuses("DeviceBuf::copy_to_host", |b, _| b.copy_to_host(&mut [0; 4]))
        .refuses("DeviceBuf::to_vec", |b, _| b.to_vec())
        .refuses("DeviceBuf::from_device", |b, w| DeviceBuf::from_device(&w.stream, b.as_slice()))
        .refuses("DeviceBuf::from_device_in", |b, w| {
            DeviceBuf::from_device_in(&w.stream, b.as_slice(), &w.caching)
        })
        .refuses("DeviceBuf::try_clone", |b, _| b.try_clone())
        .refuses("DeviceBuf::to_pinned", |b, _| b.to_pinned())
        .refuses("DeviceSlice::to_pinned", |b, _| b.as_slice().to_pinned())
        .refuses("DeviceBuf::to_pinned_in a block that is held", |b, w| b.to_pinned_in(&w.pinned))
        .refuses("DeviceSlice::to_pinned_in a block that is held", |b, w| {
            b.as_slice().to_pinned_in(&w.pinned)
        })
        .answers("DeviceBuf: {AsDeviceSlice, AsDeviceSliceMut}; AsDeviceSliceMut::as_device_slice_mut", |b, _| {
            b.as_device_slice_mut().len()
        })
        .answers("DeviceSlice: AsDeviceSlice; DeviceSliceMut: {AsDeviceSlice, AsDeviceSliceMut}; AsDeviceSlice::as_device_slice", |b, _| {
            b.as_slice().as_device_slice().len() + b.as_slice_mut().as_device_slice().len()
        })
        .refuses("DeviceBuf::use_on", |b, w| b.use_on(&w.far_stream).map(drop))
        .refuses("DeviceBuf::use_on_mut", |b, w| b.use_on_mut(&w.far_stream).map(drop))
        .refuses("DeviceSlice::use_on", |b, w| b.as_slice().use_on(&w.far_stream).map(drop))
        .refuses("DeviceSliceMut::use_on", |b, w| b.as_slice_mut().use_on(&w.far_stream).map(drop))
        .answers("UseOn::{ptr, len, is_empty, close}; UseOn: {Debug, Drop}; StreamOrder: Drop", |b, w| {
            let used = b.use_on(&w.stream).unwrap();
            assert!(!used.is_empty());
            (used.ptr(), used.len(), format!("{used:?}"), used.close().unwrap())
        })
        .refuses("DeviceBuf::export_from_pool", |b, _| b.export_from_pool());
    c.of(far, far_holds).refuses("DeviceBuf::copy_from_device of another device", |b, w| {
        b.copy_from_device(w.buffer.as_slice())
    });
    c.of(plain, holds).refuses("DeviceBuf::ipc_handle", |b, _| b.ipc_handle());
    c.of(|_| neighbour::handles("shares"), |_, _| ())
        // SAFETY: memory of another process, which waits.
        .refuses("DeviceBuf::from_ipc_handle", |(memory, _), w| unsafe {
            DeviceBuf::<u32>::from_ipc_handle(&w.stream, memory, NUMBERS.len())
        });
    c.of(with_pinned, has_both)
        .refuses("DeviceBuf::copy_from_pinned", |(device, pinned), _| {
            device.copy_from_pinned(pinned.take().unwrap()).map_err(|failure| {
                let (error, buffer) = failure.into_parts();
                *pinned = buffer;
                error
            })
        })
        .refuses("DeviceBuf::copy_to_pinned", |(device, pinned), _| {
            device.copy_to_pinned(pinned.take().unwrap()).map_err(|failure| {
                let (error, buffer) = failure.into_parts();
                *pinned = buffer;
                error
            })
        })
        .refuses("DeviceSliceMut::copy_from_pinned", |(device, pinned), _| {
            device.as_slice_mut().copy_from_pinned(pinned.take().unwrap()).map_err(|failure| {
                let (error, buffer) = failure.into_parts();
                *pinned = buffer;
                error
            })
        })
        .refuses("DeviceSlice::copy_to_pinned", |(device, pinned), _| {
            device.as_slice().copy_to_pinned(pinned.take().unwrap()).map_err(|failure| {
                let (error, buffer) = failure.into_parts();
                *pinned = buffer;
                error
            })
        });
}

fn views(c: &mut Catalogue) {
    c.of(buffer, holds)
        .answers("DeviceSlice::{len, is_empty, size_bytes, stream, ptr, slice, split_at}", |b, _| {
            let view = b.as_slice();
            let parts = view.split_at(1).unwrap().1.slice(1..).unwrap().len();
            (view.len(), view.is_empty(), view.size_bytes(), view.stream().clone(), view.ptr(), parts)
        })
        .answers("DeviceSlice: {Clone, Debug}; DeviceSliceMut: {Debug, Drop}", |b, _| {
            format!("{:?}", b.as_slice().clone()) + &format!("{:?}", b.as_slice_mut())
        })
        .answers("DeviceSliceMut::{len, is_empty, size_bytes, stream, ptr}", |b, _| {
            let view = b.as_slice_mut();
            (view.len(), view.is_empty(), view.size_bytes(), view.stream().clone(), view.ptr())
        })
        .answers(
            "DeviceSliceMut::{as_slice, reborrow, slice_mut, into_slice, into_pitched, split_at}",
            |b, _| {
                let mut view = b.as_slice_mut();
                let len = view.as_slice().len() + view.reborrow().len() + view.slice_mut(..1).unwrap().len();
                let len = len + view.reborrow().into_pitched(8, [1, 1, 1]).unwrap().size().len();
                len + view.split_at(1).unwrap().1.into_slice(1..).unwrap().len()
            },
        )
        .answers("DeviceSlice::from_raw_parts", |b, w| {
            // SAFETY: the buffer outlives the view.
            unsafe { DeviceSlice::from_raw_parts(b.ptr(), 4, &w.stream) }.len()
        })
        .answers("DeviceSliceMut::from_raw_parts", |b, w| {
            // SAFETY: the buffer outlives the view, and is not used meanwhile.
            unsafe { DeviceSliceMut::from_raw_parts(b.ptr(), 4, &w.stream) }.len()
        })
        .refuses("DeviceSlice::copy_to_host", |b, _| b.as_slice().copy_to_host(&mut [0; 4]))
        .refuses("DeviceSlice::to_vec", |b, _| b.as_slice().to_vec())
        .refuses("DeviceSliceMut::copy_from_host", |b, _| b.as_slice_mut().copy_from_host(&[0; 4]))
        .refuses("DeviceSliceMut::copy_from_device", |b, w| {
            b.as_slice_mut().copy_from_device(w.buffer.as_slice())
        })
        .refuses("DeviceSliceMut::fill_zero", |b, _| b.as_slice_mut().fill_zero())
        .refuses("DeviceSliceMut::fill", |b, _| b.as_slice_mut().fill(7))
        // SAFETY: the call is refused. Otherwise the driver would stage the pageable memory before
        // it returns.
        .refuses("DeviceSliceMut::copy_from_host_unchecked", |b, _| unsafe {
            b.as_slice_mut().copy_from_host_unchecked(&[0; 4])
        })
        // SAFETY: as above.
        .refuses("DeviceSlice::copy_to_host_unchecked", |b, _| unsafe {
            b.as_slice().copy_to_host_unchecked(&mut [0; 4])
        });
}

/// A batch of one piece: it reads element 0 of a buffer, writes element 1, and counts in element 3.
fn decompression<'buffer>(
    buffer: &'buffer mut DeviceBuf<u32>,
    world: &'buffer World,
) -> DecompressBatch<'buffer> {
    let start = buffer.ptr().cast::<u8>();
    let (_, written) = buffer.as_slice_mut().split_at(3).unwrap();
    // SAFETY: the first four bytes, which nothing writes.
    let packed = unsafe { DeviceSlice::from_raw_parts(start, 4, &world.stream) };
    // SAFETY: the next four bytes, which nothing else uses.
    let bytes = unsafe { DeviceSliceMut::from_raw_parts(start.add(4), 4, &world.stream) };
    let mut batch = DecompressBatch::new();
    batch.add(DecompressAlgorithm::LZ4, packed, bytes, written).unwrap();
    batch
}

fn copies(c: &mut Catalogue) {
    c.of(buffer, holds)
        .refuses("Stream::scope", |b, w| w.stream.scope(|s| s.copy_from_host(b.as_slice_mut(), &[0; 4])))
        .refuses("Scope::copy_from_host", |b, w| {
            let zeros = [0; 4];
            w.stream.scope(|scope| Ok(scope.copy_from_host(b.as_slice_mut(), &zeros))).unwrap()
        })
        .refuses("Scope::copy_to_host", |b, w| {
            let mut zeros = [0; 4];
            w.stream.scope(|scope| Ok(scope.copy_to_host(b.as_slice(), &mut zeros))).unwrap()
        })
        .answers("Scope::stream; Scope: {Debug, Drop}", |_, w| {
            w.stream.scope(|scope| Ok(format!("{:?} {scope:?}", scope.stream()))).unwrap()
        })
        .answers(
            "MemcpyBatch::{new, attributes, from_host, to_host, on_device}; MemcpyBatch: {Debug, Default, Drop}",
            |b, w| {
                let (mut numbers, mut batch) = ([0; 2], MemcpyBatch::new());
                let (mut first, second) = b.as_slice_mut().split_at(2).unwrap();
                batch.attributes(MemcpyAttributes::new());
                batch.from_host(first.reborrow(), &[1, 2]).unwrap();
                batch.to_host(w.buffer.slice(..2).unwrap(), &mut numbers).unwrap();
                batch.on_device(second, w.buffer.slice(2..).unwrap()).unwrap();
                format!("{batch:?} {:?}", MemcpyBatch::default())
            },
        )
        .answers(
            "MemcpyAttributes::{new, source_hint, destination_hint, prefer_overlap}",
            |_, w| {
                let (here, host) = (MemLocation::device(w.near), MemLocation::HOST);
                let hints = MemcpyAttributes::new().source_hint(here).destination_hint(host);
                (hints.prefer_overlap(true), MemcpyAttributes::default())
            },
        )
        .answers("DecompressBatch::{new, add}; DecompressBatch: {Debug, Default, Drop}", |b, w| {
            format!("{:?} {:?}", decompression(b, w), DecompressBatch::default())
        })
        // SAFETY: it is refused, so that nothing is decompressed.
        .refuses("DecompressBatch::decompress", |b, w| unsafe { decompression(b, w).decompress(&w.stream) })
        .refuses("DeviceSlice::dma_buf", |b, _| b.as_slice().dma_buf(DmaBufMapping::Any))
        .refuses("MemcpyBatch::block", |b, w| {
            let to = CopyDestination::device(b.as_slice_mut());
            let copy = Memcpy3D::plane(to, CopySource::device(w.buffer.as_slice()), 2, 2);
            MemcpyBatch::new().block(copy).map(drop)
        })
        .refuses("MemcpyBatch::copy", |b, w| {
            let mut batch = MemcpyBatch::new();
            batch.from_host(b.as_slice_mut(), &[0; 4]).unwrap();
            batch.copy(&w.stream)
        })
        .refuses("MemcpyBatch::copy on the device", |b, w| {
            let mut batch = MemcpyBatch::new();
            batch.on_device(b.as_slice_mut(), w.buffer.as_slice()).unwrap();
            batch.copy(&w.stream)
        })
        .answers("Memcpy3D::{new, plane}; Memcpy3D: {Debug, Drop}", |b, _| {
            let copy = Memcpy3D::new(
                CopyDestination::device(b.as_slice_mut()),
                CopySource::host(&[0_u32; 4]),
                16,
                1,
                1,
            );
            format!("{copy:?}")
        })
        .answers("CopySource::{host, device, array, unified}; memory::{pitch, height, at}", |b, w| {
            // SAFETY: nothing is copied.
            let unified = unsafe { CopySource::unified(b.ptr().cast(), 16, &w.stream) };
            let device = CopySource::device(b.as_slice()).pitch(16).height(1).at(0, 0, 0);
            format!(
                "{unified:?} {device:?} {:?}",
                (CopySource::host(&[0_u8; 4]), CopySource::array(&w.array))
            )
        })
        .answers("CopyDestination::{host, device, array, unified}; CopyDestination: {Debug, Drop}", |b, w| {
            // SAFETY: nothing is copied.
            let unified = unsafe { CopyDestination::unified(b.ptr().cast(), 16, &w.stream) };
            let device = CopyDestination::device(b.as_slice_mut()).pitch(16).height(1).at(0, 0, 0);
            let array = CopyDestination::array(&w.array);
            format!("{unified:?} {device:?} {array:?} {:?}", CopyDestination::host(&mut [0_u8; 4]))
        })
        .refuses("Memcpy3D::copy", |b, _| {
            let to = CopyDestination::device(b.as_slice_mut());
            Memcpy3D::plane(to, CopySource::host(&[0_u32; 4]), 16, 1).copy()
        })
        // SAFETY: nothing on the host.
        .refuses("Memcpy3D::copy_unchecked", |b, w| unsafe {
            let to = CopyDestination::device(b.as_slice_mut());
            Memcpy3D::plane(to, CopySource::device(w.buffer.as_slice()), 16, 1).copy_unchecked()
        })
        .refuses("Memcpy3D::copy_unaligned", |b, w| {
            let to = CopyDestination::device(b.as_slice_mut());
            Memcpy3D::plane(to, CopySource::device(w.buffer.as_slice()), 16, 1).copy_unaligned()
        });
}

fn pitched(c: &mut Catalogue) {
    c.free()
        .refuses("PitchedBuf::uninit", |_, w| PitchedBuf::<u32>::uninit(&w.stream, 2, 2, AccessSize::Four))
        .refuses("PitchedBuf::volume", |_, w| {
            PitchedBuf::<u32>::volume(&w.stream, [2, 2, 2], AccessSize::Four)
        });
    c.of(rows, rows_hold)
        .answers("PitchedBuf::{pitch, size, ptr, stream, row, row_mut}", |r, _| {
            let rows = r.row(1).unwrap().len() + r.row_mut(0).unwrap().len();
            (rows, r.pitch(), r.size(), r.ptr(), r.stream().clone())
        })
        .answers("PitchedBuf::{as_source, as_destination}; PitchedBuf: Debug", |r, _| {
            format!("{:?} {r:?} {:?}", r.as_source(), 0) + &format!("{:?}", r.as_destination())
        })
        .refuses("PitchedBuf::copy_from_host", |r, _| r.copy_from_host(&[0; 4]))
        .refuses("PitchedBuf::copy_to_host", |r, _| r.copy_to_host(&mut [0; 4]))
        .refuses("PitchedBuf::to_vec", |r, _| r.to_vec())
        .refuses("PitchedBuf::fill", |r, _| r.fill(7))
        .answers(
            "PitchedBuf::{as_pitched_mut, part_mut}; PitchedSliceMut::part; PitchedSliceMut: {Debug, Drop}",
            |r, _| {
                let whole = format!("{:?}", r.as_pitched_mut().part([0; 3], [1; 3]).unwrap());
                format!("{whole} {:?}", r.part_mut([0; 3], [1; 3]).unwrap())
            },
        )
        .answers("PitchedSliceMut::{from_raw_parts, ptr, pitch, size, stream}", |r, w| {
            // SAFETY: the rows outlive the view, and are not used meanwhile.
            let view = unsafe { PitchedSliceMut::from_raw_parts(r.ptr(), r.pitch(), r.size(), &w.stream) };
            (view.ptr(), view.pitch(), view.size(), view.stream().clone())
        })
        .refuses("PitchedSliceMut::fill", |r, _| r.as_pitched_mut().fill(7))
        .consumes("PitchedBuf::close", |r, _| r.close())
        .drops("PitchedBuf: Drop");
}

fn pointers(c: &mut Catalogue) {
    c.free()
        .answers("DevicePtr::{null, from_raw, as_raw, is_null, add, cast}", |_, _| {
            let null = DevicePtr::<u32>::null();
            (null.add(1).cast::<u8>().as_raw(), null.is_null(), DevicePtr::<u8>::from_raw(1))
        })
        .answers("DevicePtr: {Clone, Debug, Hash, PartialEq}", |_, _| {
            let null = DevicePtr::<u32>::null();
            (format!("{null:?}"), std::collections::HashSet::from([null]), Clone::clone(&null) == null)
        })
        .refuses("DeviceSlice::attribute", |_, w| {
            w.buffer.as_slice().attribute(PointerAttribute::MEMORY_TYPE)
        })
        .refuses("DeviceSlice::attributes_of", |_, w| {
            w.buffer.as_slice().attributes_of(&[PointerAttribute::MEMORY_TYPE])
        })
        .refuses("DeviceSlice::attributes", |_, w| w.buffer.as_slice().attributes())
        .refuses("DeviceSlice::location", |_, w| w.buffer.as_slice().location())
        .refuses("DeviceSlice::address_range", |_, w| w.buffer.as_slice().address_range())
        .refuses("DeviceSlice::set_sync_memops", |_, w| w.buffer.as_slice().set_sync_memops(true))
        .refuses("DevicePtr::attribute", |_, w| {
            // SAFETY: the buffer stays.
            unsafe { w.buffer.ptr().attribute(&w.context, PointerAttribute::MEMORY_TYPE) }
        })
        .refuses("DevicePtr::attributes_of", |_, w| {
            // SAFETY: the buffer stays.
            unsafe { w.buffer.ptr().attributes_of(&w.context, &[PointerAttribute::MEMORY_TYPE]) }
        })
        .refuses("DevicePtr::attributes", |_, w| {
            // SAFETY: the buffer stays.
            unsafe { w.buffer.ptr().attributes(&w.context) }
        })
        .refuses("DevicePtr::location", |_, w| {
            // SAFETY: the buffer stays.
            unsafe { w.buffer.ptr().location(&w.context) }
        })
        .refuses("DevicePtr::device", |_, w| {
            // SAFETY: the buffer stays.
            unsafe { w.buffer.ptr().device(&w.context) }
        })
        .refuses("DevicePtr::address_range", |_, w| {
            // SAFETY: the buffer stays.
            unsafe { w.buffer.ptr().address_range(&w.context) }
        })
        .refuses("DevicePtr::set_sync_memops", |_, w| {
            // SAFETY: the buffer stays.
            unsafe { w.buffer.ptr().set_sync_memops(&w.context, true) }
        })
        .answers(
            "MemLocation::{device, host_numa, other, number, id, as_device}; MemLocation: Display",
            |_, w| {
                let (near, other) = (MemLocation::device(w.near), MemLocation::other(9, 1));
                assert_eq!((near.as_device(), other.number(), other.id()), (Some(w.near), 9, 1));
                format!("{near} {}", MemLocation::host_numa(0))
            },
        );
}
