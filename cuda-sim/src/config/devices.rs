//! The numbers of devices: what an H200 answered, and how others differ.

use cuda_sys::CUdevice_attribute_enum as Attribute;

/// As an H200 answered.
pub(super) static LIMITS: &[(u32, Option<u64>)] = &[
    (0, Some(1024)),
    (1, Some(8_650_752)),
    (2, Some(8_388_608)),
    (3, None),
    (4, Some(2048)),
    (5, Some(64)),
    (6, Some(11_796_480)),
    (7, Some(232_448)),
    (8, Some(0)),
    (9, None),
];

#[rustfmt::skip]
pub(super) static H200_ATTRIBUTES: &[(u32, i32)] = &[
    (1, 1024), (2, 1024), (3, 1024), (4, 64), (5, 2147483647), (6, 65535), (7, 65535), (8, 49152),
    (9, 65536), (10, 32), (11, 2147483647), (12, 65536), (13, 1980000), (14, 512), (15, 1), (16, 132),
    (17, 0), (18, 0), (19, 1), (20, 0), (21, 131072), (22, 131072), (23, 65536), (24, 16384),
    (25, 16384), (26, 16384), (27, 32768), (28, 32768), (29, 2048), (30, 512), (31, 1), (32, 1),
    (33, 0), (34, 6), (35, 0), (36, 3201000), (37, 6016), (38, 62914560), (39, 2048), (40, 3), (41, 1),
    (42, 32768), (43, 2048), (44, 1), (45, 32768), (46, 32768), (47, 8192), (48, 8192), (49, 32768),
    (50, 0), (51, 32), (52, 32768), (53, 32768), (54, 2046), (55, 32768), (56, 131072), (57, 65536),
    (58, 16384), (59, 16384), (60, 16384), (61, 32768), (62, 2048), (63, 32768), (64, 32768),
    (65, 2048), (66, 32768), (67, 32768), (68, 2046), (69, 268435456), (70, 131072), (71, 65000),
    (72, 2097120), (73, 32768), (74, 32768), (75, 9), (76, 0), (77, 32768), (78, 1), (79, 1), (80, 1),
    (81, 233472), (82, 65536), (83, 1), (84, 0), (85, 0), (86, 0), (87, 2), (88, 0), (89, 1), (90, 1),
    (91, 1), (92, 0), (93, 0), (94, 0), (95, 1), (96, 1), (97, 232448), (98, 0), (99, 1), (100, 0),
    (101, 0), (102, 1), (103, 1), (104, 0), (105, 0), (106, 32), (107, 1), (108, 39321600),
    (109, 134217728), (110, 1), (111, 1024), (112, 1), (113, 1), (114, 1), (115, 1), (116, 1),
    (117, 1), (118, 100), (119, 9), (120, 1), (121, 1), (122, 1), (123, 1), (124, 1), (125, 1),
    (126, 4), (127, 1), (128, 1), (129, 1), (130, 0), (131, -1), (132, 1), (133, 0), (134, 0),
    (135, 0), (136, 0), (137, 0), (138, 0), (139, 590680286), (140, 415174878), (141, 1), (142, 1),
    (143, 0), (144, 1), (145, 1), (146, 0), (147, 0),
];

/// Those of a device before compute capability 9.0, where kernels could wait for those that they launched. `persisting`
/// is the H200's share of the L2 cache, if the device can set some aside; `shared` is the most for a block.
const fn limits_before_hopper(persisting: Option<u64>, shared: u64) -> [(u32, Option<u64>); 10] {
    [
        (0, Some(1024)),
        (1, Some(8_650_752)),
        (2, Some(8_388_608)),
        (3, Some(2)),
        (4, Some(2048)),
        (5, Some(64)),
        (6, persisting),
        (7, Some(shared)),
        (8, Some(0)),
        (9, None),
    ]
}

pub(super) static A100_LIMITS: &[(u32, Option<u64>)] = &limits_before_hopper(Some(7_864_320), 166_912);
pub(super) static T4_LIMITS: &[(u32, Option<u64>)] = &limits_before_hopper(None, 65_536);
pub(super) static RTX_4090_LIMITS: &[(u32, Option<u64>)] = &limits_before_hopper(Some(14_155_776), 101_376);

pub(super) static A100_CHANGES: &[(u32, i32)] = &[
    (Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR.0, 8),
    (Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT.0, 108),
    (Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE.0, 1_410_000),
    (Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE.0, 1_215_000),
    (Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH.0, 5120),
    (Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE.0, 41_943_040),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE.0, 26_214_400),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR.0, 167_936),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN.0, 166_912),
    (Attribute::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES.0, 1),
    (Attribute::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT.0, 1),
    (Attribute::CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID.0, 0x20b0_10de),
];

pub(super) static T4_CHANGES: &[(u32, i32)] = &[
    (Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR.0, 7),
    (Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR.0, 5),
    (Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT.0, 40),
    (Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE.0, 1_590_000),
    (Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE.0, 5_001_000),
    (Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH.0, 256),
    (Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE.0, 4_194_304),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR.0, 1024),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR.0, 16),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR.0, 65_536),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN.0, 65_536),
    (Attribute::CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO.0, 32),
    (Attribute::CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES.0, 1),
    (Attribute::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT.0, 1),
    (Attribute::CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID.0, 0x1eb8_10de),
];

pub(super) static RTX_4090_CHANGES: &[(u32, i32)] = &[
    (Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR.0, 8),
    (Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR.0, 9),
    (Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT.0, 128),
    (Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE.0, 2_520_000),
    (Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE.0, 10_501_000),
    (Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH.0, 384),
    (Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE.0, 75_497_472),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE.0, 51_904_512),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR.0, 1536),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR.0, 24),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR.0, 102_400),
    (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN.0, 101_376),
    (Attribute::CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT.0, 2),
    (Attribute::CU_DEVICE_ATTRIBUTE_ECC_ENABLED.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO.0, 64),
    (Attribute::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES.0, 1),
    (Attribute::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT.0, 1),
    (Attribute::CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED.0, 0),
    (Attribute::CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID.0, 0x2684_10de),
];

pub(super) static GH200_CHANGES: &[(u32, i32)] = &[
    (Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE.0, 2_619_000),
    (Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH.0, 6144),
    (Attribute::CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED.0, 1),
    (Attribute::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS.0, 1),
    (Attribute::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES.0, 1),
    (Attribute::CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST.0, 1),
    (Attribute::CU_DEVICE_ATTRIBUTE_NUMA_CONFIG.0, 1),
    (Attribute::CU_DEVICE_ATTRIBUTE_NUMA_ID.0, 1),
    (Attribute::CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID.0, 0x2342_10de),
];
