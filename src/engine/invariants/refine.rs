//! More and more precise invariants, one domain after the other.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::Lemmas;
use super::affine::Spaces;
use super::fixpoint::{Domain, described, fixpoint};
use super::intervals::{Ranges, narrowed, numbers};
use super::partition::{Both, Parts, Sets};
use super::steady::steady;
use super::templates::{forms, phases, scalars};
use crate::blocks::Blocks;
use crate::budget::Budget;
use crate::limits;
use ult_core::formula::{Sort, Term};
use ult_smt::{Answer, Session};

/// Hands over more invariants, each inductive together with `known` and with those before it,
/// until nothing is left to be tried or the session is stopped.
pub(super) fn refine(blocks: &mut Blocks<'_, '_>, known: Lemmas, publish: &mut dyn FnMut(&Lemmas)) {
    let terms = blocks.session.terms();
    let graph = blocks.graph;
    let numbers = numbers(terms, graph);
    let scalars = scalars(terms, graph);
    let mut found = Found { known, publish };
    if scalars.is_empty() {
        return;
    }
    // Intervals.
    found.ranges(blocks, &Ranges::new(terms, &scalars, &numbers));
    // Small sets of values. Variables that have them everywhere control the program.
    let is_boolean = |term: &&Term| *terms.sort(**term) == Sort::Bool;
    let mut control: BTreeSet<Term> = scalars.iter().filter(is_boolean).copied().collect();
    let sets = Sets::new(terms, &scalars);
    if let Some(sets) = fixpoint(blocks, &found.known, &sets, budget()) {
        found.add(blocks.session, described(terms, &sets));
        let reached = sets.values().filter(|set| !set.is_empty());
        let small = reached.map(Sets::small).reduce(|a, b| &a & &b);
        control.extend(small.unwrap_or_default());
    }
    // Bounds of sums and differences, and of what loops leave as it is.
    let steady = steady(blocks, budget());
    let forms: IndexSet<Term> = forms(terms, graph).into_iter().chain(steady).collect();
    let forms: Vec<Term> = forms.into_iter().collect();
    if !forms.is_empty() {
        found.ranges(blocks, &Ranges::new(terms, &forms, &numbers));
    }
    // Disjunctions.
    let control: Vec<Term> = control.into_iter().collect();
    let phases = phases(terms, graph);
    let both = [phases.clone(), control.clone()].concat();
    let mut tried: Vec<Vec<Term>> = vec![Vec::new()];
    for keys in [phases, control, both] {
        if tried.contains(&keys) {
            continue;
        }
        for watched in [scalars.clone(), [scalars.clone(), forms.clone()].concat()] {
            let spaces = Spaces::new(terms, graph);
            let inner = Both(spaces, Ranges::new(terms, &watched, &numbers));
            found.elements(blocks, &Parts::new(terms, &keys, inner));
        }
        tried.push(keys);
    }
}

fn budget() -> Budget<'static> {
    Budget::new(limits::DOMAIN)
}

/// What is known so far, and who is told about it.
struct Found<'f> {
    known: Lemmas,
    publish: &'f mut dyn FnMut(&Lemmas),
}

impl Found<'_> {
    fn elements<D: Domain>(&mut self, blocks: &mut Blocks<'_, '_>, empty: &D) {
        if let Some(elements) = fixpoint(blocks, &self.known, empty, budget()) {
            let described = described(blocks.session.terms(), &elements);
            self.add(blocks.session, described);
        }
    }

    fn ranges(&mut self, blocks: &mut Blocks<'_, '_>, empty: &Ranges) {
        let budget = budget();
        if let Some(elements) = fixpoint(blocks, &self.known, empty, budget) {
            let narrowed = narrowed(blocks, &self.known, &elements, budget);
            self.add(blocks.session, narrowed);
        }
    }

    /// Publishes what does not follow from what is known.
    fn add(&mut self, session: &Session<'_>, found: Lemmas) {
        let terms = session.terms();
        let mut news = Lemmas::new();
        for (location, formulas) in found {
            let known = self.known.entry(location).or_default();
            if known.contains(&terms.ff()) {
                continue;
            }
            let mut solver = session.brief_solver();
            let understood = known.iter().all(|&formula| solver.assert(formula).is_ok());
            for formula in formulas {
                let is_old = known.contains(&formula)
                    || understood
                        && solver.check(&[terms.not(formula)], Some(limits::IMPLIED))
                            == Answer::Unsat;
                if !is_old {
                    known.push(formula);
                    news.entry(location).or_default().push(formula);
                }
            }
        }
        if !news.is_empty() && session.control().check().is_ok() {
            (self.publish)(&news);
        }
    }
}
