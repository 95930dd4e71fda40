//! PTX as text: its syntax, the names of its opcodes and modifiers, its versions and targets.
//!
//! The syntax of PTX is small and regular, its vocabulary large and growing. The parser therefore knows no opcodes: an
//! instruction is a name, the words after its dots, and operands. What a word means is looked up in tables
//! ([`opcode`], [`modifier`]) by whoever gives instructions a meaning, so that an instruction nobody has heard of is a
//! complaint about one line and never a parse failure of the module.

#![forbid(unsafe_code)]
#![allow(missing_docs)]

pub mod ast;
pub mod diagnostic;
mod expression;
mod lexer;
pub mod modifier;
pub mod opcode;
mod parser;
pub mod target;
#[cfg(test)]
mod tests;
pub mod types;

pub use parser::{ParseError, parse};
