//! The circuit unrolled: from the start, and if wanted from the end.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Settings;
use crate::aig::{Aig, Lit, Node};
use crate::hints::{Hints, Moment};
use crate::sat::{Answer, Circuit, Counts, SatLit};
use crate::system::{LARGEST_CIRCUIT, System};
use ult_core::control::Control;
use ult_core::graph::evidence::Run;
use ult_core::graph::{LocationId, ProgramGraph};

/// One step of the unrolling.
struct Frame {
    /// The leaves of the system's circuit in terms of the unrolled one, by number.
    leaves: Vec<Lit>,
    /// The system's bads.
    bads: Vec<Lit>,
}

/// A step, and what is the case behind it.
struct Stepped {
    frame: Frame,
    /// The latches.
    next: Vec<Lit>,
    /// Whether the run goes on.
    alive: Lit,
    /// The ways into each location.
    arrivals: Vec<Vec<Lit>>,
}

/// What a question about the last step has as its answer.
#[derive(Debug)]
pub enum Asked {
    /// No run reaches any of the error locations asked about in this many steps.
    NotReached,
    /// A run into one of them.
    Reached(LocationId, Box<Run>),
    /// A circuit reaches one of them, but it allows more than the program.
    Opaque(LocationId, Rc<str>),
    /// The solver was stopped.
    Stopped,
}

/// What of a system matters for its error locations.
struct Cone<'s> {
    system: &'s System,
    /// The nodes, arguments first.
    nodes: Vec<usize>,
    /// Whether latches matter.
    needed: Vec<bool>,
    opaque: Option<Rc<str>>,
    /// The nodes that say whether the state is at a location, with the location's number and the
    /// value that means it is not.
    elsewhere: FxHashMap<usize, (usize, bool)>,
}

impl<'s> Cone<'s> {
    fn new(system: &'s System) -> Cone<'s> {
        let bads = || system.bads.iter().map(|bad| bad.lit);
        let roots = || bads().chain(system.next_at.iter().copied());
        let needed = system.needed(roots());
        let latches = system.latches.iter().zip(&needed);
        let next = latches
            .filter(|(_, needed)| **needed)
            .map(|(latch, _)| latch.next);
        let nodes = system.aig.cone(roots().chain(next));
        let places = system.at.iter().enumerate();
        Cone {
            opaque: system.why_opaque(&nodes),
            nodes,
            needed,
            elsewhere: places
                .map(|(number, at)| (at.node(), (number, at.is_inverted())))
                .collect(),
            system,
        }
    }

    /// A step from a state, at one of the `reachable` locations if these are known: what is only the
    /// case at others is left out.
    fn step(&self, aig: &mut Aig, state: &[Lit], reachable: Option<&[bool]>) -> Stepped {
        let system = self.system;
        let mut leaves = vec![None; system.aig.leaves().len()];
        for (latch, &lit) in system.latches.iter().zip(state) {
            if let Node::Leaf(number) = system.aig.node(latch.lit.node()) {
                leaves[number as usize] = Some(lit);
            }
        }
        let mut lits = vec![Lit::FALSE; system.aig.len()];
        for &number in &self.nodes {
            let of = |lit: Lit| lits[lit.node()].invert_if(lit.is_inverted());
            lits[number] = match system.aig.node(number) {
                Node::False => Lit::FALSE,
                Node::Leaf(leaf) => *leaves[leaf as usize].get_or_insert_with(|| aig.leaf()),
                Node::And(a, b) => aig.and(of(a), of(b)),
            };
            if let (Some(reachable), Some(&(location, value))) =
                (reachable, self.elsewhere.get(&number))
                && !reachable[location]
            {
                lits[number] = Lit::constant(value);
            }
        }
        let of = |lit: Lit| lits[lit.node()].invert_if(lit.is_inverted());
        let next = system.latches.iter().zip(&self.needed).zip(state);
        let next = next.map(|((latch, needed), &lit)| match needed {
            true => of(latch.next),
            false => lit,
        });
        let alive: Vec<Lit> = system.next_at.iter().map(|&lit| of(lit)).collect();
        let arrivals = system.arrivals.iter();
        Stepped {
            next: next.collect(),
            alive: aig.any(&alive),
            arrivals: arrivals
                .map(|arrivals| arrivals.iter().map(|&(_, lit)| of(lit)).collect())
                .collect(),
            frame: Frame {
                leaves: leaves
                    .into_iter()
                    .map(|lit| lit.unwrap_or(Lit::FALSE))
                    .collect(),
                bads: system.bads.iter().map(|bad| of(bad.lit)).collect(),
            },
        }
    }
}

/// The unrolled circuit.
///
/// Steps from the start are composed: what they lead to is known in terms of inputs. Steps before
/// the end, if there are any, begin in states of their own, which have to be met.
pub struct Unrolling<'s> {
    cone: Cone<'s>,
    graph: &'s ProgramGraph,
    hints: Hints,
    aig: Aig,
    circuit: Circuit,
    frames: Vec<Frame>,
    /// How many of them were asked about.
    asked: usize,
    /// The latches behind the last step.
    state: Vec<Lit>,
    /// The ways into each location, in the last step.
    arrivals: Option<Vec<Vec<Lit>>>,
    /// The locations that a path of so many steps leads to.
    paths: Vec<bool>,
    /// Whether others are left out of the step.
    pruned: bool,
    /// Whether the run goes on behind the last step.
    alive: Lit,
    /// The steps before the end, the last one first.
    ending: Vec<Frame>,
    /// The latches before the first of these.
    awaited: Vec<Lit>,
    /// That the steps from the start meet those before the end.
    meeting: Option<SatLit>,
}

impl<'s> Unrolling<'s> {
    /// Not unrolled yet.
    pub fn new(
        system: &'s System,
        graph: &'s ProgramGraph,
        settings: &Settings,
        control: &Control,
    ) -> Unrolling<'s> {
        let mut aig = Aig::new();
        let state = system.latches.iter().map(|latch| match latch.start {
            Some(value) => Lit::constant(value),
            None => aig.leaf(),
        });
        let state = state.collect();
        let first = |number| number == 0;
        Unrolling {
            cone: Cone::new(system),
            graph,
            hints: settings.hints,
            aig,
            circuit: Circuit::new(settings.solver.solver(control)),
            frames: Vec::new(),
            asked: 0,
            state,
            arrivals: None,
            paths: (0..system.locations.len()).map(first).collect(),
            pruned: settings.pruned,
            alive: Lit::TRUE,
            ending: Vec::new(),
            awaited: Vec::new(),
            meeting: None,
        }
    }

    /// How many steps there are.
    pub fn depth(&self) -> usize {
        self.frames.len() + self.ending.len()
    }

    /// What the solver has counted.
    pub fn counts(&self) -> Counts {
        self.circuit.counts()
    }

    /// Whether it takes as much memory as it may.
    pub fn is_too_large(&self) -> bool {
        // A leaf of a step is a number; a node is several, with clauses.
        let leaves = self.cone.system.aig.leaves().len() * self.depth();
        self.aig.len() + leaves / 16 > LARGEST_CIRCUIT
    }

    /// Adds a step behind those from the start.
    pub fn extend(&mut self) {
        let system = self.cone.system;
        if !self.hints.are_none() {
            let mut moment = self.moment(&self.state.clone()).within(self.paths.clone());
            if let Some(arrivals) = self.arrivals.take() {
                moment = moment.reached_by(arrivals);
            }
            let rank = u32::try_from(self.frames.len()).unwrap_or(u32::MAX);
            self.hints.give(&mut self.circuit, &self.aig, &moment, rank);
        }
        let reachable = self.pruned.then_some(self.paths.as_slice());
        let stepped = self.cone.step(&mut self.aig, &self.state, reachable);
        self.paths = system.successors(&self.paths);
        self.state = stepped.next;
        self.alive = stepped.alive;
        self.arrivals = Some(stepped.arrivals);
        self.frames.push(stepped.frame);
    }

    /// Adds a step in front of those before the end, or where there is one more of these, behind
    /// those from the start.
    pub fn extend_either(&mut self) {
        if self.ending.len() > self.frames.len() {
            self.extend();
        } else {
            self.extend_ending();
        }
        self.meet();
    }

    fn moment(&mut self, state: &[Lit]) -> Moment {
        Moment::new(self.cone.system, &mut self.aig, state, &self.cone.needed)
    }

    fn extend_ending(&mut self) {
        let system = self.cone.system;
        let before: Vec<Lit> = system.latches.iter().map(|_| self.aig.leaf()).collect();
        let stepped = self.cone.step(&mut self.aig, &before, None);
        if !self.ending.is_empty() {
            for (number, (&next, &awaited)) in stepped.next.iter().zip(&self.awaited).enumerate() {
                if self.cone.needed[number] {
                    let same = self.aig.iff(next, awaited);
                    let same = self.circuit.lit(&self.aig, same);
                    self.circuit.add(&[same]);
                }
            }
        }
        if !self.hints.are_none() {
            let moment = self.moment(&before);
            let steps = u32::try_from(self.ending.len()).unwrap_or(u32::MAX);
            let rank = u32::MAX - steps;
            self.hints.give(&mut self.circuit, &self.aig, &moment, rank);
        }
        self.awaited = before;
        self.ending.push(stepped.frame);
    }

    /// Where the steps from the start end, those before the end begin.
    fn meet(&mut self) {
        if let Some(before) = self.meeting.take() {
            self.circuit.add(&[!before]);
        }
        let meeting = self.circuit.variable();
        for (number, (&state, &awaited)) in self.state.iter().zip(&self.awaited).enumerate() {
            if self.cone.needed[number] {
                let same = self.aig.iff(state, awaited);
                let same = self.circuit.lit(&self.aig, same);
                self.circuit.add(&[!meeting, same]);
            }
        }
        self.meeting = Some(meeting);
    }

    /// Whether a step that was not asked about can end in one of the error locations.
    pub fn ask(&mut self, errors: &BTreeSet<LocationId>) -> Asked {
        let steps = match self.ending.first() {
            Some(last) => std::slice::from_ref(last),
            None => &self.frames[self.asked..],
        };
        let system = self.cone.system;
        let bads = steps
            .iter()
            .flat_map(|frame| system.bads.iter().zip(&frame.bads));
        let asked: Vec<Lit> = bads
            .filter(|(bad, _)| errors.contains(&bad.error))
            .map(|(_, &lit)| lit)
            .collect();
        let asked = self.aig.any(&asked);
        if asked == Lit::FALSE {
            self.asked = self.frames.len();
            return Asked::NotReached;
        }
        let lit = self.circuit.lit(&self.aig, asked);
        let assumed: Vec<SatLit> = self.meeting.into_iter().chain([lit]).collect();
        match self.circuit.solve(&assumed) {
            Answer::Stopped => Asked::Stopped,
            Answer::Unsat => {
                if self.meeting.is_none() {
                    self.circuit.add(&[!lit]);
                }
                self.asked = self.frames.len();
                Asked::NotReached
            }
            Answer::Sat => self.reached(),
        }
    }

    /// The run of the solver's model.
    fn reached(&self) -> Asked {
        let system = self.cone.system;
        let model = self.circuit.values(&self.aig);
        let frames: Vec<_> = (self.frames.iter().chain(self.ending.iter().rev()))
            .map(|frame| {
                let leaf = |leaf: u32| model.of(frame.leaves[leaf as usize]);
                system.aig.values(leaf)
            })
            .collect();
        let Some((error, run)) = system.run(self.graph, &frames) else {
            let error = system.bads[0].error;
            return Asked::Opaque(error, "a value that cannot be determined".into());
        };
        match &self.cone.opaque {
            Some(why) => Asked::Opaque(error, why.clone()),
            None => Asked::Reached(error, Box::new(run)),
        }
    }

    /// Whether all runs have halted, or ended in an error location, in the steps from the start so
    /// far.
    pub fn is_over(&mut self) -> Answer {
        match self.alive.as_constant() {
            Some(true) => return Answer::Sat,
            Some(false) => return Answer::Unsat,
            None => {}
        }
        let alive = self.circuit.lit(&self.aig, self.alive);
        self.circuit.solve(&[alive])
    }
}
