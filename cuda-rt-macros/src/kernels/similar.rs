//! Suggestions for misspelt names.

/// The number of names that an error lists.
const LISTED: usize = 8;

/// Returns a suggestion for a name that is not among `known`, or a list of known names. `kind` is the kind of the names.
pub(super) fn suggestion(name: &str, known: &[&str], kind: &str) -> String {
    let allowed = (name.chars().count() / 3).max(1);
    let nearest = known.iter().map(|known| (distance(name, known), *known)).min();
    match nearest {
        Some((distance, nearest)) if distance <= allowed => format!("; did you mean `{nearest}`?"),
        None => format!("; it has no {kind}"),
        Some(_) => {
            let list: Vec<_> = known.iter().take(LISTED).map(|known| format!("`{known}`")).collect();
            let more = known.len().saturating_sub(LISTED);
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            format!("; its {kind} are {}{more}", list.join(", "))
        }
    }
}

/// Returns the number of characters to insert, remove, replace, or swap with the next.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows = vec![(0..=to.len()).collect::<Vec<usize>>()];
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(a != b);
            let mut least = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_edits() {
        for (from, to, expected) in [
            ("", "", 0),
            ("a", "", 1),
            ("scael", "scale", 1),
            ("scale", "scales", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(from, to), expected, "{from} {to}");
        }
    }

    #[test]
    fn near_names_are_suggested_and_others_listed() {
        assert_eq!(suggestion("scael", &["blur", "scale"], "kernels"), "; did you mean `scale`?");
        assert_eq!(suggestion("x", &["blur", "scale"], "kernels"), "; its kernels are `blur`, `scale`");
        assert_eq!(suggestion("x", &[], "kernels"), "; it has no kernels");
        let many = ["k"; 10];
        assert!(suggestion("other", &many, "kernels").ends_with(" and 2 more"));
    }
}
