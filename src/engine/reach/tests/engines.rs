//! Verdicts, and what they cost.

use super::graphs::{count, locks, nested, twins, two_errors};
use super::*;
use crate::verify::{self, Method, verify_unit};
use crate::{Common, EngineKind};
use ult_core::formula::Value;
use ult_interpolate::Strategy;
use ult_reduce::{Blocks, ReduceOptions};

fn expect(settings: &Settings, terms: &Terms, graph: &ProgramGraph, expected: &[(&str, &str)]) {
    let (found, stats) = verdicts(terms, graph, settings);
    let found: Vec<(&str, &str)> = found.iter().map(|(name, v)| (&**name, *v)).collect();
    assert_eq!(found, expected, "{settings:?}\n{stats:?}");
}

/// No abstraction is bound to converge; on these graphs all do.
#[test]
fn combinations_prove_a_loop() {
    for settings in some_settings(5) {
        let t = Terms::new();
        expect(&settings, &t, &count(&t, 2, 0), &[("bad", "safe")]);
    }
}

#[test]
fn combinations_agree_on_small_graphs() {
    for settings in some_settings(25) {
        let t = Terms::new();
        expect(&settings, &t, &count(&t, 3, 1), &[("bad", "unsafe")]);
        let t = Terms::new();
        let both = [("differ", "safe"), ("large", "unsafe")];
        expect(&settings, &t, &twins(&t), &both);
    }
    for settings in some_settings(95) {
        let t = Terms::new();
        let both = [("beyond", "safe"), ("negative", "safe")];
        expect(&settings, &t, &nested(&t), &both);
    }
}

#[test]
fn no_successor_is_forgotten_after_a_spurious_error() {
    for settings in some_settings(17) {
        for real_first in [false, true] {
            let t = Terms::new();
            let both = [("real", "unsafe"), ("spurious", "safe")];
            expect(&settings, &t, &two_errors(&t, real_first), &both);
        }
    }
}

#[test]
fn an_initial_location_may_be_an_error_location() {
    for settings in [Settings::impact(), Settings::predicate_abstraction()] {
        let t = Terms::new();
        let mut graph = ProgramGraph::new("test");
        graph.graph[graph.initial].error = Some("at once".into());
        expect(&settings, &t, &graph, &[("start", "unsafe")]);
    }
}

#[test]
fn with_auxiliary_invariants_the_claim_says_them() {
    for settings in [Settings::impact(), Settings::predicate_abstraction()] {
        let t = Terms::new();
        expect(&settings, &t, &count(&t, 1000, 0), &[("bad", "safe")]);
        let t = Terms::new();
        let both = [("differ", "safe"), ("large", "unsafe")];
        expect(&settings, &t, &twins(&t), &both);
    }
}

/// F-SOFT's way to abstract (Jain, Ivancic, Gupta, Ganai, and others, 2005 and 2006): predicates are weakest preconditions along
/// infeasible paths, each at the locations where it was found, or in the whole procedure; places share registers; and
/// invariants strengthen the transition relation beforehand.
#[test]
fn preconditions_are_predicates_and_invariants_save_some() {
    for (graph, names) in [
        (count as fn(&Terms, i64, i64) -> _, ["bad", "bad"]),
        (|t: &Terms, _, _| nested(t), ["beyond", "negative"]),
    ] {
        for scope in [Scope::Location, Scope::Procedure] {
            let found = [Auxiliary::None, Auxiliary::Auto].map(|auxiliary| {
                let t = Terms::new();
                let abstracting = Abstracting {
                    scope,
                    ..Abstracting::default()
                };
                let settings = Settings {
                    refinement: Refinement::Predicate(abstracting, Restart::Lazy),
                    interpolation: Strategy::Backward,
                    auxiliary,
                    ..Settings::predicate_abstraction()
                };
                let (verdicts, stats) = verdicts(&t, &graph(&t, 6, 0), &settings);
                assert!(names.iter().all(|&name| verdicts[name] == "safe"));
                stats
            });
            let [alone, helped] = &found;
            assert!(alone.refinements > 0 && alone.predicates > 0);
            assert!(0 < alone.registers && alone.registers <= alone.predicates);
            assert!(helped.refinements <= alone.refinements);
            assert!(helped.predicates < alone.predicates);
            assert!(helped.registers < alone.registers);
            if scope == Scope::Procedure {
                // One that the procedure needs everywhere has a register of its own.
                assert_eq!(alone.registers, alone.predicates);
            }
        }
    }
}

#[test]
fn a_run_is_the_shortest_one() {
    for settings in [Settings::impact(), Settings::predicate_abstraction()] {
        let t = Terms::new();
        let graph = count(&t, 4, 1);
        let control = Control::unlimited();
        let facts = Facts::default();
        let task = Task::of_graph(&t, &graph, &control, &facts);
        let outcome = run(&settings, &task, &mut Statistics::default());
        let run = outcome.runs.values().next().expect("a run");
        assert_eq!(run.steps.len(), 6);
        assert_eq!(run.steps[5].values()["x"], Value::Int(4.into()));
    }
}

#[test]
fn lazy_and_eager_agree_and_lazy_makes_fewer_nodes() {
    let with = |restart| {
        let t = Terms::new();
        let settings = alone(Settings {
            refinement: Refinement::Predicate(Abstracting::default(), restart),
            ..Settings::predicate_abstraction()
        });
        let (found, stats) = verdicts(&t, &nested(&t), &settings);
        (found, stats.nodes)
    };
    let (lazy, eager) = (with(Restart::Lazy), with(Restart::Eager));
    assert_eq!(lazy.0, eager.0);
    assert!(lazy.1 < eager.1, "{lazy:?} {eager:?}");
}

#[test]
fn forced_covering_covers() {
    let t = Terms::new();
    let settings = alone(Settings::impact());
    let (found, stats) = verdicts(&t, &nested(&t), &settings);
    assert!(found.values().all(|&v| v == "safe"));
    assert!(stats.forced_coverings > 0, "{stats:?}");
    let settings = Settings {
        forced_covering: ForcedCovering::Off,
        ..settings
    };
    let (found, stats) = verdicts(&t, &nested(&t), &settings);
    assert!(found.values().all(|&v| v == "safe"));
    assert_eq!(stats.forced_coverings, 0);
    assert!(stats.coverings > 0);
}

fn lock_statistics(n: usize, kind: EngineKind, blocks: Blocks) -> Statistics {
    let t = Terms::new();
    let graph = locks(&t, n);
    let settings = verify::Settings {
        method: Method::Engine(kind),
        reduce: ReduceOptions {
            blocks,
            ..ReduceOptions::default()
        },
        common: Common {
            auxiliary: Auxiliary::None,
            ..Common::default()
        },
        ..verify::Settings::default()
    };
    let mut stats = Statistics::default();
    let verdicts = verify_unit(&t, &graph, &settings, &Control::unlimited(), &mut stats);
    let safe = |verdict: &Verdict| matches!(verdict, Verdict::Safe(_));
    assert!(verdicts.values().all(safe), "{verdicts:?}");
    stats
}

/// Table III of the large-block paper: four nodes, no refinement, no predicate, for any number of
/// locks.
#[test]
fn large_blocks_prove_the_lock_family_without_refinement() {
    for kind in [EngineKind::Predicate, EngineKind::Impact] {
        let five = lock_statistics(5, kind, Blocks::default());
        assert_eq!((five.refinements, five.predicates), (0, 0), "{kind}");
        assert!(five.nodes <= 4, "{kind}: {five:?}");
        let ten = lock_statistics(10, kind, Blocks::default());
        assert_eq!(ten.nodes, five.nodes, "{kind}");
        let single = lock_statistics(2, kind, Blocks::None);
        assert!(
            single.refinements > 0 && single.nodes > 20,
            "{kind}: {single:?}"
        );
    }
}

#[test]
fn a_stopped_search_claims_nothing_it_did_not_see() {
    for settings in [Settings::impact(), Settings::predicate_abstraction()] {
        let t = Terms::new();
        let graph = twins(&t);
        let control = Control::unlimited();
        control.stop(ult_core::control::Stop::Cancelled);
        let facts = Facts::default();
        let task = Task::of_graph(&t, &graph, &control, &facts);
        let outcome = run(&settings, &task, &mut Statistics::default());
        assert_eq!(outcome.undecided.len(), 2);
        assert!(outcome.runs.is_empty());
        let found = judged(&t, &graph, outcome);
        assert!(found.values().all(|&v| v == "unknown"), "{found:?}");
    }
}
