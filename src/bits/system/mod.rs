//! A program graph as a circuit: latches, inputs, next-state functions.
//!
//! After Ivančić, Yang, Ganai, Gupta, Ashar: "Efficient SAT-based bounded model checking for software
//! verification" (TCS 2008), sections 3 and 4. The location is a part of the state, as a program
//! counter in binary or with one bit for each location. What a step is can be chosen: one edge, or
//! all from one loop head to the next, which is one circuit with the paths' conditions in it.
//!
//! From each state and each choice of inputs there is exactly one step. A run that can take no edge
//! *halts*, in a location of its own.

mod latches;
mod run;
mod steps;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use num_bigint::BigInt;

use self::steps::{landmarks, with_a_way_to_an_error};
use crate::aig::{Aig, Lit, Node};
use crate::blast::{Bits, width_of_range};
use crate::words::Word;
use ult_core::control::Control;
use ult_core::formula::{Sort, Terms};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::reason::Reason;

/// How far a step goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stepping {
    /// From a loop head, or the initial location, to the next.
    #[default]
    Loops,
    /// From a location where edges meet, or part, to the next: a basic block.
    Blocks,
    /// One edge.
    Statements,
}

/// How the location is written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counter {
    /// As a number.
    #[default]
    Binary,
    /// One bit for each location.
    OneHot,
}

/// What a circuit is made for.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How far a step goes.
    pub stepping: Stepping,
    /// How the location is written down.
    pub counter: Counter,
    /// Within which numbers integers stay, as far as that is known.
    pub ranges: BTreeMap<Arc<str>, (BigInt, BigInt)>,
    /// How many bits other integers have, one for the sign included. A run in which they need more
    /// halts: the circuit allows less than the program then. 0 if they are to have no circuit.
    pub integers: usize,
}

/// So many values behind edges a graph may have: about a second's work.
const LARGEST_GRAPH: usize = 100_000_000;

/// So many nodes a circuit may have, unrolled or not: about a gigabyte with a solver's clauses.
pub(crate) const LARGEST_CIRCUIT: usize = 5_000_000;

/// Why there is no circuit.
pub(crate) fn too_large() -> Reason {
    Reason::Incomplete("the circuit of the program is too large".into())
}

/// What a latch holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A bit of the location.
    Location,
    /// A bit of a variable (its number), the lowest is 0.
    Variable(usize, u32),
    /// A bit of a symbol, which never changes.
    Symbol(Arc<str>, u32),
}

/// A bit of the state.
#[derive(Clone, Debug)]
pub struct Latch {
    /// Its value before a step.
    pub lit: Lit,
    /// Its value after the step.
    pub next: Lit,
    /// Its value at the start, if that is fixed.
    pub start: Option<bool>,
    /// What it says.
    pub content: Content,
}

/// An error location that a step may end in.
#[derive(Clone, Debug)]
pub struct Bad {
    /// The location.
    pub error: LocationId,
    /// Whether the step does, of the state before it and the inputs.
    pub lit: Lit,
}

/// How large a circuit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Bits of the state.
    pub latches: usize,
    /// Conjunctions.
    pub gates: usize,
    /// Bits that are anything in each step.
    pub inputs: usize,
}

/// An edge within a step.
struct Passed {
    edge: EdgeId,
    target: LocationId,
    /// Whether it is taken, if the step begins at the region's location.
    taken: Lit,
    /// Values that its formula leaves open, by variable.
    chosen: Vec<(usize, Bits)>,
    aux: Vec<(u32, Sort, Bits)>,
}

/// The steps from one location.
struct Region {
    passed: Vec<Passed>,
}

/// The circuit of a program graph.
pub struct System {
    /// All gates.
    pub aig: Aig,
    /// The state.
    pub latches: Vec<Latch>,
    /// The leaves that are no latches.
    pub inputs: Vec<Lit>,
    /// The error locations, those that edges lead to.
    pub bads: Vec<Bad>,
    /// Where steps begin and end, error locations apart. The first is the initial location.
    pub locations: Vec<LocationId>,
    /// Why parts of it allow more than the graph: leaves that stand for what has no circuit.
    pub opaque: HashMap<usize, Rc<str>>,
    /// Inputs that are bits of integers which could be larger: nodes, with the variables' names.
    limited: HashMap<usize, Arc<str>>,
    /// For each location, whether the state is there.
    pub at: Vec<Lit>,
    /// Whether the state after a step is at a location, for each.
    pub next_at: Vec<Lit>,
    /// The ways into each location: the numbers of the locations where the steps begin, and whether
    /// they are taken.
    pub arrivals: Vec<Vec<(usize, Lit)>>,
    settings: Settings,
    regions: Vec<Region>,
    /// The latches of each variable and each symbol.
    variables: Vec<Option<Range<usize>>>,
    symbols: IndexMap<Arc<str>, (Sort, Range<usize>)>,
}

/// The error locations of the same obligation: one run is enough.
pub(crate) fn copies(graph: &ProgramGraph, error: LocationId) -> BTreeSet<LocationId> {
    let obligation = |location: LocationId| graph.graph[location].obligation;
    let same =
        |&other: &LocationId| obligation(error).is_some() && obligation(other) == obligation(error);
    graph.errors().filter(same).chain([error]).collect()
}

impl Settings {
    /// How many literals any value of a sort has; `None` if it has no circuit.
    fn width(&self, sort: &Sort) -> Option<usize> {
        match sort {
            Sort::Bool => Some(1),
            Sort::BitVec(width) => Some(*width as usize),
            Sort::Int => Some(self.integers).filter(|&width| width > 0),
            _ => None,
        }
    }

    /// How many latches a variable has.
    fn latches(&self, name: &str, sort: &Sort) -> Option<usize> {
        match self.ranges.get(name) {
            Some((low, high)) if *sort == Sort::Int => Some(width_of_range(low, high)),
            _ => self.width(sort),
        }
    }

    /// Whether values of a variable may need more bits than it has.
    fn may_not_fit(&self, name: &str, sort: &Sort) -> bool {
        *sort == Sort::Int && !self.ranges.contains_key(name)
    }
}

impl System {
    /// The circuit of a graph.
    ///
    /// # Errors
    /// If it would be too large, or `control` says stop.
    pub fn new(
        terms: &Terms,
        graph: &ProgramGraph,
        settings: Settings,
        control: &Control,
    ) -> Result<System, Reason> {
        let values = graph
            .variables
            .len()
            .saturating_mul(graph.graph.edge_count());
        if values > LARGEST_GRAPH {
            return Err(too_large());
        }
        Builder::new(terms, graph, settings).build(control)
    }

    /// With one bad for all copies of an obligation, at the first of their error locations: for those who only want to
    /// know whether one of them is reached.
    #[must_use]
    pub fn with_copies_as_one(mut self, graph: &ProgramGraph) -> System {
        let mut together: BTreeMap<LocationId, Vec<Lit>> = BTreeMap::new();
        for bad in &self.bads {
            let first = copies(graph, bad.error).first().copied();
            let first = first.unwrap_or(bad.error);
            together.entry(first).or_default().push(bad.lit);
        }
        let bads = together.into_iter().map(|(error, lits)| Bad {
            error,
            lit: self.aig.any(&lits),
        });
        self.bads = bads.collect();
        self
    }

    /// The locations (by number) that steps from some locations may lead to, whatever the values are.
    pub fn successors(&self, of: &[bool]) -> Vec<bool> {
        let arrivals = self.arrivals.iter();
        arrivals
            .map(|arrivals| arrivals.iter().any(|&(from, _)| of[from]))
            .collect()
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Why it allows more than the graph as far as literals depend on it, if it does.
    pub fn why_opaque(&self, cone: &[usize]) -> Option<Rc<str>> {
        let mut found = cone.iter().filter_map(|node| self.opaque.get(node));
        found.next().cloned()
    }

    /// Why it is not exactly what the graph says, as far as these latches and nodes go, if it is not.
    pub fn why_inexact(
        &self,
        graph: &ProgramGraph,
        latches: &[usize],
        cone: &[usize],
    ) -> Option<String> {
        if let Some(why) = self.why_opaque(cone) {
            return Some(format!("there is no circuit for {why}"));
        }
        let name = self.may_be_larger(graph, latches, cone)?;
        Some(format!("the integer `{name}` has no known bounds"))
    }

    /// An integer that may have larger values than these latches and nodes can hold.
    fn may_be_larger(
        &self,
        graph: &ProgramGraph,
        latches: &[usize],
        cone: &[usize],
    ) -> Option<Arc<str>> {
        let unbounded = latches.iter().find_map(|&latch| {
            let (name, sort) = match &self.latches[latch].content {
                Content::Location => return None,
                Content::Variable(number, _) => graph.variables.get_index(*number)?,
                Content::Symbol(name, _) => (name, &self.symbols.get(name)?.0),
            };
            self.settings.may_not_fit(name, sort).then(|| name.clone())
        });
        let limited = || cone.iter().find_map(|node| self.limited.get(node).cloned());
        unbounded.or_else(limited)
    }

    /// Whether an integer that its error locations depend on may have larger values than the circuit has: then it has less
    /// runs than the graph, and what it excludes may happen there.
    pub fn is_limited(&self, graph: &ProgramGraph) -> bool {
        let roots = || self.bads.iter().map(|bad| bad.lit);
        let needed = self.needed(roots());
        let latches: Vec<usize> = (0..needed.len()).filter(|&latch| needed[latch]).collect();
        let next = latches.iter().map(|&latch| self.latches[latch].next);
        let cone = self.aig.cone(roots().chain(next));
        self.may_be_larger(graph, &latches, &cone).is_some()
    }

    /// The bits of the location's latches where the state is at a location (its number).
    pub fn code(&self, number: usize) -> impl Iterator<Item = (usize, bool)> {
        let latches = self.latches.iter().enumerate();
        let latches = latches.filter(|(_, latch)| latch.content == Content::Location);
        let one_hot = self.settings.counter == Counter::OneHot;
        latches
            .enumerate()
            .map(move |(bit, (latch, _))| match one_hot {
                true => (latch, bit == number),
                false => (latch, number >> bit & 1 == 1),
            })
    }

    /// The bits that are enough to say that the state is at a location (its number).
    pub fn latches_at(&self, number: usize) -> impl Iterator<Item = (usize, bool)> {
        let one_hot = self.settings.counter == Counter::OneHot;
        self.code(number)
            .filter(move |(_, value)| !one_hot || *value)
    }

    /// The latches of a variable (its number), the lowest bit first.
    pub fn latches_of(&self, variable: usize) -> Option<Range<usize>> {
        self.variables.get(variable)?.clone()
    }

    /// How large the part is that the error locations depend on.
    pub fn size(&self) -> Size {
        let roots = || self.bads.iter().map(|bad| bad.lit);
        let needed = self.needed(roots());
        let latches = self.latches.iter().zip(&needed);
        let latches = latches.filter(|(_, needed)| **needed);
        let next = latches.clone().map(|(latch, _)| latch.next);
        let cone = self.aig.cone(roots().chain(next));
        let mut size = Size {
            latches: latches.count(),
            ..Size::default()
        };
        let inputs: BTreeSet<usize> = self.inputs.iter().map(|lit| lit.node()).collect();
        for node in cone {
            match self.aig.node(node) {
                Node::And(..) => size.gates += 1,
                Node::Leaf(_) if inputs.contains(&node) => size.inputs += 1,
                Node::Leaf(_) | Node::False => {}
            }
        }
        size
    }

    /// The latches that literals depend on over any number of steps: the cone of influence.
    pub fn needed(&self, roots: impl IntoIterator<Item = Lit>) -> Vec<bool> {
        let mut latch_at: HashMap<usize, usize> = HashMap::new();
        for (number, latch) in self.latches.iter().enumerate() {
            latch_at.insert(latch.lit.node(), number);
        }
        let mut needed = vec![false; self.latches.len()];
        let mut seen = vec![false; self.aig.len()];
        let mut waiting: Vec<usize> = roots.into_iter().map(Lit::node).collect();
        while let Some(node) = waiting.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            match self.aig.node(node) {
                Node::And(a, b) => waiting.extend([a.node(), b.node()]),
                Node::Leaf(_) => {
                    if let Some(&number) = latch_at.get(&node) {
                        needed[number] = true;
                        waiting.push(self.latches[number].next.node());
                    }
                }
                Node::False => {}
            }
        }
        needed
    }
}

/// Builds a system.
struct Builder<'a> {
    terms: &'a Terms,
    graph: &'a ProgramGraph,
    settings: Settings,
    aig: Aig,
    latches: Vec<Latch>,
    inputs: Vec<Lit>,
    opaque: HashMap<usize, Rc<str>>,
    limited: HashMap<usize, Arc<str>>,
    variables: Vec<Option<Range<usize>>>,
    /// The values of variables where a step begins.
    start: Vec<Bits>,
    symbols: IndexMap<Arc<str>, (Sort, Range<usize>)>,
    meanings: HashMap<Arc<str>, Bits>,
    useful: Vec<bool>,
    landmarks: BTreeSet<LocationId>,
}

/// A condition, and the values of all variables under it.
type Case = (Lit, Rc<[Bits]>);

/// A way a step may end: at a landmark, under a condition, with these values.
struct Landing {
    from: usize,
    condition: Lit,
    target: LocationId,
    values: Rc<[Bits]>,
}

impl<'a> Builder<'a> {
    fn new(terms: &'a Terms, graph: &'a ProgramGraph, settings: Settings) -> Builder<'a> {
        let useful = with_a_way_to_an_error(graph);
        let landmarks = landmarks(graph, &useful, settings.stepping);
        let mut builder = Builder {
            terms,
            graph,
            settings,
            aig: Aig::new(),
            latches: Vec::new(),
            inputs: Vec::new(),
            opaque: HashMap::new(),
            limited: HashMap::new(),
            variables: Vec::new(),
            start: Vec::new(),
            symbols: IndexMap::new(),
            meanings: HashMap::new(),
            useful,
            landmarks,
        };
        builder.state();
        builder
    }

    fn build(mut self, control: &Control) -> Result<System, Reason> {
        let locations: Vec<LocationId> = {
            let others = self.landmarks.iter().copied();
            let others = others.filter(|&location| location != self.graph.initial);
            [self.graph.initial].into_iter().chain(others).collect()
        };
        let (counter, at) = self.counter(locations.len());
        let mut bads: BTreeMap<LocationId, Vec<Lit>> = BTreeMap::new();
        let mut landings = Vec::new();
        let mut regions = Vec::new();
        let order = self.order();
        for (number, &location) in locations.iter().enumerate() {
            regions.push(self.region(number, location, &order, &mut landings, control)?);
        }
        let mut arrivals: Vec<Vec<(usize, Lit)>> = vec![Vec::new(); locations.len()];
        let mut values: Vec<Case> = Vec::new();
        for landing in landings {
            let mut condition = self.aig.and(at[landing.from], landing.condition);
            if self.graph.graph[landing.target].error.is_none() {
                let fits = self.fits(&landing.values);
                condition = self.aig.and(condition, fits);
            }
            if condition == Lit::FALSE {
                continue;
            }
            match locations.iter().position(|&place| place == landing.target) {
                Some(number) => {
                    arrivals[number].push((landing.from, condition));
                    values.push((condition, landing.values));
                }
                None => bads.entry(landing.target).or_default().push(condition),
            }
        }
        let next_at = arrivals.iter().map(|arrivals| {
            let lits: Word = arrivals.iter().map(|&(_, lit)| lit).collect();
            self.aig.any(&lits)
        });
        let next_at: Vec<Lit> = next_at.collect();
        self.count(&counter, &next_at);
        self.advance(&values);
        let bads = bads.into_iter().map(|(error, lits)| Bad {
            error,
            lit: self.aig.any(&lits),
        });
        let bads = bads.collect();
        Ok(System {
            aig: self.aig,
            latches: self.latches,
            inputs: self.inputs,
            bads,
            locations,
            opaque: self.opaque,
            limited: self.limited,
            at,
            next_at,
            arrivals,
            settings: self.settings,
            regions,
            variables: self.variables,
            symbols: self.symbols,
        })
    }
}
