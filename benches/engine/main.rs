//! The speed of kernels on the software driver, compared with C that does the same work on one core.
//!
//! ```text
//! cargo bench --bench engine
//! cargo bench --bench engine -- saxpy sort 5     # two kernels, five rounds
//! cargo bench --bench engine -- --alone saxpy    # only one thread with vector instructions, for a profiler
//! ```
//!
//! Each time is the best of many. Times of one thread are processor times, so that a busy machine changes them little. The
//! variants and the C program take turns, so that the remaining disturbance meets all of them. Instructions are those of the PTX
//! text, counted for each thread that executes them. The C program is `native.c`, compiled by `cc -O2 -ffp-contract=off` when this
//! runs.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic, unsafe_code)]

mod clock;
mod kernels;

use clock::Clock;
use cuda_rt::{Context, Device, Stream};
use cuda_sim::{Config, Machine};
use kernels::{Case, cases, empty};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The argument with which a process of this program measures its own start.
const START: &str = "--start";

/// The word that leaves out everything but one thread with vector instructions.
const ALONE: &str = "--alone";

/// The C program, if there is a compiler.
fn compile() -> Option<PathBuf> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/engine/native.c");
    let program = PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/engine_c"));
    let compiled = Command::new("cc")
        .args(["-O2", "-ffp-contract=off", "-o"])
        .args([program.as_os_str(), source.as_ref(), "-lm".as_ref()])
        .status()
        .is_ok_and(|status| status.success());
    compiled.then_some(program)
}

/// Runs a kernel of the C program: nanoseconds, and the total of the result.
fn run_c(program: &Path, kernel: &str) -> (f64, f64) {
    let output = Command::new(program).args(["3", kernel]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let Some((time, total)) = text.trim().split_once(' ') else {
        panic!("the C program does not know {kernel}");
    };
    (time.parse().unwrap(), total.parse().unwrap())
}

/// Kernels on a machine of their own.
struct Variant {
    machine: Machine,
    /// The clock: the wall clock if there are several threads.
    clock: fn() -> Clock,
    cases: Vec<Case>,
    empty: Case,
}

impl Variant {
    fn new(config: Config, chosen: impl Fn(&str) -> bool) -> Self {
        let clock = if config.host_threads == 1 { Clock::processor } else { Clock::wall };
        let machine = Machine::new(config);
        let entered = machine.enter();
        let stream = first_stream();
        let (cases, empty) = (cases(&stream, chosen), empty(&stream));
        drop(entered);
        Self { machine, clock, cases, empty }
    }

    /// The instructions that the threads of each kernel execute in a launch.
    fn count(&self) -> Vec<u64> {
        let _entered = self.machine.enter();
        self.machine.count_instructions();
        let count = |case: &Case| {
            (case.launch)(self.clock);
            self.machine.take_launch_counts().total.thread_instructions
        };
        self.cases.iter().map(count).collect()
    }
}

fn first_stream() -> Stream {
    // SAFETY: no flags, as the API demands.
    assert!(unsafe { cuda_sys::cuInit(0) }.is_success());
    Stream::new(&Context::primary(Device::get(0).unwrap()).unwrap()).unwrap()
}

/// The nanoseconds that a new process takes to install the driver and to make a context and a stream.
fn start_of_a_process() -> f64 {
    let program = std::env::current_exe().unwrap();
    let output = Command::new(program).arg(START).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

fn main() {
    let clock = Clock::wall();
    cuda_sim::install_once().unwrap();
    if std::env::args().any(|word| word == START) {
        first_stream();
        println!("{}", clock.nanoseconds());
        return;
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let (rounds, names): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.parse::<u32>().is_ok());
    let rounds = rounds.first().map_or(20, |word| word.parse().unwrap());
    let chosen = |name: &str| names.is_empty() || names.iter().any(|word| *word == name);
    let one = Config { host_threads: 1, ..Config::default() };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    // With vector instructions, without them, and with them on all processors.
    let configs = [
        one.clone(),
        Config { vector_instructions: false, ..one.clone() },
        Config { host_threads: threads, ..one.clone() },
    ];
    let alone = std::env::args().any(|word| word == ALONE);
    let configs = configs.into_iter().take(if alone { 1 } else { 3 });
    let variants: Vec<Variant> = configs.map(|config| Variant::new(config, chosen)).collect();
    let program = if alone { None } else { compile() };
    if program.is_none() && !alone {
        println!("there is no C compiler: that column is left out");
    }
    let mut best = vec![[f64::INFINITY; 4]; variants[0].cases.len()];
    let (mut empty, mut start) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds {
        if !alone {
            start = start.min(start_of_a_process());
        }
        for (index, best) in best.iter_mut().enumerate() {
            for _ in 0..3 {
                for (variant, best) in variants.iter().zip(&mut *best) {
                    let entered = variant.machine.enter();
                    *best = best.min((variant.cases[index].launch)(variant.clock));
                    drop(entered);
                }
            }
            let Some(program) = &program else { continue };
            let (time, total) = run_c(program, variants[0].cases[index].name);
            best[3] = best[3].min(time);
            for case in variants.iter().map(|variant| &variant.cases[index]) {
                let difference = (case.result - total).abs();
                let name = case.name;
                assert!(
                    difference <= case.total.tolerance() * total,
                    "{name}: {} and {total} in C",
                    case.result
                );
            }
        }
        let entered = variants[0].machine.enter();
        for _ in 0..1000 {
            empty = empty.min((variants[0].empty.launch)(Clock::wall));
        }
        drop(entered);
    }
    report(&variants, rounds, threads, &best);
    println!("launch of an empty kernel, and the wait for it: {:.2} µs", empty / 1e3);
    println!("start of a process, up to its first stream: {:.2} ms", start / 1e6);
    for Variant { machine, cases, empty, .. } in variants {
        // The cases hold objects of the machine.
        let entered = machine.enter();
        drop((cases, empty));
        drop(entered);
    }
}

fn report(variants: &[Variant], rounds: u32, threads: usize, best: &[[f64; 4]]) {
    println!("best of {rounds} rounds; ns for each PTX instruction of each thread; ms for the launch");
    println!(
        "{:<13} {:>12} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7}",
        "kernel",
        "instructions",
        "vector",
        "baseline",
        "ms",
        "ms base",
        format!("ms, {threads} thr"),
        "cc -O2 ms",
        "ratio"
    );
    let mut logarithms = 0.0;
    for ((case, instructions), [wide, plain, parallel, native]) in
        variants[0].cases.iter().zip(variants[0].count()).zip(best)
    {
        let each = |time: f64| time / instructions as f64;
        print!("{:<13} {:>12} {:>9.3} {:>9.3}", case.name, instructions, each(*wide), each(*plain));
        print!(" {:>9.3} {:>9.3} {:>9.3}", wide / 1e6, plain / 1e6, parallel / 1e6);
        if native.is_finite() {
            println!(" {:>9.3} {:>7.2}", native / 1e6, wide / native);
        } else {
            println!(" {:>9} {:>7}", "-", "-");
        }
        logarithms += (wide / native).ln();
    }
    if logarithms.is_finite() && !best.is_empty() {
        println!("geometric mean of the ratios: {:.2}", (logarithms / best.len() as f64).exp());
    }
}
