//! Launches with a list of addresses, and the driver call of plain launches.

#![allow(unsafe_code)]

use super::LaunchTarget;
use super::explain::{Asked, explain};
use super::{LaunchConfig, LaunchProblem, PackedArgs};
use crate::context::{Context, different_contexts};
use crate::error::{Code, Error, Result, from_call};
use crate::module::Function;
use core::ffi::c_void;
use core::ptr::null_mut;
use cuda_sys::{CUresult, CUstream, Symbol, cuLaunchKernel};

impl Function {
    /// Launches the kernel on `stream` with a list of the addresses of its arguments. Wraps `cuLaunchKernel` with
    /// `kernelParams`.
    ///
    /// The launch checks no access. [`Kernel::launch`](super::Kernel::launch) makes such a list from typed arguments.
    /// [`Function::with`] takes packed arguments.
    ///
    /// # Errors
    ///
    /// Same as [`Kernel::launch`](super::Kernel::launch).
    ///
    /// # Safety
    ///
    /// The conditions of [`Kernel::launch`](super::Kernel::launch). `arguments` has as many addresses as the kernel has
    /// parameters, in their order. Each is valid for reads of the size of its parameter, until this call returns. The list may be
    /// null for a kernel without parameters.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry store(.param .u64 out, .param .u32 value) {
    /// #     .reg .b64 %out; .reg .b32 %value; ld.param.u64 %out, [out]; ld.param.u32 %value, [value];
    /// #     st.global.u32 [%out], %value; ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::{DeviceBuf, LaunchConfig};
    ///
    /// let store = module.function("store")?; // (unsigned *out, unsigned value)
    /// let out = DeviceBuf::<u32>::zeroed(&stream, 1)?;
    /// let (mut address, mut value) = (out.ptr(), 7_u32);
    /// let mut arguments = [(&raw mut address).cast(), (&raw mut value).cast()];
    /// // SAFETY: the kernel takes a pointer and a number, and writes one number, on the stream where its place lives.
    /// unsafe { store.launch_raw(LaunchConfig::new(1, 1), &stream, arguments.as_mut_ptr()) }?;
    /// assert_eq!(out.to_vec()?, [7]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuLaunchKernel", "kernelParams"))]
    #[inline(always)]
    pub unsafe fn launch_raw(
        &self,
        config: LaunchConfig,
        stream: &impl LaunchTarget,
        arguments: *mut *mut c_void,
    ) -> Result<()> {
        // The handle of a default stream means that of the current context, which must not be another one.
        if stream.target_context() != self.context() {
            return Err(elsewhere(Symbol::cuLaunchKernel, self, stream.target_context()));
        }
        stream.keep(self, &|_| ())?;
        // SAFETY: the caller's promise; they have one context.
        unsafe { launch(self, config, place_of(stream), arguments, null_mut()) }
    }
}

/// Adds the reason to an error without a known reason, if the arguments have more bytes than the kernel's parameters.
#[cold]
pub(super) fn too_many_bytes(error: Error, function: &Function, arguments: &PackedArgs) -> Error {
    let Some(reason) = error.context::<LaunchProblem>().copied() else { return error };
    // The second code is the driver's answer in this case (measured).
    let unexplained = matches!(reason, LaunchProblem::Unknown { .. } | LaunchProblem::NotFound)
        && matches!(error.code(), Some(Code::InvalidValue | Code::LaunchOutOfResources));
    // Old drivers do not report parameters.
    let Some(Ok(parameters)) = unexplained.then(|| function.parameters()) else { return error };
    let taken = parameters.last().map_or(0, |last| last.offset.saturating_add(last.size));
    let given = arguments.size_bytes();
    if given <= taken {
        return error;
    }
    let number = |bytes| u32::try_from(bytes).unwrap_or(u32::MAX);
    LaunchProblem::PackedArguments { given: number(given), taken: number(taken) }
        .into_error(function.name(), error)
}

#[cold]
pub(super) fn elsewhere(call: Symbol, function: &Function, target: &Context) -> Error {
    different_contexts(call, [("the kernel", function.context()), ("the stream", target)])
}

/// Adds the reason to the error of a launch that the driver refused.
#[inline]
pub(super) fn explain_refusal(
    launched: Result<()>,
    function: &Function,
    asked: impl FnOnce() -> Asked,
) -> Result<()> {
    match launched {
        Err(error) => Err(explain(function, &asked(), error)),
        outcome => outcome,
    }
}

/// Returns the context and the handle of what a kernel is launched on.
#[inline(always)]
pub(super) fn place_of(target: &impl LaunchTarget) -> (&Context, CUstream) {
    (target.target_context(), target.raw_stream())
}

/// # Safety
///
/// Same as [`Function::launch_raw`], except that `extra` may be a list in the driver's form instead. The stream is of the
/// function's context.
#[inline(always)]
pub(super) unsafe fn launch(
    function: &Function,
    config: LaunchConfig,
    (context, stream): (&Context, CUstream),
    arguments: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Result<()> {
    // The context of the stream, which was just checked, is made current.
    let bound = context.bind_inline(Symbol::cuLaunchKernel)?;
    let LaunchConfig { grid, block, shared_bytes } = config;
    // SAFETY: function and stream are live and of the current context. The caller is responsible for the arguments, and for the
    // kernel's effects.
    let launched = unsafe {
        cuLaunchKernel(
            function.as_raw(),
            grid[0],
            grid[1],
            grid[2],
            block[0],
            block[1],
            block[2],
            shared_bytes,
            stream,
            arguments,
            extra,
        )
    };
    drop(bound);
    // The code, and not yet an error, which would go through memory here.
    if launched.is_success() { Ok(()) } else { refused(function, config, launched) }
}

#[cold]
#[inline(never)]
fn refused(function: &Function, config: LaunchConfig, launched: CUresult) -> Result<()> {
    explain_refusal(from_call(Symbol::cuLaunchKernel, launched), function, || config.into())
}
