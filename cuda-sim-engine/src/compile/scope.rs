//! Names inside a function.

use std::borrow::Cow;
use std::collections::HashMap;

use cuda_ptx::types::Scalar;

use crate::op::{Place, Slot};
use crate::program::ReferenceKind;

/// Meaning of a name.
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
        /// Offset in the local memory of a call, if the function takes the address of its parameter.
        stack: Option<i64>,
    },
    Function(usize),
    Label(usize),
    Targets(usize),
    /// `.callprototype`, by its number in the function.
    Prototype(usize),
}

/// Elements of an array.
#[derive(Debug, Clone, Copy)]
pub(super) struct Elements {
    pub(super) scalar: Scalar,
    /// Bytes that an index counts.
    pub(super) bytes: u32,
}

/// Properties of a parameter, for comparison with another parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) scalar: Scalar,
    pub(super) size: u32,
    pub(super) align: u32,
    pub(super) array: bool,
}

/// Role of a parameter variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Input,
    Output,
    /// Parameter variable in a body, declared for a call.
    Call,
}

/// Range of registers such as `%r<20>`. Its registers are created on first use.
#[derive(Debug)]
struct Range {
    scalar: Scalar,
    vector: u32,
    count: u32,
    used: HashMap<u32, Symbol>,
}

/// Names declared inside one pair of braces.
#[derive(Debug, Default)]
pub(super) struct Scope<'s> {
    names: HashMap<Cow<'s, str>, Symbol>,
    ranges: HashMap<&'s str, Range>,
    elements: HashMap<&'s str, Elements>,
}

impl<'s> Scope<'s> {
    /// Declares a name. Returns false if the name is taken.
    pub(super) fn declare(&mut self, name: Cow<'s, str>, symbol: Symbol) -> bool {
        if self.range_of(&name).is_some() || self.names.contains_key(&name) {
            return false;
        }
        self.names.insert(name, symbol);
        true
    }

    /// Declares the registers `prefix0` to `prefix(count-1)`. Returns false if the prefix is taken.
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

    pub(super) fn declare_elements(&mut self, name: &'s str, elements: Elements) {
        self.elements.insert(name, elements);
    }

    /// Returns the elements of a name that is an array.
    pub(super) fn elements(&self, name: &str) -> Option<Elements> {
        self.elements.get(name).copied()
    }

    /// Returns the prefix and the number of a name that belongs to a range.
    fn range_of<'n>(&self, name: &'n str) -> Option<(&'n str, u32)> {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        (1..=digits).rev().find_map(|count| {
            let (prefix, digits) = name.split_at_checked(name.len() - count)?;
            let number = number(digits)?;
            let range = self.ranges.get(prefix)?;
            (number < range.count).then_some((prefix, number))
        })
    }

    /// Returns the register of a name in a range. `make` creates it on first use.
    pub(super) fn ranged(&mut self, name: &str, make: impl FnOnce(Scalar, u32) -> Symbol) -> Option<Symbol> {
        let (prefix, number) = self.range_of(name)?;
        let range = self.ranges.get_mut(prefix)?;
        let (scalar, vector) = (range.scalar, range.vector);
        Some(range.used.entry(number).or_insert_with(|| make(scalar, vector)).clone())
    }
}

/// Parses the number at the end of a register name. Leading zeros are not allowed.
fn number(digits: &str) -> Option<u32> {
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
