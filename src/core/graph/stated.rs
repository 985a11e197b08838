//! What a graph says of its loops by itself.

use std::collections::BTreeSet;

use petgraph::algo::tarjan_scc;
use petgraph::visit::EdgeRef as _;

use super::analysis::reverse_postorder;
use super::evidence::{Argument, Invariants};
use super::{LocationId, ProgramGraph};
use crate::formula::{Term, Terms, Version};

impl Invariants {
    /// The claim that what the graph says itself suffices. Behind the head of a loop the invariants that are written down are
    /// assumed, so at the head there is nothing to say but what every run starts with and no step can change. Where loops were
    /// cut (the modular reading) their heads are passed once, and there nothing is forgotten.
    pub fn stated(terms: &Terms, graph: &ProgramGraph) -> Invariants {
        let kept = terms.and(kept(terms, graph));
        let again = repeated(graph);
        let heads = graph.loop_heads().filter(|head| again.contains(head));
        Invariants {
            at: heads.map(|head| (head, kept)).collect(),
            ..Invariants::default()
        }
    }

    /// The claim that no trace gets to an error location, as following all traces shows.
    pub fn explored(terms: &Terms, graph: &ProgramGraph) -> Invariants {
        let (_, heads) = reverse_postorder(graph);
        let errors = graph.errors();
        Invariants {
            at: heads.into_iter().map(|head| (head, terms.tt())).collect(),
            arguments: errors.map(|error| (error, Argument::Explored)).collect(),
            ..Invariants::default()
        }
    }
}

/// The locations to which some way leads back.
fn repeated(graph: &ProgramGraph) -> BTreeSet<LocationId> {
    let components = tarjan_scc(&graph.graph);
    let is_cycle = |component: &Vec<LocationId>| {
        component.len() > 1 || graph.graph.contains_edge(component[0], component[0])
    };
    components.into_iter().filter(is_cycle).flatten().collect()
}

/// The conditions on the only way from the start that are about variables which no step changes.
fn kept(terms: &Terms, graph: &ProgramGraph) -> Vec<Term> {
    let edges = graph.graph.edge_weights();
    let changed: BTreeSet<_> = edges.flat_map(|edge| &edge.transition.changed).collect();
    let is_kept = |&conjunct: &Term| {
        let variables = terms.free_vars(&[conjunct]);
        variables.into_iter().all(|variable| {
            terms.as_var(variable).is_some_and(|variable| {
                variable.version == Version::Current && !changed.contains(&variable.name)
            })
        })
    };
    let mut kept = Vec::new();
    let (mut here, mut passed) = (graph.initial, BTreeSet::new());
    while passed.insert(here) && !graph.graph[here].loop_head {
        // A run that violates something ends there.
        let goes_on = |target: LocationId| graph.graph[target].error.is_none();
        let ways = graph.graph.edges(here);
        let mut ways = ways.filter(|way| goes_on(way.target()));
        let (Some(way), None) = (ways.next(), ways.next()) else {
            break;
        };
        let conjuncts = terms.conjuncts(way.weight().transition.formula);
        kept.extend(conjuncts.into_iter().filter(is_kept));
        here = way.target();
    }
    kept
}
