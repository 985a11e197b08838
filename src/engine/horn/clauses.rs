//! A program graph as Horn clauses.
//!
//! One predicate for each location: the states in which a run can be there. One clause for each
//! edge: from the states before it to those after it, or to falsity if it enters an error
//! location. (Bjørner, Gurfinkel, McMillan, Rybalchenko, "Horn Clause Solvers for Program
//! Verification", 2015.)
//!
//! Where an edge has premises, the clause has an atom for each of them besides.
//!
//! A predicate speaks about the variables that a run may have said something about before the
//! location and may ask something about behind it; the others say nothing there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petgraph::visit::EdgeRef as _;

use crate::invariants::Lemmas;
use ult_core::formula::{Term, Terms, Version};
use ult_core::graph::{Edge, EdgeId, LocationId, Premise, ProgramGraph, Transition};
use ult_smt::horn::{Atom, Clause, Clauses, Predicate};

/// The clauses of a graph and what they stand for.
pub struct Encoded {
    /// The clauses.
    pub clauses: Clauses,
    /// The location behind each predicate.
    pub locations: Vec<LocationId>,
    /// The edge behind each clause; `None` for the start.
    pub edges: Vec<Option<EdgeId>>,
}

/// The clauses that say which of the error locations in `errors` cannot be reached. What is in
/// `known` holds at its location in every run; only parts of the graph from which one of the
/// errors might be reached are encoded.
pub fn encode(
    terms: &Terms,
    graph: &ProgramGraph,
    known: &Lemmas,
    errors: &BTreeSet<LocationId>,
) -> Encoded {
    let relevant = reaching(graph, errors);
    let carried = carried(terms, graph);
    let mut encoded = Encoded {
        clauses: Clauses::default(),
        locations: Vec::new(),
        edges: Vec::new(),
    };
    let mut numbers: BTreeMap<LocationId, usize> = BTreeMap::new();
    for location in graph.graph.node_indices() {
        let entered = graph
            .graph
            .edges_directed(location, petgraph::Direction::Incoming)
            .next()
            .is_some();
        // At the start nothing is known, so it needs a predicate only if runs come back to it.
        let needless = location == graph.initial && !entered;
        if !relevant.contains(&location) || errors.contains(&location) || needless {
            continue;
        }
        numbers.insert(location, encoded.locations.len());
        encoded.locations.push(location);
        encoded.clauses.predicates.push(Predicate {
            name: graph.graph[location].name.clone(),
            params: carried[location.index()].clone(),
        });
    }
    if let Some(&predicate) = numbers.get(&graph.initial) {
        encoded.edges.push(None);
        encoded.clauses.clauses.push(Clause {
            body: Vec::new(),
            condition: terms.tt(),
            head: Some(Atom {
                predicate,
                args: carried[graph.initial.index()].clone(),
            }),
        });
    }
    for edge in graph.graph.edge_references() {
        let (source, target) = (edge.source(), edge.target());
        if !relevant.contains(&source) || !relevant.contains(&target) {
            continue;
        }
        let transition = &edge.weight().transition;
        let from = &carried[source.index()];
        let mut body: Vec<Atom> = Vec::new();
        body.extend(numbers.get(&source).map(|&predicate| Atom {
            predicate,
            args: from.clone(),
        }));
        body.extend(edge.weight().premises.iter().filter_map(|premise| {
            Some(Atom {
                predicate: *numbers.get(&premise.location)?,
                args: there(terms, premise, &carried[premise.location.index()]),
            })
        }));
        let head = numbers.get(&target).map(|&predicate| Atom {
            predicate,
            args: after(terms, transition, &carried[target.index()]),
        });
        let sayable = known
            .get(&source)
            .into_iter()
            .flatten()
            .copied()
            .filter(|&fact| {
                terms
                    .free_vars(&[fact])
                    .iter()
                    .all(|var| from.contains(var))
            });
        encoded.edges.push(Some(edge.id()));
        encoded.clauses.clauses.push(Clause {
            body,
            condition: terms.and(sayable.chain([transition.formula])),
            head,
        });
    }
    encoded
}

/// State variables as they read after a step.
pub fn after(terms: &Terms, transition: &Transition, variables: &[Term]) -> Vec<Term> {
    variables
        .iter()
        .map(|&variable| transition.after(terms, variable))
        .collect()
}

/// State variables at the location of a premise, which says nothing of some.
pub(super) fn there(terms: &Terms, premise: &Premise, variables: &[Term]) -> Vec<Term> {
    let value = |&variable: &Term| {
        let name = &terms.as_var(variable)?.name;
        Some(match premise.state.get(name) {
            Some(&value) => value,
            None => terms.fresh_aux(name.clone(), terms.sort(variable).clone()),
        })
    };
    variables.iter().filter_map(value).collect()
}

/// The locations from which one of the targets may be reached, targets included; those of premises too.
pub fn reaching(graph: &ProgramGraph, targets: &BTreeSet<LocationId>) -> BTreeSet<LocationId> {
    let mut found = targets.clone();
    let mut stack: Vec<LocationId> = targets.iter().copied().collect();
    while let Some(location) = stack.pop() {
        for edge in graph
            .graph
            .edges_directed(location, petgraph::Direction::Incoming)
        {
            let premises = edge.weight().premises.iter();
            let premises = premises.map(|premise| premise.location);
            stack.extend(
                premises
                    .chain([edge.source()])
                    .filter(|&location| found.insert(location)),
            );
        }
    }
    found
}

/// For each location the variables that a predicate there has to speak about, as state variables
/// in the order of the graph.
///
/// In a tree of traces these are all that something asks for, also those that nothing was said about: a trace is then put together
/// from what single steps say.
pub fn carried(terms: &Terms, graph: &ProgramGraph) -> Vec<Vec<Term>> {
    let edges: Vec<(LocationId, LocationId, Uses)> = graph
        .graph
        .edge_references()
        .map(|edge| {
            let uses = Uses::of(terms, edge.weight());
            (edge.source(), edge.target(), uses)
        })
        .collect();
    let count = graph.graph.node_count();
    let is_tree = graph.has_premises();
    let mut asked: Vec<BTreeSet<Arc<str>>> = vec![BTreeSet::new(); count];
    for premise in graph.graph.edge_weights().flat_map(|edge| &edge.premises) {
        asked[premise.location.index()].extend(premise.state.keys().cloned());
    }
    let mut said: Vec<BTreeSet<Arc<str>>> = vec![BTreeSet::new(); count];
    let mut changed = true;
    while changed {
        changed = false;
        for (source, target, uses) in edges.iter().rev() {
            let mut new: Vec<Arc<str>> = asked[target.index()]
                .difference(&uses.changed)
                .cloned()
                .collect();
            new.extend(uses.read.iter().cloned());
            for name in new {
                changed |= asked[source.index()].insert(name);
            }
        }
        for (source, target, uses) in &edges {
            // A variable that becomes arbitrary is one that nothing was said about.
            let mut new: Vec<Arc<str>> = said[source.index()]
                .difference(&uses.changed)
                .cloned()
                .collect();
            new.extend(uses.read.difference(&uses.changed).cloned());
            new.extend(uses.written.iter().cloned());
            for name in new {
                changed |= said[target.index()].insert(name);
            }
        }
    }
    asked
        .iter()
        .zip(&said)
        .map(|(asked, said)| {
            graph
                .variables
                .iter()
                .filter(|(name, _)| asked.contains(*name) && (is_tree || said.contains(*name)))
                .map(|(name, sort)| terms.current(name.clone(), sort.clone()))
                .collect()
        })
        .collect()
}

/// The variables in a transition.
struct Uses {
    /// In their values before the step.
    read: BTreeSet<Arc<str>>,
    /// In their values after it.
    written: BTreeSet<Arc<str>>,
    changed: BTreeSet<Arc<str>>,
}

impl Uses {
    fn of(terms: &Terms, edge: &Edge) -> Uses {
        let names = |version| {
            let found = terms.names_of(&edge.terms(), version);
            found.into_keys().collect()
        };
        Uses {
            read: names(Version::Current),
            written: names(Version::Next),
            changed: edge.transition.changed.clone(),
        }
    }
}
