//! The software driver poses as the driver of any release, and its devices as others: later features are refused.
//!
//! Each case has machines of its own; a function that is newer than the machine's release answers as a missing one.

#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]

mod profiles;
mod releases;

use core::ffi::c_int;
use core::ptr::null_mut;
use cuda_sim::{Config, Machine};
use cuda_sys::*;

const OK: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// The process's driver has every function, so that machines of all releases can be tried.
fn machine(config: Config) -> Machine {
    static NEWEST: std::sync::Once = std::sync::Once::new();
    NEWEST.call_once(|| {
        cuda_sim::install(Config { driver_version: DriverVersion::new(13, 5), ..Config::default() }).unwrap();
    });
    Machine::new(config)
}

fn make_context() {
    let mut context = null_mut();
    // SAFETY: no flags, as the API demands.
    assert_eq!(unsafe { cuInit(0) }, OK);
    // SAFETY: `context` is valid for a write.
    assert_eq!(unsafe { cuDevicePrimaryCtxRetain(&raw mut context, 0) }, OK);
    // SAFETY: the context is alive.
    assert_eq!(unsafe { cuCtxSetCurrent(context) }, OK);
}

fn device_attribute(attribute: CUdevice_attribute_enum) -> Result<c_int, CUresult> {
    let mut value = -7;
    // SAFETY: `value` is valid for a write.
    let answer = unsafe { cuDeviceGetAttribute(&raw mut value, attribute, 0) };
    if answer.is_success() { Ok(value) } else { Err(answer) }
}

fn load(ptx: &str) -> Result<CUmodule, CUresult> {
    let text = std::ffi::CString::new(ptx).unwrap();
    let mut module = null_mut();
    // SAFETY: `module` is valid for a write, and the text ends.
    let answer = unsafe { cuModuleLoadData(&raw mut module, text.as_ptr().cast()) };
    if answer.is_success() { Ok(module) } else { Err(answer) }
}

fn empty_kernel(version: (u32, u32), target: u32) -> String {
    format!(
        ".version {}.{}\n.target sm_{target}\n.address_size 64\n.visible .entry k() {{ ret; }}\n",
        version.0, version.1
    )
}
