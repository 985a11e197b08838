//! The best linear equations between the numeric variables of a location.
//!
//! Symbolic abstraction (Reps, Sagiv, Yorsh: "Symbolic Implementation of the Best Transformer",
//! VMCAI 2004) for the domain of affine spaces (Karr 1976): every location starts with the empty
//! space; while some step leads from the space of its source to a point outside the space of its
//! target, the target's space is enlarged by that point. Each point adds a dimension, so there
//! are at most as many points per location as it has variables, plus one.

use std::collections::BTreeMap;
use std::time::Instant;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use petgraph::visit::EdgeRef as _;

use super::Known;
use crate::engine::blocks::Blocks;
use crate::formula::{Sort, Term, Terms, Value};
use crate::graph::{EdgeId, LocationId};
use crate::solver::{Answer, Failure};

/// With more variables than this of one sort at one location, equations are not worth their time.
const MOST_VARIABLES: usize = 60;

/// An affine space over the variables of one sort.
#[derive(Clone, Debug)]
struct Space {
    /// The variables, unprimed.
    vars: Vec<Term>,
    /// Whether no point was added yet.
    empty: bool,
    /// Rows `(a, b)` with `a * vars == b` for all points; linearly independent.
    rows: Vec<(Vec<BigRational>, BigRational)>,
}

impl Space {
    fn new(vars: Vec<Term>) -> Space {
        Space {
            vars,
            empty: true,
            rows: Vec::new(),
        }
    }

    /// The smallest affine space with the point added.
    fn add(&mut self, point: &[BigRational]) {
        if self.empty {
            self.empty = false;
            self.rows = (0..point.len())
                .map(|i| {
                    let mut row = vec![BigRational::zero(); point.len()];
                    row[i] = BigRational::one();
                    (row, point[i].clone())
                })
                .collect();
            return;
        }
        let error = |(row, right): &(Vec<BigRational>, BigRational)| {
            row.iter()
                .zip(point)
                .map(|(a, x)| a * x)
                .sum::<BigRational>()
                - right
        };
        let errors: Vec<BigRational> = self.rows.iter().map(error).collect();
        // One violated row goes; the others are corrected by it. The sparsest one goes last, so
        // that short equations stay short.
        let Some(gone) = (0..self.rows.len())
            .filter(|&i| !errors[i].is_zero())
            .max_by_key(|&i| self.rows[i].0.iter().filter(|a| !a.is_zero()).count())
        else {
            return;
        };
        let (pivot, pivot_right) = self.rows[gone].clone();
        for (i, (row, right)) in self.rows.iter_mut().enumerate() {
            if i == gone || errors[i].is_zero() {
                continue;
            }
            let factor = &errors[i] / &errors[gone];
            for (a, p) in row.iter_mut().zip(&pivot) {
                *a -= p * &factor;
            }
            *right -= &pivot_right * &factor;
        }
        self.rows.remove(gone);
    }

    /// The equations, with coprime integer coefficients, positive terms on both sides.
    fn equations(&self, terms: &Terms) -> Vec<Term> {
        if self.empty {
            return vec![terms.ff()];
        }
        self.rows
            .iter()
            .filter_map(|(row, right)| {
                let scale = scale_to_integers(row.iter().chain([right]));
                let sort = terms.sort(*self.vars.first()?).clone();
                let number = |value: BigRational| terms.number(value, &sort);
                let (mut left_side, mut right_side) = (Vec::new(), Vec::new());
                for (a, &var) in row.iter().zip(&self.vars) {
                    let a = a * &scale;
                    if a.is_zero() {
                        continue;
                    }
                    let part = terms.mul(&[number(a.abs())?, var]);
                    if a.is_positive() {
                        left_side.push(part)
                    } else {
                        right_side.push(part)
                    }
                }
                let constant = right * &scale;
                if constant.is_negative() {
                    left_side.push(number(constant.abs())?);
                } else {
                    right_side.push(number(constant)?);
                }
                let zero = number(BigRational::zero())?;
                let sum = |parts: Vec<Term>| {
                    if parts.is_empty() {
                        zero
                    } else {
                        terms.add(&parts)
                    }
                };
                Some(terms.eq(sum(left_side), sum(right_side)))
            })
            .collect()
    }
}

/// The factor that makes the numbers coprime integers, the first one that is not zero positive.
fn scale_to_integers<'a>(numbers: impl Iterator<Item = &'a BigRational> + Clone) -> BigRational {
    let denominator = numbers
        .clone()
        .fold(BigInt::one(), |lcm, number| lcm.lcm(number.denom()));
    let divisor = numbers.clone().fold(BigInt::zero(), |gcd, number| {
        gcd.gcd(&(number * &denominator).to_integer())
    });
    let sign = match numbers.clone().find(|number| !number.is_zero()) {
        Some(number) if number.is_negative() => -BigInt::one(),
        _ => BigInt::one(),
    };
    if divisor.is_zero() {
        return BigRational::one();
    }
    BigRational::new(denominator * sign, divisor)
}

/// Inductive linear equations at every location that is neither initial nor an error location.
/// `None` if the deadline passed or the solver gave up on a question.
pub fn equations(blocks: &mut Blocks<'_, '_>, deadline: Instant) -> Option<Known> {
    let graph = blocks.graph;
    let terms = blocks.session.terms();
    let mut groups: Vec<Vec<Term>> = Vec::new();
    for sort in [Sort::Int, Sort::Real] {
        let vars: Vec<Term> = graph
            .variables
            .iter()
            .filter(|(_, s)| **s == sort)
            .map(|(name, sort)| terms.current(name.clone(), sort.clone()))
            .collect();
        if !vars.is_empty() && vars.len() <= MOST_VARIABLES {
            groups.push(vars);
        }
    }
    let inner =
        |location: LocationId| location != graph.initial && graph.graph[location].error.is_none();
    let mut spaces: BTreeMap<LocationId, Vec<Space>> = graph
        .graph
        .node_indices()
        .filter(|&location| inner(location))
        .map(|location| (location, groups.iter().cloned().map(Space::new).collect()))
        .collect();
    let formulas = |spaces: &[Space]| -> Vec<Term> {
        spaces
            .iter()
            .flat_map(|space| space.equations(terms))
            .collect()
    };
    let edges: Vec<(EdgeId, LocationId, LocationId)> = graph
        .graph
        .edge_references()
        .filter(|edge| inner(edge.target()))
        .map(|edge| (edge.id(), edge.source(), edge.target()))
        .collect();
    let mut stable = false;
    while !stable {
        stable = true;
        for &(edge, source, target) in &edges {
            loop {
                let left = deadline.checked_duration_since(Instant::now())?;
                let mut assumptions = match spaces.get(&source) {
                    Some(spaces) if spaces.iter().any(|space| space.empty) => break,
                    Some(spaces) => formulas(spaces),
                    None => Vec::new(),
                };
                let reached = spaces.get(&target)?;
                if !reached.is_empty()
                    && reached
                        .iter()
                        .all(|space| !space.empty && space.rows.is_empty())
                {
                    break;
                }
                let inside = terms.and(formulas(reached));
                assumptions.push(terms.not(blocks.after(edge, inside)));
                let points: Vec<Vec<Term>> = groups
                    .iter()
                    .map(|vars| vars.iter().map(|&var| blocks.after(edge, var)).collect())
                    .collect();
                let solver = blocks.solver(edge)?;
                match solver.check(&assumptions, Some(left)) {
                    Answer::Unsat => break,
                    Answer::Unknown(_) => return None,
                    Answer::Sat => {}
                }
                let model = solver.model().ok()?;
                let value = |point: Term| -> Result<BigRational, Failure> {
                    Ok(match model.value(point)? {
                        Value::Int(value) => BigRational::from_integer(value),
                        Value::Real(value) => value,
                        _ => BigRational::zero(),
                    })
                };
                let targets = spaces.get_mut(&target)?;
                if targets.is_empty() {
                    break;
                }
                for (space, points) in targets.iter_mut().zip(points) {
                    let point: Result<Vec<_>, _> = points.into_iter().map(value).collect();
                    space.add(&point.ok()?);
                }
                stable = false;
            }
        }
    }
    Some(
        spaces
            .into_iter()
            .filter(|(_, spaces)| spaces.iter().all(|space| !space.empty))
            .map(|(location, spaces)| (location, formulas(&spaces)))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rational(n: i64) -> BigRational {
        BigRational::from_integer(n.into())
    }

    #[test]
    fn two_points_make_a_line() {
        let terms = Terms::new();
        let vars = vec![terms.current("x", Sort::Int), terms.current("y", Sort::Int)];
        let mut space = Space::new(vars);
        space.add(&[rational(0), rational(0)]);
        assert_eq!(space.rows.len(), 2);
        space.add(&[rational(1), rational(2)]);
        let equations: Vec<String> = space
            .equations(&terms)
            .into_iter()
            .map(|e| terms.display(e))
            .collect();
        assert_eq!(equations, ["y == 2 * x"]);
        space.add(&[rational(2), rational(4)]);
        assert_eq!(space.rows.len(), 1);
        space.add(&[rational(2), rational(5)]);
        assert!(space.equations(&terms).is_empty());
    }
}
