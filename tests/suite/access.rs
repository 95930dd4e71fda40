//! Access to memory: queries, compared with kernels.

use crate::alone;
use cuda_rt::access::{
    Access, AccessCheck, AccessError, Memory, MemoryKind, Parts, Viewpoint, access, can_access, memory_kind,
    recorded_access,
};
use cuda_rt::context::ContextFlags;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::launch::Arg;
use cuda_rt::memory::{
    AccessFlags, MemAttach, MemPool, MemPoolOptions, MemorySource, PhysicalMemory, PhysicalMemoryOptions,
    RegisterFlags, RegisteredBuf, VirtualMemory,
};
use cuda_rt::module::Global;
use cuda_rt::stream::StreamFlags;
use cuda_rt::{Context, DeviceBuf, DevicePtr, Kernel, LaunchConfig, ManagedBuf, Module, PinnedBuf, Stream};
use cuda_suite::{device, driver, second_device, skip};
use cuda_sys::*;
use std::ptr::null_mut;

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .global .align 4 .u32 variable = 7;
    .visible .entry copy(.param .u64 to, .param .u64 from) {
        .reg .b64 %a; .reg .b64 %b; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u64 %b, [from]; ld.u32 %r, [%b]; st.u32 [%a], %r; ret; }";

/// In a text of its own, because not every device has managed memory.
const MANAGED: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .global .attribute(.managed) .align 4 .u32 managed_variable = 7;";

type Copy = Kernel<(DevicePtr<u32>, DevicePtr<u32>)>;
const ONE: LaunchConfig = LaunchConfig::new(1, 1);

fn context() -> Context {
    driver();
    Context::new(device(), ContextFlags::default()).unwrap()
}

/// A context of the first device, and one of the second, which it reaches.
fn pair() -> Option<(Context, Context)> {
    driver();
    let second = second_device().filter(|second| device().can_access_peer(*second).unwrap())?;
    Some((context(), Context::new(second, ContextFlags::default()).unwrap()))
}

macro_rules! pair {
    () => {
        match pair() {
            Some(pair) => pair,
            None => skip!("there are no two devices that reach each other"),
        }
    };
}

fn module(context: &Context) -> Module {
    Module::from_ptx(context, PTX).unwrap()
}

fn managed_variable(context: &Context) -> Global<u32> {
    Module::from_ptx(context, MANAGED).unwrap().global("managed_variable").unwrap()
}

fn copy(context: &Context) -> Copy {
    module(context).function("copy").unwrap().typed().unwrap()
}

/// Returns the word that a kernel of the context reads there. Its access is not checked.
fn read(context: &Context, from: DevicePtr<u32>) -> cuda_rt::Result<u32> {
    let stream = Stream::with_flags(context, StreamFlags::NON_BLOCKING)?;
    let to = DeviceBuf::<u32>::zeroed(&stream, 1)?;
    // SAFETY: the kernel writes the one element, and reads what the tests keep, or what is out of its reach.
    unsafe { copy(context).launch(ONE, &stream, (to.ptr(), from)) }?;
    Ok(to.to_vec()?[0])
}

/// Queries access. If memory is said to be accessible, a kernel reads it.
fn reaches(context: &Context, from: DevicePtr<u32>, memory: &dyn Memory) {
    assert_eq!(access(context, &Parts(&[memory])), Ok(Access::Accessible));
    assert_eq!(read(context, from), Ok(7));
}

fn plain(context: &Context) -> DeviceBuf<u32> {
    let stream = Stream::new(context).unwrap();
    let mut buffer = DeviceBuf::zeroed_in(&stream, 1, MemorySource::Plain).unwrap();
    buffer.copy_from_host(&[7]).unwrap();
    buffer
}

/// Returns a buffer of its own pool.
fn pooled(context: &Context) -> Option<(MemPool, DeviceBuf<u32>)> {
    if !context.device().memory_capabilities().unwrap().memory_pools {
        return None;
    }
    let pool = MemPool::new(context.device(), MemPoolOptions::new()).unwrap();
    let stream = Stream::new(context).unwrap();
    let mut buffer = DeviceBuf::zeroed_in(&stream, 1, MemorySource::Pool(&pool)).unwrap();
    buffer.copy_from_host(&[7]).unwrap();
    Some((pool, buffer))
}

/// Mapped memory, open to these devices.
fn mapped(context: &Context, open_to: &[cuda_rt::Device]) -> VirtualMemory {
    let owner = context.device();
    let unit = PhysicalMemory::granularity(owner, PhysicalMemoryOptions::new()).unwrap();
    let stream = Stream::new(context).unwrap();
    let mut memory = VirtualMemory::reserve(&stream, unit).unwrap();
    memory.map(0, &PhysicalMemory::new(owner, unit, PhysicalMemoryOptions::new()).unwrap()).unwrap();
    // The device that fills it has access now. The access is removed again unless it is to stay.
    memory.set_access(.., &[owner], AccessFlags::READ_WRITE).unwrap();
    memory.slice_mut::<u32>(..1).unwrap().copy_from_host(&[7]).unwrap();
    memory.set_access(.., &[owner], AccessFlags::NONE).unwrap();
    memory.set_access(.., open_to, AccessFlags::READ_WRITE).unwrap();
    memory
}

#[test]
fn own_and_page_locked_memory_is_accessible() {
    let context = context();
    let capabilities = context.device().memory_capabilities().unwrap();
    let buffer = plain(&context);
    reaches(&context, buffer.ptr(), &buffer);
    reaches(&context, buffer.ptr(), &buffer.as_slice());
    let stream = Stream::new(&context).unwrap();
    let mut usual = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    usual.copy_from_host(&[7]).unwrap();
    reaches(&context, usual.ptr(), &usual);
    if let Some((pool, buffer)) = pooled(&context) {
        reaches(&context, buffer.ptr(), &buffer);
        assert_eq!(memory_kind(&buffer), Ok(Some(MemoryKind::Pool)));
        assert_eq!(pool.has_access(context.device()), Ok(true));
    }
    let variable = module(&context).global::<u32>("variable").unwrap();
    assert_eq!(memory_kind(&variable), Ok(Some(MemoryKind::Variable)));
    reaches(&context, variable.ptr(), &variable);
    assert_eq!(memory_kind(&buffer), Ok(Some(MemoryKind::Device)));
    assert_eq!(memory_kind(&buffer.as_slice()), Ok(Some(MemoryKind::Device)), "by the driver");
    for memory in [&buffer as &dyn Memory, &usual, &variable, &buffer.as_slice()] {
        assert_eq!(access(Viewpoint::Host, &Parts(&[memory])), Ok(Access::Inaccessible));
    }

    if capabilities.unified_addressing {
        let locked = PinnedBuf::from_slice(&context, &[7_u32]).unwrap();
        reaches(&context, locked.device_ptr().unwrap(), &locked);
        let memory = vec![7_u32; 2048];
        let registered = RegisteredBuf::new(&context, memory, RegisterFlags::empty()).unwrap();
        reaches(&context, registered.device_ptr().unwrap(), &registered);
        assert_eq!(memory_kind(&registered), Ok(Some(MemoryKind::Registered)));
        assert_eq!(access(Viewpoint::Host, &(&locked, &registered)), Ok(Access::Accessible));
    }
    if capabilities.managed_memory {
        let managed = ManagedBuf::from_host(&stream, &[7_u32], MemAttach::Global).unwrap();
        reaches(&context, managed.ptr(), &managed);
        let from_host =
            capabilities.concurrent_managed_access || capabilities.direct_managed_access_from_host;
        assert_eq!(can_access(Viewpoint::Host, &managed), Ok(from_host));
        let variable = managed_variable(&context);
        assert_eq!(memory_kind(&variable), Ok(Some(MemoryKind::Managed)));
        reaches(&context, variable.ptr(), &variable);
        assert_eq!(can_access(Viewpoint::Host, &variable), Ok(from_host));
    }
}

/// Two contexts of one device: the decision table is more careful than devices are.
#[test]
fn pool_memory_belongs_to_device_not_context() {
    let (own, other) = (context(), context());
    let theirs = plain(&other);
    assert_eq!(access(&own, &theirs), Ok(Access::Inaccessible));
    assert_eq!(access(&own, &theirs.as_slice()), Ok(Access::Inaccessible));
    assert_eq!(read(&own, theirs.ptr()), Ok(7), "nothing promises it");
    if let Some((_pool, theirs)) = pooled(&other) {
        reaches(&own, theirs.ptr(), &theirs);
        reaches(&own, theirs.ptr(), &theirs.as_slice());
    }
}

#[test]
fn mapped_memory_is_of_the_devices_that_it_is_open_to() {
    let context = context();
    let attribute = cuda_rt::device::DeviceAttribute::VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    if context.device().attribute(attribute).is_ok_and(|value| value == 0) {
        skip!("the device maps no memory");
    }
    let open = mapped(&context, &[context.device()]);
    reaches(&context, open.ptr().cast(), &open);
    let closed = mapped(&context, &[]);
    assert_eq!(access(&context, &closed), Ok(Access::Inaccessible), "although it is of the same context");
    assert_eq!(access(&context, &(&open, &closed)), Ok(Access::Inaccessible), "the worst of both");
    if let Some(second) = second_device().filter(|second| second.can_access_peer(device()).unwrap()) {
        let second = Context::new(second, ContextFlags::default()).unwrap();
        assert_eq!(access(&second, &open), Ok(Access::Inaccessible));
        let theirs = mapped(&context, &[second.device()]);
        reaches(&second, theirs.ptr().cast(), &theirs);
        assert_eq!(access(&context, &theirs), Ok(Access::Inaccessible), "which is its own memory");
    }
}

#[test]
fn plain_peer_memory_needs_one_way_peer_access() {
    let (near, far) = pair!();
    let (theirs, ours) = (plain(&far), plain(&near));
    assert_eq!(access(&near, &theirs), Ok(Access::Inaccessible));
    assert_eq!(near.enable_peer_access(&far).map(|change| change.changed), Ok(true));
    assert_eq!(near.enable_peer_access(&far).map(|change| change.changed), Ok(false));
    reaches(&near, theirs.ptr(), &theirs);
    reaches(&near, theirs.ptr(), &theirs.as_slice());
    assert_eq!(access(&far, &ours), Ok(Access::Inaccessible), "the other way it is off");
    assert_eq!(
        (near.peer_access_state(&far).is_enabled(), far.peer_access_state(&near).is_enabled()),
        (Ok(true), Ok(false))
    );
    assert_eq!(near.disable_peer_access(&far), Ok(true));
    assert_eq!(near.disable_peer_access(&far), Ok(false));
    assert_eq!(access(&near, &theirs), Ok(Access::Inaccessible));
}

#[test]
fn pool_memory_of_peer_needs_pool_access() {
    let (near, far) = pair!();
    let Some((pool, theirs)) = pooled(&far) else { skip!("the device has no pools") };
    assert_eq!(access(&near, &theirs), Ok(Access::Inaccessible));
    assert_eq!(near.enable_peer_access(&far).map(|change| change.changed), Ok(true));
    assert_eq!(
        access(&near, &theirs),
        Ok(Access::Inaccessible),
        "that is for plain memory and the default pool"
    );
    assert_eq!(near.disable_peer_access(&far), Ok(true));
    assert_eq!(pool.set_access(near.device(), AccessFlags::READ_WRITE), Ok(true));
    assert_eq!(pool.set_access(near.device(), AccessFlags::READ_WRITE), Ok(false));
    reaches(&near, theirs.ptr(), &theirs);
    reaches(&near, theirs.ptr(), &theirs.as_slice());
    assert_eq!(recorded_access(&near, &theirs), Ok(Access::Accessible));
    assert_eq!(pool.set_access(near.device(), AccessFlags::NONE), Ok(true));
    assert_eq!(pool.set_access(near.device(), AccessFlags::NONE), Ok(false));
    assert_eq!(access(&near, &theirs), Ok(Access::Inaccessible));
}

#[test]
fn managed_memory_is_of_all_devices_that_have_it() {
    let (near, far) = pair!();
    let both = [&near, &far].map(|context| context.device().memory_capabilities().unwrap());
    if !both.iter().all(|capabilities| capabilities.managed_memory && capabilities.concurrent_managed_access)
    {
        skip!("not both devices have managed memory that is used at once");
    }
    let stream = Stream::new(&far).unwrap();
    let managed = ManagedBuf::from_host(&stream, &[7_u32], MemAttach::Global).unwrap();
    stream.synchronize().unwrap();
    reaches(&near, managed.ptr(), &managed);
    let variable = managed_variable(&far);
    reaches(&near, variable.ptr(), &variable);
}

/// A kernel that uses what is said to be inaccessible fails, for which each needs a process of its own.
fn faults(name: &str, prepare: impl FnOnce() -> Option<(Context, DevicePtr<u32>, Access)>) {
    alone(&format!("access::{name}"), || {
        let Some((context, pointer, access)) = prepare() else { return };
        assert_eq!(access, Access::Inaccessible);
        let failed = read(&context, pointer).unwrap_err();
        assert_eq!(failed.code(), Some(Code::IllegalAddress));
    });
}

#[test]
fn pageable_memory_out_of_reach_is_a_fault() {
    faults("pageable_memory_out_of_reach_is_a_fault", || {
        let context = context();
        let memory = vec![7_u32; 1024].leak();
        let pointer = DevicePtr::from_raw(memory.as_ptr().expose_provenance() as u64);
        if context.device().memory_capabilities().unwrap().pageable_memory_access {
            reaches(&context, pointer, &memory);
            return None;
        }
        let access = access(&context, &memory).unwrap();
        Some((context, pointer, access))
    });
}

#[test]
fn plain_memory_without_peer_access_is_a_fault() {
    faults("plain_memory_without_peer_access_is_a_fault", || {
        let (near, far) = pair()?;
        let theirs = Box::leak(Box::new(plain(&far)));
        let access = access(&near, &*theirs).unwrap();
        Some((near, theirs.ptr(), access))
    });
}

#[test]
fn pool_without_access_faults_despite_peer_access() {
    faults("pool_without_access_faults_despite_peer_access", || {
        let (near, far) = pair()?;
        let (_, theirs) = Box::leak(Box::new(pooled(&far)?));
        near.enable_peer_access(&far).unwrap();
        let access = access(&near, &*theirs).unwrap();
        Some((near, theirs.ptr(), access))
    });
}

#[test]
fn peer_variable_faults_despite_peer_access() {
    faults("peer_variable_faults_despite_peer_access", || {
        let (near, far) = pair()?;
        near.enable_peer_access(&far).unwrap();
        let variable = Box::leak(Box::new(module(&far).global::<u32>("variable").unwrap()));
        let access = access(&near, &*variable).unwrap();
        Some((near, variable.ptr(), access))
    });
}

#[test]
fn checked_launch_is_refused_before_the_fault() {
    let (near, far) = pair!();
    let theirs = plain(&far);
    let stream = Stream::new(&near).unwrap();
    let mut to = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
    to.copy_from_host(&[1]).unwrap();
    let copy = copy(&near).with_access_check(AccessCheck::Checked);
    // SAFETY: the kernel writes the one element, and reads memory that stays.
    let refused = unsafe { copy.launch(ONE, &stream, (to.ptr(), theirs.ptr())) }.unwrap_err();
    let (near_number, far_number) = (near.device().as_raw(), far.device().as_raw());
    assert_eq!(
        refused.to_string(),
        format!(
            "launching `copy`: parameter 1 (the second, `DevicePtr<u32>`): plain device memory of device {far_number} is out \
             of reach for kernels on device {near_number}: turn peer access on (`Context::enable_peer_access`) or copy it to \
             device {near_number}; `AccessCheck::Relaxed` does not check"
        )
    );
    assert_eq!(to.to_vec().unwrap(), [1], "nothing was launched, and nothing is lost");

    let _access = near.peer_access(&far).unwrap();
    // SAFETY: as above.
    unsafe { copy.launch(ONE, &stream, (to.ptr(), theirs.ptr())) }.unwrap();
    assert_eq!(to.to_vec().unwrap(), [7]);
    let args = (Arg(to.ptr(), &to), Arg(theirs.ptr(), &theirs));
    // SAFETY: as above.
    let refused =
        unsafe { copy.with(ONE).access_check(AccessCheck::Strict).launch(&stream, args) }.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::AccessDenied);
    let refused = refused.context::<AccessError>().unwrap();
    assert_eq!((refused.parameter, refused.access), (1, Access::Accessible));
}

/// Begins a capture on a stream, if the driver captures.
fn begins(stream: &Stream) -> bool {
    let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL;
    let _entered = stream.context().enter().unwrap();
    // SAFETY: the stream is live.
    let answer = unsafe { cuStreamBeginCapture_v2(stream.as_raw(), mode) };
    if answer == CUresult::CUDA_ERROR_NOT_SUPPORTED {
        return false;
    }
    assert_eq!(answer, CUresult::CUDA_SUCCESS);
    true
}

/// The graph, which shows that nothing has ended the capture.
fn ends(stream: &Stream) -> CUgraph {
    let mut graph = null_mut();
    let _entered = stream.context().enter().unwrap();
    // SAFETY: `graph` is valid for a write, the stream live.
    let answer = unsafe { cuStreamEndCapture(stream.as_raw(), &raw mut graph) };
    assert_eq!(answer, CUresult::CUDA_SUCCESS);
    graph
}

// Alone, since what other tests do meanwhile would end the captures.
#[test]
fn looking_ends_no_capture() {
    if !crate::is_since(12, 0) {
        cuda_suite::skip!("older drivers tell less, and replay by other functions");
    }
    alone("access::looking_ends_no_capture", || {
        let context = context();
        let stream = Stream::with_flags(&context, StreamFlags::NON_BLOCKING).unwrap();
        if !begins(&stream) {
            return;
        }
        ends(&stream);
        let Some((near, far)) = pair() else { return };
        let theirs = plain(&far);
        let pooled = pooled(&far);
        let closed = mapped(&far, &[far.device()]);
        let mapped = mapped(&far, &[near.device()]);
        let stream = Stream::with_flags(&near, StreamFlags::NON_BLOCKING).unwrap();
        let to = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
        let copy = copy(&near).with_access_check(AccessCheck::Checked);
        stream.synchronize().unwrap();

        // Access without a record counts as off.
        assert!(begins(&stream));
        // SAFETY: the kernel is not launched.
        let refused = unsafe { copy.launch(ONE, &stream, (to.ptr(), theirs.ptr())) }.unwrap_err();
        assert!(refused.kind() == ErrorKind::AccessDenied, "{refused}");
        // Asked in full, on this thread and on another.
        assert_eq!(access(&near, &theirs), Ok(Access::Inaccessible));
        std::thread::scope(|scope| {
            scope.spawn(|| assert_eq!(access(&near, &theirs), Ok(Access::Inaccessible)));
        });
        assert_eq!(access(&near, &mapped), Ok(Access::Accessible));
        let view = closed.slice::<u32>(..4).unwrap();
        assert_eq!(access(&near, &view), Ok(Access::Inaccessible));
        assert_eq!(recorded_access(&near, &view), Ok(Access::Inaccessible));
        if let Some((pool, memory)) = &pooled {
            assert_eq!(access(&near, memory), Ok(Access::Inaccessible));
            assert_eq!(pool.has_access(near.device()), Ok(false));
        }
        ends(&stream);

        // Access that is recorded before the capture counts in it.
        let _access = near.peer_access(&far).unwrap();
        assert!(begins(&stream));
        // SAFETY: the kernel writes one element, and reads memory that stays.
        unsafe { copy.launch(ONE, &stream, (to.ptr(), theirs.ptr())) }.unwrap();
        let graph = ends(&stream);
        replay(graph, &stream);
        assert_eq!(to.to_vec().unwrap(), [7]);
    });
}

fn replay(graph: CUgraph, stream: &Stream) {
    let _entered = stream.context().enter().unwrap();
    let mut runnable = null_mut();
    // SAFETY: `runnable` is valid for a write, the graph live.
    assert!(unsafe { cuGraphInstantiateWithFlags(&raw mut runnable, graph, 0) }.is_success());
    // SAFETY: it was made in this context.
    assert!(unsafe { cuGraphLaunch(runnable, stream.as_raw()) }.is_success());
    stream.synchronize().unwrap();
}

// Captured addresses are those of replays, too.
#[test]
fn replays_see_changes_by_the_host() {
    if !crate::is_since(12, 0) {
        cuda_suite::skip!("older drivers tell less, and replay by other functions");
    }
    alone("access::replays_see_changes_by_the_host", || {
        let context = context();
        let stream = Stream::with_flags(&context, StreamFlags::NON_BLOCKING).unwrap();
        let mut from = PinnedBuf::from_slice(&context, &[7_u32]).unwrap();
        let to = DeviceBuf::<u32>::zeroed(&stream, 1).unwrap();
        let copy = copy(&context).with_access_check(AccessCheck::Checked);
        let address = from.device_ptr().unwrap();
        stream.synchronize().unwrap();
        if !begins(&stream) {
            return;
        }
        // SAFETY: the kernel writes one element, and reads memory that stays.
        unsafe { copy.launch(ONE, &stream, (to.ptr(), address)) }.unwrap();
        let graph = ends(&stream);
        for value in [7, 8] {
            from[0] = value;
            replay(graph, &stream);
            assert_eq!(to.to_vec().unwrap(), [value]);
        }
    });
}
