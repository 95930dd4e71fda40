//! Effects of the environment on the library.
//!
//! A process has one driver, so each case runs in a child, which is this program again.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, unsafe_code)]
#![cfg(any(target_os = "linux", windows))]

mod library;

use core::ffi::{CStr, c_int, c_uint};
use core::ptr::null_mut;
use cuda_sys::{CUdriverProcAddressQueryResult as Status, CUresult, CUuuid, Driver, DriverVersion, Symbol};
use std::process::Command;

/// Returns the output of the child, and the messages of the library.
fn child(case: &str, variables: &[(&str, &str)]) -> (String, String) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "in_child", "--ignored", "--nocapture"])
        .env_remove("CUDA_SIM")
        .env_remove("CUDA_VISIBLE_DEVICES")
        .env("CASE", case)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{case} {variables:?}: {out}\n{err}");
    assert!(!err.contains("error of the software driver"), "{err}");
    let found = out.split_once("answer: ").unwrap_or_else(|| panic!("{out}")).1;
    (found.lines().next().unwrap().to_owned(), err)
}

#[test]
#[ignore = "runs in a child process"]
fn in_child() {
    // SAFETY: the library behaves as the driver does.
    let driver = unsafe { Driver::open(library::path()) }.unwrap();
    let answer = match std::env::var("CASE").unwrap().as_str() {
        "devices" => devices(&driver),
        "releases" => releases(&driver),
        "codes" => codes(&driver),
        "names" => names(&driver),
        "primary" => primary(&driver),
        "leak" => leak(&driver),
        other => panic!("{other}"),
    };
    println!("answer: {answer}");
}

/// Returns the code of `cuInit`, and the last byte of each device's UUID, which is its position.
fn devices(driver: &Driver) -> String {
    // SAFETY: no flags, as the API demands.
    let code = unsafe { (driver.cuInit)(0) };
    let mut count = 0;
    // SAFETY: `count` is valid for a write.
    let counted = unsafe { (driver.cuDeviceGetCount)(&raw mut count) };
    let mut answer = format!("{} {}", code.0, counted.0);
    for device in 0..count {
        let mut uuid = CUuuid::default();
        // SAFETY: `uuid` is valid for a write.
        let code = unsafe { (driver.cuDeviceGetUuid_v2)(&raw mut uuid, device) };
        assert_eq!(code, CUresult::CUDA_SUCCESS);
        answer += &format!(" {}", uuid.bytes[15]);
    }
    answer
}

/// Returns the codes of functions of several kinds, without a call before them.
fn codes(driver: &Driver) -> String {
    let mut version = 0;
    let mut address = 0;
    // SAFETY: `version` is valid for a write.
    let first = unsafe { (driver.cuDriverGetVersion)(&raw mut version) };
    // SAFETY: no flags, as the API demands.
    let second = unsafe { (driver.cuInit)(0) };
    // SAFETY: `address` is valid for a write.
    let third = unsafe { (driver.cuMemAlloc_v2)(&raw mut address, 16) };
    format!("{} {} {}", first.0, second.0, third.0)
}

/// Creates a context and does not destroy it.
fn leak(driver: &Driver) -> String {
    let mut context = null_mut();
    // SAFETY: no flags, as the API demands.
    let first = unsafe { (driver.cuInit)(0) };
    // SAFETY: `context` is valid for a write.
    let second = unsafe { (driver.cuCtxCreate_v2)(&raw mut context, 0, 1) };
    format!("{} {}", first.0, second.0)
}

/// Returns the codes of the first version of `cuGetProcAddress`.
///
/// The calls ask for a function, an unknown name and a function of a later release. Others pass a release beyond the
/// driver's, invalid flags, and null pointers.
fn names(driver: &Driver) -> String {
    let mut address = null_mut();
    let place = &raw mut address;
    let questions = [
        (c"cuInit".as_ptr(), place, 13_000, 0),
        (c"cuNothing".as_ptr(), place, 13_000, 0),
        (c"cuLibraryLoadData".as_ptr(), place, 11_080, 0),
        (c"cuInit".as_ptr(), place, 13_010, 0),
        (c"cuInit".as_ptr(), place, 13_000, 3),
        (core::ptr::null(), place, 13_000, 0),
        (c"cuInit".as_ptr(), null_mut(), 13_000, 0),
    ];
    let codes = questions.map(|(name, place, release, flags)| {
        // SAFETY: null, or a C string and a place that is valid for a write.
        let code = unsafe { (driver.cuGetProcAddress)(name, place, release, flags) };
        code.0.to_string()
    });
    codes.join(" ")
}

/// Returns the codes of the first versions of functions of primary contexts, and after each the flags and whether the
/// context is active.
fn primary(driver: &Driver) -> String {
    let first_version = |name: &CStr| {
        let mut address = null_mut();
        // SAFETY: a C string, and a place that is valid for a write.
        let code = unsafe { (driver.cuGetProcAddress)(name.as_ptr(), &raw mut address, 7000, 0) };
        assert_eq!(code, CUresult::CUDA_SUCCESS);
        address
    };
    let set_flags = first_version(c"cuDevicePrimaryCtxSetFlags");
    // SAFETY: the signature of the function of this name.
    let set_flags: unsafe extern "C" fn(c_int, c_uint) -> CUresult =
        unsafe { core::mem::transmute(set_flags) };
    // SAFETY: the function has no requirements.
    let set_flags = |device, flags| unsafe { set_flags(device, flags) };
    let [reset, release] = [c"cuDevicePrimaryCtxReset", c"cuDevicePrimaryCtxRelease"].map(|name| {
        let address = first_version(name);
        // SAFETY: the signature of the functions of these names.
        let function: unsafe extern "C" fn(c_int) -> CUresult = unsafe { core::mem::transmute(address) };
        // SAFETY: the functions have no requirements.
        move || unsafe { function(0) }
    });
    let retain = || {
        let mut context = null_mut();
        // SAFETY: `context` is valid for a write.
        unsafe { (driver.cuDevicePrimaryCtxRetain)(&raw mut context, 0) }
    };
    let mut answer = String::new();
    let mut note = |code: CUresult| {
        let (mut flags, mut active) = (0, 0);
        // SAFETY: places that are valid for writes.
        let state = unsafe { (driver.cuDevicePrimaryCtxGetState)(0, &raw mut flags, &raw mut active) };
        assert_eq!(state, CUresult::CUDA_SUCCESS);
        answer += &format!("{}={flags}/{active} ", code.0);
    };
    // SAFETY: no flags, as the API demands.
    assert_eq!(unsafe { (driver.cuInit)(0) }, CUresult::CUDA_SUCCESS);
    note(set_flags(0, 4));
    note(retain());
    // Invalid flags are refused before an active context (fact V1167).
    note(set_flags(0, 3));
    note(set_flags(0, 1));
    note(release());
    note(release());
    note(retain());
    note(retain());
    note(reset());
    note(retain());
    note(release());
    note(set_flags(99, 4));
    answer.trim_end().to_owned()
}

fn found(driver: &Driver, name: &CStr, release: DriverVersion) -> (CUresult, bool, Status) {
    let (mut address, mut status) = (null_mut(), Status::CU_GET_PROC_ADDRESS_SUCCESS);
    // SAFETY: a C string, and places that are valid for writes.
    let code = unsafe {
        (driver.cuGetProcAddress_v2)(name.as_ptr(), &raw mut address, release.0, 0, &raw mut status)
    };
    (code, !address.is_null(), status)
}

/// Returns how the driver, which reports its release, answers for a function of 12.2 and one of 12.5.
fn releases(driver: &Driver) -> String {
    let mut version: c_int = 0;
    // SAFETY: `version` is valid for a write.
    let code = unsafe { (driver.cuDriverGetVersion)(&raw mut version) };
    assert_eq!(code, CUresult::CUDA_SUCCESS);
    let release = DriverVersion(version);
    assert_eq!(driver.version(), Some(release));
    let (code, _, _) = found(driver, c"cuInit", DriverVersion(version + 10));
    // Drivers before 13.0 accepted a release beyond their own.
    let refused = release >= DriverVersion::new(13, 0);
    assert_eq!(code != CUresult::CUDA_SUCCESS, refused, "{code:?}");
    let here = Symbol::all().filter(|symbol| symbol.is_on_this_system());
    for symbol in here.filter(|symbol| symbol.since() <= release) {
        let base = symbol.base_name();
        let name = std::ffi::CString::new(base).unwrap();
        let expected = (CUresult::CUDA_SUCCESS, true, Status::CU_GET_PROC_ADDRESS_SUCCESS);
        assert_eq!(found(driver, &name, release), expected, "{name:?}");
        if symbol.since() == release && base == symbol.name() {
            let before = found(driver, &name, DriverVersion(version - 10));
            let expected =
                (CUresult::CUDA_SUCCESS, false, Status::CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
            assert_eq!(before, expected, "{name:?}");
        }
    }
    // SAFETY: the answer comes before anything is read.
    let code = unsafe { (driver.cuCtxRecordEvent)(null_mut(), null_mut()) };
    let (_, known, status) = found(driver, c"cuCtxRecordEvent", release);
    format!("{release} {} {known} {}", code.0, status.0)
}

#[test]
fn by_default_there_are_two_devices() {
    let (answer, err) = child("devices", &[]);
    assert_eq!((answer.as_str(), err.as_str()), ("0 0 0 1", ""));
}

#[test]
fn the_configuration_is_minded() {
    assert_eq!(child("devices", &[("CUDA_SIM", "devices=4")]).0, "0 0 0 1 2 3");
    assert_eq!(child("devices", &[("CUDA_SIM", "devices=0")]).0, "100 3");
    assert_eq!(child("devices", &[("CUDA_SIM", "")]).0, "0 0 0 1");
}

#[test]
fn a_wrong_configuration_is_told_and_fails_every_call() {
    for (name, value) in [("CUDA_SIM", "devices=many"), ("CUDA_SIM", "memory"), ("CUDA_SIM", "gpus=3")] {
        let (answer, err) = child("codes", &[(name, value)]);
        assert_eq!(answer, "802 802 802", "{value}");
        assert!(err.contains(&format!("{name}: {value}: ")) && err.contains("allowed"), "{err}");
    }
}

#[test]
fn failures_are_ordered_and_calls_written() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("environment-calls");
    let text = format!("fault=cuInit:999:after, fault=cuMemAlloc_v2:2, calls={}", path.display());
    assert_eq!(child("codes", &[("CUDA_SIM", &text)]).0, "0 999 2");
    let calls = std::fs::read_to_string(&path).unwrap();
    // The loader of the library queries its release first.
    let last: Vec<&str> = calls.lines().rev().take(2).map(|line| line.split_once(' ').unwrap().1).collect();
    assert_eq!(last, ["1 cuMemAlloc_v2 CUDA_ERROR_OUT_OF_MEMORY -", "1 cuInit CUDA_ERROR_UNKNOWN -"]);
}

#[test]
fn what_is_alive_at_the_end_is_told_if_that_is_wanted() {
    let (answer, err) = child("leak", &[("CUDA_SIM", "leaks=on")]);
    let told = "cuda-sim: still alive at the end: 1 context\n  context, made by cuCtxCreate_v2 (call 5)\n";
    assert_eq!((answer.as_str(), err.as_str()), ("0 0", told));
    assert_eq!(child("leak", &[]).1, "");
}

#[test]
fn visible_devices_are_minded() {
    for (visible, expected) in [
        ("", "100 3"),
        ("-1", "100 3"),
        ("1", "0 0 1"),
        ("2,0", "0 0 2 0"),
        ("2,7,0", "0 0 2"),
        ("GPU-63756461-2d73-696d-0000-000000000001,0", "0 0 1 0"),
    ] {
        let (answer, _) = child("devices", &[("CUDA_SIM", "devices=3"), ("CUDA_VISIBLE_DEVICES", visible)]);
        assert_eq!(answer, expected, "{visible:?}");
    }
}

#[test]
fn symbol_search_v1_without_match_fails() {
    // The driver accepts both flags at once (measured).
    assert_eq!(child("names", &[]).0, "0 500 500 1 0 1 1");
}

#[test]
fn first_versions_hold_primary_contexts() {
    assert_eq!(
        child("primary", &[]).0,
        "0=4/0 0=4/1 1=4/1 708=4/1 0=0/0 0=0/0 0=0/1 0=0/1 0=0/0 0=0/1 0=0/0 101=0/0"
    );
}

#[test]
fn older_releases_lack_later_functions() {
    // The function was added in 12.5. Code 3 means that nothing is initialised, and 36 that a newer driver is needed.
    for (version, expected) in
        [("13.0", "13.0 3 true 0"), ("12.5", "12.5 3 true 0"), ("12.4", "12.4 36 false 1")]
    {
        let (answer, _) = child("releases", &[("CUDA_SIM", &format!("version={version}"))]);
        assert_eq!(answer, expected);
    }
}
