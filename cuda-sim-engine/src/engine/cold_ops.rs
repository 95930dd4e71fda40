//! Dispatch of operations that few kernels use.

use super::atomic::wrong_on_local;
use super::cluster_memory::{mapped, rank_of};
use super::load_store::{read, space_of};
use super::registers::{LANES, lanes};
use super::warp_memory::{LaneFault, WarpMemory};
use super::{approx_f64, mbarrier, narrow_formats, video};
use crate::fault::FaultKind;
use crate::malloc_heap::FreeError;
use crate::op::{ColdOp, MemorySpace, WideAtomic};
use crate::program::GlobalSpace;
use crate::windows::SHARED_WINDOW;
use std::sync::Mutex;

/// Serialises operations on 16 bytes, because no host instruction changes 16 bytes at once.
static WIDE: Mutex<()> = Mutex::new(());

impl WarpMemory<'_> {
    #[inline(never)]
    pub(super) fn cold(&mut self, rare: &ColdOp, mask: u32) -> Result<(), LaneFault> {
        let r = &mut *self.registers;
        match rare {
            ColdOp::Fault(code) => return Err(LaneFault::injected(*code, mask)),
            ColdOp::Mbarrier(mbarrier) => return self.mbarrier(mbarrier, mask),
            ColdOp::Copy(copy) => return self.copy(copy, mask),
            ColdOp::BulkCopy(copy) => return self.bulk_copy(copy, mask),
            ColdOp::TensorCopy(copy) => return self.tensor_copy(copy, mask),
            ColdOp::TensorField(field) => return self.replace_tensor_field(field, mask),
            // With the addresses of the first thread. All threads must have the same ones.
            ColdOp::TensorMapCopy(copy) => return self.bulk_copy(copy, mask & mask.wrapping_neg()),
            ColdOp::Counted { mbarrier, bytes } => return self.counted(*mbarrier, *bytes, mask),
            ColdOp::SetCondition { handle, value } => {
                for lane in lanes(mask) {
                    let handle = self.registers.long(*handle, lane);
                    let value = self.registers.word(*value, lane);
                    self.launch.output.set_condition(handle, value);
                }
            }
            ColdOp::MapShared { d, a, rank, generic } => {
                let window = if *generic { SHARED_WINDOW } else { 0 };
                for lane in lanes(mask) {
                    let offset = read(r, *a, lane).wrapping_sub(window);
                    let address = window.wrapping_add(mapped(r.word(*rank, lane), offset));
                    r.set_place(*d, lane, address);
                }
            }
            ColdOp::BlockRank { d, a, generic } => {
                let window = if *generic { SHARED_WINDOW } else { 0 };
                for lane in lanes(mask) {
                    let offset = read(r, *a, lane).wrapping_sub(window);
                    r.set_word(*d, lane, rank_of(offset));
                }
            }
            ColdOp::IsOwnShared { d, a } => {
                let rank = self.cluster.rank;
                let is_own = |address: u64| {
                    let (memory, window) = space_of(MemorySpace::Generic, address);
                    memory == MemorySpace::Shared && rank_of(address.wrapping_sub(window)) == rank
                };
                let found = r.test1(*a, is_own);
                r.set_predicate(*d, found, mask);
            }
            ColdOp::IsConstant { d, a } => {
                let addresses = self.launch.globals.iter().zip(self.variables);
                let constants = addresses.filter(|(_, variable)| variable.space == GlobalSpace::Constant);
                let is_within = |address: u64| {
                    constants.clone().any(|(start, variable)| address.wrapping_sub(*start) < variable.size)
                };
                let found = r.test1(*a, is_within);
                r.set_predicate(*d, found, mask);
            }
            ColdOp::Allocate { d, size } => {
                let heap = self.launch.malloc_heap.as_deref();
                for lane in lanes(mask) {
                    let address = heap.map_or(0, |heap| heap.allocate(r.long(*size, lane)));
                    r.set_long(*d, lane, address);
                }
            }
            ColdOp::Free { address } => {
                let Some(heap) = self.launch.malloc_heap.as_deref() else { return Ok(()) };
                for lane in lanes(mask) {
                    let address = self.registers.long(*address, lane);
                    match heap.free(address) {
                        Err(FreeError::Twice) => {
                            return Err(LaneFault::at(FaultKind::DoubleFree, lane, address));
                        }
                        // Hardware reads the header of a block there (conformance fact V1041).
                        Err(FreeError::NoBlock) if address != 0 && !self.is_mapped(address) => {
                            return Err(LaneFault::at(FaultKind::IllegalAddress, lane, address));
                        }
                        Ok(()) | Err(FreeError::NoBlock) => {}
                    }
                }
            }
            ColdOp::DeviceCall(call) => return self.device_call(call, mask),
            ColdOp::AllocateStack { d, size, align } => {
                return self.allocate_stack(*d, *size, *align, mask);
            }
            ColdOp::SaveStack { d } => self.save_stack(*d, mask),
            ColdOp::RestoreStack { a } => return self.restore_stack(*a, mask),
            ColdOp::Print { format, arguments, result } => {
                return self.print([*format, *arguments], *result, mask);
            }
            ColdOp::Multiply(multiply) => self.multiply(multiply, mask),
            ColdOp::GroupMultiply(multiply) => return self.group_multiply(multiply, mask),
            ColdOp::CommitProducts { warp } => {
                self.products.commit(self.registers.word(*warp, mask.trailing_zeros() as usize % LANES));
            }
            ColdOp::Fragment(fragment) => return self.fragment(fragment, mask),
            ColdOp::Matrix(access) => return self.matrix(access, mask),
            ColdOp::Wide(atomic) => return self.wide(atomic, mask),
            ColdOp::Transpose { d, a } => self.transpose(*d, *a, mask),
            ColdOp::PendingCount { d, a } => r.map1(mask, *d, *a, mbarrier::pending_count),
            ColdOp::ClearOutOfBounds { d, result, factors: [a, b] } => {
                r.map3(mask, *d, [*result, *a, *b], cleared_out_of_bounds);
            }
            ColdOp::FindSet { d, mask: bits, base, offset } => {
                r.map3(mask, *d, [*bits, *base, *offset], find_set);
            }
            ColdOp::Video(operation) => video::one(r, mask, operation),
            ColdOp::VideoLanes(operation) => video::several(r, mask, operation),
            ColdOp::VideoMultiply(operation) => video::multiply(r, mask, operation),
            ColdOp::Narrow { format, relu, halves, d, high, low } => {
                narrow_formats::narrow(r, mask, (*format, *relu, *halves), *d, [*high, *low]);
            }
            ColdOp::Widen { format, relu, d, a } => narrow_formats::widen(r, mask, *format, *relu, *d, *a),
            ColdOp::Tensor { rounding, relu, finite, d, a } => {
                narrow_formats::tensor(r, mask, (*rounding, *relu, *finite), *d, *a);
            }
            ColdOp::Pack { bits, signed, d, a, b, c } => {
                narrow_formats::pack(r, mask, (*bits, *signed), *d, [*a, *b, *c])
            }
            ColdOp::ApproxF64 { root, d, a } => approx_f64::approximate(r, mask, *root, *d, *a),
            ColdOp::Finite { brain, d, a } => {
                let brain = *brain;
                r.map1(mask, *d, *a, |a: u32| narrow_formats::finite(brain, a));
            }
        }
        Ok(())
    }

    /// Executes 128-bit atomic operations, of all blocks one after another.
    fn wide(&mut self, atomic: &WideAtomic, mask: u32) -> Result<(), LaneFault> {
        let addresses = self.addresses_of(atomic.at);
        self.check_block(atomic.at, mask, &addresses)?;
        for lane in lanes(mask) {
            let value = |reach: &Self, [low, high]: [u32; 2]| {
                u128::from(reach.registers.long(high, lane)) << 64
                    | u128::from(reach.registers.long(low, lane))
            };
            let _turn = WIDE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let (memory, address) = (atomic.at.memory, addresses[lane]);
            if atomic.is_atom && space_of(memory, address).0 == MemorySpace::Local {
                return Err(wrong_on_local(lane, address, "atom.b128"));
            }
            let old = u128::from_le_bytes(self.read_bytes(memory, lane, address)?);
            let new = match (atomic.operand, atomic.replacement) {
                (None, _) => None,
                (Some(operand), None) => Some(value(self, operand)),
                (Some(operand), Some(replacement)) => {
                    Some(if old == value(self, operand) { value(self, replacement) } else { old })
                }
            };
            if let Some(new) = new {
                self.write_bytes(memory, lane, address, new.to_le_bytes())?;
            }
            if let Some([low, high]) = atomic.result {
                self.registers.set_long(low, lane, old as u64);
                self.registers.set_long(high, lane, (old >> 64) as u64);
            }
        }
        Ok(())
    }
}

/// Returns the position of the `offset`-th set bit of `mask`, counted upwards from bit `base`, or downwards if `offset`
/// is negative. Returns all ones if there is none.
fn find_set(mask: u32, base: u32, offset: i32) -> u32 {
    let base = base & 31;
    if offset == 0 {
        return if mask >> base & 1 != 0 { base } else { u32::MAX };
    }
    let wanted = offset.unsigned_abs() as usize - 1;
    let set = |bit: &u32| mask >> bit & 1 != 0;
    let found = if offset > 0 {
        (base..32).filter(set).nth(wanted)
    } else {
        (0..=base).rev().filter(set).nth(wanted)
    };
    found.unwrap_or(u32::MAX)
}

/// Returns a result of `fma.oob` in both halves. Only the number that tensor copies write out of bounds counts, with any sign
/// (conformance fact V1199).
fn cleared_out_of_bounds(result: u32, a: u32, b: u32) -> u32 {
    let is_outside = |factor: u32, shift: u32| factor >> shift & 0x7fff == u32::from(super::tensor_copy::NAN);
    [0, 16].into_iter().fold(result, |result, shift| {
        if is_outside(a, shift) || is_outside(b, shift) { result & !(0xffff << shift) } else { result }
    })
}
