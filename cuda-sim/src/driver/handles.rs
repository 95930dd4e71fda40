//! Handles, which name objects.
//!
//! Real drivers use addresses as handles, and reuse them at once. Here a handle is a number that is normally never
//! reused, so that a stale handle is always detected. It looks like an address, but no memory is behind it.

use crate::collections::{Id, IdMap};
use crate::driver::Answer;
use crate::driver::call_site::{CallSite, PresentCall};
use cuda_sys::CUresult;
use std::sync::atomic::{AtomicU64, Ordering};

/// Handle in the form that the program holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Handle(pub(crate) u64);

impl Handle {
    pub(crate) const NULL: Handle = Handle(0);

    pub(crate) fn of<T>(pointer: *mut T) -> Handle {
        Handle(pointer.addr() as u64)
    }

    pub(crate) fn pointer<T>(self) -> *mut T {
        core::ptr::without_provenance_mut(self.0 as usize)
    }
}

impl Id for Handle {
    fn number(self) -> u64 {
        self.0
    }

    fn of_number(number: u64) -> Handle {
        Handle(number)
    }
}

/// Returns a number that is unique in the process.
pub(crate) fn new_id() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// Handles for the objects of one kind on one machine. No other kind and no other machine of the process uses the same
/// handles.
pub(crate) struct Numbers {
    /// Blocks from which handles were taken, in ascending order.
    blocks: Vec<u64>,
    /// Number of handles taken from the last block.
    taken: u64,
    /// Handles to reuse, if reuse is on.
    recycled: Option<Vec<Handle>>,
    /// Call that creates objects now.
    present: PresentCall,
}

/// Number of blocks of handles in the process.
static BLOCKS: AtomicU64 = AtomicU64::new(0);

impl Numbers {
    const BASE: u64 = 0x5000_0000_0000;
    /// Alignment of handles, like that of addresses of objects.
    const ALIGNMENT: u64 = 64;
    const PER_BLOCK: u64 = 1024;

    pub(crate) fn new(recycle: bool, present: PresentCall) -> Self {
        // The first handle begins a block.
        Self { blocks: Vec::new(), taken: Self::PER_BLOCK, recycled: recycle.then(Vec::new), present }
    }

    pub(crate) fn take(&mut self) -> Handle {
        if let Some(handle) = self.recycled.as_mut().and_then(Vec::pop) {
            return handle;
        }
        let block = match self.blocks.last() {
            Some(block) if self.taken < Self::PER_BLOCK => *block,
            _ => {
                let block = BLOCKS.fetch_add(1, Ordering::Relaxed);
                self.blocks.push(block);
                self.taken = 0;
                block
            }
        };
        let number = block * Self::PER_BLOCK + self.taken;
        self.taken += 1;
        // Later handles are beyond all valid addresses.
        Handle(Self::BASE + Self::ALIGNMENT * number)
    }

    /// Returns whether a handle was ever allocated.
    fn has_given(&self, handle: Handle) -> bool {
        let Some(offset) = handle.0.checked_sub(Self::BASE) else { return false };
        let number = offset / Self::ALIGNMENT;
        let (block, place) = (number / Self::PER_BLOCK, number % Self::PER_BLOCK);
        let is_taken = self.blocks.last() != Some(&block) || place < self.taken;
        offset % Self::ALIGNMENT == 0 && is_taken && self.blocks.binary_search(&block).is_ok()
    }

    fn give_back(&mut self, handle: Handle) {
        if let Some(recycled) = &mut self.recycled {
            recycled.push(handle);
        }
    }
}

/// Objects of one kind.
pub(crate) struct Handles<T> {
    numbers: Numbers,
    live: IdMap<Handle, Made<T>>,
}

/// Object, and the call that created it.
struct Made<T> {
    object: T,
    by: CallSite,
}

impl<T> Handles<T> {
    pub(crate) fn new(numbers: Numbers) -> Self {
        Self { numbers, live: IdMap::new() }
    }

    pub(crate) fn insert(&mut self, object: T) -> Handle {
        let handle = self.numbers.take();
        self.revive(handle, object);
        handle
    }

    pub(crate) fn get(&self, handle: Handle) -> Option<&T> {
        self.live.get(handle).map(|made| &made.object)
    }

    pub(crate) fn len(&self) -> usize {
        self.live.len()
    }

    /// Returns the call that created an object.
    pub(crate) fn maker(&self, handle: Handle) -> CallSite {
        self.live.get(handle).map_or_else(CallSite::default, |made| made.by)
    }

    /// Returns the object that a program names. For a destroyed object, drivers report a destroyed context (conformance
    /// facts T4 and T148).
    pub(crate) fn named(&self, handle: Handle) -> Answer<&T> {
        match self.get(handle) {
            Some(object) => Ok(object),
            None if self.is_stale(handle) => Err(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED),
            None => Err(CUresult::CUDA_ERROR_INVALID_HANDLE),
        }
    }

    pub(crate) fn get_mut(&mut self, handle: Handle) -> Option<&mut T> {
        self.live.get_mut(handle).map(|made| &mut made.object)
    }

    pub(crate) fn remove(&mut self, handle: Handle) -> Option<T> {
        let object = self.live.remove(handle)?.object;
        self.numbers.give_back(handle);
        Some(object)
    }

    /// Like [`remove`](Self::remove), for an object that may return [under the same handle](Self::revive).
    pub(crate) fn suspend(&mut self, handle: Handle) -> Option<T> {
        self.live.remove(handle).map(|made| made.object)
    }

    /// Returns whether the handle was allocated and its object destroyed.
    pub(crate) fn is_stale(&self, handle: Handle) -> bool {
        self.numbers.has_given(handle) && !self.live.contains(handle)
    }

    /// Assigns an object to a handle that was allocated before. Primary contexts keep their handles.
    pub(crate) fn revive(&mut self, handle: Handle, object: T) {
        self.live.insert(handle, Made { object, by: self.numbers.present.get() });
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Handle, &T)> {
        self.live.iter().map(|(handle, made)| (handle, &made.object))
    }

    /// Visits the objects in no particular order.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.live.values_mut().map(|made| &mut made.object)
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        let numbers = &mut self.numbers;
        self.live.retain(|handle, made| {
            let kept = keep(&made.object);
            if !kept {
                numbers.give_back(handle);
            }
            kept
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_unique_in_the_process() {
        let mut all = [(); 3].map(|()| Handles::new(Numbers::new(false, PresentCall::default())));
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..3000 {
            for objects in &mut all {
                let handle = objects.insert(());
                assert!(seen.insert(handle));
                assert!(!objects.is_stale(handle));
            }
        }
        let [first, second, _] = &mut all;
        let handle = first.insert(());
        assert!(first.remove(handle).is_some());
        assert!(first.is_stale(handle) && !second.is_stale(handle));
        assert!(!first.is_stale(Handle(handle.0 + Numbers::ALIGNMENT)));
        assert!(!first.is_stale(Handle(handle.0 + 1)) && !first.is_stale(Handle::NULL));
    }
}
