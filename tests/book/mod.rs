//! What the book shows is true: listings have the verdicts that they should have, sessions print what is shown,
//! generated parts are up to date, links lead somewhere.
//!
//! A listing in one of the languages of `ult` (`bpl`, `ult`, `c`, `smt2`) says what is to be expected of it behind the
//! fence: `safe`, `unsafe`, `unknown` or `reject`, and `flags=--x;--y` for other flags of `ult check`. Or it is written to
//! a file (`file=NAME`) that a later session of the page uses. Or it includes a file of `examples`, whose verdict
//! `tests/corpus.rs` knows. Blocks of `sh` are for what cannot be run here, and contain no `ult`; listings in `rust` include
//! files of `examples`. Pictures are drawn by `ult` ([`pictures`]).

#![cfg(unix)]

mod checklist;
mod course;
mod embedding;
mod generated;
mod grammar;
mod handouts;
pub mod links;
mod pictures;
#[path = "../../xtask/src/sheet.rs"]
mod sheet;
#[path = "../../xtask/src/slides.rs"]
mod slides;
mod undefined;

use crate::listings;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use listings::{Block, Page, Shell, replayed, root};

fn pages() -> Vec<Page> {
    let mut paths = Vec::new();
    collect(&root().join("book/src"), &mut paths);
    paths.sort();
    assert!(paths.len() > 20, "only {} pages", paths.len());
    paths.iter().map(|path| Page::read(path)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the book is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|suffix| suffix == "md") {
            paths.push(path);
        }
    }
}

#[test]
fn links_and_includes_lead_somewhere() {
    let pages = pages();
    let summary = Page::read(&root().join("book/src/SUMMARY.md"));
    let mut wrong = links::contents(&summary, &pages);
    wrong.extend(pictures::strays(&pages));
    for page in &pages {
        wrong.extend(links::broken(page));
        wrong.extend(links::includes(page).err());
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_table_of_undefined_behaviour_is_true() {
    let page = fs::read_to_string(root().join("book/src/languages/undefined.md")).unwrap();
    let wrong = undefined::complaints(&page, &root().join("tests/corpus/c/undefined"));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn what_is_assumed_has_a_property_or_is_listed() {
    let page = fs::read_to_string(root().join("book/src/languages/undefined.md")).unwrap();
    let wrong = undefined::unlisted(&page);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_tests_of_the_checklist_are_there() {
    let page = fs::read_to_string(root().join("book/src/reference/bits.md")).unwrap();
    let wrong = checklist::complaints(&page, "## Point by point", root());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_exercise_is_complete_and_in_one_lesson() {
    let wrong = course::complaints(&pages());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_example_in_rust_is_run() {
    let pages = pages();
    for name in embedding::names() {
        let marker = format!("<!-- output: cargo run --example {name} -->");
        let shown = pages.iter().filter(|page| page.text.contains(&marker));
        assert_eq!(
            shown.count(),
            1,
            "examples/{name}.rs is shown in the book once, see tests/book/embedding.rs"
        );
    }
}

#[test]
#[ignore = "takes long"]
fn the_book_shows_what_is_printed() {
    let pages = pages();
    let (next, wrong) = (Mutex::new(pages.iter()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let Some(page) = next.lock().expect("no panic").next() else {
                return;
            };
            let mut complaints = check(page);
            // What a limit of time ends depends on what else the machine does.
            if !complaints.is_empty() && page.text.contains("--timeout") {
                complaints = check(page);
            }
            wrong.lock().expect("no panic").extend(complaints);
        }
    };
    // Most of the time goes to other processes.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    let mut wrong = wrong.into_inner().expect("no panic");
    wrong.sort();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// What is wrong with the blocks of a page.
fn check(page: &Page) -> Vec<String> {
    let mut wrong = Vec::new();
    let page = &Page {
        path: page.path.clone(),
        text: match generated::renewed(page) {
            new if new == page.text => new,
            new => {
                wrong.extend(page.settle(&new));
                new
            }
        },
    };
    let shell = Shell::new();
    let mut parts = Vec::new();
    for block in page.blocks() {
        let example = block.output_of.as_deref().and_then(example);
        if let Some(output) = example.or_else(|| replayed(page, &block, &shell)) {
            parts.push((block.content.clone(), page.or_same(&block, output)));
        } else if let Err(why) = listing(page, &block, &shell) {
            wrong.push(format!("{}:{}: {why}", page.name(), block.line));
        }
    }
    wrong.extend(pictures::complaints(page, &shell));
    let expected = page.with(&parts);
    if wrong.is_empty() {
        wrong.extend(page.settle(&expected));
    }
    wrong
}

/// What a command prints that runs one of the examples in Rust.
fn example(command: &str) -> Option<String> {
    embedding::printed(command.strip_prefix("cargo run --example ")?)
}

/// A block that shows no output.
fn listing(page: &Page, block: &Block, shell: &Shell) -> Result<(), String> {
    let text = &page.text[block.content.clone()];
    match block.language() {
        "bpl" | "ult" | "c" | "smt2" | "btor2" | "svlib" => program(page, block, shell, text),
        "rust" if text.starts_with("{{#include ") && text.contains("/examples/") => Ok(()),
        "rust" => Err("Rust that no test compiles: include a part of `examples`".into()),
        "sh" if text.lines().any(|line| line.starts_with("ult ")) => {
            Err("`ult` in a block that is not run: use `console`".into())
        }
        // `src/python/tests` runs it.
        "python" if page.name().ends_with("howto/python.md") => Ok(()),
        // Formulas, grammars, files of other programs.
        "sh" | "text" | "ebnf" | "toml" | "yaml" | "json" => Ok(()),
        other => Err(format!("nobody checks a block of `{other}`")),
    }
}

fn program(page: &Page, block: &Block, shell: &Shell, text: &str) -> Result<(), String> {
    if text.trim_start().starts_with("{{#include ") {
        return match text.contains("/examples/") || text.contains("/stdlib/") {
            true => Ok(()),
            false => Err("a program that no test knows".into()),
        };
    }
    let own = format!("listing.{}", block.language());
    let name = block.value("file").unwrap_or(&own);
    shell.write(name, text);
    let flags = block.value("flags").unwrap_or_default().replace(';', " ");
    let code = match ["safe", "unsafe", "reject", "unknown"]
        .iter()
        .find(|word| block.has(word))
    {
        Some(&"safe") => 0,
        Some(&"unsafe") => 1,
        Some(&"reject") => 3,
        Some(_) => 4,
        None => {
            let used = page.text[block.content.end..]
                .lines()
                .any(|line| line.starts_with("$ ") && line.contains(name));
            return match used {
                true => Ok(()),
                false => Err("a program without an expected verdict".into()),
            };
        }
    };
    let told = shell.run(&format!(
        "ult check --timeout 60 {flags} {name}; echo \"exit code $?\""
    ));
    match told.ends_with(&format!("\nexit code {code}\n")) {
        true => Ok(()),
        false => Err(format!("another verdict:\n{told}")),
    }
}
