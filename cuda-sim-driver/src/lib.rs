//! The software driver as a shared library that replaces `libcuda.so.1`. It serves programs that are not written in
//! Rust, or that are already compiled.
//!
//! ```text
//! cargo build --release -p cuda-sim-driver
//! ln -s libcuda_sim_driver.so target/release/libcuda.so.1
//! LD_LIBRARY_PATH=target/release CUDA_SIM=devices=4,version=12.4 ./program
//! ```
//!
//! This build may need the glibc of the machine that builds it. `cargo zigbuild` builds a library that needs glibc 2.17
//! or newer, as libraries for manylinux2014 do. A test checks the symbol versions that such a library needs.
//!
//! ```text
//! pip install cargo-zigbuild ziglang
//! cargo zigbuild --release -p cuda-sim-driver --target x86_64-unknown-linux-gnu.2.17
//! ```
//!
//! Under Windows the library is `cuda_sim_driver.dll`. A program finds it in its own folder under the name
//! `nvcuda.dll`:
//!
//! ```text
//! rustup target add x86_64-pc-windows-gnu
//! cargo build --release -p cuda-sim-driver --target x86_64-pc-windows-gnu
//! ```
//!
//! The library exports the functions of the driver for CUDA 13.0. If `CUDA_SIM_EXPORTS=12.2` is set during the build,
//! it exports those of the driver for that release. Functions that are not simulated
//! return `CUDA_ERROR_NOT_SUPPORTED`: for example, the graphics interfaces, and first versions of functions that were
//! replaced before CUDA 11 and had other arguments.
//!
//! `CUDA_SIM` and `CUDA_VISIBLE_DEVICES` in the program's environment describe the machine: see
//! [`cuda_sim::Config::from_env`]. Without `version`, the driver has the exported release. With `version`, functions
//! that the named release lacks return `CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER`. If a variable is invalid, the library
//! writes the reason to the standard error, and every function returns `CUDA_ERROR_SYSTEM_NOT_READY`. The first call
//! reads both variables, once.

#![deny(unsafe_code)]

mod exports;
#[cfg(target_os = "linux")]
mod output;

use cuda_sim::Config;
use cuda_sys::{Driver, DriverVersion};
use std::io::Write;
use std::panic::catch_unwind;
use std::sync::OnceLock;

/// Returns the driver, which the first call creates. Returns `None` if the configuration is invalid.
fn driver() -> Option<&'static Driver> {
    static DRIVER: OnceLock<Option<&'static Driver>> = OnceLock::new();
    *DRIVER.get_or_init(|| {
        let driver = catch_unwind(|| {
            let config = configuration()?;
            #[cfg(target_os = "linux")]
            cuda_sim::print_with(output::print);
            cuda_sim::install(config).map_err(|error| error.to_string())
        });
        driver.unwrap_or_else(|_| Err("a panic".to_owned())).map_err(|reason| say(&reason)).ok()
    })
}

fn configuration() -> Result<Config, String> {
    // The exported release, unless the environment names another.
    let driver_version = DriverVersion(env!("EXPORTED_RELEASE").parse().map_err(|_| "an unknown release")?);
    let config = Config { driver_version, ..Config::default() };
    config.with_env().map_err(|error| error.to_string())
}

/// Writes a reason to the standard error. The standard error may be closed, and errors of writing are ignored.
fn say(reason: &str) {
    let line = format!("cuda-sim: {reason}: every function answers CUDA_ERROR_SYSTEM_NOT_READY\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}
