//! Checks of one launch, which observe the engine.

use super::access_check::AccessCheck;
use super::barrier_check::BarrierCheck;
use super::init_check::InitCheck;
use super::race_check::RaceCheck;
use super::stream_check::StreamCheck;
use core::ops::Range;
use cuda_sim_engine::{
    AccessKind, ObservedAccess, ObservedArrival, ObservedBlock, ObservedSpace, Observer, Site,
};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Thread at an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ThreadPlace {
    pub(super) site: Site,
    pub(super) block: [u32; 3],
    /// Number in the block.
    pub(super) thread: u32,
}

/// Access of one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ThreadAccess {
    pub(super) kind: AccessKind,
    pub(super) address: u64,
    pub(super) size: u64,
}

/// The mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mistake {
    /// Access outside of allocations.
    OutOfBounds(ObservedSpace, ThreadAccess),
    /// Read of bytes that were never written, with their number.
    Unwritten(ThreadAccess, u64),
    /// Barrier that threads reach at several instructions, with the numbers of threads at the others.
    Apart(Vec<(Site, u32)>),
    /// Barrier of this many threads that ended threads did not reach: one of these, and their number.
    Missed(u32, ThreadPlace, u32),
    /// Thread that is not in the mask of lanes that it names.
    OutsideMask(u32),
    /// Two unordered accesses.
    Race { space: ObservedSpace, access: ThreadAccess, other: ThreadPlace, other_kind: AccessKind },
}

/// Mistake at one instruction of a launch: the place of its first occurrence, and the number of occurrences.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(super) at: ThreadPlace,
    pub(super) mistake: Mistake,
    pub(super) times: u64,
}

/// Mistakes found in a launch.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Finding>);

impl Finding {
    /// Returns whether a mistake is reported together with this one.
    fn is_like(&self, at: &ThreadPlace, mistake: &Mistake) -> bool {
        match (&self.mistake, mistake) {
            // The order of the two accesses is arbitrary.
            (Mistake::Race { other: a, .. }, Mistake::Race { other: b, .. }) => {
                let (own, given) = ([self.at.site, a.site], [at.site, b.site]);
                own == given || own == [given[1], given[0]]
            }
            (own, given) => {
                self.at.site == at.site && core::mem::discriminant(own) == core::mem::discriminant(given)
            }
        }
    }
}

impl Findings {
    /// Limit of the findings. Further ones are dropped.
    const MOST: usize = 64;

    pub(super) fn note(&mut self, at: ThreadPlace, mistake: Mistake) {
        if let Some(known) = self.0.iter_mut().find(|known| known.is_like(&at, &mistake)) {
            known.times += 1;
        } else if self.0.len() < Self::MOST {
            self.0.push(Finding { at, mistake, times: 1 });
        }
    }
}

/// Enabled checks.
#[derive(Debug, Default)]
pub(super) struct Checks {
    pub(super) accesses: Option<AccessCheck>,
    pub(super) reads: Option<InitCheck>,
    pub(super) races: Option<RaceCheck>,
    pub(super) streams: Option<StreamCheck>,
    pub(super) barriers: Option<BarrierCheck>,
}

/// Checks of a launch.
#[derive(Debug, Default)]
pub(crate) struct LaunchCheck(Mutex<(Checks, Findings)>);

impl LaunchCheck {
    pub(super) fn new(checks: Checks) -> LaunchCheck {
        LaunchCheck(Mutex::new((checks, Findings::default())))
    }

    fn lock(&self) -> MutexGuard<'_, (Checks, Findings)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether the check needs the list of the memory.
    pub(super) fn needs_memory(&self) -> bool {
        self.lock().0.accesses.is_some()
    }

    /// Sets the mapped addresses and the allocations among them.
    pub(super) fn set_memory(&self, mapped: Vec<Range<u64>>, allocated: Vec<Range<u64>>) {
        if let Some(check) = &mut self.lock().0.accesses {
            check.set_memory(mapped, allocated);
        }
    }

    /// Takes the findings.
    pub(crate) fn take(&self) -> Vec<Finding> {
        core::mem::take(&mut self.lock().1.0)
    }
}

impl Observer for LaunchCheck {
    fn access(&self, access: &ObservedAccess<'_>) {
        let (checks, findings) = &mut *self.lock();
        if let Some(check) = &checks.accesses {
            check.access(access, findings);
        }
        if let Some(check) = &checks.reads {
            check.access(access, findings);
        }
        if let Some(check) = &mut checks.races {
            check.access(access, findings);
        }
        if let Some(check) = &checks.streams {
            check.access(access);
        }
    }

    fn untold_write(&self) {
        if let Some(check) = &self.lock().0.reads {
            check.forget();
        }
    }

    fn arrive(&self, arrival: &ObservedArrival<'_>) {
        if let Some(check) = &mut self.lock().0.barriers {
            check.arrive(arrival);
        }
    }

    fn complete(&self, block: ObservedBlock, barrier: u32) {
        let (checks, findings) = &mut *self.lock();
        if let Some(check) = &mut checks.barriers {
            check.complete(block, barrier, findings);
        }
        if let Some(check) = &mut checks.races {
            check.complete(block);
        }
    }

    fn meet(&self, block: ObservedBlock, threads: &[u32]) {
        if let Some(check) = &mut self.lock().0.races {
            check.meet(block, threads);
        }
    }

    fn outside_mask(&self, site: Site, block: ObservedBlock, members: u32, threads: &[u32]) {
        let (checks, findings) = &mut *self.lock();
        if checks.barriers.is_some() {
            for thread in threads {
                let at = ThreadPlace { site, block: block.index, thread: *thread };
                findings.note(at, Mistake::OutsideMask(members));
            }
        }
    }

    fn exit(&self, site: Site, block: ObservedBlock, threads: &[u32]) {
        let (checks, _) = &mut *self.lock();
        if let Some(check) = &mut checks.barriers {
            check.exit(site, block, threads);
        }
        if let Some(check) = &mut checks.races {
            check.exit(block, threads);
        }
    }
}
