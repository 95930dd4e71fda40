//! The reports of a machine: kept for tests, told to people, and written for tools.

use super::Report;
use crate::console::say;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// The reports of a machine.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    kept: Vec<Report>,
    file: Option<File>,
}

/// Reports beyond this number are told and written, and not kept.
const MOST_KEPT: usize = 10_000;

impl Reports {
    /// Begins a file. If that cannot be done, the standard error says why, and there is no file.
    pub(crate) fn begin_file(path: &Path) -> Option<File> {
        File::create(path).map_err(|error| say(&format!("reports={}: {error}", path.display()))).ok()
    }

    pub(crate) fn set_file(&mut self, file: Option<File>) {
        self.file = file;
    }

    pub(crate) fn take_file(&mut self) -> Option<File> {
        self.file.take()
    }

    /// Tells, writes and keeps a report.
    pub(crate) fn add(&mut self, report: Report) {
        say(&report.to_string());
        self.add_silently(report);
    }

    /// Writes and keeps a report.
    pub(crate) fn add_silently(&mut self, report: Report) {
        if let Some(file) = &mut self.file {
            // One call, so that lines stay whole. A full disk is no matter of the program's.
            let _ = file.write_all(format!("{}\n", report.to_json()).as_bytes());
        }
        if self.kept.len() < MOST_KEPT {
            self.kept.push(report);
        }
    }

    /// Takes the reports that were added since the last call.
    pub(crate) fn take(&mut self) -> Vec<Report> {
        std::mem::take(&mut self.kept)
    }
}
