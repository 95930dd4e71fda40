//! Textures and surfaces: objects, references, and their resources.

use super::Catalogue;
use crate::world::{World, picture};
use cuda_rt::array::MipmappedArray;
use cuda_rt::array::{ArrayDescriptor, ArrayFormat};
use cuda_rt::memory::{AccessSize, MemAttach, PitchedBuf};
use cuda_rt::surface::{SurfObject, SurfRef};
use cuda_rt::texture::{
    AddressMode, FilterMode, LinearMemory, PitchedMemory, ResourceView, TextureDescriptor, TextureFlags,
    TextureOffset, TextureResource, ViewFormat,
};
use cuda_rt::{Array, DeviceBuf, ManagedBuf, TexObject, TexRef};
use std::sync::Arc;

fn how() -> TextureDescriptor {
    TextureDescriptor::default()
}

fn linear(world: &World) -> LinearMemory {
    Arc::new(DeviceBuf::<f32>::zeroed(&world.stream, 256).unwrap()).into()
}

fn far_linear(world: &World) -> LinearMemory {
    Arc::new(DeviceBuf::<f32>::zeroed(&world.far_stream, 256).unwrap()).into()
}

fn pitched(world: &World) -> PitchedMemory {
    Arc::new(PitchedBuf::<f32>::uninit(&world.stream, 4, 4, AccessSize::Four).unwrap()).into()
}

fn far_pitched(world: &World) -> PitchedMemory {
    Arc::new(PitchedBuf::<f32>::uninit(&world.far_stream, 4, 4, AccessSize::Four).unwrap()).into()
}

fn levels(world: &World) -> MipmappedArray {
    MipmappedArray::new(&world.stream, picture(), 2).unwrap()
}

/// An array of the other device.
fn far_array(world: &World) -> Array {
    Array::new(&world.far_stream, picture()).unwrap()
}

fn linear_works(memory: &mut LinearMemory, world: &World) {
    let resource = TextureResource::linear(memory.clone(), ArrayFormat::FLOAT, 1);
    TexObject::new(&world.context, resource, &how()).unwrap().close().unwrap();
}

fn pitched_works(memory: &mut PitchedMemory, world: &World) {
    let resource = TextureResource::pitched(memory.clone(), ArrayFormat::FLOAT, 1);
    TexObject::new(&world.context, resource, &how()).unwrap().close().unwrap();
}

fn levels_work(levels: &mut MipmappedArray, world: &World) {
    TexObject::new(&world.context, &*levels, &how()).unwrap().close().unwrap();
}

fn far_array_works(array: &mut Array, world: &World) {
    TexObject::new(&world.context, &*array, &how()).unwrap().close().unwrap();
}

fn view(levels: &MipmappedArray) -> ResourceView {
    ResourceView::of_mipmapped(levels, ViewFormat::FLOAT_1X32).with_levels(0..=0)
}

fn object(world: &World) -> TexObject {
    let levels = levels(world);
    let view = view(&levels);
    TexObject::with_view(&world.context, levels, &how(), &view).unwrap()
}

/// Made of an array of the other device.
fn far_object(world: &World) -> TexObject {
    TexObject::new(&world.context, far_array(world), &how()).unwrap()
}

fn far_linear_object(world: &World) -> TexObject {
    let resource = TextureResource::linear(far_linear(world), ArrayFormat::FLOAT, 1);
    TexObject::new(&world.context, resource, &how()).unwrap()
}

fn object_works(object: &mut TexObject, _: &World) {
    object.texture_descriptor().unwrap();
}

fn surface(world: &World) -> SurfObject {
    SurfObject::new(&world.context, &world.array).unwrap()
}

/// A reference that an array of the near device is bound to.
fn reference(world: &World) -> TexRef {
    let reference = TexRef::new(&world.context).unwrap();
    reference.set_array(&world.array).unwrap();
    reference
}

/// A reference that an array of the far device is bound to.
fn far_reference(world: &World) -> TexRef {
    let reference = TexRef::new(&world.context).unwrap();
    reference.set_array(&far_array(world)).unwrap();
    reference
}

/// A reference of a module.
fn of_module(world: &World) -> TexRef {
    world.module.tex_ref("picture").unwrap()
}

fn is_bound(reference: &mut TexRef, world: &World) {
    assert_eq!(reference.array().unwrap().as_ref(), Some(&world.array));
    assert_eq!(reference.format().unwrap(), (ArrayFormat::FLOAT, 1));
    assert_eq!(reference.filter_mode().unwrap(), FilterMode::Point);
    assert_eq!(reference.flags().unwrap(), TextureFlags::empty());
}

/// Another reference of a module, not bound.
fn unbound(world: &World) -> TexRef {
    world.module.tex_ref("other_picture").unwrap()
}

fn is_unbound(reference: &mut TexRef, _: &World) {
    assert_eq!((reference.array().unwrap(), reference.address().unwrap()), (None, None));
}

fn surface_reference(world: &World) -> SurfRef {
    world.module.surf_ref("surface").unwrap()
}

fn surface_is_bound(reference: &mut SurfRef, world: &World) {
    assert_eq!(reference.array().unwrap().as_ref(), Some(&world.array));
}

pub(super) fn add(c: &mut Catalogue) {
    resources(c);
    objects(c);
    bindings(c);
    settings(c);
}

fn resources(c: &mut Catalogue) {
    c.of(linear, linear_works)
        .answers("LinearMemory::{size_bytes, context, slice, rows}", |m, _| {
            let rows = m.clone().slice(0..1024).unwrap().rows(64, 2, 512).unwrap().height();
            (m.size_bytes(), m.context().clone(), rows)
        })
        .answers("LinearMemory: {Clone, Debug}; LinearMemory: From<Arc<DeviceBuf<T>>>", |m, _| {
            format!("{:?}", m.clone())
        })
        .answers("LinearMemory::from_raw", |m, w| {
            // SAFETY: nothing is made of it.
            drop(unsafe { LinearMemory::from_raw(w.buffer.ptr(), 16, &w.context, Arc::new(m.clone())) });
        })
        .answers("TextureResource::{linear, context}; TextureResource: {Clone, Debug, Drop}", |m, _| {
            let resource = TextureResource::linear(m.clone(), ArrayFormat::FLOAT, 1);
            (format!("{:?}", resource.clone()), resource.context().clone())
        })
        .refuses("TexObject::new of memory", |m, w| {
            let resource = TextureResource::linear(m.clone(), ArrayFormat::FLOAT, 1);
            TexObject::new(&w.context, resource, &how())
        })
        .drops("LinearMemory: Drop");
    c.of(|w| Arc::new(ManagedBuf::<f32>::zeroed(&w.stream, 4, MemAttach::Global).unwrap()), |_, _| ())
        .answers("LinearMemory: From<Arc<ManagedBuf<T>>>", |m, _| LinearMemory::from(m.clone()));
    c.of(pitched, pitched_works)
        .answers("PitchedMemory::{row_bytes, height, pitch, context}", |m, _| {
            (m.row_bytes(), m.height(), m.pitch(), m.context().clone())
        })
        .answers("PitchedMemory: {Clone, Debug}; PitchedMemory: From<Arc<PitchedBuf<T>>>", |m, _| {
            format!("{:?}", m.clone())
        })
        .answers("TextureResource::pitched", |m, _| {
            TextureResource::pitched(m.clone(), ArrayFormat::FLOAT, 1)
        })
        .drops("PitchedMemory: Drop");
    c.of(levels, levels_work)
        .answers(
            "TextureResource: {From<&MipmappedArray>, From<MipmappedArray>, From<&Array>, From<Array>}",
            |m, w| {
                let levels = [TextureResource::from(&*m), TextureResource::from(m.clone())];
                (levels, TextureResource::from(&w.array), TextureResource::from(w.array.clone()))
            },
        )
        .answers("ResourceView::{of_array, of_mipmapped, with_levels, with_layers}", |m, w| {
            let layers = ResourceView::of_array(&w.array, ViewFormat::FLOAT_1X32).with_layers(0..=0);
            (view(m), layers, ViewFormat::FLOAT_1X32.block_bytes())
        })
        .answers("ResourceView: {Clone, Debug, PartialEq, Drop}; ViewFormat::block_bytes", |m, _| {
            (view(m) == view(m).clone(), format!("{:?}", view(m)))
        });
}

fn objects(c: &mut Catalogue) {
    c.free()
        .refuses("TexObject::new", |_, w| TexObject::new(&w.context, &w.array, &how()))
        .refuses("SurfObject::new", |_, w| SurfObject::new(&w.context, &w.array));
    c.of(far_array, far_array_works)
        .refuses("TexObject::new of another device's array", |a, w| TexObject::new(&w.context, &*a, &how()));
    c.of(far_linear, linear_works).refuses("TexObject::new of another device's memory", |m, w| {
        let resource = TextureResource::linear(m.clone(), ArrayFormat::FLOAT, 1);
        TexObject::new(&w.context, resource, &how())
    });
    c.of(levels, levels_work)
        .refuses("TexObject::with_view", |m, w| TexObject::with_view(&w.context, &*m, &how(), &view(m)));
    for make in [object, far_object, far_linear_object] {
        c.of(make, object_works).consumes("TexObject::close", |o, _| o.close()).drops("TexObject: Drop");
    }
    c.of(object, object_works)
        .answers("TexObject::{handle, as_raw, context, resource}; TexHandle::as_raw", |o, _| {
            (o.handle().as_raw(), o.as_raw(), o.context().clone(), o.resource().clone())
        })
        .refuses("TexObject::texture_descriptor", |o, _| o.texture_descriptor())
        .refuses("TexObject::resource_view", |o, _| o.resource_view())
        .answers("TexObject: Debug", |o, _| format!("{o:?}"));
    c.of(surface, |s, w| assert_eq!(s.array(), &w.array))
        .answers("SurfObject::{handle, as_raw, context, array}; SurfHandle::as_raw", |o, _| {
            (o.handle().as_raw(), o.as_raw(), o.context().clone(), o.array().clone())
        })
        .answers("SurfObject: Debug", |o, _| format!("{o:?}"))
        .consumes("SurfObject::close", |o, _| o.close())
        .drops("SurfObject: Drop");
}

fn bindings(c: &mut Catalogue) {
    c.free().refuses("TexRef::new", |_, w| TexRef::new(&w.context));
    c.of(
        |w| (far_array(w), unbound(w), surface_reference(w)),
        |(array, reference, surface), w| {
            far_array_works(array, w);
            is_unbound(reference, w);
            surface_is_bound(surface, w);
        },
    )
    .refuses("TexRef::set_array of another device", |(array, reference, _), _| reference.set_array(array))
    .refuses("SurfRef::set_array of another device", |(array, _, surface), _| surface.set_array(array));
    for make in [reference, far_reference] {
        c.of(make, |_, _| ()).consumes("TexRef::close", |r, _| r.close()).drops("TexRef: Drop");
    }
    for make in [reference, of_module] {
        c.of(make, is_bound)
            .refuses("TexRef::set_array", |r, w| r.set_array(&w.array))
            .refuses("TexRef::array", |r, _| r.array())
            .refuses("TexRef::mipmapped_array", |r, _| r.mipmapped_array())
            .refuses("TexRef::address", |r, _| r.address())
            // SAFETY: the memory outlives the call, which is refused.
            .refuses("TexRef::set_address", |r, w| unsafe {
                r.set_address(w.buffer.ptr(), 16, TextureOffset::Allowed)
            })
            // SAFETY: as above.
            .refuses("TexRef::set_address_2d", |r, w| unsafe {
                r.set_address_2d(w.buffer.ptr(), &ArrayDescriptor::plane(4, 1, ArrayFormat::FLOAT, 1), 512)
            });
    }
    c.of(
        |w| (unbound(w), levels(w)),
        |(reference, levels), w| {
            is_unbound(reference, w);
            levels_work(levels, w);
        },
    )
    .refuses("TexRef::set_mipmapped_array", |(r, levels), _| r.set_mipmapped_array(levels));
    c.of(
        |w| (unbound(w), [linear(w), far_linear(w)], [pitched(w), far_pitched(w)]),
        |(reference, lines, planes), w| {
            is_unbound(reference, w);
            lines.iter_mut().for_each(|memory| linear_works(memory, w));
            planes.iter_mut().for_each(|memory| pitched_works(memory, w));
        },
    )
    .refuses("TexRef::set_linear", |(reference, [memory, _], _), _| {
        reference.set_linear(memory.clone(), ArrayFormat::FLOAT, 1, TextureOffset::Allowed)
    })
    .refuses("TexRef::set_linear of another device", |(reference, [_, memory], _), _| {
        reference.set_linear(memory.clone(), ArrayFormat::FLOAT, 1, TextureOffset::Allowed)
    })
    .refuses("TexRef::set_pitched", |(reference, _, [memory, _]), _| {
        reference.set_pitched(memory.clone(), ArrayFormat::FLOAT, 1)
    })
    .refuses("TexRef::set_pitched of another device", |(reference, _, [_, memory]), _| {
        reference.set_pitched(memory.clone(), ArrayFormat::FLOAT, 1)
    });
    c.of(surface_reference, surface_is_bound)
        .refuses("SurfRef::set_array", |r, w| r.set_array(&w.array))
        .refuses("SurfRef::array", |r, _| r.array())
        .answers("SurfRef::{module, name, context, as_raw}", |r, _| {
            (r.module().clone(), r.name().to_owned(), r.context().clone(), r.as_raw().is_null())
        })
        .answers("SurfRef: {Clone, Debug, PartialEq, Drop}", |r, _| (r.clone() == *r, format!("{r:?}")));
}

fn settings(c: &mut Catalogue) {
    c.of(reference, is_bound)
        .answers("TexRef::{module, name, context, as_raw}", |r, _| {
            (r.module().is_some(), r.name().is_some(), r.context().clone(), r.as_raw().is_null())
        })
        .answers("TexRef: {Clone, Debug, PartialEq}", |r, _| (r.clone() == *r, format!("{r:?}")))
        .refuses("TexRef::set_format", |r, _| r.set_format(ArrayFormat::HALF, 2))
        .refuses("TexRef::format", |r, _| r.format())
        .refuses("TexRef::set_address_mode", |r, _| r.set_address_mode(0, AddressMode::Border))
        .refuses("TexRef::address_mode", |r, _| r.address_mode(0))
        .refuses("TexRef::set_filter_mode", |r, _| r.set_filter_mode(FilterMode::Linear))
        .refuses("TexRef::filter_mode", |r, _| r.filter_mode())
        .refuses("TexRef::set_flags", |r, _| r.set_flags(TextureFlags::NORMALIZED_COORDINATES))
        .refuses("TexRef::flags", |r, _| r.flags())
        .refuses("TexRef::set_border_color", |r, _| r.set_border_color([1.0; 4]))
        .refuses("TexRef::border_color", |r, _| r.border_color())
        .refuses("TexRef::set_mipmap_filter_mode", |r, _| r.set_mipmap_filter_mode(FilterMode::Linear))
        .refuses("TexRef::mipmap_filter_mode", |r, _| r.mipmap_filter_mode())
        .refuses("TexRef::set_mipmap_level_bias", |r, _| r.set_mipmap_level_bias(1.0))
        .refuses("TexRef::mipmap_level_bias", |r, _| r.mipmap_level_bias())
        .refuses("TexRef::set_mipmap_level_clamp", |r, _| r.set_mipmap_level_clamp([0.0, 1.0]))
        .refuses("TexRef::mipmap_level_clamp", |r, _| r.mipmap_level_clamp())
        .refuses("TexRef::set_max_anisotropy", |r, _| r.set_max_anisotropy(2))
        .refuses("TexRef::max_anisotropy", |r, _| r.max_anisotropy());
}
