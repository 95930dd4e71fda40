//! Number formatting of `printf`.

/// Conversion specification, without the length of its argument.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Specification {
    pub(crate) left: bool,
    pub(crate) plus: bool,
    pub(crate) space: bool,
    pub(crate) alternate: bool,
    pub(crate) zero: bool,
    pub(crate) width: usize,
    pub(crate) precision: Option<usize>,
    /// Conversion letter.
    pub(crate) letter: u8,
}

/// Limit of a field width. A wider field would only fill the host's memory.
const WIDEST: usize = 1 << 16;
/// Limit of a precision. The longest double has 1074 digits after the point.
const LONGEST: usize = 1100;

impl Specification {
    /// Pads a text to the width of the field.
    pub(crate) fn text(&self, text: &[u8], to: &mut Vec<u8>) {
        let length = self.precision.map_or(text.len(), |precision| precision.min(text.len()));
        self.pad(&[], text.get(..length).unwrap_or_default(), false, to);
    }

    fn pad(&self, sign: &[u8], digits: &[u8], zeros: bool, to: &mut Vec<u8>) {
        let fill = self.width.min(WIDEST).saturating_sub(sign.len() + digits.len());
        let zeros = zeros && !self.left;
        if !self.left && !zeros {
            to.resize(to.len() + fill, b' ');
        }
        to.extend_from_slice(sign);
        if zeros {
            to.resize(to.len() + fill, b'0');
        }
        to.extend_from_slice(digits);
        if self.left {
            to.resize(to.len() + fill, b' ');
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    pub(crate) fn signed(&self, value: i64, to: &mut Vec<u8>) {
        self.digits(self.sign(value < 0), value.unsigned_abs().to_string(), value == 0, to);
    }

    pub(crate) fn unsigned(&self, value: u64, to: &mut Vec<u8>) {
        let (prefix, digits) = match self.letter {
            b'o' => ("", format!("{value:o}")),
            b'x' => ("0x", format!("{value:x}")),
            b'X' => ("0X", format!("{value:X}")),
            _ => ("", value.to_string()),
        };
        let mut digits = digits;
        let longer = self.precision.is_none_or(|precision| precision <= digits.len());
        if self.letter == b'o' && self.alternate && value != 0 && longer {
            digits.insert(0, '0');
        }
        let prefix = if self.alternate && value != 0 { prefix } else { "" };
        self.digits(prefix, digits, value == 0 && !(self.alternate && self.letter == b'o'), to);
    }

    /// Adds zeros up to the precision. A precision disables zeros up to the width.
    fn digits(&self, sign: &str, mut digits: String, zero: bool, to: &mut Vec<u8>) {
        match self.precision {
            Some(0) if zero => digits.clear(),
            Some(precision) => {
                let missing = precision.min(WIDEST).saturating_sub(digits.len());
                digits.insert_str(0, &"0".repeat(missing));
            }
            None => {}
        }
        self.pad(sign.as_bytes(), digits.as_bytes(), self.zero && self.precision.is_none(), to);
    }

    pub(crate) fn pointer(&self, value: u64, to: &mut Vec<u8>) {
        if value == 0 {
            return self.pad(&[], b"(nil)", false, to);
        }
        self.digits("0x", format!("{value:x}"), false, to);
    }

    pub(crate) fn real(&self, value: f64, to: &mut Vec<u8>) {
        let upper = self.letter.is_ascii_uppercase();
        let sign = self.sign(value.is_sign_negative());
        let magnitude = value.abs();
        if !magnitude.is_finite() {
            let text = if value.is_nan() { "nan" } else { "inf" };
            let text = if upper { text.to_ascii_uppercase() } else { text.to_owned() };
            return self.pad(sign.as_bytes(), text.as_bytes(), false, to);
        }
        let mut prefix = sign.to_owned();
        let digits = match self.letter.to_ascii_lowercase() {
            b'e' => self.scientific(magnitude, self.precision.unwrap_or(6)),
            b'g' => self.general(magnitude),
            b'a' => {
                prefix.push_str(if upper { "0X" } else { "0x" });
                self.hexadecimal(magnitude)
            }
            _ => self.fixed(magnitude, self.precision.unwrap_or(6)),
        };
        let digits = if upper { digits.to_ascii_uppercase() } else { digits };
        self.pad(prefix.as_bytes(), digits.as_bytes(), self.zero, to);
    }

    fn fixed(&self, value: f64, precision: usize) -> String {
        let (exact, rest) = (precision.min(LONGEST), precision.min(WIDEST).saturating_sub(LONGEST));
        let point = if precision == 0 && self.alternate { "." } else { "" };
        format!("{value:.exact$}{point}{}", "0".repeat(rest))
    }

    fn scientific(&self, value: f64, precision: usize) -> String {
        let (exact, rest) = (precision.min(LONGEST), precision.min(WIDEST).saturating_sub(LONGEST));
        let text = format!("{value:.exact$e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if precision == 0 && self.alternate { "." } else { "" };
        let (sign, exponent) = match exponent.strip_prefix('-') {
            Some(exponent) => ('-', exponent),
            None => ('+', exponent),
        };
        format!("{digits}{point}{}e{sign}{exponent:0>2}", "0".repeat(rest))
    }

    /// Returns the shorter of the two forms, without trailing zeros unless the flags request them.
    fn general(&self, value: f64) -> String {
        let precision = self.precision.unwrap_or(6).clamp(1, LONGEST);
        let rounded = format!("{value:.*e}", precision - 1);
        let exponent: i32 = rounded.split_once('e').and_then(|(_, text)| text.parse().ok()).unwrap_or(0);
        let small = exponent < -4 || exponent >= precision as i32;
        let text = if small {
            self.scientific(value, precision - 1)
        } else {
            self.fixed(value, (precision as i32 - 1 - exponent).max(0) as usize)
        };
        if self.alternate {
            return text;
        }
        let (digits, exponent) = match text.split_once('e') {
            Some((digits, exponent)) => (digits, format!("e{exponent}")),
            None => (text.as_str(), String::new()),
        };
        let digits =
            if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
        format!("{digits}{exponent}")
    }

    fn hexadecimal(&self, value: f64) -> String {
        let bits = value.to_bits();
        let (mut exponent, mut fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let mut first = u64::from(exponent != 0);
        exponent = if value == 0.0 { 0 } else { exponent.max(1) - 1023 };
        let mut digits = 13;
        if let Some(precision) = self.precision
            && precision < 13
        {
            // Rounds to even. A carry moves into the digit before the point.
            let shift = 52 - 4 * precision as u32;
            let whole = first << 52 | fraction;
            let (kept, rest, half) = (whole >> shift, whole & ((1 << shift) - 1), 1u64 << (shift - 1));
            let up = rest > half || (rest == half && kept & 1 != 0);
            let rounded = (kept + u64::from(up)) << shift;
            (first, fraction, digits) = (rounded >> 52, rounded & ((1 << 52) - 1), precision);
        }
        let mut text = format!("{fraction:013x}");
        text.truncate(digits);
        match self.precision {
            None => text = text.trim_end_matches('0').to_owned(),
            Some(precision) => text.push_str(&"0".repeat(precision.min(WIDEST).saturating_sub(13))),
        }
        let point = if text.is_empty() && !self.alternate { "" } else { "." };
        format!("{first}{point}{text}p{exponent:+}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real(letter: u8, precision: Option<usize>, value: f64) -> String {
        let mut text = Vec::new();
        Specification { letter, precision, ..Specification::default() }.real(value, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }

    #[test]
    fn reals() {
        assert_eq!(real(b'f', None, 1.5), "1.500000");
        assert_eq!(real(b'e', Some(2), 12345.0), "1.23e+04");
        assert_eq!(real(b'g', None, 1e-5), "1e-05");
        assert_eq!(real(b'g', None, 100_000.0), "100000");
        assert_eq!(real(b'G', Some(3), 1e9), "1E+09");
        assert_eq!(real(b'g', None, 0.0), "0");
        assert_eq!(real(b'a', None, 1.0), "0x1p+0");
        assert_eq!(real(b'a', None, 0.1), "0x1.999999999999ap-4");
        assert_eq!(real(b'a', Some(1), 1.999), "0x2.0p+0");
        assert_eq!(real(b'A', Some(3), -0.5), "-0X1.000P-1");
        assert_eq!(real(b'f', Some(0), 2.5), "2");
        assert_eq!(real(b'F', None, f64::NEG_INFINITY), "-INF");
    }
}
