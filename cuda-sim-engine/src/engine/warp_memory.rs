//! The memories that a warp can reach, and the addresses it reaches them by.

#![allow(clippy::needless_range_loop, reason = "lanes of several arrays run side by side")]

use super::clock::Clock;
use super::cluster_memory::ClusterMemory;
use super::memory_backend::Local;
use super::registers::{LANES, Registers};
use crate::fault::{FaultKind, InjectedCode};
use crate::launch::Launch;
use crate::memory::{Memory, SegmentCache};
use crate::op::{Base, MemorySpace};
use crate::texture::Textures;
use crate::windows::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW, WINDOW_SIZE};

/// What went wrong in an operation, before anyone has said where.
#[derive(Debug, Clone)]
pub(super) struct LaneFault {
    pub(super) kind: FaultKind,
    pub(super) lane: usize,
    pub(super) address: Option<u64>,
    pub(super) detail: String,
    /// Of a failed assertion: where it is, what it says, and the lanes in which it failed.
    pub(super) assertion: Option<Box<(String, String, u32)>>,
}

impl LaneFault {
    pub(super) fn at(kind: FaultKind, lane: usize, address: u64) -> Self {
        Self { kind, lane, address: Some(address), detail: String::new(), assertion: None }
    }

    pub(super) fn new(kind: FaultKind, lane: usize, detail: impl Into<String>) -> Self {
        Self { kind, lane, address: None, detail: detail.into(), assertion: None }
    }

    /// An injected fault, of the first of some lanes.
    pub(super) fn injected(code: InjectedCode, mask: u32) -> Self {
        Self::new(FaultKind::Injected(code.number), mask.trailing_zeros() as usize, code.to_string())
    }
}

/// What a memory operation works with.
pub(super) struct WarpMemory<'a> {
    pub(super) registers: &'a mut Registers,
    pub(super) memory: &'a Memory,
    pub(super) cache: &'a mut SegmentCache,
    pub(super) shared: &'a mut [u32],
    pub(super) cluster: &'a mut ClusterMemory,
    pub(super) local: &'a mut Local,
    pub(super) params: &'a [u8],
    pub(super) launch: &'a Launch,
    pub(super) clock: &'a mut Clock,
    pub(super) textures: &'a Textures,
    /// To be set by whoever looks at memory as one does who waits for others.
    pub(super) watches: &'a mut bool,
}

/// The address of every lane.
pub(super) type Addresses = [u64; LANES];

impl WarpMemory<'_> {
    /// The addresses that a base and an offset yield. Spaces other than the generic one have 32-bit addresses.
    #[inline(always)]
    pub(super) fn addresses(&self, memory: MemorySpace, base: Base, offset: i64) -> Addresses {
        let mut addresses = [0; LANES];
        let short = !matches!(memory, MemorySpace::Generic | MemorySpace::Global);
        match base {
            Base::Long(slot) => {
                let base = &self.registers.longs[slot as usize].0;
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

    /// Which memory generic addresses mean, if all active lanes mean the same, and where its window begins.
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

/// How the addresses of the active lanes lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// All of them are the same.
    pub(super) uniform: bool,
    /// All of them are multiples of the size of the access.
    pub(super) aligned: bool,
    /// The first active lane.
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

/// The memory that a generic address lies in, and where its window begins.
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
