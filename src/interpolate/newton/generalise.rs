//! Cubes that contradict a context, made weaker as long as they do.

use std::collections::HashSet;

use num_bigint::BigUint;
use num_traits::One;

use super::bits::{Sum, bits, is_literal, width};
use super::budget::Budget;
use super::weaken::{core, halves};
use crate::formula::{BvOp, Op, Sort, Term, Terms};
use crate::solver::{Answer, Failure, Solver};

/// Sums of literals are tried in cubes of at most this many.
const MOST_SUMMED: usize = 6;

/// Equations between wider bit-vectors are not taken apart into bits.
const MOST_BITS: u32 = 64;

/// An equation is replaced by at most this many of its bits.
const FEW_BITS: usize = 2;

/// A conjunction of literals that `cube` implies and that contradicts what `rest` holds; `None`
/// if the cube does not.
pub(super) fn generalised(
    rest: &mut Solver<'_, '_>,
    cube: &[Term],
    budget: &Budget<'_>,
) -> Result<Option<Vec<Term>>, Failure> {
    let terms = rest.session().terms();
    let literals: Vec<Term> = cube.iter().flat_map(|&l| halves(terms, l)).collect();
    let Some(kept) = core(rest, &literals, budget)? else {
        return Ok(None);
    };
    let kept = terms.conjuncts(terms.normalised(terms.and(kept)));
    let kept = summed(rest, kept, &budget.share(4))?;
    loosened(rest, kept, &budget.share(4)).map(Some)
}

/// Replaces equations between bit-vectors by something weaker: that a few bits are the same, or
/// that one side is not larger.
fn loosened(
    rest: &mut Solver<'_, '_>,
    mut kept: Vec<Term>,
    patience: &Budget<'_>,
) -> Result<Vec<Term>, Failure> {
    let terms = rest.session().terms();
    for i in 0..kept.len() {
        let (Op::Eq, &[a, b]) = (terms.op(kept[i]), terms.args(kept[i])) else {
            continue;
        };
        let Some(width) = width(terms, a).filter(|&w| (2..=MOST_BITS).contains(&w)) else {
            continue;
        };
        let others: Vec<Term> = (0..kept.len())
            .filter(|&j| j != i)
            .map(|j| kept[j])
            .collect();
        let mut weaker: Vec<Vec<Term>> = Vec::new();
        let single = |bit| terms.eq(bits(terms, a, bit + 1, bit), bits(terms, b, bit + 1, bit));
        let all: Vec<Term> = (0..width).map(single).collect();
        let with = |more: &[Term]| [&others[..], more].concat();
        if patience.is_over() {
            break;
        }
        if rest.check(&with(&all), patience.short()) == Answer::Unsat {
            let few = super::weaken::minimal(rest, patience)?;
            let few: HashSet<Term> = few.into_iter().collect();
            let few: Vec<Term> = all.into_iter().filter(|bit| few.contains(bit)).collect();
            if few.len() <= FEW_BITS {
                weaker.push(few);
            }
        }
        for op in [BvOp::Ule, BvOp::Sle] {
            for (a, b) in [(a, b), (b, a)] {
                weaker.push(vec![terms.bv(op, &[a, b])]);
            }
        }
        weaker.sort_by_key(Vec::len);
        for literals in weaker {
            if patience.is_over() {
                break;
            }
            if rest.check(&with(&literals), patience.short()) == Answer::Unsat {
                kept[i] = terms.and(literals);
                break;
            }
        }
    }
    Ok(kept)
}

/// Replaces two literals by one that both together imply, where that suffices: the sum of linear
/// comparisons, or a literal with a variable in place of its value. What holds for one particular
/// number of rounds then often becomes what holds for any.
fn summed(
    rest: &mut Solver<'_, '_>,
    mut kept: Vec<Term>,
    patience: &Budget<'_>,
) -> Result<Vec<Term>, Failure> {
    let terms = rest.session().terms();
    'again: while (2..=MOST_SUMMED).contains(&kept.len()) {
        for i in 0..kept.len() {
            for j in 0..kept.len() {
                if i == j {
                    continue;
                }
                for joined in sums(terms, kept[i], kept[j]) {
                    if patience.is_over() {
                        return Ok(kept);
                    }
                    patience.control().check()?;
                    let mut fewer: Vec<Term> = (0..kept.len())
                        .filter(|&k| k != i && k != j)
                        .map(|k| kept[k])
                        .collect();
                    fewer.push(joined);
                    if rest.check(&fewer, patience.short()) == Answer::Unsat {
                        kept = fewer;
                        continue 'again;
                    }
                }
            }
        }
        break;
    }
    Ok(kept)
}

/// Literals implied by `a && b`, of the kind of `b`, without a constant or a variable of it.
fn sums(terms: &Terms, a: Term, b: Term) -> Vec<Term> {
    if let (Some((kind, p)), Some((other, q))) = (modular(terms, a), modular(terms, b)) {
        // p == 0, and q == 0 or q != 0, modulo a power of two.
        if kind != Kind::Equal || p.width != q.width {
            return Vec::new();
        }
        let minus_one = q.modulus() - BigUint::one();
        let (p, mut sum, mut difference) = (p.term(terms), q.times(&BigUint::one()), q);
        sum.include(terms, p, BigUint::one());
        difference.include(terms, p, minus_one);
        return [sum, difference]
            .into_iter()
            .map(|side| match other {
                Kind::Unequal => terms.not(side.is_zero(terms)),
                _ => side.is_zero(terms),
            })
            .filter(|&f| !matches!(terms.op(f), Op::Bool(_)))
            .collect();
    }
    if let (Some((kind, p)), Some((other, q))) = (linear(terms, a), linear(terms, b)) {
        // p <= 0 or p == 0, and q <= 0 or q == 0 or q != 0.
        let mut found = Vec::new();
        let (sum, difference) = (terms.add(&[p, q]), terms.sub(q, p));
        let zero = terms.sub(p, p);
        match (kind, other) {
            (Kind::Equal, _) => {
                for side in [sum, difference] {
                    found.push(match other {
                        Kind::Equal => terms.eq(side, zero),
                        Kind::Unequal => terms.neq(side, zero),
                        Kind::AtMost => terms.le(side, zero),
                    });
                }
            }
            (Kind::AtMost, Kind::AtMost) => found.push(terms.le(sum, zero)),
            _ => {}
        }
        found.retain(|&f| !matches!(terms.op(f), Op::Bool(_)));
        return found.into_iter().map(|f| terms.normalised(f)).collect();
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Equal,
    Unequal,
    AtMost,
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

/// A comparison of numbers as `sum <= 0`, `== 0` or `!= 0`.
fn linear(terms: &Terms, literal: Term) -> Option<(Kind, Term)> {
    let (kind, comparison) = match terms.op(literal) {
        Op::Not => (Kind::Unequal, terms.args(literal)[0]),
        Op::Eq => (Kind::Equal, literal),
        Op::Le => (Kind::AtMost, literal),
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
