//! The cost of a call beside the driver's own work: function pointers, `cuda-sys`, `cuda-rt`.
//!
//! ```text
//! cargo bench --bench overhead                      # in front of functions that do nothing
//! CUDA_DRIVER=real cargo bench --bench overhead     # in front of the machine's driver
//! cargo bench --bench overhead -- launch            # operations with this word in their names
//! ```
//!
//! The ways to do the same work take turns in blocks. Times are medians with intervals, and so are the differences to the function
//! pointers, pair by pair. The processor counts instructions where the system lets it. Elsewhere valgrind counts them, and also
//! the atomic ones. Allocations on the heap and driver calls are counted one by one.
//!
//! The table at the end has the times with 1, 4 and 16 threads at once, each on its own stream.
//!
//! It writes `target/overhead.json` and `target/overhead.svg`. The results of `benches/rivals` are in them, too.

#![allow(clippy::print_stdout, clippy::unwrap_used, unsafe_code)]

mod count;
mod heap;
mod measure;
mod nothing;
mod operations;
mod plot;
mod report;
mod threads;

use measure::Operation;
use report::Run;
use serde_json::Value;

#[global_allocator]
static HEAP: heap::Counting = heap::Counting;

/// Begins the arguments of the run that is counted by valgrind.
const COUNTED: &str = "--counted";

fn main() {
    let real = std::env::var("CUDA_DRIVER").is_ok_and(|choice| choice == "real");
    if !real {
        // SAFETY: they have the signatures; those that are called here answer what these calls need.
        unsafe { cuda_sys::install("functions that do nothing", nothing::resolve) }.unwrap();
    }
    let setup = operations::Setup::new().unwrap();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |operation: &Operation<'_>| {
        let mut words = words.iter().filter(|word| !word.starts_with('-'));
        words.clone().next().is_none() || words.any(|word| operation.name.contains(word.as_str()))
    };
    let mut operations: Vec<Operation<'_>> = setup.operations().into_iter().filter(wanted).collect();
    if words.iter().any(|word| word == COUNTED) {
        return count::run_in_parts(&mut operations);
    }

    let notes: Option<count::Notes<'_>> = (!real).then_some((&nothing::begin, &nothing::end));
    let mut costs = count::costs(&mut operations, notes);
    setup.settle();
    let folder = report::folder();
    let counter = count::count_here(&mut operations, &mut costs).or_else(|| {
        // The machine's driver takes more than valgrind knows.
        let child = |command: &mut std::process::Command| {
            command.arg(COUNTED).args(words.iter().filter(|word| !word.starts_with('-')));
        };
        (!real).then(|| count::count_in_child(child, &folder, &mut costs))?
    });
    setup.settle();

    let blocks = if real { 4000 } else { 300 };
    let times: Vec<_> = operations
        .iter_mut()
        .map(|operation| {
            let rounds = if real { operation.real_rounds } else { 1000 };
            measure::times(&mut operation.ways, blocks, rounds, &|| setup.settle())
        })
        .collect();
    let driver = cuda_sys::driver().unwrap().origin().to_string();
    let mut run = Run { driver, counter, blocks }.to_json(&operations, &times, &costs);
    let picked: Vec<&str> = operations.iter().map(|operation| operation.name).collect();
    run["threads"] = threads::run(real, &|name| picked.contains(&name)).into();
    report::print(&run);

    let rivals = std::fs::read(folder.join("rivals.json")).ok();
    let rivals: Option<Value> = rivals.and_then(|text| serde_json::from_slice(&text).ok());
    if let Some(rivals) = &rivals {
        println!("\nAnother run, of benches/rivals\n");
        report::print(rivals);
    }
    let runs: Vec<&Value> = [Some(&run), rivals.as_ref()].into_iter().flatten().collect();
    std::fs::write(folder.join("overhead.svg"), plot::svg(&runs)).unwrap();
    let json = serde_json::to_string_pretty(&runs).unwrap();
    std::fs::write(folder.join("overhead.json"), json + "\n").unwrap();
    println!("\nwrote overhead.json and overhead.svg to {}", folder.display());
}
