//! Comparison of the request of a launch with the limits.

use super::{Asked, Axis, LaunchProblem};
use crate::device::DeviceAttribute;
use crate::error::{Code, Result};
use crate::launch::LaunchConfig;
use crate::module::{Function, FunctionAttribute};

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

/// Returns the first exceeded limit, among those for which the driver answers with this code. Fails if the driver does not report
/// the limits.
pub(super) fn find(function: &Function, asked: &Asked, code: Code) -> Result<Option<LaunchProblem>> {
    match code {
        Code::LaunchOutOfResources => registers(function, &asked.config),
        Code::CooperativeLaunchTooLarge if asked.cooperative => cooperative(function, &asked.config),
        Code::InvalidClusterSize => cluster(function, asked),
        _ => {
            let found = match empty(&asked.config) {
                None => extents(function, &asked.config)?,
                found => found,
            };
            let found = match found {
                None => threads(function, &asked.config)?,
                found => found,
            };
            let found = match found {
                None => shared_memory(function, &asked.config)?,
                found => found,
            };
            let carveout = asked.carveout.filter(|percent| *percent > 100);
            Ok(found.or(carveout.map(|percent| LaunchProblem::Carveout { percent })))
        }
    }
}

fn exceeds(value: u64, limit: i32) -> bool {
    i128::from(value) > i128::from(limit)
}

/// Returns the number of threads of a block.
fn count(config: &LaunchConfig) -> u64 {
    config.block.into_iter().map(u64::from).fold(1, u64::saturating_mul)
}

fn empty(config: &LaunchConfig) -> Option<LaunchProblem> {
    // The block is checked first: a grid that was computed for empty blocks is empty, too.
    for (grid, extents) in [(false, config.block), (true, config.grid)] {
        for (axis, extent) in AXES.into_iter().zip(extents) {
            if extent == 0 {
                return Some(LaunchProblem::Empty { grid, axis });
            }
        }
    }
    None
}

fn extents(function: &Function, config: &LaunchConfig) -> Result<Option<LaunchProblem>> {
    let device = function.context().device();
    let limits = [
        (DeviceAttribute::MAX_GRID_DIM_X, DeviceAttribute::MAX_BLOCK_DIM_X),
        (DeviceAttribute::MAX_GRID_DIM_Y, DeviceAttribute::MAX_BLOCK_DIM_Y),
        (DeviceAttribute::MAX_GRID_DIM_Z, DeviceAttribute::MAX_BLOCK_DIM_Z),
    ];
    let asked = config.grid.into_iter().zip(config.block);
    for (axis, ((blocks, threads), limits)) in AXES.into_iter().zip(asked.zip(limits)) {
        let limit = device.attribute(limits.0)?;
        if exceeds(blocks.into(), limit) {
            return Ok(Some(LaunchProblem::Grid { axis, blocks, limit }));
        }
        let limit = device.attribute(limits.1)?;
        if exceeds(threads.into(), limit) {
            return Ok(Some(LaunchProblem::Block { axis, threads, limit }));
        }
    }
    Ok(None)
}

fn threads(function: &Function, config: &LaunchConfig) -> Result<Option<LaunchProblem>> {
    let threads = count(config);
    let limit = function.attribute(FunctionAttribute::MAX_THREADS_PER_BLOCK)?;
    if !exceeds(threads, limit) {
        return Ok(None);
    }
    let device_limit = function.context().device().attribute(DeviceAttribute::MAX_THREADS_PER_BLOCK)?;
    let registers = function.attribute(FunctionAttribute::NUM_REGS)?;
    Ok(Some(LaunchProblem::Threads { threads, limit, device_limit, registers }))
}

fn registers(function: &Function, config: &LaunchConfig) -> Result<Option<LaunchProblem>> {
    let threads = count(config);
    let limit = function.attribute(FunctionAttribute::MAX_THREADS_PER_BLOCK)?;
    if !exceeds(threads, limit) {
        return Ok(None);
    }
    let registers = function.attribute(FunctionAttribute::NUM_REGS)?;
    let device_limit = function.context().device().attribute(DeviceAttribute::MAX_REGISTERS_PER_BLOCK)?;
    Ok(Some(LaunchProblem::Registers { threads, limit, registers, device_limit }))
}

fn shared_memory(function: &Function, config: &LaunchConfig) -> Result<Option<LaunchProblem>> {
    let dynamic = config.shared_bytes;
    let limit = function.attribute(FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES)?;
    if !exceeds(dynamic.into(), limit) {
        return Ok(None);
    }
    let declared = function.attribute(FunctionAttribute::SHARED_SIZE_BYTES)?;
    let device = function.context().device();
    let device_limit = device.attribute(DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
    Ok(Some(LaunchProblem::SharedMemory { dynamic, declared, limit, device_limit }))
}

fn cooperative(function: &Function, config: &LaunchConfig) -> Result<Option<LaunchProblem>> {
    let blocks = config.grid.into_iter().map(u64::from).fold(1, u64::saturating_mul);
    // Blocks with more threads than this fit on no device.
    let threads = u32::try_from(count(config)).unwrap_or(u32::MAX);
    let at_once = function.max_active_blocks_per_multiprocessor(threads, config.shared_bytes as usize)?;
    // Measured: for a cooperative launch the driver uses this code for too much shared memory, too.
    if at_once == 0
        && let Some(problem) = shared_memory(function, config)?
    {
        return Ok(Some(problem));
    }
    let multiprocessors = function.context().device().attribute(DeviceAttribute::MULTIPROCESSOR_COUNT)?;
    let fits = u64::from(at_once) * u64::try_from(multiprocessors).unwrap_or(0);
    Ok((blocks > fits).then_some(LaunchProblem::Cooperative { blocks, at_once, multiprocessors }))
}

/// Largest number of blocks of a cluster on all devices with clusters. Larger clusters must be allowed first (documented).
const PORTABLE: u32 = 8;

fn cluster(function: &Function, asked: &Asked) -> Result<Option<LaunchProblem>> {
    // No extent along any axis means that no size is given (measured).
    let given = asked.cluster.filter(|cluster| *cluster != [0; 3]);
    let required = function.required_cluster()?;
    let size = match (given, required) {
        (Some(cluster), Some(required)) if cluster != required => {
            return Ok(Some(LaunchProblem::OtherCluster { required, requested: cluster }));
        }
        (Some(size), _) | (None, Some(size)) => size,
        (None, None) => {
            let must = function.attribute(FunctionAttribute::CLUSTER_SIZE_MUST_BE_SET)? != 0;
            return Ok(must.then_some(LaunchProblem::NoCluster));
        }
    };
    let of_cluster = size.into_iter().map(u64::from).fold(1, u64::saturating_mul);
    let non_portable = function.attribute(FunctionAttribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED)? != 0;
    let is_too_large = !non_portable && of_cluster > u64::from(PORTABLE);
    for ((axis, extent), blocks) in AXES.into_iter().zip(size).zip(asked.config.grid) {
        if extent == 0 {
            return Ok(Some(LaunchProblem::EmptyCluster { axis }));
        }
        // Comes first, because the grid may count clusters (fact V1187), and then fits every size.
        if is_too_large {
            return Ok(Some(LaunchProblem::Cluster { blocks: of_cluster, limit: PORTABLE, non_portable }));
        }
        if !blocks.is_multiple_of(extent) {
            return Ok(Some(LaunchProblem::UnevenGrid { axis, blocks, cluster: extent }));
        }
    }
    let limit = match function.max_potential_cluster_size(asked.config) {
        // The query refuses the kernel's own size, too.
        Err(error) if error.code() == Some(Code::InvalidClusterSize) && !non_portable => PORTABLE,
        limit => limit?,
    };
    let problem = LaunchProblem::Cluster { blocks: of_cluster, limit, non_portable };
    Ok((of_cluster > u64::from(limit)).then_some(problem))
}
