//! Explanations of refused launches: their words, and that none of them is false.

use cuda_rt::device::ComputeCapability;
use cuda_rt::error::Code;
use cuda_rt::launch::{Axis, LaunchAttributes, LaunchProblem};
use cuda_rt::{Error, Function, Kernel, LaunchConfig, Module};
use cuda_suite::{context, device, skip, stream};
use std::fmt::Write;

const PTX: &str = "
.version 6.4
.target sm_50
.address_size 64
.extern .shared .align 4 .b8 dynamic[];
.visible .entry nothing() { ret; }
.visible .entry small() .maxntid 16, 8, 1 { ret; }
.visible .entry exact() .reqntid 64, 2, 1 { ret; }
.visible .entry shared() {
    .shared .align 4 .b8 tile[1008];
    .reg .b32 %x;
    mov.u32 %x, %tid.x;
    st.volatile.shared.u32 [tile], %x;
    ret;
}
";

fn module() -> Module {
    Module::from_ptx(&context(), PTX).unwrap()
}

fn kernel(name: &str) -> Kernel<()> {
    crate::typed(&module().function(name).unwrap())
}

fn launch(kernel: &Kernel<()>, config: LaunchConfig) -> Result<(), Error> {
    // SAFETY: the kernels here touch nothing, but for shared memory that they declare.
    unsafe { kernel.launch(config, &stream(), ()) }
}

fn refused(kernel: &Kernel<()>, config: LaunchConfig) -> (LaunchProblem, String) {
    let error = launch(kernel, config).unwrap_err();
    (*error.context().unwrap(), error.to_string())
}

const INVALID: &str = "cuLaunchKernel: CUDA_ERROR_INVALID_VALUE (1: invalid argument)";

#[test]
fn too_much_shared_memory() {
    let usual = device().max_shared_memory_per_block().unwrap();
    let limit = device().max_shared_memory_per_block_optin().unwrap();
    let config = LaunchConfig::new(1, 32);
    let (_, text) = refused(&kernel("nothing"), config.with_shared_bytes(usual as u32 + 1));
    assert_eq!(
        text,
        format!(
            "launching `nothing`: {INVALID}: {wanted} bytes of dynamic shared memory, this kernel may ask for {usual}, and \
             the device has {limit} for a block; call `set_max_dynamic_shared_bytes({wanted})` before",
            wanted = usual + 1
        )
    );
    let (reason, text) = refused(&kernel("shared"), config.with_shared_bytes(limit as u32));
    assert_eq!(
        reason,
        LaunchProblem::SharedMemory {
            dynamic: limit as u32,
            declared: 1008,
            limit: usual - 1008,
            device_limit: limit
        }
    );
    assert_eq!(
        text,
        format!(
            "launching `shared`: {INVALID}: {limit} bytes of dynamic shared memory besides 1008 declared, this kernel may \
             ask for {}, and the device has {limit} for a block",
            usual - 1008
        )
    );
}

#[test]
fn too_many_threads() {
    let (_, text) = refused(&kernel("nothing"), LaunchConfig::new(1, 1).with_block(32, 33, 1));
    assert_eq!(
        text,
        format!("launching `nothing`: {INVALID}: 1056 threads in a block, the device allows 1024")
    );
    let small = kernel("small");
    let registers = small.function().num_regs().unwrap();
    let (_, text) = refused(&small, LaunchConfig::new(1, 129));
    assert_eq!(
        text,
        format!(
            "launching `small`: {INVALID}: 129 threads in a block, this kernel can have 128 (its `.maxntid`, or its \
             {registers} registers for each thread)"
        )
    );
    let (_, text) = refused(&kernel("nothing"), LaunchConfig::new(2, 1).with_block(1, 1, 65));
    assert_eq!(text, format!("launching `nothing`: {INVALID}: 65 threads along z, the device allows 64"));
}

#[test]
fn other_blocks_than_a_kernel_requires() {
    let exact = kernel("exact");
    launch(&exact, LaunchConfig::new(1, 1).with_block(64, 2, 1)).unwrap();
    for block in [[128, 1, 1], [64, 1, 1], [64, 2, 2]] {
        let config = LaunchConfig { block, ..LaunchConfig::new(1, 1) };
        let (reason, text) = refused(&exact, config);
        assert_eq!(reason, LaunchProblem::Unknown { block });
        assert_eq!(
            text,
            format!(
                "launching `exact`: {INVALID}: it is within the limits that the driver tells, which are not all: a kernel \
                 may require other blocks than {} x {} x {} threads, by `.reqntid`",
                block[0], block[1], block[2]
            )
        );
    }
}

/// A kernel that needs so many registers.
fn hungry(registers: usize) -> Kernel<(u64,)> {
    let mut text = format!(
        ".version 6.4\n.target sm_50\n.address_size 64\n.visible .entry hungry(.param .u64 data) {{\n.reg .b64 %p; .reg \
         .b32 %r<{registers}>; .reg .pred %q;\nld.param.u64 %p, [data];\n"
    );
    for index in 0..registers {
        writeln!(text, "ld.volatile.global.u32 %r{index}, [%p+{}];", 4 * index).unwrap();
    }
    text += "again:\n";
    for index in 0..registers {
        let (next, far) = ((index + 1) % registers, (index + 7) % registers);
        writeln!(text, "mad.lo.u32 %r{index}, %r{index}, %r{next}, %r{far};").unwrap();
    }
    text += "setp.eq.u32 %q, %r0, 77;\n@%q bra again;\n";
    for index in 0..registers {
        writeln!(text, "st.volatile.global.u32 [%p+{}], %r{index};", 4 * index).unwrap();
    }
    text += "ret;\n}\n";
    crate::typed(&Module::from_ptx(&context(), text).unwrap().function("hungry").unwrap())
}

#[test]
fn too_many_registers() {
    let hungry = hungry(200);
    let function = hungry.function();
    let limit = function.max_threads_per_block().unwrap();
    let registers = function.num_regs().unwrap();
    let of_block = device().max_registers_per_block().unwrap();
    assert!(limit < 1024 && registers > 150, "{limit} {registers}");
    let threads = limit as u32 + 1;
    // SAFETY: refused.
    let error = unsafe { hungry.launch(LaunchConfig::new(1, threads), &stream(), (0,)) }.unwrap_err();
    assert_eq!(error.code(), Some(Code::LaunchOutOfResources));
    assert_eq!(
        error.to_string(),
        format!(
            "launching `hungry`: cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701: too many resources requested for \
             launch): {threads} threads in a block, there are registers for {limit} (each needs {registers}; the device has \
             {of_block} for a block, and gives them out to whole warps)"
        )
    );
}

/// Returns whether the reported problem exists.
fn holds(problem: LaunchProblem, config: LaunchConfig, function: &Function) -> bool {
    let along = |extents: [u32; 3], axis: Axis| match axis {
        Axis::X => extents[0],
        Axis::Y => extents[1],
        Axis::Z => extents[2],
    };
    let device = device();
    let threads = config.block.into_iter().map(u64::from).product::<u64>();
    match problem {
        LaunchProblem::Empty { grid, axis } => {
            along(if grid { config.grid } else { config.block }, axis) == 0
        }
        LaunchProblem::Grid { axis, blocks, limit } => {
            let limits = [device.max_grid_dim_x(), device.max_grid_dim_y(), device.max_grid_dim_z()];
            let known = limits.into_iter().map(Result::unwrap).any(|known| known == limit);
            known && along(config.grid, axis) == blocks && i64::from(blocks) > i64::from(limit)
        }
        LaunchProblem::Block { axis, threads, limit } => {
            let limits = [device.max_block_dim_x(), device.max_block_dim_y(), device.max_block_dim_z()];
            let known = limits.into_iter().map(Result::unwrap).any(|known| known == limit);
            known && along(config.block, axis) == threads && i64::from(threads) > i64::from(limit)
        }
        LaunchProblem::Threads { threads: told, limit, device_limit, registers } => {
            told == threads
                && threads > limit as u64
                && limit == function.max_threads_per_block().unwrap()
                && device_limit == device.max_threads_per_block().unwrap()
                && registers == function.num_regs().unwrap()
        }
        LaunchProblem::SharedMemory { dynamic, declared, limit, device_limit } => {
            dynamic == config.shared_bytes
                && declared == function.shared_size_bytes().unwrap()
                && i64::from(dynamic) > i64::from(limit)
                && limit == function.max_dynamic_shared_size_bytes().unwrap()
                && device_limit == device.max_shared_memory_per_block_optin().unwrap()
        }
        LaunchProblem::Unknown { block } => {
            block == config.block && function.name() == "exact" && block != [64, 2, 1]
        }
        _ => false,
    }
}

/// Shapes at and around every limit, for kernels with limits of their own: whatever is refused is explained, by something
/// that is so.
#[test]
fn no_explanation_is_false() {
    let mut state = 4711_u32;
    let mut one_of = |values: &[u32]| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        values[(state >> 8) as usize % values.len()]
    };
    let (mut refused, mut launched) = (0, 0);
    for name in ["nothing", "small", "exact", "shared"] {
        let kernel = kernel(name);
        for round in 0..200 {
            let grid = [
                one_of(&[1, 1, 2, 3, 0, 0x7fff_ffff, 0x8000_0000, u32::MAX]),
                one_of(&[1, 1, 1, 2, 0, 65_535, 65_536]),
                one_of(&[1, 1, 1, 3, 0, 65_535, 65_536]),
            ];
            let block = match round % 3 {
                0 => [64, 2, 1],
                _ => [
                    one_of(&[1, 16, 64, 128, 129, 1024, 1025, 0]),
                    one_of(&[1, 1, 2, 8, 16, 1024, 1025, 0]),
                    one_of(&[1, 1, 1, 2, 64, 65, u32::MAX, 0]),
                ],
            };
            let shared_bytes = one_of(&[0, 0, 0, 16, 48_144, 48_145, 49_152, 49_153, 232_448, u32::MAX]);
            // Launches that would run for long are left to other tests.
            let blocks = grid.into_iter().map(u64::from).fold(1, u64::saturating_mul);
            if (100..u64::from(u32::MAX)).contains(&blocks) || blocks > 100 && !grid.contains(&u32::MAX) {
                continue;
            }
            let config = LaunchConfig { grid, block, shared_bytes };
            match launch(&kernel, config) {
                Ok(()) => launched += 1,
                Err(error) => {
                    let Some(&reason) = error.context::<LaunchProblem>() else {
                        panic!("{name} {config:?}: {error}")
                    };
                    assert!(holds(reason, config, kernel.function()), "{name} {config:?}: {reason:?}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 100 && launched > 10, "{refused} {launched}");
}

#[test]
fn clusters_that_cannot_be() {
    let capable =
        device().compute_capability().unwrap() >= ComputeCapability::new(9, 0) && crate::is_since(12, 0);
    if !capable {
        skip!("no launches in clusters here");
    }
    let ptx = ".version 7.8 .target sm_90 .address_size 64
        .visible .entry pairs() .reqnctapercluster 2, 1, 1 { ret; }
        .visible .entry many() .reqnctapercluster 16, 1, 1 { ret; }
        .visible .entry must() .explicitcluster { ret; }";
    let module = Module::from_ptx(&context(), ptx).unwrap();
    let kernel = |name| crate::typed::<()>(&module.function(name).unwrap());
    launch(&kernel("pairs"), LaunchConfig::new(4, 32)).unwrap();
    let refused = |name, grid| refused(&kernel(name), LaunchConfig::new(grid, 32));
    let code = "cuLaunchKernel: CUDA_ERROR_INVALID_CLUSTER_SIZE";
    let (reason, text) = refused("pairs", 3);
    assert_eq!(reason, LaunchProblem::UnevenGrid { axis: Axis::X, blocks: 3, cluster: 2 });
    assert!(text.contains(code), "{text}");
    assert!(text.ends_with(": 3 blocks along x, which is no multiple of the 2 of a cluster"), "{text}");
    let attributes = LaunchAttributes::new().cluster_dimension(4, 1, 1);
    let pairs = kernel("pairs").with(LaunchConfig::new(4, 32)).attributes(&attributes);
    // SAFETY: the kernel does nothing.
    let text = unsafe { pairs.launch(&stream(), ()) }.unwrap_err().to_string();
    assert!(
        text.ends_with(": clusters of 4 x 1 x 1 blocks, this kernel has clusters of 2 x 1 x 1"),
        "{text}"
    );
    assert_eq!(refused("must", 4).0, LaunchProblem::NoCluster);
    assert_eq!(refused("many", 32).0, LaunchProblem::Cluster { blocks: 16, limit: 8, non_portable: false });
    let many = kernel("many");
    many.function().set_non_portable_cluster_size_allowed(true).unwrap();
    launch(&many, LaunchConfig::new(32, 32)).unwrap();
    // Not all extents are there.
    let plain = Module::from_ptx(&context(), PTX).unwrap().function("nothing").unwrap();
    // SAFETY: the kernel does nothing with its clusters.
    unsafe { plain.set_attribute(cuda_rt::module::FunctionAttribute::REQUIRED_CLUSTER_WIDTH, 2) }.unwrap();
    let (reason, _) = self::refused(&crate::typed(&plain), LaunchConfig::new(4, 32));
    assert_eq!(reason, LaunchProblem::EmptyCluster { axis: Axis::Y });
}
