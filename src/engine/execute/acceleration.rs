//! Iterations of a loop that differ in nothing but how far some numbers have got, taken all at once.
//!
//! Some iterations are executed; if all take the same edges, and the integers that they hand on grow by the same in each of them, it
//! is tried how many more iterations would be like these: an iteration can be executed as well with the numbers far ahead. That all
//! those between are like them, too, the solver is asked: where it knows one that is not, the iterations before that one are left.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::{ToPrimitive as _, Zero as _};
use ult_core::control::Control;
use ult_core::formula::{Sort, Value};
use ult_core::graph::evidence::{AcceleratedPath, Footprint, Iterations, Symbol};
use ult_core::graph::{EdgeId, LocationId};
use ult_smt::{Answer, Session};

use super::deterministic::{DeterministicRun, End};
use super::repeats::{go_to, is_determined, visits};
use super::value::Val;
use crate::limits;

/// So many iterations are executed to see how they go on.
const SEEN: usize = 4;

/// Fewer iterations are executed one by one.
const FEWEST: u64 = 500;

/// An iteration with more edges is not looked at.
const LONGEST: usize = 2000;

/// So many of the last iterations are executed one by one: people want to see where they lead.
const LAST: u64 = 3;

/// More iterations than this are those of a loop without an end.
const MOST: u64 = 1 << 62;

/// So often the solver is asked about one loop.
const QUESTIONS: usize = 4;

/// Takes as many iterations as it can of the innermost loop that the run is in, if it is in one of those with these heads. Tells
/// whether it took some at once, or how the run ended, if it did.
pub(super) fn accelerate<'g>(
    run: &mut DeterministicRun<'_, 'g>,
    heads: &BTreeSet<LocationId>,
    session: &OnceCell<Session<'g>>,
    control: &Control,
) -> Result<bool, End> {
    let innermost = visits(run, heads).max_by_key(|(_, count)| *count);
    let Some((head, _)) = innermost else {
        return Ok(false);
    };
    if !go_to(run, head, LONGEST)? {
        return Ok(false);
    }
    let Some(seen) = Seen::of(run, head)? else {
        return Ok(false);
    };
    let Some(iterations) = seen.iterations(run, session, control) else {
        return Ok(false);
    };
    seen.begin(run, iterations.count - 1);
    for &edge in &iterations.iteration {
        if run.step()? != edge {
            return Err(End::Over);
        }
    }
    let accelerated = AcceleratedPath::new(vec![vec![Symbol::Iterations(iterations.into())]]);
    run.push_accelerated(accelerated.map_err(|_| End::Over)?);
    Ok(true)
}

/// What iterations had in common that were executed.
struct Seen {
    iteration: Vec<EdgeId>,
    /// The variables that an iteration reads and writes, with their values now and by how much they grow, if they are numbers that do.
    carried: Vec<(usize, Val, BigInt)>,
}

impl Seen {
    /// Executes iterations from the head of a loop on.
    fn of(run: &mut DeterministicRun<'_, '_>, head: LocationId) -> Result<Option<Seen>, End> {
        let mut states = vec![run.state().to_vec()];
        let mut iteration: Option<Vec<EdgeId>> = None;
        for _ in 0..SEEN {
            let mut edges = Vec::new();
            while edges.is_empty() || run.at() != head {
                let edge = run.step()?;
                run.push(edge);
                edges.push(edge);
                if edges.len() > LONGEST {
                    return Ok(None);
                }
            }
            if iteration
                .as_ref()
                .is_some_and(|iteration| *iteration != edges)
            {
                return Ok(None);
            }
            iteration = Some(edges);
            states.push(run.state().to_vec());
        }
        let program = run.program();
        let Some(iteration) =
            iteration.filter(|iteration| iteration.iter().all(|&e| is_determined(program, e)))
        else {
            return Ok(None);
        };
        let footprint = Footprint::along(program.terms, program.graph, &iteration);
        let carried = footprint.reads.intersection(&footprint.writes);
        let carried = carried.map(|&variable| {
            let steps = states.windows(2);
            let mut steps = steps.map(|two| growth(&two[0][variable], &two[1][variable]));
            let by = steps.next()??;
            let is_steady = steps.all(|other| other.as_ref() == Some(&by));
            is_steady.then(|| (variable, run.state()[variable].clone(), by))
        });
        let carried: Option<Vec<_>> = carried.collect();
        Ok(carried.map(|carried| Seen { iteration, carried }))
    }

    /// The values with which the iteration begins that comes after so many others.
    fn begin(&self, run: &mut DeterministicRun<'_, '_>, after: u64) {
        for (variable, value, by) in self.growing() {
            run.set(variable, Val::int(value + by * after));
        }
    }

    fn growing(&self) -> impl Iterator<Item = (usize, BigInt, &BigInt)> {
        let growing = self.carried.iter().filter(|(_, _, by)| !by.is_zero());
        growing.filter_map(|(variable, value, by)| Some((*variable, value.to_int()?, by)))
    }

    /// Whether the iteration that comes after so many others is like those that were seen. The run is where it was afterwards.
    fn is_like(&self, run: &mut DeterministicRun<'_, '_>, after: u64) -> bool {
        run.tried(|run| {
            self.begin(run, after);
            let before = run.state().to_vec();
            let all = self.iteration.iter().all(|&edge| run.step() == Ok(edge));
            let mut carried = self.carried.iter();
            all && carried.all(|(variable, _, by)| {
                growth(&before[*variable], &run.state()[*variable]).as_ref() == Some(by)
            })
        })
    }

    /// All iterations from now on that are like those that were seen, if they are many. The run is where an iteration begins.
    fn iterations<'g>(
        &self,
        run: &mut DeterministicRun<'_, 'g>,
        session: &OnceCell<Session<'g>>,
        control: &Control,
    ) -> Option<Iterations> {
        // The first one that is not, if there is but one place where this changes.
        let (mut like, mut unlike) = (0, 1);
        while self.is_like(run, unlike) {
            (like, unlike) = (unlike, 2 * unlike);
            if unlike > MOST || control.check().is_err() {
                return None;
            }
        }
        while unlike - like > 1 {
            let middle = like + (unlike - like) / 2;
            match self.is_like(run, middle) {
                true => like = middle,
                false => unlike = middle,
            }
        }
        let program = run.program();
        let graph = program.graph;
        let name = |variable: usize| {
            graph
                .variables
                .get_index(variable)
                .expect("numbered by it")
                .0
        };
        let mut iterations = Iterations {
            iteration: self.iteration.clone(),
            count: unlike.saturating_sub(LAST),
            by: (self.growing())
                .map(|(variable, _, by)| (name(variable).clone(), by.clone()))
                .collect(),
        };
        let mut values: BTreeMap<&str, Value> = BTreeMap::new();
        for ((name, sort), value) in graph.variables.iter().zip(run.state()) {
            if !matches!(sort, Sort::Map(_))
                && let Some(value) = value.to_value(sort)
            {
                values.insert(name, value);
            }
        }
        let terms = program.terms;
        let number = terms.fresh_aux("iteration", Sort::Int);
        let value_of = |name: &str| values.get(name).cloned();
        let condition = iterations.condition(terms, graph, value_of, number).ok()?;
        let session = session.get_or_init(|| Session::new(terms, &[], control));
        for _ in 0..QUESTIONS {
            if iterations.count < FEWEST {
                return None;
            }
            let mut solver = session.solver();
            let others = terms.int(iterations.count - 1);
            for part in [
                terms.le(terms.int(0), number),
                terms.lt(number, others),
                terms.not(condition),
            ] {
                solver.assert(part).ok()?;
            }
            match solver.check(&[], Some(limits::ALIKE)) {
                Answer::Unsat => {
                    return self
                        .is_like(run, iterations.count - 1)
                        .then_some(iterations);
                }
                Answer::Sat => match solver.model().ok()?.value(number).ok()? {
                    // Those before it are left.
                    Value::Int(other) => iterations.count = other.to_u64()?.saturating_sub(LAST),
                    _ => return None,
                },
                Answer::Unknown(_) => return None,
            }
        }
        None
    }
}

/// By how much a value grows, if it is known: not at all, or both are numbers.
fn growth(before: &Val, after: &Val) -> Option<BigInt> {
    match before.is_obviously(after) {
        true => Some(BigInt::zero()),
        false => Some(after.to_int()? - before.to_int()?),
    }
}
