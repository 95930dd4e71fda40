//! Atomic operations: lane by lane, in the order of the lanes.

use super::super::op::{Atomic, AtomicAccess, Memories, Place as Slots};
use super::access::{read, slice, space_of};
use super::float::{Brain, Float, Half};
use super::registers::lanes;
use super::space::{Reach, Trouble};
use crate::exec::fault::FaultKind;

/// The new value.
fn apply(operation: Atomic, size: u8, old: u64, operand: u64, replacement: u64, flush: bool) -> u64 {
    let signed = |value: u64| {
        if size == 8 { value.cast_signed() } else { i64::from((value as u32).cast_signed()) }
    };
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
        Atomic::AddBf16 => halves(old, operand, 1, |a, b| Brain(a).add(Brain(b)).0),
        Atomic::AddF16x2 => halves(old, operand, 2, |a, b| Half(a).add(Half(b)).0),
        Atomic::AddBf16x2 => halves(old, operand, 2, |a, b| Brain(a).add(Brain(b)).0),
    }
}

/// Adds 16-bit numbers side by side.
fn halves(old: u64, operand: u64, count: u32, add: impl Fn(u16, u16) -> u16) -> u64 {
    (0..count).fold(0, |sum, index| {
        let shift = 16 * index;
        sum | u64::from(add((old >> shift) as u16, (operand >> shift) as u16)) << shift
    })
}

impl Reach<'_> {
    #[inline(never)]
    pub(super) fn atomic(&mut self, access: &AtomicAccess, mask: u32) -> Result<(), Trouble> {
        let addresses = self.addresses(access.memory, access.base, access.offset);
        let size = access.size;
        for lane in lanes(mask) {
            let address = addresses[lane];
            let (memory, window) = space_of(access.memory, address);
            let offset = address - window;
            let fault = |kind| Trouble::at(kind, lane, address);
            if offset & (u64::from(size) - 1) != 0 {
                return Err(fault(FaultKind::MisalignedAddress));
            }
            let operand = read(self.registers, access.operand, lane);
            let replacement = access.replacement.map_or(0, |place| read(self.registers, place, lane));
            // As documented: single-precision sums in global memory lose subnormals, those in shared memory do not.
            let flush = memory != Memories::Shared;
            let change = |old: u64| apply(access.operation, size, old, operand, replacement, flush);
            let old = match memory {
                Memories::Generic | Memories::Global => {
                    // A 16-bit operation works on the word around it.
                    let (start, length) =
                        if size == 2 { (offset & !3, 4) } else { (offset, u64::from(size)) };
                    let place = self.memory.find(self.cache, start, length);
                    let place = place.ok_or_else(|| fault(FaultKind::IllegalAddress))?;
                    match size {
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
                    }
                }
                Memories::Shared => {
                    let bytes = slice(self.shared, offset, u64::from(size));
                    let bytes = bytes.ok_or_else(|| fault(FaultKind::OutOfWindow))?;
                    let old = bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
                    let new = change(old).to_le_bytes();
                    for (byte, new) in bytes.iter_mut().zip(new) {
                        *byte = new;
                    }
                    old
                }
                Memories::Local | Memories::Parameter => {
                    return Err(fault(FaultKind::InvalidAddressSpace));
                }
            };
            match access.result {
                Some(Slots::Long(slot)) => self.registers.set_long(slot, lane, old),
                Some(Slots::Word(slot) | Slots::Predicate(slot)) => {
                    self.registers.set_word(slot, lane, old as u32);
                }
                None => {}
            }
        }
        Ok(())
    }
}
