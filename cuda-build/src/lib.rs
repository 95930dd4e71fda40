#![doc = include_str!("../README.md")]

mod dependencies;
mod error;
mod nvcc;
mod nvrtc;
mod search;

pub use error::Error;

use cuda_sys::nvrtc::Library;
use search::{Found, Machine};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Oldest target that the compilers of all releases from CUDA 11.0 to 13.5 have.
const DEFAULT_TARGET: &str = "compute_75";

/// The file for documentation builds, which have neither a compiler nor a committed PTX file.
const NO_KERNELS: &str = "// Made without a compiler, because DOCS_RS is set.\n\
    .version 6.4\n.target sm_75\n.address_size 64\n";

/// Variables that change the output.
const VARIABLES: [&str; 9] = [
    search::COMPILER,
    "NVCC",
    "CUDA_PATH",
    "CUDA_HOME",
    "CUDA_SYS_NVRTC_LIBRARY",
    "NVCC_CCBIN",
    "NVCC_PREPEND_FLAGS",
    "NVCC_APPEND_FLAGS",
    "DOCS_RS",
];

/// A CUDA C++ file that is compiled to PTX.
///
/// Relative paths start at the folder of the crate's `Cargo.toml`.
///
/// ```no_run
/// fn main() -> Result<(), cuda_build::Error> {
///     for n in ["4", "8"] {
///         let file_name = format!("sim_{n}.ptx");
///         cuda_build::Ptx::new("src/sim.cu").define("N", n).file_name(file_name).compile()?;
///     }
///     Ok(())
/// }
/// ```
#[derive(Debug, Clone)]
#[must_use = "only `compile` calls the compiler"]
pub struct Ptx {
    source: PathBuf,
    target: String,
    macros: Vec<(String, Option<String>)>,
    include_dirs: Vec<PathBuf>,
    options: Vec<String>,
    file_name: Option<PathBuf>,
    fallback: Option<PathBuf>,
}

impl Ptx {
    /// Names the CUDA C++ file.
    pub fn new(source: impl Into<PathBuf>) -> Self {
        Self {
            source: source.into(),
            target: DEFAULT_TARGET.to_owned(),
            macros: Vec::new(),
            include_dirs: Vec::new(),
            options: Vec::new(),
            file_name: None,
            fallback: None,
        }
    }

    /// Sets the virtual architecture, for example `compute_80`. The driver compiles the PTX for devices of this compute
    /// capability and of newer ones.
    ///
    /// The default is `compute_75`. It is the oldest architecture that the compilers of all releases from CUDA 11.0 to 13.5 have.
    /// It does not depend on the GPU of the build machine.
    #[doc(alias("-arch", "--gpu-architecture"))]
    pub fn target(self, target: impl Into<String>) -> Self {
        Self { target: target.into(), ..self }
    }

    /// Adds a folder in which the compiler searches for headers, after those of earlier calls.
    #[doc(alias("-I", "--include-path"))]
    pub fn include(mut self, folder: impl Into<PathBuf>) -> Self {
        self.include_dirs.push(folder.into());
        self
    }

    /// Defines a macro. Without a value, the macro is 1.
    ///
    /// ```
    /// let ptx = cuda_build::Ptx::new("src/sim.cu").define("N", "4").define("FAST", None);
    /// ```
    #[doc(alias("-D", "--define-macro"))]
    pub fn define<'a>(mut self, name: impl Into<String>, value: impl Into<Option<&'a str>>) -> Self {
        self.macros.push((name.into(), value.into().map(str::to_owned)));
        self
    }

    /// Adds an option of the compiler, unchanged. nvcc and NVRTC have most options in common: `--use_fast_math`, `--std=c++20`,
    /// `-lineinfo`.
    ///
    /// Without an option that begins with `--std` or `-std`, `--std=c++17` is added: the defaults of the compilers differ.
    pub fn option(mut self, option: impl Into<String>) -> Self {
        self.options.push(option.into());
        self
    }

    /// Sets the name of the file in `OUT_DIR`. The default is the name of the CUDA C++ file, with the extension `ptx`.
    pub fn file_name(self, name: impl Into<PathBuf>) -> Self {
        Self { file_name: Some(name.into()), ..self }
    }

    /// Names a committed PTX file, which is copied if there is no compiler.
    ///
    /// The copy is reported by a warning of the build. The warning is left out if `CUDA_BUILD_COMPILER=none` disables the
    /// compiler, and in documentation builds. A file that does not compile is still an error.
    pub fn or_file(self, file: impl Into<PathBuf>) -> Self {
        Self { fallback: Some(file.into()), ..self }
    }

    /// Compiles, writes the PTX file to `OUT_DIR`, and returns its path. Waits for the compiler.
    ///
    /// Prints instructions for cargo: the files and variables that were read, and the warnings of the compiler.
    ///
    /// # Errors
    ///
    /// - [`NotABuildScript`](Error::NotABuildScript): a variable that cargo sets is missing.
    /// - [`InvalidArgument`](Error::InvalidArgument): the target does not begin with `compute_`, or a text for NVRTC
    ///   contains a NUL.
    /// - The same kind: the path of the CUDA C++ file ends without a name, or the file name has a folder.
    /// - [`File`](Error::File): a file cannot be read or written, or a CUDA C++ file for NVRTC contains a NUL.
    /// - [`CompilerNotFound`](Error::CompilerNotFound): there is neither a compiler nor a committed PTX file.
    /// - [`CompilerUnusable`](Error::CompilerUnusable): a compiler that a variable names is missing, or a compiler cannot be
    ///   called.
    /// - [`Compilation`](Error::Compilation): the compiler refuses the file.
    pub fn compile(&self) -> Result<PathBuf, Error> {
        let machine = Machine {
            variable: &|name| std::env::var_os(name),
            toolkit: Path::new("/usr/local/cuda"),
            nvrtc: &Library::load,
        };
        let (path, instructions) = self.compile_on(&machine)?;
        // After an error, cargo runs the build script again in any case, and would show these lines before the error.
        let mut lines = String::new();
        for instruction in instructions {
            // A line break would end the instruction.
            lines.push_str(&format!("cargo:{}\n", instruction.replace(['\n', '\r'], "?")));
        }
        let written = std::io::stdout().lock().write_all(lines.as_bytes());
        written.map_err(|reason| Error::File { path: "standard output".into(), reason })?;
        Ok(path)
    }

    /// Returns the path of the PTX file, and the instructions for cargo.
    fn compile_on(&self, machine: &Machine<'_>) -> Result<(PathBuf, Vec<String>), Error> {
        let file_name = self.checked_file_name()?;
        let root = machine.folder("CARGO_MANIFEST_DIR")?;
        let output = machine.folder("OUT_DIR")?.join(file_name);
        std::fs::metadata(root.join(&self.source))
            .map_err(|reason| Error::File { path: self.source.clone(), reason })?;

        let is_documentation = machine.variable("DOCS_RS").is_some();
        let found = if is_documentation { Found::Disabled } else { search::find(machine)? };
        let (read, messages) = match found {
            Found::Nvcc(nvcc) => nvcc::compile(&nvcc, self, &root, &output)?,
            Found::Nvrtc(library) => {
                let (text, messages) = nvrtc::compile(&library, self, &root)?;
                write(&output, &text)?;
                (dependencies::of_source(&root, &self.source, &self.include_dirs), messages)
            }
            Found::Disabled if is_documentation && self.fallback.is_none() => {
                write(&output, NO_KERNELS.as_bytes())?;
                (Vec::new(), String::new())
            }
            Found::Disabled => {
                let file = self.copy_fallback(&root, &output, vec![format!("{}=none", search::COMPILER)])?;
                (vec![file], String::new())
            }
            Found::Nothing(searched) => {
                let file = self.copy_fallback(&root, &output, searched)?;
                let (source, copied) = (self.source.display(), file.display());
                let warning = format!(
                    "{source} is not compiled: no CUDA compiler was found; {copied} is taken instead"
                );
                (vec![file], warning)
            }
        };
        let mut instructions = VARIABLES.map(|variable| format!("rerun-if-env-changed={variable}")).to_vec();
        let read = read.iter().filter(|file| **file != self.source);
        let files = std::iter::once(&self.source).chain(read);
        instructions.extend(files.map(|file| format!("rerun-if-changed={}", file.display())));
        let lines = messages.lines().filter(|line| !line.trim().is_empty());
        instructions.extend(lines.map(|line| format!("warning={line}")));
        Ok((output, instructions))
    }

    /// Copies the committed PTX file, and returns its path. Fails without such a file.
    fn copy_fallback(&self, root: &Path, output: &Path, searched: Vec<String>) -> Result<PathBuf, Error> {
        let Some(file) = self.fallback.clone() else {
            return Err(Error::CompilerNotFound { file: self.source.clone(), searched });
        };
        // Not `fs::copy`, which would copy a write protection, too.
        match std::fs::read(root.join(&file)) {
            Ok(text) => write(output, &text).map(|()| file),
            Err(reason) => Err(Error::File { path: file, reason }),
        }
    }

    fn checked_file_name(&self) -> Result<PathBuf, Error> {
        let target = &self.target;
        if !target.starts_with("compute_") {
            let reason =
                format!("`{target}` is not a virtual architecture; name one like `{DEFAULT_TARGET}`");
            return Err(Error::InvalidArgument { argument: "target", reason });
        }
        let name = self.file_name.clone();
        let name = name.or_else(|| self.source.with_extension("ptx").file_name().map(PathBuf::from));
        let Some(name) = name else {
            let reason =
                format!("`{}` is not the path of a file; name a CUDA C++ file", self.source.display());
            return Err(Error::InvalidArgument { argument: "new", reason });
        };
        if name.file_name() != Some(name.as_os_str()) {
            let reason = format!("`{}` is not a file name; leave folders out", name.display());
            return Err(Error::InvalidArgument { argument: "file_name", reason });
        }
        Ok(name)
    }

    /// Returns the options for both nvcc and NVRTC. `escape` writes the values of macros.
    fn options(&self, escape: fn(&str) -> String) -> Vec<OsString> {
        let mut options = vec![format!("--gpu-architecture={}", self.target)];
        if !self.options.iter().any(|option| option.starts_with("--std") || option.starts_with("-std")) {
            options.push("--std=c++17".to_owned());
        }
        options.extend(self.macros.iter().map(|(name, value)| match value {
            Some(value) => escape(&format!("--define-macro={name}={value}")),
            None => escape(&format!("--define-macro={name}")),
        }));
        let mut options: Vec<OsString> = options.into_iter().map(OsString::from).collect();
        options.extend(self.include_dirs.iter().map(|folder| {
            let mut option = OsString::from("--include-path=");
            option.push(folder);
            option
        }));
        options.extend(self.options.iter().map(OsString::from));
        options
    }

    /// Returns the error of a compiler that refuses the file.
    fn refused(&self, compiler: String, options: &[OsString], status: String, log: &str) -> Error {
        let options: Vec<_> = options.iter().map(|option| option.to_string_lossy()).collect();
        let (file, log) = (self.source.clone(), log.trim_end().to_owned());
        Error::Compilation { file, compiler, options: options.join(" "), status, log }
    }
}

fn write(path: &Path, text: &[u8]) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|reason| Error::File { path: path.to_owned(), reason })
}

#[cfg(test)]
mod tests;
