//! The ways of copies between devices by nodes of executables.
//!
//! The instantiation determines the way of a copy, and the executable keeps it. If there is peer access then, the copy needs it
//! whenever it is launched, and access that is enabled again does not replace it. Otherwise, the copy needs no access (conformance
//! fact V1163). The access is that of the context with the source, or, without it, that of the other context (conformance fact
//! V1173). Access to a pool only matters when the copy runs (conformance fact V1164).

use crate::driver::copies::pitched_copy::Plan;
use crate::driver::copies::pitched_entry_points::CopyWork;
use crate::driver::handles::Handle;
use crate::driver::memory::heap::Kind;
use crate::driver::{Answer, State};
use cuda_sys::CUresult;

/// Peer access of a context.
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
    /// True if the access had been disabled when the executable was launched.
    is_lost: bool,
}

impl State {
    /// Returns the way of a copy of an executable that is created now.
    pub(crate) fn way_of(&self, work: &CopyWork) -> Way {
        work.plan.as_ref().map_or_else(Way::default, |plan| self.way_of_plan(plan, work.context))
    }

    /// Returns the way that a copy in a context has now.
    pub(crate) fn way_of_plan(&self, plan: &Plan, context: Handle) -> Way {
        let mut way = Way::default();
        let own = self.context_behind(context);
        let Some(context) = self.contexts.get(own).filter(|_| plan.is_between_devices()) else { return way };
        let (to, from) = plan.addresses();
        for (address, is_source) in [(to, false), (from, true)] {
            let Some(found) = self.heap.holding(address, 1) else { continue };
            if found.kind != Kind::Plain || found.device == context.device {
                continue;
            }
            let peer = found.context;
            let paths = if is_source { [(peer, own), (own, peer)] } else { [(own, peer), (peer, own)] };
            let enabled = |(own, peer): (Handle, Handle)| {
                let id = *self.contexts.get(own)?.peers.get(peer)?;
                Some(Enabled { own, peer, id })
            };
            match paths.into_iter().find_map(enabled) {
                Some(enabled) => way.needed.push(enabled),
                None => way.is_indirect = true,
            }
        }
        way
    }

    /// Returns whether the executing context has access to all memory of a copy of an executable.
    pub(crate) fn is_direct(&self, work: &CopyWork) -> bool {
        let Some(plan) = &work.plan else { return true };
        !work.way.is_indirect && !self.has_lost_pool(plan)
    }

    /// Returns the way of a copy after an update of its executable. The copy needs the same access, as it is enabled now.
    pub(crate) fn way_after_update(&self, before: &Way) -> Way {
        let is_broken = before.is_broken || self.misses(before, |known, _| known.is_some());
        let mut after = Way { is_broken, ..before.clone() };
        for Enabled { own, peer, id } in &mut after.needed {
            let known = self.contexts.get(*own).and_then(|own| own.peers.get(*peer));
            *id = known.copied().unwrap_or(*id);
        }
        after
    }

    /// Returns the way of a copy of an executable that is launched now.
    pub(crate) fn way_at_launch(&self, before: &Way) -> Way {
        Way { is_lost: self.has_lost_access(before), ..before.clone() }
    }

    /// Returns whether access was disabled, even if it was enabled again. Access that ended with its context does not count, as
    /// for copies of streams.
    fn has_lost_access(&self, way: &Way) -> bool {
        self.misses(way, |known, id| known == Some(id))
    }

    /// Returns whether access to a context fails a check of its identity. A context that has ended does not count.
    fn misses(&self, way: &Way, is_there: impl Fn(Option<u64>, u64) -> bool) -> bool {
        way.needed.iter().any(|Enabled { own, peer, id }| {
            let known = self.contexts.get(*own).map(|own| own.peers.get(*peer).copied());
            known.is_some_and(|known| !is_there(known, *id)) && self.contexts.get(*peer).is_some()
        })
    }

    /// Checks the peer access of a copy that runs now. The errors are sticky (conformance facts V1163 and V1173).
    pub(crate) fn check_way(&self, way: &Way) -> Answer {
        if way.is_broken {
            return Err(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        }
        if way.is_lost || self.misses(way, |known, _| known.is_some()) {
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
