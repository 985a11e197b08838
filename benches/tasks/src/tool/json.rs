//! The JSON object that `ult check --format json` prints.

use indexmap::IndexMap;
use serde::Deserialize;

use super::{Reading, last_line};
use crate::answer::Answer;
use crate::process::Finished;

#[derive(Deserialize)]
struct Report {
    verdict: String,
    reason: Option<Reason>,
    #[serde(default)]
    statistics: Statistics,
}

#[derive(Deserialize)]
struct Reason {
    code: String,
    #[serde(default)]
    text: String,
}

#[derive(Default, Deserialize)]
struct Statistics {
    splits: Option<u64>,
    refinements: Option<u64>,
    solver_calls: Option<u64>,
    nodes: Option<u64>,
    predicates: Option<u64>,
    #[serde(default)]
    decided_by: IndexMap<String, u64>,
    #[serde(default)]
    ways_tried: IndexMap<String, u64>,
    #[serde(default)]
    ways_won: IndexMap<String, u64>,
}

/// Reads the report. Verdict and exit code must say the same; whatever else happens is a crash, since `ult` promises a
/// report for every input.
pub(super) fn read(run: &Finished, code: i32) -> Reading {
    let crash = |reason: String| Reading::of(Answer::Crash, reason, last_line(&run.stderr));
    if matches!(code, 2 | 5 | 101 | 130) {
        return crash(match code {
            2 => "usage error".to_owned(),
            5 => "no solver".to_owned(),
            101 => "internal error".to_owned(),
            _ => "interrupted".to_owned(),
        });
    }
    let report: Report = match serde_json::from_str(run.stdout.trim()) {
        Ok(report) => report,
        Err(_) if run.stdout.trim().is_empty() => {
            return crash(format!("exit code {code}, no output"));
        }
        Err(error) => return crash(format!("exit code {code}, output is no report: {error}")),
    };
    let (answer, expected_code) = match report.verdict.as_str() {
        "SAFE" => (Answer::True, 0),
        // There is nothing that could be violated.
        "NOTHING" => (Answer::True, 6),
        "UNSAFE" => (Answer::False, 1),
        "REJECTED" => (Answer::Reject, 3),
        "UNKNOWN" | "CONDITIONAL" => (Answer::Unknown, 4),
        other => return crash(format!("unknown verdict `{other}`")),
    };
    if code != expected_code {
        return crash(format!("verdict {} with exit code {code}", report.verdict));
    }
    let (reason, detail) = match report.reason {
        Some(reason) => (reason.code, reason.text),
        None => (String::new(), String::new()),
    };
    if answer == Answer::Unknown && reason.is_empty() {
        return crash("UNKNOWN without a reason".to_owned());
    }
    Reading {
        answer: Some(answer),
        reason,
        detail,
        splits: report.statistics.splits,
        refinements: report.statistics.refinements,
        solver_calls: report.statistics.solver_calls,
        nodes: report.statistics.nodes,
        predicates: report.statistics.predicates,
        engine: engines(&report.statistics.decided_by),
        ways: ways(&report.statistics),
    }
}

/// The engines, the one that decided most first.
fn engines(decided: &IndexMap<String, u64>) -> String {
    let mut engines: Vec<(&String, &u64)> = decided.iter().collect();
    engines.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), (*name).clone()));
    let names: Vec<&str> = engines.into_iter().map(|(name, _)| name.as_str()).collect();
    names.join(" ")
}

/// How many questions each way of asking answered first, of those that were asked that way.
fn ways(statistics: &Statistics) -> String {
    let ways = statistics.ways_tried.iter().map(|(way, tried)| {
        let won = statistics.ways_won.get(way).unwrap_or(&0);
        format!("{way} {won}/{tried}")
    });
    ways.collect::<Vec<_>>().join(", ")
}
