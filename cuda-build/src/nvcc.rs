//! Calls of nvcc.

use crate::{Error, Ptx, dependencies};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles to the file `output`. Returns the files that were read, and the messages of the compiler.
pub(crate) fn compile(
    nvcc: &Path,
    ptx: &Ptx,
    root: &Path,
    output: &Path,
) -> Result<(Vec<PathBuf>, String), Error> {
    let rule = output.with_extension("d");
    let with_path = |option: &str, path: &Path| {
        let mut argument = OsString::from(option);
        argument.push(path);
        argument
    };
    let mut options = ptx.options(escape);
    options.extend(["--ptx", "--generate-dependencies-with-compile"].map(OsString::from));
    options.push(with_path("--dependency-output=", &rule));
    options.push(with_path("--output-file=", output));
    // Without this, an old file could pass for the output of a compiler that writes none.
    for old in [output, &rule] {
        if let Err(reason) = std::fs::remove_file(old)
            && reason.kind() != std::io::ErrorKind::NotFound
        {
            return Err(Error::File { path: old.to_owned(), reason });
        }
    }
    let unusable = |reason| Error::CompilerUnusable { compiler: nvcc.display().to_string(), reason };
    // Paths in messages are relative to the crate.
    let mut command = Command::new(nvcc);
    let done = command.current_dir(root).args(&options).arg(&ptx.source).output();
    let done = done.map_err(|error| unusable(format!("the program could not be run: {error}")))?;
    let messages = String::from_utf8_lossy(&done.stderr);
    if !done.status.success() {
        let log = format!("{}{messages}", String::from_utf8_lossy(&done.stdout));
        return Err(ptx.refused(nvcc.display().to_string(), &options, done.status.to_string(), &log));
    }
    if !output.is_file() {
        return Err(unusable(format!("the program succeeded, but did not write {}", output.display())));
    }
    let read = std::fs::read(&rule).map(|rule| dependencies::of_rule(&String::from_utf8_lossy(&rule)));
    let read = read.ok().filter(|read| !read.is_empty());
    let read = read.unwrap_or_else(|| dependencies::of_source(root, &ptx.source, &ptx.include_dirs));
    Ok((read, messages.into_owned()))
}

/// Writes the value of a macro in the form that nvcc takes: otherwise a comma would separate two macros, and a quotation mark
/// would be lost.
fn escape(value: &str) -> String {
    value.replace(',', "\\,").replace('"', "\\\"")
}
