//! PTX that the software driver refuses, and its messages, compared with NVIDIA's assembler.
//!
//! `CUDA_PTXAS` lists the paths of `ptxas` programs, with colons between (`scripts/fetch` gets some). Each program checks
//! the instructions of `forms.rs`, one a line, and so does the software driver as the driver of the same release. Both must
//! accept a form, or both must refuse it. The number of different messages is printed.
//!
//! | variable | meaning |
//! |---|---|
//! | `PTXAS_STEP` | A run checks one form in so many, by default 307. The first form differs from header to header. With 1, a run checks all forms, which takes some minutes a header |
//! | `PTXAS_HEADER` | the only header to check, such as `7.8/sm_90` |
//! | `PTXAS_DIFFERENCES` | a file for all differences, also those of the words |

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, unsafe_code)]

mod assembler;
mod forms;
mod known;

use assembler::{Assembler, Difference, Header};
use cuda_suite::skip;
use forms::Family;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Versions and targets of several ages.
const HEADERS: [(&str, &str); 9] = [
    ("1.4", "sm_10"),
    ("1.4", "sm_13"),
    ("2.0", "sm_20"),
    ("3.2", "sm_20"),
    ("5.0", "sm_60"),
    ("6.4", "sm_70"),
    ("7.8", "sm_80"),
    ("7.8", "sm_90"),
    ("9.0", "sm_90"),
];

fn assemblers() -> Vec<Assembler> {
    let Some(listed) = std::env::var_os("CUDA_PTXAS").filter(|listed| !listed.is_empty()) else {
        return Vec::new();
    };
    std::env::split_paths(&listed).map(Assembler::new).collect()
}

/// Differences that were found under one header.
#[derive(Debug, Default)]
struct Outcome {
    forms: usize,
    words: usize,
    lacking: usize,
    known: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
    table: String,
}

impl Outcome {
    fn add(&mut self, family: &str, difference: &Difference) {
        let Difference { form, theirs, ours } = difference;
        let both = format!("{family}: {form} | {} | {}", theirs.join(" / "), ours.join(" / "));
        let _ = writeln!(self.table, "{both}");
        match (theirs.is_empty(), ours.is_empty()) {
            (false, false) => self.words += 1,
            // The software driver takes such a module, and refuses the launch.
            _ if difference.is_lacking() => self.lacking += 1,
            _ => match known::reason(difference) {
                Some(reason) => *self.known.entry(reason).or_default() += 1,
                None => self.wrong.push(both),
            },
        }
    }
}

fn compare(
    assembler: &Assembler,
    families: &[Family],
    header: &Header,
    step: usize,
    first: usize,
) -> Outcome {
    let mut outcome = Outcome::default();
    for family in families {
        let forms: Vec<String> = family.forms.iter().skip(first).step_by(step).cloned().collect();
        outcome.forms += forms.len();
        for difference in assembler.compare(header, &forms) {
            outcome.add(&family.name, &difference);
        }
    }
    outcome
}

#[test]
fn forms_are_taken_and_refused_as_by_ptxas() {
    let assemblers = assemblers();
    if assemblers.is_empty() {
        skip!("CUDA_PTXAS lists no ptxas");
    }
    let step = std::env::var("PTXAS_STEP").map_or(307, |step| step.parse().unwrap());
    let only = std::env::var("PTXAS_HEADER").ok();
    let families = forms::families();
    let (mut wrong, mut table, mut forms) = (Vec::new(), String::new(), 0);
    for assembler in &assemblers {
        for (index, (version, target)) in HEADERS.into_iter().enumerate() {
            let header = Header::new(version, target);
            if only.as_ref().is_some_and(|only| *only != header.name()) {
                continue;
            }
            if !assembler.knows(&header) {
                println!("ptxas {}: {} is not known", assembler.release, header.name());
                continue;
            }
            let outcome = compare(assembler, &families, &header, step, index * 7 % step);
            forms += outcome.forms;
            println!(
                "ptxas {}, {}: {} forms, {} judged differently, {} known, {} lacking, {} in other words",
                assembler.release,
                header.name(),
                outcome.forms,
                outcome.wrong.len(),
                outcome.known.values().sum::<usize>(),
                outcome.lacking,
                outcome.words
            );
            for (reason, count) in outcome.known {
                println!("    {count}: {reason}");
            }
            let whole = format!("ptxas {}, {}", assembler.release, header.name());
            wrong.extend(outcome.wrong.into_iter().map(|text| format!("{whole}, {text}")));
            table += &format!("# {whole}\n{}", outcome.table);
        }
    }
    if let Some(path) = std::env::var_os("PTXAS_DIFFERENCES") {
        std::fs::write(path, table).unwrap();
    }
    assert!(forms > 0, "no form was compared: no ptxas accepts a header, or PTXAS_HEADER names none");
    assert!(wrong.is_empty(), "{} forms are judged differently:\n{}", wrong.len(), wrong.join("\n"));
}
