//! Panics of functions of the program.

use std::any::Any;

/// Returns the message of a panic, and leaks its payload.
pub(crate) fn message_of(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a message").to_owned();
    // Its destructor belongs to the program, and may panic, too.
    Box::leak(panic);
    text
}
