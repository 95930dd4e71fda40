//! Arguments of the launch builder.

use super::args::probe_pointers;
use super::args::sealed::Parameters;
use super::host_slices::HostTransfers;
use super::{KernelArg, PackedArgs};
use crate::access::{AccessProbe, Memory};
use crate::context::Context;
use crate::error::Result;
use crate::memory::DevicePtr;
use core::fmt;
use cuda_sys::CUdeviceptr;

/// An argument with the owner of the memory that it names: an argument of [`Launch::launch`](super::Launch::launch).
///
/// A launch with an [access check](crate::access::AccessCheck) queries the owner instead of the driver. The owner has more
/// information than an address: the stream and the pool of a buffer, the owner of a view, all [pieces](crate::access::Parts) of
/// memory. [`Launch::access_check`](super::Launch::access_check) has an example.
pub struct Arg<'memory, T, M: ?Sized = dyn Memory + 'memory>(pub T, pub &'memory M);

impl<'memory, T> Arg<'memory, DevicePtr<T>, [T]> {
    /// Passes host memory in place, for kernels that read it: its address and its owner.
    ///
    /// The launch does not wait for the kernel, unlike with [`In`](super::In). The memory must stay allocated and
    /// unchanged until the kernel has ended.
    ///
    /// Kernels have access to pageable memory if
    /// [`pageable_memory_access`](crate::access::MemoryCapabilities::pageable_memory_access) is true. This type does not know
    /// whether memory is page-locked: pass page-locked memory as `Arg(locked.device_ptr()?, &locked)`.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream) = cuda_doc::stream()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry read(.param .u64 data) { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # let read = module.function("read")?.typed::<(cuda_rt::DevicePtr<f32>,)>()?;
    /// use cuda_rt::access::{AccessCheck, can_access};
    /// use cuda_rt::launch::Arg;
    /// use cuda_rt::LaunchConfig;
    /// use cuda_rt::error::ErrorKind;
    ///
    /// let numbers = vec![1.0_f32, 2.0];
    /// let read = read.with(LaunchConfig::new(1, 1)).access_check(AccessCheck::Checked);
    /// // SAFETY: the kernel touches nothing.
    /// let launched = unsafe { read.launch(&stream, (Arg::host(&numbers),)) };
    /// match launched {
    ///     Ok(()) => assert!(can_access(&context, &numbers)?),
    ///     // Kernels have no access to pageable host memory …
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
    /// Passes host memory in place, for kernels that write it.
    ///
    /// The launch does not wait for the kernel, unlike with [`Out`](super::Out). The memory must stay allocated until the
    /// kernel has ended. Host code must not access it before. [`Arg::host`] describes when kernels have access.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::launch::Arg;
    ///
    /// let mut numbers = vec![1.0_f32, 2.0];
    /// let expected = numbers.as_ptr().addr() as u64;
    /// assert_eq!(Arg::host_mut(&mut numbers).0.as_raw(), expected);
    /// ```
    pub fn host_mut(memory: &'memory mut [T]) -> Self {
        // Other memory of the same kind replaces it: a shared borrow would say that the memory does not change.
        let like_it: &[u8] = if size_of_val(memory) == 0 { &[] } else { &[0] };
        Arg(address(memory.as_mut_ptr()), like_it)
    }
}

/// Exposes the address, because kernels use it outside the compiler's view.
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

/// Arguments of [`Launch::launch`](super::Launch::launch) on a stream of type `S`, for a kernel that takes `A`.
///
/// A tuple of up to 16 elements, one for each parameter:
///
/// | element | parameter |
/// |---|---|
/// | a [`KernelArg`] | its own type |
/// | [`Arg`]`(pointer, &owner)` | the type of the pointer |
/// | `&`[`DeviceBuf<T>`](crate::DeviceBuf), [`DeviceSlice<T>`](crate::DeviceSlice), `&mut DeviceBuf<T>`, [`DeviceSliceMut<T>`](crate::DeviceSliceMut) | [`DevicePtr<T>`]; `S` implements [`AsStream`](crate::stream::AsStream) |
/// | [`In`](super::In)`(&[T])`, [`Out`](super::Out)`(&mut [T])`, [`InOut`](super::InOut)`(&mut [T])` | [`DevicePtr<T>`]; `S` is [`Stream`](crate::Stream) |
///
/// An [untyped](crate::Function::with) launch takes [`&PackedArgs`](PackedArgs). Sealed: other types cannot implement it.
///
/// ```
/// use cuda_rt::launch::{Arg, In, LaunchArgs, Out};
/// use cuda_rt::{DevicePtr, Stream};
///
/// fn fits<A>(_: &impl LaunchArgs<A, Stream>) {}
/// let pointer = DevicePtr::<f32>::from_raw(0x100);
/// fits::<(DevicePtr<f32>, DevicePtr<f32>, u32)>(&(pointer, Arg(pointer, &[0.0]), 1_u32));
/// fits::<(DevicePtr<f32>, DevicePtr<f32>, u32)>(&(In(&[1.0]), Out(&mut [0.0]), 1_u32));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the arguments of a kernel that takes `{A}`, on a `{S}`",
    label = "not a tuple of arguments of these types",
    note = "`In`, `Out` and `InOut` of elements `T` are for a parameter `DevicePtr<T>` and for a `Stream`, `Arg(pointer, &owner)` \
            for a parameter of the pointer's type, `&buffer` and `&mut buffer` for a parameter `DevicePtr<T>` on a stream, and other arguments for one of their own type: a number may need it written \
            out, as in `3_u32`",
    note = "one argument is a tuple too, with a comma: `(argument,)`"
)]
pub trait LaunchArgs<A, S: ?Sized>: sealed::LaunchArgs<A, S> {}

impl<A, S: ?Sized, T: sealed::LaunchArgs<A, S>> LaunchArgs<A, S> for T {}

/// The functions of arguments. No other crate can call or implement them.
pub(super) mod sealed {
    use super::{AccessProbe, Context, HostTransfers, Parameters, Result};
    use crate::launch::KernelArg;

    /// One argument of a tuple.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is no argument of a launch on a `{S}`",
        label = "not an argument of a launch",
        note = "an argument is a `KernelArg` or `Arg(pointer, &owner)`, on a stream also `&buffer` or `&mut buffer`, and on a \
                `Stream` also `In(&..)`, `Out(&mut ..)` or `InOut(&mut ..)`"
    )]
    pub trait LaunchArg<S: ?Sized> {
        type Parameter: KernelArg;
        /// True if the argument names the owner of its memory.
        const HAS_OWNER: bool = false;
        /// True if the launch copies host memory for the argument, and waits.
        const IS_HOST_MEMORY: bool = false;

        /// Calls `probe` with the memory that the argument names.
        #[doc(hidden)]
        fn probe(&self, parameter: usize, probe: &mut dyn FnMut(AccessProbe<'_>));

        /// The order of the stream of the launch with the home stream of the argument's memory. `()` if there is no home stream.
        type Order<'s>: Order
        where
            Self: 's,
            S: 's;

        /// Returns whether the argument is memory of another context, whose access the launch checks in any case.
        #[doc(hidden)]
        #[inline(always)]
        fn is_foreign(&self, context: &Context) -> bool {
            let _ = context;
            false
        }

        /// Returns the parameter. Device memory, to which `transfers` copies, replaces host memory. The stream of the launch
        /// waits for the home stream of device memory.
        #[doc(hidden)]
        fn into_parameter<'s>(
            self,
            stream: &'s S,
            transfers: &mut HostTransfers<'s>,
        ) -> Result<(Self::Parameter, Self::Order<'s>)>
        where
            Self: 's;
    }

    /// Work that follows a launch.
    #[allow(unreachable_pub)] // Rust 1.88 does not count the bounds of associated types.
    pub trait Order {
        #[doc(hidden)]
        fn end(self) -> Result<()>;
    }

    impl Order for () {
        #[inline(always)]
        fn end(self) -> Result<()> {
            Ok(())
        }
    }

    /// All arguments.
    pub trait LaunchArgs<A, S: ?Sized> {
        type Parameters: Parameters;
        const HAS_OWNERS: bool;
        const HAS_HOST_MEMORY: bool;

        /// Calls `probe` with the memory that the arguments name.
        #[doc(hidden)]
        fn probe(&self, probe: &mut dyn FnMut(AccessProbe<'_>));

        /// The orders of all arguments.
        type Orders<'s>: Order
        where
            Self: 's,
            S: 's;

        /// Returns whether an argument is memory of another context.
        #[doc(hidden)]
        fn has_foreign(&self, context: &Context) -> bool;

        /// Returns the parameters, and the orders of the launch with the home streams of their memory.
        #[doc(hidden)]
        fn into_parameters<'s>(
            self,
            stream: &'s S,
            transfers: &mut HostTransfers<'s>,
        ) -> Result<(Self::Parameters, Self::Orders<'s>)>
        where
            Self: 's;
    }
}

impl<S: ?Sized, T: KernelArg> sealed::LaunchArg<S> for T {
    type Parameter = T;
    type Order<'s>
        = ()
    where
        Self: 's,
        S: 's;

    fn probe(&self, parameter: usize, probe: &mut dyn FnMut(AccessProbe<'_>)) {
        probe_pointers(parameter, self, probe);
    }

    #[inline(always)]
    fn into_parameter<'s>(self, _: &'s S, _: &mut HostTransfers<'s>) -> Result<(T, ())>
    where
        Self: 's,
    {
        Ok((self, ()))
    }
}

impl<S: ?Sized, T: KernelArg, M: Memory + ?Sized> sealed::LaunchArg<S> for Arg<'_, T, M> {
    type Parameter = T;
    type Order<'s>
        = ()
    where
        Self: 's,
        S: 's;
    const HAS_OWNER: bool = true;

    fn probe(&self, parameter: usize, probe: &mut dyn FnMut(AccessProbe<'_>)) {
        let name = core::any::type_name::<T>();
        self.1.visit_origins(&mut |origin| probe(AccessProbe { parameter, name, origin, is_owned: true }));
    }

    #[inline(always)]
    fn into_parameter<'s>(self, _: &'s S, _: &mut HostTransfers<'s>) -> Result<(T, ())>
    where
        Self: 's,
    {
        Ok((self.0, ()))
    }
}

impl<S: ?Sized> sealed::LaunchArgs<PackedArgs, S> for &PackedArgs {
    type Parameters = Self;
    type Orders<'s>
        = ()
    where
        Self: 's,
        S: 's;
    const HAS_OWNERS: bool = false;
    const HAS_HOST_MEMORY: bool = false;

    fn has_foreign(&self, _: &Context) -> bool {
        false
    }

    fn probe(&self, probe: &mut dyn FnMut(AccessProbe<'_>)) {
        Parameters::probe(self, probe);
    }

    fn into_parameters<'s>(self, _: &'s S, _: &mut HostTransfers<'s>) -> Result<(Self, ())>
    where
        Self: 's,
    {
        Ok((self, ()))
    }
}

/// The orders of the arguments of a tuple.
#[doc(hidden)]
#[derive(Debug)]
pub struct Orders<T>(T);

macro_rules! tuples {
    ($(($($type:ident $argument:ident)*))*) => {$(
        impl<S: ?Sized, $($type: sealed::LaunchArg<S>),*> sealed::LaunchArgs<($($type::Parameter,)*), S> for ($($type,)*) {
            type Parameters = ($($type::Parameter,)*);
            type Orders<'s> = Orders<($($type::Order<'s>,)*)> where Self: 's, S: 's;
            const HAS_OWNERS: bool = false $(|| $type::HAS_OWNER)*;
            const HAS_HOST_MEMORY: bool = false $(|| $type::IS_HOST_MEMORY)*;

            #[allow(unused_variables, unused_mut, unused_assignments)] // there may be no arguments
            fn probe(&self, probe: &mut dyn FnMut(AccessProbe<'_>)) {
                let ($($argument,)*) = self;
                let mut number = 0;
                $(
                    $argument.probe(number, probe);
                    number += 1;
                )*
            }

            #[inline(always)]
            #[allow(unused_variables)] // there may be no arguments
            fn has_foreign(&self, context: &Context) -> bool {
                let ($($argument,)*) = self;
                false $(|| $argument.is_foreign(context))*
            }

            #[inline(always)]
            #[allow(unused_variables)] // there may be no arguments
            fn into_parameters<'s>(
                self,
                stream: &'s S,
                transfers: &mut HostTransfers<'s>,
            ) -> Result<(($($type::Parameter,)*), Self::Orders<'s>)>
            where
                Self: 's,
            {
                let ($($argument,)*) = self;
                $(let $argument = $argument.into_parameter(stream, transfers)?;)*
                Ok((($($argument.0,)*), Orders(($($argument.1,)*))))
            }
        }

        impl<$($type: sealed::Order),*> sealed::Order for Orders<($($type,)*)> {
            #[inline(always)]
            fn end(self) -> Result<()> {
                let ($($argument,)*) = self.0;
                // All of them end, even if one fails.
                $(let $argument = $argument.end();)*
                Ok(()) $(.and($argument))*
            }
        }
    )*};
}
for_tuples!(tuples);
