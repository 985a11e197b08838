//! Explicit values (Beyer, Löwe: "Explicit-State Software Model Checking Based on CEGAR and
//! Interpolation", FASE 2013), and symbolic execution where values are unknown (King: "Symbolic
//! Execution and Program Testing", CACM 1976).
//!
//! The graph as it was before the reductions is explored state by state: the values of variables
//! are numbers, or terms over symbols for what is unknown ([`state`]). Conditions about symbols are
//! taken in as far as they say what a symbol is or in which range it lies; others are forgotten. What
//! is known where edges meet is compared: a state that was there is not followed again. If that comes
//! to an end, the states are the claim. A way to an error location is followed again with nothing
//! forgotten, and the solver is asked for the inputs. If there are none, what contradicts itself on
//! the way is kept from then on ([`precision`]).
//!
//! At first the values of all variables are kept; if that makes too many states, none are, until ways
//! that no run takes tell which matter.
//!
//! | file | idea |
//! |---|---|
//! | `plan` | the formula of an edge, laid out for evaluation |
//! | `symbols` | what stands for an unknown value |
//! | `state` | what is known at a location |
//! | `elements` | maps of which some elements are known |
//! | `step` | what a step makes of it |
//! | `simple` | simpler terms, by ranges of symbols |
//! | `precision` | what is kept of it |
//! | `formula` | many states as one formula |
//! | `follow` | a way to an error location as a run |

mod elements;
mod follow;
mod formula;
mod plan;
mod precision;
mod simple;
mod state;
mod step;
mod symbols;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use indexmap::IndexMap;

use self::follow::Followed;
use self::plan::{Plan, Plans};
use self::precision::Precision;
use self::state::{State, Work};
use self::step::{Glance, Steps};
use crate::limits;
use crate::live::Live;
use crate::task::{Claims, Engine, Outcome, Task};
use petgraph::visit::EdgeRef as _;
use ult_core::formula::Term;
use ult_core::graph::analysis::{is_kept, with_a_way_to_an_error};
use ult_core::graph::evidence::{Invariants, Run};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_smt::{Answer, Session};

/// Explores states one by one.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExplicitValues;

impl Engine for ExplicitValues {
    fn run(&self, task: &Task<'_>, stats: &mut Statistics) -> Outcome {
        let mut search = Search::new(task);
        let end = search.explore();
        search.session.take_calls(stats);
        stats.nodes = stats.nodes.max(search.states.len() as u64);
        stats.refinements += search.refinements;
        let mut original = Claims {
            runs: std::mem::take(&mut search.runs),
            ..Claims::default()
        };
        let why = match end {
            Ok(()) => {
                original.invariants = Some(search.claim(&original.runs));
                None
            }
            Err(reason) => Some(reason),
        };
        for error in task.original.errors() {
            if original.runs.contains_key(&error) {
                continue;
            }
            let coarse = search.coarse.contains_key(&error).then(|| {
                let what = "explicit values say too little about the way there";
                Reason::Incomplete(what.into())
            });
            if let Some(reason) = coarse.or_else(|| why.clone()) {
                original.undecided.insert(error, reason);
            }
        }
        Outcome {
            original,
            ..Outcome::default()
        }
    }
}

/// Why a pass ended before all was explored.
enum End {
    /// More is kept from now on.
    Refined,
    /// The whole search was stopped.
    Stopped(Reason),
}

impl From<Reason> for End {
    fn from(reason: Reason) -> End {
        End::Stopped(reason)
    }
}

/// The edges of a way, the last one first.
type Way = Option<Rc<Link>>;

struct Link {
    edge: EdgeId,
    before: Way,
}

/// How a state was reached first.
struct Reached {
    /// From the state with this number, none for the first.
    from: usize,
    /// Along these edges.
    edges: Box<[EdgeId]>,
}

/// What is explored.
struct Search<'t> {
    task: &'t Task<'t>,
    graph: &'t ProgramGraph,
    steps: Steps<'t>,
    session: Session<'t>,
    plans: Plans<'t>,
    live: Live,
    useful: Vec<bool>,
    precision: Precision,
    refinements: u64,
    /// Whether what is kept of conditions about symbols can be the case.
    possible: HashMap<Term, bool>,
    states: IndexMap<(LocationId, State), Reached>,
    /// How many values the states hold.
    size: usize,
    /// How many steps are still taken.
    budget: u64,
    runs: BTreeMap<LocationId, Run>,
    /// Ways to error locations that no run takes: how many were tried.
    coarse: BTreeMap<LocationId, usize>,
    /// The error locations that nothing is known about.
    open: BTreeSet<LocationId>,
}

impl<'t> Search<'t> {
    fn new(task: &'t Task<'t>) -> Search<'t> {
        let (terms, graph) = (task.terms, task.original);
        Search {
            task,
            graph,
            steps: Steps::new(terms, graph),
            session: Session::new(terms, &graph.axioms, task.control),
            plans: Plans::new(terms, graph),
            live: Live::new(terms, graph),
            useful: with_a_way_to_an_error(graph),
            precision: Precision::all_values(graph),
            refinements: 0,
            possible: HashMap::new(),
            states: IndexMap::new(),
            size: 0,
            budget: 0,
            runs: BTreeMap::new(),
            coarse: BTreeMap::new(),
            open: graph.errors().collect(),
        }
    }

    /// Explores with all values, and if that are too many, with those that turn out to matter.
    fn explore(&mut self) -> Result<(), Reason> {
        self.budget = limits::EXPLICIT_STEPS / 3;
        match self.refined() {
            Err(Reason::Incomplete(_)) => {
                self.precision = Precision::nothing(self.graph);
                self.coarse.clear();
                self.open = self.graph.errors().collect();
                self.open.retain(|error| !self.runs.contains_key(error));
                self.budget = limits::EXPLICIT_STEPS / 3 * 2;
                self.refined()
            }
            end => end,
        }
    }

    /// Explores, and begins again whenever a way that no run takes says what matters.
    fn refined(&mut self) -> Result<(), Reason> {
        loop {
            match self.pass() {
                Ok(()) => return Ok(()),
                Err(End::Refined) => self.refinements += 1,
                Err(End::Stopped(reason)) => return Err(reason),
            }
        }
    }

    /// Explores all states, those that are found first first.
    fn pass(&mut self) -> Result<(), End> {
        self.states.clear();
        self.size = 0;
        self.arrive(self.graph.initial, Work::anything(self.graph), 0, &None);
        let mut next = 0;
        while let Some(((location, state), _)) = self.states.get_index(next) {
            let location = *location;
            let work = Work::of(state, self.graph, self.live.at(location));
            self.walk(next, location, work)?;
            if self.open.is_empty() {
                return match self.coarse.is_empty() {
                    true => Ok(()),
                    false => Err(self.too_much("paths that no execution takes").into()),
                };
            }
            next += 1;
        }
        Ok(())
    }

    fn too_much(&self, what: &str) -> Reason {
        let states = self.states.len();
        Reason::Incomplete(format!("explicit values: {what} after {states} states"))
    }

    /// Takes all steps from a state up to the next locations where states are kept.
    fn walk(&mut self, from: usize, start: LocationId, work: Work) -> Result<(), End> {
        let mut waiting: Vec<(LocationId, Work, Way)> = vec![(start, work, None)];
        while let Some((location, work, way)) = waiting.pop() {
            if self.graph.graph[location].error.is_some() {
                self.violated(location, from, &way)?;
                continue;
            }
            if way.is_some() && is_kept(self.graph, location) {
                self.arrive(location, work, from, &way);
                if self.size > limits::EXPLICIT_VALUES {
                    return Err(self.too_much("too many values").into());
                }
                continue;
            }
            let graph = self.graph;
            for edge in graph.graph.edges(location) {
                let (edge, target) = (edge.id(), edge.target());
                let is_closed = graph.graph[target].error.is_some() && !self.open.contains(&target);
                if !self.useful[target.index()] || is_closed {
                    continue;
                }
                self.count()?;
                let keeps = self.precision.kept.contains(edge.index());
                let plan = self.plans.of(edge);
                let after = match self.steps.glance(&work, edge, plan) {
                    Glance::Never => continue,
                    Glance::Taken(after) => vec![after],
                    Glance::Open => self.steps.after(work.clone(), plan, keeps),
                };
                for after in after {
                    if !self.is_possible(&after) {
                        continue;
                    }
                    let before = way.clone();
                    waiting.push((target, after, Some(Rc::new(Link { edge, before }))));
                }
            }
        }
        Ok(())
    }

    /// Whether what is kept of conditions can be the case. What the solver does not know may be.
    fn is_possible(&mut self, work: &Work) -> bool {
        if work.conditions.is_empty() {
            return true;
        }
        let terms = self.task.terms;
        let ranges = work.ranges.iter();
        let ranges = ranges.map(|(&symbol, range)| range.formula(terms, symbol));
        let formula = terms.and(work.conditions.iter().copied().chain(ranges));
        if let Some(&known) = self.possible.get(&formula) {
            return known;
        }
        let mut solver = self.session.solver();
        let limit = Some(limits::EXPLICIT_CORE);
        let is_possible =
            solver.assert(formula).is_err() || solver.check(&[], limit) != Answer::Unsat;
        drop(solver);
        self.possible.insert(formula, is_possible);
        is_possible
    }

    /// Counts a step. It is not time that is counted, so that the answer is always the same.
    fn count(&mut self) -> Result<(), Reason> {
        if self.budget == 0 {
            return Err(self.too_much("too many steps"));
        }
        self.budget -= 1;
        match self.budget % 128 {
            0 => self.task.control.check().map_err(Reason::from),
            _ => Ok(()),
        }
    }

    /// Keeps a state, if it was not there before.
    fn arrive(&mut self, location: LocationId, work: Work, from: usize, way: &Way) {
        let live = self.live.at(location);
        let tracked = &self.precision.tracked;
        let state = work.state(self.task.terms, &self.steps.symbols, live, tracked);
        let size = state.len() + 4;
        if let indexmap::map::Entry::Vacant(entry) = self.states.entry((location, state)) {
            let edges = edges_of(way).into();
            entry.insert(Reached { from, edges });
            self.size += size;
        }
    }

    /// Looks for a run along the way to an error location.
    fn violated(&mut self, error: LocationId, from: usize, way: &Way) -> Result<(), End> {
        if !self.open.contains(&error) {
            return Ok(());
        }
        let mut parts = vec![edges_of(way)];
        let mut number = from;
        while let Some((_, reached)) = self.states.get_index(number) {
            parts.push(reached.edges.to_vec());
            if number == 0 {
                break;
            }
            number = reached.from;
        }
        parts.reverse();
        let path = parts.concat();
        let plans: Vec<&Plan> = path.iter().map(|&edge| self.plans.of(edge)).collect();
        let core = match follow::follow(&self.steps, &self.session, &path, &plans) {
            Followed::Run(run) => {
                self.open.remove(&error);
                self.task.facts.found(error, &run, true);
                self.runs.insert(error, run);
                return Ok(());
            }
            Followed::Stopped(reason) => return Err(reason.into()),
            Followed::Nowhere(core) => core,
            Followed::Unknown => Vec::new(),
        };
        let (terms, graph) = (self.task.terms, self.graph);
        if (self.precision).refine(terms, graph, &path, &plans, &core) {
            return Err(End::Refined);
        }
        let tried = self.coarse.entry(error).or_default();
        *tried += 1;
        if *tried >= limits::EXPLICIT_WAYS {
            self.open.remove(&error);
        }
        Ok(())
    }

    /// All states, as a claim; error locations that some state leads to are exempt.
    fn claim(&self, runs: &BTreeMap<LocationId, Run>) -> Invariants {
        let (terms, graph) = (self.task.terms, self.graph);
        let mut formulas: BTreeMap<LocationId, Vec<Vec<Term>>> = BTreeMap::new();
        for (location, state) in self.states.keys() {
            let formula = state.formula(terms, graph, self.live.at(*location));
            formulas.entry(*location).or_default().push(formula);
        }
        let kept = graph.graph.node_indices();
        let kept = kept.filter(|&location| is_kept(graph, location));
        let at = kept.filter_map(|location| {
            if location == graph.initial || graph.graph[location].error.is_some() {
                return None;
            }
            let formula = match self.useful[location.index()] {
                true => formula::any_of(terms, formulas.remove(&location).unwrap_or_default()),
                false => terms.tt(),
            };
            Some((location, formula))
        });
        Invariants {
            at: at.collect(),
            exempt: runs.keys().chain(self.coarse.keys()).copied().collect(),
            ..Invariants::default()
        }
    }
}

fn edges_of(way: &Way) -> Vec<EdgeId> {
    let mut edges = Vec::new();
    let mut link = way;
    while let Some(Link { edge, before }) = link.as_deref() {
        edges.push(*edge);
        link = before;
    }
    edges.reverse();
    edges
}
