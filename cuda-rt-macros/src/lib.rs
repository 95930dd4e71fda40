//! The macros of `cuda-rt`: kernel arguments, and kernels that the compiler checks. Programs use them through `cuda-rt` with the
//! feature `macros`.

#![deny(unsafe_code)]

mod kernel_arg;
mod kernels;

use proc_macro::TokenStream;

/// Implements `cuda_rt::launch::KernelArg` for a structure or an enumeration. The trait documents the macro.
#[proc_macro_derive(KernelArg, attributes(kernel_arg))]
pub fn derive_kernel_arg(input: TokenStream) -> TokenStream {
    kernel_arg::expand(input.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Declares kernels. `cuda_rt::kernels!` documents the macro.
#[proc_macro]
pub fn kernels(input: TokenStream) -> TokenStream {
    kernels::expand(input.into()).into()
}
