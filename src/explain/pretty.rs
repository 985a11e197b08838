//! Formulas as a person would write them.
//!
//! Every step gives an equivalent formula, so what is shown is what was proved.
//!
//! * `if c then a else b` between truth values is `(c ==> a) && (!c ==> b)`.
//! * `!(exists x :: p)` is `(forall x :: !p)`, and quantifiers of one kind in a row are one.
//! * Bound variables go that others define or only keep apart: `exists x :: k < x && x <= n` is `k < n` for integers.
//! * `a + 1 <= b` is `a < b`, and `i * i == i + 2 * s` is `2 * s == i * (i - 1)`.
//! * Conjuncts under the same premise are one conjunct.

use std::collections::{BTreeSet, HashMap};

use indexmap::IndexMap;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use ult_core::formula::{BinderKind, Op, Sort, Term, Terms, Version};
use ult_interpolate::simplify::{simplified, tidied};
use ult_smt::Session;

#[cfg(test)]
mod tests;

/// Of larger formulas nobody reads what could be made of them.
const LARGEST: usize = 2_000;

/// Nothing is asked about larger formulas.
const ASKED: usize = 150;

/// So many questions are asked about a formula.
const QUESTIONS: u32 = 40;

/// Names for bound variables, where theirs are taken.
const NAMES: [&str; 8] = ["k", "j", "l", "m", "p", "q", "u", "v"];

/// The formula, or an equivalent one that is easier to read.
///
/// With a session, the solver says of small formulas which conjuncts and disjuncts say nothing new.
pub(crate) fn pretty(terms: &Terms, formula: Term, session: Option<&Session<'_>>) -> Term {
    if terms.size(formula) > LARGEST {
        return formula;
    }
    let plain = rewritten(terms, formula, |terms, term| match terms.op(term) {
        Op::Ite if *terms.sort(term) == Sort::Bool => {
            let &[condition, then, otherwise] = terms.args(term) else {
                return term;
            };
            terms.and([
                terms.implies(condition, then),
                terms.or([condition, otherwise]),
            ])
        }
        _ => term,
    });
    let quantified = rewritten(terms, plain, quantifier);
    let mut budget = QUESTIONS;
    let tidy = match session {
        Some(session) if terms.size(quantified) <= ASKED => {
            simplified(session, quantified, &mut budget)
        }
        _ => tidied(terms, quantified),
    };
    // What turned out to be equal can take the place of a bound variable.
    let tidy = terms.normalised(rewritten(terms, tidy, quantifier));
    let grouped = grouped(terms, tidy);
    let shown = rewritten(terms, grouped, |terms, term| {
        factored(terms, strict(terms, term))
    });
    match terms.size(shown) > 2 * terms.size(formula) {
        true => formula,
        false => shown,
    }
}

/// Names for the bound variables of a formula that are different from each other and from the names in `taken`.
pub(crate) fn bound_names(
    terms: &Terms,
    formula: Term,
    taken: &BTreeSet<String>,
) -> HashMap<u32, String> {
    let mut used = taken.clone();
    let mut names = HashMap::new();
    for term in terms.post_order(&[formula]) {
        let Some(var) = terms.as_var(term) else {
            continue;
        };
        let Version::Bound(number) = var.version else {
            continue;
        };
        let is_word = |name: &str| {
            let mut characters = name.chars();
            characters.next().is_some_and(char::is_alphabetic)
                && characters.all(|c| c.is_alphanumeric() || c == '_')
        };
        let own = Some(var.name.to_string()).filter(|name| is_word(name) && !used.contains(name));
        let free = || {
            let numbered = (1..).flat_map(|i| NAMES.iter().map(move |name| format!("{name}{i}")));
            let all = NAMES.iter().map(|name| (*name).to_owned()).chain(numbered);
            all.into_iter().find(|name| !used.contains(name))
        };
        if let Some(name) = own.or_else(free) {
            used.insert(name.clone());
            names.insert(number, name);
        }
    }
    names
}

/// The formula with each of its parts replaced, from the inside to the outside.
fn rewritten(terms: &Terms, formula: Term, replace: impl Fn(&Terms, Term) -> Term) -> Term {
    let mut done: HashMap<Term, Term> = HashMap::new();
    for term in terms.post_order(&[formula]) {
        let node = terms.node(term);
        let args: Vec<Term> = node.args.iter().map(|arg| done[arg]).collect();
        let same = match *args == *node.args {
            true => term,
            false => terms.rebuild(node, &args),
        };
        done.insert(term, replace(terms, same));
    }
    done[&formula]
}

/// `a + 1 <= b` as `a < b`.
fn strict(terms: &Terms, term: Term) -> Term {
    let (Op::Le, &[left, right]) = (terms.op(term), terms.args(term)) else {
        return term;
    };
    let is_one = |part: &Term| {
        terms
            .as_number(*part)
            .is_some_and(|number| number == BigRational::one())
    };
    if *terms.sort(left) != Sort::Int || *terms.op(left) != Op::Add {
        return term;
    }
    let parts = terms.args(left);
    match parts.iter().filter(|part| is_one(part)).count() {
        1 => {
            let rest: Vec<Term> = parts.iter().copied().filter(|p| !is_one(p)).collect();
            terms.lt(terms.add(&rest), right)
        }
        _ => term,
    }
}

/// An equality between integers with products of variables: what stands in one place only is on one side, and what all
/// products share stands in front of what is left of them.
fn factored(terms: &Terms, term: Term) -> Term {
    let (Op::Eq, &[left, right]) = (terms.op(term), terms.args(term)) else {
        return term;
    };
    if *terms.sort(left) != Sort::Int {
        return term;
    }
    // The sum is zero.
    let (parts, constant) = terms.linear(terms.sub(left, right));
    let factors = |part: Term| match terms.op(part) {
        Op::Mul => terms.args(part).to_vec(),
        _ => vec![part],
    };
    if !constant.is_zero() || parts.len() < 3 {
        return term;
    }
    for (number, (alone, factor)) in parts.iter().enumerate() {
        let others = || parts.iter().enumerate().filter(|(i, _)| *i != number);
        let mut others_factors = others().map(|(_, (part, _))| factors(*part));
        let Some(first) = others_factors.next() else {
            continue;
        };
        let rest: Vec<Vec<Term>> = others_factors.collect();
        let shared = first
            .iter()
            .find(|f| rest.iter().all(|all| all.contains(f)));
        let is_alone = terms.as_var(*alone).is_some()
            && !others().any(|(_, (part, _))| factors(*part).contains(alone));
        let Some(&shared) = shared.filter(|_| is_alone) else {
            continue;
        };
        let without = |(_, (part, own)): (usize, &(Term, BigRational))| {
            let mut left = factors(*part);
            left.remove(left.iter().position(|f| *f == shared)?);
            // What is alone gets a positive factor.
            let own = match factor.is_positive() {
                true => -own,
                false => own.clone(),
            };
            left.push(terms.number(own, &Sort::Int)?);
            Some(terms.mul(&left))
        };
        let Some(inner) = others().map(without).collect::<Option<Vec<Term>>>() else {
            continue;
        };
        let Some(factor) = terms.number(factor.abs(), &Sort::Int) else {
            continue;
        };
        let product = terms.mul(&[shared, terms.add(&inner)]);
        return terms.eq(terms.mul(&[factor, *alone]), product);
    }
    term
}

/// A quantifier, or the negation of one, in few words.
fn quantifier(terms: &Terms, term: Term) -> Term {
    let (inner, negated) = match terms.op(term) {
        Op::Not => (terms.args(term)[0], true),
        _ => (term, false),
    };
    let Op::Bind(binder) = terms.op(inner) else {
        return term;
    };
    let body = terms.args(inner)[0];
    if binds(terms, body, &binder.vars) {
        return term;
    }
    let (universal, body) = match (binder.kind, negated) {
        (BinderKind::Forall, false) => (true, terms.not(body)),
        (BinderKind::Exists, false) => (false, body),
        (BinderKind::Exists, true) => (true, body),
        (BinderKind::Forall, true) | (BinderKind::Lambda, _) => return term,
    };
    // Both are about when there are values of which all of this holds.
    let mut vars = binder.vars.clone();
    let mut parts = conjuncts(terms, body, &mut vars);
    while let Some((var, rest)) = vars
        .iter()
        .find_map(|&var| Some((var, without(terms, var, &parts)?)))
    {
        vars.retain(|other| *other != var);
        parts = Vec::new();
        for part in rest {
            parts.extend(conjuncts(terms, part, &mut vars));
        }
    }
    if !negated && vars == binder.vars {
        return term;
    }
    let mut seen = BTreeSet::new();
    parts.retain(|part| seen.insert(*part));
    if !universal {
        return terms.bind(BinderKind::Exists, &vars, terms.and(parts), &[]);
    }
    let is_guard = |part: &Term| {
        let compares = matches!(terms.op(*part), Op::Le | Op::Lt);
        let order = terms.post_order(&[*part]);
        let reads = order.iter().any(|t| matches!(terms.op(*t), Op::Select));
        compares && !reads
    };
    let conclusion = match parts.iter().rposition(|part| !is_guard(part)) {
        Some(last) => parts.remove(last),
        None => match parts.pop() {
            Some(last) => last,
            None => return terms.ff(),
        },
    };
    let body = terms.implies(terms.and(parts), terms.not(conclusion));
    terms.bind(BinderKind::Forall, &vars, body, &[])
}

/// What holds together; variables of quantifiers among it become variables of the whole.
fn conjuncts(terms: &Terms, formula: Term, vars: &mut Vec<Term>) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open = vec![formula];
    while let Some(part) = open.pop() {
        let args = terms.args(part);
        match terms.op(part) {
            Op::And => open.extend(args.iter().rev()),
            Op::Bind(binder) if binder.kind == BinderKind::Exists => {
                match opened(terms, &binder.vars, args[0], vars) {
                    Some(body) => open.push(body),
                    None => found.push(part),
                }
            }
            Op::Not => match terms.op(args[0]) {
                Op::Or => {
                    let parts = terms.args(args[0]).iter().rev();
                    open.extend(parts.map(|&part| terms.not(part)));
                }
                Op::Bind(binder) if binder.kind == BinderKind::Forall => {
                    match opened(terms, &binder.vars, terms.args(args[0])[0], vars) {
                        Some(body) => open.push(terms.not(body)),
                        None => found.push(part),
                    }
                }
                _ => found.push(part),
            },
            Op::Bool(true) => {}
            _ => found.push(part),
        }
    }
    found
}

/// The body of a quantifier whose variables become some of the whole. They get numbers of their own, since those of the same
/// quantifier elsewhere are others. `None` if that cannot be.
fn opened(terms: &Terms, bound: &[Term], body: Term, vars: &mut Vec<Term>) -> Option<Term> {
    if binds(terms, body, bound) {
        return None;
    }
    let mut map = HashMap::new();
    for &var in bound {
        let name = terms.as_var(var)?.name.clone();
        let own = terms.fresh_bound(name, terms.sort(var).clone());
        map.insert(var, own);
        vars.push(own);
    }
    Some(terms.substitute(body, &map))
}

/// Whether a quantifier inside of a formula binds one of the variables.
fn binds(terms: &Terms, formula: Term, vars: &[Term]) -> bool {
    let order = terms.post_order(&[formula]);
    order.iter().any(|term| match terms.op(*term) {
        Op::Bind(binder) => binder.vars.iter().any(|var| vars.contains(var)),
        _ => false,
    })
}

/// What is left of a conjunction when there only has to be a value for the variable; `None` if that cannot be said in
/// few words.
fn without(terms: &Terms, var: Term, parts: &[Term]) -> Option<Vec<Term>> {
    let mentions = |part: Term| terms.post_order(&[part]).contains(&var);
    let (about, mut rest): (Vec<Term>, Vec<Term>) =
        parts.iter().copied().partition(|part| mentions(*part));
    for &part in &about {
        if let (Op::Eq, &[left, right]) = (terms.op(part), terms.args(part))
            && let Some(value) = match (left == var, right == var) {
                (true, false) => Some(right),
                (false, true) => Some(left),
                _ => None,
            }
            && !mentions(value)
        {
            let map = HashMap::from([(var, value)]);
            let others = about.iter().filter(|other| **other != part);
            rest.extend(others.map(|&other| terms.substitute(other, &map)));
            return Some(rest);
        }
    }
    if *terms.sort(var) != Sort::Int {
        return about.is_empty().then_some(rest);
    }
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for &part in &about {
        let (relation, &[left, right]) = (terms.op(part), terms.args(part)) else {
            return None;
        };
        let is_strict = match relation {
            Op::Le => false,
            Op::Lt => true,
            _ => return None,
        };
        // sum + constant <= 0, or < 0.
        let (coefficients, constant) = terms.linear(terms.sub(left, right));
        let mut own = None;
        let mut others = Vec::new();
        for (base, factor) in coefficients {
            if base == var && own.is_none() {
                own = Some(factor);
            } else if mentions(base) {
                return None;
            } else {
                others.push(terms.mul(&[terms.number(factor, &Sort::Int)?, base]));
            }
        }
        let own = own.filter(|factor| factor.abs().is_one())?;
        let constant = match is_strict {
            true => constant + BigRational::one(),
            false => constant,
        };
        others.push(terms.number(constant, &Sort::Int)?);
        let others = terms.add(&others);
        match own.is_positive() {
            true => upper.push(terms.neg(others)),
            false => lower.push(others),
        }
    }
    if lower.len() * upper.len() > about.len() {
        return None;
    }
    for &low in &lower {
        rest.extend(
            upper
                .iter()
                .map(|&high| terms.normalised(terms.le(low, high))),
        );
    }
    Some(rest)
}

/// Conjuncts under the same premise as one.
fn grouped(terms: &Terms, formula: Term) -> Term {
    if *terms.op(formula) != Op::And {
        return formula;
    }
    // By the premises: what is left of each.
    let mut groups: IndexMap<Vec<Term>, Vec<Term>> = IndexMap::new();
    for part in terms.conjuncts(formula) {
        let (premises, rest) = match terms.op(part) {
            Op::Or => {
                let disjuncts = terms.disjuncts(part);
                let is_premise = |t: &Term| {
                    let args = terms.args(*t);
                    *terms.op(*t) == Op::Not && !matches!(terms.op(args[0]), Op::Eq)
                };
                let (premises, rest): (Vec<Term>, Vec<Term>) =
                    disjuncts.into_iter().partition(is_premise);
                match rest.is_empty() {
                    // None of them is the conclusion.
                    true => (Vec::new(), vec![part]),
                    false => (premises, rest),
                }
            }
            _ => (Vec::new(), vec![part]),
        };
        let rest = terms.or(rest);
        if premises.is_empty() {
            // It stays where it is.
            groups.insert(vec![part], vec![rest]);
        } else {
            groups.entry(premises).or_default().push(rest);
        }
    }
    let parts = groups.into_iter().map(|(premises, rest)| match rest[..] {
        [only] if premises == [only] => only,
        _ => terms.or(premises.into_iter().chain([terms.and(rest)])),
    });
    let parts: Vec<Term> = parts.map(|part| excluded(terms, part)).collect();
    terms.and(parts)
}

/// `!a || !b` as `!(a && b)`.
fn excluded(terms: &Terms, part: Term) -> Term {
    if *terms.op(part) != Op::Or {
        return part;
    }
    let is_plain = |t: &Term| {
        let args = terms.args(*t);
        *terms.op(*t) == Op::Not && matches!(terms.op(args[0]), Op::Var(_) | Op::Select | Op::Eq)
    };
    let disjuncts = terms.disjuncts(part);
    // `x != y || y != z` is short enough.
    let equates = |t: &Term| matches!(terms.op(terms.args(*t)[0]), Op::Eq);
    match disjuncts.iter().all(is_plain) && !disjuncts.iter().all(equates) {
        true => terms.not(terms.and(disjuncts.iter().map(|&t| terms.args(t)[0]))),
        false => part,
    }
}
