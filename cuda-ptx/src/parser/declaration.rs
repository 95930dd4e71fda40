//! Variables, registers and parameters.

use super::{Parsed, Parser};
use crate::ast::{Initial, Linkage, Pointer, Variable, VariableType};
use crate::lexer::{Mark, TokenKind};
use crate::types::{Scalar, Space};

/// Number of banks of constant memory.
const BANKS: u32 = 11;

/// First version of PTX whose constant memory has no banks.
const BANKS_END: (u32, u32) = (2, 2);

/// Part of a declaration before the names.
#[derive(Debug)]
pub(super) struct Head {
    linkage: Linkage,
    space: Space,
    align: Option<u64>,
    vector: u32,
    kind: VariableType,
    managed: bool,
    pointer: Option<Pointer>,
}

impl<'s> Parser<'s> {
    /// Parses a declaration of one or more variables, up to its semicolon.
    pub(super) fn variables(&mut self, linkage: Linkage, found: &mut dyn FnMut(Variable<'s>)) -> Parsed<()> {
        let head = self.head(linkage)?;
        loop {
            let mut variable = self.declarator(&head)?;
            if self.eat(Mark::Equal) {
                variable.initial = Some(self.initial()?);
            }
            found(variable);
            if self.eat(Mark::Semicolon) {
                return Ok(());
            }
            self.expect(Mark::Comma)?;
        }
    }

    /// Parses the part before the name.
    pub(super) fn head(&mut self, linkage: Linkage) -> Parsed<Head> {
        let mut space = None;
        let mut align = None;
        let mut vector = 1;
        let mut managed = false;
        let kind = loop {
            let Some(word) = self.dotted() else { return Err(self.unexpected()) };
            if word == "align" {
                self.bump();
                align = Some(u64::from(self.small_integer()?));
            } else if word == "attribute" {
                managed |= self.attributes()?;
            } else if let Some(found) = Space::from_word(word).filter(|_| space.is_none()) {
                self.bump();
                space = Some(found);
                self.bank(found)?;
            } else if let Some(size) = vector_size(word) {
                self.bump();
                vector = size;
            } else if let Some(kind) = kind(word) {
                self.bump();
                break kind;
            } else {
                return Err(self.unexpected());
            }
        };
        let Some(space) = space else { return Err(self.unexpected()) };
        let mut pointer = None;
        if self.eat_dotted("ptr") {
            let mut target = Pointer { space: self.dotted().and_then(Space::from_word), align: None };
            if target.space.is_some() {
                self.bump();
            }
            if self.eat_dotted("align") {
                target.align = Some(self.small_integer()?);
            }
            pointer = Some(target);
        }
        Ok(Head { linkage, space, align, vector, kind, managed, pointer })
    }

    /// Parses `[3]` after `.const`: the bank, which PTX 2.2 abolished. Banks make no difference to declarations.
    fn bank(&mut self, space: Space) -> Parsed<()> {
        if space != Space::Constant || self.version >= BANKS_END || !self.at(Mark::LeftBracket) {
            return Ok(());
        }
        self.bump();
        let error = self.unexpected();
        if self.small_integer()? >= BANKS {
            return Err(error);
        }
        self.expect(Mark::RightBracket)
    }

    /// Parses a name with its dimensions or its range.
    pub(super) fn declarator(&mut self, head: &Head) -> Parsed<Variable<'s>> {
        let line = self.token.line;
        let name = self.name()?;
        let mut variable = Variable {
            linkage: head.linkage,
            space: head.space,
            align: head.align,
            vector: head.vector,
            kind: head.kind,
            name,
            dimensions: Vec::new(),
            range: None,
            initial: None,
            managed: head.managed,
            pointer: head.pointer,
            line,
        };
        if self.eat(Mark::Less) {
            variable.range = Some(self.small_integer()?);
            self.expect(Mark::Greater)?;
        }
        while self.eat(Mark::LeftBracket) {
            if self.eat(Mark::RightBracket) {
                variable.dimensions.push(None);
                continue;
            }
            let error = self.unexpected();
            let size = u64::try_from(self.integer()?).map_err(|_| error)?;
            variable.dimensions.push(Some(size));
            self.expect(Mark::RightBracket)?;
        }
        Ok(variable)
    }

    /// Parses `.attribute(.managed, .unified(a, b))`. Returns whether `.managed` is present.
    pub(super) fn attributes(&mut self) -> Parsed<bool> {
        let mut managed = false;
        while self.eat_dotted("attribute") {
            self.expect(Mark::LeftParenthesis)?;
            loop {
                let Some(word) = self.dotted() else { return Err(self.unexpected()) };
                managed |= word == "managed";
                self.bump();
                if self.eat(Mark::LeftParenthesis) {
                    self.constant()?;
                    while self.eat(Mark::Comma) {
                        self.constant()?;
                    }
                    self.expect(Mark::RightParenthesis)?;
                }
                if !self.eat(Mark::Comma) {
                    break;
                }
            }
            self.expect(Mark::RightParenthesis)?;
        }
        Ok(managed)
    }

    /// Skips an initial value, if there is one.
    pub(super) fn skip_initial(&mut self) {
        let mut depth = 0_u32;
        loop {
            match self.token.kind {
                TokenKind::End => return,
                // No value has a directive. The caller expects the end of the declaration.
                TokenKind::Mark(Mark::Comma | Mark::Semicolon) | TokenKind::Dotted if depth == 0 => return,
                TokenKind::Mark(Mark::LeftBrace | Mark::LeftParenthesis) => depth += 1,
                TokenKind::Mark(Mark::RightBrace | Mark::RightParenthesis) => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    fn initial(&mut self) -> Parsed<Initial<'s>> {
        self.nested(|parser| {
            if !parser.eat(Mark::LeftBrace) {
                return parser.initial_value();
            }
            if parser.token.kind == TokenKind::Name && parser.ahead.kind == TokenKind::Mark(Mark::Equal) {
                return parser.fields();
            }
            let mut values = Vec::new();
            if parser.eat(Mark::RightBrace) {
                return Ok(Initial::List(values));
            }
            loop {
                values.push(parser.initial()?);
                if parser.eat(Mark::RightBrace) {
                    return Ok(Initial::List(values));
                }
                parser.expect(Mark::Comma)?;
            }
        })
    }

    /// Parses `{ width = 5, filter_mode = linear }`, after the opening brace.
    fn fields(&mut self) -> Parsed<Initial<'s>> {
        loop {
            self.name()?;
            self.expect(Mark::Equal)?;
            if self.token.kind == TokenKind::Name {
                self.bump();
            } else {
                self.constant()?;
            }
            if self.eat(Mark::RightBrace) {
                return Ok(Initial::Fields);
            }
            self.expect(Mark::Comma)?;
        }
    }

    fn initial_value(&mut self) -> Parsed<Initial<'s>> {
        if let TokenKind::Integer { bits, .. } = self.token.kind
            && self.ahead.kind == TokenKind::Mark(Mark::LeftParenthesis)
        {
            // `0xff00(symbol)`: some bits of an address.
            self.bump();
            self.bump();
            let address = self.address(bits)?;
            self.expect(Mark::RightParenthesis)?;
            return Ok(address);
        }
        if self.token.kind == TokenKind::Name && self.token.text != "WARP_SZ" {
            return self.address(u64::MAX);
        }
        Ok(Initial::Constant(self.constant()?))
    }

    fn address(&mut self, mask: u64) -> Parsed<Initial<'s>> {
        let mut name = self.name()?;
        // `generic` is not kept: `cuda-sim` gives variables in global and constant memory generic addresses anyway.
        if name == "generic" && self.eat(Mark::LeftParenthesis) {
            name = self.name()?;
            self.expect(Mark::RightParenthesis)?;
        }
        let addend = if self.eat(Mark::Plus) || self.at(Mark::Minus) { self.distance()? } else { 0 };
        Ok(Initial::Address { name, addend, mask })
    }
}

fn vector_size(word: &str) -> Option<u32> {
    Some(match word {
        "v2" => 2,
        "v4" => 4,
        "v8" => 8,
        _ => return None,
    })
}

fn kind(word: &str) -> Option<VariableType> {
    Some(match word {
        "texref" => VariableType::Texture,
        "surfref" => VariableType::Surface,
        "samplerref" => VariableType::Sampler,
        _ => VariableType::Scalar(Scalar::from_declaration(word)?),
    })
}
