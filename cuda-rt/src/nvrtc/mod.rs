//! CUDA C++, compiled at run time by NVRTC. With the feature `nvrtc`.
//!
//! | type | stands for |
//! |---|---|
//! | [`Program`] | source text, its headers, names and [options](CompileOptions) |
//! | [`Target`] | the output of the compiler, and its device |
//! | [`Compiled`] | PTX or machine code, the compiler's log, and the mangled names |
//! | [`SourceModule`] | a loaded program: a [`Module`](crate::Module) that knows the names of the source |
//! | [`Cache`] | the store of compiled programs for later runs |
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
//! NVRTC is a library of the CUDA toolkit, `libnvrtc`. It needs a second library, `libnvrtc-builtins`. `libnvrtc` is
//! opened at its first use: the system's newest, or the one that `CUDA_SYS_NVRTC_LIBRARY` names. No other part of a
//! toolkit is needed. NVRTC does not find headers such as `cuda_fp16.h` by itself: name their folder as an
//! [include directory](CompileOptions::include_dir).
//!
//! # Headers
//!
//! A program is compiled only for the device, and the headers of a host compiler are not available: no `<stdio.h>`, `<math.h>`,
//! `<stdint.h>`, `<vector>` or `<iostream>`. Kernels can use `printf`, `assert`, the functions of mathematics, `threadIdx` and
//! the like without a header, because they are built in. The toolkit's `cuda/std` has the rest (`<cuda/std/cstdint>`), in an
//! [include directory](CompileOptions::include_dir). [`Program::header`] adds a header of the program without a file.
//!
//! # From PyCUDA
//!
//! The [guide](crate::coming_from::pycuda#pycudacompiler) leads from the names of PyCUDA to the items here.
//!
//! # Compiler and driver
//!
//! NVRTC writes PTX in the version of its own release, whatever the architecture. A driver accepts only PTX that is not newer
//! than itself. For example, a driver of 13.0 refuses the PTX of a compiler of 13.5 (`CUDA_ERROR_UNSUPPORTED_PTX_VERSION`), and
//! runs its machine code. So [`Target::for_context`] compares the two releases. If the driver is older, it selects machine code,
//! which the driver runs within one major release.
//!
//! # How long it takes
//!
//! Times in milliseconds of a template kernel of some lines, on servers with an H200, measured by the program
//! `examples/nvrtc_cache.rs` of the repository:
//!
//! | NVRTC | opening the library, ms | PTX, first in the process, ms | PTX, ms | machine code, ms | found in the [cache](Cache), ms |
//! |---|---|---|---|---|---|
//! | 13.0 | 4 to 17 | 39 to 256 | 18 to 40 | 26 to 39 | 0.03 to 0.04 |
//! | 13.5 | 6 to 8 | 39 to 55 | 25 to 37 | 34 to 36 | 0.03 to 0.04 |
//!
//! The library is opened even for cached programs, because its release is a part of the key. The driver compiles PTX, unlike
//! machine code, when it is loaded, and keeps the code in a cache of its own.
//!
//! The last column is for a program without headers. A lookup also opens all headers that are files, and reads those that this
//! process [has not read yet](Cache#files-that-a-program-includes). With `cuda_fp16.h` of CUDA 13.5 these are 16 files of 1.4 MB
//! in all. The following times were measured on a virtual machine with two cores, by the same example with the folder of the
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
//! Several threads can compile programs at once: NVRTC allows this for different programs (documented), and each compilation
//! makes its own program.
//!
//! # Trust
//!
//! NVRTC runs in this process, and is trusted like the driver's compiler. Its output is trusted too, and can be loaded without
//! `unsafe`. NVRTC offers no protection against attackers: do not compile source text from untrusted sources. It reads any file
//! that a program includes, and deeply nested source can exhaust the stack of a small thread.

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

/// Returns the release of the loaded NVRTC.
///
/// # Errors
///
/// [`CompilerUnavailable`](crate::error::ErrorKind::CompilerUnavailable), with a list of the libraries that were tried: there is
/// no NVRTC.
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

/// Returns the compute capabilities that the loaded NVRTC supports, from the oldest on. NVRTC before 11.2 cannot be queried: then
/// the result is the known list of its release.
///
/// # Errors
///
/// [`CompilerUnavailable`](crate::error::ErrorKind::CompilerUnavailable): there is no NVRTC.
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

/// Returns a copy with a NUL at its end. Refuses a text with a NUL inside.
fn c_string(content: impl Into<Vec<u8>>, text: &'static str) -> Result<CString> {
    CString::new(content).map_err(|error| {
        let position = error.nul_position();
        Error::invalid(text, format_args!("the byte at position {position} is NUL; remove it"))
    })
}
