//! What of some inductive formulas it takes to exclude error locations.

use std::collections::BTreeSet;

use petgraph::Direction;
use petgraph::visit::EdgeRef as _;

use crate::blocks::Blocks;
use crate::budget::Budget;
use crate::invariants::Lemmas;
use crate::limits;
use crate::polynomials::Cases;
use ult_core::formula::{Op, Sort, Term};
use ult_core::graph::{EdgeId, LocationId};
use ult_smt::Answer;

/// A formula at a location.
pub(super) type Item = (LocationId, Term);

/// How much there is to a formula.
pub(super) type Rank<'r> = &'r dyn Fn(Term) -> (usize, usize, usize);

/// Questions about steps.
pub(super) struct Steps<'a, 's, 't> {
    blocks: &'a mut Blocks<'s, 't>,
    budget: Budget<'s>,
    rank: Rank<'a>,
    cases: Cases,
}

impl<'a, 's, 't> Steps<'a, 's, 't> {
    pub(super) fn new(blocks: &'a mut Blocks<'s, 't>, budget: Budget<'s>, rank: Rank<'a>) -> Self {
        Steps {
            blocks,
            budget,
            rank,
            cases: Cases::default(),
        }
    }

    /// Formulas that exclude all error locations within a step; `None` if not all of them are.
    pub(super) fn excluding(&mut self, known: &Lemmas) -> Option<BTreeSet<Item>> {
        let graph = self.blocks.graph;
        let mut used = BTreeSet::new();
        for error in graph.errors() {
            for edge in graph.graph.edges_directed(error, Direction::Incoming) {
                let source = edge.source();
                let before = known.get(&source).map_or(&[][..], |all| all);
                let core = self.short_core(edge.id(), before, None)?;
                used.extend(core.into_iter().map(|formula| (source, formula)));
            }
        }
        Some(used)
    }

    /// What it takes to show that some formulas hold, and what it takes for that, and so on.
    pub(super) fn closure(
        &mut self,
        known: &Lemmas,
        used: BTreeSet<Item>,
    ) -> Option<BTreeSet<Item>> {
        let graph = self.blocks.graph;
        let mut waiting: Vec<Item> = used.iter().copied().collect();
        let mut found = used;
        while let Some((location, formula)) = waiting.pop() {
            for edge in graph.graph.edges_directed(location, Direction::Incoming) {
                let source = edge.source();
                let before = known.get(&source).map_or(&[][..], |all| all);
                for used in self.short_core(edge.id(), before, Some(formula))? {
                    if found.insert((source, used)) {
                        waiting.push((source, used));
                    }
                }
            }
        }
        Some(found)
    }

    /// Fewer of them that do as well. When the time is over, what there is then.
    pub(super) fn smallest(&mut self, enough: BTreeSet<Item>) -> Lemmas {
        let mut kept = enough;
        let mut order: Vec<Item> = kept.iter().copied().collect();
        order.sort_by_key(|&(location, formula)| {
            std::cmp::Reverse(((self.rank)(formula), location))
        });
        for item in order {
            if self.budget.left().is_none() {
                break;
            }
            if kept.contains(&item)
                && let Some(fewer) = self.without(&kept, item)
            {
                kept = fewer;
            }
        }
        by_location(&kept)
    }

    /// What is inductive of the others, if it still excludes the error locations.
    fn without(&mut self, all: &BTreeSet<Item>, item: Item) -> Option<BTreeSet<Item>> {
        let graph = self.blocks.graph;
        let mut left = all.clone();
        left.remove(&item);
        let mut gone = vec![item.0];
        self.excluding(&by_location(&left))?;
        while let Some(location) = gone.pop() {
            for edge in graph.graph.edges_directed(location, Direction::Outgoing) {
                let known = by_location(&left);
                let [before, after] =
                    [location, edge.target()].map(|at| known.get(&at).cloned().unwrap_or_default());
                let lost = self.lost(edge.id(), &before, &after);
                if !lost.is_empty() {
                    for formula in lost {
                        left.remove(&(edge.target(), formula));
                    }
                    self.excluding(&by_location(&left))?;
                    gone.push(edge.target());
                }
            }
        }
        Some(left)
    }

    /// The largest subset of some formulas that is inductive with what is known (Houdini), as far as the solver says so. A
    /// formula that is too hard for it does not keep others from being found.
    pub(super) fn inductive(&mut self, known: &Lemmas, candidates: &Lemmas) -> Lemmas {
        let graph = self.blocks.graph;
        let mut alive = candidates.clone();
        let mut stable = false;
        while !stable {
            stable = true;
            for edge in graph.graph.edge_references() {
                let after = alive.get(&edge.target()).cloned().unwrap_or_default();
                let all = [known, &alive].into_iter();
                let before = all.filter_map(|facts| facts.get(&edge.source()));
                let before: Vec<Term> = before.flatten().copied().collect();
                let lost = self.lost(edge.id(), &before, &after);
                if !lost.is_empty() {
                    let all = alive.entry(edge.target()).or_default();
                    all.retain(|formula| !lost.contains(formula));
                    stable = false;
                }
            }
        }
        alive
    }

    /// Those of the formulas that are not shown to hold after a step.
    fn lost(&mut self, edge: EdgeId, before: &[Term], after: &[Term]) -> Vec<Term> {
        let terms = self.blocks.session.terms();
        if after.is_empty() {
            return Vec::new();
        }
        if self
            .core(edge, before, Some(terms.and(after.iter().copied())))
            .is_some()
        {
            return Vec::new();
        }
        let is_lost = |&formula: &Term| self.core(edge, before, Some(formula)).is_none();
        after.iter().copied().filter(is_lost).collect()
    }

    /// What of the formulas before a step it takes to show that a formula holds after it, or that it is impossible; `None` if
    /// that was not shown.
    fn core(&mut self, edge: EdgeId, before: &[Term], goal: Option<Term>) -> Option<Vec<Term>> {
        let terms = self.blocks.session.terms();
        let left = self.budget.left()?;
        let after = goal.map(|formula| self.blocks.after(edge, formula));
        let fails = after.map(|after| terms.not(after));
        let question: Vec<Term> = before.iter().copied().chain(fails).collect();
        let solver = self.blocks.solver(edge)?;
        if solver.check(&question, Some(left.min(limits::MINIMIZE_QUESTION))) == Answer::Unsat {
            let core = solver.core().into_iter();
            return Some(core.filter(|formula| before.contains(formula)).collect());
        }
        // By algebra, from the equalities.
        let is_equality = |formula: &Term| match (terms.op(*formula), terms.args(*formula)) {
            (Op::Eq, [left, _]) => *terms.sort(*left) == Sort::Int,
            _ => false,
        };
        let after = after.filter(is_equality)?;
        let equalities = before
            .iter()
            .copied()
            .filter(is_equality)
            .collect::<Vec<_>>();
        let follows = self.cases.follow(self.blocks, edge, &equalities, after);
        follows.then_some(equalities)
    }

    /// The same with as little as possible in each formula: those in which there is less come first.
    fn short_core(
        &mut self,
        edge: EdgeId,
        before: &[Term],
        goal: Option<Term>,
    ) -> Option<Vec<Term>> {
        let mut sorted: Vec<Term> = before.to_vec();
        sorted.sort_by_key(|&formula| (self.rank)(formula));
        let parts = |number: usize| (self.rank)(sorted[number]).0;
        let shorter = (1..sorted.len()).filter(|&end| parts(end - 1) < parts(end));
        let ends: Vec<usize> = shorter.chain([sorted.len()]).collect();
        ends.into_iter()
            .find_map(|end| self.core(edge, &sorted[..end], goal))
    }
}

fn by_location(items: &BTreeSet<Item>) -> Lemmas {
    let mut known = Lemmas::new();
    for &(location, formula) in items {
        known.entry(location).or_default().push(formula);
    }
    known
}
