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

/// A program in CUDA C++, with its compile options.
///
/// [`compile`](Program::compile) needs neither a driver nor a GPU. [`compile_for`](Program::compile_for) and
/// [`compile_and_load`](Program::compile_and_load) choose the target for a context.
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
/// C++ mangles the names of kernels, and instances of templates have only mangled names. There are three ways to find a kernel by
/// its name in the source. The source declares the kernel `extern "C"`. Or the program adds a [name
/// expression](Program::name_expression), by which the kernel is found then. Or [`extern_c`](Program::extern_c) puts the whole
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
    /// Makes a program of a source text.
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

    /// Sets the name of the source in messages; `program.cu` by default.
    ///
    /// If the source includes a file in quotation marks, NVRTC looks in the folder of the name before the include
    /// directories. A [header](Program::header) of the program comes before both. If the name has no folder, NVRTC
    /// looks in the working directory of the process.
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

    /// Adds a header: `#include "name"` and `#include <name>` find this text before any file.
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

    /// Adds a name expression: the name of a kernel, or the address of a `__device__` or `__constant__` variable, as in C++:
    /// `"scale<float>"`, `"&filter::weights"`.
    ///
    /// Naming an instance of a template instantiates it. [`Compiled::lowered_name`] returns the mangled name, and
    /// [`SourceModule::function`] finds the kernel. A cast names one of several overloads, `"(void (*)(float *))scale"`, with
    /// NVRTC of CUDA 13.5; NVRTC of 11.8 does not accept it.
    #[must_use]
    #[doc(alias = "nvrtcAddNameExpression")]
    pub fn name_expression(mut self, expression: impl Into<String>) -> Program {
        let expression = expression.into();
        if !self.expressions.contains(&expression) {
            self.expressions.push(expression);
        }
        self
    }

    /// Sets the options of the compiler.
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

    /// Sets whether the whole source is put into `extern "C" { }`, which is the default of `PyCUDA`.
    ///
    /// Names are not mangled then, but templates and overloads are not possible, not even in headers. Line numbers stay the same.
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

    /// Sets the cache of the program; [`Cache::user`] by default.
    #[must_use]
    pub fn cache(self, cache: Cache) -> Program {
        Program { cache, ..self }
    }

    /// Sets whether the program is [cached](Cache#files-that-a-program-includes) even if its text does not determine all files
    /// that it may include. The caller knows that these files do not change. Files that the text determines are checked
    /// nevertheless.
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
    /// - [`Compilation`](crate::error::ErrorKind::Compilation), with the log: the program does not compile, or NVRTC refuses an
    ///   option.
    /// - [`CompilerUnavailable`](crate::error::ErrorKind::CompilerUnavailable): there is no NVRTC.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): NVRTC is too old for the request.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a text contains a NUL byte, or a raw option belongs to
    ///   the target.
    /// - [`OutOfHostMemory`](crate::error::ErrorKind::OutOfHostMemory): the process has too little memory for the
    ///   output.
    /// - [`Driver`](crate::error::ErrorKind::Driver), with a [`CallError`]: another call of NVRTC failed.
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

    /// Compiles the program for a context's device and driver: see [`Target::for_context`].
    ///
    /// # Blocking
    ///
    /// Same as [`compile`](Program::compile).
    ///
    /// # Errors
    ///
    /// Same as [`Target::for_context`] and [`compile`](Program::compile).
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

    /// Compiles the program for a context and loads it: [`compile_for`](Program::compile_for) and [`Compiled::load`] in one.
    ///
    /// # Blocking
    ///
    /// Same as [`compile`](Program::compile), and then same as [`Compiled::load`].
    ///
    /// # Errors
    ///
    /// Same as [`compile_for`](Program::compile_for) and [`Compiled::load`].
    pub fn compile_and_load(&self, context: &Context) -> Result<SourceModule> {
        self.compile_for(context)?.load(context)
    }
}

/// The texts of a program as C strings.
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
            // The line after the brace is the first line of the source again.
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

    /// Passes every text to `tell`, and before a list the number of its texts.
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
            // The failure is reported in any case, with the messages that are available.
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
            // There is PTX too, which has the names of kernels: they are only for messages.
            Output::Cubin => {
                (program.cubin()?, program.ptx().map(|ptx| names::kernels(&ptx)).unwrap_or_default())
            }
            Output::LtoIr => (program.lto_ir()?, Box::default()),
        };
        Ok(Compiled::new(target, compiler, code, log, lowered.into(), kernels))
    }
}
