//! Peer access as a state, set by this crate or by another library, and the access of each viewpoint that follows from it.

use super::*;
use crate::rows::pool;
use cuda_rt::memory::{AccessFlags, MemPool, MemPoolOptions};
use cuda_sim::HandleReuse;
use cuda_suite::call;
use cuda_sys::*;

fn default_pool(number: u32) -> MemPool {
    MemPool::default_of(device(number)).unwrap()
}

/// As other libraries do it.
fn turn_on_behind_its_back(near: &Context, far: &Context) {
    let _entered = near.enter().unwrap();
    call!(cuCtxEnablePeerAccess(far.as_raw(), 0));
}

fn turn_off_behind_its_back(near: &Context, far: &Context) {
    let _entered = near.enter().unwrap();
    call!(cuCtxDisablePeerAccess(far.as_raw()));
}

#[test]
fn setting_peer_access_twice_changes_nothing() {
    let two = Two::alike();
    let (near, far) = (&two.near, &two.far);
    for (own, peer) in [(near, far), (far, near), (near, far)] {
        assert!(own.peer_access_state(peer).is_supported().unwrap());
        assert!(!own.peer_access_state(peer).is_enabled().unwrap());
        assert!(!own.disable_peer_access(peer).unwrap());
        assert!(own.enable_peer_access(peer).unwrap().changed);
        assert!(!own.enable_peer_access(peer).unwrap().changed);
        assert!(own.peer_access_state(peer).is_enabled().unwrap());
        assert!(!peer.peer_access_state(own).is_enabled().unwrap(), "it goes one way");
        assert!(default_pool(peer.device().as_raw().try_into().unwrap()).has_access(own.device()).unwrap());
        assert!(own.disable_peer_access(peer).unwrap());
        assert!(!own.disable_peer_access(peer).unwrap());
        assert!(!own.peer_access_state(peer).is_enabled().unwrap());
        assert_eq!(two.machine.live().pool_grants, 0);
    }
}

#[test]
fn a_context_always_has_access_to_itself() {
    for make in [Two::alike as fn() -> Two, Two::apart] {
        let two = make();
        two.machine.record_calls();
        assert!(two.near.peer_access_state(&two.near).is_supported().unwrap());
        assert!(!two.near.enable_peer_access(&two.near).unwrap().changed);
        assert!(!two.near.disable_peer_access(&two.near).unwrap());
        assert!(two.near.peer_access_state(&two.near).is_enabled().unwrap());
        assert_eq!(two.machine.take_calls(), []);
    }
}

#[test]
fn unsupported_access_can_only_be_disabled() {
    let two = Two::apart();
    let other = own(0);
    for peer in [&two.far, &other] {
        assert!(!two.near.peer_access_state(peer).is_supported().unwrap());
        assert!(!two.near.peer_access_state(peer).is_enabled().unwrap());
        assert!(!two.near.disable_peer_access(peer).unwrap());
        let error = two.near.enable_peer_access(peer).unwrap_err();
        assert_eq!(error.code(), Some(Code::PeerAccessUnsupported), "{error}");
        assert!(error.to_string().contains("cuCtxEnablePeerAccess"), "{error}");
    }
    let pool = pool(1);
    assert!(!pool.can_have_access(device(0)).unwrap());
    assert!(!pool.has_access(device(0)).unwrap());
    assert!(!pool.set_access(device(0), AccessFlags::NONE).unwrap());
    let error = pool.set_access(device(0), AccessFlags::READ_WRITE).unwrap_err();
    assert!(error.to_string().contains("cuMemPoolSetAccess"), "{error}");
    assert!(!pool.has_access(device(0)).unwrap());
}

#[test]
fn peer_access_changed_by_other_code_is_noticed() {
    let two = Two::alike();
    let (near, far) = (&two.near, &two.far);
    turn_on_behind_its_back(near, far);
    assert!(near.peer_access_state(far).is_enabled().unwrap());
    assert!(!near.enable_peer_access(far).unwrap().changed, "it was on");
    assert!(near.disable_peer_access(far).unwrap());
    assert!(!near.peer_access_state(far).is_enabled().unwrap());

    assert!(near.enable_peer_access(far).unwrap().changed);
    turn_off_behind_its_back(near, far);
    assert!(!near.peer_access_state(far).is_enabled().unwrap());
    assert!(near.enable_peer_access(far).unwrap().changed);
    turn_off_behind_its_back(near, far);
    assert!(!near.disable_peer_access(far).unwrap(), "it was off");
    assert!(near.enable_peer_access(far).unwrap().changed);
    assert_eq!(seen_by_kernel(near, plain(far).ptr()), Ok(7));
}

/// The pool cannot be opened, so access is turned off again: it is not recorded, not even if others had it on once.
#[test]
fn access_that_fails_to_enable_is_not_recorded() {
    let two = Two::alike();
    let (near, far, memory) = (&two.near, &two.far, plain(&two.far));
    turn_on_behind_its_back(near, far);
    assert_eq!(access(near, &memory).unwrap(), Access::Accessible);
    turn_off_behind_its_back(near, far);
    let refusal = cuda_sim::FaultRule::new(Symbol::cuMemPoolSetAccess, CUresult::CUDA_ERROR_OUT_OF_MEMORY);
    two.machine.inject(refusal.times(1));
    assert_eq!(near.enable_peer_access(far).unwrap_err().code(), Some(Code::OutOfMemory));
    assert_eq!(recorded_access(near, &memory).unwrap(), Access::Inaccessible);
    assert_eq!(access(near, &memory).unwrap(), Access::Inaccessible);
}

#[test]
fn setting_access_to_a_pool_twice_changes_nothing() {
    let two = Two::alike();
    for pool in [pool(1), default_pool(1)] {
        for _ in 0..2 {
            assert!(pool.can_have_access(device(0)).unwrap());
            assert!(!pool.has_access(device(0)).unwrap());
            assert!(!pool.set_access(device(0), AccessFlags::NONE).unwrap());
            assert!(pool.set_access(device(0), AccessFlags::READ_WRITE).unwrap());
            assert!(!pool.set_access(device(0), AccessFlags::READ_WRITE).unwrap());
            assert!(pool.has_access(device(0)).unwrap());
            assert_eq!(pool.access(device(0)).unwrap(), AccessFlags::READ_WRITE);
            assert!(!default_pool(0).has_access(device(1)).unwrap(), "it goes one way");
            assert!(pool.set_access(device(0), AccessFlags::NONE).unwrap());
            assert!(!pool.set_access(device(0), AccessFlags::NONE).unwrap());
        }
        // The pool's own device has access.
        assert!(pool.can_have_access(device(1)).unwrap());
        assert!(!pool.set_access(device(1), AccessFlags::READ_WRITE).unwrap());
        let error = pool.set_access(device(1), AccessFlags::NONE).unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidDevice), "{error}");
        assert!(pool.has_access(device(1)).unwrap());
    }
    let _ = two;
}

#[test]
fn pool_access_changed_by_other_code_is_noticed() {
    let two = Two::alike();
    let pool = pool(1);
    let set = |flags| {
        let location = CUmemLocation {
            type_: CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE,
            __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 { id: 0 },
        };
        let access = CUmemAccessDesc { location, flags };
        call!(cuMemPoolSetAccess(pool.as_raw(), &raw const access, 1));
    };
    let memory = buffer(&two.far, &pool);
    let recorded = || recorded_access(&two.near, &memory).unwrap();
    set(CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    assert_eq!(recorded(), Access::Inaccessible, "there was no query");
    assert!(pool.has_access(device(0)).unwrap());
    assert_eq!(recorded(), Access::Accessible);
    assert!(!pool.set_access(device(0), AccessFlags::READ_WRITE).unwrap());
    set(CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_NONE);
    assert!(!pool.has_access(device(0)).unwrap());
    assert_eq!(recorded(), Access::Inaccessible);
    assert!(pool.set_access(device(0), AccessFlags::READ_WRITE).unwrap());
    assert_eq!(recorded(), Access::Accessible);
}

#[test]
fn places_by_pools() {
    let two = Two::alike();
    let (near, far) = (&two.near, &two.far);
    let sees = |place: Viewpoint<'_>, other: Viewpoint<'_>| place.usually_reaches(other).unwrap();
    assert!(sees(Viewpoint::Host, Viewpoint::Host));
    assert!(sees(near.into(), near.into()));
    assert!(!sees(Viewpoint::Host, near.into()));
    assert!(!sees(near.into(), Viewpoint::Host));
    assert!(!sees(near.into(), far.into()) && !sees(far.into(), near.into()));
    // Another context of the device has its pools.
    assert!(sees(near.into(), (&own(0)).into()));
    // Peer access without access to the pool does not include memory from the default pool.
    turn_on_behind_its_back(near, far);
    assert!(!sees(near.into(), far.into()));
    assert!(default_pool(1).set_access(device(0), AccessFlags::READ_WRITE).unwrap());
    assert!(sees(near.into(), far.into()));
    assert!(!sees(far.into(), near.into()));
    turn_off_behind_its_back(near, far);
    assert!(sees(near.into(), far.into()));
    assert_eq!(look(near, &pooled(far)), Access::Accessible);
    // A pool that the program has made does not count.
    assert!(default_pool(1).set_access(device(0), AccessFlags::NONE).unwrap());
    assert!(pool(1).set_access(device(0), AccessFlags::READ_WRITE).unwrap());
    assert!(!sees(near.into(), far.into()));
}

#[test]
fn places_without_pools() {
    let without = h200(&[(MEMORY_POOLS, 0)]);
    let two = Two::new(vec![Profile::H200, without]);
    let (near, far) = (Viewpoint::from(&two.near), Viewpoint::from(&two.far));
    assert!(!near.usually_reaches(far).unwrap() && !far.usually_reaches(near).unwrap());
    assert!(two.near.enable_peer_access(&two.far).unwrap().changed);
    assert!(near.usually_reaches(far).unwrap());
    assert_eq!(look(&two.near, &pooled(&two.far)), Access::Accessible, "the usual memory there");
    // The pools of the owner count.
    assert!(!far.usually_reaches(near).unwrap());
    turn_on_behind_its_back(&two.far, &two.near);
    assert!(!far.usually_reaches(near).unwrap());
    assert!(!far.usually_reaches(&own(1)).unwrap(), "another context of the device");
    assert!(far.usually_reaches(&two.far).unwrap());
}

#[test]
fn places_by_the_host() {
    for pageable in EITHER {
        let two = Two::new(vec![h200(&[(PAGEABLE_MEMORY_ACCESS, pageable.into())]), Profile::H200]);
        assert_eq!(Viewpoint::from(&two.near).usually_reaches(Viewpoint::Host).unwrap(), pageable);
        assert!(!Viewpoint::from(&two.far).usually_reaches(Viewpoint::Host).unwrap());
        assert!(!Viewpoint::Host.usually_reaches(&two.near).unwrap());
    }
    // Pinned memory is not the usual memory of the host.
    let two = Two::alike();
    let pinned = cuda_rt::PinnedBuf::<u8>::zeroed(&two.near, 1).unwrap();
    assert!(can_access(&two.near, &pinned).unwrap());
    assert!(!Viewpoint::from(&two.near).usually_reaches(Viewpoint::Host).unwrap());
}

#[test]
fn a_pool_does_not_inherit_access() {
    let two = Two::of(Config { handles: HandleReuse::AtOnce, ..Config::default() });
    let first = pool(1);
    let address = first.as_raw();
    first.set_access(device(0), AccessFlags::READ_WRITE).unwrap();
    assert_eq!(recorded_access(&two.near, &buffer(&two.far, &first)).unwrap(), Access::Accessible);
    first.close().unwrap();
    let again: Vec<_> = (0..8).map(|_| MemPool::new(device(1), MemPoolOptions::new()).unwrap()).collect();
    assert!(again.iter().any(|pool| pool.as_raw() == address), "handles are used again");
    for pool in again {
        let memory = buffer(&two.far, &pool);
        assert_eq!(recorded_access(&two.near, &memory).unwrap(), Access::Inaccessible);
        assert_eq!(look(&two.near, &memory), Access::Inaccessible);
    }
}

#[test]
fn a_context_does_not_inherit_access() {
    // Access was found on, or enabled. Then the consumer ends, or the owner.
    for found in EITHER {
        for consumer_ends in EITHER {
            let two = Two::of(Config { handles: HandleReuse::AtOnce, ..Config::default() });
            let (near, far) = (own(0), own(1));
            if found {
                turn_on_behind_its_back(&near, &far);
                assert!(near.peer_access_state(&far).is_enabled().unwrap());
            } else {
                assert!(near.enable_peer_access(&far).unwrap().changed);
            }
            assert_eq!(recorded_access(&near, &plain(&far)).unwrap(), Access::Accessible);
            let (ends, stays) = if consumer_ends { (near, far) } else { (far, near) };
            let (address, number) = (ends.as_raw(), u32::from(!consumer_ends));
            ends.close().unwrap();
            let again: Vec<_> = (0..8).map(|_| own(number)).collect();
            assert!(again.iter().any(|context| context.as_raw() == address), "handles are used again");
            for context in &again {
                let (near, far) = if consumer_ends { (context, &stays) } else { (&stays, context) };
                let memory = plain(far);
                assert_eq!(recorded_access(near, &memory).unwrap(), Access::Inaccessible);
                assert_eq!(look(near, &memory), Access::Inaccessible);
                assert!(!near.peer_access_state(far).is_enabled().unwrap());
            }
            let _ = &two.machine;
        }
    }
}

/// The record belongs to the process.
#[test]
fn a_machine_does_not_inherit_access() {
    for _ in 0..4 {
        let two = Two::of(Config { handles: HandleReuse::AtOnce, ..Config::default() });
        let memory = pooled(&two.far);
        assert_eq!(recorded_access(&two.near, &memory).unwrap(), Access::Inaccessible);
        assert!(default_pool(1).set_access(device(0), AccessFlags::READ_WRITE).unwrap());
        assert_eq!(recorded_access(&two.near, &memory).unwrap(), Access::Accessible);
    }
}
