//! Symbolic execution of single edges: what the variables are in terms of the values at the cut
//! point.

use std::collections::{HashMap, HashSet};

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::back::EdgeBack;
use crate::effect::{Effect, Use, Vars};
use crate::liveness::Liveness;
use ult_core::formula::{Op, Term, Terms, Version};
use ult_core::graph::analysis::target;
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::persistent::Vector;

/// For each variable, by number, its value as a term over the values at the cut point and
/// auxiliaries.
pub(super) type Environment = Vector<Term>;

/// Values with more nodes than this, written out as a tree, get a name: so repeated assignments
/// like `x := x * x` neither make terms grow without bound nor cost more than linear time.
const NAMED_FROM: u32 = 100;

/// Executes edges.
pub(super) struct Symbolic<'a> {
    pub terms: &'a Terms,
    pub graph: &'a ProgramGraph,
    pub vars: &'a Vars,
    pub effects: &'a [Effect],
    pub liveness: &'a Liveness,
    pub fresh: Fresh<'a>,
    /// What the way back has to know about each edge of each region, by cut point and edge.
    pub edges: FxHashMap<(LocationId, EdgeId), EdgeBack>,
    start: Environment,
    weights: Weights<'a>,
    used_aux: HashSet<u32>,
    irrelevant: HashMap<usize, Term>,
}

impl<'a> Symbolic<'a> {
    pub(super) fn new(
        terms: &'a Terms,
        graph: &'a ProgramGraph,
        vars: &'a Vars,
        effects: &'a [Effect],
        liveness: &'a Liveness,
    ) -> Symbolic<'a> {
        let aux = effects.iter().flat_map(|effect| &effect.aux);
        let taken = aux.filter_map(|&aux| aux_number(terms, aux)).collect();
        Symbolic {
            terms,
            graph,
            vars,
            effects,
            liveness,
            fresh: Fresh { terms, taken },
            edges: FxHashMap::default(),
            start: Environment::from_slice(vars.all_current(), terms.tt()),
            weights: Weights {
                terms,
                known: HashMap::new(),
            },
            used_aux: HashSet::new(),
            irrelevant: HashMap::new(),
        }
    }

    /// The environment at a cut point.
    pub(super) fn start(&self) -> Environment {
        self.start.clone()
    }

    /// Executes an edge in the region of a cut point: under which condition it can be passed, and the environment after it.
    ///
    /// An assignment becomes a change of the environment. Any other change gets a fresh auxiliary
    /// for the new value, and the conjuncts about it go into the condition.
    pub(super) fn pass(
        &mut self,
        cut: LocationId,
        edge: EdgeId,
        mut environment: Environment,
    ) -> (Term, Environment) {
        let effect = &self.effects[edge.index()];
        let after = target(self.graph, edge);
        let mut back = EdgeBack::default();
        let renamed = self.rename_aux(effect, &mut back);
        let mut conditions = Vec::new();
        let mut values: HashMap<usize, Term> = HashMap::new();
        for assigned in &effect.assigned {
            let var = assigned.var;
            let value = if assigned.pinned || self.liveness.is_live(after, var) {
                let value = self.resolve(assigned.value, &environment, &values, &renamed);
                if self.weights.of(value) > NAMED_FROM {
                    let name = self.fresh.aux(self.vars, var);
                    conditions.push(self.terms.eq(name, value));
                    name
                } else {
                    value
                }
            } else {
                self.irrelevant(var)
            };
            values.insert(var, value);
        }
        for &var in &effect.free {
            let value = if effect.is_constrained(var) || self.liveness.is_live(after, var) {
                let aux = self.fresh.aux(self.vars, var);
                back.free.push((var, aux));
                aux
            } else {
                self.irrelevant(var)
            };
            values.insert(var, value);
        }
        for &conjunct in &effect.rest {
            conditions.push(self.resolve(conjunct, &environment, &values, &renamed));
        }
        for var in effect.changed() {
            environment.set(var, values[&var]);
        }
        self.edges.insert((cut, edge), back);
        (self.terms.and(conditions), environment)
    }

    /// Merges the environments of the edges into a location. The variables with different values
    /// get a fresh auxiliary if they are live there; the result says which one equals what on
    /// which edge.
    pub(super) fn join(
        &mut self,
        location: LocationId,
        environments: &[Environment],
    ) -> (Environment, Vec<Vec<Term>>) {
        let mut equations = vec![Vec::new(); environments.len()];
        let mut merged = environments[0].clone();
        for var in self.differing(environments) {
            if self.liveness.is_live(location, var) {
                let phi = self.fresh.aux(self.vars, var);
                merged.set(var, phi);
                for (equations, environment) in equations.iter_mut().zip(environments) {
                    equations.push(self.terms.eq(phi, environment.get(var)));
                }
            } else {
                merged.set(var, self.irrelevant(var));
            }
        }
        (merged, equations)
    }

    /// The variables whose values differ between environments, in order.
    pub(super) fn differing(&self, environments: &[Environment]) -> Vec<usize> {
        let Some((first, others)) = environments.split_first() else {
            return Vec::new();
        };
        let mut vars: Vec<usize> = others
            .iter()
            .flat_map(|other| first.differences(other))
            .collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// A value that nothing mentions, for a variable that is not live.
    fn irrelevant(&mut self, var: usize) -> Term {
        let (fresh, vars) = (&mut self.fresh, self.vars);
        *self
            .irrelevant
            .entry(var)
            .or_insert_with(|| fresh.aux(vars, var))
    }

    /// Each auxiliary stands for one edge only: a number that an earlier edge used gets replaced.
    fn rename_aux(&mut self, effect: &Effect, back: &mut EdgeBack) -> HashMap<Term, Term> {
        let mut renamed = HashMap::new();
        for &aux in &effect.aux {
            let Some(number) = aux_number(self.terms, aux) else {
                continue;
            };
            let mut new = aux;
            if !self.used_aux.insert(number) {
                new = self.fresh.like(aux);
                renamed.insert(aux, new);
            }
            back.aux.push((aux, new));
        }
        renamed
    }

    /// A formula of an edge over the values at the cut point.
    fn resolve(
        &self,
        formula: Term,
        before: &Environment,
        after: &HashMap<usize, Term>,
        renamed: &HashMap<Term, Term>,
    ) -> Term {
        self.terms
            .rewrite(formula, |term| match self.vars.which(self.terms, term)? {
                Use::Current(var) => Some(before.get(var)),
                Use::Next(var) => after.get(&var).copied(),
                Use::Aux(_) => renamed.get(&term).copied(),
            })
    }
}

/// The number of an auxiliary.
pub(super) fn aux_number(terms: &Terms, term: Term) -> Option<u32> {
    match terms.as_var(term)?.version {
        Version::Aux(number) => Some(number),
        _ => None,
    }
}

/// Makes auxiliaries with numbers that the graph does not use.
pub(super) struct Fresh<'a> {
    terms: &'a Terms,
    taken: HashSet<u32>,
}

impl Fresh<'_> {
    /// An auxiliary for a value of a variable.
    pub(super) fn aux(&mut self, vars: &Vars, var: usize) -> Term {
        self.like(vars.current(var))
    }

    /// An auxiliary with name and sort of a variable or auxiliary.
    fn like(&mut self, variable: Term) -> Term {
        let name = self.terms.as_var(variable).map(|var| var.name.clone());
        loop {
            let number = self.terms.fresh_number();
            if self.taken.insert(number) {
                let sort = self.terms.sort(variable).clone();
                let name = name.unwrap_or_else(|| "aux".into());
                return self.terms.var(name, Version::Aux(number), sort);
            }
        }
    }
}

/// The sizes of terms as trees.
struct Weights<'a> {
    terms: &'a Terms,
    known: HashMap<Term, u32>,
}

impl Weights<'_> {
    fn of(&mut self, root: Term) -> u32 {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.known.contains_key(&term) {
                continue;
            }
            let node = self.terms.node(term);
            if ready || node.args.is_empty() {
                let own = match &node.op {
                    Op::Int(value) => number_weight(value),
                    Op::Real(value) => {
                        number_weight(value.numer()).saturating_add(number_weight(value.denom()))
                    }
                    _ => 1,
                };
                let args = node.args.iter().map(|arg| self.known[arg]);
                let weight = args.fold(own, u32::saturating_add);
                self.known.insert(term, weight);
            } else {
                stack.push((term, true));
                stack.extend(node.args.iter().map(|&arg| (arg, false)));
            }
        }
        self.known[&root]
    }
}

/// A number counts by its length in machine words.
fn number_weight(value: &BigInt) -> u32 {
    u32::try_from(value.bits() / 64).map_or(u32::MAX, |words| words.saturating_add(1))
}
