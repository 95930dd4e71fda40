//! Handles by which other APIs export their objects.

use super::SemaphoreKind;
use crate::error::{Error, Result};
use crate::list::CollectVec;
use crate::memory::KmtHandle;
use core::ffi::c_void;
use core::ptr::{null_mut, without_provenance_mut};
use cuda_sys::{
    CUexternalMemoryHandleType as MemoryType, CUexternalMemoryHandleType_enum as Memory,
    CUexternalSemaphoreHandleType as SemaphoreType, CUexternalSemaphoreHandleType_enum as Semaphore, Symbol,
};
#[cfg(unix)]
use std::os::fd::{IntoRawFd, OwnedFd};

/// A shareable object of Windows. The program keeps the object, and closes its handles.
///
/// ```
/// use cuda_rt::external::Win32Handle;
///
/// let named = Win32Handle::Name(String::from("Global\\frames"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Win32Handle {
    /// A shared NT handle.
    Handle(*mut c_void),
    /// The name of the object.
    Name(String),
}

/// Memory that another API exports.
///
/// An import consumes a file descriptor, whether the import succeeds or not. The program keeps all other handles.
#[doc(alias("CUexternalMemoryHandleType", "CUDA_EXTERNAL_MEMORY_HANDLE_DESC"))]
#[derive(Debug)]
#[non_exhaustive]
pub enum ExternalMemoryHandle {
    /// A file descriptor of memory of Vulkan: `VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT`.
    #[cfg(unix)]
    #[doc(alias = "CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD")]
    OpaqueFd(OwnedFd),
    /// Memory of Vulkan: `VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT`.
    #[doc(alias = "CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32")]
    OpaqueWin32(Win32Handle),
    /// A global handle of memory of Vulkan, which keeps nothing alive.
    #[doc(alias = "CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT")]
    OpaqueWin32Kmt(KmtHandle),
    /// An `ID3D12Heap`.
    #[doc(alias = "CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP")]
    D3d12Heap(Win32Handle),
    /// An `ID3D12Resource`. Needs [`DEDICATED`](super::ExternalMemoryFlags::DEDICATED).
    #[doc(alias = "CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE")]
    D3d12Resource(Win32Handle),
    /// An `ID3D11Resource`. Needs [`DEDICATED`](super::ExternalMemoryFlags::DEDICATED).
    #[doc(alias = "CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE")]
    D3d11Resource(Win32Handle),
    /// A global handle of an `ID3D11Resource`. Needs [`DEDICATED`](super::ExternalMemoryFlags::DEDICATED).
    #[doc(alias = "CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT")]
    D3d11ResourceKmt(KmtHandle),
    /// An `NvSciBufObj`.
    #[doc(alias = "CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF")]
    NvSciBuf(*const c_void),
    /// A file descriptor of a dma-buf. On Tegra, since CUDA 13.0. Images cannot be mapped onto it.
    #[cfg(unix)]
    #[doc(alias = "CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD")]
    DmaBufFd(OwnedFd),
}

/// A semaphore, a fence or a mutex that another API exports.
///
/// An import consumes a file descriptor, whether the import succeeds or not. The program keeps all other handles.
#[doc(alias("CUexternalSemaphoreHandleType", "CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC"))]
#[derive(Debug)]
#[non_exhaustive]
pub enum ExternalSemaphoreHandle {
    /// A file descriptor of a binary semaphore of Vulkan: `VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT`.
    #[cfg(unix)]
    #[doc(alias = "CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD")]
    OpaqueFd(OwnedFd),
    /// A binary semaphore of Vulkan: `VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_BIT`.
    #[doc(alias = "CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32")]
    OpaqueWin32(Win32Handle),
    /// A global handle of a binary semaphore of Vulkan, which keeps nothing alive.
    #[doc(alias = "CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT")]
    OpaqueWin32Kmt(KmtHandle),
    /// An `ID3D12Fence`.
    #[doc(alias = "CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE")]
    D3d12Fence(Win32Handle),
    /// An `ID3D11Fence`.
    #[doc(alias = "CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE")]
    D3d11Fence(Win32Handle),
    /// An `NvSciSyncObj`.
    #[doc(alias = "CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC")]
    NvSciSync(*const c_void),
    /// An `IDXGIKeyedMutex`.
    #[doc(alias = "CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX")]
    D3d11KeyedMutex(Win32Handle),
    /// A global handle of an `IDXGIKeyedMutex`.
    #[doc(alias = "CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT")]
    D3d11KeyedMutexKmt(KmtHandle),
    /// A file descriptor of a timeline semaphore of Vulkan. Since CUDA 11.2.
    #[cfg(unix)]
    #[doc(alias = "CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD")]
    TimelineFd(OwnedFd),
    /// A timeline semaphore of Vulkan. Since CUDA 11.2.
    #[doc(alias = "CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32")]
    TimelineWin32(Win32Handle),
}

/// A handle in the form that the driver takes.
#[derive(Debug)]
pub(super) enum Exported {
    #[cfg(unix)]
    File(OwnedFd),
    Windows {
        handle: *mut c_void,
        /// UTF-16 with a zero at the end.
        name: Option<Vec<u16>>,
    },
    NvSci(*const c_void),
}

impl Exported {
    fn windows(handle: Win32Handle, call: Symbol) -> Result<Exported> {
        match handle {
            Win32Handle::Handle(handle) => Ok(Exported::unnamed(handle)),
            Win32Handle::Name(name) if name.contains('\0') => Err(Error::invalid_for(
                call,
                format_args!("the name {name:?} has a zero inside; use a name without one"),
            )),
            Win32Handle::Name(name) => {
                let name = name.encode_utf16().chain([0]).collect_vec();
                Ok(Exported::Windows { handle: null_mut(), name: Some(name) })
            }
        }
    }

    fn unnamed(handle: *mut c_void) -> Exported {
        Exported::Windows { handle, name: None }
    }

    fn global(handle: KmtHandle) -> Exported {
        Exported::unnamed(without_provenance_mut(handle.0))
    }

    /// Leaves a file descriptor to the driver.
    pub(super) fn leave_to_driver(self) {
        #[cfg(unix)]
        if let Exported::File(file) = self {
            let _ = file.into_raw_fd();
        }
    }
}

impl ExternalMemoryHandle {
    pub(super) fn into_parts(self) -> Result<(MemoryType, Exported)> {
        const CALL: Symbol = Symbol::cuImportExternalMemory;
        let windows = |handle| Exported::windows(handle, CALL);
        Ok(match self {
            #[cfg(unix)]
            Self::OpaqueFd(file) => (Memory::CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, Exported::File(file)),
            Self::OpaqueWin32(handle) => {
                (Memory::CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32, windows(handle)?)
            }
            Self::OpaqueWin32Kmt(handle) => {
                (Memory::CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT, Exported::global(handle))
            }
            Self::D3d12Heap(handle) => (Memory::CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP, windows(handle)?),
            Self::D3d12Resource(handle) => {
                (Memory::CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE, windows(handle)?)
            }
            Self::D3d11Resource(handle) => {
                (Memory::CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE, windows(handle)?)
            }
            Self::D3d11ResourceKmt(handle) => {
                (Memory::CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT, Exported::global(handle))
            }
            Self::NvSciBuf(object) => {
                (Memory::CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF, Exported::NvSci(object))
            }
            #[cfg(unix)]
            Self::DmaBufFd(file) => (Memory::CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD, Exported::File(file)),
        })
    }
}

impl ExternalSemaphoreHandle {
    /// Returns the kind of the semaphore.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::external::{ExternalSemaphoreHandle, SemaphoreKind, Win32Handle};
    ///
    /// let fence = ExternalSemaphoreHandle::D3d12Fence(Win32Handle::Name(String::from("frames")));
    /// assert_eq!(fence.kind(), SemaphoreKind::Value);
    /// ```
    pub fn kind(&self) -> SemaphoreKind {
        match self {
            #[cfg(unix)]
            Self::OpaqueFd(_) => SemaphoreKind::Binary,
            #[cfg(unix)]
            Self::TimelineFd(_) => SemaphoreKind::Value,
            Self::OpaqueWin32(_) | Self::OpaqueWin32Kmt(_) => SemaphoreKind::Binary,
            Self::D3d12Fence(_) | Self::D3d11Fence(_) | Self::TimelineWin32(_) => SemaphoreKind::Value,
            Self::NvSciSync(_) => SemaphoreKind::NvSciSync,
            Self::D3d11KeyedMutex(_) | Self::D3d11KeyedMutexKmt(_) => SemaphoreKind::KeyedMutex,
        }
    }

    pub(super) fn into_parts(self) -> Result<(SemaphoreType, Exported)> {
        const CALL: Symbol = Symbol::cuImportExternalSemaphore;
        let windows = |handle| Exported::windows(handle, CALL);
        Ok(match self {
            #[cfg(unix)]
            Self::OpaqueFd(file) => {
                (Semaphore::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD, Exported::File(file))
            }
            Self::OpaqueWin32(handle) => {
                (Semaphore::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32, windows(handle)?)
            }
            Self::OpaqueWin32Kmt(handle) => {
                (Semaphore::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_KMT, Exported::global(handle))
            }
            Self::D3d12Fence(handle) => {
                (Semaphore::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE, windows(handle)?)
            }
            Self::D3d11Fence(handle) => {
                (Semaphore::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_FENCE, windows(handle)?)
            }
            Self::NvSciSync(object) => {
                (Semaphore::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC, Exported::NvSci(object))
            }
            Self::D3d11KeyedMutex(handle) => {
                (Semaphore::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX, windows(handle)?)
            }
            Self::D3d11KeyedMutexKmt(handle) => {
                (Semaphore::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D11_KEYED_MUTEX_KMT, Exported::global(handle))
            }
            #[cfg(unix)]
            Self::TimelineFd(file) => {
                (Semaphore::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD, Exported::File(file))
            }
            Self::TimelineWin32(handle) => {
                (Semaphore::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32, windows(handle)?)
            }
        })
    }
}
