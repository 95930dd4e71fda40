//! Failures to order, and a record of calls.
//!
//! `Faults::meet` decides whether a call fails, and with which code. `driver/machine/call_path.rs` makes the call fail. A new kind of
//! fault needs a field of [`FaultRule`] and of `Injected`, its effect in `call_path.rs`, and its words in `text.rs`. Faults inside
//! kernels are in `kernel_fault.rs`, and are carried out by the engine.

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

/// What is current in a thread when a call begins.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Current {
    /// The number of the context's handle.
    pub(crate) context: Option<usize>,
    /// Its device, if it lives.
    pub(crate) device: Option<CUdevice>,
}

/// The rules and the records of a machine.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    rules: Vec<FaultRule>,
    kernels: Vec<KernelFault>,
    record: Option<Vec<CallRecord>>,
    log: Option<CallLog>,
    /// Whether calls have to be looked at at all, which every call asks.
    is_watching: bool,
    /// The code of a rule that has ended the use of the machine.
    ended: Option<CUresult>,
    #[cfg(feature = "nvrtc")]
    pub(crate) nvrtc: crate::nvrtc_state::NvrtcFaults,
}

/// What the rules say of one call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Injected {
    pub(crate) code: CUresult,
    /// Whether the call does its work before.
    pub(crate) after: bool,
    /// Whether it ends the use of the machine.
    pub(crate) sticky: bool,
}

impl Faults {
    /// Creates the faults that a machine starts with.
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

    /// Takes the recorded calls. Recording goes on, if it has begun.
    pub(crate) fn take_record(&mut self) -> Vec<CallRecord> {
        self.record.as_mut().map(core::mem::take).unwrap_or_default()
    }

    fn update_watching(&mut self) {
        self.is_watching = !self.rules.is_empty() || self.record.is_some() || self.log.is_some();
    }

    /// Whether there are rules, or a record of any kind.
    #[inline]
    pub(crate) fn is_watching(&self) -> bool {
        self.is_watching
    }

    /// Applies the rules to a call. The first one that makes it fail counts; all of them count the call.
    pub(crate) fn meet(&mut self, function: Symbol, current: Current) -> Option<Injected> {
        let thread = crate::thread::number();
        let mut injected = None;
        for rule in self.rules.iter_mut().filter(|rule| rule.is_about(function, current, thread)) {
            if rule.skip > 0 {
                rule.skip -= 1;
            } else if rule.times > 0 && injected.is_none() {
                rule.times -= 1;
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
                injected = Some(fault.injected());
            }
        }
        if injected.is_some() {
            self.kernels.retain(|fault| fault.times > 0);
        }
        injected
    }

    /// Notes that a rule ends the use of the machine.
    pub(crate) fn end(&mut self, code: CUresult) {
        self.ended = Some(code);
    }

    /// Whether later calls answer this because of a rule, whatever functions answer otherwise.
    pub(crate) fn has_ended_with(&self, code: CUresult) -> bool {
        self.ended == Some(code)
    }

    /// The file that calls are written to is kept when everything else is made anew.
    pub(crate) fn take_log(&mut self) -> Option<CallLog> {
        let log = self.log.take();
        self.update_watching();
        log
    }

    pub(crate) fn set_log(&mut self, log: Option<CallLog>) {
        self.log = log;
        self.update_watching();
    }

    /// Records a call. `done` names the queued work that was done in the call, for a line of the log.
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
