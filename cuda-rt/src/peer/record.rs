//! The record of peer access and its users, as far as this crate knows them.
//!
//! The driver has no query for peer access, and two handles may name one context. So there is one record for the process, by the
//! identities of contexts. It is locked during driver calls, so that it is right. No thread waits for other work meanwhile. No
//! code of the program runs, including the hook. Log functions are the exception: the driver calls them within a call that fails.
//! They count as inside a host function, where no code of this crate locks the record.

#![allow(unsafe_code)]

use super::PoolGrant;
use super::copies::{PendingPeerCopy, between_copies, count_revocation, device_pair};
use crate::context::{
    Context, ContextId, ContextObserver, EndAccess, RelaxedCaptureMode, is_gone, observe, retry_once,
};
use crate::device::Device;
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::{DeferredErrors, Quiet, is_forked_child, is_inside};
use crate::list::CollectVec;
use crate::map::{SortedMap, SortedSet};
use core::ptr::{null_mut, without_provenance_mut};
use cuda_sys::{
    CUmemAccess_flags_enum as Flags, CUmemAccessDesc, CUmemLocation, CUmemLocation_st__bindgen_ty_1,
    CUmemLocationType_enum, CUmemoryPool, Symbol,
};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

pub(super) type Pair = (ContextId, ContextId);

pub(super) fn pair(own: &Context, peer: &Context) -> Pair {
    (own.context_id(), peer.context_id())
}

/// Access of a device to the default pool of another device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Opening {
    /// Address of the pool.
    pool: usize,
    owner: Device,
    consumer: Device,
}

/// Access that is enabled, as far as is known.
pub(super) struct RecordedAccess {
    /// Number that distinguishes the access from earlier access between the same two contexts.
    pub(super) number: u64,
    pub(super) guards: usize,
    /// True if only guards have enabled the access.
    pub(super) by_guards: bool,
    /// True if access was also enabled without a guard, so that it stays after the last one.
    pub(super) explicit: bool,
    pub(super) pool: PoolGrant,
    opening: Option<Opening>,
}

/// Access to a pool because of recorded access, or access that could not be disabled.
#[derive(Default)]
struct Opened {
    /// Number of recorded accesses that need it.
    accesses: usize,
    /// True if access to the pool was disabled before.
    by_us: bool,
}

#[derive(Default)]
pub(super) struct Record {
    accesses: SortedMap<Pair, RecordedAccess>,
    pools: SortedMap<Opening, Opened>,
    /// Access that other code was found to have enabled.
    pub(super) found_on: SortedSet<Pair>,
    /// Pools to which a device has access, found or enabled: their addresses.
    open_pools: SortedSet<(usize, Device)>,
    /// Number of textures and surfaces that need access.
    pub(super) textures: SortedMap<Pair, usize>,
    /// Copies between devices that may be pending, by rising numbers.
    pub(super) copies: SortedMap<u64, PendingPeerCopy>,
    /// Number of the copy that was queried last.
    pub(super) last_looked_at: u64,
    /// Devices between which threads are about to disable access.
    pub(super) closings: Vec<[Device; 2]>,
    /// Devices between which access has been disabled, and the number of the last time: see [`revocations`](super::revocations).
    pub(super) revoked: SortedMap<[Device; 2], u64>,
    pub(super) last_number: u64,
}

static RECORD: LazyLock<Mutex<Record>> = LazyLock::new(|| {
    observe(&Observer);
    Mutex::default()
});
/// Addresses of pools for which host functions have taken ownership: there the record still describes earlier pools. This lock is
/// never held during a driver call.
static TAKEN_OVER: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Runs `work` on the record. It makes no call that waits, and reports nothing.
pub(super) fn with_record<R>(work: impl FnOnce(&mut Record) -> R) -> R {
    work(&mut lock_record())
}

/// Locks the record. The same holds as for [`with_record`].
pub(super) fn lock_record() -> MutexGuard<'static, Record> {
    let mut record = RECORD.lock().unwrap_or_else(PoisonError::into_inner);
    for pool in taken_over().drain(..) {
        record.forget_pool(pool);
    }
    record
}

fn taken_over() -> MutexGuard<'static, Vec<usize>> {
    TAKEN_OVER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Enables access from the current context in the driver.
fn turn_on(own: &Context, peer: &Context) -> Result<()> {
    const NO_FLAGS: u32 = 0;
    // SAFETY: the peer is live, and the caller has made the other one current.
    let enabled = unsafe { check!(cuCtxEnablePeerAccess(peer.as_raw(), NO_FLAGS)) };
    let peers = || own.device().describe_access(peer.device());
    enabled
        .or_detail(&[Code::PeerAccessUnsupported, Code::PeerAccessAlreadyEnabled, Code::TooManyPeers], &peers)
}

/// Disables access from the current context in the driver.
fn turn_off(own: &Context, peer: &Context) -> Result<()> {
    // SAFETY: the peer is live, and the caller has made the other one current.
    let disabled = unsafe { check!(cuCtxDisablePeerAccess(peer.as_raw())) };
    disabled.or_detail(&[Code::PeerAccessNotEnabled], &|| own.device().describe_access(peer.device()))
}

fn is(error: &Error, code: Code) -> bool {
    error.code() == Some(code)
}

/// Enables access if it is disabled, enables access to the pool, and returns the result of `then` for the access and whether it
/// changed. If access to the pool cannot be enabled, the previous access is restored. A pool that the failed call has opened stays
/// open while recorded access needs it. The caller has made `own` current.
pub(super) fn enable<R>(
    own: &Context,
    peer: &Context,
    errors: &mut DeferredErrors,
    then: impl FnOnce(&mut RecordedAccess, bool) -> R,
) -> Result<R> {
    // `Some` if the call fails after the access was looked at: true if this call has enabled it.
    let mut undo = None;
    let mut half_open = None;
    let outcome = with_record(|record| {
        let changed = match turn_on(own, peer) {
            Ok(()) => {
                // Other code has disabled access that it had enabled; this call may be reverted.
                record.found_on.remove(&pair(own, peer));
                true
            }
            Err(error) if is(&error, Code::PeerAccessAlreadyEnabled) => false,
            Err(error) => return Err(error),
        };
        match record.note(own, peer, changed, &mut half_open) {
            Ok(access) => Ok(then(access, changed)),
            Err(error) => {
                undo = Some(changed);
                Err(error)
            }
        }
    });
    if let Some(changed) = undo {
        // Copies may have begun to use it, and access that other code has requested since stays enabled.
        let undone = between_copies(own.device(), peer.device(), errors, |record, errors| {
            let pair = pair(own, peer);
            let turned_off = match record.accesses.get_mut(&pair) {
                // They have found access enabled by this call, not by other code.
                Some(access) => {
                    access.by_guards |= changed;
                    Ok(())
                }
                None if !changed || record.textures.contains_key(&pair) => Ok(()),
                None => {
                    let turned_off = turn_off(own, peer);
                    record.note_revoked(own.device(), peer.device());
                    turned_off
                }
            };
            let closed = half_open.map_or(Ok(()), |opening| record.close_if_unneeded(opening));
            both(turned_off, closed, errors)
        });
        errors.add(undone);
    }
    outcome
}

/// Disables access, also if guards exist. Returns whether it was enabled. The caller has made `own` current.
pub(super) fn disable(own: &Context, peer: &Context, errors: &mut DeferredErrors) -> Result<bool> {
    between_copies(own.device(), peer.device(), errors, |record, _| {
        // A kernel that samples them would make the driver unusable for the process.
        if let Some(&textures) = record.textures.get(&pair(own, peer)) {
            return Err(Error::invalid_for(
                Symbol::cuCtxDisablePeerAccess,
                format_args!(
                    "{textures} texture or surface objects or references of this context still use memory of the peer; destroy \
                 or unbind them first"
                ),
            ));
        }
        let turned_off = turn_off(own, peer);
        let was_enabled = match turned_off {
            Err(error) if is(&error, Code::PeerAccessNotEnabled) => false,
            turned_off => {
                record.note_revoked(own.device(), peer.device());
                turned_off.map(|()| true)?
            }
        };
        record.forget(pair(own, peer))?;
        Ok(was_enabled)
    })
}

/// Enables recorded access again if other code has disabled it. Returns `None` if nothing is recorded. The caller has
/// made `own` current.
pub(super) fn restore(own: &Context, peer: &Context) -> Result<Option<bool>> {
    with_record(|record| {
        if record.get(pair(own, peer)).is_none() {
            return Ok(None);
        }
        match turn_on(own, peer) {
            Err(error) if is(&error, Code::PeerAccessAlreadyEnabled) => Ok(Some(true)),
            Err(error) => Err(error),
            Ok(()) => {
                // The last guard disables it again.
                record.note(own, peer, true, &mut None)?.by_guards = true;
                Ok(Some(true))
            }
        }
    })
}

/// Finds out whether access is enabled, by enabling it. The caller has made `own` current.
pub(super) fn probe(own: &Context, peer: &Context, errors: &mut DeferredErrors) -> Result<bool> {
    between_copies(own.device(), peer.device(), errors, |record, errors| match turn_on(own, peer) {
        Err(error) if is(&error, Code::PeerAccessAlreadyEnabled) => {
            let pair = pair(own, peer);
            // Otherwise another context at the same address could not be distinguished.
            if pair.0.is_unique() && pair.1.is_unique() {
                record.found_on.insert(pair);
            }
            Ok(true)
        }
        // With too many peers, this peer is not one of them.
        Err(error) if is(&error, Code::PeerAccessUnsupported) || is(&error, Code::TooManyPeers) => {
            record.found_on.remove(&pair(own, peer));
            Ok(false)
        }
        Err(error) => Err(error),
        Ok(()) => {
            // Other code has disabled recorded access.
            errors.add(record.forget(pair(own, peer)));
            // Tried again after a failure: a query must not change anything.
            match retry_once(|| turn_off(own, peer)) {
                Err(error) if !is(&error, Code::PeerAccessNotEnabled) => Err(error),
                _ => Ok(false),
            }
        }
    })
}

/// Releases a guard. The last one reverts the effects of guards. The caller has made `own` current.
pub(super) fn leave(own: &Context, peer: &Context, number: u64, errors: &mut DeferredErrors) -> Result<()> {
    if !lock_record().count_out(pair(own, peer), number) {
        return Ok(());
    }
    between_copies(own.device(), peer.device(), errors, |record, errors| {
        // Another guard may need it by now.
        let Some(access) = record.unwanted(pair(own, peer), number) else { return Ok(()) };
        let disabled = if access.by_guards {
            // If other code has destroyed the peer, access ended with it, and the handle may name another context.
            let turned_off = is_gone(peer.context_id())
                .and_then(|is_gone| if is_gone { Ok(()) } else { turn_off(own, peer) });
            record.note_revoked(own.device(), peer.device());
            turned_off
        } else {
            Ok(())
        };
        let closed = record.forget(pair(own, peer));
        both(disabled, closed, errors)
    })
}

/// Counts out a guard whose context is destroyed or cannot be entered. The next guard, or the end of the context, releases the
/// rest.
pub(super) fn leave_without(
    own: &Context,
    peer: &Context,
    number: u64,
    is_gone: bool,
    errors: &mut DeferredErrors,
) -> Result<()> {
    let is_last = lock_record().count_out(pair(own, peer), number);
    if !is_last || !is_gone {
        return Ok(());
    }
    between_copies(own.device(), peer.device(), errors, |record, _| {
        match record.unwanted(pair(own, peer), number) {
            Some(_) => record.forget(pair(own, peer)),
            None => Ok(()),
        }
    })
}

/// Returns the first failure of two outcomes. If both failed, the second failure is deferred.
fn both(first: Result<()>, second: Result<()>, errors: &mut DeferredErrors) -> Result<()> {
    if first.is_ok() {
        return second;
    }
    errors.add(second);
    first
}

impl Record {
    /// Records that access is enabled, and enables access to the pool: see [`open_pool`](Self::open_pool).
    fn note(
        &mut self,
        own: &Context,
        peer: &Context,
        newly: bool,
        half_open: &mut Option<Opening>,
    ) -> Result<&mut RecordedAccess> {
        let pair = pair(own, peer);
        // The program may have disabled access to the pool by `MemPool::set_access`.
        let is_closed = |known: &RecordedAccess| {
            known.opening.is_some_and(|opening| !self.open_pools.contains(&(opening.pool, opening.consumer)))
        };
        match self.accesses.get(&pair) {
            Some(known) if !newly && is_closed(known) => {
                let before = known.opening;
                let (pool, opening) = self.open_pool(own, peer, half_open)?;
                before.into_iter().for_each(|before| self.count_opening_out(before));
                if let Some(access) = self.accesses.get_mut(&pair) {
                    (access.pool, access.opening) = (pool, opening);
                }
            }
            Some(_) if !newly => {}
            Some(known) => {
                // Other code has disabled recorded access, and may have disabled access to the pool, too.
                let before = known.opening;
                let (pool, opening) = self.open_pool(own, peer, half_open)?;
                before.into_iter().for_each(|before| self.count_opening_out(before));
                if let Some(access) = self.accesses.get_mut(&pair) {
                    (access.explicit, access.by_guards) = (false, false);
                    (access.pool, access.opening) = (pool, opening);
                }
            }
            None => {
                let (pool, opening) = self.open_pool(own, peer, half_open)?;
                self.last_number += 1;
                let number = self.last_number;
                let access =
                    RecordedAccess { number, guards: 0, by_guards: false, explicit: false, pool, opening };
                self.accesses.insert(pair, access);
            }
        }
        self.accesses.get_mut(&pair).ok_or_else(Error::context_lost)
    }

    /// Counts a guard out. Returns whether it was the last that needs the access.
    fn count_out(&mut self, pair: Pair, number: u64) -> bool {
        match self.accesses.get_mut(&pair).filter(|access| access.number == number) {
            Some(access) => {
                access.guards = access.guards.saturating_sub(1);
                access.guards == 0 && !access.explicit
            }
            None => false,
        }
    }

    /// Returns the access of this number, if neither a guard nor a caller needs it.
    fn unwanted(&self, pair: Pair, number: u64) -> Option<&RecordedAccess> {
        if self.textures.contains_key(&pair) {
            return None;
        }
        let is_it =
            |access: &&RecordedAccess| access.number == number && access.guards == 0 && !access.explicit;
        self.accesses.get(&pair).filter(is_it)
    }

    pub(super) fn get(&mut self, pair: Pair) -> Option<&mut RecordedAccess> {
        self.accesses.get_mut(&pair)
    }

    /// Returns whether access is recorded as enabled.
    pub(super) fn is_on(&self, pair: Pair) -> bool {
        let is_named = !pair.1.is_unique();
        let is_it =
            |(own, peer): &Pair| *own == pair.0 && (*peer == pair.1 || is_named && peer.may_be(pair.1));
        self.accesses.keys().chain(self.found_on.iter()).any(is_it)
    }

    /// Removes access that is disabled from the record. Disables access to the pool if nothing else needs it.
    fn forget(&mut self, pair: Pair) -> Result<()> {
        self.found_on.retain(|(own, peer)| !own.may_be(pair.0) || !peer.may_be(pair.1));
        match self.accesses.remove(&pair).and_then(|access| access.opening) {
            Some(opening) => self.close_pool(opening),
            None => Ok(()),
        }
    }

    /// Gives the device of one context access to the default pool of the peer's device. If that fails, and the device has access
    /// nevertheless, `half_open` receives it.
    fn open_pool(
        &mut self,
        own: &Context,
        peer: &Context,
        half_open: &mut Option<Opening>,
    ) -> Result<(PoolGrant, Option<Opening>)> {
        let is_known = cuda_sys::driver()?.has(Symbol::cuMemPoolSetAccess);
        if !is_known || !peer.has_pools() {
            return Ok((PoolGrant::NoPools, None));
        }
        let mut pool = null_mut();
        // SAFETY: `pool` is valid for a write.
        unsafe { check!(cuDeviceGetDefaultMemPool(&raw mut pool, peer.device().as_raw())) }?;
        let opening = Opening { pool: pool.addr(), owner: peer.device(), consumer: own.device() };
        let opens = !is_open(pool, own.device())?;
        if opens {
            match set_access(pool, own.device(), Flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
                Ok(()) => {}
                Err(error) => {
                    if let Some(code @ (Code::NotSupported | Code::PeerAccessUnsupported)) =
                        error.unexplained_code()
                    {
                        return Ok((PoolGrant::Refused(code), None));
                    }
                    // A call that has done its own work may report an earlier failure. Copies may use the access at once, so the
                    // caller disables it between copies.
                    if is_open(pool, own.device()) == Ok(true) {
                        self.note_pool(pool, own.device(), true);
                        self.pools.get_or_default(opening).by_us = true;
                        *half_open = Some(opening);
                    }
                    return Err(error);
                }
            }
        }
        self.note_pool(pool, own.device(), true);
        let opened = self.pools.get_or_default(opening);
        opened.accesses += 1;
        opened.by_us |= opens;
        Ok((PoolGrant::Granted, Some(opening)))
    }

    /// Records whether a device has access to a pool.
    fn note_pool(&mut self, pool: CUmemoryPool, device: Device, is_open: bool) {
        let known = (pool.addr(), device);
        if is_open {
            self.open_pools.insert(known);
        } else {
            self.open_pools.remove(&known);
        }
    }

    fn forget_pool(&mut self, pool: usize) {
        self.open_pools.retain(|(known, _)| *known != pool);
    }

    /// Removes access from and to a context from the record. Returns the pools with access because of it.
    fn forget_context(&mut self, context: ContextId) -> Vec<Opening> {
        self.found_on.retain(|(own, peer)| !own.may_be(context) && !peer.may_be(context));
        let is_its = |(own, peer): &&Pair| *own == context || *peer == context;
        let pairs: Vec<Pair> = self.accesses.keys().filter(is_its).copied().collect_vec();
        pairs.iter().filter_map(|pair| self.accesses.remove(pair)?.opening).collect_vec()
    }

    /// Counts that access between two devices is disabled. Called after the driver's call, also if it failed: a node that another
    /// thread makes during the call has an earlier number.
    fn note_revoked(&mut self, first: Device, second: Device) {
        self.revoked.insert(device_pair(first, second), count_revocation());
    }

    fn count_opening_out(&mut self, opening: Opening) {
        if let Some(opened) = self.pools.get_mut(&opening) {
            opened.accesses = opened.accesses.saturating_sub(1);
        }
    }

    /// Disables access to a pool when the last access that needs it ends, if it was disabled before. If that fails, the next call
    /// tries again.
    fn close_pool(&mut self, opening: Opening) -> Result<()> {
        self.count_opening_out(opening);
        self.close_if_unneeded(opening)
    }

    /// Disables access to a pool if no access between contexts needs it, and it was disabled before.
    fn close_if_unneeded(&mut self, opening: Opening) -> Result<()> {
        let Some(opened) = self.pools.get(&opening).filter(|opened| opened.accesses == 0) else {
            return Ok(());
        };
        if opened.by_us {
            let pool = without_provenance_mut(opening.pool);
            let closed = set_access(pool, opening.consumer, Flags::CU_MEM_ACCESS_FLAGS_PROT_NONE);
            self.note_revoked(opening.owner, opening.consumer);
            closed?;
            self.note_pool(pool, opening.consumer, false);
        }
        self.pools.remove(&opening);
        Ok(())
    }
}

fn location(device: Device) -> CUmemLocation {
    CUmemLocation {
        type_: CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE,
        __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 { id: device.as_raw() },
    }
}

fn is_open(pool: CUmemoryPool, device: Device) -> Result<bool> {
    Ok(access(pool, device)? == Flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
}

fn access(pool: CUmemoryPool, device: Device) -> Result<Flags> {
    let (mut flags, mut location) = (Flags::CU_MEM_ACCESS_FLAGS_PROT_NONE, location(device));
    // SAFETY: a default pool, which its device always has, or a pool that the caller keeps alive; `flags` is valid for a write,
    // `location` for a read.
    unsafe { check!(cuMemPoolGetAccess(&raw mut flags, pool, &raw mut location)) }?;
    Ok(flags)
}

fn set_access(pool: CUmemoryPool, device: Device, flags: Flags) -> Result<()> {
    let access = CUmemAccessDesc { location: location(device), flags };
    // SAFETY: a default pool, which its device always has, or a pool that the caller keeps alive; the list has one element.
    unsafe { check!(cuMemPoolSetAccess(pool, &raw const access, 1)) }
}

/// Sets the access of a device to a pool, at the program's request. Returns whether it changed. Disabling access waits for
/// copies.
///
/// # Safety
///
/// The pool is live, and the owner is its device.
pub(crate) unsafe fn change_pool_access(
    pool: CUmemoryPool,
    owner: Device,
    consumer: Device,
    flags: Flags,
    errors: &mut DeferredErrors,
) -> Result<bool> {
    if is_forked_child() {
        // The record may be locked by a thread that does not exist here; the driver refuses everything.
        set_access(pool, consumer, flags)?;
        return Ok(true);
    }
    // The end of the relaxed mode must not run the hook while the record is locked.
    let _quiet = Quiet::new();
    let opening = Opening { pool: pool.addr(), owner, consumer };
    let is_open = flags != Flags::CU_MEM_ACCESS_FLAGS_PROT_NONE;
    let change = |record: &mut Record| {
        let changes = has_other_access(pool, consumer, flags)?;
        if changes {
            let set = set_access(pool, consumer, flags);
            if !is_open {
                record.note_revoked(owner, consumer);
            }
            set?;
        }
        record.note_pool(pool, consumer, is_open);
        if flags == Flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE {
            // The access stays enabled when access between contexts does not need it any more.
            if let Some(opened) = record.pools.get_mut(&opening) {
                opened.by_us = false;
            }
        }
        Ok(changes)
    };
    if flags == Flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE {
        with_record(change)
    } else if with_record(|_| has_other_access(pool, consumer, flags))? {
        between_copies(owner, consumer, errors, |record, _| change(record))
    } else {
        Ok(false)
    }
}

/// Returns whether a device has another access to a pool. In the relaxed capture mode, the query invalidates no capture.
fn has_other_access(pool: CUmemoryPool, device: Device, flags: Flags) -> Result<bool> {
    let _relaxed = RelaxedCaptureMode::new();
    Ok(access(pool, device)? != flags)
}

/// Removes the record of a pool that is about to be destroyed, or of an earlier pool at the address of a new one.
pub(crate) fn forget_pool(pool: CUmemoryPool) {
    if is_forked_child() {
        return;
    }
    if is_inside() {
        // A thread may hold the lock of the record and wait for this host function.
        taken_over().push(pool.addr());
    } else {
        lock_record().forget_pool(pool.addr());
    }
}

/// Returns the access of a device to a pool.
///
/// # Safety
///
/// The pool is live.
pub(crate) unsafe fn pool_access(pool: CUmemoryPool, device: Device) -> Result<Flags> {
    access(pool, device)
}

/// Reports the end of contexts to the record.
struct Observer;

impl ContextObserver for Observer {
    fn has_work(&self, context: ContextId) -> bool {
        lock_record().copies.iter().any(|(_, copy)| copy.is_of(context))
    }

    fn is_idle(&self, context: ContextId, errors: &mut DeferredErrors) -> Result<bool> {
        lock_record().are_done(&|copy| copy.is_of(context), errors)
    }

    fn has_access(&self, context: ContextId) -> bool {
        with_record(|record| {
            let mut known = record.accesses.keys().chain(record.found_on.iter());
            known.any(|(own, peer)| *own == context || *peer == context)
        })
    }

    fn forget_access(&self, context: ContextId) -> Option<EndAccess> {
        let openings = lock_record().forget_context(context);
        if openings.is_empty() {
            return None;
        }
        Some(Box::new(move |errors| {
            for opening in openings {
                // Copies between other contexts of the two devices may use it.
                let (owner, consumer) = (opening.owner, opening.consumer);
                let close = |record: &mut Record, _: &mut DeferredErrors| record.close_pool(opening);
                let closed = between_copies(owner, consumer, errors, close);
                errors.add(closed);
            }
        }))
    }
}

/// Returns whether a device has access to a pool, and records the answer.
///
/// # Safety
///
/// The pool is live.
pub(crate) unsafe fn query_pool_access(pool: CUmemoryPool, device: Device) -> Result<bool> {
    let has_access = || Ok(access(pool, device)? != Flags::CU_MEM_ACCESS_FLAGS_PROT_NONE);
    if is_forked_child() {
        // The record may be locked by a thread that does not exist here; the driver refuses everything.
        return has_access();
    }
    // Under one lock, because other code may change the access meanwhile.
    with_record(|record| {
        let has_access = has_access()?;
        record.note_pool(pool, device, has_access);
        Ok(has_access)
    })
}

/// Returns whether this crate has given a device access to a pool, or has found it enabled. Makes no driver call.
pub(crate) fn is_pool_open(pool: CUmemoryPool, device: Device) -> bool {
    !is_forked_child() && lock_record().open_pools.contains(&(pool.addr(), device))
}
