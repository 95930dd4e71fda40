//! What was read off the headers besides the bindings, as data: facts of each function, and the releases that brought
//! each number.

mod others;
mod returns;
pub(crate) mod since;
mod twins;

pub(crate) use others::for_each_other;
pub(crate) use returns::for_each_return;
pub(crate) use twins::for_each_twin;
