//! Names inside a function.

use std::collections::HashMap;

use cuda_ptx::types::Scalar;

use crate::op::{Place, Slot};
use crate::program::ReferenceKind;

/// What a name stands for.
#[derive(Debug, Clone)]
pub(super) enum Symbol {
    /// One register, or the components of a vector register.
    Register {
        scalar: Scalar,
        places: Vec<Place>,
    },
    /// A register of 128 bits: two longs.
    WideRegister([Slot; 2]),
    /// A `.local` variable: its offset in the local memory of a call.
    Local(i64),
    Shared(usize),
    /// A `.global` or `.const` variable.
    Global(usize),
    /// A texture, surface or sampler reference of the module.
    Reference {
        index: usize,
        kind: ReferenceKind,
        usable: bool,
    },
    /// A parameter of the kernel that is the handle of a texture, surface or sampler.
    ReferenceParameter {
        offset: u32,
        kind: ReferenceKind,
    },
    /// A parameter of the kernel.
    EntryParameter {
        offset: u32,
    },
    /// A parameter variable of a device function or of a call: consecutive words.
    Parameter {
        first: Slot,
        shape: Shape,
        role: Role,
    },
    Function(usize),
    Label(usize),
    Targets(usize),
    /// `.callprototype`, by its number in the function.
    Prototype(usize),
}

/// What a parameter is, for those who compare it with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) scalar: Scalar,
    pub(super) size: u32,
    pub(super) align: u32,
    pub(super) array: bool,
}

/// What a parameter variable is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Input,
    Output,
    /// Declared in a body, for a call.
    Call,
}

/// `%r<20>`: registers that exist once they are named.
#[derive(Debug)]
struct Range {
    scalar: Scalar,
    vector: u32,
    count: u32,
    used: HashMap<u32, Symbol>,
}

/// The names of one pair of braces.
#[derive(Debug, Default)]
pub(super) struct Scope<'s> {
    names: HashMap<&'s str, Symbol>,
    ranges: HashMap<&'s str, Range>,
}

impl<'s> Scope<'s> {
    /// Declares a name; false if it is taken.
    pub(super) fn declare(&mut self, name: &'s str, symbol: Symbol) -> bool {
        if self.range_of(name).is_some() || self.names.contains_key(name) {
            return false;
        }
        self.names.insert(name, symbol);
        true
    }

    /// Declares `prefix0` to `prefix(count-1)`; false if the prefix is taken.
    pub(super) fn declare_range(&mut self, prefix: &'s str, scalar: Scalar, vector: u32, count: u32) -> bool {
        let clash = self
            .names
            .keys()
            .any(|name| name.strip_prefix(prefix).and_then(number).is_some_and(|number| number < count));
        if clash || self.ranges.contains_key(prefix) {
            return false;
        }
        self.ranges.insert(prefix, Range { scalar, vector, count, used: HashMap::new() });
        true
    }

    pub(super) fn get(&self, name: &str) -> Option<&Symbol> {
        self.names.get(name)
    }

    /// The prefix and the number of a name that belongs to a range.
    fn range_of<'n>(&self, name: &'n str) -> Option<(&'n str, u32)> {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        (1..=digits).rev().find_map(|count| {
            let (prefix, digits) = name.split_at_checked(name.len() - count)?;
            let number = number(digits)?;
            let range = self.ranges.get(prefix)?;
            (number < range.count).then_some((prefix, number))
        })
    }

    /// The register of that name in a range, made by `make` when it is first named.
    pub(super) fn ranged(&mut self, name: &str, make: impl FnOnce(Scalar, u32) -> Symbol) -> Option<Symbol> {
        let (prefix, number) = self.range_of(name)?;
        let range = self.ranges.get_mut(prefix)?;
        let (scalar, vector) = (range.scalar, range.vector);
        Some(range.used.entry(number).or_insert_with(|| make(scalar, vector)).clone())
    }
}

/// A number as register names end in: no leading zeros.
fn number(digits: &str) -> Option<u32> {
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
