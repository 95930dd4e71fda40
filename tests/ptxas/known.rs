//! Where the software driver is known to judge differently.

use super::assembler::Difference;

/// Returns whether an operand is an address, or a register and a number.
fn is_address(operand: &str) -> bool {
    operand == "k" || operand == "constant" || operand.ends_with("+4")
}

/// Returns why a form is judged differently, if that is known.
pub(crate) fn reason(difference: &Difference) -> Option<&'static str> {
    let Difference { form, theirs, ours } = difference;
    if !theirs.is_empty() {
        return None;
    }
    let (opcode, operands) = form.trim_end_matches(';').split_once(' ').unwrap_or((form, ""));
    let all = |part: &str| ours.iter().all(|text| text.contains(part));
    let mismatch = all("must be register") || all("Arguments mismatch");
    if mismatch && operands.split(", ").any(is_address) {
        Some("refused: an address, or a register and a number, as an operand of arithmetic")
    } else if all("Arguments mismatch for instruction 'mov'") && opcode.contains("mov") {
        Some("refused: mov of a vector from another type's register, or from a special register")
    } else if all("Illegal operand type to instruction") && operands.contains("[%") {
        Some("refused: a special register as an address, with which ptxas crashes or takes any number")
    } else if all("32-Bit ABI") {
        Some("refused: an address of 32 bits, which ptxas often refuses when it generates code")
    } else if all("Result register required for instruction 'vadd'") {
        Some("refused: a number as a result, which ptxas refuses when it generates code")
    } else if all("Barrier number '4294967296'") {
        Some("refused: a barrier's number of more than 32 bits")
    } else {
        None
    }
}
