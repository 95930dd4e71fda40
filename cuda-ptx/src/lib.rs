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
//! [`declarations`] reads the variables, too.
//!
//! [`parse`] parses a whole text into a [syntax tree](ast). It has the grammar of `ptxas`, and reports syntax errors in
//! the words of `ptxas`. The grammar of PTX is small and its vocabulary is large, so the parser has no table of
//! instructions. An instruction is an opcode, its modifiers and its operands. [`opcode`] and [`modifier`] are tables of
//! existing opcodes and modifiers. A text with an instruction that these tables lack can still be parsed.
//!
//! | module | content |
//! |---|---|
//! | [`lexer`] | tokens |
//! | [`ast`] | the syntax tree |
//! | [`types`] | fundamental types and state spaces |
//! | [`modifier`], [`opcode`] | the vocabulary of instructions |
//! | [`mangle`] | C++ names of kernels, decoded |
//! | [`target`] | PTX versions and target architectures |
//! | [`diagnostic`] | messages in the layout of the driver's log |
//!
//! The feature `parser` is on by default. Without it there are [`entries`] and [`declarations`], for PTX 1.4 and newer. The feature
//! `mangle` adds the module [`mangle`].
//!
//! No function of this crate panics, for any text.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// Without the parser, private modules have more than `declarations` needs.
#![cfg_attr(not(feature = "parser"), allow(dead_code, unreachable_pub, rustdoc::broken_intra_doc_links))]

/// Declares modules that are public with the feature `parser`. Without it, only the parts that [`declarations`] needs
/// are compiled.
macro_rules! parser_modules {
    ($($module:ident)*) => {$(
        #[cfg(feature = "parser")]
        pub mod $module;
        #[cfg(not(feature = "parser"))]
        mod $module;
    )*};
}

parser_modules! { diagnostic lexer modifier opcode target }

pub mod ast;
pub mod types;

mod declarations;
mod entry;
mod expression;
#[cfg(feature = "mangle")]
pub mod mangle;
mod parser;
#[cfg(all(test, feature = "parser"))]
mod tests;
mod walk;

pub use declarations::{Declarations, declarations};
pub use entry::{Entries, Entry, Param, entries};
pub use parser::ParseError;
#[cfg(feature = "parser")]
pub use parser::parse;
