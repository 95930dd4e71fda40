//! PY-SET-04 to 06, PYX-07: fills of parts of memory in rows, against a model that fills element by element.

use cuda_rt::bytemuck::{self, Pod};
use cuda_rt::memory::{AccessSize, CopyDestination, Memcpy3D, PitchedBuf, PitchedSliceMut};
use cuda_rt::{DeviceBuf, Error, Stream};
use cuda_suite::{Refusal, invalid, stream};
use proptest::prelude::*;
use std::cell::Cell;

/// Rows, and a part of them.
#[derive(Debug, Clone)]
struct Case {
    size: [usize; 3],
    /// The number of elements between the end of a row and the next one.
    gap: usize,
    at: [usize; 3],
    part: [usize; 3],
    seed: u8,
}

fn case() -> impl Strategy<Value = Case> {
    // Most parts are within the rows, and some end beyond.
    let extents = || [0..9_usize, 0..6_usize, 0..5_usize];
    ([1..9_usize, 0..6_usize, 0..5_usize], 0..4_usize, extents(), extents(), any::<u8>()).prop_map(
        |(size, gap, mut at, mut part, seed)| {
            if seed % 4 != 0 {
                for axis in 0..3 {
                    at[axis] %= size[axis] + 1;
                    part[axis] %= size[axis] - at[axis] + 1;
                }
            }
            Case { size, gap, at, part, seed }
        },
    )
}

/// A refused number, and how it breaks its limit.
fn field(name: &str, value: usize, breaks: &str) -> Refusal {
    invalid(format!("{name}: {value} is {breaks}"))
}

/// Returns why the model refuses the part.
fn refusal(case: &Case) -> Option<Refusal> {
    let names = ["part end along x", "part end along y", "part end along z"];
    (0..3).find_map(|axis| {
        let (end, limit) = (case.at[axis] + case.part[axis], case.size[axis]);
        (end > limit).then(|| field(names[axis], end, &format!("more than {limit}")))
    })
}

/// Fills by the model: `pitch` bytes from row to row.
fn fill_model(bytes: &mut [u8], case: &Case, pitch: usize, value: &[u8]) {
    let ([_, height, _], [x, y, z], [width, rows, slices]) = (case.size, case.at, case.part);
    for slice in z..z + slices {
        for row in y..y + rows {
            for element in x..x + width {
                let start = (slice * height + row) * pitch + element * value.len();
                bytes[start..start + value.len()].copy_from_slice(value);
            }
        }
    }
}

/// Fills in three ways and compares. Returns whether the part was filled.
fn run<T: Pod + PartialEq + std::fmt::Debug>(
    stream: &Stream,
    case: &Case,
    value: T,
) -> Result<bool, TestCaseError> {
    let [width, height, depth] = case.size;
    let pitch = (width + case.gap) * size_of::<T>();
    let refused = refusal(case);
    let check = |filled: Result<(), Error>| {
        match (filled, refused.clone()) {
            (Ok(()), None) => {}
            (filled, Some(refused)) => prop_assert_eq!(filled, refused),
            (Err(error), None) => prop_assert!(false, "{}", error),
        }
        Ok(())
    };
    let expected = |bytes: Vec<u8>, pitch: usize| {
        let mut bytes = bytes;
        if refused.is_none() {
            fill_model(&mut bytes, case, pitch, bytemuck::bytes_of(&value));
        }
        bytes
    };

    // Rows in a buffer, which begin after an element of no row.
    let len = 1 + (width + case.gap) * height * depth;
    let before = vec![case.seed; len * size_of::<T>()];
    let element: T = bytemuck::pod_read_unaligned(&vec![case.seed; size_of::<T>()]);
    let mut buffer = DeviceBuf::from_host(stream, &vec![element; len]).unwrap();
    let mut rows = buffer.slice_mut(1..).unwrap().into_pitched(pitch, case.size).unwrap();
    check(rows.part(case.at, case.part).and_then(|mut part| part.fill(value)))?;
    let after = bytemuck::cast_slice::<T, u8>(&buffer.to_vec().unwrap()).to_vec();
    prop_assert_eq!(&after[..size_of::<T>()], &before[..size_of::<T>()]);
    prop_assert_eq!(&after[size_of::<T>()..], &expected(before[size_of::<T>()..].to_vec(), pitch)[..]);

    // The same by addresses, where elements of one byte lie anywhere.
    let mut bytes = DeviceBuf::<u8>::from_host(stream, &before).unwrap();
    let ptr = bytes.as_slice_mut().ptr().cast::<T>().add(1);
    #[allow(unsafe_code)]
    // SAFETY: the rows are in the buffer, on its stream, and of elements that any bytes are.
    let mut rows = unsafe { PitchedSliceMut::<T>::from_raw_parts(ptr, pitch, case.size, stream) };
    check(rows.part(case.at, case.part).and_then(|mut part| part.fill(value)))?;
    prop_assert_eq!(bytes.to_vec().unwrap(), after);

    // A buffer in rows.
    let mut pitched = PitchedBuf::<T>::volume(stream, case.size, AccessSize::Four).unwrap();
    pitched.fill(element).unwrap();
    check(pitched.part_mut(case.at, case.part).and_then(|mut part| part.fill(value)))?;
    let row = width * size_of::<T>();
    let mut dense = vec![0_u8; row * height * depth];
    Memcpy3D::new(CopyDestination::host(&mut dense), pitched.as_source(), row, height, depth).copy().unwrap();
    prop_assert_eq!(dense, expected(vec![case.seed; row * height * depth], row));
    Ok(refused.is_none())
}

#[test]
#[allow(clippy::print_stdout)]
fn parts_of_rows_are_filled_as_a_loop_would() {
    let stream = stream();
    let (filled, refused) = (Cell::new(0), Cell::new(0));
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) };
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    runner
        .run(&(case(), any::<u64>(), 0..9_usize), |(case, value, kind)| {
            let done = match kind {
                0 => run(&stream, &case, value as u8),
                1 => run(&stream, &case, value as u16),
                2 => run(&stream, &case, value as u32),
                3 => run(&stream, &case, f32::from_bits(value as u32 & 0x7f00_0000)),
                4 => run(&stream, &case, value),
                5 => run(&stream, &case, [value as u8, (value >> 8) as u8, (value >> 16) as u8]),
                6 => run(&stream, &case, [value as u16, (value >> 16) as u16, (value >> 32) as u16]),
                7 => run(&stream, &case, [value as u32, (value >> 32) as u32, 7]),
                _ => run(&stream, &case, [value as u8; 6]),
            }?;
            let count = if done { &filled } else { &refused };
            count.set(count.get() + 1);
            Ok(())
        })
        .unwrap();
    println!("fills of rows: {} filled, {} refused", filled.get(), refused.get());
    assert!(filled.get() > 60 && refused.get() > 60);
}

#[test]
fn rows_that_do_not_fit_are_named() {
    let stream = stream();
    let mut buffer = DeviceBuf::<u32>::zeroed(&stream, 100).unwrap();
    let mut rows = |pitch, size| buffer.as_slice_mut().into_pitched(pitch, size).map(|rows| rows.size());
    assert_eq!(rows(40, [10, 5, 2]).unwrap(), [10, 5, 2]);
    assert_eq!(rows(36, [10, 2, 1]).unwrap_err(), field("view pitch", 36, "less than 40"));
    assert_eq!(rows(40, [10, 11, 1]).unwrap_err(), field("view end", 440, "more than 400"));
    let unaligned = field("view pitch", 42, "not a multiple of 4");
    assert_eq!(rows(42, [10, 2, 1]).unwrap_err(), unaligned);
    assert_eq!(rows(42, [10, 1, 1]).unwrap(), [10, 1, 1], "a single row has no next one");
    for size in [[usize::MAX, 1, 1], [1, usize::MAX, 2], [1, usize::MAX, 1]] {
        let [width, height, depth] = size;
        let overflow =
            format!("view: {width} x {height} x {depth} elements of 4 bytes exceed the address space");
        assert_eq!(rows(40, size).unwrap_err(), invalid(overflow));
    }
    // Rows without elements, and no rows, however many there are.
    for size in [[0, usize::MAX, 1], [5, 0, usize::MAX], [5, usize::MAX, 0]] {
        let mut view = buffer.as_slice_mut().into_pitched(usize::MAX, size).unwrap();
        view.fill(1).unwrap();
        view.part(size, [0; 3]).unwrap().fill(1).unwrap();
    }
    let error = buffer
        .as_slice_mut()
        .into_pitched(40, [10, 5, 2])
        .unwrap()
        .part([usize::MAX, 0, 0], [1; 3])
        .map(drop);
    assert_eq!(error.unwrap_err(), field("part end along x", usize::MAX, "more than 10"));
    assert_eq!(buffer.to_vec().unwrap(), [0; 100]);
}
