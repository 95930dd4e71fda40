//! Signatures of kernels, read without their bodies.

use crate::ast::{Function, Limits, Linkage, Pointer, Variable, VariableType};
use crate::diagnostic::Diagnostic;
use crate::lexer::Lexer;
use crate::parser::{ParseError, entry_head};
use crate::types::{Scalar, Space};
use crate::walk::{Directive, Walk};

/// Signature of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'s> {
    /// The name.
    pub name: &'s str,
    /// The linking directive.
    pub linkage: Linkage,
    /// The parameters, in order.
    pub params: Vec<Param<'s>>,
    /// The performance directives.
    pub limits: Limits,
    /// True if the kernel has a body. A declaration has none.
    pub defined: bool,
    /// The line of the name.
    pub line: u32,
}

/// Parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param<'s> {
    /// The name.
    pub name: &'s str,
    /// The type of an element.
    pub kind: VariableType,
    /// True if the parameter is an array or a vector. Compilers declare structures as byte arrays.
    pub array: bool,
    /// Size in bytes of all elements together.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// Memory that the parameter points to: `.ptr`.
    pub pointer: Option<Pointer>,
}

impl<'s> TryFrom<&Variable<'s>> for Param<'s> {
    type Error = Diagnostic;

    fn try_from(variable: &Variable<'s>) -> Result<Self, Diagnostic> {
        let Variable { name, kind, line, .. } = *variable;
        let align = variable.alignment();
        if variable.space != Space::Parameter {
            let text = format!("Entry parameter '{name}' must have .param state space");
            return Err(Diagnostic::error(line, text));
        }
        if kind == VariableType::Scalar(Scalar::Pred) {
            let text = format!("Predicate variable '{name}' must be in register state space");
            return Err(Diagnostic::error(line, text));
        }
        if !align.is_power_of_two() {
            return Err(Diagnostic::error(line, "Alignment must be a power of two"));
        }
        let Some(size) = variable.size() else {
            return Err(Diagnostic::error(line, format!("Size of parameter '{name}' is too large")));
        };
        let array = !variable.dimensions.is_empty() || variable.vector > 1;
        Ok(Self { name, kind, array, size, align, pointer: variable.pointer })
    }
}

impl<'s> TryFrom<&Function<'s>> for Entry<'s> {
    type Error = Diagnostic;

    /// Reads the signature from the syntax tree of a function.
    fn try_from(function: &Function<'s>) -> Result<Self, Diagnostic> {
        let Function { name, linkage, limits, line, .. } = *function;
        let params = function.params.iter().map(Param::try_from).collect::<Result<_, _>>()?;
        Ok(Self { name, linkage, params, limits, defined: function.body.is_some(), line })
    }
}

/// Returns the signatures of the kernels of a text, in order.
///
/// Reads the heads of the kernels and skips everything else. Errors elsewhere are therefore not detected. Before PTX
/// 1.4, kernels declare parameters in their bodies, so the bodies are read too. The time is linear in the length of the
/// text.
///
/// # Errors
///
/// The iterator yields
///
/// - [`ParseError::NotPtx`] as its only item, if the text does not begin with `.version`;
/// - [`ParseError::Invalid`] as its only item, if `.version` has no number;
/// - [`ParseError::Invalid`] in place of a kernel whose head has an error. Before PTX 1.4, the same holds for the body.
///   The kernels after it follow.
///
/// # Examples
///
/// ```
/// let source = "
///     .version 6.4
///     .target sm_50
///     .entry first() { ret; }
///     .entry second(.param .align 8 .b8 pair[16]) { ret; }";
/// let kernels = cuda_ptx::entries(source).collect::<Result<Vec<_>, _>>()?;
/// let sizes: Vec<_> = kernels[1].params.iter().map(|param| (param.size, param.align)).collect();
/// assert_eq!((kernels[0].name, kernels[1].name, &sizes[..]), ("first", "second", &[(16, 8)][..]));
/// # Ok::<(), cuda_ptx::ParseError>(())
/// ```
pub fn entries(source: &str) -> Entries<'_> {
    Entries { unread: Some(source), walk: None }
}

/// Iterator over the signatures of the kernels of a text; see [`entries`].
#[derive(Debug, Clone)]
pub struct Entries<'s> {
    /// Text, before the start.
    unread: Option<&'s str>,
    /// Version and directives, after the start.
    walk: Option<((u32, u32), Walk<'s>)>,
}

impl<'s> Iterator for Entries<'s> {
    type Item = Result<Entry<'s>, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(source) = self.unread.take() {
            match Walk::new(Lexer::new(source)) {
                Ok(walk) => self.walk = Some(walk),
                Err(error) => return Some(Err(error)),
            }
        }
        let (version, walk) = self.walk.as_mut()?;
        let directive = walk.find(|directive| directive.word == ".entry")?;
        Some(entry(&directive, *version))
    }
}

impl std::iter::FusedIterator for Entries<'_> {}

/// Reads the signature of a kernel.
///
/// # Errors
///
/// [`ParseError::Invalid`] if its head has an error.
pub(crate) fn entry<'s>(directive: &Directive<'s>, version: (u32, u32)) -> Result<Entry<'s>, ParseError> {
    let head = entry_head(directive.behind.clone(), directive.linkage, version)?;
    Ok(Entry::try_from(&head)?)
}
