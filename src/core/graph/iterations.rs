//! Iterations of a loop that differ in nothing but how far some numbers have got.
//!
//! `while (i < 1000000000) i := i + 1;` has a billion iterations, and one formula says what all of them do: in the iteration with the number
//! `j`, `i` is `j`. That is so if it is for the first iteration, and if it follows for every next one; both is one question about
//! a `j` that may be anything in its bounds. (Closed forms of loops: Boigelot, "Symbolic methods for exploring infinite
//! state spaces", 1998; here they are guessed by whoever executes the program, and are a claim.)

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use num_bigint::BigInt;

use super::accelerated_path::Footprint;
use super::{Definition, EdgeId, ProgramGraph};
use crate::formula::{Sort, Term, Terms, Value, Version};

/// Some edges, again and again, at all of which the state before determines the state after.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Iterations {
    /// The edges of one iteration, which end where they begin.
    pub iteration: Vec<EdgeId>,
    /// How often they are taken, at least once.
    pub count: u64,
    /// By how much integers grow in each iteration. Others that an iteration reads are the same at the beginning of each.
    pub by: BTreeMap<Arc<str>, BigInt>,
}

impl Iterations {
    /// The values at the beginning of the last iteration, of the variables that are others there than now.
    ///
    /// # Errors
    /// In words, if a variable that is to grow is no integer.
    pub fn before_the_last(
        &self,
        value_of: impl Fn(&str) -> Option<Value>,
    ) -> Result<BTreeMap<Arc<str>, Value>, String> {
        let grown = self.by.iter().map(|(name, by)| match value_of(name) {
            Some(Value::Int(value)) => {
                let iterations = self.count.saturating_sub(1);
                Ok((name.clone(), Value::Int(value + by * iterations)))
            }
            _ => Err(format!("`{name}` is no integer")),
        });
        grown.collect()
    }

    /// That the iteration with a number can be taken, and leads to the state that the next one begins in. The first one has the
    /// number zero, and begins with the values that are given; what has no value that can be written may be anything.
    ///
    /// The formula is over `number`, which is an integer, over rigid symbols, and over the variables before, for
    /// those that may be anything. If it is valid for all numbers from zero to the last but one of these iterations, then
    /// all of them can be taken one after the other if the last one can.
    ///
    /// # Errors
    /// In words, if some step is not determined, or what is to grow is not read and written in an iteration.
    pub fn condition(
        &self,
        terms: &Terms,
        graph: &ProgramGraph,
        value_of: impl Fn(&str) -> Option<Value>,
        number: Term,
    ) -> Result<Term, String> {
        let footprint = Footprint::along(terms, graph, &self.iteration);
        let carried: BTreeSet<usize> = (footprint.reads.intersection(&footprint.writes))
            .copied()
            .collect();
        let is_carried = |name: &str| {
            let variable = graph.variables.get_index_of(name);
            variable.is_some_and(|variable| carried.contains(&variable))
        };
        if let Some(name) = self.by.keys().find(|name| !is_carried(name)) {
            return Err(format!(
                "`{name}` is not carried from iteration to iteration"
            ));
        }
        // At the beginning of the iteration with a number.
        let at = |variable: usize, number: Term| -> Result<Term, String> {
            let (name, sort) = graph.variables.get_index(variable).expect("numbered by it");
            let value = value_of(name);
            match self.by.get(name) {
                None => Ok((value.as_ref().and_then(|value| terms.plain_value(value)))
                    .unwrap_or_else(|| terms.current(name.clone(), sort.clone()))),
                Some(by) => match value {
                    Some(Value::Int(value)) if *sort == Sort::Int => {
                        let grown = terms.mul(&[terms.int(by.clone()), number]);
                        Ok(terms.add(&[terms.int(value), grown]))
                    }
                    _ => Err(format!("`{name}` is no integer")),
                },
            }
        };
        let mut state: HashMap<Term, Term> = HashMap::new();
        for &variable in &footprint.reads {
            let (name, sort) = graph.variables.get_index(variable).expect("numbered by it");
            state.insert(
                terms.current(name.clone(), sort.clone()),
                at(variable, number)?,
            );
        }
        let mut conditions = Vec::new();
        for &edge in &self.iteration {
            let Some(edge) = graph.graph.edge_weight(edge) else {
                return Err("an edge does not exist".into());
            };
            let transition = &edge.transition;
            let free = terms.free_vars(&[transition.formula]);
            let is_stray = |term: &Term| {
                let version = terms.as_var(*term).map(|var| var.version);
                !matches!(version, Some(Version::Current | Version::Next))
            };
            if free.iter().any(is_stray) {
                return Err("a step leaves something open".into());
            }
            let (definitions, rest) = transition.definitions(terms);
            let mut after = state.clone();
            for definition in &definitions {
                let sort = terms.sort(definition.value).clone();
                let value = terms.substitute(definition.value, &state);
                after.insert(terms.next(definition.variable.clone(), sort), value);
            }
            for name in &transition.changed {
                if !definitions.iter().any(|d| d.variable == *name) {
                    return Err(format!("`{name}` has no value"));
                }
            }
            conditions.extend(rest.iter().map(|&part| terms.substitute(part, &after)));
            for Definition {
                variable, value, ..
            } in &definitions
            {
                let sort = terms.sort(*value).clone();
                let next = after[&terms.next(variable.clone(), sort.clone())];
                state.insert(terms.current(variable.clone(), sort), next);
            }
        }
        let next = terms.add(&[number, terms.int(1)]);
        for &variable in &carried {
            let (name, sort) = graph.variables.get_index(variable).expect("numbered by it");
            let ends_with = state[&terms.current(name.clone(), sort.clone())];
            conditions.push(terms.eq(ends_with, at(variable, next)?));
        }
        Ok(terms.and(conditions))
    }
}
