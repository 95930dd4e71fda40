//! The reports of a machine: kept for tests, printed for people, and written for tools.

use super::Report;
use crate::console::say;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Reports of a machine.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    kept: Vec<Report>,
    file: Option<File>,
}

/// Limit of the kept reports. Further ones are printed and written only.
const MOST_KEPT: usize = 10_000;

impl Reports {
    /// Opens a file for further lines, or creates it. If this fails, writes the reason to the standard error and returns `None`.
    pub(crate) fn begin_file(path: &Path) -> Option<File> {
        File::options()
            .append(true)
            .create(true)
            .open(path)
            .map_err(|error| say(&format!("reports={}: {error}", path.display())))
            .ok()
    }

    pub(crate) fn set_file(&mut self, file: Option<File>) {
        self.file = file;
    }

    pub(crate) fn take_file(&mut self) -> Option<File> {
        self.file.take()
    }

    /// Prints, writes and keeps a report.
    pub(crate) fn add(&mut self, report: Report) {
        say(&report.to_string());
        self.add_silently(report);
    }

    /// Writes and keeps a report.
    pub(crate) fn add_silently(&mut self, report: Report) {
        if let Some(file) = &mut self.file {
            // One call, so that lines stay whole. A full disk does not affect the program.
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
