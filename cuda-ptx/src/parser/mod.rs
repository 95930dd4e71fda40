//! The parser: tokens to syntax tree.
//!
//! A syntax error is final, as it is for ptxas; everything that can be complained about more than once is left to the
//! passes that give the tree a meaning.

mod declaration;
mod function;
mod operand;
mod statement;

use super::ast::{Item, Linkage, Module};
use super::diagnostic::Diagnostic;
use super::lexer::{Kind, Lexer, Mark, Token};
use super::target;

/// Why a source could not be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParseError {
    /// It does not begin with `.version`.
    NotPtx(Diagnostic),
    /// Its version is newer than `newest`, or was never published.
    UnsupportedVersion(Diagnostic),
    /// It has a syntax error.
    Invalid(Diagnostic),
}

impl From<Diagnostic> for ParseError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Invalid(diagnostic)
    }
}

/// How deep braces and parentheses may nest; the parser is recursive, and its stack finite.
const MAX_DEPTH: u32 = 200;

/// The name the driver gives to a source that comes from memory.
const FILE: &str = "application ptx input";

/// Parses a module written for a PTX version not above `newest`.
///
/// # Errors
///
/// The first syntax error, or a version that is not supported.
pub fn parse(source: &str, newest: (u32, u32)) -> Result<Module<'_>, ParseError> {
    let mut parser = Parser::new(source);
    parser.module(newest)
}

struct Parser<'s> {
    lexer: Lexer<'s>,
    token: Token<'s>,
    ahead: Token<'s>,
    /// A comment without an end, met at this line.
    unterminated: Option<u32>,
    depth: u32,
    /// The version of the language that the module is written in.
    version: (u32, u32),
}

type Parsed<T> = Result<T, Diagnostic>;

impl<'s> Parser<'s> {
    fn new(source: &'s str) -> Self {
        let end = Token { kind: Kind::End, text: "", line: 1 };
        let lexer = Lexer::new(source);
        let mut parser =
            Self { lexer, token: end, ahead: end, unterminated: None, depth: 0, version: (0, 0) };
        parser.bump();
        parser.bump();
        parser
    }

    /// Moves on by one token and returns the one that was current.
    fn bump(&mut self) -> Token<'s> {
        let next = self.lexer.next().unwrap_or_else(|line| {
            self.unterminated = Some(line);
            Token { kind: Kind::End, text: "", line }
        });
        std::mem::replace(&mut self.token, std::mem::replace(&mut self.ahead, next))
    }

    fn at(&self, mark: Mark) -> bool {
        self.token.kind == Kind::Mark(mark)
    }

    fn eat(&mut self, mark: Mark) -> bool {
        let found = self.at(mark);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, mark: Mark) -> Parsed<()> {
        if self.eat(mark) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// The current token if it is `.word`, without its dot.
    fn dotted(&self) -> Option<&'s str> {
        if self.token.kind == Kind::Dotted { self.token.text.get(1..) } else { None }
    }

    fn eat_dotted(&mut self, word: &str) -> bool {
        let found = self.dotted() == Some(word);
        if found {
            self.bump();
        }
        found
    }

    fn name(&mut self) -> Parsed<&'s str> {
        if self.token.kind == Kind::Name { Ok(self.bump().text) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> Diagnostic {
        if self.token.kind == Kind::End
            && let Some(line) = self.unterminated
        {
            return Diagnostic::fatal(line, "Parsing error near '': unexpected EOF while scanning");
        }
        let text = self.token.text;
        Diagnostic::fatal(self.token.line, format!("Parsing error near '{text}': syntax error"))
    }

    /// Runs `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Diagnostic::fatal(self.token.line, "Parsing error: memory exhausted"));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn module(&mut self, newest: (u32, u32)) -> Result<Module<'s>, ParseError> {
        let mut module = Module::default();
        if !self.eat_dotted("version") {
            let text = format!("Missing .version directive at start of file '{FILE}'");
            return Err(ParseError::NotPtx(Diagnostic::fatal(self.token.line, text)));
        }
        module.version_line = self.token.line;
        let Kind::Double(_) = self.token.kind else { return Err(self.unexpected().into()) };
        let number = self.bump().text;
        let (major, minor) = number.split_once('.').unwrap_or((number, "0"));
        let version = (major.parse().unwrap_or(u32::MAX), minor.parse().unwrap_or(u32::MAX));
        if version > newest || !target::is_version(version) {
            let (major, minor) = newest;
            let text = format!("Unsupported .version {number}; current version is '{major}.{minor}'");
            return Err(ParseError::UnsupportedVersion(Diagnostic::fatal(module.version_line, text)));
        }
        module.version = version;
        self.version = version;
        if self.dotted() != Some("target") {
            let text = format!("Missing .target directive at start of file '{FILE}'");
            return Err(Diagnostic::fatal(self.token.line, text).into());
        }
        while self.eat_dotted("target") {
            self.targets(&mut module)?;
        }
        if self.dotted() == Some("address_size") {
            let line = self.bump().line;
            let size = self.small_integer()?;
            module.address_size = Some((size, line));
        }
        while self.token.kind != Kind::End {
            self.item(&mut module.items)?;
        }
        if self.unterminated.is_some() {
            return Err(self.unexpected().into());
        }
        Ok(module)
    }

    fn targets(&mut self, module: &mut Module<'s>) -> Parsed<()> {
        loop {
            let line = self.token.line;
            let name = self.name()?;
            if !target::is_target_word(name) {
                return Err(Diagnostic::fatal(line, format!("Unsupported .target '{name}'")));
            }
            module.targets.push((name, line));
            if !self.eat(Mark::Comma) {
                break;
            }
        }
        if module.targets.iter().any(|(name, _)| target::number(name).is_some()) {
            return Ok(());
        }
        let text = format!("Target architecture not defined at start of file '{FILE}'");
        Err(Diagnostic::fatal(self.token.line, text))
    }

    fn item(&mut self, items: &mut Vec<Item<'s>>) -> Parsed<()> {
        if self.token.kind == Kind::Debug {
            self.skip_line();
            items.push(Item::Ignored);
            return Ok(());
        }
        let line = self.token.line;
        match self.dotted() {
            Some("file") => {
                self.bump();
                self.constant()?;
                self.text()?;
                while self.eat(Mark::Comma) {
                    self.constant()?;
                }
                items.push(Item::Ignored);
            }
            Some("section") => self.section(items)?,
            Some("pragma") => {
                self.pragma()?;
                items.push(Item::Ignored);
            }
            Some("loc") => {
                self.location()?;
                items.push(Item::Ignored);
            }
            Some("alias") => {
                self.bump();
                let name = self.name()?;
                self.expect(Mark::Comma)?;
                let target = self.name()?;
                self.expect(Mark::Semicolon)?;
                items.push(Item::Alias { name, target, line });
            }
            Some(_) => {
                let linkage = self.linkage();
                match self.dotted() {
                    Some("entry") => items.push(Item::Function(self.function(linkage, true)?)),
                    Some("func") => items.push(Item::Function(self.function(linkage, false)?)),
                    _ => self.variables(linkage, &mut |variable| items.push(Item::Variable(variable)))?,
                }
            }
            None => return Err(self.unexpected()),
        }
        Ok(())
    }

    fn linkage(&mut self) -> Linkage {
        let linkage = match self.dotted() {
            Some("visible") => Linkage::Visible,
            Some("weak") => Linkage::Weak,
            Some("common") => Linkage::Common,
            Some("extern") => Linkage::Extern,
            _ => return Linkage::Internal,
        };
        self.bump();
        linkage
    }

    fn text(&mut self) -> Parsed<()> {
        if self.token.kind == Kind::Text {
            self.bump();
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    /// `.pragma "a", "b";`
    fn pragma(&mut self) -> Parsed<()> {
        self.bump();
        self.text()?;
        while self.eat(Mark::Comma) {
            self.text()?;
        }
        self.expect(Mark::Semicolon)
    }

    /// `.loc file line column`, and optionally where it was inlined.
    fn location(&mut self) -> Parsed<()> {
        self.bump();
        for _ in 0..3 {
            self.small_integer()?;
        }
        while self.eat(Mark::Comma) {
            match self.name()? {
                "function_name" => {
                    self.name()?;
                    if self.eat(Mark::Plus) {
                        self.constant()?;
                    }
                }
                _ => {
                    for _ in 0..3 {
                        self.small_integer()?;
                    }
                }
            }
        }
        Ok(())
    }

    /// `.section name { ... }`: debug information, whose content nobody here reads.
    fn section(&mut self, items: &mut Vec<Item<'s>>) -> Parsed<()> {
        self.bump();
        if !matches!(self.token.kind, Kind::Dotted | Kind::Name) {
            return Err(self.unexpected());
        }
        self.bump();
        self.expect(Mark::LeftBrace)?;
        while !self.eat(Mark::RightBrace) {
            if self.token.kind == Kind::End {
                return Err(self.unexpected());
            }
            self.bump();
        }
        items.push(Item::Ignored);
        Ok(())
    }

    fn skip_line(&mut self) {
        let line = self.token.line;
        while self.token.line == line && self.token.kind != Kind::End {
            self.bump();
        }
    }

    /// A plain integer literal, as directives take them.
    fn small_integer(&mut self) -> Parsed<u32> {
        match self.token.kind {
            Kind::Integer { bits, .. } => {
                self.bump();
                Ok(u32::try_from(bits).unwrap_or(u32::MAX))
            }
            _ => Err(self.unexpected()),
        }
    }
}
