//! The deterministic run.
//!
//! Many programs begin, and some go to their end, without anything being left open that matters:
//! they set their variables and compute. What is left open nevertheless, the state at the start and
//! what is chosen anew, has no value here ([`Val::Open`]), and neither has what is computed of it.
//! The run ends where more than one edge may be taken. If it is at an error location then, any
//! values will do for what is open.

use std::sync::Arc;

use ult_core::control::{Control, Stop};
use ult_core::graph::evidence::AcceleratedPath;
use ult_core::graph::{EdgeId, LocationId};

use super::expr::{Evaluation, Table};
use super::plan::{Action, Plan};
use super::program::Program;
use super::value::Val;

/// So many steps are taken between two questions whether to go on.
const STRIDE: usize = 4096;

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At an error location.
    Violated(LocationId),
    /// At a choice, or at a step that cannot be taken.
    Over,
    /// Where no edge leads on, or in a state that was there before: all runs went this way.
    Ended,
    /// The limit on the number of steps was reached.
    Limit,
    /// It was stopped from outside.
    Stopped(Stop),
}

/// Many edges that were taken at once, around a loop.
pub(super) struct Leap {
    /// How many edges were taken one by one before it.
    pub before: usize,
    /// The edges.
    pub accelerated: Arc<AcceleratedPath>,
    /// The values of the variables behind it.
    pub state: Vec<Val>,
}

/// The run, as far as it got.
pub(super) struct DeterministicRun<'p, 'g> {
    program: &'p Program<'g>,
    /// The rigid symbols; those that are missing may mean anything.
    functions: &'p [Table],
    at: LocationId,
    slots: Vec<Val>,
    known: Vec<Option<Val>>,
    /// The indices of the edges taken.
    edges: Vec<u32>,
    leaps: Vec<Leap>,
    /// A state on the way, where it was.
    landmark: Option<(LocationId, Vec<Val>)>,
}

impl<'p, 'g> DeterministicRun<'p, 'g> {
    /// At the initial location.
    pub(super) fn new(
        program: &'p Program<'g>,
        functions: &'p [Table],
    ) -> DeterministicRun<'p, 'g> {
        let slots = (0..program.slots.len()).map(|slot| Val::open(program.slots.sort(slot)));
        DeterministicRun {
            program,
            functions,
            at: program.graph.initial,
            slots: slots.collect(),
            known: Vec::new(),
            edges: Vec::new(),
            leaps: Vec::new(),
            landmark: None,
        }
    }

    /// The indices of the edges taken, without those in accelerated paths.
    pub(super) fn edges(&self) -> &[u32] {
        &self.edges
    }

    /// What was taken many edges at a time, in order.
    pub(super) fn leaps(&self) -> &[Leap] {
        &self.leaps
    }

    /// Goes on until it ends or has so many steps.
    pub(super) fn run(&mut self, limit: usize, control: &Control) -> End {
        loop {
            if self.edges.len() >= limit && !self.program.is_error(self.at) {
                return End::Limit;
            }
            if self.edges.len().is_multiple_of(STRIDE)
                && let Err(stop) = control.check()
            {
                return End::Stopped(stop);
            }
            match self.step() {
                Ok(edge) => self.push(edge),
                Err(end) => return end,
            }
            if self.goes_in_circles() {
                return End::Ended;
            }
        }
    }

    /// Takes the only step that there is, and tells its edge, or how the run ended.
    pub(super) fn step(&mut self) -> Result<EdgeId, End> {
        let program = self.program;
        if program.is_error(self.at) {
            return Err(End::Violated(self.at));
        }
        let mut way = None;
        for &edge in program.ways(self.at) {
            let plan = program.plan(edge).ok_or(End::Over)?;
            // Where there is one way on, what is assumed there may be open.
            if self.may_take(plan) && way.replace((edge, plan)).is_some() {
                return Err(End::Over);
            }
        }
        let (edge, plan) = way.ok_or(End::Ended)?;
        if !self.act(plan) {
            return Err(End::Over);
        }
        self.at = program.target(edge);
        Ok(edge)
    }

    /// Notes an edge that was taken.
    pub(super) fn push(&mut self, edge: EdgeId) {
        self.edges
            .push(u32::try_from(edge.index()).unwrap_or(u32::MAX));
    }

    /// Notes an accelerated path that was taken around a loop, and that led to where it is.
    pub(super) fn push_accelerated(&mut self, accelerated: AcceleratedPath) {
        self.leaps.push(Leap {
            before: self.edges.len(),
            accelerated: Arc::new(accelerated),
            state: self.state().to_vec(),
        });
    }

    /// Where it is.
    pub(super) fn at(&self) -> LocationId {
        self.at
    }

    /// The program that it is a run of.
    pub(super) fn program(&self) -> &'p Program<'g> {
        self.program
    }

    /// The values of the variables.
    pub(super) fn state(&self) -> &[Val] {
        &self.slots[..self.program.slots.variables()]
    }

    /// Does something, and goes back to where it was.
    pub(super) fn tried<T>(&mut self, something: impl FnOnce(&mut Self) -> T) -> T {
        let (at, slots) = (self.at, self.slots.clone());
        let result = something(self);
        (self.at, self.slots) = (at, slots);
        result
    }

    /// Gives a variable a value.
    pub(super) fn set(&mut self, variable: usize, value: Val) {
        self.slots[variable] = value;
    }

    /// Whether the state was there before: it is compared with one that is farther and farther back (Brent, "An improved Monte
    /// Carlo factorization algorithm", 1980).
    fn goes_in_circles(&mut self) -> bool {
        let steps = self.edges.len();
        let slots = &self.slots[..self.program.slots.variables()];
        if let Some((at, state)) = &self.landmark
            && *at == self.at
            && state
                .iter()
                .zip(slots)
                .all(|(old, new)| old.is_obviously(new))
        {
            return true;
        }
        if steps >= 64 && steps.is_power_of_two() {
            self.landmark = Some((self.at, slots.to_vec()));
        }
        false
    }

    /// Whether no condition on the state before is known to be false.
    fn may_take(&mut self, plan: &Plan) -> bool {
        self.known.clear();
        (plan.actions[..plan.guards].iter()).all(|action| match action {
            Action::Guard(number) => self.evaluation(plan).truth(&plan.exprs[*number]) != Ok(false),
            Action::Set(..) | Action::Choose(_) | Action::Put(_) => false,
        })
    }

    /// Takes the step; `false` if it cannot be taken.
    fn act(&mut self, plan: &Plan) -> bool {
        let program = self.program;
        let open = |slot: usize| Val::open(program.slots.sort(slot));
        self.known.clear();
        for action in &plan.actions[plan.guards..] {
            match *action {
                Action::Guard(number) => {
                    if self.evaluation(plan).truth(&plan.exprs[number]) == Ok(false) {
                        return false;
                    }
                }
                Action::Set(slot, number) => {
                    let value = self.evaluation(plan).result(&plan.exprs[number]);
                    self.slots[slot] = value.unwrap_or_else(|_| open(slot));
                }
                Action::Put(number) => {
                    let put = &plan.puts[number];
                    let change = self.evaluation(plan).change(put, &plan.exprs);
                    let done = change
                        .ok()
                        .and_then(|(path, value)| self.slots[put.slot].put(&path, value));
                    if done.is_none() {
                        self.slots[put.slot] = open(put.slot);
                    }
                }
                Action::Choose(slot) => self.slots[slot] = open(slot),
            }
        }
        let count = program.slots.variables();
        for &variable in &plan.changed {
            self.slots.swap(variable, count + variable);
        }
        true
    }

    fn evaluation<'a>(&'a mut self, plan: &'a Plan) -> Evaluation<'a> {
        Evaluation {
            terms: self.program.terms,
            slots: &self.slots,
            functions: self.functions,
            code: &plan.code,
            known: &mut self.known,
        }
    }
}
