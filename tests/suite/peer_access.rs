//! Peer access through the safe layer: guards, counts, pools, and queries.

use crate::alone;
use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::peer::{AtomicOperation, P2pAttribute, PoolGrant};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};
use cuda_suite::{device, driver, reports, second_device, skip};
use cuda_sys::{CUresult, Symbol};
use std::thread;

/// A context of the first device, and one of the second, which it reaches.
fn pair() -> Option<(Context, Context)> {
    driver();
    let second = second_device().filter(|second| device().can_access_peer(*second).unwrap())?;
    let own = |device| Context::new(device, ContextFlags::default()).unwrap();
    Some((own(device()), own(second)))
}

macro_rules! pair {
    () => {
        match pair() {
            Some(pair) => pair,
            None => skip!("there are no two devices that reach each other"),
        }
    };
}

fn is_on(own: &Context, peer: &Context) -> bool {
    own.peer_access_state(peer).is_enabled().unwrap()
}

/// Enables access as another library does.
fn raw_enable(own: &Context, peer: &Context) -> CUresult {
    let _entered = own.enter().unwrap();
    // SAFETY: both are live.
    unsafe { cuda_sys::cuCtxEnablePeerAccess(peer.as_raw(), 0) }
}

fn raw_disable(own: &Context, peer: &Context) -> CUresult {
    let _entered = own.enter().unwrap();
    // SAFETY: both are live.
    unsafe { cuda_sys::cuCtxDisablePeerAccess(peer.as_raw()) }
}

const COPY: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry copy(.param .u64 to, .param .u64 from) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u64 %b, [from]; ld.global.u32 %r, [%b]; st.global.u32 [%a], %r; ret; }";

/// Returns the word that a kernel of `own` reads from a buffer of the peer.
fn read(own: &Context, theirs: &DeviceBuf<u32>) -> cuda_rt::Result<u32> {
    let stream = Stream::new(own)?;
    let ours = DeviceBuf::<u32>::zeroed(&stream, 1)?;
    let copy = Module::from_ptx(own, COPY)?.function("copy")?.typed::<(DevicePtr<u32>, DevicePtr<u32>)>()?;
    theirs.as_slice().to_vec()?;
    // SAFETY: one thread reads a word of one buffer and writes one of the other; the first is not written, and waited for.
    unsafe { copy.launch(LaunchConfig::new(1, 1), &stream, (ours.ptr(), theirs.ptr())) }?;
    Ok(ours.to_vec()?[0])
}

#[test]
fn kernels_use_peer_buffers_of_every_source() {
    let (own, peer) = pair!();
    let theirs = DeviceBuf::from_host(&Stream::new(&peer).unwrap(), &[42_u32]).unwrap();
    let pool = own.enable_peer_access(&peer).unwrap().pool;
    let has_pools = peer.device().memory_pools_supported().unwrap_or(false);
    assert_eq!(pool, if has_pools { PoolGrant::Granted } else { PoolGrant::NoPools });
    assert_eq!(read(&own, &theirs), Ok(42));
    let later = DeviceBuf::from_host(&Stream::new(&peer).unwrap(), &[43_u32]).unwrap();
    assert_eq!(read(&own, &later), Ok(43));
    own.disable_peer_access(&peer).unwrap();
}

#[test]
fn without_access_a_kernel_loses_the_process() {
    drop(pair!());
    alone("peer_access::without_access_a_kernel_loses_the_process", || {
        let (own, peer) = pair().unwrap();
        let theirs = DeviceBuf::from_host(&Stream::new(&peer).unwrap(), &[42_u32]).unwrap();
        let access = own.peer_access(&peer).unwrap();
        assert_eq!(read(&own, &theirs), Ok(42));
        access.close().unwrap();
        let error = read(&own, &theirs).unwrap_err();
        assert_eq!(error.code(), Some(Code::IllegalAddress));
        assert!(error.is_sticky());
        assert!(peer.synchronize().unwrap_err().is_sticky(), "the other device's context too");
        // Nothing panics or crashes from here on.
        assert!(own.enable_peer_access(&peer).unwrap_err().is_sticky());
        assert_eq!(own.peer_access_state(&peer).recorded(), None);
    });
}

#[test]
fn peer_access_goes_one_way() {
    let (own, peer) = pair!();
    own.enable_peer_access(&peer).unwrap();
    assert!(is_on(&own, &peer) && !is_on(&peer, &own));
    assert!(peer.enable_peer_access(&own).unwrap().changed);
    own.disable_peer_access(&peer).unwrap();
    assert!(!is_on(&own, &peer) && is_on(&peer, &own));
}

#[test]
fn enabling_twice_and_disabling_twice_change_nothing() {
    let (own, peer) = pair!();
    assert!(!own.disable_peer_access(&peer).unwrap());
    let first = own.enable_peer_access(&peer).unwrap();
    let second = own.enable_peer_access(&peer).unwrap();
    assert!(first.changed && !second.changed);
    assert_eq!(first.pool, second.pool);
    assert!(own.disable_peer_access(&peer).unwrap());
    assert!(!own.disable_peer_access(&peer).unwrap());
}

#[test]
fn a_context_is_no_peer_of_its_own_device() {
    driver();
    let own = || Context::new(device(), ContextFlags::default()).unwrap();
    let (first, second) = (own(), own());
    assert!(!first.enable_peer_access(&first).unwrap().changed);
    let refused = first.enable_peer_access(&second).unwrap_err();
    assert_eq!(refused.code(), Some(Code::PeerAccessUnsupported));
    for peer in [&first, &second] {
        assert!(!first.disable_peer_access(peer).unwrap());
        assert_eq!(is_on(&first, peer), peer == &first, "its own memory it has");
        assert!(
            first
                .peer_access(peer)
                .unwrap_err()
                .to_string()
                .contains("from device 0 to the memory of device 0")
        );
    }
}

#[test]
fn last_guard_disables_access() {
    let (own, peer) = pair!();
    let first = own.peer_access(&peer).unwrap();
    let second = own.peer_access(&peer).unwrap();
    drop(first);
    assert!(is_on(&own, &peer));
    drop(second);
    assert!(!is_on(&own, &peer));
}

#[test]
fn guard_leaves_earlier_access_enabled() {
    let (own, peer) = pair!();
    own.enable_peer_access(&peer).unwrap();
    drop(own.peer_access(&peer).unwrap());
    assert!(is_on(&own, &peer));
    own.disable_peer_access(&peer).unwrap();
    // By another library.
    assert!(raw_enable(&own, &peer).is_success());
    drop(own.peer_access(&peer).unwrap());
    assert!(is_on(&own, &peer));
}

#[test]
fn access_enabled_meanwhile_stays_enabled() {
    let (own, peer) = pair!();
    let guard = own.peer_access(&peer).unwrap();
    assert!(!own.enable_peer_access(&peer).unwrap().changed);
    drop(guard);
    assert!(is_on(&own, &peer));
    own.disable_peer_access(&peer).unwrap();
}

#[test]
fn disabled_access_leaves_guards_nothing_to_undo() {
    let (own, peer) = pair!();
    let told = reports(|| {
        let old = own.peer_access(&peer).unwrap();
        own.disable_peer_access(&peer).unwrap();
        assert!(!is_on(&own, &peer));
        let new = own.peer_access(&peer).unwrap();
        drop(old);
        assert!(is_on(&own, &peer), "the old one has nothing to do with it");
        drop(new);
        assert!(!is_on(&own, &peer));
    });
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn guard_undone_by_other_code_reports_it() {
    let (own, peer) = pair!();
    let guard = own.peer_access(&peer).unwrap();
    assert!(raw_disable(&own, &peer).is_success());
    let error = guard.close().unwrap_err();
    assert_eq!(error.code(), Some(Code::PeerAccessNotEnabled));
    let guard = own.peer_access(&peer).unwrap();
    assert!(raw_disable(&own, &peer).is_success());
    let told = reports(|| drop(guard));
    assert!(told.iter().any(|told| told.contains("PEER_ACCESS_NOT_ENABLED")), "{told:?}");
    assert!(own.enable_peer_access(&peer).unwrap().changed);
}

#[test]
#[allow(clippy::mem_forget)] // what the test is about
fn forgotten_guard_leaves_access_enabled() {
    let (own, peer) = pair!();
    std::mem::forget(own.peer_access(&peer).unwrap());
    drop(own.peer_access(&peer).unwrap());
    assert!(is_on(&own, &peer));
    own.disable_peer_access(&peer).unwrap();
}

#[test]
fn two_handles_to_one_context_share_the_count() {
    let (_, peer) = pair!();
    let (first, second) = (Context::primary(device()).unwrap(), Context::primary(device()).unwrap());
    let guard = first.peer_access(&peer).unwrap();
    assert_eq!(
        second.peer_access_state(&peer).recorded(),
        guard.context().peer_access_state(&peer).recorded()
    );
    let other = second.peer_access(&peer).unwrap();
    drop(guard);
    assert!(is_on(&first, &peer));
    drop(other);
    assert!(!is_on(&first, &peer));
}

#[test]
fn guards_of_both_directions_keep_earlier_access() {
    let (own, peer) = pair!();
    peer.enable_peer_access(&own).unwrap();
    let guards = [own.peer_access(&peer).unwrap(), peer.peer_access(&own).unwrap()];
    assert!(is_on(&own, &peer) && is_on(&peer, &own));
    drop(guards);
    assert!(!is_on(&own, &peer) && is_on(&peer, &own));
    peer.disable_peer_access(&own).unwrap();
}

#[test]
fn recorded_access_ends_with_the_context() {
    let (own, peer) = pair!();
    own.enable_peer_access(&peer).unwrap();
    assert!(own.peer_access_state(&peer).recorded().is_some());
    let device = own.device();
    drop(own);
    // Perhaps under the same handle.
    let again = Context::new(device, ContextFlags::default()).unwrap();
    assert_eq!(again.peer_access_state(&peer).recorded(), None);
    assert!(!is_on(&again, &peer));
    again.enable_peer_access(&peer).unwrap();
    drop(peer);
    let peer = Context::new(second_device().unwrap(), ContextFlags::default()).unwrap();
    assert_eq!(again.peer_access_state(&peer).recorded(), None);
    assert!(again.enable_peer_access(&peer).unwrap().changed);
}

/// In a process of its own: pools are the devices', not the test's.
#[test]
fn the_pool_is_closed_again_if_it_was_closed() {
    drop(pair!());
    if !cuda_sys::driver().unwrap().has(Symbol::cuMemPoolSetAccess) {
        skip!("the driver has no pools");
    }
    alone("peer_access::the_pool_is_closed_again_if_it_was_closed", || {
        let (own, peer) = pair().unwrap();
        if !peer.device().memory_pools_supported().unwrap() {
            return;
        }
        let mut pool = std::ptr::null_mut();
        // SAFETY: valid for a write.
        let found = unsafe { cuda_sys::cuDeviceGetDefaultMemPool(&raw mut pool, peer.device().as_raw()) };
        assert!(found.is_success());
        let is_open = || {
            let mut flags = cuda_sys::CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_NONE;
            let mut place = cuda_sys::CUmemLocation {
                type_: cuda_sys::CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE,
                __bindgen_anon_1: cuda_sys::CUmemLocation_st__bindgen_ty_1 { id: 0 },
            };
            // SAFETY: valid for a write and a read.
            let code = unsafe { cuda_sys::cuMemPoolGetAccess(&raw mut flags, pool, &raw mut place) };
            assert!(code.is_success());
            flags.0 == 3
        };
        let open_it = |flags| {
            let access = cuda_sys::CUmemAccessDesc {
                location: cuda_sys::CUmemLocation {
                    type_: cuda_sys::CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE,
                    __bindgen_anon_1: cuda_sys::CUmemLocation_st__bindgen_ty_1 { id: 0 },
                },
                flags,
            };
            // SAFETY: one element.
            assert!(unsafe { cuda_sys::cuMemPoolSetAccess(pool, &raw const access, 1) }.is_success());
        };
        assert!(!is_open());
        // Two contexts of the device have enabled access: they share the pool.
        let other = Context::new(own.device(), ContextFlags::default()).unwrap();
        let (first, second) = (own.peer_access(&peer).unwrap(), other.peer_access(&peer).unwrap());
        assert!(is_open());
        drop(first);
        assert!(is_open());
        drop(second);
        assert!(!is_open());
        own.enable_peer_access(&peer).unwrap();
        assert!(is_open());
        own.disable_peer_access(&peer).unwrap();
        assert!(!is_open());
        // With the context.
        other.enable_peer_access(&peer).unwrap();
        assert!(is_open());
        drop(other);
        assert!(!is_open());
        // Closed by the program while access is enabled: the next call opens the pool again.
        own.enable_peer_access(&peer).unwrap();
        let default = cuda_rt::memory::MemPool::default_of(peer.device()).unwrap();
        assert!(default.set_access(own.device(), cuda_rt::memory::AccessFlags::NONE).unwrap());
        assert!(!is_open());
        let again = own.enable_peer_access(&peer).unwrap();
        assert_eq!((again.changed, again.pool), (false, PoolGrant::Granted));
        assert!(is_open());
        own.disable_peer_access(&peer).unwrap();
        assert!(!is_open());
        // It was open before.
        open_it(cuda_sys::CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
        drop(own.peer_access(&peer).unwrap());
        assert!(is_open());
    });
}

#[test]
fn guards_are_dropped_anywhere() {
    let (own, peer) = pair!();
    let guard = own.peer_access(&peer).unwrap();
    thread::spawn({
        let (own, peer) = (own.clone(), peer.clone());
        move || {
            peer.push().unwrap();
            drop(guard);
            assert_eq!(Context::pop().unwrap(), peer.as_raw());
            assert!(!is_on(&own, &peer));
        }
    })
    .join()
    .unwrap();
}

#[test]
fn calls_leave_the_thread_as_it_was() {
    let (own, peer) = pair!();
    thread::spawn(move || {
        let before = |context: Option<&Context>| {
            assert_eq!(Context::current_raw().unwrap(), context.map(Context::as_raw));
        };
        for current in [None, Some(&own), Some(&peer)] {
            let _entered = current.map(|current| current.enter().unwrap());
            own.enable_peer_access(&peer).unwrap();
            before(current);
            own.disable_peer_access(&peer).unwrap();
            before(current);
            assert!(!own.disable_peer_access(&peer).unwrap());
            before(current);
            let guard = own.peer_access(&peer).unwrap();
            before(current);
            assert!(is_on(&own, &peer));
            before(current);
            drop(guard);
            before(current);
        }
    })
    .join()
    .unwrap();
}

#[test]
fn pairs_of_devices_report_their_capabilities() {
    driver();
    let Some(second) = second_device() else { skip!("there is one device") };
    let first = device();
    let capabilities = first.peer_capabilities(second).unwrap();
    assert_eq!(capabilities.access, first.can_access_peer(second).unwrap());
    for (attribute, value) in [
        (P2pAttribute::ACCESS_SUPPORTED, i32::from(capabilities.access)),
        (P2pAttribute::CUDA_ARRAY_ACCESS_SUPPORTED, i32::from(capabilities.array_access)),
        (P2pAttribute::NATIVE_ATOMIC_SUPPORTED, i32::from(capabilities.native_atomics)),
        (P2pAttribute::PERFORMANCE_RANK, capabilities.performance_rank),
    ] {
        assert_eq!(first.p2p_attribute(attribute, second), Ok(value), "{attribute}");
    }
    let unknown = first.p2p_attribute(P2pAttribute(99), second).unwrap_err();
    assert!(unknown.to_string().ends_with(": attribute P2pAttribute(99)"), "{unknown}");
    let itself = first.p2p_attribute(P2pAttribute::ACCESS_SUPPORTED, first).unwrap_err();
    assert_eq!(itself.code(), Some(Code::InvalidDevice));
    assert!(first.peer_capabilities(first).is_err());
    assert!(!first.can_access_peer(first).unwrap());
}

#[test]
fn atomic_operations_are_told_where_the_driver_can() {
    driver();
    let all: Vec<AtomicOperation> = AtomicOperation::all().collect();
    let first = device();
    if !cuda_sys::driver().unwrap().has(Symbol::cuDeviceGetP2PAtomicCapabilities) {
        assert!(first.host_atomic_capabilities(&all).is_err());
        skip!("the driver does not tell");
    }
    assert_eq!(first.host_atomic_capabilities(&all).unwrap().len(), 13);
    assert_eq!(first.host_atomic_capabilities(&[]), Ok(Vec::new()), "the driver would refuse");
    let error = first.host_atomic_capabilities(&[AtomicOperation(99)]).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    if let Some(second) = second_device() {
        assert_eq!(first.p2p_atomic_capabilities(&all, second).unwrap().len(), 13);
        let itself = first.p2p_atomic_capabilities(&all, first).unwrap_err();
        assert_eq!(itself.code(), Some(Code::InvalidDevice));
    }
}

/// The original question: both directions, each with its own context current.
#[test]
fn contexts_enable_access_direction_by_direction() {
    let (own, peer) = pair!();
    let (first, second): (Device, Device) = (own.device(), peer.device());
    assert!(first.can_access_peer(second).unwrap() && second.can_access_peer(first).unwrap());
    // With any current context.
    let _entered = peer.enter().unwrap();
    own.enable_peer_access(&peer).unwrap();
    assert!(is_on(&own, &peer));
    assert!(!is_on(&peer, &own));
}
