//! Pools: the driver's, and this crate's own.

use super::Catalogue;
use crate::world::World;
use cuda_rt::memory::set_out_of_memory_hook;
use cuda_rt::memory::{
    AccessFlags, CachingPool, KmtHandle, LocatedPool, MemAllocationType, MemLocation, MemPool,
    MemPoolAttribute, MemPoolOptions, MemPoolPtr, MemPoolReuse, PinnedFlags, PinnedPool,
    ShareableHandleTypes,
};
use cuda_rt::{DeviceBuf, PinnedBuf};
use cuda_sys::CUmemoryPool;
use std::os::fd::{AsFd, OwnedFd};

const SHAREABLE: ShareableHandleTypes = ShareableHandleTypes::POSIX_FILE_DESCRIPTOR;

fn pool(world: &World) -> MemPool {
    let pool = MemPool::new(world.near, MemPoolOptions::new().handle_types(SHAREABLE)).unwrap();
    pool.set_access(world.far, AccessFlags::READ_WRITE).unwrap();
    pool
}

fn works(pool: &mut MemPool, world: &World) {
    assert!(pool.has_access(world.far).unwrap());
    assert_eq!(pool.release_threshold().unwrap(), 0);
    drop(DeviceBuf::<u32>::zeroed_in(&world.stream, 4, &*pool).unwrap());
}

const NO_REUSE: MemPoolReuse =
    MemPoolReuse { follow_event_dependencies: false, opportunistic: false, internal_dependencies: false };

/// A handle that goes to another thread.
struct Raw(CUmemoryPool);
// SAFETY: pools are not bound to a thread.
unsafe impl Send for Raw {}

fn raw(world: &World) -> Raw {
    let mut properties = cuda_sys::CUmemPoolProps::default();
    properties.allocType = cuda_sys::CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type_ = cuda_sys::CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.__bindgen_anon_1.id = world.near.as_raw();
    let mut raw = std::ptr::null_mut();
    cuda_suite::call!(cuda_sys::cuMemPoolCreate(&raw mut raw, &raw const properties));
    Raw(raw)
}

fn located(_: &World) -> LocatedPool {
    LocatedPool::default_of(MemLocation::HOST, MemAllocationType::Pinned).unwrap()
}

fn caching(world: &World) -> CachingPool {
    let pool = CachingPool::new(&world.context);
    drop(DeviceBuf::<u32>::zeroed_in(&world.stream, 4, &pool).unwrap());
    pool
}

fn has_block(pool: &mut CachingPool, world: &World) {
    assert_eq!((pool.usage().held_blocks, pool.usage().active_blocks), (1, 0));
    drop(DeviceBuf::<u32>::zeroed_in(&world.stream, 4, &*pool).unwrap());
    assert_eq!((pool.usage().held_blocks, pool.usage().active_blocks), (1, 0));
    pool.trim().unwrap();
    assert_eq!(pool.usage().held_blocks, 0);
}

fn pinned(world: &World) -> PinnedPool {
    let pool = PinnedPool::new(&world.context, PinnedFlags::empty());
    drop(PinnedBuf::<u32>::zeroed_in(&pool, 4).unwrap());
    pool
}

fn has_pinned_block(pool: &mut PinnedPool, _: &World) {
    assert_eq!((pool.usage().held_blocks, pool.usage().active_blocks), (1, 0));
    drop(PinnedBuf::<u32>::zeroed_in(pool, 4).unwrap());
    assert_eq!((pool.usage().held_blocks, pool.usage().active_blocks), (1, 0));
    pool.trim().unwrap();
    assert_eq!(pool.usage().held_blocks, 0);
}

pub(super) fn add(c: &mut Catalogue) {
    c.free()
        .answers("MemPoolOptions::{new, handle_types, max_bytes}", |_, _| {
            MemPoolOptions::new().handle_types(SHAREABLE).max_bytes(1 << 30)
        })
        .refuses("MemPool::new", |_, w| MemPool::new(w.near, MemPoolOptions::new()))
        .refuses("MemPool::default_of", |_, w| MemPool::default_of(w.near))
        .refuses("MemPool::current_of", |_, w| MemPool::current_of(w.near))
        .refuses("LocatedPool::default_of", |_, _| {
            LocatedPool::default_of(MemLocation::HOST, MemAllocationType::Pinned)
        })
        .refuses("LocatedPool::current_of", |_, _| {
            LocatedPool::current_of(MemLocation::HOST, MemAllocationType::Managed)
        })
        .answers("MemPoolPtr::{from_bytes, to_bytes}; MemPoolPtr: Debug", |_, _| {
            (format!("{:?}", MemPoolPtr::from_bytes([0; 64])), MemPoolPtr::from_bytes([0; 64]).to_bytes())
        });
    c.of(raw, |_, _| ())
        // SAFETY: made for this call.
        .hands_over(
            "MemPool::from_raw",
            |raw, w| unsafe { MemPool::from_raw(raw.0, w.near) },
            |pool, w| {
                pool.set_access(w.far, AccessFlags::READ_WRITE).unwrap();
                drop(DeviceBuf::<u32>::zeroed_in(&w.stream, 4, &pool).unwrap());
            },
        );
    c.of(located, |p, _| assert_eq!(p.attribute(MemPoolAttribute::RELEASE_THRESHOLD).unwrap(), 0))
        .answers(
            "LocatedPool::{as_raw, location, allocation_type}; LocatedPool: {Debug, PartialEq}",
            |p, _| {
                let same = LocatedPool::eq(p, p);
                (p.as_raw().is_null(), p.location(), p.allocation_type(), same, format!("{p:?}"))
            },
        )
        .refuses("LocatedPool::make_current", |p, _| p.make_current())
        .refuses("LocatedPool::attribute", |p, _| p.attribute(MemPoolAttribute::RELEASE_THRESHOLD))
        .refuses("LocatedPool::set_attribute", |p, _| p.set_attribute(MemPoolAttribute::RELEASE_THRESHOLD, 1))
        .refuses("LocatedPool::trim_to", |p, _| p.trim_to(0));
    c.of(pool, works)
        .hands_over(
            "MemPool::from_raw_with_owner",
            // SAFETY: its owner keeps it.
            |p, w| unsafe { MemPool::from_raw_with_owner(p.as_raw(), w.near, Box::new(p)) },
            |mut pool, w| works(&mut pool, w),
        )
        .answers("MemPool::{as_raw, device}", |p, _| (p.as_raw().is_null(), p.device()))
        .refuses("MemPool::make_current", |p, _| p.make_current())
        .refuses("MemPool::trim_to", |p, _| p.trim_to(0))
        .refuses("MemPool::access", |p, w| p.access(w.far))
        .refuses("MemPool::set_access", |p, w| p.set_access(w.far, AccessFlags::NONE))
        .refuses("MemPool::set_access that is there", |p, w| p.set_access(w.far, AccessFlags::READ_WRITE))
        .refuses("MemPool::can_have_access", |p, w| p.can_have_access(w.far))
        .refuses("MemPool::has_access", |p, w| p.has_access(w.far))
        .refuses("MemPool::attribute", |p, _| p.attribute(MemPoolAttribute::RELEASE_THRESHOLD))
        .refuses("MemPool::set_attribute", |p, _| p.set_attribute(MemPoolAttribute::RELEASE_THRESHOLD, 1))
        .refuses("MemPool::release_threshold", |p, _| p.release_threshold())
        .refuses("MemPool::set_release_threshold", |p, _| p.set_release_threshold(1))
        .refuses("MemPool::usage", |p, _| p.usage())
        .refuses("MemPool::reset_high_marks", |p, _| p.reset_high_marks())
        .refuses("MemPool::reuse", |p, _| p.reuse())
        .refuses("MemPool::set_reuse", |p, _| p.set_reuse(NO_REUSE))
        .refuses("MemPool::export_fd", |p, _| p.export_fd())
        .refuses("MemPool::export_win32_kmt", |p, _| p.export_win32_kmt())
        // SAFETY: if it were not refused, nothing would be made of it.
        .refuses("MemPool::import_ptr", |p, w| unsafe {
            p.import_ptr::<u32>(&MemPoolPtr::from_bytes([0; 64]), 4, &w.stream).map(drop)
        })
        .answers("MemPool: {Clone, Debug, PartialEq}", |p, _| (p.clone() == *p, format!("{p:?}")))
        .consumes("MemPool::close", |p, _| p.close())
        .drops("MemPool: Drop");
    c.of(|_| OwnedFd::from(std::fs::File::open("/dev/null").unwrap()), |_, _| ())
        // SAFETY: if it were not refused, it would be dropped at once.
        .refuses("MemPool::import_fd", |file, w| unsafe { MemPool::import_fd(w.near, file.as_fd()) });
    c.of(|_| KmtHandle(64), |_, _| ())
        // SAFETY: as above.
        .refuses("MemPool::import_win32_kmt", |handle, w| unsafe {
            MemPool::import_win32_kmt(w.near, *handle)
        });
    c.free()
        .answers("CachingPool::{new, context, block_bytes}", |_, w| {
            let pool = CachingPool::new(&w.context);
            (pool.context().clone(), CachingPool::block_bytes(1000))
        })
        .answers("PinnedPool::{new, context}", |_, w| {
            PinnedPool::new(&w.context, PinnedFlags::empty()).context().clone()
        })
        .answers("memory::set_out_of_memory_hook", |_, _| {
            set_out_of_memory_hook(|_| true).restore();
        });
    c.of(caching, has_block)
        .answers("CachingPool::usage", |p, _| p.usage())
        .refuses("CachingPool::trim", |p, _| p.trim())
        .refuses("CachingPool::disable_caching", |p, _| p.disable_caching())
        .answers("CachingPool::downgrade; WeakCachingPool::upgrade", |p, _| p.downgrade().upgrade().unwrap())
        .answers("CachingPool: {Clone, Debug}; WeakCachingPool: {Clone, Debug, Drop}", |p, _| {
            (p.clone(), format!("{p:?} {:?}", p.downgrade().clone()))
        })
        .drops("CachingPool: Drop");
    c.of(pinned, has_pinned_block)
        .answers("PinnedPool::usage", |p, _| p.usage())
        // The thread that releases gives the block back.
        .succeeds("PinnedBuf::zeroed_in of a block that is held", |p, _| PinnedBuf::<u32>::zeroed_in(p, 4))
        .refuses("PinnedPool::trim", |p, _| p.trim())
        .refuses("PinnedPool::disable_caching", |p, _| p.disable_caching())
        .answers("PinnedPool: {Clone, Debug}", |p, _| (p.clone(), format!("{p:?}")))
        .drops("PinnedPool: Drop");
}
