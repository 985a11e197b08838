//! Loops that are followed for some rounds: Boogie's `/loopUnroll`.
//!
//! A strongly connected component of the graph has a copy for each round; an edge that closes a cycle leads into the next
//! copy. After the last round there is the beginning of the loop's head, with what is asserted there, and no way on. So no
//! loop is left, and runs with more rounds are left out: a reading with fewer runs than the program has. Loops inside of a
//! loop share its rounds. All of this is as in Boogie.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::visit::EdgeRef as _;
use ult_core::graph::{EdgeId, Location, LocationId, ProgramGraph};

use super::builder::Builder;
use super::origin::Step;
use super::unit::ObligationKind;

/// Graphs become no larger than this.
const MOST_LOCATIONS: usize = 300_000;

/// Follows loops for so many rounds; tells whether it was done. If the graph got too large, nothing is changed.
pub fn unroll_loops(b: &mut Builder<'_, '_>, rounds: u32) -> bool {
    let cyclic = cyclic(&b.graph);
    let rounds = rounds as usize;
    let more = cyclic.len().saturating_mul(rounds);
    if b.graph.graph.node_count().saturating_add(more) > MOST_LOCATIONS {
        return false;
    }
    let closing = b.graph.closing_edges();
    let ends = closing
        .iter()
        .filter_map(|&edge| b.graph.graph.edge_endpoints(edge));
    let leading: BTreeSet<EdgeId> = ends.flat_map(|(_, head)| leading(b, head)).collect();
    // Of each location in a loop, where it is in each round, and after the last one.
    let mut places: BTreeMap<LocationId, Vec<LocationId>> = BTreeMap::new();
    for &location in cyclic.keys() {
        b.graph.graph[location].loop_head = false;
        let original = b.graph.graph[location].clone();
        let mut all = vec![location];
        for _ in 0..rounds {
            let copy = b.location(&format!("{}.round", original.name));
            let name = b.graph.graph[copy].name.clone();
            b.graph.graph[copy] = Location {
                name,
                ..original.clone()
            };
            all.push(copy);
        }
        places.insert(location, all);
    }
    let abstracted = std::mem::take(&mut b.abstracted);
    let edges: Vec<_> = b
        .graph
        .graph
        .edge_references()
        .map(|e| (e.id(), e.source(), e.target(), e.weight().clone()))
        .collect();
    b.graph.graph.clear_edges();
    for (id, source, target, edge) in edges {
        let stays = cyclic.contains_key(&source) && cyclic.get(&source) == cyclic.get(&target);
        let ways: Vec<(LocationId, LocationId)> = match places.get(&source) {
            None => vec![(source, target)],
            Some(sources) => {
                let last = usize::from(leading.contains(&id));
                let way = |round: usize| {
                    let next = round + usize::from(closing.contains(&id));
                    let to = match places.get(&target) {
                        Some(targets) if stays => *targets.get(next)?,
                        _ => target,
                    };
                    Some((sources[round], to))
                };
                (0..rounds + last).filter_map(way).collect()
            }
        };
        for (from, to) in ways {
            let copy = b.graph.graph.add_edge(from, to, edge.clone());
            if let Some(why) = abstracted.get(&id) {
                b.abstracted.insert(copy, why.clone());
            }
        }
    }
    // An invariant is an assertion like any other.
    for (&error, obligation) in &mut b.obligations {
        if obligation.kind == ObligationKind::InvariantInitiation {
            if *obligation.text == *obligation.kind.to_string() {
                obligation.text = ObligationKind::Assert.to_string().into();
            }
            obligation.kind = ObligationKind::Assert;
            b.graph.graph[error].error = Some(obligation.text.clone());
        }
    }
    true
}

/// The edges of what is asserted and assumed at the beginning of a loop's head.
fn leading(b: &Builder<'_, '_>, head: LocationId) -> Vec<EdgeId> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut at = head;
    while seen.insert(at) {
        let out = b.graph.graph.edges(at);
        let (violated, rest): (Vec<_>, Vec<_>) =
            out.partition(|edge| b.obligations.contains_key(&edge.target()));
        let [only] = rest[..] else { break };
        let step = only.weight().origin.and_then(|o| b.origins.get(o));
        let is_said = matches!(
            step.map(|info| &info.step),
            Some(Step::Passed | Step::Assume | Step::Defined(_) | Step::Invariant)
        );
        if !is_said {
            break;
        }
        found.extend(violated.iter().map(|edge| edge.id()));
        found.push(only.id());
        at = only.target();
    }
    found
}

/// The locations on cycles, with the numbers of their components.
fn cyclic(graph: &ProgramGraph) -> BTreeMap<LocationId, usize> {
    let graph = &graph.graph;
    let has_cycle = |component: &Vec<LocationId>| match component[..] {
        [only] => graph.contains_edge(only, only),
        _ => true,
    };
    let components = petgraph::algo::kosaraju_scc(graph);
    let cyclic = components.into_iter().filter(has_cycle).enumerate();
    cyclic
        .flat_map(|(number, component)| component.into_iter().map(move |l| (l, number)))
        .collect()
}
