//! What happens before an allocation fails for want of memory.

use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Detail, Result};
use crate::fork::is_forked_child;
use core::cell::Cell;
use core::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError, RwLock};

/// An allocation that the driver has refused for want of memory, as the [hook](set_out_of_memory_hook) is told.
///
/// ```
/// use cuda_rt::memory::{OutOfMemory, OutOfMemoryHook};
///
/// let hook: OutOfMemoryHook = std::sync::Arc::new(|asked: &OutOfMemory<'_>| {
///     eprintln!("no {} bytes on device {:?}", asked.bytes(), asked.device());
///     false // nothing was freed: the allocation fails
/// });
/// ```
#[derive(Debug)]
pub struct OutOfMemory<'a> {
    bytes: usize,
    context: &'a Context,
}

impl<'a> OutOfMemory<'a> {
    /// How much memory was asked for, in bytes.
    ///
    /// # Examples
    ///
    /// See [`OutOfMemory`].
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The context that the memory is to be of.
    ///
    /// # Examples
    ///
    /// See [`OutOfMemory`].
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// The device of that context.
    ///
    /// # Examples
    ///
    /// See [`OutOfMemory`].
    pub fn device(&self) -> Device {
        self.context.device()
    }
}

/// What [`set_out_of_memory_hook`] takes: says whether it is worth trying again.
pub type OutOfMemoryHook = Arc<dyn Fn(&OutOfMemory<'_>) -> bool + Send + Sync>;

static HOOK: RwLock<Option<OutOfMemoryHook>> = RwLock::new(None);

/// Sets what is called when the driver refuses an allocation for want of memory, and returns what was before. `None` at
/// first.
///
/// It may free memory, and says whether it did: then the allocation is tried once more, and if that fails too, this second
/// failure is returned, with how much was asked for and how much is free. A [`CachingPool`](crate::CachingPool) gives up
/// the blocks that it holds before the hook is called.
///
/// There is one hook for the process. It is called on the thread that allocates, perhaps on several threads at a time,
/// when the thread has what was current before. It may call this crate; what it allocates itself fails without it. A panic
/// in it is contained, and means no. It stays until it is replaced, so it should hold what it refers to weakly.
///
/// # Examples
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// # let stream = cuda_rt::Stream::new(&context)?;
/// use cuda_rt::memory::set_out_of_memory_hook;
/// use cuda_rt::{DeviceBuf, Stream};
/// use std::sync::{Arc, Mutex};
///
/// // What can be computed again if need be.
/// let cache = Arc::new(Mutex::new(vec![DeviceBuf::<u8>::zeroed(&stream, 1000)?]));
/// let weak = Arc::downgrade(&cache);
/// let before = set_out_of_memory_hook(Some(Arc::new(move |_| {
///     let Some(cache) = weak.upgrade() else { return false };
///     let Ok(mut cache) = cache.lock() else { return false };
///     let has_some = !cache.is_empty();
///     cache.clear();
///     has_some
/// })));
///
/// assert!(DeviceBuf::<u8>::uninit(&stream, 1 << 50).is_err()); // so much there is not
/// assert!(cache.lock().unwrap().is_empty());
/// set_out_of_memory_hook(before);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
pub fn set_out_of_memory_hook(hook: Option<OutOfMemoryHook>) -> Option<OutOfMemoryHook> {
    let mut current = HOOK.write().unwrap_or_else(PoisonError::into_inner);
    core::mem::replace(&mut *current, hook)
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

/// What was asked for, and what there is. To be called with the context current.
pub(crate) fn shortage(context: &Context, bytes: usize) -> Detail {
    let free = context.memory_info().ok().map(|(free, _)| free);
    Detail::Memory { bytes, free }
}

thread_local! {
    static IS_ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Whether the hook says that it is worth another attempt.
fn ask(asked: &OutOfMemory<'_>) -> bool {
    // Another thread may have held the lock when the process was forked.
    if is_forked_child() {
        return false;
    }
    // Taken out, so that the hook itself may set another.
    let hook = HOOK.read().unwrap_or_else(PoisonError::into_inner).clone();
    let Some(hook) = hook else { return false };
    // An error means that the thread is ending.
    if IS_ASKED.try_with(|is_asked| is_asked.replace(true)) != Ok(false) {
        return false;
    }
    let answer = catch_unwind(AssertUnwindSafe(move || hook(asked)));
    let _ = IS_ASKED.try_with(|is_asked| is_asked.set(false));
    answer.unwrap_or_else(|payload| {
        // What was thrown may panic again when it is dropped.
        let _ = ManuallyDrop::new(payload);
        false
    })
}
