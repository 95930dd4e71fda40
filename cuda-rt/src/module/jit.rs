//! The driver's compiler's messages.

use core::ffi::{c_uint, c_void};
use core::ptr::without_provenance_mut;
use cuda_sys::{CUjit_option, CUjit_option_enum as Option_};

/// What the driver's compiler said.
///
/// The information is usually empty: the compiler tells of registers and the like when it is asked to be
/// verbose (`CU_JIT_LOG_VERBOSE`), which this crate does not do.
///
/// ```
/// # cuda_sim::install_once();
/// # let context = cuda_rt::Context::primary(cuda_rt::Device::get(0)?)?;
/// use cuda_rt::{Error, Module};
///
/// let ptx = ".version 6.4\n.target sm_50\n.address_size 64\n.visible .entry wrong() { jump nowhere; }";
/// match Module::from_ptx(&context, ptx) {
///     Err(Error::Jit { log, .. }) => assert!(log.error.contains("line 4"), "{}", log.error),
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JitLog {
    /// Errors and warnings.
    pub error: Box<str>,
    /// Information. Empty: verbose output is not asked for.
    pub info: Box<str>,
}

impl JitLog {
    /// The messages on lines of their own, to follow an error's text.
    pub(crate) fn appended(&self) -> String {
        let mut text = String::new();
        for part in [&self.error, &self.info] {
            if !part.is_empty() {
                text.push('\n');
                text.push_str(part);
            }
        }
        text
    }
}

/// Buffers for the driver to write its messages to.
pub(super) struct LogBuffers {
    error: Vec<u8>,
    info: Vec<u8>,
}

impl LogBuffers {
    const FIRST: usize = 16 << 10;
    const GROWN: usize = 1 << 20;

    pub(super) fn new() -> Self {
        Self { error: vec![0; Self::FIRST], info: vec![0; Self::FIRST] }
    }

    pub(super) fn option_count(&self) -> c_uint {
        4
    }

    /// The options that name the buffers, and a value for each. Numbers travel in the pointers' place; the
    /// driver writes the used sizes back there, but the text's own NUL is what counts.
    pub(super) fn options(&mut self) -> ([CUjit_option; 4], [*mut c_void; 4]) {
        let options = [
            Option_::CU_JIT_ERROR_LOG_BUFFER,
            Option_::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
            Option_::CU_JIT_INFO_LOG_BUFFER,
            Option_::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
        ];
        let values = [
            self.error.as_mut_ptr().cast(),
            without_provenance_mut(self.error.len()),
            self.info.as_mut_ptr().cast(),
            without_provenance_mut(self.info.len()),
        ];
        (options, values)
    }

    /// Whether messages did not fit, and there is more room now: then it is worth to ask again.
    pub(super) fn grow(&mut self) -> bool {
        let full = |buffer: &[u8]| text(buffer).len() + 2 >= buffer.len();
        let grows = self.error.len() < Self::GROWN && (full(&self.error) || full(&self.info));
        if grows {
            *self = Self { error: vec![0; Self::GROWN], info: vec![0; Self::GROWN] };
        }
        grows
    }

    pub(super) fn log(&self) -> JitLog {
        let string = |buffer| String::from_utf8_lossy(text(buffer)).trim_end().into();
        JitLog { error: string(&self.error), info: string(&self.info) }
    }
}

/// What comes before the first NUL. The buffers start zeroed, so that without a message it is empty.
fn text(buffer: &[u8]) -> &[u8] {
    let end = buffer.iter().position(|byte| *byte == 0).unwrap_or(buffer.len());
    &buffer[..end]
}
