//! Clauses in a normal form: auxiliaries that equations define are gone.

use std::collections::{HashMap, HashSet};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::clauses::Clause;
use super::unspecified::is_wrong_field;
use ult_core::formula::{Op, Sort, Term, Terms};

/// So often a clause is gone through.
const ROUNDS: usize = 50;

/// A clause whose first body predicate is applied to different auxiliaries, which stand nowhere
/// among the arguments by themselves for anything else: `inputs`. What equations define in terms of
/// them and of the other auxiliaries is replaced everywhere.
///
/// The clause is equivalent to the one given; its constraint is one list of conjuncts.
pub(super) fn solved(terms: &Terms, mut clause: Clause) -> (Clause, Vec<Term>) {
    let inputs = bind_inputs(terms, &mut clause);
    let fixed: HashSet<Term> = inputs.iter().copied().collect();
    let mut conjuncts = flat(terms, &clause.constraint);
    clause.constraint.clear();
    for _ in 0..ROUNDS {
        let outputs: HashSet<Term> = clause
            .head
            .iter()
            .flat_map(|atom| &atom.args)
            .copied()
            .collect();
        let may = |var: Term| !fixed.contains(&var) && !is_wrong_field(terms, var);
        let (rest, defined) = round(terms, conjuncts, &may, &outputs);
        conjuncts = rest;
        if defined.is_empty() {
            break;
        }
        clause.substitute(terms, &defined);
    }
    clause.constraint = conjuncts;
    (clause, inputs)
}

/// A conjunction without the variables that its equations define, as far as they are to go.
pub(super) fn eliminated(terms: &Terms, formula: Term, may: &dyn Fn(Term) -> bool) -> Term {
    let mut conjuncts = flat(terms, &[formula]);
    for _ in 0..ROUNDS {
        let (rest, defined) = round(terms, conjuncts, may, &HashSet::new());
        conjuncts = rest;
        if defined.is_empty() {
            break;
        }
    }
    terms.and(conjuncts)
}

/// Goes once through conjuncts: what is left of them, and definitions for variables that do not
/// occur there any more, nor in the definitions.
fn round(
    terms: &Terms,
    conjuncts: Vec<Term>,
    may: &dyn Fn(Term) -> bool,
    outputs: &HashSet<Term>,
) -> (Vec<Term>, HashMap<Term, Term>) {
    let mut defined: HashMap<Term, Term> = HashMap::new();
    let mut used: HashSet<Term> = HashSet::new();
    let mut rest = Vec::with_capacity(conjuncts.len());
    for conjunct in conjuncts {
        let conjunct = terms.substitute(conjunct, &defined);
        let free = |var: Term| may(var) && !used.contains(&var);
        match solve(terms, conjunct, &free, outputs) {
            Some((var, value)) => {
                used.extend(terms.free_vars(&[value]));
                defined.insert(var, value);
            }
            None => rest.push(conjunct),
        }
    }
    if !defined.is_empty() {
        for conjunct in &mut rest {
            *conjunct = terms.substitute(*conjunct, &defined);
        }
        rest = flat(terms, &rest);
    }
    (rest, defined)
}

/// Makes the arguments of the first body predicate different auxiliaries.
fn bind_inputs(terms: &Terms, clause: &mut Clause) -> Vec<Term> {
    let Some(atom) = clause.body.first_mut() else {
        return Vec::new();
    };
    let mut seen = HashSet::new();
    let mut equations = Vec::new();
    for arg in &mut atom.args {
        if terms.as_var(*arg).is_some() && !is_wrong_field(terms, *arg) && seen.insert(*arg) {
            continue;
        }
        let name = terms
            .as_var(*arg)
            .map_or("v".into(), |var| var.name.clone());
        let fresh = terms.fresh_aux(name, terms.sort(*arg).clone());
        seen.insert(fresh);
        equations.push(terms.eq(fresh, *arg));
        *arg = fresh;
    }
    let inputs = atom.args.clone();
    clause.constraint.extend(equations);
    inputs
}

fn flat(terms: &Terms, formulas: &[Term]) -> Vec<Term> {
    let mut seen = HashSet::new();
    let all = formulas
        .iter()
        .flat_map(|&formula| terms.conjuncts(formula));
    all.filter(|&c| *terms.op(c) != Op::Bool(true) && seen.insert(c))
        .collect()
}

/// A formula as a definition of one of the variables that are free to be defined, if it is one;
/// rather of one that is no output.
fn solve(
    terms: &Terms,
    formula: Term,
    free: &dyn Fn(Term) -> bool,
    outputs: &HashSet<Term>,
) -> Option<(Term, Term)> {
    let is_free = |term: Term| terms.as_var(term).is_some() && free(term);
    match (terms.op(formula), terms.args(formula)) {
        (Op::Var(_), _) if is_free(formula) => Some((formula, terms.tt())),
        (Op::Not, &[inner]) => match (terms.op(inner), terms.args(inner)) {
            (Op::Var(_), _) if is_free(inner) => Some((inner, terms.ff())),
            // Truth values that differ.
            (Op::Eq, &[a, b]) if *terms.sort(a) == Sort::Bool => {
                isolated(terms, a, terms.not(b), &is_free, outputs)
                    .or_else(|| isolated(terms, terms.not(a), b, &is_free, outputs))
            }
            _ => None,
        },
        (Op::Eq, &[a, b]) => isolated(terms, a, b, &is_free, outputs)
            .or_else(|| linear(terms, a, b, &is_free, outputs)),
        _ => None,
    }
}

fn isolated(
    terms: &Terms,
    a: Term,
    b: Term,
    is_free: &dyn Fn(Term) -> bool,
    outputs: &HashSet<Term>,
) -> Option<(Term, Term)> {
    let mut sides = [(a, b), (b, a)];
    sides.sort_by_key(|(var, _)| outputs.contains(var));
    sides
        .into_iter()
        .find(|&(var, value)| is_free(var) && !terms.free_vars(&[value]).contains(&var))
}

/// An equation between sums, solved for a variable that stands there once.
fn linear(
    terms: &Terms,
    a: Term,
    b: Term,
    is_free: &dyn Fn(Term) -> bool,
    outputs: &HashSet<Term>,
) -> Option<(Term, Term)> {
    let sort = terms.sort(a).clone();
    if !sort.is_arithmetic() {
        return None;
    }
    let difference = terms.sub(a, b);
    let summands = match terms.op(difference) {
        Op::Add => terms.args(difference).to_vec(),
        _ => vec![difference],
    };
    let mut candidates: Vec<(Term, BigRational, usize)> = Vec::new();
    for (i, &summand) in summands.iter().enumerate() {
        let (factor, var) = match (terms.op(summand), terms.args(summand)) {
            (Op::Mul, &[factor, var]) => match terms.as_number(factor) {
                Some(factor) => (factor, var),
                None => continue,
            },
            _ => (BigRational::one(), summand),
        };
        let unit = factor.abs().is_one() || (sort == Sort::Real && !factor.is_zero());
        if unit && is_free(var) {
            candidates.push((var, factor, i));
        }
    }
    candidates.sort_by_key(|(var, _, i)| (outputs.contains(var), *i));
    candidates.into_iter().find_map(|(var, factor, i)| {
        let mut others = summands.clone();
        others.remove(i);
        let rest = terms.add(&others_or_zero(terms, others, &sort));
        if terms.free_vars(&[rest]).contains(&var) {
            return None;
        }
        let scale = terms.number(-factor.recip(), &sort)?;
        Some((var, terms.mul(&[scale, rest])))
    })
}

fn others_or_zero(terms: &Terms, others: Vec<Term>, sort: &Sort) -> Vec<Term> {
    match (others.is_empty(), sort) {
        (false, _) => others,
        (true, Sort::Real) => vec![terms.real(BigRational::zero())],
        (true, _) => vec![terms.int(BigInt::zero())],
    }
}
