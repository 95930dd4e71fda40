//! Functions: kernels that were looked up, and their attributes.

#![allow(unsafe_code)]

use crate::driver::handles::Handle;
use crate::driver::modules::module::{Module, find, name_of};
use crate::driver::processes::lasting_strings::forever;
use crate::driver::queues::legacy_launch::Prepared;
use crate::driver::rules::since;
use crate::driver::{Answer, Call, State, put, put_if_wanted};
use core::ffi::{c_char, c_int};
use cuda_sim_engine::Kernel;
use cuda_sys::{
    CUdevice, CUdevice_attribute_enum as DeviceAttribute, CUfunc_cache, CUfunction, CUfunction_attribute,
    CUfunction_attribute_enum as Attribute, CUfunctionLoadingState, CUmodule, CUresult, CUsharedconfig,
};

/// Kernel that was looked up.
pub(crate) struct Function {
    pub(crate) context: Handle,
    pub(crate) module: Handle,
    pub(crate) kernel: usize,
    /// Limit of the dynamic shared memory of a launch, in bytes.
    pub(crate) max_dynamic_shared: u32,
    /// Preferred share of the level-1 cache as shared memory, in percent, or -1.
    pub(crate) carveout: c_int,
    /// Cache preference.
    pub(crate) cache: CUfunc_cache,
    /// Cluster size that was set by attributes, in blocks. An extent that was not set is 0.
    cluster: [c_int; 3],
    /// True if clusters may be larger than the size that all devices support.
    pub(crate) non_portable: bool,
    scheduling: c_int,
    /// Parameters of the next launch by the legacy functions.
    pub(crate) prepared: Prepared,
    /// Settings of this function only, and not of its kernel in a library.
    own: Settings,
}

/// Settings of a kernel.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Settings {
    max_dynamic_shared: Option<u32>,
    carveout: Option<c_int>,
}

/// Property and its value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Setting {
    MaxDynamicShared(u32),
    Carveout(c_int),
}

impl Settings {
    pub(crate) fn set(&mut self, setting: Setting) {
        match setting {
            Setting::MaxDynamicShared(bytes) => self.max_dynamic_shared = Some(bytes),
            Setting::Carveout(percent) => self.carveout = Some(percent),
        }
    }

    /// Returns the limit of the dynamic shared memory in bytes, and the carveout in percent or -1.
    /// Settings that were not set have their defaults. `loaded` is false for a kernel of a library.
    pub(crate) fn values(
        &self,
        state: &State,
        device: CUdevice,
        kernel: &Kernel,
        loaded: bool,
    ) -> (u32, c_int) {
        let limit = |attribute| state.limit_of(device, attribute) as u32;
        let usual = limit(DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
        let most = limit(DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
        // If the static shared memory exceeds the default limit, a function may use the rest of the
        // opt-in limit (measured). For the kernel in a library, the value is 0 (conformance fact
        // V205).
        let room = if loaded && kernel.static_shared > usual { most } else { usual };
        let bytes = self.max_dynamic_shared.unwrap_or(room.saturating_sub(kernel.static_shared));
        (bytes, self.carveout.unwrap_or(-1))
    }
}

/// Largest portable cluster, in blocks. All devices with clusters support it.
pub(crate) const LARGEST_PORTABLE_CLUSTER: u64 = 8;
/// Largest non-portable cluster, in blocks.
pub(crate) const LARGEST_CLUSTER: u64 = 16;

impl Function {
    /// Returns the cluster size that the kernel declares, or else the one that was set, in blocks.
    /// An extent that was not set is 0.
    pub(crate) fn required_cluster(&self, kernel: &Kernel) -> Option<[u32; 3]> {
        let set = self.cluster.map(c_int::cast_unsigned);
        kernel.required_cluster.or((set != [0; 3]).then_some(set))
    }

    /// Returns the limit of the blocks in a cluster.
    fn most_in_cluster(&self, kernel: &Kernel, allows_large: Option<bool>) -> u64 {
        let allows_large = allows_large.unwrap_or(self.non_portable);
        let most = if allows_large { LARGEST_CLUSTER } else { LARGEST_PORTABLE_CLUSTER };
        kernel.max_cluster_rank.map_or(most, |rank| most.min(rank.into()))
    }

    /// Returns the cluster size of a launch in blocks, or `None` without clusters. No extent is 0.
    /// `given` is the size that the launch gives. If `allows_large` is `None`, the function decides
    /// whether non-portable sizes are allowed. Fails with `INVALID_CLUSTER_SIZE`.
    pub(crate) fn cluster_of(
        &self,
        kernel: &Kernel,
        given: Option<[u32; 3]>,
        allows_large: Option<bool>,
    ) -> Answer<Option<[u32; 3]>> {
        let refused = CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE;
        // Three zero extents are no size (measured).
        let given = given.filter(|given| *given != [0; 3]);
        let cluster = match (given, self.required_cluster(kernel)) {
            (Some(given), Some(required)) if given != required => return Err(refused),
            (None, None) if kernel.explicit_cluster => return Err(refused),
            (given, required) => given.or(required),
        };
        if let Some(cluster) = cluster {
            let blocks = cluster.into_iter().map(u64::from).fold(1, u64::saturating_mul);
            if blocks == 0 || blocks > self.most_in_cluster(kernel, allows_large) {
                return Err(refused);
            }
        }
        Ok(cluster)
    }

    /// Records a setting of the function itself.
    fn take(&mut self, setting: Setting) {
        self.own.set(setting);
        match setting {
            Setting::MaxDynamicShared(bytes) => self.max_dynamic_shared = bytes,
            Setting::Carveout(percent) => self.carveout = percent,
        }
    }

    /// Applies a setting of the library's kernel, unless the function has the same setting of its
    /// own (conformance fact V206).
    pub(crate) fn follow(&mut self, setting: Setting) {
        match setting {
            Setting::MaxDynamicShared(bytes) if self.own.max_dynamic_shared.is_none() => {
                self.max_dynamic_shared = bytes;
            }
            Setting::Carveout(percent) if self.own.carveout.is_none() => self.carveout = percent,
            _ => {}
        }
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_function(
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

/// Returns the function of a kernel, by name.
pub(crate) fn function_of(call: &mut Call<'_>, module: Handle, name: &str) -> Answer<Handle> {
    let found = find(call, module.pointer())?;
    let kernel = found.program.kernels().iter().position(|kernel| kernel.name == name);
    let kernel = kernel.ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
    let context = found.context;
    let existing =
        call.state.functions.iter().find(|(_, known)| known.module == module && known.kernel == kernel);
    Ok(match existing {
        // Each kernel has one handle, because its attributes are shared.
        Some((handle, _)) => handle,
        None => {
            let device = call.state.live_context(context)?.device;
            let settings = call.state.library_settings(module, name, device);
            let (max_dynamic_shared, carveout) =
                settings.values(call.state, device, &found.program.kernels()[kernel], true);
            let prepared = Prepared::new(&found.program.kernels()[kernel]);
            call.state.functions.insert(Function {
                context,
                module,
                kernel,
                max_dynamic_shared,
                carveout,
                cache: cuda_sys::CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_NONE,
                cluster: [0; 3],
                non_portable: false,
                scheduling: 0,
                prepared,
                own: Settings::default(),
            })
        }
    })
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn is_loaded(
    call: &mut Call<'_>,
    state: *mut CUfunctionLoadingState,
    function: CUfunction,
) -> Answer {
    call.function(function)?;
    // SAFETY: the program's promise.
    unsafe { put(state, cuda_sys::CUfunctionLoadingState_enum::CU_FUNCTION_LOADING_STATE_LOADED) }
}

pub(crate) fn load_function(call: &mut Call<'_>, function: CUfunction) -> Answer {
    call.function(function).map(drop)
}

/// Sets the cache preference, which affects occupancy only.
pub(crate) fn set_cache_config(call: &mut Call<'_>, function: CUfunction, config: CUfunc_cache) -> Answer {
    call.function(function)?;
    check_cache_config(config)?;
    if let Some(own) = call.state.functions.get_mut(Handle::of(function)) {
        own.cache = config;
    }
    Ok(())
}

pub(crate) fn check_cache_config(config: CUfunc_cache) -> Answer {
    let is_known = config.0 <= cuda_sys::CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_EQUAL.0;
    if is_known { Ok(()) } else { Err(CUresult::CUDA_ERROR_INVALID_VALUE) }
}

/// Accepts a configuration, which has no effect.
pub(crate) fn set_shared_config(call: &mut Call<'_>, function: CUfunction, config: CUsharedconfig) -> Answer {
    call.function(function)?;
    crate::driver::contexts::context::check_shared_config(config)
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_name(call: &mut Call<'_>, name: *mut *const c_char, function: CUfunction) -> Answer {
    refuse_null(function)?;
    let (_, _, kernel) = call.function(function)?;
    // SAFETY: the program's promise.
    unsafe { put(name, forever(&kernel.name).as_ptr()) }
}

/// Refuses a null function with the code of an invalid value, as some calls do (measured).
fn refuse_null(function: CUfunction) -> Answer {
    if function.is_null() { Err(CUresult::CUDA_ERROR_INVALID_VALUE) } else { Ok(()) }
}

impl Call<'_> {
    /// Returns a function and its kernel.
    pub(crate) fn function(&self, function: CUfunction) -> Answer<(&Function, &Module, &Kernel)> {
        let found = self.state.functions.get(Handle::of(function));
        let found = found.ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        let module = self.state.modules.get(found.module).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        Ok((found, module, &module.program.kernels()[found.kernel]))
    }

    /// Returns the limit of the threads in a block, from the device and the kernel's text. `.reqntid` is not a limit
    /// (measured).
    pub(crate) fn declared_threads(&self, function: &Function, kernel: &Kernel) -> u64 {
        let device = self.state.contexts.get(function.context).map_or(0, |context| context.device);
        self.state.declared_threads(device, kernel)
    }

    /// Returns the number of threads in a block for which there are registers.
    pub(crate) fn threads_with_registers(&self, function: &Function, kernel: &Kernel) -> u64 {
        let device = self.state.contexts.get(function.context).map_or(0, |context| context.device);
        self.state.threads_with_registers(device, kernel)
    }
}

impl State {
    fn declared_threads(&self, device: CUdevice, kernel: &Kernel) -> u64 {
        let threads = self.limit_of(device, DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
        let declared = kernel
            .max_threads
            .map(|declared| declared.into_iter().map(u64::from).fold(1, u64::saturating_mul));
        declared.map_or(threads, |declared| threads.min(declared))
    }

    fn threads_with_registers(&self, device: CUdevice, kernel: &Kernel) -> u64 {
        let most = self.limit_of(device, DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
        crate::driver::modules::occupancy::warps_with_registers(kernel, most)
            * crate::driver::modules::occupancy::WARP
    }
}

/// Returns a property of a kernel on a device with its settings.
pub(crate) fn attribute_of(
    state: &State,
    device: CUdevice,
    kernel: &Kernel,
    (max_dynamic_shared, carveout): (u32, c_int),
    attribute: CUfunction_attribute,
) -> Answer<c_int> {
    state.require(since::FUNCTION_ATTRIBUTES, attribute.0)?;
    let number = |attribute| state.limit_of(device, attribute) as c_int;
    let major = number(DeviceAttribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    let minor = number(DeviceAttribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    let threads = || state.declared_threads(device, kernel).min(state.threads_with_registers(device, kernel));
    let cluster = kernel.required_cluster.unwrap_or([0; 3]);
    Ok(match attribute {
        Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK => threads() as c_int,
        Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES => kernel.static_shared.cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES => kernel.const_bytes.cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES => kernel.local_bytes.cast_signed(),
        // An estimate, because the number of registers depends on the compiler for real devices.
        Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS => kernel.registers.cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_PTX_VERSION => kernel.target.cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_BINARY_VERSION => major.saturating_mul(10).saturating_add(minor),
        Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES => max_dynamic_shared.cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT => carveout,
        Attribute::CU_FUNC_ATTRIBUTE_CACHE_MODE_CA
        | Attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
        | Attribute::CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE => 0,
        Attribute::CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET => kernel.explicit_cluster.into(),
        Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH => cluster[0].cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT => cluster[1].cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH => cluster[2].cast_signed(),
        Attribute(number) => {
            return Err(state.lacking(since::FUNCTION_ATTRIBUTES, number, "function attribute"));
        }
    })
}

/// Checks a setting for a kernel on a device.
pub(crate) fn setting_of(
    state: &State,
    device: CUdevice,
    kernel: &Kernel,
    attribute: CUfunction_attribute,
    value: c_int,
) -> Answer<Setting> {
    state.require(since::FUNCTION_ATTRIBUTES, attribute.0)?;
    let limit =
        state.limit_of(device, DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    let most = limit.saturating_sub(u64::from(kernel.static_shared));
    match attribute {
        Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES => {
            let wanted = u32::try_from(value).ok().filter(|wanted| u64::from(*wanted) <= most);
            wanted.map(Setting::MaxDynamicShared).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
        }
        Attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT if (-1..=100).contains(&value) => {
            Ok(Setting::Carveout(value))
        }
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_attribute(
    call: &mut Call<'_>,
    value: *mut c_int,
    attribute: CUfunction_attribute,
    function: CUfunction,
) -> Answer {
    let (found, _, kernel) = call.function(function)?;
    let device = call.state.live_context(found.context)?.device;
    let settings = (found.max_dynamic_shared, found.carveout);
    let mut known = attribute_of(call.state, device, kernel, settings, attribute)?;
    // These are settings of functions only.
    let cluster = found.required_cluster(kernel).unwrap_or([0; 3]);
    match attribute {
        Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH => known = cluster[0].cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT => known = cluster[1].cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH => known = cluster[2].cast_signed(),
        Attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED => known = found.non_portable.into(),
        Attribute::CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE => known = found.scheduling,
        _ => {}
    }
    // SAFETY: the program's promise.
    unsafe { put(value, known) }
}

pub(crate) fn set_attribute(
    call: &mut Call<'_>,
    function: CUfunction,
    attribute: CUfunction_attribute,
    value: c_int,
) -> Answer {
    let (found, _, kernel) = call.function(function)?;
    call.state.require(since::FUNCTION_ATTRIBUTES, attribute.0)?;
    let device = call.state.live_context(found.context)?.device;
    let setting = setting_of(call.state, device, kernel, attribute, value);
    let (compiled, rank) = (kernel.required_cluster, kernel.max_cluster_rank);
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    let own =
        call.state.functions.get_mut(Handle::of(function)).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    let axis = attribute.0.wrapping_sub(Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH.0) as usize;
    // As measured.
    match attribute {
        Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        | Attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT => own.take(setting?),
        Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH
        | Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT
        | Attribute::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH => {
            let wanted = u32::try_from(value).map_err(|_| invalid)?;
            let extent = own.cluster.get_mut(axis).ok_or(invalid)?;
            // A compiled size cannot change, but may be set again.
            let fits = match compiled {
                Some(compiled) => compiled.get(axis) == Some(&wanted),
                None => rank.is_none_or(|rank| wanted <= rank),
            };
            if !fits {
                return Err(invalid);
            }
            *extent = value;
        }
        Attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED => own.non_portable = value != 0,
        Attribute::CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE if (0..=2).contains(&value) => {
            own.scheduling = value;
        }
        Attribute::CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE => {
            return Err(call.state.lacking(since::FUNCTION_ATTRIBUTES, attribute.0, "function attribute"));
        }
        _ => return Err(invalid),
    }
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_param_count(call: &mut Call<'_>, function: CUfunction, to: *mut usize) -> Answer {
    let (_, _, kernel) = call.function(function)?;
    let count = kernel.params.len();
    // SAFETY: the program's promise.
    unsafe { put(to, count) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_param_info(
    call: &mut Call<'_>,
    function: CUfunction,
    index: usize,
    offset: *mut usize,
    size: *mut usize,
) -> Answer {
    refuse_null(function)?;
    let (_, _, kernel) = call.function(function)?;
    // After the last parameter, the result is INVALID_VALUE and nothing is written (measured).
    let param = kernel.params.get(index).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let (at, bytes) = (param.offset as usize, param.size as usize);
    // SAFETY: the program's promise.
    unsafe { put(offset, at) }?;
    // SAFETY: the program's promise; the size may be null.
    unsafe { put_if_wanted(size, bytes) };
    Ok(())
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn get_module(call: &mut Call<'_>, module: *mut CUmodule, function: CUfunction) -> Answer {
    let (found, _, _) = call.function(function)?;
    // SAFETY: the program's promise.
    unsafe { put(module, found.module.pointer()) }
}
