//! Linking: several pieces of code become one image.

#![allow(unsafe_code)]

mod input;
mod linked;
mod state;

pub use input::JitInput;
pub use linked::Linked;

use super::NameHint;
use super::jit::{JitArguments, JitLog, JitOptions};
use super::jit_diagnostics::Source;
use super::{image, ptx};
use crate::context::Context;
use crate::error::{Code, ErrorKind, Result};
use crate::handle::{Owned, made};
use crate::text::c_string;
use core::fmt;
use core::ptr::null_mut;
use cuda_sys::{CUjitInputType, CUlinkState, Symbol};
use state::State;
use std::path::Path;

/// Linker of pieces of code that need each other: functions and variables that one text declares `.extern` and another defines
/// `.visible`.
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::{DeviceBuf, DevicePtr, LaunchConfig};
/// use cuda_rt::module::{JitOptions, Linker};
///
/// let head = ".version 6.4\n.target sm_50\n.address_size 64\n";
/// let kernel = ".extern .func (.param .b32 result) square(.param .b32 x);
///     .visible .entry squares(.param .u64 data) {
///         .reg .b64 %a; .reg .b32 %x;
///         ld.param.u64 %a, [data];
///         ld.global.u32 %x, [%a];
///         { .param .b32 x; .param .b32 y;
///           st.param.b32 [x], %x; call.uni (y), square, (x); ld.param.b32 %x, [y]; }
///         st.global.u32 [%a], %x;
///         ret;
///     }";
/// let function = ".visible .func (.param .b32 result) square(.param .b32 x) {
///         .reg .b32 %x;
///         ld.param.b32 %x, [x]; mul.lo.u32 %x, %x, %x; st.param.b32 [result], %x;
///         ret;
///     }";
/// let mut linker = Linker::new(&context, &JitOptions::new())?;
/// linker.add_ptx("kernel", format!("{head}{kernel}"))?.add_ptx("function", format!("{head}{function}"))?;
/// let squares = linker.complete()?.load(&context)?.function("squares")?.typed::<(DevicePtr<u32>,)>()?;
///
/// let data = DeviceBuf::from_host(&stream, &[7_u32])?;
/// // SAFETY: one thread changes the one element of `data`, which lives on the same stream.
/// unsafe { squares.launch(LaunchConfig::new(1, 1), &stream, (data.ptr(),)) }?;
/// assert_eq!(data.to_vec()?, [49]);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
///
/// # Threads
///
/// A linker can be sent to other threads, but only one thread may use it at a time: the driver does not lock a link state. So a
/// linker is not `Sync`:
///
/// ```compile_fail,E0277
/// fn shared<T: Sync>() {}
/// shared::<cuda_rt::module::Linker>();
/// ```
///
/// # Kernels that launch kernels
///
/// Code that launches kernels from the device needs the device runtime. That is `libcudadevrt.a`, which comes with the toolkit
/// and is added by [`add_file`](Linker::add_file) as a [`LIBRARY`](JitInput::LIBRARY). Calling a `.func` from a kernel needs no
/// device runtime: it is a plain call, within a text or across texts.
#[doc(alias("CUlinkState", "nvJitLink", "nvlink"))]
pub struct Linker {
    state: Owned<State>,
}

impl Linker {
    /// Creates a linker for the context's device, without any input. Wraps `cuLinkCreate_v2`.
    ///
    /// The options hold for all inputs. The driver refuses [`fallback`](JitOptions::fallback).
    ///
    /// # Errors
    ///
    /// - [`Compilation`](crate::error::ErrorKind::Compilation), which names the options: the driver refused an option.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a raw option is one that this crate sets
    ///   itself, a number is out of range, two options exclude each other, or a name contains a NUL byte.
    /// - An earlier failure.
    #[doc(alias("cuLinkCreate", "cuLinkCreate_v2"))]
    pub fn new(context: &Context, options: &JitOptions) -> Result<Linker> {
        let mut arguments = JitArguments::new(options)?;
        let bound = context.bind(Symbol::cuLinkCreate_v2)?;
        let mut raw: CUlinkState = null_mut();
        // SAFETY: `raw` is valid for a write; options and values have this number; they and their targets are on the heap, and
        // dropped after the link state.
        let linker = unsafe {
            check!(cuLinkCreate_v2(arguments.count(), arguments.options(), arguments.values(), &raw mut raw,))
        };
        // A hook that runs in the following code finds the thread's own state.
        drop(bound);
        let state = State::new(raw, arguments, context);
        let created = linker.map_err(|error| state.failed(error));
        made(created, !raw.is_null(), || Linker { state: Owned::new(state) })
    }

    /// Compiles a text in PTX and adds it. Wraps `cuLinkAddData_v2`. Messages use the name.
    ///
    /// The text must begin with `.version`, after white space and comments. It must not contain a NUL byte, except at its end.
    /// The driver's compiler is trusted with the text, as for [`Module::from_ptx`](crate::Module::from_ptx).
    ///
    /// # Blocking
    ///
    /// Until the driver has compiled the text.
    ///
    /// # Errors
    ///
    /// - [`Compilation`](crate::error::ErrorKind::Compilation), with the name and the driver's messages about this text: the text
    ///   does not compile. Inputs that were added before stay.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the text is not PTX, or the text or the name
    ///   contains a NUL byte.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::error::Code;
    /// use cuda_rt::module::{JitOptions, Linker};
    ///
    /// let mut linker = Linker::new(&context, &JitOptions::new())?;
    /// let wrong = ".version 6.4\n.target sm_50\n.address_size 64\n.visible .entry wrong() { jump nowhere; }";
    /// let error = linker.add_ptx("wrong", wrong).unwrap_err();
    /// assert_eq!(error.code(), Some(Code::InvalidPtx));
    /// let text = error.to_string();
    /// assert!(text.starts_with("linking `wrong`: cuLinkAddData_v2: ") && text.contains("line 4"), "{text}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuLinkAddData", "cuLinkAddData_v2", "CU_JIT_INPUT_PTX"))]
    pub fn add_ptx(&mut self, name: &str, ptx: impl AsRef<[u8]>) -> Result<&mut Self> {
        let image = ptx::image(ptx.as_ref())?;
        let text = image.as_bytes_with_nul();
        // SAFETY: at least the first word of the text is PTX, and the driver's compiler is trusted with the rest. The text ends
        // with a NUL.
        unsafe { self.add(JitInput::PTX, name, (text.as_ptr(), text.len()), Some(Source::Text(text))) }
    }

    /// Adds data of a kind. Wraps `cuLinkAddData_v2`. Messages use the name. PTX is added as by [`add_ptx`](Linker::add_ptx),
    /// with or without a NUL at its end.
    ///
    /// # Blocking
    ///
    /// Until the driver has read the data, and compiled them if necessary.
    ///
    /// # Errors
    ///
    /// - [`Compilation`](crate::error::ErrorKind::Compilation), with the name and the driver's messages about these data.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the data for a cubin or a fat binary are of
    ///   another kind or not complete, or the name contains a NUL byte.
    /// - Same as [`add_ptx`](Linker::add_ptx), for PTX.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// The data must be of the kind, and made by a trusted compiler or linker: the driver trusts their content.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// use cuda_rt::module::{JitInput, JitOptions, Linker};
    ///
    /// let mut linker = Linker::new(&context, &JitOptions::new())?;
    /// let object = std::fs::read("kernels.o").unwrap();
    /// // SAFETY: the file is what nvcc has made.
    /// unsafe { linker.add_data(JitInput::OBJECT, "kernels.o", &object) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuLinkAddData", "cuLinkAddData_v2"))]
    pub unsafe fn add_data(&mut self, kind: JitInput, name: &str, data: &[u8]) -> Result<&mut Self> {
        let code = match kind {
            JitInput::CUBIN => {
                image::check_cubin(data)?;
                Some(Source::Cubin(data))
            }
            JitInput::FATBINARY => {
                image::check_fatbin(data)?;
                Some(Source::Fatbin(data))
            }
            // The driver reads such text up to a NUL, whatever the length is.
            JitInput::PTX => return self.add_ptx(name, data),
            _ => None,
        };
        let words = image::aligned(data);
        // SAFETY: the caller has promised the content of the data.
        unsafe { self.add(kind, name, (words.as_ptr().cast(), data.len()), code) }
    }

    /// Adds data of a kind, at an address with the alignment that the driver needs.
    ///
    /// # Safety
    ///
    /// Same as [`add_data`](Linker::add_data), and a text ends with a NUL.
    unsafe fn add(
        &mut self,
        kind: JitInput,
        name: &str,
        (start, bytes): (*const u8, usize),
        code: Option<Source<'_>>,
    ) -> Result<&mut Self> {
        let c_name = c_string(name)?;
        let _bound = self.state.context().bind(Symbol::cuLinkAddData_v2)?;
        let before = self.state.log();
        // SAFETY: the link state is live and only this thread uses it. The data have this length, are only read, during the call
        // (documented), and the caller has promised their content. The name is a C string; there are no options.
        let added = unsafe {
            check!(cuLinkAddData_v2(
                self.state.raw(),
                CUjitInputType(kind.0),
                start.cast_mut().cast(),
                bytes,
                c_name.as_ptr(),
                0,
                null_mut(),
                null_mut(),
            ))
        };
        match added {
            Ok(()) => Ok(self),
            Err(error) => Err(self.state.refused(error, name, &before, code)),
        }
    }

    /// Adds a file of a kind, which the driver reads. Wraps `cuLinkAddFile_v2`. A relative path begins in the working directory
    /// of the process.
    ///
    /// # Blocking
    ///
    /// Until the driver has read the file, and compiled it if necessary.
    ///
    /// # Errors
    ///
    /// - [`NotFound`](crate::error::ErrorKind::NotFound), with the path: the file cannot be read.
    /// - [`Compilation`](crate::error::ErrorKind::Compilation), with the path and the driver's messages about the file.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the path contains a NUL byte.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// Same as [`add_data`](Linker::add_data), for the file's content. No code may change the file during the call.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// use cuda_rt::module::{JitInput, JitOptions, Linker};
    ///
    /// let mut linker = Linker::new(&context, &JitOptions::new())?;
    /// // SAFETY: the library is NVIDIA's.
    /// unsafe { linker.add_file(JitInput::LIBRARY, "/usr/local/cuda/lib64/libcudadevrt.a") }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuLinkAddFile", "cuLinkAddFile_v2"))]
    pub unsafe fn add_file(&mut self, kind: JitInput, path: impl AsRef<Path>) -> Result<&mut Self> {
        let path = path.as_ref();
        let c_path = c_string(path.as_os_str().as_encoded_bytes())?;
        let _bound = self.state.context().bind(Symbol::cuLinkAddFile_v2)?;
        let before = self.state.log();
        // SAFETY: the link state is live and only this thread uses it. The path is a C string; the caller has promised the
        // content of the file; there are no options.
        let added = unsafe {
            check!(cuLinkAddFile_v2(
                self.state.raw(),
                CUjitInputType(kind.0),
                c_path.as_ptr(),
                0,
                null_mut(),
                null_mut(),
            ))
        };
        match added {
            Ok(()) => Ok(self),
            Err(error) if error.unexplained_code() == Some(Code::FileNotFound) => Err(error
                .with_kind(ErrorKind::NotFound)
                .with_detail(format_args!("`{}`", path.display()))
                .with_context(NameHint::None)),
            Err(error) => Err(self.state.refused(error, &path.to_string_lossy(), &before, None)),
        }
    }

    /// Returns the log of the driver's compiler and linker so far. Errors and information have at most 16 KiB each.
    /// With [`log_verbose`](JitOptions::log_verbose), they have at most 1 MiB each.
    pub fn jit_log(&self) -> JitLog {
        self.state.log()
    }

    /// Links all inputs to an image. Wraps `cuLinkComplete`.
    ///
    /// # Blocking
    ///
    /// Until the driver has linked.
    ///
    /// # Errors
    ///
    /// - [`Compilation`](crate::error::ErrorKind::Compilation), with the driver's messages about symbols that are
    ///   declared but not defined, or defined several times.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::module::{JitOptions, Linker};
    ///
    /// let mut linker = Linker::new(&context, &JitOptions::new())?;
    /// linker.add_ptx("one", ".version 6.4 .target sm_50 .address_size 64
    ///     .extern .func missing();
    ///     .visible .entry wrong() { call.uni missing; ret; }")?;
    /// let error = linker.complete().unwrap_err();
    /// assert!(error.to_string().contains("missing"), "{error}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLinkComplete")]
    pub fn complete(self) -> Result<Linked> {
        let (mut image, mut bytes) = (null_mut(), 0);
        {
            let _bound = self.state.context().bind(Symbol::cuLinkComplete)?;
            // SAFETY: the link state is live and only this thread uses it; image and size are valid for writes.
            let completed =
                unsafe { check!(cuLinkComplete(self.state.raw(), &raw mut image, &raw mut bytes)) };
            completed.map_err(|error| self.state.failed(error))?;
        }
        // SAFETY: the driver's answer; the state is used only to destroy it from here on.
        Ok(unsafe { Linked::new(self.state, image.cast_const().cast(), bytes) })
    }

    /// Returns the context that is linked in.
    pub fn context(&self) -> &Context {
        self.state.context()
    }

    /// Returns the raw handle. The caller must neither complete nor destroy the link state.
    pub fn as_raw(&self) -> CUlinkState {
        self.state.raw()
    }

    /// Destroys the linker without linking, and returns the driver's answer. A drop can report a failure only to the
    /// [hook](crate::handle::set_drop_hook). Wraps `cuLinkDestroy`.
    ///
    /// # Errors
    ///
    /// An earlier failure. The linker is consumed in any case.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// cuda_rt::module::Linker::new(&context, &cuda_rt::module::JitOptions::new())?.close()?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLinkDestroy")]
    pub fn close(self) -> Result<()> {
        self.state.close()
    }
}

/// Methods for data of one kind.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $name:ident = $kind:ident $c_name:literal;)*) => {
        impl Linker {
            $(
                $(#[doc = $doc])*
                ///
                /// # Blocking
                ///
                /// Same as [`add_data`](Linker::add_data) with this kind.
                ///
                /// # Errors
                ///
                /// Same as [`add_data`](Linker::add_data) with this kind.
                ///
                /// # Safety
                ///
                /// The image must be the output of a trusted compiler or linker: the driver trusts its content.
                #[doc(alias($c_name, "cuLinkAddData_v2"))]
                pub unsafe fn $name(&mut self, name: &str, image: &[u8]) -> Result<&mut Self> {
                    // SAFETY: the caller's promise.
                    unsafe { self.add_data(JitInput::$kind, name, image) }
                }
            )*
        }
    };
}
kinds! {
    /// Adds machine code for the context's device that was compiled to be linked (`-c` of `ptxas`).
    add_cubin = CUBIN "CU_JIT_INPUT_CUBIN";
    /// Adds a fat binary. The driver uses the entry that suits the context's device.
    add_fatbin = FATBINARY "CU_JIT_INPUT_FATBINARY";
    /// Adds an object file of the host that contains device code.
    add_object = OBJECT "CU_JIT_INPUT_OBJECT";
    /// Adds an archive of object files of the host that contain device code.
    add_library = LIBRARY "CU_JIT_INPUT_LIBRARY";
}

impl fmt::Debug for Linker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Linker")
            .field("raw", &self.state.raw())
            .field("context", self.state.context())
            .finish()
    }
}
