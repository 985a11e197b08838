//! States that runs go through, and what formulas say of them.
//!
//! A guess about all runs that a state of one run contradicts needs no solver (Ernst et al.:
//! "Dynamically Discovering Likely Program Invariants", ICSE 1999; for claims about arrays: Nguyen,
//! Kapur, Weimer, Forrest, ICSE 2012).

use std::collections::BTreeMap;
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use num_traits::ToPrimitive as _;
use ult_core::formula::{Term, Version};
use ult_core::graph::LocationId;
use ult_core::stats::Statistics;

use super::expr::{Evaluation, Table};
use super::inputs::{Random, interesting};
use super::machine::{End, Experience, Machine};
use super::program::Program;
use super::value::Val;
use super::{meaning, tables};
use crate::limits;
use crate::task::Task;

/// So many of them from one run.
const OF_ONE_RUN: u64 = 12;

/// So many values near the limits of a range are tried for one bound variable.
const MOST_PROBES: usize = 30;

/// So many if there are two.
const MOST_PROBES_OF_TWO: usize = 8;

/// So many states are looked at then.
const MOST_STATES_OF_TWO: usize = 12;

/// States that runs went through.
pub(crate) struct Observed<'t> {
    task: Task<'t>,
    program: Program<'t>,
    functions: Vec<Table>,
    /// The numbers that are chosen often: in every other pair of runs, zero more than all others.
    constants: [Rc<[i64]>; 2],
    /// Which locations of the reduced graph the others stand for.
    places: BTreeMap<LocationId, LocationId>,
    /// By location of the reduced graph.
    states: BTreeMap<LocationId, Vec<Vec<Val>>>,
    most_states: usize,
    runs: u64,
}

impl<'t> Observed<'t> {
    /// Runs the program on chosen and random values, for a moment only, and keeps at most so many
    /// states of each location. `None` if it cannot be run.
    pub(crate) fn of(
        task: &Task<'t>,
        most_states: usize,
        stats: &mut Statistics,
    ) -> Option<Observed<'t>> {
        let rigid = meaning(task, stats).ok()?;
        let constants = interesting(task.terms, task.original);
        let inner = |&place: &LocationId| {
            place != task.graph.initial && task.graph.graph[place].error.is_none()
        };
        let mut observed = Observed {
            task: *task,
            program: Program::new(task.terms, task.original),
            functions: tables(task, &rigid)?,
            constants: [often_zero(&constants), constants],
            places: (task.graph.graph.node_indices().filter(inner))
                .filter_map(|place| Some((*task.places.get(&place)?, place)))
                .collect(),
            states: BTreeMap::new(),
            most_states,
            runs: 0,
        };
        for _ in 0..limits::SHORT_RUNS {
            observed.run(limits::SHORT_RUN, stats)?;
        }
        Some(observed)
    }

    /// A long run, if there are locations that no run got to.
    pub(crate) fn go_on(&mut self, stats: &mut Statistics) -> bool {
        let is_new = self.runs == limits::SHORT_RUNS && self.states.len() < self.places.len();
        is_new && self.run(limits::LONG_RUN, stats).is_some()
    }

    /// One run; `None` if nothing can be run any more.
    fn run(&mut self, longest: u64, stats: &mut Statistics) -> Option<()> {
        let graph = self.task.original;
        // From a state with maps at random, few runs get far: half of them begin plainly.
        let is_plain = self.runs.is_multiple_of(2);
        let [often_zero, others] = &self.constants;
        let constants = match self.runs % 4 {
            0 | 1 => others,
            _ => often_zero,
        };
        let random = Random::new(self.runs, constants.clone(), is_plain);
        let mut experience = Experience::new(graph);
        let mut machine = Machine::new(&self.program, &self.functions, random)?;
        if self.runs > 0 {
            machine.choose_freely();
        }
        self.runs += 1;
        let mut visits: BTreeMap<LocationId, Visits> = BTreeMap::new();
        let mut visit = |at: LocationId, state: &[Val]| {
            if let Some(&place) = self.places.get(&at) {
                visits.entry(place).or_default().enter(state);
            }
        };
        let control = self.task.control;
        if let End::Stopped(_) = machine.visit(longest, &mut experience, control, &mut visit) {
            return None;
        }
        stats.runs += 1;
        stats.run_steps += machine.steps();
        for (place, visits) in visits {
            let states = self.states.entry(place).or_default();
            states.extend(visits.kept.into_iter().chain(visits.last));
            states.truncate(self.most_states);
        }
        Some(())
    }

    /// How many states of a location there are.
    pub(crate) fn states(&self, location: LocationId) -> usize {
        self.states.get(&location).map_or(0, Vec::len)
    }

    /// For each formula: in which of the states of a location it holds, or has no value, where the
    /// bound variables have values near those of `probes`.
    pub(crate) fn table(
        &self,
        location: LocationId,
        formulas: &[Term],
        bound: &[Term],
        probes: &[Term],
    ) -> Option<Vec<FixedBitSet>> {
        let (terms, slots) = (self.program.terms, &self.program.slots);
        let roots = [formulas, probes].concat();
        let first = slots.len();
        let place = |var: &ult_core::formula::Var| match var.version {
            Version::Bound(_) => bound
                .iter()
                .position(|&b| terms.as_var(b) == Some(var))
                .map(|number| first + number),
            _ => slots.slot(var),
        };
        let (code, exprs) =
            super::expr::compile(terms, &roots, place, |name| slots.function(name))?;
        let (formulas, probes) = exprs.split_at(formulas.len());
        let mut truth = vec![Vec::new(); formulas.len()];
        let mut known = Vec::new();
        let states = self.states.get(&location).map_or(&[][..], Vec::as_slice);
        let stride = match bound.len() {
            0 | 1 => 1,
            _ => states.len().div_ceil(MOST_STATES_OF_TWO).max(1),
        };
        for state in states.iter().step_by(stride) {
            let mut values = state.clone();
            values.resize(first + bound.len(), Val::Int(0));
            let mut near: Vec<i64> = Vec::new();
            known.clear();
            for probe in probes {
                let value = self.evaluation(&values, &code, &mut known).value(probe);
                near.extend(value.ok().and_then(|v| v.to_int()).and_then(|v| v.to_i64()));
            }
            for row in rows(&near, bound.len()) {
                for (slot, value) in row.into_iter().enumerate() {
                    values[first + slot] = Val::Int(value);
                }
                known.clear();
                for (formula, truth) in formulas.iter().zip(&mut truth) {
                    let holds = self.evaluation(&values, &code, &mut known).truth(formula);
                    truth.push(!matches!(holds, Ok(false)));
                }
            }
        }
        let set = |truth: Vec<bool>| {
            let holds = truth.iter().enumerate().filter(|&(_, &holds)| holds);
            let mut set = FixedBitSet::with_capacity(truth.len());
            holds.for_each(|(row, _)| set.insert(row));
            set
        };
        Some(truth.into_iter().map(set).collect())
    }

    fn evaluation<'a>(
        &'a self,
        slots: &'a [Val],
        code: &'a super::expr::Code,
        known: &'a mut Vec<Option<Val>>,
    ) -> Evaluation<'a> {
        Evaluation {
            terms: self.program.terms,
            slots,
            functions: &self.functions,
            code,
            known,
        }
    }
}

/// Some of the states in which one run is at one location: the first ones, then fewer and fewer,
/// and the last one.
#[derive(Default)]
struct Visits {
    count: u64,
    kept: Vec<Vec<Val>>,
    last: Option<Vec<Val>>,
}

impl Visits {
    fn enter(&mut self, state: &[Val]) {
        self.count += 1;
        if self.count <= OF_ONE_RUN / 2 || self.count.is_power_of_two() {
            if (self.kept.len() as u64) < OF_ONE_RUN {
                self.kept.push(state.to_vec());
            }
            self.last = None;
        } else {
            self.last = Some(state.to_vec());
        }
    }
}

/// As many zeroes as there are other numbers: programs ask for inputs whether to go on.
fn often_zero(constants: &[i64]) -> Rc<[i64]> {
    let mut all = constants.to_vec();
    all.resize(2 * constants.len(), 0);
    all.sort_unstable();
    all.into()
}

/// Values for the bound variables: near the given ones and near zero.
fn rows(near: &[i64], bound: usize) -> Vec<Vec<i64>> {
    let around = |&value: &i64| [0, -1, 1].map(|d| value.saturating_add(d));
    let mut values: Vec<i64> = Vec::new();
    let most = match bound {
        0 | 1 => MOST_PROBES,
        _ => MOST_PROBES_OF_TWO,
    };
    for value in [0, 1, 2]
        .into_iter()
        .chain(near.iter().flat_map(around))
        .chain(3..8)
    {
        if values.len() < most && !values.contains(&value) {
            values.push(value);
        }
    }
    match bound {
        0 => vec![Vec::new()],
        1 => values.into_iter().map(|value| vec![value]).collect(),
        _ => (values.iter())
            .flat_map(|&x| values.iter().map(move |&y| vec![x, y]))
            .collect(),
    }
}
