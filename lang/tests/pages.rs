//! The pages of `ult explain`: their examples do what they say.

mod support;

use support::{check_pages, parse_diagnostics};

#[test]
fn lexical_pages() {
    check_pages("E00", parse_diagnostics);
}

#[test]
fn syntax_pages() {
    check_pages("E01", parse_diagnostics);
}

#[test]
fn ids_are_unique_and_in_order() {
    let ids: Vec<&str> = ult_lang::diagnostic::TABLE
        .iter()
        .map(|info| info.id.as_str())
        .collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
}
