//! Reports of mistakes of a program, for people and for tools.

mod json;
mod live_object;
mod log;

pub use live_object::LiveObject;
pub(crate) use log::Reports;

use core::fmt;
use cuda_sys::Symbol;

/// Kind of a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ReportKind {
    /// Access to memory outside of every allocation.
    OutOfBounds,
    /// Access to freed memory.
    UseAfterFree,
    /// Free of memory that was freed already.
    DoubleFree,
    /// Destruction of a memory pool while its memory is in use, or a free of its memory is queued.
    PoolInUse,
    /// Access to memory without permission for the device.
    NoAccess,
    /// Access to an address that is not a multiple of the size of the access.
    Misaligned,
    /// Read of device memory that was never written.
    Uninitialized,
    /// Unordered accesses of two threads to the same memory.
    Race,
    /// Unordered uses of the same memory by two operations of several streams.
    StreamRace,
    /// Barrier that not all threads of a block reach.
    Barrier,
    /// Launch whose arguments have fewer bytes than the parameters of the kernel.
    Arguments,
    /// Fault of a kernel with another cause: a trap, a failed assertion, a kernel that runs too long.
    Fault,
    /// Fault of a kernel that a [`KernelFault`](crate::KernelFault) has injected.
    InjectedFault,
    /// Failure of queued work that no call has returned before the end of the process.
    UnseenFailure,
    /// Object that is alive at the end of the process.
    Leak,
}

impl ReportKind {
    /// Returns the name in reports: `out-of-bounds`, `use-after-free`, `double-free`, `pool-in-use`, `no-access`,
    /// `misaligned`, `uninitialized`, `race`, `stream-race`, `barrier`, `arguments`, `fault`, `injected-fault`,
    /// `unseen-failure`, `leak`.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(cuda_sim::ReportKind::OutOfBounds.name(), "out-of-bounds");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ReportKind::OutOfBounds => "out-of-bounds",
            ReportKind::UseAfterFree => "use-after-free",
            ReportKind::DoubleFree => "double-free",
            ReportKind::PoolInUse => "pool-in-use",
            ReportKind::NoAccess => "no-access",
            ReportKind::Misaligned => "misaligned",
            ReportKind::Uninitialized => "uninitialized",
            ReportKind::Race => "race",
            ReportKind::StreamRace => "stream-race",
            ReportKind::Barrier => "barrier",
            ReportKind::Arguments => "arguments",
            ReportKind::Fault => "fault",
            ReportKind::InjectedFault => "injected-fault",
            ReportKind::UnseenFailure => "unseen-failure",
            ReportKind::Leak => "leak",
        }
    }

    /// Returns the name in the texts for people.
    pub(crate) fn title(self) -> &'static str {
        match self {
            ReportKind::OutOfBounds => "out of bounds",
            ReportKind::UseAfterFree => "use after free",
            ReportKind::DoubleFree => "double free",
            ReportKind::PoolInUse => "pool in use",
            ReportKind::NoAccess => "no access",
            ReportKind::Misaligned => "misaligned address",
            ReportKind::Uninitialized => "uninitialized memory",
            ReportKind::Race => "data race",
            ReportKind::StreamRace => "data race between streams",
            ReportKind::Barrier => "barrier",
            ReportKind::Arguments => "kernel arguments",
            ReportKind::Fault => "fault",
            ReportKind::InjectedFault => "injected fault",
            ReportKind::UnseenFailure => "unseen failure",
            ReportKind::Leak => "leak",
        }
    }
}

/// Call of a driver function on a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReportedCall {
    /// The function.
    pub function: Symbol,
    /// Number of the call on its machine, counted from 1, in the order in which calls began.
    pub number: u64,
}

impl fmt::Display for ReportedCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} (call {})", self.function, self.number)
    }
}

/// Place of a thread in a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReportedPlace {
    /// Name of the kernel.
    pub kernel: String,
    /// Name of the device function that the thread was in, if the kernel has called one.
    pub function: Option<String>,
    /// Line of the PTX text, counted from 1.
    pub ptx_line: u32,
    /// Source file and line of the PTX line. Known if the PTX has `.loc` directives, which compilers write with
    /// `-lineinfo`.
    pub source: Option<(String, u32)>,
    /// Index of the block in the grid.
    pub block: [u32; 3],
    /// Index of the thread in the block.
    pub thread: [u32; 3],
}

impl fmt::Display for ReportedPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReportedPlace { kernel, function, ptx_line, source, block, thread } = self;
        if let Some((file, line)) = source {
            write!(formatter, "{file}:{line} (PTX line {ptx_line})")?;
        } else {
            write!(formatter, "PTX line {ptx_line}")?;
        }
        if let Some(function) = function {
            write!(formatter, " in function `{function}`, called by kernel `{kernel}`")?;
        } else {
            write!(formatter, " in kernel `{kernel}`")?;
        }
        let ([a, b, c], [x, y, z]) = (block, thread);
        write!(formatter, ", block ({a}, {b}, {c}), thread ({x}, {y}, {z})")
    }
}

/// Allocation in a report.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReportedMemory {
    /// Kind of memory, in words: `device memory`, `variable 'table'`.
    pub what: String,
    /// First address.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
    /// Call that allocated it.
    pub made_by: Option<ReportedCall>,
    /// Call that freed it.
    pub freed_by: Option<ReportedCall>,
}

impl fmt::Display for ReportedMemory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReportedMemory { what, base, size, made_by, freed_by } = self;
        write!(formatter, "{size} bytes of {what} at {base:#x}")?;
        if let Some(made_by) = made_by {
            write!(formatter, ", made by {made_by}")?;
        }
        if let Some(freed_by) = freed_by {
            write!(formatter, ", freed by {freed_by}")?;
        }
        Ok(())
    }
}

/// Mistake of a program that the software driver has detected.
///
/// [`Display`](fmt::Display) writes the text for the standard error. The first line describes the mistake, the second
/// its place, and further lines the probable cause. [`to_json`](Report::to_json) writes a line of the file that
/// [`Config::reports`](crate::Config::reports) names.
///
/// A report changes nothing else: calls return the same codes as on hardware.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The kind.
    pub kind: ReportKind,
    /// Short description of the mistake.
    pub summary: String,
    /// Place of the first occurrence.
    pub place: Option<ReportedPlace>,
    /// Address of the access.
    pub address: Option<u64>,
    /// Number of bytes that the access reads or writes.
    pub size: Option<u64>,
    /// Nearest allocation.
    pub memory: Option<ReportedMemory>,
    /// Call of the report. For a leak, it created the object. For a copy, it queued the copy. For a race between streams, it
    /// queued one of the two operations.
    pub call: Option<ReportedCall>,
    /// Probable cause, and further details.
    pub notes: Vec<String>,
    /// Functions that called the driver, innermost first, for the calls of the report. Empty unless
    /// [`Config::backtraces`](crate::Config::backtraces) is on.
    pub backtraces: Vec<(ReportedCall, Vec<String>)>,
    /// Number of threads with the same mistake at the same instruction of the launch. For a race, the number of pairs
    /// of accesses.
    pub threads: u64,
}

impl Report {
    pub(crate) fn new(kind: ReportKind, summary: String) -> Report {
        let (place, address, size, memory, call) = (None, None, None, None, None);
        let backtraces = Vec::new();
        Report {
            kind,
            summary,
            place,
            address,
            size,
            memory,
            call,
            notes: Vec::new(),
            backtraces,
            threads: 1,
        }
    }

    /// Returns the calls that the report names.
    pub(crate) fn calls(&self) -> impl Iterator<Item = ReportedCall> {
        let memory = self.memory.as_ref();
        let of_memory = memory.map_or([None; 2], |memory| [memory.made_by, memory.freed_by]);
        let own = self.call.filter(|call| !of_memory.contains(&Some(*call)));
        of_memory.into_iter().chain([own]).flatten()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.summary)?;
        if let Some(place) = &self.place {
            write!(formatter, "\n  at {place}")?;
        }
        let (others, what) = match self.kind {
            ReportKind::Race => (self.threads.saturating_sub(1), "pair"),
            _ => (self.threads.saturating_sub(1), "thread"),
        };
        match others {
            0 => {}
            1 => write!(formatter, "\n  and 1 more {what} at this instruction")?,
            more => write!(formatter, "\n  and {more} more {what}s at this instruction")?,
        }
        self.notes.iter().try_for_each(|note| write!(formatter, "\n  {note}"))?;
        for (call, frames) in &self.backtraces {
            write!(formatter, "\n  {call} was called by")?;
            frames.iter().try_for_each(|frame| write!(formatter, "\n    {frame}"))?;
        }
        Ok(())
    }
}
