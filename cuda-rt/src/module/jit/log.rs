//! Messages of the driver's compiler and linker.

use core::time::Duration;

/// Log of compiling or linking, whether it succeeded or not.
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
    /// Information such as the number of registers, if [`JitOptions::log_verbose`](super::JitOptions::log_verbose) requests it.
    pub info: Box<str>,
    /// Duration of compiling and linking, if [`JitOptions::wall_time`](super::JitOptions::wall_time) requests it.
    pub wall_time: Option<Duration>,
    /// Number of threads of a block that the compiler assumed, if
    /// [`JitOptions::threads_per_block`](super::JitOptions::threads_per_block) was set.
    pub threads_per_block: Option<u32>,
}

impl JitLog {
    /// Returns the messages without those of `earlier`, if this log continues it.
    pub(crate) fn since(self, earlier: &JitLog) -> JitLog {
        let rest = |text: Box<str>, earlier: &str| match text.strip_prefix(earlier) {
            Some(rest) => rest.trim_start_matches(['\n', '\r']).into(),
            None => text,
        };
        JitLog { error: rest(self.error, &earlier.error), info: rest(self.info, &earlier.info), ..self }
    }

    /// Returns the messages on separate lines, to append to an error's text.
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
        // A log that does not continue the earlier one.
        assert_eq!(log("another", "").since(&earlier), log("another", ""));
        assert_eq!(log("é", "").since(&JitLog::default()), log("é", ""));
    }
}
