//! Calls through registers.

use super::block::BlockIndex;
use super::grid::Grid;
use super::registers::{Registers, lanes};
use super::warp::{Group, Warp, transfer_value};
use super::warp_memory::LaneFault;
use crate::fault::FaultKind;
use crate::function::{Formal, Function};
use crate::op::{IndirectSite, Place};
use crate::program::function_at;

/// Returns the slots of all parameters, or of all results.
fn places(formals: &[Formal]) -> impl Iterator<Item = Place> + '_ {
    formals.iter().flat_map(|formal| formal.places.iter().copied())
}

/// Returns whether values fit the slots of a function.
fn fits(given: &[Place], formals: &[Formal]) -> bool {
    let same = |a: &Place, b: &Place| std::mem::discriminant(a) == std::mem::discriminant(b);
    places(formals).count() == given.len() && given.iter().zip(places(formals)).all(|(a, b)| same(a, &b))
}

impl Warp {
    /// Calls the functions that the registers of the lanes of `mask` point at. Lanes that call the same function as the
    /// first lane proceed. The others stay at the call for later.
    pub(super) fn call_indirect(
        &mut self,
        grid: &Grid<'_>,
        block: &BlockIndex,
        group: &mut Group,
        site: &IndirectSite,
        mask: u32,
    ) -> Result<(), LaneFault> {
        let first = mask.trailing_zeros() as usize;
        let Some(frame) = self.frames.get(group.frame) else { return Ok(()) };
        let address = frame.registers.long(site.target, first);
        let same = lanes(mask)
            .filter(|&lane| frame.registers.long(site.target, lane) == address)
            .fold(0u32, |same, lane| same | 1 << lane);
        let nowhere = || LaneFault::at(FaultKind::InvalidProgramCounter, first, address);
        let index = function_at(address).ok_or_else(nowhere)?;
        let function = grid.functions.get(index).ok_or_else(nowhere)?;
        if !fits(&site.arguments, &function.params) || !fits(&site.results, &function.returns) {
            let text = "call through a register: the function has other parameters or results";
            return Err(LaneFault::new(FaultKind::InvalidProgramCounter, first, text));
        }
        let frame = self.enter(grid, block, index, group.frame, group.pc + 1, same)?;
        if let Ok([caller, callee]) = self.frames.get_disjoint_mut([group.frame, frame]) {
            for (from, to) in site.arguments.iter().zip(places(&function.params)) {
                transfer_value(&caller.registers, &mut callee.registers, *from, to, same);
            }
        }
        if same != group.mask {
            self.groups.push(Group { mask: group.mask & !same, ..*group });
        }
        *group = Group { frame, pc: 0, mask: same, ..*group };
        Ok(())
    }
}

/// Passes the results of a function to a call through a register.
pub(super) fn give_results(
    function: &Function,
    site: &IndirectSite,
    callee: &Registers,
    caller: &mut Registers,
    mask: u32,
) {
    for (from, to) in places(&function.returns).zip(&site.results) {
        transfer_value(callee, caller, from, *to, mask);
    }
}
