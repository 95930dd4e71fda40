//! Libraries whose unloading fails.

use crate::layer::{Fault, record};
use crate::{failing, primary};
use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicUsize, Ordering};
use cuda_rt::error::Code;
use cuda_rt::module::{Library, LibraryOptions};
use cuda_suite::reports;
use cuda_sys::Symbol;
use std::alloc::System;

/// A size that nothing else has, in bytes.
const UNUSUAL: usize = 54_321;

/// Counts blocks of memory of [`UNUSUAL`] size.
struct Watch;

#[global_allocator]
static WATCH: Watch = Watch;
static ALLOCATED: AtomicUsize = AtomicUsize::new(0);
static FREED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Watch {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() == UNUSUAL {
            ALLOCATED.fetch_add(1, Ordering::Relaxed);
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if layout.size() == UNUSUAL {
            FREED.fetch_add(1, Ordering::Relaxed);
        }
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

/// The number of live images.
fn images() -> usize {
    ALLOCATED.load(Ordering::Relaxed) - FREED.load(Ordering::Relaxed)
}

/// A text that takes [`UNUSUAL`] bytes as a C string.
fn text() -> String {
    let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; } //";
    // With more capacity, so that this is no such block itself.
    let mut text = String::with_capacity(2 * UNUSUAL);
    text.push_str(ptx);
    text.extend(std::iter::repeat_n('.', UNUSUAL - 1 - ptx.len()));
    text
}

#[test]
fn promised_image_stays_while_the_library_may() {
    primary();
    let load = || Library::from_ptx_with(text(), &LibraryOptions::new().keep_image(true)).unwrap();
    let library = load();
    assert_eq!(images(), 1);
    drop(library);
    assert_eq!(images(), 0, "with the library");
    let library = load();
    let reports = reports(|| {
        let plan = failing(Symbol::cuLibraryUnload, 0, Fault::Refused(Code::LaunchTimeout));
        record(plan, move || drop(library));
    });
    assert!(reports.iter().any(|report| report.starts_with("cuLibraryUnload: ")), "{reports:?}");
    assert_eq!(images(), 1, "the library is loaded still");
}
