//! A program graph as a circuit: latches, inputs, next-state functions.
//!
//! After Ivančić, Yang, Ganai, Gupta, Ashar: "Efficient SAT-based bounded model checking for software
//! verification" (TCS 2008), sections 3 and 4. The location is a part of the state, as a program
//! counter in binary or with one bit for each location. What a step is can be chosen: one edge, or
//! all from one loop head to the next, which is one circuit with the paths' conditions in it.
//!
//! From each state and each choice of inputs there is exactly one step. A run that can take no edge
//! *halts*, in a location of its own.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use num_bigint::BigInt;
use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use crate::aig::{Aig, Lit, Node, Values};
use crate::blast::{Bits, Blaster, Environment, width_of_range};
use crate::words::{self, Word};
use ult_core::control::Control;
use ult_core::formula::{Sort, Terms, Value, Var, Version};
use ult_core::graph::evidence::{RigidMeaning, Run, State, Step};
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
pub enum Holds {
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
    pub holds: Holds,
}

/// An error location that a step may end in.
#[derive(Clone, Debug)]
pub struct Bad {
    /// The location.
    pub error: LocationId,
    /// Whether the step does, of the state before it and the inputs.
    pub lit: Lit,
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

/// The bits as a value of a sort.
fn value_of(sort: &Sort, bits: &[bool]) -> Option<Value> {
    match sort {
        Sort::Bool => Some(Value::Bool(*bits.first()?)),
        Sort::BitVec(width) => Some(Value::BitVec(words::number(bits.iter().copied()), *width)),
        Sort::Int => Some(Value::Int(words::signed_number(bits))),
        _ => None,
    }
}

/// What is known within one location: values before an edge, after it, of its auxiliaries.
struct Surroundings<'a> {
    graph: &'a ProgramGraph,
    before: &'a [Bits],
    after: BTreeMap<usize, Bits>,
    aux: HashMap<u32, (Sort, Bits)>,
    symbols: &'a HashMap<Arc<str>, Bits>,
    settings: &'a Settings,
    inputs: &'a mut Vec<Lit>,
    opaque: &'a mut HashMap<usize, Rc<str>>,
    limited: &'a mut HashMap<usize, Arc<str>>,
}

impl Surroundings<'_> {
    /// A word that may be anything.
    fn anything(&mut self, aig: &mut Aig, sort: &Sort, name: &str) -> Bits {
        let Some(width) = self.settings.width(sort) else {
            return Bits::Opaque(format!("`{name}`, of sort {sort}").into());
        };
        let word: Word = (0..width).map(|_| aig.leaf()).collect();
        self.inputs.extend(&word);
        if *sort == Sort::Int {
            let limited = word.iter().map(|lit| (lit.node(), name.into()));
            self.limited.extend(limited);
        }
        Bits::word(word)
    }
}

impl Environment for &mut Surroundings<'_> {
    fn variable(&mut self, aig: &mut Aig, var: &Var, sort: &Sort) -> Bits {
        let number = || self.graph.variables.get_index_of(&var.name);
        let known = match var.version {
            Version::Current => number().map(|number| self.before[number].clone()),
            Version::Next => number().and_then(|number| self.after.get(&number).cloned()),
            Version::Aux(aux) => {
                if !self.aux.contains_key(&aux) {
                    let word = self.anything(aig, sort, &var.name);
                    self.aux.insert(aux, (sort.clone(), word));
                }
                Some(self.aux[&aux].1.clone())
            }
            Version::At(_) | Version::AuxAt(..) | Version::Bound(_) => None,
        };
        known.unwrap_or_else(|| Bits::Opaque(format!("`{}`", var.name).into()))
    }

    fn symbol(&mut self, name: &str, sort: &Sort) -> Bits {
        let known = self.symbols.get(name).cloned();
        known.unwrap_or_else(|| Bits::Opaque(format!("`{name}`, of sort {sort}").into()))
    }

    fn opaque(&mut self, aig: &mut Aig, why: &Rc<str>) -> Lit {
        let lit = aig.leaf();
        self.opaque.insert(lit.node(), why.clone());
        self.inputs.push(lit);
        lit
    }
}

/// Where steps begin and end.
fn landmarks(graph: &ProgramGraph, useful: &[bool], stepping: Stepping) -> BTreeSet<LocationId> {
    let degree = |location, direction| graph.graph.edges_directed(location, direction).count();
    let mut found: BTreeSet<LocationId> = match stepping {
        Stepping::Loops => loop_heads(graph),
        Stepping::Blocks => {
            let parts_or_meets = |&location: &LocationId| {
                degree(location, Direction::Incoming) > 1
                    || degree(location, Direction::Outgoing) > 1
            };
            let mut found: BTreeSet<_> =
                graph.graph.node_indices().filter(parts_or_meets).collect();
            // A cycle that nothing leads into is no cycle of a run; one that something does, meets.
            found.extend(loop_heads(graph));
            found
        }
        Stepping::Statements => graph.graph.node_indices().collect(),
    };
    found.retain(|location| useful[location.index()] && graph.graph[*location].error.is_none());
    found.insert(graph.initial);
    found
}

/// The locations that an edge leads back to in a depth-first search: every cycle has one.
fn loop_heads(graph: &ProgramGraph) -> BTreeSet<LocationId> {
    let mut heads = BTreeSet::new();
    petgraph::visit::depth_first_search(&graph.graph, [graph.initial], |event| {
        if let petgraph::visit::DfsEvent::BackEdge(_, head) = event {
            heads.insert(head);
        }
    });
    heads
}

/// The locations with a way to an error location, by index.
fn with_a_way_to_an_error(graph: &ProgramGraph) -> Vec<bool> {
    let mut found = vec![false; graph.graph.node_count()];
    let mut waiting: Vec<LocationId> = graph.errors().collect();
    while let Some(location) = waiting.pop() {
        if !std::mem::replace(&mut found[location.index()], true) {
            waiting.extend(
                graph
                    .graph
                    .neighbors_directed(location, Direction::Incoming),
            );
        }
    }
    found
}

/// Several values, each under a condition; the conditions exclude each other.
fn merged(aig: &mut Aig, values: &[(Lit, &Bits)]) -> Bits {
    let Some(((_, last), rest)) = values.split_last() else {
        return Bits::Opaque("a value that nobody gave".into());
    };
    if rest.iter().all(|(_, value)| value == last) {
        return (*last).clone();
    }
    let opaque = values.iter().find_map(|(_, value)| match value {
        Bits::Opaque(_) => Some((*value).clone()),
        Bits::Word(_) => None,
    });
    if let Some(opaque) = opaque {
        return opaque;
    }
    let word = |bits: &Bits| match bits {
        Bits::Word(word) => word.to_vec(),
        Bits::Opaque(_) => Vec::new(),
    };
    // Integers have words of several widths; what is not an integer has words of one width.
    let mut all = word(last);
    for (condition, value) in rest.iter().rev() {
        let (a, b) = Aig::aligned(&word(value), &all);
        all = aig.choose(*condition, &a, &b);
    }
    Bits::word(all)
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
        let unbounded = latches.iter().find_map(|&latch| {
            let Holds::Variable(number, _) = self.latches[latch].holds else {
                return None;
            };
            let (name, sort) = graph.variables.get_index(number)?;
            self.settings
                .may_not_fit(name, sort)
                .then_some(name.clone())
        });
        let limited = || cone.iter().find_map(|node| self.limited.get(node).cloned());
        let name = unbounded.or_else(limited)?;
        Some(format!("the integer `{name}` has no known bounds"))
    }

    /// The bits of the location's latches where the state is at a location (its number).
    pub fn code(&self, number: usize) -> impl Iterator<Item = (usize, bool)> {
        let latches = self.latches.iter().enumerate();
        let latches = latches.filter(|(_, latch)| latch.holds == Holds::Location);
        let one_hot = self.settings.counter == Counter::OneHot;
        latches
            .enumerate()
            .map(move |(bit, (latch, _))| match one_hot {
                true => (latch, bit == number),
                false => (latch, number >> bit & 1 == 1),
            })
    }

    /// The latches of a variable (its number), the lowest bit first.
    pub fn latches_of(&self, variable: usize) -> Option<Range<usize>> {
        self.variables.get(variable)?.clone()
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

    /// The state that latches say, as far as they do; other variables have any value.
    pub fn state(&self, graph: &ProgramGraph, latch: impl Fn(usize) -> bool) -> Option<State> {
        let variables = graph.variables.iter().enumerate();
        variables
            .map(|(number, (name, sort))| {
                let value = match &self.variables[number] {
                    Some(latches) => {
                        let bits: Vec<bool> = latches.clone().map(&latch).collect();
                        value_of(sort, &bits)?
                    }
                    None => Value::any_of(sort)?,
                };
                Some((name.clone(), value))
            })
            .collect()
    }

    /// What symbols mean, according to latches.
    pub fn rigid(
        &self,
        graph: &ProgramGraph,
        latch: impl Fn(usize) -> bool,
    ) -> Option<RigidMeaning> {
        let mut rigid = RigidMeaning::default();
        for function in &graph.functions {
            let known = self.symbols.get(&function.name);
            let default = match known {
                Some((sort, latches)) => {
                    let bits: Vec<bool> = latches.clone().map(&latch).collect();
                    value_of(sort, &bits)?
                }
                None => Value::any_of(&function.result)?,
            };
            let entries = BTreeMap::new();
            let meaning = ult_core::formula::FunctionValue { default, entries };
            rigid.functions.insert(function.name.clone(), meaning);
        }
        Some(rigid)
    }

    /// The run that begins in the state of the first step, given the values of all gates in each step.
    /// It ends where a step ends in an error location, which is told; `None` if none does.
    pub fn run(&self, graph: &ProgramGraph, frames: &[Values]) -> Option<(LocationId, Run)> {
        let first = frames.first()?;
        let latch = |number: usize| first.of(self.latches[number].lit);
        let mut run = Run {
            start: self.state(graph, latch)?,
            steps: Vec::new(),
            rigid: self.rigid(graph, latch)?,
        };
        let mut from = 0;
        for values in frames {
            let (steps, target) = self.step(graph, from, values)?;
            run.steps.extend(steps);
            if graph.graph[target].error.is_some() {
                return Some((target, run));
            }
            from = self.locations.iter().position(|&place| place == target)?;
        }
        None
    }

    /// The edges of a step from a location (its number), given the values of all gates, and where it
    /// ends; `None` if it halts before.
    pub fn step(
        &self,
        graph: &ProgramGraph,
        from: usize,
        values: &Values,
    ) -> Option<(Vec<Step>, LocationId)> {
        let mut steps = Vec::new();
        let mut at = self.locations[from];
        for passed in &self.regions[from].passed {
            let source = graph.graph.edge_endpoints(passed.edge)?.0;
            if source != at || !values.of(passed.taken) {
                continue;
            }
            let read = |bits: &Bits, sort: &Sort| match bits {
                Bits::Word(word) => {
                    let word: Vec<bool> = word.iter().map(|&lit| values.of(lit)).collect();
                    value_of(sort, &word)
                }
                Bits::Opaque(_) => Value::any_of(sort),
            };
            let mut chosen = State::default();
            for (variable, bits) in &passed.chosen {
                let (name, sort) = graph.variables.get_index(*variable)?;
                chosen.insert(name.clone(), read(bits, sort)?);
            }
            let mut aux = BTreeMap::new();
            for (number, sort, bits) in &passed.aux {
                aux.insert(*number, read(bits, sort)?);
            }
            steps.push(match chosen.is_empty() && aux.is_empty() {
                true => Step::determined(passed.edge),
                false => Step::new(passed.edge, aux, chosen),
            });
            at = passed.target;
            if graph.graph[at].error.is_some() || self.locations.contains(&at) {
                return Some((steps, at));
            }
        }
        None
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

    fn latch(&mut self, holds: Holds) -> Lit {
        let lit = self.aig.leaf();
        self.latches.push(Latch {
            lit,
            next: lit,
            start: None,
            holds,
        });
        lit
    }

    /// Makes latches for variables and symbols.
    fn state(&mut self) {
        for (number, (name, sort)) in self.graph.variables.iter().enumerate() {
            let Some(width) = self.settings.latches(name, sort) else {
                self.variables.push(None);
                let why = format!("`{name}`, of sort {sort}");
                self.start.push(Bits::Opaque(why.into()));
                continue;
            };
            let from = self.latches.len();
            let word: Word = (0..width)
                .map(|bit| self.latch(Holds::Variable(number, bit as u32)))
                .collect();
            self.variables.push(Some(from..self.latches.len()));
            self.start.push(Bits::word(word));
        }
        for function in &self.graph.functions {
            let constant = function.params.is_empty();
            let Some(width) = self.settings.width(&function.result).filter(|_| constant) else {
                continue;
            };
            let from = self.latches.len();
            let word: Word = (0..width)
                .map(|bit| self.latch(Holds::Symbol(function.name.clone(), bit as u32)))
                .collect();
            let range = from..self.latches.len();
            (self.symbols).insert(function.name.clone(), (function.result.clone(), range));
            self.meanings
                .insert(function.name.clone(), Bits::word(word));
        }
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
        let mut arrivals: Vec<Vec<Lit>> = vec![Vec::new(); locations.len()];
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
                    arrivals[number].push(condition);
                    values.push((condition, landing.values));
                }
                None => bads.entry(landing.target).or_default().push(condition),
            }
        }
        let next_at: Vec<Lit> = arrivals.iter().map(|lits| self.aig.any(lits)).collect();
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
            settings: self.settings,
            regions,
            variables: self.variables,
            symbols: self.symbols,
        })
    }

    /// The latches of the location, and what they say of each location. The initial location has
    /// number 0; the number behind the last one says that the run has halted.
    fn counter(&mut self, locations: usize) -> (Range<usize>, Vec<Lit>) {
        let from = self.latches.len();
        let bits = match self.settings.counter {
            Counter::OneHot => locations,
            Counter::Binary => (usize::BITS - locations.leading_zeros()) as usize,
        };
        let word: Word = (0..bits).map(|_| self.latch(Holds::Location)).collect();
        let counter = from..self.latches.len();
        let code = |number: usize, bit: usize| number >> bit & 1 == 1;
        for (bit, latch) in counter.clone().enumerate() {
            self.latches[latch].start = Some(match self.settings.counter {
                Counter::OneHot => bit == 0,
                Counter::Binary => false,
            });
        }
        let at = (0..locations).map(|number| match self.settings.counter {
            Counter::OneHot => word[number],
            Counter::Binary => {
                let bits: Word = (word.iter().enumerate())
                    .map(|(bit, &lit)| lit.invert_if(!code(number, bit)))
                    .collect();
                self.aig.all(&bits)
            }
        });
        let at = at.collect();
        (counter, at)
    }

    /// The next-state functions of the location.
    fn count(&mut self, counter: &Range<usize>, next_at: &[Lit]) {
        let halted = !self.aig.any(next_at);
        for (bit, latch) in counter.clone().enumerate() {
            self.latches[latch].next = match self.settings.counter {
                Counter::OneHot => next_at[bit],
                Counter::Binary => {
                    let codes = next_at.iter().copied().chain([halted]).enumerate();
                    let ones: Vec<Lit> = codes
                        .filter(|(number, _)| number >> bit & 1 == 1)
                        .map(|(_, lit)| lit)
                        .collect();
                    self.aig.any(&ones)
                }
            };
        }
    }

    /// The next-state functions of variables. If the run halts they do not matter.
    fn advance(&mut self, values: &[Case]) {
        for number in 0..self.variables.len() {
            let Some(latches) = self.variables[number].clone() else {
                continue;
            };
            let cases: Vec<(Lit, &Bits)> = values
                .iter()
                .map(|(condition, values)| (*condition, &values[number]))
                .collect();
            let word = match merged(&mut self.aig, &cases) {
                // What is cut off are signs: integers stay in their range, or it was looked whether
                // they fit.
                Bits::Word(word) => {
                    let mut word = words::extended(&word, latches.len());
                    word.truncate(latches.len());
                    word
                }
                Bits::Opaque(_) if cases.is_empty() => continue,
                Bits::Opaque(why) => latches
                    .clone()
                    .map(|_| {
                        let lit = self.aig.leaf();
                        self.opaque.insert(lit.node(), why.clone());
                        self.inputs.push(lit);
                        lit
                    })
                    .collect(),
            };
            for (latch, lit) in latches.zip(word) {
                self.latches[latch].next = lit;
            }
        }
    }

    /// Whether integers have values that their latches can hold.
    fn fits(&mut self, values: &[Bits]) -> Lit {
        let mut fits = Vec::new();
        for (number, (name, sort)) in self.graph.variables.iter().enumerate() {
            let (Bits::Word(word), Some(latches)) = (&values[number], &self.variables[number])
            else {
                continue;
            };
            if self.settings.may_not_fit(name, sort) && word.len() > latches.len() {
                let (kept, above) = word.split_at(latches.len());
                let sign = kept.last().copied().unwrap_or(Lit::FALSE);
                fits.extend(above.iter().map(|&bit| self.aig.iff(bit, sign)));
            }
        }
        self.aig.all(&fits)
    }

    /// The locations, sources of edges before their targets, but for edges that lead to landmarks.
    fn order(&self) -> HashMap<LocationId, usize> {
        let graph = &self.graph.graph;
        let mut rest = petgraph::graph::DiGraph::<(), (), u32>::new();
        for _ in graph.node_indices() {
            rest.add_node(());
        }
        for edge in graph.edge_references() {
            if !self.landmarks.contains(&edge.target()) {
                rest.add_edge(edge.source(), edge.target(), ());
            }
        }
        // Parts that no run gets to may have cycles: they get no number, and no step goes there.
        let order = match petgraph::algo::toposort(&rest, None) {
            Ok(order) => order,
            Err(_) => {
                let mut order = Vec::new();
                let mut seen = petgraph::visit::DfsPostOrder::new(&rest, self.graph.initial);
                for &landmark in &self.landmarks {
                    seen.move_to(landmark);
                    while let Some(location) = seen.next(&rest) {
                        order.push(location);
                    }
                }
                order.reverse();
                order
            }
        };
        order
            .into_iter()
            .enumerate()
            .map(|(number, place)| (place, number))
            .collect()
    }

    /// The circuit of all steps from a location.
    fn region(
        &mut self,
        number: usize,
        from: LocationId,
        order: &HashMap<LocationId, usize>,
        landings: &mut Vec<Landing>,
        control: &Control,
    ) -> Result<Region, Reason> {
        let mut passed = Vec::new();
        // What arrives at a location: conditions and values.
        let mut arrived: BTreeMap<(usize, LocationId), Vec<Case>> = BTreeMap::new();
        let place = |location: LocationId| (order.get(&location).copied().unwrap_or(0), location);
        let start: Rc<[Bits]> = self.start.clone().into();
        arrived.insert(place(from), vec![(Lit::TRUE, start)]);
        while let Some(((_, location), cases)) = arrived.pop_first() {
            control.check()?;
            if self.aig.len() > LARGEST_CIRCUIT {
                return Err(too_large());
            }
            let conditions: Vec<Lit> = cases.iter().map(|(condition, _)| *condition).collect();
            let reached = self.aig.any(&conditions);
            if reached == Lit::FALSE {
                continue;
            }
            let values = self.merge_all(&cases);
            for edge in self.edges(location, reached, &values) {
                let Taken {
                    passed: edge,
                    after,
                } = edge;
                let (target, taken) = (edge.target, edge.taken);
                passed.push(edge);
                if taken == Lit::FALSE {
                    continue;
                }
                let is_error = self.graph.graph[target].error.is_some();
                if is_error || self.landmarks.contains(&target) {
                    landings.push(Landing {
                        from: number,
                        condition: taken,
                        target,
                        values: after,
                    });
                } else {
                    arrived
                        .entry(place(target))
                        .or_default()
                        .push((taken, after));
                }
            }
        }
        Ok(Region { passed })
    }

    fn merge_all(&mut self, cases: &[Case]) -> Rc<[Bits]> {
        if let [(_, values)] = cases {
            return values.clone();
        }
        let count = self.graph.variables.len();
        (0..count)
            .map(|number| {
                let values: Vec<(Lit, &Bits)> = cases
                    .iter()
                    .map(|(condition, values)| (*condition, &values[number]))
                    .collect();
                merged(&mut self.aig, &values)
            })
            .collect()
    }

    /// The edges that leave a location. The conditions under which they are taken exclude each other.
    fn edges(&mut self, location: LocationId, reached: Lit, values: &Rc<[Bits]>) -> Vec<Taken> {
        let mut found = Vec::new();
        for edge in self.graph.graph.edges(location) {
            if self.useful[edge.target().index()] {
                found.push(self.edge(edge.id(), edge.target(), values));
            }
        }
        // petgraph tells the newest edge first.
        found.reverse();
        let guards: Vec<Lit> = found.iter().map(|edge| edge.passed.taken).collect();
        let mut is_exclusive = true;
        for (position, &a) in guards.iter().enumerate() {
            for &b in &guards[position + 1..] {
                is_exclusive &= self.aig.and(a, b) == Lit::FALSE;
            }
        }
        let count = found.len();
        let mut choice = Word::new();
        if !is_exclusive {
            let bits = usize::BITS - (count - 1).leading_zeros();
            choice = (0..bits).map(|_| self.aig.leaf()).collect();
            self.inputs.extend(&choice);
        }
        for (number, edge) in found.iter_mut().enumerate() {
            let mut taken = self.aig.and(reached, edge.passed.taken);
            if !is_exclusive {
                let code: Word = (choice.iter().enumerate())
                    .map(|(bit, &lit)| lit.invert_if(number >> bit & 1 == 0))
                    .collect();
                let chosen = self.aig.all(&code);
                taken = self.aig.and(taken, chosen);
            }
            edge.passed.taken = taken;
        }
        found
    }

    /// An edge, if it is reached: its guard and what is the case behind it.
    fn edge(&mut self, id: EdgeId, target: LocationId, values: &Rc<[Bits]>) -> Taken {
        let graph = self.graph;
        let transition = &graph.graph[id].transition;
        let (definitions, rest) = transition.definitions(self.terms);
        let mut surroundings = Surroundings {
            graph,
            before: values,
            after: BTreeMap::new(),
            aux: HashMap::new(),
            symbols: &self.meanings,
            settings: &self.settings,
            inputs: &mut self.inputs,
            opaque: &mut self.opaque,
            limited: &mut self.limited,
        };
        let defined: BTreeSet<&Arc<str>> = definitions.iter().map(|d| &d.variable).collect();
        let mut chosen = Vec::new();
        for name in &transition.changed {
            let Some((number, _, sort)) = graph.variables.get_full(name) else {
                continue;
            };
            if !defined.contains(name) {
                let word = surroundings.anything(&mut self.aig, sort, name);
                surroundings.after.insert(number, word.clone());
                chosen.push((number, word));
            }
        }
        let mut blaster = Blaster::new(self.terms, &mut self.aig, &mut surroundings);
        let mut after = Vec::new();
        for definition in &definitions {
            let value = blaster.bits(definition.value);
            if let Some(number) = graph.variables.get_index_of(&definition.variable) {
                after.push((number, value));
            }
        }
        // Values after the step are there before the conditions that speak of them.
        let mut blaster = Blaster::new(self.terms, &mut self.aig, &mut surroundings);
        blaster.environment.after.extend(after);
        let guards: Vec<Lit> = rest.iter().map(|&conjunct| blaster.lit(conjunct)).collect();
        let guard = self.aig.all(&guards);
        let mut behind = values.to_vec();
        for (&number, value) in &surroundings.after {
            behind[number] = value.clone();
        }
        let mut aux: Vec<(u32, Sort, Bits)> = (surroundings.aux.into_iter())
            .map(|(number, (sort, bits))| (number, sort, bits))
            .collect();
        aux.sort_by_key(|(number, ..)| *number);
        Taken {
            passed: Passed {
                edge: id,
                target,
                taken: guard,
                chosen,
                aux,
            },
            after: behind.into(),
        }
    }
}

/// An edge with the values behind it.
struct Taken {
    passed: Passed,
    after: Rc<[Bits]>,
}
