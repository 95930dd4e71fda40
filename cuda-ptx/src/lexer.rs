//! Splits PTX text into tokens.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// A name, with its leading `%`, `_` or `$` if it has one.
    Name,
    /// `.word`, `.word::word`; the text includes the dot.
    Dotted,
    /// An integer literal; whether it ends in `U`.
    Integer {
        bits: u64,
        unsigned: bool,
    },
    /// `0f...`
    Single(u32),
    /// `0d...` or a decimal number.
    Double(f64),
    /// A quoted string.
    Text,
    /// One of the marks of the language.
    Mark(Mark),
    /// `@@DWARF`, which begins an old-fashioned debug line.
    Debug,
    End,
}

/// Punctuation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Comma,
    Semicolon,
    Colon,
    LeftBrace,
    RightBrace,
    LeftBracket,
    RightBracket,
    LeftParenthesis,
    RightParenthesis,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Equal,
    EqualEqual,
    NotEqual,
    Not,
    Tilde,
    At,
    Pipe,
    PipePipe,
    And,
    AndAnd,
    Caret,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Question,
    /// Any other character.
    Other,
}

/// A token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'s> {
    pub(super) kind: Kind,
    pub(super) text: &'s str,
    pub(super) line: u32,
}

/// Reads tokens one after another.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'s> {
    source: &'s str,
    position: usize,
    line: u32,
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$')
}

fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

impl<'s> Lexer<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self { source, position: 0, line: 1 }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.source.as_bytes().get(self.position + ahead).copied().unwrap_or(0)
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.position < self.source.len() && wanted(self.peek(0)) {
            self.position += 1;
        }
    }

    /// Skips blanks and comments; says whether a comment never ended.
    fn skip_blanks(&mut self) -> bool {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b'\n', _) => {
                    self.line += 1;
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
                    self.line += comment.iter().map(|&byte| u32::from(byte == b'\n')).sum::<u32>();
                    self.position = end;
                }
                (b'#', _) => self.line_directive(),
                _ => return false,
            }
        }
    }

    /// `#line 5 "file"` or `# 5 "file"`, as a preprocessor writes it: the next line is line 5.
    fn line_directive(&mut self) {
        let start = self.position;
        self.skip_while(|byte| byte != b'\n');
        let text = self.source.get(start + 1..self.position).unwrap_or_default().trim_start();
        let text = text.strip_prefix("line").unwrap_or(text).trim_start();
        let digits = text.len() - text.trim_start_matches(|character: char| character.is_ascii_digit()).len();
        if let Some(Ok(line)) = text.get(..digits).map(str::parse::<u32>) {
            self.line = line.saturating_sub(1);
        }
    }

    /// The next token, or the line on which a comment began that does not end.
    pub(super) fn next(&mut self) -> Result<Token<'s>, u32> {
        if self.skip_blanks() {
            return Err(self.line);
        }
        let start = self.position;
        let line = self.line;
        let first = self.peek(0);
        let kind = match first {
            _ if start >= self.source.len() => Kind::End,
            b'%' if starts_name(self.peek(1)) => self.name(),
            _ if starts_name(first) => self.name(),
            b'0'..=b'9' => self.number(),
            b'.' if continues_name(self.peek(1)) => self.dotted(),
            b'"' => self.text(),
            b'@' if self.source.get(start..).is_some_and(|rest| rest.starts_with("@@DWARF")) => {
                self.position += 2;
                Kind::Debug
            }
            _ => self.mark(first),
        };
        let text = self.source.get(start..self.position).unwrap_or_default();
        Ok(Token { kind, text, line })
    }

    fn name(&mut self) -> Kind {
        self.position += 1;
        self.skip_while(continues_name);
        Kind::Name
    }

    fn dotted(&mut self) -> Kind {
        loop {
            self.position += 1;
            self.skip_while(continues_name);
            if self.peek(0) != b':' || self.peek(1) != b':' || !continues_name(self.peek(2)) {
                return Kind::Dotted;
            }
            self.position += 1;
        }
    }

    fn text(&mut self) -> Kind {
        self.position += 1;
        while self.position < self.source.len() && !matches!(self.peek(0), b'"' | b'\n') {
            let escaped = self.peek(0) == b'\\' && matches!(self.peek(1), b'"' | b'\\');
            self.position += if escaped { 2 } else { 1 };
        }
        if self.peek(0) == b'"' {
            self.position += 1;
        }
        Kind::Text
    }

    /// Reads the digits that `wanted` accepts and returns them.
    fn digits(&mut self, skip: usize, wanted: impl Fn(u8) -> bool) -> &'s str {
        self.position += skip;
        let start = self.position;
        self.skip_while(wanted);
        self.source.get(start..self.position).unwrap_or_default()
    }

    fn number(&mut self) -> Kind {
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
                    return Kind::Single(u32::from_str_radix(digits, 16).unwrap_or(0));
                }
                b'd' | b'D' if self.are_hexadecimal(16) => {
                    let digits = self.digits(2, hexadecimal);
                    return Kind::Double(f64::from_bits(u64::from_str_radix(digits, 16).unwrap_or(0)));
                }
                _ => {}
            }
        }
        if let Some(number) = self.decimal() {
            return Kind::Double(number);
        }
        if self.peek(0) == b'0' {
            let digits = self.digits(0, |byte| matches!(byte, b'0'..=b'7'));
            return self.integer(digits, 8);
        }
        let digits = self.digits(0, |byte| byte.is_ascii_digit());
        self.integer(digits, 10)
    }

    /// Whether exactly `count` hexadecimal digits follow the two characters of a float prefix.
    fn are_hexadecimal(&self, count: usize) -> bool {
        (2..2 + count).all(|ahead| self.peek(ahead).is_ascii_hexdigit())
            && !continues_name(self.peek(2 + count))
    }

    /// A decimal floating-point literal, if one begins here.
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

    fn integer(&mut self, digits: &str, radix: u64) -> Kind {
        // A literal that does not fit keeps its low 64 bits.
        let bits = digits.bytes().fold(0u64, |value, byte| {
            let digit = char::from(byte).to_digit(16).unwrap_or(0);
            value.wrapping_mul(radix).wrapping_add(u64::from(digit))
        });
        let unsigned = self.peek(0) == b'U' && !continues_name(self.peek(1));
        if unsigned {
            self.position += 1;
        }
        Kind::Integer { bits, unsigned }
    }

    fn mark(&mut self, first: u8) -> Kind {
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
        Kind::Mark(mark)
    }
}
