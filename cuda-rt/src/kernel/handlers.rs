//! Host memory as an argument of a kernel.

#![allow(unsafe_code)]

use super::{Kernel, KernelArg, KernelArgs, LaunchConfig};
use crate::error::Result;
use crate::memory::{DeviceBuf, DevicePtr, host_range, with_pinned_waits};
use crate::stream::Stream;
use bytemuck::{AnyBitPattern, NoUninit};
use core::ffi::c_void;
use cuda_sys::Symbol;

/// Host memory that a kernel reads: an argument of [`Kernel::call`].
///
/// It is copied to new device memory before the kernel runs. The kernel takes a pointer to that.
///
/// See [`Kernel::call`] for an example. It is not for numbers, which go by value:
///
/// ```compile_fail,E0308
/// let count = cuda_rt::kernel::In(7_u32);
/// ```
#[doc(alias = "cuMemcpyHtoD")]
#[derive(Debug, Clone, Copy)]
pub struct In<'host, T>(pub &'host [T]);

/// Host memory that a kernel writes: an argument of [`Kernel::call`].
///
/// It is overwritten with device memory after the kernel has run. What the kernel left alone there is whatever was there
/// before, as with [`DeviceBuf::uninit`]: [`InOut`] is for kernels that do not write all of it.
///
/// See [`Kernel::call`] for an example. Memory that is only lent for reading is not written to:
///
/// ```compile_fail,E0308
/// let numbers = [1.0_f32, 2.0];
/// let out = cuda_rt::kernel::Out(&numbers);
/// ```
#[doc(alias = "cuMemcpyDtoH")]
#[derive(Debug)]
pub struct Out<'host, T>(pub &'host mut [T]);

/// Host memory that a kernel reads and writes: an argument of [`Kernel::call`].
///
/// It is copied to new device memory before the kernel runs, and overwritten with that afterwards.
///
/// See [`Kernel::call`] for an example.
#[doc(alias("cuMemcpyHtoD", "cuMemcpyDtoH"))]
#[derive(Debug)]
pub struct InOut<'host, T>(pub &'host mut [T]);

/// An argument of [`Kernel::call`]: [`In`], [`Out`], [`InOut`], or any [`KernelArg`], which the kernel is given as it is.
///
/// Other types cannot implement it: they implement [`KernelArg`], or go as [`ByValue`](super::ByValue).
///
/// ```
/// use cuda_rt::DevicePtr;
/// use cuda_rt::kernel::{CallArg, In};
///
/// fn parameter<A: CallArg>(_: A) -> &'static str {
///     std::any::type_name::<A::Parameter>()
/// }
///
/// assert_eq!(parameter(7_u32), "u32");
/// assert_eq!(parameter(In(&[1.0_f32])), std::any::type_name::<DevicePtr<f32>>());
/// ```
pub trait CallArg: sealed::CallArg {
    /// What the kernel takes.
    type Parameter: KernelArg;

    /// What the kernel is given, with device memory in the place of the host's.
    #[doc(hidden)]
    fn prepare(self, transfers: &mut Transfers<'_>) -> Result<Self::Parameter>;
}

/// The arguments of [`Kernel::call`]: a tuple of up to 16 [`CallArg`]s, for a kernel that takes `A`.
///
/// Other types cannot implement it.
///
/// ```
/// use cuda_rt::DevicePtr;
/// use cuda_rt::kernel::{CallArgs, In, Out};
///
/// fn fits<A>(_: &impl CallArgs<A>) {}
/// fits::<(DevicePtr<f32>, DevicePtr<f32>, u32)>(&(In(&[1.0]), Out(&mut [0.0]), 1_u32));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the arguments of a kernel that takes `{A}`",
    label = "not a tuple of arguments of these types",
    note = "`In`, `Out` and `InOut` of elements `T` are for a parameter `DevicePtr<T>`, and other arguments for a parameter of \
            their own type: a number may need it written out, as in `3_u32`",
    note = "one argument is a tuple too, with a comma: `(argument,)`"
)]
pub trait CallArgs<A>: sealed::CallArgs {
    /// What the kernel is given.
    #[doc(hidden)]
    fn prepare(self, transfers: &mut Transfers<'_>) -> Result<A>;
}

mod sealed {
    pub trait CallArg {}
    pub trait CallArgs {}
}

/// Copies that belong to a call.
#[derive(Debug)]
pub struct Transfers<'stream> {
    stream: &'stream Stream,
    list: Vec<Transfer>,
}

#[derive(Debug)]
struct Transfer {
    /// Valid for as long as the call's arguments, for reads of initialised bytes if it is `read`, and for writes of any
    /// bytes, of which nobody else knows, if it is `written`.
    host: *mut c_void,
    device: DeviceBuf<u8>,
    read: bool,
    written: bool,
}

impl Transfers<'_> {
    /// New device memory for as much host memory, as `Transfer` describes it.
    fn add<T>(&mut self, host: *mut T, bytes: usize, read: bool, written: bool) -> Result<DevicePtr<T>> {
        let device = DeviceBuf::<u8>::uninit(self.stream, bytes)?;
        let address = device.ptr().cast();
        if bytes > 0 {
            self.list.push(Transfer { host: host.cast(), device, read, written });
        }
        Ok(address)
    }

    /// Copies what the kernel reads to the device, and waits for that.
    fn upload(&self) -> Result<()> {
        let list: Vec<&Transfer> = self.list.iter().filter(|transfer| transfer.read).collect();
        if list.is_empty() {
            return Ok(());
        }
        self.lend(&list, Symbol::cuMemcpyHtoDAsync_v2, |Transfer { host, device, .. }| {
            let (to, bytes, on) = (device.ptr().as_raw(), device.len(), self.stream.as_raw());
            // SAFETY: the device memory is of this size and lives on this stream; the host memory is valid for reads of as
            // many initialised bytes, and lent until the copy is done.
            unsafe { check!(cuMemcpyHtoDAsync_v2(to, host.cast_const(), bytes, on)) }
        })
    }

    /// Copies what the kernel has written to the host, and waits for all that was queued, also if that is nothing. A
    /// failure of the kernel is noticed before the device has memory that it reaches by itself.
    fn download(&self) -> Result<()> {
        let list: Vec<&Transfer> = self.list.iter().filter(|transfer| transfer.written).collect();
        self.lend(&list, Symbol::cuMemcpyDtoHAsync_v2, |Transfer { host, device, .. }| {
            let (from, bytes, on) = (device.ptr().as_raw(), device.len(), self.stream.as_raw());
            // SAFETY: the device memory is of this size and lives on this stream; the host memory is valid for writes of as
            // many bytes of any value, is nobody else's, and is lent until the copy is done.
            unsafe { check!(cuMemcpyDtoHAsync_v2(*host, from, bytes, on)) }
        })
    }

    fn lend(&self, list: &[&Transfer], call: Symbol, copy: impl Fn(&Transfer) -> Result<()>) -> Result<()> {
        let hosts: Vec<_> = list
            .iter()
            .map(|transfer| host_range(transfer.host.cast_const(), transfer.device.len()))
            .collect();
        with_pinned_waits(self.stream, &hosts, call, || list.iter().try_for_each(|transfer| copy(transfer)))
    }
}

impl<A: KernelArg> sealed::CallArg for A {}
impl<A: KernelArg> CallArg for A {
    type Parameter = A;

    fn prepare(self, _: &mut Transfers<'_>) -> Result<A> {
        Ok(self)
    }
}

impl<T> sealed::CallArg for In<'_, T> {}
impl<T: NoUninit> CallArg for In<'_, T> {
    type Parameter = DevicePtr<T>;

    fn prepare(self, transfers: &mut Transfers<'_>) -> Result<DevicePtr<T>> {
        // Nothing is written through it.
        transfers.add(self.0.as_ptr().cast_mut(), size_of_val(self.0), true, false)
    }
}

impl<T> sealed::CallArg for Out<'_, T> {}
impl<T: AnyBitPattern> CallArg for Out<'_, T> {
    type Parameter = DevicePtr<T>;

    fn prepare(self, transfers: &mut Transfers<'_>) -> Result<DevicePtr<T>> {
        transfers.add(self.0.as_mut_ptr(), size_of_val(self.0), false, true)
    }
}

impl<T> sealed::CallArg for InOut<'_, T> {}
impl<T: NoUninit + AnyBitPattern> CallArg for InOut<'_, T> {
    type Parameter = DevicePtr<T>;

    fn prepare(self, transfers: &mut Transfers<'_>) -> Result<DevicePtr<T>> {
        transfers.add(self.0.as_mut_ptr(), size_of_val(self.0), true, true)
    }
}

macro_rules! tuples {
    ($(($($type:ident $argument:ident)*))*) => {$(
        impl<$($type: CallArg),*> sealed::CallArgs for ($($type,)*) {}
        impl<$($type: CallArg),*> CallArgs<($($type::Parameter,)*)> for ($($type,)*) {
            #[allow(unused_variables)] // there may be no arguments
            fn prepare(self, transfers: &mut Transfers<'_>) -> Result<($($type::Parameter,)*)> {
                let ($($argument,)*) = self;
                Ok(($($argument.prepare(transfers)?,)*))
            }
        }
    )*};
}
for_tuples!(tuples);

impl<A: KernelArgs> Kernel<A> {
    /// Runs the kernel with host memory as arguments, and waits for it. In the place of [`In`], [`Out`] and [`InOut`] it
    /// takes a pointer to device memory, which is new, and freed afterwards; the copies run on the same stream as the
    /// kernel, before and after it. What holds no elements has no memory: the pointer is null.
    ///
    /// Wraps `cuMemAllocAsync`, `cuMemcpyHtoDAsync`, `cuLaunchKernel`, `cuMemcpyDtoHAsync` and `cuMemFreeAsync`. Where all
    /// of that costs too much, [`DeviceBuf`]s can be kept, and [`Stream::scope`] does not wait for each copy.
    ///
    /// It takes a [`Stream`], and not a [`PerThreadStream`](crate::stream::PerThreadStream) as the launches do: the device memory
    /// lives on the stream until it is freed, and a thread's own stream is another one in every thread.
    ///
    /// # Blocking
    ///
    /// Until everything queued on the stream, the kernel, and the copies are done.
    ///
    /// # Errors
    ///
    /// Same as [`Kernel::launch`], [`DeviceBuf::uninit`] and [`DeviceBuf::copy_from_host`], also while the stream is being
    /// captured. What the kernel does wrong is told here, and then what the memory of [`Out`] and [`InOut`] holds is
    /// unspecified. If a copy of page-locked memory fails, and waiting for its end fails twice, the process is
    /// [aborted](crate::memory#what-blocks); a kernel that fails is noticed before that.
    ///
    /// # Safety
    ///
    /// That of [`Kernel::launch`]: the kernel uses no more of the device memory than as many elements as the host's has.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::vector_add()?;
    /// use cuda_rt::{DevicePtr, LaunchConfig};
    /// use cuda_rt::kernel::{In, Out};
    ///
    /// type Args = (DevicePtr<f32>, DevicePtr<f32>, DevicePtr<f32>, u32);
    /// # // SAFETY: these are its parameters, which old drivers do not tell.
    /// # let add = unsafe { module.function("vector_add")?.typed_unchecked::<Args>() };
    /// # /*
    /// let add = module.function("vector_add")?.typed::<Args>()?;
    /// # */
    /// let (a, b, mut sum) = ([1.0, 2.0, 3.0], vec![10.0, 20.0, 30.0], [0.0; 3]);
    /// let config = LaunchConfig::for_elements(3, 256);
    /// // SAFETY: `vector_add` adds as many floats as its last argument says.
    /// unsafe { add.call(config, &stream, (In(&a), In(&b), Out(&mut sum), 3_u32)) }?;
    /// assert_eq!(sum, [11.0, 22.0, 33.0]);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    ///
    /// Memory is lent until the call returns, so the kernel cannot have it twice if it writes:
    ///
    /// ```compile_fail,E0502
    /// # use cuda_rt::{DevicePtr, Kernel, LaunchConfig, Result, Stream};
    /// # use cuda_rt::kernel::{In, Out};
    /// fn retry_once(scale: &Kernel<(DevicePtr<f32>, DevicePtr<f32>)>, stream: &Stream, data: &mut [f32]) -> Result<()> {
    ///     // SAFETY: for the sake of the example.
    ///     unsafe { scale.call(LaunchConfig::new(1, 1), stream, (In(data), Out(data))) }
    /// }
    /// ```
    ///
    /// And its elements are of the type that the kernel takes:
    ///
    /// ```compile_fail,E0271
    /// # use cuda_rt::{DevicePtr, Kernel, LaunchConfig, Result, Stream};
    /// # use cuda_rt::kernel::In;
    /// fn other(sum: &Kernel<(DevicePtr<f32>,)>, stream: &Stream, data: &[f64]) -> Result<()> {
    ///     // SAFETY: for the sake of the example.
    ///     unsafe { sum.call(LaunchConfig::new(1, 1), stream, (In(data),)) }
    /// }
    /// ```
    #[doc(alias("cuLaunchKernel", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "driver.In", "driver.Out"))]
    pub unsafe fn call(&self, config: LaunchConfig, stream: &Stream, args: impl CallArgs<A>) -> Result<()> {
        // Else the kernel would be in the graph before a copy is refused.
        stream.refuse_capture(Symbol::cuLaunchKernel)?;
        let mut transfers = Transfers { stream, list: Vec::new() };
        let args = args.prepare(&mut transfers)?;
        transfers.upload()?;
        // SAFETY: the caller's promise.
        unsafe { self.launch(config, stream, args) }?;
        transfers.download()
    }
}
