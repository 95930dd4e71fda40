//! Memory pools that two processes share. The processes are those of `ipc`.

use crate::ipc::{Other, Part, play};
use cuda_rt::memory::{MemPool, MemPoolOptions, MemPoolPtr, ShareableHandleTypes};
use cuda_rt::{Context, Device, DeviceBuf, Stream};
use cuda_suite::{call, code, skip};
use cuda_sys::*;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::ptr::{null_mut, with_exposed_provenance_mut, without_provenance_mut};

pub(super) const PARTS: &[Part] = &[
    Part { name: "pool", owner: lend, user: borrow },
    Part { name: "host-pool", owner: lend_host, user: borrow_host },
];

/// Sends a descriptor of a file over a socket, beside one byte.
pub(super) fn send(socket: &UnixStream, file: BorrowedFd<'_>) {
    exchange(|message| {
        // SAFETY: the message has room for one descriptor.
        let header = unsafe { libc::CMSG_FIRSTHDR(message) };
        // SAFETY: as above, so there is a header.
        let header = unsafe { &mut *header };
        (header.cmsg_level, header.cmsg_type) = (libc::SOL_SOCKET, libc::SCM_RIGHTS);
        // SAFETY: the length of one descriptor.
        header.cmsg_len = unsafe { libc::CMSG_LEN(size_of::<i32>() as u32) } as _;
        // SAFETY: the header is that of the message.
        let data = unsafe { libc::CMSG_DATA(header) };
        // SAFETY: there is room for one descriptor, which need not be aligned.
        unsafe { data.cast::<i32>().write_unaligned(file.as_raw_fd()) };
        // SAFETY: the message and its buffers are valid.
        unsafe { libc::sendmsg(socket.as_raw_fd(), message, 0) }
    });
}

/// Receives a file descriptor from a socket.
pub(super) fn receive(socket: &UnixStream) -> OwnedFd {
    let mut file = -1;
    exchange(|message| {
        // SAFETY: the message and its buffers are valid.
        let received = unsafe { libc::recvmsg(socket.as_raw_fd(), message, libc::MSG_CMSG_CLOEXEC) };
        // SAFETY: the message was received.
        let header = unsafe { libc::CMSG_FIRSTHDR(message) };
        assert!(!header.is_null(), "a message without a descriptor");
        // SAFETY: the header is that of the message.
        let data = unsafe { libc::CMSG_DATA(header) };
        // SAFETY: the other process sends one descriptor, which need not be aligned.
        file = unsafe { data.cast::<i32>().read_unaligned() };
        received
    });
    // SAFETY: the system has made it for this process.
    unsafe { OwnedFd::from_raw_fd(file) }
}

/// Makes a message of one byte with room for a descriptor, and gives it to `call`, which returns the number of bytes.
fn exchange(call: impl FnOnce(&mut libc::msghdr) -> isize) {
    let (mut byte, mut control) = ([1_u8], [0_u64; 8]);
    let mut part = libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: 1 };
    // SAFETY: all of its fields are numbers and pointers, which may be 0.
    let mut message: libc::msghdr = unsafe { core::mem::zeroed() };
    (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
    message.msg_control = control.as_mut_ptr().cast();
    // SAFETY: a size, of one descriptor.
    message.msg_controllen = unsafe { libc::CMSG_SPACE(size_of::<i32>() as u32) } as _;
    assert_eq!(call(&mut message), 1, "{}", std::io::Error::last_os_error());
}

fn numbers(from: u32) -> Vec<u32> {
    (from..).take(200).collect()
}

fn stream() -> Stream {
    Stream::new(&Context::primary(Device::get(0).unwrap()).unwrap()).unwrap()
}

#[test]
fn another_process_uses_memory_of_a_pool() {
    if !crate::is_since(11, 3) {
        skip!("the driver does not say how pools are shared");
    }
    let device = cuda_suite::device();
    if device.mempool_supported_handle_types().unwrap() & 1 == 0 {
        skip!("the device's pools are not shared");
    }
    play("pool");
}

fn lend(other: &mut Other) {
    let stream = stream();
    let options = MemPoolOptions::new().handle_types(ShareableHandleTypes::POSIX_FILE_DESCRIPTOR);
    let pool = MemPool::new(Device::get(0).unwrap(), options).unwrap();
    let first = DeviceBuf::from_host_in(&stream, &numbers(0), &pool).unwrap();
    stream.synchronize().unwrap();
    let path: PathBuf = std::env::temp_dir().join(format!("cuda-suite-{}", std::process::id()));
    let listener = UnixListener::bind(&path).unwrap();
    other.say(path.to_str().unwrap());
    let (socket, _) = listener.accept().unwrap();
    std::fs::remove_file(&path).unwrap();
    send(&socket, pool.export_fd().unwrap().as_fd());
    other.say_bytes(&first.export_from_pool().unwrap().to_bytes());
    other.expect("written");
    assert_eq!(first.to_vec().unwrap(), numbers(1000));
    // Memory that is allocated after the other process has imported the pool.
    let large = DeviceBuf::<u32>::zeroed_in(&stream, 16 << 20, &pool).unwrap();
    stream.synchronize().unwrap();
    other.say_bytes(&large.export_from_pool().unwrap().to_bytes());
    other.expect("closed");
    first.close().unwrap();
    large.close().unwrap();
    stream.synchronize().unwrap();
}

fn borrow(other: &mut Other) {
    let stream = stream();
    let device = Device::get(0).unwrap();
    let socket = UnixStream::connect(other.hear()).unwrap();
    let file = receive(&socket);
    // SAFETY: the other process has exported it, of the same device.
    let pool = unsafe { MemPool::import_fd(device, file.as_fd()) }.unwrap();
    drop(file);
    let sent = MemPoolPtr::from_bytes(other.hear_bytes());
    // SAFETY: 200 numbers, which the other process frees after it has heard that they are closed.
    let mut first = unsafe { pool.import_ptr::<u32>(&sent, 200, &stream) }.unwrap();
    assert_eq!(first.to_vec().unwrap(), numbers(0));
    // The other process alone allocates.
    assert!(DeviceBuf::<u32>::zeroed_in(&stream, 4, &pool).is_err());
    first.copy_from_host(&numbers(1000)).unwrap();
    stream.synchronize().unwrap();
    other.say("written");
    let sent = MemPoolPtr::from_bytes(other.hear_bytes());
    // SAFETY: as above.
    let large = unsafe { pool.import_ptr::<u32>(&sent, 16 << 20, &stream) }.unwrap();
    assert!(large.to_vec().unwrap().iter().all(|number| *number == 0));
    first.close().unwrap();
    large.close().unwrap();
    stream.synchronize().unwrap();
    pool.close().unwrap();
    other.say("closed");
}

const DONE: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const FILE: CUmemAllocationHandleType =
    CUmemAllocationHandleType_enum::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
const SIZE: usize = 4096;

fn location(type_: CUmemLocationType, number: i32) -> CUmemLocation {
    let mut location = CUmemLocation { type_, ..CUmemLocation::default() };
    location.__bindgen_anon_1.id = number;
    location
}

/// Creates a pool of the host's first node, which other processes can use.
fn host_pool() -> CUmemoryPool {
    let props = CUmemPoolProps {
        allocType: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        handleTypes: FILE,
        location: location(CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST_NUMA, 0),
        ..CUmemPoolProps::default()
    };
    let mut pool = null_mut();
    call!(cuMemPoolCreate(&raw mut pool, &raw const props));
    pool
}

fn host_memory(pool: CUmemoryPool) -> CUdeviceptr {
    let mut address = 0;
    call!(cuMemAllocFromPoolAsync(&raw mut address, SIZE, pool, null_mut()));
    call!(cuStreamSynchronize(null_mut()));
    address
}

/// Returns a word of memory of the host.
fn word(address: CUdeviceptr) -> &'static std::sync::atomic::AtomicU32 {
    // SAFETY: aligned memory of the host, which the tests free after its last use.
    unsafe { &*with_exposed_provenance_mut(address as usize) }
}

fn exported(pool: CUmemoryPool) -> OwnedFd {
    let mut file = -1_i32;
    call!(cuMemPoolExportToShareableHandle((&raw mut file).cast(), pool, FILE, 0));
    // SAFETY: the driver has created the descriptor for this program, and nothing else owns it.
    unsafe { OwnedFd::from_raw_fd(file) }
}

fn imported(file: &OwnedFd) -> CUmemoryPool {
    let (mut pool, file) = (null_mut(), without_provenance_mut(file.as_raw_fd() as usize));
    call!(cuMemPoolImportFromShareableHandle(&raw mut pool, file, FILE, 0));
    pool
}

fn exported_address(address: CUdeviceptr) -> CUmemPoolPtrExportData {
    let mut data = CUmemPoolPtrExportData { reserved: [0; 64] };
    call!(cuMemPoolExportPointer(&raw mut data, address));
    data
}

fn imported_address(pool: CUmemoryPool, mut data: CUmemPoolPtrExportData) -> Result<CUdeviceptr, CUresult> {
    let mut address = 0;
    match code!(cuMemPoolImportPointer(&raw mut address, pool, &raw mut data)) {
        DONE => Ok(address),
        code => Err(code),
    }
}

/// Returns an attribute of an address, or `None` if the driver refuses the query.
fn attribute(attribute: CUpointer_attribute, address: CUdeviceptr) -> Option<u64> {
    let mut value = 0_u64;
    code!(cuPointerGetAttribute((&raw mut value).cast(), attribute, address)).is_success().then_some(value)
}

macro_rules! needs_host_pools {
    () => {
        let device = cuda_suite::device();
        if !crate::is_since(13, 0)
            || !device.host_numa_memory_pools_supported().unwrap()
            || device.mempool_supported_handle_types().unwrap() & 1 == 0
        {
            skip!("pools of the host are not shared");
        }
    };
}

#[test]
fn pool_of_the_host_is_imported() {
    use std::sync::atomic::Ordering::Relaxed;

    let context = cuda_suite::context();
    let _entered = context.enter().unwrap();
    needs_host_pools!();
    let pool = host_pool();
    let memory = host_memory(pool);
    word(memory).store(41, Relaxed);
    let import = imported(&exported(pool));
    assert_ne!(import, pool);
    let data = exported_address(memory);
    let same = imported_address(import, data).unwrap();
    assert_ne!(same, memory);
    assert_eq!(word(same).load(Relaxed), 41);
    word(same + 8).store(42, Relaxed);
    assert_eq!(word(memory + 8).load(Relaxed), 42);
    // Memory of the host can be imported only once at a time.
    assert_eq!(imported_address(import, data), Err(CUresult::CUDA_ERROR_ALREADY_MAPPED));
    let mut more = 0;
    assert_eq!(code!(cuMemAllocFromPoolAsync(&raw mut more, 64, import, null_mut())), INVALID);
    let host = CUmemorytype_enum::CU_MEMORYTYPE_HOST.0.into();
    let of = |number| attribute(number, same);
    assert_eq!(of(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MEMORY_TYPE), Some(host));
    assert_eq!(of(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_HOST_POINTER), Some(same));
    assert_eq!(of(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_RANGE_SIZE), Some(SIZE as u64));
    let handle = of(CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE);
    assert_eq!(handle, Some(import.addr() as u64));
    // Devices have no access at first. Each of the two pools has access flags of its own.
    let own = location(CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE, cuda_suite::device().as_raw());
    let node = location(CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST_NUMA, 0);
    let access = |pool, mut location| {
        let mut flags = CUmemAccess_flags(9);
        call!(cuMemPoolGetAccess(&raw mut flags, pool, &raw mut location));
        flags.0
    };
    for pool in [pool, import] {
        assert_eq!([access(pool, own), access(pool, node)], [0, 3]);
    }
    let pointer = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_DEVICE_POINTER;
    assert_eq!(of(pointer), None);
    let flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    let wanted = CUmemAccessDesc { location: own, flags };
    call!(cuMemPoolSetAccess(import, &raw const wanted, 1));
    assert_eq!([access(import, own), access(pool, own)], [3, 0]);
    assert_eq!((of(pointer), attribute(pointer, memory)), (Some(same), None));
    call!(cuMemsetD32_v2(same + 16, 43, 1));
    call!(cuCtxSynchronize());
    assert_eq!(word(memory + 16).load(Relaxed), 43);
    // The exported memory lasts without the import.
    call!(cuMemFreeAsync(same, null_mut()));
    call!(cuStreamSynchronize(null_mut()));
    assert_eq!(code!(cuMemFreeAsync(same, null_mut())), INVALID);
    assert_eq!(word(memory + 16).load(Relaxed), 43);
    call!(cuMemPoolDestroy(import));
    call!(cuMemFreeAsync(memory, null_mut()));
    call!(cuStreamSynchronize(null_mut()));
    call!(cuMemPoolDestroy(pool));
}

#[test]
fn another_process_uses_a_pool_of_the_host() {
    {
        let context = cuda_suite::context();
        let _entered = context.enter().unwrap();
        needs_host_pools!();
    }
    play("host-pool");
}

fn lend_host(other: &mut Other) {
    use std::sync::atomic::Ordering::Relaxed;

    let context = cuda_suite::context();
    let _entered = context.enter().unwrap();
    let pool = host_pool();
    let memory = host_memory(pool);
    word(memory).store(1000, Relaxed);
    let path: PathBuf = std::env::temp_dir().join(format!("cuda-suite-host-pool-{}", std::process::id()));
    let listener = UnixListener::bind(&path).unwrap();
    other.say(path.to_str().unwrap());
    let (socket, _) = listener.accept().unwrap();
    std::fs::remove_file(&path).unwrap();
    send(&socket, exported(pool).as_fd());
    other.say_bytes(&exported_address(memory).reserved);
    other.expect("written");
    assert_eq!(word(memory + 4).load(Relaxed), 1001);
    // Memory that is allocated after the other process has imported the pool.
    let second = host_memory(pool);
    word(second).store(2000, Relaxed);
    other.say_bytes(&exported_address(second).reserved);
    other.expect("closed");
    for memory in [memory, second] {
        call!(cuMemFreeAsync(memory, null_mut()));
    }
    call!(cuStreamSynchronize(null_mut()));
    call!(cuMemPoolDestroy(pool));
}

fn borrow_host(other: &mut Other) {
    use std::sync::atomic::Ordering::Relaxed;

    let context = cuda_suite::context();
    let _entered = context.enter().unwrap();
    let socket = UnixStream::connect(other.hear()).unwrap();
    let pool = imported(&receive(&socket));
    let data = |bytes| CUmemPoolPtrExportData { reserved: bytes };
    let memory = imported_address(pool, data(other.hear_bytes())).unwrap();
    assert_eq!(word(memory).load(Relaxed), 1000);
    word(memory + 4).store(1001, Relaxed);
    other.say("written");
    let second = imported_address(pool, data(other.hear_bytes())).unwrap();
    assert_eq!(word(second).load(Relaxed), 2000);
    for memory in [memory, second] {
        call!(cuMemFreeAsync(memory, null_mut()));
    }
    call!(cuStreamSynchronize(null_mut()));
    call!(cuMemPoolDestroy(pool));
    other.say("closed");
}
