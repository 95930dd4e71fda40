//! What was read off the headers besides the bindings, as data: facts of each function, and the releases that brought
//! each number.

mod documented_codes;
mod per_thread_functions;
pub(crate) mod since;
mod unbound_exports;

pub(crate) use documented_codes::for_each_documented_codes;
pub(crate) use per_thread_functions::for_each_per_thread_function;
pub(crate) use unbound_exports::for_each_unbound_export;
