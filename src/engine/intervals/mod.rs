//! Abstract interpretation with intervals (Cousot, Cousot: "Abstract interpretation: a unified
//! lattice model for static analysis of programs", POPL 1977).
//!
//! It works on the graph as it was before the reductions: small steps, whose effect on intervals is
//! read off their formulas ([`state`]) without a question to the solver. So it is fast, and linear
//! in the size of programs without loops, also where one formula for all of the program is hard.
//! What it claims is as well cut into small parts, one from each location where edges meet to the
//! next, and the checker proves them one by one. It decides what intervals decide, and says nothing
//! about the rest.
//!
//! | file | idea |
//! |---|---|
//! | `state` | the intervals at a location, and what a step makes of them |
//! | `demands` | what assertions need besides, carried back from them |

mod demands;
mod state;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexSet;
use petgraph::visit::EdgeRef as _;

use self::demands::Demands;
use self::state::{State, Steps};
use crate::interval::Interval;
use crate::limits;
use crate::live::Live;
use crate::task::{Claims, Engine, Outcome, Task};
use num_traits::ToPrimitive as _;
use ult_core::control::Control;
use ult_core::formula::{Op, Term, Terms, Version};
use ult_core::graph::analysis::{is_kept, reverse_postorder};
use ult_core::graph::evidence::Invariants;
use ult_core::graph::{EdgeId, LocationId, ProgramGraph, Transition};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// So often the state at a loop head grows as it may, before it is widened.
const PATIENCE: u32 = 3;

/// So often what widening has lost is looked for again.
const NARROWINGS: usize = 2;

/// Intervals of the variables at all locations.
#[derive(Clone, Copy, Debug)]
pub struct Intervals;

impl Engine for Intervals {
    fn run(&self, task: &Task<'_>, _: &mut Statistics) -> Outcome {
        let claim = claim(task.terms, task.original, task.control);
        let (invariants, reason) = match claim {
            Ok(claim) => (
                Some(claim),
                Reason::Incomplete("intervals do not exclude it".into()),
            ),
            Err(reason) => (None, reason),
        };
        let is_excluded = |error| {
            let claim = invariants.as_ref();
            claim.is_some_and(|claim| !claim.exempt.contains(&error))
        };
        let open = task.original.errors().filter(|&error| !is_excluded(error));
        let undecided = open.map(|error| (error, reason.clone())).collect();
        Outcome {
            original: Claims {
                invariants,
                undecided,
                ..Claims::default()
            },
            ..Outcome::default()
        }
    }
}

/// The intervals of a graph's variables, and what assertions demand besides, as a claim. Error locations that are not
/// excluded are exempt.
///
/// # Errors
/// If it takes too long.
pub fn claim(terms: &Terms, graph: &ProgramGraph, control: &Control) -> Result<Invariants, Reason> {
    analysed(terms, graph, control)?.with_demands(terms)
}

/// The least and the greatest value of variables, by name.
pub(crate) type Ranges = BTreeMap<Arc<str>, (i128, i128)>;

/// Within which numbers the integers of a graph stay wherever they matter, and the claim that they do.
/// Variables that have no such bounds are left out.
///
/// # Errors
/// If it takes too long.
pub(crate) fn ranges(
    terms: &Terms,
    graph: &ProgramGraph,
    control: &Control,
) -> Result<(Ranges, Invariants), Reason> {
    let analysis = analysed(terms, graph, control)?;
    let claim = analysis.claim(terms)?;
    Ok((analysis.ranges(), claim))
}

/// Within which numbers the integers of a graph stay at all locations where they matter, and right after steps that
/// change them. Variables that have no such bounds are left out.
///
/// # Errors
/// If it takes too long.
pub(crate) fn ranges_everywhere(
    terms: &Terms,
    graph: &ProgramGraph,
    control: &Control,
) -> Result<Ranges, Reason> {
    analysed(terms, graph, control)?.ranges_everywhere()
}

/// The fixpoint.
fn analysed<'g>(
    terms: &'g Terms,
    graph: &'g ProgramGraph,
    control: &'g Control,
) -> Result<Analysis<'g>, Reason> {
    let mut analysis = Analysis::new(terms, graph, control);
    analysis.fixpoint()?;
    for _ in 0..NARROWINGS {
        analysis.narrow()?;
    }
    Ok(analysis)
}

/// The analysis of one graph. States are held at some locations only ([`kept`]); between them they
/// are handed on.
struct Analysis<'g> {
    graph: &'g ProgramGraph,
    control: &'g Control,
    steps: Steps<'g>,
    live: Live,
    /// The locations with states of their own, in the order of their places ([`kept`]).
    kept: IndexSet<LocationId>,
    /// The place of each location in a reverse postorder.
    places: BTreeMap<LocationId, usize>,
    heads: BTreeSet<LocationId>,
    landmarks: Vec<i128>,
    states: BTreeMap<LocationId, State>,
    /// How many steps are still taken.
    budget: Cell<u64>,
}

impl<'g> Analysis<'g> {
    fn new(terms: &'g Terms, graph: &'g ProgramGraph, control: &'g Control) -> Analysis<'g> {
        let (order, heads) = reverse_postorder(graph);
        let places: BTreeMap<LocationId, usize> =
            order.iter().enumerate().map(|(n, &l)| (l, n)).collect();
        Analysis {
            graph,
            control,
            steps: Steps::new(terms, graph),
            live: Live::new(terms, graph),
            kept: kept(graph, &order),
            places,
            heads,
            landmarks: landmarks(terms, graph),
            states: BTreeMap::new(),
            budget: Cell::new(limits::ROUNDS * (graph.graph.edge_count() as u64 + 1000)),
        }
    }

    /// All intervals, as a claim.
    fn claim(&self, terms: &Terms) -> Result<Invariants, Reason> {
        let at = self.kept.iter().map(|&location| {
            let state = self.states.get(&location);
            let formula = state.map_or(terms.ff(), |state| self.steps.formula(state));
            (location, formula)
        });
        Ok(Invariants {
            at: at.collect(),
            exempt: self.reached_errors()?,
            ..Invariants::default()
        })
    }

    /// Intervals and demands as a claim. It says something at the heads of loops, and elsewhere where it is short against the
    /// number of steps since it said something, so that it is not the number of variables times that of locations.
    fn with_demands(&self, terms: &Terms) -> Result<Invariants, Reason> {
        let (order, _) = reverse_postorder(self.graph);
        let open = self.reached_errors()?;
        let demands = Demands::new(terms, self, &order, &open);
        let mut steps: BTreeMap<LocationId, usize> = BTreeMap::new();
        let mut at = BTreeMap::new();
        for location in order {
            let before = steps.get(&location).copied().unwrap_or_default();
            let formula = match self.kept.contains(&location) {
                true => self.formula_at(terms, location, &demands, before),
                false => None,
            };
            let here = if formula.is_some() { 0 } else { before };
            at.extend(formula.map(|formula| (location, formula)));
            for target in self.graph.graph.neighbors(location) {
                let most = steps.entry(target).or_default();
                *most = here.saturating_add(1).max(*most);
            }
        }
        let exempt = open.into_iter().filter(|&error| !demands.excludes(error));
        Ok(Invariants {
            at,
            exempt: exempt.collect(),
            ..Invariants::default()
        })
    }

    /// What is claimed at a location so many steps behind the last one where something is; `None` if that is too long.
    fn formula_at(
        &self,
        terms: &Terms,
        location: LocationId,
        demands: &Demands,
        steps: usize,
    ) -> Option<Term> {
        let Some(state) = self.states.get(&location) else {
            return Some(terms.ff());
        };
        let is_cut = self.heads.contains(&location) || location == self.graph.initial;
        let room = match is_cut {
            true => usize::MAX,
            false => (limits::CLAIMED * steps).checked_sub(state.len())?,
        };
        // One more tells that it is too long; there may be very many.
        let demanded = demands.formulas(location).take(room.saturating_add(1));
        let demanded: Vec<Term> = demanded.collect();
        let known = || [self.steps.formula(state)];
        (demanded.len() <= room).then(|| terms.and(known().into_iter().chain(demanded)))
    }

    /// Whether intervals at a location imply a formula.
    fn implies(&self, terms: &Terms, location: LocationId, formula: Term) -> bool {
        let names = terms.names_of(&[formula], Version::Current).into_keys();
        let numbers = names.filter_map(|name| self.graph.variables.get_index_of(&name));
        let state = match self.states.get(&location) {
            Some(state) => state.of(numbers),
            None if self.kept.contains(&location) => return true,
            None => State::default(),
        };
        let fails = Transition::assume(terms.not(formula));
        self.steps.after(state, &fails).is_none()
    }

    /// The variables that have bounds wherever they matter among the kept locations, with all values
    /// in between.
    fn ranges(&self) -> Ranges {
        let mut joined = Joined::new();
        for (&location, state) in &self.states {
            join(&mut joined, state, self.live.at(location).ones());
        }
        self.bounds(joined)
    }

    /// The same at all locations, and after each step for the variables that it changes.
    fn ranges_everywhere(&self) -> Result<Ranges, Reason> {
        let mut joined = Joined::new();
        if let Some(state) = self.states.get(&self.graph.initial) {
            join(&mut joined, state, self.live.at(self.graph.initial).ones());
        }
        for &location in &self.kept {
            let Some(state) = self.states.get(&location).cloned() else {
                continue;
            };
            self.walk(
                location,
                state,
                &mut |edge, target, state| {
                    let changed = self.graph.graph[edge].transition.changed.iter();
                    let changed =
                        changed.filter_map(|name| self.graph.variables.get_index_of(name));
                    join(
                        &mut joined,
                        state,
                        self.live.at(target).ones().chain(changed),
                    );
                },
                &mut |_, _| {},
            )?;
        }
        Ok(self.bounds(joined))
    }

    fn bounds(&self, joined: Joined) -> Ranges {
        let bounds = joined.into_iter().filter_map(|(number, interval)| {
            let (name, _) = self.graph.variables.get_index(number)?;
            Some((name.clone(), (interval.low?, interval.high?)))
        });
        bounds.collect()
    }

    /// Counts a step. It is not time that is counted, so that the answer is always the same.
    fn count(&self) -> Result<(), Reason> {
        let left = self.budget.get();
        if left == 0 {
            return Err(Reason::Incomplete("intervals take too many steps".into()));
        }
        self.budget.set(left - 1);
        match left % 128 {
            0 => self.control.check().map_err(Reason::from),
            _ => Ok(()),
        }
    }

    /// Lets states grow until no step leads out of them.
    fn fixpoint(&mut self) -> Result<(), Reason> {
        let initial = self.graph.initial;
        self.states.insert(initial, State::default());
        let mut waiting = BTreeSet::from([(self.places[&initial], initial)]);
        let mut grown: BTreeMap<LocationId, u32> = BTreeMap::new();
        while let Some((_, location)) = waiting.pop_first() {
            let Some(state) = self.states.get(&location).cloned() else {
                continue;
            };
            let mut arrived = Vec::new();
            self.walk(location, state, &mut |_, _, _| {}, &mut |target, state| {
                arrived.push((target, state))
            })?;
            for (target, state) in arrived {
                let is_new = match self.states.get_mut(&target) {
                    None => {
                        self.states.insert(target, state);
                        true
                    }
                    Some(known) => {
                        let times = grown.entry(target).or_default();
                        let widens = self.heads.contains(&target) && *times >= PATIENCE;
                        let landmarks = widens.then_some(&*self.landmarks);
                        let changed = known.include(&state, landmarks);
                        *times += u32::from(changed);
                        changed
                    }
                };
                if is_new {
                    waiting.insert((self.places[&target], target));
                }
            }
        }
        Ok(())
    }

    /// Takes all steps once more: what comes out is no larger, and still no step leads out of it.
    fn narrow(&mut self) -> Result<(), Reason> {
        let mut smaller: BTreeMap<LocationId, State> = BTreeMap::new();
        smaller.insert(self.graph.initial, State::default());
        for &location in &self.kept {
            let Some(state) = self.states.get(&location).cloned() else {
                continue;
            };
            self.walk(
                location,
                state,
                &mut |_, _, _| {},
                &mut |target, state| match smaller.get_mut(&target) {
                    None => {
                        smaller.insert(target, state);
                    }
                    Some(known) => {
                        known.include(&state, None);
                    }
                },
            )?;
        }
        self.states = smaller;
        Ok(())
    }

    /// The error locations that some step leads to.
    fn reached_errors(&self) -> Result<BTreeSet<LocationId>, Reason> {
        let mut reached = BTreeSet::new();
        if self.graph.graph[self.graph.initial].error.is_some() {
            reached.insert(self.graph.initial);
        }
        for &location in &self.kept {
            if let Some(state) = self.states.get(&location).cloned() {
                self.walk(location, state, &mut |_, _, _| {}, &mut |target, _| {
                    reached.insert(target);
                })?;
            }
        }
        reached.retain(|&location| self.graph.graph[location].error.is_some());
        Ok(reached)
    }

    /// Takes all steps from a kept location up to the next kept locations, and hands over what is
    /// known there. Runs end in error locations.
    fn walk(
        &self,
        from: LocationId,
        state: State,
        on_the_way: OnTheWay<'_>,
        arrive: &mut dyn FnMut(LocationId, State),
    ) -> Result<(), Reason> {
        if self.graph.graph[from].error.is_some() {
            return Ok(());
        }
        let mut work = vec![(from, state)];
        while let Some((location, state)) = work.pop() {
            let mut edges = self.graph.graph.edges(location).peekable();
            let mut state = Some(state);
            while let Some(edge) = edges.next() {
                let before = match edges.peek() {
                    Some(_) => state.clone(),
                    None => state.take(),
                };
                let Some(before) = before else { break };
                self.count()?;
                let Some(mut after) = self.steps.after(before, &edge.weight().transition) else {
                    continue;
                };
                let target = edge.target();
                on_the_way(edge.id(), target, &after);
                if self.graph.graph[target].error.is_some() {
                    // Nothing matters there: there would be much to forget.
                    after = State::default();
                } else {
                    for number in self.live.dying(edge.id(), location, target) {
                        after.forget(number);
                    }
                }
                match self.kept.contains(&target) {
                    true => arrive(target, after),
                    false => work.push((target, after)),
                }
            }
        }
        Ok(())
    }
}

/// The locations with states of their own among those in `order`, a reverse postorder: those where edges meet, and every
/// [`limits::STRAIGHT`] steps in between, so that no part of the claim is large.
fn kept(graph: &ProgramGraph, order: &[LocationId]) -> IndexSet<LocationId> {
    let mut steps: BTreeMap<LocationId, u32> = BTreeMap::new();
    let mut kept = IndexSet::new();
    for &location in order {
        let before = steps.get(&location).copied().unwrap_or_default();
        let here = match is_kept(graph, location) || before >= limits::STRAIGHT {
            true => {
                kept.insert(location);
                0
            }
            false => before,
        };
        for target in graph.graph.neighbors(location) {
            steps.insert(target, here + 1);
        }
    }
    kept
}

/// Intervals by the numbers of variables.
type Joined = BTreeMap<usize, Interval>;

/// Adds what a state says of some variables.
fn join(joined: &mut Joined, state: &State, variables: impl Iterator<Item = usize>) {
    for number in variables {
        // There are fewer variables than that.
        let interval = state.get(number as u32);
        let known = joined.entry(number).or_insert(interval);
        *known = known.join(interval);
    }
}

/// What a walk does at each step: with the edge, where it leads, and what is known there.
type OnTheWay<'a> = &'a mut dyn FnMut(EdgeId, LocationId, &State);

/// The numbers that the program mentions, with their neighbours.
fn landmarks(terms: &Terms, graph: &ProgramGraph) -> Vec<i128> {
    let formulas: Vec<Term> = graph
        .graph
        .edge_weights()
        .map(|edge| edge.transition.formula)
        .collect();
    let mut landmarks: BTreeSet<i128> = BTreeSet::from([0, 1]);
    for term in terms.post_order(&formulas) {
        if let Op::Int(value) = terms.op(term)
            && let Some(value) = value.to_i128()
        {
            landmarks.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
        }
    }
    // With very many of them, a bound would move very often.
    match landmarks.len() > limits::LANDMARKS {
        true => vec![0],
        false => landmarks.into_iter().collect(),
    }
}
