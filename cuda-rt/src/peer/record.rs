//! Who has access to what, as far as this crate knows, and who asked for it.
//!
//! The driver cannot be asked, and two handles may name one context. So there is one record for the process, by what
//! the driver itself goes by. It is locked while the driver is called, so that it tells the truth; nothing of the
//! program runs meanwhile.

#![allow(unsafe_code)]

use super::PoolAccess;
use crate::context::{Context, is_gone};
use crate::device::Device;
use crate::error::{Code, Detail, Detailed, Error, Result, report};
use core::ptr::{null_mut, without_provenance_mut};
use cuda_sys::{
    CUmemAccess_flags_enum as Flags, CUmemAccessDesc, CUmemLocation, CUmemLocation_st__bindgen_ty_1,
    CUmemLocationType_enum, CUmemoryPool, Symbol,
};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a context is known by: its address, which may be another's later, and its number, which is not.
pub(crate) type Key = (usize, Option<u64>);

pub(super) type Pair = (Key, Key);

/// A pool of a device that was opened to another one: the pool's address, and the other device.
type Opening = (usize, Device);

/// Access that is on, as far as is known.
struct Access {
    /// Tells it from earlier access between the same two.
    number: u64,
    guards: usize,
    /// Whether guards alone have turned it on.
    by_guards: bool,
    /// Whether somebody wants it to stay when the guards are gone.
    pinned: bool,
    pool: PoolAccess,
    opening: Option<Opening>,
}

/// A pool that is open because of recorded access.
#[derive(Default)]
struct Opened {
    /// How much of that there is.
    accesses: usize,
    /// Whether it was closed before.
    by_us: bool,
}

#[derive(Default)]
pub(super) struct Record {
    accesses: BTreeMap<Pair, Access>,
    pools: BTreeMap<Opening, Opened>,
    last_number: u64,
}

static RECORD: Mutex<Option<Record>> = Mutex::new(None);

/// Failures that nobody can be given, until the record is unlocked: the hook may look at it.
#[derive(Default)]
pub(super) struct Leftovers(Vec<Error>);

impl Leftovers {
    pub(super) fn add(&mut self, outcome: Result<()>) {
        self.0.extend(outcome.err());
    }
}

impl Drop for Leftovers {
    fn drop(&mut self) {
        for error in self.0.drain(..) {
            report(Err(error));
        }
    }
}

/// Runs `work` on the record, and then reports what it has left over.
pub(super) fn with_record<R>(work: impl FnOnce(&mut Record, &mut Leftovers) -> R) -> R {
    // Dropped after the lock.
    let mut leftovers = Leftovers::default();
    let mut record: MutexGuard<'_, Option<Record>> = RECORD.lock().unwrap_or_else(PoisonError::into_inner);
    work(record.get_or_insert_default(), &mut leftovers)
}

/// What became of asking for access.
pub(super) struct Enabled {
    /// Whether it was off before.
    pub(super) newly: bool,
    /// Whether it would have stayed on without this.
    pub(super) was_pinned: bool,
    pub(super) pool: PoolAccess,
    pub(super) number: u64,
}

/// Has the driver turn access on, from the current context.
fn turn_on(own: &Context, peer: &Context) -> Result<()> {
    const NO_FLAGS: u32 = 0;
    // SAFETY: the peer is live, and the caller has made the other one current.
    let enabled = unsafe { check!(cuCtxEnablePeerAccess(peer.as_raw(), NO_FLAGS)) };
    let peers = || Detail::Peers { device: own.device(), peer: peer.device() };
    enabled
        .detailed(Code::PeerAccessUnsupported, peers)
        .detailed(Code::PeerAccessAlreadyEnabled, peers)
        .detailed(Code::TooManyPeers, peers)
}

/// Has the driver turn access off, from the current context.
fn turn_off(own: &Context, peer: &Context) -> Result<()> {
    // SAFETY: the peer is live, and the caller has made the other one current.
    let disabled = unsafe { check!(cuCtxDisablePeerAccess(peer.as_raw())) };
    disabled
        .detailed(Code::PeerAccessNotEnabled, || Detail::Peers { device: own.device(), peer: peer.device() })
}

fn is(error: &Error, code: Code) -> bool {
    error.code() == Some(code)
}

/// All of these are called with `own` current.
impl Record {
    /// Turns access on if it is off, and opens the pool. Either both, or nothing.
    pub(super) fn enable(
        &mut self,
        own: &Context,
        peer: &Context,
        leftovers: &mut Leftovers,
    ) -> Result<Enabled> {
        let newly = match turn_on(own, peer) {
            Ok(()) => true,
            Err(error) if is(&error, Code::PeerAccessAlreadyEnabled) => false,
            Err(error) => return Err(error),
        };
        self.note(own, peer, newly, leftovers)
    }

    /// Access is on now; the pool is opened as well, or else it is turned off again.
    fn note(
        &mut self,
        own: &Context,
        peer: &Context,
        newly: bool,
        leftovers: &mut Leftovers,
    ) -> Result<Enabled> {
        let pair = (own.key(), peer.key());
        if !self.accesses.contains_key(&pair) {
            let (pool, opening) = match self.open_pool(own, peer) {
                Ok(opened) => opened,
                Err(error) => {
                    if newly {
                        leftovers.add(turn_off(own, peer));
                    }
                    return Err(error);
                }
            };
            self.last_number += 1;
            let number = self.last_number;
            let access = Access { number, guards: 0, by_guards: false, pinned: false, pool, opening };
            self.accesses.insert(pair, access);
        }
        let Some(access) = self.accesses.get_mut(&pair) else { return Err(Error::ContextLost) };
        if newly {
            // What is recorded of before was undone by somebody else.
            (access.pinned, access.by_guards) = (false, false);
        }
        Ok(Enabled { newly, was_pinned: access.pinned, pool: access.pool, number: access.number })
    }

    /// Turns access on that must be off.
    pub(super) fn enable_newly(
        &mut self,
        own: &Context,
        peer: &Context,
        leftovers: &mut Leftovers,
    ) -> Result<PoolAccess> {
        // The driver is asked first, since its error is what the caller wants.
        if let Err(error) = turn_on(own, peer) {
            if is(&error, Code::PeerAccessAlreadyEnabled) {
                self.pin(own, peer, true);
            }
            return Err(error);
        }
        let enabled = self.note(own, peer, true, leftovers)?;
        self.pin(own, peer, true);
        Ok(enabled.pool)
    }

    /// Says whether access that is on stays on when the guards are gone.
    pub(super) fn pin(&mut self, own: &Context, peer: &Context, pinned: bool) {
        if let Some(access) = self.accesses.get_mut(&(own.key(), peer.key())) {
            access.pinned = pinned;
        }
    }

    /// Turns access off, whoever wants it on.
    pub(super) fn disable(&mut self, own: &Context, peer: &Context, leftovers: &mut Leftovers) -> Result<()> {
        let disabled = turn_off(own, peer);
        match &disabled {
            Err(error) if !is(error, Code::PeerAccessNotEnabled) => return disabled,
            _ => {}
        }
        let closed = self.forget((own.key(), peer.key()));
        match disabled {
            Ok(()) => closed,
            Err(error) => {
                leftovers.add(closed);
                Err(error)
            }
        }
    }

    /// Finds out whether access is on, by trying to turn it on.
    pub(super) fn probe(&mut self, own: &Context, peer: &Context, leftovers: &mut Leftovers) -> Result<bool> {
        match turn_on(own, peer) {
            Err(error) if is(&error, Code::PeerAccessAlreadyEnabled) => Ok(true),
            Err(error) if is(&error, Code::PeerAccessUnsupported) => Ok(false),
            // There are as many as there can be, and this is not one of them.
            Err(error) if is(&error, Code::TooManyPeers) => Ok(false),
            Err(error) => Err(error),
            Ok(()) => {
                // What may be recorded was undone by somebody else.
                leftovers.add(self.forget((own.key(), peer.key())));
                turn_off(own, peer).map(|()| false)
            }
        }
    }

    /// Counts a guard; the number by which it leaves.
    pub(super) fn guard(&mut self, own: &Context, peer: &Context, leftovers: &mut Leftovers) -> Result<u64> {
        let enabled = self.enable(own, peer, leftovers)?;
        if let Some(access) = self.accesses.get_mut(&(own.key(), peer.key())) {
            access.guards += 1;
            access.by_guards |= enabled.newly;
        }
        Ok(enabled.number)
    }

    /// The end of a guard. The last one undoes what guards have done, with the driver's help if there is any to be had.
    pub(super) fn leave(
        &mut self,
        own: &Context,
        peer: &Context,
        number: u64,
        leftovers: &mut Leftovers,
        driver: bool,
    ) -> Result<()> {
        let pair = (own.key(), peer.key());
        let Some(access) = self.accesses.get_mut(&pair).filter(|access| access.number == number) else {
            return Ok(());
        };
        access.guards = access.guards.saturating_sub(1);
        if access.guards > 0 || access.pinned {
            return Ok(());
        }
        let by_guards = access.by_guards;
        if !driver {
            let gone = self.accesses.remove(&pair).and_then(|access| access.opening);
            gone.map(|opening| self.pools.remove(&opening));
            return Ok(());
        }
        let disabled = if by_guards {
            // A peer that somebody has destroyed took the access along; its handle may be another's.
            is_gone(peer).and_then(|is_gone| if is_gone { Ok(()) } else { turn_off(own, peer) })
        } else {
            Ok(())
        };
        let closed = self.forget(pair);
        match disabled {
            Ok(()) => closed,
            Err(error) => {
                leftovers.add(closed);
                Err(error)
            }
        }
    }

    pub(super) fn recorded(&self, own: &Context, peer: &Context) -> Option<PoolAccess> {
        self.accesses.get(&(own.key(), peer.key())).map(|access| access.pool)
    }

    /// Drops what is known of access that is off now, and closes the pool if nothing else needs it.
    fn forget(&mut self, pair: Pair) -> Result<()> {
        match self.accesses.remove(&pair).and_then(|access| access.opening) {
            Some(opening) => self.close_pool(opening),
            None => Ok(()),
        }
    }

    /// Opens the default pool of the peer's device to the device of the other one.
    fn open_pool(&mut self, own: &Context, peer: &Context) -> Result<(PoolAccess, Option<Opening>)> {
        let is_known = cuda_sys::driver()?.has(Symbol::cuMemPoolSetAccess);
        if !is_known || !peer.has_pools() {
            return Ok((PoolAccess::NoPools, None));
        }
        let mut pool = null_mut();
        // SAFETY: `pool` is valid for a write.
        unsafe { check!(cuDeviceGetDefaultMemPool(&raw mut pool, peer.device().as_raw())) }?;
        let opening = (pool.addr(), own.device());
        let opens = !is_open(pool, own.device())?;
        if opens {
            match set_access(pool, own.device(), Flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
                Ok(()) => {}
                Err(Error::Driver(error))
                    if matches!(error.code, Code::NotSupported | Code::PeerAccessUnsupported) =>
                {
                    return Ok((PoolAccess::Refused(error), None));
                }
                Err(error) => return Err(error),
            }
        }
        let opened = self.pools.entry(opening).or_default();
        opened.accesses += 1;
        opened.by_us |= opens;
        Ok((PoolAccess::Granted, Some(opening)))
    }

    /// Closes a pool when the last access that needed it is gone, if it was closed before.
    fn close_pool(&mut self, opening: Opening) -> Result<()> {
        let Some(opened) = self.pools.get_mut(&opening) else { return Ok(()) };
        opened.accesses = opened.accesses.saturating_sub(1);
        if opened.accesses > 0 {
            return Ok(());
        }
        let by_us = opened.by_us;
        self.pools.remove(&opening);
        let (pool, device) = opening;
        if by_us {
            set_access(without_provenance_mut(pool), device, Flags::CU_MEM_ACCESS_FLAGS_PROT_NONE)
        } else {
            Ok(())
        }
    }
}

fn place(device: Device) -> CUmemLocation {
    CUmemLocation {
        type_: CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE,
        __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 { id: device.as_raw() },
    }
}

fn is_open(pool: CUmemoryPool, device: Device) -> Result<bool> {
    let (mut flags, mut place) = (Flags::CU_MEM_ACCESS_FLAGS_PROT_NONE, place(device));
    // SAFETY: a default pool, which its device always has; `flags` is valid for a write, `place` for a read.
    unsafe { check!(cuMemPoolGetAccess(&raw mut flags, pool, &raw mut place)) }?;
    Ok(flags == Flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
}

fn set_access(pool: CUmemoryPool, device: Device, flags: Flags) -> Result<()> {
    let access = CUmemAccessDesc { location: place(device), flags };
    // SAFETY: a default pool, which its device always has; the list has one element.
    unsafe { check!(cuMemPoolSetAccess(pool, &raw const access, 1)) }
}

/// What access there was from and to a context that has ended went with it; pools that were opened for it are closed.
/// `has_ended` is only asked if there was any.
pub(crate) fn context_ended(context: Key, has_ended: impl FnOnce() -> Result<bool>) {
    with_record(|record, leftovers| {
        let concerned: Vec<Pair> = record
            .accesses
            .keys()
            .filter(|(own, peer)| *own == context || *peer == context)
            .copied()
            .collect();
        if concerned.is_empty() {
            return;
        }
        match has_ended() {
            Ok(true) => concerned.into_iter().for_each(|pair| leftovers.add(record.forget(pair))),
            Ok(false) => {}
            Err(error) => leftovers.add(Err(error)),
        }
    });
}
