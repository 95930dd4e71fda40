//! Options of the compiler.

use crate::error::{Error, Result};
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// Version of C++ of a program. NVRTC refuses versions that it does not support.
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

/// Options of the compiler, except the [target](super::Target). An option that is not set has NVRTC's default.
///
/// If the loaded NVRTC does not know an option, compiling the program fails, and the error's log names the option.
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
    /// Returns options without any setting.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the option with a name, which is the text before `=`. Replaces an earlier value.
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

    /// Sets the version of C++.
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

    /// Undefines a macro that is already defined: `-U`.
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

    /// Adds a folder in which the compiler looks for headers: `-I`, in the order of the calls.
    ///
    /// The compiler first looks for headers of the [program](super::Program::header). For an include with quotation marks, it
    /// then looks in the folder of the including file. The include directories come last. A relative `folder` begins in the
    /// working directory of the process.
    ///
    /// NVRTC removes blanks and line breaks from the end of `folder`, even if a folder of that name exists. A program with such
    /// an include directory is not [cached](super::Cache).
    ///
    /// # Driver notes
    ///
    /// The order of the search was measured with NVRTC 11.2, 11.8 and 13.5.
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

    /// Sets whether a multiplication and an addition become one instruction with one rounding. NVRTC's default is `true`.
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

    /// Sets whether subnormal numbers of `float` count as zero. NVRTC's default is `false`.
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

    /// Sets whether divisions of `float` are rounded correctly. NVRTC's default is `true`.
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

    /// Sets whether square roots of `float` are rounded correctly. NVRTC's default is `true`.
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

    /// Sets whether arithmetic is faster and less precise. `true` implies [`flush_to_zero(true)`](Self::flush_to_zero),
    /// [`precise_division(false)`](Self::precise_division) and [`precise_square_root(false)`](Self::precise_square_root).
    #[must_use]
    #[doc(alias("--use_fast_math", "-use_fast_math"))]
    pub fn fast_math(self, is_fast: bool) -> Self {
        self.flag("--use_fast_math", is_fast)
    }

    /// Sets the largest number of registers of a thread of a kernel. Values that do not fit into registers go to memory.
    #[must_use]
    #[doc(alias("--maxrregcount", "-maxrregcount"))]
    pub fn max_registers(self, count: u32) -> Self {
        self.set("--maxrregcount", Some(format!("={count}")))
    }

    /// Sets whether the code is for a debugger: not optimised, and with debug information.
    ///
    /// Such programs are never [cached](super::Cache). A debugger looks for the source: set the program's
    /// [name](super::Program::name) to the name of a file with the source.
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

    /// Sets whether the code has line information, by which a profiler relates instructions to lines.
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

    /// Sets whether the type `__int128` is available. NVRTC of CUDA 11.8 supports the option, NVRTC of CUDA 11.2 does not.
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

    /// Sets whether functions and variables without a qualifier such as `__device__` are those of the device.
    ///
    /// Otherwise NVRTC treats them as functions and variables of the host, and refuses the program.
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

    /// Sets whether the code can be linked with other code, which may define its missing functions.
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

    /// Sets whether warnings are left out of the log.
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

    /// Adds any other option unchanged, after all others.
    ///
    /// The architecture and `-dlto` are not allowed: they are part of the [target](super::Target). A program with an option that
    /// reads or writes files is not [cached](super::Cache). This holds for options that contain `include`, `pch` or
    /// `time`, and for `-I`.
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

    /// Returns all options in the form that NVRTC takes, without those of the target.
    pub fn arguments(&self) -> Vec<String> {
        let folders = self.include_dirs.iter().map(|folder| include_path(folder));
        self.arguments.iter().cloned().chain(folders).chain(self.raw.iter().cloned()).collect()
    }

    /// Returns the include directories.
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

    /// Returns the first option that may read or write files that this crate cannot determine.
    pub(super) fn reaching_out(&self) -> Option<String> {
        let reaches = |option: &&str| {
            option.starts_with("-I") || ["include", "pch", "time"].iter().any(|word| option.contains(word))
        };
        // NVRTC removes these characters (measured with 11.2, 11.8 and 13.5), and uses another folder.
        let is_cut = |folder: &&PathBuf| {
            let last = folder.as_os_str().as_encoded_bytes().last();
            last.is_some_and(|last| last.is_ascii_whitespace() || *last == 0x0b)
        };
        let raw = self.raw.iter().map(String::as_str).find(reaches).map(str::to_owned);
        raw.or_else(|| Some(include_path(self.include_dirs.iter().find(is_cut)?)))
    }

    /// Returns the options as C strings.
    ///
    /// # Errors
    ///
    /// An option contains a NUL byte, or belongs to the target.
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

/// Returns an include directory in the form of [`CompileOptions::arguments`].
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
