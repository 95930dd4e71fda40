//! `wmma.load` and `wmma.store`. The PTX manual leaves the layout of a matrix in the registers open. Here it is row by
//! row, lane after lane. If the registers have room for more than one matrix, it is repeated.

use super::load_store::read;
use super::registers::{LANES, lanes};
use super::warp_memory::{LaneFault, WarpMemory};
use crate::op::{Element, Fragment, MemorySpace, NONE, opaque};

impl WarpMemory<'_> {
    pub(super) fn fragment(&mut self, fragment: &Fragment, mask: u32) -> Result<(), LaneFault> {
        let addresses = self.addresses_of(fragment.at);
        self.check_block(fragment.at, mask, &addresses)?;
        let element = fragment.element;
        let (bits, per) = (u64::from(element.bits()), element.per_register());
        let [height, width] = fragment.shape;
        let memory = fragment.at.memory;
        for lane in lanes(mask) {
            let stride = match fragment.stride {
                NONE if fragment.columns => height as u64,
                NONE => width as u64,
                slot => u64::from(self.registers.word(slot, lane)),
            };
            for (register, &place) in fragment.registers.iter().enumerate() {
                let mut value = if fragment.store { read(self.registers, place, lane) } else { 0 };
                for part in 0..per {
                    let count = fragment.registers.len() * per;
                    let [row, column] = opaque(fragment.shape, count, lane % LANES, register * per + part);
                    let (row, column) = (row as u64, column as u64);
                    let index = if fragment.columns {
                        column.wrapping_mul(stride).wrapping_add(row)
                    } else {
                        row.wrapping_mul(stride).wrapping_add(column)
                    };
                    let at = addresses[lane].wrapping_add(index.wrapping_mul(bits) / 8);
                    let shift = bits as usize * part;
                    if fragment.store {
                        self.put_element(memory, lane, at, element, value >> shift)?;
                    } else {
                        let inside = index.wrapping_mul(bits) % 8;
                        let found = self.element(memory, lane, at, element)? >> inside;
                        value |= (found & (u64::MAX >> (64 - bits))) << shift;
                    }
                }
                if !fragment.store {
                    self.registers.set_place(place, lane, value);
                }
            }
        }
        Ok(())
    }

    /// Returns the bytes around an element.
    fn element(
        &mut self,
        memory: MemorySpace,
        lane: usize,
        at: u64,
        element: Element,
    ) -> Result<u64, LaneFault> {
        Ok(match element.bits() {
            64 => u64::from_le_bytes(self.read_bytes(memory, lane, at)?),
            32 => u64::from(u32::from_le_bytes(self.read_bytes(memory, lane, at)?)),
            16 => u64::from(u16::from_le_bytes(self.read_bytes(memory, lane, at)?)),
            _ => u64::from(u8::from_le_bytes(self.read_bytes(memory, lane, at)?)),
        })
    }

    /// Elements of less than 16 bits are never stored.
    fn put_element(
        &mut self,
        memory: MemorySpace,
        lane: usize,
        at: u64,
        element: Element,
        value: u64,
    ) -> Result<(), LaneFault> {
        match element.bits() {
            64 => self.write_bytes(memory, lane, at, value.to_le_bytes()),
            32 => self.write_bytes(memory, lane, at, (value as u32).to_le_bytes()),
            _ => self.write_bytes(memory, lane, at, (value as u16).to_le_bytes()),
        }
    }
}
