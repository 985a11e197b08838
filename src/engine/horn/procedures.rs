//! Several graphs that call each other, as Horn clauses.
//!
//! Calls and returns are marked in the formulas of edges: a *marker* is a rigid symbol of sort
//! Bool that stands for a predicate over its arguments. As a conjunct of an edge's formula it
//! becomes an atom of the clause's body (what a call does, by its summary) or, on an edge into an
//! error location, its head (the state in which a procedure returns, or for which it fails).
//! Clauses with several atoms in the body are not linear: that is how summaries of recursive
//! procedures come about.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petgraph::visit::EdgeRef as _;

use super::clauses::{after, carried, there};
use ult_core::formula::{Function, Op, Term, Terms};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_smt::horn::{Atom, Clause, Clauses, Predicate};

/// Which predicates the markers stand for, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Markers {
    /// Those that become atoms of bodies.
    pub bodies: BTreeMap<Arc<Function>, usize>,
    /// Those that become heads.
    pub heads: BTreeMap<Arc<Function>, usize>,
}

/// Where a clause comes from: the number of the graph, and the edge.
pub type Source = (usize, Option<EdgeId>);

/// The clauses of several graphs.
pub struct Joined {
    /// The clauses.
    pub clauses: Clauses,
    /// Where each comes from.
    pub sources: Vec<Source>,
}

/// A marker that is no conjunct of an edge's formula: its clause is no Horn clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden;

/// The clauses of the graphs. `predicates` are those of the markers; predicates for locations are
/// added behind them. Error locations in `except` (with the number of the graph) are left out.
///
/// # Errors
/// If a marker occurs where it cannot be part of a Horn clause.
pub fn join(
    terms: &Terms,
    graphs: &[&ProgramGraph],
    predicates: Vec<Predicate>,
    markers: &Markers,
    except: &BTreeSet<(usize, LocationId)>,
) -> Result<Joined, Hidden> {
    let mut joined = Joined {
        clauses: Clauses {
            predicates,
            clauses: Vec::new(),
        },
        sources: Vec::new(),
    };
    for (number, graph) in graphs.iter().enumerate() {
        let carried = carried(terms, graph);
        let mut numbers: BTreeMap<LocationId, usize> = BTreeMap::new();
        for location in graph.graph.node_indices() {
            if graph.graph[location].error.is_none() {
                numbers.insert(location, joined.clauses.predicates.len());
                joined.clauses.predicates.push(Predicate {
                    name: format!("{} {}", graph.name, graph.graph[location].name).into(),
                    params: carried[location.index()].clone(),
                });
            }
        }
        let atom = |location: LocationId, args: Vec<Term>| {
            let predicate = *numbers.get(&location)?;
            Some(Atom { predicate, args })
        };
        joined.sources.push((number, None));
        joined.clauses.clauses.push(Clause {
            body: Vec::new(),
            condition: terms.tt(),
            head: atom(graph.initial, carried[graph.initial.index()].clone()),
        });
        for edge in graph.graph.edge_references() {
            let (source, target) = (edge.source(), edge.target());
            if except.contains(&(number, target)) {
                continue;
            }
            let transition = &edge.weight().transition;
            let mut body: Vec<Atom> = atom(source, carried[source.index()].clone())
                .into_iter()
                .collect();
            body.extend(edge.weight().premises.iter().filter_map(|premise| {
                let there = there(terms, premise, &carried[premise.location.index()]);
                atom(premise.location, there)
            }));
            let mut head = atom(target, after(terms, transition, &carried[target.index()]));
            let mut rest = Vec::new();
            for conjunct in terms.conjuncts(transition.formula) {
                let marked = |predicate: usize| Atom {
                    predicate,
                    args: terms.args(conjunct).to_vec(),
                };
                match terms.op(conjunct) {
                    Op::Apply(f) if markers.bodies.contains_key(f) => {
                        body.push(marked(markers.bodies[f]));
                    }
                    Op::Apply(f) if markers.heads.contains_key(f) => {
                        if head.is_some() {
                            return Err(Hidden);
                        }
                        head = Some(marked(markers.heads[f]));
                    }
                    _ => rest.push(conjunct),
                }
            }
            let condition = terms.and(rest);
            let hidden = |t: &Term| match terms.op(*t) {
                Op::Apply(f) => markers.bodies.contains_key(f) || markers.heads.contains_key(f),
                _ => false,
            };
            if terms.post_order(&[condition]).iter().any(hidden) {
                return Err(Hidden);
            }
            joined.sources.push((number, Some(edge.id())));
            joined.clauses.clauses.push(Clause {
                body,
                condition,
                head,
            });
        }
    }
    Ok(joined)
}

/// The locations at both ends of edges with markers of calls: reductions have to keep them.
pub fn call_ends(terms: &Terms, graph: &ProgramGraph, markers: &Markers) -> BTreeSet<LocationId> {
    let mut ends = BTreeSet::new();
    for edge in graph.graph.edge_references() {
        let marked = terms
            .conjuncts(edge.weight().transition.formula)
            .into_iter()
            .any(|t| matches!(terms.op(t), Op::Apply(f) if markers.bodies.contains_key(f)));
        if marked {
            ends.extend([edge.source(), edge.target()]);
        }
    }
    ends
}
