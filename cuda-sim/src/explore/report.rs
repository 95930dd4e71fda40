//! The findings of an exploration.

use crate::config::Schedule;
use core::fmt;

/// Findings of an [`Exploration`](super::Exploration).
///
/// Its text has the failure, the order of the work in words, and values of the environment variable `CUDA_SIM`. With
/// each value, a plain run of the scenario fails, too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Number of orders that were tried. Runs that shorten a failing order do not count.
    pub runs: usize,
    /// Number of operations that the scenario queues. Operations that the driver does at once, such as frees, do not
    /// count. 0 if the scenario fails in the normal order.
    pub operations: usize,
    /// First order under which the scenario failed.
    pub failure: Option<Failure>,
}

/// Failure of a scenario under one order of the queued work.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// Error that the scenario returned, the message of its panic, or the first report of the machine. If a shorter order
    /// was found, it is that of the run under the shorter order.
    pub finding: String,
    /// Schedule under which the failure was found.
    pub found_under: Schedule,
    /// Shortest [order](crate::Replay) that was found to fail. `None` if the scenario fails in the normal order, or if
    /// no order of whole operations fails: under [`found_under`](Failure::found_under), kernels may run piece by piece.
    pub shortest: Option<Schedule>,
    /// Differences between the shortest order and the normal one, in words.
    pub reorderings: Vec<String>,
}

impl Report {
    /// Returns whether the scenario succeeded under every order that was tried.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(cuda_sim::explore::Report::default().is_ok());
    /// ```
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.failure.is_none()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { runs, operations, failure } = self;
        let number =
            |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let (runs, operations) = (number(*runs, "run"), number(*operations, "queued operation"));
        write!(formatter, "{runs} of a scenario of {operations}")?;
        match failure {
            None => formatter.write_str(", none failed"),
            Some(failure) => write!(formatter, ", the last failed\n{failure}"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { finding, found_under, shortest, reorderings } = self;
        formatter.write_str(finding)?;
        for reordering in reorderings {
            write!(formatter, "\n  {reordering}")?;
        }
        if let Some(shortest) = shortest {
            write!(formatter, "\n  CUDA_SIM=schedule={shortest}")?;
        }
        if shortest.is_none() || !matches!(found_under, Schedule::Replay(_)) {
            write!(formatter, "\n  CUDA_SIM=schedule={found_under}")?;
        }
        Ok(())
    }
}
