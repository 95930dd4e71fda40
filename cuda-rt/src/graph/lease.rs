//! Uses of the memory of a graph that allows one executable graph.
//!
//! All executable graphs of such a graph share its memory. So there is one at a time. The next one is made when the last launch
//! of the previous one is over: the driver may move the memory when it makes an executable graph.

use crate::context::RelaxedCaptureMode;
use crate::error::Result;
use crate::event::Event;
use std::sync::{Arc, Mutex, PoisonError};

/// The use of a graph's memory by one executable graph.
#[derive(Debug, Default)]
pub(super) struct Lease(Mutex<State>);

#[derive(Debug, Default, Clone)]
enum State {
    /// The executable graph uses the memory.
    #[default]
    Lasting,
    /// The executable graph is destroyed, or uses other memory. Its last launch is over when the event is reached.
    Ending(Arc<Event>),
    Over,
}

impl Lease {
    /// Ends the use, when the event of the last launch is reached, if there is one.
    pub(super) fn end(&self, last: Option<Arc<Event>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = last.map_or(State::Over, State::Ending);
    }

    /// Waits for the last launch, and returns whether the use is over: no executable graph uses the memory.
    pub(super) fn is_over(&self) -> Result<bool> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let State::Ending(event) = &state {
            // Otherwise a capture that this or another thread makes would forbid waiting.
            let _relaxed = RelaxedCaptureMode::new();
            event.synchronize()?;
        }
        Ok(!matches!(state, State::Lasting))
    }
}
