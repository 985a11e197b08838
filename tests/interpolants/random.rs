//! Random infeasible paths, and random runs along them.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use ult_core::control::Control;
use ult_core::formula::{
    Evaluator, Function, FunctionValue, MapValue, Sort, Term, Terms, Value, Version,
};
use ult_core::graph::evidence::{RigidMeaning, State, Valuation};
use ult_core::graph::{Edge, EdgeId, Location, ProgramGraph, Transition};
use ult_interpolate::Chain;
use ult_smt::{Answer, Session};

use crate::chains::block::{Builder, E, Stmt};
use crate::random::Random;

/// What the paths are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theory {
    Integers,
    Reals,
    Functions,
    Maps,
    Booleans,
    BitVectors,
    Mixed,
}

impl Theory {
    pub const ALL: [Theory; 7] = [
        Theory::Integers,
        Theory::Reals,
        Theory::Functions,
        Theory::Maps,
        Theory::Booleans,
        Theory::BitVectors,
        Theory::Mixed,
    ];

    fn variables(self) -> Vec<(&'static str, Sort)> {
        let map = || Sort::map(vec![Sort::Int], Sort::Int);
        let element = || Sort::Uninterpreted("element".into());
        match self {
            Theory::Integers => vec![("x", Sort::Int), ("y", Sort::Int), ("z", Sort::Int)],
            Theory::Reals => vec![("r", Sort::Real), ("s", Sort::Real), ("t", Sort::Real)],
            Theory::Functions => vec![("u", element()), ("v", element()), ("x", Sort::Int)],
            Theory::Maps => vec![("a", map()), ("i", Sort::Int), ("x", Sort::Int)],
            Theory::Booleans => ["p", "q", "m", "n"].map(|name| (name, Sort::Bool)).into(),
            Theory::BitVectors => vec![("b", Sort::BitVec(8)), ("c", Sort::BitVec(8))],
            Theory::Mixed => vec![
                ("x", Sort::Int),
                ("r", Sort::Real),
                ("p", Sort::Bool),
                ("a", map()),
                ("u", element()),
            ],
        }
    }

    fn functions(self) -> Vec<(&'static str, Vec<Sort>, Sort)> {
        let element = || Sort::Uninterpreted("element".into());
        match self {
            Theory::Functions => vec![
                ("f", vec![element()], element()),
                ("g", vec![element(), Sort::Int], element()),
                ("h", vec![Sort::Int], Sort::Int),
                ("c", vec![], element()),
            ],
            Theory::Mixed => vec![
                ("f", vec![element()], Sort::Int),
                ("h", vec![Sort::Int], element()),
            ],
            _ => Vec::new(),
        }
    }
}

/// A path whose steps are large blocks.
pub struct Path<'t> {
    pub terms: &'t Terms,
    pub graph: ProgramGraph,
    /// What each step does, for runs.
    pub steps: Vec<Vec<Stmt<'t>>>,
    pub edges: Vec<EdgeId>,
    /// The auxiliaries in the steps.
    auxiliaries: Vec<Term>,
}

impl Path<'_> {
    pub fn transition(&self, step: usize) -> &Transition {
        &self.graph.graph[self.edges[step]].transition
    }

    pub fn chain(&self) -> Chain {
        let labels = vec![self.terms.tt(); self.edges.len() + 1];
        Chain::new(self.terms, &self.graph, &self.edges, &labels)
    }
}

struct Generator<'t, 'r> {
    b: Builder<'t>,
    random: &'r mut Random,
    variables: Vec<E<'t>>,
    functions: Vec<Arc<Function>>,
    auxiliaries: Vec<Term>,
}

/// A path of 2 to 6 steps; `None` if it could not be made infeasible.
pub fn path<'t>(terms: &'t Terms, theory: Theory, random: &mut Random) -> Option<Path<'t>> {
    let mut b = Builder::new(terms, "random");
    let twins = random.one_in(3);
    let mut variables = Vec::new();
    let mut copies = Vec::new();
    for (name, sort) in theory.variables() {
        variables.push(b.variable(name, sort.clone()));
        if twins {
            copies.push(b.variable(&format!("{name}2"), sort));
        }
    }
    let functions = theory
        .functions()
        .into_iter()
        .map(|(name, params, result)| b.function(name, &params, result))
        .collect();
    let mut generator = Generator {
        b,
        random,
        variables: variables.clone(),
        functions,
        auxiliaries: Vec::new(),
    };
    let inner = generator.random.below(5);
    let mut steps = Vec::new();
    for step in 0..=inner {
        let count = 1 + generator.random.below(3);
        let mut statements: Vec<Stmt<'t>> =
            (0..count).map(|_| generator.statement(1, !twins)).collect();
        if step == 0 && !twins {
            // Something has to be known for something to follow.
            let fixed = *generator.random.pick(&generator.variables.clone());
            let value = generator.expression(generator.sort(fixed), 0);
            statements.insert(0, Stmt::Assume(fixed.is(value)));
        }
        steps.push(statements);
    }
    let error = if twins {
        let pairs: Vec<(E<'t>, E<'t>)> = variables.iter().copied().zip(copies).collect();
        let same = generator.b.all(pairs.iter().map(|&(v, copy)| v.is(copy)));
        for statements in &mut steps {
            *statements = doubled(&generator.b, statements, &pairs);
        }
        steps[0].insert(0, Stmt::Assume(same));
        let (v, copy) = *generator.random.pick(&pairs);
        v.is_not(copy)
    } else {
        generator.excluded(&steps)?
    };
    steps.push(vec![Stmt::Assume(error)]);
    let Generator { b, auxiliaries, .. } = generator;
    let transitions: Vec<Transition> = steps.iter().map(|s| b.transition(s)).collect();
    let (graph, edges) = line(b.graph, transitions);
    graph.check(terms).expect("well formed");
    Some(Path {
        terms,
        graph,
        steps,
        edges,
        auxiliaries,
    })
}

/// The graph of a single path.
fn line(mut graph: ProgramGraph, transitions: Vec<Transition>) -> (ProgramGraph, Vec<EdgeId>) {
    let mut from = graph.initial;
    let mut edges = Vec::new();
    for (i, transition) in transitions.into_iter().enumerate() {
        let to = graph.graph.add_node(Location::named(format!("l{i}")));
        let origin = None;
        edges.push(
            graph
                .graph
                .add_edge(from, to, Edge::new(transition, origin)),
        );
        from = to;
    }
    (graph, edges)
}

/// The statements, each followed by the same one on the copies of the variables.
fn doubled<'t>(
    b: &Builder<'t>,
    statements: &[Stmt<'t>],
    pairs: &[(E<'t>, E<'t>)],
) -> Vec<Stmt<'t>> {
    let map = pairs.iter().map(|(v, copy)| (v.term, copy.term)).collect();
    let copied = |e: E<'t>| b.wrap(b.terms.substitute(e.term, &map));
    statements
        .iter()
        .flat_map(|statement| match statement {
            Stmt::Assign(v, value) => {
                vec![statement.clone(), Stmt::Assign(copied(*v), copied(*value))]
            }
            Stmt::Choice(branches) => vec![Stmt::Choice(
                branches.iter().map(|s| doubled(b, s, pairs)).collect(),
            )],
            // The condition holds for both or for none.
            Stmt::Assume(_) | Stmt::Havoc(_) => vec![statement.clone()],
        })
        .collect()
}

impl<'t> Generator<'t, '_> {
    fn sort(&self, e: E<'t>) -> Sort {
        self.b.terms.sort(e.term).clone()
    }

    /// A condition that cannot hold after the steps. Most are found by asking the solver about
    /// random ones.
    fn excluded(&mut self, steps: &[Vec<Stmt<'t>>]) -> Option<E<'t>> {
        let terms = self.b.terms;
        let transitions: Vec<Transition> = steps.iter().map(|s| self.b.transition(s)).collect();
        let last = transitions.len();
        for _ in 0..10 {
            let condition = self.condition(1);
            for candidate in [condition, !condition] {
                let mut transitions = transitions.clone();
                transitions.push(Transition::assume(candidate.term));
                let (graph, edges) = line(self.b.graph.clone(), transitions);
                let labels = vec![terms.tt(); edges.len() + 1];
                let chain = Chain::new(terms, &graph, &edges, &labels);
                let session = Session::new(terms, &[], &Control::unlimited());
                let mut solver = session.solver();
                let limit = Some(std::time::Duration::from_secs(1));
                // A path that ends before the condition is dull; some of them are enough.
                if solver.check(&chain.steps[..last], limit) != Answer::Sat
                    && !self.random.one_in(4)
                {
                    return None;
                }
                if solver.check(&chain.steps, limit) == Answer::Unsat {
                    return Some(candidate);
                }
            }
        }
        None
    }

    fn statement(&mut self, depth: usize, havoc: bool) -> Stmt<'t> {
        match self.random.below(if depth == 0 { 5 } else { 8 }) {
            0 if havoc => Stmt::Havoc(self.variable()),
            1 => Stmt::Assume(self.condition(1)),
            5.. => {
                let mut branches: Vec<Vec<Stmt<'t>>> = (0..2 + self.random.below(2))
                    .map(|_| {
                        let count = self.random.below(3);
                        (0..count)
                            .map(|_| self.statement(depth - 1, havoc))
                            .collect()
                    })
                    .collect();
                if !self.random.one_in(3) {
                    let condition = self.condition(0);
                    branches[0].insert(0, Stmt::Assume(condition));
                    branches[1].insert(0, Stmt::Assume(!condition));
                }
                Stmt::Choice(branches)
            }
            _ => {
                let variable = self.variable();
                let value = if self.random.one_in(8) {
                    let fresh = self.b.any("any", self.sort(variable));
                    self.auxiliaries.push(fresh.term);
                    fresh
                } else {
                    self.expression(self.sort(variable), 2)
                };
                Stmt::Assign(variable, value)
            }
        }
    }

    fn variable(&mut self) -> E<'t> {
        *self.random.pick(&self.variables)
    }

    fn condition(&mut self, depth: usize) -> E<'t> {
        self.expression(Sort::Bool, depth)
    }

    /// A random expression of a sort.
    fn expression(&mut self, sort: Sort, depth: usize) -> E<'t> {
        let terms = self.b.terms;
        if sort == Sort::Bool {
            return self.boolean(depth);
        }
        let known: Vec<E<'t>> = self
            .variables
            .iter()
            .copied()
            .filter(|&v| self.sort(v) == sort)
            .collect();
        if depth > 0 && self.random.one_in(8) {
            let condition = self.condition(0);
            let (yes, no) = (
                self.expression(sort.clone(), depth - 1),
                self.expression(sort, depth - 1),
            );
            return condition.choose(yes, no);
        }
        if depth > 0 && self.random.one_in(2) {
            let functions: Vec<Arc<Function>> = self
                .functions
                .iter()
                .filter(|f| f.result == sort)
                .cloned()
                .collect();
            if !functions.is_empty() {
                let function = self.random.pick(&functions).clone();
                let args: Vec<E<'t>> = function
                    .params
                    .iter()
                    .map(|sort| self.expression(sort.clone(), depth - 1))
                    .collect();
                return self.b.call(&function, &args);
            }
        }
        let maps: Vec<E<'t>> = self
            .variables
            .iter()
            .copied()
            .filter(|&v| matches!(self.sort(v), Sort::Map(_)))
            .collect();
        let leaf = depth == 0 || self.random.one_in(3);
        match &sort {
            Sort::Int | Sort::Real | Sort::BitVec(_) if leaf => {
                if known.is_empty() || self.random.one_in(3) {
                    return self.literal(&sort);
                }
                *self.random.pick(&known)
            }
            Sort::Int => {
                let left = self.expression(sort.clone(), depth - 1);
                if !maps.is_empty() && self.random.one_in(2) {
                    return self.random.pick(&maps).at(left);
                }
                match self.random.below(8) {
                    0..3 => left + self.expression(sort, depth - 1),
                    3..5 => left - self.expression(sort, depth - 1),
                    5 => left * self.random.between(-2, 3),
                    6 => left % self.random.between(2, 4),
                    _ => left / self.random.between(2, 3),
                }
            }
            Sort::Real => {
                let left = self.expression(sort.clone(), depth - 1);
                match self.random.below(4) {
                    0 => left + self.expression(sort, depth - 1),
                    1 => left - self.expression(sort, depth - 1),
                    2 => left * self.random.between(-2, 3),
                    _ => left / self.random.between(2, 3),
                }
            }
            Sort::BitVec(_) => {
                let left = self.expression(sort.clone(), depth - 1);
                match self.random.below(9) {
                    0..3 => left + self.expression(sort, depth - 1),
                    3 => left - self.expression(sort, depth - 1),
                    4 => left & self.expression(sort, depth - 1),
                    5 => left | self.expression(sort, depth - 1),
                    6 => left.up(self.random.between(1, 3)),
                    7 => left.down(self.random.between(1, 3)),
                    _ => !left,
                }
            }
            Sort::Map(map) if !leaf => {
                let base = self.expression(sort.clone(), depth - 1);
                let index = self.expression(map.domain[0].clone(), depth - 1);
                let value = self.expression(map.range.clone(), depth - 1);
                base.with(index, value)
            }
            _ => match known.is_empty() {
                false => *self.random.pick(&known),
                true => {
                    let fresh = terms.fresh_aux("any", sort);
                    self.auxiliaries.push(fresh);
                    self.b.wrap(fresh)
                }
            },
        }
    }

    fn boolean(&mut self, depth: usize) -> E<'t> {
        let known: Vec<E<'t>> = self
            .variables
            .iter()
            .copied()
            .filter(|&v| self.sort(v) == Sort::Bool)
            .collect();
        if depth > 0 && self.random.one_in(3) {
            let (left, right) = (self.boolean(depth - 1), self.boolean(depth - 1));
            return match self.random.below(4) {
                0 => left & right,
                1 => left | right,
                2 => !left,
                _ => left ^ right,
            };
        }
        // Comparisons of what there is.
        let compared = self.variable();
        let sort = self.sort(compared);
        if sort == Sort::Bool || !known.is_empty() && self.random.one_in(4) {
            let known = *self.random.pick(&known);
            return if self.random.one_in(2) { known } else { !known };
        }
        let left = if depth > 0 {
            self.expression(sort.clone(), depth)
        } else {
            compared
        };
        let right = self.expression(sort.clone(), depth);
        match sort {
            Sort::Int | Sort::Real | Sort::BitVec(_) => match self.random.below(5) {
                0 | 1 => left.is(right),
                2 => left.lt(right),
                3 => left.ge(right),
                _ => left.is_not(right),
            },
            _ => match self.random.below(3) {
                0 => left.is_not(right),
                _ => left.is(right),
            },
        }
    }

    fn literal(&mut self, sort: &Sort) -> E<'t> {
        let terms = self.b.terms;
        let number = self.random.between(-3, 5);
        self.b.wrap(match sort {
            Sort::Real => terms.real(BigRational::new(
                number.into(),
                self.random.between(1, 3).into(),
            )),
            Sort::BitVec(width) => {
                terms.bitvec(BigUint::from(number.rem_euclid(256).unsigned_abs()), *width)
            }
            _ => terms.int(number),
        })
    }
}

/// A random value, small so that it meets others.
fn value(random: &mut Random, sort: &Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(random.one_in(2)),
        Sort::Int => Value::int(random.between(-4, 6)),
        Sort::Real => Value::Real(BigRational::new(
            random.between(-6, 8).into(),
            BigInt::from(random.between(1, 3)),
        )),
        Sort::BitVec(width) => {
            let bits = if random.one_in(2) {
                random.below(8)
            } else {
                random.below(256)
            };
            Value::BitVec(
                BigUint::from(bits) % (BigUint::from(1u32) << *width),
                *width,
            )
        }
        Sort::Uninterpreted(name) => {
            Value::Element(name.clone(), u32::try_from(random.below(3)).expect("small"))
        }
        Sort::Map(map) => Value::Map(Arc::new(MapValue {
            domain: map.domain.clone(),
            default: value(random, &map.range),
            entries: entries(random, &map.domain, &map.range)
                .into_iter()
                .collect(),
        })),
        Sort::Float(..)
        | Sort::RoundingMode
        | Sort::Seq(_)
        | Sort::String
        | Sort::RegEx
        | Sort::Datatype(_) => {
            unreachable!("not generated")
        }
    }
}

fn entries(random: &mut Random, domain: &[Sort], range: &Sort) -> BTreeMap<Vec<Value>, Value> {
    (0..random.below(5))
        .map(|_| {
            (
                domain.iter().map(|sort| value(random, sort)).collect(),
                value(random, range),
            )
        })
        .collect()
}

/// A random state of the program.
pub fn state(path: &Path<'_>, random: &mut Random) -> State {
    path.graph
        .variables
        .iter()
        .map(|(name, sort)| (name.clone(), value(random, sort)))
        .collect()
}

/// Random tables for the functions of the program.
pub fn meaning(path: &Path<'_>, random: &mut Random) -> RigidMeaning {
    let functions = path.graph.functions.iter().map(|f| {
        let table = FunctionValue {
            default: value(random, &f.result),
            entries: entries(random, &f.params, &f.result),
        };
        (f.name.clone(), table)
    });
    RigidMeaning {
        functions: functions.collect(),
    }
}

/// The value of a term in a state; `None` if it has none.
pub fn evaluate(
    terms: &Terms,
    term: Term,
    state: &State,
    aux: &BTreeMap<u32, Value>,
    rigid: &RigidMeaning,
) -> Option<Value> {
    let valuation = Valuation {
        before: state,
        after: None,
        aux: Some(aux),
        rigid,
    };
    Evaluator::new(terms, &valuation).value(term).ok()
}

/// Executes one step with random choices; `None` if an assumption fails.
pub fn execute(
    path: &Path<'_>,
    step: usize,
    mut state: State,
    rigid: &RigidMeaning,
    random: &mut Random,
) -> Option<State> {
    let terms = path.terms;
    let mut aux = BTreeMap::new();
    for &term in &path.auxiliaries {
        if let Some(Version::Aux(number)) = terms.as_var(term).map(|var| var.version) {
            aux.insert(number, value(random, terms.sort(term)));
        }
    }
    run(path, &path.steps[step], &mut state, &aux, rigid, random).then_some(state)
}

fn run(
    path: &Path<'_>,
    statements: &[Stmt<'_>],
    state: &mut State,
    aux: &BTreeMap<u32, Value>,
    rigid: &RigidMeaning,
    random: &mut Random,
) -> bool {
    let terms = path.terms;
    statements.iter().all(|statement| match statement {
        Stmt::Assume(condition) => {
            evaluate(terms, condition.term, state, aux, rigid) == Some(Value::Bool(true))
        }
        Stmt::Assign(variable, e) => {
            let Some(value) = evaluate(terms, e.term, state, aux, rigid) else {
                return false;
            };
            assign(terms, state, variable.term, value)
        }
        Stmt::Havoc(variable) => {
            let value = value(random, terms.sort(variable.term));
            assign(terms, state, variable.term, value)
        }
        Stmt::Choice(branches) => {
            let branch = random.pick(branches);
            run(path, branch, state, aux, rigid, random)
        }
    })
}

fn assign(terms: &Terms, state: &mut State, variable: Term, value: Value) -> bool {
    terms
        .as_var(variable)
        .is_some_and(|var| state.insert(var.name.clone(), value).is_some())
}
