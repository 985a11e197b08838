//! Quick fixes: what would do, offered as an edit.
//!
//! * The inferred invariant of a loop is written to it, and what a contract lacks for a caller to the procedure
//!   ([`super::insertions`]).
//! * `modifies` clauses get what they lack.
//! * A name that nobody knows becomes the one that was meant.
//! * A procedure in which there is nothing to check gets an assertion.

use std::collections::HashMap;

use lsp_types::{CodeAction, CodeActionKind, Diagnostic, Range, TextEdit, WorkspaceEdit};
use ult_lang::ast::{Decl, Program, SpecKind};
use ult_lang::db::Database;
use ult_lang::diagnostic::{Diagnostic as SourceDiagnostic, Id};
use ult_lang::parse::parse_boogie;
use ult_lang::span::Span;

use super::diagnostics;
use super::document::Document;
use super::insertions::Insertion;
use ult_driver::Language;

/// What could be done about a range. The client says which diagnostics it shows there.
pub fn fixes(
    document: &Document,
    db: &Database,
    range: Range,
    shown: &[Diagnostic],
) -> Vec<CodeAction> {
    if document.language != Language::Boogie {
        return Vec::new();
    }
    let mut actions = Vec::new();
    let (tree, _) = parse_boogie(document.text.as_str());
    let (source, messages) = document.messages(db);
    for found in messages {
        let edit = meant(found).or_else(|| modifies(document, &tree, found));
        let Some((title, place, text)) = edit else {
            continue;
        };
        let in_library = source.is_some_and(|source| document.range(source, place).is_none());
        let told = diagnostics::message(document, source, found);
        if in_library || !touches(told.range, range) {
            continue;
        }
        let told: Vec<Diagnostic> = shown
            .iter()
            .filter(|shown| shown.range == told.range && shown.code == told.code)
            .cloned()
            .collect();
        actions.push(action(document, title, place, text, told));
    }
    actions.extend(invariants(document, range, shown));
    actions.extend(assertions(document, &tree, range));
    actions
}

/// An edit: what it is called, which place it replaces, and by what.
type Edit = (String, Span, String);

/// The name that was meant.
fn meant(found: &SourceDiagnostic) -> Option<Edit> {
    let help = found.help.as_deref()?;
    let name = help.strip_prefix("did you mean `")?.strip_suffix("`?")?;
    Some((format!("Change to `{name}`"), found.place()?, name.into()))
}

/// The clause that a procedure lacks.
fn modifies(document: &Document, tree: &Program, found: &SourceDiagnostic) -> Option<Edit> {
    if ![Id::NOT_IN_MODIFIES, Id::MODIFIES_MISSING].contains(&found.id) {
        return None;
    }
    let help = found.help.as_deref()?;
    let rest = help.strip_prefix("add `modifies ")?;
    let (names, rest) = rest.split_once(";` to the procedure `")?;
    let name = rest.strip_suffix('`')?;
    let procedure = tree.decls.iter().find_map(|decl| match decl {
        Decl::Procedure(decl) if *decl.signature.name.name == *name => Some(decl),
        _ => None,
    })?;
    let title = format!("Add `modifies {names};`");
    let clause = procedure
        .specs
        .iter()
        .rfind(|spec| matches!(spec.kind, SpecKind::Modifies(_)));
    if let Some(clause) = clause {
        let text = document.text.as_str().get(clause.span.range())?;
        let end = text.rfind(';')?;
        let end = clause.span.start + u32::try_from(end).ok()?;
        return Some((title, Span::new(end, end), format!(", {names}")));
    }
    // Behind the contract, or the head; a procedure without a body has its `;` there.
    let text = document.text.as_str();
    let head = procedure.specs.last().map(|spec| spec.span);
    let mut end = head.unwrap_or(procedure.signature.span).end as usize;
    if head.is_none() && text.get(end..)?.trim_start().starts_with(';') {
        end += text.get(end..)?.find(';')? + 1;
    }
    let before = text.get(..end)?.trim_end();
    let end = u32::try_from(before.len()).ok()?;
    let text = format!("\n  modifies {names};");
    Some((title, Span::new(end, end), text))
}

/// The invariants of loops in a range, or of loops with a diagnostic; contracts also where callers need them.
fn invariants(document: &Document, range: Range, shown: &[Diagnostic]) -> Vec<CodeAction> {
    let mut actions = Vec::new();
    for insertion in document.verdicts.insertions() {
        let Insertion { head, edit, .. } = insertion;
        let places = || insertion.asked.iter().chain([head]);
        let about = |shown: &&Diagnostic| places().any(|place| touches(shown.range, *place));
        if !places().any(|place| touches(*place, range)) && !shown.iter().any(|shown| about(&shown))
        {
            continue;
        }
        let shown = shown.iter().filter(about).cloned().collect();
        let title = format!("Insert the inferred {}", insertion.what);
        actions.push(action(
            document,
            title,
            edit.place,
            edit.text.clone(),
            shown,
        ));
    }
    actions
}

/// Assertions for procedures in a range that were checked and in which there was nothing to check. What is inserted does not
/// hold before somebody has said what does: it is no claim that is SAFE without a thought.
fn assertions(document: &Document, tree: &Program, range: Range) -> Vec<CodeAction> {
    let text = document.text.as_str();
    let bodies = tree.decls.iter().filter_map(|decl| match decl {
        Decl::Procedure(decl) => Some((&decl.signature, decl.body.as_ref()?)),
        Decl::Implementation(decl) => Some((&decl.signature, &decl.body)),
        _ => None,
    });
    let mut actions = Vec::new();
    for (signature, body) in bodies {
        let unit = document.verdicts.unit(&signature.name.name);
        if !touches(document.text.range(signature.span), range)
            || !unit.is_some_and(|unit| unit.obligations.is_empty())
        {
            continue;
        }
        let inside = text
            .get(body.span.range())
            .and_then(|text| text.strip_suffix('}'));
        let Some(inside) = inside else { continue };
        let end = inside.trim_end().len();
        let gap = &inside[end..];
        let indent = gap.rsplit_once('\n').map(|(_, indent)| indent);
        let edit = match indent {
            Some(indent) => format!("\n{indent}  {ASSERTION}"),
            None => format!(" {ASSERTION}"),
        };
        let Ok(end) = u32::try_from(end) else {
            continue;
        };
        let place = Span::new(body.span.start + end, body.span.start + end);
        let title = "Insert an assertion".to_owned();
        actions.push(action(document, title, place, edit, Vec::new()));
    }
    actions
}

/// What stands where somebody has to say something.
const ASSERTION: &str = "assert false; /* say what holds here */";

fn action(
    document: &Document,
    title: String,
    place: Span,
    text: String,
    diagnostics: Vec<Diagnostic>,
) -> CodeAction {
    CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: (!diagnostics.is_empty()).then_some(diagnostics),
        edit: Some(change(document, place, text)),
        ..CodeAction::default()
    }
}

/// A change of a text, as clients are told of it.
pub fn change(document: &Document, place: Span, text: String) -> WorkspaceEdit {
    let edit = TextEdit {
        range: document.text.range(place),
        new_text: text,
    };
    #[allow(
        clippy::mutable_key_type,
        reason = "the type that the protocol's library has for addresses"
    )]
    let changes = HashMap::from([(document.uri.clone(), vec![edit])]);
    WorkspaceEdit {
        changes: Some(changes),
        ..WorkspaceEdit::default()
    }
}

/// Whether two ranges have a line in common.
fn touches(one: Range, other: Range) -> bool {
    one.start.line <= other.end.line && other.start.line <= one.end.line
}
