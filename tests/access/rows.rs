//! The rows of the table, each named by a test.

use super::*;
use cuda_rt::access::{ForeignMemory, MemoryKind, Parts, memory_kind};
use cuda_rt::memory::AlignedBuf;
use cuda_rt::memory::{
    AccessFlags, AccessSize, CachingPool, MemAttach, MemPool, MemPoolOptions, PitchedBuf, RegisterFlags,
    RegisteredBuf,
};
use cuda_rt::peer::PoolGrant;
use cuda_rt::{ManagedBuf, PinnedBuf};
use cuda_suite::call;
use cuda_sys::*;
use std::collections::BTreeSet;
use std::sync::Arc;

use Access::{Accessible, Inaccessible, Unverified};

pub(super) fn managed(context: &Context) -> ManagedBuf<u32> {
    let stream = Stream::new(context).unwrap();
    ManagedBuf::from_host(&stream, &[7, 8], MemAttach::Global).unwrap()
}

fn registered(context: &Context) -> RegisteredBuf<Vec<u32>> {
    RegisteredBuf::new(context, vec![7; 2048], RegisterFlags::default()).unwrap()
}

fn pitched(context: &Context) -> PitchedBuf<u32> {
    PitchedBuf::uninit(&Stream::new(context).unwrap(), 4, 4, AccessSize::Four).unwrap()
}

pub(super) fn pool(owner: u32) -> MemPool {
    MemPool::new(device(owner), MemPoolOptions::new()).unwrap()
}

pub(super) fn foreign<T>(context: &Context, pointer: DevicePtr<T>) -> ForeignMemory<'_> {
    // SAFETY: the tests keep the memory, or there is none that could be freed.
    unsafe { ForeignMemory::on_device(context, pointer) }.unwrap()
}

/// Memory that no driver knows.
pub(super) fn unknown(context: &Context) -> ForeignMemory<'_> {
    foreign(context, DevicePtr::<u8>::from_raw(0x10))
}

pub(super) fn host_address<T>(memory: &[T]) -> DevicePtr<T> {
    DevicePtr::from_raw(memory.as_ptr().expose_provenance() as u64)
}

/// A pool of a device that this crate has not made, and memory of it.
pub(super) fn of_a_strange_pool(context: &Context) -> (CUmemoryPool, DevicePtr<u32>) {
    let device = context.device().as_raw();
    let (pool, address) = of_a_pool_at(context, CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE, device);
    let _entered = context.enter().unwrap();
    call!(cuMemsetD32_v2(address.as_raw(), 7, 1));
    call!(cuCtxSynchronize());
    (pool, address)
}

/// A pool of a location that this crate has not made, and memory of it.
fn of_a_pool_at(context: &Context, type_: CUmemLocationType, id: i32) -> (CUmemoryPool, DevicePtr<u32>) {
    let _entered = context.enter().unwrap();
    let (mut pool, mut address) = (std::ptr::null_mut(), 0);
    let location = CUmemLocation { type_, __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 { id } };
    let props = CUmemPoolProps {
        allocType: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        location,
        ..CUmemPoolProps::default()
    };
    call!(cuMemPoolCreate(&raw mut pool, &raw const props));
    call!(cuMemAllocFromPoolAsync(&raw mut address, 4, pool, std::ptr::null_mut()));
    call!(cuCtxSynchronize());
    (pool, DevicePtr::from_raw(address))
}

#[test]
fn d_01_memory_of_the_same_context() {
    let two = Two::alike();
    let context = &two.near;
    let (pool, caching) = (pool(0), CachingPool::new(context));
    let other_pool = of_a_strange_pool(context).1;
    let pinned = PinnedBuf::<u32>::zeroed(context, 1).unwrap();
    let (kept, list) = (pooled(context), vec![1_u32]);
    let memory: [&dyn Memory; 14] = [
        &plain(context),
        &pooled(context),
        &buffer(context, &pool),
        &buffer(context, &caching),
        &pitched(context),
        &managed(context),
        &kept.as_slice(),
        &unknown(context),
        &foreign(context, kept.ptr()),
        &foreign(context, other_pool),
        // Memory that the caller attributes to the context is trusted.
        &foreign(context, pinned.device_ptr().unwrap()),
        &foreign(context, host_address(&list)),
        &Some(&kept),
        &Arc::new(pooled(context)),
    ];
    two.machine.record_calls();
    for (number, memory) in memory.into_iter().enumerate() {
        assert_eq!(look(context, memory), Accessible, "{number}");
    }
    assert_eq!(two.machine.take_calls(), [], "there was nothing to ask");
    // The context counts, not the handle to it.
    // SAFETY: the context is live, and stays.
    let same = unsafe { Context::from_raw_with_owner(context.as_raw(), Box::new(context.clone())) }.unwrap();
    assert_eq!(look(&same, &kept), Accessible);
    assert_eq!(look(&same, &plain(context)), Accessible);
    assert_eq!(seen_by_kernel(&same, kept.ptr()), Ok(7));
}

#[test]
fn d_02_pageable_memory_from_the_host() {
    let _two = Two::alike();
    let list = vec![1_u32, 2];
    let memory: [&dyn Memory; 9] = [
        &list,
        &&list[1..],
        &[1.0, 2.0],
        &Box::<[u8]>::from([1, 2]),
        &AlignedBuf::<u8>::zeroed(4096).unwrap(),
        &Arc::new(vec!["text"]),
        &ForeignMemory::on_host(),
        &Vec::<u8>::new(),
        &(Vec::<u8>::new(), [0_u8; 0]),
    ];
    for (number, memory) in memory.into_iter().enumerate() {
        assert_eq!(look(Viewpoint::Host, memory), Accessible, "{number}");
    }
}

#[test]
fn d_03_page_locked_memory_from_the_host() {
    for profile in [Profile::H200, Profile::H200.without_unified_addressing()] {
        let two = Two::new(vec![profile]);
        let pinned = PinnedBuf::<u32>::zeroed(&two.near, 4).unwrap();
        assert_eq!(look(Viewpoint::Host, &pinned), Accessible);
        assert_eq!(look(Viewpoint::Host, &registered(&two.near)), Accessible);
        assert_eq!(look(Viewpoint::Host, &ForeignMemory::page_locked()), Accessible);
    }
}

#[test]
fn d_04_plain_memory_from_the_host() {
    let changes = [PAGEABLE_MEMORY_ACCESS, DIRECT_MANAGED_ACCESS_FROM_HOST, HOST_NATIVE_ATOMICS]
        .map(|number| (number, 1));
    for profile in [Profile::H200, h200(&changes), Profile::GH200] {
        let two = Two::new(vec![profile]);
        let _access = two.near.peer_access(&two.far).unwrap();
        for context in [&two.near, &two.far] {
            assert_eq!(look(Viewpoint::Host, &plain(context)), Inaccessible);
            assert_eq!(look(Viewpoint::Host, &pitched(context)), Inaccessible);
            assert_eq!(look(Viewpoint::Host, &buffer(context, &CachingPool::new(context))), Inaccessible);
        }
    }
}

#[test]
fn d_05_memory_of_pools_from_the_host() {
    let two = Two::alike();
    let pool = pool(0);
    let (default, memory) = (pooled(&two.near), buffer(&two.near, &pool));
    for opened in EITHER {
        for pool in [&pool, &MemPool::default_of(device(0)).unwrap()] {
            pool.set_access(device(1), rights(opened)).unwrap();
        }
        assert_eq!(look(Viewpoint::Host, &memory), Inaccessible);
        assert_eq!(look(Viewpoint::Host, &default), Inaccessible);
    }
    // The host has access to its own pools. Another device needs access to the pool, which only the driver knows.
    let (_, address) = of_a_pool_at(&two.near, CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST, 0);
    let memory = foreign(&two.near, address);
    assert_eq!(look(Viewpoint::Host, &memory), Accessible);
    assert_eq!(look(&two.far, &memory), Unverified);
}

#[test]
fn d_06_d_07_managed_memory_from_the_host() {
    for (concurrent, direct) in EITHER.map(|first| EITHER.map(|second| (first, second))).concat() {
        let profile = h200(&[
            (CONCURRENT_MANAGED_ACCESS, concurrent.into()),
            (DIRECT_MANAGED_ACCESS_FROM_HOST, direct.into()),
        ]);
        // The attributes of the owner count.
        let two = Two::new(vec![profile, h200(&[(CONCURRENT_MANAGED_ACCESS, 0)])]);
        let memory = managed(&two.near);
        assert_eq!(memory_kind(&memory).unwrap(), Some(MemoryKind::Managed));
        assert_eq!(look(Viewpoint::Host, &memory), when(concurrent || direct), "{concurrent} {direct}");
        assert_eq!(look(Viewpoint::Host, &memory.as_slice()), when(concurrent || direct));
        assert_eq!(look(Viewpoint::Host, &managed(&two.far)), Inaccessible);
    }
}

#[test]
fn d_08_memory_of_others_from_the_host() {
    for concurrent in EITHER {
        let two = Two::new(vec![h200(&[(CONCURRENT_MANAGED_ACCESS, concurrent.into())])]);
        let (plain, pooled, managed) = (plain(&two.near), pooled(&two.near), managed(&two.near));
        // The same for every context that the memory is attributed to.
        for context in [&two.near, &two.far] {
            let of = |address| foreign(context, address);
            assert_eq!(look(Viewpoint::Host, &of(plain.ptr())), Inaccessible);
            assert_eq!(look(Viewpoint::Host, &of(pooled.ptr())), Inaccessible);
            assert_eq!(look(Viewpoint::Host, &of(managed.ptr())), when(concurrent));
            assert_eq!(of(plain.ptr()).kind(), MemoryKind::Device);
            assert_eq!(of(pooled.ptr()).kind(), MemoryKind::Pool);
            assert_eq!(of(managed.ptr()).kind(), MemoryKind::Managed);
        }
    }
}

#[test]
fn d_09_foreign_memory_from_the_host() {
    let two = Two::alike();
    let pinned = PinnedBuf::<u32>::zeroed(&two.near, 1).unwrap();
    let pinned = foreign(&two.near, pinned.device_ptr().unwrap());
    assert_eq!((pinned.kind(), unknown(&two.near).kind()), (MemoryKind::Pinned, MemoryKind::Unknown));
    for memory in [&pinned, &unknown(&two.near)] {
        assert_eq!(look(Viewpoint::Host, memory), Unverified);
        assert!(!can_access(Viewpoint::Host, memory).unwrap());
    }
}

#[test]
fn d_10_d_11_pageable_memory_from_a_device() {
    for pageable in EITHER {
        // The device of the launch counts.
        let profiles = [pageable, !pageable].map(|has| h200(&[(PAGEABLE_MEMORY_ACCESS, has.into())]));
        let two = Two::new(profiles.to_vec());
        let list = vec![7_u32, 8];
        assert_eq!(memory_kind(&list).unwrap(), Some(MemoryKind::Pageable));
        let memory: [&dyn Memory; 5] =
            [&list, &&list[1..], &[0_u8], &Box::<[u8]>::from([1]), &ForeignMemory::on_host()];
        for memory in memory {
            assert_eq!(look(&two.near, memory), when(pageable));
            assert_eq!(look(&two.far, memory), when(!pageable));
        }
        let seen = seen_by_kernel(&two.near, host_address(&list));
        assert_eq!(seen, if pageable { Ok(7) } else { OUT_OF_REACH });
    }
}

#[test]
fn d_12_d_13_d_14_page_locked_memory_from_a_device() {
    for (unified, pageable) in EITHER.map(|first| EITHER.map(|second| (first, second))).concat() {
        let base = if unified { Profile::H200 } else { Profile::H200.without_unified_addressing() };
        let profile = base.with_attribute(PAGEABLE_MEMORY_ACCESS, pageable.into());
        let two = Two::new(vec![profile]);
        let mut pinned = PinnedBuf::<u32>::zeroed(&two.near, 4).unwrap();
        pinned[0] = 7;
        let registered = registered(&two.near);
        assert_eq!(memory_kind(&pinned).unwrap(), Some(MemoryKind::Pinned));
        assert_eq!(memory_kind(&registered).unwrap(), Some(MemoryKind::Registered));
        let memory: [&dyn Memory; 3] = [&pinned, &registered, &ForeignMemory::page_locked()];
        for memory in memory {
            for context in [&two.near, &two.far] {
                assert_eq!(look(context, memory), when(unified || pageable), "{unified} {pageable}");
            }
        }
        assert_eq!(seen_by_kernel(&two.near, pinned.device_ptr().unwrap()), Ok(7));
        // The row of the table is about the address that the host uses.
        if unified || !pageable {
            let seen = seen_by_kernel(&two.near, host_address(&pinned));
            assert_eq!(seen, if unified { Ok(7) } else { OUT_OF_REACH });
        }
    }
}

#[test]
fn d_15_registered_memory_without_its_owner() {
    for pageable in EITHER {
        let two = Two::new(vec![h200(&[(PAGEABLE_MEMORY_ACCESS, pageable.into())])]);
        let mut list = vec![7_u32; 2048];
        // SAFETY: the memory stays until the end of the block, and so does the other.
        let locked =
            unsafe { RegisteredBuf::borrowed(&two.near, &mut list[..], RegisterFlags::default()) }.unwrap();
        assert_eq!(look(&two.near, &locked), Accessible);
        let words: &[u32] = &locked;
        assert_eq!(look(&two.near, words), when(pageable));
        let pinned = PinnedBuf::<u32>::zeroed(&two.near, 4).unwrap();
        assert_eq!(look(&two.near, &pinned[..]), when(pageable));
    }
}

#[test]
fn d_16_plain_memory_of_the_same_context() {
    let two = Two::apart();
    let memory = plain(&two.near);
    assert_eq!(look(&two.near, &memory), Accessible);
    assert_eq!(seen_by_kernel(&two.near, memory.ptr()), Ok(7));
}

#[test]
fn d_17_plain_memory_of_another_context_of_the_device() {
    let two = Two::alike();
    let other = own(0);
    let memory = plain(&other);
    for view in [&memory as &dyn Memory, &memory.as_slice(), &foreign(&other, memory.ptr()), &pitched(&other)]
    {
        assert_eq!(look(&two.near, view), Inaccessible);
        assert_eq!(look(&other, view), Accessible);
    }
    assert!(!two.near.peer_access_state(&other).is_supported().unwrap());
    // The devices do more than they promise.
    assert_eq!(seen_by_kernel(&two.near, memory.ptr()), Ok(7));
}

#[test]
fn d_18_pool_memory_of_another_context_of_device() {
    let two = Two::apart();
    let (other, pool) = (own(0), pool(0));
    let strange = of_a_strange_pool(&other).1;
    for memory in [pooled(&other), buffer(&other, &pool)] {
        for view in [&memory as &dyn Memory, &memory.as_slice(), &foreign(&other, memory.ptr())] {
            assert_eq!(look(&two.near, view), Accessible);
        }
        assert_eq!(seen_by_kernel(&two.near, memory.ptr()), Ok(7));
    }
    assert_eq!(look(&two.near, &foreign(&other, strange)), Accessible);
    assert_eq!(seen_by_kernel(&two.near, strange), Ok(7));
}

#[test]
fn d_19_plain_memory_of_a_peer_with_access() {
    type TurnOn = fn(&Context, &Context);
    let ways: [TurnOn; 3] = [
        |near, far| assert!(near.enable_peer_access(far).unwrap().changed),
        |near, far| assert_eq!(near.enable_peer_access(far).unwrap().pool, PoolGrant::Granted),
        // By another library.
        |near, far| {
            let _entered = near.enter().unwrap();
            call!(cuCtxEnablePeerAccess(far.as_raw(), 0));
        },
    ];
    for turn_on in ways {
        let two = Two::alike();
        let (memory, back) = (plain(&two.far), plain(&two.near));
        turn_on(&two.near, &two.far);
        for view in [&memory as &dyn Memory, &memory.as_slice(), &pitched(&two.far)] {
            assert_eq!(look(&two.near, view), Accessible);
        }
        assert_eq!(look(&two.far, &back), Inaccessible, "the other way");
        assert_eq!(seen_by_kernel(&two.near, memory.ptr()), Ok(7));
    }
}

#[test]
fn d_20_plain_memory_of_a_peer_without_access() {
    for make in [Two::alike as fn() -> Two, Two::apart] {
        let two = make();
        let memory = plain(&two.far);
        for view in [&memory as &dyn Memory, &memory.as_slice(), &pitched(&two.far)] {
            assert_eq!(look(&two.near, view), Inaccessible);
        }
        assert_eq!(seen_by_kernel(&two.near, memory.ptr()), OUT_OF_REACH);
    }
    // Access was on.
    let two = Two::alike();
    let memory = plain(&two.far);
    drop(two.near.peer_access(&two.far).unwrap());
    assert_eq!(look(&two.near, &memory), Inaccessible);
    assert_eq!(seen_by_kernel(&two.near, memory.ptr()), OUT_OF_REACH);
    // Access is on for another context of the device. Devices do more than they promise.
    let two = Two::alike();
    let (other, memory) = (own(0), plain(&two.far));
    let _access = other.peer_access(&two.far).unwrap();
    assert_eq!((look(&two.near, &memory), look(&other, &memory)), (Inaccessible, Accessible));
}

#[test]
fn d_21_memory_of_pools_that_are_open() {
    let two = Two::alike();
    let made = pool(1);
    let (default, memory) = (pooled(&two.far), buffer(&two.far, &made));
    for (pool, memory) in [(MemPool::default_of(device(1)).unwrap(), default), (made, memory)] {
        assert!(pool.set_access(device(0), AccessFlags::READ_WRITE).unwrap());
        assert!(!two.near.peer_access_state(&two.far).is_enabled().unwrap());
        for view in [&memory as &dyn Memory, &memory.as_slice(), &foreign(&two.far, memory.ptr())] {
            assert_eq!(memory_kind(view).unwrap(), Some(MemoryKind::Pool));
            assert_eq!(look(&two.near, view), Accessible);
            // A pool is open to the device, not to a context.
            assert_eq!(look(&own(0), view), Accessible);
        }
        assert_eq!(seen_by_kernel(&two.near, memory.ptr()), Ok(7));
    }
}

#[test]
fn d_22_memory_of_pools_that_are_closed() {
    for peer_access in EITHER {
        for is_default in EITHER {
            let two = Two::alike();
            let pool = if is_default { MemPool::default_of(device(1)).unwrap() } else { pool(1) };
            let memory = buffer(&two.far, &pool);
            if peer_access {
                // By another library, because this crate opens the default pool, too.
                let _entered = two.near.enter().unwrap();
                call!(cuCtxEnablePeerAccess(two.far.as_raw(), 0));
            }
            assert_eq!(two.near.peer_access_state(&two.far).is_enabled().unwrap(), peer_access);
            assert_eq!(pool.access(device(0)).unwrap(), AccessFlags::NONE);
            for view in [&memory as &dyn Memory, &memory.as_slice(), &foreign(&two.far, memory.ptr())] {
                assert_eq!(look(&two.near, view), Inaccessible);
            }
            assert_eq!(seen_by_kernel(&two.near, memory.ptr()), OUT_OF_REACH, "{peer_access}");
        }
    }
}

#[test]
fn d_23_memory_of_unknown_pools() {
    let two = Two::alike();
    let (raw, address) = of_a_strange_pool(&two.far);
    for opened in EITHER {
        if opened {
            // SAFETY: the pool is live, and no other code destroys it.
            let pool = unsafe { MemPool::from_raw_with_owner(raw, device(1), Box::new(())) };
            pool.set_access(device(0), AccessFlags::READ_WRITE).unwrap();
        }
        assert_eq!(look(&two.near, &foreign(&two.far, address)), Unverified);
        assert_eq!(recorded_access(&two.near, &foreign(&two.far, address)).unwrap(), Unverified);
        assert!(!can_access(&two.near, &foreign(&two.far, address)).unwrap());
    }
    assert_eq!(seen_by_kernel(&two.near, address), Ok(7), "it was open");
}

#[test]
fn d_24_d_25_managed_memory_of_another_device() {
    for (near, far) in EITHER.map(|first| EITHER.map(|second| (first, second))).concat() {
        // Memory can only be made where there is managed memory; what is said of it is another matter.
        let profiles = [near, far].map(|has| h200(&[(MANAGED_MEMORY, has.into())]));
        let config = Config { profiles: profiles.to_vec(), peers: Peers::None, ..Config::default() };
        let two = Two::of(config);
        if far {
            let memory = managed(&two.far);
            for view in [&memory as &dyn Memory, &memory.as_slice(), &foreign(&two.far, memory.ptr())] {
                assert_eq!(look(&two.near, view), when(near));
            }
            assert_eq!(seen_by_kernel(&two.near, memory.ptr()), if near { Ok(7) } else { OUT_OF_REACH });
        } else {
            use cuda_rt::access::{MemoryOrigin, MemoryOwner};
            struct Said<'a>(&'a Context);
            impl Memory for Said<'_> {
                fn visit_origins(&self, visit: &mut dyn FnMut(&MemoryOrigin<'_>)) {
                    let owner = MemoryOwner::Context(self.0);
                    let nowhere = DevicePtr::<u8>::from_raw(0x10);
                    // SAFETY: there is no memory.
                    visit(&unsafe { MemoryOrigin::new(MemoryKind::Managed, owner, nowhere) });
                }
            }
            assert_eq!(look(&two.near, &Said(&two.far)), Inaccessible);
        }
    }
}

#[test]
fn d_26_plain_memory_that_others_have_made() {
    for make in [Two::alike as fn() -> Two, Two::apart] {
        let two = make();
        let mut address = 0;
        {
            let _entered = two.far.enter().unwrap();
            call!(cuMemAlloc_v2(&raw mut address, 4));
            call!(cuMemsetD32_v2(address, 7, 1));
        }
        let address = DevicePtr::<u32>::from_raw(address);
        let memory = foreign(&two.far, address);
        assert_eq!(memory.kind(), MemoryKind::Device);
        assert_eq!(look(&two.near, &memory), Inaccessible);
        if two.near.peer_access_state(&two.far).is_supported().unwrap() {
            let _access = two.near.peer_access(&two.far).unwrap();
            assert_eq!(look(&two.near, &memory), Accessible);
            assert_eq!(seen_by_kernel(&two.near, address), Ok(7));
        }
        assert_eq!(seen_by_kernel(&two.near, address), OUT_OF_REACH);
    }
}

#[test]
fn d_27_foreign_memory_of_another_device() {
    let two = Two::alike();
    let _access = two.near.peer_access(&two.far).unwrap();
    let pinned = PinnedBuf::<u32>::zeroed(&two.far, 1).unwrap();
    let pinned = foreign(&two.far, pinned.device_ptr().unwrap());
    for memory in [&pinned, &unknown(&two.far)] {
        assert_eq!(look(&two.near, memory), Unverified);
        assert_eq!(look(&own(1), memory), Unverified);
    }
}

#[test]
fn d_28_views_follow_their_owners() {
    for peer_access in EITHER {
        let two = Two::new(vec![h200(&[(CONCURRENT_MANAGED_ACCESS, 0)])]);
        let _access = peer_access.then(|| two.near.peer_access(&two.far).unwrap());
        let closed = pool(1);
        let other = own(1);
        for mut owner in [plain(&two.far), pooled(&two.far), buffer(&two.far, &closed)] {
            let places = [Viewpoint::Host, (&two.near).into(), (&two.far).into(), (&other).into()];
            let owners = places.map(|place| look(place, &owner));
            assert_eq!(places.map(|place| look(place, &owner.as_slice())), owners);
            assert_eq!(places.map(|place| look(place, &owner.slice(1..3).unwrap())), owners);
            assert_eq!(places.map(|place| look(place, &owner.as_slice_mut())), owners);
            let view = owner.slice_mut(2..).unwrap();
            assert_eq!(places.map(|place| look(place, &view)), owners);
            assert_eq!(memory_kind(&view).unwrap(), memory_kind(&owner).unwrap());
        }
        let places = [Viewpoint::Host, (&two.near).into(), (&two.far).into(), (&other).into()];
        let (pitched, managed) = (pitched(&two.far), managed(&two.far));
        for place in places {
            assert_eq!(look(place, &pitched.row(2).unwrap()), look(place, &pitched));
            assert_eq!(look(place, &managed.slice(1..).unwrap()), look(place, &managed));
        }
    }
}

#[test]
fn d_29_several_pieces_are_as_bad_as_the_worst() {
    let two = Two::alike();
    let (own, far, unknown) = (pooled(&two.near), plain(&two.far), unknown(&two.far));
    let (own, far, unknown): (&dyn Memory, &dyn Memory, &dyn Memory) = (&own, &far, &unknown);
    assert_eq!([own, far, unknown].map(|part| look(&two.near, part)), [Accessible, Inaccessible, Unverified]);
    assert_eq!(look(&two.near, &(own, own)), Accessible);
    assert_eq!(look(&two.near, &(own, unknown)), Unverified);
    assert_eq!(look(&two.near, &(unknown, own, own)), Unverified);
    assert_eq!(look(&two.near, &(far, unknown)), Inaccessible);
    assert_eq!(look(&two.near, &(own, unknown, far, own)), Inaccessible);
    assert_eq!(look(&two.near, &Parts(&[unknown, own, far])), Inaccessible);
    assert_eq!(look(&two.near, &Parts(&[own, unknown])), Unverified);
    assert_eq!(look(&two.near, &Parts(&[])), Accessible);
    // An index array that is not there.
    assert_eq!(look(&two.near, &(own, None::<&DeviceBuf<u32>>, Some(own))), Accessible);
    assert_eq!(look(&two.near, &(own, Some(far))), Inaccessible);
}

#[test]
fn d_30_recorded_access() {
    let two = Two::alike();
    let (near, far) = (&two.near, &two.far);
    let pool = pool(1);
    let (plain, pooled, own) = (plain(far), pooled(far), buffer(far, &pool));
    let recorded = || {
        let all: [&dyn Memory; 3] = [&plain, &pooled, &own];
        all.map(|memory| recorded_access(near, memory).unwrap())
    };
    let no_question = || {
        // No call that enables or disables access, or that could end a capture.
        let unsafe_in_captures = [
            Symbol::cuCtxEnablePeerAccess,
            Symbol::cuCtxDisablePeerAccess,
            Symbol::cuMemPoolGetAccess,
            Symbol::cuMemPoolSetAccess,
            Symbol::cuThreadExchangeStreamCaptureMode,
        ];
        let calls = two.machine.take_calls();
        assert!(calls.iter().all(|call| !unsafe_in_captures.contains(&call.function)), "{calls:?}");
    };
    two.machine.record_calls();
    assert_eq!(recorded(), [Inaccessible; 3]);
    no_question();

    // Access that this crate has enabled.
    let _ = two.machine.take_calls();
    near.enable_peer_access(far).unwrap();
    let _ = two.machine.take_calls();
    assert_eq!(recorded(), [Accessible, Accessible, Inaccessible]);
    near.disable_peer_access(far).unwrap();
    assert_eq!(recorded(), [Inaccessible; 3]);
    pool.set_access(device(0), AccessFlags::READ_WRITE).unwrap();
    assert_eq!(recorded(), [Inaccessible, Inaccessible, Accessible]);
    pool.set_access(device(0), AccessFlags::NONE).unwrap();
    assert_eq!(recorded(), [Inaccessible; 3]);

    // Access that another library has enabled is known after one question to the driver.
    {
        let _entered = near.enter().unwrap();
        call!(cuCtxEnablePeerAccess(far.as_raw(), 0));
    }
    assert_eq!(recorded(), [Inaccessible; 3]);
    assert_eq!(access(near, &plain).unwrap(), Accessible);
    assert_eq!(recorded(), [Accessible, Inaccessible, Inaccessible]);
    {
        let _entered = near.enter().unwrap();
        call!(cuCtxDisablePeerAccess(far.as_raw()));
    }
    assert_eq!(access(near, &plain).unwrap(), Inaccessible);
    assert_eq!(recorded(), [Inaccessible; 3]);
}

#[test]
fn d_31_types_without_memory_do_not_compile() {
    static_assertions::assert_not_impl_any!(Device: Memory);
    static_assertions::assert_not_impl_any!(Context: Memory);
    static_assertions::assert_not_impl_any!(Viewpoint<'static>: Memory);
    static_assertions::assert_not_impl_any!(u32: Memory);
    static_assertions::assert_not_impl_any!(DevicePtr<u32>: Memory);
    static_assertions::assert_not_impl_any!(str: Memory);
    static_assertions::assert_impl_all!(DeviceBuf<u32>: Memory);
}

#[test]
fn d_32_other_memory() {
    let two = Two::alike();
    let module = ".version 6.4 .target sm_50 .address_size 64 .visible .global .align 4 .u32 n = 7;";
    let variable = Module::from_ptx(&two.far, module).unwrap().global::<u32>("n").unwrap();
    let _access = two.near.peer_access(&two.far).unwrap();
    assert_eq!(look(&two.near, &variable), Inaccessible);
    assert_eq!(look(Viewpoint::Host, &variable), Inaccessible);
    assert_eq!(look(&own(1), &variable), Inaccessible);
    assert_eq!(look(&two.far, &variable), Accessible);
}

#[test]
fn every_row_has_a_test() {
    let mut rows = BTreeSet::new();
    for line in include_str!("rows.rs").split("#[test]\n").skip(1).map(|test| test.lines().next().unwrap()) {
        let mut words = line.trim().trim_start_matches("fn ").split('_').peekable();
        while words.next_if_eq(&"d").is_some() {
            rows.insert(words.next().unwrap().parse::<u32>().unwrap());
        }
    }
    assert_eq!(rows, (1..=32).collect());
}
