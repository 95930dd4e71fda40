//! Kernels with clusters of blocks.

#![allow(unsafe_code)]

use super::Function;
use crate::error::Result;
use crate::module::FunctionAttribute;

/// Policy that assigns the blocks of a cluster to multiprocessors: any number that some driver knows.
///
/// The policy can be set for [one launch](crate::launch::LaunchAttributes::cluster_scheduling), or for
/// [all](Function::set_cluster_scheduling_policy_preference) launches of a kernel.
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
    /// Returns the size of the kernel's clusters, in blocks along x, y and z. Wraps `cuFuncGetAttribute`.
    ///
    /// `None` if the kernel has no fixed size, neither compiled in nor [set](Function::set_required_cluster).
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue): the driver is older than CUDA 11.8.
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
        // Drivers return numbers from 0 on.
        let [x, y, z] = size;
        Ok((size != [0; 3]).then_some([x.cast_unsigned(), y.cast_unsigned(), z.cast_unsigned()]))
    }

    /// Sets the size of the clusters for all launches of this kernel, in blocks along x, y and z. `None`, or 0 along each axis,
    /// means no clusters. Wraps `cuFuncSetAttribute`.
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue): another size is compiled into the kernel, no device
    ///   has the size, or the driver is older than CUDA 11.8. Values that were set before the failure are restored.
    /// - An earlier failure.
    ///
    /// # Safety
    ///
    /// The code that launches this kernel is responsible for its effects, which may change with its clusters: all such code must
    /// know the size.
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
                    // The first failure is the one to report.
                    let _ = self.set(attribute, extent.into());
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Sets whether clusters of this kernel may be larger than 8 blocks, the size that all devices with clusters allow. Wraps
    /// `cuFuncSetAttribute` with [`FunctionAttribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED`].
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue): the driver is older than CUDA 11.8.
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

    /// Sets the policy that assigns the blocks of this kernel's clusters to multiprocessors. Wraps `cuFuncSetAttribute` with
    /// [`FunctionAttribute::CLUSTER_SCHEDULING_POLICY_PREFERENCE`].
    ///
    /// # Errors
    ///
    /// - [`Code::InvalidValue`](crate::error::Code::InvalidValue): the driver does not know the policy.
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
