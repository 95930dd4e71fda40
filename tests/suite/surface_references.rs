//! Surface references through the safe layer.
#![allow(unsafe_code)] // launches

use crate::typed;
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat, MipmappedArray};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::surface::SurfRef;
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};
use cuda_suite::{device, driver, invalid, reports, second_device, skip, stream};

const PTX: &str = ".version 7.0
.target sm_50
.address_size 64
.global .surfref s;
.global .surfref other;
.global .texref t;
.visible .entry put(.param .u32 at, .param .u32 value) {
    .reg .b32 %at, %value;
    ld.param.u32 %at, [at]; ld.param.u32 %value, [value];
    sust.b.1d.b32.trap [s, {%at}], {%value}; ret; }
.visible .entry get(.param .u64 out, .param .u32 at) {
    .reg .b64 %to; .reg .b32 %at, %value;
    ld.param.u64 %to, [out]; ld.param.u32 %at, [at];
    suld.b.1d.b32.zero {%value}, [s, {%at}];
    st.global.u32 [%to], %value; ret; }
";

struct Surfaces {
    stream: Stream,
    module: Module,
}

impl Surfaces {
    fn on(stream: Stream) -> Surfaces {
        let module = Module::from_ptx(stream.context(), PTX).unwrap();
        Surfaces { stream, module }
    }

    fn reference(&self) -> SurfRef {
        self.module.surf_ref("s").unwrap()
    }

    /// Writes an element of what is bound, whose home may be another device.
    fn put(&self, at: u32, value: u32) {
        let put = typed::<(u32, u32)>(&self.module.function("put").unwrap());
        // SAFETY: one thread writes an element of the array, which no other code uses meanwhile: the stream is waited for.
        unsafe { put.launch(LaunchConfig::new(1, 1), &self.stream, (4 * at, value)) }.unwrap();
        self.stream.synchronize().unwrap();
    }

    fn get(&self, at: u32) -> u32 {
        let get = typed::<(DevicePtr<u32>, u32)>(&self.module.function("get").unwrap());
        let out = DeviceBuf::<u32>::zeroed(&self.stream, 1).unwrap();
        // SAFETY: one thread writes the word, and reads an element of the array, to which no code writes meanwhile.
        unsafe { get.launch(LaunchConfig::new(1, 1), &self.stream, (out.ptr(), 4 * at)) }.unwrap();
        out.to_vec().unwrap()[0]
    }
}

fn descriptor(flags: ArrayFlags) -> ArrayDescriptor {
    ArrayDescriptor { flags, ..ArrayDescriptor::line(4, ArrayFormat::UNSIGNED_INT32, 1) }
}

fn array(stream: &Stream, values: [u32; 4]) -> Array {
    let array = Array::new(stream, descriptor(ArrayFlags::SURFACE_LDST)).unwrap();
    array.copy_from_host(0, &values).unwrap();
    array
}

fn values(array: &Array) -> [u32; 4] {
    let mut values = [0; 4];
    array.copy_to_host(0, &mut values).unwrap();
    values
}

#[test]
fn an_array_is_read_and_written_and_kept() {
    let surfaces = Surfaces::on(stream());
    let reference = surfaces.reference();
    assert_eq!(reference.array().unwrap(), None);
    let array = array(&surfaces.stream, [1, 2, 3, 4]);
    reference.set_array(&array).unwrap();
    assert_eq!(surfaces.get(2), 3);
    surfaces.put(1, 20);
    assert_eq!(values(&array), [1, 20, 3, 4]);
    assert_eq!(reference.array().unwrap(), Some(array.clone()));
    drop((array, reference));
    surfaces.put(3, 40);
    assert_eq!(values(&surfaces.reference().array().unwrap().unwrap()), [1, 20, 3, 40]);
}

#[test]
fn a_name_is_one_reference() {
    let surfaces = Surfaces::on(stream());
    let (first, second) = (surfaces.reference(), surfaces.reference());
    assert_eq!((first == second, first.name(), first.as_raw() == second.as_raw()), (true, "s", true));
    assert_ne!(first, surfaces.module.surf_ref("other").unwrap());
    let (one, two) = (array(&surfaces.stream, [1; 4]), array(&surfaces.stream, [2; 4]));
    first.set_array(&one).unwrap();
    drop(first);
    second.set_array(&two).unwrap();
    one.close().unwrap();
    drop(surfaces.module);
    assert_eq!(second.array().unwrap(), Some(two));
    assert!(reports(|| drop(second)).is_empty());
}

#[test]
fn names_that_there_are_not() {
    let module = Surfaces::on(stream()).module;
    for name in ["u", "t", "put", ""] {
        let error = module.surf_ref(name).unwrap_err();
        assert_eq!((error.kind(), error.call()), (ErrorKind::NotFound, Some("cuModuleGetSurfRef")));
        assert!(error.to_string().contains(&format!(": `{name}`")), "{error}");
    }
}

#[test]
fn arrays_that_are_not_for_surfaces() {
    let surfaces = Surfaces::on(stream());
    let reference = surfaces.reference();
    let bound = array(&surfaces.stream, [1; 4]);
    reference.set_array(&bound).unwrap();
    let needed = ArrayFlags::SURFACE_LDST.bits();
    let plain = Array::new(&surfaces.stream, descriptor(ArrayFlags::empty())).unwrap();
    let refusal = invalid(format!("flags 0x0 do not contain SURFACE_LDST, {needed:#x};"));
    assert_eq!(reference.set_array(&plain).unwrap_err(), refusal);
    let other = Stream::new(&Context::new(device(), ContextFlags::default()).unwrap()).unwrap();
    let refusal = invalid("array: it and the surface reference belong to different contexts");
    assert_eq!(reference.set_array(&array(&other, [2; 4])).unwrap_err(), refusal);
    assert_eq!((reference.array().unwrap(), surfaces.get(0)), (Some(bound), 1));
}

#[test]
fn a_level_of_an_image() {
    let surfaces = Surfaces::on(stream());
    let flags = ArrayFlags::SURFACE_LDST;
    let image = ArrayDescriptor { flags, ..ArrayDescriptor::line(8, ArrayFormat::UNSIGNED_INT32, 1) };
    let image = MipmappedArray::new(&surfaces.stream, image, 2).unwrap();
    let level = image.level(1).unwrap();
    level.copy_from_host(0, &[1_u32, 2, 3, 4]).unwrap();
    surfaces.reference().set_array(&level).unwrap();
    drop(image);
    surfaces.put(0, 10);
    assert_eq!(values(&level), [10, 2, 3, 4]);
    drop(level);
    assert_eq!(surfaces.get(3), 4);
}

#[test]
fn an_array_of_a_peer() {
    driver();
    let reaches = |second: &Device| device().peer_capabilities(*second).unwrap().array_access;
    let Some(second) = second_device().filter(reaches) else {
        skip!("there are no two devices that reach each other's arrays")
    };
    let own = |device| Stream::new(&Context::new(device, ContextFlags::default()).unwrap()).unwrap();
    let (surfaces, theirs) = (Surfaces::on(own(device())), own(second));
    let (consumer, owner) = (surfaces.stream.context().clone(), theirs.context().clone());
    let (reference, array) = (surfaces.reference(), array(&theirs, [1, 2, 3, 4]));
    let error = reference.set_array(&array).unwrap_err();
    let told = (error.call(), error.code());
    assert_eq!(told, (Some("cuSurfRefSetArray"), Some(Code::PeerAccessNotEnabled)));
    let (near, far) = (device().as_raw(), second.as_raw());
    let detail = format!(": from device {near} to the memory of device {far}");
    assert!(error.to_string().ends_with(&detail), "{error}");
    assert_eq!(reference.array().unwrap(), None);
    let access = consumer.peer_access(&owner).unwrap();
    reference.set_array(&array).unwrap();
    drop(access);
    let refused = consumer.disable_peer_access(&owner).unwrap_err();
    assert_eq!(
        refused,
        invalid("1 texture or surface objects or references of this context still use memory of the peer;")
    );
    assert_eq!(surfaces.get(1), 2);
    surfaces.put(1, 20);
    assert_eq!(values(&array), [1, 20, 3, 4]);
    drop((reference, surfaces));
    assert!(!consumer.peer_access_state(&owner).is_enabled().unwrap());
}
