//! Slicing abstraction with path formulas: Algorithm 1 of Ermis, Hoenicke, Podelski and Schäf,
//! "Slicing Abstraction using Path Formulas" (section 5).
//!
//! The abstraction is a labelled program graph ([`labelled`]): each node is a location together
//! with a formula. Again and again: find an error path, decide its path formula; if it is
//! infeasible, interpolate, `split` each node on the path by its interpolant, and `slice` the
//! edges that became infeasible.
//!
//! Choices that the paper leaves open:
//!
//! * *Which error path first*: a shortest one, by breadth-first search in the order of node
//!   numbers. Short paths give small formulas and simple interpolants.
//! * *When to slice*: an edge is checked when it first lies on a candidate error path, not when
//!   it is made. Edges on no error path are never checked.
//! * *Trivial interpolants*: a node is not split when its interpolant is `true` or `false`, or is
//!   a literal of its label already, since one half would be empty.
//! * *Many refinements*: the search can pause after some of them ([`Refining`]), which gives the
//!   graph a second look with its loops split into phases ([`phases`](crate::phases)).
//! * *Whose interpolants*: those of the strategy, or what an [`Adviser`](crate::path::Adviser) puts in
//!   their place.
//! * *One half infeasible*: when an edge known to be feasible is copied in a split and one copy
//!   turns out infeasible, the other copy is feasible without a check.

mod edges;
pub mod labelled;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use self::edges::EdgeChecks;
use self::labelled::{Labelled, NodeId, number};
use crate::blocks::Blocks;
use crate::facts::Facts;
use crate::invariants::{Auxiliary, Lemmas, known};
use crate::limits;
use crate::observers::Observers;
use crate::path::{Decision, Path};
use crate::record::{Record, Recorder, Step, Why};
use crate::refining::{self, Advance, Refining, without_pause};
use crate::task::{Engine, Outcome, Task};
use ult_core::formula::{Op, Term, Terms};
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_interpolate::Strategy;
use ult_interpolate::simplify::simplified;
use ult_smt::Session;

/// The engine and its settings.
#[derive(Clone, Debug, Default)]
pub struct SlicingAbstraction {
    /// How interpolants are computed.
    pub interpolation: Strategy,
    /// What is assumed at every location before the first path is looked at.
    pub auxiliary: Auxiliary,
    /// Whether to record the steps, see [`record`](crate::record).
    pub record: bool,
    /// Who watches the search, and who may explain paths in its place.
    pub observers: Observers,
}

impl Engine for SlicingAbstraction {
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        without_pause(self, task, stats)
    }
}

impl Refining for SlicingAbstraction {
    fn auxiliary(&self) -> Auxiliary {
        self.auxiliary
    }

    fn begin<'s, 't>(
        &'s self,
        task: &'s Task<'t>,
        session: &'s Session<'t>,
        stats: &mut Statistics,
    ) -> Box<dyn refining::Search + 's> {
        Box::new(self.search(task, session, stats))
    }
}

impl SlicingAbstraction {
    /// As [`Engine::run`], with the labelled graph at the end: for those who want to see how the
    /// algorithm thinks.
    pub fn run_to_labelled(&self, task: &Task<'_>, stats: &mut Statistics) -> (Outcome, Labelled) {
        let session = Session::new(task.terms, &task.graph.axioms, task.control);
        let mut search = self.search(task, &session, stats);
        let end = search.refine(None, stats);
        search.end(end);
        let labelled = search.labelled.clone();
        let outcome = search.into_outcome();
        session.take_calls(stats);
        (outcome, labelled)
    }

    /// A search that has not looked at a path yet.
    fn search<'s, 't>(
        &'s self,
        task: &'s Task<'t>,
        session: &'s Session<'t>,
        stats: &mut Statistics,
    ) -> Search<'s, 't> {
        let Task { terms, graph, .. } = *task;
        let mut blocks = Blocks::new(session, graph);
        let known = known(task, &mut blocks, self.auxiliary, stats);
        let labelled = Labelled::new(graph, &known);
        let mut recorder =
            Recorder::new(self.record, self.observers.watcher.as_ref(), task.scene());
        recorder.note(|| labelled.beginning(terms));
        Search {
            terms,
            graph,
            facts: task.facts,
            session,
            interpolation: &self.interpolation,
            observers: &self.observers,
            known,
            labelled,
            blocks,
            edges: EdgeChecks::default(),
            outcome: Outcome::default(),
            recorder,
        }
    }
}

/// The invariants that the labelled graph stands for, simplified: they are what people read.
fn invariants(
    session: &Session<'_>,
    labelled: &Labelled,
    known: &Lemmas,
) -> BTreeMap<LocationId, Term> {
    let terms = session.terms();
    let mut budget = 200;
    let mut all = labelled.invariants(terms);
    for (location, formula) in &mut all {
        let known = known.get(location).into_iter().flatten().copied();
        *formula = simplified(session, terms.and(known.chain([*formula])), &mut budget);
    }
    all
}

/// The state of one run of the algorithm.
struct Search<'s, 't> {
    terms: &'t Terms,
    graph: &'s ProgramGraph,
    facts: &'s Facts,
    session: &'s Session<'t>,
    interpolation: &'s Strategy,
    observers: &'s Observers,
    /// What is known about the locations from the beginning on.
    known: Lemmas,
    labelled: Labelled,
    blocks: Blocks<'s, 't>,
    edges: EdgeChecks,
    outcome: Outcome,
    recorder: Recorder<'s>,
}

impl refining::Search for Search<'_, '_> {
    fn go_on(&mut self, patience: Option<u64>, stats: &mut Statistics) -> Result<Advance, Reason> {
        self.refine(patience, stats)
    }

    fn note(&mut self, step: Step) {
        self.recorder.note(|| step);
    }

    fn finish(mut self: Box<Self>, end: Result<Advance, Reason>, _: &mut Statistics) -> Outcome {
        self.end(end);
        self.into_outcome()
    }

    fn abandon(self: Box<Self>, _: &mut Statistics) -> Vec<Record> {
        self.recorder.finish()
    }
}

impl Search<'_, '_> {
    /// Notes how the search ended. What has an error path still is undecided if it ended early.
    fn end(&mut self, end: Result<Advance, Reason>) {
        self.recorder.note(|| match &end {
            Ok(_) => Step::Finished,
            Err(reason) => Step::Stopped {
                reason: reason.clone(),
            },
        });
        if let Err(stop) = end {
            for location in self.labelled.reachable_errors() {
                self.outcome.undecided.insert(location, stop.clone());
            }
        }
    }

    /// What was found out.
    fn into_outcome(self) -> Outcome {
        let mut outcome = self.outcome;
        outcome.records = self.recorder.finish();
        outcome.claim(invariants(self.session, &self.labelled, &self.known));
        outcome
    }

    /// The main loop. An error ends it early; what was found so far stays.
    fn refine(&mut self, patience: Option<u64>, stats: &mut Statistics) -> Result<Advance, Reason> {
        let before = stats.refinements;
        loop {
            self.session.control().check()?;
            if patience.is_some_and(|patience| stats.refinements - before >= patience) {
                return Ok(Advance::OutOfPatience);
            }
            let Some(path) = self.labelled.shortest_error_path() else {
                return Ok(Advance::Finished);
            };
            // Whether there is a step along a single edge is what its path formula asks.
            if path.len() > 1 && self.slice_along(&path, stats)? {
                continue;
            }
            stats.paths += 1;
            let nodes = self.labelled.nodes_of(&path);
            let end = nodes[nodes.len() - 1];
            let error = self.labelled.location(end);
            let blocks: Vec<_> = path.iter().map(|&e| self.labelled.block(e)).collect();
            let labels: Vec<Term> = nodes
                .iter()
                .map(|&n| self.labelled.label(self.terms, n))
                .collect();
            let question = Path::new(self.session, self.graph, &blocks, &labels);
            self.recorder.note(|| Step::Path {
                states: nodes.iter().map(|node| number(*node)).collect(),
                blocks: blocks.clone(),
            });
            let decision = match path[..] {
                [edge] => match question.follow(Some(limits::PATH)) {
                    Ok(Some(run)) => Decision::Run(run),
                    Ok(None) => {
                        self.slice(edge, stats);
                        continue;
                    }
                    Err(failure) => Decision::Open(failure.into()),
                },
                _ => question.decide(limits::PATH, self.interpolation, stats),
            };
            match self.observers.advised(&question, decision) {
                Decision::Run(run) => {
                    self.recorder.note(|| Step::Run { error });
                    self.facts.found(error, &run, false);
                    self.outcome.runs.insert(error, run);
                    self.labelled.forget_error(end);
                }
                Decision::Interpolants(interpolants) => {
                    if self.split_along(&nodes, &path, &interpolants, stats) {
                        stats.refinements += 1;
                        let meter = self.session.control().meter();
                        meter.count(|stats| stats.refinements += 1);
                    } else {
                        let text = "the interpolants split nothing";
                        self.give_up(end, Reason::Interpolation(text.into()));
                    }
                }
                Decision::Open(reason) => {
                    self.session.control().check()?;
                    self.give_up(end, reason);
                }
            }
        }
    }

    fn give_up(&mut self, end: NodeId, reason: Reason) {
        let error = self.labelled.location(end);
        self.recorder.note(|| Step::GiveUp {
            error,
            reason: reason.clone(),
        });
        self.outcome.undecided.insert(error, reason);
        self.labelled.forget_error(end);
    }

    /// `slice`, restricted to a candidate path: checks its unchecked edges, removes the first
    /// infeasible one. Tells whether one was removed.
    fn slice_along(
        &mut self,
        path: &[labelled::LabelledEdgeId],
        stats: &mut Statistics,
    ) -> Result<bool, Reason> {
        for &edge in path {
            if self.labelled.is_feasible(edge) {
                continue;
            }
            let (source, target) = self.labelled.endpoints(edge);
            let feasible = self.edges.feasible(
                &mut self.blocks,
                self.labelled.block(edge),
                self.labelled.literals(source),
                self.labelled.literals(target),
                stats,
            )?;
            if feasible {
                self.labelled.mark_feasible(edge);
            } else {
                self.slice(edge, stats);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `slice`: removes an edge along which there is no step.
    fn slice(&mut self, edge: labelled::LabelledEdgeId, stats: &mut Statistics) {
        self.recorder.note(|| Step::Slice {
            edges: vec![labelled::edge_number(edge)],
            why: Why::NoStep,
        });
        self.labelled.slice(edge);
        stats.sliced_edges += 1;
    }

    /// `split` for every node on the path whose interpolant says something. The sequence is
    /// inductive, so the copies of the path's edges from a half with `I_i` to a half with
    /// `!I_{i+1}` are infeasible and are removed at once. Tells whether anything changed.
    fn split_along(
        &mut self,
        nodes: &[NodeId],
        path: &[labelled::LabelledEdgeId],
        interpolants: &[Term],
        stats: &mut Statistics,
    ) -> bool {
        let inner = nodes[1..].iter().zip(interpolants);
        self.recorder.note(|| Step::Interpolants {
            at: inner.map(|(&node, &term)| (number(node), term)).collect(),
        });
        let blocks: Vec<_> = path.iter().map(|&e| self.labelled.block(e)).collect();
        // For every inner node: the half where the interpolant holds, and the half where not.
        let mut halves: BTreeMap<usize, (Option<NodeId>, Option<NodeId>)> = BTreeMap::new();
        halves.insert(0, (Some(nodes[0]), None));
        halves.insert(nodes.len() - 1, (None, Some(nodes[nodes.len() - 1])));
        let mut changed = false;
        for (i, (&node, &interpolant)) in nodes[1..].iter().zip(interpolants).enumerate() {
            let negation = self.terms.not(interpolant);
            let position = i + 1;
            let literals = self.labelled.literals(node);
            let half = match self.terms.op(interpolant) {
                Op::Bool(true) => (Some(node), None),
                Op::Bool(false) => (None, Some(node)),
                _ if literals.contains(&interpolant) => (Some(node), None),
                _ if literals.contains(&negation) => (None, Some(node)),
                _ => {
                    let other = self.labelled.split(node, interpolant, negation);
                    self.recorder.note(|| Step::Split {
                        state: number(node),
                        by: interpolant,
                        formula: self.labelled.label(self.terms, node),
                        other: self.labelled.abstract_state(self.terms, other),
                        edges: self.labelled.edges_at(other),
                    });
                    stats.splits += 1;
                    changed = true;
                    (Some(node), Some(other))
                }
            };
            halves.insert(position, half);
        }
        let mut sliced = Vec::new();
        for (i, &block) in blocks.iter().enumerate() {
            if let (Some(from), Some(to)) = (halves[&i].0, halves[&(i + 1)].1)
                && let Some(edge) = self.labelled.slice_between(from, to, block)
            {
                stats.sliced_edges += 1;
                changed = true;
                sliced.push(labelled::edge_number(edge));
            }
        }
        if !sliced.is_empty() {
            self.recorder.note(|| Step::Slice {
                edges: sliced,
                why: Why::Interpolants,
            });
        }
        stats.nodes = stats.nodes.max(self.labelled.len() as u64);
        changed
    }
}
