//! Numbers of enumerations that were added after CUDA 11.0, each with the release that introduced it, in the format of
//! `CUDA_VERSION`.
//!
//! Edit by hand: a new release adds its rows. A test in `version_emulation.rs` finds missing rows of the five
//! enumerations whose last number the bindings name. The source is the headers of 11.7 to 13.5. For earlier releases it
//! is bindings made from their headers.

/// `CUdevice_attribute`.
#[rustfmt::skip]
pub(crate) static DEVICE_ATTRIBUTES: &[(u32, i32)] = &[
    (112, 11010), (113, 11010), (114, 11020), (115, 11020), (116, 11030), (117, 11030), (118, 11030),
    (119, 11030), (120, 11080), (121, 11060), (122, 11070), (123, 11070), (124, 11070), (125, 12000),
    (126, 12000), (127, 12000), (128, 12030), (129, 12000), (130, 12020), (131, 12020), (132, 12010),
    (133, 12030), (134, 12020), (135, 12050), (136, 12080), (137, 12080), (138, 12090), (139, 12080),
    (140, 12080), (141, 12090), (142, 12090), (143, 12080), (144, 13000), (145, 13000), (146, 13000),
    (147, 13000), (148, 13010), (149, 13040), (150, 13040), (151, 13030), (152, 13030), (153, 13030),
    (154, 13030), (155, 13030), (156, 13030), (157, 13040), (158, 13040), (159, 13050), (160, 13050),
    (161, 13040),
];

/// `CUdevice_P2PAttribute`.
#[rustfmt::skip]
pub(crate) static PEER_ATTRIBUTES: &[(u32, i32)] = &[(5, 13000)];

/// `CUfunction_attribute`.
#[rustfmt::skip]
pub(crate) static FUNCTION_ATTRIBUTES: &[(u32, i32)] = &[
    (10, 11080), (11, 11080), (12, 11080), (13, 11080), (14, 11080), (15, 11080), (16, 13030), (17, 13040),
];

/// `CUlimit`.
#[rustfmt::skip]
pub(crate) static LIMITS: &[(u32, i32)] = &[(7, 12050), (8, 12050), (9, 12050), (10, 13040)];

/// `CUpointer_attribute`.
#[rustfmt::skip]
pub(crate) static POINTER_ATTRIBUTES: &[(u32, i32)] = &[
    (16, 11010), (17, 11030), (18, 11070), (19, 11070), (20, 11070), (21, 12080), (22, 13040),
];

/// `CUmem_range_attribute`.
#[rustfmt::skip]
pub(crate) static RANGE_ATTRIBUTES: &[(u32, i32)] = &[(5, 12020), (6, 12020), (7, 12020), (8, 12020)];

/// `CUmemPool_attribute`.
#[rustfmt::skip]
pub(crate) static POOL_ATTRIBUTES: &[(u32, i32)] = &[
    (1, 11020), (2, 11020), (3, 11020), (4, 11020), (5, 11030), (6, 11030), (7, 11030), (8, 11030),
    (9, 13020), (10, 13020), (11, 13020), (12, 13020), (13, 13020), (14, 13020), (15, 13040),
];

/// `CUjit_option`.
#[rustfmt::skip]
pub(crate) static JIT_OPTIONS: &[(u32, i32)] = &[
    (20, 11040), (21, 11040), (22, 11040), (23, 11040), (24, 11040), (25, 11070), (26, 11070), (27, 11070),
    (28, 11070), (29, 11070), (30, 12000), (31, 12030), (32, 12040), (33, 12040), (34, 13000), (35, 13010),
];

/// `CUlaunchAttributeID`.
#[rustfmt::skip]
pub(crate) static LAUNCH_ATTRIBUTES: &[(u32, i32)] = &[
    (0, 11080), (1, 11080), (2, 11080), (3, 11080), (4, 11080), (5, 11080), (6, 11080), (7, 11080),
    (8, 11080), (9, 12000), (10, 12000), (11, 12080), (12, 12030), (13, 12040), (14, 12050), (16, 13000),
    (17, 13020), (18, 13020),
];

/// `CUcoredumpSettings`.
#[rustfmt::skip]
pub(crate) static COREDUMP_ATTRIBUTES: &[(u32, i32)] = &[(7, 12050)];

/// `CUctx_flags`.
#[rustfmt::skip]
pub(crate) static CONTEXT_FLAGS: &[(u32, i32)] = &[(32, 12010), (64, 12010), (128, 12010)];

/// `CUdevResourceType`.
#[rustfmt::skip]
pub(crate) static RESOURCE_TYPES: &[(u32, i32)] = &[(1000, 13010), (10000, 13010)];

/// `CU_MEMHOSTREGISTER_...`.
#[rustfmt::skip]
pub(crate) static HOST_REGISTER_FLAGS: &[(u32, i32)] = &[(8, 11010)];

/// `CUresult`.
#[rustfmt::skip]
pub(crate) static CODES: &[(u32, i32)] = &[
    (34, 11010), (36, 13000), (46, 11070), (47, 13040), (102, 11010), (222, 11010), (223, 11020),
    (224, 11040), (225, 12010), (226, 12080), (227, 13040), (402, 12030), (721, 12080), (805, 11040),
    (806, 11040), (807, 11040), (808, 11040), (809, 11040), (810, 11080), (811, 12000), (812, 12000),
    (911, 11040), (912, 11080), (913, 12040), (914, 12040), (915, 12040), (916, 12080), (917, 13010),
    (918, 13030), (919, 13040),
];
