//! The exports of drivers, compared with the table of symbols.

use crate::{Exports, measured, real, stand_in};
use cuda_suite::skip;
use cuda_sys::{CUresult, Driver, DriverVersion, MissingSymbol, Symbol, SymbolSet};
use std::collections::BTreeSet;

/// Asserts that `Symbol` agrees with a driver about every function.
fn assert_presence(driver: &Driver, what: &str) {
    let release = driver.version().unwrap();
    let mut present = 0;
    for symbol in Symbol::all() {
        let expected = symbol.is_on_this_system() && symbol.since() <= release;
        assert_eq!(driver.has(symbol), expected, "{symbol} in {what}, since {}", symbol.since());
        present += usize::from(expected);
        match driver.missing(symbol) {
            None => assert!(expected),
            Some(missing) => assert!(!expected && !missing.is_unexpected(), "{missing}"),
        }
    }
    println!("{what}: CUDA {release}, {present} of {} functions, as the table says", Symbol::COUNT);
}

#[test]
fn real_drivers_export_the_functions_of_the_table() {
    let drivers = real();
    if drivers.is_empty() {
        skip!("CUDA_DRIVER_LIBRARIES lists no library");
    }
    for (path, driver) in drivers {
        assert_presence(&driver, &path.file_name().unwrap().to_string_lossy());
    }
}

/// The same without real libraries.
#[test]
fn stand_ins_export_the_functions_of_the_table() {
    let here =
        |exports: &Exports| exports.architecture == "x86-64" && exports.release >= DriverVersion::new(11, 0);
    for exports in measured().into_iter().filter(here) {
        let Some(driver) = stand_in(&exports) else { skip!("there is no C compiler, or no folder") };
        assert_presence(&driver, &format!("a stand-in for {}", exports.driver));
    }
}

/// Every exported name of every examined driver, also names without a binding, on both architectures.
#[test]
fn the_table_has_every_name_that_drivers_export() {
    let table = include_str!("../../generator/symbols.tsv");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let drivers = measured();
    assert!(drivers.len() >= 11);
    for Exports { release, driver, architecture, symbols } in drivers {
        let expected = rows.iter().filter(|row| {
            let since: i32 = row[7].strip_prefix("linux ").unwrap_or(row[1]).parse().unwrap();
            let here = row[7] != "windows" && (row[7] != "aarch64-linux" || architecture == "aarch64");
            here && since <= release.0
        });
        let expected: BTreeSet<&str> = expected.map(|row| row[0]).collect();
        assert_eq!(symbols, expected, "{driver} for {architecture}");
    }
}

/// The generated data is that of the table.
#[test]
fn symbols_are_those_of_the_table() {
    let table = include_str!("../../generator/symbols.tsv");
    let mut bound = 0;
    for line in table.lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        let Some(symbol) = Symbol::from_name(row[0]) else {
            assert!(["old", "undocumented"].contains(&row[5]), "{line}");
            continue;
        };
        bound += 1;
        let since = row[7].strip_prefix("linux ").unwrap_or(row[1]);
        assert_eq!(symbol.since().0.to_string(), since, "{symbol}");
        let next = symbol.superseded_by().map_or("-", Symbol::name);
        assert_eq!(next, row[2], "{symbol}");
        let class = match row[3] {
            "none" => cuda_sys::CallClass::NoContext,
            "current" => cuda_sys::CallClass::CurrentContext,
            "handle" => cuda_sys::CallClass::Handle,
            other => panic!("{symbol}: {other}"),
        };
        assert_eq!(symbol.call_class(), class, "{symbol}");
        assert_eq!(symbol.group(), row[4], "{symbol}");
        assert_eq!(symbol.is_deprecated(), row[6] == "yes", "{symbol}");
        assert!(symbol.versions().any(|version| version == symbol), "{symbol}");
        let set = match row[5] {
            "driver" => SymbolSet::Driver,
            "per-thread" => SymbolSet::PerThread,
            "gl" => SymbolSet::Gl,
            "egl" => SymbolSet::Egl,
            "vdpau" => SymbolSet::Vdpau,
            other => panic!("{symbol}: {other}"),
        };
        assert_eq!(symbol.set(), set, "{symbol}");
        // These tests are for Linux on x86-64.
        let here = !["windows", "aarch64-linux"].contains(&row[7]);
        assert_eq!(symbol.is_on_this_system(), here, "{symbol}");
        let names = [format!("{symbol}_ptds"), format!("{symbol}_ptsz")];
        let twin = names.iter().find_map(|name| Symbol::from_name(name));
        assert_eq!(symbol.per_thread_twin(), twin, "{symbol}");
        if let Some(twin) = twin {
            assert_eq!(twin.twin_of(), Some(symbol));
            assert_eq!(twin.base_name(), symbol.base_name());
        }
    }
    assert_eq!(bound, Symbol::COUNT);
    let titles = include_str!("../../generator/chapters.tsv");
    for symbol in Symbol::all() {
        assert!(titles.contains(&format!("\n{}\t{}\n", symbol.group(), symbol.chapter())), "{symbol}");
    }
}

/// The message for a function that an old driver lacks. Calling it is an error like any other.
#[test]
fn an_old_driver_says_which_release_has_a_function() {
    let drivers = real();
    let symbol = Symbol::cuEventElapsedTime_v2;
    let old =
        drivers.iter().filter(|(_, driver)| driver.version().is_some_and(|release| release < symbol.since()));
    let Some((path, driver)) = old.min_by_key(|(_, driver)| driver.version()) else {
        skip!("CUDA_DRIVER_LIBRARIES lists no library that lacks {symbol}");
    };
    let release = driver.version().unwrap();
    let missing = driver.missing(symbol).unwrap();
    assert_eq!(missing, MissingSymbol { symbol, driver: Some(release) });
    let text = missing.to_string();
    println!("{}: {text}", path.file_name().unwrap().to_string_lossy());
    assert_eq!(
        text,
        format!("{symbol} needs a driver for CUDA 12.8 or newer; the loaded one is for CUDA {release}")
    );
    let null = std::ptr::null_mut::<u8>();
    // SAFETY: the slot holds a stub, which ignores its arguments.
    let code = unsafe { (driver.cuEventElapsedTime_v2)(null.cast(), null.cast(), null.cast()) };
    assert_eq!(code, CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER);
    // And one that it has answers for itself: no GPU is here, or else it works.
    // SAFETY: the flags are 0, as the API demands.
    let code = unsafe { (driver.cuInit)(0) };
    assert_ne!(code, CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER);
}
