//! One statistics record for all engines, so that a comparison means something.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;

/// Obligations by the stage that decided them, as Ivančić and others count them (TCS 2008, Table 4).
/// What is still open is for the report to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stages {
    /// Proved by an analysis: no search for paths or states, and no refinement.
    pub proved_by_analysis: u64,
    /// Proved by model checking.
    pub proved_by_search: u64,
    /// Violated, with a run.
    pub violated: u64,
}

/// What a search that unrolls has come to at one depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unrolled {
    /// How many steps there are.
    pub depth: u64,
    /// The time since the search began, in seconds.
    #[serde(serialize_with = "seconds")]
    pub time: Duration,
    /// The clauses that the solver was given.
    pub clauses: u64,
    /// The conflicts that it has had.
    pub conflicts: u64,
}

fn seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// Counters and times of one unit (or, added up, of a whole run).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// Locations of the unreduced graph.
    pub locations: u64,
    /// Edges of the unreduced graph.
    pub edges: u64,
    /// Locations after the reductions.
    pub reduced_locations: u64,
    /// Edges after the reductions.
    pub reduced_edges: u64,
    /// Questions asked to the solver.
    pub solver_calls: u64,
    /// Time spent in the solver.
    pub solver_time: Duration,
    /// Questions that were asked in each of the ways in which solvers can be asked. One that takes long
    /// is asked in several.
    pub ways_tried: indexmap::IndexMap<String, u64>,
    /// Those of them that it answered.
    pub ways_won: indexmap::IndexMap<String, u64>,
    /// The time that it took. Ways side by side count each for itself.
    pub ways_time: indexmap::IndexMap<String, Duration>,
    /// The longest single question.
    pub longest_query: Duration,
    /// The largest number of steps that runs were followed (engines that unroll).
    pub depth: u64,
    /// Error paths examined.
    pub paths: u64,
    /// Error paths refuted and used to refine.
    pub refinements: u64,
    /// Nodes split.
    pub splits: u64,
    /// Edges found infeasible and removed.
    pub sliced_edges: u64,
    /// Edge feasibility questions answered without the solver.
    pub cached_edges: u64,
    /// The largest number of nodes the labelled graph had.
    pub nodes: u64,
    /// Coverings (engines that cover).
    pub coverings: u64,
    /// Coverings that were forced by strengthening a path.
    pub forced_coverings: u64,
    /// Abstract successors computed with predicates.
    pub abstractions: u64,
    /// Models looked at for abstractions.
    pub models: u64,
    /// Different predicates found.
    pub predicates: u64,
    /// The most predicates at one place: so many truth values are enough where places share them, each of which stands for
    /// another predicate elsewhere (F-SOFT's registers). Without sharing, each predicate has its own.
    pub registers: u64,
    /// Latches of the largest circuit that was made of the program.
    pub latches: u64,
    /// Its and-gates.
    pub gates: u64,
    /// Its inputs.
    pub inputs: u64,
    /// What the unrolling of circuits came to, depth by depth; of a large number of depths, some.
    pub unrolled: Vec<Unrolled>,
    /// Runs executed on concrete values.
    pub runs: u64,
    /// The steps of these runs.
    pub run_steps: u64,
    /// Interpolant sequences computed and accepted, by strategy.
    pub interpolations: indexmap::IndexMap<String, u64>,
    /// Interpolation attempts that failed or whose result was refused, by strategy.
    pub interpolation_failures: indexmap::IndexMap<String, u64>,
    /// Time spent in engines, by engine. Engines side by side count each for itself.
    pub engines_time: indexmap::IndexMap<String, Duration>,
    /// Obligations decided, by the engine whose claim the checker accepted.
    pub decided_by: indexmap::IndexMap<String, u64>,
    /// Those, by stage.
    pub stages: Stages,
    /// Error locations decided by evidence that was kept from an earlier run and checked again.
    pub reused: u64,
    /// How often evidence was kept for later runs.
    pub kept: u64,
    /// Time from the text to the typed program.
    pub read_time: Duration,
    /// Time from the typed program to program graphs.
    pub lower_time: Duration,
    /// Time spent in reductions.
    pub reduce_time: Duration,
    /// Time spent in engines, all in all.
    pub engine_time: Duration,
    /// The part of it spent on auxiliary invariants.
    pub auxiliary_time: Duration,
    /// The part of it spent in interpolation.
    pub interpolation_time: Duration,
    /// Time spent in the checker.
    pub check_time: Duration,
}

impl Statistics {
    /// Adds the counters of another unit.
    pub fn add(&mut self, other: &Statistics) {
        self.locations += other.locations;
        self.edges += other.edges;
        self.reduced_locations += other.reduced_locations;
        self.reduced_edges += other.reduced_edges;
        self.solver_calls += other.solver_calls;
        self.solver_time += other.solver_time;
        for (name, count) in &other.ways_tried {
            *self.ways_tried.entry(name.clone()).or_default() += count;
        }
        for (name, count) in &other.ways_won {
            *self.ways_won.entry(name.clone()).or_default() += count;
        }
        for (name, time) in &other.ways_time {
            *self.ways_time.entry(name.clone()).or_default() += *time;
        }
        self.longest_query = self.longest_query.max(other.longest_query);
        self.depth = self.depth.max(other.depth);
        self.paths += other.paths;
        self.refinements += other.refinements;
        self.splits += other.splits;
        self.sliced_edges += other.sliced_edges;
        self.cached_edges += other.cached_edges;
        self.nodes = self.nodes.max(other.nodes);
        self.coverings += other.coverings;
        self.forced_coverings += other.forced_coverings;
        self.abstractions += other.abstractions;
        self.models += other.models;
        self.predicates = self.predicates.max(other.predicates);
        self.registers = self.registers.max(other.registers);
        self.latches = self.latches.max(other.latches);
        self.gates = self.gates.max(other.gates);
        self.inputs = self.inputs.max(other.inputs);
        self.unrolled.extend_from_slice(&other.unrolled);
        self.runs += other.runs;
        self.run_steps += other.run_steps;
        for (name, count) in &other.interpolations {
            *self.interpolations.entry(name.clone()).or_default() += count;
        }
        for (name, count) in &other.interpolation_failures {
            *self.interpolation_failures.entry(name.clone()).or_default() += count;
        }
        for (name, time) in &other.engines_time {
            *self.engines_time.entry(name.clone()).or_default() += *time;
        }
        for (name, count) in &other.decided_by {
            *self.decided_by.entry(name.clone()).or_default() += count;
        }
        self.stages.proved_by_analysis += other.stages.proved_by_analysis;
        self.stages.proved_by_search += other.stages.proved_by_search;
        self.stages.violated += other.stages.violated;
        self.reused += other.reused;
        self.kept += other.kept;
        self.read_time += other.read_time;
        self.lower_time += other.lower_time;
        self.reduce_time += other.reduce_time;
        self.engine_time += other.engine_time;
        self.auxiliary_time += other.auxiliary_time;
        self.interpolation_time += other.interpolation_time;
        self.check_time += other.check_time;
    }

    /// Raises each of the numbers that a [`Meter`] counts to what it says, where that is more.
    pub fn raise_to(&mut self, counted: &Statistics) {
        fn raise<T: Ord + Copy>(own: &mut T, counted: T) {
            *own = counted.max(*own);
        }
        fn raise_all<T: Ord + Copy + Default>(
            own: &mut indexmap::IndexMap<String, T>,
            counted: &indexmap::IndexMap<String, T>,
        ) {
            for (name, &value) in counted {
                raise(own.entry(name.clone()).or_default(), value);
            }
        }
        raise(&mut self.locations, counted.locations);
        raise(&mut self.edges, counted.edges);
        raise(&mut self.reduced_locations, counted.reduced_locations);
        raise(&mut self.reduced_edges, counted.reduced_edges);
        raise(&mut self.solver_calls, counted.solver_calls);
        raise(&mut self.solver_time, counted.solver_time);
        raise(&mut self.longest_query, counted.longest_query);
        raise(&mut self.reduce_time, counted.reduce_time);
        raise_all(&mut self.ways_tried, &counted.ways_tried);
        raise_all(&mut self.ways_won, &counted.ways_won);
        raise_all(&mut self.ways_time, &counted.ways_time);
        raise_all(&mut self.engines_time, &counted.engines_time);
    }

    /// Counts the time of one engine.
    pub fn engine(&mut self, name: &str, time: Duration) {
        *self.engines_time.entry(name.to_owned()).or_default() += time;
    }

    /// Counts a try of a tactic for a question.
    pub fn tactic(&mut self, name: &str, won: bool, time: Duration) {
        if !self.ways_tried.contains_key(name) {
            self.ways_tried.insert(name.to_owned(), 0);
            self.ways_won.insert(name.to_owned(), 0);
            self.ways_time.insert(name.to_owned(), Duration::ZERO);
        }
        self.ways_tried[name] += 1;
        self.ways_won[name] += u64::from(won);
        self.ways_time[name] += time;
    }

    /// Counts one question to the solver.
    pub fn solver_call(&mut self, time: Duration) {
        self.solver_calls += 1;
        self.solver_time += time;
        self.longest_query = self.longest_query.max(time);
    }
}

/// What a run has cost by now, counted while it works: for those who follow it, and for reports on
/// runs whose work never came to an end. Clones are one meter.
///
/// It has the sizes of graphs, the questions to solvers, how far searches have come, and the times of what has ended; what
/// else an engine counts of its own search is in its outcome only.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<Mutex<Metered>>);

#[derive(Debug, Default)]
struct Metered {
    counted: Statistics,
    at_work: Vec<&'static str>,
}

/// While it lives, somebody is at work.
#[derive(Debug)]
pub struct AtWork {
    meter: Meter,
    name: &'static str,
}

impl Drop for AtWork {
    fn drop(&mut self) {
        let at_work = &mut self.meter.metered().at_work;
        if let Some(own) = at_work.iter().position(|name| *name == self.name) {
            at_work.remove(own);
        }
    }
}

impl Meter {
    /// Counts something.
    pub fn count(&self, change: impl FnOnce(&mut Statistics)) {
        change(&mut self.metered().counted);
    }

    fn metered(&self) -> MutexGuard<'_, Metered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that an engine is at work, as long as the result lives.
    pub fn begins(&self, name: &'static str) -> AtWork {
        self.metered().at_work.push(name);
        let meter = self.clone();
        AtWork { meter, name }
    }

    /// The engines that are at work, in the order in which they began.
    pub fn at_work(&self) -> Vec<&'static str> {
        self.metered().at_work.clone()
    }

    /// What was counted by now.
    pub fn reading(&self) -> Statistics {
        let mut reading = Statistics::default();
        self.count(|counted| reading = counted.clone());
        reading
    }
}
