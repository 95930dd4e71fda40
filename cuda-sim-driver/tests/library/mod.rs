//! Location of the library that cargo builds for the tests.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::PathBuf;

/// Returns the path of the library, in the folder of the test program.
pub(crate) fn path() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    program.parent().unwrap().join(format!("{DLL_PREFIX}cuda_sim_driver{DLL_SUFFIX}"))
}
