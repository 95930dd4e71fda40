//! Occupancy of clusters: how many a device runs at a time, and how large they can be. As an H200 answers.

#![allow(unsafe_code)]

use super::Attribute;
use crate::console::say;
use crate::driver::modules::function::{Function, LARGEST_CLUSTER, LARGEST_PORTABLE_CLUSTER};
use crate::driver::queues::launch::check_grid;
use crate::driver::rules::since;
use crate::driver::{Answer, Call, put};
use core::ffi::c_int;
use cuda_sys::{
    CUdevice, CUfunction, CUlaunchAttributeID_enum as LaunchAttribute, CUlaunchConfig, CUresult, CUstream,
};

/// Number of blocks of clusters that a multiprocessor holds.
const IN_CLUSTERS: u64 = 8;
/// Share of the multiprocessors that certainly run blocks of clusters, if their groups are not known. An H200 leaves 20
/// of its 132 multiprocessors without blocks of large clusters (conformance fact V522).
const CERTAIN: (u64, u64) = (5, 6);

/// Launch of a query about clusters: the function in its context, the threads of a block, and the size of clusters if
/// there is one.
struct InClusters {
    function: CUfunction,
    threads: u64,
    dynamic: u64,
    grid: [u32; 3],
    cluster: Option<[u32; 3]>,
    stream: CUstream,
}

/// # Safety
///
/// `config` is null or describes a launch.
unsafe fn in_clusters(
    call: &mut Call<'_>,
    function: CUfunction,
    config: *const CUlaunchConfig,
) -> Answer<InClusters> {
    if config.is_null() || function.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: not null, so valid for a read.
    let config = unsafe { config.read() };
    let function = call.launchable(function)?;
    let (found, _, kernel) = call.function(function)?;
    // The stream's context must be that of the function (measured). Without a stream, it is the current one.
    if call.state.stream_context(config.hStream)? != found.context {
        return Err(CUresult::CUDA_ERROR_INVALID_HANDLE);
    }
    let (grid, block) = (
        [config.gridDimX, config.gridDimY, config.gridDimZ],
        [config.blockDimX, config.blockDimY, config.blockDimZ],
    );
    if block.contains(&0) {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // The device's limits count before the size of the clusters (fact V1165).
    let grid = check_grid(call, call.state.live_context(found.context)?.device, kernel, grid)?;
    if config.attrs.is_null() && config.numAttrs > 0 {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let mut given = None;
    for index in 0..config.numAttrs as usize {
        // SAFETY: within the list, as its length says.
        let place = unsafe { config.attrs.add(index) };
        // SAFETY: as above, and valid for a read.
        let attribute = unsafe { place.read() };
        call.state.require(since::LAUNCH_ATTRIBUTES, attribute.id.0)?;
        match attribute.id {
            LaunchAttribute::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION => {
                // SAFETY: the attribute determines the member of the value.
                let size = unsafe { attribute.value.clusterDim };
                given = Some([size.x, size.y, size.z]);
            }
            LaunchAttribute::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY => {
                return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
            }
            _ => {}
        }
    }
    let cluster = found.cluster_of(kernel, given, None)?;
    let threads = block.into_iter().map(u64::from).fold(1, u64::saturating_mul);
    let dynamic = config.sharedMemBytes.into();
    Ok(InClusters { function, threads, dynamic, grid, cluster, stream: config.hStream })
}

impl Call<'_> {
    /// Returns whether the device of a function supports clusters.
    fn has_clusters(&self, function: &Function) -> bool {
        self.limit(function, Attribute::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) != 0
    }

    /// Returns a number of blocks of clusters that certainly run at a time, if the groups of the multiprocessors are not known.
    pub(crate) fn certain_blocks_in_clusters(&self, at_once: u64, processors: u64) -> u64 {
        at_once.min(IN_CLUSTERS).saturating_mul(processors) / CERTAIN.1 * CERTAIN.0
    }

    /// Returns the number of clusters of `blocks` blocks that run at a time, with `at_once` blocks on each of `processors`
    /// multiprocessors. Returns `None` if the groups of the multiprocessors are not known.
    ///
    /// A cluster of more than two blocks runs on one group of multiprocessors. The group must have at least as many
    /// multiprocessors as the cluster has blocks (conformance fact V1047).
    pub(crate) fn clusters_at_once(
        &self,
        device: CUdevice,
        at_once: u64,
        processors: u64,
        blocks: u64,
    ) -> Option<u64> {
        let at_once = at_once.min(IN_CLUSTERS);
        if at_once == 0 || blocks <= 2 {
            return Some(at_once * processors / blocks.max(1));
        }
        let groups = self.state.profile(device).cluster_groups.iter().map(|group| u64::from(*group));
        let is_known = groups.clone().sum::<u64>() == processors;
        is_known.then(|| groups.filter(|group| *group >= blocks).map(|group| group * at_once / blocks).sum())
    }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn cluster_size(
    call: &mut Call<'_>,
    size: *mut c_int,
    function: CUfunction,
    config: *const CUlaunchConfig,
) -> Answer {
    // SAFETY: the program's promise.
    let asked = unsafe { in_clusters(call, function, config) }?;
    let (found, _, _) = call.function(asked.function)?;
    if !call.has_clusters(found) {
        say("queries about clusters are not simulated for devices without them");
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    // `.maxclusterrank` and the required size of the kernel are ignored (measured).
    let most = if found.non_portable { LARGEST_CLUSTER } else { LARGEST_PORTABLE_CLUSTER };
    let fits = call.blocks_at_once(asked.function, asked.threads, asked.dynamic)? > 0;
    // SAFETY: the program's promise.
    unsafe { put(size, if fits { most as c_int } else { 0 }) }
}

/// # Safety
///
/// As the driver API demands.
pub(crate) unsafe fn active_clusters(
    call: &mut Call<'_>,
    count: *mut c_int,
    function: CUfunction,
    config: *const CUlaunchConfig,
) -> Answer {
    // SAFETY: the program's promise.
    let asked = unsafe { in_clusters(call, function, config) }?;
    let (found, _, _) = call.function(asked.function)?;
    if !call.has_clusters(found) {
        say("queries about clusters are not simulated for devices without them");
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    let clusters = match asked.cluster {
        None => 0,
        Some(cluster) => {
            if asked.grid.into_iter().zip(cluster).any(|(blocks, extent)| blocks % extent != 0) {
                return Err(CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE);
            }
            let at_once = call.blocks_at_once(asked.function, asked.threads, asked.dynamic)?;
            let all = call.limit(found, Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
            // A green context of the stream limits the multiprocessors (measured).
            let green =
                call.state.stream(asked.stream).ok().and_then(|(stream, _)| call.state.green_of(stream));
            let processors = call.state.part_of(green).map_or(all, |part| part.len() as u64);
            let device = call.state.live_context(found.context)?.device;
            let blocks = cluster.into_iter().map(u64::from).product();
            call.clusters_at_once(device, at_once, processors, blocks).ok_or_else(|| {
                say("the number of clusters of more than two blocks that these multiprocessors run at a time is not known");
                CUresult::CUDA_ERROR_NOT_SUPPORTED
            })?
        }
    };
    // SAFETY: the program's promise.
    unsafe { put(count, clusters as c_int) }
}
