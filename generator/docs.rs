//! The documentation of each function. The words are ours, the facts those of `symbols.tsv`.

use super::table::{Row, Set, Table};

/// `12.4` of 12040.
fn release(since: u32) -> String {
    format!("{}.{}", since / 1000, since % 1000 / 10)
}

/// The page of a chapter in NVIDIA's documentation.
pub(crate) fn page(chapter: &str) -> String {
    let page = match chapter {
        // The group around all groups has no page.
        "CUDA_DRIVER" => "index".to_owned(),
        _ => format!("group__{}", chapter.replace('_', "__")),
    };
    format!("https://docs.nvidia.com/cuda/cuda-driver-api/{page}.html")
}

/// The documentation of a function: chapter and release; versions, and what it needs.
pub(crate) fn paragraphs(row: &Row, table: &Table) -> [String; 2] {
    let (_, title) =
        table.chapters.iter().find(|(chapter, _)| *chapter == row.chapter).expect("it was compared");
    let mut sentences = Vec::new();
    let mut say = |sentence: String| sentences.push(sentence);
    let summary = format!(
        "{title}, in drivers since CUDA {}.{}",
        release(row.since),
        match row.only.as_str() {
            "windows" => " In Windows drivers only.".to_owned(),
            "aarch64-linux" => " In those for Linux on aarch64 only.".to_owned(),
            "-" => String::new(),
            linux => {
                // `linux 11020`
                let since = linux.strip_prefix("linux ").and_then(|since| since.parse().ok());
                format!(" Under Linux since CUDA {}.", release(since.expect("a release")))
            }
        }
    );
    let versions = table.versions(row);
    if versions.len() > 1 {
        let chain = versions.iter().map(|version| {
            let (name, since) = (&version.symbol, release(version.since));
            match version.set {
                _ if version.symbol == row.symbol => format!("**`{name}`** ({since})"),
                Set::Old => format!("`{name}` ({since}, not bound)"),
                _ => format!("[`{name}`](fn@crate::{name}) ({since})"),
            }
        });
        say(format!("Versions: {}.", chain.collect::<Vec<_>>().join(" → ")));
    }
    if let (Some(_), Some(newest)) = (&row.superseded_by, versions.last())
        && row.parts().suffix.is_empty()
    {
        say(format!("Superseded: in C programs `{}` stands for `{}`.", row.parts().base, newest.symbol));
    }
    if row.deprecated {
        say("Deprecated by NVIDIA; drivers have it all the same.".to_owned());
    }
    say(match row.class.as_str() {
        "none" => "Needs no context.".to_owned(),
        "current" => "Needs a current context.".to_owned(),
        _ => "Needs no current context: its arguments name what it works on.".to_owned(),
    });
    if let Some((function, "ptds" | "ptsz")) = row.symbol.rsplit_once('_') {
        say(format!(
            "[`{function}`](fn@crate::{function}) with the calling thread's own default stream for the null stream."
        ));
    } else if let Some(twin) = table.twin(row) {
        let feature = if twin.set == Set::PerThread { "With the feature `ptds` also" } else { "Also" };
        say(format!("{feature} as `{}`, for per-thread default streams.", twin.symbol));
    }
    if row.set != Set::Driver {
        let feature = if row.set == Set::PerThread { "ptds" } else { row.set.module() };
        say(format!("With the feature `{feature}`."));
    }
    [summary, sentences.join(" ")]
}
