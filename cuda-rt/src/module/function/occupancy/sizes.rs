//! Shared memory by the size of blocks, for a function that C calls without telling it anything else.

#![allow(unsafe_code)]

use core::cell::Cell;
use core::ffi::c_int;
use cuda_sys::CUoccupancyB2DSize;

/// The sizes for blocks of 1, 2, 3 and so on threads.
type Sizes = [usize];

const NONE: &Sizes = &[];

thread_local! {
    /// Those of the call that this thread is in.
    static CURRENT: Cell<*const Sizes> = const { Cell::new(NONE) };
}

/// Runs a call with a function that gives these sizes.
pub(super) fn with<R>(sizes: &Sizes, call: impl FnOnce(CUoccupancyB2DSize) -> R) -> R {
    /// Puts the earlier ones back.
    struct Restore(*const Sizes);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _restore = Restore(CURRENT.replace(sizes));
    call(Some(size))
}

/// More bytes than any block can have. Drivers take some larger numbers for small ones.
pub(super) const MOST: usize = 1 << 31;

/// What a block of so many threads takes. One with more threads than there are sizes for cannot be.
extern "C" fn size(threads: c_int) -> usize {
    let index = usize::try_from(threads).ok().and_then(|threads| threads.checked_sub(1));
    // SAFETY: it points to the sizes of a call that this thread is in, which borrows them, or to none.
    let sizes = unsafe { &*CURRENT.get() };
    index.and_then(|index| sizes.get(index)).map_or(MOST, |size| MOST.min(*size))
}
