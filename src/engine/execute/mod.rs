//! Execution: runs the program on concrete values, again and again.
//!
//! The graph is executed as it was before the reductions, in small steps: what an edge says is put
//! into an order in which it can be carried out (`plan.rs`), on values in machine words where they
//! fit (`value.rs`, `expr.rs`). What is left open is chosen: the simplest values in the first run,
//! then by a generator with fixed seeds, with a liking for the constants of the program
//! (`inputs.rs`), and within the limits that conditions right behind the choice set (`look.rs`).
//! Where several edges can be taken, those come first that no run took. When runs bring nothing new,
//! the solver is asked for inputs that lead elsewhere (`concolic.rs`).
//!
//! A run that reaches an error location is a claim. What is found depends on the program alone, not
//! on the time it takes.

mod concolic;
mod expr;
mod inputs;
mod look;
mod machine;
mod observe;
mod plan;
mod program;
#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeMap;
use std::time::Instant;

use ult_core::control::Control;
use ult_core::formula::{FunctionValue, Value};
use ult_core::graph::LocationId;
use ult_core::graph::evidence::{RigidMeaning, Run};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::{Answer, Session};

use crate::limits;
use crate::task::{Engine, Outcome, Task};
use concolic::Concolic;
use expr::Table;
use inputs::{Random, interesting};
use machine::{End, Experience, Machine};
pub(crate) use observe::Observed;
use program::Program;
use value::Val;

/// Executes the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Execution {
    /// Whether other engines work at the same time: then it takes breaks after some seconds.
    pub beside: bool,
}

impl Engine for Execution {
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        let mut outcome = Outcome::default();
        let why = match meaning(task, stats) {
            Ok(rigid) => {
                let pace = Pace::new(self.beside, task.control);
                explore(task, &rigid, pace, &mut outcome.original.runs, stats)
            }
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

/// The longest run with a number: the first one may be long, since many programs leave nothing open
/// that matters; then short ones see more, with a long one now and then.
fn longest(run: u64) -> u64 {
    match run {
        0 => limits::MOST_STEPS / 10,
        60 => limits::MOST_STEPS / 2,
        run if run.is_multiple_of(100) => 1_000_000,
        run if run.is_multiple_of(10) => 200_000,
        _ => 20_000,
    }
}

/// How hard the engine works: beside others, after some seconds only a part of the time.
struct Pace<'c> {
    control: &'c Control,
    beside: bool,
    start: Instant,
    /// Since the last break.
    last: Instant,
}

impl<'c> Pace<'c> {
    fn new(beside: bool, control: &'c Control) -> Pace<'c> {
        let start = Instant::now();
        Pace {
            control,
            beside,
            start,
            last: start,
        }
    }

    /// Takes a break if it is time for one. What is found does not depend on breaks.
    fn rest(&mut self) {
        let worked = self.last.elapsed();
        if !self.beside || self.start.elapsed() < limits::AT_FULL_PACE || worked < limits::NAP_RUN {
            return;
        }
        let end = Instant::now() + 3 * worked;
        while Instant::now() < end && self.control.check().is_ok() {
            std::thread::sleep(limits::NAP_RUN);
        }
        self.last = Instant::now();
    }
}

/// So many runs that bring nothing new are made between two questions to the solver.
const BETWEEN_QUESTIONS: u64 = 3;

/// What was done so far.
#[derive(Default)]
struct Account {
    runs: u64,
    steps: u64,
    /// Runs since the last new edge.
    boring_runs: u64,
    /// Runs in which nothing was left open but the values at the start.
    determined: u64,
}

impl Account {
    fn enter(&mut self, machine: &Machine<'_, '_>, is_new: bool) {
        self.runs += 1;
        self.steps += machine.steps();
        self.determined += u64::from(machine.is_determined());
        self.boring_runs = match is_new {
            true => 0,
            false => self.boring_runs + 1,
        };
    }

    fn is_enough(&self) -> bool {
        self.steps >= limits::MOST_STEPS
            || self.boring_runs >= limits::BORING_RUNS
            || self.determined == self.runs
                && (self.runs >= limits::DETERMINED_RUNS
                    || self.runs > 2 && self.steps >= limits::DETERMINED_STEPS)
    }

    /// Whether to look for inputs after a run; one that followed inputs is looked at again at once:
    /// no other may get there.
    fn asks(&self, followed: bool) -> bool {
        let is_boring = self.boring_runs > 0;
        followed || is_boring && self.boring_runs.is_multiple_of(BETWEEN_QUESTIONS)
    }

    fn why(&self) -> String {
        let Account { runs, steps, .. } = self;
        format!("no violation in {runs} runs of {steps} steps")
    }
}

/// Executes the program until every error location has a run, or nothing new is found. Says why
/// the others have none.
fn explore(
    task: &Task<'_>,
    rigid: &RigidMeaning,
    mut pace: Pace<'_>,
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
        count: 0,
        closed: vec![false; graph.graph.node_count()],
    };
    let session = Session::new(task.terms, &graph.axioms, task.control);
    let mut concolic = Concolic::new(&session, graph);
    let errors = graph.errors().count();
    let mut account = Account::default();
    // The beginning of the next run, with the meaning of the symbols in it.
    let mut beginning: Option<(Run, Vec<Table>)> = None;
    let reason = loop {
        if found.len() == errors {
            break None;
        }
        if account.is_enough() {
            break Some(Reason::Incomplete(account.why()));
        }
        let random = Random::new(account.runs, constants.clone(), account.runs == 0);
        let (rigid, functions) = match &beginning {
            Some((like, functions)) => (&like.rigid, functions),
            None => (rigid, &functions),
        };
        let Some(mut machine) = Machine::new(&program, functions, random) else {
            let what = "variables without values that can be written".to_owned();
            break Some(Reason::Unsupported(what, None));
        };
        if let Some((like, _)) = &beginning {
            machine.begin_as(like);
        }
        let known = experience.count;
        let left = limits::MOST_STEPS.saturating_sub(account.steps);
        let limit = longest(account.runs).min(left);
        let mut end = machine.run(limit, &mut experience, task.control);
        if end == End::Limit && machine.is_determined() {
            // Other runs would do the same.
            end = machine.run(left, &mut experience, task.control);
        }
        account.enter(&machine, experience.count > known);
        match end {
            End::Violated(error) => {
                experience.closed[error.index()] = true;
                if let (None, Some(run)) = (found.get(&error), machine.claim(rigid)) {
                    found.insert(error, run);
                }
            }
            End::Stopped(stop) => break Some(stop.into()),
            End::Stuck | End::Circles | End::Limit => {}
        }
        pace.rest();
        beginning = match account.asks(beginning.is_some()) {
            true => {
                let other = concolic.other(&program, machine.edges(), &experience, stats);
                other.and_then(|run| tables(task, &run.rigid).map(|tables| (run, tables)))
            }
            false => None,
        };
    };
    session.take_calls(stats);
    stats.runs += account.runs;
    stats.run_steps += account.steps;
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
