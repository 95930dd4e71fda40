//! Launching kernels.
//!
//! A [`Kernel`] is a [`Function`] with argument types. The types are compared with the kernel once,
//! when it is looked up; a launch checks nothing, and allocates nothing. If the driver refuses a
//! launch, the limits are looked at afterwards, to say in the error which one was hit.
//!
//! | | launches |
//! |---|---|
//! | [`Kernel::launch`] | with typed arguments, of which 16 are the most |
//! | [`Kernel::launch_with`] | the same with [attributes](LaunchAttributes): clusters, priorities, an early begin |
//! | [`Kernel::launch_cooperative`] | all blocks at the same time |
//! | [`Kernel::launch_timed`] | and takes the time |
//! | [`Kernel::launch_checked`] | after a look at whether the kernel can reach its memory |
//! | [`Kernel::call`] | with host memory, which is copied there and back, and waits |
//! | [`Kernel::prepare`] | many times with the same shape |
//! | [`Function::launch_packed`] | with arguments that are known when the program runs, as many as the kernel has |
//! | [`Function::launch_raw`] | with a list of addresses, as C has it |
//!
//! # From PyCUDA
//!
//! | PyCUDA | here |
//! |---|---|
//! | `function(a, b, block=, grid=, stream=, shared=)` | [`Kernel::launch`], [`LaunchConfig`] |
//! | `texrefs=`, `param_set_texref` | nothing: a kernel has what the [references](crate::texture::TexRef) of its module are bound to |
//! | `time_kernel=True`, `prepared_timed_call` | [`Kernel::launch_timed`] |
//! | `numpy.int32(n)` and its like; structures as `numpy.void` | numbers; [`KernelArg`], [`ByValue`] |
//! | a bare `int`, which is refused | the types are those of the [`Kernel`] |
//! | `DeviceAllocation`, `int(allocation) + offset` | [`DeviceBuf::ptr`](crate::DeviceBuf::ptr), [`DeviceBuf::slice`](crate::DeviceBuf::slice), [`DevicePtr::add`](crate::DevicePtr::add) |
//! | `driver.In`, `driver.Out`, `driver.InOut` | [`Kernel::call`] with [`In`], [`Out`], [`InOut`], on the stream of the launch |
//! | classes derived from `ArgumentHandler` | none: copy before and after the launch |
//! | `prepare("PPi")`, `prepared_call`, `prepared_async_call` | [`Function::typed`], [`Kernel::prepare`], [`PreparedKernel::launch`]. The grid and the block are set once, by `prepare`; [`Kernel::launch`] takes them per call |
//! | the types `F` and `D` of `prepare`, complex numbers | a structure with `repr(C)` and the alignment of the kernel's type, with [`KernelArg`] |
//! | `Function.lmem`, `smem`, `registers` (deprecated); `local_size_bytes`, `shared_size_bytes`, `num_regs` | [`Function::local_size_bytes`], [`Function::shared_size_bytes`], [`Function::num_regs`] |
//! | `Function.get_attribute` | [`Function::attribute`], or a method for each attribute |
//! | `param_set`, `launch_grid` | [`PackedArgs`], [`Function::launch_packed`] |

#![allow(unsafe_code)]

mod args;
mod attribute_set;
mod attribute_values;
mod attributes;
mod checked;
mod clusters;
mod config;
mod explain;
mod extended;
mod handlers;
mod multi_device;
mod packed;
mod prepared;
mod raw;
mod signature;
mod timed;
mod typed;

pub use args::{ByValue, KernelArg, KernelArgs, Parameter};
pub use attribute_set::LaunchAttributeSet;
pub use attribute_values::{
    AccessPolicyWindow, AccessProperty, MemSyncDomain, PortableClusters, SharedMemoryMode,
};
pub use attributes::LaunchAttributes;
pub use checked::{Arg, LaunchArg, LaunchArgs};
pub use config::LaunchConfig;
pub use explain::{Axis, LaunchProblem};
pub use handlers::{CallArg, CallArgs, In, InOut, Out};
#[allow(deprecated)] // CUDA deprecates it
pub use multi_device::{MultiDeviceFlags, launch_cooperative_multi_device};
pub use packed::PackedArgs;
pub use prepared::PreparedKernel;
pub use signature::SignatureMismatch;
pub use timed::PendingTime;

use signature::compare;

use crate::access::AccessCheck;
use crate::error::{Error, Result};
use crate::module::Function;
use crate::stream::AsStream;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::null_mut;
use cuda_sys::Symbol;
use raw::look_before;

/// A kernel with its argument types.
///
/// ```
/// # let context = cuda_doc::context()?;
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
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// The same kernel, whose launches look at the memory of their arguments so.
    #[must_use]
    pub fn with_access_check(self, check: AccessCheck) -> Kernel<A> {
        Kernel { function: self.function.with_access_check(check), _args: PhantomData }
    }

    /// Puts the kernel on a stream. Wraps `cuLaunchKernel`.
    ///
    /// # Blocking
    ///
    /// Does not wait for the kernel; a full queue may hold the host up.
    ///
    /// # Errors
    ///
    /// - [`Driver`](crate::error::ErrorKind::Driver) if the driver refuses, with what is wrong as far as it can be told. It may
    ///   also report an earlier [sticky](crate::error::Code::is_sticky) failure. What the kernel does wrong
    ///   itself is reported later, by whatever waits for it.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if kernel and stream do not belong together.
    /// - [`AccessDenied`](crate::error::ErrorKind::AccessDenied) if the kernel is one that [looks](crate::access::AccessCheck) at
    ///   the memory of its arguments, and that is out of reach.
    ///
    /// # Safety
    ///
    /// A kernel is foreign code: nothing here looks at what it does.
    ///
    /// - With this configuration and these arguments it must only touch memory that is its own to
    ///   touch: allocated, of the size that it takes it for, and initialised where it reads.
    /// - What it writes must be a valid value of the element type of the buffer that it writes to, and
    ///   nobody may read or write that memory meanwhile: no other kernel, no copy.
    /// - What it reads nobody may write meanwhile, unless all of them do so by atomic or volatile operations of sufficient
    ///   scope. Variables of its module are memory, too: a [copy to one](crate::module::Global::copy_from_host) on another stream
    ///   is a write.
    /// - A buffer whose home is another stream must be ordered with this launch both ways, by events:
    ///   what was queued there comes before, and what comes there later (its being freed when it is
    ///   dropped, too) waits for the kernel. [`DeviceBuf::use_on`](crate::DeviceBuf::use_on) gives a guard that does both, if
    ///   the launch comes while it lives, and it is dropped, and not forgotten.
    /// - Events are not enough for [plain](crate::memory::MemorySource::Plain) memory, pitched memory and arrays of another device: the
    ///   driver takes the kernel's access away before it waits. They are freed only after the host has waited for the kernel.
    ///   A guard of [`DeviceBuf::use_on`](crate::DeviceBuf::use_on) sees to that, too.
    /// - What the [texture](crate::texture::TexRef) and [surface](crate::surface::SurfRef) references of its module are bound
    ///   to counts as memory that it uses, for all of the above. It is what is bound when this is called, and nobody
    ///   changes a reference meanwhile.
    /// - If the launch [looks](crate::access::AccessCheck) at its memory: addresses in `args` that are of device memory are of
    ///   memory that nobody frees, and whose context nobody ends, until this returns. The end of a buffer may be the begin of
    ///   another one, which counts then, and so does the address of a view of no elements. Others do no harm.
    /// - A [texture](crate::texture::TexObject) or [surface object](crate::surface::SurfObject) is of the kernel's
    ///   context, and lives until the kernel has ended.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::module()?;
    /// # let function = module.function("nothing")?;
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
    ///
    /// Arguments of other types do not compile:
    ///
    /// ```compile_fail,E0308
    /// # use cuda_rt::{DevicePtr, Kernel, LaunchConfig, Result, Stream};
    /// fn other(scale: &Kernel<(DevicePtr<f32>, u32)>, stream: &Stream, data: DevicePtr<f64>) -> Result<()> {
    ///     // SAFETY: for the sake of the example.
    ///     unsafe { scale.launch(LaunchConfig::new(1, 1), stream, (data, 7)) }
    /// }
    /// ```
    ///
    /// Nor do those that a kernel cannot have:
    ///
    /// ```compile_fail,E0277
    /// # use cuda_rt::{Function, Kernel, Result};
    /// fn host_memory(function: &Function) -> Result<Kernel<(&'static [f32], u32)>> {
    ///     function.typed()
    /// }
    /// ```
    #[doc(alias = "cuLaunchKernel")]
    // Else the compiler leaves it a function of its own, and a launch takes half as many instructions again.
    #[inline(always)]
    pub unsafe fn launch(&self, config: LaunchConfig, stream: &impl AsStream, args: A) -> Result<()> {
        let function = &self.function;
        if !function.is_unlooked_on(stream.context())
            && let Some(error) = self.look(stream, &args)
        {
            return Err(*error);
        }
        let mut pointers = args.pointers();
        let pointers = pointers.as_mut().as_mut_ptr();
        // SAFETY: the pointers are of arguments as many and as large as the function's parameters, and the stream is of its
        // context. The rest is the caller's promise.
        unsafe { raw::launch(function, config, stream, pointers, null_mut()) }
    }

    /// Apart, since most launches do not come here, and with a small answer, to keep them short.
    #[cold]
    #[inline(never)]
    fn look(&self, stream: &impl AsStream, args: &A) -> Option<Box<Error>> {
        look_before(&self.function, stream, Symbol::cuLaunchKernel, |look| args.look(look))
            .err()
            .map(Box::new)
    }
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
