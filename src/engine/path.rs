//! From a model of a path formula to a claimed run.

use std::collections::BTreeMap;

use ult_core::formula::Terms;
use ult_core::graph::evidence::{RigidMeaning, Run, State, Step};
use ult_core::graph::{EdgeId, ProgramGraph};
use ult_interpolate::Chain;
use ult_smt::{Failure, Model};

/// The run that a model of the chain's path formula describes. Fails if the model has values that
/// cannot be written down exactly.
pub fn run_of_model(
    terms: &Terms,
    graph: &ProgramGraph,
    chain: &Chain,
    edges: &[EdgeId],
    model: &Model<'_, '_>,
) -> Result<Run, Failure> {
    let state = |position: usize| -> Result<State, Failure> {
        graph
            .variables
            .iter()
            .map(|(name, sort)| {
                let instance = chain.instance(terms, position, name, sort);
                Ok((name.clone(), model.value(instance)?))
            })
            .collect()
    };
    let mut rigid = RigidMeaning::default();
    for function in &graph.functions {
        rigid
            .functions
            .insert(function.name.clone(), model.function(function)?);
    }
    let mut steps = Vec::with_capacity(edges.len());
    for (i, &edge) in edges.iter().enumerate() {
        let mut aux = BTreeMap::new();
        for (number, term) in chain.auxiliaries(terms, i) {
            aux.insert(number, model.value(term)?);
        }
        steps.push(Step {
            edge,
            aux,
            state: state(i + 1)?,
        });
    }
    Ok(Run {
        start: state(0)?,
        steps,
        rigid,
    })
}
