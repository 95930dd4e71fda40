//! Kernels of libraries in a context and on a device.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::modules::function::{Settings, attribute_of, setting_of};
use crate::driver::modules::library::{LibraryKernel, handle_of, module_of, program_of};
use crate::driver::processes::lasting_strings::forever;
use crate::driver::{Answer, Call, State, put};
use core::ffi::{c_char, c_int};
use cuda_sim_engine::Program;
use cuda_sys::{CUdevice, CUfunc_cache, CUfunction, CUfunction_attribute, CUkernel, CUlibrary, CUresult};
use std::sync::Arc;

impl Call<'_> {
    /// Returns a function of the current context, from a function or a kernel of a library.
    pub(crate) fn launchable(&mut self, function: CUfunction) -> Answer<CUfunction> {
        let handle = Handle::of(function);
        let Some(kernel) = self.state.kernels.get(handle) else { return Ok(function) };
        let (library, name) = (kernel.library, Arc::clone(&kernel.name));
        let module = module_of(self, library)?;
        crate::driver::modules::function::function_of(self, module, &name).map(Handle::pointer)
    }

    /// Returns the kernel with this name in the library of a module.
    pub(crate) fn kernel_in_module(&mut self, module: Handle, name: &str) -> Option<Handle> {
        let (library, _) = self.state.libraries.iter().find(|(_, library)| library.has(module))?;
        Some(handle_of(self, library, name))
    }

    /// Returns the function of a kernel in the current context.
    fn function_of_kernel(&mut self, kernel: CUkernel) -> Answer<CUfunction> {
        let known = self.state.kernels.get(Handle::of(kernel)).is_some();
        if known { self.launchable(kernel.cast()) } else { Err(CUresult::CUDA_ERROR_INVALID_HANDLE) }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn kernel_function(call: &mut Call<'_>, to: *mut CUfunction, kernel: CUkernel) -> Answer {
    let function = call.function_of_kernel(kernel)?;
    // SAFETY: the program's promise.
    unsafe { put(to, function) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn kernel_library(call: &mut Call<'_>, to: *mut CUlibrary, kernel: CUkernel) -> Answer {
    let kernel = call.state.kernels.get(Handle::of(kernel)).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    // SAFETY: the program's promise.
    unsafe { put(to, kernel.library.pointer()) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn kernel_name(call: &mut Call<'_>, name: *mut *const c_char, kernel: CUkernel) -> Answer {
    let kernel = call.state.kernels.get(Handle::of(kernel)).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    // SAFETY: the program's promise.
    unsafe { put(name, forever(&kernel.name).as_ptr()) }
}

impl Call<'_> {
    /// Returns a kernel of a library, and its properties on a device.
    fn on_device(&mut self, kernel: CUkernel, device: CUdevice) -> Answer<(Settings, Arc<Program>, usize)> {
        let found = self.state.kernels.get(Handle::of(kernel)).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        self.state.device(device)?;
        let settings = found.settings.get(device).copied().unwrap_or_default();
        let (library, name) = (found.library, Arc::clone(&found.name));
        let program = program_of(self.state, library, device)?;
        let position = program.kernels().iter().position(|kernel| *kernel.name == *name);
        Ok((settings, program, position.ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?))
    }
}

impl State {
    /// Returns the settings of a kernel for a device, if a library owns this module.
    pub(crate) fn library_settings(&self, module: Handle, name: &str, device: CUdevice) -> Settings {
        let library =
            self.libraries.iter().find(|(_, library)| library.has(module)).map(|(handle, _)| handle);
        let is_it = |kernel: &&LibraryKernel| Some(kernel.library) == library && *kernel.name == *name;
        let kernel = self.kernels.iter().map(|(_, kernel)| kernel).find(is_it);
        kernel.and_then(|kernel| kernel.settings.get(device)).copied().unwrap_or_default()
    }
}

/// Accepts a cache preference, which has no effect.
pub(crate) fn kernel_set_cache_config(
    call: &mut Call<'_>,
    kernel: CUkernel,
    config: CUfunc_cache,
    device: CUdevice,
) -> Answer {
    call.on_device(kernel, device)?;
    crate::driver::modules::function::check_cache_config(config)
}

/// Returns a parameter of a kernel. A current context is needed (conformance fact V201).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn kernel_param_info(
    call: &mut Call<'_>,
    kernel: CUkernel,
    index: usize,
    offset: *mut usize,
    size: *mut usize,
) -> Answer {
    if kernel.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let function = call.function_of_kernel(kernel)?;
    // SAFETY: the program's promise.
    unsafe { crate::driver::modules::function::get_param_info(call, function, index, offset, size) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn kernel_param_count(call: &mut Call<'_>, kernel: CUkernel, count: *mut usize) -> Answer {
    if kernel.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let function = call.function_of_kernel(kernel)?;
    // SAFETY: the program's promise.
    unsafe { crate::driver::modules::function::get_param_count(call, function, count) }
}

/// Returns an attribute of a kernel. No context is needed (conformance fact V205).
///
/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn kernel_get_attribute(
    call: &mut Call<'_>,
    value: *mut c_int,
    attribute: CUfunction_attribute,
    kernel: CUkernel,
    device: CUdevice,
) -> Answer {
    let (settings, program, index) = call.on_device(kernel, device)?;
    let kernel = &program.kernels()[index];
    let settings = settings.values(call.state, device, kernel, false);
    let known = attribute_of(call.state, device, kernel, settings, attribute)?;
    // SAFETY: the program's promise.
    unsafe { put(value, known) }
}

/// Sets an attribute, which applies to the functions of all contexts of the device (conformance fact V206).
pub(crate) fn kernel_set_attribute(
    call: &mut Call<'_>,
    attribute: CUfunction_attribute,
    value: c_int,
    kernel: CUkernel,
    device: CUdevice,
) -> Answer {
    let handle = Handle::of(kernel);
    let (_, program, index) = call.on_device(kernel, device)?;
    let setting = setting_of(call.state, device, &program.kernels()[index], attribute, value)?;
    let state = &mut *call.state;
    let Some(found) = state.kernels.get_mut(handle) else { return Err(CUresult::CUDA_ERROR_INVALID_HANDLE) };
    found.settings.get_or_default(device).set(setting);
    let Some(library) = state.libraries.get(found.library) else { return Ok(()) };
    let contexts = &state.contexts;
    let is_there = |context| contexts.get(context).is_some_and(|context| context.device == device);
    for function in state.functions.values_mut() {
        if function.kernel == index && library.has(function.module) && is_there(function.context) {
            function.follow(setting);
        }
    }
    Ok(())
}
