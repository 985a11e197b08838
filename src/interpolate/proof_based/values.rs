//! What terms are worth, as far as the theory knows now.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::affine::{Affine, Normal};
use super::atoms::{Atom, Atoms};
use super::bits;
use super::clause::Lit;
use super::equality::Equality;
use super::number::{Delta, Rational};
use super::simplex::{Column, Simplex};
use ult_core::formula::{Op, Sort, Term};

/// Which numbers count as equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// Those that are equal by the equations that hold now, whatever else is chosen.
    Entailed,
    /// Those that have the same value in the current model of the arithmetic.
    Model,
}

/// A lower and an upper bound.
type Range = (Option<Delta>, Option<Delta>);

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    /// A number: a normal form modulo equations, or a constant.
    Number(Normal),
    /// A truth value.
    Truth(bool),
    /// The bits of a bit-vector.
    Word(Vec<bool>),
    /// The class of a value of another sort.
    Class(Term),
    /// A formula or number that is not looked into.
    Unknown(Term),
    /// A truth value that nobody depends on.
    Free(Term),
}

/// The values of one moment. They do not change when the simplex is asked further questions.
pub(super) struct Values {
    which: Numbers,
    affine: Affine,
    /// By normal forms without constant whose first factor is 1: between which numbers they are.
    ranges: HashMap<Vec<(Column, Rational)>, Range>,
    model: HashMap<Column, Delta>,
    truths: HashMap<Term, bool>,
    /// The literals that are true, if bit-vectors are looked into.
    bits: HashSet<Lit>,
    /// What was asked for.
    known: RefCell<HashMap<Term, Value>>,
}

impl Values {
    /// The values by the literals that are asserted.
    pub(super) fn new(which: Numbers, atoms: &Atoms<'_>, asserted: &[Lit]) -> Values {
        let (mut affine, mut model) = (Affine::default(), HashMap::new());
        let mut ranges = HashMap::new();
        match which {
            Numbers::Entailed => {
                affine = Affine::of_bounds(&atoms.simplex);
                ranges = ranges_of(&affine, &atoms.simplex);
            }
            Numbers::Model => {
                for (_, column) in atoms.columns() {
                    model.insert(column, atoms.simplex.value(column).clone());
                }
            }
        }
        let truths = asserted
            .iter()
            .filter_map(|lit| match atoms.atom(lit.var()) {
                Atom::Opaque(term) => Some((*term, lit.is_positive())),
                _ => None,
            })
            .collect();
        let is_bit = |lit: &&Lit| matches!(atoms.atom(lit.var()), Atom::Bit(_));
        let bits = asserted.iter().filter(is_bit).copied().collect();
        Values {
            which,
            affine,
            ranges,
            model,
            truths,
            bits,
            known: RefCell::default(),
        }
    }

    /// The value of a term.
    pub(super) fn of(&self, atoms: &Atoms<'_>, equality: &Equality, term: Term) -> Value {
        if let Some(value) = self.known.borrow().get(&term) {
            return value.clone();
        }
        let value = self.compute(atoms, equality, term);
        self.known.borrow_mut().insert(term, value.clone());
        value
    }

    fn compute(&self, atoms: &Atoms<'_>, equality: &Equality, term: Term) -> Value {
        let terms = atoms.terms;
        match terms.sort(term) {
            Sort::Int | Sort::Real => self.number(atoms, term),
            Sort::Bool => match (terms.op(term), terms.args(term)) {
                (Op::Bool(value), _) => Value::Truth(*value),
                (Op::Not, &[arg]) => match self.of(atoms, equality, arg) {
                    Value::Truth(value) => Value::Truth(!value),
                    Value::Free(_) => Value::Free(term),
                    _ => Value::Unknown(term),
                },
                _ if self.truths.contains_key(&term) => Value::Truth(self.truths[&term]),
                (Op::And | Op::Or | Op::Ite | Op::Eq | Op::Distinct | Op::Le | Op::Lt, _) => {
                    Value::Unknown(term)
                }
                _ => Value::Free(term),
            },
            Sort::BitVec(width) if atoms.has_bits && self.which == Numbers::Model => {
                let bits = 0..*width;
                let bit = |i| bits::value(atoms, term, i, |lit| self.bits.contains(&lit));
                Value::Word(bits.map(bit).collect())
            }
            _ => Value::Class(equality.class(term)),
        }
    }

    fn number(&self, atoms: &Atoms<'_>, term: Term) -> Value {
        let Some(linear) = atoms.known_linear(term) else {
            return Value::Unknown(term);
        };
        let constant = Delta::from(linear.constant);
        let factors: Vec<_> = linear.factors.into_iter().collect();
        Value::Number(match self.which {
            Numbers::Entailed => self.affine.normal(&factors, constant),
            Numbers::Model => {
                let mut sum = constant;
                for (column, factor) in &factors {
                    match self.model.get(column) {
                        Some(value) => sum.add_scaled(factor, value),
                        None => return Value::Unknown(term),
                    }
                }
                (Vec::new(), sum)
            }
        })
    }

    /// Whether two values are different, whatever else is chosen (or in the model).
    pub(super) fn apart(&self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Number((left, x)), Value::Number((right, y))) if left == right => x != y,
            (Value::Number(left), Value::Number(right)) => self.differ_by_range(left, right),
            (Value::Truth(x), Value::Truth(y)) => x != y,
            _ => self.which == Numbers::Model && a != b,
        }
    }

    /// Whether the bounds of one column keep two numbers apart.
    fn differ_by_range(&self, left: &Normal, right: &Normal) -> bool {
        let negative = right.0.iter().map(|(column, factor)| (*column, -factor));
        let factors: Vec<_> = left.0.iter().cloned().chain(negative).collect();
        let (factors, constant) = self.affine.normal(&factors, &left.1 - &right.1);
        let Some((direction, scale)) = direction(factors) else {
            return !constant.is_zero();
        };
        let Some((lower, upper)) = self.ranges.get(&direction) else {
            return false;
        };
        // The difference is zero where the direction has this value.
        let zero = constant.scaled(&-scale.recip());
        lower.as_ref().is_some_and(|lower| *lower > zero)
            || upper.as_ref().is_some_and(|upper| *upper < zero)
    }
}

/// The factors divided by the first one, and that.
fn direction(mut factors: Vec<(Column, Rational)>) -> Option<(Vec<(Column, Rational)>, Rational)> {
    let scale = factors.first()?.1.clone();
    for (_, factor) in &mut factors {
        *factor = &*factor / &scale;
    }
    Some((factors, scale))
}

/// The bounds of all columns, modulo equations.
fn ranges_of(affine: &Affine, simplex: &Simplex) -> HashMap<Vec<(Column, Rational)>, Range> {
    let mut ranges: HashMap<_, Range> = HashMap::new();
    for column in simplex.columns() {
        let (lower, upper) = simplex.bounds(column);
        if lower.is_none() && upper.is_none() {
            continue;
        }
        let (factors, constant) = affine.normal(simplex.combination(column), Delta::ZERO);
        let Some((direction, scale)) = direction(factors) else {
            continue;
        };
        let moved = |bound: &Delta| (bound - &constant).scaled(&scale.recip());
        let mut low = lower.map(|(bound, _)| moved(bound));
        let mut high = upper.map(|(bound, _)| moved(bound));
        if scale.is_negative() {
            std::mem::swap(&mut low, &mut high);
        }
        let range = ranges.entry(direction).or_default();
        if low.is_some() && (range.0.is_none() || low > range.0) {
            range.0 = low;
        }
        if high.is_some() && (range.1.is_none() || high < range.1) {
            range.1 = high;
        }
    }
    ranges
}

impl Value {
    /// Whether two terms with these values still have to be made equal.
    pub(super) fn differs(&self, other: &Value) -> bool {
        !matches!((self, other), (Value::Free(_), _) | (_, Value::Free(_))) && self != other
    }
}
