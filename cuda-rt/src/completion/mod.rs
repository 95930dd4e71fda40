//! Awaiting the device: streams and events as futures.
//!
//! | type | stands for | ends by |
//! |---|---|---|
//! | [`Finished`] | the end of the work that is queued now, as a future | – |
//! | [`WakeBy`] | how a waiting task is woken | – |
//!
//! [`Stream::finished`](crate::Stream::finished) and [`Event::finished`](crate::Event::finished) make the future, and a
//! [`PendingCopy`](crate::memory::PendingCopy) can be awaited itself. No executor is needed beyond the program's own.
//!
//! - The result always comes from the driver, never from the wake alone. A failure of the work is the result of the future.
//! - Dropping a future does not wait, and does not stop the work.
//! - A future may be polled by several executors in turn, and moved between threads. The waker of the last poll is woken.
//! - A task is woken by a host function on a stream beside the awaited one, which goes on meanwhile. A thread of this crate asks the
//!   driver every 2 milliseconds too, because the driver calls no host function after a failure. With [`WakeBy::Polling`] only this
//!   thread wakes the task, and asks every 20 microseconds. If so many futures and copies wait that asking for all of them takes more
//!   than 2 milliseconds, the thread asks less often.
//! - A waker runs on the driver's thread. It must not block on device work: see [host functions](crate::stream#host-functions).
//!   Most executors only queue the task.
//! - A host function that waits for a future of the same context waits for ever.
//! - A thread of this crate frees the page-locked memory of copies that were dropped before their end. The driver waits for all work of
//!   the context then, and may hold up calls of other threads meanwhile. So a program must not make a stream wait for a word or a flag
//!   that it writes only after another driver call.

mod finished;
mod poller;

pub use finished::{Finished, WakeBy};
pub(crate) use poller::{retire, retire_erased};
