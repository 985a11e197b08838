//! The formatter on the whole corpus, and on texts that nobody formats.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::fs;
use std::path::{Path, PathBuf};

use ult_lang::format::{format, layout, substance};
use ult_lang::parse::{parse_boogie, parse_graph};
use ult_lang::print;
use ult_lang::token::Language;

/// All programs below a folder of the project, with their languages.
fn programs(folder: &str) -> Vec<(PathBuf, Language, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let language = match path.extension().and_then(|suffix| suffix.to_str()) {
                Some("bpl") => Language::Boogie,
                Some("ult") => Language::Graph,
                _ if path.is_dir() => {
                    folders.push(path);
                    continue;
                }
                _ => continue,
            };
            if let Ok(text) = fs::read_to_string(&path) {
                found.push((path, language, text));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// The formatter's laws on one text.
fn keeps_the_laws(text: &str, language: Language, what: &str) {
    let once = layout(text, language);
    assert_eq!(
        substance(&once, language),
        substance(text, language),
        "{what}: other tokens or comments\n{once}"
    );
    assert_eq!(layout(&once, language), once, "{what}: not idempotent");
    let is_tidy = once.lines().all(|line| line.trim_end() == line);
    assert!(
        is_tidy || text.contains("/*"),
        "{what}: blanks at the end of a line"
    );
}

#[test]
fn the_corpus_keeps_its_tokens_and_comments_and_a_second_time_changes_nothing() {
    let all: Vec<_> = ["tests", "examples"]
        .into_iter()
        .flat_map(programs)
        .collect();
    assert!(all.len() > 80, "only {} programs", all.len());
    for (path, language, text) in &all {
        let what = path.display().to_string();
        keeps_the_laws(text, *language, &what);
        // The same tokens without any layout, and with too much of it.
        let words = substance(text, *language);
        if words.iter().all(|word| !word.starts_with("//")) {
            keeps_the_laws(&words.join(" "), *language, &what);
        }
        keeps_the_laws(&words.join("\n"), *language, &what);
        keeps_the_laws(&words.join("\n\n\n\t"), *language, &what);
        keeps_the_laws(&text.replace('\n', "\r\n"), *language, &what);
        // What is printed from the tree is formatted like what was written.
        let printed = match language {
            Language::Boogie => {
                let (tree, errors) = parse_boogie(text);
                errors.is_empty().then(|| print::program(&tree))
            }
            Language::Graph => {
                let (tree, errors) = parse_graph(text);
                errors.is_empty().then(|| print::graph_file(&tree))
            }
        };
        if let Some(printed) = printed {
            keeps_the_laws(&printed, *language, &what);
        }
    }
}

#[test]
fn a_messy_text_becomes_tidy() {
    let text = include_str!("format/messy.bpl");
    let (tree, errors) = parse_boogie(text);
    assert_eq!(errors, []);
    let formatted = format(text, Language::Boogie).unwrap();
    assert_eq!(
        print::program(&parse_boogie(&formatted).0),
        print::program(&tree)
    );
    insta::assert_snapshot!(formatted);
}

#[test]
fn a_messy_graph_becomes_tidy() {
    let text = include_str!("format/messy.ult");
    assert_eq!(parse_graph(text).1, []);
    insta::assert_snapshot!(format(text, Language::Graph).unwrap());
}

#[test]
fn what_has_syntax_errors_is_left_alone() {
    let errors = format("procedure p( {", Language::Boogie).unwrap_err();
    assert!(!errors.is_empty());
    // Errors in names and types do not matter.
    let formatted = format("procedure p(){x:=1+true;}", Language::Boogie).unwrap();
    assert_eq!(formatted, "procedure p() { x := 1 + true; }\n");
}

#[test]
fn the_line_ends_stay_what_they_are() {
    let formatted = format("type T;\r\n\r\n\r\n  type U;", Language::Boogie).unwrap();
    assert_eq!(formatted, "type T;\r\n\r\ntype U;\r\n");
    assert_eq!(format("", Language::Boogie).unwrap(), "");
    assert_eq!(format(" \n\n", Language::Boogie).unwrap(), "");
    assert_eq!(format("\n// a  ", Language::Boogie).unwrap(), "// a\n");
}

proptest::proptest! {
    /// Whatever the text is, and whether or not its brackets fit. (Signs that never follow each other in a program, such as
    /// two colons, may become one; [`format`] would notice.)
    #[test]
    fn with_nonsense_a_second_time_changes_nothing_either(
        words in proptest::collection::vec(proptest::sample::select(WORDS), 0..40),
        is_graph: bool,
    ) {
        let language = if is_graph { Language::Graph } else { Language::Boogie };
        let text = words.join(" ");
        if substance(&layout(&text, language), language) == substance(&text, language) {
            keeps_the_laws(&text, language, &text);
        }
    }
}

const WORDS: &[&str] = &[
    "x",
    "y",
    "1",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "{",
    "}",
    "{:",
    ";",
    ";",
    ",",
    ":",
    ":=",
    "-",
    "<",
    ">",
    "->",
    "|{",
    "}|",
    "free",
    "requires",
    "invariant",
    "if",
    "else",
    "procedure",
    "datatype",
    "graph",
    "forall",
    "is",
    "!",
    "'",
    "// c\n",
    "/* d */",
    "/* e\n  f */",
    "\n",
    "\n",
    "\n\n\n",
];
