//! What README.md shows is what the program prints.

#![cfg(unix)]

#[allow(dead_code)] // The book uses more of it.
use crate::listings;

use listings::{Page, Shell, replayed, root};

#[test]
fn the_outputs_are_real() {
    let page = Page::read(&root().join("README.md"));
    let shell = Shell::new();
    let blocks = page.blocks();
    for block in &blocks {
        if let Some(name) = block.value("file") {
            shell.write(name, &page.text[block.content.clone()]);
        }
    }
    let parts: Vec<_> = blocks
        .iter()
        .filter_map(|block| {
            let output = replayed(&page, block, &shell)?;
            Some((block.content.clone(), page.or_same(block, output)))
        })
        .collect();
    assert!(parts.len() >= 2, "only {} outputs", parts.len());
    let expected = page.with(&parts);
    if let Some(wrong) = page.settle(&expected) {
        panic!("{wrong}");
    }
}

#[test]
fn the_programs_have_the_usual_layout() {
    let page = Page::read(&root().join("README.md"));
    let blocks = page.blocks().into_iter();
    let programs: Vec<_> = blocks
        .filter(|block| block.language() == "boogie")
        .collect();
    assert!(!programs.is_empty());
    for block in programs {
        let program = &page.text[block.content];
        let formatted = ult_lang::format::format(program, ult_lang::token::Language::Boogie);
        assert_eq!(formatted.as_deref(), Ok(program));
    }
}
