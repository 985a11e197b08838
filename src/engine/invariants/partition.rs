//! Disjunctions: states are divided by the values of some terms, and each part has an element of
//! its own.
//!
//! Divided by control variables (those with few values) or by the conditions of a loop, even
//! intervals can tell the phases of a program apart.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use num_rational::BigRational;

use super::fixpoint::Domain;
use super::intervals::{constant, number};
use ult_core::formula::{Sort, Term, Terms, Value};

/// More parts than this cost more than they bring.
const MOST_PARTS: usize = 24;

/// More values than this are no small set.
const MOST_VALUES: usize = 6;

/// An element for each combination of values of some terms.
#[derive(Clone, Debug)]
pub struct Parts<D> {
    keys: Rc<[(Term, Sort)]>,
    empty: D,
    parts: BTreeMap<Vec<BigRational>, D>,
}

impl<D: Domain> Parts<D> {
    /// No point yet. The keys have scalar sorts.
    pub fn new(terms: &Terms, keys: &[Term], empty: D) -> Parts<D> {
        let keys = keys.iter().map(|&key| (key, terms.sort(key).clone()));
        Parts {
            keys: keys.collect(),
            empty,
            parts: BTreeMap::new(),
        }
    }
}

impl<D: Domain> Domain for Parts<D> {
    fn watched_terms(&self) -> Vec<Term> {
        let keys = self.keys.iter().map(|&(key, _)| key);
        keys.chain(self.empty.watched_terms()).collect()
    }

    fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// What all parts say, and the disjunction of the parts.
    fn formulas(&self, terms: &Terms) -> Vec<Term> {
        let mut common: Option<BTreeSet<Term>> = None;
        let mut parts = Vec::new();
        for (values, part) in &self.parts {
            let keys = self
                .keys
                .iter()
                .zip(values)
                .filter_map(|((key, sort), v)| Some(terms.eq(*key, constant(terms, v, sort)?)));
            let own = part.formulas(terms);
            common = Some(match common {
                None => own.iter().copied().collect(),
                Some(common) => own.iter().copied().filter(|f| common.contains(f)).collect(),
            });
            parts.push((terms.and(keys), own));
        }
        let common = common.unwrap_or_default();
        let parts = terms.or(parts.into_iter().map(|(keys, own)| {
            let own = own.into_iter().filter(|f| !common.contains(f));
            terms.and([keys].into_iter().chain(own))
        }));
        let parts = Some(parts).filter(|&parts| parts != terms.tt());
        common.into_iter().chain(parts).collect()
    }

    fn add(&mut self, point: &[Value]) -> Option<()> {
        let (keys, rest) = point.split_at_checked(self.keys.len())?;
        let keys: Vec<BigRational> = keys.iter().map(number).collect::<Option<_>>()?;
        let part = self.parts.entry(keys);
        part.or_insert_with(|| self.empty.clone()).add(rest)?;
        (self.parts.len() <= MOST_PARTS).then_some(())
    }
}

/// Two domains at once.
#[derive(Clone, Debug)]
pub struct Both<A, B>(pub A, pub B);

impl<A: Domain, B: Domain> Domain for Both<A, B> {
    fn watched_terms(&self) -> Vec<Term> {
        [self.0.watched_terms(), self.1.watched_terms()].concat()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty() || self.1.is_empty()
    }

    fn formulas(&self, terms: &Terms) -> Vec<Term> {
        [self.0.formulas(terms), self.1.formulas(terms)].concat()
    }

    fn add(&mut self, point: &[Value]) -> Option<()> {
        let (first, second) = point.split_at_checked(self.0.watched_terms().len())?;
        self.0.add(first)?;
        self.1.add(second)
    }
}

/// For each watched term a small set of values, or anything.
#[derive(Clone, Debug)]
pub struct Sets {
    watched: Rc<[(Term, Sort)]>,
    /// `None` before the first point; inside, `None` is anything.
    sets: Option<Vec<Option<BTreeSet<BigRational>>>>,
}

impl Sets {
    /// No point yet. The watched terms have scalar sorts.
    pub fn new(terms: &Terms, watched: &[Term]) -> Sets {
        let watched = watched.iter().map(|&term| (term, terms.sort(term).clone()));
        Sets {
            watched: watched.collect(),
            sets: None,
        }
    }

    /// The watched terms that have few values here.
    pub fn small(&self) -> BTreeSet<Term> {
        let sets = self.sets.iter().flatten();
        let small = self
            .watched
            .iter()
            .zip(sets)
            .filter(|(_, set)| set.is_some());
        small.map(|((term, _), _)| *term).collect()
    }
}

impl Domain for Sets {
    fn watched_terms(&self) -> Vec<Term> {
        self.watched.iter().map(|&(term, _)| term).collect()
    }

    fn is_empty(&self) -> bool {
        self.sets.is_none()
    }

    fn formulas(&self, terms: &Terms) -> Vec<Term> {
        let sets = self.sets.iter().flatten();
        self.watched
            .iter()
            .zip(sets)
            .filter_map(|((term, sort), set)| {
                let values = set.as_ref()?.iter();
                let is = |value| Some(terms.eq(*term, constant(terms, value, sort)?));
                let is_one_of = terms.or(values.map(is).collect::<Option<Vec<_>>>()?);
                (is_one_of != terms.tt()).then_some(is_one_of)
            })
            .collect()
    }

    fn add(&mut self, point: &[Value]) -> Option<()> {
        let point: Vec<BigRational> = point.iter().map(number).collect::<Option<_>>()?;
        let first = || vec![Some(BTreeSet::new()); point.len()];
        let sets = self.sets.get_or_insert_with(first);
        for (set, value) in sets.iter_mut().zip(point) {
            if let Some(values) = set {
                values.insert(value);
                if values.len() > MOST_VALUES {
                    *set = None;
                }
            }
        }
        Some(())
    }
}
