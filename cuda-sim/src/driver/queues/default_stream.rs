//! The stream that the null stream stands for.

use core::cell::Cell;
use cuda_sys::{CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, CUstream};

thread_local! {
    static PER_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// The stream that the null stream stands for in the call in progress, and that a call without a stream uses.
pub(crate) fn default_stream() -> CUstream {
    let per_thread = PER_THREAD.try_with(Cell::get).unwrap_or(false);
    if per_thread { CU_STREAM_PER_THREAD } else { CU_STREAM_LEGACY }
}

/// While this lives, the per-thread default stream is the thread's default stream.
pub(crate) struct PerThread {
    before: bool,
}

impl PerThread {
    pub(crate) fn enter() -> PerThread {
        PerThread { before: PER_THREAD.try_with(|default| default.replace(true)).unwrap_or(false) }
    }
}

impl Drop for PerThread {
    fn drop(&mut self) {
        // A thread that ends has no calls left to mind.
        let _ = PER_THREAD.try_with(|default| default.set(self.before));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_stream_is_of_the_call_in_progress() {
        assert_eq!(default_stream(), CU_STREAM_LEGACY);
        {
            let _outer = PerThread::enter();
            {
                let _inner = PerThread::enter();
                assert_eq!(default_stream(), CU_STREAM_PER_THREAD);
            }
            assert_eq!(default_stream(), CU_STREAM_PER_THREAD);
            let other = std::thread::spawn(|| default_stream() == CU_STREAM_LEGACY);
            assert!(other.join().is_ok_and(|legacy| legacy), "another thread has its own");
        }
        assert_eq!(default_stream(), CU_STREAM_LEGACY);
    }
}
