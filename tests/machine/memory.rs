//! Features of memory that only the software driver can show: budgets, free memory, devices with missing features, and
//! programs that do not wait.

#![allow(clippy::unwrap_used, unsafe_code)]

use cuda_rt::array::{
    Array, ArrayDescriptor, ArrayFlags, ArrayFormat, ArrayMappings, MipmappedArray, SparsePart,
};
use cuda_rt::context::ContextFlags;
use cuda_rt::memory::{
    CopyDestination, CopySource, MemAttach, Memcpy3D, MemcpyBatch, PhysicalMemory, PhysicalMemoryOptions,
};
use cuda_rt::{Context, Device, DeviceBuf, Event, ManagedBuf, PinnedBuf, Stream};
use cuda_sim::{Config, FaultRule, Machine, Profile, Schedule};
use cuda_suite::raw::{allocate, context, function, launch, machine, page_locked, read, stream};
use cuda_suite::{call, code, context_lost};
use cuda_sys::*;
use std::ptr::{null_mut, with_exposed_provenance, with_exposed_provenance_mut};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

const PTX: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry put(.param .u64 to, .param .u32 value) {
        .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %a, [to]; ld.param.u32 %r, [value]; st.global.u32 [%a], %r; ret; }";

const OK: CUresult = CUresult::CUDA_SUCCESS;
const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
const GLOBAL: u32 = CUmemAttach_flags_enum::CU_MEM_ATTACH_GLOBAL.0;
const HOST: u32 = CUmemAttach_flags_enum::CU_MEM_ATTACH_HOST.0;
const SINGLE: u32 = CUmemAttach_flags_enum::CU_MEM_ATTACH_SINGLE.0;

fn managed(bytes: usize, flags: u32) -> Result<CUdeviceptr, CUresult> {
    let mut address = 0;
    match code!(cuMemAllocManaged(&raw mut address, bytes, flags)) {
        OK => Ok(address),
        refusal => Err(refusal),
    }
}

/// A word of managed memory, as the host sees it.
fn word(address: CUdeviceptr) -> &'static AtomicU32 {
    // SAFETY: the address is of managed memory that the test has not freed.
    unsafe { &*with_exposed_provenance::<AtomicU32>(address as usize) }
}

/// A device whose managed memory only the host or the device may use at a time.
fn one_at_a_time() -> Profile {
    let attribute = CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS;
    Profile::T4.with_attribute(attribute.0, 0)
}

#[test]
fn small_device_has_the_memory_of_its_profile() {
    const MIB: usize = 1 << 20;
    let mut small = Profile::H200;
    small.total_memory = 64 << 20;
    let (_, _entered) = machine(Config { profiles: vec![Profile::H200, small], ..Config::default() });
    let info = || {
        let (mut free, mut total) = (0, 0);
        call!(cuMemGetInfo_v2(&raw mut free, &raw mut total));
        (free, total)
    };
    let refused = CUresult::CUDA_ERROR_OUT_OF_MEMORY;
    let mut at = 0;
    context(1);
    assert_eq!(info(), (64 * MIB, 64 * MIB));
    assert_eq!(code!(cuMemAlloc_v2(&raw mut at, 65 * MIB)), refused);
    assert_eq!(managed(65 * MIB, GLOBAL), Err(refused));
    managed(64 * MIB, GLOBAL).unwrap();
    // Half of the memory goes to the pool, and then nothing is left.
    assert_eq!(code!(cuMemAllocAsync(&raw mut at, 65 * MIB, null_mut())), refused);
    call!(cuMemAllocAsync(&raw mut at, 32 * MIB, null_mut()));
    allocate(32 * MIB);
    assert_eq!(info(), (0, 64 * MIB));
    assert_eq!(code!(cuMemAlloc_v2(&raw mut at, 1)), refused);
    // The other device has the limit of the machine.
    context(0);
    assert_eq!(info(), (4096 * MIB, Profile::H200.total_memory as usize));
    allocate(65 * MIB);
}

#[test]
fn managed_memory_has_a_budget() {
    let (_, _entered) = machine(Config { memory_bytes: 8 << 20, ..Config::default() });
    context(0);
    let free = || {
        let (mut free, mut total) = (0, 0);
        call!(cuMemGetInfo_v2(&raw mut free, &raw mut total));
        free
    };
    let none_left = Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
    assert_eq!(managed(9 << 20, GLOBAL), none_left);
    assert_eq!(managed(usize::MAX, GLOBAL), none_left);
    let at = managed(5 << 20, GLOBAL).unwrap();
    assert_eq!(free(), 8 << 20, "it need not be on the device");
    assert_eq!(managed(3 << 20, GLOBAL), none_left, "in pages of 2 MiB");
    let plain = allocate(8 << 20);
    call!(cuMemFree_v2(at));
    let at = managed(8 << 20, GLOBAL).unwrap();
    call!(cuMemFree_v2(plain));
    call!(cuMemFree_v2(at));
}

#[test]
fn live_managed_memory_is_counted() {
    let (machine, _entered) = machine(Config::default());
    let owner = context(0);
    let (first, _) = (managed(100, GLOBAL).unwrap(), managed(28, HOST).unwrap());
    let live = machine.live();
    assert_eq!((live.managed_allocations, live.managed_bytes), (2, 128));
    assert_eq!(live.to_string(), "1 context, 2 managed allocations, 128 bytes of managed memory");
    call!(cuMemFree_v2(first));
    assert_eq!(machine.live().managed_bytes, 28);
    // Managed memory is freed with its context, as other memory is.
    call!(cuCtxDestroy_v2(owner));
    assert!(machine.live().is_empty());
}

#[test]
fn managed_memory_outlives_its_machine() {
    let at = {
        let (machine, _entered) = machine(Config::default());
        context(0);
        let at = managed(4, GLOBAL).unwrap();
        machine.reset();
        at
    };
    word(at).store(5, Ordering::Relaxed);
    assert_eq!(word(at).load(Ordering::Relaxed), 5);
}

fn primary() -> Context {
    Context::primary(Device::get(0).unwrap()).unwrap()
}

#[test]
fn host_memory_of_a_released_context_stays() {
    let (_, _entered) = machine(Config::default());
    let own = primary();
    let stream = Stream::new(&own).unwrap();
    let mut pinned = PinnedBuf::<u8>::zeroed(&own, 4 << 20).unwrap();
    pinned[3 << 20] = 7;
    let mut managed = ManagedBuf::<u8>::zeroed(&stream, 4 << 20, MemAttach::Global).unwrap();
    let managed = managed.host_mut().unwrap();
    managed[3 << 20] = 8;
    let mut small = PinnedBuf::<u8>::zeroed(&own, 4096).unwrap();
    small[0] = 9;
    call!(cuDevicePrimaryCtxRelease_v2(0));
    let again = primary();
    let mut others: Vec<_> =
        [4 << 20, 4096].map(|bytes| PinnedBuf::<u8>::zeroed(&again, bytes).unwrap()).into();
    let stream = Stream::new(&again).unwrap();
    let mut other = ManagedBuf::<u8>::zeroed(&stream, 4 << 20, MemAttach::Global).unwrap();
    let mut used: Vec<_> = others.iter_mut().map(|other| other.as_mut_ptr_range()).collect();
    used.push(other.host_mut().unwrap().as_mut_ptr_range());
    for own in [pinned.as_mut_ptr_range(), managed.as_mut_ptr_range(), small.as_mut_ptr_range()] {
        // Checked before the reads, which may fault otherwise.
        assert!(used.iter().all(|other| other.end <= own.start || own.end <= other.start));
    }
    assert_eq!((pinned[3 << 20], managed[3 << 20], small[0]), (7, 8, 9));
}

/// Asserts that the primary context of the current machine is not released.
fn check_stays(release: impl FnOnce()) {
    let own = primary();
    release();
    own.synchronize().unwrap();
    assert_eq!(Machine::current().live().primary_retains, 1);
}

#[test]
fn release_on_another_machine_is_refused() {
    let (_, entered) = machine(Config::default());
    let other = primary();
    drop(entered);
    let (_, _entered) = machine(Config::default());
    check_stays(|| assert_eq!(other.close(), context_lost()));
}

#[test]
fn release_after_a_reset_is_refused() {
    let (machine, _entered) = machine(Config::default());
    let before = primary();
    machine.reset();
    check_stays(|| assert_eq!(before.close(), context_lost()));
}

#[test]
fn release_after_a_failing_question_is_refused() {
    let (_, entered) = machine(Config::default());
    let other = primary();
    drop(entered);
    let (machine, _entered) = machine(Config::default());
    check_stays(|| {
        machine.inject(FaultRule::new(Symbol::cuCtxGetId, CUresult::CUDA_ERROR_UNKNOWN).times(2));
        let text = other.close().unwrap_err().to_string();
        assert!(text.starts_with("cuDevicePrimaryCtxRelease_v2: not called"), "{text}");
    });
}

/// Frees managed memory of 8 MiB under work that `queue` queues, and returns whether the work wrote to page-locked memory that
/// was allocated afterwards. `queue` gets streams of two devices, the memory's home first. Its result is dropped last.
fn is_written_after_free<R>(
    schedule: Schedule,
    queue: impl FnOnce(&Machine, [&Stream; 2], &mut ManagedBuf<u8>) -> R,
) -> bool {
    const LEN: usize = 8 << 20;
    let (machine, _entered) = machine(Config { schedule, ..Config::default() });
    let devices = [0, 1].map(|index| Device::get(index).unwrap());
    let [own, peer] = devices.map(|device| Context::new(device, ContextFlags::default()).unwrap());
    let [home, other] = [&own, &peer].map(|context| Stream::new(context).unwrap());
    let mut managed = ManagedBuf::<u8>::zeroed(&home, LEN, MemAttach::Global).unwrap();
    home.synchronize().unwrap();
    let _kept = queue(&machine, [&home, &other], &mut managed);
    drop(managed);
    machine.clear_faults();
    // After a sticky error, no memory can be allocated.
    let Ok(pinned) = PinnedBuf::<u8>::zeroed(&own, LEN) else { return false };
    let _ = other.synchronize();
    let _ = home.synchronize();
    pinned.iter().any(|byte| *byte != 0)
}

#[test]
fn managed_memory_is_freed_after_a_fill() {
    let seeds = (0..20).map(Schedule::Random);
    for schedule in [Schedule::Eager, Schedule::Lazy].into_iter().chain(seeds) {
        let is_written = is_written_after_free(schedule, |_, [home, other], managed| {
            // The fill waits for another device.
            let event = Event::new(other.context()).unwrap();
            home.wait_event(event.record(other).unwrap()).unwrap();
            managed.as_slice_mut().fill(9).unwrap();
        });
        assert!(!is_written, "{schedule:?}");
    }
}

#[test]
fn managed_memory_outlives_a_copy_despite_faults() {
    let rules = [
        FaultRule::new(Symbol::cuEventQuery, CUresult::CUDA_ERROR_LAUNCH_FAILED).times(2),
        FaultRule::new(Symbol::cuCtxGetId, CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED).skip(1).times(2),
    ];
    for rule in rules {
        let shown = format!("{rule:?}");
        let is_written = is_written_after_free(Schedule::Lazy, |machine, [_, other], managed| {
            let mut source = DeviceBuf::<u8>::zeroed(other, managed.len()).unwrap();
            source.as_slice_mut().fill(9).unwrap();
            managed.as_slice_mut().copy_from_device(source.as_slice()).unwrap();
            // `cuda-rt` takes the copy for done.
            machine.inject(rule);
            source
        });
        assert!(!is_written, "{shown}");
    }
}

#[test]
fn managed_memory_is_read_after_a_copy_despite_faults() {
    let codes = [
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
        CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED,
        CUresult::CUDA_ERROR_DEINITIALIZED,
    ];
    for code in codes {
        let (machine, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
        let context = primary();
        let [home, other] = [(); 2].map(|()| Stream::new(&context).unwrap());
        let mut managed = ManagedBuf::<u32>::zeroed(&home, 4, MemAttach::Global).unwrap();
        home.synchronize().unwrap();
        // The streams cannot be ordered after the copy, and waiting fails as if the copy were never carried out.
        machine.inject(FaultRule::new(Symbol::cuEventRecord, CUresult::CUDA_ERROR_UNKNOWN).skip(1).times(1));
        machine.inject(FaultRule::new(Symbol::cuStreamSynchronize, code).times(2));
        let copied = other.scope(|scope| scope.copy_from_host(managed.as_slice_mut(), &[7; 4]));
        assert!(copied.is_err(), "{code:?}");
        let Ok(seen) = managed.host() else { continue };
        let before = seen.to_vec();
        let _ = other.synchronize();
        assert_eq!(seen, before, "{code:?}");
    }
}

#[test]
fn queued_work_does_not_write_to_later_host_memory() {
    let fill: Way = |to, _, _, on| call!(cuMemsetD8Async(to, 9, 8, on));
    for way in [&WAYS[..], &[fill]].concat() {
        let (_, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
        let (own, _) = (context(0), context(1));
        let on = stream(CUstream_flags_enum::CU_STREAM_NON_BLOCKING.0);
        let source = allocate(8);
        call!(cuMemsetD8Async(source, 9, 8, on));
        call!(cuCtxSetCurrent(own));
        let allocate_host = || {
            let mut host = null_mut();
            call!(cuMemHostAlloc(&raw mut host, 8, 0));
            host.cast::<u64>()
        };
        // Its page stays, so that the address is given out again.
        allocate_host();
        let freed = allocate_host();
        way(freed.expose_provenance() as u64, source, false, on);
        // Work of the second context is not waited for when memory of the first is freed.
        call!(cuMemFreeHost(freed.cast()));
        let later = allocate_host();
        assert_eq!(later, freed);
        // SAFETY: memory of this size, which nothing else uses.
        unsafe { later.write_volatile(1) };
        assert_eq!(code!(cuStreamSynchronize(on)), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        // SAFETY: as above; it is initialised.
        assert_eq!(unsafe { later.read_volatile() }, 1);
    }
}

#[test]
fn devices_without_pools_refuse_their_functions() {
    let none = CUresult::CUDA_ERROR_NOT_SUPPORTED;
    let config = Config::from_text("profile=h200+h200-nopools").unwrap();
    let (_, _entered) = machine(config);
    for (device, pools) in [(0, OK), (1, none)] {
        context(device);
        let (mut pool, mut address, on) = (null_mut(), 0, stream(0));
        assert_eq!(code!(cuDeviceGetDefaultMemPool(&raw mut pool, device)), pools);
        assert_eq!(code!(cuDeviceGetMemPool(&raw mut pool, device)), pools);
        let set = if pools == OK { pool } else { null_mut() };
        assert_eq!(code!(cuDeviceSetMemPool(device, set)).is_success(), pools == OK);
        let location = CUmemLocation {
            type_: CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE,
            __bindgen_anon_1: CUmemLocation_st__bindgen_ty_1 { id: device },
        };
        // SAFETY: zero is a value of all fields.
        let mut props: CUmemPoolProps = unsafe { core::mem::zeroed() };
        props.allocType = CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED;
        props.location = location;
        assert_eq!(code!(cuMemPoolCreate(&raw mut pool, &raw const props)), pools);
        assert_eq!(code!(cuMemAllocAsync(&raw mut address, 64, on)), pools);
        let (mut graph, mut node) = (null_mut(), null_mut());
        call!(cuGraphCreate(&raw mut graph, 0));
        // SAFETY: as above.
        let mut params: CUDA_MEM_ALLOC_NODE_PARAMS = unsafe { core::mem::zeroed() };
        (params.poolProps, params.bytesize) = (props, 64);
        let added = code!(cuGraphAddMemAllocNode(&raw mut node, graph, std::ptr::null(), 0, &raw mut params));
        assert_eq!(added, pools);
        call!(cuMemAlloc_v2(&raw mut address, 64));
    }
}

#[test]
fn buffers_of_devices_without_pools_are_plain() {
    for (text, function) in
        [("profile=h200", Symbol::cuMemAllocAsync), ("profile=h200-nopools", Symbol::cuMemAlloc_v2)]
    {
        let machine = Machine::new(Config::from_text(text).unwrap());
        let _entered = machine.enter();
        let stream = Stream::new(&Context::primary(Device::get(0).unwrap()).unwrap()).unwrap();
        machine.record_calls();
        let buffer = DeviceBuf::from_host(&stream, &[1_u32, 2, 3]).unwrap();
        assert_eq!(buffer.to_vec(), Ok(vec![1, 2, 3]));
        let calls = machine.take_calls();
        assert!(calls.iter().any(|call| call.function == function), "{text}: {calls:?}");
        drop((buffer, stream));
        assert!(machine.live().is_empty(), "{text}: {}", machine.live());
    }
}

#[test]
fn reserved_addresses_are_none_of_page_locked_memory() {
    const MIB: usize = 1 << 20;
    let profiles = vec![Profile::H200.without_unified_addressing()];
    // The addresses of a machine depend on its number, modulo 512.
    for _ in 0..512 {
        let (_, _entered) = machine(Config { profiles: profiles.clone(), ..Config::default() });
        context(0);
        let (mut host, mut alias, mut reserved) = (null_mut(), 0, 0);
        call!(cuMemHostAlloc(&raw mut host, 64, 0));
        call!(cuMemHostGetDevicePointer_v2(&raw mut alias, host, 0));
        assert_ne!(alias, host.addr() as u64);
        let wanted = alias / (2 * MIB as u64) * (2 * MIB as u64);
        call!(cuMemAddressReserve(&raw mut reserved, 2 * MIB, 0, wanted, 0));
        assert_ne!(reserved, wanted);
    }
}

#[test]
fn release_in_a_host_function_stays_on_its_machine() {
    cuda_sim::install_once().unwrap();
    let (tell, told) = channel();
    let before = cuda_rt::handle::set_drop_hook(move |error| {
        // A thread of `cuda-rt` releases the context, on the machine of the process.
        if std::thread::current().name() == Some("cuda-rt drops") {
            tell.send(error.clone()).unwrap_or_default();
        }
    });
    check_stays(|| {
        let (_, _entered) = machine(Config::default());
        let (context, second) = (primary(), primary());
        let stream = Stream::new(&context).unwrap();
        stream.launch_host_function(move || drop(second)).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(told.recv_timeout(Duration::from_secs(30)).unwrap(), context_lost());
    });
    before.restore();
}

#[test]
fn context_ids_are_unique_across_machines() {
    let id = || {
        let (context, mut id) = (context(0), 0);
        call!(cuCtxGetId(context, &raw mut id));
        id
    };
    let (first, _entered) = machine(Config::default());
    let before = id();
    first.reset();
    call!(cuInit(0));
    let after = id();
    let (_, _entered) = machine(Config::default());
    let ids = std::collections::BTreeSet::from([before, after, id()]);
    assert_eq!(ids.len(), 3);
}

#[test]
fn a_device_may_lack_managed_memory() {
    let attribute = CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY;
    let profiles = [Profile::H200.with_attribute(attribute.0, 0), Profile::H200.without_unified_addressing()];
    for profile in profiles {
        let (_, _entered) = machine(Config { profiles: vec![profile, Profile::H200], ..Config::default() });
        let other = context(1);
        let at = managed(4096, GLOBAL).unwrap();
        let without = context(0);
        let lacking = CUresult::CUDA_ERROR_NOT_SUPPORTED;
        assert_eq!(managed(4, GLOBAL), Err(lacking));
        let advice = CUmem_advise_enum::CU_MEM_ADVISE_SET_READ_MOSTLY;
        assert_eq!(code!(cuMemAdvise(at, 4096, advice, 0)), lacking);
        assert_eq!(code!(cuMemPrefetchAsync(at, 4096, 1, null_mut())), lacking);
        assert_eq!(code!(cuStreamAttachMemAsync(null_mut(), at, 0, GLOBAL)), lacking);
        // A kernel of this device cannot access managed memory of the other one either.
        launch(function(PTX, c"put"), null_mut(), &[at, 1]);
        assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
        let _ = (other, without);
    }
}

#[test]
fn prefetch_needs_concurrent_managed_access() {
    let profiles = vec![Profile::H200, one_at_a_time()];
    let (_, _entered) = machine(Config { profiles, ..Config::default() });
    let no_device = CUresult::CUDA_ERROR_INVALID_DEVICE;
    let prefer = CUmem_advise_enum::CU_MEM_ADVISE_SET_PREFERRED_LOCATION;
    let accessed = CUmem_advise_enum::CU_MEM_ADVISE_SET_ACCESSED_BY;
    context(0);
    let at = managed(4096, GLOBAL).unwrap();
    for (device, answer) in [(0, OK), (1, no_device), (CU_DEVICE_CPU, OK)] {
        assert_eq!(code!(cuMemPrefetchAsync(at, 4096, device, null_mut())), answer, "{device}");
        assert_eq!(code!(cuMemAdvise(at, 4096, prefer, device)), answer, "{device}");
        assert_eq!(code!(cuMemAdvise(at, 4096, accessed, device)), answer, "{device}");
    }
    // So does the stream.
    context(1);
    for device in [0, CU_DEVICE_CPU] {
        assert_eq!(code!(cuMemPrefetchAsync(at, 4096, device, null_mut())), no_device, "{device}");
    }
    // This is not about a place.
    let read_mostly = CUmem_advise_enum::CU_MEM_ADVISE_SET_READ_MOSTLY;
    assert_eq!(code!(cuMemAdvise(at, 4096, read_mostly, 1)), OK);
}

/// Returns whether a kernel on a stream reaches the memory, on a device that does not share it with the host.
fn reaches(attach: impl FnOnce(CUdeviceptr, CUstream), other: bool) -> bool {
    let (_, _entered) = machine(Config { profiles: vec![one_at_a_time()], ..Config::default() });
    context(0);
    let at = managed(4, HOST).unwrap();
    let streams = [stream(1), stream(1)];
    attach(at, streams[0]);
    launch(function(PTX, c"put"), streams[usize::from(other)], &[at, 1]);
    code!(cuCtxSynchronize()) == OK
}

#[test]
fn kernels_access_memory_attached_to_their_stream() {
    let attached = |flags| move |at, on| call!(cuStreamAttachMemAsync(on, at, 0, flags));
    let ended = |at, on| {
        call!(cuStreamAttachMemAsync(on, at, 0, SINGLE));
        call!(cuStreamDestroy_v2(on));
    };
    assert!(!reaches(|_, _| {}, false), "it was the host's from the start");
    assert!(!reaches(attached(HOST), false));
    assert!(reaches(attached(GLOBAL), false) && reaches(attached(GLOBAL), true));
    assert!(reaches(attached(SINGLE), false));
    assert!(!reaches(attached(SINGLE), true), "that is another stream's");
    assert!(!reaches(ended, true), "it is the host's again");
}

#[test]
fn attaching_waits_for_its_turn() {
    let schedule = Schedule::Lazy;
    let (_, _entered) = machine(Config { profiles: vec![one_at_a_time()], schedule, ..Config::default() });
    context(0);
    let at = managed(4, GLOBAL).unwrap();
    let (on, other) = (stream(1), stream(1));
    call!(cuStreamAttachMemAsync(on, at, 0, HOST));
    launch(function(PTX, c"put"), other, &[at, 1]);
    call!(cuStreamSynchronize(other));
    assert_eq!(word(at).load(Ordering::Relaxed), 1, "not attached to the host yet");
    call!(cuStreamSynchronize(on));
    launch(function(PTX, c"put"), other, &[at, 2]);
    assert_eq!(code!(cuCtxSynchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
}

#[test]
fn managed_memory_is_accessed_when_the_copy_runs() {
    let (_, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    context(0);
    let (on, at, device) = (stream(1), managed(8, GLOBAL).unwrap(), allocate(4));
    let seen = |at| word(at).load(Ordering::Relaxed);
    word(at).store(1, Ordering::Relaxed);
    call!(cuMemcpyDtoDAsync_v2(device, at, 4, on));
    word(at).store(2, Ordering::Relaxed);
    call!(cuMemcpyAsync(at + 4, device, 4, on));
    assert_eq!(seen(at + 4), 0, "read too early");
    call!(cuStreamSynchronize(on));
    assert_eq!(seen(at + 4), 2, "changed too early");
    call!(cuMemcpyAsync(at + 4, at, 4, on));
    word(at).store(3, Ordering::Relaxed);
    assert_eq!(seen(at + 4), 2);
    call!(cuMemsetD32Async(at, 7, 1, on));
    assert_eq!(seen(at), 3);
    call!(cuStreamSynchronize(on));
    assert_eq!([seen(at), seen(at + 4)], [7, 3]);
    // Calls that are not asynchronous wait.
    call!(cuMemsetD32_v2(at, 9, 2));
    assert_eq!(seen(at + 4), 9);
    call!(cuMemcpyDtoD_v2(at, device, 4));
    assert_eq!(seen(at), 2);
}

/// Copies of rows between host and device, which are bytes in a row as well.
fn copy_rows(to: CUdeviceptr, from: CUdeviceptr, from_host: bool, on: CUstream) {
    let (host, device) = (CUmemorytype_enum::CU_MEMORYTYPE_HOST, CUmemorytype_enum::CU_MEMORYTYPE_DEVICE);
    let (source, destination) = if from_host { (host, device) } else { (device, host) };
    let copy = CUDA_MEMCPY2D {
        srcMemoryType: source,
        srcHost: with_exposed_provenance(from as usize),
        srcDevice: from,
        srcPitch: 4,
        dstMemoryType: destination,
        dstHost: with_exposed_provenance_mut(to as usize),
        dstDevice: to,
        dstPitch: 4,
        WidthInBytes: 4,
        Height: 2,
        ..CUDA_MEMCPY2D::default()
    };
    call!(cuMemcpy2DAsync_v2(&raw const copy, on));
}

/// A way to copy eight bytes on a stream: to, from, whether from the host.
type Way = fn(CUdeviceptr, CUdeviceptr, bool, CUstream);

const WAYS: [Way; 3] = [
    |to, from, from_host, on| match from_host {
        true => call!(cuMemcpyHtoDAsync_v2(to, with_exposed_provenance(from as usize), 8, on)),
        false => call!(cuMemcpyDtoHAsync_v2(with_exposed_provenance_mut(to as usize), from, 8, on)),
    },
    |to, from, _, on| call!(cuMemcpyAsync(to, from, 8, on)),
    copy_rows,
];

#[test]
fn only_page_locked_memory_is_accessed_late() {
    type Kind = (&'static str, fn() -> &'static [AtomicU32]);
    let kinds: [Kind; 3] = [
        ("page-locked", || page_locked(2).0),
        ("registered", || {
            let words: &'static [AtomicU32; 2] = Box::leak(Box::default());
            call!(cuMemHostRegister_v2(words.as_ptr().cast_mut().cast(), 8, 0));
            words
        }),
        ("pageable", || Box::leak(Box::<[AtomicU32; 2]>::default())),
    ];
    for (kind, allocate_words) in kinds {
        for (way, copy) in WAYS.into_iter().enumerate() {
            let (_, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
            context(0);
            let (on, at, words) = (stream(1), allocate(8), allocate_words());
            let host = words.as_ptr().expose_provenance() as u64;
            let is_late = kind != "pageable";
            words[1].store(1, Ordering::Relaxed);
            copy(at, host, true, on);
            // The program continues too early.
            words[1].store(2, Ordering::Relaxed);
            call!(cuStreamSynchronize(on));
            assert_eq!(read(at + 4), if is_late { 2 } else { 1 }, "{kind}, {way}");
            copy(host, at, false, on);
            words[1].store(3, Ordering::Relaxed);
            call!(cuStreamSynchronize(on));
            // The program's own word is lost.
            assert_eq!(words[1].load(Ordering::Relaxed), if is_late { 2 } else { 3 }, "{kind}, {way}");
            if kind == "registered" {
                call!(cuMemHostUnregister(words.as_ptr().cast_mut().cast()));
            }
        }
    }
}

#[test]
fn copies_of_managed_memory_as_host_memory_wait() {
    let (_, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    context(0);
    let (on, at, device) = (stream(1), managed(8, GLOBAL).unwrap(), allocate(4));
    let host = |at: CUdeviceptr| with_exposed_provenance_mut(at as usize);
    launch(function(PTX, c"put"), on, &[at, 5]);
    call!(cuMemcpyHtoDAsync_v2(device, host(at), 4, on));
    word(at).store(6, Ordering::Relaxed);
    call!(cuMemcpyDtoHAsync_v2(host(at + 4), device, 4, on));
    assert_eq!(word(at + 4).load(Ordering::Relaxed), 5);
    let copy = CUDA_MEMCPY2D {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        srcHost: host(at),
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        dstDevice: device,
        WidthInBytes: 4,
        Height: 1,
        ..CUDA_MEMCPY2D::default()
    };
    call!(cuMemcpy2DAsync_v2(&raw const copy, on));
    assert_eq!(code!(cuStreamQuery(on)), OK);
}

#[test]
fn freed_memory_is_refused_by_every_call() {
    let (_, _entered) = machine(Config::default());
    context(0);
    let on = stream(1);
    let at = managed(4096, GLOBAL).unwrap();
    call!(cuMemFree_v2(at));
    let device = allocate(4);
    let refused = [
        code!(cuMemFree_v2(at)),
        code!(cuMemFreeAsync(at, on)),
        code!(cuMemcpyDtoD_v2(device, at, 4)),
        code!(cuMemsetD8_v2(at, 0, 1)),
        code!(cuMemAdvise(at, 4096, CUmem_advise_enum::CU_MEM_ADVISE_SET_READ_MOSTLY, 0)),
        code!(cuMemPrefetchAsync(at, 4096, 0, on)),
        code!(cuStreamAttachMemAsync(on, at, 0, GLOBAL)),
    ];
    assert_eq!(refused, [INVALID; 7]);
}

#[test]
fn sync_memops_makes_work_on_the_memory_wait() {
    let synced = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS;
    for (is_set, flags) in [(false, 0), (true, 0), (false, CUctx_flags_enum::CU_CTX_SYNC_MEMOPS.0)] {
        let (_, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
        let mut context = null_mut();
        call!(cuCtxCreate_v2(&raw mut context, flags, 0));
        let (at, other) = (allocate(4096), allocate(4096));
        let number = u32::from(is_set);
        call!(cuPointerSetAttribute((&raw const number).cast(), synced, at));
        let waits = is_set || flags != 0;
        let is_done = || {
            let answer = code!(cuStreamQuery(null_mut()));
            call!(cuCtxSynchronize());
            answer == OK
        };
        call!(cuMemsetD8_v2(at, 1, 4096));
        assert_eq!(is_done(), waits);
        call!(cuMemsetD2D8_v2(at, 64, 1, 8, 8));
        assert_eq!(is_done(), waits);
        for (to, from) in [(at, other), (other, at)] {
            call!(cuMemcpyDtoD_v2(to, from, 4096));
            assert_eq!(is_done(), waits);
            let kind = CUmemorytype_enum::CU_MEMORYTYPE_DEVICE;
            let copy = CUDA_MEMCPY2D {
                srcMemoryType: kind,
                srcDevice: from,
                dstMemoryType: kind,
                dstDevice: to,
                WidthInBytes: 64,
                Height: 1,
                ..CUDA_MEMCPY2D::default()
            };
            call!(cuMemcpy2D_v2(&raw const copy));
            assert_eq!(is_done(), waits);
        }
        // Asynchronous operations stay asynchronous.
        call!(cuMemsetD8Async(at, 2, 4096, null_mut()));
        assert!(!is_done());
    }
}

#[test]
fn setting_sync_memops_waits_for_earlier_work() {
    let (_, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    context(0);
    let at = allocate(4);
    call!(cuMemsetD8_v2(at, 1, 4));
    let synced = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS;
    let number = 1_u32;
    call!(cuPointerSetAttribute((&raw const number).cast(), synced, at));
    assert_eq!(code!(cuStreamQuery(null_mut())), OK);
}

#[test]
fn asynchronous_fills_of_host_memory_do_not_wait() {
    let (_, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    context(0);
    let at = managed(4, GLOBAL).unwrap();
    call!(cuMemsetD32Async(at, 7, 1, null_mut()));
    assert_eq!(word(at).load(Ordering::Relaxed), 0);
    call!(cuCtxSynchronize());
    assert_eq!(word(at).load(Ordering::Relaxed), 7);
}

#[test]
fn access_flags_do_not_tell_granted_access() {
    let access = |at| {
        let mut access = 9_u32;
        let attribute = CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS;
        call!(cuPointerGetAttribute((&raw mut access).cast(), attribute, at));
        access
    };
    let (_, _entered) = machine(Config::default());
    context(0);
    let plain = allocate(4);
    let mut pooled = 0;
    call!(cuMemAllocAsync(&raw mut pooled, 4, null_mut()));
    assert_eq!([plain, pooled].map(access), [3, 3]);
    let shared = managed(4, GLOBAL).unwrap();
    let _other = context(1);
    assert_eq!([plain, pooled, shared].map(access), [3, 3, 3]);
    call!(cuCtxPopCurrent_v2(null_mut()));
    call!(cuCtxPopCurrent_v2(null_mut()));
    assert_eq!(access(plain), 3, "without a context");
}

/// A batch of copies of words.
fn copy_words(copies: &[(CUdeviceptr, CUdeviceptr)], order: CUmemcpySrcAccessOrder, on: CUstream) {
    let mut to: Vec<_> = copies.iter().map(|(to, _)| *to).collect();
    let mut from: Vec<_> = copies.iter().map(|(_, from)| *from).collect();
    let mut sizes = vec![4; copies.len()];
    let mut manner = CUmemcpyAttributes { srcAccessOrder: order, ..CUmemcpyAttributes::default() };
    let mut start = 0;
    call!(cuMemcpyBatchAsync_v2(
        to.as_mut_ptr(),
        from.as_mut_ptr(),
        sizes.as_mut_ptr(),
        copies.len(),
        &raw mut manner,
        &raw mut start,
        1,
        on
    ));
}

#[test]
fn batch_sources_are_read_in_the_stated_order() {
    use CUmemcpySrcAccessOrder_enum as Order;
    let in_order = Order::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    let during_call = Order::CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    let any = Order::CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
    // Columns: the call waits, and the value that the copy sees if the source changes after the call. Pageable memory can be
    // reused after the call in any case.
    for (order, is_page_locked, waits, seen) in [
        (in_order, false, true, 1),
        (during_call, false, false, 1),
        (any, false, false, 1),
        (in_order, true, false, 2),
        (during_call, true, true, 1),
        (any, true, false, 2),
    ] {
        let (_, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
        context(0);
        let (on, at) = (stream(1), allocate(4));
        let own = AtomicU32::new(1);
        let source = if is_page_locked { &page_locked(1).0[0] } else { &own };
        source.store(1, Ordering::Relaxed);
        copy_words(&[(at, source.as_ptr().expose_provenance() as u64)], order, on);
        source.store(2, Ordering::Relaxed);
        assert_eq!(code!(cuStreamQuery(on)) == OK, waits, "{order:?}, {is_page_locked}");
        call!(cuStreamSynchronize(on));
        assert_eq!(read(at), seen, "{order:?}, {is_page_locked}");
    }
}

#[test]
fn batch_destinations_are_written_in_stream_order() {
    let (_, _entered) = machine(Config { schedule: Schedule::Lazy, ..Config::default() });
    context(0);
    let (on, at) = (stream(1), allocate(4));
    call!(cuMemsetD32Async(at, 7, 1, on));
    let own = AtomicU32::new(1);
    let order = CUmemcpySrcAccessOrder_enum::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    copy_words(&[(own.as_ptr().expose_provenance() as u64, at)], order, on);
    assert_eq!(own.load(Ordering::Relaxed), 1, "not even pageable memory is waited for");
    call!(cuStreamSynchronize(on));
    assert_eq!(own.load(Ordering::Relaxed), 7);
}

#[test]
fn copies_of_a_batch_have_no_order() {
    let order = CUmemcpySrcAccessOrder_enum::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    let schedules = [Schedule::Eager, Schedule::Lazy].into_iter().chain((0..20).map(Schedule::Random));
    let outcomes: Vec<u32> = schedules
        .map(|schedule| {
            let (_, _entered) = machine(Config { schedule, ..Config::default() });
            context(0);
            let (on, at) = (stream(1), allocate(12));
            for (index, value) in [1, 2, 3].into_iter().enumerate() {
                call!(cuMemsetD32_v2(at + 4 * index as u64, value, 1));
            }
            call!(cuCtxSynchronize());
            // One copy uses the result of the other.
            copy_words(&[(at, at + 4), (at + 8, at)], order, on);
            call!(cuStreamSynchronize(on));
            read(at + 8)
        })
        .collect();
    assert_eq!(outcomes[..2], [2, 1]);
    assert!(outcomes[2..].contains(&1) && outcomes[2..].contains(&2), "{outcomes:?}");
}

#[test]
fn discarded_memory_is_not_read() {
    for (prefetches, schedule) in [(false, Schedule::Eager), (true, Schedule::Lazy)] {
        let (_, _entered) = machine(Config { schedule, ..Config::default() });
        context(0);
        let (on, at) = (stream(1), managed(8192, GLOBAL).unwrap());
        call!(cuMemsetD32_v2(at, 5, 2048));
        let (mut first, mut size, mut start) = (at, 4096, 0);
        let kind = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_HOST;
        let mut place = CUmemLocation { type_: kind, ..CUmemLocation::default() };
        if prefetches {
            call!(cuMemDiscardAndPrefetchBatchAsync(
                &raw mut first,
                &raw mut size,
                1,
                &raw mut place,
                &raw mut start,
                1,
                0,
                on
            ));
            assert_eq!(word(at).load(Ordering::Relaxed), 5, "not yet");
        } else {
            call!(cuMemDiscardBatchAsync(&raw mut first, &raw mut size, 1, 0, on));
        }
        call!(cuStreamSynchronize(on));
        assert_ne!(word(at).load(Ordering::Relaxed), 5);
        assert_eq!(word(at + 4096).load(Ordering::Relaxed), 5);
    }
}

#[test]
fn managed_batches_need_concurrent_managed_access() {
    let profiles = vec![Profile::H200, one_at_a_time()];
    let (_, _entered) = machine(Config { profiles, ..Config::default() });
    context(0);
    let (mut at, mut size) = (managed(4096, GLOBAL).unwrap(), 4096);
    let answer = code!(cuMemDiscardBatchAsync(&raw mut at, &raw mut size, 1, 0, stream(1)));
    assert_eq!(answer, CUresult::CUDA_ERROR_NOT_SUPPORTED);
}

fn plane<'a>(to: CopyDestination<'a>, from: CopySource<'a>) -> Memcpy3D<'a> {
    Memcpy3D::plane(to, from, 2, 2)
}

/// The number of calls that copy the blocks: all together, and one each.
fn calls_for_blocks(machine: &Machine, stream: &Stream, copies: Vec<Memcpy3D<'_>>) -> (usize, usize) {
    let mut batch = MemcpyBatch::new();
    for copy in copies {
        batch.block(copy).unwrap();
    }
    machine.record_calls();
    batch.copy(stream).unwrap();
    let calls = machine.take_calls();
    let of = |function| calls.iter().filter(|call| call.function == function).count();
    (of(Symbol::cuMemcpy3DBatchAsync_v2), of(Symbol::cuMemcpy2DAsync_v2))
}

#[test]
fn blocks_that_depend_on_each_other_are_serial() {
    cuda_sim::install_once().unwrap();
    let machine = Machine::new(Config::default());
    let _entered = machine.enter();
    let stream = Stream::new(&Context::primary(Device::get(0).unwrap()).unwrap()).unwrap();
    let pixels = DeviceBuf::from_host(&stream, &[1_u8, 2, 3, 4]).unwrap();
    let mut copied = DeviceBuf::<u8>::zeroed(&stream, 4).unwrap();
    let descriptor = ArrayDescriptor::plane(2, 2, ArrayFormat::UNSIGNED_INT8, 1);
    let array = || Array::new(&stream, descriptor).unwrap();
    let (first, second) = (array(), array());
    let levels = MipmappedArray::new(&stream, descriptor, 2).unwrap();
    let level = || levels.level(0).unwrap();
    let fill = |array| plane(CopyDestination::array(array), CopySource::device(pixels.as_slice()));
    let (one, other, above) = (level(), level(), levels.level(1).unwrap());
    let corner = Memcpy3D::plane(CopyDestination::array(&above), CopySource::device(pixels.as_slice()), 1, 1);
    assert_eq!(
        calls_for_blocks(&machine, &stream, vec![fill(&first), fill(&second), fill(&one), corner]),
        (1, 0)
    );
    let clone = first.clone();
    assert_eq!(calls_for_blocks(&machine, &stream, vec![fill(&first), fill(&clone)]), (0, 2), "both write");
    assert_eq!(
        calls_for_blocks(&machine, &stream, vec![fill(&one), fill(&other)]),
        (0, 2),
        "both write to one level"
    );
    let read = plane(CopyDestination::device(copied.as_slice_mut()), CopySource::array(&first));
    assert_eq!(
        calls_for_blocks(&machine, &stream, vec![fill(&first), read]),
        (0, 2),
        "one reads what the other writes"
    );
    assert_eq!(copied.to_vec().unwrap(), [1, 2, 3, 4]);
    let within =
        Memcpy3D::plane(CopyDestination::array(&second).at(1, 0, 0), CopySource::array(&second), 1, 2);
    assert_eq!(
        calls_for_blocks(&machine, &stream, vec![within, fill(&first)]).1,
        1,
        "one array on both sides"
    );
    // Two sparse arrays may have the same memory.
    let sparse =
        ArrayDescriptor::plane(256, 256, ArrayFormat::UNSIGNED_INT8, 1).with_flags(ArrayFlags::SPARSE);
    let [near, far] = [(); 2].map(|()| Array::new(&stream, sparse).unwrap());
    assert_eq!(calls_for_blocks(&machine, &stream, vec![fill(&near), fill(&far)]), (0, 2), "sparse");
    // The crate does not know who else has the memory of foreign arrays.
    // SAFETY: `first` outlives the handle, and all copies are of its stream.
    let foreign = unsafe { Array::from_raw_with_owner(first.as_raw(), &stream, Box::new(())) }.unwrap();
    let counted = calls_for_blocks(&machine, &stream, vec![fill(&first), fill(&foreign)]);
    assert_eq!(counted, (0, 2), "a foreign handle to an array of the batch");
    let readers = [&first, &second].map(|to| plane(CopyDestination::array(to), CopySource::array(&one)));
    assert_eq!(calls_for_blocks(&machine, &stream, readers.into()), (1, 0), "both read");
}

const READS: &core::ffi::CStr = c".version 6.4 .target sm_50 .address_size 64
    .visible .entry texture(.param .u64 from, .param .u64 to) {
        .reg .b64 %t; .reg .b64 %a; .reg .f32 %f; .reg .b32 %r<4>;
        ld.param.u64 %t, [from]; ld.param.u64 %a, [to]; mov.f32 %f, 0f3f000000;
        tex.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f, %f}]; st.global.u32 [%a], %r0; ret; }
    .visible .entry surface(.param .u64 from, .param .u64 to) {
        .reg .b64 %t; .reg .b64 %a; .reg .b32 %r;
        ld.param.u64 %t, [from]; ld.param.u64 %a, [to];
        suld.b.2d.b32.trap %r, [%t, {0, 0}]; st.global.u32 [%a], %r; ret; }";

/// Reads an object of a sparse array by a kernel, before memory is mapped and afterwards. Returns the last answer.
fn read_around_mapping(is_texture: bool, is_destroyed: bool) -> CUresult {
    let (_, _entered) = machine(Config::default());
    let device = Device::get(0).unwrap();
    let context = Context::new(device, ContextFlags::default()).unwrap();
    let stream = Stream::new(&context).unwrap();
    let plane = ArrayDescriptor::plane(128, 128, ArrayFormat::UNSIGNED_INT32, 1);
    let array = Array::new(&stream, plane.with_flags(ArrayFlags::SPARSE)).unwrap();
    let options = PhysicalMemoryOptions::new().tile_pool(true);
    let bytes = PhysicalMemory::granularity(device, options).unwrap();
    let memory = PhysicalMemory::new(device, bytes, options).unwrap();
    let to = DeviceBuf::from_host(&stream, &[7_u32]).unwrap();
    let _current = context.enter().unwrap();
    let kind = CUresourcetype_enum::CU_RESOURCE_TYPE_ARRAY;
    let mut resource = CUDA_RESOURCE_DESC { resType: kind, ..CUDA_RESOURCE_DESC::default() };
    resource.res.array.hArray = array.as_raw();
    let texture = CUDA_TEXTURE_DESC { flags: CU_TRSF_READ_AS_INTEGER, ..CUDA_TEXTURE_DESC::default() };
    let (mut object, from, how) = (0, &raw const resource, &raw const texture);
    if is_texture {
        call!(cuTexObjectCreate(&raw mut object, from, how, std::ptr::null()));
    } else {
        call!(cuSurfObjectCreate(&raw mut object, from));
    }
    let kernel = function(READS, if is_texture { c"texture" } else { c"surface" });
    launch(kernel, stream.as_raw(), &[object, to.ptr().as_raw()]);
    assert_eq!(to.to_vec().unwrap(), [0], "there is no memory yet");
    if is_destroyed && is_texture {
        call!(cuTexObjectDestroy(object));
    } else if is_destroyed {
        call!(cuSurfObjectDestroy(object));
    }
    let mut mappings = ArrayMappings::new();
    mappings.map(&array, SparsePart::tiles([0; 3], [128, 128, 1]), &memory, 0).unwrap();
    mappings.submit(&stream).unwrap();
    launch(kernel, stream.as_raw(), &[object, to.ptr().as_raw()]);
    code!(cuStreamSynchronize(stream.as_raw()))
}

#[test]
fn kernels_do_not_read_zeros_of_mapped_arrays() {
    for is_texture in [true, false] {
        for is_destroyed in [false, true] {
            let answer = read_around_mapping(is_texture, is_destroyed);
            let case = format!("texture {is_texture}, destroyed {is_destroyed}");
            assert_eq!(answer, CUresult::CUDA_ERROR_NOT_SUPPORTED, "{case}");
        }
    }
}
