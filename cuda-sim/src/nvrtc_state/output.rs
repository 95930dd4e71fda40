//! Input and output of a compilation.

use cuda_sys::nvrtc::nvrtcResult;

/// Program of a compilation, as the caller of NVRTC has passed it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// Name of the program; empty if the caller gave none.
    pub name: String,
    /// Text of the program. Bytes that are not UTF-8 are replaced.
    pub text: String,
    /// Headers, each with its name and its text.
    pub headers: Vec<(String, String)>,
    /// Options of the compilation.
    pub options: Vec<String>,
    /// Name expressions that were added.
    pub name_expressions: Vec<String>,
}

impl Source {
    /// Returns the number of the architecture that the options name, with its kind: `("sm", "90a")`.
    fn architecture(&self) -> Option<(&str, &str)> {
        let named = |option: &String| option.contains("-arch") || option.contains("architecture");
        let option = self.options.iter().find(|option| named(option))?;
        option.rsplit(['=', ' ']).next()?.rsplit_once('_')
    }
}

/// Output of a compilation.
///
/// # Examples
///
/// ```
/// use cuda_sim::nvrtc::Output;
///
/// let output = Output::ptx(".version 8.0 .target sm_90 .address_size 64 .visible .entry _Z1fIiEvv() { ret; }")
///     .lowered("f<int>", "_Z1fIiEvv")
///     .log("f.cu(1): warning: nothing is done");
/// # let _ = output;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    pub(crate) code: nvrtcResult,
    pub(crate) ptx: Vec<u8>,
    pub(crate) cubin: Vec<u8>,
    pub(crate) lto_ir: Vec<u8>,
    pub(crate) log: String,
    pub(crate) lowered: Vec<(String, String)>,
}

impl Output {
    /// Creates an output of PTX text, without machine code and LTO-IR.
    #[must_use]
    pub fn ptx(text: impl Into<String>) -> Output {
        let mut ptx = text.into().into_bytes();
        // NVRTC's text ends with a NUL, which counts.
        ptx.push(0);
        Output { ptx, ..Output::failure(nvrtcResult::NVRTC_SUCCESS, "") }
    }

    /// Creates the output of a failure with this code and this log. With `NVRTC_SUCCESS`, the compilation succeeds,
    /// and the output has nothing but the log.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::nvrtc::Output;
    /// use cuda_sys::nvrtc::nvrtcResult;
    ///
    /// let output = Output::failure(nvrtcResult::NVRTC_ERROR_COMPILATION, "f.cu(1): error: expected a \";\"");
    /// # let _ = output;
    /// ```
    #[must_use]
    pub fn failure(code: nvrtcResult, log: impl Into<String>) -> Output {
        Output {
            code,
            ptx: Vec::new(),
            cubin: Vec::new(),
            lto_ir: Vec::new(),
            log: log.into(),
            lowered: Vec::new(),
        }
    }

    /// Sets the machine code.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::nvrtc::{Output, Source};
    ///
    /// let output = Output::empty_kernels(&Source::default()).cubin(*b"\x7fELF");
    /// # let _ = output;
    /// ```
    #[must_use]
    pub fn cubin(self, cubin: impl Into<Vec<u8>>) -> Output {
        Output { cubin: cubin.into(), ..self }
    }

    /// Sets the log.
    #[must_use]
    pub fn log(self, log: impl Into<String>) -> Output {
        Output { log: log.into(), ..self }
    }

    /// Adds the lowered name of a name expression.
    #[must_use]
    pub fn lowered(mut self, expression: impl Into<String>, name: impl Into<String>) -> Output {
        self.lowered.push((expression.into(), name.into()));
        self
    }

    /// Creates the output of kernels without parameters that do nothing.
    ///
    /// The output has a kernel for each name expression. It also has a kernel for each
    /// `extern "C" __global__ void name(` in the text and its headers. Other spellings are not recognised, for example
    /// an `extern "C"` block, or `__launch_bounds__` before the name.
    ///
    /// The PTX is for the architecture that the options name, or for `sm_75`. If the options name a real architecture
    /// (`sm_90`), the output also has machine code, which the software driver does not run. The LTO-IR is a
    /// placeholder. A machine compiles each program to this output unless a test [sets](crate::Machine::compile_with)
    /// another function.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::nvrtc::{Output, Source};
    ///
    /// let mut source = Source::default();
    /// source.text = "extern \"C\" __global__ void nothing() {}".to_owned();
    /// let output = Output::empty_kernels(&source);
    /// # let _ = output;
    /// ```
    #[must_use]
    pub fn empty_kernels(source: &Source) -> Output {
        let (kind, architecture) = source.architecture().unwrap_or(("compute", "75"));
        let mut names: Vec<String> = Vec::new();
        let mut lowered = Vec::new();
        for expression in &source.name_expressions {
            let base = expression.split('<').next().unwrap_or_default();
            // PTX allows only these characters in a name, and each name only once.
            let is_allowed = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '_';
            let base: String = base.chars().filter(is_allowed).collect();
            let mut candidates =
                (expression.len()..).map(|number| format!("_Z{}{base}v{number}", base.len()));
            let name = candidates.find(|name| !names.contains(name)).unwrap_or_default();
            lowered.push((expression.clone(), name.clone()));
            names.push(name);
        }
        let texts = [&source.text].into_iter().chain(source.headers.iter().map(|(_, text)| text));
        for rest in texts.flat_map(|text| text.split("extern \"C\" __global__ void ").skip(1)) {
            names.push(rest.split('(').next().unwrap_or_default().to_owned());
        }
        let mut ptx = format!(".version 8.0\n.target sm_{architecture}\n.address_size 64\n");
        for name in names {
            ptx += &format!(".visible .entry {name}()\n{{ ret; }}\n");
        }
        let cubin = if kind.ends_with("sm") { empty_elf() } else { Vec::new() };
        Output { cubin, lto_ir: b"LTO-IR".to_vec(), lowered, ..Output::ptx(ptx) }
    }
}

/// Returns a 64-bit ELF file for CUDA, with one empty section.
fn empty_elf() -> Vec<u8> {
    let mut bytes = vec![0; 128];
    bytes[..8].copy_from_slice(b"\x7fELF\x02\x01\x01\x33");
    bytes[16..20].copy_from_slice(&[2, 0, 190, 0]);
    bytes[20] = 1;
    bytes[40] = 64;
    bytes[52..62].copy_from_slice(&[64, 0, 56, 0, 0, 0, 64, 0, 1, 0]);
    bytes
}
