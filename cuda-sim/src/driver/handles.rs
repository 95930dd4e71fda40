//! Handles, which name objects.
//!
//! Real drivers hand out addresses and reuse them at once. Here a handle is a number that is never used
//! again, so that a stale one is always noticed; it looks like an address, and nothing is behind it.

use std::collections::BTreeMap;

/// A handle as the program holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Handle(pub(super) u64);

impl Handle {
    pub(super) const NULL: Handle = Handle(0);

    pub(super) fn of<T>(pointer: *mut T) -> Handle {
        Handle(pointer.addr() as u64)
    }

    pub(super) fn pointer<T>(self) -> *mut T {
        core::ptr::without_provenance_mut(self.0 as usize)
    }
}

/// The objects of one kind.
pub(super) struct Handles<T> {
    base: u64,
    made: u64,
    live: BTreeMap<Handle, T>,
}

impl<T> Handles<T> {
    /// `kind` tells the handles of this kind from all others.
    pub(super) fn new(kind: u64) -> Self {
        Self { base: 0x5000_0000_0000 | kind << 40, made: 0, live: BTreeMap::new() }
    }

    pub(super) fn insert(&mut self, object: T) -> Handle {
        self.made += 1;
        // Aligned as addresses of objects are.
        let handle = Handle(self.base + 64 * self.made);
        self.live.insert(handle, object);
        handle
    }

    pub(super) fn get(&self, handle: Handle) -> Option<&T> {
        self.live.get(&handle)
    }

    pub(super) fn get_mut(&mut self, handle: Handle) -> Option<&mut T> {
        self.live.get_mut(&handle)
    }

    pub(super) fn remove(&mut self, handle: Handle) -> Option<T> {
        self.live.remove(&handle)
    }

    /// Whether the handle was given out once, and its object is gone.
    pub(super) fn is_stale(&self, handle: Handle) -> bool {
        let given = handle.0.checked_sub(self.base).is_some_and(|offset| offset <= 64 * self.made);
        given && handle.0 > self.base && !self.live.contains_key(&handle)
    }

    /// Puts an object behind a handle that was given out before: primary contexts keep theirs.
    pub(super) fn revive(&mut self, handle: Handle, object: T) {
        self.live.insert(handle, object);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Handle, &T)> {
        self.live.iter().map(|(handle, object)| (*handle, object))
    }

    pub(super) fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.live.retain(|_, object| keep(object));
    }
}
