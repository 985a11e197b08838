//! A second look at a graph whose loops go through phases: an engine around an engine.
//!
//! A loop such as `while (x < 100) { if (x < 50) {..} else {..} }` has no simple invariant, but
//! each of its phases has one. Here the locations on cycles are split beforehand by comparisons
//! that their outgoing edges make (control-flow refinement), so that the auxiliary invariants are
//! found phase by phase. The result is a program graph like any other, and the engine within does
//! not know that there is one around it: its search pauses after some refinements, and goes on if
//! the second look did not decide everything.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use petgraph::algo::has_path_connecting;
use petgraph::visit::EdgeRef as _;

use crate::facts::Facts;
use crate::invariants::Auxiliary;
use crate::limits;
use crate::record::{SplitGraph, Step};
use crate::refining::{Advance, Refining, without_pause};
use crate::task::{Engine, NOWHERE, Outcome, Task};
use ult_core::formula::{Op, Term, Terms, Version};
use ult_core::graph::evidence::Invariants;
use ult_core::graph::{Edge, EdgeId, LocationId, ProgramGraph, Transition};
use ult_core::stats::Statistics;
use ult_smt::Session;

/// So many refinements are made before a graph gets a second look.
pub const PATIENCE: u64 = 12;

/// An engine that refines, with a second look: after [`PATIENCE`] refinements, within a fifth of
/// the time left, it is asked about the graph with its loops split into phases. If that decides
/// everything, it is the outcome; else the search goes on where it was.
///
/// What the second look is after are auxiliary invariants of the phases, so an engine without any
/// gets none.
#[derive(Clone, Copy, Debug, Default)]
pub struct SecondLook<E>(pub E);

impl<E: Refining> Engine for SecondLook<E> {
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        let SecondLook(engine) = self;
        if engine.auxiliary() == Auxiliary::None {
            return without_pause(engine, task, stats);
        }
        let session = Session::new(task.terms, &task.graph.axioms, task.control);
        let mut search = engine.begin(task, &session, stats);
        let mut end = search.go_on(Some(PATIENCE), stats);
        if let Ok(Advance::OutOfPatience) = end {
            let second = second_look(engine, task, stats);
            let decided = second.is_some();
            search.note(Step::SecondLook { decided });
            if let Some(mut outcome) = second {
                session.take_calls(stats);
                outcome.records.splice(0..0, search.abandon(stats));
                return outcome;
            }
            end = search.go_on(None, stats);
        }
        let outcome = search.finish(end, stats);
        session.take_calls(stats);
        outcome
    }
}

/// What the engine finds out about the graph with its loops split into phases, if that is
/// everything. `None` as well if there is nothing to split.
fn second_look(engine: &dyn Refining, task: &Task<'_>, stats: &mut Statistics) -> Option<Outcome> {
    let phases = Phases::of(task.terms, task.graph)?;
    let share = task
        .control
        .remaining()
        .map_or(limits::SECOND_LOOK, |left| {
            (left / 5).min(limits::SECOND_LOOK)
        });
    let split = Task {
        graph: &phases.graph,
        places: NOWHERE,
        control: &task.control.within(Some(share)),
        facts: &Facts::default(),
        ..*task
    };
    let outcome = without_pause(engine, &split, stats);
    let decided = outcome.undecided.is_empty();
    decided.then(|| phases.taken_back(task.terms, outcome))
}

/// A location is split by this many comparisons at most.
const MOST_GUARDS: usize = 2;

/// A graph with split locations, and where its parts come from.
struct Phases {
    /// The graph.
    graph: ProgramGraph,
    /// The location and the phase (a state formula) that a location stands for.
    locations: BTreeMap<LocationId, (LocationId, Term)>,
    /// The edge that an edge is a part of.
    edges: BTreeMap<EdgeId, EdgeId>,
}

impl Phases {
    /// Splits the locations on cycles; `None` if there is nothing to split by.
    fn of(terms: &Terms, graph: &ProgramGraph) -> Option<Phases> {
        let mut split = graph.without_locations();
        let mut locations = BTreeMap::new();
        let mut copies: BTreeMap<LocationId, Vec<LocationId>> = BTreeMap::new();
        for location in graph.graph.node_indices() {
            for (number, phase) in phases(terms, graph, location).into_iter().enumerate() {
                let mut node = graph.graph[location].clone();
                if number > 0 {
                    node.name = format!("{}/{number}", node.name).into();
                }
                let copy = split.graph.add_node(node);
                locations.insert(copy, (location, phase));
                copies.entry(location).or_default().push(copy);
            }
        }
        if locations.len() == graph.graph.node_count() {
            return None;
        }
        split.initial = copies[&graph.initial][0];
        let mut edges = BTreeMap::new();
        for edge in graph.graph.edge_references() {
            let Edge {
                transition, origin, ..
            } = edge.weight();
            for &source in &copies[&edge.source()] {
                for &target in &copies[&edge.target()] {
                    let after = transition.after(terms, locations[&target].1);
                    let formula = terms.and([locations[&source].1, after, transition.formula]);
                    let transition = Transition {
                        formula,
                        changed: transition.changed.clone(),
                    };
                    let origin = *origin;
                    let part = split
                        .graph
                        .add_edge(source, target, Edge::new(transition, origin));
                    edges.insert(part, edge.id());
                }
            }
        }
        Some(Phases {
            graph: split,
            locations,
            edges,
        })
    }

    /// What was found out about the split graph, said about the graph before.
    fn taken_back(&self, terms: &Terms, mut outcome: Outcome) -> Outcome {
        for record in &mut outcome.records {
            let locations = self.locations.iter();
            record.phases = Some(SplitGraph {
                graph: self.graph.clone(),
                locations: locations
                    .map(|(&part, &(whole, _))| (part, whole))
                    .collect(),
                edges: self.edges.clone(),
            });
        }
        let location = |location: &LocationId| self.locations[location].0;
        let invariants = outcome.invariants.map(|found| {
            let mut at: BTreeMap<LocationId, Term> = BTreeMap::new();
            for (copy, formula) in found.at {
                let (location, phase) = self.locations[&copy];
                let here = terms.and2(phase, formula);
                let before = at.get(&location).copied().unwrap_or(terms.ff());
                at.insert(location, terms.or2(before, here));
            }
            Invariants {
                at,
                exempt: found.exempt.iter().map(location).collect(),
                ..Invariants::default()
            }
        });
        let mut runs = BTreeMap::new();
        for (error, mut run) in outcome.runs {
            for step in &mut run.steps {
                step.edge = self.edges[&step.edge];
            }
            runs.insert(location(&error), run);
        }
        Outcome {
            runs,
            invariants,
            records: outcome.records,
            original: outcome.original,
            undecided: outcome
                .undecided
                .into_iter()
                .map(|(error, reason)| (location(&error), reason))
                .collect(),
        }
    }
}

/// The phases of a location: `true` alone, or all combinations of the comparisons that edges from
/// it to itself make and the negations of them.
fn phases(terms: &Terms, graph: &ProgramGraph, location: LocationId) -> Vec<Term> {
    let mut all = vec![terms.tt()];
    if location == graph.initial {
        return all;
    }
    // Only what decides how a cycle goes on: conditions for leaving it make no phases.
    let formulas: Vec<Term> = graph
        .graph
        .edges(location)
        .filter(|edge| has_path_connecting(&graph.graph, edge.target(), location, None))
        .map(|edge| edge.weight().transition.formula)
        .collect();
    let mut guards: IndexSet<Term> = IndexSet::new();
    for term in terms.post_order(&formulas) {
        if matches!(terms.op(term), Op::Le | Op::Lt) {
            let vars = terms.free_vars(&[term]);
            let of_state = |v: &Term| {
                terms
                    .as_var(*v)
                    .is_some_and(|v| v.version == Version::Current)
            };
            let guard = terms.normalised(term);
            if !vars.is_empty()
                && vars.iter().all(of_state)
                && !terms.has_binder(term)
                && !guards.contains(&terms.normalised(terms.not(guard)))
            {
                guards.insert(guard);
            }
        }
    }
    for guard in guards.into_iter().take(MOST_GUARDS) {
        all = all
            .into_iter()
            .flat_map(|phase| [guard, terms.not(guard)].map(|half| terms.and2(phase, half)))
            .collect();
    }
    all
}
