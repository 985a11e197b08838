//! Execution: runs the program on concrete values, again and again.
//!
//! The graph is executed as it was before the reductions, in small steps: what an edge says is put
//! into an order in which it can be carried out (`plan.rs`), on values in machine words where they
//! fit (`value.rs`, `expr.rs`). What is left open is chosen: the simplest values in the first run,
//! then by a generator with fixed seeds, with a liking for the constants of the program
//! (`inputs.rs`), and within the limits that conditions right behind the choice set (`look.rs`).
//! Where several edges can be taken, those come first that no run took.
//!
//! A run that reaches an error location is a claim. What is found depends on the program alone, not
//! on the time it takes.

mod expr;
mod inputs;
mod look;
mod machine;
mod plan;
mod program;
#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeMap;

use ult_core::control::Stop;
use ult_core::formula::{FunctionValue, Value};
use ult_core::graph::LocationId;
use ult_core::graph::evidence::{RigidMeaning, Run};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::{Answer, Session};

use crate::limits;
use crate::task::{Engine, Outcome, Task};
use expr::Table;
use inputs::{Random, interesting};
use machine::{End, Experience, Machine};
use program::Program;
use value::Val;

/// Executes the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Execution;

impl Engine for Execution {
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        let mut outcome = Outcome::default();
        let why = match meaning(task, stats) {
            Ok(rigid) => explore(task, &rigid, &mut outcome.original.runs, stats),
            Err(reason) => reason,
        };
        let open = task.original.errors();
        for error in open.filter(|error| !outcome.original.runs.contains_key(error)) {
            outcome.original.undecided.insert(error, why.clone());
        }
        outcome
    }
}

/// A meaning of the rigid symbols that the axioms allow.
fn meaning(task: &Task<'_>, stats: &mut Statistics) -> Result<RigidMeaning, Reason> {
    let graph = task.original;
    let mut rigid = RigidMeaning::default();
    if graph.axioms.is_empty() {
        for function in &graph.functions {
            let Some(default) = Value::any_of(&function.result) else {
                let what = format!("values of sort {}", function.result);
                return Err(Reason::Unsupported(what, None));
            };
            let entries = BTreeMap::new();
            let table = FunctionValue { default, entries };
            rigid.functions.insert(function.name.clone(), table);
        }
        return Ok(rigid);
    }
    let gave_up = |why: String| {
        let what = format!("no meaning of the symbols was found that the axioms allow: {why}");
        Reason::Incomplete(what)
    };
    let session = Session::new(task.terms, &[], task.control);
    let mut solver = session.solver();
    let result = (graph.axioms.iter())
        .try_for_each(|&axiom| solver.assert(axiom))
        .map_err(|failure| gave_up(failure.to_string()))
        .and_then(|()| match solver.check(&[], Some(limits::AXIOMS)) {
            Answer::Sat => {
                let model = solver.model().map_err(|f| gave_up(f.to_string()))?;
                for function in &graph.functions {
                    let table = model.function(function);
                    let table = table.map_err(|f| gave_up(f.to_string()))?;
                    rigid.functions.insert(function.name.clone(), table);
                }
                Ok(())
            }
            Answer::Unsat => Err(gave_up("they contradict each other".into())),
            Answer::Unknown(failure) => Err(gave_up(failure.to_string())),
        });
    drop(solver);
    session.take_calls(stats);
    result.map(|()| rigid)
}

/// The longest run with a number: one may be long, since many programs leave nothing open that
/// matters; then short ones see more.
fn longest(run: u64) -> u64 {
    match run {
        0 => 2_000_000,
        1..60 => 20_000,
        60..80 => 200_000,
        _ => limits::MOST_STEPS,
    }
}

/// Executes the program until every error location has a run, or nothing new is found. Says why
/// the others have none.
fn explore(
    task: &Task<'_>,
    rigid: &RigidMeaning,
    found: &mut BTreeMap<LocationId, Run>,
    stats: &mut Statistics,
) -> Reason {
    let graph = task.original;
    let program = Program::new(task.terms, graph);
    let Some(functions) = tables(task, rigid) else {
        return Reason::Unsupported("a function with maps as arguments".into(), None);
    };
    let constants = interesting(task.terms, graph);
    let mut experience = Experience {
        covered: vec![false; graph.graph.edge_count()],
        reached: vec![false; graph.graph.node_count()],
        count: 0,
        closed: vec![false; graph.graph.node_count()],
    };
    let errors = graph.errors().count();
    let (mut runs, mut steps) = (0u64, 0u64);
    let (mut boring_runs, mut boring_steps) = (0, 0);
    let mut determined = 0;
    let mut reason = None;
    while found.len() < errors && reason.is_none() {
        let random = Random::new(runs, constants.clone(), runs == 0);
        let Some(mut machine) = Machine::new(&program, &functions, random) else {
            return Reason::Unsupported(
                "variables without values that can be written".into(),
                None,
            );
        };
        let limit = longest(runs);
        let left = limits::MOST_STEPS.saturating_sub(steps);
        let before = experience.count;
        let mut end = machine.run(limit.min(left), &mut experience, task.control);
        if end == End::Limit && machine.is_determined() {
            // Other runs would do the same.
            end = machine.run(left, &mut experience, task.control);
        }
        runs += 1;
        steps += machine.steps();
        determined += u64::from(machine.is_determined());
        if experience.count > before {
            (boring_runs, boring_steps) = (0, 0);
        } else {
            boring_runs += 1;
            boring_steps += machine.steps();
        }
        match end {
            End::Violated(error) if !experience.closed[error.index()] => {
                experience.closed[error.index()] = true;
                if let Some(run) = machine.claim(rigid) {
                    found.insert(error, run);
                }
            }
            End::Stopped(stop) => reason = Some(Stop::into(stop)),
            End::Violated(_) | End::Stuck | End::Circles | End::Limit => {}
        }
        let is_over = steps >= limits::MOST_STEPS
            || boring_runs >= limits::BORING_RUNS
            || boring_steps >= limits::BORING_STEPS
            // Nothing is left open but the values at the start.
            || determined == runs && runs >= limits::DETERMINED_RUNS;
        if is_over {
            reason.get_or_insert(Reason::Incomplete(format!(
                "no violation in {runs} runs of {steps} steps"
            )));
        }
    }
    stats.runs += runs;
    stats.run_steps += steps;
    reason.unwrap_or_else(|| Reason::Incomplete("its run cannot be written down".into()))
}

/// The meaning of the rigid symbols as it is computed with.
fn tables(task: &Task<'_>, rigid: &RigidMeaning) -> Option<Vec<Table>> {
    let table = |function: &std::sync::Arc<ult_core::formula::Function>| {
        let meaning = rigid.functions.get(&function.name)?;
        let list = meaning.entries.iter().map(|(arguments, value)| {
            let indices = arguments.iter().zip(&function.params);
            let indices: Option<Vec<Val>> = indices.map(|(v, sort)| Val::of(v, sort)).collect();
            Some((Val::index(indices?), Val::of(value, &function.result)?))
        });
        Some(Table {
            default: Val::of(&meaning.default, &function.result)?,
            list: list.collect::<Option<_>>()?,
        })
    };
    task.original.functions.iter().map(table).collect()
}
