//! Every page about names and types has an example that triggers its diagnostic, and the same example mended.

use ult_lang::diagnostic::{Diagnostic, DiagnosticInfo, TABLE};
use ult_lang::{Modifies, analyze_boogie_with, analyze_graph};

/// The rows about names and types; those about syntax are tested beside the parser.
fn rows() -> impl Iterator<Item = &'static DiagnosticInfo> {
    TABLE
        .iter()
        .filter(|info| !info.id.as_str().starts_with("E00") && !info.id.as_str().starts_with("E01"))
}

/// The code blocks of a page with their languages.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let code: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((language, code.join("\n")));
        }
    }
    blocks
}

fn diagnostics(language: &str, text: &str, modifies: Modifies) -> Vec<Diagnostic> {
    match language {
        "ult" => analyze_graph(text).1,
        _ => analyze_boogie_with(text, modifies).1,
    }
}

#[test]
fn examples_trigger_their_diagnostic_and_mended_ones_nothing() {
    let mut wrong = Vec::new();
    for info in rows() {
        let blocks = blocks(info.page);
        let [(language, bad), rest @ ..] = blocks.as_slice() else {
            wrong.push(format!("{}: no example", info.id));
            continue;
        };
        // Modifies clauses are checked in one reading and completed in the other.
        let triggered = [Modifies::Infer, Modifies::Check]
            .into_iter()
            .any(|modifies| {
                diagnostics(language, bad, modifies)
                    .iter()
                    .any(|diagnostic| diagnostic.id == info.id)
            });
        if !triggered {
            wrong.push(format!(
                "{}: the first example triggers {:?}",
                info.id,
                diagnostics(language, bad, Modifies::Check)
            ));
        }
        let Some((language, mended)) = rest.last() else {
            wrong.push(format!("{}: no mended example", info.id));
            continue;
        };
        let left = diagnostics(language, mended, Modifies::Check);
        if !left.is_empty() {
            wrong.push(format!("{}: the mended example triggers {left:?}", info.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pages_begin_with_their_id_and_title() {
    for info in rows() {
        assert!(
            info.page
                .starts_with(&format!("# {}: {}\n", info.id, info.title)),
            "{} does not begin with its title",
            info.id
        );
    }
}

#[test]
fn ids_are_unique_and_sorted() {
    let ids: Vec<&str> = TABLE.iter().map(|info| info.id.as_str()).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(ids, sorted);
}
