//! Bounded model checking and IC3 against enumeration.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use num_bigint::BigInt;

use super::abc::Abc;
use super::graphs::{RANGE, random, reachable, reached};
use crate::bmc::Schedule;
use crate::bmc::{self, Asked, Unrolling};
use crate::hints::{Hints, Locations};
use crate::ic3;
use crate::sat::{Answer, Choice, Circuit};
use crate::system::{Content, Counter, Settings, Stepping, System};
use ult_core::control::Control;
use ult_core::formula::{Terms, Value};
use ult_core::graph::evidence::{Plans, Run, Walk};
use ult_core::graph::{LocationId, ProgramGraph};

pub(super) fn settings(stepping: Stepping, counter: Counter) -> Settings {
    let range = (BigInt::from(RANGE.0), BigInt::from(RANGE.1));
    Settings {
        stepping,
        counter,
        ranges: BTreeMap::from([("i".into(), range)]),
        integers: 8,
    }
}

/// Executes a run with exact values.
fn replay(terms: &Terms, graph: &ProgramGraph, run: &Run, error: LocationId) {
    let mut plans = Plans::new(terms, graph);
    let mut walk = Walk::new(&mut plans, run);
    let mut at = graph.initial;
    for step in &run.steps {
        walk.step(step).expect("a step");
        let (from, to) = graph.graph.edge_endpoints(step.edge).expect("an edge");
        assert_eq!(from, at);
        at = to;
        for (_, value) in walk.conjuncts() {
            assert_eq!(*value, Ok(Value::Bool(true)));
        }
    }
    assert_eq!(at, error);
}

const STEPPINGS: [Stepping; 3] = [Stepping::Loops, Stepping::Blocks, Stepping::Statements];
const LOCATIONS: [Locations; 3] = [Locations::None, Locations::Reachable, Locations::All];

/// One of the 18 combinations of hints.
fn hints(number: usize) -> Hints {
    Hints {
        counter: number % 2 == 1,
        selected: LOCATIONS[number / 2 % 3],
        incoming: LOCATIONS[number / 6 % 3],
    }
}

const COUNTERS: [Counter; 2] = [Counter::Binary, Counter::OneHot];

#[test]
fn both_searches_agree_with_enumeration() {
    agree(0..150);
}

#[test]
#[ignore = "takes long"]
fn both_searches_agree_with_enumeration_of_many_graphs() {
    agree(150..500);
}

fn agree(seeds: Range<u64>) {
    let most = usize::try_from(seeds.end - seeds.start).unwrap();
    let (mut safe, mut unsafe_) = (0, 0);
    let mut abc = Abc::installed();
    for seed in seeds {
        let terms = Terms::new();
        let graph = random(&terms, seed);
        let states = reachable(&terms, &graph);
        let expected = reached(&graph, &states);
        match expected.is_empty() {
            true => safe += 1,
            false => unsafe_ += 1,
        }
        let stepping = STEPPINGS[seed as usize % 3];
        let counter = COUNTERS[seed as usize / 3 % 2];
        let control = Control::unlimited();
        let system = System::new(&terms, &graph, settings(stepping, counter), &control);
        let system = system.expect("a circuit");
        assert!(system.opaque.is_empty());
        let solver = Choice::ALL[seed as usize % Choice::ALL.len()];
        let hints = hints(seed as usize / 6);
        let proving = ic3::Settings { solver, hints };
        let searching = bmc::Settings {
            solver,
            hints,
            pruned: seed % 4 != 3,
            ..bmc::Settings::default()
        };
        let found = ic3::search(&system, &graph, &proving, &control, |_, _| {});
        let runs: BTreeSet<LocationId> = found.runs.keys().copied().collect();
        assert_eq!(runs, expected, "IC3, seed {seed}");
        for (&error, run) in &found.runs {
            replay(&terms, &graph, run, error);
        }
        // No state that a run goes through is in a cube.
        for (location, values) in states.keys() {
            let Some(number) = system.locations.iter().position(|place| place == location) else {
                continue;
            };
            let code: BTreeMap<usize, bool> = system.code(number).collect();
            let bit = |latch: usize| match &system.latches[latch].content {
                Content::Location => code[&latch],
                Content::Variable(variable, position) => match &values[*variable] {
                    Value::BitVec(value, _) => value.bit(u64::from(*position)),
                    Value::Int(value) => value.bit(u64::from(*position)),
                    value => *value == Value::Bool(true),
                },
                Content::Symbol(..) => false,
            };
            for cube in found.invariant.iter().flatten() {
                let is_in = cube.iter().all(|b| bit(b.latch()) == b.value());
                assert!(!is_in, "seed {seed}: {cube:?}");
            }
        }
        // No shortest run has more steps than there are states.
        let mut unrolling = Unrolling::new(&system, &graph, &searching, &control);
        let mut open: BTreeSet<LocationId> = graph.errors().collect();
        for _ in 0..=states.len().min(40) {
            unrolling.extend();
            while let Asked::Reached(error, run) = unrolling.ask(&open) {
                assert!(expected.contains(&error), "BMC, seed {seed}");
                if stepping == Stepping::Statements {
                    let shortest = states
                        .iter()
                        .filter(|((location, _), _)| *location == error)
                        .map(|(_, depth)| *depth)
                        .min();
                    assert_eq!(shortest, Some(run.steps.len()), "seed {seed}");
                }
                replay(&terms, &graph, &run, error);
                open.remove(&error);
            }
            if unrolling.is_over() == Answer::Unsat {
                break;
            }
        }
        assert!(open.is_disjoint(&expected), "BMC, seed {seed}");
        if let Some(abc) = &mut abc {
            abc.add(seed, &system, &graph, !expected.is_empty());
        }
    }
    if let Some(abc) = abc {
        abc.check();
    }
    assert!(
        safe > most / 5 && unsafe_ > most / 5,
        "{safe} safe, {unsafe_} unsafe"
    );
}

#[test]
fn a_search_that_is_stopped_says_what_is_open() {
    let terms = Terms::new();
    let graph = random(&terms, 0);
    let control = Control::unlimited();
    let settings = settings(Stepping::Loops, Counter::Binary);
    let system = System::new(&terms, &graph, settings.clone(), &control).expect("a circuit");
    control.stop(ult_core::control::Stop::Timeout);
    let bounded = bmc::search(
        &system,
        &graph,
        &bmc::Settings::default(),
        &control,
        |_, _| {},
    );
    assert!(!bounded.is_over && bounded.open.len() == system.bads.len());
    let found = ic3::search(
        &system,
        &graph,
        &ic3::Settings::default(),
        &control,
        |_, _| {},
    );
    assert!(found.invariant.is_none() && found.open.len() == system.bads.len());
    let stopped = System::new(&terms, &graph, settings, &control).err();
    assert_eq!(stopped, Some(ult_core::reason::Reason::Timeout));
}

/// What a search says about each error location: in how many steps of the circuit it is reached.
fn lengths(
    terms: &Terms,
    graph: &ProgramGraph,
    system: &System,
    settings: &bmc::Settings,
    steps: usize,
) -> BTreeMap<LocationId, usize> {
    let control = Control::unlimited();
    let mut unrolling = Unrolling::new(system, graph, settings, &control);
    let mut open: BTreeSet<LocationId> = graph.errors().collect();
    let mut found = BTreeMap::new();
    while unrolling.depth() < steps && !open.is_empty() {
        match settings.schedule {
            Schedule::BothEnds => unrolling.extend_either(),
            Schedule::EachDepth => unrolling.extend(),
            Schedule::Exponential => (0..unrolling.depth().max(1)).for_each(|_| unrolling.extend()),
        }
        while let Asked::Reached(error, run) = unrolling.ask(&open) {
            replay(terms, graph, &run, error);
            open.remove(&error);
            found.insert(error, unrolling.depth());
        }
    }
    found
}

#[test]
fn all_combinations_of_hints_find_the_same_runs_in_as_many_steps() {
    let mut reached = 0;
    for seed in 500..530 {
        let terms = Terms::new();
        let graph = random(&terms, seed);
        let control = Control::unlimited();
        for counter in COUNTERS {
            let settings = settings(STEPPINGS[seed as usize % 3], counter);
            let system = System::new(&terms, &graph, settings, &control).expect("a circuit");
            let plain = bmc::Settings {
                pruned: false,
                ..bmc::Settings::default()
            };
            let expected = lengths(&terms, &graph, &system, &plain, 16);
            reached += expected.len();
            for (number, &solver) in (0..18).flat_map(|n| Choice::ALL.iter().map(move |c| (n, c))) {
                for pruned in [false, true] {
                    for schedule in [Schedule::EachDepth, Schedule::BothEnds] {
                        let settings = bmc::Settings {
                            solver,
                            schedule,
                            pruned,
                            most: None,
                            hints: hints(number),
                        };
                        let found = lengths(&terms, &graph, &system, &settings, 16);
                        assert_eq!(found, expected, "seed {seed}, {settings:?}");
                    }
                }
            }
            let exponential = bmc::Settings {
                schedule: Schedule::Exponential,
                ..bmc::Settings::default()
            };
            let found = lengths(&terms, &graph, &system, &exponential, 16);
            assert!(found.keys().eq(expected.keys()), "seed {seed}");
        }
    }
    assert!(reached > 20, "{reached}");
}

#[test]
fn whole_searches_agree_in_every_order() {
    for seed in 530..560 {
        let terms = Terms::new();
        let graph = random(&terms, seed);
        let expected = reached(&graph, &reachable(&terms, &graph));
        let control = Control::unlimited();
        let settings = settings(Stepping::Blocks, Counter::Binary);
        let system = System::new(&terms, &graph, settings, &control).expect("a circuit");
        for schedule in [
            Schedule::EachDepth,
            Schedule::BothEnds,
            Schedule::Exponential,
        ] {
            // Where runs go on for ever, no search but one that is stopped ends.
            let control = Control::unlimited();
            let settings = bmc::Settings {
                schedule,
                ..bmc::Settings::default()
            };
            let told = |depth, _| {
                if depth > 20 {
                    control.stop(ult_core::control::Stop::Timeout);
                }
            };
            let found = bmc::search(&system, &graph, &settings, &control, told);
            let runs: BTreeSet<LocationId> = found.runs.keys().copied().collect();
            assert_eq!(runs, expected, "seed {seed}, {schedule:?}");
        }
    }
}

/// Which step is taken is decided: no state and no inputs lead to two places. (One-hot bits say so
/// only of states in which one of them is set.)
#[test]
fn the_ways_of_a_step_exclude_each_other() {
    let mut pairs = 0;
    for seed in 600..630 {
        let terms = Terms::new();
        let graph = random(&terms, seed);
        let control = Control::unlimited();
        let settings = settings(STEPPINGS[seed as usize % 3], Counter::Binary);
        let system = System::new(&terms, &graph, settings, &control).expect("a circuit");
        let mut circuit = Circuit::new(Choice::default().solver(&control));
        let ends: Vec<_> = (system.next_at.iter().copied())
            .chain(system.bads.iter().map(|bad| bad.lit))
            .map(|lit| circuit.lit(&system.aig, lit))
            .collect();
        for (number, &end) in ends.iter().enumerate() {
            for &other in &ends[..number] {
                assert_eq!(circuit.solve(&[end, other]), Answer::Unsat, "seed {seed}");
                pairs += 1;
            }
        }
    }
    assert!(pairs > 300, "{pairs}");
}
