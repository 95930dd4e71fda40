//! The report at the end of the process: live objects, and a schedule that did not fit.

#![allow(unsafe_code)]

use crate::driver::machine::Machine;

/// Makes the machine of the process report when the process ends normally.
pub(crate) fn report_at_the_end() {
    use core::ffi::c_int;
    unsafe extern "C" {
        // A function of the C library, declared here because this crate needs nothing else of `libc`.
        fn atexit(function: extern "C" fn()) -> c_int;
    }
    extern "C" fn tell() {
        for line in Machine::report_of_process() {
            crate::console::say(&line);
        }
    }
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // SAFETY: a function without arguments that does not unwind. It stays as long as this code is loaded, because
        // the C library calls the functions of a library when that library is unloaded.
        let refused = unsafe { atexit(tell) };
        if refused != 0 {
            crate::console::say("the system refused to register the report at the end of the process");
        }
    });
}
