//! Statements of a function body.

use super::{Parsed, Parser};
use crate::ast::{Instruction, Operand, Statement};
use crate::lexer::{Mark, TokenKind};

impl<'s> Parser<'s> {
    /// Parses statements up to the closing brace, which is consumed. The opening brace already was.
    pub(super) fn body(&mut self) -> Parsed<Vec<Statement<'s>>> {
        self.nested(|parser| {
            let mut statements = Vec::new();
            while !parser.eat(Mark::RightBrace) {
                parser.statement(&mut statements)?;
            }
            Ok(statements)
        })
    }

    fn statement(&mut self, statements: &mut Vec<Statement<'s>>) -> Parsed<()> {
        let line = self.token.line;
        match self.token.kind {
            TokenKind::Mark(Mark::LeftBrace) => {
                self.bump();
                statements.push(Statement::Block(self.body()?));
            }
            TokenKind::Debug => self.skip_line(),
            TokenKind::Mark(Mark::At) => statements.push(self.guarded()?),
            TokenKind::Name if self.ahead.kind == TokenKind::Mark(Mark::Colon) => {
                let name = self.bump().text;
                self.bump();
                match self.dotted() {
                    Some("branchtargets" | "calltargets" | "callprototype") => {
                        let statement = self.table(Some(name))?;
                        statements.push(statement);
                    }
                    _ => statements.push(Statement::Label { name, line }),
                }
            }
            TokenKind::Name => statements.push(Statement::Instruction(self.instruction(None)?)),
            TokenKind::Dotted => match self.dotted() {
                Some("loc") => self.location()?,
                Some("pragma") => statements.push(Statement::Pragma(self.pragma()?)),
                Some("branchtargets" | "calltargets" | "callprototype") => {
                    let statement = self.table(None)?;
                    statements.push(statement);
                }
                _ => {
                    let linkage = self.linkage();
                    self.variables(linkage, &mut |variable| statements.push(Statement::Variable(variable)))?;
                }
            },
            _ => return Err(self.unexpected()),
        }
        Ok(())
    }

    fn guarded(&mut self) -> Parsed<Statement<'s>> {
        self.bump();
        let negated = self.eat(Mark::Not);
        if self.token.kind != TokenKind::Name {
            return Err(self.unexpected());
        }
        let guard = self.simple()?;
        if self.token.kind != TokenKind::Name {
            return Err(self.unexpected());
        }
        Ok(Statement::Instruction(self.instruction(Some((guard, negated)))?))
    }

    fn instruction(&mut self, guard: Option<(Operand<'s>, bool)>) -> Parsed<Instruction<'s>> {
        let token = self.bump();
        let mut modifiers = Vec::new();
        while let Some(word) = self.dotted() {
            modifiers.push(word);
            self.bump();
        }
        let operands = self.operands(token.text == "call")?;
        Ok(Instruction { line: token.line, guard, opcode: token.text, modifiers, operands })
    }

    /// Parses `.branchtargets`, `.calltargets` or `.callprototype`.
    fn table(&mut self, name: Option<&'s str>) -> Parsed<Statement<'s>> {
        let token = self.bump();
        let line = token.line;
        if token.text == ".callprototype" {
            let returns = if self.at(Mark::LeftParenthesis) { self.parameters()? } else { Vec::new() };
            self.name()?;
            let params = if self.at(Mark::LeftParenthesis) { self.parameters()? } else { Vec::new() };
            while let Some("noreturn" | "abi_preserve" | "abi_preserve_control") = self.dotted() {
                self.bump();
                if matches!(self.token.kind, TokenKind::Integer { .. }) {
                    self.bump();
                }
            }
            self.expect(Mark::Semicolon)?;
            return Ok(Statement::Prototype { name, returns, params, line });
        }
        let mut targets = vec![self.name()?];
        while self.eat(Mark::Comma) {
            targets.push(self.name()?);
        }
        self.expect(Mark::Semicolon)?;
        Ok(Statement::Targets { name, targets, line })
    }
}
