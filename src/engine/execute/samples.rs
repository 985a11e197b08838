//! States that runs go through, for who guesses what holds there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use num_bigint::BigInt;
use ult_core::graph::LocationId;

use super::inputs::{Random, interesting};
use super::machine::{Experience, Machine};
use super::program::Program;
use super::value::Val;
use super::{meaning, tables};
use crate::limits;
use crate::task::Task;
use ult_core::stats::Statistics;

/// Different values of some integer variables and truth values at a location; `true` is 1.
pub(crate) type Points = BTreeSet<Vec<BigInt>>;

/// So many points are taken at each location of one run, and of all together.
const PER_RUN: usize = 30;
const PER_LOCATION: usize = 600;

/// Values of integer variables and truth values at locations of the original graph, in some short runs.
pub(crate) fn samples(
    task: &Task<'_>,
    wanted: &BTreeMap<LocationId, Vec<Arc<str>>>,
    stats: &mut Statistics,
) -> BTreeMap<LocationId, Points> {
    let mut found: BTreeMap<LocationId, Points> = BTreeMap::new();
    let graph = task.original;
    let program = Program::new(task.terms, graph);
    let rigid = meaning(task, stats).ok();
    let Some(functions) = rigid.and_then(|rigid| tables(task, &rigid)) else {
        return found;
    };
    let mut slots: BTreeMap<LocationId, Vec<usize>> = BTreeMap::new();
    for (&location, names) in wanted {
        let numbers = names.iter().map(|name| graph.variables.get_index_of(name));
        if let Some(numbers) = numbers.collect() {
            slots.insert(location, numbers);
        }
    }
    let constants = interesting(task.terms, graph);
    let mut experience = Experience::new(graph);
    for error in graph.errors() {
        experience.close(error);
    }
    for run in 0..limits::SAMPLED_RUNS {
        let random = Random::new(run, constants.clone(), run == 0);
        let Some(mut machine) = Machine::new(&program, &functions, random) else {
            break;
        };
        let mut noted: BTreeMap<LocationId, Vec<Vec<BigInt>>> = BTreeMap::new();
        let mut note = |at: LocationId, state: &[Val]| {
            let Some(slots) = slots.get(&at) else { return };
            let points = noted.entry(at).or_default();
            if points.len() < PER_RUN {
                let values = slots.iter().map(|&slot| match &state[slot] {
                    Val::Bool(value) => Some(BigInt::from(*value)),
                    value => value.to_int(),
                });
                points.extend(values.collect::<Option<Vec<BigInt>>>());
            }
        };
        let longest = limits::SAMPLED_STEPS;
        machine.visit(longest, &mut experience, task.control, &mut note);
        stats.runs += 1;
        stats.run_steps += machine.steps();
        for (location, points) in noted {
            let all = found.entry(location).or_default();
            all.extend(
                points
                    .into_iter()
                    .take(PER_LOCATION.saturating_sub(all.len())),
            );
        }
        if task.control.check().is_err() {
            break;
        }
    }
    found
}
