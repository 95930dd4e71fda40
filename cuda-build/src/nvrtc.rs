//! Calls of NVRTC.

#![allow(unsafe_code)]

use crate::{Error, Ptx};
use cuda_sys::nvrtc::{Library, nvrtcProgram, nvrtcResult};
use std::ffi::{CString, c_char, c_int};
use std::path::Path;
use std::ptr::{null, null_mut};

/// Compiles the file of `ptx` to PTX. Returns the PTX, and the messages of the compiler.
pub(crate) fn compile(library: &Library, ptx: &Ptx, root: &Path) -> Result<(Vec<u8>, String), Error> {
    let source = std::fs::read(root.join(&ptx.source)).and_then(|source| Ok(CString::new(source)?));
    let source = source.map_err(|reason| Error::File { path: ptx.source.clone(), reason })?;
    // NVRTC searches for headers beside the file of this name, and writes the name into messages.
    let name = c_string("new", ptx.source.as_os_str().as_encoded_bytes())?;
    let options = ptx.options(str::to_owned);
    let texts: Vec<CString> = options
        .iter()
        .map(|option| c_string("option", option.as_encoded_bytes()))
        .collect::<Result<_, _>>()?;
    let pointers: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
    let count = c_int::try_from(pointers.len()).map_err(|_| Error::InvalidArgument {
        argument: "option",
        reason: format!("{} options are too many", pointers.len()),
    })?;

    let mut program = Program { raw: null_mut(), library };
    // SAFETY: the program is valid for a write, the texts end in NUL, and there are no headers.
    let code = unsafe {
        (library.nvrtcCreateProgram)(&raw mut program.raw, source.as_ptr(), name.as_ptr(), 0, null(), null())
    };
    check(library, "nvrtcCreateProgram", code)?;
    // SAFETY: the program is live; there are `count` options, and each ends in NUL.
    let code = unsafe { (library.nvrtcCompileProgram)(program.raw, count, pointers.as_ptr()) };
    // SAFETY: both functions are of this library, and return the length and the text of the log.
    let log = unsafe {
        program.text("nvrtcGetProgramLog", library.nvrtcGetProgramLogSize, library.nvrtcGetProgramLog)
    }?;
    let log = String::from_utf8_lossy(&log).into_owned();
    if !code.is_success() {
        return Err(ptx.refused(describe(library), &options, code.to_string(), &log));
    }
    // SAFETY: as above.
    let text = unsafe { program.text("nvrtcGetPTX", library.nvrtcGetPTXSize, library.nvrtcGetPTX) }?;
    Ok((text, log))
}

fn describe(library: &Library) -> String {
    let release =
        library.version().map_or("of an unknown release".to_owned(), |release| format!("of CUDA {release}"));
    format!("NVRTC {release} ({})", library.origin())
}

fn c_string(argument: &'static str, text: impl Into<Vec<u8>>) -> Result<CString, Error> {
    CString::new(text).map_err(|error| Error::InvalidArgument {
        argument,
        reason: format!("the byte at position {} is NUL; remove it", error.nul_position()),
    })
}

fn check(library: &Library, call: &str, code: nvrtcResult) -> Result<(), Error> {
    if code.is_success() {
        return Ok(());
    }
    Err(Error::CompilerUnusable { compiler: describe(library), reason: format!("{call}: {code}") })
}

/// A program of NVRTC, destroyed when this value is dropped.
struct Program<'a> {
    raw: nvrtcProgram,
    library: &'a Library,
}

impl Program<'_> {
    /// Returns a text of the program, without the NUL at its end.
    ///
    /// # Safety
    ///
    /// Both functions belong to the program's library. `get` writes the number of bytes that `size` writes to its argument.
    unsafe fn text(
        &self,
        call: &str,
        size: unsafe extern "C" fn(nvrtcProgram, *mut usize) -> nvrtcResult,
        get: unsafe extern "C" fn(nvrtcProgram, *mut c_char) -> nvrtcResult,
    ) -> Result<Vec<u8>, Error> {
        let mut len = 0;
        // SAFETY: the program is live, and the length is valid for a write.
        check(self.library, &format!("{call}Size"), unsafe { size(self.raw, &raw mut len) })?;
        let mut text: Vec<u8> = Vec::new();
        text.try_reserve_exact(len).map_err(|error| Error::CompilerUnusable {
            compiler: describe(self.library),
            reason: format!("{call}: {len} bytes of memory: {error}"),
        })?;
        text.resize(len, 0);
        // SAFETY: the program is live, and there is room for `len` bytes.
        check(self.library, call, unsafe { get(self.raw, text.as_mut_ptr().cast()) })?;
        text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(len));
        Ok(text)
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        if !self.raw.is_null() {
            // SAFETY: the program is live, and this value alone has the handle.
            let _ = unsafe { (self.library.nvrtcDestroyProgram)(&raw mut self.raw) };
        }
    }
}
