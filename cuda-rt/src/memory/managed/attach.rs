//! Attachment of managed memory to the host or to a stream.

#![allow(unsafe_code)]

use super::ManagedBuf;
use crate::context::different_contexts;
use crate::error::{Code, Error, OrDetail, Result};
use crate::memory::copy::new_mark;
use crate::stream::Stream;
use cuda_sys::{CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, CUmemAttach_flags_enum as C, Symbol};

/// Attachment of managed memory: the streams and processors that can use it.
///
/// The attachment matters only if a device lacks
/// [`CONCURRENT_MANAGED_ACCESS`](crate::device::DeviceAttribute::CONCURRENT_MANAGED_ACCESS).
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::ManagedBuf;
/// use cuda_rt::memory::MemAttach;
///
/// let mut numbers = ManagedBuf::<u32>::zeroed(&stream, 4, MemAttach::Host)?;
/// numbers.host_mut()?.fill(7); // legal on every device
/// numbers.attach(&stream, MemAttach::Single)?; // from here on for kernels of the stream
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUmemAttach_flags")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum MemAttach {
    /// All streams of all devices.
    #[doc(alias = "CU_MEM_ATTACH_GLOBAL")]
    #[default]
    Global,
    /// The host, and devices that allow concurrent access.
    #[doc(alias = "CU_MEM_ATTACH_HOST")]
    Host,
    /// One stream, the home stream of the buffer. The memory is allocated for the host, and attached to the stream afterwards.
    #[doc(alias = "CU_MEM_ATTACH_SINGLE")]
    Single,
}

impl MemAttach {
    pub(super) fn as_raw(self) -> u32 {
        match self {
            MemAttach::Global => C::CU_MEM_ATTACH_GLOBAL.0,
            MemAttach::Host => C::CU_MEM_ATTACH_HOST.0,
            MemAttach::Single => C::CU_MEM_ATTACH_SINGLE.0,
        }
    }
}

impl<T> ManagedBuf<T> {
    /// Changes the attachment of the memory, and makes `stream` its home stream. Wraps
    /// `cuStreamAttachMemAsync`.
    ///
    /// With [`Single`](MemAttach::Single), the memory is attached to `stream`.
    ///
    /// The call does not wait. The change takes effect in the order of `stream`, after the work
    /// queued on the previous home stream.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the contexts differ, or `attach` is
    ///   [`Single`](MemAttach::Single) and `stream` is a default stream.
    /// - [`StreamCapturing`](crate::error::ErrorKind::StreamCapturing): one of the streams is being captured.
    /// - An earlier failure.
    ///
    /// If the call fails, the home stream stays the same. If the driver itself failed, the attachment is unknown. Where
    /// attachment matters, the host cannot use the memory until a later call succeeds.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # use cuda_rt::{ManagedBuf, Stream};
    /// use cuda_rt::memory::MemAttach;
    ///
    /// let mut managed = ManagedBuf::from_host(&stream, &[1, 2, 3], MemAttach::Global)?;
    /// let other = Stream::new(&context)?;
    /// managed.attach(&other, MemAttach::Host)?;
    /// assert_eq!(managed.stream(), &other);
    /// assert_eq!(managed.host()?, [1, 2, 3]); // on every device
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuStreamAttachMemAsync")]
    pub fn attach(&mut self, stream: &Stream, attach: MemAttach) -> Result<()> {
        /// The length that stands for the whole allocation.
        const WHOLE: usize = 0;
        if stream.context() != self.stream().context() {
            return Err(different_contexts(
                Symbol::cuStreamAttachMemAsync,
                [("the memory", self.stream().context()), ("the stream", stream.context())],
            ));
        }
        let is_default = stream.raw().is_null()
            || stream.raw() == CU_STREAM_LEGACY
            || stream.raw() == CU_STREAM_PER_THREAD;
        if attach == MemAttach::Single && is_default {
            let text = "`MemAttach::Single` excludes default streams; use a stream that the program made";
            return Err(Error::invalid_for(Symbol::cuStreamAttachMemAsync, format_args!("{text}")));
        }
        if self.address == 0 {
            self.attached = Some(attach);
            self.memory.set_stream(stream);
            return Ok(());
        }
        stream.refuse_capture(Symbol::cuStreamAttachMemAsync)?;
        let _bound = stream.context().bind(Symbol::cuStreamAttachMemAsync)?;
        if stream != self.stream() {
            self.stream().refuse_capture(Symbol::cuStreamAttachMemAsync)?;
            new_mark(self.stream())?.record(self.stream()).and_then(|reached| stream.wait_event(reached))?;
        }
        self.attached = None;
        // SAFETY: the stream is live, and stays so as the memory's home stream; the memory is managed and allocated; the context
        // is current. The change is ordered after the work that is queued for the memory.
        unsafe {
            check!(cuStreamAttachMemAsync(stream.raw(), self.memory.address(), WHOLE, attach.as_raw()))
        }
        .or_detail(&[Code::InvalidValue], &|| format!("flags {:#x}", attach.as_raw()))?;
        self.attached = Some(attach);
        self.memory.set_stream(stream);
        Ok(())
    }
}
