//! Injected failures of NVRTC, and a record of its calls.

use cuda_sys::nvrtc::{Symbol, nvrtcResult};
use std::thread::ThreadId;

/// Call of NVRTC, as [recorded](crate::Machine::nvrtc_calls) by a machine.
///
/// # Examples
///
/// ```
/// use cuda_sim::{Config, Machine};
/// use cuda_sys::nvrtc::{Symbol, nvrtcGetPTXSize, nvrtcResult};
///
/// cuda_sim::nvrtc::install_once()?;
/// let machine = Machine::new(Config::default());
/// let entered = machine.enter();
/// machine.record_calls();
/// let mut size = 0;
/// // SAFETY: `size` is valid for a write; the stand-in refuses invalid programs.
/// unsafe { nvrtcGetPTXSize(std::ptr::null_mut(), &mut size) };
/// let calls = machine.nvrtc_calls();
/// assert_eq!(calls[0].function, Symbol::nvrtcGetPTXSize);
/// assert_eq!(calls[0].code, nvrtcResult::NVRTC_ERROR_INVALID_PROGRAM);
/// # drop(entered);
/// # Ok::<(), cuda_sys::nvrtc::AlreadyInstalled>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NvrtcCall {
    /// Function that was called.
    pub function: Symbol,
    /// Code that it returned.
    pub code: nvrtcResult,
    /// Thread that called.
    pub thread: ThreadId,
}

/// Rule for failing calls of NVRTC, for [`Machine::inject_nvrtc`](crate::Machine::inject_nvrtc).
///
/// # Examples
///
/// ```
/// use cuda_sim::nvrtc::{NvrtcFault, install_once};
/// use cuda_sim::{Config, Machine};
/// use cuda_sys::nvrtc::{nvrtcResult, nvrtcVersion};
///
/// install_once()?;
/// let machine = Machine::new(Config::default());
/// let entered = machine.enter();
/// let code = nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR;
/// machine.inject_nvrtc(NvrtcFault::any(code).skip(1).times(1));
/// let (mut major, mut minor) = (0, 0);
/// // SAFETY: both are valid for a write.
/// let mut ask = || unsafe { nvrtcVersion(&mut major, &mut minor) };
/// assert_eq!([ask(), ask(), ask()], [nvrtcResult::NVRTC_SUCCESS, code, nvrtcResult::NVRTC_SUCCESS]);
/// # drop(entered);
/// # Ok::<(), cuda_sys::nvrtc::AlreadyInstalled>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NvrtcFault {
    /// Function; `None` for all.
    function: Option<Symbol>,
    code: nvrtcResult,
    skip: u32,
    times: u32,
    after: bool,
}

impl NvrtcFault {
    /// Makes every call of `function` return `code` without any other effect. A rule with `NVRTC_SUCCESS` has no
    /// effect.
    #[must_use]
    pub fn new(function: Symbol, code: nvrtcResult) -> NvrtcFault {
        NvrtcFault { function: Some(function), ..NvrtcFault::any(code) }
    }

    /// Makes every call of every function return `code`. With [`skip`](NvrtcFault::skip) and
    /// [`times`](NvrtcFault::times), the n-th call fails.
    #[must_use]
    pub fn any(code: nvrtcResult) -> NvrtcFault {
        NvrtcFault { function: None, code, skip: 0, times: u32::MAX, after: false }
    }

    /// Exempts the first `calls` calls.
    #[must_use]
    pub fn skip(self, calls: u32) -> NvrtcFault {
        NvrtcFault { skip: calls, ..self }
    }

    /// Limits the failures to `calls` calls.
    #[must_use]
    pub fn times(self, calls: u32) -> NvrtcFault {
        NvrtcFault { times: calls, ..self }
    }

    /// Makes calls do their work before they return the code. Calls that fail by themselves return their own code.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::nvrtc::{NvrtcFault, install_once};
    /// use cuda_sim::{Config, Machine};
    /// use cuda_sys::nvrtc::{nvrtcResult, nvrtcVersion};
    ///
    /// install_once()?;
    /// let machine = Machine::new(Config::default());
    /// let entered = machine.enter();
    /// let code = nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR;
    /// machine.inject_nvrtc(NvrtcFault::any(code).after_work());
    /// let (mut major, mut minor) = (0, 0);
    /// // SAFETY: both are valid for a write.
    /// assert_eq!(unsafe { nvrtcVersion(&mut major, &mut minor) }, code);
    /// assert_eq!((major, minor), (13, 0));
    /// # drop(entered);
    /// # Ok::<(), cuda_sys::nvrtc::AlreadyInstalled>(())
    /// ```
    #[must_use]
    pub fn after_work(self) -> NvrtcFault {
        NvrtcFault { after: true, ..self }
    }
}

/// Faults and record of a machine.
#[derive(Debug, Default)]
pub(crate) struct NvrtcFaults {
    faults: Vec<NvrtcFault>,
    record: Option<Vec<NvrtcCall>>,
}

impl NvrtcFaults {
    pub(crate) fn inject(&mut self, fault: NvrtcFault) {
        self.faults.push(fault);
    }

    pub(crate) fn clear(&mut self) {
        self.faults.clear();
    }

    pub(crate) fn begin_record(&mut self) {
        self.record = Some(Vec::new());
    }

    pub(crate) fn take_record(&mut self) -> Vec<NvrtcCall> {
        self.record.as_mut().map(core::mem::take).unwrap_or_default()
    }

    pub(crate) fn record(&mut self, function: Symbol, code: nvrtcResult) {
        if let (Some(record), Some(thread)) = (&mut self.record, crate::thread::id()) {
            record.push(NvrtcCall { function, code, thread });
        }
    }

    /// Applies the faults to a call. Returns its failure, and whether the call does its work before. All faults count
    /// the call. The first one that makes it fail determines the failure.
    pub(crate) fn meet(&mut self, function: Symbol) -> Option<(nvrtcResult, bool)> {
        let mut injected = None;
        let is_about = |fault: &&mut NvrtcFault| {
            !fault.code.is_success() && fault.function.is_none_or(|wanted| wanted == function)
        };
        for fault in self.faults.iter_mut().filter(is_about) {
            if fault.skip > 0 {
                fault.skip -= 1;
            } else if fault.times > 0 && injected.is_none() {
                fault.times -= 1;
                injected = Some((fault.code, fault.after));
            }
        }
        injected
    }
}
