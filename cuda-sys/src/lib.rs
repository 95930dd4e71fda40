//! The CUDA driver API, raw: every function, type and constant of `cuda.h`, under its exact name.
//!
//! The crate compiles without a CUDA toolkit and without a GPU. The driver's library
//! (`libcuda.so.1`, `nvcuda.dll`) is opened at run time, on the first call.
//!
//! ```no_run
//! use cuda_sys::*;
//!
//! let driver = cuda_sys::driver()?; // or an error that lists what was tried
//! println!("driver for CUDA {:?} from {}", driver.version(), driver.origin());
//!
//! let mut count = 0;
//! // SAFETY: the flags are 0, as the API demands.
//! assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
//! // SAFETY: `count` is valid for a write.
//! assert_eq!(unsafe { cuDeviceGetCount(&mut count) }, CUresult::CUDA_SUCCESS);
//! # Ok::<(), &'static cuda_sys::LoadError>(())
//! ```
//!
//! # One binding set for every driver
//!
//! The bindings are those of CUDA 13.5, for every driver from CUDA 11.0 on; there are no version
//! features. A function that the loaded driver lacks returns
//! [`CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER`](cudaError_enum::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER);
//! [`Driver::missing`] then says which release has it. With no driver library at all every function
//! returns [`CUDA_ERROR_SHARED_OBJECT_INIT_FAILED`](cudaError_enum::CUDA_ERROR_SHARED_OBJECT_INIT_FAILED),
//! and [`driver()`] says what was tried. Nothing panics.
//!
//! # Names
//!
//! Functions have the names that the library exports: `cuMemAlloc_v2`, never a bare `cuMemAlloc`.
//! The headers' macros rename most functions to their newest version, which would raise the oldest
//! usable driver unseen; so the caller chooses between `cuCtxCreate_v2` and `cuCtxCreate_v4`.
//! C enumerations are integer newtypes with associated constants: a number that a newer driver
//! returns stays a number. Structures start as `T::default()`, which is all zero, as the API asks.
//!
//! # Three ways to call
//!
//! | | |
//! |---|---|
//! | `cuInit(0)` | free functions; they open the driver on first use |
//! | `(driver.cuInit)(0)` | through a held `&'static` [`Driver`], which derefs to its [`Table`] |
//! | [`install`] | a table of your own: a simulator, a tracer, a test |
//!
//! The first two cost no more than a function pointer held by hand (measured, `cargo bench --bench calls` in
//! the workspace): the free functions add a load and a branch, which disappear beside the call.
//!
//! # Environment
//!
//! `CUDA_SYS_LIBRARY` names the driver library to open instead of the system's. If it cannot be
//! used, that is an error: no other library is tried. Set to nothing, it counts as unset. A program that
//! runs with its user's rights raised must take it out of its environment.
//!
//! # Features
//!
//! `nvrtc` (off by default, no further dependencies) adds the module `nvrtc`: CUDA's run-time compiler, a
//! library of its own, bound and loaded in the same way.

#![deny(unsafe_code)]

mod constants;
mod error;
// C's names, and layout assertions that spell out every offset.
#[allow(
    missing_docs,
    non_camel_case_types,
    non_upper_case_globals,
    non_snake_case,
    unsafe_code,
    clippy::all,
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    clippy::doc_markdown,
    rustdoc::broken_intra_doc_links
)]
mod generated;
mod library;
mod load;
#[cfg(feature = "nvrtc")]
pub mod nvrtc;
mod result;
mod stub;
mod symbol;
mod table;
mod version;

pub use constants::*;
pub use error::{AlreadyInstalled, Attempt, LoadError, MissingSymbol, Refusal};
pub use generated::*;
pub use load::{Driver, driver, install};
pub use symbol::Symbol;
pub use table::*;
pub use version::DriverVersion;
