//! Remainders of integer variables: `x mod m == r`.
//!
//! Symbolic abstraction ([`super::fixpoint`]), for Granger's domain of congruences (1989): the
//! class of a variable starts as its first value and grows, by greatest common divisors, as long
//! as some step leads outside. Divisors only shrink, so few steps are needed.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::Lemmas;
use super::fixpoint::{Domain, described, fixpoint};
use super::templates::read_variables;
use crate::blocks::Blocks;
use crate::budget::Budget;
use ult_core::formula::{Sort, Term, Terms, Value};

/// With more integer variables than this, remainders are not worth their time.
const MOST_VARIABLES: usize = 30;

/// The values that a variable may have.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Class {
    /// None was seen.
    Empty,
    /// `value + k * modulus` for all `k`; only `value` if the modulus is 0, all if it is 1.
    Of { modulus: BigInt, value: BigInt },
}

impl Class {
    fn add(&mut self, point: &BigInt) {
        *self = match self {
            Class::Empty => Class::Of {
                modulus: BigInt::zero(),
                value: point.clone(),
            },
            Class::Of { modulus, value } => {
                let modulus = modulus.gcd(&(point - &*value).abs());
                let value = if modulus.is_zero() {
                    value.clone()
                } else {
                    value.mod_floor(&modulus)
                };
                Class::Of { modulus, value }
            }
        };
    }

    fn formula(&self, terms: &Terms, var: Term) -> Term {
        match self {
            Class::Empty => terms.ff(),
            Class::Of { modulus, .. } if modulus.is_one() => terms.tt(),
            Class::Of { modulus, value } if modulus.is_zero() => {
                terms.eq(var, terms.int(value.clone()))
            }
            Class::Of { modulus, value } => terms.eq(
                terms.modulo(var, terms.int(modulus.clone())),
                terms.int(value.clone()),
            ),
        }
    }
}

/// A class for each integer variable.
#[derive(Clone, Debug)]
struct Classes {
    vars: Vec<Term>,
    classes: Vec<Class>,
}

impl Domain for Classes {
    fn watched_terms(&self) -> Vec<Term> {
        self.vars.clone()
    }

    fn is_empty(&self) -> bool {
        self.classes.contains(&Class::Empty)
    }

    fn formulas(&self, terms: &Terms) -> Vec<Term> {
        self.vars
            .iter()
            .zip(&self.classes)
            .map(|(&var, class)| class.formula(terms, var))
            .filter(|&formula| formula != terms.tt())
            .collect()
    }

    fn add(&mut self, point: &[Value]) -> Option<()> {
        for (class, value) in self.classes.iter_mut().zip(point) {
            let Value::Int(value) = value else {
                return None;
            };
            class.add(value);
        }
        Some(())
    }
}

/// Inductive remainders under `known`, at every location that is neither initial nor an error
/// location. `None` if the time was over or the solver gave up on a question.
pub fn remainders(blocks: &mut Blocks<'_, '_>, known: &Lemmas, budget: Budget) -> Option<Lemmas> {
    let terms = blocks.session.terms();
    let mut vars = read_variables(terms, blocks.graph);
    vars.retain(|&var| *terms.sort(var) == Sort::Int);
    if vars.is_empty() || vars.len() > MOST_VARIABLES {
        return Some(Lemmas::new());
    }
    let empty = Classes {
        classes: vec![Class::Empty; vars.len()],
        vars,
    };
    let classes = fixpoint(blocks, known, &empty, budget)?;
    Some(described(terms, &classes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_three_keep_the_remainder() {
        let terms = Terms::new();
        let x = terms.current("x", Sort::Int);
        let mut class = Class::Empty;
        class.add(&2.into());
        assert_eq!(terms.display(class.formula(&terms, x)), "x == 2");
        class.add(&8.into());
        assert_eq!(terms.display(class.formula(&terms, x)), "x mod 6 == 2");
        class.add(&(-1).into());
        assert_eq!(terms.display(class.formula(&terms, x)), "x mod 3 == 2");
        class.add(&0.into());
        assert_eq!(class.formula(&terms, x), terms.tt());
    }
}
