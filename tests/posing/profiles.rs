//! Devices other than the one that was measured.

use crate::{INVALID, OK, device_attribute, empty_kernel, load, machine, make_context};
use core::ffi::{CStr, c_char};
use core::ptr::null_mut;
use cuda_sim::{Config, Profile};
use cuda_sys::*;

/// Runs a case on a device, with a context.
fn on_device(profile: &Profile, case: impl Fn()) {
    let machine = machine(Config { profiles: vec![profile.clone()], ..Config::default() });
    let entered = machine.enter();
    make_context();
    case();
    drop(entered);
}

#[test]
fn devices_have_the_attributes_of_their_profiles() {
    use CUdevice_attribute_enum as Attribute;
    let wanted = [
        (Profile::H200, "NVIDIA H200", (9, 0), 132, 2048, 32, 233_472, 232_448, 1),
        (Profile::H100, "NVIDIA H100 80GB HBM3", (9, 0), 132, 2048, 32, 233_472, 232_448, 1),
        (Profile::GH200, "NVIDIA GH200 480GB", (9, 0), 132, 2048, 32, 233_472, 232_448, 1),
        (Profile::THOR, "NVIDIA Thor", (11, 0), 20, 1536, 24, 233_472, 232_448, 1),
        (Profile::GB10, "NVIDIA GB10", (12, 1), 48, 1536, 24, 102_400, 101_376, 1),
        (Profile::A100, "NVIDIA A100-SXM4-40GB", (8, 0), 108, 2048, 32, 167_936, 166_912, 0),
        (Profile::RTX_4090, "NVIDIA GeForce RTX 4090", (8, 9), 128, 1536, 24, 102_400, 101_376, 0),
        (Profile::T4, "Tesla T4", (7, 5), 40, 1024, 16, 65_536, 65_536, 0),
    ];
    for (profile, name, capability, processors, threads, blocks, shared, most_shared, hopper) in wanted {
        let is_integrated = [Profile::THOR, Profile::GB10].contains(&profile);
        let has_multicast = hopper == 1 && !is_integrated && profile != Profile::H100;
        on_device(&profile, || {
            let mut text = [0 as c_char; 64];
            // SAFETY: the text has room for 64 bytes.
            assert_eq!(unsafe { cuDeviceGetName(text.as_mut_ptr(), 64, 0) }, OK);
            // SAFETY: the driver ended it.
            assert_eq!(unsafe { CStr::from_ptr(text.as_ptr()) }.to_str().unwrap(), name);
            let mut bytes = 0;
            // SAFETY: `bytes` is valid for a write.
            assert_eq!(unsafe { cuDeviceTotalMem_v2(&raw mut bytes, 0) }, OK);
            assert_eq!(bytes as u64, profile.total_memory);
            let device = cuda_rt::Device::get(0).unwrap();
            assert_eq!(device.total_memory().unwrap() as u64, profile.total_memory);
            assert_eq!(device.name().unwrap(), name);
            for (attribute, value) in [
                (Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, capability.0),
                (Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, capability.1),
                (Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, processors),
                (Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, threads),
                (Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, blocks),
                (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, shared),
                (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, most_shared),
                (Attribute::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, hopper),
                (Attribute::CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, hopper),
                (Attribute::CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, i32::from(has_multicast)),
                (Attribute::CU_DEVICE_ATTRIBUTE_INTEGRATED, i32::from(is_integrated)),
                (Attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32),
            ] {
                assert_eq!(device_attribute(attribute), Ok(value), "{attribute:?} of {name}");
            }
            // The largest shared memory of a block leaves room for the part that the system reserves.
            let reserved = device_attribute(Attribute::CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
            assert_eq!(reserved, Ok(shared - most_shared), "{name}");
        });
    }
}

/// Everything that an H100 80GB HBM3 with driver 580.159 (CUDA 13.0) answered about itself otherwise than the H200.
#[test]
fn the_h100_answers_as_one_was_measured() {
    on_device(&Profile::H100, || {
        let answers = (0..200).map(|number| device_attribute(CUdevice_attribute_enum(number)));
        let of_h200 = |number: u32| Profile::H200.attribute(number).ok_or(INVALID);
        let differs = (0..).zip(answers).filter(|(number, answer)| *answer != of_h200(*number));
        let expected = [
            (36, 2_619_000),
            (37, 5120),
            (38, 52_428_800),
            (108, 32_768_000),
            (132, 0),
            (139, 590_352_606),
            (140, 381_751_518),
        ];
        assert_eq!(differs.collect::<Vec<_>>(), expected.map(|(number, value)| (number, Ok(value))));
        let limit = |number| {
            let mut value = 0;
            // SAFETY: `value` is valid for a write.
            let code = unsafe { cuCtxGetLimit(&raw mut value, CUlimit_enum(number)) };
            if code.is_success() { Ok(value) } else { Err(code.0) }
        };
        let limits = [1024, 8_650_752, 8_388_608, 0, 2048, 64, 9_830_400, 232_448, 0, 0, 0];
        let refused =
            |number: usize| [(3, 215), (9, 215), (10, 1)].iter().find(|(known, _)| *known == number);
        for (number, value) in limits.into_iter().enumerate() {
            let expected = refused(number).map_or(Ok(value), |(_, code)| Err(*code));
            assert_eq!(limit(number as u32), expected, "limit {number}");
        }
        let (mut least, mut greatest) = (9, 9);
        // SAFETY: both are valid for a write.
        assert_eq!(unsafe { cuCtxGetStreamPriorityRange(&raw mut least, &raw mut greatest) }, OK);
        assert_eq!((least, greatest), (0, -5));
    });
}

/// Attributes that say how a device accesses the host's memory: the numbers 88, 100, 86, 89, 101.
const REACHES: [CUdevice_attribute_enum; 5] = [
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS,
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES,
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED,
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS,
    CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST,
];

#[test]
fn only_a_coherent_device_reads_the_hosts_page_tables() {
    use CUdevice_attribute_enum as Attribute;
    for (profile, wanted, node) in [
        (Profile::GH200, [1, 1, 1, 1, 1], 1),
        (Profile::THOR, [1, 1, 1, 1, 0], 0),
        (Profile::GB10, [1, 1, 1, 1, 0], 0),
        (Profile::H200, [0, 0, 0, 1, 0], 0),
        (Profile::H100, [0, 0, 0, 1, 0], 0),
        (Profile::A100, [0, 0, 0, 1, 0], 0),
        (Profile::T4, [0, 0, 0, 1, 0], 0),
        (Profile::RTX_4090, [0, 0, 0, 1, 0], 0),
        // As under Linux, which keeps the device's own page tables up to date.
        (Profile::H200.with_pageable_memory_access(), [1, 0, 0, 1, 0], 0),
        (Profile::T4.with_pageable_memory_access(), [1, 0, 0, 1, 0], 0),
    ] {
        on_device(&profile, || {
            let known = REACHES.map(device_attribute);
            assert_eq!(known, wanted.map(Ok), "{}", profile.name);
            // The device's memory is a part of the host's only if it has memory.
            assert_eq!(device_attribute(Attribute::CU_DEVICE_ATTRIBUTE_NUMA_CONFIG), Ok(node));
        });
    }
}

#[test]
fn profiles_have_names() {
    for (text, profile) in [
        ("thor", Profile::THOR),
        ("gb10", Profile::GB10),
        ("gh200", Profile::GH200),
        ("h100", Profile::H100),
        ("h200-pageable", Profile::H200.with_pageable_memory_access()),
    ] {
        let config = Config::from_text(&format!("profile={text}")).unwrap();
        assert_eq!(config.profile(0), &profile);
        assert!(config.to_string().contains(&format!("profile={text}")));
    }
}

#[test]
fn kernels_for_newer_devices_are_refused() {
    for (profile, newest) in [
        (Profile::T4, 75),
        (Profile::A100, 80),
        (Profile::RTX_4090, 89),
        (Profile::H200, 90),
        (Profile::H100, 90),
        (Profile::GH200, 90),
        (Profile::THOR, 110),
        (Profile::GB10, 121),
    ] {
        on_device(&profile, || {
            for target in [50, 60, 70, 75, 80, 86, 89, 90, 100, 103, 110, 120, 121] {
                let answer = load(&empty_kernel((9, 0), target)).map(drop);
                let wanted = if target <= newest { Ok(()) } else { Err(CUresult::CUDA_ERROR_INVALID_PTX) };
                assert_eq!(answer, wanted, "sm_{target} on {}", profile.name);
            }
        });
    }
}

#[test]
fn changed_profile_keeps_other_attributes() {
    let half = Profile::A100.with_attribute(16, 54).with_attribute(16, 53).with_attribute(9999, 1);
    assert_eq!(half.attribute(16), Some(53));
    assert_eq!(half.attribute(75), Some(8));
    assert_eq!(half.attribute(10), Profile::H200.attribute(10));
    assert_eq!(half.attribute(9999), Some(1));
    assert_eq!(Profile::A100.attribute(16), Some(108));
    assert_eq!(Profile::A100.attribute(9999), None);
    // A null pointer is refused whatever the device is.
    on_device(&half, || {
        let number = CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_WARP_SIZE;
        // SAFETY: a null pointer is one of the things that the driver refuses.
        assert_eq!(unsafe { cuDeviceGetAttribute(null_mut(), number, 0) }, INVALID);
    });
}

#[test]
fn huge_attributes_of_a_profile_break_no_call() {
    use CUdevice_attribute_enum as Attribute;
    let extents = [
        Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X,
        Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y,
        Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z,
        Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X,
        Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y,
        Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z,
    ];
    let all: Vec<_> = (1..148).map(CUdevice_attribute_enum).collect();
    let cases = all.chunks(1).chain([&extents[..], &all[..]]);
    let before = cuda_sim::internal_errors();
    for attributes in cases {
        let with = |profile: Profile, attribute: &Attribute| profile.with_attribute(attribute.0, i32::MAX);
        on_device(&attributes.iter().fold(Profile::H200, with), || use_function(attributes));
    }
    assert_eq!(cuda_sim::internal_errors(), before);
}

/// Asks for all that depends on limits of a device, and launches more than fits.
fn use_function(attributes: &[CUdevice_attribute_enum]) {
    let Ok(module) = load(&empty_kernel((6, 0), 50)) else { return };
    let mut function = null_mut();
    // SAFETY: `function` is valid for a write, and the module is alive.
    assert_eq!(unsafe { cuModuleGetFunction(&raw mut function, module, c"k".as_ptr()) }, OK);
    for number in 0..16 {
        let mut value = 0;
        // SAFETY: `value` is valid for a write, and the function is alive.
        let _ = unsafe { cuFuncGetAttribute(&raw mut value, CUfunction_attribute_enum(number), function) };
    }
    let (mut grid, mut block) = (0, 0);
    let began = std::time::Instant::now();
    // SAFETY: both are valid for a write, and the function is alive.
    let answer =
        unsafe { cuOccupancyMaxPotentialBlockSize(&raw mut grid, &raw mut block, function, None, 0, 0) };
    assert_eq!(answer, OK, "{attributes:?}");
    assert!((0..=1024).contains(&block), "{attributes:?}: {block}");
    assert!(began.elapsed().as_secs() < 5, "{attributes:?}: {:?}", began.elapsed());
    let most = i32::MAX.unsigned_abs();
    for (grid, block) in [([most; 3], [1; 3]), ([1; 3], [most; 3]), ([1; 3], [1 << 22, 1 << 21, 1 << 21])] {
        let ([x, y, z], [width, height, depth]) = (grid, block);
        // SAFETY: the kernel has no parameters, and touches no memory.
        let answer = unsafe {
            cuLaunchCooperativeKernel(function, x, y, z, width, height, depth, 0, null_mut(), null_mut())
        };
        assert!(!answer.is_success(), "{attributes:?}");
    }
}
