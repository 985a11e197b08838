//! How a program becomes a circuit and how that is searched: choices that people can make about the
//! engines on circuits.
//!
//! Ivančić, Yang, Ganai, Gupta, Ashar (TCS 2008), sections 4 and 5; Kleine Büning, Balyo, Sinz (2018),
//! section 4: what is a step, how the program counter is written down, what the SAT solver is told about
//! it, in which order lengths are tried. Verdicts do not depend on it.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use ult_bits::bmc::{self, Schedule};
use ult_bits::hints::{Hints, Locations};
use ult_bits::ic3;
use ult_bits::sat::Choice;
use ult_bits::system::{self, Counter, Stepping};
use ult_reduce::cells::Reads;

/// What the choices come to.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The circuit.
    pub system: system::Settings,
    /// Bounded model checking.
    pub search: bmc::Settings,
    /// How reads of maps are written whose cells are variables.
    pub reads: Reads,
}

impl Settings {
    /// Some choices; of those that exclude each other, the last one counts.
    pub fn of(parts: &[Part]) -> Settings {
        let mut settings = Settings::default();
        for part in parts {
            part.apply(&mut settings);
        }
        let search = &mut settings.search;
        let solver = search.solver;
        if search.hints.need_ranks() && !solver.has_ranks() {
            search.solver = Choice::with_ranks().unwrap_or(solver);
        }
        settings
    }

    /// What IC3 takes of them.
    pub fn proving(&self) -> ic3::Settings {
        ic3::Settings {
            solver: self.search.solver,
            hints: self.search.hints,
        }
    }
}

/// One choice; as text, its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// How far a step goes.
    Stepping(Stepping),
    /// How the location is written down.
    Counter(Counter),
    /// How maps are read.
    Reads(Reads),
    /// In which order lengths are tried.
    Schedule(Schedule),
    /// Whether locations are left out of steps where no path of so many steps leads.
    Pruning(bool),
    /// How many steps runs may have that are looked for, if not any number.
    Bound(Option<NonZeroU32>),
    /// What the solver is told besides.
    Hint(Hint),
    /// The solver.
    Solver(Choice),
}

/// What comes before the number of a bound.
const BOUND: &str = "bound-";

/// Something that the solver is told about control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Nothing.
    None,
    /// The bits of the location are decided first.
    Counter,
    /// That the run is at one of some locations is decided first.
    Selected(Locations),
    /// Who is at one of some locations has come there by an edge.
    Incoming(Locations),
}

impl Part {
    /// All choices, each with its name and a line for people; of each kind the default comes first.
    pub const ALL: &[(Part, &str, &str)] = &[
        (
            Part::Stepping(Stepping::Loops),
            "loop-steps",
            "a step goes from loop head to loop head",
        ),
        (
            Part::Stepping(Stepping::Blocks),
            "block-steps",
            "a step is a basic block",
        ),
        (
            Part::Stepping(Stepping::Statements),
            "edge-steps",
            "a step is an edge of the program graph",
        ),
        (
            Part::Counter(Counter::Binary),
            "binary",
            "the location is a number",
        ),
        (
            Part::Counter(Counter::OneHot),
            "one-hot",
            "the location is a bit for each location",
        ),
        (
            Part::Reads(Reads::Chosen),
            "choices",
            "what a pointer points to is a choice among the cells that it may point to",
        ),
        (
            Part::Reads(Reads::Shadowed),
            "shadows",
            "it is a variable, which each assignment to the pointer or to what it may point to keeps up to date",
        ),
        (
            Part::Schedule(Schedule::EachDepth),
            "each-depth",
            "runs are looked for in 1, 2, 3, ... steps from the start (bits-bmc)",
        ),
        (
            Part::Schedule(Schedule::Exponential),
            "exponential",
            "in up to 1, 2, 4, ... steps",
        ),
        (
            Part::Schedule(Schedule::BothEnds),
            "both-ends",
            "in 1, 2, 3, ... steps, half of them unrolled from the error backwards",
        ),
        (
            Part::Pruning(true),
            "pruned",
            "locations that no path of that many edges leads to are left out (bits-bmc)",
        ),
        (Part::Pruning(false), "unpruned", "they are not"),
        (
            Part::Bound(None),
            "unbounded",
            "runs of any length are looked for; `bound-10` stops after 10 steps (bits-bmc)",
        ),
        (
            Part::Hint(Hint::None),
            "std",
            "the SAT solver gets nothing but the circuit",
        ),
        (
            Part::Hint(Hint::Counter),
            "sc",
            "it decides bits of the location first, those of later steps before others",
        ),
        (
            Part::Hint(Hint::Selected(Locations::Reachable)),
            "1h",
            "it first decides at which location the execution is, among those that as many steps may lead to",
        ),
        (
            Part::Hint(Hint::Selected(Locations::All)),
            "1h-all",
            "of all",
        ),
        (
            Part::Hint(Hint::Incoming(Locations::Reachable)),
            "tr",
            "it knows by which edges a location is reached, for those that as many steps may lead to",
        ),
        (
            Part::Hint(Hint::Incoming(Locations::All)),
            "tr-all",
            "for all",
        ),
        (
            Part::Solver(Choice::BatSat),
            "batsat",
            "the SAT solver is BatSat (no `sc`, no `1h`)",
        ),
        #[cfg(feature = "cadical")]
        (
            Part::Solver(Choice::CaDiCaL),
            "cadical",
            "it is CaDiCaL; chosen by `sc` and `1h`",
        ),
    ];

    /// Makes the choice.
    pub fn apply(self, settings: &mut Settings) {
        match self {
            Part::Stepping(value) => settings.system.stepping = value,
            Part::Counter(value) => settings.system.counter = value,
            Part::Reads(value) => settings.reads = value,
            Part::Schedule(value) => settings.search.schedule = value,
            Part::Pruning(value) => settings.search.pruned = value,
            Part::Bound(value) => settings.search.most = value,
            Part::Solver(value) => settings.search.solver = value,
            Part::Hint(hint) => {
                let hints = &mut settings.search.hints;
                match hint {
                    Hint::None => *hints = Hints::default(),
                    Hint::Counter => hints.counter = true,
                    Hint::Selected(which) => hints.selected = which,
                    Hint::Incoming(which) => hints.incoming = which,
                }
            }
        }
    }

    /// Whether it is for a solver that can be told what to decide first.
    fn needs_ranks(self) -> bool {
        matches!(self, Part::Hint(Hint::Counter | Hint::Selected(_)))
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Part::Bound(Some(most)) = self {
            return write!(f, "{BOUND}{most}");
        }
        let mut all = Part::ALL.iter();
        let own = all.find(|(part, ..)| part == self);
        f.write_str(own.map_or("", |(_, name, _)| name))
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        if let Some(most) = text.strip_prefix(BOUND) {
            let most = most.parse().map_err(|error| format!("`{text}`: {error}"))?;
            return Ok(Part::Bound(Some(most)));
        }
        let mut all = Part::ALL.iter();
        let named = all.find(|(_, name, _)| *name == text);
        match named {
            Some((part, ..)) if part.needs_ranks() && Choice::with_ranks().is_none() => {
                Err(format!(
                    "`{text}` is for the SAT solver CaDiCaL, which this program was built without"
                ))
            }
            Some(&(part, ..)) => Ok(part),
            None => Err(format!(
                "there is no choice `{text}`; `ult engines` lists them"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_has_a_name_of_its_own() {
        for (part, name, _) in Part::ALL {
            match part.needs_ranks() && Choice::with_ranks().is_none() {
                true => assert!(
                    name.parse::<Part>()
                        .is_err_and(|why| why.contains("CaDiCaL"))
                ),
                false => assert_eq!(name.parse(), Ok(*part)),
            }
            assert_eq!(part.to_string(), *name);
        }
        assert!("two-hot".parse::<Part>().is_err());
        for text in ["bound-1", "bound-1000"] {
            assert_eq!(
                text.parse::<Part>().map(|part| part.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in ["bound-", "bound-0", "bound--1", "bound-4294967296"] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_defaults_come_first() {
        let all: Vec<Part> = Part::ALL.iter().map(|(part, ..)| *part).rev().collect();
        let (some, none) = (Settings::of(&all), Settings::of(&[]));
        assert_eq!(some.system.stepping, none.system.stepping);
        assert_eq!(some.system.counter, none.system.counter);
        assert_eq!(some.search, none.search);
        assert_eq!(some.reads, none.reads);
    }
}
