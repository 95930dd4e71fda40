//! The hook that is called before an allocation fails for want of memory.

use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Result};
use crate::handle::{Hook, HookSlot, is_forked_child};
use std::sync::Arc;

/// An allocation that the driver has refused for want of memory, as the [hook](set_out_of_memory_hook) is told.
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
    /// Returns how much memory was asked for, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the context that the memory is to be of.
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

/// Sets what is called when the driver refuses an allocation for want of memory, and returns what was before. At first,
/// that is a function that frees nothing.
///
/// It may free memory, and says whether it did: then the allocation is tried once more, and if that fails too, this second
/// failure is returned, with how much was asked for and how much is free. A [`CachingPool`](crate::memory::CachingPool) gives up
/// the blocks that it holds before the hook is called.
///
/// There is one hook for the process. It is called on the thread that allocates, perhaps on several threads at a time,
/// when the thread has what was current before. It may call this crate; what it allocates itself fails without it. A panic
/// in it is contained, and means no. It stays until it is replaced, so it should hold what it refers to weakly.
///
/// # Examples
///
/// ```
/// # let (context, stream) = cuda_doc::stream()?;
/// use cuda_rt::memory::set_out_of_memory_hook;
/// use cuda_rt::{DeviceBuf, Stream};
/// use std::sync::{Arc, Mutex};
///
/// // What can be computed again if need be.
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
/// assert!(DeviceBuf::<u8>::uninit(&stream, 1 << 50).is_err()); // so much there is not
/// assert!(cache.lock().unwrap().is_empty());
/// before.restore();
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub fn set_out_of_memory_hook(
    hook: impl Fn(&OutOfMemory<'_>) -> bool + Send + Sync + 'static,
) -> Hook<OutOfMemoryHook> {
    HOOK.set(Arc::new(hook))
}

/// Makes an attempt to allocate; another one if there was too little memory and the hook thinks it worth. To be called
/// with nothing bound.
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

/// Describes the memory that was asked for, and the memory that is free. The caller has made the context current.
#[cold]
pub(crate) fn shortage(context: &Context, bytes: usize) -> String {
    match context.memory_info() {
        Ok(memory) => format!("{bytes} bytes, where {} are free", memory.free),
        Err(_) => format!("{bytes} bytes"),
    }
}

/// Returns whether the hook says that it is worth another attempt.
fn ask(asked: &OutOfMemory<'_>) -> bool {
    // In a child of a fork no memory can be allocated.
    !is_forked_child() && HOOK.call(|hook| hook(asked)).unwrap_or(false)
}
