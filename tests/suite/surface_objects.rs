//! Surface objects through the safe layer.

use crate::busy::Busy;
use crate::raw::{begin_capture, end_capture};
use crate::{alone, typed};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat, MipmappedArray};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::memory::{CopyDestination, CopySource, Memcpy3D};
use cuda_rt::surface::{SurfHandle, SurfObject};
use cuda_rt::texture::{TexObject, TextureDescriptor};
use cuda_rt::{Context, LaunchConfig, Module, Stream};
use cuda_suite::{context, device, driver, invalid, reports, second_device, skip, stream};
use cuda_sys::{CUDA_RESOURCE_DESC, CUresourcetype_enum as Type};
use std::thread;

/// Adds to the texel at (x, y), x in bytes.
const ADD: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry add(.param .u64 surface, .param .u32 x, .param .u32 y, .param .u32 more) {
        .reg .b64 %s; .reg .b32 %x, %y, %v, %m;
        ld.param.u64 %s, [surface]; ld.param.u32 %x, [x]; ld.param.u32 %y, [y]; ld.param.u32 %m, [more];
        suld.b.2d.b32.trap {%v}, [%s, {%x, %y}]; add.u32 %v, %v, %m; sust.b.2d.b32.trap [%s, {%x, %y}], {%v}; ret; }";

/// Has a kernel add to a texel.
fn add(object: &SurfObject, stream: &Stream, [x, y]: [u32; 2], more: u32) {
    let module = Module::from_ptx(object.context(), ADD).unwrap();
    let add = typed::<(SurfHandle, u32, u32, u32)>(&module.function("add").unwrap());
    let args = (object.handle(), 4 * x, y, more);
    // SAFETY: one thread reads and writes a texel of the object's array, on one stream at a time. The object is of this
    // context; tests of its end are in an order that the driver is known to keep.
    unsafe { add.launch(LaunchConfig::new(1, 1), stream, args) }.unwrap();
}

fn described(width: usize, height: usize) -> ArrayDescriptor {
    let plane = ArrayDescriptor::plane(width, height, ArrayFormat::UNSIGNED_INT32, 1);
    ArrayDescriptor { flags: ArrayFlags::SURFACE_LDST, ..plane }
}

/// An array of two by two.
fn square(stream: &Stream, texels: [u32; 4]) -> Array {
    let array = Array::new(stream, described(2, 2)).unwrap();
    Memcpy3D::plane(CopyDestination::array(&array), CopySource::host(&texels), 8, 2).copy().unwrap();
    array
}

fn texels(array: &Array) -> [u32; 4] {
    let mut texels = [0; 4];
    Memcpy3D::plane(CopyDestination::host(&mut texels), CopySource::array(array), 8, 2).copy().unwrap();
    texels
}

fn own(device: cuda_rt::Device) -> Context {
    Context::new(device, ContextFlags::default()).unwrap()
}

fn pair() -> Option<(Context, Context)> {
    driver();
    let second = second_device()?;
    let can = device().peer_capabilities(second).unwrap();
    (can.access && can.array_access).then(|| (own(device()), own(second)))
}

macro_rules! pair {
    () => {
        match pair() {
            Some(pair) => pair,
            None => skip!("there are no two devices that reach each other's arrays"),
        }
    };
}

#[test]
fn kernels_read_and_write() {
    let (context, stream) = (context(), stream());
    let array = square(&stream, [1, 2, 3, 4]);
    let object = SurfObject::new(&context, &array).unwrap();
    add(&object, &stream, [1, 1], 40);
    assert_eq!(texels(&array), [1, 2, 3, 44]);
    // A texture of the same array reads it.
    let texture = TexObject::new(&context, &array, &TextureDescriptor::default()).unwrap();
    assert_eq!(object.array(), &array);
    drop(texture);
    let mut raw = CUDA_RESOURCE_DESC::default();
    let entered = context.enter().unwrap();
    // SAFETY: valid for a write; the object is live, and of the current context.
    let answer = unsafe { cuda_sys::cuSurfObjectGetResourceDesc(&raw mut raw, object.as_raw()) };
    drop(entered);
    assert!(answer.is_success());
    assert_eq!(raw.resType, Type::CU_RESOURCE_TYPE_ARRAY);
    // SAFETY: the type says which member it is.
    assert_eq!(unsafe { raw.res.array }.hArray, array.as_raw());
    object.close().unwrap();
}

#[test]
fn levels() {
    let (context, stream) = (context(), stream());
    let image = MipmappedArray::new(&stream, described(4, 4), 2).unwrap();
    let level = image.level(1).unwrap();
    let zeros = [0_u32; 4];
    Memcpy3D::plane(CopyDestination::array(&level), CopySource::host(&zeros), 8, 2).copy().unwrap();
    let object = SurfObject::new(&context, &level).unwrap();
    drop(image);
    add(&object, level.stream(), [0, 1], 5);
    assert_eq!(texels(&level), [0, 0, 5, 0]);
}

#[test]
fn arrays_that_were_not_made_for_it_are_refused() {
    let (context, stream) = (context(), stream());
    let array = ArrayDescriptor { flags: ArrayFlags::empty(), ..described(2, 2) };
    let error = SurfObject::new(&context, &Array::new(&stream, array).unwrap()).unwrap_err();
    assert_eq!(error, invalid(format!("flags {:#x} do not contain SURFACE_LDST, {:#x};", 0, 2)));
    assert_eq!(
        error.to_string(),
        "array: flags 0x0 do not contain SURFACE_LDST, 0x2; make the array with it"
    );
    let other = own(device());
    let array = square(&stream, [0; 4]);
    let error = SurfObject::new(&other, &array).unwrap_err();
    let expected = invalid("array: it and the surface object belong to different contexts");
    assert_eq!(error, expected);
}

#[test]
fn objects_keep_their_arrays() {
    driver();
    let told = reports(|| {
        let context = own(device());
        let stream = Stream::new(&context).unwrap();
        let object = SurfObject::new(&context, &square(&stream, [1, 2, 3, 4])).unwrap();
        drop(context);
        add(&object, &stream, [0, 0], 9);
        assert_eq!(texels(object.array()), [10, 2, 3, 4]);
        drop(stream);
        let other = own(device());
        let theirs = SurfObject::new(&other, &square(&Stream::new(&other).unwrap(), [5; 4])).unwrap();
        // In another context, the same number is another object (measured).
        let _entered = other.enter().unwrap();
        drop(object);
        add(&theirs, theirs.array().stream(), [0, 0], 1);
        assert_eq!(texels(theirs.array()), [6, 5, 5, 5]);
    });
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn captures() {
    let (context, stream) = (context(), stream());
    let array = square(&stream, [0; 4]);
    let object = SurfObject::new(&context, &array).unwrap();
    let capturing = Stream::new(&context).unwrap();
    let Some(()) = begin_capture(&capturing) else { skip!("this driver cannot capture") };
    drop(object);
    assert!(end_capture(&capturing), "destroying leaves it intact");
    let Some(()) = begin_capture(&capturing) else { skip!("this driver cannot capture") };
    let made = SurfObject::new(&context, &array);
    let is_intact = end_capture(&capturing);
    assert_eq!(made.map(drop).unwrap_err().code(), Some(Code::StreamCaptureUnsupported));
    assert!(!is_intact);
}

#[test]
fn a_peers_array() {
    let (consumer, owner) = pair!();
    let array = square(&Stream::new(&owner).unwrap(), [1, 2, 3, 4]);
    let error = SurfObject::new(&consumer, &array).unwrap_err();
    assert_eq!(error.code(), Some(Code::PeerAccessNotEnabled));
    assert!(error.to_string().ends_with("from device 0 to the memory of device 1"), "{error}");
    let access = consumer.peer_access(&owner).unwrap();
    let object = SurfObject::new(&consumer, &array).unwrap();
    drop(access);
    assert!(consumer.peer_access_state(&owner).is_enabled().unwrap());
    assert_eq!(
        consumer.disable_peer_access(&owner),
        invalid("1 texture or surface objects or references of this context still use memory of the peer;")
    );
    let stream = Stream::new(&consumer).unwrap();
    add(&object, &stream, [1, 0], 20);
    stream.synchronize().unwrap();
    assert_eq!(texels(&array), [1, 22, 3, 4]);
    drop(object);
    assert!(!consumer.peer_access_state(&owner).is_enabled().unwrap());
}

#[test]
fn dropping_object_of_peer_array_waits_for_kernels() {
    drop(pair!());
    alone("surface_objects::dropping_object_of_peer_array_waits_for_kernels", || {
        let (consumer, owner) = pair().unwrap();
        let access = consumer.peer_access(&owner).unwrap();
        let array = square(&Stream::new(&owner).unwrap(), [1, 2, 3, 4]);
        let object = SurfObject::new(&consumer, &array).unwrap();
        let stream = Stream::new(&consumer).unwrap();
        let module = Module::from_ptx(&consumer, ADD).unwrap();
        let add = typed::<(SurfHandle, u32, u32, u32)>(&module.function("add").unwrap());
        let busy = Busy::new(&stream);
        // SAFETY: as above; the driver keeps what was launched (measured).
        unsafe { add.launch(LaunchConfig::new(1, 1), &stream, (object.handle(), 4, 1, 50)) }.unwrap();
        drop(access);
        thread::scope(|scope| {
            let dropping = scope.spawn(|| {
                drop(object);
                stream.is_done()
            });
            thread::sleep(std::time::Duration::from_millis(20));
            busy.go();
            assert_eq!(dropping.join().unwrap(), Ok(true), "it has waited");
        });
        assert_eq!(texels(&array), [1, 2, 3, 54]);
        assert!(!consumer.peer_access_state(&owner).is_enabled().unwrap());
    });
}
