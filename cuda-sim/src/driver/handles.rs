//! Handles, which name objects.
//!
//! Real drivers hand out addresses and reuse them at once. Here a handle is a number that is normally never used
//! again, so that a stale one is always noticed; it looks like an address, and nothing is behind it.

use super::Answer;
use cuda_sys::CUresult;
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

/// The numbers that handles of one kind get.
pub(super) struct Numbers {
    base: u64,
    made: u64,
    /// Numbers to give out again, if that is wanted.
    recycled: Option<Vec<Handle>>,
}

impl Numbers {
    /// `kind` tells the handles of this kind from all others, and `machine` those of other machines.
    pub(super) fn new(kind: u64, machine: u64, recycle: bool) -> Self {
        // Of many machines, later ones have handles beyond the addresses that there are.
        let base = 0x5000_0000_0000 | kind << 40 | (machine & 0xff) << 32 | (machine >> 8 & 0xffff) << 48;
        Self { base, made: 0, recycled: recycle.then(Vec::new) }
    }

    fn take(&mut self) -> Handle {
        if let Some(handle) = self.recycled.as_mut().and_then(Vec::pop) {
            return handle;
        }
        self.made += 1;
        // Aligned as addresses of objects are.
        Handle(self.base + 64 * self.made)
    }

    fn give_back(&mut self, handle: Handle) {
        if let Some(recycled) = &mut self.recycled {
            recycled.push(handle);
        }
    }
}

/// The objects of one kind.
pub(super) struct Handles<T> {
    numbers: Numbers,
    live: BTreeMap<Handle, T>,
}

impl<T> Handles<T> {
    pub(super) fn new(numbers: Numbers) -> Self {
        Self { numbers, live: BTreeMap::new() }
    }

    pub(super) fn insert(&mut self, object: T) -> Handle {
        let handle = self.numbers.take();
        self.live.insert(handle, object);
        handle
    }

    pub(super) fn get(&self, handle: Handle) -> Option<&T> {
        self.live.get(&handle)
    }

    /// One that a program names. Of one that is gone, drivers say that its context is (T4, T148).
    pub(super) fn named(&self, handle: Handle) -> Answer<&T> {
        match self.get(handle) {
            Some(object) => Ok(object),
            None if self.is_stale(handle) => Err(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED),
            None => Err(CUresult::CUDA_ERROR_INVALID_HANDLE),
        }
    }

    pub(super) fn get_mut(&mut self, handle: Handle) -> Option<&mut T> {
        self.live.get_mut(&handle)
    }

    pub(super) fn remove(&mut self, handle: Handle) -> Option<T> {
        let object = self.live.remove(&handle)?;
        self.numbers.give_back(handle);
        Some(object)
    }

    /// Like [`remove`](Self::remove), for an object that may come back [under the same handle](Self::revive).
    pub(super) fn suspend(&mut self, handle: Handle) -> Option<T> {
        self.live.remove(&handle)
    }

    /// Whether the handle was given out once, and its object is gone.
    pub(super) fn is_stale(&self, handle: Handle) -> bool {
        let Numbers { base, made, .. } = self.numbers;
        let given = handle.0.checked_sub(base).is_some_and(|offset| offset > 0 && offset <= 64 * made);
        given && !self.live.contains_key(&handle)
    }

    /// Puts an object behind a handle that was given out before: primary contexts keep theirs.
    pub(super) fn revive(&mut self, handle: Handle, object: T) {
        self.live.insert(handle, object);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Handle, &T)> {
        self.live.iter().map(|(handle, object)| (*handle, object))
    }

    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.live.values_mut()
    }

    pub(super) fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        let numbers = &mut self.numbers;
        self.live.retain(|handle, object| {
            let kept = keep(object);
            if !kept {
                numbers.give_back(*handle);
            }
            kept
        });
    }
}
