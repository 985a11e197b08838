//! Whether verdicts survive what should make no difference: other seeds of the solver, other names, another order of declarations.
//!
//! A proof that is found by luck is lost with the next change of the program. So a program is verified again and again, each time
//! as [`analyze_boogie_permuted`] writes it and with another seed of the solver, and what becomes of each obligation is
//! compared. The runs share the time that there is.
//!
//! Verdicts that contradict each other are a bug of ours, and nothing is said of such an obligation any more.

use std::sync::Arc;
use std::time::Duration;

use ult_lang::analyze_boogie_permuted;

use super::check::{check, check_loaded};
use super::language::Language;
use super::load::{Content, chosen, load};
use super::progress::Progress;
use super::result::{ObligationReport, Report, Stability, UnitReport, Unstable};
use super::settings::Settings;
use ult_check::{Verdict, VerdictKind};
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::reason::Reason;

/// The time that each of so many runs may take.
pub fn share(control: &Control, runs: u32) -> Option<Duration> {
    control.remaining().map(|left| left / runs.max(1))
}

/// Verifies the program of a report in so many other ways, and notes in it what did not survive that.
pub fn examine(report: &mut Report, settings: &Settings, control: &Control, runs: u32) {
    if report.is_rejected() {
        return;
    }
    // Evidence of other runs would make all of them alike.
    let settings = Settings {
        kept: None,
        observer: None,
        ..settings.clone()
    };
    let mut others = Vec::new();
    for seed in 1..=runs {
        if control.check().is_err() {
            break;
        }
        let part = control
            .within(share(control, runs + 1 - seed))
            .with_seed(seed);
        if let Some(other) = permuted(report, &settings, &part, seed) {
            others.push((seed, other));
        }
    }
    let stability = compared(report, &others, runs);
    report.stability = Some(stability);
}

/// The report on the program, written in another way.
fn permuted(report: &Report, settings: &Settings, control: &Control, seed: u32) -> Option<Report> {
    let (source, language) = (&report.source, report.language);
    let progress = Progress::default();
    if language != Language::Boogie {
        return check(source, language, settings, control, &progress).ok();
    }
    let mut loaded = load(&Terms::new(), source, language, settings).ok()?;
    let (program, diagnostics) = analyze_boogie_permuted(&chosen(source), seed.into());
    if !diagnostics.iter().any(|found| found.is_error()) {
        loaded.content = Content::Program(program);
    }
    check_loaded(loaded, settings, control, &progress).ok()
}

/// What the other reports say of each obligation of the first one.
fn compared(report: &mut Report, others: &[(u32, Report)], wanted: u32) -> Stability {
    let mut unstable = Vec::new();
    let mut contradicted = Vec::new();
    for (i, unit) in report.units.iter().enumerate() {
        for (j, obligation) in unit.obligations.iter().enumerate() {
            let others = others.iter().map(|(seed, other)| (*seed, other));
            let all: Vec<(u32, VerdictKind<'_>)> = std::iter::once((0, &*report))
                .chain(others)
                .map(|(seed, other)| (seed, kind(other, unit, obligation)))
                .collect();
            let has = |other: VerdictKind<'_>| all.iter().any(|(_, kind)| *kind == other);
            if has(VerdictKind::Safe) && has(VerdictKind::Unsafe) || has(VerdictKind::Contradicted)
            {
                contradicted.push((i, j));
                continue;
            }
            let open = all.iter().filter_map(|(seed, kind)| match kind {
                VerdictKind::Open(reason) => Some((*seed, (*reason).clone())),
                VerdictKind::Safe | VerdictKind::Unsafe | VerdictKind::Contradicted => None,
            });
            let open: Vec<(u32, Reason)> = open.collect();
            if open.len() < all.len() && !open.is_empty() {
                unstable.push(Unstable {
                    unit: unit.name.clone(),
                    span: obligation.span,
                    description: obligation.description.clone(),
                    decided: number(all.len() - open.len()),
                    open,
                });
            }
        }
    }
    for (i, j) in contradicted {
        let why = "verdicts under different seeds contradict each other";
        let unit = Arc::make_mut(&mut report.units[i]);
        unit.obligations[j].verdict = Verdict::Unknown(Reason::Internal(why.into()));
    }
    Stability {
        runs: number(others.len()),
        wanted,
        unstable,
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Why nothing is known where there was no time to look.
static NOT_REACHED: Reason = Reason::Timeout;

/// What a report says of an obligation of another one: of all that is called the same and stands at the same place.
fn kind<'r>(report: &'r Report, unit: &UnitReport, sought: &ObligationReport) -> VerdictKind<'r> {
    let units = report.units.iter().filter(|other| other.name == unit.name);
    let found = units.flat_map(|unit| &unit.obligations).filter(|other| {
        other.span == sought.span
            && other.clause == sought.clause
            && other.kind == sought.kind
            && other.description == sought.description
    });
    let found = found.map(|other| other.verdict.kind());
    let nothing = VerdictKind::Open(report.stopped.as_ref().unwrap_or(&NOT_REACHED));
    found.reduce(VerdictKind::and).unwrap_or(nothing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ult_explain::Source;

    fn checked(text: &str) -> Report {
        let source = Source::new("p.bpl", text);
        let control = Control::unlimited();
        let settings = Settings::default();
        check(
            &source,
            Language::Boogie,
            &settings,
            &control,
            &Progress::default(),
        )
        .unwrap()
    }

    const TWO: &str = "procedure p(n: int) { assert n == n; assert n * n >= 0; }";

    #[test]
    fn what_another_run_leaves_open_is_told() {
        let (mut report, mut other) = (checked(TWO), checked(TWO));
        let unit = Arc::make_mut(&mut other.units[0]);
        unit.obligations[1].verdict = Verdict::Unknown(Reason::Timeout);
        let others = [(1, checked(TWO)), (2, other)];
        let stability = compared(&mut report, &others, 3);
        let [unstable] = &stability.unstable[..] else {
            panic!("{stability:?}");
        };
        assert_eq!((stability.runs, stability.wanted), (2, 3));
        assert_eq!(unstable.span, report.units[0].obligations[1].span);
        assert_eq!(unstable.decided, 2);
        assert_eq!(unstable.open, [(2, Reason::Timeout)]);
        assert!(
            report.units[0]
                .obligations
                .iter()
                .all(|o| o.verdict.kind() == VerdictKind::Safe)
        );
    }

    #[test]
    fn a_run_without_the_unit_leaves_all_open() {
        let mut report = checked(TWO);
        let mut other = checked(TWO);
        other.units.clear();
        other.stopped = Some(Reason::Memory);
        let stability = compared(&mut report, &[(7, other)], 1);
        let open: Vec<_> = stability.unstable.iter().map(|u| u.open.clone()).collect();
        assert_eq!(open, [[(7, Reason::Memory)], [(7, Reason::Memory)]]);
    }

    #[test]
    fn contradictions_take_the_verdict_back() {
        let mut report = checked(TWO);
        let other = checked(&TWO.replace("assert n == n", "assert n == 7"));
        compared(&mut report, &[(1, other)], 1);
        let verdicts = report.units[0].obligations.iter();
        let codes: Vec<_> = verdicts
            .map(|o| o.verdict.reason().map(Reason::code))
            .collect();
        assert_eq!(codes, [Some("internal"), None]);
    }

    /// Each construct of the language that has a name in it.
    #[test]
    fn a_permuted_program_is_the_same_program() {
        let text = r#"
            procedure uses(b: int) returns (y: int)
              requires f(b) > 0; modifies g; ensures y > 0;
            {
              var l: [int]int;
              l[b] := f(b); y := l[b]; g := y;
              outer: while (*) invariant y > 0; { if (*) { break outer; } }
              assert is_pair && (forall b: int :: f(b) == f(b)) && first(Pair(c, d)) == c;
              call y := other(y);
              assert Pair(c, d)->fst == c;
            }
            procedure other(y: int) returns (z: int); ensures z > 0;
            axiom (forall x: int :: {f(x)} f(x) > 0);
            axiom c < d;
            function first(p: Pair): int { p->fst }
            function f(x: int): int;
            function {:inline} twice(x: int): int { x + x }
            const unique c: int; const d: int; const is_pair: bool; axiom is_pair;
            var g: int;
            datatype Pair { Pair(fst: int, snd: int) }
            procedure wrong(f: int) { assert twice(f) == f; assert c >= d; }
        "#;
        let mut report = checked(text);
        assert!(!report.is_rejected(), "{:?}", report.diagnostics);
        let before: Vec<bool> = safe(&report);
        assert!(
            before.contains(&true) && before.contains(&false),
            "{before:?}"
        );
        examine(&mut report, &Settings::default(), &Control::unlimited(), 3);
        let stability = report.stability.clone().unwrap();
        assert_eq!(stability.runs, 3);
        assert_eq!(stability.unstable, []);
        assert_eq!(safe(&report), before);
        for seed in 1..=20 {
            let (program, found) = analyze_boogie_permuted(text, seed);
            assert!(
                !found.iter().any(|found| found.is_error()),
                "{seed}: {found:?}"
            );
            assert_eq!(program.procedures.len(), 3);
        }
    }

    fn safe(report: &Report) -> Vec<bool> {
        let obligations = report.units.iter().flat_map(|unit| &unit.obligations);
        obligations
            .map(|o| o.verdict.kind() == VerdictKind::Safe)
            .collect()
    }
}
