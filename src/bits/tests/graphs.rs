//! Random program graphs over a few bits, and what enumeration says about them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use ult_core::formula::{BvOp, Sort, Term, Terms, Value, Version, eval};
use ult_core::graph::evidence::{RigidMeaning, State, Valuation};
use ult_core::graph::{Edge, Location, LocationId, ProgramGraph, Transition};

/// Numbers from a seed (Steele, Lea, Flood: SplitMix, 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// The integers of random graphs.
pub(super) const RANGE: (i64, i64) = (-2, 3);

/// A graph over two words of two or three bits, a truth value and an integer within [`RANGE`].
pub(super) fn random(terms: &Terms, seed: u64) -> ProgramGraph {
    let random = Random(seed);
    let mut graph = ProgramGraph::new("random");
    let width = 2 + u32::from(seed.is_multiple_of(10));
    for (name, sort) in [
        ("x", Sort::BitVec(width)),
        ("y", Sort::BitVec(width)),
        ("b", Sort::Bool),
        ("i", Sort::Int),
    ] {
        graph.variables.insert(name.into(), sort);
    }
    let mut maker = Maker {
        terms,
        width,
        random,
    };
    let count = 3 + maker.random.below(4);
    let mut places = vec![graph.initial];
    for number in 0..count {
        places.push(graph.graph.add_node(Location::named(format!("l{number}"))));
    }
    // The integer begins in its range.
    let start = terms.and([maker.in_range(Version::Current), terms.tt()]);
    let first = places[1];
    add(&mut graph, places[0], first, Transition::assume(start));
    let errors = 1 + maker.random.below(2);
    for number in 0..errors {
        let mut error = Location::named(format!("e{number}"));
        error.error = Some("wrong".into());
        let error = graph.graph.add_node(error);
        let from = places[1 + maker.random.below(count)];
        let condition = terms.and([maker.condition(2), maker.condition(2)]);
        add(&mut graph, from, error, Transition::assume(condition));
    }
    for _ in 0..count * 2 {
        let from = places[1 + maker.random.below(count)];
        let to = places[1 + maker.random.below(count)];
        let transition = maker.transition();
        add(&mut graph, from, to, transition);
    }
    graph.check(terms).expect("a well-formed graph");
    graph
}

fn add(graph: &mut ProgramGraph, from: LocationId, to: LocationId, transition: Transition) {
    let edge = Edge::new(transition, None);
    graph.graph.add_edge(from, to, edge);
}

struct Maker<'t> {
    terms: &'t Terms,
    width: u32,
    random: Random,
}

impl Maker<'_> {
    fn sort(&self) -> Sort {
        Sort::BitVec(self.width)
    }

    fn in_range(&self, version: Version) -> Term {
        let i = self.terms.var("i", version, Sort::Int);
        let (low, high) = (self.terms.int(RANGE.0), self.terms.int(RANGE.1));
        self.terms
            .and2(self.terms.le(low, i), self.terms.le(i, high))
    }

    fn word(&mut self, depth: u32) -> Term {
        let terms = self.terms;
        if depth == 0 || self.random.below(4) == 0 {
            return match self.random.below(3) {
                0 => terms.current("x", self.sort()),
                1 => terms.current("y", self.sort()),
                _ => {
                    let value = self.random.below(1 << self.width);
                    terms.bitvec(BigUint::from(value), self.width)
                }
            };
        }
        if self.random.below(5) == 0 {
            let condition = self.condition(depth - 1);
            let (a, b) = (self.word(depth - 1), self.word(depth - 1));
            return terms.ite(condition, a, b);
        }
        let op = BvOp::FUNCTIONS[self.random.below(BvOp::FUNCTIONS.len())];
        let a = self.word(depth - 1);
        match op {
            BvOp::Not | BvOp::Neg => terms.bv(op, &[a]),
            _ => {
                let b = self.word(depth - 1);
                terms.bv(op, &[a, b])
            }
        }
    }

    fn integer(&mut self, depth: u32) -> Term {
        let terms = self.terms;
        if depth == 0 {
            return match self.random.below(2) {
                0 => terms.current("i", Sort::Int),
                _ => terms.int(BigInt::from(self.random.below(7) as i64 - 3)),
            };
        }
        let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
        match self.random.below(5) {
            0 => terms.add(&[a, b]),
            1 => terms.sub(a, b),
            2 => terms.mul(&[a, b]),
            3 => terms.modulo(a, terms.int(2 + self.random.below(3) as i64)),
            _ => terms.div(a, terms.int(2 + self.random.below(3) as i64)),
        }
    }

    fn condition(&mut self, depth: u32) -> Term {
        let terms = self.terms;
        match self.random.below(7) {
            0 => terms.current("b", Sort::Bool),
            1 if depth > 0 => terms.not(self.condition(depth - 1)),
            2 if depth > 0 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                terms.or2(a, b)
            }
            3 => {
                let (a, b) = (self.integer(1), self.integer(1));
                terms.le(a, b)
            }
            4 => {
                let (a, b) = (self.word(depth), self.word(depth));
                terms.eq(a, b)
            }
            _ => {
                let op = BvOp::COMPARISONS[self.random.below(BvOp::COMPARISONS.len())];
                let (a, b) = (self.word(depth), self.word(depth));
                terms.bv(op, &[a, b])
            }
        }
    }

    fn transition(&mut self) -> Transition {
        let terms = self.terms;
        let x: Arc<str> = "x".into();
        match self.random.below(7) {
            0 => Transition::assume(self.condition(2)),
            1 => {
                let value = self.word(2);
                Transition::assign(terms, &x, value)
            }
            2 => {
                // In parallel, with a condition.
                let (x, y) = (self.word(2), self.word(1));
                let condition = self.condition(1);
                let next = |name: &str| terms.next(name, self.sort());
                Transition {
                    formula: terms.and([terms.eq(next("x"), x), terms.eq(next("y"), y), condition]),
                    changed: ["x".into(), "y".into()].into(),
                }
            }
            3 => Transition::havoc(terms, ["y".into(), "b".into()]),
            4 => {
                // A relation that defines nothing.
                let y = terms.next("y", self.sort());
                let above = terms.bv(BvOp::Ult, &[self.word(1), y]);
                Transition {
                    formula: above,
                    changed: ["y".into()].into(),
                }
            }
            5 => {
                let value = self.condition(1);
                Transition::assign(terms, &"b".into(), value)
            }
            _ => {
                let value = self.integer(2);
                let next = terms.next("i", Sort::Int);
                Transition {
                    formula: terms.and2(terms.eq(next, value), self.in_range(Version::Next)),
                    changed: ["i".into()].into(),
                }
            }
        }
    }
}

/// All values of a sort.
fn values(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::BitVec(width) => (0..1u32 << width)
            .map(|value| Value::BitVec(BigUint::from(value), *width))
            .collect(),
        Sort::Int => (RANGE.0..=RANGE.1).map(Value::int).collect(),
        _ => vec![Value::Bool(false), Value::Bool(true)],
    }
}

/// All assignments to some variables.
fn assignments(graph: &ProgramGraph, names: &[Arc<str>]) -> Vec<State> {
    let mut all = vec![State::default()];
    for name in names {
        let values = values(&graph.variables[name]);
        all = all
            .into_iter()
            .flat_map(|state| {
                let with = |value: &Value| {
                    let mut state = state.clone();
                    state.insert(name.clone(), value.clone());
                    state
                };
                values.iter().map(with).collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

/// All states that runs go through, each with the length of the shortest run.
pub(super) fn reachable(
    terms: &Terms,
    graph: &ProgramGraph,
) -> BTreeMap<(LocationId, Vec<Value>), usize> {
    let rigid = RigidMeaning::default();
    let names: Vec<Arc<str>> = graph.variables.keys().cloned().collect();
    let key = |state: &State| -> Vec<Value> { names.iter().map(|n| state[n].clone()).collect() };
    let starts = assignments(graph, &names);
    let mut layer: Vec<(LocationId, State)> = starts
        .into_iter()
        .map(|state| (graph.initial, state))
        .collect();
    let mut found = BTreeMap::new();
    let mut depth = 0;
    while !layer.is_empty() {
        let mut next = BTreeMap::new();
        for (location, state) in layer {
            if found.contains_key(&(location, key(&state))) {
                continue;
            }
            found.insert((location, key(&state)), depth);
            use petgraph::visit::EdgeRef as _;
            for edge in graph.graph.edges(location) {
                let transition = &edge.weight().transition;
                let changed: Vec<Arc<str>> = transition.changed.iter().cloned().collect();
                for chosen in assignments(graph, &changed) {
                    let mut after = state.clone();
                    after.extend(chosen);
                    let valuation = Valuation {
                        before: &state,
                        after: Some(&after),
                        aux: None,
                        rigid: &rigid,
                    };
                    if eval(terms, transition.formula, &valuation) == Ok(Value::Bool(true)) {
                        next.insert((edge.target(), key(&after)), after);
                    }
                }
            }
        }
        layer = (next.into_iter())
            .map(|((location, _), state)| (location, state))
            .collect();
        depth += 1;
    }
    found
}

/// The error locations that runs reach.
pub(super) fn reached(
    graph: &ProgramGraph,
    states: &BTreeMap<(LocationId, Vec<Value>), usize>,
) -> BTreeSet<LocationId> {
    let places = states.keys().map(|(location, _)| *location);
    places
        .filter(|&location| graph.graph[location].error.is_some())
        .collect()
}
