//! The programs of the sweep. Together they call everything that the safe API has.

use crate::graphs::newest;
use crate::{blocks, on_another_thread, references, sources};
use cuda_rt::checkpoint::{Process, ProcessState};
use cuda_rt::context::{CacheConfig, ContextFlags, ExecAffinity, Limit};
use cuda_rt::coredump::{self, CoredumpFlags};
use cuda_rt::device::DeviceAttribute;
use cuda_rt::error::{Code, ErrorKind};
use cuda_rt::error_log::{self, LogPosition};
use cuda_rt::event::EventFlags;
use cuda_rt::launch::LaunchProblem;
use cuda_rt::memory::MemorySource;
use cuda_rt::module::FunctionAttribute;
use cuda_rt::peer::{AtomicOperation, P2pAttribute};
use cuda_rt::stream::{PerThreadStream, StreamFlags, StreamRef};
use cuda_rt::{Context, Device, DeviceBuf, DevicePtr, Error, Event, LaunchConfig, Module, Stream};
use cuda_sim::Config;
use cuda_suite::neighbour;
use cuda_sys::Symbol;

/// Questions after memory was refused. The context need not be current before.
const ROOM: &[Symbol] = &[
    Symbol::cuMemGetInfo_v2,
    Symbol::cuCtxGetCurrent,
    Symbol::cuCtxPushCurrent_v2,
    Symbol::cuCtxPopCurrent_v2,
];

pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// The configuration of its machine.
    pub(crate) config: fn(Config) -> Config,
    pub(crate) run: fn() -> Result<(), Error>,
    /// Calls that are only made to explain an error.
    pub(crate) explains: &'static [Symbol],
    /// If true, no other scenario runs meanwhile.
    pub(crate) apart: bool,
    /// If true, and if every call fails while host memory is lent to the device, the process ends or never uses the memory again.
    pub(crate) ends_process: bool,
    /// If true, the scenario frees memory and asks again if there is too little.
    pub(crate) makes_room: bool,
    /// If true, it pushes contexts by hand: a push that fails after its work stays for the program to pop.
    pub(crate) pushes: bool,
    /// If true, it drops objects that the device may still use. Then another thread drops them, which is on no machine.
    pub(crate) retires: bool,
}

pub(crate) const fn plain(name: &'static str, run: fn() -> Result<(), Error>) -> Scenario {
    Scenario {
        name,
        config: |config| config,
        run,
        explains: &[],
        apart: false,
        ends_process: false,
        makes_room: false,
        pushes: false,
        retires: false,
    }
}

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("initialising", initialising),
    plain("devices", devices),
    plain("the log of failures", error_log),
    plain("settings of core dumps", coredumps),
    Scenario { config: newest, ..plain("functions for core dumps", coredump_functions) },
    plain("checkpoints", checkpoints),
    plain("attributes", attributes),
    plain("pairs of devices", pairs),
    plain("primary contexts", primary),
    plain("created contexts", created),
    plain("contexts of others", adopted),
    plain("settings", settings),
    Scenario { pushes: true, ..plain("the stack", stack) },
    plain("streams", streams),
    plain("default streams", default_streams),
    plain("streams that wait for each other", joined),
    plain("memory on other streams", guarded),
    plain("the current context", current),
    plain("events", events),
    plain("events of contexts", context_events),
    plain("memory", memory),
    plain("memory by streams", memory_by_streams),
    plain("copies of buffers", clones),
    plain("memory of contexts", memory_of_contexts),
    Scenario { apart: true, ..plain("memory of devices", memory_of_devices) },
    Scenario { apart: true, ..plain("copies between devices while access is taken away", copies_and_access) },
    plain("memory of the legacy stream", memory_of_legacy),
    Scenario { config: without_pools, ..plain("memory without pools", memory) },
    Scenario { config: without_pools, ..plain("memory of contexts without pools", memory_of_contexts) },
    Scenario {
        config: |config| Config { memory_bytes: 100 << 20, ..config },
        explains: ROOM,
        ..plain("too little memory", too_little)
    },
    plain("blocks", blocks::blocks),
    plain("unified addresses", blocks::unified_addresses),
    plain("arrays", blocks::arrays),
    plain("rows", blocks::rows),
    plain("batches", blocks::batches),
    plain("decompression", blocks::decompression),
    #[cfg(unix)]
    plain("descriptors of memory", blocks::descriptors),
    plain("addresses", blocks::addresses),
    Scenario { apart: true, ..plain("blocks of devices", blocks::blocks_of_devices) },
    plain("plain memory", sources::plain_memory),
    plain("memory that moves between streams", sources::moved),
    plain("raw memory", sources::raw_memory),
    plain("memory of others", sources::memory_of_others),
    Scenario {
        config: |config| Config { memory_bytes: 100 << 20, ..config },
        explains: ROOM,
        makes_room: true,
        ..plain("memory that is made room for", sources::made_room)
    },
    plain("memory pools", sources::pools),
    plain("pools that are current", sources::current_pools),
    plain("pools of the host", sources::located_pools),
    Scenario { apart: true, ..plain("access to pools", sources::pool_access) },
    plain("virtual memory", sources::virtual_memory),
    plain("virtual memory of the host", sources::virtual_memory_of_the_host),
    plain("multicast objects", sources::multicast),
    plain("virtual memory that is dropped", sources::virtual_memory_dropped),
    Scenario { apart: true, ..plain("virtual memory of devices", sources::virtual_memory_of_devices) },
    plain("a caching pool", sources::caching),
    plain("a caching pool that ends first", sources::caching_ends),
    Scenario { ends_process: true, ..plain("a pool of page-locked memory", sources::pinned_pool) },
    Scenario {
        config: |config| Config { memory_bytes: 100 << 20, ..config },
        explains: &[Symbol::cuMemGetInfo_v2],
        makes_room: true,
        ..plain("a caching pool that makes room", sources::caching_makes_room)
    },
    plain("memory and events for other processes", shared),
    plain("memory and events of another process", opened),
    Scenario { explains: crate::modules::EXPLAINS, ..plain("modules", modules) },
    plain("texture references that are bound", references::bound),
    plain("texture references that memory is bound to", references::memory),
    plain("texture references that are set", references::set),
    plain("texture references of one's own", references::own_ones),
    plain("surface references", references::surfaces),
    Scenario { apart: true, ..plain("references of peers", references::peers) },
    plain("kernels", kernels),
    Scenario {
        explains: &[Symbol::cuFuncGetAttribute, Symbol::cuDeviceGetAttribute, Symbol::cuCtxGetDevice],
        ..plain("a kernel that is refused", refused)
    },
    Scenario {
        explains: &[Symbol::cuDeviceGetCount, Symbol::cuCtxGetCurrent],
        ..plain("what is not there", missing)
    },
    plain("peer access", peer_access),
    plain("peer access by guards", peer_guards),
    plain("peer access in both directions", peer_both_directions),
    plain("peer access that ends with its context", peer_ends),
    plain("peer access that is asked about", peer_asked),
    Scenario { config: without_pools, ..plain("peer access without pools", peer_guards) },
    plain("dropping on other threads", other_threads),
    plain("dropping in other contexts", other_contexts),
    plain("dropping parents first", parents_first),
    plain("dropping children first", children_first),
];

fn without_pools(config: Config) -> Config {
    let profiles = config.profiles.into_iter().map(cuda_sim::Profile::without_memory_pools).collect();
    Config { profiles, ..config }
}

pub(crate) type Done = Result<(), Error>;

pub(crate) fn device() -> Result<Device, Error> {
    Device::get(0)
}

pub(crate) fn own() -> Result<Context, Error> {
    Context::new(device()?, ContextFlags::default())
}

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry put(.param .u64 out, .param .u32 value) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [out]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret; }";

fn initialising() -> Done {
    cuda_rt::init()?;
    assert!(cuda_rt::driver_version()?.major() >= 11);
    cuda_rt::driver::init_with_flags(0)
}

fn devices() -> Done {
    for device in Device::all()? {
        device.name()?;
        device.uuid()?;
        device.total_memory()?;
        device.compute_capability()?;
        device.compute_mode()?;
        assert_eq!(Device::by_pci_bus_id(&device.pci_bus_id()?)?, device);
        device.supports_exec_affinity()?;
        device.primary_context_state()?;
        device.set_primary_context_flags(ContextFlags::default())?;
        device.host_atomic_capabilities(&[AtomicOperation::CAS])?;
        device.on_notification(|_| ())?.close()?;
        drop(device.on_notification(|_| ())?);
    }
    Ok(())
}

fn error_log() -> Done {
    device()?;
    let guard = error_log::on_message(|_, _| ())?;
    let mut position = LogPosition::current()?;
    position.read()?;
    position.write("/dev/null")?;
    error_log::read_all()?;
    error_log::write_all("/dev/null")?;
    drop(error_log::on_message(|_, _| ())?);
    guard.close()
}

fn coredumps() -> Done {
    let context = own()?;
    for settings in [coredump::global(), context.coredump_settings()] {
        settings.set_flags(CoredumpFlags::LIGHTWEIGHT)?;
        assert_eq!(settings.flags()?, CoredumpFlags::LIGHTWEIGHT);
        settings.set_file("file")?;
        settings.file()?;
        settings.set_enabled(settings.is_enabled()?)?;
    }
    Ok(())
}

fn coredump_functions() -> Done {
    device()?;
    let start = match coredump::on_start(|_| ()) {
        Err(error) if error.kind() == ErrorKind::FunctionMissing => return Ok(()),
        start => start?,
    };
    let complete = coredump::on_complete(|_| ())?;
    start.close()?;
    complete.close()?;
    drop((coredump::on_start(|_| ())?, coredump::on_complete(|_| ())?));
    Ok(())
}

/// Continues after any failure: otherwise further calls would wait for ever.
fn checkpoints() -> Done {
    device()?;
    let own = Process::current();
    let steps = || {
        assert_eq!(own.state()?, ProcessState::Running);
        own.lock(None)?;
        // SAFETY: no thread uses memory of the host that the driver has.
        unsafe { own.checkpoint() }?;
        // SAFETY: as above.
        unsafe { own.restore(&[]) }?;
        own.unlock()
    };
    steps().inspect_err(|_| {
        if own.state() == Ok(ProcessState::Checkpointed) {
            // SAFETY: as above.
            unsafe { own.restore(&[]) }.unwrap();
        }
        if own.state() == Ok(ProcessState::Locked) {
            own.unlock().unwrap();
        }
    })
}

fn attributes() -> Done {
    let device = device()?;
    device.attributes()?;
    device.attribute(DeviceAttribute::WARP_SIZE)?;
    device.multiprocessor_count().map(drop)
}

fn pairs() -> Done {
    let (first, second) = (device()?, Device::get(1)?);
    first.can_access_peer(second)?;
    first.p2p_attribute(P2pAttribute::PERFORMANCE_RANK, second)?;
    first.peer_capabilities(second)?;
    first.p2p_atomic_capabilities(&[AtomicOperation::CAS], second)?;
    Ok(())
}

fn primary() -> Done {
    let device = device()?;
    let context = Context::primary(device)?;
    let again = Context::primary(device)?;
    context.flags()?;
    context.api_version()?;
    context.memory_info()?;
    context.stream_priority_range()?;
    context.synchronize()?;
    assert!(!context.is_current()?);
    drop(again);
    device.primary_context_state()?;
    Ok(())
}

fn created() -> Done {
    let context = Context::new(device()?, ContextFlags::SCHED_YIELD)?;
    context.flags()?;
    context.clone().synchronize()?;
    match Context::with_exec_affinity(device()?, ContextFlags::default(), ExecAffinity::SmCount(8)) {
        Err(error) if error.code() == Some(Code::UnsupportedExecAffinity) => {}
        other => drop(other?),
    }
    context.exec_affinity()?;
    Ok(())
}

fn adopted() -> Done {
    let context = own()?;
    // SAFETY: the owner keeps the context alive.
    let borrowed = unsafe { Context::from_raw_with_owner(context.as_raw(), Box::new(context.clone())) }?;
    drop(context);
    Stream::new(&borrowed)?.synchronize()
}

fn settings() -> Done {
    let context = own()?;
    context.set_limit(Limit::STACK_SIZE, 2048)?;
    context.limit(Limit::STACK_SIZE)?;
    context.set_cache_config(CacheConfig::PreferL1)?;
    context.cache_config()?;
    context.set_flags(ContextFlags::SCHED_YIELD)?;
    context.reset_persisting_l2_cache()?;
    #[allow(deprecated)]
    {
        context.shared_mem_config()?;
        context.set_shared_mem_config(cuda_rt::context::SharedMemConfig::FourByteBankSize)?;
    }
    Ok(())
}

fn stack() -> Done {
    let (first, second) = (own()?, Context::primary(device()?)?);
    {
        let _outer = first.enter()?;
        let _inner = second.enter()?;
        let _again = second.enter()?;
        Context::current_raw()?;
        Context::current_device()?;
        first.synchronize()?;
    }
    // By hand: after any failure, the pushed context is popped.
    first.push()?;
    let worked = first.is_current();
    match Context::pop() {
        Ok(popped) => assert_eq!(popped, first.as_raw()),
        Err(error) => {
            // The program itself must undo it.
            if first.is_current()? {
                Context::pop()?;
            }
            return Err(error);
        }
    }
    worked.map(drop)
}

fn streams() -> Done {
    let context = Context::primary(device()?)?;
    let stream = Stream::new(&context)?;
    let blocking = Stream::with_flags(&context, StreamFlags::DEFAULT)?;
    let urgent = Stream::with_priority(&context, StreamFlags::NON_BLOCKING, -1)?;
    stream.id()?;
    stream.flags()?;
    urgent.priority()?;
    stream.is_capturing()?;
    let event = Event::new(&context)?;
    event.record(&stream)?;
    urgent.wait_event(&event)?;
    stream.is_done()?;
    urgent.synchronize()?;
    blocking.close()?;
    stream.close()
}

fn joined() -> Done {
    let context = Context::primary(device()?)?;
    let (first, second) = (Stream::new(&own()?)?, Stream::new(&context)?);
    second.wait_stream(&first)?;
    // SAFETY: the stream lives as long as this is used.
    let borrowed = unsafe { StreamRef::from_raw(second.as_raw(), &context) };
    borrowed.wait_stream(&PerThreadStream::new(&context))?;
    PerThreadStream::new(&context).wait_stream(&borrowed)?;
    borrowed.is_done()?;
    borrowed.synchronize()
}

fn guarded() -> Done {
    let (home, other) = (Stream::new(&Context::primary(device()?)?)?, Stream::new(&own()?)?);
    let mut buffer = DeviceBuf::from_host(&home, &[1_u8, 2, 3])?;
    drop(buffer.use_on(&other)?);
    buffer.slice_mut(1..)?.use_on(&other.as_stream_ref())?.close()?;
    buffer.use_on_mut(&home)?.close()?;
    assert_eq!(buffer.to_vec()?, [1, 2, 3]);
    Ok(())
}

fn current() -> Done {
    let (first, second) = (own()?, Context::primary(device()?)?);
    for context in [&first, &second] {
        let _entered = context.enter()?;
        let found = Context::current()?;
        assert_eq!(found.as_ref(), Some(context));
    }
    Ok(())
}

fn default_streams() -> Done {
    let context = Context::primary(device()?)?;
    let event = Event::new(&context)?;
    let (legacy, own) = (Stream::legacy(&context), PerThreadStream::new(&context));
    event.record(&legacy)?;
    own.wait_event(&event)?;
    own.is_done()?;
    own.synchronize()?;
    legacy.synchronize()
}

fn events() -> Done {
    let context = Context::primary(device()?)?;
    let stream = Stream::new(&context)?;
    let (start, end) = (Event::new(&context)?, Event::new(&context)?);
    let silent = Event::with_flags(&context, EventFlags::DISABLE_TIMING)?;
    start.record(&stream)?;
    silent.record(&stream)?;
    end.record(&stream)?.synchronize()?;
    silent.is_done()?;
    end.elapsed_since(&start)?;
    // SAFETY: live, of this context, and without another owner.
    let end = unsafe { Event::from_raw(end.into_raw(), &context) };
    end.close()?;
    start.close()
}

fn context_events() -> Done {
    let (first, second) = (own()?, own()?);
    let event = Event::new(&first)?;
    first.record_event(&event)?;
    second.wait_event(&event)?;
    second.synchronize()
}

fn memory() -> Done {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let mut buffer = DeviceBuf::from_host(&stream, &[1_u32, 2, 3, 4])?;
    let mut zeros = DeviceBuf::<u32>::zeroed(&stream, 4)?;
    let uninit = DeviceBuf::<u32>::uninit(&stream, 4)?;
    let empty = DeviceBuf::<u32>::zeroed(&stream, 0)?;
    buffer.slice_mut(1..3)?.copy_from_host(&[7, 8])?;
    zeros.copy_from_device(buffer.as_slice())?;
    zeros.slice_mut(..1)?.fill_zero()?;
    let mut host = [0; 4];
    zeros.copy_to_host(&mut host)?;
    assert_eq!((host, buffer.to_vec()?), ([0, 7, 8, 4], vec![1, 7, 8, 4]));
    uninit.close()?;
    empty.close()?;
    buffer.close()
}

fn clones() -> Done {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let first = DeviceBuf::from_host_in(&stream, &[1_u32, 2, 3], MemorySource::Plain)?;
    let second = first.try_clone()?;
    let third = DeviceBuf::from_device(&Stream::new(&own()?)?, second.slice(1..)?)?;
    drop((first, second));
    assert_eq!(third.to_vec()?, [2, 3]);
    third.close()
}

fn memory_by_streams() -> Done {
    let context = Context::primary(device()?)?;
    let (first, second) = (Stream::new(&context)?, Stream::new(&context)?);
    let source = DeviceBuf::from_host(&first, &[1_u32, 2, 3])?;
    let mut copy = DeviceBuf::<u32>::zeroed(&second, 3)?;
    copy.copy_from_device(source.as_slice())?;
    drop(source);
    assert_eq!(copy.to_vec()?, [1, 2, 3]);
    Ok(())
}

fn between(first: &Context, second: &Context) -> Done {
    let source = DeviceBuf::from_host(&Stream::new(first)?, &[1_u32, 2, 3])?;
    let mut copy = DeviceBuf::<u32>::zeroed(&Stream::new(second)?, 3)?;
    copy.copy_from_device(source.as_slice())?;
    drop(source);
    assert_eq!(copy.to_vec()?, [1, 2, 3]);
    copy.close()
}

fn memory_of_contexts() -> Done {
    between(&own()?, &Context::primary(device()?)?)
}

fn memory_of_devices() -> Done {
    between(&Context::primary(device()?)?, &Context::primary(Device::get(1)?)?)
}

fn copies_and_access() -> Done {
    let (own, peer) = peers()?;
    let access = own.peer_access(&peer)?;
    let source = DeviceBuf::from_host(&Stream::new(&peer)?, &[1_u32, 2, 3])?;
    let mut copy = DeviceBuf::<u32>::zeroed(&Stream::new(&own)?, 3)?;
    copy.copy_from_device(source.as_slice())?;
    access.close()?;
    assert_eq!(copy.to_vec()?, [1, 2, 3]);
    Ok(())
}

fn memory_of_legacy() -> Done {
    let context = own()?;
    let buffer = DeviceBuf::from_host(&Stream::legacy(&context), &[1_u32, 2, 3])?;
    assert_eq!(buffer.to_vec()?, [1, 2, 3]);
    drop(context);
    drop(buffer);
    Ok(())
}

fn too_little() -> Done {
    const MOST: usize = 60 << 20;
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let first = DeviceBuf::<u8>::uninit(&stream, MOST)?;
    match DeviceBuf::<u8>::uninit(&stream, MOST) {
        Err(error) if error.is_out_of_memory() => {}
        other => {
            other?;
            panic!("there is not so much");
        }
    }
    first.close()?;
    stream.synchronize()?;
    DeviceBuf::<u8>::uninit(&stream, MOST)?.close()
}

fn shared() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let memory = DeviceBuf::from_host_in(&stream, &[1_u32, 2], MemorySource::Plain)?;
    let event = Event::with_flags(&context, EventFlags::INTERPROCESS | EventFlags::DISABLE_TIMING)?;
    event.record(&stream)?;
    assert_eq!(memory.ipc_handle()?, memory.ipc_handle()?);
    event.ipc_handle()?;
    event.synchronize()?;
    event.close()?;
    assert_eq!(memory.to_vec()?, [1, 2]);
    memory.close()
}

fn opened() -> Done {
    let (memory, event) = neighbour::handles("neighbour");
    let context = own()?;
    let stream = Stream::new(&context)?;
    // SAFETY: the neighbour keeps it as long as this process runs.
    let reached = unsafe { Event::from_ipc_handle(&context, &event) }?;
    stream.wait_event(&reached)?;
    reached.is_done()?;
    let open = |len| {
        // SAFETY: likewise; no code changes it.
        unsafe { DeviceBuf::<u32>::from_ipc_handle(&stream, &memory, len) }
    };
    let (first, second) = (open(4)?, open(2)?);
    assert_eq!(first.ptr(), second.ptr());
    first.close()?;
    assert_eq!(second.to_vec()?, neighbour::NUMBERS[..2]);
    drop(second);
    reached.close()
}

fn modules() -> Done {
    let context = Context::primary(device()?)?;
    let module = Module::from_ptx(&context, PTX)?;
    let put = module.function("put")?;
    put.attribute(FunctionAttribute::NUM_REGS)?;
    put.set_max_dynamic_shared_bytes(1024)?;
    put.set_shared_memory_carveout(Some(50))?;
    match module.function("get") {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        other => drop(other?),
    }
    match Module::from_ptx(
        &context,
        ".version 6.4 .target sm_50 .address_size 64 .visible .entry k() { nonsense; }",
    ) {
        Err(error) if error.kind() == ErrorKind::Compilation && error.code() == Some(Code::InvalidPtx) => {}
        other => drop(other?),
    }
    drop(put);
    module.close()
}

fn kernels() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let put = Module::from_ptx(&context, PTX)?.function("put")?;
    let put = match put.typed::<(DevicePtr<u32>, u32)>() {
        // The driver reports the end of the parameters as an unknown parameter.
        Err(error) if error.kind() == ErrorKind::TypeMismatch => return Ok(()),
        typed => typed?,
    };
    let buffer = DeviceBuf::<u32>::zeroed(&stream, 1)?;
    // SAFETY: one thread writes the element, on the buffer's own stream.
    unsafe { put.launch(LaunchConfig::new(1, 1), &stream, (buffer.ptr(), 40)) }?;
    let other = PerThreadStream::new(&context);
    stream.synchronize()?;
    // SAFETY: likewise, and what was queued on the buffer's stream is done.
    unsafe { put.launch(LaunchConfig::new(1, 1), &other, (buffer.ptr(), 41)) }?;
    other.synchronize()?;
    assert_eq!(buffer.to_vec()?, [41]);
    Ok(())
}

fn refused() -> Done {
    let stream = Stream::new(&Context::primary(device()?)?)?;
    let module = Module::from_ptx(stream.context(), PTX)?;
    // SAFETY: the kernel takes an address and a number.
    let put = unsafe { module.function("put")?.typed_unchecked::<(DevicePtr<u32>, u32)>() };
    let buffer = DeviceBuf::<u32>::zeroed(&stream, 1)?;
    // SAFETY: nothing is launched.
    match unsafe { put.launch(LaunchConfig::new(1, 4096), &stream, (buffer.ptr(), 1)) } {
        Err(error)
            if error.context::<LaunchProblem>().is_some() && error.code() == Some(Code::InvalidValue) =>
        {
            Ok(())
        }
        other => {
            other?;
            panic!("no block has so many threads")
        }
    }
}

fn missing() -> Done {
    match Device::get(99) {
        Err(error) if error.code() == Some(Code::InvalidDevice) => {}
        other => drop(other?),
    }
    let context = own()?;
    match context.limit(Limit(99)) {
        Err(error) if error.to_string().ends_with(": limit Limit(99)") => {}
        other => drop(other?),
    }
    let (stream, event) = (Stream::new(&Context::primary(device()?)?)?, Event::new(&context)?);
    match event.record(&stream) {
        Err(error) if error.code() == Some(Code::InvalidHandle) => {}
        other => drop(other?),
    }
    Ok(())
}

pub(crate) fn peers() -> Result<(Context, Context), Error> {
    Ok((own()?, Context::new(Device::get(1)?, ContextFlags::default())?))
}

fn peer_access() -> Done {
    let (own, peer) = peers()?;
    own.enable_peer_access(&peer)?;
    own.enable_peer_access(&peer)?;
    own.disable_peer_access(&peer)?;
    own.disable_peer_access(&peer)?;
    Ok(())
}

fn peer_guards() -> Done {
    let (own, peer) = peers()?;
    let first = own.peer_access(&peer)?;
    let second = own.peer_access(&peer)?;
    let back = peer.peer_access(&own)?;
    drop(first);
    own.peer_access_state(&peer).recorded();
    drop(second);
    back.close()
}

fn peer_both_directions() -> Done {
    let (own, peer) = peers()?;
    let guards = [own.peer_access(&peer)?, peer.peer_access(&own)?];
    own.enable_peer_access(&peer)?;
    peer.enable_peer_access(&own)?;
    drop(guards);
    own.disable_peer_access(&peer)?;
    Ok(())
}

fn peer_ends() -> Done {
    let (own, peer) = peers()?;
    own.enable_peer_access(&peer)?;
    drop(own);
    let primary = Context::primary(device()?)?;
    primary.enable_peer_access(&peer)?;
    drop(primary);
    drop(peer);
    Ok(())
}

fn peer_asked() -> Done {
    let (own, peer) = peers()?;
    own.peer_access_state(&peer).is_enabled()?;
    own.enable_peer_access(&peer)?;
    own.peer_access_state(&peer).is_enabled()?;
    own.peer_access_state(&own).is_enabled()?;
    Ok(())
}

/// One of everything.
#[allow(dead_code)] // for what their ends do
struct Everything {
    buffer: DeviceBuf<u32>,
    legacy: DeviceBuf<u32>,
    stream: Stream,
    event: Event,
    module: Module,
    context: Context,
}

fn everything() -> Result<Everything, Error> {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let event = Event::new(&context)?;
    event.record(&stream)?;
    let module = Module::from_ptx(&context, PTX)?;
    let buffer = DeviceBuf::from_host(&stream, &[1, 2, 3])?;
    let legacy = DeviceBuf::from_host(&Stream::legacy(&context), &[1, 2, 3])?;
    Ok(Everything { buffer, legacy, stream, event, module, context })
}

fn other_threads() -> Done {
    let things = everything()?;
    on_another_thread(move || drop(things));
    on_another_thread(|| everything().map(drop))
}

fn other_contexts() -> Done {
    let (things, other) = (everything()?, own()?);
    let _entered = other.enter()?;
    drop(things);
    Ok(())
}

fn parents_first() -> Done {
    let Everything { buffer, legacy, stream, event, module, context } = everything()?;
    drop(context);
    drop(module);
    drop(stream);
    drop(event);
    drop(legacy);
    drop(buffer);
    Ok(())
}

fn children_first() -> Done {
    let Everything { buffer, legacy, stream, event, module, context } = everything()?;
    drop(buffer);
    drop(legacy);
    drop(event);
    drop(stream);
    drop(module);
    drop(context);
    Ok(())
}

/// Scenarios that break a rule, and the text of the finding.
pub(crate) const WRONG: &[(Scenario, &str)] = &[
    (plain("an ignored error", swallows), "no error was reported"),
    (plain("what is forgotten if something fails", forgets), "still alive"),
    (plain("a context that stays current if something fails", stays), "the thread has 2 contexts"),
    (plain("a panic", panics), "panicked"),
    (plain("what is destroyed twice", destroys_twice), "cuStreamDestroy_v2 answered"),
    (plain("an error of another call", blames), "returned cuCtxGetFlags"),
];

fn swallows() -> Done {
    let stream = Stream::new(&own()?)?;
    let _ = stream.synchronize();
    Ok(())
}

#[allow(clippy::mem_forget)] // what is to be found
fn forgets() -> Done {
    let stream = Stream::new(&own()?)?;
    stream.synchronize().inspect_err(|_| std::mem::forget(stream.clone()))
}

fn stays() -> Done {
    let context = Context::primary(device()?)?;
    context.push()?;
    context.synchronize()?;
    Context::pop().map(drop)
}

fn panics() -> Done {
    Stream::new(&own()?)?.synchronize().unwrap();
    Ok(())
}

fn destroys_twice() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let raw = stream.as_raw();
    stream.close().inspect_err(|_| {
        // SAFETY: the software driver answers for what is gone.
        let _ = unsafe { cuda_sys::cuStreamDestroy_v2(raw) };
    })
}

fn blames() -> Done {
    let context = own()?;
    context.synchronize().map_err(|error| match error.code() {
        Some(code) => cuda_rt::error::check(Symbol::cuCtxGetFlags, code.as_raw()).unwrap_err(),
        None => error,
    })
}
