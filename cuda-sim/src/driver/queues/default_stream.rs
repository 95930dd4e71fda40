//! The meaning of the null stream.

use core::cell::Cell;
use cuda_sys::{CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, CUstream};

thread_local! {
    static PER_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Returns the stream that the null stream means in the call in progress. Calls without a stream use it, too.
pub(crate) fn default_stream() -> CUstream {
    let per_thread = PER_THREAD.try_with(Cell::get).unwrap_or(false);
    if per_thread { CU_STREAM_PER_THREAD } else { CU_STREAM_LEGACY }
}

/// Guard for the per-thread default stream as the thread's default stream.
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
        // At the end of a thread, no calls remain.
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
