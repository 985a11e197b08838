//! Remainders of integer variables: `x mod m == r`.
//!
//! Symbolic abstraction as in [`super::affine`], for Granger's domain of congruences (1989): the
//! class of a variable starts as its first value and grows, by greatest common divisors, as long
//! as some step leads outside. Divisors only shrink, so few steps are needed.

use std::collections::BTreeMap;
use std::time::Instant;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use petgraph::visit::EdgeRef as _;

use super::Known;
use crate::engine::blocks::Blocks;
use crate::formula::{Sort, Term, Terms, Value};
use crate::graph::{EdgeId, LocationId};
use crate::solver::Answer;

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

/// Inductive remainders under `known`, at every location that is neither initial nor an error
/// location. `None` if the deadline passed or the solver gave up on a question.
pub fn remainders(blocks: &mut Blocks<'_, '_>, known: &Known, deadline: Instant) -> Option<Known> {
    let graph = blocks.graph;
    let terms = blocks.session.terms();
    let vars: Vec<Term> = graph
        .variables
        .iter()
        .filter(|(_, sort)| **sort == Sort::Int)
        .map(|(name, sort)| terms.current(name.clone(), sort.clone()))
        .collect();
    if vars.is_empty() || vars.len() > MOST_VARIABLES {
        return Some(Known::new());
    }
    let mut classes: BTreeMap<LocationId, Vec<Class>> = graph
        .graph
        .node_indices()
        .filter(|&l| l != graph.initial && graph.graph[l].error.is_none())
        .map(|location| (location, vec![Class::Empty; vars.len()]))
        .collect();
    let edges: Vec<(EdgeId, LocationId, LocationId)> = graph
        .graph
        .edge_references()
        .filter(|edge| classes.contains_key(&edge.target()))
        .map(|edge| (edge.id(), edge.source(), edge.target()))
        .collect();
    let formulas = |classes: &[Class]| -> Vec<Term> {
        vars.iter()
            .zip(classes)
            .map(|(&var, class)| class.formula(terms, var))
            .filter(|&formula| formula != terms.tt())
            .collect()
    };
    let mut stable = false;
    while !stable {
        stable = true;
        for &(edge, source, target) in &edges {
            loop {
                let left = deadline.checked_duration_since(Instant::now())?;
                let mut assumptions = known.get(&source).cloned().unwrap_or_default();
                match classes.get(&source) {
                    Some(classes) if classes.contains(&Class::Empty) => break,
                    Some(classes) => assumptions.extend(formulas(classes)),
                    None => {}
                }
                let inside = terms.and(formulas(&classes[&target]));
                if inside == terms.tt() {
                    break;
                }
                assumptions.push(terms.not(blocks.after(edge, inside)));
                let points: Vec<Term> = vars.iter().map(|&var| blocks.after(edge, var)).collect();
                let solver = blocks.solver(edge)?;
                match solver.check(&assumptions, Some(left)) {
                    Answer::Unsat => break,
                    Answer::Unknown(_) => return None,
                    Answer::Sat => {}
                }
                let model = solver.model().ok()?;
                for (class, point) in classes.get_mut(&target)?.iter_mut().zip(points) {
                    let Ok(Value::Int(value)) = model.value(point) else {
                        return None;
                    };
                    class.add(&value);
                }
                stable = false;
            }
        }
    }
    Some(
        classes
            .into_iter()
            .filter(|(_, classes)| !classes.contains(&Class::Empty))
            .map(|(location, classes)| (location, formulas(&classes)))
            .collect(),
    )
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
