//! Memory that processes share.

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
    /// Returns a handle of one type. `handle` is what the driver writes over.
    ///
    /// # Safety
    ///
    /// `T` is what handles of the type are.
    unsafe fn export<T>(&self, types: ShareableHandleTypes, mut handle: T) -> Result<T> {
        let kind = CUmemAllocationHandleType_enum(types.bits());
        let to = (&raw mut handle).cast();
        // SAFETY: the memory is live, and `to` is valid for a write of a handle, by the caller's promise.
        unsafe { check!(cuMemExportToShareableHandle(to, self.as_raw(), kind, 0)) }
            .or_detail(&[Code::InvalidValue], &|| format!("handle types {:#x}", types.bits()))?;
        Ok(handle)
    }

    /// Imports memory of `bytes` bytes. A handle is passed in the place of a pointer to it.
    ///
    /// # Safety
    ///
    /// `handle` is an open handle of the type, or none. The rest is the same as in [`PhysicalMemory::import_fd`].
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

    /// Returns a file descriptor by which another process can [import](PhysicalMemory::import_fd) the memory; a Unix
    /// socket carries it there. The memory must have been made for [this](PhysicalMemoryOptions::handle_types). Wraps
    /// `cuMemExportToShareableHandle`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] if it was not.
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

    /// Returns a handle by which another process can [import](PhysicalMemory::import_win32) the memory. `DuplicateHandle` or
    /// inheritance carries it there. The memory must have been made for [this](PhysicalMemoryOptions::handle_types), with
    /// [`WIN32`](ShareableHandleTypes::WIN32). Wraps `cuMemExportToShareableHandle`.
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

    /// Returns a global handle by which another process can [import](PhysicalMemory::import_win32_kmt) the memory. It keeps
    /// nothing alive. The memory must have been made for [this](PhysicalMemoryOptions::handle_types), with
    /// [`WIN32_KMT`](ShareableHandleTypes::WIN32_KMT). Wraps `cuMemExportToShareableHandle`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] if the memory was not made for it, or if the system is not Windows.
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

    /// Memory of another process. The file is not needed any more after that. Wraps `cuMemImportFromShareableHandle`.
    ///
    /// # Errors
    ///
    /// [`Code::Unknown`](crate::error::Code::Unknown) or others if it is something else.
    ///
    /// # Safety
    ///
    /// `file` comes from [`PhysicalMemory::export_fd`], or what that wraps, for memory of `bytes` bytes. What other processes
    /// do with it is ordered with what is done with it here.
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
    /// let received: OwnedFd = theirs.export_fd()?; // in truth, from a socket
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

    /// Imports memory of another process. The handle is not needed any more after that. Wraps
    /// `cuMemImportFromShareableHandle`.
    ///
    /// # Errors
    ///
    /// Same as [`import_win32_kmt`](PhysicalMemory::import_win32_kmt).
    ///
    /// # Safety
    ///
    /// `handle` comes from [`PhysicalMemory::export_win32`], or what that wraps, for memory of `bytes` bytes. The caller
    /// orders uses by other processes with uses here.
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
    /// [`Code::InvalidValue`] if the system is not Windows, or what the driver says if the handle is something else.
    ///
    /// # Safety
    ///
    /// `handle` comes from [`PhysicalMemory::export_win32_kmt`], or what that wraps, for memory of `bytes` bytes, which is
    /// alive. The caller orders uses by other processes with uses here.
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
