//! Asynchronous copies: `cp.async` and related instructions.
//!
//! The engine makes these copies at once. The time of an asynchronous copy is unspecified until the program waits for
//! it, so any time is correct. A program that reads the destination before the wait has no guarantee. Instructions that
//! wait for copies therefore have no effect.

use super::atomic::apply;
use super::cluster_memory::mapped;
use super::registers::lanes;
use super::warp_memory::{LaneFault, WarpMemory};
use crate::fault::FaultKind;
use crate::op::{Address, AsyncCopy, BulkCopy, MemorySpace, NONE};

impl WarpMemory<'_> {
    pub(super) fn copy(&mut self, copy: &AsyncCopy, mask: u32) -> Result<(), LaneFault> {
        let (to, from) = (self.addresses_of(copy.to), self.addresses_of(copy.from));
        self.check_block(copy.to, mask, &to)?;
        let ignored = self.registers.condition(copy.ignore);
        for lane in lanes(mask) {
            let size = usize::from(copy.size);
            let wanted = match copy.read {
                _ if ignored >> lane & 1 != 0 => 0,
                NONE => size,
                slot => (self.registers.word(slot, lane) as usize).min(size),
            };
            for address in [(wanted != 0).then_some(from[lane]), Some(to[lane])].into_iter().flatten() {
                if !address.is_multiple_of(size as u64) {
                    return Err(LaneFault::at(FaultKind::MisalignedAddress, lane, address));
                }
            }
            let mut bytes = [0; 16];
            let mut done = 0;
            while done < wanted {
                let at = from[lane].wrapping_add(done as u64);
                if wanted - done >= 4 {
                    let part: [u8; 4] = self.read_bytes(copy.from.memory, lane, at)?;
                    if let Some(place) = bytes.get_mut(done..done + 4) {
                        place.copy_from_slice(&part);
                    }
                    done += 4;
                } else {
                    let [byte] = self.read_bytes(copy.from.memory, lane, at)?;
                    bytes[done] = byte;
                    done += 1;
                }
            }
            for (index, word) in bytes.as_chunks::<4>().0.iter().enumerate().take(size / 4) {
                let at = to[lane].wrapping_add(4 * index as u64);
                self.write_bytes(copy.to.memory, lane, at, *word)?;
            }
        }
        Ok(())
    }

    pub(super) fn bulk_copy(&mut self, copy: &BulkCopy, mask: u32) -> Result<(), LaneFault> {
        let (to, from) = (self.addresses_of(copy.to), self.addresses_of(copy.from));
        let mbarriers = copy.mbarrier.map(|mbarrier| (mbarrier.memory, self.addresses_of(mbarrier)));
        self.check_block(copy.from, mask, &from)?;
        for lane in lanes(mask) {
            let size = self.registers.word(copy.size, lane);
            for address in [from[lane], to[lane]] {
                if !address.is_multiple_of(16) {
                    return Err(LaneFault::at(FaultKind::MisalignedAddress, lane, address));
                }
            }
            if !size.is_multiple_of(16) {
                let text = format!("a bulk copy of {size} bytes");
                return Err(LaneFault::new(FaultKind::MisalignedAddress, lane, text));
            }
            let Some((memory, addresses)) = &mbarriers else {
                self.bulk_copy_one(copy, lane, to[lane], from[lane], size)?;
                continue;
            };
            if copy.ranks == NONE {
                self.bulk_copy_one(copy, lane, to[lane], from[lane], size)?;
                self.complete(*memory, lane, addresses[lane], size)?;
                continue;
            }
            // The same offset in each of these blocks.
            for rank in lanes(self.registers.word(copy.ranks, lane) & 0xffff) {
                let place = |address: u64| mapped(rank as u32, address);
                self.bulk_copy_one(copy, lane, place(to[lane]), from[lane], size)?;
                self.complete(*memory, lane, place(addresses[lane]), size)?;
            }
        }
        Ok(())
    }

    fn bulk_copy_one(
        &mut self,
        copy: &BulkCopy,
        lane: usize,
        to: u64,
        from: u64,
        size: u32,
    ) -> Result<(), LaneFault> {
        for offset in (0..u64::from(size)).step_by(16) {
            let bytes: [u8; 16] = self.read_bytes(copy.from.memory, lane, from.wrapping_add(offset))?;
            let at = to.wrapping_add(offset);
            match copy.reduction {
                None => self.write_bytes(copy.to.memory, lane, at, bytes)?,
                Some((operation, element)) => {
                    self.reduce(copy.to.memory, lane, at, bytes, (operation, element))?;
                }
            }
        }
        Ok(())
    }

    /// Applies an atomic operation to the elements of 16 bytes.
    pub(super) fn reduce(
        &mut self,
        memory: MemorySpace,
        lane: usize,
        address: u64,
        bytes: [u8; 16],
        (operation, element): (crate::op::Atomic, u8),
    ) -> Result<(), LaneFault> {
        let size = usize::from(element).max(2);
        for (index, part) in bytes.chunks_exact(size).enumerate() {
            let operand = part.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
            let at = address.wrapping_add((index * size) as u64);
            let flush = memory != MemorySpace::Shared;
            let change = |old: u64| apply(operation, element, old, operand, 0, flush);
            self.update(memory, lane, at, element, change)?;
        }
        Ok(())
    }

    /// Reports the bytes of `st.async` and `red.async` to the barrier object. Faults in launches without clusters. A
    /// cluster may be a single block (measured).
    pub(super) fn counted(&mut self, mbarrier: Address, bytes: u32, mask: u32) -> Result<(), LaneFault> {
        if self.launch.cluster.is_none() {
            return Err(LaneFault::new(FaultKind::NoCluster, mask.trailing_zeros() as usize, String::new()));
        }
        let addresses = self.addresses_of(mbarrier);
        lanes(mask).try_for_each(|lane| self.complete(mbarrier.memory, lane, addresses[lane], bytes))
    }
}
