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
    /// The text must begin with `.version`, after white space and comments, and hold no NUL byte,
    /// except at its end.
    ///
    /// # Blocking
    ///
    /// Until the driver has compiled the text, or found it in its cache, and all kernels of the context that run are done.
    ///
    /// # Errors
    ///
    /// - [`Compilation`](crate::error::ErrorKind::Compilation) with the compiler's log:
    ///   [`Code::InvalidPtx`](crate::error::Code::InvalidPtx) for text that does not compile,
    ///   [`Code::UnsupportedPtxVersion`](crate::error::Code::UnsupportedPtxVersion) for text that is newer than the driver, and
    ///   others.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if the text is not PTX, or
    ///   if a text holds a NUL byte.
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
    /// The driver's compiler is trusted to refuse what it cannot compile. That of driver 580 was seen to end the process
    /// instead: on a function that returns a predicate beside another value, on `.maxntid 4294967265`, on a division of the
    /// least number by -1 in an initialiser. So do not feed it PTX from strangers.
    #[doc(alias("cuModuleLoadDataEx", "cuModuleLoadData"))]
    pub fn from_ptx(context: &Context, ptx: impl AsRef<[u8]>) -> Result<Module> {
        Self::from_ptx_with(context, ptx, &JitOptions::new())
    }

    /// As [`from_ptx`](Module::from_ptx), with options for the compiler.
    ///
    /// # Blocking
    ///
    /// Until the driver has compiled the text, or found it in its cache, and all kernels of the context that run are done.
    ///
    /// # Errors
    ///
    /// Same as `from_ptx`; [`Compilation`](crate::error::ErrorKind::Compilation) if the driver refused without a
    /// word, which names the options; [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) for a raw option
    /// that this crate gives itself.
    #[doc(alias("cuModuleLoadDataEx", "CUjit_option"))]
    pub fn from_ptx_with(context: &Context, ptx: impl AsRef<[u8]>, options: &JitOptions) -> Result<Module> {
        let text = ptx.as_ref();
        let image = ptx::image(text)?;
        // SAFETY: the image is a C string that starts as PTX does, so the driver reads no further than its NUL.
        unsafe { load(context, image.as_ptr().cast(), Source::Text(text), options) }
    }

    /// Loads a cubin: code that was compiled for one architecture. Wraps `cuModuleLoadDataEx`.
    ///
    /// The memory can be used for something else afterwards.
    ///
    /// # Blocking
    ///
    /// Until the driver has loaded it, and all kernels of the context that run are done.
    ///
    /// # Errors
    ///
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument) if its headers name what lies outside of
    ///   it, as in one that was cut, or if it is something
    ///   else.
    /// - [`Compilation`](crate::error::ErrorKind::Compilation): [`Code::NoBinaryForGpu`](crate::error::Code::NoBinaryForGpu) if it is for
    ///   another architecture, which is named.
    ///
    /// # Safety
    ///
    /// The cubin is as a compiler has made it. The driver trusts what is in it: of such with changed bytes, some made driver
    /// 580 crash.
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
    /// assert!(text.starts_with("image: not whole: the ELF header 0 ends at 64, where there are 7;"), "{text}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuModuleLoadDataEx", "cuModuleLoadData"))]
    pub unsafe fn from_cubin(context: &Context, cubin: impl AsRef<[u8]>) -> Result<Module> {
        // SAFETY: the caller's promise.
        unsafe { Self::from_cubin_with(context, cubin, &JitOptions::new()) }
    }

    /// As [`from_cubin`](Module::from_cubin), with options.
    ///
    /// # Blocking
    ///
    /// Until the driver has loaded it, and all kernels of the context that run are done.
    ///
    /// # Errors
    ///
    /// Same as [`from_cubin`](Module::from_cubin) and of the options in [`from_ptx_with`](Module::from_ptx_with).
    ///
    /// # Safety
    ///
    /// As for [`from_cubin`](Module::from_cubin).
    #[doc(alias("cuModuleLoadDataEx", "CUjit_option"))]
    pub unsafe fn from_cubin_with(
        context: &Context,
        cubin: impl AsRef<[u8]>,
        options: &JitOptions,
    ) -> Result<Module> {
        let cubin = cubin.as_ref();
        image::check_cubin(cubin)?;
        let words = image::aligned(cubin);
        // SAFETY: all that the headers name is within the image, and its parts are right by the caller's promise.
        unsafe { load(context, words.as_ptr().cast(), Source::Cubin(cubin), options) }
    }

    /// Loads a fat binary: of what is in it, the driver takes the best for the context's device, and compiles PTX if that
    /// is all that fits. Wraps `cuModuleLoadDataEx`.
    ///
    /// It begins with the bytes `50 ED 55 BA`. What C++ programs hold is a structure with a pointer to such, which is not
    /// taken here.
    ///
    /// # Blocking
    ///
    /// Until the driver has loaded it, compiled it perhaps, and all kernels of the context that run are done.
    ///
    /// # Errors
    ///
    /// Same as [`from_cubin`](Module::from_cubin); for PTX in it, those of [`from_ptx`](Module::from_ptx).
    ///
    /// # Safety
    ///
    /// As for [`from_cubin`](Module::from_cubin). What is compressed is not even looked at.
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
    /// assert!(text.starts_with("image: not whole: the fat binary 0 ends at 271, where there are 16;"), "{text}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuModuleLoadFatBinary", "cuModuleLoadDataEx", "cuModuleLoadData"))]
    pub unsafe fn from_fatbin(context: &Context, fatbin: impl AsRef<[u8]>) -> Result<Module> {
        // SAFETY: the caller's promise.
        unsafe { Self::from_fatbin_with(context, fatbin, &JitOptions::new()) }
    }

    /// As [`from_fatbin`](Module::from_fatbin), with options.
    ///
    /// # Blocking
    ///
    /// Until the driver has loaded it, compiled it perhaps, and all kernels of the context that run are done.
    ///
    /// # Errors
    ///
    /// Same as [`from_fatbin`](Module::from_fatbin) and of the options in [`from_ptx_with`](Module::from_ptx_with).
    ///
    /// # Safety
    ///
    /// As for [`from_fatbin`](Module::from_fatbin).
    #[doc(alias("cuModuleLoadFatBinary", "cuModuleLoadDataEx", "CUjit_option"))]
    pub unsafe fn from_fatbin_with(
        context: &Context,
        fatbin: impl AsRef<[u8]>,
        options: &JitOptions,
    ) -> Result<Module> {
        let fatbin = fatbin.as_ref();
        image::check_fatbin(fatbin)?;
        let words = image::aligned(fatbin);
        // SAFETY: all that the headers name is within the image, and its parts are right by the caller's promise.
        unsafe { load(context, words.as_ptr().cast(), Source::Fatbin(fatbin), options) }
    }

    /// Loads a cubin, a fat binary or PTX, whichever the first bytes say it is.
    ///
    /// # Blocking
    ///
    /// Until the driver has loaded it, compiled it perhaps, and all kernels of the context that run are done.
    ///
    /// # Errors
    ///
    /// Same as [`from_cubin`](Module::from_cubin), [`from_fatbin`](Module::from_fatbin) or [`from_ptx`](Module::from_ptx).
    ///
    /// # Safety
    ///
    /// As for [`from_cubin`](Module::from_cubin), if it is not PTX.
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

    /// As [`from_image`](Module::from_image), with options.
    ///
    /// # Blocking
    ///
    /// Until the driver has loaded it, compiled it perhaps, and all kernels of the context that run are done.
    ///
    /// # Errors
    ///
    /// Same as [`from_image`](Module::from_image) and of the options in [`from_ptx_with`](Module::from_ptx_with).
    ///
    /// # Safety
    ///
    /// As for [`from_image`](Module::from_image).
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

/// Loads what is at an address.
///
/// # Safety
///
/// The driver reads nothing but memory that is there, and what it reads is of the form that it expects.
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
        // SAFETY: `raw` is valid for a write; the image is as the driver needs it; options and values are of this number,
        // and what they name lives until after the call. The driver does not write to them later (measured).
        let loaded = unsafe {
            check!(cuModuleLoadDataEx(
                &raw mut raw,
                image,
                arguments.count(),
                arguments.options(),
                arguments.values(),
            ))
        };
        // A hook that runs because of what follows finds the thread as it was, and may change which context is current.
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

/// Adds what is wrong with the code.
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
