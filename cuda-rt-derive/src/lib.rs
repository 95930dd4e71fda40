//! The derive macro of `cuda-rt`'s kernel arguments. Programs use it through `cuda-rt` with the feature `derive`.

#![deny(unsafe_code)]

mod kernel_arg;

use proc_macro::TokenStream;

/// Implements `cuda_rt::launch::KernelArg` for a structure.
///
/// The macro checks what makes this sound:
///
/// - The structure is `repr(C)` or `repr(transparent)`, and not packed. So it is laid out as in C.
/// - It has fields, and each is a `KernelArg`. So its bytes are what a kernel takes, and access checks find the pointers in it.
/// - It is `Copy`.
///
/// The macro does not know the type of the parameter in CUDA C. For example, a `float4` is aligned to 16 bytes, which needs
/// `#[repr(C, align(16))]`. `Function::typed` compares the size and the place of the parameter.
///
/// # Examples
///
/// ```
/// use cuda_rt::launch::KernelArg;
/// use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, LaunchConfig, Module, Stream};
///
/// // struct row { float *data; unsigned long long len; };
/// #[derive(Clone, Copy, KernelArg)]
/// #[repr(C)]
/// struct Row {
///     data: DevicePtr<f32>,
///     len: u64,
/// }
///
/// # cuda_sim::install_once();
/// # let context = Context::primary(Device::get(0)?)?;
/// # let stream = Stream::new(&context)?;
/// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry first(.param .align 8 .b8 row[16]) {
/// #     .reg .b64 %a; .reg .f32 %x; ld.param.u64 %a, [row]; mov.f32 %x, 0f40E00000; st.global.f32 [%a], %x; ret; }";
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
/// A structure without a layout of its own does not compile:
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
/// A type parameter is one only if its type is:
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
#[proc_macro_derive(KernelArg)]
pub fn derive_kernel_arg(input: TokenStream) -> TokenStream {
    kernel_arg::expand(input.into()).unwrap_or_else(|error| error.to_compile_error()).into()
}
