//! Programs with buffers and images of the stand-in for OpenGL.

use crate::scenarios::{Done, Scenario, device, own, plain};
use cuda_rt::graphics::gl::{GlDevices, devices};
use cuda_rt::graphics::{GraphicsResource, MapFlags, Mapping, RegisterFlags};
use cuda_rt::{Context, Stream};
use cuda_sim::graphics::{GlContext, GlImage};

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("buffers of OpenGL", buffers),
    plain("images of OpenGL", images),
    plain("devices of OpenGL", gl_devices),
];

/// `GL_TEXTURE_2D`.
const TEXTURE_2D: u32 = 0x0DE1;

fn current() -> GlContext {
    let gl = GlContext::new(0);
    gl.make_current();
    gl
}

fn buffers() -> Done {
    let gl = current();
    let context = own()?;
    let stream = Stream::new(&context)?;
    let register = |bytes: &[u8]| {
        // SAFETY: the stand-in does not access what is mapped.
        unsafe { GraphicsResource::gl_buffer(&context, gl.buffer(bytes), RegisterFlags::default()) }
    };
    let (first, second) = (register(&[1; 8])?, register(&[2; 8])?);
    first.set_map_flags(MapFlags::READ_ONLY)?;
    let mut mapping = Mapping::new(&[first.clone(), second.clone()], &stream)?;
    let words = mapping.slice::<u32>(0)?.to_vec()?;
    mapping.slice_mut::<u32>(1)?.copy_from_host(&words)?;
    mapping.unmap()?;
    drop(first.map(&stream)?);
    first.close()
}

fn images() -> Done {
    let gl = current();
    let context = Context::primary(device()?)?;
    let stream = Stream::new(&context)?;
    let format = cuda_sys::CU_AD_FORMAT_UNSIGNED_INT8;
    let image = GlImage { width: 4, height: 4, format, channels: 1, mipmapped: true };
    let name = gl.image(&image, &[1; 16]);
    // SAFETY: as above.
    let resource =
        unsafe { GraphicsResource::gl_image(&context, name, TEXTURE_2D, RegisterFlags::SURFACE_LDST) }?;
    let mapping = resource.map(&stream)?;
    let array = mapping.array(0, 0, 0)?;
    assert_eq!(array.to_vec::<u8>()?, [1; 16]);
    let levels = mapping.mipmapped_array(0)?;
    let small = levels.level(1)?;
    drop((mapping, levels, array));
    small.close()
}

fn gl_devices() -> Done {
    let _gl = current();
    devices(GlDevices::All).map(drop)
}
