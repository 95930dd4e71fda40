//! Arrays.

use super::Catalogue;
use crate::world::{World, picture};
use cuda_rt::array::{
    ArrayDescriptor, ArrayElement, ArrayFlags, ArrayFormat, ArrayMappings, MipmappedArray, Order, SparsePart,
};
use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions};
use cuda_rt::{Array, DeviceBuf};
use cuda_sys::{CUarray, CUmipmappedArray};

const TEXELS: [f32; 16] = [1.0; 16];

fn array(world: &World) -> Array {
    let array = Array::new(&world.stream, picture()).unwrap();
    array.copy_all_from_host(&TEXELS).unwrap();
    array
}

fn holds(array: &mut Array, world: &World) {
    assert_eq!(array.stream(), &world.stream);
    assert_eq!(array.to_vec::<f32>().unwrap(), TEXELS);
}

fn line(world: &World) -> Array {
    Array::from_line(&world.stream, &[1_u32, 2, 3, 4]).unwrap()
}

fn line_holds(line: &mut Array, _: &World) {
    assert_eq!(line.to_vec::<u32>().unwrap(), [1, 2, 3, 4]);
}

fn levels(world: &World) -> MipmappedArray {
    let levels = MipmappedArray::new(&world.stream, picture(), 2).unwrap();
    levels.level(0).unwrap().copy_all_from_host(&TEXELS).unwrap();
    levels
}

fn levels_hold(levels: &mut MipmappedArray, world: &World) {
    holds(&mut levels.level(0).unwrap(), world);
}

fn planes(world: &World) -> Array {
    let descriptor = ArrayDescriptor::plane(8, 8, ArrayFormat::NV12, 3);
    Array::new(&world.stream, descriptor.with_flags(ArrayFlags::VIDEO_ENCODE_DECODE)).unwrap()
}

fn texels(world: &World) -> (Array, DeviceBuf<f32>) {
    (array(world), DeviceBuf::from_host(&world.stream, &TEXELS).unwrap())
}

fn both((array, buffer): &mut (Array, DeviceBuf<f32>), world: &World) {
    holds(array, world);
    assert_eq!(buffer.to_vec().unwrap(), TEXELS);
}

/// A handle that goes to another thread.
struct Raw<T>(T);
// SAFETY: arrays are not bound to a thread.
unsafe impl<T> Send for Raw<T> {}

fn raw(world: &World) -> Raw<CUarray> {
    Raw(array(world).into_raw().unwrap())
}

fn take(raw: &mut Raw<CUarray>, world: &World) {
    // SAFETY: what an array on this stream was, which a refused call has left alone.
    holds(&mut unsafe { Array::from_raw(raw.0, &world.stream) }.unwrap(), world);
}

fn raw_levels(world: &World) -> Raw<CUmipmappedArray> {
    Raw(levels(world).into_raw().unwrap())
}

pub(super) fn add(c: &mut Catalogue) {
    descriptors(c);
    mappings(c);
    c.free()
        .refuses("Array::new", |_, w| Array::new(&w.stream, picture()))
        .refuses("Array::from_host", |_, w| Array::from_host(&w.stream, picture(), &TEXELS))
        .refuses("Array::from_line", |_, w| Array::from_line(&w.stream, &TEXELS))
        .refuses("Array::from_matrix", |_, w| Array::from_matrix(&w.stream, &TEXELS, 4, 4, Order::RowMajor))
        .refuses("Array::from_channels", |_, w| {
            Array::from_channels(&w.stream, &TEXELS, [4, 2, 2], Order::RowMajor)
        })
        .refuses("Array::from_volume", |_, w| {
            Array::from_volume(&w.stream, &TEXELS, [4, 2, 2], Order::RowMajor, ArrayFlags::default())
        })
        .refuses("MipmappedArray::new", |_, w| MipmappedArray::new(&w.stream, picture(), 2));
    c.of(raw, take)
        // SAFETY: made for this call, which is refused.
        .refuses("Array::from_raw", |raw, w| unsafe { Array::from_raw(raw.0, &w.stream).map(drop) });
    // SAFETY: a live array of the stream, which its owner keeps.
    c.of(array, holds).consumes("Array::from_raw_with_owner", |a, w| unsafe {
        Array::from_raw_with_owner(a.as_raw(), &w.stream, Box::new(a)).map(drop)
    });
    c.of(array, holds)
        .answers("Array::{as_raw, descriptor, stream, context}", |a, w| {
            (a.as_raw().is_null(), a.descriptor(), a.stream().clone(), *a.context() == w.context)
        })
        .refuses("Array::copy_all_from_host", |a, _| a.copy_all_from_host(&[0.0_f32; 16]))
        .refuses("Array::copy_all_to_host", |a, _| a.copy_all_to_host(&mut [0.0_f32; 16]))
        .refuses("Array::to_vec", |a, _| a.to_vec::<f32>())
        .refuses("Array::query_descriptor", |a, _| a.query_descriptor())
        .refuses("Array::query_descriptor_2d", |a, _| a.query_descriptor_2d())
        .refuses("Array::sparse_properties", |a, _| a.sparse_properties())
        .refuses("Array::memory_requirements", |a, w| a.memory_requirements(w.near))
        // SAFETY: it has memory.
        .answers("Array::assume_mapped", |a, _| unsafe { a.assume_mapped() })
        .answers("Array: {Clone, Debug, PartialEq}", |a, _| (a.clone() == *a, format!("{a:?}")))
        .hands_over("Array::into_raw", |a, _| Raw(a.into_raw().unwrap()), |mut raw, w| take(&mut raw, w))
        .consumes("Array::close", |a, _| a.close())
        .drops("Array: Drop");
    c.of(line, line_holds)
        .refuses("Array::copy_from_host", |a, _| a.copy_from_host(0, &[0_u32; 4]))
        .refuses("Array::copy_to_host", |a, _| a.copy_to_host(0, &mut [0_u32; 4]))
        .refuses("Array::copy_from_device", |a, w| a.copy_from_device(0, w.buffer.as_slice()))
        .refuses("Array::copy_from_array", |a, _| a.copy_from_array(0, &a.clone(), 8, 8));
    c.of(texels, both)
        .refuses("Array::from_device", |(_, b), w| Array::from_device(&w.stream, picture(), b.as_slice()))
        .refuses("Array::copy_to_device", |(a, b), _| a.copy_to_device(0, b.as_slice_mut()))
        .refuses("Array::copy_all_from_device", |(a, b), _| a.copy_all_from_device(b.as_slice()))
        .refuses("Array::copy_all_to_device", |(a, b), _| a.copy_all_to_device(b.as_slice_mut()));
    c.of(planes, |planes, _| drop(planes.plane(0).unwrap())).refuses("Array::plane", |a, _| a.plane(0));
    c.of(levels, levels_hold)
        .answers("MipmappedArray::{as_raw, descriptor, levels, stream, context}", |m, w| {
            (m.as_raw().is_null(), m.descriptor(), m.levels(), m.stream().clone(), *m.context() == w.context)
        })
        .refuses("MipmappedArray::level", |m, _| m.level(1))
        .refuses("MipmappedArray::sparse_properties", |m, _| m.sparse_properties())
        .refuses("MipmappedArray::memory_requirements", |m, w| m.memory_requirements(w.near))
        // SAFETY: it has memory.
        .answers("MipmappedArray::assume_mapped", |m, _| unsafe { m.assume_mapped() })
        .hands_over(
            "MipmappedArray::from_raw_with_owner",
            // SAFETY: its owner keeps it.
            |m, w| unsafe {
                let (raw, descriptor) = (m.as_raw(), m.descriptor());
                MipmappedArray::from_raw_with_owner(raw, descriptor, 2, &w.stream, Box::new(m))
            },
            |mut levels, w| levels_hold(&mut levels, w),
        )
        .answers("MipmappedArray: {Clone, Debug, PartialEq}", |m, _| (m.clone() == *m, format!("{m:?}")))
        .hands_over(
            "MipmappedArray::into_raw",
            |m, _| Raw(m.into_raw().unwrap()),
            |raw, w| {
                // SAFETY: what it was.
                levels_hold(&mut unsafe { MipmappedArray::from_raw(raw.0, picture(), 2, &w.stream) }, w);
            },
        )
        .consumes("MipmappedArray::close", |m, _| m.close())
        .drops("MipmappedArray: Drop");
    c.of(raw_levels, |_, _| ()).hands_over(
        "MipmappedArray::from_raw",
        // SAFETY: made for this call.
        |raw, w| unsafe { MipmappedArray::from_raw(raw.0, picture(), 2, &w.stream) },
        |mut levels, w| levels_hold(&mut levels, w),
    );
}

/// A sparse array, and memory for it.
fn sparse(world: &World) -> (Array, PhysicalMemory) {
    let descriptor = ArrayDescriptor::plane(256, 128, ArrayFormat::FLOAT, 1).with_flags(ArrayFlags::SPARSE);
    let options = PhysicalMemoryOptions::new().tile_pool(true);
    let memory = PhysicalMemory::new(world.near, 2 << 20, options).unwrap();
    (Array::new(&world.stream, descriptor).unwrap(), memory)
}

const TILE: SparsePart = SparsePart::tiles([0; 3], [128, 128, 1]);

fn mappings(c: &mut Catalogue) {
    c.of(sparse, |(array, _), _| assert!(array.to_vec::<f32>().unwrap().iter().all(|texel| *texel == 0.0)))
        .answers(
            "ArrayMappings::{new, map, unmap}; ArrayMappings: {Debug, Default, Drop}; MappedArray: {From<&Array>, From<&MipmappedArray>}",
            |(array, memory), _| {
                let mut mappings = ArrayMappings::new();
                mappings.map(&*array, TILE, memory, 0).unwrap().unmap(&*array, TILE).unwrap();
                format!("{mappings:?} {:?}", ArrayMappings::default())
            },
        )
        .answers("ArrayMappings::map_whole", |(array, memory), _| {
            // It was made for parts.
            ArrayMappings::new().map_whole(&*array, memory, 0).map(drop).unwrap_err()
        })
        .refuses("ArrayMappings::submit", |(array, memory), w| {
            let mut mappings = ArrayMappings::new();
            mappings.map(&*array, TILE, memory, 0).unwrap();
            mappings.submit(&w.stream)
        })
        .answers("SparsePart::{tiles, tail, on_level, on_layer}", |_, _| {
            (TILE.on_level(1).on_layer(2), SparsePart::tail(0, 1 << 16))
        });
}

fn descriptors(c: &mut Catalogue) {
    c.free()
        .answers("ArrayDescriptor::{line, plane, volume, layered_line, layered_plane}", |_, _| {
            let format = ArrayFormat::FLOAT;
            let volume = ArrayDescriptor::volume(1, 1, 1, format, 1);
            let layered = ArrayDescriptor::layered_plane(1, 1, 1, format, 1);
            (
                volume,
                layered,
                ArrayDescriptor::line(1, format, 1),
                ArrayDescriptor::layered_line(1, 1, format, 1),
            )
        })
        .answers("ArrayDescriptor::{cubemap, layered_cubemap, with_flags, surface, gather}", |_, _| {
            let cubes = ArrayDescriptor::layered_cubemap(1, 1, ArrayFormat::FLOAT, 1);
            (
                cubes.surface().gather(),
                ArrayDescriptor::cubemap(1, ArrayFormat::FLOAT, 1).with_flags(cubes.flags),
            )
        })
        .answers("ArrayDescriptor::{element_bytes, copy_size}", |_, _| {
            (picture().element_bytes(), picture().copy_size(), <[f32; 2]>::CHANNELS)
        })
        .answers("ArrayFormat::{channel_bytes, channels, block_bytes, element_bytes, planes}", |_, _| {
            let format = ArrayFormat::NV12;
            let bytes = (format.channel_bytes(), format.block_bytes(), format.element_bytes(3));
            (bytes, format.channels(), format.planes())
        });
}
