//! Options of the compiler.

use crate::error::{Error, Result};
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// The version of C++ that a program is written in. NVRTC refuses what is newer than it.
///
/// ```
/// use cuda_rt::nvrtc::{CompileOptions, CppStandard};
///
/// let options = CompileOptions::new().standard(CppStandard::Cpp17);
/// assert_eq!(options.arguments(), ["--std=c++17"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CppStandard {
    /// C++03.
    Cpp03,
    /// C++11.
    Cpp11,
    /// C++14.
    Cpp14,
    /// C++17.
    Cpp17,
    /// C++20. NVRTC of CUDA 11 does not have it.
    Cpp20,
    /// C++23. NVRTC of CUDA 13.5 has it, and NVRTC of CUDA 11.8 does not.
    Cpp23,
}

impl CppStandard {
    fn name(self) -> &'static str {
        match self {
            CppStandard::Cpp03 => "c++03",
            CppStandard::Cpp11 => "c++11",
            CppStandard::Cpp14 => "c++14",
            CppStandard::Cpp17 => "c++17",
            CppStandard::Cpp20 => "c++20",
            CppStandard::Cpp23 => "c++23",
        }
    }
}

/// How to compile: everything but the [target](super::Target). What is not set is as NVRTC has it.
///
/// An option that the loaded NVRTC does not know is refused when the program is compiled, and the error's log names it.
///
/// ```
/// use cuda_rt::nvrtc::CompileOptions;
///
/// let options = CompileOptions::new().define("BLOCK", "256").fast_math(true).max_registers(64);
/// assert_eq!(options.arguments(), ["--define-macro=BLOCK=256", "--use_fast_math", "--maxrregcount=64"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CompileOptions {
    arguments: Vec<String>,
    include_dirs: Vec<PathBuf>,
    raw: Vec<String>,
    is_debug: bool,
    has_line_info: bool,
}

impl CompileOptions {
    /// None at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what has the name before `=`, once.
    fn set(mut self, name: &str, value: Option<String>) -> Self {
        self.arguments.retain(|argument| argument.split('=').next() != Some(name));
        self.arguments.extend(value.map(|value| format!("{name}{value}")));
        self
    }

    fn flag(self, name: &str, is_set: bool) -> Self {
        self.set(name, is_set.then(String::new))
    }

    fn choice(self, name: &str, value: bool) -> Self {
        self.set(name, Some(format!("={value}")))
    }

    /// The version of C++.
    #[must_use]
    #[doc(alias = "--std")]
    pub fn standard(self, standard: CppStandard) -> Self {
        self.set("--std", Some(format!("={}", standard.name())))
    }

    /// Defines a macro: `-D`.
    #[must_use]
    #[doc(alias("-D", "--define-macro"))]
    pub fn define(mut self, name: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        self.arguments.push(format!("--define-macro={}={}", name.as_ref(), value.as_ref()));
        self
    }

    /// Takes back a macro that is defined already: `-U`.
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::nvrtc::CompileOptions::new().undefine("NDEBUG");
    /// assert_eq!(options.arguments(), ["--undefine-macro=NDEBUG"]);
    /// ```
    #[must_use]
    #[doc(alias("-U", "--undefine-macro"))]
    pub fn undefine(mut self, name: impl AsRef<str>) -> Self {
        self.arguments.push(format!("--undefine-macro={}", name.as_ref()));
        self
    }

    /// Adds a folder in which headers are looked for: `-I`, in the order of the calls. A header that is included with
    /// quotation marks is looked for beside the file that includes it before; headers that the program
    /// [brings along](super::Program::header) come first of all (both measured).
    ///
    /// NVRTC cuts blanks and line breaks off the end of `folder`, even if a folder of that name exists. A program with such
    /// an include directory is not [cached](super::Cache).
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::nvrtc::CompileOptions::new().include_dir("kernels");
    /// assert_eq!(options.arguments(), ["--include-path=kernels"]);
    /// ```
    #[must_use]
    #[doc(alias("-I", "--include-path"))]
    pub fn include_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.include_dirs.push(folder.into());
        self
    }

    /// Whether a multiplication and an addition become one instruction with one rounding. NVRTC's default is that they
    /// do.
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::nvrtc::CompileOptions::new().fused_multiply_add(false);
    /// assert_eq!(options.arguments(), ["--fmad=false"]);
    /// ```
    #[must_use]
    #[doc(alias("--fmad", "-fmad"))]
    pub fn fused_multiply_add(self, is_fused: bool) -> Self {
        self.choice("--fmad", is_fused)
    }

    /// Whether subnormal numbers of `float` count as zero. NVRTC's default is that they do not.
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::nvrtc::CompileOptions::new().flush_to_zero(true);
    /// assert_eq!(options.arguments(), ["--ftz=true"]);
    /// ```
    #[must_use]
    #[doc(alias("--ftz", "-ftz"))]
    pub fn flush_to_zero(self, is_flushed: bool) -> Self {
        self.choice("--ftz", is_flushed)
    }

    /// Whether divisions of `float` are rounded correctly. NVRTC's default is that they are.
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::nvrtc::CompileOptions::new().precise_division(false);
    /// assert_eq!(options.arguments(), ["--prec-div=false"]);
    /// ```
    #[must_use]
    #[doc(alias("--prec-div", "-prec-div"))]
    pub fn precise_division(self, is_precise: bool) -> Self {
        self.choice("--prec-div", is_precise)
    }

    /// Whether square roots of `float` are rounded correctly. NVRTC's default is that they are.
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::nvrtc::CompileOptions::new().precise_square_root(false);
    /// assert_eq!(options.arguments(), ["--prec-sqrt=false"]);
    /// ```
    #[must_use]
    #[doc(alias("--prec-sqrt", "-prec-sqrt"))]
    pub fn precise_square_root(self, is_precise: bool) -> Self {
        self.choice("--prec-sqrt", is_precise)
    }

    /// All that makes arithmetic fast and less precise at once.
    #[must_use]
    #[doc(alias("--use_fast_math", "-use_fast_math"))]
    pub fn fast_math(self, is_fast: bool) -> Self {
        self.flag("--use_fast_math", is_fast)
    }

    /// The most registers that a thread of a kernel may use; more become memory.
    #[must_use]
    #[doc(alias("--maxrregcount", "-maxrregcount"))]
    pub fn max_registers(self, count: u32) -> Self {
        self.set("--maxrregcount", Some(format!("={count}")))
    }

    /// For a debugger: no optimisation, and all that it needs to know. Such programs are not [cached](super::Cache),
    /// since a debugger looks for the source too: give the program the [name](super::Program::name) of a file that
    /// holds it.
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::nvrtc::CompileOptions::new().debug(true);
    /// assert_eq!(options.arguments(), ["--device-debug"]);
    /// ```
    #[must_use]
    #[doc(alias("-G", "--device-debug"))]
    pub fn debug(self, is_debug: bool) -> Self {
        Self { is_debug, ..self }.flag("--device-debug", is_debug)
    }

    /// For a profiler: which instruction comes of which line.
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::nvrtc::CompileOptions::new().line_info(true);
    /// assert_eq!(options.arguments(), ["--generate-line-info"]);
    /// ```
    #[must_use]
    #[doc(alias("-lineinfo", "--generate-line-info"))]
    pub fn line_info(self, has_line_info: bool) -> Self {
        Self { has_line_info, ..self }.flag("--generate-line-info", has_line_info)
    }

    /// Enables `__int128`. NVRTC of CUDA 11.8 has it, and NVRTC of CUDA 11.2 does not.
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::nvrtc::CompileOptions::new().device_int128(true);
    /// assert_eq!(options.arguments(), ["--device-int128"]);
    /// ```
    #[must_use]
    #[doc(alias("--device-int128", "-device-int128"))]
    pub fn device_int128(self, is_there: bool) -> Self {
        self.flag("--device-int128", is_there)
    }

    /// Whether a function without `__global__` or `__device__` is one of the device. Otherwise NVRTC takes it for one
    /// of the host, which it does not compile.
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::nvrtc::CompileOptions::new().default_device(true);
    /// assert_eq!(options.arguments(), ["--device-as-default-execution-space"]);
    /// ```
    #[must_use]
    #[doc(alias("-default-device", "--device-as-default-execution-space"))]
    pub fn default_device(self, is_default: bool) -> Self {
        self.flag("--device-as-default-execution-space", is_default)
    }

    /// Whether the code can be linked with other code, which may have the functions that it lacks.
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::nvrtc::CompileOptions::new().relocatable(true);
    /// assert_eq!(options.arguments(), ["--relocatable-device-code=true"]);
    /// ```
    #[must_use]
    #[doc(alias("-rdc", "--relocatable-device-code"))]
    pub fn relocatable(self, is_relocatable: bool) -> Self {
        self.choice("--relocatable-device-code", is_relocatable)
    }

    /// Whether warnings are left out of the log.
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::nvrtc::CompileOptions::new().no_warnings(true);
    /// assert_eq!(options.arguments(), ["--disable-warnings"]);
    /// ```
    #[must_use]
    #[doc(alias("-w", "--disable-warnings"))]
    pub fn no_warnings(self, is_silent: bool) -> Self {
        self.flag("--disable-warnings", is_silent)
    }

    /// Any other option, as it is, after all others.
    ///
    /// The architecture is not one: it is part of the [target](super::Target), and so is `-dlto`. A program with an
    /// option that reads or writes files (one with `include`, `pch` or `time` in its name, or `-I`) is not
    /// [cached](super::Cache).
    ///
    /// # Examples
    ///
    /// ```
    /// let options = cuda_rt::nvrtc::CompileOptions::new().raw("--restrict").raw("-dopt=on");
    /// assert_eq!(options.arguments(), ["--restrict", "-dopt=on"]);
    /// ```
    #[must_use]
    pub fn raw(mut self, option: impl Into<String>) -> Self {
        self.raw.push(option.into());
        self
    }

    /// All options as NVRTC is given them, without the target's.
    pub fn arguments(&self) -> Vec<String> {
        let folders = self.include_dirs.iter().map(|folder| include_path(folder));
        self.arguments.iter().cloned().chain(folders).chain(self.raw.iter().cloned()).collect()
    }

    /// The folders that headers are looked for in.
    pub(super) fn include_dirs(&self) -> impl Iterator<Item = &Path> {
        self.include_dirs.iter().map(PathBuf::as_path)
    }

    #[cfg(feature = "macros")]
    pub(super) fn has_standard(&self) -> bool {
        let mut all = self.arguments.iter().chain(&self.raw);
        all.any(|option| option.trim_start_matches('-').split('=').next() == Some("std"))
    }

    pub(super) fn is_debug(&self) -> bool {
        self.is_debug || self.raw.iter().any(|option| matches!(option.as_str(), "-G" | "--device-debug"))
    }

    pub(super) fn has_line_info(&self) -> bool {
        self.has_line_info || self.raw.iter().any(|option| option.contains("line"))
    }

    /// Returns the first option that may read or write files that this crate cannot tell.
    pub(super) fn reaching_out(&self) -> Option<String> {
        let reaches = |option: &&str| {
            option.starts_with("-I") || ["include", "pch", "time"].iter().any(|word| option.contains(word))
        };
        // NVRTC cuts these off (measured of 11.2, 11.8 and 13.5), and takes another folder.
        let is_cut = |folder: &&PathBuf| {
            let last = folder.as_os_str().as_encoded_bytes().last();
            last.is_some_and(|last| last.is_ascii_whitespace() || *last == 0x0b)
        };
        let raw = self.raw.iter().map(String::as_str).find(reaches).map(str::to_owned);
        raw.or_else(|| Some(include_path(self.include_dirs.iter().find(is_cut)?)))
    }

    /// As C takes them.
    ///
    /// # Errors
    ///
    /// A NUL byte; an option that belongs to the target.
    pub(super) fn c_strings(&self) -> Result<Vec<CString>> {
        for option in &self.raw {
            let name = option.trim_start_matches('-').split('=').next().unwrap_or_default();
            if matches!(name, "arch" | "gpu-architecture" | "dlto" | "dlink-time-opt") {
                let instead = "the architecture and the output are part of the target";
                return Err(Error::invalid(
                    "option",
                    format_args!("{option} cannot be given raw; {instead}"),
                ));
            }
        }
        let mut strings = Vec::new();
        for argument in &self.arguments {
            strings.push(super::c_string(argument.as_str(), "option")?);
        }
        for folder in &self.include_dirs {
            let mut argument = b"--include-path=".to_vec();
            argument.extend_from_slice(folder.as_os_str().as_encoded_bytes());
            strings.push(super::c_string(argument, "include directory")?);
        }
        for option in &self.raw {
            strings.push(super::c_string(option.as_str(), "option")?);
        }
        Ok(strings)
    }
}

/// Writes an include directory as [`CompileOptions::arguments`] shows it.
fn include_path(folder: &Path) -> String {
    format!("--include-path={}", folder.display())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_counts() {
        let options = CompileOptions::new().fused_multiply_add(true).fast_math(true).line_info(true);
        let options = options.fused_multiply_add(false).fast_math(false).line_info(false);
        assert_eq!(options.arguments(), ["--fmad=false"]);
        assert!(!options.has_line_info() && !options.is_debug());
        let options = CompileOptions::new().define("A", "1").define("B", "").undefine("A");
        assert_eq!(options.arguments(), ["--define-macro=A=1", "--define-macro=B=", "--undefine-macro=A"]);
    }

    #[test]
    fn options_of_the_target_are_refused() {
        for option in ["-arch=sm_80", "--gpu-architecture=sm_80", "-arch", "-dlto", "--dlink-time-opt"] {
            let error = CompileOptions::new().raw(option).c_strings().unwrap_err();
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("option: {option} cannot be given raw; the architecture and ")),
                "{error}"
            );
        }
        let error = CompileOptions::new().define("A", "\0").c_strings().unwrap_err();
        assert_eq!(error.to_string(), "option: the byte at position 17 is NUL; remove it");
        assert!(CompileOptions::new().raw("--restrict").raw("").c_strings().is_ok());
    }

    #[test]
    fn options_that_reach_out_are_known() {
        for option in [
            "-I",
            "-I/tmp",
            "--include-path=x",
            "--pre-include=x",
            "-include",
            "--pch",
            "--use-pch=x",
            "-time=x",
        ] {
            assert_eq!(CompileOptions::new().raw(option).reaching_out().as_deref(), Some(option));
        }
        assert_eq!(CompileOptions::new().raw("--restrict").include_dir(" x y").reaching_out(), None);
        for end in [" ", "\t", "\n", "\x0b", "\x0c", "\r", "/ "] {
            let options = CompileOptions::new().include_dir("x").include_dir(format!("y{end}"));
            assert_eq!(options.reaching_out(), Some(format!("--include-path=y{end}")));
        }
    }
}
