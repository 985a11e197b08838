//! Literals that follow from two others, as in a combination of equations and inequalities.

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::bits::{Sum, is_literal};
use ult_core::formula::{Op, Sort, Term, Terms};

/// At most this many literals are summed up at once.
const MOST_TOTAL: usize = 5;

/// Literals implied by `a && b`, of the kind of `b`, without a constant or a variable of it.
pub(super) fn sums(terms: &Terms, a: Term, b: Term) -> Vec<Term> {
    if let (Some((kind, p)), Some((other, q))) = (modular(terms, a), modular(terms, b)) {
        // p == 0, and q == 0 or q != 0, modulo a power of two.
        if kind != Kind::Equal || p.width != q.width {
            return Vec::new();
        }
        let minus_one = q.modulus() - BigUint::one();
        return [BigUint::one(), minus_one]
            .into_iter()
            .map(|factor| plus_multiple(terms, other, &q, &p, factor))
            .filter(|&f| !matches!(terms.op(f), Op::Bool(_)))
            .collect();
    }
    if let (Some((kind, p)), Some((other, q))) = (linear(terms, a), linear(terms, b)) {
        let (sum, difference) = (terms.add(&[p, q]), terms.sub(q, p));
        let found = match (kind, other) {
            (Kind::Equal, _) => vec![
                compared(terms, other, sum),
                compared(terms, other, difference),
            ],
            (Kind::AtMost | Kind::Below, Kind::AtMost | Kind::Below) => {
                let strict = kind == Kind::Below || other == Kind::Below;
                let kind = if strict { Kind::Below } else { Kind::AtMost };
                vec![compared(terms, kind, sum)]
            }
            _ => Vec::new(),
        };
        return found
            .into_iter()
            .filter(|&f| !matches!(terms.op(f), Op::Bool(_)))
            .collect();
    }
    // x == c, and c occurs in b.
    if let (Op::Eq, &[x, c]) = (terms.op(a), terms.args(a))
        && is_literal(terms, c)
    {
        let replaced = terms.rewrite(b, |term| (term == c).then_some(x));
        if replaced != b {
            return vec![replaced];
        }
    }
    Vec::new()
}

/// What `equation` and the other literals imply, without a constant: each of them plus such a
/// multiple of the equation that its constant vanishes. Inequalities of integers have two
/// constants, `p <= 0` being `p - 1 < 0`. Nothing for an equation without a constant.
pub(super) fn without_constants(terms: &Terms, equation: Term, others: &[Term]) -> Vec<Vec<Term>> {
    if let Some((Kind::Equal, p)) = modular(terms, equation) {
        let Some(inverse) = p.inverse(&p.constant) else {
            return Vec::new();
        };
        let all = others.iter().map(|&other| match modular(terms, other) {
            Some((kind, q)) if q.width == p.width && !q.constant.is_zero() => {
                let minus_one = q.modulus() - BigUint::one();
                let factor = &q.constant * &inverse * minus_one % q.modulus();
                plus_multiple(terms, kind, &q, &p, factor)
            }
            _ => other,
        });
        return different(others, [all.collect()]);
    }
    let Some((Kind::Equal, p)) = linear(terms, equation) else {
        return Vec::new();
    };
    let (_, constant) = terms.linear(p);
    if constant.is_zero() {
        return Vec::new();
    }
    let integers = *terms.sort(p) == Sort::Int;
    let homogeneous = |strict: bool| {
        let one = |&other: &Term| {
            let (mut kind, mut q) = linear(terms, other)?;
            if terms.sort(q) != terms.sort(p) {
                return None;
            }
            if strict && kind == Kind::AtMost && integers {
                kind = Kind::Below;
                q = terms.sub(q, terms.int(1));
            }
            let (_, own) = terms.linear(q);
            // |c| q - sign(c) own p
            let scale = |by: BigRational, term| {
                Some(terms.mul(&[terms.number(by, terms.sort(term))?, term]))
            };
            let minus = scale(-(own * constant.signum()), p)?;
            Some(compared(
                terms,
                kind,
                terms.add(&[scale(constant.abs(), q)?, minus]),
            ))
        };
        others
            .iter()
            .map(|other| one(other).unwrap_or(*other))
            .collect::<Vec<Term>>()
    };
    different(others, [homogeneous(false), homogeneous(true)])
}

/// Sums of all of a few literals: of equations with either sign, and one that may be something
/// else, or of inequalities.
pub(super) fn total_sums(terms: &Terms, literals: &[Term]) -> Vec<Term> {
    if !(3..=MOST_TOTAL).contains(&literals.len()) {
        return Vec::new();
    }
    let mut order = literals.to_vec();
    order.sort_by_key(|&l| matches!(terms.op(l), Op::Eq));
    let mut totals = vec![order[0]];
    for &literal in &order[1..] {
        totals = totals
            .into_iter()
            .flat_map(|total| sums(terms, literal, total))
            .collect();
    }
    totals
}

/// Those that are not the same as before, once each.
fn different<const N: usize>(before: &[Term], after: [Vec<Term>; N]) -> Vec<Vec<Term>> {
    let mut found: Vec<Vec<Term>> = Vec::new();
    for candidate in after {
        if candidate != before && !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}

/// What a sum has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Equal,
    Unequal,
    AtMost,
    Below,
}

/// `q + factor * p` compared with zero.
fn plus_multiple(terms: &Terms, kind: Kind, q: &Sum, p: &Sum, factor: BigUint) -> Term {
    let mut sum = q.times(&BigUint::one());
    sum.include(terms, p.term(terms), factor);
    match kind {
        Kind::Unequal => terms.not(sum.is_zero(terms)),
        _ => sum.is_zero(terms),
    }
}

/// A number compared with zero, in normal form.
fn compared(terms: &Terms, kind: Kind, number: Term) -> Term {
    let zero = terms.sub(number, number);
    terms.normalised(match kind {
        Kind::Equal => terms.eq(number, zero),
        Kind::Unequal => terms.neq(number, zero),
        Kind::AtMost => terms.le(number, zero),
        Kind::Below => terms.lt(number, zero),
    })
}

/// An equation between bit-vectors as `sum == 0` or `!= 0`.
fn modular(terms: &Terms, literal: Term) -> Option<(Kind, Sum)> {
    let (kind, equation) = match terms.op(literal) {
        Op::Not => (Kind::Unequal, terms.args(literal)[0]),
        _ => (Kind::Equal, literal),
    };
    match (terms.op(equation), terms.args(equation)) {
        (Op::Eq, &[a, b]) => Some((kind, Sum::difference(terms, a, b)?)),
        _ => None,
    }
}

/// A comparison of numbers as a number that is `<= 0`, `< 0`, `== 0` or `!= 0`.
fn linear(terms: &Terms, literal: Term) -> Option<(Kind, Term)> {
    let (kind, comparison) = match terms.op(literal) {
        Op::Not => (Kind::Unequal, terms.args(literal)[0]),
        Op::Eq => (Kind::Equal, literal),
        Op::Le => (Kind::AtMost, literal),
        Op::Lt => (Kind::Below, literal),
        _ => return None,
    };
    let &[a, b] = terms.args(comparison) else {
        return None;
    };
    if kind == Kind::Unequal && *terms.op(comparison) != Op::Eq {
        return None;
    }
    matches!(terms.sort(a), Sort::Int | Sort::Real).then(|| (kind, terms.sub(a, b)))
}

/// A disjunction of simpler literals that a literal implies: of `f(a, b) != f(c, d)` that an
/// argument differs, of `a + b <= 0` that a summand does not exceed 0.
pub(super) fn implied_cases(terms: &Terms, literal: Term) -> Option<Vec<Term>> {
    if *terms.op(literal) == Op::Not {
        let inner = terms.args(literal)[0];
        let (Op::Eq, &[left, right]) = (terms.op(inner), terms.args(inner)) else {
            return None;
        };
        return differing(terms, left, right);
    }
    let (kind @ (Kind::AtMost | Kind::Below), number) = linear(terms, literal)? else {
        return None;
    };
    let (parts, constant) = terms.linear(number);
    if !constant.is_zero() || parts.len() < 2 {
        return None;
    }
    let sort = terms.sort(number).clone();
    parts
        .into_iter()
        .map(|(base, factor)| {
            let factor = terms.number(factor.signum(), &sort)?;
            Some(compared(terms, kind, terms.mul(&[factor, base])))
        })
        .collect()
}

/// Of `p(a) && !p(b)` that an argument differs.
pub(super) fn opposed(terms: &Terms, a: Term, b: Term) -> Option<Vec<Term>> {
    match terms.op(b) {
        Op::Not => differing(terms, a, terms.args(b)[0]),
        _ => None,
    }
}

/// That two applications of one function have different arguments, case by case.
fn differing(terms: &Terms, left: Term, right: Term) -> Option<Vec<Term>> {
    if terms.op(left) != terms.op(right)
        || !matches!(
            terms.op(left),
            Op::Apply(_) | Op::Select | Op::Builtin(_) | Op::Bv(_)
        )
    {
        return None;
    }
    let (left, right) = (terms.args(left), terms.args(right));
    let pairs = || left.iter().zip(right);
    if left.len() != right.len() || pairs().any(|(&a, &b)| terms.sort(a) != terms.sort(b)) {
        return None;
    }
    let cases: Vec<Term> = pairs()
        .filter(|(a, b)| a != b)
        .map(|(&a, &b)| terms.neq(a, b))
        .collect();
    (!cases.is_empty()).then_some(cases)
}

/// The cubes with pairs joined that differ only in `a < b` against `b < a`: together `a != b`.
pub(super) fn joined(terms: &Terms, cubes: Vec<Term>) -> Vec<Term> {
    let mut cubes: Vec<Vec<Term>> = cubes.into_iter().map(|c| terms.conjuncts(c)).collect();
    let mut i = 0;
    'next: while i < cubes.len() {
        for j in i + 1..cubes.len() {
            if cubes[i].len() != cubes[j].len() {
                continue;
            }
            let only = |of: &[Term], not_in: &[Term]| {
                let mut only = of.iter().copied().filter(|l| !not_in.contains(l));
                match (only.next(), only.next()) {
                    (Some(literal), None) => Some(literal),
                    _ => None,
                }
            };
            if let (Some(a), Some(b)) = (only(&cubes[i], &cubes[j]), only(&cubes[j], &cubes[i]))
                && let Some(unequal) = apart(terms, a, b)
            {
                cubes[i].retain(|&l| l != a);
                cubes[i].push(unequal);
                cubes.remove(j);
                continue 'next;
            }
        }
        i += 1;
    }
    cubes.into_iter().map(|cube| terms.and(cube)).collect()
}

/// `p < 0 || p > 0` as `p != 0`.
fn apart(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let ((kind, p), (other, q)) = (linear(terms, a)?, linear(terms, b)?);
    if terms.sort(p) != terms.sort(q) {
        return None;
    }
    // For integers, p + 1 <= 0 and -p + 1 <= 0.
    let (p, gap) = match (kind, other, terms.sort(p)) {
        (Kind::Below, Kind::Below, _) => (p, 0),
        (Kind::AtMost, Kind::AtMost, Sort::Int) => (terms.sub(p, terms.int(1)), 1),
        _ => return None,
    };
    let sum = terms.as_number(terms.add(&[p, q]))?;
    (sum == BigRational::from_integer(gap.into())).then(|| compared(terms, Kind::Unequal, p))
}
