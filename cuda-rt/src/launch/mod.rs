//! Launching kernels.
//!
//! A [`Kernel`] is a [`Function`] with argument types. The number, the sizes and the offsets of the types are compared with the
//! kernel once, when they are added. A [launch](Kernel::launch) does not compare them again. By default, [`Kernel::launch`] checks
//! no [access](crate::access#launches), and allocates nothing on a stream. If the driver refuses a launch, the error names the
//! exceeded limit, if it is known.
//!
//! | function | launches |
//! |---|---|
//! | [`Kernel::launch`] | with typed arguments, up to 16 |
//! | [`Kernel::with`] | with attributes, cooperatively, with access checks, host memory, borrowed buffers, or a measured time; the returned [`Launch`] can launch many times |
//! | [`Function::with`] | the same, except host memory and buffers, with [`PackedArgs`]: types that are known only at run time, or more than 16 arguments |
//! | [`Function::launch_raw`] | with a list of addresses, as in C |
//!
//! An argument is a [`KernelArg`]. The launches of [`Kernel::with`] also take the following arguments, which [`LaunchArgs`] lists:
//!
//! - Host memory, as [`In`], [`Out`] and [`InOut`].
//! - Buffers and views, as references. The launch is then ordered with their home streams.
//! - Pointers with the owner of their memory, as [`Arg`].
//!
//! # Types of arguments
//!
//! | Rust | CUDA C | feature |
//! |---|---|---|
//! | `u8` to `u64`, `i8` to `i64`, `f32`, `f64`, `bool` | `unsigned char` to `unsigned long long`, `signed char` to `long long`, `float`, `double`, `bool` | |
//! | `usize`, `isize` | `size_t`, `ptrdiff_t` | |
//! | [`DevicePtr<T>`](crate::DevicePtr) | `T *` | |
//! | [`TexHandle`](crate::texture::TexHandle), [`SurfHandle`](crate::surface::SurfHandle) | `cudaTextureObject_t`, `cudaSurfaceObject_t` | |
//! | [`TensorMap`](crate::tensor_map::TensorMap) | `const __grid_constant__ CUtensorMap` | |
//! | `[f32; 2]`, `[i32; 4]` and so on | `float2`, `int4` and so on; arrays in structures | |
//! | structures and enumerations with `#[derive(KernelArg)]` | `struct`, `enum class` | `macros` |
//! | `half::f16`, `half::bf16`, `[half::f16; 2]` | `__half`, `__nv_bfloat16`, `__half2` | `half` |
//! | `glam::Vec2`, `Vec3`, `Vec4` | `float2`, `float3`, `float4` | `glam` |
//! | `glam::IVec2`, `IVec3`, `IVec4` | `int2`, `int3`, `int4` | `glam` |
//! | `glam::UVec2`, `UVec3`, `UVec4` | `uint2`, `uint3`, `uint4` | `glam` |
//! | `glam::Quat` | `float4`, the real part last | `glam` |
//! | `glam::Mat3`, `Mat4` | `struct { float3 column[3]; }`, `struct { float4 column[4]; }` | `glam` |
//! | `num_complex::Complex<f32>`, `Complex<f64>` | `cuFloatComplex`, `cuDoubleComplex`, `cuda::std::complex` | `num-complex` |
//! | [`ByValue<T>`](ByValue) of another type without padding | a type of the same layout | |
//!
//! The features also make these numbers elements of buffers such as [`DeviceBuf`](crate::DeviceBuf).
//!
//! CUDA C aligns some of these types to their whole size: `float2`, `float4`, `cuFloatComplex`. In a buffer, or as an argument of a
//! [`Kernel`], this makes no difference. In [`PackedArgs`] and inside a structure, the alignment moves the number. The size of a
//! structure may stay the same, and then [`Function::typed`] finds no difference. In these cases, wrap the numbers in a structure
//! with that alignment:
//!
//! ```
//! # #[cfg(feature = "macros")] {
//! #[derive(Clone, Copy, cuda_rt::launch::KernelArg)]
//! #[repr(C, align(8))]
//! #[kernel_arg(size = 8, align = 8)]
//! struct Float2([f32; 2]);
//! # let _ = |float2: Float2| float2.0;
//! # }
//! ```
//!
//! With the feature `cuda` of glam, its types are aligned as in CUDA C.
//!
//! # From PyCUDA
//!
//! The [guide](crate::coming_from::pycuda#functions-and-launches) leads from the names of PyCUDA to the items here.

#![allow(unsafe_code)]

mod args;
mod attribute_set;
mod attribute_values;
mod attributes;
mod builder;
mod cluster_occupancy;
mod config;
mod explain;
mod host_slices;
mod launch_args;
mod multi_device;
mod node_parameters;
mod number_crates;
mod owners;
mod packed_args;
mod pending_time;
mod raw;
mod signature_mismatch;
mod stream_attributes;
mod target;
mod typed;

#[doc(hidden)]
pub use args::ArgumentKind;
pub use args::{ByValue, KernelArg, KernelArgs, Parameter};
pub use attribute_set::LaunchAttributeSet;
pub use attribute_values::{
    AccessPolicyWindow, AccessProperty, MemSyncDomain, PortableClusters, SharedMemoryMode,
};
pub use attributes::LaunchAttributes;
pub use builder::Launch;
#[cfg(feature = "macros")]
pub(crate) use builder::launch_args;
pub use config::LaunchConfig;
/// Implements [`KernelArg`](trait@KernelArg) for a structure, or for an enumeration without fields.
///
/// The macro checks the following conditions:
///
/// - A structure is `repr(C)` or `repr(transparent)`, and not packed. So its layout is that of C.
/// - It has fields, and each is a kernel argument. So its bytes form a parameter, and access checks find the pointers in it.
/// - Each field has bytes. In CUDA C++ an empty member has a byte, and an array has elements. Only `PhantomData` is allowed among
///   the fields: it has no counterpart in CUDA C++, and moves no field.
/// - An enumeration has an underlying type: `#[repr(u8)]` and so on, as `enum class E : unsigned char` in CUDA C++.
/// - The type is `Copy`.
///
/// The macro does not know the type of the parameter in CUDA C. For example, a `float4` is aligned to 16 bytes, which needs
/// `#[repr(C, align(16))]`. [`Function::typed`] compares the size and the offset of the parameter. Options add checks:
///
/// | `#[kernel_arg(..)]` | meaning |
/// |---|---|
/// | `size = 16`, `align = 16` | `sizeof` and `alignof` in CUDA C++; the program compiles only if Rust has the same |
/// | `crate = path` | the path of `cuda_rt`, for programs that rename the dependency |
///
/// # Examples
///
/// ```
/// use cuda_rt::launch::KernelArg;
/// use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig, Module};
///
/// // struct row { float *data; unsigned long long len; };
/// #[derive(Clone, Copy, KernelArg)]
/// #[repr(C)]
/// struct Row {
///     data: DevicePtr<f32>,
///     len: u64,
/// }
///
/// # let (context, stream) = cuda_doc::stream()?;
/// // In PTX, a structure is an array of bytes with its alignment.
/// let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry first(.param .align 8 .b8 row[16]) {
///     .reg .b64 %a; .reg .f32 %x; ld.param.u64 %a, [row]; mov.f32 %x, 0f40E00000; st.global.f32 [%a], %x; ret; }";
/// let first = Module::from_ptx(&context, ptx)?.function("first")?.typed::<(Row,)>()?;
/// let data = DeviceBuf::<f32>::zeroed(&stream, 2)?;
/// let row = Row { data: data.ptr(), len: 2 };
/// // SAFETY: the kernel writes the first element of `data`, which lives on the same stream.
/// unsafe { first.launch(LaunchConfig::new(1, 1), &stream, (row,)) }?;
/// assert_eq!(data.to_vec()?, [7.0, 0.0]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// Type parameters become arguments themselves:
///
/// ```
/// # use cuda_rt::launch::KernelArg;
/// # use cuda_rt::DevicePtr;
/// #[derive(Clone, Copy, KernelArg)]
/// #[repr(transparent)]
/// struct Wrapper<T>(T);
///
/// fn argument(_: impl KernelArg) {}
/// argument(Wrapper([DevicePtr::<f32>::null(); 2]));
/// ```
///
/// With a stated layout, a mode, and a lifetime for the memory that the address names:
///
/// ```
/// # use core::marker::PhantomData;
/// # use cuda_rt::launch::KernelArg;
/// # use cuda_rt::{DeviceSlice, DevicePtr};
/// // enum class mode : unsigned char { fast, exact };
/// #[derive(Clone, Copy, KernelArg)]
/// #[repr(u8)]
/// enum Mode {
///     Fast,
///     Exact,
/// }
///
/// // struct job { const float *data; mode how; }; // 16 bytes with the padding at the end
/// #[derive(Clone, Copy, KernelArg)]
/// #[repr(C)]
/// #[kernel_arg(size = 16, align = 8)]
/// struct Job<'a> {
///     data: DevicePtr<f32>,
///     how: Mode,
///     lives: PhantomData<DeviceSlice<'a, f32>>,
/// }
/// # let job = Job { data: DevicePtr::null(), how: Mode::Fast, lives: PhantomData };
/// # let mut count = 0;
/// # job.visit_pointers(&mut |_| count += 1);
/// # assert_eq!((count, matches!(job.how, Mode::Exact), job.data.is_null()), (1, false, true));
/// # let _ = job.lives;
/// ```
///
/// A structure without a `repr` does not compile:
///
/// ```compile_fail
/// # use cuda_rt::launch::KernelArg;
/// #[derive(Clone, Copy, KernelArg)]
/// struct Unordered {
///     a: u8,
///     b: u32,
/// }
/// ```
///
/// Neither does another layout than the stated one, here a `float4`, which is aligned to 16 bytes:
///
/// ```compile_fail,E0080
/// # use cuda_rt::launch::KernelArg;
/// #[derive(Clone, Copy, KernelArg)]
/// #[repr(C)]
/// #[kernel_arg(size = 16, align = 16)]
/// struct Float4([f32; 4]);
/// ```
///
/// A field must have bytes:
///
/// ```compile_fail,E0080
/// # use cuda_rt::launch::KernelArg;
/// #[derive(Clone, Copy, KernelArg)]
/// #[repr(C)]
/// struct Tail {
///     len: u32,
///     numbers: [u32; 0],
/// }
/// ```
///
/// In a generic structure, the compiler checks this for each launch with such an argument:
///
/// ```compile_fail,E0080
/// # use cuda_rt::launch::KernelArg;
/// # use cuda_rt::{Kernel, LaunchConfig, Result, Stream};
/// #[derive(Clone, Copy, KernelArg)]
/// #[repr(transparent)]
/// struct Row<const N: usize>([u32; N]);
///
/// fn launch(kernel: &Kernel<(Row<0>,)>, stream: &Stream) -> Result<()> {
///     // SAFETY: for the sake of the example.
///     unsafe { kernel.launch(LaunchConfig::new(1, 1), stream, (Row([]),)) }
/// }
/// # let _: fn(&_, &_) -> _ = launch;
/// ```
///
/// A type that only has the name of `PhantomData` could hide pointers:
///
/// ```compile_fail,E0080
/// # use cuda_rt::launch::KernelArg;
/// # use cuda_rt::DevicePtr;
/// # #[derive(Clone, Copy)]
/// struct PhantomData(DevicePtr<u32>);
///
/// #[derive(Clone, Copy, KernelArg)]
/// #[repr(C)]
/// struct Hidden {
///     len: u64,
///     data: PhantomData,
/// }
/// ```
///
/// A field must be a kernel argument, which references are not:
///
/// ```compile_fail,E0277
/// # use cuda_rt::launch::KernelArg;
/// #[derive(Clone, Copy, KernelArg)]
/// #[repr(C)]
/// struct Host<'a> {
///     numbers: &'a [f32],
/// }
/// ```
///
/// A type parameter must be a kernel argument, too:
///
/// ```compile_fail,E0277
/// # use cuda_rt::launch::KernelArg;
/// #[derive(Clone, Copy, KernelArg)]
/// #[repr(transparent)]
/// struct Wrapper<T>(T);
///
/// fn argument(_: impl KernelArg) {}
/// argument(Wrapper('a'));
/// ```
///
/// The structure must be `Copy`:
///
/// ```compile_fail,E0277
/// # use cuda_rt::launch::KernelArg;
/// #[derive(KernelArg)]
/// #[repr(C)]
/// struct Once {
///     a: u32,
/// }
/// ```
#[cfg(feature = "macros")]
pub use cuda_rt_macros::KernelArg;
pub use explain::{Axis, LaunchProblem};
pub use host_slices::{In, InOut, Out};
pub use launch_args::{Arg, LaunchArgs};
#[allow(deprecated)] // CUDA deprecates it
pub use multi_device::{MultiDeviceFlags, launch_cooperative_multi_device};
pub(crate) use node_parameters::with_parameters;
pub use packed_args::PackedArgs;
pub use pending_time::PendingTime;
pub use signature_mismatch::SignatureMismatch;
pub use stream_attributes::SynchronizationPolicy;
pub use target::LaunchTarget;
pub(crate) use target::sealed::Target;

use raw::elsewhere;
#[cfg(all(feature = "macros", feature = "nvrtc"))]
pub(crate) use signature_mismatch::compare as compare_signatures;
use signature_mismatch::compare;

use crate::access::{AccessCheck, AccessProbes, check_access, default_access_check};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::module::Function;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::null_mut;
use cuda_sys::Symbol;

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
    untyped: UntypedKernel,
    // Arguments are passed to the kernel, not stored in it.
    _args: PhantomData<fn(A)>,
}

/// A function and the policy for the memory of its arguments.
#[derive(Clone)]
pub(crate) struct UntypedKernel {
    function: Function,
    check: AccessCheck,
    /// The identity of the context on whose streams launches check nothing. 0 if launches check access.
    unchecked_context: usize,
}

/// Owners of memory among the arguments of a launch.
#[derive(Debug, Clone, Copy, Default)]
struct AccessOf {
    /// Owners of memory, by [`Arg`].
    has_owners: bool,
    /// Memory of another context, borrowed from its owner.
    has_foreign: bool,
}

impl<A> Kernel<A> {
    /// The function has parameters of the number and the sizes that `A` has, or `A` is [`PackedArgs`].
    pub(crate) fn of(function: Function) -> Kernel<A> {
        let mut untyped = UntypedKernel { function, check: AccessCheck::Relaxed, unchecked_context: 0 };
        untyped.set_access_check(default_access_check());
        Kernel { untyped, _args: PhantomData }
    }

    /// Returns the function with its policy.
    #[inline(always)]
    pub(crate) fn untyped(&self) -> &UntypedKernel {
        &self.untyped
    }

    /// Returns the kernel without its types.
    pub fn function(&self) -> &Function {
        &self.untyped.function
    }

    /// Returns the kernel with another policy for the memory of its arguments. [`AccessCheck`] has an example.
    #[must_use]
    pub fn with_access_check(mut self, check: AccessCheck) -> Kernel<A> {
        self.untyped.set_access_check(check);
        self
    }

    /// Returns the policy for the memory of the arguments.
    pub fn access_check(&self) -> AccessCheck {
        self.untyped.check
    }
}

impl UntypedKernel {
    #[cfg(feature = "macros")]
    pub(crate) fn function(&self) -> &Function {
        &self.function
    }

    fn set_access_check(&mut self, check: AccessCheck) {
        self.check = check;
        self.unchecked_context = match check {
            AccessCheck::Relaxed => self.function.context().identity().addr(),
            AccessCheck::Checked | AccessCheck::Strict => 0,
        };
    }

    /// Returns whether a launch on a stream of this context checks nothing.
    #[inline(always)]
    fn skips_access_check(&self, context: &Context) -> bool {
        self.unchecked_context == context.identity().addr()
    }

    /// Checks before `call` that kernel and stream have the same context, and the memory of the arguments.
    ///
    /// Memory that bare addresses name must stay allocated meanwhile.
    fn check_access(
        &self,
        target: &impl LaunchTarget,
        of: AccessOf,
        call: Symbol,
        arguments: &AccessProbes<'_>,
    ) -> Result<()> {
        let function = &self.function;
        // The handle of a default stream means that of the current context, which must not be another one.
        if target.target_context() != function.context() {
            return Err(elsewhere(call, function, target.target_context()));
        }
        let check = match self.check {
            AccessCheck::Relaxed if of.has_foreign => AccessCheck::Checked,
            // Without owners, a relaxed launch has nothing to check.
            AccessCheck::Relaxed if !of.has_owners => return Ok(()),
            check => check,
        };
        check_access(function, check, (target.raw_stream(), target.known_capture()), call, arguments)
    }
}

impl<A: KernelArgs> Kernel<A> {
    /// Launches the kernel on `target`: on a stream, or as a node of a [`Capture`](crate::graph::Capture). Wraps `cuLaunchKernel`.
    ///
    /// # Blocking
    ///
    /// Does not wait for the kernel. A full queue may block the host.
    ///
    /// With an [access check](crate::access::AccessCheck#blocking) it may wait for copies between devices.
    ///
    /// # Errors
    ///
    /// - [`Driver`](crate::error::ErrorKind::Driver): the driver refuses the launch. The error has the reason, if it is known. It
    ///   may also be an earlier [sticky](crate::error::Code::is_sticky) failure. Failures of the kernel itself are reported
    ///   later, by the call that waits for it.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): kernel and stream belong to different contexts.
    /// - [`AccessDenied`](crate::error::ErrorKind::AccessDenied): the launch [checks](crate::access::AccessCheck) the memory of
    ///   the arguments, and the kernel has no access to it.
    ///
    /// # Safety
    ///
    /// A kernel is foreign code: no check sees what it does.
    ///
    /// - With this configuration and these arguments the kernel must only use memory that it may use. The memory is allocated, of
    ///   the size that the kernel assumes, and initialised where the kernel reads.
    /// - The kernel must write valid values of the element type of the buffer. No other kernel, copy or host code may access that
    ///   memory meanwhile.
    /// - No other work may write the memory that it reads meanwhile, unless all accesses are atomic or volatile operations of
    ///   sufficient scope. Variables of its module are memory, too: a [copy to a variable](crate::module::Global::copy_from_host)
    ///   on another stream is a write.
    /// - A buffer with another home stream must be ordered with this launch both ways, by events. Work that was queued on the
    ///   home stream comes before the kernel. Work that is queued there later, including the release of the dropped buffer, waits
    ///   for the kernel. [`DeviceBuf::use_on`](crate::DeviceBuf::use_on) returns a guard that does both, if the launch comes
    ///   while the guard lives, and if the guard is dropped and not forgotten.
    /// - Events are not sufficient for [plain](crate::memory::MemorySource::Plain) memory, pitched memory and arrays of another
    ///   device: when they are freed, the driver disables the kernel's access before it waits. Free them only after the host has
    ///   waited for the kernel. If a buffer had a guard of [`DeviceBuf::use_on`](crate::DeviceBuf::use_on), dropping the buffer
    ///   waits for the kernel.
    /// - Memory that the [texture](crate::texture::TexRef) and [surface](crate::surface::SurfRef) references of its module are
    ///   bound to counts as memory that the kernel uses. The bindings at the time of this call count. No other thread may change
    ///   a reference during this call.
    /// - If [access checking](crate::access::AccessCheck) is on: every device address in `args` refers to memory that stays
    ///   allocated, in a context that stays alive, until this call returns. The end of a buffer, or the address of an empty view,
    ///   may be the start of another buffer, to which this then applies.
    /// - A [texture](crate::texture::TexObject) or [surface object](crate::surface::SurfObject) belongs to the kernel's context,
    ///   and lives until the kernel has ended.
    /// - If the kernel copies by a [`TensorMap`](crate::tensor_map::TensorMap), the tensor counts as memory that it uses. A store
    ///   may write up to 15 bytes beyond a row.
    /// - On a [`Capture`](crate::graph::Capture), all conditions hold for each launch of each executable graph with the node. The
    ///   graph keeps the module alive. In a launch of [`Kernel::with`], it also keeps the owners alive that [`Arg`] names.
    ///   [`Capture::keep`](crate::graph::Capture::keep) keeps other objects alive, and orders launches with their home streams.
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
    /// Neither do types that cannot be arguments of a kernel:
    ///
    /// ```compile_fail,E0277
    /// # use cuda_rt::{Function, Kernel, Result};
    /// fn host_memory(function: &Function) -> Result<Kernel<(&'static [f32], u32)>> {
    ///     function.typed()
    /// }
    /// ```
    #[doc(alias = "cuLaunchKernel")]
    // Outlined, a launch would take half as many instructions again.
    #[inline(always)]
    pub unsafe fn launch(&self, config: LaunchConfig, target: &impl LaunchTarget, args: A) -> Result<()> {
        let function = &self.untyped.function;
        if !self.untyped.skips_access_check(target.target_context())
            && let Some(error) = self.refusal(target, &args)
        {
            return Err(*error);
        }
        target.keep(function, &|probe| args.probe(probe))?;
        let mut pointers = args.pointers();
        let pointers = pointers.as_mut().as_mut_ptr();
        // SAFETY: the pointers are of as many arguments as the function has parameters, of the same sizes, and the stream is of
        // its context. The caller promises the rest.
        unsafe { raw::launch(function, config, raw::place_of(target), pointers, null_mut()) }
    }

    /// Outlined: keeps the common path, without a check, small. So does the small result.
    #[cold]
    #[inline(never)]
    fn refusal(&self, target: &impl LaunchTarget, args: &A) -> Option<Box<Error>> {
        let probe: &AccessProbes<'_> = &|probe| args.probe(probe);
        self.untyped
            .check_access(target, AccessOf::default(), Symbol::cuLaunchKernel, probe)
            .err()
            .map(Box::new)
    }
}

impl<A> Clone for Kernel<A> {
    fn clone(&self) -> Self {
        Self { untyped: self.untyped.clone(), _args: PhantomData }
    }
}

impl<A> fmt::Debug for Kernel<A> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Kernel").field("function", self.function()).finish()
    }
}
