//! Reports as JSON.

use super::{Report, ReportedCall};
use core::fmt::Write;

/// Object under construction.
struct Object(String);

impl Object {
    fn key(&mut self, name: &str) {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        self.text_alone(name);
        self.0.push(':');
    }

    fn text_alone(&mut self, text: &str) {
        self.0.push('"');
        for character in text.chars() {
            match character {
                '"' => self.0.push_str("\\\""),
                '\\' => self.0.push_str("\\\\"),
                '\n' => self.0.push_str("\\n"),
                control if control < ' ' => {
                    let _ = write!(self.0, "\\u{:04x}", u32::from(control));
                }
                other => self.0.push(other),
            }
        }
        self.0.push('"');
    }

    fn text(&mut self, name: &str, text: &str) {
        self.key(name);
        self.text_alone(text);
    }

    fn texts(&mut self, name: &str, texts: &[String]) {
        self.key(name);
        self.0.push('[');
        for (index, text) in texts.iter().enumerate() {
            if index > 0 {
                self.0.push(',');
            }
            self.text_alone(text);
        }
        self.0.push(']');
    }

    /// Adds a number, a list of numbers, or an object.
    fn raw(&mut self, name: &str, value: impl core::fmt::Display) {
        self.key(name);
        let _ = write!(self.0, "{value}");
    }

    /// Adds an address as a text, because readers of JSON keep only 53 bits of numbers.
    fn address(&mut self, name: &str, address: u64) {
        self.text(name, &format!("{address:#x}"));
    }

    fn call(&mut self, name: &str, call: Option<ReportedCall>) {
        let Some(call) = call else { return };
        let mut object = Object(String::new());
        object.text("function", call.function.name());
        object.raw("number", call.number);
        self.raw(name, object.end());
    }

    fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

impl Report {
    /// Returns the report as a JSON object on one line.
    ///
    /// `kind`, `summary`, `threads` and `notes` are always present. The others are present if they are known. These are
    /// `kernel`, `function`, `ptx_line`, `file`, `line`, `size`, `memory`, `call` and `backtraces`, and also `block` and
    /// `thread` (lists of three numbers) and `address` (a text such as `"0x10"`). `memory` is an object with `what`,
    /// `base` (a text like `address`) and `size`, and with `made_by` and `freed_by` if they are known. Calls are objects
    /// with `function` and `number`. `backtraces` is a list of objects with `call` and `frames`.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut object = Object(String::new());
        object.text("kind", self.kind.name());
        object.text("summary", &self.summary);
        if let Some(place) = &self.place {
            object.text("kernel", &place.kernel);
            if let Some(function) = &place.function {
                object.text("function", function);
            }
            object.raw("ptx_line", place.ptx_line);
            if let Some((file, line)) = &place.source {
                object.text("file", file);
                object.raw("line", line);
            }
            let ([a, b, c], [x, y, z]) = (place.block, place.thread);
            object.raw("block", format_args!("[{a},{b},{c}]"));
            object.raw("thread", format_args!("[{x},{y},{z}]"));
        }
        if let Some(address) = self.address {
            object.address("address", address);
        }
        if let Some(size) = self.size {
            object.raw("size", size);
        }
        if let Some(memory) = &self.memory {
            let mut inner = Object(String::new());
            inner.text("what", &memory.what);
            inner.address("base", memory.base);
            inner.raw("size", memory.size);
            inner.call("made_by", memory.made_by);
            inner.call("freed_by", memory.freed_by);
            object.raw("memory", inner.end());
        }
        object.call("call", self.call);
        object.raw("threads", self.threads);
        object.texts("notes", &self.notes);
        if !self.backtraces.is_empty() {
            let traces = self.backtraces.iter().map(|(call, frames)| {
                let mut trace = Object(String::new());
                trace.call("call", Some(*call));
                trace.texts("frames", frames);
                trace.end()
            });
            object.raw("backtraces", format_args!("[{}]", traces.collect::<Vec<_>>().join(",")));
        }
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Report, ReportKind};

    #[test]
    fn json_escapes_texts() {
        let mut report = Report::new(ReportKind::Misaligned, "a \"b\" \\ \n\u{1}".to_owned());
        report.notes = vec!["x".to_owned(), "y".to_owned()];
        report.address = Some(16);
        assert_eq!(
            report.to_json(),
            r#"{"kind":"misaligned","summary":"a \"b\" \\ \n\u0001","address":"0x10","threads":1,"notes":["x","y"]}"#
        );
    }
}
