//! Device memory as dma-bufs, and decompression by the device.

use cuda_rt::device::DeviceAttribute;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::memory::{DecompressAlgorithm, DecompressBatch, MemorySource};
use cuda_rt::{DeviceBuf, Stream};
use cuda_suite::{context, device, invalid, stream};
#[cfg(unix)]
use cuda_suite::{host_page, skip};

#[cfg(unix)]
mod descriptors {
    use super::*;
    use crate::is_since;
    use cuda_rt::ManagedBuf;
    use cuda_rt::memory::{CachingPool, DmaBufMapping, MemAttach, MemPool, MemPoolOptions, MemoryRelease};
    use std::fs::File;
    use std::io::{Seek, SeekFrom};

    macro_rules! needs_dma_bufs {
        () => {
            if !is_since(11, 7) || device().attribute(DeviceAttribute::DMA_BUF_SUPPORTED).unwrap() == 0 {
                skip!("needs dma-bufs");
            }
        };
    }

    #[test]
    fn dma_buf_has_the_size_of_its_memory() {
        needs_dma_bufs!();
        let stream = stream();
        let buffer = DeviceBuf::<u8>::zeroed_in(&stream, 2 << 20, MemorySource::Plain).unwrap();
        let size = |file| File::from(file).seek(SeekFrom::End(0)).unwrap();
        assert_eq!(size(buffer.as_slice().dma_buf(DmaBufMapping::Any).unwrap()), 2 << 20);
        let page = host_page();
        let part = buffer.slice(page..3 * page).unwrap();
        let file = part.dma_buf(DmaBufMapping::Any).unwrap();
        // The descriptor outlives the buffer.
        buffer.close().unwrap();
        assert_eq!(size(file), 2 * page as u64);
    }

    #[test]
    fn dma_bufs_of_other_ranges_are_refused() {
        needs_dma_bufs!();
        let stream = stream();
        let buffer = DeviceBuf::<u8>::zeroed_in(&stream, 2 << 20, MemorySource::Plain).unwrap();
        for range in [0..100, 100..4196] {
            let refused = buffer.slice(range.clone()).unwrap().dma_buf(DmaBufMapping::Any).unwrap_err();
            assert_eq!(refused.code(), Some(Code::InvalidValue));
            assert!(refused.to_string().contains(&format!("{} bytes at 0x", range.len())), "{refused}");
        }
        let nothing = buffer.slice(..0).unwrap().dma_buf(DmaBufMapping::Any).unwrap_err();
        assert_eq!(nothing, invalid("range of device memory: it has 0 bytes"));
        match buffer.as_slice().dma_buf(DmaBufMapping::Pcie) {
            Ok(_) => {}
            Err(refused) => assert_eq!(refused.code(), Some(Code::NotSupported)),
        }
        if device().attribute(DeviceAttribute::MANAGED_MEMORY).unwrap() != 0 {
            let managed = ManagedBuf::<u8>::zeroed(&stream, 2 << 20, MemAttach::Global).unwrap();
            let refused = managed.as_slice().dma_buf(DmaBufMapping::Any).unwrap_err();
            assert_eq!(refused.code(), Some(Code::InvalidValue));
        }
    }

    /// Conformance fact V1183.
    #[test]
    fn dma_bufs_of_small_memory_are_refused() {
        needs_dma_bufs!();
        let buffer = DeviceBuf::<u8>::zeroed_in(&stream(), 1 << 20, MemorySource::Plain).unwrap();
        let refused = buffer.as_slice().dma_buf(DmaBufMapping::Any).unwrap_err();
        let text = "is in an allocation of 1048576 bytes, which shares a page of 2097152 bytes";
        assert!(refused.to_string().contains(text), "{refused}");
    }

    #[test]
    fn dma_bufs_of_pools_are_refused() {
        needs_dma_bufs!();
        let stream = stream();
        let refused = |buffer: &DeviceBuf<u8>, text| {
            for range in [0..4096, 4096..8192] {
                let part = buffer.slice(range).unwrap();
                let error = part.dma_buf(DmaBufMapping::Any).unwrap_err();
                assert_eq!(error, invalid(text));
                assert!(error.to_string().contains(&format!("{:#x} is in ", part.ptr().as_raw())), "{error}");
            }
        };
        if device().attribute(DeviceAttribute::MEMORY_POOLS_SUPPORTED).unwrap() != 0 {
            let pool = MemPool::new(device(), MemPoolOptions::new()).unwrap();
            let buffer = DeviceBuf::<u8>::zeroed_in(&stream, 2 << 20, &pool).unwrap();
            refused(&buffer, "is in memory pool 0x");
            let (ptr, len, release) = buffer.into_raw();
            // SAFETY: the buffer above. The kind of its release is hidden from the crate.
            let foreign =
                unsafe { DeviceBuf::from_raw(ptr, len, &stream, MemoryRelease::Owner(Box::new(()))) };
            refused(&foreign, "is in memory pool 0x");
            drop(foreign);
            // SAFETY: as above, with the owner of the memory.
            drop(unsafe { DeviceBuf::from_raw(ptr, len, &stream, release) });
        }
        let pool = CachingPool::new(&context());
        let buffer = DeviceBuf::<u8>::zeroed_in(&stream, 2 << 20, &pool).unwrap();
        refused(&buffer, "is in a block of a caching pool");
        // A block that was used before.
        drop(buffer);
        let buffer = DeviceBuf::<u8>::zeroed_in(&stream, 2 << 20, &pool).unwrap();
        refused(&buffer, "is in a block of a caching pool");
        // A block that left the pool.
        let (ptr, len, release) = buffer.into_raw();
        // SAFETY: the buffer above.
        let plain = unsafe { DeviceBuf::from_raw(ptr, len, &stream, release) };
        drop(plain.as_slice().dma_buf(DmaBufMapping::Any).unwrap());
    }

    #[test]
    fn plain_memory_after_a_block_has_dma_bufs() {
        needs_dma_bufs!();
        let (stream, pool) = (stream(), CachingPool::new(&context()));
        let block = || DeviceBuf::<u8>::zeroed_in(&stream, 2 << 20, &pool).unwrap();
        let plain = || {
            let buffer = DeviceBuf::<u8>::zeroed_in(&stream, 2 << 20, MemorySource::Plain).unwrap();
            drop(buffer.as_slice().dma_buf(DmaBufMapping::Any).unwrap());
        };
        // The memory may be where the block was.
        drop(block());
        pool.trim().unwrap();
        plain();
        let used = block();
        pool.disable_caching().unwrap();
        drop(used);
        plain();
    }

    #[test]
    fn dma_bufs_need_cuda_11_7() {
        if is_since(11, 7) {
            skip!("the driver has the function");
        }
        let buffer = DeviceBuf::<u8>::zeroed_in(&stream(), 4096, MemorySource::Plain).unwrap();
        let missing = buffer.as_slice().dma_buf(DmaBufMapping::Any).unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::FunctionMissing);
        assert!(missing.to_string().contains("11.7"), "{missing}");
    }
}

/// Compressed bytes, their place, and the number of bytes that were written.
fn piece(stream: &Stream, packed: &[u8], bytes: usize) -> (DeviceBuf<u8>, DeviceBuf<u8>, DeviceBuf<u32>) {
    (
        DeviceBuf::from_host_in(stream, packed, MemorySource::Plain).unwrap(),
        DeviceBuf::zeroed_in(stream, bytes, MemorySource::Plain).unwrap(),
        DeviceBuf::zeroed_in(stream, 1, MemorySource::Plain).unwrap(),
    )
}

#[test]
fn pieces_are_decompressed_where_there_is_an_engine() {
    let stream = stream();
    let mask = device().attribute(DeviceAttribute::MEM_DECOMPRESS_ALGORITHM_MASK).unwrap_or(0) as u32;
    // Three literal bytes each: of LZ4, and of Snappy.
    let data: [(_, &[u8]); 2] =
        [(DecompressAlgorithm::LZ4, &[0x30, 1, 2, 3]), (DecompressAlgorithm::SNAPPY, &[3, 8, 1, 2, 3])];
    for (algorithm, packed) in data {
        let (packed, mut bytes, mut written) = piece(&stream, packed, 3);
        let mut batch = DecompressBatch::new();
        batch.add(algorithm, packed.as_slice(), bytes.as_slice_mut(), written.as_slice_mut()).unwrap();
        // SAFETY: the data is complete, and has three bytes.
        match unsafe { batch.decompress(&stream) } {
            Ok(()) => {
                assert_ne!(mask & algorithm.0, 0);
                assert_eq!((bytes.to_vec().unwrap(), written.to_vec().unwrap()), (vec![1, 2, 3], vec![3]));
            }
            Err(missing) if missing.kind() == ErrorKind::FunctionMissing => {
                assert!(missing.to_string().contains("12.6"), "{missing}");
            }
            Err(refused) => {
                assert_eq!(mask & algorithm.0, 0, "{refused}");
                let expected = if mask == 0 { Code::NotSupported } else { Code::InvalidValue };
                assert_eq!(refused.code(), Some(expected), "{refused}");
                // No piece was decompressed.
                assert_eq!(written.to_vec().unwrap(), [0]);
            }
        }
    }
}

#[test]
fn pieces_that_do_not_fit_are_refused() {
    let (stream, legacy) = (stream(), Stream::legacy(&context()));
    let (packed, mut bytes, mut written) = piece(&stream, &[0x30, 1, 2, 3], 3);
    let mut many = DeviceBuf::<u32>::zeroed(&stream, 2).unwrap();
    let mut batch = DecompressBatch::new();
    let lz4 = DecompressAlgorithm::LZ4;
    let refused = batch.add(lz4, packed.as_slice(), bytes.as_slice_mut(), many.as_slice_mut()).unwrap_err();
    assert_eq!(refused, invalid("the source has 1 elements, the destination 2;"));
    let mut batch = DecompressBatch::new();
    let nothing = packed.slice(..0).unwrap();
    let refused = batch.add(lz4, nothing, bytes.as_slice_mut(), written.as_slice_mut()).unwrap_err();
    assert_eq!(refused, invalid("compressed memory: it has 0 bytes"));
    let mut batch = DecompressBatch::new();
    batch.add(lz4, packed.as_slice(), bytes.as_slice_mut(), written.as_slice_mut()).unwrap();
    // SAFETY: it is refused, so that nothing is decompressed.
    let refused = unsafe { batch.decompress(&legacy) }.unwrap_err();
    assert_eq!(refused, invalid("memory of piece 0 lives on another stream;"));
    // SAFETY: there are no pieces.
    unsafe { DecompressBatch::new().decompress(&stream) }.unwrap();
}
