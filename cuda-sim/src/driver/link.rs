//! Linking. There is no machine code here, so that what comes of it is the PTX text that went in, with a NUL after
//! it: loading that image compiles it once more. Only one text can go in.

#![allow(unsafe_code)]

use super::handles::Handle;
use super::logs::Logs;
use super::module::{answer_for, try_compile};
use super::source::Source;
use super::{Answer, Call, put, put_if_wanted};
use crate::exec::CompileErrorKind;
use core::ffi::{c_char, c_uint, c_void};
use cuda_sys::{
    CUdevice, CUjit_option, CUjit_option_enum as Jit, CUjitInputType, CUjitInputType_enum as Input,
    CUlinkState, CUresult,
};
use std::sync::Arc;

/// What is being linked.
pub(super) struct Linker {
    device: CUdevice,
    logs: Logs,
    /// What went in. The program reads it from [`complete`] to [`destroy`], so that it never changes.
    image: Option<Arc<[u8]>>,
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn create(
    call: &mut Call<'_>,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
    to: *mut CUlinkState,
) -> Answer {
    if to.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let device = call.state.live_context(call.context)?.device;
    // SAFETY: the program's promise, until the linker is destroyed.
    let logs = unsafe { Logs::from_options(call.state, count, options, values) }?;
    let handle = call.state.linkers.insert(Linker { device, logs, image: None });
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(super) unsafe fn add_data(
    call: &mut Call<'_>,
    linker: CUlinkState,
    kind: CUjitInputType,
    data: *mut c_void,
    size: usize,
    _: *const c_char,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
) -> Answer {
    let handle = find(call, linker)?;
    if data.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the program's promise.
    unsafe { check_options(call, count, options, values) }?;
    check_kind(kind)?;
    // SAFETY: not null, and the program promises that so many bytes are there.
    let text = unsafe { core::slice::from_raw_parts(data.cast::<u8>(), size) };
    let source = Source::from_ptx(text);
    // SAFETY: the promise that was made with `create`.
    unsafe { add(call, handle, source) }
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(super) unsafe fn add_file(
    call: &mut Call<'_>,
    linker: CUlinkState,
    kind: CUjitInputType,
    path: *const c_char,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
) -> Answer {
    let handle = find(call, linker)?;
    if path.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the program's promise.
    unsafe { check_options(call, count, options, values) }?;
    check_kind(kind)?;
    // SAFETY: not null, so a C string.
    let source = unsafe { Source::from_file(path) }?;
    // SAFETY: the promise that was made with `create`.
    unsafe { add(call, handle, source) }
}

fn find(call: &Call<'_>, linker: CUlinkState) -> Answer<Handle> {
    let handle = Handle::of(linker);
    call.state.linkers.get(handle).map(|_| handle).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
}

fn lacking(what: &str) -> CUresult {
    super::general::say(&format!("linking {what} is not simulated yet: CUDA_ERROR_NOT_SUPPORTED"));
    CUresult::CUDA_ERROR_NOT_SUPPORTED
}

fn check_kind(kind: CUjitInputType) -> Answer {
    match kind {
        Input::CU_JIT_INPUT_PTX => Ok(()),
        Input(number) if number < Input::CU_JIT_NUM_INPUT_TYPES.0 => Err(lacking("what is not PTX")),
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// Options of one input: those about the whole are documented not to be accepted there.
///
/// # Safety
///
/// See [`Logs::from_options`].
unsafe fn check_options(
    call: &Call<'_>,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
) -> Answer {
    // SAFETY: the caller's promise.
    unsafe { Logs::from_options(call.state, count, options, values) }?;
    for index in 0..count as usize {
        // SAFETY: within `count` elements.
        let option = unsafe { options.add(index) };
        // SAFETY: as above, and valid for a read.
        let option = unsafe { option.read() };
        if let Jit::CU_JIT_WALL_TIME
        | Jit::CU_JIT_INFO_LOG_BUFFER
        | Jit::CU_JIT_ERROR_LOG_BUFFER
        | Jit::CU_JIT_TARGET_FROM_CUCONTEXT
        | Jit::CU_JIT_TARGET = option
        {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
    }
    Ok(())
}

/// # Safety
///
/// The logs' buffers are as they were described when the linker was made.
unsafe fn add(call: &mut Call<'_>, handle: Handle, source: Source) -> Answer {
    let linker = call.state.linkers.get_mut(handle).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    if linker.image.is_some() {
        return Err(lacking("several texts"));
    }
    let device = linker.device;
    let mut logs = core::mem::take(&mut linker.logs);
    // SAFETY: the caller's promise.
    let compiled = unsafe { try_compile(call.state, device, &source, &mut logs) };
    let linker = call.state.linkers.get_mut(handle).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    linker.logs = logs;
    match compiled {
        Ok(_) => {
            linker.image = Some(source.linked(linker.logs.registers));
            Ok(())
        }
        // Another input might define it.
        Err(CompileErrorKind::Unresolved) => Err(lacking("a text that needs another")),
        Err(kind) => Err(answer_for(call.state, kind)),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn complete(
    call: &mut Call<'_>,
    linker: CUlinkState,
    to: *mut *mut c_void,
    size: *mut usize,
) -> Answer {
    let handle = find(call, linker)?;
    let image = call.state.linkers.get(handle).and_then(|linker| linker.image.as_deref());
    let image = image.ok_or_else(|| lacking("nothing"))?;
    // SAFETY: the program's promise.
    unsafe { put(to, image.as_ptr().cast_mut().cast()) }?;
    // SAFETY: the program's promise; the size may be left out.
    unsafe { put_if_wanted(size, image.len()) };
    Ok(())
}

pub(super) fn destroy(call: &mut Call<'_>, linker: CUlinkState) -> Answer {
    let gone = call.state.linkers.remove(Handle::of(linker));
    gone.map(drop).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
}
