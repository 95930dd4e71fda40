//! Programs with page-locked, registered and managed memory, and with copies that are on their way.

use crate::on_another_thread;
use crate::scenarios::{Scenario, plain};
use cuda_rt::context::ContextFlags;
use cuda_rt::memory::{
    DiscardBatch, MemAdvise, MemAttach, MemLocation, PinnedFlags, PinnedPool, PrefetchBatch, RangeAttribute,
    RegisterFlags, RegisteredBuf, register_scoped, register_shared_scoped,
};
use cuda_rt::{Context, Device, DeviceBuf, Error, ManagedBuf, PinnedBuf, Stream};

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("page-locked memory", page_locked),
    plain("page-locked memory on other threads", page_locked_elsewhere),
    Scenario { ends_process: true, ..plain("copies with page-locked memory", lent) },
    plain("page-locked memory that is filled from the device", downloaded),
    plain("registered memory", registered),
    plain("registered memory that is borrowed", registered_scoped),
    plain("memory that goes along with copies", handed_over),
    plain("memory that goes along with copies and is dropped", handed_over_and_dropped),
    plain("scopes of copies", scopes),
    Scenario { ends_process: true, ..plain("scopes of copies with page-locked memory", scopes_locked) },
    plain("managed memory", managed),
    plain("managed memory on several streams", managed_streams),
    plain("managed memory of one stream", managed_of_one_stream),
    plain("batches of managed memory", managed_batches),
    plain("advice", advice),
];

type Done = Result<(), Error>;

fn primary() -> Result<Context, Error> {
    Context::primary(Device::get(0)?)
}

fn page_locked() -> Done {
    let context = primary()?;
    let mut zeros = PinnedBuf::<u32>::zeroed(&context, 100)?;
    zeros[0] = 1;
    let squares = PinnedBuf::from_fn(&context, 10, |index| index * index)?;
    let combined = PinnedBuf::<u8>::with_flags(&context, 10, PinnedFlags::WRITECOMBINED)?;
    combined.flags()?;
    squares.device_ptr()?;
    squares.device_ptr_in(&Context::new(Device::get(1)?, ContextFlags::default())?)?;
    drop(zeros);
    combined.close()?;
    squares.close()
}

fn page_locked_elsewhere() -> Done {
    let own = Context::new(Device::get(0)?, ContextFlags::default())?;
    let numbers = PinnedBuf::from_slice(&own, &[1, 2, 3])?;
    let registered = RegisteredBuf::new(&own, vec![0_u8; 5000], RegisterFlags::empty())?;
    drop(own);
    on_another_thread(move || drop(numbers));
    on_another_thread(move || drop(registered));
    Ok(())
}

fn downloaded() -> Done {
    let stream = Stream::new(&primary()?)?;
    let device = DeviceBuf::from_host(&stream, &[1_u32, 2, 3])?;
    let pool = PinnedPool::new(stream.context(), PinnedFlags::empty());
    let first = device.to_pinned()?;
    let second = device.slice(1..)?.to_pinned_in(&pool)?;
    drop(device);
    assert_eq!((first.wait()?[..].to_vec(), second.wait()?[..].to_vec()), (vec![1, 2, 3], vec![2, 3]));
    let mut own = PinnedBuf::<u8>::uninit(stream.context(), 1)?;
    own[0].write(7);
    // SAFETY: it was written.
    let own = unsafe { own.assume_init() };
    assert_eq!(own[..], [7]);
    own.close()?;
    pool.trim()
}

fn lent() -> Done {
    let stream = Stream::new(&primary()?)?;
    let mut host = PinnedBuf::from_slice(stream.context(), &[1_u32, 2, 3])?;
    let device = DeviceBuf::from_host(&stream, &host)?;
    host.fill(0);
    device.copy_to_host(&mut host)?;
    assert_eq!(host[..], [1, 2, 3]);
    Ok(())
}

fn registered() -> Done {
    let context = primary()?;
    let registered = RegisteredBuf::new(&context, vec![7_u32; 2000], RegisterFlags::PORTABLE)?;
    registered.flags()?;
    registered.device_ptr()?;
    // Whatever fails, the memory is as it was.
    let memory = registered.unregister()?;
    assert_eq!(memory, [7; 2000]);
    drop(RegisteredBuf::new(&context, memory, RegisterFlags::empty())?);
    Ok(())
}

fn registered_scoped() -> Done {
    let context = primary()?;
    let mut memory = vec![0_u32; 2000];
    register_scoped(&context, &mut memory, RegisterFlags::empty(), |registered| {
        registered.fill(7);
        registered.device_ptr().map(drop)
    })??;
    let sum = |memory: &[u32]| memory.iter().sum::<u32>();
    let all =
        register_shared_scoped(&context, &memory, RegisterFlags::empty(), |registered| sum(registered))?;
    assert_eq!(all, 14_000);
    // SAFETY: dropped at the end of this function, if it is not closed before.
    unsafe { RegisteredBuf::borrowed(&context, &mut memory[..], RegisterFlags::empty()) }?.close()
}

fn handed_over() -> Done {
    let context = primary()?;
    let stream = Stream::new(&context)?;
    let mut device = DeviceBuf::<u32>::zeroed(&stream, 3)?;
    let numbers = PinnedBuf::from_slice(&context, &[1, 2, 3])?;
    let pending = device.copy_from_pinned(numbers)?;
    pending.is_done()?;
    let mut numbers = pending.wait()?;
    numbers.fill(0);
    let numbers = match device.copy_to_pinned(numbers) {
        Ok(pending) => pending.wait()?,
        // One failure is no reason to lose the memory.
        Err(failure) => {
            let (error, buffer) = failure.into_parts();
            assert!(buffer.is_some() || error.is_sticky(), "{error}");
            return Err(error);
        }
    };
    assert_eq!(numbers[..], [1, 2, 3]);
    numbers.close()
}

fn handed_over_and_dropped() -> Done {
    let context = primary()?;
    let stream = Stream::new(&context)?;
    let device = DeviceBuf::from_host(&stream, &[1_u32, 2, 3])?;
    let memory = RegisteredBuf::new(&context, vec![0_u32; 3], RegisterFlags::empty())?;
    let first = device.copy_to_pinned(memory)?;
    let second = device.slice(1..)?.copy_to_pinned(PinnedBuf::<u32>::zeroed(&context, 2)?)?;
    drop(device);
    drop(stream);
    drop(context);
    drop(first);
    on_another_thread(move || drop(second));
    Ok(())
}

fn scopes() -> Done {
    copies_in_scopes(vec![1_u32, 2, 3], vec![0_u32; 3])
}

fn scopes_locked() -> Done {
    let context = primary()?;
    let upload = PinnedBuf::from_slice(&context, &[1_u32, 2, 3])?;
    copies_in_scopes(upload, PinnedBuf::<u32>::zeroed(&context, 3)?)
}

fn copies_in_scopes(
    upload: impl std::ops::Deref<Target = [u32]>,
    mut download: impl std::ops::DerefMut<Target = [u32]>,
) -> Done {
    let context = primary()?;
    let (home, copies) = (Stream::new(&context)?, Stream::new(&context)?);
    let mut device = DeviceBuf::<u32>::zeroed(&home, 3)?;
    let (left, right) = download.split_at_mut(1);
    home.scope(|scope| {
        scope.copy_from_host(device.as_slice_mut(), &upload)?;
        copies.scope(|other| {
            other.copy_to_host(device.slice(..1)?, left)?;
            scope.copy_to_host(device.slice(1..)?, right)
        })
    })?;
    assert_eq!(download[..], upload[..]);
    device.close()
}

fn managed() -> Done {
    let stream = Stream::new(&primary()?)?;
    let mut numbers = ManagedBuf::from_host(&stream, &[1_u32, 2, 3], MemAttach::Global)?;
    let own = ManagedBuf::<u32>::zeroed(&stream, 100, MemAttach::Host)?;
    assert_eq!(own.host()?, [0; 100]);
    numbers.host_mut()?[0] = 10;
    numbers.slice_mut(1..)?.fill_zero()?;
    assert_eq!(numbers.host()?, [10, 0, 0]);
    let device = DeviceBuf::from_host(&stream, &[4, 5, 6])?;
    numbers.as_slice_mut().copy_from_device(device.as_slice())?;
    assert_eq!(numbers.to_vec()?, [4, 5, 6]);
    own.close()?;
    numbers.close()
}

fn managed_streams() -> Done {
    let context = primary()?;
    let (first, second) = (Stream::new(&context)?, Stream::new(&context)?);
    let mut numbers = ManagedBuf::<u32>::zeroed(&first, 3, MemAttach::Global)?;
    numbers.attach(&second, MemAttach::Single)?;
    numbers.as_slice_mut().copy_from_host(&[1, 2, 3])?;
    numbers.attach(&first, MemAttach::Host)?;
    drop(second);
    assert_eq!(numbers.host()?, [1, 2, 3]);
    first.close()?;
    on_another_thread(move || drop(numbers));
    Ok(())
}

fn managed_of_one_stream() -> Done {
    let context = primary()?;
    let own = ManagedBuf::from_host(&Stream::new(&context)?, &[4_u32, 5], MemAttach::Single)?;
    assert_eq!(own.to_vec()?, [4, 5]);
    own.close()
}

fn managed_batches() -> Done {
    let context = primary()?;
    let stream = Stream::new(&context)?;
    let here = MemLocation::device(context.device());
    let mut numbers = ManagedBuf::<u32>::zeroed(&stream, 2048, MemAttach::Global)?;
    let mut batch = PrefetchBatch::new();
    batch.add(&numbers, ..1024, here)?.add(&numbers, 1024.., MemLocation::HOST)?;
    batch.prefetch(&stream)?;
    let mut batch = DiscardBatch::new();
    batch.add(&mut numbers, 1024..)?;
    // SAFETY: the elements are not read before they are written.
    unsafe { batch.discard(&stream) }?;
    let mut batch = DiscardBatch::new();
    batch.add(&mut numbers, 1024..)?;
    // SAFETY: as above.
    unsafe { batch.discard_and_prefetch(&stream, here) }?;
    numbers.as_slice_mut().fill(3)?;
    assert_eq!(numbers.to_vec()?, [3; 2048]);
    numbers.close()
}

fn advice() -> Done {
    let context = primary()?;
    let stream = Stream::new(&context)?;
    let here = MemLocation::device(context.device());
    let numbers = ManagedBuf::<u32>::zeroed(&stream, 2048, MemAttach::Global)?;
    numbers.advise(.., MemAdvise::read_mostly())?;
    numbers.advise(.., MemAdvise::preferred_location(here))?;
    numbers.advise(.., MemAdvise::accessed_by(MemLocation::HOST))?;
    numbers.prefetch(.., MemLocation::HOST)?;
    assert!(numbers.is_read_mostly(..)?);
    assert_eq!(numbers.preferred_location(..)?, Some(here));
    assert_eq!(numbers.accessed_by(..)?, [MemLocation::HOST]);
    assert_eq!(numbers.last_prefetch_location(..)?, Some(MemLocation::HOST));
    numbers.range_attributes(.., &[RangeAttribute::READ_MOSTLY, RangeAttribute::PREFERRED_LOCATION])?;
    numbers.close()
}
