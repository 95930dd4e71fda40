//! Numbers in the texts that the simulator reads.

use std::str::FromStr;

/// Parses a number that consists of digits only, without a sign.
pub(crate) fn decimal<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
