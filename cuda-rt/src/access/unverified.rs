//! Reports of launches whose memory could not be verified.

use super::AccessError;
use crate::device::Device;
use crate::handle::{Hook, HookSlot, is_forked_child, is_inside};
use crate::map::SortedMap;
use crate::memory::MemLocation;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

type UnverifiedHook = dyn Fn(&AccessError) + Send + Sync;

static HOOK: HookSlot<UnverifiedHook> = HookSlot::new(0, &print);

/// Sets the function that receives launches with [unverified](super::Access::Unverified) memory. Returns the previous one. By
/// default a line is written to the standard error.
///
/// The hook is called once for each combination of kernel name, parameter, location and launch device. The launch continues
/// afterwards. A new hook does not receive combinations that an earlier hook has received. This crate remembers 1024
/// combinations of the process. Beyond that, it forgets those that have not occurred for longest, and reports them
/// again.
///
/// The hook runs on the thread that launches, perhaps on several threads at a time. It may call this crate, and set
/// another hook. It is called for its own launches, too. A panic in the hook is caught.
///
/// # Examples
///
/// ```
/// let before = cuda_rt::access::set_unverified_hook(|warning| eprintln!("{warning}"));
/// before.restore();
/// ```
pub fn set_unverified_hook(hook: impl Fn(&AccessError) + Send + Sync + 'static) -> Hook<UnverifiedHook> {
    HOOK.set(Arc::new(hook))
}

/// A warning that is reported once.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    kernel: Box<str>,
    parameter: usize,
    location: Option<MemLocation>,
    launch: Device,
}

/// The latest reported warnings.
#[derive(Default)]
struct Told {
    /// When each warning occurred last.
    keys: SortedMap<Key, u64>,
    last: u64,
}

const MOST: usize = 1024;

impl Told {
    const fn new() -> Told {
        Told { keys: SortedMap::new(), last: 0 }
    }

    /// Returns whether the warning is new.
    fn add(&mut self, key: Key) -> bool {
        self.last += 1;
        if let Some(time) = self.keys.get_mut(&key) {
            *time = self.last;
            return false;
        }
        if self.keys.len() >= MOST
            && let Some(oldest) = self.keys.iter().min_by_key(|(_, time)| **time).map(|(key, _)| key.clone())
        {
            self.keys.remove(&oldest);
        }
        self.keys.insert(key, self.last);
        true
    }
}

static TOLD: Mutex<Told> = Mutex::new(Told::new());

/// Calls the hook, if the warning is new. Nothing is locked.
#[cold]
pub(super) fn tell(warning: &AccessError) {
    // A launch is refused in both cases anyway. In a child of a fork, a thread that does not exist there may hold the lock.
    if is_inside() || is_forked_child() {
        return;
    }
    let AccessError { kernel, parameter, location, launch, .. } = warning;
    let key = Key { kernel: kernel.clone(), parameter: *parameter, location: *location, launch: *launch };
    if !TOLD.lock().unwrap_or_else(PoisonError::into_inner).add(key) {
        return;
    }
    HOOK.call(|hook| hook(warning));
}

fn print(warning: &AccessError) {
    // `eprintln!` would panic if the standard error is closed.
    let _ = writeln!(std::io::stderr(), "cuda-rt: {warning}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(parameter: usize) -> Key {
        let launch = Device::from_handle(0);
        Key { kernel: "kernel".into(), parameter, location: None, launch }
    }

    #[test]
    fn what_has_come_up_last_is_remembered() {
        let mut told = Told::new();
        assert!((0..MOST).all(|parameter| told.add(key(parameter))));
        assert!((0..MOST).all(|parameter| !told.add(key(parameter))));
        assert!(!told.add(key(0)), "the first is the newest now");
        assert!(told.add(key(MOST)), "there was no room, so the oldest made some");
        assert_eq!(told.keys.len(), MOST);
        assert!(!told.add(key(0)), "it was the newest");
        assert!(told.add(key(1)), "it was the oldest");
    }
}
