//! Which strategies there are, and in which order they are tried.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::native::{Farkas, Native, System};
use super::{Chain, Interpolator, cubes, horn, newton};
use crate::solver::Session;

/// How interpolants are computed; as text, the value of `--interpolation`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Several strategies one after the other, each within a limit of its own.
    #[default]
    Auto,
    /// A resolution proof of our own over theory lemmas with certificates.
    Native(Native),
    /// One Horn query for the whole chain, answered by Spacer.
    Horn,
    /// Backward cubes by model-based projection, generalised by unsatisfiable cores.
    Cubes,
    /// Strongest postconditions, guided by unsatisfiable cores.
    Forward,
    /// Weakest preconditions, guided by unsatisfiable cores.
    Backward,
}

/// A strategy with the time it has for one chain.
pub(super) type Attempt = (Box<dyn Interpolator>, Duration);

impl Strategy {
    /// All strategies that need nothing but this program, each with a line for `--help`.
    pub const ALL: [(Strategy, &'static str); 9] = [
        (
            Strategy::Auto,
            "horn, cubes, backward, forward; on bit-vectors horn after backward",
        ),
        (
            Strategy::Native(Native {
                system: System::McMillan,
                farkas: Farkas::Plain,
            }),
            "an own resolution proof, McMillan's system",
        ),
        (
            Strategy::Native(Native {
                system: System::McMillan,
                farkas: Farkas::Decomposed,
            }),
            "the same with sums of bounds in independent parts",
        ),
        (
            Strategy::Native(Native {
                system: System::Pudlak,
                farkas: Farkas::Plain,
            }),
            "Pudlák's system: weaker interpolants",
        ),
        (
            Strategy::Native(Native {
                system: System::InverseMcMillan,
                farkas: Farkas::Plain,
            }),
            "the dual of McMillan's system: the weakest interpolants",
        ),
        (Strategy::Horn, "one Horn query for the whole path (Spacer)"),
        (
            Strategy::Cubes,
            "model-based projection and unsatisfiable cores",
        ),
        (
            Strategy::Forward,
            "strongest postconditions and unsatisfiable cores",
        ),
        (
            Strategy::Backward,
            "weakest preconditions and unsatisfiable cores",
        ),
    ];

    /// What is tried on a chain, in this order, until something succeeds.
    pub(super) fn attempts(&self, session: &Session<'_>, chain: &Chain) -> Vec<Attempt> {
        let seconds = Duration::from_secs;
        let horn = || -> Attempt { (Box::new(horn::HornChain), seconds(10)) };
        let cubes = |limit| -> Attempt { (Box::new(cubes::Cubes), seconds(limit)) };
        let forward = |limit| -> Attempt { (Box::new(newton::Forward), seconds(limit)) };
        let backward = |limit| -> Attempt { (Box::new(newton::Backward), seconds(limit)) };
        match self {
            Strategy::Native(native) => vec![(Box::new(*native), seconds(10))],
            Strategy::Horn => vec![horn()],
            Strategy::Cubes => vec![cubes(20)],
            Strategy::Auto if chain.has_bit_vectors(session.terms()) => {
                vec![cubes(5), backward(5), horn(), forward(5)]
            }
            Strategy::Auto => vec![horn(), cubes(20), backward(5), forward(5)],
            Strategy::Forward => vec![forward(20)],
            Strategy::Backward => vec![backward(20)],
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Strategy::Auto => "auto",
            Strategy::Native(native) => native.name(),
            Strategy::Horn => "horn",
            Strategy::Cubes => "cubes",
            Strategy::Forward => "forward",
            Strategy::Backward => "backward",
        })
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Strategy, String> {
        let known = Strategy::ALL.into_iter().map(|(strategy, _)| strategy);
        known
            .clone()
            .find(|strategy| strategy.to_string() == text)
            .ok_or_else(|| {
                let names: Vec<String> = known.map(|strategy| strategy.to_string()).collect();
                format!(
                    "there is no strategy `{text}`; there are {}",
                    names.join(", ")
                )
            })
    }
}
