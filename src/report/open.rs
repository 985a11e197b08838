//! What a report says about a unit in which something is open: what was covered, what is left, and what to do next.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::text::line_of;
use ult_core::reason::Reason;
use ult_driver::{ObligationReport, Source, UnitReport};
use ult_explain::open::CandidateReport;
use ult_lang::span::Span;
use ult_lower::unit::ObligationKind;

/// More places are not named one by one.
const MOST_PLACES: usize = 5;

/// More obligations for which time ran out are not listed one by one.
const MOST_OBLIGATIONS: usize = 10;

/// Up to this many are listed even after a violation.
const FEW_OBLIGATIONS: usize = 2;

/// The obligations of a unit to list one by one, and those to count only, where time ran out for many. After a violation nobody waits
/// for them.
pub(super) fn parts(unit: &UnitReport) -> (Vec<&ObligationReport>, Vec<&ObligationReport>) {
    let is_violated = unit.has_violation();
    let is_late = |obligation: &&ObligationReport| {
        let is_late =
            |reason: &Reason| reason.is_limit() || is_violated && reason.is_about_search();
        obligation.run.is_empty() && obligation.verdict.reason().is_some_and(is_late)
    };
    let mut late: Vec<&ObligationReport> = unit.obligations.iter().filter(is_late).collect();
    let most = match is_violated && late.len() > FEW_OBLIGATIONS {
        true => 0,
        false => MOST_OBLIGATIONS,
    };
    // What was asked comes first.
    late.sort_by_key(|obligation| (obligation.is_condition, obligation.span));
    let counted = late.split_off(most.min(late.len()));
    let is_told = |obligation: &&ObligationReport| {
        let is_same = |other: &&ObligationReport| std::ptr::eq(*other, *obligation);
        !counted.iter().any(is_same)
    };
    let told = unit.obligations.iter().filter(is_told).collect();
    (told, counted)
}

/// How many more obligations are open, and where.
pub(super) fn rest(
    unit: &UnitReport,
    open: &[&ObligationReport],
    source: &Source,
    keeps_going: bool,
) -> String {
    if open.is_empty() {
        return String::new();
    }
    let lines: BTreeSet<u32> = open.iter().map(|o| source.start(o.span).line).collect();
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    let what = match (open.len(), unit.has_violation()) {
        (1, true) => "1 obligation is open".to_owned(),
        (number, true) => format!("{number} obligations are open"),
        (1, false) => "1 more obligation is open".to_owned(),
        (number, false) => format!("{number} more obligations are open"),
    };
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let lines = listed(&lines);
    let next = match unit.has_violation() && !keeps_going {
        true => "; `--keep-going` goes on after a violation",
        false => "",
    };
    format!("  {what}, at {word} {lines}{next}\n")
}

/// `a, b`, or the first ones and how many there are besides.
fn listed(places: &[String]) -> String {
    let (named, others) = places.split_at(MOST_PLACES.min(places.len()));
    let named = named.join(", ");
    match others.len() {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// What there is to say. Nothing where a run or a place says more.
pub(super) fn of(unit: &UnitReport, source: &Source) -> String {
    if unit.has_violation() {
        return String::new();
    }
    let is_wanted = |obligation: &&ObligationReport| {
        let reason = obligation.verdict.reason();
        reason.is_some_and(|reason| {
            reason.is_about_search() || matches!(reason, Reason::NotProved(_))
        }) && obligation.run.is_empty()
    };
    let open: Vec<&ObligationReport> = unit.obligations.iter().filter(is_wanted).collect();
    if open.is_empty() {
        return String::new();
    }
    let loops: BTreeSet<Span> = open.iter().flat_map(|o| o.loops.iter().copied()).collect();
    // Without loops there is nothing to unroll.
    let left = match loops.is_empty() {
        true => String::new(),
        false => rounds(unit, &open, &loops, source),
    };
    left + &next(&open, loops.len(), source)
}

/// How far loops were unrolled, which ones they are, and what would suffice there.
fn rounds(
    unit: &UnitReport,
    open: &[&ObligationReport],
    loops: &BTreeSet<Span>,
    source: &Source,
) -> String {
    let mut text = String::new();
    let is_whole = |obligation: &ObligationReport| {
        !matches!(obligation.kind, ObligationKind::Unsupported { .. })
    };
    if unit.steps > 1 && unit.obligations.iter().all(is_whole) {
        let _ = writeln!(
            text,
            "  explored: no violation in the first {} steps of the unrolled program, about one for each round of a loop",
            unit.steps
        );
    }
    let mut places: Vec<String> = loops.iter().map(|&span| line_of(source, span)).collect();
    places.dedup();
    let word = if loops.len() == 1 { "loop" } else { "loops" };
    let _ = writeln!(text, "  still open: the {word} at {}", listed(&places));
    for ((span, _), told) in candidates(open) {
        let _ = writeln!(
            text,
            "  candidate: at the loop at {}, this would suffice if it were inductive: {}",
            line_of(source, span),
            told.formula
        );
        let state = told
            .state
            .iter()
            .map(|(name, value)| format!("{name} = {value}"));
        let state: Vec<String> = state.collect();
        let _ = writeln!(
            text,
            "    it fails after one more round from the state {}: what excludes that state is missing",
            state.join(", ")
        );
    }
    text
}

/// What would suffice for these obligations if it were inductive, each once.
fn candidates<'r>(open: &[&'r ObligationReport]) -> BTreeMap<(Span, &'r str), &'r CandidateReport> {
    let candidates = open.iter().filter_map(|one| one.candidate.as_ref());
    candidates
        .map(|told| ((told.span, &*told.formula), told))
        .collect()
}

/// What to do next. What can be written into a program helps only in a language that has words for it.
fn next(open: &[&ObligationReport], loops: usize, source: &Source) -> String {
    let is_limit = |one: &&ObligationReport| {
        matches!(
            one.verdict.reason(),
            Some(Reason::Timeout | Reason::Memory | Reason::NotProved(_))
        )
    };
    let by_hand = match loops {
        0 => "write an `assert` before it with what it follows from",
        1 => "write an `invariant` for it that says why",
        _ => "write an `invariant` for them that says why",
    };
    let is_written = |one: &&ObligationReport| {
        !matches!(one.kind, ObligationKind::Location | ObligationKind::Query)
    };
    let has_words = !source.is_translated && open.iter().all(is_written);
    let by_hand = has_words.then_some(by_hand);
    let longer = open.iter().any(is_limit);
    let longer = longer.then_some("give more time (--timeout)");
    let is_refused = |one: &&ObligationReport| {
        matches!(
            one.verdict.reason(),
            Some(Reason::ProofRejected(_) | Reason::RunRejected(_))
        )
    };
    let others = open.iter().any(is_refused);
    let others = others.then_some("try another engine (--engine)");
    let ways: Vec<&str> = by_hand.into_iter().chain(longer).chain(others).collect();
    match ways.is_empty() {
        true => String::new(),
        false => format!("  next: {}\n", ways.join(", or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ult_check::Verdict;
    use ult_lower::unit::Role;

    fn report(reason: Reason, loops: Vec<Span>) -> String {
        let source = Source::new("f.bpl", "while (*) { }\nassert x > 0;\n");
        let open = ObligationReport {
            kind: ObligationKind::Assert,
            span: Span::new(14, 20),
            clause: None,
            description: "assertion".into(),
            verdict: Verdict::Unknown(reason),
            is_condition: false,
            pending: false,
            reason_span: None,
            run: [].into(),
            missing: Vec::new(),
            loops,
            candidate: None,
            confirmation: None,
        };
        let unit = UnitReport {
            name: "p".into(),
            role: Some(Role::Entry),
            obligations: vec![open],
            pending: false,
            stopped: None,
            invariants: Vec::new(),
            contract: None,
            steps: 5,
            portfolio: None,
            explanation: None,
            reuse: ult_driver::Reuse::default(),
        };
        of(&unit, &source)
    }

    #[test]
    fn what_the_checker_refused_hides_nothing() {
        let why = || "why".to_owned();
        for refused in [Reason::ProofRejected(why()), Reason::RunRejected(why())] {
            let told = report(refused, vec![Span::new(0, 13)]);
            assert_eq!(
                told,
                "  explored: no violation in the first 5 steps of the unrolled program, about one for each round of a loop\n  \
                 still open: the loop at line 1\n  \
                 next: write an `invariant` for it that says why, or try another engine (--engine)\n"
            );
        }
        assert_eq!(report(Reason::Internal(why()), vec![Span::new(0, 13)]), "");
    }
}
