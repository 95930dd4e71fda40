//! The free functions, each with what is known of it.

use super::lists;
use super::table::{Row, Set, Table};
use super::types::Declaration;
use std::fmt::Write;

pub(crate) fn file(set: Set, table: &Table, declarations: &[Declaration]) -> String {
    let mut text = String::from(match set {
        Set::Driver => "use super::types::*;\nuse crate::load::call;\nuse crate::CUoutput_mode;\n",
        Set::PerThread => "use super::types::*;\nuse crate::load::call;\n",
        Set::Gl => {
            "use super::gl_types::*;\nuse super::types::*;\nuse crate::HGPUNV;\nuse crate::load::call;\n"
        }
        Set::Egl => "use super::egl_types::*;\nuse super::types::*;\nuse crate::load::call;\n",
        Set::Vdpau => "use super::types::*;\nuse super::vdpau_types::*;\nuse crate::load::call;\n",
        Set::Old | Set::Undocumented => panic!("{set:?} is not bound"),
    });
    text.push_str("use core::ffi::*;\n");
    for (row, declaration) in lists::of(set, table, declarations) {
        let name = &row.symbol;
        text.push('\n');
        for line in about(row, table) {
            let _ = writeln!(text, "///{}{line}", if line.is_empty() { "" } else { " " });
        }
        // The oldest version answers to the name that C programs write: newer ones take newer drivers.
        let base = row.parts().base;
        let oldest = table.versions(row).into_iter().find(|version| version.set == set);
        let is_oldest = oldest.is_some_and(|oldest| oldest.symbol == *name);
        if base != name && is_oldest && row.parts().suffix.is_empty() {
            let _ = writeln!(text, "#[doc(alias = \"{base}\")]");
        }
        let _ = write!(
            text,
            "#[inline]
pub unsafe fn {name}({}) -> CUresult {{
    call!({}.{name}({}))
}}
",
            declaration.arguments,
            set.module(),
            declaration.names()
        );
    }
    text
}

/// `12.4` of 12040.
fn release(since: u32) -> String {
    format!("{}.{}", since / 1000, since % 1000 / 10)
}

/// The documentation of a function: releases, chapter, versions, what it needs. The words are ours.
fn about(row: &Row, table: &Table) -> Vec<String> {
    let (chapter, title) =
        table.chapters.iter().find(|(chapter, _)| *chapter == row.chapter).expect("it was compared");
    let page = match chapter.as_str() {
        // The group around all groups has no page.
        "CUDA_DRIVER" => "index".to_owned(),
        _ => format!("group__{}", chapter.replace('_', "__")),
    };
    let mut lines = vec![
        format!(
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
        ),
        String::new(),
        format!(
            "[{chapter}](https://docs.nvidia.com/cuda/cuda-driver-api/{page}.html) in NVIDIA's documentation."
        ),
    ];
    let mut say = |sentence: String| {
        lines.push(String::new());
        lines.push(sentence);
    };
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
        say(format!("Versions: {}", chain.collect::<Vec<_>>().join(" → ")));
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
    lines.extend(["", "# Safety", "", "See [what a caller promises](crate#safety)."].map(str::to_owned));
    lines
}
