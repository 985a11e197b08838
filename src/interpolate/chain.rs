//! The formula of a path, cut into steps.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

use crate::formula::{Sort, Term, Terms, Version};
use crate::graph::{EdgeId, ProgramGraph};
use crate::solver::{Answer, Session};

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
}

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
            steps.push(terms.and2(label, step));
        }
        if let (Some(last), Some(&label)) = (steps.last_mut(), labels.last()) {
            *last = terms.and2(*last, state(&instance, label));
        }
        let mut chain = Chain {
            steps,
            cuts: Vec::new(),
            instances,
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
    pub fn relevant(&self, session: &Session<'_>) -> Chain {
        let terms = session.terms();
        let parts: Vec<Vec<Term>> = self.steps.iter().map(|&s| terms.conjuncts(s)).collect();
        let assumptions: Vec<Term> = parts.iter().flatten().copied().collect();
        let mut solver = session.brief_solver();
        let limit = Some(Duration::from_secs(2));
        if !matches!(solver.check(&assumptions, limit), Answer::Unsat) {
            return self.clone();
        }
        let core: HashSet<Term> = solver.core().into_iter().collect();
        let steps = parts
            .into_iter()
            .map(|parts| terms.and(parts.into_iter().filter(|part| core.contains(part))))
            .collect();
        self.with_steps(terms, steps)
    }
}
