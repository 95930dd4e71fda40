//! Memory that is mapped to parts of arrays.

use crate::raw::{begin_capture, end_capture};
use cuda_rt::Stream;
use cuda_rt::array::{
    Array, ArrayDescriptor, ArrayFlags, ArrayFormat, ArrayMappings, MappedArray, MipmappedArray, SparsePart,
};
use cuda_rt::device::DeviceAttribute;
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
fn mapped_tiles_with_memory_keep_their_elements() {
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

    let submitted = |on: &Stream| {
        let mut mappings = ArrayMappings::new();
        mappings.map(&array, tile, &memory, 0).unwrap();
        mappings.submit(on)
    };
    let refused = submitted(&other).unwrap_err();
    assert_eq!(refused, invalid("operation 0: its array is on another stream;"));
    let Some(()) = begin_capture(&stream) else { skip!("this driver cannot capture") };
    let refused = submitted(&stream).unwrap_err();
    assert!(end_capture(&stream));
    assert_eq!(refused, capturing());
}

/// Maps and unmaps each part after a good one. Both are refused, and nothing is mapped.
fn refuses_parts<'array>(
    array: impl Into<MappedArray<'array>>,
    good: SparsePart,
    memory: &PhysicalMemory,
    parts: &[(SparsePart, &str)],
) {
    let array = array.into();
    let stream = match array {
        MappedArray::Array(array) => array.stream(),
        MappedArray::Mipmapped(array) => array.stream(),
        _ => panic!("another kind of array"),
    };
    for (part, text) in parts {
        let mut mappings = ArrayMappings::new();
        mappings.map(array, good, memory, 0).unwrap().map(array, *part, memory, 0).unwrap();
        let text = format!("cuMemMapArrayAsync: operation 1: {text}");
        assert_eq!(mappings.submit(stream).unwrap_err(), invalid(&text), "{part:?}");
        let mut mappings = ArrayMappings::new();
        mappings.map(array, good, memory, 0).unwrap().unmap(array, *part).unwrap();
        assert_eq!(mappings.submit(stream).unwrap_err(), invalid(&text), "{part:?}");
    }
}

#[test]
fn tiles_outside_of_their_array_are_refused() {
    needs!(SPARSE_CUDA_ARRAY_SUPPORTED);
    let stream = stream();
    let (array, memory) = (sparse(&stream), pool(64 << 16));
    let tiles = SparsePart::tiles;
    let tile = tiles([0; 3], [128, 128, 1]);
    let last = u32::MAX - 127;
    let parts = [
        (tiles([64, 0, 0], [128, 128, 1]), "x 64 is not a multiple of 128"),
        (tiles([0, 64, 0], [128, 128, 1]), "y 64 is not a multiple of 128"),
        (tiles([512, 0, 0], [128, 128, 1]), "x 512 is more than 511"),
        (tiles([0, 256, 0], [128, 128, 1]), "y 256 is more than 255"),
        (tiles([0, 0, 1], [128, 128, 1]), "z 1 is more than 0"),
        // The sums overflow.
        (tiles([last, 0, 0], [128, 128, 1]), "x 4294967168 is more than 511"),
        (tiles([0, last, 0], [128, 128, 1]), "y 4294967168 is more than 255"),
        (tiles([0, 0, u32::MAX], [128, 128, 1]), "z 4294967295 is more than 0"),
        (tiles([128, 0, 0], [last, 128, 1]), "width 4294967168 is more than 384"),
        (tiles([0, 128, 0], [128, last, 1]), "height 4294967168 is more than 128"),
        (tiles([0; 3], [64, 128, 1]), "width 64 is not a multiple of 128"),
        (tiles([0; 3], [128, 64, 1]), "height 64 is not a multiple of 128"),
        (tiles([0; 3], [0, 128, 1]), "width 0 is less than 1"),
        (tiles([0; 3], [128, 0, 1]), "height 0 is less than 1"),
        (tiles([0; 3], [128, 128, 0]), "depth 0 is less than 1"),
        (tiles([0; 3], [640, 128, 1]), "width 640 is more than 512"),
        (tiles([0; 3], [128, 384, 1]), "height 384 is more than 256"),
        (tiles([0; 3], [128, 128, 2]), "depth 2 is more than 1"),
        (tile.on_level(1), "level 1 is more than 0"),
        (tile.on_level(u32::MAX), "level 4294967295 is more than 0"),
        (tile.on_layer(1), "layer 1 is more than 0"),
        (tile.on_layer(u32::MAX), "layer 4294967295 is more than 0"),
        (SparsePart::tail(0, TILE), "bytes of the mip tail 65536 is more than 0"),
    ];
    refuses_parts(&array, tile, &memory, &parts);
    put(&array, [0, 0], 5);
    assert_eq!(get(&array, [0, 0]), 0, "no operation was carried out");
    let layered = ArrayDescriptor::layered_plane(256, 256, 3, ArrayFormat::UNSIGNED_INT32, 1);
    let layered = Array::new(&stream, layered.with_flags(ArrayFlags::SPARSE)).unwrap();
    let parts = [
        (tile.on_layer(3), "layer 3 is more than 2"),
        (tiles([0, 0, 1], [128, 128, 1]), "z 1 is more than 0"),
        (tiles([0; 3], [128, 128, 3]), "depth 3 is more than 1"),
    ];
    refuses_parts(&layered, tile.on_layer(2), &memory, &parts);
    let volume = ArrayDescriptor::volume(40, 40, 20, ArrayFormat::UNSIGNED_INT32, 1);
    let volume = Array::new(&stream, volume.with_flags(ArrayFlags::SPARSE)).unwrap();
    let parts = [
        (tiles([0, 0, 8], [32, 32, 16]), "z 8 is not a multiple of 16"),
        (tiles([0, 0, 32], [32, 32, 16]), "z 32 is more than 19"),
        (tiles([0, 0, 16], [32, 32, 16]), "depth 16 is more than 4"),
        (tiles([0, 0, 16], [32, 32, u32::MAX - 15]), "depth 4294967280 is more than 4"),
        (tiles([0; 3], [32, 32, 1]), "depth 1 is not a multiple of 16"),
    ];
    refuses_parts(&volume, tiles([32, 32, 16], [8, 8, 4]), &memory, &parts);
}

#[test]
fn parts_outside_of_levels_and_tail_are_refused() {
    needs!(SPARSE_CUDA_ARRAY_SUPPORTED);
    let stream = stream();
    let memory = pool(64 << 16);
    let image = MipmappedArray::new(&stream, plane(1024, 1024).with_flags(ArrayFlags::SPARSE), 11).unwrap();
    let properties = image.sparse_properties().unwrap();
    assert_eq!((properties.first_tail_level, properties.tail_bytes), (4, TILE));
    let (tiles, tail) = (SparsePart::tiles, SparsePart::tail);
    let tile = tiles([0; 3], [128, 128, 1]);
    let parts = [
        (tiles([512, 0, 0], [128, 128, 1]).on_level(1), "x 512 is more than 511"),
        (tiles([0; 3], [384, 128, 1]).on_level(2), "width 384 is more than 256"),
        (tile.on_level(4), "level 4 is part of the mip tail, which begins at level 4; map the tail"),
        (tile.on_level(11), "level 11 is more than 10"),
        (tail(100, TILE), "offset in the mip tail 100 is not a multiple of 65536"),
        (tail(TILE, TILE), "bytes of the mip tail 65536 is more than 0"),
        (tail(2 * TILE, TILE), "offset in the mip tail 131072 is more than 65536"),
        (tail(u64::MAX - TILE + 1, TILE), "offset in the mip tail 18446744073709486080 is more than 65536"),
        (tail(0, 0), "bytes of the mip tail 0 is less than 1"),
        (tail(0, 100), "bytes of the mip tail 100 is not a multiple of 65536"),
        (tail(0, 2 * TILE), "bytes of the mip tail 131072 is more than 65536"),
        (tail(0, TILE).on_layer(1), "layer of the mip tail 1 is more than 0"),
    ];
    refuses_parts(&image, tile.on_level(3), &memory, &parts);
}

#[test]
fn parts_beyond_their_memory_are_refused() {
    needs!(SPARSE_CUDA_ARRAY_SUPPORTED);
    needs!(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED);
    let stream = stream();
    let (array, memory) = (sparse(&stream), pool(1 << 16));
    let end = memory.size_bytes() as u64;
    let two = SparsePart::tiles([0; 3], [256, 128, 1]);
    let overflows = u64::MAX - TILE + 1;
    let offsets = [
        (4096, "offset in memory 4096 is not a multiple of 65536".to_owned()),
        (end - TILE, "bytes of memory 131072 is more than 65536".to_owned()),
        (end, "bytes of memory 131072 is more than 0".to_owned()),
        (overflows, format!("offset in memory {overflows} is more than {end}")),
    ];
    for (offset, text) in &offsets {
        let mut mappings = ArrayMappings::new();
        mappings.map(&array, two, &memory, *offset).unwrap();
        let text = format!("cuMemMapArrayAsync: operation 0: {text}");
        assert_eq!(mappings.submit(&stream).unwrap_err(), invalid(&text));
    }
    let image = MipmappedArray::new(&stream, plane(1024, 1024).with_flags(ArrayFlags::SPARSE), 11).unwrap();
    let mut mappings = ArrayMappings::new();
    mappings.map(&image, SparsePart::tail(0, TILE), &memory, end).unwrap();
    assert_eq!(mappings.submit(&stream).unwrap_err(), invalid("bytes of memory 65536 is more than 0"));
    let whole = plane(1024, 1024).with_flags(ArrayFlags::DEFERRED_MAPPING);
    let (array, image) =
        (Array::new(&stream, whole).unwrap(), MipmappedArray::new(&stream, whole, 3).unwrap());
    let needed = array.memory_requirements(device()).unwrap().bytes;
    let needed_by_levels = image.memory_requirements(device()).unwrap().bytes;
    for (array, bytes) in [(MappedArray::from(&array), needed), (MappedArray::from(&image), needed_by_levels)]
    {
        let offsets = [
            (0, format!("bytes of memory {bytes} is more than {end}")),
            (end - TILE, format!("bytes of memory {bytes} is more than 65536")),
            (4096, "offset in memory 4096 is not a multiple of 65536".to_owned()),
            (overflows, format!("offset in memory {overflows} is more than {end}")),
        ];
        for (offset, text) in offsets {
            let mut mappings = ArrayMappings::new();
            mappings.map_whole(array, &memory, offset).unwrap();
            assert_eq!(mappings.submit(&stream).unwrap_err(), invalid(&text));
        }
    }
}

#[test]
fn tile_pools_have_no_addresses() {
    needs!(SPARSE_CUDA_ARRAY_SUPPORTED);
    let memory = pool(1 << 16);
    let stream = Stream::new(&context()).unwrap();
    let mut addresses = VirtualMemory::reserve(&stream, memory.size_bytes()).unwrap();
    assert_eq!(addresses.map(0, &memory).unwrap_err(), invalid("it is a tile pool"));
}
