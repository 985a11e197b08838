//! What several tests of the front end share.
#![allow(dead_code, missing_docs)]

use ult_lang::diagnostic::{Diagnostic, Severity, TABLE};
use ult_lang::parse::{parse_boogie, parse_graph};

/// The diagnostics of the parser for a text in a language named as in the pages' code blocks.
pub fn parse_diagnostics(language: &str, text: &str) -> Vec<Diagnostic> {
    match language {
        "bpl" => parse_boogie(text).1,
        "ult" => parse_graph(text).1,
        other => panic!("no such language: {other}"),
    }
}

/// Checks the pages of all ids with the prefix: the first example triggers the id, the others trigger no error at all.
///
/// `diagnose` gets an example's language and text and returns what the front end says, as far as the ids are concerned.
pub fn check_pages(prefix: &str, diagnose: impl Fn(&str, &str) -> Vec<Diagnostic>) {
    let mut checked = 0;
    for info in TABLE
        .iter()
        .filter(|info| info.id.as_str().starts_with(prefix) && !info.id.is_about_c())
    {
        let id = info.id;
        let heading = format!("# {id}: {}\n", info.title);
        assert!(
            info.page.starts_with(&heading),
            "{id}: the page does not begin with {heading:?}"
        );
        let examples = info.examples();
        assert!(
            examples.len() >= 2,
            "{id}: the page has no example and mend"
        );
        for (index, (language, text)) in examples.into_iter().enumerate() {
            let found = diagnose(language, text);
            if index == 0 {
                assert!(
                    found.iter().any(|d| d.id == id),
                    "{id}: the example triggers only {found:?}"
                );
            } else {
                assert!(
                    !found.iter().any(Diagnostic::is_error),
                    "{id}: the mended example triggers {found:?}"
                );
            }
        }
        checked += 1;
    }
    assert!(checked > 0, "no id begins with {prefix}");
}

/// Source text and diagnostics together, as plain text: what a reviewer of a snapshot wants to see.
pub fn render(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for (number, line) in text.lines().enumerate() {
        out += &format!("{:>3} | {line}\n", number + 1);
    }
    for diagnostic in diagnostics {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        out += &format!("\n{severity}[{}]: {}\n", diagnostic.id, diagnostic.message);
        for (span, label) in &diagnostic.labels {
            let before = &text[..span.start as usize];
            let start = before.rfind('\n').map_or(0, |i| i + 1);
            let end = text[start..].find('\n').map_or(text.len(), |i| start + i);
            let line = before.matches('\n').count() + 1;
            let blank = " ".repeat(text[start..span.start as usize].chars().count());
            let marked = text
                [span.start as usize..(span.end as usize).min(end).max(span.start as usize)]
                .chars()
                .count();
            out += &format!(
                "{line:>3} | {}\n    | {blank}{} {label}\n",
                &text[start..end],
                "^".repeat(marked.max(1))
            );
        }
        if let Some(help) = &diagnostic.help {
            out += &format!("help: {help}\n");
        }
    }
    out
}
