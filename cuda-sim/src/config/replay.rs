//! The order of queued work as text: the operations that are held back, and the end of each hold.

use super::{ConfigError, Schedule};
use crate::decimal::decimal;
use core::fmt;
use core::str::FromStr;
use cuda_sys::Symbol;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// Call, named by its function and its number among the calls of that function, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NthCall {
    pub(crate) function: Symbol,
    pub(crate) nth: u32,
}

/// Queued operation, named by the call that queued it and its number among the operations of that call, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct QueuedOp {
    pub(crate) call: NthCall,
    pub(crate) place: u32,
}

/// Operation that is held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hold {
    pub(crate) op: QueuedOp,
    /// Call that does the operation, after the call's own work. `None` if only a wait does it.
    pub(crate) until: Option<NthCall>,
}

/// Order of queued work that differs from the normal order: a list of operations that are held back.
///
/// Its text lists the operations, separated by `+`, each optionally with `@` and a call. The name of an operation is
/// the call that queued it: the function, and a number. The number counts the calls of the function from 1.
///
/// | text | meaning |
/// |---|---|
/// | `cuLaunchKernel-2` | The operation of the second call of `cuLaunchKernel` is held back until the program waits for it. |
/// | `cuLaunchKernel-2@cuMemcpyDtoHAsync_v2-1` | The operation is held back until the end of the first call of `cuMemcpyDtoHAsync_v2`, or until the program waits for it. The work of that call is done first. |
/// | `cuGraphLaunch-1.3` | The third operation of the call: a launch of a graph queues several. |
///
/// Operations that are held back until the same call are done in the order of the text.
/// [`Exploration`](crate::explore::Exploration) finds such orders. [`Schedule`] and
/// [`Config::from_text`](crate::Config::from_text) read them.
///
/// The process keeps every text that it has read until its end.
///
/// # Examples
///
/// ```
/// use cuda_sim::Schedule;
///
/// let schedule: Schedule = "replay:cuMemcpyHtoDAsync_v2-1@cuLaunchKernel-1".parse()?;
/// assert!(matches!(schedule, Schedule::Replay(_)));
/// assert_eq!(schedule.to_string(), "replay:cuMemcpyHtoDAsync_v2-1@cuLaunchKernel-1");
/// # Ok::<(), cuda_sim::ConfigError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Replay(&'static [Hold]);

impl Replay {
    pub(crate) fn new(holds: Vec<Hold>) -> Replay {
        static KNOWN: Mutex<BTreeSet<&'static [Hold]>> = Mutex::new(BTreeSet::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known.get(&holds[..]) {
            return Replay(same);
        }
        let kept: &'static [Hold] = Vec::leak(holds);
        known.insert(kept);
        Replay(kept)
    }

    pub(crate) fn holds(&self) -> &'static [Hold] {
        self.0
    }

    /// Reads the order of queued work from a log of calls.
    ///
    /// [`Config::calls`](crate::Config::calls) names the file. Its lines list the operations done in each call, under
    /// every schedule except [`Schedule::Eager`]. If the program makes the same calls, the replay does the same
    /// operations in the same calls. It does not replay the calls themselves, because a log has neither their arguments
    /// nor the bytes of host memory.
    ///
    /// # Errors
    ///
    /// A line that is not one of a log. The error names the line.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Replay, Schedule};
    ///
    /// let log = "1 1 cuInit CUDA_SUCCESS -\n\
    ///            2 1 cuMemsetD8Async CUDA_SUCCESS 0\n\
    ///            3 1 cuLaunchKernel CUDA_SUCCESS 0 cuLaunchKernel-1+cuMemsetD8Async-1\n";
    /// let schedule = Schedule::Replay(Replay::from_log(log)?);
    /// assert_eq!(schedule.to_string(), "replay:cuMemsetD8Async-1@cuLaunchKernel-1");
    /// # Ok::<(), cuda_sim::ConfigError>(())
    /// ```
    pub fn from_log(log: &str) -> Result<Replay, ConfigError> {
        let mut made: BTreeMap<Symbol, u32> = BTreeMap::new();
        let (mut order, mut known) = (Vec::new(), BTreeSet::new());
        for line in log.lines().filter(|line| !line.trim().is_empty()) {
            let refused =
                || ConfigError::new(line.to_owned(), "a line of a log of calls is expected".to_owned());
            let mut parts = line.split_whitespace().skip(2);
            let function = parts.next().and_then(Symbol::from_name).ok_or_else(refused)?;
            let nth = made.entry(function).or_default();
            *nth = nth.saturating_add(1);
            let call = NthCall { function, nth: *nth };
            for op in parts.nth(2).into_iter().flat_map(|done| done.split('+')) {
                let op = QueuedOp::read(op).filter(|op| known.insert(*op)).ok_or_else(refused)?;
                order.push((op, Some(call)));
            }
        }
        Ok(Replay::new(Hold::of_order(order.into_iter())))
    }

    fn read(text: &str) -> Option<Replay> {
        let holds: Vec<Hold> =
            text.split('+').filter(|_| !text.is_empty()).map(Hold::read).collect::<Option<_>>()?;
        let ops: BTreeSet<QueuedOp> = holds.iter().map(|hold| hold.op).collect();
        (ops.len() == holds.len()).then(|| Replay::new(holds))
    }
}

impl Hold {
    /// Returns the operations to hold back for an order of operations, each with the call in which it is done.
    pub(crate) fn of_order(order: impl Iterator<Item = (QueuedOp, Option<NthCall>)>) -> Vec<Hold> {
        let mut holds = Vec::new();
        // The operations of a call that are not held back are done first, in the order in which they were queued.
        let (mut present, mut last, mut is_holding) = (None, 0, false);
        for (op, done_in) in order {
            if present != done_in {
                (present, last, is_holding) = (done_in, 0, false);
            }
            if done_in == Some(op.call) && !is_holding && op.place > last {
                last = op.place;
            } else {
                is_holding = true;
                holds.push(Hold { op, until: done_in });
            }
        }
        holds
    }

    fn read(text: &str) -> Option<Hold> {
        let (op, until) = match text.split_once('@') {
            None => (text, None),
            Some((op, call)) => (op, Some(NthCall::read(call)?)),
        };
        Some(Hold { op: QueuedOp::read(op)?, until })
    }
}

impl QueuedOp {
    pub(crate) fn read(text: &str) -> Option<QueuedOp> {
        let (call, place) = match text.split_once('.') {
            None => (text, 1),
            Some((call, place)) => (call, decimal(place).filter(|place| *place > 0)?),
        };
        Some(QueuedOp { call: NthCall::read(call)?, place })
    }
}

impl NthCall {
    fn read(text: &str) -> Option<NthCall> {
        let (name, nth) = text.rsplit_once('-')?;
        let function = Symbol::from_name(name)?;
        let function = function.twin_of().unwrap_or(function);
        Some(NthCall { function, nth: decimal(nth).filter(|nth| *nth > 0)? })
    }
}

impl fmt::Display for NthCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.function, self.nth)
    }
}

impl fmt::Display for QueuedOp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.call.fmt(formatter)?;
        if self.place == 1 { Ok(()) } else { write!(formatter, ".{}", self.place) }
    }
}

impl fmt::Display for Hold {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.op.fmt(formatter)?;
        self.until.map_or(Ok(()), |until| write!(formatter, "@{until}"))
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, hold) in self.0.iter().enumerate() {
            formatter.write_str(if number == 0 { "" } else { "+" })?;
            hold.fmt(formatter)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Replay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Replay({self})")
    }
}

impl Schedule {
    pub(super) const ALLOWED: &str = "eager, lazy, random with a seed such as random:7, or replay with operations that are held \
                                      back, such as replay:cuMemcpyHtoDAsync_v2-1@cuLaunchKernel-1, is allowed";

    pub(super) fn read(text: &str) -> Option<Schedule> {
        Some(match text.split_once(':') {
            None if text == "eager" => Schedule::Eager,
            None if text == "lazy" => Schedule::Lazy,
            Some(("random", seed)) => Schedule::Random(decimal(seed)?),
            Some(("replay", holds)) => Schedule::Replay(Replay::read(holds)?),
            _ => return None,
        })
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedule::Eager => formatter.write_str("eager"),
            Schedule::Lazy => formatter.write_str("lazy"),
            Schedule::Random(seed) => write!(formatter, "random:{seed}"),
            Schedule::Replay(replay) => write!(formatter, "replay:{replay}"),
        }
    }
}

impl FromStr for Schedule {
    type Err = ConfigError;

    /// Reads the value of an entry `schedule` of [`Config::from_text`](crate::Config::from_text).
    fn from_str(text: &str) -> Result<Schedule, ConfigError> {
        let refused = || ConfigError::new(format!("schedule={text}"), Schedule::ALLOWED.to_owned());
        Schedule::read(text).ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests {
    use crate::Schedule;

    #[test]
    fn schedules_come_back_from_their_text() {
        for text in [
            "eager",
            "lazy",
            "random:18446744073709551615",
            "replay:",
            "replay:cuLaunchKernel-2",
            "replay:cuGraphLaunch-1.3@cuCtxGetCurrent-4+cuMemsetD8Async-1",
        ] {
            let read = text.parse::<Schedule>();
            assert_eq!(read.as_ref().map(Schedule::to_string), Ok(text.to_owned()));
            assert_eq!(read, text.parse::<Schedule>());
        }
        assert_eq!("replay:cuMemcpyAsync_ptsz-1".parse::<Schedule>(), "replay:cuMemcpyAsync-1".parse());
        for text in [
            "",
            "random:",
            "replay",
            "replay:+",
            "replay:cuLaunchKernel",
            "replay:cuLaunchKernel-0",
            "replay:cuLaunchKernel-1.0",
            "replay:cuLaunchKernel-1@",
            "replay:cuNothing-1",
            "replay:cuLaunchKernel-1+cuLaunchKernel-1@cuInit-1",
        ] {
            let error = text.parse::<Schedule>().map_err(|error| error.to_string());
            assert!(error.is_err_and(|error| error.starts_with(&format!("schedule={text}: "))), "{text}");
        }
    }
}
