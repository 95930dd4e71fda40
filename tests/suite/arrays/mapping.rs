//! Memory that is mapped to parts of arrays.

use crate::raw::{begin_capture, end_capture};
use cuda_rt::Stream;
use cuda_rt::array::{
    Array, ArrayDescriptor, ArrayFlags, ArrayFormat, ArrayMappings, MipmappedArray, SparsePart,
};
use cuda_rt::device::DeviceAttribute;
use cuda_rt::error::Code;
use cuda_rt::memory::{
    CopyDestination, CopySource, Memcpy3D, PhysicalMemory, PhysicalMemoryOptions, VirtualMemory,
};
use cuda_suite::{capturing, context, device, invalid, skip, stream};

/// The memory of a tile.
const TILE: u64 = 1 << 16;

macro_rules! needs {
    ($attribute:ident) => {
        if device().attribute(DeviceAttribute::$attribute).unwrap_or(0) == 0 {
            skip!("the device lacks {}", stringify!($attribute));
        }
    };
}

fn pool(bytes: usize) -> PhysicalMemory {
    let options = PhysicalMemoryOptions::new().tile_pool(true);
    let unit = PhysicalMemory::granularity(device(), options).unwrap();
    PhysicalMemory::new(device(), bytes.next_multiple_of(unit), options).unwrap()
}

fn plane(width: usize, height: usize) -> ArrayDescriptor {
    ArrayDescriptor::plane(width, height, ArrayFormat::UNSIGNED_INT32, 1)
}

fn sparse(stream: &Stream) -> Array {
    Array::new(stream, plane(512, 256).with_flags(ArrayFlags::SPARSE)).unwrap()
}

/// Writes a number to an element.
fn put(array: &Array, [x, y]: [usize; 2], value: u32) {
    let to = CopyDestination::array(array).at(4 * x, y, 0);
    Memcpy3D::plane(to, CopySource::host(&[value]), 4, 1).copy().unwrap();
}

fn get(array: &Array, [x, y]: [usize; 2]) -> u32 {
    let mut value = [77_u32];
    let from = CopySource::array(array).at(4 * x, y, 0);
    Memcpy3D::plane(CopyDestination::host(&mut value), from, 4, 1).copy().unwrap();
    value[0]
}

/// The first elements of four times two tiles.
fn corners(array: &Array) -> [u32; 8] {
    std::array::from_fn(|tile| get(array, [tile % 4 * 128, tile / 4 * 128]))
}

#[test]
fn tiles_with_memory_keep_what_is_written() {
    needs!(SPARSE_CUDA_ARRAY_SUPPORTED);
    let stream = stream();
    let (array, memory) = (sparse(&stream), pool(8 << 16));
    let [width, height, _] = array.sparse_properties().unwrap().tile_size;
    assert_eq!((width, height), (128, 128));
    let fill = || (0..8).for_each(|tile| put(&array, [tile % 4 * 128, tile / 4 * 128], tile as u32 + 1));
    fill();
    assert_eq!(corners(&array), [0; 8]);
    let mut mappings = ArrayMappings::new();
    mappings.map(&array, SparsePart::tiles([width, 0, 0], [2 * width, height, 1]), &memory, 0).unwrap();
    mappings.submit(&stream).unwrap();
    fill();
    assert_eq!(corners(&array), [0, 2, 3, 0, 0, 0, 0, 0]);
    // One is taken away, and the other one's memory appears at a second place.
    let mut mappings = ArrayMappings::new();
    mappings.unmap(&array, SparsePart::tiles([width, 0, 0], [width, height, 1])).unwrap();
    mappings.map(&array, SparsePart::tiles([0, height, 0], [width, height, 1]), &memory, TILE).unwrap();
    mappings.submit(&stream).unwrap();
    // The array keeps the memory.
    drop(memory);
    assert_eq!(corners(&array), [0, 0, 3, 0, 3, 0, 0, 0]);
    array.close().unwrap();
}

#[test]
fn levels_and_mip_tails_are_mapped() {
    needs!(SPARSE_CUDA_ARRAY_SUPPORTED);
    let stream = stream();
    let memory = pool(32 << 16);
    let image = MipmappedArray::new(&stream, plane(1024, 1024).with_flags(ArrayFlags::SPARSE), 11).unwrap();
    let properties = image.sparse_properties().unwrap();
    let [width, height, _] = properties.tile_size;
    let mut mappings = ArrayMappings::new();
    let tile = SparsePart::tiles([0, 0, 0], [width, height, 1]);
    mappings.map(&image, tile.on_level(1), &memory, 0).unwrap();
    mappings.map(&image, SparsePart::tail(0, properties.tail_bytes), &memory, TILE).unwrap();
    mappings.submit(&stream).unwrap();
    let seen: Vec<u32> = (0..image.levels())
        .map(|index| {
            let level = image.level(index).unwrap();
            put(&level, [0, 0], 50 + index);
            get(&level, [0, 0])
        })
        .collect();
    let has_memory = |level: u32| level == 1 || level >= properties.first_tail_level;
    let expected: Vec<u32> = (0..11).map(|level| if has_memory(level) { 50 + level } else { 0 }).collect();
    assert_eq!(seen, expected);
}

#[test]
fn arrays_without_memory_are_usable_once_mapped() {
    needs!(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED);
    let stream = stream();
    let numbers: Vec<u32> = (0..64 * 64).collect();
    let array = Array::new(&stream, plane(64, 64).with_flags(ArrayFlags::DEFERRED_MAPPING)).unwrap();
    let unmapped = invalid("no memory is known to be mapped");
    assert_eq!(array.copy_all_from_host(&numbers).unwrap_err(), unmapped);
    let needed = array.memory_requirements(device()).unwrap();
    let memory = pool(needed.bytes + needed.alignment);
    let mut mappings = ArrayMappings::new();
    mappings.map_whole(&array, &memory, needed.alignment as u64).unwrap();
    assert_eq!(array.copy_all_from_host(&numbers).unwrap_err(), unmapped);
    mappings.submit(&stream).unwrap();
    array.copy_all_from_host(&numbers).unwrap();
    drop(memory);
    assert_eq!(array.to_vec::<u32>().unwrap(), numbers);
    // Levels, too.
    let image =
        MipmappedArray::new(&stream, plane(64, 64).with_flags(ArrayFlags::DEFERRED_MAPPING), 3).unwrap();
    let memory = pool(image.memory_requirements(device()).unwrap().bytes);
    let level = image.level(1).unwrap();
    assert_eq!(level.copy_all_from_host(&numbers[..32 * 32]).unwrap_err(), unmapped);
    let mut mappings = ArrayMappings::new();
    mappings.map_whole(&image, &memory, 0).unwrap();
    mappings.submit(&stream).unwrap();
    level.copy_all_from_host(&numbers[..32 * 32]).unwrap();
    assert_eq!(level.to_vec::<u32>().unwrap(), numbers[..32 * 32]);
}

#[test]
fn mappings_that_do_not_fit_are_refused() {
    needs!(SPARSE_CUDA_ARRAY_SUPPORTED);
    needs!(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED);
    let (stream, other) = (stream(), stream());
    let (array, memory) = (sparse(&stream), pool(1 << 16));
    let tile = SparsePart::tiles([0, 0, 0], [128, 128, 1]);
    let ordinary = Array::new(&stream, plane(512, 256)).unwrap();
    let deferred = Array::new(&stream, plane(64, 64).with_flags(ArrayFlags::DEFERRED_MAPPING)).unwrap();
    let image = MipmappedArray::new(&stream, plane(512, 256).with_flags(ArrayFlags::SPARSE), 2).unwrap();
    let level = image.level(0).unwrap();
    let unit = PhysicalMemory::granularity(device(), PhysicalMemoryOptions::new()).unwrap();
    let plain = PhysicalMemory::new(device(), unit, PhysicalMemoryOptions::new()).unwrap();
    let mut mappings = ArrayMappings::new();
    for made_without in [&ordinary, &deferred] {
        let refused = mappings.map(made_without, tile, &memory, 0).unwrap_err();
        assert_eq!(refused, invalid("the array must be made with flags 0x40,"));
        assert_eq!(mappings.unmap(made_without, tile).unwrap_err(), invalid("the array must be made with"));
    }
    let refused = mappings.map_whole(&array, &memory, 0).unwrap_err();
    assert_eq!(refused, invalid("the array must be made with flags 0x80,"));
    assert_eq!(
        mappings.map(&level, tile, &memory, 0).unwrap_err(),
        invalid("array: it is a level or a plane")
    );
    let refused = mappings.map(&array, tile, &plain, 0).unwrap_err();
    assert_eq!(refused, invalid("physical memory: it is not a tile pool of device"));
    mappings.submit(&stream).unwrap();

    let submitted = |part, offset, on: &Stream| {
        let mut mappings = ArrayMappings::new();
        mappings.map(&array, tile, &memory, 0).unwrap().map(&array, part, &memory, offset).unwrap();
        mappings.submit(on)
    };
    let beyond = memory.size_bytes() as u64;
    let parts = [
        (SparsePart::tiles([64, 0, 0], [128, 128, 1]), 0),
        (SparsePart::tiles([0, 0, 0], [64, 128, 1]), 0),
        (tile.on_level(1), 0),
        (tile.on_layer(1), 0),
        (tile, 4096),
        (tile, beyond),
    ];
    for (part, offset) in parts {
        let refused = submitted(part, offset, &stream).unwrap_err();
        assert_eq!(refused.code(), Some(Code::InvalidValue), "{part:?}");
        assert!(refused.to_string().contains("2 operations, the first on Tiles"), "{refused}");
    }
    // None of them was carried out.
    put(&array, [0, 0], 5);
    assert_eq!(get(&array, [0, 0]), 0);
    let mut mappings = ArrayMappings::new();
    mappings.map(&array, SparsePart::tail(0, TILE), &memory, 0).unwrap();
    let refused = mappings.submit(&stream).unwrap_err();
    assert_eq!(refused.code(), Some(Code::InvalidValue));
    assert!(
        refused.to_string().contains("Tail { layer: 0, offset: 0, bytes: 65536 } at offset 0"),
        "{refused}"
    );
    let refused = submitted(tile, 0, &other).unwrap_err();
    assert_eq!(refused, invalid("the array of operation 0 lives on another stream;"));
    let Some(()) = begin_capture(&stream) else { skip!("this driver cannot capture") };
    let refused = submitted(tile, 0, &stream).unwrap_err();
    assert!(end_capture(&stream));
    assert_eq!(refused, capturing());
}

#[test]
fn tile_pools_have_no_addresses() {
    needs!(SPARSE_CUDA_ARRAY_SUPPORTED);
    let memory = pool(1 << 16);
    let stream = Stream::new(&context()).unwrap();
    let mut addresses = VirtualMemory::reserve(&stream, memory.size_bytes()).unwrap();
    assert_eq!(addresses.map(0, &memory).unwrap_err(), invalid("it is a tile pool"));
}
