//! One verdict per error location, whatever is claimed.

use std::collections::BTreeSet;

use super::*;
use crate::{Checker, Claims, Status, Verdict};
use ult_core::control::Stop;

/// `x` is 0 or 1 behind the loop head; `err 0` and `err 1` are reached, `err 2` is not.
fn three_errors() -> Scene {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let yes = s.terms.tt();
    s.assign("start", "x", s.int(0), "head");
    s.assign("start", "x", s.int(1), "head");
    s.assume("head", yes, "head");
    for value in 0..3 {
        let here = s.terms.eq(s.v("x"), s.int(value));
        s.assume("head", here, &format!("err {value}"));
    }
    s
}

fn to_error(s: &Scene, value: i64) -> Run {
    let [head, error] = ["head".to_string(), format!("err {value}")].map(|n| s.find(&n).unwrap());
    let graph = &s.graph.graph;
    let first = graph
        .edge_indices()
        .nth(usize::try_from(value).unwrap())
        .unwrap();
    let last = graph.find_edge(head, error).unwrap();
    let after = ints(&[("x", value)]);
    run(
        ints(&[("x", 5)]),
        vec![step(first, after.clone()), step(last, after)],
    )
}

fn bounds(s: &Scene, exempt: &[&str]) -> Invariants {
    let zero_or_one = s.terms.or2(
        s.terms.eq(s.v("x"), s.int(0)),
        s.terms.eq(s.v("x"), s.int(1)),
    );
    let mut claim = s.claim(&[("head", zero_or_one)]);
    claim.exempt = exempt.iter().map(|n| s.find(n).unwrap()).collect();
    claim
}

fn verdicts(s: &Scene, claims: &Claims, control: &Control) -> Vec<(String, Verdict)> {
    let mut stats = Statistics::default();
    Checker::new(&s.terms, &s.graph, control, &Options::default())
        .decide(claims, &mut stats)
        .into_iter()
        .map(|(location, verdict)| (s.graph.graph[location].name.to_string(), verdict))
        .collect()
}

/// `S`, `U` or the code of the reason, for `err 0`, `err 1`, `err 2`.
fn summary(s: &Scene, claims: &Claims) -> String {
    let verdicts = verdicts(s, claims, &Control::unlimited());
    let names: Vec<&str> = verdicts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["err 0", "err 1", "err 2"]);
    let codes: Vec<String> = verdicts
        .iter()
        .map(|(_, verdict)| match verdict {
            Verdict::Safe(_) => "S".into(),
            Verdict::Unsafe(_) => "U".into(),
            Verdict::Unknown(reason) => reason.code().into(),
        })
        .collect();
    codes.join(" ")
}

#[test]
fn runs_and_a_proof() {
    let s = three_errors();
    let claims = Claims {
        runs: [0, 1]
            .map(|v| (s.find(&format!("err {v}")).unwrap(), to_error(&s, v)))
            .into(),
        invariants: Some(bounds(&s, &["err 0", "err 1"])),
        undecided: Default::default(),
    };
    assert_eq!(summary(&s, &claims), "U U S");
    let all = verdicts(&s, &claims, &Control::unlimited());
    for (_, verdict) in &all {
        assert!(verdict.reason().is_none());
        assert!(verdict.is_safe() != verdict.is_unsafe());
    }
}

#[test]
fn a_rejected_run_costs_nobody_else() {
    let s = three_errors();
    let err = |v: i64| s.find(&format!("err {v}")).unwrap();
    let mut bad = to_error(&s, 1);
    *bad.steps[0].values_mut() = ints(&[("x", 2)]);
    let mut claims = Claims {
        runs: [(err(0), to_error(&s, 0)), (err(1), bad)].into(),
        invariants: Some(bounds(&s, &["err 0", "err 1"])),
        undecided: [(err(1), Reason::Timeout)].into(),
    };
    assert_eq!(summary(&s, &claims), "U run-rejected S");
    // A run to another error location is not what was claimed.
    claims.runs.insert(err(1), to_error(&s, 0));
    assert_eq!(summary(&s, &claims), "U run-rejected S");
    claims.runs.remove(&err(1));
    assert_eq!(summary(&s, &claims), "U timeout S");
    claims.undecided.clear();
    assert_eq!(summary(&s, &claims), "U internal S");
    // A false run to a location that is proved unreachable.
    claims.runs.insert(err(2), to_error(&s, 0));
    assert_eq!(summary(&s, &claims), "U internal S");
}

#[test]
fn runs_alone_say_nothing_of_other_locations() {
    let s = three_errors();
    let err = |v: i64| s.find(&format!("err {v}")).unwrap();
    let control = Control::unlimited();
    let mut checker = Checker::new(&s.terms, &s.graph, &control, &Options::default());
    let mut stats = Statistics::default();
    let mut learn = |at, run| {
        let runs = [(at, run)].into();
        checker.learn_runs(runs, &Default::default(), &mut stats, &mut |_| ())
    };
    let first = learn(err(0), to_error(&s, 0));
    assert!(first.about(err(0)).is_some_and(Status::is_unsafe));
    assert!(first.about(err(1)).is_none() && first.about(err(2)).is_none());
    // What is kept from run to run confirms no other one.
    let second = learn(err(2), to_error(&s, 0));
    let Some(Status::Open(reason)) = second.about(err(2)) else {
        panic!("{second:?}");
    };
    assert_eq!(reason.code(), "run-rejected");
    assert!(second.about(err(0)).is_none());
}

#[test]
fn a_rejected_proof_costs_no_run() {
    let s = three_errors();
    let err = |v: i64| s.find(&format!("err {v}")).unwrap();
    let mut claim = bounds(&s, &["err 0", "err 1"]);
    claim
        .at
        .insert(s.find("head").unwrap(), s.terms.eq(s.v("x"), s.int(0)));
    let mut claims = Claims {
        runs: [(err(0), to_error(&s, 0))].into(),
        invariants: Some(claim),
        undecided: Default::default(),
    };
    assert_eq!(summary(&s, &claims), "U proof-rejected proof-rejected");
    // Whoever says in advance why it may be refused is heard.
    claims.undecided = [(err(2), Reason::Incomplete("a guess".into()))].into();
    assert_eq!(summary(&s, &claims), "U proof-rejected incomplete");
    claims.undecided.clear();
    claims.invariants = None;
    assert_eq!(summary(&s, &claims), "U internal internal");
    claims.undecided = [(err(2), Reason::Memory)].into();
    assert_eq!(summary(&s, &claims), "U internal memory");
}

#[test]
fn a_doubt_costs_no_proof() {
    let s = three_errors();
    let err = |v: i64| s.find(&format!("err {v}")).unwrap();
    let doubt = |at| (at, Reason::Incomplete("a guess".into()));
    let mut claims = Claims {
        runs: [(err(0), to_error(&s, 0))].into(),
        invariants: Some(bounds(&s, &["err 0"])),
        undecided: Default::default(),
    };
    assert_eq!(summary(&s, &claims), "U proof-rejected S");
    claims.undecided = [doubt(err(1)), doubt(err(2))].into();
    assert_eq!(summary(&s, &claims), "U incomplete S");
}

#[test]
fn an_error_that_is_not_excluded_does_not_spoil_the_others() {
    // The invariants are inductive, but do not exclude `err 1` as claimed.
    let s = three_errors();
    let claims = Claims {
        invariants: Some(bounds(&s, &["err 0"])),
        ..Claims::default()
    };
    assert_eq!(summary(&s, &claims), "internal proof-rejected S");
    let err1 = s.find("err 1").unwrap();
    let Some((_, Verdict::Safe(proof))) = verdicts(&s, &claims, &Control::unlimited()).pop() else {
        panic!("`err 2` is safe")
    };
    assert!(!proof.excluded().contains(&err1));
}

#[test]
fn a_false_formula_at_an_error_is_not_confirmed_with_the_others() {
    let s = three_errors();
    let mut claim = bounds(&s, &["err 0"]);
    let err1 = s.find("err 1").unwrap();
    claim.at.insert(err1, s.terms.ff());
    let claims = Claims {
        invariants: Some(claim),
        ..Claims::default()
    };
    assert_eq!(summary(&s, &claims), "internal proof-rejected S");
    let Some((_, Verdict::Safe(proof))) = verdicts(&s, &claims, &Control::unlimited()).pop() else {
        panic!("`err 2` is safe")
    };
    assert!(!proof.invariants().contains_key(&err1));
}

#[test]
fn a_stopped_run_decides_nothing_more() {
    let s = three_errors();
    let control = Control::unlimited();
    control.stop(Stop::Timeout);
    let claims = Claims {
        runs: [(s.find("err 0").unwrap(), to_error(&s, 0))].into(),
        invariants: Some(bounds(&s, &["err 0", "err 1"])),
        undecided: Default::default(),
    };
    for (_, verdict) in &verdicts(&s, &claims, &control)[1..] {
        assert!(!verdict.is_safe(), "{verdict:?}");
        assert!(!verdict.is_unsafe(), "{verdict:?}");
    }
}

#[test]
fn a_malformed_graph_has_no_verdicts() {
    let mut s = three_errors();
    let yes = s.terms.tt();
    let claims = Claims {
        invariants: Some(bounds(&s, &[])),
        runs: [(s.find("err 0").unwrap(), to_error(&s, 0))].into(),
        undecided: Default::default(),
    };
    s.assume("err 2", yes, "head");
    assert_eq!(summary(&s, &claims), "internal internal internal");
}

#[test]
fn a_graph_without_errors_has_no_verdicts() {
    let mut s = Scene::new(&[]);
    let yes = s.terms.tt();
    s.assume("start", yes, "end");
    assert!(verdicts(&s, &Claims::default(), &Control::unlimited()).is_empty());
}

#[test]
fn what_is_both_proved_and_refuted_is_neither() {
    // Cannot happen with a right checker and a right solver, so the pieces are put together here.
    use crate::decide::combine;
    use crate::proof::Examined;
    let s = three_errors();
    let err = |v: i64| s.find(&format!("err {v}")).unwrap();
    let run_to = |v: i64| s.replay(&to_error(&s, v));
    let proof = Proof::new(
        Default::default(),
        BTreeSet::from([err(0), err(2)]),
        Default::default(),
        Vec::new(),
    );
    let examined = Examined {
        proof,
        doubtful: Default::default(),
    };
    let runs = [(err(0), run_to(0)), (err(1), run_to(1))].into();
    let verdicts = combine(&s.graph, &Claims::default(), runs, Some(Ok(examined))).verdicts();
    let codes: Vec<Option<&str>> = verdicts
        .values()
        .map(|v| v.reason().map(Reason::code))
        .collect();
    assert_eq!(codes, [Some("internal"), None, Some("internal")]);
    assert!(verdicts[&err(1)].is_unsafe());
}
