//! Names of the values that kernels set for conditions of graphs.

/// Executable that owns the values of conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conditions(u32);

impl Conditions {
    /// Returns the conditions of the executable with an id.
    pub(crate) fn of(id: u32) -> Conditions {
        Conditions(id)
    }

    /// Returns the key of a condition, or `None` for an invalid handle.
    pub(crate) fn key(self, handle: u64) -> Option<u64> {
        let number = u32::try_from(handle).ok()?;
        Some(u64::from(self.0) << 32 | u64::from(number))
    }
}
