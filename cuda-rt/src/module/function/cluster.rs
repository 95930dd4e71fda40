//! Kernels whose blocks run in clusters.

#![allow(unsafe_code)]

use super::Function;
use crate::error::Result;
use crate::module::FunctionAttribute;

/// How the blocks of a cluster are put on multiprocessors: any number that some driver knows. For
/// [one launch](crate::launch::LaunchAttributes::cluster_scheduling), or for [all](Function::set_cluster_scheduling_policy_preference)
/// of a kernel.
///
/// ```
/// use cuda_rt::launch::LaunchAttributes;
/// use cuda_rt::module::ClusterSchedulingPolicy;
///
/// let attributes = LaunchAttributes::new().cluster_scheduling(ClusterSchedulingPolicy::SPREAD);
/// assert_eq!(ClusterSchedulingPolicy::SPREAD.to_string(), "SPREAD");
/// ```
#[doc(alias = "CUclusterSchedulingPolicy")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClusterSchedulingPolicy(pub u32);

// Its rows are in generator/numbers.tsv.
include!("../../generated/cluster_scheduling_policy.rs");

impl Function {
    /// The size of the clusters that the kernel's blocks run in, in blocks along x, y and z, if the kernel has one: compiled
    /// in, or [set](Function::set_required_cluster). Wraps `cuFuncGetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue) on drivers before CUDA 11.8.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// assert_eq!(module.function("nothing")?.required_cluster()?, None);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH", "cuFuncGetAttribute"))]
    pub fn required_cluster(&self) -> Result<Option<[u32; 3]>> {
        let size =
            [self.required_cluster_width()?, self.required_cluster_height()?, self.required_cluster_depth()?];
        // Drivers give numbers from 0.
        Ok((size != [0; 3]).then(|| size.map(i32::cast_unsigned)))
    }

    /// Lets the blocks of all launches of this kernel run in clusters of this size, in blocks along x, y and z; `None`, or
    /// 0 along each, lets them run alone. Wraps `cuFuncSetAttribute`.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidValue`](crate::error::Code::InvalidValue) if another size is compiled into the kernel, for sizes that no device
    /// has, and on drivers before CUDA 11.8. What was set before the failure is set back.
    ///
    /// # Safety
    ///
    /// Whoever launches this kernel answers for what it does, which may change with its clusters: all of them know of this.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// let nothing = module.function("nothing")?;
    /// // SAFETY: the kernel does nothing with its cluster.
    /// unsafe { nothing.set_required_cluster(Some([2, 1, 1])) }?;
    /// assert_eq!(nothing.required_cluster()?, Some([2, 1, 1]));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH", "cuFuncSetAttribute"))]
    pub unsafe fn set_required_cluster(&self, cluster: Option<[u32; 3]>) -> Result<()> {
        const EXTENTS: [FunctionAttribute; 3] = [
            FunctionAttribute::REQUIRED_CLUSTER_WIDTH,
            FunctionAttribute::REQUIRED_CLUSTER_HEIGHT,
            FunctionAttribute::REQUIRED_CLUSTER_DEPTH,
        ];
        let before = self.required_cluster()?;
        let all = |size: Option<[u32; 3]>| EXTENTS.into_iter().zip(size.unwrap_or([0; 3]));
        for (attribute, extent) in all(cluster) {
            if let Err(error) = self.set(attribute, extent.into()) {
                for (attribute, extent) in all(before) {
                    // The first failure is the one to tell of.
                    let _ = self.set(attribute, extent.into());
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Says whether clusters of this kernel may be larger than all devices with clusters allow, which is 8 blocks. Wraps
    /// `cuFuncSetAttribute` with [`FunctionAttribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED`].
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue) on drivers before CUDA 11.8.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// let nothing = module.function("nothing")?;
    /// nothing.set_non_portable_cluster_size_allowed(true)?;
    /// assert!(nothing.non_portable_cluster_size_allowed()?);
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED", "cuFuncSetAttribute"))]
    pub fn set_non_portable_cluster_size_allowed(&self, allowed: bool) -> Result<()> {
        self.set(FunctionAttribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED, allowed.into())
    }

    /// Says how the blocks of this kernel's clusters should be put on multiprocessors. Wraps `cuFuncSetAttribute` with
    /// [`FunctionAttribute::CLUSTER_SCHEDULING_POLICY_PREFERENCE`].
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue) for one that the driver does not know.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// use cuda_rt::module::ClusterSchedulingPolicy;
    ///
    /// module.function("nothing")?.set_cluster_scheduling_policy_preference(ClusterSchedulingPolicy::SPREAD)?;
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias("CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE", "cuFuncSetAttribute"))]
    pub fn set_cluster_scheduling_policy_preference(&self, policy: ClusterSchedulingPolicy) -> Result<()> {
        self.set(FunctionAttribute::CLUSTER_SCHEDULING_POLICY_PREFERENCE, policy.0.into())
    }
}
