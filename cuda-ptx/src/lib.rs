//! A parser for PTX, the assembly language of NVIDIA GPUs: syntax tree, kernel signatures, versions and targets.
//!
//! [`entries`] reads the signatures of the kernels of a text, without their bodies:
//!
//! ```
//! let source = "
//!     .version 8.0
//!     .target sm_70
//!     .address_size 64
//!     .visible .entry scale(.param .u64 .ptr .global .align 16 data, .param .f32 factor) {
//!         ret;
//!     }";
//! let kernel = cuda_ptx::entries(source).next().unwrap()?;
//! assert_eq!(kernel.name, "scale");
//! assert_eq!(kernel.params[0].size, 8);
//! assert_eq!(kernel.params[1].kind.scalar(), cuda_ptx::types::Scalar::F32);
//! # Ok::<(), cuda_ptx::ParseError>(())
//! ```
//!
//! [`parse`] reads a whole text to a [syntax tree](ast). It has the grammar of `ptxas`, and reports syntax errors in its
//! words. The grammar of PTX is small and its vocabulary is large, so the parser has no table of instructions: an
//! instruction is an opcode, its modifiers and its operands. The tables [`opcode`] and [`modifier`] say which exist. A text
//! with an instruction that they lack can be parsed.
//!
//! | module | content |
//! |---|---|
//! | [`lexer`] | tokens |
//! | [`ast`] | the syntax tree |
//! | [`types`] | fundamental types and state spaces |
//! | [`modifier`], [`opcode`] | the vocabulary of instructions |
//! | [`target`] | PTX versions and target architectures |
//! | [`diagnostic`] | messages in the layout of the driver's log |
//!
//! No function of this crate panics, whatever the text is.

#![forbid(unsafe_code)]

pub mod ast;
pub mod diagnostic;
mod entry;
mod expression;
pub mod lexer;
pub mod modifier;
pub mod opcode;
mod parser;
pub mod target;
#[cfg(test)]
mod tests;
pub mod types;

pub use entry::{Entries, Entry, Param, entries};
pub use parser::{ParseError, parse};
