//! Attributes of kernels.

#![allow(unsafe_code)]

use super::Function;
use crate::device::DeviceAttribute;
use crate::error::{Code, OrDetail, Result};
use crate::module::FunctionAttribute;
use cuda_sys::{CUfunction_attribute_enum, Symbol};
use std::sync::{Mutex, PoisonError};

impl Function {
    /// Returns one attribute. Wraps `cuFuncGetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the driver does not know the attribute.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// use cuda_rt::module::FunctionAttribute;
    ///
    /// let nothing = module.function("nothing")?;
    /// assert_eq!(nothing.attribute(FunctionAttribute::SHARED_SIZE_BYTES)?, 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuFuncGetAttribute")]
    pub fn attribute(&self, attribute: FunctionAttribute) -> Result<i32> {
        let _bound = self.context().bind(Symbol::cuFuncGetAttribute)?;
        let (mut value, number) = (0, CUfunction_attribute_enum(attribute.0));
        // SAFETY: `value` is valid for a write; the module keeps the function live; the attribute may
        // be any number.
        unsafe { check!(cuFuncGetAttribute(&raw mut value, number, self.raw)) }
            .or_detail(&[Code::InvalidValue], &|| format!("attribute {attribute}"))?;
        Ok(value)
    }

    /// Sets the largest amount of dynamic shared memory that launches may request, in bytes. A launch whose declared and dynamic
    /// shared memory together are more than 48 KiB needs it.
    ///
    /// The limit holds for all users of this kernel of this module. It only grows: a smaller value changes nothing. Wraps
    /// `cuFuncSetAttribute` with [`FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES`].
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the value exceeds the shared memory of a block
    ///   ([`DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN`]) less the memory that the kernel declares. The error
    ///   names both.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, stream, module) = cuda_doc::module()?;
    /// use cuda_rt::LaunchConfig;
    ///
    /// let nothing = module.function("nothing")?.typed::<()>()?;
    /// let config = LaunchConfig::new(1, 32).with_shared_bytes(100 << 10);
    /// // SAFETY: the kernel touches nothing.
    /// assert!(unsafe { nothing.launch(config, &stream, ()) }.is_err());
    /// nothing.function().set_max_dynamic_shared_bytes(100 << 10)?;
    /// // SAFETY: as above.
    /// unsafe { nothing.launch(config, &stream, ()) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuFuncSetAttribute", "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"))]
    pub fn set_max_dynamic_shared_bytes(&self, bytes: u32) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuFuncGetAttribute)?;
        grow(
            || {
                let mut allowed = 0;
                // SAFETY: `allowed` is valid for a write; the module keeps the function live, and its context is current.
                unsafe { check!(cuFuncGetAttribute(&raw mut allowed, ALLOWED, self.raw)) }?;
                Ok(allowed)
            },
            bytes,
            // SAFETY: as above; the driver refuses values that it cannot have.
            |value| unsafe { check!(cuFuncSetAttribute(self.raw, ALLOWED, value)) },
        )
        .or_detail(&[Code::InvalidValue], &|| self.describe_shared_memory(bytes))
    }

    /// Describes the requested and the available shared memory, as far as the driver reports them.
    fn describe_shared_memory(&self, dynamic: u32) -> String {
        let mut text = format!("{dynamic} bytes of dynamic shared memory");
        if let Some(declared) = self.shared_size_bytes().ok().filter(|declared| *declared != 0) {
            text += &format!(" besides {declared} declared");
        }
        let device = self.context().device().attribute(DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
        if let Ok(device) = device {
            text += &format!(", where the device has {device} for a block");
        }
        text
    }

    /// Sets the preferred share of shared memory in the level-1 cache, in percent. `None` leaves the share to the driver.
    ///
    /// The preference holds for all users of this kernel of this module. Wraps `cuFuncSetAttribute` with
    /// [`FunctionAttribute::PREFERRED_SHARED_MEMORY_CARVEOUT`].
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the value is above 100.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// use cuda_rt::module::FunctionAttribute;
    ///
    /// let nothing = module.function("nothing")?;
    /// nothing.set_shared_memory_carveout(Some(50))?;
    /// assert_eq!(nothing.attribute(FunctionAttribute::PREFERRED_SHARED_MEMORY_CARVEOUT)?, 50);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("cuFuncSetAttribute", "CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT"))]
    pub fn set_shared_memory_carveout(&self, percent: Option<u8>) -> Result<()> {
        self.set(FunctionAttribute::PREFERRED_SHARED_MEMORY_CARVEOUT, percent.map_or(-1, i64::from))
    }

    /// Sets any attribute, for all users of this kernel of this module. Wraps `cuFuncSetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`]: the attribute [cannot be set](FunctionAttribute::is_settable), or not to this value.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// The code that launches this kernel is responsible for its effects. If an attribute changes the effects, such as the size
    /// of its clusters, all code that launches the kernel must know it.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// use cuda_rt::module::FunctionAttribute;
    ///
    /// let nothing = module.function("nothing")?;
    /// // SAFETY: how much shared memory a launch may ask for changes nothing for the others.
    /// unsafe { nothing.set_attribute(FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024) }?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuFuncSetAttribute")]
    pub unsafe fn set_attribute(&self, attribute: FunctionAttribute, value: i32) -> Result<()> {
        self.set(attribute, value.into())
    }

    pub(super) fn set(&self, attribute: FunctionAttribute, value: i64) -> Result<()> {
        let _bound = self.context().bind(Symbol::cuFuncSetAttribute)?;
        let number = CUfunction_attribute_enum(attribute.0);
        // A value that does not fit becomes a number that the driver refuses.
        let fitting = i32::try_from(value).unwrap_or(i32::MIN);
        // SAFETY: the module keeps the function live; the attribute may be any number.
        unsafe { check!(cuFuncSetAttribute(self.raw, number, fitting)) }
            .or_detail(&[Code::InvalidValue], &|| attribute.describe_value(value))
    }
}

const ALLOWED: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;

/// Raises the limit of dynamic shared memory of a kernel, unless it is higher already. Must not be called in the child of a fork:
/// a thread that does not exist there may hold the lock. Neither closure may run code of the program, such as its hook for
/// errors.
pub(in crate::module) fn grow(
    allowed: impl FnOnce() -> Result<i32>,
    bytes: u32,
    set: impl FnOnce(i32) -> Result<()>,
) -> Result<()> {
    /// Between the query and the change no other thread may raise the limit, because the change would lower it again.
    static GROWING: Mutex<()> = Mutex::new(());
    let _growing = GROWING.lock().unwrap_or_else(PoisonError::into_inner);
    if u32::try_from(allowed()?).is_ok_and(|allowed| bytes <= allowed) {
        return Ok(());
    }
    // A value that does not fit becomes a number that the driver refuses.
    set(i32::try_from(bytes).unwrap_or(i32::MIN))
}
