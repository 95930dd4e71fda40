//! Kernels of a library.

#![allow(unsafe_code)]

use super::{Function, Library, missing};
use crate::context::{CacheConfig, Context};
use crate::device::Device;
use crate::error::{Code, ErrorKind, OrDetail, Result};
use crate::handle::{ensure_not_in_host_function, is_forked_child};
use crate::module::function::{grow, parameters_of_kernel};
use crate::module::{FunctionAttribute, ParameterInfo};
use core::ffi::CStr;
use core::fmt;
use core::ptr::null;
use cuda_sys::{CUfunction_attribute_enum, CUkernel, Symbol};
use std::sync::Arc;

/// A kernel of a [`Library`]. It belongs to no context, and becomes a [`Function`] in each context that uses it.
///
/// An attribute that is set for a device holds for the kernel's functions in all contexts of the device, also for existing ones.
/// An attribute that was set for one [`Function`] has precedence.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::Device;
/// use cuda_rt::module::{FunctionAttribute, Library};
///
/// let library = Library::from_ptx(".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }")?;
/// let nothing = library.kernel("nothing")?;
/// drop(library); // the kernel keeps the library alive
/// assert_eq!(nothing.attribute(Device::get(1)?, FunctionAttribute::SHARED_SIZE_BYTES)?, 0);
/// assert_eq!(nothing.function(&context)?.name(), "nothing");
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUkernel")]
#[derive(Clone)]
pub struct LibraryKernel {
    /// `None` if the driver does not support libraries.
    raw: Option<CUkernel>,
    name: Arc<str>,
    library: Library,
}

// SAFETY: a `CUkernel` names a part of a library, which the driver locks by itself.
unsafe impl Send for LibraryKernel {}
// SAFETY: the driver synchronises calls that share a kernel, including calls that set its attributes.
unsafe impl Sync for LibraryKernel {}

impl LibraryKernel {
    pub(super) fn new(raw: Option<CUkernel>, name: &str, library: &Library) -> LibraryKernel {
        LibraryKernel { raw, name: name.into(), library: library.clone() }
    }

    /// Returns a kernel of this library. Queries its name.
    pub(super) fn of(raw: CUkernel, library: &Library) -> Result<LibraryKernel> {
        let mut name = null();
        // SAFETY: `name` is valid for a write, and the kernel is one of the library, which is live.
        unsafe { check!(cuKernelGetName(&raw mut name, raw)) }?;
        let name = if name.is_null() {
            String::new()
        } else {
            // SAFETY: the driver has given a C string that lives as long as the library.
            unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
        };
        Ok(LibraryKernel::new(Some(raw), &name, library))
    }

    /// Returns the name by which the kernel was looked up, or the name that the driver reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the library of the kernel.
    #[doc(alias = "cuKernelGetLibrary")]
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Returns the raw handle, which is valid as long as the library is loaded. `None` on drivers before CUDA 12.0.
    pub fn as_raw(&self) -> Option<CUkernel> {
        self.raw
    }

    /// Returns the kernel in a context, as a function to launch. Loads the code in the context if necessary. Wraps
    /// `cuLibraryGetModule` and `cuKernelGetFunction`.
    ///
    /// The function keeps the library and the context alive.
    ///
    /// # Blocking
    ///
    /// For the first use of the library in a context, until the code is loaded there, which waits until the context is idle.
    ///
    /// # Errors
    ///
    /// - Same as [`Library::module`].
    /// - Before CUDA 12.0, same as [`Module::function`](crate::Module::function).
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::module::Library;
    /// # let library = Library::from_ptx(".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }")?;
    /// let function = library.kernel("nothing")?.function(&context)?;
    /// assert_eq!(function.context(), &context);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuLibraryGetModule")]
    #[doc(alias = "cuKernelGetFunction")]
    pub fn function(&self, context: &Context) -> Result<Function> {
        // Called before the context is current, because a hook may run.
        let module = self.library.module(context)?;
        let _bound = context.bind(Symbol::cuKernelGetFunction)?;
        let Some(kernel) = self.raw else { return module.function(&self.name) };
        let mut raw = core::ptr::null_mut();
        // SAFETY: `raw` is valid for a write, the library keeps the kernel live, and the context is current.
        unsafe { check!(cuKernelGetFunction(&raw mut raw, kernel)) }?;
        Ok(Function::new(raw, &self.name, &module))
    }

    /// Returns the places of the kernel's parameters, in order. Wraps `cuKernelGetParamInfo`. On drivers for CUDA 13.2
    /// or newer, also wraps `cuKernelGetParamCount`, which was not run on hardware.
    ///
    /// The driver loads the code in the context if necessary. On drivers before CUDA 12.4, the method calls
    /// [`Function::parameters`] of the [`function`](LibraryKernel::function).
    ///
    /// # Blocking
    ///
    /// Same as [`function`](LibraryKernel::function).
    ///
    /// # Errors
    ///
    /// Same as [`function`](LibraryKernel::function), and on drivers before CUDA 12.4 also [`Function::parameters`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64
    /// #     .visible .entry scale(.param .u32 n, .param .u64 data) { ret; }";
    /// use cuda_rt::module::{Library, ParameterInfo};
    ///
    /// let scale = Library::from_ptx(ptx)?.kernel("scale")?; // (unsigned n, float *data)
    /// let expected = [ParameterInfo { offset: 0, size: 4 }, ParameterInfo { offset: 8, size: 8 }];
    /// assert_eq!(scale.parameters(&context)?, expected);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuKernelGetParamInfo", "cuKernelGetParamCount"))]
    pub fn parameters(&self, context: &Context) -> Result<Vec<ParameterInfo>> {
        if let Some(kernel) = self.raw {
            let _bound = context.bind(Symbol::cuKernelGetParamInfo)?;
            // SAFETY: the library keeps the kernel live, and the context is current.
            match unsafe { parameters_of_kernel(kernel) } {
                Err(error) if error.kind() == ErrorKind::FunctionMissing => {}
                told => return told,
            }
        }
        self.function(context)?.parameters()
    }

    /// Returns one attribute of the kernel on a device. Needs no context. Wraps `cuKernelGetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the attribute.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.0. Use
    ///   [`Function::attribute`] there.
    #[doc(alias = "cuKernelGetAttribute")]
    pub fn attribute(&self, device: Device, attribute: FunctionAttribute) -> Result<i32> {
        let kernel = self.known_to(Symbol::cuKernelGetAttribute)?;
        let (mut value, number) = (0, CUfunction_attribute_enum(attribute.0));
        // SAFETY: `value` is valid for a write; the library keeps the kernel live; attribute and device may be any number.
        unsafe { check!(cuKernelGetAttribute(&raw mut value, number, kernel, device.as_raw())) }
            .or_detail(&[Code::InvalidValue], &|| format!("attribute {attribute}"))?;
        Ok(value)
    }

    /// Sets the largest amount of dynamic shared memory that launches on a device may request, in bytes. A launch whose declared
    /// and dynamic shared memory together are more than 48 KiB needs it.
    ///
    /// The limit only grows: a smaller value changes nothing, because other code may rely on the limit. Wraps
    /// `cuKernelSetAttribute` with [`FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES`].
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: same as for [`Function::set_max_dynamic_shared_bytes`]. The error names the attribute
    ///   and the value, but not the limit.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.0. Use that method
    ///   there.
    ///
    /// # Examples
    ///
    /// ```
    /// # let context = cuda_doc::context()?;
    /// # use cuda_rt::module::Library;
    /// # let library = Library::from_ptx(".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }")?;
    /// use cuda_rt::module::FunctionAttribute;
    ///
    /// let nothing = library.kernel("nothing")?;
    /// nothing.set_max_dynamic_shared_bytes(context.device(), 100 << 10)?;
    /// let function = nothing.function(&context)?;
    /// assert_eq!(function.attribute(FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES)?, 100 << 10);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuKernelSetAttribute", "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"))]
    pub fn set_max_dynamic_shared_bytes(&self, device: Device, bytes: u32) -> Result<()> {
        const ALLOWED: CUfunction_attribute_enum =
            CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let kernel = self.known_to(Symbol::cuKernelSetAttribute)?;
        ensure_not_in_host_function(Symbol::cuKernelSetAttribute)?;
        if is_forked_child() {
            // The thread that held the lock does not exist in this process, and the driver refuses the call: it says why.
            return self.set(device, FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes.into());
        }
        grow(
            || {
                let mut allowed = 0;
                // SAFETY: `allowed` is valid for a write; the library keeps the kernel live; the device may be any number.
                unsafe { check!(cuKernelGetAttribute(&raw mut allowed, ALLOWED, kernel, device.as_raw())) }?;
                Ok(allowed)
            },
            bytes,
            // SAFETY: as above; the driver refuses values that it cannot have.
            |value| unsafe { check!(cuKernelSetAttribute(ALLOWED, value, kernel, device.as_raw())) },
        )
        .or_detail(&[Code::InvalidValue], &|| {
            FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES.describe_value(bytes.into())
        })
    }

    /// Sets the preferred share of shared memory in the level-1 cache, in percent. `None` leaves the share to the driver. Wraps
    /// `cuKernelSetAttribute` with [`FunctionAttribute::PREFERRED_SHARED_MEMORY_CARVEOUT`].
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the value is above 100.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.0.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// # use cuda_rt::module::Library;
    /// # let library = Library::from_ptx(".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }")?;
    /// library.kernel("nothing")?.set_shared_memory_carveout(Device::get(0)?, Some(50))?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuKernelSetAttribute", "CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT"))]
    pub fn set_shared_memory_carveout(&self, device: Device, percent: Option<u8>) -> Result<()> {
        self.set(device, FunctionAttribute::PREFERRED_SHARED_MEMORY_CARVEOUT, percent.map_or(-1, i64::from))
    }

    /// Sets the preference between shared memory and level-1 cache on a device. Wraps `cuKernelSetCacheConfig`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the preference.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.0.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// # use cuda_rt::module::Library;
    /// # let library = Library::from_ptx(".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }")?;
    /// use cuda_rt::context::CacheConfig;
    ///
    /// library.kernel("nothing")?.set_cache_config(Device::get(0)?, CacheConfig::PreferShared)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuKernelSetCacheConfig")]
    pub fn set_cache_config(&self, device: Device, config: CacheConfig) -> Result<()> {
        let kernel = self.known_to(Symbol::cuKernelSetCacheConfig)?;
        // SAFETY: the library keeps the kernel live; configuration and device may be any number.
        unsafe { check!(cuKernelSetCacheConfig(kernel, config.as_raw(), device.as_raw())) }
            .or_detail(&[Code::InvalidValue, Code::InvalidDevice], &|| {
                format!("setting {}, device {}", config.as_raw().0, device.as_raw())
            })
    }

    /// Sets any attribute for a device. Wraps `cuKernelSetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the attribute cannot be set, or not to this value.
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 12.0.
    ///
    /// # Safety
    ///
    /// Same as [`Function::set_attribute`], for all code that launches this kernel on the device.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # use cuda_rt::Device;
    /// # use cuda_rt::module::{FunctionAttribute, Library};
    /// # let library = Library::from_ptx(".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }")?;
    /// let (nothing, device) = (library.kernel("nothing")?, Device::get(0)?);
    /// // SAFETY: how much shared memory a launch may ask for changes nothing for the others.
    /// unsafe { nothing.set_attribute(device, FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuKernelSetAttribute")]
    pub unsafe fn set_attribute(
        &self,
        device: Device,
        attribute: FunctionAttribute,
        value: i32,
    ) -> Result<()> {
        self.set(device, attribute, value.into())
    }

    fn set(&self, device: Device, attribute: FunctionAttribute, value: i64) -> Result<()> {
        let kernel = self.known_to(Symbol::cuKernelSetAttribute)?;
        let number = CUfunction_attribute_enum(attribute.0);
        // A value that does not fit becomes a number that the driver refuses.
        let fitting = i32::try_from(value).unwrap_or(i32::MIN);
        // SAFETY: the library keeps the kernel live; attribute, value and device may be any numbers.
        unsafe { check!(cuKernelSetAttribute(number, fitting, kernel, device.as_raw())) }
            .or_detail(&[Code::InvalidValue], &|| attribute.describe_value(value))
    }

    /// Returns the raw handle, for a function that drivers without libraries lack.
    fn known_to(&self, symbol: Symbol) -> Result<CUkernel> {
        self.raw.ok_or_else(|| missing(symbol))
    }
}

impl fmt::Debug for LibraryKernel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("LibraryKernel")
            .field("name", &self.name)
            .field("library", &self.library)
            .finish()
    }
}
