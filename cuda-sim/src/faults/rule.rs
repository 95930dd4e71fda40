//! Failures of calls that a test injects.

use super::Current;
use cuda_sys::{CUcontext, CUdevice, CUresult, Symbol};

/// Rule for injected failures: the calls that fail, and the way in which they fail. Pass it to
/// [`Machine::inject`](crate::Machine::inject), or set it in [`Config::faults`](crate::Config::faults) for a machine
/// from its start.
///
/// # Examples
///
/// The second allocation fails, as if memory were exhausted:
///
/// ```
/// use cuda_sim::{Config, FaultRule, Machine};
/// use cuda_sys::{CUresult, Symbol, cuCtxCreate_v2, cuInit, cuMemAlloc_v2};
///
/// cuda_sim::install_once().unwrap();
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
    /// Function; `None` for all.
    pub(super) function: Option<Symbol>,
    pub(super) code: CUresult,
    pub(super) skip: u32,
    pub(super) times: u32,
    pub(super) after: bool,
    pub(super) sticky: bool,
    /// Number of the handle, because a pointer would prevent sending rules to other threads.
    pub(super) context: Option<usize>,
    pub(super) device: Option<CUdevice>,
    /// Number of the thread.
    pub(super) thread: Option<u64>,
    /// True if it has made a call fail.
    pub(super) is_used: bool,
}

impl FaultRule {
    /// Creates a rule: every call of `function` fails with `code`, before any check, and has no other effect.
    ///
    /// A rule with `CUDA_SUCCESS` has no effect, because callers rely on the effect of a successful call. A per-thread
    /// twin counts as its function. Other versions are separate functions.
    ///
    /// From some codes, programs conclude that queued work is no longer done. These are the codes of faults, such as
    /// `CUDA_ERROR_ILLEGAL_ADDRESS`, and `CUDA_ERROR_CONTEXT_IS_DESTROYED`, `CUDA_ERROR_DEINITIALIZED`,
    /// `CUDA_ERROR_EXTERNAL_DEVICE` and `CUDA_ERROR_MPS_CLIENT_TERMINATED`. If a call fails with one of these while a
    /// copy, a fill or a kernel is queued, the failure is always [sticky](FaultRule::sticky).
    #[must_use]
    pub fn new(function: Symbol, code: CUresult) -> FaultRule {
        FaultRule { function: Some(function.twin_of().unwrap_or(function)), ..FaultRule::any(code) }
    }

    /// Creates a rule: every call of every function fails with `code`. All calls count. With [`skip`](FaultRule::skip)
    /// and [`times`](FaultRule::times), the n-th call fails.
    ///
    /// Calls that do not reach the machine do not count. These are calls that a host function is not permitted to make,
    /// and calls of functions that the release lacks. Calls that a library makes for the program count. For example,
    /// `cuda_sys` queries the driver's release when it installs a driver.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, FaultRule, Machine};
    /// use cuda_sys::{CUresult, cuDeviceGetCount, cuInit};
    ///
    /// cuda_sim::install_once().unwrap();
    /// let machine = Machine::new(Config::default());
    /// let entered = machine.enter();
    /// machine.inject(FaultRule::any(CUresult::CUDA_ERROR_UNKNOWN).skip(1).times(1));
    ///
    /// let mut count = 0;
    /// // SAFETY: no flags, as the API demands.
    /// assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
    /// // SAFETY: `count` is valid for a write.
    /// assert_eq!(unsafe { cuDeviceGetCount(&mut count) }, CUresult::CUDA_ERROR_UNKNOWN);
    /// // SAFETY: as above.
    /// assert_eq!(unsafe { cuDeviceGetCount(&mut count) }, CUresult::CUDA_SUCCESS);
    /// # drop(entered);
    /// ```
    #[must_use]
    pub fn any(code: CUresult) -> FaultRule {
        FaultRule {
            function: None,
            code,
            skip: 0,
            times: u32::MAX,
            after: false,
            sticky: false,
            context: None,
            device: None,
            thread: None,
            is_used: false,
        }
    }

    /// Exempts the first `calls` calls.
    #[must_use]
    pub fn skip(self, calls: u32) -> FaultRule {
        FaultRule { skip: calls, ..self }
    }

    /// Limits the failures to `calls` calls.
    #[must_use]
    pub fn times(self, calls: u32) -> FaultRule {
        FaultRule { times: calls, ..self }
    }

    /// Makes calls do their work before they return the code, as for a failure of earlier work. Calls that fail by
    /// themselves return their own code.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, FaultRule, Machine};
    /// use cuda_sys::{CUresult, Symbol, cuDeviceGetCount, cuInit};
    ///
    /// cuda_sim::install_once().unwrap();
    /// let machine = Machine::new(Config::default());
    /// let entered = machine.enter();
    /// let code = CUresult::CUDA_ERROR_LAUNCH_FAILED;
    /// machine.inject(FaultRule::new(Symbol::cuDeviceGetCount, code).after_work());
    /// let mut count = 0;
    /// // SAFETY: no flags, as the API demands.
    /// assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
    /// // SAFETY: `count` is valid for a write.
    /// assert_eq!(unsafe { cuDeviceGetCount(&mut count) }, code);
    /// assert_eq!(count, 2);
    /// # drop(entered);
    /// ```
    #[must_use]
    pub fn after_work(self) -> FaultRule {
        FaultRule { after: true, ..self }
    }

    /// Makes the failure sticky, as after a fault of a kernel. Queued work is no longer done. Every later call that
    /// reports sticky failures returns the code, until the machine is [reset](crate::Machine::reset). A function that
    /// does not report them returns the code only once. If there was a sticky failure before, later calls continue to
    /// report that one.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, FaultRule, Machine};
    /// use cuda_sys::{CUresult, Symbol, cuCtxCreate_v2, cuCtxSynchronize, cuInit};
    ///
    /// cuda_sim::install_once().unwrap();
    /// let machine = Machine::new(Config::default());
    /// let entered = machine.enter();
    /// let mut context = std::ptr::null_mut();
    /// // SAFETY: no flags, as the API demands.
    /// assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
    /// // SAFETY: `context` is valid for a write.
    /// assert_eq!(unsafe { cuCtxCreate_v2(&mut context, 0, 0) }, CUresult::CUDA_SUCCESS);
    ///
    /// let code = CUresult::CUDA_ERROR_LAUNCH_FAILED;
    /// machine.inject(FaultRule::new(Symbol::cuCtxSynchronize, code).times(1).sticky());
    /// // SAFETY: it has no arguments.
    /// let synchronize = || unsafe { cuCtxSynchronize() };
    /// assert_eq!(synchronize(), code);
    /// assert_eq!(synchronize(), code, "though the rule is used up");
    /// # drop(entered);
    /// ```
    #[must_use]
    pub fn sticky(self) -> FaultRule {
        FaultRule { sticky: true, ..self }
    }

    /// Restricts the rule to calls that are made while `context` is current in the calling thread. The context is
    /// identified by its handle only, so it may be destroyed and still current. If handles [are
    /// reused](crate::HandleReuse::AtOnce), the handle may later name another context. A null handle means that no
    /// context is current.
    ///
    /// The context at the beginning of the call counts. A call that creates the context, or makes it current, is
    /// therefore not included.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, FaultRule, Machine};
    /// use cuda_sys::{CUresult, cuCtxCreate_v2, cuCtxSynchronize, cuInit};
    ///
    /// cuda_sim::install_once().unwrap();
    /// let machine = Machine::new(Config::default());
    /// let entered = machine.enter();
    /// let (mut first, mut second) = (std::ptr::null_mut(), std::ptr::null_mut());
    /// // SAFETY: no flags, as the API demands.
    /// assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
    /// // SAFETY: `first` is valid for a write.
    /// assert_eq!(unsafe { cuCtxCreate_v2(&mut first, 0, 0) }, CUresult::CUDA_SUCCESS);
    ///
    /// machine.inject(FaultRule::any(CUresult::CUDA_ERROR_UNKNOWN).in_context(first).skip(1));
    /// // SAFETY: `second` is valid for a write.
    /// assert_eq!(unsafe { cuCtxCreate_v2(&mut second, 0, 0) }, CUresult::CUDA_SUCCESS);
    /// // SAFETY: it has no arguments.
    /// assert_eq!(unsafe { cuCtxSynchronize() }, CUresult::CUDA_SUCCESS, "the second one is current");
    /// # drop(entered);
    /// ```
    #[must_use]
    pub fn in_context(self, context: CUcontext) -> FaultRule {
        FaultRule { context: Some(context.addr()), ..self }
    }

    /// Restricts the rule to calls that are made while a live context of `device` is current in the calling thread. The
    /// device in the arguments of the call does not matter.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, FaultRule, Machine};
    /// use cuda_sys::{CUresult, cuCtxCreate_v2, cuCtxSynchronize, cuInit};
    ///
    /// cuda_sim::install_once().unwrap();
    /// let machine = Machine::new(Config::default());
    /// let entered = machine.enter();
    /// machine.inject(FaultRule::any(CUresult::CUDA_ERROR_ECC_UNCORRECTABLE).on_device(1));
    /// let mut context = std::ptr::null_mut();
    /// // SAFETY: no flags, as the API demands.
    /// assert_eq!(unsafe { cuInit(0) }, CUresult::CUDA_SUCCESS);
    /// for (device, code) in [(0, CUresult::CUDA_SUCCESS), (1, CUresult::CUDA_ERROR_ECC_UNCORRECTABLE)] {
    ///     // SAFETY: `context` is valid for a write.
    ///     assert_eq!(unsafe { cuCtxCreate_v2(&mut context, 0, device) }, CUresult::CUDA_SUCCESS);
    ///     // SAFETY: it has no arguments.
    ///     assert_eq!(unsafe { cuCtxSynchronize() }, code);
    /// }
    /// # drop(entered);
    /// ```
    #[must_use]
    pub fn on_device(self, device: CUdevice) -> FaultRule {
        FaultRule { device: Some(device), ..self }
    }

    /// Restricts the rule to calls of the current thread.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::{Config, FaultRule, Machine};
    /// use cuda_sys::{CUresult, Symbol, cuInit};
    ///
    /// cuda_sim::install_once().unwrap();
    /// let machine = Machine::new(Config::default());
    /// machine.inject(FaultRule::new(Symbol::cuInit, CUresult::CUDA_ERROR_NO_DEVICE).on_this_thread());
    /// let init = |machine: &Machine| {
    ///     let _entered = machine.enter();
    ///     // SAFETY: no flags, as the API demands.
    ///     unsafe { cuInit(0) }
    /// };
    /// assert_eq!(init(&machine), CUresult::CUDA_ERROR_NO_DEVICE);
    /// let elsewhere = std::thread::scope(|scope| scope.spawn(|| init(&machine)).join());
    /// assert_eq!(elsewhere.unwrap(), CUresult::CUDA_SUCCESS);
    /// ```
    #[must_use]
    pub fn on_this_thread(self) -> FaultRule {
        FaultRule { thread: Some(crate::thread::number()), ..self }
    }

    /// Returns whether the rule applies to a call of this function by `thread` while `current` was current.
    pub(super) fn is_about(&self, function: Symbol, current: Current, thread: u64) -> bool {
        // A code that is no failure must not prevent a call from doing its work.
        !self.code.is_success()
            && self.function.is_none_or(|wanted| wanted == function)
            && self.thread.is_none_or(|wanted| wanted == thread)
            && self.context.is_none_or(|wanted| wanted == current.context.unwrap_or(0))
            && self.device.is_none_or(|wanted| current.device == Some(wanted))
    }
}
