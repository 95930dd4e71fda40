//! The memories that a warp can access, and their addresses.

#![allow(clippy::needless_range_loop, reason = "lanes of several arrays run side by side")]

use super::clock::Clock;
use super::cluster_memory::ClusterMemory;
use super::group_products::GroupProducts;
use super::memory_backend::Local;
use super::registers::{LANES, Raw, Registers};
use super::stack::Stack;
use crate::fault::{FaultKind, InjectedCode};
use crate::launch::Launch;
use crate::memory::{Memory, SegmentCache};
use crate::op::{Base, MemorySpace};
use crate::program::Global;
use crate::texture::Textures;
use crate::windows::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW, WINDOW_SIZE};

/// Fault in an operation, before its location is known.
#[derive(Debug, Clone)]
pub(super) struct LaneFault {
    pub(super) kind: FaultKind,
    pub(super) lane: usize,
    pub(super) address: Option<u64>,
    pub(super) detail: String,
    /// For a failed assertion: its place, its text, and the lanes in which it failed.
    pub(super) assertion: Option<Box<(String, String, u32)>>,
}

impl LaneFault {
    pub(super) fn at(kind: FaultKind, lane: usize, address: u64) -> Self {
        Self { kind, lane, address: Some(address), detail: String::new(), assertion: None }
    }

    pub(super) fn new(kind: FaultKind, lane: usize, detail: impl Into<String>) -> Self {
        Self { kind, lane, address: None, detail: detail.into(), assertion: None }
    }

    /// Returns an injected fault at the first lane of `mask`.
    pub(super) fn injected(code: InjectedCode, mask: u32) -> Self {
        Self::new(FaultKind::Injected(code.number), mask.trailing_zeros() as usize, code.to_string())
    }
}

/// Registers and memories of a memory operation.
pub(super) struct WarpMemory<'a> {
    pub(super) registers: &'a mut Registers,
    pub(super) memory: &'a Memory,
    pub(super) cache: &'a mut SegmentCache,
    pub(super) shared: &'a mut [u32],
    pub(super) cluster: &'a mut ClusterMemory,
    pub(super) local: &'a mut Local,
    pub(super) stack: &'a mut Stack,
    pub(super) params: &'a [u8],
    pub(super) launch: &'a Launch,
    pub(super) variables: &'a [Global],
    pub(super) clock: &'a mut Clock,
    pub(super) textures: &'a Textures,
    pub(super) products: &'a mut GroupProducts,
    /// Lanes of the block that have not exited, by warp.
    pub(super) live: &'a [u32],
    /// Set by strong loads, and by atomics with a result: the thread may be polling memory that
    /// other threads write.
    pub(super) watches: &'a mut bool,
}

/// Address of every lane.
pub(super) type Addresses = [u64; LANES];

impl WarpMemory<'_> {
    /// Returns the addresses of a base and an offset. Spaces other than the generic one have 32-bit addresses.
    #[inline(always)]
    pub(super) fn addresses(&self, memory: MemorySpace, base: Base, offset: i64) -> Addresses {
        let mut addresses = [0; LANES];
        let short = !matches!(memory, MemorySpace::Generic | MemorySpace::Global);
        match base {
            Base::Long(slot) => {
                let base = u64::array(self.registers, slot);
                for lane in 0..LANES {
                    addresses[lane] = base[lane].wrapping_add(offset.cast_unsigned());
                }
            }
            Base::Word(slot) => {
                let base = &self.registers.words[slot as usize].0;
                for lane in 0..LANES {
                    addresses[lane] = u64::from(base[lane]).wrapping_add(offset.cast_unsigned());
                }
            }
        }
        if short {
            for address in &mut addresses {
                *address &= 0xffff_ffff;
            }
        }
        addresses
    }

    /// Returns the memory of generic addresses, if all active lanes use the same one, and the start of its window.
    #[inline(always)]
    pub(super) fn resolve(
        memory: MemorySpace,
        addresses: &Addresses,
        mask: u32,
    ) -> Option<(MemorySpace, u64)> {
        if memory != MemorySpace::Generic {
            return Some((memory, 0));
        }
        let mut window = 0;
        for (lane, address) in addresses.iter().enumerate() {
            window |= u64::from(mask >> lane & 1 != 0 && address >> 47 == 1);
        }
        if window == 0 {
            return Some((MemorySpace::Global, 0));
        }
        let mut found = None;
        for lane in super::registers::lanes(mask) {
            let one = locate(addresses[lane]);
            if *found.get_or_insert(one) != one {
                return None;
            }
        }
        found
    }
}

/// Layout of the addresses of the active lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// True if all of them are the same.
    pub(super) uniform: bool,
    /// True if all of them are multiples of the size of the access.
    pub(super) aligned: bool,
    /// First active lane.
    pub(super) first: usize,
}

impl Layout {
    #[inline(always)]
    pub(super) fn of(addresses: &Addresses, mask: u32, size: u64) -> Self {
        let first = mask.trailing_zeros() as usize % LANES;
        let (mut spread, mut low) = (0, 0);
        for lane in 0..LANES {
            let active = u64::from(mask >> lane & 1).wrapping_neg();
            spread |= (addresses[lane] ^ addresses[first]) & active;
            low |= addresses[lane] & active;
        }
        Self { uniform: spread == 0, aligned: low & (size - 1) == 0, first }
    }
}

/// Returns the memory that contains a generic address, and the start of its window.
#[inline]
pub(super) fn locate(address: u64) -> (MemorySpace, u64) {
    let within = |start: u64| address.wrapping_sub(start) < WINDOW_SIZE;
    if within(SHARED_WINDOW) {
        (MemorySpace::Shared, SHARED_WINDOW)
    } else if within(LOCAL_WINDOW) {
        (MemorySpace::Local, LOCAL_WINDOW)
    } else if within(PARAM_WINDOW) {
        (MemorySpace::Parameter, PARAM_WINDOW)
    } else {
        (MemorySpace::Global, 0)
    }
}
