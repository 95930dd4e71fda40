//! Injected failures, and a record of calls.
//!
//! `Faults::meet` decides whether a call fails, and with which code. `driver/machine/call_path.rs` makes the call fail.
//! A new kind of fault needs a field of [`FaultRule`] and of `Injected`, its effect in `call_path.rs`, and its text in
//! `text.rs`. Faults inside kernels are in `kernel_fault.rs`, and the engine executes them.

mod kernel_fault;
mod record;
mod rule;
mod text;

pub use kernel_fault::KernelFault;
pub(crate) use record::CallLog;
pub use record::CallRecord;
pub use rule::FaultRule;

use cuda_sim_engine::InjectedFault;
use cuda_sys::{CUdevice, CUresult, Symbol};

/// Context of a thread at the beginning of a call.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Current {
    /// Number of the context's handle.
    pub(crate) context: Option<usize>,
    /// Device of the context, if it is alive.
    pub(crate) device: Option<CUdevice>,
}

/// Rules and records of a machine.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    rules: Vec<FaultRule>,
    kernels: Vec<KernelFault>,
    record: Option<Vec<CallRecord>>,
    log: Option<CallLog>,
    /// True if calls must be checked. Every call reads this.
    is_watching: bool,
    /// Code of a sticky rule that has been applied.
    ended: Option<CUresult>,
    #[cfg(feature = "nvrtc")]
    pub(crate) nvrtc: crate::nvrtc_state::NvrtcFaults,
}

/// Effect of the rules on one call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Injected {
    pub(crate) code: CUresult,
    /// True if the call does its work before.
    pub(crate) after: bool,
    /// True if the failure is sticky.
    pub(crate) sticky: bool,
}

impl Faults {
    /// Creates the initial faults of a machine.
    pub(crate) fn new(rules: Vec<FaultRule>, kernels: Vec<KernelFault>) -> Faults {
        let mut faults = Faults { rules, kernels, ..Faults::default() };
        faults.update_watching();
        faults
    }

    pub(crate) fn add_rule(&mut self, rule: FaultRule) {
        self.rules.push(rule);
        self.update_watching();
    }

    pub(crate) fn add_kernel_fault(&mut self, fault: KernelFault) {
        self.kernels.push(fault);
    }

    /// Removes all rules and faults.
    pub(crate) fn clear(&mut self) {
        self.rules.clear();
        self.kernels.clear();
        #[cfg(feature = "nvrtc")]
        self.nvrtc.clear();
        self.update_watching();
    }

    /// Starts a new record of calls.
    pub(crate) fn begin_record(&mut self) {
        self.record = Some(Vec::new());
        #[cfg(feature = "nvrtc")]
        self.nvrtc.begin_record();
        self.update_watching();
    }

    /// Takes the recorded calls. If recording has begun, it continues.
    pub(crate) fn take_record(&mut self) -> Vec<CallRecord> {
        self.record.as_mut().map(core::mem::take).unwrap_or_default()
    }

    fn update_watching(&mut self) {
        self.is_watching = !self.rules.is_empty() || self.record.is_some() || self.log.is_some();
    }

    /// Returns whether there are rules, or a record of any kind.
    #[inline]
    pub(crate) fn is_watching(&self) -> bool {
        self.is_watching
    }

    /// Applies the rules to a call. All of them count the call. The first one that makes it fail determines the
    /// failure.
    pub(crate) fn meet(&mut self, function: Symbol, current: Current) -> Option<Injected> {
        let thread = crate::thread::number();
        let mut injected = None;
        for rule in self.rules.iter_mut().filter(|rule| rule.is_about(function, current, thread)) {
            if rule.skip > 0 {
                rule.skip -= 1;
            } else if rule.times > 0 && injected.is_none() {
                rule.times -= 1;
                rule.is_used = true;
                injected = Some(Injected { code: rule.code, after: rule.after, sticky: rule.sticky });
            }
        }
        self.rules.retain(|rule| rule.times > 0);
        self.update_watching();
        injected
    }

    /// Applies the faults of kernels to a launch, as [`meet`](Faults::meet) applies the rules to a call.
    pub(crate) fn meet_launch(&mut self, kernel: &str) -> Option<InjectedFault> {
        let mut injected = None;
        for fault in self.kernels.iter_mut().filter(|fault| fault.kernel == kernel) {
            if fault.skip > 0 {
                fault.skip -= 1;
            } else if fault.times > 0 && injected.is_none() {
                fault.times -= 1;
                fault.is_used = true;
                injected = Some(fault.injected());
            }
        }
        if injected.is_some() {
            self.kernels.retain(|fault| fault.times > 0);
        }
        injected
    }

    /// Describes the rules that have made no call fail, and the faults that no launch had.
    pub(crate) fn unused(&self) -> Vec<String> {
        let rules = self.rules.iter().filter(|rule| !rule.is_used).map(FaultRule::words);
        let kernels = self.kernels.iter().filter(|fault| !fault.is_used).map(KernelFault::words);
        rules.chain(kernels).collect()
    }

    /// Records that a sticky rule was applied.
    pub(crate) fn end(&mut self, code: CUresult) {
        self.ended = Some(code);
    }

    /// Returns whether later calls return this code because of a rule, regardless of the codes of the function.
    pub(crate) fn has_ended_with(&self, code: CUresult) -> bool {
        self.ended == Some(code)
    }

    /// Takes the log, which survives a reset of everything else.
    pub(crate) fn take_log(&mut self) -> Option<CallLog> {
        let log = self.log.take();
        self.update_watching();
        log
    }

    pub(crate) fn set_log(&mut self, log: Option<CallLog>) {
        self.log = log;
        self.update_watching();
    }

    /// Records a call. `done` lists the queued work that was done in the call, for a line of the log.
    pub(crate) fn record(
        &mut self,
        function: Symbol,
        answer: Result<(), CUresult>,
        current: Current,
        done: impl FnOnce() -> String,
    ) {
        let Current { context, device } = current;
        let code = answer.err().unwrap_or(CUresult::CUDA_SUCCESS);
        let Some(thread) = crate::thread::id() else { return };
        let call = CallRecord { function, code, thread, context, device };
        if let Some(log) = &mut self.log {
            log.write(&call, &done());
        }
        if let Some(record) = &mut self.record {
            record.push(call);
        }
    }
}
