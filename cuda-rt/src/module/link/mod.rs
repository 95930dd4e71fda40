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

/// Puts pieces of code together that need each other: functions and variables that one text declares `.extern` and another
/// defines `.visible`.
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
/// It can be moved to other threads, and used by one at a time: the driver does not lock a link state. So it is not `Sync`:
///
/// ```compile_fail,E0277
/// fn shared<T: Sync>() {}
/// shared::<cuda_rt::module::Linker>();
/// ```
///
/// # Kernels that launch kernels
///
/// Code that launches from the device needs the device runtime: `libcudadevrt.a`, which comes with the toolkit, added by
/// [`add_file`](Linker::add_file) as a [`LIBRARY`](JitInput::LIBRARY). A kernel needs none of that to call a `.func`: that is
/// a plain call, within a text or across texts.
#[doc(alias("CUlinkState", "nvJitLink", "nvlink"))]
pub struct Linker {
    state: Owned<State>,
}

impl Linker {
    /// Makes a linker for the context's device, without any input yet. Wraps `cuLinkCreate_v2`.
    ///
    /// The options hold for all that is added. [`fallback`](JitOptions::fallback) is not for linking (documented).
    ///
    /// # Errors
    ///
    /// - [`Compilation`](crate::error::ErrorKind::Compilation), which names the options, if the driver refuses one.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for a raw option that this crate gives itself.
    #[doc(alias("cuLinkCreate", "cuLinkCreate_v2"))]
    pub fn new(context: &Context, options: &JitOptions) -> Result<Linker> {
        let mut arguments = JitArguments::new(options)?;
        let bound = context.bind(Symbol::cuLinkCreate_v2)?;
        let mut raw: CUlinkState = null_mut();
        // SAFETY: `raw` is valid for a write; options and values are of this number; they and what they name are on the
        // heap, and dropped after the link state.
        let linker = unsafe {
            check!(cuLinkCreate_v2(arguments.count(), arguments.options(), arguments.values(), &raw mut raw,))
        };
        // A hook that runs because of what follows finds the thread as it was.
        drop(bound);
        let state = State::new(raw, arguments, context);
        let created = linker.map_err(|error| state.failed(error));
        made(created, !raw.is_null(), || Linker { state: Owned::new(state) })
    }

    /// Adds a text in PTX, which is compiled. Wraps `cuLinkAddData_v2`. The name is for messages.
    ///
    /// The text must begin with `.version`, after white space and comments, and hold no NUL byte, except at its end. The
    /// driver's compiler is trusted with it, as for [`Module::from_ptx`](crate::Module::from_ptx).
    ///
    /// # Blocking
    ///
    /// Until the driver has compiled the text.
    ///
    /// # Errors
    ///
    /// - [`Compilation`](crate::error::ErrorKind::Compilation) with the name, and what the driver said of this text,
    ///   for one that does not compile. Inputs that were added before stay.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if the text is not PTX, or
    ///   if a text holds a NUL byte.
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
        // SAFETY: the text is PTX at least in its first word, and the driver's compiler is trusted with the rest. It ends with
        // a NUL.
        unsafe { self.add(JitInput::PTX, name, (text.as_ptr(), text.len()), Some(Source::Text(text))) }
    }

    /// Adds data of a kind. Wraps `cuLinkAddData_v2`. The name is for messages. PTX is added as by
    /// [`add_ptx`](Linker::add_ptx), with or without a NUL at its end.
    ///
    /// # Blocking
    ///
    /// Until the driver has read the data, and compiled what has to be.
    ///
    /// # Errors
    ///
    /// [`Compilation`](crate::error::ErrorKind::Compilation) with the name, and what the driver said of these data.
    /// [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for a cubin or a fat binary that is not whole. For PTX, those
    /// of [`add_ptx`](Linker::add_ptx).
    ///
    /// # Safety
    ///
    /// The data must be of the kind, and made by a compiler or a linker that is trusted: the driver believes what it says of
    /// itself.
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
            // The driver reads such text up to a NUL, whatever length it is told.
            JitInput::PTX => return self.add_ptx(name, data),
            _ => None,
        };
        let words = image::aligned(data);
        // SAFETY: the data are what the caller has promised.
        unsafe { self.add(kind, name, (words.as_ptr().cast(), data.len()), code) }
    }

    /// Adds data of a kind, at an address that is aligned as the driver needs it.
    ///
    /// # Safety
    ///
    /// As for [`add_data`](Linker::add_data), and a text ends with a NUL.
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
        // SAFETY: the link state is live and this thread's alone; the data have this length and are only read, during the
        // call (documented), and are what the caller has promised; the name is a C string; there are no options.
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

    /// Adds a file of a kind, which the driver reads. Wraps `cuLinkAddFile_v2`. A path that is not absolute begins in the
    /// folder that the process works in.
    ///
    /// # Blocking
    ///
    /// Until the driver has read the file, and compiled what has to be.
    ///
    /// # Errors
    ///
    /// - [`NotFound`](crate::error::ErrorKind::NotFound) with the path, if the file cannot be read.
    /// - [`Compilation`](crate::error::ErrorKind::Compilation) with the path, and what the driver said of the file.
    ///
    /// # Safety
    ///
    /// As for [`add_data`](Linker::add_data); and nobody may change the file meanwhile.
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
        // SAFETY: the link state is live and this thread's alone; the path is a C string; the file is what the caller has
        // promised; there are no options.
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

    /// What the driver's compiler and linker have said so far, as far as it fits into 16 KiB each for errors and for
    /// information.
    pub fn jit_log(&self) -> JitLog {
        self.state.log()
    }

    /// Links what was added to an image. Wraps `cuLinkComplete`.
    ///
    /// # Blocking
    ///
    /// Until the driver has linked.
    ///
    /// # Errors
    ///
    /// [`Compilation`](crate::error::ErrorKind::Compilation) with what the driver said: what is declared and defined nowhere, or in
    /// several places.
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
            // SAFETY: the link state is live and this thread's alone; image and size are valid for writes.
            let completed =
                unsafe { check!(cuLinkComplete(self.state.raw(), &raw mut image, &raw mut bytes)) };
            completed.map_err(|error| self.state.failed(error))?;
        }
        // SAFETY: the driver's answer; the state is not used for anything else from here on.
        Ok(unsafe { Linked::new(self.state, image.cast_const().cast(), bytes) })
    }

    /// Returns the context that is linked in.
    pub fn context(&self) -> &Context {
        self.state.context()
    }

    /// Returns the handle. It stays this crate's: it must be neither completed nor destroyed.
    pub fn as_raw(&self) -> CUlinkState {
        self.state.raw()
    }

    /// Gives up, and returns the driver's answer. A drop can report a failure only to the [hook](crate::handle::set_drop_hook).
    /// Wraps `cuLinkDestroy`.
    ///
    /// # Errors
    ///
    /// An earlier failure. The linker is gone in any case.
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

/// Kinds of data by name.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $name:ident = $kind:ident $c_name:literal;)*) => {
        impl Linker {
            $(
                $(#[doc = $doc])*
                ///
                /// # Blocking
                ///
                /// As [`add_data`](Linker::add_data), and the same for errors and examples.
                ///
                /// # Errors
                ///
                /// [`Compilation`](crate::error::ErrorKind::Compilation) with what the driver said.
                ///
                /// # Safety
                ///
                /// The image must be what a compiler or a linker has made that is trusted: the driver believes what it says
                /// of itself.
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
    /// Adds machine code for the context's device, which was compiled to be linked (`-c` of `ptxas`).
    add_cubin = CUBIN "CU_JIT_INPUT_CUBIN";
    /// Adds a fat binary, of which the driver takes what fits the context's device.
    add_fatbin = FATBINARY "CU_JIT_INPUT_FATBINARY";
    /// Adds an object file of the host with device code in it.
    add_object = OBJECT "CU_JIT_INPUT_OBJECT";
    /// Adds an archive of such object files.
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
