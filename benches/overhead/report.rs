//! The results: as a table, and as JSON.

use super::count::Cost;
use super::measure::{Figure, Operation, Time};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A run, with what it was run on.
pub(crate) struct Run {
    pub(crate) driver: String,
    /// The counter of instructions.
    pub(crate) counter: Option<&'static str>,
    pub(crate) blocks: usize,
}

/// The folder of the results: cargo's target folder, if this runs on the machine that built it.
pub(crate) fn folder() -> PathBuf {
    let built = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/target"));
    if built.is_dir() { built } else { PathBuf::from(".") }
}

impl Run {
    pub(crate) fn to_json(
        &self,
        operations: &[Operation<'_>],
        times: &[Vec<Time>],
        costs: &[Vec<Cost>],
    ) -> Value {
        let figure =
            |Figure { median, low, high }: Figure| json!({"median": median, "low": low, "high": high});
        let operations = operations.iter().zip(times).zip(costs).map(|((operation, times), costs)| {
            let ways = operation.ways.iter().zip(times).zip(costs).map(|((way, time), cost)| {
                let first = costs[0].instructions;
                json!({
                    "library": way.library,
                    "ns": figure(time.each),
                    "more_ns": figure(time.more),
                    "instructions": cost.instructions,
                    "more_instructions": cost.instructions.zip(first).map(|(own, first)| own - first),
                    "atomic_instructions": cost.atomic,
                    "heap_allocations": cost.heap,
                    "driver_calls": cost.calls,
                })
            });
            json!({"operation": operation.name, "ways": ways.collect::<Vec<Value>>()})
        });
        json!({
            "driver": self.driver,
            "processor": processor(),
            "instructions_by": self.counter,
            "blocks": self.blocks,
            "operations": operations.collect::<Vec<Value>>(),
        })
    }
}

fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| "unknown".to_owned(), |(_, name)| name.to_owned())
}

/// Prints a run.
pub(crate) fn print(run: &Value) {
    println!("driver: {}", text(&run["driver"]));
    println!("processor: {}", text(&run["processor"]));
    println!(
        "instructions counted by: {}",
        run["instructions_by"].as_str().unwrap_or("nothing that is here")
    );
    println!("ns: medians of {} blocks that took turns; in brackets 95% intervals", run["blocks"]);
    println!("more: than the first line, pair by pair");
    for operation in list(&run["operations"]) {
        println!();
        println!(
            "{:<42}{:>9}{:>9} {:<20}{:>9}{:>7}{:>8}{:>7}",
            text(&operation["operation"]),
            "ns",
            "more",
            "",
            "instr.",
            "more",
            "atomic",
            "heap"
        );
        for way in list(&operation["ways"]) {
            let more = &way["more_ns"];
            let interval = format!("[{}, {}]", number(&more["low"], 1), number(&more["high"], 1));
            println!(
                "  {:<40}{:>9}{:>9} {interval:<20}{:>9}{:>7}{:>8}{:>7}",
                text(&way["library"]),
                number(&way["ns"]["median"], 1),
                number(&more["median"], 1),
                number(&way["instructions"], 0),
                number(&way["more_instructions"], 0),
                number(&way["atomic_instructions"], 0),
                number(&way["heap_allocations"], 1),
            );
        }
        for way in list(&operation["ways"]) {
            let names: Vec<&str> = list(&way["driver_calls"]).iter().map(text).collect();
            if !names.is_empty() {
                println!("    {}: {}", text(&way["library"]), names.join(", "));
            }
        }
    }
    print_threads(run);
}

/// Prints the times with several threads.
fn print_threads(run: &Value) {
    let rows = list(&run["threads"]);
    if rows.is_empty() {
        return;
    }
    println!();
    println!("{:<42}{:>8}{:>22}{:>11}", "threads at once, each on its own stream", "threads", "ns", "more");
    for pair in rows.chunks(2) {
        let [bare, own] = pair else { continue };
        println!(
            "  {:<40}{:>8}{:>11}{:>11}{:>11}",
            text(&own["operation"]),
            number(&own["threads"], 0),
            number(&bare["ns"], 1),
            number(&own["ns"], 1),
            number(&own["more_ns"], 1),
        );
    }
}

/// Returns the elements of a list. A missing list is empty.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("-")
}

pub(crate) fn number(value: &Value, decimals: usize) -> String {
    // Without a minus before a zero.
    value.as_f64().map_or_else(|| "-".to_owned(), |number| format!("{:.decimals$}", number + 0.0))
}
