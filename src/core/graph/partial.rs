//! States of which some values are known, and steps from them.
//!
//! A partial state stands for all states that have the values known of it. A step leads to a partial state that stands for
//! whatever a step along the edge makes of one of these, and for more: a value that does not follow by evaluation is not
//! known, and a condition that cannot be evaluated is taken to hold. So whoever follows all edges from what is known at the
//! start comes past every state that a run comes past.

use std::sync::Arc;

use super::walk::Plans;
use super::{EdgeId, ProgramGraph};
use crate::formula::{EvalError, Evaluated, Function, Interpretation, Sort, Value, Var};

/// A state of which some values are known.
#[derive(Clone, Debug)]
pub struct Partial {
    /// The values of all variables of the graph, in order; then room for those after a step, and for auxiliaries, where between
    /// steps nothing is known.
    slots: Vec<Evaluated>,
    /// How many variables there are.
    count: usize,
}

impl Partial {
    /// Nothing is known of the variables of a graph.
    pub fn unknown(graph: &ProgramGraph) -> Partial {
        Partial {
            slots: graph.variables.values().map(unknown).collect(),
            count: graph.variables.len(),
        }
    }

    /// The values, in the order of the graph's variables; `None` where it is not known.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Option<&Value>> {
        let values = &self.slots[..self.count];
        values.iter().map(|value| value.as_ref().ok())
    }

    /// Forgets the value of a variable, by its number.
    pub fn forget(&mut self, variable: usize) {
        self.slots[variable] = nothing();
    }
}

impl Plans<'_> {
    /// Takes a step along an edge of the graph, and tells whether there is one. If there is none, nothing is to be asked of the
    /// state any more.
    ///
    /// It costs what the edge mentions and changes, not what there are variables.
    pub fn advance(&mut self, edge: EdgeId, state: &mut Partial) -> bool {
        let variables = &self.graph.variables;
        let Partial { slots, count } = state;
        let plan = self.of(edge);
        let room = 2 * *count + plan.aux.len();
        if slots.len() < room {
            slots.resize(room, nothing());
        }
        plan.values.evaluate(slots, &Anything);
        for &(variable, definition) in &plan.changed {
            let value = definition.map(|definition| plan.values.root(definition, slots));
            slots[*count + variable] = match value {
                Some(Ok(value)) => Ok(value.clone()),
                _ => unknown(&variables[variable]),
            };
        }
        let conditions = &mut plan.rest;
        conditions.code.evaluate(slots, &Anything);
        for number in 0..conditions.list.len() {
            if *conditions.code.root(number, slots) == Ok(Value::Bool(false)) {
                return false;
            }
        }
        for &(variable, _) in &plan.changed {
            slots.swap(variable, *count + variable);
            slots[*count + variable] = nothing();
        }
        true
    }
}

/// Symbols, and what else has no value, may mean anything.
struct Anything;

impl Interpretation for Anything {
    fn variable(&self, _: &Var, _: &Sort) -> Option<Value> {
        None
    }

    fn function(&self, _: &Arc<Function>, _: &[Value]) -> Option<Value> {
        None
    }

    fn has_open_elements(&self) -> bool {
        true
    }
}

/// Nothing is known of a value of a sort. Of a map, single elements may be known later.
fn unknown(sort: &Sort) -> Evaluated {
    Value::open_map(sort).map_or_else(nothing, Ok)
}

/// Why a value is not known is nobody's business, and there are many of them: this takes no room.
fn nothing() -> Evaluated {
    Err(EvalError::Unbound(String::new()))
}
