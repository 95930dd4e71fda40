//! The memory that kernels of a context can reach.

use super::State;
use super::handles::Handle;
use crate::exec::Segment;
use core::ops::Range;
use core::ptr::with_exposed_provenance_mut;
use cuda_sys::{CUdevice, CUdevice_attribute_enum as Attribute};
use std::collections::BTreeSet;

impl State {
    /// The device's own memory and that of peers within reach, pools that it may use, page-locked memory; and all other
    /// memory of the host, if the device reaches that.
    pub(super) fn segments(&self, device: CUdevice) -> Vec<Segment> {
        let peers = self.contexts_reached_from(device);
        let pools: Vec<CUdevice> =
            (0..).take(self.devices.len()).filter(|owner| self.reaches_pool(device, *owner)).collect();
        let mapped = self.heap.mapped(device, &peers, &pools);
        let mut segments: Vec<Segment> =
            mapped.map(|(base, len, bytes)| Segment { base, len, bytes }).collect();
        let offset = self.host_offset(device);
        let locked = self.heap.page_locked();
        segments.extend(locked.map(|(base, len, bytes)| Segment { base: base + offset, len, bytes }));
        if self.limit_of(device, Attribute::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0 {
            let locked = self.heap.page_locked().map(|(base, len, _)| base..base + len);
            let known: Vec<Range<u64>> = locked.chain(self.heap.backings()).collect();
            segments.extend(without(host_mappings(), known).into_iter().map(|range| Segment {
                base: range.start,
                len: range.end - range.start,
                bytes: with_exposed_provenance_mut(range.start as usize),
            }));
        }
        segments
    }
}

impl State {
    /// The contexts of other devices to whose memory any context of this one was given access: kernels of all of them
    /// reach it, until the last of those is ended or gives the access up (measured).
    fn contexts_reached_from(&self, device: CUdevice) -> BTreeSet<Handle> {
        let own = self.contexts.iter().filter(|(_, context)| context.device == device);
        own.flat_map(|(_, context)| context.peers.iter().copied()).collect()
    }
}

/// What is left of sorted ranges when others are taken away.
fn without(ranges: Vec<Range<u64>>, mut away: Vec<Range<u64>>) -> Vec<Range<u64>> {
    away.sort_unstable_by_key(|range| range.start);
    let mut left = Vec::new();
    for range in ranges {
        let mut start = range.start;
        for hole in away.iter().filter(|hole| hole.start < range.end && hole.end > range.start) {
            left.push(start..hole.start.max(start));
            start = start.max(hole.end);
        }
        left.push(start..range.end.max(start));
    }
    // Cells that straddle a border belong to neither side, so borders are moved to where cells begin.
    let aligned = left.into_iter().map(|range| range.start.next_multiple_of(8)..range.end & !7);
    aligned.filter(|range| range.start < range.end).collect()
}

/// The memory of this process that can be read and written, as the system tells it; none, if it does not.
fn host_mappings() -> Vec<Range<u64>> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let parse = |line: &str| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let number = |text| u64::from_str_radix(text, 16).ok();
        let usable = rest.starts_with("rw") && !rest.ends_with("[vvar]");
        usable.then_some(number(start)?..number(end)?)
    };
    maps.lines().filter_map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_cut_out() {
        let left = without(vec![0..100, 200..300], vec![250..260, 40..48, 0..8, 90..210]);
        assert_eq!(left, [8..40, 48..88, 216..248, 264..296]);
        assert!(without(vec![16..32, 40..48], vec![8..33, 33..64]).is_empty());
        assert_eq!(without(vec![16..32, 40..48], vec![]), [16..32, 40..48]);
    }
}
