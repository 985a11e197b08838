//! The formula of a path, cut into steps.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::limits;
use ult_core::formula::{Sort, Term, Terms, Version};
use ult_core::graph::{EdgeId, ProgramGraph};
use ult_smt::{Answer, Session};

/// A path of a labelled program graph as a sequence of formulas in static single assignment
/// form: an edge that does not change a variable does not rename it.
///
/// `steps[i]` is the conjunction of the label of node `i` and the formula of edge `i` (and, for
/// the last step, the label of the last node). Between `steps[i]` and `steps[i + 1]` lies
/// `cuts[i]`.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The steps; their conjunction is the path formula.
    pub steps: Vec<Term>,
    /// The cuts; one fewer than steps.
    pub cuts: Vec<Cut>,
    /// For every position `0 ..= steps.len()`, the index of the instance that holds the value of
    /// each variable there; variables not listed have index 0.
    instances: Vec<HashMap<std::sync::Arc<str>, u32>>,
    /// The conjuncts of steps that only labels of nodes contribute.
    labels: HashSet<Term>,
}

/// So many labels are tried to be left out of a core.
const MOST_LABELS: usize = 24;

/// The boundary between two steps.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The instances that occur on both sides: what an interpolant may speak about.
    pub live: Vec<Term>,
    /// From those instances to the program variables.
    pub state: HashMap<Term, Term>,
}

impl Chain {
    /// The chain of a path along `edges`, where `labels[i]` is the state formula of the node
    /// before edge `i` (so there is one more label than edges).
    pub fn new(terms: &Terms, graph: &ProgramGraph, edges: &[EdgeId], labels: &[Term]) -> Chain {
        let mut instance: HashMap<std::sync::Arc<str>, u32> = HashMap::new();
        let mut instances = vec![instance.clone()];
        let mut steps = Vec::new();
        let mut from_labels: HashSet<Term> = HashSet::new();
        let mut from_edges: HashSet<Term> = HashSet::new();
        let state = |instance: &HashMap<_, u32>, formula: Term| {
            terms.with_versions(formula, |var| match var.version {
                Version::Current => Version::At(*instance.get(&var.name).unwrap_or(&0)),
                other => other,
            })
        };
        for (i, &edge) in edges.iter().enumerate() {
            let transition = &graph.graph[edge].transition;
            let position = u32::try_from(i).expect("paths are shorter than 2^32");
            let label = state(&instance, labels[i]);
            let step = terms.with_versions(transition.formula, |var| match var.version {
                Version::Current => Version::At(*instance.get(&var.name).unwrap_or(&0)),
                Version::Next => Version::At(position + 1),
                Version::Aux(number) => Version::AuxAt(position, number),
                other => other,
            });
            for name in &transition.changed {
                instance.insert(name.clone(), position + 1);
            }
            instances.push(instance.clone());
            from_labels.extend(terms.conjuncts(label));
            from_edges.extend(terms.conjuncts(step));
            steps.push(terms.and2(label, step));
        }
        if let (Some(last), Some(&label)) = (steps.last_mut(), labels.last()) {
            let label = state(&instance, label);
            from_labels.extend(terms.conjuncts(label));
            *last = terms.and2(*last, label);
        }
        from_labels.retain(|part| !from_edges.contains(part));
        let mut chain = Chain {
            steps,
            cuts: Vec::new(),
            instances,
            labels: from_labels,
        };
        chain.find_cuts(terms);
        chain
    }

    /// The chain with other steps in place of these, which must not mention more than these do.
    pub(super) fn with_steps(&self, terms: &Terms, steps: Vec<Term>) -> Chain {
        let mut chain = self.clone();
        chain.steps = steps;
        chain.find_cuts(terms);
        chain
    }

    /// Computes the live instances of every cut.
    fn find_cuts(&mut self, terms: &Terms) {
        let occurring: Vec<Vec<Term>> = self
            .steps
            .iter()
            .map(|&step| terms.free_vars(&[step]))
            .collect();
        let mut last_use: HashMap<Term, usize> = HashMap::new();
        for (i, vars) in occurring.iter().enumerate() {
            for &var in vars {
                last_use.insert(var, i);
            }
        }
        let mut before: BTreeSet<Term> = BTreeSet::new();
        self.cuts.clear();
        let inner = self.steps.len().saturating_sub(1);
        for (i, vars) in occurring.iter().enumerate().take(inner) {
            before.extend(vars);
            // Instances that were renamed or are not used again are of no interest further on.
            before.retain(|var| last_use.get(var).is_some_and(|&last| last > i));
            let instances = &self.instances[i + 1];
            let mut live = Vec::new();
            let mut state = HashMap::new();
            for &term in &before {
                let Some(var) = terms.as_var(term) else {
                    continue;
                };
                let Version::At(at) = var.version else {
                    continue;
                };
                if *instances.get(&var.name).unwrap_or(&0) == at {
                    live.push(term);
                    state.insert(
                        term,
                        terms.current(var.name.clone(), terms.sort(term).clone()),
                    );
                }
            }
            self.cuts.push(Cut { live, state });
        }
    }

    /// A chain of other formulas along the same path. The cuts' live instances may be others, too.
    pub(super) fn translated(&self, steps: Vec<Term>, cuts: Vec<Cut>) -> Chain {
        Chain {
            steps,
            cuts,
            instances: self.instances.clone(),
            labels: self.labels.clone(),
        }
    }

    /// The term that holds the value of a program variable at a position of the path.
    pub fn instance(
        &self,
        terms: &Terms,
        position: usize,
        name: &std::sync::Arc<str>,
        sort: &Sort,
    ) -> Term {
        let at = *self.instances[position].get(name).unwrap_or(&0);
        terms.var(name.clone(), Version::At(at), sort.clone())
    }

    /// The auxiliaries of a step, by the number they have in the edge's formula.
    pub fn auxiliaries(&self, terms: &Terms, step: usize) -> Vec<(u32, Term)> {
        terms
            .free_vars(&[self.steps[step]])
            .into_iter()
            .filter_map(|term| match terms.as_var(term)?.version {
                Version::AuxAt(_, number) => Some((number, term)),
                _ => None,
            })
            .collect()
    }

    /// Interpolants over instances as state formulas.
    pub fn to_states(&self, terms: &Terms, interpolants: &[Term]) -> Vec<Term> {
        self.cuts
            .iter()
            .zip(interpolants)
            .map(|(cut, &interpolant)| terms.substitute(interpolant, &cut.state))
            .collect()
    }

    /// Whether a bit-vector occurs.
    pub fn has_bit_vectors(&self, terms: &Terms) -> bool {
        terms
            .post_order(&self.steps)
            .into_iter()
            .any(|t| matches!(terms.sort(t), Sort::BitVec(_)))
    }

    /// The chain without the top-level conjuncts that an unsatisfiable core of the whole does not
    /// need: interpolants of what is left are interpolants of the chain, and more general. The
    /// chain itself, where no core is found quickly.
    ///
    /// The core is one of the shortest infeasible suffix of the chain: in a loop the last rounds
    /// are often infeasible for a reason that holds in every round, where a core of the whole
    /// path may count rounds from the start. Of the labels it has as few as possible, since they
    /// are what earlier refinements found, not what the program says.
    pub fn relevant(&self, session: &Session<'_>) -> Chain {
        let terms = session.terms();
        let parts: Vec<Vec<Term>> = self.steps.iter().map(|&s| terms.conjuncts(s)).collect();
        let assumptions: Vec<Term> = parts.iter().flatten().copied().collect();
        let mut solver = session.brief_solver();
        let limit = Some(limits::CORE);
        if !matches!(solver.check(&assumptions, limit), Answer::Unsat) {
            return self.clone();
        }
        let mut core = solver.core();
        // From step `from` on the path is infeasible, from step `to` on not (or not quickly).
        let (mut from, mut to) = (0, parts.len());
        while to - from > 1 {
            let middle = (from + to) / 2;
            let suffix: Vec<Term> = parts[middle..].iter().flatten().copied().collect();
            if matches!(solver.check(&suffix, limit), Answer::Unsat) {
                core = solver.core();
                from = middle;
            } else {
                to = middle;
            }
        }
        let mut suffix: indexmap::IndexSet<Term> =
            parts[from..].iter().flatten().copied().collect();
        let mut kept: HashSet<Term> = HashSet::new();
        for _ in 0..MOST_LABELS {
            let is_open = |part: &&Term| self.labels.contains(*part) && !kept.contains(*part);
            let Some(&label) = core.iter().find(is_open) else {
                break;
            };
            suffix.shift_remove(&label);
            let rest: Vec<Term> = suffix.iter().copied().collect();
            if matches!(solver.check(&rest, limit), Answer::Unsat) {
                core = solver.core();
            } else {
                kept.insert(label);
                suffix.insert(label);
            }
        }
        let core: HashSet<Term> = core.into_iter().collect();
        let steps = parts
            .into_iter()
            .enumerate()
            .map(|(i, mut parts)| {
                parts.retain(|part| i >= from && core.contains(part));
                terms.and(parts)
            })
            .collect();
        self.with_steps(terms, steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ult_core::control::Control;
    use ult_core::graph::{Edge, Location, LocationId, Transition};

    #[test]
    fn what_is_relevant_is_at_the_end_and_in_the_program() {
        let t = Terms::new();
        let mut graph = ProgramGraph::new("count");
        graph.variables.insert("x".into(), Sort::Int);
        let (x, x2) = (t.current("x", Sort::Int), t.next("x", Sort::Int));
        let head = graph.graph.add_node(Location::named("head"));
        let mut edge = |from, formula, changes: bool| {
            let changed = changes.then(|| "x".into()).into_iter().collect();
            let transition = Transition { formula, changed };
            let origin = None;
            graph
                .graph
                .add_edge(from, head, Edge::new(transition, origin))
        };
        let start = edge(LocationId::new(0), t.eq(x2, t.int(0)), true);
        let up = t.eq(x2, t.add(&[x, t.int(1)]));
        let round = edge(head, t.and2(t.lt(x, t.int(100)), up), true);
        let end = edge(head, t.lt(t.int(100), x), false);
        let edges = [start, round, round, round, end];
        // The labels count rounds.
        let label = |i: i64| t.le(x, t.int(i - 1));
        let labels = [t.tt(), label(1), label(2), label(3), t.tt(), t.tt()];
        let chain = Chain::new(&t, &graph, &edges, &labels);
        let session = Session::new(&t, &[], &Control::unlimited());
        let relevant = chain.relevant(&session);
        assert_eq!(relevant.steps[..3], [t.tt(); 3]);
        assert!(relevant.cuts[..3].iter().all(|cut| cut.live.is_empty()));
        let at = |i| t.with_versions(x, |_| Version::At(i));
        assert!(
            t.conjuncts(relevant.steps[3])
                .contains(&t.lt(at(3), t.int(100)))
        );
        assert!(
            !t.conjuncts(relevant.steps[3])
                .contains(&t.le(at(3), t.int(2)))
        );
        assert_eq!(relevant.steps[4], chain.steps[4]);
    }
}
