//! The pages of `ult explain`: their examples do what they say.

#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test; its helpers are shared with others"
)]

mod support;

use support::{check_pages, parse_diagnostics};
use ult_lang::diagnostic::Diagnostic;
use ult_lang::{Modifies, analyze_boogie_with, analyze_graph};

/// All diagnostics of a text. Modifies clauses are checked in one reading and completed in the other, so both are tried.
fn all_diagnostics(language: &str, text: &str) -> Vec<Diagnostic> {
    if language == "ult" {
        return analyze_graph(text).1;
    }
    let mut diagnostics = analyze_boogie_with(text, Modifies::Check).1;
    diagnostics.extend(analyze_boogie_with(text, Modifies::Infer).1);
    diagnostics
}

#[test]
fn lexical_pages() {
    check_pages("E00", parse_diagnostics);
}

#[test]
fn syntax_pages() {
    check_pages("E01", parse_diagnostics);
}

#[test]
fn name_pages() {
    check_pages("E02", all_diagnostics);
}

#[test]
fn type_pages() {
    check_pages("E03", all_diagnostics);
}

#[test]
fn warning_pages() {
    check_pages("W00", all_diagnostics);
}

#[test]
fn ids_are_unique_and_in_order() {
    let ids: Vec<&str> = ult_lang::diagnostic::TABLE
        .iter()
        .map(|info| info.id.as_str())
        .collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
}
