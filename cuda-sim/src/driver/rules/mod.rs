//! Properties of every function of the driver, simulated or not. They are its preconditions, its treatment during
//! stream capture, its waits, and the codes that it may return.

mod measured;
pub(crate) mod since;
mod table;
pub(crate) mod version_emulation;

use crate::console;
use crate::generated::for_each_documented_codes;
use crate::sticky::is_sticky;
use cuda_sys::{CUresult, Symbol, Table};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Precondition that is checked before a function does its own work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Nothing.
    Nothing,
    /// `cuInit`.
    Init,
    /// `cuInit`, and no sticky failure.
    Health,
    /// `cuInit`, no sticky failure, and no destroyed context that is current (measured).
    NotGone,
    /// A current context in any state.
    Current,
    /// A live current context, and no sticky failure.
    Context,
}

impl Needs {
    /// Returns whether a sticky failure is reported.
    pub(crate) fn reports_sticky(self) -> bool {
        matches!(self, Needs::Health | Needs::NotGone | Needs::Context)
    }
}

/// Treatment of a function during stream capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capture {
    /// The function works as usual.
    Allowed,
    /// Refused while the thread must not disturb captures: during a capture of its own that is not relaxed, or a global
    /// capture of any thread.
    Unsafe,
    /// Work for a stream: recorded if the stream is captured, else done.
    Queued,
    /// Work for a stream, which is [`Unsafe`](Capture::Unsafe) if the stream is not captured.
    QueuedUnsafe,
    /// Work for the legacy stream, refused while a stream that waits for it is captured.
    Legacy,
    /// Refused for a captured stream, in every mode.
    Illegal,
    /// Refused for a captured stream, and [`Unsafe`](Capture::Unsafe) for any other.
    IllegalUnsafe,
}

/// Work that a function may wait for before it returns. A wait beyond this is an [error of the software
/// driver](check_waiting), because programs rely on functions that do not wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    /// Nothing.
    None,
    /// The named stream. Some functions wait for it only if a side is pageable memory of the program.
    Stream,
    /// The named event.
    Event,
    /// All work of a context.
    Context,
    /// Work that the function has queued on the legacy stream.
    Legacy,
    /// All work that may use the object that the function releases. If memory is short, also all work before queued
    /// frees.
    Frees,
}

/// Answer to a call from a host function, or from a callback of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InsideHostFunctions {
    /// `CUDA_ERROR_NOT_PERMITTED`, unless the function needs [nothing](Needs::Nothing).
    Refused,
    /// Usual work: most functions that take a stream or an event (measured).
    Permitted,
}

/// Rules of one function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) needs: Needs,
    pub(crate) capture: Capture,
    pub(crate) waits: Waits,
    inside: InsideHostFunctions,
}

impl Rule {
    const fn new(needs: Needs, capture: Capture, waits: Waits) -> Self {
        Self { needs, capture, waits, inside: InsideHostFunctions::Refused }
    }

    const fn inside(self, inside: InsideHostFunctions) -> Self {
        Self { inside, ..self }
    }

    /// Returns whether a host function may call the function.
    pub(crate) fn is_permitted_inside(self) -> bool {
        self.needs == Needs::Nothing || self.inside == InsideHostFunctions::Permitted
    }
}

/// Returns the rules of a function.
pub(crate) fn of(symbol: Symbol) -> Rule {
    // Functions of graphics libraries are not in the table.
    table::RULES.get(symbol as usize).copied().unwrap_or(match symbol {
        Symbol::cuGLGetDevices_v2 => Rule::new(Needs::Init, Capture::Allowed, Waits::None),
        _ => Rule::new(Needs::Context, Capture::Unsafe, Waits::None),
    })
}

/// Records that a function is about to wait.
pub(crate) fn check_waiting(symbol: Symbol) {
    if cfg!(debug_assertions) && of(symbol).waits == Waits::None {
        internal_error(&format!("{symbol} waits, which it must not do"));
    }
}

macro_rules! documented {
    ($($name:ident: $($code:ident)*;)*) => {
        /// Codes that the documentation of each function lists, by symbol; none if it lists nothing.
        static DOCUMENTED: [Option<&[CUresult]>; Table::COUNT] = {
            let mut documented: [Option<&[CUresult]>; Table::COUNT] = [None; Table::COUNT];
            $(documented[Symbol::$name as usize] = Some(&[$(CUresult::$code),*]);)*
            documented
        };
    };
}
for_each_documented_codes!(documented);

/// Returns the codes that CUDA's documentation lists for a function, without success. A test can inject them with a
/// [`FaultRule`](crate::FaultRule). Returns `None` if the documentation lists nothing. A per-thread twin has the codes
/// of its function.
///
/// Functions return other codes, too. Most may report a failure of earlier work, and some return undocumented codes.
///
/// # Examples
///
/// ```
/// use cuda_sim::documented_codes;
/// use cuda_sys::{CUresult, Symbol};
///
/// let codes = documented_codes(Symbol::cuMemAlloc_v2).unwrap_or_default();
/// assert!(codes.contains(&CUresult::CUDA_ERROR_OUT_OF_MEMORY));
/// assert!(!codes.contains(&CUresult::CUDA_SUCCESS));
/// ```
#[must_use]
pub fn documented_codes(symbol: Symbol) -> Option<&'static [CUresult]> {
    let function = symbol.twin_of().unwrap_or(symbol);
    DOCUMENTED.get(function as usize).copied().flatten()
}

/// Returns whether a program may conclude from this code that queued work is no longer done.
pub(crate) fn ends_work(code: CUresult) -> bool {
    const OTHERS: [CUresult; 4] = [
        CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED,
        CUresult::CUDA_ERROR_DEINITIALIZED,
        CUresult::CUDA_ERROR_EXTERNAL_DEVICE,
        CUresult::CUDA_ERROR_MPS_CLIENT_TERMINATED,
    ];
    is_sticky(code) || OTHERS.contains(&code)
}

/// Returns whether any function with these rules may return this code.
fn common(rule: Rule, code: CUresult) -> bool {
    let on_objects = matches!(rule.needs, Needs::Health | Needs::NotGone | Needs::Context);
    match code {
        // Codes for functions that are not simulated, for a panic, and for a library with an invalid configuration.
        CUresult::CUDA_ERROR_NOT_SUPPORTED
        | CUresult::CUDA_ERROR_UNKNOWN
        | CUresult::CUDA_ERROR_SYSTEM_NOT_READY
        | CUresult::CUDA_ERROR_DEINITIALIZED => true,
        CUresult::CUDA_ERROR_NOT_INITIALIZED => rule.needs != Needs::Nothing,
        CUresult::CUDA_ERROR_INVALID_CONTEXT => on_objects || rule.needs == Needs::Current,
        // The second code is for calls from a function that a stream runs on the host.
        CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED | CUresult::CUDA_ERROR_NOT_PERMITTED => on_objects,
        // Code for objects that no longer exist. Where the documentation is silent, a real driver may also crash; this
        // one never does.
        CUresult::CUDA_ERROR_INVALID_HANDLE => on_objects,
        sticky if is_sticky(sticky) => on_objects,
        _ => false,
    }
}

/// Returns whether a function with these rules may return this code because of a capture.
fn captured(rule: Rule, code: CUresult) -> bool {
    let queued = matches!(rule.capture, Capture::Queued | Capture::QueuedUnsafe);
    let illegal = matches!(rule.capture, Capture::Illegal | Capture::IllegalUnsafe);
    match code {
        CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED => rule.capture != Capture::Allowed,
        CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT => queued || illegal || rule.capture == Capture::Legacy,
        // The second code is not measured.
        CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
        | CUresult::CUDA_ERROR_GRAPH_RECAPTURE_FAILURE
        | CUresult::CUDA_ERROR_STREAM_CAPTURE_MERGE
        | CUresult::CUDA_ERROR_STREAM_CAPTURE_ISOLATION
        | CUresult::CUDA_ERROR_STREAM_CAPTURE_UNMATCHED => queued,
        CUresult::CUDA_ERROR_CAPTURED_EVENT => rule.capture == Capture::Unsafe,
        _ => false,
    }
}

/// Returns whether a function may return this code: success, a documented or measured code, or a code that all
/// functions may return.
fn may_answer(symbol: Symbol, code: CUresult) -> bool {
    let Some(documented) = DOCUMENTED.get(symbol as usize).copied().flatten() else { return true };
    code == CUresult::CUDA_SUCCESS
        || documented.contains(&code)
        || common(of(symbol), code)
        || captured(of(symbol), code)
        || is_sticky(code) && measured::SOMETIMES_STICKY.contains(&symbol)
        || measured::ANSWERS.iter().any(|(known, answer, _)| (*known, *answer) == (symbol, code))
}

static INTERNAL_ERRORS: AtomicUsize = AtomicUsize::new(0);

/// Returns the number of errors of the software driver itself. An error is a panic in a function. In builds with debug
/// assertions, it is also a code that the function must not return. Each error is also written to the standard error.
///
/// ```
/// assert_eq!(cuda_sim::internal_errors(), 0);
/// ```
pub fn internal_errors() -> usize {
    INTERNAL_ERRORS.load(Ordering::Relaxed)
}

/// Reports an error of the software driver itself, and counts it.
pub(crate) fn internal_error(text: &str) {
    INTERNAL_ERRORS.fetch_add(1, Ordering::Relaxed);
    console::say(&format!("{text}, which is an error of the software driver"));
}

/// Checks a code before the program receives it.
pub(crate) fn check(symbol: Symbol, code: CUresult) {
    if cfg!(debug_assertions) && !may_answer(symbol, code) {
        internal_error(&format!("{symbol} answers {code}"));
    }
}

#[cfg(test)]
mod tests {
    use super::{CUresult, Symbol, may_answer, measured};

    #[test]
    fn answers_are_those_of_the_function() {
        // Documented for one function, and not for the other.
        assert!(may_answer(Symbol::cuMemAlloc_v2, CUresult::CUDA_ERROR_OUT_OF_MEMORY));
        assert!(!may_answer(Symbol::cuMemFree_v2, CUresult::CUDA_ERROR_OUT_OF_MEMORY));
        // Measured.
        assert!(may_answer(Symbol::cuCtxEnablePeerAccess, CUresult::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED));
        // According to the preconditions.
        assert!(may_answer(Symbol::cuMemAlloc_v2, CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
        assert!(!may_answer(Symbol::cuDeviceGetCount, CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
        assert!(!may_answer(Symbol::cuInit, CUresult::CUDA_ERROR_NOT_INITIALIZED));
        // According to the treatment during capture.
        assert!(may_answer(Symbol::cuMemAlloc_v2, CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED));
        assert!(!may_answer(Symbol::cuGraphCreate, CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED));
    }

    #[test]
    fn measured_answers_have_no_other_explanation() {
        let needless = measured::ANSWERS.iter().filter(|(symbol, code, _)| {
            super::DOCUMENTED[*symbol as usize].is_some_and(|documented| documented.contains(code))
        });
        assert_eq!(needless.collect::<Vec<_>>(), Vec::<&measured::Answer>::new());
    }
}
