//! Programs that copy and fill blocks.

use crate::scenarios::{Done, device, own};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
use cuda_rt::error::Code;
#[cfg(unix)]
use cuda_rt::memory::DmaBufMapping;
use cuda_rt::memory::{
    AccessSize, CopyDestination, CopySource, DecompressAlgorithm, DecompressBatch, MemLocation, Memcpy3D,
    MemcpyAttributes, MemcpyBatch, MemorySource, PitchedBuf, PointerAttribute,
};
use cuda_rt::{Context, Device, DeviceBuf, Stream};

pub(crate) fn blocks() -> Done {
    let context = Context::primary(device()?)?;
    let (stream, other) = (Stream::new(&context)?, Stream::new(&context)?);
    let numbers = DeviceBuf::from_host(&other, &[1_u8, 2, 3, 4, 5, 6, 7, 8])?;
    let mut copy = DeviceBuf::<u8>::zeroed(&stream, 4)?;
    let from = CopySource::device(numbers.as_slice()).pitch(2).height(2);
    Memcpy3D::new(CopyDestination::device(copy.as_slice_mut()), from, 1, 2, 2).copy()?;
    drop(numbers);
    let mut host = [0_u8; 4];
    let from = CopySource::device(copy.as_slice()).pitch(2);
    Memcpy3D::plane(CopyDestination::host(&mut host).pitch(2), from, 2, 2).copy()?;
    assert_eq!(host, [1, 3, 5, 7]);
    let to = CopyDestination::device(copy.as_slice_mut());
    Memcpy3D::plane(to, CopySource::host(&[9_u8, 9, 9, 9]), 2, 2).copy_unaligned()?;
    assert_eq!(copy.to_vec()?, [9; 4]);
    copy.close()
}

pub(crate) fn unified_addresses() -> Done {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let numbers = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4])?;
    let mut copy = DeviceBuf::<u8>::zeroed(&stream, 4)?;
    // SAFETY: 4 bytes, which live on this stream.
    let from = unsafe { CopySource::unified(numbers.ptr(), 4, &stream) };
    // SAFETY: as above.
    let to = unsafe { CopyDestination::unified(copy.as_slice_mut().ptr(), 4, &stream) };
    Memcpy3D::plane(to, from, 4, 1).copy()?;
    assert_eq!(copy.to_vec()?, [1, 2, 3, 4]);
    copy.close()
}

pub(crate) fn arrays() -> Done {
    let stream = Stream::new(&own()?)?;
    let line = ArrayDescriptor::line(4, ArrayFormat::UNSIGNED_INT8, 1);
    let array = Array::new(&stream, line)?;
    array.copy_from_host(0, &[1_u8, 2, 3, 4])?;
    let volume = ArrayDescriptor::volume(2, 2, 2, ArrayFormat::UNSIGNED_INT8, 1);
    let second = Array::new(&stream, volume)?;
    Memcpy3D::plane(CopyDestination::array(&second), CopySource::array(&array), 2, 1).copy()?;
    let mut host = [0_u8; 2];
    second.copy_to_host(0, &mut host)?;
    assert_eq!(host, [1, 2]);
    array.close()
}

pub(crate) fn rows() -> Done {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let mut buffer = PitchedBuf::<u16>::uninit(&stream, 3, 2, AccessSize::Four)?;
    buffer.fill(0x102)?;
    buffer.row_mut(1)?.fill(7)?;
    assert_eq!(buffer.to_vec()?, [0x102, 0x102, 0x102, 7, 7, 7]);
    buffer.part_mut([1, 0, 0], [2, 2, 1])?.fill(9)?;
    assert_eq!(buffer.to_vec()?, [0x102, 9, 9, 7, 9, 9]);
    let mut volume = DeviceBuf::<u8>::zeroed(&stream, 12)?;
    let mut slices = volume.as_slice_mut().into_pitched(3, [2, 2, 2])?;
    slices.part([1, 0, 0], [1, 1, 2])?.fill(5)?;
    assert_eq!(volume.to_vec()?, [0, 5, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0]);
    let mut wide = DeviceBuf::<[u32; 2]>::zeroed(&stream, 2)?;
    wide.as_slice_mut().fill([1, 2])?;
    wide.slice_mut(1..)?.fill([3, 3])?;
    assert_eq!(wide.to_vec()?, [[1, 2], [3, 3]]);
    buffer.close()
}

pub(crate) fn batches() -> Done {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let mut buffer = DeviceBuf::<u8>::zeroed(&stream, 4)?;
    let (low, high) = buffer.as_slice_mut().split_at(2)?;
    let mut batch = MemcpyBatch::new();
    batch.from_host(low, &[1, 2])?.from_host(high, &[3, 4])?;
    batch.copy(&stream)?;
    let mut copy = DeviceBuf::<u8>::zeroed(&stream, 4)?;
    let mut batch = MemcpyBatch::new();
    batch.on_device(copy.as_slice_mut(), buffer.as_slice())?;
    batch.copy(&stream)?;
    assert_eq!(copy.to_vec()?, [1, 2, 3, 4]);
    let array = Array::new(&stream, ArrayDescriptor::plane(2, 2, ArrayFormat::UNSIGNED_INT8, 1))?;
    let mut row = [0_u8; 2];
    let mut batch = MemcpyBatch::new();
    batch.attributes(MemcpyAttributes::new().prefer_overlap(true));
    let block = |to| Memcpy3D::plane(to, CopySource::device(buffer.as_slice()), 2, 2);
    batch.block(block(CopyDestination::array(&array)))?;
    batch.block(block(CopyDestination::device(copy.as_slice_mut())))?;
    batch.block(Memcpy3D::plane(
        CopyDestination::host(&mut row),
        CopySource::device(buffer.as_slice()),
        2,
        1,
    ))?;
    batch.copy(&stream)?;
    assert_eq!((array.to_vec::<u8>()?, row), (vec![1, 2, 3, 4], [1, 2]));
    Ok(())
}

pub(crate) fn decompression() -> Done {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let packed = DeviceBuf::from_host_in(&stream, &[0x30_u8, 1, 2, 3], MemorySource::Plain)?;
    let mut bytes = DeviceBuf::<u8>::zeroed_in(&stream, 3, MemorySource::Plain)?;
    let mut written = DeviceBuf::<u32>::zeroed_in(&stream, 1, MemorySource::Plain)?;
    let mut batch = DecompressBatch::new();
    let lz4 = DecompressAlgorithm::LZ4;
    batch.add(lz4, packed.as_slice(), bytes.as_slice_mut(), written.as_slice_mut())?;
    // SAFETY: the data is a complete block of three bytes.
    match unsafe { batch.decompress(&stream) } {
        // The software driver has no engine.
        Err(error) if error.code() == Some(Code::NotSupported) => Ok(()),
        decompressed => decompressed,
    }
}

#[cfg(unix)]
pub(crate) fn descriptors() -> Done {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let buffer = DeviceBuf::<u8>::zeroed_in(&stream, 2 << 20, MemorySource::Plain)?;
    drop(buffer.as_slice().dma_buf(DmaBufMapping::Any)?);
    buffer.close()
}

pub(crate) fn addresses() -> Done {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let buffer = DeviceBuf::<u8>::zeroed(&stream, 4)?;
    let memory = buffer.as_slice();
    memory.attributes()?;
    memory.attributes_of(&[PointerAttribute::MEMORY_TYPE, PointerAttribute::RANGE_SIZE])?;
    assert_eq!(memory.location()?, MemLocation::device(stream.context().device()));
    assert_eq!(memory.address_range()?, (buffer.ptr(), 4));
    memory.set_sync_memops(true)
}

pub(crate) fn blocks_of_devices() -> Done {
    let first = Stream::new(&Context::primary(device()?)?)?;
    let second = Stream::new(&Context::primary(Device::get(1)?)?)?;
    let numbers = DeviceBuf::from_host(&first, &[1_u8, 2, 3, 4])?;
    let mut copy = PitchedBuf::<u8>::uninit(&second, 1, 2, AccessSize::Four)?;
    let from = CopySource::device(numbers.as_slice()).pitch(2);
    Memcpy3D::plane(copy.as_destination(), from, 1, 2).copy()?;
    drop(numbers);
    assert_eq!(copy.to_vec()?, [1, 3]);
    copy.close()
}
