//! The parser, from tokens to syntax tree.
//!
//! A syntax error is final, as it is for ptxas. So is an error in `.version`, in `.target`, or in a
//! constant expression. Passes that interpret the tree report all other errors, perhaps several.

mod declaration;
mod function;
mod operand;
mod statement;

use crate::ast::{Constant, Function, Item, Linkage, Location, Module, Pragma, Variable};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Lexer, Mark, Token, TokenKind, UnterminatedComment};
use crate::target;
use std::fmt;

/// Reason why a text could not be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParseError {
    /// The text does not begin with `.version`.
    NotPtx(Diagnostic),
    /// The version is newer than the caller knows, or was never published.
    UnsupportedVersion(Diagnostic),
    /// The text has a syntax error, or no `.target` with a known architecture.
    Invalid(Diagnostic),
}

impl ParseError {
    /// Returns the message and the line.
    pub fn diagnostic(&self) -> &Diagnostic {
        let (Self::NotPtx(diagnostic) | Self::UnsupportedVersion(diagnostic) | Self::Invalid(diagnostic)) =
            self;
        diagnostic
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic().fmt(formatter)
    }
}

impl std::error::Error for ParseError {}

impl From<Diagnostic> for ParseError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Invalid(diagnostic)
    }
}

/// Limit of the nesting of blocks, operands, initial values and expressions, counted together. The
/// parser is recursive, and its stack is finite.
const MAX_DEPTH: u32 = 200;

/// Name that the driver gives to a source in memory.
const FILE: &str = "application ptx input";

/// Parses a module. `newest` is the newest PTX version to accept, as major and minor number.
///
/// # Errors
///
/// - [`ParseError::NotPtx`] if the text does not begin with `.version`.
/// - [`ParseError::UnsupportedVersion`] if the version is above `newest`, or was never published.
/// - [`ParseError::Invalid`] on the first syntax error. The error also stands for a `.target` that is missing, has an
///   unknown word or names no architecture. More than 200 nested levels
///   of blocks, operands and expressions together are refused, too.
///
/// # Examples
///
/// ```
/// use cuda_ptx::ast::Item;
///
/// let source = ".version 6.4 .target sm_50 .address_size 64 .entry empty() { ret; }";
/// let module = cuda_ptx::parse(source, (9, 0))?;
/// assert_eq!(module.version, (6, 4));
/// assert!(matches!(&module.items[..], [Item::Function(kernel)] if kernel.name == "empty"));
/// # Ok::<(), cuda_ptx::ParseError>(())
/// ```
pub fn parse(source: &str, newest: (u32, u32)) -> Result<Module<'_>, ParseError> {
    Parser::new(source).module(newest)
}

/// Parses the head of a kernel after `.entry`, up to its body. A definition gets an empty body.
/// Before PTX 1.4, parameters were declared in the body, so the body is parsed, too.
///
/// # Errors
///
/// The first syntax error. Without the feature `parser`, also a body before PTX 1.4.
pub(crate) fn entry_head<'s>(
    lexer: Lexer<'s>,
    linkage: Linkage,
    version: (u32, u32),
) -> Parsed<Function<'s>> {
    let mut parser = Parser::after(lexer, version);
    let mut function = parser.function_head(linkage, true)?;
    if parser.at(Mark::LeftBrace) {
        if version < function::PARAMETER_LISTS {
            parser.parameters_of_body(&mut function)?;
        }
        function.body = Some(Vec::new());
    }
    Ok(function)
}

/// Parses the declaration of one or more variables from its state space on. Skips initial values.
///
/// # Errors
///
/// The first syntax error.
pub(crate) fn variable_heads<'s>(
    lexer: Lexer<'s>,
    linkage: Linkage,
    version: (u32, u32),
) -> Parsed<Vec<Variable<'s>>> {
    let mut parser = Parser::after(lexer, version);
    let head = parser.head(linkage)?;
    let mut found = Vec::new();
    loop {
        found.push(parser.declarator(&head)?);
        parser.skip_initial();
        if !parser.eat(Mark::Comma) {
            parser.expect(Mark::Semicolon)?;
            return Ok(found);
        }
    }
}

/// Parses the name of a function after `.func`.
///
/// # Errors
///
/// The first syntax error.
pub(crate) fn function_name(lexer: Lexer<'_>) -> Parsed<(&str, u32)> {
    let mut parser = Parser::after(lexer, (0, 0));
    parser.attributes()?;
    if parser.at(Mark::LeftParenthesis) {
        parser.parameters()?;
    }
    let line = parser.token.line;
    Ok((parser.name()?, line))
}

/// Parses names separated by commas after `.target`.
///
/// # Errors
///
/// The first syntax error.
pub(crate) fn names(lexer: Lexer<'_>) -> Parsed<Vec<&str>> {
    let mut parser = Parser::after(lexer, (0, 0));
    let mut names = vec![parser.name()?];
    while parser.eat(Mark::Comma) {
        names.push(parser.name()?);
    }
    Ok(names)
}

/// Reads `.version` at the start of a text.
///
/// # Errors
///
/// [`ParseError::NotPtx`] if there is none, [`ParseError::Invalid`] if it has no number.
pub(crate) fn version_head(lexer: &mut Lexer<'_>) -> Result<(u32, u32), ParseError> {
    let (_, number) = Parser::after(lexer.clone(), (0, 0)).version()?;
    Ok(version_of(number))
}

/// Returns the major and the minor number.
fn version_of(number: &str) -> (u32, u32) {
    let (major, minor) = number.split_once('.').unwrap_or((number, "0"));
    (major.parse().unwrap_or(u32::MAX), minor.parse().unwrap_or(u32::MAX))
}

struct Parser<'s> {
    lexer: Lexer<'s>,
    token: Token<'s>,
    ahead: Token<'s>,
    /// Line of a comment without an end.
    unterminated: Option<u32>,
    depth: u32,
    /// PTX version of the module.
    version: (u32, u32),
    files: Vec<(u64, &'s str)>,
    /// Pragmas outside of bodies.
    pragmas: Vec<Pragma<'s>>,
    locations: Vec<Location>,
}

type Parsed<T> = Result<T, Diagnostic>;

impl<'s> Parser<'s> {
    fn new(source: &'s str) -> Self {
        Self::after(Lexer::new(source), (0, 0))
    }

    /// Creates a parser that continues at the position of a lexer.
    fn after(lexer: Lexer<'s>, version: (u32, u32)) -> Self {
        let end = Token { kind: TokenKind::End, text: "", line: 1 };
        let mut parser = Self {
            lexer,
            token: end,
            ahead: end,
            unterminated: None,
            depth: 0,
            version,
            files: Vec::new(),
            pragmas: Vec::new(),
            locations: Vec::new(),
        };
        parser.bump();
        parser.bump();
        parser
    }

    /// Moves on by one token and returns the one that was current.
    fn bump(&mut self) -> Token<'s> {
        let next = self.lexer.next_token().unwrap_or_else(|UnterminatedComment { line }| {
            self.unterminated = Some(line);
            Token { kind: TokenKind::End, text: "", line }
        });
        std::mem::replace(&mut self.token, std::mem::replace(&mut self.ahead, next))
    }

    fn at(&self, mark: Mark) -> bool {
        self.token.kind == TokenKind::Mark(mark)
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

    /// Returns the current token without its dot if it is `.word`.
    fn dotted(&self) -> Option<&'s str> {
        if self.token.kind == TokenKind::Dotted { self.token.text.get(1..) } else { None }
    }

    fn eat_dotted(&mut self, word: &str) -> bool {
        let found = self.dotted() == Some(word);
        if found {
            self.bump();
        }
        found
    }

    fn name(&mut self) -> Parsed<&'s str> {
        if self.token.kind == TokenKind::Name { Ok(self.bump().text) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> Diagnostic {
        if self.token.kind == TokenKind::End
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

    /// Parses `.version 8.0`. Returns the line and the text of the number.
    fn version(&mut self) -> Result<(u32, &'s str), ParseError> {
        if !self.eat_dotted("version") {
            let text = format!("Missing .version directive at start of file '{FILE}'");
            return Err(ParseError::NotPtx(Diagnostic::fatal(self.token.line, text)));
        }
        let line = self.token.line;
        let TokenKind::Double(_) = self.token.kind else { return Err(self.unexpected().into()) };
        Ok((line, self.bump().text))
    }

    fn module(&mut self, newest: (u32, u32)) -> Result<Module<'s>, ParseError> {
        let mut module = Module::default();
        let (line, number) = self.version()?;
        module.version_line = line;
        let version = version_of(number);
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
        while self.token.kind != TokenKind::End {
            self.item(&mut module.items)?;
        }
        if self.unterminated.is_some() {
            return Err(self.unexpected().into());
        }
        module.files = std::mem::take(&mut self.files);
        module.pragmas = std::mem::take(&mut self.pragmas);
        module.locations = std::mem::take(&mut self.locations);
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
        if self.token.kind == TokenKind::Debug {
            self.skip_line();
            items.push(Item::Ignored);
            return Ok(());
        }
        let line = self.token.line;
        match self.dotted() {
            Some("file") => {
                self.bump();
                let number = self.constant()?;
                let name = self.text()?;
                if let Constant::Integer { bits, .. } = number {
                    self.files.push((bits, name));
                }
                while self.eat(Mark::Comma) {
                    self.constant()?;
                }
                items.push(Item::Ignored);
            }
            Some("section") => self.section(items)?,
            Some("pragma") => {
                let pragma = self.pragma()?;
                self.pragmas.push(pragma);
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
                    Some(word @ ("entry" | "func")) => {
                        self.bump();
                        let mut function = self.function_head(linkage, word == "entry")?;
                        if !self.eat(Mark::Semicolon) {
                            self.begin_locations(function.line);
                            self.function_body(&mut function)?;
                        }
                        items.push(Item::Function(function));
                    }
                    _ => self.variables(linkage, &mut |variable| items.push(Item::Variable(variable)))?,
                }
            }
            None => return Err(self.unexpected()),
        }
        Ok(())
    }

    fn linkage(&mut self) -> Linkage {
        let linkage = Linkage::from_word(self.dotted().unwrap_or_default());
        if linkage != Linkage::Internal {
            self.bump();
        }
        linkage
    }

    /// Parses a text in quotation marks, and returns it without them.
    fn text(&mut self) -> Parsed<&'s str> {
        if self.token.kind != TokenKind::Text {
            return Err(self.unexpected());
        }
        let text = self.bump().text;
        Ok(text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text))
    }

    /// Parses `.pragma "a", "b";`.
    fn pragma(&mut self) -> Parsed<Pragma<'s>> {
        let line = self.bump().line;
        let mut texts = vec![self.text()?];
        while self.eat(Mark::Comma) {
            texts.push(self.text()?);
        }
        self.expect(Mark::Semicolon)?;
        Ok(Pragma { texts, line })
    }

    /// Ends the last location of the function before.
    fn begin_locations(&mut self, ptx_line: u32) {
        if self.locations.last().is_some_and(|last| last.file != 0) {
            self.locations.push(Location { ptx_line, file: 0, line: 0 });
        }
    }

    /// Parses `.loc file line column`, and optionally the place of inlining.
    fn location(&mut self) -> Parsed<()> {
        let ptx_line = self.bump().line;
        let (file, line) = (self.small_integer()?, self.small_integer()?);
        self.small_integer()?;
        self.locations.push(Location { ptx_line, file, line });
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

    /// Parses `.section name { ... }`: debug information, which is ignored.
    fn section(&mut self, items: &mut Vec<Item<'s>>) -> Parsed<()> {
        self.bump();
        if !matches!(self.token.kind, TokenKind::Dotted | TokenKind::Name) {
            return Err(self.unexpected());
        }
        self.bump();
        self.expect(Mark::LeftBrace)?;
        let mut depth = 1;
        while depth > 0 {
            match self.token.kind {
                TokenKind::End => return Err(self.unexpected()),
                TokenKind::Debug => {
                    self.skip_line();
                    continue;
                }
                TokenKind::Mark(Mark::LeftBrace) => depth += 1,
                TokenKind::Mark(Mark::RightBrace) => depth -= 1,
                _ => {}
            }
            self.bump();
        }
        items.push(Item::Ignored);
        Ok(())
    }

    /// Skips the token and the rest of its line.
    fn skip_line(&mut self) {
        self.unterminated = None;
        self.lexer.skip_line_of(&self.token);
        self.bump();
        self.bump();
    }

    /// Parses a plain integer literal, as directives use them.
    fn small_integer(&mut self) -> Parsed<u32> {
        match self.token.kind {
            TokenKind::Integer { bits, .. } => {
                self.bump();
                Ok(u32::try_from(bits).unwrap_or(u32::MAX))
            }
            _ => Err(self.unexpected()),
        }
    }
}
