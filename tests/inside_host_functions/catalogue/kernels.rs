//! Functions, launches, and arguments.

#![allow(deprecated)] // what CUDA deprecates

use super::Catalogue;
use crate::world::{NUMBERS, World};
use cuda_rt::access::AccessCheck;
use cuda_rt::context::{CacheConfig, SharedMemConfig};
use cuda_rt::kernels::{AnyBlock, FixedBlock};
use cuda_rt::launch::{
    AccessPolicyWindow, AccessProperty, Arg, LaunchAttributeSet, MemSyncDomain, MultiDeviceFlags,
    PortableClusters, SharedMemoryMode, launch_cooperative_multi_device,
};
use cuda_rt::launch::{
    ByValue, In, InOut, KernelArg, KernelArgs, Launch, LaunchAttributes, Out, PackedArgs, PendingTime,
};
use cuda_rt::module::{ClusterSchedulingPolicy, FunctionAttribute, OccupancyFlags};
use cuda_rt::stream::PerThreadStream;
use cuda_rt::{DeviceBuf, DevicePtr, Function, Kernel, LaunchConfig};

const ONE: LaunchConfig = LaunchConfig::new(1, 1);

cuda_rt::kernels! {
    struct Undeclared from ptx(".version 7.0 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }");
}

type Put = Kernel<(DevicePtr<u32>, u32)>;

cuda_rt::kernels! {
    struct Declared from ptx(".version 7.0 .target sm_50 .address_size 64
        .visible .entry put(.param .u64 out, .param .u32 value) {
            .reg .b64 %out; .reg .b32 %value;
            ld.param.u64 %out, [out]; ld.param.u32 %value, [value]; st.global.u32 [%out], %value; ret; }");
    extern {
        fn put(out: &mut [u32], value: u32);
        #[name = "put"]
        #[block(1)]
        fn put_in_blocks(out: &mut [u32], value: u32);
    }
}

cuda_rt::kernels! {
    struct Safe from ptx(".version 7.0 .target sm_50 .address_size 64 .visible .entry nothing() { ret; }");
    // SAFETY: the kernel does nothing.
    unsafe extern {
        #[block(1)]
        safe fn nothing();
    }
}

fn function(world: &World) -> Function {
    world.module.function("put").unwrap()
}

fn function_works(function: &mut Function, _: &World) {
    assert_eq!(function.max_dynamic_shared_size_bytes().unwrap(), 48 << 10);
    assert_eq!(function.preferred_shared_memory_carveout().unwrap(), -1);
    function.typed::<(DevicePtr<u32>, u32)>().unwrap();
}

fn kernel(world: &World) -> (Put, DeviceBuf<u32>) {
    let kernel = function(world).typed().unwrap();
    (kernel, DeviceBuf::from_host(&world.stream, &NUMBERS).unwrap())
}

fn kernel_works((kernel, buffer): &mut (Put, DeviceBuf<u32>), world: &World) {
    assert_eq!(buffer.to_vec().unwrap(), NUMBERS, "a launch that is refused does nothing");
    // SAFETY: the kernel writes the first element, which lives on the same stream.
    unsafe { kernel.launch(ONE, &world.stream, (buffer.ptr(), 9)) }.unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [9, 2, 3, 4]);
}

fn builder(world: &World) -> Launch<'static, ()> {
    world.module.function("nothing").unwrap().typed().unwrap().with(ONE)
}

fn timed(world: &World) -> PendingTime {
    // SAFETY: the kernel does nothing.
    unsafe { builder(world).timed(&world.stream, ()) }.unwrap()
}

fn packed(buffer: &DeviceBuf<u32>) -> PackedArgs {
    let mut packed = PackedArgs::new();
    packed.push(buffer.ptr());
    packed.push(7_u32);
    packed
}

pub(super) fn add(c: &mut Catalogue) {
    functions(c);
    launches(c);
    arguments(c);
}

fn functions(c: &mut Catalogue) {
    c.of(function, function_works)
        .answers("Function::{with, name, module, context, as_raw}", |f, w| {
            let launch = format!("{:?}", f.with(ONE));
            let owner = (f.module().clone(), *f.context() == w.context, f.as_raw().is_null());
            (launch, f.name().to_owned(), owner)
        })
        .answers("Function: {Clone, Debug}", |f, _| format!("{:?}", f.clone()))
        .refuses("Function::query_name", |f, _| f.query_name())
        .refuses("Function::typed", |f, _| f.typed::<(DevicePtr<u32>, u32)>())
        // SAFETY: these are its parameters.
        .answers("Function::typed_unchecked", |f, _| unsafe { f.typed_unchecked::<(DevicePtr<u32>, u32)>() })
        .refuses("Function::attribute", |f, _| f.attribute(FunctionAttribute::NUM_REGS))
        .refuses("$asked::$method of kernels", |f, _| f.num_regs())
        .refuses("Function::set_max_dynamic_shared_bytes", |f, _| f.set_max_dynamic_shared_bytes(60 << 10))
        .refuses("Function::set_shared_memory_carveout", |f, _| f.set_shared_memory_carveout(Some(50)))
        // SAFETY: the function is not launched.
        .refuses("Function::set_attribute", |f, _| unsafe {
            f.set_attribute(FunctionAttribute::PREFERRED_SHARED_MEMORY_CARVEOUT, 50)
        })
        .refuses("Function::set_cache_config", |f, _| f.set_cache_config(CacheConfig::PreferL1))
        .refuses("Function::set_shared_mem_config", |f, _| {
            f.set_shared_mem_config(SharedMemConfig::EightByteBankSize)
        })
        .refuses("Function::required_cluster", |f, _| f.required_cluster())
        // SAFETY: the function is not launched.
        .refuses("Function::set_required_cluster", |f, _| unsafe { f.set_required_cluster(Some([2, 1, 1])) })
        .refuses("Function::set_non_portable_cluster_size_allowed", |f, _| {
            f.set_non_portable_cluster_size_allowed(true)
        })
        .refuses("Function::set_cluster_scheduling_policy_preference", |f, _| {
            f.set_cluster_scheduling_policy_preference(ClusterSchedulingPolicy::SPREAD)
        })
        .refuses("Function::is_loaded", |f, _| f.is_loaded())
        .refuses("Function::load", |f, _| f.load())
        .refuses("Function::parameters", |f, _| f.parameters())
        .refuses("Function::parameter_count", |f, _| f.parameter_count())
        .refuses("Function::max_active_blocks_per_multiprocessor", |f, _| {
            f.max_active_blocks_per_multiprocessor(32, 0)
        })
        .refuses("Function::max_active_blocks_per_multiprocessor_with_flags", |f, _| {
            f.max_active_blocks_per_multiprocessor_with_flags(32, 0, OccupancyFlags::DEFAULT)
        })
        .refuses("Function::max_potential_block_size", |f, _| f.max_potential_block_size(0, None))
        .refuses("Function::max_potential_block_size_with_flags", |f, _| {
            f.max_potential_block_size_with_flags(0, None, OccupancyFlags::DEFAULT)
        })
        .refuses("Function::max_potential_block_size_variable", |f, _| {
            f.max_potential_block_size_variable(|_| 0, None, OccupancyFlags::DEFAULT)
        })
        .refuses("Function::config_for_elements", |f, _| f.config_for_elements(1))
        .refuses("Function::available_dynamic_shared_memory_per_block", |f, _| {
            f.available_dynamic_shared_memory_per_block(1, 32)
        })
        .refuses("Function::max_potential_cluster_size", |f, _| f.max_potential_cluster_size(ONE))
        .refuses("Function::max_active_clusters", |f, _| f.max_active_clusters(ONE, Some([1, 1, 1])))
        .drops("Function: Drop");
    c.of(|w| w.module.tex_ref("picture").unwrap(), |_, _| ())
        .answers("Function::set_texref", |reference, w| w.function.set_texref(reference));
    c.free().answers("FunctionAttribute::is_settable", |_, _| {
        FunctionAttribute::all().filter(|attribute| attribute.is_settable()).count()
    });
}

fn launches(c: &mut Catalogue) {
    c.of(kernel, kernel_works)
        .answers("Kernel::{function, access_check, with_access_check, with}; Kernel: {Clone, Debug, Drop}", |(k, _), _| {
            let checked = k.clone().with_access_check(AccessCheck::Strict);
            (k.function().clone(), format!("{checked:?} {:?}", checked.access_check()), k.with(ONE))
        })
        .refuses("Kernel::config_for_elements", |(k, _), _| k.config_for_elements(1))
        // SAFETY: the kernel would write the first element, which lives on the same stream.
        .refuses("Kernel::launch", |(k, b), w| unsafe { k.launch(ONE, &w.stream, (b.ptr(), 7)) })
        .refuses("Kernel::launch that checks access", |(k, b), w| {
            let checked = k.clone().with_access_check(AccessCheck::Checked);
            // SAFETY: as above.
            unsafe { checked.launch(ONE, &w.stream, (b.ptr(), 7)) }
        })
        // SAFETY: as above.
        .refuses("Launch::launch that checks access; Launch::access_check", |(k, b), w| unsafe {
            k.with(ONE).access_check(AccessCheck::Checked).launch(&w.stream, (Arg(b.ptr(), &*b), 7))
        })
        // SAFETY: as above.
        .refuses("Launch::launch with attributes; Launch::attributes", |(k, b), w| unsafe {
            k.with(ONE).attributes(&LaunchAttributes::new().priority(0)).launch(&w.stream, (b.ptr(), 7))
        })
        // SAFETY: as above.
        .refuses("Launch::launch that is cooperative; Launch::cooperative", |(k, b), w| unsafe {
            k.with(ONE).cooperative().launch(&w.stream, (b.ptr(), 7))
        })
        // SAFETY: as above.
        .refuses("Launch::timed", |(k, b), w| unsafe { k.with(ONE).timed(&w.stream, (b.ptr(), 7)) })
        // SAFETY: as above.
        .refuses("launch::launch_cooperative_multi_device", |(k, b), w| unsafe {
            launch_cooperative_multi_device(ONE, &[(&*k, &w.stream, (b.ptr(), 7))], MultiDeviceFlags::empty())
        })
        // SAFETY: the kernel would write the first element.
        .refuses("Launch::launch with host memory; {InOut, Out}: {Debug, Drop}", |(k, _), w| unsafe {
            let (mut first, mut second) = ([0_u32], [0_u32]);
            let shown = format!("{:?} {:?}", In(&[0_u32]), InOut(&mut first));
            k.with(ONE).launch(&w.stream, (Out(&mut second), shown.len() as u32))
        })
        // SAFETY: the kernel would write the first element, which lives on the same stream.
        .refuses("Function::launch_raw", |(k, b), w| unsafe {
            let (mut address, mut value) = (b.ptr(), 7_u32);
            let mut arguments = [(&raw mut address).cast(), (&raw mut value).cast()];
            k.function().launch_raw(ONE, &w.stream, arguments.as_mut_ptr())
        })
        // SAFETY: as above.
        .refuses("Launch::launch with packed arguments", |(k, b), w| unsafe {
            k.function().with(ONE).launch(&w.stream, &packed(b))
        })
        .refuses("PackedArgs::check", |(k, b), _| packed(b).check(k.function()))
        .answers("PackedArgs::{new, push, push_bytes, clear, size_bytes, parameters}; PackedArgs: {Clone, Debug, Default, Drop}", |(_, b), _| {
            let mut packed = packed(b).clone();
            packed.push_bytes(&[1; 8], 8).unwrap();
            let shown = format!("{packed:?} {} {}", packed.size_bytes(), packed.parameters().len());
            packed.clear();
            (shown, PackedArgs::default())
        });
    c.of(builder, |_, _| ())
        .answers("Launch::{function, config}; Launch: {Clone, Debug}", |l, _| {
            (l.function().clone(), l.config(), format!("{:?}", l.clone()))
        })
        // SAFETY: the kernel does nothing.
        .refuses("Launch::launch", |l, w| unsafe { l.launch(&w.stream, ()) })
        .drops("Launch: Drop");
    c.of(|world| Undeclared::load(&world.context).unwrap().nothing, |_, _| ())
        .answers("UndeclaredKernel::function; UndeclaredKernel: {Clone, Debug, Drop}", |kernel, _| {
            format!("{:?} {:?}", kernel.clone(), kernel.function())
        });
    let declared = |world: &World| {
        (Declared::load(&world.context).unwrap(), DeviceBuf::from_host(&world.stream, &NUMBERS).unwrap())
    };
    c.of(declared, |(k, b), w| {
        assert_eq!(b.to_vec().unwrap(), NUMBERS, "a launch that is refused does nothing");
        // SAFETY: the kernel writes the first element.
        unsafe { k.put(b, 9).launch(ONE, &w.stream) }.unwrap();
        assert_eq!(b.to_vec().unwrap(), [9, 2, 3, 4]);
    })
    .answers("KernelCall::with_shared_bytes; KernelCall: {Debug, Drop}; AnyBlock: {Debug, Drop}; FixedBlock: {Debug, Drop}", |(k, b), _| {
        let blocks = (AnyBlock, FixedBlock::<1, 1, 1>);
        format!("{:?} {blocks:?}", k.put_in_blocks(b, 7).with_shared_bytes(4))
    })
    // SAFETY: the kernel would write the first element.
    .refuses("KernelCall::launch", |(k, b), w| unsafe { k.put(b, 7).launch(ONE, &w.stream) })
    // SAFETY: as above.
    .refuses("KernelCall::launch on a stream that is not the memory's", |(k, b), w| unsafe {
        k.put(b, 7).launch(ONE, &PerThreadStream::new(&w.context))
    })
    // SAFETY: as above.
    .refuses("KernelCall::launch_for", |(k, b), w| unsafe { k.put_in_blocks(b, 7).launch_for(1, &w.stream) })
    // SAFETY: as above.
    .refuses("KernelCall::launch_blocks", |(k, b), w| unsafe {
        k.put_in_blocks(b, 7).launch_blocks([1, 1, 1], &w.stream)
    });
    c.of(|world| Safe::load(&world.context).unwrap(), |k, w| k.nothing().launch_for(1, &w.stream).unwrap())
        .answers("SafeKernel: {Clone, Debug, Deref, Drop}; SafeKernelCall: {Debug, Drop}", |k, _| {
            format!("{:?} {:?} {:?}", k.nothing.clone(), k.nothing.function(), k.nothing())
        })
        .refuses("SafeKernelCall::launch_for", |k, w| k.nothing().launch_for(1, &w.stream))
        .refuses("SafeKernelCall::launch_blocks", |k, w| k.nothing().launch_blocks(1, &w.stream));
    c.of(timed, |time, w| {
        w.settle();
        assert!(time.is_done().unwrap());
    })
    .refuses("PendingTime::is_done", |t, _| t.is_done())
    .answers("PendingTime: Debug", |t, _| format!("{t:?}"))
    .consumes("PendingTime::wait", |t, _| t.wait())
    .drops("PendingTime: Drop");
}

fn arguments(c: &mut Catalogue) {
    c.free()
        .answers(
            "LaunchConfig::{new, for_elements, for_elements_2d, for_elements_3d, with_grid, with_block, with_shared_bytes}", |_, _| {
            LaunchConfig::for_elements(9, 2).with_grid(1, 1, 1).with_block(1, 1, 1).with_shared_bytes(1)
        })
        .answers("Arg::{host, host_mut}; Arg: {Clone, Debug}; KernelArg::visit_pointers; KernelArgs::parameters", |_, _| {
            let mut numbers = NUMBERS;
            DevicePtr::<u32>::null().visit_pointers(&mut |_| ());
            let parameters = <(DevicePtr<u32>, ByValue<u32>)>::parameters();
            (format!("{:?} {:?}", Arg::host_mut(&mut numbers), Arg::host(&NUMBERS).clone()), parameters)
        })
        .answers("LaunchAttributes::{new, cluster_dimension, preferred_cluster_dimension, cluster_scheduling, portable_clusters, shared_memory_mode, preferred_shared_memory_carveout, priority}", |_, _| {
            let attributes = LaunchAttributes::new().cluster_dimension(1, 1, 1);
            let attributes = attributes.preferred_cluster_dimension(1, 1, 1).priority(0);
            let attributes = attributes.cluster_scheduling(ClusterSchedulingPolicy::SPREAD);
            let attributes = attributes.portable_clusters(PortableClusters::DEFAULT);
            let attributes = attributes.shared_memory_mode(SharedMemoryMode::DEFAULT);
            attributes.preferred_shared_memory_carveout(50)
        })
        .answers("LaunchAttributes::{programmatic_stream_serialization, programmatic_event, launch_completion_event, mem_sync_domain_map, mem_sync_domain, access_policy_window, nvlink_util_centric_scheduling, raw}", |_, w| {
            let attributes = LaunchAttributes::new().programmatic_stream_serialization(true);
            let attributes = attributes.programmatic_event(&w.event, true).launch_completion_event(&w.event);
            let attributes = attributes.mem_sync_domain_map(0, 1).mem_sync_domain(MemSyncDomain::DEFAULT);
            let (hit, miss) = (AccessProperty::NORMAL, AccessProperty::NORMAL);
            let window = AccessPolicyWindow { base: DevicePtr::null(), bytes: 0, hit_ratio: 1.0, hit, miss };
            let attributes = attributes.access_policy_window(window).nvlink_util_centric_scheduling(true);
            // SAFETY: nothing is launched.
            format!("{:?}", unsafe { attributes.raw(cuda_sys::CUlaunchAttribute::default()) })
        })
        .answers("LaunchAttributes: {Clone, Debug, Default, Drop}", |_, _| {
            format!("{:?}", LaunchAttributes::default().clone())
        })
        .answers("LaunchAttributeSet::contains; LaunchAttributeSet: {Debug, Display}", |_, _| {
            let set = LaunchAttributeSet::default();
            (set.contains(1), format!("{set} {set:?}"))
        });
}
