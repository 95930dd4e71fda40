//! Values that a kernel gives to conditions of graphs.

use std::sync::{Mutex, PoisonError};

/// The values that the threads of one launch give to conditions by `cudaGraphSetConditional`. The last value of each condition
/// counts.
#[derive(Debug, Default)]
pub struct Conditions(Mutex<Vec<(u64, u32)>>);

impl Conditions {
    /// Notes the value that a thread gives to the condition with this handle.
    pub fn set(&self, handle: u64, value: u32) {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match values.iter_mut().find(|(known, _)| *known == handle) {
            Some((_, last)) => *last = value,
            None => values.push((handle, value)),
        }
    }

    /// Takes the values that were noted, each with the handle of its condition.
    pub fn take(&self) -> Vec<(u64, u32)> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
