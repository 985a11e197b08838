//! Verification of graphs as a whole.

use super::*;
use ult_core::graph::{Edge, Location, Transition};

#[test]
fn a_graph_without_error_locations_needs_no_engine() {
    let terms = Terms::new();
    let graph = ProgramGraph::new("empty");
    let mut stats = Statistics::default();
    let control = Control::unlimited();
    let verdicts = verify_unit(&terms, &graph, &Settings::default(), &control, &mut stats);
    assert!(verdicts.is_empty());
    assert_eq!(stats.solver_calls, 0);
}

#[test]
fn what_many_runs_decide_is_told_before_all_were_looked_at() {
    let terms = Terms::new();
    let mut graph = ProgramGraph::new("many");
    for number in 0..3 * limits::RUNS_TOGETHER {
        let error = graph.graph.add_node(Location {
            error: Some(format!("claim {number}").into()),
            ..Location::named("bad")
        });
        let transition = Transition::assume(terms.tt());
        let origin = None;
        graph
            .graph
            .add_edge(graph.initial, error, Edge::new(transition, origin));
    }
    let mut decided = vec![0];
    let settings = Settings {
        method: Method::Engine(EngineKind::Bmc),
        ..Settings::default()
    };
    let control = Control::unlimited();
    let mut stats = Statistics::default();
    let mut log = VerificationLog {
        listener: Some(Listener::new(|verdicts| {
            let is_unsafe = |verdict: &&Verdict| matches!(verdict, Verdict::Unsafe(_));
            decided.push(verdicts.values().filter(is_unsafe).count());
            // A listener that is this slow hears of nothing in between.
            std::thread::sleep(Duration::from_millis(200));
        })),
        ..VerificationLog::default()
    };
    let mut checker = Checker::new(&terms, &graph, &control, &settings.check);
    let verdicts = verify_by(
        &mut checker,
        Knowledge::new(&graph),
        &terms,
        &graph,
        &settings,
        &control,
        &mut stats,
        &mut log,
    );
    drop(log);
    assert!(
        verdicts
            .values()
            .all(|verdict| matches!(verdict, Verdict::Unsafe(_)))
    );
    assert_eq!(decided.last(), Some(&verdicts.len()));
    let steps = decided.windows(2).map(|pair| pair[1] - pair[0]);
    assert!(steps.max() <= Some(limits::RUNS_TOGETHER), "{decided:?}");
}
