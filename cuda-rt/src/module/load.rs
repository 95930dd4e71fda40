//! Loading code.

#![allow(unsafe_code)]

use super::attachments::Attachments;
use super::image::{self, Kind};
use super::jit::JitArguments;
use super::jit_diagnostics::Source;
use super::signatures::Signatures;
use super::{Inner, JitLog, JitOptions, JitProblem, Module, ptx};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::handle::{Owned, made};
use core::ffi::c_void;
use core::ptr::null_mut;
use cuda_sys::Symbol;
use std::sync::Arc;

impl Module {
    /// Compiles PTX for the context's device and loads it. Wraps `cuModuleLoadDataEx`.
    ///
    /// The text must begin with `.version`, after white space and comments. It must not contain a NUL byte, except at its end.
    ///
    /// # Blocking
    ///
    /// Until the driver has compiled the text, or found the code in its cache, and all running kernels of the context are done.
    ///
    /// # Errors
    ///
    /// - [`Compilation`](crate::error::ErrorKind::Compilation), with the compiler's log.
    ///   [`Code::InvalidPtx`](crate::error::Code::InvalidPtx): the text does not compile.
    ///   [`Code::UnsupportedPtxVersion`](crate::error::Code::UnsupportedPtxVersion): the text is newer than the driver. Other
    ///   codes are possible.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the text is not PTX, or contains a NUL byte.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Module;
    /// use cuda_rt::error::Code;
    ///
    /// let error = Module::from_ptx(&context, "
    ///     .version 6.4
    ///     .target sm_50
    ///     .address_size 64
    ///     .visible .entry wrong() { jump nowhere; }
    /// ").unwrap_err();
    /// assert_eq!(error.code(), Some(Code::InvalidPtx));
    /// assert!(error.to_string().contains("line 5"), "{error}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    ///
    /// # Trust
    ///
    /// The driver's compiler is trusted to refuse code that it cannot compile. Do not pass PTX from untrusted sources.
    ///
    /// # Driver notes
    ///
    /// The compiler of driver 580 ended the process on each of these:
    ///
    /// - a function that returns a predicate and another value;
    /// - `.maxntid 4294967265`;
    /// - a division of the least number by -1 in an initialiser.
    #[doc(alias("cuModuleLoadDataEx", "cuModuleLoadData"))]
    pub fn from_ptx(context: &Context, ptx: impl AsRef<[u8]>) -> Result<Module> {
        Self::from_ptx_with(context, ptx, &JitOptions::new())
    }

    /// Compiles PTX with options, and loads it. Otherwise the same as [`from_ptx`](Module::from_ptx).
    ///
    /// # Blocking
    ///
    /// Same as [`from_ptx`](Module::from_ptx).
    ///
    /// # Errors
    ///
    /// - Same as [`from_ptx`](Module::from_ptx).
    /// - [`Compilation`](crate::error::ErrorKind::Compilation), which names the options: the driver refused without a log.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a raw option is one that this crate sets
    ///   itself, a number is out of range, two options exclude each other, or a name contains a NUL byte.
    #[doc(alias("cuModuleLoadDataEx", "CUjit_option"))]
    pub fn from_ptx_with(context: &Context, ptx: impl AsRef<[u8]>, options: &JitOptions) -> Result<Module> {
        let text = ptx.as_ref();
        let image = ptx::image(text)?;
        // SAFETY: the image is a C string that begins as PTX does, so the driver reads no further than its NUL.
        unsafe { load(context, image.as_ptr().cast(), Source::Text(text), options) }
    }

    /// Loads a cubin: code that was compiled for one architecture. Wraps `cuModuleLoadDataEx`.
    ///
    /// The memory of the image can be reused afterwards.
    ///
    /// # Blocking
    ///
    /// Until the driver has loaded the image, and all running kernels of the context are done.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the image is no cubin, or its headers name parts outside
    ///   the image, as in a truncated file.
    /// - [`Compilation`](crate::error::ErrorKind::Compilation) with [`Code::NoBinaryForGpu`](crate::error::Code::NoBinaryForGpu):
    ///   the image is for another architecture, which the error names.
    /// - The same kind with another code: the driver refuses the image. For example,
    ///   [`Code::OutOfMemory`](crate::error::Code::OutOfMemory): too little device memory for the image's variables.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// The cubin is the unchanged output of a compiler: the driver trusts its content.
    ///
    /// # Driver notes
    ///
    /// Driver 580 crashed on some cubins with changed bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Module;
    ///
    /// let cut = b"\x7fELF\x02\x01\x01";
    /// // SAFETY: it never reaches the driver.
    /// let error = unsafe { Module::from_cubin(&context, cut) }.unwrap_err();
    /// let text = error.to_string();
    /// assert!(text.starts_with("image: not whole: the ELF header ends at byte 64, where there are 7 bytes;"), "{text}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuModuleLoadDataEx", "cuModuleLoadData"))]
    pub unsafe fn from_cubin(context: &Context, cubin: impl AsRef<[u8]>) -> Result<Module> {
        // SAFETY: the caller's promise.
        unsafe { Self::from_cubin_with(context, cubin, &JitOptions::new()) }
    }

    /// Loads a cubin with options. Otherwise the same as [`from_cubin`](Module::from_cubin).
    ///
    /// # Blocking
    ///
    /// Same as [`from_cubin`](Module::from_cubin).
    ///
    /// # Errors
    ///
    /// Same as [`from_cubin`](Module::from_cubin), and for the options the same as [`from_ptx_with`](Module::from_ptx_with).
    ///
    /// # Safety
    ///
    /// Same as [`from_cubin`](Module::from_cubin).
    #[doc(alias("cuModuleLoadDataEx", "CUjit_option"))]
    pub unsafe fn from_cubin_with(
        context: &Context,
        cubin: impl AsRef<[u8]>,
        options: &JitOptions,
    ) -> Result<Module> {
        let cubin = cubin.as_ref();
        image::check_cubin(cubin)?;
        let words = image::aligned(cubin);
        // SAFETY: all parts that the headers name are inside the image, and the caller promises their content.
        unsafe { load(context, words.as_ptr().cast(), Source::Cubin(cubin), options) }
    }

    /// Loads a fat binary. Wraps `cuModuleLoadDataEx`.
    ///
    /// The driver takes the entry that suits the context's device best, and compiles PTX if only PTX suits. A fat binary begins
    /// with the bytes `50 ED 55 BA`. C++ programs contain a structure with a pointer to a fat binary; this structure is not
    /// accepted here.
    ///
    /// # Blocking
    ///
    /// Until the driver has loaded the image, perhaps compiled it, and all running kernels of the context are done.
    ///
    /// # Errors
    ///
    /// - Same as [`from_cubin`](Module::from_cubin).
    /// - Same as [`from_ptx`](Module::from_ptx), if the driver compiles PTX of the image.
    ///
    /// # Safety
    ///
    /// Same as [`from_cubin`](Module::from_cubin). Compressed entries are not checked at all.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Module;
    ///
    /// let cut = b"\x50\xed\x55\xba\x01\x00\x10\x00\xff\x00\x00\x00\x00\x00\x00\x00";
    /// // SAFETY: it never reaches the driver.
    /// let error = unsafe { Module::from_fatbin(&context, cut) }.unwrap_err();
    /// let text = error.to_string();
    /// assert!(text.starts_with("image: not whole: the fat binary ends at byte 271, where there are 16 bytes;"), "{text}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuModuleLoadFatBinary", "cuModuleLoadDataEx", "cuModuleLoadData"))]
    pub unsafe fn from_fatbin(context: &Context, fatbin: impl AsRef<[u8]>) -> Result<Module> {
        // SAFETY: the caller's promise.
        unsafe { Self::from_fatbin_with(context, fatbin, &JitOptions::new()) }
    }

    /// Loads a fat binary with options. Otherwise the same as [`from_fatbin`](Module::from_fatbin).
    ///
    /// # Blocking
    ///
    /// Same as [`from_fatbin`](Module::from_fatbin).
    ///
    /// # Errors
    ///
    /// Same as [`from_fatbin`](Module::from_fatbin), and for the options the same as [`from_ptx_with`](Module::from_ptx_with).
    ///
    /// # Safety
    ///
    /// Same as [`from_fatbin`](Module::from_fatbin).
    #[doc(alias("cuModuleLoadFatBinary", "cuModuleLoadDataEx", "CUjit_option"))]
    pub unsafe fn from_fatbin_with(
        context: &Context,
        fatbin: impl AsRef<[u8]>,
        options: &JitOptions,
    ) -> Result<Module> {
        let fatbin = fatbin.as_ref();
        image::check_fatbin(fatbin)?;
        let words = image::aligned(fatbin);
        // SAFETY: all parts that the headers name are inside the image, and the caller promises their content.
        unsafe { load(context, words.as_ptr().cast(), Source::Fatbin(fatbin), options) }
    }

    /// Loads a cubin, a fat binary or PTX, distinguished by the first bytes.
    ///
    /// # Blocking
    ///
    /// Until the driver has loaded the image, perhaps compiled it, and all running kernels of the context are done.
    ///
    /// # Errors
    ///
    /// Same as [`from_cubin`](Module::from_cubin), [`from_fatbin`](Module::from_fatbin) or [`from_ptx`](Module::from_ptx).
    ///
    /// # Safety
    ///
    /// Same as [`from_cubin`](Module::from_cubin), unless the image is PTX.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// use cuda_rt::Module;
    ///
    /// let image = b".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// // SAFETY: it is PTX.
    /// let module = unsafe { Module::from_image(&context, image) }?;
    /// module.function("nothing")?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuModuleLoadDataEx", "cuModuleLoadData", "module_from_buffer"))]
    pub unsafe fn from_image(context: &Context, image: impl AsRef<[u8]>) -> Result<Module> {
        // SAFETY: the caller's promise.
        unsafe { Self::from_image_with(context, image, &JitOptions::new()) }
    }

    /// Loads an image with options. Otherwise the same as [`from_image`](Module::from_image).
    ///
    /// # Blocking
    ///
    /// Same as [`from_image`](Module::from_image).
    ///
    /// # Errors
    ///
    /// Same as [`from_image`](Module::from_image), and for the options the same as [`from_ptx_with`](Module::from_ptx_with).
    ///
    /// # Safety
    ///
    /// Same as [`from_image`](Module::from_image).
    #[doc(alias("cuModuleLoadDataEx", "CUjit_option"))]
    pub unsafe fn from_image_with(
        context: &Context,
        image: impl AsRef<[u8]>,
        options: &JitOptions,
    ) -> Result<Module> {
        let image = image.as_ref();
        match Kind::of(image) {
            Kind::Text => Self::from_ptx_with(context, image, options),
            // SAFETY: the caller's promise.
            Kind::Cubin => unsafe { Self::from_cubin_with(context, image, options) },
            // SAFETY: the caller's promise.
            Kind::Fatbin => unsafe { Self::from_fatbin_with(context, image, options) },
        }
    }
}

/// Loads an image at an address.
///
/// # Safety
///
/// The driver reads only memory that exists, and the content has the form that the driver expects.
pub(super) unsafe fn load(
    context: &Context,
    image: *const c_void,
    source: Source<'_>,
    options: &JitOptions,
) -> Result<Module> {
    let mut arguments = JitArguments::new(options)?;
    loop {
        let mut raw = null_mut();
        let bound = context.bind(Symbol::cuModuleLoadDataEx)?;
        // SAFETY: `raw` is valid for a write; the image has the form that the driver needs; options and values have this number,
        // and their targets live until after the call. The driver does not write to them later (measured).
        let loaded = unsafe {
            check!(cuModuleLoadDataEx(
                &raw mut raw,
                image,
                arguments.count(),
                arguments.options(),
                arguments.values(),
            ))
        };
        // A hook that runs in the following code finds the thread's own state, and may change the current context.
        drop(bound);
        let wrap = || {
            let (log, context, attachments) = (arguments.log(), context.clone(), Attachments::default());
            let signatures = Arc::new(Signatures::of_image(source.bytes()));
            Module(Arc::new(Owned::new(Inner { raw, log, context, attachments, signatures, library: None })))
        };
        match made(loaded, !raw.is_null(), wrap) {
            Ok(module) => return Ok(module),
            Err(_) if arguments.grow() => {}
            Err(error) => return Err(explained(arguments.failed(error), source, Some(context))),
        }
    }
}

/// Adds the mistakes in the code to an error.
#[cold]
pub(super) fn explained(error: Error, code: Source<'_>, context: Option<&Context>) -> Error {
    let (Some(log), Some(failed)) = (error.context::<JitLog>(), error.code()) else { return error };
    match JitProblem::find(failed, &log.error, code, context) {
        Some(problem) => {
            let text = format!("{problem}{}", log.appended());
            error.with_detail(format_args!("{text}")).with_context(problem)
        }
        None => error,
    }
}
