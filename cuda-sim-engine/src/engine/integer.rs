//! Integer operations.

use super::registers::{Lane, Registers};
use crate::op::{Count, Integer1, Integer2, Integer3, IntegerKind, Slot};

/// Integer type of integer operations.
pub(super) trait Integer: Lane + Ord {
    const BITS: u32;
    fn zero() -> Self;
    fn one() -> Self;
    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
    fn add_saturated(self, other: Self) -> Self;
    fn subtract_saturated(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    fn multiply_high(self, other: Self) -> Self;
    fn divide(self, other: Self) -> Self;
    fn remainder(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn complement(self) -> Self;
    fn negate(self) -> Self;
    fn absolute(self) -> Self;
    fn reverse(self) -> Self;
    fn shift_left(self, amount: u32) -> Self;
    fn shift_right(self, amount: u32) -> Self;
    fn ones(self) -> u32;
    fn zeros(self) -> u32;
    /// Returns the number with inverted bits if it is negative.
    fn magnitude_bits(self) -> Self;
    /// Returns bits 0 to 31, or 16 to 47, of the product of the low 24 bits.
    fn multiply_short(self, other: Self, high: bool) -> Self;
}

macro_rules! integer {
    ($type:ident, $wide:ident, $absolute:expr, $magnitude:expr) => {
        impl Integer for $type {
            const BITS: u32 = $type::BITS;

            #[inline(always)]
            fn zero() -> Self {
                0
            }
            #[inline(always)]
            fn one() -> Self {
                1
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn subtract(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn add_saturated(self, other: Self) -> Self {
                self.saturating_add(other)
            }
            #[inline(always)]
            fn subtract_saturated(self, other: Self) -> Self {
                self.saturating_sub(other)
            }
            #[inline(always)]
            fn multiply(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn multiply_high(self, other: Self) -> Self {
                ($wide::from(self) * $wide::from(other) >> $type::BITS) as $type
            }
            // PTX leaves division by zero undefined. The hardware yields all ones for quotient and remainder.
            #[inline(always)]
            fn divide(self, other: Self) -> Self {
                if other == 0 { !0 } else { self.wrapping_div(other) }
            }
            #[inline(always)]
            fn remainder(self, other: Self) -> Self {
                if other == 0 { !0 } else { self.wrapping_rem(other) }
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn complement(self) -> Self {
                !self
            }
            #[inline(always)]
            fn negate(self) -> Self {
                self.wrapping_neg()
            }
            #[inline(always)]
            fn absolute(self) -> Self {
                $absolute(self)
            }
            #[inline(always)]
            fn reverse(self) -> Self {
                self.reverse_bits()
            }
            #[inline(always)]
            fn shift_left(self, amount: u32) -> Self {
                if amount < $type::BITS { self << amount } else { 0 }
            }
            #[inline(always)]
            fn shift_right(self, amount: u32) -> Self {
                let shifted = self >> amount.min($type::BITS - 1);
                // If the amount exceeds the width, one further shift leaves zero or, for a signed number, the sign.
                if amount < $type::BITS { shifted } else { shifted >> ($type::BITS - 1) }
            }
            #[inline(always)]
            fn ones(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn zeros(self) -> u32 {
                self.leading_zeros()
            }
            #[inline(always)]
            fn magnitude_bits(self) -> Self {
                $magnitude(self)
            }
            #[inline(always)]
            fn multiply_short(self, other: Self, high: bool) -> Self {
                let short = |value: $type| (i64::from(value as u32) << 40).cast_unsigned();
                let (a, b) = (short(self), short(other));
                let product = if $type::MIN == 0 {
                    (a >> 40) * (b >> 40)
                } else {
                    ((a.cast_signed() >> 40) * (b.cast_signed() >> 40)).cast_unsigned()
                };
                (if high { product >> 16 } else { product }) as $type
            }
        }
    };
}

macro_rules! widths {
    ($($unsigned:ident, $signed:ident, $wide_unsigned:ident, $wide_signed:ident;)*) => {
        $(
            integer!($unsigned, $wide_unsigned, |value| value, |value| value);
            integer!($signed, $wide_signed, $signed::wrapping_abs, |value: $signed| if value < 0 { !value } else { value });
        )*
    };
}

widths! {
    u16, i16, u32, i32;
    u32, i32, u64, i64;
    u64, i64, u128, i128;
}

/// Calls a generic function for the type of a kind.
macro_rules! by_kind {
    ($kind:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $kind {
            IntegerKind::U16 => $function::<u16>($($argument),*),
            IntegerKind::S16 => $function::<i16>($($argument),*),
            IntegerKind::U32 => $function::<u32>($($argument),*),
            IntegerKind::S32 => $function::<i32>($($argument),*),
            IntegerKind::U64 => $function::<u64>($($argument),*),
            IntegerKind::S64 => $function::<i64>($($argument),*),
        }
    };
}

/// Calls a generic function for the unsigned type of a kind, for operations that ignore the sign.
macro_rules! by_width {
    ($kind:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $kind {
            IntegerKind::U16 | IntegerKind::S16 => $function::<u16>($($argument),*),
            IntegerKind::U32 | IntegerKind::S32 => $function::<u32>($($argument),*),
            IntegerKind::U64 | IntegerKind::S64 => $function::<u64>($($argument),*),
        }
    };
}

#[inline(never)]
pub(super) fn integer1(
    r: &mut Registers,
    mask: u32,
    kind: IntegerKind,
    operation: Integer1,
    d: Slot,
    a: Slot,
) {
    #[inline(always)]
    fn bits<T: Integer>(r: &mut Registers, mask: u32, operation: Integer1, d: Slot, a: Slot) {
        match operation {
            Integer1::Negate => r.map1(mask, d, a, T::negate),
            Integer1::Not => r.map1(mask, d, a, T::complement),
            Integer1::IsZero => {
                r.map1(mask, d, a, |a: T| if a == T::zero() { T::one() } else { T::zero() });
            }
            Integer1::Reverse => r.map1(mask, d, a, T::reverse),
            Integer1::Absolute => {}
        }
    }
    #[inline(always)]
    fn absolute<T: Integer>(r: &mut Registers, mask: u32, d: Slot, a: Slot) {
        r.map1(mask, d, a, T::absolute);
    }
    if operation == Integer1::Absolute {
        by_kind!(kind, absolute(r, mask, d, a));
    } else {
        by_width!(kind, bits(r, mask, operation, d, a));
    }
}

#[inline(never)]
pub(super) fn integer2(
    r: &mut Registers,
    mask: u32,
    kind: IntegerKind,
    operation: Integer2,
    d: Slot,
    sources: [Slot; 2],
) {
    #[inline(always)]
    fn bits<T: Integer>(r: &mut Registers, mask: u32, operation: Integer2, d: Slot, s: [Slot; 2]) -> bool {
        match operation {
            Integer2::Add => r.map2(mask, d, s, T::add),
            Integer2::Subtract => r.map2(mask, d, s, T::subtract),
            Integer2::MultiplyLow => r.map2(mask, d, s, T::multiply),
            Integer2::And => r.map2(mask, d, s, T::and),
            Integer2::Or => r.map2(mask, d, s, T::or),
            Integer2::Xor => r.map2(mask, d, s, T::xor),
            _ => return false,
        }
        true
    }
    #[inline(always)]
    fn numbers<T: Integer>(r: &mut Registers, mask: u32, operation: Integer2, d: Slot, s: [Slot; 2]) {
        match operation {
            Integer2::AddSaturated => r.map2(mask, d, s, T::add_saturated),
            Integer2::SubtractSaturated => r.map2(mask, d, s, T::subtract_saturated),
            Integer2::MultiplyHigh => r.map2(mask, d, s, T::multiply_high),
            Integer2::Multiply24Low => r.map2(mask, d, s, |a: T, b| a.multiply_short(b, false)),
            Integer2::Multiply24High => r.map2(mask, d, s, |a: T, b| a.multiply_short(b, true)),
            Integer2::Divide => r.map2(mask, d, s, T::divide),
            Integer2::Remainder => r.map2(mask, d, s, T::remainder),
            Integer2::Minimum => r.map2(mask, d, s, |a: T, b| a.min(b)),
            Integer2::Maximum => r.map2(mask, d, s, |a: T, b| a.max(b)),
            // The others are bitwise operations.
            _ => {}
        }
    }
    if !by_width!(kind, bits(r, mask, operation, d, sources)) {
        by_kind!(kind, numbers(r, mask, operation, d, sources));
    }
}

#[inline(never)]
pub(super) fn integer3(
    r: &mut Registers,
    mask: u32,
    kind: IntegerKind,
    operation: Integer3,
    d: Slot,
    sources: [Slot; 3],
) {
    #[inline(always)]
    fn multiply_add<T: Integer>(r: &mut Registers, mask: u32, d: Slot, s: [Slot; 3]) {
        r.map3(mask, d, s, |a: T, b, c| a.multiply(b).add(c));
    }
    #[inline(always)]
    fn numbers<T: Integer>(r: &mut Registers, mask: u32, operation: Integer3, d: Slot, s: [Slot; 3]) {
        match operation {
            Integer3::MultiplyAdd => {}
            Integer3::MultiplyHighAdd => r.map3(mask, d, s, |a: T, b, c| a.multiply_high(b).add(c)),
            Integer3::MultiplyHighAddSaturated => {
                r.map3(mask, d, s, |a: T, b, c| a.multiply_high(b).add_saturated(c));
            }
            Integer3::Multiply24LowAdd => r.map3(mask, d, s, |a: T, b, c| a.multiply_short(b, false).add(c)),
            Integer3::Multiply24HighAdd => r.map3(mask, d, s, |a: T, b, c| a.multiply_short(b, true).add(c)),
            Integer3::Multiply24HighAddSaturated => {
                r.map3(mask, d, s, |a: T, b, c| a.multiply_short(b, true).add_saturated(c));
            }
            Integer3::AbsoluteDifferenceAdd => r.map3(mask, d, s, |a: T, b: T, c: T| {
                let difference = if a < b { b.subtract(a) } else { a.subtract(b) };
                c.add(difference)
            }),
        }
    }
    if operation == Integer3::MultiplyAdd {
        by_width!(kind, multiply_add(r, mask, d, sources));
    } else {
        by_kind!(kind, numbers(r, mask, operation, d, sources));
    }
}

#[inline(never)]
pub(super) fn shift(
    r: &mut Registers,
    mask: u32,
    kind: IntegerKind,
    left: bool,
    d: Slot,
    sources: [Slot; 2],
) {
    #[inline(always)]
    fn to_left<T: Integer>(r: &mut Registers, mask: u32, d: Slot, s: [Slot; 2]) {
        r.map2(mask, d, s, |a: T, b: u32| a.shift_left(b));
    }
    #[inline(always)]
    fn to_right<T: Integer>(r: &mut Registers, mask: u32, d: Slot, s: [Slot; 2]) {
        r.map2(mask, d, s, |a: T, b: u32| a.shift_right(b));
    }
    if left {
        by_width!(kind, to_left(r, mask, d, sources));
    } else {
        by_kind!(kind, to_right(r, mask, d, sources));
    }
}

#[inline(never)]
pub(super) fn count(r: &mut Registers, mask: u32, kind: IntegerKind, operation: Count, d: Slot, a: Slot) {
    #[inline(always)]
    fn ones<T: Integer>(r: &mut Registers, mask: u32, d: Slot, a: Slot) {
        r.map1(mask, d, a, |a: T| a.ones());
    }
    #[inline(always)]
    fn zeros<T: Integer>(r: &mut Registers, mask: u32, d: Slot, a: Slot) {
        r.map1(mask, d, a, |a: T| a.zeros());
    }
    #[inline(always)]
    fn find<T: Integer>(r: &mut Registers, mask: u32, from_above: bool, d: Slot, a: Slot) {
        r.map1(mask, d, a, |a: T| {
            let zeros = a.magnitude_bits().zeros();
            let place = if from_above { zeros } else { (T::BITS - 1).wrapping_sub(zeros) };
            if zeros == T::BITS { u32::MAX } else { place }
        });
    }
    match operation {
        Count::Ones => by_width!(kind, ones(r, mask, d, a)),
        Count::LeadingZeros => by_width!(kind, zeros(r, mask, d, a)),
        Count::Find => by_kind!(kind, find(r, mask, false, d, a)),
        Count::FindShift => by_kind!(kind, find(r, mask, true, d, a)),
    }
}

/// Multiplies to twice the width of the factors, and adds `c` if there is one.
#[inline(never)]
pub(super) fn widen(r: &mut Registers, mask: u32, kind: IntegerKind, d: Slot, s: [Slot; 2], c: Option<Slot>) {
    match (kind, c) {
        (IntegerKind::U16, None) => r.map2(mask, d, s, |a: u16, b: u16| u32::from(a) * u32::from(b)),
        (IntegerKind::S16, None) => r.map2(mask, d, s, |a: i16, b: i16| i32::from(a) * i32::from(b)),
        (IntegerKind::U32 | IntegerKind::U64, None) => {
            r.map2(mask, d, s, |a: u32, b: u32| u64::from(a) * u64::from(b));
        }
        (IntegerKind::S32 | IntegerKind::S64, None) => {
            r.map2(mask, d, s, |a: i32, b: i32| i64::from(a) * i64::from(b));
        }
        (IntegerKind::U16, Some(c)) => r.map3(mask, d, [s[0], s[1], c], |a: u16, b: u16, c: u32| {
            (u32::from(a) * u32::from(b)).wrapping_add(c)
        }),
        (IntegerKind::S16, Some(c)) => r.map3(mask, d, [s[0], s[1], c], |a: i16, b: i16, c: i32| {
            (i32::from(a) * i32::from(b)).wrapping_add(c)
        }),
        (IntegerKind::U32 | IntegerKind::U64, Some(c)) => {
            r.map3(mask, d, [s[0], s[1], c], |a: u32, b: u32, c: u64| {
                (u64::from(a) * u64::from(b)).wrapping_add(c)
            });
        }
        (IntegerKind::S32 | IntegerKind::S64, Some(c)) => {
            r.map3(mask, d, [s[0], s[1], c], |a: i32, b: i32, c: i64| {
                (i64::from(a) * i64::from(b)).wrapping_add(c)
            });
        }
    }
}
