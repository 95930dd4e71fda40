#![allow(unsafe_code)]

use super::*;

const CONTEXT: Handle = Handle(1);
const POOL: Handle = Handle(2);

#[test]
fn allocations_are_apart_aligned_and_reusable() {
    let mut heap = Heap::new(&[16 << 20], 16 << 20, 0, (false, true));
    let sizes = [1, 511, 512, 513, 4096, 1 << 20, 3 << 20, 7];
    let bases: Vec<u64> =
        sizes.iter().filter_map(|size| heap.allocate(0, CONTEXT, Kind::Plain, *size)).collect();
    assert_eq!(bases.len(), sizes.len());
    for (base, size) in bases.iter().zip(sizes) {
        assert_eq!(base % GRANULE, 0);
        assert!(heap.holding(*base, size).is_some_and(|found| found.base == *base));
        assert!(heap.holding(*base, size + 1).is_none());
        let others = bases.iter().filter(|other| *other != base);
        assert!(others.into_iter().all(|other| *other >= base + size || other < base));
    }
    bases.iter().for_each(|base| heap.free(*base));
    assert_eq!(heap.free_bytes(0), 16 << 20);
    assert!(heap.backings().next().is_none());
}

#[test]
fn small_memory_takes_the_smallest_hole() {
    const MIB: u64 = 1 << 20;
    let mut heap = Heap::new(&[u64::MAX], u64::MAX, 0, (false, true));
    let mut allocate = |size| heap.allocate(0, CONTEXT, Kind::Plain, size).unwrap_or(0);
    let (first, large) = (allocate(MIB), allocate(3 * MIB));
    // Not in the rest of the last page of the larger one.
    let second = allocate(MIB + 512);
    assert!(!(large..large + 4 * MIB).contains(&second));
    assert_eq!(allocate(MIB - 1024), second + MIB + 512);
    assert_eq!([allocate(512), allocate(512)], [second + 2 * MIB - 512, first + MIB]);
    // Not in the hole that the larger one leaves.
    heap.free(large);
    let mut allocate = |size| heap.allocate(0, CONTEXT, Kind::Plain, size).unwrap_or(0);
    assert!([2 * MIB, 5 * MIB].map(|size| allocate(size) % PAGE) == [0, 0]);
    assert_eq!(allocate(1024), first + MIB + 512);
}

#[test]
fn memory_is_bounded() {
    let mut heap = Heap::new(&[4 << 20], 4 << 20, 0, (false, true));
    heap.add_pool(POOL, (0, PoolSource::Device, None), (u64::MAX, false));
    assert!(heap.allocate_from_pool(POOL, CONTEXT, 5 << 20, None).is_none());
    assert!(heap.allocate_from_pool(POOL, CONTEXT, u64::MAX, None).is_none());
    let all = heap.allocate_from_pool(POOL, CONTEXT, 4 << 20, None);
    assert!(all.is_some() && heap.allocate(0, CONTEXT, Kind::Plain, 1).is_none());
    // A pool keeps unused memory until the memory is needed.
    all.into_iter().for_each(|base| heap.free(base));
    assert_eq!(heap.free_bytes(0), 0);
    assert!(heap.allocate(0, CONTEXT, Kind::Plain, 4 << 20).is_some());
}

#[test]
fn gaps_follow_allocations_that_share_pages() {
    let mut heap = Heap::new(&[64 << 20], 64 << 20, 0, (false, true));
    heap.gap = GRANULE;
    heap.add_pool(POOL, (0, PoolSource::Device, None), (u64::MAX, false));
    let mut plain = |size| heap.allocate(0, CONTEXT, Kind::Plain, size).unwrap_or(0);
    let bases = [4096, 1, PAGE, PAGE + 1].map(&mut plain);
    assert_eq!(bases[1], bases[0] + 4096 + GRANULE);
    bases.iter().for_each(|base| heap.free(*base));
    assert_eq!(heap.free_bytes(0), 64 << 20, "larger allocations have pages of their own");
    assert!(heap.backings().next().is_none());

    let mut pooled = |size| heap.allocate_from_pool(POOL, CONTEXT, size, None).unwrap_or(0);
    let bases = [4096, 4096, 3 << 20, 512].map(&mut pooled);
    let gaps = [0, 1, 2].map(|index| bases[index + 1] - bases[index]);
    assert_eq!(gaps, [4096, 4096, 3 << 20].map(|size| size + GRANULE));
    // The first part of memory whose free is queued goes to another owner, and has a gap.
    heap.note_freed(bases[0]);
    let rest = bases[0] + 1024 + GRANULE;
    assert_eq!(heap.hand_on(bases[0], CONTEXT, 1000), Some(Some(rest)));
    assert_eq!(heap.freed(rest).map(|rest| rest.size), Some(4096 - 1024 - GRANULE));
    assert_eq!(heap.hand_on(rest, CONTEXT, 4096 - 1024 - GRANULE), Some(None));
    // The rest would be no more than a gap.
    heap.note_freed(bases[1]);
    assert_eq!(heap.hand_on(bases[1], CONTEXT, 3584), Some(None));
    bases.into_iter().chain([rest]).for_each(|base| heap.free(base));
    heap.release(POOL, 0, Release::All);
    assert_eq!(heap.free_bytes(0), 64 << 20);

    // Memory that is short has no gap.
    assert!(heap.allocate_from_pool(POOL, CONTEXT, 64 << 20, None).is_some());
    assert_eq!(heap.free_bytes(0), 0);
}

#[test]
fn addresses_are_used_again_when_they_run_out() {
    let mut heap = Heap::new(&[u64::MAX; 2], u64::MAX, 0, (false, true));
    let end = FIRST_ADDRESS + DEVICE_STRIDE;
    let other = heap.allocate(1, CONTEXT, Kind::Plain, 1);
    assert!(other.is_some_and(|base| base >= end));
    // Runs that stay, with gaps between them.
    let sizes = [6 << 20, 7 << 20, 30 << 20, 5 << 20, 1 << 20];
    let mut kept: Vec<(u64, u64)> = sizes
        .iter()
        .filter_map(|size| Some((heap.allocate(0, CONTEXT, Kind::Plain, *size)?, *size)))
        .collect();
    assert_eq!(kept.len(), sizes.len());
    for index in [2, 0] {
        heap.free(kept.remove(index).0);
    }
    // All addresses except those of the gaps are used once.
    for size in [1 << 30, PAGE] {
        while heap.devices[0].next + size + PAGE <= end {
            let base = heap.allocate(0, CONTEXT, Kind::Plain, size);
            base.into_iter().for_each(|base| heap.free(base));
        }
    }
    // Later allocations use the gaps, and addresses beyond them.
    for size in [2 << 20, 2 << 20, 2 << 20, 4 << 20, 8 << 20, 2 << 20, 40 << 20, 2 << 20] {
        let base = heap.allocate(0, CONTEXT, Kind::Plain, size);
        kept.extend(base.map(|base| (base, size)));
    }
    assert_eq!(kept.len(), 3 + 8);
    kept.sort_unstable();
    assert!(kept.iter().all(|(base, size)| *base >= FIRST_ADDRESS && base + size <= end));
    assert!(kept.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0), "{kept:x?}");
    assert!(kept.iter().all(|(base, size)| heap.holding(*base, *size).is_some()));
    kept.into_iter().for_each(|(base, _)| heap.free(base));
    assert!(heap.devices[0].runs.0.is_empty());
}

#[test]
fn a_context_takes_its_memory_along_but_not_the_pools() {
    let mut heap = Heap::new(&[8 << 20; 2], 8 << 20, 0, (false, true));
    let plain = heap.allocate(1, CONTEXT, Kind::Plain, 100);
    heap.add_pool(POOL, (1, PoolSource::Device, None), (u64::MAX, false));
    let pool = heap.allocate_from_pool(POOL, CONTEXT, 100, None);
    heap.free_context(CONTEXT);
    assert!(plain.is_some_and(|base| heap.starting_at(base).is_none()));
    assert!(pool.is_some_and(|base| heap.starting_at(base).is_some()));
}

/// Twice so many addresses are more than a process has.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn host_memory_needs_addresses_of_the_process() {
    use crate::driver::memory::shared_mapping::Store;

    let mut heap = Heap::new(&[64 << 20], 64 << 20, 0, (false, true));
    let store = Arc::new(Store::new(PAGE, "a").unwrap_or_else(|| unreachable!("no memory")));
    let reserve = |heap: &mut Heap, len: u64, maps_host| {
        heap.ranges.reserve(len, PAGE, 0, maps_host).unwrap_or_else(|| unreachable!("no addresses"))
    };
    let huge = reserve(&mut heap, 1 << 46, true);
    let far = reserve(&mut heap, PAGE, false);
    let near = reserve(&mut heap, PAGE, true);
    assert!(huge >= FIRST_ADDRESS && far >= FIRST_ADDRESS && near < FIRST_ADDRESS);
    for address in [huge, far] {
        let mapped = heap.map_store(address, (POOL, &store), (0, true));
        assert_eq!(mapped, Err(Unmappable::OutsideProcess));
        assert_eq!(heap.map_store(address, (POOL, &store), (0, false)), Ok(()));
    }
    assert_eq!(heap.map_store(near, (POOL, &store), (0, true)), Ok(()));
    let range = near..near + PAGE;
    assert_eq!(heap.ranges.set_host_access(&range, &[Arc::clone(&store)], Some(true)), Some(()));
    let there = with_exposed_provenance_mut::<u8>(near as usize);
    // SAFETY: mapped just now, and used by no other code.
    unsafe { there.write(5) };
    // The driver sees it at every address.
    for address in [near, huge, far] {
        let bytes = heap.bytes_in_use(address, 1).unwrap_or_else(|| unreachable!("no bytes"));
        // SAFETY: mapped, and used by no other code.
        assert_eq!(unsafe { bytes.read() }, 5);
    }
    assert_eq!(heap.unmap_stores(&range), Some(vec![POOL]));
    assert_eq!(heap.ranges.host_access(near), None);
}
