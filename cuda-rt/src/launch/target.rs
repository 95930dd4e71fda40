//! Targets of launches.

use crate::access::AccessProbes;
use crate::context::Context;
use crate::error::Result;
use crate::event::Event;
use crate::module::Function;
use crate::stream::{AsStream, Handle, may_be_capturing};
use cuda_sys::CUstream;

/// Target of a launch: a stream, which runs the kernel, or a [`Capture`](crate::graph::Capture), which makes a node of a graph.
///
/// Each [`AsStream`] is a target. The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "kernels are not launched on a `{Self}`",
    label = "neither a stream nor a `graph::Capture`"
)]
pub trait LaunchTarget: sealed::Target {}

pub(crate) mod sealed {
    use super::{AccessProbes, CUstream, Context, Event, Function, Result};

    pub trait Target {
        /// Returns the stream for the driver call.
        #[doc(hidden)]
        fn raw_stream(&self) -> CUstream;

        /// Returns the context of the stream.
        #[doc(hidden)]
        fn target_context(&self) -> &Context;

        /// Returns whether the stream is being captured, if that is known without a driver call.
        #[doc(hidden)]
        fn known_capture(&self) -> Option<bool>;

        /// Prepares for a launch that records these events.
        #[doc(hidden)]
        fn prepare_events(&self, events: &[&Event]) -> Result<()>;

        /// Keeps alive the function's module, and the owners that arguments name, as long as a
        /// graph can repeat the launch. Does nothing on a stream. Called before the launch.
        #[doc(hidden)]
        #[inline(always)]
        fn keep(&self, function: &Function, arguments: &AccessProbes<'_>) -> Result<()> {
            let _ = (function, arguments);
            Ok(())
        }
    }
}

impl<S: AsStream> sealed::Target for S {
    #[inline(always)]
    fn raw_stream(&self) -> CUstream {
        self.raw()
    }

    #[inline(always)]
    fn target_context(&self) -> &Context {
        self.context()
    }

    #[inline(always)]
    fn known_capture(&self) -> Option<bool> {
        (!may_be_capturing(self)).then_some(false)
    }

    /// If other code captures the stream, the events become parts of the capture.
    fn prepare_events(&self, events: &[&Event]) -> Result<()> {
        events.iter().try_for_each(|event| event.expose_if_captured(self))
    }
}

impl<S: AsStream> LaunchTarget for S {}
