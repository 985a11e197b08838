//! Between which bounds cells lie of which something holds.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexSet;
use num_traits::{One as _, Signed as _};
use petgraph::graph::EdgeIndex;
use petgraph::visit::EdgeRef as _;

use super::claims::{formulas, is_huge};
use crate::invariants::templates::{of_state, read_variables};
use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_core::graph::{ProgramGraph, Transition};

/// So many different variables that move are bounds at most.
const MOST_MOVING: usize = 8;

/// So many different terms that stay are bounds at most.
const MOST_STAYING: usize = 14;

/// What can bound cells in a program.
pub(super) struct Bounds<'a> {
    terms: &'a Terms,
    graph: &'a ProgramGraph,
    /// The variables that steps read.
    read: BTreeSet<Term>,
    /// Those that are written after the start.
    written: BTreeSet<Arc<str>>,
    /// What a variable that moves is compared with, if that stays.
    limits: BTreeMap<Term, IndexSet<Term>>,
    /// By edge, once somebody asked: the values that its variables have after it, over those before.
    values: RefCell<HashMap<EdgeIndex, Rc<HashMap<Term, Term>>>>,
}

/// What bounds one bound variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    /// The bound variable.
    pub bound: Term,
    /// What moves, the term that the bound variable stands for first.
    pub moving: Vec<Term>,
    /// What stays.
    pub staying: Vec<Term>,
    /// Terms over the bound variable that move as something else does.
    pub along: Vec<Term>,
}

impl<'a> Bounds<'a> {
    pub(super) fn of(terms: &'a Terms, graph: &'a ProgramGraph) -> Bounds<'a> {
        let after_start = graph
            .graph
            .edge_references()
            .filter(|edge| edge.source() != graph.initial);
        let written = after_start.flat_map(|edge| edge.weight().transition.changed.iter().cloned());
        let mut bounds = Bounds {
            terms,
            graph,
            read: read_variables(terms, graph).into_iter().collect(),
            written: written.collect(),
            limits: BTreeMap::new(),
            values: RefCell::default(),
        };
        for term in terms.post_order(&formulas(graph)) {
            if let (Op::Le | Op::Lt | Op::Eq, &[left, right]) = (terms.op(term), terms.args(term))
                && *terms.sort(left) == Sort::Int
                && let Some(difference) = of_state(terms, graph, terms.sub(left, right))
            {
                bounds.compare(difference);
            }
        }
        bounds
    }

    /// Enters what the variables in a difference that is compared with zero are compared with.
    fn compare(&mut self, difference: Term) {
        let terms = self.terms;
        let (parts, _) = terms.linear(difference);
        for (base, factor) in parts {
            if !self.moves(base) || !factor.abs().is_one() {
                continue;
            }
            let rest = terms.sub(difference, terms.mul(&[int(terms, &factor), base]));
            let limit = terms.mul(&[terms.neg(int(terms, &factor)), rest]);
            if self.stays(limit) {
                self.limits.entry(base).or_default().insert(limit);
            }
        }
    }

    /// Whether a term is a variable that steps write after the start.
    pub(super) fn moves(&self, term: Term) -> bool {
        let variable = self.terms.as_var(term);
        variable.is_some_and(|v| self.written.contains(&v.name)) && self.read.contains(&term)
    }

    /// Whether a term reads no cells and no variables that move, and is no limit of a type.
    fn stays(&self, term: Term) -> bool {
        let terms = self.terms;
        let parts = terms.post_order(&[term]);
        parts.into_iter().all(|part| match terms.op(part) {
            Op::Var(_) => !self.moves(part) && self.read.contains(&part),
            Op::Select | Op::Store | Op::Bind(_) => false,
            _ => !is_huge(terms, part),
        })
    }

    /// Bounds of a variable that stands for one that moves, or for a term over several.
    pub(super) fn axis(&self, bound: Term, term: Term, others: &IndexSet<Term>) -> Axis {
        let terms = self.terms;
        let (zero, one) = (terms.int(0), terms.int(1));
        let mut axis = Axis {
            bound,
            moving: Vec::new(),
            staying: vec![zero, one],
            along: Vec::new(),
        };
        self.widen(&mut axis, term);
        let mut moving: IndexSet<Term> = axis.moving.into_iter().collect();
        let mut staying: IndexSet<Term> = axis.staying.into_iter().collect();
        moving.extend(others.iter().copied().filter(|&other| self.moves(other)));
        for limit in others.iter().filter_map(|v| self.limits.get(v)).flatten() {
            staying.insert(*limit);
            staying.insert(terms.add(&[*limit, one]));
        }
        let fixed = others.iter().copied().filter(|&other| !self.moves(other));
        staying.extend(fixed.filter(|other| self.read.contains(other)));
        moving.truncate(MOST_MOVING);
        staying.truncate(MOST_STAYING);
        Axis {
            moving: moving.into_iter().collect(),
            staying: staying.into_iter().collect(),
            ..axis
        }
    }

    /// Adds a term to the bounds, with what it is before steps and at the limits.
    pub(super) fn widen(&self, axis: &mut Axis, term: Term) {
        let terms = self.terms;
        let variables = terms.free_vars(&[term]);
        if !variables.iter().any(|&variable| self.moves(variable)) {
            return;
        }
        axis.moving.push(term);
        if terms.as_var(term).is_none() {
            axis.moving.extend(self.computed_back(term));
            axis.staying.extend(self.at_limits(term));
        }
        for list in [&mut axis.moving, &mut axis.staying] {
            let unique: IndexSet<Term> = list.iter().copied().collect();
            *list = unique.into_iter().collect();
        }
        axis.moving.truncate(MOST_MOVING);
        axis.staying.truncate(MOST_STAYING);
    }

    /// The variables that bound cells: those given, and those that are compared with them.
    pub(super) fn compared(&self, variables: &IndexSet<Term>) -> IndexSet<Term> {
        let terms = self.terms;
        let mut found: IndexSet<Term> = variables.clone();
        for term in terms.post_order(&formulas(self.graph)) {
            if matches!(terms.op(term), Op::Le | Op::Lt) && !terms.has_binder(term) {
                let compared = terms.with_versions(term, |_| Version::Current);
                let compared = terms.free_vars(&[compared]);
                if compared.iter().any(|variable| variables.contains(variable)) {
                    let compared = compared.into_iter();
                    found.extend(compared.filter(|v| *terms.sort(*v) == Sort::Int));
                }
            }
        }
        found.retain(|variable| self.read.contains(variable));
        found
    }

    /// The values before steps that leave a location of those that the term has after them.
    fn computed_back(&self, term: Term) -> Vec<Term> {
        let variables = self.terms.free_vars(&[term]);
        let changes = |transition: &Transition| {
            let mut variables = variables.iter().filter_map(|v| self.terms.as_var(*v));
            variables.any(|variable| transition.changed.contains(&variable.name))
        };
        let edges = self.graph.graph.edge_references();
        let edges = edges.filter(|edge| edge.source() != edge.target());
        // What a step does not change is the term itself.
        edges
            .filter(|edge| changes(&edge.weight().transition))
            .filter_map(|edge| self.before(edge.id(), &edge.weight().transition, term))
            .filter(|&before| self.terms.as_number(before).is_none())
            .collect()
    }

    fn before(&self, edge: EdgeIndex, transition: &Transition, term: Term) -> Option<Term> {
        let terms = self.terms;
        let map = self.values_after(edge, transition);
        let before = terms.substitute(transition.after(terms, term), &map);
        let is_current = |variable: &Term| {
            let variable = terms.as_var(*variable);
            variable.is_some_and(|v| v.version == Version::Current)
        };
        terms
            .free_vars(&[before])
            .iter()
            .all(is_current)
            .then_some(before)
    }

    fn values_after(&self, edge: EdgeIndex, transition: &Transition) -> Rc<HashMap<Term, Term>> {
        if let Some(known) = self.values.borrow().get(&edge) {
            return known.clone();
        }
        let (definitions, _) = transition.definitions(self.terms);
        let values = definitions.into_iter().map(|d| {
            let after = self.terms.next(d.variable, Sort::Int);
            (after, d.value)
        });
        let values = Rc::new(values.collect());
        self.values.borrow_mut().insert(edge, Rc::clone(&values));
        values
    }

    /// The values of a term where the variables that move are at their limits.
    fn at_limits(&self, term: Term) -> Vec<Term> {
        let terms = self.terms;
        let one = terms.int(1);
        let mut found = vec![term];
        for variable in terms.free_vars(&[term]) {
            if !self.moves(variable) {
                continue;
            }
            let mut values = vec![terms.int(0)];
            for &limit in self.limits.get(&variable).into_iter().flatten() {
                values.extend([limit, terms.add(&[limit, one])]);
            }
            found = (found.iter())
                .flat_map(|&term| {
                    let replaced =
                        |&value: &Term| terms.substitute(term, &HashMap::from([(variable, value)]));
                    values.iter().map(replaced).collect::<Vec<Term>>()
                })
                .take(MOST_STAYING)
                .collect();
        }
        found
    }
}

fn int(terms: &Terms, number: &num_rational::BigRational) -> Term {
    terms.int(number.to_integer())
}

impl Axis {
    /// `low <= bound && bound < high`: from what stays to what moves, from what moves to what
    /// stays, and between either.
    pub(super) fn ranges(&self, terms: &Terms) -> IndexSet<Term> {
        let one = terms.int(1);
        let after = self.moving.iter().map(|&term| terms.add(&[term, one]));
        let starts: Vec<Term> = self.moving.iter().copied().chain(after).collect();
        let mut found = IndexSet::new();
        let ends = || self.moving.iter().chain(&self.staying).copied();
        let lows = || self.staying.iter().copied().chain(starts.iter().copied());
        for low in lows() {
            for high in ends() {
                found.extend(between(terms, low, self.bound, self.bound, high));
                for &along in &self.along {
                    found.extend(between(terms, low, self.bound, along, high));
                }
            }
        }
        found
    }

    /// Ranges from the lowest cell to something.
    pub(super) fn prefixes(&self, terms: &Terms, ends: &[Term]) -> IndexSet<Term> {
        let lows = self.staying.iter().copied().take(2);
        lows.flat_map(|low| ends.iter().map(move |&high| (low, high)))
            .filter_map(|(low, high)| between(terms, low, self.bound, self.bound, high))
            .collect()
    }
}

/// `low <= first && last < high`, unless that is empty in all states.
pub(super) fn between(
    terms: &Terms,
    low: Term,
    first: Term,
    last: Term,
    high: Term,
) -> Option<Term> {
    let (parts, length) = terms.linear(terms.sub(high, low));
    (first != last || !parts.is_empty() || length.is_positive())
        .then(|| terms.and2(terms.le(low, first), terms.lt(last, high)))
}
