//! `vprintf`.
//!
//! Arguments are stored one after another, each at a multiple of its size. Floating-point numbers, addresses and
//! arguments with a long length modifier have 8 bytes. All others have 4 bytes.

use super::registers::lanes;
use super::warp_memory::{LaneFault, WarpMemory};
use crate::fault::FaultKind;
use crate::number::printf_number::Specification;
use crate::op::{MemorySpace, NONE, Slot};

/// Limit of the arguments, as documented. Further arguments are ignored, and their specifications are printed
/// unchanged.
const MOST_ARGUMENTS: u32 = 32;
/// Limit of the bytes of a text. No meaningful text is longer.
const LONGEST: u64 = 1 << 16;

/// Arguments of one call.
struct Arguments {
    address: u64,
    count: u32,
}

impl Arguments {
    fn take(&mut self, reach: &mut WarpMemory<'_>, lane: usize, wide: bool) -> Result<u64, LaneFault> {
        let size = if wide { 8 } else { 4 };
        let at = self.address.checked_next_multiple_of(size);
        let at = at.ok_or_else(|| LaneFault::at(FaultKind::IllegalAddress, lane, self.address))?;
        self.address = at.wrapping_add(size);
        self.count += 1;
        Ok(if wide {
            u64::from_le_bytes(reach.read_bytes(MemorySpace::Generic, lane, at)?)
        } else {
            u64::from(u32::from_le_bytes(reach.read_bytes(MemorySpace::Generic, lane, at)?))
        })
    }
}

/// Number in a specification: digits, or the next argument.
enum Number {
    Nothing,
    Given(usize),
    Argument,
}

/// Specification as written.
struct Written {
    specification: Specification,
    width: Number,
    precision: Option<usize>,
    /// Size of an integer argument in bytes.
    size: u8,
    length: usize,
}

fn number(text: &[u8], at: &mut usize) -> Number {
    if text.get(*at) == Some(&b'*') {
        *at += 1;
        return Number::Argument;
    }
    let start = *at;
    let mut value = 0usize;
    while let Some(digit) = text.get(*at).filter(|byte| byte.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
        *at += 1;
    }
    if *at == start { Number::Nothing } else { Number::Given(value) }
}

/// Parses the text after a percent sign. Returns `None` if no known letter ends it.
fn parse(text: &[u8]) -> Option<Written> {
    let mut specification = Specification::default();
    let mut at = 0;
    loop {
        match text.get(at)? {
            b'-' => specification.left = true,
            b'+' => specification.plus = true,
            b' ' => specification.space = true,
            b'#' => specification.alternate = true,
            b'0' => specification.zero = true,
            _ => break,
        }
        at += 1;
    }
    let width = number(text, &mut at);
    let mut precision = None;
    if text.get(at) == Some(&b'.') {
        at += 1;
        precision = match number(text, &mut at) {
            Number::Nothing => Some(0),
            Number::Given(digits) => Some(digits),
            // A width can be an argument. A precision cannot, and is printed unchanged (measured).
            Number::Argument => return None,
        };
    }
    let rest = text.get(at..)?;
    let (size, skip) = match rest {
        [b'h', b'h', ..] => (1, 2),
        [b'h', ..] => (2, 1),
        [b'l', b'l', ..] => (8, 2),
        [b'l' | b'z' | b'j' | b't', ..] => (8, 1),
        _ => (4, 0),
    };
    at += skip;
    let letter = *text.get(at)?;
    if !b"cdiouxXpeEfFgGaAs%".contains(&letter) {
        return None;
    }
    specification.letter = letter;
    Some(Written { specification, width, precision, size, length: at + 1 })
}

impl WarpMemory<'_> {
    /// Prints one text for each lane, in the order of the lanes.
    pub(super) fn print(
        &mut self,
        [format, arguments]: [Slot; 2],
        result: Slot,
        mask: u32,
    ) -> Result<(), LaneFault> {
        for lane in lanes(mask) {
            let format = self.registers.long(format, lane);
            let template = self.text(lane, format)?;
            let address = self.registers.long(arguments, lane);
            let (text, count) = self.formatted(lane, &template, address)?;
            self.launch.output.push(&text);
            if result != NONE {
                self.registers.set_word(result, lane, count);
            }
        }
        Ok(())
    }

    /// Reads a text from memory, up to its NUL.
    fn text(&mut self, lane: usize, address: u64) -> Result<Vec<u8>, LaneFault> {
        let mut bytes = Vec::new();
        for index in 0..LONGEST {
            let at = address.wrapping_add(index);
            match self.peek(lane, at) {
                None => return Err(LaneFault::at(FaultKind::IllegalAddress, lane, at)),
                Some(0) => break,
                Some(byte) => bytes.push(byte),
            }
        }
        Ok(bytes)
    }

    /// Formats a text with its arguments. Returns the text and the number of arguments.
    fn formatted(&mut self, lane: usize, template: &[u8], address: u64) -> Result<(Vec<u8>, u32), LaneFault> {
        let mut arguments = Arguments { address, count: 0 };
        let mut text = Vec::new();
        let mut at = 0;
        while let Some(&byte) = template.get(at) {
            at += 1;
            let written = match (byte, template.get(at..).and_then(parse)) {
                (b'%', Some(written)) => written,
                // Text that is no specification is printed unchanged.
                _ => {
                    text.push(byte);
                    continue;
                }
            };
            if written.specification.letter != b'%' && arguments.count >= MOST_ARGUMENTS {
                text.push(byte);
                continue;
            }
            at += written.length;
            self.convert(lane, written, &mut arguments, &mut text)?;
        }
        Ok((text, arguments.count))
    }

    fn convert(
        &mut self,
        lane: usize,
        written: Written,
        arguments: &mut Arguments,
        text: &mut Vec<u8>,
    ) -> Result<(), LaneFault> {
        let mut specification = written.specification;
        match written.width {
            Number::Nothing => {}
            Number::Given(width) => specification.width = width,
            Number::Argument => {
                let width = (arguments.take(self, lane, false)? as u32).cast_signed();
                specification.left |= width < 0;
                specification.width = width.unsigned_abs() as usize;
            }
        }
        if written.precision.is_some() {
            specification.precision = written.precision;
        }
        match specification.letter {
            b'%' => text.push(b'%'),
            b'c' => {
                let value = arguments.take(self, lane, false)?;
                specification.precision = None;
                specification.text(&[value as u8], text);
            }
            b's' => {
                let address = arguments.take(self, lane, true)?;
                let value = if address == 0 { b"(null)".to_vec() } else { self.text(lane, address)? };
                specification.text(&value, text);
            }
            b'p' => {
                let value = arguments.take(self, lane, true)?;
                specification.pointer(value, text);
            }
            b'd' | b'i' => {
                let value = arguments.take(self, lane, written.size == 8)?;
                let shift = 64 - 8 * u32::from(written.size);
                specification.signed((value << shift).cast_signed() >> shift, text);
            }
            b'o' | b'u' | b'x' | b'X' => {
                let value = arguments.take(self, lane, written.size == 8)?;
                let shift = 64 - 8 * u32::from(written.size);
                specification.unsigned(value << shift >> shift, text);
            }
            _ => {
                let value = f64::from_bits(arguments.take(self, lane, true)?);
                specification.real(value, text);
            }
        }
        Ok(())
    }
}
