//! Parts of runs that are not written step by step, since they repeat themselves.
//!
//! A counter of 32 bits goes through 2^32 states, and yet there is little to say about it: the first half of the way is the
//! second one but for one bit. An [`AcceleratedPath`] is a sequence of edges written as a grammar with one word (a straight-line
//! program; Kieffer and Yang, "Grammar-based codes", 2000): what repeats stands there once.
//!
//! To follow it takes no longer than to write it, where it repeats itself in the states as well. What a rule does depends on
//! the variables that its edges read, and on nothing else; so a rule that is come to again with the same values of these
//! leaves the same values behind. (Gosper, "Exploiting regularities in large cellular spaces", 1984, does this for cells.)

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::iterations::Iterations;
use super::{EdgeId, LocationId, ProgramGraph};
use crate::formula::{Terms, Value, Version};

/// Edges, one after the other, at all of which the state before determines the state after.
///
/// It is not empty, and its rules refer to rules before them, so that it is one sequence; whether that is a way through a graph
/// is told by [`AcceleratedPath::ends`].
#[derive(Clone, Debug)]
pub struct AcceleratedPath {
    /// The last rule is the whole.
    rules: Vec<Vec<Symbol>>,
    length: u64,
}

/// What a rule consists of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// One edge.
    Edge(EdgeId),
    /// All that a rule stands for, by its number.
    Rule(usize),
    /// Iterations of which one formula says what they do.
    Iterations(Arc<Iterations>),
}

/// What is taken at once along an accelerated path.
#[derive(Clone, Copy, Debug)]
pub enum Taken<'s> {
    /// One edge.
    Edge(EdgeId),
    /// All iterations but the last one, whose edges come next. The numbers that grow get the values that the last one begins with;
    /// what else the iterations write is not known until it is over.
    AllButTheLast(&'s Iterations),
}

/// Rules are not nested more deeply.
pub const DEEPEST: usize = 200;

/// So many results of rules are remembered while an accelerated path is followed.
const REMEMBERED: usize = 100_000;

impl AcceleratedPath {
    /// What the last of some rules stands for.
    ///
    /// # Errors
    /// In words, if some rule is empty, refers to one that is not before it, or is nested more than [`DEEPEST`].
    pub fn new(rules: Vec<Vec<Symbol>>) -> Result<AcceleratedPath, String> {
        let mut lengths: Vec<u64> = Vec::with_capacity(rules.len());
        let mut depths: Vec<usize> = Vec::with_capacity(rules.len());
        for (number, rule) in rules.iter().enumerate() {
            let (mut length, mut depth) = (0_u64, 0);
            for symbol in rule {
                let (own, below) = match symbol {
                    Symbol::Edge(_) => (1, 0),
                    Symbol::Iterations(iterations) => (
                        iterations
                            .count
                            .saturating_mul(iterations.iteration.len() as u64),
                        0,
                    ),
                    &Symbol::Rule(other) if other < number => (lengths[other], depths[other] + 1),
                    Symbol::Rule(_) => {
                        return Err(format!("rule {number} refers to one that is not before it"));
                    }
                };
                length = length.saturating_add(own);
                depth = depth.max(below);
            }
            if length == 0 {
                return Err(format!("rule {number} is empty"));
            }
            if depth > DEEPEST {
                return Err(format!("rule {number} is nested too deeply"));
            }
            lengths.push(length);
            depths.push(depth);
        }
        let length = *lengths.last().ok_or("there is no rule")?;
        Ok(AcceleratedPath { rules, length })
    }

    /// How many edges it is, at least: the number may be too large for the type.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The edges that it takes, each once.
    pub fn edges(&self) -> BTreeSet<EdgeId> {
        let symbols = self.needed().into_iter().flat_map(|rule| &self.rules[rule]);
        let mut edges = BTreeSet::new();
        for symbol in symbols {
            match symbol {
                Symbol::Edge(edge) => edges.extend([*edge]),
                Symbol::Iterations(iterations) => edges.extend(&iterations.iteration),
                Symbol::Rule(_) => {}
            }
        }
        edges
    }

    /// The rules that the last one stands for something by, in order.
    fn needed(&self) -> BTreeSet<usize> {
        let mut needed = BTreeSet::from([self.rules.len() - 1]);
        for rule in (0..self.rules.len()).rev() {
            if needed.contains(&rule) {
                needed.extend(self.rules[rule].iter().filter_map(|symbol| match symbol {
                    Symbol::Rule(other) => Some(*other),
                    Symbol::Edge(_) | Symbol::Iterations(_) => None,
                }));
            }
        }
        needed
    }

    /// Where it begins and where it ends in a graph.
    ///
    /// # Errors
    /// In words, if it is no way through the graph.
    pub fn ends(&self, graph: &ProgramGraph) -> Result<(LocationId, LocationId), String> {
        let mut ends: Vec<Ends> = Vec::with_capacity(self.rules.len());
        for (number, rule) in self.rules.iter().enumerate() {
            let parts = rule.iter().map(|symbol| match symbol {
                Symbol::Edge(edge) => ends_of_edge(graph, *edge),
                Symbol::Rule(other) => Ok(ends[*other]),
                Symbol::Iterations(iterations) => {
                    let edges = iterations
                        .iteration
                        .iter()
                        .map(|&edge| ends_of_edge(graph, edge));
                    match joined(graph, edges)? {
                        (from, to) if from != to => {
                            Err("an iteration does not end where it begins".into())
                        }
                        ends => Ok(ends),
                    }
                }
            });
            let whole = joined(graph, parts).map_err(|why| format!("in rule {number}, {why}"))?;
            ends.push(whole);
        }
        ends.pop().ok_or_else(|| "there is no rule".into())
    }
}

/// Where something begins and where it ends.
type Ends = (LocationId, LocationId);

fn ends_of_edge(graph: &ProgramGraph, edge: EdgeId) -> Result<Ends, String> {
    let ends = graph.graph.edge_endpoints(edge);
    ends.ok_or_else(|| "an edge does not exist".into())
}

/// The ends of parts that follow one another.
fn joined(
    graph: &ProgramGraph,
    mut parts: impl Iterator<Item = Result<Ends, String>>,
) -> Result<Ends, String> {
    let (first, mut last) = parts.next().ok_or("there is nothing")??;
    for part in parts {
        let (from, to) = part?;
        if from != last {
            let [from, last] = [from, last].map(|location| &graph.graph[location].name);
            return Err(format!(
                "an edge leaves `{from}`, but the one before ends at `{last}`"
            ));
        }
        last = to;
    }
    Ok((first, last))
}

/// A state that edges are taken in, by the numbers of the graph's variables.
pub(super) trait Steps<E> {
    /// Takes an edge, or iterations.
    fn take(&mut self, taken: Taken<'_>) -> Result<(), E>;
    /// The value of a variable now, if it has one.
    fn value(&self, variable: usize) -> Option<&Value>;
    /// Gives a variable a value.
    fn set(&mut self, variable: usize, value: Value);
}

/// The variables that some edges, one after the other, are about, by their numbers in the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Those whose values before matter.
    pub reads: BTreeSet<usize>,
    /// Those that may change.
    pub writes: BTreeSet<usize>,
}

impl Footprint {
    /// Of one edge: what its formula mentions, and what it may change. An edge that does not exist has none.
    pub fn of(terms: &Terms, graph: &ProgramGraph, edge: EdgeId) -> Footprint {
        let number = |name: &str| graph.variables.get_index_of(name);
        let Some(edge) = graph.graph.edge_weight(edge) else {
            return Footprint::default();
        };
        let changed = &edge.transition.changed;
        let free = terms.free_vars(&[edge.transition.formula]);
        let reads = free.into_iter().filter_map(|term| {
            let var = terms.as_var(term)?;
            match var.version {
                // What is kept is the same after the step.
                Version::Next if changed.contains(&var.name) => None,
                _ => number(&var.name),
            }
        });
        Footprint {
            reads: reads.collect(),
            writes: changed.iter().filter_map(|name| number(name)).collect(),
        }
    }

    /// Of edges one after the other.
    pub fn along<'e>(
        terms: &Terms,
        graph: &ProgramGraph,
        edges: impl IntoIterator<Item = &'e EdgeId>,
    ) -> Footprint {
        let mut whole = Footprint::default();
        for &edge in edges {
            whole.add(&Footprint::of(terms, graph, edge));
        }
        whole
    }

    /// Adds other edges behind these: what these write, those do not read from before. (All that may change is given a value:
    /// else no step is determined.)
    pub fn add(&mut self, next: &Footprint) {
        let Footprint { reads, writes } = self;
        reads.extend(next.reads.difference(writes));
        writes.extend(&next.writes);
    }
}

/// What is known about a rule.
struct Effect {
    reads: Vec<usize>,
    writes: Vec<usize>,
    /// For values of those that matter, the values of those that it may change.
    known: HashMap<Vec<Value>, Vec<Value>>,
}

/// Follows an accelerated path, in a graph that it is a way through, and takes each of its edges in each state in which it matters.
pub(super) fn follow<E>(
    terms: &Terms,
    graph: &ProgramGraph,
    accelerated: &AcceleratedPath,
    steps: &mut impl Steps<E>,
) -> Result<(), E> {
    let mut of_edges: HashMap<EdgeId, Footprint> = HashMap::new();
    let mut of_rules: Vec<Footprint> = Vec::with_capacity(accelerated.rules.len());
    for rule in &accelerated.rules {
        let mut whole = Footprint::default();
        for symbol in rule {
            let edges = match symbol {
                Symbol::Edge(edge) => std::slice::from_ref(edge),
                // More iterations read and write nothing else.
                Symbol::Iterations(iterations) => &iterations.iteration,
                Symbol::Rule(other) => {
                    whole.add(&of_rules[*other]);
                    continue;
                }
            };
            for &edge in edges {
                let own = of_edges.entry(edge);
                whole.add(own.or_insert_with(|| Footprint::of(terms, graph, edge)));
            }
        }
        of_rules.push(whole);
    }
    let effects = of_rules
        .into_iter()
        .map(|Footprint { reads, writes }| Effect {
            reads: reads.into_iter().collect(),
            writes: writes.into_iter().collect(),
            known: HashMap::new(),
        });
    let mut following = Following {
        accelerated,
        effects: effects.collect(),
        left: REMEMBERED,
    };
    following.rule(accelerated.rules.len() - 1, steps)
}

struct Following<'s> {
    accelerated: &'s AcceleratedPath,
    effects: Vec<Effect>,
    /// How many more results are remembered.
    left: usize,
}

impl Following<'_> {
    fn rule<E>(&mut self, rule: usize, steps: &mut impl Steps<E>) -> Result<(), E> {
        let accelerated = self.accelerated;
        let Effect {
            reads,
            writes,
            known,
        } = &self.effects[rule];
        let before = values(reads, steps);
        if let Some(after) = before.as_ref().and_then(|before| known.get(before)) {
            for (&variable, value) in writes.iter().zip(after) {
                steps.set(variable, value.clone());
            }
            return Ok(());
        }
        for symbol in &accelerated.rules[rule] {
            match symbol {
                Symbol::Edge(edge) => steps.take(Taken::Edge(*edge))?,
                Symbol::Rule(other) => self.rule(*other, steps)?,
                Symbol::Iterations(iterations) => {
                    steps.take(Taken::AllButTheLast(iterations))?;
                    for &edge in &iterations.iteration {
                        steps.take(Taken::Edge(edge))?;
                    }
                }
            }
        }
        let effect = &mut self.effects[rule];
        if let Some(before) = before
            && let Some(after) = values(&effect.writes, steps)
            && self.left > 0
        {
            self.left -= 1;
            effect.known.insert(before, after);
        }
        Ok(())
    }
}

/// The values of some variables, if all have one.
fn values<E>(variables: &[usize], steps: &impl Steps<E>) -> Option<Vec<Value>> {
    let values = variables
        .iter()
        .map(|&variable| steps.value(variable).cloned());
    values.collect()
}
