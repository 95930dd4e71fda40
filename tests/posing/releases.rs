//! Releases from the oldest to the newest.

use crate::{INVALID, OK, device_attribute, empty_kernel, load, machine, make_context};
use core::ffi::{CStr, c_char, c_uint, c_void};
use core::ptr::null_mut;
use cuda_sim::Config;
use cuda_sys::*;

/// A release of CUDA, and the version of the PTX language that came with it.
type Release = ((u16, u16), (u32, u32));

/// Every release from 11.0 on, with the newest version of the PTX language that it takes.
const RELEASES: &[Release] = &[
    ((11, 0), (7, 0)),
    ((11, 1), (7, 1)),
    ((11, 2), (7, 2)),
    ((11, 3), (7, 3)),
    ((11, 4), (7, 4)),
    ((11, 5), (7, 5)),
    ((11, 6), (7, 6)),
    ((11, 7), (7, 7)),
    ((11, 8), (7, 8)),
    ((12, 0), (8, 0)),
    ((12, 1), (8, 1)),
    ((12, 2), (8, 2)),
    ((12, 3), (8, 3)),
    ((12, 4), (8, 4)),
    ((12, 5), (8, 5)),
    ((12, 6), (8, 5)),
    ((12, 7), (8, 6)),
    ((12, 8), (8, 7)),
    ((12, 9), (8, 8)),
    ((13, 0), (9, 0)),
    ((13, 1), (9, 1)),
    ((13, 2), (9, 2)),
    ((13, 3), (9, 3)),
    ((13, 4), (9, 4)),
    ((13, 5), (9, 5)),
];

/// The answer of the simulator for features that it lacks.
const LACKING: CUresult = CUresult::CUDA_ERROR_NOT_SUPPORTED;
const NOT_PERMITTED: CUresult = CUresult::CUDA_ERROR_NOT_PERMITTED;

/// Runs a case on the driver of every release, with a context.
fn on_every_release(case: impl Fn(DriverVersion, (u32, u32))) {
    for ((major, minor), ptx) in RELEASES {
        let release = DriverVersion::new(*major, *minor);
        let machine = machine(Config { driver_version: release, ..Config::default() });
        let entered = machine.enter();
        make_context();
        case(release, *ptx);
        drop(entered);
    }
}

/// Asserts the answer of a release that knows a number, or the refusal of an older release.
#[track_caller]
fn assert_since(answer: CUresult, known: CUresult, since: (u16, u16), release: DriverVersion, what: &str) {
    let wanted = if release >= DriverVersion::new(since.0, since.1) { known } else { INVALID };
    assert_eq!(answer, wanted, "{what} on {release}");
}

/// The kernel of [`empty_kernel`], in the language of the oldest release.
fn function() -> CUfunction {
    let module = load(&empty_kernel((7, 0), 80)).unwrap();
    let mut function = null_mut();
    // SAFETY: `function` is valid for a write, and the name ends.
    assert_eq!(unsafe { cuModuleGetFunction(&raw mut function, module, c"k".as_ptr()) }, OK);
    function
}

#[test]
fn driver_has_the_configured_release() {
    on_every_release(|release, _| {
        let mut version = 0;
        // SAFETY: `version` is valid for a write.
        assert_eq!(unsafe { cuDriverGetVersion(&raw mut version) }, OK);
        assert_eq!(version, release.0);
    });
}

#[test]
fn ptx_is_taken_up_to_the_language_of_the_release() {
    on_every_release(|release, newest| {
        let versions = RELEASES.iter().map(|(_, version)| *version);
        for version in versions.chain([(6, 4), (99, 0)]) {
            let answer = load(&empty_kernel(version, 70)).map(drop);
            // Its own code came with 11.1.
            let refusal = if release < DriverVersion::new(11, 1) {
                CUresult::CUDA_ERROR_INVALID_PTX
            } else {
                CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
            };
            let wanted = if version <= newest { Ok(()) } else { Err(refusal) };
            assert_eq!(answer, wanted, ".version {version:?} on {release}");
        }
    });
}

#[test]
fn device_attributes_come_with_their_release() {
    use CUdevice_attribute_enum as Attribute;
    let cases = [
        (Attribute::CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, (11, 0), Ok(1024)),
        (Attribute::CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED, (11, 1), Ok(1)),
        (Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, (11, 2), Ok(1)),
        (Attribute::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, (11, 3), Ok(9)),
        (Attribute::CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED, (11, 6), Ok(1)),
        (Attribute::CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, (11, 7), Ok(1)),
        (Attribute::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, (11, 8), Ok(1)),
        (Attribute::CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT, (12, 0), Ok(4)),
        (Attribute::CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, (12, 1), Ok(1)),
        (Attribute::CU_DEVICE_ATTRIBUTE_NUMA_ID, (12, 2), Ok(-1)),
        (Attribute::CU_DEVICE_ATTRIBUTE_MPS_ENABLED, (12, 3), Ok(0)),
        (Attribute::CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED, (12, 5), Ok(0)),
        (Attribute::CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK, (12, 8), Ok(0)),
        (Attribute::CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED, (12, 9), Ok(0)),
        (Attribute::CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED, (13, 0), Ok(1)),
        // These were measured on no device, so there is no value to return.
        (Attribute::CU_DEVICE_ATTRIBUTE_ATOMIC_REDUCTION_SUPPORTED, (13, 1), Err(LACKING)),
        (Attribute::CU_DEVICE_ATTRIBUTE_DMA_BUF_MMAP_SUPPORTED, (13, 3), Err(LACKING)),
        (Attribute::CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT, (13, 4), Err(LACKING)),
        (Attribute::CU_DEVICE_ATTRIBUTE_TENSOR_MAP_LARGE_TENSOR_MIN_SIZE, (13, 5), Err(LACKING)),
    ];
    on_every_release(|release, _| {
        for (attribute, (major, minor), known) in cases {
            let wanted = if release >= DriverVersion::new(major, minor) { known } else { Err(INVALID) };
            assert_eq!(device_attribute(attribute), wanted, "{attribute:?} on {release}");
        }
        assert_eq!(device_attribute(Attribute(999)), Err(INVALID));
    });
}

#[test]
fn other_attributes_come_with_their_release() {
    on_every_release(|release, _| {
        let mut number = 0;
        let partial =
            CUdevice_P2PAttribute_enum::CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED;
        // SAFETY: `number` is valid for a write.
        let answer = unsafe { cuDeviceGetP2PAttribute(&raw mut number, partial, 0, 1) };
        assert_since(answer, OK, (13, 0), release, "a peer attribute");

        let function = function();
        let cases = [
            (CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NUM_REGS, (11, 0), OK),
            (CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, (11, 8), OK),
            (CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_DEVICE_NODE_UPDATE_SUPPORTED, (13, 3), LACKING),
            (CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_SHARED_MEMORY_MODE, (13, 4), LACKING),
        ];
        for (attribute, since, known) in cases {
            // SAFETY: `number` is valid for a write.
            let answer = unsafe { cuFuncGetAttribute(&raw mut number, attribute, function) };
            assert_since(answer, known, since, release, &format!("{attribute:?}"));
        }

        for (limit, since, known) in [
            (CUlimit_enum::CU_LIMIT_STACK_SIZE, (11, 0), OK),
            (CUlimit_enum::CU_LIMIT_SHMEM_SIZE, (12, 5), OK),
            (CUlimit_enum::CU_LIMIT_PER_BLOCK_MEMORY_SIZE, (13, 4), LACKING),
        ] {
            let mut value = 0;
            // SAFETY: `value` is valid for a write.
            let answer = unsafe { cuCtxGetLimit(&raw mut value, limit) };
            assert_since(answer, known, since, release, &format!("{limit:?}"));
            // SAFETY: only numbers are passed.
            let answer = unsafe { cuCtxSetLimit(limit, value) };
            // Shared memory is a limit that cannot be set (measured).
            let known = if limit == CUlimit_enum::CU_LIMIT_SHMEM_SIZE { NOT_PERMITTED } else { known };
            assert_since(answer, known, since, release, &format!("setting {limit:?}"));
        }
    });
}

#[test]
fn pointer_attributes_come_with_their_release() {
    use CUpointer_attribute_enum as Attribute;
    on_every_release(|release, _| {
        let mut address = 0;
        // SAFETY: `address` is valid for a write.
        assert_eq!(unsafe { cuMemAlloc_v2(&raw mut address, 64) }, OK);
        for (attribute, since, known) in [
            (Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE, (11, 0), OK),
            (Attribute::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, (11, 1), OK),
            (Attribute::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, (11, 3), OK),
            (Attribute::CU_POINTER_ATTRIBUTE_MAPPING_SIZE, (11, 7), OK),
            (Attribute::CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE, (12, 8), OK),
            (Attribute::CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL, (13, 4), OK),
        ] {
            let mut value = 0_u64;
            let to: *mut c_void = (&raw mut value).cast();
            // SAFETY: `value` has room for any attribute.
            let answer = unsafe { cuPointerGetAttribute(to, attribute, address) };
            assert_since(answer, known, since, release, &format!("{attribute:?}"));
            let (mut list, mut places) = ([attribute], [to]);
            // SAFETY: both lists have one element.
            let answer =
                unsafe { cuPointerGetAttributes(1, list.as_mut_ptr(), places.as_mut_ptr(), address) };
            assert_since(answer, known, since, release, &format!("{attribute:?} in a list"));
        }
    });
}

#[test]
fn pools_came_with_11_2_and_their_counters_with_11_3() {
    use CUmemPool_attribute_enum as Attribute;
    on_every_release(|release, _| {
        let mut pool = null_mut();
        // SAFETY: `pool` is valid for a write.
        let answer = unsafe { cuDeviceGetDefaultMemPool(&raw mut pool, 0) };
        if release < DriverVersion::new(11, 2) {
            assert_eq!(answer, CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, "{release}");
            return;
        }
        assert_eq!(answer, OK);
        for (attribute, since, known) in [
            (Attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, (11, 2), OK),
            (Attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT, (11, 3), OK),
            (Attribute::CU_MEMPOOL_ATTR_ALLOCATION_TYPE, (13, 2), OK),
            (Attribute::CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID, (13, 4), OK),
        ] {
            let mut value = 0_u64;
            // SAFETY: `value` has room for any attribute.
            let answer = unsafe { cuMemPoolGetAttribute(pool, attribute, (&raw mut value).cast()) };
            assert_since(answer, known, since, release, &format!("{attribute:?}"));
        }
    });
}

#[test]
fn jit_options_come_with_their_release() {
    use CUjit_option_enum as Jit;
    on_every_release(|release, _| {
        let text = std::ffi::CString::new(empty_kernel((7, 0), 80)).unwrap();
        for (option, since) in [
            (Jit::CU_JIT_GENERATE_LINE_INFO, (11, 0)),
            (Jit::CU_JIT_FMA, (11, 4)),
            (Jit::CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES, (11, 7)),
            (Jit::CU_JIT_POSITION_INDEPENDENT_CODE, (12, 0)),
            (Jit::CU_JIT_MIN_CTA_PER_SM, (12, 3)),
            (Jit::CU_JIT_OVERRIDE_DIRECTIVE_VALUES, (12, 4)),
            (Jit::CU_JIT_SPLIT_COMPILE, (13, 0)),
            (Jit::CU_JIT_BINARY_LOADER_THREAD_COUNT, (13, 1)),
        ] {
            let (mut module, mut options, mut values) = (null_mut(), [option], [null_mut::<c_void>()]);
            // SAFETY: one option with its value, and a text that ends.
            let answer = unsafe {
                cuModuleLoadDataEx(
                    &raw mut module,
                    text.as_ptr().cast(),
                    1,
                    options.as_mut_ptr(),
                    values.as_mut_ptr(),
                )
            };
            assert_since(answer, OK, since, release, &format!("{option:?}"));
        }
    });
}

#[test]
fn codes_have_names_from_their_release_on() {
    on_every_release(|release, _| {
        for (code, since) in [
            (CUresult::CUDA_ERROR_INVALID_VALUE, (11, 0)),
            (CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION, (11, 1)),
            (CUresult::CUDA_ERROR_JIT_COMPILATION_DISABLED, (11, 2)),
            (CUresult::CUDA_ERROR_EXTERNAL_DEVICE, (11, 4)),
            (CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE, (11, 7)),
            (CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE, (11, 8)),
            (CUresult::CUDA_ERROR_CDP_VERSION_MISMATCH, (12, 0)),
            (CUresult::CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, (12, 1)),
            (CUresult::CUDA_ERROR_LOSSY_QUERY, (12, 3)),
            (CUresult::CUDA_ERROR_FUNCTION_NOT_LOADED, (12, 4)),
            (CUresult::CUDA_ERROR_CONTAINED, (12, 8)),
            (CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, (13, 0)),
            (CUresult::CUDA_ERROR_STREAM_DETACHED, (13, 1)),
            (CUresult::CUDA_ERROR_GRAPH_RECAPTURE_FAILURE, (13, 3)),
            (CUresult::CUDA_ERROR_FABRIC_NOT_READY, (13, 4)),
        ] {
            type Ask = unsafe fn(CUresult, *mut *const c_char) -> CUresult;
            for (ask, text) in
                [(cuGetErrorName as Ask, code.name()), (cuGetErrorString as Ask, code.description())]
            {
                let mut pointer = c"untouched".as_ptr();
                // SAFETY: `pointer` is valid for a write.
                let answer = unsafe { ask(code, &raw mut pointer) };
                assert_since(answer, OK, since, release, &format!("{code:?}"));
                let said = (!pointer.is_null()).then(|| {
                    // SAFETY: the driver's texts live for ever.
                    unsafe { CStr::from_ptr(pointer) }.to_str().unwrap()
                });
                assert_eq!(said, text.filter(|_| answer.is_success()), "{code:?} on {release}");
            }
        }
    });
}

#[test]
fn launch_attributes_come_with_their_release() {
    use CUlaunchAttributeID_enum as Attribute;
    on_every_release(|release, _| {
        let function = function();
        const NO_EVENT: CUresult = CUresult::CUDA_ERROR_INVALID_HANDLE;
        for (id, since, known) in [
            (Attribute::CU_LAUNCH_ATTRIBUTE_IGNORE, (11, 8), OK),
            (Attribute::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, (12, 0), OK),
            (Attribute::CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT, (12, 3), NO_EVENT),
            (Attribute::CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE, (12, 4), LACKING),
            (Attribute::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, (12, 5), OK),
            (Attribute::CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION, (12, 8), OK),
            (Attribute::CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING, (13, 0), OK),
            (Attribute::CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE, (13, 2), OK),
            (Attribute(99), (99, 0), OK),
        ] {
            // SAFETY: zero is a value of every attribute.
            let mut attribute: CUlaunchAttribute = unsafe { core::mem::zeroed() };
            attribute.id = id;
            let config = CUlaunchConfig {
                gridDimX: 1,
                gridDimY: 1,
                gridDimZ: 1,
                blockDimX: 1,
                blockDimY: 1,
                blockDimZ: 1,
                sharedMemBytes: 0,
                hStream: null_mut(),
                attrs: &raw mut attribute,
                numAttrs: 1,
            };
            // SAFETY: the configuration has one attribute, and the kernel no parameters.
            let answer = unsafe { cuLaunchKernelEx(&raw const config, function, null_mut(), null_mut()) };
            if release < DriverVersion::new(11, 6) {
                assert_eq!(answer, CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, "{release}");
            } else {
                assert_since(answer, known, since, release, &format!("{id:?}"));
            }
        }
    });
}

#[test]
fn flags_come_with_their_release() {
    use CUctx_flags_enum as Flags;
    on_every_release(|release, _| {
        for (flags, since) in [
            (Flags::CU_CTX_SCHED_BLOCKING_SYNC, (11, 0)),
            (Flags::CU_CTX_COREDUMP_ENABLE, (12, 1)),
            (Flags::CU_CTX_SYNC_MEMOPS, (12, 1)),
        ] {
            // SAFETY: only numbers are passed.
            let answer = unsafe { cuDevicePrimaryCtxSetFlags_v2(1, flags.0) };
            assert_since(answer, OK, since, release, &format!("{flags:?}"));
        }
        let mut memory = vec![0_u8; 4096];
        let place: *mut c_void = memory.as_mut_ptr().cast();
        let read_only = CU_MEMHOSTREGISTER_READ_ONLY;
        // SAFETY: the memory lives until it is unregistered.
        let answer = unsafe { cuMemHostRegister_v2(place, memory.len(), read_only as c_uint) };
        assert_since(answer, OK, (11, 1), release, "registering to read only");
        if answer.is_success() {
            // SAFETY: it was registered.
            assert_eq!(unsafe { cuMemHostUnregister(place) }, OK);
        }
    });
}

/// A table made while the thread is on a machine has the functions of its release.
#[test]
fn driver_has_the_functions_of_the_release() {
    on_every_release(|release, _| {
        // SAFETY: the software driver's functions.
        let driver = unsafe { Driver::from_resolver("posing", cuda_sim::resolve) };
        assert_eq!(driver.version(), Some(release));
        for symbol in Symbol::all() {
            let is_there = symbol.is_on_this_system() && symbol.since() <= release;
            assert_eq!(driver.has(symbol), is_there, "{symbol} on {release}");
        }
    });
    // A driver that is not on a machine is that of the process.
    assert!(cuda_sim::resolve(c"cuStreamGetDevResource").is_some());
}

/// The process's table has newer functions than some machines.
#[test]
fn newer_functions_answer_as_missing_ones() {
    on_every_release(|release, _| {
        let missing = CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER;
        let mut id = 0;
        // SAFETY: `id` is valid for a write.
        let answer = unsafe { cuCtxGetId(null_mut(), &raw mut id) };
        assert_eq!(answer != missing, release >= DriverVersion::new(12, 0), "{answer:?} on {release}");
        // One that is not simulated.
        // SAFETY: a stub is called, which ignores its arguments.
        let answer = unsafe { cuStreamEndCaptureToCig(null_mut()) };
        let wanted = if release >= DriverVersion::new(13, 1) { LACKING } else { missing };
        assert_eq!(answer, wanted, "{release}");
    });
}
