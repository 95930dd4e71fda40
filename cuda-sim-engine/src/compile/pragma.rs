//! `.pragma "used_bytes_mask …"`: the bytes of a load that the program uses.
//!
//! The compiler of CUDA C++ widens loads and names the bytes that the program uses. The mask changes no loaded value.
//! ptxas passes the mask on to tools that check accesses (conformance facts V1087 and V1088).

use super::lowerer::Lowerer;
use super::unit::Unit;
use crate::op::ALL_BYTES;
use cuda_ptx::ast::Pragma;
use cuda_ptx::diagnostic::Severity;

/// First PTX version with this pragma.
const FIRST_VERSION: (u32, u32) = (8, 3);

/// Reads the text of a pragma. Returns `None` for other pragmas, and the message of ptxas for a value that it refuses.
fn used_bytes(text: &str) -> Option<Result<u32, String>> {
    // ptxas skips one character after the name, whichever it is.
    let mut rest = text.strip_prefix("used_bytes_mask")?.chars();
    rest.next();
    let value = rest.as_str();
    Some(if value.is_empty() {
        Err(format!("Argument(s) to pragma '{text}' cannot be empty"))
    } else {
        integer(value).ok_or_else(|| format!("Invalid value '{value}' specified for .pragma '{text}'"))
    })
}

/// Reads an integer as the C function `strtol` does with base 0. Returns its low 32 bits, or `None` if the text is not one
/// integer.
fn integer(text: &str) -> Option<u32> {
    let text = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let (is_negative, digits) = match (text.strip_prefix('-'), text.strip_prefix('+')) {
        (Some(digits), _) => (true, digits),
        (None, digits) => (false, digits.unwrap_or(text)),
    };
    let (radix, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => (16, digits),
        None if digits.starts_with('0') => (8, digits),
        None => (10, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0_u64;
    for digit in digits.chars() {
        value = value.saturating_mul(radix.into()).saturating_add(digit.to_digit(radix)?.into());
    }
    let least = i64::MIN.unsigned_abs();
    Some(if is_negative { value.min(least).wrapping_neg() } else { value.min(least - 1) } as u32)
}

impl Lowerer<'_, '_> {
    /// Reads a pragma between instructions. A mask applies only to the next instruction, and only
    /// if that is `ld`. If several masks precede the instruction, the last one counts.
    pub(super) fn pragma(&mut self, pragma: &Pragma<'_>) {
        if self.unit.newest < FIRST_VERSION {
            return;
        }
        for mask in pragma.texts.iter().filter_map(|text| used_bytes(text)) {
            if self.version < FIRST_VERSION {
                let text = "Feature 'used_bytes_mask' requires PTX ISA .version 8.3 or later";
                self.unit.error(pragma.line, text);
                continue;
            }
            match mask {
                Ok(mask) => self.used_bytes = mask,
                Err(text) => self.function.refused.push(text),
            }
        }
    }

    /// Returns the bytes of a load of `size` bytes that the program uses; all ones for the whole load.
    pub(super) fn used_of(&self, size: u32) -> u32 {
        let whole = ALL_BYTES >> 32_u32.saturating_sub(size).min(31);
        match self.used_bytes & whole {
            // ptxas ignores a mask without any byte of the load.
            0 => ALL_BYTES,
            used if used == whole => ALL_BYTES,
            used => used,
        }
    }
}

/// Refuses masks outside of the bodies of functions.
pub(super) fn check_scopes(unit: &mut Unit<'_>, pragmas: &[Pragma<'_>]) {
    if unit.newest < FIRST_VERSION {
        return;
    }
    for pragma in pragmas {
        for text in pragma.texts.iter().filter(|text| used_bytes(text).is_some()) {
            unit.error(pragma.line, format!("Pragma '{text}' is allowed only within function scope"));
        }
    }
}

/// Refuses the values of masks in functions. ptxas does so after all other checks, and begins with the last function.
pub(super) fn check_values(unit: &mut Unit<'_>, functions: impl DoubleEndedIterator<Item = usize>) {
    for index in functions.rev() {
        let refused = unit.functions.get_mut(index).map(|function| core::mem::take(&mut function.refused));
        for text in refused.into_iter().flatten() {
            unit.log.push_global(Severity::Error, text);
        }
    }
}
