//! The uses of the memory of a graph that allows one executable graph.
//!
//! All executable graphs that are made of such a graph have the same memory. So there is one at a time. It may be dropped while a launch
//! runs: the next one comes after that launch.

use crate::event::Event;
use std::sync::{Arc, Mutex, PoisonError};

/// The use of a graph's memory by one executable graph.
#[derive(Debug, Default)]
pub(super) struct Lease(Mutex<Option<Vec<Arc<Event>>>>);

impl Lease {
    /// Ends the use: the executable graph is gone, or has other memory. Its last launch is over when the events are reached.
    pub(super) fn end(&self, ends: Vec<Arc<Event>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(ends);
    }

    /// Returns the events of the end. `None` while the executable graph has the memory.
    fn ends(&self) -> Option<Vec<Arc<Event>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The last uses of a graph's memory.
#[derive(Debug, Default)]
pub(super) struct Leases(Vec<Arc<Lease>>);

impl Leases {
    /// Returns the events that the next use comes after. `None` while an executable graph has the memory that `is_own` does not know.
    pub(super) fn ends(&self, is_own: impl Fn(&Arc<Lease>) -> bool) -> Option<Vec<Arc<Event>>> {
        let others = self.0.iter().filter(|lease| !is_own(lease));
        let ends: Option<Vec<_>> = others.map(|lease| lease.ends()).collect();
        ends.map(|ends| ends.concat())
    }

    /// Begins the next use, which comes after all of these.
    pub(super) fn begin(&mut self) -> Arc<Lease> {
        let lease = Arc::new(Lease::default());
        self.0 = vec![Arc::clone(&lease)];
        lease
    }

    /// Adds the uses of memory that the graph has got.
    pub(super) fn extend(&mut self, others: &Leases) {
        self.0.extend(others.0.iter().cloned());
    }
}
