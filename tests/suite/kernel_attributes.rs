//! Attributes of launches besides the shape.

use crate::{is_since, typed};
use cuda_rt::context::ContextFlags;
use cuda_rt::device::ComputeCapability;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::event::EventFlags;
use cuda_rt::launch::{
    AccessPolicyWindow, AccessProperty, MemSyncDomain, MultiDeviceFlags, PortableClusters, SharedMemoryMode,
};
use cuda_rt::launch::{LaunchAttributes, LaunchProblem};
use cuda_rt::module::{ClusterSchedulingPolicy, FunctionAttribute};
use cuda_rt::{Context, DeviceBuf, DevicePtr, Error, Event, Kernel, LaunchConfig, Module, Stream, sys};
use cuda_suite::{context, device, invalid, second_device, skip, stream};

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry nothing() { ret; }
    .visible .entry put(.param .u64 to, .param .u32 value) {
    .reg .b64 %a; .reg .b32 %r; ld.param.u64 %a, [to]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret; }
    // to[0] = the value after it went through the last word of the launch's shared memory
    .extern .shared .align 4 .b8 dynamic[];
    .visible .entry through(.param .u64 to, .param .u32 last) {
    .reg .b64 %a; .reg .b32 %r, %s; ld.param.u64 %a, [to]; ld.param.u32 %r, [last];
    mov.u32 %s, dynamic; add.u32 %s, %s, %r; st.shared.u32 [%s], %r; ld.shared.u32 %r, [%s];
    st.global.u32 [%a], %r; ret; }";

fn kernel<A: cuda_rt::launch::KernelArgs>(name: &str) -> Kernel<A> {
    typed(&Module::from_ptx(&context(), PTX).unwrap().function(name).unwrap())
}

/// Launches a kernel that does nothing, with attributes.
fn try_launch(blocks: u32, attributes: &LaunchAttributes<'_>) -> Result<(), Error> {
    let stream = stream();
    // SAFETY: the kernel touches nothing.
    unsafe {
        kernel::<()>("nothing").with(LaunchConfig::new(blocks, 1)).attributes(attributes).launch(&stream, ())
    }?;
    stream.synchronize()
}

/// The same with all blocks at the same time.
fn try_cooperative(blocks: u32, attributes: &LaunchAttributes<'_>) -> Result<(), Error> {
    let (nothing, stream) = (kernel::<()>("nothing"), stream());
    let launch = nothing.with(LaunchConfig::new(blocks, 1)).attributes(attributes).cooperative();
    // SAFETY: the kernel touches nothing.
    unsafe { launch.launch(&stream, ()) }?;
    stream.synchronize()
}

fn refused(blocks: u32, attributes: &LaunchAttributes<'_>) -> Option<Code> {
    try_launch(blocks, attributes).unwrap_err().code()
}

fn new<'event>() -> LaunchAttributes<'event> {
    LaunchAttributes::new()
}

#[test]
fn each_attribute_is_taken_alone() {
    if !is_since(13, 0) {
        skip!("this driver lacks some of them");
    }
    let context = context();
    let event = Event::with_flags(&context, EventFlags::DISABLE_TIMING).unwrap();
    let memory = DeviceBuf::<u8>::zeroed(&stream(), 4096).unwrap();
    let window = AccessPolicyWindow {
        base: memory.ptr(),
        bytes: 4096,
        hit_ratio: 0.5,
        hit: AccessProperty::PERSISTING,
        miss: AccessProperty::STREAMING,
    };
    let all = [
        new(),
        new().priority(0),
        new().cluster_dimension(1, 1, 1),
        new().cluster_dimension(1, 1, 1).preferred_cluster_dimension(2, 1, 1),
        new().cluster_scheduling(ClusterSchedulingPolicy::SPREAD),
        new().cluster_scheduling(ClusterSchedulingPolicy::LOAD_BALANCING),
        new().preferred_shared_memory_carveout(0),
        new().preferred_shared_memory_carveout(100),
        new().priority(-3),
        new().priority(100),
        new().programmatic_stream_serialization(true),
        new().programmatic_event(&event, false),
        new().programmatic_event(&event, true),
        new().launch_completion_event(&event),
        new().mem_sync_domain_map(3, 0),
        new().mem_sync_domain(MemSyncDomain::REMOTE),
        new().access_policy_window(window),
        new().access_policy_window(AccessPolicyWindow { bytes: 0, hit_ratio: f32::NAN, ..window }),
        new().nvlink_util_centric_scheduling(true),
        new().priority(-1).mem_sync_domain(MemSyncDomain::DEFAULT).launch_completion_event(&event),
    ];
    for attributes in &all {
        try_launch(2, attributes).unwrap_or_else(|error| panic!("{attributes:?}: {error}"));
    }
    event.synchronize().unwrap();
}

#[test]
fn values_out_of_range_are_refused() {
    if !is_since(13, 0) {
        skip!("this driver lacks some of them");
    }
    let window = AccessPolicyWindow {
        base: DevicePtr::null(),
        bytes: 16,
        hit_ratio: 1.0,
        hit: AccessProperty::PERSISTING,
        miss: AccessProperty::NORMAL,
    };
    let most = device().max_access_policy_window_size().unwrap();
    let invalid = [
        new().preferred_shared_memory_carveout(101),
        new().mem_sync_domain_map(0, 4),
        new().mem_sync_domain(MemSyncDomain(2)),
        new().cluster_scheduling(ClusterSchedulingPolicy(4)),
        new().access_policy_window(AccessPolicyWindow { hit_ratio: 1.5, ..window }),
        new().access_policy_window(AccessPolicyWindow { hit_ratio: -0.5, ..window }),
        new().access_policy_window(AccessPolicyWindow { bytes: most as usize + 1, ..window }),
        new().access_policy_window(AccessPolicyWindow { miss: AccessProperty::PERSISTING, ..window }),
    ];
    for attributes in &invalid {
        assert_eq!(refused(2, attributes), Some(Code::InvalidValue), "{attributes:?}");
    }
    let clusters = [
        (3, new().cluster_dimension(2, 1, 1)),
        (2, new().cluster_dimension(1, 0, 1)),
        (2, new().preferred_cluster_dimension(2, 1, 1)),
        (2, new().cluster_dimension(1, 1, 1).preferred_cluster_dimension(3, 1, 1)),
    ];
    for (blocks, attributes) in &clusters {
        assert_eq!(refused(*blocks, attributes), Some(Code::InvalidClusterSize), "{attributes:?}");
    }
    // None of it is sticky.
    try_launch(1, &new().priority(0)).unwrap();
}

#[test]
fn the_last_value_of_an_attribute_counts() {
    if !is_since(12, 0) {
        skip!("this driver has no attributes of launches");
    }
    let attributes = new().mem_sync_domain(MemSyncDomain(7)).mem_sync_domain(MemSyncDomain::DEFAULT);
    try_launch(1, &attributes).unwrap();
    // The same as in C.
    let raw = |priority| sys::CUlaunchAttribute {
        id: sys::CU_LAUNCH_ATTRIBUTE_PRIORITY,
        value: sys::CUlaunchAttributeValue { priority },
        ..Default::default()
    };
    // SAFETY: priorities are numbers.
    let attributes = unsafe { new().raw(raw(-1)) };
    // SAFETY: as above.
    let attributes = unsafe { attributes.raw(raw(0)) };
    assert_eq!(format!("{attributes:?}").matches("CUlaunchAttributeID").count(), 1, "{attributes:?}");
    try_launch(1, &attributes).unwrap();
}

#[test]
fn launch_events_need_no_timing_and_same_context() {
    if !is_since(12, 3) {
        skip!("this driver records no completion events");
    }
    let timed = Event::new(&context()).unwrap();
    assert_eq!(refused(1, &new().launch_completion_event(&timed)), Some(Code::NotSupported));
    assert_eq!(refused(1, &new().programmatic_event(&timed, false)), Some(Code::NotSupported));
    let other = Context::new(device(), ContextFlags::default()).unwrap();
    let elsewhere = Event::with_flags(&other, EventFlags::DISABLE_TIMING).unwrap();
    assert_eq!(refused(1, &new().launch_completion_event(&elsewhere)), Some(Code::InvalidHandle));
    assert_eq!(refused(1, &new().programmatic_event(&elsewhere, true)), Some(Code::InvalidHandle));
    let text = try_launch(1, &new().programmatic_event(&elsewhere, true)).unwrap_err().to_string();
    assert!(text.contains("belongs to another context"), "{text}");
    let text = try_launch(1, &new().programmatic_event(&timed, true)).unwrap_err().to_string();
    assert!(text.contains("DISABLE_TIMING"), "{text}");
}

#[test]
fn refused_launch_names_its_attributes() {
    if !is_since(12, 8) {
        skip!("this driver does not know the attributes");
    }
    let carveout = try_launch(1, &new().priority(0).preferred_shared_memory_carveout(101)).unwrap_err();
    assert_eq!(carveout.context(), Some(&LaunchProblem::Carveout { percent: 101 }));
    let unknown = new().priority(0).cluster_scheduling(ClusterSchedulingPolicy(4));
    let text = try_launch(1, &unknown).unwrap_err().to_string();
    assert!(text.ends_with("CLUSTER_SCHEDULING_POLICY_PREFERENCE (5), PRIORITY (8)"), "{text}");
}

#[test]
fn an_event_may_go_when_the_kernel_is_launched() {
    if !is_since(12, 3) {
        skip!("this driver records no completion events");
    }
    let (put, stream) = (kernel::<(DevicePtr<u32>, u32)>("put"), stream());
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    for value in 1..20 {
        let event = Event::with_flags(&context(), EventFlags::DISABLE_TIMING).unwrap();
        let attributes = new().launch_completion_event(&event);
        let config = LaunchConfig::new(1, 1);
        // SAFETY: one thread writes the one element.
        unsafe { put.with(config).attributes(&attributes).launch(&stream, (out.ptr(), value)) }.unwrap();
        drop(event);
        assert_eq!(out.to_vec().unwrap(), [value]);
    }
}

#[test]
fn a_driver_that_is_too_old_says_so() {
    // These two calls succeed on every driver.
    try_launch(2, &new()).unwrap();
    try_cooperative(2, &new()).unwrap();
    match try_launch(2, &new().priority(0)) {
        Err(missing) if missing.kind() == ErrorKind::FunctionMissing => {
            assert!(!is_since(12, 0));
            assert!(missing.to_string().contains("cuLaunchKernelEx"), "{missing}");
            return;
        }
        outcome => outcome.unwrap(),
    }
    let newest = [
        new().portable_clusters(PortableClusters::DEFAULT),
        new().shared_memory_mode(SharedMemoryMode::DEFAULT),
    ];
    for attributes in &newest {
        match try_launch(1, attributes) {
            Err(error) if error.to_string().contains(": launch attribute ") => {
                assert!(!is_since(13, 2));
                assert!(error.to_string().contains("needs CUDA 13.2"), "{error}");
            }
            // The software driver lacks them.
            outcome => assert!(is_since(13, 2), "{outcome:?}"),
        }
    }
}

#[test]
fn a_launch_allows_large_clusters() {
    if !is_since(13, 2) || device().compute_capability().unwrap() < ComputeCapability::new(9, 0) {
        skip!("this driver has no such attribute, or the device no clusters");
    }
    let with = |mode| new().cluster_dimension(16, 1, 1).portable_clusters(mode);
    for mode in [PortableClusters::DEFAULT, PortableClusters::REQUIRE_PORTABLE] {
        assert_eq!(refused(16, &with(mode)), Some(Code::InvalidClusterSize), "{mode:?}");
    }
    assert_eq!(refused(16, &with(PortableClusters(7))), Some(Code::InvalidValue));
    try_launch(16, &with(PortableClusters::ALLOW_NON_PORTABLE)).unwrap();
}

#[test]
fn cooperative_grids_fit_the_device() {
    let nothing = kernel::<()>("nothing");
    let stream = stream();
    // SAFETY: the kernel touches nothing.
    unsafe { nothing.with(LaunchConfig::new(2, 32)).cooperative().launch(&stream, ()) }.unwrap();
    // SAFETY: as above.
    let refused = unsafe { nothing.with(LaunchConfig::new(1_000_000, 32)).cooperative().launch(&stream, ()) };
    assert_eq!(refused.unwrap_err().code(), Some(Code::CooperativeLaunchTooLarge));
    if !is_since(12, 0) {
        skip!("this driver has no attributes of launches");
    }
    try_cooperative(2, &new().priority(0)).unwrap();
    let large = try_cooperative(1_000_000, &new().priority(0)).unwrap_err();
    assert_eq!(large.code(), Some(Code::CooperativeLaunchTooLarge));
}

#[test]
fn large_shared_memory_launches_after_opt_in() {
    const BYTES: u32 = 100 << 10;
    let (through, stream) = (kernel::<(DevicePtr<u32>, u32)>("through"), stream());
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let config = LaunchConfig::new(1, 1).with_shared_bytes(BYTES);
    // SAFETY: one thread writes the one element, and a word of the shared memory.
    let refused = unsafe { through.launch(config, &stream, (out.ptr(), BYTES - 4)) }.unwrap_err();
    assert!(refused.context::<LaunchProblem>().is_some(), "{refused}");
    assert_eq!(refused.code(), Some(Code::InvalidValue));
    through.function().set_max_dynamic_shared_bytes(BYTES).unwrap();
    // SAFETY: as above.
    unsafe { through.launch(config, &stream, (out.ptr(), BYTES - 4)) }.unwrap();
    assert_eq!(out.to_vec().unwrap(), [BYTES - 4]);
    let limit = through.function().attribute(FunctionAttribute::MAX_DYNAMIC_SHARED_SIZE_BYTES).unwrap();
    assert_eq!(limit, BYTES as i32);
}

/// The first kernel lets the second one begin, and is long about what it writes; the second waits, and adds to it.
const DEPENDENT: &str = ".version 7.8 .target sm_90 .address_size 64
    .visible .entry first(.param .u64 out) {
    .reg .b64 %out, %begin, %now; .reg .b32 %r; .reg .pred %p;
    ld.param.u64 %out, [out];
    griddepcontrol.launch_dependents;
    mov.u64 %begin, %globaltimer;
    again: mov.u64 %now, %globaltimer; sub.u64 %now, %now, %begin; setp.lt.u64 %p, %now, 1000000; @%p bra again;
    mov.u32 %r, 40; st.global.u32 [%out], %r; ret; }
    .visible .entry second(.param .u64 out) {
    .reg .b64 %out; .reg .b32 %r;
    ld.param.u64 %out, [out];
    griddepcontrol.wait;
    ld.global.u32 %r, [%out]; add.u32 %r, %r, 2; st.global.u32 [%out], %r; ret; }";

#[test]
fn early_kernel_waits_for_its_dependencies() {
    if !is_since(12, 0) {
        skip!("this driver has no PTX of this release");
    }
    let module = Module::from_ptx(&context(), DEPENDENT).unwrap();
    let [first, second] =
        ["first", "second"].map(|name| typed::<(DevicePtr<u32>,)>(&module.function(name).unwrap()));
    let (stream, config) = (stream(), LaunchConfig::new(1, 1));
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let early = new().programmatic_stream_serialization(true);
    for _ in 0..5 {
        // SAFETY: each has one thread, which writes the one element.
        unsafe { first.launch(config, &stream, (out.ptr(),)) }.unwrap();
        // SAFETY: as above; it waits for the first one before it touches the element.
        unsafe { second.with(config).attributes(&early).launch(&stream, (out.ptr(),)) }.unwrap();
        assert_eq!(out.to_vec().unwrap(), [42]);
    }
}

#[test]
#[allow(deprecated)]
fn one_kernel_runs_on_several_devices_at_once() {
    use cuda_rt::launch::launch_cooperative_multi_device;

    let (put, stream) = (kernel::<(DevicePtr<u32>, u32)>("put"), stream());
    let out = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    let config = LaunchConfig::new(1, 1);
    let launch = [(&put, &stream, (out.ptr(), 7))];
    // SAFETY: one thread writes the one element.
    match unsafe { launch_cooperative_multi_device(config, &launch, MultiDeviceFlags::empty()) } {
        Err(error) if error.code() == Some(Code::NotSupported) => skip!("this driver has no such launches"),
        launched => launched.unwrap(),
    }
    assert_eq!(out.to_vec().unwrap(), [7]);
    let refused = |launches: &[_]| {
        // SAFETY: nothing is launched.
        let refused = unsafe { launch_cooperative_multi_device(config, launches, MultiDeviceFlags::empty()) };
        refused.unwrap_err()
    };
    assert_eq!(refused(&[]).code(), Some(Code::InvalidValue));
    let legacy = Stream::legacy(&context());
    assert_eq!(refused(&[(&put, &legacy, (out.ptr(), 7))]).code(), Some(Code::InvalidHandle));
    let devices = cuda_rt::Device::count().unwrap();
    let too_many = vec![launch[0]; devices as usize + 1];
    let error = invalid(format!("{} launches exceed the {devices} devices;", too_many.len()));
    assert_eq!(refused(&too_many), error);
    let Some(second) = second_device() else { skip!("there is one device") };
    let again = Stream::new(&context()).unwrap();
    assert_eq!(refused(&[launch[0], (&put, &again, (out.ptr(), 7))]).code(), Some(Code::InvalidDevice));
    let other = Context::primary(second).unwrap();
    let there = Stream::new(&other).unwrap();
    let its =
        typed::<(DevicePtr<u32>, u32)>(&Module::from_ptx(&other, PTX).unwrap().function("put").unwrap());
    let theirs = DeviceBuf::<u32>::zeroed(&there, 1).unwrap();
    let both = [(&put, &stream, (out.ptr(), 8)), (&its, &there, (theirs.ptr(), 9))];
    let flags = MultiDeviceFlags::NO_PRE_LAUNCH_SYNC | MultiDeviceFlags::NO_POST_LAUNCH_SYNC;
    // SAFETY: one thread each writes the one element.
    unsafe { launch_cooperative_multi_device(config, &both, flags) }.unwrap();
    assert_eq!((out.to_vec().unwrap(), theirs.to_vec().unwrap()), (vec![8], vec![9]));
}
