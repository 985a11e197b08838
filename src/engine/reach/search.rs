//! The loop: take a node from the waitlist; cover it, or expand it and examine the error locations
//! that were reached (thesis, algorithms 5.1 and 5.3).

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use petgraph::visit::{DfsPostOrder, EdgeRef as _};

use super::arg::{Arg, NewNode, NodeId};
use super::entail::Entailments;
use super::posts::{Feasibility, Posts};
use super::precision::{Place, Precision};
use super::settings::{Abstraction, Settings, StateForm};
use super::state::{State, States};
use crate::blocks::Blocks;
use crate::invariants::{Auxiliary, Cursor, Lemmas};
use crate::record::{AbstractEdge, AbstractState, Recorder, Step, Why};
use crate::refining::Advance;
use crate::task::{Outcome, Task};
use ult_core::control::Stop;
use ult_core::formula::{Term, Terms};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::Session;

/// The state of one run.
pub(super) struct Search<'s, 't> {
    pub(super) task: &'s Task<'t>,
    /// How much of the pool of invariants was read.
    read: Cursor,
    pub(super) terms: &'t Terms,
    pub(super) graph: &'s ProgramGraph,
    pub(super) session: &'s Session<'t>,
    pub(super) settings: &'s Settings,
    pub(super) stats: Statistics,
    pub(super) arg: Arg,
    /// So many nodes the trees before this one had.
    discarded: usize,
    pub(super) states: States<'t>,
    pub(super) posts: Posts<'s, 't>,
    pub(super) entailments: Entailments<'s, 't>,
    /// Nodes at error locations that were not examined yet.
    pub(super) errors: VecDeque<NodeId>,
    /// Error locations of which nothing more is to be found out: a run ends there, or they were
    /// given up.
    pub(super) closed: BTreeSet<LocationId>,
    /// All predicates found so far.
    pub(super) predicates: BTreeSet<Term>,
    pub(super) outcome: Outcome,
    pub(super) recorder: Recorder<'s>,
}

impl<'s, 't> Search<'s, 't> {
    /// A search that has not begun.
    pub(super) fn new(
        settings: &'s Settings,
        task: &'s Task<'t>,
        session: &'s Session<'t>,
        blocks: Blocks<'s, 't>,
        known: Lemmas,
    ) -> Search<'s, 't> {
        let graph = task.graph;
        let mut search = Search {
            task,
            read: Cursor::default(),
            terms: task.terms,
            graph,
            session,
            settings,
            stats: Statistics::default(),
            arg: Arg::new(settings.order, ranks(graph)),
            discarded: 0,
            states: States::new(session.terms(), settings.state),
            entailments: Entailments::new(session),
            posts: Posts::new(blocks, known),
            errors: VecDeque::new(),
            closed: BTreeSet::new(),
            predicates: BTreeSet::new(),
            outcome: Outcome::default(),
            recorder: Recorder::new(
                settings.record,
                settings.observers.watcher.as_ref(),
                task.scene(),
            ),
        };
        search.start(Precision::default());
        search
    }

    /// A new tree that consists of its root.
    pub(super) fn start(&mut self, precision: Precision) {
        self.discarded += self.arg.len();
        self.arg = Arg::new(self.settings.order, ranks(self.graph));
        self.errors.clear();
        let state = self.states.top();
        let root = self.arg.add(NewNode {
            location: self.graph.initial,
            parent: None,
            state,
            precision: Rc::new(precision),
        });
        let root_state = self.noted(root);
        self.recorder.note(|| Step::Begin {
            states: vec![root_state],
            edges: Vec::new(),
        });
        if self.graph.graph[self.graph.initial].error.is_some() {
            self.arg.set_expanded(root);
            self.errors.push_back(root);
        } else {
            self.arg.reopen(root);
        }
    }

    /// Searches until nothing is left to do, the run is stopped, or more refinements were made
    /// than `patience` allows, if that is given. It may be called again then.
    pub(super) fn explore(&mut self, patience: Option<u64>) -> Result<Advance, Reason> {
        let before = self.stats.refinements;
        loop {
            while let Some(error) = self.errors.pop_front() {
                self.session.control().check()?;
                self.examine(error)?;
            }
            self.session.control().check()?;
            let refinements = self.stats.refinements - before;
            if patience.is_some_and(|patience| refinements >= patience) {
                return Ok(Advance::OutOfPatience);
            }
            self.listen();
            let Some(node) = self.arg.pop() else {
                return Ok(Advance::Finished);
            };
            if !self.cover(node)? && !self.force_cover(node)? {
                self.expand(node)?;
            }
        }
    }

    /// Reads what others have put in the pool of invariants.
    fn listen(&mut self) {
        if self.settings.auxiliary == Auxiliary::None {
            return;
        }
        for (location, formulas) in self.task.facts.since(self.terms, &mut self.read) {
            for formula in formulas {
                if !self.posts.known(location).contains(&formula) {
                    self.posts.learn(location, formula);
                }
            }
        }
    }

    /// Looks at a node at an error location.
    fn examine(&mut self, error: NodeId) -> Result<(), Reason> {
        if self.arg.is_removed(error) {
            return Ok(());
        }
        if self.arg.is_active(error) {
            return self.refine(error);
        }
        // Another error path has led to covering meanwhile. When that ends, the node is made anew.
        let parent = self.arg.parent(error);
        self.remove(error, Why::Covered);
        if let Some((parent, _)) = parent {
            self.arg.reopen(parent);
        }
        Ok(())
    }

    /// `expand`: makes the successors of a node that it does not have yet.
    fn expand(&mut self, node: NodeId) -> Result<(), Reason> {
        let edges: Vec<(EdgeId, LocationId)> = self
            .graph
            .graph
            .edges(self.arg.location(node))
            .map(|edge| (edge.id(), edge.target()))
            .collect();
        let mut children = Vec::new();
        // The graph lists the newest edge first.
        for (edge, target) in edges.into_iter().rev() {
            self.session.control().check()?;
            if self.closed.contains(&target) || self.arg.has_child(node, edge) {
                continue;
            }
            let Some(state) = self.successor(node, edge, target)? else {
                continue;
            };
            let child = self.arg.add(NewNode {
                location: target,
                parent: Some((node, edge)),
                state,
                precision: self.arg.precision(node).clone(),
            });
            if self.recorder.is_on() {
                let edge = AbstractEdge {
                    number: self.number(child),
                    from: self.number(node),
                    to: self.number(child),
                    block: edge,
                };
                children.push((self.noted(child), edge));
            }
            if self.graph.graph[target].error.is_some() {
                self.arg.set_expanded(child);
                self.errors.push_back(child);
            } else {
                self.arg.reopen(child);
            }
        }
        let state = self.number(node);
        self.recorder.note(|| Step::Expand { state, children });
        self.arg.set_expanded(node);
        let nodes = self.discarded + self.arg.len();
        self.stats.nodes = self.stats.nodes.max(nodes as u64);
        Ok(())
    }

    /// The state after an edge; `None` if there is no step along it.
    fn successor(
        &mut self,
        node: NodeId,
        edge: EdgeId,
        target: LocationId,
    ) -> Result<Option<State>, Stop> {
        let before = self.arg.state(node).formula();
        let feasibility = match self.graph.graph[target].error {
            Some(_) => Feasibility::Asked,
            None => Feasibility::Assumed,
        };
        let (predicates, abstraction) = match self.settings.refinement.abstracting() {
            Some(abstracting) if feasibility == Feasibility::Assumed => {
                let place = Place::of(abstracting.scope, self.graph, target);
                let predicates: Vec<Term> = self.arg.precision(node).at(&place).collect();
                (predicates, abstracting.abstraction)
            }
            _ => (Vec::new(), Abstraction::Cartesian),
        };
        let found = self.posts.post(
            edge,
            before,
            &predicates,
            abstraction,
            feasibility,
            &mut self.stats,
        )?;
        Ok(found.map(|found| self.states.abstraction(&found)))
    }

    /// Whether what `node` says implies what `other`, at the same location, says.
    pub(super) fn implies(&mut self, node: NodeId, other: NodeId) -> Result<bool, Stop> {
        let (a, b) = (self.arg.state(node), self.arg.state(other));
        match (self.states.form(), self.states.implies(a, b)) {
            (StateForm::Bdd, Some(answer)) => Ok(answer),
            _ => {
                let (a, b) = (a.formula(), b.formula());
                self.holds(self.arg.location(node), a, b)
            }
        }
    }

    /// Whether a state formula implies another one at a location.
    pub(super) fn holds(
        &mut self,
        location: LocationId,
        premise: Term,
        conclusion: Term,
    ) -> Result<bool, Stop> {
        let known = self.posts.known(location);
        self.entailments
            .implies(location, known, premise, conclusion)
    }

    /// `cover`: looks for an older node that covers this one. Tells whether there is one.
    pub(super) fn cover(&mut self, node: NodeId) -> Result<bool, Stop> {
        for candidate in self.arg.candidates(node) {
            self.session.control().check()?;
            if self.implies(node, candidate)? {
                self.cover_by(node, candidate);
                self.stats.coverings += 1;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Conjoins a formula to the state of a node. What the node covered and does not cover any
    /// more is uncovered. Tells whether the state says more than before.
    pub(super) fn strengthen(&mut self, node: NodeId, formula: Term) -> Result<bool, Stop> {
        let location = self.arg.location(node);
        let before = self.arg.state(node).clone();
        if self.holds(location, before.formula(), formula)? {
            return Ok(false);
        }
        let state = self.states.meet(&before, formula);
        let changed = state.formula() != before.formula();
        self.arg.set_state(node, state);
        if changed {
            let (state, now) = (self.number(node), self.arg.state(node).formula());
            self.recorder.note(|| Step::Strengthen {
                state,
                by: formula,
                formula: now,
            });
        }
        let mut end = Ok(changed);
        for covered in self.arg.covered_by(node) {
            // Also when there is no time to find out.
            match self.implies(covered, node) {
                Ok(true) => {}
                Ok(false) => self.uncover(covered),
                Err(stop) => {
                    self.uncover(covered);
                    end = Err(stop);
                }
            }
        }
        end
    }

    /// Covers a node by an older one.
    pub(super) fn cover_by(&mut self, node: NodeId, by: NodeId) {
        let (state, other) = (self.number(node), self.number(by));
        self.recorder.note(|| Step::Cover { state, by: other });
        for uncovered in self.arg.cover(node, by) {
            self.note_uncovered(uncovered);
        }
    }

    fn uncover(&mut self, node: NodeId) {
        self.note_uncovered(node);
        self.arg.uncover(node);
    }

    fn note_uncovered(&mut self, node: NodeId) {
        let state = self.number(node);
        self.recorder.note(|| Step::Uncover { state });
    }

    /// Removes a node that stands for no state, and what hangs from it.
    pub(super) fn remove(&mut self, node: NodeId, why: Why) {
        let state = self.number(node);
        self.recorder.note(|| Step::Remove { state, why });
        for orphan in self.arg.remove(node) {
            self.uncover(orphan);
        }
    }

    /// The number of a node in the record.
    pub(super) fn number(&self, node: NodeId) -> u32 {
        let discarded = u32::try_from(self.discarded).unwrap_or(u32::MAX);
        discarded.saturating_add(node.number())
    }

    /// A node, for the record.
    fn noted(&self, node: NodeId) -> AbstractState {
        AbstractState {
            number: self.number(node),
            location: self.arg.location(node),
            formula: self.arg.state(node).formula(),
        }
    }

    /// What holds at a node: its state, and what is known about its location.
    pub(super) fn label(&self, node: NodeId) -> Term {
        let known = self.posts.known(self.arg.location(node)).iter().copied();
        let state = self.arg.state(node).formula();
        self.terms.and(known.chain([state]))
    }
}

/// The position of each location in a topological order, back edges ignored.
fn ranks(graph: &ProgramGraph) -> Vec<u32> {
    let mut ranks = vec![0; graph.graph.node_count()];
    let mut rank = u32::MAX;
    let mut walk = DfsPostOrder::new(&graph.graph, graph.initial);
    while let Some(location) = walk.next(&graph.graph) {
        ranks[location.index()] = rank;
        rank -= 1;
    }
    ranks
}
