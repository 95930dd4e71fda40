//! NVRTC, raw: CUDA's run-time compiler, which compiles CUDA C++ source text to PTX and machine code.
//!
//! Needs the feature `nvrtc`. The module has every function, type and constant of `nvrtc.h` under its exact name. NVRTC
//! is a library of its own (`libnvrtc.so.13`, `nvrtc64_130_0.dll`). It comes with the toolkit, not with the driver, and
//! needs neither a driver nor a GPU. It is opened at run time, on the first call.
//!
//! ```no_run
//! use cuda_sys::nvrtc::{
//!     NVRTC_SUCCESS, nvrtcCompileProgram, nvrtcCreateProgram, nvrtcDestroyProgram, nvrtcProgram,
//! };
//! use std::ptr::{null, null_mut};
//!
//! let library = cuda_sys::nvrtc::library()?; // or an error that lists what was tried
//! println!("NVRTC of CUDA {:?} from {}", library.version(), library.origin());
//!
//! let source = c"extern \"C\" __global__ void nothing() {}";
//! let mut program: nvrtcProgram = null_mut();
//! // SAFETY: `program` is valid for a write, the texts end in NUL, and there are no headers.
//! let code = unsafe {
//!     nvrtcCreateProgram(&mut program, source.as_ptr(), c"nothing.cu".as_ptr(), 0, null(), null())
//! };
//! assert_eq!(code, NVRTC_SUCCESS);
//! // SAFETY: the program is live, and there are no options.
//! assert_eq!(unsafe { nvrtcCompileProgram(program, 0, null()) }, NVRTC_SUCCESS);
//! // SAFETY: the program is live, and `program` is valid for a write.
//! assert_eq!(unsafe { nvrtcDestroyProgram(&mut program) }, NVRTC_SUCCESS);
//! # Ok::<(), &'static cuda_sys::nvrtc::LoadError>(())
//! ```
//!
//! The module and the crate share some names, such as `Symbol` and `install`. A program that imports
//! both with `*` must import such a name explicitly, too.
//!
//! # One binding set for every release
//!
//! The bindings are those of CUDA 13.5. They also have the functions that releases after CUDA 11.2
//! removed. They work with NVRTC of every release from CUDA 11.2 on. NVRTC has no code for a function that a release lacks. So such a function returns
//! [`NVRTC_ERROR_INTERNAL_ERROR`](nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR). [`Library::missing`] then returns an
//! error that names the releases that have the function. Without a library, every function returns the same code, and [`library()`] returns
//! an error that lists the libraries that were tried. [`nvrtcGetErrorString`], which returns no code, returns null in
//! both cases. [`nvrtcResult::name`] needs no library. Nothing panics.
//!
//! # Which library
//!
//! `CUDA_SYS_NVRTC_LIBRARY` names the library to open. If it cannot be used, that is an error: no other is tried. An
//! empty value counts as unset. A program that runs with elevated privileges must remove the variable from its
//! environment.
//!
//! Otherwise the first library that can be used is opened. On Linux, the places are those
//! that the dynamic linker searches, and then `/usr/local/cuda/lib64`, each with the newest release
//! first. [`Library::load`] lists all libraries, also those of Windows.
//!
//! A driver older than the compiler may refuse its PTX with
//! [`CUDA_ERROR_UNSUPPORTED_PTX_VERSION`](crate::cudaError_enum::CUDA_ERROR_UNSUPPORTED_PTX_VERSION). In this case,
//! name an older library, or load machine code from [`nvrtcGetCUBIN`].

mod error;
mod load;
mod result;
mod stub;
mod symbol;
mod table;
mod version;

pub use crate::generated::nvrtc::*;
pub use error::{Absence, AlreadyInstalled, Attempt, LoadError, MissingSymbol, Refusal};
pub use load::{Library, install, library};
pub use symbol::Symbol;
pub use table::*;
pub use version::Version;
