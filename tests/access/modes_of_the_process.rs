//! Settings of the whole process: each case runs in a process of its own, which is this program again.

use super::*;
use crate::rows::{foreign, managed};
use cuda_rt::access::{AccessCheck, MemoryKind, default_access_check, set_default_access_check};
use cuda_rt::driver::DriverVersion;
use cuda_rt::error::ErrorKind;
use cuda_rt::{Error, PinnedBuf};
use cuda_sim::HandleReuse;
use std::process::{Command, Output};

const CASE: &str = "CUDA_SUITE_ACCESS";

fn in_child(case: &str) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "modes_of_the_process::child", "--ignored", "--nocapture"])
        .env(CASE, case)
        .output()
        .unwrap()
}

/// Runs the case that [`in_child`] names.
#[test]
#[ignore = "runs in a child process"]
fn child() {
    match &std::env::var(CASE).unwrap()[..] {
        "default" => default_of_the_process(),
        "printed" => launches_of_what_cannot_be_verified(),
        version => {
            let (major, minor) = version.split_once('.').unwrap();
            let version = DriverVersion::new(major.parse().unwrap(), minor.parse().unwrap());
            what_a_driver_says(version);
        }
    }
}

#[test]
fn kernels_keep_the_mode_of_their_lookup() {
    let child = in_child("default");
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
}

fn default_of_the_process() {
    use AccessCheck::{Checked, Relaxed, Strict};
    let two = Two::alike();
    let (to, far, stream) = (plain(&two.near), plain(&two.far), Stream::new(&two.near).unwrap());
    let pinned = PinnedBuf::<u32>::zeroed(&two.near, 1).unwrap();
    let launches = |kernel: &Kernel<(DevicePtr<u32>, DevicePtr<u32>)>| {
        [to.ptr(), pinned.device_ptr().unwrap(), far.ptr()].map(|other| {
            // SAFETY: the kernel writes a word of a live buffer.
            let launched = unsafe { kernel.launch(LaunchConfig::new(1, 1), &stream, (to.ptr(), other)) };
            let is_refused = |error: &Error| error.kind() == ErrorKind::AccessDenied;
            assert!(launched.as_ref().map_or_else(is_refused, |()| true), "{launched:?}");
            launched.is_ok()
        })
    };
    assert_eq!(default_access_check(), Relaxed);
    let first = kernel(&two.near, "mark");
    let mut before = Relaxed;
    for (check, expected) in
        [(Checked, [true, true, false]), (Strict, [true, false, false]), (Relaxed, [true; 3])]
    {
        assert_eq!(set_default_access_check(check), before);
        assert_eq!(default_access_check(), check);
        let kernel = kernel(&two.near, "mark");
        assert_eq!((kernel.access_check(), launches(&kernel)), (check, expected));
        assert_eq!(launches(&first), [true; 3], "a kernel keeps the policy of its lookup");
        // The setting of a kernel comes first.
        assert_eq!(launches(&kernel.with_access_check(Strict)), [true, false, false]);
        before = check;
    }
    stream.synchronize().unwrap();
}

#[test]
fn unverified_memory_is_printed_by_default() {
    let child = in_child("printed");
    assert!(child.status.success());
    let said = String::from_utf8_lossy(&child.stderr);
    let lines: Vec<_> = said.lines().filter(|line| line.contains("cannot be verified")).collect();
    let [line] = lines[..] else { panic!("{said}") };
    assert_eq!(
        line,
        "cuda-rt: launching `mark`: parameter 1 (the second, `DevicePtr<u32>`): memory that the driver does not know \
         cannot be verified to be within reach of kernels on device 0: hand over its owner \
         (`launch::Arg`) or copy it to device 0; `AccessCheck::Relaxed` does not check"
    );
}

fn launches_of_what_cannot_be_verified() {
    let two = Two::alike();
    let (to, stream) = (plain(&two.near), Stream::new(&two.near).unwrap());
    let kernel = kernel::<(DevicePtr<u32>, DevicePtr<u32>)>(&two.near, "mark");
    let kernel = kernel.with_access_check(AccessCheck::Checked);
    for _ in 0..3 {
        let args = (to.ptr(), DevicePtr::from_raw(0x10));
        // SAFETY: the kernel writes a word of a live buffer.
        unsafe { kernel.launch(LaunchConfig::new(1, 1), &stream, args) }.unwrap();
    }
    stream.synchronize().unwrap();
    assert_eq!(to.to_vec().unwrap()[0], 1);
}

/// Old drivers have fewer attributes of addresses.
#[test]
fn old_drivers_report_or_leave_unverified() {
    for version in ["11.0", "11.2", "11.4", "11.8", "12.0", "13.0"] {
        let child = in_child(version);
        assert!(child.status.success(), "{version}: {}", String::from_utf8_lossy(&child.stderr));
    }
}

fn what_a_driver_says(driver_version: DriverVersion) {
    cuda_sim::install(Config { driver_version, ..Config::default() }).unwrap();
    let config = || Config { driver_version, handles: HandleReuse::AtOnce, ..Config::default() };
    what_is_said(&Two::of(config()), driver_version);
    let primary = |number| Context::primary(device(number)).unwrap();
    let mut two = Two::of(config());
    (two.near, two.far) = (primary(0), primary(1));
    what_is_said(&two, driver_version);
    drop(two);
    contexts_that_end(&Two::of(config()));
}

fn what_is_said(two: &Two, driver_version: DriverVersion) {
    let (far, pinned) = (plain(&two.far), PinnedBuf::<u32>::zeroed(&two.far, 1).unwrap());
    let (managed, pooled) = (managed(&two.far), pooled(&two.far));
    let foreign = |address| foreign(&two.far, address);
    let kinds =
        [far.ptr(), pinned.device_ptr().unwrap(), managed.ptr()].map(|address| foreign(address).kind());
    assert_eq!(kinds, [MemoryKind::Device, MemoryKind::Pinned, MemoryKind::Managed]);
    let memory: [&dyn Memory; 3] = [&foreign(far.ptr()), &far, &far.as_slice()];
    // CUDA 11.2 has pools, but the attribute for the pool of an address came with CUDA 11.3.
    // CUDA 11.0 has no pools: `pooled` is plain memory there.
    let is_told = driver_version != DriverVersion::new(11, 2);
    let of_pool = |access| if is_told { access } else { Access::Unverified };
    assert_eq!(memory.map(|memory| look(&two.near, memory)), [Access::Inaccessible; 3]);
    assert_eq!(look(&two.near, &pooled), of_pool(Access::Inaccessible));
    let _access = two.near.peer_access(&two.far).unwrap();
    // Queries do not change the recorded access.
    for _ in 0..2 {
        assert_eq!(memory.map(|memory| look(&two.near, memory)), [Access::Accessible; 3]);
        assert_eq!(look(&two.near, &pooled), of_pool(Access::Accessible));
        assert!(two.near.peer_access_state(&two.far).recorded().is_some());
        assert_eq!(recorded_access(&two.near, &far).unwrap(), Access::Accessible);
    }
    assert_eq!(look(&two.near, &foreign(managed.ptr())), Access::Accessible);
    let marker =
        kernel::<(DevicePtr<u32>, DevicePtr<u32>)>(&two.near, "mark").with_access_check(AccessCheck::Checked);
    let (to, stream) = (plain(&two.near), Stream::new(&two.near).unwrap());
    // SAFETY: the kernel writes a word of a live buffer.
    unsafe { marker.launch(LaunchConfig::new(1, 1), &stream, (to.ptr(), far.ptr())) }.unwrap();
    // The context's own pool memory is not refused, even if the driver cannot tell its pool.
    let ours = crate::pooled(&two.near);
    ours.stream().synchronize().unwrap();
    // SAFETY: as above.
    unsafe { marker.launch(LaunchConfig::new(1, 1), &stream, (ours.ptr(), far.ptr())) }.unwrap();
    stream.synchronize().unwrap();
    assert!(two.near.peer_access_state(&two.far).recorded().is_some());
}

/// A context does not inherit access that was found for an address.
fn contexts_that_end(two: &Two) {
    for _ in 0..4 {
        let far = own(1);
        let memory = plain(&far);
        assert_eq!(recorded_access(&two.near, &memory.as_slice()).unwrap(), Access::Inaccessible);
        {
            let _entered = two.near.enter().unwrap();
            cuda_suite::call!(cuda_sys::cuCtxEnablePeerAccess(far.as_raw(), 0));
        }
        assert_eq!(look(&two.near, &memory.as_slice()), Access::Accessible);
    }
}
