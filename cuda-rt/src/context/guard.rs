//! Guards under which the program has made a context current.

#![allow(unsafe_code)]

use super::Context;
use super::current_context::{pop_current, push};
use crate::error::{Error, Result};
use crate::handle::{is_forked_child, is_inside, report};
use core::cell::RefCell;
use core::marker::PhantomData;
use cuda_sys::CUcontext;

/// Guard under which a context is current on this thread. Made by [`Context::enter`] and
/// [`GreenContext::enter`](crate::green::GreenContext::enter).
///
/// Drop guards in reverse order. A guard that is dropped too early reports this to the [hook](crate::handle::set_drop_hook), and
/// its context leaves the stack together with the later ones. A guard never removes a context that another guard, or other code,
/// has pushed.
///
/// ```
/// # cuda_sim::install_once();
/// use cuda_rt::{Context, Device};
/// use cuda_rt::context::ContextFlags;
///
/// let first = Context::primary(Device::get(0)?)?;
/// let second = Context::new(Device::get(0)?, ContextFlags::default())?;
/// let outer = first.enter()?;
/// let inner = second.enter()?;
/// assert!(second.is_current()?);
/// drop(inner);
/// assert!(first.is_current()?);
/// # drop(outer);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug)]
pub struct ContextGuard<'context> {
    context: CUcontext,
    /// The index among this thread's pushes; `None` while the thread's own data is being destroyed.
    level: Option<usize>,
    _context: PhantomData<&'context ()>,
    /// The current context belongs to the thread.
    _not_send: PhantomData<*const ()>,
}

struct Level {
    context: CUcontext,
    /// True if the guard is dropped, but later guards are not.
    abandoned: bool,
}

thread_local! {
    /// The contexts that guards have pushed on this thread, oldest first.
    static LEVELS: RefCell<Vec<Level>> = const { RefCell::new(Vec::new()) };
}

/// Runs `change` with the pushes of this thread. `None` if the thread is ending and its data is destroyed.
fn with_levels<R>(change: impl FnOnce(&mut Vec<Level>) -> R) -> Option<R> {
    LEVELS.try_with(|levels| change(&mut levels.borrow_mut())).ok()
}

impl<'context> ContextGuard<'context> {
    pub(super) fn new(context: &'context Context) -> Result<Self> {
        // SAFETY: the guard borrows the context, so it is alive.
        unsafe { ContextGuard::of_raw(context.as_raw()) }
    }

    /// Pushes a context, even if it is current already: otherwise the drop of an earlier guard would remove it.
    ///
    /// # Safety
    ///
    /// The context is alive for the lifetime of the guard.
    pub(crate) unsafe fn of_raw(context: CUcontext) -> Result<Self> {
        // SAFETY: the caller's promise.
        unsafe { push(context) }?;
        let level = with_levels(|levels| {
            levels.push(Level { context, abandoned: false });
            levels.len() - 1
        });
        Ok(ContextGuard { context, level, _context: PhantomData, _not_send: PhantomData })
    }
}

impl Drop for ContextGuard<'_> {
    fn drop(&mut self) {
        if is_forked_child() {
            return;
        }
        let later = self.level.and_then(|level| with_levels(|levels| abandon(levels, level)));
        if is_inside() && later.is_some() {
            // A function that the driver calls cannot pop. The drop of the thread's next guard pops.
            return;
        }
        match later {
            // The thread is ending: the order of the guards does not matter any more.
            None => report(pop_current(self.context)),
            Some(later) => {
                if later > 0 {
                    report(Err(Error::invalid(
                        "context guard",
                        format_args!(
                            "dropped before {later} later guards of the same thread; drop guards in reverse order"
                        ),
                    )));
                }
                // Nothing is borrowed while the hook runs: the hook may enter contexts itself.
                while let Some(context) = with_levels(take_abandoned).flatten() {
                    report(pop_current(context));
                }
            }
        }
    }
}

/// Marks the guard of `level` as dropped, and counts the later ones.
fn abandon(levels: &mut [Level], level: usize) -> usize {
    if let Some(own) = levels.get_mut(level) {
        own.abandoned = true;
    }
    levels.len().saturating_sub(level + 1)
}

/// Takes out the last push, if its guard is dropped.
fn take_abandoned(levels: &mut Vec<Level>) -> Option<CUcontext> {
    levels.pop_if(|level| level.abandoned).map(|level| level.context)
}
