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
//! | `cells_of_maps` | what maps hold at variables, as variables |
//! | `zeros` | where maps hold zero, as variables |

mod cells_of_maps;
mod cone;
mod polyhedron;
mod state;
mod steps;
#[cfg(test)]
mod tests;
mod zeros;

use petgraph::algo::is_cyclic_directed;

use self::cells_of_maps::with_cells;
use self::steps::Relations;
use self::zeros::with_zeros;
use crate::abstract_interpretation::{Analysis, Domain as _, outcome};
use crate::limits;
use crate::task::{Engine, Outcome, Task};
use ult_core::control::Control;
use ult_core::formula::{Sort, Terms};
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
    let zeros = with_zeros(terms, graph);
    let cells = with_cells(terms, &zeros.graph);
    let most_steps = limits::ROUNDS * (graph.graph.edge_count() as u64 + 300);
    let domain = Relations::new(terms, &cells.graph, &zeros.related);
    let mut analysis = Analysis::of(domain, terms, &cells.graph, control, most_steps)?;
    for state in analysis.states.values_mut() {
        for name in &zeros.scratch {
            if let Some(number) = cells.graph.variables.get_index_of(name) {
                analysis.domain.forget(state, number);
            }
        }
    }
    let mut claim = analysis.claim(terms)?;
    for formula in claim.at.values_mut() {
        *formula = zeros.closed(terms, terms.substitute(*formula, &cells.meaning));
    }
    Ok(claim)
}
