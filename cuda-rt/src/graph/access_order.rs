//! The check that the edges of a graph order the nodes that touch the same memory.
//!
//! Only nodes that safe functions add declare the memory that they touch. The caller is responsible for kernels.

use crate::list::CollectVec;
use core::cmp::Ordering;

/// Memory that a node touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Region {
    /// Rows of memory with addresses.
    Rows {
        start: u64,
        /// Bytes of a row. Not 0.
        row_bytes: u64,
        /// Bytes from row to row, if there are several.
        pitch: u64,
        /// Not 0.
        rows: u64,
    },
    /// A block of an array.
    Block { array: usize, at: [usize; 3], size: [usize; 3] },
}

/// Access of a node to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) region: Region,
    pub(crate) is_written: bool,
}

impl Touched {
    /// Returns a write of all memory of an object, which has a number.
    pub(crate) fn whole(object: usize) -> Touched {
        Touched { region: Region::Block { array: object, at: [0; 3], size: [1; 3] }, is_written: true }
    }

    /// Returns whether two nodes with these accesses need an order.
    fn conflicts(&self, other: &Touched) -> bool {
        (self.is_written || other.is_written) && self.region.overlaps(&other.region)
    }
}

/// A key by which this file sorts: two numbers, and an index. One type for all, because the standard library's sort costs about
/// 4,000 lines of LLVM IR for each.
type SortKey = (u64, u64, usize);

impl Region {
    /// Returns `bytes` contiguous bytes. `None` if there are none.
    pub(crate) fn bytes(start: u64, bytes: usize) -> Option<Region> {
        Region::rows(start, bytes, 0, 1)
    }

    /// Returns rows. `None` if they are empty.
    pub(crate) fn rows(start: u64, row_bytes: usize, pitch: usize, rows: usize) -> Option<Region> {
        let (row_bytes, pitch, rows) = (row_bytes as u64, pitch as u64, rows as u64);
        (row_bytes > 0 && rows > 0).then_some(Region::Rows { start, row_bytes, pitch, rows })
    }

    /// Returns a number for the array, or 0, and the bounds of the region.
    fn bounds(&self) -> (usize, u64, u64) {
        match *self {
            Region::Rows { start, row_bytes, pitch, rows } => {
                let last = start.saturating_add(pitch.saturating_mul(rows - 1));
                (0, start, last.saturating_add(row_bytes))
            }
            Region::Block { array, .. } => (array, 0, u64::MAX),
        }
    }

    /// Returns whether the region certainly contains all bytes of another one.
    fn covers(&self, other: &Region) -> bool {
        match (self, other) {
            (Region::Rows { rows: 1, .. }, Region::Rows { .. }) => {
                let ((_, start, end), (_, other_start, other_end)) = (self.bounds(), other.bounds());
                start <= other_start && other_end <= end
            }
            _ => self == other,
        }
    }

    /// Returns whether the regions may have a byte in common. For rows with different pitches, only their bounds are compared.
    fn overlaps(&self, other: &Region) -> bool {
        let ((space, start, end), (other_space, other_start, other_end)) = (self.bounds(), other.bounds());
        if space != other_space || start >= other_end || other_start >= end {
            return false;
        }
        match (self, other) {
            (Region::Rows { row_bytes, .. }, Region::Rows { row_bytes: other_bytes, .. }) => {
                let Some(pitch) = common_pitch(self, other) else { return true };
                // The place of the other's columns in the rows of this region.
                let offset = match start.cmp(&other_start) {
                    Ordering::Greater => (pitch - (start - other_start) % pitch) % pitch,
                    _ => (other_start - start) % pitch,
                };
                offset < *row_bytes || offset.saturating_add(*other_bytes) > pitch
            }
            (Region::Block { at, size, .. }, Region::Block { at: other_at, size: other_size, .. }) => (0..3)
                .all(|axis| {
                    at[axis] < other_at[axis].saturating_add(other_size[axis])
                        && other_at[axis] < at[axis].saturating_add(size[axis])
                }),
            _ => true,
        }
    }
}

/// Returns the pitch of the rows, if both regions have the same.
fn common_pitch(first: &Region, second: &Region) -> Option<u64> {
    let pitch_of = |region: &Region| match *region {
        Region::Rows { pitch, rows, row_bytes, .. } if rows > 1 => (Some(pitch), row_bytes),
        Region::Rows { row_bytes, .. } => (None, row_bytes),
        Region::Block { .. } => (None, u64::MAX),
    };
    let ((first, first_bytes), (second, second_bytes)) = (pitch_of(first), pitch_of(second));
    let pitch = first.or(second)?;
    let is_common = second.is_none_or(|second| second == pitch);
    (is_common && first_bytes <= pitch && second_bytes <= pitch).then_some(pitch)
}

/// Returns whether two accesses may touch the same memory, at least one of them to write it. Compares bounds only, and may find two accesses
/// of one node.
pub(crate) fn has_conflicts(touched: &[(usize, Touched)]) -> bool {
    let start = |index: usize| -> SortKey {
        let (space, start, _) = touched[index].1.region.bounds();
        (space as u64, start, index)
    };
    let mut starts: Vec<SortKey> = (0..touched.len()).map(start).collect_vec();
    starts.sort_unstable();
    let (mut last_space, mut end_of_all, mut end_of_writes) = (0, 0, 0);
    starts.into_iter().any(|(space, start, index)| {
        let (_, Touched { region, is_written }) = touched[index];
        let (_, _, end) = region.bounds();
        if space != last_space {
            (last_space, end_of_all, end_of_writes) = (space, 0, 0);
        }
        let is_conflict = start < if is_written { end_of_all } else { end_of_writes };
        end_of_all = end.max(end_of_all);
        if is_written {
            end_of_writes = end.max(end_of_writes);
        }
        is_conflict
    })
}

/// Returns two nodes that touch the same memory, at least one of them to write it, without a path of `edges` between them.
///
/// `touched` has the node of each access. `edges` lead from the first node of each pair to the second. Nodes are numbers below
/// `count`. A graph with a cycle is left to the driver, which refuses it.
pub(crate) fn unordered_pair(
    count: usize,
    touched: &[(usize, Touched)],
    edges: &[(usize, usize)],
) -> Option<(usize, usize)> {
    let order = Topology::new(count, edges)?;
    let pairs = conflicts(touched, &order);
    let mut rest = &pairs[..];
    while let Some((start, _)) = rest.first() {
        // As many first nodes as a number has bits.
        let mut sources = vec![*start];
        let mut len = 0;
        for (first, _) in rest {
            if sources.last() != Some(first) {
                if sources.len() == u64::BITS as usize {
                    break;
                }
                sources.push(*first);
            }
            len += 1;
        }
        let (block, others) = rest.split_at(len);
        let reached = order.reached_from(&sources);
        let is_reached = |first: usize, second: usize| {
            let bit = sources.iter().position(|source| *source == first);
            bit.zip(reached.get(second)).is_some_and(|(bit, bits)| bits >> bit & 1 != 0)
        };
        if let Some(pair) = block.iter().find(|(first, second)| !is_reached(*first, *second)) {
            return Some(*pair);
        }
        rest = others;
    }
    None
}

/// Returns pairs of nodes that must have an order. The first of a pair is earlier in `order`. If all of these pairs have a path,
/// so do all nodes that touch the same memory. A write is compared with the accesses up to the next write of all of that memory.
fn conflicts(touched: &[(usize, Touched)], order: &Topology) -> Vec<(usize, usize)> {
    let place = |index: usize| -> SortKey { (order.place(touched[index].0) as u64, 0, index) };
    let mut places: Vec<SortKey> = (0..touched.len()).map(place).collect_vec();
    places.sort_unstable();
    let sorted = places.iter().map(|(_, _, index)| touched[*index]).collect_vec();
    let mut pairs: Vec<SortKey> = Vec::new();
    let mut before: Vec<(usize, Touched)> = Vec::new();
    for accesses in sorted.chunk_by(|(node, _), (other, _)| node == other) {
        for (node, one) in accesses {
            for (other_node, _) in before.iter().filter(|(_, other)| one.conflicts(other)) {
                pairs.push((order.place(*other_node) as u64, order.place(*node) as u64, 0));
            }
        }
        before.retain(|(_, other)| {
            !accesses.iter().any(|(_, one)| one.is_written && one.region.covers(&other.region))
        });
        before.extend(accesses);
    }
    pairs.sort_unstable();
    pairs.dedup();
    let node = |place: u64| order.order[place as usize];
    pairs.iter().map(|(first, second, _)| (node(*first), node(*second))).collect_vec()
}

/// The nodes of a graph without cycles, in an order that its edges allow.
struct Topology {
    order: Vec<usize>,
    places: Vec<usize>,
    followers: Vec<Vec<usize>>,
}

impl Topology {
    /// Returns `None` if there is a cycle.
    fn new(count: usize, edges: &[(usize, usize)]) -> Option<Topology> {
        let mut followers = vec![Vec::new(); count];
        let mut waits = vec![0_usize; count];
        for (from, to) in edges {
            followers.get_mut(*from)?.push(*to);
            *waits.get_mut(*to)? += 1;
        }
        let mut order: Vec<usize> = (0..count).filter(|node| waits[*node] == 0).collect_vec();
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            for &follower in &followers[node] {
                waits[follower] -= 1;
                if waits[follower] == 0 {
                    order.push(follower);
                }
            }
        }
        let mut places = vec![0; count];
        for (place, node) in order.iter().enumerate() {
            places[*node] = place;
        }
        (order.len() == count).then_some(Topology { order, places, followers })
    }

    fn place(&self, node: usize) -> usize {
        self.places.get(node).copied().unwrap_or(0)
    }

    /// Returns the sources that lead to each node, as bits. There are 64 sources at most.
    fn reached_from(&self, sources: &[usize]) -> Vec<u64> {
        let mut reached = vec![0_u64; self.order.len()];
        for (bit, source) in sources.iter().enumerate() {
            if let Some(bits) = reached.get_mut(*source) {
                *bits |= 1 << bit;
            }
        }
        for &node in &self.order {
            let bits = reached[node];
            if bits != 0 {
                for &follower in &self.followers[node] {
                    reached[follower] |= bits;
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Region, Topology, Touched, conflicts, has_conflicts, unordered_pair};

    fn reads(start: u64, bytes: usize) -> Touched {
        Touched { region: Region::bytes(start, bytes).unwrap(), is_written: false }
    }

    fn writes(start: u64, bytes: usize) -> Touched {
        Touched { is_written: true, ..reads(start, bytes) }
    }

    #[test]
    fn two_writes_need_a_path() {
        let touched = [(0, writes(0, 8)), (2, writes(4, 8))];
        assert_eq!(unordered_pair(3, &touched, &[]), Some((0, 2)));
        assert_eq!(unordered_pair(3, &touched, &[(0, 1)]), Some((0, 2)));
        assert_eq!(unordered_pair(3, &touched, &[(0, 1), (1, 2)]), None);
        assert_eq!(unordered_pair(3, &touched, &[(2, 1), (1, 0)]), None);
    }

    #[test]
    fn reads_and_disjoint_writes_need_none() {
        assert_eq!(unordered_pair(2, &[(0, reads(0, 8)), (1, reads(0, 8))], &[]), None);
        assert_eq!(unordered_pair(2, &[(0, writes(0, 8)), (1, writes(8, 8))], &[]), None);
        assert_eq!(unordered_pair(1, &[(0, writes(0, 8)), (0, reads(0, 8))], &[]), None);
        assert_eq!(unordered_pair(2, &[(0, writes(0, 8)), (1, reads(7, 1))], &[]), Some((0, 1)));
    }

    #[test]
    fn columns_of_the_same_rows_are_disjoint() {
        let column =
            |start, width| Touched { region: Region::rows(start, width, 16, 4).unwrap(), is_written: true };
        assert_eq!(unordered_pair(2, &[(0, column(0, 8)), (1, column(8, 8))], &[]), None);
        assert_eq!(unordered_pair(2, &[(0, column(8, 8)), (1, column(16, 8))], &[]), None);
        assert_eq!(unordered_pair(2, &[(0, column(0, 9)), (1, column(8, 8))], &[]), Some((0, 1)));
        assert_eq!(unordered_pair(2, &[(0, column(8, 8)), (1, writes(30, 4))], &[]), Some((0, 1)));
        assert_eq!(unordered_pair(2, &[(0, column(8, 8)), (1, writes(32, 8))], &[]), None);
        assert_eq!(unordered_pair(2, &[(0, column(8, 8)), (1, writes(12, 2))], &[]), Some((0, 1)));
    }

    #[test]
    fn blocks_of_arrays_are_compared_by_axis() {
        let block = |array, at, size| Touched { region: Region::Block { array, at, size }, is_written: true };
        let whole = block(1, [0; 3], [4; 3]);
        assert_eq!(unordered_pair(2, &[(0, whole), (1, block(2, [0; 3], [4; 3]))], &[]), None);
        assert_eq!(unordered_pair(2, &[(0, whole), (1, block(1, [4, 0, 0], [4; 3]))], &[]), None);
        assert_eq!(unordered_pair(2, &[(0, whole), (1, block(1, [3, 3, 3], [1; 3]))], &[]), Some((0, 1)));
    }

    #[test]
    fn long_chains_are_ordered() {
        const COUNT: usize = 300;
        let touched: Vec<_> = (0..COUNT).map(|node| (node, writes(0, 4))).collect();
        let edges: Vec<_> = (1..COUNT).map(|node| (node - 1, node)).collect();
        assert_eq!(unordered_pair(COUNT, &touched, &edges), None);
        assert_eq!(unordered_pair(COUNT, &touched, &edges[..COUNT - 2]), Some((0, COUNT - 1)));
        // The driver refuses a cycle.
        assert_eq!(unordered_pair(2, &touched[..2], &[(0, 1), (1, 0)]), None);
    }

    /// Returns the next of a sequence of numbers that depends only on the first.
    fn next(state: &mut u64, below: usize) -> usize {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 33) as usize % below
    }

    /// Returns whether all nodes that touch the same memory have a path, pair by pair.
    fn is_ordered(count: usize, touched: &[(usize, Touched)], edges: &[(usize, usize)]) -> bool {
        let mut reaches = vec![vec![false; count]; count];
        edges.iter().for_each(|(from, to)| reaches[*from][*to] = true);
        for middle in 0..count {
            for from in 0..count {
                for to in 0..count {
                    reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
                }
            }
        }
        touched.iter().all(|(first, one)| {
            touched.iter().all(|(second, other)| {
                first == second
                    || !one.conflicts(other)
                    || reaches[*first][*second]
                    || reaches[*second][*first]
            })
        })
    }

    #[test]
    fn neighbours_answer_for_all_pairs() {
        let mut state = 1;
        let mut unordered = 0;
        for _ in 0..4000 {
            let count = 2 + next(&mut state, 9);
            let edges: Vec<_> = (0..next(&mut state, 3 * count))
                .map(|_| (next(&mut state, count), next(&mut state, count)))
                .filter(|(from, to)| from < to)
                .collect();
            let touched: Vec<_> = (0..2 + next(&mut state, 2 * count))
                .map(|_| {
                    let (start, bytes) = (next(&mut state, 4) as u64, 1 + next(&mut state, 4));
                    let region = match next(&mut state, 4) {
                        0 => Region::rows(start, bytes, 4 + next(&mut state, 2), 1 + next(&mut state, 3))
                            .unwrap(),
                        1 => Region::Block { array: 1, at: [start as usize, 0, 0], size: [bytes, 1, 1] },
                        _ => Region::bytes(start, bytes).unwrap(),
                    };
                    (next(&mut state, count), Touched { region, is_written: next(&mut state, 3) == 0 })
                })
                .collect();
            let found = unordered_pair(count, &touched, &edges);
            assert_eq!(found.is_none(), is_ordered(count, &touched, &edges), "{touched:?} {edges:?}");
            assert!(found.is_none() || has_conflicts(&touched));
            unordered += usize::from(found.is_some());
        }
        assert!((500..3500).contains(&unordered), "{unordered} of 4000");
    }

    #[test]
    fn long_chains_have_few_pairs() {
        const COUNT: usize = 20_000;
        let touched: Vec<_> = (0..COUNT).map(|node| (node, writes(0, 4))).collect();
        let edges: Vec<_> = (1..COUNT).map(|node| (node - 1, node)).collect();
        let pairs = conflicts(&touched, &Topology::new(COUNT, &edges).unwrap());
        assert_eq!(pairs.len(), COUNT - 1);
    }
}
