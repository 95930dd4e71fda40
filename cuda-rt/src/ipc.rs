//! Memory and events that several processes of one computer share.
//!
//! | type | stands for |
//! |---|---|
//! | [`IpcMemHandle`] | a buffer of another process, as bytes |
//! | [`IpcEventHandle`] | an event of another process, as bytes |
//!
//! A process makes a handle of a [buffer](crate::DeviceBuf::ipc_handle) or an [event](Event::ipc_handle), and sends the bytes of
//! the handle to other processes, for instance through a pipe. Another process opens the handle as a
//! [buffer](crate::DeviceBuf::from_ipc_handle) of the same memory, or as an [event](Event::from_ipc_handle) with the same
//! state.
//!
//! Opening a handle is `unsafe`. The bytes are trusted, the buffer or event must stay alive, and no borrow orders the uses of
//! several processes. Events order them: one process records an event after its work, and the other process makes its stream wait
//! for the event. An event does not show whether it was recorded already: the processes must exchange this by other means.
//!
//! A handle can be opened only in another process, but not in a child that was forked after the driver was initialised. Sharing
//! needs Linux or Windows, and a device whose attribute
//! [`IPC_EVENT_SUPPORTED`](crate::device::DeviceAttribute::IPC_EVENT_SUPPORTED) is not 0.
//!
//! ```
//! # let (context, stream) = cuda_doc::stream()?;
//! use cuda_rt::{DeviceBuf, Event};
//! use cuda_rt::event::EventFlags;
//! use cuda_rt::memory::MemorySource;
//!
//! let numbers = DeviceBuf::<f32>::zeroed_in(&stream, 1000, MemorySource::Plain)?;
//! let ready = Event::with_flags(&context, EventFlags::INTERPROCESS | EventFlags::DISABLE_TIMING)?;
//! ready.record(&stream)?;
//! let (memory, event) = (numbers.ipc_handle()?, ready.ipc_handle()?);
//! # let mut to_other_process = Vec::new();
//! # use std::io::Write;
//! to_other_process.write_all(memory.as_bytes())?;
//! to_other_process.write_all(event.as_bytes())?;
//! // ... keep `numbers` and `ready` until the other process no longer uses them
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The other process:
//!
//! ```no_run
//! # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
//! # let stream = cuda_rt::Stream::new(&context)?;
//! # let mut from_other_process = std::io::stdin();
//! use cuda_rt::{DeviceBuf, Event};
//! use cuda_rt::ipc::{IpcEventHandle, IpcMemHandle};
//! use std::io::Read;
//!
//! let (mut memory, mut event) = ([0; 64], [0; 64]);
//! from_other_process.read_exact(&mut memory)?;
//! from_other_process.read_exact(&mut event)?;
//! let (memory, event) = (IpcMemHandle::from_bytes(memory), IpcEventHandle::from_bytes(event));
//! // SAFETY: made by a process that keeps the event while this one has it.
//! let ready = unsafe { Event::from_ipc_handle(&context, &event) }?;
//! stream.wait_event(&ready)?;
//! // SAFETY: made by a process that keeps the memory, and does not use it meanwhile; its work on it is waited for.
//! let numbers = unsafe { DeviceBuf::<f32>::from_ipc_handle(&stream, &memory, 1000) }?;
//! println!("{:?}", numbers.to_vec()?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(unsafe_code)]

use crate::context::Context;
use crate::error::{Code, OrDetail, Result};
use crate::event::Event;
use crate::handle::made;
use core::fmt;
use core::ptr::null_mut;
use cuda_sys::{CUipcEventHandle, CUipcMemHandle, Symbol};

/// For errors.
pub(crate) const HANDLE_OF_THIS_PROCESS: &str = "the handle is of this process; open it in another one";

macro_rules! handle {
    ($(#[$attribute:meta])* $name:ident($raw:ident)) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name([u8; Self::SIZE]);

        impl $name {
            /// The size of a handle in bytes.
            #[doc(alias = "CU_IPC_HANDLE_SIZE")]
            pub const SIZE: usize = cuda_sys::CU_IPC_HANDLE_SIZE as usize;

            /// Makes a handle of bytes that come from [`as_bytes`](Self::as_bytes) in another process.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use cuda_rt::ipc::", stringify!($name), ";")]
            #[doc = concat!("let handle = ", stringify!($name), "::from_bytes([7; 64]);")]
            /// assert_eq!(handle.as_bytes(), &[7; 64]);
            /// ```
            pub const fn from_bytes(bytes: [u8; Self::SIZE]) -> Self {
                Self(bytes)
            }

            /// Returns the bytes, to be sent to another process. Only the driver knows their meaning.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use cuda_rt::ipc::", stringify!($name), ";")]
            #[doc = concat!("let handle = ", stringify!($name), "::from_bytes([7; 64]);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_bytes(*handle.as_bytes()), handle);")]
            /// ```
            pub const fn as_bytes(&self) -> &[u8; Self::SIZE] {
                &self.0
            }

            pub(crate) fn from_raw(raw: $raw) -> Self {
                Self(bytemuck::cast(raw.reserved))
            }

            pub(crate) fn to_raw(self) -> $raw {
                $raw { reserved: bytemuck::cast(self.0) }
            }
        }

        impl AsRef<[u8]> for $name {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, concat!(stringify!($name), "("))?;
                self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))?;
                formatter.write_str(")")
            }
        }
    };
}

handle! {
    /// A buffer of a process, as bytes for other processes. Returned by [`DeviceBuf::ipc_handle`](crate::DeviceBuf::ipc_handle),
    /// opened by [`DeviceBuf::from_ipc_handle`](crate::DeviceBuf::from_ipc_handle).
    #[doc(alias = "CUipcMemHandle")]
    IpcMemHandle(CUipcMemHandle)
}

handle! {
    /// An event of a process, as bytes for other processes. Returned by [`Event::ipc_handle`], opened by
    /// [`Event::from_ipc_handle`].
    #[doc(alias = "CUipcEventHandle")]
    IpcEventHandle(CUipcEventHandle)
}

impl Event {
    /// Returns a handle with which other processes can [open](Event::from_ipc_handle) the event. The event must have the flag
    /// [`INTERPROCESS`](crate::event::EventFlags::INTERPROCESS). Wraps `cuIpcGetEventHandle`.
    ///
    /// The program must keep the event as long as another process has it open.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidHandle`]: the event does not have the flag, or comes from
    ///   [`from_ipc_handle`](Event::from_ipc_handle).
    /// - [`Code::NotSupported`]: the device or the system cannot share events.
    /// - [`Code::OutOfMemory`] or [`Code::MapFailed`].
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Event;
    /// use cuda_rt::event::EventFlags;
    ///
    /// let shared = Event::with_flags(&context, EventFlags::INTERPROCESS | EventFlags::DISABLE_TIMING)?;
    /// let bytes: [u8; 64] = *shared.ipc_handle()?.as_bytes();
    /// assert!(Event::new(&context)?.ipc_handle().is_err());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuIpcGetEventHandle")]
    pub fn ipc_handle(&self) -> Result<IpcEventHandle> {
        let _bound = self.context().bind(Symbol::cuIpcGetEventHandle)?;
        let mut raw = CUipcEventHandle::default();
        // SAFETY: `raw` is valid for a write, the event is live, and its context current.
        unsafe { check!(cuIpcGetEventHandle(&raw mut raw, self.raw())) }
            .or_detail(&[Code::InvalidHandle], &|| "the event must be made with INTERPROCESS".to_owned())?;
        Ok(IpcEventHandle::from_raw(raw))
    }

    /// Opens an event of another process. Both processes may record it, and wait for it. The event cannot measure times. Wraps
    /// `cuIpcOpenEventHandle`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidContext`]: the event belongs to this process.
    /// - [`Code::MapFailed`]: the bytes are not a handle.
    /// - [`Code::PeerAccessUnsupported`]: the event belongs to a device that this device cannot access.
    /// - [`Code::NotSupported`]: the device or the system cannot share events.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// - The bytes come from [`Event::ipc_handle`] in another process, which keeps that event at least as long as the returned
    ///   event is used. A later use is undefined behaviour.
    /// - The two processes trust each other: each can record the event for which the other one waits.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Event;
    /// use cuda_rt::error::Code;
    /// use cuda_rt::event::EventFlags;
    ///
    /// let shared = Event::with_flags(&context, EventFlags::INTERPROCESS | EventFlags::DISABLE_TIMING)?;
    /// // SAFETY: the event is kept; but it is this process's own.
    /// let error = unsafe { Event::from_ipc_handle(&context, &shared.ipc_handle()?) }.unwrap_err();
    /// assert_eq!(error.code(), Some(Code::InvalidContext));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuIpcOpenEventHandle")]
    pub unsafe fn from_ipc_handle(context: &Context, handle: &IpcEventHandle) -> Result<Event> {
        let bound = context.bind(Symbol::cuIpcOpenEventHandle)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, the context current; the handle is the caller's promise.
        let opened = unsafe { check!(cuIpcOpenEventHandle(&raw mut raw, handle.to_raw())) };
        drop(bound);
        let opened = opened.or_detail(&[Code::InvalidContext], &|| HANDLE_OF_THIS_PROCESS.to_owned());
        // SAFETY: the call has opened the event for this value alone.
        made(opened, !raw.is_null(), || unsafe { Event::from_own_raw(raw, context) })
    }
}
