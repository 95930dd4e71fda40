//! Queries of arrays.

use super::*;
use cuda_rt::array::{MemoryRequirements, SparseFlags, SparseProperties};
use cuda_rt::error::ErrorKind;
use cuda_suite::note_skip;

#[test]
fn descriptors_come_back() {
    let stream = cuda_suite::stream();
    for descriptor in shapes([12, 10, 3], ArrayFormat::HALF, 2) {
        for flags in [ArrayFlags::empty(), ArrayFlags::SURFACE_LDST] {
            let descriptor = descriptor.with_flags(flags);
            let array = Array::new(&stream, descriptor).unwrap();
            assert_eq!(array.descriptor(), descriptor);
            assert_eq!(array.query_descriptor().unwrap(), descriptor);
            let flat = ArrayDescriptor { depth: 0, flags: ArrayFlags::empty(), ..descriptor };
            assert_eq!(array.query_descriptor_2d().unwrap(), flat);
        }
    }
    let gathered = ArrayDescriptor::plane(12, 10, ArrayFormat::FLOAT, 1).gather();
    assert_eq!(Array::new(&stream, gathered).unwrap().query_descriptor().unwrap(), gathered);
}

#[test]
fn levels_are_as_the_driver_says() {
    let stream = cuda_suite::stream();
    for descriptor in shapes([16, 8, 4], ArrayFormat::FLOAT, 1) {
        let whole = MipmappedArray::new(&stream, descriptor, u32::MAX).unwrap();
        assert_eq!(whole.descriptor(), descriptor);
        // Cubes of 16, volumes of 16 x 8 x 4, layers of 16 x 8.
        assert_eq!(whole.levels(), 5, "{descriptor:?}");
        for level in 0..whole.levels() {
            let array = whole.level(level).unwrap();
            assert_eq!(array.query_descriptor().unwrap(), array.descriptor());
            assert_eq!(array, whole.level(level).unwrap());
            assert_eq!(array.descriptor().width, 16 >> level);
            assert_eq!(array.descriptor().flags, descriptor.flags);
        }
        let error = whole.level(5).unwrap_err();
        assert_eq!(error.to_string(), "mipmapped array: level 5 exceeds the last level 4");
    }
}

#[test]
fn sparse_arrays_have_tiles() {
    let stream = cuda_suite::stream();
    let plane = ArrayDescriptor::plane(512, 512, ArrayFormat::FLOAT, 1);
    let error = Array::new(&stream, plane).unwrap().sparse_properties().unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().contains("must be made with flags 0x40, and has 0x0"), "{error}");
    let levels = MipmappedArray::new(&stream, plane, 4).unwrap();
    let error = levels.sparse_properties().unwrap_err();
    assert!(error.to_string().contains("must be made with flags 0x40, and has 0x0"), "{error}");
    let error = levels.level(0).unwrap().sparse_properties().unwrap_err();
    assert!(error.to_string().contains("a level or a plane; use the whole array"), "{error}");

    let sparse = plane.with_flags(ArrayFlags::SPARSE);
    let array = Array::new(&stream, sparse).unwrap();
    let properties = array.sparse_properties().unwrap();
    let expected = SparseProperties {
        tile_size: [128, 128, 1],
        first_tail_level: 0,
        tail_bytes: 0,
        flags: SparseFlags::empty(),
    };
    assert_eq!(properties, expected);
    // Without memory it holds zeros, and nothing is kept.
    array.copy_all_from_host(&vec![1.5_f32; 512 * 512]).unwrap();
    assert!(array.to_vec::<f32>().unwrap().iter().all(|number| *number == 0.0));
    let levels = MipmappedArray::new(&stream, sparse, 10).unwrap();
    let properties = levels.sparse_properties().unwrap();
    assert_eq!(properties.tile_size, [128, 128, 1]);
    assert!(properties.first_tail_level > 0 && properties.tail_bytes > 0, "{properties:?}");
    let smallest = levels.level(9).unwrap();
    smallest.copy_all_from_host(&[1.5_f32]).unwrap();
    assert_eq!(smallest.to_vec::<f32>().unwrap(), [0.0]);
}

#[test]
fn deferred_arrays_need_memory() {
    let (stream, device) = (cuda_suite::stream(), cuda_suite::device());
    let plane = ArrayDescriptor::plane(64, 64, ArrayFormat::FLOAT, 1);
    let array = Array::new(&stream, plane).unwrap();
    let Err(error) = array.memory_requirements(device) else { panic!("there is memory already") };
    if error.kind() == ErrorKind::FunctionMissing {
        note_skip("deferred_arrays_need_memory", &error.to_string());
        return;
    }
    assert!(error.to_string().contains("must be made with flags 0x80, and has 0x0"), "{error}");
    let deferred = plane.with_flags(ArrayFlags::DEFERRED_MAPPING);
    let array = Array::new(&stream, deferred).unwrap();
    let needed = MemoryRequirements { bytes: 65536, alignment: 65536 };
    assert_eq!(array.memory_requirements(device).unwrap(), needed);
    let levels = MipmappedArray::new(&stream, deferred, 7).unwrap();
    assert_eq!(levels.memory_requirements(device).unwrap(), needed);
    let level = levels.level(0).unwrap();
    let error = level.memory_requirements(device).unwrap_err();
    assert!(error.to_string().contains("a level or a plane"), "{error}");
    // Nothing reaches it, and the context lives on.
    for array in [&array, &level] {
        let refusal = "array: flags 0x80 contain DEFERRED_MAPPING, and no memory is known to be mapped; call `assume_mapped` after mapping";
        let numbers = vec![1.0_f32; 64 * 64];
        assert_eq!(array.copy_all_from_host(&numbers).unwrap_err().to_string(), refusal);
        assert_eq!(array.copy_from_host(0, &[1.0_f32]).unwrap_err().to_string(), refusal);
        assert!(array.to_vec::<f32>().is_err());
        let on_device = DeviceBuf::from_host(&stream, &numbers).unwrap();
        assert!(array.copy_all_from_device(on_device.as_slice()).is_err());
        assert!(array.copy_from_array(0, array, 0, 4).is_err());
    }
    stream.synchronize().unwrap();
}

#[test]
fn textures_of_memory_have_a_largest_width() {
    let device = cuda_suite::device();
    match device.texture_1d_linear_max_width(ArrayFormat::FLOAT, 1) {
        Ok(most) => assert!(most > 0),
        Err(error) if error.kind() == ErrorKind::FunctionMissing => {
            note_skip("textures_of_memory_have_a_largest_width", &error.to_string());
            return;
        }
        Err(error) => panic!("{error}"),
    }
    assert!(device.texture_1d_linear_max_width(ArrayFormat::UNSIGNED_INT8, 4).unwrap() > 0);
    let error = device.texture_1d_linear_max_width(ArrayFormat(4), 1).unwrap_err();
    assert!(error.to_string().contains("elements of 1 channels, format ArrayFormat(4)"), "{error}");
}
