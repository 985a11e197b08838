//! What an abstract error path changes (thesis, section 4.2).

use std::rc::Rc;

use super::arg::NodeId;
use super::posts::Feasibility;
use super::precision::{Place, Precision, predicates};
use super::search::Search;
use super::settings::{Abstracting, Abstraction, Predicates, Refinement, Restart};
use crate::limits;
use crate::path::{Decision, Path};
use crate::record::{Step, Why};
use ult_core::formula::{Op, Term};
use ult_core::graph::{EdgeId, LocationId};
use ult_core::reason::Reason;

impl Search<'_, '_> {
    /// `refine`: the path to a node at an error location is a run, or it is infeasible and the
    /// node goes. Either way, or because nothing works, the node is gone afterwards.
    pub(super) fn refine(&mut self, error: NodeId) -> Result<(), Reason> {
        let (nodes, edges) = self.arg.path_to(error);
        if self.prune(&nodes, &edges)? {
            return Ok(());
        }
        self.stats.paths += 1;
        let location = self.arg.location(error);
        let labels: Vec<Term> = nodes.iter().map(|&node| self.label(node)).collect();
        let path = Path::new(self.session, self.graph, &edges, &labels);
        if self.recorder.is_on() {
            let states = nodes.iter().map(|&node| self.number(node)).collect();
            let blocks = edges.clone();
            self.recorder.note(|| Step::Path { states, blocks });
        }
        let decision = path.decide(limits::PATH, &self.settings.interpolation, &mut self.stats);
        match self.settings.observers.advised(&path, decision) {
            Decision::Run(run) => {
                self.recorder.note(|| Step::Run { error: location });
                self.task.facts.found(location, &run, false);
                self.outcome.runs.insert(location, run);
                self.close(location);
            }
            Decision::Interpolants(interpolants) => self.apply(&nodes, &interpolants)?,
            Decision::Open(reason) => {
                self.session.control().check()?;
                self.give_up(location, reason);
            }
        }
        Ok(())
    }

    /// Looks for an edge of the path along which no step leads from the state before it; what
    /// hangs from its target goes. Tells whether there is one.
    fn prune(&mut self, nodes: &[NodeId], edges: &[EdgeId]) -> Result<bool, Reason> {
        for (&edge, pair) in edges.iter().zip(nodes.windows(2)) {
            self.session.control().check()?;
            let before = self.arg.state(pair[0]).formula();
            let step = self.posts.post(
                edge,
                before,
                &[],
                Abstraction::Cartesian,
                Feasibility::Asked,
                &mut self.stats,
            )?;
            if step.is_none() {
                self.remove(pair[1], Why::NoStep);
                self.stats.sliced_edges += 1;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn give_up(&mut self, location: LocationId, reason: Reason) {
        self.recorder.note(|| Step::GiveUp {
            error: location,
            reason: reason.clone(),
        });
        self.outcome.undecided.insert(location, reason);
        self.close(location);
    }

    /// Nothing more is to be found out about an error location.
    fn close(&mut self, location: LocationId) {
        self.closed.insert(location);
        for node in self.arg.nodes_at(location) {
            self.remove(node, Why::Closed);
        }
    }

    /// The interpolants of an infeasible path, put to use. The node at its end is gone
    /// afterwards.
    fn apply(&mut self, nodes: &[NodeId], interpolants: &[Term]) -> Result<(), Reason> {
        self.stats.refinements += 1;
        let meter = self.session.control().meter();
        meter.count(|stats| stats.refinements += 1);
        if self.recorder.is_on() {
            let inner = nodes[1..].iter().zip(interpolants);
            let at = inner.map(|(&node, &term)| (self.number(node), term));
            let at = at.collect();
            self.recorder.note(|| Step::Interpolants { at });
        }
        match self.settings.refinement {
            Refinement::Impact => self.strengthen_path(nodes, interpolants),
            Refinement::Predicate(abstracting, restart) => {
                if self.add_predicates(nodes, interpolants, abstracting, restart) {
                    return Ok(());
                }
                // The abstraction lost something: it is Cartesian, or the solver did not answer in
                // time, or there were too many models.
                self.strengthen_path(nodes, interpolants)
            }
            Refinement::Both(abstracting) => {
                let (precision, _) = self.precision_with(nodes, interpolants, abstracting);
                self.strengthen_path(nodes, interpolants)?;
                if let Some(&first) = nodes.get(1).filter(|&&node| !self.arg.is_removed(node)) {
                    self.arg.set_precision_below(first, &Rc::new(precision));
                }
                Ok(())
            }
        }
    }

    /// IMPACT: the nodes of the path are strengthened by their interpolants; a node that stands
    /// for no state goes, with what hangs from it; the others may be covered now.
    fn strengthen_path(&mut self, nodes: &[NodeId], interpolants: &[Term]) -> Result<(), Reason> {
        let end = nodes[nodes.len() - 1];
        let mut strengthened = Vec::new();
        let mut gone = end;
        for (&node, &interpolant) in nodes[1..].iter().zip(interpolants) {
            if *self.terms.op(interpolant) == Op::Bool(false) {
                gone = node;
                break;
            }
            if self.strengthen(node, interpolant)? {
                strengthened.push(node);
            }
        }
        for &node in &strengthened {
            let (location, formula) = (self.arg.location(node), self.arg.state(node).formula());
            if self.holds(location, formula, self.terms.ff())? {
                gone = gone.min(node);
                break;
            }
        }
        let why = match gone == end {
            true => Why::Interpolants,
            false => Why::Contradiction,
        };
        self.remove(gone, why);
        for node in strengthened {
            if !self.arg.is_removed(node) && self.arg.is_active(node) && self.cover(node)? {
                break;
            }
        }
        Ok(())
    }

    /// The precision of the path's end with the predicates of the interpolants added, and the
    /// first node for which some are new.
    fn precision_with(
        &mut self,
        nodes: &[NodeId],
        interpolants: &[Term],
        abstracting: Abstracting,
    ) -> (Precision, Option<NodeId>) {
        let end = nodes[nodes.len() - 1];
        let mut precision = Precision::clone(self.arg.precision(end));
        let mut new = Vec::new();
        for (&node, &interpolant) in nodes[1..].iter().zip(interpolants) {
            let place = Place::of(abstracting.scope, self.graph, self.arg.location(node));
            let found = predicates(self.terms, abstracting.predicates, interpolant);
            self.predicates.extend(&found);
            if self.recorder.is_on() {
                let number = self.number(node);
                let unknown = found.iter().filter(|&&p| !precision.has(&place, p));
                new.extend(unknown.map(|&predicate| (number, predicate)));
            }
            precision.add(place, found);
        }
        if !new.is_empty() {
            self.recorder.note(|| Step::Predicates { found: new });
        }
        self.stats.predicates = self.stats.predicates.max(self.predicates.len() as u64);
        self.stats.registers = self.stats.registers.max(precision.most() as u64);
        let pivot = nodes[1..nodes.len() - 1].iter().copied().find(|&node| {
            let place = Place::of(abstracting.scope, self.graph, self.arg.location(node));
            let used = self.arg.made_with(node);
            precision
                .at(&place)
                .any(|predicate| !used.has(&place, predicate))
        });
        (precision, pivot)
    }

    /// Predicate refinement: the precision grows, and what was built without the new predicates is
    /// built again. Tells whether there are new predicates.
    fn add_predicates(
        &mut self,
        nodes: &[NodeId],
        interpolants: &[Term],
        abstracting: Abstracting,
        restart: Restart,
    ) -> bool {
        let (mut precision, mut pivot) = self.precision_with(nodes, interpolants, abstracting);
        if pivot.is_none() && abstracting.predicates == Predicates::Atoms {
            // What combines the atoms was lost.
            let whole = Abstracting {
                predicates: Predicates::Whole,
                ..abstracting
            };
            (precision, pivot) = self.precision_with(nodes, interpolants, whole);
        }
        let Some(pivot) = pivot else {
            return false;
        };
        match restart {
            Restart::Eager => self.start(precision),
            Restart::Lazy => self.rebuild(pivot, Rc::new(precision)),
        }
        true
    }

    /// Removes what hangs from the pivot, and all nodes covered by removed ones; their parents are
    /// expanded again with the new precision.
    fn rebuild(&mut self, pivot: NodeId, precision: Rc<Precision>) {
        let mut removed = vec![pivot];
        while let Some(node) = removed.pop() {
            if self.arg.is_removed(node) {
                continue;
            }
            let parent = self.arg.parent(node);
            let state = self.number(node);
            self.recorder.note(|| Step::Remove {
                state,
                why: Why::MadeAgain,
            });
            removed.extend(self.arg.remove(node));
            let Some((parent, _)) = parent.filter(|&(parent, _)| !self.arg.is_removed(parent))
            else {
                continue;
            };
            let mut joined = Precision::clone(self.arg.precision(parent));
            joined.extend(&precision);
            self.arg.set_precision(parent, &Rc::new(joined));
            self.arg.reopen(parent);
        }
    }
}
