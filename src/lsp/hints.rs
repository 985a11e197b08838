//! What a check has found out, shown in the text: invariants, values along a run, verdicts on procedures.

use std::collections::BTreeMap;

use lsp_types::{CodeLens, Command, InlayHint, InlayHintKind, InlayHintLabel, Position, Range};
use serde_json::json;
use ult_lang::ast::Decl;
use ult_lang::db::{self, Database};
use ult_lang::span::Span;

use super::capabilities::{CHECK, INSERT_INVARIANT, SHOW_GRAPH, SHOW_RUN};
use super::client::Client;
use super::document::Document;
use super::verdicts::violated;
use ult_driver::Language;
use ult_report::{steps, text};

/// A longer formula is shown in full on hovering only.
const LONGEST: usize = 120;

/// So many visits of one line are shown.
const MOST_VISITS: usize = 4;

/// An invariant at its place in the text.
pub struct Invariant {
    /// Behind the line where the loop begins.
    pub position: Position,
    /// What it is about: `loop`.
    pub of: &'static str,
    /// The formula.
    pub formula: String,
}

/// The inferred invariants.
pub fn invariants(document: &Document) -> Vec<Invariant> {
    let Some(source) = document.verdicts.source() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for unit in document.verdicts.units() {
        for invariant in unit.invariants.iter().filter(|i| !i.is_trivial()) {
            let range = invariant.span.and_then(|span| document.range(source, span));
            if let Some(range) = range {
                found.push(Invariant {
                    position: document.text.end_of_line(range.start.line),
                    of: match invariant.predicate {
                        Some(_) => "predicate",
                        None => "loop",
                    },
                    formula: invariant.formula.clone(),
                });
            }
        }
    }
    found
}

/// Hints behind the lines of a range: invariants, and the values along the run that is shown.
pub fn inlay(document: &Document, range: Range) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    for invariant in invariants(document) {
        let label = format!("invariant {}", cut(&invariant.formula));
        hints.push(hint(invariant.position, label, Some(invariant.formula)));
    }
    for (line, visits) in visits(document) {
        let more = visits.len().saturating_sub(MOST_VISITS);
        let mut label = visits
            .iter()
            .take(MOST_VISITS)
            .map(|visit| cut(visit))
            .collect::<Vec<_>>()
            .join(" | ");
        if more > 0 {
            label += &format!(" | {more} more");
        }
        let all = (more > 0).then(|| visits.join("\n"));
        hints.push(hint(document.text.end_of_line(line), label, all));
    }
    hints.retain(|hint| {
        range.start.line <= hint.position.line && hint.position.line <= range.end.line
    });
    hints.sort_by_key(|hint| hint.position);
    hints
}

/// For each line what the steps of the shown run did there, visit by visit.
fn visits(document: &Document) -> BTreeMap<u32, Vec<String>> {
    let mut visits: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let shown = document.verdicts.shown().zip(document.verdicts.source());
    let Some((obligation, source)) = shown else {
        return visits;
    };
    for step in obligation.run.iter() {
        let outcome = steps::outcome(step);
        if outcome.is_empty() || step.minor {
            continue;
        }
        if let Some(range) = document.range(source, step.span) {
            visits.entry(range.start.line).or_default().push(outcome);
        }
    }
    visits
}

fn hint(position: Position, label: String, tooltip: Option<String>) -> InlayHint {
    InlayHint {
        position,
        label: InlayHintLabel::String(label),
        kind: Some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: tooltip.map(lsp_types::InlayHintTooltip::String),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(LONGEST - 3).collect();
    format!("{cut}...")
}

/// Above each procedure with a body: a way to check it, and the verdict on it. At each loop: a way to insert the invariant that was
/// inferred. `is_checking` says of which units a check is under way.
pub fn lenses(
    document: &Document,
    db: &Database,
    is_checking: impl Fn(Option<&str>) -> bool,
    client: &Client,
) -> Vec<CodeLens> {
    let uri = document.uri.as_str();
    let mut lenses = Vec::new();
    for (unit, span) in units(document, db) {
        let range = document.text.range(span);
        let mut lens = |title: String, command: &str, arguments: Vec<serde_json::Value>| {
            lenses.push(CodeLens {
                range,
                command: Some(Command {
                    title,
                    command: command.to_owned(),
                    arguments: Some(arguments),
                }),
                data: None,
            });
        };
        let name = unit.as_deref();
        let arguments = match name {
            Some(name) if document.language == Language::Boogie => vec![json!(uri), json!(name)],
            _ => vec![json!(uri)],
        };
        if is_checking(name) {
            lens("checking ...".into(), "", Vec::new());
        } else {
            lens("check".into(), CHECK, arguments.clone());
        }
        let words = match name {
            Some(name) => {
                let report = document.verdicts.unit(name);
                report.map(|unit| text::unit_verdict(unit, false))
            }
            None => document.verdicts.summary().map(str::to_owned),
        };
        if let Some(words) = words {
            lens(words, "", Vec::new());
        }
        let of_unit = document
            .verdicts
            .units()
            .filter(|unit| name.is_none_or(|name| &*unit.name == name))
            .find(|unit| violated(unit).is_some());
        if let Some(unit) = of_unit {
            let arguments = vec![json!(uri), json!(&*unit.name)];
            lens("show counterexample".into(), SHOW_RUN, arguments);
        }
        if client.shows_pages && !is_checking(name) {
            lens("show graph".into(), SHOW_GRAPH, arguments);
        }
    }
    if client.applies_edits {
        let insertions = document.verdicts.insertions().iter();
        lenses.extend(insertions.map(|insertion| CodeLens {
            range: insertion.head,
            command: Some(Command {
                title: format!("insert {}", insertion.what),
                command: INSERT_INVARIANT.to_owned(),
                arguments: Some(vec![json!(uri), json!(insertion.head.start.line)]),
            }),
            data: None,
        }));
    }
    lenses
}

/// What can be checked: procedures and graphs with the places of their names; a text in another language as a whole.
fn units(document: &Document, db: &Database) -> Vec<(Option<String>, Span)> {
    match (document.language, document.file) {
        (Language::Boogie, Some(file)) => {
            let declarations = db::boogie_declarations(db, file);
            let starts = declarations.starts.iter();
            let heads = starts.zip(&declarations.decls).filter_map(|(start, decl)| {
                let name = match &**decl {
                    Decl::Procedure(decl) if decl.body.is_some() => &decl.signature.name,
                    Decl::Implementation(decl) => &decl.signature.name,
                    _ => return None,
                };
                let span = Span::new(name.span.start + start, name.span.end + start);
                Some((Some(name.name.to_string()), span))
            });
            heads.collect()
        }
        (Language::Graph, Some(file)) => {
            let graphs = db::parsed_graph(db, file).tree.graphs.iter();
            graphs
                .map(|graph| (Some(graph.name.name.to_string()), graph.name.span))
                .collect()
        }
        _ => vec![(None, Span::default())],
    }
}
