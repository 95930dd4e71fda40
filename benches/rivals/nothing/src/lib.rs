//! The driver that does nothing as a shared library, which reports the calls that it got.

#[allow(dead_code)] // finding functions is left to the linker here
#[path = "../../../overhead/nothing.rs"]
mod nothing;

use core::ffi::c_char;
use core::ptr::null;

/// From here on calls are noted.
#[unsafe(no_mangle)]
extern "C" fn nothing_begin() {
    nothing::begin();
}

/// Until here. Hands each name to `take`, then null.
#[unsafe(no_mangle)]
extern "C" fn nothing_end(take: extern "C" fn(*const c_char)) {
    nothing::end().into_iter().for_each(|name| take(name.as_ptr()));
    take(null());
}
