//! Registration of objects of the stand-in for OpenGL.

#![allow(unsafe_code)]

use super::gl::GlKind;
use super::resource::{Memory, Resource};
use crate::console::say;
use crate::driver::memory::heap::Kind;
use crate::driver::{Answer, Call, check_out, put};
use core::ffi::c_uint;
use cuda_sys::{
    CUDA_ARRAY3D_DESCRIPTOR, CUDA_ARRAY3D_SURFACE_LDST, CUDA_ARRAY3D_TEXTURE_GATHER, CUGLDeviceList,
    CUdevice, CUgraphicsRegisterFlags_enum as Flags, CUgraphicsResource, CUresult,
};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const NO_GL: CUresult = CUresult::CUDA_ERROR_INVALID_GRAPHICS_CONTEXT;

/// Unit of the memory of buffers in bytes (measured: 1024 bytes for a buffer of 1000).
const GRANULARITY: u64 = 512;

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_devices(
    call: &mut Call<'_>,
    count: *mut c_uint,
    devices: *mut CUdevice,
    most: c_uint,
    list: CUGLDeviceList,
) -> Answer {
    let (_, device) = call.state.graphics.gl.current().ok_or(NO_GL)?;
    // SAFETY: the program's promise.
    unsafe { put(count, 0) }?;
    if !(1..=3).contains(&list.0) {
        return Err(INVALID);
    }
    check_out(devices)?;
    if most > 0 {
        // SAFETY: the program's promise; there is room for one.
        unsafe { put(devices, device) }?;
        // SAFETY: the program's promise.
        unsafe { put(count, 1) }?;
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn register_buffer(
    call: &mut Call<'_>,
    to: *mut CUgraphicsResource,
    name: c_uint,
    flags: c_uint,
) -> Answer {
    check_out(to)?;
    // The other flags are valid for images only, and these two exclude each other (measured).
    if name == 0 || flags > Flags::CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD.0 {
        return Err(INVALID);
    }
    let (gl_context, _) = call.state.graphics.gl.current().ok_or(NO_GL)?;
    let object = call.state.graphics.gl.named(gl_context, name);
    let object = object.filter(|object| matches!(object.kind, GlKind::Buffer));
    let size = object.ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?.bytes.len() as u64;
    if size == 0 {
        return Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
    }
    let context = call.context;
    let device = call.state.live_context(context)?.device;
    let whole = size.next_multiple_of(GRANULARITY);
    let base = call.state.heap.allocate(device, context, Kind::Variable, whole);
    let base = base.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)?;
    let resource = Resource::new(context, name, Memory::Buffer { base, size });
    let handle = call.state.graphics.resources.insert(resource);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn register_image(
    call: &mut Call<'_>,
    to: *mut CUgraphicsResource,
    name: c_uint,
    target: c_uint,
    flags: c_uint,
) -> Answer {
    const TEXTURE_2D: c_uint = 0x0DE1;
    const RENDERBUFFER: c_uint = 0x8D41;
    /// Rectangles, cubes, volumes, and layers.
    const OTHERS: [c_uint; 4] = [0x84F5, 0x8513, 0x806F, 0x8C1A];
    const MOST: c_uint = 15;
    check_out(to)?;
    if name == 0 || flags > MOST {
        return Err(INVALID);
    }
    let (gl_context, _) = call.state.graphics.gl.current().ok_or(NO_GL)?;
    if !OTHERS.contains(&target) && ![TEXTURE_2D, RENDERBUFFER].contains(&target) {
        return Err(INVALID);
    }
    let object = call.state.graphics.gl.named(gl_context, name);
    let kind = object.ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?.kind;
    let GlKind::Image { descriptor, levels } = kind else {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    };
    if target == RENDERBUFFER {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    if target != TEXTURE_2D {
        say("images of OpenGL other than GL_TEXTURE_2D are not simulated");
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    let has = |flag: Flags| flags & flag.0 != 0;
    let surface =
        if has(Flags::CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST) { CUDA_ARRAY3D_SURFACE_LDST } else { 0 };
    let gather =
        if has(Flags::CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER) { CUDA_ARRAY3D_TEXTURE_GATHER } else { 0 };
    let descriptor = CUDA_ARRAY3D_DESCRIPTOR { Flags: surface | gather, ..descriptor };
    let mipmapped = call.make_mipmapped(&descriptor, levels)?;
    let resource = Resource::new(call.context, name, Memory::Image { mipmapped });
    let handle = call.state.graphics.resources.insert(resource);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}
