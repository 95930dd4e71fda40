//! Argument types.

#![allow(unsafe_code)]

use crate::access::{AccessProbe, origin_of_address};
use crate::memory::DevicePtr;
use crate::surface::SurfHandle;
use crate::tensor_map::TensorMap;
use crate::texture::TexHandle;
use core::ffi::c_void;

/// A value that a kernel can take as a parameter.
///
/// With the feature `macros`, `#[derive(KernelArg)]` implements the trait for structures and enumerations. [`ByValue`] wraps types
/// of other crates.
///
/// # Safety
///
/// - The type's bytes are the parameter: `repr(C)` or `repr(transparent)`, with the layout of the parameter's type in
///   CUDA C. Padding is allowed. A `bool` is a byte that is 0 or 1, as in C.
/// - A launch copies the bytes of the value. Using such a copy must be sound.
/// - [`visit_pointers`](KernelArg::visit_pointers) visits only addresses that the value contains.
///
/// # Examples
///
/// ```
/// use cuda_rt::launch::KernelArg;
///
/// #[derive(Clone, Copy)]
/// #[repr(C)]
/// struct Particle {
///     position: [f32; 3],
///     charge: i8,
/// }
///
/// // SAFETY: CUDA C lays `struct { float position[3]; char charge; }` out in the same way.
/// unsafe impl KernelArg for Particle {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no argument of a kernel",
    label = "this is not a `KernelArg`",
    note = "device memory is passed by its address: `buffer.ptr()`, of type `DevicePtr<T>`",
    note = "host memory goes through `kernel.with(config).launch(..)`, as `In(&..)`, `Out(&mut ..)` or `InOut(&mut ..)`",
    note = "a structure of kernel arguments with `repr(C)` derives it: `#[derive(KernelArg)]` (feature `macros`); another \
            library's number goes as `ByValue(..)` if it implements `bytemuck::NoUninit`"
)]
pub unsafe trait KernelArg: Copy {
    /// Calls `visit` with each device address in the value, for launches that [check](crate::access::AccessCheck) addresses.
    ///
    /// A structure with pointers forwards the call to its fields. The default visits nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::DevicePtr;
    /// use cuda_rt::launch::KernelArg;
    ///
    /// #[derive(Clone, Copy)]
    /// #[repr(C)]
    /// struct Row {
    ///     data: DevicePtr<f32>,
    ///     len: u64,
    /// }
    ///
    /// // SAFETY: CUDA C lays `struct { float *data; unsigned long long len; }` out in the same way.
    /// unsafe impl KernelArg for Row {
    ///     fn visit_pointers(&self, visit: &mut dyn FnMut(DevicePtr<()>)) {
    ///         self.data.visit_pointers(visit);
    ///     }
    /// }
    ///
    /// let rows = [Row { data: DevicePtr::from_raw(0x100), len: 1 }, Row { data: DevicePtr::from_raw(0x200), len: 1 }];
    /// let mut addresses = Vec::new();
    /// rows.visit_pointers(&mut |pointer| addresses.push(pointer.as_raw()));
    /// assert_eq!(addresses, [0x100, 0x200]);
    /// # let _ = rows[0].len;
    /// ```
    fn visit_pointers(&self, visit: &mut dyn FnMut(DevicePtr<()>)) {
        let _ = visit;
    }

    /// Kind of the type, for the comparison with a parameter in PTX.
    #[doc(hidden)]
    const KIND: ArgumentKind = ArgumentKind::Other;

    /// False if no value holds an address or a handle to memory. A kernel that is declared as `safe fn` accepts only such types.
    #[doc(hidden)]
    const HAS_ADDRESSES: bool = true;
}

/// Kinds of argument types, as far as they can be compared with a parameter in PTX.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentKind {
    /// An integer or a handle.
    Integer,
    /// A `bool`.
    Bool,
    /// A floating-point number.
    Float,
    /// Adjacent numbers and nothing else. So the layout is the same for every alignment.
    Numbers,
    /// An address, with the alignment of its memory in bytes. The alignment is 0 if it is not known.
    Address(usize),
    /// Unknown kind.
    Other,
}

impl ArgumentKind {
    /// Returns whether the type consists of numbers only, so that its layout does not depend on its alignment. The parameter may
    /// be aligned more strictly in the kernel: `float2` instead of `[f32; 2]`.
    pub(crate) const fn is_numbers(self) -> bool {
        matches!(
            self,
            ArgumentKind::Integer | ArgumentKind::Bool | ArgumentKind::Float | ArgumentKind::Numbers
        )
    }
}

macro_rules! scalars {
    ($($kind:ident: $($type:ty)*;)*) => {$($(
        // SAFETY: CUDA C has a type of the same size and meaning on 64-bit hosts.
        unsafe impl KernelArg for $type {
            const KIND: ArgumentKind = ArgumentKind::$kind;
            const HAS_ADDRESSES: bool = false;
        }
    )*)*};
}
scalars! {
    Integer: u8 u16 u32 u64 usize i8 i16 i32 i64 isize;
    Bool: bool;
    Float: f32 f64;
}

// SAFETY: a `CUdeviceptr` is what a kernel takes for a pointer, and this is nothing else.
unsafe impl<T> KernelArg for DevicePtr<T> {
    fn visit_pointers(&self, visit: &mut dyn FnMut(DevicePtr<()>)) {
        visit(self.cast());
    }

    const KIND: ArgumentKind = ArgumentKind::Address(if size_of::<T>() == 0 { 0 } else { align_of::<T>() });
}

// SAFETY: a `cudaTextureObject_t` is a `CUtexObject`, and this is nothing else.
unsafe impl KernelArg for TexHandle {
    const KIND: ArgumentKind = ArgumentKind::Integer;
}
// SAFETY: a `cudaSurfaceObject_t` is a `CUsurfObject`, and this is nothing else.
unsafe impl KernelArg for SurfHandle {
    const KIND: ArgumentKind = ArgumentKind::Integer;
}
// SAFETY: it is a `CUtensorMap`, and nothing else. Its address is not visited: only the driver knows where the tensor lies.
unsafe impl KernelArg for TensorMap {}

// SAFETY: arrays are laid out as in C, where a structure can hold one.
unsafe impl<T: KernelArg, const N: usize> KernelArg for [T; N] {
    fn visit_pointers(&self, visit: &mut dyn FnMut(DevicePtr<()>)) {
        self.iter().for_each(|element| element.visit_pointers(visit));
    }

    const KIND: ArgumentKind = if T::KIND.is_numbers() { ArgumentKind::Numbers } else { ArgumentKind::Other };
    const HAS_ADDRESSES: bool = T::HAS_ADDRESSES;
}

/// A value of a type that is not a [`KernelArg`] itself, but implements [`NoUninit`](bytemuck::NoUninit): it has no padding. The
/// derive macro of `NoUninit` checks this. Number types of other crates implement `NoUninit`, such as `half::f16` with the feature
/// `bytemuck` of the crate `half`.
///
/// The derive macro needs a dependency on the crate `bytemuck` with the feature `derive`, which `cuda-rt` does not enable:
///
/// ```toml
/// [dependencies]
/// bytemuck = { version = "1.25", features = ["derive"] }
/// ```
///
/// The parameter has the layout of the Rust type. So the type must be `repr(C)` or `repr(transparent)`, as the derive macro
/// requires, and must be aligned as in CUDA C: `#[repr(C, align(8))]` for a `float2`.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig, Module};
/// use cuda_rt::launch::ByValue;
///
/// #[derive(Clone, Copy, bytemuck::NoUninit)]
/// #[repr(C, align(8))]
/// struct Float2 {
///     x: f32,
///     y: f32,
/// }
///
/// // extern "C" __global__ void sum(float *out, float2 pair) { *out = pair.x + pair.y; }
/// let ptx = ".version 6.4 .target sm_50 .address_size 64
///     .visible .entry sum(.param .u64 out, .param .align 8 .b8 pair[8]) {
///         .reg .b64 %out; .reg .f32 %x, %y;
///         ld.param.u64 %out, [out]; ld.param.f32 %x, [pair]; ld.param.f32 %y, [pair+4];
///         add.f32 %x, %x, %y; st.global.f32 [%out], %x; ret; }";
/// let module = Module::from_ptx(&context, ptx)?;
/// let sum = module.function("sum")?.typed::<(DevicePtr<f32>, ByValue<Float2>)>()?;
/// let out = DeviceBuf::<f32>::zeroed(&stream, 1)?;
/// let pair = ByValue(Float2 { x: 1.5, y: 2.0 });
/// // SAFETY: the kernel writes the one float of `out`, which lives on the same stream.
/// unsafe { sum.launch(LaunchConfig::new(1, 1), &stream, (out.ptr(), pair)) }?;
/// assert_eq!(out.to_vec()?, [3.5]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// If you do not want the dependency, write `unsafe impl cuda_rt::bytemuck::NoUninit for Float2 {}`, which is not checked. A
/// structure with padding cannot be wrapped in `ByValue`: implement [`KernelArg`] for it.
///
/// References cannot be arguments, and neither can types that contain references:
///
/// ```compile_fail,E0277
/// let length = 7_u32;
/// fn argument(_: impl cuda_rt::launch::KernelArg) {}
/// argument(cuda_rt::launch::ByValue(&length));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct ByValue<T>(pub T);

// SAFETY: all bytes of the type are initialised, whatever they mean, and it can be copied.
unsafe impl<T: bytemuck::NoUninit> KernelArg for ByValue<T> {}

/// Size, alignment and type of a parameter.
///
/// ```
/// use cuda_rt::DevicePtr;
/// use cuda_rt::launch::{KernelArgs, Parameter};
///
/// let [data, len] = <(DevicePtr<f32>, u32)>::parameters()[..] else { panic!() };
/// assert_eq!(len, Parameter { size: 4, align: 4, allows_stricter_align: true, name: "u32" });
/// assert_eq!((data.size, data.align), (8, 8));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Size in bytes.
    pub size: usize,
    /// Alignment in bytes, a power of two: the offset of the parameter is a multiple of it.
    pub align: usize,
    /// True if the kernel's type may be aligned more strictly: for numbers of one type, such as `[f32; 2]` for a `float2`. False
    /// in [`PackedArgs`](super::PackedArgs), where the alignment decides the offset.
    pub allows_stricter_align: bool,
    /// Rust type.
    pub name: &'static str,
}

/// The parameters of a kernel: a tuple of up to 16 [`KernelArg`]s. [`PackedArgs`](super::PackedArgs) has no such limit.
///
/// Sealed: other types cannot implement it. A literal without a type is an `i32` or an `f64`, unless the types of
/// [`typed`](crate::Function::typed) are written out. `typed` refuses a literal whose size differs from the parameter's.
///
/// Two common mistakes do not compile: one argument without the comma that makes it a tuple, and a slice of host memory.
///
/// ```compile_fail,E0277
/// # use cuda_rt::{DevicePtr, Function, Kernel, Result};
/// fn no_tuple(function: &Function) -> Result<Kernel<DevicePtr<f32>>> {
///     function.typed::<DevicePtr<f32>>() // error: `DevicePtr<f32>` is not a tuple of arguments of a kernel
/// }
/// ```
///
/// ```compile_fail,E0277
/// # use cuda_rt::{Function, Kernel, Result};
/// fn host_memory(function: &Function) -> Result<Kernel<(&'static [f32],)>> {
///     function.typed::<(&'static [f32],)>() // error: `&'static [f32]` is no argument of a kernel
/// }
/// ```
///
/// ```
/// use cuda_rt::DevicePtr;
/// use cuda_rt::launch::KernelArgs;
///
/// assert_eq!(<(DevicePtr<f32>, u32)>::COUNT, 2);
/// assert_eq!(<()>::COUNT, 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of arguments of a kernel",
    label = "not a tuple of up to 16 `KernelArg`s",
    note = "one argument is a tuple too, with a comma: `(argument,)`, of a type such as `(DevicePtr<f32>,)`",
    note = "each element is a `KernelArg`: a number, `DevicePtr<T>`, `ByValue<T>`, or an array of these",
    note = "`PackedArgs` and `Function::with` take more than 16"
)]
pub trait KernelArgs: sealed::Parameters + Copy {
    /// Number of parameters.
    const COUNT: usize;

    /// Returns the size, alignment and type of each parameter, in order.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::DevicePtr;
    /// use cuda_rt::launch::KernelArgs;
    ///
    /// let sizes: Vec<usize> =
    ///     <(DevicePtr<f32>, [f32; 3], u16)>::parameters().iter().map(|parameter| parameter.size).collect();
    /// assert_eq!(sizes, [8, 12, 2]);
    /// ```
    fn parameters() -> Vec<Parameter>;
}

/// The functions of parameters. No other crate can call or implement them.
pub(super) mod sealed {
    use super::{AccessProbe, c_void};
    use crate::launch::PackedArgs;

    pub trait Parameters {
        /// A list of addresses.
        type Pointers: AsMut<[*mut c_void]>;

        /// Returns the addresses of the parameters, in order. They are valid until the value moves or changes.
        #[doc(hidden)]
        fn pointers(&self) -> Self::Pointers;

        /// Returns the parameters as [`PackedArgs`], if they are packed.
        #[doc(hidden)]
        #[inline(always)]
        fn packed(&self) -> Option<&PackedArgs> {
            None
        }

        /// Calls `probe` with the memory that the parameters name.
        #[doc(hidden)]
        fn probe(&self, probe: &mut dyn FnMut(AccessProbe<'_>));
    }
}

/// Calls `probe` with the memory that an argument names.
pub(super) fn probe_pointers<T: KernelArg>(
    parameter: usize,
    argument: &T,
    probe: &mut dyn FnMut(AccessProbe<'_>),
) {
    argument.visit_pointers(&mut |pointer| {
        if !pointer.is_null() {
            let name = core::any::type_name::<T>();
            probe(AccessProbe { parameter, name, origin: &origin_of_address(pointer), is_owned: false });
        }
    });
}

macro_rules! tuples {
    ($(($($type:ident $argument:ident)*))*) => {$(
        impl<$($type: KernelArg),*> KernelArgs for ($($type,)*) {
            const COUNT: usize = <[&str]>::len(&[$(stringify!($type)),*]);

            fn parameters() -> Vec<Parameter> {
                vec![$(Parameter {
                    size: size_of::<$type>(),
                    align: align_of::<$type>(),
                    allows_stricter_align: $type::KIND.is_numbers(),
                    name: core::any::type_name::<$type>(),
                }),*]
            }
        }

        impl<$($type: KernelArg),*> sealed::Parameters for ($($type,)*) {
            type Pointers = [*mut c_void; <[&str]>::len(&[$(stringify!($type)),*])];

            // If this were outlined, a launch would take half as many instructions again.
            #[inline(always)]
            fn pointers(&self) -> Self::Pointers {
                let ($($argument,)*) = self;
                // The driver only reads them; the C signature has no `const`.
                [$(core::ptr::from_ref($argument).cast_mut().cast(),)*]
            }

            #[cold]
            #[allow(unused_variables, unused_mut, unused_assignments)] // there may be no arguments
            fn probe(&self, probe: &mut dyn FnMut(AccessProbe<'_>)) {
                let ($($argument,)*) = self;
                let mut parameter = 0;
                $(
                    probe_pointers(parameter, $argument, probe);
                    parameter += 1;
                )*
            }
        }
    )*};
}
for_tuples!(tuples);
