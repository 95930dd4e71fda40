//! Signatures of kernels, read without their bodies.

use crate::ast::{Function, Limits, Linkage, Pointer, Variable, VariableType};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Lexer, Mark, Token, TokenKind};
use crate::parser::{ParseError, entry_head, version_head};
use crate::types::{Scalar, Space};

/// The signature of a kernel.
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

/// A parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param<'s> {
    /// The name.
    pub name: &'s str,
    /// The type of an element.
    pub kind: VariableType,
    /// True if the parameter is an array or a vector. Compilers make byte arrays of structures.
    pub array: bool,
    /// The size in bytes, all elements together.
    pub size: u64,
    /// The alignment in bytes, a power of two.
    pub align: u64,
    /// `.ptr`: the memory that the parameter points to.
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

    /// Reads the signature off the syntax tree of a function.
    fn try_from(function: &Function<'s>) -> Result<Self, Diagnostic> {
        let Function { name, linkage, limits, line, .. } = *function;
        let params = function.params.iter().map(Param::try_from).collect::<Result<_, _>>()?;
        Ok(Self { name, linkage, params, limits, defined: function.body.is_some(), line })
    }
}

/// Returns the signatures of the kernels of a text, in order.
///
/// Reads the heads of the kernels and skips everything else, so errors in bodies are not seen. The time grows with the
/// length of the text.
///
/// # Errors
///
/// The iterator yields
///
/// - [`ParseError::NotPtx`] and then nothing more, if the text does not begin with `.version`;
/// - [`ParseError::Invalid`] in the place of a kernel whose head has an error. The kernels after it follow.
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
    Entries { lexer: Lexer::new(source), state: State::Start }
}

/// An iterator over the signatures of the kernels of a text; see [`entries`].
#[derive(Debug, Clone)]
pub struct Entries<'s> {
    lexer: Lexer<'s>,
    state: State,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Start,
    /// Behind `.version`, with the version.
    Items((u32, u32)),
    End,
}

impl<'s> Iterator for Entries<'s> {
    type Item = Result<Entry<'s>, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        let version = match self.state {
            State::Start => match version_head(&mut self.lexer) {
                Ok(version) => version,
                Err(error) => {
                    self.state = State::End;
                    return Some(Err(error));
                }
            },
            State::Items(version) => version,
            State::End => return None,
        };
        self.state = State::Items(version);
        let mut linkage = Linkage::Internal;
        // A comment without an end is the end of the text here.
        while let Ok(Token { kind, text, .. }) = self.lexer.next_token() {
            match kind {
                TokenKind::End => break,
                TokenKind::Mark(Mark::LeftBrace) => self.lexer.skip_braces(),
                TokenKind::Debug => self.lexer.skip_line(),
                TokenKind::Dotted if text == ".entry" => {
                    let head = entry_head(self.lexer.clone(), linkage, version);
                    return Some(
                        head.and_then(|function| Entry::try_from(&function)).map_err(ParseError::Invalid),
                    );
                }
                _ => {}
            }
            linkage = Linkage::from_word(text.strip_prefix('.').unwrap_or_default());
        }
        self.state = State::End;
        None
    }
}

impl std::iter::FusedIterator for Entries<'_> {}
