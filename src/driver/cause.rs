//! Why a run violates an assertion: which of its conjuncts is false at the end, and the values by which it is.
//!
//! The state in which the run fails is known, so what is told is computed and not guessed: a conjunct is named if it is false
//! there, and for one with a quantifier the values of the bound variables are such that its body is false.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_bigint::BigInt;
use ult_core::formula::{BinderKind, Op, Sort, Term, Terms, Value, Var, Version};
use ult_core::graph::evidence::Walk;

/// So many combinations of values are tried for the variables of a quantifier.
const MOST_TRIED: usize = 4000;

/// So many values are tried for one variable.
const MOST_VALUES: usize = 300;

/// So many small numbers are tried, whatever the state says.
const SMALL: i64 = 20;

/// A larger formula is not looked at.
const LARGEST: usize = 20_000;

/// So many values are told.
const MOST_TOLD: usize = 8;

/// Why a run violates an assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The conjunct that is false, if it can be written down.
    pub conjunct: Option<String>,
    /// The values that make it false: what stands in it, and its value. Bound variables come first.
    pub values: Vec<(String, String)>,
}

/// A conjunct that is false in a state.
pub(super) struct Failed {
    /// The conjunct.
    pub conjunct: Term,
    /// What it says of the values of its bound variables: its body, where it has such.
    body: Term,
    /// The values of the bound variables.
    bound: Vec<(Term, Value)>,
}

/// The first conjunct that is false, if the formula is that of the step taken last, by which the run went wrong. What is
/// violated is its negation.
pub(super) fn failed(terms: &Terms, formula: Term, walk: &Walk<'_>) -> Option<Failed> {
    if formula == terms.tt() || terms.size(formula) > LARGEST {
        return None;
    }
    let mut open = vec![terms.not(formula)];
    let mut conjuncts = Vec::new();
    while let Some(term) = open.pop() {
        let inner = terms.args(term).first().copied();
        match (terms.op(term), inner) {
            (Op::And, _) => open.extend(terms.args(term).iter().rev()),
            (Op::Not, Some(inner)) if matches!(terms.op(inner), Op::Or) => {
                open.extend(terms.args(inner).iter().rev().map(|&part| terms.not(part)));
            }
            _ => conjuncts.push(term),
        }
    }
    let is_false = |term: Term| matches!(walk.evaluate(term), Ok(Value::Bool(false)));
    let certain = conjuncts.iter().copied().find(|&term| is_false(term));
    if let Some(conjunct) = certain {
        return Some(Failed {
            conjunct,
            body: conjunct,
            bound: Vec::new(),
        });
    }
    conjuncts
        .into_iter()
        .find_map(|conjunct| counterexample(terms, conjunct, walk))
}

/// Values for the variables of a universal quantifier that make its body false.
fn counterexample(terms: &Terms, conjunct: Term, walk: &Walk<'_>) -> Option<Failed> {
    let (mut body, mut variables) = (conjunct, Vec::new());
    loop {
        let inner = terms.args(body).first().copied();
        match (terms.op(body), inner) {
            (Op::Bind(binder), Some(inner)) if binder.kind == BinderKind::Forall => {
                variables.extend_from_slice(&binder.vars);
                body = inner;
            }
            (Op::Not, Some(negated)) => match (terms.op(negated), terms.args(negated).first()) {
                (Op::Bind(binder), Some(&inner)) if binder.kind == BinderKind::Exists => {
                    variables.extend_from_slice(&binder.vars);
                    body = terms.not(inner);
                }
                _ => break,
            },
            _ => break,
        }
    }
    if variables.is_empty() {
        return None;
    }
    let known = known_values(terms, body, walk);
    let choices: Vec<Vec<Value>> = variables
        .iter()
        .map(|&variable| candidates(terms.sort(variable), &known))
        .collect();
    let total = choices
        .iter()
        .try_fold(1usize, |product, some| product.checked_mul(some.len()))
        .unwrap_or(usize::MAX);
    let mut indices = vec![0; variables.len()];
    for _ in 0..total.min(MOST_TRIED) {
        let bound: Option<Vec<(Term, Value)>> = variables
            .iter()
            .zip(&choices)
            .zip(&indices)
            .map(|((&variable, some), &index)| Some((variable, some.get(index)?.clone())))
            .collect();
        let bound = bound?;
        let instance = instantiated(terms, body, &bound)?;
        if matches!(walk.evaluate(instance), Ok(Value::Bool(false))) {
            return Some(Failed {
                conjunct,
                body,
                bound,
            });
        }
        // The next combination: the last variable changes fastest.
        for (index, some) in indices.iter_mut().zip(&choices).rev() {
            *index += 1;
            if *index < some.len() {
                break;
            }
            *index = 0;
        }
    }
    None
}

/// A formula with values for bound variables.
fn instantiated(terms: &Terms, body: Term, bound: &[(Term, Value)]) -> Option<Term> {
    let map: Option<HashMap<Term, Term>> = bound
        .iter()
        .map(|(variable, value)| Some((*variable, constant(terms, value)?)))
        .collect();
    Some(terms.substitute(body, &map?))
}

fn constant(terms: &Terms, value: &Value) -> Option<Term> {
    Some(match value {
        Value::Bool(value) => terms.bool(*value),
        Value::Int(value) => terms.int(value.clone()),
        Value::Real(value) => terms.real(value.clone()),
        Value::BitVec(value, width) => terms.bitvec(value.clone(), *width),
        _ => return None,
    })
}

/// The values that the state has for what the formula mentions: of variables, and the indices and elements of maps.
fn known_values(terms: &Terms, formula: Term, walk: &Walk<'_>) -> BTreeSet<Value> {
    let mut known = BTreeSet::new();
    let mut open: Vec<Value> = terms
        .free_vars(&[formula])
        .into_iter()
        .filter_map(|term| walk.value(terms.as_var(term)?).cloned())
        .collect();
    open.extend(
        terms
            .post_order(&[formula])
            .into_iter()
            .filter(|&term| matches!(terms.op(term), Op::Int(_) | Op::Real(_) | Op::BitVec(_)))
            .filter_map(|term| walk.evaluate(term).ok()),
    );
    while let Some(value) = open.pop() {
        if known.len() > MOST_VALUES {
            break;
        }
        match value {
            Value::Map(map) => {
                for (index, element) in map.entries.iter().take(MOST_VALUES) {
                    open.extend(index.iter().cloned());
                    open.push(element.clone());
                }
                open.push(map.default.clone());
            }
            value => {
                known.insert(value);
            }
        }
    }
    known
}

/// What is tried for a variable of a sort, in this order.
fn candidates(sort: &Sort, known: &BTreeSet<Value>) -> Vec<Value> {
    let mut found: Vec<Value> = match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int => {
            let one = BigInt::from(1);
            let around = known.iter().filter_map(|value| match value {
                Value::Int(value) => Some([value - &one, value.clone(), value + &one]),
                _ => None,
            });
            let all: BTreeSet<BigInt> = around
                .flatten()
                .chain((-1..SMALL).map(BigInt::from))
                .collect();
            // Small ones first: indices are seldom negative.
            let (negative, rest): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|value| value < &BigInt::from(0));
            let all = rest.into_iter().chain(negative.into_iter().rev());
            all.map(Value::Int).collect()
        }
        sort => {
            let is_one = |value: &&Value| match (value, sort) {
                (Value::Real(_), Sort::Real) => true,
                (Value::BitVec(_, width), Sort::BitVec(own)) => width == own,
                _ => false,
            };
            known.iter().filter(is_one).cloned().collect()
        }
    };
    found.truncate(MOST_VALUES);
    found
}

impl Failed {
    /// The values by which it is false, with names: of the bound variables, of elements of maps, and of variables.
    pub(super) fn values(
        &self,
        terms: &Terms,
        walk: &Walk<'_>,
        name: &dyn Fn(&Var) -> Option<String>,
        shown: &dyn Fn(&Value) -> String,
    ) -> Vec<(String, String)> {
        let mut told: Vec<(String, String)> = Vec::new();
        for (variable, value) in &self.bound {
            if let Some(name) = terms.as_var(*variable).and_then(name) {
                told.push((name, shown(value)));
            }
        }
        let Some(body) = instantiated(terms, self.body, &self.bound) else {
            return told;
        };
        let mut elements = BTreeMap::new();
        let mut scalars = BTreeMap::new();
        let order = terms.post_order(&[body]);
        for (number, &term) in order.iter().enumerate() {
            let Ok(value) = walk.evaluate(term) else {
                continue;
            };
            if matches!(value, Value::Map(_)) {
                continue;
            }
            match terms.op(term) {
                Op::Var(var) if !matches!(var.version, Version::Bound(_)) => {
                    if let Some(name) = name(var) {
                        scalars.entry(name).or_insert((number, shown(&value)));
                    }
                }
                Op::Select => {
                    if let Some(name) = element(terms, term, walk, name, shown) {
                        elements.entry(name).or_insert((number, shown(&value)));
                    }
                }
                _ => {}
            }
        }
        // In the order in which they stand there.
        for group in [elements, scalars] {
            let mut group: Vec<_> = group.into_iter().collect();
            group.sort_by_key(|(_, (number, _))| *number);
            told.extend(group.into_iter().map(|(name, (_, value))| (name, value)));
        }
        told.truncate(MOST_TOLD);
        told
    }
}

/// An element of a map, with the values of its indices: `a[2]`.
fn element(
    terms: &Terms,
    term: Term,
    walk: &Walk<'_>,
    name: &dyn Fn(&Var) -> Option<String>,
    shown: &dyn Fn(&Value) -> String,
) -> Option<String> {
    match (terms.op(term), terms.args(term)) {
        (Op::Var(var), _) => name(var),
        (Op::Select, [map, indices @ ..]) => {
            let map = element(terms, *map, walk, name, shown)?;
            let indices: Option<Vec<String>> = indices
                .iter()
                .map(|&index| Some(shown(&walk.evaluate(index).ok()?)))
                .collect();
            Some(format!("{map}[{}]", indices?.join(", ")))
        }
        _ => None,
    }
}

impl Cause {
    /// It in one sentence: "false: x < n, where x = 3, n = 3".
    pub fn sentence(&self) -> String {
        let values: Vec<String> = self
            .values
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let values = values.join(", ");
        match (&self.conjunct, values.is_empty()) {
            (Some(conjunct), true) => format!("false: {conjunct}"),
            (Some(conjunct), false) => format!("false: {conjunct}, where {values}"),
            (None, _) => format!("false where {values}"),
        }
    }
}
