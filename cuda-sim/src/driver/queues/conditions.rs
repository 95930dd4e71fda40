//! Names of the values that kernels give to conditions of graphs.

/// Names the executable that the values of conditions are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conditions(u32);

impl Conditions {
    /// The conditions of an executable with an id.
    pub(crate) fn of(id: u32) -> Conditions {
        Conditions(id)
    }

    /// The name of a condition. `None` for what cannot be a handle.
    pub(crate) fn key(self, handle: u64) -> Option<u64> {
        let number = u32::try_from(handle).ok()?;
        Some(u64::from(self.0) << 32 | u64::from(number))
    }
}
