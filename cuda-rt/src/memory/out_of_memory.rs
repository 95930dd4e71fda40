//! The hook that is called when memory runs out.

use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Result};
use crate::handle::{Hook, HookSlot, is_forked_child};
use std::sync::Arc;

/// Allocation that the driver has refused because memory ran out; the argument of the [hook](set_out_of_memory_hook).
///
/// ```
/// let before = cuda_rt::memory::set_out_of_memory_hook(|asked| {
///     eprintln!("no {} bytes on device {:?}", asked.bytes(), asked.device());
///     false // nothing was freed: the allocation fails
/// });
/// # before.restore();
/// ```
#[derive(Debug)]
pub struct OutOfMemory<'a> {
    bytes: usize,
    context: &'a Context,
}

impl<'a> OutOfMemory<'a> {
    /// Returns the requested size in bytes, without the padding of rows.
    ///
    /// - For a [`CachingPool`](crate::memory::CachingPool), the
    ///   [size of the block](crate::memory::CachingPool::block_bytes).
    /// - For a mipmapped array, the size of level 0.
    /// - For an array with an [unknown size](crate::array::ArrayDescriptor::copy_size), 0.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the context in which memory is requested.
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// Returns the device of that context.
    pub fn device(&self) -> Device {
        self.context.device()
    }
}

type OutOfMemoryHook = dyn Fn(&OutOfMemory<'_>) -> bool + Send + Sync;

static HOOK: HookSlot<OutOfMemoryHook> = HookSlot::new(2, &|_| false);

/// Sets the hook that is called when the driver refuses an allocation because the device's memory ran out. Returns the
/// previous hook. The initial hook frees nothing.
///
/// The hook is called for a [`DeviceBuf`](crate::DeviceBuf) from every [source](crate::memory::MemorySource), for a
/// [`PitchedBuf`](crate::memory::PitchedBuf), and for [arrays](crate::array). It is not called for memory of the host,
/// managed memory and [physical memory](crate::memory::PhysicalMemory).
///
/// The hook may free memory, and returns whether it did. If it did, the allocation is tried once more. If the second attempt
/// fails too, its failure is returned. For a buffer, the text names the size and the free memory. For an array, the
/// text names the size in elements and the format. A [`CachingPool`](crate::memory::CachingPool) frees its free blocks
/// before the hook is called.
///
/// There is one hook for the process. It is called on the thread that allocates, perhaps on several threads at a time, with the
/// thread's own current context. The hook may call this crate. If memory runs out inside the hook, the allocation fails
/// without calling the hook again. A panic in the hook is caught, and counts as `false`. The hook stays until it is
/// replaced, so it should hold weak references to the objects that it uses.
///
/// # Examples
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::memory::set_out_of_memory_hook;
/// use cuda_rt::{DeviceBuf, Stream};
/// use std::sync::{Arc, Mutex};
///
/// // Buffers that can be computed again.
/// let cache = Arc::new(Mutex::new(vec![DeviceBuf::<u8>::zeroed(&stream, 1000)?]));
/// let weak = Arc::downgrade(&cache);
/// let before = set_out_of_memory_hook(move |_| {
///     let Some(cache) = weak.upgrade() else { return false };
///     let Ok(mut cache) = cache.lock() else { return false };
///     let has_some = !cache.is_empty();
///     cache.clear();
///     has_some
/// });
///
/// assert!(DeviceBuf::<u8>::uninit(&stream, 1 << 50).is_err()); // there is not so much memory
/// assert!(cache.lock().unwrap().is_empty());
/// before.restore();
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub fn set_out_of_memory_hook(
    hook: impl Fn(&OutOfMemory<'_>) -> bool + Send + Sync + 'static,
) -> Hook<OutOfMemoryHook> {
    HOOK.set(Arc::new(hook))
}

/// Tries to allocate. Tries again if memory ran out and the hook freed some. The caller has bound no context.
#[inline]
pub(crate) fn retrying<T>(
    context: &Context,
    bytes: usize,
    mut attempt: impl FnMut() -> Result<T>,
) -> Result<T> {
    match attempt() {
        Err(error) if error.code() == Some(Code::OutOfMemory) && ask(&OutOfMemory { bytes, context }) => {
            attempt()
        }
        Err(error) => Err(error),
        Ok(had) => Ok(had),
    }
}

/// Describes the requested memory and the free memory. The caller has made the context current.
#[cold]
pub(crate) fn shortage(context: &Context, bytes: usize) -> String {
    match context.memory_info() {
        Ok(memory) => format!("{bytes} bytes, where {} are free", memory.free),
        Err(_) => format!("{bytes} bytes"),
    }
}

/// Returns whether the hook freed memory.
fn ask(asked: &OutOfMemory<'_>) -> bool {
    // In a child of a fork no memory can be allocated.
    !is_forked_child() && HOOK.call(|hook| hook(asked)).unwrap_or(false)
}
