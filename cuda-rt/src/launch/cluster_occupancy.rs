//! Occupancy of clusters.

#![allow(unsafe_code)]

use super::LaunchConfig;
use crate::error::{Code, OrDetail, Result};
use crate::module::{Function, count, describe_blocks};
use core::ptr::null_mut;
use cuda_sys::{
    CUlaunchAttribute_st, CUlaunchAttributeID_enum, CUlaunchAttributeValue_union,
    CUlaunchAttributeValue_union__bindgen_ty_1 as ClusterDim, CUlaunchConfig_st, Symbol,
};

impl Function {
    /// Returns the largest cluster of a launch of this shape, in blocks. Wraps `cuOccupancyMaxPotentialClusterSize`.
    ///
    /// If no block fits on a multiprocessor, the result is 0. The size of the grid does not change the result.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.7.
    /// - [`Code::InvalidClusterSize`]: the kernel requires a cluster size that is impossible.
    /// - [`Code::InvalidClusterSize`]: the kernel requires clusters (`.explicitcluster`) without naming a size.
    /// - [`Code::NotSupported`], on `cuda-sim`: the device has no clusters.
    /// - [`Code::InvalidValue`]: the grid or the block is empty, or the grid exceeds a limit of the device.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// use cuda_rt::LaunchConfig;
    ///
    /// let nothing = module.function("nothing")?;
    /// println!("{:?} blocks", nothing.max_potential_cluster_size(LaunchConfig::new(64, 256)));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuOccupancyMaxPotentialClusterSize")]
    pub fn max_potential_cluster_size(&self, config: LaunchConfig) -> Result<u32> {
        let _bound = self.context().bind(Symbol::cuOccupancyMaxPotentialClusterSize)?;
        let (mut blocks, described) = (0, describe(config, &mut []));
        // SAFETY: `blocks` is valid for a write, and the description for a read; the module keeps the function live.
        unsafe {
            check!(cuOccupancyMaxPotentialClusterSize(&raw mut blocks, self.as_raw(), &raw const described))
        }
        .or_detail(&[Code::InvalidValue], &|| blocks_of(config))?;
        Ok(count(blocks))
    }

    /// Returns the number of clusters that the device can run at a time. Wraps `cuOccupancyMaxActiveClusters`.
    ///
    /// `cluster` is the number of blocks of a cluster along x, y and z. `None` is the kernel's own cluster size. If the
    /// kernel has no size, the result is 0. If the kernel requires clusters (`.explicitcluster`) and has no size, `None`
    /// fails with [`Code::InvalidClusterSize`].
    ///
    /// On `cuda-sim` the number of registers is an estimate. If registers limit the kernel, the result differs from hardware.
    ///
    /// # Errors
    ///
    /// - [`FunctionMissing`](crate::error::ErrorKind::FunctionMissing): the driver is older than CUDA 11.7.
    /// - [`Code::InvalidClusterSize`] or [`Code::InvalidValue`]: the cluster size is impossible.
    /// - [`Code::InvalidClusterSize`]: the grid is no multiple of the cluster, or the kernel requires another cluster
    ///   size.
    /// - [`Code::NotSupported`], on `cuda-sim`: the device has no clusters, or the cluster has more than two blocks and
    ///   the device is not a whole H200.
    /// - [`Code::InvalidValue`]: the grid or the block is empty, or the grid exceeds a limit of the device.
    /// - An earlier failure.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (context, _, module) = cuda_doc::module()?;
    /// use cuda_rt::LaunchConfig;
    ///
    /// let nothing = module.function("nothing")?;
    /// println!("{:?} clusters", nothing.max_active_clusters(LaunchConfig::new(64, 256), Some([2, 1, 1])));
    /// # Ok::<(), cuda_rt::Error>(())
    /// ```
    #[doc(alias = "cuOccupancyMaxActiveClusters")]
    pub fn max_active_clusters(&self, config: LaunchConfig, cluster: Option<[u32; 3]>) -> Result<u32> {
        let _bound = self.context().bind(Symbol::cuOccupancyMaxActiveClusters)?;
        let mut attributes = cluster.map(|[x, y, z]| CUlaunchAttribute_st {
            id: CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
            pad: [0; 4],
            value: CUlaunchAttributeValue_union { clusterDim: ClusterDim { x, y, z } },
        });
        let (mut clusters, described) = (0, describe(config, attributes.as_mut_slice()));
        let asked = || {
            let ([gx, gy, gz], [bx, by, bz], bytes) = (config.grid, config.block, config.shared_bytes);
            let cluster = match cluster {
                Some([x, y, z]) => format!("clusters of {x} x {y} x {z} blocks"),
                None => "the kernel's own clusters".to_owned(),
            };
            format!(
                "a grid of {gx} x {gy} x {gz} blocks of {bx} x {by} x {bz} threads, {bytes} bytes of dynamic shared \
                 memory, {cluster}"
            )
        };
        // SAFETY: `clusters` is valid for a write; the description is for a read, with its attributes; the module keeps the
        // function live.
        unsafe {
            check!(cuOccupancyMaxActiveClusters(&raw mut clusters, self.as_raw(), &raw const described))
        }
        .or_detail(&[Code::InvalidValue, Code::InvalidClusterSize], &asked)?;
        Ok(count(clusters))
    }
}

/// Describes a launch in the current context. The description points to the attributes, and is valid as long as they exist.
fn describe(config: LaunchConfig, attributes: &mut [CUlaunchAttribute_st]) -> CUlaunchConfig_st {
    let LaunchConfig { grid, block, shared_bytes } = config;
    CUlaunchConfig_st {
        gridDimX: grid[0],
        gridDimY: grid[1],
        gridDimZ: grid[2],
        blockDimX: block[0],
        blockDimY: block[1],
        blockDimZ: block[2],
        sharedMemBytes: shared_bytes,
        hStream: null_mut(),
        attrs: attributes.as_mut_ptr(),
        numAttrs: attributes.len() as u32,
    }
}

fn blocks_of(config: LaunchConfig) -> String {
    let threads = config.block.into_iter().fold(1, u32::saturating_mul);
    describe_blocks(threads, config.shared_bytes as usize)
}
