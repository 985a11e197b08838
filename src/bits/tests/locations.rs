//! The location as bits: as many as there have to be, whatever the number of locations, and a number of its own for
//! runs that have halted.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use super::graphs::random;
use super::searches::settings;
use crate::aig::Lit;
use crate::sat::{Answer, Choice, Circuit};
use crate::system::{Content, Counter, Stepping, System};
use crate::{bmc, ic3};
use ult_core::control::Control;
use ult_core::formula::{Sort, Terms};
use ult_core::graph::{Edge, Location, LocationId, ProgramGraph, Transition};

/// Locations one behind the other, the last of them with an edge to an error: for all runs, or for none that
/// comes there. One location has an edge that is never taken and one that leads nowhere.
fn chain(terms: &Terms, count: usize, is_unsafe: bool) -> (ProgramGraph, LocationId) {
    let mut graph = ProgramGraph::new("chain");
    graph.variables.insert("b".into(), Sort::Bool);
    let b = terms.current("b", Sort::Bool);
    let add = |graph: &mut ProgramGraph, from, to, transition| {
        let edge = Edge::new(transition, None);
        graph.graph.add_edge(from, to, edge);
    };
    let mut at = graph.initial;
    for number in 1..count {
        let next = graph.graph.add_node(Location::named(format!("l{number}")));
        add(
            &mut graph,
            at,
            next,
            Transition::assign(terms, &"b".into(), terms.tt()),
        );
        at = next;
    }
    let mut error = Location::named("error");
    error.error = Some("wrong".into());
    let error = graph.graph.add_node(error);
    // Before the first step b is anything.
    let condition = match (is_unsafe, count) {
        (true, _) => b,
        (false, 1) => terms.ff(),
        (false, _) => terms.not(b),
    };
    add(&mut graph, at, error, Transition::assume(condition));
    graph.check(terms).expect("a well-formed graph");
    (graph, error)
}

#[test]
fn any_number_of_locations_has_a_code() {
    for count in 1..=17 {
        for counter in [Counter::Binary, Counter::OneHot] {
            let terms = Terms::new();
            let control = Control::unlimited();
            let of = |graph: &ProgramGraph| {
                let settings = settings(Stepping::Statements, counter);
                System::new(&terms, graph, settings, &control).expect("a circuit")
            };
            let (graph, error) = chain(&terms, count, true);
            let system = of(&graph);
            assert_eq!(system.locations.len(), count);
            let bits = system.latches.iter();
            let bits = bits
                .filter(|latch| latch.content == Content::Location)
                .count();
            // In binary, so many that one number more than there are locations can be written.
            let enough = match counter {
                Counter::OneHot => count,
                Counter::Binary => (count + 1).next_power_of_two().ilog2() as usize,
            };
            assert_eq!(bits, enough, "{count} locations");
            let found = ic3::search(
                &system,
                &graph,
                &ic3::Settings::default(),
                &control,
                |_, _| {},
            );
            let run = found.runs.get(&error).expect("a run");
            assert_eq!(run.steps.len(), count);
            // One step less is not enough for bounded model checking, and so many are.
            for (most, is_reached) in [(count - 1, false), (count, true)] {
                let Some(most) = NonZeroU32::new(most as u32) else {
                    continue;
                };
                let settings = bmc::Settings {
                    most: Some(most),
                    ..bmc::Settings::default()
                };
                let found = bmc::search(&system, &graph, &settings, &control, |_, _| {});
                assert_eq!(
                    found.runs.contains_key(&error),
                    is_reached,
                    "{count}, {most}"
                );
                assert_eq!(found.is_over, is_reached);
            }
            let (graph, error) = chain(&terms, count, false);
            let system = of(&graph);
            let found = ic3::search(
                &system,
                &graph,
                &ic3::Settings::default(),
                &control,
                |_, _| {},
            );
            assert!(found.runs.is_empty());
            assert!(found.invariant.is_some() || found.open.is_empty());
            let found = bmc::search(
                &system,
                &graph,
                &bmc::Settings::default(),
                &control,
                |_, _| {},
            );
            assert!(found.is_over && found.runs.is_empty());
            assert!(found.open.is_subset(&BTreeSet::from([error])));
        }
    }
}

#[test]
fn a_bound_on_steps_is_kept_in_every_order() {
    let terms = Terms::new();
    let control = Control::unlimited();
    let (graph, error) = chain(&terms, 12, true);
    let settings = settings(Stepping::Statements, Counter::Binary);
    let system = System::new(&terms, &graph, settings, &control).expect("a circuit");
    for schedule in [
        bmc::Schedule::EachDepth,
        bmc::Schedule::Exponential,
        bmc::Schedule::BothEnds,
    ] {
        for most in [1, 5, 11, 12, 13, 40] {
            let settings = bmc::Settings {
                schedule,
                most: NonZeroU32::new(most),
                ..bmc::Settings::default()
            };
            let found = bmc::search(&system, &graph, &settings, &control, |_, _| {});
            assert_eq!(
                found.runs.contains_key(&error),
                most >= 12,
                "{schedule:?}, {most}"
            );
            assert!(found.depth <= most as usize);
        }
    }
}

/// From each location, for each state and each input, there is a step, and not a second one: it ends at one of the
/// locations, in an error location, or has halted.
#[test]
fn a_step_always_ends_somewhere_and_only_there() {
    let mut locations = 0;
    for seed in 640..660 {
        let terms = Terms::new();
        let graph = random(&terms, seed);
        let control = Control::unlimited();
        let stepping = [Stepping::Loops, Stepping::Blocks, Stepping::Statements][seed as usize % 3];
        let settings = settings(stepping, Counter::Binary);
        let system = System::new(&terms, &graph, settings, &control).expect("a circuit");
        let mut aig = system.aig.clone();
        let mut circuit = Circuit::new(Choice::default().solver(&control));
        // What the number of the location is behind the step, if it is this one.
        let mut is_next = |number: usize| {
            let bits = system.code(number);
            let bits: Vec<Lit> = bits
                .map(|(latch, value)| system.latches[latch].next.invert_if(!value))
                .collect();
            aig.all(&bits)
        };
        let halted = is_next(system.locations.len());
        let next: Vec<Lit> = (0..system.locations.len()).map(&mut is_next).collect();
        let bads: Vec<Lit> = system.bads.iter().map(|bad| bad.lit).collect();
        let bad = aig.any(&bads);
        let elsewhere = aig.any(&next);
        for (number, &at) in system.at.iter().enumerate() {
            let at = circuit.lit(&aig, at);
            // No gap: if it ends nowhere else, it has halted.
            let [not_halted, not_bad, not_elsewhere] =
                [halted, bad, elsewhere].map(|lit| !circuit.lit(&aig, lit));
            let nowhere = [at, not_halted, not_bad, not_elsewhere];
            assert_eq!(
                circuit.solve(&nowhere),
                Answer::Unsat,
                "seed {seed}, {number}"
            );
            // No overlap: what is bad leads to no location.
            let both = [at, !not_bad, !not_elsewhere];
            assert_eq!(circuit.solve(&both), Answer::Unsat, "seed {seed}, {number}");
            locations += 1;
        }
    }
    assert!(locations > 60, "{locations}");
}
