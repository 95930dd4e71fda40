//! The ways of copies between devices by nodes of executables.
//!
//! The instantiation determines the way of a copy, and the executable keeps it. If the context of the copy has peer access then,
//! the copy needs it whenever it runs, and access that is enabled again does not replace it. Otherwise, the copy needs no access
//! (conformance fact V1163). Access to a pool only matters when the copy runs (conformance fact V1164).

use crate::driver::copies::pitched_copy::Plan;
use crate::driver::copies::pitched_entry_points::CopyWork;
use crate::driver::handles::Handle;
use crate::driver::memory::heap::Kind;
use crate::driver::{Answer, State};
use cuda_sys::CUresult;

/// Peer access that a context has enabled.
#[derive(Debug, Clone, Copy)]
struct Enabled {
    own: Handle,
    peer: Handle,
    /// Identity, which changes if access is disabled and enabled again.
    id: u64,
}

/// Way of a copy between devices. The default one needs no peer access.
#[derive(Debug, Clone, Default)]
pub(crate) struct Way {
    /// Peer access that the copy needs.
    needed: Vec<Enabled>,
    /// True if the copy has memory to which the context had no access.
    is_indirect: bool,
    /// True if the access had been disabled when the executable was updated.
    is_broken: bool,
}

impl State {
    /// Returns the way of a copy of an executable that is created now.
    pub(crate) fn way_of(&self, work: &CopyWork) -> Way {
        let mut way = Way::default();
        let own = self.context_behind(work.context);
        let (Some(plan), Some(context)) = (&work.plan, self.contexts.get(own)) else { return way };
        if plan.is_between_devices() {
            for address in plan.starts() {
                let Some(found) = self.heap.holding(address, 1) else { continue };
                if found.kind != Kind::Plain || found.device == context.device {
                    continue;
                }
                match context.peers.get(found.context) {
                    Some(id) => way.needed.push(Enabled { own, peer: found.context, id: *id }),
                    None => way.is_indirect = true,
                }
            }
        }
        way
    }

    /// Returns whether the executing context has access to all memory of a copy of an executable.
    pub(crate) fn is_direct(&self, work: &CopyWork) -> bool {
        let Some(plan) = &work.plan else { return true };
        !plan.is_between_devices() || !work.way.is_indirect && !self.has_lost_pool(plan)
    }

    /// Returns the way of a copy after an update of its executable.
    pub(crate) fn way_after_update(&self, before: &Way) -> Way {
        let is_broken = before.is_broken || self.has_lost_access(before);
        Way { needed: before.needed.clone(), is_indirect: before.is_indirect, is_broken }
    }

    /// Returns whether access was disabled. Access that ended with its context does not count, as for copies of streams.
    fn has_lost_access(&self, way: &Way) -> bool {
        way.needed.iter().any(|Enabled { own, peer, id }| {
            let is_lost = self.contexts.get(*own).is_some_and(|own| own.peers.get(*peer) != Some(id));
            is_lost && self.contexts.get(*peer).is_some()
        })
    }

    /// Checks the access of a copy that runs now. The errors are sticky (conformance facts V1163 and V1164).
    pub(crate) fn check_way(&self, way: &Way, plan: &Plan) -> Answer {
        if way.is_broken {
            return Err(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        }
        if self.has_lost_access(way) || plan.is_between_devices() && self.has_lost_pool(plan) {
            return Err(CUresult::CUDA_ERROR_LAUNCH_FAILED);
        }
        Ok(())
    }

    /// Returns whether a copy has no access to memory of a pool now.
    fn has_lost_pool(&self, plan: &Plan) -> bool {
        plan.starts_by_device().any(|(device, address)| {
            let pool = self.heap.pool_of(address).filter(|pool| self.heap.pool(*pool).is_some());
            pool.is_some_and(|pool| !self.heap.pool_reaches(pool, device))
        })
    }
}
