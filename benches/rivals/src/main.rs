//! The operations of `benches/overhead` in other crates, all on one driver and in one run.

#[allow(dead_code)] // what only the other program uses
#[path = "../../overhead/count.rs"]
mod count;
#[path = "../../overhead/heap.rs"]
mod heap;
#[path = "../../overhead/measure.rs"]
mod measure;
#[path = "../../overhead/operations.rs"]
mod operations;
#[path = "../../overhead/report.rs"]
mod report;

mod cuda_core;
mod cudarc;
mod cust;

use core::ffi::{CStr, c_char};
use measure::{Operation, Way};
use report::Run;
use std::sync::Mutex;

#[global_allocator]
static HEAP: heap::Counting = heap::Counting;

/// Begins the arguments of the run that is counted by valgrind.
const COUNTED: &str = "--counted";

/// The ways of another crate, by the name of the operation.
type Ways = Vec<(&'static str, Way<'static>)>;

/// The functions of the driver that does nothing by which it notes calls, if that is the driver.
fn notes() -> Option<(extern "C" fn(), extern "C" fn(extern "C" fn(*const c_char)))> {
    // SAFETY: the driver's library, whichever it is, has been opened by then.
    let library = unsafe { libc::dlopen(c"libcuda.so.1".as_ptr(), libc::RTLD_NOW) };
    // SAFETY: the library stays open.
    let [begin, end] =
        [c"nothing_begin", c"nothing_end"].map(|name| unsafe { libc::dlsym(library, name.as_ptr()) });
    if begin.is_null() || end.is_null() {
        return None;
    }
    // SAFETY: no other library has functions of these names.
    Some(unsafe { (core::mem::transmute(begin), core::mem::transmute(end)) })
}

static NAMES: Mutex<Vec<&'static CStr>> = Mutex::new(Vec::new());

extern "C" fn take(name: *const c_char) {
    if !name.is_null() {
        // SAFETY: the names are the library's, for ever.
        NAMES.lock().unwrap().push(unsafe { CStr::from_ptr(name) });
    }
}

fn main() {
    let setup = operations::Setup::new().unwrap();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |operation: &Operation<'_>| {
        let mut words = words.iter().filter(|word| !word.starts_with('-'));
        words.clone().next().is_none() || words.any(|word| operation.name.contains(word.as_str()))
    };
    let own = [setup.launches(), setup.memory(), setup.streams()].into_iter().flatten();
    let mut operations: Vec<Operation<'_>> = own.filter(wanted).collect();
    for (name, way) in [cudarc::ways(), cust::ways(), cuda_core::ways()].into_iter().flatten() {
        if let Some(operation) = operations.iter_mut().find(|operation| operation.name == name) {
            operation.ways.push(way);
        }
    }
    if words.iter().any(|word| word == COUNTED) {
        return count::run_in_parts(&mut operations);
    }

    let notes = notes();
    let begin = || notes.unwrap().0();
    let end = || {
        notes.unwrap().1(take);
        std::mem::take(&mut *NAMES.lock().unwrap())
    };
    let mut costs = count::costs(&mut operations, notes.is_some().then_some((&begin, &end)));
    setup.settle();
    let folder = std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target"));
    let folder = if folder.is_dir() { folder } else { ".".into() };
    let counter = count::count_here(&mut operations, &mut costs).or_else(|| {
        let child = |command: &mut std::process::Command| {
            command.arg(COUNTED).args(words.iter().filter(|word| !word.starts_with('-')));
        };
        notes.is_some().then(|| count::count_in_child(child, &folder, &mut costs))?
    });
    setup.settle();

    let real = notes.is_none();
    let blocks = if real { 4000 } else { 300 };
    let times: Vec<_> = operations
        .iter_mut()
        .map(|operation| {
            let rounds = if real { operation.real_rounds } else { 1000 };
            measure::times(&mut operation.ways, blocks, rounds, &|| setup.settle())
        })
        .collect();
    let driver = if real { "the machine's driver" } else { "a libcuda.so.1 that does nothing" }.to_owned();
    let run = Run { driver, counter, blocks }.to_json(&operations, &times, &costs);
    report::print(&run);
    std::fs::write(folder.join("rivals.json"), serde_json::to_string_pretty(&run).unwrap() + "\n").unwrap();
    println!("\nwrote rivals.json to {}", folder.display());
}
