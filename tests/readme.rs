//! What README.md shows is what the program prints.

#![cfg(unix)]

#[allow(dead_code)] // The book uses more of it.
mod listings;

use listings::{Page, Shell, replayed, root};

#[test]
fn the_outputs_are_real() {
    let page = Page::read(&root().join("README.md"));
    let shell = Shell::new();
    let parts: Vec<_> = page
        .blocks()
        .iter()
        .filter_map(|block| Some((block.content.clone(), replayed(&page, block, &shell)?)))
        .collect();
    assert!(parts.len() >= 3, "only {} outputs", parts.len());
    let expected = page.with(&parts);
    if let Some(wrong) = page.settle(&expected) {
        panic!("{wrong}");
    }
}
