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
//! * *Many refinements*: after [`PATIENCE`] of them the graph gets a second look with its loops
//!   split into phases (`engine::phases`), within a fifth of the time left. If that decides everything,
//!   it is the result; else the search goes on where it was.
//! * *One half infeasible*: when an edge known to be feasible is copied in a split and one copy
//!   turns out infeasible, the other copy is feasible without a check.

mod edges;
pub mod labelled;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use self::edges::EdgeChecks;
use self::labelled::{Labelled, NodeId, number};
use crate::blocks::Blocks;
use crate::invariants::{Auxiliary, Known, known};
use crate::path::{Decision, Path};
use crate::phases::{self, PATIENCE};
use crate::record::{Recorder, Step, Why};
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
}

/// The formula of a path that is not decided in this time is left open: with quantifiers, the
/// solver may search for ever.
const PATH_LIMIT: Duration = Duration::from_secs(120);

impl Engine for SlicingAbstraction {
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        self.search(task, stats, Some(PATIENCE)).0
    }
}

impl SlicingAbstraction {
    /// As [`Engine::run`], with the labelled graph at the end: for those who want to see how the
    /// algorithm thinks.
    pub fn run_to_labelled(&self, task: &Task<'_>, stats: &mut Statistics) -> (Outcome, Labelled) {
        self.search(task, stats, None)
    }

    /// The algorithm. After `patience` refinements, if given, the graph gets a second look.
    fn search(
        &self,
        task: &Task<'_>,
        stats: &mut Statistics,
        patience: Option<u64>,
    ) -> (Outcome, Labelled) {
        let Task {
            terms,
            graph,
            control,
            ..
        } = *task;
        let session = Session::new(terms, &graph.axioms, control);
        let mut blocks = Blocks::new(&session, graph);
        let known = known(task, &mut blocks, self.auxiliary, stats);
        let mut search = Search {
            terms,
            graph,
            session: &session,
            interpolation: &self.interpolation,
            labelled: Labelled::new(graph, &known),
            blocks,
            edges: EdgeChecks::default(),
            outcome: Outcome::default(),
            recorder: Recorder::new(self.record),
        };
        search.recorder.note(|| search.labelled.beginning(terms));
        let mut end = search.refine(patience, stats);
        if let Ok(Progress::OutOfPatience) = end {
            let second = match self.auxiliary {
                Auxiliary::None => None,
                Auxiliary::Auto => {
                    phases::second_look(task, |split| self.search(split, stats, None).0)
                }
            };
            let decided = second.is_some();
            search.recorder.note(|| Step::SecondLook { decided });
            if let Some(mut outcome) = second {
                session.take_calls(stats);
                outcome
                    .records
                    .splice(0..0, std::mem::take(&mut search.recorder).finish());
                return (outcome, search.labelled);
            }
            end = search.refine(None, stats);
        }
        search.recorder.note(|| match &end {
            Ok(_) => Step::Finished,
            Err(reason) => Step::Stopped {
                reason: reason.clone(),
            },
        });
        if let Err(stop) = end {
            for location in search.labelled.reachable_errors() {
                search.outcome.undecided.insert(location, stop.clone());
            }
        }
        let mut outcome = search.outcome;
        outcome.records = search.recorder.finish();
        outcome.claim(invariants(&session, &search.labelled, &known));
        session.take_calls(stats);
        (outcome, search.labelled)
    }
}

/// How a part of the search ended.
enum Progress {
    /// No error path is left.
    Finished,
    /// There were as many refinements as patience allowed.
    OutOfPatience,
}

/// The invariants that the labelled graph stands for, simplified: they are what people read.
fn invariants(
    session: &Session<'_>,
    labelled: &Labelled,
    known: &Known,
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
    session: &'s Session<'t>,
    interpolation: &'s Strategy,
    labelled: Labelled,
    blocks: Blocks<'s, 't>,
    edges: EdgeChecks,
    outcome: Outcome,
    recorder: Recorder,
}

impl Search<'_, '_> {
    /// The main loop. An error ends it early; what was found so far stays.
    fn refine(
        &mut self,
        patience: Option<u64>,
        stats: &mut Statistics,
    ) -> Result<Progress, Reason> {
        let before = stats.refinements;
        loop {
            self.session.control().check()?;
            if patience.is_some_and(|patience| stats.refinements - before >= patience) {
                return Ok(Progress::OutOfPatience);
            }
            let Some(path) = self.labelled.shortest_error_path() else {
                return Ok(Progress::Finished);
            };
            if self.slice_along(&path, stats)? {
                continue;
            }
            stats.paths += 1;
            let nodes = self.labelled.nodes_of(&path);
            let error = self.labelled.location(nodes[nodes.len() - 1]);
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
            match question.decide(PATH_LIMIT, self.interpolation, stats) {
                Decision::Run(run) => {
                    self.recorder.note(|| Step::Run { error });
                    self.outcome.runs.insert(error, run);
                    self.labelled.forget_error(error);
                }
                Decision::Interpolants(interpolants) => {
                    if self.split_along(&nodes, &path, &interpolants, stats) {
                        stats.refinements += 1;
                    } else {
                        let text = "the interpolants split nothing";
                        self.give_up(error, Reason::Interpolation(text.into()));
                    }
                }
                Decision::Open(reason) => {
                    self.session.control().check()?;
                    self.give_up(error, reason);
                }
            }
        }
    }

    fn give_up(&mut self, error: LocationId, reason: Reason) {
        self.recorder.note(|| Step::GiveUp {
            error,
            reason: reason.clone(),
        });
        self.outcome.undecided.insert(error, reason);
        self.labelled.forget_error(error);
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
                self.recorder.note(|| Step::Slice {
                    edges: vec![labelled::edge_number(edge)],
                    why: Why::NoStep,
                });
                self.labelled.slice(edge);
                stats.sliced_edges += 1;
                return Ok(true);
            }
        }
        Ok(false)
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
