//! The CUDA driver API, raw: the functions, types and constants of `cuda.h`, under their exact names.
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
//! The bindings are those of CUDA 13.5, for every driver from CUDA 11.0 on. There are no version features. A function
//! that the loaded driver lacks returns
//! [`CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER`](cudaError_enum::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER).
//! [`Driver::missing`] then returns the release that has the function. Without a driver library, every function returns
//! [`CUDA_ERROR_SHARED_OBJECT_INIT_FAILED`](cudaError_enum::CUDA_ERROR_SHARED_OBJECT_INIT_FAILED), and [`driver()`]
//! returns an error that lists the libraries that were tried. `cuGetErrorName` and `cuGetErrorString` return this code
//! too, and leave their pointer unchanged. [`name`](cudaError_enum::name) and
//! [`description`](cudaError_enum::description) need no driver. Nothing panics.
//!
//! # Names
//!
//! The crate has everything in `cuda.h` and in the headers of its features, under the same names. Only 65 versions of
//! functions are missing, which newer versions replaced in CUDA 11.0 or earlier.
//!
//! *Functions* have the names that the library exports, and a bare name is the **oldest** version. In C it is the
//! newest: the headers' macros make `cuMemAlloc` mean `cuMemAlloc_v2`, and `cuEventElapsedTime` mean
//! `cuEventElapsedTime_v2`. Such a mapping in Rust would silently raise the oldest usable driver. The caller therefore
//! chooses between `cuCtxCreate_v2` and `cuCtxCreate_v4`. The documentation of each function lists its versions, the
//! release that introduced it, the meaning of the name in C, and its requirements. [`Symbol`] has the same as data.
//!
//! *C enumerations* are integer newtypes: a number that a newer driver returns stays a number. An enumerator is a
//! constant of its type, and a constant of its own as in C: `CUresult::CUDA_SUCCESS` and [`CUDA_SUCCESS`]. Where C
//! passes an enumerator for an integer, Rust passes its field:
//!
//! ```
//! use cuda_sys::*;
//!
//! let flags = CU_CTX_SCHED_AUTO | CU_CTX_MAP_HOST; // of a type with `|`, since they are flags
//! let number: u32 = flags.0; // what `cuCtxCreate_v2` takes
//! let next = CUdevice_attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE.0 + 1);
//! # assert_eq!((number, next), (8, CU_DEVICE_ATTRIBUTE_MAX_PITCH));
//! ```
//!
//! *Structures* start as `T::default()`, which is all zero, as the API requires.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `ptds` | the per-thread versions of functions, under their own names: `cuMemcpy_ptds`. In them, the null stream is the default stream of the calling thread. If a function takes a stream, passing [`CU_STREAM_PER_THREAD`] does the same |
//! | `gl` | `cudaGL.h` |
//! | `egl` | `cudaEGL.h` |
//! | `vdpau` | `cudaVDPAU.h` |
//! | `nvrtc` | the module `nvrtc`: CUDA's run-time compiler, a library of its own, bound and opened in the same way |
//!
//! All features are off by default and additive. No feature changes the items of others, and none adds a dependency.
//!
//! # Safety
//!
//! All functions of the API are `unsafe`. The caller must meet the requirements that the driver API documents for the
//! function. In general: Pointers are valid for the reads and writes of the function. For work on streams, they stay
//! valid until that work is complete. Handles are live, of the right kind, and not destroyed by another thread during
//! the call. Sizes and strides stay inside of allocations. Structures are initialised, and their reserved fields are
//! zero. A structure of one version of a function is not passed to another version.
//!
//! # Three ways to call
//!
//! | call | meaning |
//! |---|---|
//! | `cuInit(0)` | a free function, which opens the driver on first use |
//! | `(driver.cuInit)(0)` | a function pointer of a held `&'static` [`Driver`], which derefs to its [`Table`] |
//! | `cuInit(0)` after [`install`] | a function of a table of your own: a simulator, a tracer, a test |
//!
//! A call through a held [`Driver`] is a call through a function pointer. A free function adds a load, a test and a
//! branch. `cargo bench --bench overhead` in the workspace measures both.
//!
//! # glibc and musl
//!
//! On Linux, NVIDIA's driver and NVRTC need glibc. The crate also builds for targets with musl. There it returns an
//! error that says how to build instead.
//!
//! | target | linked | opens NVIDIA's driver |
//! |---|---|---|
//! | `*-linux-gnu` | dynamically | yes |
//! | `*-linux-gnu` | statically (`-C target-feature=+crt-static`) | only where the machine has the glibc that the program was linked with |
//! | `*-linux-musl` | statically, the default | no: musl opens no library in a static program |
//! | `*-linux-musl` | dynamically (`-C target-feature=-crt-static`) | no: musl refuses the driver, because functions of glibc are missing. It opens a library that is made for musl |
//!
//! A driver that is part of the program needs no library. [`install`] works on all these targets.
//!
//! # Environment
//!
//! `CUDA_SYS_LIBRARY` names the driver library to open instead of the system's. If it cannot be used, that is an error:
//! no other library is tried. An empty value counts as unset: the libraries that [`Driver::load`] lists are tried. A
//! program that runs with elevated privileges must remove the variable from its environment.

#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod calls;
mod constants;
mod driver;
mod error;
// C's names, and layout assertions that spell out every offset.
#[allow(
    missing_docs,
    non_camel_case_types,
    non_upper_case_globals,
    non_snake_case,
    unsafe_code,
    unused_imports,
    clippy::all,
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    clippy::doc_markdown
)]
mod generated;
mod in_use;
mod library;
mod load;
#[cfg(feature = "nvrtc")]
pub mod nvrtc;
mod process_library;
mod result;
mod stub;
mod symbol;
mod table;
mod version;

pub use calls::*;
pub use constants::*;
pub use driver::Driver;
pub use error::{AlreadyInstalled, Attempt, LoadError, MissingSymbol, Refusal};
#[doc(no_inline)]
pub use generated::enumerators::*;
pub use generated::*;
pub use in_use::{driver, install};
pub use symbol::{CallClass, Symbol, SymbolSet};
pub use table::*;
pub use version::DriverVersion;
