//! Managed memory.

use super::Catalogue;
use crate::world::{NUMBERS, World};
use cuda_rt::ManagedBuf;
use cuda_rt::memory::{DiscardBatch, MemAdvise, MemAttach, MemLocation, PrefetchBatch, RangeAttribute};

fn managed(world: &World) -> ManagedBuf<u32> {
    ManagedBuf::from_host(&world.stream, &NUMBERS, MemAttach::Global).unwrap()
}

fn holds(buffer: &mut ManagedBuf<u32>, world: &World) {
    assert_eq!(buffer.stream(), &world.stream);
    assert_eq!(buffer.to_vec().unwrap(), NUMBERS);
    assert_eq!(buffer.host().unwrap(), NUMBERS);
    assert!(!buffer.is_read_mostly(..).unwrap());
}

pub(super) fn add(c: &mut Catalogue) {
    c.free()
        .refuses("ManagedBuf::zeroed", |_, w| ManagedBuf::<u32>::zeroed(&w.stream, 4, MemAttach::Host))
        .refuses("ManagedBuf::from_host", |_, w| {
            ManagedBuf::from_host(&w.stream, &NUMBERS, MemAttach::Global)
        })
        .answers(
            "MemAdvise::{read_mostly, unset_read_mostly, preferred_location, unset_preferred_location}",
            |_, w| {
                let preferred = MemAdvise::preferred_location(MemLocation::device(w.near));
                (
                    preferred,
                    MemAdvise::read_mostly(),
                    MemAdvise::unset_read_mostly(),
                    MemAdvise::unset_preferred_location(),
                )
            },
        )
        .answers("MemAdvise::{accessed_by, unset_accessed_by, other, number, location}", |_, w| {
            let at = MemLocation::device(w.near);
            (
                MemAdvise::accessed_by(at),
                MemAdvise::unset_accessed_by(at).number(),
                MemAdvise::other(9, at).location(),
            )
        });
    c.of(managed, holds)
        .answers("ManagedBuf::{len, is_empty, size_bytes, stream, ptr}", |b, _| {
            (b.len(), b.is_empty(), b.size_bytes(), b.stream().clone(), b.ptr())
        })
        .answers("ManagedBuf::{as_slice, as_slice_mut, slice, slice_mut}; ManagedBuf: Debug", |b, _| {
            let len = b.as_slice().len() + b.slice(..2).unwrap().len();
            (len + b.as_slice_mut().len() + b.slice_mut(..2).unwrap().len(), format!("{b:?}"))
        })
        .refuses("ManagedBuf::to_vec", |b, _| b.to_vec())
        .refuses("ManagedBuf::host", |b, _| b.host().map(drop))
        .refuses("ManagedBuf::host_mut", |b, _| b.host_mut().map(drop))
        // SAFETY: nothing else uses the memory.
        .answers("ManagedBuf::host_unchecked", |b, _| assert_eq!(unsafe { b.host_unchecked() }, NUMBERS))
        // SAFETY: as above.
        .answers("ManagedBuf::host_unchecked_mut", |b, _| unsafe { b.host_unchecked_mut() }.len())
        .refuses("ManagedBuf::advise", |b, _| b.advise(.., MemAdvise::read_mostly()))
        .refuses("ManagedBuf::prefetch", |b, w| b.prefetch(.., MemLocation::device(w.near)))
        .answers("PrefetchBatch::{new, add}; PrefetchBatch: {Debug, Default, Drop}", |b, w| {
            let mut batch = PrefetchBatch::new();
            batch.add(b, .., MemLocation::device(w.near)).unwrap();
            format!("{batch:?} {:?}", PrefetchBatch::default())
        })
        .refuses("PrefetchBatch::prefetch", |b, w| {
            let mut batch = PrefetchBatch::new();
            batch.add(b, .., MemLocation::device(w.near)).unwrap();
            batch.prefetch(&w.stream)
        })
        .answers("DiscardBatch::{new, add}; DiscardBatch: {Debug, Default, Drop}", |b, _| {
            let mut batch = DiscardBatch::new();
            batch.add(b, ..).unwrap();
            format!("{batch:?} {:?}", DiscardBatch::default())
        })
        .refuses("DiscardBatch::discard", |b, w| {
            let mut batch = DiscardBatch::new();
            batch.add(b, ..).unwrap();
            // SAFETY: it is refused, so that nothing is discarded.
            unsafe { batch.discard(&w.stream) }
        })
        .refuses("DiscardBatch::discard_and_prefetch", |b, w| {
            let mut batch = DiscardBatch::new();
            batch.add(b, ..).unwrap();
            // SAFETY: as above.
            unsafe { batch.discard_and_prefetch(&w.stream, MemLocation::HOST) }
        })
        .refuses("ManagedBuf::attach", |b, w| b.attach(&cuda_rt::Stream::legacy(&w.context), MemAttach::Host))
        .refuses("ManagedBuf::is_read_mostly", |b, _| b.is_read_mostly(..))
        .refuses("ManagedBuf::preferred_location", |b, _| b.preferred_location(..))
        .refuses("ManagedBuf::last_prefetch_location", |b, _| b.last_prefetch_location(..))
        .refuses("ManagedBuf::accessed_by", |b, _| b.accessed_by(..))
        .refuses("ManagedBuf::locations", |b, _| b.locations(.., 4, 0))
        .refuses("ManagedBuf::range_attribute", |b, _| b.range_attribute(.., RangeAttribute::READ_MOSTLY))
        .refuses("ManagedBuf::range_attributes", |b, _| {
            b.range_attributes(.., &[RangeAttribute::READ_MOSTLY])
        })
        .consumes("ManagedBuf::close", |b, _| b.close())
        .drops("ManagedBuf: Drop");
}
