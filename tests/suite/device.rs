//! Devices and the constants that they need.

use crate::is_since;
use cuda_rt::Device;
use cuda_rt::device::{ComputeMode, DeviceAttribute, NvSciSyncUse};
use cuda_rt::error::{Code, ErrorKind};
use cuda_suite::{Choice, device, driver, invalid, second_device, skip};
use std::collections::HashSet;
use std::sync::Arc;

#[test]
fn init_takes_no_flags_and_may_be_repeated() {
    driver();
    cuda_rt::init().unwrap();
    cuda_rt::init().unwrap();
    let error = cuda_rt::driver::init_with_flags(1).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert_eq!(error.to_string(), "cuInit: CUDA_ERROR_INVALID_VALUE (1: invalid argument)");
}

#[test]
fn devices_are_counted_and_found_by_ordinal() {
    driver();
    let count = Device::count().unwrap();
    assert!(count >= 1);
    let all = Device::all().unwrap();
    assert_eq!(all.len(), count as usize);
    assert_eq!(all[0], Device::get(0).unwrap());
    for missing in [count, 99, i32::MAX as u32, u32::MAX] {
        assert_eq!(Device::get(missing).unwrap_err().code(), Some(Code::InvalidDevice), "{missing}");
    }
}

#[test]
fn devices_compare_and_hash_by_ordinal() {
    let first = device();
    assert_eq!(first, first);
    let mut set = HashSet::from([first]);
    assert!(!set.insert(Device::get(0).unwrap()));
    if let Some(second) = second_device() {
        assert_ne!(first, second);
        assert!(set.insert(second));
    }
}

#[test]
fn device_display_names_the_ordinal() {
    driver();
    assert_eq!(Device::get(0).unwrap().to_string(), "device 0");
}

#[test]
fn a_device_is_found_by_its_place_on_the_bus() {
    for device in {
        driver();
        Device::all().unwrap()
    } {
        let place = device.pci_bus_id().unwrap();
        assert_eq!(Device::by_pci_bus_id(&place).unwrap(), device, "{place}");
        // Conformance fact V1208.
        let (without_function, _) = place.rsplit_once('.').unwrap();
        assert_eq!(Device::by_pci_bus_id(without_function).unwrap(), device, "{place}");
        let other_function = format!("{without_function}.1");
        let error = Device::by_pci_bus_id(&other_function).unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidDevice), "{error}");
        for wrong in [format!("{without_function}."), without_function.split_once(':').unwrap().1.to_owned()]
        {
            let error = Device::by_pci_bus_id(&wrong).unwrap_err();
            assert_eq!(error.code(), Some(Code::InvalidValue), "{wrong}: {error}");
        }
        let (_, short) = place.split_once(':').unwrap();
        if place.starts_with("0000:") {
            assert_eq!(Device::by_pci_bus_id(short).unwrap(), device, "{short}");
        }
        let slot = device.attribute(DeviceAttribute::PCI_DEVICE_ID).unwrap();
        assert!(place.ends_with(&format!(":{slot:02x}.0")), "{place} and slot {slot}");
    }
    let error = Device::by_pci_bus_id("0000\0:00:00.0").unwrap_err();
    assert_eq!(error, invalid("the byte at position 4 is NUL"));
    for nowhere in ["", "garbage", "ffff:ff:1f.0"] {
        let error = Device::by_pci_bus_id(nowhere).unwrap_err();
        assert!(matches!(error.code(), Some(Code::InvalidValue | Code::InvalidDevice)), "{nowhere}: {error}");
        assert!(error.to_string().ends_with(&format!(": position {nowhere:?} of the PCI bus")), "{error}");
    }
}

#[test]
fn names_memory_and_identity_are_plausible() {
    let device = device();
    assert!(!device.name().unwrap().is_empty());
    assert!(!device.name().unwrap().contains('\0'));
    let mut bytes = 0;
    // SAFETY: valid for a write.
    assert!(unsafe { cuda_sys::cuDeviceTotalMem_v2(&raw mut bytes, device.as_raw()) }.is_success());
    assert_eq!(device.total_memory().unwrap(), bytes);
    assert!(bytes > 1 << 30);
    let major = device.compute_capability().unwrap().major;
    assert!(major >= 5);
    let uuid = device.uuid().unwrap();
    assert_eq!(uuid.to_string().len(), "GPU-00000000-0000-0000-0000-000000000000".len());
    if let Some(second) = second_device() {
        assert_ne!(uuid, second.uuid().unwrap());
    }
}

#[test]
fn luid_under_linux_is_not_supported() {
    let luid = device().luid();
    // The software driver answers as under Linux everywhere.
    if cfg!(windows) && driver() == Choice::Real {
        assert_ne!(luid.unwrap().node_mask, 0);
        return;
    }
    let error = luid.unwrap_err();
    assert_eq!(error.call(), Some("cuDeviceGetLuid"));
    if cfg!(windows) || crate::is_since(11, 2) {
        assert_eq!(error.code(), Some(Code::NotSupported));
    } else {
        assert_eq!(error.kind(), ErrorKind::FunctionMissing);
    }
}

#[test]
fn attributes_have_a_method_each() {
    let device = device();
    let by_method = [
        (DeviceAttribute::MAX_THREADS_PER_BLOCK, device.max_threads_per_block()),
        (DeviceAttribute::WARP_SIZE, device.warp_size()),
        (DeviceAttribute::CLOCK_RATE, device.clock_rate()),
        (DeviceAttribute::SHARED_MEMORY_PER_BLOCK, device.max_shared_memory_per_block()),
        (DeviceAttribute::PCI_BUS_ID, device.pci_bus_id_raw()),
        (DeviceAttribute::MEMORY_POOLS_SUPPORTED, device.memory_pools_supported().map(i32::from)),
    ];
    for (attribute, value) in by_method {
        // Drivers before 11.2 do not know of pools.
        let is_known = attribute != DeviceAttribute::MEMORY_POOLS_SUPPORTED || crate::is_since(11, 2);
        assert_eq!(device.attribute(attribute), value, "{attribute}");
        assert_eq!(value.is_ok(), is_known, "{attribute}");
    }
    assert_eq!(device.warp_size().unwrap(), 32);
}

#[test]
fn unknown_attribute_is_refused_and_not_listed() {
    let device = device();
    let error = device.attribute(DeviceAttribute(9999)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    let known = device.attributes().unwrap();
    assert!(known.len() > 90 && known.len() <= DeviceAttribute::all().len());
    assert_eq!(known[&DeviceAttribute::WARP_SIZE], 32);
}

#[test]
fn every_attribute_of_the_header_is_named() {
    let types = include_str!("../../cuda-sys/src/generated/types.rs");
    let text = types.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut seen = 0;
    for part in text.split("pub const CU_DEVICE_ATTRIBUTE_").skip(1) {
        let (name, rest) = part.split_once(": CUdevice_attribute_enum = CUdevice_attribute_enum(").unwrap();
        let number: u32 = rest.split_once(')').unwrap().0.parse().unwrap();
        if name == "MAX" {
            continue; // a count that grows with every release, no attribute
        }
        let own = DeviceAttribute::all().find(|attribute| attribute.0 == number);
        let own = own.unwrap_or_else(|| panic!("{name} = {number} is missing"));
        let aliases = [
            "SHARED_MEMORY_PER_BLOCK",
            "REGISTERS_PER_BLOCK",
            "MAXIMUM_TEXTURE2D_ARRAY_WIDTH",
            "MAXIMUM_TEXTURE2D_ARRAY_HEIGHT",
            "MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES",
            "VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED",
        ];
        assert!(own.to_string() == name || aliases.contains(&name), "{name} is called {own}");
        seen += 1;
    }
    assert_eq!(seen, DeviceAttribute::all().len() + 6);
}

#[test]
fn the_compute_mode_is_an_open_set() {
    let mode = device().compute_mode().unwrap();
    assert!(matches!(mode, ComputeMode::Default | ComputeMode::ExclusiveProcess), "{mode:?}");
}

#[test]
fn a_device_is_not_its_own_peer() {
    let device = device();
    assert!(!device.can_access_peer(device).unwrap());
    let Some(second) = second_device() else { skip!("there is one device only") };
    assert_eq!(device.can_access_peer(second).unwrap(), second.can_access_peer(device).unwrap());
}

#[test]
fn notifications_end_with_their_guard() {
    let dropped = Arc::new(());
    let kept = Arc::clone(&dropped);
    let outcome = device().on_notification(move |_| drop(Arc::clone(&kept)));
    if !is_since(12, 4) {
        return assert_eq!(outcome.unwrap_err().kind(), ErrorKind::FunctionMissing);
    }
    let (first, second) = (outcome.unwrap(), device().on_notification(|_| ()).unwrap());
    assert_ne!(first.as_raw(), second.as_raw());
    assert_eq!(Arc::strong_count(&dropped), 2);
    drop(first);
    assert_eq!(Arc::strong_count(&dropped), 1);
    second.close().unwrap();
}

#[test]
fn sci_sync_attributes_need_a_list_and_a_use() {
    let (mut list, device) = ([0_u64; 64], device());
    let list: *mut core::ffi::c_void = list.as_mut_ptr().cast();
    // SAFETY: the driver refuses the call before it reads the list.
    let without_use = unsafe { device.write_nv_sci_sync_attributes(list, NvSciSyncUse::empty()) };
    assert_eq!(without_use.unwrap_err().code(), Some(Code::InvalidValue));
    // SAFETY: there is no list, which the driver refuses.
    let without_list =
        unsafe { device.write_nv_sci_sync_attributes(core::ptr::null_mut(), NvSciSyncUse::WAIT) };
    assert_eq!(without_list.unwrap_err().code(), Some(Code::InvalidHandle));
}

#[test]
fn places_in_a_fabric_came_with_13_4() {
    let device = device();
    for error in [device.fabric_cluster_uuid().map(drop), device.fabric_cliques().map(drop)] {
        match error {
            Err(missing) if !is_since(13, 4) => {
                assert_eq!(missing.kind(), ErrorKind::FunctionMissing);
                assert!(missing.to_string().contains("13.4"), "{missing}");
            }
            Err(error) => assert_eq!(error.code(), Some(Code::NotSupported)),
            Ok(()) => assert!(is_since(13, 4)),
        }
    }
}
