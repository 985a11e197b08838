//! Contradictions of linear equations over the integers (Jain, Clarke and Grumberg, Efficient Craig
//! Interpolation for Linear Diophantine (Dis)Equations and Linear Modular Equations, CAV 2008).
//!
//! A system of equations has no integer solution exactly if there are rational multipliers with
//! which the equations add up to one whose coefficients are integers and whose constant is not
//! (their theorem 1; a rational contradiction `0 = c` can be scaled to that). Such multipliers are
//! to equations what Farkas multipliers are to inequalities: the part of the sum that belongs to
//! one side of a cut has integer coefficients for the variables that only this side has, because
//! the other side adds nothing to them, so "the rest of that part is congruent to its constant
//! modulo 1" is an interpolant.

use std::collections::{BTreeMap, BTreeSet};

use num_traits::ToPrimitive;

use super::number::Rational;

/// `sum of factor * variable = constant`, where all variables are integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Equation<V> {
    /// The summands; a variable may occur more than once.
    pub terms: Vec<(V, Rational)>,
    /// The right-hand side.
    pub constant: Rational,
}

/// Multipliers of equations, by their place in the list: sorted, without zeros.
pub(super) type Multipliers = Vec<(usize, Rational)>;

/// Multipliers with which the equations contradict each other over the integers (see [`holds`]).
///
/// `None` if there is a solution, or if the budget, which counts operations on numbers weighted with
/// their size, is used up. A sum with a non-integer constant is simplified: to a prime modulus if a
/// small prime divides the constant's denominator, and without the equations that contribute only
/// integers.
pub(super) fn refute<V: Copy + Ord>(
    equations: &[Equation<V>],
    budget: &mut u64,
) -> Option<Multipliers> {
    let mut indices = BTreeMap::new();
    let mut system = System::default();
    for (place, equation) in equations.iter().enumerate() {
        let mut terms: BTreeMap<usize, Rational> = BTreeMap::new();
        for (variable, factor) in &equation.terms {
            let next = indices.len();
            let index = *indices.entry(*variable).or_insert(next);
            *terms.entry(index).or_default() += factor;
        }
        if let Some(multipliers) = system.add(place, terms, &equation.constant, budget)? {
            return Some(multipliers);
        }
    }
    None
}

/// Whether the sum of the equations with these multipliers is a contradiction over the integers:
/// all coefficients are integers and the constant is none, or all coefficients are zero and the
/// constant is not.
pub(super) fn holds<V: Copy + Ord>(
    equations: &[Equation<V>],
    multipliers: &[(usize, Rational)],
) -> bool {
    let mut terms: BTreeMap<V, Rational> = BTreeMap::new();
    let mut constant = Rational::ZERO;
    for (place, multiplier) in multipliers {
        let Some(equation) = equations.get(*place) else {
            return false;
        };
        for (variable, factor) in &equation.terms {
            terms
                .entry(*variable)
                .or_default()
                .add_product(multiplier, factor);
        }
        constant.add_product(multiplier, &equation.constant);
    }
    if terms.values().all(Rational::is_zero) {
        return !constant.is_zero();
    }
    terms.values().all(Rational::is_integer) && !constant.is_integer()
}

/// The equations so far, solved: every variable is an integer combination of parameters, and this
/// change of variables can be inverted over the integers (it is unimodular). The equations fix some
/// of the parameters; the others are free.
#[derive(Default)]
struct System {
    /// For each variable its parameters, without zeros.
    variables: Vec<BTreeMap<usize, Rational>>,
    /// For each parameter the variables in which it occurs.
    occurrences: Vec<BTreeSet<usize>>,
    /// For each parameter its value, once it is fixed.
    fixed: Vec<Option<Fixed>>,
    /// For each equation the number that makes its coefficients coprime integers.
    scales: Vec<Rational>,
}

/// The value of a parameter, and the (scaled) equations' sum that says so.
struct Fixed {
    value: Rational,
    because: BTreeMap<usize, Rational>,
}

impl System {
    /// Adds an equation; `None` without budget, else the multipliers of a contradiction if there is
    /// one now.
    fn add(
        &mut self,
        place: usize,
        mut terms: BTreeMap<usize, Rational>,
        constant: &Rational,
        budget: &mut u64,
    ) -> Option<Option<Multipliers>> {
        terms.retain(|_, factor| !factor.is_zero());
        let divisor = Rational::gcd_of(terms.values());
        let scale = if divisor.is_zero() {
            Rational::ONE
        } else {
            divisor.recip()
        };
        let mut rest = constant * &scale;
        self.scales.push(scale.clone());
        let mut because = BTreeMap::from([(place, Rational::ONE)]);
        if !terms.is_empty() && !rest.is_integer() {
            return Some(Some(self.simplified(because, &rest)));
        }

        // The equation over the parameters.
        let mut over: BTreeMap<usize, Rational> = BTreeMap::new();
        for (variable, factor) in &terms {
            let factor = factor * &scale;
            while self.variables.len() <= *variable {
                let new = self.variables.len();
                self.variables.push(BTreeMap::from([(new, Rational::ONE)]));
                self.occurrences.push(BTreeSet::from([new]));
                self.fixed.push(None);
            }
            for (parameter, by) in &self.variables[*variable] {
                spend(budget, by)?;
                over.entry(*parameter).or_default().add_product(&factor, by);
            }
        }
        over.retain(|_, factor| !factor.is_zero());

        // Values of fixed parameters go to the right-hand side.
        let mut free: Vec<(usize, Rational)> = Vec::new();
        for (parameter, factor) in over {
            let Some(fixed) = &self.fixed[parameter] else {
                free.push((parameter, factor));
                continue;
            };
            let minus = -&factor;
            rest.add_product(&minus, &fixed.value);
            for (equation, multiplier) in &fixed.because {
                spend(budget, multiplier)?;
                because
                    .entry(*equation)
                    .or_default()
                    .add_product(&minus, multiplier);
            }
        }
        because.retain(|_, multiplier| !multiplier.is_zero());

        let Some((parameter, factor)) = self.eliminate(free, budget)? else {
            // The left-hand side follows from earlier equations, over the rationals.
            let contradiction = !rest.is_zero();
            return Some(contradiction.then(|| self.multipliers(because)));
        };
        let inverse = factor.recip();
        rest *= &inverse;
        for multiplier in because.values_mut() {
            *multiplier *= &inverse;
        }
        if !rest.is_integer() {
            return Some(Some(self.simplified(because, &rest)));
        }
        self.fixed[parameter] = Some(Fixed {
            value: rest,
            because,
        });
        Some(None)
    }

    /// Changes free parameters so that only one of the given ones is left in the sum: Euclid's
    /// algorithm on the factors, with nearest quotients. `None` without budget.
    fn eliminate(
        &mut self,
        mut sum: Vec<(usize, Rational)>,
        budget: &mut u64,
    ) -> Option<Option<(usize, Rational)>> {
        loop {
            let size = |(parameter, factor): &&(usize, Rational)| {
                (factor.abs(), self.occurrences[*parameter].len(), *parameter)
            };
            let Some((pivot, divisor)) = sum.iter().min_by_key(size).cloned() else {
                return Some(None);
            };
            if sum.len() == 1 {
                return Some(Some((pivot, divisor)));
            }
            for (parameter, factor) in &mut sum {
                if *parameter != pivot {
                    let quotient = (&*factor / &divisor).round();
                    let minus = -quotient;
                    factor.add_product(&minus, &divisor);
                    self.add_column(*parameter, &minus, pivot, budget)?;
                }
            }
            sum.retain(|(_, factor)| !factor.is_zero());
        }
    }

    /// Replaces the parameter `pivot` by `pivot + factor * target`.
    fn add_column(
        &mut self,
        target: usize,
        factor: &Rational,
        pivot: usize,
        budget: &mut u64,
    ) -> Option<()> {
        let occurrences = std::mem::take(&mut self.occurrences[pivot]);
        for variable in &occurrences {
            let row = &mut self.variables[*variable];
            let Some(by) = row.get(&pivot).cloned() else {
                continue;
            };
            let entry = row.entry(target).or_default();
            entry.add_product(factor, &by);
            spend(budget, entry)?;
            if entry.is_zero() {
                row.remove(&target);
                self.occurrences[target].remove(variable);
            } else {
                self.occurrences[target].insert(*variable);
            }
        }
        self.occurrences[pivot] = occurrences;
        Some(())
    }

    /// The multipliers of the equations as they were given.
    fn multipliers(&self, because: BTreeMap<usize, Rational>) -> Multipliers {
        let scaled = |(place, multiplier): (usize, Rational)| {
            let multiplier = &multiplier * &self.scales[place];
            (place, multiplier)
        };
        because.into_iter().map(scaled).collect()
    }

    /// The multipliers of a sum with integer coefficients and the given constant, which is no
    /// integer; simplified.
    ///
    /// Every integer multiple that leaves the constant no integer serves as well, and so does the
    /// sum without integer multiples of equations that consist of integers, which these all do but
    /// one that is a contradiction alone.
    fn simplified(
        &self,
        mut because: BTreeMap<usize, Rational>,
        constant: &Rational,
    ) -> Multipliers {
        if because.len() > 1 {
            let denominator = Rational::from(constant.denom());
            let prime = small_prime(&denominator).unwrap_or_else(|| denominator.clone());
            // The largest factor of the multipliers' denominator that is coprime to the prime.
            let mut coprime = Rational::ONE;
            for multiplier in because.values() {
                coprime = coprime.lcm(&Rational::from(multiplier.denom()));
            }
            loop {
                let common = coprime.gcd(&prime);
                if common.is_one() {
                    break;
                }
                coprime /= common;
            }
            let multiple = denominator / prime * coprime;
            let half = Rational::new(1, 2);
            for multiplier in because.values_mut() {
                *multiplier *= &multiple;
                // To more than -1/2 and at most 1/2.
                *multiplier -= (&*multiplier - &half).ceil();
            }
            because.retain(|_, multiplier| !multiplier.is_zero());
        }
        self.multipliers(because)
    }
}

/// The least prime factor of an integer, if it is small.
fn small_prime(number: &Rational) -> Option<Rational> {
    let number = number.numer();
    (2..100u32)
        .find(|prime| (&number % prime).to_u32() == Some(0))
        .map(|prime| Rational::from(i64::from(prime)))
}

/// Takes the cost of an operation from the budget; `None` if there is not enough.
fn spend(budget: &mut u64, number: &Rational) -> Option<()> {
    *budget = budget.checked_sub(number.words())?;
    Some(())
}

#[cfg(test)]
mod tests;
