//! Relations between the arguments of a `safe fn`.

use crate::error::{Error, Result};
use cuda_sys::Symbol;

/// The result of the relations of a kernel.
#[doc(hidden)]
#[derive(Debug)]
pub struct Relations {
    kernel: &'static str,
    /// The first relation that does not hold.
    refused: Option<Box<Error>>,
}

/// A comparison in a relation.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum Comparison {
    AtMost,
    Below,
    AtLeast,
    Above,
    Equal,
}

impl Relations {
    /// Makes relations without a failure.
    #[doc(hidden)]
    #[inline(always)]
    pub fn of(kernel: &'static str) -> Self {
        Relations { kernel, refused: None }
    }

    /// Adds a relation. `text` is the relation in the form of the program.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub fn and(self, text: &'static str, left: Wide, comparison: Comparison, right: Wide) -> Self {
        let holds = match (left.0, right.0) {
            (Some(left), Some(right)) => match comparison {
                Comparison::AtMost => left <= right,
                Comparison::Below => left < right,
                Comparison::AtLeast => left >= right,
                Comparison::Above => left > right,
                Comparison::Equal => left == right,
            },
            _ => false,
        };
        match self.refused {
            None if !holds => Relations { refused: Some(refusal(self.kernel, text, left, right)), ..self },
            _ => self,
        }
    }

    /// Returns the failure of the first relation that does not hold.
    #[inline(always)]
    pub(super) fn result(self) -> Result<()> {
        self.refused.map_or(Ok(()), |refusal| Err(*refusal))
    }
}

#[cold]
#[inline(never)]
fn refusal(kernel: &str, relation: &str, left: Wide, right: Wide) -> Box<Error> {
    let (left, right) = (left.written(), right.written());
    Box::new(Error::invalid_for(
        Symbol::cuLaunchKernel,
        format_args!("`{relation}` of kernel `{kernel}` does not hold: {left} and {right} are compared"),
    ))
}

/// An integer of a relation. `None` after an overflow of its digits, or after a division by 0.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Wide(Option<i128>);

impl Wide {
    fn written(self) -> String {
        self.0.map_or_else(|| "a number that cannot be computed".to_owned(), |number| number.to_string())
    }
}

/// An integer of Rust, of up to 64 bits.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer",
    label = "not an integer, which a relation compares",
    note = "the length of memory is `data.len()`"
)]
pub trait Integer {
    #[doc(hidden)]
    fn wide(self) -> i128;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Integer for $type {
            #[inline(always)]
            fn wide(self) -> i128 {
                self as i128
            }
        }
    )*};
}
integers! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize i128 }

/// Converts an integer to the form in which relations compute.
#[doc(hidden)]
#[inline(always)]
pub fn integer(number: impl Integer) -> Wide {
    Wide(Some(number.wide()))
}

macro_rules! operations {
    ($($name:ident: $checked:ident;)*) => {$(
        /// Computes a number of a relation.
        #[doc(hidden)]
        #[inline(always)]
        pub fn $name(left: Wide, right: Wide) -> Wide {
            Wide(left.0.zip(right.0).and_then(|(left, right)| left.$checked(right)))
        }
    )*};
}
operations! {
    sum: checked_add;
    difference: checked_sub;
    product: checked_mul;
    quotient: checked_div;
    remainder: checked_rem;
}
