//! Calls of NVRTC, whose results become a `Result`, and the owner of a program.

#![allow(unsafe_code)]

use super::{CallError, Code};
use crate::error::{Error, Limit, Result, filled};
use crate::handle::report;
use core::ffi::{CStr, c_char, c_int};
use core::ptr::{null, null_mut};
use cuda_sys::nvrtc::{Library, Symbol, Version, nvrtcProgram, nvrtcResult};
use std::ffi::CString;

/// Returns the NVRTC in use.
pub(super) fn library() -> Result<&'static Library> {
    Ok(cuda_sys::nvrtc::library()?)
}

fn outcome(library: &Library, symbol: Symbol, result: nvrtcResult) -> Result<()> {
    match Code::new(result) {
        None => Ok(()),
        Some(code) => match library.missing(symbol) {
            Some(missing) => Err(missing.into()),
            None => Err(CallError { call: symbol.name(), code }.into_error()),
        },
    }
}

/// Calls the library's function and names it in the error. Must be used inside an `unsafe` block whose SAFETY comment covers the
/// call.
macro_rules! ask {
    ($library:expr, $function:ident($($argument:expr),* $(,)?)) => {
        outcome($library, Symbol::$function, ($library.$function)($($argument),*))
    };
}

/// Returns the release of the compiler.
pub(super) fn version(library: &Library) -> Result<Version> {
    if let Some(version) = library.version() {
        return Ok(version);
    }
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both numbers are valid for a write.
    unsafe { ask!(library, nvrtcVersion(&raw mut major, &raw mut minor)) }?;
    Ok(Version::new(major, minor))
}

/// Returns the architectures that the compiler supports, in its own form: 80 for 8.0. `None` if it has no function for this
/// query.
pub(super) fn supported_architectures(library: &Library) -> Result<Option<Vec<c_int>>> {
    if !library.has(Symbol::nvrtcGetNumSupportedArchs) || !library.has(Symbol::nvrtcGetSupportedArchs) {
        return Ok(None);
    }
    let mut count = 0;
    // SAFETY: the count is valid for a write.
    unsafe { ask!(library, nvrtcGetNumSupportedArchs(&raw mut count)) }?;
    let mut architectures: Vec<c_int> = filled(0, usize::try_from(count).unwrap_or(0))?;
    if architectures.is_empty() {
        return Ok(Some(architectures));
    }
    // SAFETY: there is room for the number that NVRTC has just returned; the number is fixed for a library.
    unsafe { ask!(library, nvrtcGetSupportedArchs(architectures.as_mut_ptr())) }?;
    Ok(Some(architectures))
}

/// A program of NVRTC, destroyed on drop.
///
/// Several threads may call NVRTC at once, but not for one program (documented). This value stays inside the function that makes
/// it.
pub(super) struct RawProgram {
    raw: nvrtcProgram,
    library: &'static Library,
}

impl RawProgram {
    pub(super) fn new(
        library: &'static Library,
        source: &CStr,
        name: &CStr,
        headers: &[(CString, CString)],
    ) -> Result<RawProgram> {
        let names: Vec<*const c_char> = headers.iter().map(|(name, _)| name.as_ptr()).collect();
        let texts: Vec<*const c_char> = headers.iter().map(|(_, text)| text.as_ptr()).collect();
        let or_null = |list: &[*const c_char]| if list.is_empty() { null() } else { list.as_ptr() };
        // A handle is destroyed even if the call that wrote it failed.
        let mut program = RawProgram { raw: null_mut(), library };
        // SAFETY: the handle is valid for a write; all texts end in NUL, and NVRTC copies them; the number is that of the names
        // and texts of headers.
        unsafe {
            ask!(
                library,
                nvrtcCreateProgram(
                    &raw mut program.raw,
                    source.as_ptr(),
                    name.as_ptr(),
                    count(headers.len())?,
                    or_null(&texts),
                    or_null(&names),
                )
            )
        }?;
        Ok(program)
    }

    pub(super) fn add_name_expression(&mut self, expression: &CStr) -> Result<()> {
        // SAFETY: the program is live, and the text ends in NUL.
        unsafe { ask!(self.library, nvrtcAddNameExpression(self.raw, expression.as_ptr())) }
    }

    pub(super) fn compile(&mut self, options: &[CString]) -> Result<()> {
        let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let count = count(pointers.len())?;
        // SAFETY: the program is live; the number is that of the options, and each ends in NUL.
        unsafe { ask!(self.library, nvrtcCompileProgram(self.raw, count, pointers.as_ptr())) }
    }

    /// Returns the log of the compiler, without the line breaks at the end.
    pub(super) fn log(&self) -> Result<Box<str>> {
        let mut size = 0;
        // SAFETY: the program is live, and the size is valid for a write.
        unsafe { ask!(self.library, nvrtcGetProgramLogSize(self.raw, &raw mut size)) }?;
        let mut log: Vec<u8> = filled(0, size)?;
        // SAFETY: the program is live, there is room for the number of bytes that NVRTC has just returned, and only this function
        // uses it.
        unsafe { ask!(self.library, nvrtcGetProgramLog(self.raw, log.as_mut_ptr().cast())) }?;
        Ok(text(&log).trim_end().into())
    }

    pub(super) fn ptx(&self) -> Result<Box<str>> {
        let mut size = 0;
        // SAFETY: the program is live, and the size is valid for a write.
        unsafe { ask!(self.library, nvrtcGetPTXSize(self.raw, &raw mut size)) }?;
        let mut ptx: Vec<u8> = filled(0, size)?;
        // SAFETY: the program is live, there is room for the number of bytes that NVRTC has just returned, and only this function
        // uses it.
        unsafe { ask!(self.library, nvrtcGetPTX(self.raw, ptx.as_mut_ptr().cast())) }?;
        Ok(text(&ptx).into())
    }

    pub(super) fn cubin(&self) -> Result<Box<[u8]>> {
        let mut size = 0;
        // SAFETY: the program is live, and the size is valid for a write.
        unsafe { ask!(self.library, nvrtcGetCUBINSize(self.raw, &raw mut size)) }?;
        let mut cubin: Vec<u8> = filled(0, size)?;
        // SAFETY: the program is live, there is room for the number of bytes that NVRTC has just returned, and only this function
        // uses it.
        unsafe { ask!(self.library, nvrtcGetCUBIN(self.raw, cubin.as_mut_ptr().cast())) }?;
        Ok(cubin.into())
    }

    pub(super) fn lto_ir(&self) -> Result<Box<[u8]>> {
        let mut size = 0;
        // SAFETY: the program is live, and the size is valid for a write.
        unsafe { ask!(self.library, nvrtcGetLTOIRSize(self.raw, &raw mut size)) }?;
        let mut code: Vec<u8> = filled(0, size)?;
        // SAFETY: the program is live, there is room for the number of bytes that NVRTC has just returned, and only this function
        // uses it.
        unsafe { ask!(self.library, nvrtcGetLTOIR(self.raw, code.as_mut_ptr().cast())) }?;
        Ok(code.into())
    }

    /// Returns the compiler's name for the symbol of a name expression.
    pub(super) fn lowered_name(&self, expression: &CStr) -> Result<Box<str>> {
        let mut name = null();
        // SAFETY: the program is live, the text ends in NUL, and the name is valid for a write.
        unsafe { ask!(self.library, nvrtcGetLoweredName(self.raw, expression.as_ptr(), &raw mut name)) }?;
        if name.is_null() {
            return Ok("".into());
        }
        // SAFETY: NVRTC wrote a C string that lives as long as the program, which `self` holds.
        let name = unsafe { CStr::from_ptr(name) };
        Ok(name.to_string_lossy().into())
    }
}

impl Drop for RawProgram {
    fn drop(&mut self) {
        if self.raw.is_null() {
            return;
        }
        // SAFETY: this value owned the program, and nothing uses it any more; its handle is valid for a write.
        let destroyed = unsafe { ask!(self.library, nvrtcDestroyProgram(&raw mut self.raw)) };
        report(destroyed);
    }
}

/// Converts a number of texts to C's type.
fn count(len: usize) -> Result<c_int> {
    c_int::try_from(len).map_err(|_| Error::beyond("program", "texts", len, Limit::AtMost(i32::MAX as usize)))
}

/// Returns the text before the first NUL.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
}
