//! Elements that are written to arrays of all kinds, and read back.

use super::*;
use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
use proptest::prelude::*;

/// Formats of every kind that the software driver has, and their channels.
fn format() -> impl Strategy<Value = (ArrayFormat, u32)> {
    let plain = vec![
        ArrayFormat::UNSIGNED_INT8,
        ArrayFormat::UNSIGNED_INT16,
        ArrayFormat::UNSIGNED_INT32,
        ArrayFormat::SIGNED_INT8,
        ArrayFormat::SIGNED_INT16,
        ArrayFormat::SIGNED_INT32,
        ArrayFormat::HALF,
        ArrayFormat::FLOAT,
    ];
    let plain = (prop::sample::select(plain), prop::sample::select(vec![1_u32, 2, 4]));
    let fixed = ArrayFormat::all().filter(|format| format.channels().is_some() && !is_video(*format));
    let fixed: Vec<_> = fixed.map(|format| (format, format.channels().unwrap())).collect();
    prop_oneof![2 => plain, 1 => prop::sample::select(fixed)]
}

fn descriptor() -> impl Strategy<Value = ArrayDescriptor> {
    let size = (1_usize..40, 1_usize..12, 1_usize..5);
    let flags = prop_oneof![2 => Just(ArrayFlags::empty()), 1 => Just(ArrayFlags::SURFACE_LDST)];
    (size, 0_usize..7, format(), flags).prop_map(
        |((width, height, depth), shape, (format, channels), flags)| {
            shapes([width, height, depth], format, channels)[shape].with_flags(flags)
        },
    )
}

/// Lines of blocks, and blocks that kernels write, are made by no driver.
fn made<T>(made: Result<T>, descriptor: &ArrayDescriptor) -> Option<T> {
    let lacks_blocks = descriptor.height == 0 || descriptor.flags.contains(ArrayFlags::SURFACE_LDST);
    let is_refused = descriptor.format.block_bytes().is_some() && lacks_blocks;
    match made {
        Err(error) if is_refused => {
            assert!(matches!(error.code(), Some(Code::NotSupported | Code::InvalidValue)), "{error}");
            None
        }
        made => Some(made.unwrap()),
    }
}

fn run<S: Strategy>(cases: u32, strategy: &S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
    let rng = proptest::test_runner::TestRng::deterministic_rng(config.rng_algorithm);
    proptest::test_runner::TestRunner::new_with_rng(config, rng).run(strategy, test).unwrap();
}

#[test]
#[allow(clippy::print_stdout)]
fn whole_arrays() {
    let stream = cuda_suite::stream();
    let counts = std::cell::RefCell::new([0_u32; 2]);
    run(400, &(descriptor(), 0_usize..100), |(descriptor, seed)| {
        let Some(array) = made(Array::new(&stream, descriptor), &descriptor) else {
            counts.borrow_mut()[1] += 1;
            return Ok(());
        };
        counts.borrow_mut()[0] += 1;
        let (unit, count) = units(&descriptor);
        of_size!(unit, round_trip(&array, &bytes(unit * count, seed)));
        Ok(())
    });
    let [done, lacking] = counts.into_inner();
    println!("whole arrays: {done} written and read, {lacking} not to be had");
    assert!(done > 200);
}

#[test]
#[allow(clippy::print_stdout)]
fn levels_do_not_touch_each_other() {
    let stream = cuda_suite::stream();
    let counts = std::cell::RefCell::new([0_u32; 2]);
    run(120, &(descriptor(), 1_u32..8), |(descriptor, levels)| {
        let Some(whole) = made(MipmappedArray::new(&stream, descriptor, levels), &descriptor) else {
            counts.borrow_mut()[1] += 1;
            return Ok(());
        };
        counts.borrow_mut()[0] += 1;
        let levels: Vec<Array> = (0..whole.levels()).map(|level| whole.level(level).unwrap()).collect();
        drop(whole);
        let content = |level: usize| {
            let (unit, count) = units(&levels[level].descriptor());
            bytes(unit * count, level)
        };
        for (index, level) in levels.iter().enumerate() {
            let is_smaller = |own: usize, whole: usize| own == (whole >> index).max(usize::from(whole > 0));
            prop_assert!(is_smaller(level.descriptor().width, descriptor.width));
            prop_assert!(is_smaller(level.descriptor().height, descriptor.height));
            let (unit, _) = units(&level.descriptor());
            of_size!(unit, round_trip(level, &content(index)));
        }
        for (index, level) in levels.iter().enumerate() {
            let (unit, _) = units(&level.descriptor());
            prop_assert!(of_size!(unit, read(level)) == content(index), "level {index}");
        }
        Ok(())
    });
    let [done, lacking] = counts.into_inner();
    println!("mipmapped arrays: {done} written and read, {lacking} not to be had");
    assert!(done > 60);
}

fn read<const N: usize>(array: &Array) -> Vec<u8>
where
    [u8; N]: cuda_rt::bytemuck::Pod,
{
    cuda_rt::bytemuck::cast_slice(&array.to_vec::<[u8; N]>().unwrap()).to_vec()
}

#[test]
fn between_arrays_of_the_same_units() {
    let (stream, other) = (cuda_suite::stream(), cuda_suite::stream());
    for descriptor in shapes([6, 5, 2], ArrayFormat::SIGNED_INT16, 4) {
        let (unit, count) = units(&descriptor);
        let content = bytes(unit * count, 3);
        let eights: &[[u8; 8]] = cuda_rt::bytemuck::cast_slice(&content);
        let first = Array::from_host(&stream, descriptor, eights).unwrap();
        let alike = ArrayDescriptor { format: ArrayFormat::FLOAT, channels: 2, ..descriptor };
        let second = Array::new(&other, alike).unwrap();
        let [width, height, depth] = descriptor.copy_size().unwrap();
        let (to, from) = (CopyDestination::array(&second), CopySource::array(&first));
        Memcpy3D::new(to, from, width, height, depth).copy().unwrap();
        drop(first);
        assert_eq!(second.to_vec::<[u8; 8]>().unwrap(), eights, "{descriptor:?}");
    }
}

/// Blocks of compressed elements are copied as elements of their size are.
#[test]
fn between_blocks_and_elements() {
    let stream = cuda_suite::stream();
    for (format, channels, bytes_each) in [(ArrayFormat::BC1_UNORM, 4, 8), (ArrayFormat::BC7_UNORM, 4, 16)] {
        // 3 times 2 blocks, some of them cut.
        let compressed = ArrayDescriptor::plane(10, 7, format, channels);
        assert_eq!(compressed.copy_size(), Some([3 * bytes_each, 2, 1]));
        let compressed = Array::new(&stream, compressed).unwrap();
        let channels = u32::try_from(bytes_each / 4).unwrap();
        let plain = ArrayDescriptor::plane(3, 2, ArrayFormat::UNSIGNED_INT32, channels);
        let plain = Array::new(&stream, plain).unwrap();
        let content = bytes(6 * bytes_each, 1);
        let rows = CopySource::host(&content);
        Memcpy3D::plane(CopyDestination::array(&plain), rows, 3 * bytes_each, 2).copy().unwrap();
        let to = CopyDestination::array(&compressed);
        Memcpy3D::plane(to, CopySource::array(&plain), 3 * bytes_each, 2).copy().unwrap();
        assert!(of_size!(bytes_each, read(&compressed)) == content);
        // The second block of the second row.
        let mut block = vec![0; bytes_each];
        let from = CopySource::array(&compressed).at(bytes_each, 1, 0);
        Memcpy3D::plane(CopyDestination::host(&mut block), from, bytes_each, 1).copy().unwrap();
        assert_eq!(block, content[4 * bytes_each..5 * bytes_each]);
        let from = CopySource::array(&compressed).at(0, 1, 0);
        let beyond = Memcpy3D::plane(CopyDestination::host(&mut block), from, bytes_each, 2).copy();
        assert_eq!(beyond.unwrap_err().to_string(), "source array last row: 3 is more than 2");
    }
}
