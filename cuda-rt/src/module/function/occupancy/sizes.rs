//! Shared memory by block size, for a C callback without a user pointer.

#![allow(unsafe_code)]

use core::cell::Cell;
use core::ffi::c_int;
use cuda_sys::CUoccupancyB2DSize;

/// Sizes for blocks of 1, 2, 3 and so on threads.
type Sizes = [usize];

const NONE: &Sizes = &[];

thread_local! {
    /// Sizes for the current call of this thread.
    static CURRENT: Cell<*const Sizes> = const { Cell::new(NONE) };
}

/// Runs a call with a callback that returns these sizes.
pub(super) fn with<R>(sizes: &Sizes, call: impl FnOnce(CUoccupancyB2DSize) -> R) -> R {
    /// Restores the previous sizes.
    struct Restore(*const Sizes);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _restore = Restore(CURRENT.replace(sizes));
    call(Some(size))
}

/// More bytes than any block can have. Drivers misread some larger numbers as small ones.
pub(super) const MOST: usize = 1 << 31;

/// Returns the size for a block of `threads` threads. A block with more threads than there are sizes is impossible.
extern "C" fn size(threads: c_int) -> usize {
    let index = usize::try_from(threads).ok().and_then(|threads| threads.checked_sub(1));
    // SAFETY: the pointer is `NONE`, or points to the sizes that the current call of this thread borrows.
    let sizes = unsafe { &*CURRENT.get() };
    index.and_then(|index| sizes.get(index)).map_or(MOST, |size| MOST.min(*size))
}
