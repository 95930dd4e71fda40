//! The decisions of the guide of access patterns on machines of several kinds, beside the properties of their devices.
//!
//! `patterns` is the guide as a program. It prints its decisions, so it runs in children, which are this program again.

#![allow(clippy::unwrap_used, clippy::panic)]

mod patterns;

use cuda_sim::Config;
use cuda_sys::CUdevice_attribute_enum as Attribute;
use std::process::Command;

/// Machines of the software driver as `CUDA_SIM` describes them, and attributes that their devices lack.
const MACHINES: [(&str, &[Attribute]); 10] = [
    ("profile=h200", &[]),
    ("profile=h200-pageable", &[]),
    ("profile=gh200", &[]),
    ("profile=thor", &[]),
    ("profile=gb10", &[]),
    ("profile=h200-nouva", &[]),
    ("profile=gh200,devices=1", &[]),
    ("profile=h200-pageable,peers=none", &[]),
    ("profile=h200", &[Attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS]),
    ("profile=gh200", &[Attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS]),
];

/// The machine that the child is to have instead of the driver of `CUDA_DRIVER`: its place in [`MACHINES`].
const CASE: &str = "CUDA_SUITE_ACCESS_PATTERNS";

fn config(place: usize) -> Config {
    let (text, lacking) = MACHINES[place];
    let mut config = Config::from_text(text).unwrap();
    for profile in &mut config.profiles {
        *profile = lacking.iter().fold(profile.clone(), |profile, lacks| profile.with_attribute(lacks.0, 0));
    }
    config
}

/// The patterns as a test, so that there is a program to run.
#[test]
#[ignore = "runs in a child process"]
fn child() {
    match std::env::var(CASE) {
        Ok(place) => {
            let (_, _entered) = cuda_suite::raw::machine(config(place.parse().unwrap()));
            patterns::patterns().unwrap();
        }
        Err(_) => {
            cuda_suite::driver();
            patterns::patterns().unwrap();
        }
    }
}

/// Returns the decision for each pattern: on a machine, or on the driver at hand.
fn decisions(machine: Option<usize>) -> Vec<String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--ignored", "--nocapture"]);
    match machine {
        Some(place) => _ = command.env(CASE, place.to_string()),
        None if std::env::var_os("CUDA_DRIVER").is_none() => _ = command.env("CUDA_DRIVER", "sim"),
        None => {}
    }
    let child = command.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success(), "{machine:?}: {out}\n{err}");
    // "3. device memory for the host: copied, because …"
    let decision = |number: usize| {
        let line = out.lines().find(|line| line.starts_with(&format!("{number}. ")));
        let (_, rest) = line.unwrap_or_else(|| panic!("{machine:?}: {out}")).split_once(": ").unwrap();
        rest.split_once(", because ").unwrap().0.to_owned()
    };
    (1..=7).map(decision).collect()
}

/// Returns the decisions that the guide recommends for the configuration of a machine.
fn expected(config: &Config) -> Vec<&'static str> {
    let profile = config.profile(0);
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
fn each_pattern_depends_on_the_devices_features() {
    let mut all = Vec::new();
    for (place, machine) in MACHINES.iter().enumerate() {
        let decisions = decisions(Some(place));
        assert_eq!(decisions, expected(&config(place)), "{machine:?}");
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
    let decisions = decisions(None);
    assert_eq!(decisions[2], "copied");
}
