//! Launches that look at their memory.

#![allow(unsafe_code)]

use super::args::look_at;
use super::raw::{launch, same_context};
use super::{Kernel, KernelArg, KernelArgs, LaunchConfig};
use crate::access::{AccessCheck, Looked, Memory, look_at_launch};
use crate::error::Result;
use crate::memory::DevicePtr;
use crate::stream::AsStream;
use core::fmt;
use core::ptr::null_mut;
use cuda_sys::{CUdeviceptr, Symbol};

/// An argument together with what owns the memory that it names: an argument of [`Kernel::launch_checked`].
///
/// The owner says more than an address does, and the driver need not be asked: of a buffer which stream and pool it lives on,
/// of a view whose it is, of memory that [several pieces](crate::access::Parts) make up all of them.
///
/// See [`Kernel::launch_checked`] for an example.
pub struct Arg<'memory, T, M: ?Sized = dyn Memory + 'memory>(pub T, pub &'memory M);

impl<'memory, T> Arg<'memory, DevicePtr<T>, [T]> {
    /// The host's memory in place, for kernels that read it: its address, and its owner. Kernels reach it where
    /// [`pageable_memory_access`](crate::access::MemoryCapabilities::pageable_memory_access) says so, or if it is page-locked;
    /// that is not known here, so page-locked memory goes as `Arg(locked.device_ptr()?, &locked)`.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry look(.param .u64 data) { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # // SAFETY: these are its parameters, which old drivers do not tell.
    /// # let look = unsafe { module.function("look")?.typed_unchecked::<(cuda_rt::DevicePtr<f32>,)>() };
    /// use cuda_rt::access::{AccessCheck, can_access};
    /// use cuda_rt::kernel::Arg;
    /// use cuda_rt::LaunchConfig;
    /// use cuda_rt::error::ErrorKind;
    ///
    /// let numbers = vec![1.0_f32, 2.0];
    /// // SAFETY: the kernel touches nothing.
    /// let launched = unsafe {
    ///     look.launch_checked(AccessCheck::Checked, LaunchConfig::new(1, 1), &stream, (Arg::host(&numbers),))
    /// };
    /// match launched {
    ///     Ok(()) => assert!(can_access(&context, &numbers)?),
    ///     // Pageable host memory is out of reach …
    ///     Err(error) if error.kind() == ErrorKind::AccessDenied => println!("{error}"),
    ///     Err(error) => return Err(error),
    /// }
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn host(memory: &'memory [T]) -> Self {
        Arg(address(memory.as_ptr()), memory)
    }
}

impl<'memory, T> Arg<'memory, DevicePtr<T>, [u8]> {
    /// The same for kernels that write it.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::kernel::Arg;
    ///
    /// let mut numbers = vec![1.0_f32, 2.0];
    /// let expected = numbers.as_ptr().addr() as u64;
    /// assert_eq!(Arg::host_mut(&mut numbers).0.as_raw(), expected);
    /// ```
    pub fn host_mut(memory: &'memory mut [T]) -> Self {
        // Other memory of the same kind stands for it: what a kernel writes is not to be borrowed as what nobody writes.
        let like_it: &[u8] = if size_of_val(memory) == 0 { &[] } else { &[0] };
        Arg(address(memory.as_mut_ptr()), like_it)
    }
}

/// Kernels go by it outside of what the compiler sees.
fn address<T>(pointer: *const T) -> DevicePtr<T> {
    DevicePtr::from_raw(pointer.expose_provenance() as CUdeviceptr)
}

impl<T: Clone, M: ?Sized> Clone for Arg<'_, T, M> {
    fn clone(&self) -> Self {
        Arg(self.0.clone(), self.1)
    }
}

impl<T: Copy, M: ?Sized> Copy for Arg<'_, T, M> {}

impl<T: fmt::Debug, M: ?Sized> fmt::Debug for Arg<'_, T, M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Arg").field(&self.0).finish_non_exhaustive()
    }
}

/// An argument of [`Kernel::launch_checked`]: any [`KernelArg`], or one with its owner, as [`Arg`].
///
/// Other types cannot implement it.
///
/// ```
/// use cuda_rt::DevicePtr;
/// use cuda_rt::kernel::{Arg, LaunchArg};
///
/// fn parameter<A: LaunchArg>(_: A) -> &'static str {
///     std::any::type_name::<A::Parameter>()
/// }
///
/// assert_eq!(parameter(7_u32), "u32");
/// let pointer = DevicePtr::<f32>::from_raw(0x100);
/// assert_eq!(parameter(Arg(pointer, &[0.0])), std::any::type_name::<DevicePtr<f32>>());
/// ```
pub trait LaunchArg: sealed::LaunchArg {
    /// What the kernel takes.
    type Parameter: KernelArg;

    /// What the kernel is given.
    #[doc(hidden)]
    fn parameter(&self) -> Self::Parameter;

    /// Calls `look` with the memory that it names.
    #[doc(hidden)]
    fn look(&self, number: usize, look: &mut dyn FnMut(Looked<'_>));
}

/// The arguments of [`Kernel::launch_checked`]: a tuple of up to 16 [`LaunchArg`]s, for a kernel that takes `A`.
///
/// Other types cannot implement it.
///
/// ```
/// use cuda_rt::DevicePtr;
/// use cuda_rt::kernel::{Arg, LaunchArgs};
///
/// fn fits<A>(_: &impl LaunchArgs<A>) {}
/// let pointer = DevicePtr::<f32>::from_raw(0x100);
/// fits::<(DevicePtr<f32>, DevicePtr<f32>, u32)>(&(pointer, Arg(pointer, &[0.0]), 1_u32));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the arguments of a kernel that takes `{A}`",
    label = "not a tuple of arguments of these types",
    note = "`Arg(pointer, &owner)` is for a parameter of the pointer's type, and other arguments for one of their own type: a \
            number may need it written out, as in `3_u32`",
    note = "one argument is a tuple too, with a comma: `(argument,)`"
)]
pub trait LaunchArgs<A>: sealed::LaunchArgs {
    /// What the kernel is given.
    #[doc(hidden)]
    fn parameters(&self) -> A;

    /// Calls `look` with the memory that they name.
    #[doc(hidden)]
    fn look(&self, look: &mut dyn FnMut(Looked<'_>));
}

mod sealed {
    pub trait LaunchArg {}
    pub trait LaunchArgs {}
}

impl<T: KernelArg> sealed::LaunchArg for T {}
impl<T: KernelArg> LaunchArg for T {
    type Parameter = T;

    fn parameter(&self) -> T {
        *self
    }

    fn look(&self, number: usize, look: &mut dyn FnMut(Looked<'_>)) {
        look_at(number, self, look);
    }
}

impl<T: KernelArg, M: Memory + ?Sized> sealed::LaunchArg for Arg<'_, T, M> {}
impl<T: KernelArg, M: Memory + ?Sized> LaunchArg for Arg<'_, T, M> {
    type Parameter = T;

    fn parameter(&self) -> T {
        self.0
    }

    fn look(&self, number: usize, look: &mut dyn FnMut(Looked<'_>)) {
        let name = core::any::type_name::<T>();
        self.1.visit_origins(&mut |origin| look(Looked { parameter: number, name, origin }));
    }
}

macro_rules! tuples {
    ($(($($type:ident $argument:ident)*))*) => {$(
        impl<$($type: LaunchArg),*> sealed::LaunchArgs for ($($type,)*) {}
        impl<$($type: LaunchArg),*> LaunchArgs<($($type::Parameter,)*)> for ($($type,)*) {
            #[allow(clippy::unused_unit)] // there may be no arguments
            fn parameters(&self) -> ($($type::Parameter,)*) {
                let ($($argument,)*) = self;
                ($($argument.parameter(),)*)
            }

            #[allow(unused_variables, unused_mut, unused_assignments)] // there may be no arguments
            fn look(&self, look: &mut dyn FnMut(Looked<'_>)) {
                let ($($argument,)*) = self;
                let mut number = 0;
                $(
                    $argument.look(number, look);
                    number += 1;
                )*
            }
        }
    )*};
}
for_tuples!(tuples);

impl<A: KernelArgs> Kernel<A> {
    /// Puts the kernel on a stream, after a look at the memory of its arguments, whatever the kernel itself is set to. Wraps
    /// `cuLaunchKernel`.
    ///
    /// Arguments may name what owns their memory, as [`Arg`]. [`AccessCheck::Relaxed`] looks at nothing but the
    /// [textures](crate::TexObject) and [surfaces](crate::surface::SurfObject) among these owners, which are of no use to kernels of
    /// another context.
    ///
    /// # Blocking
    ///
    /// As [`Kernel::launch`]; and where plain memory of another device is among the arguments, and this crate has not recorded
    /// access to it, until copies of this crate between the two devices are done.
    ///
    /// # Errors
    ///
    /// [`AccessDenied`](crate::error::ErrorKind::AccessDenied) for the first memory that is refused; else those of
    /// [`Kernel::launch`], or an earlier failure.
    ///
    /// # Safety
    ///
    /// That of [`Kernel::launch`]; and a kernel that takes the pointer of an [`Arg`] uses the memory that the pointer names,
    /// not what the owner says: that they are the same is not looked at.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry look(.param .u64 data) { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # // SAFETY: these are its parameters, which old drivers do not tell.
    /// # let look = unsafe { module.function("look")?.typed_unchecked::<(DevicePtr<f32>,)>() };
    /// use cuda_rt::access::{Access, AccessCheck, AccessError, MemoryKind};
    /// use cuda_rt::kernel::Arg;
    /// use cuda_rt::{DevicePtr, LaunchConfig, PinnedBuf};
    ///
    /// let locked = PinnedBuf::<f32>::zeroed(&context, 100)?;
    /// let config = LaunchConfig::new(1, 1);
    /// let args = (Arg(locked.device_ptr()?, &locked),);
    /// // SAFETY: the kernel touches nothing.
    /// unsafe { look.launch_checked(AccessCheck::Checked, config, &stream, args) }?;
    /// // SAFETY: as above.
    /// let error = unsafe { look.launch_checked(AccessCheck::Strict, config, &stream, args) }.unwrap_err();
    /// let refused = error.context::<AccessError>().unwrap();
    /// assert_eq!((refused.access, refused.kind), (Access::Accessible, Some(MemoryKind::Pinned)));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLaunchKernel")]
    pub unsafe fn launch_checked(
        &self,
        check: AccessCheck,
        config: LaunchConfig,
        stream: &impl AsStream,
        args: impl LaunchArgs<A>,
    ) -> Result<()> {
        let function = self.function();
        same_context(function, stream)?;
        look_at_launch(function, check, stream, Symbol::cuLaunchKernel, |look| args.look(look))?;
        let parameters = args.parameters();
        let mut pointers = parameters.pointers();
        let pointers = pointers.as_mut().as_mut_ptr();
        // SAFETY: the pointers are of arguments as many and as large as the function's parameters, and the stream is of its
        // context. The rest is the caller's promise.
        unsafe { launch(function, config, stream, pointers, null_mut()) }
    }
}
