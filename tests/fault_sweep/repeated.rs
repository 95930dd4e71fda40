//! Failures that a sweep leaves out, because the same function has failed in the same way before.

use cuda_sim::sweep::{Case, FaultKind};
use cuda_sys::CUresult;
use std::cell::RefCell;
use std::collections::HashSet;

/// A code that no header names, of the driver or of NVRTC.
const UNKNOWN: u32 = 9999;

/// The failures of one scenario: the function, and the number of the code.
#[derive(Default)]
pub(crate) struct Failures(RefCell<HashSet<(&'static str, FaultKind, u32)>>);

impl Failures {
    /// Notes a failure. Returns whether it is left out. If a function is called again, the call fails once before its work, once
    /// after it, and once for good.
    pub(crate) fn is_repeated(&self, case: &Case) -> bool {
        let of_nvrtc = case.nvrtc_code().map(|code| code.0);
        let code = case.driver_code().map(|code| code.0).or(of_nvrtc).unwrap_or(UNKNOWN);
        let stands_for_others = match case.kind() {
            FaultKind::Before => code == UNKNOWN,
            FaultKind::After => of_nvrtc.is_some() || code == CUresult::CUDA_ERROR_ILLEGAL_ADDRESS.0,
            _ => true,
        };
        !self.0.borrow_mut().insert((case.function(), case.kind(), code)) && !stands_for_others
    }
}
