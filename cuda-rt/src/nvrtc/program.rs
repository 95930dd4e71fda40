//! Programs in CUDA C++.

#[cfg(feature = "macros")]
use super::CppStandard;
use super::cache::Lookup;
use super::calls::RawProgram;
use super::{
    Cache, CallError, CompileLog, CompileOptions, Compiled, Output, SourceModule, Target, c_string, calls,
    names,
};
use crate::context::Context;
use crate::error::Result;
use cuda_sys::nvrtc::{Library, Version};
use std::ffi::CString;

/// A program in CUDA C++, and how to compile it.
///
/// [`compile`](Program::compile) needs neither a driver nor a GPU; [`compile_for`](Program::compile_for) and
/// [`compile_and_load`](Program::compile_and_load) ask a context what to compile to.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
/// use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig};
/// use cuda_rt::nvrtc::Program;
///
/// let program = Program::new("
///     template <typename T> __device__ T twice(T x) { return x + x; }
///     template <typename T> __global__ void double_all(T *x) { x[threadIdx.x] = twice(x[threadIdx.x]); }
/// ")
/// .name_expression("double_all<float>");
/// # let program = program.cache(cuda_rt::nvrtc::Cache::off());
/// let module = program.compile_and_load(&context)?;
/// let kernel = module.function("double_all<float>")?.typed::<(DevicePtr<f32>,)>()?;
/// let data = DeviceBuf::from_host(&stream, &[1.0_f32, 2.0, 3.0])?;
/// // SAFETY: 3 threads change the 3 elements of `data`, which lives on the same stream.
/// unsafe { kernel.launch(LaunchConfig::new(1, 3), &stream, (data.ptr(),)) }?;
/// assert_eq!(data.to_vec()?, [2.0, 4.0, 6.0]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// # Names
///
/// C++ mangles the names of kernels, and instances of templates have no other. Nothing is changed about that behind the
/// program's back: either the source declares its kernels `extern "C"`, or what is to be found is added as a [name
/// expression](Program::name_expression), which is how it is found then; [`extern_c`](Program::extern_c) puts all of a
/// source into `extern "C"`.
#[doc(alias("nvrtcProgram", "SourceModule"))]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Program {
    pub(super) source: Vec<u8>,
    pub(super) name: String,
    pub(super) headers: Vec<(String, Vec<u8>)>,
    pub(super) expressions: Vec<String>,
    pub(super) options: CompileOptions,
    pub(super) is_extern_c: bool,
    pub(super) trusts_includes: bool,
    cache: Cache,
}

impl Program {
    /// A program of this source text.
    #[doc(alias = "nvrtcCreateProgram")]
    pub fn new(source: impl Into<Vec<u8>>) -> Program {
        Program {
            source: source.into(),
            name: "program.cu".to_owned(),
            headers: Vec::new(),
            expressions: Vec::new(),
            options: CompileOptions::new(),
            is_extern_c: false,
            trusts_includes: false,
            cache: Cache::user(),
        }
    }

    /// What messages call the source; `program.cu` by default. The folder in it, or else the one that the process works
    /// in, is where headers in quotation marks are looked for first.
    ///
    /// # Examples
    ///
    /// ```
    /// # if cuda_rt::nvrtc::version().is_err() { return } // there is no NVRTC
    /// use cuda_rt::device::ComputeCapability;
    /// use cuda_rt::nvrtc::{Program, Target};
    ///
    /// let error = Program::new("nonsense").name("scale.cu").compile(Target::ptx(ComputeCapability::new(8, 0))).unwrap_err();
    /// assert!(error.to_string().contains("scale.cu(1): error: "), "{error}");
    /// ```
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Program {
        Program { name: name.into(), ..self }
    }

    /// Adds a header: `#include "name"`, or with `<name>`, finds this text, before any file.
    ///
    /// # Examples
    ///
    /// ```
    /// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
    /// use cuda_rt::device::ComputeCapability;
    /// use cuda_rt::nvrtc::{Program, Target};
    ///
    /// # let off = cuda_rt::nvrtc::Cache::off();
    /// let program = Program::new("#include \"unit.h\"\n extern \"C\" __global__ void k(unit *x) { *x = 1; }")
    ///     .header("unit.h", "typedef float unit;");
    /// # let program = program.cache(off);
    /// program.compile(Target::ptx(ComputeCapability::new(8, 0)))?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Program {
        self.headers.push((name.into(), text.into()));
        self
    }

    /// Adds the name of a kernel, or the address of a `__device__` or `__constant__` variable, as C++ writes it:
    /// `"scale<float>"`, `"&filter::weights"`. An instance of a template is made because it is named here.
    /// [`Compiled::lowered_name`] tells the mangled name, and [`SourceModule::function`] finds the kernel. One of several
    /// overloads is named by a cast, `"(void (*)(float *))scale"`, with NVRTC of CUDA 13.5; that of 11.8 does not take it.
    #[must_use]
    #[doc(alias = "nvrtcAddNameExpression")]
    pub fn name_expression(mut self, expression: impl Into<String>) -> Program {
        let expression = expression.into();
        if !self.expressions.contains(&expression) {
            self.expressions.push(expression);
        }
        self
    }

    /// How to compile.
    ///
    /// # Examples
    ///
    /// ```
    /// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
    /// use cuda_rt::device::ComputeCapability;
    /// use cuda_rt::nvrtc::{CompileOptions, Program, Target};
    ///
    /// # let off = cuda_rt::nvrtc::Cache::off();
    /// let program = Program::new("extern \"C\" __global__ void k(int *x) { *x = VALUE; }")
    ///     .options(CompileOptions::new().define("VALUE", "42"));
    /// # let program = program.cache(off);
    /// assert!(program.compile(Target::ptx(ComputeCapability::new(8, 0)))?.ptx().unwrap().contains("42"));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[must_use]
    pub fn options(self, options: CompileOptions) -> Program {
        Program { options, ..self }
    }

    /// Sets the version of C++ if the options set none.
    #[cfg(feature = "macros")]
    pub(crate) fn with_default_standard(mut self, standard: CppStandard) -> Program {
        if !self.options.has_standard() {
            self.options = self.options.standard(standard);
        }
        self
    }

    /// Whether all of the source is put into `extern "C" { }`, as `PyCUDA` does unless it is told otherwise. Names are
    /// not mangled then, but there can be no templates and no overloads, and the text of headers is in there too.
    /// Numbers of lines stay what they are.
    ///
    /// # Examples
    ///
    /// ```
    /// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
    /// use cuda_rt::device::ComputeCapability;
    /// use cuda_rt::nvrtc::{Program, Target};
    ///
    /// # let off = cuda_rt::nvrtc::Cache::off();
    /// let program = Program::new("__global__ void add(float *x, float y) { x[threadIdx.x] += y; }").extern_c(true);
    /// # let program = program.cache(off);
    /// assert_eq!(&*program.compile(Target::ptx(ComputeCapability::new(8, 0)))?.kernels()[0], "add");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "no_extern_c")]
    pub fn extern_c(self, is_extern_c: bool) -> Program {
        Program { is_extern_c, ..self }
    }

    /// Where what was compiled is kept for the next time; [`Cache::user`] by default.
    #[must_use]
    pub fn cache(self, cache: Cache) -> Program {
        Program { cache, ..self }
    }

    /// Whether the program is [cached](Cache#files-that-a-program-includes) even if it may include files that cannot be told from
    /// its text. The caller knows that they do not change; those that can be told are looked at nevertheless.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::nvrtc::Program;
    ///
    /// let program = Program::new("#define WHICH <a.h>\n#include WHICH").trust_includes(true);
    /// ```
    #[must_use]
    pub fn trust_includes(self, trusts_includes: bool) -> Program {
        Program { trusts_includes, ..self }
    }

    /// Compiles the program.
    ///
    /// # Blocking
    ///
    /// Until it is compiled, or found in the [cache](Cache): see the [figures](super#how-long-it-takes).
    ///
    /// # Errors
    ///
    /// - [`Compilation`](crate::error::ErrorKind::Compilation) with the log if it does not compile, or if an option is refused.
    /// - [`CompilerUnavailable`](crate::error::ErrorKind::CompilerUnavailable) if there is no NVRTC, and
    ///   [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing) if it is older than what is asked for.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for a NUL byte in a text, and for a raw option that the target has.
    ///
    /// A cache that cannot be used is no error: see [`Compiled::cache_outcome`].
    ///
    /// # Examples
    ///
    /// ```
    /// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
    /// use cuda_rt::device::ComputeCapability;
    /// use cuda_rt::nvrtc::{Program, Target};
    ///
    /// # let off = cuda_rt::nvrtc::Cache::off();
    /// let program = Program::new("extern \"C\" __global__ void nothing() {}");
    /// # let program = program.cache(off);
    /// let compiled = program.compile(Target::ptx(ComputeCapability::new(8, 0)))?;
    /// assert!(compiled.ptx().unwrap().contains(".target sm_80"));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "nvrtcCompileProgram")]
    pub fn compile(&self, target: Target) -> Result<Compiled> {
        let text = Text::new(self, target)?;
        let library = calls::library()?;
        let version = calls::version(library)?;
        let lookup = self.cache.look_up(self, target, &text, library, version);
        match lookup {
            Lookup::Found(compiled) => Ok(compiled),
            Lookup::Missed(missed) => {
                let compiled = text.compile(library, version, target, &self.expressions)?;
                Ok(missed.keep(self, &text, compiled))
            }
        }
    }

    /// Compiles the program to what the context's device and the driver take: [`Target::for_context`].
    ///
    /// # Blocking
    ///
    /// As [`compile`](Program::compile).
    ///
    /// # Errors
    ///
    /// Same as [`Target::for_context`] and of [`compile`](Program::compile).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # if cuda_rt::nvrtc::version().is_err() { return Ok(()) } // there is no NVRTC
    /// use cuda_rt::nvrtc::Program;
    ///
    /// # let off = cuda_rt::nvrtc::Cache::off();
    /// let program = Program::new("extern \"C\" __global__ void nothing() {}");
    /// # let program = program.cache(off);
    /// let compiled = program.compile_for(&context)?;
    /// println!("compiled for {}", compiled.target());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn compile_for(&self, context: &Context) -> Result<Compiled> {
        self.compile(Target::for_context(context)?)
    }

    /// Compiles the program and loads it: [`compile_for`](Program::compile_for) and [`Compiled::load`] in one.
    ///
    /// # Blocking
    ///
    /// As [`compile`](Program::compile), and then until the driver has loaded it.
    ///
    /// # Errors
    ///
    /// Those of both.
    pub fn compile_and_load(&self, context: &Context) -> Result<SourceModule> {
        self.compile_for(context)?.load(context)
    }
}

/// The texts of a program as C takes them.
pub(super) struct Text {
    source: CString,
    name: CString,
    headers: Vec<(CString, CString)>,
    expressions: Vec<CString>,
    options: Vec<CString>,
}

impl Text {
    fn new(program: &Program, target: Target) -> Result<Text> {
        let mut options = Vec::new();
        for option in target.options() {
            options.push(c_string(option, "option")?);
        }
        options.extend(program.options.c_strings()?);
        let mut headers = Vec::new();
        for (name, text) in &program.headers {
            headers.push((c_string(name.as_str(), "header's name")?, c_string(text.as_slice(), "header")?));
        }
        let mut expressions = Vec::new();
        for expression in &program.expressions {
            expressions.push(c_string(expression.as_str(), "name expression")?);
        }
        let source = if program.is_extern_c {
            // The line after the brace is the source's first one again.
            [b"extern \"C\" {\n#line 1\n", program.source.as_slice(), b"\n}\n"].concat()
        } else {
            program.source.clone()
        };
        let source = c_string(source, "source")?;
        Ok(Text {
            source,
            name: c_string(program.name.as_str(), "program's name")?,
            headers,
            expressions,
            options,
        })
    }

    /// Hands over every text, and before a list the number of its texts.
    pub(super) fn each(&self, mut tell: impl FnMut(&[u8])) {
        tell(self.source.as_bytes());
        tell(self.name.as_bytes());
        tell(&self.headers.len().to_le_bytes());
        for (name, text) in &self.headers {
            tell(name.as_bytes());
            tell(text.as_bytes());
        }
        tell(&self.expressions.len().to_le_bytes());
        for expression in &self.expressions {
            tell(expression.as_bytes());
        }
        tell(&self.options.len().to_le_bytes());
        for option in &self.options {
            tell(option.as_bytes());
        }
    }

    fn compile(
        &self,
        library: &'static Library,
        compiler: Version,
        target: Target,
        expressions: &[String],
    ) -> Result<Compiled> {
        let mut program = RawProgram::new(library, &self.source, &self.name, &self.headers)?;
        for expression in &self.expressions {
            program.add_name_expression(expression)?;
        }
        if let Err(error) = program.compile(&self.options) {
            let Some(failed) = error.context::<CallError>().copied() else { return Err(error) };
            // What has gone wrong is told in any case, with the words that can be had.
            let options = self.options.iter().map(|option| option.to_string_lossy().into()).collect();
            let log = program.log().unwrap_or_default();
            return Err(CompileLog { options, log }.into_error(failed));
        }
        let log = program.log()?;
        let mut lowered = Vec::new();
        for (expression, c_expression) in expressions.iter().zip(&self.expressions) {
            lowered.push((expression.as_str().into(), program.lowered_name(c_expression)?));
        }
        let (code, kernels): (Box<[u8]>, _) = match target.output() {
            Output::Ptx => {
                let ptx = program.ptx()?;
                let kernels = names::kernels(&ptx);
                (ptx.into_boxed_bytes(), kernels)
            }
            // There is PTX too, which tells the names of kernels: they are for messages alone.
            Output::Cubin => {
                (program.cubin()?, program.ptx().map(|ptx| names::kernels(&ptx)).unwrap_or_default())
            }
            Output::LtoIr => (program.lto_ir()?, Box::default()),
        };
        Ok(Compiled::new(target, compiler, code, log, lowered.into(), kernels))
    }
}
