//! Atomic operations: lane by lane, in the order of the lanes.

use super::arithmetic::{maximum, minimum};
use super::clock::atomic_steps;
use super::float::{Bf16Bits, Float, Half};
use super::load_store::{fetch, put, read, space_of};
use super::memory_backend::MemoryBackend;
use super::registers::{LANES, Raw, lanes};
use super::scattered_access::each_lane;
use super::warp_memory::{LaneFault, WarpMemory};
use crate::fault::FaultKind;
use crate::op::{Atomic, AtomicAccess, MemorySpace, NONE, Place as Slots};

/// Returns the fault of an atomic operation on local memory for which devices compute wrong results (conformance facts
/// V951 to V953).
pub(super) fn wrong_on_local(lane: usize, address: u64, operation: &str) -> LaneFault {
    let detail = format!("{operation} on local memory, for which devices compute wrong results");
    LaneFault { detail, ..LaneFault::at(FaultKind::Unsupported, lane, address) }
}

/// Returns the kind of an operation for which devices compute wrong results on local memory, if it is one.
fn wrong_kind(access: &AtomicAccess) -> Option<&'static str> {
    match access.operation {
        _ if access.is_element => Some("vector atom or red"),
        Atomic::AddF16x2 => Some("atom or red of .f16x2"),
        Atomic::AddBf16x2 => Some("atom or red of .bf16x2"),
        _ => None,
    }
}

/// Returns whether the driver's compiler combines the operation for threads of a warp that name one address. For local
/// memory this is wrong, because each thread has its own: only the value of one thread changes (conformance fact V960).
fn is_combined(access: &AtomicAccess, has_one_operand: bool) -> bool {
    let is_combined_word = matches!(
        access.operation,
        Atomic::Add
            | Atomic::MinimumSigned
            | Atomic::MaximumSigned
            | Atomic::MinimumUnsigned
            | Atomic::MaximumUnsigned
            | Atomic::And
            | Atomic::Or
            | Atomic::Xor
    );
    match access.size {
        4 => is_combined_word,
        8 => access.operation == Atomic::Add && has_one_operand,
        _ => false,
    }
}

/// Returns the new value.
pub(super) fn apply(
    operation: Atomic,
    size: u8,
    old: u64,
    operand: u64,
    replacement: u64,
    flush: bool,
) -> u64 {
    let signed = |value: u64| {
        if size == 8 { value.cast_signed() } else { i64::from((value as u32).cast_signed()) }
    };
    let numbers = u32::from(size) / 2;
    match operation {
        Atomic::Add => old.wrapping_add(operand),
        Atomic::MinimumSigned => {
            if signed(old) < signed(operand) {
                old
            } else {
                operand
            }
        }
        Atomic::MaximumSigned => {
            if signed(old) > signed(operand) {
                old
            } else {
                operand
            }
        }
        Atomic::MinimumUnsigned => old.min(operand),
        Atomic::MaximumUnsigned => old.max(operand),
        Atomic::Increment => {
            if old >= operand {
                0
            } else {
                old + 1
            }
        }
        Atomic::Decrement => {
            if old == 0 || old > operand {
                operand
            } else {
                old - 1
            }
        }
        Atomic::And => old & operand,
        Atomic::Or => old | operand,
        Atomic::Xor => old ^ operand,
        Atomic::Exchange => operand,
        Atomic::CompareAndSwap => {
            if old == operand {
                replacement
            } else {
                old
            }
        }
        Atomic::AddF32 => {
            let (a, b) = (f32::from_pattern(old), f32::from_pattern(operand));
            if flush { a.flushed().add(b.flushed()).flushed().pattern() } else { a.add(b).pattern() }
        }
        Atomic::AddF64 => f64::from_pattern(old).add(f64::from_pattern(operand)).pattern(),
        Atomic::AddF16 => halves(old, operand, 1, |a, b| Half(a).add(Half(b)).0),
        Atomic::AddBf16 => halves(old, operand, 1, |a, b| Bf16Bits(a).add(Bf16Bits(b)).0),
        Atomic::AddF16x2 => halves(old, operand, 2, |a, b| Half(a).add(Half(b)).0),
        Atomic::AddBf16x2 => halves(old, operand, 2, |a, b| Bf16Bits(a).add(Bf16Bits(b)).0),
        Atomic::MinimumF16 => halves(old, operand, numbers, |a, b| minimum(Half(a), Half(b), false).0),
        Atomic::MaximumF16 => halves(old, operand, numbers, |a, b| maximum(Half(a), Half(b), false).0),
        Atomic::MinimumBf16 => {
            halves(old, operand, numbers, |a, b| minimum(Bf16Bits(a), Bf16Bits(b), false).0)
        }
        Atomic::MaximumBf16 => {
            halves(old, operand, numbers, |a, b| maximum(Bf16Bits(a), Bf16Bits(b), false).0)
        }
    }
}

/// Combines packed 16-bit numbers.
fn halves(old: u64, operand: u64, count: u32, combine: impl Fn(u16, u16) -> u16) -> u64 {
    (0..count).fold(0, |sum, index| {
        let shift = 16 * index;
        sum | u64::from(combine((old >> shift) as u16, (operand >> shift) as u16)) << shift
    })
}

/// Changes words of shared memory by the operands of the lanes of `mask`. `old` receives the results.
#[inline(always)]
fn change_words(
    shared: &mut [u32],
    (mask, distances): (u32, &[u32; LANES]),
    operands: &[u32; LANES],
    old: &mut [u32; LANES],
    change: impl Fn(u32, u32) -> u32,
) {
    each_lane!(mask, |lane| {
        if let Some(word) = shared.get_mut((distances[lane] / 4) as usize) {
            old[lane] = *word;
            *word = change(old[lane], operands[lane]);
        }
    });
}

impl WarpMemory<'_> {
    #[inline(always)]
    pub(super) fn atomic(&mut self, access: &AtomicAccess, mask: u32) -> Result<(), LaneFault> {
        self.clock.work(atomic_steps(mask));
        if access.memory == MemorySpace::Shared && access.size == 4 {
            let mut distances = [0; LANES];
            if self.distances(access.at(), mask, 4, &mut distances)
                && self.atomic_shared_words(access, mask, &distances)
            {
                return Ok(());
            }
        }
        self.atomic_generally(access, mask)
    }

    /// Executes the common operations on words of shared memory, at `distances` from its start. Returns false if the
    /// general path must execute the operation; memory is unchanged then.
    #[inline(never)]
    fn atomic_shared_words(&mut self, access: &AtomicAccess, mask: u32, distances: &[u32; LANES]) -> bool {
        let Slots::Word(operand) = access.operand else { return false };
        if operand == NONE {
            return false;
        }
        let operands = *u32::array(self.registers, operand);
        let mut unused = [0; LANES];
        let old = match access.result {
            Some(Slots::Word(slot) | Slots::Predicate(slot)) => u32::array_mut(self.registers, slot),
            _ => &mut unused,
        };
        macro_rules! change {
            ($change:expr) => {
                change_words(self.shared, (mask, distances), &operands, old, $change)
            };
        }
        match access.operation {
            Atomic::Add => change!(u32::wrapping_add),
            Atomic::MinimumUnsigned => change!(|old, value| old.min(value)),
            Atomic::MaximumUnsigned => change!(|old, value| old.max(value)),
            Atomic::And => change!(|old, value| old & value),
            Atomic::Or => change!(|old, value| old | value),
            Atomic::Exchange => change!(|_, value| value),
            _ => return false,
        }
        true
    }

    #[inline(never)]
    fn atomic_generally(&mut self, access: &AtomicAccess, mask: u32) -> Result<(), LaneFault> {
        let addresses = self.addresses(access.memory, access.base, access.offset);
        self.check_block(access.at(), mask, &addresses)?;
        let size = access.size;
        *self.watches |= access.memory != MemorySpace::Shared && access.result.is_some();
        let wrong = wrong_kind(access);
        // The check precedes the results, which overwrite operands. An address outside the frame is the fault to report
        // first.
        let combined = self.check_combined(access, mask, &addresses);
        for lane in lanes(mask) {
            let address = addresses[lane];
            let (space, _) = space_of(access.memory, address);
            if let Some(kind) = wrong.filter(|_| space == MemorySpace::Local) {
                return Err(wrong_on_local(lane, address, kind));
            }
            let operand = read(self.registers, access.operand, lane);
            let replacement = access.replacement.map_or(0, |place| read(self.registers, place, lane));
            // As documented, single-precision sums in global memory flush subnormals, and other sums do not.
            let flush = matches!(space, MemorySpace::Generic | MemorySpace::Global);
            let change = |old: u64| apply(access.operation, size, old, operand, replacement, flush);
            let old = self.update(access.memory, lane, address, size, change)?;
            match access.result {
                Some(Slots::Long(slot)) => self.registers.set_long(slot, lane, old),
                Some(Slots::Word(slot) | Slots::Predicate(slot)) => {
                    self.registers.set_word(slot, lane, old as u32);
                }
                None => {}
            }
        }
        combined
    }

    /// Refuses an operation that the compiler combines for several threads, if they name one address of local memory.
    fn check_combined(
        &self,
        access: &AtomicAccess,
        mask: u32,
        addresses: &[u64; 32],
    ) -> Result<(), LaneFault> {
        if matches!(access.memory, MemorySpace::Global | MemorySpace::Shared) {
            return Ok(());
        }
        let mut local =
            lanes(mask).filter(|lane| space_of(access.memory, addresses[*lane]).0 == MemorySpace::Local);
        let Some(first) = local.next() else { return Ok(()) };
        let operand = |lane: usize| read(self.registers, access.operand, lane);
        let alike = local.filter(|lane| addresses[*lane] == addresses[first]);
        let (mut several, mut has_one_operand) = (false, true);
        for lane in alike {
            several = true;
            has_one_operand &= operand(lane) == operand(first);
        }
        if several && is_combined(access, has_one_operand) {
            return Err(wrong_on_local(first, addresses[first], "atom or red of several threads of a warp"));
        }
        Ok(())
    }

    /// Changes 2, 4 or 8 bytes in memory in one step. Returns the old value.
    #[inline(always)]
    pub(super) fn update(
        &mut self,
        memory: MemorySpace,
        lane: usize,
        address: u64,
        size: u8,
        change: impl Fn(u64) -> u64,
    ) -> Result<u64, LaneFault> {
        let (memory, window) = space_of(memory, address);
        let offset = address.wrapping_sub(window);
        let fault = |kind| LaneFault::at(kind, lane, address);
        if offset & (u64::from(size) - 1) != 0 {
            return Err(fault(FaultKind::MisalignedAddress));
        }
        match memory {
            MemorySpace::Generic | MemorySpace::Global => {
                // A 16-bit operation works on the word that contains it.
                let (start, length) = if size == 2 { (offset & !3, 4) } else { (offset, u64::from(size)) };
                let place = self.memory.find(self.cache, start, length);
                let place = place.ok_or_else(|| fault(FaultKind::IllegalAddress))?;
                Ok(match size {
                    8 => place.update64(change),
                    4 => u64::from(place.update32(|old| change(u64::from(old)) as u32)),
                    _ => {
                        let shift = (offset & 2) * 8;
                        let old = place.update32(|word| {
                            let old = u64::from(word >> shift & 0xffff);
                            word & !(0xffff << shift) | (change(old) as u32 & 0xffff) << shift
                        });
                        u64::from(old >> shift & 0xffff)
                    }
                })
            }
            MemorySpace::Shared => {
                let memory = self.cluster.at(self.shared, offset);
                let old = exchange(memory, lane, offset, size, change);
                old.map_err(|_| fault(self.cluster.fault_at(offset)))
            }
            MemorySpace::Local => exchange(&mut *self.local, lane, offset, size, change).map_err(fault),
            MemorySpace::Parameter => Err(fault(FaultKind::InvalidAddressSpace)),
        }
    }
}

/// Changes a value in a memory that no other host thread uses.
fn exchange<B: MemoryBackend>(
    mut backend: B,
    lane: usize,
    offset: u64,
    size: u8,
    change: impl Fn(u64) -> u64,
) -> Result<u64, FaultKind> {
    if !backend.holds(offset, u64::from(size)) {
        return Err(B::FAULT);
    }
    let old = fetch(&backend, lane, offset, size);
    put(&mut backend, lane, offset, size, change(old));
    Ok(old)
}
