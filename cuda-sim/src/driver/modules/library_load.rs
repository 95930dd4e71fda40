//! Creation of libraries.

#![allow(unsafe_code)]

use crate::collections::{IdMap, SmallMap};
use crate::driver::handles::Handle;
use crate::driver::memory::managed::Attachment;
use crate::driver::modules::image_source::Source;
use crate::driver::modules::jit_options::Logs;
use crate::driver::modules::library::{Code, Library, Variable};
use crate::driver::{Answer, Call, State, put};
use core::ffi::{CStr, c_char, c_uint, c_void};
use cuda_sim_engine::Program;
use cuda_sys::{CUdevice, CUjit_option, CUlibrary, CUlibraryOption, CUlibraryOption_enum, CUresult};
use std::sync::Arc;

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(crate) unsafe fn load_data(
    call: &mut Call<'_>,
    to: *mut CUlibrary,
    code: *const c_void,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
    count: c_uint,
    own_options: *mut CUlibraryOption,
    own_values: *mut *mut c_void,
    own_count: c_uint,
) -> Answer {
    if to.is_null() || code.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the program's promise.
    unsafe { check_options(own_options, own_values, own_count, true) }?;
    // SAFETY: not null; the program's promise.
    let source = unsafe { Source::from_described(code) };
    // SAFETY: the program's promise.
    let logs = unsafe { Logs::from_options(call.state, count, options, values) }?;
    // SAFETY: the program's promise.
    unsafe { load(call, to, source, logs) }
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(crate) unsafe fn load_file(
    call: &mut Call<'_>,
    to: *mut CUlibrary,
    path: *const c_char,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
    count: c_uint,
    own_options: *mut CUlibraryOption,
    own_values: *mut *mut c_void,
    own_count: c_uint,
) -> Answer {
    // SAFETY: null, or a C string.
    if to.is_null() || path.is_null() || unsafe { CStr::from_ptr(path) }.is_empty() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the program's promise.
    unsafe { check_options(own_options, own_values, own_count, false) }?;
    // SAFETY: not null, so a C string.
    let source = unsafe { Source::from_file(path) };
    match &source {
        Err(code @ CUresult::CUDA_ERROR_FILE_NOT_FOUND) => return Err(*code),
        Ok(source) if source.is_empty() => return Err(CUresult::CUDA_ERROR_INVALID_IMAGE),
        _ => {}
    }
    // SAFETY: the program's promise.
    let logs = unsafe { Logs::from_options(call.state, count, options, values) }?;
    // SAFETY: the program's promise.
    unsafe { load(call, to, source, logs) }
}

/// Checks the options of a library. One says that the image stays in place. It has no effect here, and is refused for a
/// file (conformance fact V210). The other names functions that the host shares with devices. It is ignored.
///
/// # Safety
///
/// The lists have this many elements.
unsafe fn check_options(
    options: *mut CUlibraryOption,
    values: *mut *mut c_void,
    count: c_uint,
    is_image: bool,
) -> Answer {
    if count > 0 && (options.is_null() || values.is_null()) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    for index in 0..count as usize {
        // SAFETY: within the program's list.
        let option = unsafe { options.add(index) };
        // SAFETY: as above, and valid for a read.
        match unsafe { option.read() } {
            CUlibraryOption_enum::CU_LIBRARY_BINARY_IS_PRESERVED if is_image => {}
            CUlibraryOption_enum::CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE => {}
            _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        }
    }
    Ok(())
}

/// Loads a library. The program is compiled at once, for the first device. Mistakes are written to the log. They become
/// errors only when the program looks up a name in the library (conformance fact V202).
///
/// # Safety
///
/// `to` is valid for a write, and the logs' buffers match their description.
unsafe fn load(call: &mut Call<'_>, to: *mut CUlibrary, source: Answer<Source>, mut logs: Logs) -> Answer {
    let registers = logs.registers;
    // SAFETY: the caller's promise.
    let compiled = source.and_then(|source| {
        // SAFETY: the caller's promise.
        let program = unsafe { crate::driver::modules::module::compile(call.state, 0, &source, &mut logs) }?;
        Ok((source, program))
    });
    let code = match compiled {
        Err(code) => Err(code),
        Ok((source, program)) => {
            let names = program.kernels().iter().map(|kernel| kernel.name.clone()).collect();
            let managed = place_managed(call.state, &program)?;
            let mut programs = IdMap::new();
            programs.insert(0, Arc::new(program));
            Ok(Code { source, registers, names, managed, programs })
        }
    };
    let handle = call.state.libraries.insert(Library { code, modules: IdMap::new() });
    // SAFETY: the caller's promise.
    unsafe { put(to, handle.pointer()) }
}

/// Allocates the managed variables of a library, and fills them.
fn place_managed(state: &mut State, program: &Program) -> Answer<SmallMap<String, Variable>> {
    let mut placed = SmallMap::default();
    if !program.globals().iter().any(|global| global.managed) {
        return Ok(placed);
    }
    let devices = 0..state.devices.len() as CUdevice;
    // As documented, some device must support managed memory.
    let device = { devices }.find(|device| state.check_managed(*device).is_ok());
    let device = device.ok_or(CUresult::CUDA_ERROR_NOT_SUPPORTED)?;
    let nowhere = vec![0; program.globals().len()];
    for (index, global) in program.globals().iter().enumerate().filter(|(_, global)| global.managed) {
        let attachment = (Attachment::Global, true);
        let address = state.heap.allocate_managed(device, Handle::NULL, attachment, global.size.max(1));
        let written = address.ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY).and_then(|address| {
            placed.insert(global.name.clone(), Variable { address, size: global.size });
            let bytes = program.initial_bytes(index, &nowhere);
            crate::driver::memory::device_memory::write(state, address, &bytes, global.size as usize)
        });
        if let Err(code) = written {
            placed.into_values().for_each(|variable| state.heap.free(variable.address));
            return Err(code);
        }
    }
    Ok(placed)
}
