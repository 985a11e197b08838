//! Cut points: the locations that large blocks lead from and to.

use super::Blocks;
use crate::graph::{LocationId, ProgramGraph};
use crate::reduce::order::{Adjacency, Order, source};

/// For each location, by its index, the cut point whose region it belongs to; `None` if it is not
/// reached. A cut point belongs to itself.
///
/// This is the fixed point of the papers' two rules: a location that is not the initial one, no
/// error location and no target of a retreating edge is eliminated if, after the elimination of
/// others and the merging of parallel edges, one edge enters it, that is, if all edges into it
/// come from the region of one cut point. All of them come from earlier locations in reverse
/// postorder, so one pass finds the cut points.
pub fn regions(
    graph: &ProgramGraph,
    adjacency: &Adjacency,
    order: &Order,
    style: Blocks,
    keep: &[bool],
) -> Vec<Option<LocationId>> {
    let retreats = order.retreat_targets(graph);
    let mut region: Vec<Option<LocationId>> = vec![None; graph.graph.node_count()];
    for &location in &order.locations {
        let index = location.index();
        let mut sources = adjacency.into[index].iter().filter_map(|&edge| {
            let source = source(graph, edge);
            order.position[source.index()].map(|_| source)
        });
        let seed = location == graph.initial
            || graph.graph[location].error.is_some()
            || retreats[index]
            || keep[index];
        let owner = if seed {
            None
        } else {
            match style {
                Blocks::None => None,
                Blocks::Sequence => match (sources.next(), sources.next()) {
                    (Some(only), None) if adjacency.out[index].len() == 1 => region[only.index()],
                    _ => None,
                },
                Blocks::Large => {
                    let first = sources.next().and_then(|s| region[s.index()]);
                    first.filter(|_| sources.all(|s| region[s.index()] == first))
                }
            }
        };
        region[index] = Some(owner.unwrap_or(location));
    }
    region
}
