//! Execution: runs the program on concrete values, again and again.
//!
//! The graph is executed as it was before the reductions, in small steps: what an edge says is put
//! into an order in which it can be carried out (`plan.rs`), on values in machine words where they
//! fit (`value.rs`, `expr.rs`). What is left open is chosen: the simplest values in the first run,
//! then by a generator with fixed seeds, with a liking for the constants of the program
//! (`inputs.rs`), and within the limits that conditions right behind the choice set (`look.rs`).
//! Where several edges can be taken, those come first that no run took. A run that gets stuck goes
//! back to its last choice, and every other run begins as one that was the first to take some edge. When
//! runs bring nothing new, the solver is asked for inputs that lead elsewhere (`concolic.rs`).
//!
//! Before that, there is the deterministic run (`deterministic.rs`): it costs nothing where a
//! program begins with a choice, and decides programs at once that only compute.
//!
//! A run that reaches an error location is a claim. So is that there is no other run than the one that nobody chooses, of
//! which others may have claimed the states as invariants before. What is found depends on the program alone, not
//! on the time it takes.

mod acceleration;
mod concolic;
mod deterministic;
mod expr;
mod inputs;
mod lookahead;
mod machine;
mod observe;
mod plan;
mod program;
mod repeats;
mod samples;
#[cfg(test)]
mod tests;
mod value;

use std::cell::OnceCell;
use std::collections::{BTreeMap, VecDeque};

use ult_core::formula::{FunctionValue, Value};
use ult_core::graph::LocationId;
use ult_core::graph::evidence::{Invariants, RigidMeaning, Run};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::{Answer, Session};

use crate::limits;
use crate::task::{Claims, Engine, Outcome, Task};
use acceleration::accelerate;
use concolic::{Concolic, Inputs};
use deterministic::DeterministicRun;
use expr::Table;
use inputs::{Random, interesting};
use machine::{End, Experience, Machine};
pub(crate) use observe::Observed;
use program::Program;
use repeats::repeats;
use ult_core::graph::analysis::reverse_postorder;
use value::Val;

pub(crate) use samples::{Points, samples};

/// Executes the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Execution;

impl Engine for Execution {
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        let mut outcome = Outcome::default();
        if let Some(all) = deterministic(task, stats) {
            outcome.original = all;
            return outcome;
        }
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

/// What there is to claim if there is no other run than the one that nobody chooses.
fn deterministic(task: &Task<'_>, stats: &mut Statistics) -> Option<Claims> {
    let program = Program::new(task.terms, task.original);
    let mut run = DeterministicRun::new(&program, &[]);
    let end = far(&mut run, task, stats);
    stats.runs += 1;
    stats.run_steps += run.edges().len() as u64;
    let runs = match end {
        // Whoever confirms that there is no other run takes all its steps.
        deterministic::End::Ended if !run.leaps().is_empty() => return None,
        deterministic::End::Ended => BTreeMap::new(),
        deterministic::End::Violated(_) => BTreeMap::from([chosen(task, &program, &run, stats)?]),
        deterministic::End::Over | deterministic::End::Limit | deterministic::End::Stopped(_) => {
            return None;
        }
    };
    let mut invariants = Invariants::explored(task.terms, task.original);
    for error in runs.keys() {
        invariants.arguments.remove(error);
        invariants.exempt.insert(*error);
    }
    Some(Claims {
        runs,
        invariants: Some(invariants),
        ..Claims::default()
    })
}

/// Goes on until the run ends or has very many steps that do not repeat themselves.
fn far(
    run: &mut DeterministicRun<'_, '_>,
    task: &Task<'_>,
    stats: &mut Statistics,
) -> deterministic::End {
    let (_, heads) = reverse_postorder(task.original);
    let session = OnceCell::new();
    let mut limit = limits::DETERMINISTIC;
    let end = loop {
        let end = run.run(limit.min(limits::DETERMINISTIC_FAR), task.control);
        if end != deterministic::End::Limit || limit >= limits::DETERMINISTIC_FAR {
            break end;
        }
        if run.leaps().len() < limits::ACCELERATED {
            match accelerate(run, &heads, &session, task.control) {
                // The next loop may be there soon.
                Ok(true) => {
                    limit = run.edges().len() + BETWEEN_STRETCHES;
                    continue;
                }
                Ok(false) => {}
                Err(end) => break end,
            }
        }
        if let Some(end) = repeats(run, &heads, task.control) {
            break end;
        }
        limit = 2 * run.edges().len();
    };
    if let Some(session) = session.get() {
        session.take_calls(stats);
    }
    end
}

/// So many edges are taken before it is tried again to take many at once.
const BETWEEN_STRETCHES: usize = 1000;

/// What the deterministic run came to.
#[derive(Debug)]
pub enum DeterministicEnd {
    /// An error location.
    Violated(LocationId, Run),
    /// It is long, whether it ended or was stopped at a limit: executing the program is worth it.
    Long,
    /// It is short and ended with the program: there is no other way.
    Whole,
    /// It ended at a choice.
    Over,
}

/// Executes the original graph of the task from the start for as long as nothing is chosen that
/// matters.
pub fn run_deterministic(task: &Task<'_>, stats: &mut Statistics) -> DeterministicEnd {
    let program = Program::new(task.terms, task.original);
    let mut run = DeterministicRun::new(&program, &[]);
    let end = run.run(limits::DETERMINISTIC, task.control);
    stats.runs += 1;
    stats.run_steps += run.edges().len() as u64;
    match end {
        deterministic::End::Limit => DeterministicEnd::Long,
        deterministic::End::Ended if run.edges().len() >= limits::SHORT => DeterministicEnd::Long,
        deterministic::End::Ended => DeterministicEnd::Whole,
        deterministic::End::Violated(_) => {
            let claim = chosen(task, &program, &run, stats);
            claim.map_or(DeterministicEnd::Over, |(error, run)| {
                DeterministicEnd::Violated(error, run)
            })
        }
        deterministic::End::Over | deterministic::End::Stopped(_) => DeterministicEnd::Over,
    }
}

/// The deterministic run, which ended at an error location, with the simplest values for what is open.
fn chosen(
    task: &Task<'_>,
    program: &Program<'_>,
    run: &DeterministicRun<'_, '_>,
    stats: &mut Statistics,
) -> Option<(LocationId, Run)> {
    let rigid = meaning(task, stats).ok()?;
    let functions = tables(task, &rigid)?;
    let random = Random::new(0, interesting(task.terms, task.original), true);
    let mut machine = Machine::new(program, &functions, random)?;
    let mut experience = Experience::new(task.original);
    let mut taken = 0;
    for leap in run.leaps() {
        machine.follow(&run.edges()[taken..leap.before]);
        taken = leap.before;
        let end = machine.run(taken as u64, &mut experience, task.control);
        if end != End::Limit || !machine.leap(leap) {
            return None;
        }
    }
    machine.follow(&run.edges()[taken..]);
    let length = run.edges().len() as u64;
    let End::Violated(error) = machine.run(length + 1, &mut experience, task.control) else {
        return None;
    };
    let mut claim = machine.claim(&rigid)?;
    for leap in run.leaps() {
        let step = claim.steps.get_mut(leap.before)?;
        *step = step.clone().behind(leap.accelerated.clone());
    }
    Some((error, claim))
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
        0 => limits::MOST_STEPS / 30,
        60 => limits::MOST_STEPS / 6,
        run if run.is_multiple_of(100) => 1_000_000,
        run if run.is_multiple_of(10) => 200_000,
        _ => 20_000,
    }
}

/// So many runs that bring nothing new are made between two questions to the solver.
const BETWEEN_QUESTIONS: u64 = 3;

/// One of so many runs chooses the same value wherever it chooses at one place.
const STEADY_RUNS: u64 = 10;

/// One of so many runs begins as one that was the first to take some edge.
const AGAIN_RUNS: u64 = 2;

/// Longer runs than this are not kept, and no more than this of all together.
const LONGEST_PIONEER: u64 = 200_000;
const KEPT_STEPS: usize = 1_000_000;

/// So many runs are made at least after one that found an error, before it is told: others may wait
/// for it.
const RUNS_AFTER: u64 = 400;

/// What was done so far.
#[derive(Default)]
struct Account {
    runs: u64,
    steps: u64,
    /// Runs since the last new edge.
    boring_runs: u64,
    /// Runs in which nothing was left open but the values at the start.
    deterministic: u64,
    /// Runs and steps when the last error was found.
    last_found: Option<(u64, u64)>,
}

impl Account {
    fn enter(&mut self, machine: &Machine<'_, '_>, is_new: bool) {
        self.runs += 1;
        self.steps += machine.steps();
        self.deterministic += u64::from(machine.is_determined());
        self.boring_runs = match is_new {
            true => 0,
            false => self.boring_runs + 1,
        };
    }

    /// A run to another error location was found.
    fn found(&mut self) {
        self.last_found = Some((self.runs, self.steps));
    }

    fn is_enough(&self) -> bool {
        let is_over = |(runs, steps)| self.runs >= runs + RUNS_AFTER && self.steps >= 2 * steps;
        self.steps >= limits::MOST_STEPS
            || self.last_found.is_some_and(is_over)
            || self.boring_runs >= limits::BORING_RUNS
            || self.deterministic == self.runs
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
    found: &mut BTreeMap<LocationId, Run>,
    stats: &mut Statistics,
) -> Reason {
    let graph = task.original;
    let program = Program::new(task.terms, graph);
    let Some(functions) = tables(task, rigid) else {
        return Reason::Unsupported("a function with maps as arguments".into(), None);
    };
    let constants = interesting(task.terms, graph);
    let mut experience = Experience::new(graph);
    let session = Session::new(task.terms, &graph.axioms, task.control);
    let mut concolic = Concolic::new(&session, graph);
    let errors = graph.errors().count();
    let mut account = Account::default();
    // The beginning of the next run, with the meaning of the symbols in it, and whether it is to lead
    // where no run was.
    let mut prefix: Option<(Inputs, Vec<Table>)> = None;
    let mut follows = false;
    // Runs that took edges which none before them took.
    let mut pioneers: VecDeque<Inputs> = VecDeque::new();
    let reason = loop {
        if found.len() == errors {
            break None;
        }
        if account.is_enough() {
            break Some(Reason::Incomplete(account.why()));
        }
        let random = Random::new(account.runs, constants.clone(), account.runs == 0);
        let (rigid, functions) = match &prefix {
            Some((like, functions)) => (&like.rigid, functions),
            None => (rigid, &functions),
        };
        let Some(mut machine) = Machine::new(&program, functions, random) else {
            let what = "variables without values that can be written".to_owned();
            break Some(Reason::Unsupported(what, None));
        };
        if let Some((like, _)) = &prefix {
            machine.begin_with(like);
        }
        if account.runs.is_multiple_of(STEADY_RUNS) {
            machine.keep_values();
        }
        let known = experience.count;
        let left = limits::MOST_STEPS.saturating_sub(account.steps);
        let limit = longest(account.runs).min(left);
        let mut end = machine.run(limit, &mut experience, task.control);
        if end == End::Limit && machine.is_determined() {
            // Other runs would do the same.
            end = machine.run(left, &mut experience, task.control);
        }
        let is_new = experience.count > known;
        account.enter(&machine, is_new);
        if is_new && machine.steps() <= LONGEST_PIONEER {
            pioneers.push_back(machine.recorded(rigid));
            while pioneers.iter().map(|run| run.steps.len()).sum::<usize>() > KEPT_STEPS {
                pioneers.pop_front();
            }
        }
        match end {
            End::Violated(error) => {
                experience.close(error);
                if let (None, Some(run)) = (found.get(&error), machine.claim(rigid)) {
                    task.facts.found(error, &run, true);
                    found.insert(error, run);
                    account.found();
                }
            }
            End::Stopped(stop) => break Some(stop.into()),
            End::Stuck | End::Circles | End::Limit => {}
        }
        let other = match account.asks(follows) {
            true => concolic.other(&program, machine.edges(), &experience, stats),
            false => None,
        };
        follows = other.is_some();
        let again = || {
            let mut random = Random::new(!account.runs, constants.clone(), false);
            let again = account.runs.is_multiple_of(AGAIN_RUNS);
            again.then(|| prefix_of(&pioneers, &mut random)).flatten()
        };
        prefix = other.or_else(again).and_then(|inputs| {
            let tables = tables(task, &inputs.rigid)?;
            Some((inputs, tables))
        });
    };
    session.take_calls(stats);
    stats.runs += account.runs;
    stats.run_steps += account.steps;
    reason.unwrap_or_else(|| Reason::Incomplete("its trace cannot be written down".into()))
}

/// The beginning of a run that was the first to take some edges, rather of a late one: what follows it
/// is likely to be new. (As fuzzers do that are guided by coverage, "American fuzzy lop".)
fn prefix_of(pioneers: &VecDeque<Inputs>, random: &mut Random) -> Option<Inputs> {
    let count = pioneers.len();
    let pioneer = pioneers.get(random.below(count).max(random.below(count)))?;
    let length = random.below(pioneer.steps.len() + 1);
    Some(pioneer.beginning(length))
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
