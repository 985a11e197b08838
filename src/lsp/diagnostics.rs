//! Messages and verdicts as the protocol's diagnostics.

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
};
use ult_lang::db::Database;
use ult_lang::diagnostic::{Diagnostic as SourceDiagnostic, Severity};
use ult_lang::names::Space;
use ult_lang::span::Span;

use super::document::Document;
use ult_check::Verdict;
use ult_core::reason::Reason;
use ult_driver::{ObligationReport, RunStep, Source};
use ult_report::{steps, text};

/// Who says it.
const SOURCE: &str = "ult";

/// So many steps of a run are listed under a diagnostic.
const LONGEST_RUN: usize = 100;

/// So many of them, where they are told in the message.
const MOST_IN_WORDS: usize = 20;

/// A message of the front end about a document.
pub fn message(
    document: &Document,
    source: Option<&Source>,
    found: &SourceDiagnostic,
) -> Diagnostic {
    let range = |span: Span| match source {
        Some(source) => document.range(source, span),
        None => Some(document.text.range(span)),
    };
    let primary = found.place().and_then(range);
    let mut message = found.message.clone();
    if let Some((_, label)) = found.labels.first()
        && !label.is_empty()
    {
        message += &format!("\n{label}");
    }
    if let Some(help) = &found.help {
        message += &format!("\nhelp: {help}");
    }
    let related = found.labels.iter().skip(1).filter_map(|(span, label)| {
        Some(DiagnosticRelatedInformation {
            location: location(document, range(*span)?),
            message: label.clone(),
        })
    });
    let related: Vec<_> = related.collect();
    Diagnostic {
        range: primary.unwrap_or_default(),
        severity: Some(match found.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(found.id.as_str().to_owned())),
        source: Some(SOURCE.into()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

/// What the checks found out about a document: a diagnostic for each obligation that is violated or open, and for each
/// unit about which nothing is known. That a check was cancelled is no news.
pub fn verdicts(document: &Document, db: &Database) -> Vec<Diagnostic> {
    let Some(source) = document.verdicts.source() else {
        return Vec::new();
    };
    let mut diagnostics = Vec::new();
    for unit in document.verdicts.units() {
        for obligation in &unit.obligations {
            diagnostics.extend(finding(document, source, obligation));
        }
        let is_silent = unit
            .obligations
            .iter()
            .all(|o| o.verdict.reason().is_none());
        if is_silent && let Some(reason) = &unit.stopped {
            let words = format!("{}: {}", unit.name, text::unit_verdict(unit, false));
            let range = head(document, db, &unit.name).unwrap_or_default();
            diagnostics.extend(gap(range, reason, words));
        }
    }
    if let Some(reason) = document.verdicts.stopped() {
        let words = document.verdicts.summary().unwrap_or_default();
        diagnostics.extend(gap(Range::default(), reason, words.to_owned()));
    }
    diagnostics
}

/// What is not known, unless nobody wants to know.
fn gap(range: Range, reason: &Reason, message: String) -> Option<Diagnostic> {
    (*reason != Reason::Cancelled).then(|| Diagnostic {
        range,
        severity: Some(DiagnosticSeverity::WARNING),
        code: Some(NumberOrString::String(reason.code().to_owned())),
        source: Some(SOURCE.into()),
        message,
        ..Diagnostic::default()
    })
}

/// The name of a procedure or graph where it is declared.
fn head(document: &Document, db: &Database, name: &str) -> Option<Range> {
    let (_, declaration) = document.index(db)?.globals().find(|(space, global)| {
        matches!(space, Space::Procedure | Space::Graph) && &*global.name == name
    })?;
    Some(document.text.range(declaration.span))
}

/// A diagnostic, unless the obligation is proved.
fn finding(
    document: &Document,
    source: &Source,
    obligation: &ObligationReport,
) -> Option<Diagnostic> {
    let mut message = text::finding(obligation, false);
    let (severity, code) = match &obligation.verdict {
        Verdict::Safe(_) | Verdict::Unknown(Reason::Cancelled) => return None,
        // The work is not over.
        Verdict::Unknown(_) if obligation.pending => return None,
        Verdict::Unsafe(_) => (DiagnosticSeverity::ERROR, obligation.code()),
        Verdict::Unknown(reason) => {
            if !reason.is_limit() {
                message += &format!("\n{reason}");
            }
            (DiagnosticSeverity::WARNING, reason.code())
        }
    };
    if let Some(told) = &obligation.confirmation {
        message += &format!("\n{}", told.sentence());
        for reason in &told.reasons {
            message += &format!("\npossible reason: {reason}");
        }
    }
    let mut related = Vec::new();
    if let Some(range) = obligation
        .clause
        .filter(|clause| *clause != obligation.span)
        .and_then(|clause| document.range(source, clause))
    {
        related.push(DiagnosticRelatedInformation {
            location: location(document, range),
            message: "the clause".into(),
        });
    }
    if let Some(range) = obligation
        .reason_span
        .filter(|span| *span != obligation.span)
        .and_then(|span| document.range(source, span))
    {
        related.push(DiagnosticRelatedInformation {
            location: location(document, range),
            message: "the reason is here".into(),
        });
    }
    let steps = obligation.run.iter().enumerate();
    related.extend(
        steps
            .filter(|(_, step)| !step.minor)
            .filter_map(|(i, step)| self::step(document, source, step, i == 0))
            .take(LONGEST_RUN),
    );
    Some(Diagnostic {
        range: document.range(source, obligation.span).unwrap_or_default(),
        severity: Some(severity),
        code: Some(NumberOrString::String(code.to_owned())),
        source: Some(SOURCE.into()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    })
}

/// A diagnostic for a client that shows no places beside a message: they are told in its text.
pub fn in_words(mut diagnostic: Diagnostic) -> Diagnostic {
    let related = diagnostic.related_information.take().unwrap_or_default();
    for place in related.iter().take(MOST_IN_WORDS) {
        let line = place.location.range.start.line + 1;
        diagnostic.message += &format!("\nline {line}: {}", place.message);
    }
    if related.len() > MOST_IN_WORDS {
        diagnostic.message += &format!("\n{} more", related.len() - MOST_IN_WORDS);
    }
    diagnostic
}

/// A step of a run with its place.
fn step(
    document: &Document,
    source: &Source,
    step: &RunStep,
    is_start: bool,
) -> Option<DiagnosticRelatedInformation> {
    let outcome = steps::outcome(step);
    let message = match (is_start, outcome.is_empty()) {
        (true, true) => return None,
        (true, false) => format!("initially: {outcome}"),
        (false, true) => step.statement.clone(),
        (false, false) => format!("{}  --  {outcome}", step.statement),
    };
    Some(DiagnosticRelatedInformation {
        location: location(document, document.range(source, step.span)?),
        message,
    })
}

fn location(document: &Document, range: Range) -> Location {
    Location {
        uri: document.uri.clone(),
        range,
    }
}
