//! A layer in front of the software driver: it records each thread's calls, and lets one fail.

use core::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};
use core::ptr::NonNull;
use cuda_rt::error::Code;
use cuda_sys::*;
use std::cell::{Cell, RefCell};
use std::sync::OnceLock;

/// The failure of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fault {
    /// The driver does nothing and returns the code.
    Refused(Code),
    /// The driver does its work and returns the code all the same, as for a failure of earlier work.
    Late(Code),
}

impl Fault {
    pub(crate) fn code(self) -> Code {
        match self {
            Fault::Refused(code) | Fault::Late(code) => code,
        }
    }
}

/// A recorded call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub(crate) symbol: Symbol,
}

/// Says of each call of a thread, counted from 0, whether and how it fails.
pub(crate) type Plan = Box<dyn FnMut(usize, Symbol) -> Option<Fault>>;

struct Recorder {
    calls: Vec<Call>,
    plan: Plan,
}

/// A function to call after a call.
type After = Option<(Symbol, fn())>;

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
    /// A function that this thread calls when the driver has done a call, before the call returns.
    static AFTER: Cell<After> = const { Cell::new(None) };
}

static BEHIND: OnceLock<Driver> = OnceLock::new();

/// Installs the layer, once.
pub(crate) fn install() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        // SAFETY: the software driver's functions.
        let behind = unsafe { Driver::from_resolver("cuda-sim", cuda_sim::resolve) };
        assert!(BEHIND.set(behind).is_ok());
        // SAFETY: the same functions behind others of their signatures.
        unsafe { cuda_sys::install("a recording layer", layered) }.unwrap();
        cuda_suite::fail_on_internal_errors();
    });
}

/// Runs `work` on a thread of its own, where calls fail as planned. Returns its result and its calls.
pub(crate) fn record<R: Send + 'static>(
    plan: impl FnMut(usize, Symbol) -> Option<Fault> + Send + 'static,
    work: impl FnOnce() -> R + Send + 'static,
) -> (R, Vec<Call>) {
    install();
    let thread = std::thread::spawn(|| {
        RECORDER.set(Some(Recorder { calls: Vec::new(), plan: Box::new(plan) }));
        let result = work();
        (result, RECORDER.take().unwrap().calls)
    });
    thread.join().unwrap()
}

/// Has this thread call a function once, when the driver has done a call, before the call returns.
pub(crate) fn after(symbol: Symbol, function: fn()) {
    AFTER.set(Some((symbol, function)));
}

/// No call fails.
pub(crate) fn no_fault(_: usize, _: Symbol) -> Option<Fault> {
    None
}

fn planned(symbol: Symbol) -> Option<Fault> {
    RECORDER.with_borrow_mut(|recorder| {
        let recorder = recorder.as_mut()?;
        (recorder.plan)(recorder.calls.len(), symbol)
    })
}

fn note(symbol: Symbol) {
    if let Some((after, function)) = AFTER.get()
        && after == symbol
    {
        AFTER.set(None);
        function();
    }
    RECORDER.with_borrow_mut(|recorder| {
        if let Some(recorder) = recorder {
            recorder.calls.push(Call { symbol });
        }
    });
}

macro_rules! layer {
    ($(#[$summary:meta] #[$details:meta] [$group:ident since $since:literal] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
        fn layered(name: &'static CStr) -> Option<NonNull<c_void>> {
            let symbol = Symbol::from_name(name.to_str().unwrap())?;
            BEHIND.get().unwrap().has(symbol).then(|| match symbol {
                $(Symbol::$name => {
                    #[allow(non_snake_case)]
                    unsafe extern "C" fn $name($($argument: $type),*) -> CUresult {
                        let symbol = Symbol::$name;
                        let fault = planned(symbol);
                        let result = match fault {
                            Some(Fault::Refused(code)) => code.as_raw(),
                            Some(Fault::Late(_)) | None => {
                                let function = BEHIND.get().unwrap().$name;
                                // SAFETY: the caller's promise to the driver function.
                                let result = unsafe { function($($argument),*) };
                                fault.map_or(result, |fault| fault.code().as_raw())
                            }
                        };
                        note(symbol);
                        result
                    }
                    NonNull::new(($name as *const ()).cast_mut().cast()).unwrap()
                })*
                // Functions outside of `cuda.h` pass through.
                other => BEHIND.get().unwrap().address(other).unwrap(),
            })
        }
    };
}
for_each_function!(layer);
