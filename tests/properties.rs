//! Laws that hold for all values. Also the template for tests of crates that use cuda-rt, so that it needs no program of its own.

#![allow(clippy::unwrap_used)]

/// The template's tests name its crate.
extern crate self as device_sum;

#[path = "../templates/testing/src/lib.rs"]
pub mod template;
#[path = "../templates/testing/tests/device.rs"]
mod template_tests;

pub use template::{DeviceSum, PTX, SumKernel};

use cuda_rt::driver::DriverVersion;
use cuda_rt::error::Code;
use cuda_rt::{LaunchConfig, sys};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Every number survives the way through `Code` and back, and only success has none.
    #[test]
    fn codes_keep_their_numbers(number in prop_oneof![0_u32..1100, any::<u32>()]) {
        match Code::new(sys::cudaError_enum(number)) {
            None => prop_assert_eq!(number, 0),
            Some(code) => {
                prop_assert_eq!(code.number(), number);
                prop_assert_eq!(Code::ALL.contains(&code), !matches!(code, Code::Unknown(_)));
                prop_assert_eq!(sys::cudaError_enum(number).name().is_some(), Code::ALL.contains(&code));
                prop_assert!(code.to_string().contains(&number.to_string()));
                prop_assert_eq!(Code::from_number(number), Some(code));
                prop_assert_eq!(sys::CUresult::from(code).0, number);
            }
        }
    }

    /// The kind of a code depends on its number alone, for all numbers.
    #[test]
    fn codes_are_of_the_kind_of_their_number(number in prop_oneof![0_u32..1100, any::<u32>()]) {
        use cuda_rt::error::PyCudaClass;

        let Some(code) = Code::from_number(number) else { return Ok(()) };
        let class = match number {
            701..=703 | 719 => PyCudaClass::LaunchError,
            2 => PyCudaClass::MemoryError,
            100 | 209 | 214 | 301 | 600 => PyCudaClass::RuntimeError,
            999 => PyCudaClass::Error,
            _ => PyCudaClass::LogicError,
        };
        prop_assert_eq!(code.pycuda_class(), class);
        prop_assert_eq!(code.is_out_of_memory(), number == 2);
        prop_assert_eq!(code.is_not_ready(), number == 600);
        prop_assert_eq!(code.is_invalid_context(), number == 201 || number == 709);
        let ends = [214, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911];
        prop_assert_eq!(code.is_sticky(), ends.contains(&number), "{}", number);
        // Holes in the numbers: the first two were codes before CUDA 4.0.
        let is_hole = [706, 707, 203, 204, 35].contains(&number) || (9..34).contains(&number);
        prop_assert!(!is_hole || matches!(code, Code::Unknown(_)));
    }

    /// There is a thread for each element, and less than a block too many.
    #[test]
    fn launches_cover_their_elements(elements in 1_usize..1 << 40, threads in 1_u32..2048) {
        let config = LaunchConfig::for_elements(elements, threads);
        let covered = config.grid[0] as usize * threads as usize;
        let too_many = elements.div_ceil(threads as usize) > u32::MAX as usize;
        prop_assert!(too_many || covered >= elements && covered - elements < threads as usize);
        prop_assert!(!too_many || config.grid[0] == u32::MAX);
        prop_assert_eq!(config.block, [threads, 1, 1]);
    }

    /// Along each axis, there is a thread for each element, and the last block has an element.
    #[test]
    fn launches_cover_planes_and_volumes(
        elements in [1_usize..1 << 40, 1_usize..1 << 20, 1_usize..1 << 20],
        block in [1_u32..2048, 1_u32..2048, 1_u32..100],
    ) {
        let [x, y, _] = elements;
        let volume = LaunchConfig::for_elements_3d(elements, block);
        prop_assert_eq!(volume.block, block);
        for axis in 0..3 {
            let (blocks, threads) = (volume.grid[axis] as usize, block[axis] as usize);
            let has_all = elements[axis] <= blocks * threads;
            let too_many = blocks == u32::MAX as usize;
            prop_assert!(has_all || too_many);
            prop_assert!((blocks - 1) * threads < elements[axis]);
        }
        let plane = LaunchConfig::for_elements_2d([x, y], [block[0], block[1]]);
        prop_assert_eq!(plane, LaunchConfig::for_elements_3d([x, y, 1], [block[0], block[1], 1]));
        let line = LaunchConfig::for_elements(x, block[0]);
        prop_assert_eq!(line, LaunchConfig::for_elements_2d([x, 1], [block[0], 1]));
        prop_assert_eq!([line.grid[0], plane.grid[1]], [volume.grid[0], volume.grid[1]]);
    }

    #[test]
    fn versions_print_as_they_compare(a in 0_u16..100, b in 0_u16..10, c in 0_u16..100, d in 0_u16..10) {
        let (first, second) = (DriverVersion::new(a, b), DriverVersion::new(c, d));
        prop_assert_eq!(first.cmp(&second), (a, b).cmp(&(c, d)));
        prop_assert_eq!(first.to_string(), format!("{a}.{b}"));
    }

    /// Symbols are found by their names and by nothing else.
    #[test]
    fn symbols_are_found_by_name(name in "cu[A-Z][a-zA-Z0-9_]{0,12}") {
        let known = sys::Symbol::all().any(|symbol| symbol.name() == name);
        prop_assert_eq!(sys::Symbol::from_name(&name).is_some(), known);
    }
}

#[test]
fn every_symbol_is_found_by_its_own_name() {
    for symbol in sys::Symbol::all() {
        assert_eq!(sys::Symbol::from_name(symbol.name()), Some(symbol));
        assert_eq!(symbol.c_name().to_str().unwrap(), symbol.name());
        assert!(symbol.since() <= DriverVersion(sys::CUDA_VERSION as i32));
    }
    assert_eq!((sys::Table::COUNT, sys::PerThreadTable::COUNT), (524, 104));
}
