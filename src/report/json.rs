//! Reports as JSON, for other programs.
//!
//! One object for each file:
//!
//! ```text
//! { "tool": "ult", "format": 1, "version": "0.1.0", "solver": "Z3 5.4.0",
//!   "file": "examples/seed.bpl",
//!   "verdict": "SAFE" | "UNSAFE" | "CONDITIONAL" | "UNKNOWN" | "REJECTED" | "NOTHING",
//!   "reason": null | { "code": "timeout", "text": "..." },
//!   "units": [
//!     { "name": "main", "verdict": ...,
//!       "obligations": [
//!         { "id": "main/1", "kind": "assert" | "requires" | "ensures" | "invariant-initiation"
//!                 | "invariant-consecution" | "location" | "query" | "condition" | "unsupported",
//!           "place": { "line": 12, "column": 3, "end_line": 12, "end_column": 17 }, "description": "assertion",
//!           "verdict": ..., "reason": ...,
//!           "run": [ { "line": 12, "column": 3, "procedure": "main", "statement": "x := 1",
//!                      "changes": { "x": "1" } } ],
//!           "confirmation": null | { "outcome": "confirmed" | "contradicted" | "not-confirmed" | "not-tried",
//!                                    "text": "...", "reasons": ["..."] } } ],
//!       "invariants": [ { "location": "loop1", "predicate": null | "inv(x, y)",
//!                         "line": 8, "formula": "n == x" } ],
//!       "arguments": [ { "kind": "induction" | "bound", "segments": 3 } | { "kind": "explored" } ] } ],
//!   "diagnostics": [ { "id": "E0101", "severity": "error" | "warning", "message": "...", "help": null | "...",
//!                      "line": 1, "column": 1, "end_line": 1, "end_column": 4 } ],
//!   "statistics": { "solver_calls": 12, "solver_time": 0.03, ... },
//!   "seconds": 0.05 }
//! ```
//!
//! Lines and columns count from 1; columns count characters. An end is where the next character is. Obligations are numbered
//! within their unit. They are `null` where there is no
//! place. Where a place is in another file (C with headers), there is `"file"` beside the line. Values
//! are texts in Boogie's notation. Times are in seconds.
//!
//! With `-Z trace-refinement`, units also have `"refinement"`: for each engine that had an answer its
//! name, how many error locations it decided, and its searches with their steps.
//!
//! With `-Z explain-portfolio`, units on which a portfolio worked also have `"portfolio"`: what was seen
//! at the first look, which engines worked and why, and which were left out.
//!
//! Of a run of many thousand steps only those at both ends and inputs are told; a step before which others are left out has
//! `"left_out"`, their number.
//!
//! With `--cache`, units also have `"evidence": { "reused": 3, "found": 1 }`: how many error locations (of which one
//! obligation may have several) were decided by evidence of an earlier run, checked again, and how many by what this run found.
//!
//! With `--seeds`, there is `"stability": { "runs": 5, "wanted": 5, "unstable": [ { "unit": "main", "description": "assertion",
//! "line": 12, "column": 3, "decided": 4, "open": [ { "seed": 2, "reason": ... } ] } ] }`: what did not get the same verdict in all
//! runs. The seed 0 is the first run, which is the one that is told.
//!
//! With `--certificate`, there is `"certified": { "proved": 14, "asked": 14 }`: how many questions about invariants have a proof that was
//! checked without a solver.
//!
//! NOTHING is a file in which there is nothing to check; no unit has an obligation then.
//!
//! A recursive procedure whose contract was inferred, and proved, has `"contract": { "requires": "...", "ensures": "..." }`.
//!
//! Translated programs (C) also have `"assumptions": ["..."]` and `"unknown_functions": ["..."]`, and `"checked": "..."` where
//! something was checked that the program does not say, and `"overapprox": true` where a proof is one of an over-approximation. Boogie
//! programs have `"assumptions"` where values of constants were inferred.

use serde_json::{Map, Value, json};
use ult_lang::span::Span;

use ult_check::Verdict;
use ult_core::graph::evidence::Argument;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_driver::result::Stability;
use ult_driver::{
    Certified, Conclusion, Language, ObligationReport, Report, Reuse, Source, UnitReport,
};
use ult_engine::portfolio::Plan;
use ult_explain::search::{EngineReport, Search, Step};

/// The version of the form. It is raised when a field goes, or changes its meaning; new fields may be
/// added without that.
const FORMAT: u32 = 1;

/// The report on a file.
pub fn report(report: &Report) -> Value {
    let source = &report.source;
    let units: Vec<Value> = report.units.iter().map(|u| unit(u, source)).collect();
    let diagnostics: Vec<Value> = report
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let place = diagnostic.place().map(|span| source.start(span));
            let end = diagnostic.place().and_then(|span| source.end(span));
            let object = json!({
                "id": diagnostic.id.as_str(),
                "severity": super::diagnostic::severity(diagnostic.severity),
                "message": diagnostic.message,
                "help": diagnostic.help,
                "line": place.map(|place| place.line),
                "column": place.map(|place| place.column),
                "end_line": end.map(|end| end.line),
                "end_column": end.map(|end| end.column),
            });
            with_file(object, source, diagnostic.place())
        })
        .collect();
    let conclusion = report.conclusion();
    let mut object = json!({
        "tool": "ult",
        "format": FORMAT,
        "version": env!("CARGO_PKG_VERSION"),
        "solver": ult_smt::solver_name(),
        "file": &*source.name,
        "verdict": conclusion.to_string(),
        "reason": conclusion_reason(&conclusion),
        "units": units,
        "diagnostics": diagnostics,
        "statistics": statistics(&report.statistics),
        "seconds": report.seconds,
    });
    if let Some(stability) = &report.stability {
        object["stability"] = self::stability(stability, source);
    }
    if let Some(Certified { proved, asked }) = report.certified {
        object["certified"] = json!({ "proved": proved, "asked": asked });
    }
    if report.language == Language::C {
        object["assumptions"] = json!(report.basis.assumptions);
        object["unknown_functions"] = json!(report.basis.unknown_functions);
        if !report.basis.linked.is_empty() {
            let files: Vec<&str> = report.basis.linked.iter().map(|file| &**file).collect();
            object["linked"] = json!(files);
        }
        if let Some(checked) = &report.basis.checked {
            object["checked"] = json!(checked);
        }
        if report.basis.overapprox {
            object["overapprox"] = json!(true);
            // The name of version 0.1, for one more version.
            object["coarse"] = json!(true);
        }
        if let Some(why) = &report.unchecked {
            object["unchecked"] = reason(why);
        }
    } else if !report.basis.assumptions.is_empty() {
        object["assumptions"] = json!(report.basis.assumptions);
    }
    object
}

/// What became of verdicts under other seeds.
fn stability(stability: &Stability, source: &Source) -> Value {
    let unstable = stability.unstable.iter().map(|unstable| {
        let place = source.start(unstable.span);
        let open = unstable.open.iter().map(|(seed, reason)| {
            json!({ "seed": seed, "reason": { "code": reason.code(), "text": reason.to_string() } })
        });
        let object = json!({
            "unit": &*unstable.unit,
            "description": &*unstable.description,
            "line": place.line,
            "column": place.column,
            "decided": unstable.decided,
            "open": open.collect::<Vec<Value>>(),
        });
        with_file(object, source, Some(unstable.span))
    });
    json!({
        "runs": stability.runs,
        "wanted": stability.wanted,
        "unstable": unstable.collect::<Vec<Value>>(),
    })
}

/// What is told if somebody asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct More {
    /// What the engines did, step by step.
    pub refinement: bool,
    /// Which engines of the portfolio worked, and why.
    pub portfolio: bool,
}

/// The report on a file with more about its units.
pub fn with_more(report: &Report, more: More) -> Value {
    let mut object = self::report(report);
    for (i, unit) in report.units.iter().enumerate() {
        if let Some(plan) = unit.portfolio.as_ref().filter(|_| more.portfolio) {
            object["units"][i]["portfolio"] = portfolio(plan);
        }
        if let Some(explanation) = unit.explanation.as_ref().filter(|_| more.refinement) {
            let engines = explanation.engines.iter().map(refinement);
            object["units"][i]["refinement"] = engines.collect();
        }
    }
    object
}

fn portfolio(plan: &Plan) -> Value {
    let members = plan.members.iter().map(|member| {
        json!({
            "engine": member.kind.name(),
            "sprint": member.sprint,
            "budget": member.budget,
            "why": member.why,
        })
    });
    let absent = plan.absent.iter();
    let absent = absent.map(|(kind, why)| json!({ "engine": kind.name(), "why": why }));
    json!({
        "seen": plan.features.to_string(),
        "engines": members.collect::<Vec<Value>>(),
        "left_out": absent.collect::<Vec<Value>>(),
    })
}

/// Adds the file of a place, if it is not the source's own.
fn with_file(mut object: Value, source: &Source, span: Option<Span>) -> Value {
    if let Some(file) = span.and_then(|span| source.other_file(span)) {
        object["file"] = Value::from(file);
    }
    object
}

fn unit(unit: &UnitReport, source: &Source) -> Value {
    let obligations: Vec<Value> = (unit.obligations.iter().enumerate())
        .map(|(number, told)| {
            let id = format!("{}/{}", unit.name, number + 1);
            obligation(&id, told, source)
        })
        .collect();
    let invariants: Vec<Value> = unit
        .invariants
        .iter()
        .map(|invariant| {
            let object = json!({
                "location": &*invariant.location,
                "predicate": invariant.predicate,
                "line": invariant.span.map(|span| source.start(span).line),
                "formula": invariant.formula,
            });
            with_file(object, source, invariant.span)
        })
        .collect();
    let mut object = json!({
        "name": &*unit.name,
        "verdict": unit.conclusion().to_string(),
        "obligations": obligations,
        "invariants": invariants,
    });
    let arguments: Vec<Value> = unit.arguments().into_iter().map(argument).collect();
    if !arguments.is_empty() {
        object["arguments"] = Value::from(arguments);
    }
    if unit.reuse != Reuse::default() {
        object["evidence"] = json!({ "reused": unit.reuse.reused, "found": unit.reuse.found });
    }
    if let Some(contract) = &unit.contract {
        object["contract"] = json!({
            "requires": contract.requires,
            "ensures": contract.ensures,
        });
    }
    object
}

/// What a proof says beyond its invariants.
fn argument(argument: Argument) -> Value {
    match argument {
        Argument::Inductive(k) => json!({ "kind": "induction", "segments": k }),
        Argument::Bounded(k) => json!({ "kind": "bound", "segments": k }),
        Argument::Explored => json!({ "kind": "explored" }),
    }
}

/// What an engine did, step by step.
fn refinement(told: &EngineReport) -> Value {
    let search = |search: &Search| {
        let step = |step: &Step| {
            let rows = step.rows.iter();
            let rows: Vec<Value> = rows.map(|row| json!([row.about, row.text])).collect();
            json!({ "action": step.action, "text": step.text, "rows": rows })
        };
        json!({
            "in_phases": search.in_phases,
            "steps": search.steps.iter().map(step).collect::<Vec<Value>>(),
            "left_out": search.left_out,
        })
    };
    json!({
        "engine": told.engine.name(),
        "decided": told.decided,
        "searches": told.searches.iter().map(search).collect::<Vec<Value>>(),
    })
}

fn obligation(id: &str, obligation: &ObligationReport, source: &Source) -> Value {
    let place = source.start(obligation.span);
    let end = source.end(obligation.span);
    let run: Vec<Value> = obligation
        .run
        .iter()
        .map(|step| {
            let place = source.start(step.span);
            let changes: Map<String, Value> = step
                .changes
                .iter()
                .map(|(name, value)| (name.clone(), Value::from(value.as_str())))
                .collect();
            let mut object = json!({
                "line": place.line,
                "column": place.column,
                "procedure": &*step.procedure,
                "statement": step.text(),
                "changes": changes,
            });
            if step.left_out > 0 {
                object["left_out"] = step.left_out.into();
            }
            with_file(object, source, Some(step.span))
        })
        .collect();
    let (verdict, why) = match &obligation.verdict {
        Verdict::Safe(_) => ("SAFE", Value::Null),
        Verdict::Unsafe(_) => ("UNSAFE", Value::Null),
        Verdict::Unknown(why) => ("UNKNOWN", reason(why)),
    };
    let mut object = json!({
        "id": id,
        "kind": obligation.code(),
        "place": with_file(
            json!({
                "line": place.line,
                "column": place.column,
                "end_line": end.map(|end| end.line),
                "end_column": end.map(|end| end.column),
            }),
            source,
            Some(obligation.span)
        ),
        "description": &*obligation.description,
        "verdict": verdict,
        "reason": why,
        "cause": obligation.cause().map(|cause| json!({
            "conjunct": cause.conjunct,
            "values": values(&cause.values),
        })),
        "loops": obligation.loops.iter().map(|span| source.start(*span).line).collect::<Vec<u32>>(),
        "candidate": obligation.candidate.as_ref().map(|told| json!({
            "line": source.start(told.span).line,
            "formula": told.formula,
            "fails_from": values(&told.state),
        })),
        "missing": obligation.missing.iter().map(|(span, text)| json!({ "line": source.start(*span).line, "text": text })).collect::<Vec<Value>>(),
        "run": run,
        "confirmation": obligation.confirmation.as_ref().map(|told| json!({
            "outcome": told.outcome.code(),
            "text": told.sentence(),
            "reasons": told.reasons,
        })),
    });
    if obligation.is_condition {
        object["condition"] = json!(true);
    }
    object
}

/// Names with their values, in this order.
fn values(values: &[(String, String)]) -> Vec<Value> {
    let value = |(name, value): &(String, String)| json!({ "name": name, "value": value });
    values.iter().map(value).collect()
}

fn reason(reason: &Reason) -> Value {
    json!({ "code": reason.code(), "text": reason.to_string() })
}

fn conclusion_reason(conclusion: &Conclusion) -> Value {
    match conclusion {
        Conclusion::Conditional(why) | Conclusion::Unknown(why) => reason(why),
        Conclusion::Safe | Conclusion::Nothing | Conclusion::Unsafe | Conclusion::Rejected => {
            Value::Null
        }
    }
}

/// All counters; times as seconds.
pub fn statistics(statistics: &Statistics) -> Value {
    let mut value = serde_json::to_value(statistics).unwrap_or(Value::Null);
    if let Value::Object(fields) = &mut value {
        for field in fields.values_mut() {
            in_seconds(field);
            if let Value::Object(parts) = field {
                parts.values_mut().for_each(in_seconds);
            }
        }
    }
    value
}

/// A duration becomes a number of seconds; everything else stays.
fn in_seconds(field: &mut Value) {
    if let (Some(whole), Some(nanos)) = (
        field.get("secs").and_then(Value::as_u64),
        field.get("nanos").and_then(Value::as_u64),
    ) {
        let time = std::time::Duration::new(whole, u32::try_from(nanos).unwrap_or(0));
        *field = Value::from(time.as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_numbers_of_seconds() {
        let statistics = super::statistics(&Statistics {
            solver_calls: 3,
            solver_time: std::time::Duration::from_millis(1500),
            ..Statistics::default()
        });
        assert_eq!(statistics["solver_calls"], 3);
        assert_eq!(statistics["solver_time"], 1.5);
        assert!(statistics["interpolations"].is_object());
    }
}
