//! Rounds of a loop that repeat themselves, taken many at a time.
//!
//! So many rounds one after the other, a power of two, are done by going half as many twice. What they do depends on the
//! variables that their edges read; where these have values that they had before the same rounds, nothing is executed: the
//! variables that they write get the values that they got then. A loop that counts in bits comes to few such cases, however
//! long it counts. (Gosper, "Exploiting regularities in large cellular spaces", Physica D 1984, does this for cells in a plane;
//! what is found is the [`AcceleratedPath`] that the run is written by.)
//!
//! Where rounds do not repeat themselves, as those that count in an integer, this is noticed soon and given up, and what was
//! executed remains.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ult_core::control::Control;
use ult_core::graph::evidence::{AcceleratedPath, Footprint, Symbol};
use ult_core::graph::{EdgeId, LocationId};

use super::deterministic::{DeterministicRun, End};
use super::program::Program;
use super::value::Val;

/// A loop is one that the run goes round at least so often...
const ROUNDS: usize = 16;

/// ...in so many edges.
const WINDOW: usize = 50_000;

/// So many rounds and edges are executed before it matters how many rounds were not.
const TRIED: u64 = 4096;
const TRIED_EDGES: usize = 500_000;

/// A round of more edges is none: the loop was left.
const LONGEST: usize = 20_000;

/// So many different sequences of rounds of one length are told apart.
const DIFFERENT: usize = 500;

/// Whoever goes round more often than two to this power goes round for ever.
const ROUNDS_LOG: usize = 100;

/// Takes as many rounds as it can of the loop that the run is in, if it is in one of those with these heads. Tells how the run
/// ended, if it did.
pub(super) fn repeats(
    run: &mut DeterministicRun<'_, '_>,
    heads: &BTreeSet<LocationId>,
    control: &Control,
) -> Option<End> {
    let (head, _) = visits(run, heads).min_by_key(|(_, count)| *count)?;
    match go_to(run, head, LONGEST) {
        Ok(true) => {}
        Ok(false) => return None,
        Err(end) => return Some(end),
    }
    let mut repeating = Repeating {
        run,
        head,
        sequences: Vec::new(),
        of_length: Vec::new(),
        by_parts: HashMap::new(),
        footprints: HashMap::new(),
        executed: 0,
        leapt: 0,
        edges: 0,
        control,
    };
    let mut done = Vec::new();
    let broken = loop {
        let log = done.len();
        if log > ROUNDS_LOG {
            break Broken::because(Why::Over(End::Limit));
        }
        match repeating.iterations(log) {
            Ok(sequence) => done.push(sequence),
            Err(broken) => break broken,
        }
    };
    repeating.finish(done, broken)
}

/// The heads of the loops that the run went round lately, each with how often it came there.
pub(super) fn visits(
    run: &DeterministicRun<'_, '_>,
    heads: &BTreeSet<LocationId>,
) -> impl Iterator<Item = (LocationId, usize)> {
    let edges = run.edges();
    let since = run.leaps().last().map_or(0, |leap| leap.before);
    let lately = &edges[since.max(edges.len().saturating_sub(WINDOW))..];
    let mut visits: BTreeMap<LocationId, usize> = BTreeMap::new();
    for &edge in lately {
        let target = run.program().target(EdgeId::new(edge as usize));
        if heads.contains(&target) {
            *visits.entry(target).or_default() += 1;
        }
    }
    visits.into_iter().filter(|(_, count)| *count >= ROUNDS)
}

/// Goes on until the run is at a location. Tells whether it got there, in so many steps.
pub(super) fn go_to(
    run: &mut DeterministicRun<'_, '_>,
    location: LocationId,
    most: usize,
) -> Result<bool, End> {
    for _ in 0..most {
        if run.at() == location {
            return Ok(true);
        }
        let edge = run.step()?;
        run.push(edge);
    }
    Ok(run.at() == location)
}

/// Whether the state before an edge determines the state after it.
pub(super) fn is_determined(program: &Program<'_>, edge: EdgeId) -> bool {
    let plan = program.plan(edge);
    plan.is_some_and(|plan| plan.said.is_empty() && plan.chosen.is_empty())
}

/// Rounds, one after the other.
struct Sequence {
    parts: Parts,
    footprint: Footprint,
    /// The values of what it reads that it was executed with, and those that it left of what it writes.
    known: Vec<(Vec<Val>, Vec<Val>)>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Parts {
    /// One round.
    Round(Vec<EdgeId>),
    /// Two sequences of half as many rounds.
    Halves(usize, usize),
}

/// Rounds that were not completed: what was done of them, the last part first.
struct Broken {
    parts: Vec<Part>,
    why: Why,
}

enum Part {
    Sequence(usize),
    Edge(EdgeId),
}

enum Why {
    /// The run ended.
    Over(End),
    /// The loop was left, or it does not repeat itself.
    GivenUp,
}

impl Broken {
    fn because(why: Why) -> Broken {
        let parts = Vec::new();
        Broken { parts, why }
    }
}

struct Repeating<'l, 'p, 'g> {
    run: &'l mut DeterministicRun<'p, 'g>,
    head: LocationId,
    /// Those with halves come after these.
    sequences: Vec<Sequence>,
    /// The sequences of two to some power of rounds.
    of_length: Vec<Vec<usize>>,
    by_parts: HashMap<Parts, usize>,
    footprints: HashMap<EdgeId, Footprint>,
    /// How many rounds were executed, and how many were not.
    executed: u64,
    leapt: u64,
    /// How many edges were executed.
    edges: usize,
    control: &'l Control,
}

impl Repeating<'_, '_, '_> {
    /// Goes two to the power of `log` rounds.
    fn iterations(&mut self, log: usize) -> Result<usize, Broken> {
        if self.of_length.len() <= log {
            self.of_length.resize_with(log + 1, Vec::new);
        }
        if let Some(known) = self.known(log) {
            let iterations = 1_u64.checked_shl(log as u32).unwrap_or(u64::MAX);
            self.leapt = self.leapt.saturating_add(iterations);
            return Ok(known);
        }
        let before = self.run.state().to_vec();
        let parts = match log.checked_sub(1) {
            None => Parts::Round(self.round()?),
            Some(half) => {
                let first = self.iterations(half)?;
                let second = self.iterations(half).map_err(|mut broken| {
                    broken.parts.push(Part::Sequence(first));
                    broken
                })?;
                Parts::Halves(first, second)
            }
        };
        let sequence = self.sequence(log, parts);
        self.remember(sequence, &before);
        Ok(sequence)
    }

    /// Does what a sequence of so many rounds did that was executed with the values that there are now.
    fn known(&mut self, log: usize) -> Option<usize> {
        let state = self.run.state();
        let found = self.of_length[log].iter().find_map(|&number| {
            let Sequence {
                footprint, known, ..
            } = &self.sequences[number];
            let is_now = |before: &[Val]| {
                let reads = footprint.reads.iter().map(|&read| &state[read]);
                reads.zip(before).all(|(now, then)| now.is_obviously(then))
            };
            let (_, after) = known.iter().rev().find(|(before, _)| is_now(before))?;
            Some((number, after))
        });
        let (number, after) = found?;
        for (&variable, value) in self.sequences[number].footprint.writes.iter().zip(after) {
            self.run.set(variable, value.clone());
        }
        Some(number)
    }

    /// Executes one round.
    fn round(&mut self) -> Result<Vec<EdgeId>, Broken> {
        let mut edges: Vec<EdgeId> = Vec::new();
        let broken = |edges: Vec<EdgeId>, why| Broken {
            parts: edges.into_iter().rev().map(Part::Edge).collect(),
            why,
        };
        if let Err(stop) = self.control.check() {
            return Err(broken(edges, Why::Over(End::Stopped(stop))));
        }
        loop {
            match self.run.step() {
                Ok(edge) => edges.push(edge),
                Err(end) => return Err(broken(edges, Why::Over(end))),
            }
            if self.run.at() == self.head {
                break;
            }
            if edges.len() >= LONGEST {
                return Err(broken(edges, Why::GivenUp));
            }
        }
        self.executed += 1;
        self.edges += edges.len();
        let program = self.run.program();
        let is_trial = self.executed < TRIED && self.edges < TRIED_EDGES;
        let repeats = is_trial || self.leapt >= self.executed;
        let is_full = self.of_length.iter().any(|same| same.len() > DIFFERENT);
        match repeats && !is_full && edges.iter().all(|&edge| is_determined(program, edge)) {
            true => Ok(edges),
            false => Err(broken(edges, Why::GivenUp)),
        }
    }

    /// The number of a sequence of so many rounds.
    fn sequence(&mut self, log: usize, parts: Parts) -> usize {
        if let Some(&known) = self.by_parts.get(&parts) {
            return known;
        }
        let program = self.run.program();
        let mut footprint = Footprint::default();
        match &parts {
            Parts::Round(edges) => {
                for &edge in edges {
                    let own = self.footprints.entry(edge);
                    footprint.add(
                        own.or_insert_with(|| Footprint::of(program.terms, program.graph, edge)),
                    );
                }
            }
            Parts::Halves(first, second) => {
                for half in [first, second] {
                    footprint.add(&self.sequences[*half].footprint);
                }
            }
        }
        let number = self.sequences.len();
        self.by_parts.insert(parts.clone(), number);
        self.of_length[log].push(number);
        self.sequences.push(Sequence {
            parts,
            footprint,
            known: Vec::new(),
        });
        number
    }

    /// Notes what a sequence did to the state that it was executed in.
    fn remember(&mut self, sequence: usize, before: &[Val]) {
        let state = self.run.state();
        let Footprint { reads, writes } = &self.sequences[sequence].footprint;
        let of = |state: &[Val], variables: &BTreeSet<usize>| -> Vec<Val> {
            (variables.iter().map(|&variable| state[variable].clone())).collect()
        };
        let known = (of(before, reads), of(state, writes));
        self.sequences[sequence].known.push(known);
    }

    /// Notes in the run what was done: sequences, and parts of another one, the last first.
    fn finish(self, done: Vec<usize>, broken: Broken) -> Option<End> {
        let Broken { parts, why } = broken;
        // Only a round that was not completed has edges among the parts, behind all sequences.
        let (mut sequences, mut rest) = (done, Vec::new());
        for part in parts.into_iter().rev() {
            match part {
                Part::Sequence(number) => sequences.push(number),
                Part::Edge(edge) => rest.push(edge),
            }
        }
        // What was left out is worth an accelerated path if it is much.
        if self.leapt > self.executed {
            let rules = self.sequences.iter().map(|sequence| match &sequence.parts {
                Parts::Round(edges) => edges.iter().copied().map(Symbol::Edge).collect(),
                Parts::Halves(first, second) => vec![Symbol::Rule(*first), Symbol::Rule(*second)],
            });
            let whole = sequences.into_iter().map(Symbol::Rule).collect();
            match AcceleratedPath::new(rules.chain([whole]).collect()) {
                Ok(accelerated) => self.run.push_accelerated(accelerated),
                Err(_) => return Some(End::Over),
            }
        } else {
            for number in sequences {
                push_all(self.run, &self.sequences, number);
            }
        }
        for edge in rest {
            self.run.push(edge);
        }
        match why {
            Why::Over(end) => Some(end),
            Why::GivenUp => None,
        }
    }
}

/// Notes all edges of a sequence.
fn push_all(run: &mut DeterministicRun<'_, '_>, sequences: &[Sequence], number: usize) {
    match &sequences[number].parts {
        Parts::Round(edges) => edges.iter().for_each(|&edge| run.push(edge)),
        Parts::Halves(first, second) => {
            for half in [first, second] {
                push_all(run, sequences, *half);
            }
        }
    }
}
