//! Equalities of small programs, from runs to verdicts.

use std::time::Duration;

use crate::EngineKind;
use crate::samples::Build;
use crate::verify::{Method, Settings, verify_unit};
use ult_check::Verdict;
use ult_core::control::Control;
use ult_core::formula::{Term, Terms};
use ult_core::graph::ProgramGraph;
use ult_core::stats::Statistics;

/// Whether all errors are excluded, within so many seconds.
fn is_safe(terms: &Terms, graph: &ProgramGraph, seconds: u64) -> bool {
    let settings = Settings {
        method: Method::Engine(EngineKind::Polynomials),
        ..Settings::default()
    };
    let control = Control::unlimited().within(Some(Duration::from_secs(seconds)));
    let mut stats = Statistics::default();
    let verdicts = verify_unit(terms, graph, &settings, &control, &mut stats);
    (verdicts.values()).all(|verdict| matches!(verdict, Verdict::Safe(_)))
}

/// `havoc n; assume 0 <= n; s := 0; i := 0; while (i < n) { i := i + 1; s := s + step } assert claim`
fn summed(
    t: &Terms,
    step: impl Fn(&Build<'_>) -> Term,
    claim: impl Fn(&Build<'_>) -> Term,
) -> ProgramGraph {
    let mut b = Build::new(t, &["n", "s", "i"]);
    let start = b.graph.initial;
    let [chosen, zero, first, head, body, next, exit] =
        ["chosen", "zero", "first", "head", "body", "next", "exit"].map(|name| b.location(name));
    let error = b.error("error");
    b.havoc(start, chosen, "n");
    b.edge(chosen, zero, t.le(t.int(0), b.x("n")));
    b.assign(zero, first, "s", t.int(0));
    b.assign(first, head, "i", t.int(0));
    b.edge(head, body, t.lt(b.x("i"), b.x("n")));
    b.assign(body, next, "i", t.add(&[b.x("i"), t.int(1)]));
    b.assign(next, head, "s", t.add(&[b.x("s"), step(&b)]));
    b.edge(head, exit, t.le(b.x("n"), b.x("i")));
    let claim = claim(&b);
    b.edge(exit, error, t.not(claim));
    b.done()
}

#[test]
fn the_sum_of_the_first_numbers() {
    let t = &Terms::new();
    let double = |b: &Build<'_>| t.mul(&[t.int(2), b.x("s")]);
    let square = |b: &Build<'_>, more| t.mul(&[b.x("n"), t.add(&[b.x("n"), t.int(more)])]);
    let right = summed(t, |b| b.x("i"), |b| t.eq(double(b), square(b, 1)));
    assert!(is_safe(t, &right, 100));
    let wrong = summed(t, |b| b.x("i"), |b| t.eq(double(b), square(b, 2)));
    assert!(!is_safe(t, &wrong, 2));
}

#[test]
fn the_sum_of_the_first_squares() {
    let t = &Terms::new();
    // 6 s == n (n + 1) (2 n + 1)
    let squares = summed(
        t,
        |b| t.mul(&[b.x("i"), b.x("i")]),
        |b| {
            let n = b.x("n");
            let next = t.add(&[n, t.int(1)]);
            let last = t.add(&[t.mul(&[t.int(2), n]), t.int(1)]);
            t.eq(t.mul(&[t.int(6), b.x("s")]), t.mul(&[n, next, last]))
        },
    );
    assert!(is_safe(t, &squares, 100));
}

#[test]
fn a_program_that_multiplies_nothing_is_left_alone() {
    let t = &Terms::new();
    let claim = |b: &Build<'_>| t.le(t.int(0), b.x("s"));
    assert!(!is_safe(t, &summed(t, |b| b.x("i"), claim), 100));
}
