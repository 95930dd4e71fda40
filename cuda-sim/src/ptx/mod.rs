//! PTX as text: its syntax, the names of its opcodes and modifiers, its versions and targets.
//!
//! The syntax of PTX is small and regular, its vocabulary large and growing. The parser therefore knows no opcodes: an
//! instruction is a name, the words after its dots, and operands. What a word means is looked up in tables
//! ([`opcode`], [`modifier`]) by whoever gives instructions a meaning, so that an instruction nobody has heard of is a
//! complaint about one line and never a parse failure of the module.

pub(crate) mod ast;
pub(crate) mod diagnostic;
mod expression;
mod lexer;
pub(crate) mod modifier;
pub(crate) mod opcode;
mod parser;
pub(crate) mod target;
#[cfg(test)]
mod tests;
pub(crate) mod types;

pub(crate) use parser::{ParseError, parse};
