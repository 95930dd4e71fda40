//! What can be asked and set of a kernel.

#![allow(unsafe_code)]

use super::Function;
use crate::device::DeviceAttribute;
use crate::error::{Code, OrDetail, Result};
use crate::module::FunctionAttribute;
use cuda_sys::{CUfunction_attribute_enum, Symbol};
use std::sync::{Mutex, PoisonError};

impl Function {
    /// One property. Wraps `cuFuncGetAttribute`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] if this driver does not know the attribute.
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

    /// Allows launches of this kernel to ask for up to so much dynamic shared memory, in bytes: needed above 48 KiB. It
    /// holds for all who use this kernel of this module, and only grows: where more is allowed already, that stays.
    /// Wraps `cuFuncSetAttribute` with [`FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES`].
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] above what the device has for a block
    /// ([`DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN`]) less what the kernel declares; the error names both.
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

    /// What the kernel asks for, and what there is, as far as the driver tells.
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

    /// Wishes for a share of the level-1 cache as shared memory, in percent; `None` leaves it to the driver. It holds
    /// for all who use this kernel of this module. Wraps `cuFuncSetAttribute` with
    /// [`FunctionAttribute::PREFERRED_SHARED_MEMORY_CARVEOUT`].
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] above 100.
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

    /// Sets any property, for all who use this kernel of this module. Wraps `cuFuncSetAttribute`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] if the property [cannot be set](FunctionAttribute::is_settable), or not to this value.
    ///
    /// # Safety
    ///
    /// Whoever launches this kernel answers for what it does; a property that changes that, such as the size of its
    /// clusters, must be known to all of them.
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
        // What does not fit becomes a number that the driver refuses.
        let fitting = i32::try_from(value).unwrap_or(i32::MIN);
        // SAFETY: the module keeps the function live; the attribute may be any number.
        unsafe { check!(cuFuncSetAttribute(self.raw, number, fitting)) }
            .or_detail(&[Code::InvalidValue], &|| attribute.describe_value(value))
    }
}

const ALLOWED: CUfunction_attribute_enum =
    CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;

/// Sets how much dynamic shared memory a kernel may ask for, unless that is more already. Not to be called in the child of a
/// fork, where a thread that is not there may hold the lock. Neither function may run a program's code, such as its hook for
/// errors.
pub(in crate::module) fn grow(
    allowed: impl FnOnce() -> Result<i32>,
    bytes: u32,
    set: impl FnOnce(i32) -> Result<()>,
) -> Result<()> {
    /// Between looking and setting nobody else may set more, which would be taken back.
    static GROWING: Mutex<()> = Mutex::new(());
    let _growing = GROWING.lock().unwrap_or_else(PoisonError::into_inner);
    if u32::try_from(allowed()?).is_ok_and(|allowed| bytes <= allowed) {
        return Ok(());
    }
    // What does not fit becomes a number that the driver refuses.
    set(i32::try_from(bytes).unwrap_or(i32::MIN))
}
