//! Where the library is that cargo builds for the tests.

use std::path::PathBuf;

/// Beside the test's own program.
pub(crate) fn path() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    program.parent().unwrap().join("libcuda_sim_driver.so")
}
