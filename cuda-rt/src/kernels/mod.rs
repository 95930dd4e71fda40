//! Kernels that the compiler checks.
//!
//! [`kernels!`](crate::kernels!) reads the PTX at compile time, and compares it with typed declarations. The Rust
//! compiler reports each mistake at its token. Mistakes are a misspelt kernel, a wrong number of arguments, a number of
//! another size, and a structure with another layout. The macro works with every driver from CUDA 11.0 on, and needs
//! no CUDA toolkit.
//!
//! | type | stands for |
//! |---|---|
//! | [`KernelCall`] | a kernel with its arguments, to launch |
//! | [`SafeKernel`], [`SafeKernelCall`] | a kernel that safe code launches, and the same with its arguments |
//! | [`FixedBlock`], [`AnyBlock`] | whether the block of a kernel is known at compile time |
//! | [`Elements`], [`Blocks`] | the number of elements or blocks along each axis |
//! | [`UndeclaredKernel`] | a kernel without a declaration |
//! | [`Word`] | an argument that is known by its size only |
//!
//! # Declarations
//!
//! ```
//! # let (context, stream) = cuda_doc::stream()?;
//! use cuda_rt::DeviceBuf;
//!
//! cuda_rt::kernels! {
//!     /// Kernels on vectors.
//!     pub struct Vectors from ptx("
//!         .version 6.4
//!         .target sm_50
//!         .address_size 64
//!         .visible .entry scale(.param .u64 data, .param .u32 n, .param .f32 by) {
//!             .reg .b64 %at, %offset;
//!             .reg .b32 %i, %n;
//!             .reg .f32 %x, %by;
//!             .reg .pred %outside;
//!             ld.param.u64 %at, [data];
//!             ld.param.u32 %n, [n];
//!             ld.param.f32 %by, [by];
//!             mov.u32 %i, %tid.x;
//!             setp.ge.u32 %outside, %i, %n;
//!             @%outside ret;
//!             mul.wide.u32 %offset, %i, 4;
//!             add.u64 %at, %at, %offset;
//!             ld.global.f32 %x, [%at];
//!             mul.f32 %x, %x, %by;
//!             st.global.f32 [%at], %x;
//!             ret;
//!         }
//!     ");
//!     extern {
//!         /// Multiplies the first `n` elements.
//!         #[block(32)]
//!         pub fn scale(data: &mut [f32], n: u32, by: f32);
//!     }
//! }
//!
//! let vectors = Vectors::load(&context)?;
//! let mut data = DeviceBuf::from_host(&stream, &[1.0, 2.0, 3.0])?;
//! // SAFETY: the kernel changes the first 3 elements of `data`, which has 3.
//! unsafe { vectors.scale(&mut data, 3, 10.0).launch_for(3, &stream) }?;
//! assert_eq!(data.to_vec()?, [10.0, 20.0, 30.0]);
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! The source is one of these:
//!
//! | source | PTX |
//! |---|---|
//! | `ptx("..")` | the text |
//! | `ptx_file("filters.ptx")` | the file. A path is relative to the source file that has the literal |
//! | `ptx_file(concat!(env!("OUT_DIR"), "/filters.ptx"))` | a file that a build script has written |
//! | `cuda("..")`, `cuda_file("filters.cu")` | CUDA C++ instead, compiled at run time. With the feature `nvrtc`: the module `cuda` has the differences |
//!
//! The text of the file becomes part of the program. Cargo compiles the program again when the file changes.
//!
//! The block `extern` declares kernels and variables:
//!
//! | declaration | meaning |
//! |---|---|
//! | `fn scale(data: &mut [f32], n: u32);` | a kernel; the name in PTX is the name of the function |
//! | `#[name = "_Z5scalePfj"]` | another name in PTX, or a name in C++: `"sims::step"`, `"sum<float>"` |
//! | `#[block(256)]`, `#[block(16, 16)]` | the threads of each block. `.reqntid` in PTX has the same effect |
//! | `#[dynamic_shared(65536)]` | the bytes of dynamic shared memory of each block, if the block is known. If necessary, `load` [raises the limit](crate::Function::set_max_dynamic_shared_bytes) |
//! | `safe fn scale(..) where n <= data.len();` | a [safe kernel](#safe-kernels), in a block `unsafe extern` |
//! | `#[grid(2)]` | the axes of the grid of a safe kernel, if there are more than one |
//! | `#[reads]` before a parameter | the kernel does not write the memory, although its C++ type is not `const` |
//! | `static factors: [f32; 16];` | a variable of the module. The field is a [`Global`](crate::module::Global) |
//! | `static image: TexRef;`, `SurfRef` | a texture or surface reference |
//! | `#[cfg(..)]`, lint levels, documentation, `pub` | as in Rust |
//!
//! The structure has a field and a method for each kernel. The method takes the arguments by name, and returns a [`KernelCall`].
//! The field is the [`Kernel`](crate::Kernel), for everything else: [attributes, host memory, times](crate::Kernel::with), or
//! arguments in a tuple. The structure also has `load(&context)`, `load_with(&context, &options)`, `module()`, and the constant
//! `PTX`. It can be cloned and sent to other threads. It keeps its module alive, and borrows nothing.
//!
//! # Types of parameters
//!
//! | type | argument | the compiler guarantees |
//! |---|---|---|
//! | a number, an array, a [`KernelArg`](trait@crate::launch::KernelArg) | the value | size and alignment; for a number, a derived enumeration or a derived `repr(transparent)` structure also integer or floating-point |
//! | [`DevicePtr<T>`](crate::DevicePtr) | `buffer.ptr()` | the parameter is an address |
//! | `&[T]` | a reference to a [`DeviceBuf`](crate::DeviceBuf), a view, or an [`Arc`](std::sync::Arc) of one | the memory is allocated. Until the kernel has ended, safe code does not free it, and only launches of graphs write it |
//! | `&mut [T]` | a mutable reference to a buffer or a view | the memory is allocated. Until the kernel has ended, safe code does not free it, and only launches of graphs use it |
//!
//! Another thread may launch a graph with nodes that use the memory. Such a launch may run at the same time as the kernel.
//!
//! If a type that is passed by value has a lifetime, write `'_`: `View<'_, f32>`. It is the lifetime of the call. In the type of the
//! field it is `'static`.
//!
//! Memory that is passed by reference is borrowed only for the call. The launch [orders](KernelCall#memory) its stream with the
//! home streams of the memory. So the buffer may be used, moved or dropped right after the call. On the home stream itself, this
//! costs nothing.
//!
//! [`KernelCall::launch`] is `unsafe`, because a kernel is foreign code. If all arguments are values and references, the caller
//! promises that the kernel only uses them. For a [`DevicePtr`](crate::DevicePtr), the conditions of
//! [`Kernel::launch`](crate::Kernel::launch) hold.
//!
//! # Safe kernels
//!
//! In a block `unsafe extern`, the declaration of a kernel can make the promises that callers of `launch` make otherwise. The
//! method of a `safe fn` returns a [`SafeKernelCall`], which is launched without `unsafe`:
//!
//! ```
//! # let (context, stream) = cuda_doc::stream()?;
//! use cuda_rt::DeviceBuf;
//!
//! cuda_rt::kernels! {
//!     struct Vectors from ptx("
//! #        .version 6.4
//! #        .target sm_50
//! #        .address_size 64
//!         .visible .entry negate(.param .u64 data, .param .u32 n) { /* .. */
//! #            .reg .b64 %at, %offset; .reg .b32 %i, %n, %x, %y; .reg .pred %outside;
//! #            ld.param.u64 %at, [data]; ld.param.u32 %n, [n];
//! #            mov.u32 %x, %ctaid.x; mov.u32 %y, %ntid.x; mov.u32 %i, %tid.x; mad.lo.u32 %i, %x, %y, %i;
//! #            setp.ge.u32 %outside, %i, %n; @%outside ret;
//! #            mul.wide.u32 %offset, %i, 4; add.u64 %at, %at, %offset;
//! #            ld.global.s32 %x, [%at]; neg.s32 %x, %x; st.global.s32 [%at], %x; ret;
//!         }
//!     ");
//!     // SAFETY: each thread changes the element of its index, if that is less than `n`.
//!     unsafe extern {
//!         #[block(128)]
//!         safe fn negate(data: &mut [i32], n: u32) where n <= data.len();
//!     }
//! }
//!
//! let vectors = Vectors::load(&context)?;
//! let mut data = DeviceBuf::from_host(&stream, &[1, 2, 3])?;
//! vectors.negate(&mut data, 3).launch_for(3, &stream)?;
//! assert_eq!(data.to_vec()?, [-1, -2, -3]);
//!
//! let refused = vectors.negate(&mut data, 4).launch_for(4, &stream).unwrap_err();
//! assert!(refused.to_string().contains("`n <= data.len()` of kernel `negate` does not hold: 4 and 3 are compared"));
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! The declaration promises that the kernel only uses its arguments:
//!
//! - It only reads the elements of a `&[T]`. It only reads and writes those of a `&mut [T]`, and writes valid values of `T`. No
//!   thread uses an element that another thread writes, unless they are ordered, or all accesses of the launch to this element are
//!   atomic. All accesses end with the kernel.
//! - It uses no other memory: no address that it finds in an element or computes from a number, and no texture or surface
//!   reference of the module. It may read variables of the module. It writes no variable that it shares with another launch or
//!   with the program.
//!
//! This holds in all of these cases:
//!
//! - All arguments for which the relations hold. An `i32` may be negative, and is less than each length then. A length may be 0. A view
//!   begins at any element, so a `&[f32]` may not be aligned for a `float4`. Two `&[T]` may be the same memory.
//! - Any number of blocks along the axes of the grid. The number of threads has no relation to the arguments.
//! - Any content of memory and variables, even content that changes while the kernel runs. Safe code may write a variable at any time.
//!   Another thread may launch a graph that uses the memory.
//! - Exactly the declared bytes of dynamic shared memory, and every option that `load_with` or `options = ..` can have.
//! - Any [limits](crate::context::Limit) of the context, which safe code sets by [`Context::set_limit`](crate::Context::set_limit).
//!   The stack may be small for a recursive call. The heap may be small, so `malloc` returns null. The buffer of `printf` may
//!   be small, so the device overwrites output.
//! - The kernel's own arithmetic: an index of type `int` can overflow.
//!
//! If a kernel loses access to the memory of another device while it runs, it ends with an error that lasts until the process ends:
//! see [Failures](crate::peer#failures) of peer access.
//!
//! The macro and the launch ensure the rest:
//!
//! - The parameters are memory by reference, and values without addresses: numbers, arrays and structures of numbers.
//! - The block is known, by `#[block(..)]` or `.reqntid`. The grid has one axis, or as many as `#[grid(..)]` says. There are at most
//!   2<sup>31</sup> threads along each axis. If clusters are compiled into the kernel, each block of the grid counts as a cluster: the
//!   driver does not tell whether the kernel has `.blocksareclusters`.
//! - If the PTX declares dynamic shared memory, `#[dynamic_shared(..)]` says how much the kernel has.
//! - The launch is refused if a relation does not hold. A relation compares two integers by `<`, `<=`, `==`, `>=` or
//!   `>`. They are computed from numbers, parameters, their fields, constants, and the lengths of memory, by `+`, `-`,
//!   `*`, `/` and `%` as in Rust, but without overflow. If a number cannot be computed, for example after a division
//!   by 0, the relation does not hold.
//! - The launch is refused while the stream is captured, if there is borrowed memory.
//! - The lint `unsafe_code` sees the word `unsafe` of the declaration.
//! - Each field has a [type](SafeKernel) of its own, so that safe code cannot put another kernel there.
//!
//! # Comparison
//!
//! - The number of parameters, and the size and alignment of each. An array of numbers may have another alignment than the parameter: `[f32; 2]`
//!   is a `float2`. The launch passes addresses, so nothing in it is misplaced.
//! - Integer and floating-point number, where PTX distinguishes them: `.u32`, `.f32`. An array or `.b32` accepts both.
//! - The address space and the alignment of memory behind `.ptr`.
//! - The element type of pointers and `const`, if the name of the kernel has them. C++ names do, unless the kernel is `extern
//!   "C"`. Most kernels that nvcc compiles have such names.
//! - The block with `.reqntid` and `.maxntid`.
//! - The size and the alignment of variables.
//!
//! Signed and unsigned integers of one size are not distinguished here, and neither are structures of one size and alignment.
//!
//! A kernel has at most 16 parameters here. [`PackedArgs`](crate::launch::PackedArgs) has no limit.
//!
//! # Mistakes
//!
//! | mistake | error |
//! |---|---|
//! | a missing file | ``cannot read `src/filter.ptx`: No such file or directory (os error 2); a path is relative to this source file, as in `include_str!` `` |
//! | a misspelt kernel | ``no kernel `scael` in filters.ptx; did you mean `scale`?`` |
//! | a name that several kernels have | `` `sum` names 2 kernels in filters.ptx: `_Z3sumIfEvPKT_PS0_j` (sum<float>(const float *, float *, unsigned int)), .. `` |
//! | another number of parameters | ``kernel `scale` (filters.ptx:10) takes 3 parameters (.u64, .u32, .f32); 4 are declared`` |
//! | another size | ``kernel `scale` (filters.ptx:10): parameter 2 `n` is `.u32`, of 4 bytes; `usize` has 8`` |
//! | an integer for a floating-point number | ``kernel `scale` (filters.ptx:10): parameter 3 `by` is `.f32`, a floating-point number; `i32` is an integer`` |
//! | a parameter of an opaque type | ``.. parameter 1 `image` is a texture, surface or sampler reference, which the host cannot pass; ..`` |
//! | a structure of another alignment | ``.. is `.align 16 .b8[32]`, aligned to 16; `LongWind` is aligned to 4: write `#[repr(C, align(16))]` `` |
//! | a structure parameter without `.align` in PTX | ``.. is `.align 1 .b8[24]`, aligned to 1; `Settings` is aligned to 4: write `.param .align 4 ..` in the PTX, or correct the type`` |
//! | another element type | ``.. parameter 2 `to` is `float *`; `f64` is not `float`, which is `f32` `` |
//! | memory that the kernel may write, as `&[T]` | ``.. parameter 2 `to` is `float *`; the kernel may write it: declare `&mut [..]`, or write `#[reads]` if it does not`` |
//! | another block | ``kernel `step` is compiled for blocks of 128, 1, 1 threads (`.reqntid`, filters.ptx:16); 256, 1, 1 are declared`` |
//! | a block that no device has | `a block has at most 1024 threads; 2048 are declared` |
//! | a variable of another size | ``variable `factors` (filters.ptx:5) has 64 bytes; `[f64; 16]` has 128`` |
//! | an address as a parameter of a safe kernel | ``safe kernel `scale`: parameter 1 `data` may hold an address as `DevicePtr<f32>`; numbers, `&[..]`, `&mut [..]` and structures of numbers that derive `KernelArg` do not`` |
//! | a safe kernel without a block | ``a `safe fn` has launches of a known block only: write `#[block(..)]` `` |
//! | `safe fn` in `extern` | `` `safe` is a promise about the kernel, which the compiler cannot check: write `unsafe` before `extern` `` |
//! | `where` without `safe fn` | ``the relations of `where` are checked for a `safe fn` only`` |
//! | a texture reference as a variable | `` `image` (filters.ptx:7) is a texture reference: declare it as `TexRef` `` |
//!
//! Other mistakes in a call are errors of the compiler itself: a missing argument (E0061), another type (E0308), memory that is
//! borrowed twice (E0502), and a launch without `unsafe` (E0133).
//!
//! # Without declarations
//!
//! Without the block `extern` the methods have the types in PTX. An integer, an address or a handle is a [`Word`] of its size
//! there, because PTX does not distinguish them. A structure is any [`KernelArg`](trait@crate::launch::KernelArg) of its size and
//! alignment. The parameters have the names `p0`, `p1` and so on. If the name of the kernel is a C++ name, the method has its
//! last part, and the types of C++. If several kernels have this last part, their methods keep the names in PTX. Some
//! kernels have no method: those with more than 16 parameters, with a `$` in their name, or with the name of a method
//! of the loader. The field of a kernel is an [`UndeclaredKernel`], which returns its [`Function`](crate::Function).
//!
//! ```
//! # let (context, stream) = cuda_doc::stream()?;
//! use cuda_rt::{DeviceBuf, LaunchConfig};
//!
//! cuda_rt::kernels! {
//!     struct Vendor from ptx(".version 6.4 .target sm_50 .address_size 64
//!         .visible .entry store(.param .u64 out, .param .u32 value) {
//!             .reg .b64 %out; .reg .b32 %value;
//!             ld.param.u64 %out, [out]; ld.param.u32 %value, [value]; st.global.u32 [%out], %value; ret; }");
//! }
//!
//! let vendor = Vendor::load(&context)?;
//! let out = DeviceBuf::<u32>::zeroed(&stream, 1)?;
//! // SAFETY: the kernel writes one element of `out`, which lives on the same stream.
//! unsafe { vendor.store(out.ptr(), 7_u32).launch(LaunchConfig::new(1, 1), &stream) }?;
//! assert_eq!(out.to_vec()?, [7]);
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! # Loading
//!
//! `load` loads the module and looks each declared kernel and variable up, once. Under [lazy
//! loading](crate::module::loading_mode), the driver loads these kernels then, and not at their first launch. The checked text is the
//! loaded text. Drivers since CUDA 12.4 also report the parameters of a kernel: `load` compares their sizes with the text, and since
//! CUDA 13.2 their number.

#![allow(unsafe_code)]

mod call;
mod check;
#[cfg(feature = "nvrtc")]
pub mod cuda;
mod relations;
mod safe;
mod undeclared;
mod word;

pub use call::{AnyBlock, Blocks, Elements, FixedBlock, KernelCall};
pub use safe::{SafeKernel, SafeKernelCall};
pub use undeclared::UndeclaredKernel;
pub use word::Word;

/// Declares the kernels and variables of PTX, and compares them with the PTX at compile time.
///
/// ```text
/// kernels! { ATTRIBUTES VISIBILITY struct NAME from SOURCE; [unsafe] extern { DECLARATIONS } }
/// ```
///
/// The module [`kernels`](mod@crate::kernels) explains each part.
#[macro_export]
macro_rules! kernels {
    ($($tokens:tt)*) => {
        $crate::kernels::__private::expand! { ($crate) $($tokens)* }
    };
}

/// Items for the expansion of [`kernels!`](crate::kernels!). No part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use super::check::{PtxClass, PtxParameter, PtxVariable, parameter, variable, without_address};
    pub use super::relations::{
        Comparison, Relations, difference, integer, product, quotient, remainder, sum,
    };
    use super::{KernelCall, SafeKernel, SafeKernelCall, UndeclaredKernel};
    use crate::error::Result;
    use crate::launch::{Kernel, SignatureMismatch};
    use crate::module::{Function, Module};
    pub use cuda_rt_macros::kernels as expand;

    /// Looks a kernel up, whose parameters have these sizes in PTX, and gives it argument types.
    ///
    /// # Safety
    ///
    /// The sizes are those of `A`.
    ///
    /// # Errors
    ///
    /// - Same as [`Module::function`].
    /// - [`TypeMismatch`](crate::error::ErrorKind::TypeMismatch): the driver reports other sizes.
    #[doc(hidden)]
    pub unsafe fn declared<A>(module: &Module, name: &str, sizes: &[usize]) -> Result<Kernel<A>> {
        compared(module, name, sizes).map(Kernel::of)
    }

    /// Looks a kernel up. If the driver reports parameters, they must have these sizes.
    fn compared(module: &Module, name: &str, sizes: &[usize]) -> Result<Function> {
        let function = module.function(name)?;
        let Some(reported) = function.reported_parameters(sizes.len())? else { return Ok(function) };
        let mut pairs = reported.iter().zip(sizes).enumerate();
        let number = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
        let mismatch = if reported.len() != sizes.len() {
            SignatureMismatch::Count { kernel: reported.len(), given: sizes.len() }
        } else if let Some((index, (kernel, given))) =
            pairs.find(|(_, (kernel, given))| kernel.size != **given)
        {
            SignatureMismatch::Size {
                index: number(index),
                kernel: number(kernel.size),
                given: number(*given),
                given_type: ".param",
            }
        } else {
            return Ok(function);
        };
        Err(mismatch.into_error(name))
    }

    /// Makes a call with arguments. `S` has `'static` where `A` has a lifetime of the call.
    ///
    /// # Safety
    ///
    /// The kernel has as many parameters as `A`, of the same sizes. `A` is a tuple.
    #[doc(hidden)]
    #[inline(always)]
    pub unsafe fn call<S, A, L, B>(
        kernel: &Kernel<S>,
        args: L,
        shared_bytes: u32,
    ) -> KernelCall<'_, A, L, B> {
        KernelCall::new(kernel.untyped(), args, shared_bytes)
    }

    /// Makes a kernel safe to launch.
    ///
    /// # Errors
    ///
    /// An earlier failure.
    ///
    /// # Safety
    ///
    /// The kernel is the one that the declaration number `N` of the structure `M` declares as `safe fn`.
    #[doc(hidden)]
    pub unsafe fn safe<M, const N: usize, A>(kernel: Kernel<A>) -> Result<SafeKernel<M, N, A>> {
        SafeKernel::new(kernel)
    }

    /// Makes a call that safe code launches.
    ///
    /// # Safety
    ///
    /// - Same as [`call`].
    /// - If the relations hold, the kernel only uses its arguments, as [safe kernels](mod@crate::kernels#safe-kernels) define it.
    ///   This holds with any number of blocks of the shape `B` along `AXES` axes and with the bytes of dynamic shared memory.
    /// - The arguments have no addresses except those of borrowed memory.
    #[doc(hidden)]
    #[inline(always)]
    pub unsafe fn safe_call<M, const N: usize, S, A, L, B, const AXES: usize>(
        kernel: &SafeKernel<M, N, S>,
        args: L,
        shared_bytes: u32,
        relations: Relations,
    ) -> SafeKernelCall<'_, A, L, B, AXES> {
        let call = KernelCall::new(kernel.untyped(), args, shared_bytes);
        SafeKernelCall::new(call, kernel.most_threads(), relations)
    }

    /// Raises the limit of dynamic shared memory of a kernel, if it is lower.
    ///
    /// # Errors
    ///
    /// Same as [`Function::set_max_dynamic_shared_bytes`](crate::Function::set_max_dynamic_shared_bytes).
    #[doc(hidden)]
    pub fn with_dynamic_shared<A>(kernel: Kernel<A>, bytes: u32) -> Result<Kernel<A>> {
        // Without this call, the limit is 48 KiB less the memory that the kernel declares.
        if bytes != 0 {
            kernel.function().set_max_dynamic_shared_bytes(bytes)?;
        }
        Ok(kernel)
    }

    /// Makes a call with arguments of other types.
    ///
    /// # Safety
    ///
    /// The kernel has as many parameters as `A`, of the same sizes.
    #[doc(hidden)]
    #[inline(always)]
    pub unsafe fn wrapped<M, const N: usize, A, L, B>(
        kernel: &UndeclaredKernel<M, N>,
        args: L,
    ) -> KernelCall<'_, A, L, B> {
        KernelCall::new(kernel.untyped(), args, 0)
    }

    /// Looks kernel number `N` of the structure `M` up, whose parameters have these sizes in PTX.
    ///
    /// # Safety
    ///
    /// All values of this type are kernels with the same parameters.
    ///
    /// # Errors
    ///
    /// Same as [`declared`].
    #[doc(hidden)]
    pub unsafe fn undeclared<M, const N: usize>(
        module: &Module,
        name: &str,
        sizes: &[usize],
    ) -> Result<UndeclaredKernel<M, N>> {
        compared(module, name, sizes).map(UndeclaredKernel::new)
    }
}
