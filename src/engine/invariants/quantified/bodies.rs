//! Claims about all cells, made from claims about one: what moves is replaced by bound variables.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::Signed as _;

use super::claims::index_variables;
use super::instances::{
    indices_of, linear_in, matched, mentions, replaced, replaced_all, resolved,
};
use super::ranges::{Axis, Bounds};
use ult_core::formula::{Op, Sort, Term, Terms};

/// A claim about all cells between bounds that are still to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Body {
    pub formula: Term,
    /// The indices of each access that mentions bound variables.
    pub accesses: Vec<Vec<Term>>,
    pub axes: Vec<Axis>,
}

/// Makes bodies.
pub(super) struct Maker<'a> {
    pub terms: &'a Terms,
    pub bounds: &'a Bounds<'a>,
    /// The bound variables.
    pub bound: [Term; 2],
    /// Equations that hold somewhere.
    pub equations: &'a BTreeSet<Term>,
    /// The variables in indices, and those they are compared with.
    pub variables: &'a IndexSet<Term>,
    /// The indices of accesses.
    pub indices: &'a IndexSet<Vec<Term>>,
}

impl Maker<'_> {
    /// The claim with one variable in an index, or a whole index, or two of them replaced.
    pub(super) fn bodies(&self, claim: Term) -> Vec<Body> {
        let mut found = Vec::new();
        let variables = index_variables(self.terms, claim);
        for &variable in &variables {
            found.extend(self.of_variable(claim, variable));
        }
        found.extend(self.of_indices(claim));
        for (number, &first) in variables.iter().enumerate() {
            for &second in &variables[number + 1..] {
                if self.bounds.moves(first) && self.bounds.moves(second) {
                    found.extend(self.of_two(claim, first, second));
                }
            }
        }
        found
    }

    fn body(&self, formula: Term, axes: Vec<Axis>) -> Option<Body> {
        let bound: Vec<Term> = axes.iter().map(|axis| axis.bound).collect();
        let accesses = own_accesses(self.terms, formula, &bound)?;
        let is_said = !matches!(self.terms.op(formula), Op::Bool(_));
        (is_said && !accesses.is_empty()).then_some(Body {
            formula,
            accesses,
            axes,
        })
    }

    /// As [`Maker::body`], with what the bound variable is for other accesses as further bounds.
    fn widened(&self, formula: Term, mut axis: Axis) -> Option<Body> {
        let body = self.body(formula, vec![axis.clone()])?;
        for own in &body.accesses {
            for access in self
                .indices
                .iter()
                .filter(|access| access.len() == own.len())
            {
                if let [Some(value)] = matched(self.terms, own, &[axis.bound], access)[..] {
                    self.bounds.widen(&mut axis, value);
                }
            }
        }
        let axes = vec![axis];
        Some(Body { axes, ..body })
    }

    fn of_variable(&self, claim: Term, variable: Term) -> Vec<Body> {
        let (terms, [bound, _]) = (self.terms, self.bound);
        let axis = self.bounds.axis(bound, variable, self.variables);
        let mut found: Vec<Body> = Vec::new();
        let formula = replaced(terms, claim, variable, bound);
        found.extend(self.widened(formula, axis.clone()));
        // Variables that move along are told by the one that is replaced.
        for other in terms.free_vars(&[claim]) {
            if other == variable || *terms.sort(other) != Sort::Int {
                continue;
            }
            let equations = self.equations.iter();
            let told = equations.filter_map(|&equation| resolved(terms, equation, other));
            for value in told.filter(|&value| mentions(terms, value, variable)) {
                let formula = replaced(terms, claim, other, value);
                let formula = replaced(terms, formula, variable, bound);
                let along = vec![replaced(terms, value, variable, bound)];
                let axis = Axis {
                    along,
                    ..axis.clone()
                };
                found.extend(self.widened(formula, axis));
            }
        }
        found
    }

    /// With the part of an index that moves replaced, if that are several variables.
    fn of_indices(&self, claim: Term) -> Vec<Body> {
        let (terms, [bound, _]) = (self.terms, self.bound);
        let mut found = Vec::new();
        for index in int_indices(terms, claim) {
            let Some((unit, variable, factor)) = self.unit(index) else {
                continue;
            };
            // variable == factor * (bound - (unit - factor * variable))
            let rest = terms.sub(unit, terms.mul(&[factor, variable]));
            let value = terms.mul(&[factor, terms.sub(bound, rest)]);
            let axis = self.bounds.axis(bound, unit, self.variables);
            found.extend(self.widened(replaced(terms, claim, variable, value), axis));
        }
        found
    }

    /// The part of an index that moves, divided by what its coefficients have in common, with a
    /// variable in it and its sign there. Only if several variables move.
    fn unit(&self, index: Term) -> Option<(Term, Term, Term)> {
        let terms = self.terms;
        let (mut parts, _) = terms.linear(index);
        parts.retain(|&(base, _)| self.bounds.moves(base));
        if parts.len() < 2 {
            return None;
        }
        let numbers = parts.iter().map(|(_, factor)| factor.to_integer());
        let common = BigRational::from_integer(numbers.fold(BigInt::default(), |a, b| a.gcd(&b)));
        let number = |value: BigRational| terms.number(value, &Sort::Int);
        let mut unit = Vec::new();
        for (base, factor) in &parts {
            unit.push(terms.mul(&[number(factor / &common)?, *base]));
        }
        let (variable, factor) = parts.iter().find(|(_, factor)| factor.abs() == common)?;
        let sign = number(factor / &common)?;
        Some((terms.add(&unit), *variable, sign))
    }

    /// With two variables replaced: in the two indices of one access, or in two accesses.
    fn of_two(&self, claim: Term, first: Term, second: Term) -> Option<Body> {
        let (terms, bound) = (self.terms, self.bound);
        let formula = replaced_all(terms, claim, &[first, second], &bound);
        let axes = [(bound[0], first), (bound[1], second)];
        let axes = axes.map(|(bound, variable)| self.bounds.axis(bound, variable, self.variables));
        let body = self.body(formula, axes.to_vec())?;
        // One variable in each index: else no instance is ever found.
        let is_one = |index: &Term| {
            bound
                .iter()
                .filter(|&&b| mentions(terms, *index, b))
                .count()
                <= 1
        };
        let is_one = body.accesses.iter().flatten().all(is_one);
        let in_one = body.accesses.iter().any(|access| access.len() == 2);
        // Cells of different maps move along with each other, if anything.
        (is_one && (in_one || self.maps(formula).len() == 1)).then_some(body)
    }

    /// The maps that a formula reads cells of.
    fn maps(&self, formula: Term) -> BTreeSet<Term> {
        let terms = self.terms;
        let parts = terms.post_order(&[formula]).into_iter();
        let maps = parts.filter(|&part| matches!(terms.op(part), Op::Select));
        maps.map(|part| terms.args(part)[0]).collect()
    }
}

/// The integer indices in a formula.
fn int_indices(terms: &Terms, formula: Term) -> IndexSet<Term> {
    let parts = terms.post_order(&[formula]).into_iter();
    let indices = parts.flat_map(|part| indices_of(terms, part));
    let is_int = |index: &&Term| *terms.sort(**index) == Sort::Int;
    indices.filter(is_int).copied().collect()
}

/// The accesses in a formula that mention bound variables; nothing if an index is not linear in
/// them.
fn own_accesses(terms: &Terms, formula: Term, bound: &[Term]) -> Option<Vec<Vec<Term>>> {
    let mut found: IndexSet<Vec<Term>> = IndexSet::new();
    for part in terms.post_order(&[formula]) {
        let indices = indices_of(terms, part);
        let mut is_own = false;
        for &index in indices {
            for &bound in bound {
                if mentions(terms, index, bound) {
                    linear_in(terms, index, bound)?;
                    is_own = true;
                }
            }
        }
        if is_own && indices.iter().all(|&index| *terms.sort(index) == Sort::Int) {
            found.insert(indices.to_vec());
        }
    }
    Some(found.into_iter().collect())
}
