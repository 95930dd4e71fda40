//! The findings of a sweep.

use super::Case;
use core::fmt;

/// Findings of a [`Sweep`](super::Sweep).
///
/// Its text lists the failures. Each failure has its case, for [`run_case`](super::Sweep::run_case). If a driver call
/// failed, the failure also has the value of the environment variable `CUDA_SIM` that makes the same call fail in a
/// plain run of the scenario.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Number of driver calls of the scenario without a fault.
    pub calls: usize,
    /// Number of NVRTC calls of the scenario without a fault. 0 without the feature `nvrtc`.
    pub nvrtc_calls: usize,
    /// Number of runs with a fault. If the fault did not happen, the run counts as failed.
    pub runs: usize,
    /// Runs that failed.
    pub failures: Vec<Failure>,
}

/// Run that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// Call that was made to fail, and how it failed; `None` for the run without a fault.
    pub case: Option<Case>,
    /// Entry of a [configuration](crate::Config::from_text) that makes the same call fail in any run of the scenario.
    /// It names the function, and the number of calls of the function that succeed first. `None` for a call of NVRTC,
    /// and for the run without a fault.
    ///
    /// It is valid for a machine on which the function was not called before the scenario.
    pub setting: Option<String>,
    /// All findings of the run, and of the run without a fault after it.
    pub findings: Vec<String>,
}

impl Report {
    /// Returns whether no run failed.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(cuda_sim::sweep::Report::default().is_ok());
    /// ```
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.failures.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { calls, nvrtc_calls, runs, failures } = self;
        write!(formatter, "{runs} runs of a scenario of {calls} calls")?;
        if *nvrtc_calls > 0 {
            write!(formatter, " and {nvrtc_calls} of NVRTC")?;
        }
        write!(formatter, ", {} went wrong", failures.len())?;
        for failure in failures {
            write!(formatter, "\n{failure}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.case {
            Some(case) => case.fmt(formatter)?,
            None => formatter.write_str("without a fault")?,
        }
        write!(formatter, ": {}", self.findings.join("; "))?;
        self.setting.as_ref().map_or(Ok(()), |setting| write!(formatter, "\n  CUDA_SIM={setting}"))
    }
}
