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
        let size = u64::from(access.size);
        if access.kind != AccessKind::Store {
            for thread in access.threads {
                let address = thread.address;
                if let Some((missing, _)) = self.0.unwritten(address, size) {
                    let at =
                        ThreadPlace { site: access.site, block: access.block.index, thread: thread.number };
                    let read = ThreadAccess { kind: access.kind, address, size };
                    findings.note(at, Mistake::Unwritten(read, missing));
                }
            }
        }
        if access.kind != AccessKind::Load {
            access.threads.iter().for_each(|thread| self.0.mark(thread.address, size));
        }
    }

    /// Marks all memory as written.
    pub(super) fn forget(&self) {
        self.0.forget();
    }
}
