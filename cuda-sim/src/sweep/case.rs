//! A call that fails, and the kind of its failure.

use super::effects;
use crate::{CallRecord, Config, FaultRule, LiveHandles, Machine};
use core::fmt;
use core::str::FromStr;
use cuda_sys::{CUresult, Symbol};

/// Kind of failure of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// The call has no effect, and returns the code.
    Before,
    /// The call does its work, and still returns the code, as for a failure of earlier work.
    After,
    /// The call has no effect, and the driver refuses all later calls with the code, as after a fault of a kernel.
    Sticky,
}

/// Function that a scenario calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Function {
    Driver(Symbol, CUresult),
    #[cfg(feature = "nvrtc")]
    Nvrtc(cuda_sys::nvrtc::Symbol, cuda_sys::nvrtc::nvrtcResult),
}

/// Call of a scenario that fails in one way.
///
/// Its text has the call's number, the function, the code and, unless it is [`Before`](FaultKind::Before), the kind:
/// `4:cuMemAlloc_v2:CUDA_ERROR_OUT_OF_MEMORY`, `7:cuCtxSynchronize:CUDA_ERROR_ILLEGAL_ADDRESS:sticky`. Calls are
/// counted from 0, separately for the driver and NVRTC.
///
/// # Examples
///
/// ```
/// use cuda_sim::sweep::{Case, FaultKind};
/// use cuda_sys::CUresult;
///
/// let case: Case = "4:cuMemAlloc_v2:CUDA_ERROR_OUT_OF_MEMORY:after".parse()?;
/// assert_eq!((case.call(), case.function(), case.kind()), (4, "cuMemAlloc_v2", FaultKind::After));
/// assert_eq!(case.driver_code(), Some(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
/// assert_eq!(case.to_string(), "4:cuMemAlloc_v2:CUDA_ERROR_OUT_OF_MEMORY:after");
/// # Ok::<(), cuda_sim::sweep::CaseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Case {
    pub(super) call: u32,
    pub(super) function: Function,
    pub(super) kind: FaultKind,
}

impl Case {
    /// Returns the number of the call that fails, counted from 0.
    #[must_use]
    pub fn call(&self) -> usize {
        self.call as usize
    }

    /// Returns the name of the function that fails.
    #[must_use]
    pub fn function(&self) -> &'static str {
        match self.function {
            Function::Driver(symbol, _) => symbol.name(),
            #[cfg(feature = "nvrtc")]
            Function::Nvrtc(symbol, _) => symbol.name(),
        }
    }

    /// Returns how the call fails.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// Returns the code of a call of the driver, or `None` for a call of NVRTC.
    #[must_use]
    pub fn driver_code(&self) -> Option<CUresult> {
        match self.function {
            Function::Driver(_, code) => Some(code),
            #[cfg(feature = "nvrtc")]
            Function::Nvrtc(..) => None,
        }
    }

    /// Returns the code of a call of NVRTC, or `None` for a call of the driver. Needs the feature `nvrtc`.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::sweep::Case;
    /// use cuda_sys::nvrtc::nvrtcResult;
    ///
    /// let case: Case = "2:nvrtcCompileProgram:NVRTC_ERROR_COMPILATION".parse()?;
    /// assert_eq!(case.nvrtc_code(), Some(nvrtcResult::NVRTC_ERROR_COMPILATION));
    /// # Ok::<(), cuda_sim::sweep::CaseError>(())
    /// ```
    #[cfg(feature = "nvrtc")]
    #[must_use]
    pub fn nvrtc_code(&self) -> Option<cuda_sys::nvrtc::nvrtcResult> {
        match self.function {
            Function::Driver(..) => None,
            Function::Nvrtc(_, code) => Some(code),
        }
    }

    /// Returns whether the call creates an object and fails afterwards.
    ///
    /// Few programs check for a handle after a failed call, so the object stays alive. A sweep omits such cases, unless
    /// [`cases`](crate::sweep::Sweep::cases) selects them.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::sweep::Case;
    ///
    /// assert!("1:cuStreamCreate:999:after".parse::<Case>()?.is_creation_after_work());
    /// assert!(!"1:cuStreamCreate:999".parse::<Case>()?.is_creation_after_work());
    /// assert!(!"1:cuStreamSynchronize:999:after".parse::<Case>()?.is_creation_after_work());
    /// # Ok::<(), cuda_sim::sweep::CaseError>(())
    /// ```
    #[must_use]
    pub fn is_creation_after_work(&self) -> bool {
        let makes = match self.function {
            Function::Driver(symbol, _) => effects::makes(symbol),
            #[cfg(feature = "nvrtc")]
            Function::Nvrtc(symbol, _) => symbol == cuda_sys::nvrtc::Symbol::nvrtcCreateProgram,
        };
        makes && self.kind == FaultKind::After
    }

    /// Returns whether the call releases an object, which stays alive if the call has no effect.
    ///
    /// # Examples
    ///
    /// ```
    /// use cuda_sim::sweep::Case;
    ///
    /// assert!("7:cuStreamDestroy_v2:999".parse::<Case>()?.is_destruction());
    /// assert!(!"7:cuStreamQuery:999".parse::<Case>()?.is_destruction());
    /// # Ok::<(), cuda_sim::sweep::CaseError>(())
    /// ```
    #[must_use]
    pub fn is_destruction(&self) -> bool {
        self.take_out(&mut LiveHandles::default())
    }

    /// Makes the call fail on a machine.
    pub(super) fn inject(&self, machine: &Machine) {
        match self.function {
            Function::Driver(_, code) => machine.inject(self.rule(FaultRule::any(code).skip(self.call))),
            #[cfg(feature = "nvrtc")]
            Function::Nvrtc(_, code) => {
                let fault = crate::nvrtc::NvrtcFault::any(code).skip(self.call).times(1);
                let is_after = self.kind == FaultKind::After;
                machine.inject_nvrtc(if is_after { fault.after_work() } else { fault });
            }
        }
    }

    fn rule(&self, rule: FaultRule) -> FaultRule {
        let rule = rule.times(1);
        match self.kind {
            FaultKind::Before => rule,
            FaultKind::After => rule.after_work(),
            FaultKind::Sticky => rule.sticky(),
        }
    }

    /// Returns the entry of a configuration that makes the call fail. It counts the calls of the function only. Returns
    /// `None` for a call of NVRTC.
    pub(super) fn setting(&self, calls: &[CallRecord]) -> Option<String> {
        match self.function {
            Function::Driver(function, code) => {
                let before = calls.iter().take(self.call()).filter(|call| call.function == function).count();
                let rule = self.rule(FaultRule::new(function, code).skip(u32::try_from(before).ok()?));
                Some(Config { faults: vec![rule], ..Config::default() }.to_string())
            }
            #[cfg(feature = "nvrtc")]
            Function::Nvrtc(..) => None,
        }
    }

    /// Removes from `live` the objects that a program keeps while it does not know that the call did its work. Returns
    /// whether there are any.
    pub(super) fn take_out_keepers(&self, live: &mut LiveHandles) -> bool {
        matches!(self.function, Function::Driver(symbol, _) if effects::keeps(symbol, live))
    }

    /// Removes from `live` the objects that stay because the call had no effect. Returns whether the call releases any.
    pub(super) fn take_out(&self, live: &mut LiveHandles) -> bool {
        match self.function {
            Function::Driver(symbol, _) => effects::ends(symbol, live),
            #[cfg(feature = "nvrtc")]
            Function::Nvrtc(cuda_sys::nvrtc::Symbol::nvrtcDestroyProgram, _) => {
                live.nvrtc_programs = live.nvrtc_programs.saturating_sub(1);
                true
            }
            #[cfg(feature = "nvrtc")]
            Function::Nvrtc(..) => false,
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, number) = match self.function {
            Function::Driver(_, code) => (code.name(), i64::from(code.0)),
            #[cfg(feature = "nvrtc")]
            Function::Nvrtc(_, code) => (code.name(), i64::from(code.0)),
        };
        write!(formatter, "{}:{}:", self.call, self.function())?;
        match name {
            Some(name) => formatter.write_str(name)?,
            None => write!(formatter, "{number}")?,
        }
        formatter.write_str(match self.kind {
            FaultKind::Before => "",
            FaultKind::After => ":after",
            FaultKind::Sticky => ":sticky",
        })
    }
}

/// Error of parsing a text that is no [`Case`].
///
/// # Examples
///
/// ```
/// let error = "cuInit".parse::<cuda_sim::sweep::Case>().unwrap_err();
/// assert!(error.to_string().starts_with("cuInit: a number, a function and a code are expected"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseError {
    text: String,
}

impl fmt::Display for CaseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}: a number, a function and a code are expected, and perhaps after or sticky, with : between them",
            self.text
        )
    }
}

impl std::error::Error for CaseError {}

impl FromStr for Case {
    type Err = CaseError;

    fn from_str(text: &str) -> Result<Case, CaseError> {
        read(text).ok_or_else(|| CaseError { text: text.to_owned() })
    }
}

fn read(text: &str) -> Option<Case> {
    let mut parts = text.trim().split(':');
    let call = crate::decimal::decimal(parts.next()?)?;
    let function = function(parts.next()?, parts.next()?)?;
    let kind = match parts.next() {
        None => FaultKind::Before,
        Some("after") => FaultKind::After,
        Some("sticky") if matches!(function, Function::Driver(..)) => FaultKind::Sticky,
        Some(_) => return None,
    };
    parts.next().is_none().then_some(Case { call, function, kind })
}

fn function(name: &str, code: &str) -> Option<Function> {
    if let Some(symbol) = Symbol::from_name(name) {
        let named = CUresult::all().find(|known| known.name() == Some(code));
        let code = named.or_else(|| crate::decimal::decimal(code).map(cuda_sys::cudaError_enum))?;
        return Some(Function::Driver(symbol, code));
    }
    #[cfg(feature = "nvrtc")]
    {
        use cuda_sys::nvrtc::nvrtcResult;
        let symbol = cuda_sys::nvrtc::Symbol::from_name(name)?;
        let named = nvrtcResult::all().find(|known| known.name() == Some(code));
        let code = named.or_else(|| crate::decimal::decimal(code).map(nvrtcResult))?;
        Some(Function::Nvrtc(symbol, code))
    }
    #[cfg(not(feature = "nvrtc"))]
    None
}
