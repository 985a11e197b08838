//! That nothing wrong gets past the checker, whatever the engine is told.

use std::collections::BTreeMap;

use super::*;
use crate::invariants::Facts;
use ult_check::{Checker, Claims, Options, Verdict};
use ult_core::control::Control;
use ult_core::formula::{Sort, Term, Terms};
use ult_core::graph::evidence::Argument;
use ult_core::graph::{Edge, Location, LocationId, ProgramGraph, Transition};
use ult_core::reason::Reason;

/// `x := 0; loop { x := x + step }`, with an error where `bad` holds.
struct Scene {
    terms: Terms,
    graph: ProgramGraph,
    head: LocationId,
    error: LocationId,
}

impl Scene {
    fn new(step: i64, bad: impl Fn(&Terms, Term) -> Term) -> Scene {
        let terms = Terms::new();
        let mut graph = ProgramGraph::new("test");
        graph.variables.insert("x".into(), Sort::Int);
        let head = graph.graph.add_node(Location::named("loop"));
        let error = graph.graph.add_node(Location {
            error: Some("wrong".into()),
            ..Location::named("error")
        });
        let x = terms.current("x", Sort::Int);
        let more = terms.add(&[x, terms.int(step)]);
        let bad = bad(&terms, x);
        let good = Transition {
            formula: terms.and2(terms.not(bad), terms.eq(terms.next("x", Sort::Int), more)),
            changed: ["x".into()].into(),
        };
        let start = Transition::assign(&terms, &"x".into(), terms.int(0));
        let initial = graph.initial;
        for (from, transition, to) in [
            (initial, start, head),
            (head, good, head),
            (head, Transition::assume(bad), error),
        ] {
            let origin = None;
            graph
                .graph
                .add_edge(from, to, Edge::new(transition, origin));
        }
        Scene {
            terms,
            graph,
            head,
            error,
        }
    }

    fn task<'a>(&'a self, control: &'a Control, facts: &'a Facts) -> Task<'a> {
        Task::of_graph(&self.terms, &self.graph, control, facts)
    }

    fn verdict(&self, outcome: Outcome) -> Verdict {
        let control = Control::unlimited();
        let mut checker = Checker::new(&self.terms, &self.graph, &control, &Options::default());
        let claims = Claims {
            runs: outcome.runs,
            invariants: outcome.invariants,
            undecided: outcome.undecided,
        };
        let mut verdicts = checker.decide(&claims, &mut Statistics::default());
        verdicts
            .remove(&self.error)
            .expect("the only error location")
    }
}

#[test]
fn a_wrong_invariant_in_the_pool_proves_nothing() {
    let s = Scene::new(1, |t, x| t.eq(x, t.int(5)));
    let facts = Facts::default();
    let x = s.terms.current("x", Sort::Int);
    let wrong = s.terms.le(x, s.terms.int(3));
    facts.publish(&s.terms, &BTreeMap::from([(s.head, vec![wrong])]));
    let control = Control::unlimited();
    let engine = KInduction::default();
    let mut outcome = engine.run(&s.task(&control, &facts), &mut Statistics::default());
    // With it, the step case has no model: the engine believes that the error is excluded.
    let claimed = outcome.invariants.take().expect("a claim");
    assert!(!claimed.exempt.contains(&s.error));
    outcome.invariants = Some(claimed);
    match s.verdict(outcome) {
        Verdict::Unknown(Reason::ProofRejected(_)) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn invariants_of_others_are_used_when_they_arrive() {
    let s = Scene::new(2, |t, x| t.eq(x, t.int(-1)));
    let facts = Facts::default();
    let control = Control::unlimited();
    let mut stats = Statistics::default();
    let outcome = KInduction::default().run(&s.task(&control, &facts), &mut stats);
    assert!(s.verdict(outcome).is_safe());
    // The pool is as full as it gets, so nothing is generated a second time.
    let mut stats = Statistics::default();
    let outcome = KInduction::default().run(&s.task(&control, &facts), &mut stats);
    assert!(s.verdict(outcome).is_safe());
    assert_eq!(stats.depth, 0);
}

#[test]
fn both_kinds_of_arguments_are_claimed() {
    let control = Control::unlimited();
    let run = |s: &Scene, engine: &dyn Engine| {
        let facts = Facts::default();
        let outcome = engine.run(&s.task(&control, &facts), &mut Statistics::default());
        let claim = outcome.invariants.clone().expect("a claim");
        assert!(s.verdict(outcome).is_safe());
        claim.arguments.get(&s.error).copied()
    };
    // A loop that ends by itself after four rounds, and never gets to 5.
    let mut s = Scene::new(2, |t, x| t.eq(x, t.int(5)));
    let ends = s.graph.graph.find_edge(s.head, s.head).expect("the loop");
    let x = s.terms.current("x", Sort::Int);
    let transition = &mut s.graph.graph[ends].transition;
    let below = s.terms.lt(x, s.terms.int(8));
    transition.formula = s.terms.and2(transition.formula, below);
    assert!(matches!(run(&s, &Bmc), Some(Argument::Bounded(k)) if k.get() == 6));
    let alone = KInduction {
        auxiliary: Auxiliary::None,
    };
    // From 1 on: 1, 3, 5. So three rounds before the step to the error exclude it.
    let s = Scene::new(2, |t, x| t.or2(t.eq(x, t.int(5)), t.lt(x, t.int(0))));
    assert!(matches!(run(&s, &alone), Some(Argument::Inductive(k)) if k.get() == 4));
}

#[test]
fn an_initial_error_location_is_reached_at_once() {
    let terms = Terms::new();
    let mut graph = ProgramGraph::new("test");
    graph.variables.insert("x".into(), Sort::Int);
    let initial = graph.initial;
    graph.graph[initial].error = Some("at once".into());
    let control = Control::unlimited();
    let facts = Facts::default();
    let task = Task::of_graph(&terms, &graph, &control, &facts);
    for engine in [&Bmc as &dyn Engine, &KInduction::default()] {
        let outcome = engine.run(&task, &mut Statistics::default());
        assert_eq!(outcome.runs[&initial].steps.len(), 0);
    }
}

#[test]
fn a_stopped_run_says_so() {
    let s = Scene::new(1, |t, x| t.lt(x, t.int(0)));
    let control = Control::unlimited();
    control.stop(ult_core::control::Stop::Cancelled);
    for engine in [&Bmc as &dyn Engine, &KInduction::default()] {
        let facts = Facts::default();
        let outcome = engine.run(&s.task(&control, &facts), &mut Statistics::default());
        assert_eq!(outcome.undecided[&s.error], Reason::Cancelled);
    }
}
