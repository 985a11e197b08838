//! Short formulas about one location, and which of them sampled states contradict.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
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

/// So many parts of a disjunction a quantifier or a product counts as: questions without them are quicker.
const HARD: usize = 4;

/// So many formulas are tried at one location at a time.
const MOST_CLAUSES: usize = 1500;

/// What can be said at a location without conditions, and the conditions.
pub(super) struct Literals {
    /// With the states in which they hold.
    all: Vec<(Term, Seen)>,
    /// Negated conditions: what holds where a condition does not.
    unless: Vec<(Term, Seen)>,
}

/// How much there is to a formula, to be compared: the parts of a disjunction, where quantifiers and products of variables count
/// as many; how little it says; and its size.
pub(super) fn rank(terms: &Terms, formula: Term) -> (usize, usize, usize) {
    let parts = match (terms.op(formula), terms.args(formula)) {
        (Op::Not, [inner]) if *terms.op(*inner) == Op::And => {
            let all = terms.conjuncts(*inner).into_iter();
            all.map(|part| terms.not(part)).collect()
        }
        _ => terms.disjuncts(formula),
    };
    let order = terms.post_order(&[formula]);
    let is_hard = |part: &Term| match terms.op(*part) {
        Op::Bind(_) => true,
        Op::Mul => {
            let factors = terms.args(*part).iter();
            factors.filter(|&&f| terms.as_number(f).is_none()).count() > 1
        }
        _ => false,
    };
    let hard = HARD * order.iter().filter(|part| is_hard(part)).count();
    let weakness = |part: &Term| match (terms.op(*part), terms.args(*part)) {
        (Op::Not, [inner]) if *terms.op(*inner) == Op::Eq => 3,
        (Op::Le, _) => 2,
        (Op::Lt, _) | (Op::Not, _) => 1,
        _ => 0,
    };
    let weakness = parts.iter().map(weakness).sum();
    (parts.len() + hard, weakness, order.len())
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

    /// What no state contradicts, under so many conditions: each of them matters, since some state would contradict the rest. What
    /// follows from others of them is left out.
    pub(super) fn clauses(&self, terms: &Terms, conditions: usize) -> Vec<Term> {
        let mut premises: Vec<Vec<(Term, Seen)>> = vec![Vec::new()];
        for _ in 0..conditions {
            let longer = premises.into_iter().flat_map(|premise| {
                let last = premise.last().copied();
                let position = last.and_then(|last| self.unless.iter().position(|l| *l == last));
                let from = position.map_or(0, |position| position + 1);
                let next = self.unless[from..].iter();
                next.map(move |&literal| [&premise[..], &[literal]].concat())
            });
            premises = longer.collect();
        }
        let mut found: IndexSet<Term> = IndexSet::new();
        for premise in premises {
            let mut own: Vec<Term> = Vec::new();
            for &literal in &self.all {
                let mut parts = [&premise[..], &[literal]].concat();
                if !is_tight(&parts) || own.iter().any(|&other| implies(terms, other, literal.0)) {
                    continue;
                }
                // The same parts make the same formula.
                parts.sort_unstable();
                let formula = terms.or(parts.iter().map(|(part, _)| *part));
                if !matches!(terms.op(formula), Op::Bool(_)) {
                    own.push(literal.0);
                    found.insert(formula);
                }
            }
        }
        found.sort_by_cached_key(|formula| rank(terms, *formula));
        found.truncate(MOST_CLAUSES);
        found.into_iter().collect()
    }
}

/// Whether the disjunction holds in all states, and without any of its parts it does not.
fn is_tight(parts: &[(Term, Seen)]) -> bool {
    let without = |number: usize| {
        let rest = parts.iter().enumerate().filter(|(i, _)| *i != number);
        rest.fold(0, |all, (_, (_, seen))| all | seen)
    };
    without(parts.len()) == Seen::MAX && (0..parts.len()).all(|n| without(n) != Seen::MAX)
}

/// Whether a comparison of two terms says as much as another one of the same terms, and more.
fn implies(terms: &Terms, strong: Term, weak: Term) -> bool {
    let sides = |term: Term| match terms.args(term) {
        [left, right] => Some((*left, *right)),
        _ => None,
    };
    match (terms.op(strong), sides(strong), terms.op(weak)) {
        // x == y, and x <= y or y <= x.
        (Op::Eq, Some((x, y)), Op::Le) => sides(weak).is_some_and(|w| w == (x, y) || w == (y, x)),
        // x < y, and x <= y or x != y.
        (Op::Lt, Some(pair), Op::Le) => sides(weak) == Some(pair),
        (Op::Lt, Some((x, y)), Op::Not) => terms.args(weak)[0] == terms.eq(x, y),
        _ => false,
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
        // Each combination of truth values gets its turn: what holds in few of them is seen there.
        let mut groups: BTreeMap<Vec<&BigInt>, Vec<&Vec<BigInt>>> = BTreeMap::new();
        for point in points {
            let flags = variables.iter().zip(point);
            let flags = flags.filter(|(var, _)| *terms.sort(**var) == Sort::Bool);
            let flags = flags.map(|(_, value)| value).collect();
            groups.entry(flags).or_default().push(point);
        }
        let longest = groups.values().map(Vec::len).max().unwrap_or_default();
        let turns = (0..longest).flat_map(|turn| groups.values().filter_map(move |g| g.get(turn)));
        let chosen: Vec<&Vec<BigInt>> = turns.copied().take(STATES).collect();
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
        States(chosen.into_iter().map(state).collect())
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
