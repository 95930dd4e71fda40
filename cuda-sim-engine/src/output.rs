//! What kernels print.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// A bounded buffer that the threads of a launch print into. Each call adds one whole text, or, once there is no room
/// for it, nothing.
pub struct Output {
    capacity: usize,
    text: Mutex<Vec<u8>>,
    /// Values that kernels have given to conditions of graphs, by the handles of the conditions.
    conditions: Mutex<Vec<(u64, u32)>>,
}

impl Output {
    /// What `CU_LIMIT_PRINTF_FIFO_SIZE` is unless a program sets it.
    pub const DEFAULT_CAPACITY: usize = 1 << 20;

    /// An empty buffer for this many bytes.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, text: Mutex::new(Vec::new()), conditions: Mutex::new(Vec::new()) }
    }

    /// Adds a text, if there is room for all of it.
    pub fn push(&self, text: &[u8]) {
        let mut collected = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        if collected.len().saturating_add(text.len()) <= self.capacity {
            collected.extend_from_slice(text);
        }
    }

    /// Notes the value that a kernel gives to a condition of a graph.
    pub fn set_condition(&self, handle: u64, value: u32) {
        self.conditions.lock().unwrap_or_else(PoisonError::into_inner).push((handle, value));
    }

    /// Takes the values that were given to conditions, in the order in which they were given.
    pub fn take_conditions(&self) -> Vec<(u64, u32)> {
        std::mem::take(&mut *self.conditions.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes what was collected, and makes room for more.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.text.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Output").field("capacity", &self.capacity).finish_non_exhaustive()
    }
}
