//! Exact elimination of variables from conjunctions, as far as it is cheap.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};

use super::budget::Budget;
use super::solve::Scope;
use ult_core::formula::{BinderKind, Op, Sort, Term, Version};
use ult_smt::Failure;

/// Combining bounds may make this many comparisons more than it removes.
const GROWTH: usize = 4;

/// Disjunctions are looked into to this depth.
const DEPTH: u32 = 12;

/// Larger conjunctions are not worked on any further.
const MOST_NODES: usize = 20_000;

impl Scope<'_> {
    /// Conjuncts that hold together exactly if there are values for the variables to be eliminated
    /// with which `parts` hold, if in that each remaining variable is read so, too. What is tried:
    /// equations that determine a variable, variables without two-sided bounds, combinations of
    /// the bounds of a variable, and all this in the disjuncts of a part that shares no variable
    /// with the other parts.
    pub(super) fn eliminated(
        &mut self,
        parts: Vec<Term>,
        budget: &Budget<'_>,
    ) -> Result<Vec<Term>, Failure> {
        self.eliminated_to(parts, DEPTH, budget)
    }

    fn eliminated_to(
        &mut self,
        parts: Vec<Term>,
        depth: u32,
        budget: &Budget<'_>,
    ) -> Result<Vec<Term>, Failure> {
        let mut parts = self.flat(parts);
        loop {
            budget.left()?;
            if let [only] = parts[..]
                && *self.terms.op(only) == Op::Bool(false)
            {
                return Ok(parts);
            }
            if self.terms.post_order(&parts).len() > MOST_NODES {
                return Ok(parts);
            }
            if let Some(fewer) = self.by_equation(&parts) {
                parts = self.flat(fewer);
            } else if let Some(fewer) = self.by_bounds(&parts) {
                parts = self.flat(fewer);
            } else if let Some(fewer) = self.in_disjuncts(&parts, depth, budget)? {
                parts = self.flat(fewer);
            } else {
                return Ok(parts);
            }
        }
    }

    /// The conjuncts of all parts, comparisons in normal form, existential quantifiers opened.
    /// Just `false` if that is among them.
    fn flat(&mut self, parts: Vec<Term>) -> Vec<Term> {
        let t = self.terms;
        let mut flat = indexmap::IndexSet::new();
        let mut stack: Vec<Term> = parts.into_iter().rev().collect();
        while let Some(part) = stack.pop() {
            let part = self.tidy.tidy(t, part);
            match t.op(part) {
                Op::And => stack.extend(t.conjuncts(part).into_iter().rev()),
                Op::Bool(true) => {}
                Op::Bool(false) => return vec![part],
                Op::Not if *t.op(t.args(part)[0]) == Op::Or => {
                    let disjuncts = t.disjuncts(t.args(part)[0]);
                    stack.extend(disjuncts.into_iter().rev().map(|d| t.not(d)));
                }
                Op::Bind(binder) if binder.kind == BinderKind::Exists => {
                    let body = t.args(part)[0];
                    let mut opened = HashMap::new();
                    for &var in &binder.vars {
                        let fresh = self.fresh("some", t.sort(var).clone(), None);
                        opened.insert(var, fresh);
                    }
                    stack.push(t.substitute(body, &opened));
                }
                Op::Le | Op::Lt | Op::Eq => {
                    let same = t.normalised(part);
                    if matches!(t.op(same), Op::Bool(_)) {
                        stack.push(same);
                    } else {
                        flat.insert(same);
                    }
                }
                _ => {
                    flat.insert(part);
                }
            }
        }
        flat.into_iter().collect()
    }

    /// Uses one part as an equation for a variable.
    fn by_equation(&mut self, parts: &[Term]) -> Option<Vec<Term>> {
        let t = self.terms;
        for (i, &part) in parts.iter().enumerate() {
            let Some(solution) = self.solve(part) else {
                continue;
            };
            let map = HashMap::from([(solution.var, solution.value)]);
            let mut rest = Vec::with_capacity(parts.len());
            for (j, &other) in parts.iter().enumerate() {
                if j == i {
                    rest.extend(solution.side.iter().map(|&s| t.substitute(s, &map)));
                } else if self.mentions(other, solution.var) {
                    rest.push(t.substitute(other, &map));
                } else {
                    rest.push(other);
                }
            }
            return Some(rest);
        }
        None
    }

    /// Eliminates one variable that occurs in linear comparisons only.
    fn by_bounds(&mut self, parts: &[Term]) -> Option<Vec<Term>> {
        let t = self.terms;
        let mut occurrences: std::collections::BTreeMap<Term, Vec<usize>> = Default::default();
        for (i, &part) in parts.iter().enumerate() {
            for &var in self.dead_in(part).iter() {
                occurrences.entry(var).or_default().push(i);
            }
        }
        for (var, indices) in occurrences {
            let Some(instead) = self.without(var, indices.iter().map(|&i| parts[i]).collect())
            else {
                continue;
            };
            let mut rest: Vec<Term> = (0..parts.len())
                .filter(|i| !indices.contains(i))
                .map(|i| parts[i])
                .collect();
            rest.extend(instead.into_iter().map(|part| t.normalised(part)));
            return Some(rest);
        }
        None
    }

    /// `exists var. parts` for parts that all mention `var`.
    fn without(&mut self, var: Term, parts: Vec<Term>) -> Option<Vec<Term>> {
        let t = self.terms;
        let sort = t.sort(var).clone();
        match sort {
            Sort::Int | Sort::Real => {}
            // A value of a finite sort that differs from a few others.
            Sort::BitVec(_) => {
                let enough = sort.cardinality()? > parts.len().into();
                let unequal = |scope: &mut Self, part: Term| {
                    let inner = *t.args(part).first().filter(|_| *t.op(part) == Op::Not)?;
                    match (t.op(inner), t.args(inner)) {
                        (Op::Eq, &[a, b]) if a == var => Some(!scope.mentions(b, var)),
                        (Op::Eq, &[a, b]) if b == var => Some(!scope.mentions(a, var)),
                        _ => None,
                    }
                };
                let all = parts.iter().all(|&p| unequal(self, p) == Some(true));
                return (enough && all).then(Vec::new);
            }
            _ => return None,
        }
        let mut bounds = Bounds::default();
        for part in parts {
            bounds.add(self, var, part)?;
        }
        bounds.combined(self, &sort)
    }

    /// Eliminates within the disjuncts of a part that shares no variable with another part.
    fn in_disjuncts(
        &mut self,
        parts: &[Term],
        depth: u32,
        budget: &Budget<'_>,
    ) -> Result<Option<Vec<Term>>, Failure> {
        let t = self.terms;
        if depth == 0 {
            return Ok(None);
        }
        for (i, &part) in parts.iter().enumerate() {
            let own = self.dead_in(part);
            if own.is_empty() {
                continue;
            }
            let disjuncts = match (t.op(part), t.args(part)) {
                (Op::Or, _) => t.disjuncts(part),
                (Op::Not, &[inner]) if *t.op(inner) == Op::And => {
                    let conjuncts = t.conjuncts(inner).into_iter();
                    conjuncts.map(|c| t.not(c)).collect()
                }
                _ => continue,
            };
            let mut shared = false;
            for (j, &other) in parts.iter().enumerate() {
                shared |= j != i && own.iter().any(|&var| self.mentions(other, var));
            }
            if shared {
                continue;
            }
            let mut all = Vec::with_capacity(disjuncts.len());
            for disjunct in disjuncts {
                let rest = self.eliminated_to(vec![disjunct], depth - 1, budget)?;
                all.push(t.and(rest));
            }
            let smaller = t.or(all);
            if smaller != part {
                let mut parts = parts.to_vec();
                parts[i] = smaller;
                return Ok(Some(parts));
            }
        }
        Ok(None)
    }

    /// The parts, with bound variables in place of those still to be eliminated: a quantified
    /// formula, where the solvers are good at that sort. Otherwise nothing.
    pub(super) fn quantified(&mut self, parts: &[Term]) -> Option<Term> {
        let t = self.terms;
        let body = t.and(parts.iter().copied());
        let mut bound = Vec::new();
        let mut map = HashMap::new();
        for &var in self.dead_in(body).iter() {
            if !matches!(t.sort(var), Sort::Int | Sort::Map(_)) {
                return None;
            }
            let name = t.as_var(var)?.name.clone();
            let fresh = t.fresh_bound(name, t.sort(var).clone());
            debug_assert!(matches!(
                t.as_var(fresh).map(|v| v.version),
                Some(Version::Bound(_))
            ));
            bound.push(fresh);
            map.insert(var, fresh);
        }
        Some(t.bind(BinderKind::Exists, &bound, t.substitute(body, &map), &[]))
    }
}

/// The linear comparisons in which a variable occurs.
#[derive(Default)]
struct Bounds {
    /// `factor * var >= bound` or, strict, `>`.
    lower: Vec<Bound>,
    upper: Vec<Bound>,
    /// Whether there are values that the variable must not have.
    exceptions: bool,
}

struct Bound {
    /// Positive.
    factor: BigRational,
    bound: Term,
    strict: bool,
}

impl Bounds {
    /// Notes one more comparison; `None` for anything else.
    fn add(&mut self, scope: &mut Scope<'_>, var: Term, part: Term) -> Option<()> {
        let t = scope.terms;
        let (comparison, negated) = match (t.op(part), t.args(part)) {
            (Op::Not, &[inner]) => (inner, true),
            _ => (part, false),
        };
        let &[left, right] = t.args(comparison) else {
            return None;
        };
        if !t.sort(left).is_arithmetic() {
            return None;
        }
        let difference = t.sub(left, right);
        let (coefficients, _) = t.linear(difference);
        let mut factor = None;
        for (base, coefficient) in coefficients {
            if base == var {
                factor = Some(coefficient);
            } else if scope.mentions(base, var) {
                return None;
            }
        }
        let factor = factor?;
        let strict = match (t.op(comparison), negated) {
            (Op::Le, false) => false,
            (Op::Lt, false) => true,
            // Excludes one value.
            (Op::Eq, true) => {
                self.exceptions = true;
                return Some(());
            }
            _ => return None,
        };
        // factor * var + rest <= 0
        let sort = t.sort(var).clone();
        let own = t.mul(&[t.number(factor.clone(), &sort)?, var]);
        let rest = t.sub(difference, own);
        let (bound, side) = if factor.is_positive() {
            (t.neg(rest), &mut self.upper)
        } else {
            (rest, &mut self.lower)
        };
        side.push(Bound {
            factor: factor.abs(),
            bound,
            strict,
        });
        Some(())
    }

    /// What the bounds say about everything else (Fourier-Motzkin); `None` if that is more than
    /// comparisons can say, or too much.
    fn combined(self, scope: &Scope<'_>, sort: &Sort) -> Option<Vec<Term>> {
        let t = scope.terms;
        if self.lower.is_empty() || self.upper.is_empty() {
            return Some(Vec::new());
        }
        let before = self.lower.len() + self.upper.len();
        if self.exceptions || self.lower.len() * self.upper.len() > before + GROWTH {
            return None;
        }
        let integers = *sort == Sort::Int;
        let mut all = Vec::new();
        for low in &self.lower {
            for high in &self.upper {
                // Between integers that are multiples there need not be another multiple.
                if integers && !low.factor.is_one() && !high.factor.is_one() {
                    return None;
                }
                let (smaller, larger) = (
                    t.mul(&[t.number(high.factor.clone(), sort)?, low.bound]),
                    t.mul(&[t.number(low.factor.clone(), sort)?, high.bound]),
                );
                all.push(if integers {
                    // p < a x is p + 1 <= a x.
                    let one = |bound: &Bound, other: &Bound| match bound.strict {
                        true => other.factor.clone(),
                        false => BigRational::from_integer(BigInt::from(0)),
                    };
                    let gap = one(low, high) + one(high, low);
                    t.le(t.add(&[smaller, t.number(gap, sort)?]), larger)
                } else if low.strict || high.strict {
                    t.lt(smaller, larger)
                } else {
                    t.le(smaller, larger)
                });
            }
        }
        Some(all)
    }
}
