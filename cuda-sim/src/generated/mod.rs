//! Properties of each function that the generator reads from the headers in addition to the bindings.

mod documented_codes;
mod per_thread_functions;
mod unbound_exports;

pub(crate) use documented_codes::for_each_documented_codes;
pub(crate) use per_thread_functions::for_each_per_thread_function;
pub(crate) use unbound_exports::for_each_unbound_export;
