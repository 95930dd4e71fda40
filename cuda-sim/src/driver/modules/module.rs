//! Modules: loading, their variables and kernels, unloading.

#![allow(unsafe_code)]

use crate::collections::{IdSet, SmallMap};
use crate::driver::handles::Handle;
use crate::driver::memory::heap::Kind;
use crate::driver::memory::managed::Attachment;
use crate::driver::modules::function::function_of;
use crate::driver::modules::image_source::{Chosen, Source};
use crate::driver::modules::jit_options::Logs;
use crate::driver::modules::verbose_log;
use crate::driver::{Answer, Call, State, put, put_if_wanted};
use core::ffi::{CStr, c_char, c_uint, c_void};
use cuda_sim_engine::{CompileError, CompileErrorKind, Program, Target};
use cuda_sys::{
    CUdevice, CUdevice_attribute_enum as DeviceAttribute, CUdeviceptr, CUfunction, CUjit_option, CUmodule,
    CUmoduleLoadingMode, CUresult, DriverVersion,
};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// Loaded module.
pub(crate) struct Module {
    pub(crate) context: Handle,
    pub(crate) program: Arc<Program>,
    /// Addresses of the variables of [`Program::globals`].
    pub(crate) globals: Vec<u64>,
    /// Variables that belong to a library, and stay when the module is unloaded.
    kept: IdSet<u64>,
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn load_data(call: &mut Call<'_>, module: *mut CUmodule, image: *const c_void) -> Answer {
    // SAFETY: the program's promise; there are no options.
    unsafe { load_data_ex(call, module, image, 0, core::ptr::null_mut(), core::ptr::null_mut()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn load_data_ex(
    call: &mut Call<'_>,
    module: *mut CUmodule,
    image: *const c_void,
    count: c_uint,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
) -> Answer {
    if module.is_null() || image.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the program's promise.
    let mut logs = unsafe { Logs::from_options(call.state, count, options, values) }?;
    // SAFETY: not null; the program's promise.
    let source = unsafe { Source::from_image(image) }?;
    // SAFETY: the program's promise.
    unsafe { load(call, module, &source, &mut logs) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn load_file(call: &mut Call<'_>, module: *mut CUmodule, path: *const c_char) -> Answer {
    if module.is_null() || path.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so a C string.
    let source = unsafe { Source::from_file(path) }?;
    // SAFETY: the program's promise.
    unsafe { load(call, module, &source, &mut Logs::default()) }
}

/// # Safety
///
/// `to` is valid for a write, and the logs' buffers match their description.
unsafe fn load(call: &mut Call<'_>, to: *mut CUmodule, source: &Source, logs: &mut Logs) -> Answer {
    let context = call.context;
    let device = call.state.live_context(context)?.device;
    logs.check_target(target_of(call.state, device).number())?;
    // SAFETY: the caller's promise.
    let program = unsafe { compile(call.state, device, source, logs) }?;
    logs.check_symbols(|name| program.globals().iter().any(|global| global.name == name))?;
    let handle = load_source(call.state, context, device, program)?;
    // SAFETY: the caller's promise.
    unsafe { put(to, handle.pointer()) }
}

/// Compiles for a device.
///
/// # Safety
///
/// The logs' buffers match their description.
pub(crate) unsafe fn compile(
    state: &State,
    device: CUdevice,
    source: &Source,
    logs: &mut Logs,
) -> Answer<Program> {
    let target = target_of(state, device);
    let begun = Instant::now();
    let mut is_text = true;
    let (compiled, registers) = match source.choose(target.number()) {
        Ok(Chosen::Text(text)) => (Program::compile(text, &target), None),
        Ok(Chosen::Part(text)) => (Program::compile(&text, &target).map_err(CompileError::of_part), None),
        Ok(Chosen::Linked(linked)) => {
            is_text = false;
            let program = Program::compile_together(&linked.texts(), &target);
            (program.map_err(CompileError::of_image), linked.registers)
        }
        Err(refusal) => {
            // SAFETY: the caller's promise.
            unsafe { logs.write("", refusal.log) };
            return Err(refusal.code);
        }
    };
    match compiled {
        Ok(mut program) => {
            if let Some(most) = [logs.registers, registers].into_iter().flatten().min() {
                program.limit_registers(most);
            }
            let info = match (logs.verbose, is_text) {
                (false, _) => String::new(),
                (true, true) => verbose_log::loaded(&program, &target, begun.elapsed()),
                // The linker has compiled the texts, and has described them.
                (true, false) => program.info_log().to_owned(),
            };
            // SAFETY: the caller's promise.
            unsafe { logs.write(&info, "") };
            Ok(program)
        }
        Err(error) => {
            // SAFETY: the caller's promise.
            unsafe { logs.write("", &error.log) };
            Err(answer_to(&error, state.newer_ptx()))
        }
    }
}

/// Returns the target of compilations for a device.
pub(crate) fn target_of(state: &State, device: CUdevice) -> Target {
    let limit = |attribute| state.limit_of(device, attribute) as u32;
    Target {
        compute_capability: (
            limit(DeviceAttribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            limit(DeviceAttribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
        ),
        ptx_version: crate::config::ptx_version(state.config.driver_version),
        // The compiler in the driver permits more than ptxas (conformance facts F7 and V1185).
        shared_bytes: limit(DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
    }
}

/// Returns the driver's code for an error of the compiler. `too_new` is the code for an unknown PTX version.
pub(crate) fn answer_to(error: &CompileError, too_new: CUresult) -> CUresult {
    match error.kind {
        CompileErrorKind::NotPtx => CUresult::CUDA_ERROR_INVALID_IMAGE,
        CompileErrorKind::Invalid => CUresult::CUDA_ERROR_INVALID_PTX,
        CompileErrorKind::Unlinked => CUresult::CUDA_ERROR_INVALID_SOURCE,
        CompileErrorKind::Lacking => {
            crate::console::say(&format!("{}: CUDA_ERROR_NOT_SUPPORTED", error.log));
            CUresult::CUDA_ERROR_NOT_SUPPORTED
        }
        CompileErrorKind::UnsupportedVersion => too_new,
    }
}

/// Creates a module from a program, in a context.
pub(crate) fn load_source(
    state: &mut State,
    context: Handle,
    device: CUdevice,
    program: Program,
) -> Answer<Handle> {
    load_program(state, context, device, Arc::new(program), &SmallMap::default())
}

/// Creates a module for a library, whose managed variables exist already.
pub(crate) fn load_program(
    state: &mut State,
    context: Handle,
    device: CUdevice,
    program: Arc<Program>,
    placed: &SmallMap<String, u64>,
) -> Answer<Handle> {
    if program.globals().iter().any(|global| global.managed) {
        state.check_managed(device)?;
    }
    let globals = place_globals(state, context, device, &program, placed)?;
    let kept = placed.values().copied().collect();
    Ok(state.modules.insert(Module { context, program, globals, kept }))
}

/// Allocates the module's variables and fills them.
fn place_globals(
    state: &mut State,
    context: Handle,
    device: CUdevice,
    program: &Program,
    placed: &SmallMap<String, u64>,
) -> Answer<Vec<u64>> {
    let mut addresses = Vec::new();
    let is_placed = |address: &u64| placed.values().any(|known| known == address);
    for global in program.globals() {
        if let Some(address) = placed.get(&global.name).filter(|_| global.managed) {
            addresses.push(*address);
            continue;
        }
        let size = global.size.max(1);
        let place = if global.managed {
            state.heap.allocate_managed(device, context, (Attachment::Global, true), size)
        } else {
            state.heap.allocate(device, context, Kind::Variable, size)
        };
        match place {
            Some(address) => addresses.push(address),
            None => {
                addresses
                    .into_iter()
                    .filter(|address| !is_placed(address))
                    .for_each(|address| state.heap.free(address));
                return Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
            }
        }
    }
    for (index, (address, global)) in addresses.iter().zip(program.globals()).enumerate() {
        if is_placed(address) {
            continue;
        }
        let bytes = program.initial_bytes(index, &addresses);
        let written =
            crate::driver::memory::device_memory::write(state, *address, &bytes, global.size as usize);
        if let Err(code) = written {
            addresses
                .into_iter()
                .filter(|address| !is_placed(address))
                .for_each(|address| state.heap.free(address));
            return Err(code);
        }
    }
    Ok(addresses)
}

pub(crate) fn unload(call: &mut Call<'_>, module: CUmodule) -> Answer {
    let handle = Handle::of(module);
    let context = find(call, module)?.context;
    // A module of a library ends with the library (conformance fact V204).
    if call.state.libraries.iter().any(|(_, library)| library.has(handle)) {
        return Err(CUresult::CUDA_ERROR_NOT_PERMITTED);
    }
    // Its kernels may be running. Hardware waits for them (measured).
    let ops = call.state.queue.of_context(context);
    call.wait_then(ops, move |state| {
        state.unload(handle);
        Ok(())
    })
}

impl State {
    /// Removes a module, with its functions and variables.
    pub(crate) fn unload(&mut self, module: Handle) {
        let Some(gone) = self.modules.remove(module) else { return };
        self.functions.retain(|function| function.module != module);
        self.images.end_module(module);
        self.libraries.values_mut().for_each(|library| library.end_module(module));
        let own = gone.globals.into_iter().filter(|address| !gone.kept.contains(*address));
        own.for_each(|address| self.heap.free(address));
    }
}

pub(crate) fn find<'call>(call: &'call Call<'_>, module: CUmodule) -> Answer<&'call Module> {
    call.state.modules.get(Handle::of(module)).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
}

/// Reads a name, which must not be empty (measured: `INVALID_VALUE`).
///
/// # Safety
///
/// `name` is null or a C string.
pub(crate) unsafe fn name_of<'name>(name: *const c_char) -> Answer<&'name str> {
    if name.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so a C string.
    let name = unsafe { CStr::from_ptr(name) }.to_str().map_err(|_| CUresult::CUDA_ERROR_NOT_FOUND)?;
    if name.is_empty() { Err(CUresult::CUDA_ERROR_INVALID_VALUE) } else { Ok(name) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_function_count(call: &mut Call<'_>, count: *mut c_uint, module: CUmodule) -> Answer {
    let value = find(call, module)?.program.kernels().len() as c_uint;
    // SAFETY: the program's promise.
    unsafe { put(count, value) }
}

/// Writes as many functions as fit.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn enumerate_functions(
    call: &mut Call<'_>,
    to: *mut CUfunction,
    room: c_uint,
    module: CUmodule,
) -> Answer {
    let found = find(call, module)?;
    let names: Vec<String> =
        found.program.kernels().iter().take(room as usize).map(|kernel| kernel.name.clone()).collect();
    for (index, name) in names.iter().enumerate() {
        let function = function_of(call, Handle::of(module), name)?;
        // SAFETY: within the program's list.
        let place = unsafe { to.add(index) };
        // SAFETY: the program's promise.
        unsafe { put(place, function.pointer()) }?;
    }
    Ok(())
}

/// Returns the loading mode: lazy from CUDA 12.2 on, unless the environment selects the other mode.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn loading_mode(call: &mut Call<'_>, mode: *mut CUmoduleLoadingMode) -> Answer {
    use cuda_sys::CUmoduleLoadingMode_enum as Mode;
    static ASKED: OnceLock<Option<String>> = OnceLock::new();
    let asked = ASKED.get_or_init(|| std::env::var("CUDA_MODULE_LOADING").ok());
    let loads = match asked.as_deref() {
        Some("EAGER") => Mode::CU_MODULE_EAGER_LOADING,
        Some("LAZY") => Mode::CU_MODULE_LAZY_LOADING,
        _ if call.state.config.driver_version < DriverVersion::new(12, 2) => Mode::CU_MODULE_EAGER_LOADING,
        _ => Mode::CU_MODULE_LAZY_LOADING,
    };
    // SAFETY: the program's promise.
    unsafe { put(mode, loads) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_global(
    call: &mut Call<'_>,
    address: *mut CUdeviceptr,
    size: *mut usize,
    module: CUmodule,
    name: *const c_char,
) -> Answer {
    // SAFETY: the program's promise.
    let name = unsafe { name_of(name) }?;
    if address.is_null() && size.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let found = find(call, module)?;
    // Linked texts may have private variables with this name. They come after the variable that all share (measured).
    // Without a shared one, the first of them is used.
    let globals = found.program.globals().iter().enumerate().filter(|(_, global)| global.name == name);
    let index = globals.min_by_key(|(_, global)| !global.is_shared()).map(|(index, _)| index);
    let Some(index) = index else {
        // The name exists, but not as a variable (measured).
        let is_other = found.program.kernels().iter().any(|kernel| kernel.name == name)
            || found.program.references().iter().any(|reference| reference.name == name);
        let code = if is_other { CUresult::CUDA_ERROR_INVALID_VALUE } else { CUresult::CUDA_ERROR_NOT_FOUND };
        return Err(code);
    };
    let (at, bytes) = (found.globals[index], found.program.globals()[index].size as usize);
    // SAFETY: the program's promise; one parameter may be null.
    unsafe { put_if_wanted(address, at) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(size, bytes) };
    Ok(())
}
