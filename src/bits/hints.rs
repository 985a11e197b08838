//! What a solver is told about control: which bits to decide first, and from where locations are
//! reached.
//!
//! Ivančić, Yang, Ganai, Gupta, Ashar: "Efficient SAT-based bounded model checking for software
//! verification" (TCS 2008), section 5, where the three are called `sc`, `1h` and `tr`. In the paper
//! a score is a bonus for variables that the solver orders by their activity; here it is a rank, and
//! the solver has no say in the order of variables of different ranks. Answers do not depend on any
//! of it.

use crate::aig::{Aig, Lit};
use crate::sat::{Circuit, Phase};
use crate::system::System;

/// Some of the locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locations {
    /// None of them.
    #[default]
    None,
    /// Those that a path of the graph with so many steps leads to.
    Reachable,
    /// All.
    All,
}

impl Locations {
    fn contains(self, is_reachable: bool) -> bool {
        match self {
            Locations::None => false,
            Locations::Reachable => is_reachable,
            Locations::All => true,
        }
    }
}

/// What the solver is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// `sc`: the bits of the location are decided before others, those of later steps first.
    pub counter: bool,
    /// `1h`: for each location there is a bit that says that the run is there; these are decided
    /// before others, those of later steps first. Such a decision settles all bits of the location.
    pub selected: Locations,
    /// `tr`: who is at a location has come there by one of the edges that lead to it.
    pub incoming: Locations,
}

impl Hints {
    /// Whether the solver has to take ranks.
    pub fn need_ranks(self) -> bool {
        self.counter || self.selected != Locations::None
    }

    /// Whether there are none.
    pub fn are_none(self) -> bool {
        self == Hints::default()
    }

    /// Tells the solver what there is to say about one moment.
    pub(crate) fn give(self, circuit: &mut Circuit, aig: &Aig, moment: &Moment, rank: u32) {
        let is_open = |lit: Lit| lit.as_constant().is_none();
        if self.counter {
            for &bit in moment.counter.iter().filter(|&&bit| is_open(bit)) {
                let lit = circuit.lit(aig, bit);
                circuit.decide_first(lit, rank, Phase::Last);
            }
        }
        for (number, &at) in moment.at.iter().enumerate() {
            let Some(at) = at.filter(|&at| is_open(at)) else {
                continue;
            };
            let reachable = moment.reachable.as_ref();
            let is_reachable = reachable.is_none_or(|reachable| reachable[number]);
            if self.selected.contains(is_reachable) {
                let lit = circuit.lit(aig, at);
                circuit.decide_first(lit, rank, Phase::True);
            }
            if self.incoming.contains(is_reachable)
                && let Some(arrivals) = &moment.arrivals
            {
                let lits = arrivals[number].iter().copied();
                let lits: Vec<Lit> = lits.filter(|&lit| lit != Lit::FALSE).collect();
                if !lits.contains(&Lit::TRUE) {
                    let ways = lits.into_iter().map(|lit| circuit.lit(aig, lit));
                    let ways: Vec<_> = ways.collect();
                    let not_there = !circuit.lit(aig, at);
                    circuit.add(&[&[not_there], ways.as_slice()].concat());
                }
            }
        }
    }
}

/// A moment between two steps.
pub(crate) struct Moment {
    /// The bits of the location.
    counter: Vec<Lit>,
    /// Whether the run is at a location, for each; `None` if nobody wants to know.
    at: Vec<Option<Lit>>,
    /// The locations where the run may be, if that is known.
    reachable: Option<Vec<bool>>,
    /// How the step before leads to each location, if there is one.
    arrivals: Option<Vec<Vec<Lit>>>,
}

impl Moment {
    /// The moment at which latches have these values. Those that are not `needed` have others.
    pub(crate) fn new(system: &System, aig: &mut Aig, state: &[Lit], needed: &[bool]) -> Moment {
        let counter = system.code(0).map(|(latch, _)| latch);
        let counter = counter.filter(|&latch| needed[latch]);
        let at = (0..system.locations.len()).map(|number| {
            let bits = system.latches_at(number);
            let lits =
                bits.map(|(latch, value)| needed[latch].then(|| state[latch].invert_if(!value)));
            let lits: Option<Vec<Lit>> = lits.collect();
            lits.map(|lits| aig.all(&lits))
        });
        Moment {
            at: at.collect(),
            counter: counter.map(|latch| state[latch]).collect(),
            reachable: None,
            arrivals: None,
        }
    }

    /// Where the run may be only at these locations.
    pub(crate) fn within(self, reachable: Vec<bool>) -> Moment {
        Moment {
            reachable: Some(reachable),
            ..self
        }
    }

    /// Where the run has come in these ways, for each location.
    pub(crate) fn reached_by(self, arrivals: Vec<Vec<Lit>>) -> Moment {
        Moment {
            arrivals: Some(arrivals),
            ..self
        }
    }
}
