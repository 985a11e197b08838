//! Short formulas about one location, and which of them sampled states contradict.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;
use num_bigint::BigInt;
use num_traits::{One as _, Zero as _};

use crate::execute::Points;
use ult_core::formula::eval::{Interpretation, eval};
use ult_core::formula::{Function, Op, Sort, Term, Terms, Value, Var};
use ult_core::graph::ProgramGraph;

/// States in which a formula holds, one bit for each sampled state.
type Seen = u128;

/// So many states are looked at.
const STATES: usize = 128;

/// A variable with more values than this in the sampled states is no condition.
const FEW_VALUES: usize = 4;

/// So many integer variables are compared with each other, each with each.
const MOST_COMPARED: usize = 8;

/// So many integer variables are compared with numbers, and with so many numbers each.
const MOST_BOUNDED: usize = 16;
const MOST_NUMBERS: usize = 12;

/// So many truth values and values of variables are conditions.
const MOST_CONDITIONS: usize = 16;

/// So many formulas are tried at one location at a time.
const MOST_CLAUSES: usize = 1500;

/// What can be said at a location without conditions, and the conditions.
pub(super) struct Literals {
    /// With the states in which they hold.
    all: Vec<(Term, Seen)>,
    /// Negated conditions: what holds where a condition does not.
    unless: Vec<(Term, Seen)>,
}

/// How much there is to a formula, to be compared: the parts of a disjunction, how little it says, and its size.
pub(super) fn rank(terms: &Terms, formula: Term) -> (usize, usize, usize) {
    let parts = terms.disjuncts(formula);
    let weakness = |part: &Term| match (terms.op(*part), terms.args(*part)) {
        (Op::Not, [inner]) if *terms.op(*inner) == Op::Eq => 3,
        (Op::Le, _) => 2,
        (Op::Lt, _) | (Op::Not, _) => 1,
        _ => 0,
    };
    let weakness = parts.iter().map(weakness).sum();
    (parts.len(), weakness, terms.size(formula))
}

impl Literals {
    /// About these variables, given states and what a proof says.
    pub(super) fn new(
        terms: &Terms,
        graph: &ProgramGraph,
        variables: &[Term],
        points: Option<&Points>,
        parts: &[Term],
    ) -> Literals {
        let states = States::new(terms, variables, points);
        let mut found: IndexMap<Term, Seen> = IndexMap::new();
        let mut add = |term: Term| {
            if !matches!(terms.op(term), Op::Bool(_)) {
                found
                    .entry(term)
                    .or_insert_with(|| states.seen(terms, term));
            }
        };
        let of_sort = |sort: Sort| {
            let all = variables.iter().copied();
            all.filter(move |&var| *terms.sort(var) == sort)
        };
        for flag in of_sort(Sort::Bool) {
            add(flag);
            add(terms.not(flag));
        }
        let integers: Vec<Term> = of_sort(Sort::Int).collect();
        for (number, &x) in integers.iter().enumerate().take(MOST_COMPARED) {
            for &y in integers[number + 1..].iter().take(MOST_COMPARED) {
                let [equal, below, above] = [terms.eq(x, y), terms.lt(x, y), terms.lt(y, x)];
                for relation in [equal, below, above] {
                    add(relation);
                    add(terms.not(relation));
                }
            }
        }
        let numbers = own_numbers(terms, graph);
        for &x in integers.iter().take(MOST_BOUNDED) {
            for number in &numbers {
                let number = terms.int(number.clone());
                add(terms.le(number, x));
                add(terms.le(x, number));
            }
        }
        for part in parts.iter().flat_map(|&part| terms.disjuncts(part)) {
            if !terms.has_binder(part) {
                add(part);
                add(terms.not(part));
            }
        }
        let mut unless: IndexMap<Term, Seen> = IndexMap::new();
        for flag in of_sort(Sort::Bool) {
            for literal in [flag, terms.not(flag)] {
                unless.insert(literal, states.seen(terms, literal));
            }
        }
        for &x in &integers {
            for value in states.few_values(terms, x) {
                let literal = terms.neq(x, terms.int(value));
                unless.insert(literal, states.seen(terms, literal));
            }
        }
        unless.truncate(MOST_CONDITIONS);
        Literals {
            all: found.into_iter().collect(),
            unless: unless.into_iter().collect(),
        }
    }

    /// What no state contradicts, under so many conditions, and what is known does not say already. What comes close to being
    /// false is first: a formula that holds without one of its conditions says less than it could.
    pub(super) fn clauses(&self, terms: &Terms, conditions: usize, known: &[Term]) -> Vec<Term> {
        let mut found: IndexMap<Term, bool> = IndexMap::new();
        let is_known = |part: Term| known.contains(&part);
        let mut add = |parts: &[(Term, Seen)]| {
            let seen = parts.iter().fold(0, |all, (_, seen)| all | seen);
            if seen != Seen::MAX {
                return;
            }
            let without = |number: usize| {
                let rest = parts.iter().enumerate().filter(move |(i, _)| *i != number);
                rest.map(|(_, part)| *part)
            };
            let formula = terms.or(parts.iter().map(|(part, _)| *part));
            if matches!(terms.op(formula), Op::Bool(_)) || is_known(formula) {
                return;
            }
            let mut is_tight = true;
            for number in 0..parts.len() {
                if is_known(terms.or(without(number).map(|(part, _)| part)))
                    || is_known(parts[number].0)
                {
                    return;
                }
                is_tight &= without(number).fold(0, |all, (_, seen)| all | seen) != Seen::MAX;
            }
            found.insert(formula, is_tight);
        };
        let pairs = |first: usize| self.unless.iter().skip(first + 1);
        match conditions {
            0 => self.all.iter().for_each(|&literal| add(&[literal])),
            1 => {
                for &unless in &self.unless {
                    for &literal in &self.all {
                        add(&[unless, literal]);
                    }
                }
            }
            _ => {
                for (first, &one) in self.unless.iter().enumerate() {
                    for &other in pairs(first) {
                        for &literal in &self.all {
                            add(&[one, other, literal]);
                        }
                    }
                }
            }
        }
        found.sort_by(|f, is_tight, g, other| {
            let key = |formula: &Term, is_tight: &bool| (!is_tight, rank(terms, *formula));
            key(f, is_tight).cmp(&key(g, other))
        });
        found.truncate(MOST_CLAUSES);
        found.into_keys().collect()
    }
}

/// The first numbers of the program.
fn own_numbers(terms: &Terms, graph: &ProgramGraph) -> Vec<BigInt> {
    let formulas: Vec<Term> = graph
        .graph
        .edge_weights()
        .map(|e| e.transition.formula)
        .collect();
    let mut found: Vec<BigInt> = vec![BigInt::zero(), BigInt::one()];
    for term in terms.post_order(&formulas) {
        if let Op::Int(value) = terms.op(term)
            && !found.contains(value)
        {
            found.push(value.clone());
        }
    }
    found.truncate(MOST_NUMBERS);
    found
}

/// Sampled states.
struct States(Vec<BTreeMap<Arc<str>, Value>>);

impl States {
    fn new(terms: &Terms, variables: &[Term], points: Option<&Points>) -> States {
        let Some(points) = points.filter(|points| !points.is_empty()) else {
            return States(Vec::new());
        };
        let every = points.len().div_ceil(STATES);
        let state = |point: &Vec<BigInt>| {
            let values = variables.iter().zip(point).filter_map(|(&var, value)| {
                let value = match terms.sort(var) {
                    Sort::Bool => Value::Bool(!value.is_zero()),
                    _ => Value::Int(value.clone()),
                };
                Some((terms.as_var(var)?.name.clone(), value))
            });
            values.collect()
        };
        States(points.iter().step_by(every).map(state).collect())
    }

    /// In which of them a formula holds; where that is not known, it is taken to.
    fn seen(&self, terms: &Terms, formula: Term) -> Seen {
        let mut seen = Seen::MAX;
        for (number, state) in self.0.iter().enumerate() {
            if let Ok(Value::Bool(false)) = eval(terms, formula, &State(state)) {
                seen &= !(1 << number);
            }
        }
        seen
    }

    /// The values of an integer variable, if these are few and there is more than one.
    fn few_values(&self, terms: &Terms, var: Term) -> Vec<BigInt> {
        let name = terms.as_var(var).map(|var| &var.name);
        let of_state = |state: &BTreeMap<Arc<str>, Value>| match state.get(name?) {
            Some(Value::Int(value)) => Some(value.clone()),
            _ => None,
        };
        let values: BTreeSet<BigInt> = self.0.iter().filter_map(of_state).collect();
        let are_few = (2..=FEW_VALUES).contains(&values.len()) && self.0.len() > 2 * FEW_VALUES;
        match are_few {
            true => values.into_iter().collect(),
            false => Vec::new(),
        }
    }
}

struct State<'s>(&'s BTreeMap<Arc<str>, Value>);

impl Interpretation for State<'_> {
    fn variable(&self, var: &Var, _: &Sort) -> Option<Value> {
        self.0.get(&var.name).cloned()
    }

    fn function(&self, _: &Arc<Function>, _: &[Value]) -> Option<Value> {
        None
    }
}
