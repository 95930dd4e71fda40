//! Programs that query and set attributes of kernels, and whose launches are refused.

use crate::scenarios::{Done, Scenario, device, plain};
use cuda_rt::context::{CacheConfig, SharedMemConfig};
use cuda_rt::launch::LaunchProblem;
use cuda_rt::module::{ClusterSchedulingPolicy, FunctionAttribute, OccupancyFlags};
use cuda_rt::{Context, Function, Kernel, LaunchConfig, Module, Result, Stream};
use cuda_sys::Symbol;

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("attributes of kernels", attributes),
    plain("settings of kernels", settings),
    plain("parameters of kernels", parameters),
    plain("occupancy", occupancy),
    Scenario {
        explains: &[
            Symbol::cuDeviceGetAttribute,
            Symbol::cuFuncGetAttribute,
            Symbol::cuCtxGetCurrent,
            Symbol::cuCtxPushCurrent_v2,
            Symbol::cuCtxPopCurrent_v2,
        ],
        ..plain("launches that are refused", refused)
    },
];

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry nothing(.param .u32 a, .param .u64 b) { ret; }
    .visible .entry small() .maxntid 64, 1, 1 { ret; }";

fn function(name: &str) -> Result<Function> {
    Module::from_ptx(&Context::primary(device()?)?, PTX)?.function(name)
}

fn attributes() -> Done {
    let nothing = function("nothing")?;
    assert_eq!(nothing.attribute(FunctionAttribute::SHARED_SIZE_BYTES)?, 0);
    assert_eq!(nothing.max_threads_per_block()?, 1024);
    assert_eq!(nothing.required_cluster()?, None);
    assert_eq!(nothing.query_name()?, "nothing");
    nothing.load()?;
    assert!(nothing.is_loaded()?);
    Ok(())
}

#[allow(deprecated)]
fn settings() -> Done {
    let nothing = function("nothing")?;
    nothing.set_max_dynamic_shared_bytes(100_000)?;
    nothing.set_max_dynamic_shared_bytes(50_000)?;
    assert_eq!(nothing.max_dynamic_shared_size_bytes()?, 100_000);
    nothing.set_shared_memory_carveout(Some(50))?;
    nothing.set_cache_config(CacheConfig::PreferL1)?;
    nothing.set_shared_mem_config(SharedMemConfig::FourByteBankSize)?;
    nothing.set_non_portable_cluster_size_allowed(true)?;
    nothing.set_cluster_scheduling_policy_preference(ClusterSchedulingPolicy::SPREAD)?;
    // SAFETY: no code launches it.
    unsafe { nothing.set_required_cluster(Some([1, 1, 1])) }?;
    // SAFETY: as above.
    unsafe { nothing.set_required_cluster(None) }
}

fn parameters() -> Done {
    let nothing = function("nothing")?;
    // A driver reports the end of the list by a failure.
    assert!(nothing.parameters()?.len() <= 2);
    assert!(nothing.parameter_count()? <= 2);
    nothing.typed::<(u32, u64)>()?;
    Ok(())
}

fn occupancy() -> Done {
    let nothing = function("nothing")?;
    let flags = OccupancyFlags::DEFAULT;
    nothing.max_active_blocks_per_multiprocessor(32, 0)?;
    nothing.max_active_blocks_per_multiprocessor_with_flags(32, 0, flags)?;
    nothing.max_potential_block_size(0, None)?;
    nothing.max_potential_block_size_with_flags(0, Some(64), flags)?;
    let best = nothing.max_potential_block_size_variable(|_| 0, Some(64), flags)?;
    assert_eq!(best.block_size, 64);
    assert_ne!(nothing.config_for_elements(1)?.block[0], 0);
    nothing.available_dynamic_shared_memory_per_block(1, 32)?;
    let config = LaunchConfig::new(2, 32);
    nothing.max_potential_cluster_size(config)?;
    nothing.max_active_clusters(config, Some([2, 1, 1])).map(drop)
}

fn launch(kernel: &Kernel<()>, stream: &Stream, config: LaunchConfig) -> Done {
    // SAFETY: the kernel touches nothing.
    unsafe { kernel.launch(config, stream, ()) }
}

fn refused() -> Done {
    let small = function("small")?;
    let stream = Stream::new(small.context())?;
    // SAFETY: it takes no parameters.
    let small = unsafe { small.typed_unchecked::<()>() };
    for config in [
        LaunchConfig::new(1, 65),
        LaunchConfig::new(1, 2000),
        LaunchConfig::new(1, 32).with_shared_bytes(1 << 20),
    ] {
        match launch(&small, &stream, config) {
            Err(error)
                if error
                    .context()
                    .is_some_and(|reason: &LaunchProblem| *reason != LaunchProblem::NotFound) => {}
            Err(other) => return Err(other),
            Ok(()) => panic!("{config:?}"),
        }
    }
    Ok(())
}
