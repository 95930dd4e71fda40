//! A link state, and what the driver uses as long as it is there.

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
    /// The driver writes there in every call. There until the state is destroyed, and left to the driver if that fails.
    arguments: Option<JitArguments>,
    context: Context,
}

// SAFETY: a `CUlinkState` is not bound to a thread. It must not be used by several at a time, and is not: it is neither
// `Sync`, as it is a pointer, nor handed out but for calls that take `&mut` of it.
unsafe impl Send for State {}

impl State {
    /// Of a handle, whatever `cuLinkCreate` has answered beside it.
    pub(super) fn new(raw: CUlinkState, arguments: JitArguments, context: &Context) -> State {
        State { raw, arguments: Some(arguments), context: context.clone() }
    }

    pub(super) fn raw(&self) -> CUlinkState {
        self.raw
    }

    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// What the driver has said so far.
    pub(super) fn log(&self) -> JitLog {
        self.arguments.as_ref().map(JitArguments::log).unwrap_or_default()
    }

    /// Returns an error, with what the driver has said.
    #[cold]
    pub(super) fn failed(&self, error: Error) -> Error {
        match &self.arguments {
            Some(arguments) => arguments.failed(error),
            None => error,
        }
    }

    /// Returns the error of an input, with what the driver has said since `before`, and what is wrong with the code if
    /// that is seen.
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

    /// If it fails, the link state may still exist, and use its buffers.
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
