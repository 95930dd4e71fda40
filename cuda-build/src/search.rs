//! The search for a compiler.

use crate::Error;
use cuda_sys::nvrtc::{Library, LoadError};
use std::env::consts::EXE_SUFFIX;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The variable that names the compiler, with precedence over all others.
pub(crate) const COMPILER: &str = "CUDA_BUILD_COMPILER";

/// The machine as a build script sees it. Tests make machines of their own.
pub(crate) struct Machine<'a> {
    pub(crate) variable: &'a dyn Fn(&str) -> Option<OsString>,
    /// The folder in which installers put the toolkit.
    pub(crate) toolkit: &'a Path,
    pub(crate) nvrtc: &'a dyn Fn() -> Result<Library, LoadError>,
}

impl Machine<'_> {
    /// Returns the value of an environment variable. An empty variable counts as not set.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        (self.variable)(name).filter(|value| !value.is_empty())
    }

    /// Returns the folder in a variable that cargo sets.
    pub(crate) fn folder(&self, variable: &'static str) -> Result<PathBuf, Error> {
        self.variable(variable).map(PathBuf::from).ok_or(Error::NotABuildScript { variable })
    }
}

/// The result of a search.
pub(crate) enum Found {
    Nvcc(PathBuf),
    Nvrtc(Box<Library>),
    /// No compiler, with every place that was searched.
    Nothing(Vec<String>),
    /// No search: the environment disables the compiler.
    Disabled,
}

/// Finds a compiler in the documented order. A compiler that a variable names is the only choice.
pub(crate) fn find(machine: &Machine<'_>) -> Result<Found, Error> {
    let nvrtc = |library| Found::Nvrtc(Box::new(library));
    let mut searched = Vec::new();
    for variable in [COMPILER, "NVCC"] {
        let Some(value) = machine.variable(variable) else {
            searched.push(format!("{variable} (not set)"));
            continue;
        };
        let label = || format!("{variable}={}", value.display());
        if variable == COMPILER && value == "none" {
            return Ok(Found::Disabled);
        }
        if variable == COMPILER && value == "nvrtc" {
            let unusable =
                |error: LoadError| Error::CompilerUnusable { compiler: label(), reason: error.to_string() };
            return (machine.nvrtc)().map(nvrtc).map_err(unusable);
        }
        let path = Path::new(&value);
        let found = if path.components().count() > 1 {
            program(machine.folder("CARGO_MANIFEST_DIR")?.join(path))
        } else {
            on_path(machine, &value)
        };
        return found.map(Found::Nvcc).ok_or_else(|| Error::CompilerUnusable {
            compiler: label(),
            reason: format!("no such file; name nvcc, or unset {variable}"),
        });
    }
    for variable in ["CUDA_PATH", "CUDA_HOME"] {
        match machine.variable(variable) {
            Some(folder) => {
                let path = Path::new(&folder).join("bin").join("nvcc");
                match program(path.clone()) {
                    Some(nvcc) => return Ok(Found::Nvcc(nvcc)),
                    None => searched.push(format!("{variable}: {} (no such file)", path.display())),
                }
            }
            None => searched.push(format!("{variable} (not set)")),
        }
    }
    if let Some(nvcc) = on_path(machine, OsStr::new("nvcc")) {
        return Ok(Found::Nvcc(nvcc));
    }
    searched.push("nvcc on PATH (not found)".to_owned());
    let installed = machine.toolkit.join("bin").join("nvcc");
    if let Some(nvcc) = program(installed.clone()) {
        return Ok(Found::Nvcc(nvcc));
    }
    searched.push(format!("{} (no such file)", installed.display()));
    match (machine.nvrtc)() {
        Ok(library) => Ok(nvrtc(library)),
        Err(error) if error.only_choice => {
            Err(Error::CompilerUnusable { compiler: "NVRTC".to_owned(), reason: error.to_string() })
        }
        Err(error) => {
            searched.extend(error.attempts.iter().map(|attempt| format!("NVRTC, {attempt}")));
            Ok(Found::Nothing(searched))
        }
    }
}

/// Finds a program by its path: with the suffix of programs on this system, or without a suffix.
fn program(path: PathBuf) -> Option<PathBuf> {
    let mut suffixed = path.clone().into_os_string();
    suffixed.push(EXE_SUFFIX);
    [PathBuf::from(suffixed), path].into_iter().find(|path| path.is_file())
}

fn on_path(machine: &Machine<'_>, name: &OsStr) -> Option<PathBuf> {
    let folders = machine.variable("PATH")?;
    // An empty entry is the current folder. Compilers there are not used.
    let folders = std::env::split_paths(&folders).filter(|folder| !folder.as_os_str().is_empty());
    folders.into_iter().find_map(|folder| program(folder.join(name)))
}
