//! Capabilities: each one by itself, and the access that follows from it.

use super::*;
use crate::rows::managed;
use cuda_rt::access::MemoryCapabilities;
use cuda_rt::driver::DriverVersion;

const INTEGRATED: u32 = 18;
const USES_HOST_PAGE_TABLES: u32 = 100;
const IPC_EVENTS: u32 = 125;

/// In the order in which [`flags`] has them.
const ATTRIBUTES: [u32; 8] = [
    UNIFIED_ADDRESSING,
    PAGEABLE_MEMORY_ACCESS,
    DIRECT_MANAGED_ACCESS_FROM_HOST,
    HOST_NATIVE_ATOMICS,
    MANAGED_MEMORY,
    CONCURRENT_MANAGED_ACCESS,
    MEMORY_POOLS,
    IPC_EVENTS,
];

fn flags(capabilities: MemoryCapabilities) -> [bool; 8] {
    [
        capabilities.unified_addressing,
        capabilities.pageable_memory_access,
        capabilities.direct_managed_access_from_host,
        capabilities.host_native_atomics,
        capabilities.managed_memory,
        capabilities.concurrent_managed_access,
        capabilities.memory_pools,
        capabilities.ipc.unwrap(),
    ]
}

fn capabilities(config: Config) -> MemoryCapabilities {
    let (_machine, _entered) = cuda_suite::raw::machine(config);
    device(0).memory_capabilities().unwrap()
}

fn of(profile: Profile) -> MemoryCapabilities {
    capabilities(Config { profiles: vec![profile], ..Config::default() })
}

#[test]
fn host_has_no_capabilities() {
    assert_eq!(flags(MemoryCapabilities::HOST), [false; 8]);
    assert_eq!(Viewpoint::Host.memory_capabilities().unwrap(), MemoryCapabilities::HOST);
    assert!(!MemoryCapabilities::HOST.atomics_in_pageable_memory());
}

#[test]
fn each_capability_is_read_from_its_own_attribute() {
    for integrated in EITHER {
        for case in 0..=u8::MAX {
            let wanted: [bool; 8] = std::array::from_fn(|place| case >> place & 1 == 1);
            let mut changes: Vec<_> =
                ATTRIBUTES.iter().zip(wanted).map(|(&number, value)| (number, i32::from(value))).collect();
            changes.push((INTEGRATED, integrated.into()));
            let mut expected = wanted;
            expected[7] &= !integrated;
            let found = of(h200(&changes));
            assert_eq!(flags(found), expected, "{changes:?}");
            assert_eq!(found.atomics_in_pageable_memory(), wanted[1] && wanted[3]);
        }
    }
}

#[test]
fn attribute_above_zero_is_a_capability() {
    for (value, expected) in [(-1, false), (0, false), (1, true), (2, true), (i32::MAX, true)] {
        let changes = ATTRIBUTES.map(|number| (number, value));
        assert_eq!(flags(of(h200(&changes))), [expected; 8], "{value}");
    }
}

#[test]
fn capability_unknown_to_an_old_driver_is_absent() {
    let with = |driver_version| {
        let profiles = vec![h200(&ATTRIBUTES.map(|number| (number, 1)))];
        capabilities(Config { profiles, driver_version, ..Config::default() })
    };
    let old = with(DriverVersion::new(11, 0));
    assert_eq!((old.ipc, old.memory_pools), (None, false));
    assert!(old.unified_addressing && old.pageable_memory_access && old.direct_managed_access_from_host);
    let new = with(DriverVersion::new(13, 0));
    assert_eq!((new.ipc, new.memory_pools), (Some(true), true));
}

#[test]
fn device_name_does_not_affect_capabilities() {
    let systems = [Profile::H200, Profile::GH200, h200(&[(PAGEABLE_MEMORY_ACCESS, 1)])];
    for system in systems {
        let answers = ["NVIDIA H200", "NVIDIA GB10", "NVIDIA GH200 480GB", "NVIDIA Thor", "", "Tesla T4"]
            .map(|name| {
                let mut profile = system.clone();
                profile.name = name.into();
                let two = Two::new(vec![profile]);
                let (list, managed, plain) = (vec![1], managed(&two.near), plain(&two.near));
                let seen = [
                    look(&two.near, &list),
                    look(Viewpoint::Host, &managed),
                    look(Viewpoint::Host, &plain),
                    look(&two.far, &managed),
                    look(&two.far, &plain),
                ];
                (device(0).memory_capabilities().unwrap(), seen)
            });
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    }
}

/// A system. `can` says whether kernels access memory of `malloc`, whether the host accesses
/// managed memory on the device directly, and whether the link supports atomics.
struct Model {
    name: &'static str,
    profile: Profile,
    can: [bool; 3],
}

#[test]
fn capabilities_match_models_of_systems() {
    let coherent = [
        (PAGEABLE_MEMORY_ACCESS, 1),
        (USES_HOST_PAGE_TABLES, 1),
        (CONCURRENT_MANAGED_ACCESS, 1),
        (HOST_NATIVE_ATOMICS, 1),
    ];
    let with_direct = |value| h200(&coherent).with_attribute(DIRECT_MANAGED_ACCESS_FROM_HOST, value);
    let models = [
        Model { name: "discrete", profile: Profile::H200, can: [false, false, false] },
        Model {
            name: "discrete, the operating system keeps the page tables up to date",
            profile: h200(&[
                (PAGEABLE_MEMORY_ACCESS, 1),
                (USES_HOST_PAGE_TABLES, 0),
                (CONCURRENT_MANAGED_ACCESS, 1),
            ]),
            can: [true, false, false],
        },
        Model { name: "one memory, as Thor and GB10", profile: with_direct(0), can: [true, false, true] },
        Model { name: "two memories, as GH200", profile: with_direct(1), can: [true, true, true] },
        Model { name: "the GH200 itself", profile: Profile::GH200, can: [true, true, true] },
    ];
    for Model { name, profile, can: [pageable, direct, atomics] } in models {
        let two = Two::new(vec![profile]);
        let found = Viewpoint::from(&two.near).memory_capabilities().unwrap();
        let answers =
            [found.pageable_memory_access, found.direct_managed_access_from_host, found.host_native_atomics];
        assert_eq!(answers, [pageable, direct, atomics], "{name}");
        assert_eq!(found.atomics_in_pageable_memory(), pageable && atomics, "{name}");

        let mut list = vec![7_u32];
        assert_eq!(look(&two.near, &list), when(pageable), "{name}");
        assert_eq!(Viewpoint::from(&two.near).usually_reaches(Viewpoint::Host).unwrap(), pageable, "{name}");
        if pageable {
            list[0] = 11;
            assert_eq!(seen_by_kernel(&two.near, crate::rows::host_address(&list)), Ok(11), "{name}");
        }
        // All of these let the host use managed memory while kernels run.
        assert_eq!(look(Viewpoint::Host, &managed(&two.near)), Access::Accessible, "{name}");
        // `direct_managed_access_from_host` does not extend to other memory of the device.
        assert_eq!(look(Viewpoint::Host, &plain(&two.near)), Access::Inaccessible, "{name}");
        assert!(!Viewpoint::Host.usually_reaches(&two.near).unwrap(), "{name}");
    }
}
