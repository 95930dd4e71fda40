//! Properties of kernels.

use super::Function;
use crate::error::Result;
use core::fmt;
use cuda_sys::CUfunction_attribute_enum as C;

/// A property of a kernel: any number that some driver knows.
///
/// ```
/// use cuda_rt::FunctionAttribute;
///
/// assert_eq!(FunctionAttribute::NUM_REGS.to_string(), "NUM_REGS");
/// assert_eq!(FunctionAttribute(999).to_string(), "FunctionAttribute(999)");
/// assert!(FunctionAttribute::all().len() >= 18);
/// ```
#[doc(alias = "CUfunction_attribute")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionAttribute(pub u32);

impl fmt::Display for FunctionAttribute {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.iter().find(|(attribute, _)| attribute == self) {
            Some((_, name)) => formatter.pad(name),
            None => write!(formatter, "FunctionAttribute({})", self.0),
        }
    }
}

impl fmt::Debug for FunctionAttribute {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FunctionAttribute {
    /// For errors: this attribute, set to a value.
    #[cold]
    pub(super) fn describe_value(self, value: i64) -> String {
        let named = FunctionAttribute::all().any(|known| known == self);
        let read_only = if named && !self.is_settable() { ": it can only be read" } else { "" };
        format!("attribute {self}, value {value}{read_only}")
    }

    /// Whether the documentation of CUDA 13.5 says that it can be set. All others can only be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::FunctionAttribute;
    ///
    /// assert!(FunctionAttribute::PREFERRED_SHARED_MEMORY_CARVEOUT.is_settable());
    /// assert!(!FunctionAttribute::NUM_REGS.is_settable());
    /// ```
    pub const fn is_settable(self) -> bool {
        matches!(
            self,
            Self::MAX_DYNAMIC_SHARED_SIZE_BYTES
                | Self::PREFERRED_SHARED_MEMORY_CARVEOUT
                | Self::REQUIRED_CLUSTER_WIDTH
                | Self::REQUIRED_CLUSTER_HEIGHT
                | Self::REQUIRED_CLUSTER_DEPTH
                | Self::NON_PORTABLE_CLUSTER_SIZE_ALLOWED
                | Self::CLUSTER_SCHEDULING_POLICY_PREFERENCE
                | Self::SHARED_MEMORY_MODE
        )
    }
}

/// Each line: the C name without its prefix, the method, what it is.
macro_rules! attributes {
    ($($name:ident = $constant:ident $c_name:literal, $method:ident, $meaning:literal;)*) => {
        impl FunctionAttribute {
            $(
                #[doc = concat!("The value is ", $meaning, ".")]
                #[doc(alias = $c_name)]
                pub const $name: Self = Self(C::$constant.0);
            )*

            /// All that CUDA 13.5 names, once each.
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
            /// for attribute in FunctionAttribute::all() {
            ///     if let Ok(value) = nothing.attribute(attribute) {
            ///         println!("{attribute}: {value}");
            ///     }
            /// }
            /// # Ok::<(), cuda_rt::Error>(())
            /// ```
            pub fn all() -> impl ExactSizeIterator<Item = FunctionAttribute> + Clone {
                NAMES.iter().map(|(attribute, _)| *attribute)
            }
        }

        static NAMES: &[(FunctionAttribute, &str)] = &[$((FunctionAttribute::$name, stringify!($name)),)*];

        /// One method for each attribute, which gives the number that the driver gives.
        ///
        /// Each fails as [`Function::attribute`] does: with [`Code::InvalidValue`](crate::Code::InvalidValue) if this driver
        /// does not know the attribute.
        #[allow(clippy::missing_errors_doc)]
        impl Function {
            $(
                #[doc = concat!("Gives ", $meaning, ".")]
                #[doc(alias = $c_name)]
                pub fn $method(&self) -> Result<i32> {
                    self.attribute(FunctionAttribute::$name)
                }
            )*
        }
    };
}
attributes! {
    MAX_THREADS_PER_BLOCK = CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK "CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK", max_threads_per_block, "the most threads that a block of this kernel can have on its device";
    SHARED_SIZE_BYTES = CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES "CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES", shared_size_bytes, "bytes of shared memory that the kernel declares";
    CONST_SIZE_BYTES = CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES "CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES", const_size_bytes, "bytes of constant memory that the kernel uses";
    LOCAL_SIZE_BYTES = CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES "CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES", local_size_bytes, "bytes of local memory that each thread uses";
    NUM_REGS = CU_FUNC_ATTRIBUTE_NUM_REGS "CU_FUNC_ATTRIBUTE_NUM_REGS", num_regs, "registers that each thread uses";
    PTX_VERSION = CU_FUNC_ATTRIBUTE_PTX_VERSION "CU_FUNC_ATTRIBUTE_PTX_VERSION", ptx_version, "the virtual architecture that the kernel was compiled for, times ten: 75 for `sm_75`";
    BINARY_VERSION = CU_FUNC_ATTRIBUTE_BINARY_VERSION "CU_FUNC_ATTRIBUTE_BINARY_VERSION", binary_version, "the real architecture that it was compiled for, times ten: 90 for `sm_90`";
    CACHE_MODE_CA = CU_FUNC_ATTRIBUTE_CACHE_MODE_CA "CU_FUNC_ATTRIBUTE_CACHE_MODE_CA", cache_mode_ca, "1 if it was compiled with `-Xptxas --dlcm=ca`";
    MAX_DYNAMIC_SHARED_SIZE_BYTES = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES", max_dynamic_shared_size_bytes, "bytes of shared memory that a launch may ask for";
    PREFERRED_SHARED_MEMORY_CARVEOUT = CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT "CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT", preferred_shared_memory_carveout, "the share of level-1 cache wished for as shared memory, in percent, or -1";
    CLUSTER_SIZE_MUST_BE_SET = CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET "CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET", cluster_size_must_be_set, "1 if the kernel can only be launched in clusters";
    REQUIRED_CLUSTER_WIDTH = CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH "CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH", required_cluster_width, "the cluster's width that was compiled in, in blocks, or 0";
    REQUIRED_CLUSTER_HEIGHT = CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT "CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT", required_cluster_height, "the cluster's height that was compiled in, in blocks, or 0";
    REQUIRED_CLUSTER_DEPTH = CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH "CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH", required_cluster_depth, "the cluster's depth that was compiled in, in blocks, or 0";
    NON_PORTABLE_CLUSTER_SIZE_ALLOWED = CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED "CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED", non_portable_cluster_size_allowed, "1 if clusters may be larger than all devices allow";
    CLUSTER_SCHEDULING_POLICY_PREFERENCE = CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE "CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE", cluster_scheduling_policy_preference, "how blocks of a cluster are spread: a `CUclusterSchedulingPolicy`";
    DEVICE_NODE_UPDATE_SUPPORTED = CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED "CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED", device_node_update_supported, "1 if nodes of graphs that launch the kernel can be updated from the device";
    SHARED_MEMORY_MODE = CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE "CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE", shared_memory_mode, "how much shared memory launches may take: a `CUsharedMemoryMode`";
}
