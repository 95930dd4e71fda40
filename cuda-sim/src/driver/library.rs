//! Libraries: code that belongs to no context, and becomes a module in each context that uses it.

#![allow(unsafe_code)]

use super::handles::Handle;
use super::logs::Logs;
use super::module::{load_source, name_of};
use super::source::Source;
use super::{Answer, Call, put};
use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use cuda_sys::{
    CUdevice, CUdeviceptr, CUfunc_cache, CUfunction, CUfunction_attribute, CUjit_option, CUkernel, CUlibrary,
    CUlibraryOption, CUmodule, CUresult,
};
use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::Arc;

/// A library.
pub(super) struct Library {
    source: Source,
    /// The names of its kernels.
    names: Vec<String>,
    /// Its modules, by context.
    modules: BTreeMap<Handle, Handle>,
}

impl Library {
    /// Forgets the module of a context that ends.
    pub(super) fn end_context(&mut self, context: Handle) {
        self.modules.remove(&context);
    }

    /// Whether a module is one of its own.
    pub(super) fn has(&self, module: Handle) -> bool {
        self.modules.values().any(|own| *own == module)
    }

    /// Forgets a module that was unloaded as one.
    pub(super) fn end_module(&mut self, module: Handle) {
        self.modules.retain(|_, own| *own != module);
    }
}

/// A kernel of a library.
pub(super) struct LibraryKernel {
    library: Handle,
    /// Programs may read it as long as the library is there.
    name: Arc<CStr>,
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(super) unsafe fn load_data(
    call: &mut Call<'_>,
    to: *mut CUlibrary,
    code: *const c_void,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
    count: c_uint,
    _: *mut CUlibraryOption,
    _: *mut *mut c_void,
    _: c_uint,
) -> Answer {
    if to.is_null() || code.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null; the program's promise.
    let source = unsafe { Source::from_described(code) }?;
    // SAFETY: the program's promise.
    let logs = unsafe { Logs::from_options(call.state, count, options, values) }?;
    // SAFETY: the program's promise.
    unsafe { load(call, to, source, logs) }
}

/// # Safety
///
/// As the driver API demands.
#[allow(clippy::too_many_arguments)] // the driver's own
pub(super) unsafe fn load_file(
    call: &mut Call<'_>,
    to: *mut CUlibrary,
    path: *const c_char,
    options: *mut CUjit_option,
    values: *mut *mut c_void,
    count: c_uint,
    _: *mut CUlibraryOption,
    _: *mut *mut c_void,
    _: c_uint,
) -> Answer {
    if to.is_null() || path.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so a C string.
    let source = unsafe { Source::from_file(path) }?;
    // SAFETY: the program's promise.
    let logs = unsafe { Logs::from_options(call.state, count, options, values) }?;
    // SAFETY: the program's promise.
    unsafe { load(call, to, source, logs) }
}

/// Mistakes are found at once, by compiling for the first device.
///
/// # Safety
///
/// `to` is valid for a write, and the logs' buffers as they were described.
unsafe fn load(call: &mut Call<'_>, to: *mut CUlibrary, source: Source, mut logs: Logs) -> Answer {
    // SAFETY: the caller's promise.
    let program = unsafe { super::module::compile(call.state, 0, &source, &mut logs) }?;
    let names = program.kernels().iter().map(|kernel| kernel.name.clone()).collect();
    let handle = call.state.libraries.insert(Library { source, names, modules: BTreeMap::new() });
    // SAFETY: the caller's promise.
    unsafe { put(to, handle.pointer()) }
}

pub(super) fn unload(call: &mut Call<'_>, library: CUlibrary) -> Answer {
    let handle = Handle::of(library);
    let known = call.state.libraries.get(handle).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    let modules: Vec<(Handle, Handle)> =
        known.modules.iter().map(|(context, module)| (*context, *module)).collect();
    let ops = modules.iter().flat_map(|(context, _)| call.state.queue.of_context(*context)).collect();
    call.wait_then(ops, move |state| {
        state.libraries.remove(handle);
        state.kernels.retain(|kernel| kernel.library != handle);
        modules.into_iter().for_each(|(_, module)| state.unload(module));
        Ok(())
    })
}

fn find(call: &Call<'_>, library: CUlibrary) -> Answer<Handle> {
    let handle = Handle::of(library);
    call.state.libraries.get(handle).map(|_| handle).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
}

/// The library's module in the current context, which is loaded when it is needed first.
fn module_of(call: &mut Call<'_>, library: Handle) -> Answer<Handle> {
    let context = call.state.current_context()?;
    let known = call.state.libraries.get(library).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    if let Some(module) = known.modules.get(&context)
        && call.state.modules.get(*module).is_some()
    {
        return Ok(*module);
    }
    let source = known.source.clone();
    let device = call.state.live_context(context)?.device;
    // SAFETY: there are no logs to write.
    let program = unsafe { super::module::compile(call.state, device, &source, &mut Logs::default()) }?;
    if let Some(global) = program.globals().iter().find(|global| global.managed) {
        // All contexts of a library would have the same one.
        let name = &global.name;
        super::general::say(&format!("`{name}`: managed variables of libraries are not simulated yet"));
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    let module = load_source(call.state, context, device, program)?;
    if let Some(library) = call.state.libraries.get_mut(library) {
        library.modules.insert(context, module);
    }
    Ok(module)
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_module(call: &mut Call<'_>, to: *mut CUmodule, library: CUlibrary) -> Answer {
    let library = find(call, library)?;
    let module = module_of(call, library)?;
    // SAFETY: the program's promise.
    unsafe { put(to, module.pointer()) }
}

/// The names of a library's kernels.
fn kernel_names<'call>(call: &'call Call<'_>, library: Handle) -> Answer<&'call [String]> {
    let known = call.state.libraries.get(library).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    Ok(&known.names)
}

/// One handle for each kernel.
fn handle_of(call: &mut Call<'_>, library: Handle, name: &str) -> Handle {
    let known = call.state.kernels.iter();
    let known =
        { known }.find(|(_, kernel)| kernel.library == library && kernel.name.to_bytes() == name.as_bytes());
    match known.map(|(handle, _)| handle) {
        Some(handle) => handle,
        None => {
            // Names in PTX hold no NUL.
            let name = CString::new(name).unwrap_or_default().into();
            call.state.kernels.insert(LibraryKernel { library, name })
        }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_kernel(
    call: &mut Call<'_>,
    to: *mut CUkernel,
    library: CUlibrary,
    name: *const c_char,
) -> Answer {
    // SAFETY: the program's promise.
    let name = unsafe { name_of(name) }?;
    let library = find(call, library)?;
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
pub(super) unsafe fn get_kernel_count(call: &mut Call<'_>, count: *mut c_uint, library: CUlibrary) -> Answer {
    let library = find(call, library)?;
    let value = kernel_names(call, library)?.len();
    // SAFETY: the program's promise.
    unsafe { put(count, value as c_uint) }
}

/// As many as there is room for.
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn enumerate_kernels(
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
pub(super) unsafe fn get_global(
    call: &mut Call<'_>,
    address: *mut CUdeviceptr,
    size: *mut usize,
    library: CUlibrary,
    name: *const c_char,
) -> Answer {
    let library = find(call, library)?;
    let module = module_of(call, library)?;
    // SAFETY: the program's promise.
    unsafe { super::module::get_global(call, address, size, module.pointer(), name) }
}

impl Call<'_> {
    /// A function of the current context for what may be a kernel of a library.
    pub(super) fn launchable(&mut self, function: CUfunction) -> Answer<CUfunction> {
        let handle = Handle::of(function);
        let Some(kernel) = self.state.kernels.get(handle) else { return Ok(function) };
        let (library, name) = (kernel.library, Arc::clone(&kernel.name));
        let module = module_of(self, library)?;
        super::function::function_of(self, module, &name.to_string_lossy()).map(Handle::pointer)
    }

    /// The function of a kernel, in the current context.
    fn function_of_kernel(&mut self, kernel: CUkernel) -> Answer<CUfunction> {
        let known = self.state.kernels.get(Handle::of(kernel)).is_some();
        if known { self.launchable(kernel.cast()) } else { Err(CUresult::CUDA_ERROR_INVALID_HANDLE) }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn kernel_function(call: &mut Call<'_>, to: *mut CUfunction, kernel: CUkernel) -> Answer {
    let function = call.function_of_kernel(kernel)?;
    // SAFETY: the program's promise.
    unsafe { put(to, function) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn kernel_library(call: &mut Call<'_>, to: *mut CUlibrary, kernel: CUkernel) -> Answer {
    let kernel = call.state.kernels.get(Handle::of(kernel)).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    // SAFETY: the program's promise.
    unsafe { put(to, kernel.library.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn kernel_name(call: &mut Call<'_>, name: *mut *const c_char, kernel: CUkernel) -> Answer {
    let kernel = call.state.kernels.get(Handle::of(kernel)).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    // SAFETY: the program's promise. The text lives as long as the library.
    unsafe { put(name, kernel.name.as_ptr()) }
}

pub(super) fn kernel_set_cache_config(
    call: &mut Call<'_>,
    kernel: CUkernel,
    config: CUfunc_cache,
    device: CUdevice,
) -> Answer {
    check_device(call, device)?;
    let function = call.function_of_kernel(kernel)?;
    super::function::set_cache_config(call, function, config)
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn kernel_param_info(
    call: &mut Call<'_>,
    kernel: CUkernel,
    index: usize,
    offset: *mut usize,
    size: *mut usize,
) -> Answer {
    let function = call.function_of_kernel(kernel)?;
    // SAFETY: the program's promise.
    unsafe { super::function::get_param_info(call, function, index, offset, size) }
}

/// The device must be that of the current context: attributes elsewhere are not simulated yet.
fn check_device(call: &Call<'_>, device: CUdevice) -> Answer {
    call.state.device(device)?;
    // The hardware needs no context for this (measured: P23).
    let current = call.state.current_context().and_then(|context| call.state.live_context(context));
    if current.is_ok_and(|context| context.device == device) {
        return Ok(());
    }
    super::general::say("attributes of kernels on devices other than the current one are not simulated yet");
    Err(CUresult::CUDA_ERROR_NOT_SUPPORTED)
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn kernel_get_attribute(
    call: &mut Call<'_>,
    value: *mut c_int,
    attribute: CUfunction_attribute,
    kernel: CUkernel,
    device: CUdevice,
) -> Answer {
    check_device(call, device)?;
    let function = call.function_of_kernel(kernel)?;
    // SAFETY: the program's promise.
    unsafe { super::function::get_attribute(call, value, attribute, function) }
}

pub(super) fn kernel_set_attribute(
    call: &mut Call<'_>,
    attribute: CUfunction_attribute,
    value: c_int,
    kernel: CUkernel,
    device: CUdevice,
) -> Answer {
    check_device(call, device)?;
    let function = call.function_of_kernel(kernel)?;
    super::function::set_attribute(call, function, attribute, value)
}
