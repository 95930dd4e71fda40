//! The output of kernels.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Bounded buffer that the threads of a launch print into. Each call adds one whole text. If the text does not fit, the
/// call adds nothing.
pub struct Output {
    capacity: usize,
    text: Mutex<Vec<u8>>,
    /// Values that kernels have set for conditions of graphs, by condition handle.
    conditions: Mutex<Vec<(u64, u32)>>,
}

impl Output {
    /// Default of `CU_LIMIT_PRINTF_FIFO_SIZE`.
    pub const DEFAULT_CAPACITY: usize = 1 << 20;

    /// Creates an empty buffer of this many bytes.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, text: Mutex::new(Vec::new()), conditions: Mutex::new(Vec::new()) }
    }

    /// Adds a text if all of it fits.
    pub fn push(&self, text: &[u8]) {
        let mut collected = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        if collected.len().saturating_add(text.len()) <= self.capacity {
            collected.extend_from_slice(text);
        }
    }

    /// Records the value that a kernel sets for a condition of a graph.
    pub fn set_condition(&self, handle: u64, value: u32) {
        self.conditions.lock().unwrap_or_else(PoisonError::into_inner).push((handle, value));
    }

    /// Takes the values of conditions, in the order in which kernels set them.
    pub fn take_conditions(&self) -> Vec<(u64, u32)> {
        std::mem::take(&mut *self.conditions.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes the collected texts and empties the buffer.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.text.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Output").field("capacity", &self.capacity).finish_non_exhaustive()
    }
}
