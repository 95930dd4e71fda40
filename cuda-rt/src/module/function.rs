//! Kernels of a module.

use super::Module;
use crate::context::Context;
use crate::error::{Code, InvalidArgument, Result};
use crate::kernel::{Kernel, KernelArgs, Parameter};
use core::fmt;
use cuda_sys::{CUfunction, CUfunction_attribute_enum as C};
use std::sync::Arc;

/// A kernel, without its types. [`typed`](Function::typed) gives it argument types.
#[doc(alias = "CUfunction")]
#[derive(Clone)]
pub struct Function {
    raw: CUfunction,
    name: Arc<str>,
    module: Module,
}

// SAFETY: a `CUfunction` names a part of a module, which the driver locks by itself.
unsafe impl Send for Function {}
// SAFETY: nothing is changed through `&Function`; the driver synchronises calls that share one.
unsafe impl Sync for Function {}

/// A property of a kernel: any number that some driver knows.
#[doc(alias = "CUfunction_attribute")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionAttribute(pub u32);

macro_rules! attributes {
    ($($name:ident = $constant:ident $c_name:literal, $meaning:literal;)*) => {
        impl FunctionAttribute {
            $(
                #[doc = concat!("The value is ", $meaning, ".")]
                #[doc(alias = $c_name)]
                pub const $name: Self = Self(C::$constant.0);
            )*
        }
    };
}
attributes! {
    MAX_THREADS_PER_BLOCK = CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK "CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK", "the most threads that a block of this kernel can have on its device";
    SHARED_SIZE_BYTES = CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES "CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES", "bytes of shared memory that the kernel declares";
    CONST_SIZE_BYTES = CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES "CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES", "bytes of constant memory that the kernel uses";
    LOCAL_SIZE_BYTES = CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES "CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES", "bytes of local memory that each thread uses";
    NUM_REGS = CU_FUNC_ATTRIBUTE_NUM_REGS "CU_FUNC_ATTRIBUTE_NUM_REGS", "registers that each thread uses";
    PTX_VERSION = CU_FUNC_ATTRIBUTE_PTX_VERSION "CU_FUNC_ATTRIBUTE_PTX_VERSION", "the virtual architecture that the kernel was compiled for, times ten: 75 for `sm_75`";
    BINARY_VERSION = CU_FUNC_ATTRIBUTE_BINARY_VERSION "CU_FUNC_ATTRIBUTE_BINARY_VERSION", "the real architecture that it was compiled for, times ten: 90 for `sm_90`";
    CACHE_MODE_CA = CU_FUNC_ATTRIBUTE_CACHE_MODE_CA "CU_FUNC_ATTRIBUTE_CACHE_MODE_CA", "1 if it was compiled with `-Xptxas --dlcm=ca`";
    MAX_DYNAMIC_SHARED_SIZE_BYTES = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES", "bytes of shared memory that a launch may ask for";
    PREFERRED_SHARED_MEMORY_CARVEOUT = CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT "CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT", "the share of level-1 cache wished for as shared memory, in percent, or -1";
    CLUSTER_SIZE_MUST_BE_SET = CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET "CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET", "1 if the kernel can only be launched in clusters";
    REQUIRED_CLUSTER_WIDTH = CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH "CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH", "the cluster's width that was compiled in, in blocks, or 0";
    REQUIRED_CLUSTER_HEIGHT = CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT "CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT", "the cluster's height that was compiled in, in blocks, or 0";
    REQUIRED_CLUSTER_DEPTH = CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH "CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH", "the cluster's depth that was compiled in, in blocks, or 0";
    NON_PORTABLE_CLUSTER_SIZE_ALLOWED = CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED "CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED", "1 if clusters may be larger than all devices allow";
    CLUSTER_SCHEDULING_POLICY_PREFERENCE = CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE "CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE", "how blocks of a cluster are spread: a `CUclusterSchedulingPolicy`";
}

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
        let mut value = 0;
        // SAFETY: `value` is valid for a write; the module keeps the function live; the attribute may
        // be any number.
        unsafe {
            check!(cuFuncGetAttribute(
                &raw mut value,
                cuda_sys::CUfunction_attribute_enum(attribute.0),
                self.raw
            ))
        }?;
        Ok(value)
    }

    /// Checks that the kernel takes as many parameters as `A` has, of the same sizes, and gives it
    /// these types. Wraps `cuFuncGetParamInfo`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument::ParameterCount`], [`InvalidArgument::ParameterSize`];
    /// [`Error::MissingSymbol`](crate::Error::MissingSymbol) on drivers before CUDA 12.4, which cannot
    /// be asked: there is [`typed_unchecked`](Function::typed_unchecked) for them.
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
    /// assert_eq!(error.to_string(), "parameter 1 of the kernel takes 4 bytes, `u64` has 8");
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuFuncGetParamInfo")]
    pub fn typed<A: KernelArgs>(&self) -> Result<Kernel<A>> {
        let mut given = A::parameters().into_iter();
        for index in 0.. {
            match (self.parameter_size(index)?, given.next()) {
                (None, None) => break,
                (Some(kernel), Some(parameter)) if kernel == parameter.size => {}
                (Some(kernel), Some(Parameter { size, name })) => {
                    let (given, given_type) = (size, name);
                    return Err(InvalidArgument::ParameterSize { index, kernel, given, given_type }.into());
                }
                (Some(_), None) | (None, Some(_)) => {
                    let kernel = self.parameter_count()?;
                    return Err(InvalidArgument::ParameterCount { kernel, given: A::COUNT }.into());
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
        let mut count = 0;
        while self.parameter_size(count)?.is_some() {
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
