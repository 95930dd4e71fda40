//! The layout of each type, as bindgen asserts it.

use std::fmt::Write;

/// Size, alignment and the offsets of the fields of one type.
pub(crate) struct Layout {
    pub(crate) name: String,
    pub(crate) size: usize,
    align: usize,
    offsets: Vec<(String, usize)>,
}

impl Layout {
    /// Cuts bindgen's assertions out of its text.
    pub(crate) fn cut(types: &str) -> (String, Vec<Layout>) {
        let before = "#[allow(clippy::unnecessary_operation, clippy::identity_op)]\nconst _: () = {";
        let (mut text, mut layouts) = (String::new(), Vec::new());
        let mut rest = types;
        while let Some((head, tail)) = rest.split_once(before) {
            let (body, tail) = tail.split_once("\n};\n").expect("the block ends");
            text.push_str(head);
            layouts.push(Layout::read(body));
            rest = tail;
        }
        assert!(!rest.contains("usize];\n"), "a layout that was not cut");
        (text + rest, layouts)
    }

    /// Reads lines such as `["Size of T"][::core::mem::size_of::<T>() - 16usize];`.
    fn read(body: &str) -> Layout {
        let mut layout = Layout { name: String::new(), size: 0, align: 0, offsets: Vec::new() };
        for fact in body.split("usize];").filter_map(|fact| fact.split_once("\"]")) {
            let fact = fact.1.split_whitespace().collect::<String>();
            let (value, number) = fact.trim_start_matches('[').rsplit_once('-').expect("a difference");
            let number = number.parse().expect("a number");
            let (function, argument) =
                value.trim_start_matches("::core::mem::").split_once(['<', '(']).expect("a call");
            match function {
                "size_of::" => {
                    layout.name = argument.trim_end_matches(['>', '(', ')', ',']).to_owned();
                    layout.size = number;
                }
                "align_of::" => layout.align = number,
                "offset_of!" => {
                    let (_, field) =
                        argument.trim_end_matches([')', ',']).split_once(',').expect("a type and a field");
                    layout.offsets.push((field.to_owned(), number));
                }
                _ => panic!("an assertion of another kind: {value}"),
            }
        }
        layout
    }

    /// The offset of a field.
    pub(crate) fn offset(&self, field: &str) -> Option<usize> {
        self.offsets.iter().find(|(name, _)| name == field).map(|(_, offset)| *offset)
    }
}

/// Sizes and alignments, which every build asserts. The layout test asserts the offsets.
pub(crate) fn list(layouts: &[Layout]) -> String {
    let mut text = String::new();
    for Layout { name, size, align, .. } in layouts {
        let _ = writeln!(text, "    {name}: {size}, {align};");
    }
    if text.is_empty() { text } else { format!("layouts! {{\n{text}}}\n") }
}
