//! Link states, and the memory that the driver uses with them.

#![allow(unsafe_code)]

use crate::context::{Context, ContextRequirement, release_in};
use crate::error::{Error, Result};
use crate::handle::{DriverHandle, Releasing};
use crate::module::jit::{JitArguments, JitLog};
use crate::module::jit_diagnostics::Source;
use crate::module::load::explained;
use core::mem::ManuallyDrop;
use cuda_sys::{CUlinkState, Symbol};

/// A `CUlinkState`, with the buffers for its messages and the list of its options' values.
pub(super) struct State {
    raw: CUlinkState,
    /// Memory that the driver writes to in every call. Kept until the state is destroyed, and left to the driver if that fails.
    arguments: Option<JitArguments>,
    context: Context,
}

// SAFETY: a `CUlinkState` is not bound to a thread, but only one thread at a time may use it. This
// holds: `State` is not `Sync`, because it contains a raw pointer. `Linker` passes the pointer to
// the driver only in methods that take `&mut self` or `self`.
unsafe impl Send for State {}

impl State {
    /// Creates the owner of a handle, which may be null. `cuLinkCreate` may also have returned an
    /// error.
    pub(super) fn new(raw: CUlinkState, arguments: JitArguments, context: &Context) -> State {
        State { raw, arguments: Some(arguments), context: context.clone() }
    }

    pub(super) fn raw(&self) -> CUlinkState {
        self.raw
    }

    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the driver's messages so far.
    pub(super) fn log(&self) -> JitLog {
        self.arguments.as_ref().map(JitArguments::log).unwrap_or_default()
    }

    /// Adds the driver's messages to an error.
    #[cold]
    pub(super) fn failed(&self, error: Error) -> Error {
        match &self.arguments {
            Some(arguments) => arguments.failed(error),
            None => error,
        }
    }

    /// Returns the error of an input, with the driver's messages since `before`, and the diagnosis of the code if there is one.
    #[cold]
    pub(super) fn refused(
        &self,
        error: Error,
        input: &str,
        before: &JitLog,
        code: Option<Source<'_>>,
    ) -> Error {
        let Some(arguments) = &self.arguments else { return error };
        let error = arguments.failed_with(error, arguments.log().since(before), Some(input));
        match code.filter(|_| arguments.is_for_device()) {
            Some(code) => explained(error, code, Some(&self.context)),
            None => error,
        }
    }
}

impl DriverHandle for State {
    fn release_call(&self) -> Symbol {
        Symbol::cuLinkDestroy
    }

    /// Destroys the link state. If the call fails, leaks its buffers, because the driver may still
    /// use them.
    fn release(&mut self, _: Releasing) -> Result<()> {
        let destroyed =
            release_in(&self.context, ContextRequirement::None, Symbol::cuLinkDestroy, &mut |_| {
                // SAFETY: the owner releases the link state once, and does not use it afterwards.
                unsafe { check!(cuLinkDestroy(self.raw)) }
            });
        if destroyed.is_err() {
            let _leaked = ManuallyDrop::new(self.arguments.take());
        }
        destroyed
    }
}
