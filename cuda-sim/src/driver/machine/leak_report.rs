//! What is still alive when the process ends, if that is to be told.

#![allow(unsafe_code)]

use crate::driver::machine::Machine;

/// Has the machine of the process tell what is alive when the process ends normally.
pub(crate) fn report_at_the_end() {
    use core::ffi::c_int;
    unsafe extern "C" {
        // Of the C library. Declared here, because this crate would need nothing else of `libc`.
        fn atexit(function: extern "C" fn()) -> c_int;
    }
    extern "C" fn tell() {
        if let Some(text) = Machine::leaks_of_process() {
            crate::console::say(&format!("still alive at the end: {text}"));
        }
    }
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // SAFETY: a function without arguments that does not unwind. It stays as long as this code is loaded: the C
        // library calls the functions of a library when that is unloaded.
        let refused = unsafe { atexit(tell) };
        if refused != 0 {
            crate::console::say("leaks=on: the system has no room for what is to be done at the end");
        }
    });
}
