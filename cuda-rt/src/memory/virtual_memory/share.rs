//! Memory that processes share.

#![allow(unsafe_code)]

use super::PhysicalMemory;
#[cfg(doc)]
use super::PhysicalMemoryOptions;
use crate::error::{Code, OrDetail, Result};
use crate::handle::made;
use crate::memory::ShareableHandleTypes;
use core::ptr::without_provenance_mut;
use cuda_sys::CUmemAllocationHandleType_enum as Type;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

impl PhysicalMemory {
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
    #[doc(alias = "cuMemExportToShareableHandle")]
    pub fn export_fd(&self) -> Result<OwnedFd> {
        let mut file: core::ffi::c_int = -1;
        let to = (&raw mut file).cast();
        let kind = Type::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        // SAFETY: the handle is live; a shareable one of this type is an `int`, and `to` is valid for a write of one.
        unsafe { check!(cuMemExportToShareableHandle(to, self.as_raw(), kind, 0)) }
            .or_detail(&[Code::InvalidValue], &|| {
                format!("handle types {:#x}", ShareableHandleTypes::POSIX_FILE_DESCRIPTOR.bits())
            })?;
        // SAFETY: the driver has made it for the caller.
        Ok(unsafe { OwnedFd::from_raw_fd(file) })
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
    #[doc(alias = "cuMemImportFromShareableHandle")]
    pub unsafe fn import_fd(file: BorrowedFd<'_>, bytes: usize) -> Result<PhysicalMemory> {
        let mut raw = 0;
        // A handle of this type is passed in the place of a pointer to it.
        let handle = without_provenance_mut(file.as_raw_fd() as usize);
        let kind = Type::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        // SAFETY: `raw` is valid for a write; the file is open, and the caller's promise says what it is.
        let imported = unsafe { check!(cuMemImportFromShareableHandle(&raw mut raw, handle, kind)) };
        made(imported, raw != 0, || PhysicalMemory::wrap(raw, bytes))
    }
}
