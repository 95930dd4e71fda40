//! Copies of blocks, against a model that copies byte by byte.

use crate::alone;
use crate::busy::Busy;
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFormat};
use cuda_rt::context::ContextFlags;
use cuda_rt::device::DeviceAttribute;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::memory::MemorySource;
use cuda_rt::memory::{
    AccessSize, CachingPool, CopyDestination, CopySource, MemAttach, MemLocation, Memcpy3D, MemcpyAttributes,
    MemcpyBatch, PitchedBuf,
};
use cuda_rt::{Context, DeviceBuf, DevicePtr, Error, ManagedBuf, PinnedBuf, Stream};
use cuda_suite::{context, device, invalid, second_device, skip, stream};
use proptest::prelude::*;

/// Memory of one side, and where the block lies in it.
#[derive(Debug, Clone)]
struct Place {
    kind: Kind,
    at: [usize; 3],
    pitch: Option<usize>,
    height: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Host(usize),
    Device(usize),
    /// Width in elements of 4 bytes, height, depth.
    Array([usize; 3]),
}

impl Kind {
    /// Bytes in all.
    fn len(self) -> usize {
        match self {
            Kind::Host(len) | Kind::Device(len) => len,
            Kind::Array([width, height, depth]) => 4 * width * height.max(1) * depth.max(1),
        }
    }
}

impl Place {
    /// The place of each byte of the block, if it fits: row after row.
    fn offsets(&self, [width, height, depth]: [usize; 3]) -> Option<Vec<usize>> {
        let [x, y, z] = self.at;
        let (pitch, rows) = match self.kind {
            Kind::Array([elements, rows, slices]) => {
                let inside = x + width <= 4 * elements
                    && y + height <= rows.max(1)
                    && z + depth <= slices.max(1)
                    && x.is_multiple_of(4)
                    && width.is_multiple_of(4);
                inside.then_some((4 * elements, rows.max(1)))?
            }
            _ => {
                let pitch = self.pitch.unwrap_or(x + width);
                let rows = self.height.filter(|_| z + depth > 1).unwrap_or(y + height);
                (pitch >= x + width && rows >= y + height).then_some((pitch, rows))?
            }
        };
        let mut offsets = Vec::new();
        for slice in z..z + depth {
            for row in y..y + height {
                offsets.extend((x..x + width).map(|byte| (slice * rows + row) * pitch + byte));
            }
        }
        offsets.iter().all(|offset| *offset < self.kind.len()).then_some(offsets)
    }
}

/// The memory itself.
enum Memory {
    Host(Vec<u8>),
    Device(DeviceBuf<u8>),
    Array(Array),
}

impl Memory {
    fn new(stream: &Stream, kind: Kind, bytes: &[u8]) -> Memory {
        match kind {
            Kind::Host(_) => Memory::Host(bytes.to_vec()),
            Kind::Device(_) => Memory::Device(DeviceBuf::from_host(stream, bytes).unwrap()),
            Kind::Array([width, height, depth]) => {
                let descriptor = ArrayDescriptor::volume(width, height, depth, ArrayFormat::UNSIGNED_INT8, 4);
                let array = Array::new(stream, descriptor).unwrap();
                let to = CopyDestination::array(&array);
                let from = CopySource::host(bytes);
                Memcpy3D::new(to, from, 4 * width, height.max(1), depth.max(1)).copy().unwrap();
                Memory::Array(array)
            }
        }
    }

    fn bytes(&self, kind: Kind) -> Vec<u8> {
        match self {
            Memory::Host(bytes) => bytes.clone(),
            Memory::Device(buffer) => buffer.to_vec().unwrap(),
            Memory::Array(array) => {
                let Kind::Array([width, height, depth]) = kind else { unreachable!() };
                let mut bytes = vec![0; kind.len()];
                let to = CopyDestination::host(&mut bytes);
                Memcpy3D::new(to, CopySource::array(array), 4 * width, height.max(1), depth.max(1))
                    .copy()
                    .unwrap();
                bytes
            }
        }
    }
}

fn copied(from: (&Memory, &Place), to: (&mut Memory, &Place), block: [usize; 3]) -> Result<(), Error> {
    let (from, place) = from;
    let mut source = match from {
        Memory::Host(bytes) => CopySource::host(bytes),
        Memory::Device(buffer) => CopySource::device(buffer.as_slice()),
        Memory::Array(array) => CopySource::array(array),
    };
    source = source.at(place.at[0], place.at[1], place.at[2]);
    source = place.pitch.into_iter().fold(source, CopySource::pitch);
    source = place.height.into_iter().fold(source, CopySource::height);
    let (to, place) = to;
    let mut destination = match to {
        Memory::Host(bytes) => CopyDestination::host(bytes),
        Memory::Device(buffer) => CopyDestination::device(buffer.as_slice_mut()),
        Memory::Array(array) => CopyDestination::array(array),
    };
    destination = destination.at(place.at[0], place.at[1], place.at[2]);
    destination = place.pitch.into_iter().fold(destination, CopyDestination::pitch);
    destination = place.height.into_iter().fold(destination, CopyDestination::height);
    Memcpy3D::new(destination, source, block[0], block[1], block[2]).copy()
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        2 => (1_usize..500).prop_map(Kind::Host),
        4 => (1_usize..500).prop_map(Kind::Device),
        1 => (1_usize..6, 1_usize..6, 0_usize..4).prop_map(|(width, height, depth)| Kind::Array([width, height, depth])),
    ]
}

fn place() -> impl Strategy<Value = Place> {
    let offset = || prop_oneof![3 => Just(0_usize), 1 => 0_usize..5];
    let x = prop_oneof![3 => Just(0_usize), 1 => Just(4_usize), 1 => 0_usize..9];
    let pitch =
        prop_oneof![1 => Just(None), 1 => (1_usize..24).prop_map(Some), 2 => (12_usize..30).prop_map(Some)];
    let height =
        prop_oneof![2 => Just(None), 1 => (1_usize..6).prop_map(Some), 1 => (5_usize..8).prop_map(Some)];
    (kind(), x, offset(), offset(), pitch, height).prop_map(|(kind, x, y, z, pitch, height)| Place {
        kind,
        at: [x, y, z],
        pitch,
        height,
    })
}

fn block() -> impl Strategy<Value = [usize; 3]> {
    let often = |most: usize| prop_oneof![1 => Just(0_usize), 40 => 1..most];
    (prop_oneof![20 => Just(4_usize), 20 => Just(8), 20 => 1_usize..12, 1 => Just(0)], often(5), often(4))
        .prop_map(|(width, height, depth)| [width, height, depth])
}

#[test]
#[allow(clippy::print_stdout)]
fn blocks_are_copied_as_a_loop_would() {
    const CASES: u32 = 3000;
    let (stream, other) = (stream(), stream());
    let mut counts = [0_u32; 3];
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(CASES) };
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let counted = std::cell::RefCell::new(&mut counts);
    runner
        .run(&(place(), place(), block(), any::<bool>()), |(from, to, block, apart)| {
            let bytes = |kind: Kind, first: u8| -> Vec<u8> {
                (0..kind.len()).map(|index| first.wrapping_add(index as u8)).collect()
            };
            let (source, before) = (bytes(from.kind, 1), bytes(to.kind, 128));
            let from_memory = Memory::new(if apart { &other } else { &stream }, from.kind, &source);
            let mut to_memory = Memory::new(&stream, to.kind, &before);
            let outcome = copied((&from_memory, &from), (&mut to_memory, &to), block);
            let mut expected = before;
            let is_empty = block.contains(&0);
            match (&outcome, from.offsets(block), to.offsets(block)) {
                (Ok(()), _, _) if is_empty => counted.borrow_mut()[2] += 1,
                (Ok(()), Some(source_at), Some(target_at)) => {
                    for (source_at, target_at) in source_at.into_iter().zip(target_at) {
                        expected[target_at] = source[source_at];
                    }
                    counted.borrow_mut()[0] += 1;
                }
                (Err(error), _, _) if *error == invalid("both sides are host memory") => {
                    prop_assert!(matches!((from.kind, to.kind), (Kind::Host(_), Kind::Host(_))));
                }
                (Err(error), source_at, target_at) if is_field(error) => {
                    prop_assert!(source_at.is_none() || target_at.is_none(), "refused: {outcome:?}");
                    counted.borrow_mut()[1] += 1;
                }
                (outcome, source_at, target_at) => {
                    prop_assert!(false, "{outcome:?} though {source_at:?} {target_at:?}");
                }
            }
            prop_assert_eq!(to_memory.bytes(to.kind), expected);
            Ok(())
        })
        .unwrap();
    let [done, refused, empty] = counts;
    println!("structured copies: {done} copied, {refused} refused, {empty} of nothing");
    assert!(done > 700 && refused > 700 && done + refused > 2000 && empty > 100);
}

/// Returns whether a number of a side or of the block is refused.
fn is_field(error: &cuda_rt::Error) -> bool {
    let text = error.to_string();
    let parts = ["source ", "destination ", "block "];
    error.kind() == ErrorKind::InvalidArgument && parts.iter().any(|part| text.starts_with(part))
}

#[test]
fn copies_that_do_not_fit_are_named() {
    let stream = stream();
    let mut buffer = DeviceBuf::<u8>::zeroed(&stream, 100).unwrap();
    let host = [0_u8; 100];
    let refusal = |to: CopyDestination<'_>, from, [width, height, depth]: [usize; 3]| {
        let error = Memcpy3D::new(to, from, width, height, depth).copy().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        error.to_string()
    };
    macro_rules! to {
        () => {
            CopyDestination::device(buffer.as_slice_mut())
        };
    }
    let from = CopySource::host(&host);
    assert_eq!(refusal(to!(), from.pitch(3), [4, 2, 1]), "source pitch: 3 is less than 4");
    assert_eq!(refusal(to!().pitch(5).at(2, 0, 0), from, [4, 2, 1]), "destination pitch: 5 is less than 6");
    assert_eq!(refusal(to!(), from.height(1), [4, 2, 2]), "source height: 1 is less than 2");
    assert_eq!(refusal(to!(), from, [101, 1, 1]), "source end of a row in bytes: 101 is more than 100");
    assert_eq!(refusal(to!(), from.pitch(60), [50, 2, 1]), "source end: 110 is more than 100");
    assert_eq!(
        refusal(to!(), from.pitch(usize::MAX / 2), [1, 2, 1]).split(" more than ").next(),
        Some(&*format!("source pitch: {} is", usize::MAX / 2)),
        "more than the device can do"
    );
    assert_eq!(
        refusal(to!(), from.at(usize::MAX, 0, 0), [1, 1, 1]),
        format!("source end of a row in bytes: {} is more than 100", usize::MAX)
    );
    let descriptor = ArrayDescriptor::plane(4, 4, ArrayFormat::FLOAT, 1);
    let array = Array::new(&stream, descriptor).unwrap();
    let refused_array =
        |at: [usize; 3], block| refusal(CopyDestination::array(&array).at(at[0], at[1], at[2]), from, block);
    assert_eq!(refused_array([2, 0, 0], [4, 1, 1]), "destination array x: 2 is not a multiple of 4");
    assert_eq!(refused_array([0, 0, 0], [6, 1, 1]), "block width: 6 is not a multiple of 4");
    assert_eq!(
        refused_array([4, 0, 0], [16, 1, 1]),
        "destination array end of a row in bytes: 20 is more than 16"
    );
    assert_eq!(refused_array([0, 3, 0], [4, 2, 1]), "destination array last row: 5 is more than 4");
    assert_eq!(refused_array([0, 0, 0], [4, 1, 2]), "destination array last slice: 2 is more than 1");
    // No byte was copied.
    assert_eq!(buffer.to_vec().unwrap(), [0; 100]);
}

#[test]
fn unified_addresses_are_of_any_memory() {
    let stream = stream();
    if stream.context().device().attribute(DeviceAttribute::UNIFIED_ADDRESSING).unwrap() == 0 {
        skip!("the device has no unified addressing");
    }
    let numbers = [1_u8, 2, 3, 4, 5, 6, 7, 8];
    let device = DeviceBuf::<u8>::zeroed(&stream, 8).unwrap();
    let mut pinned = PinnedBuf::<u8>::zeroed(stream.context(), 8).unwrap();
    let managed = ManagedBuf::<u8>::zeroed(&stream, 8, MemAttach::Global).unwrap();
    stream.synchronize().unwrap();
    let addresses = [device.ptr(), DevicePtr::from_raw(pinned.as_mut_ptr().addr() as u64), managed.ptr()];
    // SAFETY: 8 bytes that live as long as the test, which waits before it touches them otherwise.
    let source = |address| unsafe { CopySource::unified(address, 8, &stream) };
    // SAFETY: as above.
    let destination = |address| unsafe { CopyDestination::unified(address, 8, &stream) };
    for (from, to) in addresses.into_iter().flat_map(|from| addresses.map(|to| (from, to))) {
        if from == to {
            continue;
        }
        for [height, depth] in [[2, 1], [1, 2]] {
            for (address, bytes) in [(from, numbers), (to, [0_u8; 8])] {
                Memcpy3D::plane(destination(address), CopySource::host(&bytes), 8, 1).copy().unwrap();
            }
            let (left, right) = (destination(to), source(from).at(1, 0, 0));
            let copy = Memcpy3D::new(left.pitch(4).height(1), right.pitch(4).height(1), 2, height, depth);
            copy.copy().unwrap();
            let mut bytes = [0_u8; 8];
            Memcpy3D::plane(CopyDestination::host(&mut bytes), source(to), 8, 1).copy().unwrap();
            assert_eq!(bytes, [2, 3, 0, 0, 6, 7, 0, 0], "{from:?} to {to:?}, {depth} slices");
        }
    }
    // Without a copy for the host's side.
    pinned.copy_from_slice(&numbers);
    Memcpy3D::plane(destination(addresses[0]), source(addresses[1]), 8, 1).copy().unwrap();
    stream.synchronize().unwrap();
    assert_eq!(device.to_vec().unwrap(), numbers);
    pinned.fill(0);
    Memcpy3D::plane(destination(addresses[1]), source(addresses[0]), 8, 1).copy().unwrap();
    stream.synchronize().unwrap();
    assert_eq!(pinned[..], numbers);
}

#[test]
fn an_unchecked_copy_does_not_wait() {
    // In a process of its own: other tests free memory, which waits.
    alone("structured::an_unchecked_copy_does_not_wait", || {
        let stream = stream();
        let numbers = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4]).unwrap();
        let mut host = PinnedBuf::<u8>::zeroed(stream.context(), 2).unwrap();
        stream.synchronize().unwrap();
        let busy = Busy::new(&stream);
        let from = CopySource::device(numbers.as_slice()).pitch(2);
        let copy = Memcpy3D::plane(CopyDestination::host(&mut host), from, 1, 2);
        // SAFETY: the memory is not touched before the stream has been waited for.
        unsafe { copy.copy_unchecked() }.unwrap();
        // The kernel before it runs until a signal.
        assert!(!stream.is_done().unwrap());
        busy.go();
        stream.synchronize().unwrap();
        assert_eq!(host[..], [1, 3]);
    });
}

#[test]
fn host_memory_alone_is_not_copied() {
    cuda_suite::driver();
    let (from, mut to) = ([1_u8; 4], [0_u8; 4]);
    let copy = Memcpy3D::plane(CopyDestination::host(&mut to), CopySource::host(&from), 2, 2);
    assert_eq!(copy.copy().unwrap_err(), invalid("both sides are host memory"));
}

#[test]
fn arrays_are_copied_in_a_row() {
    let (stream, other) = (stream(), stream());
    let descriptor = ArrayDescriptor::line(8, ArrayFormat::UNSIGNED_INT16, 1);
    let array = Array::new(&stream, descriptor).unwrap();
    array.copy_from_host(0, &[1_u16, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    array.copy_from_device(4, DeviceBuf::from_host(&other, &[30_u16, 40]).unwrap().as_slice()).unwrap();
    let copy = Array::new(&other, descriptor).unwrap();
    copy.copy_from_array(2, &array, 0, 8).unwrap();
    drop(array);
    let mut back = DeviceBuf::<u16>::zeroed(&stream, 3).unwrap();
    copy.copy_to_device(4, back.as_slice_mut()).unwrap();
    assert_eq!(back.to_vec().unwrap(), [2, 30, 40]);
    let mut first = [0_u16; 1];
    copy.copy_to_host(2, &mut first).unwrap();
    assert_eq!(first, [1]);
    assert!(copy.copy_to_host(1, &mut first).is_err());
    assert!(copy.copy_to_host(16, &mut first).is_err());
    copy.close().unwrap();
    // An error of the driver's refusal says which array was requested.
    let error = Array::new(&stream, ArrayDescriptor::line(4, ArrayFormat(999), 1)).unwrap_err();
    assert!(
        error.to_string().contains("4 x 0 x 0 elements of 1 channels, format ArrayFormat(999)"),
        "{error}"
    );
}

#[test]
fn rows_have_a_pitch() {
    let stream = stream();
    for access in [AccessSize::Four, AccessSize::Eight, AccessSize::Sixteen] {
        for size in [[1, 1, 1], [7, 3, 1], [130, 5, 2]] {
            let numbers: Vec<u32> = (0..).take(size[0] * size[1] * size[2]).collect();
            let mut buffer = PitchedBuf::<u32>::volume(&stream, size, access).unwrap();
            assert!(buffer.pitch() >= 4 * size[0] && buffer.pitch().is_multiple_of(4));
            buffer.copy_from_host(&numbers).unwrap();
            assert_eq!(buffer.to_vec().unwrap(), numbers);
            for row in 0..size[1] * size[2] {
                let expected = &numbers[row * size[0]..][..size[0]];
                assert_eq!(buffer.row(row).unwrap().to_vec().unwrap(), expected);
            }
            assert!(buffer.row(size[1] * size[2]).is_err());
            buffer.fill(9).unwrap();
            buffer.row_mut(0).unwrap().fill(8).unwrap();
            let filled = buffer.to_vec().unwrap();
            assert!(filled.iter().enumerate().all(|(i, n)| *n == if i < size[0] { 8 } else { 9 }));
            let mut short = vec![0; numbers.len() - 1];
            assert!(matches!(
                buffer.copy_to_host(&mut short),
                Err(error) if error == invalid("; the lengths must be equal")
            ));
            buffer.close().unwrap();
        }
    }
    let mut nothing = PitchedBuf::<u32>::uninit(&stream, 0, 4, AccessSize::Four).unwrap();
    nothing.copy_from_host(&[]).unwrap();
    nothing.fill(1).unwrap();
    assert!(nothing.ptr().is_null() && nothing.to_vec().unwrap().is_empty());
    assert!(PitchedBuf::<u64>::uninit(&stream, usize::MAX / 4, 2, AccessSize::Four).is_err());
    let overflow = PitchedBuf::<u64>::volume(&stream, [1, usize::MAX, 2], AccessSize::Four).unwrap_err();
    assert_eq!(
        overflow,
        invalid(format!("pitched buffer: 1 x {} x 2 elements of 8 bytes exceed", usize::MAX))
    );
    // The elements fit into the address space. With the padding of the rows, the number of bytes overflows.
    let padded = PitchedBuf::<u8>::uninit(&stream, 1, 1 << 62, AccessSize::Four).unwrap_err();
    assert!(padded.to_string().starts_with("pitched buffer: 1 x "), "{padded}");
}

#[test]
fn fills_repeat_values_of_any_size() {
    fn filled<T: cuda_rt::bytemuck::Pod + PartialEq + std::fmt::Debug>(stream: &Stream, value: T, zero: T) {
        let mut buffer = DeviceBuf::from_host(stream, &[zero; 11]).unwrap();
        buffer.slice_mut(1..9).unwrap().fill(value).unwrap();
        let after = buffer.to_vec().unwrap();
        assert!(after[1..9].iter().all(|element| *element == value), "{after:?}");
        assert!([0, 9, 10].iter().all(|index| after[*index] == zero), "{after:?}");
        let mut rows = PitchedBuf::<T>::uninit(stream, 5, 3, AccessSize::Four).unwrap();
        rows.fill(value).unwrap();
        assert_eq!(rows.to_vec().unwrap(), [value; 15]);
    }
    let stream = stream();
    filled(&stream, 7_u8, 0);
    filled(&stream, 0x1234_u16, 0);
    filled(&stream, 0x7777_u16, 0);
    filled(&stream, 1.5_f32, 0.0);
    filled(&stream, 0x0123_4567_89ab_cdef_u64, 0);
    filled(&stream, 0x0000_0001_0000_0001_u64, 0);
    filled(&stream, [1_u8, 2, 3], [0; 3]);
    filled(&stream, [1_u16, 2, 3], [0; 3]);
    filled(&stream, [1_u32, 2, 3, 4], [0; 4]);
    filled(&stream, [5_u8; 6], [0; 6]);
    DeviceBuf::<u8>::zeroed(&stream, 0).unwrap().as_slice_mut().fill(1).unwrap();
}

#[test]
fn a_batch_copies_all_or_says_why() {
    let (stream, other) = (stream(), stream());
    let source = DeviceBuf::from_host(&stream, &[1_u16, 2, 3, 4]).unwrap();
    let mut target = DeviceBuf::<u16>::zeroed(&stream, 6).unwrap();
    let mut last = [0_u16; 2];
    let (low, rest) = target.as_slice_mut().split_at(2).unwrap();
    let (middle, high) = rest.split_at(2).unwrap();
    let mut batch = MemcpyBatch::new();
    batch.on_device(low, source.slice(..2).unwrap()).unwrap();
    batch.from_host(middle, &[9, 10]).unwrap();
    batch.to_host(source.slice(2..).unwrap(), &mut last).unwrap();
    batch.from_host(high.into_slice(..0).unwrap(), &[]).unwrap();
    batch.copy(&stream).unwrap();
    assert_eq!(last, [3, 4]);
    assert_eq!(target.to_vec().unwrap(), [1, 2, 9, 10, 0, 0]);
    // Only what lives on one stream.
    let elsewhere = DeviceBuf::from_host(&other, &[5_u16, 6]).unwrap();
    let (low, rest) = target.as_slice_mut().split_at(2).unwrap();
    let mut batch = MemcpyBatch::new();
    batch.on_device(low, source.slice(..2).unwrap()).unwrap();
    batch.on_device(rest.into_slice(..2).unwrap(), elsewhere.as_slice()).unwrap();
    assert_eq!(batch.copy(&stream).unwrap_err(), invalid("the memory of copy 1 lives on another stream;"));
    let mut batch = MemcpyBatch::new();
    let mismatch = batch.from_host(target.slice_mut(..2).unwrap(), &[1]).unwrap_err();
    assert_eq!(mismatch, invalid("the source has 1 elements, the destination 2;"));
    MemcpyBatch::new().copy(&stream).unwrap();
}

/// Memory and arrays that copies of blocks go between.
struct Places {
    source: DeviceBuf<u8>,
    rows: [DeviceBuf<u8>; 4],
    words: [Array; 3],
    blocks: [Array; 2],
    host: [Vec<u8>; 2],
}

impl Places {
    fn new(stream: &Stream) -> Self {
        let bytes: Vec<u8> = (0..=255).collect();
        let array = |descriptor: ArrayDescriptor| {
            let (array, [width, rows, slices]) =
                (Array::new(stream, descriptor).unwrap(), descriptor.copy_size().unwrap());
            let bytes = vec![0xee_u8; width * rows * slices];
            let to = CopyDestination::array(&array);
            Memcpy3D::new(to, CopySource::host(&bytes), width, rows, slices).copy().unwrap();
            array
        };
        let volume = ArrayDescriptor::volume(4, 4, 2, ArrayFormat::UNSIGNED_INT32, 1);
        let compressed = ArrayDescriptor::plane(16, 16, ArrayFormat::BC1_UNORM, 4);
        Places {
            source: DeviceBuf::from_host(stream, &bytes).unwrap(),
            rows: std::array::from_fn(|_| DeviceBuf::from_host(stream, &[0xee; 256]).unwrap()),
            words: std::array::from_fn(|_| array(volume)),
            blocks: std::array::from_fn(|_| array(compressed)),
            host: [bytes, vec![0xee; 64]],
        }
    }

    /// The copies, which are independent of each other.
    fn copies(&mut self) -> Vec<Memcpy3D<'_>> {
        let source = || CopySource::device(self.source.as_slice());
        let [narrow, packed, row, words] = self.rows.each_mut().map(DeviceBuf::as_slice_mut);
        let [narrow, packed, row, words] = [narrow, packed, row, words].map(CopyDestination::device);
        let [whole, part, odd] = self.words.each_ref();
        let [compressed, cut] = self.blocks.each_ref();
        let [from_host, to_host] = &mut self.host;
        vec![
            Memcpy3D::new(narrow.pitch(7).at(1, 1, 0), source().pitch(16).height(4).at(3, 1, 1), 5, 2, 2),
            Memcpy3D::new(packed, source().pitch(16).height(6), 8, 4, 2),
            Memcpy3D::plane(row.pitch(1 << 20).at(9, 0, 0), source().at(100, 0, 0), 30, 1),
            Memcpy3D::new(CopyDestination::array(whole), source().pitch(20).at(4, 0, 0), 16, 4, 2),
            Memcpy3D::new(CopyDestination::array(part).at(4, 1, 1), source().pitch(32).at(8, 2, 0), 8, 2, 1),
            // No whole number of elements from row to row.
            Memcpy3D::new(CopyDestination::array(odd), source().pitch(18), 8, 2, 1),
            Memcpy3D::plane(CopyDestination::array(compressed), source().pitch(32), 32, 4),
            Memcpy3D::plane(CopyDestination::array(cut).at(8, 2, 0), source().pitch(64), 16, 2),
            Memcpy3D::plane(words.pitch(12), CopySource::host(from_host).pitch(10), 6, 3),
            Memcpy3D::plane(CopyDestination::host(to_host).pitch(9), source().pitch(3).at(1, 1, 0), 2, 4),
            Memcpy3D::plane(CopyDestination::host::<u8>(&mut []), source(), 0, 4),
        ]
    }

    /// Copies out of what `copies` has filled.
    fn further_copies(&mut self) -> Vec<Memcpy3D<'_>> {
        let [words, blocks, ..] = self.rows.each_mut().map(DeviceBuf::as_slice_mut);
        let [whole, _, odd] = self.words.each_ref();
        vec![
            Memcpy3D::new(
                CopyDestination::device(words).pitch(24),
                CopySource::array(whole).at(4, 1, 0),
                8,
                3,
                2,
            ),
            Memcpy3D::new(
                CopyDestination::array(odd).at(0, 2, 0),
                CopySource::array(whole).at(8, 0, 1),
                8,
                2,
                1,
            ),
            Memcpy3D::plane(
                CopyDestination::device(blocks).pitch(40),
                CopySource::array(&self.blocks[0]).at(8, 1, 0),
                16,
                2,
            ),
        ]
    }

    fn bytes(&self) -> Vec<Vec<u8>> {
        let rows = self.rows.iter().map(|rows| rows.to_vec().unwrap());
        let arrays = self.words.iter().chain(&self.blocks).map(|array| {
            let [width, rows, slices] = array.descriptor().copy_size().unwrap();
            let mut bytes = vec![0_u8; width * rows * slices];
            let to = CopyDestination::host(&mut bytes);
            Memcpy3D::new(to, CopySource::array(array), width, rows, slices).copy().unwrap();
            bytes
        });
        rows.chain(arrays).chain(self.host.iter().cloned()).collect()
    }
}

#[test]
fn blocks_of_a_batch_match_single_copies() {
    let context = context();
    for stream in [stream(), Stream::legacy(&context)] {
        let [mut one_by_one, mut together] = [Places::new(&stream), Places::new(&stream)];
        one_by_one.copies().into_iter().for_each(|copy| copy.copy().unwrap());
        one_by_one.further_copies().into_iter().for_each(|copy| copy.copy().unwrap());
        let copied = |copies: Vec<Memcpy3D<'_>>| {
            let mut batch = MemcpyBatch::new();
            for (index, copy) in copies.into_iter().enumerate() {
                batch.attributes(MemcpyAttributes::new().prefer_overlap(index % 2 == 0));
                batch.block(copy).unwrap();
            }
            batch.copy(&stream).unwrap();
        };
        copied(together.copies());
        copied(together.further_copies());
        assert_eq!(together.bytes(), one_by_one.bytes());
        // The last of them alone.
        let mut alone = Places::new(&stream);
        for copies in [Places::copies, Places::further_copies] {
            for index in 0..copies(&mut alone).len() {
                let copy = copies(&mut alone).swap_remove(index);
                copied(vec![copy]);
            }
        }
        assert_eq!(alone.bytes(), one_by_one.bytes());
    }
}

#[test]
fn batches_of_blocks_that_do_not_fit_are_refused() {
    let (stream, other) = (stream(), stream());
    let source = DeviceBuf::from_host(&stream, &[1_u8; 16]).unwrap();
    let mut target = DeviceBuf::<u8>::zeroed(&stream, 16).unwrap();
    let mut elsewhere = DeviceBuf::<u8>::zeroed(&other, 16).unwrap();
    let (from, to) = (CopySource::device(source.as_slice()), CopyDestination::device(target.as_slice_mut()));
    let refused = MemcpyBatch::new().block(Memcpy3D::plane(to, from.pitch(4), 4, 5)).unwrap_err();
    assert_eq!(refused, invalid("source end: 20 is more than 16"));
    let mut batch = MemcpyBatch::new();
    let to = CopyDestination::device(target.as_slice_mut());
    batch.block(Memcpy3D::plane(to, from, 4, 2)).unwrap();
    let to = CopyDestination::device(elsewhere.as_slice_mut());
    batch.block(Memcpy3D::plane(to, from, 4, 2)).unwrap();
    assert_eq!(batch.copy(&stream).unwrap_err(), invalid("the memory of block 1 lives on another stream;"));
}

#[test]
fn hints_of_copies_name_locations_that_there_are() {
    let stream = stream();
    let source = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4]).unwrap();
    let mut target = DeviceBuf::<u8>::zeroed(&stream, 4).unwrap();
    let here = MemLocation::device(stream.context().device());
    let nowhere = MemLocation::other(here.number(), 99);
    let hints = |location: MemLocation| {
        MemcpyAttributes::new().source_hint(MemLocation::HOST).destination_hint(location)
    };
    let mut copied = |location: MemLocation| {
        let (low, high) = target.as_slice_mut().split_at(2).unwrap();
        let mut batch = MemcpyBatch::new();
        batch.attributes(hints(here)).on_device(low, source.slice(..2).unwrap()).unwrap();
        batch.attributes(hints(location)).on_device(high, source.slice(2..).unwrap()).unwrap();
        batch.copy(&stream)
    };
    copied(here).unwrap();
    // Older drivers have no hints.
    if crate::is_since(12, 8) {
        let refused = copied(nowhere).unwrap_err();
        assert_eq!(refused.code(), Some(Code::InvalidValue));
        let hint = "location that is not there: device 99 for the destination of copy 1";
        assert!(refused.to_string().ends_with(hint), "{refused}");
    }
    assert_eq!(target.to_vec().unwrap(), [1, 2, 3, 4]);
}

#[test]
fn a_batch_on_the_legacy_stream_is_copied_one_by_one() {
    let legacy = Stream::legacy(&context());
    let source = DeviceBuf::from_host(&legacy, &[1_u8, 2]).unwrap();
    let mut target = DeviceBuf::<u8>::zeroed(&legacy, 2).unwrap();
    let mut batch = MemcpyBatch::new();
    batch.on_device(target.as_slice_mut(), source.as_slice()).unwrap();
    batch.copy(&legacy).unwrap();
    assert_eq!(target.to_vec().unwrap(), [1, 2]);
}

#[test]
fn blocks_go_between_contexts_of_a_device() {
    let first = stream();
    let second = Stream::new(&Context::new(device(), ContextFlags::default()).unwrap()).unwrap();
    between(&first, &second);
}

#[test]
fn blocks_go_between_devices_with_access_and_without() {
    let Some(peer) = second_device() else { skip!("one device") };
    let own = Context::new(device(), ContextFlags::default()).unwrap();
    let theirs = Context::new(peer, ContextFlags::default()).unwrap();
    let (first, second) = (Stream::new(&own).unwrap(), Stream::new(&theirs).unwrap());
    between(&first, &second);
    if !own.device().can_access_peer(peer).unwrap() {
        skip!("devices that do not reach each other");
    }
    own.enable_peer_access(&theirs).unwrap();
    between(&first, &second);
    theirs.enable_peer_access(&own).unwrap();
    between(&first, &second);
    own.disable_peer_access(&theirs).unwrap();
    between(&first, &second);
}

/// On hardware, freeing does not wait for copies between devices if access goes one way. This crate waits.
#[test]
fn memory_outlives_copies_between_devices() {
    let Some(peer) = second_device() else { skip!("one device") };
    let own = Context::new(device(), ContextFlags::default()).unwrap();
    let theirs = Context::new(peer, ContextFlags::default()).unwrap();
    if !own.device().can_access_peer(peer).unwrap() {
        skip!("devices that do not reach each other");
    }
    own.enable_peer_access(&theirs).unwrap();
    let (first, second) = (Stream::new(&own).unwrap(), Stream::new(&theirs).unwrap());
    let numbers: Vec<u8> = (0..64).collect();
    for _ in 0..10 {
        let source = DeviceBuf::from_host(&first, &numbers).unwrap();
        let mut back = DeviceBuf::<u8>::zeroed(&first, 64).unwrap();
        let mut plain = DeviceBuf::<u8>::uninit_in(&second, 64, MemorySource::Plain).unwrap();
        plain.copy_from_device(source.as_slice()).unwrap();
        back.copy_from_device(plain.as_slice()).unwrap();
        drop(plain);
        assert_eq!(back.to_vec().unwrap(), numbers);
        let block = |buffer| CopySource::device(buffer).pitch(8);
        let mut rows = PitchedBuf::<u8>::uninit(&second, 8, 8, AccessSize::Four).unwrap();
        Memcpy3D::plane(rows.as_destination(), block(source.as_slice()), 8, 8).copy().unwrap();
        back.fill_zero().unwrap();
        let to = CopyDestination::device(back.as_slice_mut());
        Memcpy3D::plane(to, rows.as_source(), 8, 8).copy().unwrap();
        drop(rows);
        assert_eq!(back.to_vec().unwrap(), numbers);
        let descriptor = ArrayDescriptor::plane(8, 8, ArrayFormat::UNSIGNED_INT8, 1);
        let array = Array::new(&second, descriptor).unwrap();
        let to = CopyDestination::array(&array);
        Memcpy3D::plane(to, block(source.as_slice()), 8, 8).copy().unwrap();
        back.fill_zero().unwrap();
        let to = CopyDestination::device(back.as_slice_mut());
        Memcpy3D::plane(to, CopySource::array(&array), 8, 8).copy().unwrap();
        drop(array);
        assert_eq!(back.to_vec().unwrap(), numbers);
        let pool = CachingPool::new(&theirs);
        let mut held = DeviceBuf::<u8>::uninit_in(&second, 64, &pool).unwrap();
        held.copy_from_device(source.as_slice()).unwrap();
        back.fill_zero().unwrap();
        back.copy_from_device(held.as_slice()).unwrap();
        drop(held);
        pool.trim().unwrap();
        assert_eq!(back.to_vec().unwrap(), numbers);
    }
}

/// A block of three dimensions from one stream's memory to another's, of plain, pooled and array memory.
fn between(first: &Stream, second: &Stream) {
    let volume: Vec<u8> = (0..4 * 6 * 3).collect();
    let expected: Vec<u8> = (0..3)
        .flat_map(|z| (0..2).flat_map(move |y| (0..4).map(move |x| 24 * z + 4 * (y + 1) + x)))
        .collect();
    let pooled = DeviceBuf::from_host(first, &volume).unwrap();
    let from = || CopySource::device(pooled.as_slice()).pitch(4).height(6).at(0, 1, 0);
    let mut target = DeviceBuf::<u8>::zeroed(second, 24).unwrap();
    Memcpy3D::new(CopyDestination::device(target.as_slice_mut()), from(), 4, 2, 3).copy().unwrap();
    assert_eq!(target.to_vec().unwrap(), expected);
    let mut rows = PitchedBuf::<u8>::volume(second, [4, 2, 3], AccessSize::Four).unwrap();
    Memcpy3D::new(rows.as_destination(), from(), 4, 2, 3).copy().unwrap();
    assert_eq!(rows.to_vec().unwrap(), expected);
    let descriptor = ArrayDescriptor::volume(1, 2, 3, ArrayFormat::UNSIGNED_INT8, 4);
    let array = Array::new(second, descriptor).unwrap();
    Memcpy3D::new(CopyDestination::array(&array), from(), 4, 2, 3).copy().unwrap();
    let mut back = DeviceBuf::<u8>::zeroed(first, 24).unwrap();
    let to = CopyDestination::device(back.as_slice_mut());
    Memcpy3D::new(to, CopySource::array(&array), 4, 2, 3).copy().unwrap();
    // The source's memory may be freed at once.
    drop(array);
    drop(pooled);
    assert_eq!(back.to_vec().unwrap(), expected);
}

#[test]
fn addresses_are_known() {
    macro_rules! ask {
        ($query:expr) => {{
            // SAFETY: the rows stay, and the other address has no memory.
            let answer = unsafe { $query };
            answer
        }};
    }
    use cuda_rt::DevicePtr;
    use cuda_rt::memory::{MemLocation, PointerAttribute};
    let stream = stream();
    let context = stream.context();
    let rows = PitchedBuf::<f32>::uninit(&stream, 10, 10, AccessSize::Four).unwrap();
    let inside = rows.ptr().add(3);
    assert_eq!(ask!(inside.location(context)).unwrap(), MemLocation::device(context.device()));
    assert_eq!(ask!(inside.device(context)).unwrap(), context.device());
    assert_eq!(ask!(inside.address_range(context)).unwrap(), (rows.ptr().cast(), 10 * rows.pitch()));
    let all = ask!(inside.attributes(context)).unwrap();
    assert_eq!(all[&PointerAttribute::RANGE_START_ADDR], rows.ptr().as_raw());
    assert_eq!(all[&PointerAttribute::DEVICE_POINTER], inside.as_raw());
    assert_eq!(all[&PointerAttribute::CONTEXT], context.as_raw().addr() as u64);
    assert!(!all.contains_key(&PointerAttribute::HOST_POINTER));
    let wanted = [PointerAttribute::MEMORY_TYPE, PointerAttribute::RANGE_START_ADDR];
    let some = ask!(inside.attributes_of(context, &wanted)).unwrap();
    assert_eq!(some, [u64::from(cuda_sys::CUmemorytype_enum::CU_MEMORYTYPE_DEVICE.0), rows.ptr().as_raw()]);
    ask!(inside.set_sync_memops(context, true)).unwrap();
    assert_eq!(ask!(inside.attribute(context, PointerAttribute::SYNC_MEMOPS)).unwrap(), 1);
    // An address that the driver does not know.
    let nowhere = DevicePtr::<u8>::from_raw(0x10);
    assert!(ask!(nowhere.attributes(context)).unwrap().is_empty());
    let error = ask!(nowhere.set_sync_memops(context, true)).unwrap_err();
    assert!(error.to_string().ends_with(": SYNC_MEMOPS of address 0x10"), "{error}");
    let error = ask!(nowhere.attribute(context, PointerAttribute::IS_MANAGED)).unwrap_err();
    assert!(error.to_string().contains("attribute IS_MANAGED"), "{error}");
    assert!(ask!(nowhere.address_range(context)).is_err());
    let unknown = ask!(inside.attribute(context, PointerAttribute(5))).unwrap_err();
    assert_eq!(unknown, invalid("pointer attribute: 5 is not known to this crate"));
}

/// Conformance fact V1182.
#[test]
fn blocks_beyond_registered_memory_are_copied() {
    use cuda_rt::memory::{AlignedBuf, RegisterFlags, register_shared_scoped};
    const PAGE: usize = 4096;
    let stream = stream();
    let mut memory = AlignedBuf::with_alignment(1 << 16, 1 << 16).unwrap();
    memory.iter_mut().enumerate().for_each(|(index, byte)| *byte = (index / PAGE) as u8);
    let mut copied = DeviceBuf::<u8>::zeroed(&stream, 2 * PAGE).unwrap();
    register_shared_scoped(stream.context(), &memory[..PAGE], RegisterFlags::empty(), |_| {
        let from = CopySource::host(&memory[..]).pitch(PAGE).at(0, 2, 0);
        Memcpy3D::plane(CopyDestination::device(copied.as_slice_mut()), from, PAGE, 2).copy().unwrap();
    })
    .unwrap();
    let expected: Vec<u8> = [[2; PAGE], [3; PAGE]].concat();
    assert!(copied.to_vec().unwrap() == expected);
}

#[test]
fn memory_of_slices_is_asked_about() {
    use cuda_rt::memory::{MemLocation, MemorySource, PointerAttribute};
    let stream = stream();
    let buffer = DeviceBuf::<u32>::zeroed_in(&stream, 100, MemorySource::Plain).unwrap();
    let inside = buffer.slice(7..).unwrap();
    assert_eq!(inside.address_range().unwrap(), (buffer.ptr().cast(), 400));
    assert_eq!(inside.attribute(PointerAttribute::RANGE_SIZE).unwrap(), 400);
    assert_eq!(inside.attributes_of(&[PointerAttribute::RANGE_SIZE]).unwrap(), [400]);
    assert_eq!(inside.attributes().unwrap()[&PointerAttribute::DEVICE_POINTER], inside.ptr().as_raw());
    assert_eq!(inside.location().unwrap(), MemLocation::device(stream.context().device()));
    inside.set_sync_memops(true).unwrap();
    assert_eq!(inside.attribute(PointerAttribute::SYNC_MEMOPS).unwrap(), 1);
    // The address of an empty slice may be that of the next allocation.
    let empty = buffer.slice(100..).unwrap();
    let refused = empty.attribute(PointerAttribute::RANGE_SIZE).unwrap_err();
    assert!(refused.to_string().contains("the slice is empty"), "{refused}");
    empty.attributes().unwrap_err();
    empty.attributes_of(&[]).unwrap_err();
    empty.location().unwrap_err();
    empty.address_range().unwrap_err();
    empty.set_sync_memops(true).unwrap_err();
}

#[test]
fn pitched_elements_of_no_size_are_downloaded_at_once() {
    let buffer = PitchedBuf::<[u32; 0]>::volume(&stream(), [usize::MAX, 1, 1], AccessSize::Four).unwrap();
    assert_eq!(buffer.to_vec().unwrap().len(), usize::MAX);
    assert_eq!(
        PitchedBuf::<u32>::uninit(&stream(), 0, 7, AccessSize::Four).unwrap().to_vec().unwrap(),
        [0_u32; 0]
    );
}
