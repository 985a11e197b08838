//! Which axioms matter to a graph.
//!
//! An axiom matters if it is about a symbol that an edge uses, or that another axiom which matters is about. (Boogie calls
//! this pruning. Its axioms with triggers matter only if the symbols of a trigger do; here whatever is written in an
//! axiom counts, so that nothing is lost: see below.) Axioms are taken apart where they are conjunctions.
//!
//! The rest has no symbol in common with the edges and with the axioms that matter. So if it has a model at all, a
//! meaning of its symbols can be added to any meaning of the others, and it can be left out of every question. What both
//! sides may share is an uninterpreted sort. A formula that compares elements of a sort, or speaks of maps over it, may say how
//! many elements there are; so such a sort counts as a symbol of the axiom.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Edge, ProgramGraph};
use crate::formula::{Function, Op, Sort, Term, Terms};

/// The axioms of a graph, taken apart where they are conjunctions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relevance {
    /// Those that matter to the edges, in their order; and those about no symbol at all.
    pub near: Vec<Term>,
    /// The others.
    pub far: Vec<Term>,
}

/// What a formula can be about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Function(Arc<Function>),
    Sort(Arc<str>),
}

impl ProgramGraph {
    /// Which axioms matter to the edges, and which do not.
    pub fn relevance(&self, terms: &Terms) -> Relevance {
        let axioms: Vec<Term> = (self.axioms.iter())
            .flat_map(|&axiom| terms.conjuncts(axiom))
            .collect();
        if axioms.is_empty() {
            return Relevance::default();
        }
        let subjects: Vec<BTreeSet<Subject>> =
            axioms.iter().map(|&axiom| of_axiom(terms, axiom)).collect();
        let mut about: BTreeMap<&Subject, Vec<usize>> = BTreeMap::new();
        let mut is_near = vec![false; axioms.len()];
        for (number, subjects) in subjects.iter().enumerate() {
            is_near[number] = subjects.is_empty();
            for subject in subjects {
                about.entry(subject).or_default().push(number);
            }
        }
        let used = self.used(terms);
        let mut waiting: Vec<&Subject> = used.iter().collect();
        while let Some(subject) = waiting.pop() {
            for number in about.remove(subject).unwrap_or_default() {
                if !std::mem::replace(&mut is_near[number], true) {
                    waiting.extend(&subjects[number]);
                }
            }
        }
        let mut relevance = Relevance::default();
        for (axiom, is_near) in axioms.into_iter().zip(is_near) {
            match is_near {
                true => relevance.near.push(axiom),
                false => relevance.far.push(axiom),
            }
        }
        relevance
    }

    /// All symbols of the edges, and all sorts of what stands there.
    fn used(&self, terms: &Terms) -> BTreeSet<Subject> {
        let mut used = BTreeSet::new();
        let edges = self.graph.edge_weights();
        let formulas: Vec<Term> = edges.flat_map(Edge::terms).collect();
        for term in terms.post_order(&formulas) {
            uninterpreted(terms.sort(term), &mut used);
            match terms.op(term) {
                Op::Apply(function) => {
                    used.insert(Subject::Function(function.clone()));
                }
                Op::Bind(binder) => {
                    let sorts = binder.vars.iter().map(|&var| terms.sort(var));
                    sorts.for_each(|sort| uninterpreted(sort, &mut used));
                }
                _ => {}
            }
        }
        used
    }
}

/// What an axiom is about.
fn of_axiom(terms: &Terms, axiom: Term) -> BTreeSet<Subject> {
    let mut subjects = BTreeSet::new();
    let counted = |sort: &Sort, subjects: &mut BTreeSet<Subject>| {
        if sort.has_maps() {
            uninterpreted(sort, subjects);
        }
    };
    for term in terms.post_order(&[axiom]) {
        counted(terms.sort(term), &mut subjects);
        match terms.op(term) {
            Op::Apply(function) => {
                subjects.insert(Subject::Function(function.clone()));
            }
            Op::Eq | Op::Distinct => {
                let sorts = terms.args(term).iter().map(|&arg| terms.sort(arg));
                sorts.for_each(|sort| uninterpreted(sort, &mut subjects));
            }
            Op::Bind(binder) => {
                let sorts = binder.vars.iter().map(|&var| terms.sort(var));
                sorts.for_each(|sort| counted(sort, &mut subjects));
            }
            _ => {}
        }
    }
    subjects
}

/// The uninterpreted sorts in a sort.
fn uninterpreted(sort: &Sort, found: &mut BTreeSet<Subject>) {
    found.extend(sort.parts().filter_map(|part| match part {
        Sort::Uninterpreted(name) => Some(Subject::Sort(name.clone())),
        _ => None,
    }));
}
