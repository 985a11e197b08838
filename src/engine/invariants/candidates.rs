//! Candidates from the program's text, and the largest inductive subset of them (Houdini).

use std::collections::BTreeMap;

use indexmap::IndexSet;
use num_bigint::BigInt;
use num_rational::BigRational;
use petgraph::visit::EdgeRef as _;

use super::templates::read_variables;
use super::{Lemmas, time_for_question};
use crate::blocks::Blocks;
use crate::budget::Budget;
use ult_core::formula::{Op, Sort, Term, Terms, Value, Version};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_smt::Answer;

/// More candidates than this per location cost more than they bring.
const MOST_CANDIDATES: usize = 400;

/// Those candidates that hold at their location in every run, given `known`. `None` if the
/// time was over first.
pub fn surviving(blocks: &mut Blocks<'_, '_>, known: &Lemmas, budget: Budget) -> Option<Lemmas> {
    let terms = blocks.session.terms();
    let graph = blocks.graph;
    let list = candidates(terms, graph);
    let mut alive = Lemmas::new();
    for location in graph.graph.node_indices() {
        if location != graph.initial && graph.graph[location].error.is_none() {
            alive.insert(location, list.clone());
        }
    }
    houdini(blocks, known, alive, budget)
}

/// The largest subset of the formulas `alive` that is inductive under `known` (Flanagan, Leino:
/// "Houdini, an Annotation Assistant for ESC/Java", FME 2001). `None` if the time was over
/// first or the solver gave up.
pub fn houdini(
    blocks: &mut Blocks<'_, '_>,
    known: &Lemmas,
    mut alive: Lemmas,
    budget: Budget,
) -> Option<Lemmas> {
    let terms = blocks.session.terms();
    let graph = blocks.graph;
    let edges: Vec<(EdgeId, LocationId, LocationId)> = graph
        .graph
        .edge_references()
        .filter(|edge| alive.contains_key(&edge.target()))
        .map(|edge| (edge.id(), edge.source(), edge.target()))
        .collect();
    let mut stable = false;
    while !stable {
        stable = true;
        for &(edge, source, target) in &edges {
            loop {
                let claimed = &alive[&target];
                if claimed.is_empty() {
                    break;
                }
                let left = time_for_question(budget)?;
                let mut assumptions: Vec<Term> = known.get(&source).cloned().unwrap_or_default();
                assumptions.extend(alive.get(&source).into_iter().flatten());
                let after: Vec<Term> = claimed
                    .iter()
                    .map(|&formula| blocks.after(edge, formula))
                    .collect();
                assumptions.push(terms.or(after.iter().map(|&formula| terms.not(formula))));
                let solver = blocks.solver(edge)?;
                match solver.check(&assumptions, Some(left)) {
                    Answer::Unsat => break,
                    Answer::Unknown(_) => return None,
                    Answer::Sat => {}
                }
                let model = solver.model().ok()?;
                let before = claimed.len();
                let kept: Vec<Term> = claimed
                    .iter()
                    .zip(after)
                    .filter(|&(_, after)| matches!(model.value(after), Ok(Value::Bool(true))))
                    .map(|(&formula, _)| formula)
                    .collect();
                if kept.len() == before {
                    // The model is no witness against any of them: give up rather than loop.
                    return None;
                }
                alive.insert(target, kept);
                stable = false;
            }
        }
    }
    Some(alive)
}

/// Bounds of integer and real variables by constants of the program, boolean variables, and the
/// comparisons that the program itself makes between unprimed variables.
fn candidates(terms: &Terms, graph: &ProgramGraph) -> Vec<Term> {
    let formulas: Vec<Term> = graph
        .graph
        .edge_weights()
        .map(|edge| edge.transition.formula)
        .collect();
    let mut found: IndexSet<Term> = IndexSet::new();
    let mut constants: BTreeMap<bool, IndexSet<BigRational>> = BTreeMap::new();
    for number in [0, 1] {
        for real in [false, true] {
            let number = BigRational::from_integer(BigInt::from(number));
            constants.entry(real).or_default().insert(number);
        }
    }
    for term in terms.post_order(&formulas) {
        match terms.op(term) {
            Op::Int(_) | Op::Real(_) => {
                let real = *terms.sort(term) == Sort::Real;
                if let Some(number) = terms.as_number(term) {
                    constants.entry(real).or_default().insert(number);
                }
            }
            Op::Le | Op::Lt | Op::Eq if speaks_of_state(terms, term) => {
                found.insert(term);
                found.insert(terms.not(term));
            }
            _ => {}
        }
    }
    for var in read_variables(terms, graph) {
        let sort = terms.sort(var);
        match sort {
            Sort::Bool => {
                found.insert(var);
                found.insert(terms.not(var));
            }
            Sort::Int | Sort::Real => {
                for constant in &constants[&(*sort == Sort::Real)] {
                    let Some(number) = terms.number(constant.clone(), sort) else {
                        continue;
                    };
                    found.insert(terms.le(number, var));
                    found.insert(terms.le(var, number));
                }
            }
            _ => {}
        }
        if found.len() > MOST_CANDIDATES {
            break;
        }
    }
    found.truncate(MOST_CANDIDATES);
    found.into_iter().collect()
}

/// Whether only unprimed variables and rigid symbols occur, and some variable does.
fn speaks_of_state(terms: &Terms, formula: Term) -> bool {
    let vars = terms.free_vars(&[formula]);
    !vars.is_empty()
        && !terms.has_binder(formula)
        && vars.iter().all(|&v| {
            terms
                .as_var(v)
                .is_some_and(|v| v.version == Version::Current)
        })
}
