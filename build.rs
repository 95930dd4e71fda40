//! Does nothing, unless the feature `regenerate` is on: then it rewrites the raw bindings.
//!
//! ```text
//! CUDA_HEADER_DIR=/usr/local/cuda/include cargo build --features regenerate
//! ```
//!
//! It needs libclang (`LIBCLANG_PATH` says where) and a directory with `cuda.h`, `cudaGL.h`, `cudaEGL.h`,
//! `cudaVDPAU.h`, their `…Typedefs.h` and `nvrtc.h` of one CUDA release, nothing else: no compiler, no toolkit, no
//! network. `NVRTC_HEADER_DIR` names the directory of `nvrtc.h` where that is another one. `scripts/fetch` gets all.
//! With `CUDA_SYS_CHECK=1` it writes nothing and fails if the committed files differ.

// A generator has one way to fail: it says why and stops the build.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used, clippy::missing_panics_doc)]

#[cfg(feature = "regenerate")]
#[path = "generator/main.rs"]
mod generator;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "regenerate")]
    generator::run();
}
