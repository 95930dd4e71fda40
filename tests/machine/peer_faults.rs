//! Peer access when calls fail, when its contexts end, and when other code changes it. Only the software driver can produce these
//! situations.

#![allow(clippy::unwrap_used)]
#![allow(unsafe_code)] // what others do

use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::peer::PoolGrant;
use cuda_rt::{Context, Device, DeviceBuf, Error, Module, Stream};
use cuda_sim::{Config, FaultRule, Machine, PeerLink, Schedule};
use cuda_suite::raw::machine;
use cuda_suite::{apart, invalid, reports};
use cuda_sys::{CUresult, Symbol};

const REFUSED: CUresult = CUresult::CUDA_ERROR_OUT_OF_MEMORY;

fn own(device: u32) -> Context {
    Context::new(Device::get(device).unwrap(), ContextFlags::default()).unwrap()
}

fn pair() -> (Context, Context) {
    (own(0), own(1))
}

fn open_pools() -> usize {
    Machine::current().live().pool_grants
}

#[test]
fn guard_that_fails_leaves_access_to_the_next() {
    let (machine, _entered) = machine(Config::default());
    let ((first, peer), other) = (pair(), own(0));
    let (guard, others) = (first.peer_access(&peer).unwrap(), other.peer_access(&peer).unwrap());
    machine.inject(FaultRule::new(Symbol::cuCtxPushCurrent_v2, REFUSED).times(2));
    assert_eq!(guard.close().unwrap_err().code(), Some(Code::OutOfMemory));
    assert!(first.peer_access_state(&peer).is_enabled().unwrap());
    others.close().unwrap();
    assert_eq!(open_pools(), 1, "for the access that is still on");
    // The next guard finds access on, and knows that this crate enabled it.
    first.peer_access(&peer).unwrap().close().unwrap();
    assert!(!first.peer_access_state(&peer).is_enabled().unwrap());
    assert_eq!(open_pools(), 0);
}

#[test]
fn failed_pool_access_revocation_is_retried() {
    let (machine, _entered) = machine(Config::default());
    let (own, peer) = pair();
    let guard = own.peer_access(&peer).unwrap();
    machine.inject(FaultRule::new(Symbol::cuMemPoolSetAccess, REFUSED).times(1));
    assert_eq!(guard.close().unwrap_err().call().unwrap(), "cuMemPoolSetAccess");
    assert_eq!(open_pools(), 1);
    own.peer_access(&peer).unwrap().close().unwrap();
    assert_eq!(open_pools(), 0);
}

#[test]
fn pool_that_cannot_be_opened_is_reported() {
    let (machine, _entered) = machine(Config::default());
    let (own, peer) = pair();
    let rule = FaultRule::new(Symbol::cuMemPoolSetAccess, CUresult::CUDA_ERROR_NOT_SUPPORTED);
    machine.inject(rule.times(1));
    let guard = own.peer_access(&peer).unwrap();
    assert!(matches!(guard.pool(), PoolGrant::Refused(Code::NotSupported)));
    assert_eq!(own.peer_access_state(&peer).recorded(), Some(guard.pool()));
    drop(guard);
    machine.inject(FaultRule::new(Symbol::cuMemPoolSetAccess, REFUSED).times(1));
    assert_eq!(own.enable_peer_access(&peer).unwrap_err().call().unwrap(), "cuMemPoolSetAccess");
    assert_eq!((machine.live().peers, open_pools()), (0, 0), "as it was before");
}

/// Treating `CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED` as success is right for memory of pools, too.
#[test]
fn access_enabled_by_other_code_opens_the_pool() {
    let (_machine, _entered) = machine(Config::default());
    let (own, peer) = pair();
    {
        let _current = own.enter().unwrap();
        // SAFETY: both are live.
        assert!(unsafe { cuda_sys::cuCtxEnablePeerAccess(peer.as_raw(), 0) }.is_success());
    }
    assert!(!own.enable_peer_access(&peer).unwrap().changed);
    assert_eq!((own.peer_access_state(&peer).recorded(), open_pools()), (Some(PoolGrant::Granted), 1));
}

#[test]
fn failed_second_direction_leaves_the_first_alone() {
    let (machine, _entered) = machine(Config::default());
    let (own, peer) = pair();
    let guard = own.peer_access(&peer).unwrap();
    let fails = || {
        let rule = FaultRule::new(Symbol::cuCtxEnablePeerAccess, CUresult::CUDA_ERROR_TOO_MANY_PEERS);
        machine.inject(rule.skip(1).times(1));
        let _first = own.peer_access(&peer).unwrap();
        peer.peer_access(&own).unwrap_err().code()
    };
    assert_eq!(fails(), Some(Code::TooManyPeers));
    assert!(own.peer_access_state(&peer).is_enabled().unwrap());
    drop(guard);
    assert!(
        !own.peer_access_state(&peer).is_enabled().unwrap(),
        "the failure did not make the access permanent"
    );
    assert_eq!(fails(), Some(Code::TooManyPeers));
    assert_eq!((machine.live().peers, open_pools()), (0, 0));
}

#[test]
fn foreign_context_is_forgotten_with_its_owner() {
    let (_machine, _entered) = machine(Config::default());
    let peer = own(1);
    let mut raw = std::ptr::null_mut();
    // SAFETY: valid for a write.
    assert!(unsafe { cuda_sys::cuCtxCreate_v2(&raw mut raw, 0, 0) }.is_success());
    assert_eq!(Context::pop().unwrap(), raw);
    /// Destroys the context.
    struct Owner(usize);
    impl Drop for Owner {
        fn drop(&mut self) {
            // SAFETY: it is this value's.
            let gone = unsafe { cuda_sys::cuCtxDestroy_v2(std::ptr::without_provenance_mut(self.0)) };
            assert!(gone.is_success());
        }
    }
    // SAFETY: live as long as its owner.
    let theirs = unsafe { Context::from_raw_with_owner(raw, Box::new(Owner(raw.addr()))) }.unwrap();
    theirs.enable_peer_access(&peer).unwrap();
    assert_eq!(open_pools(), 1);
    drop(theirs);
    assert_eq!(open_pools(), 0);
}

#[test]
fn reset_primary_context_differs_from_its_successor() {
    let (machine, _entered) = machine(Config::default());
    let (device, peer) = (Device::get(0).unwrap(), own(1));
    let before = Context::primary(device).unwrap();
    before.enable_peer_access(&peer).unwrap();
    // SAFETY: nothing was made in it.
    unsafe { device.reset_primary_context() }.unwrap();
    let after = Context::primary(device).unwrap();
    assert_eq!(after.peer_access_state(&peer).recorded(), None);
    drop(before);
    let guard = after.peer_access(&peer).unwrap();
    assert_eq!(machine.live().peers, 1);
    drop(guard);
    assert_eq!((machine.live().peers, open_pools()), (0, 0));
}

/// Revoking access to a pool would invalidate a capture, unless the thread's mode is relaxed
/// (conformance fact V919).
#[test]
fn context_end_revokes_pools_in_relaxed_mode() {
    // Otherwise the recorded calls would include queries of other tests' copies.
    apart("context_end_revokes_pools_in_relaxed_mode", || {
        let (machine, _entered) = machine(Config::default());
        let (own, peer) = pair();
        own.enable_peer_access(&peer).unwrap();
        machine.record_calls();
        drop(own);
        let calls: Vec<Symbol> = machine.take_calls().into_iter().map(|call| call.function).collect();
        let mode = Symbol::cuThreadExchangeStreamCaptureMode;
        assert_eq!(calls, [mode, Symbol::cuCtxDestroy_v2, Symbol::cuMemPoolSetAccess, mode]);
    });
}

/// The hook runs after the thread's state is restored, because it may change the current context.
#[test]
fn hook_that_changes_current_context_is_harmless() {
    let (machine, _entered) = machine(Config::default());
    let (own, other) = pair();
    // Frees on the legacy stream are delayed while the driver reports that it is being captured.
    let captured = CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    let stream = Stream::legacy(&own);
    let buffers: Vec<_> = (0..4).map(|_| DeviceBuf::<u32>::uninit(&stream, 4).unwrap()).collect();
    machine.inject(FaultRule::new(Symbol::cuStreamIsCapturing, captured));
    drop(buffers);
    machine.clear_faults();
    assert_eq!(machine.live().pool_allocations, 4);
    machine.inject(FaultRule::new(Symbol::cuMemFreeAsync, REFUSED).times(2));
    machine.record_calls();
    static OTHER: std::sync::Mutex<Option<Context>> = std::sync::Mutex::new(None);
    *OTHER.lock().unwrap() = Some(other.clone());
    let handle = own.as_raw().addr();
    let told = reports(|| {
        let before = cuda_rt::handle::set_drop_hook(|_: &Error| {
            let other = OTHER.lock().unwrap();
            other.as_ref().unwrap().push().unwrap();
        });
        drop(stream);
        before.restore();
    });
    assert!(told.is_empty());
    for call in machine.take_calls() {
        if call.function == Symbol::cuMemFreeAsync {
            assert_eq!(call.context, Some(handle), "in the stream's own context");
        }
    }
    while Context::pop().is_ok() {}
    OTHER.lock().unwrap().take();
}

/// Disabling access waits for a copy in flight, no matter which library disables it.
#[test]
fn copies_between_devices_are_waited_for() {
    let (_machine, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    let (own, peer) = pair();
    let source = DeviceBuf::from_host(&Stream::new(&peer).unwrap(), &[1_u32, 2, 3]).unwrap();
    let mut copy = DeviceBuf::<u32>::zeroed(&Stream::new(&own).unwrap(), 3).unwrap();
    own.enable_peer_access(&peer).unwrap();
    copy.copy_from_device(source.as_slice()).unwrap();
    assert!(own.disable_peer_access(&peer).unwrap());
    drop(source);
    assert_eq!(copy.to_vec().unwrap(), [1, 2, 3]);
}

#[test]
fn a_guard_and_a_context_wait_for_copies_too() {
    for by_guard in [true, false] {
        let (_machine, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
        let ((own, peer), third) = (pair(), self::own(0));
        let source = DeviceBuf::from_host(&Stream::new(&peer).unwrap(), &[1_u32, 2, 3]).unwrap();
        let mut copy = DeviceBuf::<u32>::zeroed(&Stream::new(&own).unwrap(), 3).unwrap();
        // The pool is open because of another context of the device.
        let guard = by_guard.then(|| third.peer_access(&peer).unwrap());
        if !by_guard {
            third.enable_peer_access(&peer).unwrap();
        }
        copy.copy_from_device(source.as_slice()).unwrap();
        drop(guard);
        drop(third);
        assert_eq!(open_pools(), 0);
        assert_eq!(copy.to_vec().unwrap(), [1, 2, 3]);
    }
}

const REFERENCES: &str = ".version 7.0 .target sm_50 .address_size 64 .global .texref t; .global .surfref s;";

fn line(stream: &Stream) -> Array {
    let line = ArrayDescriptor::line(4, ArrayFormat::FLOAT, 1);
    Array::new(stream, ArrayDescriptor { flags: ArrayFlags::SURFACE_LDST, ..line }).unwrap()
}

/// Devices may have access to each other's memory and not to arrays.
#[test]
fn arrays_without_access_are_not_bound() {
    let peer_link = PeerLink { arrays: false, ..PeerLink::NVLINK };
    let (machine, _entered) = machine(Config { peer_link, ..Config::default() });
    let (own, peer) = pair();
    own.enable_peer_access(&peer).unwrap();
    let array = line(&Stream::new(&peer).unwrap());
    let module = Module::from_ptx(&own, REFERENCES).unwrap();
    let (texture, surface) = (module.tex_ref("t").unwrap(), module.surf_ref("s").unwrap());
    machine.record_calls();
    for refused in [texture.set_array(&array), surface.set_array(&array)] {
        assert_eq!(refused.unwrap_err(), invalid("device 0 has no access to arrays of device 1;"));
    }
    let binds = |call: &cuda_sim::CallRecord| call.function.name().contains("RefSetArray");
    assert!(!machine.take_calls().iter().any(binds), "the driver was not asked");
}

/// If it is not known whether kernels have ended, the resources that they sample stay for ever, and so does access to them.
#[test]
fn resource_that_a_kernel_may_sample_stays() {
    let (machine, _entered) = machine(Config::default());
    let (own, peer) = pair();
    let access = own.peer_access(&peer).unwrap();
    let module = Module::from_ptx(&own, REFERENCES).unwrap();
    let reference = module.tex_ref("t").unwrap();
    reference.set_array(&line(&Stream::new(&peer).unwrap())).unwrap();
    machine.inject(FaultRule::new(Symbol::cuMemAlloc_v2, REFUSED).times(1));
    machine.inject(FaultRule::new(Symbol::cuCtxSynchronize, REFUSED).times(2));
    let next = line(&Stream::new(&own).unwrap());
    let told = reports(|| reference.set_array(&next).unwrap());
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[1].starts_with("cuCtxSynchronize"), "{told:?}");
    assert_eq!(machine.live().arrays, 2);
    drop((access, reference, module, next));
    assert_eq!(machine.live().arrays, 1);
    assert!(own.peer_access_state(&peer).is_enabled().unwrap());
    let refused = own.disable_peer_access(&peer).unwrap_err();
    assert_eq!(
        refused,
        invalid("1 texture or surface objects or references of this context still use memory of the peer;")
    );
}

/// Access to memory does not include access to arrays.
#[test]
fn arrays_are_a_capability_of_their_own() {
    use cuda_rt::TexObject;
    use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat};
    use cuda_rt::surface::SurfObject;
    use cuda_rt::texture::{TextureDescriptor, TextureResource};
    use cuda_sim::PeerLink;

    let peer_link = PeerLink { arrays: false, ..PeerLink::NVLINK };
    let (_machine, _entered) = machine(Config { peer_link, ..Config::default() });
    let (own, peer) = pair();
    own.enable_peer_access(&peer).unwrap();
    let stream = Stream::new(&peer).unwrap();
    let plane = ArrayDescriptor::plane(4, 4, ArrayFormat::FLOAT, 1);
    let array = ArrayDescriptor { flags: ArrayFlags::SURFACE_LDST, ..plane };
    let array = Array::new(&stream, array).unwrap();
    let how = TextureDescriptor::default();
    let error = TexObject::new(&own, &array, &how).unwrap_err();
    assert_eq!(error, invalid("device 0 has no access to arrays of device 1;"));
    assert_eq!(error.to_string(), "array: device 0 has no access to arrays of device 1; copy it to device 0");
    assert_eq!(SurfObject::new(&own, &array).unwrap_err(), error);
    let buffer = DeviceBuf::from_host(&stream, &[1.0_f32]).unwrap();
    let line = TextureResource::linear(std::sync::Arc::new(buffer), ArrayFormat::FLOAT, 1);
    TexObject::new(&own, line, &how).unwrap().close().unwrap();
    own.disable_peer_access(&peer).unwrap();
}
