//! Programs with arrays.

use crate::on_another_thread;
use crate::scenarios::{Done, Scenario, device, own, plain};
use cuda_rt::array::{
    Array, ArrayDescriptor, ArrayFlags, ArrayFormat, ArrayMappings, MipmappedArray, Order, SparsePart,
};
use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions};
use cuda_rt::{Context, DeviceBuf, Result, Stream};

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("arrays of every shape", shapes),
    plain("arrays of matrices", matrices),
    plain("whole arrays", whole),
    plain("arrays with levels", levels),
    plain("arrays that are asked about", queries),
    plain("arrays without memory", unmapped),
    plain("memory that is mapped to arrays", mapped),
    plain("planes of pictures", planes),
    plain("arrays of others", others),
    plain("arrays on other threads", elsewhere),
];

fn primary() -> Result<Stream> {
    Stream::new(&Context::primary(device()?)?)
}

fn shapes() -> Done {
    let stream = Stream::new(&own()?)?;
    let format = ArrayFormat::FLOAT;
    for descriptor in [
        ArrayDescriptor::line(4, format, 1),
        ArrayDescriptor::plane(4, 3, format, 2).surface(),
        ArrayDescriptor::volume(4, 3, 2, format, 4),
        ArrayDescriptor::layered_line(4, 3, format, 1),
        ArrayDescriptor::layered_plane(4, 3, 2, format, 1),
        ArrayDescriptor::cubemap(4, format, 1),
        ArrayDescriptor::layered_cubemap(4, 2, format, 1),
    ] {
        Array::new(&stream, descriptor)?.close()?;
        drop(MipmappedArray::new(&stream, descriptor, 2)?);
    }
    Ok(())
}

fn matrices() -> Done {
    let stream = primary()?;
    let line = Array::from_line(&stream, &[1_u8, 2, 3])?;
    let matrix = Array::from_matrix(&stream, &[1_i16, 2, 3, 4, 5, 6], 2, 3, Order::ColumnMajor)?;
    let channels = Array::from_channels(&stream, &[1_u32, 2, 3, 4], [1, 2, 2], Order::RowMajor)?;
    let flags = ArrayFlags::LAYERED | ArrayFlags::SURFACE_LDST;
    let volume = Array::from_volume(&stream, &[1.0_f32; 24], [2, 3, 4], Order::RowMajor, flags)?;
    drop(line);
    drop(matrix);
    channels.close()?;
    assert_eq!(volume.to_vec::<f32>()?, [1.0; 24]);
    Ok(())
}

fn whole() -> Done {
    let (stream, other) = (primary()?, primary()?);
    let descriptor = ArrayDescriptor::layered_plane(2, 2, 2, ArrayFormat::UNSIGNED_INT16, 1);
    let numbers = DeviceBuf::from_host(&other, &[1_u16, 2, 3, 4, 5, 6, 7, 8])?;
    let array = Array::from_device(&stream, descriptor, numbers.as_slice())?;
    drop(numbers);
    let mut back = DeviceBuf::<u16>::zeroed(&other, 8)?;
    array.copy_all_to_device(back.as_slice_mut())?;
    array.copy_all_from_host(&[0_u16; 8])?;
    array.copy_all_from_device(back.as_slice())?;
    let mut host = [0_u16; 8];
    array.copy_all_to_host(&mut host)?;
    assert_eq!(host, [1, 2, 3, 4, 5, 6, 7, 8]);
    array.close()
}

fn levels() -> Done {
    let stream = Stream::new(&own()?)?;
    let descriptor = ArrayDescriptor::plane(4, 4, ArrayFormat::UNSIGNED_INT8, 1);
    let image = MipmappedArray::new(&stream, descriptor, 3)?;
    let (large, small) = (image.level(0)?, image.level(2)?);
    small.copy_all_from_host(&[7_u8])?;
    large.copy_from_array(0, &small, 0, 1)?;
    drop(large);
    let other = MipmappedArray::new(&stream, descriptor, 1)?;
    drop(image);
    assert_eq!(small.to_vec::<u8>()?, [7]);
    small.close()?;
    other.close()
}

/// Expects a refusal by the driver, whether or not a call fails.
fn refused<T>(answer: Result<T>, call: &str) -> Done {
    match answer {
        Err(error) if error.code().is_some() && error.call() == Some(call) => Ok(()),
        answer => answer.map(drop),
    }
}

fn queries() -> Done {
    let stream = primary()?;
    let descriptor = ArrayDescriptor::plane(4, 4, ArrayFormat::FLOAT, 1);
    let array = Array::new(&stream, descriptor)?;
    assert_eq!(array.query_descriptor()?, descriptor);
    assert_eq!(array.query_descriptor_2d()?, descriptor);
    refused(array.sparse_properties(), "cuArrayGetSparseProperties")?;
    refused(array.plane(0), "cuArrayGetPlane")?;
    let image = MipmappedArray::new(&stream, descriptor, 2)?;
    refused(image.sparse_properties(), "cuMipmappedArrayGetSparseProperties")?;
    let device = stream.context().device();
    refused(array.memory_requirements(device), "cuArrayGetMemoryRequirements")?;
    refused(image.memory_requirements(device), "cuMipmappedArrayGetMemoryRequirements")?;
    device.texture_1d_linear_max_width(ArrayFormat::FLOAT, 1).map(drop)
}

fn unmapped() -> Done {
    let stream = primary()?;
    let descriptor = ArrayDescriptor::plane(256, 256, ArrayFormat::FLOAT, 1);
    let sparse = descriptor.with_flags(ArrayFlags::SPARSE);
    let array = Array::new(&stream, sparse)?;
    array.sparse_properties()?;
    array.copy_from_host(0, &[1.0_f32])?;
    let mut number = [2.0_f32];
    array.copy_to_host(0, &mut number)?;
    assert_eq!(number, [0.0]);
    let image = MipmappedArray::new(&stream, sparse, 2)?;
    image.sparse_properties()?;
    image.close()?;
    let deferred = descriptor.with_flags(ArrayFlags::DEFERRED_MAPPING);
    let device = stream.context().device();
    let array = Array::new(&stream, deferred)?;
    array.memory_requirements(device)?;
    let image = MipmappedArray::new(&stream, deferred, 2)?;
    image.memory_requirements(device)?;
    array.close()
}

fn mapped() -> Done {
    let stream = primary()?;
    let device = stream.context().device();
    let plane = ArrayDescriptor::plane(256, 128, ArrayFormat::UNSIGNED_INT32, 1);
    let options = PhysicalMemoryOptions::new().tile_pool(true);
    let pool = PhysicalMemory::new(device, PhysicalMemory::granularity(device, options)?, options)?;
    let sparse = Array::new(&stream, plane.with_flags(ArrayFlags::SPARSE))?;
    let deferred = Array::new(&stream, plane.with_flags(ArrayFlags::DEFERRED_MAPPING))?;
    let image = MipmappedArray::new(&stream, plane.with_flags(ArrayFlags::SPARSE), 3)?;
    let tile = SparsePart::tiles([128, 0, 0], [128, 128, 1]);
    let mut mappings = ArrayMappings::new();
    mappings.map(&sparse, tile, &pool, 0)?.map(&image, tile, &pool, 1 << 16)?;
    mappings.map_whole(&deferred, &pool, 4 << 16)?;
    mappings.submit(&stream)?;
    let numbers = vec![5_u32; 256 * 128];
    deferred.copy_all_from_host(&numbers)?;
    sparse.copy_all_from_host(&numbers)?;
    let mut mappings = ArrayMappings::new();
    mappings.unmap(&image, tile)?;
    mappings.submit(&stream)?;
    pool.close()?;
    assert_eq!(deferred.to_vec::<u32>()?, numbers);
    assert_eq!(sparse.to_vec::<u32>()?[127..129], [0, 5]);
    drop(image);
    deferred.close()?;
    sparse.close()
}

fn planes() -> Done {
    let stream = Stream::new(&own()?)?;
    let descriptor = ArrayDescriptor::plane(4, 4, ArrayFormat::NV12, 3);
    let picture = Array::new(&stream, descriptor.with_flags(ArrayFlags::VIDEO_ENCODE_DECODE))?;
    let (brightness, colour) = (picture.plane(0)?, picture.plane(1)?);
    drop(picture);
    brightness.copy_all_from_host(&[7_u8; 16])?;
    colour.copy_all_from_host(&[[1_u8, 2]; 4])?;
    brightness.close()?;
    assert_eq!(colour.to_vec::<[u8; 2]>()?, [[1, 2]; 4]);
    colour.close()
}

fn others() -> Done {
    let stream = Stream::new(&own()?)?;
    let array = Array::from_line(&stream, &[1_u8, 2, 3])?;
    let raw = array.as_raw();
    // SAFETY: the owner keeps it alive, and no other code uses it.
    let borrowed = unsafe { Array::from_raw_with_owner(raw, &stream, Box::new(array)) }?;
    assert_eq!(borrowed.to_vec::<u8>()?, [1, 2, 3]);
    borrowed.close()?;
    let descriptor = ArrayDescriptor::plane(4, 4, ArrayFormat::FLOAT, 1);
    let image = MipmappedArray::new(&stream, descriptor, 2)?;
    let (raw, owner) = (image.as_raw(), Box::new(image));
    // SAFETY: as above.
    let borrowed = unsafe { MipmappedArray::from_raw_with_owner(raw, descriptor, 2, &stream, owner) };
    drop(borrowed.level(1)?);
    drop(borrowed);
    Ok(())
}

fn elsewhere() -> Done {
    let stream = Stream::new(&own()?)?;
    let array = Array::from_line(&stream, &[1_u8, 2, 3])?;
    let level = MipmappedArray::new(&stream, array.descriptor(), 2)?.level(1)?;
    drop(stream);
    on_another_thread(move || {
        let content = array.to_vec::<u8>()?;
        drop(array);
        level.copy_all_from_host(&content[..1])?;
        level.close()
    })
}
