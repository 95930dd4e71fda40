//! A stand-in for OpenGL: contexts, buffers and images that CUDA functions can register.
//!
//! A test creates them in place of a graphics library, and reads the data that CUDA has written to them. Nothing is
//! drawn.
//!
//! ```
//! use cuda_sim::graphics::GlContext;
//! use cuda_sys::*;
//!
//! cuda_sim::install_once()?;
//! let gl = GlContext::new(0);
//! gl.make_current();
//! let buffer = gl.buffer(&[0; 4]);
//!
//! let (mut context, mut resource) = (std::ptr::null_mut(), std::ptr::null_mut());
//! let (mut address, mut bytes) = (0, 0);
//! // SAFETY: all pointers are valid, and the resource is live.
//! let codes = unsafe {
//!     [
//!         cuInit(0),
//!         cuCtxCreate_v2(&mut context, 0, 0),
//!         cuGraphicsGLRegisterBuffer(&mut resource, buffer, 0),
//!         cuGraphicsMapResources(1, &mut resource, std::ptr::null_mut()),
//!         cuGraphicsResourceGetMappedPointer_v2(&mut address, &mut bytes, resource),
//!         cuMemsetD8_v2(address, 7, bytes),
//!         cuGraphicsUnmapResources(1, &mut resource, std::ptr::null_mut()),
//!     ]
//! };
//! assert_eq!(codes, [CUresult::CUDA_SUCCESS; 7]);
//! assert_eq!(gl.read(buffer), Some(vec![7; 4]));
//! # Ok::<(), cuda_sim::InstallError>(())
//! ```
//!
//! # Differences from OpenGL
//!
//! - There are no asynchronous commands: writing and reading are complete when they return. Both wait for the work of
//!   the stream that unmapped the object last, as OpenGL does.
//! - An object has a context of its own. Contexts share nothing.
//! - Images are two-dimensional. If an image has levels, only the largest level can be read and written.

use crate::driver::Machine;
use crate::driver::gl::{self, GlKind};
use core::sync::atomic::{AtomicU64, Ordering};
use cuda_sys::{CUDA_ARRAY3D_DESCRIPTOR, CUarray_format};

/// Context of the stand-in for OpenGL, on the machine on which it was created. Dropping it destroys it, and no thread
/// has it current afterwards.
#[derive(Debug)]
pub struct GlContext {
    machine: Machine,
    id: u64,
}

/// Size and format of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GlImage {
    /// Texels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Format of a channel.
    pub format: CUarray_format,
    /// Channels of a texel.
    pub channels: u32,
    /// True if the image has all smaller levels.
    pub mipmapped: bool,
}

impl GlContext {
    /// Creates a context that draws with a device of this thread's machine.
    #[must_use]
    pub fn new(device: u32) -> GlContext {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let (machine, id) = (Machine::current(), LAST.fetch_add(1, Ordering::Relaxed) + 1);
        machine.with_gl(None, |gl| gl.add_context(id, device as i32));
        GlContext { machine, id }
    }

    /// Makes the context current on this thread.
    pub fn make_current(&self) {
        gl::make_current(Some(self.id));
    }

    /// Leaves this thread without a current context.
    pub fn release_current() {
        gl::make_current(None);
    }

    /// Creates a buffer with these bytes. Returns its name. A buffer of 0 bytes has no memory. Returns 0 in the child
    /// of a fork that cannot use the machine.
    pub fn buffer(&self, bytes: &[u8]) -> u32 {
        let add = |gl: &mut gl::Gl| gl.add_object(self.id, GlKind::Buffer, bytes.to_vec());
        self.machine.with_gl(None, add).unwrap_or(0)
    }

    /// Creates an image with these texels, row by row without gaps. Returns its name. Returns 0 in the child of a fork
    /// that cannot use the machine.
    pub fn image(&self, image: &GlImage, texels: &[u8]) -> u32 {
        let descriptor = CUDA_ARRAY3D_DESCRIPTOR {
            Width: image.width,
            Height: image.height,
            Depth: 0,
            Format: image.format,
            NumChannels: image.channels,
            Flags: 0,
        };
        let kind = GlKind::Image { descriptor, levels: if image.mipmapped { u32::MAX } else { 1 } };
        let add = |gl: &mut gl::Gl| gl.add_object(self.id, kind, texels.to_vec());
        self.machine.with_gl(None, add).unwrap_or(0)
    }

    /// Returns the bytes of a buffer, or the texels of an image. Returns `None` if there is no such object, or if it is
    /// mapped.
    #[must_use]
    pub fn read(&self, name: u32) -> Option<Vec<u8>> {
        let read = |gl: &mut gl::Gl| {
            let object = gl.named(self.id, name).filter(|object| object.mappings == 0);
            object.map(|object| object.bytes.clone())
        };
        self.machine.with_gl(Some(name), read).flatten()
    }

    /// Replaces the bytes of a buffer, or the texels of an image. Returns false, without effect, if there is no such
    /// object, if it is mapped, or if it has another size.
    pub fn write(&self, name: u32, bytes: &[u8]) -> bool {
        let write = |gl: &mut gl::Gl| {
            let object = gl.named(self.id, name).filter(|object| object.mappings == 0);
            let Some(object) = object.filter(|object| object.bytes.len() == bytes.len()) else {
                return false;
            };
            object.bytes.copy_from_slice(bytes);
            true
        };
        self.machine.with_gl(Some(name), write).unwrap_or(false)
    }

    /// Deletes an object. Registered resources keep it alive.
    pub fn delete(&self, name: u32) {
        self.machine.with_gl(None, |gl| {
            if let Some(object) = gl.named(self.id, name) {
                object.is_deleted = true;
            }
        });
    }
}

impl Drop for GlContext {
    fn drop(&mut self) {
        self.machine.with_gl(None, |gl| gl.remove_context(self.id));
    }
}
