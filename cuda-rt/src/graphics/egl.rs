//! Images, streams and sync objects of EGL. With the feature `egl`.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`EglConsumer`] | CUDA as the consumer of an EGL stream | `cuEGLStreamConsumerDisconnect` |
//! | [`EglFrame`] | a frame that the consumer has acquired | `cuEGLStreamConsumerReleaseFrame` |
//! | [`EglProducer`] | CUDA as the producer of an EGL stream | `cuEGLStreamProducerDisconnect` |
//! | [`FrameLocation`] | the memory in which the consumer wants its frames | – |
//!
//! Frames are the driver's own structure, [`CUeglFrame`]: arrays or addresses. Other functions of this crate use them only after
//! they are wrapped, for instance by [`Array::from_raw_with_owner`](crate::Array::from_raw_with_owner).
//!
//! Resources of EGL images are mapped as long as they are registered. [`GraphicsResource::map`] refuses them;
//! [`GraphicsResource::egl_frame`] returns the image without a mapping.

#![allow(unsafe_code)]

use super::{GraphicsResource, RegisterFlags};
use crate::context::{Context, ContextRequirement, CurrentContextGuard, different_contexts, release_in};
use crate::error::{Code, Error, OrDetail, Result};
use crate::event::{Event, EventFlags};
use crate::handle::{
    DriverHandle, Owned, Releasing, ensure_not_in_host_function, is_forked_child, made, report,
};
use crate::stream::Stream;
use core::ffi::{c_int, c_uint};
use core::fmt;
use core::mem::ManuallyDrop;
use core::ptr::null_mut;
use core::time::Duration;
use cuda_sys::{
    CUDA_EGL_INFINITE_TIMEOUT, CUeglFrame, CUeglResourceLocationFlags_enum as Location,
    CUeglStreamConnection, CUgraphicsResource, EGLImageKHR, EGLStreamKHR, EGLSyncKHR, Symbol,
};

impl GraphicsResource {
    /// Registers an image of EGL. The image is mapped from the start. Wraps `cuGraphicsEGLRegisterImage`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: images of EGL do not take the flags.
    /// - [`Code::UnknownError`]: the image is null.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// - `image` is null, or a live image of EGL. The memory behind it stays allocated as long as the resource is registered.
    /// - Other users of the image and work of CUDA are made to wait for each other.
    #[doc(alias("cuGraphicsEGLRegisterImage", "cudaGraphicsEGLRegisterImage"))]
    pub unsafe fn egl_image(
        context: &Context,
        image: EGLImageKHR,
        flags: RegisterFlags,
    ) -> Result<GraphicsResource> {
        GraphicsResource::register(context, Symbol::cuGraphicsEGLRegisterImage, |raw| {
            // SAFETY: `raw` is valid for a write, and the context is current. The caller answers for the image.
            unsafe { inline_check!(cuGraphicsEGLRegisterImage(raw, image, flags.bits())) }
                .or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()))
        })
    }

    /// Returns the arrays or addresses of an image of EGL. They are valid as long as the resource is registered. Wraps
    /// `cuGraphicsResourceGetMappedEglFrame`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): [`egl_image`](Self::egl_image) did not make the resource.
    /// - [`Code::InvalidValue`]: the image has no such layer or level.
    /// - An earlier failure.
    #[doc(alias("cuGraphicsResourceGetMappedEglFrame", "cudaGraphicsResourceGetMappedEglFrame"))]
    pub fn egl_frame(&self, layer: u32, level: u32) -> Result<CUeglFrame> {
        ensure_not_in_host_function(Symbol::cuGraphicsResourceGetMappedEglFrame)?;
        if !self.0.is_always_mapped {
            let text = "the resource is not of EGL; register the image by `GraphicsResource::egl_image`";
            return Err(Error::invalid_for(
                Symbol::cuGraphicsResourceGetMappedEglFrame,
                format_args!("{text}"),
            ));
        }
        frame_of(self.as_raw(), self.context(), layer, level)
    }
}

fn frame_of(resource: CUgraphicsResource, context: &Context, layer: u32, level: u32) -> Result<CUeglFrame> {
    let _bound = context.bind(Symbol::cuGraphicsResourceGetMappedEglFrame)?;
    let mut frame = CUeglFrame::default();
    // SAFETY: `frame` is valid for a write; the resource is live.
    unsafe { inline_check!(cuGraphicsResourceGetMappedEglFrame(&raw mut frame, resource, layer, level)) }?;
    Ok(frame)
}

impl Event {
    /// Makes an event from a sync object of EGL. The event can be waited for, but not recorded, and takes no times. Only drivers
    /// for Linux on aarch64 have the function. Wraps `cuEventCreateFromEGLSync`.
    ///
    /// Not run on hardware.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the system is another one.
    /// - [`Code::InvalidValue`]: there are flags other than [`BLOCKING_SYNC`](EventFlags::BLOCKING_SYNC).
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// `sync` is a live sync object of EGL, and stays so as long as the event is used, except for dropping it.
    #[doc(alias("cuEventCreateFromEGLSync", "cudaEventCreateFromEGLSync"))]
    pub unsafe fn from_egl_sync(context: &Context, sync: EGLSyncKHR, flags: EventFlags) -> Result<Event> {
        let bound = context.bind(Symbol::cuEventCreateFromEGLSync)?;
        let mut raw = null_mut();
        // SAFETY: `raw` is valid for a write, and the context is current. The caller answers for the sync object.
        let made_of = unsafe { inline_check!(cuEventCreateFromEGLSync(&raw mut raw, sync, flags.bits())) };
        drop(bound);
        let made_of = made_of.or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", flags.bits()));
        // SAFETY: the driver made the event for this call, and no other code has its handle.
        made(made_of, !raw.is_null(), || unsafe { Event::from_own_raw(raw, context) })
    }
}

/// The memory in which the consumer of an EGL stream wants its frames.
#[doc(alias = "CUeglResourceLocationFlags")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FrameLocation {
    /// Host memory.
    #[doc(alias = "CU_EGL_RESOURCE_LOCATION_SYSMEM")]
    System,
    /// Device memory.
    #[doc(alias = "CU_EGL_RESOURCE_LOCATION_VIDMEM")]
    Video,
}

/// One end of an EGL stream.
struct Connection {
    raw: CUeglStreamConnection,
    context: Context,
    produces: bool,
}

// SAFETY: the connection names an object that the driver locks by itself; it is not bound to a thread.
unsafe impl Send for Connection {}

impl DriverHandle for Connection {
    fn release_call(&self) -> Symbol {
        if self.produces {
            Symbol::cuEGLStreamProducerDisconnect
        } else {
            Symbol::cuEGLStreamConsumerDisconnect
        }
    }

    fn release(&mut self, _: Releasing) -> Result<()> {
        let (call, raw) = (self.release_call(), &raw mut self.raw);
        release_in(&self.context, ContextRequirement::Current, call, &mut |_| {
            if self.produces {
                // SAFETY: `raw` is valid for a read and a write. The owner releases the connection once.
                unsafe { inline_check!(cuEGLStreamProducerDisconnect(raw)) }
            } else {
                // SAFETY: as above.
                unsafe { inline_check!(cuEGLStreamConsumerDisconnect(raw)) }
            }
        })
    }
}

impl Connection {
    fn connect(
        context: &Context,
        call: Symbol,
        connect: impl FnOnce(*mut CUeglStreamConnection) -> Result<()>,
    ) -> Result<Owned<Connection>> {
        let bound = context.bind(call)?;
        let mut raw = null_mut();
        let connected = connect(&raw mut raw);
        drop(bound);
        let produces = call == Symbol::cuEGLStreamProducerConnect;
        made(connected, !raw.is_null(), || Owned::new(Connection { raw, context: context.clone(), produces }))
    }

    /// Makes the context current for a call on `stream`, which is of the same context and not being captured.
    fn call_on(&self, stream: &Stream, call: Symbol) -> Result<CurrentContextGuard> {
        if &self.context != stream.context() {
            return Err(different_contexts(
                call,
                [("the connection", &self.context), ("the stream", stream.context())],
            ));
        }
        stream.refuse_capture(call)?;
        self.context.bind(call)
    }
}

/// CUDA as the consumer of an EGL stream. Dropping it disconnects CUDA from the stream.
pub struct EglConsumer(Owned<Connection>);

impl EglConsumer {
    /// Connects to a stream that has no consumer. Without a location, the driver chooses memory of the device. Wraps
    /// `cuEGLStreamConsumerConnect`, with a location `cuEGLStreamConsumerConnectWithFlags`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidHandle`]: the stream is null.
    /// - [`Code::UnknownError`]: the stream has a consumer.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// `stream` is null, or a live stream of EGL, which is not destroyed before the consumer is disconnected. A consumer that is
    /// dropped inside a host function is disconnected later, by another thread.
    #[doc(alias(
        "cuEGLStreamConsumerConnect",
        "cuEGLStreamConsumerConnectWithFlags",
        "cudaEGLStreamConsumerConnect"
    ))]
    pub unsafe fn connect(
        context: &Context,
        stream: EGLStreamKHR,
        location: Option<FrameLocation>,
    ) -> Result<EglConsumer> {
        let flags = location.map(|location| match location {
            FrameLocation::System => Location::CU_EGL_RESOURCE_LOCATION_SYSMEM.0,
            FrameLocation::Video => Location::CU_EGL_RESOURCE_LOCATION_VIDMEM.0,
        });
        let connection = match flags {
            None => Connection::connect(context, Symbol::cuEGLStreamConsumerConnect, |raw| {
                // SAFETY: `raw` is valid for a write. The caller answers for the stream.
                unsafe { inline_check!(cuEGLStreamConsumerConnect(raw, stream)) }
            }),
            Some(flags) => Connection::connect(context, Symbol::cuEGLStreamConsumerConnectWithFlags, |raw| {
                // SAFETY: as above.
                unsafe { inline_check!(cuEGLStreamConsumerConnectWithFlags(raw, stream, flags)) }
            }),
        };
        connection.map(EglConsumer)
    }

    /// Acquires the next frame of the stream, for work on `stream`. Without a `timeout`, waits as long as needed. Wraps
    /// `cuEGLStreamConsumerAcquireFrame`.
    ///
    /// # Blocking
    ///
    /// Until the producer presents a frame, or `timeout` has passed. The timeout is rounded down to whole microseconds,
    /// and to at most 4,294,967,294 of them.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the stream belongs to another context.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - [`Code::LaunchTimeout`] or [`Code::UnknownError`]: `timeout` has passed without a frame.
    /// - [`Code::UnknownError`]: the producer is disconnected, or an earlier frame is still acquired.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// A producer is, or was, connected to the EGL stream. The documentation does not say what a driver does otherwise.
    #[doc(alias("cuEGLStreamConsumerAcquireFrame", "cudaEGLStreamConsumerAcquireFrame"))]
    pub unsafe fn acquire<'consumer>(
        &'consumer mut self,
        stream: &'consumer Stream,
        timeout: Option<Duration>,
    ) -> Result<EglFrame<'consumer>> {
        const CALL: Symbol = Symbol::cuEGLStreamConsumerAcquireFrame;
        let most = CUDA_EGL_INFINITE_TIMEOUT - 1;
        let micros = |timeout: Duration| timeout.as_micros().try_into().unwrap_or(most).min(most);
        let micros: c_uint = timeout.map_or(CUDA_EGL_INFINITE_TIMEOUT, micros);
        let bound = self.0.call_on(stream, CALL)?;
        let (mut connection, mut resource, mut queue) = (self.0.raw, null_mut(), stream.raw());
        // SAFETY: all are valid for reads and writes; the connection and the stream are live, and the caller answers for the
        // producer.
        let acquired = unsafe {
            inline_check!(cuEGLStreamConsumerAcquireFrame(
                &raw mut connection,
                &raw mut resource,
                &raw mut queue,
                micros
            ))
        };
        drop(bound);
        made(acquired, !resource.is_null(), || EglFrame { consumer: self, resource, stream })
    }

    /// Disconnects from the stream, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuEGLStreamConsumerDisconnect`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias("cuEGLStreamConsumerDisconnect", "cudaEGLStreamConsumerDisconnect"))]
    pub fn disconnect(self) -> Result<()> {
        self.0.close()
    }
}

/// A frame that CUDA has acquired from an EGL stream. Dropping it releases the frame to the EGL stream, after the work that was
/// queued on the stream of the frame.
///
/// A frame that is forgotten stays acquired until the consumer is dropped.
pub struct EglFrame<'consumer> {
    consumer: &'consumer mut EglConsumer,
    resource: CUgraphicsResource,
    stream: &'consumer Stream,
}

impl EglFrame<'_> {
    /// Returns the arrays or addresses of the frame. They are valid until the frame is released. Wraps
    /// `cuGraphicsResourceGetMappedEglFrame`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias("cuGraphicsResourceGetMappedEglFrame", "cudaGraphicsResourceGetMappedEglFrame"))]
    pub fn planes(&self, layer: u32, level: u32) -> Result<CUeglFrame> {
        frame_of(self.resource, &self.consumer.0.context, layer, level)
    }

    /// Releases the frame, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuEGLStreamConsumerReleaseFrame`.
    ///
    /// # Errors
    ///
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured. The frame then stays
    ///   acquired until the consumer is disconnected, even if the frame is dropped.
    /// - An earlier failure.
    #[doc(alias("cuEGLStreamConsumerReleaseFrame", "cudaEGLStreamConsumerReleaseFrame"))]
    pub fn release(self) -> Result<()> {
        ManuallyDrop::new(self).give_back()
    }

    fn give_back(&mut self) -> Result<()> {
        const CALL: Symbol = Symbol::cuEGLStreamConsumerReleaseFrame;
        let _bound = self.consumer.0.call_on(self.stream, CALL)?;
        let (mut connection, mut queue) = (self.consumer.0.raw, self.stream.raw());
        // SAFETY: both are valid for reads and writes; the frame was acquired on this connection, and is released once.
        unsafe {
            inline_check!(cuEGLStreamConsumerReleaseFrame(&raw mut connection, self.resource, &raw mut queue))
        }
    }
}

impl Drop for EglFrame<'_> {
    fn drop(&mut self) {
        if !is_forked_child() {
            report(self.give_back());
        }
    }
}

/// CUDA as the producer of an EGL stream. Dropping it disconnects CUDA from the stream.
pub struct EglProducer(Owned<Connection>);

impl EglProducer {
    /// Connects to a stream that has a consumer and no producer, for frames of this size. Wraps `cuEGLStreamProducerConnect`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidHandle`]: the stream is null.
    /// - [`Code::UnknownError`]: the stream has no consumer, or has a producer.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// `stream` is null, or a live stream of EGL, which is not destroyed before the producer is disconnected. A producer that is
    /// dropped inside a host function is disconnected later, by another thread.
    #[doc(alias("cuEGLStreamProducerConnect", "cudaEGLStreamProducerConnect"))]
    pub unsafe fn connect(
        context: &Context,
        stream: EGLStreamKHR,
        width: c_int,
        height: c_int,
    ) -> Result<EglProducer> {
        let call = Symbol::cuEGLStreamProducerConnect;
        let connect = |raw: *mut CUeglStreamConnection| {
            // SAFETY: `raw` is valid for a write. The caller answers for the stream.
            unsafe { inline_check!(cuEGLStreamProducerConnect(raw, stream, width, height)) }
        };
        Connection::connect(context, call, connect).map(EglProducer)
    }

    /// Presents a frame to the consumer, after the work of `stream`. Wraps `cuEGLStreamProducerPresentFrame`.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the stream belongs to another context.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): the stream is being captured.
    /// - [`Code::InvalidValue`]: the stream does not accept the frame.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// - The arrays or addresses of the frame are of this context, and as large as the frame says.
    /// - They stay allocated until the frame has been [returned](Self::return_frame), or the producer is disconnected. Until
    ///   then, no other code writes to them.
    #[doc(alias("cuEGLStreamProducerPresentFrame", "cudaEGLStreamProducerPresentFrame"))]
    pub unsafe fn present(&mut self, frame: &CUeglFrame, stream: &Stream) -> Result<()> {
        let _bound = self.0.call_on(stream, Symbol::cuEGLStreamProducerPresentFrame)?;
        let (mut connection, mut queue) = (self.0.raw, stream.raw());
        // SAFETY: both are valid for reads and writes; the caller answers for the frame.
        unsafe { inline_check!(cuEGLStreamProducerPresentFrame(&raw mut connection, *frame, &raw mut queue)) }
    }

    /// Returns a frame that the consumer has released. Later work of `stream` may write to the frame. Wraps
    /// `cuEGLStreamProducerReturnFrame`.
    ///
    /// # Errors
    ///
    /// - [`Code::LaunchTimeout`]: the consumer has released no frame.
    /// - Otherwise same as [`present`](Self::present).
    #[doc(alias("cuEGLStreamProducerReturnFrame", "cudaEGLStreamProducerReturnFrame"))]
    pub fn return_frame(&mut self, stream: &Stream) -> Result<CUeglFrame> {
        let _bound = self.0.call_on(stream, Symbol::cuEGLStreamProducerReturnFrame)?;
        let (mut connection, mut queue) = (self.0.raw, stream.raw());
        let mut frame = CUeglFrame::default();
        // SAFETY: all are valid for reads and writes; the connection and the stream are live.
        unsafe {
            inline_check!(cuEGLStreamProducerReturnFrame(&raw mut connection, &raw mut frame, &raw mut queue))
        }?;
        Ok(frame)
    }

    /// Disconnects from the stream, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuEGLStreamProducerDisconnect`.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    #[doc(alias("cuEGLStreamProducerDisconnect", "cudaEGLStreamProducerDisconnect"))]
    pub fn disconnect(self) -> Result<()> {
        self.0.close()
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (raw, context) = (&self.raw, &self.context);
        formatter.debug_struct("Connection").field("raw", raw).field("context", context).finish()
    }
}

impl fmt::Debug for EglConsumer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("EglConsumer").field(&self.0).finish()
    }
}

impl fmt::Debug for EglProducer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("EglProducer").field(&self.0).finish()
    }
}

impl fmt::Debug for EglFrame<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("EglFrame").field("resource", &self.resource).finish_non_exhaustive()
    }
}
