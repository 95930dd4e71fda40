//! Origins of the lines of a PTX text in source files.

use cuda_ptx::ast::{Location, Module};
use std::fmt;
use std::sync::Arc;

/// Line of a source file, as `.loc` and `.file` name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLine {
    /// Name of the file.
    pub file: String,
    /// Line number, counted from 1.
    pub line: u32,
}

impl fmt::Display for SourceLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.file, self.line)
    }
}

/// `.file` and `.loc` directives of a text.
#[derive(Debug)]
pub(super) struct SourceTable {
    files: Vec<(u64, String)>,
    locations: Vec<Location>,
}

impl SourceTable {
    /// Collects the directives of a text. Returns `None` if there are none.
    pub(super) fn of(module: &Module<'_>) -> Option<Arc<Self>> {
        if module.locations.is_empty() {
            return None;
        }
        let files = module.files.iter().map(|(number, name)| (*number, (*name).to_owned())).collect();
        Some(Arc::new(Self { files, locations: module.locations.clone() }))
    }

    /// Returns the source line of a line of PTX.
    pub(super) fn find(&self, ptx_line: u32) -> Option<SourceLine> {
        let after = self.locations.partition_point(|location| location.ptx_line <= ptx_line);
        let location = self.locations.get(after.checked_sub(1)?).filter(|location| location.file != 0)?;
        let (_, file) = self.files.iter().find(|(number, _)| *number == u64::from(location.file))?;
        Some(SourceLine { file: file.clone(), line: location.line })
    }
}
