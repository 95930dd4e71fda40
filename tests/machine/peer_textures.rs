//! Access that textures and surfaces keep, when calls fail and other threads and libraries turn it on and off.

#![allow(clippy::unwrap_used)]
#![allow(unsafe_code)] // what others do

use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat, MipmappedArray};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::peer::PoolGrant;
use cuda_rt::surface::SurfObject;
use cuda_rt::texture::TextureDescriptor;
use cuda_rt::{Context, Device, DeviceBuf, Module, Stream, TexObject};
use cuda_sim::{Config, FaultRule};
use cuda_suite::invalid;
use cuda_suite::raw::machine;
use cuda_sys::{CUresult, Symbol};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const REFUSED: CUresult = CUresult::CUDA_ERROR_OUT_OF_MEMORY;

fn pair() -> (Context, Context) {
    let own = |device| Context::new(Device::get(device).unwrap(), ContextFlags::default()).unwrap();
    (own(0), own(1))
}

fn plane() -> ArrayDescriptor {
    ArrayDescriptor::plane(8, 8, ArrayFormat::FLOAT, 1).with_flags(ArrayFlags::SURFACE_LDST)
}

fn levels(stream: &Stream) -> MipmappedArray {
    MipmappedArray::new(stream, plane(), 3).unwrap()
}

fn texture(consumer: &Context, levels: &MipmappedArray) -> cuda_rt::Result<TexObject> {
    TexObject::new(consumer, levels, &TextureDescriptor::default())
}

/// One thread turns access on, cannot open the pool, and waits for copies before it turns access off again. Meanwhile another
/// has asked for it.
#[test]
fn access_enabled_by_other_code_stays() {
    let (machine, _entered) = machine(Config::default());
    let (consumer, owner) = pair();
    let (own, peers) = (Stream::new(&consumer).unwrap(), Stream::new(&owner).unwrap());
    let from = DeviceBuf::<u8>::zeroed(&peers, 64).unwrap();
    let mut to = DeviceBuf::<u8>::zeroed(&own, 64).unwrap();
    to.as_slice_mut().copy_from_device(from.as_slice()).unwrap();
    machine.record_calls();
    machine.inject(FaultRule::new(Symbol::cuMemPoolSetAccess, REFUSED).times(1));
    // The copy takes a while.
    machine.inject(FaultRule::new(Symbol::cuEventQuery, CUresult::CUDA_ERROR_NOT_READY).times(500));
    let (guard, object) = thread::scope(|scope| {
        let first = scope.spawn(|| {
            let _entered = machine.enter();
            consumer.peer_access(&owner).map(drop).unwrap_err().code()
        });
        while !machine.take_calls().iter().any(|call| call.function == Symbol::cuMemPoolSetAccess) {
            thread::yield_now();
        }
        let guard = consumer.peer_access(&owner).unwrap();
        let object = texture(&consumer, &levels(&peers)).unwrap();
        assert_eq!(first.join().unwrap(), Some(Code::OutOfMemory));
        (guard, object)
    });
    assert!(consumer.peer_access_state(&owner).is_enabled().unwrap());
    drop((guard, object));
    assert!(!consumer.peer_access_state(&owner).is_enabled().unwrap());
}

/// A query of the access enables and disables it. An object that is made meanwhile must not depend on it.
#[test]
fn access_query_does_not_affect_new_objects() {
    let (machine, _entered) = machine(Config::default());
    let (consumer, owner) = pair();
    let stream = Stream::new(&owner).unwrap();
    let array = Array::new(&stream, plane()).unwrap();
    let module = ".version 7.0 .target sm_50 .address_size 64 .global .texref image; .global .surfref plane;";
    let module = Module::from_ptx(&consumer, module).unwrap();
    let (reference, surface) = (module.tex_ref("image").unwrap(), module.surf_ref("plane").unwrap());
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let _entered = machine.enter();
            while !done.load(Ordering::Relaxed) {
                assert!(!consumer.peer_access_state(&owner).is_enabled().unwrap());
            }
        });
        for _ in 0..2000 {
            let off = Some(Code::PeerAccessNotEnabled);
            let object = TexObject::new(&consumer, &array, &TextureDescriptor::default());
            assert_eq!(object.unwrap_err().code(), off);
            assert_eq!(SurfObject::new(&consumer, &array).unwrap_err().code(), off);
            assert_eq!(reference.set_array(&array).unwrap_err().code(), off);
            assert_eq!(surface.set_array(&array).unwrap_err().code(), off);
        }
        done.store(true, Ordering::Relaxed);
    });
}

/// The driver crashes on an object with levels of a peer without access (measured): what is recorded is not enough.
#[test]
fn recorded_access_is_restored_before_its_use() {
    let (machine, _entered) = machine(Config::default());
    let (consumer, owner) = pair();
    let stream = Stream::new(&owner).unwrap();
    consumer.enable_peer_access(&owner).unwrap();
    // The call fails after its work.
    machine.inject(FaultRule::new(Symbol::cuCtxDisablePeerAccess, REFUSED).times(1).after_work());
    assert_eq!(consumer.disable_peer_access(&owner).unwrap_err().code(), Some(Code::OutOfMemory));
    assert_eq!(consumer.peer_access_state(&owner).recorded(), Some(PoolGrant::Granted));
    let object = texture(&consumer, &levels(&stream)).unwrap();
    assert!(consumer.peer_access_state(&owner).is_enabled().unwrap());
    let refused = consumer.disable_peer_access(&owner).unwrap_err();
    assert_eq!(
        refused,
        invalid("1 texture or surface objects or references of this context still use memory of the peer;")
    );
    drop(object);
    assert!(!consumer.peer_access_state(&owner).is_enabled().unwrap());
}

/// Running kernels do not use a resource that was never bound.
#[test]
fn refused_binding_does_not_wait() {
    let (machine, _entered) = machine(Config::default());
    let (consumer, owner) = pair();
    let array = Array::new(&Stream::new(&owner).unwrap(), plane()).unwrap();
    let module = ".version 7.0 .target sm_50 .address_size 64 .global .texref image;";
    let reference = Module::from_ptx(&consumer, module).unwrap().tex_ref("image").unwrap();
    machine.record_calls();
    assert_eq!(reference.set_array(&array).unwrap_err().code(), Some(Code::PeerAccessNotEnabled));
    let object = TexObject::new(&consumer, &array, &TextureDescriptor::default());
    assert_eq!(object.unwrap_err().code(), Some(Code::PeerAccessNotEnabled));
    machine.inject(FaultRule::new(Symbol::cuCtxPushCurrent_v2, REFUSED).times(1));
    assert_eq!(reference.set_array(&array).unwrap_err().code(), Some(Code::OutOfMemory));
    let waits = [Symbol::cuMemAlloc_v2, Symbol::cuMemFree_v2, Symbol::cuCtxSynchronize];
    assert!(!machine.take_calls().iter().any(|call| waits.contains(&call.function)));
}

/// Another library has disabled access: a guard from before has no effect on later access.
#[test]
fn object_from_before_access_does_not_keep_it() {
    let (_machine, _entered) = machine(Config::default());
    let (consumer, owner) = pair();
    let stream = Stream::new(&owner).unwrap();
    let first = consumer.peer_access(&owner).unwrap();
    let object = texture(&consumer, &levels(&stream)).unwrap();
    {
        let _current = consumer.enter().unwrap();
        // SAFETY: both contexts are live, and no kernel runs.
        assert!(unsafe { cuda_sys::cuCtxDisablePeerAccess(owner.as_raw()) }.is_success());
    }
    assert!(!consumer.peer_access_state(&owner).is_enabled().unwrap());
    let second = consumer.peer_access(&owner).unwrap();
    drop((first, second));
    assert!(consumer.peer_access_state(&owner).is_enabled().unwrap(), "the object needs it");
    drop(object);
    assert!(!consumer.peer_access_state(&owner).is_enabled().unwrap());
}

/// Memory that was bound before there was access keeps it on, too.
#[test]
fn later_access_stays_for_an_earlier_object() {
    let (_machine, _entered) = machine(Config::default());
    let (consumer, owner) = pair();
    let buffer = DeviceBuf::from_host(&Stream::new(&owner).unwrap(), &[1.0_f32; 4]).unwrap();
    let line = cuda_rt::texture::TextureResource::linear(std::sync::Arc::new(buffer), ArrayFormat::FLOAT, 1);
    let object = TexObject::new(&consumer, line, &TextureDescriptor::default()).unwrap();
    drop(consumer.peer_access(&owner).unwrap());
    assert!(consumer.peer_access_state(&owner).is_enabled().unwrap());
    drop(object);
    assert!(!consumer.peer_access_state(&owner).is_enabled().unwrap());
}
