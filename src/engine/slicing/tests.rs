//! Slicing abstraction on small graphs, built by hand in reduced form.

use petgraph::graph::NodeIndex;

use super::*;
use crate::invariants::Facts;
use crate::phases::{PATIENCE, SecondLook};
use crate::samples::Build;
use ult_core::control::Control;
use ult_core::formula::Sort;

fn run(
    engine: &SlicingAbstraction,
    terms: &Terms,
    graph: &ProgramGraph,
    stats: &mut Statistics,
) -> Outcome {
    let control = Control::unlimited();
    let facts = Facts::default();
    let task = Task::of_graph(terms, graph, &control, &facts);
    SecondLook(engine.clone()).run(&task, stats)
}

/// Figure 1 of the paper after large-block encoding; `slack` is added to the assertion.
fn seed(t: &Terms, slack: i64) -> ProgramGraph {
    let mut b = Build::new(t, &["x", "y", "z", "n"]);
    let (start, head, bad) = (b.graph.initial, b.location("loop"), b.error("bad"));
    let (x, y, z, n) = (b.x("x"), b.x("y"), b.x("z"), b.x("n"));
    let zero = t.int(0);
    b.edge(
        start,
        head,
        t.and([t.eq(n, x), t.eq(y, zero), t.eq(z, zero)]),
    );
    let aux = |name: &str| t.fresh_aux(name, Sort::Int);
    let (x1, y1, y2, z2) = (aux("x"), aux("y"), aux("y"), aux("z"));
    let (x3, z3) = (b.next("x"), b.next("z"));
    let either = |a: Term, a2: Term, b: Term, b2: Term| {
        // Either both keep their value, or the first grows by what the second loses.
        t.or([
            t.and([t.eq(a2, a), t.eq(b2, b)]),
            t.and([
                t.eq(a2, t.add(&[a, t.int(1)])),
                t.eq(b2, t.sub(b, t.int(1))),
            ]),
        ])
    };
    let body = t.and([
        t.neq(x, zero),
        either(x, x1, y, y1),
        either(y1, y2, z, z2),
        either(z2, z3, x1, x3),
        t.eq(b.next("y"), y2),
    ]);
    b.edge(head, head, body);
    let sum = t.add(&[y, z, t.int(slack)]);
    b.edge(head, bad, t.and([t.eq(x, zero), t.neq(n, sum)]));
    b.graph.check(t).expect("well formed");
    b.graph
}

fn engines() -> Vec<SlicingAbstraction> {
    let mut all = Vec::new();
    for auxiliary in [Auxiliary::None, Auxiliary::Auto] {
        for (interpolation, _) in Strategy::ALL {
            all.push(SlicingAbstraction {
                interpolation: interpolation.clone(),
                auxiliary,
                record: false,
                observers: crate::observers::Observers::default(),
            });
        }
    }
    all
}

#[test]
fn the_seed_program_is_proved_by_its_sum() {
    for engine in engines() {
        // Without auxiliary invariants the sum has to come from the interpolants. Some strategies
        // find ever new case splits here.
        let sums = ["auto", "proof", "proof:pudlak", "proof:inverse", "horn"];
        let name = engine.interpolation.to_string();
        if engine.auxiliary == Auxiliary::None && !sums.contains(&&*name) {
            continue;
        }
        let t = Terms::new();
        let graph = seed(&t, 0);
        let mut stats = Statistics::default();
        let outcome = run(&engine, &t, &graph, &mut stats);
        assert!(
            outcome.runs.is_empty() && outcome.undecided.is_empty(),
            "{engine:?}: {outcome:?}"
        );
        let head = NodeIndex::new(1);
        let invariant = t.display(outcome.invariants.unwrap().at[&head]);
        println!("{engine:?}: {invariant}\n{stats:?}");
        assert!(invariant.contains("n =="), "{engine:?}: {invariant}");
    }
}

#[test]
fn its_wrong_variant_is_refuted_by_a_run() {
    for engine in engines() {
        let t = Terms::new();
        let graph = seed(&t, 1);
        let mut stats = Statistics::default();
        let outcome = run(&engine, &t, &graph, &mut stats);
        let bad = NodeIndex::new(2);
        let run = &outcome.runs[&bad];
        assert_eq!(
            graph
                .graph
                .edge_endpoints(run.steps.last().unwrap().edge)
                .unwrap()
                .1,
            bad
        );
        assert!(outcome.undecided.is_empty());
    }
}

/// `x := 0; y := 50; while (x < 100) { x := x + 1; if (x > 50) { y := y + 1; } }` with
/// `assert y == 100`: no single equation holds in both phases of the loop.
#[test]
fn a_loop_with_two_phases_is_proved() {
    let t = Terms::new();
    let mut b = Build::new(&t, &["x", "y"]);
    let (start, head, bad) = (b.graph.initial, b.location("loop"), b.error("bad"));
    let (x, y, one) = (b.x("x"), b.x("y"), t.int(1));
    let (x2, y2) = (b.next("x"), b.next("y"));
    b.edge(start, head, t.and([t.eq(x, t.int(0)), t.eq(y, t.int(50))]));
    let body = t.and([
        t.lt(x, t.int(100)),
        t.eq(x2, t.add(&[x, one])),
        t.or([
            t.and([t.lt(x, t.int(50)), t.eq(y2, y)]),
            t.and([t.ge(x, t.int(50)), t.eq(y2, t.add(&[y, one]))]),
        ]),
    ]);
    b.edge(head, head, body);
    b.edge(
        head,
        bad,
        t.and([t.ge(x, t.int(100)), t.neq(y, t.int(100))]),
    );
    let engine = SlicingAbstraction::default();
    let mut stats = Statistics::default();
    let outcome = run(&engine, &t, &b.graph, &mut stats);
    assert!(
        outcome.runs.is_empty() && outcome.undecided.is_empty(),
        "{outcome:?}"
    );
    assert!(stats.refinements <= PATIENCE + 20, "{stats:?}");
    let claim = outcome.invariants.unwrap();
    let options = ult_check::Options::default();
    let control = Control::unlimited();
    ult_check::confirm_invariants(&t, &b.graph, &claim, &control, &options, &mut stats)
        .expect("the invariants of both phases together are a proof");
}
