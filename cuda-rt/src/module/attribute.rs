//! Properties of kernels.

use super::Function;
use crate::error::Result;

/// A property of a kernel: any number that some driver knows.
///
/// ```
/// use cuda_rt::module::FunctionAttribute;
///
/// assert_eq!(FunctionAttribute::NUM_REGS.to_string(), "NUM_REGS");
/// assert_eq!(FunctionAttribute(999).to_string(), "FunctionAttribute(999)");
/// assert!(FunctionAttribute::all().len() >= 18);
/// ```
///
/// The properties that a driver knows:
///
/// ```
/// # let (context, _, module) = cuda_doc::module()?;
/// use cuda_rt::module::FunctionAttribute;
///
/// let nothing = module.function("nothing")?;
/// for attribute in FunctionAttribute::all() {
///     if let Ok(value) = nothing.attribute(attribute) {
///         println!("{attribute}: {value}");
///     }
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[doc(alias = "CUfunction_attribute")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionAttribute(pub u32);

impl FunctionAttribute {
    /// Describes the attribute with a value, for errors.
    #[cold]
    pub(super) fn describe_value(self, value: i64) -> String {
        let named = FunctionAttribute::all().any(|known| known == self);
        let read_only = if named && !self.is_settable() { ": it can only be read" } else { "" };
        format!("attribute {self}, value {value}{read_only}")
    }

    /// Returns whether the property can be set, by the documentation of CUDA 13.5. All others can only be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_rt::module::FunctionAttribute;
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

// Its rows are in generator/numbers.tsv.
include!("../generated/function_attribute.rs");
