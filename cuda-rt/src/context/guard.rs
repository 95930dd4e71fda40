//! A context made current by the program, until a guard is dropped.

#![allow(unsafe_code)]

use super::Context;
use super::current_context::{pop_current, push};
use crate::error::{Error, Result};
use crate::handle::{is_forked_child, is_inside, report};
use core::cell::RefCell;
use core::marker::PhantomData;
use cuda_sys::CUcontext;

/// While it lives, a context is current on this thread. Made by [`Context::enter`] and
/// [`GreenContext::enter`](crate::green::GreenContext::enter).
///
/// Guards are meant to be dropped in reverse order. One that is dropped too early says so to the
/// [hook](crate::handle::set_drop_hook), and its context leaves the stack together with the later ones;
/// a guard never removes what another one, or other code, has pushed.
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
    /// Its place among this thread's pushes; `None` while the thread's own data is being torn down.
    level: Option<usize>,
    _context: PhantomData<&'context ()>,
    /// The current context belongs to the thread.
    _not_send: PhantomData<*const ()>,
}

struct Level {
    context: CUcontext,
    /// Its guard is gone, but later ones are not.
    abandoned: bool,
}

thread_local! {
    /// The contexts that guards have pushed on this thread, oldest first.
    static LEVELS: RefCell<Vec<Level>> = const { RefCell::new(Vec::new()) };
}

/// `None` if the thread is ending and its data is gone.
fn with_levels<R>(change: impl FnOnce(&mut Vec<Level>) -> R) -> Option<R> {
    LEVELS.try_with(|levels| change(&mut levels.borrow_mut())).ok()
}

impl<'context> ContextGuard<'context> {
    pub(super) fn new(context: &'context Context) -> Result<Self> {
        // SAFETY: the guard borrows the context, so it is alive.
        unsafe { ContextGuard::of_raw(context.as_raw()) }
    }

    /// Pushes also what is current already: else a guard made earlier would take it along.
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
            // A function that the driver calls cannot pop. The end of the thread's next guard does.
            return;
        }
        match later {
            // The thread is ending: what is left of the order does not matter any more.
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
                // Nothing is borrowed while the hook runs: it may enter contexts itself.
                while let Some(context) = with_levels(take_abandoned).flatten() {
                    report(pop_current(context));
                }
            }
        }
    }
}

/// Marks the guard of `level` as gone, and counts the later ones.
fn abandon(levels: &mut [Level], level: usize) -> usize {
    if let Some(own) = levels.get_mut(level) {
        own.abandoned = true;
    }
    levels.len().saturating_sub(level + 1)
}

/// Takes out the last push, if its guard is gone.
fn take_abandoned(levels: &mut Vec<Level>) -> Option<CUcontext> {
    levels.pop_if(|level| level.abandoned).map(|level| level.context)
}
