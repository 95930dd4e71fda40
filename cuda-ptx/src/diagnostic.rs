//! Complaints, in the words and the layout of the driver's log.

use std::fmt::Write as _;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Warning,
    Error,
    Fatal,
}

/// One complaint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The line of the source, or nothing for a complaint about the whole.
    pub line: Option<u32>,
    pub severity: Severity,
    pub text: String,
}

impl Diagnostic {
    pub fn error(line: u32, text: impl Into<String>) -> Self {
        Self { line: Some(line), severity: Severity::Error, text: text.into() }
    }

    pub fn fatal(line: u32, text: impl Into<String>) -> Self {
        Self { line: Some(line), severity: Severity::Fatal, text: text.into() }
    }
}

/// Complaints collected so far.
#[derive(Debug, Default)]
pub struct Log {
    diagnostics: Vec<Diagnostic>,
}

impl Log {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds a complaint about the whole module.
    pub fn push_global(&mut self, severity: Severity, text: impl Into<String>) {
        self.diagnostics.push(Diagnostic { line: None, severity, text: text.into() });
    }

    /// Whether anything makes the module unusable.
    pub fn has_errors(&self) -> bool {
        self.error_count() > 0
    }

    /// How many things make the module unusable.
    pub fn error_count(&self) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity != Severity::Warning).count()
    }

    /// The error log as the driver writes it.
    pub fn errors(&self) -> String {
        let mut text = self.render(|severity| severity != Severity::Warning);
        // What is only found out when all is read ends the log by itself. No log ends with a line break.
        if self.diagnostics.iter().any(|diagnostic| diagnostic.line.is_some()) {
            text.push_str("ptxas fatal   : Ptx assembly aborted due to errors");
        } else {
            text.truncate(text.trim_end().len());
        }
        text
    }

    /// The information log.
    pub fn warnings(&self) -> String {
        self.render(|severity| severity == Severity::Warning)
    }

    fn render(&self, wanted: impl Fn(Severity) -> bool) -> String {
        let mut text = String::new();
        for diagnostic in self.diagnostics.iter().filter(|diagnostic| wanted(diagnostic.severity)) {
            let severity = match diagnostic.severity {
                Severity::Warning => "warning",
                Severity::Error => "error",
                Severity::Fatal => "fatal",
            };
            // Writing to a string cannot fail.
            let _ = match diagnostic.line {
                Some(line) => writeln!(
                    text,
                    "ptxas application ptx input, line {line}; {severity:<8}: {}",
                    diagnostic.text
                ),
                None => writeln!(text, "ptxas {severity:<8}: {}", diagnostic.text),
            };
        }
        text
    }
}
