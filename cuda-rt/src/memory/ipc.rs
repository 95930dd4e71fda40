//! Buffers shared between processes.

#![allow(unsafe_code)]

use super::allocation::Allocation;
use super::buffer::{DeviceBuf, ensure_aligned, size_bytes};
use super::pointer::DevicePtr;
use crate::error::{Code, Error, OrDetail, Result};
use crate::ipc::IpcMemHandle;
use crate::stream::Stream;
use bytemuck::AnyBitPattern;
use cuda_sys::{CUipcMemHandle, Symbol};

impl<T> DeviceBuf<T> {
    /// Returns a handle by which other processes can [open](DeviceBuf::from_ipc_handle) the memory. The memory must be
    /// [plain](crate::memory::MemorySource::Plain). Wraps `cuIpcGetMemHandle`.
    ///
    /// Keep the buffer as long as another process has it open. The other process may be able to access other memory too: the
    /// driver shares whole pages, in which small allocations lie side by side.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the memory is not plain, or the buffer is empty.
    /// - [`Code::NotSupported`](crate::error::Code::NotSupported): the device or the system cannot share memory.
    /// - [`Code::OutOfMemory`](crate::error::Code::OutOfMemory) or [`Code::MapFailed`](crate::error::Code::MapFailed).
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::memory::MemorySource;
    ///
    /// let shared = DeviceBuf::<f32>::zeroed_in(&stream, 1000, MemorySource::Plain)?;
    /// let bytes: [u8; 64] = *shared.ipc_handle()?.as_bytes();
    ///
    /// let pooled = DeviceBuf::<f32>::zeroed(&stream, 1000)?;
    /// let error = pooled.ipc_handle().unwrap_err();
    /// assert!(error.to_string().contains("memory of a pool"), "{error}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuIpcGetMemHandle")]
    pub fn ipc_handle(&self) -> Result<IpcMemHandle> {
        if let Some(memory) = self.memory().why_not_shareable() {
            return Err(Error::invalid_for(
                Symbol::cuIpcGetMemHandle,
                format_args!(
                    "{memory} cannot be shared with other processes; allocate it with `MemorySource::Plain`"
                ),
            ));
        }
        let _bound = self.stream().context().bind(Symbol::cuIpcGetMemHandle)?;
        let mut raw = CUipcMemHandle::default();
        // SAFETY: `raw` is valid for a write, the memory is allocated, and its context current.
        unsafe { check!(cuIpcGetMemHandle(&raw mut raw, self.ptr().as_raw())) }.or_detail(
            &[Code::InvalidValue, Code::NotSupported, Code::OutOfMemory, Code::MapFailed],
            &|| format!("{} bytes at {:#x}", self.size_bytes(), self.ptr().as_raw()),
        )?;
        Ok(IpcMemHandle::from_raw(raw))
    }

    /// Opens memory of another process, or its first part: `len` elements, whose home stream in this process is `stream`.
    ///
    /// Wraps `cuIpcOpenMemHandle` with the flag `LAZY_ENABLE_PEER_ACCESS`, which the function requires: if the memory is of
    /// another device than the stream, the call enables access to it.
    ///
    /// A context may open a handle several times; then there are several buffers of the same memory. Other contexts of the device
    /// must not open it meanwhile.
    ///
    /// Dropping the buffer waits until its home stream is idle, and closes the memory (`cuIpcCloseMemHandle`). The other process
    /// keeps its memory. If waiting fails, or the stream is being captured, the memory stays open, and the
    /// [hook](crate::handle::set_drop_hook) receives an error.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the size exceeds the address space, the alignment of `T`
    ///   exceeds that of the memory, or the memory has fewer elements.
    /// - [`Code::InvalidContext`](crate::error::Code::InvalidContext): the memory is of this process.
    /// - [`Code::InvalidHandle`](crate::error::Code::InvalidHandle): the memory is open in another context of the device.
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue): the bytes are no handle.
    /// - [`Code::MapFailed`](crate::error::Code::MapFailed) or [`Code::TooManyPeers`](crate::error::Code::TooManyPeers): the
    ///   memory is of a device without peer access.
    /// - [`Code::NotSupported`](crate::error::Code::NotSupported): the device or the system cannot share memory.
    /// - An earlier failure.
    ///
    /// # Driver notes
    ///
    /// The codes `InvalidContext`, `InvalidHandle` and `InvalidValue` were measured; they are not documented for these
    /// conditions.
    ///
    /// # Safety
    ///
    /// - If the memory is on another device, access to it stays enabled as long as this buffer exists, and as long as work that
    ///   was queued with the buffer runs. Functions that disable access, such as
    ///   [`Context::disable_peer_access`](crate::Context::disable_peer_access), do not wait for such work: see
    ///   [`DeviceBuf::from_raw`].
    /// - The bytes come from [`DeviceBuf::ipc_handle`] in another process, which keeps that buffer at least until this one is
    ///   dropped.
    /// - While this process uses the memory, no other code uses it, in any process; but several processes may read it. Earlier
    ///   work of other code with the memory is done by then, or comes before in the order of the stream, by an
    ///   [event](crate::ipc) that the stream waits for. The same holds for the other processes. Another buffer of the same memory
    ///   in this process counts as other code.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::DeviceBuf;
    /// use cuda_rt::error::Code;
    /// use cuda_rt::memory::MemorySource;
    ///
    /// let shared = DeviceBuf::<f32>::zeroed_in(&stream, 1000, MemorySource::Plain)?;
    /// // SAFETY: the buffer is kept, and not used meanwhile; but it is this process's own.
    /// let opened = unsafe { DeviceBuf::<f32>::from_ipc_handle(&stream, &shared.ipc_handle()?, 1000) };
    /// assert_eq!(opened.unwrap_err().code(), Some(Code::InvalidContext));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    ///
    /// See the [module](crate::ipc) for two processes.
    #[doc(alias("cuIpcOpenMemHandle", "cuIpcOpenMemHandle_v2", "CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS"))]
    pub unsafe fn from_ipc_handle(stream: &Stream, handle: &IpcMemHandle, len: usize) -> Result<Self>
    where
        T: AnyBitPattern,
    {
        let bytes = size_bytes::<T>(len)?;
        // The driver shares whole allocations.
        ensure_aligned::<T>()?;
        // SAFETY: the caller's promise is the same.
        let memory = unsafe { Allocation::open(stream, handle) }?;
        let ptr = DevicePtr::<u8>::from_raw(memory.address());
        // SAFETY: `memory` owns the memory.
        let (base, whole) = unsafe { ptr.address_range(stream.context()) }?;
        let before = usize::try_from(ptr.as_raw().saturating_sub(base.as_raw())).unwrap_or(usize::MAX);
        let available = whole.saturating_sub(before);
        if bytes > available {
            let len_there = available.checked_div(size_of::<T>()).unwrap_or(usize::MAX);
            return Err(Error::out_of_bounds("shared memory", 0, len, len_there));
        }
        Ok(Self::over(memory, len))
    }
}
