//! The fixpoint loop of symbolic abstraction (Reps, Sagiv, Yorsh: "Symbolic Implementation of the
//! Best Transformer", VMCAI 2004), for any domain.
//!
//! Every location starts with the empty element; while some step leads from a state in the element
//! of its source to one outside the element of its target, the target's element is enlarged by
//! that state. In the end the solver has said of every edge that there is no such step, so the
//! elements are inductive whatever the domain does.

use std::collections::BTreeMap;

use petgraph::visit::EdgeRef as _;

use super::{Lemmas, time_for_question};
use crate::blocks::Blocks;
use crate::budget::Budget;
use ult_core::formula::{Term, Terms, Value};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_smt::Answer;

/// An element of an abstract domain: a set of states that grows.
pub trait Domain: Clone {
    /// The state terms whose values make a state a point.
    fn watched_terms(&self) -> Vec<Term>;

    /// Whether no point was added yet.
    fn is_empty(&self) -> bool;

    /// State formulas that hold together exactly in the states of the element; none if these are
    /// all states. Not asked of the empty element.
    fn formulas(&self, terms: &Terms) -> Vec<Term>;

    /// Enlarges the element by a point, and maybe more. `None` if the domain gives up. Every
    /// ascending sequence must become stationary.
    fn add(&mut self, point: &[Value]) -> Option<()>;
}

/// The locations that invariants are looked for at.
pub(super) fn is_inner(graph: &ProgramGraph, location: LocationId) -> bool {
    location != graph.initial && graph.graph[location].error.is_none()
}

/// The edges into inner locations, with their ends.
pub(super) fn inner_edges(graph: &ProgramGraph) -> Vec<(EdgeId, LocationId, LocationId)> {
    let edges = graph.graph.edge_references();
    edges
        .filter(|edge| is_inner(graph, edge.target()))
        .map(|edge| (edge.id(), edge.source(), edge.target()))
        .collect()
}

/// Elements for all inner locations that are inductive under `known`, starting from the empty one.
/// `None` if the time was over, or the solver or the domain gave up.
pub(super) fn fixpoint<D: Domain>(
    blocks: &mut Blocks<'_, '_>,
    known: &Lemmas,
    empty: &D,
    budget: Budget,
) -> Option<BTreeMap<LocationId, D>> {
    let graph = blocks.graph;
    let terms = blocks.session.terms();
    let inner = graph.graph.node_indices().filter(|&l| is_inner(graph, l));
    let mut elements: BTreeMap<LocationId, D> = inner.map(|l| (l, empty.clone())).collect();
    let edges = inner_edges(graph);
    let watched = empty.watched_terms();
    let mut stable = false;
    while !stable {
        stable = true;
        for &(edge, source, target) in &edges {
            loop {
                let left = time_for_question(budget)?;
                blocks.session.control().check().ok()?;
                let mut assumptions = known.get(&source).cloned().unwrap_or_default();
                match elements.get(&source) {
                    Some(element) if element.is_empty() => break,
                    Some(element) => assumptions.extend(element.formulas(terms)),
                    None => {}
                }
                let element = &elements[&target];
                let inside = if element.is_empty() {
                    terms.ff()
                } else {
                    terms.and(element.formulas(terms))
                };
                if inside == terms.tt() {
                    break;
                }
                assumptions.push(terms.not(blocks.after(edge, inside)));
                let point: Vec<Term> = watched.iter().map(|&t| blocks.after(edge, t)).collect();
                let solver = blocks.solver(edge)?;
                match solver.check(&assumptions, Some(left)) {
                    Answer::Unsat => break,
                    Answer::Unknown(_) => return None,
                    Answer::Sat => {}
                }
                let model = solver.model().ok()?;
                let point: Result<Vec<Value>, _> = point.iter().map(|&t| model.value(t)).collect();
                let element = elements.get_mut(&target)?;
                element.add(&point.ok()?)?;
                if terms.and(element.formulas(terms)) == inside {
                    // The model is no point outside: give up rather than loop.
                    return None;
                }
                stable = false;
            }
        }
    }
    Some(elements)
}

/// What elements say: `false` at the locations that no step leads to.
pub(super) fn described<D: Domain>(terms: &Terms, elements: &BTreeMap<LocationId, D>) -> Lemmas {
    let describe = |element: &D| match element.is_empty() {
        true => vec![terms.ff()],
        false => element.formulas(terms),
    };
    let elements = elements.iter();
    elements
        .map(|(&l, element)| (l, describe(element)))
        .collect()
}

/// The locations that can be reached if every edge that is possible at all is taken: `false` at
/// the others. `None` as for [`fixpoint`].
pub(super) fn unreached(
    blocks: &mut Blocks<'_, '_>,
    known: &Lemmas,
    budget: Budget,
) -> Option<Lemmas> {
    let elements = fixpoint(blocks, known, &Reached(false), budget)?;
    Some(described(blocks.session.terms(), &elements))
}

/// Nothing, or all states.
#[derive(Clone, Debug)]
struct Reached(bool);

impl Domain for Reached {
    fn watched_terms(&self) -> Vec<Term> {
        Vec::new()
    }

    fn is_empty(&self) -> bool {
        !self.0
    }

    fn formulas(&self, _terms: &Terms) -> Vec<Term> {
        Vec::new()
    }

    fn add(&mut self, _point: &[Value]) -> Option<()> {
        self.0 = true;
        Some(())
    }
}
