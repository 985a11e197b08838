//! Single choices by name, as people give them.

use std::fmt;
use std::str::FromStr;

use super::settings::{
    Abstraction, Choice, ForcedCovering, Order, Predicates, Refinement, Restart, Scope, Settings,
    StateForm,
};

/// One choice; as text, its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// How abstractions are computed.
    Abstraction(Abstraction),
    /// Where a predicate is used.
    Scope(Scope),
    /// What of an interpolant becomes a predicate.
    Predicates(Predicates),
    /// What is built again after a predicate refinement.
    Restart(Restart),
    /// How states are represented.
    State(StateForm),
    /// Covering by force.
    ForcedCovering(ForcedCovering),
    /// Which node is expanded next.
    Order(Order),
    /// Strengthening and predicates together ([`Refinement::Both`]).
    Both,
}

/// The name of [`Part::Both`], and its line.
const BOTH: (&str, &str) = (
    "both",
    "strengthen the path and add predicates, as UFO does",
);

impl Part {
    /// All choices, each with a line for people.
    pub fn all() -> Vec<(Part, &'static str)> {
        fn of<T: Choice>(part: fn(T) -> Part) -> impl Iterator<Item = (Part, &'static str)> {
            T::ALL
                .iter()
                .map(move |&(value, _, line)| (part(value), line))
        }
        of(Part::Abstraction)
            .chain(of(Part::Scope))
            .chain(of(Part::Predicates))
            .chain(of(Part::Restart))
            .chain([(Part::Both, BOTH.1)])
            .chain(of(Part::State))
            .chain(of(Part::ForcedCovering))
            .chain(of(Part::Order))
            .collect()
    }

    /// Makes the choice. One about predicates is ignored where there are none.
    pub fn apply(self, settings: &mut Settings) {
        let abstracting = match &mut settings.refinement {
            Refinement::Predicate(abstracting, _) | Refinement::Both(abstracting) => {
                Some(abstracting)
            }
            Refinement::Impact => None,
        };
        match (self, abstracting) {
            (Part::Abstraction(value), Some(abstracting)) => abstracting.abstraction = value,
            (Part::Scope(value), Some(abstracting)) => abstracting.scope = value,
            (Part::Predicates(value), Some(abstracting)) => abstracting.predicates = value,
            (Part::Abstraction(_) | Part::Scope(_) | Part::Predicates(_), None) => {}
            (Part::Restart(value), _) => {
                if let Refinement::Predicate(_, restart) = &mut settings.refinement {
                    *restart = value;
                }
            }
            (Part::Both, _) => {
                let abstracting = settings.refinement.abstracting().unwrap_or_default();
                settings.refinement = Refinement::Both(abstracting);
            }
            (Part::State(value), _) => settings.state = value,
            (Part::ForcedCovering(value), _) => settings.forced_covering = value,
            (Part::Order(value), _) => settings.order = value,
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Part::Abstraction(value) => value.name(),
            Part::Scope(value) => value.name(),
            Part::Predicates(value) => value.name(),
            Part::Restart(value) => value.name(),
            Part::State(value) => value.name(),
            Part::ForcedCovering(value) => value.name(),
            Part::Order(value) => value.name(),
            Part::Both => BOTH.0,
        })
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let mut all = Part::all().into_iter().map(|(part, _)| part);
        all.find(|part| part.to_string() == text)
            .ok_or_else(|| format!("there is no choice `{text}`; `ult engines` lists them"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_has_a_name_of_its_own() {
        for (part, line) in Part::all() {
            assert_eq!(part.to_string().parse(), Ok(part));
            assert!(!line.is_empty());
        }
        assert!("boole".parse::<Part>().is_err());
    }

    #[test]
    fn choices_change_the_settings_they_are_about() {
        let chosen = |mut settings: Settings, names: &[&str]| {
            for name in names {
                name.parse::<Part>().unwrap().apply(&mut settings);
            }
            settings
        };
        let names = [
            "cartesian",
            "global",
            "whole",
            "eager",
            "formula",
            "topological",
        ];
        let predicate = chosen(Settings::predicate_abstraction(), &names);
        let Refinement::Predicate(abstracting, Restart::Eager) = predicate.refinement else {
            panic!("{predicate:?}");
        };
        assert_eq!(abstracting.abstraction, Abstraction::Cartesian);
        assert_eq!(abstracting.scope, Scope::Global);
        assert_eq!(abstracting.predicates, Predicates::Whole);
        assert_eq!(predicate.state, StateForm::Formula);
        assert_eq!(predicate.order, Order::Topological);
        // IMPACT has no predicates until it is told to have some.
        let impact = chosen(Settings::impact(), &["cartesian", "off"]);
        assert_eq!(impact.refinement, Refinement::Impact);
        assert_eq!(impact.forced_covering, ForcedCovering::Off);
        let both = chosen(Settings::impact(), &["both", "boolean"]).refinement;
        let abstraction = both
            .abstracting()
            .map(|abstracting| abstracting.abstraction);
        assert_eq!(abstraction, Some(Abstraction::Boolean));
    }
}
