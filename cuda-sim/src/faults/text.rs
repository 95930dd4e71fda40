//! Rules as text, in the format of a [configuration](crate::Config::from_text).

use super::{FaultRule, KernelFault};
use crate::decimal::decimal;
use cuda_sim_engine::FaultPlace;
use cuda_sys::{CUresult, Symbol};

/// Parses the name or the number of a code.
fn code(text: &str) -> Option<CUresult> {
    let named = CUresult::all().find(|code| code.name() == Some(text));
    named.or_else(|| decimal(text).map(cuda_sys::cudaError_enum))
}

fn code_text(code: CUresult) -> String {
    code.name().map_or_else(|| code.0.to_string(), str::to_owned)
}

/// Adds `-skip` and `-times` if they are not the default.
fn counts(parts: &mut Vec<String>, skip: u32, times: u32) {
    if skip > 0 {
        parts.push(format!("skip-{skip}"));
    }
    if times < u32::MAX {
        parts.push(format!("times-{times}"));
    }
}

impl FaultRule {
    /// Permitted values in a configuration.
    pub(crate) const ALLOWED: &str = "a function as the driver exports it, or any, and a code are allowed, and then \
         skip-N, times-N, after, sticky and device-N, all with : between them, such as cuMemAlloc_v2:2:skip-1";

    pub(crate) fn from_text(text: &str) -> Option<FaultRule> {
        let mut parts = text.split(':');
        let (name, code) = (parts.next()?, code(parts.next()?)?);
        let rule = match name {
            "any" => FaultRule::any(code),
            name => FaultRule::new(Symbol::from_name(name)?, code),
        };
        parts.try_fold(rule, |rule, part| {
            Some(match part.split_once('-') {
                None if part == "after" => rule.after_work(),
                None if part == "sticky" => rule.sticky(),
                Some(("skip", calls)) => rule.skip(decimal(calls)?),
                Some(("times", calls)) => rule.times(decimal(calls)?),
                Some(("device", device)) => rule.on_device(decimal(device)?),
                _ => return None,
            })
        })
    }

    /// Returns `None` for rules for a context or a thread, which do not exist before the machine.
    pub(crate) fn text(&self) -> Option<String> {
        let is_of_machine = self.context.is_some() || self.thread.is_some();
        (!is_of_machine && self.device.is_none_or(|device| device >= 0)).then(|| self.words())
    }

    /// Returns the same for every rule.
    pub(super) fn words(&self) -> String {
        let FaultRule { function, code, skip, times, after, sticky, context, device, thread, is_used: _ } =
            self;
        let name = function.map_or("any", Symbol::name);
        let mut parts = vec![name.to_owned(), code_text(*code)];
        counts(&mut parts, *skip, *times);
        parts.extend(after.then(|| "after".to_owned()));
        parts.extend(sticky.then(|| "sticky".to_owned()));
        parts.extend(device.map(|device| format!("device-{device}")));
        parts.extend(context.map(|context| format!("context-{context:#x}")));
        parts.extend(thread.map(|thread| format!("thread-{thread}")));
        parts.join(":")
    }
}

impl KernelFault {
    /// Permitted values in a configuration.
    pub(crate) const ALLOWED: &str = "the name of a kernel and a code that kernels end in are allowed, and then \
         line-N or instruction-N, skip-N and times-N, all with : between them, such as add:700:line-12";

    pub(crate) fn from_text(text: &str) -> Option<KernelFault> {
        let mut parts = text.split(':');
        let (name, code) = (parts.next().filter(|name| !name.is_empty())?, code(parts.next()?)?);
        parts.try_fold(KernelFault::new(name, code)?, |fault, part| {
            Some(match part.split_once('-')? {
                ("line", line) => fault.at_line(decimal(line)?),
                ("instruction", step) => fault.at_instruction(decimal(step)?),
                ("skip", launches) => fault.skip(decimal(launches)?),
                ("times", launches) => fault.times(decimal(launches)?),
                _ => return None,
            })
        })
    }

    /// Returns `None` if the name has characters that are invalid in PTX names.
    pub(crate) fn text(&self) -> Option<String> {
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%' | b'.');
        (!self.kernel.is_empty() && self.kernel.bytes().all(is_of_name)).then(|| self.words())
    }

    /// Returns the same for every name.
    pub(super) fn words(&self) -> String {
        let KernelFault { kernel, code, place, skip, times, is_used: _ } = self;
        let mut parts = vec![kernel.clone(), code_text(*code)];
        match place {
            FaultPlace::Line(line) => parts.push(format!("line-{line}")),
            FaultPlace::Step(1) => {}
            FaultPlace::Step(step) => parts.push(format!("instruction-{step}")),
        }
        counts(&mut parts, *skip, *times);
        parts.join(":")
    }
}
