//! Programs that bind texture and surface references.

use crate::scenarios::{Done, device, own};
use cuda_rt::array::{Array, ArrayDescriptor, ArrayFlags, ArrayFormat, MipmappedArray};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::surface::SurfRef;
use cuda_rt::texture::{AddressMode, FilterMode, LinearMemory, TextureFlags, TextureOffset};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream, TexRef};
use cuda_suite::invalid;
use std::sync::Arc;

const PTX: &str = ".version 7.0 .target sm_50 .address_size 64
    .global .texref t;
    .global .surfref s;
    .visible .entry sample(.param .u64 out) {
        .reg .b64 %to; .reg .f32 %x, %v<4>;
        ld.param.u64 %to, [out]; mov.f32 %x, 0f3F000000;
        tex.1d.v4.f32.f32 {%v0, %v1, %v2, %v3}, [t, {%x}];
        st.global.f32 [%to], %v0; ret; }";

fn line() -> ArrayDescriptor {
    ArrayDescriptor::line(4, ArrayFormat::FLOAT, 1)
}

fn array(stream: &Stream, first: f32) -> cuda_rt::Result<Array> {
    let array = Array::new(stream, line())?;
    array.copy_from_host(0, &[first, 0.0, 0.0, 0.0])?;
    Ok(array)
}

/// Returns the value that a kernel samples.
fn sampled(module: &Module, stream: &Stream) -> cuda_rt::Result<f32> {
    let out = DeviceBuf::<f32>::zeroed(stream, 1)?;
    let sample = module.function("sample")?.typed::<(DevicePtr<f32>,)>()?;
    // SAFETY: one thread writes the element, and reads the bound memory, to which no other code writes.
    unsafe { sample.launch(LaunchConfig::new(1, 1), stream, (out.ptr(),)) }?;
    Ok(out.to_vec()?[0])
}

/// Expects that each kind of reference says that nothing is bound to it.
fn empty(reference: &TexRef) -> Done {
    assert_eq!((reference.array()?, reference.address()?), (None, None));
    assert_eq!(reference.mipmapped_array()?, None);
    Ok(())
}

/// A failure may also say that nothing is bound.
fn is_bound(found: Option<Array>, expected: &Array) {
    assert!(found.is_none_or(|found| found == *expected));
}

pub(crate) fn bound() -> Done {
    let stream = Stream::new(&own()?)?;
    let module = Module::from_ptx(stream.context(), PTX)?;
    let reference = module.tex_ref("t")?;
    empty(&reference)?;
    reference.set_array(&array(&stream, 1.0)?)?;
    assert_eq!(sampled(&module, &stream)?, 1.0);
    let again = module.tex_ref("t")?;
    let second = array(&stream, 2.0)?;
    again.set_array(&second)?;
    again.set_array(&second)?;
    is_bound(reference.array()?, &second);
    let levels = MipmappedArray::new(&stream, ArrayDescriptor::plane(4, 4, ArrayFormat::FLOAT, 1), 2)?;
    reference.set_mipmapped_array(&levels)?;
    drop(module);
    drop(again);
    reference.set_array(&levels.level(1)?)?;
    Ok(())
}

pub(crate) fn memory() -> Done {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let module = Module::from_ptx(stream.context(), PTX)?;
    let reference = module.tex_ref("t")?;
    empty(&reference)?;
    let buffer = Arc::new(DeviceBuf::<f32>::zeroed(&stream, 256)?);
    let memory = LinearMemory::from(buffer.clone());
    reference.set_linear(memory.clone(), ArrayFormat::UNSIGNED_INT8, 4, TextureOffset::Refused)?;
    reference.set_array(&array(&stream, 1.0)?)?;
    assert_eq!(reference.set_linear(memory.clone(), ArrayFormat::FLOAT, 1, TextureOffset::Allowed)?, 0);
    reference.set_pitched(memory.rows(64, 2, 512)?, ArrayFormat::FLOAT, 1)?;
    // SAFETY: the buffer lives until something else is bound.
    unsafe { reference.set_address(buffer.ptr(), 64, TextureOffset::Refused) }?;
    let shape = ArrayDescriptor::plane(16, 2, ArrayFormat::FLOAT, 1);
    // SAFETY: as above.
    unsafe { reference.set_address_2d(buffer.ptr(), &shape, 512) }?;
    reference.set_array(&array(&stream, 2.0)?)?;
    drop(buffer);
    assert_eq!(sampled(&module, &stream)?, 2.0);
    drop(reference);
    module.close()
}

pub(crate) fn set() -> Done {
    let module = Module::from_ptx(&own()?, PTX)?;
    let reference = module.tex_ref("t")?;
    reference.set_format(ArrayFormat::HALF, 2)?;
    reference.set_address_mode(1, AddressMode::Border)?;
    reference.set_filter_mode(FilterMode::Linear)?;
    reference.set_flags(TextureFlags::NORMALIZED_COORDINATES)?;
    reference.set_mipmap_filter_mode(FilterMode::Linear)?;
    reference.set_mipmap_level_bias(0.5)?;
    reference.set_mipmap_level_clamp([0.0, 1.0])?;
    reference.set_max_anisotropy(4)?;
    reference.set_border_color([1.0; 4])?;
    reference.format()?;
    reference.address_mode(1)?;
    reference.filter_mode()?;
    reference.flags()?;
    reference.mipmap_filter_mode()?;
    reference.mipmap_level_bias()?;
    reference.mipmap_level_clamp()?;
    reference.max_anisotropy()?;
    reference.border_color()?;
    Ok(())
}

pub(crate) fn own_ones() -> Done {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let (first, second) = (TexRef::new(stream.context())?, TexRef::new(stream.context())?);
    empty(&first)?;
    let array = array(&stream, 1.0)?;
    first.set_array(&array)?;
    second.set_array(&array)?;
    drop(array);
    drop(first);
    second.close()
}

fn surface(stream: &Stream) -> cuda_rt::Result<Array> {
    Array::new(stream, ArrayDescriptor { flags: ArrayFlags::SURFACE_LDST, ..line() })
}

pub(crate) fn surfaces() -> Done {
    let stream = Stream::new(&own()?)?;
    let module = Module::from_ptx(stream.context(), PTX)?;
    let reference: SurfRef = module.surf_ref("s")?;
    assert_eq!(reference.array()?, None);
    reference.set_array(&surface(&stream)?)?;
    drop(module);
    let second = surface(&stream)?;
    reference.set_array(&second)?;
    is_bound(reference.array()?, &second);
    Ok(())
}

pub(crate) fn peers() -> Done {
    let (consumer, owner) = (own()?, Context::new(Device::get(1)?, ContextFlags::default())?);
    let (stream, theirs) = (Stream::new(&consumer)?, Stream::new(&owner)?);
    let module = Module::from_ptx(&consumer, PTX)?;
    let (reference, surfaces) = (module.tex_ref("t")?, module.surf_ref("s")?);
    empty(&reference)?;
    assert_eq!(surfaces.array()?, None);
    let (plain, written) = (array(&theirs, 3.0)?, surface(&theirs)?);
    theirs.synchronize()?;
    for refused in [reference.set_array(&plain), surfaces.set_array(&written)] {
        match refused {
            Err(error) if error.code() == Some(Code::PeerAccessNotEnabled) => {}
            other => other?,
        }
    }
    let access = consumer.peer_access(&owner)?;
    reference.set_array(&plain)?;
    surfaces.set_array(&written)?;
    drop((plain, written, access));
    match consumer.disable_peer_access(&owner) {
        Err(refused) if refused.kind() == ErrorKind::InvalidArgument => {
            assert_eq!(
                refused,
                invalid("2 texture or surface objects or references of this context still use")
            );
        }
        other => drop(other?),
    }
    assert_eq!(sampled(&module, &stream)?, 3.0);
    // Another array takes the place of one; the other goes with the module.
    reference.set_array(&array(&stream, 1.0)?)?;
    drop((reference, surfaces));
    module.close()?;
    // Not if access is still on because it is not known whether it is needed.
    consumer.disable_peer_access(&owner).map(drop)
}
