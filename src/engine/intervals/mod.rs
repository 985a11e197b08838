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

use std::collections::BTreeMap;
use std::sync::Arc;

use self::demands::Demands;
pub(crate) use self::state::{State, Steps};
use crate::abstract_interpretation::{self, Domain as _, outcome};
use crate::interval::Interval;
use crate::limits;
use crate::task::{Engine, Outcome, Task};
use ult_core::control::Control;
use ult_core::formula::{Term, Terms, Version};
use ult_core::graph::analysis::reverse_postorder;
use ult_core::graph::evidence::Invariants;
use ult_core::graph::{LocationId, ProgramGraph, Transition};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// Intervals of the variables at all locations.
#[derive(Clone, Copy, Debug)]
pub struct Intervals;

impl Engine for Intervals {
    fn run(&self, task: &Task<'_>, _: &mut Statistics) -> Outcome {
        let claim = claim(task.terms, task.original, task.control);
        outcome(task.original, claim, "intervals do not exclude it")
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

type Analysis<'g> = abstract_interpretation::Analysis<'g, Steps<'g>>;

/// The fixpoint.
fn analysed<'g>(
    terms: &'g Terms,
    graph: &'g ProgramGraph,
    control: &'g Control,
) -> Result<Analysis<'g>, Reason> {
    let most_steps = limits::ROUNDS * (graph.graph.edge_count() as u64 + 1000);
    Analysis::of(Steps::new(terms, graph), terms, graph, control, most_steps)
}

impl Analysis<'_> {
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
        let known = || [self.domain.formula(state)];
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
        self.domain.after(state, &fails).is_none()
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
