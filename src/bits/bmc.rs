//! Bounded model checking: the circuit unrolled from the start, one step after the other.
//!
//! Biere, Cimatti, Clarke, Zhu: "Symbolic Model Checking without BDDs" (TACAS 1999). The steps are
//! composed as circuits, so that constants and what is the same in several steps disappear before
//! the solver sees it; the solver keeps what it has learnt from depth to depth (Eén, Sörensson:
//! "Temporal Induction by Incremental SAT Solving", 2003). The *forward condition*: if all runs have
//! halted, nothing is reached later.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::aig::{Aig, Lit, Node};
use crate::sat::{Answer, Choice, Circuit, Counts};
use crate::system::{LARGEST_CIRCUIT, System, copies};
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

/// The unrolled circuit.
pub struct Unrolling<'s> {
    system: &'s System,
    graph: &'s ProgramGraph,
    /// The nodes of the system's circuit that matter.
    cone: Vec<usize>,
    /// Whether latches do.
    needed: Vec<bool>,
    opaque: Option<Rc<str>>,
    aig: Aig,
    circuit: Circuit,
    frames: Vec<Frame>,
    /// The latches behind the last step.
    state: Vec<Lit>,
    /// Whether the run goes on behind the last step.
    alive: Lit,
}

impl<'s> Unrolling<'s> {
    /// Not unrolled yet.
    pub fn new(
        system: &'s System,
        graph: &'s ProgramGraph,
        choice: Choice,
        control: &Control,
    ) -> Unrolling<'s> {
        let bads = || system.bads.iter().map(|bad| bad.lit);
        let roots = || bads().chain(system.next_at.iter().copied());
        let needed = system.needed(roots());
        let latches = system.latches.iter().zip(&needed);
        let next = latches
            .filter(|(_, needed)| **needed)
            .map(|(latch, _)| latch.next);
        let cone = system.aig.cone(roots().chain(next));
        let mut aig = Aig::new();
        let state = system.latches.iter().map(|latch| match latch.start {
            Some(value) => Lit::constant(value),
            None => aig.leaf(),
        });
        let state = state.collect();
        Unrolling {
            system,
            graph,
            opaque: system.why_opaque(&cone),
            cone,
            needed,
            aig,
            circuit: Circuit::new(choice.solver(control)),
            frames: Vec::new(),
            state,
            alive: Lit::TRUE,
        }
    }

    /// How many steps there are.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// What the solver has counted.
    pub fn counts(&self) -> Counts {
        self.circuit.counts()
    }

    /// Whether it takes as much memory as it may.
    fn is_too_large(&self) -> bool {
        // A leaf of a step is a number; a node is several, with clauses.
        let leaves = self.system.aig.leaves().len() * self.frames.len();
        self.aig.len() + leaves / 16 > LARGEST_CIRCUIT
    }

    /// Adds a step.
    pub fn extend(&mut self) {
        let system = self.system;
        let mut leaves = vec![None; system.aig.leaves().len()];
        for (latch, &lit) in system.latches.iter().zip(&self.state) {
            if let Node::Leaf(number) = system.aig.node(latch.lit.node()) {
                leaves[number as usize] = Some(lit);
            }
        }
        let mut lits = vec![Lit::FALSE; system.aig.len()];
        for &number in &self.cone {
            let of = |lit: Lit| lits[lit.node()].invert_if(lit.is_inverted());
            lits[number] = match system.aig.node(number) {
                Node::False => Lit::FALSE,
                Node::Leaf(leaf) => *leaves[leaf as usize].get_or_insert_with(|| self.aig.leaf()),
                Node::And(a, b) => self.aig.and(of(a), of(b)),
            };
        }
        let of = |lit: Lit| lits[lit.node()].invert_if(lit.is_inverted());
        for (number, latch) in system.latches.iter().enumerate() {
            if self.needed[number] {
                self.state[number] = of(latch.next);
            }
        }
        let alive: Vec<Lit> = system.next_at.iter().map(|&lit| of(lit)).collect();
        self.alive = self.aig.any(&alive);
        self.frames.push(Frame {
            leaves: leaves
                .into_iter()
                .map(|lit| lit.unwrap_or(Lit::FALSE))
                .collect(),
            bads: system.bads.iter().map(|bad| of(bad.lit)).collect(),
        });
    }

    /// Whether the last step can end in one of the error locations.
    pub fn ask(&mut self, errors: &BTreeSet<LocationId>) -> Asked {
        let Some(frame) = self.frames.last() else {
            return Asked::NotReached;
        };
        let bads = self.system.bads.iter().zip(&frame.bads);
        let asked: Vec<Lit> = bads
            .filter(|(bad, _)| errors.contains(&bad.error))
            .map(|(_, &lit)| lit)
            .collect();
        let asked = self.aig.any(&asked);
        if asked == Lit::FALSE {
            return Asked::NotReached;
        }
        let lit = self.circuit.lit(&self.aig, asked);
        match self.circuit.solve(&[lit]) {
            Answer::Stopped => Asked::Stopped,
            Answer::Unsat => {
                self.circuit.add(&[!lit]);
                Asked::NotReached
            }
            Answer::Sat => self.reached(),
        }
    }

    /// The run of the solver's model.
    fn reached(&self) -> Asked {
        let model = self.circuit.values(&self.aig);
        let frames: Vec<_> = (self.frames.iter())
            .map(|frame| {
                let leaf = |leaf: u32| model.of(frame.leaves[leaf as usize]);
                self.system.aig.values(leaf)
            })
            .collect();
        let Some((error, run)) = self.system.run(self.graph, &frames) else {
            let error = self.system.bads[0].error;
            return Asked::Opaque(error, "a value that cannot be told".into());
        };
        match &self.opaque {
            Some(why) => Asked::Opaque(error, why.clone()),
            None => Asked::Reached(error, Box::new(run)),
        }
    }

    /// Whether all runs have halted, or ended in an error location, in the steps so far.
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

/// What the search has found.
#[derive(Debug, Default)]
pub struct Found {
    /// Runs into error locations.
    pub runs: BTreeMap<LocationId, Run>,
    /// Error locations that the circuit reaches, which allows more than the program; and why.
    pub opaque: BTreeMap<LocationId, Rc<str>>,
    /// Error locations that are neither reached nor copies of those.
    pub open: BTreeSet<LocationId>,
    /// In how many steps they are known not to be reached.
    pub depth: usize,
    /// Whether they are not reached in more steps either.
    pub is_over: bool,
}

/// Unrolls until everything is decided, or `control` says stop. `told` hears of every depth.
pub fn search(
    system: &System,
    graph: &ProgramGraph,
    choice: Choice,
    control: &Control,
    mut told: impl FnMut(usize, Counts),
) -> Found {
    let mut unrolling = Unrolling::new(system, graph, choice, control);
    let mut found = Found {
        open: system.bads.iter().map(|bad| bad.error).collect(),
        ..Found::default()
    };
    while control.check().is_ok() && !unrolling.is_too_large() {
        unrolling.extend();
        loop {
            match unrolling.ask(&found.open) {
                Asked::NotReached => break,
                Asked::Stopped => return found,
                Asked::Reached(error, run) => {
                    let copies = copies(graph, error);
                    found.open.retain(|error| !copies.contains(error));
                    found.runs.insert(error, *run);
                }
                Asked::Opaque(error, why) => {
                    found.open.remove(&error);
                    found.opaque.insert(error, why);
                }
            }
        }
        found.depth = unrolling.depth();
        told(found.depth, unrolling.counts());
        if found.open.is_empty() || unrolling.is_over() == Answer::Unsat {
            found.is_over = true;
            break;
        }
    }
    found
}
