//! The functions that share resources with graphics libraries. They exist, and are not simulated.

#![allow(non_snake_case)]

use crate::driver::entry_points::stubs::address;
use crate::driver::entry_points::unbound_exports::not_simulated;
use core::ffi::{c_uint, c_void};
use core::ptr::NonNull;
use cuda_sys::*;

macro_rules! interface {
    ($interface:ident $(#[$summary:meta] #[$details:meta] [$group:ident since $since:literal] fn $name:ident($($argument:ident: $type:ty),*) -> CUresult;)*) => {
        /// A function with the signature of `symbol` that says that it is not simulated.
        fn $interface(symbol: Symbol) -> Option<NonNull<c_void>> {
            match symbol {
                $(Symbol::$name => {
                    extern "C" fn $name($(_: $type),*) -> CUresult {
                        not_simulated(stringify!($name))
                    }
                    Some(address($name as *const ()))
                })*
                _ => None,
            }
        }
    };
}

macro_rules! gl {
    ($($list:tt)*) => { interface! { gl $($list)* } };
}
for_each_gl_function!(gl);

macro_rules! egl {
    ($($list:tt)*) => { interface! { egl $($list)* } };
}
for_each_egl_function!(egl);

macro_rules! vdpau {
    ($($list:tt)*) => { interface! { vdpau $($list)* } };
}
for_each_vdpau_function!(vdpau);

/// The address of a function of any of them.
pub(crate) fn address_of(symbol: Symbol) -> Option<NonNull<c_void>> {
    gl(symbol).or_else(|| egl(symbol)).or_else(|| vdpau(symbol))
}

#[cfg(test)]
mod tests {
    use super::{Symbol, SymbolSet, address_of};

    #[test]
    fn every_function_is_there() {
        for symbol in Symbol::all() {
            let graphics = matches!(symbol.set(), SymbolSet::Gl | SymbolSet::Egl | SymbolSet::Vdpau);
            assert_eq!(address_of(symbol).is_some(), graphics, "{symbol}");
        }
    }
}
