//! IC3: an inductive set of clauses over single bits of the state, or a run.
//!
//! Bradley: "SAT-Based Model Checking without Unrolling" (VMCAI 2011); Eén, Mishchenko, Brayton:
//! "Efficient Implementation of Property Directed Reachability" (FMCAD 2011). `frames[i]` holds
//! clauses that all states satisfy which are reached in `i` steps or fewer. A state from which an
//! error is one step away is an *obligation*: it is shown not to be reached in so many steps, by a
//! clause that says more than that, or has a predecessor, which is the next obligation. Clauses that
//! follow from their own frame move up; if all of one do, they are inductive.
//!
//! Each state has one successor for given inputs, so a predecessor can be made larger: bits that do
//! not matter for the step are dropped ("lifting").

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::aig::{Aig, Lit, Values};
use crate::hints::{Hints, Moment};
use crate::sat::{Answer, Choice, Circuit, Counts, SatLit};
use crate::system::{System, copies};
use ult_core::control::Control;
use ult_core::graph::evidence::Run;
use ult_core::graph::{LocationId, ProgramGraph};

/// A latch and the value it has: twice its number, plus one if it is false.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bit(u32);

impl Bit {
    fn new(latch: usize, value: bool) -> Bit {
        Bit((latch as u32) << 1 | u32::from(!value))
    }

    /// The number of the latch.
    pub fn latch(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Its value.
    pub fn value(self) -> bool {
        self.0 & 1 == 0
    }
}

impl std::fmt::Debug for Bit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.latch(), u8::from(self.value()))
    }
}

/// A set of states: those in which all bits have these values. Sorted.
pub type Cube = Vec<Bit>;

/// What the search has found.
#[derive(Debug, Default)]
pub struct Found {
    /// Runs into error locations.
    pub runs: BTreeMap<LocationId, Run>,
    /// Error locations that the circuit reaches, which allows more than the program; and why.
    pub opaque: BTreeMap<LocationId, Rc<str>>,
    /// Cubes that no run gets to, which together exclude the error locations that were `open` at the
    /// end, by induction.
    pub invariant: Option<Vec<Cube>>,
    /// Error locations that are neither reached nor copies of those.
    pub open: BTreeSet<LocationId>,
    /// How many frames there are.
    pub frames: usize,
}

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The solver.
    pub solver: Choice,
    /// What it is told besides the step.
    pub hints: Hints,
}

/// Searches until everything is decided, or `control` says stop. `told` hears of every frame.
pub fn search(
    system: &System,
    graph: &ProgramGraph,
    settings: &Settings,
    control: &Control,
    told: impl FnMut(usize, Counts),
) -> Found {
    let mut search = Search::new(system, graph, *settings, control);
    // A run that was stopped says what it has found.
    let _ = search.decide(told);
    search.found.open = search.open;
    search.found
}

/// The solver was stopped.
struct Stopped;

/// A state, or several, from which an error is reached.
struct Obligation {
    cube: Cube,
    /// The values of inputs that lead on, by leaf.
    inputs: Vec<bool>,
    /// The values of all latches.
    state: Vec<bool>,
    /// What is reached in the next step; `None` for an error.
    next: Option<usize>,
}

/// So many clauses that are no longer used are kept before the solver is made anew.
const RUBBISH: usize = 3000;

/// So often a bit is dropped in vain before a clause is taken as it is.
const PATIENCE: usize = 12;

struct Search<'s> {
    system: &'s System,
    graph: &'s ProgramGraph,
    choice: Choice,
    guide: Option<Guide>,
    control: &'s Control,
    needed: Vec<usize>,
    /// One step from states of frames.
    step: Stepper,
    /// One step from any state.
    lift: Stepper,
    /// The literals that say that a frame's clauses hold.
    active: Vec<SatLit>,
    /// The cubes that are excluded up to a frame, and not known to be beyond.
    frames: Vec<BTreeSet<Cube>>,
    start: BTreeMap<usize, bool>,
    obligations: Vec<Obligation>,
    /// How often a bit was kept in a clause.
    activity: FxHashMap<Bit, u32>,
    open: BTreeSet<LocationId>,
    opaque: Option<Rc<str>>,
    found: Found,
}

/// The circuit of one step in a solver.
struct Stepper {
    circuit: Circuit,
    /// The latches before the step and after it, those that are needed.
    now: FxHashMap<usize, SatLit>,
    next: FxHashMap<usize, SatLit>,
    /// Clauses that are no longer used.
    rubbish: usize,
}

/// The circuit of one step with what is told about the moments before and after it.
struct Guide {
    hints: Hints,
    aig: Aig,
    now: Moment,
    next: Moment,
}

impl Guide {
    /// `None` if there is nothing to tell.
    fn new(system: &System, needed: &[bool], hints: Hints) -> Option<Guide> {
        if hints.are_none() {
            return None;
        }
        let mut aig = system.aig.clone();
        let now: Vec<Lit> = system.latches.iter().map(|latch| latch.lit).collect();
        let next: Vec<Lit> = system.latches.iter().map(|latch| latch.next).collect();
        let ways = system.arrivals.iter();
        let ways = ways.map(|ways| ways.iter().map(|&(_, lit)| lit).collect());
        Some(Guide {
            hints,
            now: Moment::new(system, &mut aig, &now, needed),
            next: Moment::new(system, &mut aig, &next, needed).reached_by(ways.collect()),
            aig,
        })
    }
}

impl Stepper {
    /// With hints, if there are any.
    fn guided(
        system: &System,
        needed: &[usize],
        choice: Choice,
        control: &Control,
        guide: Option<&Guide>,
    ) -> Stepper {
        let mut stepper = Stepper::new(system, needed, choice, control);
        if let Some(guide) = guide {
            for (rank, moment) in [(0, &guide.now), (1, &guide.next)] {
                (guide.hints).give(&mut stepper.circuit, &guide.aig, moment, rank);
            }
        }
        stepper
    }

    fn new(system: &System, needed: &[usize], choice: Choice, control: &Control) -> Stepper {
        let mut circuit = Circuit::new(choice.solver(control));
        let mut lits = |of: fn(&crate::system::Latch) -> Lit| -> FxHashMap<usize, SatLit> {
            let latches = needed.iter();
            latches
                .map(|&latch| (latch, circuit.lit(&system.aig, of(&system.latches[latch]))))
                .collect()
        };
        let (now, next) = (lits(|latch| latch.lit), lits(|latch| latch.next));
        Stepper {
            circuit,
            now,
            next,
            rubbish: 0,
        }
    }

    fn now(&self, bit: Bit) -> SatLit {
        self.now[&bit.latch()].invert_if(!bit.value())
    }

    fn next(&self, bit: Bit) -> SatLit {
        self.next[&bit.latch()].invert_if(!bit.value())
    }
}

impl<'s> Search<'s> {
    fn new(
        system: &'s System,
        graph: &'s ProgramGraph,
        settings: Settings,
        control: &'s Control,
    ) -> Search<'s> {
        let choice = settings.solver;
        let roots = system.bads.iter().map(|bad| bad.lit);
        let needed: Vec<bool> = system.needed(roots.clone());
        let guide = Guide::new(system, &needed, settings.hints);
        let needed: Vec<usize> = (0..needed.len()).filter(|&latch| needed[latch]).collect();
        let next = needed.iter().map(|&latch| system.latches[latch].next);
        let cone = system.aig.cone(roots.chain(next));
        let start = needed.iter().filter_map(|&latch| {
            let value = system.latches[latch].start?;
            Some((latch, value))
        });
        Search {
            opaque: system.why_opaque(&cone),
            start: start.collect(),
            step: Stepper::guided(system, &needed, choice, control, guide.as_ref()),
            lift: Stepper::new(system, &needed, choice, control),
            system,
            graph,
            choice,
            guide,
            control,
            needed,
            active: Vec::new(),
            frames: Vec::new(),
            obligations: Vec::new(),
            activity: FxHashMap::default(),
            open: system.bads.iter().map(|bad| bad.error).collect(),
            found: Found::default(),
        }
    }

    fn decide(&mut self, mut told: impl FnMut(usize, Counts)) -> Result<(), Stopped> {
        self.add_frame();
        loop {
            let top = self.frames.len() - 1;
            self.found.frames = top;
            told(top, self.step.circuit.counts());
            while let Some(obligation) = self.leads_to_an_error(top)? {
                self.block(obligation, top)?;
            }
            if self.open.is_empty() {
                return Ok(());
            }
            self.add_frame();
            if let Some(invariant) = self.propagate()? {
                self.found.invariant = Some(invariant);
                return Ok(());
            }
        }
    }

    /// A frame about which nothing is known. The first one is where runs start.
    fn add_frame(&mut self) {
        self.active.push(self.step.circuit.variable());
        self.frames.push(BTreeSet::new());
    }

    /// Assumptions that say: reached in `frame` steps or fewer.
    fn within(&self, frame: usize) -> Vec<SatLit> {
        let mut assumed: Vec<SatLit> = self.active[frame..].to_vec();
        if frame == 0 {
            let start = self.start.iter();
            let start = start.map(|(&latch, &value)| Bit::new(latch, value));
            assumed.extend(start.map(|bit| self.step.now(bit)));
        }
        assumed
    }

    /// A state of a frame from which one step leads to an error that is open.
    fn leads_to_an_error(&mut self, frame: usize) -> Result<Option<usize>, Stopped> {
        let open: Vec<Lit> = (self.system.bads.iter())
            .filter(|bad| self.open.contains(&bad.error))
            .map(|bad| bad.lit)
            .collect();
        for lit in open {
            let bad = self.step.circuit.lit(&self.system.aig, lit);
            let mut assumed = self.within(frame);
            assumed.push(bad);
            if !self.is_sat(&assumed)? {
                continue;
            }
            let (state, inputs) = self.model();
            let bad = self.lift.circuit.lit(&self.system.aig, lit);
            let cube = self.lifted(&state, &inputs, &[!bad])?;
            self.obligations.push(Obligation {
                cube,
                inputs,
                state,
                next: None,
            });
            return Ok(Some(self.obligations.len() - 1));
        }
        Ok(None)
    }

    fn is_sat(&mut self, assumed: &[SatLit]) -> Result<bool, Stopped> {
        self.control.check().map_err(|_| Stopped)?;
        match self.step.circuit.solve(assumed) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Stopped => Err(Stopped),
        }
    }

    /// Latches (all of them; those that are not needed are false) and leaves in the model.
    fn model(&self) -> (Vec<bool>, Vec<bool>) {
        let mut state = vec![false; self.system.latches.len()];
        for &latch in &self.needed {
            state[latch] = self.step.circuit.value(self.step.now[&latch]);
        }
        let leaves = self.system.aig.leaves().iter().map(|&leaf| {
            let lit = self.step.circuit.find(leaf);
            lit.is_some_and(|lit| self.step.circuit.value(lit))
        });
        (state, leaves.collect())
    }

    /// The bits of a state that matter, so that with these inputs the step has an effect whose
    /// negation is given as a clause.
    fn lifted(
        &mut self,
        state: &[bool],
        inputs: &[bool],
        not_effect: &[SatLit],
    ) -> Result<Cube, Stopped> {
        if self.lift.rubbish > RUBBISH {
            self.lift = Stepper::new(self.system, &self.needed, self.choice, self.control);
            // The literals of the effect are those of the old solver.
            return Ok(self.all_of(state));
        }
        let lift = &mut self.lift;
        let temporary = lift.circuit.variable();
        let clause: Vec<SatLit> = not_effect.iter().copied().chain([!temporary]).collect();
        lift.circuit.add(&clause);
        let mut assumed = vec![temporary];
        for &input in &self.system.inputs {
            if let Some(lit) = lift.circuit.find(input) {
                let crate::aig::Node::Leaf(leaf) = self.system.aig.node(input.node()) else {
                    continue;
                };
                assumed.push(lit.invert_if(!inputs[leaf as usize]));
            }
        }
        let bits: Vec<Bit> = (self.needed.iter())
            .map(|&latch| Bit::new(latch, state[latch]))
            .collect();
        assumed.extend(bits.iter().map(|&bit| lift.now(bit)));
        let answer = lift.circuit.solve(&assumed);
        let cube = match answer {
            Answer::Unsat => (bits.iter().copied())
                .filter(|&bit| lift.circuit.is_used(lift.now(bit)))
                .collect(),
            // The step is a function: there is no other effect. Be it as it may.
            Answer::Sat => bits,
            Answer::Stopped => return Err(Stopped),
        };
        lift.circuit.add(&[!temporary]);
        lift.rubbish += 1;
        Ok(cube)
    }

    fn all_of(&self, state: &[bool]) -> Cube {
        (self.needed.iter())
            .map(|&latch| Bit::new(latch, state[latch]))
            .collect()
    }

    /// Whether some state of the cube is one where runs start.
    fn is_start(&self, cube: &[Bit]) -> bool {
        cube.iter()
            .all(|bit| self.start.get(&bit.latch()) != Some(&!bit.value()))
    }

    /// Shows that an obligation is not reached within a frame, or finds a run through it.
    fn block(&mut self, obligation: usize, frame: usize) -> Result<(), Stopped> {
        let mut waiting = BinaryHeap::from([Reverse((frame, obligation))]);
        while let Some(Reverse((frame, number))) = waiting.pop() {
            let cube = self.obligations[number].cube.clone();
            if self.is_start(&cube) {
                self.reached(number);
                break;
            }
            if self.is_excluded(&cube, frame) {
                continue;
            }
            match self.inductive(&cube, frame)? {
                Some(core) => {
                    let smaller = self.generalised(core, frame)?;
                    let at = self.pushed(&smaller, frame)?;
                    self.exclude(smaller, at);
                    if at < self.frames.len() - 1 {
                        waiting.push(Reverse((at + 1, number)));
                    }
                }
                None => {
                    let (state, inputs) = self.model();
                    let not_effect: Vec<SatLit> =
                        cube.iter().map(|&bit| !self.lift.next(bit)).collect();
                    let cube = self.lifted(&state, &inputs, &not_effect)?;
                    self.obligations.push(Obligation {
                        cube,
                        inputs,
                        state,
                        next: Some(number),
                    });
                    let before = self.obligations.len() - 1;
                    waiting.push(Reverse((frame - 1, before)));
                    waiting.push(Reverse((frame, number)));
                }
            }
        }
        self.obligations.clear();
        Ok(())
    }

    /// Whether a clause of a frame excludes the whole cube.
    fn is_excluded(&self, cube: &[Bit], frame: usize) -> bool {
        let known = self.frames[frame..].iter().flatten();
        known.into_iter().any(|known| is_subset(known, cube))
    }

    /// Whether no state of the frame before `frame` outside of the cube has a step into it. If so, the
    /// bits that were used, with enough to exclude the start.
    fn inductive(&mut self, cube: &[Bit], frame: usize) -> Result<Option<Cube>, Stopped> {
        self.renew();
        let temporary = self.step.circuit.variable();
        let clause: Vec<SatLit> = (cube.iter().map(|&bit| !self.step.now(bit)))
            .chain([!temporary])
            .collect();
        self.step.circuit.add(&clause);
        let mut assumed = self.within(frame - 1);
        assumed.push(temporary);
        assumed.extend(cube.iter().map(|&bit| self.step.next(bit)));
        let is_sat = self.is_sat(&assumed)?;
        let result = if is_sat {
            None
        } else {
            let step = &self.step;
            let used = |bit: &Bit| step.circuit.is_used(step.next(*bit));
            let mut core: Cube = cube.iter().copied().filter(used).collect();
            if self.is_start(&core) {
                let apart = cube
                    .iter()
                    .find(|bit| self.start.get(&bit.latch()) == Some(&!bit.value()));
                core.extend(apart);
                core.sort();
            }
            Some(core)
        };
        if result.is_some() {
            self.step.circuit.add(&[!temporary]);
        }
        self.step.rubbish += 1;
        if result.is_none() {
            // The model is still to be read; the clause is switched off by not being assumed.
            self.step.rubbish += 1;
        }
        Ok(result)
    }

    /// A solver without the clauses that are no longer used.
    fn renew(&mut self) {
        if self.step.rubbish < RUBBISH {
            return;
        }
        let (choice, guide) = (self.choice, self.guide.as_ref());
        self.step = Stepper::guided(self.system, &self.needed, choice, self.control, guide);
        self.active.clear();
        for number in 0..self.frames.len() {
            let active = self.step.circuit.variable();
            self.active.push(active);
            for cube in &self.frames[number] {
                let clause: Vec<SatLit> = (cube.iter().map(|&bit| !self.step.now(bit)))
                    .chain([!active])
                    .collect();
                self.step.circuit.add(&clause);
            }
        }
    }

    /// With fewer bits, as long as it stays inductive and excludes the start.
    fn generalised(&mut self, mut cube: Cube, frame: usize) -> Result<Cube, Stopped> {
        let mut order = cube.clone();
        order.sort_by_key(|bit| (self.activity.get(bit).copied().unwrap_or(0), *bit));
        let mut failures = 0;
        for bit in order {
            if !cube.contains(&bit) || cube.len() == 1 {
                continue;
            }
            let smaller: Cube = cube.iter().copied().filter(|&other| other != bit).collect();
            if self.is_start(&smaller) {
                continue;
            }
            match self.down(smaller, frame)? {
                Some(smaller) => {
                    cube = smaller;
                    failures = 0;
                }
                None => {
                    failures += 1;
                    if failures > PATIENCE {
                        break;
                    }
                }
            }
        }
        for &bit in &cube {
            *self.activity.entry(bit).or_default() += 1;
        }
        Ok(cube)
    }

    /// The cube if it is inductive, or what of it is: states that lead into it from outside join it
    /// (Bradley: "down").
    fn down(&mut self, mut cube: Cube, frame: usize) -> Result<Option<Cube>, Stopped> {
        for _ in 0..2 {
            if let Some(core) = self.inductive(&cube, frame)? {
                return Ok(Some(core));
            }
            let (state, _) = self.model();
            let common: Cube = cube
                .iter()
                .copied()
                .filter(|bit| state[bit.latch()] == bit.value())
                .collect();
            if common.len() == cube.len() || common.is_empty() || self.is_start(&common) {
                return Ok(None);
            }
            cube = common;
        }
        Ok(None)
    }

    /// The highest frame within which a cube is excluded, that is known to be for `frame`.
    fn pushed(&mut self, cube: &Cube, mut frame: usize) -> Result<usize, Stopped> {
        while frame < self.frames.len() - 1 && self.inductive(cube, frame + 1)?.is_some() {
            frame += 1;
        }
        Ok(frame)
    }

    /// Excludes a cube up to a frame.
    fn exclude(&mut self, cube: Cube, frame: usize) {
        for known in &mut self.frames[..=frame] {
            known.retain(|known| !is_subset(&cube, known));
        }
        let clause: Vec<SatLit> = (cube.iter().map(|&bit| !self.step.now(bit)))
            .chain([!self.active[frame]])
            .collect();
        self.step.circuit.add(&clause);
        self.frames[frame].insert(cube);
    }

    /// Moves clauses up that hold one step later, too. If all of a frame do, they are the invariant.
    fn propagate(&mut self) -> Result<Option<Vec<Cube>>, Stopped> {
        for frame in 1..self.frames.len() - 1 {
            let cubes: Vec<Cube> = self.frames[frame].iter().cloned().collect();
            for cube in cubes {
                if let Some(core) = self.inductive(&cube, frame + 1)? {
                    self.frames[frame].remove(&cube);
                    self.exclude(core, frame + 1);
                }
            }
            if self.frames[frame].is_empty() {
                let invariant = self.frames[frame + 1..].iter().flatten().cloned();
                return Ok(Some(invariant.collect()));
            }
        }
        Ok(None)
    }

    /// The run from an obligation where runs start.
    fn reached(&mut self, first: usize) {
        // The state was lifted: the start is any of its states, with bits as the start fixes them.
        let mut state = self.obligations[first].state.clone();
        for bit in &self.obligations[first].cube {
            state[bit.latch()] = bit.value();
        }
        for (&latch, &value) in &self.start {
            state[latch] = value;
        }
        let mut frames = Vec::new();
        let mut next = Some(first);
        while let Some(number) = next {
            let obligation = &self.obligations[number];
            let values = self.values(&state, &obligation.inputs);
            for &latch in &self.needed {
                state[latch] = values.of(self.system.latches[latch].next);
            }
            frames.push(values);
            next = obligation.next;
        }
        let run = self.system.run(self.graph, &frames);
        let some = || self.open.iter().next().copied();
        let Some(error) = run.as_ref().map(|(error, _)| *error).or_else(some) else {
            return;
        };
        self.open.remove(&error);
        match (run, &self.opaque) {
            (Some((_, run)), None) => {
                let copies = copies(self.graph, error);
                self.open.retain(|error| !copies.contains(error));
                self.found.runs.insert(error, run);
            }
            (_, why) => {
                let why = why.clone();
                let why = why.unwrap_or_else(|| "a value that cannot be determined".into());
                self.found.opaque.insert(error, why);
            }
        }
    }

    fn values(&self, state: &[bool], inputs: &[bool]) -> Values {
        let mut leaves = inputs.to_vec();
        for (latch, &value) in self.system.latches.iter().zip(state) {
            if let crate::aig::Node::Leaf(leaf) = self.system.aig.node(latch.lit.node()) {
                leaves[leaf as usize] = value;
            }
        }
        self.system.aig.values(|leaf| leaves[leaf as usize])
    }
}

/// Whether all bits of a sorted cube are in another.
fn is_subset(small: &[Bit], large: &[Bit]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|bit| rest.any(|other| other == bit))
}
