//! Forced covering (thesis, section 4.3): refinement with the aim of covering.

use super::arg::NodeId;
use super::search::Search;
use super::settings::ForcedCovering;
use crate::limits;
use crate::path::Path;
use crate::record::{Step, Why};
use ult_core::formula::Term;
use ult_core::reason::Reason;

/// So many candidates are tried for one node.
const MOST_CANDIDATES: usize = 8;

impl Search<'_, '_> {
    /// `force_cover`: looks for an older node whose formula holds at `node` after all steps from
    /// their nearest common ancestor. The path between them is strengthened so that `node` is
    /// covered. Tells whether one was found.
    pub(super) fn force_cover(&mut self, node: NodeId) -> Result<bool, Reason> {
        if self.settings.forced_covering == ForcedCovering::Off {
            return Ok(false);
        }
        let candidates = self.arg.candidates(node);
        let mut near: Vec<(u32, NodeId, NodeId)> = candidates
            .into_iter()
            .map(|candidate| {
                let ancestor = self.arg.nearest_common_ancestor(node, candidate);
                (self.arg.distance(ancestor, node), candidate, ancestor)
            })
            .collect();
        near.sort_unstable();
        for (_, candidate, ancestor) in near.into_iter().take(MOST_CANDIDATES) {
            self.session.control().check()?;
            if self.force(node, candidate, ancestor)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn force(&mut self, node: NodeId, candidate: NodeId, ancestor: NodeId) -> Result<bool, Reason> {
        let goal = self.arg.state(candidate).formula();
        let (nodes, edges) = self.arg.path_from(Some(ancestor), node);
        let mut labels: Vec<Term> = nodes.iter().map(|&n| self.label(n)).collect();
        if let Some(last) = labels.last_mut() {
            *last = self.terms.and2(*last, self.terms.not(goal));
        }
        let path = Path::new(self.session, self.graph, &edges, &labels);
        let strategy = &self.settings.interpolation;
        let Some(between) = path.refute(limits::COVERING, strategy, &mut self.stats) else {
            self.session.control().check()?;
            return Ok(false);
        };
        let (state, by, from) = (
            self.number(node),
            self.number(candidate),
            self.number(ancestor),
        );
        self.recorder.note(|| Step::ForceCover { state, by, from });
        for (&inner, interpolant) in nodes[1..].iter().zip(between) {
            if interpolant == self.terms.ff() {
                // The node is not reached at all.
                self.remove(inner, Why::Contradiction);
                return Ok(true);
            }
            self.strengthen(inner, interpolant)?;
        }
        self.strengthen(node, goal)?;
        // With diagrams the atoms may have run out.
        if !self.implies(node, candidate)? {
            return Ok(false);
        }
        self.cover_by(node, candidate);
        self.stats.coverings += 1;
        self.stats.forced_coverings += 1;
        Ok(true)
    }
}
