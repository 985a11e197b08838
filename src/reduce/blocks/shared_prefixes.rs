//! Prefixes that many traces share: there is nothing to choose on the way back.

use super::back::Incoming;
use crate::replay::Replay;
use ult_core::graph::EdgeId;

/// The eliminated locations whose last edge is the same in all runs and idle, put together to shared prefixes.
///
/// A graph may have thousands of runs that begin with the same thousands of edges. These are copied then, and not found one by
/// one. The prefixes are a forest: each begins on another one, at a cut point, or where there is something to choose or to compute.
#[derive(Default)]
pub(super) struct SharedPrefixes {
    prefixes: Vec<SharedPrefix>,
    /// By the number of the edges into an eliminated location, if the location is on a shared prefix.
    places: Vec<Option<Place>>,
}

struct SharedPrefix {
    edges: Vec<EdgeId>,
    /// The number of the edges into the location where it begins; none at a cut point.
    before: Option<usize>,
}

/// A location on a shared prefix.
#[derive(Clone, Copy)]
struct Place {
    prefix: usize,
    /// How many edges lead to it.
    depth: usize,
}

impl SharedPrefixes {
    /// Of the edges into all eliminated locations, in an order in which those before come first.
    pub(super) fn of(incoming: &[Vec<Incoming>], replay: &Replay) -> SharedPrefixes {
        let mut all = SharedPrefixes::default();
        for edges in incoming {
            let place = forced(edges)
                .filter(|only| replay.is_idle(only.edge))
                .map(|only| all.grown(only));
            all.places.push(place);
        }
        all
    }

    /// The place behind an edge that is added to the prefix that ends before it, or to a new one.
    fn grown(&mut self, edge: &Incoming) -> Place {
        let end = (edge.before)
            .and_then(|before| *self.places.get(before)?)
            .filter(|place| self.prefixes[place.prefix].edges.len() == place.depth);
        let prefix = end.map_or(self.prefixes.len(), |place| place.prefix);
        if end.is_none() {
            self.prefixes.push(SharedPrefix {
                edges: Vec::new(),
                before: edge.before,
            });
        }
        let edges = &mut self.prefixes[prefix].edges;
        edges.push(edge.edge);
        Place {
            prefix,
            depth: edges.len(),
        }
    }

    /// The prefix up to a location, and the number of the edges into the location where it begins; nothing if the location is
    /// on none.
    pub(super) fn before(&self, location: usize) -> Option<(&[EdgeId], Option<usize>)> {
        let place = (*self.places.get(location)?)?;
        let prefix = &self.prefixes[place.prefix];
        Some((&prefix.edges[..place.depth], prefix.before))
    }
}

/// The edge that is taken whatever the values are, if there is one.
pub(super) fn forced(edges: &[Incoming]) -> Option<&Incoming> {
    match edges {
        [only] => Some(only),
        [first, ..] if first.condition.is_none() => Some(first),
        _ => None,
    }
}
