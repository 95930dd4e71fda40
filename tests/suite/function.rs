//! Queries and settings of kernels, and the layout of their parameters.

use cuda_rt::context::{CacheConfig, SharedMemConfig};
use cuda_rt::device::ComputeCapability;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::module::{ClusterSchedulingPolicy, FunctionAttribute, ParameterInfo};
use cuda_rt::{Error, Function, Module};
use cuda_suite::{context, device, invalid, skip};

const PTX: &str = "
.version 6.4
.target sm_50
.address_size 64
.visible .const .align 4 .b8 table[300];
.visible .entry nothing() { ret; }
.visible .entry small() .maxntid 16, 8, 1 { ret; }
.visible .entry exact() .reqntid 64, 2, 1 { ret; }
.visible .entry shared(.param .u64 out) {
    .shared .align 4 .b8 tile[1000];
    .reg .b64 %out;
    .reg .b32 %x;
    ld.param.u64 %out, [out];
    mov.u32 %x, %tid.x;
    st.volatile.shared.u32 [tile], %x;
    ld.volatile.shared.u32 %x, [tile+4];
    st.global.u32 [%out], %x;
    ret;
}
.visible .entry local(.param .u64 out, .param .u32 at) {
    .local .align 4 .b8 stack[400];
    .reg .b64 %out, %place, %at;
    .reg .b32 %x;
    ld.param.u64 %out, [out];
    ld.param.u32 %x, [at];
    cvt.u64.u32 %at, %x;
    mov.u64 %place, stack;
    add.u64 %place, %place, %at;
    st.local.u32 [%place], %x;
    ld.local.u32 %x, [stack+40];
    st.global.u32 [%out], %x;
    ret;
}
.visible .entry places(.param .u8 a, .param .u64 b, .param .u16 c, .param .align 16 .b8 d[16],
    .param .align 2 .b8 e[6], .param .u32 f, .param .align 1 .b8 g[3], .param .f64 h) { ret; }
";

fn module() -> Module {
    Module::from_ptx(&context(), PTX).unwrap()
}

fn function(name: &str) -> Function {
    module().function(name).unwrap()
}

/// The error's text after the driver's code.
fn detail(error: &Error) -> String {
    error.to_string().split("): ").last().unwrap().to_owned()
}

#[test]
fn all_attributes_read_documented_ones_set() {
    let nothing = function("nothing");
    let mut known = 0;
    for attribute in FunctionAttribute::all() {
        let value = match nothing.attribute(attribute) {
            // The software driver lacks what came after the releases that were measured.
            Err(error) if error.code() == Some(Code::NotSupported) => continue,
            Err(error) => {
                assert_eq!(error.code(), Some(Code::InvalidValue), "{attribute}");
                assert_eq!(detail(&error), format!("attribute {attribute}"));
                continue;
            }
            Ok(value) => value,
        };
        known += 1;
        // SAFETY: it stays as it is.
        let set = unsafe { nothing.set_attribute(attribute, value) };
        if attribute.is_settable() {
            set.unwrap();
        } else {
            let error = set.unwrap_err();
            assert_eq!(error.code(), Some(Code::InvalidValue), "{attribute}");
            assert_eq!(detail(&error), format!("attribute {attribute}, value {value}: it can only be read"));
        }
    }
    assert!(known >= 10, "{known}");
    let error = nothing.attribute(FunctionAttribute(999)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
}

#[test]
fn attributes_match_the_text() {
    let ComputeCapability { major, minor } = device().compute_capability().unwrap();
    for (name, threads) in [("nothing", 1024), ("small", 128), ("exact", 1024)] {
        let kernel = function(name);
        assert_eq!(kernel.max_threads_per_block().unwrap(), threads, "{name}");
        assert_eq!(kernel.shared_size_bytes().unwrap(), 0);
        assert_eq!(kernel.local_size_bytes().unwrap(), 0);
        assert_eq!(kernel.const_size_bytes().unwrap(), 300);
        assert_eq!(kernel.ptx_version().unwrap(), 50);
        assert_eq!(kernel.binary_version().unwrap(), (10 * major + minor) as i32);
        assert!(!kernel.cache_mode_ca().unwrap());
        assert_eq!(kernel.preferred_shared_memory_carveout().unwrap(), -1);
        assert!((1..=255).contains(&kernel.num_regs().unwrap()));
    }
    let usual = device().max_shared_memory_per_block().unwrap();
    let shared = function("shared");
    assert_eq!(shared.shared_size_bytes().unwrap(), 1000);
    assert_eq!(shared.max_dynamic_shared_size_bytes().unwrap(), usual - 1000);
    assert_eq!(function("local").local_size_bytes().unwrap(), 400);
}

#[test]
fn handles_of_a_kernel_share_settings() {
    let module = module();
    let (one, other) = (module.function("nothing").unwrap(), module.function("nothing").unwrap());
    one.set_max_dynamic_shared_bytes(60_000).unwrap();
    assert_eq!(other.max_dynamic_shared_size_bytes().unwrap(), 60_000);
    one.set_shared_memory_carveout(Some(30)).unwrap();
    assert_eq!(other.preferred_shared_memory_carveout().unwrap(), 30);
    other.set_shared_memory_carveout(None).unwrap();
    assert_eq!(one.preferred_shared_memory_carveout().unwrap(), -1);
    assert_eq!(one.set_shared_memory_carveout(Some(101)).unwrap_err().code(), Some(Code::InvalidValue));
}

#[test]
fn dynamic_shared_memory_only_grows() {
    let nothing = function("nothing");
    nothing.set_max_dynamic_shared_bytes(90_000).unwrap();
    nothing.set_max_dynamic_shared_bytes(100).unwrap();
    assert_eq!(nothing.max_dynamic_shared_size_bytes().unwrap(), 90_000);
    let nothing = &function("nothing");
    std::thread::scope(|scope| {
        for thread in 0..4_u32 {
            scope.spawn(move || {
                for step in 0..50 {
                    nothing.set_max_dynamic_shared_bytes(60_000 + step * 100 + thread).unwrap();
                }
            });
        }
    });
    assert_eq!(nothing.max_dynamic_shared_size_bytes().unwrap(), 60_000 + 49 * 100 + 3);
}

#[test]
fn more_shared_memory_than_there_is_names_the_limit() {
    let limit = device().max_shared_memory_per_block_optin().unwrap() as u32;
    let (nothing, shared) = (function("nothing"), function("shared"));
    nothing.set_max_dynamic_shared_bytes(limit).unwrap();
    shared.set_max_dynamic_shared_bytes(limit - 1000).unwrap();
    let error = nothing.set_max_dynamic_shared_bytes(limit + 1).unwrap_err();
    let text = format!(
        "cuFuncSetAttribute: CUDA_ERROR_INVALID_VALUE (1: invalid argument): {} bytes of dynamic shared memory, where the \
         device has {limit} for a block",
        limit + 1
    );
    assert_eq!(error.to_string(), text);
    let error = shared.set_max_dynamic_shared_bytes(u32::MAX).unwrap_err();
    let text = format!(
        "4294967295 bytes of dynamic shared memory besides 1000 declared, where the device has {limit} for a block"
    );
    assert_eq!(detail(&error), text);
    assert_eq!(shared.max_dynamic_shared_size_bytes().unwrap(), limit as i32 - 1000);
}

#[test]
fn preferences_are_accepted() {
    let nothing = function("nothing");
    for config in
        [CacheConfig::PreferNone, CacheConfig::PreferShared, CacheConfig::PreferL1, CacheConfig::PreferEqual]
    {
        nothing.set_cache_config(config).unwrap();
    }
    let error = nothing.set_cache_config(CacheConfig::Other(4)).unwrap_err();
    assert_eq!((error.code(), &*detail(&error)), (Some(Code::InvalidValue), "setting 4"));
    #[allow(deprecated)]
    let set = |config| nothing.set_shared_mem_config(config);
    for config in [
        SharedMemConfig::DefaultBankSize,
        SharedMemConfig::FourByteBankSize,
        SharedMemConfig::EightByteBankSize,
    ] {
        set(config).unwrap();
    }
    assert_eq!(set(SharedMemConfig::Other(3)).unwrap_err().code(), Some(Code::InvalidValue));
}

#[test]
fn a_kernel_is_loaded_no_later_than_asked_for() {
    let nothing = function("nothing");
    match nothing.load() {
        Err(error) if error.kind() == ErrorKind::FunctionMissing => skip!("{error}"),
        loaded => loaded.unwrap(),
    }
    assert!(nothing.is_loaded().unwrap());
    nothing.load().unwrap();
}

#[test]
fn the_driver_tells_the_name() {
    match function("small").query_name() {
        Err(error) if error.kind() == ErrorKind::FunctionMissing => skip!("{error}"),
        name => assert_eq!(name.unwrap(), "small"),
    }
}

#[test]
fn parameters_lie_as_in_c() {
    let places = function("places").parameters().unwrap();
    let expected = [(0, 1), (8, 8), (16, 2), (32, 16), (48, 6), (56, 4), (60, 3), (64, 8)];
    assert_eq!(places, expected.map(|(offset, size)| ParameterInfo { offset, size }));
    assert_eq!(function("places").parameter_count().unwrap(), 8);
    assert_eq!(function("nothing").parameters().unwrap(), []);
    assert_eq!(function("nothing").parameter_count().unwrap(), 0);
}

#[test]
fn a_kernel_samples_the_references_of_its_module() {
    let ptx = ".version 7.0 .target sm_50 .address_size 64
        .global .texref image; .visible .entry nothing() { ret; }";
    let (module, other) =
        (Module::from_ptx(&context(), ptx).unwrap(), Module::from_ptx(&context(), ptx).unwrap());
    let nothing = module.function("nothing").unwrap();
    nothing.set_texref(&module.tex_ref("image").unwrap()).unwrap();
    let foreign = |reference| {
        let text = "not of the module of kernel `nothing`, which samples only references of its own module";
        invalid(format!("texture reference {reference}: {text}"))
    };
    assert_eq!(nothing.set_texref(&other.tex_ref("image").unwrap()), foreign("`image`"));
    let own = cuda_rt::TexRef::new(&context()).unwrap();
    assert_eq!(nothing.set_texref(&own), foreign("of no module"));
}

/// Kernels with clusters, if there are any here.
fn clusters() -> Option<Module> {
    const CLUSTERS: &str = ".version 7.8 .target sm_90 .address_size 64
        .visible .entry plain() { ret; }
        .visible .entry pairs() .reqnctapercluster 2, 1, 1 { ret; }
        .visible .entry must() .explicitcluster { ret; }
        .visible .entry few() .maxclusterrank 4 { ret; }";
    let capable =
        device().compute_capability().unwrap() >= ComputeCapability::new(9, 0) && crate::is_since(11, 8);
    capable.then(|| Module::from_ptx(&context(), CLUSTERS).unwrap())
}

#[test]
fn clusters_are_told_and_set() {
    let Some(module) = clusters() else { skip!("no clusters here") };
    let [plain, pairs, must, few] =
        ["plain", "pairs", "must", "few"].map(|name| module.function(name).unwrap());
    assert_eq!(pairs.required_cluster().unwrap(), Some([2, 1, 1]));
    assert_eq!(must.required_cluster().unwrap(), None);
    let musts = [&plain, &pairs, &must, &few].map(|kernel| kernel.cluster_size_must_be_set().unwrap());
    assert_eq!(musts, [false, false, true, false]);
    // SAFETY: the kernels do nothing with their clusters, here and below.
    unsafe { plain.set_required_cluster(Some([4, 2, 1])) }.unwrap();
    assert_eq!(plain.required_cluster().unwrap(), Some([4, 2, 1]));
    // SAFETY: see above.
    unsafe { plain.set_required_cluster(None) }.unwrap();
    assert_eq!(plain.required_cluster().unwrap(), None);
    // Compiled-in attributes stay. If an attribute cannot be set, those that were set before are restored.
    // SAFETY: see above.
    let error = unsafe { pairs.set_required_cluster(Some([4, 1, 1])) }.unwrap_err();
    assert_eq!(detail(&error), "attribute REQUIRED_CLUSTER_WIDTH, value 4");
    // SAFETY: see above.
    unsafe { few.set_required_cluster(Some([3, 1, 1])) }.unwrap();
    // SAFETY: see above.
    let error = unsafe { few.set_required_cluster(Some([2, 5, 1])) }.unwrap_err();
    assert_eq!(detail(&error), "attribute REQUIRED_CLUSTER_HEIGHT, value 5");
    assert_eq!(few.required_cluster().unwrap(), Some([3, 1, 1]));

    plain.set_non_portable_cluster_size_allowed(true).unwrap();
    assert!(plain.non_portable_cluster_size_allowed().unwrap());
    plain.set_cluster_scheduling_policy_preference(ClusterSchedulingPolicy::LOAD_BALANCING).unwrap();
    assert_eq!(plain.cluster_scheduling_policy_preference().unwrap(), 2);
    let error = plain.set_cluster_scheduling_policy_preference(ClusterSchedulingPolicy(1000)).unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidValue));
}
