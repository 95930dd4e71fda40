//! What a test orders of a machine and reads from it: failures, recorded calls, counted launches, live handles.

#[cfg(doc)]
use crate::config::Config;
use crate::counts::{Counting, LaunchCounts};
use crate::driver::machine::Machine;
use crate::faults::{CallRecord, FaultRule, Faults, KernelFault};
use crate::live::LiveHandles;

impl Machine {
    /// Has calls fail from now on. Rules add up; they belong to this machine alone.
    ///
    /// # Examples
    ///
    /// See [`FaultRule`].
    pub fn inject(&self, rule: FaultRule) {
        self.with_faults(|faults| faults.add_rule(rule));
    }

    /// Has kernels fault from now on. Faults add up; they belong to this machine alone.
    ///
    /// # Examples
    ///
    /// See [`KernelFault`].
    pub fn inject_kernel_fault(&self, fault: KernelFault) {
        self.with_faults(|faults| faults.add_kernel_fault(fault));
    }

    /// Takes all rules back, and all faults of kernels: those that were [injected](Machine::inject) and those of the
    /// [configuration](Config::faults), which a [reset](Machine::reset) brings back. A launch that has begun with a fault
    /// keeps it.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, FaultRule, Machine};
    /// use cuda_sys::{CUresult, Symbol, cuInit};
    ///
    /// cuda_sim::install_once().unwrap();
    /// let machine = Machine::new(Config::default());
    /// let entered = machine.enter();
    /// machine.inject(FaultRule::new(Symbol::cuInit, CUresult::CUDA_ERROR_SYSTEM_NOT_READY));
    /// // SAFETY: no flags, as the API demands.
    /// let init = || unsafe { cuInit(0) };
    /// assert_eq!(init(), CUresult::CUDA_ERROR_SYSTEM_NOT_READY);
    /// machine.clear_faults();
    /// assert_eq!(init(), CUresult::CUDA_SUCCESS);
    /// # drop(entered);
    /// ```
    pub fn clear_faults(&self) {
        self.with_faults(Faults::clear);
    }

    /// Records calls from now on, in place of what was recorded before.
    ///
    /// # Examples
    ///
    /// See [`calls`](Machine::calls).
    pub fn record_calls(&self) {
        self.with_faults(Faults::begin_record);
    }

    /// The calls since [`record_calls`](Machine::record_calls), or since this was called last.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, Machine};
    /// use cuda_sys::{CUresult, Symbol, cuInit};
    ///
    /// cuda_sim::install_once().unwrap();
    /// let machine = Machine::new(Config::default());
    /// let entered = machine.enter();
    /// machine.record_calls();
    /// // SAFETY: there is no such flag, which the function finds out.
    /// unsafe { cuInit(1) };
    /// let calls = machine.calls();
    /// assert_eq!((calls[0].function, calls[0].code), (Symbol::cuInit, CUresult::CUDA_ERROR_INVALID_VALUE));
    /// assert!(machine.calls().is_empty());
    /// # drop(entered);
    /// ```
    #[must_use]
    pub fn calls(&self) -> Vec<CallRecord> {
        self.with_faults(Faults::take_record)
    }

    /// Counts what kernels execute from now on, in place of what was counted before. Launches that have begun already are
    /// not counted, and those that are take longer: 5 to 13 times as long (measured with four kernels and one thread of the
    /// host, the most in loops that do little else).
    ///
    /// # Examples
    ///
    /// See [`LaunchCounts`].
    pub fn count_instructions(&self) {
        self.with_counting(Counting::begin);
    }

    /// What kernels have executed since [`count_instructions`](Machine::count_instructions), or since this was called last,
    /// of launches that have ended. Nothing, if nothing is counted.
    ///
    /// # Examples
    ///
    /// See [`LaunchCounts`].
    #[must_use]
    pub fn launch_counts(&self) -> LaunchCounts {
        self.with_counting(Counting::take)
    }

    /// How much of each kind the program has made on this machine, and not given back. What was made in a context is gone
    /// with it, and what is queued to be freed counts as freed.
    ///
    /// # Examples
    ///
    /// See [`LiveHandles`].
    #[must_use]
    pub fn live(&self) -> LiveHandles {
        self.live_handles()
    }
}
