//! Programs that query access to memory.

use crate::scenarios::{Done, Scenario, peers, plain};
use cuda_rt::access::{AccessCheck, ForeignMemory, Viewpoint, access, memory_kind, recorded_access};
use cuda_rt::error::ErrorKind;
use cuda_rt::launch::Arg;
use cuda_rt::memory::{
    AccessFlags, MemAttach, MemPool, MemPoolOptions, MemorySource, PhysicalMemory, PhysicalMemoryOptions,
    VirtualMemory,
};
use cuda_rt::{
    Context, DeviceBuf, DevicePtr, Error, Kernel, LaunchConfig, ManagedBuf, Module, PinnedBuf, Stream,
};

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("access to memory of every kind that is asked about", kinds),
    plain("access to mapped memory that is asked about", mapped),
    plain("access between devices as a state", state),
    plain("launches that look at their memory", launches),
];

const PTX: &str = ".version 6.4 .target sm_50 .address_size 64
    .visible .entry look(.param .u64 first, .param .u64 second) { ret; }";

const ONE: LaunchConfig = LaunchConfig::new(1, 1);

type Look = (DevicePtr<u32>, DevicePtr<u32>);

fn look(context: &Context) -> Result<Kernel<Look>, Error> {
    let function = Module::from_ptx(context, PTX)?.function("look")?;
    // SAFETY: these are the kernel's parameters.
    Ok(unsafe { function.typed_unchecked() })
}

fn kinds() -> Done {
    let (near, far) = peers()?;
    let stream = Stream::new(&far)?;
    let plain = DeviceBuf::<u32>::zeroed_in(&stream, 8, MemorySource::Plain)?;
    let pooled = DeviceBuf::<u32>::zeroed(&stream, 8)?;
    let managed = ManagedBuf::<u32>::zeroed(&stream, 8, MemAttach::Global)?;
    let locked = PinnedBuf::<u32>::zeroed(&far, 8)?;
    // SAFETY: the buffer stays.
    let foreign = unsafe { ForeignMemory::on_device(&far, plain.ptr()) }?;
    for context in [&near, &far] {
        // Other tests check the answers. After a failure, the answer may be that the driver does not know.
        access(context, &plain)?;
        access(context, &plain.as_slice())?;
        access(context, &pooled)?;
        access(context, &pooled.as_slice())?;
        access(context, &foreign)?;
        recorded_access(context, &(&plain, &pooled))?;
        access(context, &(&managed, &locked))?;
        Viewpoint::from(context).usually_reaches(&far)?;
    }
    access(Viewpoint::Host, &managed)?;
    memory_kind(&plain.as_slice())?;
    near.device().memory_capabilities()?;
    Ok(())
}

fn mapped() -> Done {
    let (near, far) = peers()?;
    let options = PhysicalMemoryOptions::new();
    let unit = PhysicalMemory::granularity(far.device(), options)?;
    let mut memory = VirtualMemory::reserve(&Stream::new(&far)?, 2 * unit)?;
    for offset in [0, unit] {
        memory.map(offset, &PhysicalMemory::new(far.device(), unit, options)?)?;
    }
    access(&near, &memory)?;
    memory.set_access(.., &[near.device(), far.device()], AccessFlags::READ_WRITE)?;
    access(&near, &memory)?;
    access(&near, &memory.slice::<u8>(..)?)?;
    Ok(())
}

fn state() -> Done {
    let (near, far) = peers()?;
    let pool = MemPool::new(far.device(), MemPoolOptions::new())?;
    for enabled in [true, true, false, false] {
        if enabled {
            near.enable_peer_access(&far)?;
        } else {
            near.disable_peer_access(&far)?;
        }
        pool.set_access(near.device(), if enabled { AccessFlags::READ_WRITE } else { AccessFlags::NONE })?;
        pool.has_access(near.device())?;
        near.peer_access_state(&far).is_supported()?;
        pool.can_have_access(near.device())?;
    }
    Ok(())
}

fn launches() -> Done {
    let (near, far) = peers()?;
    let stream = Stream::new(&near)?;
    let (ours, theirs) = (DeviceBuf::<u32>::zeroed(&stream, 1)?, DeviceBuf::zeroed(&Stream::new(&far)?, 1)?);
    let look = look(&near)?.with_access_check(AccessCheck::Checked);
    let by_owners = (Arg(ours.ptr(), &ours), Arg(theirs.ptr(), &theirs));
    // SAFETY: the kernel touches nothing.
    match unsafe { look.launch(ONE, &stream, (ours.ptr(), theirs.ptr())) } {
        Err(error) if error.kind() == ErrorKind::AccessDenied => {}
        launched => launched?,
    }
    near.enable_peer_access(&far)?;
    // SAFETY: as above.
    unsafe { look.launch(ONE, &stream, (ours.ptr(), theirs.ptr())) }?;
    // SAFETY: as above.
    unsafe { look.with(ONE).access_check(AccessCheck::Checked).launch(&stream, by_owners) }?;
    stream.synchronize()
}
