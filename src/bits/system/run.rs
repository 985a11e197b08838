//! What a model of the circuit says about the program: states, the meaning of symbols, runs.

use std::collections::BTreeMap;

use super::System;
use crate::aig::Values;
use crate::blast::Bits;
use crate::words;
use ult_core::formula::{FunctionValue, Sort, Value};
use ult_core::graph::evidence::{RigidMeaning, Run, State, Step};
use ult_core::graph::{LocationId, ProgramGraph};

/// The bits as a value of a sort.
fn value_of(sort: &Sort, bits: &[bool]) -> Option<Value> {
    match sort {
        Sort::Bool => Some(Value::Bool(*bits.first()?)),
        Sort::BitVec(width) => Some(Value::BitVec(words::number(bits.iter().copied()), *width)),
        Sort::Int => Some(Value::Int(words::signed_number(bits))),
        _ => None,
    }
}

impl System {
    /// The state that latches say, as far as they do; other variables have any value.
    pub fn state(&self, graph: &ProgramGraph, latch: impl Fn(usize) -> bool) -> Option<State> {
        let variables = graph.variables.iter().enumerate();
        variables
            .map(|(number, (name, sort))| {
                let value = match &self.variables[number] {
                    Some(latches) => {
                        let bits: Vec<bool> = latches.clone().map(&latch).collect();
                        value_of(sort, &bits)?
                    }
                    None => Value::any_of(sort)?,
                };
                Some((name.clone(), value))
            })
            .collect()
    }

    /// What symbols mean, according to latches.
    pub fn rigid(
        &self,
        graph: &ProgramGraph,
        latch: impl Fn(usize) -> bool,
    ) -> Option<RigidMeaning> {
        let mut rigid = RigidMeaning::default();
        for function in &graph.functions {
            let known = self.symbols.get(&function.name);
            let default = match known {
                Some((sort, latches)) => {
                    let bits: Vec<bool> = latches.clone().map(&latch).collect();
                    value_of(sort, &bits)?
                }
                None => Value::any_of(&function.result)?,
            };
            let entries = BTreeMap::new();
            let meaning = FunctionValue { default, entries };
            rigid.functions.insert(function.name.clone(), meaning);
        }
        Some(rigid)
    }

    /// The run that begins in the state of the first step, given the values of all gates in each step.
    /// It ends where a step ends in an error location, which is told; `None` if none does.
    pub fn run(&self, graph: &ProgramGraph, frames: &[Values]) -> Option<(LocationId, Run)> {
        let first = frames.first()?;
        let latch = |number: usize| first.of(self.latches[number].lit);
        let mut run = Run::new(
            self.state(graph, latch)?,
            Vec::new(),
            self.rigid(graph, latch)?,
        );
        let mut from = 0;
        for values in frames {
            let (steps, target) = self.step(graph, from, values)?;
            run.steps.extend(steps);
            if graph.graph[target].error.is_some() {
                return Some((target, run));
            }
            from = self.locations.iter().position(|&place| place == target)?;
        }
        None
    }

    /// The edges of a step from a location (its number), given the values of all gates, and where it
    /// ends; `None` if it halts before.
    pub fn step(
        &self,
        graph: &ProgramGraph,
        from: usize,
        values: &Values,
    ) -> Option<(Vec<Step>, LocationId)> {
        let mut steps = Vec::new();
        let mut at = self.locations[from];
        for passed in &self.regions[from].passed {
            let source = graph.graph.edge_endpoints(passed.edge)?.0;
            if source != at || !values.of(passed.taken) {
                continue;
            }
            let read = |bits: &Bits, sort: &Sort| match bits {
                Bits::Word(word) => {
                    let word: Vec<bool> = word.iter().map(|&lit| values.of(lit)).collect();
                    value_of(sort, &word)
                }
                Bits::Opaque(_) => Value::any_of(sort),
            };
            let mut chosen = State::default();
            for (variable, bits) in &passed.chosen {
                let (name, sort) = graph.variables.get_index(*variable)?;
                chosen.insert(name.clone(), read(bits, sort)?);
            }
            let mut aux = BTreeMap::new();
            for (number, sort, bits) in &passed.aux {
                aux.insert(*number, read(bits, sort)?);
            }
            steps.push(match chosen.is_empty() && aux.is_empty() {
                true => Step::determined(passed.edge),
                false => Step::new(passed.edge, aux, chosen),
            });
            at = passed.target;
            if graph.graph[at].error.is_some() || self.locations.contains(&at) {
                return Some((steps, at));
            }
        }
        None
    }
}
