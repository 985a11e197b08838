//! What the engines on circuits find is a claim: the checker confirms it, and refuses it once it is
//! tampered with.

use std::num::NonZeroU32;

use ult_check::{Options, confirm_invariants, confirm_run};
use ult_core::control::Control;
use ult_core::formula::{BvOp, Sort, Terms, Value};
use ult_core::graph::evidence::{Argument, Invariants, Run};
use ult_core::graph::{Edge, Location, LocationId, ProgramGraph, Transition};
use ult_core::stats::Statistics;
use ult_engine::bits::{BitsBmc, Ic3};
use ult_engine::facts::Facts;
use ult_engine::task::Claims;
use ult_engine::{Engine, Task};

/// `x := first; while (x < bound) x := x + 2;` in a byte, where `x == wrong` within the loop is an
/// error.
fn counting(terms: &Terms, first: u8, bound: u8, wrong: u8) -> (ProgramGraph, LocationId) {
    let mut graph = ProgramGraph::new("counting");
    graph.variables.insert("x".into(), Sort::BitVec(8));
    let byte = |value: u8| terms.bitvec(value.into(), 8);
    let x = terms.current("x", Sort::BitVec(8));
    let head = graph.graph.add_node(Location::named("head".to_owned()));
    let mut error = Location::named("error".to_owned());
    error.error = Some("wrong".into());
    let error = graph.graph.add_node(error);
    let below = terms.bv(BvOp::Ult, &[x, byte(bound)]);
    let two_more = terms.bv(BvOp::Add, &[x, byte(2)]);
    let mut step = Transition::assign(terms, &"x".into(), two_more);
    step.formula = terms.and2(step.formula, below);
    let edges = [
        (
            graph.initial,
            head,
            Transition::assign(terms, &"x".into(), byte(first)),
        ),
        (head, head, step),
        (head, error, Transition::assume(terms.eq(x, byte(wrong)))),
    ];
    for (from, to, transition) in edges {
        let edge = Edge::new(transition, None);
        graph.graph.add_edge(from, to, edge);
    }
    graph.check(terms).expect("a well-formed graph");
    (graph, error)
}

fn found(engine: &dyn Engine, terms: &Terms, graph: &ProgramGraph) -> Claims {
    let (control, facts) = (Control::unlimited(), Facts::default());
    let task = Task::of_graph(terms, graph, &control, &facts);
    engine.run(&task, &mut Statistics::default()).original
}

fn is_proof(terms: &Terms, graph: &ProgramGraph, claim: &Invariants, error: LocationId) -> bool {
    let (control, options) = (Control::unlimited(), Options::default());
    let mut stats = Statistics::default();
    let proof = confirm_invariants(terms, graph, claim, &control, &options, &mut stats);
    proof.is_ok_and(|proof| proof.excluded().contains(&error))
}

fn is_run(terms: &Terms, graph: &ProgramGraph, claim: &Run) -> bool {
    let (control, options) = (Control::unlimited(), Options::default());
    let mut stats = Statistics::default();
    confirm_run(terms, graph, claim, &control, &options, &mut stats).is_ok()
}

#[test]
fn a_tampered_invariant_of_ic3_is_refused() {
    let terms = Terms::new();
    // Odd numbers only: the last bit is the invariant.
    let (graph, error) = counting(&terms, 1, 255, 42);
    let claim = found(&Ic3::default(), &terms, &graph).invariants;
    let claim = claim.expect("an invariant");
    assert!(is_proof(&terms, &graph, &claim, error));
    for (&location, &formula) in &claim.at {
        let with = |formula| {
            let mut claim = claim.clone();
            claim.at.insert(location, formula);
            claim
        };
        assert!(!is_proof(&terms, &graph, &with(terms.not(formula)), error));
        assert!(!is_proof(&terms, &graph, &with(terms.tt()), error));
        // It excludes everything, and is not true where the loop begins.
        assert!(!is_proof(
            &terms,
            &graph,
            &with(terms.not(terms.tt())),
            error
        ));
    }
    let mut exempt = claim.clone();
    exempt.exempt.insert(error);
    assert!(!is_proof(&terms, &graph, &exempt, error));
    let mut nowhere = claim;
    nowhere.at.clear();
    assert!(!is_proof(&terms, &graph, &nowhere, error));
    // The same for another program, in which the number is reached.
    let (other, error) = counting(&terms, 0, 255, 42);
    let claim = found(&Ic3::default(), &terms, &graph).invariants;
    assert!(!is_proof(
        &terms,
        &other,
        &claim.expect("an invariant"),
        error
    ));
}

#[test]
fn a_tampered_proof_of_bounded_model_checking_is_refused() {
    let terms = Terms::new();
    let (graph, error) = counting(&terms, 1, 10, 42);
    let claim = found(&BitsBmc::default(), &terms, &graph).invariants;
    let claim = claim.expect("all runs are short");
    assert!(is_proof(&terms, &graph, &claim, error));
    let mut short = claim;
    let argument = Argument::Bounded(NonZeroU32::MIN);
    assert_ne!(short.arguments.insert(error, argument), Some(argument));
    assert!(!is_proof(&terms, &graph, &short, error));
}

#[test]
fn a_tampered_run_of_either_engine_is_refused() {
    let engines: [&dyn Engine; 2] = [&Ic3::default(), &BitsBmc::default()];
    for engine in engines {
        let terms = Terms::new();
        let (graph, error) = counting(&terms, 0, 255, 6);
        let run = found(engine, &terms, &graph).runs.remove(&error);
        let run = run.expect("a run");
        assert!(is_run(&terms, &graph, &run));
        let mut short = run.clone();
        short.steps.remove(1);
        assert!(!is_run(&terms, &graph, &short));
        let mut long = run.clone();
        long.steps.insert(1, run.steps[1].clone());
        assert!(!is_run(&terms, &graph, &long));
        let mut early = run.clone();
        early.steps.pop();
        assert!(!is_run(&terms, &graph, &early));
        let mut ill = run.clone();
        ill.start.insert("x".into(), Value::Bool(true));
        assert!(!is_run(&terms, &graph, &ill));
        // The same for another program.
        let (other, _) = counting(&terms, 1, 255, 6);
        assert!(!is_run(&terms, &other, &run));
    }
}
