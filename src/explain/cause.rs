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

/// How things are called.
pub(super) struct Words<'a> {
    /// A variable, if it has a name for users.
    pub name: &'a dyn Fn(&Var) -> Option<String>,
    /// A value.
    pub shown: &'a dyn Fn(&Value) -> String,
    /// An element of the map of this name.
    pub element: &'a dyn Fn(&str, &[Value]) -> String,
}

/// A conjunct that is false in a state.
pub(super) struct Failed {
    /// The conjunct.
    pub conjunct: Term,
    /// Which one it is, and how many there are.
    place: (usize, usize),
    /// What it says of the values of its bound variables: its body, where it has such.
    body: Term,
    /// The values of the bound variables.
    bound: Vec<(Term, Value)>,
}

/// The first conjunct that is false, if the formula is that of the step taken last, by which the run went wrong. What is
/// violated is its negation.
pub(super) fn failed(terms: &Terms, formula: Term, walk: &Walk<'_, '_>) -> Option<Failed> {
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
    let count = conjuncts.len();
    if let Some(index) = conjuncts.iter().position(|&term| is_false(term)) {
        let conjunct = conjuncts[index];
        return Some(Failed {
            conjunct,
            place: (index, count),
            body: conjunct,
            bound: Vec::new(),
        });
    }
    let is_true = |term: &Term| matches!(walk.evaluate(*term), Ok(Value::Bool(true)));
    let open: Vec<usize> = (0..count)
        .filter(|&index| !is_true(&conjuncts[index]))
        .collect();
    let only = match open[..] {
        // One of them is false.
        [index] => Some(Failed {
            conjunct: conjuncts[index],
            place: (index, count),
            body: conjuncts[index],
            bound: Vec::new(),
        }),
        _ => None,
    };
    conjuncts
        .into_iter()
        .enumerate()
        .find_map(|(index, conjunct)| counterexample(terms, conjunct, (index, count), walk))
        .or(only)
}

/// Values for the variables of a universal quantifier that make its body false.
fn counterexample(
    terms: &Terms,
    conjunct: Term,
    place: (usize, usize),
    walk: &Walk<'_, '_>,
) -> Option<Failed> {
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
                place,
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
fn known_values(terms: &Terms, formula: Term, walk: &Walk<'_, '_>) -> BTreeSet<Value> {
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
        walk: &Walk<'_, '_>,
        words: &Words<'_>,
    ) -> Vec<(String, String)> {
        let mut told: Vec<(String, String)> = Vec::new();
        for (variable, value) in &self.bound {
            if let Some(name) = terms.as_var(*variable).and_then(words.name) {
                told.push((name, (words.shown)(value)));
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
                    if let Some(name) = (words.name)(var) {
                        scalars
                            .entry(name)
                            .or_insert((number, (words.shown)(&value)));
                    }
                }
                Op::Select => {
                    if let Some(name) = element(terms, term, walk, words) {
                        elements
                            .entry(name)
                            .or_insert((number, (words.shown)(&value)));
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
fn element(terms: &Terms, term: Term, walk: &Walk<'_, '_>, words: &Words<'_>) -> Option<String> {
    match (terms.op(term), terms.args(term)) {
        (Op::Var(var), _) => (words.name)(var),
        (Op::Select, [map, indices @ ..]) => {
            let map = element(terms, *map, walk, words)?;
            let indices = indices.iter().map(|&index| walk.evaluate(index).ok());
            let indices: Option<Vec<Value>> = indices.collect();
            Some((words.element)(&map, &indices?))
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
            (None, _) => format!("where {values}"),
        }
    }
}

/// The conjunct as the text of the assertion has it, if it is plain which part of the text it is: the text has as many
/// conjuncts as the formula, and this one mentions all that it is about.
pub(super) fn written(text: &str, failed: &Failed, mentioned: &[String]) -> Option<String> {
    let (index, count) = failed.place;
    let parts = conjuncts(condition(text)?)?;
    let part = *parts.get(index).filter(|_| parts.len() == count)?;
    let is_word = |letter: char| letter.is_alphanumeric() || "_.$'#".contains(letter);
    let words: BTreeSet<&str> = part.split(|letter| !is_word(letter)).collect();
    let is_mentioned = |name: &String| {
        let name = name
            .split("old(")
            .last()
            .unwrap_or(name)
            .trim_end_matches(')');
        let first = name.split('.').next().unwrap_or(name);
        words
            .iter()
            .any(|word| *word == name || word.split('.').any(|word| word == first))
    };
    (!part.contains("...") && mentioned.iter().all(is_mentioned)).then(|| part.to_owned())
}

/// The condition of an assertion.
fn condition(text: &str) -> Option<&str> {
    let text = text.trim();
    let keyword = |word: &str| {
        let rest = text.strip_prefix(word)?;
        rest.starts_with(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .then_some(rest)
    };
    let inner = match keyword("assert") {
        Some(rest) => rest.trim_end_matches(';').trim(),
        // What is asserted elsewhere is not the text of this place.
        None => {
            let words = ["invariant", "requires", "ensures"];
            let rest = words.into_iter().find_map(keyword)?;
            rest.trim_end_matches(';').trim()
        }
    };
    (!inner.starts_with("{:")).then_some(inner)
}

/// The conjuncts of an expression, as it is written; those in parentheses are opened. `None` if brackets do not fit.
fn conjuncts(text: &str) -> Option<Vec<&str>> {
    let text = text.trim();
    let (mut depth, mut from) = (0usize, 0);
    let (mut parts, mut is_plain, mut wraps) = (Vec::new(), true, text.starts_with('('));
    let mut quote = None;
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        if let Some(open) = quote {
            if byte == open && bytes.get(at.wrapping_sub(1)) != Some(&b'\\') {
                quote = None;
            }
            continue;
        }
        match byte {
            b'"' => quote = Some(byte),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                wraps &= depth > 0 || at + 1 == bytes.len();
            }
            b'&' if depth == 0 && bytes.get(at + 1) == Some(&b'&') && from <= at => {
                parts.push(text[from..at].trim());
                from = at + 2;
            }
            b'|' | b'?' | b',' if depth == 0 => is_plain = false,
            b'>' if depth == 0 && at > 0 && bytes[at - 1] == b'=' => is_plain = false,
            b'<' if depth == 0
                && bytes.get(at + 1) == Some(&b'=')
                && bytes.get(at + 2) == Some(&b'=') =>
            {
                is_plain = false;
            }
            _ => {}
        }
    }
    if depth > 0 || quote.is_some() {
        return None;
    }
    if !is_plain {
        return Some(vec![text]);
    }
    if wraps && text.len() >= 2 {
        let inner = text[1..text.len() - 1].trim();
        let is_quantified = ["forall", "exists", "lambda", "\u{2200}", "\u{2203}"]
            .iter()
            .any(|word| inner.starts_with(word));
        return match is_quantified {
            true => Some(vec![text]),
            false => conjuncts(inner),
        };
    }
    parts.push(text[from..].trim());
    if parts.len() == 1 {
        return Some(parts);
    }
    let opened: Option<Vec<Vec<&str>>> = parts.into_iter().map(conjuncts).collect();
    Some(opened?.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_divided_at_their_conjunctions() {
        for (text, expected) in [
            ("assert a && b;", Some(vec!["a", "b"])),
            (
                "assert(a[3] == 0 && (p.y == 4 && q))",
                Some(vec!["a[3] == 0", "p.y == 4", "q"]),
            ),
            (
                "assert n == 3 && (forall k: int :: 0 <= k && k < n ==> a[k] < 9);",
                Some(vec![
                    "n == 3",
                    "(forall k: int :: 0 <= k && k < n ==> a[k] < 9)",
                ]),
            ),
            ("assert a && b ==> c;", Some(vec!["a && b ==> c"])),
            ("assert a || b && c;", Some(vec!["a || b && c"])),
            ("assert (a) && (b);", Some(vec!["a", "b"])),
            (
                "invariant x >= 0 && y <= 1;",
                Some(vec!["x >= 0", "y <= 1"]),
            ),
            ("assert(f(\"&& (\") && b)", Some(vec!["f(\"&& (\")", "b"])),
            ("assert {:msg \"a && b\"} c;", None),
            ("call P(a && b);", None),
            ("assertion(a)", None),
            ("assert a) && (b;", None),
        ] {
            let found = condition(text).and_then(conjuncts);
            assert_eq!(found, expected, "{text}");
        }
    }
}
