//! Injected failures, recorded calls, launch counts and live handles of a machine.

#[cfg(doc)]
use crate::config::Config;
use crate::counts::{Counting, LaunchCounts};
use crate::driver::machine::Machine;
use crate::faults::{CallRecord, FaultRule, Faults, KernelFault};
use crate::live::LiveHandles;
use crate::reports::{LiveObject, Report, Reports};
use cuda_sys::CUresult;

impl Machine {
    /// Adds a rule that makes calls on this machine fail. [`FaultRule`] has an example.
    pub fn inject(&self, rule: FaultRule) {
        self.with_faults(|faults| faults.add_rule(rule));
    }

    /// Adds a fault to kernels on this machine. [`KernelFault`] has an example.
    pub fn inject_kernel_fault(&self, fault: KernelFault) {
        self.with_faults(|faults| faults.add_kernel_fault(fault));
    }

    /// Removes all rules and all faults of kernels, including those of the [configuration](Config::faults).
    ///
    /// A [reset](Machine::reset) restores those of the configuration. A launch that has begun with a fault keeps it.
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

    /// Describes the rules for driver calls that no call has met yet, and the faults that no launch of their kernel has had
    /// yet.
    ///
    /// The format is that of a [configuration](Config::from_text). `skip` is the number of calls or launches that are
    /// still exempt. If the list is not empty after the test, a failure was not tested. For example, the program calls
    /// another version of the function, or the context of the rule was not current.
    ///
    /// A call that fails by itself counts as one that has met its rule. A launch that does not reach the place of its fault
    /// counts as one that had the fault.
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
    /// machine.inject(FaultRule::new(Symbol::cuInit, CUresult::CUDA_ERROR_SYSTEM_NOT_READY).skip(3));
    /// // SAFETY: no flags, as the API demands.
    /// assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
    /// assert_eq!(machine.unused_faults(), ["cuInit:CUDA_ERROR_SYSTEM_NOT_READY:skip-2"]);
    /// # drop(entered);
    /// ```
    #[must_use]
    pub fn unused_faults(&self) -> Vec<String> {
        self.with_faults(|faults| faults.unused())
    }

    /// Starts a new record of calls. [`take_calls`](Machine::take_calls) has an example.
    pub fn record_calls(&self) {
        self.with_faults(Faults::begin_record);
    }

    /// Takes the record of the calls since the last call of this function, or since [`record_calls`](Machine::record_calls).
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
    /// let calls = machine.take_calls();
    /// assert_eq!((calls[0].function, calls[0].code), (Symbol::cuInit, CUresult::CUDA_ERROR_INVALID_VALUE));
    /// assert!(machine.take_calls().is_empty());
    /// # drop(entered);
    /// ```
    #[must_use]
    pub fn take_calls(&self) -> Vec<CallRecord> {
        self.with_faults(Faults::take_record)
    }

    /// Starts counting the instructions of kernels. Earlier counts are discarded, and launches that have begun are not
    /// counted.
    ///
    /// Counting slows kernels down by a factor of 5 to 13. The factor was measured with four kernels on one host thread, and is
    /// largest for short loops. [`LaunchCounts`] has an example.
    pub fn count_instructions(&self) {
        self.with_counting(Counting::begin);
    }

    /// Takes the counts of launches that have ended since the last call of this function. The first call returns all since
    /// [`count_instructions`](Machine::count_instructions). The result is empty if counting has not been started.
    #[must_use]
    pub fn take_launch_counts(&self) -> LaunchCounts {
        self.with_counting(Counting::take)
    }

    /// Takes the [reports](Report) since the last call of this function. At most 10,000 are kept.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, Machine};
    ///
    /// let machine = Machine::new(Config { memcheck: true, ..Config::default() });
    /// let entered = machine.enter();
    /// // The program under test.
    /// assert!(machine.take_reports().is_empty());
    /// # drop(entered);
    /// ```
    #[must_use]
    pub fn take_reports(&self) -> Vec<Report> {
        self.with_reports(Reports::take)
    }

    /// Returns the failure of queued work that no call has returned yet.
    ///
    /// If there is one at the end of a program, the program has not checked the outcome of its work. At the end of the
    /// process, [`Config::report_leaks`] reports it.
    #[must_use]
    pub fn unseen_failure(&self) -> Option<CUresult> {
        self.failure_unseen()
    }

    /// Returns how many objects of each kind the program has created on this machine and not destroyed.
    ///
    /// Objects end with their context. Memory that is queued to be freed counts as freed. [`LiveHandles`] has an example.
    #[must_use]
    pub fn live(&self) -> LiveHandles {
        self.live_handles()
    }

    /// Lists the objects that the program has created on this machine and not destroyed, with the calls that created them.
    ///
    /// Some objects are not listed: texture and surface objects, retains, reserved addresses, logical endpoints and
    /// their numbers, enabled peers, access to pools, and programs of NVRTC. [`live`](Machine::live) counts them.
    /// [`LiveObject`] has an example.
    #[must_use]
    pub fn live_objects(&self) -> Vec<LiveObject> {
        self.listed_objects()
    }
}
