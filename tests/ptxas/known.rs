//! Known differences of the software driver.

use super::assembler::Difference;

/// Returns whether an operand is an address, or a register and a number.
fn is_address(operand: &str) -> bool {
    operand == "k" || operand == "constant" || operand.ends_with("+4")
}

/// Returns why a form is judged differently, if that is known.
pub(crate) fn reason(difference: &Difference) -> Option<&'static str> {
    let Difference { form, theirs, ours } = difference;
    if !theirs.is_empty() {
        return taken(form, theirs);
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

/// Returns why the software driver takes a form that ptxas refuses.
fn taken(form: &str, theirs: &[String]) -> Option<&'static str> {
    const OPERANDS: [&str; 6] = [
        "Arguments mismatch",
        "must be register",
        "Special register argument not allowed",
        "Vector operand is not allowed",
        "Result register required",
        "Operand negation",
    ];
    let form = form.trim_start_matches("@%pred0 ");
    let (opcode, operands) = form.trim_end_matches(';').split_once(' ').unwrap_or((form, ""));
    let (name, words) = opcode.split_once('.').unwrap_or((opcode, ""));
    let words: Vec<&str> = words.split('.').collect();
    let has = |some: &[&str]| words.iter().any(|word| some.contains(word));
    let is_short = has(&["b16", "u16", "s16"]);
    let about_operands = theirs.iter().all(|text| OPERANDS.iter().any(|part| text.contains(part)));
    match name {
        _ if theirs.iter().any(|text| text == "Constant overflow") => Some("taken: a constant out of range"),
        "set" if about_operands && has(&["f16", "f16x2", "bf16", "bf16x2"]) => {
            Some("taken: operands of set of 16-bit formats, which cannot be launched")
        }
        "addc" | "subc" | "madc" if about_operands && is_short => {
            Some("taken: operands of 16-bit carries, which cannot be launched")
        }
        "mov" if about_operands && (is_short || has(&["v4"])) => Some("taken: parts of special registers"),
        "cvt" if has(&["f16", "bf16", "f16x2", "bf16x2", "tf32"]) => {
            Some("taken: conversions of 16-bit formats")
        }
        "ld" | "st" if has(&["v8"]) => Some("taken: eight elements, which cannot be launched"),
        "fence" => Some("taken: fences of later versions"),
        "bar" if has(&["warp"]) => Some("taken: bar.warp.sync with a type"),
        "prefetch" if has(&["tensormap"]) => Some("taken: operands of prefetch.tensormap"),
        _ if about_operands && operands.contains("%f16x2_") => Some("taken: an .f16x2 register as 32 bits"),
        _ => None,
    }
}
