//! The findings of a sweep.

use super::Case;
use core::fmt;

/// The findings of a [`Sweep`](super::Sweep).
///
/// Its text lists the failures. Each has its case, for [`run_case`](super::Sweep::run_case), and the value of the environment
/// variable `CUDA_SIM` that lets the same call fail in a plain run of the scenario.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Number of calls of the driver that the scenario makes if none fails.
    pub calls: usize,
    /// Number of calls of NVRTC that the scenario makes if none fails. 0 without the feature `nvrtc`.
    pub nvrtc_calls: usize,
    /// Number of runs in which a call was to fail. If it did not, the run is one that went wrong.
    pub runs: usize,
    /// Runs that went wrong.
    pub failures: Vec<Failure>,
}

/// A run that went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The call that failed; `None` for a run in which none was to.
    pub case: Option<Case>,
    /// The entry of a [configuration](crate::Config::from_text) that lets the same call fail wherever the scenario runs: the
    /// function, and how many of its calls go well before. `None` for a call of NVRTC, and for a run in which no call was to fail.
    ///
    /// It holds for a machine on which nothing else has called the function before the scenario.
    pub setting: Option<String>,
    /// Everything that was wrong with it.
    pub findings: Vec<String>,
}

impl Report {
    /// Returns whether no run went wrong.
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
