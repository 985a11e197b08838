//! What attempts say together.

use crate::attempt::{Attempt, attempt};
use crate::attempts::Attempts;
use crate::finding::{Finding, Open};
use crate::{Settings, Source};
use ult_check::Verdict;
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::reason::Reason;
use ult_lower::Lowering;
use ult_lower::unit::UnitPlan;

/// A callee that breaks its contract, and a caller that needs it: whether the caller's assertion is proved.
#[test]
fn in_the_modular_reading_a_caller_is_judged_by_contracts() {
    let text = "procedure one() returns (r: int); ensures r == 1;\n\
                implementation one() returns (r: int) { r := 2; }\n\
                procedure p() { var n: int; call n := one(); assert n == 1; }";
    for modular in [false, true] {
        let mut settings = Settings::default();
        settings.reading.modular = modular;
        settings.reading.calls = ult_lower::CallPolicy::Contract;
        let source = Source::new("test.bpl", text);
        let control = Control::unlimited();
        let language = crate::Language::Boogie;
        let progress = crate::progress::Progress::default();
        let report =
            crate::check(&source, language, &settings, &control, &progress).expect("entries");
        let unit = |name: &str| {
            report
                .units
                .iter()
                .find(|unit| &*unit.name == name)
                .expect(name)
        };
        let verdict = |name: &str| unit(name).obligations[0].verdict.clone();
        assert!(verdict("one").is_unsafe());
        assert_eq!(verdict("p").is_safe(), modular);
    }
}

/// An attempt at `assert n == 1;` where `n` is this number.
fn with(number: u8) -> (UnitPlan, Attempt) {
    let text = format!("procedure p() {{ var n: int; n := {number}; assert n == 1; }}");
    let (program, diagnostics) = ult_lang::analyze_boogie(&text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let terms = Terms::new();
    let settings = Settings::default();
    let lowering = Lowering::new(&terms, &program, settings.reading.clone()).expect("entries");
    let plan = lowering.queue().next().expect("an entry");
    let unit = lowering.lower(plan);
    let source = Source::new("test.bpl", text);
    let control = Control::unlimited();
    (
        plan,
        attempt(&terms, &unit, &source, &settings, &control, &mut |_| ()),
    )
}

/// The verdict on the only obligation: while work goes on, and in the end.
fn verdicts(attempts: &Attempts) -> [Verdict; 2] {
    let now = attempts.entry(0).expect("a unit");
    let end = attempts.entries(None).remove(0).unit;
    [now, end].map(|unit| unit.obligations[0].verdict.clone())
}

#[test]
fn attempts_at_one_graph_that_contradict_each_other_are_a_bug() {
    let (plan, safe) = with(1);
    let (_, violated) = with(2);
    assert!(safe.findings.values().all(Finding::is_safe));
    assert!(violated.findings.values().all(Finding::is_unsafe));
    for order in [[&safe, &violated, &safe], [&violated, &safe, &violated]] {
        let mut attempts = Attempts::new(&[], &Settings::default());
        attempts.expect("p".into(), plan);
        for (i, attempt) in order.into_iter().enumerate() {
            attempts.enter(0, attempt.clone(), 0, None);
            for verdict in verdicts(&attempts) {
                let is_bug = matches!(verdict, Verdict::Unknown(Reason::Internal(_)));
                assert_eq!(is_bug, i > 0);
            }
        }
    }
}

#[test]
fn a_deeper_graph_may_have_a_violation_that_the_other_has_not() {
    let (plan, safe) = with(1);
    let (_, violated) = with(2);
    let mut attempts = Attempts::new(&[], &Settings::default());
    attempts.expect("p".into(), plan);
    attempts.enter(0, safe, 0, None);
    attempts.enter(0, violated, 1, None);
    assert!(verdicts(&attempts).iter().all(Verdict::is_unsafe));
}

#[test]
fn a_failure_takes_nothing_back() {
    let (plan, safe) = with(1);
    let failure = || Attempt {
        failure: Some(Reason::Internal("no graph".into())),
        ..Attempt::default()
    };
    let mut attempts = Attempts::new(&[], &Settings::default());
    attempts.expect("p".into(), plan);
    attempts.enter(0, failure(), 0, None);
    let unit = attempts.entry(0).expect("a unit");
    assert!(unit.stopped.is_some() && unit.obligations.is_empty());
    attempts.enter(0, safe, 0, None);
    assert!(verdicts(&attempts).iter().all(Verdict::is_safe));
    attempts.enter(0, failure(), 1, None);
    assert!(verdicts(&attempts).iter().all(Verdict::is_safe));
    assert!(attempts.entry(0).expect("a unit").stopped.is_some());
}

/// What an attempt has decided is shown while it goes on, and nothing of it is entered.
#[test]
fn an_attempt_is_shown_while_it_goes_on() {
    let (plan, safe) = with(1);
    let (_, violated) = with(2);
    let open = |finding: &mut Finding| {
        *finding = Finding::Open(Open::because(Reason::Internal("a bug".into())));
    };
    let mut attempts = Attempts::new(&[], &Settings::default());
    attempts.expect("p".into(), plan);
    assert!(attempts.entry(0).expect("a unit").pending);
    for (decided, standing) in [(&safe, true), (&violated, false)] {
        let unit = attempts
            .entry_during(0, decided.clone(), 0)
            .expect("a unit");
        assert!(!unit.pending && !unit.obligations[0].pending);
        assert_eq!(unit.obligations[0].verdict.is_safe(), standing);
        assert_eq!(unit.obligations[0].verdict.is_unsafe(), !standing);
    }
    // What is open says nothing yet: neither that, nor why.
    let mut partial = safe.clone();
    partial.findings.values_mut().for_each(open);
    let unit = attempts
        .entry_during(0, partial.clone(), 0)
        .expect("a unit");
    assert!(unit.pending && unit.obligations[0].pending);
    assert!(attempts.entry(0).expect("a unit").pending);
    // A second attempt takes nothing back that the first one decided.
    attempts.enter(0, safe, 0, None);
    let unit = attempts.entry_during(0, partial, 0).expect("a unit");
    assert!(unit.obligations[0].verdict.is_safe());
}
