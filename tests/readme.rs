//! What README.md shows is what the program prints.

#![cfg(unix)]

#[allow(dead_code)] // The book uses more of it.
use crate::listings;

use listings::{Page, Shell, replayed, root};

#[test]
fn the_outputs_are_real() {
    let page = Page::read(&root().join("README.md"));
    let shell = Shell::new();
    let parts: Vec<_> = page
        .blocks()
        .iter()
        .filter_map(|block| {
            let output = replayed(&page, block, &shell)?;
            Some((block.content.clone(), page.or_same(block, output)))
        })
        .collect();
    assert!(parts.len() >= 3, "only {} outputs", parts.len());
    let expected = page.with(&parts);
    if let Some(wrong) = page.settle(&expected) {
        panic!("{wrong}");
    }
}

/// The fenced blocks in a language.
fn blocks<'t>(readme: &'t str, language: &str) -> Vec<&'t str> {
    let start = format!("\n```{language}\n");
    let parts = readme.split(&*start).skip(1);
    parts
        .map(|part| part.split_once("\n```").expect("the block ends").0)
        .collect()
}

#[test]
fn the_programs_have_the_usual_layout() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md can be read");
    let programs = blocks(&readme, "boogie");
    assert_eq!(programs.len(), 2);
    for program in programs {
        let program = format!("{program}\n");
        let formatted = ult_lang::format::format(&program, ult_lang::token::Language::Boogie);
        assert_eq!(formatted, Ok(program));
    }
}
