//! Copies of blocks between all kinds of memory, against one in plain loops; fills of rows.

use super::super::operation::numbers;
use super::*;

const HOST: CUmemorytype = CUmemorytype::CU_MEMORYTYPE_HOST;
const DEVICE: CUmemorytype = CUmemorytype::CU_MEMORYTYPE_DEVICE;
const ARRAY: CUmemorytype = CUmemorytype::CU_MEMORYTYPE_ARRAY;
const UNIFIED: CUmemorytype = CUmemorytype::CU_MEMORYTYPE_UNIFIED;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// A number that only looks random, below `limit`.
struct Numbers(std::vec::IntoIter<u64>);

impl Numbers {
    fn new(seed: u64) -> Self {
        Self(numbers(100_000, seed).into_iter())
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.0.next().unwrap() >> 20) as usize % limit
    }
}

/// Memory of some kind with a copy of what should be in it.
struct Memory {
    kind: CUmemorytype,
    /// The bytes that a program sees: rows with gaps, or an array without gaps.
    expected: Vec<u8>,
    pitch: usize,
    height: usize,
    depth: usize,
    host: Vec<u8>,
    device: u64,
    array: Option<Array>,
}

const TEXEL: usize = 4;

impl Memory {
    fn new(kind: CUmemorytype, random: &mut Numbers, array_pitch: usize) -> Self {
        let (height, depth) = (6, 4);
        let pitch = if kind == ARRAY { array_pitch } else { array_pitch + random.below(40) };
        let expected: Vec<u8> = (0..pitch * height * depth).map(|_| random.below(256) as u8).collect();
        let mut memory =
            Self { kind, pitch, height, depth, host: Vec::new(), device: 0, array: None, expected };
        let bytes = memory.expected.len();
        match kind {
            ARRAY => {
                let format = CUarray_format::CU_AD_FORMAT_UNSIGNED_INT16;
                let size = [pitch / TEXEL, height, depth];
                memory.array = Some(Array::with(descriptor(size, format, 2, 0), &memory.expected));
            }
            HOST => memory.host = memory.expected.clone(),
            _ => {
                must!(cuMemAlloc_v2(&raw mut memory.device, bytes));
                must!(cuMemcpyHtoD_v2(memory.device, memory.expected.as_ptr().cast(), bytes));
            }
        }
        memory
    }

    fn contents(&self) -> Vec<u8> {
        match (&self.array, self.device) {
            (Some(array), _) => array.read(),
            (None, 0) => self.host.clone(),
            (None, device) => {
                let mut bytes = vec![0_u8; self.expected.len()];
                must!(cuMemcpyDtoH_v2(bytes.as_mut_ptr().cast(), device, bytes.len()));
                bytes
            }
        }
    }

    fn handle(&self) -> CUarray {
        self.array.as_ref().map_or(null_mut(), |array| array.handle)
    }

    /// The place of a byte.
    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.height + y) * self.pitch + x
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.device != 0 {
            must!(cuMemFree_v2(self.device));
        }
    }
}

fn unified(memory: &mut Memory) -> u64 {
    if memory.device != 0 { memory.device } else { memory.host.as_mut_ptr().expose_provenance() as u64 }
}

/// Copies a block, and does the same to what is expected.
fn copy(
    to: &mut Memory,
    to_at: [usize; 3],
    from: &mut Memory,
    from_at: [usize; 3],
    block: [usize; 3],
    flat: bool,
) {
    let [width, height, depth] = block;
    let (from_device, to_device) = (unified(from), unified(to));
    if flat {
        let copy = CUDA_MEMCPY2D {
            srcXInBytes: from_at[0],
            srcY: from_at[1],
            srcMemoryType: from.kind,
            srcHost: from.host.as_ptr().cast(),
            srcDevice: from_device,
            srcArray: from.handle(),
            srcPitch: from.pitch,
            dstXInBytes: to_at[0],
            dstY: to_at[1],
            dstMemoryType: to.kind,
            dstHost: to.host.as_mut_ptr().cast(),
            dstDevice: to_device,
            dstArray: to.handle(),
            dstPitch: to.pitch,
            WidthInBytes: width,
            Height: height,
        };
        must!(cuMemcpy2DUnaligned_v2(&raw const copy));
    } else {
        let copy = CUDA_MEMCPY3D {
            srcXInBytes: from_at[0],
            srcY: from_at[1],
            srcZ: from_at[2],
            srcMemoryType: from.kind,
            srcHost: from.host.as_ptr().cast(),
            srcDevice: from_device,
            srcArray: from.handle(),
            srcPitch: from.pitch,
            srcHeight: from.height,
            dstXInBytes: to_at[0],
            dstY: to_at[1],
            dstZ: to_at[2],
            dstMemoryType: to.kind,
            dstHost: to.host.as_mut_ptr().cast(),
            dstDevice: to_device,
            dstArray: to.handle(),
            dstPitch: to.pitch,
            dstHeight: to.height,
            WidthInBytes: width,
            Height: height,
            Depth: depth,
            ..CUDA_MEMCPY3D::default()
        };
        must!(cuMemcpy3D_v2(&raw const copy));
    }
    for z in 0..depth {
        for y in 0..height {
            for x in 0..width {
                let source = from.index([from_at[0] + x, from_at[1] + y, from_at[2] + z]);
                let target = to.index([to_at[0] + x, to_at[1] + y, to_at[2] + z]);
                to.expected[target] = from.expected[source];
            }
        }
    }
}

#[test]
fn blocks_of_all_kinds() {
    let mut random = Numbers::new(11);
    for to_kind in [HOST, DEVICE, ARRAY, UNIFIED] {
        for from_kind in [HOST, DEVICE, ARRAY, UNIFIED] {
            let mut to = Memory::new(to_kind, &mut random, 44);
            let mut from = Memory::new(from_kind, &mut random, 36);
            let arrays = to_kind == ARRAY || from_kind == ARRAY;
            for turn in 0..24 {
                // Arrays are copied by whole texels; nothing else is.
                let unit = if arrays { TEXEL } else { 1 };
                let width = unit * (1 + random.below(36 / unit));
                let flat = turn % 2 == 0;
                let block = [width, 1 + random.below(6), if flat { 1 } else { 1 + random.below(4) }];
                let mut place = |memory: &Memory| {
                    let unit = if memory.kind == ARRAY { TEXEL } else { 1 };
                    let x = unit * random.below((memory.pitch - block[0]) / unit + 1);
                    let z = if flat { 0 } else { random.below(memory.depth - block[2] + 1) };
                    [x, random.below(memory.height - block[1] + 1), z]
                };
                let (to_at, from_at) = (place(&to), place(&from));
                copy(&mut to, to_at, &mut from, from_at, block, flat);
                assert!(
                    to.contents() == to.expected,
                    "{from_kind:?} to {to_kind:?}: {block:?} {from_at:?} {to_at:?}"
                );
                assert!(from.contents() == from.expected, "{from_kind:?} to {to_kind:?}: the source");
            }
        }
    }
}

#[test]
fn lines() {
    let bytes: Vec<u8> = (0..64).map(|index| index * 3 + 2).collect();
    let first = Array::new(descriptor([16, 0, 0], FLOAT, 1, 0));
    let second = Array::new(descriptor([16, 0, 0], FLOAT, 1, 0));
    must!(cuMemcpyHtoA_v2(first.handle, 0, bytes.as_ptr().cast(), 64));
    must!(cuMemcpyAtoA_v2(second.handle, 8, first.handle, 16, 48));
    must!(cuMemcpyAtoA_v2(second.handle, 0, first.handle, 56, 8));
    let expected = [&bytes[56..64], &bytes[16..64], &bytes[0..8]].concat();
    let mut device = 0;
    must!(cuMemAlloc_v2(&raw mut device, 64));
    must!(cuMemcpyAtoD_v2(device, first.handle, 0, 8));
    must!(cuMemcpyDtoA_v2(second.handle, 56, device, 8));
    must!(cuMemFree_v2(device));
    let mut back = vec![0_u8; 64];
    must!(cuMemcpyAtoH_v2(back.as_mut_ptr().cast(), second.handle, 0, 64));
    assert_eq!(back, expected);
    let mut part = [0_u8; 12];
    must!(cuMemcpyAtoH_v2(part.as_mut_ptr().cast(), second.handle, 20, 12));
    assert_eq!(part, expected[20..32]);
    let stream = cuda_suite::stream();
    must!(cuMemcpyHtoAAsync_v2(first.handle, 4, expected.as_ptr().cast(), 8, stream.as_raw()));
    must!(cuMemcpyAtoHAsync_v2(part.as_mut_ptr().cast(), first.handle, 0, 12, stream.as_raw()));
    stream.synchronize().unwrap();
    assert_eq!(part, *[&bytes[0..4], &expected[0..8]].concat());
    // By bytes that are not whole texels (measured).
    let mut own = expected[..].to_vec();
    must!(cuMemcpyHtoA_v2(second.handle, 2, [1_u8, 2, 3].as_ptr().cast(), 3));
    own[2..5].copy_from_slice(&[1, 2, 3]);
    must!(cuMemcpyAtoH_v2(back.as_mut_ptr().cast(), second.handle, 0, 64));
    assert_eq!(back, own);
    // Past the first row of what has more.
    let plane = Array::new(descriptor([4, 4, 0], FLOAT, 1, 0));
    assert_eq!(driver!(cuMemcpyHtoA_v2(plane.handle, 8, bytes.as_ptr().cast(), 32)), INVALID);
    // Past the end.
    let refused = driver!(cuMemcpyHtoA_v2(first.handle, 60, bytes.as_ptr().cast(), 8));
    assert_eq!(refused, INVALID);
}

/// A copy of 8 by 4 bytes from host memory to an array of 4 by 4 texels of 2 bytes.
fn simple(bytes: &[u8], array: &Array) -> CUDA_MEMCPY3D {
    CUDA_MEMCPY3D {
        srcMemoryType: HOST,
        srcHost: bytes.as_ptr().cast(),
        srcPitch: 8,
        srcHeight: 4,
        dstMemoryType: ARRAY,
        dstArray: array.handle,
        WidthInBytes: 8,
        Height: 4,
        Depth: 1,
        ..CUDA_MEMCPY3D::default()
    }
}

#[test]
fn asynchronous_blocks() {
    let bytes: Vec<u8> = (0..32).collect();
    let array = Array::new(descriptor([4, 4, 0], CUarray_format::CU_AD_FORMAT_HALF, 1, 0));
    let stream = cuda_suite::stream();
    let copy = simple(&bytes, &array);
    must!(cuMemcpy3DAsync_v2(&raw const copy, stream.as_raw()));
    stream.synchronize().unwrap();
    assert_eq!(array.read(), bytes);
}

#[test]
fn blocks_between_contexts() {
    let bytes: Vec<u8> = (0..32).collect();
    let array = Array::new(descriptor([4, 4, 0], CUarray_format::CU_AD_FORMAT_HALF, 1, 0));
    let context = cuda_suite::context().as_raw();
    let copy = CUDA_MEMCPY3D_PEER {
        srcMemoryType: HOST,
        srcHost: bytes.as_ptr().cast(),
        srcContext: context,
        srcPitch: 8,
        srcHeight: 4,
        dstMemoryType: ARRAY,
        dstArray: array.handle,
        dstContext: context,
        WidthInBytes: 8,
        Height: 4,
        Depth: 1,
        ..CUDA_MEMCPY3D_PEER::default()
    };
    must!(cuMemcpy3DPeer(&raw const copy));
    assert_eq!(array.read(), bytes);
}

#[test]
fn blocks_that_do_not_fit() {
    let bytes = vec![0_u8; 256];
    let array = Array::new(descriptor([4, 4, 0], CUarray_format::CU_AD_FORMAT_HALF, 1, 0));
    let refused = |change: &dyn Fn(&mut CUDA_MEMCPY3D)| {
        let mut copy = simple(&bytes, &array);
        change(&mut copy);
        driver!(cuMemcpy3D_v2(&raw const copy))
    };
    assert_eq!(refused(&|_| ()), CUresult::CUDA_SUCCESS);
    let changes: [&dyn Fn(&mut CUDA_MEMCPY3D); 7] = [
        &|copy| copy.dstXInBytes = 2,
        &|copy| copy.dstY = 1,
        &|copy| copy.dstZ = 1,
        &|copy| copy.Height = 5,
        &|copy| copy.Depth = 2,
        &|copy| copy.srcPitch = 7,
        &|copy| copy.srcMemoryType = CUmemorytype(9),
    ];
    for (index, change) in changes.iter().enumerate() {
        assert_eq!(refused(change), INVALID, "change {index}");
    }
    // The driver does not check numbers of levels (measured).
    assert_eq!(refused(&|copy| copy.srcLOD = 1), CUresult::CUDA_SUCCESS);
    // Device memory is known exactly.
    let mut device = 0;
    must!(cuMemAlloc_v2(&raw mut device, 31));
    let from_device = |copy: &mut CUDA_MEMCPY3D| (copy.srcMemoryType, copy.srcDevice) = (DEVICE, device);
    assert_eq!(refused(&from_device), INVALID);
    must!(cuMemFree_v2(device));
    assert!(!refused(&|copy| copy.dstArray = null_mut()).is_success());
}

#[test]
fn rows_are_filled() {
    let (mut device, mut pitch) = (0, 0);
    must!(cuMemAllocPitch_v2(&raw mut device, &raw mut pitch, 40, 5, 4));
    let mut expected = vec![0xee_u8; pitch * 5];
    must!(cuMemsetD8_v2(device, 0xee, pitch * 5));
    let mut fill = |start: usize, element: &[u8], width: usize, height: usize| {
        for row in 0..height {
            for column in 0..width * element.len() {
                expected[start + row * pitch + column] = element[column % element.len()];
            }
        }
    };
    fill(3, &[0x11], 7, 4);
    must!(cuMemsetD2D8_v2(device + 3, pitch, 0x11, 7, 4));
    fill(16, &[0x22, 0x33], 3, 2);
    must!(cuMemsetD2D16_v2(device + 16, pitch, 0x3322, 3, 2));
    fill(pitch + 24, &[0x44, 0x55, 0x66, 0x77], 4, 3);
    must!(cuMemsetD2D32_v2(device + pitch as u64 + 24, pitch, 0x7766_5544, 4, 3));
    // Fills are not waited for, and the stream does not wait for the legacy one.
    must!(cuStreamSynchronize(null_mut()));
    let stream = cuda_suite::stream();
    fill(0, &[0x99], 2, 5);
    must!(cuMemsetD2D8Async(device, pitch, 0x99, 2, 5, stream.as_raw()));
    stream.synchronize().unwrap();
    let mut found = vec![0_u8; pitch * 5];
    must!(cuMemcpyDtoH_v2(found.as_mut_ptr().cast(), device, found.len()));
    assert!(found == expected);
    // More rows than there are, and an address that elements cannot have.
    assert_eq!(driver!(cuMemsetD2D8_v2(device, pitch, 0, 2, 6)), INVALID);
    assert_eq!(driver!(cuMemsetD2D32_v2(device + 2, pitch, 0, 2, 2)), INVALID);
    must!(cuMemFree_v2(device));
}
