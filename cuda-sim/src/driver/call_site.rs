//! Which call made or freed something.

use crate::reports::ReportedCall;
use cuda_sys::Symbol;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A call of a driver function, for reports. Without a call, it is of the driver's own doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CallSite {
    /// The number of the call, above the number of the function.
    packed: u64,
}

/// How many bits the number of a function takes.
const FUNCTION_BITS: u32 = 16;

impl CallSite {
    pub(crate) fn new(function: Symbol, number: u64) -> CallSite {
        CallSite { packed: number << FUNCTION_BITS | function as u64 }
    }

    /// The function and the number of the call.
    pub(crate) fn call(self) -> Option<ReportedCall> {
        let number = self.packed >> FUNCTION_BITS;
        let function = Symbol::all().nth((self.packed & ((1 << FUNCTION_BITS) - 1)) as usize)?;
        (number != 0).then_some(ReportedCall { function, number })
    }
}

/// The call in progress on a machine.
#[derive(Debug, Clone, Default)]
pub(crate) struct PresentCall(Arc<AtomicU64>);

impl PresentCall {
    pub(crate) fn set(&self, site: CallSite) {
        self.0.store(site.packed, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> CallSite {
        CallSite { packed: self.0.load(Ordering::Relaxed) }
    }
}
