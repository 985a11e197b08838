//! What is said about the place under the mouse.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Range};
use ult_lang::db::Database;
use ult_lang::names::Kind;

use super::document::Document;
use super::{hints, navigation};
use ult_driver::ObligationReport;
use ult_report::{explain, text};

/// The declaration of the name at a position; the verdict on the procedure that it names; the invariants of the loop
/// that begins in its line; why nothing is known about what has to hold there, and what can help.
pub fn hover(document: &Document, db: &Database, position: Position) -> Option<Hover> {
    let mut parts = Vec::new();
    let found = navigation::symbol(document, db, position);
    if let Some((symbol, _)) = &found
        && let Some(index) = document.index(db)
    {
        for declaration in index.declarations(symbol) {
            parts.push(code(&declaration.detail));
            if matches!(declaration.kind, Kind::Procedure | Kind::Graph)
                && let Some(unit) = document.verdicts.unit(&declaration.name)
            {
                parts.push(text::unit_verdict(unit, false));
            }
        }
    }
    for invariant in hints::invariants(document) {
        if invariant.position.line == position.line {
            let formula = code(&invariant.formula);
            parts.push(format!(
                "inferred invariant of the {}:\n{formula}",
                invariant.of
            ));
        }
    }
    parts.extend(document.verdicts.source().iter().flat_map(|source| {
        let units = document.verdicts.units();
        let open = units.flat_map(|unit| &unit.obligations);
        let here = open.filter(|obligation| {
            let range = document.range(source, obligation.span);
            let is_here = |range: &Range| range.start <= position && position <= range.end;
            !obligation.pending && range.as_ref().is_some_and(is_here)
        });
        here.filter_map(unknown)
    }));
    if parts.is_empty() {
        return None;
    }
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: parts.join("\n\n"),
        }),
        range: found.map(|(_, range)| range),
    })
}

/// Why nothing is known about an obligation, and what can help.
fn unknown(obligation: &ObligationReport) -> Option<String> {
    let reason = obligation.verdict.reason()?;
    let page = explain::find(reason.code())?.page;
    Some(format!("UNKNOWN({}): {reason}\n\n{page}", reason.code()))
}

fn code(text: &str) -> String {
    format!("```boogie\n{text}\n```")
}
