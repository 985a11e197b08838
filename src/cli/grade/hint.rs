//! The next hint: what a counterexample says to a student.

use std::collections::BTreeMap;

use ult_core::reason::Reason;
use ult_driver::{ObligationReport, Report, RunStep};
use ult_lower::unit::ObligationKind;

/// So many values are told, the last ones to change first.
const VALUES: usize = 8;

/// What is told of a text, in characters.
const TOLD: usize = 70;

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    /// The line that is to blame.
    pub line: u32,
    /// Sentences.
    pub words: Vec<String>,
}

/// The hint of the first counterexample, if there is one: what an invariant lacks at the start comes before what it lacks
/// after a round, and that before what is missing behind the loop.
pub(super) fn hint(report: &Report) -> Option<Hint> {
    let failing = report.obligations().filter(|o| is_refuted(o));
    let rank = |o: &ObligationReport| match o.kind {
        ObligationKind::InvariantInitiation => 0,
        ObligationKind::InvariantConsecution => 1,
        _ => 2,
    };
    let first = failing.min_by_key(|o| (rank(o), o.span.start))?;
    let source = &report.source;
    // A contract is told where it stands, not where the procedure ends.
    let place = match (&first.kind, first.clause) {
        (ObligationKind::Ensures, Some(clause)) => clause,
        _ => first.span,
    };
    let line = source.start(place).line;
    let clause = source.excerpt(first.clause.unwrap_or(first.span), TOLD);
    let text = clause.trim_end_matches(';');
    let rounds = first.run.iter().rposition(is_any_round);
    let end = values(&first.run);
    let mut words = Vec::new();
    if let Some(Reason::ContractTooWeak(name)) = first.verdict.reason() {
        words.push(match first.kind {
            ObligationKind::Requires { .. } => {
                format!(
                    "the precondition at `{text}` does not follow from the contract of `{name}`"
                )
            }
            _ => format!("`{text}` does not follow from the contract of `{name}`"),
        });
        tell(&mut words, "The contract allows", &end);
        return Some(Hint { line, words });
    }
    match (&first.kind, rounds) {
        (ObligationKind::InvariantInitiation, _) => {
            words.push(format!("`{text}` does not hold when the loop begins"));
            tell(&mut words, "The loop may begin with", &end);
        }
        (ObligationKind::InvariantConsecution, Some(head)) => {
            words.push(format!("`{text}` is not kept by a round of the loop"));
            tell(
                &mut words,
                "The invariants allow a round that begins with",
                &values(&first.run[..=head]),
            );
            tell(&mut words, "It ends with", &end);
        }
        (ObligationKind::InvariantConsecution, None) => {
            words.push(format!("`{text}` is not kept by a round of the loop"));
            tell(&mut words, "A round may end with", &end);
        }
        (ObligationKind::Location, _) => {
            words.push(format!(
                "the error location is reached: {}",
                first.description
            ));
            tell(&mut words, "It is entered with", &end);
        }
        (ObligationKind::Query, _) => {
            words.push(format!(
                "this clause does not hold with your definitions: `{text}`"
            ));
        }
        (ObligationKind::Requires { callee }, _) => {
            words.push(format!(
                "the precondition of `{callee}` does not hold at this call: `{text}`"
            ));
            tell(&mut words, "It is called with", &end);
        }
        (_, Some(_)) => {
            words.push(format!("the invariants are too weak for `{text}`"));
            tell(&mut words, "They allow this state", &end);
        }
        (ObligationKind::Ensures, None) => {
            words.push(format!("`{text}` does not hold when the procedure ends"));
            tell(&mut words, "It may end with", &end);
        }
        (_, None) => {
            let what = match &*first.description {
                "assertion" => "does not hold in every execution".to_owned(),
                other => format!("goes wrong: {other}"),
            };
            words.push(format!("`{text}` {what}"));
            tell(&mut words, "It fails with", &end);
        }
    }
    Some(Hint { line, words })
}

/// Whether there is a counterexample: a run, or one that the invariants and contracts allow.
fn is_refuted(obligation: &ObligationReport) -> bool {
    let verdict = &obligation.verdict;
    let is_allowed = matches!(verdict.reason(), Some(Reason::ContractTooWeak(_)));
    !verdict.is_safe() && (verdict.is_unsafe() || is_allowed || !obligation.run.is_empty())
}

fn is_any_round(step: &RunStep) -> bool {
    let remark = step.remark.as_deref();
    remark.is_some_and(|remark| remark.contains("any number of rounds"))
}

/// The values at the end of a run, in the order of the last change; those that never matter again are left out.
fn values(run: &[RunStep]) -> Vec<String> {
    let mut last: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    let changes = run.iter().flat_map(|step| &step.changes);
    for (at, (name, value)) in changes.enumerate() {
        last.insert(name, (at, value));
    }
    let mut values: Vec<(usize, String)> = (last.into_iter())
        .map(|(name, (at, value))| (at, format!("{name} = {value}")))
        .collect();
    values.sort();
    let skipped = values.len().saturating_sub(VALUES);
    values
        .into_iter()
        .skip(skipped)
        .map(|(_, text)| text)
        .collect()
}

fn tell(words: &mut Vec<String>, what: &str, values: &[String]) {
    if !values.is_empty() {
        words.push(format!("{what} {}", values.join(", ")));
    }
}

/// The values with which a hidden check fails.
pub(super) fn values_of(report: &Report) -> Option<String> {
    let failing = report.obligations().find(|o| is_refuted(o))?;
    let values = values(&failing.run);
    (!values.is_empty()).then(|| values.join(", "))
}
