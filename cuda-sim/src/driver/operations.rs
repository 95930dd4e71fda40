//! Names of operations and of the streams that they are queued on, and how long operations take.

use crate::driver::handles::Handle;

/// Names an operation; later ones have larger numbers.
pub(crate) type OpId = u64;

/// Nanoseconds of virtual time of an operation that moves nothing.
pub(crate) const SHORT: u64 = 1000;

/// A stream of operations: one that was made, or one of those that every context has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StreamId {
    /// Its handle, and its number: another stream may have the handle when this one is gone, though not done.
    Made(Handle, u64),
    /// The legacy stream of a context.
    Legacy(Handle),
    /// The default stream of a thread in a context.
    PerThread(Handle, u64),
    /// Events of a whole context: each comes after all that is queued in it.
    Whole(Handle),
    /// An operation that all later work of a context waits for.
    Gate(Handle),
}

/// Virtual time that moving bytes takes.
pub(crate) fn duration(len: usize) -> u64 {
    SHORT + len as u64 / 32
}

/// Steps of warps between two looks at what else there is to do.
pub(crate) const TURN_STEPS: u64 = 1 << 19;
