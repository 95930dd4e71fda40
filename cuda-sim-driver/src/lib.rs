//! The software driver as a shared library in the place of `libcuda.so.1`, for programs that are not written in
//! Rust, or that are compiled already.
//!
//! ```text
//! cargo build --release -p cuda-sim-driver
//! ln -s libcuda_sim_driver.so target/release/libcuda.so.1
//! LD_LIBRARY_PATH=target/release CUDA_SIM=devices=4,version=12.4 ./program
//! ```
//!
//! Built so, it may need the glibc of the machine that builds it. `cargo zigbuild` builds a library that needs glibc 2.17 or
//! newer, as libraries for manylinux2014 do. A test compares the versions of the symbols that this library needs.
//!
//! ```text
//! pip install cargo-zigbuild ziglang
//! cargo zigbuild --release -p cuda-sim-driver --target x86_64-unknown-linux-gnu.2.17
//! ```
//!
//! Under Windows it is `cuda_sim_driver.dll`. Programs find it beside themselves under the name `nvcuda.dll`:
//!
//! ```text
//! rustup target add x86_64-pc-windows-gnu
//! cargo build --release -p cuda-sim-driver --target x86_64-pc-windows-gnu
//! ```
//!
//! It exports the functions that the driver for CUDA 13.0 has, or, built with `CUDA_SIM_EXPORTS=12.2` in the
//! environment, those that the driver for that release has: first versions of functions that were replaced before
//! CUDA 11 are left out where their arguments were others, and so are the graphics interfaces.
//!
//! `CUDA_SIM` and `CUDA_VISIBLE_DEVICES` in the program's environment say what the machine is like, as
//! [`cuda_sim::Config::from_env`] describes it. Without `version` in it, the driver is that of the release that is
//! exported. Functions that the release that it names does not have answer `CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER`. If a
//! variable is wrong, the standard error says why, and every function answers `CUDA_ERROR_SYSTEM_NOT_READY`. Both are
//! read once, at the first call.

#![deny(unsafe_code)]

mod exports;
#[cfg(target_os = "linux")]
mod output;

use cuda_sim::Config;
use cuda_sys::{Driver, DriverVersion};
use std::io::Write;
use std::panic::catch_unwind;
use std::sync::OnceLock;

/// The driver, made at the first call; none if it cannot be configured as wanted.
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
    // The release that is exported, unless the program is to see another.
    let driver_version = DriverVersion(env!("EXPORTED_RELEASE").parse().map_err(|_| "an unknown release")?);
    let config = Config { driver_version, ..Config::default() };
    config.with_env().map_err(|error| error.to_string())
}

/// That the standard error may be closed does not matter.
fn say(reason: &str) {
    let line = format!("cuda-sim: {reason}: every function answers CUDA_ERROR_SYSTEM_NOT_READY\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}
