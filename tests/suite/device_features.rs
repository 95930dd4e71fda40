//! The features that the attributes of a device announce: each is used once. All attributes are here, features and numbers.

use cuda_sim::{Config, Profile};
use cuda_suite::raw::{allocate, context, function, page_locked, stream};
use cuda_suite::{Choice, code, driver, raw, skip};
use cuda_sys::CUdevice_attribute_enum as Attribute;
use cuda_sys::*;
use std::ptr::null_mut;

const PTX: &core::ffi::CStr = c".version 7.8 .target sm_90 .address_size 64
    .visible .entry nothing() { ret; }";
const OLD_PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry nothing() { ret; }";

/// A feature: the attribute that announces it, the bits of the attribute's value that do, and a use of it.
struct Feature(Attribute, u32, fn() -> CUresult);

const ALL: u32 = u32::MAX;

#[rustfmt::skip]
const FEATURES: &[Feature] = &[
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, ALL, mapped_host_memory),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, ALL, priority),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, ALL, managed),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, ALL, prefetch),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, ALL, cooperative),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH, ALL, cooperative_on_devices),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES, ALL, flush_remote_writes),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, ALL, || register(0)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, ALL, || register(CU_MEMHOSTREGISTER_READ_ONLY)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, ALL, reserve),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, ALL, || physical(DEVICE, 1)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, ALL, || physical(DEVICE, 2)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED, ALL, || physical(DEVICE, 4)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED, ALL, || physical(DEVICE, 8)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, ALL, || physical(NODE, 0)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, ALL, || physical(HOST, 0)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, ALL, compressible),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED, ALL, || array(CUDA_ARRAY3D_SPARSE)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED, ALL, || array(CUDA_ARRAY3D_DEFERRED_MAPPING)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, ALL, || pool(PINNED, DEVICE, 0)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED, ALL, || pool(PINNED, NODE, 0)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED, ALL, || pool(PINNED, HOST, 0)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED, ALL, || pool(MANAGED, DEVICE, 0)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, 1, || pool(PINNED, DEVICE, 1)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, 8, || pool(PINNED, DEVICE, 8)),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS, 1, flush_gpu_direct_writes),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, ALL, cluster),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, ALL, write_value),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, ALL, wait_nor),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, ALL, dma_buf),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED, ALL, ipc_event),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT, !1, memory_domain),
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, ALL, tensor_map),
    // Objects of multicast take part of the machine's switches: only their size is asked for.
    Feature(Attribute::CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, ALL, multicast),
];

/// Attributes that are numbers, or tell facts for which there is no function.
#[rustfmt::skip]
const NUMBERS: &[core::ops::RangeInclusive<u32>] = &[
    1..=18, // sizes, clocks, copies beside kernels, the limit of times, whether it is integrated
    20..=40, // the compute mode, sizes of images, kernels side by side, ECC, places, the driver model, caches
    41..=77, // unified addressing, which other tests use throughout; sizes of images; the compute capability
    79..=82, 84..=88, // caches, sizes, boards, atomic operations and pageable memory of the host
    90..=94, // preemption; pointers to registered memory; the first versions of memory operations
    97..=97, 100..=101, 106..=106, 108..=111, // sizes; page tables; whether GPUDirect RDMA reaches mapped memory
    114..=114, 116..=116, 118..=118, // semaphores and network cards of others
    129..=131, 133..=135, // function pointers; NUMA nodes; services
    136..=140, // decompression, which has a test of its own; identities
    143..=143, 146..=147, // nodes of several machines; dma-bufs of the host; atomic operations
];

const DEVICE: u32 = 1;
const HOST: u32 = 2;
const NODE: u32 = 3;
const PINNED: u32 = 1;
const MANAGED: u32 = 2;
const MIB: usize = 1 << 20;

fn location(kind: u32) -> CUmemLocation {
    CUmemLocation {
        type_: CUmemLocationType_enum(kind),
        __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 { id: 0 },
    }
}

fn mapped_host_memory() -> CUresult {
    let mut address = null_mut();
    let allocated = code!(cuMemHostAlloc(&raw mut address, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
    let mut device = 0;
    match allocated {
        CUresult::CUDA_SUCCESS => code!(cuMemHostGetDevicePointer_v2(&raw mut device, address, 0)),
        code => code,
    }
}

fn priority() -> CUresult {
    let mut stream = null_mut();
    code!(cuStreamCreateWithPriority(&raw mut stream, 1, -1))
}

fn managed_memory() -> (CUresult, CUdeviceptr) {
    let mut address = 0;
    (code!(cuMemAllocManaged(&raw mut address, 4096, 1)), address)
}

fn managed() -> CUresult {
    managed_memory().0
}

fn prefetch() -> CUresult {
    match managed_memory() {
        (CUresult::CUDA_SUCCESS, address) => code!(cuMemPrefetchAsync(address, 4096, 0, null_mut())),
        (code, _) => code,
    }
}

fn nothing() -> CUfunction {
    function(OLD_PTX, c"nothing")
}

fn cooperative() -> CUresult {
    code!(cuLaunchCooperativeKernel(nothing(), 1, 1, 1, 32, 1, 1, 0, null_mut(), null_mut()))
}

fn cooperative_on_devices() -> CUresult {
    let mut launch = CUDA_LAUNCH_PARAMS {
        function: nothing(),
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 32,
        blockDimY: 1,
        blockDimZ: 1,
        hStream: stream(1),
        ..CUDA_LAUNCH_PARAMS::default()
    };
    code!(cuLaunchCooperativeKernelMultiDevice(&raw mut launch, 1, 0))
}

fn flush_remote_writes() -> CUresult {
    let mut operation = CUstreamBatchMemOpParams::default();
    operation.operation = CUstreamBatchMemOpType_enum::CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES;
    code!(cuStreamBatchMemOp_v2(stream(1), 1, &raw mut operation, 0))
}

fn register(flags: u32) -> CUresult {
    let memory = cuda_rt::memory::AlignedBuf::<u8>::zeroed(64 << 10).unwrap();
    // It stays for as long as the process, since nothing unregisters it.
    let memory = core::mem::ManuallyDrop::new(memory);
    code!(cuMemHostRegister_v2(memory.as_ptr().cast_mut().cast(), memory.len(), flags))
}

fn reserve() -> CUresult {
    let mut address = 0;
    match code!(cuMemAddressReserve(&raw mut address, 2 * MIB, 0, 0, 0)) {
        CUresult::CUDA_SUCCESS => code!(cuMemAddressFree(address, 2 * MIB)),
        code => code,
    }
}

fn created(properties: &CUmemAllocationProp) -> CUresult {
    let mut memory = 0;
    match code!(cuMemCreate(&raw mut memory, 2 * MIB, properties, 0)) {
        CUresult::CUDA_SUCCESS => code!(cuMemRelease(memory)),
        code => code,
    }
}

fn properties(place: u32, handles: u32) -> CUmemAllocationProp {
    CUmemAllocationProp {
        type_: CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        requestedHandleTypes: CUmemAllocationHandleType(handles),
        location: location(place),
        ..CUmemAllocationProp::default()
    }
}

fn physical(place: u32, handles: u32) -> CUresult {
    created(&properties(place, handles))
}

fn compressible() -> CUresult {
    let mut properties = properties(DEVICE, 0);
    properties.allocFlags.compressionType = 1;
    created(&properties)
}

fn array(flags: u32) -> CUresult {
    let (mut array, format) = (null_mut(), CUarray_format_enum::CU_AD_FORMAT_FLOAT);
    let descriptor = CUDA_ARRAY3D_DESCRIPTOR {
        Width: 1024,
        Height: 1024,
        Depth: 0,
        Format: format,
        NumChannels: 1,
        Flags: flags,
    };
    code!(cuArray3DCreate_v2(&raw mut array, &raw const descriptor))
}

/// Makes a pool, takes memory of it, and exports it if it is made for that.
fn pool(of: u32, place: u32, handles: u32) -> CUresult {
    let (mut pool, mut address) = (null_mut(), 0);
    let properties = CUmemPoolProps {
        allocType: CUmemAllocationType_enum(of),
        handleTypes: CUmemAllocationHandleType(handles),
        location: location(place),
        ..CUmemPoolProps::default()
    };
    let made = code!(cuMemPoolCreate(&raw mut pool, &raw const properties));
    if !made.is_success() {
        return made;
    }
    let allocated = code!(cuMemAllocFromPoolAsync(&raw mut address, 64, pool, null_mut()));
    if !allocated.is_success() || handles != 1 {
        return allocated;
    }
    let mut file = -1_i32;
    code!(cuMemPoolExportToShareableHandle((&raw mut file).cast(), pool, properties.handleTypes, 0))
}

fn flush_gpu_direct_writes() -> CUresult {
    let target = CUflushGPUDirectRDMAWritesTarget_enum::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX;
    code!(cuFlushGPUDirectRDMAWrites(target, CUflushGPUDirectRDMAWritesScope_enum(100)))
}

fn launched(attribute: CUlaunchAttributeID, value: CUlaunchAttributeValue) -> CUresult {
    let mut attribute = CUlaunchAttribute { id: attribute, pad: [0; 4], value };
    let config = CUlaunchConfig {
        gridDimX: 2,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 32,
        blockDimY: 1,
        blockDimZ: 1,
        attrs: &raw mut attribute,
        numAttrs: 1,
        ..CUlaunchConfig::default()
    };
    code!(cuLaunchKernelEx(&raw const config, function(PTX, c"nothing"), null_mut(), null_mut()))
}

fn cluster() -> CUresult {
    let mut value = CUlaunchAttributeValue::default();
    value.clusterDim = CUlaunchAttributeValue_union__bindgen_ty_1 { x: 2, y: 1, z: 1 };
    launched(CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, value)
}

fn memory_domain() -> CUresult {
    let mut value = CUlaunchAttributeValue::default();
    value.memSyncDomain = CUlaunchMemSyncDomain_enum::CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE;
    launched(CUlaunchAttributeID_enum::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, value)
}

fn write_value() -> CUresult {
    code!(cuStreamWriteValue64_v2(stream(1), allocate(8), 1, 0))
}

fn wait_nor() -> CUresult {
    let (_, address) = page_locked(1);
    code!(cuStreamWaitValue32_v2(stream(1), address, 1, 3))
}

fn dma_buf() -> CUresult {
    let (mut file, memory) = (-1_i32, allocate(2 * MIB));
    let base = memory.next_multiple_of(4096);
    let kind = CUmemRangeHandleType_enum::CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD;
    code!(cuMemGetHandleForAddressRange((&raw mut file).cast(), base, 4096, kind, 0))
}

fn ipc_event() -> CUresult {
    let (mut event, mut handle) = (null_mut(), CUipcEventHandle::default());
    match code!(cuEventCreate(&raw mut event, 6)) {
        CUresult::CUDA_SUCCESS => code!(cuIpcGetEventHandle(&raw mut handle, event)),
        code => code,
    }
}

fn tensor_map() -> CUresult {
    #[repr(align(64))]
    struct Aligned(CUtensorMap);
    let (mut map, memory) = (Aligned(CUtensorMap::default()), allocate(4096));
    let (sizes, strides, tile, steps) = ([64_u64, 8], [256_u64], [16_u32, 8], [1_u32, 1]);
    code!(cuTensorMapEncodeTiled(
        &raw mut map.0,
        CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        2,
        memory as *mut core::ffi::c_void,
        sizes.as_ptr(),
        strides.as_ptr(),
        tile.as_ptr(),
        steps.as_ptr(),
        CUtensorMapInterleave_enum(0),
        CUtensorMapSwizzle_enum(0),
        CUtensorMapL2promotion_enum(0),
        CUtensorMapFloatOOBfill_enum(0),
    ))
}

fn multicast() -> CUresult {
    let (mut size, properties) =
        (0, CUmulticastObjectProp { numDevices: 1, size: 2 * MIB, ..Default::default() });
    let option = CUmulticastGranularity_flags_enum::CU_MULTICAST_GRANULARITY_MINIMUM;
    code!(cuMulticastGetGranularity(&raw mut size, &raw const properties, option))
}

/// The value of an attribute of the first device; `None` if the driver does not know it.
fn attribute(number: u32) -> Option<i32> {
    let mut value = 0;
    code!(cuDeviceGetAttribute(&raw mut value, CUdevice_attribute(number), 0)).is_success().then_some(value)
}

/// The announced features that cannot be used, and the number of announced features.
fn missing() -> (Vec<String>, usize) {
    assert!(code!(cuInit(0)).is_success());
    context(0);
    let announced = FEATURES.iter().filter(|Feature(number, bits, _)| {
        attribute(number.0).is_some_and(|value| value > 0 && value.cast_unsigned() & bits != 0)
    });
    let (mut missing, mut count) = (Vec::new(), 0);
    for Feature(number, bits, used) in announced {
        count += 1;
        let code = used();
        if !code.is_success() && !is_excused(*number, code) {
            missing.push(format!("attribute {} with {bits:#x}: {code:?}", number.0));
        }
    }
    (missing, count)
}

/// Refusals that a machine has its own reasons for: a handle of a fabric needs permission.
fn is_excused(number: Attribute, code: CUresult) -> bool {
    let fabric = [
        Attribute::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED,
        Attribute::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES,
    ];
    fabric.contains(&number) && code == CUresult::CUDA_ERROR_NOT_PERMITTED
}

#[test]
fn every_attribute_is_a_feature_or_a_number() {
    driver();
    assert!(code!(cuInit(0)).is_success());
    for number in (1..=200).filter(|number| attribute(*number).is_some()) {
        let is_feature = FEATURES.iter().any(|Feature(known, ..)| known.0 == number);
        let is_number = NUMBERS.iter().any(|known| known.contains(&number));
        assert!(is_feature != is_number || number > 147, "attribute {number}: {is_feature} {is_number}");
    }
}

#[test]
fn announced_features_are_there() {
    if driver() == Choice::Real {
        let (missing, count) = missing();
        assert!(count > 10 && missing.is_empty(), "{count}: {missing:?}");
        return;
    }
    if !crate::is_since(13, 0) {
        skip!("the devices of private machines have attributes whose functions this release lacks");
    }
    let profiles = [
        Profile::H200,
        Profile::H100,
        Profile::A100,
        Profile::T4,
        Profile::RTX_4090,
        Profile::GH200,
        Profile::THOR,
        Profile::GB10,
        Profile::H200.without_unified_addressing(),
        Profile::H200.with_pageable_memory_access(),
        Profile::H200.without_memory_pools(),
    ];
    for profile in profiles {
        let name = profile.name.clone();
        let (_machine, _entered) = raw::machine(Config { profiles: vec![profile], ..Config::default() });
        let (missing, count) = missing();
        assert!(count > 10 && missing.is_empty(), "{name}: {count}: {missing:?}");
    }
}
