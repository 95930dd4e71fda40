//! Launches that are refused because of their memory.

use super::decide::Access;
use super::origin::AccessFacts;
use super::{AccessCheck, MemoryKind};
use crate::device::Device;
use crate::error::{Error, ErrorKind};
use crate::memory::MemLocation;
use crate::module::Function;
use crate::text::ordinal;
use core::fmt::{self, Write};

/// Memory for which a launch was refused or reported: inaccessible or unverified memory, or memory that is not the launch's own.
/// See [`AccessCheck`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccessError {
    /// Name of the kernel.
    pub kernel: Box<str>,
    /// Number of the parameter, from 0.
    pub parameter: usize,
    /// Type of the argument.
    pub parameter_type: &'static str,
    /// Policy of the launch.
    pub check: AccessCheck,
    /// Access of the kernel to the memory.
    pub access: Access,
    /// Memory kind. `None` if the kind did not matter.
    pub kind: Option<MemoryKind>,
    /// Memory location. `None` if it is unknown.
    pub location: Option<MemLocation>,
    /// Device of the launch.
    pub launch: Device,
}

impl AccessError {
    pub(super) fn new(
        function: &Function,
        parameter: usize,
        parameter_type: &'static str,
        check: AccessCheck,
        finding: AccessFacts,
    ) -> AccessError {
        let AccessFacts { access, kind, location, .. } = finding;
        let (kernel, launch) = (function.name().into(), function.context().device());
        AccessError { kernel, parameter, parameter_type, check, access, kind, location, launch }
    }

    /// Returns the error of the launch.
    #[cold]
    pub(super) fn into_error(self) -> Error {
        let (kernel, text) = (&self.kernel, self.text());
        let error = Error::about(
            ErrorKind::AccessDenied,
            format_args!("launching `{kernel}`"),
            format_args!("{text}"),
        );
        error.with_context(self)
    }

    /// Returns whether the memory is on the device of the launch, but inaccessible because of its context.
    fn is_of_another_context(&self) -> bool {
        let is_of_a_context =
            matches!(self.kind, Some(MemoryKind::Device | MemoryKind::Variable | MemoryKind::Texture));
        !self.is_elsewhere() && is_of_a_context && self.access != Access::Accessible
    }

    /// Returns whether the memory is, or may be, on another device than that of the launch.
    fn is_elsewhere(&self) -> bool {
        self.location != Some(MemLocation::device(self.launch))
    }

    /// Returns the advice of the text.
    fn advice(&self) -> &'static str {
        let is_elsewhere = self.is_elsewhere();
        match self.kind {
            Some(MemoryKind::Texture) => "make it in the kernel's context",
            _ if self.access == Access::Accessible => "",
            Some(MemoryKind::Pageable) => "page-lock it (`PinnedBuf`, `RegisteredBuf`) or ",
            Some(MemoryKind::Device) if is_elsewhere && self.access == Access::Unverified => {
                "hand over its owner (`launch::Arg`) or "
            }
            Some(MemoryKind::Device) if is_elsewhere => {
                "turn peer access on (`Context::enable_peer_access`) or "
            }
            Some(MemoryKind::Pool) if self.access == Access::Unverified => {
                "hand over the pool (`MemoryOrigin::of_pool`) or "
            }
            Some(MemoryKind::Pool) => {
                "open the pool (`MemPool::set_access`, `Context::enable_peer_access`) or "
            }
            Some(MemoryKind::Mapped) => "give the device access (`VirtualMemory::set_access`) or ",
            Some(MemoryKind::Unknown) | None => "hand over its owner (`launch::Arg`) or ",
            Some(
                MemoryKind::Pinned
                | MemoryKind::Registered
                | MemoryKind::Device
                | MemoryKind::Variable
                | MemoryKind::Managed,
            ) => "",
        }
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "launching `{}`: {}", self.kernel, self.text())
    }
}

impl AccessError {
    /// Returns the text after the name of the kernel.
    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, formatter: &mut String) -> fmt::Result {
        let AccessError { parameter, parameter_type, check, access, kind, location, launch, .. } = self;
        let launch = launch.as_raw();
        // In the form of a program.
        let name = short(parameter_type);
        let number = ordinal(u32::try_from(*parameter).unwrap_or(u32::MAX));
        write!(formatter, "parameter {parameter} ({number}, `{name}`): ")?;
        match kind {
            Some(kind) => write!(formatter, "{kind}")?,
            None => formatter.write_str("memory")?,
        }
        match location {
            Some(MemLocation::HOST) => {}
            None if *kind == Some(MemoryKind::Unknown) => {}
            None => formatter.write_str(" of an unknown owner")?,
            Some(location) if self.is_of_another_context() => {
                write!(formatter, " of another context of {location}")?;
            }
            Some(location) => write!(formatter, " of {location}")?,
        }
        match access {
            Access::Inaccessible => write!(formatter, " is out of reach for kernels on device {launch}")?,
            Access::Unverified => {
                write!(formatter, " cannot be verified to be within reach of kernels on device {launch}")?;
            }
            Access::Accessible => {
                write!(formatter, " is within reach of kernels on device {launch}, but is not its own")?;
            }
        }
        let advice = self.advice();
        write!(formatter, ": {advice}")?;
        if !matches!(kind, Some(MemoryKind::Texture)) {
            if self.is_elsewhere() {
                write!(formatter, "copy it to device {launch}")?;
            } else {
                formatter.write_str("copy it to memory of the kernel's context")?;
            }
            match (check, access) {
                (AccessCheck::Relaxed, _) => {}
                (AccessCheck::Strict, Access::Accessible) => {
                    formatter.write_str("; `AccessCheck::Checked` lets it pass")?;
                }
                _ => formatter.write_str("; `AccessCheck::Relaxed` does not check")?,
            }
        }
        Ok(())
    }
}

impl core::error::Error for AccessError {}

/// Returns the name of a type without the paths of its parts.
fn short(name: &str) -> String {
    let mut short = String::new();
    let mut word = String::new();
    for letter in name.chars() {
        match letter {
            ':' => word.clear(),
            letter if letter.is_alphanumeric() || letter == '_' => word.push(letter),
            letter => {
                short.push_str(&word);
                word.clear();
                short.push(letter);
            }
        }
    }
    short + &word
}
