//! Finds the declarations of a module without parsing the text between them.

use crate::ast::Linkage;
use crate::lexer::{Lexer, Mark, Token, TokenKind};
use crate::parser::{ParseError, version_head};

/// A directive at module scope.
#[derive(Debug)]
pub(crate) struct Directive<'s> {
    /// The directive with its dot.
    pub(crate) word: &'s str,
    /// Linking directive before it.
    pub(crate) linkage: Linkage,
    /// Lexer at the directive, or at the first `.align`, `.attribute` or vector size before it.
    pub(crate) at: Lexer<'s>,
    /// Lexer after the directive.
    pub(crate) behind: Lexer<'s>,
}

/// An iterator over the directives at module scope. Skips all braces and parentheses.
#[derive(Debug, Clone)]
pub(crate) struct Walk<'s> {
    lexer: Lexer<'s>,
    linkage: Linkage,
    /// Start of the declaration, and linking directive before it, if other words come before the state space.
    start: Option<(Lexer<'s>, Linkage)>,
    parentheses: u32,
}

impl<'s> Walk<'s> {
    /// Reads `.version` at the start of a text. Returns its value, and the directives after it.
    ///
    /// # Errors
    ///
    /// Same as [`version_head`].
    pub(crate) fn new(mut lexer: Lexer<'s>) -> Result<((u32, u32), Walk<'s>), ParseError> {
        let version = version_head(&mut lexer)?;
        Ok((version, Walk { lexer, linkage: Linkage::Internal, start: None, parentheses: 0 }))
    }
}

impl<'s> Iterator for Walk<'s> {
    type Item = Directive<'s>;

    fn next(&mut self) -> Option<Directive<'s>> {
        loop {
            let at = self.lexer.clone();
            // A comment without an end counts as the end of the text here.
            let Token { kind, text, .. } = self.lexer.next_token().ok()?;
            let linkage = self.linkage;
            self.linkage = Linkage::from_word(text.strip_prefix('.').unwrap_or_default());
            match kind {
                TokenKind::End => return None,
                TokenKind::Mark(Mark::LeftBrace) => {
                    self.start = None;
                    self.lexer.skip_braces();
                }
                TokenKind::Mark(Mark::LeftParenthesis) => self.parentheses += 1,
                TokenKind::Mark(Mark::RightParenthesis) => {
                    self.parentheses = self.parentheses.saturating_sub(1);
                }
                TokenKind::Debug => self.lexer.skip_line(),
                TokenKind::Dotted if self.parentheses == 0 && precedes_space(text) => {
                    self.start.get_or_insert((at, linkage));
                }
                TokenKind::Dotted if self.parentheses == 0 || text == ".entry" => {
                    // An unmatched parenthesis ends at the next kernel.
                    self.parentheses = 0;
                    let (at, linkage) = self.start.take().unwrap_or((at, linkage));
                    return Some(Directive { word: text, linkage, at, behind: self.lexer.clone() });
                }
                TokenKind::Mark(Mark::Semicolon) => self.start = None,
                _ => {}
            }
        }
    }
}

/// Returns whether a declaration may have this directive before its state space.
fn precedes_space(word: &str) -> bool {
    matches!(word, ".align" | ".attribute" | ".v2" | ".v4" | ".v8")
}
