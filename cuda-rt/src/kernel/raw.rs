//! Launches whose arguments the caller lays out.

#![allow(unsafe_code)]

use super::explain::{Asked, explain};
use super::{LaunchConfig, LaunchProblem, PackedArgs};
use crate::access::{AccessCheck, Looked, look_at_launch};
use crate::error::{Code, Error, Result, from_call};
use crate::module::Function;
use crate::stream::AsStream;
use core::ffi::c_void;
use core::ptr::null_mut;
use cuda_sys::{
    CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END, CUresult, Symbol,
    cuLaunchKernel,
};

impl Function {
    /// Puts the kernel on a stream, with a list of the addresses of its arguments, as C has it. Wraps `cuLaunchKernel` with
    /// `kernelParams`. [`Kernel::launch`](super::Kernel::launch) makes such a list of typed arguments.
    ///
    /// # Errors
    ///
    /// Same as [`Kernel::launch`](super::Kernel::launch).
    ///
    /// # Safety
    ///
    /// What [`Kernel::launch`](super::Kernel::launch) asks for; and `arguments` has as many addresses as the kernel has
    /// parameters, in their order, each valid for reads of as many bytes as its parameter has, until this returns. Null
    /// will do for a kernel without parameters.
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
        stream: &impl AsStream,
        arguments: *mut *mut c_void,
    ) -> Result<()> {
        if !self.is_unlooked_on(stream.context()) {
            same_context(self, stream)?;
        }
        // SAFETY: the caller's promise; they have one context.
        unsafe { launch(self, config, stream, arguments, null_mut()) }
    }

    /// Puts the kernel on a stream, with its arguments in one piece of memory. Wraps `cuLaunchKernel` with `extra`.
    ///
    /// For kernels whose parameters are known when the program runs, or that have more than 16 of them. See [`PackedArgs`],
    /// which can be compared with the kernel's parameters before.
    ///
    /// # Errors
    ///
    /// Same as [`Kernel::launch`](super::Kernel::launch). The driver refuses arguments of more bytes than the parameters
    /// have, and takes what is missing for zero (measured); [`PackedArgs::check`] tells which argument it is.
    ///
    /// # Safety
    ///
    /// What [`Kernel::launch`](super::Kernel::launch) asks for; and `arguments` are those of the kernel's parameters, in their
    /// order and of their types, so that each lies where the kernel looks for it. Those left out at the end may have
    /// any value (fact V959): the kernel has to do no harm with that, either. [`PackedArgs::check`] compares places and sizes, not types.
    #[doc(alias("cuLaunchKernel", "extra", "CU_LAUNCH_PARAM_BUFFER_POINTER", "CU_LAUNCH_PARAM_BUFFER_SIZE"))]
    pub unsafe fn launch_packed(
        &self,
        config: LaunchConfig,
        stream: &impl AsStream,
        arguments: &PackedArgs,
    ) -> Result<()> {
        look_before(self, stream, Symbol::cuLaunchKernel, |look| arguments.look(look))?;
        let (buffer, mut size) = arguments.buffer();
        let mut extra = [
            CU_LAUNCH_PARAM_BUFFER_POINTER,
            buffer.cast_mut().cast(),
            CU_LAUNCH_PARAM_BUFFER_SIZE,
            (&raw mut size).cast(),
            CU_LAUNCH_PARAM_END,
        ];
        // SAFETY: the list is as the driver has it: the buffer is of this size. They have one context. The rest is the
        // caller's promise.
        let launched = unsafe { launch(self, config, stream, null_mut(), extra.as_mut_ptr()) };
        launched.map_err(|error| too_many_bytes(error, self, arguments))
    }
}

/// Says of a launch that was refused for no limit whether the kernel's parameters have less bytes than the arguments.
#[cold]
fn too_many_bytes(error: Error, function: &Function, arguments: &PackedArgs) -> Error {
    let Some(reason) = error.context::<LaunchProblem>().copied() else { return error };
    // The second is what drivers answer for this (measured).
    let unexplained = matches!(reason, LaunchProblem::Unknown { .. } | LaunchProblem::NotFound)
        && matches!(error.code(), Some(Code::InvalidValue | Code::LaunchOutOfResources));
    // Old drivers do not tell of parameters.
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

/// Looks, before `call`, whether kernel and stream belong together, and at the memory that arguments name, if that is to be done.
///
/// The memory stays allocated meanwhile.
#[inline(always)]
pub(super) fn look_before(
    function: &Function,
    stream: &impl AsStream,
    call: Symbol,
    arguments: impl FnOnce(&mut dyn FnMut(Looked<'_>)),
) -> Result<()> {
    if function.is_unlooked_on(stream.context()) { Ok(()) } else { look(function, stream, call, arguments) }
}

/// Apart, since most launches do not come here.
#[cold]
#[inline(never)]
fn look(
    function: &Function,
    stream: &impl AsStream,
    call: Symbol,
    arguments: impl FnOnce(&mut dyn FnMut(Looked<'_>)),
) -> Result<()> {
    same_context(function, stream)?;
    match function.access_check() {
        AccessCheck::Relaxed => Ok(()),
        check => look_at_launch(function, check, stream, call, arguments),
    }
}

/// Special handles mean the current context's stream, which must not be the wrong one.
#[inline(always)]
pub(super) fn same_context(function: &Function, stream: &impl AsStream) -> Result<()> {
    if stream.context() == function.context() { Ok(()) } else { Err(not_together()) }
}

#[cold]
fn not_together() -> Error {
    Error::different_contexts(Symbol::cuLaunchKernel, "the kernel", "the stream")
}

/// What a launch came to, with what is wrong if the driver refused it.
#[inline]
pub(super) fn explained(
    launched: Result<()>,
    function: &Function,
    asked: impl FnOnce() -> Asked,
) -> Result<()> {
    match launched {
        Err(error) => Err(explain(function, &asked(), error)),
        outcome => outcome,
    }
}

/// # Safety
///
/// That of [`Function::launch_raw`], or `extra` is a list as the driver has it; and the stream is of the function's context.
#[inline(always)]
pub(super) unsafe fn launch(
    function: &Function,
    config: LaunchConfig,
    stream: &impl AsStream,
    arguments: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> Result<()> {
    // By the stream, whose context has just been looked at.
    let bound = stream.context().bind(Symbol::cuLaunchKernel)?;
    let LaunchConfig { grid, block, shared_bytes } = config;
    // SAFETY: function and stream are live and of the current context. The caller answers for the arguments, and for
    // what the kernel does with them.
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
            stream.as_raw(),
            arguments,
            extra,
        )
    };
    drop(bound);
    // The code, and not yet an error, which would go through memory on its way here.
    if launched.is_success() { Ok(()) } else { refused(function, config, launched) }
}

#[cold]
#[inline(never)]
fn refused(function: &Function, config: LaunchConfig, launched: CUresult) -> Result<()> {
    explained(from_call(Symbol::cuLaunchKernel, launched), function, || config.into())
}
