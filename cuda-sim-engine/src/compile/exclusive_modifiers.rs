//! Modifiers that exclude each other.
//!
//! The sets of modifiers that other checks use record neither order nor repetition. The driver refuses `ld.ca.cg` and
//! `atom.add.add` while it reads the words. This check does the same.

use cuda_ptx::ast;

/// Returns the driver's message for `word` after `earlier`, if the driver accepts only one of the two.
fn conflict(opcode: &str, earlier: &str, word: &str) -> Option<String> {
    let among = |words: &[&str]| words.contains(&word) && words.contains(&earlier);
    let text = if among(&["any", "all"]) {
        "Multiple .any/.all modifiers specified"
    } else if among(&["any", "all", "ballot", "uni"]) && (word, earlier) != ("uni", "uni") {
        "Multiple vote modifiers specified"
    } else if among(&["down"]) {
        "Multiple .down modifiers specified"
    } else if among(&["up", "down", "bfly", "idx"]) {
        "Multiple shuffle modifiers specified"
    } else if among(&["cta", "cluster", "gpu", "sys", "gl"]) && !matches!(opcode, "bar" | "barrier") {
        "Multiple scope modifiers specified"
    } else if among(&["ca", "cg", "cs", "lu", "cv", "wb", "wt"]) {
        "Multiple cache operation modifiers specified"
    } else if among(&["L2::64B", "L2::128B", "L2::256B"]) {
        "Multiple cache prefetching modifiers specified"
    } else if among(&["clamp", "wrap"]) {
        "Multiple clamp modifiers specified"
    } else if among(&["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]) {
        "Multiple permute modifiers specified"
    } else if among(&["finite", "infinite", "number", "notanumber", "normal", "subnormal"]) {
        "Multiple testp operation modifiers specified"
    } else if among(&["add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas", "popc"])
        && matches!(opcode, "atom" | "red" | "redux" | "bar" | "barrier" | "set" | "setp" | "sured")
    {
        "Multiple instruction post-operation flags set"
    } else if among(&["mmio"]) || among(&["aligned"]) || among(&["xorsign"]) {
        return Some(format!("Multiple .{word} modifiers specified"));
    } else if among(&["volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "weak"])
        || among(&["ftz"])
        || among(&["noftz"])
        || among(&["nc"])
    {
        return Some(format!("Duplicate .{word} modifier"));
    } else if earlier.starts_with("L1::evict_") && word.starts_with("L1::evict_") {
        return Some(format!(
            "Duplicate '.L1::eviction_priority' modifier specified for instruction '{opcode}'"
        ));
    } else {
        return None;
    };
    Some(text.to_owned())
}

/// Returns the driver's message if the first word belongs to the name of the instruction and occurs a second time.
fn after_name(opcode: &str, first: &str, word: &str) -> Option<String> {
    Some(match (opcode, word) {
        ("mul" | "mad" | "mul24" | "mad24" | "madc" | "dp2a", "lo" | "hi")
            if matches!(first, "lo" | "hi" | "wide") =>
        {
            format!("Comparison qualifier is not allowed for instruction '{opcode}.{first}'")
        }
        ("shf", "l") | ("div", "full") => format!("Unknown modifier '.{word}'"),
        ("bar" | "barrier", "arrive" | "red") if matches!(first, "sync" | "arrive" | "red") => {
            format!("Unknown modifier '.{word}'")
        }
        ("shf", "r") => format!("Illegal modifier 'Component' for instruction 'shf.{first}'"),
        ("div", "approx") if first == "full" => {
            "Illegal modifier '.approx' for instruction 'div.full'".into()
        }
        ("bar" | "barrier", "sync") if matches!(first, "arrive" | "red") => {
            format!("Illegal modifier '.sync' for instruction '{opcode}.{first}'")
        }
        _ => return None,
    })
}

/// Returns one message for each word that may not follow the words before it.
pub(super) fn repetitions(tree: &ast::Instruction<'_>) -> Vec<String> {
    let mut messages = Vec::new();
    // `bar.cta.arrive` is `bar.arrive`.
    let barrier = matches!(tree.opcode, "bar" | "barrier");
    let skipped = usize::from(barrier && tree.modifiers.first() == Some(&"cta"));
    let words = tree.modifiers.get(skipped..).unwrap_or_default();
    for (index, word) in words.iter().enumerate().skip(1) {
        let earlier = words.get(..index).unwrap_or_default();
        let found = earlier.iter().rev().find_map(|earlier| conflict(tree.opcode, earlier, word));
        messages.extend(found.or_else(|| after_name(tree.opcode, words.first()?, word)));
    }
    messages
}
