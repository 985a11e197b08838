//! Cubes that contradict a context, made weaker as long as they do.

use super::budget::Budget;
use super::weaken::{core, halves};
use crate::formula::{Op, Sort, Term, Terms};
use crate::solver::{Answer, Failure, Solver};

/// Sums of literals are tried in cubes of at most this many.
const MOST_SUMMED: usize = 6;

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
    summed(rest, kept, &budget.share(4)).map(Some)
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
        && matches!(terms.op(c), Op::BitVec(_))
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
