//! Awaiting the device: streams and events as futures.
//!
//! | type | stands for | released by |
//! |---|---|---|
//! | [`Finished`] | the end of the work that is queued now, as a future | – |
//! | [`WakeBy`] | the way in which a waiting task is woken | – |
//!
//! [`Stream::finished`](crate::Stream::finished) and [`Event::finished`](crate::Event::finished) return such a future, and a
//! [`PendingCopy`](crate::memory::PendingCopy) can itself be awaited. Any executor works.
//!
//! - The result always comes from the driver, never from the wake alone. If the work fails, the result of the future is the
//!   failure.
//! - Dropping a future does not wait, and does not stop the work.
//! - Several executors may poll a future in turn, and it may be sent to other threads. The waker of the last poll is woken.
//! - A host function on a companion stream wakes the task. The awaited stream does not wait for the function. In addition, a
//!   thread of this crate queries the driver every 2 milliseconds, because the driver calls no host function after a failure.
//!   With [`WakeBy::Polling`] only this thread wakes the task, and queries every 20 microseconds. If the queries for all waiting
//!   futures and copies take more than 2 milliseconds, the thread queries less often.
//! - A waker runs on the driver's thread. It must not block on device work: see [host functions](crate::stream#host-functions).
//!   Most executors only queue the task.
//! - A host function that waits for a future of the same context never returns.
//! - A thread of this crate frees the page-locked memory of copies that were dropped before their end. The driver then waits for
//!   all work of the context, and may delay calls of other threads meanwhile. So a program must not make a stream wait for a word
//!   or a flag that it writes only after another driver call.

mod finished;
mod poller;

pub use finished::{Finished, WakeBy};
pub(crate) use poller::{retire, retire_erased};
