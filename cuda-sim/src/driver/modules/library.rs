//! Libraries: code that belongs to no context. It becomes a module in each context that uses it.

#![allow(unsafe_code)]

use crate::collections::{IdMap, SmallMap};
use crate::driver::handles::Handle;
use crate::driver::modules::function::Settings;
use crate::driver::modules::image_source::Source;
use crate::driver::modules::jit_options::Logs;
use crate::driver::modules::module::load_program;
use crate::driver::{Answer, Call, State, put, put_if_wanted};
use core::ffi::{CStr, c_char, c_uint, c_void};
use cuda_sim_engine::Program;
use cuda_sys::{CUdevice, CUdeviceptr, CUkernel, CUlibrary, CUmodule, CUresult};
use std::sync::Arc;

/// A library.
pub(crate) struct Library {
    /// Code of the library, or the error for every lookup in it.
    pub(crate) code: Answer<Code>,
    /// Modules, by context.
    pub(crate) modules: IdMap<Handle, Handle>,
}

/// Contents of a library.
pub(crate) struct Code {
    pub(crate) source: Source,
    /// Limit of the registers that the program has set.
    pub(crate) registers: Option<u32>,
    /// Names of its kernels.
    pub(crate) names: Vec<String>,
    /// Managed variables, which are the same in all contexts.
    pub(crate) managed: SmallMap<String, Variable>,
    /// Compiled programs by device, for devices that have used it.
    pub(crate) programs: IdMap<CUdevice, Arc<Program>>,
}

/// Address and size of a variable.
pub(crate) struct Variable {
    pub(crate) address: CUdeviceptr,
    pub(crate) size: u64,
}

impl Library {
    /// Forgets the module of a context that ends.
    pub(crate) fn end_context(&mut self, context: Handle) {
        self.modules.remove(context);
    }

    /// Returns whether a module belongs to the library.
    pub(crate) fn has(&self, module: Handle) -> bool {
        self.modules.values().any(|own| *own == module)
    }

    /// Forgets a module that was unloaded.
    pub(crate) fn end_module(&mut self, module: Handle) {
        self.modules.retain(|_, own| *own != module);
    }

    fn code(&self) -> Answer<&Code> {
        self.code.as_ref().map_err(|code| *code)
    }
}

/// Kernel of a library.
pub(crate) struct LibraryKernel {
    pub(crate) library: Handle,
    pub(crate) name: Arc<str>,
    /// Settings by device.
    pub(crate) settings: IdMap<CUdevice, Settings>,
}

pub(crate) fn unload(call: &mut Call<'_>, library: CUlibrary) -> Answer {
    let handle = Handle::of(library);
    let known = call.state.libraries.get(handle).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    let ops = known.modules.keys().flat_map(|context| call.state.queue.of_context(context)).collect();
    call.wait_then(ops, move |state| {
        let Some(gone) = state.libraries.remove(handle) else { return Ok(()) };
        state.kernels.retain(|kernel| kernel.library != handle);
        // The current modules: another module may have the handle of one that ended with its context.
        gone.modules.values().copied().for_each(|module| state.unload(module));
        let managed = gone.code.map(|code| code.managed).unwrap_or_default();
        managed.into_values().for_each(|variable| state.heap.free(variable.address));
        Ok(())
    })
}

fn find(call: &Call<'_>, library: CUlibrary) -> Answer<Handle> {
    let handle = Handle::of(library);
    call.state.libraries.get(handle).map(|_| handle).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
}

/// Returns the program of a library on a device.
pub(crate) fn program_of(state: &mut State, library: Handle, device: CUdevice) -> Answer<Arc<Program>> {
    let known = state.libraries.get(library).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    let code = known.code()?;
    if let Some(program) = code.programs.get(device) {
        return Ok(Arc::clone(program));
    }
    let (source, mut logs) = (code.source.clone(), Logs::with_registers(code.registers));
    // SAFETY: there are no logs to write.
    let program =
        Arc::new(unsafe { crate::driver::modules::module::compile(state, device, &source, &mut logs) }?);
    if let Some(Ok(code)) = state.libraries.get_mut(library).map(|library| library.code.as_mut()) {
        code.programs.insert(device, Arc::clone(&program));
    }
    Ok(program)
}

/// Returns the library's module in the current context. The first use loads it.
pub(crate) fn module_of(call: &mut Call<'_>, library: Handle) -> Answer<Handle> {
    let context = call.state.current_context()?;
    let known = call.state.libraries.get(library).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    if let Some(module) = known.modules.get(context) {
        return Ok(*module);
    }
    let managed: SmallMap<String, CUdeviceptr> =
        known.code()?.managed.iter().map(|(name, variable)| (name.clone(), variable.address)).collect();
    let device = call.state.live_context(context)?.device;
    let program = program_of(call.state, library, device)?;
    let module = load_program(call.state, context, device, program, &managed)?;
    if let Some(library) = call.state.libraries.get_mut(library) {
        library.modules.insert(context, module);
    }
    Ok(module)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_module(call: &mut Call<'_>, to: *mut CUmodule, library: CUlibrary) -> Answer {
    let library = find(call, library)?;
    let module = module_of(call, library)?;
    // SAFETY: the program's promise.
    unsafe { put(to, module.pointer()) }
}

/// Returns the names of a library's kernels; none if there is no code (conformance fact V202).
fn kernel_names<'call>(call: &'call Call<'_>, library: Handle) -> Answer<&'call [String]> {
    let known = call.state.libraries.get(library).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    Ok(known.code().map(|code| code.names.as_slice()).unwrap_or_default())
}

/// Reads a name. An empty name is valid, and names nothing (conformance fact V203).
///
/// # Safety
///
/// `name` is null or a C string.
unsafe fn name_of<'name>(name: *const c_char) -> Answer<&'name str> {
    if name.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so a C string.
    unsafe { CStr::from_ptr(name) }.to_str().map_err(|_| CUresult::CUDA_ERROR_NOT_FOUND)
}

/// Returns the handle of a kernel, which is always the same.
pub(super) fn handle_of(call: &mut Call<'_>, library: Handle, name: &str) -> Handle {
    let known = call.state.kernels.iter();
    let known = { known }.find(|(_, kernel)| kernel.library == library && *kernel.name == *name);
    match known.map(|(handle, _)| handle) {
        Some(handle) => handle,
        None => {
            let name = name.into();
            call.state.kernels.insert(LibraryKernel { library, name, settings: IdMap::new() })
        }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_kernel(
    call: &mut Call<'_>,
    to: *mut CUkernel,
    library: CUlibrary,
    name: *const c_char,
) -> Answer {
    // SAFETY: the program's promise.
    let name = unsafe { name_of(name) }?;
    let library = find(call, library)?;
    call.state.libraries.get(library).map_or(Ok(()), |known| known.code().map(drop))?;
    if !kernel_names(call, library)?.iter().any(|known| known == name) {
        return Err(CUresult::CUDA_ERROR_NOT_FOUND);
    }
    let handle = handle_of(call, library, name);
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_kernel_count(call: &mut Call<'_>, count: *mut c_uint, library: CUlibrary) -> Answer {
    let library = find(call, library)?;
    let value = kernel_names(call, library)?.len();
    // SAFETY: the program's promise.
    unsafe { put(count, value as c_uint) }
}

/// Writes as many kernels as fit.
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn enumerate_kernels(
    call: &mut Call<'_>,
    to: *mut CUkernel,
    room: c_uint,
    library: CUlibrary,
) -> Answer {
    let library = find(call, library)?;
    let names = kernel_names(call, library)?.to_vec();
    for (index, name) in names.iter().take(room as usize).enumerate() {
        let handle = handle_of(call, library, name);
        // SAFETY: within the program's list.
        let place = unsafe { to.add(index) };
        // SAFETY: the program's promise.
        unsafe { put(place, handle.pointer()) }?;
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_global(
    call: &mut Call<'_>,
    address: *mut CUdeviceptr,
    size: *mut usize,
    library: CUlibrary,
    name: *const c_char,
) -> Answer {
    let library = find(call, library)?;
    let module = module_of(call, library)?;
    // SAFETY: the program's promise.
    unsafe { crate::driver::modules::module::get_global(call, address, size, module.pointer(), name) }
}

/// Returns a managed variable. No context is needed (conformance fact V208).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_managed(
    call: &mut Call<'_>,
    address: *mut CUdeviceptr,
    size: *mut usize,
    library: CUlibrary,
    name: *const c_char,
) -> Answer {
    let library = find(call, library)?;
    // SAFETY: the program's promise.
    let name = unsafe { name_of(name) }?;
    if address.is_null() && size.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let known = call.state.libraries.get(library).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    let found = known.code()?.managed.get(name).ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
    let (at, bytes) = (found.address, found.size as usize);
    // SAFETY: the program's promise; one parameter may be null.
    unsafe { put_if_wanted(address, at) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(size, bytes) };
    Ok(())
}

/// Refuses every name, because code from PTX has no such functions (conformance fact V209).
pub(crate) fn get_unified_function(
    call: &mut Call<'_>,
    _: *mut *mut c_void,
    library: CUlibrary,
    _: *const c_char,
) -> Answer {
    find(call, library)?;
    Err(CUresult::CUDA_ERROR_INVALID_VALUE)
}
