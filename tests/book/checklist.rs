//! The table that says what of two papers is in `ult`, and which tests show it: these tests and programs are there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Names of functions in Rust files below a folder.
fn functions(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            functions(&path, found);
        } else if path.extension().is_some_and(|suffix| suffix == "rs") {
            let text = fs::read_to_string(&path).expect("a text");
            let mut is_test = false;
            for line in text.lines().map(str::trim) {
                match line
                    .strip_prefix("fn ")
                    .and_then(|rest| rest.split_once('('))
                {
                    Some((name, _)) => {
                        if std::mem::take(&mut is_test) {
                            found.insert(name.to_owned());
                        }
                    }
                    None => is_test |= line == "#[test]",
                }
            }
        }
    }
}

/// What is wrong with the last column of the tables behind a heading.
pub(super) fn complaints(page: &str, heading: &str, root: &Path) -> Vec<String> {
    let mut tests = BTreeSet::new();
    for folder in ["src", "tests", "lang"] {
        functions(&root.join(folder), &mut tests);
    }
    let (_, tables) = page.split_once(heading).expect("the heading");
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in tables.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [what, _, shown] = cells[..] else {
            wrong.push(format!("three columns: {line}"));
            continue;
        };
        if shown == "tests" {
            continue;
        }
        rows += 1;
        let mut names = shown.split('`').skip(1).step_by(2).peekable();
        if names.peek().is_none() {
            wrong.push(format!("{what}: no test"));
        }
        for name in names {
            let is_there = match name.contains('/') {
                true => root.join(name).is_file(),
                false => tests.contains(name),
            };
            if !is_there {
                wrong.push(format!("{what}: there is no {name}"));
            }
        }
    }
    if rows < 30 {
        wrong.push(format!("{rows} rows only"));
    }
    wrong
}
