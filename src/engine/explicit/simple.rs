//! Simpler terms, by what is known of symbols.

use std::collections::BTreeMap;

use super::elements::is_number;
use super::state::{Range, as_small};
use super::step::Steps;
use super::symbols::Symbols;
use crate::interval::Interval;
use ult_core::formula::{Op, Sort, Term};

/// Values with more nodes are forgotten; maps may be larger. A long number counts as several: each
/// [`WORD`] of its bits as one, since programs that square numbers would soon do nothing else.
const LIGHT: u64 = 40;
const LIGHT_MAP: u64 = 1500;
const WORD: u64 = 64;

/// So deep is looked for the interval of a term.
const DEPTH: u32 = 12;

/// Simplifies with these ranges of symbols.
pub(super) struct Simple<'s, 'g>(pub &'s Steps<'g>, pub &'s BTreeMap<Term, Range>);

impl Simple<'_, '_> {
    /// A node over other arguments.
    pub(super) fn rebuilt(&self, term: Term, arguments: &[Term]) -> Term {
        let terms = self.0.terms;
        let node = terms.node(term);
        if let (Op::Store, [map, indices @ .., value]) = (&node.op, arguments) {
            return self.stored(*map, indices, *value);
        }
        let built = terms.rebuild(node, arguments);
        let (op, args) = (terms.op(built), terms.args(built));
        match (op, args) {
            (Op::Le | Op::Lt, &[left, right]) if *terms.sort(left) == Sort::Int => {
                let difference = self.interval(terms.sub(left, right));
                let least = i128::from(*op == Op::Lt);
                let at_most = |bound: Option<i128>, most: i128| bound.is_some_and(|b| b <= most);
                if at_most(difference.high, -least) {
                    return terms.tt();
                }
                match difference.low.is_some_and(|low| low > -least) {
                    true => terms.ff(),
                    false => built,
                }
            }
            (Op::Eq, &[left, right]) if *terms.sort(left) == Sort::Int => {
                match self.interval(terms.sub(left, right)) {
                    zero if zero == Interval::only(0) => terms.tt(),
                    other if !other.contains(0) => terms.ff(),
                    _ => match (Symbols::is_symbol(terms, left), as_small(terms, right)) {
                        (true, Some(value))
                            if self
                                .1
                                .get(&left)
                                .is_some_and(|range| !range.contains(value)) =>
                        {
                            terms.ff()
                        }
                        _ => built,
                    },
                }
            }
            (Op::Mod, &[of, by]) => match as_small(terms, by) {
                Some(by) if by > 0 => {
                    let interval = self.interval(of);
                    match (interval.low, interval.high) {
                        (Some(low), Some(high)) if low.div_euclid(by) == high.div_euclid(by) => {
                            let Some(wraps) = low.div_euclid(by).checked_mul(by) else {
                                return built;
                            };
                            terms.sub(of, terms.int(wraps))
                        }
                        _ => built,
                    }
                }
                _ => built,
            },
            (Op::Div, &[of, by]) => match as_small(terms, by) {
                Some(by) if by > 0 => match self.interval(of).div(by).value() {
                    Some(value) => terms.int(value),
                    None => built,
                },
                _ => built,
            },
            _ => built,
        }
    }

    /// A map with another element, with the elements in one order as far as they can be told apart.
    fn stored(&self, map: Term, indices: &[Term], value: Term) -> Term {
        let terms = self.0.terms;
        let is_number = |term: &Term| is_number(terms, *term);
        if !indices.iter().all(is_number) {
            return terms.store(map, indices, value);
        }
        let mut above: Vec<Term> = Vec::new();
        let mut base = map;
        while let (Op::Store, [inner, other @ .., _]) = (terms.op(base), terms.args(base)) {
            if other == indices {
                base = *inner;
                break;
            }
            if !other.iter().all(is_number) || other < indices {
                break;
            }
            above.push(base);
            base = *inner;
        }
        let is_default = terms.op(base) == &Op::ConstMap && terms.args(base)[0] == value;
        let mut result = match is_default {
            true => base,
            false => terms.store(base, indices, value),
        };
        for layer in above.into_iter().rev() {
            let [_, other @ .., value] = terms.args(layer) else {
                continue;
            };
            result = terms.store(result, other, *value);
        }
        result
    }

    /// The interval of an integer.
    pub(super) fn interval(&self, term: Term) -> Interval {
        self.interval_at(term, DEPTH)
    }

    fn interval_at(&self, term: Term, depth: u32) -> Interval {
        let terms = self.0.terms;
        if depth == 0 {
            return Interval::ALL;
        }
        let of = |term: Term| self.interval_at(term, depth - 1);
        match (terms.op(term), terms.args(term)) {
            (Op::Int(_), _) => as_small(terms, term).map_or(Interval::ALL, Interval::only),
            (Op::Var(_), _) => self
                .1
                .get(&term)
                .map_or(Interval::ALL, |range| range.within),
            (Op::Add, parts) => parts
                .iter()
                .fold(Interval::only(0), |sum, &part| sum.add(of(part))),
            (Op::Mul, parts) => parts
                .iter()
                .fold(Interval::only(1), |product, &part| product.mul(of(part))),
            (Op::Mod, &[inner, by]) => match as_small(terms, by) {
                Some(by) if by > 0 => of(inner).modulo(by),
                _ => Interval::ALL,
            },
            (Op::Div, &[inner, by]) => match as_small(terms, by) {
                Some(by) if by > 0 => of(inner).div(by),
                _ => Interval::ALL,
            },
            (Op::Ite, &[_, then, other]) => of(then).join(of(other)),
            _ => Interval::ALL,
        }
    }

    /// Whether a term is small enough for a value.
    pub(super) fn is_light(&self, term: Term) -> bool {
        let terms = self.0.terms;
        let limit = match terms.sort(term) {
            Sort::Map(_) => LIGHT_MAP,
            _ => LIGHT,
        };
        let mut count: u64 = 0;
        let mut waiting = vec![term];
        while let Some(term) = waiting.pop() {
            count += match terms.op(term) {
                Op::Int(value) => 1 + value.bits() / WORD,
                Op::Real(value) => 1 + (value.numer().bits() + value.denom().bits()) / WORD,
                _ => 1,
            };
            if count > limit {
                return false;
            }
            waiting.extend(terms.args(term));
        }
        true
    }
}
