//! Linear forms that loops leave as they are.
//!
//! A loop that adds 1 to `x` and 2 to `y` never changes `2 * x - y`. Whatever bounds that has where the loop begins, it
//! keeps; and they are often what relates the variables of a loop to each other, where the start is not one point and so
//! there is no equation ([`affine`](super::affine)). The differences that the steps of a loop make span a linear space;
//! the forms are those that are zero on it. As in symbolic abstraction, the space grows by a model at a time, until the
//! solver says that no step leads out of it (Müller-Olm, Seidl: "A Note on Karr's Algorithm", ICALP 2004, for the space of
//! steps in place of states).

use indexmap::IndexSet;
use num_rational::BigRational;
use num_traits::Zero as _;
use petgraph::visit::EdgeRef as _;
use ult_core::formula::{Sort, Term};
use ult_core::graph::EdgeId;
use ult_smt::Answer;

use super::affine::Space;
use super::intervals::number;
use super::templates::read_variables;
use super::time_for_question;
use crate::blocks::Blocks;
use crate::budget::Budget;

/// With more variables than this of one sort, forms over all of them are not worth their time.
const MOST_VARIABLES: usize = 16;

/// So many forms are watched at most.
const MOST_FORMS: usize = 32;

/// Forms over at least two variables that no step of some loop changes, as far as the time goes: of each two variables,
/// and of all of them. Only loops of one edge are looked at.
pub(super) fn steady(blocks: &mut Blocks<'_, '_>, budget: Budget) -> Vec<Term> {
    let terms = blocks.session.terms();
    let graph = blocks.graph;
    let mut found: IndexSet<Term> = IndexSet::new();
    let edges = graph.graph.edge_references();
    let loops = edges.filter(|edge| edge.source() == edge.target());
    let loops: Vec<EdgeId> = loops.map(|edge| edge.id()).collect();
    for sort in [Sort::Int, Sort::Real] {
        let mut variables = read_variables(terms, graph);
        variables.retain(|&variable| *terms.sort(variable) == sort);
        if !(2..=MOST_VARIABLES).contains(&variables.len()) {
            continue;
        }
        for &edge in &loops {
            let Some(steps) = differences(blocks, edge, &variables, budget) else {
                continue;
            };
            for first in 0..variables.len() {
                for second in first + 1..variables.len() {
                    found.extend(spanned(&variables, &steps, &[first, second]).forms(terms));
                }
            }
            let all: Vec<usize> = (0..variables.len()).collect();
            found.extend(spanned(&variables, &steps, &all).forms(terms));
        }
    }
    found.retain(|&form| terms.free_vars(&[form]).len() > 1);
    found.into_iter().take(MOST_FORMS).collect()
}

/// The linear space that differences span in some of the variables.
fn spanned(variables: &[Term], steps: &[Vec<BigRational>], which: &[usize]) -> Space {
    let mut space = Space::new(which.iter().map(|&i| variables[i]).collect());
    space.add(&vec![BigRational::zero(); which.len()]);
    for step in steps {
        let part: Vec<BigRational> = which.iter().map(|&i| step[i].clone()).collect();
        space.add(&part);
    }
    space
}

/// Differences made by an edge that span all those that it makes. `None` if the time was over, or the solver gave up.
fn differences(
    blocks: &mut Blocks<'_, '_>,
    edge: EdgeId,
    variables: &[Term],
    budget: Budget,
) -> Option<Vec<Vec<BigRational>>> {
    let terms = blocks.session.terms();
    let all: Vec<usize> = (0..variables.len()).collect();
    let mut steps: Vec<Vec<BigRational>> = Vec::new();
    // Each model adds a dimension.
    while steps.len() <= variables.len() {
        blocks.session.control().check().ok()?;
        let left = time_for_question(budget)?;
        let kept = spanned(variables, &steps, &all).forms(terms).into_iter();
        let kept = kept.map(|form| terms.eq(blocks.after(edge, form), form));
        let kept = terms.and(kept);
        let ends = variables.iter().map(|&v| (v, blocks.after(edge, v)));
        let ends: Vec<(Term, Term)> = ends.collect();
        let solver = blocks.solver(edge)?;
        match solver.check(&[terms.not(kept)], Some(left)) {
            Answer::Unsat => return Some(steps),
            Answer::Unknown(_) => return None,
            Answer::Sat => {}
        }
        let model = solver.model().ok()?;
        let value = |term: Term| number(&model.value(term).ok()?);
        let difference = |(before, after)| Some(value(after)? - value(before)?);
        steps.push(ends.into_iter().map(difference).collect::<Option<_>>()?);
    }
    None
}
