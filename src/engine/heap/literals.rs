//! What may be said of one object, in one comparison.

use std::sync::Arc;

use indexmap::IndexSet;
use num_rational::BigRational;

use super::shape::Shape;
use ult_core::formula::{Bound, Op, Range, Relation, Sort, Term, Terms};

/// More literals about one subject are not looked at.
const MOST_LITERALS: usize = 110;

/// So many variables that hold pointers, and so many others, are compared with.
const MOST_VARIABLES: usize = 8;

/// The variables that matter at a location.
pub(super) struct Scope<'a> {
    terms: &'a Terms,
    shape: &'a Shape,
    /// Variables that hold pointers.
    pub pointers: Vec<Term>,
    /// Other integer variables.
    scalars: Vec<(Arc<str>, Term)>,
    /// Variables that are true or false.
    flags: Vec<Term>,
    /// Maps from objects to pointers.
    links: Vec<Term>,
    /// Other maps.
    cells: Vec<(Arc<str>, Term)>,
}

impl<'a> Scope<'a> {
    /// Sorts the given variables.
    pub(super) fn new(
        terms: &'a Terms,
        shape: &'a Shape,
        variables: impl Iterator<Item = (&'a Arc<str>, &'a Sort)>,
    ) -> Scope<'a> {
        let mut scope = Scope {
            terms,
            shape,
            pointers: Vec::new(),
            scalars: Vec::new(),
            flags: Vec::new(),
            links: Vec::new(),
            cells: Vec::new(),
        };
        for (name, sort) in variables {
            let variable = terms.current(name.clone(), sort.clone());
            match sort {
                Sort::Int if *name == shape.counter => {}
                Sort::Int if shape.pointers.contains(name) => scope.pointers.push(variable),
                Sort::Int => scope.scalars.push((name.clone(), variable)),
                Sort::Bool => scope.flags.push(variable),
                Sort::Map(_) if shape.links.contains(name) => scope.links.push(variable),
                Sort::Map(_) if shape.cells.contains(name) => {
                    scope.cells.push((name.clone(), variable));
                }
                _ => {}
            }
        }
        scope.pointers.truncate(MOST_VARIABLES);
        scope.scalars.truncate(MOST_VARIABLES);
        scope
    }

    /// The variable that counts objects.
    pub(super) fn counter(&self) -> Term {
        self.terms.current(self.shape.counter.clone(), Sort::Int)
    }

    /// The number of the first object.
    pub(super) fn first(&self) -> Term {
        self.terms.int(self.shape.first.clone())
    }

    /// That a number is one of an object.
    pub(super) fn is_object(&self, subject: Term) -> Term {
        let terms = self.terms;
        terms.and2(
            terms.le(self.first(), subject),
            terms.lt(subject, self.counter()),
        )
    }

    /// What may be the case whatever object is spoken of.
    pub(super) fn of_state(&self) -> IndexSet<Term> {
        let terms = self.terms;
        let mut found = IndexSet::new();
        for (name, variable) in &self.scalars {
            self.compare_with_numbers(&mut found, name, *variable);
        }
        for &flag in &self.flags {
            found.extend([flag, terms.not(flag)]);
        }
        found.truncate(MOST_LITERALS / 4);
        found
    }

    /// How an object may be told from others: by where it stands.
    pub(super) fn standings(&self, subject: Term) -> IndexSet<Term> {
        let terms = self.terms;
        let mut found = IndexSet::new();
        let others = || self.pointers.iter().copied().filter(move |&p| p != subject);
        found.extend(others().map(|other| terms.eq(subject, other)));
        for &link in &self.links {
            let next = terms.select(link, &[subject]);
            found.insert(terms.eq(next, terms.int(0)));
            found.extend(others().map(|other| terms.eq(next, other)));
        }
        found.extend(others().map(|other| terms.lt(subject, other)));
        found.extend(others().map(|other| terms.lt(other, subject)));
        found.retain(|&literal| is_said(terms, literal));
        found
    }

    /// What may be the case for a subject, the number of an object or zero.
    pub(super) fn about(&self, subject: Term) -> IndexSet<Term> {
        let terms = self.terms;
        let zero = terms.int(0);
        let mut found = IndexSet::new();
        let others = || self.pointers.iter().copied().filter(move |&p| p != subject);
        if self.pointers.contains(&subject) {
            found.extend([terms.eq(subject, zero), terms.neq(subject, zero)]);
            found.insert(terms.lt(subject, self.counter()));
            found.insert(terms.le(self.first(), subject));
        }
        for other in others() {
            found.insert(terms.eq(subject, other));
        }
        for &link in &self.links {
            let next = terms.select(link, &[subject]);
            found.extend([terms.eq(next, zero), terms.neq(next, zero)]);
            found.insert(terms.lt(next, self.counter()));
            found.insert(terms.le(self.first(), next));
            for other in others() {
                found.insert(terms.eq(next, other));
            }
        }
        for (name, map) in &self.cells {
            let cell = terms.select(*map, &[subject]);
            self.about_cell(&mut found, name, cell);
        }
        for &link in &self.links {
            let next = terms.select(link, &[subject]);
            for (name, map) in &self.cells {
                let (own, cell) = (terms.select(*map, &[subject]), terms.select(*map, &[next]));
                self.about_cell(&mut found, name, cell);
                if *terms.sort(cell) == Sort::Int {
                    found.extend([terms.le(own, cell), terms.le(cell, own)]);
                }
            }
            let one = terms.int(1);
            found.insert(terms.eq(next, terms.add(&[subject, one])));
            found.extend([terms.lt(next, subject), terms.lt(subject, next)]);
        }
        for other in others() {
            found.extend([terms.lt(subject, other), terms.lt(other, subject)]);
        }
        found.truncate(MOST_LITERALS);
        found
    }

    fn about_cell(&self, found: &mut IndexSet<Term>, name: &str, cell: Term) {
        let terms = self.terms;
        match terms.sort(cell) {
            Sort::Bool => found.extend([cell, terms.not(cell)]),
            Sort::Int => {
                self.compare_with_numbers(found, name, cell);
                for (other, variable) in &self.scalars {
                    if self.shape.are_compared(name, other) {
                        found.extend([terms.le(cell, *variable), terms.le(*variable, cell)]);
                    }
                }
            }
            _ => {}
        }
    }

    fn compare_with_numbers(&self, found: &mut IndexSet<Term>, name: &str, value: Term) {
        let terms = self.terms;
        let (numbers, is_ordered) = self.shape.numbers(name);
        for number in numbers {
            let number = terms.int(number);
            found.extend([terms.eq(value, number), terms.neq(value, number)]);
            if is_ordered {
                found.extend([terms.le(value, number), terms.le(number, value)]);
            }
        }
    }
}

/// What one of two comparisons says besides the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Together {
    /// Neither says what the other does.
    Apart,
    /// One follows from the other.
    Nested,
    /// One of them always holds.
    Certain,
}

/// Compares two literals, as far as they are about one number.
pub(super) fn together(terms: &Terms, one: Term, other: Term) -> Together {
    if terms.not(one) == other {
        return Together::Certain;
    }
    let (Some(one), Some(other)) = (terms.as_bound(one), terms.as_bound(other)) else {
        return Together::Apart;
    };
    if one.form != other.form {
        return Together::Apart;
    }
    let implies = |relation: Relation, value: &BigRational, other: &Bound| {
        let mut range = Range::all(terms.sort(other.form));
        range.meet(relation, value);
        range.implies(other.relation, &other.value)
    };
    if implies(one.relation.negated(), &one.value, &other) {
        Together::Certain
    } else if implies(one.relation, &one.value, &other)
        || implies(other.relation, &other.value, &one)
    {
        Together::Nested
    } else {
        Together::Apart
    }
}

/// Whether a literal is about numbers at all, and not `true` or `false`.
pub(super) fn is_said(terms: &Terms, literal: Term) -> bool {
    !matches!(terms.op(literal), Op::Bool(_))
}
