//! Operands and constant expressions.

use super::{Parsed, Parser};
use crate::ast::{Constant, Operand};
use crate::diagnostic::Diagnostic;
use crate::expression::{self, Problem};
use crate::lexer::{Mark, TokenKind};

/// Name of the only predefined constant.
const WARP_SIZE: &str = "WARP_SZ";

impl<'s> Parser<'s> {
    /// Parses operands up to the semicolon. In a `call`, a parenthesis opens a list. Elsewhere it opens an expression.
    pub(super) fn operands(&mut self, lists: bool) -> Parsed<Vec<Operand<'s>>> {
        let mut operands = Vec::new();
        if self.eat(Mark::Semicolon) {
            return Ok(operands);
        }
        loop {
            operands.push(self.operand(lists)?);
            if self.eat(Mark::Semicolon) {
                return Ok(operands);
            }
            self.expect(Mark::Comma)?;
        }
    }

    fn operand(&mut self, lists: bool) -> Parsed<Operand<'s>> {
        if lists && self.eat(Mark::LeftParenthesis) {
            return self.nested(|parser| Ok(Operand::List(parser.sequence(Mark::RightParenthesis)?)));
        }
        // An element is a whole operand. It is no part of another operand, and no operand of a call.
        if !lists && self.at_symbol() && self.ahead.kind == TokenKind::Mark(Mark::LeftBracket) {
            return self.element();
        }
        let operand = self.simple()?;
        if self.eat(Mark::Pipe) {
            let second = self.simple()?;
            return Ok(Operand::Pair(Box::new(operand), Box::new(second)));
        }
        Ok(operand)
    }

    /// Parses operands separated by commas up to `close`, which is consumed.
    fn sequence(&mut self, close: Mark) -> Parsed<Vec<Operand<'s>>> {
        let mut operands = Vec::new();
        if self.eat(close) {
            return Ok(operands);
        }
        loop {
            operands.push(self.simple()?);
            if self.eat(close) {
                return Ok(operands);
            }
            self.expect(Mark::Comma)?;
        }
    }

    pub(super) fn simple(&mut self) -> Parsed<Operand<'s>> {
        self.nested(Self::simple_here)
    }

    fn simple_here(&mut self) -> Parsed<Operand<'s>> {
        let names = |kind: TokenKind, text: &str| kind == TokenKind::Name && text != WARP_SIZE;
        match self.token.kind {
            TokenKind::Mark(Mark::Not) if names(self.ahead.kind, self.ahead.text) => {
                self.bump();
                Ok(Operand::Not(Box::new(self.simple()?)))
            }
            TokenKind::Mark(Mark::Minus) if names(self.ahead.kind, self.ahead.text) => {
                self.bump();
                Ok(Operand::Negative(Box::new(self.simple()?)))
            }
            TokenKind::Mark(Mark::LeftBrace) => {
                self.bump();
                Ok(Operand::Vector(self.sequence(Mark::RightBrace)?))
            }
            TokenKind::Mark(Mark::LeftBracket) => {
                self.bump();
                Ok(Operand::Address(self.sequence(Mark::RightBracket)?))
            }
            kind if names(kind, self.token.text) => self.named(),
            _ => Ok(Operand::Constant(self.constant()?)),
        }
    }

    /// Parses an operand that begins with a name.
    fn named(&mut self) -> Parsed<Operand<'s>> {
        let name = self.bump().text;
        if name == "_" {
            return Ok(Operand::Sink);
        }
        if let Some(component) = self.dotted() {
            self.bump();
            return Ok(Operand::Component { name, component });
        }
        let addend = if self.eat(Mark::Plus) { self.distance()? } else { 0 };
        Ok(Operand::Name { name, addend })
    }

    fn element(&mut self) -> Parsed<Operand<'s>> {
        let name = self.bump().text;
        self.expect(Mark::LeftBracket)?;
        let index = if self.at_symbol() {
            let name = self.bump().text;
            let addend = if self.eat(Mark::Plus) { self.distance()? } else { 0 };
            Operand::Name { name, addend }
        } else {
            let bits = self.distance()?.cast_unsigned();
            Operand::Constant(Constant::Integer { bits, signed: true })
        };
        self.expect(Mark::RightBracket)?;
        Ok(Operand::Element { name, index: Box::new(index) })
    }

    /// Returns whether the current token is a name other than `WARP_SZ` and `_`.
    fn at_symbol(&self) -> bool {
        self.token.kind == TokenKind::Name && !matches!(self.token.text, WARP_SIZE | "_")
    }

    /// Parses a constant expression that is an index, or is added to an address.
    pub(super) fn distance(&mut self) -> Parsed<i64> {
        let line = self.token.line;
        match self.constant()? {
            Constant::Integer { bits, .. } => Ok(bits.cast_signed()),
            _ => Err(Diagnostic::error(line, "Integer constant expression expected")),
        }
    }

    /// Parses a constant expression that must be an integer.
    pub(super) fn integer(&mut self) -> Parsed<i64> {
        let error = self.unexpected();
        match self.constant()? {
            Constant::Integer { bits, .. } => Ok(bits.cast_signed()),
            _ => Err(error),
        }
    }

    /// Parses a constant expression.
    pub(super) fn constant(&mut self) -> Parsed<Constant> {
        self.nested(|parser| {
            let condition = parser.binary(1)?;
            if !parser.eat(Mark::Question) {
                return Ok(condition);
            }
            let yes = parser.constant()?;
            parser.expect(Mark::Colon)?;
            let line = parser.token.line;
            let no = parser.constant()?;
            let integer = |operand| expression::integer(operand).map_err(|problem| complain(line, problem));
            let (condition, ..) = (integer(condition)?, integer(yes)?, integer(no)?);
            Ok(if condition != 0 { yes } else { no })
        })
    }

    fn binary(&mut self, lowest: u8) -> Parsed<Constant> {
        let mut left = self.unary()?;
        while let TokenKind::Mark(mark) = self.token.kind
            && let Some(precedence) = expression::precedence(mark)
            && precedence >= lowest
        {
            let line = self.bump().line;
            let right = self.nested(|parser| parser.binary(precedence + 1))?;
            left = expression::binary(mark, left, right).map_err(|problem| complain(line, problem))?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Constant> {
        let token = self.token;
        match token.kind {
            TokenKind::Integer { bits, unsigned } => {
                self.bump();
                Ok(Constant::Integer { bits, signed: !unsigned && bits <= i64::MAX as u64 })
            }
            TokenKind::Single(bits) => {
                self.bump();
                Ok(Constant::Single(bits))
            }
            TokenKind::Double(value) => {
                self.bump();
                Ok(Constant::Double(value))
            }
            TokenKind::Name if token.text == WARP_SIZE => {
                self.bump();
                Ok(Constant::Integer { bits: 32, signed: true })
            }
            TokenKind::Mark(mark @ (Mark::Plus | Mark::Minus | Mark::Not | Mark::Tilde)) => {
                self.bump();
                let operand = self.nested(Self::unary)?;
                expression::unary(mark, operand).map_err(|problem| complain(token.line, problem))
            }
            TokenKind::Mark(Mark::LeftParenthesis) => {
                self.bump();
                if let Some(word @ ("s64" | "u64")) = self.dotted() {
                    self.bump();
                    self.expect(Mark::RightParenthesis)?;
                    return Ok(match self.nested(Self::unary)? {
                        Constant::Integer { bits, .. } => Constant::Integer { bits, signed: word == "s64" },
                        other => other,
                    });
                }
                let inner = self.constant()?;
                self.expect(Mark::RightParenthesis)?;
                Ok(inner)
            }
            _ => Err(self.unexpected()),
        }
    }
}

fn complain(line: u32, problem: Problem) -> Diagnostic {
    match problem {
        Problem::DivisionByZero => Diagnostic::fatal(line, "Constant expression has division by zero"),
        Problem::NoInteger => Diagnostic::error(line, "Integer constant expression expected"),
        Problem::Mixture => Diagnostic::error(line, "Constant expression type mismatch"),
    }
}
