//! Between which numbers terms are.

use super::super::context::Context;
use super::super::linear::{Linear, Range};
use super::ToIntegers;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use ult_core::formula::{Op, Sort, Term};

impl ToIntegers<'_> {
    pub(in super::super) fn bounds(&self, term: Term, range: &Range) -> Vec<Term> {
        let terms = self.terms;
        let low = range.low.iter();
        let low = low.map(|low| terms.le(terms.int(low.clone()), term));
        let high = range.high.iter();
        let high = high.map(|high| terms.le(term, terms.int(high.clone())));
        low.chain(high).collect()
    }

    /// Bounds of an integer term.
    pub(in super::super) fn range(&self, term: Term, context: &mut Context) -> Range {
        let terms = self.terms;
        let mut stack = vec![(term, false)];
        while let Some((term, ready)) = stack.pop() {
            if context.ranges.contains_key(&term) {
                continue;
            }
            let args = terms.args(term);
            let below: &[Term] = match terms.op(term) {
                Op::Add | Op::Mul | Op::Div | Op::Mod => args,
                Op::Ite => &args[1..],
                _ => &[],
            };
            if !ready && !below.is_empty() {
                stack.push((term, true));
                stack.extend(below.iter().map(|&t| (t, false)));
                continue;
            }
            let mut range = self.own_range(term, context);
            if let Some(known) = context.known.get(&term) {
                range = range.meet(known);
            }
            context.ranges.insert(term, range);
        }
        context.ranges[&term].clone()
    }

    /// The range of a term from those of its parts.
    pub(in super::super) fn own_range(&self, term: Term, context: &Context) -> Range {
        let terms = self.terms;
        if let Some(leaf) = self.leaves.get(&term) {
            return leaf.range.clone();
        }
        if let Some(range) = self.elements.get(&term) {
            return range.clone();
        }
        let of = |t: &Term| context.ranges.get(t).cloned().unwrap_or_default();
        match (terms.op(term), terms.args(term)) {
            (Op::Int(value), _) => Range::new(value.clone(), value.clone()),
            (Op::Add, args) => args
                .iter()
                .map(of)
                .reduce(|sum, range| sum.plus(&range))
                .unwrap_or_default(),
            (Op::Mul, [first, base]) => match terms.op(*first) {
                Op::Int(factor) => of(base).times(factor),
                _ => Range::default(),
            },
            (Op::Ite, [_, a, b]) => of(a).hull(&of(b)),
            (Op::Div | Op::Mod, [a, b]) => match terms.op(*b) {
                Op::Int(divisor) if *divisor > BigInt::zero() => match terms.op(term) {
                    Op::Div => of(a).div(divisor),
                    _ => of(a).modulo(divisor),
                },
                _ => Range::default(),
            },
            _ => Range::default(),
        }
    }

    pub(in super::super) fn linear_range(&self, sum: &Linear, context: &mut Context) -> Range {
        let constant = Range::new(sum.constant.clone(), sum.constant.clone());
        let own = sum.parts.iter().fold(constant, |range, (&part, factor)| {
            range.plus(&self.range(part, context).times(factor))
        });
        // Something may be known about the sum as a whole.
        match context.known.get(&sum.without_constant().term(self.terms)) {
            Some(known) if sum.parts.len() > 1 => {
                let by = Range::new(sum.constant.clone(), sum.constant.clone());
                own.meet(&known.plus(&by))
            }
            _ => own,
        }
    }

    /// Whether a formula is a conjunction of comparisons that better bounds would not simplify.
    pub(in super::super) fn is_simple(&self, formula: Term) -> bool {
        let terms = self.terms;
        let simple = |sum: Term| {
            let sum = Linear::of(terms, sum);
            let mut parts = sum.parts.keys();
            parts.all(|part| !matches!(terms.op(*part), Op::Ite | Op::Div | Op::Mod))
        };
        terms.conjuncts(formula).into_iter().all(|part| {
            let atom = match terms.op(part) {
                Op::Not => terms.args(part)[0],
                _ => part,
            };
            match (terms.op(atom), terms.args(atom)) {
                (Op::Le | Op::Lt | Op::Eq, &[a, b]) if *terms.sort(a) == Sort::Int => {
                    simple(a) && simple(b)
                }
                (_, args) => args.is_empty(),
            }
        })
    }

    /// Improves the known bounds by what the formulas say. Whether anything changed.
    pub(in super::super) fn learn(&mut self, context: &mut Context, formulas: &[Term]) -> bool {
        let terms = self.terms;
        // `sum <= 0`, each.
        let mut sums: Vec<Linear> = Vec::new();
        let mut apart: Vec<(Term, BigInt)> = Vec::new();
        for &formula in formulas {
            for part in terms.conjuncts(formula) {
                let args = terms.args(part);
                match terms.op(part) {
                    Op::Le | Op::Lt | Op::Eq if *terms.sort(args[0]) == Sort::Int => {
                        let left = Linear::of(terms, args[0]);
                        let mut sum = left.minus(&Linear::of(terms, args[1]));
                        if *terms.op(part) == Op::Lt {
                            sum.constant += BigInt::one();
                        }
                        if *terms.op(part) == Op::Eq {
                            sums.push(Linear::constant(0).minus(&sum));
                        }
                        sums.push(sum);
                    }
                    Op::Not => {
                        if let (Op::Eq, [a, b]) = (terms.op(args[0]), terms.args(args[0]))
                            && let Op::Int(value) = terms.op(*b)
                        {
                            apart.push((*a, value.clone()));
                        }
                    }
                    _ => {}
                }
            }
        }
        let mut changed = false;
        for _ in 0..4 {
            let mut again = false;
            for sum in &sums {
                again |= self.tighten(sum, context);
            }
            for (term, value) in &apart {
                let range = self.range(*term, context);
                let mut smaller = range.clone();
                if range.low.as_ref() == Some(value) {
                    smaller.low = Some(value + 1);
                }
                if range.high.as_ref() == Some(value) {
                    smaller.high = Some(value - 1);
                }
                again |= context.narrow(*term, &range, smaller);
            }
            changed |= again;
            if !again {
                break;
            }
        }
        changed
    }

    /// From `sum <= 0` to bounds of its parts.
    pub(in super::super) fn tighten(&self, sum: &Linear, context: &mut Context) -> bool {
        let ranges: Vec<(Term, BigInt, Range)> = sum
            .parts
            .iter()
            .map(|(&part, factor)| (part, factor.clone(), self.range(part, context)))
            .collect();
        let mut changed = false;
        for (i, (part, factor, range)) in ranges.iter().enumerate() {
            let mut rest = Some(sum.constant.clone());
            for (j, (_, other, bounds)) in ranges.iter().enumerate() {
                if i != j {
                    let low = bounds.times(other).low;
                    rest = rest.and_then(|rest| Some(rest + low?));
                }
            }
            // factor * part <= -rest
            let Some(rest) = rest else { continue };
            let limit = -rest;
            let mut smaller = range.clone();
            let bound = if *factor > BigInt::zero() {
                Range {
                    low: None,
                    high: Some(limit.div_floor(factor)),
                }
            } else {
                Range {
                    low: Some(limit.div_ceil(factor)),
                    high: None,
                }
            };
            smaller = smaller.meet(&bound);
            changed |= context.narrow(*part, range, smaller);
        }
        if ranges.len() > 1 {
            // The same for the sum as a whole, in both directions.
            let whole = sum.without_constant();
            for (side, limit) in [
                (
                    whole.clone(),
                    Range {
                        low: None,
                        high: Some(-&sum.constant),
                    },
                ),
                (
                    Linear::constant(0).minus(&whole),
                    Range {
                        low: Some(sum.constant.clone()),
                        high: None,
                    },
                ),
            ] {
                let term = side.term(self.terms);
                let old = context.known.get(&term).cloned().unwrap_or_default();
                let new = old.meet(&limit);
                changed |= context.narrow(term, &old, new);
            }
        }
        changed
    }
}
