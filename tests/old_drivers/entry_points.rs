//! `cuGetProcAddress` of real drivers, and of the software driver that poses as one of the same release. Both give the same
//! function, or the same refusal. Every base name and a sample of exact names are tried, with every
//! release and the flags 0 to 3. Unknown flags are tried with `cuInit`.

use crate::real;
use core::ffi::{CStr, c_void};
use cuda_sim::{Config, Machine};
use cuda_suite::skip;
use cuda_sys::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CString;
use std::path::Path;
use std::ptr::NonNull;

/// Returns all names, bound or not.
fn names() -> BTreeSet<&'static CStr> {
    let table = include_str!("../../generator/symbols.tsv");
    let names = table.lines().skip(1).map(|line| line.split('\t').next().unwrap());
    names.map(|name| &*Box::leak(CString::new(name).unwrap().into_boxed_c_str())).collect()
}

/// Names by address. In a library, one function may have several names.
type Names = BTreeMap<usize, BTreeSet<&'static CStr>>;

fn addresses(find: impl Fn(&'static CStr) -> Option<NonNull<c_void>>) -> Names {
    let mut addresses = Names::new();
    for name in names() {
        if let Some(address) = find(name) {
            addresses.entry(address.as_ptr().addr()).or_default().insert(name);
        }
    }
    addresses
}

/// Answer of `cuGetProcAddress` (code and function found), and of `cuGetProcAddress_v2` (also the
/// status) if the driver has it.
#[derive(Debug, PartialEq)]
struct Answer {
    first: (CUresult, Found),
    second: Option<(CUresult, Found, u32)>,
}

#[derive(Debug)]
enum Found {
    Untouched,
    Null,
    Function(BTreeSet<&'static CStr>),
}

impl PartialEq for Found {
    fn eq(&self, other: &Found) -> bool {
        match (self, other) {
            // Real drivers give a few functions several names; the software driver's is one of them.
            (Found::Function(mine), Found::Function(theirs)) => mine.len() == 1 && mine.is_subset(theirs),
            (mine, theirs) => core::mem::discriminant(mine) == core::mem::discriminant(theirs),
        }
    }
}

fn found(address: *mut c_void, names: &Names) -> Found {
    match address.addr() {
        UNTOUCHED => Found::Untouched,
        0 => Found::Null,
        address => Found::Function(names.get(&address).cloned().unwrap_or_default()),
    }
}

const UNTOUCHED: usize = 0x1234;

fn ask(driver: &Driver, names: &Names, name: &CStr, release: i32, flags: u64) -> Answer {
    let mut address = std::ptr::without_provenance_mut(UNTOUCHED);
    // SAFETY: the name ends, and the address is valid for a write.
    let code = unsafe { (driver.cuGetProcAddress)(name.as_ptr(), &raw mut address, release, flags) };
    let first = (code, found(address, names));
    let second = driver.has(Symbol::cuGetProcAddress_v2).then(|| {
        let mut address = std::ptr::without_provenance_mut(UNTOUCHED);
        let mut status = CUdriverProcAddressQueryResult(77);
        // SAFETY: as above; the status is valid for a write.
        let code = unsafe {
            (driver.cuGetProcAddress_v2)(name.as_ptr(), &raw mut address, release, flags, &raw mut status)
        };
        (code, found(address, names), status.0)
    });
    Answer { first, second }
}

/// Compares the answers of the real and the software driver. Returns the number of queries.
fn compare(path: &Path, driver: &Driver) -> usize {
    let release = driver.version().unwrap();
    let machine = Machine::new(Config { driver_version: release, ..Config::default() });
    let _entered = machine.enter();
    // SAFETY: the software driver's functions.
    let simulated = unsafe { Driver::from_resolver("cuda-sim", cuda_sim::resolve) };
    assert_eq!(simulated.version(), Some(release));
    // SAFETY: the library is open already, and stays so.
    let library =
        unsafe { libc::dlopen(CString::new(path.to_str().unwrap()).unwrap().as_ptr(), libc::RTLD_NOW) };
    assert!(!library.is_null());
    let real_names = addresses(|name| {
        // SAFETY: the library is open, and the name ends.
        NonNull::new(unsafe { libc::dlsym(library, name.as_ptr()) })
    });
    let simulated_names = addresses(cuda_sim::resolve);
    let exported = |names: &Names| names.values().flatten().copied().collect::<BTreeSet<_>>();
    assert_eq!(exported(&simulated_names), exported(&real_names), "both export the same names");

    let mut releases: BTreeSet<i32> = Symbol::all().map(|symbol| symbol.since().0).collect();
    releases.extend([-1, i32::MIN, 0, 1000, 2000, release.0 - 1, release.0 + 1, release.0 + 9, 99990]);
    let mut asked: BTreeSet<CString> =
        Symbol::all().map(|symbol| CString::new(symbol.base_name()).unwrap()).collect();
    let exact = names().into_iter().step_by(7).map(CStr::to_owned);
    asked.extend(exact.chain([c"nonsense".to_owned(), c"".to_owned(), c"cuMemAlloc_v2".to_owned()]));
    let mut questions = 0;
    for name in &asked {
        for &release in &releases {
            for flags in [0, 1, 2, 3] {
                let mine = ask(&simulated, &simulated_names, name, release, flags);
                let theirs = ask(driver, &real_names, name, release, flags);
                assert_eq!(mine, theirs, "{name:?} of {release} with {flags}, {}", path.display());
                questions += 1;
            }
        }
    }
    for flags in [4, 8, u64::MAX] {
        let mine = ask(&simulated, &simulated_names, c"cuInit", release.0, flags);
        assert_eq!(mine, ask(driver, &real_names, c"cuInit", release.0, flags), "{flags}");
    }
    questions
}

#[test]
fn software_driver_finds_the_same_functions() {
    let drivers = real();
    let asked = drivers.iter().filter(|(_, driver)| driver.has(Symbol::cuGetProcAddress));
    let mut none = true;
    for (path, driver) in asked {
        none = false;
        let questions = compare(path, driver);
        println!(
            "{}: {questions} questions, all answered alike",
            path.file_name().unwrap().to_string_lossy()
        );
    }
    if none {
        skip!("CUDA_DRIVER_LIBRARIES lists no library that has the function");
    }
}
