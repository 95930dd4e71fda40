//! Barrier objects in memory: `mbarrier`.
//!
//! The PTX manual leaves the contents of such an object open. Here its 64 bits are, from the lowest:
//!
//! - 20 bits: arrivals that the current phase still waits for
//! - 20 bits: arrivals that each phase waits for
//! - 22 bits, signed: bytes that are still expected
//! - 1 bit: unused
//! - the top bit: the parity of the phase
//!
//! The state that an arrival returns is the object before the arrival.
//!
//! Threads may count arrivals and bytes on objects of other blocks of the cluster, without getting the state. All other
//! operations are restricted to objects of the thread's own block.

use super::load_store::space_of;
use super::registers::lanes;
use super::warp_memory::{LaneFault, WarpMemory};
use crate::fault::FaultKind;
use crate::op::{Mbarrier, MbarrierAction, MemorySpace, NONE, Place};

const COUNT: u64 = (1 << 20) - 1;
const BYTES: u32 = 22;
const PHASE: u64 = 1 << 63;

/// Decoded barrier object.
#[derive(Debug, Clone, Copy)]
struct Object {
    pending: u64,
    expected: u64,
    bytes: i64,
    odd: bool,
}

impl Object {
    fn new(bits: u64) -> Self {
        let bytes = (bits >> 40 << (64 - BYTES)).cast_signed() >> (64 - BYTES);
        Self { pending: bits & COUNT, expected: bits >> 20 & COUNT, bytes, odd: bits & PHASE != 0 }
    }

    fn bits(self) -> u64 {
        let bytes = self.bytes.cast_unsigned() & ((1 << BYTES) - 1);
        let odd = if self.odd { PHASE } else { 0 };
        self.pending & COUNT | (self.expected & COUNT) << 20 | bytes << 40 | odd
    }

    /// Begins the next phase if the current one is complete.
    fn settle(&mut self) {
        if self.pending == 0 && self.bytes == 0 {
            self.pending = self.expected;
            self.odd = !self.odd;
        }
    }
}

/// Returns the number of pending arrivals in a state.
pub(super) fn pending_count(state: u64) -> u32 {
    Object::new(state).pending as u32
}

impl WarpMemory<'_> {
    /// Executes an operation lane by lane, in the order of the lanes.
    pub(super) fn mbarrier(&mut self, mbarrier: &Mbarrier, mask: u32) -> Result<(), LaneFault> {
        let addresses = self.addresses_of(mbarrier.at);
        self.check_block(mbarrier.at, mask, &addresses)?;
        for lane in lanes(mask) {
            if space_of(mbarrier.at.memory, addresses[lane]).0 != MemorySpace::Shared {
                return Err(LaneFault::at(FaultKind::BarrierObjectOutsideShared, lane, addresses[lane]));
            }
            self.apply_mbarrier(mbarrier.at.memory, lane, addresses[lane], mbarrier.action)?;
        }
        Ok(())
    }

    /// Records that bytes have arrived.
    pub(super) fn complete(
        &mut self,
        memory: MemorySpace,
        lane: usize,
        address: u64,
        bytes: u32,
    ) -> Result<(), LaneFault> {
        let mut object = Object::new(u64::from_le_bytes(self.read_bytes(memory, lane, address)?));
        object.bytes -= i64::from(bytes);
        object.settle();
        self.write_bytes(memory, lane, address, object.bits().to_le_bytes())
    }

    fn apply_mbarrier(
        &mut self,
        memory: MemorySpace,
        lane: usize,
        address: u64,
        action: MbarrierAction,
    ) -> Result<(), LaneFault> {
        let old = u64::from_le_bytes(self.read_bytes(memory, lane, address)?);
        let mut object = Object::new(old);
        let registers = &mut *self.registers;
        let word = |slot, none: u32| if slot == NONE { none } else { registers.word(slot, lane) };
        match action {
            MbarrierAction::Probe => return Ok(()),
            MbarrierAction::Initialise { count } => {
                let count = u64::from(word(count, 0)) & COUNT;
                object = Object { pending: count, expected: count, bytes: 0, odd: false };
            }
            MbarrierAction::Invalidate => object = Object::new(0),
            MbarrierAction::Arrive { count, bytes, drop, state } => {
                let count = u64::from(word(count, 1));
                object.bytes += i64::from(word(bytes, 0));
                object.pending = object.pending.saturating_sub(count);
                if drop {
                    object.expected = object.expected.saturating_sub(count);
                }
                object.settle();
                if state != NONE {
                    registers.set_long(state, lane, old);
                }
            }
            MbarrierAction::Expect { bytes } => object.bytes += i64::from(word(bytes, 0)),
            MbarrierAction::Complete { bytes } => {
                object.bytes -= i64::from(word(bytes, 0));
                object.settle();
            }
            MbarrierAction::Test { phase, result } => {
                let odd = match phase {
                    Place::Long(state) => registers.long(state, lane) & PHASE != 0,
                    Place::Word(parity) | Place::Predicate(parity) => registers.word(parity, lane) & 1 != 0,
                };
                let over = if odd == object.odd { 0 } else { u32::MAX };
                registers.set_predicate(result, over, 1 << lane);
                return Ok(());
            }
        }
        self.write_bytes(memory, lane, address, object.bits().to_le_bytes())
    }
}
