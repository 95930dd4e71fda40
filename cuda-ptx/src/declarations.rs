//! Declarations of a module.

use crate::ast::Variable;
use crate::entry::{Entry, entry};
use crate::lexer::Lexer;
use crate::parser::{ParseError, function_name, names, variable_heads};
use crate::types::Space;
use crate::walk::Walk;

/// Declarations of a module, without bodies and initial values; see [`declarations`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Declarations<'s> {
    /// PTX version of `.version`: major and minor number.
    pub version: (u32, u32),
    /// Words of `.target`.
    pub targets: Vec<&'s str>,
    /// The kernels.
    pub entries: Vec<Entry<'s>>,
    /// Names of the device functions (`.func`), with their lines. A function that is declared and defined appears twice.
    pub functions: Vec<(&'s str, u32)>,
    /// Variables, and references to textures, surfaces and samplers, without initial values.
    pub variables: Vec<Variable<'s>>,
}

/// Returns the declarations of a text.
///
/// Reads `.version`, `.target`, the heads of kernels, the names of device functions and the declarations of variables.
/// Skips everything else, so errors in bodies are not detected. The time is linear in the length of
/// the text.
///
/// Before PTX 1.4, kernels declare parameters in their bodies, so the bodies of kernels are
/// read, too. This needs the feature `parser`.
///
/// Lines are those of the text. In contrast, [`entries`](crate::entries) and [`parse`](crate::parse) count from a line
/// directive (`#line 12`), as `ptxas` does.
///
/// # Errors
///
/// The first error:
///
/// - [`ParseError::NotPtx`] if the text does not begin with `.version`.
/// - [`ParseError::Invalid`] if `.version` has no number, or if `.target`, the head of a function
///   or the declaration of a variable has an error.
/// - [`ParseError::Invalid`] before PTX 1.4, if the body of a kernel has an error, or this
///   crate has no feature `parser`.
///
/// # Examples
///
/// ```
/// let source = "
///     .version 6.4
///     .target sm_50
///     .const .align 4 .b8 factors[64];
///     .global .texref image;
///     .visible .entry scale(.param .u64 data) { ret; }";
/// let declared = cuda_ptx::declarations(source)?;
/// assert_eq!(declared.entries[0].name, "scale");
/// let [factors, image] = &declared.variables[..] else { panic!() };
/// assert_eq!((factors.name, factors.size(), factors.alignment()), ("factors", Some(64), 4));
/// assert_eq!(image.kind, cuda_ptx::ast::VariableType::Texture);
/// # Ok::<(), cuda_ptx::ParseError>(())
/// ```
pub fn declarations(source: &str) -> Result<Declarations<'_>, ParseError> {
    let (version, directives) = Walk::new(Lexer::ignoring_directives(source))?;
    let mut found = Declarations { version, ..Declarations::default() };
    for directive in directives {
        match directive.word {
            ".entry" => found.entries.push(entry(&directive, version)?),
            ".func" => found.functions.push(function_name(directive.behind)?),
            ".target" => found.targets.extend(names(directive.behind)?),
            word if word.strip_prefix('.').and_then(Space::from_word).is_some() => {
                found.variables.extend(variable_heads(directive.at, directive.linkage, version)?);
            }
            _ => {}
        }
    }
    Ok(found)
}
