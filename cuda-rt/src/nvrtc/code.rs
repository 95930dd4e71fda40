//! NVRTC's result codes as an enumeration.

use core::fmt;
use cuda_sys::nvrtc::nvrtcResult;

macro_rules! codes {
    ($($variant:ident = $constant:ident $name:literal;)*) => {
        /// NVRTC code: the reason why NVRTC refused a call. There is one variant for each of the 18 error codes of CUDA 13.5.
        ///
        /// A number that a newer library returns is [`Code::Unknown`] and keeps its value. The variants are named after the C
        /// constants. Formatting a code does not need NVRTC.
        ///
        /// ```
        /// use cuda_rt::nvrtc::Code;
        ///
        /// let code = Code::OutOfMemory;
        /// assert_eq!(code.to_string(), "NVRTC_ERROR_OUT_OF_MEMORY (1: out of memory)");
        /// assert_eq!(code.number(), 1);
        /// ```
        #[doc(alias = "nvrtcResult")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(
                #[doc = concat!("`", $name, "`")]
                #[doc(alias = $name)]
                $variant,
            )*
            /// A number that CUDA 13.5 does not name.
            Unknown(UnknownCode),
        }

        impl Code {
            /// All named codes, in the order of their numbers.
            pub const ALL: &[Code] = &[$(Code::$variant,)*];

            /// Returns the code of a result of NVRTC; `None` for success.
            ///
            /// # Examples
            ///
            /// ```
            /// use cuda_rt::sys::nvrtc::nvrtcResult;
            /// use cuda_rt::nvrtc::Code;
            ///
            /// assert_eq!(Code::new(nvrtcResult::NVRTC_SUCCESS), None);
            /// assert_eq!(Code::new(nvrtcResult::NVRTC_ERROR_COMPILATION), Some(Code::Compilation));
            /// ```
            pub const fn new(result: nvrtcResult) -> Option<Code> {
                match result {
                    nvrtcResult::NVRTC_SUCCESS => None,
                    $(nvrtcResult::$constant => Some(Code::$variant),)*
                    nvrtcResult(number) => Some(Code::Unknown(UnknownCode(number))),
                }
            }

            /// Returns the code as a type of the raw API.
            ///
            /// # Examples
            ///
            /// ```
            /// use cuda_rt::sys::nvrtc::nvrtcResult;
            /// use cuda_rt::nvrtc::Code;
            ///
            /// assert_eq!(Code::Compilation.as_raw(), nvrtcResult::NVRTC_ERROR_COMPILATION);
            /// ```
            pub const fn as_raw(self) -> nvrtcResult {
                match self {
                    $(Code::$variant => nvrtcResult::$constant,)*
                    Code::Unknown(UnknownCode(number)) => nvrtcResult(number),
                }
            }
        }
    };
}
codes! {
    OutOfMemory = NVRTC_ERROR_OUT_OF_MEMORY "NVRTC_ERROR_OUT_OF_MEMORY";
    ProgramCreationFailure = NVRTC_ERROR_PROGRAM_CREATION_FAILURE "NVRTC_ERROR_PROGRAM_CREATION_FAILURE";
    InvalidInput = NVRTC_ERROR_INVALID_INPUT "NVRTC_ERROR_INVALID_INPUT";
    InvalidProgram = NVRTC_ERROR_INVALID_PROGRAM "NVRTC_ERROR_INVALID_PROGRAM";
    InvalidOption = NVRTC_ERROR_INVALID_OPTION "NVRTC_ERROR_INVALID_OPTION";
    Compilation = NVRTC_ERROR_COMPILATION "NVRTC_ERROR_COMPILATION";
    BuiltinOperationFailure = NVRTC_ERROR_BUILTIN_OPERATION_FAILURE "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE";
    NoNameExpressionsAfterCompilation = NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
    NoLoweredNamesBeforeCompilation = NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
    NameExpressionNotValid = NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
    InternalError = NVRTC_ERROR_INTERNAL_ERROR "NVRTC_ERROR_INTERNAL_ERROR";
    TimeFileWriteFailed = NVRTC_ERROR_TIME_FILE_WRITE_FAILED "NVRTC_ERROR_TIME_FILE_WRITE_FAILED";
    NoPchCreateAttempted = NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED";
    PchCreateHeapExhausted = NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED";
    PchCreate = NVRTC_ERROR_PCH_CREATE "NVRTC_ERROR_PCH_CREATE";
    Cancelled = NVRTC_ERROR_CANCELLED "NVRTC_ERROR_CANCELLED";
    TimeTraceFileWriteFailed = NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED";
    Busy = NVRTC_ERROR_BUSY "NVRTC_ERROR_BUSY";
}

impl Code {
    /// Returns the number of the code in C.
    pub const fn number(self) -> u32 {
        self.as_raw().0
    }
}

/// The number of a code without a name. Only [`Code::new`] makes one, so it is never the number of a named code.
///
/// ```
/// use cuda_rt::sys::nvrtc::nvrtcResult;
/// use cuda_rt::nvrtc::Code;
///
/// match Code::new(nvrtcResult(12345)) {
///     Some(Code::Unknown(code)) => assert_eq!(code.number(), 12345),
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnknownCode(u32);

impl UnknownCode {
    /// Returns the number of the code in C.
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_raw().fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_back() {
        for number in (0..100).chain([u32::MAX]) {
            let code = Code::new(nvrtcResult(number));
            assert_eq!(code.map_or(0, Code::number), number);
        }
        assert!(Code::ALL.iter().map(|code| code.number()).eq(1..=18));
    }
}
