//! What was read off the headers besides the bindings, as data: facts of each function, and the releases that brought
//! each number.

#[macro_use]
mod returns;
#[macro_use]
mod twins;
pub(crate) mod since;

pub(crate) use returns::for_each_return;
