//! Budgets: how long documents and source files may be, and how many crates are compiled. And what documents name is there.
//!
//! A budget that has to grow says why in the commit that raises it.

#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use walkdir::WalkDir;

use crate::book::links::links;

/// How many lines a document may have.
const DOCUMENTS: [(&str, usize); 4] = [
    ("README.md", 150),
    ("ARCHITECTURE.md", 350),
    ("CHANGELOG.md", 100),
    ("CONTRIBUTING.md", 130),
];

/// How many crates a package may stand on with its default features, itself included. For `ult`, the aim is 60.
const CRATES: [(&str, usize); 2] = [("ult-cli", 167), ("ult", 85)];

/// How many lines a source file may have.
const LINES: usize = 700;

/// Files that are longer: they may shrink, and leave this list when they are short enough.
const LONG: [(&str, usize); 3] = [
    ("lang/tests/round_trip.rs", 750),
    ("src/check/tests/proofs.rs", 710),
    ("src/engine/execute/tests.rs", 750),
];

/// How many tests everybody's command leaves out, besides most programs of the corpus. CI runs them.
const LONG_TESTS: usize = 24;

/// Documents for people who have the project's folder.
const GUIDES: [&str; 3] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

fn read(path: &str) -> String {
    fs::read_to_string(crate::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What is longer than it may be.
fn too_long<'p>(lengths: impl IntoIterator<Item = (&'p str, usize, usize)>) -> Vec<String> {
    let lengths = lengths.into_iter();
    let long = lengths.filter(|(_, lines, most)| lines > most);
    long.map(|(path, lines, most)| format!("{path}: {lines} lines, more than {most}"))
        .collect()
}

#[test]
fn documents_are_short() {
    let lengths = DOCUMENTS.map(|(path, most)| (path, read(path).lines().count(), most));
    assert_eq!(too_long(lengths), [""; 0]);
}

#[test]
fn source_files_are_short() {
    let files = crate::architecture::rust_files(crate::root());
    let most: BTreeMap<&str, usize> = LONG.into_iter().collect();
    let lengths = files.iter().map(|(path, text)| {
        let most = most.get(&**path).copied().unwrap_or(LINES);
        (&**path, text.lines().count(), most)
    });
    assert_eq!(too_long(lengths), [""; 0]);
    let is_long = |path: &str| {
        let mut known = files.iter();
        known.any(|(name, text)| name == path && text.lines().count() > LINES)
    };
    let stale: Vec<&str> = LONG
        .map(|(path, _)| path)
        .into_iter()
        .filter(|path| !is_long(path))
        .collect();
    assert_eq!(stale, [""; 0], "these are short now");
}

#[test]
fn few_tests_are_left_to_ci() {
    let files = crate::architecture::rust_files(crate::root());
    let lines = files.iter().flat_map(|(_, text)| text.lines());
    let left = lines.filter(|line| line.trim() == crate::architecture::TAKES_LONG);
    assert_eq!(left.count(), LONG_TESTS);
}

#[test]
fn few_crates_are_compiled() {
    for (package, most) in CRATES {
        let tree = crate::architecture::tree_of(package);
        // A name and a version; what comes after them does not make another crate.
        let crates: BTreeSet<Vec<&str>> = tree
            .lines()
            .map(|line| line.split(' ').take(2).collect())
            .collect();
        assert!(
            crates.len() <= most,
            "{package}: {} crates, more than {most}",
            crates.len()
        );
    }
}

/// Words that a native speaker would put in another way.
const NOT_PLAIN: [&str; 5] = ["nobody", "somebody", "whoever", "so many", "what is no"];

/// The words of a document or a help text that are not plain English.
fn not_plain(text: &str) -> Vec<&'static str> {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    let text = text
        .to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let is_there = |words: &&str| {
        text.match_indices(*words).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + words.len()..]);
            !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
        })
    };
    NOT_PLAIN.into_iter().filter(is_there).collect()
}

#[test]
fn documents_and_help_are_plain_english() {
    let mut wrong = Vec::new();
    let is_read = |path: &Path| {
        let path = path.strip_prefix(crate::root()).unwrap_or(path);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.starts_with("book/src") && name.ends_with(".md") || name.starts_with("help")
    };
    let folders = ["book/src", "tests/snapshots"].map(|folder| crate::root().join(folder));
    let pages = folders
        .iter()
        .flat_map(WalkDir::new)
        .map(|entry| entry.unwrap().into_path());
    let documents = DOCUMENTS.map(|(path, _)| crate::root().join(path));
    let mut read = 0;
    for path in pages.filter(|path| is_read(path)).chain(documents) {
        read += 1;
        let words = not_plain(&fs::read_to_string(&path).unwrap());
        wrong.extend(
            words
                .into_iter()
                .map(|words| format!("{}: {words}", path.display())),
        );
    }
    assert!(read > 70, "only {read}");
    assert_eq!(wrong, [""; 0]);
}

/// The texts between backquotes, outside of fenced blocks.
fn quoted(text: &str) -> Vec<&str> {
    let parts = text.split("\n```");
    let prose = parts.step_by(2);
    prose
        .flat_map(|part| part.split('`').skip(1).step_by(2))
        .collect()
}

/// Whether a text is the path of something in the project: it begins with a folder of the project, and no word of it is to be
/// filled in.
fn is_path(text: &str) -> bool {
    let Some((first, _)) = text.split_once('/') else {
        return false;
    };
    let is_open = |c: char| c.is_whitespace() || c == '*' || c.is_ascii_uppercase();
    let is_ours = !["", "..", "target"].contains(&first) && crate::root().join(first).is_dir();
    is_ours && !text.contains(is_open)
}

#[test]
fn what_documents_name_is_there() {
    let mut missing = Vec::new();
    let mut paths = 0;
    for guide in GUIDES {
        let text = read(guide);
        let links = links(&text);
        let linked = links.iter().map(String::as_str);
        let linked = linked.filter(|target| !target.contains("://"));
        let named = quoted(&text).into_iter().filter(|text| is_path(text));
        for path in named.chain(linked) {
            paths += 1;
            let path = path.split('#').next().unwrap_or(path);
            if !crate::root().join(path).exists() {
                missing.push(format!("{guide}: {path}"));
            }
        }
    }
    assert!(paths > 100, "only {paths}");
    assert_eq!(missing, [""; 0]);
}

#[test]
fn commands_that_documents_name_exist() {
    let ult = Command::new(env!("CARGO_BIN_EXE_ult"))
        .arg("--help")
        .output()
        .expect("it runs");
    let ult = String::from_utf8(ult.stdout).unwrap();
    let xtask = read("xtask/src/main.rs");
    let mut unknown = Vec::new();
    let mut commands = 0;
    for guide in GUIDES {
        let text = read(guide);
        let lines = text.lines().map(|line| line.trim_start_matches("$ "));
        for command in quoted(&text).into_iter().chain(lines) {
            let mut words = command.split_whitespace();
            let is_there = match (words.next(), words.next(), words.next()) {
                (Some("ult"), Some(name), _) if is_name(name) => ult
                    .lines()
                    .any(|line| line.trim_start().starts_with(&format!("{name} "))),
                (Some("cargo"), Some("xtask"), Some(name)) if is_name(name) => {
                    xtask.contains(&format!("cargo xtask {name}"))
                }
                _ => continue,
            };
            commands += 1;
            if !is_there {
                unknown.push(format!("{guide}: {command}"));
            }
        }
    }
    assert!(commands > 10, "only {commands}");
    assert_eq!(unknown, [""; 0]);
}

/// Whether a word is the name of a command, and no option or placeholder.
fn is_name(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !word.starts_with('-')
}

#[test]
fn checks_see_what_is_wrong() {
    assert_eq!(
        too_long([("a", 3, 3), ("b", 4, 3)]),
        ["b: 4 lines, more than 3"]
    );
    assert_eq!(not_plain("So\nmany that nobody"), ["nobody", "so many"]);
    assert_eq!(quoted("a `b` c\n```sh\n`d`\n```\n`e`"), ["b", "e"]);
    assert!(is_path("src/nowhere.rs") && !is_path("src/NAME.rs") && !is_path("and/or"));
    assert!(is_name("check") && !is_name("--help") && !is_name("FILE"));
}
