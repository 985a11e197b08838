//! Comparisons of numbers, in one form.
//!
//! Sound: taking a term apart does not change its value, and a comparison is multiplied by a number that is not zero; a negative one turns
//! it around. A bound is rounded only if all base terms are of sort `Int` and the factors are integers, so that the form is an integer.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, Zero as _};

use crate::term::{Graph, Id, Op, Sort};

/// Factors times base terms, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) factors: BTreeMap<Id, BigRational>,
    pub(crate) constant: BigRational,
}

impl Sum {
    /// Adds a multiple of a term. Terms that are made of others by addition are taken apart, those with the highest numbers
    /// first, so that none is looked at twice.
    pub(crate) fn add_term(&mut self, graph: &Graph, factor: &BigRational, term: Id) {
        let mut open = BTreeMap::from([(term, factor.clone())]);
        while let Some((id, factor)) = open.pop_last() {
            let node = graph.node(id);
            let mut pass = |to: Id, factor: BigRational| *open.entry(to).or_default() += factor;
            match &node.op {
                Op::Number(value) => self.constant += factor * value,
                Op::Add => {
                    for &arg in &node.args {
                        pass(arg, factor.clone());
                    }
                }
                Op::ToReal => pass(node.args[0], factor),
                Op::Mul => {
                    let mut product = factor.clone();
                    let mut others = Vec::new();
                    for &arg in &node.args {
                        match graph.number(arg) {
                            Some(value) => product *= value,
                            None => others.push(arg),
                        }
                    }
                    match others[..] {
                        [] => self.constant += product,
                        [other] => pass(other, product),
                        _ => self.add_base(id, factor),
                    }
                }
                _ => self.add_base(id, factor),
            }
        }
    }

    /// Adds a multiple of a term that is not taken apart.
    pub(crate) fn add_base(&mut self, id: Id, factor: BigRational) {
        let sum = self.factors.entry(id).or_default();
        *sum += factor;
        if sum.is_zero() {
            self.factors.remove(&id);
        }
    }

    /// The difference of two terms.
    pub(crate) fn difference(graph: &Graph, left: Id, right: Id) -> Sum {
        let mut sum = Sum::default();
        sum.add_term(graph, &BigRational::one(), left);
        sum.add_term(graph, &-BigRational::one(), right);
        sum
    }
}

/// A sum of integer multiples of base terms: no common divisor, and the first factor is positive.
pub(crate) type Form = Vec<(Id, BigInt)>;

/// `form <= limit`, or `form < limit`. Where all base terms are integers, the limit is one, and it is not strict.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bound {
    pub(crate) form: Form,
    pub(crate) limit: BigRational,
    pub(crate) is_strict: bool,
}

/// What a comparison says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Constant(bool),
    /// A bound, or its negation where that is false.
    Bound(Bound, bool),
}

/// Whether all base terms are integers.
pub(crate) fn is_integer(graph: &Graph, form: &Form) -> bool {
    form.iter().all(|(id, _)| *graph.sort(*id) == Sort::Int)
}

/// The form of a sum, with what the sum was multiplied by; that is negative where all signs were changed.
fn scaled(sum: &Sum) -> (Form, BigRational) {
    let mut denominators = BigInt::one();
    let mut numerators = BigInt::zero();
    for factor in sum.factors.values() {
        denominators = denominators.lcm(factor.denom());
        numerators = numerators.gcd(factor.numer());
    }
    if numerators.is_zero() {
        return (Vec::new(), BigRational::one());
    }
    // The fractions are in lowest terms, so this makes the factors coprime integers.
    let mut scale = BigRational::new(denominators, numerators);
    let first = sum.factors.values().next();
    if first.is_some_and(BigRational::is_negative) {
        scale = -scale;
    }
    let form = sum.factors.iter();
    let form = form.map(|(&id, factor)| (id, (factor * &scale).to_integer()));
    (form.collect(), scale)
}

/// `sum <= 0`, or `sum < 0`.
pub(crate) fn at_most_zero(graph: &Graph, sum: &Sum, is_strict: bool) -> Comparison {
    if sum.factors.is_empty() {
        return Comparison::Constant(match is_strict {
            true => sum.constant.is_negative(),
            false => !sum.constant.is_positive(),
        });
    }
    let (form, scale) = scaled(sum);
    let limit = -(&sum.constant * &scale);
    let is_whole = is_integer(graph, &form);
    let is_flipped = scale.is_negative();
    // `-form <= -limit` is not `form < limit`.
    let is_strict = is_strict != is_flipped;
    let (limit, is_strict) = match (is_whole, is_strict) {
        (false, _) => (limit, is_strict),
        (true, false) => (limit.floor(), false),
        (true, true) => (limit.ceil() - BigRational::one(), false),
    };
    let bound = Bound {
        form,
        limit,
        is_strict,
    };
    Comparison::Bound(bound, !is_flipped)
}

/// The form of an equation `sum = 0`, and its value; none if there is no base term.
pub(crate) fn equation(sum: &Sum) -> Option<(Form, BigRational)> {
    let (form, scale) = scaled(sum);
    (!form.is_empty()).then(|| (form, -(&sum.constant * &scale)))
}
