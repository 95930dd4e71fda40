//! Failures to order, and a record of calls.

use crate::driver::Machine;
use cuda_sys::{CUresult, Symbol};

/// A failure to order: which calls fail, and how. Given to [`Machine::inject`].
///
/// # Examples
///
/// The second allocation fails, as if memory had run out:
///
/// ```
/// use cuda_sim::{Config, FaultRule, Machine};
/// use cuda_sys::{CUresult, Symbol, cuCtxCreate_v2, cuInit, cuMemAlloc_v2};
///
/// cuda_sim::install_once();
/// let machine = Machine::new(Config::default());
/// let entered = machine.enter();
/// machine.inject(FaultRule::new(Symbol::cuMemAlloc_v2, CUresult::CUDA_ERROR_OUT_OF_MEMORY).skip(1).times(1));
///
/// let (mut context, mut address) = (std::ptr::null_mut(), 0);
/// // SAFETY: no flags, as the API demands.
/// assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
/// // SAFETY: `context` is valid for a write.
/// assert_eq!(unsafe { cuCtxCreate_v2(&mut context, 0, 0) }, CUresult::CUDA_SUCCESS);
/// let mut allocate = || {
///     // SAFETY: `address` is valid for a write.
///     unsafe { cuMemAlloc_v2(&mut address, 4) }
/// };
/// assert_eq!(allocate(), CUresult::CUDA_SUCCESS);
/// assert_eq!(allocate(), CUresult::CUDA_ERROR_OUT_OF_MEMORY);
/// assert_eq!(allocate(), CUresult::CUDA_SUCCESS);
/// # drop(entered);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultRule {
    function: Symbol,
    code: CUresult,
    skip: u32,
    times: u32,
    after: bool,
    thread: Option<std::thread::ThreadId>,
}

impl FaultRule {
    /// Every call of `function` fails with `code`, before anything is looked at, and does nothing else.
    ///
    /// `CUDA_SUCCESS` is no failure: a rule with it has no effect, since callers count on what succeeds being done.
    /// A function's per-thread twin counts as the function.
    #[must_use]
    pub fn new(function: Symbol, code: CUresult) -> FaultRule {
        let function = function.twin_of().unwrap_or(function);
        FaultRule { function, code, skip: 0, times: u32::MAX, after: false, thread: None }
    }

    /// The first `calls` calls go well.
    #[must_use]
    pub fn skip(self, calls: u32) -> FaultRule {
        FaultRule { skip: calls, ..self }
    }

    /// No more than `calls` calls fail.
    #[must_use]
    pub fn times(self, calls: u32) -> FaultRule {
        FaultRule { times: calls, ..self }
    }

    /// Calls do their work, and return the code all the same, as for a failure of earlier work. Those that fail by
    /// themselves return their own code.
    #[must_use]
    pub fn after_the_work(self) -> FaultRule {
        FaultRule { after: true, ..self }
    }

    /// Only calls of the current thread count, and fail.
    #[must_use]
    pub fn on_this_thread(self) -> FaultRule {
        FaultRule { thread: Some(std::thread::current().id()), ..self }
    }
}

/// A call as it was seen, in the order in which calls returned. See [`Machine::calls`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRecord {
    /// The function.
    pub function: Symbol,
    /// What it answered.
    pub code: CUresult,
    /// The thread that called it.
    pub thread: std::thread::ThreadId,
}

/// The rules and the record of a machine.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    rules: Vec<FaultRule>,
    record: Option<Vec<CallRecord>>,
}

/// What the rules say of one call.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Injected {
    pub(crate) before: Option<CUresult>,
    pub(crate) after: Option<CUresult>,
}

impl Faults {
    /// Applies the rules to a call. The first one that makes it fail counts; all of them count the call.
    pub(crate) fn meet(&mut self, function: Symbol) -> Injected {
        let mut injected = Injected::default();
        if self.rules.is_empty() {
            return injected;
        }
        let thread = std::thread::current().id();
        for rule in &mut self.rules {
            // What is no failure must not keep a call from doing its work.
            if rule.code.is_success() {
                continue;
            }
            if rule.function != function || rule.thread.is_some_and(|wanted| wanted != thread) {
                continue;
            }
            if rule.skip > 0 {
                rule.skip -= 1;
            } else if rule.times > 0 && injected.before.or(injected.after).is_none() {
                rule.times -= 1;
                let place = if rule.after { &mut injected.after } else { &mut injected.before };
                *place = Some(rule.code);
            }
        }
        self.rules.retain(|rule| rule.times > 0);
        injected
    }

    pub(crate) fn record(&mut self, function: Symbol, answer: Result<(), CUresult>) {
        if let Some(record) = &mut self.record {
            let code = answer.err().unwrap_or(CUresult::CUDA_SUCCESS);
            record.push(CallRecord { function, code, thread: std::thread::current().id() });
        }
    }
}

impl Machine {
    /// Has calls fail from now on. Rules add up; they belong to this machine alone.
    ///
    /// # Examples
    ///
    /// See [`FaultRule`].
    pub fn inject(&self, rule: FaultRule) {
        self.with_faults(|faults| faults.rules.push(rule));
    }

    /// Takes all rules back that were [injected](Machine::inject).
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, FaultRule, Machine};
    /// use cuda_sys::{CUresult, Symbol, cuInit};
    ///
    /// cuda_sim::install_once();
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
        self.with_faults(|faults| faults.rules.clear());
    }

    /// Records calls from now on, in place of what was recorded before.
    ///
    /// # Examples
    ///
    /// See [`calls`](Machine::calls).
    pub fn record_calls(&self) {
        self.with_faults(|faults| faults.record = Some(Vec::new()));
    }

    /// The calls since [`record_calls`](Machine::record_calls), or since this was called last.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, Machine};
    /// use cuda_sys::{CUresult, Symbol, cuInit};
    ///
    /// cuda_sim::install_once();
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
        self.with_faults(|faults| faults.record.as_mut().map(core::mem::take)).unwrap_or_default()
    }
}
