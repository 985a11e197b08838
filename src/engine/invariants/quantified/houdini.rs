//! The largest inductive set of candidates, and what of it a proof needs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use petgraph::Direction;
use petgraph::visit::{DfsPostOrder, EdgeRef as _, Walker as _};

use super::Quantified;
use super::instances::{accesses, instances, replaced_all};
use crate::blocks::Blocks;
use crate::budget::Budget;
use crate::invariants::Lemmas;
use crate::limits;
use ult_core::formula::{Sort, Term, Value};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_smt::Answer;

/// Candidates at locations, and the questions about them.
pub struct Houdini<'b, 's, 't> {
    blocks: &'b mut Blocks<'s, 't>,
    known: &'b Lemmas,
    budget: Budget<'s>,
    /// The arbitrary cells that questions are about.
    cells: Vec<Term>,
    alive: Candidates,
}

/// Candidates at locations.
pub type Candidates = BTreeMap<LocationId, Vec<Quantified>>;

/// What is assumed before a step, or shown after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// A formula known beforehand.
    Lemmas(Term),
    /// The candidate of this number.
    Quantified(usize),
}

/// A fact at a location.
pub(super) type Item = (LocationId, Fact);

impl<'b, 's, 't> Houdini<'b, 's, 't> {
    /// The given candidates, but those about no cells: whose range is empty according to `known`.
    pub fn new(
        blocks: &'b mut Blocks<'s, 't>,
        known: &'b Lemmas,
        candidates: Candidates,
        budget: Budget<'s>,
    ) -> Houdini<'b, 's, 't> {
        let terms = blocks.session.terms();
        let most = candidates.values().flatten().map(|about| about.bound.len());
        let cells = 0..most.max().unwrap_or_default();
        let cells: Vec<Term> = cells.map(|_| terms.fresh_aux("k", Sort::Int)).collect();
        let graph = blocks.graph;
        let mut alive = candidates;
        for location in graph.graph.node_indices() {
            if location == graph.initial || graph.graph[location].error.is_some() {
                alive.remove(&location);
                continue;
            }
            let mut solver = blocks.session.solver();
            for &formula in known.get(&location).into_iter().flatten() {
                // Without it less is known; that is all.
                let _ = solver.assert(formula);
            }
            let mut is_empty: HashMap<Term, bool> = HashMap::new();
            alive.entry(location).or_default().retain(|about| {
                !*is_empty.entry(about.range).or_insert_with(|| {
                    let range = replaced_all(terms, about.range, &about.bound, &cells);
                    solver.check(&[range], Some(limits::GROUP)) == Answer::Unsat
                })
            });
        }
        Houdini {
            blocks,
            known,
            budget,
            cells,
            alive,
        }
    }

    /// The candidates that are left.
    pub fn left(&self) -> &Candidates {
        &self.alive
    }

    /// Drops candidates until those left are inductive under what is known. `None` if the time
    /// passed first.
    ///
    /// Edges come in the order in which runs take them, and a loop is settled before what comes
    /// after it: the fewer candidates are assumed, the quicker the answers.
    pub fn settle(&mut self) -> Option<()> {
        let graph = self.blocks.graph;
        let mut edges: Vec<(EdgeId, LocationId, LocationId)> = Vec::new();
        let mut order: Vec<LocationId> = DfsPostOrder::new(&graph.graph, graph.initial)
            .iter(&graph.graph)
            .collect();
        order.reverse();
        for target in order {
            if self.alive.contains_key(&target) {
                let into = graph.graph.edges_directed(target, Direction::Incoming);
                edges.extend(into.map(|edge| (edge.id(), edge.source(), target)));
            }
        }
        let mut waiting: BTreeSet<usize> = (0..edges.len()).collect();
        while let Some(next) = waiting.pop_first() {
            let (edge, _, target) = edges[next];
            let lost = self.violated(edge, target)?;
            if lost.is_empty() {
                continue;
            }
            let mut number = 0;
            self.alive.get_mut(&target)?.retain(|_| {
                number += 1;
                !lost.contains(&(number - 1))
            });
            let out = (0..edges.len()).filter(|&other| edges[other].1 == target);
            waiting.extend(out);
        }
        Some(())
    }

    /// The candidates at the end of an edge that need not hold after it, or of which that is not
    /// known.
    fn violated(&mut self, edge: EdgeId, target: LocationId) -> Option<BTreeSet<usize>> {
        let about = self.alive[&target].clone();
        let assumed = self.assumed(edge, &about);
        let assumed: Vec<Term> = assumed.into_iter().map(|(_, formula)| formula).collect();
        let fails = about.iter().map(|about| self.fails_after(edge, about));
        let group: Vec<(usize, Term)> = fails.enumerate().collect();
        let mut lost = BTreeSet::new();
        self.sift(edge, &assumed, group, &mut lost)?;
        Some(lost)
    }

    /// Adds the numbers of those of a group that may fail after a step to `lost`.
    fn sift(
        &mut self,
        edge: EdgeId,
        assumed: &[Term],
        mut group: Vec<(usize, Term)>,
        lost: &mut BTreeSet<usize>,
    ) -> Option<()> {
        let terms = self.blocks.session.terms();
        while !group.is_empty() {
            self.blocks.session.control().check().ok()?;
            let left = self.budget.left()?;
            let mut question = assumed.to_vec();
            question.push(terms.or(group.iter().map(|&(_, fails)| fails)));
            let solver = self.blocks.solver(edge)?;
            match solver.check(&question, Some(left.min(limits::GROUP))) {
                Answer::Unsat => return Some(()),
                Answer::Sat => {
                    let model = solver.model().ok()?;
                    let before = group.len();
                    group.retain(|&(number, fails)| {
                        let holds = matches!(model.value(fails), Ok(Value::Bool(false)));
                        if !holds {
                            lost.insert(number);
                        }
                        holds
                    });
                    if group.len() == before {
                        return None;
                    }
                }
                Answer::Unknown(_) if group.len() == 1 => {
                    lost.extend(group.iter().map(|&(number, _)| number));
                    return Some(());
                }
                Answer::Unknown(_) => {
                    let rest = group.split_off(group.len() / 2);
                    self.sift(edge, assumed, group, lost)?;
                    group = rest;
                }
            }
        }
        Some(())
    }

    /// That a formula about cells does not hold of the arbitrary one after a step.
    fn fails_after(&mut self, edge: EdgeId, about: &Quantified) -> Term {
        let terms = self.blocks.session.terms();
        let fails = terms.not(about.at(terms, &self.cells[..about.bound.len()]));
        self.blocks.after(edge, fails)
    }

    /// What is known before a step, and what the candidates there say of the cells that the step
    /// and the formulas about cells after it, `shown`, mention.
    fn assumed(&mut self, edge: EdgeId, shown: &[Quantified]) -> Vec<(Item, Term)> {
        let terms = self.blocks.session.terms();
        let graph = &self.blocks.graph.graph;
        let Some((source, _)) = graph.edge_endpoints(edge) else {
            return Vec::new();
        };
        let transition = &graph[edge].transition;
        let mut mentioned = accesses(terms, transition.formula);
        for about in shown {
            for own in &about.accesses {
                let own = own.iter().map(|&index| {
                    let index = replaced_all(terms, index, &about.bound, &self.cells);
                    transition.after(terms, index)
                });
                mentioned.insert(own.collect());
            }
        }
        let known = self.known.get(&source).into_iter().flatten();
        let known = known.map(|&formula| ((source, Fact::Lemmas(formula)), formula));
        let alive = self.alive.get(&source).into_iter().flatten().enumerate();
        let alive = alive.map(|(number, about)| {
            let instances = instances(terms, about, &mentioned, &self.cells);
            ((source, Fact::Quantified(number)), instances)
        });
        known.chain(alive).collect()
    }

    /// The graph with what the candidates left say of the cells that a step mentions as a part of the
    /// step: what holds of it without quantifiers holds of the graph itself, given the candidates.
    pub fn strengthened(&self) -> ProgramGraph {
        let terms = self.blocks.session.terms();
        let mut graph = self.blocks.graph.clone();
        for edge in graph.graph.edge_indices() {
            let Some((source, _)) = graph.graph.edge_endpoints(edge) else {
                continue;
            };
            let formula = graph.graph[edge].transition.formula;
            let mentioned = accesses(terms, formula);
            let alive = self.alive.get(&source).into_iter().flatten();
            let said = alive.map(|about| instances(terms, about, &mentioned, &[]));
            graph.graph[edge].transition.formula = terms.and([formula].into_iter().chain(said));
        }
        graph
    }

    /// The error locations that no step leads to, given what is left, and what each proof of that
    /// makes use of.
    pub fn excluded(&mut self) -> BTreeMap<LocationId, BTreeSet<Item>> {
        let graph = self.blocks.graph;
        let mut excluded = BTreeMap::new();
        'errors: for error in graph.errors() {
            let mut used = BTreeSet::new();
            for edge in graph.graph.edges_directed(error, Direction::Incoming) {
                match self.proof(edge.id(), &[], None) {
                    Some(items) => used.extend(items),
                    None => continue 'errors,
                }
            }
            if error != graph.initial {
                excluded.insert(error, used);
            }
        }
        excluded
    }

    /// What shows that a step is impossible, or that nothing after it makes `fails` true; `None`
    /// if nothing does.
    fn proof(
        &mut self,
        edge: EdgeId,
        shown: &[Quantified],
        fails: Option<Term>,
    ) -> Option<Vec<Item>> {
        let left = self.budget.left()?;
        let assumed = self.assumed(edge, shown);
        let mut question: Vec<Term> = assumed.iter().map(|&(_, formula)| formula).collect();
        question.extend(fails);
        let solver = self.blocks.solver(edge)?;
        if solver.check(&question, Some(left)) != Answer::Unsat {
            return None;
        }
        let core: BTreeSet<Term> = solver.core().into_iter().collect();
        let used = assumed.into_iter().filter(|(_, f)| core.contains(f));
        Some(used.map(|(item, _)| item).collect())
    }

    /// A set of invariants that contains those used and is inductive by itself.
    pub fn invariants(&mut self, used: BTreeSet<Item>) -> BTreeMap<LocationId, Term> {
        let terms = self.blocks.session.terms();
        self.budget = self.budget.at_most(limits::NEEDED_CELLS);
        let needed = self.closure(used).unwrap_or_else(|| {
            let known = self.known.iter();
            let known = known.flat_map(|(&l, all)| all.iter().map(move |&f| (l, Fact::Lemmas(f))));
            let alive = self.alive.iter();
            let alive =
                alive.flat_map(|(&l, all)| (0..all.len()).map(move |n| (l, Fact::Quantified(n))));
            known.chain(alive).collect()
        });
        let mut parts: BTreeMap<LocationId, Vec<Term>> = BTreeMap::new();
        for &location in self.alive.keys() {
            parts.insert(location, Vec::new());
        }
        for (location, item) in needed {
            let formula = match item {
                Fact::Lemmas(formula) => formula,
                Fact::Quantified(number) => self.alive[&location][number].formula(terms),
            };
            parts.entry(location).or_default().push(formula);
        }
        let parts = parts.into_iter();
        parts.map(|(l, all)| (l, terms.and(all))).collect()
    }

    fn closure(&mut self, used: BTreeSet<Item>) -> Option<BTreeSet<Item>> {
        let terms = self.blocks.session.terms();
        let graph = self.blocks.graph;
        let mut work: Vec<Item> = used.iter().copied().collect();
        let mut found = used;
        while let Some((location, item)) = work.pop() {
            for edge in graph.graph.edges_directed(location, Direction::Incoming) {
                let (shown, fails) = match item {
                    Fact::Lemmas(formula) => {
                        let after = self.blocks.after(edge.id(), formula);
                        (Vec::new(), terms.not(after))
                    }
                    Fact::Quantified(number) => {
                        let about = self.alive[&location][number].clone();
                        let fails = self.fails_after(edge.id(), &about);
                        (vec![about], fails)
                    }
                };
                for item in self.proof(edge.id(), &shown, Some(fails))? {
                    if found.insert(item) {
                        work.push(item);
                    }
                }
            }
        }
        Some(found)
    }
}
