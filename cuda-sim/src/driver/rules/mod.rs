//! What holds of every function of the driver, whether it is simulated or not: what must be in order before it
//! does its work, what a stream capture makes of it, what it waits for, and which codes it may answer.

mod measured;
pub(crate) mod since;
mod table;
pub(crate) mod version_emulation;

use crate::console;
use crate::generated::for_each_documented_codes;
use crate::sticky::is_sticky;
use cuda_sys::{CUresult, Symbol, Table};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What must be in order before a function does its own work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Nothing.
    Nothing,
    /// `cuInit`.
    Init,
    /// `cuInit`, and no failure that ended everything.
    Health,
    /// A current context, whatever state it is in.
    Current,
    /// A current context that is alive, and no failure that ended everything.
    Context,
}

impl Needs {
    /// Whether a failure that ended everything is reported.
    pub(crate) fn reports_sticky(self) -> bool {
        matches!(self, Needs::Health | Needs::Context)
    }
}

/// What becomes of a function while streams are captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capture {
    /// It does its work as ever.
    Allowed,
    /// It is refused while the thread may not do what could disturb a capture: during one of its own that is not
    /// relaxed, or anyone's that is global.
    Unsafe,
    /// It is work for a stream: recorded if the stream is captured, done if it is not.
    Queued,
    /// The same, but [`Unsafe`](Capture::Unsafe) if the stream is not captured.
    QueuedUnsafe,
    /// It is work for the legacy stream, which is refused while a stream that waits for that one is captured.
    Legacy,
    /// It is refused where it concerns a stream that is captured, in whatever mode.
    Illegal,
    /// The same, and [`Unsafe`](Capture::Unsafe) where it concerns another.
    IllegalUnsafe,
}

/// What a function may wait for before it returns. One that waits without a right to is an
/// [error of the software driver](check_waiting): a program relies on what does not wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    /// Nothing.
    None,
    /// The stream that it names, perhaps only where memory of the program that is not page-locked has a part in it.
    Stream,
    /// The event that it names.
    Event,
    /// All work of a context.
    Context,
    /// The work that it has put on the legacy stream.
    Legacy,
    /// All that may use what it takes away; or what has to be taken away for it, where memory is short.
    Frees,
}

/// The answer to a call out of a host function, or out of a callback of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InsideHostFunctions {
    /// It returns `CUDA_ERROR_NOT_PERMITTED`, unless it needs [nothing](Needs::Nothing).
    Refused,
    /// It does its work as ever: most functions that take a stream or an event (measured).
    Permitted,
}

/// The rules of one function.
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

/// The rules of a function.
pub(crate) fn of(symbol: Symbol) -> Rule {
    // Functions of graphics libraries are not in the table.
    table::RULES.get(symbol as usize).copied().unwrap_or(match symbol {
        Symbol::cuGLGetDevices_v2 => Rule::new(Needs::Init, Capture::Allowed, Waits::None),
        _ => Rule::new(Needs::Context, Capture::Unsafe, Waits::None),
    })
}

/// Notes that a function is about to wait.
pub(crate) fn check_waiting(symbol: Symbol) {
    if cfg!(debug_assertions) && of(symbol).waits == Waits::None {
        internal_error(&format!("{symbol} waits, which it must not do"));
    }
}

macro_rules! documented {
    ($($name:ident: $($code:ident)*;)*) => {
        /// The codes that the documentation of each function lists, by symbol; none where it lists nothing.
        static DOCUMENTED: [Option<&[CUresult]>; Table::COUNT] = {
            let mut documented: [Option<&[CUresult]>; Table::COUNT] = [None; Table::COUNT];
            $(documented[Symbol::$name as usize] = Some(&[$(CUresult::$code),*]);)*
            documented
        };
    };
}
for_each_documented_codes!(documented);

/// The codes that CUDA's documentation lists for a function, besides success: what there is to try with a
/// [`FaultRule`](crate::FaultRule). `None` if it lists nothing for it. A function's per-thread twin is documented as the
/// function.
///
/// Functions answer others too: most may report a failure of earlier work, and some were seen to answer what nothing says.
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

/// Returns whether a program may conclude from this code that queued work is not carried out any more.
pub(crate) fn ends_work(code: CUresult) -> bool {
    const OTHERS: [CUresult; 4] = [
        CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED,
        CUresult::CUDA_ERROR_DEINITIALIZED,
        CUresult::CUDA_ERROR_EXTERNAL_DEVICE,
        CUresult::CUDA_ERROR_MPS_CLIENT_TERMINATED,
    ];
    is_sticky(code) || OTHERS.contains(&code)
}

/// Whether any function with such rules may give this answer.
fn common(rule: Rule, code: CUresult) -> bool {
    let on_objects = matches!(rule.needs, Needs::Health | Needs::Context);
    match code {
        // Of what is not simulated, of a panic, and of a library whose configuration is wrong.
        CUresult::CUDA_ERROR_NOT_SUPPORTED
        | CUresult::CUDA_ERROR_UNKNOWN
        | CUresult::CUDA_ERROR_SYSTEM_NOT_READY
        | CUresult::CUDA_ERROR_DEINITIALIZED => true,
        CUresult::CUDA_ERROR_NOT_INITIALIZED => rule.needs != Needs::Nothing,
        CUresult::CUDA_ERROR_INVALID_CONTEXT => on_objects || rule.needs == Needs::Current,
        // The second is for calls out of a function that a stream runs on the host.
        CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED | CUresult::CUDA_ERROR_NOT_PERMITTED => on_objects,
        // Of what does not exist any more. Where the documentation is silent the driver may crash as well; this
        // one never does.
        CUresult::CUDA_ERROR_INVALID_HANDLE => on_objects,
        sticky if is_sticky(sticky) => on_objects,
        _ => false,
    }
}

/// Whether a function with such rules may answer this because of a capture.
fn captured(rule: Rule, code: CUresult) -> bool {
    let queued = matches!(rule.capture, Capture::Queued | Capture::QueuedUnsafe);
    let illegal = matches!(rule.capture, Capture::Illegal | Capture::IllegalUnsafe);
    match code {
        CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED => rule.capture != Capture::Allowed,
        CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT => queued || illegal || rule.capture == Capture::Legacy,
        // The second is not measured.
        CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
        | CUresult::CUDA_ERROR_GRAPH_RECAPTURE_FAILURE
        | CUresult::CUDA_ERROR_STREAM_CAPTURE_MERGE
        | CUresult::CUDA_ERROR_STREAM_CAPTURE_ISOLATION
        | CUresult::CUDA_ERROR_STREAM_CAPTURE_UNMATCHED => queued,
        CUresult::CUDA_ERROR_CAPTURED_EVENT => rule.capture == Capture::Unsafe,
        _ => false,
    }
}

/// Whether a function may give this answer: success, what its documentation lists, what hardware was seen to
/// answer, and what all may answer.
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

/// How often the software driver was itself in error: a function panicked or, in builds with debug assertions,
/// gave an answer that is not one of its own. Each time is also told on the standard error.
///
/// ```
/// assert_eq!(cuda_sim::internal_errors(), 0);
/// ```
pub fn internal_errors() -> usize {
    INTERNAL_ERRORS.load(Ordering::Relaxed)
}

/// Tells of an error of the software driver itself, and counts it.
pub(crate) fn internal_error(text: &str) {
    INTERNAL_ERRORS.fetch_add(1, Ordering::Relaxed);
    console::say(&format!("{text}, which is an error of the software driver"));
}

/// Looks at an answer before the program gets it.
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
        // Listed in the documentation of one, and not of the other.
        assert!(may_answer(Symbol::cuMemAlloc_v2, CUresult::CUDA_ERROR_OUT_OF_MEMORY));
        assert!(!may_answer(Symbol::cuMemFree_v2, CUresult::CUDA_ERROR_OUT_OF_MEMORY));
        // Measured.
        assert!(may_answer(Symbol::cuCtxEnablePeerAccess, CUresult::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED));
        // By what the function needs.
        assert!(may_answer(Symbol::cuMemAlloc_v2, CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
        assert!(!may_answer(Symbol::cuDeviceGetCount, CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
        assert!(!may_answer(Symbol::cuInit, CUresult::CUDA_ERROR_NOT_INITIALIZED));
        // By what a capture makes of it.
        assert!(may_answer(Symbol::cuMemAlloc_v2, CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED));
        assert!(!may_answer(Symbol::cuGraphCreate, CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED));
    }

    #[test]
    fn measured_answers_are_those_that_nothing_else_explains() {
        let needless = measured::ANSWERS.iter().filter(|(symbol, code, _)| {
            super::DOCUMENTED[*symbol as usize].is_some_and(|documented| documented.contains(code))
        });
        assert_eq!(needless.collect::<Vec<_>>(), Vec::<&measured::Answer>::new());
    }
}
