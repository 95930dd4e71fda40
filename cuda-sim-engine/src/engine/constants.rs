//! Registers that are filled before a thread starts: immediates, addresses, special registers.

use super::block::BlockIndex;
use super::cluster_memory::mapped;
use super::grid::Grid;
use super::registers::{LANES, Registers};
use crate::function::{Constant, Special};
use crate::op::Place;
use crate::windows::{LOCAL_WINDOW, SHARED_WINDOW};

/// Fills all lanes of a register with one value.
pub(super) fn fill(registers: &mut Registers, place: Place, value: u64) {
    match place {
        Place::Word(slot) => registers.map0(u32::MAX, slot, value as u32),
        Place::Long(slot) => registers.map0(u32::MAX, slot, value),
        Place::Predicate(slot) => {
            registers.set_predicate(slot, if value != 0 { u32::MAX } else { 0 }, u32::MAX);
        }
    }
}

/// Fills a register with a value for each lane.
pub(super) fn fill_lanes(registers: &mut Registers, place: Place, values: &[u32; LANES]) {
    for (lane, &value) in values.iter().enumerate() {
        match place {
            Place::Word(slot) => registers.set_word(slot, lane, value),
            Place::Long(slot) => registers.set_long(slot, lane, u64::from(value)),
            Place::Predicate(slot) => {
                registers.set_predicate(slot, if value != 0 { u32::MAX } else { 0 }, 1 << lane);
            }
        }
    }
}

/// Returns whether a constant is the same for all calls of a function in a launch.
pub(super) fn is_fixed(grid: &Grid<'_>, constant: Constant) -> bool {
    match constant {
        // Each block of a cluster has its own addresses.
        Constant::Shared(..) | Constant::SharedGeneric(..) => grid.cluster_blocks() == 1,
        Constant::Local(_) | Constant::LocalGeneric(_) => false,
        Constant::Special(
            Special::Block(_)
            | Special::Cluster(_)
            | Special::ClusterBlock(_)
            | Special::ClusterRank
            | Special::Warp
            | Special::Multiprocessor,
        ) => false,
        constant if is_of_lane(constant) => false,
        _ => true,
    }
}

/// Returns whether a constant that is not [fixed](is_fixed) depends on the block.
pub(super) fn is_of_block(constant: Constant) -> bool {
    let is_of_call = matches!(constant, Constant::Local(_) | Constant::LocalGeneric(_));
    !is_of_call && !is_of_lane(constant) && constant != Constant::Special(Special::Warp)
}

/// Returns whether a constant differs from lane to lane.
pub(super) fn is_of_lane(constant: Constant) -> bool {
    matches!(
        constant,
        Constant::Special(
            Special::Thread(_)
                | Special::Lane
                | Special::LaneMaskEqual
                | Special::LaneMaskLess
                | Special::LaneMaskLessEqual
                | Special::LaneMaskGreater
                | Special::LaneMaskGreaterEqual
        )
    )
}

/// Returns the value of a constant that depends on the call or the block, or `None` if it depends on the lane.
pub(super) fn of_call(
    grid: &Grid<'_>,
    block: &BlockIndex,
    warp: u32,
    local_base: u32,
    constant: Constant,
) -> Option<u64> {
    let local = |offset: i64| u64::from(local_base).wrapping_add_signed(offset);
    let value = match constant {
        Constant::Local(offset) => return Some(local(offset)),
        Constant::LocalGeneric(offset) => return Some(LOCAL_WINDOW.wrapping_add(local(offset))),
        Constant::Special(Special::Block(axis)) => block.index[usize::from(axis.min(2))],
        Constant::Special(Special::Cluster(axis)) => {
            let axis = usize::from(axis.min(2));
            block.index[axis] / grid.cluster[axis].max(1)
        }
        Constant::Special(Special::ClusterBlock(axis)) => block.in_cluster[usize::from(axis.min(2))],
        Constant::Special(Special::ClusterRank) => block.rank,
        Constant::Special(Special::Warp) => warp,
        Constant::Special(Special::Multiprocessor) => grid.launch.multiprocessors.of_block(block.number),
        Constant::Shared(..) | Constant::SharedGeneric(..) => {
            return Some(fixed(grid, constant).wrapping_add(mapped(block.rank, 0)));
        }
        constant if is_of_lane(constant) => return None,
        constant => return Some(fixed(grid, constant)),
    };
    Some(u64::from(value))
}

/// Returns the values of a special register in all lanes. None of them depends on the block.
pub(super) fn of_lanes(grid: &Grid<'_>, warp: u32, constant: Constant) -> [u32; LANES] {
    std::array::from_fn(|lane| {
        let bit = 1u32 << lane;
        match constant {
            Constant::Special(Special::Thread(axis)) => {
                grid.thread(warp * LANES as u32 + lane as u32)[usize::from(axis.min(2))]
            }
            Constant::Special(Special::LaneMaskEqual) => bit,
            Constant::Special(Special::LaneMaskLess) => bit - 1,
            Constant::Special(Special::LaneMaskLessEqual) => (bit - 1) | bit,
            Constant::Special(Special::LaneMaskGreater) => !((bit - 1) | bit),
            Constant::Special(Special::LaneMaskGreaterEqual) => !(bit - 1),
            _ => lane as u32,
        }
    })
}

/// Allocation unit of the shared memory of blocks.
const SHARED_UNIT: u32 = 128;
/// Bytes at the start of the shared memory of each block that the system reserves, and the part of them in use.
const SYSTEM_SHARED: u32 = 1024;
const SYSTEM_SHARED_USED: u32 = 0x120;

/// Returns the static and dynamic shared memory of a block.
fn shared_bytes(grid: &Grid<'_>) -> u32 {
    grid.kernel.static_shared.saturating_add(grid.launch.dynamic_shared)
}

/// Returns the value of a parameter of the kernel. Bytes that the caller did not pass are zero.
pub(super) fn parameter(params: &[u8], offset: u32, size: u8) -> u64 {
    let bytes = params.get(offset as usize..).unwrap_or_default();
    bytes.iter().take(usize::from(size)).rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// Returns the value of a constant that is the same for a whole launch.
pub(super) fn fixed(grid: &Grid<'_>, constant: Constant) -> u64 {
    let shared = |index: usize, addend: i64| {
        let offsets = &grid.kernel.shared_offsets;
        let offset = offsets.iter().find(|(variable, _)| *variable == index).map_or(0, |(_, offset)| *offset);
        u64::from(offset).wrapping_add_signed(addend)
    };
    let special = match constant {
        Constant::Bits(bits) => return bits,
        Constant::Global(index, addend) => {
            let address = grid.launch.globals.get(index).copied().unwrap_or(0);
            return address.wrapping_add_signed(addend);
        }
        Constant::Shared(index, addend) => return shared(index, addend),
        Constant::SharedGeneric(index, addend) => return SHARED_WINDOW.wrapping_add(shared(index, addend)),
        Constant::Function(index) => return crate::program::function_address(index),
        Constant::Local(_) | Constant::LocalGeneric(_) => return 0,
        Constant::Parameter(offset, size) => return parameter(&grid.launch.params, offset, size),
        Constant::Special(special) => special,
    };
    let value = match special {
        Special::BlockSize(axis) => grid.launch.block[usize::from(axis.min(2))],
        Special::GridSize(axis) => grid.launch.grid[usize::from(axis.min(2))],
        Special::ClusterSize(axis) => grid.cluster[usize::from(axis.min(2))],
        Special::ClusterGridSize(axis) => grid.clusters()[usize::from(axis.min(2))],
        Special::ClusterBlocks => grid.cluster_blocks(),
        Special::InClusters => u32::from(grid.launch.cluster.is_some()),
        Special::WarpCount => grid.warps,
        Special::MultiprocessorCount => grid.launch.multiprocessors.count,
        Special::DynamicShared => grid.launch.dynamic_shared,
        // Rounded up to the allocation unit.
        Special::TotalShared => shared_bytes(grid).checked_next_multiple_of(SHARED_UNIT).unwrap_or(u32::MAX),
        Special::AllShared => shared_bytes(grid).saturating_add(SYSTEM_SHARED),
        Special::SystemShared => SYSTEM_SHARED,
        Special::SystemSharedUsed => SYSTEM_SHARED_USED,
        Special::SharedOfGrid { upper: true } => (grid.launch.workspace >> 32) as u32,
        Special::SharedOfGrid { upper: false } => grid.launch.workspace as u32,
        Special::GridId | Special::One => 1,
        _ => 0,
    };
    u64::from(value)
}
