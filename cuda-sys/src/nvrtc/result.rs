//! Names and descriptions of NVRTC's result codes, compiled in.
//!
//! The names are those that NVRTC returns for its own codes. A query to NVRTC would fail when no library is loaded, and
//! then a text is most needed. NVRTC has no descriptions.

use super::nvrtcResult;
use core::fmt;

macro_rules! codes {
    ($($name:ident: $description:literal;)*) => {
        /// `NVRTC_SUCCESS` and every error code of CUDA 13.5, in the order of their numbers.
        static CODES: &[(nvrtcResult, &str, &str)] =
            &[$((nvrtcResult::$name, stringify!($name), $description),)*];
    };
}
codes! {
    NVRTC_SUCCESS: "no error";
    NVRTC_ERROR_OUT_OF_MEMORY: "out of memory";
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE: "the program could not be created";
    NVRTC_ERROR_INVALID_INPUT: "invalid argument";
    NVRTC_ERROR_INVALID_PROGRAM: "not a program, or a program without the requested output";
    NVRTC_ERROR_INVALID_OPTION: "invalid compiler option; the program's log names it";
    NVRTC_ERROR_COMPILATION: "the source text does not compile; the program's log says why";
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE: "the compiler's built-in functions failed to load";
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION: "name expressions must be added before the program is compiled";
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION: "lowered names exist only once the program is compiled";
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID: "the name expression was not added to the program";
    NVRTC_ERROR_INTERNAL_ERROR: "internal error of the compiler, or no such function in the loaded library, or no library";
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED: "the file of timings could not be written";
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED: "no precompiled header was asked for";
    NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED: "the heap is too small for the precompiled header";
    NVRTC_ERROR_PCH_CREATE: "the precompiled header could not be made";
    NVRTC_ERROR_CANCELLED: "the flow callback cancelled the compilation";
    NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED: "the file of the time trace could not be written";
    NVRTC_ERROR_BUSY: "another process is installing the bundled headers there";
}

impl nvrtcResult {
    /// Returns whether the call succeeded.
    ///
    /// # Examples
    ///
    /// ```
    /// # use cuda_sys::nvrtc::nvrtcResult;
    /// assert!(nvrtcResult::NVRTC_SUCCESS.is_success());
    /// assert!(!nvrtcResult::NVRTC_ERROR_COMPILATION.is_success());
    /// ```
    pub const fn is_success(self) -> bool {
        self.0 == Self::NVRTC_SUCCESS.0
    }

    /// Returns `NVRTC_SUCCESS` and every error code that these bindings know, by number.
    ///
    /// ```
    /// # use cuda_sys::nvrtc::nvrtcResult;
    /// assert_eq!(nvrtcResult::all().count(), 19);
    /// ```
    pub fn all() -> impl ExactSizeIterator<Item = nvrtcResult> + Clone {
        CODES.iter().map(|(code, _, _)| *code)
    }

    fn entry(self) -> Option<&'static (nvrtcResult, &'static str, &'static str)> {
        CODES.binary_search_by_key(&self.0, |(code, _, _)| code.0).ok().map(|index| &CODES[index])
    }

    /// Returns the name of the constant, or `None` for a number that these bindings do not know.
    ///
    /// ```
    /// # use cuda_sys::nvrtc::nvrtcResult;
    /// assert_eq!(nvrtcResult::NVRTC_ERROR_COMPILATION.name(), Some("NVRTC_ERROR_COMPILATION"));
    /// ```
    pub fn name(self) -> Option<&'static str> {
        self.entry().map(|(_, name, _)| *name)
    }

    /// Returns the meaning of the code, or `None` for an unknown number. The text is this crate's, because NVRTC has
    /// none.
    ///
    /// ```
    /// # use cuda_sys::nvrtc::nvrtcResult;
    /// assert_eq!(nvrtcResult::NVRTC_ERROR_OUT_OF_MEMORY.description(), Some("out of memory"));
    /// ```
    pub fn description(self) -> Option<&'static str> {
        self.entry().map(|(_, _, description)| *description)
    }
}

/// Writes the name and the number.
impl fmt::Debug for nvrtcResult {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}({})", self.name().unwrap_or("nvrtcResult"), self.0)
    }
}

/// Writes the name, the number and the description.
impl fmt::Display for nvrtcResult {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entry() {
            Some((_, name, description)) => write!(formatter, "{name} ({}: {description})", self.0),
            None => write!(formatter, "unknown nvrtcResult {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_found() {
        assert!(CODES.windows(2).all(|pair| pair[0].0.0 < pair[1].0.0));
        for (code, name, description) in CODES {
            assert_eq!(code.name(), Some(*name));
            assert_eq!(code.description(), Some(*description));
        }
    }

    #[test]
    fn an_unknown_number_stays_a_number() {
        let code = nvrtcResult(12345);
        assert_eq!((code.name(), code.description()), (None, None));
        assert_eq!(format!("{code:?} / {code}"), "nvrtcResult(12345) / unknown nvrtcResult 12345");
    }
}
