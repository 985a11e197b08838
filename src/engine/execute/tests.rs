//! Execution on small graphs. Every run that is found must be accepted by the checker.

use std::collections::BTreeMap;

use super::Execution;
use crate::facts::Facts;
use crate::samples::Build;
use crate::task::{Engine as _, Task};
use ult_check::{Options, confirm_run};
use ult_core::control::Control;
use ult_core::formula::{
    BinderKind, BvOp, ConstructorSort, DatatypeSort, Function, Sort, Terms, Value, Version,
};
use ult_core::graph::evidence::Run;
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::stats::Statistics;

/// The runs found, each confirmed, and the reason why others are open.
fn executed(terms: &Terms, graph: &ProgramGraph) -> (BTreeMap<LocationId, Run>, String) {
    let control = Control::unlimited();
    let task = Task {
        terms,
        graph,
        original: graph,
        control: &control,
        facts: &Facts::default(),
    };
    let mut stats = Statistics::default();
    let outcome = Execution.run(&task, &mut stats);
    assert!(outcome.invariants.is_none() && outcome.runs.is_empty());
    let original = outcome.original;
    for (error, run) in &original.runs {
        let options = Options::default();
        let confirmed = confirm_run(terms, graph, run, &control, &options, &mut stats);
        assert_eq!(confirmed.unwrap().location(), *error);
    }
    let covered = original.runs.len() + original.undecided.len();
    assert_eq!(covered, graph.errors().count());
    let reasons: Vec<String> = original.undecided.values().map(|r| r.to_string()).collect();
    (original.runs, reasons.join("; "))
}

/// The only error has a confirmed run, which is returned.
fn violated(terms: &Terms, graph: &ProgramGraph) -> Run {
    let (runs, reasons) = executed(terms, graph);
    assert_eq!(runs.len(), 1, "{reasons}");
    runs.into_values().next().unwrap()
}

/// Nothing is found, for a reason that mentions `why`.
fn nothing(terms: &Terms, graph: &ProgramGraph, why: &str) {
    let (runs, reasons) = executed(terms, graph);
    assert!(runs.is_empty());
    assert!(reasons.contains(why), "{reasons}");
}

/// `x := 0; i := 0; while (i < rounds) { x := (5 * x + 3) mod 17; i := i + 1; } assert x != value`
fn rounds(terms: &Terms, rounds: i64, value: i64) -> ProgramGraph {
    let mut b = Build::new(terms, &["x", "i"]);
    let t = terms;
    let start = b.graph.initial;
    let [zero, head, body, step, exit] =
        ["zero", "head", "body", "step", "exit"].map(|name| b.location(name));
    let error = b.error("error");
    b.assign(start, zero, "x", t.int(0));
    b.assign(zero, head, "i", t.int(0));
    b.edge(head, body, t.lt(b.x("i"), t.int(rounds)));
    let next = t.add(&[t.mul(&[t.int(5), b.x("x")]), t.int(3)]);
    b.assign(body, step, "x", t.modulo(next, t.int(17)));
    b.assign(step, head, "i", t.add(&[b.x("i"), t.int(1)]));
    b.edge(head, exit, t.le(t.int(rounds), b.x("i")));
    b.edge(exit, error, t.eq(b.x("x"), t.int(value)));
    b.done()
}

#[test]
fn a_hundred_thousand_rounds_are_one_run() {
    let terms = Terms::new();
    let mut x = 0;
    for _ in 0..100_000 {
        x = (5 * x + 3) % 17;
    }
    let run = violated(&terms, &rounds(&terms, 100_000, x));
    assert_eq!(run.steps.len(), 300_004);
    nothing(&terms, &rounds(&terms, 1000, 18), "no violation in 3 runs");
}
