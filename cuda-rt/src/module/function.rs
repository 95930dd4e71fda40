//! Kernels of a module.

#![allow(unsafe_code)]

use super::{FunctionAttribute, Module};
use crate::context::Context;
use crate::error::{Code, Detail, Detailed, Error, Result};
use crate::kernel::{Kernel, KernelArgs, Parameter, SignatureMismatch};
use core::fmt;
use cuda_sys::{CUfunction, CUfunction_attribute_enum};
use std::sync::Arc;

/// A kernel, without its types. [`typed`](Function::typed) gives it argument types.
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
/// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
/// use cuda_rt::FunctionAttribute;
///
/// let function = module.function("nothing")?;
/// drop(module); // the function keeps it
/// println!("{}: {} registers", function.name(), function.attribute(FunctionAttribute::NUM_REGS)?);
/// let kernel = function.typed::<()>()?;
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUfunction")]
#[derive(Clone)]
pub struct Function {
    raw: CUfunction,
    name: Arc<str>,
    module: Module,
}

// SAFETY: a `CUfunction` names a part of a module, which the driver locks by itself.
unsafe impl Send for Function {}
// SAFETY: the driver synchronises calls that share a function, those that set its properties too.
unsafe impl Sync for Function {}

impl Function {
    pub(super) fn new(raw: CUfunction, name: &str, module: &Module) -> Function {
        Function { raw, name: name.into(), module: module.clone() }
    }

    /// The name that it was looked up by.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # let function = module.function("nothing")?;
    /// assert_eq!(function.name(), "nothing");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The module that it is part of.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # let function = module.function("nothing")?;
    /// assert_eq!(function.module().as_raw(), module.as_raw());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuFuncGetModule")]
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The context that it is loaded in.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # let function = module.function("nothing")?;
    /// assert_eq!(function.context(), &context);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn context(&self) -> &Context {
        self.module.context()
    }

    /// The handle. It is good as long as the module is loaded.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # let function = module.function("nothing")?;
    /// assert!(!function.as_raw().is_null());
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub fn as_raw(&self) -> CUfunction {
        self.raw
    }

    /// One property. Wraps `cuFuncGetAttribute`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] if this driver does not know the attribute.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::FunctionAttribute;
    ///
    /// let nothing = module.function("nothing")?;
    /// assert_eq!(nothing.attribute(FunctionAttribute::SHARED_SIZE_BYTES)?, 0);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuFuncGetAttribute")]
    pub fn attribute(&self, attribute: FunctionAttribute) -> Result<i32> {
        let _bound = self.context().bind()?;
        let (mut value, number) = (0, CUfunction_attribute_enum(attribute.0));
        // SAFETY: `value` is valid for a write; the module keeps the function live; the attribute may
        // be any number.
        unsafe { check!(cuFuncGetAttribute(&raw mut value, number, self.raw)) }
            .detailed(Code::InvalidValue, || Detail::FunctionAttribute(attribute))?;
        Ok(value)
    }

    /// Allows launches of this kernel to ask for up to so much dynamic shared memory, in bytes: needed above 48 KiB. It
    /// holds for all who use this kernel of this module. Wraps `cuFuncSetAttribute` with
    /// [`FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES`].
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`] above what the device has for a block
    /// ([`DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN`](crate::DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN))
    /// less what the kernel declares.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # let stream = cuda_rt::Stream::new(&context)?;
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
        self.set(FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes.into())
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
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::FunctionAttribute;
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
    /// [`Code::InvalidValue`] if the property cannot be set, or not to this value.
    ///
    /// # Safety
    ///
    /// Whoever launches this kernel answers for what it does; a property that changes that, such as the size of its
    /// clusters, must be known to all of them.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::FunctionAttribute;
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

    fn set(&self, attribute: FunctionAttribute, value: i64) -> Result<()> {
        let _bound = self.context().bind()?;
        let number = CUfunction_attribute_enum(attribute.0);
        // What does not fit becomes a number that the driver refuses.
        let fitting = i32::try_from(value).unwrap_or(i32::MIN);
        // SAFETY: the module keeps the function live; the attribute may be any number.
        unsafe { check!(cuFuncSetAttribute(self.raw, number, fitting)) }
            .detailed(Code::InvalidValue, || Detail::FunctionAttributeValue(attribute, value))
    }

    /// Checks that the kernel takes as many parameters as `A` has, of the same sizes, and gives it
    /// these types. Wraps `cuFuncGetParamInfo`.
    ///
    /// # Errors
    ///
    /// [`Error::Signature`]; [`Error::MissingSymbol`] on drivers before CUDA 12.4, which cannot be asked: there is
    /// [`typed_unchecked`](Function::typed_unchecked) for them.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64
    /// #     .visible .entry scale(.param .u64 data, .param .u32 n) { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// use cuda_rt::DevicePtr;
    ///
    /// let scale = module.function("scale")?; // (float *data, unsigned n)
    /// scale.typed::<(DevicePtr<f32>, u32)>()?;
    /// let error = scale.typed::<(DevicePtr<f32>, u64)>().unwrap_err();
    /// assert_eq!(error.to_string(), "kernel `scale`: parameter 1 takes 4 bytes, `u64` has 8");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuFuncGetParamInfo")]
    pub fn typed<A: KernelArgs>(&self) -> Result<Kernel<A>> {
        let mut given = A::parameters().into_iter();
        for index in 0.. {
            match (self.parameter_size(index)?, given.next()) {
                (None, None) => break,
                (Some(kernel), Some(parameter)) if kernel == parameter.size => {}
                (Some(kernel), Some(Parameter { size, name, .. })) => {
                    let (given, given_type) = (size, name);
                    return Err(self.mismatch(SignatureMismatch::Size { index, kernel, given, given_type }));
                }
                (Some(_), None) | (None, Some(_)) => {
                    let kernel = self.parameter_count()?;
                    return Err(self.mismatch(SignatureMismatch::Count { kernel, given: A::COUNT }));
                }
            }
        }
        Ok(Kernel::new(self.clone()))
    }

    /// Gives the kernel these argument types without asking the driver.
    ///
    /// # Safety
    ///
    /// The kernel takes as many parameters as `A` has, and of the same sizes.
    ///
    /// # Examples
    ///
    /// ```
    /// # cuda_sim::install_once();
    /// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
    /// # let ptx = ".version 6.4 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }";
    /// # let module = cuda_rt::Module::from_ptx(&context, ptx)?;
    /// # let function = module.function("nothing")?;
    /// // SAFETY: `nothing` takes no parameters.
    /// let kernel = unsafe { function.typed_unchecked::<()>() };
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    pub unsafe fn typed_unchecked<A: KernelArgs>(&self) -> Kernel<A> {
        Kernel::new(self.clone())
    }

    #[cold]
    fn mismatch(&self, mismatch: SignatureMismatch) -> Error {
        Error::Signature { kernel: self.name().into(), mismatch }
    }

    /// The size of a parameter in bytes; `None` after the last.
    fn parameter_size(&self, index: usize) -> Result<Option<usize>> {
        let _bound = self.context().bind()?;
        let (mut offset, mut size) = (0, 0);
        // SAFETY: both are valid for a write; the module keeps the function live.
        let asked = unsafe { check!(cuFuncGetParamInfo(self.raw, index, &raw mut offset, &raw mut size)) };
        match asked {
            Ok(()) => Ok(Some(size)),
            // Measured: this is how the driver says that there are no more.
            Err(error) if error.code() == Some(Code::InvalidValue) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn parameter_count(&self) -> Result<usize> {
        /// No kernel takes more bytes of parameters (CUDA 12.1 and newer; 4096 before).
        const MOST: usize = 32764;
        let mut count = 0;
        while count < MOST && self.parameter_size(count)?.is_some() {
            count += 1;
        }
        Ok(count)
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Function").field("name", &self.name).field("module", &self.module).finish()
    }
}
