//! Pools shared between processes.

#![allow(unsafe_code)]

use super::{Kind, MemPool};
use crate::device::Device;
use crate::error::{Code, Error, OrDetail, Result};
use crate::handle::made;
use crate::memory::allocation::{Allocation, same_device};
use crate::memory::{DeviceBuf, KmtHandle, MemoryRelease, ShareableHandleTypes};
use crate::stream::Stream;
use core::ffi::c_void;
use core::fmt;
use core::ptr::{null_mut, without_provenance_mut};
use cuda_sys::{CUmemAllocationHandleType_enum, CUmemPoolPtrExportData, Symbol};
#[cfg(unix)]
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
#[cfg(windows)]
use std::os::windows::io::{AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle};

/// Position of memory in a shared pool: plain bytes, which can be sent to another process.
///
/// ```
/// use cuda_rt::memory::MemPoolPtr;
///
/// let received = [7; 64];
/// assert_eq!(MemPoolPtr::from_bytes(received).to_bytes(), received);
/// ```
#[doc(alias = "CUmemPoolPtrExportData")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MemPoolPtr([u8; 64]);

impl MemPoolPtr {
    /// Returns the position from bytes that another process has sent.
    pub const fn from_bytes(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes, to send to another process.
    pub const fn to_bytes(self) -> [u8; 64] {
        self.0
    }
}

impl fmt::Debug for MemPoolPtr {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("MemPoolPtr(..)")
    }
}

impl MemPool {
    /// Returns a handle of one type. The driver overwrites `handle`.
    ///
    /// # Safety
    ///
    /// `T` is the type of the handles.
    unsafe fn export<T>(&self, types: ShareableHandleTypes, mut handle: T) -> Result<T> {
        let kind = CUmemAllocationHandleType_enum(types.bits());
        let to = (&raw mut handle).cast();
        // SAFETY: the pool is live, and `to` is valid for a write of a handle, by the caller's promise.
        unsafe { check!(cuMemPoolExportToShareableHandle(to, self.as_raw(), kind, 0)) }
            .or_detail(&[Code::InvalidValue], &|| format!("handle types {:#x}", types.bits()))?;
        Ok(handle)
    }

    /// Imports a pool. The handle is passed in place of a pointer to it.
    ///
    /// # Safety
    ///
    /// `handle` is an open handle of the type, or no handle at all. The rest is the same as in [`MemPool::import_fd`].
    unsafe fn import(types: ShareableHandleTypes, handle: *mut c_void, device: Device) -> Result<MemPool> {
        let kind = CUmemAllocationHandleType_enum(types.bits());
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write; the caller's promise says what the handle is.
        let imported = unsafe { check!(cuMemPoolImportFromShareableHandle(&raw mut raw, handle, kind, 0)) };
        made(imported, !raw.is_null(), || MemPool::wrap(raw, device, Kind::Imported))
    }

    /// Returns a file descriptor by which another process can [import](MemPool::import_fd) the pool.
    ///
    /// A Unix socket can carry the descriptor. The pool must have been created with
    /// [`POSIX_FILE_DESCRIPTOR`](ShareableHandleTypes::POSIX_FILE_DESCRIPTOR) in its [handle
    /// types](super::MemPoolOptions::handle_types). Wraps `cuMemPoolExportToShareableHandle`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`]: the pool was created without the handle type.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::{MemPool, MemPoolOptions, ShareableHandleTypes};
    ///
    /// let options = MemPoolOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    /// let pool = MemPool::new(Device::get(0)?, options)?;
    /// let _to_be_sent = pool.export_fd()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[cfg(unix)]
    #[doc(alias = "cuMemPoolExportToShareableHandle")]
    pub fn export_fd(&self) -> Result<OwnedFd> {
        let none: core::ffi::c_int = -1;
        // SAFETY: handles of this type are an `int`.
        let file = unsafe { self.export(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR, none) }?;
        // SAFETY: the driver has made it for the caller.
        Ok(unsafe { OwnedFd::from_raw_fd(file) })
    }

    /// Returns a handle by which another process can [import](MemPool::import_win32) the pool.
    ///
    /// `DuplicateHandle` or inheritance can carry the handle. The pool must have been created with
    /// [`WIN32`](ShareableHandleTypes::WIN32) in its [handle types](super::MemPoolOptions::handle_types). Wraps
    /// `cuMemPoolExportToShareableHandle`.
    ///
    /// # Errors
    ///
    /// Same as [`export_win32_kmt`](MemPool::export_win32_kmt).
    #[cfg(windows)]
    #[doc(alias = "cuMemPoolExportToShareableHandle")]
    pub fn export_win32(&self) -> Result<OwnedHandle> {
        // SAFETY: handles of this type are a `HANDLE`.
        let handle = unsafe { self.export(ShareableHandleTypes::WIN32, null_mut::<c_void>()) }?;
        // SAFETY: the driver has made it for the caller.
        Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
    }

    /// Returns a global handle by which another process can [import](MemPool::import_win32_kmt) the pool. The handle keeps
    /// nothing alive.
    ///
    /// The pool must have been created with [`WIN32_KMT`](ShareableHandleTypes::WIN32_KMT) in its [handle
    /// types](super::MemPoolOptions::handle_types). Wraps `cuMemPoolExportToShareableHandle`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`]: the pool was created without the handle type, or the system is not Windows.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::error::Code;
    /// use cuda_rt::memory::{MemPool, MemPoolOptions};
    ///
    /// let private = MemPool::new(Device::get(0)?, MemPoolOptions::new())?;
    /// assert_eq!(private.export_win32_kmt().unwrap_err().code(), Some(Code::InvalidValue));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemPoolExportToShareableHandle")]
    pub fn export_win32_kmt(&self) -> Result<KmtHandle> {
        // SAFETY: handles of this type are a `D3DKMT_HANDLE`, which is smaller.
        let handle = unsafe { self.export(ShareableHandleTypes::WIN32_KMT, null_mut::<c_void>()) }?;
        Ok(KmtHandle(handle.addr()))
    }

    /// Imports a pool of another process. The pool cannot be allocated from: memory comes only from
    /// [`import_ptr`](MemPool::import_ptr). Wraps `cuMemPoolImportFromShareableHandle`.
    ///
    /// # Errors
    ///
    /// [`Code::UnknownError`](crate::error::Code::UnknownError) or another code: the file is no handle of a pool.
    ///
    /// # Safety
    ///
    /// `file` comes from [`MemPool::export_fd`], or the function that it wraps, and its pool has memory of `device`.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// # use cuda_rt::memory::{MemPool, MemPoolOptions, ShareableHandleTypes};
    /// use std::os::fd::{AsFd, OwnedFd};
    ///
    /// # let options = MemPoolOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    /// # let exported = MemPool::new(Device::get(0)?, options)?;
    /// let received: OwnedFd = exported.export_fd()?; // a real program receives it from a socket
    /// // SAFETY: exported by a pool of the first device.
    /// let pool = unsafe { MemPool::import_fd(Device::get(0)?, received.as_fd()) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[cfg(unix)]
    #[doc(alias = "cuMemPoolImportFromShareableHandle")]
    pub unsafe fn import_fd(device: Device, file: BorrowedFd<'_>) -> Result<MemPool> {
        let handle = without_provenance_mut(file.as_raw_fd() as usize);
        // SAFETY: the file is open; the rest is the caller's promise.
        unsafe { Self::import(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR, handle, device) }
    }

    /// Imports a pool of another process, like [`import_win32_kmt`](MemPool::import_win32_kmt). Wraps
    /// `cuMemPoolImportFromShareableHandle`.
    ///
    /// # Errors
    ///
    /// Same as [`import_win32_kmt`](MemPool::import_win32_kmt).
    ///
    /// # Safety
    ///
    /// `handle` comes from [`MemPool::export_win32`], or the function that it wraps, and its pool has memory of `device`.
    #[cfg(windows)]
    #[doc(alias = "cuMemPoolImportFromShareableHandle")]
    pub unsafe fn import_win32(device: Device, handle: BorrowedHandle<'_>) -> Result<MemPool> {
        // SAFETY: the handle is open; the rest is the caller's promise.
        unsafe { Self::import(ShareableHandleTypes::WIN32, handle.as_raw_handle(), device) }
    }

    /// Imports a pool of another process. The pool cannot be allocated from: memory comes only from
    /// [`import_ptr`](MemPool::import_ptr). Wraps `cuMemPoolImportFromShareableHandle`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`] or [`Code::NotSupported`]: the system is not Windows.
    /// - Another code of the driver: the handle is no handle of a pool.
    ///
    /// # Safety
    ///
    /// `handle` comes from [`MemPool::export_win32_kmt`], or the function that it wraps. Its pool is alive, and has memory of
    /// `device`.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::{KmtHandle, MemPool};
    ///
    /// // SAFETY: this system has no such handles.
    /// assert!(unsafe { MemPool::import_win32_kmt(Device::get(0)?, KmtHandle(64)) }.is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemPoolImportFromShareableHandle")]
    pub unsafe fn import_win32_kmt(device: Device, handle: KmtHandle) -> Result<MemPool> {
        // SAFETY: the caller's promise is the same.
        unsafe { Self::import(ShareableHandleTypes::WIN32_KMT, without_provenance_mut(handle.0), device) }
    }

    /// Returns a buffer of memory that another process has allocated from this [imported](MemPool::import_fd) pool: `len`
    /// elements with the home stream `stream`. Wraps `cuMemPoolImportPointer`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the devices differ.
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue): the pool is not imported, or `ptr` is not of its
    ///   memory.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// - `ptr` comes from [`DeviceBuf::export_from_pool`], or the function that it wraps, for memory of this pool that holds
    ///   `len` elements, aligned for `T`.
    /// - Work that is queued on `stream` comes after the allocation in the other process.
    /// - The other process frees the memory after this buffer is dropped and the work on its home stream is done.
    /// - No other code uses the memory while this buffer is used.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::{Device, DeviceBuf};
    /// # use cuda_rt::memory::{MemPool, MemPoolOptions, ShareableHandleTypes};
    /// # use std::os::fd::AsFd;
    /// # let options = MemPoolOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    /// # let theirs = MemPool::new(context.device(), options)?;
    /// # let exported = DeviceBuf::from_host_in(&stream, &[1, 2, 3], &theirs)?;
    /// # let (file, received) = (theirs.export_fd()?, exported.export_from_pool()?);
    /// // SAFETY: exported by a pool of the first device.
    /// let pool = unsafe { MemPool::import_fd(Device::get(0)?, file.as_fd()) }?;
    /// // SAFETY: three numbers, which the other side has written, and frees later.
    /// let numbers = unsafe { pool.import_ptr::<i32>(&received, 3, &stream) }?;
    /// assert_eq!(numbers.to_vec()?, [1, 2, 3]);
    /// # numbers.close()?;
    /// # stream.synchronize()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemPoolImportPointer")]
    pub unsafe fn import_ptr<T>(
        &self,
        ptr: &MemPoolPtr,
        len: usize,
        stream: &Stream,
    ) -> Result<DeviceBuf<T>> {
        same_device(self, stream)?;
        let bound = stream.context().bind(Symbol::cuMemPoolImportPointer)?;
        let (mut address, mut data) = (0, CUmemPoolPtrExportData { reserved: ptr.0 });
        // SAFETY: `address` is valid for a write, `data` for a read; the pool is live.
        let imported =
            unsafe { check!(cuMemPoolImportPointer(&raw mut address, self.as_raw(), &raw mut data)) };
        drop(bound);
        let memory = made(imported, address != 0, || {
            Allocation::from_raw(address, stream, MemoryRelease::Pool(self.clone()))
        })?;
        Ok(DeviceBuf::over(memory, len))
    }
}

impl<T> DeviceBuf<T> {
    /// Returns the position of the memory in its pool, for a process that has [imported](MemPool::import_ptr) the pool. Wraps
    /// `cuMemPoolExportPointer`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue): the memory is not of a pool that was created to be
    ///   [shared](super::MemPoolOptions::handle_types).
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the buffer is empty.
    #[doc(alias = "cuMemPoolExportPointer")]
    pub fn export_from_pool(&self) -> Result<MemPoolPtr> {
        if self.ptr().is_null() {
            return Err(Error::empty("buffer"));
        }
        let _bound = self.stream().context().bind(Symbol::cuMemPoolExportPointer)?;
        let mut data = CUmemPoolPtrExportData::default();
        // SAFETY: `data` is valid for a write; the memory is live.
        unsafe { check!(cuMemPoolExportPointer(&raw mut data, self.ptr().as_raw())) }.or_detail(
            &[Code::InvalidValue],
            &|| {
                let (bytes, address) = (self.size_bytes(), self.ptr().as_raw());
                format!(
                    "{bytes} bytes at {address:#x}: they must be of a pool that was made with a handle type"
                )
            },
        )?;
        Ok(MemPoolPtr(data.reserved))
    }
}
