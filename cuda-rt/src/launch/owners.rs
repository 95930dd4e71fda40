//! Borrowed device memory as arguments of a launch.

use super::host_slices::HostTransfers;
use super::launch_args::sealed::{self, LaunchArg};
use crate::access::{AccessProbe, Memory};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::memory::{DeviceBuf, DevicePtr, DeviceSlice, DeviceSliceMut, StreamOrder};
use crate::stream::{AsStream, Handle, Stream, captures, may_be_capturing};
use cuda_sys::Symbol;

impl sealed::Order for StreamOrder<'_> {
    #[inline(always)]
    fn end(self) -> Result<()> {
        self.close()
    }
}

/// Orders the stream of a launch with the home stream of memory that is borrowed for the call alone.
#[inline(always)]
fn order<'s>(home: &'s Stream, stream: &'s impl AsStream) -> Result<StreamOrder<'s>> {
    if may_be_capturing(stream) {
        refuse_capture(stream)?;
    }
    StreamOrder::begin(Some(home), stream, true)
}

/// A graph would outlive the borrow.
#[cold]
fn refuse_capture(stream: &impl AsStream) -> Result<()> {
    let call = Symbol::cuLaunchKernel;
    if captures(stream).map_err(|error| error.before(call))? {
        Err(Error::capturing(call, stream.raw()))
    } else {
        Ok(())
    }
}

macro_rules! owners {
    ($($type:ty: $view:expr;)*) => {$(
        /// Borrowed for the call. Work that uses or frees the memory later is queued on its home stream, after the kernel.
        impl<'memory, S: AsStream, T> LaunchArg<S> for $type {
            type Parameter = DevicePtr<T>;
            type Order<'s> = StreamOrder<'s> where Self: 's, S: 's;

            fn probe(&self, parameter: usize, probe: &mut dyn FnMut(AccessProbe<'_>)) {
                let name = core::any::type_name::<Self>();
                self.visit_origins(&mut |origin| probe(AccessProbe { parameter, name, origin, is_owned: true }));
            }

            #[inline(always)]
            fn is_foreign(&self, context: &Context) -> bool {
                self.stream().context() != context
            }

            #[inline(always)]
            fn into_parameter<'s>(
                self,
                stream: &'s S,
                _: &mut HostTransfers<'s>,
            ) -> Result<(DevicePtr<T>, StreamOrder<'s>)>
            where
                Self: 's,
            {
                let view = $view(self);
                Ok((view.ptr(), order(view.stream(), stream)?))
            }
        }
    )*};
}
owners! {
    &'memory DeviceBuf<T>: DeviceBuf::as_slice;
    &'memory mut DeviceBuf<T>: DeviceBuf::as_slice_mut;
    DeviceSlice<'memory, T>: core::convert::identity;
    DeviceSliceMut<'memory, T>: core::convert::identity;
}
