//! How a program becomes a circuit: choices that people can make about the engines on circuits.
//!
//! Ivančić, Yang, Ganai, Gupta, Ashar (TCS 2008), section 4; Kleine Büning, Balyo, Sinz (2018), section 4:
//! what is a step, and how the program counter is written down. Verdicts do not depend on it.

use std::fmt;
use std::str::FromStr;

use ult_bits::system::{Counter, Settings, Stepping};

/// One choice; as text, its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// How far a step goes.
    Stepping(Stepping),
    /// How the location is written down.
    Counter(Counter),
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
    ];

    /// Makes the choice.
    pub fn apply(self, settings: &mut Settings) {
        match self {
            Part::Stepping(value) => settings.stepping = value,
            Part::Counter(value) => settings.counter = value,
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = Part::ALL.iter();
        let own = all.find(|(part, ..)| part == self);
        f.write_str(own.map_or("", |(_, name, _)| name))
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let mut all = Part::ALL.iter();
        let named = all.find(|(_, name, _)| *name == text);
        named
            .map(|&(part, ..)| part)
            .ok_or_else(|| format!("there is no choice `{text}`; `ult engines` lists them"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_has_a_name_of_its_own() {
        for (part, name, _) in Part::ALL {
            assert_eq!(name.parse(), Ok(*part));
            assert_eq!(part.to_string(), *name);
        }
        assert!("two-hot".parse::<Part>().is_err());
    }

    #[test]
    fn the_defaults_come_first() {
        let mut settings = Settings::default();
        for (part, ..) in Part::ALL.iter().rev() {
            part.apply(&mut settings);
        }
        assert_eq!(settings.stepping, Settings::default().stepping);
        assert_eq!(settings.counter, Settings::default().counter);
    }
}
