//! The texts that `kernels!` names.

use super::input::{Part, Text};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use std::path::{Path, PathBuf};
use syn::{Error, Result};

/// A text of PTX.
pub(super) struct Ptx {
    pub(super) text: String,
    /// The file as the program names it; `None` if the text is in the program.
    pub(super) file: Option<String>,
    /// An expression whose value is the text.
    pub(super) expression: TokenStream,
    /// The position at which the program names the text.
    pub(super) place: Span,
}

impl Ptx {
    /// Reads the text.
    pub(super) fn read(source: &Text) -> Result<Ptx> {
        match source {
            Text::Inline(literal) => {
                let (text, place) = (literal.value(), literal.span());
                let begins = text.trim_start();
                let looks_like_path = !text.contains('\n') && text.ends_with(".ptx");
                if looks_like_path {
                    return Err(Error::new(
                        place,
                        format!("`{text}` is a path: write `ptx_file(\"{text}\")`"),
                    ));
                }
                if begins.contains("__global__") {
                    return Err(Error::new(place, "this is CUDA C++: write `cuda(..)`"));
                }
                Ok(Ptx { text, file: None, expression: quote!(#literal), place })
            }
            Text::File(parts) => {
                let File { text, name, expression, place } = file(parts)?;
                Ok(Ptx { text, file: Some(name), expression, place })
            }
        }
    }

    /// Returns the name of a line of the text in errors.
    pub(super) fn line(&self, line: u32) -> String {
        match &self.file {
            Some(file) => format!("{file}:{line}"),
            None => format!("line {line} of the text"),
        }
    }

    /// Returns the name of the text in errors.
    pub(super) fn name(&self) -> &str {
        self.file.as_deref().unwrap_or("the text")
    }
}

/// A file.
pub(super) struct File {
    pub(super) text: String,
    /// Its name, without the folders of the machine.
    pub(super) name: String,
    /// An expression whose value is the text.
    pub(super) expression: TokenStream,
    /// The position at which the program names the file.
    pub(super) place: Span,
}

/// Reads a file. A relative path begins in the folder of the source file, as in `include_str!`.
pub(super) fn file(parts: &[Part]) -> Result<File> {
    let mut path = String::new();
    let mut tracked = TokenStream::new();
    for part in parts {
        match part {
            Part::Literal(literal) => path.push_str(&literal.value()),
            Part::Environment(variable) => {
                let name = variable.value();
                let value = std::env::var(&name).map_err(|error| {
                    Error::new(variable.span(), format!("environment variable `{name}`: {error}"))
                })?;
                path.push_str(&value);
                tracked.extend(quote!(
                    const _: &::core::primitive::str = ::core::env!(#variable);
                ));
            }
        }
    }
    let place = match parts.first() {
        Some(Part::Literal(literal) | Part::Environment(literal)) => literal.span(),
        None => Span::call_site(),
    };
    let name =
        Path::new(&path).file_name().map_or_else(|| path.clone(), |name| name.to_string_lossy().into_owned());
    let found = match folder(place, &path) {
        Ok(found) => found,
        Err(text) => return Err(Error::new(place, text)),
    };
    match std::fs::read_to_string(&found.path) {
        Ok(text) => {
            let absolute = found.path.to_string_lossy();
            // The checked text. The constants make Cargo track the files and variables of the text.
            let expression = quote!({
                const _: &::core::primitive::str = ::core::include_str!(#absolute);
                #tracked
                #text
            });
            Ok(File { text, name, expression, place })
        }
        Err(error) => {
            let hint = "a path is relative to this source file, as in `include_str!`";
            let hint = if found.is_relative { format!("; {hint}") } else { String::new() };
            Err(Error::new(place, format!("cannot read `{}`: {error}{hint}", found.shown)))
        }
    }
}

/// A path, and its form in errors.
struct Found {
    path: PathBuf,
    shown: String,
    is_relative: bool,
}

fn folder(place: Span, path: &str) -> std::result::Result<Found, String> {
    if Path::new(path).is_absolute() {
        return Ok(Found { path: path.into(), shown: path.to_owned(), is_relative: false });
    }
    let source = proc_macro::is_available().then(|| place.unwrap().local_file()).flatten();
    let source = source.ok_or("the source file is not known here: write an absolute path")?;
    let relative = source.parent().unwrap_or(Path::new("")).join(path);
    let current =
        std::env::current_dir().map_err(|error| format!("the current folder is not known: {error}"))?;
    Ok(Found {
        path: current.join(&relative),
        shown: relative.to_string_lossy().into_owned(),
        is_relative: true,
    })
}
