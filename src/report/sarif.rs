//! Reports in SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), for code scanning and
//! editors.
//!
//! One log with one run. A violated obligation is a result of the level `error`, with the run as its
//! code flow; an open one is a result of the kind `open`, with the reason; messages about the text are
//! results under their ids. What is proved has no result. Why a unit has no verdict is a notification.
//!
//! Columns count characters, and places are in the files that the user named, relative as they were
//! named.

use std::collections::BTreeMap;
use std::path::Path;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ult_lang::span::Span;

use super::diagnostic::severity;
use super::explain;
use super::text::finding;
use ult_check::Verdict;
use ult_core::reason::Reason;
use ult_driver::{ObligationReport, Report, RunStep, Source};

/// What a path must not have in a URI.
const RESERVED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// What a log says about one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// What is not proved, and messages about the text.
    pub results: Vec<Value>,
    /// Why there is no verdict, where that is not about one obligation.
    pub notifications: Vec<Value>,
    /// Whether a verdict is missing because of a bug.
    pub is_broken: bool,
}

/// What a log says about a report.
pub fn part(report: &Report) -> Part {
    Part {
        results: results(report),
        notifications: notifications(report),
        is_broken: is_broken(report),
    }
}

/// The log of several reports.
pub fn log(reports: &[Report]) -> Value {
    let parts: Vec<Part> = reports.iter().map(part).collect();
    log_of(&parts)
}

/// The log that says all of that.
pub fn log_of(parts: &[Part]) -> Value {
    let results: Vec<&Value> = parts.iter().flat_map(|part| &part.results).collect();
    let mut rules: BTreeMap<String, Value> = BTreeMap::new();
    for id in results
        .iter()
        .filter_map(|result| result["ruleId"].as_str())
    {
        rules.entry(id.to_owned()).or_insert_with(|| rule(id));
    }
    let notifications: Vec<&Value> = parts.iter().flat_map(|part| &part.notifications).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "ult",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.into_values().collect::<Vec<Value>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": parts.iter().all(|part| !part.is_broken),
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    })
}

/// Whether a verdict is missing because of a bug.
fn is_broken(report: &Report) -> bool {
    report
        .reasons()
        .any(|reason| matches!(reason, Reason::Internal(_)))
}

/// What a rule is about.
fn rule(id: &str) -> Value {
    let words = match id {
        "assert" => "An assertion holds whenever an execution reaches it.",
        "requires" => "What a procedure requires holds at its calls.",
        "ensures" => "What a procedure ensures holds when it returns.",
        "inferred" => "What was inferred about a procedure holds.",
        "invariant-initiation" => "A loop invariant holds when the loop is entered.",
        "invariant-consecution" => "A round of the loop keeps its invariant.",
        "location" => "No run reaches an error location.",
        "query" => "A query of Horn clauses has no derivation.",
        "condition" => "Behavior is defined.",
        "unsupported" => "No run gets to what is not understood.",
        other => other,
    };
    let mut rule = json!({ "id": id, "shortDescription": { "text": words } });
    if let Some(topic) = explain::find(id) {
        rule["shortDescription"]["text"] = topic.title.into();
        rule["help"] = json!({ "text": topic.page, "markdown": topic.page });
    }
    rule
}

fn results(report: &Report) -> Vec<Value> {
    let source = &report.source;
    let about_text = report.diagnostics.iter().map(|diagnostic| {
        json!({
            "ruleId": diagnostic.id.as_str(),
            // The same words.
            "level": severity(diagnostic.severity),
            "message": { "text": diagnostic.message },
            "locations": [location(source, diagnostic.place())],
        })
    });
    let obligations = report.obligations();
    let about_program = obligations.filter_map(|obligation| result(source, obligation));
    about_text.chain(about_program).collect()
}

/// What there is to be told about an obligation.
fn result(source: &Source, obligation: &ObligationReport) -> Option<Value> {
    let words = finding(obligation, false);
    let mut result = json!({
        "ruleId": obligation.code(),
        "locations": [location(source, Some(obligation.span))],
    });
    match &obligation.verdict {
        Verdict::Safe(_) => return None,
        Verdict::Unsafe(_) => {
            result["level"] = "error".into();
            result["message"] = json!({ "text": words });
        }
        Verdict::Unknown(reason) => {
            result["kind"] = "open".into();
            result["level"] = "none".into();
            result["message"] = json!({ "text": format!("{words}: {reason}") });
        }
    }
    if let Some(clause) = obligation
        .clause
        .filter(|clause| *clause != obligation.span)
    {
        let mut related = location(source, Some(clause));
        related["message"] = json!({ "text": source.excerpt(clause, 80) });
        result["relatedLocations"] = json!([related]);
    }
    if !obligation.run.is_empty() {
        let steps = obligation.run.iter().map(|step| flow(source, step));
        let steps: Vec<Value> = steps.collect();
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    Some(result)
}

/// A step of a run.
fn flow(source: &Source, step: &RunStep) -> Value {
    let mut place = location(source, Some(step.span));
    place["message"] = json!({ "text": step.text() });
    place["logicalLocations"] = json!([{ "name": &*step.procedure, "kind": "function" }]);
    let changes = step.changes.iter();
    let state: serde_json::Map<String, Value> = changes
        .map(|(name, value)| (name.clone(), json!({ "text": value })))
        .collect();
    let importance = match (step.violation, step.minor) {
        (true, _) => "essential",
        (false, true) => "unimportant",
        (false, false) => "important",
    };
    json!({
        "location": place,
        "nestingLevel": step.depth,
        "importance": importance,
        "state": state,
    })
}

/// Why there is no verdict, where that is not about one obligation.
fn notifications(report: &Report) -> Vec<Value> {
    let units = report.units.iter();
    let stopped = units.filter_map(|unit| Some((Some(&unit.name), unit.stopped.as_ref()?)));
    let stopped = stopped.chain(report.stopped.as_ref().map(|reason| (None, reason)));
    let told = stopped.map(|(unit, reason)| {
        let text = match unit {
            Some(unit) => format!("{unit}: {reason}"),
            None => reason.to_string(),
        };
        let level = match reason {
            Reason::Internal(_) => "error",
            _ => "warning",
        };
        json!({
            "descriptor": { "id": reason.code() },
            "level": level,
            "message": { "text": text },
            "locations": [location(&report.source, None)],
        })
    });
    told.collect()
}

/// A place in a file; without a span, the file.
fn location(source: &Source, span: Option<Span>) -> Value {
    let file = span.and_then(|span| source.other_file(span));
    let mut physical = json!({
        "artifactLocation": { "uri": uri(file.unwrap_or(&source.name)) },
    });
    if let Some(span) = span {
        physical["region"] = region(source, span);
    }
    json!({ "physicalLocation": physical })
}

fn region(source: &Source, span: Span) -> Value {
    let start = source.start(span);
    let mut region = json!({ "startLine": start.line, "startColumn": start.column });
    if let Some(end) = source.end(span) {
        region["endLine"] = end.line.into();
        region["endColumn"] = end.column.into();
    }
    region
}

/// The reference to a file: relative as it was named, or with the scheme `file`.
pub(crate) fn uri(name: &str) -> String {
    let name = match std::path::MAIN_SEPARATOR {
        '/' => name.to_owned(),
        separator => name.replace(separator, "/"),
    };
    let encoded = utf8_percent_encode(&name, RESERVED).to_string();
    let first = encoded.split('/').next().unwrap_or_default();
    match (Path::new(&name).is_absolute(), first.contains(':')) {
        (true, _) if encoded.starts_with('/') => format!("file://{encoded}"),
        (true, _) => format!("file:///{encoded}"),
        // What stands before the colon is no scheme.
        (false, true) => format!("./{encoded}"),
        (false, false) => encoded,
    }
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn names_become_references() {
        assert_eq!(uri("a/b.bpl"), "a/b.bpl");
        assert_eq!(uri("/tmp/ä b#1.c"), "file:///tmp/%C3%A4%20b%231.c");
        assert_eq!(uri("a:b.c"), "./a:b.c");
        assert_eq!(uri("100%.c"), "100%25.c");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
    }
}
