//! Physical memory shared between processes.

#![allow(unsafe_code)]

use super::PhysicalMemory;
#[cfg(doc)]
use super::PhysicalMemoryOptions;
use crate::error::{Code, OrDetail, Result};
use crate::handle::made;
use crate::memory::{KmtHandle, ShareableHandleTypes};
use core::ffi::c_void;
use core::ptr::{null_mut, without_provenance_mut};
use cuda_sys::CUmemAllocationHandleType_enum;
#[cfg(unix)]
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
#[cfg(windows)]
use std::os::windows::io::{AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle};

impl PhysicalMemory {
    /// Returns a handle of one type. The driver overwrites `handle`.
    ///
    /// # Safety
    ///
    /// `T` is the type of the handles.
    unsafe fn export<T>(&self, types: ShareableHandleTypes, mut handle: T) -> Result<T> {
        let kind = CUmemAllocationHandleType_enum(types.bits());
        let to = (&raw mut handle).cast();
        // SAFETY: the memory is live, and `to` is valid for a write of a handle, by the caller's promise.
        unsafe { check!(cuMemExportToShareableHandle(to, self.as_raw(), kind, 0)) }
            .or_detail(&[Code::InvalidValue], &|| format!("handle types {:#x}", types.bits()))?;
        Ok(handle)
    }

    /// Imports memory of `bytes` bytes. The handle is passed in place of a pointer to it.
    ///
    /// # Safety
    ///
    /// `handle` is an open handle of the type, or no handle at all. The rest is the same as in [`PhysicalMemory::import_fd`].
    unsafe fn import(
        types: ShareableHandleTypes,
        handle: *mut c_void,
        bytes: usize,
    ) -> Result<PhysicalMemory> {
        let kind = CUmemAllocationHandleType_enum(types.bits());
        let mut raw = 0;
        // SAFETY: `raw` is valid for a write; the caller's promise says what the handle is.
        let imported = unsafe { check!(cuMemImportFromShareableHandle(&raw mut raw, handle, kind)) };
        made(imported, raw != 0, || PhysicalMemory::wrap(raw, bytes))
    }

    /// Returns a file descriptor by which another process can [import](PhysicalMemory::import_fd) the memory.
    ///
    /// A Unix socket can carry the descriptor. The memory must have been created with
    /// [`POSIX_FILE_DESCRIPTOR`](ShareableHandleTypes::POSIX_FILE_DESCRIPTOR) in its [handle
    /// types](PhysicalMemoryOptions::handle_types). Wraps `cuMemExportToShareableHandle`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`]: the memory was created without the handle type.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions, ShareableHandleTypes};
    ///
    /// let device = Device::get(0)?;
    /// let options = PhysicalMemoryOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    /// let memory = PhysicalMemory::new(device, PhysicalMemory::granularity(device, options)?, options)?;
    /// let _to_be_sent = memory.export_fd()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[cfg(unix)]
    #[doc(alias = "cuMemExportToShareableHandle")]
    pub fn export_fd(&self) -> Result<OwnedFd> {
        let none: core::ffi::c_int = -1;
        // SAFETY: handles of this type are an `int`.
        let file = unsafe { self.export(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR, none) }?;
        // SAFETY: the driver has made it for the caller.
        Ok(unsafe { OwnedFd::from_raw_fd(file) })
    }

    /// Returns a handle by which another process can [import](PhysicalMemory::import_win32) the memory.
    ///
    /// `DuplicateHandle` or inheritance can carry the handle. The memory must have been created with
    /// [`WIN32`](ShareableHandleTypes::WIN32) in its [handle types](PhysicalMemoryOptions::handle_types). Wraps
    /// `cuMemExportToShareableHandle`.
    ///
    /// # Errors
    ///
    /// Same as [`export_win32_kmt`](PhysicalMemory::export_win32_kmt).
    #[cfg(windows)]
    #[doc(alias = "cuMemExportToShareableHandle")]
    pub fn export_win32(&self) -> Result<OwnedHandle> {
        // SAFETY: handles of this type are a `HANDLE`.
        let handle = unsafe { self.export(ShareableHandleTypes::WIN32, null_mut::<c_void>()) }?;
        // SAFETY: the driver has made it for the caller.
        Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
    }

    /// Returns a global handle by which another process can [import](PhysicalMemory::import_win32_kmt) the memory. The handle
    /// keeps nothing alive.
    ///
    /// The memory must have been created with [`WIN32_KMT`](ShareableHandleTypes::WIN32_KMT) in its [handle
    /// types](PhysicalMemoryOptions::handle_types). Wraps `cuMemExportToShareableHandle`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`]: the memory was created without the handle type, or the system is not Windows.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::Device;
    /// use cuda_rt::error::Code;
    /// use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions};
    ///
    /// let (device, options) = (Device::get(0)?, PhysicalMemoryOptions::new());
    /// let private = PhysicalMemory::new(device, PhysicalMemory::granularity(device, options)?, options)?;
    /// assert_eq!(private.export_win32_kmt().unwrap_err().code(), Some(Code::InvalidValue));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemExportToShareableHandle")]
    pub fn export_win32_kmt(&self) -> Result<KmtHandle> {
        // SAFETY: handles of this type are a `D3DKMT_HANDLE`, which is smaller.
        let handle = unsafe { self.export(ShareableHandleTypes::WIN32_KMT, null_mut::<c_void>()) }?;
        Ok(KmtHandle(handle.addr()))
    }

    /// Imports memory of another process. The file may be closed afterwards. Wraps `cuMemImportFromShareableHandle`.
    ///
    /// # Errors
    ///
    /// [`Code::UnknownError`] or another code: the file is no handle of memory.
    ///
    /// # Safety
    ///
    /// `file` comes from [`PhysicalMemory::export_fd`], or the function that it wraps, for memory of `bytes` bytes. The caller
    /// orders uses by other processes with uses by the returned value.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// # use cuda_rt::memory::{PhysicalMemory, PhysicalMemoryOptions, ShareableHandleTypes};
    /// use std::os::fd::{AsFd, OwnedFd};
    ///
    /// # let device = Device::get(0)?;
    /// # let options = PhysicalMemoryOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    /// # let theirs = PhysicalMemory::new(device, PhysicalMemory::granularity(device, options)?, options)?;
    /// # let bytes = theirs.size_bytes();
    /// let received: OwnedFd = theirs.export_fd()?; // a real program receives it from a socket
    /// // SAFETY: exported memory of this size, which the other side does not use meanwhile.
    /// let memory = unsafe { PhysicalMemory::import_fd(received.as_fd(), bytes) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[cfg(unix)]
    #[doc(alias = "cuMemImportFromShareableHandle")]
    pub unsafe fn import_fd(file: BorrowedFd<'_>, bytes: usize) -> Result<PhysicalMemory> {
        let handle = without_provenance_mut(file.as_raw_fd() as usize);
        // SAFETY: the file is open; the rest is the caller's promise.
        unsafe { Self::import(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR, handle, bytes) }
    }

    /// Imports memory of another process. The handle may be closed afterwards. Wraps `cuMemImportFromShareableHandle`.
    ///
    /// # Errors
    ///
    /// Same as [`import_win32_kmt`](PhysicalMemory::import_win32_kmt).
    ///
    /// # Safety
    ///
    /// `handle` comes from [`PhysicalMemory::export_win32`], or the function that it wraps, for memory of `bytes` bytes. The
    /// caller orders uses by other processes with uses by the returned value.
    #[cfg(windows)]
    #[doc(alias = "cuMemImportFromShareableHandle")]
    pub unsafe fn import_win32(handle: BorrowedHandle<'_>, bytes: usize) -> Result<PhysicalMemory> {
        // SAFETY: the handle is open; the rest is the caller's promise.
        unsafe { Self::import(ShareableHandleTypes::WIN32, handle.as_raw_handle(), bytes) }
    }

    /// Imports memory of another process. Wraps `cuMemImportFromShareableHandle`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the system is not Windows.
    /// - Another code of the driver: the handle is no handle of memory.
    ///
    /// # Safety
    ///
    /// `handle` comes from [`PhysicalMemory::export_win32_kmt`], or the function that it wraps, for live memory of `bytes` bytes.
    /// The caller orders uses by other processes with uses by the returned value.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::memory::{KmtHandle, PhysicalMemory};
    ///
    /// # cuda_rt::init()?;
    /// // SAFETY: this system has no such handles.
    /// assert!(unsafe { PhysicalMemory::import_win32_kmt(KmtHandle(64), 1 << 21) }.is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuMemImportFromShareableHandle")]
    pub unsafe fn import_win32_kmt(handle: KmtHandle, bytes: usize) -> Result<PhysicalMemory> {
        // SAFETY: the caller's promise is the same.
        unsafe { Self::import(ShareableHandleTypes::WIN32_KMT, without_provenance_mut(handle.0), bytes) }
    }
}
