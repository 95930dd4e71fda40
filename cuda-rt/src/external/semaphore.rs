//! Semaphores of other APIs.

#![allow(unsafe_code)]

use super::handle::{Exported, ExternalSemaphoreHandle};
use crate::context::{Context, ContextRequirement, release_in};
use crate::error::{Code, OrDetail, Result};
use crate::handle::{DriverHandle, Owned, Releasing, made};
#[cfg(doc)]
use crate::stream::Stream;
use core::fmt;
use core::ptr::{null, null_mut};
use cuda_sys::{
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st__bindgen_ty_1 as Handle,
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st__bindgen_ty_1__bindgen_ty_1 as Windows, CUexternalSemaphore,
    Symbol,
};
use std::sync::Arc;

const IMPORT: Symbol = Symbol::cuImportExternalSemaphore;
const DESTROY: Symbol = Symbol::cuDestroyExternalSemaphore;

/// The state of a semaphore. It decides how the semaphore is signalled and waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SemaphoreKind {
    /// Signalled or not. A wait resets the semaphore, so each signal ends one wait.
    Binary,
    /// A number, which a signal sets. A wait ends when the number is at least the number of the wait.
    Value,
    /// A mutex, which a wait acquires, and a signal releases with a key for the next wait.
    KeyedMutex,
    /// An object of the library `NvSciSync`, with fences.
    NvSciSync,
}

/// A semaphore, a fence or a mutex of another API. Clones are handles to the same object.
///
/// Dropping the last handle destroys the object. Queued signals and waits hold a handle, too, and so do graphs. A thread of this
/// crate drops the handles of queued signals and waits when they are done. After a failure that ends the context, these handles
/// are never dropped.
///
/// [`Stream::signal_semaphores`] and [`Stream::wait_semaphores`] use the semaphore.
///
/// # Blocking
///
/// Destroying waits for all work of the context, and may hold up calls of other threads meanwhile. This includes queued waits for
/// other semaphores. If the program ends such a wait only later, by another driver call or on this thread, it must keep this
/// handle until then.
#[doc(alias = "CUexternalSemaphore")]
#[derive(Debug, Clone)]
pub struct ExternalSemaphore(Arc<Owned<Imported>>);

struct Imported {
    raw: CUexternalSemaphore,
    kind: SemaphoreKind,
    context: Context,
}

// SAFETY: a `CUexternalSemaphore` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Imported {}
// SAFETY: nothing is changed through `&Imported`; the driver synchronises calls that share the object.
unsafe impl Sync for Imported {}

impl DriverHandle for Imported {
    fn release_call(&self) -> Symbol {
        DESTROY
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        release_in(&self.context, ContextRequirement::Current, DESTROY, &mut |_| {
            // SAFETY: the owner releases the object once, and does not use it afterwards. Signals and waits have ended: those that were
            // queued held it.
            unsafe { check!(cuDestroyExternalSemaphore(self.raw)) }
        })
    }
}

fn raw_handle(exported: &Exported) -> Handle {
    // All bytes are initialised.
    let mut raw = Handle { win32: Windows { handle: null_mut(), name: null() } };
    match exported {
        #[cfg(unix)]
        Exported::File(file) => raw.fd = std::os::fd::AsRawFd::as_raw_fd(file),
        Exported::Windows { handle, name } => {
            let name = name.as_ref().map_or(null(), |name| name.as_ptr().cast());
            raw.win32 = Windows { handle: *handle, name };
        }
        Exported::NvSci(object) => raw.nvSciSyncObj = *object,
    }
    raw
}

impl ExternalSemaphore {
    /// Imports a semaphore. Wraps `cuImportExternalSemaphore`.
    ///
    /// The call consumes a file descriptor.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a name contains a zero.
    /// - [`Code::InvalidValue`], [`Code::InvalidHandle`], [`Code::OperatingSystem`], [`Code::NotSupported`] or
    ///   [`Code::UnknownError`]: the handle is not of its type, or the device does not support the type.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// - The handle is of its type. The driver does not check the type: for example, it accepts memory as a semaphore.
    /// - The other API allows the signals and waits that are queued with this semaphore: their order, and their values. For
    ///   example, Vulkan requires each signal of a timeline semaphore to increase its value.
    /// - The other API relies on a signal only for work that is queued before the signal.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let Some(theirs) = cuda_sim::external::Semaphore::timeline(0) else { return Ok(()) };
    /// use cuda_rt::external::{ExternalSemaphore, ExternalSemaphoreHandle, SemaphoreSignal};
    ///
    /// # let export = || theirs.export().unwrap();
    /// let handle = ExternalSemaphoreHandle::TimelineFd(export());
    /// // SAFETY: a timeline semaphore, which this stream alone signals.
    /// let semaphore = unsafe { ExternalSemaphore::import(&context, handle) }?;
    /// stream.signal_semaphores(&[SemaphoreSignal::value(&semaphore, 1)])?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuImportExternalSemaphore", "cudaImportExternalSemaphore"))]
    pub unsafe fn import(context: &Context, handle: ExternalSemaphoreHandle) -> Result<ExternalSemaphore> {
        let semaphore_kind = handle.kind();
        let (kind, exported) = handle.into_parts()?;
        let bound = context.bind(IMPORT)?;
        let description = CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC {
            type_: kind,
            handle: raw_handle(&exported),
            flags: 0,
            reserved: [0; 16],
        };
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, and the context is current. The description is the caller's promise.
        let imported = unsafe { check!(cuImportExternalSemaphore(&raw mut raw, &raw const description)) };
        drop(bound);
        let is_made = !raw.is_null();
        if is_made {
            exported.leave_to_driver();
        }
        let codes = [Code::InvalidValue, Code::InvalidHandle, Code::OperatingSystem, Code::UnknownError];
        let imported = imported.or_detail(&codes, &|| format!("type {}", kind.0));
        made(imported, is_made, || ExternalSemaphore::wrap(raw, semaphore_kind, context))
    }

    /// Takes ownership of an imported semaphore. Dropping the last handle destroys the object.
    ///
    /// # Safety
    ///
    /// `raw` is of this kind and was imported in `context`, and no other code destroys the object. The other conditions are those
    /// of [`import`](Self::import).
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let context = cuda_doc::context()?;
    /// # let raw = std::ptr::null_mut();
    /// use cuda_rt::external::{ExternalSemaphore, SemaphoreKind};
    ///
    /// // SAFETY: a timeline semaphore, imported above in this context, and left to this handle.
    /// let semaphore = unsafe { ExternalSemaphore::from_raw(raw, SemaphoreKind::Value, &context) };
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw(
        raw: CUexternalSemaphore,
        kind: SemaphoreKind,
        context: &Context,
    ) -> ExternalSemaphore {
        ExternalSemaphore::wrap(raw, kind, context)
    }

    fn wrap(raw: CUexternalSemaphore, kind: SemaphoreKind, context: &Context) -> ExternalSemaphore {
        ExternalSemaphore(Arc::new(Owned::new(Imported { raw, kind, context: context.clone() })))
    }

    /// Returns the raw handle. The caller must not destroy the object with it.
    pub fn as_raw(&self) -> CUexternalSemaphore {
        self.0.raw
    }

    /// Returns the kind of the semaphore.
    pub fn kind(&self) -> SemaphoreKind {
        self.0.kind
    }

    /// Returns the context in which the semaphore is imported.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Destroys the object if this is the last handle, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuDestroyExternalSemaphore`.
    ///
    /// # Blocking
    ///
    /// The same as dropping: see [`ExternalSemaphore`](ExternalSemaphore#blocking).
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias("cuDestroyExternalSemaphore", "cudaDestroyExternalSemaphore"))]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }
}

/// Two handles are equal if they name the same import.
impl PartialEq for ExternalSemaphore {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ExternalSemaphore {}

impl fmt::Debug for Imported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Imported")
            .field("raw", &self.raw)
            .field("kind", &self.kind)
            .field("context", &self.context)
            .finish()
    }
}
