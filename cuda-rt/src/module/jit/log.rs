//! What the driver's compiler and linker say.

use core::time::Duration;

/// What came of compiling or linking, beside the code: it is there whether that succeeded or not.
///
/// ```
/// # let context = cuda_doc::context()?;
/// use cuda_rt::Module;
/// use cuda_rt::module::JitLog;
///
/// let ptx = ".version 6.4\n.target sm_50\n.address_size 64\n.visible .entry wrong() { jump nowhere; }";
/// let error = Module::from_ptx(&context, ptx).unwrap_err();
/// let log = error.context::<JitLog>().unwrap();
/// assert!(log.error.contains("line 4"), "{}", log.error);
/// # Ok::<(), cuda_rt::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct JitLog {
    /// Errors and warnings.
    pub error: Box<str>,
    /// Information: registers and the like, if [`JitOptions::log_verbose`](super::JitOptions::log_verbose) asks for it.
    pub info: Box<str>,
    /// How long it took, if [`JitOptions::wall_time`](super::JitOptions::wall_time) asks for it.
    pub wall_time: Option<Duration>,
    /// How many threads of a block the compiler had in mind, if
    /// [`JitOptions::threads_per_block`](super::JitOptions::threads_per_block) told it a number.
    pub threads_per_block: Option<u32>,
}

impl JitLog {
    /// Returns the messages without those of an earlier look at the same log, which goes on where that ended.
    pub(crate) fn since(self, earlier: &JitLog) -> JitLog {
        let rest = |text: Box<str>, earlier: &str| match text.strip_prefix(earlier) {
            Some(rest) => rest.trim_start_matches(['\n', '\r']).into(),
            None => text,
        };
        JitLog { error: rest(self.error, &earlier.error), info: rest(self.info, &earlier.info), ..self }
    }

    /// Returns the messages on lines of their own, to follow an error's text.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn log(error: &str, info: &str) -> JitLog {
        JitLog { error: error.into(), info: info.into(), ..JitLog::default() }
    }

    #[test]
    fn what_was_said_before_is_left_out() {
        let earlier = log("a warning", "");
        assert_eq!(log("a warning\nan error\nand more", "x").since(&earlier), log("an error\nand more", "x"));
        assert_eq!(log("a warning", "").since(&earlier), log("", ""));
        // A log that did not go on as it was.
        assert_eq!(log("another", "").since(&earlier), log("another", ""));
        assert_eq!(log("é", "").since(&JitLog::default()), log("é", ""));
    }
}
