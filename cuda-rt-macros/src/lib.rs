//! The derive macro of `cuda-rt`'s kernel arguments. Programs use it through `cuda-rt` with the feature `macros`.

#![deny(unsafe_code)]

mod kernel_arg;

use proc_macro::TokenStream;

/// Implements `cuda_rt::launch::KernelArg` for a structure: see there.
#[proc_macro_derive(KernelArg)]
pub fn derive_kernel_arg(input: TokenStream) -> TokenStream {
    kernel_arg::expand(input.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}
