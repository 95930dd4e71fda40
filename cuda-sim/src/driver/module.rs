//! Modules and their functions.

#![allow(unsafe_code)]

use super::handles::Handle;
use super::heap::Kind;
use super::{Answer, Call, State, put, put_if_wanted};
use crate::exec::{CompileErrorKind, Kernel, Program, Target};
use crate::generated::since;
use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use cuda_sys::{
    CUdevice, CUdevice_attribute_enum as DeviceAttribute, CUdeviceptr, CUfunc_cache, CUfunction,
    CUfunction_attribute, CUfunction_attribute_enum as Attribute, CUfunctionLoadingState, CUjit_option,
    CUjit_option_enum as Jit, CUmodule, CUmoduleLoadingMode, CUresult,
};
use std::ffi::CString;
use std::sync::Arc;

/// A loaded module.
pub(super) struct Module {
    pub(super) context: Handle,
    pub(super) program: Arc<Program>,
    /// Where the variables of [`Program::globals`] lie.
    pub(super) globals: Vec<u64>,
    /// The names of the kernels, for programs to read.
    names: Box<[CString]>,
}

/// A kernel that was looked up.
pub(super) struct Function {
    pub(super) context: Handle,
    pub(super) module: Handle,
    pub(super) kernel: usize,
    /// Bytes of dynamic shared memory that a launch may ask for.
    pub(super) max_dynamic_shared: u32,
    carveout: c_int,
}

/// The text of a PTX image. Compiled images are not for this device: there is no machine here to run them.
#[derive(Clone)]
pub(super) struct Source(Arc<[u8]>);

impl Source {
    /// # Safety
    ///
    /// `image` is valid for reads as far as its first bytes say: to the NUL, if they are text.
    pub(super) unsafe fn from_image(image: *const c_void) -> Answer<Source> {
        // SAFETY: the caller's promise; a binary's first byte is not NUL either.
        Source::from_text(unsafe { CStr::from_ptr(image.cast()) }.to_bytes())
    }

    /// # Safety
    ///
    /// `path` is a C string.
    pub(super) unsafe fn from_file(path: *const c_char) -> Answer<Source> {
        // SAFETY: the caller's promise.
        let path = unsafe { CStr::from_ptr(path) };
        let path = path.to_str().map_err(|_| CUresult::CUDA_ERROR_FILE_NOT_FOUND)?;
        let content = std::fs::read(path).map_err(|_| CUresult::CUDA_ERROR_FILE_NOT_FOUND)?;
        Source::from_text(&content)
    }

    fn from_text(text: &[u8]) -> Answer<Source> {
        const ELF: [u8; 4] = *b"\x7fELF";
        const FATBIN: [u8; 4] = [0x50, 0xed, 0x55, 0xba];
        if text.starts_with(&ELF) || text.starts_with(&FATBIN) {
            super::general::say("a cubin or fat binary was given: only PTX can be run here");
            return Err(CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU);
        }
        Ok(Source::from_ptx(text))
    }

    /// What is said to be PTX, to its NUL.
    pub(super) fn from_ptx(text: &[u8]) -> Source {
        Source(text.split(|byte| *byte == 0).next().unwrap_or_default().into())
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.0
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn load_data(call: &mut Call<'_>, module: *mut CUmodule, image: *const c_void) -> Answer {
    // SAFETY: the program's promise; there are no options.
    unsafe { load_data_ex(call, module, image, 0, core::ptr::null_mut(), core::ptr::null_mut()) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn load_data_ex(
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
pub(super) unsafe fn load_file(call: &mut Call<'_>, module: *mut CUmodule, path: *const c_char) -> Answer {
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
/// `to` is valid for a write, and the logs' buffers as they were described.
unsafe fn load(call: &mut Call<'_>, to: *mut CUmodule, source: &Source, logs: &mut Logs) -> Answer {
    let context = call.context;
    let device = call.state.live_context(context)?.device;
    // SAFETY: the caller's promise.
    let program = unsafe { compile(call.state, device, source, logs) }?;
    let handle = load_source(call.state, context, device, program)?;
    // SAFETY: the caller's promise.
    unsafe { put(to, handle.pointer()) }
}

/// Compiles for a device.
///
/// # Safety
///
/// The logs' buffers are as they were described.
pub(super) unsafe fn compile(
    state: &State,
    device: CUdevice,
    source: &Source,
    logs: &mut Logs,
) -> Answer<Program> {
    // SAFETY: the caller's promise.
    unsafe { try_compile(state, device, source, logs) }.map_err(|kind| answer_for(state, kind))
}

/// What the driver answers to a source that is refused.
pub(super) fn answer_for(state: &State, refusal: CompileErrorKind) -> CUresult {
    match refusal {
        CompileErrorKind::NotPtx => CUresult::CUDA_ERROR_INVALID_IMAGE,
        CompileErrorKind::Invalid | CompileErrorKind::Unresolved => CUresult::CUDA_ERROR_INVALID_PTX,
        CompileErrorKind::UnsupportedVersion => state.newer_ptx(),
    }
}

/// As [`compile`], for those who want to know why a source is refused.
///
/// # Safety
///
/// See [`compile`].
pub(super) unsafe fn try_compile(
    state: &State,
    device: CUdevice,
    source: &Source,
    logs: &mut Logs,
) -> Result<Program, CompileErrorKind> {
    let capability = |attribute| state.limit_of(device, attribute) as u32;
    let target = Target {
        compute_capability: (
            capability(DeviceAttribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            capability(DeviceAttribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
        ),
        ptx_version: crate::config::ptx_version(state.config.driver_version),
    };
    match Program::compile(&source.0, &target) {
        Ok(program) => {
            let info = if logs.verbose { program.info_log() } else { "" };
            // SAFETY: the caller's promise.
            unsafe { logs.write(info, "") };
            Ok(program)
        }
        Err(error) => {
            // SAFETY: the caller's promise.
            unsafe { logs.write("", &error.log) };
            Err(error.kind)
        }
    }
}

/// Makes a module of a program, in a context.
pub(super) fn load_source(
    state: &mut State,
    context: Handle,
    device: CUdevice,
    program: Program,
) -> Answer<Handle> {
    if let Some(global) = program.globals().iter().find(|global| global.managed) {
        super::general::say(&format!("managed variable `{}`: there is no managed memory yet", global.name));
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    let globals = place_globals(state, context, device, &program)?;
    let names = program.kernels().iter().map(|kernel| CString::new(kernel.name.as_str()).unwrap_or_default());
    let names = names.collect();
    Ok(state.modules.insert(Module { context, program: Arc::new(program), globals, names }))
}

/// Allocates the module's variables and fills them.
fn place_globals(
    state: &mut State,
    context: Handle,
    device: CUdevice,
    program: &Program,
) -> Answer<Vec<u64>> {
    let mut addresses = Vec::new();
    for global in program.globals() {
        let placed = state.heap.allocate(device, context, Kind::Plain, global.size.max(1));
        match placed {
            Some(address) => addresses.push(address),
            None => {
                addresses.into_iter().for_each(|address| state.heap.free(address));
                return Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
            }
        }
    }
    for (index, (address, global)) in addresses.iter().zip(program.globals()).enumerate() {
        let bytes = program.initial_bytes(index, &addresses);
        let written = super::memory::write(state, *address, &bytes, global.size as usize);
        if let Err(code) = written {
            addresses.into_iter().for_each(|address| state.heap.free(address));
            return Err(code);
        }
    }
    Ok(addresses)
}

pub(super) fn unload(call: &mut Call<'_>, module: CUmodule) -> Answer {
    let handle = Handle::of(module);
    let context = find(call, module)?.context;
    // Its kernels may be running; hardware waits for them (measured).
    let ops = call.state.queue.of_context(context);
    call.wait_then(ops, move |state| {
        state.unload(handle);
        Ok(())
    })
}

impl State {
    /// Takes a module away, with its functions and variables.
    pub(super) fn unload(&mut self, module: Handle) {
        let Some(gone) = self.modules.remove(module) else { return };
        self.functions.retain(|function| function.module != module);
        self.images.end_module(module);
        gone.globals.into_iter().for_each(|address| self.heap.free(address));
    }
}

pub(super) fn find<'call>(call: &'call Call<'_>, module: CUmodule) -> Answer<&'call Module> {
    call.state.modules.get(Handle::of(module)).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
}

/// A name that is not empty (measured: an empty one is `INVALID_VALUE`).
///
/// # Safety
///
/// `name` is null or a C string.
pub(super) unsafe fn name_of<'name>(name: *const c_char) -> Answer<&'name str> {
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
pub(super) unsafe fn get_function(
    call: &mut Call<'_>,
    to: *mut CUfunction,
    module: CUmodule,
    name: *const c_char,
) -> Answer {
    // SAFETY: the program's promise.
    let name = unsafe { name_of(name) }?;
    let handle = function_of(call, Handle::of(module), name)?;
    // SAFETY: the program's promise.
    unsafe { put(to, handle.pointer()) }
}

/// The function of a kernel, by its name.
pub(super) fn function_of(call: &mut Call<'_>, module: Handle, name: &str) -> Answer<Handle> {
    let found = find(call, module.pointer())?;
    let kernel = found.program.kernels().iter().position(|kernel| kernel.name == name);
    let kernel = kernel.ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
    let context = found.context;
    let existing =
        call.state.functions.iter().find(|(_, known)| known.module == module && known.kernel == kernel);
    Ok(match existing {
        // One handle for each kernel: its attributes are shared.
        Some((handle, _)) => handle,
        None => {
            let declared = found.program.kernels()[kernel].static_shared;
            let device = call.state.live_context(context)?.device;
            let limit = |attribute| call.state.limit_of(device, attribute) as u32;
            let usual = limit(DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
            let most = limit(DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
            // A kernel that declares more than is usual has all that there is (measured).
            let max_dynamic_shared = if declared > usual { most } else { usual }.saturating_sub(declared);
            let carveout = -1;
            call.state.functions.insert(Function { context, module, kernel, max_dynamic_shared, carveout })
        }
    })
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_function_count(call: &mut Call<'_>, count: *mut c_uint, module: CUmodule) -> Answer {
    let value = find(call, module)?.program.kernels().len() as c_uint;
    // SAFETY: the program's promise.
    unsafe { put(count, value) }
}

/// As many as there is room for.
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn enumerate_functions(
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

/// Everything is loaded with its module.
///
/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn loading_mode(_: &mut Call<'_>, mode: *mut CUmoduleLoadingMode) -> Answer {
    // SAFETY: the program's promise.
    unsafe { put(mode, cuda_sys::CUmoduleLoadingMode_enum::CU_MODULE_EAGER_LOADING) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn is_loaded(
    call: &mut Call<'_>,
    state: *mut CUfunctionLoadingState,
    function: CUfunction,
) -> Answer {
    call.function(function)?;
    // SAFETY: the program's promise.
    unsafe { put(state, cuda_sys::CUfunctionLoadingState_enum::CU_FUNCTION_LOADING_STATE_LOADED) }
}

pub(super) fn load_function(call: &mut Call<'_>, function: CUfunction) -> Answer {
    call.function(function).map(drop)
}

/// A wish that has no effect.
pub(super) fn set_cache_config(call: &mut Call<'_>, function: CUfunction, config: CUfunc_cache) -> Answer {
    call.function(function)?;
    if config.0 > cuda_sys::CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_EQUAL.0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}

/// The shape of blocks for a way to launch that is not simulated: it has no effect.
pub(super) fn set_block_shape(
    call: &mut Call<'_>,
    function: CUfunction,
    x: c_int,
    y: c_int,
    z: c_int,
) -> Answer {
    call.function(function)?;
    if [x, y, z].into_iter().any(|extent| extent < 1) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_name(call: &mut Call<'_>, name: *mut *const c_char, function: CUfunction) -> Answer {
    let (found, module, _) = call.function(function)?;
    let pointer = module.names.get(found.kernel).map_or(core::ptr::null(), |name| name.as_ptr());
    // SAFETY: the program's promise. The text lives as long as the module.
    unsafe { put(name, pointer) }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_global(
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
    let index = found.program.globals().iter().position(|global| global.name == name);
    let index = index.ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
    let (at, bytes) = (found.globals[index], found.program.globals()[index].size as usize);
    // SAFETY: the program's promise; one may be left out.
    unsafe { put_if_wanted(address, at) };
    // SAFETY: the program's promise.
    unsafe { put_if_wanted(size, bytes) };
    Ok(())
}

impl Call<'_> {
    /// A function, and the kernel that it stands for.
    pub(super) fn function(&self, function: CUfunction) -> Answer<(&Function, &Module, &Kernel)> {
        let found = self.state.functions.get(Handle::of(function));
        let found = found.ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        let module = self.state.modules.get(found.module).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        Ok((found, module, &module.program.kernels()[found.kernel]))
    }

    /// The most threads that a block of the kernel can have.
    pub(super) fn max_threads(&self, function: &Function, kernel: &Kernel) -> u64 {
        let device = self.state.contexts.get(function.context).map_or(0, |context| context.device);
        let limit = |attribute| self.state.limit_of(device, attribute);
        let mut threads = limit(DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
        for declared in [kernel.max_threads, kernel.required_threads].into_iter().flatten() {
            threads = threads.min(declared.into_iter().map(u64::from).product());
        }
        threads
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_attribute(
    call: &mut Call<'_>,
    value: *mut c_int,
    attribute: CUfunction_attribute,
    function: CUfunction,
) -> Answer {
    let (found, _, kernel) = call.function(function)?;
    call.state.require(since::FUNCTION_ATTRIBUTES, attribute.0)?;
    let device = call.state.live_context(found.context)?.device;
    let number = |attribute| call.state.limit_of(device, attribute) as c_int;
    let major = number(DeviceAttribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    let minor = number(DeviceAttribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    let known = match attribute {
        Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK => call.max_threads(found, kernel) as c_int,
        Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES => kernel.static_shared.cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES => kernel.const_bytes.cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES => kernel.local_bytes.cast_signed(),
        // An estimate: registers are given out by a compiler for machines that are not here.
        Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS => kernel.registers.cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_PTX_VERSION => kernel.target.cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_BINARY_VERSION => major * 10 + minor,
        Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES => found.max_dynamic_shared.cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT => found.carveout,
        Attribute::CU_FUNC_ATTRIBUTE_CACHE_MODE_CA
        | Attribute::CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET
        | Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH
        | Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT
        | Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH
        | Attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
        | Attribute::CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE => 0,
        Attribute(number) => {
            return Err(call.state.lacking(since::FUNCTION_ATTRIBUTES, number, "function attribute"));
        }
    };
    // SAFETY: the program's promise.
    unsafe { put(value, known) }
}

pub(super) fn set_attribute(
    call: &mut Call<'_>,
    function: CUfunction,
    attribute: CUfunction_attribute,
    value: c_int,
) -> Answer {
    let (found, _, kernel) = call.function(function)?;
    call.state.require(since::FUNCTION_ATTRIBUTES, attribute.0)?;
    let device = call.state.live_context(found.context)?.device;
    let limit =
        call.state.limit_of(device, DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    let most = limit.saturating_sub(u64::from(kernel.static_shared));
    let own =
        call.state.functions.get_mut(Handle::of(function)).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    match attribute {
        Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES => {
            let wanted = u32::try_from(value).ok().filter(|wanted| u64::from(*wanted) <= most);
            own.max_dynamic_shared = wanted.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
            Ok(())
        }
        Attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT if (-1..=100).contains(&value) => {
            own.carveout = value;
            Ok(())
        }
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_param_info(
    call: &mut Call<'_>,
    function: CUfunction,
    index: usize,
    offset: *mut usize,
    size: *mut usize,
) -> Answer {
    let (_, _, kernel) = call.function(function)?;
    // After the last there is INVALID_VALUE, and nothing is written (measured).
    let param = kernel.params.get(index).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let (at, bytes) = (param.offset as usize, param.size as usize);
    // SAFETY: the program's promise.
    unsafe { put(offset, at) }?;
    // SAFETY: the program's promise; the size may be left out.
    unsafe { put_if_wanted(size, bytes) };
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(super) unsafe fn get_module(call: &mut Call<'_>, module: *mut CUmodule, function: CUfunction) -> Answer {
    let (found, _, _) = call.function(function)?;
    // SAFETY: the program's promise.
    unsafe { put(module, found.module.pointer()) }
}

/// The buffers that a program gives for the compiler's messages.
#[derive(Default)]
pub(super) struct Logs {
    info: Buffer,
    error: Buffer,
    verbose: bool,
}

/// A buffer, and the place in the list of values where its size is.
struct Buffer {
    bytes: *mut c_char,
    size: usize,
    size_slot: *mut *mut c_void,
}

// SAFETY: the pointers are the program's, which gives them to be used by the driver, in whatever thread.
unsafe impl Send for Buffer {}

impl Default for Buffer {
    fn default() -> Self {
        Self { bytes: core::ptr::null_mut(), size: 0, size_slot: core::ptr::null_mut() }
    }
}

impl Logs {
    /// Options about code that no compiler makes here have no effect.
    ///
    /// # Safety
    ///
    /// `options` and `values` are valid for reads and writes of `count` elements.
    pub(super) unsafe fn from_options(
        state: &State,
        count: c_uint,
        options: *mut CUjit_option,
        values: *mut *mut c_void,
    ) -> Answer<Logs> {
        let mut logs = Logs::default();
        if count > 0 && (options.is_null() || values.is_null()) {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        for index in 0..count as usize {
            // SAFETY: within `count` elements.
            let option = unsafe { options.add(index) };
            // SAFETY: as above, and valid for a read.
            let option = unsafe { option.read() };
            // SAFETY: within `count` elements.
            let slot = unsafe { values.add(index) };
            // SAFETY: as above, and valid for a read.
            let value = unsafe { slot.read() };
            state.require(since::JIT_OPTIONS, option.0)?;
            // Numbers travel in the pointers' place; these are of 32 bits.
            let number = value.addr() as u32;
            match option {
                Jit::CU_JIT_INFO_LOG_BUFFER => logs.info.bytes = value.cast(),
                Jit::CU_JIT_ERROR_LOG_BUFFER => logs.error.bytes = value.cast(),
                Jit::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES => {
                    (logs.info.size, logs.info.size_slot) = (number as usize, slot);
                }
                Jit::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES => {
                    (logs.error.size, logs.error.size_slot) = (number as usize, slot);
                }
                Jit::CU_JIT_LOG_VERBOSE => logs.verbose = number != 0,
                other if other.0 >= Jit::CU_JIT_NUM_OPTIONS.0 => {
                    return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
                }
                _ => {}
            }
        }
        Ok(logs)
    }

    /// # Safety
    ///
    /// The buffers are valid for writes of their sizes, and their slots for a write.
    unsafe fn write(&mut self, info: &str, error: &str) {
        // SAFETY: the caller's promise.
        unsafe { self.info.write(info) };
        // SAFETY: the caller's promise.
        unsafe { self.error.write(error) };
    }
}

impl Buffer {
    /// As much as fits, and a NUL; the slot gets the text's length, or the buffer's size if the text was cut
    /// (measured).
    ///
    /// # Safety
    ///
    /// See [`Logs::write`].
    unsafe fn write(&mut self, text: &str) {
        let Some(room) = self.size.checked_sub(1).filter(|_| !self.bytes.is_null()) else { return };
        let used = text.len().min(room);
        // SAFETY: `used` is less than the buffer's size.
        unsafe { self.bytes.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), used) };
        // SAFETY: within the buffer.
        let end = unsafe { self.bytes.add(used) };
        // SAFETY: within the buffer.
        unsafe { end.write(0) };
        if !self.size_slot.is_null() {
            // SAFETY: the caller's promise.
            unsafe { self.size_slot.write(core::ptr::without_provenance_mut(text.len().min(self.size))) };
        }
    }
}
