//! Streams of green contexts.

#![allow(unsafe_code)]

use super::owner::Kind;
use super::{Stream, StreamFlags, call_on};
use crate::error::{Code, OrDetail, Result};
use crate::green::{GreenContext, SmResource};
use crate::handle::made;
use core::ptr::null_mut;
use cuda_sys::{CUdevResource, CUdevResourceType, Symbol};

impl GreenContext {
    /// Creates a stream whose kernels run on the multiprocessors of the green context, with the default priority. Wraps
    /// `cuGreenCtxStreamCreate`.
    ///
    /// The stream belongs to the [primary context](GreenContext::context) like any other stream, and can use all memory, modules
    /// and events of that context. It is [non-blocking](StreamFlags::NON_BLOCKING), and keeps the green context alive.
    ///
    /// [`Graph::capture`](crate::graph::Graph::capture) captures on a stream of its own. Unsafe code may capture this stream [by
    /// its handle](Stream::as_raw). Such code promises that the green context stays alive as long as the graph, a clone or an
    /// executable graph exists.
    ///
    /// If a graph is launched on the stream, its kernels run where they were captured: on all multiprocessors.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.5.
    /// - [`Code::OutOfMemory`].
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::{Device, green::GreenContext};
    /// let green = GreenContext::new(&Device::get(0)?.sm_resource()?)?;
    /// let stream = green.stream()?;
    /// assert_eq!(stream.green_context(), Some(&green));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuGreenCtxStreamCreate")]
    pub fn stream(&self) -> Result<Stream> {
        self.stream_with_priority(0)
    }

    /// Creates a stream with a priority; lower numbers go first. See [`Stream::with_priority`]. Wraps `cuGreenCtxStreamCreate`.
    ///
    /// # Errors
    ///
    /// Same as [`stream`](GreenContext::stream).
    #[doc(alias = "cuGreenCtxStreamCreate")]
    pub fn stream_with_priority(&self, priority: i32) -> Result<Stream> {
        let bound = self.context().bind(Symbol::cuGreenCtxStreamCreate)?;
        let mut raw = null_mut();
        let flags = StreamFlags::NON_BLOCKING.bits();
        // SAFETY: `raw` is valid for a write, and the green context is live.
        let created = unsafe { check!(cuGreenCtxStreamCreate(&raw mut raw, self.as_raw(), flags, priority)) };
        drop(bound);
        made(created, !raw.is_null(), || {
            Stream::wrap_in(raw, Kind::Owned, self.context(), Some(self.clone()))
        })
    }
}

impl Stream {
    /// Returns the green context in which this crate [created](GreenContext::stream) the stream.
    ///
    /// [`StreamInfo`](super::StreamInfo) has the green context of streams of other code.
    pub fn green_context(&self) -> Option<&GreenContext> {
        self.0.green.as_ref()
    }

    /// Returns the multiprocessors on which kernels of the stream run. Since CUDA 13.1; not run on hardware. Wraps
    /// `cuStreamGetDevResource`.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 13.1.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// use cuda_rt::error::ErrorKind;
    ///
    /// match stream.sm_resource() {
    ///     Err(error) if error.kind() == ErrorKind::FunctionMissing => println!("{error}"), // an older driver
    ///     all => assert_eq!(all?.count(), context.sm_resource()?.count()),
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamGetDevResource")]
    pub fn sm_resource(&self) -> Result<SmResource> {
        let mut resource = CUdevResource::default();
        let (place, kind) = (&raw mut resource, CUdevResourceType::CU_DEV_RESOURCE_TYPE_SM);
        call_on(self, Symbol::cuStreamGetDevResource, || {
            // SAFETY: the stream is live, and its context current if the handle does not name it; the place is valid for a write.
            unsafe { check!(cuStreamGetDevResource(self.raw(), place, kind)) }
        })
        .or_detail(&[Code::InvalidResourceType], &|| "multiprocessors".to_owned())?;
        SmResource::of_stream(resource, self.context(), self.green_context(), Symbol::cuStreamGetDevResource)
    }
}
