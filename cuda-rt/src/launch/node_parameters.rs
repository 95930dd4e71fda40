//! Arguments of kernels that become nodes of graphs.

use super::LaunchArgs;
use super::args::sealed::Parameters;
use super::host_slices::HostTransfers;
use crate::error::Result;
use core::ffi::c_void;
use cuda_sys::Symbol;

/// Calls `run` with the list of the addresses of the parameters.
pub(crate) fn with_parameters<A, R>(
    args: impl LaunchArgs<A, ()>,
    run: impl FnOnce(*mut *mut c_void) -> Result<R>,
) -> Result<R> {
    // Without a stream, no argument is host memory or has a home stream.
    let mut transfers = HostTransfers::new(Symbol::cuGraphAddKernelNode_v2);
    let (parameters, _) = args.into_parameters(&(), &mut transfers)?;
    let mut pointers = parameters.pointers();
    run(pointers.as_mut().as_mut_ptr())
}
