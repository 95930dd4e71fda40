//! The clock of the measurements.

use std::time::Instant;

/// A clock that starts when it is made.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Clock {
    /// The time that passes.
    Wall(Instant),
    /// The nanoseconds that processors have spent on this process. It does not matter how busy they are.
    Processor(f64),
}

impl Clock {
    pub(crate) fn wall() -> Self {
        Self::Wall(Instant::now())
    }

    /// A processor clock, or a wall clock where there is none.
    pub(crate) fn processor() -> Self {
        processor_nanoseconds().map_or_else(Self::wall, Self::Processor)
    }

    pub(crate) fn nanoseconds(self) -> f64 {
        match self {
            Self::Wall(start) => start.elapsed().as_nanos() as f64,
            Self::Processor(start) => processor_nanoseconds().unwrap_or_default() - start,
        }
    }
}

#[cfg(unix)]
fn processor_nanoseconds() -> Option<f64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for a write.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    (failed == 0).then_some(time.tv_sec as f64 * 1e9 + time.tv_nsec as f64)
}

#[cfg(not(unix))]
fn processor_nanoseconds() -> Option<f64> {
    None
}
