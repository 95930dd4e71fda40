//! Functions: headers, parameters, performance directives.

use super::{Parsed, Parser};
use crate::ast::{Function, Limits, Linkage, Statement, Variable};
#[cfg(not(feature = "parser"))]
use crate::diagnostic::Diagnostic;
use crate::lexer::{Mark, TokenKind};
use crate::types::Space;

/// First version in which kernels have parameter lists. Earlier versions declare parameters among the statements.
pub(super) const PARAMETER_LISTS: (u32, u32) = (1, 4);

/// Moves the parameters out of a kernel's statements, also out of nested blocks.
fn take_parameters<'s>(body: Vec<Statement<'s>>, params: &mut Vec<Variable<'s>>) -> Vec<Statement<'s>> {
    let mut others = Vec::with_capacity(body.len());
    for statement in body {
        match statement {
            Statement::Variable(variable) if variable.space == Space::Parameter => params.push(variable),
            Statement::Block(nested) => others.push(Statement::Block(take_parameters(nested, params))),
            other => others.push(other),
        }
    }
    others
}

impl<'s> Parser<'s> {
    /// Parses a function without its body, after `.entry` or `.func`.
    pub(super) fn function_head(&mut self, linkage: Linkage, entry: bool) -> Parsed<Function<'s>> {
        self.attributes()?;
        let returns = if !entry && self.at(Mark::LeftParenthesis) { self.parameters()? } else { Vec::new() };
        let line = self.token.line;
        let name = self.name()?;
        let params = if self.at(Mark::LeftParenthesis) { self.parameters()? } else { Vec::new() };
        let mut function = Function {
            linkage,
            entry,
            returns,
            name,
            params,
            limits: Limits::default(),
            noreturn: false,
            body: None,
            line,
        };
        while self.token.kind == TokenKind::Dotted {
            self.directive(&mut function)?;
        }
        if self.at(Mark::LeftBrace) || self.at(Mark::Semicolon) {
            Ok(function)
        } else {
            Err(self.unexpected())
        }
    }

    /// Parses the body of a function.
    pub(super) fn function_body(&mut self, function: &mut Function<'s>) -> Parsed<()> {
        self.expect(Mark::LeftBrace)?;
        let mut body = self.body()?;
        if function.entry && self.version < PARAMETER_LISTS {
            body = take_parameters(body, &mut function.params);
        }
        function.body = Some(body);
        Ok(())
    }

    /// Parses the body of a kernel of PTX before 1.4, which declares its parameters there.
    #[cfg(feature = "parser")]
    pub(super) fn parameters_of_body(&mut self, function: &mut Function<'s>) -> Parsed<()> {
        self.function_body(function)
    }

    #[cfg(not(feature = "parser"))]
    pub(super) fn parameters_of_body(&mut self, _: &mut Function<'s>) -> Parsed<()> {
        let text = "Parameters of kernels of PTX before 1.4 need the feature 'parser' of cuda-ptx; enable it";
        Err(Diagnostic::fatal(self.token.line, text))
    }

    /// Parses a list of parameters in parentheses.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Variable<'s>>> {
        self.expect(Mark::LeftParenthesis)?;
        let mut params = Vec::new();
        if self.eat(Mark::RightParenthesis) {
            return Ok(params);
        }
        loop {
            let head = self.head(Linkage::Internal)?;
            params.push(self.declarator(&head)?);
            if self.eat(Mark::RightParenthesis) {
                return Ok(params);
            }
            self.expect(Mark::Comma)?;
        }
    }

    fn directive(&mut self, function: &mut Function<'s>) -> Parsed<()> {
        let line = self.token.line;
        let limits = &mut function.limits;
        match self.dotted() {
            Some("maxntid") => {
                self.bump();
                let extent = self.extent()?;
                limits.max_threads = Some(extent);
                limits.must_not_be(&extent, "maxntid", line);
            }
            Some("reqntid") => {
                self.bump();
                let extent = self.extent()?;
                limits.required_threads = Some(extent);
                limits.must_not_be(&extent, "reqntid", line);
            }
            Some("maxnreg") => {
                self.bump();
                let registers = self.small_integer()?;
                limits.max_registers = Some(registers);
                limits.must_not_be(&[registers], "maxnreg", line);
            }
            Some("reqnctapercluster") => {
                self.bump();
                limits.cluster = Some(self.extent()?);
            }
            Some("explicitcluster") => {
                self.bump();
                limits.explicit_cluster = true;
            }
            Some("blocksareclusters") => {
                self.bump();
                limits.blocks_are_clusters = true;
            }
            Some("maxclusterrank") => {
                self.bump();
                limits.max_cluster_rank = Some(self.small_integer()?);
            }
            Some("minnctapersm") => {
                self.bump();
                let blocks = self.small_integer()?;
                limits.must_not_be(&[blocks], "minnctapersm", line);
            }
            Some("maxnctapersm") => {
                self.bump();
                limits.max_blocks.get_or_insert(line);
                let blocks = self.small_integer()?;
                limits.must_not_be(&[blocks], "maxnctapersm", line);
            }
            Some("abi_preserve" | "abi_preserve_control") => {
                self.bump();
                self.small_integer()?;
            }
            Some("noreturn") => {
                self.bump();
                function.noreturn = true;
            }
            Some("pragma") => {
                let pragma = self.pragma()?;
                self.pragmas.push(pragma);
            }
            _ => return Err(self.unexpected()),
        }
        Ok(())
    }

    /// Parses up to three sizes.
    fn extent(&mut self) -> Parsed<[u32; 3]> {
        let mut extent = [1; 3];
        for (index, size) in extent.iter_mut().enumerate() {
            if index > 0 && !self.eat(Mark::Comma) {
                break;
            }
            *size = self.small_integer()?;
        }
        Ok(extent)
    }
}

impl Limits {
    /// Records the first directive with a number that is 0.
    fn must_not_be(&mut self, numbers: &[u32], directive: &'static str, line: u32) {
        if numbers.contains(&0) {
            self.nothing.get_or_insert((directive, line));
        }
    }
}
