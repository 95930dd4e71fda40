//! What the example `access_patterns` decides on machines of several kinds, beside what their devices are said to have.
//!
//! A process has one driver, so the example runs in children, which are this program again.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../examples/access_patterns.rs"]
mod example;

use cuda_sim::Config;
use cuda_sys::CUdevice_attribute_enum as Attribute;
use std::process::Command;

/// What a machine of the software driver is like, each a line of `CUDA_SIM`.
const MACHINES: [&str; 6] = [
    "profile=h200",
    "profile=h200-pageable",
    "profile=gh200",
    "profile=h200-nouva",
    "profile=gh200,devices=1",
    "profile=h200-pageable,peers=none",
];

/// The example as a test, so that there is a program to run.
#[test]
#[ignore = "runs in a child process"]
fn child() {
    example::main().unwrap();
}

/// What the example decides for each pattern, on a driver and a machine.
fn decisions(driver: &str, machine: &str) -> Vec<String> {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env("CUDA_DRIVER", driver)
        .env("CUDA_SIM", machine)
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success(), "{machine}: {out}\n{err}");
    // "3. device memory for the host: copied, because …"
    let decision = |number: usize| {
        let line = out.lines().find(|line| line.starts_with(&format!("{number}. ")));
        let (_, rest) = line.unwrap_or_else(|| panic!("{machine}: {out}")).split_once(": ").unwrap();
        rest.split_once(", because ").unwrap().0.to_owned()
    };
    (1..=7).map(decision).collect()
}

/// What the guide says to decide, by what the machine is configured to be.
fn expected(machine: &str) -> Vec<&'static str> {
    let config = Config::from_text(machine).unwrap();
    let profile = config.profile(0).clone();
    let has = |attribute: Attribute| profile.attribute(attribute.0).is_some_and(|value| value > 0);
    let pageable = has(Attribute::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS);
    let unified = has(Attribute::CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING);
    let in_place = |is_reached| if is_reached { "used in place" } else { "copied" };
    let managed = if !has(Attribute::CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY) {
        "copied"
    } else if has(Attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS) {
        "used in place"
    } else {
        "attached to the host first"
    };
    let atomics = if pageable && has(Attribute::CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED) {
        "one counter"
    } else {
        "a counter for each side"
    };
    let peers = match config.devices {
        1 => "left out",
        _ if unified && config.peers == cuda_sim::Peers::All => {
            "plain used in place, of a pool used in place"
        }
        _ => "plain copied, of a pool copied",
    };
    let checked = if pageable { "launched" } else { "refused" };
    vec![in_place(pageable), in_place(unified || pageable), "copied", managed, atomics, peers, checked]
}

#[test]
fn each_pattern_is_decided_by_what_the_device_has() {
    let mut all = Vec::new();
    for machine in MACHINES {
        let decisions = decisions("sim", machine);
        assert_eq!(decisions, expected(machine), "{machine}");
        all.push(decisions);
    }
    // Each pattern but the third is decided in more than one way.
    for pattern in [0, 1, 3, 4, 5, 6] {
        assert!(all.iter().any(|decisions| decisions[pattern] != all[0][pattern]), "{pattern}");
    }
}

/// On hardware, if that is what the tests run on.
#[test]
fn all_patterns_run_on_the_driver_at_hand() {
    let driver = std::env::var("CUDA_DRIVER").unwrap_or_else(|_| "sim".to_owned());
    let decisions = decisions(&driver, &std::env::var("CUDA_SIM").unwrap_or_default());
    assert_eq!(decisions[2], "copied");
}
