//! Reports the accesses of steps to observers.

use super::barrier::CLUSTER;
use super::block::BlockIndex;
use super::cluster_memory::{inside, rank_of};
use super::grid::Grid;
use super::load_store::{read, space_of};
use super::registers::{LANES, Registers, lanes};
use super::warp::{Group, Wait, Warp};
use crate::fault::{AccessKind, FaultAccess};
use crate::observer::{
    ObservedAccess, ObservedArrival, ObservedBlock, ObservedSpace, ObservedThread, Observer, Site,
};
use crate::op::{
    ALL_BYTES, Access, Address, Barrier, BarrierAction, Base, ColdOp, CollectiveAction, Condition,
    MemorySpace, NONE, Op, Place, TensorAction, WideAtomic,
};

/// Access of a step, before its address is known.
struct Planned {
    at: Address,
    kind: AccessKind,
    size: u32,
    used: u32,
    is_strong: bool,
}

impl Planned {
    fn of_access(access: &Access, kind: AccessKind) -> Self {
        let size = u32::from(access.size) * access.elements.len() as u32;
        Self { at: access.at(), kind, size, used: access.used, is_strong: access.strong }
    }

    /// Returns the access of a barrier object. An arrival or a test orders threads like an atomic operation.
    fn of_mbarrier(at: Address) -> Self {
        Self { at, kind: AccessKind::Atomic, size: 8, used: ALL_BYTES, is_strong: true }
    }

    fn of_wide(atomic: &WideAtomic) -> Self {
        let kind = match (atomic.is_atom, atomic.operand) {
            (true, _) => AccessKind::Atomic,
            (false, None) => AccessKind::Load,
            (false, Some(_)) => AccessKind::Store,
        };
        Self { at: atomic.at, kind, size: 16, used: atomic.used, is_strong: true }
    }
}

/// Returns the accesses of an operation whose addresses are in its registers.
fn planned(op: &Op) -> [Option<Planned>; 2] {
    let plain = |at, kind, size| Some(Planned { at, kind, size, used: ALL_BYTES, is_strong: false });
    match op {
        Op::Load(access)
        | Op::LoadGlobal { access, .. }
        | Op::LoadShared { access, .. }
        | Op::LoadNarrowShared { access, .. } => [Some(Planned::of_access(access, AccessKind::Load)), None],
        Op::Store(access)
        | Op::StoreGlobal { access, .. }
        | Op::StoreShared { access, .. }
        | Op::StoreNarrowShared { access, .. } => [Some(Planned::of_access(access, AccessKind::Store)), None],
        Op::Atomic(access) => {
            let at = access.at();
            let (kind, size) = (AccessKind::Atomic, access.size.into());
            [Some(Planned { at, kind, size, used: ALL_BYTES, is_strong: true }), None]
        }
        Op::Cold(op) => match &**op {
            ColdOp::Wide(atomic) => [Some(Planned::of_wide(atomic)), None],
            ColdOp::Mbarrier(mbarrier) => [Some(Planned::of_mbarrier(mbarrier.at)), None],
            ColdOp::Counted { mbarrier, .. } => [Some(Planned::of_mbarrier(*mbarrier)), None],
            ColdOp::BulkCopy(copy) => [copy.mbarrier.map(Planned::of_mbarrier), None],
            ColdOp::TensorCopy(copy) => match copy.action {
                TensorAction::Load { mbarrier, .. } => [Some(Planned::of_mbarrier(mbarrier)), None],
                _ => [None, None],
            },
            ColdOp::Copy(copy) => {
                let size = copy.size.into();
                // The copy may read less of the source.
                let reads_all = copy.read == NONE && copy.ignore == Condition::NEVER;
                let from = plain(copy.from, AccessKind::Load, size).filter(|_| reads_all);
                [from, plain(copy.to, AccessKind::Store, size)]
            }
            _ => [None, None],
        },
        _ => [None, None],
    }
}

/// Returns whether an operation writes memory in a way that is not [planned].
fn writes_untold(op: &Op) -> bool {
    let Op::Cold(op) = op else { return false };
    match &**op {
        ColdOp::BulkCopy(_) | ColdOp::TensorField(_) | ColdOp::TensorMapCopy(_) => true,
        ColdOp::TensorCopy(copy) => copy.action != TensorAction::Prefetch,
        ColdOp::Fragment(fragment) => fragment.store,
        ColdOp::Matrix(access) => access.store,
        _ => false,
    }
}

/// Returns the access of an operation to an address. `None` for operations that make several accesses.
pub(super) fn access_to(op: &Op, address: Option<u64>) -> Option<FaultAccess> {
    let [Some(Planned { at, kind, size, .. }), None] = planned(op) else { return None };
    if writes_untold(op) {
        return None;
    }
    let is_global = address.is_some_and(|address| space_of(at.memory, address).0 == MemorySpace::Global);
    Some(FaultAccess { kind, size, is_global })
}

/// Returns the address of a lane.
fn address(registers: &Registers, at: &Address, lane: usize) -> u64 {
    let base = match at.base {
        Base::Long(slot) => registers.long(slot, lane),
        Base::Word(slot) => u64::from(registers.word(slot, lane)),
    };
    let address = base.wrapping_add(at.offset.cast_unsigned());
    match at.memory {
        MemorySpace::Generic | MemorySpace::Global => address,
        MemorySpace::Shared | MemorySpace::Local | MemorySpace::Parameter => address & 0xffff_ffff,
    }
}

/// Numbers of the threads of a warp in their block.
struct Numbers([u32; LANES], usize);

impl Numbers {
    fn of(warp: u32, mask: u32) -> Self {
        let mut numbers = Self([0; LANES], 0);
        for lane in lanes(mask) {
            numbers.0[numbers.1] = warp * LANES as u32 + lane as u32;
            numbers.1 += 1;
        }
        numbers
    }

    fn as_slice(&self) -> &[u32] {
        &self.0[..self.1]
    }
}

/// Returns a number for the value that a lane stores.
fn stored(registers: &Registers, op: &Op, lane: usize) -> u64 {
    let (Op::Store(access)
    | Op::StoreGlobal { access, .. }
    | Op::StoreShared { access, .. }
    | Op::StoreNarrowShared { access, .. }) = op
    else {
        return 0;
    };
    let values = access.elements.iter().map(|place| match *place {
        Place::Word(NONE) => 0,
        place => read(registers, place, lane),
    });
    values.fold(0, |all: u64, value| all.rotate_left(23) ^ value)
}

impl Warp {
    /// Reports the next step of a group to an observer.
    pub(super) fn observe(
        &self,
        grid: &Grid<'_>,
        observer: &dyn Observer,
        block: &BlockIndex,
        group: &Group,
    ) {
        let site = self.site(group, group.pc);
        let Some(frame) = self.frames.get(group.frame) else { return };
        let function = grid.functions.get(site.function);
        let Some(step) = function.and_then(|function| function.steps.get(site.step as usize)) else { return };
        let mask = group.mask & frame.registers.condition(step.guard);
        if mask == 0 {
            return;
        }
        let (rank, block, registers) = (block.rank, observed(block), &frame.registers);
        let numbers = |mask: u32| Numbers::of(self.index, mask);
        if let Op::Collective(collective) = &step.op
            && collective.members != NONE
        {
            for lane in lanes(mask) {
                let members = registers.word(collective.members, lane);
                if members >> lane & 1 == 0 {
                    observer.outside_mask(site, block, members, numbers(1 << lane).as_slice());
                }
            }
        }
        match &step.op {
            Op::Exit => observer.exit(site, block, numbers(mask).as_slice()),
            Op::Barrier(barrier) => self.observe_arrival(observer, site, block, barrier, registers, mask),
            Op::Collective(collective) if collective.action == CollectiveAction::Synchronize => {
                let members = registers.word(collective.members, mask.trailing_zeros() as usize);
                let wanted = Wait::Collective { members, synchronize: true };
                let waiting = self.groups.iter().filter(|other| other.wait == wanted);
                let present = waiting.fold(mask, |all, other| all | other.mask);
                if members & self.live & !present == 0 {
                    observer.meet(block, numbers(members & self.live).as_slice());
                }
            }
            op => {
                if writes_untold(op) {
                    observer.untold_write();
                }
                for access in planned(op).iter().flatten() {
                    self.observe_access(observer, (site, block, rank), op, access, registers, mask);
                }
            }
        }
    }

    fn observe_access(
        &self,
        observer: &dyn Observer,
        (site, block, rank): (Site, ObservedBlock, u32),
        op: &Op,
        access: &Planned,
        registers: &Registers,
        mask: u32,
    ) {
        for space in [ObservedSpace::Global, ObservedSpace::Shared] {
            let mut threads = [ObservedThread::default(); LANES];
            let mut count = 0;
            for lane in lanes(mask) {
                let address = address(registers, &access.at, lane);
                let (memory, window) = space_of(access.at.memory, address);
                let is_here = match memory {
                    MemorySpace::Generic | MemorySpace::Global => space == ObservedSpace::Global,
                    // Accesses to memory of other blocks of the cluster are not reported.
                    MemorySpace::Shared => {
                        space == ObservedSpace::Shared && rank_of(address.wrapping_sub(window)) == rank
                    }
                    MemorySpace::Local | MemorySpace::Parameter => false,
                };
                if is_here {
                    let offset = address.wrapping_sub(window);
                    let is_shared = space == ObservedSpace::Shared;
                    threads[count] = ObservedThread {
                        number: self.index * LANES as u32 + lane as u32,
                        address: if is_shared { inside(offset) } else { offset },
                        value: stored(registers, op, lane),
                    };
                    count += 1;
                }
            }
            if count > 0 {
                observer.access(&ObservedAccess {
                    site,
                    block,
                    kind: access.kind,
                    space,
                    size: access.size,
                    used: access.used,
                    is_strong: access.is_strong,
                    returns: returns(op),
                    threads: &threads[..count],
                });
            }
        }
    }

    fn observe_arrival(
        &self,
        observer: &dyn Observer,
        site: Site,
        block: ObservedBlock,
        barrier: &Barrier,
        registers: &Registers,
        mask: u32,
    ) {
        let is_of_cluster =
            matches!(barrier.action, BarrierAction::ArriveCluster | BarrierAction::WaitCluster);
        // At the barrier of a cluster, the thread was counted when it arrived. Products do not order threads.
        if matches!(
            barrier.action,
            BarrierAction::WaitCluster | BarrierAction::StartProduct | BarrierAction::WaitProducts { .. }
        ) {
            return;
        }
        let mut rest = mask;
        while rest != 0 {
            let first = registers.word(barrier.number, rest.trailing_zeros() as usize);
            let same = rest & registers.test1(barrier.number, |other: u32| other == first);
            rest &= !same;
            observer.arrive(&ObservedArrival {
                site,
                block,
                barrier: if is_of_cluster { CLUSTER } else { first },
                takes_all: barrier.threads == NONE && barrier.action != BarrierAction::Arrive,
                threads: Numbers::of(self.index, same).as_slice(),
            });
        }
    }
}

/// Returns whether an operation reads a value that the thread uses.
fn returns(op: &Op) -> bool {
    match op {
        Op::Atomic(access) => access.result.is_some(),
        Op::Store(_) | Op::StoreGlobal { .. } | Op::StoreShared { .. } | Op::StoreNarrowShared { .. } => {
            false
        }
        Op::Cold(op) => match &**op {
            ColdOp::Wide(atomic) => atomic.result.is_some(),
            _ => true,
        },
        _ => true,
    }
}

pub(super) fn observed(block: &BlockIndex) -> ObservedBlock {
    ObservedBlock { index: block.index, number: block.number, cluster: block.cluster }
}
