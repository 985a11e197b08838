//! Contradictory assumptions and assertions that no run gets to.

use super::*;
use crate::{Checker, Contradiction};

fn checker(s: &Scene) -> Checker<'_> {
    Checker::new(
        &s.terms,
        &s.graph,
        &Control::unlimited(),
        &Options::default(),
    )
}

fn contradiction(s: &Scene) -> Option<Contradiction> {
    checker(s).contradictory_assumptions(&mut Statistics::default())
}

fn unreachable(s: &Scene, proof: &Proof) -> Vec<String> {
    checker(s)
        .unreachable_assertions(proof, &mut Statistics::default())
        .into_iter()
        .map(|l| s.graph.graph[l].name.to_string())
        .collect()
}

#[test]
fn sound_assumptions_get_no_warning() {
    assert_eq!(contradiction(&program_p(0)), None);
    let mut s = Scene::new(&[("x", Sort::Int)]);
    assert_eq!(contradiction(&s), None);
    let c = s.function("c", &[], Sort::Int);
    s.graph
        .axioms
        .push(s.terms.gt(s.terms.apply(&c, &[]), s.int(0)));
    assert_eq!(contradiction(&s), None);
}

#[test]
fn contradictory_axioms_are_seen() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let c = s.function("c", &[], Sort::Int);
    let c = s.terms.apply(&c, &[]);
    s.graph.axioms = vec![s.terms.gt(c, s.int(0)), s.terms.lt(c, s.int(0))];
    assert_eq!(contradiction(&s), Some(Contradiction::Axioms));
}

#[test]
fn contradictory_assumptions_are_seen_up_to_the_first() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let t = &s.terms;
    let aux = t.fresh_aux("k", Sort::Int);
    // `x == k` and `x != k` do not contradict each other: each has its own `k`.
    let steps = [
        t.eq(s.v("x"), aux),
        t.neq(s.v("x"), aux),
        t.gt(s.v("x"), t.int(0)),
        t.lt(s.v("x"), t.int(9)),
    ];
    let mut edges = Vec::new();
    for (i, condition) in steps.into_iter().enumerate() {
        let from = if i == 0 {
            "start".into()
        } else {
            format!("l{i}")
        };
        edges.push(s.assume(&from, condition, &format!("l{}", i + 1)));
    }
    assert_eq!(contradiction(&s), None);
    let against = s.terms.lt(s.v("x"), s.int(0));
    edges.push(s.assume("l4", against, "l5"));
    let yes = s.terms.tt();
    s.assume("l5", yes, "l6");
    assert_eq!(contradiction(&s), Some(Contradiction::Assumptions(edges)));
}

#[test]
fn what_follows_a_change_is_no_assumption_about_the_start() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let (positive, negative) = (
        s.terms.gt(s.v("x"), s.int(0)),
        s.terms.lt(s.v("x"), s.int(0)),
    );
    s.assume("start", positive, "a");
    s.assign("a", "x", s.int(-3), "b");
    s.assume("b", negative, "c");
    assert_eq!(contradiction(&s), None);
}

#[test]
fn what_must_not_be_is_no_assumption() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let (positive, negative) = (
        s.terms.gt(s.v("x"), s.int(0)),
        s.terms.lt(s.v("x"), s.int(0)),
    );
    s.assume("start", positive, "a");
    s.assume("a", negative, "err");
    assert_eq!(contradiction(&s), None);
}

#[test]
fn assertions_nobody_gets_to() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let t = &s.terms;
    let (small, large, zero) = (
        t.lt(s.v("x"), t.int(10)),
        t.gt(s.v("x"), t.int(10)),
        t.eq(s.v("x"), t.int(0)),
    );
    let impossible = t.lt(s.v("x"), t.int(-1));
    s.assign("start", "x", s.int(0), "head");
    s.assign("head", "x", s.int(1), "head");
    s.assume("head", small, "reached");
    s.assume("head", large, "not reached");
    s.assume("reached", impossible, "err reached");
    s.assume("not reached", zero, "err not reached");
    let within = s.terms.and2(
        s.terms.le(s.int(0), s.v("x")),
        s.terms.le(s.v("x"), s.int(1)),
    );
    let proof = s.confirm(&s.claim(&[("head", within)])).unwrap();
    assert_eq!(unreachable(&s, &proof), ["err not reached"]);
}

#[test]
fn one_run_tells_of_all_assertions_that_it_passes() {
    let mut s = Scene::new(&[("x", Sort::Int)]);
    let negative = s.terms.lt(s.v("x"), s.int(0));
    s.assign("start", "x", s.int(0), "l0");
    for i in 0..40 {
        let here = format!("l{i}");
        s.assume(&here, negative, &format!("err{i}"));
        s.assign(&here, "x", s.plus("x", 1), &format!("l{}", i + 1));
    }
    s.assume("l40", negative, "never");
    s.assume("never", s.terms.eq(s.v("x"), s.int(-7)), "err never");
    let proof = s.confirm(&s.claim(&[])).unwrap();
    let mut stats = Statistics::default();
    let found = checker(&s).unreachable_assertions(&proof, &mut stats);
    let names = found.iter().map(|&l| &*s.graph.graph[l].name);
    assert_eq!(names.collect::<Vec<_>>(), ["err never"]);
    // One that nobody gets to, asked twice; one run through all others.
    assert!(stats.solver_calls < 8, "{}", stats.solver_calls);
}
