//! Published PTX versions and target architectures, and the version that introduced each target.

/// Published versions, as the last minor number of each major number. New versions of major number 9 still appear.
const VERSIONS: [(u32, u32); 9] = [(1, 5), (2, 3), (3, 2), (4, 3), (5, 1), (6, 5), (7, 8), (8, 8), (9, 99)];

/// Target, the first version that has it without a suffix, and the versions that have it with the suffixes `a` and `f`.
type Row = (u32, (u32, u32), [Option<(u32, u32)>; 2]);

const TARGETS: [Row; 32] = [
    (10, (1, 0), [None, None]),
    (11, (1, 0), [None, None]),
    (12, (1, 2), [None, None]),
    (13, (1, 2), [None, None]),
    (20, (2, 0), [None, None]),
    (21, (2, 0), [None, None]),
    (30, (3, 0), [None, None]),
    (32, (4, 0), [None, None]),
    (35, (3, 1), [None, None]),
    (37, (4, 1), [None, None]),
    (50, (4, 0), [None, None]),
    (52, (4, 1), [None, None]),
    (53, (4, 2), [None, None]),
    (60, (5, 0), [None, None]),
    (61, (5, 0), [None, None]),
    (62, (5, 0), [None, None]),
    (70, (5, 1), [None, None]),
    (72, (6, 1), [None, None]),
    (75, (6, 3), [None, None]),
    (80, (7, 0), [None, None]),
    (82, (6, 2), [None, None]),
    (86, (7, 1), [None, None]),
    (87, (7, 4), [None, None]),
    (88, (7, 3), [None, None]),
    (89, (7, 8), [None, None]),
    (90, (7, 8), [Some((8, 0)), None]),
    (100, (8, 6), [Some((8, 6)), Some((8, 8))]),
    (101, (8, 6), [Some((8, 6)), Some((8, 8))]),
    (103, (8, 8), [Some((8, 8)), Some((8, 8))]),
    (110, (9, 0), [Some((9, 0)), Some((9, 0))]),
    (120, (8, 7), [Some((8, 7)), Some((8, 8))]),
    (121, (8, 8), [Some((8, 8)), Some((8, 8))]),
];

/// Words of `.target` that name no architecture.
const OPTIONS: [&str; 4] = ["texmode_unified", "texmode_independent", "debug", "map_f64_to_f32"];

/// Returns whether a version was published.
pub fn is_version((major, minor): (u32, u32)) -> bool {
    VERSIONS.iter().any(|&(known, last)| known == major && minor <= last)
}

/// Returns the number and the suffix of an existing architecture: `(90, "a")` for `sm_90a`.
fn architecture(word: &str) -> Option<(u32, &str)> {
    let rest = word.strip_prefix("sm_").or_else(|| word.strip_prefix("compute_"))?;
    let suffix = rest.trim_start_matches(|character: char| character.is_ascii_digit());
    let number = rest.strip_suffix(suffix)?.parse().ok()?;
    let (_, _, suffixes) = TARGETS.iter().find(|(known, ..)| *known == number)?;
    let known = match suffix {
        "" => true,
        "a" => suffixes[0].is_some(),
        "f" => suffixes[1].is_some(),
        _ => false,
    };
    known.then_some((number, suffix))
}

/// Returns the number of an existing architecture: 90 for `sm_90` and `sm_90a`.
pub fn number(word: &str) -> Option<u32> {
    architecture(word).map(|(number, _)| number)
}

/// Returns whether `.target` may contain `word`.
pub fn is_target_word(word: &str) -> bool {
    OPTIONS.contains(&word) || architecture(word).is_some()
}

/// Returns whether a PTX version has an architecture. Words that are no architecture are in every version.
pub fn version_knows(version: (u32, u32), word: &str) -> bool {
    let Some((number, suffix)) = architecture(word) else { return true };
    let row = TARGETS.iter().find(|(known, ..)| *known == number);
    row.is_some_and(|(_, plain, [accelerated, family])| {
        let since = match suffix {
            "a" => *accelerated,
            "f" => *family,
            _ => Some(*plain),
        };
        since.is_some_and(|since| version >= since)
    })
}

/// Returns whether code for an architecture runs on a device of compute capability `device` (90 for 9.0).
///
/// Targets without a suffix run on every later device, `a` targets on that device only, and `f` targets on its family.
/// The result for words that name no architecture is true.
pub fn runs_on(word: &str, device: u32) -> bool {
    match architecture(word) {
        Some((number, "a")) => number == device,
        Some((number, "f")) => number <= device && number / 10 == device / 10,
        Some((number, _)) => number <= device,
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_targets() {
        assert!(is_version((6, 4)) && is_version((9, 0)) && is_version((5, 1)));
        assert!(!is_version((6, 6)) && !is_version((7, 9)) && !is_version((10, 0)));
        assert_eq!(number("sm_90a"), Some(90));
        assert_eq!(number("compute_75"), Some(75));
        assert_eq!(number("sm_91"), None);
        assert_eq!(number("sm_80a"), None);
        assert!(version_knows((8, 0), "sm_90a") && !version_knows((7, 8), "sm_90a"));
        assert!(!version_knows((8, 0), "sm_120"));
        assert!(runs_on("sm_50", 90) && runs_on("sm_90a", 90));
        assert!(!runs_on("sm_100", 90) && !runs_on("sm_90a", 100));
        assert!(is_target_word("debug") && !is_target_word("sm_foo"));
    }
}
