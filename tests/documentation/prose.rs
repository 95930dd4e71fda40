//! Checks the words of the repository against the rules of CONTRIBUTING.md, section *How we write*.
//!
//! The check reads all `.rs` and `.md` files, except generated ones. Every document, comment and error text is a list of
//! passages: a heading, a paragraph, an item of a list, or a cell of a table. Code is no passage: neither blocks of code nor
//! names between backticks. A name between backticks counts as one word.

use super::root;
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// Words that no sentence begins with.
const BEGINNINGS: [&[&str]; 5] = [&["What"], &["Whether"], &["That", "of"], &["Those", "of"], &["Of"]];

/// Words that hide who does something.
const PRONOUNS: [&str; 4] = ["somebody", "nobody", "whoever", "anybody"];

/// Phrases that readers have to decode.
const PHRASES: [&str; 6] = ["told of", "is had", "to be had", "goes by", "of whom", "of which"];

/// The largest number of words of a sentence. Cells of tables may be longer.
const LONGEST_SENTENCE: usize = 30;

/// The largest number of characters of a test's name.
const LONGEST_NAME: usize = 50;

/// Documents whose readers want the contract of a function, not its evidence.
const CONTRACTS: [&str; 4] = ["README.md", "cuda-rt/", "cuda-sys/src/", "docs/"];

/// The section of a documentation that may cite facts.
const NOTES: &str = "Driver notes";

/// A line that breaks a rule.
#[derive(Debug)]
struct Finding {
    path: String,
    line: usize,
    rule: &'static str,
    text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, rule, text } = self;
        let shown: String = text.chars().take(160).collect();
        write!(out, "{path}:{line}: {rule}: {shown}")
    }
}

/// A comment or a string literal of a Rust file.
#[derive(Debug, PartialEq, Eq)]
struct Piece {
    line: usize,
    kind: Kind,
    text: String,
    /// No code precedes it in its line.
    begins_line: bool,
}

/// The kind of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Documentation in Markdown: a file, or `///` and `//!` lines.
    Documentation,
    /// A comment of another kind.
    Comment,
    /// A string literal.
    Literal,
}

/// A part of a text that is read on its own.
#[derive(Debug, PartialEq, Eq)]
enum Passage {
    Heading(usize, String),
    /// A paragraph or an item of a list.
    Paragraph(usize, String),
    Cell(usize, String),
    Code,
}

/// The text of a literal without its escapes.
fn unescaped(literal: &str) -> String {
    let mut parts = literal.split("\\\n");
    let first = parts.next().unwrap_or_default().to_owned();
    let joined = parts.fold(first, |text, part| text + part.trim_start());
    joined.replace("\\n", " ").replace("\\t", " ").replace("\\\"", "\"")
}

/// The text of a literal, and the length of the literal. `quoted` begins with the opening quote, and `before` is the text ahead
/// of it: in a raw literal, `r` and any number of `#`.
fn literal(before: &str, quoted: &str) -> Option<(String, usize)> {
    let inside = &quoted[1..];
    let prefix = before.trim_end_matches('#');
    let name = prefix.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    if ["r", "br", "cr"].contains(&&prefix[name.len()..]) {
        let close = format!("\"{}", &before[prefix.len()..]);
        let length = inside.find(&close)?;
        return Some((inside[..length].to_owned(), 1 + length + close.len()));
    }
    let mut escaped = false;
    let length = inside.find(|letter| {
        let ends = letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        ends
    })?;
    Some((unescaped(&inside[..length]), length + 2))
}

/// The length of a character literal. A lifetime has none.
fn character(quoted: &str) -> Option<usize> {
    let mut letters = quoted.chars().skip(1);
    match (letters.next()?, letters.next()?) {
        ('\\', escaped) => {
            let start = 2 + escaped.len_utf8();
            Some(start + quoted[start..].find('\'')? + 1)
        }
        (letter, '\'') => Some(letter.len_utf8() + 2),
        _ => None,
    }
}

/// The comments and the string literals of a Rust file, in their order.
fn pieces(source: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let (mut at, mut counted, mut line) = (0, 0, 1);
    while let Some(step) = source[at..].find(['/', '"', '\'']) {
        let (before, rest) = source.split_at(at + step);
        let (kind, text, length) = if let Some(comment) = rest.strip_prefix("//") {
            let text = &comment[..comment.find('\n').unwrap_or(comment.len())];
            let is_documentation =
                text.starts_with('!') || (text.starts_with('/') && !text.starts_with("//"));
            let kind = if is_documentation { Kind::Documentation } else { Kind::Comment };
            let plain = text.trim_start_matches(['/', '!']);
            (kind, plain.strip_prefix(' ').unwrap_or(plain).to_owned(), 2 + text.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let length = comment.find("*/").unwrap_or(comment.len());
            (Kind::Comment, comment[..length].to_owned(), 2 + length)
        } else if rest.starts_with('"') {
            let (text, length) = literal(before, rest).unwrap_or_default();
            (Kind::Literal, text, length.max(1))
        } else {
            at = before.len() + character(rest).filter(|_| rest.starts_with('\'')).unwrap_or(1);
            continue;
        };
        line += before[counted..].matches('\n').count();
        counted = before.len();
        let begins_line = before.rsplit('\n').next().is_some_and(|start| start.trim().is_empty());
        found.push(Piece { line, kind, text, begins_line });
        at = before.len() + length;
    }
    found
}

/// A heading's, an item's or a row's mark, and the text after it.
fn mark(line: &str) -> Option<(&str, &str)> {
    let start = match line.split(' ').next()? {
        hashes if !hashes.is_empty() && hashes.bytes().all(|byte| byte == b'#') => hashes.len(),
        "-" | "*" => 1,
        number if number.strip_suffix('.').is_some_and(|digits| digits.parse::<u8>().is_ok()) => number.len(),
        _ if line.starts_with('|') => 1,
        _ => return None,
    };
    Some(line.split_at(start))
}

/// The passages of lines that follow each other; the first has the number `start`.
fn passages<'text>(lines: impl IntoIterator<Item = &'text str>, start: usize) -> Vec<Passage> {
    let mut found: Vec<Passage> = Vec::new();
    let mut fence = None;
    let (mut is_open, mut is_list, mut was_blank) = (false, false, true);
    for (line, number) in lines.into_iter().zip(start..) {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim();
        let ends_fence = fence.is_some_and(|fence| line.starts_with(fence));
        if ends_fence || fence.is_none() && ["```", "~~~"].iter().any(|fence| line.starts_with(fence)) {
            fence = if ends_fence { None } else { Some(&line[..3]) };
            found.push(Passage::Code);
            is_open = false;
            continue;
        }
        let is_indented_code = indent >= 4 && was_blank && !is_list;
        let is_definition = line.starts_with('[') && line.contains("]: ");
        if fence.is_some() || line.is_empty() || is_indented_code || is_definition {
            if is_indented_code {
                found.push(Passage::Code);
            }
            is_open = false;
            was_blank |= line.is_empty();
            continue;
        }
        was_blank = false;
        match mark(line) {
            Some((hashes, text)) if hashes.starts_with('#') => {
                found.push(Passage::Heading(number, text.trim().to_owned()));
                (is_open, is_list) = (false, false);
            }
            Some(("|", cells)) => {
                let cells = cells.split('|').map(str::trim).filter(|cell| !cell.is_empty());
                found.extend(cells.map(|cell| Passage::Cell(number, cell.to_owned())));
                (is_open, is_list) = (false, false);
            }
            Some((_, text)) => {
                found.push(Passage::Paragraph(number, text.trim().to_owned()));
                (is_open, is_list) = (true, true);
            }
            None => match found.last_mut() {
                Some(Passage::Paragraph(_, text)) if is_open => *text = format!("{text} {line}"),
                _ => {
                    found.push(Passage::Paragraph(number, line.to_owned()));
                    is_open = true;
                    is_list &= indent > 0;
                }
            },
        }
    }
    found
}

/// A passage with a word in place of each name between backticks.
fn without_names(passage: &str) -> String {
    let mut text = String::new();
    let mut rest = passage;
    while let Some((before, after)) = rest.split_once('`') {
        text += before;
        let name = after.trim_start_matches('`');
        let ticks = "`".repeat(1 + after.len() - name.len());
        let Some((_, after)) = name.split_once(&ticks) else {
            return text + name;
        };
        text += "name";
        rest = after;
    }
    text + rest
}

/// The parts of a passage that end with one of `ends` and are followed by white space.
fn parts<'text>(passage: &'text str, ends: &[char]) -> Vec<&'text str> {
    let mut found = Vec::new();
    let mut start = 0;
    let is_closing = |letter: char| matches!(letter, ')' | '"' | '*' | '_' | '\'');
    for (space, letter) in passage.char_indices() {
        if letter.is_whitespace() && passage[start..space].trim_end_matches(is_closing).ends_with(ends) {
            found.push(passage[start..space].trim());
            start = space;
        }
    }
    found.push(passage[start..].trim());
    found
}

/// The words of a text without punctuation around them.
fn words(text: &str) -> Vec<&str> {
    let parts = text.split(|letter: char| letter.is_whitespace() || matches!(letter, '/' | '—' | '\''));
    let words = parts.map(|part| part.trim_matches(|letter: char| !letter.is_alphanumeric()));
    words.filter(|word| !word.is_empty()).collect()
}

/// Returns whether a text has words that follow each other with nothing but spaces between them.
fn has_phrase(text: &str, phrase: &str) -> bool {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_end = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    text.match_indices(phrase).any(|(start, phrase)| {
        is_end(text[..start].chars().next_back()) && is_end(text[start + phrase.len()..].chars().next())
    })
}

/// The rules for words that a passage breaks.
fn broken_word_rules(passage: &str) -> Vec<(&'static str, String)> {
    let mut broken = Vec::new();
    let text = without_names(passage);
    for sentence in parts(&text, &['.', '!', '?']) {
        for part in parts(sentence, &[':', ';']) {
            let words = words(part);
            let begins = BEGINNINGS.iter().find(|beginning| words.starts_with(beginning));
            if begins.is_some_and(|beginning| beginning != &["What"] || !sentence.ends_with('?')) {
                broken.push(("sentence without a noun at its beginning", part.to_owned()));
            }
        }
        let lower = sentence.to_lowercase();
        if words(&lower).iter().any(|word| PRONOUNS.contains(word)) {
            broken.push(("pronoun in place of a noun", sentence.to_owned()));
        }
        if PHRASES.iter().any(|phrase| has_phrase(&lower, phrase)) {
            broken.push(("phrase to decode", sentence.to_owned()));
        }
    }
    broken
}

/// The sentences of a passage that are too long.
fn long_sentences(passage: &str) -> Vec<String> {
    let text = without_names(passage);
    let count = |sentence: &str| {
        let words = sentence.split_whitespace();
        words.filter(|word| word.contains(char::is_alphanumeric)).count()
    };
    let sentences = parts(&text, &['.', '!', '?']).into_iter();
    sentences.filter(|sentence| count(sentence) > LONGEST_SENTENCE).map(str::to_owned).collect()
}

/// Returns whether a passage cites a measurement: by that word in parentheses, or by identifiers of facts.
fn cites_evidence(passage: &str, facts: &BTreeSet<String>) -> bool {
    let text = without_names(passage);
    text.split('(').skip(1).any(|rest| {
        let inside = rest.split(')').next().unwrap_or_default();
        inside.starts_with("measured") || inside.split(", ").all(|id| facts.contains(id))
    })
}

/// Checks the passages of one text.
fn check_passages(
    passages: &[Passage],
    is_contract: bool,
    facts: &BTreeSet<String>,
    mut report: impl FnMut(usize, &'static str, String),
) {
    let mut section = "";
    for (index, passage) in passages.iter().enumerate() {
        let (line, text) = match passage {
            Passage::Heading(line, text) => {
                section = text;
                let is_next = |next: &Passage| matches!(next, Passage::Heading(..));
                let content = &passages[index + 1..];
                let content = &content[..content.iter().position(is_next).unwrap_or(content.len())];
                if let [Passage::Paragraph(_, only)] = content
                    && only.starts_with("See ")
                    && parts(only, &['.', '!', '?']).len() == 1
                {
                    report(*line, "section that only refers to another place", only.clone());
                }
                (*line, text)
            }
            Passage::Paragraph(line, text) => {
                for sentence in long_sentences(text) {
                    report(*line, "sentence of more than 30 words", sentence);
                }
                (*line, text)
            }
            Passage::Cell(line, text) => (*line, text),
            Passage::Code => continue,
        };
        for (rule, text) in broken_word_rules(text) {
            report(line, rule, text);
        }
        if is_contract && section != NOTES && cites_evidence(text, facts) {
            report(line, "evidence in a contract", text.clone());
        }
    }
}

/// The names of the test functions of a Rust file, with their lines.
fn test_names(source: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut is_test = false;
    for (line, number) in source.lines().zip(1..) {
        let line = line.trim();
        is_test |= line.starts_with("#[test]");
        let declaration = line.trim_start_matches("#[test]").trim_start();
        if let Some((_, rest)) =
            declaration.split_once("fn ").filter(|(before, _)| is_test && !before.contains("//"))
        {
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            found.push((number, &rest[..end.unwrap_or(rest.len())]));
            is_test = false;
        }
    }
    found
}

/// Checks one file. `path` begins at the root, with slashes.
fn check(path: &str, text: &str, facts: &BTreeSet<String>) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut report = |line, rule, text| found.push(Finding { path: path.to_owned(), line, rule, text });
    let is_contract = CONTRACTS.iter().any(|start| path.starts_with(start));
    if path.ends_with(".md") {
        check_passages(&passages(text.lines(), 1), is_contract, facts, report);
        return found;
    }
    let pieces = pieces(text);
    let comments: Vec<&Piece> = pieces.iter().filter(|piece| piece.kind != Kind::Literal).collect();
    let follows =
        |a: &&Piece, b: &&Piece| a.begins_line && b.begins_line && a.kind == b.kind && a.line + 1 == b.line;
    for block in comments.chunk_by(follows) {
        let first = block[0];
        let passages = passages(block.iter().flat_map(|piece| piece.text.lines()), first.line);
        let is_contract = is_contract && first.kind == Kind::Documentation;
        check_passages(&passages, is_contract, facts, &mut report);
    }
    if path.contains("/src/") {
        let tests =
            text.lines().position(|line| line == "#[cfg(test)]").map_or(usize::MAX, |index| index + 1);
        for literal in pieces.iter().filter(|piece| piece.kind == Kind::Literal && piece.line < tests) {
            for (rule, text) in broken_word_rules(&literal.text) {
                report(literal.line, rule, text);
            }
        }
    }
    for (line, name) in test_names(text) {
        if name.chars().count() > LONGEST_NAME {
            report(line, "name of a test of more than 50 characters", name.to_owned());
        }
    }
    found
}

/// The Rust and Markdown files below a folder that are written by hand.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_left_out = name.starts_with('.') || ["target", "generated"].contains(&&*name);
        if path.is_dir() && !is_left_out {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn texts_follow_the_word_list() {
    let facts = std::fs::read_to_string(root().join("conformance/facts.tsv")).unwrap();
    let facts = facts.lines().skip(1).filter_map(|line| line.split('\t').next().map(str::to_owned)).collect();
    let files = files(root());
    assert!(files.len() > 500, "{} files", files.len());
    let mut found = Vec::new();
    for file in files {
        let path = file.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        found.extend(check(&path, &std::fs::read_to_string(&file).unwrap(), &facts));
    }
    let lines: Vec<String> = found.iter().map(Finding::to_string).collect();
    assert!(
        found.is_empty(),
        "CONTRIBUTING.md, How we write:\n{}\n{} findings",
        lines.join("\n"),
        lines.len()
    );
}

/// The rules that a Rust file or a document breaks.
fn rules(path: &str, text: &str) -> Vec<&'static str> {
    let facts = BTreeSet::from(["T120".to_owned(), "V9".to_owned()]);
    check(path, text, &facts).into_iter().map(|finding| finding.rule).collect()
}

const NO_NOUN: &str = "sentence without a noun at its beginning";
const PRONOUN: &str = "pronoun in place of a noun";
const PHRASE: &str = "phrase to decode";
const LONG: &str = "sentence of more than 30 words";
const EVIDENCE: &str = "evidence in a contract";
const SECTION: &str = "section that only refers to another place";
const NAME: &str = "name of a test of more than 50 characters";

#[test]
fn beginnings_without_a_noun_are_found() {
    for start in ["What", "Whether", "That of", "Those of", "Of"] {
        let sentence = format!("{start} the buffer is known.");
        assert_eq!(rules("tests/a.rs", &format!("/// {sentence}\nfn f() {{}}\n")), [NO_NOUN], "{start}");
        assert_eq!(rules("tests/a.rs", &format!("    // It is live. {sentence}\n")), [NO_NOUN], "{start}");
        assert_eq!(rules("tests/a.rs", &format!("let a = 1; // {sentence}\n")), [NO_NOUN], "{start}");
        assert_eq!(rules("a.md", &format!("# {sentence}\n")), [NO_NOUN], "{start}");
        assert_eq!(rules("a.md", &format!("- **{sentence}**\n")), [NO_NOUN], "{start}");
        assert_eq!(rules("a.md", &format!("| one | {sentence} |\n")), [NO_NOUN], "{start}");
        assert_eq!(rules("a.md", &format!("One thing: {sentence}\n")), [NO_NOUN], "{start}");
    }
}

#[test]
fn beginnings_inside_a_sentence_are_not_found() {
    for text in
        ["Returns what a kernel reads.\n", "Asks whether it lives.\n", "The size is that of\nthe buffer.\n"]
    {
        assert_eq!(rules("a.md", text), [""; 0], "{text}");
    }
}

#[test]
fn questions_are_not_found() {
    assert_eq!(rules("a.md", "What does a launch cost?\n"), [""; 0]);
    assert_eq!(rules("a.md", "# What does a launch cost?\n\nWhat it costs is known.\n"), [NO_NOUN]);
    assert_eq!(rules("a.md", "Whether it is a question?\n"), [NO_NOUN]);
}

#[test]
fn pronouns_and_phrases_are_found() {
    for word in ["somebody", "Nobody", "whoever", "anybody", "nobody's"] {
        assert_eq!(rules("tests/a.rs", &format!("// The memory that {word} frees.\n")), [PRONOUN], "{word}");
    }
    for phrase in ["told of", "is had", "to be had", "goes by", "of whom", "of\n// which"] {
        assert_eq!(
            rules("tests/a.rs", &format!("// The memory {phrase}, it exists.\n")),
            [PHRASE],
            "{phrase}"
        );
    }
    assert_eq!(rules("a.md", "The part that it is made of, which is live.\n"), [""; 0]);
}

#[test]
fn code_is_not_looked_at() {
    let word = "Of nobody, of which";
    assert_eq!(
        rules("a.md", &format!("```text\n{word}\n```\n\n    {word}\n\nThe word `{word}`.\n")),
        [""; 0]
    );
    assert_eq!(rules("tests/a.rs", &format!("/// ```\n/// // {word}\n/// ```\n")), [""; 0]);
    assert_eq!(rules("tests/a.rs", &format!("let a = \"{word}\";\n")), [""; 0]);
    assert_eq!(rules("tests/a.rs", &format!("let a = r#\"\n// {word}\n\"#;\nlet b = '\"';\n")), [""; 0]);
    assert_eq!(rules("a.md", &format!("```text\n```\n{word}.\n")), [NO_NOUN, PRONOUN, PHRASE]);
}

#[test]
fn comments_after_literals_are_found() {
    let ends = [
        r#"let a = "\\";"#,
        r#"let a = r"\";"#,
        "let a = '\\'';",
        "let a = '\"';",
        "fn f<'a>() {}",
        "a / b;",
    ];
    for code in ends.into_iter().chain(["let a = br#\"\"a\"#;", "let over = \"\\\"\";"]) {
        assert_eq!(rules("tests/a.rs", &format!("{code} // Of a buffer.\n")), [NO_NOUN], "{code}");
        assert_eq!(rules("tests/a.rs", &format!("let a = \"{{ }}\"; {code}\n")), [""; 0], "{code}");
    }
}

#[test]
fn error_texts_of_crates_are_looked_at() {
    let source = "#[error(\"copy: nobody waits\")]\nlet a = format!(\"Of no context {a}\");\nlet b = '\"';\n";
    assert_eq!(rules("cuda-rt/src/a.rs", source), [PRONOUN, NO_NOUN]);
    assert_eq!(rules("cuda-rt/src/a.rs", &format!("fn f() {{}}\n#[cfg(test)]\n{source}")), [""; 0]);
}

#[test]
fn long_sentences_are_found_outside_of_tables() {
    let sentence = |count| vec!["word"; count].join(" ") + ".";
    assert_eq!(rules("a.md", &sentence(30)), [""; 0]);
    assert_eq!(rules("a.md", &sentence(31)), [LONG]);
    assert_eq!(rules("a.md", &format!("{}\n{}\n", sentence(16), sentence(16))), [""; 0]);
    assert_eq!(rules("a.md", &format!("- {}\n- {}\n", vec!["word"; 16].join(" "), sentence(16))), [""; 0]);
    assert_eq!(rules("a.md", &format!("| {} | word |\n|---|---|\n", sentence(31))), [""; 0]);
    assert_eq!(rules("tests/a.rs", &format!("// {}", sentence(31).replace(' ', "\n// "))), [LONG]);
}

#[test]
fn evidence_is_found_in_contracts_only() {
    for text in ["/// It waits (measured).\n", "/// It waits (T120).\n", "/// It waits (T120, V9).\n"] {
        assert_eq!(rules("cuda-rt/src/a.rs", text), [EVIDENCE], "{text}");
        assert_eq!(rules("cuda-sim/src/a.rs", text), [""; 0], "{text}");
        assert_eq!(rules("cuda-rt/src/a.rs", &text[1..]), [""; 0], "{text}");
        assert_eq!(rules("cuda-rt/src/a.rs", &format!("/// # Driver notes\n///\n{text}")), [""; 0], "{text}");
    }
    assert_eq!(rules("cuda-rt/src/a.rs", "/// It waits (H100, V9).\n"), [""; 0]);
}

#[test]
fn sections_that_only_refer_are_found() {
    assert_eq!(rules("cuda-rt/src/a.rs", "/// Waits.\n///\n/// # Errors\n///\n/// See [`b`].\n"), [SECTION]);
    assert_eq!(rules("a.md", "# Errors\n\nSee [b](c). Also if it is empty.\n"), [""; 0]);
    assert_eq!(rules("a.md", "# Errors\n\nSee [b](c):\n\n- one\n"), [""; 0]);
}

#[test]
fn long_names_of_tests_are_found() {
    let source = |count| {
        format!("#[test]\n#[ignore]\nfn {}() {{}}\nfn {}() {{}}\n", "a".repeat(count), "b".repeat(60))
    };
    assert_eq!(rules("tests/a.rs", &source(50)), [""; 0]);
    assert_eq!(rules("tests/a.rs", &source(51)), [NAME]);
}
