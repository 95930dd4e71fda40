//! Tokens of PTX text.
//!
//! ```
//! use cuda_ptx::lexer::{Lexer, TokenKind};
//!
//! let mut lexer = Lexer::new("add.u32 %r1, %r2, 0x10; // a comment");
//! let mut texts = Vec::new();
//! loop {
//!     let token = lexer.next_token()?;
//!     if token.kind == TokenKind::End {
//!         break;
//!     }
//!     texts.push(token.text);
//! }
//! assert_eq!(texts, ["add", ".u32", "%r1", ",", "%r2", ",", "0x10", ";"]);
//! # Ok::<(), cuda_ptx::lexer::UnterminatedComment>(())
//! ```

use std::fmt;

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TokenKind {
    /// Name, with its leading `%`, `_` or `$` if it has one.
    Name,
    /// `.word`, with any number of further parts `::word`. The text includes the dot.
    Dotted,
    /// Integer literal.
    Integer {
        /// Low 64 bits of the value.
        bits: u64,
        /// True if the literal ends in `U`.
        unsigned: bool,
    },
    /// `0f...`: bits of a number of single precision.
    Single(u32),
    /// `0d...`, or a decimal number with a point or an exponent.
    Double(f64),
    /// Quoted string.
    Text,
    /// Punctuation.
    Mark(Mark),
    /// `@@` before `DWARF`, the start of a debug line of old compilers. `DWARF` is the next token.
    Debug,
    /// End of the text.
    End,
}

/// Punctuation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `(`
    LeftParenthesis,
    /// `)`
    RightParenthesis,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `=`
    Equal,
    /// `==`
    EqualEqual,
    /// `!=`
    NotEqual,
    /// `!`
    Not,
    /// `~`
    Tilde,
    /// `@`
    At,
    /// `|`
    Pipe,
    /// `||`
    PipePipe,
    /// `&`
    And,
    /// `&&`
    AndAnd,
    /// `^`
    Caret,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `%`
    Percent,
    /// `?`
    Question,
    /// Any other character.
    Other,
}

/// A token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Token<'s> {
    /// The kind.
    pub kind: TokenKind,
    /// Text of the token, borrowed from the source.
    pub text: &'s str,
    /// Line on which the token begins, counted from 1. A directive such as `#line 5` sets the number of the next line.
    pub line: u32,
}

/// Error: a comment has no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnterminatedComment {
    /// Line on which the comment begins.
    pub line: u32,
}

impl fmt::Display for UnterminatedComment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: the comment has no end", self.line)
    }
}

impl std::error::Error for UnterminatedComment {}

/// Reader of PTX text, which returns its tokens one by one: see [`next_token`](Lexer::next_token).
#[derive(Debug, Clone)]
pub struct Lexer<'s> {
    source: &'s str,
    position: usize,
    line: u32,
    /// True if lines are those of the source, regardless of line directives.
    ignores_directives: bool,
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$')
}

fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

impl<'s> Lexer<'s> {
    /// Creates a lexer at the start of `source`.
    pub fn new(source: &'s str) -> Self {
        Self { source, position: 0, line: 1, ignores_directives: false }
    }

    /// Creates a lexer whose lines are those of `source`, regardless of line directives.
    pub(crate) fn ignoring_directives(source: &'s str) -> Self {
        Self { ignores_directives: true, ..Self::new(source) }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.source.as_bytes().get(self.position + ahead).copied().unwrap_or(0)
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.position < self.source.len() && wanted(self.peek(0)) {
            self.position += 1;
        }
    }

    /// Counts line breaks. A line directive may have set any number.
    fn line_breaks(&mut self, count: usize) {
        self.line = self.line.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
    }

    /// Skips blanks and comments. Returns whether a comment had no end.
    fn skip_blanks(&mut self) -> bool {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b'\n', _) => {
                    self.line_breaks(1);
                    self.position += 1;
                }
                (b' ' | b'\t' | b'\r' | 0x0b | 0x0c, _) => self.position += 1,
                (b'/', b'/') => self.skip_while(|byte| byte != b'\n'),
                (b'/', b'*') => {
                    let Some(length) = self.source.get(self.position + 2..).and_then(|rest| rest.find("*/"))
                    else {
                        self.position = self.source.len();
                        return true;
                    };
                    let end = self.position + 2 + length + 2;
                    let comment = self.source.as_bytes().get(self.position..end).unwrap_or_default();
                    self.line_breaks(comment.iter().filter(|&&byte| byte == b'\n').count());
                    self.position = end;
                }
                (b'#', _) => self.line_directive(),
                _ => return false,
            }
        }
    }

    /// Reads `#line 5 "file"` or `# 5 "file"`, as a preprocessor writes it: the next line is line 5.
    fn line_directive(&mut self) {
        let start = self.position;
        self.skip_while(|byte| byte != b'\n');
        let text = self.source.get(start + 1..self.position).unwrap_or_default().trim_start();
        let text = text.strip_prefix("line").unwrap_or(text).trim_start();
        let digits = text.len() - text.trim_start_matches(|character: char| character.is_ascii_digit()).len();
        if self.ignores_directives {
            return;
        }
        if let Some(Ok(line)) = text.get(..digits).map(str::parse::<u32>) {
            self.line = line.saturating_sub(1);
        }
    }

    /// Reads the next token. At the end of the text, every call returns [`TokenKind::End`].
    ///
    /// # Errors
    ///
    /// [`UnterminatedComment`] if a comment has no end. The lexer is then at the end of the text.
    pub fn next_token(&mut self) -> Result<Token<'s>, UnterminatedComment> {
        if self.skip_blanks() {
            return Err(UnterminatedComment { line: self.line });
        }
        let start = self.position;
        let line = self.line;
        let first = self.peek(0);
        let kind = match first {
            _ if start >= self.source.len() => TokenKind::End,
            b'%' if starts_name(self.peek(1)) => self.name(),
            _ if starts_name(first) => self.name(),
            b'0'..=b'9' => self.number(),
            b'.' if continues_name(self.peek(1)) => self.dotted(),
            b'"' => self.text(),
            b'@' if self.source.get(start..).is_some_and(|rest| rest.starts_with("@@DWARF")) => {
                self.position += 2;
                TokenKind::Debug
            }
            _ => self.mark(first),
        };
        let text = self.source.get(start..self.position).unwrap_or_default();
        Ok(Token { kind, text, line })
    }

    /// Goes back to a token of this text, and skips the rest of its line, whatever tokens begin there.
    pub(crate) fn skip_line_of(&mut self, token: &Token<'_>) {
        let offset = token.text.as_ptr().addr().wrapping_sub(self.source.as_ptr().addr());
        (self.position, self.line) = (offset.wrapping_add(token.text.len()), token.line);
        self.skip_line();
    }

    /// Skips to the end of the line.
    pub(crate) fn skip_line(&mut self) {
        self.skip_while(|byte| byte != b'\n');
    }

    /// Skips to the brace that closes the one before the current position, without making tokens. Bodies of functions
    /// are the longest part of a text.
    pub(crate) fn skip_braces(&mut self) {
        let mut depth = 1u32;
        while let Some(&byte) = self.source.as_bytes().get(self.position) {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b'\n' => self.line_breaks(1),
                b'#' => {
                    self.line_directive();
                    continue;
                }
                b'"' => {
                    self.text();
                    continue;
                }
                b'/' if matches!(self.peek(1), b'/' | b'*') => {
                    self.skip_blanks();
                    continue;
                }
                b'@' if self.peek(1) == b'@' => {
                    self.skip_line();
                    continue;
                }
                _ => {}
            }
            self.position += 1;
            if depth == 0 {
                break;
            }
        }
    }

    fn name(&mut self) -> TokenKind {
        self.position += 1;
        self.skip_while(continues_name);
        TokenKind::Name
    }

    fn dotted(&mut self) -> TokenKind {
        loop {
            self.position += 1;
            self.skip_while(continues_name);
            if self.peek(0) != b':' || self.peek(1) != b':' || !continues_name(self.peek(2)) {
                return TokenKind::Dotted;
            }
            self.position += 1;
        }
    }

    /// Reads to the next quotation mark. In texts, `ptxas` knows no escapes, and accepts line breaks. Without another quotation mark,
    /// the first one is a character by itself, which no statement has.
    fn text(&mut self) -> TokenKind {
        let start = self.position + 1;
        let rest = self.source.get(start..).unwrap_or_default();
        let Some(length) = rest.find('"').map(|length| length + 1) else {
            self.position = start;
            return TokenKind::Mark(Mark::Other);
        };
        let text = rest.as_bytes().get(..length).unwrap_or_default();
        self.line_breaks(text.iter().filter(|&&byte| byte == b'\n').count());
        self.position = start + length;
        TokenKind::Text
    }

    /// Reads the digits that `wanted` accepts and returns them.
    fn digits(&mut self, skip: usize, wanted: impl Fn(u8) -> bool) -> &'s str {
        self.position += skip;
        let start = self.position;
        self.skip_while(wanted);
        self.source.get(start..self.position).unwrap_or_default()
    }

    fn number(&mut self) -> TokenKind {
        let hexadecimal = |byte: u8| byte.is_ascii_hexdigit();
        if self.peek(0) == b'0' {
            match self.peek(1) {
                b'x' | b'X' if hexadecimal(self.peek(2)) => {
                    let digits = self.digits(2, hexadecimal);
                    return self.integer(digits, 16);
                }
                b'b' | b'B' if matches!(self.peek(2), b'0' | b'1') => {
                    let digits = self.digits(2, |byte| matches!(byte, b'0' | b'1'));
                    return self.integer(digits, 2);
                }
                b'f' | b'F' if self.are_hexadecimal(8) => {
                    let digits = self.digits(2, hexadecimal);
                    return TokenKind::Single(u32::from_str_radix(digits, 16).unwrap_or(0));
                }
                b'd' | b'D' if self.are_hexadecimal(16) => {
                    let digits = self.digits(2, hexadecimal);
                    return TokenKind::Double(f64::from_bits(u64::from_str_radix(digits, 16).unwrap_or(0)));
                }
                _ => {}
            }
        }
        if let Some(number) = self.decimal() {
            return TokenKind::Double(number);
        }
        if self.peek(0) == b'0' {
            let digits = self.digits(0, |byte| matches!(byte, b'0'..=b'7'));
            return self.integer(digits, 8);
        }
        let digits = self.digits(0, |byte| byte.is_ascii_digit());
        self.integer(digits, 10)
    }

    /// Returns whether exactly `count` hexadecimal digits follow the two characters of a float prefix.
    fn are_hexadecimal(&self, count: usize) -> bool {
        (2..2 + count).all(|ahead| self.peek(ahead).is_ascii_hexdigit())
            && !continues_name(self.peek(2 + count))
    }

    /// Reads a decimal floating-point literal, if one begins here.
    fn decimal(&mut self) -> Option<f64> {
        let rest = self.source.as_bytes().get(self.position..)?;
        let count = |from: usize| {
            rest.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count()
        };
        let mut length = count(0);
        let mut float = false;
        if rest.get(length) == Some(&b'.') && !rest.get(length + 1).copied().is_some_and(starts_name) {
            float = true;
            length += 1 + count(length + 1);
        }
        if let Some(b'e' | b'E') = rest.get(length) {
            let sign = usize::from(matches!(rest.get(length + 1), Some(b'+' | b'-')));
            let digits = count(length + 1 + sign);
            if digits > 0 {
                float = true;
                length += 1 + sign + digits;
            }
        }
        if !float {
            return None;
        }
        let text = self.source.get(self.position..self.position + length)?;
        let number = text.parse().ok()?;
        self.position += length;
        Some(number)
    }

    fn integer(&mut self, digits: &str, radix: u64) -> TokenKind {
        // A literal that is too large keeps its low 64 bits.
        let bits = digits.bytes().fold(0u64, |value, byte| {
            let digit = char::from(byte).to_digit(16).unwrap_or(0);
            value.wrapping_mul(radix).wrapping_add(u64::from(digit))
        });
        let unsigned = self.peek(0) == b'U' && !continues_name(self.peek(1));
        if unsigned {
            self.position += 1;
        }
        TokenKind::Integer { bits, unsigned }
    }

    fn mark(&mut self, first: u8) -> TokenKind {
        let (mark, length) = match (first, self.peek(1)) {
            (b'<', b'<') => (Mark::ShiftLeft, 2),
            (b'>', b'>') => (Mark::ShiftRight, 2),
            (b'<', b'=') => (Mark::LessEqual, 2),
            (b'>', b'=') => (Mark::GreaterEqual, 2),
            (b'=', b'=') => (Mark::EqualEqual, 2),
            (b'!', b'=') => (Mark::NotEqual, 2),
            (b'|', b'|') => (Mark::PipePipe, 2),
            (b'&', b'&') => (Mark::AndAnd, 2),
            (b',', _) => (Mark::Comma, 1),
            (b';', _) => (Mark::Semicolon, 1),
            (b':', _) => (Mark::Colon, 1),
            (b'{', _) => (Mark::LeftBrace, 1),
            (b'}', _) => (Mark::RightBrace, 1),
            (b'[', _) => (Mark::LeftBracket, 1),
            (b']', _) => (Mark::RightBracket, 1),
            (b'(', _) => (Mark::LeftParenthesis, 1),
            (b')', _) => (Mark::RightParenthesis, 1),
            (b'<', _) => (Mark::Less, 1),
            (b'>', _) => (Mark::Greater, 1),
            (b'=', _) => (Mark::Equal, 1),
            (b'!', _) => (Mark::Not, 1),
            (b'~', _) => (Mark::Tilde, 1),
            (b'@', _) => (Mark::At, 1),
            (b'|', _) => (Mark::Pipe, 1),
            (b'&', _) => (Mark::And, 1),
            (b'^', _) => (Mark::Caret, 1),
            (b'+', _) => (Mark::Plus, 1),
            (b'-', _) => (Mark::Minus, 1),
            (b'*', _) => (Mark::Star, 1),
            (b'/', _) => (Mark::Slash, 1),
            (b'%', _) => (Mark::Percent, 1),
            (b'?', _) => (Mark::Question, 1),
            _ => {
                let rest = self.source.get(self.position..).unwrap_or_default();
                (Mark::Other, rest.chars().next().map_or(1, char::len_utf8))
            }
        };
        self.position += length;
        TokenKind::Mark(mark)
    }
}
