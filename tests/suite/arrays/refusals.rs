//! Refused calls, and the reasons in their errors.

use super::*;
use cuda_rt::array::Order;
use cuda_rt::device::DeviceAttribute;
use cuda_suite::invalid;

fn array(stream: &Stream) -> Array {
    Array::new(stream, ArrayDescriptor::plane(4, 3, ArrayFormat::SIGNED_INT16, 2)).unwrap()
}

#[test]
fn elements_of_another_size() {
    let stream = cuda_suite::stream();
    let array = array(&stream);
    let expected =
        invalid("elements of 2 bytes do not fit an array whose elements, or blocks of them, have 4");
    assert_eq!(array.copy_all_from_host(&[0_u16; 24]).unwrap_err(), expected);
    assert_eq!(array.copy_all_to_host(&mut [0_u16; 24]).unwrap_err(), expected);
    assert_eq!(array.to_vec::<u16>().unwrap_err(), expected);
    let mut on_device = DeviceBuf::<u16>::zeroed(&stream, 24).unwrap();
    assert_eq!(array.copy_all_from_device(on_device.as_slice()).unwrap_err(), expected);
    assert_eq!(array.copy_all_to_device(on_device.as_slice_mut()).unwrap_err(), expected);
    let descriptor = array.descriptor();
    assert_eq!(Array::from_host(&stream, descriptor, &[0_u16; 24]).unwrap_err(), expected);
    assert_eq!(Array::from_device(&stream, descriptor, on_device.as_slice()).unwrap_err(), expected);
    assert!(array.to_vec::<()>().is_err());
}

/// An element of four bytes that claims to have two.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Wrong([u8; 4]);

// SAFETY: nothing but bytes.
unsafe impl cuda_rt::bytemuck::Zeroable for Wrong {}
// SAFETY: nothing but bytes.
unsafe impl cuda_rt::bytemuck::Pod for Wrong {}

impl cuda_rt::array::ArrayElement for Wrong {
    const FORMAT: ArrayFormat = ArrayFormat::UNSIGNED_INT8;
    const CHANNELS: u32 = 2;
}

#[test]
fn elements_with_a_wrong_size_are_refused() {
    let stream = cuda_suite::stream();
    let elements = [Wrong([0; 4]); 4];
    let expected =
        invalid("elements of 4 bytes do not fit an array whose elements, or blocks of them, have 2");
    assert_eq!(Array::from_line(&stream, &elements).unwrap_err(), expected);
    assert_eq!(Array::from_matrix(&stream, &elements, 2, 2, Order::RowMajor).unwrap_err(), expected);
    let channels = Array::from_channels(&stream, &elements, [2, 1, 2], Order::RowMajor);
    assert_eq!(
        channels.unwrap_err(),
        invalid("elements of 8 bytes do not fit an array whose elements, or blocks of them, have 4")
    );
}

#[test]
fn elements_that_are_too_many_or_too_few() {
    let stream = cuda_suite::stream();
    let array = array(&stream);
    for len in [0, 11, 13] {
        let refused = |source_len, destination_len| {
            invalid(format!("the source has {source_len} elements, the destination {destination_len};"))
        };
        let mut host = vec![[0_i16; 2]; len];
        assert_eq!(array.copy_all_from_host(&host).unwrap_err(), refused(len, 12));
        assert_eq!(array.copy_all_to_host(&mut host).unwrap_err(), refused(12, len));
        let mut on_device = DeviceBuf::from_host(&stream, &host).unwrap();
        assert_eq!(array.copy_all_from_device(on_device.as_slice()).unwrap_err(), refused(len, 12));
        assert_eq!(array.copy_all_to_device(on_device.as_slice_mut()).unwrap_err(), refused(12, len));
        for order in [Order::RowMajor, Order::ColumnMajor] {
            if len > 0 {
                assert_eq!(Array::from_matrix(&stream, &host, 3, 4, order).unwrap_err(), refused(len, 12));
            }
            let flags = ArrayFlags::empty();
            let volume = Array::from_volume(&stream, &host, [2, 3, 2], order, flags);
            assert_eq!(volume.unwrap_err(), refused(len, 12));
            let channels = Array::from_channels(&stream, &vec![0_u8; len], [2, 3, 2], order);
            assert_eq!(channels.unwrap_err(), refused(len, 12));
        }
    }
}

#[test]
fn arrays_of_nothing() {
    let stream = cuda_suite::stream();
    let empty = |what, index, shape| {
        invalid(format!(
            "{what}: dimension {index} (counted from 0) of shape {shape} is 0; \
             each must be at least 1"
        ))
    };
    assert_eq!(Array::from_line::<u8>(&stream, &[]).unwrap_err(), empty("line", 0, "0"));
    for order in [Order::RowMajor, Order::ColumnMajor] {
        for (rows, columns, index, shape) in [(0, 3, 0, "0 x 3"), (3, 0, 1, "3 x 0"), (0, 0, 0, "0 x 0")] {
            let matrix = Array::from_matrix::<u8>(&stream, &[], rows, columns, order);
            assert_eq!(matrix.unwrap_err(), empty("matrix", index, shape));
        }
        let channels = Array::from_channels::<u8>(&stream, &[], [3, 0, 2], order);
        assert_eq!(channels.unwrap_err(), empty("matrix with channels", 1, "3 x 0 x 2"));
        let volume = Array::from_volume::<u8>(&stream, &[], [3, 2, 0], order, ArrayFlags::empty());
        assert_eq!(volume.unwrap_err(), empty("volume", 2, "3 x 2 x 0"));
    }
}

#[test]
fn sizes_that_overflow() {
    let stream = cuda_suite::stream();
    let huge = usize::MAX / 2;
    assert!(Array::from_matrix(&stream, &[0_u8; 4], huge, 4, Order::RowMajor).is_err());
    let channels = Array::from_channels(&stream, &[0_u16; 4], [4, huge, 2], Order::ColumnMajor);
    assert_eq!(channels.unwrap_err(), invalid(format!("array: 4 x {huge} x 2 elements of 2 bytes exceed")));
    let volume = Array::from_volume(&stream, &[0_u8; 4], [huge; 3], Order::RowMajor, ArrayFlags::LAYERED);
    assert!(volume.is_err());
    let cubes = ArrayDescriptor::layered_cubemap(4, huge, ArrayFormat::FLOAT, 1);
    assert_eq!(cubes.depth, usize::MAX);
    let error = Array::new(&stream, cubes).unwrap_err().to_string();
    // `usize::MAX` is not a multiple of 6.
    assert!(error.ends_with(&format!("cubes have a multiple of 6 faces, not {}", usize::MAX)), "{error}");
    assert!(Array::from_host(&stream, cubes, &[0.0_f32]).is_err());
    let wide = ArrayDescriptor::plane(huge, 2, ArrayFormat::FLOAT, 4);
    assert_eq!(wide.copy_size(), None);
    assert!(MipmappedArray::new(&stream, wide, 1).is_err());
}

#[test]
fn missing_channels_are_refused() {
    let stream = cuda_suite::stream();
    for (channels, numbers) in [(3, 12), (5, 20)] {
        let array = Array::from_channels(&stream, &vec![0_u8; numbers], [2, 2, channels], Order::RowMajor);
        let error = array.unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidValue), "{error}");
        assert!(
            error.to_string().ends_with(&format!("as many as their format says, not {channels}")),
            "{error}"
        );
    }
}

/// The driver returns the same code for every broken rule, so the error must name the rule.
#[test]
fn refused_array_names_the_broken_rule() {
    let stream = cuda_suite::stream();
    let device = stream.context().device();
    let float = ArrayFormat::FLOAT;
    let rule = |descriptor, expected: &str| {
        let error = Array::new(&stream, descriptor).unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidValue));
        let code = Code::InvalidValue;
        assert!(error.to_string().ends_with(&format!("{code}: {expected}")), "{error}");
    };
    rule(ArrayDescriptor::line(0, float, 1), "the width is at least 1, not 0");
    rule(
        ArrayDescriptor::plane(4, 4, float, 3),
        "elements have 1, 2 or 4 channels, or as many as their format says, not 3",
    );
    let cube = ArrayDescriptor::cubemap(4, float, 1);
    rule(ArrayDescriptor { height: 5, ..cube }, "the faces of a cube are as high as they are wide, not 5");
    rule(ArrayDescriptor { depth: 5, ..cube }, "a cube has 6 faces, not 5");
    rule(ArrayDescriptor::volume(4, 4, 4, float, 1).gather(), "gathering is for 2 dimensions, not 3");
    let limit = |descriptor, attribute| {
        let most = u64::try_from(device.attribute(attribute).unwrap()).unwrap();
        rule(descriptor, &format!("{}, where {attribute} is {most}", most + 1));
    };
    let over = |attribute| usize::try_from(device.attribute(attribute).unwrap()).unwrap() + 1;
    let attribute = DeviceAttribute::MAXIMUM_TEXTURE1D_WIDTH;
    limit(ArrayDescriptor::line(over(attribute), float, 1), attribute);
    let attribute = DeviceAttribute::MAXIMUM_TEXTURE2D_HEIGHT;
    limit(ArrayDescriptor::plane(4, over(attribute), float, 1), attribute);
    let attribute = DeviceAttribute::MAXIMUM_TEXTURE2D_LAYERED_LAYERS;
    limit(ArrayDescriptor::layered_plane(4, 4, over(attribute), float, 1), attribute);
    let attribute = DeviceAttribute::MAXIMUM_TEXTURECUBEMAP_WIDTH;
    limit(ArrayDescriptor::cubemap(over(attribute), float, 1), attribute);
    // This crate does not know the format 999.
    let unknown = Array::new(&stream, ArrayDescriptor::plane(1 << 40, 4, ArrayFormat(999), 1));
    let unknown = unknown.unwrap_err();
    assert!(unknown.to_string().contains("where MAXIMUM_TEXTURE2D_WIDTH is"), "{unknown}");
}
