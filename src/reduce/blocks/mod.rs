//! Large-block encoding: one edge for each loop-free part of the program.
//!
//! The rules are those of Ermis, Hoenicke, Podelski, Schäf ("Slicing Abstraction using Path
//! Formulas", section 4) and Beyer et al. ("Software Model Checking via Large-Block Encoding"):
//! sequential composition at a location that one edge enters, and disjunction of parallel edges,
//! as long as either applies. Their fixed point is computed directly. The locations that remain,
//! the *cut points*, are found first ([`cutpoints`]); the other locations form an acyclic
//! *region* below each of them, which is executed symbolically ([`symbolic`]) in topological
//! order, once for each original edge. Other block operators ([`Blocks`]) have other cut points;
//! where they let regions overlap, an edge is executed once for each region.
//!
//! Formulas are not duplicated. The condition of a location is given relative to its immediate
//! dominator in the region ([`dominators`]): a sequence of `n` if-statements becomes a
//! conjunction of `n` disjunctions.

mod back;
mod cutpoints;
mod dominators;
mod operator;
mod shared_prefixes;
mod symbolic;

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use indexmap::IndexMap;

use self::back::{Back, Block, Incoming};
use self::cutpoints::Regions;
use self::dominators::Dominators;
pub use self::operator::Blocks;
use self::symbolic::{Environment, Symbolic, aux_number};
use super::effect::{Effect, Vars};
use super::liveness::Liveness;
use super::{Reduced, compose};
use ult_core::formula::{Term, Terms};
use ult_core::graph::analysis::{Adjacency, Order, source, target};
use ult_core::graph::{Edge, EdgeId, LocationId, ProgramGraph, Transition};

/// Up to this size, an auxiliary that is the final value of a variable is replaced by it.
const TIDY_UP_TO: usize = 1000;

/// Merges edges into blocks. The locations in `keep`, by index, stay.
///
/// Sibling edges of the result, which leave the same location, share the auxiliaries of what they
/// have in common. Variables that are not live at the end of an edge are arbitrary there, except
/// at error locations: no run continues from them, so the edges to them change nothing.
pub fn blocks(terms: &Terms, graph: &ProgramGraph, operator: Blocks, keep: &[bool]) -> Reduced {
    if operator == Blocks::None {
        return Reduced {
            graph: graph.clone(),
            back: Box::new(compose::Compose { steps: Vec::new() }),
        };
    }
    let adjacency = Adjacency::of(graph);
    let order = Order::of(graph, &adjacency);
    let vars = Vars::of(terms, graph);
    let effects: Vec<Effect> = graph
        .graph
        .edge_weights()
        .map(|edge| Effect::of(terms, &vars, &edge.transition))
        .collect();
    let liveness = Liveness::of(graph, &adjacency, &order, &effects);
    let regions = cutpoints::regions(graph, &adjacency, &order, operator, keep);

    let mut smaller = graph.without_locations();
    let mut new = HashMap::new();
    let mut locations = Vec::new();
    for location in graph.graph.node_indices() {
        if regions.cut[location.index()] {
            let copy = smaller.graph.add_node(graph.graph[location].clone());
            new.insert(location, copy);
            locations.push(location);
        }
    }
    smaller.initial = new[&graph.initial];

    let mut builder = Builder {
        operator,
        adjacency: &adjacency,
        regions: &regions,
        dominators: Dominators::new(terms, graph.graph.node_count()),
        symbolic: Symbolic::new(terms, graph, &vars, &effects, &liveness),
        incoming: Vec::new(),
    };
    let mut blocks = Vec::new();
    for &cut in &order.locations {
        for (target, edge, block) in builder.execute(cut) {
            smaller.graph.add_edge(new[&cut], new[&target], edge);
            blocks.push(block);
        }
    }
    let Builder {
        symbolic, incoming, ..
    } = builder;
    let edges = symbolic.edges;
    let back = Back {
        locations,
        blocks,
        incoming,
        shared_prefixes: OnceCell::new(),
        edges,
        replay: super::replay::Replay::new(graph, vars, effects),
    };
    Reduced {
        graph: smaller,
        back: Box::new(back),
    }
}

/// Builds the blocks of one cut point after the other.
struct Builder<'a> {
    operator: Blocks,
    adjacency: &'a Adjacency,
    regions: &'a Regions,
    dominators: Dominators<'a>,
    symbolic: Symbolic<'a>,
    /// For the way back: the edges into the eliminated locations of all regions.
    incoming: Vec<Vec<Incoming>>,
}

/// An edge that was executed.
struct Passed {
    edge: EdgeId,
    /// The number of the edges into the location that it leaves, if that is eliminated.
    before: Option<usize>,
    condition: Term,
    /// Missing where no variable is live.
    environment: Option<Environment>,
}

impl Builder<'_> {
    /// The blocks that leave a location; none if it is no cut point.
    fn execute(&mut self, cut: LocationId) -> Vec<(LocationId, Edge, Block)> {
        let graph = self.symbolic.graph;
        let regions = self.regions;
        let mut arrived: HashMap<LocationId, Vec<Passed>> = HashMap::new();
        let mut leaving: IndexMap<LocationId, Vec<Passed>> = IndexMap::new();
        for &location in &regions.members[cut.index()] {
            let (environment, before) = if location == cut {
                self.dominators.add_root(cut);
                (self.symbolic.start(), None)
            } else {
                let passed = arrived.remove(&location).unwrap_or_default();
                match self.enter(location, passed) {
                    Some(environment) => (environment, Some(self.incoming.len() - 1)),
                    None => continue,
                }
            };
            for &edge in &self.adjacency.out[location.index()] {
                let (condition, environment) = self.symbolic.pass(cut, edge, environment.clone());
                if condition == self.symbolic.terms.ff() {
                    continue;
                }
                let target = target(graph, edge);
                let eliminated = !regions.cut[target.index()];
                let passed = Passed {
                    edge,
                    before,
                    condition,
                    environment: (eliminated || graph.graph[target].error.is_none())
                        .then_some(environment),
                };
                if eliminated {
                    arrived.entry(target).or_default().push(passed);
                } else {
                    leaving.entry(target).or_default().push(passed);
                }
            }
        }
        let mut blocks = Vec::new();
        for (target, passed) in leaving {
            match self.operator {
                Blocks::Large | Blocks::Loops | Blocks::Functions | Blocks::AtMost(_) => {
                    blocks.push(self.leave(cut, target, passed));
                }
                // Only chains are contracted; parallel edges stay.
                Blocks::None | Blocks::Sequence => blocks.extend(
                    passed
                        .into_iter()
                        .map(|passed| self.leave(cut, target, vec![passed])),
                ),
            }
        }
        blocks
    }

    /// Enters an eliminated location: gives it its place in the dominator tree and returns the
    /// environment there, or nothing if it cannot be reached.
    fn enter(&mut self, location: LocationId, passed: Vec<Passed>) -> Option<Environment> {
        let terms = self.symbolic.terms;
        let dominator = self.dominator_of(&passed)?;
        let environments: Vec<Environment> = passed
            .iter()
            .filter_map(|passed| passed.environment.clone())
            .collect();
        let (environment, equations) = self.symbolic.join(location, &environments);
        let disjuncts = self.disjuncts(dominator, &passed, &equations);
        self.dominators
            .add(location, dominator, terms.or(disjuncts.iter().copied()));
        self.incoming.push(incoming(terms, &passed, &disjuncts));
        Some(environment)
    }

    /// The block made of the edges that enter one cut point from the region of another.
    fn leave(
        &mut self,
        cut: LocationId,
        to: LocationId,
        passed: Vec<Passed>,
    ) -> (LocationId, Edge, Block) {
        let terms = self.symbolic.terms;
        let (vars, graph) = (self.symbolic.vars, self.symbolic.graph);
        let dominator = self.dominator_of(&passed).unwrap_or(cut);
        let start = self.symbolic.start();
        let environments: Vec<Environment> = passed
            .iter()
            .map(|passed| passed.environment.clone().unwrap_or_else(|| start.clone()))
            .collect();
        let differing: HashSet<usize> =
            self.symbolic.differing(&environments).into_iter().collect();
        let mut changed: Vec<usize> = environments
            .iter()
            .flat_map(|environment| environment.differences(&start))
            .collect();
        changed.sort_unstable();
        changed.dedup();

        let mut equations = vec![Vec::new(); passed.len()];
        let mut common = Vec::new();
        // Auxiliaries that are the final value of a variable.
        let mut finals: HashMap<Term, usize> = HashMap::new();
        for &var in &changed {
            let next = vars.next(var);
            if !self.symbolic.liveness.is_live(to, var) {
                continue;
            }
            if differing.contains(&var) {
                for (equations, environment) in equations.iter_mut().zip(&environments) {
                    equations.push(terms.eq(next, environment.get(var)));
                }
            } else {
                let value = environments[0].get(var);
                if aux_number(terms, value).is_some() {
                    finals.entry(value).or_insert(var);
                }
                common.push(terms.eq(next, value));
            }
        }
        let disjuncts = self.disjuncts(dominator, &passed, &equations);
        let mut conditions = self.dominators.between(cut, dominator);
        conditions.push(terms.or(disjuncts.iter().copied()));
        conditions.extend(common);
        let mut formula = terms.and(conditions);
        let mut block = Block {
            source: cut,
            last: incoming(terms, &passed, &disjuncts),
            finals: Vec::new(),
        };
        if !finals.is_empty() && is_small(terms, formula, TIDY_UP_TO) {
            let next = finals.iter().map(|(&aux, &var)| (aux, vars.next(var)));
            formula = terms.substitute(formula, &next.collect());
            block.finals = finals
                .into_iter()
                .filter_map(|(aux, var)| Some((aux_number(terms, aux)?, var)))
                .collect();
            block.finals.sort_unstable();
        }
        let origin = match passed[..] {
            [Passed { edge, .. }] if source(graph, edge) == cut => graph.graph[edge].origin,
            _ => None,
        };
        let changed = changed.iter().map(|&var| vars.name(var).clone());
        let edge = Edge::new(
            Transition {
                formula,
                changed: changed.collect::<BTreeSet<_>>(),
            },
            origin,
        );
        (to, edge, block)
    }

    /// The closest location that all paths to the given edges visit.
    fn dominator_of(&self, passed: &[Passed]) -> Option<LocationId> {
        let graph = self.symbolic.graph;
        passed
            .iter()
            .map(|passed| source(graph, passed.edge))
            .reduce(|left, right| self.dominators.common(left, right))
    }

    /// For each edge the condition for coming from the dominator to the end of the edge.
    fn disjuncts(
        &self,
        dominator: LocationId,
        passed: &[Passed],
        equations: &[Vec<Term>],
    ) -> Vec<Term> {
        let (terms, graph) = (self.symbolic.terms, self.symbolic.graph);
        let pairs = passed.iter().zip(equations);
        pairs
            .map(|(passed, equations)| {
                let mut conditions = self
                    .dominators
                    .between(dominator, source(graph, passed.edge));
                conditions.push(passed.condition);
                conditions.extend(equations);
                terms.and(conditions)
            })
            .collect()
    }
}

/// What the way back has to know about edges into one location. An edge that can be taken in any state goes first, so that there
/// is nothing to evaluate.
fn incoming(terms: &Terms, passed: &[Passed], disjuncts: &[Term]) -> Vec<Incoming> {
    let pairs = passed.iter().zip(disjuncts);
    let mut incoming: Vec<Incoming> = pairs
        .map(|(passed, &condition)| Incoming {
            edge: passed.edge,
            before: passed.before,
            condition: (condition != terms.tt()).then_some(condition),
        })
        .collect();
    incoming.sort_by_key(|incoming| incoming.condition.is_some());
    incoming
}

/// Whether a term has at most `limit` nodes.
fn is_small(terms: &Terms, root: Term, limit: usize) -> bool {
    let mut seen = HashSet::from([root]);
    let mut stack = vec![root];
    while let Some(term) = stack.pop() {
        for &arg in terms.args(term) {
            if seen.insert(arg) {
                stack.push(arg);
            }
        }
        if seen.len() > limit {
            return false;
        }
    }
    true
}
