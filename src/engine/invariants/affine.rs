//! The best linear equations between the numeric variables of a location.
//!
//! Symbolic abstraction ([`super::fixpoint`]) for the domain of affine spaces (Karr 1976): the
//! space of a location is enlarged by the points that steps lead to. Each point adds a dimension,
//! so there are at most as many points per location as it has variables, plus one.

use indexmap::IndexSet;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::Lemmas;
use super::fixpoint::{Domain, described, fixpoint};
use super::templates::{of_state, read_variables};
use crate::blocks::Blocks;
use crate::budget::Budget;
use ult_core::formula::{Op, Sort, Term, Terms, Value};
use ult_core::graph::ProgramGraph;

/// With more variables than this of one sort at one location, equations are not worth their time.
const MOST_VARIABLES: usize = 60;

/// So many cells are watched at most.
const MOST_CELLS: usize = 6;

/// An affine space over the variables of one sort.
#[derive(Clone, Debug)]
pub(super) struct Space {
    /// The variables, unprimed.
    vars: Vec<Term>,
    /// Whether no point was added yet.
    empty: bool,
    /// Rows `(a, b)` with `a * vars == b` for all points; linearly independent.
    rows: Vec<(Vec<BigRational>, BigRational)>,
}

impl Space {
    /// No point yet.
    pub(super) fn new(vars: Vec<Term>) -> Space {
        Space {
            vars,
            empty: true,
            rows: Vec::new(),
        }
    }

    /// The smallest affine space with the point added.
    pub(super) fn add(&mut self, point: &[BigRational]) {
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

    /// The linear forms that have one value each in the space, with coprime integer coefficients.
    pub(super) fn forms(&self, terms: &Terms) -> Vec<Term> {
        let form = |(row, _): &(Vec<BigRational>, BigRational)| {
            let scale = scale_to_integers(row.iter());
            let parts = row.iter().zip(&self.vars).filter(|(a, _)| !a.is_zero());
            let part = |(a, &var): (&BigRational, &Term)| {
                Some(terms.mul(&[terms.number(a * &scale, terms.sort(var))?, var]))
            };
            let parts: Vec<Term> = parts.map(part).collect::<Option<_>>()?;
            Some(terms.add(&parts))
        };
        self.rows.iter().filter_map(form).collect()
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

/// An affine space for the variables of each numeric sort.
#[derive(Clone, Debug)]
pub struct Spaces(Vec<Space>);

impl Spaces {
    /// Empty spaces for the integer and the real variables of a graph.
    pub fn new(terms: &Terms, graph: &ProgramGraph) -> Spaces {
        Spaces::between(terms, &read_variables(terms, graph))
    }

    /// Empty spaces for the integer and the real ones among given terms.
    fn between(terms: &Terms, read: &[Term]) -> Spaces {
        let of_sort = |sort: Sort| -> Vec<Term> {
            let read = read.iter().copied();
            read.filter(|&var| *terms.sort(var) == sort).collect()
        };
        let groups = [Sort::Int, Sort::Real].map(of_sort).into_iter();
        let groups = groups.filter(|vars| !vars.is_empty() && vars.len() <= MOST_VARIABLES);
        Spaces(groups.map(Space::new).collect())
    }
}

impl Domain for Spaces {
    fn watched_terms(&self) -> Vec<Term> {
        self.0.iter().flat_map(|space| space.vars.clone()).collect()
    }

    fn is_empty(&self) -> bool {
        self.0.iter().any(|space| space.empty)
    }

    fn formulas(&self, terms: &Terms) -> Vec<Term> {
        let spaces = self.0.iter();
        spaces.flat_map(|space| space.equations(terms)).collect()
    }

    fn add(&mut self, point: &[Value]) -> Option<()> {
        let mut rest = point;
        for space in &mut self.0 {
            let (own, others) = rest.split_at_checked(space.vars.len())?;
            let own: Option<Vec<BigRational>> = own
                .iter()
                .map(|value| match value {
                    Value::Int(value) => Some(BigRational::from_integer(value.clone())),
                    Value::Real(value) => Some(value.clone()),
                    _ => None,
                })
                .collect();
            space.add(&own?);
            rest = others;
        }
        Some(())
    }
}

/// Linear equations that are inductive under `known`, at every location that is neither initial
/// nor an error location. `None` if the time was over or the solver gave up on a question.
pub fn equations(blocks: &mut Blocks<'_, '_>, known: &Lemmas, budget: Budget) -> Option<Lemmas> {
    let variables = read_variables(blocks.session.terms(), blocks.graph);
    between(blocks, known, &variables, budget)
}

/// As [`equations`], also about cells of maps whose indices are numbers.
pub fn equations_with_cells(
    blocks: &mut Blocks<'_, '_>,
    known: &Lemmas,
    budget: Budget,
) -> Option<Lemmas> {
    let terms = blocks.session.terms();
    let mut all = read_variables(terms, blocks.graph);
    all.extend(cells(terms, blocks.graph));
    between(blocks, known, &all, budget)
}

/// The cells at numbers that steps read.
fn cells(terms: &Terms, graph: &ProgramGraph) -> Vec<Term> {
    let formulas = graph.graph.edge_weights().map(|e| e.transition.formula);
    let order = terms.post_order(&formulas.collect::<Vec<_>>());
    let is_fixed = |&term: &Term| match (terms.op(term), terms.args(term)) {
        (Op::Select, [map, indices @ ..]) => {
            let is_number = |index: &Term| matches!(terms.op(*index), Op::Int(_));
            terms.as_var(*map).is_some() && indices.iter().all(is_number)
        }
        _ => false,
    };
    let cells = order.into_iter().filter(is_fixed);
    let cells: IndexSet<Term> = cells
        .filter_map(|cell| of_state(terms, graph, cell))
        .collect();
    cells.into_iter().take(MOST_CELLS).collect()
}

/// The equations between given terms.
fn between(
    blocks: &mut Blocks<'_, '_>,
    known: &Lemmas,
    watched: &[Term],
    budget: Budget,
) -> Option<Lemmas> {
    let terms = blocks.session.terms();
    let empty = Spaces::between(terms, watched);
    if empty.0.is_empty() {
        return Some(Lemmas::new());
    }
    let spaces = fixpoint(blocks, known, &empty, budget)?;
    Some(described(terms, &spaces))
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
