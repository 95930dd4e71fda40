//! Objects that a program has created and not released, one by one.

use super::{Report, ReportKind, ReportedCall, ReportedMemory};
use core::fmt;

/// Object that a program has created and not released. From [`Machine::live_objects`](crate::Machine::live_objects).
///
/// # Examples
///
/// ```
/// use cuda_sim::{Config, Machine};
/// use cuda_sys::{CUresult, Symbol, cuCtxCreate_v2, cuInit, cuMemAlloc_v2};
///
/// cuda_sim::install_once().unwrap();
/// let machine = Machine::new(Config::default());
/// let entered = machine.enter();
/// let (mut context, mut address) = (std::ptr::null_mut(), 0);
/// // SAFETY: no flags, as the API demands.
/// assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
/// // SAFETY: `context` is valid for a write.
/// assert_eq!(unsafe { cuCtxCreate_v2(&mut context, 0, 0) }, CUresult::CUDA_SUCCESS);
/// // SAFETY: `address` is valid for a write.
/// assert_eq!(unsafe { cuMemAlloc_v2(&mut address, 100) }, CUresult::CUDA_SUCCESS);
///
/// let objects = machine.live_objects();
/// assert_eq!(objects[0].to_string(), "context, made by cuCtxCreate_v2 (call 2)");
/// assert_eq!((objects[1].kind, objects[1].memory), ("device allocation", Some((address, 100))));
/// assert_eq!(objects[1].made_by.unwrap().function, Symbol::cuMemAlloc_v2);
/// # drop(entered);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LiveObject {
    /// Kind, in the words of [`LiveHandles`](crate::LiveHandles).
    pub kind: &'static str,
    /// Address and size in bytes, if it is memory.
    pub memory: Option<(u64, u64)>,
    /// Call that created it.
    pub made_by: Option<ReportedCall>,
}

impl LiveObject {
    /// Returns the report of an object that is alive at the end.
    pub(crate) fn leak(&self) -> Report {
        let mut report = Report::new(ReportKind::Leak, format!("leak: {self}"));
        let what = self.kind.to_owned();
        let (made_by, freed_by) = (self.made_by, None);
        report.memory =
            self.memory.map(|(base, size)| ReportedMemory { what, base, size, made_by, freed_by });
        report.call = self.made_by;
        report
    }
}

impl fmt::Display for LiveObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.kind)?;
        if let Some((base, size)) = self.memory {
            write!(formatter, " of {size} byte{} at {base:#x}", if size == 1 { "" } else { "s" })?;
        }
        match self.made_by {
            Some(made_by) => write!(formatter, ", made by {made_by}"),
            None => Ok(()),
        }
    }
}
