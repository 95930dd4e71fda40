//! Host slices as arguments of a launch.

#![allow(unsafe_code)]

use super::launch_args::sealed::LaunchArg;
use crate::access::AccessProbe;
use crate::error::Result;
use crate::list::CollectVec;
use crate::memory::{DeviceBuf, DevicePtr, copy_with_host_ranges, host_range};
use crate::stream::{AsStream, Stream};
use bytemuck::{AnyBitPattern, NoUninit};
use core::ffi::c_void;
use cuda_sys::Symbol;

/// Host memory that a kernel reads: an argument of [`Launch::launch`](super::Launch::launch).
///
/// The launch copies it to new device memory before the kernel runs. The kernel takes a pointer to that memory. The
/// elements have no padding: `T` implements [`NoUninit`]. Pass numbers by value instead:
///
/// ```compile_fail,E0308
/// let count = cuda_rt::launch::In(7_u32);
/// ```
#[doc(alias = "cuMemcpyHtoD")]
#[derive(Debug, Clone, Copy)]
pub struct In<'host, T>(pub &'host [T]);

/// Host memory that a kernel writes: an argument of [`Launch::launch`](super::Launch::launch).
///
/// The launch overwrites it with new device memory after the kernel has run. That memory is uninitialised before, as with
/// [`DeviceBuf::uninit`]. If the kernel does not write all of it, use [`InOut`]. Every bit pattern is a valid element:
/// `T` implements [`AnyBitPattern`]. The memory is borrowed mutably:
///
/// ```compile_fail,E0308
/// let numbers = [1.0_f32, 2.0];
/// let out = cuda_rt::launch::Out(&numbers);
/// ```
#[doc(alias = "cuMemcpyDtoH")]
#[derive(Debug)]
pub struct Out<'host, T>(pub &'host mut [T]);

/// Host memory that a kernel reads and writes: an argument of [`Launch::launch`](super::Launch::launch).
///
/// The launch copies it to new device memory before the kernel runs, and back afterwards. `T` implements [`NoUninit`]
/// and [`AnyBitPattern`].
#[doc(alias("cuMemcpyHtoD", "cuMemcpyDtoH"))]
#[derive(Debug)]
pub struct InOut<'host, T>(pub &'host mut [T]);

/// Copies of host memory for a launch.
#[derive(Debug)]
pub struct HostTransfers<'stream> {
    launch: Symbol,
    /// The stream of the launch, if there is host memory.
    stream: Option<&'stream Stream>,
    list: Vec<Transfer>,
}

#[derive(Debug)]
struct Transfer {
    /// Valid as long as the arguments of the launch: for reads of initialised bytes if `read`, and exclusively for writes of any
    /// bytes if `written`.
    host: *mut c_void,
    device: DeviceBuf<u8>,
    read: bool,
    written: bool,
}

impl<'stream> HostTransfers<'stream> {
    /// `launch` is the function that launches the kernel.
    pub(super) fn new(launch: Symbol) -> Self {
        HostTransfers { launch, stream: None, list: Vec::new() }
    }

    /// Allocates device memory for host memory, which [`Transfer`] describes.
    fn add<T>(
        &mut self,
        stream: &'stream Stream,
        host: *mut T,
        bytes: usize,
        read: bool,
        written: bool,
    ) -> Result<DevicePtr<T>> {
        if self.stream.is_none() {
            // Otherwise the kernel would be in the graph before a copy is refused.
            stream.refuse_capture(self.launch)?;
            self.stream = Some(stream);
        }
        let device = DeviceBuf::<u8>::uninit(stream, bytes)?;
        let address = device.ptr().cast();
        if bytes > 0 {
            self.list.push(Transfer { host: host.cast(), device, read, written });
        }
        Ok(address)
    }

    /// Copies the memory that the kernel reads to the device. Waits for the copies.
    pub(super) fn upload(&self) -> Result<()> {
        let list: Vec<&Transfer> = self.list.iter().filter(|transfer| transfer.read).collect_vec();
        let Some(stream) = self.stream.filter(|_| !list.is_empty()) else { return Ok(()) };
        lend(stream, &list, Symbol::cuMemcpyHtoDAsync_v2, &|Transfer { host, device, .. }| {
            let (to, bytes, on) = (device.ptr().as_raw(), device.len(), stream.raw());
            // SAFETY: the device memory is of this size and lives on this stream. The host memory is valid for reads of as many
            // initialised bytes, and lent until the copy is done.
            unsafe { inline_check!(cuMemcpyHtoDAsync_v2(to, host.cast_const(), bytes, on)) }
        })
    }

    /// Copies the memory that the kernel has written to the host. Waits for all work on the stream, even if there is no copy. So
    /// a failure of the kernel is noticed before a copy to page-locked memory begins.
    pub(super) fn download(&self) -> Result<()> {
        let list: Vec<&Transfer> = self.list.iter().filter(|transfer| transfer.written).collect_vec();
        let Some(stream) = self.stream else { return Ok(()) };
        lend(stream, &list, Symbol::cuMemcpyDtoHAsync_v2, &|Transfer { host, device, .. }| {
            let (from, bytes, on) = (device.ptr().as_raw(), device.len(), stream.raw());
            // SAFETY: the device memory is of this size and lives on this stream. The host memory is valid for writes of as
            // many bytes of any value, borrowed mutably, and lent until the copy is done.
            unsafe { inline_check!(cuMemcpyDtoHAsync_v2(*host, from, bytes, on)) }
        })
    }
}

/// Runs `copy` for each transfer, and waits. The memory is lent to the driver meanwhile.
fn lend(
    stream: &Stream,
    list: &[&Transfer],
    call: Symbol,
    copy: &dyn Fn(&Transfer) -> Result<()>,
) -> Result<()> {
    let hosts: Vec<_> = list
        .iter()
        .map(|transfer| host_range(transfer.host.cast_const(), transfer.device.len()))
        .collect_vec();
    copy_with_host_ranges(stream, &hosts, call, &|| list.iter().try_for_each(|transfer| copy(transfer)))
}

/// A stream on which new device memory can live: a [`Stream`], or a reference to one.
///
/// A [`PerThreadStream`](crate::stream::PerThreadStream) is not allowed, because it is another stream in every thread.
#[diagnostic::on_unimplemented(
    message = "host memory is no argument of a launch on a `{Self}`",
    label = "host memory needs a `Stream`",
    note = "the device memory lives on the stream until it is freed, and other streams may end before"
)]
pub trait HomeStream: AsStream {
    #[doc(hidden)]
    fn home_stream(&self) -> &Stream;
}

impl HomeStream for Stream {
    fn home_stream(&self) -> &Stream {
        self
    }
}

impl<S: HomeStream + ?Sized> HomeStream for &S {
    fn home_stream(&self) -> &Stream {
        S::home_stream(self)
    }
}

macro_rules! host_slices {
    ($($wrapper:ident: $($bound:ident)+, |$memory:ident| $pointer:expr, $read:literal $written:literal;)*) => {$(
        impl<S: HomeStream + ?Sized, T: $($bound +)+> LaunchArg<S> for $wrapper<'_, T> {
            type Parameter = DevicePtr<T>;
            type Order<'s> = () where Self: 's, S: 's;
            const IS_HOST_MEMORY: bool = true;

            /// The new device memory belongs to the context of the launch.
            fn probe(&self, _: usize, _: &mut dyn FnMut(AccessProbe<'_>)) {}

            fn into_parameter<'s>(
                self,
                stream: &'s S,
                transfers: &mut HostTransfers<'s>,
            ) -> Result<(DevicePtr<T>, ())>
            where
                Self: 's,
            {
                let $memory = self.0;
                let bytes = size_of_val($memory);
                Ok((transfers.add(stream.home_stream(), $pointer, bytes, $read, $written)?, ()))
            }
        }
    )*};
}
host_slices! {
    // No code writes through it.
    In: NoUninit, |memory| memory.as_ptr().cast_mut(), true false;
    Out: AnyBitPattern, |memory| memory.as_mut_ptr(), false true;
    InOut: NoUninit AnyBitPattern, |memory| memory.as_mut_ptr(), true true;
}
