//! Reads of kernels from device memory that was never written.

use super::launch_check::{Findings, Mistake, ThreadAccess, ThreadPlace};
use crate::driver::memory::written::Written;
use cuda_sim_engine::{AccessKind, ObservedAccess, ObservedSpace};
use std::sync::Arc;

/// Memory of a machine.
#[derive(Debug)]
pub(super) struct InitCheck(pub(super) Arc<Written>);

impl InitCheck {
    pub(super) fn access(&self, access: &ObservedAccess<'_>, findings: &mut Findings) {
        if access.space != ObservedSpace::Global {
            return;
        }
        if access.kind != AccessKind::Store {
            for thread in access.threads {
                let mut parts = access.parts(thread).map(|(address, size)| (address, u64::from(size)));
                let unwritten = parts.find_map(|(address, size)| {
                    self.0.unwritten(address, size).map(|(missing, _)| (address, size, missing))
                });
                if let Some((address, size, missing)) = unwritten {
                    let at =
                        ThreadPlace { site: access.site, block: access.block.index, thread: thread.number };
                    let read = ThreadAccess { kind: access.kind, address, size };
                    findings.note(at, Mistake::Unwritten(read, missing));
                }
            }
        }
        if access.kind != AccessKind::Load {
            let size = access.size.into();
            access.threads.iter().for_each(|thread| self.0.mark(thread.address, size));
        }
    }

    /// Marks all memory as written.
    pub(super) fn forget(&self) {
        self.0.forget();
    }
}
