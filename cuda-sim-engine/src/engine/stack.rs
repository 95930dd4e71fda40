//! Local memory of a call: its variables, and the memory that its threads allocate by `alloca`.

use super::memory_backend::Local;
use super::registers::{LANES, lanes};
use super::warp_memory::{LaneFault, WarpMemory};
use crate::fault::FaultKind;
use crate::op::Place;

/// Local memory that a thread may use, as much as any device gives. It limits recursion.
pub(super) const MAX_LOCAL: u32 = 512 << 10;

/// Local memory of a call.
#[derive(Debug)]
pub(super) struct Stack {
    /// Offset behind the variables.
    variables_end: u32,
    /// Offset behind the allocated memory of each lane, if a lane has allocated memory.
    ends: Option<Box<[u32; LANES]>>,
}

impl Stack {
    /// Creates the stack of a call whose variables have some bytes from `base` on.
    pub(super) fn new(base: u32, bytes: u32) -> Self {
        Self { variables_end: base.saturating_add(bytes), ends: None }
    }

    /// Returns the offset behind the memory of all lanes.
    pub(super) fn end(&self) -> u32 {
        self.ends.iter().flat_map(|ends| ends.iter()).copied().fold(self.variables_end, u32::max)
    }

    /// Frees the allocated memory.
    pub(super) fn free(&mut self) {
        self.ends = None;
    }

    fn lane_end(&self, lane: usize) -> u32 {
        self.ends.as_ref().map_or(self.variables_end, |ends| ends[lane % LANES])
    }

    fn set_lane_end(&mut self, lane: usize, end: u32) {
        let ends = self.ends.get_or_insert_with(|| Box::new([self.variables_end; LANES]));
        ends[lane % LANES] = end;
    }

    /// Allocates memory of one lane. Returns its offset, or `None` if a thread has too little memory.
    fn allocate(&mut self, local: &mut Local, lane: usize, size: u64, align: u32) -> Option<u32> {
        let start = self.lane_end(lane).checked_next_multiple_of(align)?;
        let end = u64::from(start).checked_add(size).filter(|end| *end <= u64::from(MAX_LOCAL))? as u32;
        self.set_lane_end(lane, end);
        local.reserve(end);
        Some(start)
    }
}

impl WarpMemory<'_> {
    /// Implements `alloca`.
    pub(super) fn allocate_stack(
        &mut self,
        d: Place,
        size: Place,
        align: u32,
        mask: u32,
    ) -> Result<(), LaneFault> {
        for lane in lanes(mask) {
            let size = super::load_store::read(self.registers, size, lane);
            let Some(start) = self.stack.allocate(self.local, lane, size, align) else {
                let text = format!("alloca of {size} bytes");
                return Err(LaneFault::new(FaultKind::StackOverflow, lane, text));
            };
            self.registers.set_place(d, lane, start.into());
        }
        Ok(())
    }

    /// Implements `stacksave`.
    pub(super) fn save_stack(&mut self, d: Place, mask: u32) {
        for lane in lanes(mask) {
            self.registers.set_place(d, lane, self.stack.lane_end(lane).into());
        }
    }

    /// Implements `stackrestore`. The address must be that of a save after which no earlier one was restored: PTX leaves other
    /// addresses undefined.
    pub(super) fn restore_stack(&mut self, a: Place, mask: u32) -> Result<(), LaneFault> {
        for lane in lanes(mask) {
            let end = super::load_store::read(self.registers, a, lane);
            let known = u64::from(self.stack.variables_end)..=u64::from(self.stack.lane_end(lane));
            if !known.contains(&end) {
                return Err(LaneFault::at(FaultKind::IllegalAddress, lane, end));
            }
            self.stack.set_lane_end(lane, end as u32);
        }
        Ok(())
    }
}
