//! What comparisons say about one linear form, alone and together.

use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::{One, Signed};

use super::linear::to_coprime;
use super::sort::Sort;
use super::term::{Op, Term, Terms};

/// How a number compares to a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// `<=`
    AtMost,
    /// `<`
    Below,
    /// `>=`
    AtLeast,
    /// `>`
    Above,
    /// `==`
    Equal,
    /// `!=`
    Different,
}

impl Relation {
    /// What holds if this does not.
    pub fn negated(self) -> Relation {
        match self {
            Relation::AtMost => Relation::Above,
            Relation::Below => Relation::AtLeast,
            Relation::AtLeast => Relation::Below,
            Relation::Above => Relation::AtMost,
            Relation::Equal => Relation::Different,
            Relation::Different => Relation::Equal,
        }
    }

    /// What holds of the numbers with opposite signs.
    fn mirrored(self) -> Relation {
        match self {
            Relation::AtMost => Relation::AtLeast,
            Relation::Below => Relation::Above,
            Relation::AtLeast => Relation::AtMost,
            Relation::Above => Relation::Below,
            Relation::Equal | Relation::Different => self,
        }
    }
}

/// A comparison of a linear form without constant with a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// A sum with coprime integer coefficients, the first one positive: forms that are multiples
    /// of each other are the same term.
    pub form: Term,
    /// How it compares.
    pub relation: Relation,
    /// With what.
    pub value: BigRational,
}

impl Terms {
    /// What a comparison of numbers, or the negation of one, says; `None` for other formulas.
    pub fn as_bound(&self, literal: Term) -> Option<Bound> {
        let (comparison, negated) = match self.op(literal) {
            Op::Not => (self.args(literal)[0], true),
            _ => (literal, false),
        };
        let relation = match self.op(comparison) {
            Op::Le => Relation::AtMost,
            Op::Lt => Relation::Below,
            Op::Eq => Relation::Equal,
            _ => return None,
        };
        let &[left, right] = self.args(comparison) else {
            return None;
        };
        let sort = self.sort(left).clone();
        if !sort.is_arithmetic() {
            return None;
        }
        let (coefficients, constant) = self.linear(self.sub(left, right));
        let leading = &coefficients.first()?.1;
        let mut scale = to_coprime(&coefficients);
        let mut relation = relation;
        if leading.is_negative() {
            scale = -scale;
            relation = relation.mirrored();
        }
        let mut parts = Vec::with_capacity(coefficients.len());
        for (base, a) in coefficients {
            let factor = self.number(a * &scale, &sort)?;
            parts.push(self.mul(&[factor, base]));
        }
        Some(Bound {
            form: self.add(&parts),
            relation: if negated {
                relation.negated()
            } else {
                relation
            },
            value: -constant * scale,
        })
    }

    /// The comparison of a linear form with a number, in normal form.
    pub fn bound(&self, form: Term, relation: Relation, value: &BigRational) -> Term {
        let sort = self.sort(form).clone();
        // Of an integer, a fraction is a limit as good as the next integer.
        let value = match (&sort, relation) {
            (Sort::Int, Relation::AtMost | Relation::Above) => value.floor(),
            (Sort::Int, Relation::Below | Relation::AtLeast) => value.ceil(),
            _ => value.clone(),
        };
        let Some(limit) = self.number(value, &sort) else {
            return self.bool(relation == Relation::Different);
        };
        match relation {
            Relation::AtMost => self.comparison(self.le(form, limit)),
            Relation::Below => self.comparison(self.lt(form, limit)),
            Relation::AtLeast => self.comparison(self.le(limit, form)),
            Relation::Above => self.comparison(self.lt(limit, form)),
            Relation::Equal => self.comparison(self.eq(form, limit)),
            Relation::Different => self.not(self.comparison(self.eq(form, limit))),
        }
    }
}

/// The end of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
struct End {
    value: BigRational,
    /// Whether the value itself is outside.
    open: bool,
}

/// The values that a linear form can have if several bounds hold: an interval without some points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    integers: bool,
    lower: Option<End>,
    upper: Option<End>,
    /// Within the interval, and none of its ends.
    holes: BTreeSet<BigRational>,
    empty: bool,
}

impl Range {
    /// All values of a sort, integers or reals.
    pub fn all(sort: &Sort) -> Range {
        Range {
            integers: *sort == Sort::Int,
            lower: None,
            upper: None,
            holes: BTreeSet::new(),
            empty: false,
        }
    }

    /// Leaves only the values for which the bound holds.
    pub fn meet(&mut self, relation: Relation, value: &BigRational) {
        match relation {
            Relation::AtMost => self.meet_upper(value, false),
            Relation::Below => self.meet_upper(value, true),
            Relation::AtLeast => self.meet_lower(value, false),
            Relation::Above => self.meet_lower(value, true),
            Relation::Equal => {
                self.meet_lower(value, false);
                self.meet_upper(value, false);
            }
            Relation::Different => {
                if !self.integers || value.is_integer() {
                    self.holes.insert(value.clone());
                }
            }
        }
        self.tighten();
    }

    fn meet_upper(&mut self, value: &BigRational, open: bool) {
        let end = if !self.integers {
            End {
                value: value.clone(),
                open,
            }
        } else if open {
            closed(value.ceil() - BigRational::one())
        } else {
            closed(value.floor())
        };
        let better = self
            .upper
            .as_ref()
            .is_none_or(|old| end.value < old.value || (end.value == old.value && end.open));
        if better {
            self.upper = Some(end);
        }
    }

    fn meet_lower(&mut self, value: &BigRational, open: bool) {
        let end = if !self.integers {
            End {
                value: value.clone(),
                open,
            }
        } else if open {
            closed(value.floor() + BigRational::one())
        } else {
            closed(value.ceil())
        };
        let better = self
            .lower
            .as_ref()
            .is_none_or(|old| end.value > old.value || (end.value == old.value && end.open));
        if better {
            self.lower = Some(end);
        }
    }

    /// Moves the ends away from holes, and drops holes outside.
    fn tighten(&mut self) {
        let one = BigRational::one();
        if let Some(lower) = &mut self.lower {
            while let Some(first) = self.holes.first() {
                if *first > lower.value {
                    break;
                }
                if *first == lower.value {
                    if self.integers {
                        lower.value += &one;
                    } else {
                        lower.open = true;
                    }
                }
                self.holes.pop_first();
            }
        }
        if let Some(upper) = &mut self.upper {
            while let Some(last) = self.holes.last() {
                if *last < upper.value {
                    break;
                }
                if *last == upper.value {
                    if self.integers {
                        upper.value -= &one;
                    } else {
                        upper.open = true;
                    }
                }
                self.holes.pop_last();
            }
        }
        if let (Some(lower), Some(upper)) = (&self.lower, &self.upper) {
            self.empty |= lower.value > upper.value
                || (lower.value == upper.value && (lower.open || upper.open));
        }
    }

    /// Whether no value is left.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// Whether the bound holds for all values that are left.
    pub fn implies(&self, relation: Relation, value: &BigRational) -> bool {
        if self.empty {
            return true;
        }
        let hole = relation == Relation::Different
            && (self.holes.contains(value) || (self.integers && !value.is_integer()));
        // Holes say nothing more: next to a limit within the interval there are always values,
        // since no end is a hole.
        let mut rest = Range {
            integers: self.integers,
            lower: self.lower.clone(),
            upper: self.upper.clone(),
            holes: BTreeSet::new(),
            empty: false,
        };
        rest.meet(relation.negated(), value);
        hole || rest.is_empty()
    }

    /// Whether all values that are left here are left there as well.
    pub fn within(&self, other: &Range) -> bool {
        self.empty
            || (!other.empty
                && other
                    .bounds()
                    .iter()
                    .all(|(relation, value)| self.implies(*relation, value)))
    }

    /// Bounds that say the same of a range that is not empty: none is implied by the others.
    pub fn bounds(&self) -> Vec<(Relation, BigRational)> {
        if let (Some(lower), Some(upper)) = (&self.lower, &self.upper)
            && lower.value == upper.value
        {
            return vec![(Relation::Equal, lower.value.clone())];
        }
        let mut bounds = Vec::new();
        if let Some(end) = &self.lower {
            let relation = if end.open {
                Relation::Above
            } else {
                Relation::AtLeast
            };
            bounds.push((relation, end.value.clone()));
        }
        if let Some(end) = &self.upper {
            let relation = if end.open {
                Relation::Below
            } else {
                Relation::AtMost
            };
            bounds.push((relation, end.value.clone()));
        }
        let holes = self.holes.iter();
        bounds.extend(holes.map(|hole| (Relation::Different, hole.clone())));
        bounds
    }
}

fn closed(value: BigRational) -> End {
    End { value, open: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: i64, d: i64) -> BigRational {
        BigRational::new(n.into(), d.into())
    }

    const ALL: [Relation; 6] = [
        Relation::AtMost,
        Relation::Below,
        Relation::AtLeast,
        Relation::Above,
        Relation::Equal,
        Relation::Different,
    ];

    fn holds(x: &BigRational, relation: Relation, value: &BigRational) -> bool {
        match relation {
            Relation::AtMost => x <= value,
            Relation::Below => x < value,
            Relation::AtLeast => x >= value,
            Relation::Above => x > value,
            Relation::Equal => x == value,
            Relation::Different => x != value,
        }
    }

    /// All triples of bounds with small limits, fractions included, against all values around.
    #[test]
    fn ranges_have_the_values_that_satisfy_their_bounds() {
        for sort in [Sort::Int, Sort::Real] {
            let step = if sort == Sort::Int { 2 } else { 1 };
            let values: Vec<BigRational> = (-4..=8).step_by(step).map(|n| number(n, 2)).collect();
            let limits: Vec<BigRational> = (0..=4).map(|n| number(n, 2)).collect();
            let bounds: Vec<(Relation, &BigRational)> = ALL
                .into_iter()
                .flat_map(|relation| limits.iter().map(move |limit| (relation, limit)))
                .collect();
            for a in &bounds {
                for b in &bounds {
                    for c in &bounds {
                        let mut range = Range::all(&sort);
                        for (relation, limit) in [a, b, c] {
                            range.meet(*relation, limit);
                        }
                        let inside: Vec<&BigRational> = values
                            .iter()
                            .filter(|x| [a, b, c].iter().all(|(r, limit)| holds(x, *r, limit)))
                            .collect();
                        assert!(!range.is_empty() || inside.is_empty(), "{a:?} {b:?} {c:?}");
                        for relation in ALL {
                            for limit in &limits {
                                let all = inside.iter().all(|x| holds(x, relation, limit));
                                let implied = range.implies(relation, limit);
                                // Between the values tried there are other reals.
                                assert!(all || !implied);
                                assert!(implied || !all || sort == Sort::Real);
                            }
                        }
                        if !range.is_empty() {
                            let said = range.bounds();
                            assert!(said.len() <= 3);
                            let again: Vec<&BigRational> = values
                                .iter()
                                .filter(|x| said.iter().all(|(r, limit)| holds(x, *r, limit)))
                                .collect();
                            assert_eq!(inside, again, "{a:?} {b:?} {c:?}: {said:?}");
                        }
                        // All integers that could be meant are among the values.
                        if sort == Sort::Int {
                            assert_eq!(range.is_empty(), inside.is_empty());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn multiples_have_one_form() {
        let t = Terms::new();
        let [x, y] = ["x", "y"].map(|n| t.current(n, Sort::Int));
        let twice = t.mul(&[t.int(2), t.sub(x, y)]);
        let first = t.as_bound(t.le(twice, t.int(5))).unwrap();
        let second = t.as_bound(t.not(t.eq(t.sub(y, x), t.int(3)))).unwrap();
        assert_eq!(first.form, second.form);
        assert_eq!(
            (first.relation, first.value),
            (Relation::AtMost, number(5, 2))
        );
        assert_eq!(
            (second.relation, &second.value),
            (Relation::Different, &number(-3, 1))
        );
        let shown = |relation| t.display(t.bound(first.form, relation, &number(5, 2)));
        let all: Vec<String> = ALL.into_iter().map(shown).collect();
        assert_eq!(
            all,
            [
                "x <= y + 2",
                "x <= y + 2",
                "y + 3 <= x",
                "y + 3 <= x",
                "false",
                "true"
            ]
        );
        assert_eq!(t.as_bound(t.current("p", Sort::Bool)), None);
    }
}
