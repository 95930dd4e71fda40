//! Ways to poll futures by hand.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

/// A waker that counts.
#[derive(Default)]
pub(crate) struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Count {
    pub(crate) fn woken(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    /// Waits until it was woken.
    pub(crate) fn wait(&self) {
        wait_until(|| self.woken() > 0);
    }
}

pub(crate) fn counting() -> (Arc<Count>, Waker) {
    let count = Arc::new(Count::default());
    (count.clone(), count.into())
}

/// Polls once.
pub(crate) fn poll<F: Future + Unpin>(future: &mut F, waker: &Waker) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(waker))
}

/// Waits until a condition is true.
pub(crate) fn wait_until(mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not become so");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Runs futures to their ends on an executor with two threads.
pub(crate) fn on_two_threads<T: Send + 'static>(
    futures: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    let executor = Arc::new(async_executor::Executor::<'static>::new());
    let (stop, stopped) = (Arc::new(std::sync::atomic::AtomicBool::new(false)), counting());
    let threads = [(); 2].map(|()| {
        let (executor, stop) = (executor.clone(), stop.clone());
        std::thread::spawn(move || {
            pollster::block_on(executor.run(std::future::poll_fn(|task| {
                if stop.load(Ordering::SeqCst) {
                    return Poll::Ready(());
                }
                task.waker().wake_by_ref();
                std::thread::yield_now();
                Poll::Pending
            })));
        })
    });
    drop(stopped);
    let tasks: Vec<_> = futures.into_iter().map(|future| executor.spawn(future)).collect();
    let results = tasks.into_iter().map(pollster::block_on).collect();
    stop.store(true, Ordering::SeqCst);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    results
}
