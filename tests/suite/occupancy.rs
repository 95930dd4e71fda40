//! The number of blocks that fit at a time. If registers do not limit it, it follows from the device and the kernel's text.

use cuda_rt::device::ComputeCapability;
use cuda_rt::error::Code;
use cuda_rt::module::{OccupancyFlags, PotentialBlockSize};
use cuda_rt::{Function, LaunchConfig, Module, Stream};
use cuda_suite::{context, device, invalid, skip};
use std::panic::{AssertUnwindSafe, catch_unwind};

const PTX: &str = "
.version 6.4
.target sm_50
.address_size 64
.visible .entry nothing() { ret; }
.visible .entry small() .maxntid 100, 1, 1 { ret; }
.visible .entry exact() .reqntid 64, 2, 1 { ret; }
";

const SHARED: &str = "
.version 6.4
.target sm_50
.address_size 64
.visible .entry shared() {
    .shared .align 4 .b8 tile[49152];
    .reg .b32 %x;
    mov.u32 %x, %tid.x;
    st.volatile.shared.u32 [tile], %x;
    ret;
}
";

fn function(name: &str) -> Function {
    let text = if name == "shared" { SHARED } else { PTX };
    Module::from_ptx(&context(), text).unwrap().function(name).unwrap()
}

/// Returns whether the device is the one that the numbers here were measured on.
fn is_measured() -> bool {
    let device = device();
    device.compute_capability().unwrap() == ComputeCapability::new(9, 0)
        && device.max_shared_memory_per_multiprocessor().unwrap() == 233_472
        && device.multiprocessor_count().unwrap() == 132
}

#[test]
fn blocks_at_a_time() {
    if !is_measured() {
        skip!("another device");
    }
    // Threads of a block, dynamic shared memory, blocks.
    let nothing = [
        (1, 0, 32),
        (33, 0, 32),
        (96, 0, 21),
        (100, 0, 16),
        (320, 0, 6),
        (768, 0, 2),
        (1000, 0, 2),
        (1024, 0, 2),
        (1025, 0, 0),
        (32, 7168, 28),
        (32, 8192, 25),
        (32, 16_384, 13),
        (32, 49_152, 4),
        (32, 49_153, 0),
        (32, 1 << 31, 0),
        (32, usize::MAX, 0),
    ];
    let blocks = |name, (threads, dynamic)| {
        function(name).max_active_blocks_per_multiprocessor(threads, dynamic).unwrap()
    };
    for (threads, dynamic, expected) in nothing {
        assert_eq!(blocks("nothing", (threads, dynamic)), expected, "{threads} {dynamic}");
    }
    // The directives for blocks in the text do not count.
    assert_eq!(blocks("small", (256, 0)), 8);
    assert_eq!(blocks("exact", (32, 0)), 32);
    assert_eq!(blocks("shared", (32, 0)), 4);
    assert_eq!(blocks("shared", (32, 1)), 0);
    let flags = OccupancyFlags::DISABLE_CACHING_OVERRIDE;
    let nothing = function("nothing");
    assert_eq!(nothing.max_active_blocks_per_multiprocessor_with_flags(96, 0, flags).unwrap(), 21);
}

#[test]
fn allowed_and_wished_for_shared_memory_counts() {
    if !is_measured() {
        skip!("another device");
    }
    let nothing = function("nothing");
    nothing.set_max_dynamic_shared_bytes(231_424).unwrap();
    let blocks = |dynamic| nothing.max_active_blocks_per_multiprocessor(32, dynamic).unwrap();
    assert_eq!([65_536, 100_000, 116_000, 231_424, 231_425].map(blocks), [3, 2, 1, 1, 0]);
    // Shares of the level-1 cache: 8, 32, 132 and 228 KiB.
    for (percent, expected) in
        [(0, [8, 7, 4, 1]), (10, [32, 28, 16, 6]), (50, [32, 32, 32, 26]), (100, [32; 4])]
    {
        let nothing = function("nothing");
        nothing.set_shared_memory_carveout(Some(percent)).unwrap();
        let blocks = |dynamic| nothing.max_active_blocks_per_multiprocessor(32, dynamic).unwrap();
        assert_eq!([0, 100, 1024, 4096].map(blocks), expected, "{percent}");
        // A block that needs more has more.
        assert!(blocks(49_152) >= 1);
    }
    let nothing = function("nothing");
    nothing.set_cache_config(cuda_rt::context::CacheConfig::PreferL1).unwrap();
    assert_eq!(nothing.max_active_blocks_per_multiprocessor(32, 100).unwrap(), 7);
}

#[test]
fn no_threads_are_refused() {
    let error = function("nothing").max_active_blocks_per_multiprocessor(0, 5).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    let text = error.to_string();
    assert!(text.ends_with("): blocks of 0 threads with 5 bytes of dynamic shared memory"), "{text}");
    let error = function("nothing")
        .max_active_blocks_per_multiprocessor_with_flags(32, 0, OccupancyFlags::from_bits_retain(2))
        .unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().ends_with(", flags 0x2"), "{error}");
    let error = function("nothing")
        .max_potential_block_size_with_flags(7, Some(64), OccupancyFlags::from_bits_retain(2))
        .unwrap_err();
    let asked = "): blocks of at most 64 threads with 7 bytes of dynamic shared memory, flags 0x2";
    assert!(error.to_string().ends_with(asked), "{error}");
}

/// Drivers would take 0 for no limit.
#[test]
fn a_limit_of_no_threads_is_refused() {
    let (nothing, flags) = (function("nothing"), OccupancyFlags::DEFAULT);
    let never = |_| -> usize { panic!("called for a limit that is refused") };
    for refused in [
        nothing.max_potential_block_size(0, Some(0)),
        nothing.max_potential_block_size_with_flags(0, Some(0), flags),
        nothing.max_potential_block_size_variable(never, Some(0), flags),
    ] {
        let error = refused.unwrap_err();
        assert_eq!(error, invalid("a limit of 0 threads is not at least 1"));
        assert!(error.to_string().contains("use `None` for no limit"), "{error}");
    }
    assert_eq!(nothing.max_potential_block_size(0, Some(1)).unwrap().block_size, 1);
}

fn best(min_grid_size: u32, block_size: u32) -> PotentialBlockSize {
    PotentialBlockSize { min_grid_size, block_size }
}

#[test]
fn the_best_size_of_blocks() {
    if !is_measured() {
        skip!("another device");
    }
    let size = |name, limit| function(name).max_potential_block_size(0, limit).unwrap();
    assert_eq!(size("nothing", None), best(264, 1024));
    assert_eq!(size("nothing", Some(1)), best(4224, 1));
    assert_eq!(size("nothing", Some(33)), best(4224, 33));
    assert_eq!(size("nothing", Some(100)), best(4224, 64));
    assert_eq!(size("nothing", Some(1000)), best(528, 512));
    assert_eq!(size("nothing", Some(u32::MAX)), best(264, 1024));
    assert_eq!(size("small", None), best(4224, 64));
    assert_eq!(size("exact", None), best(264, 1024));
    assert_eq!(function("nothing").max_potential_block_size(49_153, None).unwrap(), best(0, 0));
    let flags = OccupancyFlags::DISABLE_CACHING_OVERRIDE;
    let flagged = function("nothing").max_potential_block_size_with_flags(0, Some(100), flags).unwrap();
    assert_eq!(flagged, best(4224, 64));
}

#[test]
fn config_for_elements_has_blocks_of_the_best_size() {
    for name in ["nothing", "small", "exact", "shared"] {
        let function = function(name);
        let best = function.max_potential_block_size(0, None).unwrap().block_size;
        assert!(best > 1, "{name}");
        for elements in [0, 1, best as usize, best as usize + 1, usize::MAX] {
            let config = function.config_for_elements(elements).unwrap();
            assert_eq!(config, LaunchConfig::for_elements(elements, best), "{name} {elements}");
        }
    }
    // SAFETY: it takes no parameters.
    let kernel = unsafe { function("small").typed_unchecked::<()>() };
    let config = kernel.config_for_elements(1000).unwrap();
    // `.maxntid` counts.
    assert!(config.block[0] <= 100, "{config:?}");
    let stream = Stream::new(kernel.function().context()).unwrap();
    // SAFETY: the kernel touches nothing.
    unsafe { kernel.launch(config, &stream, ()) }.unwrap();
}

/// The driver does not tell `.reqntid`.
#[test]
fn config_for_elements_misses_required_blocks() {
    // SAFETY: it takes no parameters.
    let kernel = unsafe { function("exact").typed_unchecked::<()>() };
    let stream = Stream::new(kernel.function().context()).unwrap();
    // SAFETY: the kernel touches nothing.
    let refused = unsafe { kernel.launch(kernel.config_for_elements(1000).unwrap(), &stream, ()) };
    let error = refused.unwrap_err().to_string();
    assert!(error.contains("may require other blocks"), "{error}");
}

#[test]
fn shared_memory_by_the_size_of_blocks() {
    let nothing = function("nothing");
    let variable = |bytes: fn(u32) -> usize, limit| {
        nothing.max_potential_block_size_variable(bytes, limit, OccupancyFlags::DEFAULT).unwrap()
    };
    let constant = |bytes, limit| nothing.max_potential_block_size(bytes, limit).unwrap();
    assert_eq!(variable(|_| 0, None), constant(0, None));
    assert_eq!(variable(|_| 20_000, Some(500)), constant(20_000, Some(500)));
    assert_eq!(variable(|_| usize::MAX, None), best(0, 0));
    if is_measured() {
        assert_eq!(variable(|threads| 100 * threads as usize, None), best(1056, 256));
        assert_eq!(variable(|threads| if threads == 96 { 0 } else { 1 << 20 }, None), best(2772, 96));
    }
    let mut seen = Vec::new();
    let note = |threads| {
        seen.push(threads);
        0
    };
    nothing.max_potential_block_size_variable(note, Some(70), OccupancyFlags::DEFAULT).unwrap();
    assert_eq!(seen, (1..=70).collect::<Vec<_>>());
}

/// The driver does not call the closure, so the closure may call the driver and panic.
#[test]
fn closures_panic_and_call_the_driver() {
    let nothing = function("nothing");
    let flags = OccupancyFlags::DEFAULT;
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        nothing.max_potential_block_size_variable(
            |threads| if threads > 3 { panic!("enough") } else { 0 },
            None,
            flags,
        )
    }));
    assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"enough"));
    let nested = |threads| {
        let inner = nothing.max_potential_block_size_variable(|_| 1 << 20, Some(64), flags).unwrap();
        assert_eq!(inner.block_size, 0);
        if threads > 32 { 1 << 20 } else { 0 }
    };
    let found = nothing.max_potential_block_size_variable(nested, Some(64), flags).unwrap();
    assert_eq!(found.block_size, 32);
}

#[test]
fn room_for_shared_memory() {
    if !is_measured() {
        skip!("another device");
    }
    let nothing = function("nothing");
    let room = |blocks, threads| nothing.available_dynamic_shared_memory_per_block(blocks, threads);
    assert_eq!([1, 4, 5, 32].map(|blocks| room(blocks, 32).unwrap()), [49_152, 49_152, 46_592, 7296]);
    for (blocks, threads) in [(0, 32), (33, 32), (3, 1024), (1, 1025), (1, 0)] {
        assert_eq!(room(blocks, threads).unwrap_err().code(), Some(Code::InvalidValue), "{blocks} {threads}");
    }
    let text = room(33, 32).unwrap_err().to_string();
    assert!(text.ends_with("): 33 blocks of 32 threads at a time"), "{text}");
    nothing.set_max_dynamic_shared_bytes(231_424).unwrap();
    assert_eq!(room(1, 32).unwrap(), 231_424);
    assert_eq!(room(2, 32).unwrap(), 116_736);
}

#[test]
fn clusters_at_a_time() {
    if !is_measured() || !crate::is_since(11, 8) {
        skip!("another device");
    }
    let nothing = function("nothing");
    let config = LaunchConfig::new(96, 256);
    assert_eq!(nothing.max_potential_cluster_size(config).unwrap(), 8);
    assert_eq!(nothing.max_potential_cluster_size(LaunchConfig::new(96, 1025)).unwrap(), 0);
    let clusters = |config, size| nothing.max_active_clusters(config, size);
    assert_eq!(clusters(config, None).unwrap(), 0);
    assert_eq!(clusters(config, Some([1; 3])).unwrap(), 1056);
    assert_eq!(clusters(config, Some([2, 1, 1])).unwrap(), 528);
    assert_eq!(clusters(config.with_shared_bytes(49_152), Some([2, 1, 1])).unwrap(), 264);
    assert_eq!(clusters(config.with_shared_bytes(49_153), Some([2, 1, 1])).unwrap(), 0);
    for (grid, size) in [(7, [2, 1, 1]), (96, [16, 1, 1]), (96, [0, 1, 1])] {
        let error = clusters(LaunchConfig::new(grid, 32), Some(size)).unwrap_err();
        assert_eq!(error.code(), Some(Code::InvalidClusterSize), "{size:?}");
        let [x, y, z] = size;
        let asked = format!(
            "): a grid of {grid} x 1 x 1 blocks of 32 x 1 x 1 threads, 0 bytes of dynamic shared memory, clusters of \
             {x} x {y} x {z} blocks"
        );
        assert!(error.to_string().ends_with(&asked), "{error}");
    }
    let error = clusters(LaunchConfig::new(0, 32), None).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
    assert!(error.to_string().contains("): a grid of 0 x 1 x 1 blocks of 32 x 1 x 1 threads, "), "{error}");
    // The limits of the grid come first (fact V1165).
    for (grid, code) in [
        ([131_072, 32_768, 1], Code::InvalidClusterSize),
        ([65_536, 65_536, 1], Code::InvalidValue),
        ([641, 6_700_417, 1], Code::InvalidValue),
    ] {
        let error = clusters(LaunchConfig { grid, ..config }, Some(grid)).unwrap_err();
        assert_eq!(error.code(), Some(code), "{grid:?}");
    }
    nothing.set_non_portable_cluster_size_allowed(true).unwrap();
    assert_eq!(nothing.max_potential_cluster_size(config).unwrap(), 16);
    // With 1, 2, 3 and 8 blocks on a multiprocessor (fact V1047).
    let tables = [
        (231_424, [132, 66, 39, 30, 22, 17, 15, 15, 9, 7, 7, 7, 7, 7, 7, 7]),
        (100_000, [264, 132, 79, 62, 47, 39, 32, 30, 23, 21, 16, 16, 14, 14, 14, 14]),
        (70_000, [396, 198, 124, 92, 69, 62, 47, 45, 37, 30, 28, 28, 23, 21, 21, 21]),
        (0, [1056, 528, 327, 248, 193, 163, 139, 124, 102, 88, 81, 74, 67, 65, 58, 58]),
    ];
    nothing.set_max_dynamic_shared_bytes(231_424).unwrap();
    for (bytes, table) in tables {
        for (size, expected) in (1..).zip(table) {
            let config = LaunchConfig::new(720_720, 32).with_shared_bytes(bytes);
            assert_eq!(
                clusters(config, Some([size, 1, 1])).unwrap(),
                expected,
                "{size} blocks, {bytes} bytes"
            );
        }
    }
}
