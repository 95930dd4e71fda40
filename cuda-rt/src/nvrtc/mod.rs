//! CUDA C++, compiled when the program runs: NVRTC. With the feature `nvrtc`.
//!
//! | type | is |
//! |---|---|
//! | [`Program`] | source text, its headers, names and [options](CompileOptions) |
//! | [`Target`] | what it is compiled to, and for which device |
//! | [`Compiled`] | PTX or machine code, the compiler's log, and the mangled names |
//! | [`SourceModule`] | that, loaded: a [`Module`](crate::Module) which knows the names of the source |
//! | [`Cache`] | where what was compiled is kept for the next time |
//!
//! ```
//! # let context = cuda_doc::context()?;
//! # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
//! use cuda_rt::nvrtc::Program;
//!
//! let program = Program::new("extern \"C\" __global__ void scale(float *x, float by) { x[threadIdx.x] *= by; }");
//! # let program = program.cache(cuda_rt::nvrtc::Cache::off());
//! let scale = program.compile_and_load(&context)?.function("scale")?;
//! # Ok::<(), cuda_rt::Error>(())
//! ```
//!
//! NVRTC is a library of the CUDA toolkit, `libnvrtc`, with a second one that it needs, `libnvrtc-builtins`. It is
//! opened when it is first needed: the system's newest, or the one that `CUDA_SYS_NVRTC_LIBRARY` names. Nothing else of
//! a toolkit is needed, but headers such as `cuda_fp16.h` are not in the library: name their folder as an [include
//! directory](CompileOptions::include_dir).
//!
//! # Headers
//!
//! A program is compiled for the device alone, and nothing of the host's compiler is there: no `<stdio.h>`, `<math.h>`,
//! `<stdint.h>`, `<vector>` or `<iostream>`. What kernels use of them needs no header: `printf`, `assert`, the functions of
//! mathematics, `threadIdx` and its like are built in; the toolkit's `cuda/std` has the rest (`<cuda/std/cstdint>`), in an
//! [include directory](CompileOptions::include_dir). A header of one's own can come along with the program
//! ([`Program::header`]), without a file.
//!
//! # From PyCUDA
//!
//! | PyCUDA | here |
//! |---|---|
//! | `SourceModule(source)` | [`Program::new`] with [`extern_c(true)`](Program::extern_c), then [`compile_and_load`](Program::compile_and_load) |
//! | `no_extern_c=True` | the default, without [`extern_c`](Program::extern_c); names are added by [`name_expression`](Program::name_expression) |
//! | `get_function(name)`, `get_global(name)` | [`SourceModule::function`], [`SourceModule::global`] |
//! | `get_texref(name)`, `get_surfref(name)` | [`Module::tex_ref`](crate::Module::tex_ref), [`Module::surf_ref`](crate::Module::surf_ref): a [`SourceModule`] derefs to its module |
//! | `prepare("Pi")`, `prepared_call` | [`Function::typed`](crate::Function::typed), [`Kernel::with`](crate::Kernel::with), [`Launch::launch`](crate::launch::Launch::launch) |
//! | `options=["-use_fast_math"]` | [`Program::options`] with [`CompileOptions`]: a method for each, and [`raw`](CompileOptions::raw) for any other |
//! | `compiler.DEFAULT_NVCC_FLAGS`, the environment's `PYCUDA_DEFAULT_NVCC_FLAGS` | none: keep a [`CompileOptions`] and give each program a clone |
//! | `include_dirs=[...]` | [`CompileOptions::include_dir`] |
//! | `arch="sm_90"`, `code=` | [`Program::compile`] with [`Target::cubin`] or [`Target::ptx`]; by default what the context's device and driver take ([`Target::for_context`]) |
//! | `cache_dir="..."`, `cache_dir=False` | [`Program::cache`] with [`Cache::in_folder`] or [`Cache::off`]; the default is a folder of the user's |
//! | `keep=True` | nothing is written: [`Compiled::ptx`] and [`Compiled::cubin`] are what would be kept |
//! | `nvcc="..."` | the environment's `CUDA_SYS_NVRTC_LIBRARY`: the library to take |
//! | `compile(source)` | [`Program::compile`], which needs no GPU |
//! | `CompileError`, its `stderr` and `command_line` | [`ErrorKind::Compilation`](crate::error::ErrorKind::Compilation) and [`CompileLog`], its `log` and `options` |
//! | `DynamicSourceModule`, `DynamicModule` | [`CompileOptions::relocatable`], and a [`Linker`](crate::module::Linker) |
//!
//! # Compiler and driver
//!
//! NVRTC writes PTX in the version of its own release, whatever the architecture, and a driver takes only what is not
//! newer than it: a driver of 13.0 refuses the PTX of a compiler of 13.5 (`CUDA_ERROR_UNSUPPORTED_PTX_VERSION`), and
//! runs its machine code. So [`Target::for_context`] compares the two, and takes machine code instead where
//! the driver runs that: within one major release.
//!
//! # How long it takes
//!
//! Measured with a template kernel of some lines on servers with an H200, by the program `examples/nvrtc_cache.rs` of the
//! repository, in milliseconds:
//!
//! | NVRTC | opening the library | PTX, first in the process | PTX | machine code | found in the [cache](Cache) |
//! |---|---|---|---|---|---|
//! | 13.0 | 4 to 17 | 39 to 256 | 18 to 40 | 26 to 39 | 0.03 to 0.04 |
//! | 13.5 | 6 to 8 | 39 to 55 | 25 to 37 | 34 to 36 | 0.03 to 0.04 |
//!
//! The library is opened even for what is found, since its release is a part of what that is found by; and PTX, unlike
//! machine code, is compiled by the driver when it is loaded, which keeps it in a cache of its own.
//!
//! The last column is about a program without headers. A lookup also opens all headers that are files, and reads those
//! that this process [has not read yet](Cache#files-that-a-program-includes). With `cuda_fp16.h` of CUDA 13.5 these are
//! 16 files of 1.4 MB in all. Measured on a virtual machine with two cores, by the same example with the folder of the
//! headers as its argument:
//!
//! | lookup in the [cache](Cache) | optimised build, ms | debug build, ms |
//! |---|---|---|
//! | program without headers | 0.03 to 0.04 | 0.3 |
//! | program with `cuda_fp16.h`, first in the process | 7 to 12 | 70 to 130 |
//! | program with `cuda_fp16.h`, later | 0.11 to 0.12 | 0.4 to 0.6 |
//!
//! # Threads
//!
//! Programs can be compiled in several threads at once: NVRTC allows for that (documented), as long as they are
//! different programs, and each compilation makes one of its own.
//!
//! # Trust
//!
//! NVRTC runs in this process, and is trusted to keep its word as the driver's compiler is; so is what it makes, which
//! can be loaded without `unsafe`. It is a compiler for programs, not a wall against attackers: do not feed it source
//! text from strangers. It reads any file that a program includes, and deeply nested source can exhaust the stack of a
//! small thread.

mod cache;
mod calls;
mod code;
mod compiled;
mod error;
mod names;
mod options;
mod program;
mod source_module;
mod target;

pub use cache::{Cache, CacheOutcome, Uncached};
pub use code::{Code, UnknownCode};
pub use compiled::Compiled;
pub use cuda_sys::nvrtc::Version;
pub use error::{CallError, CompileLog};
pub use options::{CompileOptions, CppStandard};
pub use program::Program;
pub use source_module::SourceModule;
pub use target::{Output, Target};

use crate::device::ComputeCapability;
use crate::error::{Error, Result};
use std::ffi::CString;

/// The release that the loaded NVRTC is of.
///
/// # Errors
///
/// [`CompilerUnavailable`](crate::error::ErrorKind::CompilerUnavailable) if there is none: it lists what was tried.
///
/// # Examples
///
/// ```
/// match cuda_rt::nvrtc::version() {
///     Ok(version) => println!("NVRTC of CUDA {version}"),
///     Err(error) => println!("{error}"),
/// }
/// ```
#[doc(alias = "nvrtcVersion")]
pub fn version() -> Result<Version> {
    calls::version(calls::library()?)
}

/// The compute capabilities that the loaded NVRTC compiles for, from the oldest on. One before 11.2 cannot be asked;
/// for it these are those that are known of its release.
///
/// # Errors
///
/// [`CompilerUnavailable`](crate::error::ErrorKind::CompilerUnavailable) if there is no NVRTC.
///
/// # Examples
///
/// ```
/// if let Ok(capabilities) = cuda_rt::nvrtc::supported_architectures() {
///     assert!(capabilities.contains(&cuda_rt::device::ComputeCapability::new(8, 0)));
/// }
/// ```
#[doc(alias("nvrtcGetSupportedArchs", "nvrtcGetNumSupportedArchs"))]
pub fn supported_architectures() -> Result<Vec<ComputeCapability>> {
    Ok(target::Compiler::loaded()?.into_supported())
}

/// A copy with a NUL at its end; refused if there is one inside.
fn c_string(content: impl Into<Vec<u8>>, text: &'static str) -> Result<CString> {
    CString::new(content).map_err(|error| {
        let position = error.nul_position();
        Error::invalid(text, format_args!("the byte at position {position} is NUL; remove it"))
    })
}
