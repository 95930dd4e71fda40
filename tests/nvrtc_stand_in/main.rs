//! Failures of NVRTC's calls, and the cache of compiled programs, with a compiler in NVRTC's place. Runs on the software driver
//! only.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod cache;
mod cache_files;
#[cfg(unix)]
mod cache_folder;
mod declared;
mod failures;
mod stand_in;

use cuda_rt::Context;
use cuda_rt::nvrtc::{Cache, Program};

/// A context of the software driver, whatever `CUDA_DRIVER` says: what the stand-in makes is no machine code.
fn context() -> Context {
    cuda_sim::install_once().unwrap();
    stand_in::install();
    Context::primary(cuda_rt::Device::get(0).unwrap()).unwrap()
}

/// A program that the stand-in compiles, with two kernels, which is not cached.
fn program() -> Program {
    stand_in::install();
    Program::new("extern \"C\" __global__ void plain() {} template <typename T> __global__ void shaped() {}")
        .header("h.h", "// nothing")
        .name_expression("shaped<float>")
        .cache(Cache::off())
}
