//! Linked images.

#![allow(unsafe_code)]

use super::state::State;
use crate::handle::Owned;

use crate::context::Context;
use crate::error::Result;
use crate::module::Module;
use crate::module::jit::{JitLog, JitOptions};
use crate::module::jit_diagnostics::Source;
use crate::module::load::load;
use core::fmt;

/// Image that a [`Linker`](super::Linker) made. The driver owns the image, which exists as long as this value.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::module::{JitOptions, Linker};
///
/// let mut linker = Linker::new(&context, &JitOptions::new())?;
/// linker.add_ptx("one", ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }")?;
/// let linked = linker.complete()?;
/// assert!(!linked.image().is_empty());
/// assert_eq!(linked.load(&context)?.function("nothing")?.name(), "nothing");
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct Linked {
    state: Owned<State>,
    /// Pointer into memory of the link state.
    image: *const u8,
    bytes: usize,
    log: JitLog,
}

// SAFETY: the image is only read, and the one owner uses the link state only to destroy it.
unsafe impl Send for Linked {}
// SAFETY: as above.
unsafe impl Sync for Linked {}

impl Linked {
    /// # Safety
    ///
    /// The driver has made the image with this state, and the image has `bytes` bytes. The state is used only to destroy it.
    pub(super) unsafe fn new(state: Owned<State>, image: *const u8, bytes: usize) -> Linked {
        let log = state.log();
        Linked { state, image, bytes, log }
    }

    /// Returns the image: on real drivers a cubin for the device of the linker. The program may store the image, and load it
    /// again if it trusts its storage.
    pub fn image(&self) -> &[u8] {
        if self.image.is_null() {
            return &[];
        }
        // SAFETY: the driver's memory, of this length, until the link state is destroyed; nothing writes to it.
        unsafe { core::slice::from_raw_parts(self.image, self.bytes) }
    }

    /// Returns the log of the driver's compiler and linker. Often empty.
    pub fn jit_log(&self) -> &JitLog {
        &self.log
    }

    /// Loads the image in a context. Wraps `cuModuleLoadDataEx`.
    ///
    /// The context may be another one than the linker's, on a device of the same architecture. The module does not need the image
    /// any more.
    ///
    /// # Blocking
    ///
    /// Same as [`Module::from_cubin`].
    ///
    /// # Errors
    ///
    /// - [`Compilation`](crate::error::ErrorKind::Compilation) with
    ///   [`Code::NoBinaryForGpu`](crate::error::Code::NoBinaryForGpu): the device has another architecture.
    /// - An earlier failure.
    #[doc(alias("cuModuleLoadData", "cuModuleLoadDataEx"))]
    pub fn load(&self, context: &Context) -> Result<Module> {
        let source = Source::Cubin(self.image());
        // SAFETY: the image is the driver's own, complete, and exists until this value is dropped.
        unsafe { load(context, self.image.cast(), source, &JitOptions::new()) }
    }

    /// Returns the context in which the image was linked.
    pub fn context(&self) -> &Context {
        self.state.context()
    }

    /// Releases the image and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuLinkDestroy`.
    ///
    /// # Errors
    ///
    /// An earlier failure. The image is consumed in any case.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::module::{JitOptions, Linker};
    /// # let mut linker = Linker::new(&context, &JitOptions::new())?;
    /// # linker.add_ptx("one", ".version 6.4 .target sm_50 .address_size 64")?;
    /// linker.complete()?.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLinkDestroy")]
    pub fn close(self) -> Result<()> {
        self.state.close()
    }
}

impl fmt::Debug for Linked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Linked")
            .field("bytes", &self.bytes)
            .field("context", self.state.context())
            .finish()
    }
}
