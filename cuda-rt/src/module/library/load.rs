//! Creation of libraries.

#![allow(unsafe_code)]

use super::handle::Handle;
use super::{Code, Contexts, Inner, Library, LibraryOptions};
use crate::context::Context;
use crate::driver::ensure_init;
use crate::error::{Error, Result};
use crate::module::file::{of_compilation, of_content};
use crate::module::image::{self, Kind};
use crate::module::jit::JitArguments;
use crate::module::jit_diagnostics::Source;
use crate::module::signatures::Signatures;
use crate::module::{JitLog, Module, ptx};
use core::ffi::c_void;
use cuda_sys::Symbol;
use std::ffi::CString;
use std::path::Path;
use std::sync::Arc;

/// Image of a library, in a form that the driver accepts.
pub(super) enum Image {
    /// A C string that begins as PTX does.
    Text(CString),
    /// A binary whose headers name no part outside the image, and its length in bytes.
    Binary(Box<[u64]>, usize),
}

impl Image {
    fn of(image: &[u8]) -> Result<Image> {
        match Kind::of(image) {
            Kind::Text => return Ok(Image::Text(ptx::image(image)?)),
            Kind::Cubin => image::check_cubin(image)?,
            Kind::Fatbin => image::check_fatbin(image)?,
        }
        Ok(Image::Binary(image::aligned(image).into(), image.len()))
    }

    pub(super) fn as_ptr(&self) -> *const c_void {
        match self {
            Image::Text(text) => text.as_ptr().cast(),
            Image::Binary(words, _) => words.as_ptr().cast(),
        }
    }

    /// Returns the bytes of the code.
    fn bytes(&self) -> &[u8] {
        match self {
            Image::Text(text) => text.as_bytes(),
            Image::Binary(words, len) => bytemuck::cast_slice(words).get(..*len).unwrap_or_default(),
        }
    }

    /// Returns the code that explains a refusal.
    pub(super) fn source(&self) -> Option<Source<'_>> {
        match self {
            Image::Text(text) => Some(Source::Text(text.as_bytes())),
            Image::Binary(..) => None,
        }
    }

    /// Loads the code as a module, for drivers without libraries.
    pub(super) fn load(&self, context: &Context, options: &LibraryOptions) -> Result<Module> {
        match self {
            Image::Text(text) => Module::from_ptx_with(context, text.as_bytes(), &options.jit),
            Image::Binary(..) => {
                // SAFETY: the caller who made the library has promised that a compiler has made it.
                unsafe { Module::from_image_with(context, self.bytes(), &options.jit) }
            }
        }
    }
}

impl Library {
    /// Makes a library of PTX. Wraps `cuLibraryLoadData`.
    ///
    /// The text must begin with `.version`, after white space and comments. It must not contain a NUL byte, except at its end.
    ///
    /// # Blocking
    ///
    /// Until the driver has compiled the text, or found the code in its cache.
    ///
    /// # Errors
    ///
    /// - [`Compilation`](crate::error::ErrorKind::Compilation), with the compiler's log, as for [`Module::from_ptx`]. The named
    ///   call may be `cuLibraryGetKernel`: the driver accepts any image, and reports mistakes at the first lookup, which this
    ///   function makes at once.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): the text is not PTX, or contains a NUL byte.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::error::Code;
    /// use cuda_rt::module::Library;
    ///
    /// let error = Library::from_ptx("
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
    /// Same as [`Module::from_ptx`].
    #[doc(alias = "cuLibraryLoadData")]
    pub fn from_ptx(ptx: impl AsRef<[u8]>) -> Result<Library> {
        Self::from_ptx_with(ptx, &LibraryOptions::new())
    }

    /// Makes a library of PTX, with options for the compiler and the driver. Otherwise the same as
    /// [`from_ptx`](Library::from_ptx).
    ///
    /// # Blocking
    ///
    /// Until the driver has compiled the text, or found the code in its cache.
    ///
    /// # Errors
    ///
    /// - Same as [`from_ptx`](Library::from_ptx).
    /// - [`Compilation`](crate::error::ErrorKind::Compilation), which names the options: the driver refused without a log.
    /// - [`InvalidArgument`](crate::error::ErrorKind::InvalidArgument): a raw option is one that this crate sets
    ///   itself, a number is out of range, two options exclude each other, or a name contains a NUL byte.
    #[doc(alias("cuLibraryLoadData", "CUlibraryOption"))]
    pub fn from_ptx_with(ptx: impl AsRef<[u8]>, options: &LibraryOptions) -> Result<Library> {
        // SAFETY: a C string that begins as PTX does.
        unsafe { Library::of(Image::Text(ptx::image(ptx.as_ref())?), options) }
    }

    /// Makes a library of a cubin, a fat binary or PTX, distinguished by the first bytes. Wraps `cuLibraryLoadData`.
    ///
    /// # Blocking
    ///
    /// Until the driver has loaded the image, and perhaps compiled it.
    ///
    /// # Errors
    ///
    /// Same as [`Module::from_image`], except that the error of an image for other devices has only the driver code.
    ///
    /// # Safety
    ///
    /// Same as [`Module::from_cubin`], unless the image is PTX.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::module::Library;
    ///
    /// let image = b".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// // SAFETY: it is PTX.
    /// unsafe { Library::from_image(image) }?.kernel("nothing")?;
    /// // SAFETY: it never reaches the driver.
    /// let error = unsafe { Library::from_image(b"\x7fELF\x02\x01\x01") }.unwrap_err();
    /// let text = error.to_string();
    /// assert!(text.starts_with("image: not whole: the ELF header ends at byte 64, where there are 7 bytes;"), "{text}");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLibraryLoadData")]
    pub unsafe fn from_image(image: impl AsRef<[u8]>) -> Result<Library> {
        // SAFETY: the caller's promise.
        unsafe { Self::from_image_with(image, &LibraryOptions::new()) }
    }

    /// Makes a library of an image, with options. Otherwise the same as [`from_image`](Library::from_image).
    ///
    /// # Blocking
    ///
    /// Until the driver has loaded the image, and perhaps compiled it.
    ///
    /// # Errors
    ///
    /// Same as [`from_image`](Library::from_image), and for the options the same as [`from_ptx_with`](Library::from_ptx_with).
    ///
    /// # Safety
    ///
    /// Same as [`from_image`](Library::from_image).
    #[doc(alias("cuLibraryLoadData", "CUlibraryOption"))]
    pub unsafe fn from_image_with(image: impl AsRef<[u8]>, options: &LibraryOptions) -> Result<Library> {
        // SAFETY: all parts that the headers name are inside the image, and the caller promises their content.
        unsafe { Library::of(Image::of(image.as_ref())?, options) }
    }

    /// Makes a library of a file: a cubin, a fat binary or PTX.
    ///
    /// This function reads and checks the file itself, and does not call `cuLibraryLoadFromFile`. [`Module::from_file`] describes
    /// the kinds of files and the meaning of relative paths.
    ///
    /// # Blocking
    ///
    /// Until the file is read and the driver has loaded the image, and perhaps compiled it.
    ///
    /// # Errors
    ///
    /// - [`File`](crate::error::ErrorKind::File): the file cannot be read, or its content is not one that
    ///   [`from_image`](Library::from_image) accepts.
    /// - Otherwise same as [`from_image`](Library::from_image).
    ///
    /// # Safety
    ///
    /// Same as [`from_image`](Library::from_image).
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// use cuda_rt::error::ErrorKind;
    /// use cuda_rt::module::Library;
    ///
    /// // SAFETY: there is no such file.
    /// let error = unsafe { Library::from_file("/there/is/none") }.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::File);
    /// ```
    #[doc(alias = "cuLibraryLoadFromFile")]
    pub unsafe fn from_file(path: impl AsRef<Path>) -> Result<Library> {
        // SAFETY: the caller's promise.
        unsafe { Self::from_file_with(path, &LibraryOptions::new()) }
    }

    /// Makes a library of a file, with options. Otherwise the same as [`from_file`](Library::from_file).
    ///
    /// # Blocking
    ///
    /// Same as [`from_file`](Library::from_file).
    ///
    /// # Errors
    ///
    /// Same as [`from_file`](Library::from_file), and for the options the same as [`from_ptx_with`](Library::from_ptx_with).
    ///
    /// # Safety
    ///
    /// Same as [`from_file`](Library::from_file).
    #[doc(alias("cuLibraryLoadFromFile", "CUlibraryOption"))]
    pub unsafe fn from_file_with(path: impl AsRef<Path>, options: &LibraryOptions) -> Result<Library> {
        let path = path.as_ref();
        let image =
            std::fs::read(path).map_err(|error| Error::file(path, error.kind(), format_args!("{error}")))?;
        let image = Image::of(&image).map_err(|error| of_content(error, path))?;
        // SAFETY: all parts that the headers name are inside the image, and the caller promises their content.
        unsafe { Library::of(image, options) }.map_err(|error| of_compilation(error, path))
    }

    /// # Safety
    ///
    /// An image that is not text is the unchanged output of a compiler.
    unsafe fn of(image: Image, options: &LibraryOptions) -> Result<Library> {
        ensure_init()?;
        let signatures = Arc::new(Signatures::of_image(image.bytes()));
        let (code, log) = if cuda_sys::driver()?.has(Symbol::cuLibraryLoadData) {
            // SAFETY: the caller's promise.
            let (handle, log) = unsafe { Handle::load(image, options) }?;
            (Code::Loaded(handle), log)
        } else {
            drop(JitArguments::new(&options.jit)?);
            (Code::Image(image, options.clone()), JitLog::default())
        };
        Ok(Library(Arc::new(Inner { code, contexts: Contexts::default(), log, signatures })))
    }
}
