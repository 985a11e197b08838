//! A trace with branches, from the facts of a derivation.

use std::collections::{BTreeMap, BTreeSet};

use super::clauses::Encoded;
use super::resolution::nodes;
use ult_core::formula::Value;
use ult_core::graph::evidence::{Branch, RigidMeaning, Run, State, Step};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_smt::Session;
use ult_smt::horn::Fact;

/// Traces with more steps, those of their branches counted, are not put together.
const MOST_STEPS: usize = 1_000_000;

/// The trace that derives the last fact, which is falsity; `None` if none was found.
pub(super) fn trace(
    session: &Session<'_>,
    graph: &ProgramGraph,
    encoded: &Encoded,
    facts: &[Fact],
) -> Result<Option<(LocationId, Run)>, Reason> {
    let nodes = nodes(session, graph, encoded, facts)?;
    Ok(nodes.and_then(|(nodes, rigid)| (Tree { graph, nodes }).run(rigid)))
}

/// What leads to a fact. Other nodes are named by number, and come before it.
pub(super) struct Node {
    /// The node that the trace comes from, or the state that it starts in.
    pub source: Result<usize, State>,
    /// The step taken last; none if the trace has only begun.
    pub step: Option<LastStep>,
    /// The nodes at the premises of the step's edge, or states at the initial location.
    pub premises: Vec<Result<usize, State>>,
}

/// A step.
pub(super) struct LastStep {
    pub edge: EdgeId,
    /// The values of auxiliaries.
    pub aux: BTreeMap<u32, Value>,
    /// The values of the variables that may change.
    pub values: State,
}

/// A derivation.
struct Tree<'g> {
    graph: &'g ProgramGraph,
    nodes: Vec<Node>,
}

impl Tree<'_> {
    /// The trace to the last node.
    fn run(&self, rigid: RigidMeaning) -> Option<(LocationId, Run)> {
        let last = self.nodes.len().checked_sub(1)?;
        let edge = self.nodes[last].step.as_ref()?.edge;
        let (_, error) = self.graph.graph.edge_endpoints(edge)?;
        let mut traces = Traces {
            tree: self,
            branches: Vec::new(),
            of_node: BTreeMap::new(),
            left: MOST_STEPS,
        };
        // A node comes after those that lead to it, so branches come after those that they need.
        for node in self.needed(last) {
            let branch = traces.trace(node)?;
            traces.of_node.insert(node, traces.branches.len());
            traces.branches.push(branch);
        }
        let Branch { start, steps } = traces.trace(last)?;
        let run = Run {
            branches: traces.branches,
            ..Run::new(start, steps, rigid)
        };
        Some((error, run))
    }

    /// The nodes on the way to one, that one first.
    fn chain(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(node), |&node| {
            self.nodes[node].source.as_ref().ok().copied()
        })
    }

    /// The nodes that need branches of their own in the trace to one.
    fn needed(&self, node: usize) -> BTreeSet<usize> {
        let mut needed = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut work = vec![node];
        while let Some(node) = work.pop() {
            for node in self.chain(node) {
                if !seen.insert(node) {
                    break;
                }
                let premises = self.nodes[node].premises.iter().flatten();
                work.extend(premises.filter(|&&premise| needed.insert(premise)));
            }
        }
        needed
    }
}

/// Traces that refer to each other.
struct Traces<'a, 'g> {
    tree: &'a Tree<'g>,
    branches: Vec<Branch>,
    /// The branches of nodes.
    of_node: BTreeMap<usize, usize>,
    /// So many more steps may be written.
    left: usize,
}

impl Traces<'_, '_> {
    /// The trace to a node whose premises have their branches. Where a premise is only a state to start in, a branch is added.
    fn trace(&mut self, node: usize) -> Option<Branch> {
        let mut chain: Vec<usize> = self.tree.chain(node).collect();
        chain.reverse();
        self.left = self.left.checked_sub(chain.len())?;
        let nodes = &self.tree.nodes;
        let start = nodes[*chain.first()?].source.clone().err()?;
        let mut steps = Vec::with_capacity(chain.len());
        for node in chain {
            let Some(taken) = &nodes[node].step else {
                continue;
            };
            let step = Step::new(taken.edge, taken.aux.clone(), taken.values.clone());
            let premises = &nodes[node].premises;
            let branches = premises.iter().map(|premise| self.branch(premise));
            let branches: Vec<usize> = branches.collect::<Option<_>>()?;
            steps.push(match branches.is_empty() {
                true => step,
                false => step.after(branches),
            });
        }
        Some(Branch { start, steps })
    }

    /// The branch to a premise.
    fn branch(&mut self, premise: &Result<usize, State>) -> Option<usize> {
        match premise {
            Ok(node) => self.of_node.get(node).copied(),
            Err(start) => {
                self.branches.push(Branch {
                    start: start.clone(),
                    steps: Vec::new(),
                });
                Some(self.branches.len() - 1)
            }
        }
    }
}
