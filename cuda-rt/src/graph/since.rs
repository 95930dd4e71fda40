//! Features of graphs that are newer than their functions.

use crate::error::{Error, ErrorKind, Result};
use crate::handle::ensure_not_in_host_function;
use cuda_sys::{DriverVersion, Symbol};

/// Refuses a feature for which the driver is too old.
pub(super) fn ensure_since(call: Symbol, feature: &str, since: DriverVersion) -> Result<()> {
    ensure_not_in_host_function(call)?;
    let driver = crate::driver_version()?;
    if driver >= since {
        return Ok(());
    }
    let name = call.name();
    Err(Error::refused(
        ErrorKind::FunctionMissing,
        name,
        format_args!("feature `{feature}` of {name} needs CUDA {since}, the driver is for CUDA {driver}"),
    ))
}
