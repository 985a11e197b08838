//! Cubes that contradict a context, made weaker as long as they do.

use std::collections::HashSet;

use super::bits::{Tidy, bits, width};
use super::budget::Budget;
use super::rest::Rest;
use super::sums::{implied_cases, opposed, sums, total_sums, without_constants};
use super::weaken::{halves, minimal};
use ult_core::formula::{BvOp, Op, Term};
use ult_smt::{Answer, Failure};

/// Sums of literals are tried in cubes of at most this many.
const MOST_SUMMED: usize = 6;

/// Equations between wider bit-vectors are not taken apart into bits.
const MOST_BITS: u32 = 64;

/// An equation is replaced by at most this many of its bits.
const FEW_BITS: usize = 2;

/// So often a literal is tried to be replaced by cases.
const MOST_CASES: usize = 16;

/// A conjunction of literals that `cube` implies and that contradicts the rest; `None` if the
/// cube does not. An `exact` cube is known to contradict the rest, if the whole path is
/// infeasible, and need not be proved to do so.
pub(super) fn generalised(
    rest: &mut Rest<'_, '_, '_>,
    cube: &[Term],
    exact: bool,
    budget: &Budget<'_>,
) -> Result<Option<Vec<Term>>, Failure> {
    let terms = rest.session().terms();
    let literals: Vec<Term> = cube.iter().flat_map(|&l| halves(terms, l)).collect();
    let kept = match rest.core(&literals, budget) {
        Ok(Some(kept)) => terms.conjuncts(terms.normalised(terms.and(kept))),
        Ok(None) => return Ok(None),
        Err(Failure::Stopped(stop)) => return Err(Failure::Stopped(stop)),
        Err(_) if exact => cube.to_vec(),
        Err(_) => return Ok(None),
    };
    let kept = summed(rest, kept, &budget.share(4))?;
    let kept = loosened(rest, kept, &budget.share(4))?;
    by_cases(rest, kept, &budget.share(4)).map(Some)
}

/// Replaces literals by disjunctions of simpler ones that they imply, where those suffice.
fn by_cases(
    rest: &mut Rest<'_, '_, '_>,
    mut kept: Vec<Term>,
    patience: &Budget<'_>,
) -> Result<Vec<Term>, Failure> {
    let terms = rest.session().terms();
    let mut tries = MOST_CASES;
    for i in 0..kept.len() {
        for j in 0..kept.len() {
            if i < kept.len()
                && j < kept.len()
                && let Some(cases) = opposed(terms, kept[i], kept[j])
            {
                let mut fewer = kept.clone();
                fewer[i] = terms.or(cases);
                fewer.remove(j);
                if rest.contradicts(&fewer, patience)? {
                    kept = fewer;
                }
            }
        }
    }
    for i in 0..kept.len() {
        let mut next = 0;
        loop {
            let disjuncts = terms.disjuncts(kept[i]);
            if next >= disjuncts.len() || tries == 0 {
                break;
            }
            let Some(cases) = implied_cases(terms, disjuncts[next]) else {
                next += 1;
                continue;
            };
            tries -= 1;
            let mut weaker = kept.clone();
            let others = disjuncts.iter().copied().filter(|&d| d != disjuncts[next]);
            weaker[i] = terms.or(others.chain(cases));
            if rest.contradicts(&weaker, patience)? {
                kept = weaker;
                next = 0;
            } else {
                next += 1;
            }
        }
    }
    Ok(kept)
}

/// Replaces equations between bit-vectors by something weaker: that a few bits are the same, or
/// that one side is not larger.
fn loosened(
    rest: &mut Rest<'_, '_, '_>,
    mut kept: Vec<Term>,
    patience: &Budget<'_>,
) -> Result<Vec<Term>, Failure> {
    let terms = rest.session().terms();
    let mut tidy = Tidy::default();
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
        let single = |bit| {
            let of = |side| bits(terms, side, bit + 1, bit);
            tidy.tidy(terms, terms.eq(of(a), of(b)))
        };
        let all: Vec<Term> = (0..width).map(single).collect();
        let with = |more: &[Term]| [&others[..], more].concat();
        if !patience.is_over()
            && rest.solver().check(&with(&all), patience.short()) == Answer::Unsat
        {
            let few = minimal(rest.solver(), patience)?;
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
            if rest.contradicts(&with(&literals), patience)? {
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
    rest: &mut Rest<'_, '_, '_>,
    mut kept: Vec<Term>,
    patience: &Budget<'_>,
) -> Result<Vec<Term>, Failure> {
    let terms = rest.session().terms();
    for total in total_sums(terms, &kept) {
        if rest.contradicts(&[total], patience)? {
            return Ok(vec![total]);
        }
    }
    'again: while (2..=MOST_SUMMED).contains(&kept.len()) {
        if patience.is_over() {
            break;
        }
        for i in 0..kept.len() {
            let mut others = kept.clone();
            let equation = others.remove(i);
            for fewer in without_constants(terms, equation, &others) {
                if rest.contradicts(&fewer, patience)? {
                    kept = fewer;
                    continue 'again;
                }
            }
        }
        for i in 0..kept.len() {
            for j in 0..kept.len() {
                if i == j {
                    continue;
                }
                for joined in sums(terms, kept[i], kept[j]) {
                    let mut fewer: Vec<Term> = (0..kept.len())
                        .filter(|&k| k != i && k != j)
                        .map(|k| kept[k])
                        .collect();
                    fewer.push(joined);
                    if rest.contradicts(&fewer, patience)? {
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
