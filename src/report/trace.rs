//! How units were decided, step by step, as text (`-Z trace-refinement`).

use std::fmt::Write as _;

use ult_driver::UnitReport;
use ult_explain::search::{Explanation, Graph, Search, Step};

/// The names of actions are padded to this width.
const ACTION: usize = 13;

/// The steps that led to the verdicts on a unit; empty if nothing was recorded, or nothing had to be
/// decided.
pub fn unit(unit: &UnitReport) -> String {
    match &unit.explanation {
        Some(explanation) if !unit.obligations.is_empty() => self::explanation(explanation),
        _ => String::new(),
    }
}

fn explanation(explanation: &Explanation) -> String {
    let mut text = String::new();
    let size = |graph: &Graph| {
        format!(
            "{}, {}",
            count(graph.places.len(), "location"),
            count(graph.edges.len(), "edge")
        )
    };
    let _ = match &explanation.reduced {
        Some(reduced) => writeln!(
            text,
            "  program graph: {}; after the reductions: {}",
            size(&explanation.source),
            size(reduced)
        ),
        None => writeln!(text, "  program graph: {}", size(&explanation.source)),
    };
    for told in &explanation.engines {
        let _ = writeln!(
            text,
            "  engine {}: {} decided",
            told.engine,
            count(
                usize::try_from(told.decided).unwrap_or(usize::MAX),
                "error location"
            )
        );
        if told.searches.is_empty() {
            let _ = writeln!(text, "    ({NO_STEPS})");
        }
        for search in &told.searches {
            text += &self::search(search);
        }
    }
    if explanation.engines.is_empty() {
        let _ = writeln!(text, "  {NOBODY}");
    }
    text
}

/// What is said about engines without steps.
pub const NO_STEPS: &str = "this engine refines no abstraction, so there are no steps to show";

/// What is said when there is no engine in an explanation.
pub const NOBODY: &str = "no engine had an answer before the work ended";

fn search(search: &Search) -> String {
    let mut text = String::new();
    if search.in_phases {
        let _ = writeln!(text, "    over the graph with its loops split into phases:");
    }
    for (i, step) in search.steps.iter().enumerate() {
        text += &self::step(i + 1, step);
    }
    if search.left_out > 0 {
        let _ = writeln!(text, "    {}", left_out(search.left_out));
    }
    text
}

/// What is said about steps that were not recorded.
pub fn left_out(number: u64) -> String {
    match number {
        1 => "1 further step was left out".into(),
        number => format!("{number} further steps were left out"),
    }
}

fn step(number: usize, step: &Step) -> String {
    let mut text = String::new();
    let line = format!("    {number:>4}  {:ACTION$} {}", step.action, step.text);
    let _ = writeln!(text, "{}", line.trim_end());
    let indent = " ".repeat(4 + 4 + 2 + ACTION + 3);
    for row in &step.rows {
        let _ = writeln!(text, "{indent}{}: {}", row.about, row.text);
    }
    text
}

/// `1 edge`, `2 edges`
pub fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ult_engine::EngineKind;
    use ult_explain::search::EngineReport;

    #[test]
    fn what_was_left_out_is_said() {
        let search = Search {
            in_phases: false,
            steps: Vec::new(),
            left_out: 7,
        };
        let told = EngineReport {
            engine: EngineKind::Slicing,
            decided: 0,
            searches: vec![search],
        };
        let explanation = Explanation {
            engines: vec![told],
            ..Explanation::default()
        };
        let text = self::explanation(&explanation);
        assert!(text.contains("7 further steps were left out"), "{text}");
        assert_eq!(left_out(1), "1 further step was left out");
    }

    #[test]
    fn without_an_engine_that_is_said() {
        let text = self::explanation(&Explanation::default());
        assert!(text.contains(NOBODY), "{text}");
    }
}
