//! Programs whose streams write words and wait for words, and have attributes.

use crate::graphs::Idle;
use crate::scenarios::{Done, Scenario, own, plain};
use cuda_rt::context::RemoteWritesScope;
use cuda_rt::error::Code;
use cuda_rt::launch::{AccessPolicyWindow, AccessProperty, MemSyncDomain, SynchronizationPolicy};
use cuda_rt::memory::{BarrierScope, MemorySource, Until, WriteValueFlags};
use cuda_rt::stream::StreamInfo;
use cuda_rt::{DeviceBuf, PinnedBuf, Stream};
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) const SCENARIOS: &[Scenario] = &[
    plain("words", words),
    // The stream uses the words until the end. Some failures are sticky then.
    Scenario { retires: true, ends_process: true, ..plain("words that the host writes", host_words) },
    plain("words between streams", between),
    plain("batches of words", batches),
    plain("attributes of streams", attributes),
    plain("a flush of remote writes", flush),
];

const FLAGS: WriteValueFlags = WriteValueFlags::DEFAULT;

fn words() -> Done {
    let stream = Stream::new(&own()?)?;
    let mut small = DeviceBuf::<u32>::zeroed_in(&stream, 2, MemorySource::Plain)?;
    let mut large = DeviceBuf::<u64>::zeroed_in(&stream, 1, MemorySource::Plain)?;
    stream.write_value(small.slice_mut(1..)?, 7, FLAGS)?;
    stream.wait_value(small.slice(1..)?, Until::at_least(7))?;
    stream.write_value(large.as_slice_mut(), 1 << 40, FLAGS)?;
    stream.wait_value(large.as_slice(), Until::any_bit(1 << 40))?;
    assert_eq!((small.to_vec()?, large.to_vec()?), (vec![0, 7], vec![1 << 40]));
    // The stream still uses the words.
    stream.write_value(small.slice_mut(..1)?, 8, FLAGS)?;
    stream.wait_value(small.slice(..1)?, Until::equal(8))?;
    small.close()?;
    drop(large);
    stream.close()
}

/// Writes the word however the scenario ends, so that no stream waits for ever.
struct Go<'word>(&'word PinnedBuf<u32>);

impl Drop for Go<'_> {
    fn drop(&mut self) {
        // SAFETY: aligned, and accessed atomically, or by the device.
        unsafe { AtomicU32::from_ptr(self.0.as_ptr().cast_mut()) }.store(1, Ordering::Release);
    }
}

fn host_words() -> Done {
    let context = own()?;
    let stream = Stream::new(&context)?;
    let word = PinnedBuf::<u32>::zeroed(&context, 1)?;
    let answer = PinnedBuf::<u64>::zeroed(&context, 1)?;
    let _idle = Idle(&stream);
    let go = Go(&word);
    // SAFETY: the stream is waited for before the words are dropped.
    unsafe { stream.wait_value_at(word.device_ptr()?, Until::equal(1)) }?;
    // SAFETY: as above, and the word is read after the wait alone.
    unsafe { stream.write_value_at(answer.device_ptr()?, 5, FLAGS) }?;
    stream.is_done()?;
    drop(go);
    stream.synchronize()?;
    assert_eq!(answer[..], [5]);
    Ok(())
}

fn between() -> Done {
    let context = own()?;
    let (first, second) = (Stream::new(&context)?, Stream::new(&context)?);
    let mut word = DeviceBuf::<u32>::zeroed_in(&first, 1, MemorySource::Plain)?;
    first.write_value(word.as_slice_mut(), 3, FLAGS)?;
    // SAFETY: the stream is waited for before the word is dropped.
    unsafe { second.wait_value_at(word.ptr(), Until::equal(3)) }?;
    second.synchronize()?;
    drop(word);
    second.close()?;
    first.close()
}

fn batches() -> Done {
    let stream = Stream::new(&own()?)?;
    let ready = DeviceBuf::from_host_in(&stream, &[1_u32], MemorySource::Plain)?;
    let mut done = DeviceBuf::<u64>::zeroed_in(&stream, 1, MemorySource::Plain)?;
    let operations = stream.mem_ops().wait(ready.as_slice(), Until::equal(1))?;
    let operations = operations.write(done.as_slice_mut(), 5, FLAGS)?;
    operations.barrier(BarrierScope::System).barrier(BarrierScope::Device).submit()?;
    // SAFETY: the word lives on this stream.
    unsafe { stream.mem_ops().wait_at(done.ptr(), Until::at_least(5)) }.submit()?;
    assert_eq!(done.to_vec()?, [5]);
    match stream.mem_ops().flush_remote_writes().submit() {
        Err(error) if error.code() == Some(Code::NotSupported) => {}
        other => other?,
    }
    drop((ready, done));
    stream.close()
}

fn attributes() -> Done {
    let context = own()?;
    let (first, second) = (Stream::new(&context)?, Stream::new(&context)?);
    let table = DeviceBuf::<u8>::zeroed(&first, 4096)?;
    let window = AccessPolicyWindow {
        base: table.ptr(),
        bytes: 4096,
        hit_ratio: 1.0,
        hit: AccessProperty::PERSISTING,
        miss: AccessProperty::STREAMING,
    };
    first.set_access_policy_window(window)?;
    first.set_synchronization_policy(SynchronizationPolicy::YIELD)?;
    first.set_priority(-1)?;
    first.set_mem_sync_domain(MemSyncDomain::REMOTE)?;
    first.set_mem_sync_domain_map([0, 0])?;
    second.copy_attributes_from(&first)?;
    assert_eq!(second.access_policy_window()?, window);
    assert_eq!(second.synchronization_policy()?, SynchronizationPolicy::YIELD);
    assert_eq!(second.mem_sync_domain()?, MemSyncDomain::REMOTE);
    assert_eq!(second.mem_sync_domain_map()?, [0, 0]);
    second.priority()?;
    second.device()?;
    // SAFETY: the stream is live.
    let info = unsafe { StreamInfo::of_raw(second.as_raw()) }?;
    assert_eq!(info.context, context.as_raw());
    Ok(())
}

fn flush() -> Done {
    let context = own()?;
    for scope in [RemoteWritesScope::Owner, RemoteWritesScope::AllDevices] {
        match context.flush_remote_writes(scope) {
            Err(error) if error.code() == Some(Code::NotSupported) => {}
            other => other?,
        }
    }
    context.synchronize()
}
