//! Programs with texture and surface objects.

use crate::on_another_thread;
use crate::scenarios::{Done, Scenario, own, plain};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat, MipmappedArray};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::Code;
use cuda_rt::memory::{AccessSize, PitchedBuf};
use cuda_rt::surface::SurfObject;
use cuda_rt::texture::{ResourceView, TexHandle, TextureDescriptor, TextureResource, ViewFormat};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Error, LaunchConfig, Module, Stream, TexObject};
use cuda_suite::invalid;
use std::sync::Arc;

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("texture objects", textures),
    plain("texture objects of memory", textures_of_memory),
    plain("texture objects that are refused", refused),
    plain("texture objects that are dropped elsewhere", elsewhere),
    plain("surface objects", surfaces),
    Scenario { apart: true, ..plain("objects of a peer's arrays", peers) },
    Scenario { apart: true, ..plain("objects of a peer's memory", memory_of_peers) },
    Scenario { apart: true, ..plain("objects of a peer's arrays without access", peers_out_of_reach) },
];

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry sample(.param .u64 texture, .param .u64 out) {
        .reg .b64 %t, %a; .reg .f32 %x, %v<4>;
        ld.param.u64 %t, [texture]; ld.param.u64 %a, [out]; mov.f32 %x, 0f3F000000;
        tex.2d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [%t, {%x, %x}]; st.global.f32 [%a], %v0; ret; }";

fn flat() -> ArrayDescriptor {
    ArrayDescriptor::plane(2, 2, ArrayFormat::FLOAT, 1)
}

fn how() -> TextureDescriptor {
    TextureDescriptor::default()
}

/// Returns the first texel as a kernel reads it.
fn sampled(object: &TexObject) -> Result<f32, Error> {
    let stream = Stream::new(object.context())?;
    let out = DeviceBuf::<f32>::zeroed(&stream, 1)?;
    let module = Module::from_ptx(object.context(), PTX)?;
    let sample = module.function("sample")?.typed::<(TexHandle, DevicePtr<f32>)>()?;
    // SAFETY: one thread writes the element of `out`, which lives on the same stream; the object outlives this function.
    unsafe { sample.launch(LaunchConfig::new(1, 1), &stream, (object.handle(), out.ptr())) }?;
    stream.synchronize()?;
    Ok(out.to_vec()?[0])
}

fn textures() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let array = Array::new(&stream, ArrayDescriptor::line(4, ArrayFormat::FLOAT, 1))?;
    array.copy_from_host(0, &[1.0_f32, 2.0, 3.0, 4.0])?;
    let object = TexObject::new(&context, &array, &how())?;
    assert_eq!(sampled(&object)?, 1.0);
    object.texture_descriptor()?;
    drop(array);
    let levels = MipmappedArray::new(&stream, flat(), 2)?;
    let view = ResourceView::of_mipmapped(&levels, ViewFormat::FLOAT_1X32).with_levels(1..=1);
    let viewed = TexObject::with_view(&context, levels, &how(), &view)?;
    assert_eq!(viewed.resource_view()?, Some(view));
    drop((context, stream));
    object.close()?;
    drop(viewed);
    Ok(())
}

fn textures_of_memory() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let buffer = Arc::new(DeviceBuf::from_host(&stream, &[1.0_f32, 2.0])?);
    let line = TextureResource::linear(buffer, ArrayFormat::FLOAT, 1);
    let line = TexObject::new(&context, line, &how())?;
    let rows = Arc::new(PitchedBuf::<f32>::uninit(&stream, 3, 2, AccessSize::Four)?);
    let rows = TexObject::new(&context, TextureResource::pitched(rows, ArrayFormat::FLOAT, 1), &how())?;
    drop(line);
    rows.close()
}

fn refused() -> Done {
    let context = own()?;
    let array = Array::new(&Stream::new(&context)?, flat())?;
    let none = ResourceView::of_array(&array, ViewFormat::NONE);
    match TexObject::with_view(&context, &array, &how(), &none) {
        Err(error) if error.to_string().contains(": a view of ") => {
            assert_eq!(error.code(), Some(Code::InvalidValue));
            Ok(())
        }
        Err(error) => Err(error),
        Ok(_) => panic!("a view has to have a format"),
    }
}

fn elsewhere() -> Done {
    let (context, other) = (own()?, own()?);
    let array = Array::new(&Stream::new(&context)?, flat())?;
    let object = TexObject::new(&context, &array, &how())?;
    let theirs = Array::new(&Stream::new(&other)?, flat())?;
    let theirs = TexObject::new(&other, theirs, &how())?;
    on_another_thread(|| {
        let _entered = other.enter()?;
        drop(object);
        Ok::<(), Error>(())
    })?;
    theirs.texture_descriptor()?;
    theirs.close()
}

fn surfaces() -> Done {
    let context = own()?;
    let descriptor = ArrayDescriptor { flags: ArrayFlags::SURFACE_LDST, ..flat() };
    let array = Array::new(&Stream::new(&context)?, descriptor)?;
    let (first, second) = (SurfObject::new(&context, &array)?, SurfObject::new(&context, &array)?);
    drop((array, context));
    drop(first);
    second.close()
}

fn peer() -> Result<Context, Error> {
    Context::new(Device::get(1)?, ContextFlags::default())
}

fn peers() -> Done {
    let (consumer, owner) = (own()?, peer()?);
    let access = consumer.peer_access(&owner)?;
    let descriptor = ArrayDescriptor { flags: ArrayFlags::SURFACE_LDST, ..flat() };
    // Access may only have been reported as on.
    if !consumer.peer_access_state(&owner).is_enabled()? {
        return Ok(());
    }
    let array = Array::new(&Stream::new(&owner)?, descriptor)?;
    let levels = MipmappedArray::new(array.stream(), flat(), 2)?;
    let levels = TexObject::new(&consumer, levels, &how())?;
    let texture = TexObject::new(&consumer, &array, &how())?;
    let surface = SurfObject::new(&consumer, &array)?;
    drop((array, owner, access));
    sampled(&texture)?;
    drop((surface, levels));
    texture.close()
}

fn memory_of_peers() -> Done {
    let (consumer, owner) = (own()?, peer()?);
    let access = consumer.peer_access(&owner)?;
    let buffer = Arc::new(DeviceBuf::from_host(&Stream::new(&owner)?, &[1.0_f32, 2.0])?);
    let line = TextureResource::linear(buffer, ArrayFormat::FLOAT, 1);
    let object = TexObject::new(&consumer, line, &how())?;
    drop(access);
    object.close()
}

fn peers_out_of_reach() -> Done {
    let (consumer, owner) = (own()?, peer()?);
    let stream = Stream::new(&owner)?;
    let levels = MipmappedArray::new(&stream, flat(), 2)?;
    match TexObject::new(&consumer, &levels, &how()) {
        Err(error) if error == invalid("device 0 has no peer access to device 1;") => {}
        Err(error) => return Err(error),
        Ok(_) => panic!("there is no access"),
    }
    let array = Array::new(&stream, flat())?;
    match TexObject::new(&consumer, &array, &how()) {
        Err(error) if error.code() == Some(Code::PeerAccessNotEnabled) => array.close(),
        Err(error) => Err(error),
        Ok(_) => panic!("there is no access"),
    }
}
