//! Execution of single edges on concrete states, for the way back.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::effect::{Effect, Vars};
use ult_core::formula::{
    EvalError, Function, FunctionValue, Interpretation, Sort, Term, Terms, Value, Var, Version,
    eval,
};
use ult_core::graph::analysis::{source, target};
use ult_core::graph::evidence::{RigidMeaning, State, Step, Valuation};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};

/// What is left of a graph for executing its edges.
pub(crate) struct Replay {
    names: Vec<Arc<str>>,
    errors: Vec<bool>,
    ends: Vec<(LocationId, LocationId)>,
    formulas: Vec<Term>,
    effects: Vec<Effect>,
    /// By edge, whether it changes nothing and is taken in any state: runs have millions of such steps.
    idle: Vec<bool>,
    vars: Vars,
    functions: Vec<Arc<Function>>,
}

impl Replay {
    /// Keeps what is needed of a graph.
    pub(crate) fn new(graph: &ProgramGraph, vars: Vars, effects: Vec<Effect>) -> Replay {
        let locations = || graph.graph.node_weights();
        let edges = graph.graph.edge_indices();
        Replay {
            names: locations().map(|l| l.name.clone()).collect(),
            errors: locations().map(|l| l.error.is_some()).collect(),
            ends: edges
                .map(|edge| (source(graph, edge), target(graph, edge)))
                .collect(),
            formulas: graph
                .graph
                .edge_weights()
                .map(|edge| edge.transition.formula)
                .collect(),
            idle: effects.iter().map(Effect::is_nothing).collect(),
            effects,
            vars,
            functions: graph.functions.clone(),
        }
    }

    /// The name of a location.
    pub(crate) fn name(&self, location: LocationId) -> &Arc<str> {
        &self.names[location.index()]
    }

    /// Whether a location is an error location.
    pub(crate) fn is_error(&self, location: LocationId) -> bool {
        self.errors[location.index()]
    }

    /// Where an edge leads to.
    pub(crate) fn target(&self, edge: EdgeId) -> LocationId {
        self.ends[edge.index()].1
    }

    /// The name of a variable.
    pub(crate) fn var(&self, number: usize) -> Arc<str> {
        self.vars.name(number).clone()
    }

    /// The value of a variable after a step.
    pub(crate) fn value<'s>(&self, step: &'s Step, var: usize) -> Option<&'s Value> {
        step.value(self.vars.name(var))
    }

    /// Whether an edge changes nothing and is taken in any state. The step along it says nothing then.
    pub(crate) fn is_idle(&self, edge: EdgeId) -> bool {
        self.idle.get(edge.index()) == Some(&true)
    }

    /// Whether an edge changes nothing.
    pub(crate) fn changes_nothing(&self, edge: EdgeId) -> bool {
        self.is_idle(edge)
            || (self.effects.get(edge.index()))
                .is_some_and(|effect| effect.changed().next().is_none())
    }

    /// Executes an edge: `state` becomes the state after it. The step that comes back says the values of
    /// what the edge may change, and no others: a run through thousands of edges over thousands of
    /// variables must not repeat all of them each time.
    ///
    /// Assigned variables get the value assigned, other variables that may change the one that the
    /// step `free` says, or else keep theirs, which is as good as any. The result is checked against the
    /// formula of the edge as far as that can be evaluated. A rigid symbol without a meaning, which
    /// no condition of the run depended on, gets one.
    pub(crate) fn step(
        &self,
        terms: &Terms,
        state: &mut State,
        free: &Step,
        rigid: &mut RigidMeaning,
    ) -> Result<Step, String> {
        let (edge, aux) = (free.edge, free.aux());
        let Some(effect) = self.effects.get(edge.index()) else {
            return Err("the trace uses an edge that does not exist".into());
        };
        if effect.is_nothing() {
            return Ok(Step::new(edge, aux.clone(), State::default()));
        }
        let mut changed = State::default();
        for &var in &effect.free {
            let name = self.vars.name(var);
            if let Some(value) = free.value(name).or_else(|| state.get(name)) {
                changed.insert(name.clone(), value.clone());
            }
        }
        for assigned in &effect.assigned {
            let name = self.vars.name(assigned.var);
            let value = self
                .evaluate(terms, assigned.value, state, aux, rigid)
                .map_err(|error| format!("{}: the value of `{name}`: {error}", self.place(edge)))?;
            changed.insert(name.clone(), value);
        }
        let stepped = Stepped(Valuation {
            before: state,
            after: Some(&changed),
            aux: Some(aux),
            rigid,
        });
        // What cannot be evaluated here is left to the checker.
        if let Ok(Value::Bool(false)) = eval(terms, self.formulas[edge.index()], &stepped) {
            return Err(format!("{}: the trace does not fit", self.place(edge)));
        }
        for (name, value) in &changed {
            match state.get_mut(name) {
                Some(now) => now.clone_from(value),
                None => {
                    state.insert(name.clone(), value.clone());
                }
            }
        }
        Ok(Step::new(edge, aux.clone(), changed))
    }

    fn evaluate(
        &self,
        terms: &Terms,
        term: Term,
        before: &State,
        aux: &BTreeMap<u32, Value>,
        rigid: &mut RigidMeaning,
    ) -> Result<Value, EvalError> {
        loop {
            let valuation = Valuation {
                before,
                after: None,
                aux: Some(aux),
                rigid,
            };
            let error = match eval(terms, term, &valuation) {
                Err(error @ EvalError::NoMeaning(_)) => error,
                result => return result,
            };
            let EvalError::NoMeaning(name) = &error else {
                return Err(error);
            };
            let missing = |f: &&Arc<Function>| *f.name == **name;
            let default = self
                .functions
                .iter()
                .find(missing)
                .filter(|f| !rigid.functions.contains_key(&f.name))
                .and_then(|f| Some((f.name.clone(), Value::any_of(&f.result)?)));
            let Some((name, default)) = default else {
                return Err(error);
            };
            let entries = BTreeMap::new();
            rigid
                .functions
                .insert(name, FunctionValue { default, entries });
        }
    }

    fn place(&self, edge: EdgeId) -> String {
        let (source, target) = self.ends[edge.index()];
        format!("edge {} -> {}", self.name(source), self.name(target))
    }
}

/// A valuation whose state after the step says only what the step changed.
pub(crate) struct Stepped<'a>(pub(crate) Valuation<'a>);

impl Interpretation for Stepped<'_> {
    fn variable(&self, var: &Var, sort: &Sort) -> Option<Value> {
        let changed = self.0.variable(var, sort);
        changed.or_else(|| match var.version {
            Version::Next => self.0.before.get(&var.name).cloned(),
            _ => None,
        })
    }

    fn function(&self, function: &Arc<Function>, args: &[Value]) -> Option<Value> {
        self.0.function(function, args)
    }
}
