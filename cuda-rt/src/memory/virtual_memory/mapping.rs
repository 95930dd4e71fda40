//! Mappings, and how they are removed.

#![allow(unsafe_code)]

use super::{Addresses, PhysicalMemory, VirtualMemory};
use crate::context::{release_alone, release_in};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::handle::{DeferredErrors, DriverHandle, KeepSlot, Releasing};
use crate::map::SortedMap;
use crate::memory::AccessFlags;
use crate::memory::host_transfer::wait_before_release;
use crate::memory::view::inside;
use core::ops::{Range, RangeBounds};
use cuda_sys::{CUdeviceptr, Symbol};

/// Physical memory mapped at some addresses.
pub(super) struct Mapping {
    pub(super) physical: PhysicalMemory,
    /// The devices that need access before the memory is used: all devices for memory of the host.
    pub(super) needed_by: Box<[Device]>,
    /// The access that was set for each device; `None` after a failed call, whose effect is unknown.
    pub(super) access: SortedMap<Device, Option<AccessFlags>>,
}

impl Mapping {
    /// Returns whether a device has an access, as far as it is known.
    pub(super) fn allows(&self, device: Device, wanted: AccessFlags) -> bool {
        match self.access.get(&device) {
            Some(Some(had)) => *had == AccessFlags::READ_WRITE || *had == wanted,
            _ => false,
        }
    }

    pub(super) fn range(&self, start: usize) -> Range<usize> {
        start..start.saturating_add(self.physical.size_bytes())
    }

    /// Unmaps memory that nothing uses any more. A failure that a retry repaired is deferred: unmapping an unmapped range is
    /// harmless.
    pub(super) fn unmap(&self, at: CUdeviceptr, errors: &mut DeferredErrors) -> Result<()> {
        let unmap = || {
            // SAFETY: the addresses are those of one mapping, or of none.
            unsafe { check!(cuMemUnmap(at, self.physical.size_bytes())) }
        };
        let mut unmapped = unmap();
        if unmapped.is_err() {
            errors.add(unmapped);
            unmapped = unmap();
        }
        if unmapped.is_ok() {
            self.physical.count_out();
        }
        unmapped
    }
}

impl VirtualMemory {
    /// Returns the mappings that cover a range. Refuses a range with a gap.
    pub(super) fn covering(&self, range: Range<usize>) -> Result<impl Iterator<Item = (usize, &Mapping)>> {
        let Range { start, end } = range;
        let first = self.0.mappings.range(..=start).next_back();
        let first = first.filter(|(begin, mapping)| mapping.range(**begin).end > start);
        let from = first.map_or(start, |(begin, _)| *begin);
        let mut at = start;
        for (begin, mapping) in self.0.mappings.range(from..end) {
            if *begin > at {
                break;
            }
            at = mapping.range(*begin).end;
        }
        if at < end {
            return Err(Error::invalid(
                "range of addresses",
                format_args!("byte {at} of {start}..{end} is not mapped; map physical memory there first"),
            ));
        }
        Ok(self.0.mappings.range(from..end).map(|(begin, mapping)| (*begin, mapping)))
    }

    /// Refuses a range that cuts a mapping.
    pub(super) fn uncut(&self, range: &Range<usize>) -> Result<()> {
        for edge in [range.start, range.end] {
            let Some((start, mapping)) = self.0.mappings.range(..edge).next_back() else { continue };
            let other = mapping.range(*start);
            if other.end > edge {
                let Range { start, end } = range;
                return Err(Error::invalid(
                    "range of addresses",
                    format_args!(
                        "bytes {start}..{end} cut the mapping at {}..{}; use whole mappings",
                        other.start, other.end
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Returns a range of whole mappings without gaps.
    pub(super) fn whole(&self, range: impl RangeBounds<usize>) -> Result<Range<usize>> {
        let range = inside(range, self.0.bytes)?;
        self.uncut(&range)?;
        if !range.is_empty() {
            self.covering(range.clone()).map(drop)?;
        }
        Ok(range)
    }
}

impl Addresses {
    /// Returns the address at an offset, which is inside.
    pub(super) fn at(&self, offset: usize) -> CUdeviceptr {
        self.start.wrapping_add(offset as u64)
    }
}

impl DriverHandle for Addresses {
    fn keep_slot(&mut self) -> Option<&mut KeepSlot> {
        Some(&mut self.keep)
    }

    fn release_call(&self) -> Symbol {
        Symbol::cuMemAddressFree
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        let mut errors = DeferredErrors::default();
        if !self.mappings.is_empty() {
            let stream = &self.stream;
            let wait =
                &mut |errors: &mut DeferredErrors| wait_before_release(stream, Symbol::cuMemUnmap, errors);
            match release_in(stream.context(), stream.frees_by(), Symbol::cuMemUnmap, wait) {
                // No work runs in a context that was destroyed.
                Err(error) if error.kind() == ErrorKind::ContextLost => errors.add(Err(error)),
                waited => waited?,
            }
        }
        release_alone(&mut || {
            let mut outcome = Ok(());
            for (offset, mapping) in self.mappings.iter() {
                let unmapped = mapping.unmap(self.at(*offset), &mut errors);
                if outcome.is_ok() {
                    outcome = unmapped;
                } else {
                    errors.add(unmapped);
                }
            }
            // The driver refuses to free addresses with mappings.
            outcome?;
            // SAFETY: the owner releases the addresses once, and does not use them afterwards. The driver refuses addresses
            // that are mapped.
            unsafe { check!(cuMemAddressFree(self.start, self.bytes)) }
        })
    }
}
