//! Memory of other APIs.

#![allow(unsafe_code)]

use super::handle::{Exported, ExternalMemoryHandle};
use crate::array::{ArrayDescriptor, MipmappedArray};
use crate::context::{Context, ContextRequirement, different_contexts, release_in};
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::{DriverHandle, Owned, Releasing, made};
use crate::memory::DeviceBuf;
use crate::stream::Stream;
use bytemuck::AnyBitPattern;
use core::fmt;
use core::ptr::{null, null_mut};
use cuda_sys::{
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC, CUDA_EXTERNAL_MEMORY_DEDICATED, CUDA_EXTERNAL_MEMORY_HANDLE_DESC,
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st__bindgen_ty_1 as Handle,
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st__bindgen_ty_1__bindgen_ty_1 as Windows,
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC, CUexternalMemory, Symbol,
};
use std::sync::Arc;

const IMPORT: Symbol = Symbol::cuImportExternalMemory;
const DESTROY: Symbol = Symbol::cuDestroyExternalMemory;
const MAP_BUFFER: Symbol = Symbol::cuExternalMemoryGetMappedBuffer;
const MAP_ARRAY: Symbol = Symbol::cuExternalMemoryGetMappedMipmappedArray;

flags! {
    /// The properties of imported memory. Unknown flags are passed on to the driver.
    ///
    /// ```
    /// use cuda_rt::external::ExternalMemoryFlags;
    ///
    /// assert_eq!(ExternalMemoryFlags::DEDICATED.bits(), 1);
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct ExternalMemoryFlags {
        /// The memory belongs to one buffer or image of the other API.
        #[doc(alias = "CUDA_EXTERNAL_MEMORY_DEDICATED")]
        const DEDICATED = CUDA_EXTERNAL_MEMORY_DEDICATED;
        const _ = !0;
    }
}

/// Memory of another API. Clones are handles to the same memory.
///
/// Dropping the last handle destroys the object. Mapped buffers and images hold a handle, too. The other API may free its memory
/// earlier: the memory stays allocated until both APIs have released it.
///
/// # Blocking
///
/// Destroying does not wait. Freeing a mapped buffer and destroying a mapped image wait for all work of the context.
#[doc(alias = "CUexternalMemory")]
#[derive(Debug, Clone)]
pub struct ExternalMemory(Arc<Owned<Imported>>);

struct Imported {
    raw: CUexternalMemory,
    bytes: u64,
    context: Context,
}

// SAFETY: a `CUexternalMemory` names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Imported {}
// SAFETY: nothing is changed through `&Imported`; the driver synchronises calls that share the object.
unsafe impl Sync for Imported {}

impl DriverHandle for Imported {
    fn release_call(&self) -> Symbol {
        DESTROY
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        release_in(&self.context, ContextRequirement::Current, DESTROY, &mut |_| {
            // SAFETY: the owner releases the object once, and does not use it afterwards. Mapped buffers and images held it, so they are
            // freed, or will never be used.
            unsafe { check!(cuDestroyExternalMemory(self.raw)) }
        })
    }
}

/// Returns whether the file descriptor is certainly still open after a refused import. The documentation says so of all refusals.
/// But drivers close a file that turns out not to be memory (fact V974). A second close could close a file of another thread.
fn leaves_file_open(error: &Error) -> bool {
    // The driver refuses these before it looks at the file.
    const EARLY: [Code; 5] = [
        Code::InvalidValue,
        Code::NotSupported,
        Code::NotInitialized,
        Code::InvalidContext,
        Code::StreamCaptureUnsupported,
    ];
    error.code().is_none_or(|code| EARLY.contains(&code))
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
        Exported::NvSci(object) => raw.nvSciBufObject = *object,
    }
    raw
}

impl ExternalMemory {
    /// Imports memory of `bytes` bytes. Wraps `cuImportExternalMemory`.
    ///
    /// The call consumes a file descriptor. If the call reports the failure of earlier work, the descriptor may stay open.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a name contains a zero.
    /// - [`Code::InvalidValue`], [`Code::InvalidHandle`], [`Code::OperatingSystem`], [`Code::NotSupported`] or
    ///   [`Code::UnknownError`]: the handle is not of its type, or the device does not support the type, size or flags.
    /// - [`Code::StreamCaptureUnsupported`]: any thread captures a graph in the global mode, or this thread does in the
    ///   thread-local mode, and the mode of this thread is not relaxed. The failure invalidates the capture.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// - The handle is of its type. The driver does not check the type: for example, it accepts memory as a semaphore.
    /// - `bytes` is the size with which the other API has allocated the memory, and `flags` says whether the memory is dedicated.
    /// - Work of the other API and work that uses mapped buffers and images run one after the other, unless both only read.
    ///   Semaphores make that order, or the program waits.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::external::{ExternalMemory, ExternalMemoryFlags, ExternalMemoryHandle};
    /// # use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions, ShareableHandleTypes};
    ///
    /// # let options = PhysicalMemoryOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    /// # let bytes = PhysicalMemory::granularity(context.device(), options)?;
    /// # let theirs = PhysicalMemory::new(context.device(), bytes, options)?;
    /// # let export = || theirs.export_fd();
    /// let handle = ExternalMemoryHandle::OpaqueFd(export()?);
    /// // SAFETY: the other API has allocated so many bytes for no buffer in particular, and does not use them meanwhile.
    /// let memory =
    ///     unsafe { ExternalMemory::import(&context, handle, bytes as u64, ExternalMemoryFlags::default()) }?;
    /// // SAFETY: there is no other mapping.
    /// let mut buffer = unsafe { memory.buffer::<u8>(&stream, 1024, 16) }?;
    /// buffer.as_slice_mut().fill(7)?;
    /// assert_eq!(buffer.to_vec()?, [7; 16]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuImportExternalMemory", "cudaImportExternalMemory"))]
    pub unsafe fn import(
        context: &Context,
        handle: ExternalMemoryHandle,
        bytes: u64,
        flags: ExternalMemoryFlags,
    ) -> Result<ExternalMemory> {
        let (kind, exported) = handle.into_parts()?;
        let bound = context.bind(IMPORT)?;
        let description = CUDA_EXTERNAL_MEMORY_HANDLE_DESC {
            type_: kind,
            handle: raw_handle(&exported),
            size: bytes,
            flags: flags.bits(),
            reserved: [0; 16],
        };
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, and the context is current. The description is the caller's promise.
        let imported = unsafe { check!(cuImportExternalMemory(&raw mut raw, &raw const description)) };
        drop(bound);
        let is_made = !raw.is_null();
        if is_made || imported.as_ref().is_err_and(|error| !leaves_file_open(error)) {
            exported.leave_to_driver();
        }
        let codes = [Code::InvalidValue, Code::InvalidHandle, Code::OperatingSystem, Code::UnknownError];
        let imported = imported
            .or_detail(&codes, &|| format!("type {}, {bytes} bytes, flags {:#x}", kind.0, flags.bits()));
        made(imported, is_made, || ExternalMemory::wrap(raw, bytes, context))
    }

    /// Takes ownership of imported memory of `bytes` bytes. Dropping the last handle destroys the object.
    ///
    /// # Safety
    ///
    /// `raw` was imported in `context`, and no other code destroys the object. The other conditions are those of
    /// [`import`](Self::import).
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let context = cuda_doc::context()?;
    /// # let raw = std::ptr::null_mut();
    /// use cuda_rt::external::ExternalMemory;
    ///
    /// // SAFETY: imported above in this context, and left to this handle.
    /// let memory = unsafe { ExternalMemory::from_raw(raw, 4096, &context) };
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn from_raw(raw: CUexternalMemory, bytes: u64, context: &Context) -> ExternalMemory {
        ExternalMemory::wrap(raw, bytes, context)
    }

    fn wrap(raw: CUexternalMemory, bytes: u64, context: &Context) -> ExternalMemory {
        ExternalMemory(Arc::new(Owned::new(Imported { raw, bytes, context: context.clone() })))
    }

    /// Returns the raw handle. The caller must not destroy the object with it.
    pub fn as_raw(&self) -> CUexternalMemory {
        self.0.raw
    }

    /// Returns the context in which the memory is imported.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Returns the size in bytes with which the memory was imported.
    pub fn size_bytes(&self) -> u64 {
        self.0.bytes
    }

    fn ensure_same_context(&self, stream: &Stream, call: Symbol) -> Result<()> {
        if stream.context() == self.context() {
            return Ok(());
        }
        Err(different_contexts(call, [("the memory", self.context()), ("the stream", stream.context())]))
    }

    /// Maps a buffer of `len` elements, `offset` bytes from the start of the memory. `stream` is the home stream of the buffer,
    /// which holds the memory. Wraps `cuExternalMemoryGetMappedBuffer`.
    ///
    /// Dropping the buffer frees it (`cuMemFree`), which waits for all work of the context.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the elements have no bytes, are not inside the memory or
    ///   are not aligned, or the stream belongs to another context.
    /// - [`Code::InvalidValue`]: the device cannot map the range.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): other code is capturing the stream.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// As long as the buffer exists, it is used in order with other buffers and images that are mapped onto these bytes, from any
    /// import, unless all only read.
    #[doc(alias("cuExternalMemoryGetMappedBuffer", "cudaExternalMemoryGetMappedBuffer"))]
    pub unsafe fn buffer<T: AnyBitPattern>(
        &self,
        stream: &Stream,
        offset: u64,
        len: usize,
    ) -> Result<DeviceBuf<T>> {
        self.ensure_same_context(stream, MAP_BUFFER)?;
        let size = len
            .checked_mul(size_of::<T>())
            .ok_or_else(|| Error::size_overflow("external memory", len, size_of::<T>()))?;
        if size == 0 {
            return Err(Error::empty("buffer of external memory"));
        }
        let is_inside = offset.checked_add(size as u64).is_some_and(|end| end <= self.size_bytes());
        if !is_inside {
            return Err(Error::invalid_for(
                MAP_BUFFER,
                format_args!(
                    "{size} bytes at offset {offset} end beyond the {} bytes of the memory; map less",
                    self.size_bytes()
                ),
            ));
        }
        let description =
            CUDA_EXTERNAL_MEMORY_BUFFER_DESC { offset, size: size as u64, flags: 0, reserved: [0; 16] };
        let map = |address| {
            // SAFETY: `address` is valid for a write, and the context is current. The object is live, and the range inside of it.
            unsafe { check!(cuExternalMemoryGetMappedBuffer(address, self.as_raw(), &raw const description)) }
                .or_detail(&[Code::InvalidValue], &|| format!("{size} bytes at offset {offset}"))
        };
        // SAFETY: the driver maps this number of bytes, which `cuMemFree` frees. Any bytes are elements. The object that is kept
        // has the memory, and the order of its users is the caller's promise.
        unsafe { DeviceBuf::mapped(stream, MAP_BUFFER, Box::new(self.clone()), len, map) }
    }

    /// Maps an image with `levels` levels, `offset` bytes from the start of the memory. Copies to and from the image run on
    /// `stream`. The image holds the memory. Wraps `cuExternalMemoryGetMappedMipmappedArray`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): there are no levels, the offset is not inside the memory,
    ///   or the stream belongs to another context.
    /// - [`Code::InvalidValue`]: the image does not fit, or the device does not support the size, levels, format or flags.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): other code is capturing the stream.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// - `descriptor` and `levels` describe the image that the other API has placed there. An image that the other API draws into
    ///   has the flag [`COLOR_ATTACHMENT`](crate::array::ArrayFlags::COLOR_ATTACHMENT).
    /// - As long as the image exists, it is used in order with other buffers and images that are mapped onto these bytes, from
    ///   any import, unless all only read.
    #[doc(alias("cuExternalMemoryGetMappedMipmappedArray", "cudaExternalMemoryGetMappedMipmappedArray"))]
    pub unsafe fn mipmapped_array(
        &self,
        stream: &Stream,
        offset: u64,
        descriptor: ArrayDescriptor,
        levels: u32,
    ) -> Result<MipmappedArray> {
        self.ensure_same_context(stream, MAP_ARRAY)?;
        if offset >= self.size_bytes() {
            return Err(Error::invalid_for(
                MAP_ARRAY,
                format_args!(
                    "offset {offset} is not inside of the {} bytes of the memory",
                    self.size_bytes()
                ),
            ));
        }
        if levels == 0 {
            // Drivers crash (fact V976).
            let text = format_args!("an image has at least one level; ask for 1 or more");
            return Err(Error::invalid_for(MAP_ARRAY, text));
        }
        stream.refuse_capture(MAP_ARRAY)?;
        let bound = stream.context().bind(MAP_ARRAY)?;
        let description = CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC {
            offset,
            arrayDesc: descriptor.full(),
            numLevels: levels,
            reserved: [0; 16],
        };
        let mut raw = null_mut();
        let mapped = {
            // SAFETY: `raw` is valid for a write, and the context is current. The object is live.
            unsafe {
                check!(cuExternalMemoryGetMappedMipmappedArray(
                    &raw mut raw,
                    self.as_raw(),
                    &raw const description
                ))
            }
        };
        drop(bound);
        let mapped = mapped.or_detail(&[Code::InvalidValue], &|| {
            format!("{levels} levels at offset {offset}: {descriptor:?}")
        });
        made(mapped, !raw.is_null(), || {
            MipmappedArray::on_memory(raw, descriptor, levels, stream, Box::new(self.clone()))
        })
    }

    /// Destroys the object if this is the last handle, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuDestroyExternalMemory`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias("cuDestroyExternalMemory", "cudaDestroyExternalMemory"))]
    pub fn close(self) -> Result<()> {
        Owned::close_last(self.0)
    }
}

/// Two handles are equal if they name the same import.
impl PartialEq for ExternalMemory {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ExternalMemory {}

impl fmt::Debug for Imported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Imported")
            .field("raw", &self.raw)
            .field("bytes", &self.bytes)
            .field("context", &self.context)
            .finish()
    }
}
