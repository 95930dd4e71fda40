//! A stand-in for NVRTC, the run-time compiler, for tests of programs that compile CUDA C++. Needs the feature
//! `nvrtc`.
//!
//! It compiles nothing. The result for a program is the [output](Machine::compile_with) that the test provides. By
//! default it consists of kernels that do nothing. Calls of NVRTC belong to the [`Machine`] of the thread, as calls of
//! the driver do:
//!
//! - They are [recorded](Machine::nvrtc_calls).
//! - Tests can make them [fail](NvrtcFault). A [`Sweep`](crate::sweep::Sweep) makes each of them fail.
//! - Programs that are not destroyed [count](crate::LiveHandles::nvrtc_programs) as alive.
//!
//! The stand-in reports CUDA 13.0. Functions that a compilation to PTX, machine code or LTO-IR does not need are
//! missing.
//!
//! ```
//! use cuda_sim::nvrtc::{self, NvrtcFault, Output};
//! use cuda_sim::{Config, Machine};
//! use cuda_sys::nvrtc::{Symbol, nvrtcCreateProgram, nvrtcDestroyProgram, nvrtcResult};
//! use std::ptr::{null, null_mut};
//!
//! nvrtc::install_once()?;
//! let machine = Machine::new(Config::default());
//! let entered = machine.enter();
//! let create = || {
//!     let mut program = null_mut();
//!     // SAFETY: a place for the handle, a text that ends, and no headers.
//!     let code = unsafe { nvrtcCreateProgram(&mut program, c"".as_ptr(), null(), 0, null(), null()) };
//!     (code, program)
//! };
//! let code = nvrtcResult::NVRTC_ERROR_OUT_OF_MEMORY;
//! machine.inject_nvrtc(NvrtcFault::new(Symbol::nvrtcCreateProgram, code).times(1));
//! assert_eq!(create(), (code, null_mut()));
//! let (code, mut program) = create();
//! assert_eq!((code, machine.live().nvrtc_programs), (nvrtcResult::NVRTC_SUCCESS, 1));
//! // SAFETY: the program is live.
//! assert_eq!(unsafe { nvrtcDestroyProgram(&mut program) }, nvrtcResult::NVRTC_SUCCESS);
//! assert!(machine.live().is_empty());
//! # drop(entered);
//! # Ok::<(), cuda_sys::nvrtc::AlreadyInstalled>(())
//! ```

mod entries;

pub use crate::nvrtc_state::{NvrtcCall, NvrtcFault, Output, Source};

use crate::driver::Machine;
use cuda_sys::nvrtc::{AlreadyInstalled, Library, Symbol};
use std::sync::Arc;

/// Installs the stand-in, unless it is installed: [`cuda_sys::nvrtc`] calls it for the rest of the process.
///
/// This succeeds if nothing has used NVRTC yet. It also succeeds after calls for which no library could be loaded.
///
/// # Errors
///
/// Another library is in use.
///
/// # Examples
///
/// ```
/// cuda_sim::nvrtc::install_once()?;
/// cuda_sim::nvrtc::install_once()?; // does nothing
/// assert_eq!(cuda_sys::nvrtc::library().unwrap().origin(), "cuda-sim, a stand-in for NVRTC");
/// # Ok::<(), cuda_sys::nvrtc::AlreadyInstalled>(())
/// ```
pub fn install_once() -> Result<&'static Library, AlreadyInstalled> {
    let is_stand_in = |library: &Library| {
        let version = Symbol::nvrtcVersion;
        library.address(version) == entries::function(version.c_name())
    };
    // First of all, because the installation queries the version, which is a call that counts.
    if let Some(library) = Library::installed().filter(|library| is_stand_in(library)) {
        return Ok(library);
    }
    entries::install()
        .or_else(|error| Library::installed().filter(|library| is_stand_in(library)).ok_or(error))
}

impl Machine {
    /// Sets the function that provides the outputs of programs on this machine.
    ///
    /// The compiling thread calls the function for each compilation. The function may call the driver and NVRTC. If it
    /// panics, the compilation returns `NVRTC_ERROR_INTERNAL_ERROR`, and the log has the message of the panic. A
    /// [reset](Machine::reset) restores the [default](Output::empty_kernels).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::nvrtc::Output;
    /// use cuda_sim::{Config, Machine};
    /// use cuda_sys::nvrtc::nvrtcResult;
    ///
    /// let machine = Machine::new(Config::default());
    /// machine.compile_with(|source| match &source.name[..] {
    ///     // What a compiler has made of the program before.
    ///     "nothing.cu" => Output::ptx(".version 8.0 .target sm_90 .address_size 64 .visible .entry nothing() { ret; }"),
    ///     _ => Output::failure(nvrtcResult::NVRTC_ERROR_COMPILATION, "error: no such program"),
    /// });
    /// ```
    pub fn compile_with(&self, compiler: impl Fn(&Source) -> Output + Send + Sync + 'static) {
        let compiler = Arc::new(compiler);
        let before = self.with_nvrtc(|programs, _| core::mem::replace(&mut programs.compiler, compiler));
        // The machine is not locked, because objects of the function may call the driver when they are dropped.
        drop(before);
    }

    /// Adds a fault to calls of NVRTC on this machine. Faults accumulate. [`clear_faults`](Machine::clear_faults)
    /// removes them.
    pub fn inject_nvrtc(&self, fault: NvrtcFault) {
        self.with_nvrtc(|_, faults| faults.nvrtc.inject(fault));
    }

    /// Returns the calls of NVRTC since [`record_calls`](Machine::record_calls), or since the last call of this
    /// function.
    #[must_use]
    pub fn nvrtc_calls(&self) -> Vec<NvrtcCall> {
        self.with_nvrtc(|_, faults| faults.nvrtc.take_record()).unwrap_or_default()
    }
}
