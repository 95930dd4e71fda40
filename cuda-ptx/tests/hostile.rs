//! Texts and names that would take much time or memory.

#![allow(clippy::unwrap_used, clippy::panic)]

use cuda_ptx::mangle::decode;
use cuda_ptx::{declarations, entries};

/// Returns the processor time of this thread, in seconds. 0 where the system does not tell it.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ')
        .next()
        .and_then(|first| first.parse().ok())
        .map_or(0.0, |nanoseconds: f64| nanoseconds / 1e9)
}

#[test]
fn hostile_names_end_quickly() {
    let doubling: String = ["_Z1f1AIiiES_IS0_S0_E".to_owned()]
        .into_iter()
        .chain((1..30).map(|n| {
            let last = std::char::from_digit(n, 36).unwrap().to_ascii_uppercase();
            format!("S_IS{last}_S{last}_E")
        }))
        .collect();
    let packs = format!("_Z1fIJ{}EEv{}i", "i".repeat(1000), "DpT_".repeat(1000));
    let chain: String = ["_Z1fPi".to_owned()].into_iter().chain((0..30).map(|_| "PS_".to_owned())).collect();
    assert!(decode(&chain).is_some());
    let hostile = [
        doubling,
        packs,
        format!("_Z1f{}i", "P".repeat(100_000)),
        format!("_Z1f{}", "A1_".repeat(100_000)),
        format!("_Z1f{}", "1AI".repeat(100_000)),
        format!("_Z1f{}", "F".repeat(100_000)),
        format!("_ZN{}", "1a".repeat(100_000)) + "Ev",
        format!("_Z1f{}v", "B1a".repeat(100_000)),
        format!("_Z1f{}", "i".repeat(600_000)),
        format!("_Z1fI{}Evv", "J".repeat(100_000)),
        format!("_Z1fI{}Evv", "Li0E".repeat(250_000)) + "?",
        format!("_Z1fIJ{}EEv{}i", "i".repeat(250_000), "DpT_".repeat(62_500)),
        format!("_Z1fILi{}EEv1AI{}E", "1".repeat(400_000), "XT_E".repeat(100_000)),
    ];
    for name in hostile {
        let start = processor_seconds();
        assert_eq!(decode(&name), None, "{}", &name[..40]);
        assert!(processor_seconds() - start < 2.0, "{}", &name[..40]);
    }
}

#[test]
fn hostile_texts_end_quickly() {
    let start = processor_seconds();
    let variables = format!(".version 6.4\n{};", ".global .u32 a = ".repeat(20_000));
    declarations(&variables).unwrap_err();
    let debug = format!(".version 1.3\n{}", "# 5\n.entry a {\n# 5\n@@DWARF\n# 5\n}\n".repeat(20_000));
    assert_eq!(entries(&debug).filter(Result::is_ok).count(), 20_000);
    assert!(processor_seconds() - start < 5.0);
}
