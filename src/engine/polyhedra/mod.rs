//! Abstract interpretation with convex polyhedra (Cousot, Halbwachs: "Automatic discovery of linear restraints among variables of
//! a program", POPL 1978): linear equations and inequalities between a few variables each.
//!
//! It is for what programs do with indices and sizes: `i <= n`, and the size of an object is `4 * n`. Like the engine with
//! intervals, it works on the graph as it was before the reductions, without a question to the solver.
//!
//! | file | idea |
//! |---|---|
//! | `cone` | generators from constraints and back |
//! | `polyhedron` | meet, join, assignment, projection, widening |
//! | `state` | the polyhedra and intervals at a location |
//! | `steps` | what a step makes of them |
//! | `bounds` | what a comparison says of one variable |
//! | `cells_of_maps` | what maps hold at variables, as variables |
//! | `prefixes` | how far maps are true, as variables |
//! | `zeros` | where maps hold zero, as variables |

mod bounds;
mod cells_of_maps;
mod cone;
mod polyhedron;
mod prefixes;
mod state;
mod steps;
#[cfg(test)]
mod tests;
mod zeros;

use std::sync::Arc;

use petgraph::algo::is_cyclic_directed;

use self::cells_of_maps::with_cells;
use self::prefixes::{WithPrefixes, with_prefixes};
use self::state::State;
use self::steps::Relations;
use self::zeros::{WithZeros, with_zeros};
use crate::abstract_interpretation::{Analysis, Domain as _, outcome};
use crate::limits;
use crate::task::{Engine, Outcome, Task};
use ult_core::control::Control;
use ult_core::formula::{Sort, Term, Terms};
use ult_core::graph::ProgramGraph;
use ult_core::graph::evidence::Invariants;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// Linear relations between variables at all locations.
#[derive(Clone, Copy, Debug)]
pub struct Polyhedra;

impl Engine for Polyhedra {
    fn run(&self, task: &Task<'_>, _: &mut Statistics) -> Outcome {
        let claim = claim(task.terms, task.original, task.control);
        outcome(task.original, claim, "linear relations do not exclude it")
    }
}

/// Whether there is anything to relate, and not too much: integers, and a loop that changes them.
pub(crate) fn suits(graph: &ProgramGraph) -> bool {
    let integers = graph.variables.values().filter(|sort| **sort == Sort::Int);
    integers.count() > 1
        && graph.graph.edge_count() <= limits::POLYHEDRA_EDGES
        && !graph.has_premises()
        && is_cyclic_directed(&graph.graph)
}

/// What holds at the locations of a graph, as a claim. Error locations that are not excluded are exempt.
///
/// # Errors
/// If it takes too long.
fn claim(terms: &Terms, graph: &ProgramGraph, control: &Control) -> Result<Invariants, Reason> {
    let rows = with_cells(terms, graph, |sort| matches!(sort, Sort::Map(_)));
    let zeros = with_zeros(terms, &rows.graph);
    let prefixes = with_prefixes(terms, &zeros.graph);
    let is_plain = |sort: &Sort| matches!(sort, Sort::Int | Sort::Bool);
    let cells = with_cells(terms, &prefixes.graph, is_plain);
    let most_steps = limits::ROUNDS * (graph.graph.edge_count() as u64 + 300);
    let related = [&zeros.related[..], &prefixes.related[..]].concat();
    let domain = Relations::new(terms, &cells.graph, &related);
    let analysis = Analysis::of(domain, terms, &cells.graph, control, most_steps)?;
    let mut claim = analysis.claim(terms)?;
    for (location, formula) in &mut claim.at {
        if let Some(state) = analysis.states.get(location) {
            let about_all = closed(terms, &analysis, state, (&zeros, &prefixes));
            let about_rows = terms.substitute(about_all, &cells.meaning);
            *formula = terms.substitute(about_rows, &rows.meaning);
        }
    }
    Ok(claim)
}

/// What is known in a state, without the variables for zeros and prefixes.
fn closed(
    terms: &Terms,
    analysis: &Analysis<'_, Relations<'_>>,
    state: &State,
    (zeros, prefixes): (&WithZeros, &WithPrefixes),
) -> Term {
    let without = |names: &mut dyn Iterator<Item = &Arc<str>>| {
        let mut state = state.clone();
        for number in names.filter_map(|name| analysis.graph.variables.get_index_of(name)) {
            analysis.domain.forget(&mut state, number);
        }
        analysis.domain.formula(&state)
    };
    let ends = || prefixes.prefixes.values().map(|prefix| &prefix.name);
    let scratch = zeros.scratch.iter();
    let plain = without(&mut ends().chain(scratch.clone()));
    let mut about = vec![zeros.closed(terms, plain)];
    let others = || scratch.clone().chain(zeros.variables());
    for (&map, prefix) in &prefixes.prefixes {
        let other_ends = ends().filter(|name| **name != prefix.name);
        let formula = without(&mut other_ends.chain(others()));
        let comparisons = terms.conjuncts(formula).into_iter();
        about.extend(comparisons.filter_map(|one| prefix.closed(terms, map, one)));
    }
    terms.and(about)
}
