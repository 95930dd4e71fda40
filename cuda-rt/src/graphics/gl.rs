//! Buffers and images of OpenGL. With the feature `gl`.
//!
//! # Driver notes
//!
//! On a machine without the library `libGL.so.1`, the functions fail with [`Code::OperatingSystem`] instead of
//! [`Code::InvalidGraphicsContext`] (driver 580, fact V1029).

#![allow(unsafe_code)]

use super::{GraphicsResource, RegisterFlags};
use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, OrDetail, Result};
use core::ffi::c_uint;
use cuda_sys::{CUGLDeviceList_enum as List, CUdevice, GLenum, GLuint, Symbol};

/// The devices on which an OpenGL context draws.
#[doc(alias = "CUGLDeviceList")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GlDevices {
    /// All devices of the context.
    #[doc(alias = "CU_GL_DEVICE_LIST_ALL")]
    All,
    /// The devices that draw the current frame.
    #[doc(alias = "CU_GL_DEVICE_LIST_CURRENT_FRAME")]
    CurrentFrame,
    /// The devices that draw the next frame.
    #[doc(alias = "CU_GL_DEVICE_LIST_NEXT_FRAME")]
    NextFrame,
}

/// Returns the CUDA devices of the OpenGL context that is current on this thread. Wraps `cuInit` and `cuGLGetDevices`.
///
/// # Errors
///
/// - [`Code::InvalidGraphicsContext`]: no OpenGL context is current.
/// - [`Code::NoDevice`]: the OpenGL context uses no CUDA device.
/// - Same as [`init`](crate::init).
///
/// # Examples
///
/// ```no_run
/// use cuda_rt::Context;
/// use cuda_rt::graphics::gl::{GlDevices, devices};
///
/// if let Some(device) = devices(GlDevices::All)?.first() {
///     let context = Context::primary(*device)?;
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias("cuGLGetDevices", "cudaGLGetDevices"))]
pub fn devices(which: GlDevices) -> Result<Vec<Device>> {
    const MOST: usize = 64;
    crate::driver::init()?;
    let list = match which {
        GlDevices::All => List::CU_GL_DEVICE_LIST_ALL,
        GlDevices::CurrentFrame => List::CU_GL_DEVICE_LIST_CURRENT_FRAME,
        GlDevices::NextFrame => List::CU_GL_DEVICE_LIST_NEXT_FRAME,
    };
    let mut found: [CUdevice; MOST] = [0; MOST];
    let mut count: c_uint = 0;
    // SAFETY: both are valid for writes, the array for `MOST` devices.
    unsafe { inline_check!(cuGLGetDevices_v2(&raw mut count, found.as_mut_ptr(), MOST as c_uint, list)) }?;
    Ok(found.iter().take(count as usize).map(|&device| Device::from_handle(device)).collect())
}

impl GraphicsResource {
    /// Registers a buffer of the OpenGL context that is current on this thread. Wraps `cuGraphicsGLRegisterBuffer`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidGraphicsContext`]: no OpenGL context is current.
    /// - [`Code::InvalidValue`]: the name is 0, or buffers do not take the flags.
    /// - [`Code::InvalidHandle`]: the name is not of a buffer.
    /// - [`Code::OutOfMemory`]: the buffer has no memory.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// - While the resource is mapped, no OpenGL command accesses the buffer. Commands that were issued earlier in another OpenGL
    ///   context have finished by then.
    /// - While the resource is mapped, CUDA accesses the buffer through no other registration.
    /// - Where the resource is mapped, unmapped and unregistered, the current OpenGL context is the one of this call, or shares
    ///   objects with it. [`GraphicsResource`](GraphicsResource#gl-contexts) lists the drops that happen on other threads.
    /// - The buffer is not deleted and gets no other memory as long as the resource is registered.
    #[doc(alias(
        "cuGraphicsGLRegisterBuffer",
        "cudaGraphicsGLRegisterBuffer",
        "cuGLRegisterBufferObject",
        "cuGLUnregisterBufferObject"
    ))]
    pub unsafe fn gl_buffer(
        context: &Context,
        buffer: GLuint,
        flags: RegisterFlags,
    ) -> Result<GraphicsResource> {
        GraphicsResource::register(context, Symbol::cuGraphicsGLRegisterBuffer, |raw| {
            // SAFETY: `raw` is valid for a write, and the context is current.
            unsafe { inline_check!(cuGraphicsGLRegisterBuffer(raw, buffer, flags.bits())) }
                .or_detail(&[Code::InvalidValue, Code::InvalidHandle, Code::OutOfMemory], &|| {
                    format!("buffer {buffer}, flags {:#x}", flags.bits())
                })
        })
    }

    /// Registers a texture or a renderbuffer of the OpenGL context that is current on this thread. `target` is the target of
    /// the texture, such as `GL_TEXTURE_2D`, or `GL_RENDERBUFFER`. Wraps `cuGraphicsGLRegisterImage`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidGraphicsContext`]: no OpenGL context is current.
    /// - [`Code::InvalidValue`]: the name is 0, the target is not supported, images do not take the flags, or CUDA does not have
    ///   the format.
    /// - [`Code::InvalidHandle`]: the name is not of an image.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// - While the resource is mapped, no OpenGL command accesses the image. Commands that were issued earlier in another OpenGL
    ///   context have finished by then.
    /// - While the resource is mapped, CUDA accesses the image through no other registration.
    /// - Where the resource is mapped, unmapped and unregistered, the current OpenGL context is the one of this call, or shares
    ///   objects with it. [`GraphicsResource`](GraphicsResource#gl-contexts) lists the drops that happen on other threads.
    /// - The image is of this target. It is not deleted and gets no other memory as long as the resource is registered.
    #[doc(alias("cuGraphicsGLRegisterImage", "cudaGraphicsGLRegisterImage"))]
    pub unsafe fn gl_image(
        context: &Context,
        image: GLuint,
        target: GLenum,
        flags: RegisterFlags,
    ) -> Result<GraphicsResource> {
        GraphicsResource::register(context, Symbol::cuGraphicsGLRegisterImage, |raw| {
            // SAFETY: `raw` is valid for a write, and the context is current.
            unsafe { inline_check!(cuGraphicsGLRegisterImage(raw, image, target, flags.bits())) }
                .or_detail(&[Code::InvalidValue, Code::InvalidHandle], &|| {
                    format!("image {image} of target {target:#x}, flags {:#x}", flags.bits())
                })
        })
    }
}
