//! Where a walk through the graph stops: the cut locations.

use std::collections::BTreeSet;

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use ult_core::formula::{Op, Term, Terms};
use ult_core::graph::evidence::Invariants;
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};

/// A claim seen as a partition of the graph into regions between cut locations.
///
/// The cut locations are the initial one, all error locations, and those with a claimed
/// invariant. Only what is reachable counts. Two things are not walked through, because no run
/// can pass them: an edge whose formula is the literal `false`, and a location whose claimed
/// invariant is the literal `false` (that no run gets there is one of the conditions proved).
pub(super) struct Cuts<'a> {
    terms: &'a Terms,
    graph: &'a ProgramGraph,
    claim: &'a Invariants,
    reachable: BTreeSet<LocationId>,
}

impl<'a> Cuts<'a> {
    /// Fails if the claim speaks about locations that do not exist, or exempts or argues about a
    /// location that is no error location. Whether every reachable cycle is cut shows when the regions are walked.
    pub(super) fn new(
        terms: &'a Terms,
        graph: &'a ProgramGraph,
        claim: &'a Invariants,
    ) -> Result<Cuts<'a>, String> {
        let argued = || claim.arguments.keys();
        for &location in claim.at.keys().chain(&claim.exempt).chain(argued()) {
            if graph.graph.node_weight(location).is_none() {
                return Err(format!("there is no location {}", location.index()));
            }
        }
        if let Some(location) = claim
            .exempt
            .iter()
            .chain(argued())
            .find(|&&location| graph.graph[location].error.is_none())
        {
            return Err(format!(
                "`{}` is exempted or argued about but no error location",
                graph.graph[*location].name
            ));
        }
        let mut cuts = Cuts {
            terms,
            graph,
            claim,
            reachable: BTreeSet::new(),
        };
        cuts.reachable = cuts.reach();
        Ok(cuts)
    }

    /// Whether walks stop here.
    pub(super) fn is_cut(&self, location: LocationId) -> bool {
        location == self.graph.initial
            || self.is_error(location)
            || self.claim.at.contains_key(&location)
    }

    pub(super) fn is_error(&self, location: LocationId) -> bool {
        self.graph.graph[location].error.is_some()
    }

    /// The claimed invariant.
    pub(super) fn invariant(&self, location: LocationId) -> Option<Term> {
        self.claim.at.get(&location).copied()
    }

    /// The locations whose regions have to be proved: reachable cut locations that runs leave.
    pub(super) fn entries(&self) -> impl Iterator<Item = LocationId> + '_ {
        self.reachable.iter().copied().filter(|&location| {
            self.is_cut(location)
                && !self.is_dead(location)
                && self.steps_from(location).next().is_some()
        })
    }

    /// The edges that leave a location, in the order of their numbers, without impossible ones.
    pub(super) fn steps_from(
        &self,
        location: LocationId,
    ) -> impl Iterator<Item = (EdgeId, LocationId)> + '_ {
        let mut edges: Vec<_> = self
            .graph
            .graph
            .edges_directed(location, Direction::Outgoing)
            .filter(|edge| !self.is_false(edge.weight().transition.formula))
            .map(|edge| (edge.id(), edge.target()))
            .collect();
        edges.sort_unstable();
        edges.into_iter()
    }

    fn is_false(&self, formula: Term) -> bool {
        *self.terms.op(formula) == Op::Bool(false)
    }

    /// Whether the claim is that no run gets here.
    pub(super) fn is_dead(&self, location: LocationId) -> bool {
        self.invariant(location).is_some_and(|f| self.is_false(f))
    }

    fn reach(&self) -> BTreeSet<LocationId> {
        let mut reached = BTreeSet::from([self.graph.initial]);
        let mut work = vec![self.graph.initial];
        while let Some(location) = work.pop() {
            if self.is_dead(location) {
                continue;
            }
            for (_, target) in self.steps_from(location) {
                if reached.insert(target) {
                    work.push(target);
                }
            }
        }
        reached
    }
}
