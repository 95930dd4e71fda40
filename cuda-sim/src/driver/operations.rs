//! Names of operations and of their streams, and the virtual time of operations.

use crate::driver::handles::Handle;

/// Identifier of an operation. Later operations have larger numbers.
pub(crate) type OpId = u64;

/// Virtual time in nanoseconds of an operation that moves no data.
pub(crate) const SHORT: u64 = 1000;

/// Stream of operations: one that the program created, or one that every context has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StreamId {
    /// Created stream with its handle and its number. After its destruction, another stream may have the handle while
    /// its work is not done.
    Made(Handle, u64),
    /// Legacy stream of a context.
    Legacy(Handle),
    /// Default stream of a thread in a context.
    PerThread(Handle, u64),
    /// Events of a whole context. Each comes after all work that is queued in it.
    Whole(Handle),
    /// Operation that all later work of a context waits for.
    Gate(Handle),
}

/// Returns the virtual time of moving bytes.
pub(crate) fn duration(len: usize) -> u64 {
    SHORT + len as u64 / 32
}

/// Steps of warps between two checks for other work.
pub(crate) const TURN_STEPS: u64 = 1 << 19;
