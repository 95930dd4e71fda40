//! Kernels in CUDA C++ in [`kernels!`](crate::kernels!). With the feature `nvrtc`.
//!
//! The macro takes CUDA C++ in place of PTX. The text stands in the program (`cuda`) or in a file (`cuda_file`).
//! [NVRTC](crate::nvrtc) compiles it when the program runs, so neither the macro nor the build of the program needs a toolkit.
//!
//! ```
//! # let (context, stream) = cuda_doc::stream()?;
//! # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
//! use cuda_rt::nvrtc::{Cache, CompileOptions};
//! use cuda_rt::{DeviceBuf, LaunchConfig};
//!
//! cuda_rt::kernels! {
//!     /// Sums over rows.
//!     struct Sums from cuda(r#"
//!         template <class T> __global__ void sum(const T *x, T *out, unsigned n) {
//!             T all = 0;
//!             for (unsigned i = 0; i < n; i++) all += x[threadIdx.x * n + i];
//!             out[threadIdx.x] = all;
//!         }
//!     "#, options = CompileOptions::new().fast_math(true));
//!     extern {
//!         /// Sums rows of `float`.
//!         #[name = "sum<float>"]
//!         fn sum_f32(x: &[f32], out: &mut [f32], n: u32);
//!         #[name = "sum<double>"]
//!         fn sum_f64(x: &[f64], out: &mut [f64], n: u32);
//!     }
//! }
//!
//! // `Sums::load(&context)` does the same, with a cache on disk.
//! let sums = Sums::load_with(&context, |program| program.cache(Cache::off()))?;
//! let x = DeviceBuf::from_host(&stream, &[1.0_f32, 2.0, 3.0, 4.0])?;
//! let mut out = DeviceBuf::<f32>::zeroed(&stream, 2)?;
//! // SAFETY: 2 threads read rows of 2 elements of `x`, and write the 2 elements of `out`.
//! unsafe { sums.sum_f32(&x, &mut out, 2).launch(LaunchConfig::new(1, 2), &stream) }?;
//! assert_eq!(out.to_vec()?, [3.0, 7.0]);
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! # The source
//!
//! | source | text |
//! |---|---|
//! | `cuda("text")` | in the program. Messages of the compiler name lines of the Rust file if the literal has no escapes for line breaks |
//! | `cuda_file("k.cu")` | in a file. The path is relative to the Rust file, as in `include_str!`. `concat!` and `env!` are possible |
//!
//! Two settings may follow, each after a comma:
//!
//! | setting | meaning |
//! |---|---|
//! | `options = CompileOptions::new().fast_math(true)` | an expression of [`CompileOptions`](crate::nvrtc::CompileOptions), evaluated at each load |
//! | `headers = ["common.cuh"]` | files that the text includes by these names; their texts are part of the program |
//!
//! Cargo builds the program again if the file or a header changes.
//!
//! # The declarations
//!
//! The block `extern` is required. A kernel is found by its name, or by the [name
//! expression](crate::nvrtc::Program::name_expression) in `#[name = ".."]`:
//!
//! | kernel in C++ | `#[name = ".."]` |
//! |---|---|
//! | instance of a template | `sum<float>` |
//! | kernel in a namespace | `filters::blur` |
//! | one of several overloads | `(void (*)(float *, int))add` |
//!
//! `static` declares a `__device__` or `__constant__` variable. With NVRTC of CUDA 11, it also declares texture and surface references,
//! as `TexRef` and `SurfRef`. `#[block(..)]` is not compared with the C++.
//!
//! The structure has the methods `load`, `load_with` and `module`, and the constant `SOURCE`. `load_with` takes a function that
//! changes the [`Program`](crate::nvrtc::Program), for example its [cache](crate::nvrtc::Program::cache). If there is a [safe
//! kernel](mod@crate::kernels#safe-kernels), `load_with` is `unsafe`, because a changed program may break the promise of the
//! declaration.
//!
//! # Comparison
//!
//! The compiler of CUDA C++ compares the types when the kernels are loaded. For this, `load` adds static assertions after the end of
//! the text. A mistake is an error of the kind [`Compilation`](crate::error::ErrorKind::Compilation), and the log has the file and the
//! line of the declaration:
//!
//! ```text
//! src/main.rs(16): error: static assertion failed with "kernel 'sum<float>': parameter 2 'out' is declared as '&[f32]'; the
//! kernel may write it: declare '&mut [..]', or write '#[reads]' if it does not"
//!           detected during instantiation of class "cuda_rt_1_2<cuda_rt_type> [with cuda_rt_type=float *]" at line 16
//! ```
//!
//! | declared | in C++ |
//! |---|---|
//! | `&[T]` | `const T *`; with `#[reads]`, also `T *` |
//! | `&mut [T]` | `T *` |
//! | `DevicePtr<T>` | `T *` or `const T *` |
//! | `u32`, `i64`, `bool`, `f32` and other numbers | the number of the same size and kind, or an enumeration of the size of the integer |
//! | `u8`, `i8` | also `char` |
//! | arrays of numbers | a type of the same size, and of the same or a stricter alignment |
//! | derived enumerations, and derived `repr(transparent)` structures of one number | a type of the same size and alignment that is not a number of another kind |
//! | derived `repr(transparent)` structures of one `DevicePtr` | a type of the same size and alignment that is not a number |
//! | other types | a type of the same size and alignment |
//! | `[T; N]` and `T` of a `static` | a variable of the same size, which is aligned enough |
//!
//! An element type `T` that is a number is compared as a number. Any other `T` is compared by its size. A pointer to `void` or to an
//! incomplete type fits every `T`, and `DevicePtr<()>` fits every pointer. Aliases such as `core::ffi::c_int` count as the type that
//! they name. Not compared are the fields of structures, and lengths.
//!
//! The assertions are part of the text by which the [cache](crate::nvrtc::Cache) finds compiled code. So code from the cache was
//! compared when it was compiled. In addition, `load` compares the parameters with the loaded code, as
//! [`Function::typed`](crate::Function::typed) does.
//!
//! The assertions need C++11. NVRTC of CUDA 11 compiles C++98 by default: there, `load` sets C++14 if the options set no standard.

mod declarations;

/// Items for the expansion of [`kernels!`](crate::kernels!) with CUDA C++. No part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use super::declarations::{Declarations, DeclaredKernel, Parameter, load, lowered};
}
