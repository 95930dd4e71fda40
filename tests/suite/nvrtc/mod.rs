//! CUDA C++, compiled by NVRTC: the system's, or one of those that `CUDA_NVRTC_LIBRARIES` lists.

mod cache;
mod declared;
mod kernels;
mod libraries;
mod messages;

use cuda_rt::device::ComputeCapability;
use cuda_rt::nvrtc::{Cache, CallError, Code, CompileOptions, Program, Target, Version};
use cuda_sys::nvrtc::Library;
use std::sync::OnceLock;

/// Returns whether the loaded driver takes the PTX of this compiler.
fn is_taken(version: Version) -> bool {
    let driver = cuda_rt::driver_version().unwrap();
    (driver.major(), driver.minor()) >= (version.major, version.minor)
}

/// The compiler's release: of the newest whose PTX the driver takes. `None`, with a word, if there is none.
fn compiler(test: &str) -> Option<Version> {
    static INSTALLED: OnceLock<Option<Version>> = OnceLock::new();
    cuda_suite::driver();
    let version = INSTALLED.get_or_init(|| {
        let named = std::env::var("CUDA_NVRTC_LIBRARIES").unwrap_or_default();
        // SAFETY: who lists a library answers for it.
        let named = named.split(':').filter_map(|path| unsafe { Library::open(path) }.ok());
        let found = Library::load().into_iter().chain(named);
        let taken = found.filter(|library| library.version().is_some_and(is_taken));
        let library = taken.max_by_key(Library::version)?.install().unwrap();
        let first = program("").compile(Target::ptx(ComputeCapability::new(8, 0)));
        let code = first.err().and_then(|error| error.context::<CallError>().map(|failed| failed.code));
        // It does not find its second library, which some builds look for where the system does.
        if code == Some(Code::BuiltinOperationFailure) { None } else { library.version() }
    });
    if version.is_none() {
        cuda_suite::note_skip(test, "there is no NVRTC that works here and whose PTX the driver takes");
    }
    *version
}

/// A program that is compiled each time.
fn program(source: &str) -> Program {
    Program::new(source).cache(Cache::off())
}

fn with(source: &str, options: CompileOptions) -> Program {
    program(source).options(options)
}

/// Ends the test if there is no compiler.
macro_rules! needs_compiler {
    () => {
        match $crate::nvrtc::compiler(module_path!()) {
            Some(version) => version,
            None => return,
        }
    };
}
use needs_compiler;
