//! Failures of calls that a test injects.

use super::Current;
use cuda_sys::{CUcontext, CUdevice, CUresult, Symbol};

/// A failure to order: which calls fail, and how. Given to [`Machine::inject`](crate::Machine::inject), or to a machine
/// from its start by [`Config::faults`](crate::Config::faults).
///
/// # Examples
///
/// The second allocation fails, as if memory had run out:
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
    /// None for all.
    pub(super) function: Option<Symbol>,
    pub(super) code: CUresult,
    pub(super) skip: u32,
    pub(super) times: u32,
    pub(super) after: bool,
    pub(super) sticky: bool,
    /// The number of the handle, since a pointer would keep rules from being sent to other threads.
    pub(super) context: Option<usize>,
    pub(super) device: Option<CUdevice>,
    /// The number of the thread.
    pub(super) thread: Option<u64>,
}

impl FaultRule {
    /// Every call of `function` fails with `code`, before anything is looked at, and does nothing else.
    ///
    /// `CUDA_SUCCESS` is no failure: a rule with it has no effect, since callers count on what succeeds being done.
    /// A function's per-thread twin counts as the function; other versions of it are functions of their own.
    ///
    /// From some codes, programs conclude that queued work is not carried out any more: from those of faults, such as
    /// `CUDA_ERROR_ILLEGAL_ADDRESS`, from `CUDA_ERROR_CONTEXT_IS_DESTROYED`, `CUDA_ERROR_DEINITIALIZED`,
    /// `CUDA_ERROR_EXTERNAL_DEVICE`, and `CUDA_ERROR_MPS_CLIENT_TERMINATED`. If a call
    /// fails with one of these while a copy, a fill or a kernel is queued, the failure is [sticky](FaultRule::sticky) in any
    /// case.
    #[must_use]
    pub fn new(function: Symbol, code: CUresult) -> FaultRule {
        FaultRule { function: Some(function.twin_of().unwrap_or(function)), ..FaultRule::any(code) }
    }

    /// Every call fails, of whatever function; all of them count. So with [`skip`](FaultRule::skip) and
    /// [`times`](FaultRule::times) it is the n-th call that fails.
    ///
    /// Calls that the machine does not get to see do not count: those that a host function is not permitted to make, and
    /// those of functions that its release does not have. Those that a library makes for the program do: `cuda_sys` asks
    /// for the driver's release, for one, when it takes one into use.
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
        }
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

    /// The code is also the failure that ends the process's use of CUDA on the machine, as after a fault of a kernel:
    /// what is queued is not done any more, and every later call that reports such failures answers it, until the machine
    /// is [reset](crate::Machine::reset). A function that does not report them returns the code this once. If there was
    /// such a failure before, later calls go on to report that one.
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

    /// Only calls count, and fail, that are made while `context` is current in the calling thread. It is known by its
    /// handle alone, so that it may be one that is gone and still current; where handles
    /// [are used again](crate::HandleReuse::AtOnce), it may come to mean another context. A null handle stands for no
    /// context at all.
    ///
    /// What is current when the call begins counts: a call that makes the context, or makes it current, is none of these.
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

    /// Only calls count, and fail, that are made while a context of `device` is current in the calling thread, and lives.
    /// The device that a call is about does not matter.
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

    /// Only calls of the current thread count, and fail.
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

    /// Whether the rule is about a call of this function, made by `thread` while `current` was current.
    pub(super) fn is_about(&self, function: Symbol, current: Current, thread: u64) -> bool {
        // What is no failure must not keep a call from doing its work.
        !self.code.is_success()
            && self.function.is_none_or(|wanted| wanted == function)
            && self.thread.is_none_or(|wanted| wanted == thread)
            && self.context.is_none_or(|wanted| wanted == current.context.unwrap_or(0))
            && self.device.is_none_or(|wanted| current.device == Some(wanted))
    }
}
