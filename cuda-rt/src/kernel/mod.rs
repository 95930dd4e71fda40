//! Launching kernels.
//!
//! A [`Kernel`] is a [`Function`] with argument types. The types are compared with the kernel once,
//! when it is looked up; a launch checks nothing, and allocates nothing. If the driver refuses a
//! launch, the limits are looked at afterwards, to say in the error which one was hit.

#![allow(unsafe_code)]

mod args;
mod config;
mod explain;
mod signature;

pub use args::{KernelArg, KernelArgs, Parameter};
pub use config::LaunchConfig;
pub use explain::{Axis, LaunchProblem};
pub use signature::SignatureMismatch;

use crate::error::{Error, InvalidArgument, Result, from_call};
use crate::module::Function;
use crate::stream::AsStream;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::null_mut;
use cuda_sys::{CUresult, Symbol, cuLaunchKernel};

/// A kernel with its argument types.
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};
///
/// let module = Module::from_ptx(&context, "
///     .version 6.4
///     .target sm_50
///     .address_size 64
///     .visible .entry fill(.param .u64 out, .param .u32 value) {
///         .reg .b64 %a<3>;
///         .reg .b32 %r<3>;
///         ld.param.u64 %a0, [out];
///         ld.param.u32 %r0, [value];
///         mov.u32 %r1, %tid.x;
///         mul.wide.u32 %a1, %r1, 4;
///         add.u64 %a2, %a0, %a1;
///         st.global.u32 [%a2], %r0;
///         ret;
///     }
/// ")?;
/// let fill = module.function("fill")?.typed::<(DevicePtr<u32>, u32)>()?;
///
/// let stream = Stream::new(&context)?;
/// let out = DeviceBuf::<u32>::zeroed(&stream, 8)?;
/// // SAFETY: 8 threads write the 8 elements of `out`, which lives on the same stream.
/// unsafe { fill.launch(LaunchConfig::new(1, 8), &stream, (out.ptr(), 7)) }?;
/// assert_eq!(out.to_vec()?, [7; 8]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub struct Kernel<A> {
    function: Function,
    // Arguments are passed to it, not kept in it.
    _args: PhantomData<fn(A)>,
}

impl<A: KernelArgs> Kernel<A> {
    /// The function has parameters of the number and the sizes that `A` has.
    pub(crate) fn new(function: Function) -> Kernel<A> {
        Kernel { function, _args: PhantomData }
    }

    /// The kernel without its types.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # let function = module.function("nothing")?;
    /// let kernel = function.typed::<()>()?;
    /// assert_eq!(kernel.function().name(), "nothing");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Puts the kernel on a stream. Wraps `cuLaunchKernel`.
    ///
    /// # Blocking
    ///
    /// Does not wait for the kernel; a full queue may hold the host up.
    ///
    /// # Errors
    ///
    /// - [`Error::Launch`] if the driver refuses, with what is wrong as far as it can be told. It may
    ///   also report an earlier [sticky](crate::Code::is_sticky) failure. What the kernel does wrong
    ///   itself is reported later, by whatever waits for it.
    /// - [`InvalidArgument::DifferentContexts`] if kernel and stream do not belong together.
    ///
    /// # Safety
    ///
    /// A kernel is foreign code: nothing here looks at what it does.
    ///
    /// - With this configuration and these arguments it must only touch memory that is its own to
    ///   touch: allocated, of the size that it takes it for, and initialised where it reads.
    /// - What it writes must be a valid value of the element type of the buffer that it writes to, and
    ///   nobody may read or write that memory meanwhile: no other kernel, no copy.
    /// - A buffer whose home is another stream must be ordered with this launch both ways, by events:
    ///   what was queued there comes before, and what comes there later (its being freed when it is
    ///   dropped, too) waits for the kernel.
    /// - What the [texture](crate::texture::TexRef) and [surface](crate::surface::SurfRef) references of its module are bound
    ///   to counts as memory that it uses, for all of the above. It is what is bound when this is called, and nobody
    ///   changes a reference meanwhile.
    /// - A [texture](crate::texture::TexObject) or [surface object](crate::surface::SurfObject) is of the kernel's
    ///   context, and lives until the kernel has ended.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # let function = module.function("nothing")?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
    /// use cuda_rt::LaunchConfig;
    ///
    /// let kernel = function.typed::<()>()?;
    /// // SAFETY: the kernel touches nothing.
    /// unsafe { kernel.launch(LaunchConfig::new(2, 32), &stream, ()) }?;
    /// // SAFETY: as above.
    /// let refused = unsafe { kernel.launch(LaunchConfig::new(2, 4096), &stream, ()) }.unwrap_err();
    /// assert!(refused.to_string().ends_with("4096 threads along x, the device allows 1024"));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLaunchKernel")]
    // Else the compiler leaves it a function of its own, and a launch takes half as many instructions again.
    #[inline(always)]
    pub unsafe fn launch(&self, config: LaunchConfig, stream: &impl AsStream, args: A) -> Result<()> {
        let function = &self.function;
        // Special handles mean the current context's stream, which must not be the wrong one.
        if stream.context() != function.context() {
            return Err(not_together());
        }
        let bound = function.context().bind()?;
        let LaunchConfig { grid, block, shared_bytes } = config;
        let launched = args.with_pointers(|pointers| {
            // SAFETY: function and stream are live and of the current context. The pointers are of
            // arguments as many and as large as the function's parameters. The caller answers for
            // what the kernel does with them.
            unsafe {
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
                    pointers,
                    null_mut(),
                )
            }
        });
        drop(bound);
        // The code, and not yet an error, which would go through memory on its way here.
        if launched.is_success() { Ok(()) } else { self.refused(&config, launched) }
    }

    #[cold]
    #[inline(never)]
    fn refused(&self, config: &LaunchConfig, launched: CUresult) -> Result<()> {
        match from_call(Symbol::cuLaunchKernel, launched) {
            Err(Error::Driver(source)) => Err(explain::explain(&self.function, config, source)),
            outcome => outcome,
        }
    }
}

#[cold]
fn not_together() -> Error {
    InvalidArgument::DifferentContexts { first: "the kernel", second: "the stream" }.into()
}

impl<A> Clone for Kernel<A> {
    fn clone(&self) -> Self {
        Self { function: self.function.clone(), _args: PhantomData }
    }
}

impl<A> fmt::Debug for Kernel<A> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Kernel").field("function", &self.function).finish()
    }
}
