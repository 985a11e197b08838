//! Which strategies there are, and in which order they are tried.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::external::External;
use super::{Chain, Interpolator, cubes, horn};
use crate::solver::Session;

/// How interpolants are computed; as text, the value of `--interpolation`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Several strategies one after the other, each within a limit of its own.
    #[default]
    Auto,
    /// One Horn query for the whole chain, answered by Spacer.
    Horn,
    /// Backward cubes by model-based projection, generalised by unsatisfiable cores.
    Cubes,
    /// A solver of the user's, over SMT-LIB text.
    External(External),
}

/// How [`Strategy::External`] begins as text.
const EXTERNAL: &str = "external:";

/// A strategy with the time it has for one chain.
pub(super) type Attempt = (Box<dyn Interpolator>, Duration);

impl Strategy {
    /// All strategies that need nothing but this program, each with a line for `--help`.
    pub const ALL: [(Strategy, &'static str); 3] = [
        (
            Strategy::Auto,
            "horn, then cubes; cubes first on bit-vectors",
        ),
        (Strategy::Horn, "one Horn query for the whole path (Spacer)"),
        (
            Strategy::Cubes,
            "model-based projection and unsatisfiable cores",
        ),
    ];

    /// What is tried on a chain, in this order, until something succeeds.
    pub(super) fn attempts(&self, session: &Session<'_>, chain: &Chain) -> Vec<Attempt> {
        let seconds = Duration::from_secs;
        let horn = || -> Attempt { (Box::new(horn::HornChain), seconds(10)) };
        let cubes = |limit| -> Attempt { (Box::new(cubes::Cubes), seconds(limit)) };
        match self {
            Strategy::Horn => vec![horn()],
            Strategy::Cubes => vec![cubes(20)],
            Strategy::External(external) => vec![(Box::new(external.clone()), seconds(30))],
            Strategy::Auto if chain.has_bit_vectors(session.terms()) => vec![cubes(5), horn()],
            Strategy::Auto => vec![horn(), cubes(20)],
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Strategy::Auto => "auto",
            Strategy::Horn => "horn",
            Strategy::Cubes => "cubes",
            Strategy::External(external) => return write!(f, "{EXTERNAL}{external}"),
        })
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Strategy, String> {
        if let Some(command) = text.strip_prefix(EXTERNAL) {
            if command.trim().is_empty() {
                return Err(format!(
                    "`{EXTERNAL}` needs a command, such as {EXTERNAL}cvc5"
                ));
            }
            return Ok(Strategy::External(External::new(command)));
        }
        let known = Strategy::ALL.into_iter().map(|(strategy, _)| strategy);
        known
            .clone()
            .find(|strategy| strategy.to_string() == text)
            .ok_or_else(|| {
                let names: Vec<String> = known.map(|strategy| strategy.to_string()).collect();
                format!(
                    "there is no strategy `{text}`; there are {}, {EXTERNAL}CMD",
                    names.join(", ")
                )
            })
    }
}
