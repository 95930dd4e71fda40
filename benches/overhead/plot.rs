//! The picture: a bar for each way, in nanoseconds.

use super::report::{list, number, text};
use serde_json::Value;
use std::fmt::Write;

const LABELS: f64 = 230.0;
const BARS: f64 = 420.0;
const LINE: f64 = 18.0;

/// Runs, one below the other. The bars of an operation share a scale.
pub(crate) fn svg(runs: &[&Value]) -> String {
    let mut body = String::new();
    let mut y = 10.0;
    for run in runs {
        y += LINE;
        let what = format!("{}, {}", text(&run["driver"]), text(&run["processor"]));
        label(&mut body, 10.0, y, "start", "bold", &what);
        for operation in list(&run["operations"]) {
            let ways = list(&operation["ways"]);
            let longest = ways.iter().filter_map(|way| way["ns"]["median"].as_f64()).fold(1e-9, f64::max);
            y += LINE * 1.5;
            label(&mut body, 10.0, y, "start", "bold", text(&operation["operation"]));
            for way in ways {
                y += LINE;
                let width = way["ns"]["median"].as_f64().unwrap_or(0.0) / longest * BARS;
                let (top, height, colour) = (y - 12.0, LINE - 4.0, colour(text(&way["library"])));
                let _ = writeln!(
                    body,
                    r#"<rect x="{LABELS}" y="{top:.1}" width="{width:.1}" height="{height}" fill="{colour}"/>"#
                );
                label(&mut body, LABELS - 8.0, y, "end", "normal", text(&way["library"]));
                let mut figures = format!("{} ns", number(&way["ns"]["median"], 1));
                if let Some(instructions) = way["instructions"].as_f64() {
                    let _ = write!(figures, ", {instructions:.0} instructions");
                }
                label(&mut body, LABELS + width + 6.0, y, "start", "normal", &figures);
            }
        }
        y += LINE;
    }
    let (width, height) = (LABELS + BARS + 190.0, y + 10.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n"
    )
}

fn label(body: &mut String, x: f64, y: f64, anchor: &str, weight: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        body,
        r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" font-weight="{weight}">{words}</text>"#
    );
}

fn colour(library: &str) -> &'static str {
    match library {
        "function pointer" => "#9e9e9e",
        "cuda-sys" => "#90caf9",
        "cuda-rt" => "#1565c0",
        _ => "#ef9a6c",
    }
}
