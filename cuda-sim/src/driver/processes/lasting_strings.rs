//! C strings that stay valid until the process ends.

use crate::collections::SmallSet;
use crate::driver::processes::fork;
use core::ffi::CStr;
use std::ffi::CString;
use std::sync::Mutex;

/// Returns the text as a C string that is valid until the process ends. Equal texts share a C string.
///
/// Programs receive every C string of the driver through this function. A string that belonged to a module, library or
/// program could be freed by another thread while the caller reads it.
pub(crate) fn forever(text: &str) -> &'static CStr {
    static TEXTS: Mutex<SmallSet<&CStr>> = Mutex::new(SmallSet::new());
    let text = CString::new(text).unwrap_or_default();
    let leak = |text: CString| -> &'static CStr { Box::leak(text.into_boxed_c_str()) };
    let Some(mut texts) = fork::lock(&TEXTS) else { return leak(text) };
    if let Some(known) = texts.get(&*text) {
        return known;
    }
    let text = leak(text);
    texts.insert(text);
    text
}
