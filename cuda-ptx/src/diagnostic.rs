//! Messages about a text, in the wording and the layout of the driver's log.

use std::fmt::{self, Write as _};

/// Severity of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The module can be used.
    Warning,
    /// The module cannot be used; more errors may follow.
    Error,
    /// The module cannot be used, and the rest of the text was not read.
    Fatal,
}

/// Message about a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Line of the source, or `None` for a message about the whole text.
    pub line: Option<u32>,
    /// The severity.
    pub severity: Severity,
    /// Message without line and severity.
    pub text: String,
}

impl Diagnostic {
    /// Creates an error at a line.
    pub fn error(line: u32, text: impl Into<String>) -> Self {
        Self { line: Some(line), severity: Severity::Error, text: text.into() }
    }

    /// Creates a fatal error at a line.
    pub fn fatal(line: u32, text: impl Into<String>) -> Self {
        Self { line: Some(line), severity: Severity::Fatal, text: text.into() }
    }
}

impl fmt::Display for Diagnostic {
    /// Writes a line of the driver's log.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
            Severity::Fatal => "fatal",
        };
        match self.line {
            Some(line) => {
                write!(formatter, "ptxas application ptx input, line {line}; {severity:<8}: {}", self.text)
            }
            None => write!(formatter, "ptxas {severity:<8}: {}", self.text),
        }
    }
}

/// Messages about a text, in order.
#[derive(Debug, Default)]
pub struct Log {
    diagnostics: Vec<Diagnostic>,
}

impl Log {
    /// Adds a message.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds a message about the whole module.
    pub fn push_global(&mut self, severity: Severity, text: impl Into<String>) {
        self.diagnostics.push(Diagnostic { line: None, severity, text: text.into() });
    }

    /// Returns whether a message makes the module unusable.
    pub fn has_errors(&self) -> bool {
        self.error_count() > 0
    }

    /// Returns the number of messages that make the module unusable.
    pub fn error_count(&self) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity != Severity::Warning).count()
    }

    /// Returns the error log as the driver writes it.
    pub fn errors(&self) -> String {
        let mut text = self.render(|severity| severity != Severity::Warning);
        // A message about the whole text ends the log. No log ends with a line break.
        if self.diagnostics.iter().any(|diagnostic| diagnostic.line.is_some()) {
            text.push_str("ptxas fatal   : Ptx assembly aborted due to errors");
        } else {
            text.truncate(text.trim_end().len());
        }
        text
    }

    /// Returns the information log: the warnings.
    pub fn warnings(&self) -> String {
        self.render(|severity| severity == Severity::Warning)
    }

    fn render(&self, wanted: impl Fn(Severity) -> bool) -> String {
        let mut text = String::new();
        for diagnostic in self.diagnostics.iter().filter(|diagnostic| wanted(diagnostic.severity)) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{diagnostic}");
        }
        text
    }
}
