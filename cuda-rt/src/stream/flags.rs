//! Flags of streams.

use cuda_sys::CUstream_flags_enum as C;

flags! {
    /// Relation of a stream to the legacy default stream.
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Stream;
    /// use cuda_rt::stream::StreamFlags;
    ///
    /// let blocking = Stream::with_flags(&context, StreamFlags::DEFAULT)?;
    /// assert!(!blocking.flags()?.contains(StreamFlags::NON_BLOCKING));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "CUstream_flags")]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct StreamFlags {
        /// Blocking: the stream and the context's legacy default stream wait for each other.
        #[doc(alias = "CU_STREAM_DEFAULT")]
        const DEFAULT = C::CU_STREAM_DEFAULT.0;
        /// Non-blocking: the two streams do not wait for each other.
        #[doc(alias = "CU_STREAM_NON_BLOCKING")]
        const NON_BLOCKING = C::CU_STREAM_NON_BLOCKING.0;
        /// Flags of newer drivers.
        const _ = !0;
    }
}
