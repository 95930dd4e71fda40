//! Every format that has a name.

use super::*;

#[test]
fn formats_have_names_sizes_and_channels() {
    let mut numbers: Vec<u32> = ArrayFormat::all().map(|format| format.0).collect();
    assert_eq!(numbers.len(), 65);
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 65, "numbers are given once");
    for format in ArrayFormat::all() {
        assert_eq!(format!("{format:?}"), format.to_string());
        assert!(!format.to_string().contains('('), "{format}");
        // A format has a size of elements, or a size of blocks, or neither.
        let element = format.element_bytes(format.channels().unwrap_or(1));
        assert!(element.is_none() || format.block_bytes().is_none(), "{format}");
        assert!(element.is_none() || format.planes() == Some(1), "{format}");
        assert!(format.channel_bytes().is_none() || element.is_some(), "{format}");
        if let (Some(bytes), Some(channels)) = (format.channel_bytes(), format.channels()) {
            let name = format.to_string();
            assert!(name.ends_with(&format!("{}X{channels}", 8 * bytes)), "{name}");
        }
        assert_eq!(format.block_bytes().is_some(), format.to_string().starts_with("BC"), "{format}");
    }
    let unknown = ArrayFormat(4);
    assert_eq!((unknown.channel_bytes(), unknown.block_bytes(), unknown.planes()), (None, None, None));
    assert_eq!((unknown.element_bytes(1), unknown.channels()), (None, None));
    assert_eq!(ArrayFormat::FLOAT.element_bytes(u32::MAX), Some(4 * u32::MAX as usize));
}

/// Returns an array of the format, with the channels and the flags that the format requires. Drivers copy planes of
/// smaller frames wrongly (fact T168).
fn usual(format: ArrayFormat) -> ArrayDescriptor {
    let descriptor = ArrayDescriptor::plane(64, 64, format, format.channels().unwrap_or(1));
    if is_video(format) { descriptor.with_flags(ArrayFlags::VIDEO_ENCODE_DECODE) } else { descriptor }
}

/// Returns whether no measured driver makes arrays of the format.
fn is_for_newer(format: ArrayFormat) -> bool {
    format.to_string().starts_with("UINT")
}

#[test]
#[allow(clippy::print_stdout)]
fn every_format_is_made_and_copied() {
    let stream = cuda_suite::stream();
    let (mut lacking, mut done) = (Vec::new(), 0);
    for format in ArrayFormat::all() {
        let descriptor = usual(format);
        let made = Array::new(&stream, descriptor);
        if is_for_newer(format) && made.is_err() {
            lacking.push(format);
            continue;
        }
        let array = made.unwrap();
        done += 1;
        assert_eq!(array.query_descriptor().unwrap(), descriptor);
        match format.planes() {
            Some(1) if is_video(format) => packed_video_is_left_alone(&array),
            Some(1) => {
                let (unit, count) = units(&descriptor);
                of_size!(unit, round_trip(&array, &bytes(unit * count, done)));
                let error = array.plane(0).unwrap_err().to_string();
                assert!(error.contains(&format!("plane 0 of format {format}, which has 1")), "{error}");
            }
            planes => planes_are_arrays(&array, planes.unwrap()),
        }
        // The number of channels is the format's.
        if let Some(channels) = format.channels() {
            let other = ArrayDescriptor { channels: if channels == 4 { 2 } else { 4 }, ..descriptor };
            assert!(Array::new(&stream, other).is_err(), "{other:?}");
        }
    }
    println!("{done} formats, lacking {lacking:?}");
    assert!(done >= 20);
    if !lacking.is_empty() {
        let reason = format!("the driver makes no arrays of {} formats", lacking.len());
        cuda_suite::note_skip("every_format_is_made_and_copied", &reason);
    }
}

/// Checks that safe functions refuse packed video. Drivers copy memory of other arrays in its place (fact T169).
fn packed_video_is_left_alone(array: &Array) {
    let format = array.descriptor().format;
    let refusal = format!(
        "array: format {format} is not allowed in safe functions: drivers mix up the memory of such arrays; use the raw API"
    );
    let (unit, count) = units(&array.descriptor());
    let all = bytes(unit * count, 1);
    assert_eq!(array.copy_from_host(0, &all[..unit]).unwrap_err().to_string(), refusal);
    let mut first = vec![0_u8; unit];
    assert_eq!(array.copy_to_host(0, &mut first).unwrap_err().to_string(), refusal);
    let on_device = DeviceBuf::from_host(array.stream(), &all).unwrap();
    let row = on_device.slice(..unit).unwrap();
    assert_eq!(array.copy_from_device(0, row).unwrap_err().to_string(), refusal);
    assert_eq!(array.copy_from_array(0, array, 0, unit).unwrap_err().to_string(), refusal);
    // The driver ignores the higher bits.
    let disguised = ArrayFormat(format.0 | 0x100);
    let descriptor = ArrayDescriptor { format: disguised, ..array.descriptor() };
    if let Ok(array) = Array::new(array.stream(), descriptor) {
        assert!(
            array.copy_from_host(0, &all[..unit]).unwrap_err().to_string().contains("not allowed in safe")
        );
    }
}

fn planes_are_arrays(frame: &Array, count: u32) {
    let format = frame.descriptor().format;
    let planes: Vec<Array> = (0..count).map(|index| frame.plane(index).unwrap()).collect();
    let error = frame.plane(count).unwrap_err().to_string();
    assert!(error.contains(&format!("plane {count} of format {format}, which has {count}")), "{error}");
    let mut all = 0;
    for (index, plane) in planes.iter().enumerate() {
        let (unit, count) = units(&plane.descriptor());
        of_size!(unit, round_trip(plane, &bytes(unit * count, index)));
        all += unit * count;
    }
    assert!(all > 64 * 64, "{format}: {all} bytes");
    assert_eq!(frame.plane(0).unwrap(), planes[0]);
    assert_ne!(planes[0], planes[1]);
    // This crate does not know the size of the whole array, and the driver does not copy it.
    let error = frame.to_vec::<u8>().unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("array: the size of elements of format {format} is not known")),
        "{error}"
    );
    assert!(frame.copy_from_host(0, &[0_u8; 8]).is_err(), "the driver refuses it");
    let first = planes.into_iter().next().unwrap();
    assert!(first.clone().into_raw().is_err());
    assert!(first.sparse_properties().unwrap_err().to_string().contains("a level or a plane"));
}

/// The driver ignores the higher bits of a format. This crate does not know such a number, and computes no sizes from it.
#[test]
fn unknown_formats_are_bounded_by_the_driver() {
    let stream = cuda_suite::stream();
    let descriptor = ArrayDescriptor::plane(4, 2, ArrayFormat(0x101), 1);
    assert_eq!(descriptor.copy_size(), None);
    let Ok(array) = Array::new(&stream, descriptor) else {
        cuda_suite::skip!("the driver looks at all bits");
    };
    array.copy_from_host(0, &[1_u8, 2, 3, 4]).unwrap();
    assert!(array.copy_from_host(1, &[1_u8, 2, 3, 4]).is_err());
    assert!(array.copy_from_host(0, &[1_u64; 100]).is_err());
    let mut back = [0_u8; 4];
    array.copy_to_host(0, &mut back).unwrap();
    assert_eq!(back, [1, 2, 3, 4]);
    assert!(array.to_vec::<u8>().is_err());
}
