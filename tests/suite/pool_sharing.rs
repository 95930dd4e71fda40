//! Memory pools that two processes share. The processes are those of `ipc`.

use crate::ipc::{Other, Part, play};
use cuda_rt::memory::{MemPool, MemPoolOptions, MemPoolPtr, ShareableHandleTypes};
use cuda_rt::{Context, Device, DeviceBuf, Stream};
use cuda_suite::skip;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;

pub(super) const PARTS: &[Part] = &[Part { name: "pool", owner: lend, user: borrow }];

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

/// Receives one.
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
    // Memory that the pool takes after the other process has imported it.
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
