//! Resources of graphics libraries. Resources of EGL and VDPAU cannot be made.

use super::Catalogue;
use crate::world::World;
use cuda_rt::graphics::gl::{GlDevices, devices};
use cuda_rt::graphics::{GraphicsResource, MapFlags, Mapping, RegisterFlags};
use cuda_rt::{Context, Event, graphics};
use cuda_sim::graphics::{GlContext, GlImage};
use cuda_sys::CUgraphicsResource;
use std::ptr::null_mut;
use std::sync::OnceLock;

/// `GL_TEXTURE_2D`.
const TEXTURE_2D: u32 = 0x0DE1;

/// The context of the stand-in, which is current on this thread from here on.
fn gl() -> &'static GlContext {
    static CONTEXT: OnceLock<GlContext> = OnceLock::new();
    let context = CONTEXT.get_or_init(|| GlContext::new(0));
    context.make_current();
    context
}

fn buffer(world: &World) -> GraphicsResource {
    let name = gl().buffer(&[1; 16]);
    // SAFETY: the stand-in does not access what is mapped.
    unsafe { GraphicsResource::gl_buffer(&world.context, name, RegisterFlags::default()) }.unwrap()
}

fn is_unmapped(resource: &mut GraphicsResource, world: &World) {
    gl();
    resource.map(&world.stream).unwrap().unmap().unwrap();
}

/// A buffer and an image.
fn mapping(world: &World) -> Mapping {
    let format = cuda_sys::CU_AD_FORMAT_UNSIGNED_INT8;
    let image = GlImage { width: 4, height: 4, format, channels: 1, mipmapped: false };
    let name = gl().image(&image, &[1; 16]);
    // SAFETY: as above.
    let image =
        unsafe { GraphicsResource::gl_image(&world.context, name, TEXTURE_2D, RegisterFlags::default()) };
    Mapping::new(&[buffer(world), image.unwrap()], &world.stream).unwrap()
}

fn is_mapped(mapping: &mut Mapping, _: &World) {
    gl();
    assert_eq!(mapping.slice::<u8>(0).unwrap().to_vec().unwrap(), [1; 16]);
    assert_eq!(mapping.array(1, 0, 0).unwrap().to_vec::<u8>().unwrap(), [1; 16]);
}

/// A handle that goes to another thread.
struct Raw(CUgraphicsResource);
// SAFETY: resources are not bound to a thread.
unsafe impl Send for Raw {}

fn raw(world: &World) -> Raw {
    let (name, mut raw) = (gl().buffer(&[1; 16]), null_mut());
    let _entered = world.context.enter().unwrap();
    // SAFETY: `raw` is valid for a write.
    let code = unsafe { cuda_sys::cuGraphicsGLRegisterBuffer(&raw mut raw, name, 0) };
    assert!(code.is_success());
    Raw(raw)
}

pub(crate) fn add(c: &mut Catalogue) {
    const NONE: RegisterFlags = RegisterFlags::empty();
    // SAFETY: nothing is mapped, and no image, stream, sync object or surface is read.
    c.free()
        .refuses("graphics::devices", |(), _| devices(GlDevices::All))
        .refuses("GraphicsResource::gl_buffer", |(), w| unsafe {
            GraphicsResource::gl_buffer(&w.context, 1, NONE)
        })
        .refuses("GraphicsResource::gl_image", |(), w| unsafe {
            GraphicsResource::gl_image(&w.context, 1, TEXTURE_2D, NONE)
        })
        .refuses("GraphicsResource::egl_image", |(), w| unsafe {
            GraphicsResource::egl_image(&w.context, null_mut(), NONE)
        })
        .refuses("GraphicsResource::vdpau_video_surface", |(), w| unsafe {
            GraphicsResource::vdpau_video_surface(&w.context, 0, NONE)
        })
        .refuses("GraphicsResource::vdpau_output_surface", |(), w| unsafe {
            GraphicsResource::vdpau_output_surface(&w.context, 0, NONE)
        })
        .refuses("graphics::device", |(), _| unsafe { graphics::vdpau::device(0, None) })
        .refuses("Context::with_vdpau", |(), w| unsafe {
            unsafe extern "C" fn nothing(_: u32, _: u32, _: *mut *mut core::ffi::c_void) -> i32 {
                1
            }
            Context::with_vdpau(w.near, Default::default(), 0, Some(nothing))
        })
        .refuses("Event::from_egl_sync", |(), w| unsafe {
            Event::from_egl_sync(&w.context, null_mut(), Default::default())
        })
        .refuses("EglConsumer::connect", |(), w| unsafe {
            graphics::egl::EglConsumer::connect(&w.context, null_mut(), None)
        })
        .refuses("EglProducer::connect", |(), w| unsafe {
            graphics::egl::EglProducer::connect(&w.context, null_mut(), 1, 1)
        });
    c.of(buffer, is_unmapped)
        .answers("GraphicsResource::{as_raw, context}", |r, _| (r.as_raw(), r.context().clone()).1)
        .answers("GraphicsResource: Clone", |r, _| r.clone())
        .answers("GraphicsResource: Debug", |r, _| format!("{r:?}"))
        .answers("GraphicsResource: PartialEq", |r, _| *r == r.clone())
        .refuses("GraphicsResource::set_map_flags", |r, _| r.set_map_flags(MapFlags::READ_ONLY))
        .refuses("GraphicsResource::map", |r, w| r.map(&w.stream))
        .refuses("GraphicsResource::egl_frame", |r, _| r.egl_frame(0, 0))
        .refuses("Mapping::new", |r, w| Mapping::new(std::slice::from_ref(r), &w.stream))
        .consumes("GraphicsResource::close", |r, _| r.close())
        .drops("GraphicsResource: Drop");
    c.of(mapping, is_mapped)
        .answers("Mapping::{resources, stream}", |m, _| (m.resources().len(), m.stream().clone()))
        .answers("Mapping: Debug", |m, _| format!("{m:?}"))
        .refuses("Mapping::slice", |m, _| m.slice::<u8>(0).map(drop))
        .refuses("Mapping::slice_mut", |m, _| m.slice_mut::<u8>(0).map(drop))
        .refuses("Mapping::array", |m, _| m.array(1, 0, 0))
        .refuses("Mapping::mipmapped_array", |m, _| m.mipmapped_array(1))
        .consumes("Mapping::unmap", |m, _| m.unmap())
        .drops("Mapping: Drop");
    c.of(raw, |_, _| ()).hands_over(
        "GraphicsResource::from_raw",
        // SAFETY: registered for this alone, and not used otherwise.
        |raw, w| unsafe { GraphicsResource::from_raw(raw.0, &w.context) },
        |resource, _| resource.close().unwrap(),
    );
}
