//! Handles of Windows, which the software driver and drivers for other systems refuse.
#![allow(unsafe_code)]

use cuda_rt::Result;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::external::{
    ExternalMemory, ExternalMemoryFlags, ExternalMemoryHandle, ExternalSemaphore, ExternalSemaphoreHandle,
    SemaphoreKind, Win32Handle,
};
use cuda_rt::memory::{
    KmtHandle, MemPool, MemPoolOptions, PhysicalMemory, PhysicalMemoryOptions, ShareableHandleTypes,
};
use cuda_suite::{Choice, context, device, driver, skip};

const NO_FLAGS: ExternalMemoryFlags = ExternalMemoryFlags::empty();

fn refused<T>(answer: Result<T>, code: Code) {
    let error = answer.err().unwrap();
    assert_eq!(error.code(), Some(code), "{error}");
}

fn invalid<T>(answer: Result<T>, text: &str) {
    let error = answer.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    assert!(error.to_string().contains(text), "{error}");
}

#[test]
fn handles_of_other_systems_are_refused() {
    let context = context();
    let (number, name) = (|| Win32Handle::Handle(16 as *mut _), || Win32Handle::Name("a name".into()));
    type Memory = ExternalMemoryHandle;
    let memories = [
        (Memory::OpaqueWin32(number()), NO_FLAGS, Code::NotSupported),
        (Memory::OpaqueWin32Kmt(KmtHandle(16)), NO_FLAGS, Code::NotSupported),
        (Memory::D3d12Heap(number()), NO_FLAGS, Code::NotSupported),
        (Memory::D3d12Resource(number()), ExternalMemoryFlags::DEDICATED, Code::NotSupported),
        (Memory::D3d12Resource(number()), NO_FLAGS, Code::InvalidValue),
        (Memory::D3d11Resource(number()), NO_FLAGS, Code::InvalidValue),
        (Memory::D3d11ResourceKmt(KmtHandle(16)), NO_FLAGS, Code::InvalidValue),
        (Memory::NvSciBuf(std::ptr::null()), NO_FLAGS, Code::InvalidValue),
    ];
    for (handle, flags, expected) in memories {
        let text = format!("{handle:?}");
        // SAFETY: this system has no such handles.
        let error = unsafe { ExternalMemory::import(&context, handle, 4096, flags) }.unwrap_err();
        assert_eq!(error.code(), Some(expected), "{text}: {error}");
    }
    type Of = ExternalSemaphoreHandle;
    let semaphores = [
        (Of::OpaqueWin32(name()), SemaphoreKind::Binary),
        (Of::OpaqueWin32Kmt(KmtHandle(16)), SemaphoreKind::Binary),
        (Of::D3d12Fence(name()), SemaphoreKind::Value),
        (Of::D3d11Fence(number()), SemaphoreKind::Value),
        (Of::TimelineWin32(name()), SemaphoreKind::Value),
        (Of::NvSciSync(16 as *const _), SemaphoreKind::NvSciSync),
        (Of::D3d11KeyedMutex(name()), SemaphoreKind::KeyedMutex),
        (Of::D3d11KeyedMutexKmt(KmtHandle(16)), SemaphoreKind::KeyedMutex),
    ];
    for (handle, kind) in semaphores {
        assert_eq!(handle.kind(), kind);
        // SAFETY: as above.
        refused(unsafe { ExternalSemaphore::import(&context, handle) }, Code::NotSupported);
    }
    // SAFETY: as above.
    let answer = unsafe { ExternalSemaphore::import(&context, Of::NvSciSync(std::ptr::null())) };
    refused(answer, Code::InvalidValue);
    let zero = Win32Handle::Name("a\0b".into());
    // SAFETY: as above.
    let answer = unsafe { ExternalSemaphore::import(&context, Of::D3d12Fence(zero.clone())) };
    invalid(answer, "has a zero inside");
    // SAFETY: as above.
    let answer = unsafe { ExternalMemory::import(&context, Memory::D3d12Heap(zero), 1, NO_FLAGS) };
    invalid(answer, "has a zero inside");
}

#[test]
fn private_memory_has_no_windows_handles() {
    let options = PhysicalMemoryOptions::new();
    let Ok(unit) = PhysicalMemory::granularity(device(), options) else { skip!("needs virtual memory") };
    let Ok(memory) = PhysicalMemory::new(device(), unit, options) else { skip!("needs virtual memory") };
    let error = memory.export_win32_kmt().unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().contains("handle types 0x4"), "{error}");
    #[cfg(windows)]
    refused(memory.export_win32(), Code::InvalidValue);
}

#[test]
fn private_pools_have_no_windows_handles() {
    let Ok(pool) = MemPool::new(device(), MemPoolOptions::new()) else { skip!("needs memory pools") };
    let error = pool.export_win32_kmt().unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().contains("handle types 0x4"), "{error}");
    #[cfg(windows)]
    refused(pool.export_win32(), Code::InvalidValue);
}

/// A driver for Windows makes such memory, which nothing here has shown.
#[test]
fn memory_for_windows_handles_is_refused_elsewhere() {
    if cfg!(windows) && driver() == Choice::Real {
        skip!("this system has such handles");
    }
    for types in [ShareableHandleTypes::WIN32, ShareableHandleTypes::WIN32_KMT] {
        let options = PhysicalMemoryOptions::new().handle_types(types);
        assert!(PhysicalMemory::new(device(), 2 << 20, options).is_err(), "{types:?}");
        assert!(MemPool::new(device(), MemPoolOptions::new().handle_types(types)).is_err(), "{types:?}");
    }
    // SAFETY: this system has no such handles.
    assert!(unsafe { PhysicalMemory::import_win32_kmt(KmtHandle(64), 2 << 20) }.is_err());
    // SAFETY: as above.
    assert!(unsafe { MemPool::import_win32_kmt(device(), KmtHandle(64)) }.is_err());
}
