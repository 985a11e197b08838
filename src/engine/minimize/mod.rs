//! A proof in few words.
//!
//! What an engine proves with need not be what a person would write: slicing says a disjunction with a case for each node,
//! explicit values are a list of states. So when a proof is to be shown, another one is looked for that consists of short
//! formulas: what the proof itself says, conjunct by conjunct; bounds of variables by numbers of the program; comparisons
//! of two variables; equalities that hold in sampled runs, with products too; and what holds where a truth value is true, or a
//! variable has one of its few values; and what is asserted, with one variable in another's place (Furia, Meyer: "Inferring Loop
//! Invariants Using Postconditions", 2010). Runs discard most of them, the largest inductive subset is found as in Houdini
//! (Flanagan, Leino, FME 2001), and if it excludes the same error locations, what the proof does without is taken out
//! (Ivrii, Gurfinkel, Belov: "Small Inductive Safe Invariants", FMCAD 2014), what is long or weak first.
//!
//! It is a claim about the graph like any other; whoever shows it has the checker confirm it before.

mod literals;
mod relaxed;
mod subset;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::blocks::Blocks;
use crate::budget::Budget;
use crate::execute::{Points, samples};
use crate::facts::{Facts, enter};
use crate::invariants::Lemmas;
use crate::invariants::candidates::houdini;
use crate::invariants::templates::read_variables;
use crate::limits;
use crate::polynomials;
use crate::task::{Task, original_locations};
use literals::Literals;
use subset::Steps;
use ult_core::control::Control;
use ult_core::formula::{Sort, Term, Terms};
use ult_core::graph::evidence::Invariants;
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::stats::Statistics;
use ult_reduce::{ReduceOptions, Reduced, reduce};
use ult_smt::Session;

/// Conjuncts of the proof that are larger than this are no short formulas.
const LARGEST: usize = 40;

/// Nobody writes down larger equalities.
const LARGEST_EQUALITY: usize = 16;

/// More than two conditions on which something holds are not tried.
const MOST_CONDITIONS: usize = 2;

/// Another proof that excludes what the given one does, made of short formulas. `None` if none was found in the time
/// for it. The formulas of the given one may be equivalent to those that were confirmed.
pub fn minimize(
    terms: &Terms,
    graph: &ProgramGraph,
    found: &Invariants,
    control: &Control,
    stats: &mut Statistics,
) -> Option<Invariants> {
    if graph.has_premises() {
        return None;
    }
    let control = &control.within(Some(limits::MINIMIZE_WALL));
    let mut asked = graph.clone();
    for &error in &found.exempt {
        asked.graph[error].error = None;
    }
    let options = ReduceOptions {
        // What is put in place of constants would come back as formulas.
        constants: false,
        ..ReduceOptions::default()
    };
    let reduced = reduce(terms, &asked, &options);
    // What is shown is the same on each machine.
    let session = Session::new(terms, &asked.axioms, control)
        .without_nlsat()
        .by_steps();
    let (places, facts) = (original_locations(&reduced), Facts::default());
    let task = Task {
        terms,
        graph: &reduced.graph,
        original: &asked,
        places: &places,
        control,
        facts: &facts,
    };
    let mut search = Search {
        task: &task,
        found,
        blocks: Blocks::new(&session, &reduced.graph),
        budget: Budget::of(&session, limits::MINIMIZE),
        proved: Lemmas::new(),
    };
    let at = search.run(stats);
    drop(search);
    session.take_calls(stats);
    Some(taken_back(terms, &reduced, at?, found))
}

/// The formulas as a claim about the graph before the reductions.
fn taken_back(terms: &Terms, reduced: &Reduced, mut at: Lemmas, found: &Invariants) -> Invariants {
    let graph = &reduced.graph;
    let inner = inner(graph).map(|location| {
        let formulas = at.remove(&location).unwrap_or_default();
        (location, terms.and(formulas))
    });
    let claim = Invariants {
        at: inner.collect(),
        ..Invariants::default()
    };
    Invariants {
        exempt: found.exempt.clone(),
        ..reduced.back.invariants(terms, &claim)
    }
}

/// The locations at which something can be said.
fn inner(graph: &ProgramGraph) -> impl Iterator<Item = LocationId> {
    let all = graph.graph.node_indices();
    all.filter(|&location| location != graph.initial && graph.graph[location].error.is_none())
}

struct Search<'a, 's, 't> {
    task: &'a Task<'a>,
    found: &'a Invariants,
    blocks: Blocks<'s, 't>,
    budget: Budget<'s>,
    /// What is inductive together.
    proved: Lemmas,
}

impl Search<'_, '_, '_> {
    /// Few formulas that are inductive together and exclude the error locations. What the proof itself says is looked at only
    /// where nothing was found without it: it may be long, and another one each time.
    fn run(&mut self, stats: &mut Statistics) -> Option<Lemmas> {
        let terms = self.task.terms;
        let mut variables = read_variables(terms, self.task.graph);
        variables.retain(|&var| matches!(terms.sort(var), Sort::Int | Sort::Bool));
        let points = self.points(&variables, stats);
        let plain = self.attempt(Lemmas::new(), &variables, &points, stats);
        plain.or_else(|| {
            self.budget = Budget::of(self.blocks.session, limits::MINIMIZE);
            self.proved = Lemmas::new();
            self.attempt(self.own(), &variables, &points, stats)
        })
    }

    /// The same with what is guessed, and some formulas besides.
    fn attempt(
        &mut self,
        mut own: Lemmas,
        variables: &[Term],
        points: &BTreeMap<LocationId, Points>,
        stats: &mut Statistics,
    ) -> Option<Lemmas> {
        let (terms, graph) = (self.task.terms, self.task.graph);
        let literals: BTreeMap<LocationId, Literals> = inner(graph)
            .map(|location| {
                let place = self.task.places.get(&location);
                let points = place.and_then(|place| points.get(place));
                let parts = own.get(&location).map_or(&[][..], |all| all);
                let all = Literals::new(terms, graph, variables, points, parts);
                (location, all)
            })
            .collect();
        let rank = |term: Term| literals::rank(terms, term);
        let mut guesses = polynomials::guesses(self.task, stats);
        for formulas in guesses.values_mut() {
            formulas.retain(|&formula| terms.size(formula) <= LARGEST_EQUALITY);
        }
        enter(&mut own, guesses);
        let asserted = relaxed::assertions(terms, self.task.original, variables);
        enter(
            &mut own,
            inner(graph)
                .map(|location| (location, asserted.clone()))
                .collect(),
        );
        let mut waiting = Lemmas::new();
        for conditions in 0..=MOST_CONDITIONS {
            for (&location, literals) in &literals {
                let more = literals.clauses(terms, conditions);
                waiting.entry(location).or_default().extend(more);
            }
            // What does not hold by itself may hold together with what has more conditions.
            self.grow(&waiting)?;
            for (location, all) in &mut waiting {
                let proved = self.proved.get(location);
                all.retain(|formula| !proved.is_some_and(|proved| proved.contains(formula)));
            }
            let mut steps = Steps::new(&mut self.blocks, self.budget, &rank);
            if conditions == 0 {
                // The solver may not know about some of these.
                let more = steps.inductive(&self.proved, &own);
                enter(&mut self.proved, more);
            }
            if let Some(used) = steps.excluding(&self.proved) {
                let enough = steps.closure(&self.proved, used)?;
                return Some(steps.smallest(enough));
            }
        }
        None
    }

    /// Values of variables at locations of the graph before the reductions, in some runs.
    fn points(&self, variables: &[Term], stats: &mut Statistics) -> BTreeMap<LocationId, Points> {
        let terms = self.task.terms;
        let name = |&var: &Term| terms.as_var(var).map(|var| var.name.clone());
        let names: Vec<Arc<str>> = variables.iter().filter_map(name).collect();
        let places: BTreeSet<LocationId> = inner(self.task.graph)
            .filter_map(|location| self.task.places.get(&location).copied())
            .collect();
        let wanted = places.into_iter().map(|place| (place, names.clone()));
        samples(self.task, &wanted.collect(), stats)
    }

    /// What the proof itself says.
    fn own(&self) -> Lemmas {
        let terms = self.task.terms;
        let conjuncts = |location: LocationId| {
            let formula = *self.found.at.get(self.task.places.get(&location)?)?;
            let mut parts = terms.conjuncts(formula);
            parts.retain(|&part| part != terms.tt() && terms.size(part) <= LARGEST);
            Some((location, parts))
        };
        inner(self.task.graph).filter_map(conjuncts).collect()
    }

    /// Adds what is inductive of some candidates.
    fn grow(&mut self, candidates: &Lemmas) -> Option<()> {
        if candidates.values().any(|all| !all.is_empty()) {
            let more = houdini(
                &mut self.blocks,
                &self.proved,
                candidates.clone(),
                self.budget,
            )?;
            enter(&mut self.proved, more);
        }
        Some(())
    }
}
