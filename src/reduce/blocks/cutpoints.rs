//! Cut points: the locations that blocks lead from and to.

use super::Blocks;
use ult_core::graph::analysis::{Adjacency, Order, source};
use ult_core::graph::{LocationId, ProgramGraph};

/// The cut points and what lies between them.
pub(super) struct Regions {
    /// Whether a location, by its index, is a cut point.
    pub cut: Vec<bool>,
    /// For each location, by its index, the locations of its region in topological order, itself
    /// first; empty if it is no cut point.
    pub members: Vec<Vec<LocationId>>,
}

/// A location belongs to so many regions at most: each of them executes it once more.
const MOST_REGIONS: usize = 16;

/// Finds the cut points. The initial location, error locations, targets of retreating edges and
/// what is to be kept are cut points always; all other locations as the block operator says. A
/// location that is none belongs to the regions of all cut points from which a way leads to it
/// that visits no other.
///
/// For [`Blocks::Large`] this is the fixed point of the papers' two rules: a location is
/// eliminated if, after the elimination of others and the merging of parallel edges, one edge
/// enters it, that is, if all edges into it come from the region of one cut point. All of them
/// come from earlier locations in reverse postorder, so one pass finds the cut points.
pub(super) fn regions(
    graph: &ProgramGraph,
    adjacency: &Adjacency,
    order: &Order,
    operator: Blocks,
    keep: &[bool],
) -> Regions {
    let retreats = order.retreat_targets(graph);
    let count = graph.graph.node_count();
    let mut regions = Regions {
        cut: vec![false; count],
        members: vec![Vec::new(); count],
    };
    // The regions of each location, and the longest way to it from its cut points.
    let mut owners: Vec<Vec<LocationId>> = vec![Vec::new(); count];
    let mut depth: Vec<u32> = vec![0; count];
    for &location in &order.locations {
        let index = location.index();
        let sources: Vec<LocationId> = adjacency.into[index]
            .iter()
            .map(|&edge| source(graph, edge))
            .filter(|source| order.position[source.index()].is_some())
            .collect();
        let mut own: Vec<LocationId> = sources
            .iter()
            .flat_map(|source| owners[source.index()].iter().copied())
            .collect();
        own.sort_unstable();
        own.dedup();
        let deepest = sources.iter().map(|source| depth[source.index()] + 1).max();
        let required = location == graph.initial
            || graph.graph[location].error.is_some()
            || retreats[index]
            || keep[index]
            || own.len() > MOST_REGIONS;
        let cut = required
            || match operator {
                Blocks::None => true,
                Blocks::Sequence => sources.len() != 1 || adjacency.out[index].len() != 1,
                Blocks::Large => own.len() != 1,
                Blocks::Loops => false,
                Blocks::Functions => {
                    let procedure = |l: LocationId| &graph.graph[l].procedure;
                    sources.iter().any(|&l| procedure(l) != procedure(location))
                }
                Blocks::AtMost(edges) => deepest.is_some_and(|deepest| deepest >= edges),
            };
        regions.cut[index] = cut;
        if cut {
            own = vec![location];
        } else {
            depth[index] = deepest.unwrap_or(0);
        }
        for owner in &own {
            regions.members[owner.index()].push(location);
        }
        owners[index] = own;
    }
    regions
}
